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
//! at the end of all of them: those that are found then are found below. *Blocking*: see [`super::order`] for which
//! pairs race; what `v` looks like is no different. The later unit may be one that never happened, because its
//! thread is blocked at the end.

use super::access::{self, Access};
use super::engine::{self, Algorithm, Branch, Label, Later, Part, Walk};
use super::order::Race;
use crate::Session;
use selvedge_memory::System;

struct Optimal;

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) {
    engine::explore::<Optimal, S>(session);
}

impl Algorithm for Optimal {
    const WEAK: bool = true;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) {
        let position = race.first as usize;
        let length = walk.order.len();
        let mut sequence = walk.kept(race, later, length);
        let asleep = |(label, accesses): (&Label, &[Access])| {
            is_weak_initial(walk, label, accesses, &sequence, later).is_some()
        };
        if walk.asleep(position).any(asleep) {
            return walk.give_back(sequence);
        }
        let Some(place) = find_place(walk, position, &mut sequence, later) else {
            return walk.give_back(sequence);
        };
        let mut branch = Branch::default();
        branch.uncertain = !race.certain;
        for unit in &sequence {
            branch.push(walk.labels[*unit as usize].clone(), walk.order.accesses(*unit));
        }
        branch.push(Label::of(later.thread), &later.accesses);
        walk.give_back(sequence);
        let (mut branches, mut first) = walk.branches_mut(position);
        for (at, length) in place {
            let branch = &mut branches[first + at];
            if length < branch.labels.len() {
                branch.split(length);
            }
            branches = &mut branch.then;
            first = 0;
        }
        branches.push(branch);
    }
}

/// Where in the tree of a node a sequence has to be added: which branches it follows, and how far. What stands in
/// the tree already is removed from it. `None`: nowhere, it is explored anyway.
fn find_place<S: System>(
    walk: &Walk<'_, '_, S>,
    position: usize,
    sequence: &mut Vec<u32>,
    later: &Later,
) -> Option<Vec<(usize, usize)>> {
    let mut place = Vec::new();
    let mut branches = walk.branches(position);
    loop {
        let found = branches.iter().enumerate().filter(|(_, branch)| !branch.uncertain).find_map(|(at, branch)| {
            let part = is_weak_initial(walk, &branch.labels[0], branch.accesses(0), sequence, later)?;
            Some((at, branch, part))
        });
        let Some((at, branch, part)) = found else { return Some(place) };
        remove(part, sequence)?;
        for (length, label) in branch.labels.iter().enumerate().skip(1) {
            let Some(part) = is_weak_initial(walk, label, branch.accesses(length), sequence, later) else {
                place.push((at, length));
                return Some(place);
            };
            remove(part, sequence)?;
        }
        if branch.then.is_empty() {
            return None;
        }
        place.push((at, branch.labels.len()));
        branches = &branch.then;
    }
}

/// Removes the part that a label has in a sequence; `None` if that was its last unit.
fn remove(part: Part, sequence: &mut Vec<u32>) -> Option<()> {
    match part {
        Part::Begins(at) if at < sequence.len() => drop(sequence.remove(at)),
        Part::Begins(_) => return None,
        _ => {}
    }
    Some(())
}

/// Whether a label is a weak initial of a sequence, and which part it has in it.
fn is_weak_initial<S: System>(
    walk: &Walk<'_, '_, S>,
    label: &Label,
    accesses: &[Access],
    sequence: &[u32],
    later: &Later,
) -> Option<Part> {
    match walk.part(label, sequence, later) {
        Part::Later => None,
        Part::None => {
            let depends = access::dependent(accesses, &later.accesses)
                || sequence.iter().any(|unit| walk.order.depends(*unit, accesses));
            (!depends).then_some(Part::None)
        }
        begins => Some(begins),
    }
}
