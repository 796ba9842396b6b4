//! The oracle against what is known of programs: counts from formulas, litmus tests, deadlocks, races.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::{
    Epilogue, Fault, Knobs, Model, Order, Program, Random, Results, Statement, Test, Value, generate,
    interleavings, interleavings_bounded, print_c, shrink, table,
};
use std::collections::BTreeSet;

const PLAIN: Order = Order::Plain;
const SEQ: Order = Order::SeqCst;

fn load(into: usize, at: usize, order: Order) -> Statement {
    Statement::Load { into, at, order }
}

fn store(at: usize, value: u32, order: Order) -> Statement {
    Statement::Store { at, value: Value::Constant(value), order }
}

fn lock(mutex: usize) -> Statement {
    Statement::Lock { mutex }
}

fn unlock(mutex: usize) -> Statement {
    Statement::Unlock { mutex }
}

/// Main starts these threads, then joins them.
fn program(workers: Vec<Vec<Statement>>) -> Program {
    let threads = 1..=workers.len();
    let spawns = threads.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(threads.map(|thread| Statement::Join { thread })).collect();
    Program {
        locations: vec![0; 8],
        mutexes: 2,
        conditions: 1,
        semaphores: 1,
        registers: 2,
        threads: [vec![main], workers].concat(),
    }
}

fn run(program: &Program) -> Results {
    interleavings(program, Model::Sc, 1_000_000).expect("valid").expect("few executions")
}

fn run_bounded(program: &Program, preemptions: u32) -> Results {
    let results = interleavings_bounded(program, Model::Sc, 1_000_000, preemptions);
    results.expect("valid").expect("few executions")
}

/// The pairs of values that two registers can have at the end.
fn pairs(results: &Results, one: (usize, usize), other: (usize, usize)) -> BTreeSet<(u32, u32)> {
    let value = |outcome: &selvedge_oracle::Outcome, (thread, register)| {
        let found = outcome.registers.iter().find(|(t, r, _)| (*t, *r) == (thread, register));
        found.expect("a register that is set").2
    };
    results.outcomes.iter().map(|outcome| (value(outcome, one), value(outcome, other))).collect()
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n + i - k) / i)
}

#[test]
fn store_buffering_is_sequentially_consistent() {
    let results =
        run(&program(vec![vec![store(0, 1, SEQ), load(0, 1, SEQ)], vec![store(1, 1, SEQ), load(0, 0, SEQ)]]));
    assert_eq!(pairs(&results, (1, 0), (2, 0)), BTreeSet::from([(0, 1), (1, 0), (1, 1)]));
    assert_eq!(results.executions, binomial(6, 3) - 1);
    assert_eq!((results.classes.len(), results.views.len()), (3, 3));
    assert!(results.deadlocks.is_empty() && results.races.is_empty() && results.faults.is_empty());
    let text = results.outcomes.first().expect("one").to_string();
    assert_eq!(text, "outcome x=1 y=1 z=0 w=0 v=0 u=0 a6=0 a7=0 t1.r0=0 t2.r0=1");
}

#[test]
fn executions_are_counted_by_binomials() {
    for (n, m) in [(0, 0), (0, 2), (1, 1), (2, 3), (4, 3), (5, 5)] {
        let threads = vec![vec![store(0, 1, SEQ); n], vec![load(0, 1, SEQ); m]];
        let (n, m) = (n as u64, m as u64);
        // Main has to be between: create two before m, join one after n.
        assert_eq!(run(&program(threads)).executions, binomial(n + m + 2, m + 1) - 1, "{n} {m}");
    }
}

/// Main and one thread take turns: the first switch away from main is a preemption unless main waits already,
/// each further one is, too.
#[test]
fn preemptions_are_counted() {
    for (main, other) in [(1, 1), (2, 2), (3, 2), (2, 4), (4, 4)] {
        let mut program = program(vec![vec![load(0, 0, SEQ); other]]);
        program.threads[0].splice(1..1, vec![store(0, 1, SEQ); main]);
        let executions = |preemptions| run_bounded(&program, preemptions).executions;
        let (k, m) = (main as u64, other as u64);
        assert_eq!(executions(0), 1);
        assert_eq!(executions(1), 1 + k);
        assert_eq!(executions(2), 1 + k * m);
        assert_eq!(executions(3), 1 + k * m + binomial(k, 2) * (m - 1));
        assert_eq!(executions(100), binomial(k + m, m));
        assert_eq!(run_bounded(&program, 100), run(&program));
    }
}

#[test]
fn switches_are_free_where_a_thread_ends_or_waits() {
    // The second thread runs first; or after the first, and then main has joined that already or not.
    let free = program(vec![vec![store(0, 1, SEQ); 3], vec![load(0, 0, SEQ); 3]]);
    assert_eq!(run_bounded(&free, 0).executions, 3);
    // Who comes first to a semaphore that is zero waits there, at no cost.
    let (up, down) = (Statement::Post { semaphore: 0 }, Statement::Down { semaphore: 0 });
    let waits = program(vec![vec![store(0, 1, SEQ), down, store(0, 2, SEQ)], vec![store(0, 3, SEQ), up]]);
    let last: BTreeSet<u32> = run_bounded(&waits, 0).outcomes.iter().map(|o| o.locations[0]).collect();
    assert_eq!(last, BTreeSet::from([2]));
    assert_eq!(run_bounded(&waits, 0).executions, 2);
    // A choice is no switch.
    let choose = program(vec![vec![Statement::Choose { into: 0, options: 3 }]]);
    assert_eq!(run_bounded(&choose, 0).executions, 3);
}

#[test]
fn bugs_need_preemptions() {
    let sum = |add| Statement::Store { at: 0, value: Value::Sum(0, add), order: SEQ };
    let increment = vec![load(0, 0, SEQ), sum(1)];
    let lost = program(vec![increment.clone(), increment]);
    let values = |preemptions| -> BTreeSet<u32> {
        run_bounded(&lost, preemptions).outcomes.iter().map(|outcome| outcome.locations[0]).collect()
    };
    assert_eq!((values(0), values(1)), (BTreeSet::from([2]), BTreeSet::from([1, 2])));
    let both = |first, second| vec![lock(first), lock(second), unlock(second), unlock(first)];
    let crossed = program(vec![both(0, 1), both(1, 0)]);
    assert!(run_bounded(&crossed, 0).deadlocks.is_empty());
    assert_eq!(run_bounded(&crossed, 1).deadlocks, run(&crossed).deadlocks);
    // A race is one whoever comes first, as long as nothing orders the two.
    let plain = program(vec![vec![store(0, 1, PLAIN)], vec![store(0, 2, PLAIN)]]);
    assert_eq!(run_bounded(&plain, 0).races, run(&plain).races);
}

#[test]
fn too_many_are_given_up() {
    let threads = vec![vec![store(0, 1, SEQ); 4], vec![load(0, 1, SEQ); 4]];
    assert_eq!(interleavings(&program(threads.clone()), Model::Sc, 100), Ok(None));
    assert_eq!(interleavings_bounded(&program(threads.clone()), Model::Sc, 2, 0), Ok(None));
    assert!(matches!(interleavings_bounded(&program(threads), Model::Sc, 3, 0), Ok(Some(_))));
}

#[test]
fn one_execution_per_class_of_readers() {
    for n in 1..=3 {
        let readers = vec![vec![load(0, 0, SEQ)]; n];
        let results = run(&program([vec![vec![store(0, 1, SEQ)]], readers].concat()));
        assert_eq!(results.classes.len(), 1 << n);
    }
}

/// a[0..=n] are zero; thread j does a[j] = a[j-1] + 1; one thread scans from the end for a zero.
fn last_zero(n: usize) -> Program {
    let add_one = |at: usize| {
        let value = Value::Sum(0, 1);
        vec![load(0, at - 1, SEQ), Statement::Store { at, value, order: SEQ }]
    };
    let scan = (0..=n).fold(Vec::new(), |below, at| {
        let body = below;
        let next = Statement::If { register: 0, test: Test::NotEqual, constant: 0, body };
        if at == 0 { vec![load(0, 0, SEQ)] } else { vec![load(0, at, SEQ), next] }
    });
    let mut program = program([vec![scan], (1..=n).map(add_one).collect()].concat());
    program.registers = 1;
    program.locations = vec![0; n + 1];
    program
}

#[test]
fn one_execution_per_class_of_last_zero() {
    for n in 2..=3_u32 {
        let results = run(&last_zero(n as usize));
        assert_eq!(results.classes.len() as u32, (n + 3) * 2_u32.pow(n - 2), "{n}");
    }
}

#[test]
fn locks_exclude() {
    let increment = vec![
        lock(0),
        load(0, 0, PLAIN),
        Statement::Store { at: 0, value: Value::Sum(0, 1), order: PLAIN },
        unlock(0),
    ];
    let results = run(&program(vec![increment.clone(), increment]));
    assert_eq!(results.executions, 26);
    assert_eq!(results.classes.len(), 2);
    assert!(results.outcomes.iter().all(|outcome| outcome.locations[0] == 2));
    assert!(results.races.is_empty() && results.deadlocks.is_empty());
}

#[test]
fn a_mutex_that_is_used_wrongly_ends_the_execution() {
    let results = run(&program(vec![vec![lock(0), lock(0)], vec![store(0, 1, SEQ), unlock(1)]]));
    assert_eq!(results.faults, BTreeSet::from([(Fault::Relock, (1, 1)), (Fault::BadUnlock, (2, 1))]));
    assert!(results.outcomes.is_empty() && results.deadlocks.is_empty());
}

#[test]
fn locks_in_opposite_orders_deadlock() {
    let both = |first, second| vec![lock(first), lock(second), unlock(second), unlock(first)];
    let results = run(&program(vec![both(0, 1), both(1, 0)]));
    assert_eq!(results.deadlocks, BTreeSet::from([vec![(0, 2), (1, 1), (2, 1)]]));
    assert_eq!(results.outcomes.len(), 1);
    assert!(run(&program(vec![both(0, 1), both(0, 1)])).deadlocks.is_empty());
}

#[test]
fn trylock_fails_while_the_mutex_is_held() {
    let try_it = vec![Statement::TryLock { into: 0, mutex: 0 }];
    let hold = vec![lock(0), store(0, 1, SEQ)];
    let results = run(&program(vec![try_it.clone(), hold]));
    // Either trylock is too late, or nobody unlocks what it has taken.
    assert_eq!((results.outcomes.len(), results.deadlocks.len()), (1, 1));
    let results = run(&program(vec![try_it.clone(), try_it]));
    assert_eq!(pairs(&results, (1, 0), (2, 0)), BTreeSet::from([(0, 1), (1, 0)]));
    assert_eq!((results.classes.len(), results.views.len()), (2, 2));
}

#[test]
fn failed_trylocks_commute() {
    let try_it = vec![Statement::TryLock { into: 0, mutex: 0 }];
    let mut program = program(vec![try_it.clone(), try_it]);
    program.threads[0].insert(0, lock(0));
    assert_eq!(run(&program).classes.len(), 1);
}

#[test]
fn a_signal_wakes_one_and_may_be_lost() {
    let wait =
        |value| vec![lock(0), Statement::Wait { condition: 0, mutex: 0 }, store(0, value, SEQ), unlock(0)];
    let wake = |statement| vec![lock(0), statement, unlock(0)];
    let signal = Statement::Signal { condition: 0 };
    let one = run(&program(vec![wait(1), wake(signal.clone())]));
    assert_eq!((one.outcomes.len(), one.deadlocks.len()), (1, 1));
    let two = run(&program(vec![wait(1), wait(2), wake(signal)]));
    // Nobody is woken, or one, or the other.
    assert_eq!((two.outcomes.len(), two.deadlocks.len()), (0, 3));
    let all = run(&program(vec![wait(1), wait(2), wake(Statement::Broadcast { condition: 0 })]));
    let values: BTreeSet<u32> = all.outcomes.iter().map(|outcome| outcome.locations[0]).collect();
    assert_eq!(values, BTreeSet::from([1, 2]));
}

/// See tests/programs/fuzz/race_lost_signal.c.
#[test]
fn a_lost_signal_orders_nothing() {
    let signal = Statement::Signal { condition: 0 };
    let write = vec![store(0, 1, PLAIN), signal.clone(), store(1, 1, Order::Relaxed)];
    let wait = Statement::Wait { condition: 0, mutex: 0 };
    let body = vec![lock(0), wait.clone(), unlock(0), load(1, 0, PLAIN)];
    let read =
        vec![load(0, 1, Order::Relaxed), Statement::If { register: 0, test: Test::Equal, constant: 1, body }];
    let lost = run(&program(vec![write.clone(), read, vec![signal]]));
    assert_eq!(lost.races, BTreeSet::from([((1, 0), (2, 5))]));
    // Here it is this signal that wakes, or nothing does.
    let woken = vec![lock(0), wait, unlock(0), load(1, 0, PLAIN)];
    assert!(run(&program(vec![write, woken])).races.is_empty());
}

#[test]
fn threads_start_threads() {
    let mut program = program(vec![vec![store(0, 1, SEQ)], vec![load(0, 0, SEQ)]]);
    program.threads[0] = vec![Statement::Spawn { thread: 1 }, Statement::Join { thread: 1 }];
    program.threads[1] =
        vec![Statement::Spawn { thread: 2 }, store(0, 1, SEQ), Statement::Join { thread: 2 }];
    let results = run(&program);
    assert_eq!((results.executions, results.classes.len(), results.outcomes.len()), (2, 2, 2));
    // Who is joined must have been started, by the same thread.
    program.threads[1].swap(0, 2);
    assert_eq!(program.validate(), Err(selvedge_oracle::Invalid::Threads));
}

#[test]
fn semaphores_and_choices() {
    let post = vec![store(0, 1, PLAIN), Statement::Post { semaphore: 0 }];
    let down = vec![Statement::Down { semaphore: 0 }, load(0, 0, PLAIN)];
    let results = run(&program(vec![post, down]));
    assert!(results.races.is_empty() && results.deadlocks.is_empty());
    assert_eq!(results.outcomes.len(), 1);
    let up = vec![Statement::Post { semaphore: 0 }];
    assert_eq!(run(&program(vec![up.clone(), up])).classes.len(), 1);
    let choose = run(&program(vec![vec![Statement::Choose { into: 0, options: 3 }]]));
    assert_eq!((choose.executions, choose.outcomes.len(), choose.classes.len()), (3, 3, 3));
}

/// x is written, a flag set; the other thread reads x if it sees the flag.
fn message(release: &[Statement], acquire: &[Statement]) -> Results {
    let write = [&[store(0, 1, PLAIN)], release].concat();
    let body = vec![load(1, 0, PLAIN)];
    let look = Statement::If { register: 0, test: Test::Equal, constant: 1, body };
    run(&program(vec![write, [acquire, &[look]].concat()]))
}

#[test]
fn release_and_acquire_order() {
    use Order::*;
    let fence = |order| Statement::Fence { order };
    let races = |release: &[Statement], acquire: &[Statement]| !message(release, acquire).races.is_empty();
    assert!(!races(&[store(1, 1, Release)], &[load(0, 1, Acquire)]));
    assert!(!races(&[store(1, 1, SeqCst)], &[load(0, 1, SeqCst)]));
    assert!(races(&[store(1, 1, Relaxed)], &[load(0, 1, Acquire)]));
    assert!(races(&[store(1, 1, Release)], &[load(0, 1, Relaxed)]));
    assert!(!races(&[fence(Release), store(1, 1, Relaxed)], &[load(0, 1, Relaxed), fence(Acquire)]));
    assert!(races(&[fence(Acquire), store(1, 1, Relaxed)], &[load(0, 1, Relaxed), fence(Acquire)]));
    assert!(races(&[fence(Release), store(1, 1, Relaxed)], &[fence(Acquire), load(0, 1, Relaxed)]));
    // The race is between the store of x and its load.
    let results = message(&[store(1, 1, Relaxed)], &[load(0, 1, Relaxed)]);
    assert_eq!(results.races, BTreeSet::from([((1, 0), (2, 2))]));
}

#[test]
fn release_sequences_go_through_updates() {
    use Order::*;
    let update = vec![Statement::FetchAdd { into: 0, at: 1, add: 1, order: Relaxed }];
    let look = |flag| {
        let body = vec![load(1, 0, PLAIN)];
        vec![load(0, 1, Acquire), Statement::If { register: 0, test: Test::Equal, constant: flag, body }]
    };
    let write = vec![store(0, 1, PLAIN), store(1, 1, Release)];
    // Whether there are races as in C11, and as in C++20.
    let races = |threads| {
        let Results { races_c11, races, .. } = run(&program(threads));
        assert!(races_c11.is_subset(&races));
        [!races_c11.is_empty(), !races.is_empty()]
    };
    let then = |more: &[Statement]| [&write, more].concat();
    assert_eq!(races(vec![write.clone(), update.clone(), look(2)]), [false, false]);
    assert_eq!(races(vec![then(&update), look(2)]), [false, false]);
    // A relaxed store by the same thread goes on with the sequence in C11, also after somebody's update of it.
    assert_eq!(races(vec![then(&[store(1, 2, Relaxed)]), look(2)]), [false, true]);
    assert_eq!(races(vec![then(&[store(1, 2, Relaxed)]), update.clone(), look(3)]), [false, true]);
    let updated = vec![load(1, 1, Relaxed), store(1, 9, Relaxed)];
    assert_eq!(races(vec![then(&updated), update, look(9)]), [false, true]);
    // That of another thread ends it, and what comes after is not part of it.
    assert_eq!(races(vec![write.clone(), vec![store(1, 2, Relaxed)], look(2)]), [true, true]);
    assert_eq!(races(vec![then(&[store(1, 2, Relaxed)]), vec![store(1, 3, Relaxed)], look(2)]), [true, true]);
    // A fence covers all stores after it.
    let fenced =
        [store(0, 1, PLAIN), Statement::Fence { order: Release }, store(1, 1, Relaxed), store(1, 2, Relaxed)];
    assert_eq!(races(vec![fenced.to_vec(), vec![store(1, 3, Relaxed)], look(2)]), [false, false]);
}

#[test]
fn equivalences_are_nested_and_printing_works_on_random_programs() {
    let mut followed = 0;
    for case in 0..300 {
        let random = &mut Random::for_case(1, case);
        let knobs = Knobs::random(random);
        let program = generate(&knobs, random);
        assert_eq!(program.validate(), Ok(()), "{}", table(&program));
        let Ok(Some(results)) = interleavings(&program, Model::Sc, 2_000) else { continue };
        followed += 1;
        assert!(results.views.len() <= results.reads_from.len());
        assert!(results.reads_from.len() <= results.classes.len());
        assert!(results.classes.len() as u64 <= results.executions);
        assert!(results.faults.is_empty(), "{}", table(&program));
        if results.executions <= 200 {
            bounds_are_nested(&program, &results);
        }
        let printed = print_c(&program, &Epilogue::Distinguish(results.outcomes.iter().collect()), &[]);
        assert_eq!(printed.outcomes.len(), results.outcomes.len());
        let again = generate(&knobs, &mut {
            let mut random = Random::for_case(1, case);
            Knobs::random(&mut random);
            random
        });
        assert_eq!(program, again);
    }
    assert!(followed > 150, "{followed}");
}

/// Each preemption more allows more, until nothing is left out.
fn bounds_are_nested(program: &Program, all: &Results) {
    let mut before = Results::default();
    for preemptions in 0..=100 {
        let results = run_bounded(program, preemptions);
        assert!(before.executions <= results.executions, "{}", table(program));
        assert!(before.outcomes.is_subset(&results.outcomes), "{}", table(program));
        assert!(before.deadlocks.is_subset(&results.deadlocks), "{}", table(program));
        assert!(before.races.is_subset(&results.races), "{}", table(program));
        assert!(before.classes.is_subset(&results.classes), "{}", table(program));
        if before.executions == results.executions {
            break;
        }
        before = results;
    }
    assert_eq!(run_bounded(program, 100), *all, "{}", table(program));
}

#[test]
fn shrinking_keeps_what_matters() {
    let deadlocks = |program: &Program| matches!(interleavings(program, Model::Sc, 20_000), Ok(Some(results)) if !results.deadlocks.is_empty());
    let noise = [store(0, 1, Order::Relaxed), load(0, 1, SEQ)];
    let both =
        |first, second| [&[lock(first), lock(second)], &noise[..], &[unlock(second), unlock(first)]].concat();
    let small = shrink(&program(vec![both(0, 1), both(1, 0)]), deadlocks);
    assert!(deadlocks(&small));
    let statements: usize = (0..small.threads.len()).map(|thread| small.statements(thread).len()).sum();
    assert!(statements <= 6, "{}", table(&small));
    assert!(small.locations.is_empty() && small.registers == 0);
}
