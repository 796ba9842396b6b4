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
//! taken, all races are looked at again: the sequences contain the choice.) *Blocking*: see [`super::order`] for which
//! pairs race; what `v` looks like is no different. The later unit may be one that never happened, because its
//! thread is blocked at the end.

use super::bounded;
use super::branch::{Branch, Branches, Planned};
use super::engine::{self, Algorithm, Before, Label, Later, Walk};
use super::order::{NONE, Order, Race};
use super::parallel::{self, Requests};
use crate::Crew;
use crate::Session;
use crate::core::dependence::{self, Access, Mode};
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use selvedge_memory::System;
use selvedge_trace::Agent;

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
    engine::explore::<Optimal, S>(session);
}

/// Explores with several workers; the result is the same.
pub fn explore_together<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    parallel::explore(session, crew);
}

impl Algorithm for Optimal {
    const WEAK: bool = true;

    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) {
        let position = race.first as usize;
        let length = walk.order.length();
        let units = walk.kept(race, later, length);
        let mut rest = walk.take_list();
        let mut place = std::mem::take(&mut walk.place);
        rest.extend(units.iter().map(|unit| Left { agent: walk.order.agent(*unit), unit: *unit }));
        rest.push(Left { agent: later.thread, unit: LATER });
        let mut rest = Rest::new(rest);
        let sequence = Local { order: &walk.order, labels: &walk.labels, units: &units, later, position };
        let before = Arrived::new(walk.before(position));
        let begins = |(label, accesses): (&Label, &[Access])| {
            is_weak_initial(&sequence, &rest, label, accesses, &before).is_some()
        };
        if !walk.asleep(position).any(begins)
            && find_place(walk.tree(position), &sequence, &mut rest, &mut place, before)
        {
            if walk.is_foreign(position) {
                walk.requests.add(&sequence, race.certain);
            } else if let Some(branch) = branch_of(&sequence, &rest, race.certain) {
                graft(walk, position, &place, branch);
            }
        }
        walk.place = place;
        walk.give_back(units, rest.units);
    }
}

/// Inserts a sequence that somebody else has found into the tree of a node. Nothing that is asleep there begins it: the
/// other one has seen to that, and the same is asleep there now.
pub(super) fn insert<S: System>(walk: &mut Walk<'_, '_, S>, requests: &Requests, number: usize) {
    let position = requests.position(number);
    let mut rest = walk.take_list();
    let mut place = std::mem::take(&mut walk.place);
    let before = walk.before(position);
    let request = requests.get(number, before);
    rest.extend(request.units());
    let mut rest = Rest::new(rest);
    if find_place(walk.tree(position), &request, &mut rest, &mut place, Arrived::new(before)) {
        if walk.is_foreign(position) {
            walk.requests.add_again(requests, number);
        } else if let Some(branch) = branch_of(&request, &rest, requests.is_certain(number)) {
            graft(walk, position, &place, branch);
        }
    }
    walk.place = place;
    walk.give_list_back(rest.units);
}

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
    pub order: &'a Order,
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
const LATER: u32 = NONE;

impl Local<'_> {
    /// Whose past is, together with its own, what happened before the later one but for its accesses.
    pub fn base(&self) -> impl Iterator<Item = u32> {
        let before = if self.later.unit == NONE { self.order.length() as u32 } else { self.later.unit };
        self.order.base_of(self.later.thread, self.later.drains, before)
    }
}

/// The stores that have reached memory before a sequence.
struct Arrived<'a> {
    /// The way to the node.
    before: Before<'a>,
    /// Stores in the tree, on the way from the node.
    passed: Vec<Agent>,
    /// The barriers of arrivals in the tree, on the way from the node.
    arrivals: Vec<u64>,
}

impl Arrived<'_> {
    fn new(before: Before<'_>) -> Arrived<'_> {
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
struct Rest {
    units: Vec<Left>,
    /// A bit for each thread that may have a part in it: most labels that are looked at have none.
    threads: u64,
}

impl Rest {
    fn new(units: Vec<Left>) -> Self {
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

    /// Removes the part that a label has in it; false if nothing is left.
    fn remove(&mut self, part: Part) -> bool {
        if let Part::Begins(at) = part {
            self.units.remove(at);
        }
        !self.units.is_empty()
    }
}

/// The part that a label has in a sequence that it is a weak initial of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// None: its thread does not occur, and it depends on nothing.
    None,
    /// It begins it, with the unit at this place among those that are left.
    Begins(usize),
}

/// Whether a label is a weak initial of what is left of a sequence, and which part it has in it.
fn is_weak_initial(
    sequence: &impl Sequence,
    rest: &Rest,
    label: &Label,
    accesses: &[Access],
    before: &Arrived<'_>,
) -> Option<Part> {
    let units = &rest.units[..];
    match rest.position(label.thread) {
        Some(at) => {
            let unit = units[at].unit;
            let begins = sequence.is(unit, label)
                && !units[..at].iter().any(|earlier| sequence.precedes(earlier.unit, unit));
            begins.then_some(Part::Begins(at))
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
            (!depends && !arrivals.any(hinders)).then_some(Part::None)
        }
    }
}

/// Where in a tree a sequence has to be added: which branches it follows, and how far. What stands in the tree
/// already is removed from it. False: nowhere, it is explored anyway.
fn find_place(
    (mut branches, mut from): (&Branches, usize),
    sequence: &impl Sequence,
    rest: &mut Rest,
    place: &mut Vec<(usize, usize)>,
    mut before: Arrived<'_>,
) -> bool {
    place.clear();
    loop {
        let found = branches[from..].iter().enumerate().find_map(|(at, branch)| {
            if branch.uncertain {
                return None;
            }
            let first = &branch.first;
            let part = is_weak_initial(sequence, rest, &first.label, first.accesses(), &before)?;
            Some((at, branch, part))
        });
        let Some((at, branch, part)) = found else { return true };
        if !rest.remove(part) {
            return false;
        }
        before.pass(&branch.first);
        if !branch.is_single {
            for (length, unit) in (1..).zip(branch.more()) {
                let part = is_weak_initial(sequence, rest, &unit.label, unit.accesses(), &before);
                let Some(part) = part else {
                    place.push((at, length));
                    return true;
                };
                if !rest.remove(part) {
                    return false;
                }
                before.pass(unit);
            }
        }
        if branch.then.is_empty() {
            return false;
        }
        place.push((at, branch.length()));
        (branches, from) = (&branch.then, 0);
    }
}

/// What is left of a sequence, as a branch.
fn branch_of(sequence: &impl Sequence, rest: &Rest, certain: bool) -> Option<Branch> {
    let (first, more) = rest.units.split_first()?;
    let more = more.iter().map(|left| sequence.planned(left.unit)).collect();
    let mut branch = Branch::with(sequence.planned(first.unit), more);
    branch.uncertain = !certain;
    Some(branch)
}

/// Adds a branch to the tree of a node, at the place that [`find_place`] gave.
fn graft<S: System>(
    walk: &mut Walk<'_, '_, S>,
    position: usize,
    place: &[(usize, usize)],
    mut branch: Branch,
) {
    let now = walk.loans_made();
    let mut loan = walk.loan_at(position);
    branch.is_new(now);
    let (mut branches, mut first) = walk.branches_mut(position);
    for (at, length) in place {
        let followed = &mut branches.changeable_from(first)[*at];
        if *length < followed.length() {
            followed.split(*length);
        }
        loan = followed.lending_mut().grows(!branch.uncertain, loan, now);
        branches = followed.then_mut();
        first = 0;
    }
    branches.push(branch);
}
