//! An execution as a script for each thread: what it asked, what it was told, what it did to shared state.
//!
//! What is shared is a set of *places*: four bytes of memory each, or eight that are only ever accessed together, or a fact
//! about a thread (that it was created; what it waits for, and whether it was let go). Whether bytes are only accessed
//! together is not known in advance: once they are not, they are two places, in the present execution and in all to come.
//! What threads are told does not depend on that, so it makes no difference to what is explored.
//!
//! An [`Action`] looks at some places. From what is there follows whether it is possible, and what the thread is told; and from
//! that what it does to places. The latter is known as far as the thread is told what it was told in the execution that the
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
//! Memory that was freed is dead; an action that looks at it or writes to it is told so, whatever it is. So is the *life* of a
//! synchronisation object, a fact at which all look who use the object, after it was destroyed and before it is set up (again).
//!
//! # Waiting loops
//!
//! A thread that has gone round a loop in vain goes on only when something has changed that it looked at on its way. That it is
//! where it was follows from what it was told; but whether the round was in vain does not: it was only if no store of the
//! round has changed anything, and a thread is not told what its stores replace. So where a thread is in a state in which it was
//! before, its action has a [`Round`], whatever became of it in the execution, and whoever goes through other orders keeps track
//! of what stores change there.

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

/// A place, by number.
pub type Place = u32;

/// Some bits of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Which place.
    pub place: Place,
    /// Which bits.
    pub bits: u64,
}

/// Some bits of a place, and their value: what is seen there, or set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// Which bits.
    pub part: Part,
    /// Their value.
    pub value: u64,
}

/// What an action asks of what it looks at.
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

/// What is done to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Bits are set.
    Set {
        /// Where, and which.
        part: Part,
        /// To what.
        value: u64,
    },
    /// Something is added to a count of 32 bits.
    Add {
        /// Where it is.
        part: Part,
        /// What.
        delta: i8,
    },
    /// The place is dead from now on.
    Free(Place),
    /// The place is not dead any more.
    Revive(Place),
    /// One that waits is let go.
    Wake {
        /// The place of its waiting.
        waiting: Place,
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
    /// The place that changes, unless that depends on who waits.
    pub fn place(&self) -> Option<Place> {
        match self {
            Effect::Set { part, .. } | Effect::Add { part, .. } => Some(part.place),
            Effect::Free(place) | Effect::Revive(place) => Some(*place),
            Effect::Wake { .. } | Effect::WakeAll { .. } => None,
        }
    }

    /// The place that must not be dead.
    pub fn needs(&self) -> Option<Place> {
        self.place().filter(|_| !matches!(self, Effect::Revive(_)))
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
pub struct Action {
    /// What it looks at.
    pub looks: Box<[Part]>,
    /// What was there, if it was told just that; or what is there in the end, if it was not performed.
    pub seen: Box<[u64]>,
    /// What it asks.
    pub question: Question,
    /// What the state was when it asked, if it has.
    pub state: Option<u64>,
    /// What it was told.
    pub told: u64,
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

/// What an action whose memory is dead is told.
pub const DEAD: u64 = 0x6465_6164_6465_6164;

/// What a thread is told at an action, as a part of its history. Actions that ask nothing are no part of it, unless what they use is
/// dead; so this says which action that was.
pub fn told_at(position: usize, told: u64) -> u64 {
    if told == DEAD { mix(DEAD, position as u64) } else { told }
}

/// What an action is told that asks nothing, or was possible.
pub const NOTHING: u64 = 0;

/// What an action is told that asks whether something is so: whether it could take something, or was let go.
pub const fn told_whether(is_so: bool) -> u64 {
    if is_so { YES } else { NO }
}

/// It is not so.
pub const NO: u64 = 1;

/// It is so.
pub const YES: u64 = 2;

/// What a signal is told: whom it has woken.
pub fn told_woken(thread: Option<ThreadId>) -> u64 {
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
    pub fn told(self) -> u64 {
        mix(u64::from(self.is_last), u64::from(self.generation))
    }
}

/// A word that is some bits of a place, given what is there.
pub fn word_of(part: Part, value: u64) -> u32 {
    ((value & part.bits) >> part.bits.trailing_zeros().min(63)) as u32
}

/// What an action is told that looks at one part, and nothing else: the same, whether that is one place or two.
pub fn bits_told(part: Part, value: u64) -> u64 {
    match part.bits > WORD {
        true => more_told(2, part, value),
        false => mix(1, value),
    }
}

/// What an action is told that has looked at another part as well.
fn more_told(told: u64, part: Part, value: u64) -> u64 {
    match part.bits > WORD {
        true => mix(mix(told, value & WORD), value >> 32),
        false => mix(told, value),
    }
}

/// The bits of half a granule.
const WORD: u64 = 0xffff_ffff;

/// What an action that was not possible is never told.
const NEVER: u64 = u64::MAX;

/// In the place of a thread that waits: it was let go.
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

impl Action {
    /// A name of what it asks, whatever it is told.
    pub fn name_of_question(&self) -> u128 {
        let mut digest = Digest::new(3, 4);
        digest.extend(self.question.code());
        for part in &self.looks {
            digest.add(u64::from(part.place));
            digest.add(part.bits);
        }
        if let Some(round) = &self.round {
            round.digest(&mut digest);
        }
        if !matches!(self.question, Question::Bits | Question::Choose { .. }) {
            // What was the same is told the same.
            digest.extend([u64::from(self.state.is_some()), self.state.unwrap_or(0), self.told]);
        }
        digest.name()
    }

    /// A name of all that a search may want to know of it.
    fn name(&self) -> u128 {
        let mut digest = Digest::new(1, 2);
        let question = self.name_of_question();
        digest.extend([question as u64, (question >> 64) as u64, self.told]);
        self.seen.iter().for_each(|value| digest.add(*value));
        for effect in &self.effects {
            let numbers = match *effect {
                Effect::Set { part, value } => [1 | u64::from(part.place) << 3, part.bits, value],
                Effect::Add { part, delta } => [2 | u64::from(part.place) << 3, part.bits, delta as u64],
                Effect::Free(place) => [3 | u64::from(place) << 3, 0, 0],
                Effect::Revive(place) => [6 | u64::from(place) << 3, 0, 0],
                Effect::Wake { waiting, object } => [4 | u64::from(waiting) << 3, object, 0],
                Effect::WakeAll { object } => [5, object, 0],
            };
            digest.extend(numbers);
        }
        for delayed in &self.delayed {
            digest.extend([u64::from(delayed.number), u64::from(delayed.epoch), delayed.range.0]);
            for Value { part, value } in &delayed.sets {
                digest.extend([u64::from(part.place), part.bits, *value]);
            }
        }
        let flags = [self.gives_back, self.exclusive, self.drained];
        digest.add(flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        digest.name()
    }

    /// The places that must be there, and usable, for it: what it looks at, changes, or puts into the buffer for.
    pub fn needs(&self) -> impl Iterator<Item = Place> + '_ {
        let looks = self.looks.iter().map(|part| part.place);
        let sets = self.delayed.iter().flat_map(|delayed| &delayed.sets).map(|set| set.part.place);
        looks.chain(self.effects.iter().filter_map(Effect::needs)).chain(sets)
    }

    /// Whether a thread may be told different things here, or have to wait: then it is part of histories.
    pub fn is_told(&self) -> bool {
        self.question != Question::Nothing || self.round.is_some() || self.told == DEAD
    }

    /// Whether it was told what the bits are that it looks at, and would have been at any time.
    pub fn is_told_bits(&self) -> bool {
        self.question == Question::Bits && self.round.is_none() && self.told != DEAD && self.told != NEVER
    }

    /// Whether what it was told is part of the view.
    pub fn is_viewed(&self) -> bool {
        self.is_value || self.told == DEAD
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

    /// The bits that it looks at, if they fit into one word; `value` tells what is at a place.
    fn state_in(&self, value: impl Fn(Place) -> u64) -> u64 {
        state_of(&self.looks, value)
    }

    /// What it is told, given what is at a place; `None` if it is not possible.
    pub fn answer(&self, value: impl Fn(Place) -> u64) -> Option<u64> {
        let state = match self.question {
            Question::Nothing => return Some(NOTHING),
            Question::Bits => {
                let bits = |part: &Part| value(part.place) & part.bits;
                return Some(match &*self.looks {
                    [part] => bits_told(*part, bits(part)),
                    parts => parts.iter().fold(2, |told, part| more_told(told, *part, bits(part))),
                });
            }
            _ => self.state_in(&value),
        };
        match self.question {
            // What was the same is told the same: this also covers what an owner does to its own lock. (Of an object that could
            // not be used, the state told nothing.)
            Question::Take(_) | Question::TryToTake(_) if self.state == Some(state) && self.told != DEAD => {
                Some(self.told)
            }
            Question::Take(test) => test.holds(state).then_some(NOTHING),
            Question::TryToTake(test) => Some(told_whether(test.holds(state))),
            Question::Once(test) => test.holds(state).then_some(u64::from(state as u32)),
            Question::Arrive => {
                let word = |number: usize| {
                    self.looks.get(number).map_or(0, |part| word_of(*part, value(part.place)))
                };
                Some(Arrived::at(Arrival::of_words(std::array::from_fn(word))).told())
            }
            Question::Woken { always } => {
                let woken = state & SIGNALLED != 0;
                (woken || always).then_some(told_whether(woken))
            }
            _ => Some(self.told),
        }
    }
}

/// What is at a place, according to a list.
fn value_in(present: &[(Place, u64)], place: Place) -> u64 {
    present.iter().find(|(other, _)| *other == place).map_or(0, |(_, value)| *value)
}

impl Action {
    /// Notes what is where it looks, if that is what it asks for.
    fn see(&mut self, present: &[(Place, u64)]) {
        if matches!(self.question, Question::Bits | Question::Arrive) {
            self.seen = self.looks.iter().map(|part| value_in(present, part.place) & part.bits).collect();
        }
    }
}

/// The bits of some parts, if they fit into one word; `value` tells what is at a place.
fn state_of(parts: &[Part], value: impl Fn(Place) -> u64) -> u64 {
    match *parts {
        [] => 0,
        [part] => (value(part.place) & part.bits) >> part.bits.trailing_zeros().min(63),
        [first, second, ..] => {
            let low = (value(first.place) & first.bits) >> first.bits.trailing_zeros().min(63);
            let high = value(second.place) & second.bits;
            low | high.checked_shl(first.bits.count_ones()).unwrap_or(0)
        }
    }
}

/// The places that executions have touched, by what they are.
#[derive(Debug, Default)]
pub struct Places {
    numbers: FxHashMap<u64, Place>,
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

impl Places {
    /// The number of a unit of memory.
    pub fn unit(&mut self, address: u64) -> Place {
        let next = self.numbers.len() as Place;
        let number = *self.numbers.entry(address).or_insert(next);
        if number == next {
            self.addresses.push(address);
        }
        number
    }

    /// The unit of memory that a place is.
    fn address(&self, place: Place) -> u64 {
        self.addresses[place as usize]
    }

    /// The number of a unit of memory, if it has one.
    fn known(&self, address: u64) -> Option<Place> {
        self.numbers.get(&address).copied()
    }

    /// Whether a thread was created.
    pub fn created(&mut self, thread: ThreadId) -> Place {
        self.unit(FACT | (thread.number() as u64) << 1)
    }

    /// What a thread waits for.
    pub fn waiting(&mut self, thread: ThreadId) -> Place {
        self.unit(FACT | (thread.number() as u64) << 1 | 1)
    }

    /// Whether a synchronisation object can be used.
    pub fn life(&mut self, object: SyncObject) -> Place {
        self.unit(unit_of_life(object))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }
}

/// What each place has.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The bits.
    pub values: Vec<u64>,
    dead: Vec<bool>,
    /// The names of all places with their values, added up.
    pub name: u128,
    /// What was there before: place, value, whether it was dead.
    undo: Vec<(Place, u64, bool)>,
}

impl State {
    /// The state at the beginning of an execution.
    pub fn new(execution: &Execution) -> Self {
        let (mut values, mut dead) = (vec![0; execution.places], vec![false; execution.places]);
        for (place, value, is_dead) in &execution.initial {
            (values[*place as usize], dead[*place as usize]) = (*value, *is_dead);
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
            let Some((place, value, dead)) = self.undo.pop() else { return };
            self.put(place, value, dead);
        }
    }

    /// What a place adds to the name.
    pub fn name_at(&self, place: Place) -> u128 {
        name(u64::from(place) << 1 | u64::from(self.dead[place as usize]), self.values[place as usize])
    }

    fn put(&mut self, place: Place, value: u64, dead: bool) {
        let at = place as usize;
        self.name = self.name.wrapping_sub(self.name_at(place));
        (self.values[at], self.dead[at]) = (value, dead);
        self.name = self.name.wrapping_add(self.name_at(place));
    }

    fn set(&mut self, place: Place, value: u64, dead: bool) {
        let at = place as usize;
        if (self.values[at], self.dead[at]) != (value, dead) {
            self.undo.push((place, self.values[at], self.dead[at]));
            self.put(place, value, dead);
        }
    }

    /// Whether something that an action needs is not there, or cannot be used.
    pub fn is_dead(&self, action: &Action) -> bool {
        action.needs().any(|place| self.dead[place as usize])
    }

    /// Whether something is not as it was in a round of a loop.
    pub fn differs(&self, round: &Round) -> bool {
        let is_dead = |part: Part| self.dead[part.place as usize];
        let is_so = |watch: &Watch| watch.holds(|place| self.values[place as usize]);
        round.parts().any(is_dead) || !round.watched.iter().all(is_so)
    }

    /// Whether an action changes something that it sets.
    pub fn is_changed_by(&self, action: &Action) -> bool {
        action.sets().any(|set| self.values[set.part.place as usize] & set.part.bits != set.value)
    }

    /// What an action is told here; `None` if it is not possible. (What depends on other threads' progress, or is a
    /// choice, is for others to say: here it is possible, and told what it was told. So it is after a round of a loop.)
    pub fn tells(&self, action: &Action) -> Option<u64> {
        if self.is_dead(action) {
            return Some(DEAD);
        }
        action.answer(|place| self.values[place as usize])
    }

    /// Whether a place is that of a thread that waits for an object and was not let go.
    pub fn waits(&self, waiting: Place, object: u64) -> bool {
        self.values[waiting as usize] == object << 1
    }

    /// Whether the thread of an action that waits has been let go.
    pub fn is_let_go(&self, action: &Action) -> bool {
        action.looks.iter().any(|part| self.values[part.place as usize] & SIGNALLED != 0)
    }

    /// Performs an action that is told what it was told in the execution. `waiting`: the places of all threads' waiting.
    pub fn perform(&mut self, action: &Action, waiting: &[Place]) {
        for effect in &action.effects {
            match *effect {
                Effect::Set { part, value } => {
                    let old = self.values[part.place as usize];
                    self.set(part.place, old & !part.bits | value, false);
                }
                Effect::Add { part, delta } => {
                    let old = self.values[part.place as usize];
                    let shift = part.bits.trailing_zeros().min(63);
                    let count = ((old & part.bits) >> shift).wrapping_add_signed(i64::from(delta)) << shift;
                    self.set(part.place, old & !part.bits | count & part.bits, false);
                }
                Effect::Free(place) => self.set(place, self.values[place as usize], true),
                Effect::Revive(place) => self.set(place, self.values[place as usize], false),
                Effect::Wake { waiting, object } => self.set(waiting, object << 1 | SIGNALLED, false),
                Effect::WakeAll { object } => {
                    for place in waiting {
                        if self.waits(*place, object) {
                            self.set(*place, object << 1 | SIGNALLED, false);
                        }
                    }
                }
            }
        }
    }
}

/// That an action sees something at a place, or sets it.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// Where the action is in its script.
    pub position: u32,
    /// What.
    pub value: Value,
    /// Whether it sets that.
    pub sets: bool,
    /// Whether it is the first of its script that does.
    pub is_first: bool,
}

/// What a script does to a place.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    /// Which.
    pub place: Place,
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
    pub actions: Vec<Arc<Action>>,
    /// Its histories before each action and after the last.
    pub histories: Vec<History>,
    /// Names of what it has done before each action and after the last.
    pub names: Vec<u128>,
    /// A name of all of it.
    pub name: u128,
    /// How many actions it performed.
    pub performed: usize,
    /// Whether it has ended, so that it can be joined.
    pub ended: bool,
    /// A name of what it adds to the view.
    pub view: u128,
    /// The places that it uses.
    pub spots: Vec<Spot>,
    /// What it sees and sets: by place, and then in order.
    pub uses: Vec<Use>,
    /// Positions of actions that may be told something else, if memory is not freed; and the names of the looks.
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
    /// A name of an action that is to be told something else, and of all that its thread has done before.
    pub fn name_of_look(&self, at: usize) -> u128 {
        self.names[at].rotate_left(1).wrapping_add(self.actions[at].name_of_question())
    }

    /// Whether an action is a store of a round of a loop: whether its thread has to wait after that depends on whether it changes
    /// anything.
    pub fn is_decisive(&self, at: usize) -> bool {
        self.decisive.get(at) == Some(&true)
    }

    /// Finds the stores that decide whether a round of a loop was in vain.
    fn find_decisive(&mut self) {
        for at in 0..self.actions.len() {
            let Some(round) = &self.actions[at].round else { continue };
            for store in (round.start as usize..at).filter(|store| self.actions[*store].is_store) {
                self.decisive.resize(self.actions.len(), false);
                self.decisive[store] = true;
            }
        }
    }

    /// Finds what is known of the actions.
    fn outline(&mut self) {
        self.find_decisive();
        self.sections = Sections::new(&self.actions[..self.performed]);
        self.delays = self.actions.iter().any(|action| !action.delayed.is_empty());
        let mut spots: FxHashMap<Place, usize> = FxHashMap::default();
        let mut uses: Vec<(usize, Use)> = Vec::new();
        let mut firsts: FxHashSet<(Value, bool)> = FxHashSet::default();
        for at in 0..self.actions.len() {
            let action = self.actions[at].clone();
            let position = at as u32;
            let performed = at < self.performed;
            match action.question {
                Question::Join(_) | Question::JoinAll => {
                    if performed {
                        self.joins.push((position, action.question));
                    }
                }
                Question::Nothing | Question::Take(_) if performed => {}
                _ => self.asks.push((position, self.name_of_look(at))),
            }
            self.waits |=
                matches!(action.question, Question::Take(_) | Question::Once(_) | Question::Woken { .. })
                    || action.exclusive
                    || action.round.is_some();
            let place_in_view = (self.thread.number() as u64) << 32 | at as u64;
            if performed && action.is_viewed() {
                self.view = self.view.wrapping_add(name(place_in_view, action.told));
            } else if !performed {
                self.view = self.view.wrapping_add(name(place_in_view, STUCK));
            }
            let mut spot = |place: Place, all: &mut Vec<Spot>| {
                *spots.entry(place).or_insert_with(|| {
                    all.push(Spot {
                        place,
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
            let is_told_bits = action.is_told_bits();
            for (number, part) in action.looks.iter().enumerate() {
                let number_of_spot = spot(part.place, &mut self.spots);
                if let Some(value) = action.seen.get(number).filter(|_| is_told_bits) {
                    let value = Value { part: *part, value: *value };
                    let is_first = firsts.insert((value, false));
                    uses.push((number_of_spot, Use { position, value, sets: false, is_first }));
                }
            }
            for part in action.round.iter().flat_map(|round| round.parts()) {
                spot(part.place, &mut self.spots);
            }
            for set in action.delayed.iter().flat_map(|delayed| &delayed.sets) {
                let number = spot(set.part.place, &mut self.spots);
                (self.spots[number].writes, self.spots[number].is_ragged) = (true, true);
            }
            for effect in &action.effects {
                let Some(place) = effect.place() else { continue };
                let number = spot(place, &mut self.spots);
                let spot = &mut self.spots[number];
                spot.writes = true;
                match effect {
                    Effect::Set { part, value } => {
                        spot.is_ragged |= spot.bits.is_some_and(|bits| bits != part.bits);
                        spot.bits = Some(part.bits);
                        let value = Value { part: *part, value: *value };
                        let is_first = firsts.insert((value, true));
                        uses.push((number, Use { position, value, sets: true, is_first }));
                    }
                    Effect::Free(_) | Effect::Revive(_) => (spot.frees, spot.is_ragged) = (true, true),
                    _ => spot.is_ragged = true,
                }
            }
        }
        uses.sort_by_key(|(spot, _)| *spot);
        for (number, used) in uses {
            let spot = &mut self.spots[number];
            if spot.start == spot.end {
                (spot.start, spot.end) = (self.uses.len() as u32, self.uses.len() as u32);
            }
            self.uses.push(used);
            spot.end = self.uses.len() as u32;
        }
    }
}

/// An execution.
#[derive(Debug, Clone)]
pub struct Execution {
    /// What each thread did, in the order of their creation.
    pub scripts: Vec<Arc<Script>>,
    /// What was at the places at first, and whether they were dead.
    pub initial: Vec<(Place, u64, bool)>,
    /// How many places there are.
    pub places: usize,
    /// The places of all threads' waiting, in the order of the scripts.
    pub waiting: Vec<Place>,
    /// The places of their creation.
    pub created: Vec<Place>,
    /// Whether all delayed stores of a thread reach memory in order.
    pub in_order: bool,
    /// Whether it is over because somebody has stopped in an atomic section, so that others might have gone on.
    pub is_held_up: bool,
    /// A name of what was at places at first, as far as that was something else in the first execution that had them.
    pub name: u128,
}

impl Execution {
    /// Whether stores were buffered.
    pub fn has_delays(&self) -> bool {
        self.scripts.iter().any(|script| script.delays)
    }
}

/// What each thread has been told by a position of its script; who was told nothing is left out.
pub fn told_by<'s>(scripts: impl Iterator<Item = (&'s Script, usize)>, into: &mut Vec<History>) {
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
    told_by(execution.scripts.iter().map(|script| (&**script, script.performed)), &mut combination);
    name_of(&combination)
}
