//! Programs with loops, and normal forms of their executions.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs;
use selvedge_oracle::{
    Definition, Knobs, Model, NormalForms, Order, Program, Random, ReleaseSequences, Statement, Test, Value,
    generate, normal_forms, settled_forms, table,
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
    assert_eq!(forms.all.outcomes, forms.forms.outcomes, "{}", text());
    assert_eq!(forms.all.deadlocks, forms.forms.deadlocks, "{}", text());
    assert_eq!(forms.all.races, forms.forms.races, "{}", text());
    eprintln!(
        "{definition:?}: {rounds} rounds, {} executions, {} forms",
        forms.all.executions, forms.forms.executions
    );
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

/// What is found is found in normal forms, in whatever order fruitless parts are taken away.
#[test]
fn attack() {
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let cases = std::env::var("CASES").map_or(60, |seed| seed.parse().expect("a number"));
    let (mut settled, mut reduced, mut ambiguous) = ([0; 7], [0; 7], [0; 7]);
    for case in 0..cases {
        let program = random_program(seed, case, true);
        assert_eq!(program.validate(), Ok(()), "{}", table(&program));
        for (number, definition) in DEFINITIONS.into_iter().enumerate() {
            for rounds in 1..4 {
                let program = program.with_rounds(rounds);
                let Some(forms) =
                    normal_forms(&program, definition, ReleaseSequences::C20, 4_000).expect("valid")
                else {
                    break;
                };
                settled[number] += forms.forms.executions;
                ambiguous[number] += u64::from(forms.ambiguous > 0);
                reduced[number] += u64::from(forms.all.executions > forms.forms.executions);
                let wrong = [
                    ("outcome", forms.all.outcomes != forms.forms.outcomes),
                    ("stuck", forms.all.deadlocks != forms.forms.deadlocks),
                    ("race", forms.all.races != forms.forms.races),
                    ("fault", forms.all.faults != forms.forms.faults),
                ];
                let wrong: Vec<&str> =
                    wrong.into_iter().filter(|(_, is)| *is).map(|(what, _)| what).collect();
                if !wrong.is_empty() {
                    println!(
                        "WRONG {wrong:?} {definition:?} case {case} rounds {rounds} ambiguous {}\n{}",
                        forms.ambiguous,
                        table(&program)
                    );
                    break;
                }
            }
        }
    }
    println!("{settled:?} {reduced:?} {ambiguous:?}");
}

#[test]
fn smallest() {
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let cases = std::env::var("CASES").map_or(60, |seed| seed.parse().expect("a number"));
    let mut shown = 0;
    for case in 0..cases {
        let program = random_program(seed, case, false);
        for definition in [SC, RC11] {
            let wrong = |program: &Program| {
                normal_forms(program, definition, ReleaseSequences::C20, 4_000)
                    .ok()
                    .flatten()
                    .is_some_and(|forms| forms.ambiguous > 0)
            };
            let program = program.with_rounds(3);
            if wrong(&program) && shown < 12 {
                shown += 1;
                println!("{definition:?} {case}\n{}", table(&selvedge_oracle::shrink(&program, wrong)));
            }
        }
    }
}
