//! Waiting loops.
//!
//! A thread that comes back to the same visible operation in the same local state, having changed nothing
//! that others can see, has been round a waiting loop. As long as everything it read on the way has the
//! value it read, it would go round again; so it is *blocked* until one of these locations changes. If none
//! ever does, it waits for ever: a livelock.
//!
//! This loses nothing. An execution in which the thread goes round more often while nothing it reads
//! changes has the same effect as one in which it waits in between, and that one is explored, whatever the
//! other threads did meanwhile.
//!
//! It is blocked only at the point of the round where it holds the fewest locks: a thread that waits in the
//! middle of its round with a lock it took there would keep others from doing what it waits for.
//!
//! *Same local state*: the same frames with the same values in all registers that are live, the same locks held, the same stack
//! and heap, and all private memory that was written on the way has its old contents again. *Changed nothing*:
//! stores and read-modify-writes that left the value as it was, failed compare-exchanges and trylocks, and
//! locks that were taken and given back. A loop that counts its iterations changes its local state; it is
//! not a waiting loop. Only operations in loops of the program text are looked at.
//!
//! With store buffers, what counts is what the thread itself would read, its own buffer included; and every store that
//! is buffered is a change, whatever it stores: when it arrives, it may replace what another thread has written.
//!
//! While execution graphs grow, a loop is recognised only after a second round that has read the same as the first ([`Recognised`]).
//! What a thread reads in its first round then stays in the graph, and can be revisited. Without that, graphs were missed: a round
//! that is taken back at once leaves nothing that a later write could revisit.
//!
//! Virtual time is no effect. Memory that others can reach is not part of the local state, wherever it lies: what the thread itself
//! does to it is an operation, and is seen. If a round read one location with two different values, it cannot repeat, and nothing is
//! waited for. Operations of the calls under way count as being in the loop that contains the call.

use crate::operational::OperationEffect;
use selvedge_trace::sync::{Hold, hold};
use selvedge_trace::{Operation, SyncOp};
use selvedge_vm::thread::Thread;
use selvedge_vm::{Image, Machine};
use std::hash::{Hash, Hasher};

/// A round of a waiting loop with more visible operations is not recognised (and costs executions, not
/// soundness).
const LONGEST_ROUND: usize = 2048;

/// A waiting loop whose operations are this many calls deeper than the loop itself is not recognised.
pub const DEEPEST_LOOP: usize = 16;

/// A location and the value that was read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadValue {
    /// First address.
    pub address: u64,
    /// Number of bytes, at most 16.
    pub size: u32,
    /// What was read.
    pub value: u128,
}

/// A moment at which the thread was before a visible operation.
#[derive(Debug, Clone, Copy)]
struct Visit {
    pc: u32,
    depth: u32,
    digest: u64,
    /// Number of reads before it.
    reads: u32,
    /// Position in the memory's journal.
    journal: usize,
    /// Number of locks held.
    locks: u32,
    /// Number of operations that the thread had performed.
    operations: u32,
}

/// The part of the state that is saved at every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Summary {
    /// Visits and reads before these no longer count: something was changed since.
    first_visit: u32,
    /// Visits before these no longer count, whatever others do: something was changed since, and not just by a store, which
    /// would change nothing if it found what it stores.
    first_possible: u32,
    /// The locks that are held, as a sum of hashes.
    held: u64,
    /// Their number.
    locks: u32,
    /// If it is blocked, the first of the reads whose locations it watches; else [`NOTHING`].
    watching: u32,
    /// How many operations the thread had performed when the last round of the loop began.
    round: u32,
}

/// Nothing is watched.
const NOTHING: u32 = u32::MAX;

impl Default for Summary {
    fn default() -> Self {
        Self { first_visit: 0, first_possible: 0, held: 0, locks: 0, watching: NOTHING, round: 0 }
    }
}

impl Summary {
    /// If it is blocked, the first of the reads whose locations it watches.
    fn watching(&self) -> Option<u32> {
        Some(self.watching).filter(|from| *from != NOTHING)
    }
}

/// When a waiting loop is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recognised {
    /// After one round.
    AtOnce,
    /// After two rounds that were alike.
    Again,
}

/// What one thread has visited and read.
#[derive(Debug, Clone)]
pub struct History {
    recognised: Recognised,
    visits: Vec<Visit>,
    reads: Vec<ReadValue>,
    summary: Summary,
}

/// To undo a step.
#[derive(Debug, Clone, Copy)]
pub struct HistoryMark {
    visits: u32,
    reads: u32,
    summary: Summary,
}

impl History {
    /// Of a thread that has not done anything yet.
    pub fn new(recognised: Recognised) -> Self {
        Self { recognised, visits: Vec::new(), reads: Vec::new(), summary: Summary::default() }
    }

    /// The present state.
    #[inline]
    pub fn mark(&self) -> HistoryMark {
        // One by one, so that they stay in registers on their way.
        let Summary { first_visit, first_possible, held, locks, watching, round } = self.summary;
        HistoryMark {
            visits: self.visits.len() as u32,
            reads: self.reads.len() as u32,
            summary: Summary { first_visit, first_possible, held, locks, watching, round },
        }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: &HistoryMark) {
        self.visits.truncate(mark.visits as usize);
        self.reads.truncate(mark.reads as usize);
        self.summary = mark.summary;
    }

    /// Whether a step of the thread outside any loop leaves the state as it is.
    pub fn ignores(&self, operation: &Operation) -> bool {
        !matches!(operation, Operation::Sync { .. }) && self.summary.watching == NOTHING
    }

    /// Whether the thread is blocked because nothing it read has changed.
    pub fn is_blocked(&self, is_current: impl Fn(&ReadValue) -> bool) -> bool {
        let Some(from) = self.summary.watching() else { return false };
        self.reads[from as usize..].iter().all(is_current)
    }

    /// What it waits for, if it is in a waiting loop.
    pub fn watched(&self) -> Option<&[ReadValue]> {
        let from = self.summary.watching()?;
        Some(&self.reads[from as usize..])
    }

    /// How many operations the thread had performed when the round of the waiting loop began that it is in.
    pub fn round(&self) -> Option<u32> {
        self.summary.watching().map(|_| self.summary.round)
    }

    /// Notes a step of the thread.
    pub fn step(&mut self, operation: &Operation, outcome: &OperationEffect) {
        self.summary.watching = NOTHING;
        let read = |address: u64, size: u32| ReadValue { address, size, value: outcome.before };
        match *operation {
            Operation::Load { address, ty, .. } => self.reads.push(read(address, ty.bytes())),
            Operation::Store { .. } if outcome.buffered => self.forget(),
            Operation::Store { address, ty, .. } => {
                // A store of what is there already has no effect only as long as that is there.
                self.reads.push(read(address, ty.bytes()));
                if outcome.changed {
                    self.summary.first_visit = self.visits.len() as u32;
                }
            }
            Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => {
                match outcome.changed {
                    true => self.forget(),
                    false => self.reads.push(read(address, ty.bytes())),
                }
            }
            Operation::Fence { .. } | Operation::Yield => {}
            Operation::Sync { op, object, .. } => self.sync(op, object, outcome),
            _ => self.forget(),
        }
    }

    fn sync(&mut self, op: SyncOp, object: u64, outcome: &OperationEffect) {
        let token = hash_of(object);
        match hold(op, outcome.result as u64) {
            Hold::Takes => {
                self.summary.held = self.summary.held.wrapping_add(token);
                self.summary.locks += 1;
            }
            // It gives back a lock that it has not taken.
            Hold::GivesBack if self.summary.locks == 0 => self.forget(),
            Hold::GivesBack => {
                self.summary.held = self.summary.held.wrapping_sub(token);
                self.summary.locks = self.summary.locks.saturating_sub(1);
            }
            Hold::Reads => {
                let size = op.object().decisive_size() as u32;
                self.reads.push(ReadValue { address: object, size, value: outcome.before });
            }
            Hold::Changes => self.forget(),
        }
    }

    fn forget(&mut self) {
        self.summary.first_visit = self.visits.len() as u32;
        self.summary.first_possible = self.summary.first_visit;
    }

    /// Notes that the thread is before a visible operation, and finds out whether it is in a waiting loop.
    pub fn arrive(&mut self, machine: &Machine<'_>, thread: &Thread) {
        let visit = Visit {
            pc: thread.position.pc,
            depth: thread.position.depth,
            digest: self.digest(machine.image, thread),
            reads: self.reads.len() as u32,
            journal: machine.journal_position(),
            locks: self.summary.locks,
            operations: thread.position.events,
        };
        if let Some(earlier) =
            self.earlier(machine, thread, &visit, &self.visits, self.summary.first_visit as usize)
        {
            // If a location had different values on the way, it cannot have them all again: no round is like
            // the other, and nothing is waited for.
            let reads = &self.reads[earlier.reads as usize..];
            let contradicts = |read: &ReadValue| {
                reads.iter().any(|other| other.address == read.address && other.value != read.value)
            };
            if !reads.iter().any(contradicts) {
                // A loop without a read would never end by itself, either: it watches nothing.
                self.summary.watching = earlier.reads;
                self.summary.round = earlier.operations;
            }
        }
        self.visits.push(visit);
    }

    /// The last visit, not before `first`, at which the thread was in the same state as it is `here`, if this is where it may
    /// wait.
    fn earlier(
        &self,
        machine: &Machine<'_>,
        thread: &Thread,
        here: &Visit,
        visits: &[Visit],
        first: usize,
    ) -> Option<Visit> {
        let window = &visits[first.max(visits.len().saturating_sub(LONGEST_ROUND))..];
        let mut alike = window.iter().rev().filter(|visit| {
            visit.pc == here.pc
                && visit.depth == here.depth
                && visit.digest == here.digest
                && machine.is_unchanged_since(thread.id, visit.journal)
        });
        let earlier = alike.next()?;
        if self.recognised == Recognised::Again {
            let [from, middle, to] = [alike.next()?, earlier, here].map(|visit| visit.reads as usize);
            if self.reads[from..middle] != self.reads[middle..to] {
                return None;
            }
        }
        // It must wait where it does not keep others from changing what it waits for: where it holds
        // the fewest locks on its way round, and never inside an atomic section.
        let round = window.iter().rev().take_while(|visit| visit.reads >= earlier.reads);
        let fewest = round.map(|visit| visit.locks).min().unwrap_or(here.locks);
        (here.locks <= fewest && !thread.position.atomic_begun).then_some(*earlier)
    }

    /// How many operations the thread had performed when it was last in the state in which it is now, if what it did since
    /// then may be a round of a waiting loop. This follows from the results that the thread has got, and not from what its stores
    /// replaced: it has been such a round if none of them has changed anything. To be asked after the thread has arrived.
    pub fn repeats_from(&self, machine: &Machine<'_>, thread: &Thread) -> Option<u32> {
        let (here, before) = self.visits.split_last()?;
        if here.operations != thread.position.events {
            // Where it is now is in no loop.
            return None;
        }
        let first = self.summary.first_possible as usize;
        self.earlier(machine, thread, here, before, first).map(|earlier| earlier.operations)
    }

    /// The local state of a thread, but for its memory.
    pub fn digest(&self, image: &Image<'_>, thread: &Thread) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        let position = &thread.position;
        (position.stack_top, position.heap_next, position.children, position.atomic_depth).hash(&mut hasher);
        self.summary.held.hash(&mut hasher);
        if !thread.frames.is_empty() {
            let lowest = thread.frames.len().saturating_sub(DEEPEST_LOOP);
            if lowest > 0 {
                // If that is the same call, nothing below it has executed in between.
                thread.frames[lowest].activation.hash(&mut hasher);
            }
            for frame in &thread.frames[lowest..] {
                (frame.function, frame.call, frame.stack, frame.dynamic).hash(&mut hasher);
            }
            image.for_each_live_register(thread, lowest, &mut |value| value.hash(&mut hasher));
        }
        hasher.finish()
    }
}

fn hash_of(value: u64) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
