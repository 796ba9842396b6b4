//! Execution graphs: against the interleavings, under one model and another, with known counts.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs::{self, Graph, Model, Results, enumerate, enumerate_all};
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
