//! Robustness: is an execution with store buffers one that sequential consistency has, too?
//!
//! It is if there is a single order of all operations, each thread's in the order of its program, in which each load
//! reads what it read and stores to each location come in the order in which they reached memory (Shasha and Snir).
//! So operations are nodes, and the edges are: program order; *reads-from*, from a store to who reads it; *coherence*,
//! from a store to the next one at the same location; *from-reads*, from a load to the store that overwrites what it
//! read; the order of operations on a synchronisation object; creation and join. A cycle is the proof that there is no
//! such order. It shows why: somewhere in it a thread goes on before its own store has reached memory.
//!
//! Bytes are looked at one by one, so accesses of different sizes are dealt with exactly. Freeing memory is no access
//! here.
//!
//! An operation with several stores (a copy; a store that hands an object over, with what was stored to that object before) is one
//! node, as it is one step under sequential consistency. With `--robust` nothing but robustness is looked for.

use crate::checker::{Checker, Equivalence, Finding, Standing};
use crate::{Violation, name_of};
use rustc_hash::FxHashMap;
use selvedge_memory::System;
use selvedge_trace::sync::Action;
use selvedge_trace::{Event, Operation, ThreadId};
use selvedge_vm::{FaultKind, Note};
use std::collections::VecDeque;

/// Why one operation comes before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Because {
    Program,
    Read,
    Overwritten,
    ReadBefore,
    Object,
    Thread,
}

/// The accesses to one byte of memory.
#[derive(Default)]
struct Byte {
    /// Operations that have written it, in the order in which that reached memory.
    writes: Vec<usize>,
    /// Operations that have read it, and how many writes had been made before.
    reads: Vec<(usize, usize)>,
}

/// A store that is in a buffer; a copy or fill is in several parts. What a thread has stored to an object before handing it
/// over may be buffered together with the store that does that: it counts as a part of it.
struct Pending {
    /// The number of its first part.
    number: u32,
    /// The operation.
    node: usize,
    address: u64,
    size: u64,
    /// Parts that have reached memory: address and size.
    arrived: Vec<(u64, u64)>,
}

impl Pending {
    fn holds(&self, byte: u64) -> bool {
        let within = |(address, size): (u64, u64)| byte.wrapping_sub(address) < size;
        within((self.address, self.size)) && !self.arrived.iter().any(|part| within(*part))
    }
}

#[derive(Default)]
struct Graph {
    edges: Vec<Vec<(usize, Because)>>,
    bytes: FxHashMap<u64, Byte>,
    /// Loads of bytes that were still in the buffer, by the store's operation and byte.
    forwarded: FxHashMap<(usize, u64), Vec<usize>>,
    buffers: FxHashMap<ThreadId, Vec<Pending>>,
    /// The number of each thread's last buffered store.
    issued: FxHashMap<ThreadId, u32>,
    objects: FxHashMap<u64, usize>,
    last: FxHashMap<ThreadId, usize>,
    creators: FxHashMap<ThreadId, usize>,
}

impl Graph {
    fn of(events: &[Event]) -> Self {
        let mut graph = Graph { edges: vec![Vec::new(); events.len()], ..Graph::default() };
        for (at, event) in events.iter().enumerate() {
            graph.add(at, event);
        }
        graph.close();
        graph
    }

    fn edge(&mut self, from: usize, to: usize, because: Because) {
        if from != to {
            self.edges[from].push((to, because));
        }
    }

    fn add(&mut self, at: usize, event: &Event) {
        let thread = event.thread;
        if let Operation::Flush { address, size, store, .. } = event.operation {
            return self.arrive(thread, store, address, u64::from(size));
        }
        match self.last.insert(thread, at) {
            Some(before) => self.edge(before, at, Because::Program),
            None => {
                if let Some(creator) = self.creators.get(&thread).copied() {
                    self.edge(creator, at, Because::Thread);
                }
            }
        }
        match event.operation {
            Operation::Load { address, ty, .. } => {
                for byte in 0..u64::from(ty.bytes()) {
                    match event.forwarded & (1 << byte) != 0 {
                        true => self.read_own(at, thread, address + byte),
                        false => self.read(at, address + byte),
                    }
                }
            }
            Operation::Store { address, ty, .. } => {
                self.store(at, event, address, u64::from(ty.bytes()));
            }
            Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => {
                for byte in address..address + u64::from(ty.bytes()) {
                    self.read(at, byte);
                    if event.written.is_some() {
                        self.write(at, byte);
                    }
                }
            }
            Operation::Copy { to, from, size } => {
                for byte in from..from + size {
                    match self.is_buffered(thread, byte) {
                        true => self.read_own(at, thread, byte),
                        false => self.read(at, byte),
                    }
                }
                self.store(at, event, to, size);
            }
            Operation::Set { to, size, .. } => self.store(at, event, to, size),
            Operation::Sync { op, object, argument } => {
                self.synchronise(at, object);
                if op.action() == Action::ReleaseAndWait {
                    self.synchronise(at, argument);
                }
            }
            Operation::Spawn { .. } => {
                let number = event.read.and_then(|handle| (handle as usize).checked_sub(1));
                if let Some(child) = number.and_then(ThreadId::from_number) {
                    self.creators.insert(child, at);
                }
            }
            // One that fails has not waited for the thread.
            Operation::Join { thread: Some(child) } if event.read.is_some() => {
                if let Some(last) = self.last.get(&child).copied() {
                    self.edge(last, at, Because::Thread);
                }
            }
            Operation::WaitForOthers { .. } => {
                let others: Vec<usize> = self.last.values().copied().collect();
                others.into_iter().for_each(|last| self.edge(last, at, Because::Thread));
            }
            _ => {}
        }
    }

    fn read(&mut self, at: usize, byte: u64) {
        let byte = self.bytes.entry(byte).or_default();
        byte.reads.push((at, byte.writes.len()));
    }

    fn write(&mut self, at: usize, byte: u64) {
        self.bytes.entry(byte).or_default().writes.push(at);
    }

    fn is_buffered(&self, thread: ThreadId, byte: u64) -> bool {
        self.newest(thread, byte).is_some()
    }

    fn newest(&self, thread: ThreadId, byte: u64) -> Option<usize> {
        let pending = self.buffers.get(&thread)?.iter().rev();
        pending.filter(|store| store.holds(byte)).map(|store| store.node).next()
    }

    fn read_own(&mut self, at: usize, thread: ThreadId, byte: u64) {
        if let Some(node) = self.newest(thread, byte) {
            self.forwarded.entry((node, byte)).or_default().push(at);
        }
    }

    fn store(&mut self, at: usize, event: &Event, address: u64, size: u64) {
        match event.buffered {
            0 => (address..address + size).for_each(|byte| self.write(at, byte)),
            number => {
                let parts = match event.operation {
                    Operation::Store { .. } => 1,
                    _ => (address + size).div_ceil(8) - address / 8,
                };
                let issued = self.issued.entry(event.thread).or_default();
                let first = std::mem::replace(issued, number + parts as u32 - 1) + 1;
                let store = Pending { number: first, node: at, address, size, arrived: Vec::new() };
                self.buffers.entry(event.thread).or_default().push(store);
            }
        }
    }

    /// A store reaches memory; of a copy or fill, a part of it.
    fn arrive(&mut self, thread: ThreadId, number: u32, address: u64, size: u64) {
        let Some(pending) = self.buffers.get_mut(&thread) else { return };
        // Parts are numbered from that of the whole.
        let Some(at) = pending.iter().rposition(|store| store.number <= number) else { return };
        let node = pending[at].node;
        if address.wrapping_sub(pending[at].address) < pending[at].size {
            pending[at].arrived.push((address, size));
        }
        for byte in address..address + size {
            let entry = self.bytes.entry(byte).or_default();
            entry.writes.push(node);
            let position = entry.writes.len();
            for read in self.forwarded.remove(&(node, byte)).unwrap_or_default() {
                entry.reads.push((read, position));
            }
        }
    }

    fn synchronise(&mut self, at: usize, object: u64) {
        if let Some(before) = self.objects.insert(object, at) {
            self.edge(before, at, Because::Object);
        }
    }

    /// Adds the edges that accesses to memory make.
    fn close(&mut self) {
        for byte in std::mem::take(&mut self.bytes).into_values() {
            for pair in byte.writes.windows(2) {
                self.edge(pair[0], pair[1], Because::Overwritten);
            }
            for (read, position) in byte.reads {
                if let Some(source) = position.checked_sub(1).map(|before| byte.writes[before]) {
                    self.edge(source, read, Because::Read);
                }
                if let Some(next) = byte.writes.get(position) {
                    self.edge(read, *next, Because::ReadBefore);
                }
            }
        }
    }

    /// The shortest cycle, if there is one, with the reason for each step to the next.
    fn cycle(&self) -> Option<Vec<(usize, Because)>> {
        let mut shortest: Option<Vec<(usize, Because)>> = None;
        for start in 0..self.edges.len() {
            let cycle = self.cycle_through(start);
            let shorter = |cycle: &Vec<_>| shortest.as_ref().is_none_or(|known| cycle.len() < known.len());
            if let Some(cycle) = cycle.filter(shorter) {
                shortest = Some(cycle);
            }
        }
        shortest
    }

    fn cycle_through(&self, start: usize) -> Option<Vec<(usize, Because)>> {
        let mut from: FxHashMap<usize, (usize, Because)> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for (next, because) in &self.edges[node] {
                if *next == start {
                    let mut cycle = vec![(node, *because)];
                    let mut at = node;
                    while at != start {
                        let (before, because) = *from.get(&at)?;
                        cycle.push((before, because));
                        at = before;
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if *next != start && !from.contains_key(next) {
                    from.insert(*next, (node, *because));
                    queue.push_back(*next);
                }
            }
        }
        None
    }
}

/// Whether anybody did anything while a store was in a buffer. If not, the execution is an interleaving.
fn overtakes(events: &[Event]) -> bool {
    let mut last = None;
    events.iter().any(|event| {
        let performed = Some((event.thread, event.index));
        match event.operation {
            // An operation may have several stores: all of them must arrive before anything else happens.
            Operation::Flush { .. } => performed != last,
            _ => {
                last = performed;
                false
            }
        }
    })
}

/// Whether there is no order of all operations that explains the events.
fn is_cyclic(events: &[Event]) -> bool {
    let graph = Graph::of(events);
    // Whatever is not in a cycle can be taken away from the ends.
    let mut degrees = vec![0; events.len()];
    graph.edges.iter().flatten().for_each(|(to, _)| degrees[*to] += 1);
    let mut free: Vec<usize> = (0..events.len()).filter(|node| degrees[*node] == 0).collect();
    let mut left = events.len();
    while let Some(node) = free.pop() {
        left -= 1;
        for (to, _) in &graph.edges[node] {
            degrees[*to] -= 1;
            if degrees[*to] == 0 {
                free.push(*to);
            }
        }
    }
    left > 0
}

/// Robustness as a checker.
#[derive(Debug, Clone, Copy, Default)]
pub struct Robustness;

impl Checker for Robustness {
    type Mark = ();

    /// A cycle is made of orders between operations that depend on each other.
    const PRESERVED_BY: Equivalence = Equivalence::Orders;

    fn end<S: System>(&mut self, system: &S, standing: Standing) -> Option<Finding> {
        if standing == Standing::Cut {
            return None;
        }
        let (violation, events) = violation(system)?;
        Some(Finding { violation, events })
    }

    fn mark(&self) {}

    fn rewind(&mut self, (): &()) {}
}

/// The violation, if the present execution is not sequentially consistent, and how many of its events show it.
pub fn violation(system: &impl System) -> Option<(Violation, usize)> {
    let events = system.events();
    if !overtakes(events) || !is_cyclic(events) {
        return None;
    }
    // Later events take no edge away: the shortest beginning can be found by halving.
    let (mut good, mut bad) = (0, events.len());
    while bad - good > 1 {
        let middle = (good + bad) / 2;
        match is_cyclic(&events[..middle]) {
            true => bad = middle,
            false => good = middle,
        }
    }
    let cycle = Graph::of(&events[..bad]).cycle()?;
    let name = |event: &Event| {
        let (address, size) = event.operation.subject()?;
        Some(name_of(system.machine(), address, size))
    };
    let does = |event: &Event| match name(event) {
        Some(name) => format!("{} {name}", verb(event)),
        None => verb(event).to_owned(),
    };
    // Begin where a thread goes on before its store has arrived.
    let begins = |at: usize| {
        let (node, because) = cycle[at];
        because == Because::Program && events[node].buffered != 0
    };
    let start = (0..cycle.len()).find(|at| begins(*at)).unwrap_or(0);
    let cycle: Vec<(usize, Because)> = cycle[start..].iter().chain(&cycle[..start]).copied().collect();
    let first = &events[cycle[0].0];
    let next = &events[cycle.get(1).unwrap_or(&cycle[0]).0];
    let message = format!(
        "sequential consistency does not have this execution: thread {} {} and then {}, but others see it the other way round",
        first.thread,
        does(first),
        does(next),
    );
    let mut notes = Vec::new();
    for (at, (node, because)) in cycle.iter().enumerate() {
        let event = &events[*node];
        let next = &events[cycle[(at + 1) % cycle.len()].0];
        let why = match because {
            Because::Program => {
                format!("and in the program comes before what thread {} does next", next.thread)
            }
            Because::Read => format!("which thread {} reads", next.thread),
            Because::Overwritten => format!("which thread {} overwrites", next.thread),
            Because::ReadBefore => format!("before thread {} writes it", next.thread),
            Because::Object => format!("before thread {} uses it", next.thread),
            Because::Thread => format!("before thread {} goes on", next.thread),
        };
        let message = format!("thread {} {} here, {why}", event.thread, does(event));
        notes.push(Note { message, span: system.machine().image.sites.span(event.site) });
    }
    let events: Vec<usize> = cycle.iter().map(|(node, _)| *node).collect();
    let violation = Violation {
        kind: FaultKind::NotRobust,
        message,
        thread: first.thread,
        span: system.machine().image.sites.span(first.site),
        notes,
        events,
    };
    Some((violation, bad))
}

fn verb(event: &Event) -> &'static str {
    match event.operation {
        // What matters is where it writes.
        Operation::Copy { .. } => "writes",
        Operation::Sync { op, .. } => op.verb(),
        Operation::Spawn { .. } => "creates a thread",
        Operation::Join { .. } | Operation::WaitForOthers { .. } => "waits for a thread's end",
        _ => event.access_verb().unwrap_or("goes on"),
    }
}
