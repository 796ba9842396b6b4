//! An execution graph as a sequence of operations.
//!
//! Under sequential consistency, program order, reads-from, modification order and from-reads of a consistent graph have no
//! cycle together, so there is a total order that contains them. Performed in that order, each read sees the last write: the
//! sequence is an execution of steps in which each read returns what it returned in the graph. What else has to stay in order
//! is not about values: a thread begins after its creation, whoever joins it comes after its end, and an access to an object comes
//! before the end of the object's life or, if it is an error, after it. Joins of one thread stay as they were: only the first one
//! is right.
//!
//! An operation may be several nodes, and is one element of the sequence. The last operation of a thread may have gone wrong
//! halfway; it is no event then, but takes its turn. What a thread has read in vain, because it had to wait, is no operation.

use super::graph::{Id, Kind, NONE, Node, flag};
use super::{Axiomatic, Axioms, ranges};
use selvedge_trace::{Operation, ThreadId};
use std::collections::BTreeMap;

/// An operation in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The thread that performs it.
    pub thread: ThreadId,
    /// The operation; `None` if it went wrong before it was an event.
    pub operation: Option<Operation>,
    /// Which alternative.
    pub choice: u32,
}

/// Which of the sequences that a graph allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// One in which a thread goes on as long as it can.
    FewSwitches,
    /// One that is as near as can be to the order in which nodes were added.
    AsAdded,
}

/// An operation with those that have to come after it.
struct Vertex {
    /// By number.
    thread: u32,
    /// Its last node: operations were added in this order.
    last: Id,
    placed: Placed,
    next: Vec<usize>,
    /// How many have to come before it, and have not come yet.
    before: usize,
}

impl<A: Axioms> Axiomatic<'_, A> {
    /// The operations of the present graph in an order that contains all its relations; `None` if there is none, so that the graph
    /// is not one of sequential consistency.
    pub fn linearise(&self, preference: Preference) -> Option<Vec<Placed>> {
        let mut vertices = Vec::new();
        let vertex_of = self.vertices(&mut vertices);
        let mut edges = Vec::new();
        let mut add = |one: usize, other: usize| {
            if one != other {
                edges.push((one, other));
            }
        };
        self.order_threads(&vertices, &vertex_of, &mut add);
        self.order_accesses(&vertex_of, &mut add);
        self.order_ends(&vertices, &vertex_of, &mut add);
        for (one, other) in edges {
            vertices[one].next.push(other);
            vertices[other].before += 1;
        }
        sort(vertices, preference)
    }

    /// Makes vertices of operations, in the order in which they were begun; returns that of each node.
    fn vertices(&self, into: &mut Vec<Vertex>) -> Vec<Option<usize>> {
        let threads = self.graph.threads();
        let mut of_event: BTreeMap<u32, usize> = BTreeMap::new();
        let mut tails: BTreeMap<u32, usize> = BTreeMap::new();
        let mut vertex_of = Vec::with_capacity(self.graph.nodes().len());
        for (id, node) in self.graph.nodes().iter().enumerate() {
            if matches!(node.kind, Kind::Block { .. }) || node.is(flag::VAIN) {
                vertex_of.push(None);
                continue;
            }
            let thread = threads[node.thread as usize].id;
            let event = self.trace.get(node.trace as usize).filter(|event| event.thread == thread);
            let entry = match event {
                Some(_) => of_event.entry(node.trace),
                None => tails.entry(node.thread),
            };
            let vertex = *entry.or_insert_with(|| {
                let operation = event.map(|event| event.operation);
                // Other choices say where a node stands in the graph.
                let choice = match event {
                    Some(event) if matches!(event.operation, Operation::Choose { .. }) => event.choice,
                    _ => 0,
                };
                let placed = Placed { thread, operation, choice };
                into.push(Vertex { thread: node.thread, last: NONE, placed, next: Vec::new(), before: 0 });
                into.len() - 1
            });
            into[vertex].last = id as Id;
            vertex_of.push(Some(vertex));
        }
        vertex_of
    }

    /// Program order, creation and end of threads.
    fn order_threads(
        &self,
        vertices: &[Vertex],
        vertex_of: &[Option<usize>],
        add: &mut dyn FnMut(usize, usize),
    ) {
        let of = |id: Id| vertex_of.get(id as usize).copied().flatten();
        for thread in self.graph.threads() {
            let own: Vec<usize> = thread.nodes.iter().filter_map(|id| of(*id)).collect();
            own.windows(2).for_each(|pair| add(pair[0], pair[1]));
            if let (Some(creator), Some(first)) = (of(thread.creator), own.first()) {
                add(creator, *first);
            }
        }
        let mut last = vec![None; self.graph.threads().len()];
        let mut joins: BTreeMap<ThreadId, usize> = BTreeMap::new();
        for (id, node) in self.graph.nodes().iter().enumerate() {
            let Some(vertex) = of(id as Id) else { continue };
            let waits_for = |number: u32| match node.kind {
                Kind::Join(other) => other == number,
                _ => node.is(flag::AFTER_ALL) && number != node.thread,
            };
            let ended = (0..last.len() as u32).filter(|number| waits_for(*number));
            ended.filter_map(|number| last[number as usize]).for_each(|other| add(other, vertex));
            if let Some(Operation::Join { thread: Some(other) }) = vertices[vertex].placed.operation
                && let Some(earlier) = joins.insert(other, vertex)
            {
                add(earlier, vertex);
            }
            last[node.thread as usize] = Some(vertex);
        }
        // A join that went wrong comes after those that did not.
        for (at, vertex) in
            vertices.iter().enumerate().filter(|(_, vertex)| vertex.placed.operation.is_none())
        {
            let node = self.graph.node(vertex.last);
            if node.kind == Kind::Other {
                joins
                    .values()
                    .filter(|join| vertices[**join].last < vertex.last)
                    .for_each(|join| add(*join, at));
            }
        }
    }

    /// Reads-from, modification order, from-reads.
    fn order_accesses(&self, vertex_of: &[Option<usize>], add: &mut dyn FnMut(usize, usize)) {
        let of = |id: Id| vertex_of.get(id as usize).copied().flatten();
        for cell in self.graph.cells() {
            let writes: Vec<usize> = cell.writes.iter().filter_map(|id| of(*id)).collect();
            writes.windows(2).for_each(|pair| add(pair[0], pair[1]));
        }
        for (id, node) in self.graph.nodes().iter().enumerate() {
            let Some(vertex) = of(id as Id) else { continue };
            if !matches!(node.kind, Kind::Read | Kind::Wake) || node.cell == NONE {
                continue;
            }
            if let Some(source) = of(node.source) {
                add(source, vertex);
            }
            let next =
                self.graph.cell(node.cell).writes.get(self.graph.rank(node.cell, node.source)).copied();
            if let Some(next) = next.and_then(of).filter(|_| node.kind == Kind::Read) {
                add(vertex, next);
            }
        }
    }

    /// Accesses to objects, and the ends of these.
    fn order_ends(
        &self,
        vertices: &[Vertex],
        vertex_of: &[Option<usize>],
        add: &mut dyn FnMut(usize, usize),
    ) {
        let of = |id: Id| vertex_of.get(id as usize).copied().flatten();
        let object = |node: &Node| match self.trace.get(node.trace as usize)?.operation {
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                Some((address, address.saturating_add(size.max(1))))
            }
            _ => None,
        };
        let mut ends: Vec<(u64, u64, usize)> = Vec::new();
        for (id, node) in self.graph.nodes().iter().enumerate() {
            let Some(vertex) = of(id as Id) else { continue };
            match node.kind {
                Kind::After(end) => of(end).into_iter().for_each(|end| add(end, vertex)),
                Kind::End => ends.extend(object(node).map(|(start, end)| (start, end, vertex))),
                _ => {}
            }
        }
        ends.sort_unstable();
        let longest = ends.iter().map(|(start, end, _)| end - start).max().unwrap_or(0);
        for (at, vertex) in vertices.iter().enumerate() {
            let Some(operation) = vertex.placed.operation else { continue };
            for (address, size) in ranges(&operation).into_iter().flatten() {
                let until = ends.partition_point(|(start, ..)| *start < address.saturating_add(size));
                let near = ends[..until].iter().rev().take_while(|(start, ..)| start + longest > address);
                for (_, _, end) in near.filter(|(_, end, _)| *end > address) {
                    match vertices[*end].last < vertex.last {
                        true => add(*end, at),
                        false => add(at, *end),
                    }
                }
            }
        }
    }
}

/// Puts vertices in order; `None` if there is a cycle.
fn sort(mut vertices: Vec<Vertex>, preference: Preference) -> Option<Vec<Placed>> {
    // Of each thread at most one can be next.
    let is_ready = |(_, vertex): &(usize, &Vertex)| vertex.before == 0;
    let mut ready: BTreeMap<u32, usize> =
        vertices.iter().enumerate().filter(is_ready).map(|(at, vertex)| (vertex.thread, at)).collect();
    let mut sequence = Vec::with_capacity(vertices.len());
    let mut running = None;
    while !ready.is_empty() {
        let goes_on =
            running.filter(|thread| ready.contains_key(thread) && preference == Preference::FewSwitches);
        let earliest = || ready.iter().min_by_key(|(_, at)| vertices[**at].last).map(|(thread, _)| *thread);
        let thread = goes_on.or_else(earliest)?;
        let at = ready.remove(&thread)?;
        running = Some(thread);
        sequence.push(vertices[at].placed);
        for next in std::mem::take(&mut vertices[at].next) {
            vertices[next].before -= 1;
            if vertices[next].before == 0 {
                ready.insert(vertices[next].thread, next);
            }
        }
    }
    (sequence.len() == vertices.len()).then_some(sequence)
}
