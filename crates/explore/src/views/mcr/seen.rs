//! Results of entries, as conditions on what comes before them.
//!
//! # Values
//!
//! Let a read want one of some values of a cell, the *good* ones. It gets it if it was there at first and all writes of other
//! values come later; or from a write of a good one, if all writes of other values come before that or after the read. Writes
//! of equal values are one alternative, not several.
//!
//! With store buffers the last store of the own thread is read as long as it has not arrived; and what is in memory afterwards.
//!
//! # Locks
//!
//! If each thread that takes something also gives it back, it is free unless a thread has taken it and not given it back: no
//! need to say which write the next one reads from. (It is taken only if it is free, so these sections do not overlap.)
//!
//! # Counts
//!
//! The count of a semaphore, of a lock's readers, or of those that have arrived at a barrier is what it was set to last, and
//! what was added since then. How many have added is said by literals for "at least so many".
//!
//! # Waiting
//!
//! A thread waits for a signal from when it begins to until it goes on, or is let go: by a signal while it waits, whose result
//! is this thread, or by a broadcast.

use super::causality::Causality;
use super::cells::{Change, Write};
use super::claims::Claim;
use crate::views::script::{
    Arrived, Condition, DEAD, Entry, Location, LocationPart, Question, Round, Value, Watch, YES,
    result_woken, word_of,
};
use selvedge_solve::{Event, Lit};
use selvedge_trace::sync::Arrival;

/// Script and position.
pub type EntryId = (usize, usize);

impl Causality<'_> {
    /// That an entry, at a time, has the result that it had in the execution; it must have been performed.
    pub fn returns_same(&mut self, at: Event, id: EntryId) -> Lit {
        let entry = self.entry(id);
        let dead = self.dead_locations(entry);
        if entry.result == DEAD {
            return self.is_dead(at, &dead, Claim::Holds);
        }
        let alive = self.is_dead(at, &dead, Claim::Fails);
        let changed = self.sees_change(at, id);
        let result = match entry.question {
            Question::Nothing | Question::Choose { .. } | Question::Join(_) | Question::JoinAll => Lit::TRUE,
            Question::Values => self.sees_same(at, id),
            Question::Take(test) => self.takes(at, id, test, Claim::Holds),
            Question::TryToTake(test) => self.takes(at, id, test, Claim::that(entry.result == YES)),
            Question::Once(_) => self.first_word(at, id, |word| u64::from(word) == entry.result),
            Question::Arrive => {
                let result = Arrived::at(arrival_of(entry));
                self.arrives(at, id, result)
            }
            Question::Woken { .. } => self.is_woken(at, id, Claim::that(entry.result == YES)),
            Question::Signal { object } => self.signals(at, object, entry.result),
        };
        self.all(&[alive, changed, result])
    }

    /// The locations that an entry uses and that are dead at some time: their cells.
    pub fn dead_locations(&self, entry: &Entry) -> Vec<usize> {
        let mut locations: Vec<Location> = entry.needs().collect();
        locations.sort_unstable();
        locations.dedup();
        locations.into_iter().filter_map(|location| self.cells.dead(location)).collect()
    }

    /// That one of some locations is dead, or that none is.
    pub fn is_dead(&mut self, at: Event, cells: &[usize], claim: Claim) -> Lit {
        let literals: Vec<Lit> =
            cells.iter().map(|cell| self.in_memory(at, *cell, |value| claim.is_right(value != 0))).collect();
        self.some(claim, &literals)
    }

    /// That a thread is not blocked in a loop: its last round has changed something, or something is not as it was then.
    pub fn sees_change(&mut self, at: Event, id: EntryId) -> Lit {
        let Some(round) = &self.entry(id).round else { return Lit::TRUE };
        let literals = self.round(at, id, round, Claim::Fails);
        self.any(&literals)
    }

    /// That a thread is blocked in a loop.
    pub fn sees_no_change(&mut self, at: Event, id: EntryId) -> Lit {
        let Some(round) = &self.entry(id).round else { return Lit::FALSE };
        let literals = self.round(at, id, round, Claim::Holds);
        self.all(&literals)
    }

    /// A literal for each value that a thread has read in a round of a loop, that it is as it was then; and for each store
    /// there, that it has changed nothing. Or for the opposites.
    fn round(&mut self, at: Event, id: EntryId, round: &Round, same: Claim) -> Vec<Lit> {
        let mut literals = Vec::new();
        for watch in &round.watched {
            match watch {
                Watch::Value(Value { part, value }) => {
                    for cell in self.cells.of(*part).collect::<Vec<usize>>() {
                        let seen = value & self.cells.all[cell].part.bits;
                        literals.push(self.sees(at, id, cell, |value| same.is_right(value == seen)));
                    }
                }
                Watch::Taken(parts, test) => {
                    literals.push(self.passes(at, id, parts, *test, same.opposite()))
                }
            }
        }
        let mut dead: Vec<usize> = round.parts().filter_map(|part| self.cells.dead(part.location)).collect();
        dead.sort_unstable();
        dead.dedup();
        literals.push(self.is_dead(at, &dead, same.opposite()));
        let script = &self.execution.scripts[id.0];
        for position in (round.start as usize..id.1).filter(|at| script.is_decisive(*at)) {
            let stored = self.events[id.0][position];
            for Value { part, value } in script.entries[position].sets() {
                for cell in self.cells.of(part).collect::<Vec<usize>>() {
                    let set = value & self.cells.all[cell].part.bits;
                    literals.push(self.in_memory(stored, cell, |value| same.is_right(value == set)));
                }
            }
        }
        literals
    }

    /// That an entry reads a value, whatever its result is otherwise.
    pub fn sees_value(&mut self, at: Event, id: EntryId, value: Value) -> Lit {
        let mut literals = Vec::new();
        for cell in self.cells.of(value.part).collect::<Vec<usize>>() {
            let wanted = value.value & self.cells.all[cell].part.bits;
            literals.push(self.sees(at, id, cell, |value| value == wanted));
        }
        let dead = self.dead_locations(self.entry(id));
        literals.push(self.is_dead(at, &dead, Claim::Fails));
        self.all(&literals)
    }

    /// That an entry sees what it has seen.
    fn sees_same(&mut self, at: Event, id: EntryId) -> Lit {
        let entry = self.entry(id);
        let mut same = Vec::new();
        for (part, value) in entry.reads.iter().zip(&entry.values) {
            for cell in self.cells.of(*part).collect::<Vec<usize>>() {
                let wanted = value & self.cells.all[cell].part.bits;
                same.push(self.sees(at, id, cell, |value| value == wanted));
            }
        }
        self.all(&same)
    }

    /// That something can be taken, or cannot. In the same state an entry has the same result.
    pub fn takes(&mut self, at: Event, id: EntryId, test: Condition, taken: Claim) -> Lit {
        let entry = self.entry(id);
        let is_free = self.is_free(at, id, test, taken);
        let Some(state) = entry.state.filter(|state| !taken.is_right(test.holds(*state))) else {
            return is_free;
        };
        // An owner, or something that went wrong.
        let same = self.state_is(at, id, state, Claim::Holds);
        self.any(&[same, is_free])
    }

    /// That a test holds of what an entry reads, or does not hold.
    pub fn is_free(&mut self, at: Event, id: EntryId, test: Condition, free: Claim) -> Lit {
        self.passes(at, id, &self.entry(id).reads, test, free)
    }

    /// That a test holds of some parts for an entry, or does not hold.
    fn passes(
        &mut self,
        at: Event,
        id: EntryId,
        parts: &[LocationPart],
        test: Condition,
        claim: Claim,
    ) -> Lit {
        match test {
            Condition::FirstNotOne
            | Condition::FirstZero
            | Condition::FirstNotZero
            | Condition::FirstNotFull => {
                self.word(at, id, parts, |word| claim.is_right(test.holds(u64::from(word))))
            }
            Condition::BothZero => {
                let mut cells = Vec::new();
                for part in parts {
                    cells.extend(self.cells.of(*part));
                }
                let literals: Vec<Lit> = cells
                    .into_iter()
                    .map(|cell| self.sees(at, id, cell, |value| claim.is_right(value == 0)))
                    .collect();
                self.every(claim, &literals)
            }
        }
    }

    /// That the first word that an entry reads is good.
    pub fn first_word(&mut self, at: Event, id: EntryId, good: impl Fn(u32) -> bool) -> Lit {
        self.word(at, id, &self.entry(id).reads, good)
    }

    /// That the first word of some parts is good for an entry.
    fn word(&mut self, at: Event, id: EntryId, parts: &[LocationPart], good: impl Fn(u32) -> bool) -> Lit {
        let Some(part) = parts.first().copied() else { return Lit::TRUE };
        let cells: Vec<usize> = self.cells.of(part).collect();
        match *cells.as_slice() {
            [cell] => self.sees(at, id, cell, |value| good(word_of(part, value))),
            // No other thread uses it.
            _ => Lit::TRUE,
        }
    }

    /// That what an entry reads is in a state, or in another one.
    pub fn state_is(&mut self, at: Event, id: EntryId, state: u64, claim: Claim) -> Lit {
        let entry = self.entry(id);
        let mut rest = state;
        let mut literals = Vec::new();
        for (number, part) in entry.reads.iter().take(2).enumerate() {
            let value = match number {
                0 => (rest << part.bits.trailing_zeros().min(63)) & part.bits,
                _ => rest & part.bits,
            };
            rest = rest.checked_shr(part.bits.count_ones()).unwrap_or(0);
            for cell in self.cells.of(*part).collect::<Vec<usize>>() {
                let wanted = value & self.cells.all[cell].part.bits;
                literals.push(self.sees(at, id, cell, |value| claim.is_right(value == wanted)));
            }
        }
        self.every(claim, &literals)
    }

    /// That an arrival at a barrier has a result, if as many are needed as in the execution.
    pub fn arrives(&mut self, at: Event, id: EntryId, result: Arrived) -> Lit {
        let Some(words) = self.entry(id).reads.first_chunk::<{ Arrival::WORDS }>().copied() else {
            return Lit::TRUE;
        };
        let before = arrival_of(self.entry(id));
        let mut literals = Vec::new();
        for cell in self.cells.of(words[Arrival::NEEDED]).collect::<Vec<usize>>() {
            literals.push(self.sees(at, id, cell, |value| value as u32 == before.needed));
        }
        for cell in self.cells.of(words[Arrival::ARRIVED]).collect::<Vec<usize>>() {
            let is_last = |value: u64| Arrival { arrived: value as u32, ..before }.is_last();
            literals.push(self.sees(at, id, cell, |value| is_last(value) == result.is_last));
        }
        for cell in self.cells.of(words[Arrival::GENERATION]).collect::<Vec<usize>>() {
            literals.push(self.sees(at, id, cell, |value| value == u64::from(result.generation)));
        }
        self.all(&literals)
    }

    /// That a thread that has waited was let go, or was not. It must be where it goes on.
    pub fn is_woken(&mut self, at: Event, (script, position): EntryId, woken: Claim) -> Lit {
        // It began with the last such entry before.
        let began = position.checked_sub(1).map(|before| self.events[script][before]);
        let begins = &self.cells.waits.begins[script];
        let Some((began, object, _)) = begins.iter().rev().find(|(event, ..)| Some(*event) <= began).copied()
        else {
            return Lit::from(woken == Claim::Fails);
        };
        let wakes = self.wakes(script, object, at);
        let literals: Vec<Lit> = wakes
            .into_iter()
            .map(|wake| {
                let (after, before) = (self.order.before(began, wake), self.order.before(wake, at));
                match woken {
                    Claim::Holds => self.all(&[after, before]),
                    Claim::Fails => self.any(&[!after, !before]),
                }
            })
            .collect();
        self.some(woken, &literals)
    }

    /// What may let a thread go that waits for an object, apart from an event.
    fn wakes(&self, script: usize, object: u64, but: Event) -> Vec<Event> {
        let wakes = self.cells.waits.wakes.iter().filter(|(event, whom, what)| {
            *what == object && whom.is_none_or(|whom| whom == script) && *event != but
        });
        wakes.map(|(event, ..)| *event).collect()
    }

    /// That a thread waits for an object, or does not.
    pub fn waits(&mut self, at: Event, script: usize, object: u64, waits: Claim) -> Lit {
        let begins = self.cells.waits.begins[script].clone();
        let wakes = self.wakes(script, object, at);
        let mut literals = Vec::new();
        for (began, _, ended) in begins.into_iter().filter(|(_, what, _)| *what == object) {
            let after = self.order.before(began, at);
            let before = ended.map_or(Lit::TRUE, |ended| self.order.before(at, ended));
            let mut parts = match waits {
                Claim::Holds => vec![after, before],
                Claim::Fails => vec![!after, !before],
            };
            for wake in &wakes {
                let (too_early, too_late) = (self.order.before(*wake, began), self.order.before(at, *wake));
                parts.push(match waits {
                    Claim::Holds => self.any(&[too_early, too_late]),
                    Claim::Fails => self.all(&[!too_early, !too_late]),
                });
            }
            literals.push(self.every(waits, &parts));
        }
        self.some(waits, &literals)
    }

    /// That a signal has a result: that it wakes a thread, or none.
    pub fn signals(&mut self, at: Event, object: u64, result: u64) -> Lit {
        let whom = |script: &usize| result_woken(Some(self.execution.scripts[*script].thread)) == result;
        let scripts = 0..self.execution.scripts.len();
        match scripts.clone().find(whom) {
            Some(script) => self.waits(at, script, object, Claim::Holds),
            _ => {
                let nobody: Vec<Lit> =
                    scripts.map(|script| self.waits(at, script, object, Claim::Fails)).collect();
                self.all(&nobody)
            }
        }
    }

    /// That an entry of a thread sees a value of a cell that is good.
    pub fn sees(
        &mut self,
        at: Event,
        (script, position): EntryId,
        cell: usize,
        good: impl Fn(u64) -> bool,
    ) -> Lit {
        let writes = &self.cells.all[cell].writes;
        let own = writes.iter().filter(|write| write.delayed && write.origin.0 == script);
        let last = own.filter(|write| write.origin.1 < position).max_by_key(|write| write.origin.1);
        let Some(Write { event, change: Change::Set(value), .. }) = last.copied() else {
            return self.in_memory(at, cell, good);
        };
        let memory = self.in_memory(at, cell, &good);
        let arrived = self.order.before(event, at);
        let from_memory = self.all(&[arrived, memory]);
        match good(value) {
            true => self.any(&[!arrived, from_memory]),
            false => from_memory,
        }
    }

    /// That what is in memory is good.
    pub fn in_memory(&mut self, at: Event, cell: usize, good: impl Fn(u64) -> bool) -> Lit {
        let this = &self.cells.all[cell];
        if this.is_count() {
            return self.counts(at, cell, good);
        }
        let value = |write: &Write| match write.change {
            Change::Set(value) => value,
            Change::Add(_) => 0,
        };
        let others = this.writes.iter().filter(|write| write.event != at);
        let (right, wrong): (Vec<Write>, Vec<Write>) = others.partition(|write| good(value(write)));
        let initial = good(this.initial);
        if wrong.is_empty() && initial {
            return Lit::TRUE;
        }
        if let Some(pairs) = this.pairs.clone() {
            let is_told = |write: &Write| good(value(write)) == (initial == (value(write) == 0));
            if this.writes.iter().all(is_told) {
                return self.is_taken(at, &pairs, Claim::that(!initial));
            }
        }
        let mut sources = Vec::new();
        if initial {
            let later: Vec<Lit> = wrong.iter().map(|write| self.order.before(at, write.event)).collect();
            sources.push(self.all(&later));
        }
        for write in &right {
            // Another one that comes between in any case does as well.
            let is_between = |other: &Write| {
                self.order.is_fixed(write.event, other.event) && self.order.is_fixed(other.event, at)
            };
            if self.order.is_fixed(at, write.event) || right.iter().any(is_between) {
                continue;
            }
            sources.push(self.reads_from(at, write, &wrong));
        }
        self.any(&sources)
    }

    /// That a write is the last one before a time, apart from those that make no difference.
    fn reads_from(&mut self, at: Event, write: &Write, wrong: &[Write]) -> Lit {
        let first = self.order.before(write.event, at);
        let mut clauses: Vec<[Lit; 2]> = Vec::new();
        for other in wrong {
            let pair = [self.order.before(other.event, write.event), self.order.before(at, other.event)];
            if pair == [Lit::FALSE, Lit::FALSE] {
                return Lit::FALSE;
            }
            if !pair.contains(&Lit::TRUE) {
                clauses.push(pair);
            }
        }
        if clauses.is_empty() {
            return first;
        }
        let reads = self.order.var();
        self.order.clause(&[!reads, first]);
        for [before, after] in clauses {
            self.order.clause(&[!reads, before, after]);
        }
        reads
    }

    /// That something is taken at a time, or is free.
    fn is_taken(&mut self, at: Event, pairs: &[(Event, Option<Event>)], taken: Claim) -> Lit {
        let mut literals = Vec::new();
        for (take, give) in pairs.iter().filter(|(take, _)| *take != at) {
            let begun = self.order.before(*take, at);
            let over = match give {
                Some(give) if *give == at => Lit::FALSE,
                Some(give) => self.order.before(*give, at),
                None => Lit::FALSE,
            };
            literals.push(match taken {
                Claim::Holds => self.all(&[begun, !over]),
                Claim::Fails => self.any(&[!begun, over]),
            });
        }
        self.some(taken, &literals)
    }

    /// That a count is good.
    fn counts(&mut self, at: Event, cell: usize, good: impl Fn(u64) -> bool) -> Lit {
        let this = &self.cells.all[cell];
        let shift = this.part.bits.trailing_zeros().min(63);
        let (initial, bits) = (this.initial, this.part.bits);
        let writes: Vec<Write> = this.writes.iter().filter(|write| write.event != at).copied().collect();
        let sets: Vec<(Event, u64)> = writes
            .iter()
            .filter_map(|write| match write.change {
                Change::Set(value) => Some((write.event, value)),
                Change::Add(_) => None,
            })
            .collect();
        let mut sources = Vec::new();
        for source in [None].into_iter().chain(sets.iter().copied().map(Some)) {
            let mut parts = Vec::new();
            if let Some((set, _)) = source {
                parts.push(self.order.before(set, at));
            }
            for (other, _) in sets.iter().filter(|(other, _)| source.is_none_or(|(set, _)| set != *other)) {
                let later = self.order.before(at, *other);
                let earlier = match source {
                    Some((set, _)) => self.order.before(*other, set),
                    None => Lit::FALSE,
                };
                parts.push(self.any(&[earlier, later]));
            }
            if parts.contains(&Lit::FALSE) {
                continue;
            }
            let (mut more, mut less) = (Vec::new(), Vec::new());
            for write in &writes {
                let Change::Add(delta) = write.change else { continue };
                let before = self.order.before(write.event, at);
                let added = match source {
                    Some((set, _)) => {
                        let after = self.order.before(set, write.event);
                        self.order.and(&[before, after])
                    }
                    None => before,
                };
                if delta > 0 { more.push(added) } else { less.push(added) }
            }
            let (more, less) = (self.at_least(&more), self.at_least(&less));
            let base = source.map_or(initial, |(_, value)| value) >> shift;
            let mut ways = Vec::new();
            for (added, is_added) in exactly(&more) {
                for (taken, is_taken) in exactly(&less) {
                    let count = base.wrapping_add(added as u64).wrapping_sub(taken as u64) << shift & bits;
                    if good(count) {
                        ways.push(self.all(&[is_added[0], is_added[1], is_taken[0], is_taken[1]]));
                    }
                }
            }
            parts.push(self.any(&ways));
            sources.push(self.all(&parts));
        }
        self.any(&sources)
    }

    /// Literals that say that at least 1, 2, … of these hold.
    fn at_least(&mut self, literals: &[Lit]) -> Vec<Lit> {
        let mut counts: Vec<Lit> = Vec::new();
        for literal in literals {
            counts.push(Lit::FALSE);
            for at in (0..counts.len()).rev() {
                let before = if at == 0 { Lit::TRUE } else { counts[at - 1] };
                let carried = self.order.and(&[before, *literal]);
                counts[at] = self.order.or(&[counts[at], carried]);
            }
        }
        counts
    }
}

/// From literals for at least so many: those for each number.
fn exactly(at_least: &[Lit]) -> impl Iterator<Item = (usize, [Lit; 2])> + Clone {
    (0..=at_least.len()).map(|number| {
        let reached = if number == 0 { Lit::TRUE } else { at_least[number - 1] };
        let passed = at_least.get(number).map_or(Lit::TRUE, |more| !*more);
        (number, [reached, passed])
    })
}

/// What an arrival at a barrier has found.
pub fn arrival_of(entry: &Entry) -> Arrival {
    Arrival::of_words(std::array::from_fn(|number| entry.values.get(number).copied().unwrap_or(0) as u32))
}
