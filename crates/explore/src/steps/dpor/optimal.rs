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
//! Departures. *Races are looked at once*, at the end of the first execution in which the later unit stands, not
//! at the end of all of them: what these would add is found below. (After another alternative of a choice has been
//! taken, all races are looked at again: the sequences contain the choice.) *Blocking*: see [`super::partial_order`] for which
//! pairs race; what `v` looks like is no different. The later unit may be one that never happened, because its
//! thread is blocked at the end.

use super::bounded;
use super::branch::Branch;
use super::partial_order::Race;
use super::requests::Requests;
use super::sharing;
use super::wakeup::{Arrived, Before, LATER, Left, Local, Rest, branch_of, find_place, weak_initial};
use super::walk::{self, Algorithm, Label, Later, Walk};
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
         small enough. With several --workers, as `graph`; the result does not depend on their\n\
         number. --estimate tells in advance how many executions there will be, more or less.\n\
         If no explorer is named, sc is tried by `graph` first. A program that has no waiting loops, condition\n\
         variables, semaphores, barriers, readers-writer locks or atomic sections has the same executions\n\
         there, and is explored faster. If `graph` finds a violation, that is the answer, told by steps (with\n\
         --keep-going, `optimal` lists them all). Whatever else it comes to, `optimal` begins anew, at the\n\
         latest after half of the time limit.",
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

/// Explores with several workers; the result is the same.
pub fn explore_together<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    sharing::explore(session, crew);
}

impl Algorithm for Optimal {
    const WEAK: bool = true;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) {
        let position = race.first as usize;
        let length = walk.present.order.length();
        let units = walk.kept(race, later, length);
        let mut left = walk.take_left();
        let mut place = std::mem::take(&mut walk.scratch.place);
        let present = &walk.present;
        left.extend(units.iter().map(|unit| Left { agent: present.order.agent(*unit), unit: *unit }));
        left.push(Left { agent: later.thread, unit: LATER });
        let mut rest = Rest::new(left);
        let sequence =
            Local { order: &present.order, labels: &present.labels, units: &units, later, position };
        let before = Arrived::new(walk.before(position));
        let begins = |(label, accesses): (&Label, &[Access])| {
            weak_initial(&sequence, &rest, label, accesses, &before).is_some()
        };
        if !walk.asleep(position).any(begins)
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
