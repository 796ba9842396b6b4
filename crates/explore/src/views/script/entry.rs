//! Entries of scripts: what an event has read, what it returned, and what it did.

use super::{Condition, Location, LocationPart, Round, Value};
use crate::core::mix::mix;
use crate::views::name::Digest;
use selvedge_trace::ThreadId;
use selvedge_trace::sync::Arrival;

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
    pub is_value: bool,
    /// Whether it only gives something back that others may take.
    pub gives_back: bool,
    /// Whether it is a store.
    pub is_store: bool,
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
pub const WORD: u64 = 0xffff_ffff;

/// What an entry that was not possible is never told.
pub const NEVER: u64 = u64::MAX;

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
    pub fn state_in(&self, value: impl Fn(Location) -> u64) -> u64 {
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
pub fn value_in(present: &[(Location, u64)], location: Location) -> u64 {
    present.iter().find(|(other, _)| *other == location).map_or(0, |(_, value)| *value)
}

impl Entry {
    /// Notes what is where it looks, if that is what it asks for.
    pub fn see(&mut self, present: &[(Location, u64)]) {
        if matches!(self.question, Question::Bits | Question::Arrive) {
            self.values =
                self.reads.iter().map(|part| value_in(present, part.location) & part.bits).collect();
        }
    }
}

/// The bits of some parts, if they fit into one word; `value` tells what is at a location.
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
