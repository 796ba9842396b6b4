//! Settling: what others have found takes its place in the walk's own order.

use super::exchange::{Over, wait_for};
use super::shared::Shared;
use super::task::Yield;
use crate::Control;
use crate::steps::dpor::optimal::{self, Optimal};
use crate::steps::dpor::tree::Tree;
use crate::steps::dpor::wakeup::Before;
use crate::steps::dpor::walk::Node;
use selvedge_memory::System;
use selvedge_trace::Agent;

/// After so many leaves that were settled without going there, it is asked whether somebody wants work.
const SETTLED_AT_ONCE: u32 = 64;

/// What has been settled.
pub(super) enum Settled {
    /// Everything from the present state on.
    All,
    /// What comes next, in the present state, is for the walk itself; with the position from which on races have
    /// to be looked at.
    Own(usize),
    /// There is a reason to stop.
    Stop,
}

impl<S: System> Shared<'_, '_, S> {
    /// Settles what somebody else has explored, from the present state on: as if the walk had been there. It goes
    /// there only if it is not certain that all was as expected on the way, or if there is something left to do.
    pub fn settle(&mut self) -> Settled {
        self.arrived = None;
        let mut base = self.walk.nodes.len() - 1;
        let mut settled = 0;
        loop {
            let top = self.walk.nodes.len() - 1;
            if settled >= SETTLED_AT_ONCE && self.others.exchange().wants_work() {
                settled = 0;
                self.go_to(base);
                base = top;
                self.lend_if_wanted();
            }
            if self.walk.tree(top).next().is_none() {
                if top == base {
                    return Settled::All;
                }
                self.leave_unvisited();
                continue;
            }
            let result = match self.result_of_next() {
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
    fn result_of_next(&mut self) -> Result<Option<Yield>, Over> {
        let Some(node) = self.walk.nodes.last() else { return Ok(None) };
        let (lent, Some(mut branch)) = (node.tree.lent, node.tree.next()) else { return Ok(None) };
        let mut number = branch.lending.within(lent.loan);
        while let Some(first) = branch.then.first() {
            branch = first;
            number = branch.lending.within(number);
        }
        if branch.lending.born >= number {
            return Ok(None);
        }
        let Some(loan) = self.loans.get(number) else { return Ok(None) };
        if self.others.exchange().withdraw(&loan) || number <= lent.void {
            self.loans.forget(number);
            return Ok(None);
        }
        self.loans.settle_leaf(number);
        wait_for(self.others, &loan)
    }

    /// Does with what somebody else has found below a leaf as if the walk had found it; on the way there, which it
    /// has not gone itself, so many steps were taken.
    pub fn absorb(&mut self, result: Yield, steps: u64) -> Control {
        let Yield { statistics, found, limits, unsupported, requests, stopped, again, .. } = result;
        let walk = &mut self.walk;
        walk.needs_paths |= again.with_paths;
        if again.without_looking_ahead {
            walk.session.look_too_far();
        }
        if let Some(granule) = again.with_order {
            walk.session.have_to_order(granule);
        }
        walk.session.absorb(statistics, found, limits, unsupported.map(|reached| *reached));
        walk.session.statistics.steps += steps;
        if stopped || walk.session.control() == Control::Stop {
            return Control::Stop;
        }
        if let Some(all) = requests.all {
            for number in requests.range {
                optimal::insert(walk, &all, number, &self.chain);
            }
        }
        Control::Continue
    }

    /// Opens the nodes on the way to the first leaf of the next branch, without going there. Those on the last branch
    /// are needed only as far as something is to be inserted there.
    fn open_unvisited(&mut self, deepest: usize) {
        let walk = &mut self.walk;
        loop {
            let Some(node) = walk.nodes.last_mut() else { return };
            let Some(mut branch) = node.tree.take_next(walk.plan.nothing()) else { return };
            let is_leaf = branch.then.is_empty();
            let mut then = node.tree.after(&mut branch);
            for at in 0..branch.length() {
                self.chain.push((branch.clone(), at));
                let is_last = at + 1 == branch.length();
                if is_leaf && (is_last || walk.nodes.len() > deepest) {
                    return;
                }
                let asleep = walk.sleep_sets.mark();
                let from = walk.nodes.last().map(|node| node.asleep).unwrap_or_default();
                let unit = (branch.label(at).thread, branch.accesses(at));
                // The unit itself is in the chain already.
                let order = &walk.present.order;
                let performed = &walk.present.labels[..order.length()];
                let before = Before { order, performed, others: &self.chain };
                let arrived = |store: Agent| store != unit.0 && before.has(store);
                walk.sleep_sets.inherit(from, unit, arrived);
                let tree = if is_last { std::mem::take(&mut then) } else { Tree::default() };
                let inherited = walk.sleep_sets.mark();
                walk.nodes.push(Node::new(None, asleep, inherited, tree, walk.last));
            }
        }
    }

    /// Puts the unit after the last node to sleep there.
    fn sleep_unvisited(&mut self) {
        let Some((branch, at)) = self.chain.pop() else { return };
        if self.walk.nodes.last().is_some_and(|node| node.tree.next().is_some()) {
            self.walk.sleep_sets.put(branch.label(at).clone(), branch.accesses(at), None);
        }
    }

    /// Leaves a node where the walk has not been and nothing is left to do.
    fn leave_unvisited(&mut self) {
        if let Some(node) = self.walk.nodes.pop() {
            self.walk.sleep_sets.truncate(node.asleep);
        }
        self.sleep_unvisited();
    }

    /// Lets the walk itself do what is next at the last node.
    fn go_on_from(&mut self, base: usize) -> Settled {
        self.go_to(base);
        Settled::Own(self.walk.races_from(self.walk.nodes.len() - 1))
    }

    /// Goes from the state of the node at a position, which is the present one, to that of the last node.
    fn go_to(&mut self, base: usize) {
        let walk = &mut self.walk;
        let steps = walk.session.statistics.steps;
        let chain = std::mem::take(&mut self.chain);
        for (position, (branch, at)) in (base..).zip(&chain) {
            walk.perform::<Optimal>(branch.label(*at).clone());
            let node = &mut walk.nodes[position + 1];
            (node.mark, node.last) = (Some(walk.session.mark()), walk.last);
        }
        // They have been counted.
        walk.session.statistics.steps = steps;
    }
}
