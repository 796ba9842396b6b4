//! Whose turn it is.
//!
//! The graphs that are found do not depend on the order in which threads take their turns: whether a node was added maximally
//! (see [`super`]) is told by stamps, whatever the order was, and a step keeps its thread for as long as it has other ways to
//! try. But the amount of work does. A revisit takes back what is newer than the read. All of that has to be done again in each
//! of the graphs that follow, although most of it may have nothing to do with the read. And a read that is added when all its
//! writes are there tries them one by one, which is cheaper than a revisit by each.
//!
//! So one execution is looked at in advance: which threads access the same locations, unless creation and join order
//! them. Threads that have nothing to do with others go first, where no revisit reaches them; then those that have to do
//! with each other, group by group, so that what a revisit takes back is of the same group, or comes later; and in each
//! group, those who only read go last. In other executions threads may do other things: then there is more work.
//!
//! All workers come to the same order, so the result does not depend on their number.

use selvedge_memory::System;
use selvedge_memory::axiomatic::{Axiomatic, Axioms, Graph, Id, Kind, Next};
use selvedge_trace::{Operation, ThreadId};

/// An execution is not looked at any further than this.
const LONGEST: usize = 10_000;

/// In which order threads get their turns.
pub(super) struct Turns {
    /// Threads in this order, by their numbers in the graph, which does not forget a thread; not all of them need exist.
    threads: Vec<u32>,
    /// How many of them the execution that was looked at has. The others are in the order of their names.
    seen: usize,
}

impl Turns {
    /// The order for the program that a system is at the beginning of. The system is left as it is.
    pub(super) fn new<A: Axioms>(system: &mut Axiomatic<'_, A>) -> Self {
        let mark = system.mark();
        run_once(system);
        let threads = sorted(system.graph());
        system.rewind(&mark);
        Self { seen: threads.len(), threads }
    }

    /// All threads that there are, and possibly others, by number.
    pub(super) fn threads(&self) -> &[u32] {
        &self.threads
    }

    /// Adds the threads of a graph that have come up since.
    #[inline]
    pub(super) fn add_new(&mut self, graph: &Graph) {
        // Threads are numbered as they come up.
        let known = self.threads.len();
        if graph.threads().len() > known {
            self.threads.extend(known as u32..graph.threads().len() as u32);
            self.threads[self.seen..].sort_unstable_by_key(|number| graph.threads()[*number as usize].id);
        }
    }
}

/// Performs an execution: each read reads the last write, each write is the last.
pub(super) fn run_once<A: Axioms>(system: &mut Axiomatic<'_, A>) {
    let mut choices = Vec::new();
    for _ in 0..LONGEST {
        let Some(thread) = turn(system) else { return };
        let Ok(next) = system.next(thread) else { return };
        let choice = match next {
            Next::Nothing => return,
            Next::Other(_) => 0,
            Next::Read { .. } => {
                choices.clear();
                system.sources(thread, None, &mut choices);
                match choices.first() {
                    Some(choice) => *choice,
                    None => return,
                }
            }
            Next::Write { cell, update: Some(source) } => system.graph().rank(cell, source) as u32,
            Next::Write { cell, update: None } => system.graph().cell(cell).writes.len() as u32,
        };
        let step = system.step(thread.into(), choice);
        system.take_woken();
        if step != selvedge_memory::Step::Done {
            return;
        }
    }
}

/// Whose turn it is in that execution.
fn turn<A: Axioms>(system: &mut Axiomatic<'_, A>) -> Option<ThreadId> {
    let graph = system.graph();
    let busy = |thread: &ThreadId| graph.known_number(*thread).is_some_and(|number| graph.is_open(number));
    if graph.is_somebody_busy() {
        return system.threads().find(busy);
    }
    let threads: Vec<ThreadId> = system.threads().collect();
    threads.into_iter().filter(|thread| system.is_ready(*thread)).min()
}

/// What a thread did last to a location.
struct LastAccess {
    thread: usize,
    last: u32,
    last_write: Option<u32>,
}

/// The threads of a graph, in the order in which they should get their turns.
fn sorted(graph: &Graph) -> Vec<u32> {
    let count = graph.threads().len();
    // The group of each thread, and whether others see what it writes.
    let mut groups: Vec<usize> = (0..count).collect();
    let mut is_alone = vec![true; count];
    let mut writes = vec![false; count];
    // Of each thread what comes before it, and all that by creation and join.
    let mut clocks = vec![vec![0; count]; count];
    let mut accesses: Vec<Vec<LastAccess>> = Vec::new();
    accesses.resize_with(graph.cells().len(), Vec::new);
    for id in 0..graph.nodes().len() as Id {
        let node = graph.node(id);
        let thread = node.thread as usize;
        clocks[thread][thread] = node.index + 1;
        let writes_now = match node.kind {
            Kind::Spawn(child) => {
                clocks[child as usize] = clocks[thread].clone();
                continue;
            }
            Kind::Join(other) => {
                let theirs = clocks[other as usize].clone();
                clocks[thread].iter_mut().zip(theirs).for_each(|(own, theirs)| *own = theirs.max(*own));
                continue;
            }
            Kind::Read => false,
            Kind::Write => true,
            _ => continue,
        };
        let here = &mut accesses[node.cell as usize];
        for other in here.iter().filter(|other| other.thread != thread) {
            let known = clocks[thread][other.thread];
            let wrote = other.last_write.is_some_and(|index| index >= known);
            if wrote || writes_now && other.last >= known {
                (is_alone[thread], is_alone[other.thread]) = (false, false);
                writes[thread] |= writes_now;
                writes[other.thread] |= wrote;
                let (one, two) = (groups[thread], groups[other.thread]);
                groups
                    .iter_mut()
                    .filter(|group| **group == one.max(two))
                    .for_each(|group| *group = one.min(two));
            }
        }
        let last_write = writes_now.then_some(node.index);
        match here.iter_mut().find(|access| access.thread == thread) {
            Some(access) => {
                access.last = node.index;
                access.last_write = last_write.or(access.last_write);
            }
            None => here.push(LastAccess { thread, last: node.index, last_write }),
        }
    }
    let id_of = |thread: usize| graph.threads()[thread].id;
    let mut threads: Vec<usize> = (0..count).collect();
    threads.sort_by_key(|thread| {
        let thread = *thread;
        let group = (!is_alone[thread]).then_some(groups[thread]);
        (group, !is_alone[thread] && !writes[thread], id_of(thread))
    });
    threads.into_iter().map(|thread| thread as u32).collect()
}

/// Whether a thread is about to create another.
pub(super) fn creates<A: Axioms>(system: &Axiomatic<'_, A>, thread: ThreadId) -> bool {
    matches!(system.pending(thread), Some(Operation::Spawn { .. }))
}
