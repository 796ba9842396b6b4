//! Where values come from, in terms of the events of the execution.

use super::graph::{Graph, Id, Kind, NONE, Node, flag};
use crate::ReadsFrom;

impl Graph {
    /// The nodes of the operation at a position of the trace, the last first, and their positions.
    pub fn nodes_of(&self, event: usize) -> impl Iterator<Item = (Id, &Node)> {
        let numbered = self.nodes().iter().enumerate().rev().map(|(id, node)| (id as Id, node));
        // Operations are performed one after the other. A thread that waits has performed none.
        let recent = numbered.take_while(move |(_, node)| node.trace == NONE || node.trace as usize >= event);
        recent.filter(move |(_, node)| node.trace as usize == event && node.is_performed())
    }

    /// See [`crate::Graphs::reads_from`].
    pub fn reads_from(&self, event: usize) -> Option<ReadsFrom> {
        let (id, read) = self.nodes_of(event).filter(|(_, node)| node.kind == Kind::Read).last()?;
        let performed = self.cell(read.cell).writes.iter().copied().filter(|write| *write < id);
        let event_of = |write: Id| Some(self.node(write).trace as usize);
        Some(ReadsFrom {
            source: Some(read.source).filter(|source| *source != NONE).and_then(event_of),
            latest: performed.max().and_then(event_of),
        })
    }

    /// See [`crate::Graphs::overwritten_by`].
    pub fn overwritten_by(&self, event: usize) -> Option<usize> {
        let (id, write) = self.nodes_of(event).find(|(_, node)| node.kind == Kind::Write)?;
        let next = *self.cell(write.cell).writes.get(self.rank(write.cell, id))?;
        (next < id).then(|| self.node(next).trace as usize)
    }
}

impl Node {
    /// Whether it is part of an operation that was performed. That a thread waits is none, nor is what it has read before.
    pub fn is_performed(&self) -> bool {
        let is_in_vain = self.is(flag::VAIN) && self.is(flag::SYNC) && !self.is(flag::UPDATE);
        !matches!(self.kind, Kind::Block { .. }) && !is_in_vain
    }
}
