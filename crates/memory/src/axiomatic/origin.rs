//! Where values come from, in terms of the events of the execution.

use super::graph::{Graph, Id, Kind, NONE, Node, flag};
use crate::ReadsFrom;

impl Graph {
    /// The nodes of the operation at a position of the trace, the last first, and their positions.
    fn nodes_of(&self, event: usize) -> impl Iterator<Item = (Id, &Node)> {
        let numbered = self.nodes().iter().enumerate().rev().map(|(id, node)| (id as Id, node));
        // Operations are performed one after the other. A thread that waits has performed none.
        let recent = numbered.take_while(move |(_, node)| node.trace == NONE || node.trace as usize >= event);
        recent.filter(move |(_, node)| {
            node.trace as usize == event && !matches!(node.kind, Kind::Block { .. }) && !is_block(node)
        })
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

/// Whether a node is a read of a synchronisation object whose thread then waits: it is no operation.
fn is_block(node: &Node) -> bool {
    node.is(flag::VAIN) && node.is(flag::SYNC) && !node.is(flag::UPDATE)
}
