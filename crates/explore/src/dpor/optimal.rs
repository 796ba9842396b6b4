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
        let Some(path) = find_place(walk, position, &mut sequence, later) else {
            return walk.give_back(sequence);
        };
        let mut branch = Branch {
            label: Label::of(later.thread),
            accesses: later.accesses.clone(),
            then: Vec::new(),
            certain: race.certain,
        };
        for unit in sequence.iter().rev() {
            let (label, accesses) =
                (walk.labels[*unit as usize].clone(), walk.order.accesses(*unit).to_vec());
            branch = Branch { label, accesses, then: vec![branch], certain: race.certain };
        }
        walk.give_back(sequence);
        let (mut branches, mut first) = walk.branches_mut(position);
        for at in path {
            branches = &mut branches[first + at].then;
            first = 0;
        }
        branches.push(branch);
    }
}

/// Where in the tree of a node a sequence has to be added; what stands in the tree already is removed from it.
/// `None`: nowhere, it is explored anyway.
fn find_place<S: System>(
    walk: &Walk<'_, '_, S>,
    position: usize,
    sequence: &mut Vec<u32>,
    later: &Later,
) -> Option<Vec<usize>> {
    let mut path = Vec::new();
    let mut branches = walk.branches(position);
    loop {
        let found =
            branches.iter().enumerate().filter(|(_, branch)| branch.certain).find_map(|(at, branch)| {
                let removed = is_weak_initial(walk, &branch.label, &branch.accesses, sequence, later)?;
                Some((at, branch, removed))
            });
        let Some((at, branch, removed)) = found else { return Some(path) };
        match removed {
            Part::Begins(unit) if unit < sequence.len() => drop(sequence.remove(unit)),
            Part::Begins(_) => return None,
            _ => {}
        }
        if branch.then.is_empty() {
            return None;
        }
        path.push(at);
        branches = &branch.then;
    }
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
