//! Memory as the constraints see it: cells, and what is written to them.
//!
//! A cell is a set of bits of a location that are always read and written together; so whatever an access touches is a
//! set of whole cells, also where accesses of different sizes overlap. Cells that only one thread ever uses are left out.
//!
//! Which thread waits for what ([`Waits`]) is kept apart: a broadcast changes them only for those who wait.

use crate::views::bounds::Bounds;
use crate::views::script::{Effect, Execution, Location, LocationPart, Question};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_solve::Event;

/// What a write does to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Sets it.
    Set(u64),
    /// Adds to the count that it is.
    Add(i8),
}

/// A write to a cell.
#[derive(Debug, Clone, Copy)]
pub struct Write {
    /// When it takes effect.
    pub event: Event,
    /// What it does.
    pub change: Change,
    /// The script of its thread, and the position there.
    pub origin: (usize, usize),
    /// Whether it was in the store buffer before.
    pub delayed: bool,
    /// Whether it takes something, by an operation that is enabled or succeeds only if that is free.
    pub takes: bool,
}

/// Bits that are always used together.
#[derive(Debug)]
pub struct Cell {
    /// The location that they are of, and which.
    pub part: LocationPart,
    /// What they are at first.
    pub initial: u64,
    /// What is done to them, in the order of the execution.
    pub writes: Vec<Write>,
    /// If they say whether something is taken: when it is taken, and given back.
    pub pairs: Option<Vec<(Event, Option<Event>)>>,
}

impl Cell {
    /// Whether it is a count.
    pub fn is_count(&self) -> bool {
        self.writes.iter().any(|write| matches!(write.change, Change::Add(_)))
    }
}

/// When threads begin to wait, and are let go.
#[derive(Debug, Default)]
pub struct Waits {
    /// By script: when its thread begins to wait, for what, and when it goes on.
    pub begins: Vec<Vec<(Event, u64, Option<Event>)>>,
    /// When a thread is let go that waits for an object: which (`None`: all), and the object.
    pub wakes: Vec<(Event, Option<usize>, u64)>,
}

/// All cells.
#[derive(Debug, Default)]
pub struct Cells {
    /// The cells.
    pub all: Vec<Cell>,
    /// Whether locations are dead: cells of their own, that are 1 then.
    dead: FxHashMap<Location, usize>,
    numbers: FxHashMap<Location, Vec<usize>>,
    /// When threads wait.
    pub waits: Waits,
}

/// When the entries of an execution happen.
pub struct Times<'x> {
    /// By script: its events.
    pub events: &'x [Vec<Event>],
    /// When delayed stores arrive, by script, position, and number in the entry.
    pub arrivals: &'x FxHashMap<(usize, usize, usize), Event>,
}

impl Cells {
    /// The cells of an execution.
    pub fn new(execution: &Execution, bounds: &Bounds<'_>, times: &Times<'_>) -> Self {
        let mut cells = Cells::default();
        cells.find_bits(execution, bounds);
        cells.find_writes(execution, times);
        cells
    }

    /// The cells of some bits of a location; none if only one thread uses it.
    pub fn of(&self, part: LocationPart) -> impl Iterator<Item = usize> + '_ {
        let all = self.numbers.get(&part.location).into_iter().flatten().copied();
        all.filter(move |number| self.all[*number].part.bits & part.bits != 0)
    }

    /// The cell that tells whether a location is dead, if it ever is.
    pub fn dead(&self, location: Location) -> Option<usize> {
        self.dead.get(&location).copied()
    }

    fn find_bits(&mut self, execution: &Execution, bounds: &Bounds<'_>) {
        let mut masks: FxHashMap<Location, Vec<u64>> = FxHashMap::default();
        let entries = || execution.scripts.iter().flat_map(|script| &script.entries);
        // Whether something is free has to be known even if no other thread uses it.
        let asks = entries().filter(|entry| !matches!(entry.question, Question::Nothing | Question::Values));
        let asked = asks.flat_map(|entry| &entry.reads).map(|part| part.location);
        // So has what a store replaces that decides whether a round of a loop was in vain.
        let decisive = execution.scripts.iter().flat_map(|script| {
            let entries = script.entries.iter().enumerate();
            entries.filter(|(at, _)| script.is_decisive(*at)).flat_map(|(_, entry)| entry.sets())
        });
        let asked: FxHashSet<Location> = asked.chain(decisive.map(|set| set.part.location)).collect();
        let mut add = |part: LocationPart| {
            if bounds.is_shared(part.location) || asked.contains(&part.location) {
                refine(masks.entry(part.location).or_default(), part.bits);
            }
        };
        let mut freed = Vec::new();
        for entry in entries() {
            let watched = entry.round.iter().flat_map(|round| round.parts());
            entry.reads.iter().copied().chain(watched).for_each(&mut add);
            entry.delayed.iter().flat_map(|delayed| &delayed.sets).for_each(|set| add(set.part));
            for effect in &entry.effects {
                match *effect {
                    Effect::Set { part, .. } | Effect::Add { part, .. } => add(part),
                    Effect::Free(location) | Effect::Revive(location) => freed.push(location),
                    Effect::Wake { .. } | Effect::WakeAll { .. } => {}
                }
            }
        }
        let mut initial: FxHashMap<Location, u64> = FxHashMap::default();
        for (location, value, is_dead) in &execution.initial {
            initial.insert(*location, *value);
            if *is_dead {
                freed.push(*location);
            }
        }
        let mut locations: Vec<Location> = masks.keys().copied().collect();
        locations.sort_unstable();
        for location in locations {
            for bits in &masks[&location] {
                self.numbers.entry(location).or_default().push(self.all.len());
                let part = LocationPart { location, bits: *bits };
                let initial = initial.get(&location).copied().unwrap_or(0) & bits;
                self.all.push(Cell { part, initial, writes: Vec::new(), pairs: None });
            }
        }
        freed.sort_unstable();
        freed.dedup();
        for location in freed {
            self.dead.insert(location, self.all.len());
            let part = LocationPart { location, bits: u64::MAX };
            self.all.push(Cell { part, initial: 0, writes: Vec::new(), pairs: None });
        }
        for (location, _, is_dead) in &execution.initial {
            if let Some(number) = self.dead.get(location) {
                self.all[*number].initial = u64::from(*is_dead);
            }
        }
    }

    fn find_writes(&mut self, execution: &Execution, times: &Times<'_>) {
        let waiting: FxHashMap<Location, usize> =
            execution.waiting.iter().enumerate().map(|(script, location)| (*location, script)).collect();
        self.waits.begins.resize(execution.scripts.len(), Vec::new());
        for (number, script) in execution.scripts.iter().enumerate() {
            for (position, entry) in script.entries.iter().take(script.performed).enumerate() {
                let event = times.events[number][position];
                let origin = (number, position);
                let takes = matches!(entry.question, Question::Take(_) | Question::TryToTake(_));
                let now = Write { event, change: Change::Set(0), origin, delayed: false, takes };
                for effect in &entry.effects {
                    match *effect {
                        Effect::Set { part, value } if waiting.get(&part.location) == Some(&number) => {
                            self.wait(number, event, value);
                        }
                        Effect::Set { part, value } => self.set(now, part, value),
                        Effect::Add { part, delta } => {
                            self.revive(now, part.location);
                            self.write(part, |_| Write { change: Change::Add(delta), ..now });
                        }
                        Effect::Free(location) => {
                            if let Some(cell) = self.dead(location) {
                                self.all[cell].writes.push(Write { change: Change::Set(1), ..now });
                            }
                        }
                        Effect::Revive(location) => self.revive(now, location),
                        Effect::Wake { waiting: location, object } => {
                            self.waits.wakes.push((event, waiting.get(&location).copied(), object));
                        }
                        Effect::WakeAll { object } => self.waits.wakes.push((event, None, object)),
                    }
                }
                for (which, delayed) in entry.delayed.iter().enumerate() {
                    let Some(event) = times.arrivals.get(&(number, position, which)) else { continue };
                    for set in &delayed.sets {
                        self.set(
                            Write { event: *event, delayed: true, takes: false, ..now },
                            set.part,
                            set.value,
                        );
                    }
                }
            }
        }
        for cell in &mut self.all {
            cell.writes.sort_by_key(|write| write.event);
        }
    }

    fn wait(&mut self, script: usize, event: Event, value: u64) {
        let begins = &mut self.waits.begins[script];
        match (value, begins.last_mut()) {
            (0, Some((_, _, end))) => *end = Some(event),
            (0, None) => {}
            _ => begins.push((event, value >> 1, None)),
        }
    }

    fn set(&mut self, write: Write, part: LocationPart, value: u64) {
        self.revive(write, part.location);
        self.write(part, |bits| Write { change: Change::Set(value & bits), ..write });
    }

    fn write(&mut self, part: LocationPart, write: impl Fn(u64) -> Write) {
        let numbers: Vec<usize> = self.of(part).collect();
        for number in numbers {
            let cell = &mut self.all[number];
            cell.writes.push(write(cell.part.bits));
        }
    }

    /// What is written to a location that was dead is there.
    fn revive(&mut self, write: Write, location: Location) {
        if let Some(cell) = self.dead(location)
            && !write.delayed
        {
            self.all[cell].writes.push(Write { change: Change::Set(0), ..write });
        }
    }

    /// Finds the cells that tell whether something is taken: the thread that takes it gives it back itself. `is_first`: whether a
    /// write comes before all others in any case.
    pub fn find_pairs(&mut self, is_first: impl Fn(&Cell, &Write) -> bool) {
        for number in 0..self.all.len() {
            self.all[number].pairs = pairs(&self.all[number], &is_first);
        }
    }
}

fn pairs(cell: &Cell, is_first: &impl Fn(&Cell, &Write) -> bool) -> Option<Vec<(Event, Option<Event>)>> {
    if cell.initial != 0 || !cell.writes.iter().any(|write| write.takes) {
        return None;
    }
    let mut pairs: Vec<(Event, Option<Event>)> = Vec::new();
    let mut by_script: FxHashMap<usize, usize> = FxHashMap::default();
    let mut writes: Vec<&Write> = cell.writes.iter().collect();
    writes.sort_by_key(|write| write.origin);
    for write in writes {
        let open = by_script.get(&write.origin.0).copied();
        match (write.change, open) {
            (Change::Set(0), Some(pair)) => {
                pairs[pair].1 = Some(write.event);
                by_script.remove(&write.origin.0);
            }
            (Change::Set(0), None) if is_first(cell, write) => {}
            (Change::Set(value), None) if value != 0 && write.takes => {
                by_script.insert(write.origin.0, pairs.len());
                pairs.push((write.event, None));
            }
            _ => return None,
        }
    }
    Some(pairs)
}

/// Splits sets of bits so that each of them is either in a new one or outside, and adds the rest of that.
fn refine(masks: &mut Vec<u64>, bits: u64) {
    let mut rest = bits;
    for at in 0..masks.len() {
        let both = masks[at] & bits;
        rest &= !masks[at];
        if both != 0 && both != masks[at] {
            masks.push(masks[at] & !both);
            masks[at] = both;
        }
    }
    if rest != 0 {
        masks.push(rest);
    }
}

#[cfg(test)]
mod tests;
