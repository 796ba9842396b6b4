//! Data races, by the happens-before of the graph.

use super::{Axiomatic, Axioms, BEFORE, Cell, Id, NONE, Node, flag};
use crate::RaceFound;
use selvedge_trace::Operation;

impl<A: Axioms> Axiomatic<'_, A> {
    /// Looks for races of the operation that a thread has just performed.
    pub(super) fn find_races(&mut self, number: u32, operation: &Operation) {
        if self.graph.is_interrupted() {
            self.race = self.race_by_exact_clocks(number);
            return;
        }
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
            Operation::Release { address, size } => {
                self.race = self.race_of_release(self.graph.last_of(number), address, size);
            }
            _ => {}
        }
    }

    /// Looks for races where a store of another thread has come into a release sequence of C11: of the operation that a thread
    /// has just performed; and of all others, if that is the store.
    fn race_by_exact_clocks(&mut self, number: u32) -> Option<RaceFound> {
        let position = self.trace.len() as u32 - 1;
        let nodes = self.graph.threads()[number as usize].nodes.iter().rev().copied();
        let own: Vec<Id> = nodes.take_while(|id| self.graph.node(*id).trace == position).collect();
        let all = own.iter().any(|id| self.graph.takes_away(*id));
        let looked_at = if all { (0..self.graph.nodes().len() as Id).rev().collect() } else { own };
        let clocks = self.graph.use_exact_clocks();
        let race = looked_at.into_iter().filter_map(|id| self.race_with_earlier(id)).last();
        self.graph.use_clocks(clocks);
        race
    }

    /// Makes the clocks of the graph those that decide which accesses race. Nothing may be added until the system has been taken back
    /// to its start.
    pub fn use_exact_clocks(&mut self) {
        if self.graph.is_interrupted() {
            self.graph.use_exact_clocks();
        }
    }

    /// The race of a node with an earlier one.
    fn race_with_earlier(&self, id: Id) -> Option<RaceFound> {
        let event = self.trace.get(self.graph.node(id).trace as usize)?;
        match event.operation {
            Operation::Release { address, size } => self.race_of_release(id, address, size),
            _ => self.race_of(id),
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
        let race = |first: u32| RaceFound {
            first: first as usize,
            by_publication: false,
            second: node.trace as usize,
            address,
            size,
        };
        if let Some(other) = self.graph.race(id) {
            return Some(race(self.graph.node(other).trace));
        }
        if !node.is(flag::PLAIN) {
            return None;
        }
        let handed = self.handed_over(id, address, size)?;
        (self.is_unknown(handed, id) && handed.trace != NONE)
            .then(|| RaceFound { by_publication: true, ..race(handed.trace) })
    }

    /// The node by which an object was handed over, before a node.
    fn handed_over(&self, id: Id, address: u64, size: u64) -> Option<&Node> {
        let over =
            |(start, end, by): &&(u64, u64, Id)| *start < address + size && address < *end && *by <= id;
        self.published.iter().rev().find(over).map(|(_, _, by)| self.graph.node(*by))
    }

    /// The race of a node that ends an object's life.
    fn race_of_release(&self, id: Id, address: u64, size: u64) -> Option<RaceFound> {
        let inside =
            |cell: &&Cell| cell.address < address + size && address < cell.address + u64::from(cell.size);
        let mut accesses = self
            .graph
            .cells()
            .iter()
            .filter(inside)
            .flat_map(|cell| cell.writes.iter().chain(&cell.reads))
            .filter(|earlier| **earlier < id)
            .map(|id| self.graph.node(*id));
        let race = |node: &Node| RaceFound {
            first: node.trace as usize,
            by_publication: false,
            second: self.graph.node(id).trace as usize,
            address,
            size,
        };
        if let Some(node) = accesses.find(|node| self.is_unknown(node, id) && node.trace != NONE) {
            return Some(race(node));
        }
        let handed = self.handed_over(id, address, size)?;
        (self.is_unknown(handed, id) && handed.trace != NONE)
            .then(|| RaceFound { by_publication: true, ..race(handed) })
    }
}
