//! The oracle for TSO and PSO: counts that are known, what each model allows beyond the one before, and the two ways
//! to search and to tell executions apart.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::{
    Knobs, Model, Order, Program, Random, Results, Statement, Test, Value, generate, interleavings,
    interleavings_bounded, interleavings_merged, table,
};
use std::collections::BTreeSet;

const RLX: Order = Order::Relaxed;
const REL: Order = Order::Release;
const ACQ: Order = Order::Acquire;
const SEQ: Order = Order::SeqCst;
const PLAIN: Order = Order::Plain;

fn load(into: usize, at: usize, order: Order) -> Statement {
    Statement::Load { into, at, order }
}

fn store(at: usize, value: u32, order: Order) -> Statement {
    Statement::Store { at, value: Value::Constant(value), order }
}

/// Main starts these threads, then joins them.
fn program(workers: Vec<Vec<Statement>>) -> Program {
    let threads = 1..=workers.len();
    let spawns = threads.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(threads.map(|thread| Statement::Join { thread })).collect();
    Program {
        locations: vec![0; 3],
        mutexes: 1,
        conditions: 1,
        semaphores: 1,
        registers: 2,
        threads: [vec![main], workers].concat(),
    }
}

/// One thread beside main, which does something between starting and joining it.
fn with_main(main: Vec<Statement>, worker: Vec<Statement>) -> Program {
    let mut program = program(vec![worker]);
    program.threads[0].splice(1..1, main);
    program
}

fn run(program: &Program, model: Model) -> Results {
    interleavings(program, model, 1_000_000).expect("valid").expect("few executions")
}

fn merged(program: &Program, model: Model) -> Results {
    interleavings_merged(program, model, 1_000_000, None).expect("valid").expect("few points")
}

fn counts(program: &Program) -> [(u64, usize); 3] {
    Model::ALL.map(|model| {
        let results = run(program, model);
        (results.executions, results.classes.len())
    })
}

#[test]
fn executions_are_counted_by_hand() {
    // A store and its flush, before or after the load of the other thread.
    let one = with_main(vec![load(0, 0, RLX)], vec![store(0, 1, RLX)]);
    assert_eq!(counts(&one), [(2, 2), (3, 2), (3, 2)]);
    // Two stores and two flushes; main waits. Store, store, flush, flush or store, flush, store, flush; under PSO the
    // flushes of the first of these can change places.
    let two = program(vec![vec![store(0, 1, RLX), store(1, 1, RLX)]]);
    assert_eq!(counts(&two), [(1, 1), (2, 1), (3, 1)]);
    let same = program(vec![vec![store(0, 1, RLX), store(0, 2, RLX)]]);
    assert_eq!(counts(&same), [(1, 1), (2, 1), (2, 1)]);
    // A release store keeps behind what comes before it, and nothing of what comes after it.
    let release = program(vec![vec![store(0, 1, RLX), store(1, 1, REL)]]);
    assert_eq!(counts(&release), [(1, 1), (2, 1), (2, 1)]);
    let after = program(vec![vec![store(0, 1, REL), store(1, 1, RLX)]]);
    assert_eq!(counts(&after), [(1, 1), (2, 1), (3, 1)]);
    // So do the fences that release.
    for (order, pso) in [(ACQ, 4), (REL, 3), (Order::AcqRel, 3), (SEQ, 1)] {
        let fence = Statement::Fence { order };
        let fenced = program(vec![vec![store(0, 1, RLX), fence, store(1, 1, RLX)]]);
        let tso = if order == SEQ { 1 } else { 3 };
        assert_eq!(counts(&fenced).map(|(executions, _)| executions), [1, tso, pso]);
    }
    // Sequentially consistent stores and updates have no flush of their own.
    let strong = program(vec![vec![
        store(0, 1, RLX),
        store(1, 1, SEQ),
        Statement::FetchAdd { into: 0, at: 1, add: 1, order: RLX },
    ]]);
    assert_eq!(counts(&strong), [(1, 1); 3]);
}

#[test]
fn everything_that_synchronises_waits() {
    let strong = [
        Statement::Exchange { into: 0, at: 1, value: Value::Constant(1), order: RLX },
        // It fails.
        Statement::CompareExchange {
            into: 0,
            at: 1,
            expected: Value::Constant(5),
            new: Value::Constant(1),
            order: RLX,
            succeeded: None,
        },
        Statement::Fence { order: SEQ },
        Statement::Lock { mutex: 0 },
        Statement::TryLock { into: 0, mutex: 0 },
        Statement::Signal { condition: 0 },
        Statement::Broadcast { condition: 0 },
        Statement::Post { semaphore: 0 },
    ];
    for statement in strong {
        let side = |own, other| vec![store(own, 1, RLX), statement.clone(), load(1, other, RLX)];
        let mut both = program(vec![side(0, 2), vec![store(2, 1, SEQ), load(1, 0, SEQ)]]);
        both.mutexes = 2;
        for model in Model::ALL {
            assert_eq!(outcomes_of(&both, model, 1), outcomes_of(&both, Model::Sc, 1), "{statement:?}");
        }
    }
    let weak = [Statement::Fence { order: Order::AcqRel }, Statement::Choose { into: 0, options: 1 }];
    for statement in weak {
        let side = |own, other| vec![store(own, 1, RLX), statement.clone(), load(1, other, RLX)];
        let both = program(vec![side(0, 2), side(2, 0)]);
        for model in [Model::Tso, Model::Pso] {
            assert!(outcomes_of(&both, model, 1).contains(&vec![0, 0]), "{statement:?}");
            assert!(!outcomes_of(&both, Model::Sc, 1).contains(&vec![0, 0]), "{statement:?}");
        }
    }
}

/// The values that a register can have in the threads, at the end.
fn outcomes_of(program: &Program, model: Model, register: usize) -> BTreeSet<Vec<u32>> {
    let of = |(_, other, value): &(usize, usize, u32)| (*other == register).then_some(*value);
    run(program, model).outcomes.iter().map(|o| o.registers.iter().filter_map(of).collect()).collect()
}

#[test]
fn a_thread_is_joined_when_its_stores_have_reached_memory() {
    let mut program = program(vec![vec![store(0, 1, RLX), store(1, 1, RLX)]]);
    program.threads[0].push(load(0, 0, RLX));
    for model in Model::ALL {
        assert_eq!(outcomes_of(&program, model, 0), BTreeSet::from([vec![1]]));
        assert_eq!(run(&program, model).classes.len(), 1);
    }
}

#[test]
fn flushes_are_no_preemptions() {
    let bounded = |program: &Program, model, preemptions| {
        interleavings_bounded(program, model, 100_000, preemptions).expect("valid").expect("few executions")
    };
    // Store buffering without a preemption: both threads run to their ends before anything is flushed.
    let both =
        program(vec![vec![store(0, 1, RLX), load(0, 1, RLX)], vec![store(1, 1, RLX), load(0, 0, RLX)]]);
    let zeros = |results: &Results| results.outcomes.iter().any(|o| o.registers.iter().all(|r| r.2 == 0));
    for model in Model::ALL {
        assert_eq!(zeros(&bounded(&both, model, 0)), model != Model::Sc);
        let all = run(&both, model);
        assert_eq!(bounded(&both, model, 100), all);
        for preemptions in 0..4 {
            let plain = bounded(&both, model, preemptions);
            let merged = interleavings_merged(&both, model, 100_000, Some(preemptions));
            assert_eq!(merged, Ok(Some(plain)));
        }
    }
    // After the flush it is still main that runs, so it is preempted.
    let held = with_main(vec![store(0, 1, RLX), store(0, 2, RLX)], vec![load(0, 0, RLX)]);
    let read = |preemptions| -> BTreeSet<u32> {
        bounded(&held, Model::Tso, preemptions).outcomes.iter().map(|o| o.registers[0].2).collect()
    };
    assert_eq!(read(0), BTreeSet::from([0, 1, 2]));
    let fenced = with_main(vec![store(0, 1, RLX), store(1, 1, SEQ)], vec![load(0, 0, RLX)]);
    let read = |preemptions| -> BTreeSet<u32> {
        bounded(&fenced, Model::Tso, preemptions).outcomes.iter().map(|o| o.registers[0].2).collect()
    };
    // Main waits for its buffer: another thread may run at no cost.
    assert_eq!(read(0), BTreeSet::from([0, 1]));
}

#[test]
fn a_race_is_where_the_accesses_were_issued() {
    let message = |order, release, acquire| {
        let body = vec![load(1, 0, PLAIN)];
        let look = Statement::If { register: 0, test: Test::Equal, constant: 1, body };
        program(vec![vec![store(0, 1, order), store(1, 1, release)], vec![load(0, 1, acquire), look]])
    };
    for model in Model::ALL {
        let races = |release, acquire| !run(&message(PLAIN, release, acquire), model).races.is_empty();
        assert!(!races(REL, ACQ) && races(RLX, ACQ) && races(REL, RLX) && !races(SEQ, SEQ));
    }
    // Only with a buffer both threads read zero, and write what is not atomic.
    let side = |own, other| {
        let body = vec![store(2, 1, PLAIN)];
        let enter = Statement::If { register: 0, test: Test::Equal, constant: 0, body };
        vec![store(own, 1, REL), load(0, other, ACQ), enter]
    };
    let dekker = program(vec![side(0, 1), side(1, 0)]);
    let races = Model::ALL.map(|model| run(&dekker, model).races.len());
    assert_eq!(races, [0, 1, 1]);
    // The thread's own acquire load of its own buffered release store orders nothing between threads.
    let own =
        program(vec![vec![store(0, 1, REL), load(0, 0, ACQ), store(1, 1, PLAIN)], vec![load(0, 1, PLAIN)]]);
    assert!(Model::ALL.iter().all(|model| run(&own, *model).races.len() == 1));
}

/// Two threads add two numbers in turn, without a lock. The values do not matter here.
fn two_fib(n: usize) -> Program {
    let round = |own, other| vec![load(0, own, RLX), load(1, other, RLX), store(own, 2, RLX)];
    let thread = |own, other| vec![round(own, other); n].concat();
    let mut program = program(vec![thread(0, 1), thread(1, 0)]);
    program.locations = vec![1, 1];
    program
}

#[test]
fn two_fib_has_the_known_number_of_traces() {
    for model in [Model::Tso, Model::Pso] {
        let classes = |n| merged(&two_fib(n), model).classes.len();
        assert_eq!(run(&two_fib(1), model).classes.len(), classes(1));
        assert_eq!(classes(3), 175, "{model:?}");
    }
}

#[test]
fn two_fib_has_the_same_traces_by_brute_force() {
    for model in Model::ALL {
        let plain = interleavings(&two_fib(2), model, 100_000_000).expect("valid").expect("few executions");
        assert_eq!(plain, merged(&two_fib(2), model), "{model:?}");
    }
}

/// The two ways to search and the two ways to tell executions apart agree, and equivalences are nested.
#[test]
fn results_agree_with_each_other_on_random_programs() {
    let mut followed = 0;
    for case in 0..300 {
        let random = &mut Random::for_case(1, case);
        let knobs = if case % 3 == 0 { Knobs::random(random) } else { Knobs::random_buffered(random) };
        let program = generate(&knobs, random);
        assert_eq!(program.validate(), Ok(()), "{}", table(&program));
        for model in Model::ALL {
            let Ok(Some(results)) = interleavings(&program, model, 500) else { continue };
            followed += 1;
            assert!(results.views.len() <= results.reads_from.len(), "{}", table(&program));
            assert!(results.reads_from.len() <= results.classes.len(), "{}", table(&program));
            assert!(results.classes.len() as u64 <= results.executions, "{}", table(&program));
            let other = if model == Model::Sc { results.orders.len() } else { 0 };
            assert!(results.orders.len() <= results.classes.len(), "{}", table(&program));
            assert_eq!(results.levels.len(), other, "{}", table(&program));
            assert_eq!(results, merged(&program, model), "{}", table(&program));
            for preemptions in [0, 1] {
                let plain = interleavings_bounded(&program, model, 500, preemptions);
                let merged = interleavings_merged(&program, model, 1_000_000, Some(preemptions));
                assert_eq!(plain, merged, "{}", table(&program));
            }
        }
    }
    assert!(followed > 400, "{followed}");
    assert_eq!(interleavings_merged(&two_fib(2), Model::Sc, 10, None), Ok(None));
}

/// What each model allows, the weaker ones do, too.
#[test]
fn models_are_nested() {
    let (mut followed, mut weak, mut weaker) = (0, 0, 0);
    for case in 0..400 {
        let random = &mut Random::for_case(4, case);
        let program = generate(&Knobs::random_buffered(random), random);
        let results = Model::ALL.map(|model| interleavings_merged(&program, model, 2_000, None));
        let [Ok(Some(sc)), Ok(Some(tso)), Ok(Some(pso))] = &results else { continue };
        followed += 1;
        for (strong, weak) in [(sc, tso), (tso, pso)] {
            assert!(strong.outcomes.is_subset(&weak.outcomes), "{}", table(&program));
            assert!(strong.deadlocks.is_subset(&weak.deadlocks), "{}", table(&program));
            assert!(strong.races.is_subset(&weak.races), "{}", table(&program));
            assert!(strong.classes.is_subset(&weak.classes), "{}", table(&program));
            assert!(strong.executions <= weak.executions, "{}", table(&program));
        }
        weak += u32::from(sc.outcomes != tso.outcomes);
        weaker += u32::from(tso.outcomes != pso.outcomes);
    }
    assert!(followed > 250 && weak > 40 && weaker > 40, "{followed} {weak} {weaker}");
}
