//! Iterative context bounding (Musuvathi, Qadeer; PLDI 2007): all executions with no preemption, then with
//! at most one, and so on. Most bugs need few.
//!
//! A preemption is a switch away from a thread that could have gone on (and did not just yield). Switches
//! at blocking operations are free, and so are stores that reach memory. (A thread that had to wait for its buffer has
//! given up its turn, even if a store that reaches memory lets it go on.) If a round leaves nothing out, all executions have been explored.

use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Limit, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, ThreadId};

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "context",
    help: "Those with few preemptions first: none, then at most one, and so on up to --preemptions",
    text: "\
         iterative context bounding: all executions without a preemption, then with one, up to\n\
         --preemptions. Finds most bugs soon; a proof only if nothing had to be left out.",
    explores: Explores::Steps,
    workers: Workers::One,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Never,
    promise: Promise::Interleavings,
    counts: Counting::Nothing,
    accepts: &[Choice::Preemptions],
    bounded_name: None,
};

/// The most preemptions if not told.
const PREEMPTIONS: u32 = 2;

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    explore(task.session, task.options.preemptions.unwrap_or(PREEMPTIONS));
    Counted::Nothing
}

struct Node<M> {
    mark: M,
    enabled: Vec<Agent>,
    next: (usize, u32),
    /// The thread whose turn it is: leaving it would be a preemption.
    running: Option<ThreadId>,
    preemptions: u32,
}

/// Explores with 0, 1, …, `most` preemptions.
pub fn explore<S: System>(session: &mut Session<'_, S>, most: u32) {
    session.looking_ahead(|session| explore_as_set(session, most));
}

fn explore_as_set<S: System>(session: &mut Session<'_, S>, most: u32) {
    if session.ended_at_start() {
        return;
    }
    let start = session.mark();
    for bound in 0..=most {
        session.rewind(&start);
        let before = session.statistics;
        let mut found = |session: &mut Session<'_, S>| session.control() == Control::Stop;
        match round(session, bound, &mut found) {
            Round::Stopped => return,
            Round::Complete => return,
            Round::Cut if bound == most => session.reach(Limit::Preemptions(most)),
            // The next round runs them all again: executions are counted once.
            Round::Cut => {
                session.statistics.executions = before.executions;
                session.statistics.blocked = before.blocked;
            }
        }
    }
}

/// What a round did.
pub(crate) enum Round {
    /// It was stopped.
    Stopped,
    /// Nothing was left out.
    Complete,
    /// Executions with more preemptions were left out.
    Cut,
}

/// All executions from here with at most `bound` preemptions; `stop` is asked after each step.
pub(crate) fn round<S: System>(
    session: &mut Session<'_, S>,
    bound: u32,
    stop: &mut dyn FnMut(&mut Session<'_, S>) -> bool,
) -> Round {
    let mut cut = false;
    let mut stack = Vec::new();
    descend(session, &mut stack, None, 0);
    while let Some(node) = stack.last_mut() {
        let (at, choice) = node.next;
        let Some(agent) = node.enabled.get(at).copied() else {
            stack.pop();
            continue;
        };
        let preempts = agent.is_thread() && node.running.is_some_and(|running| agent != running);
        let preemptions = node.preemptions + u32::from(preempts);
        if preemptions > bound {
            cut = true;
            node.next = (at + 1, 0);
            continue;
        }
        session.rewind(&node.mark);
        node.next = match choice + 1 < session.system.choices(agent) {
            true => (at, choice + 1),
            false => (at + 1, 0),
        };
        let last = match agent.is_thread() {
            true => {
                let yields = session.system.machine().pending(agent.thread()) == Some(Operation::Yield);
                (!yields).then_some(agent.thread())
            }
            // A store that reaches memory is nobody's turn.
            false => node.running,
        };
        if session.step(Turn { agent, choice }) == Progress::On {
            descend(session, &mut stack, last, preemptions);
        }
        if stop(session) {
            return Round::Stopped;
        }
    }
    if cut { Round::Cut } else { Round::Complete }
}

fn descend<S: System>(
    session: &mut Session<'_, S>,
    stack: &mut Vec<Node<crate::core::session::SessionMark<S::Mark>>>,
    last: Option<ThreadId>,
    preemptions: u32,
) {
    let mut enabled = Vec::new();
    session.enabled(&mut enabled);
    if enabled.is_empty() {
        return session.finish();
    }
    // The running thread goes first: schedules with few switches are found first.
    // Stores reach memory at once if nothing speaks against it.
    let running = last.filter(|thread| enabled.contains(&Agent::from(*thread)));
    enabled.sort_by_key(|agent| match agent.is_thread() {
        false => 0,
        true if running.is_some_and(|running| *agent == running) => 1,
        true => 2,
    });
    stack.push(Node { mark: session.mark(), enabled, next: (0, 0), running, preemptions });
}
