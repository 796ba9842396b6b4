//! What is to be tried from a node: branches, which are wake-up trees.
//!
//! There may be as many of them as there are executions, and to find out where something belongs they are searched, so
//! their form matters. A unit with what it touches is one small record, mostly without memory of its own; the units
//! of a branch lie one behind the other.

use super::access::Access;
use super::engine::Label;
use std::ops::Deref;
use std::sync::Arc;

/// What a unit touches: mostly a single access.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Touched {
    One(Access),
    Several(Arc<[Access]>),
}

/// A unit that is to be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// What it is.
    pub label: Label,
    touched: Touched,
}

impl Planned {
    /// A unit that will touch something.
    pub fn new(label: Label, accesses: &[Access]) -> Self {
        let touched = match accesses {
            [one] => Touched::One(*one),
            several => Touched::Several(several.into()),
        };
        Self { label, touched }
    }

    /// What it will touch.
    pub fn accesses(&self) -> &[Access] {
        match &self.touched {
            Touched::One(access) => std::slice::from_ref(access),
            Touched::Several(accesses) => accesses,
        }
    }
}

/// What has to be known of a branch to see whether a sequence follows it.
#[derive(Debug, Clone)]
pub struct Head {
    /// Its first unit.
    pub first: Planned,
    /// See [`Branch::uncertain`].
    pub uncertain: bool,
}

/// Things to be tried, one after the other. Workers share them; who changes one makes a copy of it first.
///
/// Their heads lie one behind the other: most branches that are looked at are not followed.
#[derive(Debug, Clone, Default)]
pub struct Branches {
    all: Vec<Arc<Branch>>,
    heads: Vec<Head>,
}

impl Deref for Branches {
    type Target = [Arc<Branch>];

    fn deref(&self) -> &[Arc<Branch>] {
        &self.all
    }
}

impl Branches {
    /// Adds one to the right of all others.
    pub fn push(&mut self, branch: Branch) {
        self.heads.push(Head { first: branch.units[0].clone(), uncertain: branch.uncertain });
        self.all.push(Arc::new(branch));
    }

    /// What they begin with.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// One of them, to be changed.
    pub fn change(&mut self, at: usize) -> &mut Branch {
        Arc::make_mut(&mut self.all[at])
    }

    /// Those from one on, to be changed.
    pub fn changeable_from(&mut self, first: usize) -> &mut [Arc<Branch>] {
        &mut self.all[first..]
    }

    /// Takes one out and leaves another in its place.
    pub fn take(&mut self, at: usize, instead: &Arc<Branch>) -> Option<Arc<Branch>> {
        Some(std::mem::replace(self.all.get_mut(at)?, instead.clone()))
    }

    /// Those from one on, but not too many: for somebody who wants to know what will be tried anyway.
    pub fn some_from(&self, first: usize, more: usize) -> Self {
        let range = first..self.all.len().min(first.saturating_add(more));
        Self { all: self.all[range.clone()].to_vec(), heads: self.heads[range].to_vec() }
    }
}

/// Something to be tried from a node: a sequence of units, then one of several continuations, or anything.
#[derive(Debug, Clone, Default)]
pub struct Branch {
    /// The units to be performed; there is at least one.
    units: Vec<Planned>,
    /// What is to be tried after them; if there is nothing, anything.
    pub then: Branches,
    /// Whether it is uncertain that it is possible. This does not change once it stands among others.
    pub uncertain: bool,
    /// Whether its first unit is another alternative of one that was performed here. Then races of earlier units
    /// have not been looked at in an execution with this alternative.
    pub is_alternative: bool,
    /// What of it can be lent.
    pub lending: Lending,
}

impl Branch {
    /// A branch with one unit.
    pub fn of(label: Label, accesses: &[Access]) -> Self {
        Self { units: vec![Planned::new(label, accesses)], ..Self::default() }
    }

    /// A branch with these units.
    pub fn with(units: impl Iterator<Item = Planned>) -> Self {
        Self { units: units.collect(), ..Self::default() }
    }

    /// The number of its units.
    pub fn length(&self) -> usize {
        self.units.len()
    }

    /// The label of a unit.
    pub fn label(&self, at: usize) -> &Label {
        &self.units[at].label
    }

    /// The labels of its units.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        self.units.iter().map(|unit| &unit.label)
    }

    /// What a unit will touch.
    pub fn accesses(&self, at: usize) -> &[Access] {
        self.units[at].accesses()
    }

    /// Takes note that it is new; so many loans have been made by now.
    pub fn is_new(&mut self, now: u32) {
        self.lending = Lending::new(!self.uncertain, now);
    }

    /// Takes note of a new leaf below it; gives the loan that older leaves there belong to.
    pub fn grows(&mut self, certain: bool, around: u32, now: u32) -> u32 {
        let lending = &mut self.lending;
        lending.free = lending.free(around) + u32::from(certain);
        lending.leaves += 1;
        lending.as_of = now;
        lending.within(around)
    }

    /// Ends the sequence before a position; what was there becomes a continuation.
    pub fn split(&mut self, at: usize) {
        let rest = Branch {
            units: self.units.split_off(at),
            then: std::mem::take(&mut self.then),
            uncertain: self.uncertain,
            is_alternative: false,
            lending: self.lending,
        };
        self.then.push(rest);
    }
}

/// What of a branch can be lent. Loans are numbered from 1 on.
///
/// A loan is noted in the branches at the top of what was lent, and nowhere below them. Below such a branch, the
/// leaves that are older than the loan belong to it, and numbers that are older than the loan are out of date.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lending {
    /// The number of leaves: itself, or those of its continuations.
    pub leaves: u32,
    /// How many of them can be lent: they are certain, and have not been lent yet.
    pub free: u32,
    /// How many loans there had been when that was true.
    pub as_of: u32,
    /// How many loans there had been when the branch was made.
    pub born: u32,
    /// The loan that it was lent with, all of it; or 0.
    pub loan: u32,
}

impl Lending {
    /// Those of a new leaf.
    fn new(certain: bool, now: u32) -> Self {
        Self { leaves: 1, free: u32::from(certain), as_of: now, born: now, loan: 0 }
    }

    /// The loan that its leaves belong to unless they are younger; `around`: that of the branch it continues.
    pub fn within(&self, around: u32) -> u32 {
        around.max(self.loan)
    }

    /// The number of leaves that can be lent.
    pub fn free(&self, around: u32) -> u32 {
        if self.as_of < self.within(around) { 0 } else { self.free }
    }
}
