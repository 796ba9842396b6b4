//! Source-set dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas; POPL 2014), with sleep sets.
//!
//! When `e'` races with an earlier unit `e`, the other order must be explored as well: from the node before `e`,
//! the units between them that did not happen after `e`, and then `e'` (`v`). It is enough that one of the
//! *initials* of `v` (labels that can begin it) is tried at that node; which one does not matter. If an initial
//! of `v` is asleep there, `v` has been explored in another order.
//!
//! Unlike [`super::optimal`], only the first label is remembered. What comes after it is chosen freely, and may
//! run into threads that are asleep: such explorations are cut and counted as blocked.

use super::branch::Branch;
use super::partial_order::{NONE, Race};
use super::walk::{self, Algorithm, Label, Later, Recurrence, Walk};
use crate::Session;
use crate::{About, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use selvedge_memory::System;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "source",
    help: "Partial-order reduction by source sets",
    text: "\
         partial-order reduction by source sets: the same verdict; some executions are begun in\n\
         vain and given up when that is noticed (they count as blocked).",
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

pub(super) struct Source;

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    walk::explore::<Source, S>(session);
}

impl Algorithm for Source {
    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence> {
        let position = race.first as usize;
        let to = if later.unit == NONE { walk.present.order.length() } else { later.unit as usize };
        let kept = walk.kept(race, later, to);
        if !walk.is_covered(position, &kept, later) {
            let mut branch = match kept.first() {
                Some(unit) => Branch::of(
                    walk.present.labels[*unit as usize].clone(),
                    walk.present.order.accesses(*unit),
                ),
                None => Branch::of(Label::of(later.thread), &later.accesses),
            };
            branch.certainty = race.certainty;
            walk.add(position, branch);
        }
        walk.give_kept_back(kept);
        None
    }
}
