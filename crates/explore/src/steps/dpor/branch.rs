//! What is to be tried from a node: branches, which are wake-up trees.
//!
//! There may be as many of them as there are executions, and to find out where something belongs they are searched, so
//! their form matters. A unit with what it touches is one small record, mostly without memory of its own; the units
//! of a branch lie one behind the other.

use super::walk::Label;
use crate::core::dependence::Access;
use std::ops::Deref;
use std::sync::Arc;

/// Whether something can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// It can.
    Certain,
    /// It is tried, and may turn out to be impossible.
    Uncertain,
}

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

/// A branch among others, with what has to be known of it to see whether a sequence follows it: most branches that are
/// looked at are not followed, and memory is slow.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its first unit.
    pub first: Planned,
    branch: Arc<Branch>,
    /// See [`Branch::certainty`].
    pub certainty: Certainty,
    /// Whether it has one unit only.
    pub is_single: bool,
}

impl Entry {
    fn new(branch: Branch) -> Self {
        let (first, certainty, is_single) = (branch.first.clone(), branch.certainty, branch.more.is_empty());
        Self { first, branch: Arc::new(branch), certainty, is_single }
    }

    /// The branch, to be shared.
    pub fn share(&self) -> Arc<Branch> {
        self.branch.clone()
    }

    /// What of it can be lent, to be changed.
    pub fn lending_mut(&mut self) -> &mut Lending {
        &mut Arc::make_mut(&mut self.branch).lending
    }

    /// What is to be tried after its units, to be changed.
    pub fn then_mut(&mut self) -> &mut Branches {
        &mut Arc::make_mut(&mut self.branch).then
    }

    /// Ends the sequence before a position that is not the first; what was there becomes a continuation.
    pub fn split(&mut self, at: usize) {
        let branch = Arc::make_mut(&mut self.branch);
        let mut rest = branch.more.split_off(at - 1).into_iter();
        let Some(first) = rest.next() else { return };
        let rest = Branch {
            first,
            more: rest.collect(),
            then: std::mem::take(&mut branch.then),
            certainty: branch.certainty,
            is_alternative: false,
            lending: branch.lending,
        };
        branch.then.push(rest);
        self.is_single = branch.more.is_empty();
    }
}

impl Deref for Entry {
    type Target = Branch;

    fn deref(&self) -> &Branch {
        &self.branch
    }
}

/// Things to be tried, one after the other. Workers share them; who changes one makes a copy of it first.
#[derive(Debug, Clone, Default)]
pub struct Branches {
    all: Vec<Entry>,
}

impl Deref for Branches {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.all
    }
}

impl Branches {
    /// Adds one to the right of all others.
    pub fn push(&mut self, branch: Branch) {
        if self.all.capacity() == 0 {
            // Mostly there are one or two.
            self.all.reserve_exact(2);
        }
        self.all.push(Entry::new(branch));
    }

    /// Those from one on, to be changed.
    pub fn changeable_from(&mut self, first: usize) -> &mut [Entry] {
        &mut self.all[first..]
    }

    /// Takes one out and leaves another in its place.
    pub fn take(&mut self, at: usize, instead: &Arc<Branch>) -> Option<Arc<Branch>> {
        Some(std::mem::replace(&mut self.all.get_mut(at)?.branch, instead.clone()))
    }

    /// A copy of some: for somebody who wants to know what will be tried anyway.
    pub fn copy_of(branches: &[Entry]) -> Self {
        Self { all: branches.to_vec() }
    }
}

/// Something to be tried from a node: a sequence of units, then one of several continuations, or anything.
///
/// What is needed to follow it comes first, so that this is one line of the cache; its first unit is known by then.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Branch {
    /// What is to be tried after its units; if there is nothing, anything.
    pub then: Branches,
    /// The units to be performed, without the first.
    more: Vec<Planned>,
    first: Planned,
    /// Whether it is certain that it is possible. This does not change once it stands among others.
    pub certainty: Certainty,
    /// Whether its first unit is another alternative of one that was performed here. Then races of earlier units
    /// have not been looked at in an execution with this alternative.
    pub is_alternative: bool,
    /// What of it can be lent.
    pub lending: Lending,
}

impl Branch {
    /// A branch with one unit.
    pub fn of(label: Label, accesses: &[Access]) -> Self {
        Self::with(Planned::new(label, accesses), Vec::new())
    }

    /// A branch with these units.
    pub fn with(first: Planned, more: Vec<Planned>) -> Self {
        Self {
            first,
            more,
            then: Branches::default(),
            certainty: Certainty::Certain,
            is_alternative: false,
            lending: Lending::default(),
        }
    }

    /// The number of its units.
    pub fn length(&self) -> usize {
        1 + self.more.len()
    }

    /// A unit.
    pub fn unit(&self, at: usize) -> &Planned {
        match at.checked_sub(1) {
            None => &self.first,
            Some(at) => &self.more[at],
        }
    }

    /// Its units, without the first.
    pub fn more(&self) -> &[Planned] {
        &self.more
    }

    /// The label of a unit.
    pub fn label(&self, at: usize) -> &Label {
        &self.unit(at).label
    }

    /// The labels of its units.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        std::iter::once(&self.first).chain(&self.more).map(|unit| &unit.label)
    }

    /// What a unit will touch.
    pub fn accesses(&self, at: usize) -> &[Access] {
        self.unit(at).accesses()
    }

    /// Takes note that it is new; so many loans have been made by now.
    pub fn is_new(&mut self, now: u32) {
        self.lending = Lending::new(self.certainty, now);
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
    fn new(certainty: Certainty, now: u32) -> Self {
        Self { leaves: 1, free: u32::from(certainty == Certainty::Certain), as_of: now, born: now, loan: 0 }
    }

    /// Takes note of a new leaf below it; gives the loan that older leaves there belong to.
    pub fn grows(&mut self, certainty: Certainty, around: u32, now: u32) -> u32 {
        self.free = self.free(around) + u32::from(certainty == Certainty::Certain);
        self.leaves += 1;
        self.as_of = now;
        self.within(around)
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
