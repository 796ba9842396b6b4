//! When two executions are the same: the equivalences of the design, as canonical forms.
//!
//! * Traces (Shasha and Snir): the events of each thread; for each read, the write that it reads from; for each
//!   location, the order in which writes reached it; of what threads do to other things than memory (mutexes, each
//!   other, …), the order of every two that depend on each other.
//! * Mazurkiewicz: the order of every two events that depend on each other. Under sequential consistency this is the
//!   same as traces. The canonical form is another: Foata's. An event's level is one more than the highest level
//!   among the earlier events it depends on; two executions are equivalent exactly if their levels hold the same
//!   events.
//! * reads-from: each read of memory and the write it reads from. Other results (trylock's, a choice's)
//!   count as read, too.
//! * view: the same with values instead of writes. So classes(view) ≤ classes(reads-from) ≤ classes(traces).

use crate::event::{Event, EventId};
use std::collections::{BTreeMap, BTreeSet};

/// What was done in an execution, or in its beginning.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'e> {
    /// The events, in the order in which the threads came to them: a store is where its thread issued it.
    pub events: &'e [Event],
    /// For each location, the writes that have reached it, in their order.
    pub writes: &'e [Vec<EventId>],
}

/// A trace. Where reads get their values from is part of the events.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trace {
    /// What each thread did.
    pub threads: BTreeMap<usize, Vec<Event>>,
    /// For each location, the writes that have reached it, in their order.
    pub writes: Vec<Vec<EventId>>,
    /// What came before what, of different threads and for other reasons than memory.
    pub order: BTreeSet<(EventId, EventId)>,
}

/// A Mazurkiewicz class: events by level, sorted within each.
pub type Levels = Vec<Vec<Event>>;

/// Where a read gets its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The initial value.
    Initial,
    /// The write of an event.
    Write(EventId),
    /// No memory: the result of trylock or of a choice.
    Result(u32),
}

/// The source of each read.
pub type ReadsFrom = BTreeMap<EventId, Source>;

/// The value of each read.
pub type Views = BTreeMap<EventId, u32>;

/// The trace of an execution.
pub fn trace(execution: Execution<'_>) -> Trace {
    let mut threads: BTreeMap<usize, Vec<Event>> = BTreeMap::new();
    let mut order = BTreeSet::new();
    for (at, event) in execution.events.iter().enumerate() {
        let depends = |earlier: &&Event| event.depends_beside_memory_on(earlier);
        let before = execution.events[..at].iter().filter(depends);
        order.extend(before.map(|earlier| (earlier.id(), event.id())));
        threads.entry(event.thread).or_default().push(event.clone());
    }
    Trace { threads, writes: execution.writes.to_vec(), order }
}

/// The Mazurkiewicz class of an execution under sequential consistency.
pub fn levels(events: &[Event]) -> Levels {
    let mut levels: Vec<usize> = Vec::new();
    let mut class = Levels::new();
    for (at, event) in events.iter().enumerate() {
        let earlier = events[..at].iter().zip(&levels);
        let below = earlier.filter(|(other, _)| event.depends_on(other)).map(|(_, level)| level + 1);
        let level = below.max().unwrap_or(0);
        levels.push(level);
        if class.len() <= level {
            class.resize(level + 1, Vec::new());
        }
        // Sources follow from the levels.
        class[level].push(Event { source: None, ..event.clone() });
    }
    class.iter_mut().for_each(|level| level.sort());
    class
}

/// The reads-from map of an execution.
pub fn reads_from(events: &[Event]) -> ReadsFrom {
    events.iter().filter_map(|event| event.source.map(|source| (event.id(), source))).collect()
}

/// The view of an execution.
pub fn views(events: &[Event]) -> Views {
    events.iter().filter_map(|event| event.value_read().map(|value| (event.id(), value))).collect()
}
