//! Reads-from, modification order, and what synchronised with what.

use rustc_hash::FxHashMap;
use selvedge_check::race::RaceDetector;
use selvedge_explore::core::dependence::{Access, Mode};
use selvedge_memory::Graphs;
use selvedge_memory::axiomatic::{BEFORE, Graph, Kind, NONE};
use selvedge_trace::execution::{ModificationOrder, Step};
use selvedge_trace::{Event, Operation, ThreadId};
use selvedge_vm::Machine;

/// Addresses from here on are no memory, but facts that operations depend on.
const FACTS: u64 = 1 << 62;

/// Which step has written each byte last, and in which order locations were written; under models of steps.
#[derive(Default)]
pub(super) struct Writers {
    /// By granule of eight bytes: the step that wrote each byte.
    last: FxHashMap<u64, [Option<u32>; 8]>,
    /// The steps of stores that are, or were, in a buffer: by thread and the number of the (first) store.
    buffered: FxHashMap<ThreadId, Vec<(u32, usize)>>,
    /// Steps that write, by location, in the order in which they took effect.
    orders: Vec<((u64, u32), Vec<usize>)>,
    order_of: FxHashMap<(u64, u32), usize>,
}

impl Writers {
    /// Takes note of an event with its accesses; gives the sources of what it reads.
    pub(super) fn step(
        &mut self,
        at: usize,
        event: &Event,
        forwards: &[(u32, u16)],
        accesses: &[Access],
    ) -> Vec<Option<usize>> {
        let updates = matches!(
            event.operation,
            Operation::Rmw { .. } | Operation::CompareExchange { .. } | Operation::Sync { .. }
        );
        let mut sources: Vec<Option<usize>> = Vec::new();
        let mut add = |source: Option<usize>| {
            if !sources.contains(&source) {
                sources.push(source);
            }
        };
        for (number, _) in forwards {
            add(self.issued_by(event.thread, *number));
        }
        let memory = |access: &&Access| access.granule < FACTS && !access.watched && !access.own;
        for access in accesses.iter().filter(memory).filter(|access| updates || access.mode == Mode::Read) {
            let known = self.last.get(&access.granule).copied().unwrap_or_default();
            let own = (0..8).filter(|byte| access.mask & 1 << byte != 0);
            own.for_each(|byte| add(known[byte].map(|step| step as usize)));
        }
        if event.buffered != 0 {
            self.buffered.entry(event.thread).or_default().push((event.buffered, at));
        }
        let writer = match event.operation {
            Operation::Flush { store, .. } => self.issued_by(event.thread, store).unwrap_or(at),
            _ => at,
        };
        let mut writes = false;
        for access in accesses.iter().filter(memory).filter(|access| access.mode != Mode::Read) {
            writes = true;
            let bytes = self.last.entry(access.granule).or_default();
            (0..8)
                .filter(|byte| access.mask & 1 << byte != 0)
                .for_each(|byte| bytes[byte] = Some(writer as u32));
        }
        let location = event.operation.subject().filter(|_| writes);
        if let Some(location) =
            location.and_then(|(address, size)| Some((address, u32::try_from(size).ok()?)))
        {
            let next = self.orders.len();
            let order = *self.order_of.entry(location).or_insert(next);
            if order == next {
                self.orders.push((location, Vec::new()));
            }
            self.orders[order].1.push(writer);
        }
        sources
    }

    /// The step that has put a store into its thread's buffer.
    fn issued_by(&self, thread: ThreadId, number: u32) -> Option<usize> {
        let issued = self.buffered.get(&thread)?;
        let behind = issued.partition_point(|(first, _)| *first <= number);
        Some(issued[behind.checked_sub(1)?].1)
    }

    /// The orders, by address.
    pub(super) fn orders(self, machine: &Machine<'_>, steps: &[Step]) -> Vec<ModificationOrder> {
        let mut orders = self.orders;
        orders.sort_unstable_by_key(|(location, _)| *location);
        let order = |((address, size), writes): ((u64, u32), Vec<usize>)| {
            let named = writes.iter().find_map(|write| steps[*write].object.clone());
            let object = named.unwrap_or_else(|| super::names::stored(machine, address, size));
            ModificationOrder { address, size, object, writes }
        };
        orders.into_iter().map(order).collect()
    }
}

/// What each step knows of other threads: which of their steps happen before it. Filled by the clocks of the race detector.
#[derive(Default)]
pub(super) struct Knowledge {
    /// Of each thread, the steps that its operations are, in their order.
    steps: FxHashMap<ThreadId, Vec<usize>>,
    known: Known,
}

/// For each step, its thread, and of each other thread the last step that happens before it.
type Known = Vec<Option<(ThreadId, Vec<(ThreadId, usize)>)>>;

impl Knowledge {
    /// Adds a step that the detector has just been told.
    pub(super) fn add(&mut self, at: usize, event: &Event, detector: &RaceDetector) {
        self.known.resize(at + 1, None);
        if matches!(event.operation, Operation::Flush { .. }) {
            return;
        }
        self.steps.entry(event.thread).or_default().push(at);
        let others = detector.seen(event.thread);
        let last = |(thread, count): (ThreadId, u32)| {
            let steps = self.steps.get(&thread)?;
            // A clock may be ahead by the operation that its thread has not performed.
            let nth = steps.len().min(count as usize).checked_sub(1)?;
            Some((thread, steps[nth]))
        };
        let others = others.filter(|(thread, _)| *thread != event.thread).filter_map(last).collect();
        self.known[at] = Some((event.thread, others));
    }

    /// The pairs from which the others follow.
    pub(super) fn reduced(self) -> Vec<(usize, usize)> {
        reduce(&self.known)
    }
}

/// The pairs of steps of different threads from which, with program order, all others follow.
fn reduce(known: &Known) -> Vec<(usize, usize)> {
    let knows = |step: usize, thread: ThreadId| {
        let (_, others) = known.get(step)?.as_ref()?;
        others.iter().find(|(other, _)| *other == thread).map(|(_, last)| *last)
    };
    let mut before: FxHashMap<ThreadId, usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (at, entry) in known.iter().enumerate() {
        let Some((thread, others)) = entry else { continue };
        let previous = before.insert(*thread, at);
        let is_new = |(other, last): &&(ThreadId, usize)| {
            let already = previous.and_then(|previous| knows(previous, *other));
            already.is_none_or(|already| already < *last)
        };
        let new: Vec<(ThreadId, usize)> = others.iter().filter(is_new).copied().collect();
        let follows = |(thread, last): &(ThreadId, usize)| {
            new.iter().any(|(other, via)| {
                other != thread && knows(*via, *thread).is_some_and(|known| known >= *last)
            })
        };
        pairs.extend(new.iter().filter(|one| !follows(one)).map(|(_, last)| (*last, at)));
    }
    pairs
}

/// The steps that a step of a graph reads from.
pub(super) fn sources(graphs: &impl Graphs, at: usize) -> Vec<Option<usize>> {
    let graph = graphs.graph();
    let mut sources = Vec::new();
    for (_, node) in graph.nodes_of(at) {
        if matches!(node.kind, Kind::Read | Kind::Wake) && node.cell != NONE {
            let source = (node.source != NONE).then(|| graph.node(node.source).trace as usize);
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
    }
    // Those of its first bytes come first.
    sources.reverse();
    sources
}

/// The writes of a graph.
pub(super) fn orders_of_graph(graphs: &impl Graphs, machine: &Machine<'_>) -> Vec<ModificationOrder> {
    let graph = graphs.graph();
    let mut orders: Vec<ModificationOrder> = Vec::new();
    for cell in graph.cells().iter().filter(|cell| !cell.writes.is_empty()) {
        let steps = cell.writes.iter().map(|write| graph.node(*write).trace);
        let mut writes: Vec<usize> = steps.filter(|step| *step != NONE).map(|step| step as usize).collect();
        writes.dedup();
        let (address, size) = (cell.address, cell.size);
        orders.push(ModificationOrder {
            address,
            size,
            object: super::names::stored(machine, address, size),
            writes,
        });
    }
    orders.sort_by_key(|order| (order.address, order.size));
    orders
}

/// What synchronised with what in a graph.
pub(super) fn synchronised_in_graph(graphs: &impl Graphs) -> Vec<(usize, usize)> {
    let graph = graphs.graph();
    let mut known: Known = vec![None; graphs.events().len()];
    for (id, node) in (0..).zip(graph.nodes()) {
        let step = node.trace as usize;
        if node.trace == NONE || step >= known.len() || !node.is_performed() {
            continue;
        }
        let clock = graph.clock(id, BEFORE);
        let mut others = Vec::new();
        for (number, thread) in (0..).zip(graph.threads()).filter(|(number, _)| *number != node.thread) {
            let count = clock.get(number as usize).copied().unwrap_or(0);
            let behind = thread.nodes.partition_point(|other| graph.node(*other).index < count);
            // What a thread has read in vain is no part of a step.
            let mut nodes = thread.nodes[..behind].iter().rev().map(|node| graph.node(*node));
            let step = nodes.find(|node| node.trace != NONE && node.is_performed()).map(|node| node.trace);
            others.extend(step.map(|step| (thread.id, step as usize)));
        }
        // Later nodes of an operation know more.
        known[step] = Some((thread_of(graph, node.thread), others));
    }
    reduce(&known)
}

fn thread_of(graph: &Graph, number: u32) -> ThreadId {
    graph.threads()[number as usize].id
}
