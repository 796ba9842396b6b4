//! Entries of scripts: what an event has read, what it returned, and what it did.

use super::{Condition, Location, LocationPart, Round, Value};
use crate::core::mix::mix;
use crate::views::name::Digest;
use selvedge_trace::ThreadId;
use selvedge_trace::sync::Arrival;

/// What an entry wants to know of what it reads: its result follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Nothing.
    Nothing,
    /// What the bits are.
    Values,
    /// To take something; enabled if that is free. It has no result.
    Take(Condition),
    /// To take something if that is free; the result is whether it was.
    TryToTake(Condition),
    /// What the first word is; enabled only if a condition holds.
    Once(Condition),
    /// Arrives at a barrier: whether it is the last, and the generation ([`Arrival`]).
    Arrive,
    /// Whether the thread was let go; enabled only if it was, or if `always`.
    Woken {
        /// Whether it may go on without.
        always: bool,
    },
    /// Which of the threads that wait for an object it wakes.
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
    /// The location that changes, unless that depends on which threads wait.
    pub fn location(&self) -> Option<Location> {
        match self {
            Effect::Set { part, .. } | Effect::Add { part, .. } => Some(part.location),
            Effect::Free(location) | Effect::Revive(location) => Some(*location),
            Effect::Wake { .. } | Effect::WakeAll { .. } => None,
        }
    }

    /// The location that must not be dead for it.
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
    /// What it reads.
    pub reads: Box<[LocationPart]>,
    /// What was there, if its result is just that; or what is there in the end, if it was not performed.
    pub values: Box<[u64]>,
    /// What it asks.
    pub question: Question,
    /// The bits that it read, as one word; if it was performed.
    pub state: Option<u64>,
    /// Its result.
    pub result: u64,
    /// What it did to locations.
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
    /// Whether its result is one that the program sees: a value, or what a function returns.
    pub is_value: bool,
    /// Whether all that it does is to give something back that others may take.
    pub gives_back: bool,
    /// Whether it is a store.
    pub is_store: bool,
}

/// The result of an entry that uses memory or an object that is dead.
pub const DEAD: u64 = 0x6465_6164_6465_6164;

/// What an entry adds to a history. Entries without a result add nothing, unless what they use is dead; so then this says which
/// entry that was.
pub fn history_item(position: usize, result: u64) -> u64 {
    if result == DEAD { mix(DEAD, position as u64) } else { result }
}

/// The result of an entry that asks nothing, or just went through.
pub const NOTHING: u64 = 0;

/// The result of an entry that asks whether something is so: whether it could take something, or was let go.
pub const fn result_whether(is_so: bool) -> u64 {
    if is_so { YES } else { NO }
}

/// It is not so.
pub const NO: u64 = 1;

/// It is so.
pub const YES: u64 = 2;

/// The result of a signal: which thread it has woken, if any.
pub fn result_woken(thread: Option<ThreadId>) -> u64 {
    thread.map_or(0, |thread| 1 + thread.number() as u64)
}

/// The result of an arrival at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// Whether it is the last.
    pub is_last: bool,
    /// The generation.
    pub generation: u32,
}

impl Arrived {
    /// The result of an arrival.
    pub fn at(arrival: Arrival) -> Self {
        Arrived { is_last: arrival.is_last(), generation: arrival.generation }
    }

    /// As a number.
    pub fn result(self) -> u64 {
        mix(u64::from(self.is_last), u64::from(self.generation))
    }
}

/// A word that is some bits of a location, given what is there.
pub fn word_of(part: LocationPart, value: u64) -> u32 {
    ((value & part.bits) >> part.bits.trailing_zeros().min(63)) as u32
}

/// The result of an entry that reads one part, and nothing else: the same, whether that is one location or two.
pub fn value_result(part: LocationPart, value: u64) -> u64 {
    match part.bits > WORD {
        true => longer_result(2, part, value),
        false => mix(1, value),
    }
}

/// The result of an entry that has read another part as well.
fn longer_result(result: u64, part: LocationPart, value: u64) -> u64 {
    match part.bits > WORD {
        true => mix(mix(result, value & WORD), value >> 32),
        false => mix(result, value),
    }
}

/// The bits of half a granule.
pub const WORD: u64 = 0xffff_ffff;

/// In place of a result: the entry was blocked in the end. No entry has that as its result.
pub const NEVER: u64 = u64::MAX;

/// At the location of a thread's waiting, if it was let go.
pub const SIGNALLED: u64 = 1;

impl Question {
    /// As numbers.
    fn code(self) -> [u64; 2] {
        match self {
            Question::Nothing => [0, 0],
            Question::Values => [1, 0],
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
    /// A name of what it asks, whatever its result is.
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
        if !matches!(self.question, Question::Values | Question::Choose { .. }) {
            // In the same state it has the same result.
            digest.extend([u64::from(self.state.is_some()), self.state.unwrap_or(0), self.result]);
        }
        digest.name()
    }

    /// A name of all that a search depends on.
    pub fn name(&self) -> u128 {
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

    /// The locations that must not be dead for it: those that it reads, changes, or buffers stores to.
    pub fn needs(&self) -> impl Iterator<Item = Location> + '_ {
        let reads = self.reads.iter().map(|part| part.location);
        let sets = self.delayed.iter().flat_map(|delayed| &delayed.sets).map(|set| set.part.location);
        reads.chain(self.effects.iter().filter_map(Effect::needs)).chain(sets)
    }

    /// Whether it may have different results, or be blocked: then it is part of histories.
    pub fn is_in_history(&self) -> bool {
        self.question != Question::Nothing || self.round.is_some() || self.result == DEAD
    }

    /// Whether its result is the bits that it reads, and it is never blocked.
    pub fn only_reads_values(&self) -> bool {
        self.question == Question::Values
            && self.round.is_none()
            && self.result != DEAD
            && self.result != NEVER
    }

    /// Whether its result is part of the view.
    pub fn is_viewed(&self) -> bool {
        self.is_value || self.result == DEAD
    }

    /// Whether it may be blocked.
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

    /// The bits that it reads, if they fit into one word; `value` is what is at a location.
    pub fn state_in(&self, value: impl Fn(Location) -> u64) -> u64 {
        state_of(&self.reads, value)
    }

    /// Its result, given what is at a location; `None` if it is blocked.
    pub fn answer(&self, value: impl Fn(Location) -> u64) -> Option<u64> {
        let state = match self.question {
            Question::Nothing => return Some(NOTHING),
            Question::Values => {
                let bits = |part: &LocationPart| value(part.location) & part.bits;
                return Some(match &*self.reads {
                    [part] => value_result(*part, bits(part)),
                    parts => parts.iter().fold(2, |result, part| longer_result(result, *part, bits(part))),
                });
            }
            _ => self.state_in(&value),
        };
        match self.question {
            // In the same state it has the same result: this also covers what an owner does to its own lock. (Of an object that
            // could not be used, the state says nothing.)
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
pub fn value_in(present: &[(Location, u64)], location: Location) -> u64 {
    present.iter().find(|(other, _)| *other == location).map_or(0, |(_, value)| *value)
}

impl Entry {
    /// Notes the values that it reads, if it asks for these.
    pub fn see(&mut self, present: &[(Location, u64)]) {
        if matches!(self.question, Question::Values | Question::Arrive) {
            self.values =
                self.reads.iter().map(|part| value_in(present, part.location) & part.bits).collect();
        }
    }
}

/// The bits of some parts, if they fit into one word; `value` is what is at a location.
pub fn state_of(parts: &[LocationPart], value: impl Fn(Location) -> u64) -> u64 {
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
