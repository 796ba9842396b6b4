//! Critical sections: what a thread does between taking a lock and giving it back.
//!
//! A *lock* is a word that is 0 at first, to which everybody writes in turns only: who finds it free takes it, and nobody else
//! writes to it until it is given back by the same thread. (It may be set to 0 before there are other threads.) Then no two
//! threads are in critical sections of it at once. Whoever looks at something with a lock in hand does so while nobody else has
//! it; so all others are outside, wherever they are.

use super::{Action, Condition, DEAD, Effect, Part, Place, Question, YES};
use std::sync::Arc;

/// A critical section of a script.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Where the lock is.
    pub place: Place,
    /// The position of what takes it.
    from: u32,
    /// The position of what gives it back.
    to: u32,
}

impl Section {
    /// Whether a thread that has come so far is in it.
    pub fn contains(&self, position: u32) -> bool {
        self.from < position && position <= self.to
    }

    /// How far a thread comes without it.
    pub fn start(&self) -> u32 {
        self.from
    }
}

/// What a script does to words that it takes.
#[derive(Debug, Default)]
pub struct Sections {
    /// Its critical sections, in the order of their beginnings.
    pub all: Vec<Section>,
    /// Words that it sets to 0 without having taken them, and where.
    pub cleared: Vec<(Place, u32)>,
    /// Words to which it does something else: they are no locks.
    pub broken: Vec<Place>,
}

/// Still open.
const OPEN: u32 = u32::MAX;

impl Sections {
    /// The critical sections of what a thread did.
    pub fn new(actions: &[Arc<Action>]) -> Self {
        let mut sections = Sections::default();
        let mut words: Vec<Part> = Vec::new();
        for (word, _) in actions.iter().filter_map(|action| taken(action)) {
            match words.iter().find(|other| other.place == word.place) {
                None => words.push(word),
                Some(other) if *other == word => {}
                Some(_) => sections.broken.push(word.place),
            }
        }
        if words.is_empty() {
            return sections;
        }
        let word_at = |place: Place| words.iter().find(|word| word.place == place).copied();
        for (position, action) in actions.iter().enumerate() {
            let position = position as u32;
            let taken = taken(action);
            for effect in &action.effects {
                let Some(word) = effect.place().and_then(word_at) else { continue };
                let test = taken.filter(|(other, _)| *other == word).map(|(_, test)| test);
                sections.write(position, word, test, effect);
            }
            for set in action.delayed.iter().flat_map(|delayed| &delayed.sets) {
                sections.broken.extend(word_at(set.part.place).map(|word| word.place));
            }
        }
        sections
    }

    /// Whether a thread that has come so far is in one of them.
    pub fn is_inside(&self, position: usize) -> bool {
        self.all.iter().any(|section| section.contains(position as u32))
    }

    /// Something is done to a word, perhaps after a test whether it is free.
    fn write(&mut self, position: u32, word: Part, test: Option<Condition>, effect: &Effect) {
        let Effect::Set { part, value } = *effect else { return self.broken.push(word.place) };
        if part.bits & word.bits == 0 {
            return;
        }
        let state = (value & word.bits) >> word.bits.trailing_zeros().min(63);
        let last = self.all.iter_mut().rev().find(|section| section.place == word.place);
        match last.filter(|section| section.to == OPEN) {
            _ if part.bits & word.bits != word.bits => self.broken.push(word.place),
            Some(section) if state == 0 => section.to = position,
            Some(_) if test.is_some_and(|test| !test.holds(state)) => {}
            None if state == 0 => self.cleared.push((word.place, position)),
            None if test.is_some_and(|test| !test.holds(state)) => {
                self.all.push(Section { place: word.place, from: position, to: OPEN });
            }
            _ => self.broken.push(word.place),
        }
    }
}

/// The word that an action takes if it is free, and what that means.
fn taken(action: &Action) -> Option<(Part, Condition)> {
    let test = match action.question {
        Question::Take(test) => test,
        Question::TryToTake(test) if action.told == YES => test,
        _ => return None,
    };
    let first = *action.looks.first()?;
    let bits = first.bits & 0xffff_ffff << first.bits.trailing_zeros().min(63);
    let word = Part { place: first.place, bits };
    (test.is_of_lock() && action.told != DEAD).then_some((word, test))
}
