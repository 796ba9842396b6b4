//! Critical sections: what a thread does between taking a lock and giving it back.
//!
//! A *lock* is a word that is 0 at first, to which threads write in turns only: a thread that finds it free takes it, and no
//! other writes to it until the same thread gives it back. (It may be set to 0 before there are other threads.) Then no two
//! threads are in critical sections of it at once: while a thread has the lock, all others are outside their sections of it.

use super::{Condition, DEAD, Effect, Entry, Location, LocationPart, Question, YES};
use std::sync::Arc;

/// A critical section of a script.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Where the lock is.
    pub location: Location,
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
    pub cleared: Vec<(Location, u32)>,
    /// Words to which it does something else: they are no locks.
    pub broken: Vec<Location>,
}

/// Still open.
const OPEN: u32 = u32::MAX;

impl Sections {
    /// The critical sections of what a thread did.
    pub fn new(entries: &[Arc<Entry>]) -> Self {
        let mut sections = Sections::default();
        let mut words: Vec<LocationPart> = Vec::new();
        for (word, _) in entries.iter().filter_map(|entry| taken(entry)) {
            match words.iter().find(|other| other.location == word.location) {
                None => words.push(word),
                Some(other) if *other == word => {}
                Some(_) => sections.broken.push(word.location),
            }
        }
        if words.is_empty() {
            return sections;
        }
        let word_at = |location: Location| words.iter().find(|word| word.location == location).copied();
        for (position, entry) in entries.iter().enumerate() {
            let position = position as u32;
            let taken = taken(entry);
            for effect in &entry.effects {
                let Some(word) = effect.location().and_then(word_at) else { continue };
                let test = taken.filter(|(other, _)| *other == word).map(|(_, test)| test);
                sections.write(position, word, test, effect);
            }
            for set in entry.delayed.iter().flat_map(|delayed| &delayed.sets) {
                sections.broken.extend(word_at(set.part.location).map(|word| word.location));
            }
        }
        sections
    }

    /// Whether a thread that has come so far is in one of them.
    pub fn is_inside(&self, position: usize) -> bool {
        self.all.iter().any(|section| section.contains(position as u32))
    }

    /// Something is done to a word, perhaps after a test whether it is free.
    fn write(&mut self, position: u32, word: LocationPart, test: Option<Condition>, effect: &Effect) {
        let Effect::Set { part, value } = *effect else { return self.broken.push(word.location) };
        if part.bits & word.bits == 0 {
            return;
        }
        let state = (value & word.bits) >> word.bits.trailing_zeros().min(63);
        let last = self.all.iter_mut().rev().find(|section| section.location == word.location);
        match last.filter(|section| section.to == OPEN) {
            _ if part.bits & word.bits != word.bits => self.broken.push(word.location),
            Some(section) if state == 0 => section.to = position,
            Some(_) if test.is_some_and(|test| !test.holds(state)) => {}
            None if state == 0 => self.cleared.push((word.location, position)),
            None if test.is_some_and(|test| !test.holds(state)) => {
                self.all.push(Section { location: word.location, from: position, to: OPEN });
            }
            _ => self.broken.push(word.location),
        }
    }
}

/// The word that an entry takes if it is free, and what that means.
fn taken(entry: &Entry) -> Option<(LocationPart, Condition)> {
    let test = match entry.question {
        Question::Take(test) => test,
        Question::TryToTake(test) if entry.result == YES => test,
        _ => return None,
    };
    let first = *entry.reads.first()?;
    let bits = first.bits & 0xffff_ffff << first.bits.trailing_zeros().min(63);
    let word = LocationPart { location: first.location, bits };
    (test.is_of_lock() && entry.result != DEAD).then_some((word, test))
}

#[cfg(test)]
mod tests {
    use super::super::by_hand::{lock, read, unlock, update, write};
    use super::*;

    /// The beginnings and ends of critical sections.
    fn ranges(sections: &Sections) -> Vec<(Location, u32, u32)> {
        sections.all.iter().map(|section| (section.location, section.from, section.to)).collect()
    }

    #[test]
    fn a_section_goes_from_the_lock_to_the_unlock() {
        let sections =
            Sections::new(&[write(1, 1), lock(0, 5), read(1, 1), unlock(0), lock(0, 5), unlock(0)]);
        assert_eq!(ranges(&sections), [(0, 1, 3), (0, 4, 5)]);
        assert!(sections.broken.is_empty() && sections.cleared.is_empty());
        let inside: Vec<bool> = (0..=6).map(|position| sections.is_inside(position)).collect();
        assert_eq!(inside, [false, false, true, true, false, true, false]);
    }

    #[test]
    fn sections_may_overlap_and_stay_open() {
        let sections = Sections::new(&[lock(0, 5), lock(1, 5), unlock(0)]);
        assert_eq!(ranges(&sections), [(0, 0, 2), (1, 1, OPEN)]);
        assert!(sections.is_inside(3));
    }

    #[test]
    fn a_word_that_is_written_otherwise_is_no_lock() {
        for other in [write(0, 3), update(0, 5, 6)] {
            let sections = Sections::new(&[lock(0, 5), other, unlock(0)]);
            assert_eq!(sections.broken, [0]);
        }
        // Nobody takes it.
        assert!(ranges(&Sections::new(&[write(0, 3), unlock(0)])).is_empty());
    }

    #[test]
    fn setting_a_lock_up_is_told_apart_from_giving_it_back() {
        let sections = Sections::new(&[write(0, 0), lock(0, 5), unlock(0)]);
        assert_eq!((ranges(&sections), sections.cleared), (vec![(0, 1, 2)], vec![(0, 0)]));
        assert!(sections.broken.is_empty());
    }
}
