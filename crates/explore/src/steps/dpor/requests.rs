//! Sequences that are to be inserted into the wake-up trees of another worker's nodes.
//!
//! Where each leaf is a single execution, what counts is how much one worker writes and another reads. So the requests of
//! neighbouring leaves share their units, each with its clock, from which the lender sees what has to come first if it needs to
//! know.

use super::branch::{Certainty, Planned};
use super::partial_order::NONE;
use super::wakeup::{Before, Left, Local, Sequence};
use super::walk::Label;
use crate::core::dependence::{self, Access};
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_trace::Agent;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// If more requests were remembered, to see whether one comes again, their table is not used again.
const MOST_REMEMBERED: usize = 1024;

/// A sequence that is to be inserted into the wake-up tree of a node of somebody else.
pub struct Request<'a> {
    all: &'a Requests,
    units: &'a [u32],
    /// What its last unit comes immediately after.
    base: &'a [u32],
    /// The way to the node.
    before: Before<'a>,
}

impl Request<'_> {
    /// Its units, the later one of the race at the end.
    pub fn units(&self) -> impl Iterator<Item = Left> {
        self.units.iter().map(|unit| Left { agent: self.all.agent(*unit), unit: *unit })
    }

    fn is_later(&self, unit: u32) -> bool {
        self.units.last() == Some(&unit)
    }
}

impl Sequence for Request<'_> {
    fn planned(&self, unit: u32) -> Planned {
        self.all.units[unit as usize].unit.clone()
    }

    fn is(&self, unit: u32, label: &Label) -> bool {
        // The later one may do something else now; all its alternatives are tried.
        self.is_later(unit) || self.all.units[unit as usize].unit.label == *label
    }

    fn accesses(&self, unit: u32) -> &[Access] {
        self.all.units[unit as usize].unit.accesses()
    }

    fn precedes(&self, unit: u32, later: u32) -> bool {
        if !self.is_later(later) {
            return self.all.is_before(unit, later);
        }
        let arrived = |store: Agent| self.before.has(store) || self.units().any(|left| left.agent == store);
        // A load of an own store comes after nothing because of that.
        dependence::dependent_after(self.accesses(unit), self.accesses(later), |_| false, arrived)
            || self.base.iter().any(|base| self.all.is_before(unit, *base))
    }
}

/// Requests, in the order in which they came.
///
/// Those of an execution have most of their units in common, and executions that follow each other, too; each unit is
/// there once. Who comes before whom is not written down for each pair but follows from the units' clocks. So
/// little is written by one worker and read by another: that is what requests cost most.
#[derive(Default)]
pub struct Requests {
    heads: Vec<Head>,
    /// The units of each request, then those that its last one comes immediately after.
    lists: Vec<u32>,
    units: Vec<Recorded>,
    clocks: Vec<u32>,
    /// By position in the present execution: the number of the unit there, if it is among these.
    known: Vec<u32>,
    /// The requests from this one on are those of the present leaf.
    leaf: usize,
    /// Those up to this one are of earlier executions.
    earlier: usize,
    /// Of these, those up to this one can be found by their hash: the last one with it.
    hashed: usize,
    by_hash: FxHashMap<u64, u32>,
}

/// Where the parts of a request begin; they end where those of the next begin.
struct Head {
    position: u32,
    certainty: Certainty,
    list: u32,
    base: u32,
    /// The one before with the same hash, or [`NONE`].
    same: u32,
}

/// A unit of a request.
struct Recorded {
    unit: Planned,
    /// See [`super::partial_order::PartialOrder::moment`].
    component: u16,
    number: u32,
    /// Where its clock begins; it ends where that of the next begins.
    clock: u32,
}

impl Requests {
    /// One of them, given the way to its node.
    pub fn get<'a>(&'a self, number: usize, before: Before<'a>) -> Request<'a> {
        let (units, base) = self.parts(number);
        Request { all: self, units, base, before }
    }

    /// Where it is to be inserted.
    pub fn position(&self, number: usize) -> usize {
        self.heads[number].position as usize
    }

    /// Whether it is certain that it is possible.
    pub fn certainty(&self, number: usize) -> Certainty {
        self.heads[number].certainty
    }

    /// The units of a request, and those that its last one comes immediately after.
    fn parts(&self, number: usize) -> (&[u32], &[u32]) {
        let head = &self.heads[number];
        let to = self.heads.get(number + 1).map_or(self.lists.len(), |next| next.list as usize);
        let (list, base) = (head.list as usize, head.base as usize);
        (&self.lists[list..base], &self.lists[base..to])
    }

    /// Whose unit it is.
    fn agent(&self, unit: u32) -> Agent {
        self.units[unit as usize].unit.label.thread
    }

    fn clock(&self, unit: u32) -> &[u32] {
        let from = self.units[unit as usize].clock as usize;
        let to = self.units.get(unit as usize + 1).map_or(self.clocks.len(), |next| next.clock as usize);
        &self.clocks[from..to]
    }

    fn is_before(&self, unit: u32, other: u32) -> bool {
        let unit = &self.units[unit as usize];
        self.clock(other).get(usize::from(unit.component)).is_some_and(|seen| *seen >= unit.number)
    }

    /// Adds a unit.
    fn record(&mut self, unit: Planned, (component, number, clock): (u16, u32, &[u32])) -> u32 {
        let at = self.units.len() as u32;
        self.units.push(Recorded { unit, component, number, clock: self.clocks.len() as u32 });
        self.clocks.extend_from_slice(clock);
        at
    }

    /// Adds a unit of the present execution, unless it is there.
    fn number_of(&mut self, sequence: &Local<'_>, unit: u32) -> u32 {
        let position = unit as usize;
        if self.known.len() <= position {
            self.known.resize(position + 1, NONE);
        }
        if self.known[position] == NONE {
            self.known[position] = self.record(sequence.planned(unit), sequence.order.moment(unit));
        }
        self.known[position]
    }

    /// Adds a sequence, unless an earlier execution has added it.
    pub(super) fn add(&mut self, sequence: &Local<'_>, certainty: Certainty) {
        let (list, later) = (self.lists.len() as u32, sequence.later);
        for unit in sequence.units {
            let own = self.number_of(sequence, *unit);
            self.lists.push(own);
        }
        let last = Planned::new(Label::of(later.thread), &later.accesses);
        let unit = self.record(last, (0, 0, &[]));
        self.lists.push(unit);
        let base = self.lists.len() as u32;
        // Nothing of the sequence happened before what was before it.
        for unit in sequence.base().filter(|unit| *unit as usize > sequence.position) {
            let own = self.number_of(sequence, unit);
            self.lists.push(own);
        }
        let position = sequence.position as u32;
        self.heads.push(Head { position, certainty, list, base, same: NONE });
        self.forget_repeated();
    }

    /// Adds a request of another list, unless it was added before.
    pub fn add_again(&mut self, others: &Requests, number: usize) {
        let list = self.lists.len() as u32;
        let (units, base) = others.parts(number);
        for at in units.iter().chain(base) {
            let Recorded { unit, component, number, .. } = &others.units[*at as usize];
            let unit = self.record(unit.clone(), (*component, *number, others.clock(*at)));
            self.lists.push(unit);
        }
        let Head { position, certainty, .. } = others.heads[number];
        let base = list + units.len() as u32;
        self.earlier = self.heads.len();
        self.heads.push(Head { position, certainty, list, base, same: NONE });
        self.forget_repeated();
    }

    fn hash(&self, number: usize) -> u64 {
        let mut hasher = FxHasher::default();
        self.heads[number].position.hash(&mut hasher);
        self.parts(number).0.iter().for_each(|unit| self.agent(*unit).hash(&mut hasher));
        hasher.finish()
    }

    /// Removes the last request if an earlier execution below the same leaf has added it. What is uncertain does not
    /// cover anything, not even the same.
    fn forget_repeated(&mut self) {
        let number = self.heads.len() - 1;
        if self.earlier <= self.leaf || self.heads[number].certainty == Certainty::Uncertain {
            return;
        }
        for number in self.hashed..self.earlier {
            let before = self.by_hash.insert(self.hash(number), number as u32);
            self.heads[number].same = before.unwrap_or(NONE);
        }
        self.hashed = self.earlier;
        let mut other = self.by_hash.get(&self.hash(number)).copied().unwrap_or(NONE);
        while other != NONE {
            if self.is_same(other as usize, number) {
                // Units that only it has do no harm.
                self.lists.truncate(self.heads[number].list as usize);
                self.heads.pop();
                return;
            }
            other = self.heads[other as usize].same;
        }
    }

    /// Whether two requests are the same. From the same node, the same units have the same order.
    fn is_same(&self, one: usize, other: usize) -> bool {
        let ((units, _), (others, _)) = (self.parts(one), self.parts(other));
        let (one, other) = (&self.heads[one], &self.heads[other]);
        let same = |(one, other): (&u32, &u32)| {
            one == other || self.units[*one as usize].unit == self.units[*other as usize].unit
        };
        (one.position, one.certainty, units.len()) == (other.position, other.certainty, others.len())
            && units.iter().zip(others).all(same)
    }

    /// Takes note that the present execution goes on differently from a position on.
    pub fn turn_back(&mut self, position: usize) {
        self.known.truncate(position);
        self.earlier = self.heads.len();
    }

    /// Those of a leaf are complete.
    pub fn end_leaf(&mut self) -> Asked {
        let range = self.leaf..self.heads.len();
        if self.by_hash.capacity() > MOST_REMEMBERED {
            self.by_hash = FxHashMap::default();
        }
        self.by_hash.clear();
        (self.leaf, self.earlier, self.hashed) = (range.end, range.end, range.end);
        Asked { range, all: None }
    }

    /// Goes on in another list, which has nothing in it: those of the present leaf are in both.
    pub fn go_on_in(&self, mut next: Requests) -> Requests {
        for number in self.leaf..self.heads.len() {
            next.add_again(self, number);
        }
        next
    }

    /// Takes out what the lender needs, with no more memory than that takes. (The memory of a list that grows is for
    /// the largest number of requests; results may wait for a long time.)
    pub fn take_compact(&mut self) -> Requests {
        let compact = Requests {
            heads: self.heads.drain(..).collect(),
            lists: self.lists.as_slice().into(),
            units: self.units.drain(..).collect(),
            clocks: self.clocks.as_slice().into(),
            ..Requests::default()
        };
        self.clear();
        compact
    }

    /// Removes all of them, but keeps the memory.
    fn clear(&mut self) {
        self.heads.clear();
        self.lists.clear();
        self.units.clear();
        self.clocks.clear();
        self.known.clear();
        self.by_hash.clear();
        (self.leaf, self.earlier, self.hashed) = (0, 0, 0);
    }
}

/// The requests of a leaf, among those of several.
pub struct Asked {
    /// Which of them.
    pub range: Range<usize>,
    /// Those of several leaves.
    pub all: Option<Arc<Requests>>,
}

impl Asked {
    /// The deepest position where something is to be inserted.
    pub fn deepest(&self) -> usize {
        let heads = self.all.as_ref().map_or(&[][..], |all| &all.heads[self.range.clone()]);
        heads.iter().map(|head| head.position as usize).max().unwrap_or(0)
    }
}
