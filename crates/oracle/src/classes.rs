//! When two executions are the same: the equivalences of the design, as canonical forms.
//!
//! * Mazurkiewicz: the Foata normal form. An event's level is one more than the highest level among the
//!   earlier events it depends on; two executions are equivalent exactly if their levels hold the same events.
//! * reads-from: each read of memory and the write it reads from. What else a thread is told (trylock's
//!   result, a choice) counts as read, too.
//! * view: the same with values instead of writes. So classes(view) ≤ classes(reads-from) ≤
//!   classes(Mazurkiewicz).

use crate::event::{Event, EventId, Kind};
use std::collections::BTreeMap;

/// A Mazurkiewicz class: events by level, sorted within each.
pub type Class = Vec<Vec<Event>>;

/// Where a read gets its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The initial value.
    Initial,
    /// The write of an event.
    Write(EventId),
    /// No memory: the result of trylock or of a choice.
    Told(u32),
}

/// The source of each read.
pub type ReadsFrom = BTreeMap<EventId, Source>;

/// The value of each read.
pub type Views = BTreeMap<EventId, u32>;

/// The Mazurkiewicz class of an execution.
pub fn class(execution: &[Event]) -> Class {
    let mut levels: Vec<usize> = Vec::new();
    let mut class = Class::new();
    for (at, event) in execution.iter().enumerate() {
        let earlier = execution[..at].iter().zip(&levels);
        let below = earlier.filter(|(other, _)| event.depends_on(other)).map(|(_, level)| level + 1);
        let level = below.max().unwrap_or(0);
        levels.push(level);
        if class.len() <= level {
            class.resize(level + 1, Vec::new());
        }
        class[level].push(event.clone());
    }
    class.iter_mut().for_each(|level| level.sort());
    class
}

/// The position of the write that the access at a position reads from; `None`: the initial value.
pub fn source_of(execution: &[Event], read: usize, location: usize) -> Option<usize> {
    execution[..read].iter().rposition(|event| match event.kind {
        Kind::Access { location: other, written, .. } => other == location && written.is_some(),
        _ => false,
    })
}

/// The reads-from map of an execution.
pub fn reads_from(execution: &[Event]) -> ReadsFrom {
    let source = |(at, event): (usize, &Event)| match event.kind {
        Kind::Access { location, read: Some(_), .. } => {
            let write = source_of(execution, at, location);
            let source = write.map_or(Source::Initial, |write| Source::Write(execution[write].id()));
            Some((event.id(), source))
        }
        Kind::TryLock { taken, .. } => Some((event.id(), Source::Told(u32::from(taken)))),
        Kind::Choose { value } => Some((event.id(), Source::Told(value))),
        _ => None,
    };
    execution.iter().enumerate().filter_map(source).collect()
}

/// The view of an execution.
pub fn views(execution: &[Event]) -> Views {
    let value = |event: &Event| match event.kind {
        Kind::Access { read, .. } => read.map(|value| (event.id(), value)),
        Kind::TryLock { taken, .. } => Some((event.id(), u32::from(taken))),
        Kind::Choose { value } => Some((event.id(), value)),
        _ => None,
    };
    execution.iter().filter_map(value).collect()
}
