//! Data races, from the definition: two accesses of different threads to a location, at least one a write and
//! at least one plain, neither of which happens before the other.
//!
//! Happens-before is the transitive closure of program order and synchronises-with. The latter holds between
//!
//! * create and the thread's events, the thread's events and join;
//! * unlock (or the first step of a wait) and every later successful lock of the mutex;
//! * a signal or broadcast and the wake-up of those it woke (POSIX lists them among the functions that
//!   synchronise memory; C11 says nothing of it);
//! * semaphore up and every later semaphore down;
//! * a release and an acquire: an acquiring read, or an acquire fence after an atomic read, where the read takes
//!   its value from the release sequence headed by a releasing write, or by an atomic write after a release
//!   fence. What belongs to a release sequence is a question of the standard: see [`ReleaseSequences`].
//!
//! Additions whose old values nobody uses are in no order with each other as long as nobody else reads in between: there, one does not acquire
//! what another has released, but what had been released before them ([`synchronising`]). (Under models with graphs, they are in an
//! order, and acquire like all others.)
//!
//! Modification order is the order in which writes reach memory. Everything else is about the events where the
//! threads came to them, whatever the memory model: a store is where it was issued, not where it reached memory. What
//! happens before what is always in that order, because a write is issued before it is read.

use crate::classes::{Execution, Source};
use crate::event::{Addition, Event, EventId, Kind};
use crate::program::Order;

/// What is a release sequence: a write, and the writes that follow it immediately in modification order as long as …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReleaseSequences {
    /// … they are by the same thread, or read-modify-writes (C11, 5.1.2.4).
    C11,
    /// … they are read-modify-writes (C++20 and C23).
    C20,
}

impl ReleaseSequences {
    /// Both.
    pub const ALL: [ReleaseSequences; 2] = [ReleaseSequences::C11, ReleaseSequences::C20];

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::C11 => "c11",
            Self::C20 => "c20",
        }
    }
}

/// A relation on the positions of an execution.
pub type Relation = Vec<Vec<bool>>;

/// What an event does to memory.
#[derive(Clone, Copy)]
pub struct MemoryAccess {
    location: usize,
    /// Whether it reads.
    pub reads: bool,
    writes: bool,
    order: Order,
}

impl MemoryAccess {
    fn is_atomic(self) -> bool {
        self.order != Order::Plain
    }

    /// Whether two accesses race if they are of different threads, and neither happens before the other.
    pub fn conflicts_with(self, other: &Self) -> bool {
        self.location == other.location
            && (self.writes || other.writes)
            && !(self.is_atomic() && other.is_atomic())
    }
}

/// Where the read of an event at a position gets its value from, as far as that synchronises: what an addition reads of others with
/// which it is in no order does not.
pub fn synchronising(events: &[Event], at: usize) -> Option<Source> {
    let event = &events[at];
    let is_addition = |event: &Event| event.addition != Addition::No;
    let mut source = event.source?;
    while is_addition(event)
        && let Source::Write(write) = source
        && let Some(other) = events.iter().find(|other| other.id() == write && is_addition(other))
        && !events.iter().any(|reader| !is_addition(reader) && reader.source == Some(source))
    {
        source = other.source?;
    }
    Some(source)
}

/// What an event does to memory, if it does anything.
pub fn access(event: &Event) -> Option<MemoryAccess> {
    match event.kind {
        Kind::Access { location, read, written, order } => {
            Some(MemoryAccess { location, reads: read.is_some(), writes: written.is_some(), order })
        }
        _ => None,
    }
}

/// The racing pairs of positions of an execution.
pub fn races(execution: Execution<'_>, sequences: ReleaseSequences) -> Vec<(usize, usize)> {
    let happens_before = happens_before(execution, sequences);
    let execution = execution.events;
    let mut races = Vec::new();
    for second in 0..execution.len() {
        for first in 0..second {
            let (Some(one), Some(other)) = (access(&execution[first]), access(&execution[second])) else {
                continue;
            };
            let conflict = execution[first].thread != execution[second].thread && one.conflicts_with(&other);
            if conflict && !happens_before[first][second] {
                races.push((first, second));
            }
        }
    }
    races
}

/// What happens before what, as positions of an execution.
pub fn happens_before(whole: Execution<'_>, sequences: ReleaseSequences) -> Relation {
    let execution = whole.events;
    let size = execution.len();
    let mut relation = vec![vec![false; size]; size];
    for second in 0..size {
        for first in 0..second {
            relation[first][second] = execution[first].thread == execution[second].thread
                || synchronises_as_object(execution, first, second);
        }
    }
    for (release, acquire) in release_acquire_pairs(whole, sequences) {
        relation[release][acquire] = true;
    }
    // Warshall's transitive closure.
    for middle in 0..size {
        for first in 0..size {
            for second in 0..size {
                relation[first][second] |= relation[first][middle] && relation[middle][second];
            }
        }
    }
    relation
}

/// Synchronisation through threads, mutexes, condition variables and semaphores.
pub fn synchronises_as_object(execution: &[Event], first: usize, second: usize) -> bool {
    let (one, other) = (&execution[first], &execution[second]);
    match (&one.kind, &other.kind) {
        (Kind::Spawn { thread }, _) if *thread == other.thread => true,
        (_, Kind::Join { thread }) if *thread == one.thread => true,
        (Kind::Unlock { mutex } | Kind::Release { mutex, .. }, Kind::Lock { mutex: taken })
        | (
            Kind::Unlock { mutex } | Kind::Release { mutex, .. },
            Kind::TryLock { mutex: taken, taken: true },
        ) => mutex == taken,
        (Kind::Signal { woken, .. }, Kind::Wake { .. }) => {
            let wakes_before = execution[first..second]
                .iter()
                .any(|event| event.thread == other.thread && matches!(event.kind, Kind::Wake { .. }));
            woken.contains(&other.thread) && !wakes_before
        }
        (Kind::Post { semaphore }, Kind::Down { semaphore: taken }) => semaphore == taken,
        _ => false,
    }
}

/// Synchronisation through atomic locations and fences.
fn release_acquire_pairs(execution: Execution<'_>, sequences: ReleaseSequences) -> Vec<(usize, usize)> {
    let events = execution.events;
    let mut pairs = Vec::new();
    for read in 0..events.len() {
        let Some(Source::Write(source)) = synchronising(events, read) else { continue };
        if access(&events[read]).is_none_or(|access| !access.is_atomic()) {
            continue;
        }
        for head in 0..read {
            if !release_sequence(execution, head, sequences).contains(&source) {
                continue;
            }
            for release in releases_through(events, head) {
                pairs.extend(acquires_through(events, read).into_iter().map(|acquire| (release, acquire)));
            }
        }
    }
    pairs
}

/// The release sequence headed by a position; empty unless there is an atomic write.
fn release_sequence(execution: Execution<'_>, head: usize, sequences: ReleaseSequences) -> Vec<EventId> {
    let Some(first) = access(&execution.events[head]).filter(|access| access.writes && access.is_atomic())
    else {
        return Vec::new();
    };
    let head = execution.events[head].id();
    let continues = |write: &&EventId| {
        let event = execution.events.iter().find(|event| event.id() == **write);
        let is_update = event.and_then(access).is_some_and(|access| access.reads);
        let is_own = write.0 == head.0;
        is_update || is_own && sequences == ReleaseSequences::C11
    };
    let later = execution.writes[first.location].iter().skip_while(|write| **write != head).skip(1);
    [head].into_iter().chain(later.take_while(continues).copied()).collect()
}

/// What releases through an atomic write: itself, if its order says so, and release fences before it.
fn releases_through(execution: &[Event], write: usize) -> Vec<usize> {
    let releases = |at: &usize| {
        let event = &execution[*at];
        match event.kind {
            Kind::Access { order, .. } => *at == write && order.releases(),
            Kind::Fence { order } => event.thread == execution[write].thread && order.releases(),
            _ => false,
        }
    };
    (0..=write).filter(releases).collect()
}

/// What acquires through an atomic read: itself, if its order says so, and acquire fences after it.
fn acquires_through(execution: &[Event], read: usize) -> Vec<usize> {
    let acquires = |at: &usize| {
        let event = &execution[*at];
        match event.kind {
            Kind::Access { order, .. } => *at == read && order.acquires(),
            Kind::Fence { order } => event.thread == execution[read].thread && order.acquires(),
            _ => false,
        }
    };
    (read..execution.len()).filter(acquires).collect()
}
