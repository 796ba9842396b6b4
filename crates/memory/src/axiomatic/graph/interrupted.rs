//! Release sequences in the manner of C11, where a store of another thread has come in between.
//!
//! C11 lets later stores of the same thread continue a release sequence, and lets a store of another thread that comes in
//! between, in modification order, end it. So a write that is added to a graph later can take something away from what happens
//! before an older node. Neither the clocks of a graph can follow that, nor could the exploration: a graph that is not
//! consistent would become so by growing. RC11 has later stores of the same thread continue the sequence whatever comes in
//! between, and that is what the clocks say and what decides which graphs are consistent. But whether two accesses race is decided
//! by C11 itself: where a sequence is interrupted, the clocks are computed once more, for the graph as it is.

use super::{BEFORE, Graph, Id, Kind, Node, RELEASED, flag};

/// What comes before a write in modification order.
struct Head {
    /// The last write of the same thread that releases.
    write: Id,
    /// Whether a store of another thread has come in between.
    is_interrupted: bool,
}

impl Graph {
    /// Whether release sequences of C11 may be shorter than the clocks say.
    pub fn is_interrupted(&self) -> bool {
        self.interruptions > 0
    }

    /// The earlier writes of the same thread before a write, which is there or about to be added.
    fn head_of(&self, id: Id) -> Option<Head> {
        let Node { thread, cell, at, .. } = *self.node(id);
        let writes = &self.cell(cell).writes;
        let position = writes.iter().rposition(|write| *write == id).unwrap_or(at as usize);
        let mut is_interrupted = false;
        for write in writes[..position].iter().rev() {
            let node = self.node(*write);
            if node.thread == thread && node.is(flag::RELEASE) {
                return Some(Head { write: *write, is_interrupted });
            }
            is_interrupted |= node.thread != thread && !node.is(flag::UPDATE);
        }
        None
    }

    /// A write that does not release continues the release sequence of an earlier one of the same thread.
    #[cold]
    pub(super) fn continue_own(&mut self, id: Id) {
        if let Some(head) = self.head_of(id)
            && !(self.is_exact && head.is_interrupted)
        {
            self.join(id, RELEASED, head.write, BEFORE);
        }
    }

    /// Finds out whether a write that is about to be linked comes between a release and a later store of its thread, or is such
    /// a store.
    #[cold]
    pub(super) fn note_interruption(&mut self, id: Id) {
        let Node { thread, cell, at, flags, .. } = *self.node(id);
        let (before, after) = self.cell(cell).writes.split_at(at as usize);
        let has_released = |other: u32| {
            before
                .iter()
                .map(|write| self.node(*write))
                .any(|node| node.thread == other && node.is(flag::RELEASE))
        };
        let comes_between = flags & flag::UPDATE == 0
            && after
                .iter()
                .map(|write| self.node(*write).thread)
                .any(|other| other != thread && has_released(other));
        let is_cut_off =
            flags & flag::RELEASE == 0 && self.head_of(id).is_some_and(|head| head.is_interrupted);
        if comes_between || is_cut_off {
            self.nodes[id as usize].flags |= flag::INTERRUPTION;
            self.interruptions += 1;
        }
    }

    /// Whether a node may have taken something away from what happens before others.
    pub fn takes_away(&self, id: Id) -> bool {
        let Node { kind, cell, flags, .. } = *self.node(id);
        kind == Kind::Write && flags & flag::INTERRUPTION != 0 && self.last_write(cell) != id
    }

    /// Computes all clocks once more, with the release sequences of C11 as the graph has them now; returns the old ones. No node may
    /// be added with the new ones.
    pub fn use_exact_clocks(&mut self) -> Vec<u32> {
        let others = std::mem::take(&mut self.clocks);
        self.clocks.reserve(others.len());
        self.is_exact = true;
        for id in 0..self.nodes.len() as Id {
            let Node { thread, index, kind, .. } = *self.node(id);
            self.begin_clocks(thread, index, kind);
            self.set_clocks(id);
        }
        self.is_exact = false;
        others
    }

    /// Goes back to the clocks that a graph grows with.
    pub fn use_clocks(&mut self, clocks: Vec<u32>) {
        self.clocks = clocks;
    }
}
