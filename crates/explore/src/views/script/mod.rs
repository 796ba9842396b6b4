//! An execution as a script for each thread: what it asked, what it was told, what it did to shared state.
//!
//! What is shared is a set of *locations*: four bytes of memory each, or eight that are only ever accessed together, or a fact
//! about a thread (that it was created; what it waits for, and whether it was let go). Whether bytes are only accessed
//! together is not known in advance: once they are not, they are two locations, in the present execution and in all to come.
//! What threads are told does not depend on that, so it makes no difference to what is explored.
//!
//! An [`Entry`] looks at some locations. From what is there follows whether it is possible, and what the thread is told; and from
//! that what it does to locations. The latter is known as far as the thread is told what it was told in the execution that the
//! script is of. So without running the program it can be found out in which other orders the threads could have done what
//! they did, and who could have been told something else then.
//!
//! | operation | told |
//! | --- | --- |
//! | load, update, compare-exchange, copy | the bytes |
//! | trylock and the like | whether there was something to take |
//! | lock, semaphore wait, join, … | that it went through |
//! | wait for a signal | whether there was one (if it may end otherwise) |
//! | signal | whom it has woken |
//! | arrival at a barrier | whether it is the last, and the generation |
//! | choice | which |
//! | post | nothing; whether there was room, if that is scarce |
//! | store, unlock, broadcast, fence, creation | nothing |
//!
//! Memory that was freed is dead; an entry that looks at it or writes to it is told so, whatever it is. So is the *life* of a
//! synchronisation object, a fact at which all look who use the object, after it was destroyed and before it is set up (again).
//!
//! # Waiting loops
//!
//! A thread that has gone round a loop in vain goes on only when something has changed that it looked at on its way. That it is
//! where it was follows from what it was told; but whether the round was in vain does not: it was only if no store of the
//! round has changed anything, and a thread is not told what its stores replace. So where a thread is in a state in which it was
//! before, its entry has a [`Round`], whatever became of it in the execution, and whoever goes through other orders keeps track
//! of what stores change there.

#[cfg(test)]
pub mod by_hand;
mod granules;
mod round;
mod sections;
mod split;
mod writer;

pub use round::{Round, Watch};
pub use writer::{Performed, Writer};

use super::history::{History, Name, name_of};
use super::name::{Digest, name};
use crate::core::mix::mix;
use rustc_hash::{FxHashMap, FxHashSet};
use sections::Sections;
use selvedge_trace::ThreadId;
pub use selvedge_trace::sync::Condition;
use selvedge_trace::sync::{Arrival, KeepsLife};
use selvedge_vm::SyncObject;
use std::sync::Arc;

/// A location, by number.
pub type Location = u32;

/// Some bits of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocationPart {
    /// Which location.
    pub location: Location,
    /// Which bits.
    pub bits: u64,
}

/// Some bits of a location, and their value: what is seen there, or set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// Which bits.
    pub part: LocationPart,
    /// Their value.
    pub value: u64,
}

/// What an entry asks of what it looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Nothing.
    Nothing,
    /// What the bits are.
    Bits,
    /// To take something; possible if that is free, and nothing is told.
    Take(Condition),
    /// To take something if that is free; told is whether it was.
    TryToTake(Condition),
    /// What the first word is; possible only if a condition holds.
    Once(Condition),
    /// Arrives at a barrier: whether it is the last, and the generation ([`Arrival`]).
    Arrive,
    /// Whether the thread was let go; possible only if it was, or if `always`.
    Woken {
        /// Whether it may go on without.
        always: bool,
    },
    /// Whom of those that wait for the object it wakes.
    Signal {
        /// The object.
        object: u64,
    },
    /// Which of some alternatives.
    Choose {
        /// How many there are.
        options: u32,
    },
    /// That the thread has ended.
    Join(Option<ThreadId>),
    /// That all other threads have ended.
    JoinAll,
}

/// What is done to a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Bits are set.
    Set {
        /// Where, and which.
        part: LocationPart,
        /// To what.
        value: u64,
    },
    /// Something is added to a count of 32 bits.
    Add {
        /// Where it is.
        part: LocationPart,
        /// What.
        delta: i8,
    },
    /// The location is dead from now on.
    Free(Location),
    /// The location is not dead any more.
    Revive(Location),
    /// One that waits is let go.
    Wake {
        /// The location of its waiting.
        waiting: Location,
        /// What it waits for.
        object: u64,
    },
    /// All that wait for an object are let go.
    WakeAll {
        /// The object.
        object: u64,
    },
}

impl Effect {
    /// The location that changes, unless that depends on who waits.
    pub fn location(&self) -> Option<Location> {
        match self {
            Effect::Set { part, .. } | Effect::Add { part, .. } => Some(part.location),
            Effect::Free(location) | Effect::Revive(location) => Some(*location),
            Effect::Wake { .. } | Effect::WakeAll { .. } => None,
        }
    }

    /// The location that must not be dead.
    pub fn needs(&self) -> Option<Location> {
        self.location().filter(|_| !matches!(self, Effect::Revive(_)))
    }
}

/// A store that is on its way to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delayed {
    /// What it sets.
    pub sets: Box<[Value]>,
    /// Which of its thread's buffered stores it is.
    pub number: u32,
    /// Those of earlier epochs arrive first.
    pub epoch: u32,
    /// The bytes that it stores to: where they begin, and how many.
    pub range: (u64, u32),
}

/// A step of a thread.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it looks at.
    pub reads: Box<[LocationPart]>,
    /// What was there, if it was told just that; or what is there in the end, if it was not performed.
    pub values: Box<[u64]>,
    /// What it asks.
    pub question: Question,
    /// What the state was when it asked, if it has.
    pub state: Option<u64>,
    /// What it was told.
    pub result: u64,
    /// What it did.
    pub effects: Box<[Effect]>,
    /// What it put into the store buffer of its thread.
    pub delayed: Box<[Delayed]>,
    /// The round of a loop that its thread has just ended.
    pub round: Option<Box<Round>>,
    /// The alternative that was taken.
    pub choice: u32,
    /// Whether its thread keeps others from running afterwards.
    pub exclusive: bool,
    /// Whether it had to wait until the store buffer of its thread was empty.
    pub drained: bool,
    /// Whether what it was told is a value, or a result.
    is_value: bool,
    /// Whether it only gives something back that others may take.
    pub gives_back: bool,
    /// Whether it is a store.
    is_store: bool,
}

/// What an entry whose memory is dead is told.
pub const DEAD: u64 = 0x6465_6164_6465_6164;

/// What a thread is told at an entry, as a part of its history. Actions that ask nothing are no part of it, unless what they use is
/// dead; so this says which entry that was.
pub fn history_item(position: usize, result: u64) -> u64 {
    if result == DEAD { mix(DEAD, position as u64) } else { result }
}

/// What an entry is told that asks nothing, or was possible.
pub const NOTHING: u64 = 0;

/// What an entry is told that asks whether something is so: whether it could take something, or was let go.
pub const fn result_whether(is_so: bool) -> u64 {
    if is_so { YES } else { NO }
}

/// It is not so.
pub const NO: u64 = 1;

/// It is so.
pub const YES: u64 = 2;

/// What a signal is told: whom it has woken.
pub fn result_woken(thread: Option<ThreadId>) -> u64 {
    thread.map_or(0, |thread| 1 + thread.number() as u64)
}

/// What who arrives at a barrier is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// Whether it is the last.
    pub is_last: bool,
    /// The generation.
    pub generation: u32,
}

impl Arrived {
    /// What it is told at an arrival.
    pub fn at(arrival: Arrival) -> Self {
        Arrived { is_last: arrival.is_last(), generation: arrival.generation }
    }

    /// What it is told, as a number.
    pub fn result(self) -> u64 {
        mix(u64::from(self.is_last), u64::from(self.generation))
    }
}

/// A word that is some bits of a location, given what is there.
pub fn word_of(part: LocationPart, value: u64) -> u32 {
    ((value & part.bits) >> part.bits.trailing_zeros().min(63)) as u32
}

/// What an entry is told that looks at one part, and nothing else: the same, whether that is one location or two.
pub fn value_result(part: LocationPart, value: u64) -> u64 {
    match part.bits > WORD {
        true => longer_result(2, part, value),
        false => mix(1, value),
    }
}

/// What an entry is told that has looked at another part as well.
fn longer_result(result: u64, part: LocationPart, value: u64) -> u64 {
    match part.bits > WORD {
        true => mix(mix(result, value & WORD), value >> 32),
        false => mix(result, value),
    }
}

/// The bits of half a granule.
const WORD: u64 = 0xffff_ffff;

/// What an entry that was not possible is never told.
const NEVER: u64 = u64::MAX;

/// In the location of a thread that waits: it was let go.
pub const SIGNALLED: u64 = 1;

impl Question {
    /// As numbers.
    fn code(self) -> [u64; 2] {
        match self {
            Question::Nothing => [0, 0],
            Question::Bits => [1, 0],
            Question::Take(test) => [2, test as u64],
            Question::TryToTake(test) => [3, test as u64],
            Question::Once(test) => [4, test as u64],
            Question::Arrive => [5, 0],
            Question::Woken { always } => [6, u64::from(always)],
            Question::Signal { object } => [7, object],
            Question::Choose { options } => [8, u64::from(options)],
            Question::Join(thread) => [9, thread.map_or(0, |thread| 1 + thread.number() as u64)],
            Question::JoinAll => [10, 0],
        }
    }
}

impl Entry {
    /// A name of what it asks, whatever it is told.
    pub fn name_of_question(&self) -> u128 {
        let mut digest = Digest::new(3, 4);
        digest.extend(self.question.code());
        for part in &self.reads {
            digest.add(u64::from(part.location));
            digest.add(part.bits);
        }
        if let Some(round) = &self.round {
            round.digest(&mut digest);
        }
        if !matches!(self.question, Question::Bits | Question::Choose { .. }) {
            // What was the same is told the same.
            digest.extend([u64::from(self.state.is_some()), self.state.unwrap_or(0), self.result]);
        }
        digest.name()
    }

    /// A name of all that a search may want to know of it.
    fn name(&self) -> u128 {
        let mut digest = Digest::new(1, 2);
        let question = self.name_of_question();
        digest.extend([question as u64, (question >> 64) as u64, self.result]);
        self.values.iter().for_each(|value| digest.add(*value));
        for effect in &self.effects {
            let numbers = match *effect {
                Effect::Set { part, value } => [1 | u64::from(part.location) << 3, part.bits, value],
                Effect::Add { part, delta } => [2 | u64::from(part.location) << 3, part.bits, delta as u64],
                Effect::Free(location) => [3 | u64::from(location) << 3, 0, 0],
                Effect::Revive(location) => [6 | u64::from(location) << 3, 0, 0],
                Effect::Wake { waiting, object } => [4 | u64::from(waiting) << 3, object, 0],
                Effect::WakeAll { object } => [5, object, 0],
            };
            digest.extend(numbers);
        }
        for delayed in &self.delayed {
            digest.extend([u64::from(delayed.number), u64::from(delayed.epoch), delayed.range.0]);
            for Value { part, value } in &delayed.sets {
                digest.extend([u64::from(part.location), part.bits, *value]);
            }
        }
        let flags = [self.gives_back, self.exclusive, self.drained];
        digest.add(flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        digest.name()
    }

    /// The locations that must be there, and usable, for it: what it looks at, changes, or puts into the buffer for.
    pub fn needs(&self) -> impl Iterator<Item = Location> + '_ {
        let reads = self.reads.iter().map(|part| part.location);
        let sets = self.delayed.iter().flat_map(|delayed| &delayed.sets).map(|set| set.part.location);
        reads.chain(self.effects.iter().filter_map(Effect::needs)).chain(sets)
    }

    /// Whether a thread may be told different things here, or have to wait: then it is part of histories.
    pub fn is_in_history(&self) -> bool {
        self.question != Question::Nothing || self.round.is_some() || self.result == DEAD
    }

    /// Whether it was told what the bits are that it looks at, and would have been at any time.
    pub fn only_reads_values(&self) -> bool {
        self.question == Question::Bits && self.round.is_none() && self.result != DEAD && self.result != NEVER
    }

    /// Whether what it was told is part of the view.
    pub fn is_viewed(&self) -> bool {
        self.is_value || self.result == DEAD
    }

    /// Whether it may not be possible.
    pub fn may_block(&self) -> bool {
        let waits = match self.question {
            Question::Take(_) | Question::Once(_) | Question::Join(_) | Question::JoinAll => true,
            Question::Woken { always } => !always,
            _ => false,
        };
        waits || self.round.is_some()
    }

    /// What it sets.
    pub fn sets(&self) -> impl Iterator<Item = Value> {
        self.effects.iter().filter_map(|effect| match *effect {
            Effect::Set { part, value } => Some(Value { part, value }),
            _ => None,
        })
    }

    /// The bits that it looks at, if they fit into one word; `value` tells what is at a location.
    fn state_in(&self, value: impl Fn(Location) -> u64) -> u64 {
        state_of(&self.reads, value)
    }

    /// What it is told, given what is at a location; `None` if it is not possible.
    pub fn answer(&self, value: impl Fn(Location) -> u64) -> Option<u64> {
        let state = match self.question {
            Question::Nothing => return Some(NOTHING),
            Question::Bits => {
                let bits = |part: &LocationPart| value(part.location) & part.bits;
                return Some(match &*self.reads {
                    [part] => value_result(*part, bits(part)),
                    parts => parts.iter().fold(2, |result, part| longer_result(result, *part, bits(part))),
                });
            }
            _ => self.state_in(&value),
        };
        match self.question {
            // What was the same is told the same: this also covers what an owner does to its own lock. (Of an object that could
            // not be used, the state told nothing.)
            Question::Take(_) | Question::TryToTake(_)
                if self.state == Some(state) && self.result != DEAD =>
            {
                Some(self.result)
            }
            Question::Take(test) => test.holds(state).then_some(NOTHING),
            Question::TryToTake(test) => Some(result_whether(test.holds(state))),
            Question::Once(test) => test.holds(state).then_some(u64::from(state as u32)),
            Question::Arrive => {
                let word = |number: usize| {
                    self.reads.get(number).map_or(0, |part| word_of(*part, value(part.location)))
                };
                Some(Arrived::at(Arrival::of_words(std::array::from_fn(word))).result())
            }
            Question::Woken { always } => {
                let woken = state & SIGNALLED != 0;
                (woken || always).then_some(result_whether(woken))
            }
            _ => Some(self.result),
        }
    }
}

/// What is at a location, according to a list.
fn value_in(present: &[(Location, u64)], location: Location) -> u64 {
    present.iter().find(|(other, _)| *other == location).map_or(0, |(_, value)| *value)
}

impl Entry {
    /// Notes what is where it looks, if that is what it asks for.
    fn see(&mut self, present: &[(Location, u64)]) {
        if matches!(self.question, Question::Bits | Question::Arrive) {
            self.values =
                self.reads.iter().map(|part| value_in(present, part.location) & part.bits).collect();
        }
    }
}

/// The bits of some parts, if they fit into one word; `value` tells what is at a location.
fn state_of(parts: &[LocationPart], value: impl Fn(Location) -> u64) -> u64 {
    match *parts {
        [] => 0,
        [part] => (value(part.location) & part.bits) >> part.bits.trailing_zeros().min(63),
        [first, second, ..] => {
            let low = (value(first.location) & first.bits) >> first.bits.trailing_zeros().min(63);
            let high = value(second.location) & second.bits;
            low | high.checked_shl(first.bits.count_ones()).unwrap_or(0)
        }
    }
}

/// The locations that executions have touched, by what they are.
#[derive(Debug, Default)]
pub struct Locations {
    numbers: FxHashMap<u64, Location>,
    /// By number: what it is.
    addresses: Vec<u64>,
}

/// Something that is no address of the program.
const FACT: u64 = 1 << 63;

/// In a fact: it is about the life of a synchronisation object.
const LIFE: u64 = 1 << 62;

/// The bits that say that something is the life of an object, and where the object keeps that.
const KEEPS: u64 = FACT | LIFE | 3 << 60;

/// What stands for the life of a synchronisation object.
fn unit_of_life(object: SyncObject) -> u64 {
    FACT | LIFE | (object.keeps_life as u64) << 60 | object.address
}

/// The synchronisation object whose life something stands for.
fn object_of_life(unit: u64) -> Option<SyncObject> {
    let all = [KeepsLife::FirstWord, KeepsLife::Semaphore, KeepsLife::Barrier];
    let keeps_life = all
        .into_iter()
        .find(|keeps| unit_of_life(SyncObject { address: 0, keeps_life: *keeps }) == unit & KEEPS)?;
    Some(SyncObject { address: unit & !KEEPS, keeps_life })
}

impl Locations {
    /// The number of a unit of memory.
    pub fn unit(&mut self, address: u64) -> Location {
        let next = self.numbers.len() as Location;
        let number = *self.numbers.entry(address).or_insert(next);
        if number == next {
            self.addresses.push(address);
        }
        number
    }

    /// The unit of memory that a location is.
    fn address(&self, location: Location) -> u64 {
        self.addresses[location as usize]
    }

    /// The number of a unit of memory, if it has one.
    fn known(&self, address: u64) -> Option<Location> {
        self.numbers.get(&address).copied()
    }

    /// Whether a thread was created.
    pub fn created(&mut self, thread: ThreadId) -> Location {
        self.unit(FACT | (thread.number() as u64) << 1)
    }

    /// What a thread waits for.
    pub fn waiting(&mut self, thread: ThreadId) -> Location {
        self.unit(FACT | (thread.number() as u64) << 1 | 1)
    }

    /// Whether a synchronisation object can be used.
    pub fn life(&mut self, object: SyncObject) -> Location {
        self.unit(unit_of_life(object))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }
}

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

    /// Whether something that an entry needs is not there, or cannot be used.
    pub fn is_dead(&self, entry: &Entry) -> bool {
        entry.needs().any(|location| self.dead[location as usize])
    }

    /// Whether something is not as it was in a round of a loop.
    pub fn differs(&self, round: &Round) -> bool {
        let is_dead = |part: LocationPart| self.dead[part.location as usize];
        let is_so = |watch: &Watch| watch.holds(|location| self.values[location as usize]);
        round.parts().any(is_dead) || !round.watched.iter().all(is_so)
    }

    /// Whether an entry changes something that it sets.
    pub fn is_changed_by(&self, entry: &Entry) -> bool {
        entry.sets().any(|set| self.values[set.part.location as usize] & set.part.bits != set.value)
    }

    /// What an entry is told here; `None` if it is not possible. (What depends on other threads' progress, or is a
    /// choice, is for others to say: here it is possible, and told what it was told. So it is after a round of a loop.)
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

    /// Performs an entry that is told what it was told in the execution. `waiting`: the locations of all threads' waiting.
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

/// That an entry sees something at a location, or sets it.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// Where the entry is in its script.
    pub position: u32,
    /// What.
    pub value: Value,
    /// Whether it sets that.
    pub sets: bool,
    /// Whether it is the first of its script that does.
    pub is_first: bool,
}

/// What a script does to a location.
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
    /// Who.
    pub thread: ThreadId,
    /// What it did; if it was blocked in the end, what it could not do follows.
    pub entries: Vec<Arc<Entry>>,
    /// Its histories before each entry and after the last.
    pub histories: Vec<History>,
    /// Names of what it has done before each entry and after the last.
    pub names: Vec<u128>,
    /// A name of all of it.
    pub name: u128,
    /// How many entries it performed.
    pub performed: usize,
    /// Whether it has ended, so that it can be joined.
    pub ended: bool,
    /// A name of what it adds to the view.
    pub view: u128,
    /// The locations that it uses.
    pub footprints: Vec<Footprint>,
    /// What it sees and sets: by location, and then in order.
    pub uses: Vec<Use>,
    /// Positions of entries that may be told something else, if memory is not freed; and the names of the looks.
    pub asks: Vec<(u32, u128)>,
    /// What it joins, and where.
    pub joins: Vec<(u32, Question)>,
    /// Whether it ever waits, but for the end of threads.
    pub waits: bool,
    /// Its critical sections.
    pub sections: Sections,
    /// By position: whether this is a store of a round of a loop, so that it matters whether it changes anything. Empty if there
    /// is none.
    decisive: Vec<bool>,
    /// Whether it has put stores into a buffer.
    pub delays: bool,
}

/// In a view: the thread is stuck.
const STUCK: u64 = u64::MAX;

impl Script {
    /// A name of an entry that is to be told something else, and of all that its thread has done before.
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

    /// Finds what is known of the entries.
    fn outline(&mut self) {
        self.find_decisive();
        self.sections = Sections::new(&self.entries[..self.performed]);
        self.delays = self.entries.iter().any(|entry| !entry.delayed.is_empty());
        let mut footprints: FxHashMap<Location, usize> = FxHashMap::default();
        let mut uses: Vec<(usize, Use)> = Vec::new();
        let mut firsts: FxHashSet<(Value, bool)> = FxHashSet::default();
        for at in 0..self.entries.len() {
            let entry = self.entries[at].clone();
            let position = at as u32;
            let performed = at < self.performed;
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
            let position_in_view = (self.thread.number() as u64) << 32 | at as u64;
            if performed && entry.is_viewed() {
                self.view = self.view.wrapping_add(name(position_in_view, entry.result));
            } else if !performed {
                self.view = self.view.wrapping_add(name(position_in_view, STUCK));
            }
            let mut footprint = |location: Location, all: &mut Vec<Footprint>| {
                *footprints.entry(location).or_insert_with(|| {
                    all.push(Footprint {
                        location,
                        start: 0,
                        end: 0,
                        bits: None,
                        is_ragged: false,
                        writes: false,
                        frees: false,
                    });
                    all.len() - 1
                })
            };
            let only_reads_values = entry.only_reads_values();
            for (number, part) in entry.reads.iter().enumerate() {
                let number_of_footprint = footprint(part.location, &mut self.footprints);
                if let Some(value) = entry.values.get(number).filter(|_| only_reads_values) {
                    let value = Value { part: *part, value: *value };
                    let is_first = firsts.insert((value, false));
                    uses.push((number_of_footprint, Use { position, value, sets: false, is_first }));
                }
            }
            for part in entry.round.iter().flat_map(|round| round.parts()) {
                footprint(part.location, &mut self.footprints);
            }
            for set in entry.delayed.iter().flat_map(|delayed| &delayed.sets) {
                let number = footprint(set.part.location, &mut self.footprints);
                (self.footprints[number].writes, self.footprints[number].is_ragged) = (true, true);
            }
            for effect in &entry.effects {
                let Some(location) = effect.location() else { continue };
                let number = footprint(location, &mut self.footprints);
                let footprint = &mut self.footprints[number];
                footprint.writes = true;
                match effect {
                    Effect::Set { part, value } => {
                        footprint.is_ragged |= footprint.bits.is_some_and(|bits| bits != part.bits);
                        footprint.bits = Some(part.bits);
                        let value = Value { part: *part, value: *value };
                        let is_first = firsts.insert((value, true));
                        uses.push((number, Use { position, value, sets: true, is_first }));
                    }
                    Effect::Free(_) | Effect::Revive(_) => {
                        (footprint.frees, footprint.is_ragged) = (true, true)
                    }
                    _ => footprint.is_ragged = true,
                }
            }
        }
        uses.sort_by_key(|(footprint, _)| *footprint);
        for (number, used) in uses {
            let footprint = &mut self.footprints[number];
            if footprint.start == footprint.end {
                (footprint.start, footprint.end) = (self.uses.len() as u32, self.uses.len() as u32);
            }
            self.uses.push(used);
            footprint.end = self.uses.len() as u32;
        }
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
    /// Whether it is over because somebody has stopped in an atomic section, so that others might have gone on.
    pub is_held_up: bool,
    /// A name of what was at locations at first, as far as that was something else in the first execution that had them.
    pub name: u128,
}

impl Execution {
    /// Whether stores were buffered.
    pub fn has_delays(&self) -> bool {
        self.scripts.iter().any(|script| script.delays)
    }
}

/// What each thread has been told by a position of its script; who was told nothing is left out.
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
