//! Data races of execution graphs, by the happens-before of the graph.
//!
//! A node is compared with the earlier nodes of its location. (Happens-before never leads from a later node to an earlier one.)
//! Where release sequences of C11 were interrupted, the clocks that the graph grows with are not those that tell races: then they
//! are computed once more ([`Graphs::with_exact_clocks`]), and a store that interrupts a sequence may let others race.

use crate::race::Race;
use selvedge_memory::Graphs;
use selvedge_memory::axiomatic::{BEFORE, Cell, Graph, Id, Kind, NONE, Node, Thread, flag};
use selvedge_trace::Operation;

/// The race that the event at a position completes, which is the last one.
pub fn race(graphs: &mut impl Graphs) -> Option<Race> {
    let position = graphs.events().len().checked_sub(1)?;
    let event = graphs.events()[position];
    let graph = graphs.graph();
    let number = graph.known_number(event.thread)?;
    if graph.is_interrupted() {
        let own: Vec<Id> = own_nodes(graph, number, position).collect();
        let looked_at = match own.iter().any(|id| graph.takes_away(*id)) {
            true => (0..graph.nodes().len() as Id).rev().collect(),
            false => own,
        };
        return graphs.with_exact_clocks(|graphs| {
            let races = Races { graphs };
            looked_at.into_iter().filter_map(|id| races.with_earlier(id)).next_back()
        });
    }
    let races = Races { graphs };
    match event.operation {
        operation if operation.is_access() => {
            // If nobody has accessed the last location in plain operations, nobody has the others of the operation.
            let last = graph.last_of(number);
            if last == NONE || !has_plain_accesses(graph, last) {
                return None;
            }
            own_nodes(graph, number, position).filter_map(|id| races.of(id)).last()
        }
        Operation::Release { address, size } => races.of_release(graph.last_of(number), address, size),
        _ => None,
    }
}

/// The nodes of the operation at a position, which is the last one of its thread, the last first.
fn own_nodes(graph: &Graph, thread: u32, position: usize) -> impl Iterator<Item = Id> {
    let nodes = graph.threads()[thread as usize].nodes.iter().rev().copied();
    nodes.take_while(move |id| graph.node(*id).trace as usize == position)
}

/// Whether somebody has accessed the location of a node in plain operations.
fn has_plain_accesses(graph: &Graph, id: Id) -> bool {
    let cell = graph.node(id).cell;
    cell != NONE && graph.cell(cell).plain > 0
}

/// Whether a node is not known to happen before another.
fn is_unknown(graph: &Graph, node: &Node, to: Id) -> bool {
    let (thread, clock) = (graph.node(to).thread, graph.clock(to, BEFORE));
    node.thread != thread && node.index >= clock[node.thread as usize]
}

/// An earlier node that races with one: another thread's to the same location, one of them a write and one not atomic, and
/// neither before the other.
pub fn racing(graph: &Graph, id: Id) -> Option<Id> {
    let node = graph.node(id);
    if node.cell == NONE || node.is(flag::SYNC) {
        return None;
    }
    let cell = graph.cell(node.cell);
    if cell.plain == 0 {
        return None;
    }
    let clock = graph.clock(id, BEFORE);
    let races = |other: &Id| {
        let earlier = graph.node(*other);
        earlier.thread != node.thread
            && *other < id
            && (earlier.is(flag::PLAIN) || node.is(flag::PLAIN))
            && earlier.trace != NONE
            && !graph.awaits_in_vain(earlier)
            && earlier.index >= clock[earlier.thread as usize]
    };
    // Where most of the location's history happens before the node, it is sooner found in what does not.
    let unknown = |(number, thread): (usize, &Thread)| match number as u32 == node.thread {
        true => 0,
        false => thread.nodes.len().saturating_sub(clock[number] as usize),
    };
    let candidates: usize = graph.threads().iter().enumerate().map(unknown).sum();
    if candidates < cell.writes.len() + cell.reads.len() {
        let others = graph.threads().iter().zip(clock).enumerate();
        let others = others.filter(|(number, _)| *number as u32 != node.thread);
        let ids = others.flat_map(|(_, (thread, known))| thread.nodes.iter().skip(*known as usize)).copied();
        let racing = ids.filter(|other| graph.node(*other).cell == node.cell && races(other));
        // The first write in modification order, or else the first read.
        return racing
            .filter_map(|other| match graph.node(other).kind {
                Kind::Write => Some((0, graph.rank(node.cell, other) as Id, other)),
                Kind::Read | Kind::Wake if node.kind == Kind::Write => Some((1, other, other)),
                _ => None,
            })
            .min()
            .map(|(_, _, other)| other);
    }
    let write = cell.writes.iter().copied().find(races);
    write.or_else(|| match node.kind {
        Kind::Write => cell.reads.iter().copied().find(races),
        _ => None,
    })
}

struct Races<'a, G> {
    graphs: &'a G,
}

impl<G: Graphs> Races<'_, G> {
    /// The race of a node with an earlier one.
    fn with_earlier(&self, id: Id) -> Option<Race> {
        let event = self.graphs.events().get(self.graphs.graph().node(id).trace as usize)?;
        match event.operation {
            Operation::Release { address, size } => self.of_release(id, address, size),
            _ => self.of(id),
        }
    }

    /// The race of a node.
    fn of(&self, id: Id) -> Option<Race> {
        let graph = self.graphs.graph();
        let node = graph.node(id);
        if node.cell == NONE {
            return None;
        }
        let cell = graph.cell(node.cell);
        let (address, size) = (cell.address, u64::from(cell.size));
        let race = |first: u32, by_publication| Race {
            first: first as usize,
            by_publication,
            second: node.trace as usize,
            address,
            size,
        };
        if let Some(other) = racing(graph, id) {
            return Some(race(graph.node(other).trace, false));
        }
        if !node.is(flag::PLAIN) {
            return None;
        }
        let handed = self.handed_over(id, address, size)?;
        (is_unknown(graph, handed, id) && handed.trace != NONE).then(|| race(handed.trace, true))
    }

    /// Who has handed an object over, before a node.
    fn handed_over(&self, id: Id, address: u64, size: u64) -> Option<&Node> {
        let graph = self.graphs.graph();
        // What an operation hands over, it does after its accesses.
        let own = graph.node(id).trace;
        let over = |(start, end, by): &&(u64, u64, Id)| {
            *start < address + size && address < *end && *by <= id && graph.node(*by).trace != own
        };
        self.graphs.published().iter().rev().find(over).map(|(_, _, by)| graph.node(*by))
    }

    /// The race of a node that ends an object's life.
    fn of_release(&self, id: Id, address: u64, size: u64) -> Option<Race> {
        let graph = self.graphs.graph();
        let inside =
            |cell: &&Cell| cell.address < address + size && address < cell.address + u64::from(cell.size);
        let mut accesses = graph
            .cells()
            .iter()
            .filter(inside)
            .flat_map(|cell| cell.writes.iter().chain(&cell.reads))
            .filter(|earlier| **earlier < id)
            .map(|id| graph.node(*id))
            .filter(|node| !graph.awaits_in_vain(node));
        let race = |node: &Node, by_publication| Race {
            first: node.trace as usize,
            by_publication,
            second: graph.node(id).trace as usize,
            address,
            size,
        };
        if let Some(node) = accesses.find(|node| is_unknown(graph, node, id) && node.trace != NONE) {
            return Some(race(node, false));
        }
        let handed = self.handed_over(id, address, size)?;
        (is_unknown(graph, handed, id) && handed.trace != NONE).then(|| race(handed, true))
    }
}
