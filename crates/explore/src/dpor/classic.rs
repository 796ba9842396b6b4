//! Dynamic partial-order reduction as Flanagan and Godefroid describe it (POPL 2005), with sleep sets.
//!
//! At every state, for the next operation of every thread, enabled or not, the last event is found that is
//! dependent on it, may have been co-enabled with it and does not happen before it. At the state before that
//! event, the thread must be tried as well; or, if it is not enabled there, one that leads to it; or, if there
//! is none, all. What has been tried goes to sleep until something dependent on it is performed.
//!
//! Departures. An operation with alternatives (`choose`, which waiter a signal wakes) is tried with all of
//! them. A thread in a waiting loop depends on everything it watches. A thread in the middle of an atomic
//! section is the only one enabled; since others cannot get in between, races with its later operations
//! belong to the state before the section, which is where the backtracking point is put. An execution whose
//! enabled threads are all asleep has been explored in another order: it is counted as blocked.

use super::dependence::{Action, dependent, may_be_coenabled};
use super::happens_before::HappensBefore;
use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::{Operation, ThreadId};

/// A state of the present execution.
struct Node<M> {
    mark: M,
    enabled: Vec<ThreadId>,
    /// Threads to be tried.
    backtrack: Vec<ThreadId>,
    /// Threads that need not be tried, with their operation: it was explored in another order.
    sleep: Vec<(ThreadId, Operation)>,
    /// The thread being tried, and its next alternative.
    current: Option<(ThreadId, u32)>,
    /// Number of events before it.
    events: usize,
    /// Whether a thread is in the middle of an atomic section.
    exclusive: bool,
}

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let mut order = HappensBefore::default();
    let mut stack: Vec<Node<SessionMark<S::Mark>>> = Vec::new();
    descend(session, &mut order, &mut stack, Vec::new());
    while let Some(node) = stack.last_mut() {
        session.rewind(&node.mark);
        order.truncate(node.events);
        let Some(turn) = next_turn(session, node) else {
            stack.pop();
            continue;
        };
        let operation = session.system.machine().pending(turn.thread);
        let acting = Action {
            thread: turn.thread,
            operation: operation.unwrap_or(Operation::Yield),
            read: None,
            wrote: None,
            waiting: None,
        };
        let asleep = |entry: &&(ThreadId, Operation)| {
            let (thread, operation) = **entry;
            let sleeping = Action { thread, operation, read: None, wrote: None, waiting: None };
            !dependent(&sleeping, &acting)
        };
        let sleep: Vec<_> = node.sleep.iter().filter(asleep).copied().collect();
        if session.step(turn) == Progress::On {
            while order.len() < session.system.events().len() {
                order.push(session.system.events());
            }
            descend(session, &mut order, &mut stack, sleep);
        } else {
            // The last event may race, too, although the execution has ended with it.
            while order.len() < session.system.events().len() {
                order.push(session.system.events());
            }
            add_backtracking_points(session, &mut order, &mut stack);
        }
        if session.control() == Control::Stop {
            return;
        }
    }
}

/// The next thread and alternative to try at a node; `None` if it is done.
fn next_turn<S: System>(session: &Session<'_, S>, node: &mut Node<SessionMark<S::Mark>>) -> Option<Turn> {
    if let Some((thread, choice)) = node.current {
        if choice < session.system.choices(thread) {
            node.current = Some((thread, choice + 1));
            return Some(Turn { thread, choice });
        }
        if let Some(operation) = session.system.machine().pending(thread) {
            node.sleep.push((thread, operation));
        }
    }
    let tried = |thread: &ThreadId| node.sleep.iter().any(|(asleep, _)| asleep == thread);
    let thread = node.backtrack.iter().copied().find(|thread| !tried(thread))?;
    node.current = Some((thread, 1));
    Some(Turn { thread, choice: 0 })
}

/// Opens the present state as a node, or ends the execution if nobody can go on.
fn descend<S: System>(
    session: &mut Session<'_, S>,
    order: &mut HappensBefore,
    stack: &mut Vec<Node<SessionMark<S::Mark>>>,
    sleep: Vec<(ThreadId, Operation)>,
) {
    add_backtracking_points(session, order, stack);
    let mut enabled = Vec::new();
    session.enabled(&mut enabled);
    if enabled.is_empty() {
        return session.finish();
    }
    let awake = enabled.iter().copied().find(|thread| sleep.iter().all(|(asleep, _)| asleep != thread));
    let Some(first) = awake else { return session.redundant() };
    let events = session.system.events().len();
    let mark = session.mark();
    let machine = session.system.machine();
    let exclusive = machine.threads().any(|thread| machine.excludes_others(thread));
    stack.push(Node { mark, enabled, backtrack: vec![first], sleep, current: None, events, exclusive });
}

/// For the next operation of every thread: where must it be tried earlier?
fn add_backtracking_points<S: System>(
    session: &Session<'_, S>,
    order: &mut HappensBefore,
    stack: &mut [Node<SessionMark<S::Mark>>],
) {
    let machine = session.system.machine();
    let trace = session.system.events();
    for thread in machine.threads() {
        let Some(operation) = machine.pending(thread) else { continue };
        let waiting = session.system.waiting(thread);
        let next = Action { thread, operation, read: None, wrote: None, waiting: waiting.as_ref() };
        let clock = order.thread_clock(thread, trace);
        let race = (0..order.len()).rev().find(|at| {
            let earlier = Action::from(&trace[*at]);
            earlier.thread != thread
                && dependent(&earlier, &next)
                && may_be_coenabled(&earlier, &next)
                && !order.is_before(*at, &clock)
        });
        let Some(at) = race else { continue };
        // The state before that event, or before the atomic section that it is in the middle of.
        let before = stack.iter().rposition(|node| node.events <= at && !node.exclusive);
        let Some(node) = before.map(|position| &mut stack[position]) else { continue };
        // The thread itself, or one whose later step leads to it.
        let candidate = match node.enabled.contains(&thread) {
            true => Some(thread),
            false => {
                let clock = order.clock_of_next(&next, trace, at + 1);
                let leads =
                    |candidate: &ThreadId| {
                        trace.iter().enumerate().skip(at + 1).any(|(later, event)| {
                            event.thread == *candidate && order.is_before(later, &clock)
                        })
                    };
                node.enabled.iter().copied().find(|candidate| leads(candidate))
            }
        };
        let wanted: Vec<ThreadId> = candidate.map_or_else(|| node.enabled.clone(), |thread| vec![thread]);
        for thread in wanted {
            if !node.backtrack.contains(&thread) {
                node.backtrack.push(thread);
            }
        }
    }
}
