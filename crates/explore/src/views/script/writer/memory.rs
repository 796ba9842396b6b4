//! What steps find in memory: which bytes make up a location, and what was there.

use super::Writer;
use crate::core::dependence::{self, Access};
use crate::views::name::{continued, name};
use crate::views::script::granules::{Extent, GRANULE, JOINED, UNIT, content, granules_in, with_stores};
use crate::views::script::locations::FACT;
use crate::views::script::split::Split;
use crate::views::script::{Delayed, Effect, Entry, Location, LocationPart, Value, WORD};
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::sync::{self, Arrival};
use selvedge_trace::{Operation, ThreadId};
use std::sync::Arc;

impl Writer {
    /// Notes what a thread sees of its own stores that have not reached memory yet.
    pub(super) fn see_own<S: System>(&mut self, system: &S, thread: ThreadId) {
        let stores = system.buffers().waiting_stores(thread);
        for (unit, value, _) in self.next.before.iter().filter(|_| !stores.is_empty()) {
            self.next.own.push((*unit, with_stores(*unit, *value, &stores)));
        }
    }

    /// What a step of a thread has put into its buffer. May split granules.
    pub(super) fn delayed<S: System>(&mut self, system: &S, thread: ThreadId) -> Vec<Delayed> {
        let stores = system.buffers().waiting_stores(thread).into_iter();
        let stores: Vec<_> = stores.filter(|store| store.number > self.next.issued).collect();
        let operation = std::mem::take(&mut self.next.accesses);
        for store in &stores {
            dependence::of_range(thread, store.address, u64::from(store.size), &mut self.next.accesses);
        }
        for Access { granule, mask, .. } in std::mem::take(&mut self.next.accesses) {
            match mask {
                0xff => self.note_granule(granule, Extent::Whole),
                _ => self.split_now(granule),
            }
        }
        let mut all = Vec::new();
        for store in stores {
            self.next.accesses.clear();
            dependence::of_range(thread, store.address, u64::from(store.size), &mut self.next.accesses);
            let mut sets = Vec::new();
            for access in &self.next.accesses {
                // The bytes of the store, in their location in the granule.
                let bits = match access.granule.checked_sub(store.address) {
                    Some(behind) => (store.value >> (8 * behind).min(127)) as u64,
                    None => (store.value as u64) << (8 * (store.address - access.granule)),
                };
                for (unit, mask, shift) in self.granules.units_of(access) {
                    let part = LocationPart { location: self.locations.unit(unit), bits: mask };
                    sets.push(Value { part, value: bits >> shift & mask });
                }
            }
            let range = (store.address, store.size);
            all.push(Delayed { sets: sets.into(), number: store.number, epoch: store.epoch, range });
        }
        self.next.accesses = operation;
        all
    }

    /// Notes how the granules of an operation are used.
    pub(super) fn note(&mut self, operation: &Operation) {
        match *operation {
            // It is about words.
            Operation::Sync { object, .. } => {
                for word in 0..Arrival::WORDS as u64 {
                    self.note_granule(object.wrapping_add(word * sync::WORD) & !(GRANULE - 1), Extent::Bytes);
                }
                self.note_accesses(Extent::Bytes);
            }
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                let end = address.saturating_add(size.max(1));
                for (granule, extent) in granules_in(address, end) {
                    self.note_granule(granule, extent);
                }
            }
            _ => self.note_accesses(Extent::Whole),
        }
    }

    pub(super) fn note_accesses(&mut self, most: Extent) {
        for at in 0..self.next.accesses.len() {
            let Access { granule, mask, .. } = self.next.accesses[at];
            if granule & FACT == 0 {
                let extent = if mask == 0xff { most } else { Extent::Bytes };
                self.note_granule(granule, extent);
            }
        }
    }

    pub(super) fn note_granule(&mut self, granule: u64, extent: Extent) {
        if !self.granules.note(granule, extent)
            && let Some(location) = self.locations.known(granule | JOINED)
        {
            let halves = [granule, granule + UNIT].map(|unit| self.locations.unit(unit));
            self.split(location, halves);
        }
    }

    /// What was one location is two from now on; so it is in what has been written down. Executions that have been given away
    /// have their own locations, and results are the same.
    pub(super) fn split(&mut self, location: Location, halves: [Location; 2]) {
        let split = Split { location, halves };
        self.entries.clear();
        for line in &mut self.lines {
            let is_concerned = |entry: &Arc<Entry>| split.concerns(entry);
            let Some(first) = line.entries.iter().position(is_concerned) else { continue };
            line.names.truncate(first + 1);
            for entry in &mut line.entries[first..] {
                if split.concerns(entry) {
                    *entry = Arc::new(split.apply(entry));
                }
                line.names.push(continued(line.names[line.names.len() - 1], entry.name()));
            }
        }
        if let Some(at) = self.initial.iter().position(|(other, ..)| *other == location) {
            let (_, value, dead) = self.initial[at];
            let both = [(halves[0], value & WORD, dead), (halves[1], value >> 32, dead)];
            self.initial.splice(at..=at, both);
            let steps = self.taken.iter_mut().map(|taken| &mut taken.initial);
            let tails = self.tails.iter_mut().map(|tail| &mut tail.initial);
            steps.chain(tails).filter(|initial| **initial > at).for_each(|initial| *initial += 1);
            self.known.resize(self.known.len().max(self.locations.count()), false);
            self.known[location as usize] = false;
            halves.iter().for_each(|half| self.known[*half as usize] = true);
        }
    }

    /// Splits a granule after a step, which may have accessed it.
    pub(super) fn split_now(&mut self, granule: u64) {
        self.note_granule(granule, Extent::Bytes);
        self.next.before = std::mem::take(&mut self.next.before)
            .into_iter()
            .flat_map(|(unit, value, dead)| match unit == granule | JOINED {
                true => vec![(granule, value & WORD, dead), (granule + UNIT, value >> 32, dead)],
                false => vec![(unit, value, dead)],
            })
            .collect();
        self.next.own = std::mem::take(&mut self.next.own)
            .into_iter()
            .flat_map(|(unit, value)| match unit == granule | JOINED {
                true => vec![(granule, value & WORD), (granule + UNIT, value >> 32)],
                false => vec![(unit, value)],
            })
            .collect();
    }

    /// An object was handed over. If there was another one at its location before, its contents are new.
    pub(super) fn publish<S: System>(&self, system: &S, start: u64, size: u64, effects: &mut Vec<Effect>) {
        for unit in self.granules.units_in(start, start.saturating_add(size)) {
            let Some(location) = self.locations.known(unit) else { continue };
            if self.known.get(location as usize) == Some(&true) {
                let part = LocationPart { location, bits: u64::MAX };
                effects.push(Effect::Set { part, value: content(system, unit).1 });
            }
        }
    }

    /// The locations of the step that were not touched before have had what they had before it.
    pub(super) fn learn_initial(&mut self) {
        let before = std::mem::take(&mut self.next.before);
        for (unit, value, dead) in &before {
            let location = self.locations.unit(*unit);
            if self.known.len() <= location as usize {
                self.known.resize(location as usize + 1, false);
            }
            if !std::mem::replace(&mut self.known[location as usize], true) {
                self.initial.push((location, *value, *dead));
            }
        }
        self.next.before = before;
    }

    /// A name of the initial contents of locations, as far as these differ from those in the first execution that had them.
    pub(super) fn name_of_initial(&mut self) -> u128 {
        self.first.resize(self.locations.count(), None);
        let mut sum = 0_u128;
        for (location, value, dead) in &self.initial {
            if *self.first[*location as usize].get_or_insert((*value, *dead)) != (*value, *dead) {
                sum = sum.wrapping_add(name(u64::from(*location) << 1 | u64::from(*dead), *value));
            }
        }
        sum
    }
}
