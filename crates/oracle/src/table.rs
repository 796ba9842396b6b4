//! Programs as tables for people: one column per thread.

use crate::program::{Order, Program, Statement, Until, Value};

/// The program, a column per thread.
pub fn table(program: &Program) -> String {
    let mut columns: Vec<Vec<String>> = Vec::new();
    for (thread, body) in program.threads.iter().enumerate() {
        let mut column = vec![if thread == 0 { "main".to_owned() } else { format!("thread {thread}") }];
        lines(body, 0, &mut column);
        columns.push(column);
    }
    let initial: Vec<String> = program
        .locations
        .iter()
        .enumerate()
        .map(|(index, value)| format!("{} = {value}", Program::location(index)))
        .collect();
    let width = |column: &Vec<String>| column.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = initial.join(", ") + "\n";
    for row in 0..height {
        let cell = |(column, width): (&Vec<String>, &usize)| {
            format!("{:<width$}", column.get(row).map_or("", String::as_str))
        };
        let cells: Vec<String> = columns.iter().zip(&widths).map(cell).collect();
        text.push_str(cells.join(" | ").trim_end());
        text.push('\n');
    }
    text
}

fn lines(body: &[Statement], depth: usize, into: &mut Vec<String>) {
    for statement in body {
        into.push("  ".repeat(depth) + &line(statement));
        if let Some(body) = statement.body() {
            lines(body, depth + 1, into);
        }
        if let Statement::Loop { register, test, value: with, .. } = statement {
            into.push("  ".repeat(depth) + &format!("until r{register} {} {}", test.sign(), value(*with)));
        }
    }
}

/// A value, as in C.
pub fn value(value: Value) -> String {
    match value {
        Value::Constant(number) => number.to_string(),
        Value::Sum(register, 0) => format!("r{register}"),
        Value::Sum(register, number) => format!("r{register} + {number}"),
    }
}

fn order(order: Order) -> &'static str {
    match order {
        Order::Plain => " plain",
        Order::Relaxed => " rlx",
        Order::Acquire => " acq",
        Order::Release => " rel",
        Order::AcqRel => " acq_rel",
        Order::SeqCst => "",
    }
}

fn line(statement: &Statement) -> String {
    use Statement::*;
    let index = match statement {
        Indexed { register, count, .. } => format!("[r{register} % {count}]"),
        _ => String::new(),
    };
    let name = |at: &usize| Program::location(*at) + &index;
    match statement.access() {
        Load { into, at, order: o } => format!("r{into} = {}{}", name(at), order(*o)),
        Store { at, value: v, order: o } => format!("{} = {}{}", name(at), value(*v), order(*o)),
        FetchAdd { into, at, add, order: o } => format!("r{into} = {} += {add}{}", name(at), order(*o)),
        Exchange { into, at, value: v, order: o } => {
            format!("r{into} = swap {} {}{}", name(at), value(*v), order(*o))
        }
        CompareExchange { into, at, expected, new, order: o, succeeded } => {
            let into = succeeded.map_or(format!("r{into}"), |succeeded| format!("r{into}, r{succeeded}"));
            let (name, o) = (name(at), order(*o));
            format!("{into} = cas {name} {} -> {}{o}", value(*expected), value(*new))
        }
        Fence { order: o } => format!("fence{}", order(*o)),
        Lock { mutex } => format!("lock m{mutex}"),
        Unlock { mutex } => format!("unlock m{mutex}"),
        TryLock { into, mutex } => format!("r{into} = trylock m{mutex}"),
        Wait { condition, mutex } => format!("wait c{condition} m{mutex}"),
        Signal { condition } => format!("signal c{condition}"),
        Broadcast { condition } => format!("broadcast c{condition}"),
        Post { semaphore } => format!("post s{semaphore}"),
        Down { semaphore } => format!("down s{semaphore}"),
        Spawn { thread } => format!("spawn {thread}"),
        Join { thread } => format!("join {thread}"),
        Assign { into, value: v } => format!("r{into} := {}", value(*v)),
        Choose { into, options } => format!("r{into} = choose {options}"),
        If { register, test, constant, .. } => {
            format!("if r{register} {} {constant}", test.sign())
        }
        Loop { rounds, .. } => format!("do ({rounds} times)"),
        // Nothing in brackets is in brackets.
        Indexed { access, .. } => line(access),
        Await { into, at, until, order: o } => {
            let (name, o) = (name(at), order(*o));
            match *until {
                Until::Load { test, value: v } => {
                    format!("r{into} = await {name} {} {}{o}", test.sign(), value(v))
                }
                Until::Exchange { value: v } => format!("r{into} = await swap {name} {}{o}", value(v)),
                Until::CompareExchange { expected, new } => {
                    format!("r{into} = await cas {name} {expected} -> {}{o}", value(new))
                }
            }
        }
    }
}
