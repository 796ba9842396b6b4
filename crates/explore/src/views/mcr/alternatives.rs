//! Which other results an entry could have: for each, a literal that implies it.

use super::causality::{Causality, Moment};
use super::cells::Change;
use super::claims::Claim;
use super::seen::{EntryId, arrival_of};
use crate::views::script::{
    Arrived, Condition, DEAD, Entry, Location, NOTHING, Question, result_whether, result_woken,
};
use selvedge_solve::{Answer, Event, Lit};
use selvedge_trace::sync::Arrival;

/// Another result that an entry could have.
pub struct Alternative {
    /// Which. Several if the thread chooses: then each is possible whenever the others are.
    pub result: Vec<u64>,
    /// Implies it, at the moment.
    pub literal: Lit,
}

impl Alternative {
    /// One result.
    pub fn new(result: u64, literal: Lit) -> Self {
        Alternative { result: vec![result], literal }
    }
}

/// An entry that could have another result at a moment.
struct Asked<'x> {
    at: Event,
    id: EntryId,
    entry: &'x Entry,
    /// Its result in the execution, if it was performed.
    result_before: Option<u64>,
}

impl Asked<'_> {
    /// Whether a result is another one than in the execution.
    fn is_new(&self, result: u64) -> bool {
        self.result_before != Some(result)
    }

    /// Whether something was dead in the execution: then the result says nothing of its contents.
    fn was_dead(&self) -> bool {
        self.result_before == Some(DEAD)
    }

    /// Whether it was performed in the execution, and nothing was dead.
    fn has_seen(&self) -> bool {
        self.result_before.is_some_and(|result| result != DEAD)
    }

    /// What it saw at a location.
    fn seen_at(&self, location: Location) -> u64 {
        let seen = self.entry.reads.iter().zip(&self.entry.values);
        seen.filter(|(part, _)| part.location == location).fold(0, |bits, (_, value)| bits | value)
    }
}

impl<'x> Causality<'x> {
    fn asked(&self, id: EntryId, moment: &Moment) -> Asked<'x> {
        let entry = self.entry(id);
        let performed = id.1 < self.execution.scripts[id.0].performed;
        Asked { at: moment.event, id, entry, result_before: performed.then_some(entry.result) }
    }

    /// The other results that an entry could have, unless it reads several cells.
    pub fn alternatives(&mut self, id: EntryId, moment: &Moment) -> Vec<Alternative> {
        let asked = self.asked(id, moment);
        let (at, entry) = (asked.at, asked.entry);
        let dead = self.dead_locations(entry);
        let mut all = Vec::new();
        if !asked.was_dead() {
            let literal = self.is_dead(at, &dead, Claim::Holds);
            all.push(Alternative::new(DEAD, literal));
        }
        let alive = self.is_dead(at, &dead, Claim::Fails);
        let changed = self.sees_change(at, id);
        let possible = self.all(&[alive, changed]);
        for Alternative { result, literal } in self.others(&asked) {
            let literal = self.all(&[possible, literal]);
            // Clauses about one alternative must not be about another.
            let literal = match literal == Lit::TRUE {
                true => self.order.var(),
                false => literal,
            };
            all.push(Alternative { result, literal });
        }
        all
    }

    /// The other results that an entry could have if nothing is dead, and it is not blocked in a loop.
    fn others(&mut self, asked: &Asked<'_>) -> Vec<Alternative> {
        let (at, id, entry) = (asked.at, asked.id, asked.entry);
        let one = |result: u64, literal: Lit| vec![Alternative::new(result, literal)];
        match entry.question {
            Question::Nothing if !asked.has_seen() => one(NOTHING, Lit::TRUE),
            Question::Join(_) | Question::JoinAll if asked.result_before.is_none() => {
                one(NOTHING, self.have_ended(at, id))
            }
            Question::Nothing | Question::Join(_) | Question::JoinAll => Vec::new(),
            Question::Take(_) if asked.has_seen() => Vec::new(),
            Question::Take(test) => one(NOTHING, self.is_free(at, id, test, Claim::Holds)),
            Question::TryToTake(test) => self.other_attempts(asked, test),
            Question::Values => self.other_values(asked),
            Question::Once(test) => self.other_words(asked, test),
            Question::Arrive => self.other_arrivals(asked),
            Question::Woken { always } => self.other_wakings(asked, always),
            Question::Signal { object } => self.other_signals(asked, object),
            Question::Choose { options } => {
                let result: Vec<u64> =
                    (0..u64::from(options)).filter(|result| asked.is_new(*result)).collect();
                if result.is_empty() { Vec::new() } else { vec![Alternative { result, literal: Lit::TRUE }] }
            }
        }
    }

    /// Another value of the only cell that it reads, if there is one.
    fn other_values(&mut self, asked: &Asked<'_>) -> Vec<Alternative> {
        let entry = asked.entry;
        let cell = entry.reads.iter().flat_map(|part| self.cells.of(*part)).next();
        let part = cell.map(|cell| self.cells.all[cell].part);
        let values = cell.map_or(vec![0], |cell| self.values(asked.id, cell));
        let mut others = Vec::new();
        for value in values {
            let at_location = |location: Location| {
                let own = asked.seen_at(location);
                match part {
                    Some(part) if part.location == location => own & !part.bits | value,
                    _ => own,
                }
            };
            let Some(result) = entry.answer(at_location).filter(|result| asked.is_new(*result)) else {
                continue;
            };
            let literal = match cell {
                Some(cell) => self.sees(asked.at, asked.id, cell, |other| other == value),
                None => Lit::TRUE,
            };
            others.push(Alternative::new(result, literal));
        }
        others
    }

    /// That it takes something, or does not.
    fn other_attempts(&mut self, asked: &Asked<'_>, test: Condition) -> Vec<Alternative> {
        let (at, id) = (asked.at, asked.id);
        let mut others = Vec::new();
        for taken in [false, true] {
            let result = result_whether(taken);
            if !asked.is_new(result) {
                continue;
            }
            let is_free = self.is_free(at, id, test, Claim::that(taken));
            // In the same state it has the same result.
            let differs = match asked.entry.state {
                Some(state) if asked.has_seen() && test.holds(state) == taken => {
                    self.state_is(at, id, state, Claim::Fails)
                }
                _ => Lit::TRUE,
            };
            let literal = self.all(&[is_free, differs]);
            others.push(Alternative::new(result, literal));
        }
        others
    }

    /// Another first word, of which a condition holds.
    fn other_words(&mut self, asked: &Asked<'_>, test: Condition) -> Vec<Alternative> {
        let part = asked.entry.reads.first().copied();
        let cells: Vec<usize> = part.into_iter().flat_map(|part| self.cells.of(part)).collect();
        let mut others = Vec::new();
        for cell in cells {
            for value in self.values(asked.id, cell) {
                let result = u64::from(value as u32);
                if test.holds(result) && asked.is_new(result) {
                    let literal = self.sees(asked.at, asked.id, cell, |other| other == value);
                    others.push(Alternative::new(result, literal));
                }
            }
        }
        others
    }

    /// That it is the last one to arrive at a barrier, or is not, and in which generation.
    fn other_arrivals(&mut self, asked: &Asked<'_>) -> Vec<Alternative> {
        let was = Arrived::at(arrival_of(asked.entry));
        let part = asked.entry.reads.get(Arrival::GENERATION);
        let generations = match part.and_then(|part| self.cells.of(*part).next()) {
            Some(cell) => self.values(asked.id, cell).into_iter().map(|value| value as u32).collect(),
            None => vec![was.generation],
        };
        let mut others = Vec::new();
        for is_last in [false, true] {
            for generation in &generations {
                let result = Arrived { is_last, generation: *generation };
                if !asked.has_seen() || result != was {
                    let literal = self.arrives(asked.at, asked.id, result);
                    others.push(Alternative::new(result.result(), literal));
                }
            }
        }
        others
    }

    /// That it was let go, or goes on without.
    fn other_wakings(&mut self, asked: &Asked<'_>, always: bool) -> Vec<Alternative> {
        let mut others = Vec::new();
        for woken in [false, true] {
            let result = result_whether(woken);
            if asked.is_new(result) && (woken || always) {
                let literal = self.is_woken(asked.at, asked.id, Claim::that(woken));
                others.push(Alternative::new(result, literal));
            }
        }
        others
    }

    /// That it wakes another thread, or none.
    fn other_signals(&mut self, asked: &Asked<'_>, object: u64) -> Vec<Alternative> {
        let threads = self.execution.scripts.iter().map(|script| Some(script.thread));
        let whom: Vec<u64> = threads.chain([None]).map(result_woken).collect();
        let mut others = Vec::new();
        for result in whom.into_iter().filter(|result| asked.is_new(*result)) {
            let literal = self.signals(asked.at, object, result);
            others.push(Alternative::new(result, literal));
        }
        others
    }

    /// The values that a cell may have for an entry.
    pub fn values(&self, id: EntryId, cell: usize) -> Vec<u64> {
        let this = &self.cells.all[cell];
        let own = self.events[id.0].get(id.1);
        let mut values = vec![this.initial];
        let mut counts = (0, 0);
        for write in this.writes.iter().filter(|write| Some(&write.event) != own) {
            match write.change {
                Change::Set(value) => values.push(value),
                Change::Add(delta) if delta > 0 => counts.1 += 1,
                Change::Add(_) => counts.0 += 1,
            }
        }
        if counts != (0, 0) {
            let shift = this.part.bits.trailing_zeros().min(63);
            let bases = values.clone();
            for base in bases {
                let all = -counts.0..=counts.1;
                values.extend(
                    all.map(|delta: i64| {
                        (base >> shift).wrapping_add_signed(delta) << shift & this.part.bits
                    }),
                );
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// A cell, and the values that it may have, each with a literal that implies it.
type CellValues = (usize, Vec<(u64, Lit)>);

/// A read of several cells: which values go together is for the solver to say.
pub struct Several<'x> {
    asked: Asked<'x>,
    cells: Vec<CellValues>,
    /// The cells that are 1 if something that it uses is dead.
    dead: Vec<usize>,
    /// Implies that it is possible, and nothing is dead.
    possible: Lit,
    /// What has to hold of combinations that have not been found, but for the last.
    left: Vec<Lit>,
    /// Of the last combination: literals for other values.
    last: Option<Vec<Lit>>,
}

impl<'x> Several<'x> {
    /// No combination has been found.
    pub fn new(causality: &mut Causality<'x>, id: EntryId, moment: &Moment, cells: &[usize]) -> Self {
        let asked = causality.asked(id, moment);
        let mut values: Vec<CellValues> = Vec::new();
        for cell in cells.iter().copied() {
            let all = causality.values(id, cell).into_iter();
            let literals =
                all.map(|value| (value, causality.sees(moment.event, id, cell, |other| other == value)));
            values.push((cell, literals.collect()));
        }
        let changed = causality.sees_change(moment.event, id);
        let dead = causality.dead_locations(asked.entry);
        let alive = causality.is_dead(moment.event, &dead, Claim::Fails);
        let possible = causality.all(&[changed, alive]);
        for (_, values) in &values {
            let clause: Vec<Lit> =
                values.iter().map(|(_, literal)| *literal).chain([!moment.guard]).collect();
            causality.order.clause(&clause);
        }
        let mut several = Several { asked, cells: values, dead, possible, left: vec![possible], last: None };
        if several.asked.has_seen() {
            let seen: Vec<u64> = cells.iter().map(|cell| several.seen(causality, *cell)).collect();
            let others = several.others(&seen);
            let others = causality.any(&others);
            several.left.push(others);
        }
        several
    }

    /// What it has seen in a cell.
    fn seen(&self, causality: &Causality<'_>, cell: usize) -> u64 {
        let part = causality.cells.all[cell].part;
        let reads = self.asked.entry.reads.iter().zip(&self.asked.entry.values);
        let mut look = reads.filter(|(look, _)| look.location == part.location && look.bits & part.bits != 0);
        look.next().map_or(0, |(_, value)| value & part.bits)
    }

    /// Literals for other values than some.
    fn others(&self, values: &[u64]) -> Vec<Lit> {
        let all = self.cells.iter().zip(values);
        let others = all.flat_map(|((_, all), value)| all.iter().filter(move |(other, _)| other != value));
        others.map(|(_, literal)| *literal).collect()
    }

    /// Another combination of values that the solver finds.
    pub fn next(&mut self, causality: &mut Causality<'x>, moment: &Moment) -> Option<Alternative> {
        if let Some(others) = self.last.take() {
            self.left.push(causality.any(&others));
        }
        let found = causality.values_in(moment, &self.left, &self.cells)?;
        let at_location = |location: Location| {
            let all = self.cells.iter().zip(&found);
            let parts = all.filter(|((cell, _), _)| causality.cells.all[*cell].part.location == location);
            parts.fold(self.asked.seen_at(location), |bits, ((cell, _), value)| {
                bits & !causality.cells.all[*cell].part.bits | value
            })
        };
        let result = self.asked.entry.answer(at_location)?;
        let values = self.cells.iter().zip(&found);
        let literals = values.filter_map(|((_, all), value)| all.iter().find(|(other, _)| other == value));
        let literals: Vec<Lit> = literals.map(|(_, literal)| *literal).chain([self.possible]).collect();
        let literal = causality.all(&literals);
        self.last = Some(self.others(&found));
        Some(Alternative::new(result, literal))
    }

    /// That something is dead, if that is new.
    pub fn death(&self, causality: &mut Causality<'x>, moment: &Moment) -> Option<Alternative> {
        if self.asked.was_dead() {
            return None;
        }
        let literal = causality.is_dead(moment.event, &self.dead, Claim::Holds);
        Some(Alternative::new(DEAD, literal))
    }
}

impl Causality<'_> {
    /// What some cells are in a model.
    fn values_in(&mut self, moment: &Moment, wishes: &[Lit], cells: &[CellValues]) -> Option<Vec<u64>> {
        let mut assumptions = vec![moment.guard];
        assumptions.extend_from_slice(wishes);
        let Answer::Sat(model) = self.order.solve(&assumptions) else { return None };
        let value = |values: &[(u64, Lit)]| {
            values.iter().find(|(_, literal)| model.value(*literal)).map(|(value, _)| *value)
        };
        cells.iter().map(|(_, values)| value(values)).collect()
    }
}
