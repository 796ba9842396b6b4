//! Bounded partial-order reduction (Coons, Musuvathi, McKinley; OOPSLA 2013): all that can happen with at most so
//! many preemptions, in fewer executions than there are.
//!
//! A preemption is a switch away from a thread that could have gone on and did not just yield. What is equivalent
//! need not have the same number of preemptions, so a reduction may not leave out an execution because of another
//! that the bound forbids. Therefore:
//!
//! * When `e'` races with an earlier unit `e`, the thread of `e'` is tried not only before `e`, but also where the
//!   thread of `e` was switched to last: there it may cost no preemption, and everything in between can come later.
//!   (If that thread is not enabled there, all that are, are tried.)
//!   The same goes for places in between where the thread had given up its turn.
//! * What makes an operation possible counts as a race with it: a thread that comes to a lock, a semaphore or a join
//!   before that has to wait there, and to leave a thread that waits costs nothing.
//! * A store that reaches memory is nobody's turn: it costs nothing, and the running thread stays the same. If one
//!   takes part in a race, all that can take a step are tried: the running thread may go on before it arrives.
//!   Where stores arrive just before a thread is switched to, it may have been switched to before or after each of them.
//! * There are no sleep sets: what was tried elsewhere may have been cut by the bound.
//! * The running thread goes on as long as it can, which costs nothing.
//!
//! So executions may be equivalent to one another; their number is at most that of the explorer `context`.

use super::branch::Branch;
use super::partial_order::Race;
use super::walk::{self, Algorithm, Label, Later, Recurrence, Walk};
use crate::{Limit, Session};
use selvedge_memory::System;
use selvedge_trace::Agent;

struct Bounded;

/// Explores executions with at most `most` preemptions.
pub fn explore<S: System>(session: &mut Session<'_, S>, most: u32) {
    if walk::explore_bounded::<Bounded, S>(session, most) {
        session.reach(Limit::Preemptions(most));
    }
}

impl Algorithm for Bounded {
    const NEEDS_ENABLED: bool = true;
    const SLEEPS: bool = false;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence> {
        let first = race.first as usize;
        // Whoever goes on before a store arrives can do so for free: everybody is tried.
        let arrives = !later.thread.is_thread() || !walk.present.labels[first].thread.is_thread();
        let wanted = (!arrives).then_some(later.thread);
        try_from(walk, first, wanted);
        // A store that reaches memory does so in somebody's turn, mostly.
        let turn = walk.present.labels[..=first].iter().rev().find(|label| label.thread.is_thread());
        let turn = turn.map_or(walk.present.labels[first].thread, |label| label.thread);
        let others = |at: &usize| {
            let agent = walk.present.labels[*at].thread;
            agent.is_thread() && agent != turn
        };
        let switched = (0..first).rev().find(others).map_or(0, |at| at + 1);
        // Stores that arrived after that, before the turn's own first step, belong to neither: each place between them is one
        // where the thread was switched to.
        let begin = (switched..first).find(|at| walk.present.labels[*at].thread == turn).unwrap_or(first);
        for position in switched..=begin {
            if position != first {
                try_from(walk, position, wanted);
            }
        }
        // In between, the thread may have yielded, or waited for its buffer: leaving it there was free, too.
        for position in begin + 1..first {
            if walk.is_nobodys_turn(position) {
                try_from(walk, position, wanted);
            }
        }
        None
    }
}

/// Lets a thread be tried at a node; if none is wanted, or it cannot take a step there, all that can.
fn try_from<S: System>(walk: &mut Walk<'_, '_, S>, position: usize, wanted: Option<Agent>) {
    let enabled = walk.enabled_at(position);
    let threads = match wanted.filter(|thread| enabled.contains(thread)) {
        Some(thread) => vec![thread],
        None => enabled.to_vec(),
    };
    for thread in threads {
        let known = walk.present.labels[position].thread == thread
            || walk.covering(position).any(|(label, _)| label.thread == thread);
        if !known {
            walk.add(position, Branch::of(Label::of(thread), &[]));
        }
    }
}
