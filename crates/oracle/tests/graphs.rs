//! Execution graphs: against the interleavings, under one model and another, with known counts.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs::{Graph, Model, Results, enumerate, enumerate_all};
use selvedge_oracle::{
    Event, EventId, Fault, Knobs, Order, Program, Random, Statement, Test, Trace, Value, generate,
    interleavings_merged, table,
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

/// The graphs are the traces of the interleavings. Which races there are is decided by happens-before of RC11 in one case, of
/// C++20 in the other: there are fewer with RC11's longer release sequences.
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
    assert_eq!(graphs.graphs(), expected.classes.len(), "{}", text());
    assert!(graphs.races.is_subset(&expected.races), "{}", text());
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
#[ignore = "takes a while"]
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
    let mut differ = [0; 4];
    for case in 0..500 {
        let random = &mut Random::for_case(14, case);
        let program = generate(&Knobs::random_c11(random), random);
        let results = Model::ALL.map(|model| enumerate(&program, model, 1_000).expect("valid"));
        let [Some(sc), Some(tso), Some(ra), Some(rc11)] = &results else { continue };
        followed += 1;
        let mut pairs = vec![(sc, tso), (tso, ra), (tso, rc11)];
        if !has_seq_cst_accesses(&program) {
            pairs.push((ra, rc11));
        }
        for (index, (strong, weak)) in pairs.into_iter().enumerate() {
            assert!(strong.complete.is_subset(&weak.complete), "{}", table(&program));
            assert!(strong.blocked.is_subset(&weak.blocked), "{}", table(&program));
            assert!(strong.outcomes.is_subset(&weak.outcomes), "{}", table(&program));
            assert!(strong.deadlocks.is_subset(&weak.deadlocks), "{}", table(&program));
            assert!(strong.races.is_subset(&weak.races), "{}", table(&program));
            differ[index] += u32::from(strong != weak);
        }
        assert!(sc.faults.is_empty() && rc11.faults.is_empty(), "{}", table(&program));
    }
    assert!(followed > 250 && differ.iter().all(|differ| *differ > 20), "{followed} {differ:?}");
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
