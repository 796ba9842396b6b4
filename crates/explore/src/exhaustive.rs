//! Every interleaving of visible operations, depth first, without reduction.
//!
//! The ground that all reductions are judged by. Going back is by rewinding, so the cost of an execution is
//! what it does not share with the one before.

use crate::{Control, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::ThreadId;

/// A point where there is something to choose.
struct Node<M> {
    mark: M,
    enabled: Vec<ThreadId>,
    /// The next thread to try, and its next alternative.
    next: (usize, u32),
}

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let mut stack = Vec::new();
    descend(session, &mut stack);
    while let Some(node) = stack.last_mut() {
        let (at, choice) = node.next;
        let Some(thread) = node.enabled.get(at).copied() else {
            stack.pop();
            continue;
        };
        session.rewind(&node.mark);
        node.next = match choice + 1 < session.system.choices(thread) {
            true => (at, choice + 1),
            false => (at + 1, 0),
        };
        match session.step(Turn { thread, choice }) {
            Progress::On => descend(session, &mut stack),
            Progress::Ended => {}
        }
        if session.control() == Control::Stop {
            return;
        }
    }
}

/// Opens the present state as a node, or finishes the execution if nobody can go on.
fn descend<S: System>(
    session: &mut Session<'_, S>,
    stack: &mut Vec<Node<crate::session::SessionMark<S::Mark>>>,
) {
    let mut enabled = Vec::new();
    session.enabled(&mut enabled);
    if enabled.is_empty() {
        return session.finish();
    }
    stack.push(Node { mark: session.mark(), enabled, next: (0, 0) });
}
