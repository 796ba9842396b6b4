//! Source-set dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas; POPL 2014), with sleep sets.
//!
//! When the next operation of a thread races with an earlier event `e`, the other order must be explored as
//! well: from the state before `e`, the events that do not depend on `e`, and then the operation (`v`). It is
//! enough that one of the *initials* of `v` (threads that can begin it) is tried at that state; which one does
//! not matter. A thread that has been tried goes to sleep until something dependent on it is performed; if an
//! initial of `v` is asleep there, `v` has been explored in another order.
//!
//! Departures. Races are looked for at every state, for the next operation of every thread, enabled or not
//! (the paper does it for the one that is performed): a thread that is blocked for ever still races, and that
//! is how other ways into and out of a deadlock are found. An `unlock` is no race with the `lock` that it
//! makes possible; the race is with the `lock` before it. If no initial of `v` is enabled, all enabled threads
//! are tried. An operation with alternatives (`choose`, which waiter a signal wakes) is tried with all of them.
//! A thread in a waiting loop depends on everything it watches. In the middle of an atomic section no other
//! thread is enabled; a race with an event there belongs to the state before the section, and operations of
//! such a section depend on all others.
//!
//! An execution whose enabled threads are all asleep repeats another: it is counted as blocked. (Why only
//! initials, and not the racing thread itself as in Flanagan and Godefroid's algorithm, may be added: with sleep
//! sets, that thread can be asleep at the state although `v` has not been explored, because `v` wakes it first.)

use super::dependence::{Action, dependent};
use super::happens_before::HappensBefore;
use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::ThreadId;

/// A state of the present execution.
struct Node<M> {
    mark: M,
    enabled: Vec<ThreadId>,
    /// Threads to be tried.
    backtrack: Vec<ThreadId>,
    /// Threads that need not be tried, with their operation: it was explored in another order.
    sleep: Vec<Action<'static>>,
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
        let acting = next_action(session, turn.thread);
        let stays_asleep =
            |sleeper: &&Action<'static>| acting.as_ref().is_some_and(|acting| !dependent(sleeper, acting));
        let sleep: Vec<Action<'static>> = node.sleep.iter().filter(stays_asleep).copied().collect();
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

/// What a thread does next.
fn next_action<S: System>(session: &Session<'_, S>, thread: ThreadId) -> Option<Action<'static>> {
    let machine = session.system.machine();
    let atomic = machine.in_atomic_section(thread);
    let operation = machine.pending(thread)?;
    Some(Action { thread, operation, read: None, wrote: None, atomic, waiting: None })
}

/// The next thread and alternative to try at a node; `None` if it is done.
fn next_turn<S: System>(session: &Session<'_, S>, node: &mut Node<SessionMark<S::Mark>>) -> Option<Turn> {
    if let Some((thread, choice)) = node.current {
        if choice < session.system.choices(thread) {
            node.current = Some((thread, choice + 1));
            return Some(Turn { thread, choice });
        }
        node.sleep.extend(next_action(session, thread));
    }
    let tried = |thread: &ThreadId| node.sleep.iter().any(|sleeper| sleeper.thread == *thread);
    let thread = node.backtrack.iter().copied().find(|thread| !tried(thread))?;
    node.current = Some((thread, 1));
    Some(Turn { thread, choice: 0 })
}

/// Opens the present state as a node, or ends the execution if nobody can go on.
fn descend<S: System>(
    session: &mut Session<'_, S>,
    order: &mut HappensBefore,
    stack: &mut Vec<Node<SessionMark<S::Mark>>>,
    sleep: Vec<Action<'static>>,
) {
    add_backtracking_points(session, order, stack);
    let mut enabled = Vec::new();
    session.enabled(&mut enabled);
    if enabled.is_empty() {
        return session.finish();
    }
    let awake = enabled.iter().copied().find(|thread| sleep.iter().all(|sleeper| sleeper.thread != *thread));
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
        let Some(next) = next_action(session, thread) else { continue };
        let waiting = session.system.waiting(thread);
        let next = Action { waiting: waiting.as_ref(), ..next };
        for at in order.races(&next, trace) {
            // The state before that event, or before the atomic section that it is in the middle of.
            let before = stack.iter().rposition(|node| node.events <= at && !node.exclusive);
            let Some(node) = before.map(|position| &mut stack[position]) else { continue };
            let initials = order.initials(at, &next, trace);
            let is_covered = |thread: &ThreadId| {
                node.backtrack.contains(thread) || node.sleep.iter().any(|sleeper| sleeper.thread == *thread)
            };
            if initials.iter().any(is_covered) {
                continue;
            }
            match initials.iter().find(|thread| node.enabled.contains(thread)) {
                Some(thread) => node.backtrack.push(*thread),
                None => {
                    let missing = |thread: &&ThreadId| !node.backtrack.contains(thread);
                    let all: Vec<ThreadId> = node.enabled.iter().filter(missing).copied().collect();
                    node.backtrack.extend(all);
                }
            }
        }
    }
}
