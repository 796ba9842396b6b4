//! Rounds of loops after which a thread is where it was before.

use super::{Condition, Entry, Location, LocationPart, NO, Question, Value, state_of};
use crate::views::name::Digest;
use selvedge_trace::{Event, Operation};
use std::sync::Arc;

/// What a thread has read or written in a round of a loop; if that changes, the next round is another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    /// Some bits have a value.
    Value(Value),
    /// Something could not be taken.
    Taken(Box<[LocationPart]>, Condition),
}

impl Watch {
    /// The parts that it is about.
    pub fn parts(&self) -> &[LocationPart] {
        match self {
            Watch::Value(value) => std::slice::from_ref(&value.part),
            Watch::Taken(parts, _) => parts,
        }
    }

    /// Whether it is still so, given what is at a location.
    pub fn holds(&self, value: impl Fn(Location) -> u64) -> bool {
        match self {
            Watch::Value(seen) => value(seen.part.location) & seen.part.bits == seen.value,
            Watch::Taken(parts, test) => !test.holds(state_of(parts, value)),
        }
    }
}

/// A round of a loop after which its thread is where it was before. If no store of it has changed anything, it was in vain: the
/// thread goes on only when something is not as it was.
#[derive(Debug, Clone)]
pub struct Round {
    /// The position of its first entry; the last one is that before the entry whose round it is.
    pub start: u32,
    /// What the thread has read or written on its way.
    pub watched: Box<[Watch]>,
}

impl Round {
    /// The round that consists of some entries.
    pub fn of(start: usize, entries: &[Arc<Entry>]) -> Self {
        let mut watched = Vec::new();
        for entry in entries {
            match entry.question {
                Question::Values => {
                    let seen = entry.reads.iter().zip(&entry.values);
                    watched
                        .extend(seen.map(|(part, value)| Watch::Value(Value { part: *part, value: *value })));
                }
                Question::TryToTake(test) if entry.result == NO => {
                    watched.push(Watch::Taken(entry.reads.clone(), test));
                }
                _ if entry.is_store => watched.extend(entry.sets().map(Watch::Value)),
                _ => {}
            }
        }
        Round { start: start as u32, watched: watched.into() }
    }

    /// The parts that it is about.
    pub fn parts(&self) -> impl Iterator<Item = LocationPart> {
        self.watched.iter().flat_map(Watch::parts).copied()
    }

    /// Adds all of it to a name.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.add(1 + u64::from(self.start));
        for watch in &self.watched {
            let (kind, what) = match watch {
                Watch::Value(value) => (1, value.value),
                Watch::Taken(_, test) => (2, *test as u64),
            };
            digest.extend([kind, what]);
            for part in watch.parts() {
                digest.extend([u64::from(part.location), part.bits]);
            }
        }
    }
}

/// Whether an event is a store that has changed something.
pub fn changes(event: &Event) -> bool {
    match event.operation {
        Operation::Store { ty, value, .. } if event.buffered == 0 => {
            let unused = 128 - 8 * ty.bytes().clamp(1, 16);
            (value ^ event.before) << unused != 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_hand::{execution, lock, read, unlock, update, write};
    use super::super::{LocationPart, State};
    use super::*;

    #[test]
    fn a_round_is_about_what_was_read_and_stored() {
        let entries = [read(0, 3), write(1, 4), update(2, 5, 6), lock(3, 7), unlock(3)];
        let round = Round::of(2, &entries);
        let parts: Vec<Location> = round.parts().map(|part| part.location).collect();
        assert_eq!((round.start, parts), (2, vec![0, 1, 2]));
        let value = |at: usize| {
            move |location: Location| [3, 4, 5][location as usize] + u64::from(location as usize == at)
        };
        for (number, watch) in round.watched.iter().enumerate() {
            assert!(watch.holds(value(9)) && !watch.holds(value(number)), "{watch:?}");
        }
    }

    #[test]
    fn a_thread_goes_on_when_something_has_changed() {
        let watched = [read(0, 0)];
        let round = Round::of(0, &watched);
        let execution = execution(vec![vec![watched[0].clone(), write(0, 1)]], 1);
        let mut state = State::new(&execution);
        assert!(!state.differs(&round));
        state.perform(&write(0, 1), &execution.waiting);
        assert!(state.differs(&round));
        state.perform(&write(0, 0), &execution.waiting);
        assert!(!state.differs(&round));
    }

    #[test]
    fn what_could_not_be_taken_is_waited_for() {
        let parts: Box<[LocationPart]> = lock(0, 5).reads.clone();
        let watch = Watch::Taken(parts, Condition::FirstZero);
        assert!(watch.holds(|_| 5));
        assert!(!watch.holds(|_| 0));
    }
}
