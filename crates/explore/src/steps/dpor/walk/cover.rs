//! What algorithms ask of a walk: what is asleep at a node, what will be tried there, and whether that covers a sequence.

use super::{Label, Later, Walk};
use crate::core::dependence::Access;
use crate::steps::dpor::branch::{Branch, Certainty};
use crate::steps::dpor::partial_order::{NONE, Race};
use crate::steps::dpor::tree::Tree;
use crate::steps::dpor::wakeup::{Before, Left};
use selvedge_memory::System;
use selvedge_trace::Agent;

impl<S: System> Walk<'_, '_, S> {
    /// Whether the node at a position is somebody else's.
    pub fn is_foreign(&self, position: usize) -> bool {
        position < self.foreign.nodes
    }

    /// The units before the node at a position.
    pub(in crate::steps::dpor) fn before(&self, position: usize) -> Before<'_> {
        let performed = &self.present.labels[..self.present.order.length().min(position)];
        Before { order: &self.present.order, performed, others: &[] }
    }

    /// What is asleep at the node at a position: everything that begins with one of these has been explored.
    pub fn asleep(&self, position: usize) -> impl Iterator<Item = (&Label, &[Access])> {
        let (node, next) = (&self.nodes[position], self.nodes.get(position + 1));
        let sleepers = self.sleep_sets.between(node.asleep, next.map(|next| next.asleep));
        sleepers.iter().map(|sleeper| (&sleeper.label, self.sleep_sets.accesses_of(sleeper)))
    }

    /// What will be tried from the node at a position after what is being tried now.
    pub fn tree(&self, position: usize) -> &Tree {
        &self.nodes[position].tree
    }

    /// Adds a branch at the node at a position, to the right of all others.
    pub fn add(&mut self, position: usize, branch: Branch) {
        self.nodes[position].tree.push(branch);
    }

    /// Adds a branch to the tree of the node at a position; see [`Tree::graft`].
    pub fn graft(&mut self, position: usize, place: &[(usize, usize)], branch: Branch) {
        self.nodes[position].tree.graft(place, branch, self.now);
    }

    /// What has been tried, or will be, from the node at a position. (What is being tried there is not among
    /// them: it depends on the race that is reversed.)
    pub fn covering(&self, position: usize) -> impl Iterator<Item = (&Label, &[Access])> {
        let left = self.tree(position).left().iter();
        let certain = left.filter(|branch| branch.certainty == Certainty::Certain);
        self.asleep(position).chain(certain.map(|branch| (&branch.first.label, branch.first.accesses())))
    }

    /// Whether any thread can go on from a node without a preemption.
    pub fn is_nobodys_turn(&self, position: usize) -> bool {
        self.nodes[position].running.is_none()
    }

    /// The threads that could take a step at a node, if the algorithm needs them.
    pub fn enabled_at(&self, position: usize) -> &[Agent] {
        self.nodes[position].enabled.as_deref().unwrap_or_default()
    }

    /// The units that stay when a race is reversed, up to a position: those after the first that did not happen
    /// after it, without the later one.
    pub fn kept(&mut self, race: Race, later: &Later, to: usize) -> Vec<u32> {
        let mut kept = std::mem::take(&mut self.scratch.kept);
        kept.clear();
        self.present.order.add_kept(race.first + 1..to as u32, race, later.unit, &mut kept);
        kept
    }

    /// Gives a list back, to be used again.
    pub fn give_kept_back(&mut self, kept: Vec<u32>) {
        self.scratch.kept = kept;
    }

    /// An empty list, to be given back.
    pub(in crate::steps::dpor) fn take_left(&mut self) -> Vec<Left> {
        std::mem::take(&mut self.scratch.left)
    }

    /// Gives a list back, to be used again.
    pub(in crate::steps::dpor) fn give_left_back(&mut self, mut left: Vec<Left>) {
        left.clear();
        self.scratch.left = left;
    }

    /// Whether what is asleep, or will be tried, at a node can begin a sequence of units, followed by the later one.
    pub fn is_covered(&self, position: usize, sequence: &[u32], later: &Later) -> bool {
        match self.present.paths {
            Some(_) => self.is_covered_by_paths(position, sequence, later),
            None => self.covering(position).any(|(label, _)| self.begins(label, sequence, later)),
        }
    }

    /// Whether a label can begin a sequence of units, followed by the later one.
    fn begins(&self, label: &Label, sequence: &[u32], later: &Later) -> bool {
        let (order, labels) = (&self.present.order, &self.present.labels);
        let own = sequence.iter().position(|unit| labels[*unit as usize].thread == label.thread);
        if let Some(at) = own {
            let unit = sequence[at];
            return labels[unit as usize] == *label
                && !sequence[..at].iter().any(|earlier| order.is_before(*earlier, unit));
        }
        label.thread == later.thread && !self.comes_after_any(sequence, later)
    }

    /// Whether the later unit of a race comes after one of a sequence.
    pub(super) fn comes_after_any(&self, sequence: &[u32], later: &Later) -> bool {
        let order = &self.present.order;
        let before = if later.unit == NONE { order.length() as u32 } else { later.unit };
        sequence.iter().any(|unit| {
            order.depends(*unit, &later.accesses)
                || order.is_in_base(*unit, later.thread, later.drains, before)
        })
    }
}
