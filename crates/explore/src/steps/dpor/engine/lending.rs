//! Lending and borrowing: the part of the walk that is about other workers. See [`super::super::parallel`] for what is
//! lent, and why the result stays the same.

use super::{Before, Borrowed, Node, Settled, Sleeper, Walk, inherit, is_same_footprint};
use crate::steps::dpor::branch::{Branches, Entry};
use crate::steps::dpor::optimal::{self, Optimal};
use crate::steps::dpor::parallel::{self, Helper, Loan, Over, Requests, Task, Way, Yield};
use crate::{Control, Progress};
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

/// What was found below so many leaves is handed over together, unless somebody waits for it.
const TOGETHER: usize = 64;

/// So many branches of each node are shown to a borrower.
const SHOWN: usize = 64;

/// So many branches of a node are looked at to find some to lend.
const PATIENCE_TO_LEND: u32 = 256;

/// What is much less than wanted, and than this, is not lent, unless that has been so for some time.
const ENOUGH_TO_LEND: u32 = 128;

/// See `ENOUGH_TO_LEND`.
const PATIENCE_FOR_MORE: u32 = 8;

/// After so many leaves that were settled without going there, it is asked whether somebody wants work.
const SETTLED_AT_ONCE: u32 = 64;

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
            if branch.uncertain || self.patience == 0 {
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

impl<S: System> Walk<'_, '_, S> {
    /// Goes to what was borrowed; false if that is not possible.
    pub fn replay(&mut self, task: Task, loan: &Arc<Loan>) -> bool {
        self.foreign = usize::MAX;
        if let Some(bench) = self.bench {
            self.requests = bench.exchange().spare_requests();
        }
        (self.sleepers, self.sleeping_accesses) = (task.sleepers, task.accesses);
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
                borrowed.steps.push(self.session.statistics.steps);
            }
            let possible = self.session.system.is_enabled(label.thread);
            self.borrowed = Some(borrowed);
            let ended = !possible || self.perform::<Optimal>(label) == Progress::Ended;
            let Some(back) = self.borrowed.take().filter(|_| !ended) else { return false };
            borrowed = back;
            if let Some(Some((branch, at))) = expected.next()
                && !is_same_footprint(branch.accesses(at), self.order.accesses(position as u32))
            {
                borrowed.plain = position + 1;
            }
        }
        self.borrow_node(task.starts[borrowed.base], shown.next().unwrap_or_default());
        borrowed.steps.push(self.session.statistics.steps);
        self.borrowed = Some(borrowed);
        true
    }

    /// Opens a node that is somebody else's; its sleepers and their accesses are there, and begin at these places.
    fn borrow_node(&mut self, (sleepers, accesses): (u32, u32), branches: Branches) {
        self.open::<Optimal>(sleepers as usize);
        if let Some(node) = self.nodes.last_mut() {
            node.accesses = accesses;
            node.branches = branches;
        }
    }

    /// Whether the walk is on its way to a leaf that was borrowed.
    pub(super) fn is_on_borrowed_way(&self) -> bool {
        self.foreign == usize::MAX
    }

    /// Takes note of a unit on the way to a leaf that was borrowed; what is below the leaf is the walk's own.
    pub(super) fn on_borrowed_way(&mut self) {
        let Some(borrowed) = &mut self.borrowed else { return };
        let position = self.order.length() - 1;
        let at = self.followed.saturating_sub(1);
        if !is_same_footprint(self.plan.accesses(at), self.order.accesses(position as u32)) {
            borrowed.plain = position + 1;
        }
        if self.followed == self.plan.length() && self.plan.then.is_empty() {
            let steps = std::mem::take(&mut borrowed.steps);
            let total = self.session.take_steps();
            borrowed.way = Way { plain: borrowed.plain, from: borrowed.from, total, steps };
            self.foreign = self.order.length();
        }
    }

    /// Gives back what was found below a leaf that was borrowed; `stopped`: it was not explored to its end.
    pub fn give_leaf(&mut self, stopped: bool) {
        let own = self.is_on_borrowed_way();
        let found = std::mem::take(&mut self.session.found);
        let limits = std::mem::take(&mut self.session.limits_reached);
        let unsupported = self.session.unsupported.take().map(Box::new);
        let statistics = self.session.take_statistics();
        let requests = self.requests.end_leaf();
        let Some(borrowed) = &mut self.borrowed else { return };
        let way = std::mem::take(&mut borrowed.way);
        // If the way to it was not possible, the lender has to see for itself.
        let result = match own {
            true => None,
            false => {
                let needs_paths = self.needs_paths;
                Some(Yield { statistics, found, limits, unsupported, requests, stopped, needs_paths, way })
            }
        };
        borrowed.results.push(result);
        if stopped || borrowed.results.len() >= TOGETHER || borrowed.loan.is_awaited() {
            self.give_results(stopped);
        }
        self.foreign = usize::MAX;
    }

    /// Hands over what has not been handed over yet; `closed`: there will be no more.
    pub fn give_results(&mut self, closed: bool) {
        let (Some(borrowed), Some(bench)) = (&mut self.borrowed, self.bench) else { return };
        let next = if closed { Requests::default() } else { bench.exchange().spare_requests() };
        let next = self.requests.go_on_in(next);
        let mut complete = std::mem::replace(&mut self.requests, next);
        let all = Arc::new(complete.take_compact());
        bench.exchange().keep_spare(complete);
        for result in borrowed.results.iter_mut().flatten() {
            result.requests.all = Some(all.clone());
        }
        bench.exchange().give(&borrowed.loan, &mut borrowed.results, closed);
    }

    pub(super) fn lend_if_wanted(&mut self, bench: &dyn Helper) {
        if bench.exchange().wants_work() {
            self.passed += 1;
            if self.passed > bench.exchange().restraint() {
                self.passed = 0;
                self.lend(bench);
            }
        }
    }

    /// The number of leaves at a node that can be lent.
    fn free_at(&self, position: usize) -> u32 {
        let node = &self.nodes[position];
        node.branches[node.next..].iter().map(|branch| branch.lending.free(node.loan)).sum()
    }

    /// Lends some leaves, unless that would leave nothing to do.
    fn lend(&mut self, bench: &dyn Helper) {
        let size = bench.exchange().batch();
        let many = self.outstanding > MOST_OUTSTANDING;
        let size = if many { (size / LESS_IF_MANY).max(SMALL_LEAVES.min(size)) } else { size };
        let above = WORTH_LENDING / size as usize;
        let most = self.order.length().saturating_sub(above).min(self.nodes.len());
        let positions = self.foreign.min(most)..most;
        let last =
            (self.foreign.min(self.nodes.len())..self.nodes.len()).rev().find(|at| self.free_at(*at) > 0);
        let mut search = Search { skip: 0, size, patience: 0, path: Vec::new(), position: 0, best: None };
        let mut look = |position: usize| {
            let node = &self.nodes[position];
            // The deepest ones are what the walk does next.
            search.skip = if last > Some(position) { 0 } else { (self.free_at(position) / 2).max(1) };
            search.position = position;
            search.patience = PATIENCE_TO_LEND;
            search.path.clear();
            search.look(&node.branches[node.next..], node.loan)
        };
        match size >= SMALL_LEAVES || many {
            true => positions.rev().any(&mut look),
            false => positions.into_iter().any(&mut look),
        };
        let Some(batch) = search.best else { return };
        self.refused += 1;
        if 8 * batch.leaves < size.min(ENOUGH_TO_LEND) && self.refused < PATIENCE_FOR_MORE {
            return;
        }
        self.refused = 0;
        let position = batch.position;
        self.made += 1;
        self.mark_lent(position, &batch);
        let task = self.task_of(position, &batch);
        self.outstanding += batch.leaves;
        self.loans.insert(self.made, (bench.exchange().lend(task, batch.leaves), batch.leaves));
    }

    /// Notes in the tree that branches have been lent.
    fn mark_lent(&mut self, position: usize, batch: &Batch) {
        let node = &mut self.nodes[position];
        let mut around = node.loan;
        let mut branches = node.branches.changeable_from(node.next);
        for at in &batch.path {
            let branch = &mut branches[*at];
            let lending = branch.lending_mut();
            lending.free = lending.free(around) - batch.leaves;
            lending.as_of = self.made;
            around = lending.within(around);
            branches = branch.then_mut().changeable_from(0);
        }
        for branch in &mut branches[batch.from..batch.to] {
            let lending = branch.lending_mut();
            (lending.loan, lending.as_of, lending.free) = (self.made, self.made, 0);
        }
    }

    /// What a borrower of some branches below the node at a position has to know.
    fn task_of(&self, position: usize, batch: &Batch) -> Task {
        let node = &self.nodes[position];
        let (sleepers, accesses) = match self.nodes.get(position + 1) {
            Some(next) => (next.sleepers as usize, next.accesses as usize),
            None => (self.sleepers.len(), self.sleeping_accesses.len()),
        };
        let mut task = Task {
            labels: self.labels[..position].to_vec(),
            sleepers: self.sleepers[..sleepers].to_vec(),
            accesses: self.sleeping_accesses[..accesses].to_vec(),
            starts: self.nodes[..=position].iter().map(|node| (node.sleepers, node.accesses)).collect(),
            shown: Vec::with_capacity(position + 1),
            end: batch.to - batch.from,
            known: position,
            from: position,
            path: Vec::with_capacity(batch.path.len()),
        };
        task.shown
            .extend(self.nodes[..position].iter().map(|node| node.branches.some_from(node.next, SHOWN)));
        if self.order.length() > position {
            task.sleep(&self.labels[position], self.order.accesses(position as u32));
        }
        let (mut list, mut next) = (&node.branches, node.next);
        for chosen in batch.path.iter().copied().chain([batch.from]) {
            let branches = &list[next..];
            if branches[chosen].is_alternative {
                task.known = 0;
            } else if chosen > 0 {
                task.known = task.labels.len();
            }
            for branch in &branches[..chosen] {
                task.sleep(branch.label(0), branch.accesses(0));
            }
            if task.path.len() == batch.path.len() {
                task.shown.push(list.some_from(next + chosen, task.end + SHOWN));
                break;
            }
            let branch = &branches[chosen];
            task.shown.push(list.some_from(next + chosen + 1, SHOWN));
            task.shown.extend((1..branch.length()).map(|_| Branches::default()));
            for (at, label) in branch.labels().enumerate() {
                let from = task.starts.last().map_or(0, |start| start.0 as usize);
                let to = task.sleepers.len();
                task.starts.push((to as u32, task.accesses.len() as u32));
                let unit = (label.thread, branch.accesses(at));
                let arrived = |store: Agent| task.labels.iter().any(|label| label.thread == store);
                inherit(&mut task.sleepers, from..to, &task.accesses, unit, arrived);
                task.labels.push(label.clone());
            }
            task.path.push(branch.share());
            (list, next) = (&branch.then, 0);
        }
        task
    }

    /// If the first unit of a branch was not as expected, what was lent to its right is void.
    pub(super) fn check_expectation(&mut self) {
        let position = self.order.length() - 1;
        if !is_same_footprint(self.plan.accesses(0), self.order.accesses(position as u32)) {
            self.nodes[position].void = self.made;
        }
    }

    /// Settles what somebody else has explored, from the present state on: as if the walk had been there. It goes
    /// there only if it is not certain that all was as expected on the way, or if there is something left to do.
    pub(super) fn settle(&mut self, bench: &dyn Helper) -> Settled {
        self.arrived = None;
        let mut base = self.nodes.len() - 1;
        let mut settled = 0;
        loop {
            let top = self.nodes.len() - 1;
            if settled >= SETTLED_AT_ONCE && bench.exchange().wants_work() {
                settled = 0;
                self.go_to(base);
                base = top;
                self.lend_if_wanted(bench);
            }
            let node = &self.nodes[top];
            if node.next >= node.branches.len() {
                if top == base {
                    return Settled::All;
                }
                self.leave_unvisited();
                continue;
            }
            let result = match self.result_of_next(bench) {
                Err(Over) => return Settled::Stop,
                Ok(None) => return self.go_on_from(base),
                Ok(Some(result)) => result,
            };
            if result.way.plain > top {
                self.arrived = Some(result);
                return self.go_on_from(base);
            }
            settled += 1;
            self.open_unvisited(result.requests.deepest());
            let steps = result.way.steps_from(top);
            if self.absorb(result, steps) == Control::Stop {
                return Settled::Stop;
            }
            self.sleep_unvisited();
        }
    }

    /// What somebody else has found below the first leaf of the last node's next branch.
    fn result_of_next(&mut self, bench: &dyn Helper) -> Result<Option<Yield>, Over> {
        let Some(node) = self.nodes.last() else { return Ok(None) };
        let mut branch = &node.branches[node.next];
        let mut number = branch.lending.within(node.loan);
        while let Some(first) = branch.then.first() {
            branch = first;
            number = branch.lending.within(number);
        }
        if branch.lending.born >= number {
            return Ok(None);
        }
        let is_void = number <= node.void;
        let Some((loan, left)) = self.loans.get_mut(&number) else { return Ok(None) };
        let loan = loan.clone();
        if bench.exchange().withdraw(&loan) || is_void {
            self.outstanding -= *left;
            self.loans.remove(&number);
            return Ok(None);
        }
        *left -= 1;
        self.outstanding -= 1;
        if *left == 0 {
            self.loans.remove(&number);
        }
        parallel::wait_for(bench, &loan)
    }

    /// Does with what somebody else has found below a leaf as if the walk had found it; on the way there, which it
    /// has not gone itself, so many steps were taken.
    pub(super) fn absorb(&mut self, result: Yield, steps: u64) -> Control {
        let Yield { statistics, found, limits, unsupported, requests, stopped, needs_paths, .. } = result;
        self.needs_paths |= needs_paths;
        self.session.absorb(statistics, found, limits, unsupported.map(|reached| *reached));
        self.session.statistics.steps += steps;
        if stopped || self.session.control() == Control::Stop {
            return Control::Stop;
        }
        if let Some(all) = requests.all {
            for number in requests.range {
                optimal::insert(self, &all, number);
            }
        }
        Control::Continue
    }

    /// Opens the nodes on the way to the first leaf of the next branch, without going there. Those on the last branch
    /// are needed only as far as something is to be inserted there.
    fn open_unvisited(&mut self, deepest: usize) {
        loop {
            let Some(node) = self.nodes.last_mut() else { return };
            let Some(mut branch) = node.branches.take(node.next, &self.nothing) else { return };
            let is_leaf = branch.then.is_empty();
            let mut then = match Arc::get_mut(&mut branch) {
                Some(branch) => std::mem::take(&mut branch.then),
                None => branch.then.clone(),
            };
            let (loan, void) = (branch.lending.within(node.loan), node.void);
            node.next += 1;
            for at in 0..branch.length() {
                self.chain.push((branch.clone(), at));
                let is_last = at + 1 == branch.length();
                if is_leaf && (is_last || self.nodes.len() > deepest) {
                    return;
                }
                let sleepers = self.sleepers.len();
                let from = self.nodes.last().map_or(0, |node| node.sleepers as usize);
                let unit = (branch.label(at).thread, branch.accesses(at));
                // The unit itself is in the chain already.
                let performed = &self.labels[..self.order.length()];
                let before = Before { order: &self.order, performed, chain: &self.chain };
                let arrived = |store: Agent| store != unit.0 && before.has(store);
                inherit(&mut self.sleepers, from..sleepers, &self.sleeping_accesses, unit, arrived);
                self.nodes.push(Node {
                    mark: None,
                    sleepers: sleepers as u32,
                    inherited: self.sleepers.len() as u32,
                    accesses: self.sleeping_accesses.len() as u32,
                    branches: if is_last { std::mem::take(&mut then) } else { Branches::default() },
                    next: 0,
                    loan: if is_last { loan } else { 0 },
                    void: if is_last { void } else { 0 },
                    enabled: None,
                    running: None,
                    preemptions: 0,
                    last: self.last,
                });
            }
        }
    }

    /// Puts the unit after the last node to sleep there.
    fn sleep_unvisited(&mut self) {
        let Some((branch, at)) = self.chain.pop() else { return };
        if self.nodes.last().is_some_and(|node| node.next < node.branches.len()) {
            let from = self.sleeping_accesses.len() as u32;
            self.sleeping_accesses.extend_from_slice(branch.accesses(at));
            let accesses = (from, self.sleeping_accesses.len() as u32);
            self.sleepers.push(Sleeper::new(branch.label(at).clone(), accesses));
        }
    }

    /// Leaves a node where the walk has not been and nothing is left to do.
    fn leave_unvisited(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.sleepers.truncate(node.sleepers as usize);
            self.sleeping_accesses.truncate(node.accesses as usize);
        }
        self.sleep_unvisited();
    }

    /// Lets the walk itself do what is next at the last node.
    fn go_on_from(&mut self, base: usize) -> Settled {
        self.go_to(base);
        let next = self.nodes.last().and_then(|node| node.branches.get(node.next));
        Settled::Own(if next.is_some_and(|branch| branch.is_alternative) { 0 } else { self.nodes.len() - 1 })
    }

    /// Goes from the state of the node at a position, which is the present one, to that of the last node.
    fn go_to(&mut self, base: usize) {
        let steps = self.session.statistics.steps;
        let chain = std::mem::take(&mut self.chain);
        for (position, (branch, at)) in (base..).zip(&chain) {
            self.perform::<Optimal>(branch.label(*at).clone());
            let node = &mut self.nodes[position + 1];
            (node.mark, node.last) = (Some(self.session.mark()), self.last);
        }
        // They have been counted.
        self.session.statistics.steps = steps;
    }
}
