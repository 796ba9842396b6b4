//! All execution graphs of a small program, by brute force: threads take turns in every order, and every choice that the model
//! allows is taken. Shared by the tests of several crates.

#![allow(dead_code, reason = "each test uses its part")]

use crate::executions::reads;
use selvedge_memory::axiomatic::{Axiomatic, Axioms, Graph, Id, Kind, NONE, Next, Node};
use selvedge_memory::{Bounds, ReleaseSequences, Step, System};
use selvedge_program::Program;
use selvedge_trace::{ThreadId, Turn};
use selvedge_vm::{Config, Image};
use std::collections::{BTreeMap, BTreeSet};

/// Does something with a program under an axiomatic model, before its first step.
pub fn with_graph<A: Axioms, T>(
    program: &Program,
    cuts: &[u64],
    task: impl FnOnce(&mut Axiomatic<'_, A>) -> T,
) -> T {
    let image = Image::for_graphs(program).expect("a program");
    let sequences = ReleaseSequences::default();
    let (mut system, first) =
        Axiomatic::<A>::new(&image, Config::default(), Bounds::default(), cuts.to_vec(), sequences)
            .expect("a machine");
    assert_eq!(first, Step::Done, "the program starts");
    task(&mut system)
}

/// All steps that can be taken. A thread in the middle of an operation goes on with it.
pub fn graph_turns<A: Axioms>(system: &mut Axiomatic<'_, A>) -> Vec<Turn> {
    let threads: Vec<ThreadId> = system.threads().collect();
    let busy = |system: &Axiomatic<'_, A>, thread: &ThreadId| {
        system.graph().known_number(*thread).is_some_and(|number| system.is_busy(number))
    };
    let somebody = threads.iter().copied().find(|thread| busy(system, thread));
    let candidates = somebody.map_or(threads, |thread| vec![thread]);
    let mut turns = Vec::new();
    for thread in candidates {
        let mut choices: Vec<u32> = Vec::new();
        match system.next(thread).expect("supported") {
            Next::Nothing => {}
            Next::Read { .. } => system.sources(thread, None, &mut choices),
            Next::Write { cell, update } => {
                let number = system.graph().known_number(thread).expect("known");
                system.places(cell, system.floor(number, cell), update, |place| choices.push(place));
            }
            Next::Other(count) => choices.extend(0..count),
        }
        choices.retain(|choice| system.allows(thread, *choice));
        turns.extend(choices.into_iter().map(|choice| Turn { agent: thread.into(), choice }));
    }
    turns
}

/// Goes through all graphs from the present state on, in every order of their nodes, and comes back to it. Shows those to which
/// nothing can be added, once each.
pub fn each_graph<A: Axioms>(system: &mut Axiomatic<'_, A>, at_end: &mut dyn FnMut(&mut Axiomatic<'_, A>)) {
    search(system, &mut BTreeMap::new(), at_end);
}

/// Says whether there is a graph to which nothing can be added: an update of what has been updated already is begun, and leads
/// nowhere. What follows from a graph does not depend on the order of its nodes, so each is looked at once.
fn search<A: Axioms>(
    system: &mut Axiomatic<'_, A>,
    known: &mut BTreeMap<String, bool>,
    at_end: &mut dyn FnMut(&mut Axiomatic<'_, A>),
) -> bool {
    let name = name_of(system.graph());
    if let Some(goes_on) = known.get(&name) {
        return *goes_on;
    }
    let mut goes_on = false;
    for Turn { agent, choice } in graph_turns(system) {
        let mark = system.mark();
        system.step(agent, choice);
        goes_on |= search(system, known, at_end);
        system.rewind(&mark);
    }
    if !goes_on && !system.graph().is_somebody_busy() {
        at_end(system);
        goes_on = true;
    }
    known.insert(name, goes_on);
    goes_on
}

/// What is read in all graphs, each as one list, thread after thread.
pub fn graph_outcomes<A: Axioms>(program: &Program) -> BTreeSet<Vec<u128>> {
    let mut outcomes = BTreeSet::new();
    with_graph::<A, ()>(program, &[], |system| {
        each_graph(system, &mut |system| {
            outcomes.insert(reads(system.events()).into_values().flatten().collect());
        });
    });
    outcomes
}

/// A graph in a form that does not depend on the order in which nodes were added.
pub fn name_of(graph: &Graph) -> String {
    let place = |id: Id| match id {
        NONE => "at first".to_owned(),
        id => {
            let Node { thread, index, .. } = *graph.node(id);
            format!("{}.{index}", graph.threads()[thread as usize].id)
        }
    };
    let address = |node: &Node| if node.cell == NONE { 0 } else { graph.cell(node.cell).address };
    let mut lines: Vec<String> = Vec::new();
    for (id, node) in graph.nodes().iter().enumerate() {
        let source = if node.kind == Kind::Read { place(node.source) } else { String::new() };
        let kind = node.kind;
        lines.push(format!("{} {kind:?} {:x} {source} {:?}", place(id as Id), address(node), node.state));
    }
    for cell in graph.cells().iter().filter(|cell| !cell.writes.is_empty()) {
        let writes: Vec<String> = cell.writes.iter().map(|write| place(*write)).collect();
        lines.push(format!("{:x}: {}", cell.address, writes.join(" ")));
    }
    lines.sort();
    lines.join("\n")
}

/// How many graphs a program has.
pub fn count_graphs<A: Axioms>(program: &Program) -> usize {
    let mut count = 0;
    with_graph::<A, ()>(program, &[], |system| each_graph(system, &mut |_| count += 1));
    count
}
