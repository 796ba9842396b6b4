//! All executions of a small program, by brute force: every enabled agent and every alternative, with nothing left out.
//! Shared by the tests of several crates.

#![allow(dead_code, reason = "each test uses its part")]

use selvedge_memory::{Bounds, Buffered, Discipline, Sequential, Step, StoreBuffers, System};
use selvedge_program::Program;
use selvedge_trace::{Agent, Event, Operation, ThreadId, Turn};
use selvedge_vm::{Config, Image};
use std::collections::{BTreeMap, BTreeSet};

/// Sees all executions. It is taken back together with the system.
pub trait Watcher<S: System> {
    type Mark;
    fn mark(&self) -> Self::Mark;
    fn rewind(&mut self, mark: &Self::Mark);
    /// A step was taken.
    fn stepped(&mut self, system: &mut S, step: &Step);
    /// No agent can take a step.
    fn ended(&mut self, system: &mut S);
}

/// A watcher that looks at the ends only.
pub struct AtEnd<F>(pub F);

impl<S: System, F: FnMut(&mut S)> Watcher<S> for AtEnd<F> {
    type Mark = ();
    fn mark(&self) {}
    fn rewind(&mut self, (): &()) {}
    fn stepped(&mut self, _: &mut S, _: &Step) {}
    fn ended(&mut self, system: &mut S) {
        (self.0)(system);
    }
}

/// Goes through all executions from the present state on, and comes back to it.
pub fn walk<S: System>(system: &mut S, watcher: &mut impl Watcher<S>) {
    let turns = turns(system);
    if turns.is_empty() {
        return watcher.ended(system);
    }
    for Turn { agent, choice } in turns {
        let (mark, watched) = (system.mark(), watcher.mark());
        let step = system.step(agent, choice);
        watcher.stepped(system, &step);
        walk(system, watcher);
        system.rewind(&mark);
        watcher.rewind(&watched);
    }
}

/// All steps that can be taken.
pub fn turns<S: System>(system: &S) -> Vec<Turn> {
    let mut enabled: Vec<Agent> = Vec::new();
    system.enabled(&mut enabled);
    let choices = |agent: Agent| (0..system.choices(agent)).map(move |choice| Turn { agent, choice });
    enabled.into_iter().flat_map(choices).collect()
}

/// Does something at the end of each execution.
pub fn each_end<S: System>(system: &mut S, at_end: impl FnMut(&mut S)) {
    walk(system, &mut AtEnd(at_end));
}

/// Does something with a program under sequential consistency, before its first step.
pub fn in_order<T>(program: &Program, task: impl FnOnce(&mut Sequential<'_>) -> T) -> T {
    let image = Image::new(program).expect("a program");
    let (mut system, first) =
        Sequential::new(&image, Config::default(), Bounds::default()).expect("a machine");
    assert_eq!(first, Step::Done, "the program starts");
    task(&mut system)
}

/// Does something with a program with store buffers, before its first step.
pub fn with_buffers<T>(
    program: &Program,
    discipline: Discipline,
    task: impl FnOnce(&mut Buffered<'_>) -> T,
) -> T {
    let image = Image::new(program).expect("a program");
    let (mut system, first) =
        Buffered::new(&image, Config::default(), Bounds::default(), discipline).expect("a machine");
    assert_eq!(first, Step::Done, "the program starts");
    task(&mut system)
}

/// What each thread has read from memory, in its order.
pub type Reads = BTreeMap<ThreadId, Vec<u128>>;

/// What each thread has read from memory, in its order.
pub fn reads(events: &[Event]) -> Reads {
    let mut reads = Reads::new();
    for event in events {
        let is_access = matches!(
            event.operation,
            Operation::Load { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. }
        );
        if let (true, Some(value)) = (is_access, event.read) {
            reads.entry(event.thread).or_default().push(value);
        }
    }
    reads
}

fn outcomes_of<S: System>(system: &mut S) -> BTreeSet<Vec<u128>> {
    let (mut seen, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    add_outcomes(system, &mut seen, &mut outcomes);
    outcomes
}

/// A state of the machine, what threads have read so far, and the stores that have not arrived: thread and number.
type Known = (u64, Reads, Vec<(usize, u32)>);

/// Adds the outcomes of all executions from the present state on. What follows from a state depends on nothing but the machine
/// and the buffers, so it is looked at once for each way in which threads may have read so far.
fn add_outcomes<S: System>(system: &mut S, seen: &mut BTreeSet<Known>, outcomes: &mut BTreeSet<Vec<u128>>) {
    let mut waiting = Vec::new();
    for thread in system.machine().threads() {
        let numbers =
            system.buffers().waiting_stores(thread).into_iter().map(|store| (thread.number(), store.number));
        waiting.extend(numbers);
    }
    if !seen.insert((system.machine().digest(), reads(system.events()), waiting)) {
        return;
    }
    let turns = turns(system);
    if turns.is_empty() {
        outcomes.insert(reads(system.events()).into_values().flatten().collect());
    }
    for Turn { agent, choice } in turns {
        let mark = system.mark();
        system.step(agent, choice);
        add_outcomes(system, seen, outcomes);
        system.rewind(&mark);
    }
}

/// What is read in all executions under sequential consistency, each as one list, thread after thread.
pub fn outcomes(program: &Program) -> BTreeSet<Vec<u128>> {
    in_order(program, |system| outcomes_of(system))
}

/// The same with store buffers.
pub fn buffered_outcomes(program: &Program, discipline: Discipline) -> BTreeSet<Vec<u128>> {
    with_buffers(program, discipline, |system| outcomes_of(system))
}

/// A thread that main has created, by number from 1 on.
pub fn thread(number: usize) -> ThreadId {
    match number.checked_sub(1) {
        None => ThreadId::MAIN,
        Some(nth) => ThreadId::child(ThreadId::MAIN, nth as u32).expect("room"),
    }
}

/// The line of something.
pub fn line_of(program: &Program, span: selvedge_program::SpanId) -> u32 {
    program.source.span(span).line
}

/// The line of an instruction.
pub fn line_of_site(program: &Program, site: selvedge_program::Site) -> u32 {
    line_of(program, selvedge_program::Sites::new(program).span(site))
}
