//! Wake-up trees: where a sequence of units belongs in one.
//!
//! A tree is a list of branches, each a sequence of units and then a tree. A sequence `v` that is to be explored follows the first
//! branch whose first unit is a *weak initial* of it: that unit begins `v` in some order, or it has no part in `v` and depends on
//! none of it. What the branch and `v` have in common is removed from `v`, and so on below. If nothing of `v` is left, or the
//! branch ends, exploring the branch explores `v` as well. Where no branch can be followed, what is left of `v` becomes a new one,
//! to the right of all others.
//!
//! A branch that may turn out to be impossible is not followed: it explores nothing for sure.

use super::branch::{Branch, Certainty, Entry, Planned};
use super::partial_order::{NONE, PartialOrder};
use super::walk::{Label, Later};
use crate::core::dependence::{self, Access, Mode};
use selvedge_trace::Agent;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A unit of a sequence to be explored: its thread, and its number, which the sequence gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Who.
    pub agent: Agent,
    /// Which.
    pub unit: u32,
}

/// A sequence of units to be explored. It knows them by numbers.
pub(super) trait Sequence {
    /// A unit, as it is to be planned.
    fn planned(&self, unit: u32) -> Planned;
    /// Whether a unit is what the label, which is one of its thread, says.
    fn is(&self, unit: u32, label: &Label) -> bool;
    /// What it touches.
    fn accesses(&self, unit: u32) -> &[Access];
    /// Whether a unit has to come before a later one.
    fn precedes(&self, unit: u32, later: u32) -> bool;
}

/// Units of the present execution, then the later one of a race.
pub(super) struct Local<'a> {
    /// The execution.
    pub order: &'a PartialOrder,
    /// The labels of its units.
    pub labels: &'a [Label],
    /// The units, without the later one.
    pub units: &'a [u32],
    /// The later one.
    pub later: &'a Later,
    /// Where it begins.
    pub position: usize,
}

/// The number of the later unit of a race; the others have that of their place in the execution.
pub(super) const LATER: u32 = NONE;

impl Local<'_> {
    /// The first of the units, and the later one.
    pub fn left(&self, count: usize) -> impl Iterator<Item = Left> {
        let units =
            self.units[..count].iter().map(|unit| Left { agent: self.order.agent(*unit), unit: *unit });
        units.chain([Left { agent: self.later.thread, unit: LATER }])
    }

    /// How many of the units stand before the later one in the execution.
    pub fn before_later(&self) -> usize {
        self.units.partition_point(|unit| *unit < self.later.unit)
    }

    /// Whether a unit that begins the sequence does so whatever comes behind the later one in an execution.
    pub fn is_settled(&self, unit: u32) -> bool {
        match unit {
            LATER => self.later_is_as_it_was(),
            _ => unit < self.later.unit,
        }
    }

    /// Whether the later unit touches the same before the earlier one as it did behind it: then what did not happen after it in
    /// the execution does not depend on it there, either.
    fn later_is_as_it_was(&self) -> bool {
        if self.later.unit == NONE {
            return true;
        }
        let was = self.order.accesses(self.later.unit);
        let touched = |access: &Access| (access.granule, access.mask, access.mode);
        was.iter().map(touched).eq(self.later.accesses.iter().map(touched))
    }

    /// Whose past is, together with its own, what happened before the later one but for its accesses.
    pub fn base(&self) -> impl Iterator<Item = u32> {
        let before = if self.later.unit == NONE { self.order.length() as u32 } else { self.later.unit };
        self.order.base_of(self.later.thread, self.later.drains, before)
    }
}

/// The units before a node: those that the walk has performed, and those that somebody else has.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    /// The execution.
    pub order: &'a PartialOrder,
    /// What the units of the walk are called.
    pub performed: &'a [Label],
    /// Then units that somebody else has performed: places in branches.
    pub others: &'a [(Arc<Branch>, usize)],
}

impl Before<'_> {
    /// Whether a store has reached memory.
    pub fn has(&self, store: Agent) -> bool {
        let mut others = self.others.iter().map(|(branch, at)| branch.label(*at));
        self.performed.iter().any(|label| label.thread == store) || others.any(|label| label.thread == store)
    }

    /// How many threads have yet to arrive at a barrier, given an arrival there; `None` if that is not known.
    pub fn remaining(&self, arrival: &Access) -> Option<u32> {
        let here = |access: &&Access| access.granule == arrival.granule && access.mode != Mode::Read;
        let mut remaining = self.order.remaining_at(arrival, self.performed.len())?;
        for access in self.others.iter().flat_map(|(branch, at)| branch.accesses(*at)).filter(here) {
            remaining = match access.mode {
                Mode::Arrive => remaining.checked_sub(1)?,
                _ => return None,
            };
        }
        Some(remaining)
    }
}

/// The stores that have reached memory before a sequence.
pub(super) struct Arrived<'a> {
    /// The way to the node.
    before: Before<'a>,
    /// Stores in the tree, on the way from the node.
    passed: Vec<Agent>,
    /// The barriers of arrivals in the tree, on the way from the node.
    arrivals: Vec<u64>,
}

impl Arrived<'_> {
    /// Those on the way to the node.
    pub fn new(before: Before<'_>) -> Arrived<'_> {
        Arrived { before, passed: Vec::new(), arrivals: Vec::new() }
    }

    fn pass(&mut self, unit: &Planned) {
        if !unit.label.thread.is_thread() {
            self.passed.push(unit.label.thread);
        }
        let arrivals = unit.accesses().iter().filter(|access| access.mode == Mode::Arrive);
        self.arrivals.extend(arrivals.map(|access| access.granule));
    }

    /// Whether an arrival at a barrier that has no part in a sequence would be the last one after it.
    fn is_last_after(&self, arrival: &Access, sequence: &impl Sequence, rest: &[Left]) -> bool {
        let arrives = |left: &&Left| {
            let same = |other: &Access| other.mode == Mode::Arrive && other.granule == arrival.granule;
            sequence.accesses(left.unit).iter().any(same)
        };
        let later = rest.iter().filter(arrives).count();
        let passed = self.arrivals.iter().filter(|granule| **granule == arrival.granule).count();
        let last = |remaining: u32| remaining as usize <= passed + later + 1;
        later > 0 && self.before.remaining(arrival).is_none_or(last)
    }

    fn has(&self, store: Agent) -> bool {
        self.passed.contains(&store) || self.before.has(store)
    }
}

impl Sequence for Local<'_> {
    fn planned(&self, unit: u32) -> Planned {
        match unit {
            LATER => Planned::new(Label::of(self.later.thread), &self.later.accesses),
            _ => Planned::new(self.labels[unit as usize].clone(), self.order.accesses(unit)),
        }
    }

    fn is(&self, unit: u32, label: &Label) -> bool {
        // The later one may do something else now; all its alternatives are tried.
        unit == LATER || self.labels[unit as usize] == *label
    }

    fn accesses(&self, unit: u32) -> &[Access] {
        if unit == LATER { &self.later.accesses } else { self.order.accesses(unit) }
    }

    fn precedes(&self, unit: u32, later: u32) -> bool {
        if later != LATER {
            return self.order.is_before(unit, later);
        }
        let arrived = |store: Agent| {
            self.order.has_arrived(store, self.position)
                || self.units.iter().any(|unit| self.order.agent(*unit) == store)
        };
        // A load of an own store comes after nothing because of that.
        dependence::dependent_after(self.order.accesses(unit), &self.later.accesses, |_| false, arrived)
            || self.base().any(|base| self.order.is_before(unit, base))
    }
}

/// What is left of a sequence.
pub(super) struct Rest {
    units: Vec<Left>,
    /// A bit for each thread that may have a part in it: most labels that are looked at have none.
    threads: u64,
}

impl Rest {
    /// All of these.
    pub fn new(units: Vec<Left>) -> Self {
        let threads = units.iter().fold(0, |threads, left| threads | Self::bit(left.agent));
        Self { units, threads }
    }

    fn bit(agent: Agent) -> u64 {
        1 << (agent.thread().number() % 64)
    }

    /// Where the first unit of somebody is.
    fn position(&self, agent: Agent) -> Option<usize> {
        match self.threads & Self::bit(agent) {
            0 => None,
            _ => self.units.iter().position(|left| left.agent == agent),
        }
    }

    /// The unit at a place.
    pub fn unit(&self, at: usize) -> u32 {
        self.units[at].unit
    }

    /// Removes what a weak initial stands for; false if nothing is left.
    fn remove(&mut self, initial: WeakInitial) -> bool {
        if let WeakInitial::Begins(at) = initial {
            self.units.remove(at);
        }
        !self.units.is_empty()
    }

    /// The list, to be used again.
    pub fn into_units(self) -> Vec<Left> {
        self.units
    }
}

/// How a label is a weak initial of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WeakInitial {
    /// It has no part in it: its thread does not occur, and it depends on nothing.
    Apart,
    /// It begins it, with the unit at this place among those that are left.
    Begins(usize),
}

/// How a label is a weak initial of what is left of a sequence, if it is one.
pub(super) fn weak_initial(
    sequence: &impl Sequence,
    rest: &Rest,
    label: &Label,
    accesses: &[Access],
    before: &Arrived<'_>,
) -> Option<WeakInitial> {
    let units = &rest.units[..];
    match rest.position(label.thread) {
        Some(at) => {
            let unit = units[at].unit;
            let begins = sequence.is(unit, label)
                && !units[..at].iter().any(|earlier| sequence.precedes(earlier.unit, unit));
            begins.then_some(WeakInitial::Begins(at))
        }
        None => {
            // From the end: there stands what the race is about.
            let depends = units.iter().enumerate().rev().any(|(at, left)| {
                let arrived = |store: Agent| before.has(store);
                let by_then =
                    |store: Agent| before.has(store) || units[..at].iter().any(|other| other.agent == store);
                dependence::dependent_after(accesses, sequence.accesses(left.unit), arrived, by_then)
            });
            let mut arrivals = accesses.iter().filter(|access| access.mode == Mode::Arrive);
            let hinders = |arrival: &Access| before.is_last_after(arrival, sequence, units);
            (!depends && !arrivals.any(hinders)).then_some(WeakInitial::Apart)
        }
    }
}

/// Where in a tree a sequence has to be added: which branches it follows, and how far. What stands in the tree
/// already is removed from it. False: nowhere, it is explored anyway.
pub(super) fn find_place(
    mut branches: &[Entry],
    sequence: &impl Sequence,
    rest: &mut Rest,
    place: &mut Vec<(usize, usize)>,
    mut before: Arrived<'_>,
) -> bool {
    place.clear();
    loop {
        let found = branches.iter().enumerate().find_map(|(at, branch)| {
            if branch.certainty == Certainty::Uncertain {
                return None;
            }
            let first = &branch.first;
            let initial = weak_initial(sequence, rest, &first.label, first.accesses(), &before)?;
            Some((at, branch, initial))
        });
        let Some((at, branch, initial)) = found else { return true };
        if !rest.remove(initial) {
            return false;
        }
        before.pass(&branch.first);
        if !branch.is_single {
            for (length, unit) in (1..).zip(branch.more()) {
                let initial = weak_initial(sequence, rest, &unit.label, unit.accesses(), &before);
                let Some(initial) = initial else {
                    place.push((at, length));
                    return true;
                };
                if !rest.remove(initial) {
                    return false;
                }
                before.pass(unit);
            }
        }
        if branch.then.is_empty() {
            return false;
        }
        place.push((at, branch.length()));
        branches = &branch.then;
    }
}

/// What is left of a sequence, as a branch.
pub(super) fn branch_of(sequence: &impl Sequence, rest: &Rest, certainty: Certainty) -> Option<Branch> {
    let (first, more) = rest.units.split_first()?;
    let more = more.iter().map(|left| sequence.planned(left.unit)).collect();
    let mut branch = Branch::with(sequence.planned(first.unit), more);
    branch.certainty = certainty;
    Some(branch)
}
