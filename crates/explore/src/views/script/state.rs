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

#[cfg(test)]
mod tests {
    use super::super::by_hand::{execution, lock, read, unlock, update, write};
    use super::*;
    use crate::core::random_numbers::Random;

    /// The name of all locations, computed anew.
    fn name_anew(state: &State) -> u128 {
        (0..state.values.len() as Location).fold(0, |sum, at| sum.wrapping_add(state.name_at(at)))
    }

    #[test]
    fn what_is_performed_can_be_taken_back() {
        let entries = [
            write(0, 1),
            write(1, 7),
            update(0, 1, 2),
            lock(2, 5),
            unlock(2),
            free(1),
            write(1, 3),
            read(0, 2),
        ];
        let execution = execution(vec![entries.to_vec()], 3);
        let mut state = State::new(&execution);
        let (first, mut random) = (state.clone(), Random::new(1));
        let zero = name_anew(&state);
        let mut marks = vec![state.mark()];
        let mut states = vec![state.clone()];
        for _ in 0..500 {
            if random.below(3) == 0 {
                let at = random.below(marks.len() as u64) as usize;
                state.rewind(marks[at]);
                marks.truncate(at + 1);
                states.truncate(at + 1);
                let then = &states[at];
                assert_eq!((&state.values, &state.dead), (&then.values, &then.dead));
                assert_eq!(state.name, then.name);
            } else {
                let entry = &entries[random.below(entries.len() as u64) as usize];
                state.perform(entry, &execution.waiting);
                marks.push(state.mark());
                states.push(state.clone());
                assert_eq!(state.name, name_anew(&state).wrapping_sub(zero));
            }
        }
        state.rewind(marks[0]);
        assert_eq!((state.values, state.dead, state.name), (first.values, first.dead, 0));
    }

    fn free(location: Location) -> std::sync::Arc<Entry> {
        let entry = Entry { effects: Box::new([Effect::Free(location)]), ..(*write(location, 0)).clone() };
        std::sync::Arc::new(entry)
    }

    #[test]
    fn a_lock_blocks_while_another_has_it() {
        let (take, give) = (lock(0, 9), unlock(0));
        let execution = execution(vec![vec![take.clone(), give.clone()]], 1);
        let mut state = State::new(&execution);
        assert!(state.result_of(&take).is_some());
        state.perform(&take, &execution.waiting);
        assert_eq!(state.result_of(&take), None);
        state.perform(&give, &execution.waiting);
        assert!(state.result_of(&take).is_some());
    }

    #[test]
    fn whoever_uses_what_is_dead_learns_nothing_else() {
        let (look, store) = (read(0, 4), write(0, 4));
        let execution = execution(vec![vec![store.clone(), look.clone()]], 1);
        let mut state = State::new(&execution);
        state.perform(&store, &execution.waiting);
        assert_eq!(state.result_of(&look), Some(look.result));
        state.perform(&free(0), &execution.waiting);
        assert_eq!((state.result_of(&look), state.result_of(&store)), (Some(DEAD), Some(DEAD)));
    }

    #[test]
    fn a_count_stays_in_its_bits() {
        let part = LocationPart { location: 0, bits: 0xffff_ffff << 32 };
        let add =
            |delta| Entry { effects: Box::new([Effect::Add { part, delta }]), ..(*write(0, 0)).clone() };
        let execution = execution(vec![vec![write(0, 7)]], 1);
        let mut state = State::new(&execution);
        state.perform(&write(0, 7), &execution.waiting);
        for (delta, upper) in [(1, 1), (1, 2), (-1, 1), (-1, 0), (-1, 0xffff_ffff)] {
            state.perform(&add(delta), &execution.waiting);
            assert_eq!(state.values[0], upper << 32 | 7, "{delta}");
        }
    }
}
