//! Plain accesses that are several nodes: copies, fills, and loads and stores of bytes that are also accessed in other
//! sizes.
//!
//! A location of the graph is a run of bytes that are always accessed together. Where a plain access is larger, it is
//! performed location by location: first all reads, then all writes. That is what C says of it: nothing about its bytes being
//! accessed at once. An atomic access is always one node; an atomic object that is also accessed in parts is refused.
//!
//! What the locations are must not depend on who came first, because the same graph is reached in other orders. So
//! there is one list of *cuts*, addresses that no location contains in its middle, for the whole exploration. It is empty at
//! first. An access that overlaps a location of another extent is reported with the cuts that are missing
//! ([`UnsupportedReached::cuts`]), and the exploration begins again with these. Copies and fills are also cut at multiples of
//! eight.

use super::{Axiomatic, Axioms, Draft, Id, Kind, Next, flag};
use selvedge_program::{LoadOrder, StoreOrder};
use selvedge_trace::{Completion, Operation, ThreadId};
use selvedge_vm::{Stop, UnsupportedReached};

/// Copies and fills are cut at multiples of this.
const WORD: u64 = 8;

/// What an operation accesses, if it may be several nodes: what it reads, what it writes, and whether it is cut at words.
struct Extent {
    read: Option<(u64, u64)>,
    written: Option<(u64, u64)>,
    by_words: bool,
}

/// The parts of an operation.
pub(super) struct Parts {
    reads: Vec<(u64, u32)>,
    writes: Vec<(u64, u32)>,
}

impl Parts {
    fn len(&self) -> usize {
        self.reads.len() + self.writes.len()
    }
}

impl<A: Axioms> Axiomatic<'_, A> {
    fn extent(&self, operation: &Operation) -> Option<Extent> {
        let shared =
            |address: u64, size: u64| self.machine.is_shared(address, size).then_some((address, size));
        match *operation {
            Operation::Load { address, ty, order: LoadOrder::Plain } => {
                let read = Some((address, u64::from(ty.bytes())));
                Some(Extent { read, written: None, by_words: false })
            }
            Operation::Store { address, ty, order: StoreOrder::Plain, .. } => {
                let written = Some((address, u64::from(ty.bytes())));
                Some(Extent { read: None, written, by_words: false })
            }
            Operation::Copy { to, from, size } => {
                Some(Extent { read: shared(from, size), written: shared(to, size), by_words: true })
            }
            Operation::Set { to, size, .. } => {
                Some(Extent { read: None, written: shared(to, size), by_words: true })
            }
            _ => None,
        }
    }

    /// The parts of an operation, if it is not a single access.
    pub(super) fn parts(&mut self, operation: &Operation) -> Option<Parts> {
        let copies = matches!(operation, Operation::Copy { .. } | Operation::Set { .. });
        if self.cuts.is_empty() && !copies {
            return None;
        }
        self.catch_up();
        let Extent { read, written, by_words } = self.extent(operation)?;
        let cut = |range: Option<(u64, u64)>| {
            let mut parts = Vec::new();
            let Some((mut at, size)) = range else { return parts };
            let end = at + size;
            while at < end {
                let later = self.cuts.partition_point(|cut| *cut <= at);
                let mut next = self.cuts.get(later).map_or(end, |cut| end.min(*cut));
                if by_words {
                    next = next.min((at / WORD + 1) * WORD);
                }
                parts.push((at, (next - at) as u32));
                at = next;
            }
            parts
        };
        let parts = Parts { reads: cut(read), writes: cut(written) };
        (copies || parts.len() > 1).then_some(parts)
    }

    /// Whether all that an operation accesses can be accessed; if not, performing it says why.
    fn is_accessible(&self, operation: &Operation) -> bool {
        let accessible = |address, size| self.machine.memory.first_inaccessible(address, size).is_none();
        match *operation {
            Operation::Copy { to, from, size } => accessible(to, size) && accessible(from, size),
            Operation::Set { to, size, .. } => accessible(to, size),
            Operation::Load { address, ty, .. } | Operation::Store { address, ty, .. } => {
                accessible(address, u64::from(ty.bytes()))
            }
            _ => true,
        }
    }

    /// The next node of an operation with several parts, of which some have been performed.
    pub(super) fn next_part(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        parts: &Parts,
        performed: usize,
    ) -> Result<Next, Stop> {
        if !self.is_accessible(operation) {
            return Ok(Next::Other(1));
        }
        if performed == 0 {
            // All locations are there before anything is changed.
            for (address, size) in parts.reads.iter().chain(&parts.writes) {
                self.cell(thread, *address, *size)?;
            }
        }
        let writes = performed.wrapping_sub(parts.reads.len());
        let cell = match (parts.reads.get(performed), parts.writes.get(writes)) {
            (Some((address, size)), _) | (None, Some((address, size))) => {
                self.cell(thread, *address, *size)?
            }
            (None, None) => None,
        };
        Ok(match cell {
            Some(cell) if performed < parts.reads.len() => Next::Read { cell },
            Some(cell) => Next::Write { cell, update: None },
            None => Next::Other(1),
        })
    }

    /// Performs the next part of an operation.
    pub(super) fn perform_part(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        parts: &Parts,
        cell: u32,
        choice: u32,
    ) -> Result<(), Stop> {
        self.begin_entangled();
        let number = self.graph.number(thread);
        let phase = self.phase(number);
        let performed = phase as usize;
        let open = if performed + 1 < parts.len() { flag::OPEN } else { 0 };
        if performed < parts.reads.len() {
            let source = self.graph.of_rank(cell, choice as usize).unwrap_or(self.graph.last_write(cell));
            let state = self.graph.state_of(cell, source);
            let stale = if source == self.graph.last_write(cell) { 0 } else { flag::STALE };
            let flags = flag::PLAIN | stale | open;
            self.graph.push(number, Draft { flags, phase, cell, source, state, ..Draft::other(Kind::Read) });
            if open != 0 {
                return Ok(());
            }
            let reads = self.reads_of(number, performed + 1);
            let answer = self.answer_with(thread, operation, &reads);
            if let Operation::Load { address, ty, .. } = *operation {
                self.load_from_memory(address, ty.bytes());
            }
            self.put_back(&reads, &[]);
            self.note_published();
            return self.finish(thread, number, operation, answer?, 0, 0);
        }
        let reads = self.reads_of(number, performed);
        let at = (choice as usize).min(self.graph.cell(cell).writes.len());
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let flags = flag::PLAIN | open;
        let draft = Draft { flags, phase, cell, at, ..Draft::other(Kind::Write) };
        if performed == parts.reads.len() {
            // The machine performs all of it at the first part; of what others can see, only that part stays.
            let answer = self.answer_with(thread, operation, &reads)?;
            let (state, defined) = (self.look(address, size), self.machine.defined_bits(address, size));
            self.put_back(&reads, &parts.writes);
            self.graph.push(number, Draft { state, ..draft });
            self.note_defined(defined);
            self.put_last(cell);
            self.note_published();
            return match open {
                0 => self.finish(thread, number, operation, answer, 0, 0),
                _ => Ok(()),
            };
        }
        let mark = self.machine.mark();
        let answer = self.answer_with(thread, operation, &reads)?;
        let (state, defined) = (self.look(address, size), self.machine.defined_bits(address, size));
        self.machine.rewind(&mark);
        self.graph.push(number, Draft { state, ..draft });
        self.note_defined(defined);
        self.put_last(cell);
        match open {
            0 => self.finish(thread, number, operation, answer, 0, 0),
            _ => Ok(()),
        }
    }

    /// What a thread's unfinished operation has read so far, part by part. (Having no position in the trace is no sign of such a
    /// part: it has one if the last part was performed and taken back.)
    fn reads_of(&self, number: u32, performed: usize) -> Vec<Id> {
        let nodes = self.graph.threads()[number as usize].nodes.iter().rev().copied();
        nodes.take(performed).filter(|id| self.graph.node(*id).kind == Kind::Read).collect()
    }

    /// Performs an operation on memory with what it has read.
    fn answer_with(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        reads: &[Id],
    ) -> Result<Completion, Stop> {
        for read in reads {
            let node = *self.graph.node(*read);
            self.put_from(node.cell, node.source);
        }
        self.machine.answer(thread, operation, 0)
    }

    /// Puts the last states of what was read, and of some places, into memory.
    fn put_back(&mut self, reads: &[Id], places: &[(u64, u32)]) {
        for read in reads {
            self.put_last(self.graph.node(*read).cell);
        }
        for (address, _) in places {
            if let Some(cell) = self.graph.cell_at(*address) {
                self.put_last(cell);
            }
        }
    }

    /// Reports an access that overlaps a location of another extent.
    pub(super) fn mixed(&mut self, thread: ThreadId, address: u64, size: u32) -> Stop {
        let end = address + u64::from(size);
        let mut wanted = vec![address, end];
        for other in self.graph.overlapping(address, end) {
            wanted.extend([other.address, other.address + u64::from(other.size)]);
        }
        wanted.retain(|cut| self.cuts.binary_search(cut).is_err());
        wanted.sort_unstable();
        wanted.dedup();
        let what =
            "an access to bytes that are accessed in another size, too, one of them atomic,".to_owned();
        match self.unsupported(thread, what) {
            Stop::Unsupported(reached) => {
                Stop::Unsupported(Box::new(UnsupportedReached { cuts: wanted, ..*reached }))
            }
            stop => stop,
        }
    }
}
