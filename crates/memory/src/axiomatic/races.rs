//! Data races, by the happens-before of the graph.

use super::{Axiomatic, Axioms, BEFORE, Cell, Id, NONE, Node, flag};
use crate::RaceFound;
use selvedge_trace::Operation;

impl<A: Axioms> Axiomatic<'_, A> {
    /// Looks for races of the operation that a thread has just performed.
    pub(super) fn find_races(&mut self, number: u32, operation: &Operation) {
        match *operation {
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Rmw { .. }
            | Operation::CompareExchange { .. }
            | Operation::Copy { .. }
            | Operation::Set { .. } => {
                // If nobody has accessed the last location in plain operations, nobody has the others of the operation.
                let last = self.graph.last_of(number);
                if last != NONE && self.graph.may_race(last) {
                    self.race = self.race_of_operation(number);
                }
            }
            Operation::Release { address, size } => self.race = self.race_of_release(number, address, size),
            _ => {}
        }
    }

    /// The race of the operation that a thread has just performed.
    fn race_of_operation(&self, number: u32) -> Option<RaceFound> {
        let nodes = self.graph.threads()[number as usize].nodes.iter().rev().copied();
        let position = self.trace.len() as u32 - 1;
        let own = nodes.take_while(|id| self.graph.node(*id).trace == position);
        own.filter_map(|id| self.race_of(id)).last()
    }

    /// Whether a node may happen at the same time as something else.
    fn is_unknown(&self, node: &Node, to: Id) -> bool {
        let (thread, clock) = (self.graph.node(to).thread, self.graph.clock(to, BEFORE));
        node.thread != thread && node.index >= clock[node.thread as usize]
    }

    /// The race of a node.
    fn race_of(&self, id: Id) -> Option<RaceFound> {
        let node = self.graph.node(id);
        if node.cell == NONE {
            return None;
        }
        let cell = self.graph.cell(node.cell);
        let (address, size) = (cell.address, u64::from(cell.size));
        let race = |first: u32, by_publication| RaceFound {
            first: first as usize,
            by_publication,
            second: node.trace as usize,
            address,
            size,
        };
        if let Some(other) = self.graph.race(id) {
            return Some(race(self.graph.node(other).trace, false));
        }
        if !node.is(flag::PLAIN) {
            return None;
        }
        let over = |(start, end, _): &&(u64, u64, Id)| *start < address + size && address < *end;
        let handed = self.published.iter().rev().find(over).map(|(_, _, id)| self.graph.node(*id))?;
        (self.is_unknown(handed, id) && handed.trace != NONE).then(|| race(handed.trace, true))
    }

    /// The race of the end of an object's life, which a thread has just brought about.
    fn race_of_release(&self, number: u32, address: u64, size: u64) -> Option<RaceFound> {
        let id = self.graph.last_of(number);
        let inside =
            |cell: &&Cell| cell.address < address + size && address < cell.address + u64::from(cell.size);
        let mut accesses = self
            .graph
            .cells()
            .iter()
            .filter(inside)
            .flat_map(|cell| cell.writes.iter().chain(&cell.reads))
            .map(|id| self.graph.node(*id));
        let race = |node: &Node, by_publication| RaceFound {
            first: node.trace as usize,
            by_publication,
            second: self.trace.len() - 1,
            address,
            size,
        };
        if let Some(node) = accesses.find(|node| self.is_unknown(node, id) && node.trace != NONE) {
            return Some(race(node, false));
        }
        let over = |(start, end, _): &&(u64, u64, Id)| *start < address + size && address < *end;
        let handed = self.published.iter().rev().find(over).map(|(_, _, id)| self.graph.node(*id))?;
        (self.is_unknown(handed, id) && handed.trace != NONE).then(|| race(handed, true))
    }
}
