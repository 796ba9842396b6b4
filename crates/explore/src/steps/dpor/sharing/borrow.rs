//! Borrowing: exploring leaves of somebody else's trees, and giving back what was found there.

use super::exchange::{Delivery, Loan};
use super::shared::{Shared, is_same_footprint};
use super::task::{Again, Task, Way, Yield};
use crate::Progress;
use crate::steps::dpor::branch::Branches;
use crate::steps::dpor::optimal::Optimal;
use crate::steps::dpor::requests::Requests;
use crate::steps::dpor::tree::Tree;
use crate::steps::dpor::walk::SleepMark;
use selvedge_memory::System;
use std::sync::Arc;

/// What was found below so many leaves is handed over together, unless somebody waits for it.
const TOGETHER: usize = 64;

/// What a borrower is about.
pub(super) struct Borrowed {
    loan: Arc<Loan>,
    /// The node that it begins with, and how many of its branches are meant.
    base: usize,
    end: usize,
    /// Units from this position on are as expected.
    pub plain: usize,
    /// On the way to the first leaf: steps taken before each unit, from a position on.
    from: usize,
    steps: Vec<u64>,
    way: Way,
    /// What was found and has not been handed over yet.
    results: Vec<Option<Yield>>,
}

impl Borrowed {
    /// Whether somebody waits for something that was found.
    pub fn is_awaited(&self) -> bool {
        !self.results.is_empty() && self.loan.is_awaited()
    }
}

/// How the exploration below a leaf has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafEnd {
    /// All was explored.
    Explored,
    /// There was a reason to stop.
    Stopped,
}

impl<S: System> Shared<'_, '_, S> {
    /// Goes to what was borrowed; false if that is not possible.
    pub fn replay(&mut self, task: Task, loan: &Arc<Loan>) -> bool {
        self.walk.foreign.nodes = usize::MAX;
        self.walk.foreign.requests = self.others.exchange().spare_requests();
        self.walk.sleep_sets = task.asleep;
        let mut borrowed = Borrowed {
            loan: loan.clone(),
            base: task.labels.len(),
            end: task.end,
            plain: 0,
            from: task.from,
            steps: Vec::new(),
            way: Way::default(),
            results: Vec::new(),
        };
        let expected = task.path.iter().flat_map(|branch| (0..branch.length()).map(move |at| (branch, at)));
        let mut expected = std::iter::repeat_n(None, task.from).chain(expected.map(Some));
        let mut shown = task.shown.into_iter();
        for (position, label) in task.labels.into_iter().enumerate() {
            self.borrow_node(task.starts[position], shown.next().unwrap_or_default());
            if position >= task.from {
                borrowed.steps.push(self.walk.session.statistics.steps);
            }
            let possible = self.walk.session.system.is_enabled(label.thread);
            if !possible || self.walk.perform::<Optimal>(label) == Progress::Ended {
                return false;
            }
            let accesses = self.walk.present.order.accesses(position as u32);
            let expected = expected.next().flatten();
            let is_as_expected =
                expected.is_none_or(|(branch, at)| is_same_footprint(branch.accesses(at), accesses));
            if !is_as_expected || self.walk.had_alternatives() {
                borrowed.plain = position + 1;
            }
        }
        self.borrow_node(task.starts[borrowed.base], shown.next().unwrap_or_default());
        borrowed.steps.push(self.walk.session.statistics.steps);
        self.borrowed = Some(borrowed);
        true
    }

    /// Opens a node that is somebody else's; its sleep set is there, and begins at a mark.
    fn borrow_node(&mut self, asleep: SleepMark, branches: Branches) {
        self.walk.open::<Optimal>(asleep);
        if let Some(node) = self.walk.nodes.last_mut() {
            node.tree = Tree::of(branches);
        }
    }

    /// Whether the walk is on its way to a leaf that was borrowed.
    pub fn is_on_borrowed_way(&self) -> bool {
        self.walk.foreign.nodes == usize::MAX
    }

    /// Takes note of a unit on the way to a leaf that was borrowed; what is below the leaf is the walk's own.
    pub fn on_borrowed_way(&mut self) {
        let (Some(borrowed), walk) = (&mut self.borrowed, &mut self.walk) else { return };
        let position = walk.present.order.length() - 1;
        let accesses = walk.present.order.accesses(position as u32);
        if !is_same_footprint(walk.plan.last().accesses(), accesses) {
            borrowed.plain = position + 1;
        }
        if walk.plan.is_followed() && !walk.plan.continues() {
            let steps = std::mem::take(&mut borrowed.steps);
            let total = walk.session.take_steps();
            borrowed.way = Way { plain: borrowed.plain, from: borrowed.from, total, steps };
            walk.foreign.nodes = walk.present.order.length();
        }
    }

    /// Goes back to the deepest node with a branch left that is borrowed or below one; gives its position.
    pub fn turn_back_borrowed(&mut self) -> Option<usize> {
        if !self.is_on_borrowed_way()
            && let Some(position) = self.walk.turn_back(self.walk.foreign.nodes)
        {
            self.walk.foreign.requests.turn_back(position);
            return Some(position);
        }
        // All below the leaf has been explored, or the walk has not come to the leaf.
        self.give_leaf(LeafEnd::Explored);
        let borrowed = self.borrowed.as_mut()?;
        let position = self.walk.turn_back(borrowed.base)?;
        if position == borrowed.base && self.walk.nodes[position].tree.begun() >= borrowed.end {
            return None;
        }
        self.walk.foreign.requests.turn_back(position);
        (borrowed.from, borrowed.plain) = (position, borrowed.plain.min(position));
        Some(position)
    }

    /// Gives back what was found below a leaf that was borrowed.
    pub fn give_leaf(&mut self, end: LeafEnd) {
        let is_on_way = self.is_on_borrowed_way();
        let session = &mut *self.walk.session;
        let found = std::mem::take(&mut session.found);
        let limits = std::mem::take(&mut session.limits_reached);
        let unsupported = session.unsupported.take().map(Box::new);
        let statistics = session.take_statistics();
        let requests = self.walk.foreign.requests.end_leaf();
        let Some(borrowed) = &mut self.borrowed else { return };
        let way = std::mem::take(&mut borrowed.way);
        let stopped = end == LeafEnd::Stopped;
        // If the way to it was not possible, the lender has to see for itself.
        let result = match is_on_way {
            true => None,
            false => {
                let again = Again {
                    with_paths: self.walk.needs_paths,
                    without_looking_ahead: self.walk.session.has_looked_too_far(),
                    with_order: self.walk.session.update_to_order(),
                };
                Some(Yield { statistics, found, limits, unsupported, requests, stopped, again, way })
            }
        };
        borrowed.results.push(result);
        if stopped || borrowed.results.len() >= TOGETHER || borrowed.loan.is_awaited() {
            self.give_results(if stopped { Delivery::Last } else { Delivery::Part });
        }
        self.walk.foreign.nodes = usize::MAX;
    }

    /// Hands over what has not been handed over yet.
    pub fn give_results(&mut self, delivery: Delivery) {
        let Some(borrowed) = &mut self.borrowed else { return };
        let exchange = self.others.exchange();
        let next = match delivery {
            Delivery::Last => Requests::default(),
            Delivery::Part => exchange.spare_requests(),
        };
        let requests = &mut self.walk.foreign.requests;
        let next = requests.go_on_in(next);
        let mut complete = std::mem::replace(requests, next);
        let all = Arc::new(complete.take_compact());
        exchange.keep_spare(complete);
        for result in borrowed.results.iter_mut().flatten() {
            result.requests.all = Some(all.clone());
        }
        exchange.give(&borrowed.loan, &mut borrowed.results, delivery);
    }
}
