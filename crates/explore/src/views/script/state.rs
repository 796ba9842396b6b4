//! What is at locations, and how entries change that.

use super::entry::SIGNALLED;
use super::{DEAD, Effect, Entry, Execution, Location, LocationPart, Round, Watch};
use crate::views::name::name;

/// What each location has.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The bits.
    pub values: Vec<u64>,
    dead: Vec<bool>,
    /// The names of all locations with their values, added up.
    pub name: u128,
    /// What was there before: location, value, whether it was dead.
    undo: Vec<(Location, u64, bool)>,
}

impl State {
    /// The state at the beginning of an execution.
    pub fn new(execution: &Execution) -> Self {
        let (mut values, mut dead) = (vec![0; execution.locations], vec![false; execution.locations]);
        for (location, value, is_dead) in &execution.initial {
            (values[*location as usize], dead[*location as usize]) = (*value, *is_dead);
        }
        Self { values, dead, name: 0, undo: Vec::new() }
    }

    /// A moment to return to.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Returns to a moment.
    pub fn rewind(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let Some((location, value, dead)) = self.undo.pop() else { return };
            self.put(location, value, dead);
        }
    }

    /// What a location adds to the name.
    pub fn name_at(&self, location: Location) -> u128 {
        name(
            u64::from(location) << 1 | u64::from(self.dead[location as usize]),
            self.values[location as usize],
        )
    }

    fn put(&mut self, location: Location, value: u64, dead: bool) {
        let at = location as usize;
        self.name = self.name.wrapping_sub(self.name_at(location));
        (self.values[at], self.dead[at]) = (value, dead);
        self.name = self.name.wrapping_add(self.name_at(location));
    }

    fn set(&mut self, location: Location, value: u64, dead: bool) {
        let at = location as usize;
        if (self.values[at], self.dead[at]) != (value, dead) {
            self.undo.push((location, self.values[at], self.dead[at]));
            self.put(location, value, dead);
        }
    }

    /// Whether something that an entry needs is dead.
    pub fn is_dead(&self, entry: &Entry) -> bool {
        entry.needs().any(|location| self.dead[location as usize])
    }

    /// Whether something has another value than in a round of a loop.
    pub fn differs(&self, round: &Round) -> bool {
        let is_dead = |part: LocationPart| self.dead[part.location as usize];
        let is_so = |watch: &Watch| watch.holds(|location| self.values[location as usize]);
        round.parts().any(is_dead) || !round.watched.iter().all(is_so)
    }

    /// Whether an entry changes something that it sets.
    pub fn is_changed_by(&self, entry: &Entry) -> bool {
        entry.sets().any(|set| self.values[set.part.location as usize] & set.part.bits != set.value)
    }

    /// The result of an entry here; `None` if it is blocked. (Joins, choices and rounds of loops, which depend on more than
    /// locations, are for the caller to judge: here they are enabled, and have the result that they had.)
    pub fn result_of(&self, entry: &Entry) -> Option<u64> {
        if self.is_dead(entry) {
            return Some(DEAD);
        }
        entry.answer(|location| self.values[location as usize])
    }

    /// Whether a location is that of a thread that waits for an object and was not let go.
    pub fn waits(&self, waiting: Location, object: u64) -> bool {
        self.values[waiting as usize] == object << 1
    }

    /// Whether the thread of an entry that waits has been let go.
    pub fn is_let_go(&self, entry: &Entry) -> bool {
        entry.reads.iter().any(|part| self.values[part.location as usize] & SIGNALLED != 0)
    }

    /// Performs an entry that has the result that it had in the execution. `waiting`: the locations of all threads' waiting.
    pub fn perform(&mut self, entry: &Entry, waiting: &[Location]) {
        for effect in &entry.effects {
            match *effect {
                Effect::Set { part, value } => {
                    let old = self.values[part.location as usize];
                    self.set(part.location, old & !part.bits | value, false);
                }
                Effect::Add { part, delta } => {
                    let old = self.values[part.location as usize];
                    let shift = part.bits.trailing_zeros().min(63);
                    let count = ((old & part.bits) >> shift).wrapping_add_signed(i64::from(delta)) << shift;
                    self.set(part.location, old & !part.bits | count & part.bits, false);
                }
                Effect::Free(location) => self.set(location, self.values[location as usize], true),
                Effect::Revive(location) => self.set(location, self.values[location as usize], false),
                Effect::Wake { waiting, object } => self.set(waiting, object << 1 | SIGNALLED, false),
                Effect::WakeAll { object } => {
                    for location in waiting {
                        if self.waits(*location, object) {
                            self.set(*location, object << 1 | SIGNALLED, false);
                        }
                    }
                }
            }
        }
    }
}
