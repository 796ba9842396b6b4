//! Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas; POPL 2014, JACM 2017): exactly
//! one execution for each order of dependent operations, and no exploration that turns out to be redundant.
//!
//! When `e'` races with an earlier unit `e`, the sequence to be explored from the node before `e` is `v`: all
//! later units that did not happen after `e`, to the end of the execution, and then `e'`. If a label that is asleep
//! there is a *weak initial* of `v` (it begins `v` in some order, or has no part in it and depends on none of it),
//! `v` has been explored, or will be: the exploration that began with that label has seen to it. Otherwise `v` is
//! inserted into the *wake-up tree* of the node, its branches: it follows those that are weak initials of it, and
//! what is left of it becomes a new branch, to the right of all others; if it comes to the end of a branch, that
//! one will find it. So after `v` nobody who was asleep at the node still is, and the walk goes on freely: it
//! never runs into sleeping threads.
//!
//! Departures. *Most races are looked at once*, at the end of the first execution in which the later unit stands, not
//! at the end of all of them, in which the rest of `v` differs. Let `c` be the units of `v` that stand before `e'` in the execution, and
//! `t` those behind it.
//!
//! * If something asleep begins `c e'`, it begins `v` whatever `t` is: the race never leads to anything.
//! * If all that is asleep depends on `c e'`, nothing of it begins any `v`. So the first one is inserted, or the tree has it.
//!   What another `t` would have added is found below: when the last branch of the node has been explored, everything that is
//!   asleep has been seen with each order of what it depends on.
//! * If something asleep has no part in `c e'`, and depends on none of it, it depends on `t` whether it begins `v`. The race is
//!   looked at again in each execution where that may have changed ([`Recurrence`]). For example, a thread reads `x` and another fails to take a lock because a
//!   third has it: the read, when asleep, covers that as long as nobody writes to `x` before it, which somebody may do in `t`.
//!
//! (After another alternative of a choice has been taken, all races are looked at again: the sequences contain the choice.) *Blocking*:
//! see [`super::partial_order`] for which pairs race; what `v` looks like is no different. The later unit may be one that never
//! happened, because its thread is blocked at the end.

use super::bounded;
use super::branch::Branch;
use super::partial_order::Race;
use super::requests::Requests;
use super::sharing;
use super::wakeup::{Arrived, Before, Local, Rest, WeakInitial, branch_of, find_place, weak_initial};
use super::walk::{self, Algorithm, Covered, Label, Later, Recurrence, Walk};
use crate::Crew;
use crate::Session;
use crate::core::dependence::Access;
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use selvedge_memory::System;
use std::sync::Arc;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "optimal",
    help: "Optimal partial-order reduction: one execution for each order of dependent operations",
    text: "\
         optimal partial-order reduction, the default for sc, tso and pso: one execution for each\n\
         order of operations that depend on each other. Executions that differ in the order of\n\
         others only are not run again. Ends with a proof for the inputs given, if the program is\n\
         small enough. --estimate tells in advance how many executions there will be, more or less.\n\
         Updates (fetch_add, …) whose results nobody uses have no order among each other.\n\
         If no explorer is named, sc is tried by `graph` first. A program that has no waiting loops\n\
         of more than one access, condition variables, semaphores, barriers, readers-writer locks,\n\
         atomic sections or such updates has the same executions there, and is explored faster. If\n\
         `graph` finds a violation, that is the answer, told by steps (with --keep-going, `optimal`\n\
         lists them all). Whatever else it comes to, `optimal` begins anew, at the latest after half\n\
         of the time limit.",
    explores: Explores::Steps,
    workers: Workers::Several,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Always,
    promise: Promise::Orders,
    counts: Counting::Nothing,
    accepts: &[Choice::Preemptions, Choice::Estimate, Choice::Seed],
    bounded_name: Some("bounded"),
};

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    match task.options.preemptions {
        Some(most) => bounded::explore(task.session, most),
        None if task.workers > 1 => {
            let (session, crew) = task.crew();
            explore_together(session, &crew);
        }
        None => explore(task.session),
    }
    Counted::Nothing
}

pub(super) struct Optimal;

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    walk::explore::<Optimal, S>(session);
}

/// Explores as the session is set.
pub(super) fn explore_as_set<S: System>(session: &mut Session<'_, S>) {
    walk::explore_as_set::<Optimal, S>(session);
}

/// Explores with several workers; the result is the same.
pub fn explore_together<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    sharing::explore(session, crew);
}

impl Algorithm for Optimal {
    const WEAK: bool = true;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence> {
        let position = race.first as usize;
        let length = walk.present.order.length();
        let units = walk.kept(race, later, length);
        let mut left = walk.take_left();
        let mut place = std::mem::take(&mut walk.scratch.place);
        let present = &walk.present;
        let sequence =
            Local { order: &present.order, labels: &present.labels, units: &units, later, position };
        let before = Arrived::new(walk.before(position));
        left.extend(sequence.left(units.len()));
        let mut rest = Rest::new(left);
        let covering = covering(walk.asleep(position), &sequence, &rest, &before);
        let recurrence = match covering {
            Covering::Always => None,
            Covering::Now(covered) => Some(Recurrence { covered: Some(covered) }),
            Covering::No => may_be_covered(walk, &sequence).then_some(Recurrence { covered: None }),
        };
        if covering == Covering::No
            && find_place(walk.tree(position).left(), &sequence, &mut rest, &mut place, before)
        {
            if walk.is_foreign(position) {
                walk.foreign.requests.add(&sequence, race.certainty);
            } else if let Some(branch) = branch_of(&sequence, &rest, race.certainty) {
                walk.graft(position, &place, branch);
            }
        }
        walk.scratch.place = place;
        walk.give_kept_back(units);
        walk.give_left_back(rest.into_units());
        recurrence
    }

    fn recurs<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence> {
        let position = race.first as usize;
        let units = walk.kept(race, later, later.unit as usize);
        let present = &walk.present;
        let sequence =
            Local { order: &present.order, labels: &present.labels, units: &units, later, position };
        let recurs = may_be_covered(walk, &sequence);
        walk.give_kept_back(units);
        recurs.then_some(Recurrence { covered: None })
    }
}

/// Whether something that is asleep begins the sequence of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Covering {
    /// It does, whatever comes behind the later unit in an execution.
    Always,
    /// It does in the present one.
    Now(Covered),
    /// It does not in the present one.
    No,
}

/// Whether something that is asleep begins the sequence of a race, all of which is left.
fn covering<'a>(
    asleep: impl Iterator<Item = (&'a Label, &'a [Access])>,
    sequence: &Local<'_>,
    rest: &Rest,
    before: &Arrived<'_>,
) -> Covering {
    let mut covering = Covering::No;
    for (sleeper, (label, accesses)) in asleep.enumerate() {
        let Some(initial) = weak_initial(sequence, rest, label, accesses, before) else { continue };
        let unit = match initial {
            WeakInitial::Begins(at) => Some(rest.unit(at)),
            WeakInitial::Apart => None,
        };
        if unit.is_some_and(|unit| sequence.is_settled(unit)) {
            return Covering::Always;
        }
        if covering == Covering::No {
            covering = Covering::Now(Covered { sleeper, unit });
        }
    }
    covering
}

/// Whether the sequence of a race may be begun by something that is asleep, depending on what comes behind the later unit in an
/// execution.
fn may_be_covered<S: System>(walk: &Walk<'_, '_, S>, sequence: &Local<'_>) -> bool {
    let mut asleep = walk.asleep(sequence.position).peekable();
    if asleep.peek().is_none() {
        return false;
    }
    let rest = Rest::new(sequence.left(sequence.before_later()).collect());
    let before = Arrived::new(walk.before(sequence.position));
    match covering(asleep, sequence, &rest, &before) {
        Covering::Now(_) => true,
        Covering::Always | Covering::No => false,
    }
}

/// Inserts a sequence that somebody else has found into the tree of a node, given the way to it. Nothing that is asleep there
/// begins it: the other one has seen to that, and the same is asleep there now.
pub(super) fn insert<S: System>(
    walk: &mut Walk<'_, '_, S>,
    requests: &Requests,
    number: usize,
    others: &[(Arc<Branch>, usize)],
) {
    let position = requests.position(number);
    let mut left = walk.take_left();
    let mut place = std::mem::take(&mut walk.scratch.place);
    let own = walk.before(position);
    let others = &others[..(position - own.performed.len()).min(others.len())];
    let before = Before { others, ..own };
    let request = requests.get(number, before);
    left.extend(request.units());
    let mut rest = Rest::new(left);
    if find_place(walk.tree(position).left(), &request, &mut rest, &mut place, Arrived::new(before)) {
        if walk.is_foreign(position) {
            walk.foreign.requests.add_again(requests, number);
        } else if let Some(branch) = branch_of(&request, &rest, requests.certainty(number)) {
            walk.graft(position, &place, branch);
        }
    }
    walk.scratch.place = place;
    walk.give_left_back(rest.into_units());
}
