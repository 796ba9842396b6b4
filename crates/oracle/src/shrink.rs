//! Making a program small while something stays true of it: greedily, with one simplification at a time,
//! until none is left that keeps it true.

use crate::program::{Order, Program, Statement, Until, Value};
use std::collections::BTreeSet;

/// The smallest program found for which the predicate holds, as it must for the one that is given.
pub fn shrink(program: &Program, mut holds: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut tried = BTreeSet::new();
    'again: loop {
        for candidate in candidates(&best) {
            let fresh = candidate != best && tried.insert(candidate.clone());
            if fresh && candidate.validate().is_ok() && holds(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Simpler programs, the boldest first. Not all are valid.
fn candidates(program: &Program) -> Vec<Program> {
    let mut list: Vec<Program> = (1..program.threads.len()).map(|t| without_thread(program, t)).collect();
    for thread in 0..program.threads.len() {
        list.extend(pairs(program, thread).into_iter().map(|pair| without(program, thread, &pair)));
        for number in 0..program.statements(thread).len() {
            list.push(without(program, thread, &[number]));
        }
    }
    for thread in 0..program.threads.len() {
        for (number, statement) in program.statements(thread).into_iter().enumerate() {
            for simpler in simpler(statement) {
                list.push(with(program, thread, number, &simpler));
            }
        }
    }
    list.push(without_unused(program));
    list.retain(|candidate| candidate != program);
    list
}

fn without_thread(program: &Program, gone: usize) -> Program {
    let mut smaller = program.clone();
    smaller.threads.remove(gone);
    for body in &mut smaller.threads {
        body.retain(
            |s| !matches!(s, Statement::Spawn { thread } | Statement::Join { thread } if *thread == gone),
        );
        for statement in body {
            if let Statement::Spawn { thread } | Statement::Join { thread } = statement
                && *thread > gone
            {
                *thread -= 1;
            }
        }
    }
    smaller
}

/// Statements that had better go together: a lock and its unlock, a spawn and its join.
fn pairs(program: &Program, thread: usize) -> Vec<[usize; 2]> {
    let statements = program.statements(thread);
    let mut pairs = Vec::new();
    for (first, opening) in statements.iter().enumerate() {
        for (second, closing) in statements.iter().enumerate().skip(first + 1) {
            if let (Statement::Lock { mutex }, Statement::Unlock { mutex: same }) = (opening, closing)
                && mutex == same
            {
                pairs.push([first, second]);
            }
        }
    }
    pairs
}

fn without(program: &Program, thread: usize, numbers: &[usize]) -> Program {
    rewrite(program, thread, &mut |number, statement| match numbers.contains(&number) {
        true => Vec::new(),
        false => vec![statement.clone()],
    })
}

fn with(program: &Program, thread: usize, number: usize, new: &[Statement]) -> Program {
    rewrite(program, thread, &mut |at, statement| match at == number {
        true => new.to_vec(),
        false => vec![statement.clone()],
    })
}

/// Replaces each statement of a thread; what is inside a branch that is replaced stays as it is.
fn rewrite(
    program: &Program,
    thread: usize,
    replace: &mut dyn FnMut(usize, &Statement) -> Vec<Statement>,
) -> Program {
    fn walk(
        body: &[Statement],
        number: &mut usize,
        replace: &mut dyn FnMut(usize, &Statement) -> Vec<Statement>,
    ) -> Vec<Statement> {
        let mut new = Vec::new();
        for statement in body {
            let own = *number;
            *number += 1;
            let mut replaced = replace(own, statement);
            if let Some(body) = statement.body() {
                let inner = walk(body, number, replace);
                if let [same] = replaced.as_mut_slice()
                    && let Some(body) = same.body_mut()
                {
                    *body = inner;
                }
            }
            new.append(&mut replaced);
        }
        new
    }
    let mut changed = program.clone();
    changed.threads[thread] = walk(&program.threads[thread], &mut 0, replace);
    changed
}

/// Simpler things to do instead of a statement.
fn simpler(statement: &Statement) -> Vec<Vec<Statement>> {
    use Statement::*;
    let mut list = Vec::new();
    if let Some(body) = statement.body() {
        list.push(body.clone());
    }
    if let Indexed { access, .. } = statement {
        list.push(vec![(**access).clone()]);
    }
    let mut change = |edit: &dyn Fn(&mut Statement)| {
        let mut simpler = statement.clone();
        edit(&mut simpler);
        list.push(vec![simpler]);
    };
    if let Store { .. } | Exchange { .. } | CompareExchange { .. } | Assign { .. } = statement {
        for number in [0, 1] {
            change(&|statement| {
                if let Store { value, .. }
                | Exchange { value, .. }
                | CompareExchange { new: value, .. }
                | Assign { value, .. } = statement
                    && *value > Value::Constant(number)
                {
                    *value = Value::Constant(number);
                }
            });
        }
    }
    change(&|statement| {
        if let Load { order, .. }
        | Store { order, .. }
        | FetchAdd { order, .. }
        | Exchange { order, .. }
        | CompareExchange { order, .. }
        | Await { order, .. }
        | Fence { order } = statement
            && *order != Order::Plain
        {
            *order = Order::SeqCst;
        }
    });
    for number in [0, 1] {
        change(&|statement| {
            if let Await { until, .. } = statement
                && let Until::Load { value, .. }
                | Until::Exchange { value }
                | Until::CompareExchange { new: value, .. } = until
                && *value > Value::Constant(number)
            {
                *value = Value::Constant(number);
            }
        });
    }
    change(&|statement| match statement {
        FetchAdd { into, at, order, .. } if *order == Order::SeqCst => {
            *statement = Load { into: *into, at: *at, order: Order::SeqCst };
        }
        Exchange { at, value, order, .. } if *order == Order::SeqCst => {
            *statement = Store { at: *at, value: *value, order: Order::SeqCst };
        }
        CompareExchange { into, at, order, .. } if *order == Order::SeqCst => {
            *statement = Load { into: *into, at: *at, order: Order::SeqCst };
        }
        Await { into, at, until, order } if *order == Order::SeqCst => {
            *statement = until.last_round(*into, *at, *order);
        }
        TryLock { mutex, .. } => *statement = Lock { mutex: *mutex },
        Broadcast { condition } => *statement = Signal { condition: *condition },
        _ => {}
    });
    list
}

/// Drops locations and the like that no statement names.
fn without_unused(program: &Program) -> Program {
    use Statement::*;
    let threads = 0..program.threads.len();
    let all: Vec<&Statement> = threads.flat_map(|thread| program.statements(thread)).collect();
    let mut smaller = program.clone();
    let is_used = |location: usize| all.iter().any(|statement| statement.locations().contains(&location));
    // Names stay what they are, so only the last ones can go.
    while smaller.locations.len().checked_sub(1).is_some_and(|last| !is_used(last)) {
        smaller.locations.pop();
    }
    let count = |number: &dyn Fn(&Statement) -> Option<usize>| {
        all.iter().filter_map(|statement| number(statement)).max().map_or(0, |last| last + 1)
    };
    smaller.mutexes = count(&|statement| match statement {
        Lock { mutex } | Unlock { mutex } | TryLock { mutex, .. } | Wait { mutex, .. } => Some(*mutex),
        _ => None,
    });
    smaller.conditions = count(&|statement| match statement {
        Wait { condition, .. } | Signal { condition } | Broadcast { condition } => Some(*condition),
        _ => None,
    });
    smaller.semaphores = count(&|statement| match statement {
        Post { semaphore } | Down { semaphore } => Some(*semaphore),
        _ => None,
    });
    smaller.registers = count(&|statement| statement.targets().chain(statement.registers_read()).max());
    smaller
}
