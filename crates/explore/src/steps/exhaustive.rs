//! Every interleaving of visible operations, depth first, without reduction.
//!
//! The ground that all reductions are judged by. Going back is by rewinding, so the cost of an execution is
//! what it does not share with the one before.

use crate::core::session::SessionMark;
use crate::steps::dpor::classes::{Recorder, RecorderMark};
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Progress, Session, Turn};
use rustc_hash::FxHashSet;
use selvedge_memory::System;
use selvedge_trace::Agent;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "exhaustive",
    help: "Every interleaving of visible operations",
    text: "\
         every interleaving of visible operations, without reduction: the same verdict, for very\n\
         small programs. With --classes it also counts the orders of dependent operations among\n\
         the complete executions.",
    explores: Explores::Steps,
    workers: Workers::One,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Never,
    promise: Promise::Interleavings,
    counts: Counting::Orders,
    accepts: &[Choice::Classes],
    bounded_name: None,
};

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    if task.options.classes {
        return Counted::Orders(explore_and_count(task.session));
    }
    explore(task.session);
    Counted::Nothing
}

/// A point where there is something to choose.
struct Node<M> {
    mark: M,
    recorded: Option<RecorderMark>,
    enabled: Vec<Agent>,
    /// The next agent to try, and its next alternative.
    next: (usize, u32),
}

/// The classes of the executions so far.
#[derive(Default)]
struct Counter {
    recorder: Recorder,
    classes: FxHashSet<u64>,
}

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    session.looking_ahead(|session| search(session, &mut None));
}

/// Explores, and counts how many of the complete executions differ in the order of dependent operations.
pub fn explore_and_count<S: System>(session: &mut Session<'_, S>) -> u64 {
    let mut counter = None;
    session.looking_ahead(|session| {
        counter = Some(Counter::default());
        search(session, &mut counter);
    });
    counter.map_or(0, |counter| counter.classes.len() as u64)
}

fn search<S: System>(session: &mut Session<'_, S>, counter: &mut Option<Counter>) {
    if session.ended_at_start() {
        return;
    }
    let mut stack = Vec::new();
    descend(session, &mut stack, counter);
    while let Some(node) = stack.last_mut() {
        let (at, choice) = node.next;
        let Some(agent) = node.enabled.get(at).copied() else {
            stack.pop();
            continue;
        };
        session.rewind(&node.mark);
        node.next = match choice + 1 < session.system.choices(agent) {
            true => (at, choice + 1),
            false => (at + 1, 0),
        };
        if let (Some(counter), Some(mark)) = (counter.as_mut(), node.recorded) {
            counter.recorder.rewind(mark);
            counter.recorder.before(session, agent);
        }
        let progress = session.step(Turn { agent, choice });
        if let Some(counter) = counter {
            counter.recorder.after(session);
        }
        if progress == Progress::On {
            descend(session, &mut stack, counter);
        }
        if session.control() == Control::Stop {
            return;
        }
    }
}

/// Opens the present state as a node, or finishes the execution if nobody can go on.
fn descend<S: System>(
    session: &mut Session<'_, S>,
    stack: &mut Vec<Node<SessionMark<S::Mark>>>,
    counter: &mut Option<Counter>,
) {
    let mut enabled = Vec::new();
    session.enabled(&mut enabled);
    if enabled.is_empty() {
        if let (Some(counter), true) = (counter, session.is_good()) {
            counter.classes.insert(counter.recorder.class());
        }
        return session.finish();
    }
    let recorded = counter.as_ref().map(|counter| counter.recorder.mark());
    stack.push(Node { mark: session.mark(), recorded, enabled, next: (0, 0) });
}
