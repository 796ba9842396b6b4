//! Execution graphs: against the interleavings, under one model and another, with known counts.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs::{Graph, Model, Results, enumerate, enumerate_all};
use selvedge_oracle::{
    Event, EventId, Fault, Knobs, Order, Program, Random, Statement, Test, Trace, Value, generate,
    generate_message, interleavings_merged, table,
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
        mutexes: 2,
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
    enumerate(program, model, 1_000_000).expect("valid").expect("few graphs")
}

/// What a graph and a trace have in common: the events of each thread with what they read from, and the writes to
/// each location in their order.
type Common = (Vec<Vec<Event>>, Vec<Vec<EventId>>);

fn of_trace(threads: usize, trace: &Trace) -> Common {
    let events = |thread: usize| trace.threads.get(&thread).cloned().unwrap_or_default();
    ((0..threads).map(events).collect(), trace.writes.clone())
}

fn of_graph(graph: &Graph) -> Common {
    (graph.threads.clone(), graph.writes.clone())
}

/// The graphs are the traces of the interleavings.
fn compare(program: &Program, model: Model, most: u64) -> Option<usize> {
    let operational = match model {
        Model::Sc => selvedge_oracle::Model::Sc,
        _ => selvedge_oracle::Model::Tso,
    };
    let expected = interleavings_merged(program, operational, most, None).expect("valid")?;
    let graphs = run(program, model);
    let text = || format!("{} {}", model.name(), table(program));
    assert_eq!(graphs.outcomes, expected.outcomes, "{}", text());
    assert_eq!(graphs.deadlocks, expected.deadlocks, "{}", text());
    assert_eq!(graphs.faults, expected.faults, "{}", text());
    let traces = expected.classes.iter().map(|trace| of_trace(program.threads.len(), trace)).collect();
    assert_eq!(graphs.all().map(of_graph).collect::<BTreeSet<Common>>(), traces, "{}", text());
    // Ups of a semaphore commute there, and are ordered in graphs.
    match program.semaphores {
        0 => assert_eq!(graphs.graphs(), expected.classes.len(), "{}", text()),
        _ => assert!(graphs.graphs() >= expected.classes.len(), "{}", text()),
    }
    assert_eq!(graphs.races, expected.races, "{}", text());
    assert_eq!(graphs.races_c11, expected.races_c11, "{}", text());
    Some(graphs.graphs())
}

#[test]
fn graphs_are_the_traces_of_interleavings() {
    let mut followed = [0; 2];
    let mut weak = 0;
    for case in 0..600 {
        let random = &mut Random::for_case(11, case);
        let knobs = if case % 2 == 0 { Knobs::random(random) } else { Knobs::random_buffered(random) };
        let program = generate(&knobs, random);
        let counts = [Model::Sc, Model::Tso].map(|model| compare(&program, model, 300));
        for (followed, count) in followed.iter_mut().zip(counts) {
            *followed += usize::from(count.is_some());
        }
        weak += usize::from(counts[1].is_some() && counts[0] != counts[1]);
    }
    assert!(followed[0] > 300 && followed[1] > 200 && weak > 50, "{followed:?} {weak}");
}

#[test]
fn graphs_are_the_traces_of_interleavings_of_larger_programs() {
    for case in 0..6_000 {
        let random = &mut Random::for_case(12, case);
        let knobs = if case % 2 == 0 { Knobs::random(random) } else { Knobs::random_buffered(random) };
        let program = generate(&knobs, random);
        for model in [Model::Sc, Model::Tso] {
            compare(&program, model, 2_000);
        }
    }
}

/// Inconsistent graphs do not become consistent again.
#[test]
fn nothing_is_lost_with_inconsistent_graphs() {
    let mut followed = 0;
    for case in 0..150 {
        let random = &mut Random::for_case(13, case);
        let program = generate(&Knobs::random_c11(random), random);
        for model in Model::ALL {
            let Some(all) = enumerate_all(&program, model, 2_000).expect("valid") else { continue };
            followed += 1;
            assert_eq!(all, run(&program, model), "{} {}", model.name(), table(&program));
        }
    }
    assert!(followed > 150, "{followed}");
}

fn has_seq_cst_accesses(program: &Program) -> bool {
    let all = (0..program.threads.len()).flat_map(|thread| program.statements(thread));
    let is_one = |statement: &Statement| match statement {
        Statement::Load { order, .. }
        | Statement::Store { order, .. }
        | Statement::FetchAdd { order, .. }
        | Statement::Exchange { order, .. }
        | Statement::CompareExchange { order, .. } => *order == SEQ,
        _ => false,
    };
    all.into_iter().any(is_one)
}

/// What each model allows, the weaker ones do, too.
#[test]
fn models_are_nested() {
    let mut followed = 0;
    let mut differ = [0; 5];
    for case in 0..500 {
        let random = &mut Random::for_case(15, case);
        let program = generate(&Knobs::random_c11(random), random);
        let results = Model::ALL.map(|model| enumerate(&program, model, 1_000).expect("valid"));
        let [Some(sc), Some(tso), Some(ra), Some(published), Some(rc11)] = &results else { continue };
        followed += 1;
        let mut pairs = vec![(published, rc11), (sc, tso), (tso, ra), (tso, published)];
        if !has_seq_cst_accesses(&program) {
            pairs.push((ra, published));
        }
        for (index, (strong, weak)) in pairs.into_iter().enumerate() {
            assert!(strong.complete.is_subset(&weak.complete), "{}", table(&program));
            assert!(strong.blocked.is_subset(&weak.blocked), "{}", table(&program));
            assert!(strong.outcomes.is_subset(&weak.outcomes), "{}", table(&program));
            assert!(strong.deadlocks.is_subset(&weak.deadlocks), "{}", table(&program));
            assert!(strong.races.is_subset(&weak.races), "{}", table(&program));
            assert!(strong.races_c11.is_subset(&weak.races_c11), "{}", table(&program));
            differ[index] += u32::from(strong != weak);
        }
        assert!(sc.faults.is_subset(&rc11.faults), "{}", table(&program));
    }
    // Few random programs have a store after a release to the same location.
    let known = differ[0] > 0 && differ[1..].iter().all(|differ| *differ > 20);
    assert!(followed > 250 && known, "{followed} {differ:?}");
}

fn with_order(program: &Program, order: Order) -> Program {
    fn change(body: &mut [Statement], order: Order) {
        for statement in body {
            match statement {
                Statement::Load { order: old, .. }
                | Statement::Store { order: old, .. }
                | Statement::FetchAdd { order: old, .. }
                | Statement::Exchange { order: old, .. }
                | Statement::CompareExchange { order: old, .. } => *old = order,
                Statement::If { body, .. } => change(body, order),
                _ => {}
            }
        }
    }
    let mut changed = program.clone();
    changed.threads.iter_mut().for_each(|body| change(body, order));
    changed
}

/// Without what differs, RC11 is the other models.
#[test]
fn rc11_has_others_in_it() {
    let mut followed = 0;
    let counts = |program: &Program, models: [Model; 2]| {
        let results = models.map(|model| enumerate(program, model, 1_000).expect("valid"));
        let [Some(one), Some(other)] = results else { return None };
        Some(((one.graphs(), one.outcomes), (other.graphs(), other.outcomes)))
    };
    for case in 0..250 {
        let random = &mut Random::for_case(15, case);
        // A failed trylock is no more than a relaxed read, and the order of a semaphore synchronises one way only.
        let knobs = Knobs { locks: 0, waits: 0, semaphores: 0, ..Knobs::random_c11(random) };
        let program = generate(&knobs, random);
        let strong = with_order(&program, SEQ);
        if let Some((sc, rc11)) = counts(&strong, [Model::Sc, Model::Rc11]) {
            followed += 1;
            assert_eq!(sc, rc11, "{}", table(&strong));
        }
    }
    assert!(followed > 120, "{followed}");
}

/// Two threads add two numbers in turn, without a lock. The values do not matter here.
fn two_fib(n: usize, order: Order) -> Program {
    let round = |own, other| vec![load(0, own, order), load(1, other, order), store(own, 2, order)];
    let thread = |own, other| vec![round(own, other); n].concat();
    let mut program = program(vec![thread(0, 1), thread(1, 0)]);
    program.locations = vec![1, 1];
    program
}

#[test]
fn two_fib_has_the_known_number_of_graphs() {
    let graphs = |n, model| run(&two_fib(n, RLX), model).graphs();
    assert_eq!([1, 2, 3].map(|n| graphs(n, Model::Rc11)), [3, 20, 175]);
    assert_eq!([1, 2].map(|n| graphs(n, Model::Tso)), [3, 20]);
    // Main looks at both, at any time: (n + 1)² times as many. (44,100 for n = 4.)
    for (n, expected) in [(1, 3 * 4), (2, 20 * 9)] {
        let mut program = two_fib(n, RLX);
        program.threads[0].splice(2..2, [load(0, 0, RLX), load(1, 1, RLX)]);
        assert_eq!(run(&program, Model::Rc11).graphs(), expected);
    }
}

#[test]
fn two_fib_of_four_has_the_known_number_of_graphs() {
    let results = enumerate(&two_fib(4, RLX), Model::Rc11, u64::MAX).expect("valid").expect("small graphs");
    assert_eq!(results.graphs(), 1764);
}

#[test]
fn a_graph_per_set_of_readers_that_are_late() {
    for n in 1..=4 {
        for order in [RLX, SEQ] {
            let readers = vec![vec![load(0, 0, order)]; n];
            let readers = program([vec![vec![store(0, 1, order)]], readers].concat());
            for model in Model::ALL {
                assert_eq!(run(&readers, model).graphs(), 1 << n);
            }
        }
    }
}

/// a[0..=n] are zero; thread j does a[j] = a[j-1] + 1; one thread scans from the end for a zero.
fn last_zero(n: usize, order: Order) -> Program {
    let add_one = |at: usize| {
        let value = Value::Sum(0, 1);
        vec![load(0, at - 1, order), Statement::Store { at, value, order }]
    };
    let scan = (0..=n).fold(Vec::new(), |below, at| {
        let body = below;
        let next = Statement::If { register: 0, test: Test::NotEqual, constant: 0, body };
        if at == 0 { vec![load(0, 0, order)] } else { vec![load(0, at, order), next] }
    });
    let mut program = program([vec![scan], (1..=n).map(add_one).collect()].concat());
    program.registers = 1;
    program.locations = vec![0; n + 1];
    program
}

#[test]
fn last_zero_has_the_known_number_of_graphs() {
    for n in 2..=3_u32 {
        let graphs = |order, model| run(&last_zero(n as usize, order), model).graphs() as u32;
        let expected = (n + 3) * 2_u32.pow(n - 2);
        assert_eq!(graphs(SEQ, Model::Rc11), expected, "{n}");
        assert_eq!(graphs(SEQ, Model::Sc), expected, "{n}");
        assert_eq!(graphs(RLX, Model::Tso), expected, "{n}");
        // 26,624 for n = 12.
        assert_eq!(graphs(RLX, Model::Rc11), (n + 1) * 2_u32.pow(n - 1), "{n}");
    }
}

#[test]
fn small_graphs_are_counted_by_hand() {
    let count = |program: &Program| Model::ALL.map(|model| run(program, model).graphs());
    let side = |own, other, order| vec![store(own, 1, order), load(0, other, order)];
    assert_eq!(count(&program(vec![side(0, 1, RLX), side(1, 0, RLX)])), [3, 4, 4, 4, 4]);
    assert_eq!(count(&program(vec![side(0, 1, SEQ), side(1, 0, SEQ)])), [3, 3, 4, 3, 3]);
    let message = |release, acquire| {
        program(vec![
            vec![store(0, 1, RLX), store(1, 1, release)],
            vec![load(0, 1, acquire), load(1, 0, RLX)],
        ])
    };
    assert_eq!(count(&message(RLX, RLX)), [3, 3, 3, 4, 4]);
    assert_eq!(count(&message(REL, ACQ)), [3; 5]);
    // Stores to one location: their orders. Updates: the same, and what they read follows.
    let stores = |n: u32| program((1..=n).map(|value| vec![store(0, value, RLX)]).collect());
    let update = Statement::FetchAdd { into: 0, at: 0, add: 1, order: RLX };
    let updates = |n| program(vec![vec![update.clone()]; n]);
    assert_eq!((count(&stores(3)), count(&stores(4))), ([6; 5], [24; 5]));
    assert_eq!((count(&updates(3)), count(&updates(4))), ([6; 5], [24; 5]));
    assert!(run(&updates(3), Model::Rc11).outcomes.iter().all(|outcome| outcome.locations[0] == 3));
    // A store and an update: the update first, or after the store.
    assert_eq!(count(&program(vec![vec![store(0, 5, RLX)], vec![update]])), [2; 5]);
    // A later store of the same thread: what it has released before is released with it, or not.
    let again = program(vec![
        vec![store(0, 1, RLX), store(1, 1, REL), store(1, 2, RLX)],
        vec![load(0, 1, ACQ), load(1, 0, RLX)],
    ]);
    assert_eq!(count(&again), [4, 4, 4, 4, 5]);
}

/// What comes before a thread is started, and after it is joined, is in order for accesses that are sequentially consistent.
#[test]
fn threads_begin_and_end_in_order() {
    // Store buffering, where one side begins in main and ends in the thread that main starts.
    let mut sides = program(vec![vec![store(1, 1, SEQ), load(0, 0, SEQ)], vec![load(0, 1, SEQ)]]);
    sides.threads[0].insert(1, store(0, 1, SEQ));
    let outcomes = run(&sides, Model::Rc11).outcomes;
    assert!(!outcomes.iter().any(|outcome| outcome.registers.iter().all(|register| register.2 == 0)));
    assert_eq!(outcomes, run(&sides, Model::Sc).outcomes);
    let joined = {
        let mut program = program(vec![vec![store(0, 1, RLX), store(1, 1, RLX)]]);
        program.threads[0].extend([load(0, 1, RLX), load(1, 0, RLX)]);
        program
    };
    assert!(Model::ALL.iter().all(|model| run(&joined, *model).graphs() == 1));
}

#[test]
fn mutexes_and_the_like_order_relaxed_accesses() {
    let (lock, unlock) = (Statement::Lock { mutex: 0 }, Statement::Unlock { mutex: 0 });
    let increment =
        [load(0, 0, RLX), Statement::Store { at: 0, value: Value::Sum(0, 1), order: RLX }].to_vec();
    let locked = [vec![lock.clone()], increment, vec![unlock.clone()]].concat();
    let wait = Statement::Wait { condition: 0, mutex: 0 };
    let look = vec![load(0, 0, PLAIN)];
    let write = vec![store(0, 1, PLAIN)];
    for model in Model::ALL {
        let three = run(&program(vec![locked.clone(); 3]), model);
        assert_eq!((three.graphs(), three.outcomes.len()), (6, 6), "{}", model.name());
        assert!(three.outcomes.iter().all(|outcome| outcome.locations[0] == 3));

        let down = [vec![Statement::Down { semaphore: 0 }], look.clone()].concat();
        let up = [write.clone(), vec![Statement::Post { semaphore: 0 }]].concat();
        let passed = run(&program(vec![up.clone(), down.clone()]), model);
        assert_eq!((passed.graphs(), passed.races.len()), (1, 0), "{}", model.name());
        // Ups are ordered; who comes first of two that wait matters, and one waits for ever.
        let ups = vec![Statement::Post { semaphore: 0 }];
        assert_eq!(run(&program(vec![ups.clone(), ups]), model).graphs(), 2);
        let two = run(&program(vec![up, down.clone(), down]), model);
        assert_eq!((two.complete.len(), two.blocked.len(), two.deadlocks.len()), (0, 2, 2));

        // A signal that comes too early is lost.
        let waits = [vec![lock.clone(), wait.clone(), unlock.clone()], look.clone()].concat();
        let wakes = [write.clone(), vec![Statement::Signal { condition: 0 }]].concat();
        let signal = run(&program(vec![waits, wakes]), model);
        assert_eq!((signal.complete.len(), signal.blocked.len()), (1, 1), "{}", model.name());
        assert!(signal.races.is_empty());

        let both = |first, second| {
            vec![
                Statement::Lock { mutex: first },
                Statement::Lock { mutex: second },
                Statement::Unlock { mutex: second },
                Statement::Unlock { mutex: first },
            ]
        };
        let crossed = run(&program(vec![both(0, 1), both(1, 0)]), model);
        assert_eq!(crossed.deadlocks, BTreeSet::from([vec![(0, 2), (1, 1), (2, 1)]]));
        assert_eq!((crossed.complete.len(), crossed.blocked.len()), (2, 1));
    }
}

/// A trylock that fails may look at what was, as a relaxed read may.
#[test]
fn a_failed_trylock_orders_nothing() {
    let hold = vec![Statement::Lock { mutex: 0 }, store(0, 1, RLX), Statement::Unlock { mutex: 0 }];
    let late = vec![load(0, 0, RLX), Statement::TryLock { into: 1, mutex: 0 }];
    let failed_after = |model| {
        let results = run(
            &program(vec![[hold.clone(), vec![store(1, 1, RLX)]].concat(), {
                let mut late = late.clone();
                late[0] = load(0, 1, RLX);
                late
            }]),
            model,
        );
        results.outcomes.iter().any(|outcome| outcome.registers == [(2, 0, 1), (2, 1, 1)])
    };
    assert_eq!(Model::ALL.map(failed_after), [false, false, false, true, true]);
}

#[test]
fn a_mutex_that_is_used_wrongly_ends_the_thread() {
    let relock = vec![Statement::Lock { mutex: 0 }, Statement::Lock { mutex: 0 }, store(0, 1, SEQ)];
    let wrong = program(vec![relock, vec![store(1, 1, SEQ), Statement::Unlock { mutex: 1 }]]);
    for model in Model::ALL {
        let results = run(&wrong, model);
        assert_eq!(results.faults, BTreeSet::from([(Fault::Relock, (1, 1)), (Fault::BadUnlock, (2, 1))]));
        assert_eq!((results.graphs(), results.faulty.len()), (1, 1));
    }
}

/// x is written, a flag set; the other thread reads x if it sees the flag.
#[test]
fn races_are_found() {
    let message = |release: &[Statement], acquire: &[Statement]| {
        let body = vec![load(1, 0, PLAIN)];
        let look = Statement::If { register: 0, test: Test::Equal, constant: 1, body };
        let write = [&[store(0, 1, PLAIN)], release].concat();
        run(&program(vec![write, [acquire, &[look]].concat()]), Model::Rc11).races
    };
    let fence = |order| Statement::Fence { order };
    assert!(message(&[store(1, 1, REL)], &[load(0, 1, ACQ)]).is_empty());
    assert!(message(&[fence(REL), store(1, 1, RLX)], &[load(0, 1, RLX), fence(ACQ)]).is_empty());
    let race = BTreeSet::from([((1, 0), (2, 2))]);
    assert_eq!(message(&[store(1, 1, RLX)], &[load(0, 1, ACQ)]), race);
    assert_eq!(message(&[store(1, 1, REL)], &[load(0, 1, RLX)]), race);
    // Under RC11 only: store buffering lets both in.
    let side = |own, other, order| {
        let body = vec![store(2, 1, PLAIN)];
        let enter = Statement::If { register: 0, test: Test::Equal, constant: 0, body };
        vec![store(own, 1, order), load(0, other, order), enter]
    };
    let dekker = |order| program(vec![side(0, 1, order), side(1, 0, order)]);
    assert_eq!(Model::ALL.map(|model| run(&dekker(RLX), model).races.len()), [0, 1, 1, 1, 1]);
    assert_eq!(Model::ALL.map(|model| run(&dekker(SEQ), model).races.len()), [0, 0, 1, 0, 0]);
    // Plain accesses are relaxed where they race.
    let plain = with_main(vec![store(0, 1, PLAIN)], vec![load(0, 0, PLAIN), load(1, 0, PLAIN)]);
    let results = run(&plain, Model::Rc11);
    assert_eq!((results.graphs(), results.races.len()), (3, 2));
}

#[test]
fn too_many_are_given_up() {
    assert_eq!(enumerate(&two_fib(2, RLX), Model::Rc11, 100), Ok(None));
    let mut wrong = two_fib(1, RLX);
    wrong.threads[0].pop();
    assert!(enumerate(&wrong, Model::Rc11, 100).is_err());
    // More nodes than a relation can have.
    let long = program(vec![vec![load(0, 0, RLX); 200]]);
    assert_eq!(enumerate(&long, Model::Sc, 1_000), Ok(None));
}

/// Programs that pass messages through release sequences: graphs and interleavings agree, and it matters what a release sequence is.
#[test]
fn messages_are_passed_through_release_sequences() {
    let (mut followed, mut c11, mut c20, mut published) = (0, 0, 0, 0);
    for case in 0..150 {
        let program = generate_message(&mut Random::for_case(16, case));
        assert_eq!(program.validate(), Ok(()));
        for model in [Model::Sc, Model::Tso] {
            compare(&program, model, 1_000);
        }
        let results = Model::ALL.map(|model| enumerate(&program, model, 500).expect("valid"));
        let [Some(sc), _, _, Some(as_published), Some(rc11)] = &results else { continue };
        followed += 1;
        c11 += u32::from(!sc.races_c11.is_empty());
        c20 += u32::from(!sc.races.is_empty());
        published += u32::from(as_published.complete != rc11.complete);
    }
    let matters = c11 > 20 && c20 > c11 + 5 && published > 10;
    assert!(followed > 100 && matters, "{followed} {c11} {c20} {published}");
}

/// A fence makes a failed trylock no more than it is.
#[test]
fn fences_are_about_memory() {
    let fence = |order| Statement::Fence { order };
    let (lock, unlock) = (Statement::Lock { mutex: 0 }, Statement::Unlock { mutex: 0 });
    let holder = vec![store(0, 1, PLAIN), fence(REL), lock, unlock];
    let failed = vec![fence(ACQ), load(1, 0, PLAIN)];
    let (into, mutex) = (0, 0);
    let other = vec![
        Statement::TryLock { into, mutex },
        Statement::If { register: into, test: Test::Equal, constant: 1, body: failed },
    ];
    let program = program(vec![holder, other]);
    for model in [Model::Sc, Model::Tso] {
        assert!(compare(&program, model, 10_000).is_some());
    }
    for model in Model::ALL {
        assert_eq!(run(&program, model).races.len(), 1, "{}", model.name());
    }
}
