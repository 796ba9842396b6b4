//! A location that is two from now on.

use super::{Delayed, Effect, Entry, Location, LocationPart, Round, Value, WORD, Watch};

/// A location that is two from now on.
pub struct Split {
    /// What it was.
    pub location: Location,
    /// What it is.
    pub halves: [Location; 2],
}

impl Split {
    /// Whether an entry has to do with it.
    pub fn concerns(&self, entry: &Entry) -> bool {
        let watched = entry.round.iter().flat_map(|round| round.parts());
        let reads = entry.reads.iter().copied().chain(watched);
        let effects = entry.effects.iter().filter_map(Effect::location);
        let delayed = entry.delayed.iter().flat_map(|delayed| &delayed.sets).map(|value| value.part.location);
        reads
            .map(|part| part.location)
            .chain(effects)
            .chain(delayed)
            .any(|location| location == self.location)
    }

    /// A part, and its value; or both of its halves.
    fn parts(&self, part: LocationPart, value: u64) -> Vec<(LocationPart, u64)> {
        if part.location != self.location {
            return vec![(part, value)];
        }
        let [low, high] = self.halves.map(|location| LocationPart { location, bits: WORD });
        vec![(low, value & WORD), (high, value >> 32)]
    }

    /// What is watched in a round of a loop. (What is taken is words.)
    fn watched(&self, round: &Round) -> Round {
        let watched = round.watched.iter().flat_map(|watch| match watch {
            Watch::Value(Value { part, value }) => {
                let parts = self.parts(*part, *value).into_iter();
                parts.map(|(part, value)| Watch::Value(Value { part, value })).collect()
            }
            Watch::Taken(..) => vec![watch.clone()],
        });
        Round { watched: watched.collect(), ..*round }
    }

    /// An entry with the location split.
    pub fn apply(&self, entry: &Entry) -> Entry {
        let seen = entry.values.iter().copied().chain(std::iter::repeat(0));
        let reads = entry.reads.iter().zip(seen).flat_map(|(part, value)| self.parts(*part, value));
        let (reads, mut seen): (Vec<LocationPart>, Vec<u64>) = reads.unzip();
        if entry.values.is_empty() {
            seen.clear();
        }
        let effects = entry.effects.iter().flat_map(|effect| match *effect {
            Effect::Set { part, value } => {
                let parts = self.parts(part, value).into_iter();
                parts.map(|(part, value)| Effect::Set { part, value }).collect()
            }
            Effect::Free(location) if location == self.location => self.halves.map(Effect::Free).to_vec(),
            effect => vec![effect],
        });
        let delayed = entry.delayed.iter().map(|delayed| {
            let parts = delayed.sets.iter().flat_map(|set| self.parts(set.part, set.value));
            Delayed { sets: parts.map(|(part, value)| Value { part, value }).collect(), ..delayed.clone() }
        });
        Entry {
            reads: reads.into(),
            values: seen.into(),
            effects: effects.collect(),
            delayed: delayed.collect(),
            round: entry.round.as_ref().map(|round| Box::new(self.watched(round))),
            ..entry.clone()
        }
    }
}
