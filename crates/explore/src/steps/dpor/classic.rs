//! Dynamic partial-order reduction by persistent sets (Flanagan, Godefroid; POPL 2005), with sleep sets: the
//! baseline of the others.
//!
//! When `e'` races with an earlier unit `e`, a thread is added to those tried at the node before `e`: one that is
//! enabled there and that is the thread of `e'`, or has a unit between the two that happened before `e'`. If
//! there is none, all enabled threads are added.
//!
//! Departures. The paper looks at the last race of an operation only; here all that nothing else orders are looked
//! at (the others would be found later). And with sleep sets the thread to be added may be asleep, although the
//! other order has not been explored: something between `e` and `e'` would wake it. So if only sleeping threads
//! are left, and none of them could begin the sequence from `e` to `e'`, all others are added.

use super::branch::Branch;
use super::partial_order::{NONE, Race};
use super::walk::{self, Algorithm, Label, Later, Recurrence, Walk};
use crate::Session;
use crate::{About, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use selvedge_memory::System;
use selvedge_trace::Agent;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "classic",
    help: "Partial-order reduction by persistent sets",
    text: "\
         partial-order reduction by persistent sets: the oldest of these, to compare with.",
    explores: Explores::Steps,
    workers: Workers::One,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Always,
    promise: Promise::Complete,
    counts: Counting::Nothing,
    accepts: &[],
    bounded_name: None,
};

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    explore(task.session);
    Counted::Nothing
}

struct Classic;

/// Explores, with threads that go round waiting loops in vain: if they are blocked instead, choices are not always tried on both sides.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    walk::explore_as_set::<Classic, S>(session);
}

impl Algorithm for Classic {
    const NEEDS_ENABLED: bool = true;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence> {
        let position = race.first as usize;
        let to = if later.unit == NONE { walk.present.order.length() } else { later.unit as usize };
        let kept = walk.kept(race, later, to);
        if walk.is_covered(position, &kept, later) {
            walk.give_kept_back(kept);
            return None;
        }
        let leads = |unit: &u32| match later.unit {
            NONE => walk.present.order.depends(*unit, &later.accesses),
            later => walk.present.order.is_before(*unit, later),
        };
        let mut leading: Vec<Label> = vec![Label::of(later.thread)];
        for unit in kept.iter().filter(|unit| leads(unit)) {
            let label = &walk.present.labels[*unit as usize];
            // Only what the thread does first can be tried at the node.
            if !leading.iter().skip(1).any(|other| other.thread == label.thread) {
                leading.push(label.clone());
            }
        }
        if leading.iter().skip(1).any(|label| label.thread == later.thread) {
            leading.remove(0);
        }
        walk.give_kept_back(kept);
        let tried: Vec<Label> = walk.covering(position).map(|(label, _)| label.clone()).collect();
        let enabled = walk.enabled_at(position).to_vec();
        let candidate =
            leading.iter().find(|label| enabled.contains(&label.thread) && !tried.contains(label));
        match candidate {
            Some(label) => add(walk, position, label.clone()),
            None => {
                let current = walk.present.labels[position].thread;
                let is_new = |thread: &&Agent| {
                    **thread != current && !tried.iter().any(|label| label.thread == **thread)
                };
                enabled.iter().filter(is_new).for_each(|thread| add(walk, position, Label::of(*thread)));
            }
        }
        None
    }
}

/// Adds a label to those tried at a node.
fn add<S: System>(walk: &mut Walk<'_, '_, S>, position: usize, label: Label) {
    walk.add(position, Branch::of(label, &[]));
}
