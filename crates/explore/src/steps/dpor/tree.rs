//! The wake-up tree of a node, and the branch of it that is being followed.

use super::branch::{Branch, Branches, Entry};
use super::walk::Label;
use crate::core::dependence::{self, Access};
use selvedge_trace::Agent;
use std::sync::Arc;

/// Which loans the branches of a node belong to, if other workers explore some of them ([`super::sharing`]). A walk carries this
/// along and never looks at it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lent {
    /// The loan that older leaves of the branches belong to, or 0.
    pub loan: u32,
    /// Loans up to this one are void: a branch to their left did not do what was expected, so that what is asleep on
    /// the way is not what the borrower thought.
    pub void: u32,
}

/// What is to be tried from a node, from left to right.
#[derive(Default)]
pub struct Tree {
    branches: Branches,
    /// The next branch.
    next: usize,
    /// Who else explores them.
    pub lent: Lent,
}

impl Tree {
    /// What is to be tried from a node that others know: these branches.
    pub fn of(branches: Branches) -> Self {
        Self { branches, ..Self::default() }
    }

    /// The branches that have not been begun.
    #[inline]
    pub fn left(&self) -> &[Entry] {
        &self.branches[self.next..]
    }

    /// The same, to be changed.
    pub fn left_mut(&mut self) -> &mut [Entry] {
        self.branches.changeable_from(self.next)
    }

    /// The next branch, if one is left.
    #[inline]
    pub fn next(&self) -> Option<&Entry> {
        self.branches.get(self.next)
    }

    /// How many branches were begun or left out.
    pub fn begun(&self) -> usize {
        self.next
    }

    /// Leaves the next branch out.
    pub fn skip(&mut self) {
        self.next += 1;
    }

    /// Adds a branch to the right of all others.
    pub fn push(&mut self, branch: Branch) {
        self.branches.push(branch);
    }

    /// Takes the next branch out, and leaves another in its place.
    pub fn take_next(&mut self, instead: &Arc<Branch>) -> Option<Arc<Branch>> {
        let branch = self.branches.take(self.next, instead)?;
        self.next += 1;
        Some(branch)
    }

    /// What is to be tried after a branch that was taken out of this tree.
    pub fn after(&self, branch: &mut Arc<Branch>) -> Tree {
        let lent = Lent { loan: branch.lending.within(self.lent.loan), void: self.lent.void };
        Tree { lent, ..Tree::of(continuations(branch)) }
    }

    /// Adds a branch at a place: which branches lead there, and how many units of each. The first of them is counted among those
    /// that are left. `now`: how many loans there have been.
    pub fn graft(&mut self, place: &[(usize, usize)], mut branch: Branch, now: u32) {
        branch.is_new(now);
        let certainty = branch.certainty;
        let (mut loan, mut first) = (self.lent.loan, self.next);
        let mut branches = &mut self.branches;
        for (at, length) in place {
            let followed = &mut branches.changeable_from(first)[*at];
            if *length < followed.length() {
                followed.split(*length);
            }
            loan = followed.lending_mut().grows(certainty, loan, now);
            branches = followed.then_mut();
            first = 0;
        }
        branches.push(branch);
    }
}

/// See [`Plan::wakes`]; of a branch, from one of its units on. `gone`: units that come after the choice.
fn wakes<'a>(
    branch: &'a Branch,
    from: usize,
    label: &Label,
    accesses: &[Access],
    gone: &mut Vec<(Agent, &'a [Access])>,
) -> bool {
    let gone_before = gone.len();
    for unit in (from..branch.length()).map(|at| branch.unit(at)) {
        let is_after = |(agent, theirs): &(Agent, &[Access])| {
            *agent == unit.label.thread || dependence::dependent(theirs, unit.accesses())
        };
        if gone.iter().any(is_after) {
            gone.push((unit.label.thread, unit.accesses()));
            continue;
        }
        let is_own = unit.label.thread == label.thread;
        if is_own || dependence::dependent(accesses, unit.accesses()) {
            gone.truncate(gone_before);
            return !is_own || unit.label != *label;
        }
    }
    let wakes = branch.then.iter().any(|entry| wakes(entry, 0, label, accesses, gone));
    gone.truncate(gone_before);
    wakes
}

/// Takes the continuations out of a branch; if others share it, they keep theirs.
fn continuations(branch: &mut Arc<Branch>) -> Branches {
    match Arc::get_mut(branch) {
        Some(branch) => std::mem::take(&mut branch.then),
        None => branch.then.clone(),
    }
}

/// The branch that is being followed.
pub struct Plan {
    branch: Arc<Branch>,
    /// How many of its units have been performed.
    followed: usize,
    /// The position of its first unit.
    begin: usize,
    /// What was known of the tree that it comes from.
    lent: Lent,
    /// A branch to stand for those that have been followed to their ends.
    nothing: Arc<Branch>,
}

impl Plan {
    /// Nothing is planned.
    pub fn none(nothing: Branch) -> Self {
        let nothing = Arc::new(nothing);
        let followed = nothing.length();
        Self { branch: nothing.clone(), followed, begin: usize::MAX, lent: Lent::default(), nothing }
    }

    /// What stands for a branch that was taken out of a tree.
    pub fn nothing(&self) -> &Arc<Branch> {
        &self.nothing
    }

    /// Whether all units have been performed.
    #[inline]
    pub fn is_followed(&self) -> bool {
        self.followed >= self.branch.length()
    }

    /// Whether there is something to be tried after the units.
    #[inline]
    pub fn continues(&self) -> bool {
        !self.branch.then.is_empty()
    }

    /// Whether the unit at a position is the first of it.
    #[inline]
    pub fn begins_at(&self, position: usize) -> bool {
        self.begin == position
    }

    /// Whether the unit at a position is its first, and another alternative of one that was performed there.
    #[inline]
    pub fn is_alternative_at(&self, position: usize) -> bool {
        self.begins_at(position) && self.branch.is_alternative
    }

    /// What its first unit was expected to do.
    pub fn first(&self) -> &super::branch::Planned {
        self.branch.unit(0)
    }

    /// What the unit that was performed last was expected to do.
    pub fn last(&self) -> &super::branch::Planned {
        self.branch.unit(self.followed.saturating_sub(1))
    }

    /// Begins with the next branch of the tree of a node; false if there is none.
    pub fn begin(&mut self, tree: &mut Tree, position: usize) -> bool {
        let Some(branch) = tree.take_next(&self.nothing) else { return false };
        self.lent = Lent { loan: branch.lending.within(tree.lent.loan), void: tree.lent.void };
        (self.branch, self.followed, self.begin) = (branch, 0, position);
        true
    }

    /// The next unit.
    pub fn follow(&mut self) -> Label {
        let label = self.branch.label(self.followed).clone();
        self.followed += 1;
        label
    }

    /// What is to be tried from the present state, if all units have been performed.
    pub fn rest(&mut self) -> Tree {
        match self.is_followed() && self.continues() {
            true => Tree { lent: self.lent, ..Tree::of(continuations(&mut self.branch)) },
            false => Tree::default(),
        }
    }

    /// Whether something that is planned from here on conflicts with a label before the label's own thread comes, but for what
    /// comes after the choice that an agent has just made: a sequence with that in it says which choice it was.
    pub fn wakes(&self, label: &Label, accesses: &[Access], chooser: Agent) -> bool {
        wakes(&self.branch, self.followed, label, accesses, &mut vec![(chooser, &[])])
    }

    /// Forgets the branch.
    pub fn drop_branch(&mut self) {
        self.branch = self.nothing.clone();
        (self.followed, self.begin) = (self.branch.length(), usize::MAX);
    }
}
