//! An execution as a script for each thread: what its events read, what they returned, and what they did to shared state.
//!
//! What is shared is a set of *locations*: four bytes of memory each, or eight that are only ever accessed together, or a fact
//! about a thread (that it was created; what it waits for, and whether it was let go). Whether bytes are only accessed together
//! is not known in advance: once they are not, they are two locations, in the present execution and in all to come. Results do
//! not depend on that, so it makes no difference to what is explored.
//!
//! An [`Entry`] of a script reads some locations. From their contents follows whether it is enabled, and its *result*, which is
//! all that its thread learns; and from the result follows what it does to locations. This is known as long as the entry has
//! the result that it had in the execution. So without running the program it can be found out in which other orders the
//! threads could have done what they did, and which entries could have had another result then.
//!
//! | operation | result |
//! | --- | --- |
//! | load, update, compare-exchange, copy | the bytes |
//! | trylock and the like | whether there was something to take |
//! | lock, semaphore wait, join, … | that it went through |
//! | wait for a signal | whether there was one (if it may end otherwise) |
//! | signal | which thread it has woken |
//! | arrival at a barrier | whether it is the last, and the generation |
//! | choice | which alternative |
//! | post | none; whether there was room, if that is scarce |
//! | store, unlock, broadcast, fence, creation | none |
//!
//! Memory that was freed is dead; an entry that reads or writes it has that as its result, whatever it is. The same holds for
//! the *life* of a synchronisation object, a fact that all entries read which use the object: it is dead after the object was
//! destroyed and before it is set up (again).
//!
//! # Waiting loops
//!
//! A thread that has gone round a loop in vain goes on only when something has changed that it read on its way. That it is
//! where it was follows from its results; but whether the round was in vain does not: it was only if no store of the round has
//! changed anything, and what a store replaces is no part of a result. So where a thread is in a state in which it was before,
//! its entry has a [`Round`], whatever became of it in the execution, and whoever goes through other orders keeps track of what
//! stores change there.
//!
//! # Agreement with the machine
//!
//! Scripts say for each operation what it reads, its result and what it does; for synchronisation objects that follows from
//! [`selvedge_trace::sync`]. If this and the machine do not agree, an execution does not go as the search has said. That is checked
//! in each execution that is run, and ends the exploration with an internal error; so what a program has read or done in a search
//! is never taken for granted.

#[cfg(test)]
pub mod by_hand;
mod entry;
mod granules;
mod locations;
mod round;
mod sections;
mod split;
mod state;
mod writer;

pub use round::{Round, Watch};
pub use writer::{Ended, Performed, Writer};

pub use entry::{
    Arrived, DEAD, Delayed, Effect, Entry, NO, NOTHING, Question, YES, history_item, result_whether,
    result_woken, value_result, word_of,
};
pub use locations::{Location, LocationPart, Value};
pub use selvedge_trace::sync::Condition;
pub use state::State;

use super::history::{History, Name, name_of};
use super::name::name;
use entry::{NEVER, WORD, state_of, value_in};
use locations::FACT;
use rustc_hash::{FxHashMap, FxHashSet};
use sections::Sections;
use selvedge_trace::ThreadId;
use std::sync::Arc;

/// That an entry reads a value at a location, or sets it.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// Where the entry is in its script.
    pub position: u32,
    /// What.
    pub value: Value,
    /// Whether it sets the value; otherwise it reads it.
    pub sets: bool,
    /// Whether it is the first of its script that does.
    pub is_first: bool,
}

/// How a script uses a location.
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    /// Which.
    pub location: Location,
    /// Where its uses begin.
    pub start: u32,
    /// Where they end.
    pub end: u32,
    /// The bits that whatever writes there sets.
    pub bits: Option<u64>,
    /// Whether something else is done to it.
    pub is_ragged: bool,
    /// Whether anything is done to it.
    pub writes: bool,
    /// Whether it is freed, or is not dead any more.
    pub frees: bool,
}

/// What a thread did.
#[derive(Debug)]
pub struct Script {
    /// The thread.
    pub thread: ThreadId,
    /// What it did; if it was blocked in the end, the entry that was blocked follows.
    pub entries: Vec<Arc<Entry>>,
    /// Its histories before each entry and after the last.
    pub histories: Vec<History>,
    /// Names of all that it has done before each entry and after the last.
    pub names: Vec<u128>,
    /// A name of all of it.
    pub name: u128,
    /// How many entries it performed.
    pub performed: usize,
    /// Whether it has ended, so that it can be joined.
    pub ended: bool,
    /// A name of what it adds to the view.
    pub view: u128,
    /// How it uses locations.
    pub footprints: Vec<Footprint>,
    /// What it reads and sets: by location, and then in order.
    pub uses: Vec<Use>,
    /// Positions of entries that may have another result even if no memory is freed, and the names of these targets.
    pub asks: Vec<(u32, u128)>,
    /// What it joins, and where.
    pub joins: Vec<(u32, Question)>,
    /// Whether it may ever be blocked, but by joins.
    pub waits: bool,
    /// Its critical sections.
    pub sections: Sections,
    /// By position: whether this is a store of a round of a loop, so that it matters whether it changes anything. Empty if there
    /// is none.
    decisive: Vec<bool>,
    /// Whether it has put stores into a buffer.
    pub delays: bool,
}

/// In a view, in place of a result: the thread is blocked for ever.
const STUCK: u64 = u64::MAX;

impl Script {
    /// A name of an entry that is to have another result, and of all that its thread has done before.
    pub fn name_of_target(&self, at: usize) -> u128 {
        self.names[at].rotate_left(1).wrapping_add(self.entries[at].name_of_question())
    }

    /// Whether an entry is a store of a round of a loop: whether its thread has to wait after that depends on whether it changes
    /// anything.
    pub fn is_decisive(&self, at: usize) -> bool {
        self.decisive.get(at) == Some(&true)
    }

    /// Finds the stores that decide whether a round of a loop was in vain.
    fn find_decisive(&mut self) {
        for at in 0..self.entries.len() {
            let Some(round) = &self.entries[at].round else { continue };
            for store in (round.start as usize..at).filter(|store| self.entries[*store].is_store) {
                self.decisive.resize(self.entries.len(), false);
                self.decisive[store] = true;
            }
        }
    }

    /// Finds what is known of the script as a whole.
    fn outline(&mut self) {
        self.find_decisive();
        self.sections = Sections::new(&self.entries[..self.performed]);
        self.delays = self.entries.iter().any(|entry| !entry.delayed.is_empty());
        let mut outline = Outline::default();
        for at in 0..self.entries.len() {
            let entry = self.entries[at].clone();
            self.find_questions(at, &entry);
            self.find_view(at, &entry);
            outline.add(at as u32, &entry);
        }
        (self.footprints, self.uses) = outline.finish();
    }

    /// Notes what an entry asks, and whether it may be blocked.
    fn find_questions(&mut self, at: usize, entry: &Entry) {
        let (position, performed) = (at as u32, at < self.performed);
        match entry.question {
            Question::Join(_) | Question::JoinAll => {
                if performed {
                    self.joins.push((position, entry.question));
                }
            }
            Question::Nothing | Question::Take(_) if performed => {}
            _ => self.asks.push((position, self.name_of_target(at))),
        }
        self.waits |=
            matches!(entry.question, Question::Take(_) | Question::Once(_) | Question::Woken { .. })
                || entry.exclusive
                || entry.round.is_some();
    }

    /// Adds what an entry adds to the view.
    fn find_view(&mut self, at: usize, entry: &Entry) {
        let position = (self.thread.number() as u64) << 32 | at as u64;
        if at >= self.performed {
            self.view = self.view.wrapping_add(name(position, STUCK));
        } else if entry.is_viewed() {
            self.view = self.view.wrapping_add(name(position, entry.result));
        }
    }
}

/// How the entries of a script use locations, while that is put together.
#[derive(Default)]
struct Outline {
    footprints: Vec<Footprint>,
    /// The footprint of each location.
    numbers: FxHashMap<Location, usize>,
    /// Each use, with the number of its footprint.
    uses: Vec<(usize, Use)>,
    /// What has been read (`false`) or set.
    known: FxHashSet<(Value, bool)>,
}

impl Outline {
    /// The number of the footprint of a location.
    fn footprint(&mut self, location: Location) -> usize {
        *self.numbers.entry(location).or_insert_with(|| {
            self.footprints.push(Footprint {
                location,
                start: 0,
                end: 0,
                bits: None,
                is_ragged: false,
                writes: false,
                frees: false,
            });
            self.footprints.len() - 1
        })
    }

    /// Adds what an entry does to locations.
    fn add(&mut self, position: u32, entry: &Entry) {
        let only_reads_values = entry.only_reads_values();
        for (number, part) in entry.reads.iter().enumerate() {
            let footprint = self.footprint(part.location);
            if let Some(value) = entry.values.get(number).filter(|_| only_reads_values) {
                let value = Value { part: *part, value: *value };
                let is_first = self.known.insert((value, false));
                self.uses.push((footprint, Use { position, value, sets: false, is_first }));
            }
        }
        for part in entry.round.iter().flat_map(|round| round.parts()) {
            self.footprint(part.location);
        }
        for set in entry.delayed.iter().flat_map(|delayed| &delayed.sets) {
            let footprint = self.footprint(set.part.location);
            let footprint = &mut self.footprints[footprint];
            (footprint.writes, footprint.is_ragged) = (true, true);
        }
        for effect in &entry.effects {
            self.add_effect(position, effect);
        }
    }

    fn add_effect(&mut self, position: u32, effect: &Effect) {
        let Some(location) = effect.location() else { return };
        let number = self.footprint(location);
        let footprint = &mut self.footprints[number];
        footprint.writes = true;
        match effect {
            Effect::Set { part, value } => {
                footprint.is_ragged |= footprint.bits.is_some_and(|bits| bits != part.bits);
                footprint.bits = Some(part.bits);
                let value = Value { part: *part, value: *value };
                let is_first = self.known.insert((value, true));
                self.uses.push((number, Use { position, value, sets: true, is_first }));
            }
            Effect::Free(_) | Effect::Revive(_) => (footprint.frees, footprint.is_ragged) = (true, true),
            _ => footprint.is_ragged = true,
        }
    }

    /// The footprints, and the uses by location.
    fn finish(self) -> (Vec<Footprint>, Vec<Use>) {
        let Outline { mut footprints, uses: mut sorted, .. } = self;
        sorted.sort_by_key(|(footprint, _)| *footprint);
        let mut uses: Vec<Use> = Vec::with_capacity(sorted.len());
        for (number, used) in sorted {
            let footprint = &mut footprints[number];
            if footprint.start == footprint.end {
                (footprint.start, footprint.end) = (uses.len() as u32, uses.len() as u32);
            }
            uses.push(used);
            footprint.end = uses.len() as u32;
        }
        (footprints, uses)
    }
}

/// An execution.
#[derive(Debug, Clone)]
pub struct Execution {
    /// What each thread did, in the order of their creation.
    pub scripts: Vec<Arc<Script>>,
    /// What was at the locations at first, and whether they were dead.
    pub initial: Vec<(Location, u64, bool)>,
    /// How many locations there are.
    pub locations: usize,
    /// The locations of all threads' waiting, in the order of the scripts.
    pub waiting: Vec<Location>,
    /// The locations of their creation.
    pub created: Vec<Location>,
    /// Whether all delayed stores of a thread reach memory in order.
    pub in_order: bool,
    /// Whether it is over because a thread has stopped in an atomic section, so that others might have gone on.
    pub is_held_up: bool,
    /// A name of the initial contents of locations, as far as these differ from those in the first execution that had them.
    pub name: u128,
}

impl Execution {
    /// Whether stores were buffered.
    pub fn has_delays(&self) -> bool {
        self.scripts.iter().any(|script| script.delays)
    }
}

/// The histories of threads at positions of their scripts; empty ones are left out.
pub fn histories_at<'s>(scripts: impl Iterator<Item = (&'s Script, usize)>, into: &mut Vec<History>) {
    into.clear();
    for (script, position) in scripts {
        let history = script.histories[position];
        if history != script.histories[0] {
            into.push(history);
        }
    }
}

/// The name of the combination that an execution has ended with.
pub fn end_name(execution: &Execution) -> Name {
    let mut combination = Vec::new();
    histories_at(execution.scripts.iter().map(|script| (&**script, script.performed)), &mut combination);
    name_of(&combination)
}
