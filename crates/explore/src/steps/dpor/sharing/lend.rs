//! Lending: which leaves of its trees a walk gives to others, and what these have to know.

use super::exchange::Loan;
use super::shared::Shared;
use super::task::Task;
use crate::steps::dpor::branch::{Branches, Certainty, Entry};
use rustc_hash::FxHashMap;
use selvedge_memory::System;
use selvedge_trace::Agent;
use std::sync::Arc;

/// A branch has to be so far above the end of the present execution to be lent: what is below it should be worth
/// the trouble.
const WORTH_LENDING: usize = 8;

/// If so many leaves are wanted at once, those close to the present state are lent. There, the trees are complete, or
/// nearly so, and nothing of them has been lent, so that many neighbours are free; further up, what is free is
/// scattered among what was lent. (If few are wanted, there is much below each, most of all close to the root.)
const SMALL_LEAVES: u32 = 16;

/// If more leaves have been lent and not settled, what is lent is close to the present state, so that it is settled
/// soon: what was found takes memory until then.
const MOST_OUTSTANDING: u32 = 1 << 13;

/// By so much less is wanted at once then: the more is wanted, the further away from the present state it is found.
const LESS_IF_MANY: u32 = 4;

/// So many branches of each node are shown to a borrower.
const SHOWN: usize = 64;

/// So many branches of a node are looked at to find some to lend.
const PATIENCE_TO_LEND: u32 = 256;

/// What is much less than wanted, and than this, is not lent, unless that has been so for some time.
const ENOUGH_TO_LEND: u32 = 128;

/// See `ENOUGH_TO_LEND`.
const PATIENCE_FOR_MORE: u32 = 8;

/// Branches that could be lent together.
struct Batch {
    /// The node.
    position: usize,
    /// The way to the list that they stand in.
    path: Vec<usize>,
    /// Which of that list.
    from: usize,
    to: usize,
    /// How many leaves they have.
    leaves: u32,
}

/// The search for something to lend.
struct Search {
    /// So many leaves are left alone first.
    skip: u32,
    /// How many are wanted.
    size: u32,
    /// How many branches may still be looked at.
    patience: u32,
    /// Where it is looking.
    position: usize,
    path: Vec<usize>,
    best: Option<Batch>,
}

impl Search {
    /// Looks for branches that can be lent, all of them, with about as many leaves as are wanted; true if it has
    /// found enough.
    fn look(&mut self, branches: &[Entry], around: u32) -> bool {
        let mut from = 0;
        let mut leaves = 0;
        for (at, branch) in branches.iter().enumerate() {
            // What is asleep to the right of something uncertain is not known yet.
            if branch.certainty == Certainty::Uncertain || self.patience == 0 {
                return self.found(from, at, leaves);
            }
            let free = branch.lending.free(around);
            if free > 0 {
                self.patience -= 1;
                if free <= self.skip {
                    self.skip -= free;
                } else if self.skip == 0 && free == branch.lending.leaves && free <= self.size {
                    if leaves + free > self.size && self.found(from, at, leaves) {
                        return true;
                    }
                    if leaves == 0 || leaves + free > self.size {
                        (from, leaves) = (at, 0);
                    }
                    leaves += free;
                    continue;
                } else {
                    if self.found(from, at, leaves) {
                        return true;
                    }
                    leaves = 0;
                    self.path.push(at);
                    if self.look(&branch.then, branch.lending.within(around)) {
                        return true;
                    }
                    self.path.pop();
                    continue;
                }
            }
            if self.found(from, at, leaves) {
                return true;
            }
            leaves = 0;
        }
        self.found(from, branches.len(), leaves)
    }

    /// Takes note of branches; true if they are enough.
    fn found(&mut self, from: usize, to: usize, leaves: u32) -> bool {
        if leaves > self.best.as_ref().map_or(0, |best| best.leaves) {
            self.best = Some(Batch { position: self.position, path: self.path.clone(), from, to, leaves });
        }
        2 * leaves >= self.size
    }
}

/// What was lent and has not been settled.
#[derive(Default)]
pub(super) struct Loans {
    /// By number: the loans, and how many leaves of each.
    open: FxHashMap<u32, (Arc<Loan>, u32)>,
    /// How many leaves.
    leaves: u32,
    /// Chances to lend something that were let pass.
    passed: u32,
    /// Chances at which there was too little.
    refused: u32,
}

impl Loans {
    /// Whether everything has been settled.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether no more should be lent than is needed.
    fn are_many(&self) -> bool {
        self.leaves > MOST_OUTSTANDING
    }

    fn add(&mut self, number: u32, loan: Arc<Loan>, leaves: u32) {
        self.leaves += leaves;
        self.open.insert(number, (loan, leaves));
    }

    /// The loan with a number.
    pub fn get(&self, number: u32) -> Option<Arc<Loan>> {
        self.open.get(&number).map(|(loan, _)| loan.clone())
    }

    /// The next leaf of a loan is settled.
    pub fn settle_leaf(&mut self, number: u32) {
        let Some((_, left)) = self.open.get_mut(&number) else { return };
        *left -= 1;
        self.leaves -= 1;
        if *left == 0 {
            self.open.remove(&number);
        }
    }

    /// Nothing more will come of a loan.
    pub fn forget(&mut self, number: u32) {
        if let Some((_, left)) = self.open.remove(&number) {
            self.leaves -= left;
        }
    }
}

impl<S: System> Shared<'_, '_, S> {
    /// Lends some leaves, if somebody has nothing to do.
    pub fn lend_if_wanted(&mut self) {
        let exchange = self.others.exchange();
        if exchange.wants_work() {
            self.loans.passed += 1;
            if self.loans.passed > exchange.restraint() {
                self.loans.passed = 0;
                self.lend();
            }
        }
    }

    /// The number of leaves at a node that can be lent.
    fn free_at(&self, position: usize) -> u32 {
        let tree = self.walk.tree(position);
        tree.left().iter().map(|branch| branch.lending.free(tree.lent.loan)).sum()
    }

    /// Lends some leaves, unless that would leave nothing to do.
    fn lend(&mut self) {
        let exchange = self.others.exchange();
        let size = exchange.batch();
        let size =
            if self.loans.are_many() { (size / LESS_IF_MANY).max(SMALL_LEAVES.min(size)) } else { size };
        let Some(batch) = self.find_batch(size) else { return };
        self.loans.refused += 1;
        if 8 * batch.leaves < size.min(ENOUGH_TO_LEND) && self.loans.refused < PATIENCE_FOR_MORE {
            return;
        }
        self.loans.refused = 0;
        self.walk.now += 1;
        self.mark_lent(&batch);
        let task = self.task_of(&batch);
        self.loans.add(self.walk.now, exchange.lend(task, batch.leaves), batch.leaves);
    }

    /// Looks for about so many leaves that can be lent together.
    fn find_batch(&self, size: u32) -> Option<Batch> {
        let walk = &self.walk;
        let above = WORTH_LENDING / size as usize;
        let most = walk.present.order.length().saturating_sub(above).min(walk.nodes.len());
        let positions = walk.foreign.nodes.min(most)..most;
        let own = walk.foreign.nodes.min(walk.nodes.len())..walk.nodes.len();
        let last = own.rev().find(|at| self.free_at(*at) > 0);
        let mut search = Search { skip: 0, size, patience: 0, path: Vec::new(), position: 0, best: None };
        let mut look = |position: usize| {
            // The deepest ones are what the walk does next.
            search.skip = if last > Some(position) { 0 } else { (self.free_at(position) / 2).max(1) };
            search.position = position;
            search.patience = PATIENCE_TO_LEND;
            search.path.clear();
            let tree = walk.tree(position);
            search.look(tree.left(), tree.lent.loan)
        };
        match size >= SMALL_LEAVES || self.loans.are_many() {
            true => positions.rev().any(&mut look),
            false => positions.into_iter().any(&mut look),
        };
        search.best
    }

    /// Notes in the tree that branches have been lent.
    fn mark_lent(&mut self, batch: &Batch) {
        let now = self.walk.now;
        let tree = &mut self.walk.nodes[batch.position].tree;
        let mut around = tree.lent.loan;
        let mut branches = tree.left_mut();
        for at in &batch.path {
            let branch = &mut branches[*at];
            let lending = branch.lending_mut();
            lending.free = lending.free(around) - batch.leaves;
            lending.as_of = now;
            around = lending.within(around);
            branches = branch.then_mut().changeable_from(0);
        }
        for branch in &mut branches[batch.from..batch.to] {
            let lending = branch.lending_mut();
            (lending.loan, lending.as_of, lending.free) = (now, now, 0);
        }
    }

    /// What a borrower of some branches has to know.
    fn task_of(&self, batch: &Batch) -> Task {
        let (walk, position) = (&self.walk, batch.position);
        let node = &walk.nodes[position];
        let asleep = walk.nodes.get(position + 1).map_or(walk.sleep_sets.mark(), |next| next.asleep);
        let mut task = Task {
            labels: walk.present.labels[..position].to_vec(),
            asleep: walk.sleep_sets.up_to(asleep),
            starts: walk.nodes[..=position].iter().map(|node| node.asleep).collect(),
            shown: Vec::with_capacity(position + 1),
            end: batch.to - batch.from,
            known: position,
            from: position,
            path: Vec::with_capacity(batch.path.len()),
        };
        task.shown.extend(walk.nodes[..position].iter().map(|node| some_of(node.tree.left(), 0, SHOWN)));
        if walk.present.order.length() > position {
            let accesses = walk.present.order.accesses(position as u32);
            task.asleep.put(walk.present.labels[position].clone(), accesses, None);
        }
        let mut branches = node.tree.left();
        for chosen in &batch.path {
            task.pass_by(branches, *chosen);
            let branch = &branches[*chosen];
            task.shown.push(some_of(branches, chosen + 1, SHOWN));
            task.follow(branch);
            branches = &branch.then;
        }
        task.pass_by(branches, batch.from);
        task.shown.push(some_of(branches, batch.from, task.end + SHOWN));
        task
    }
}

/// Some branches, from one on, but not too many.
fn some_of(branches: &[Entry], first: usize, most: usize) -> Branches {
    let left = branches.get(first..).unwrap_or_default();
    Branches::copy_of(&left[..left.len().min(most)])
}

impl Task {
    /// The way leads through a branch: those to its left are asleep, and their races have been looked at.
    fn pass_by(&mut self, branches: &[Entry], chosen: usize) {
        if branches[chosen].is_alternative {
            self.known = 0;
        } else if chosen > 0 {
            self.known = self.labels.len();
        }
        for branch in &branches[..chosen] {
            self.asleep.put(branch.label(0).clone(), branch.accesses(0), None);
        }
    }

    /// The way leads through the units of a branch, to its end.
    fn follow(&mut self, branch: &Entry) {
        self.shown.extend((1..branch.length()).map(|_| Branches::default()));
        for (at, label) in branch.labels().enumerate() {
            let from = self.starts.last().copied().unwrap_or_default();
            self.starts.push(self.asleep.mark());
            let unit = (label.thread, branch.accesses(at));
            let arrived = |store: Agent| self.labels.iter().any(|label| label.thread == store);
            self.asleep.inherit(from, unit, arrived);
            self.labels.push(label.clone());
        }
        self.path.push(branch.share());
    }
}
