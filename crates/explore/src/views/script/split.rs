//! A place that is two from now on.

use super::{Action, Delayed, Effect, Part, Place, Round, Value, WORD, Watch};

/// A place that is two from now on.
pub struct Split {
    /// What it was.
    pub place: Place,
    /// What it is.
    pub halves: [Place; 2],
}

impl Split {
    /// Whether an action has to do with it.
    pub fn concerns(&self, action: &Action) -> bool {
        let watched = action.round.iter().flat_map(|round| round.parts());
        let looks = action.looks.iter().copied().chain(watched);
        let effects = action.effects.iter().filter_map(Effect::place);
        let delayed = action.delayed.iter().flat_map(|delayed| &delayed.sets).map(|value| value.part.place);
        looks.map(|part| part.place).chain(effects).chain(delayed).any(|place| place == self.place)
    }

    /// A part, and its value; or both of its halves.
    fn parts(&self, part: Part, value: u64) -> Vec<(Part, u64)> {
        if part.place != self.place {
            return vec![(part, value)];
        }
        let [low, high] = self.halves.map(|place| Part { place, bits: WORD });
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

    /// An action with the place split.
    pub fn apply(&self, action: &Action) -> Action {
        let seen = action.seen.iter().copied().chain(std::iter::repeat(0));
        let looks = action.looks.iter().zip(seen).flat_map(|(part, value)| self.parts(*part, value));
        let (looks, mut seen): (Vec<Part>, Vec<u64>) = looks.unzip();
        if action.seen.is_empty() {
            seen.clear();
        }
        let effects = action.effects.iter().flat_map(|effect| match *effect {
            Effect::Set { part, value } => {
                let parts = self.parts(part, value).into_iter();
                parts.map(|(part, value)| Effect::Set { part, value }).collect()
            }
            Effect::Free(place) if place == self.place => self.halves.map(Effect::Free).to_vec(),
            effect => vec![effect],
        });
        let delayed = action.delayed.iter().map(|delayed| {
            let parts = delayed.sets.iter().flat_map(|set| self.parts(set.part, set.value));
            Delayed { sets: parts.map(|(part, value)| Value { part, value }).collect(), ..delayed.clone() }
        });
        Action {
            looks: looks.into(),
            seen: seen.into(),
            effects: effects.collect(),
            delayed: delayed.collect(),
            round: action.round.as_ref().map(|round| Box::new(self.watched(round))),
            ..action.clone()
        }
    }
}
