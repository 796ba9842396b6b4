//! Programs with loops, and normal forms of their executions.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs;
use selvedge_oracle::{
    Definition, Epilogue, Invalid, Knobs, Model, NormalForms, Order, Outcome, Program, Random,
    ReleaseSequences, Statement, Test, Until, Value, generate, interleavings, normal_forms, print_c,
    settled_forms, shrink, summarise, table,
};

const RLX: Order = Order::Relaxed;
const ACQ: Order = Order::Acquire;
const REL: Order = Order::Release;
const BOTH: Order = Order::AcqRel;

const SC: Definition = Definition::Steps(Model::Sc);
const RC11: Definition = Definition::Graphs(graphs::Model::Rc11);
const DEFINITIONS: [Definition; 7] = [
    SC,
    Definition::Steps(Model::Tso),
    Definition::Steps(Model::Pso),
    Definition::Graphs(graphs::Model::Sc),
    Definition::Graphs(graphs::Model::Tso),
    Definition::Graphs(graphs::Model::ReleaseAcquire),
    RC11,
];

fn constant(number: u32) -> Value {
    Value::Constant(number)
}

fn load(into: usize, at: usize) -> Statement {
    Statement::Load { into, at, order: ACQ }
}

fn store(at: usize, value: Value) -> Statement {
    Statement::Store { at, value, order: REL }
}

fn until(register: usize, test: Test, value: Value, body: Vec<Statement>) -> Statement {
    Statement::Loop { body, register, test, value, rounds: 1 }
}

/// Reads a location until it has a value.
fn wait(into: usize, at: usize, value: Value) -> Statement {
    until(into, Test::Equal, value, vec![load(into, at)])
}

/// The same body, so many times.
fn times(count: usize, body: Vec<Statement>) -> Vec<Statement> {
    vec![body; count].concat()
}

/// Main starts these threads, then joins them.
fn program(locations: usize, registers: usize, workers: Vec<Vec<Statement>>) -> Program {
    let threads = 1..=workers.len();
    let spawns = threads.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(threads.map(|thread| Statement::Join { thread })).collect();
    Program {
        locations: vec![0; locations],
        registers,
        threads: [vec![main], workers].concat(),
        ..Program::default()
    }
}

/// The normal forms; nothing of what is found may be missing in them.
fn forms(program: &Program, definition: Definition) -> NormalForms {
    let found = settled_forms(program, definition, ReleaseSequences::C20, (3_000_000, 8)).expect("valid");
    let (forms, rounds) = found.expect("few executions");
    let text = || format!("{definition:?} {rounds} {}", table(program));
    assert_eq!(forms.ambiguous, 0, "{}", text());
    assert_nothing_is_lost(&forms, &text);
    forms
}

fn assert_counts(program: &Program, definitions: &[Definition], expected: u64) {
    for definition in definitions {
        let forms = forms(program, *definition);
        assert_eq!(forms.forms.executions, expected, "{definition:?} {}", table(program));
        assert!(forms.all.deadlocks.is_empty());
    }
}

fn ticket_lock(threads: usize, rounds: usize) -> Program {
    let take = Statement::FetchAdd { into: 0, at: 0, add: 1, order: RLX };
    let lock = vec![take, wait(1, 1, Value::Sum(0, 0)), store(1, Value::Sum(0, 1))];
    program(2, 2, vec![times(rounds, lock); threads])
}

fn test_and_set(threads: usize, rounds: usize) -> Program {
    let exchange = Statement::Exchange { into: 0, at: 0, value: constant(1), order: ACQ };
    let lock = vec![until(0, Test::Equal, constant(0), vec![exchange]), store(0, constant(0))];
    program(1, 1, vec![times(rounds, lock); threads])
}

fn increment() -> Vec<Statement> {
    let exchange = Statement::CompareExchange {
        into: 0,
        at: 0,
        expected: Value::Sum(0, 0),
        new: Value::Sum(0, 1),
        order: BOTH,
        succeeded: Some(1),
    };
    vec![load(0, 0), until(1, Test::Equal, constant(1), vec![exchange])]
}

#[test]
fn ticket_locks() {
    assert_counts(&ticket_lock(2, 1), &DEFINITIONS, 2);
    assert_counts(&ticket_lock(3, 1), &[SC, RC11], 6);
    assert_counts(&ticket_lock(2, 2), &[SC, RC11], 6);
}

#[test]
fn locks_by_test_and_set() {
    assert_counts(&test_and_set(2, 1), &DEFINITIONS, 2);
    assert_counts(&test_and_set(3, 1), &[SC, RC11], 6);
    assert_counts(&test_and_set(2, 2), &[SC, RC11], 6);
}

#[test]
fn increments_by_compare_exchange() {
    assert_counts(&program(1, 2, vec![increment(); 2]), &DEFINITIONS, 2);
    assert_counts(&program(1, 2, vec![increment(); 3]), &[SC, RC11], 6);
}

/// Who comes last to a barrier of a count and a generation lets the others go on; each crosses it twice.
#[test]
fn barriers() {
    let last = |test, body| Statement::If { register: 1, test, constant: 1, body };
    let cross = vec![
        load(0, 1),
        Statement::FetchAdd { into: 1, at: 0, add: 1, order: BOTH },
        last(Test::Equal, vec![store(0, constant(0)), store(1, Value::Sum(0, 1))]),
        last(Test::NotEqual, vec![until(2, Test::NotEqual, Value::Sum(0, 0), vec![load(2, 1)])]),
    ];
    assert_counts(&program(2, 3, vec![times(2, cross); 2]), &[SC, RC11], 4);
}

/// A ring of two slots: one thread puts items in, the other takes them out.
#[test]
fn rings() {
    let items = 3;
    let (head, tail, slots) = (0, 1, 2);
    let slot = |register, access| Statement::Indexed { register, count: 2, access: Box::new(access) };
    let (mut put, mut take) = (Vec::new(), Vec::new());
    for item in 0..items {
        let index = Statement::Assign { into: 0, value: constant(item) };
        // There is room unless all slots are full.
        let full = if item < 2 { 99 } else { item - 2 };
        put.extend([
            index.clone(),
            until(1, Test::NotEqual, constant(full), vec![load(1, head)]),
            slot(0, Statement::Store { at: slots, value: constant(item + 1), order: Order::Plain }),
            store(tail, constant(item + 1)),
        ]);
        take.extend([
            index,
            until(1, Test::NotEqual, constant(item), vec![load(1, tail)]),
            slot(0, Statement::Load { into: 2, at: slots, order: Order::Plain }),
            store(head, constant(item + 1)),
        ]);
    }
    assert_counts(&program(4, 3, vec![put, take]), &[SC, RC11], 9);
}

fn when(register: usize, constant: u32, body: Vec<Statement>) -> Statement {
    Statement::If { register, test: Test::Equal, constant, body }
}

/// Whether a register of a thread can have a value in the end, by normal forms under all models.
fn assert_possible(program: &Program, register: (usize, usize, u32)) {
    for definition in DEFINITIONS {
        let forms = forms(program, definition).forms;
        let is_there = |outcome: &Outcome| outcome.registers.contains(&register);
        assert!(forms.outcomes.iter().any(is_there), "{definition:?} {}", table(program));
    }
}

/// A round that somebody has observed, by a trylock that failed.
#[test]
fn a_round_that_is_observed_stays() {
    let (lock, unlock) = (Statement::Lock { mutex: 0 }, Statement::Unlock { mutex: 0 });
    let round = vec![lock, load(0, 0), unlock.clone()];
    let polling = vec![until(0, Test::Equal, constant(1), round)];
    let trying =
        vec![Statement::TryLock { into: 0, mutex: 0 }, when(0, 0, vec![unlock]), store(0, constant(1))];
    let program = Program { mutexes: 1, ..program(1, 1, vec![polling, trying]) };
    assert_possible(&program, (2, 0, 1));
}

/// A round in which a mutex is given back and taken again, so that another thread can go on.
#[test]
fn a_round_that_lets_others_in_stays() {
    let (lock, unlock) = (Statement::Lock { mutex: 0 }, Statement::Unlock { mutex: 0 });
    let round = vec![unlock.clone(), lock.clone(), load(0, 1)];
    let waiting = vec![
        lock.clone(),
        store(0, constant(1)),
        load(0, 1),
        when(0, 0, vec![until(0, Test::Equal, constant(1), round)]),
        unlock.clone(),
    ];
    let other = vec![lock, load(0, 0), when(0, 1, vec![store(1, constant(1))]), unlock];
    let program = Program { mutexes: 1, ..program(2, 1, vec![waiting, other]) };
    assert_possible(&program, (1, 0, 1));
}

/// An effect between the first load and the retry: the value that is replaced depends on it.
#[test]
fn an_effect_before_the_retry_stays() {
    let mut retry = increment();
    retry.insert(1, store(1, constant(1)));
    let other = vec![load(0, 1), when(0, 1, vec![store(0, constant(5))])];
    assert_possible(&program(2, 2, vec![retry, other]), (1, 0, 5));
}

/// The race is in the round after the one that has failed: the failed exchange does not acquire, as the first load does.
#[test]
fn a_retry_that_does_not_acquire_races() {
    let exchange = Statement::CompareExchange {
        into: 0,
        at: 0,
        expected: Value::Sum(0, 0),
        new: Value::Sum(2, 0),
        order: REL,
        succeeded: Some(1),
    };
    let plain = Order::Plain;
    let next = Statement::Load { into: 2, at: 1, order: plain };
    let next = Statement::Indexed { register: 0, count: 2, access: Box::new(next) };
    let pop = vec![load(0, 0), until(1, Test::Equal, constant(1), vec![next, exchange])];
    let push = vec![Statement::Store { at: 2, value: constant(7), order: plain }, store(0, constant(1))];
    let program = program(3, 3, vec![pop, push]);
    for definition in DEFINITIONS {
        let races = forms(&program, definition).forms.races;
        assert_eq!(races.into_iter().collect::<Vec<_>>(), [((1, 2), (2, 0))], "{definition:?}");
    }
}

/// Two rounds that lead nowhere and race with each other.
#[test]
fn rounds_that_race_stay() {
    let plain = Order::Plain;
    let round = |flag, access: Statement| {
        vec![load(0, flag), when(0, 0, vec![until(0, Test::Equal, constant(1), vec![access, load(0, flag)])])]
    };
    let write = round(1, Statement::Store { at: 0, value: constant(0), order: plain });
    let read = round(2, Statement::Load { into: 1, at: 0, order: plain });
    let program = program(3, 2, vec![write, read, vec![store(1, constant(1)), store(2, constant(1))]]);
    for definition in [SC, RC11] {
        let found = normal_forms(&program, definition, ReleaseSequences::C20, 200_000).expect("valid");
        let found = found.expect("few executions");
        assert_nothing_is_lost(&found, &|| format!("{definition:?}"));
        assert!(found.forms.races.contains(&((1, 3), (2, 3))), "{:?}", found.forms.races);
    }
}

fn random_program(seed: u64, case: u64, effects: bool) -> Program {
    let random = &mut Random::for_case(seed, case);
    let knobs = match case % 3 {
        0 => Knobs::random(random),
        1 => Knobs::random_buffered(random),
        _ => Knobs::random_c11(random),
    };
    let knobs = Knobs { effects, ..knobs.with_loops(random) };
    generate(&knobs, random)
}

/// What is found is found in normal forms.
#[test]
fn nothing_is_lost() {
    let number = |name: &str, default| {
        std::env::var(name).map_or(default, |value| value.parse::<u64>().expect("a number"))
    };
    let (mut all, mut forms, mut ambiguous) = ([0; 7], [0; 7], [0; 7]);
    for case in 0..number("LOOPS_CASES", 60) {
        let program = random_program(number("LOOPS_SEED", 1), case, true);
        assert_eq!(program.validate(), Ok(()), "{}", table(&program));
        for (at, definition) in DEFINITIONS.into_iter().enumerate() {
            for rounds in 1..4 {
                let program = program.with_rounds(rounds);
                let found = normal_forms(&program, definition, ReleaseSequences::C20, 4_000).expect("valid");
                let Some(found) = found else { break };
                let text = || format!("{definition:?} {case} {}", table(&program));
                assert_nothing_is_lost(&found, &text);
                all[at] += found.all.executions;
                forms[at] += found.forms.executions;
                ambiguous[at] += u64::from(found.ambiguous > 0);
            }
        }
    }
    println!("executions {all:?} normal forms {forms:?} ambiguous programs {ambiguous:?}");
    assert!(all.iter().zip(forms).all(|(all, forms)| 2 * all > 3 * forms), "{all:?} {forms:?}");
}

fn assert_nothing_is_lost(found: &NormalForms, text: &dyn Fn() -> String) {
    let NormalForms { all, forms, .. } = found;
    assert_eq!(all.outcomes, forms.outcomes, "{}", text());
    assert_eq!(all.deadlocks, forms.deadlocks, "{}", text());
    assert_eq!(all.faults, forms.faults, "{}", text());
    assert_eq!(all.races, forms.races, "{}", text());
}

/// Loops in which a thread waits for a value, with bodies.
fn with_bodies(program: &Program) -> Program {
    let mut changed = program.clone();
    for body in &mut changed.threads {
        for statement in body {
            let Statement::Await { into, at, until, order } = *statement else { continue };
            let (test, value) = match until {
                Until::Load { test, value } => (test, value),
                Until::Exchange { value } => (Test::NotEqual, value),
                Until::CompareExchange { expected, .. } => (Test::Equal, constant(expected)),
            };
            let body = vec![until.last_round(into, at, order)];
            *statement = Statement::Loop { body, register: into, test, value, rounds: 1 };
        }
    }
    changed
}

/// A loop of one access is the same as waiting for the value, where rounds that lead nowhere are no part of executions from the beginning.
#[test]
fn normal_forms_of_loops_that_wait_are_as_many_as_executions_that_wait() {
    let (mut compared, mut stuck) = (0, 0);
    for case in 0..number_of_cases() {
        let random = &mut Random::for_case(3, case);
        let knobs = match case % 3 {
            0 => Knobs::random(random),
            1 => Knobs::random_buffered(random),
            _ => Knobs::random_c11(random),
        };
        let program = generate(&knobs.with_awaits(random), random);
        let loops = with_bodies(&program);
        for definition in DEFINITIONS {
            let waiting = match definition {
                Definition::Steps(model) => summarise(&program, model, 1_000, None).expect("valid"),
                Definition::Graphs(model) => {
                    graphs::summarise(&program, &[model], 1_000).expect("valid").map(|mut all| all.remove(0))
                }
            };
            let Some(waiting) = waiting.filter(|waiting| waiting.faults.is_empty()) else { continue };
            let found = settled_forms(&loops, definition, ReleaseSequences::C20, (20_000, 5)).expect("valid");
            let Some((found, _)) = found else { continue };
            let text = || format!("{definition:?} {case} {}", table(&loops));
            assert_eq!(found.forms.classes.len(), waiting.classes.len(), "{}", text());
            assert_eq!(found.all.outcomes, waiting.outcomes, "{}", text());
            assert_eq!(found.all.deadlocks.len(), waiting.deadlocks.len(), "{}", text());
            assert_nothing_is_lost(&found, &text);
            compared += 1;
            stuck += u32::from(!waiting.deadlocks.is_empty());
        }
    }
    assert!(compared > 200 && stuck > 50, "{compared} {stuck}");
}

fn number_of_cases() -> u64 {
    std::env::var("LOOPS_CASES").map_or(80, |value| value.parse().expect("a number"))
}

/// What is found with less work is the same.
#[test]
fn loops_are_followed_alike() {
    let mut compared = 0;
    for case in 0..80 {
        let program = random_program(5, case, true);
        for model in Model::ALL {
            let Some(results) = interleavings(&program, model, 300).expect("valid") else { continue };
            let summary = summarise(&program, model, 100_000, None).expect("valid").expect("few points");
            assert!(summary.agrees_with(&results), "{case} {} {}", model.name(), table(&program));
            compared += 1;
        }
        let all = graphs::summarise(&program, &graphs::Model::ALL, 1_000).expect("valid");
        for (model, summary) in graphs::Model::ALL.into_iter().zip(all.into_iter().flatten()) {
            let Some(plain) = graphs::enumerate(&program, model, 1_000).expect("valid") else { continue };
            let text = || format!("{case} {} {}", model.name(), table(&program));
            assert_eq!(summary.executions, plain.graphs() as u64, "{}", text());
            assert_eq!(
                (&summary.outcomes, &summary.deadlocks),
                (&plain.outcomes, &plain.deadlocks),
                "{}",
                text()
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn loops_are_printed_and_made_simpler() {
    let mut body = increment();
    let at = Statement::Indexed { register: 0, count: 2, access: Box::new(load(2, 1)) };
    body.push(at);
    let program = program(3, 3, vec![body]);
    let printed = print_c(&program, &Epilogue::Print, &[]);
    let lines = [
        "static atomic_int array_y[2] = { 0, 0 };",
        "#define z array_y[1]",
        "    do {",
        "        r1 = atomic_compare_exchange_strong_explicit(&x, &r0, r0 + 1, memory_order_acq_rel, memory_order_acquire);",
        "    } while (!(r1 == 1));",
        "    r2 = atomic_load_explicit(&array_y[r0 % 2], memory_order_acquire);",
    ];
    for line in lines {
        assert!(printed.text.lines().any(|other| other == line), "{line}\n{}", printed.text);
    }
    let small = shrink(&program, |candidate| !candidate.loops().is_empty());
    assert_eq!(small.threads.iter().map(Vec::len).sum::<usize>(), 3, "{}", table(&small));
    assert_eq!((small.locations.len(), small.statements(1).len()), (1, 2), "{}", table(&small));
}

#[test]
fn what_is_no_loop_is_refused() {
    let valid = |statement| program(2, 1, vec![vec![statement]]).validate();
    let round = |body| until(0, Test::Equal, constant(1), body);
    assert_eq!(valid(round(vec![load(0, 0)])), Ok(()));
    assert_eq!(valid(round(vec![])), Err(Invalid::Loop));
    let index = |count, access| Statement::Indexed { register: 0, count, access: Box::new(access) };
    assert_eq!(valid(index(2, load(0, 0))), Ok(()));
    assert_eq!(valid(index(3, load(0, 0))), Err(Invalid::Name));
    assert_eq!(valid(index(2, index(2, load(0, 0)))), Err(Invalid::Loop));
    assert_eq!(valid(index(1, Statement::Fence { order: ACQ })), Err(Invalid::Loop));
    let never = program(1, 1, vec![vec![round(vec![load(0, 0)])]]).with_rounds(0);
    assert_eq!(never.validate(), Err(Invalid::Loop));
}
