//! Execution graphs: events, program order, where each read reads from, and the order of the writes to each location.
//!
//! A graph grows by one node at a time and shrinks in the opposite order, so a node is named by its position. An
//! operation of the program is one node, or several: a read-modify-write is a read and a write, a lock too. Each node has
//! vector clocks that say what came before it; they are computed when it is added, and never change, because nothing that
//! is added later comes before it.
//!
//! | clock | what it contains |
//! | --- | --- |
//! | [`CAUSES`] | all that the node depends on: program order and reads-from, whatever the orders |
//! | [`BEFORE`] | all that happens before the node, in the sense of RC11, the node included |
//! | [`FENCED`] | what happened before the thread's last release fence |
//! | [`SEEN`] | what relaxed reads have seen released, waiting for an acquire fence |
//! | [`RELEASED`] | of a write: what whoever acquires it gets |
//!
//! What is released with a write, is released with those that continue its release sequence: see [`ReleaseSequences`]. In the
//! manner of C11, later writes of the same thread do, whatever comes in between: that is RC11's own definition, and what is
//! added later does not change it. C11 says that a store of another thread in between ends the sequence; see
//! [`Graph::is_interrupted`].
//!
//! What RC11 leaves open is decided like this. Creation of a thread happens before its first event, its last event before
//! a join. A synchronisation object is a location whose every change is a read-modify-write, so that its changes are in
//! one order: what gives (unlock, post, arrive) releases, what takes acquires, and all of them carry on what was released
//! before, but for what sets the object up. What only looks or fails (a failed trylock, an unlock that is not permitted, a
//! signal that wakes nobody) neither acquires nor releases. Fences are about atomic objects: they have nothing to do with
//! these. A plain access counts as a relaxed one; if that matters, it races.

mod aside;
mod interrupted;
mod node;

pub use aside::{End, NodesAside};
pub use node::{Draft, Id, Kind, NONE, Node, State, Waits, flag};

use super::fences::Reached;
use crate::ReleaseSequences;
use rustc_hash::FxHashMap;
use selvedge_trace::ThreadId;
use std::cell::{RefCell, RefMut};

/// The clock of all that a node depends on.
pub const CAUSES: usize = 0;
/// The clock of what happens before a node.
pub const BEFORE: usize = 1;
/// The clock of what happened before the thread's last release fence.
pub const FENCED: usize = 2;
/// The clock of what relaxed reads have seen released.
pub const SEEN: usize = 3;
/// The clock of what is acquired from a write.
pub const RELEASED: usize = 4;
const CLOCKS: usize = 5;

/// A location.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub size: u32,
    /// What is there before the first write.
    pub initial: State,
    /// Which bits of that are defined, if that is followed.
    pub(super) initially_defined: u128,
    /// In which era of the machine that was read.
    pub(super) era: Option<u32>,
    /// The writes, in modification order.
    pub writes: Vec<Id>,
    /// The reads, in the order in which they were added.
    pub reads: Vec<Id>,
    /// How many accesses are not atomic.
    pub plain: u32,
    /// Other locations that share bytes with it.
    overlaps: Vec<u32>,
}

/// A thread.
#[derive(Debug, Clone)]
pub struct Thread {
    /// Who.
    pub id: ThreadId,
    /// Its nodes.
    pub nodes: Vec<Id>,
    /// The node that created it.
    pub creator: Id,
    /// The join that has waited for its end.
    pub joiner: Id,
    /// Those of its nodes that are sequentially consistent.
    pub(super) seq_cst: Vec<Id>,
    /// Those of these that are fences.
    pub(super) fences: Vec<Id>,
}

/// Room for a search, which is used again.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Which nodes have been seen.
    pub(super) seen: Vec<bool>,
    /// Of each thread, the first node that has been seen.
    pub(super) first: Vec<u32>,
    /// Nodes that were seen and not followed yet.
    pub(super) open: Vec<Id>,
    /// For the search with fences.
    pub(super) reached: Reached,
}

/// Which location an address stands for. After an object's life, its addresses stand for others.
#[derive(Debug, Default)]
struct Addresses {
    now: FxHashMap<u64, u32>,
    /// Locations that an address stood for earlier: number of nodes, address, location.
    retired: Vec<(usize, u64, u32)>,
    /// Locations without nodes that an address can stand for in a later life.
    spare: FxHashMap<u64, Vec<u32>>,
}

/// An execution graph.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    clocks: Vec<u32>,
    /// How many threads the clocks have room for.
    width: usize,
    threads: Vec<Thread>,
    /// Numbers of threads in the graph, by those of [`ThreadId`].
    numbers: Vec<u32>,
    cells: Vec<Cell>,
    addresses: Addresses,
    /// How many nodes are sequentially consistent accesses, and fences.
    seq_cst: (u32, u32),
    /// How many nodes are of the kind [`Kind::Block`].
    blocks: u32,
    /// How many threads are in the middle of an operation.
    open: u32,
    sequences: ReleaseSequences,
    /// Whether clocks are being computed with the release sequences as they are now.
    is_exact: bool,
    /// How many nodes are interruptions of release sequences.
    interruptions: u32,
    newest: u32,
    room: RefCell<Room>,
}

impl Graph {
    /// An empty graph.
    pub fn new(sequences: ReleaseSequences) -> Self {
        Self { sequences, ..Self::default() }
    }

    /// All nodes, in the order in which they were added.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// All threads.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// A location.
    pub fn cell(&self, cell: u32) -> &Cell {
        &self.cells[cell as usize]
    }

    /// All locations.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many sequentially consistent accesses there are.
    pub fn seq_cst_accesses(&self) -> u32 {
        self.seq_cst.0
    }

    /// How many sequentially consistent fences there are.
    pub fn seq_cst_fences(&self) -> u32 {
        self.seq_cst.1
    }

    /// The number of a thread.
    pub fn number(&mut self, id: ThreadId) -> u32 {
        match self.known_number(id) {
            Some(number) => number,
            None => self.add_thread(id),
        }
    }

    #[cold]
    fn add_thread(&mut self, id: ThreadId) -> u32 {
        let number = self.threads.len() as u32;
        self.numbers.resize(self.numbers.len().max(id.number() + 1), NONE);
        self.numbers[id.number()] = number;
        let (nodes, seq_cst, fences) = (Vec::new(), Vec::new(), Vec::new());
        self.threads.push(Thread { id, nodes, creator: NONE, joiner: NONE, seq_cst, fences });
        self.widen();
        number
    }

    /// The number of a thread, if it has one.
    pub fn known_number(&self, id: ThreadId) -> Option<u32> {
        self.numbers.get(id.number()).copied().filter(|number| *number != NONE)
    }

    /// Makes room in the clocks for all threads.
    fn widen(&mut self) {
        if self.threads.len() <= self.width {
            return;
        }
        let width = (2 * self.width).max(4);
        let mut wider = vec![0; self.nodes.len() * CLOCKS * width];
        for (old, new) in self.clocks.chunks(self.width.max(1)).zip(wider.chunks_mut(width)) {
            new[..old.len()].copy_from_slice(old);
        }
        (self.clocks, self.width) = (wider, width);
    }

    /// The location at an address, if it has one now.
    pub fn cell_at(&self, address: u64) -> Option<u32> {
        self.addresses.now.get(&address).copied()
    }

    /// A location for an address.
    pub fn add_cell(&mut self, address: u64, size: u32) -> u32 {
        let cell = self.cells.len() as u32;
        let end = address + u64::from(size);
        let mut overlaps = Vec::new();
        for (number, other) in self.cells.iter_mut().enumerate() {
            if other.address < end && address < other.address + u64::from(other.size) {
                overlaps.push(number as u32);
                other.overlaps.push(cell);
            }
        }
        self.cells.push(Cell { address, size, overlaps, ..Cell::default() });
        self.addresses.now.insert(address, cell);
        cell
    }

    /// A location that is used and shares bytes with an unused one: its accesses are of another size.
    pub fn rival(&self, cell: u32) -> Option<&Cell> {
        let is_current = |other: &&u32| {
            let at = self.cell(**other);
            !self.is_unused(**other) && self.addresses.now.get(&at.address) == Some(*other)
        };
        self.cell(cell).overlaps.iter().find(is_current).map(|other| self.cell(*other))
    }

    /// The locations that are used and share bytes with a range, in no order.
    pub fn overlapping(&self, start: u64, end: u64) -> impl Iterator<Item = &Cell> {
        let used = self.addresses.now.values().filter(|cell| !self.is_unused(**cell));
        used.map(|cell| self.cell(*cell))
            .filter(move |cell| cell.address < end && start < cell.address + u64::from(cell.size))
    }

    /// Whether a location has no nodes.
    pub fn is_unused(&self, cell: u32) -> bool {
        let cell = self.cell(cell);
        cell.writes.is_empty() && cell.reads.is_empty()
    }

    /// Sets what is in a location that has no nodes yet, and in which era of the machine that was read.
    pub(super) fn set_initial(&mut self, cell: u32, state: State, defined: u128, era: u32) {
        let cell = &mut self.cells[cell as usize];
        (cell.initial, cell.initially_defined, cell.era) = (state, defined, Some(era));
    }

    /// The addresses in a range stand for new locations from now on, unless `goes_on` is true of the old one.
    pub fn renew(&mut self, start: u64, end: u64, goes_on: impl Fn(&Self, u32) -> bool) {
        let inside = |(address, cell): (&u64, &u32)| {
            let ends = (start..end).contains(address) && !self.is_unused(*cell) && !goes_on(self, *cell);
            ends.then_some((*address, *cell))
        };
        let used: Vec<(u64, u32)> = self.addresses.now.iter().filter_map(inside).collect();
        for (address, cell) in used {
            let size = self.cell(cell).size;
            self.addresses.retired.push((self.nodes.len(), address, cell));
            match self.addresses.spare.get_mut(&address).and_then(Vec::pop) {
                Some(spare) => drop(self.addresses.now.insert(address, spare)),
                None => drop(self.add_cell(address, size)),
            }
        }
    }

    /// The last node of a thread.
    pub fn last_of(&self, thread: u32) -> Id {
        self.threads[thread as usize].nodes.last().copied().unwrap_or(NONE)
    }

    /// Whether a thread is in the middle of an operation.
    pub fn is_open(&self, thread: u32) -> bool {
        let last = self.last_of(thread);
        last != NONE && self.node(last).is(flag::OPEN)
    }

    /// A clock of a node.
    pub fn clock(&self, id: Id, which: usize) -> &[u32] {
        let start = (id as usize * CLOCKS + which) * self.width;
        &self.clocks[start..start + self.width]
    }

    /// A clock of a thread: that of its last node, or of who created it.
    pub fn clock_of(&self, thread: u32, which: usize) -> Option<&[u32]> {
        let at = &self.threads[thread as usize];
        match (at.nodes.last(), at.creator) {
            (Some(last), _) => Some(self.clock(*last, which)),
            (None, NONE) => None,
            (None, creator) => Some(self.clock(creator, which)),
        }
    }

    /// Whether a node is in a clock.
    pub fn is_in(&self, id: Id, clock: &[u32]) -> bool {
        let node = self.node(id);
        node.index < clock[node.thread as usize]
    }

    /// Whether one node happens before another.
    pub fn happens_before(&self, one: Id, other: Id) -> bool {
        one != other && self.is_in(one, self.clock(other, BEFORE))
    }

    /// The state that a source has.
    pub fn state_of(&self, cell: u32, source: Id) -> State {
        match source {
            NONE => self.cell(cell).initial,
            source => self.node(source).state,
        }
    }

    /// The last write to a location.
    pub fn last_write(&self, cell: u32) -> Id {
        self.cell(cell).writes.last().copied().unwrap_or(NONE)
    }

    /// The rank of a source: how many writes to the location come up to it in modification order, itself included.
    pub fn rank(&self, cell: u32, source: Id) -> usize {
        match source {
            NONE => 0,
            source => {
                let write = self.node(source);
                if write.cell == cell { write.rank as usize } else { 0 }
            }
        }
    }

    /// The source with a rank.
    pub fn of_rank(&self, cell: u32, rank: usize) -> Option<Id> {
        match rank {
            0 => Some(NONE),
            rank => self.cell(cell).writes.get(rank - 1).copied(),
        }
    }

    /// The lowest rank that something after a clock may read from, and the lowest place where it may write: nothing may be
    /// older than a write, or a write that was read, in the clock.
    pub fn floor(&self, cell: u32, clock: Option<&[u32]>) -> usize {
        let (Some(clock), at) = (clock, self.cell(cell)) else { return 0 };
        let known = at.writes.iter().rposition(|write| self.is_in(*write, clock)).map_or(0, |at| at + 1);
        // Only reads of the later writes can raise this, and these were added after them.
        let Some(oldest) = at.writes[known..].iter().copied().min() else { return known };
        let mut floor = known;
        for read in at.reads.iter().rev().take_while(|read| **read > oldest) {
            let node = self.node(*read);
            if node.index < clock[node.thread as usize]
                && node.source != NONE
                && !node.is(flag::VAIN)
                && !self.is_in(node.source, clock)
            {
                floor = floor.max(self.rank(cell, node.source));
            }
        }
        floor
    }

    /// The write of the update that reads from a source, if there is one: it comes right after.
    pub fn updated_by(&self, cell: u32, source: Id) -> Option<Id> {
        let next = *self.cell(cell).writes.get(self.rank(cell, source))?;
        let write = self.node(next);
        (write.is(flag::UPDATE) && write.source == source).then_some(next)
    }

    /// Whether a node is a read that a write may revisit: one that was not in vain, or that of a thread which waits for that.
    pub fn may_be_revisited(&self, node: &Node) -> bool {
        node.reads() || self.awaits_in_vain(node)
    }

    /// Whether a node is what a thread that awaits a value has read in vain. It is no access of the program.
    pub fn awaits_in_vain(&self, node: &Node) -> bool {
        node.is(flag::VAIN) && {
            let nodes = &self.threads[node.thread as usize].nodes;
            let next = nodes.get(node.index as usize + 1).map(|id| self.node(*id).kind);
            matches!(next, Some(Kind::Block { waits: Waits::ForRevisit, .. }))
        }
    }

    /// The newest stamp.
    pub fn newest(&self) -> u32 {
        self.newest
    }

    /// Sets the stamp of the nodes from a position on.
    pub fn restamp(&mut self, from: usize, stamp: u32) {
        for node in self.nodes.iter_mut().skip(from) {
            node.stamp = stamp;
        }
        self.newest = self.newest.max(stamp);
    }

    /// Sets a flag of a node.
    pub fn set_flag(&mut self, at: usize, flag: u16) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.flags |= flag;
        }
    }

    /// Room for one search.
    pub(super) fn room(&self) -> RefMut<'_, Room> {
        self.room.borrow_mut()
    }

    /// Whether some thread is in the middle of an operation.
    pub fn is_somebody_busy(&self) -> bool {
        self.open > 0
    }

    /// Whether some thread has blocked.
    pub fn has_blocks(&self) -> bool {
        self.blocks > 0
    }

    /// Sets the newest stamp, after nodes were taken back.
    pub fn set_newest(&mut self, stamp: u32) {
        self.newest = stamp;
    }

    /// Sets the position in the trace of the operation of a thread's last nodes.
    pub fn close(&mut self, thread: u32, trace: u32) {
        let nodes = &self.threads[thread as usize].nodes;
        for id in nodes.iter().rev() {
            let node = &mut self.nodes[*id as usize];
            if node.trace != NONE {
                break;
            }
            node.trace = trace;
            if node.phase == 0 {
                break;
            }
        }
    }

    /// The operation of the last node of a thread ends with it.
    pub fn shut(&mut self, thread: u32) {
        let last = self.last_of(thread);
        if last != NONE && self.node(last).is(flag::OPEN) {
            self.nodes[last as usize].flags &= !flag::OPEN;
            self.open -= 1;
        }
    }

    /// Changes what the last node writes.
    pub fn set_state(&mut self, state: State) {
        if let Some(node) = self.nodes.last_mut() {
            node.state = state;
        }
    }

    /// Adds a node.
    // Inlined, so that the node is put together where it belongs and not copied there.
    #[inline(always)]
    pub fn push(&mut self, thread: u32, draft: Draft) -> Id {
        let id = self.nodes.len() as Id;
        let index = self.threads[thread as usize].nodes.len() as u32;
        self.newest += 1;
        let Draft { kind, flags, phase, cell, source, state, next, at } = draft;
        self.nodes.push(Node {
            thread,
            index,
            kind,
            flags,
            phase,
            cell,
            source,
            state,
            next,
            stamp: self.newest,
            trace: NONE,
            at: at as u32,
            rank: 0,
        });
        self.attach(id);
        id
    }

    /// Computes the clocks of a new node and links it.
    fn attach(&mut self, id: Id) {
        let Node { thread, index, kind, flags, .. } = self.nodes[id as usize];
        self.begin_clocks(thread, index, kind);
        self.set_clocks(id);
        self.open -= u32::from(self.is_open(thread));
        self.open += u32::from(flags & flag::OPEN != 0);
        self.link(id);
    }

    /// Makes a node part of its thread and its location.
    fn link(&mut self, id: Id) {
        let Node { thread, kind, flags, cell, at, .. } = self.nodes[id as usize];
        if kind == Kind::Write && self.sequences == ReleaseSequences::C11 {
            self.note_interruption(id);
        }
        self.threads[thread as usize].nodes.push(id);
        match kind {
            Kind::Read | Kind::Wake => self.cells[cell as usize].reads.push(id),
            Kind::Write => {
                match &mut self.cells[cell as usize].writes {
                    writes if writes.len() == at as usize => writes.push(id),
                    writes => writes.insert(at as usize, id),
                }
                self.rank_from(cell, at as usize);
            }
            Kind::Spawn(child) => self.threads[child as usize].creator = id,
            Kind::Join(other) => self.threads[other as usize].joiner = id,
            Kind::Block { from, .. } => {
                self.blocks += 1;
                self.change_reads(thread, from, |flags| flags | flag::VAIN);
            }
            _ => {}
        }
        if flags & flag::PLAIN != 0 && cell != NONE {
            self.cells[cell as usize].plain += 1;
        }
        if flags & flag::SEQ_CST != 0 {
            let thread = &mut self.threads[thread as usize];
            thread.seq_cst.push(id);
            if kind == Kind::Fence {
                thread.fences.push(id);
            }
        }
        self.count(flags, kind, 1);
    }

    /// Notes at the writes of a location, from a place on, where they stand.
    fn rank_from(&mut self, cell: u32, at: usize) {
        for (rank, id) in (1..).zip(&self.cells[cell as usize].writes).skip(at) {
            // (Nodes that are set aside are not there any more.)
            if let Some(node) = self.nodes.get_mut(*id as usize) {
                node.rank = rank;
            }
        }
    }

    fn count(&mut self, flags: u16, kind: Kind, by: i32) {
        if flags & flag::SEQ_CST != 0 {
            let counter = if kind == Kind::Fence { &mut self.seq_cst.1 } else { &mut self.seq_cst.0 };
            *counter = counter.wrapping_add_signed(by);
        }
    }

    /// Changes the flags of a thread's reads from an index on.
    fn change_reads(&mut self, thread: u32, from: u32, change: impl Fn(u16) -> u16) {
        for id in &self.threads[thread as usize].nodes[from as usize..] {
            // (Nodes that are set aside are not there any more.)
            if let Some(node) = self.nodes.get_mut(*id as usize)
                && node.kind == Kind::Read
            {
                node.flags = change(node.flags);
            }
        }
    }

    /// Takes the last node back.
    pub fn pop(&mut self) {
        let Some(node) = self.nodes.pop() else { return };
        self.clocks.truncate(self.nodes.len() * CLOCKS * self.width);
        self.threads[node.thread as usize].nodes.pop();
        self.open -= u32::from(node.is(flag::OPEN));
        self.open += u32::from(self.is_open(node.thread));
        self.unlink(&node);
        if !self.addresses.retired.is_empty() {
            self.undo_renewals(|_, _, _| {});
        }
    }

    /// Takes a node, which is no longer its thread's, out of its location; the opposite of [`Graph::link`].
    fn unlink(&mut self, node: &Node) {
        match node.kind {
            Kind::Read | Kind::Wake => {
                self.cells[node.cell as usize].reads.pop();
            }
            Kind::Write => {
                self.interruptions -= u32::from(node.is(flag::INTERRUPTION));
                match &mut self.cells[node.cell as usize].writes {
                    writes if writes.len() == node.at as usize + 1 => drop(writes.pop()),
                    writes => {
                        writes.remove(node.at as usize);
                        self.rank_from(node.cell, node.at as usize);
                    }
                }
            }
            Kind::Spawn(child) => self.threads[child as usize].creator = NONE,
            Kind::Join(other) => self.threads[other as usize].joiner = NONE,
            Kind::Block { from, .. } => {
                self.blocks -= 1;
                self.change_reads(node.thread, from, |flags| flags & !flag::VAIN);
            }
            _ => {}
        }
        if node.is(flag::PLAIN) && node.cell != NONE {
            self.cells[node.cell as usize].plain -= 1;
        }
        if node.is(flag::SEQ_CST) {
            let thread = &mut self.threads[node.thread as usize];
            thread.seq_cst.pop();
            if node.kind == Kind::Fence {
                thread.fences.pop();
            }
        }
        self.count(node.flags, node.kind, -1);
    }

    /// Undoes [`Graph::renew`] as far as it was done after the last node. Calls `tell` for each address, the last first: with the
    /// number of nodes at that time, and the old and the new location.
    fn undo_renewals(&mut self, mut tell: impl FnMut(usize, u64, (u32, u32))) {
        while let Some((nodes, address, cell)) = self.addresses.retired.last().copied()
            && nodes > self.nodes.len()
        {
            self.addresses.retired.pop();
            if let Some(spare) = self.addresses.now.insert(address, cell) {
                tell(nodes, address, (cell, spare));
                self.addresses.spare.entry(address).or_default().push(spare);
            }
        }
    }

    /// The clocks of a new node, as far as they come from its thread.
    fn begin_clocks(&mut self, thread: u32, index: u32, kind: Kind) {
        let at = &self.threads[thread as usize];
        // What was read in vain does not count.
        let base = match kind {
            Kind::Block { from, .. } => from.min(index),
            _ => index,
        };
        let base = base.checked_sub(1).map(|last| at.nodes[last as usize]);
        let (width, start) = (self.width, self.clocks.len());
        let (from, inherited) = match base {
            Some(base) => (base, RELEASED),
            None if at.creator != NONE => (at.creator, FENCED),
            None => (0, 0),
        };
        self.clocks.resize(start + CLOCKS * width, 0);
        let (earlier, own) = self.clocks.split_at_mut(start);
        let from = from as usize * CLOCKS * width;
        let theirs = earlier.get(from..).unwrap_or_default();
        own[..inherited * width].iter_mut().zip(theirs).for_each(|(own, theirs)| *own = *theirs);
        for which in [CAUSES, BEFORE] {
            self.clocks[start + which * width + thread as usize] = index + 1;
        }
    }

    fn set_clocks(&mut self, id: Id) {
        let Node { kind, flags, cell, source, .. } = self.nodes[id as usize];
        let has = |flag| flags & flag != 0;
        match kind {
            Kind::Read if source != NONE => {
                self.join(id, CAUSES, source, CAUSES);
                match has(flag::ACQUIRE) {
                    true => self.join(id, BEFORE, source, RELEASED),
                    false if has(flag::SYNC) => {}
                    false => self.join(id, SEEN, source, RELEASED),
                }
                if has(flag::AFTER_WRITERS) {
                    self.come_after_writers(id, cell, source);
                }
            }
            Kind::Write if has(flag::SYNC) => {
                if has(flag::RELEASE) {
                    self.join(id, RELEASED, id, BEFORE);
                }
                if !has(flag::FRESH) && source != NONE {
                    self.join(id, RELEASED, source, RELEASED);
                }
            }
            Kind::Wake if source != NONE => {
                self.join(id, CAUSES, source, CAUSES);
                self.join(id, BEFORE, source, if has(flag::ACQUIRE) { RELEASED } else { BEFORE });
            }
            Kind::Join(other) => {
                let last = match self.last_before(other, id) {
                    NONE => self.threads[other as usize].creator,
                    last => last,
                };
                self.come_after(id, last);
            }
            Kind::Other if has(flag::AFTER_ALL) => {
                for other in 0..self.threads.len() as u32 {
                    self.come_after(id, self.last_before(other, id));
                }
            }
            Kind::Fence => {
                if has(flag::ACQUIRE) {
                    self.join(id, BEFORE, id, SEEN);
                }
                if has(flag::RELEASE) {
                    self.join(id, FENCED, id, BEFORE);
                }
            }
            Kind::Write => {
                match has(flag::RELEASE) {
                    true => self.join(id, RELEASED, id, BEFORE),
                    false => self.join(id, RELEASED, id, FENCED),
                }
                if self.sequences == ReleaseSequences::C11 && !has(flag::RELEASE) {
                    self.continue_own(id);
                }
                if has(flag::UPDATE) && source != NONE {
                    self.join(id, RELEASED, source, RELEASED);
                }
            }
            _ => {}
        }
    }

    fn join(&mut self, into: Id, which: usize, from: Id, other: usize) {
        let (to, from) =
            ((into as usize * CLOCKS + which) * self.width, (from as usize * CLOCKS + other) * self.width);
        // Both are clocks, so they do not overlap unless they are the same.
        let (low, high) = (to.min(from), to.max(from));
        if low == high {
            return;
        }
        let (before, after) = self.clocks.split_at_mut(high);
        let (low, high) = (&mut before[low..low + self.width], &mut after[..self.width]);
        let (mine, theirs) = if to < from { (low, high) } else { (high, low) };
        mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    /// What happened before one node also happened before another, as does that node; `NONE`: nothing.
    fn come_after(&mut self, id: Id, earlier: Id) {
        if earlier != NONE {
            self.join(id, CAUSES, earlier, CAUSES);
            self.join(id, BEFORE, earlier, BEFORE);
        }
    }

    /// The writers that have given a readers-writer lock back before a reader takes it come before the reader.
    #[cold]
    fn come_after_writers(&mut self, id: Id, cell: u32, source: Id) {
        let writes = &self.cell(cell).writes[..self.rank(cell, source)];
        let fresh = writes.iter().rposition(|write| self.node(*write).is(flag::FRESH)).unwrap_or(0);
        let is_writer = |write: &Id| {
            let node = self.node(*write);
            // The first word is the writer, if there is one.
            node.is(flag::RELEASE) && self.state_of(cell, node.source).low as u32 != 0
        };
        let writers: Vec<Id> = writes[fresh..].iter().copied().filter(is_writer).collect();
        writers.into_iter().for_each(|write| self.come_after(id, write));
    }

    /// The last node of a thread that was added before another.
    #[cold]
    fn last_before(&self, thread: u32, id: Id) -> Id {
        let nodes = &self.threads[thread as usize].nodes;
        nodes.iter().rev().copied().find(|other| *other < id).unwrap_or(NONE)
    }
}
