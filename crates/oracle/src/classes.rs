//! When two executions are the same: the equivalences of the design, as canonical forms.
//!
//! * Traces (Shasha and Snir): the events of each thread; for each read, the write that it reads from; for each
//!   location, the order in which writes reached it; of what threads do to other things than memory (mutexes, each
//!   other, …), the order of every two that depend on each other.
//! * Orders: the same, but that additions whose old values nobody uses have no order among each other, as long as nobody else accesses
//!   the location in between. So of each of them, what it read does not count; and of whoever reads the last of some, it counts
//!   which these are.
//! * Mazurkiewicz: the order of every two events that depend on each other. Under sequential consistency this is the
//!   same as orders. The canonical form is another: Foata's. An event's level is one more than the highest level
//!   among the earlier events it depends on; two executions are equivalent exactly if their levels hold the same
//!   events.
//! * reads-from: each read of memory and the write it reads from. Other results (trylock's, a choice's)
//!   count as read, too.
//! * view: the same with values instead of writes. So classes(view) ≤ classes(reads-from) ≤ classes(traces).

use crate::event::{Addition, Event, EventId, Kind};
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
        threads.entry(event.thread).or_default().push(Event { addition: Addition::No, ..event.clone() });
    }
    Trace { threads, writes: execution.writes.to_vec(), order }
}

/// The order of what depends on each other in an execution.
pub fn orders(execution: Execution<'_>) -> Trace {
    let Trace { mut threads, order, .. } = trace(execution);
    let mut writes = Vec::new();
    let mut groups: BTreeMap<EventId, Vec<EventId>> = BTreeMap::new();
    for location in execution.writes {
        let mut sorted = Vec::new();
        for group in together(execution.events, location) {
            groups.extend(group.iter().map(|write| (*write, group.clone())));
            sorted.extend(group);
        }
        writes.push(sorted);
    }
    let all = execution.events.iter();
    let commuting: BTreeSet<EventId> = all.filter(|event| event.commutes()).map(Event::id).collect();
    for event in threads.values_mut().flatten() {
        *event = without_order(event, commuting.contains(&event.id()), |write| {
            groups.get(&write).and_then(|group| group.last().copied()).unwrap_or(write)
        });
    }
    Trace { threads, writes, order }
}

/// An event, without what depends on the order of additions that commute; `last` gives the one that stands for all that commute with it.
pub fn without_order(event: &Event, commutes: bool, last: impl Fn(EventId) -> EventId) -> Event {
    let (mut kind, mut source) = (event.kind.clone(), event.source);
    if let Kind::Access { read, written, .. } = &mut kind
        && commutes
    {
        (*read, *written, source) = (None, None, None);
    }
    if let Some(Source::Write(write)) = &mut source {
        *write = last(*write);
    }
    Event { kind, source, addition: Addition::No, ..event.clone() }
}

/// The writes to a location, in their order; additions that have no order among each other are together, and sorted.
pub fn together(events: &[Event], writes: &[EventId]) -> Vec<Vec<EventId>> {
    let event = |write: EventId| events.iter().find(move |event| event.id() == write);
    let commutes = |write: EventId| event(write).is_some_and(Event::commutes);
    let is_read = |write: EventId| {
        events.iter().any(|event| !event.commutes() && event.source == Some(Source::Write(write)))
    };
    let mut groups: Vec<Vec<EventId>> = Vec::new();
    for write in writes {
        match groups.last_mut() {
            Some(group)
                if commutes(*write) && group.iter().all(|other| commutes(*other) && !is_read(*other)) =>
            {
                group.push(*write);
            }
            _ => groups.push(vec![*write]),
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
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
        let event = without_order(event, event.commutes(), |write| write);
        class[level].push(Event { source: None, ..event });
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
