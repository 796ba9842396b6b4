//! Data races of an execution, as `races` defines them, with sets of events as bits of a number.
//!
//! What happens before what is in the order of the execution, so the events before each one are known when it is their turn: those
//! that come right before it, and those before them. No transitive closure is needed.

use crate::classes::Source;
use crate::event::{Event, EventId, Kind};
use crate::interleavings::StatementId;
use crate::machine::State;
use crate::program::Order;
use crate::races::{MemoryAccess, ReleaseSequences, access, synchronises_as_object, synchronising};
use std::collections::BTreeSet;

/// Positions of an execution.
type Set = u128;

/// Adds the pairs of statements that race in an execution, the smaller first. `None`: there are more than 128 events.
pub fn races(
    events: &[Event],
    state: &State<'_>,
    sequences: ReleaseSequences,
    into: &mut BTreeSet<(StatementId, StatementId)>,
) -> Option<()> {
    let accesses: Vec<(usize, MemoryAccess)> =
        events.iter().enumerate().filter_map(|(at, event)| Some((at, access(event)?))).collect();
    let mut conflicts = Vec::new();
    for (index, (second, other)) in accesses.iter().enumerate() {
        for (first, one) in &accesses[..index] {
            if events[*first].thread != events[*second].thread && one.conflicts_with(other) {
                conflicts.push((*first, *second));
            }
        }
    }
    if conflicts.is_empty() {
        return Some(());
    }
    if events.len() > Set::BITS as usize {
        return None;
    }
    let before = happens_before(events, state, sequences);
    let place = |at: usize| (events[at].thread, events[at].statement);
    for (first, second) in conflicts {
        if before[second] >> first & 1 == 0 {
            let (one, other) = (place(first), place(second));
            into.insert((one.min(other), one.max(other)));
        }
    }
    Some(())
}

/// For each event those that happen before it.
fn happens_before(events: &[Event], state: &State<'_>, sequences: ReleaseSequences) -> Vec<Set> {
    let threads = 1 + events.iter().map(|event| event.thread).max().unwrap_or(0);
    let mut history = History {
        events,
        before: Vec::with_capacity(events.len()),
        of_thread: vec![0; threads],
        release_fences: vec![0; threads],
        may_acquire: vec![0; threads],
    };
    // What is not about memory.
    let mut others: Vec<usize> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let mut direct = history.of_thread[event.thread];
        let synchronises = |first: &&usize| synchronises_as_object(events, **first, at);
        direct |= others.iter().filter(synchronises).fold(0, |set, first| set | 1 << first);
        match event.kind {
            Kind::Join { thread } => direct |= history.of_thread.get(thread).copied().unwrap_or(0),
            Kind::Fence { order } if order.acquires() => direct |= history.may_acquire[event.thread],
            Kind::Access { order, location, read: Some(_), .. } if order != Order::Plain => {
                let source = synchronising(events, at);
                let released = history.released(source, state.writes_to(location), sequences);
                history.may_acquire[event.thread] |= released;
                if order.acquires() {
                    direct |= released;
                }
            }
            _ => {}
        }
        if !matches!(event.kind, Kind::Access { .. } | Kind::Fence { .. } | Kind::Choose { .. }) {
            others.push(at);
        }
        history.add(at, direct);
    }
    history.before
}

/// What is known of the first events of an execution.
struct History<'e> {
    events: &'e [Event],
    /// For each event those that happen before it.
    before: Vec<Set>,
    /// The events of each thread.
    of_thread: Vec<Set>,
    /// The fences of each thread that release.
    release_fences: Vec<Set>,
    /// What releases through something that the thread has read: this synchronises with its next fence that acquires.
    may_acquire: Vec<Set>,
}

impl History<'_> {
    /// The event at a position comes right after these.
    fn add(&mut self, at: usize, direct: Set) {
        let earlier = self.members(direct).fold(direct, |set, first| set | self.before[first]);
        self.before.push(earlier);
        let event = &self.events[at];
        self.of_thread[event.thread] |= 1 << at;
        if matches!(event.kind, Kind::Fence { order } if order.releases()) {
            self.release_fences[event.thread] |= 1 << at;
        }
    }

    fn members(&self, mut set: Set) -> impl Iterator<Item = usize> + use<> {
        std::iter::from_fn(move || {
            let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
            set &= set - 1;
            Some(next)
        })
    }

    /// What releases to a read of a location: all that releases through a write of whose release sequence the source is.
    fn released(&self, source: Option<Source>, writes: &[EventId], sequences: ReleaseSequences) -> Set {
        let Some(Source::Write(source)) = source else { return 0 };
        // A store that is read from the thread's own buffer may be nowhere in modification order.
        let Some(last) = writes.iter().position(|write| *write == source) else {
            return self.released_through(source);
        };
        let is_headed_by = |head: &usize| {
            writes[head + 1..=last].iter().all(|write| {
                let is_own = write.0 == writes[*head].0 && sequences == ReleaseSequences::C11;
                is_own || self.event(*write).and_then(access).is_some_and(|access| access.reads)
            })
        };
        let heads = (0..=last).filter(is_headed_by);
        heads.fold(0, |set, head| set | self.released_through(writes[head]))
    }

    /// What releases through an atomic write: itself, if its order says so, and release fences before it.
    fn released_through(&self, write: EventId) -> Set {
        let Some(at) = self.position(write) else { return 0 };
        let order = match self.events[at].kind {
            Kind::Access { order, .. } if order != Order::Plain => order,
            _ => return 0,
        };
        let fences = self.release_fences[write.0] & ((1 << at) - 1);
        if order.releases() { fences | 1 << at } else { fences }
    }

    fn event(&self, id: EventId) -> Option<&Event> {
        self.position(id).map(|at| &self.events[at])
    }

    fn position(&self, id: EventId) -> Option<usize> {
        self.members(self.of_thread[id.0]).nth(id.1)
    }
}
