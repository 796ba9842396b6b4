//! Programs in which threads wait for values in loops.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs::{self, enumerate};
use selvedge_oracle::{
    Epilogue, Invalid, Knobs, Model, Order, Program, Random, Results, Statement, Test, Until, Value,
    generate, interleavings, print_c, shrink, summarise, table,
};
use std::collections::BTreeSet;

const SEQ: Order = Order::SeqCst;

fn store(at: usize, value: Value) -> Statement {
    Statement::Store { at, value, order: SEQ }
}

fn constant(number: u32) -> Value {
    Value::Constant(number)
}

fn until_is(into: usize, at: usize, value: Value) -> Statement {
    Statement::Await { into, at, until: Until::Load { test: Test::Equal, value }, order: SEQ }
}

/// Main starts these threads, then joins them.
fn program(workers: Vec<Vec<Statement>>) -> Program {
    let threads = 1..=workers.len();
    let spawns = threads.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(threads.map(|thread| Statement::Join { thread })).collect();
    Program {
        locations: vec![0; 2],
        registers: 2,
        threads: [vec![main], workers].concat(),
        ..Program::default()
    }
}

fn run(program: &Program, model: Model) -> Results {
    interleavings(program, model, 1_000_000).expect("valid").expect("few executions")
}

fn count_graphs(program: &Program, model: graphs::Model) -> [usize; 2] {
    let results = enumerate(program, model, 100_000).expect("valid").expect("few graphs");
    [results.complete.len(), results.blocked.len()]
}

/// As many classes and graphs as there are orders in which the threads can take the lock.
#[test]
fn locks_are_taken_in_all_orders() {
    let add = Statement::FetchAdd { into: 0, at: 0, add: 1, order: SEQ };
    let ticket = vec![add, until_is(1, 1, Value::Sum(0, 0)), store(1, Value::Sum(0, 1))];
    let test_and_set =
        |until| vec![Statement::Await { into: 0, at: 0, until, order: SEQ }, store(0, constant(0))];
    let exchange = test_and_set(Until::Exchange { value: constant(1) });
    let compare = test_and_set(Until::CompareExchange { expected: 0, new: constant(1) });
    for lock in [ticket, exchange, compare] {
        let program = program(vec![lock; 3]);
        for model in Model::ALL {
            let results = run(&program, model);
            assert!(results.deadlocks.is_empty());
            assert_eq!(results.classes.len(), 6, "{} {}", model.name(), table(&program));
        }
        for model in graphs::Model::ALL {
            assert_eq!(count_graphs(&program, model), [6, 0], "{} {}", model.name(), table(&program));
        }
    }
}

#[test]
fn a_barrier_is_passed_in_the_order_of_the_arrivals() {
    let arrive = Statement::FetchAdd { into: 0, at: 0, add: 1, order: SEQ };
    let program = program(vec![vec![arrive, until_is(1, 0, constant(2))]; 2]);
    let results = run(&program, Model::Sc);
    assert_eq!((results.classes.len(), results.outcomes.len()), (2, 2));
    assert!(results.deadlocks.is_empty());
    assert_eq!(count_graphs(&program, graphs::Model::Rc11), [2, 0]);
}

/// Who waits for a value that comes and goes may miss it; and reads nothing else.
#[test]
fn a_value_that_goes_may_be_missed() {
    let comes_and_goes = vec![store(0, constant(1)), store(0, constant(2))];
    let program = program(vec![comes_and_goes, vec![until_is(0, 0, constant(1))]]);
    let stuck = vec![(0, 3), (2, 0)];
    for model in Model::ALL {
        let results = run(&program, model);
        assert_eq!((results.classes.len(), results.outcomes.len()), (2, 1), "{}", model.name());
        assert_eq!(results.deadlocks, BTreeSet::from([stuck.clone()]));
    }
    for model in graphs::Model::ALL {
        assert_eq!(count_graphs(&program, model), [1, 1], "{}", model.name());
    }
    assert_eq!(program.awaits().into_iter().collect::<Vec<_>>(), [(2, 0)]);
}

#[test]
fn who_waits_in_vain_is_stuck() {
    let program = program(vec![
        vec![until_is(0, 0, constant(1)), store(1, constant(1))],
        vec![until_is(0, 1, constant(1)), store(0, constant(1))],
    ]);
    let results = run(&program, Model::Sc);
    assert!(results.outcomes.is_empty());
    assert_eq!(results.deadlocks.into_iter().collect::<Vec<_>>(), [[(0, 2), (1, 0), (2, 0)]]);
    assert_eq!(count_graphs(&program, graphs::Model::Rc11), [0, 1]);
}

/// With a store buffer the thread reads its own store early, and the update waits for the buffer.
#[test]
fn what_is_awaited_may_be_in_the_own_buffer() {
    let relaxed = Statement::Store { at: 0, value: constant(1), order: Order::Relaxed };
    let load = Statement::Load { into: 1, at: 1, order: SEQ };
    let own = |at| {
        vec![
            Statement::Store { at, value: constant(1), order: Order::Relaxed },
            until_is(0, at, constant(1)),
            Statement::Load { into: 1, at: 1 - at, order: SEQ },
        ]
    };
    let early = program(vec![own(0), own(1)]);
    let both_zero = |model| {
        let is_zero = |(_, register, value): &(usize, usize, u32)| *register != 1 || *value == 0;
        run(&early, model).outcomes.iter().any(|outcome| outcome.registers.iter().all(is_zero))
    };
    assert_eq!(Model::ALL.map(both_zero), [false, true, true]);
    let update =
        Statement::Await { into: 0, at: 0, until: Until::Exchange { value: constant(2) }, order: SEQ };
    let waits = program(vec![vec![relaxed, update, load], vec![store(1, constant(1))]]);
    assert!(run(&waits, Model::Tso).deadlocks.is_empty());
}

#[test]
fn awaits_that_change_something_are_refused() {
    let program = program(vec![vec![until_is(0, 0, Value::Sum(0, 1))]]);
    assert_eq!(program.validate(), Err(Invalid::Await));
    let plain = |until| Statement::Await { into: 0, at: 0, until, order: Order::Plain };
    let mut wrong = program;
    wrong.threads[1] = vec![plain(Until::Exchange { value: constant(1) })];
    assert_eq!(wrong.validate(), Err(Invalid::Order));
}

fn make(case: u64) -> Program {
    let random = &mut Random::for_case(77, case);
    let knobs = match case % 3 {
        0 => Knobs::random(random),
        1 => Knobs::random_buffered(random),
        _ => Knobs::random_c11(random),
    };
    generate(&knobs.with_awaits(random), random)
}

/// Random programs: they are valid, most of them end, what is found with less work is the same, and steps and graphs agree.
#[test]
fn random_programs_are_followed_alike() {
    let (mut ending, mut stuck, mut compared) = (0, 0, 0);
    for case in 0..150 {
        let program = make(case);
        assert_eq!(program.validate(), Ok(()), "{case}");
        for model in Model::ALL {
            let Some(results) = interleavings(&program, model, 300).expect("valid") else { continue };
            let summary = summarise(&program, model, 100_000, None).expect("valid").expect("few points");
            assert!(summary.agrees_with(&results), "{case} {} {}", model.name(), table(&program));
            ending += u32::from(!results.outcomes.is_empty());
            stuck += u32::from(!results.deadlocks.is_empty());
            let model = match model {
                Model::Sc => graphs::Model::Sc,
                Model::Tso => graphs::Model::Tso,
                Model::Pso => continue,
            };
            let Some(graphs) = enumerate(&program, model, 2_000).expect("valid") else { continue };
            let text = || format!("{case} {} {}", model.name(), table(&program));
            assert_eq!(
                (&graphs.outcomes, &graphs.deadlocks),
                (&results.outcomes, &results.deadlocks),
                "{}",
                text()
            );
            if program.semaphores == 0 && results.faults.is_empty() {
                assert_eq!(graphs.graphs(), results.classes.len(), "{}", text());
            }
            compared += 1;
        }
        let all = graphs::summarise(&program, &graphs::Model::ALL, 2_000).expect("valid");
        for (model, summary) in graphs::Model::ALL.into_iter().zip(all.into_iter().flatten()) {
            let Some(plain) = enumerate(&program, model, 2_000).expect("valid") else { continue };
            assert_eq!(
                summary.executions,
                plain.graphs() as u64,
                "{case} {} {}",
                model.name(),
                table(&program)
            );
            assert_eq!(summary.deadlocks, plain.deadlocks, "{case} {} {}", model.name(), table(&program));
        }
    }
    assert!(ending > 100 && stuck > 30 && compared > 50, "{ending} {stuck} {compared}");
}

#[test]
fn awaits_are_printed_and_made_simpler() {
    let exchange =
        Statement::Await { into: 0, at: 0, until: Until::Exchange { value: constant(1) }, order: SEQ };
    let forms =
        vec![until_is(1, 0, Value::Sum(0, 0)), until_is(0, 0, constant(1)), exchange.clone(), exchange];
    let program = program(vec![forms.clone(), forms]);
    let printed = print_c(&program, &Epilogue::Print, &[]);
    let lines = [
        "#include <sched.h>",
        "static int get_1_0(int r0) { int r1; r1 = atomic_load_explicit(&x, memory_order_seq_cst); return r1; }",
        "static int get_1_3(void) { int r0; r0 = atomic_exchange_explicit(&x, 1, memory_order_seq_cst); return r0; }",
        "    do { r1 = get_1_0(r0); } while (r1 != r0);",
        "    for (;;) { r0 = atomic_load_explicit(&x, memory_order_seq_cst); if (!(r0 != 1)) break; sched_yield(); }",
        "    do { r0 = atomic_exchange_explicit(&x, 1, memory_order_seq_cst); } while (r0 == 1);",
        "    do { r0 = get_1_3(); } while (r0 == 1);",
    ];
    for line in lines {
        assert!(printed.text.lines().any(|other| other == line), "{line}\n{}", printed.text);
    }
    // The place of a loop is where its access is.
    let line = printed.text.lines().nth(printed.lines[&(1, 0)] - 1);
    assert_eq!(line, Some(lines[1]));
    assert_eq!(printed.lines.len(), 4 + 8);
    let has_await = |candidate: &Program| !candidate.awaits().is_empty();
    let small = shrink(&program, has_await);
    assert_eq!(small.awaits().len(), 1);
    assert_eq!(small.threads.iter().map(Vec::len).sum::<usize>(), 3, "{}", table(&small));
}
