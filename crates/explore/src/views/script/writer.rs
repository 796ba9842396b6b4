//! Writing scripts down while an execution is run.
//!
//! What is written is kept while the machine is rewound, as far as it goes back; executions that have the same script share it,
//! and entries that follow from the same are made once.

use super::granules::{GRANULE, Granules, JOINED, UNIT, bits_of, content, granules_in, with_stores};
use super::round::changes;
use super::sections::Sections;
use super::split::Split;
use super::{
    DEAD, Delayed, Effect, Entry, Execution, FACT, Location, LocationPart, Locations, NEVER, NOTHING,
    Question, Round, Script, Value, WORD, Watch, history_item, object_of_life, result_woken, unit_of_life,
    value_in,
};
use crate::core::dependence::{self, Access, Mode};
use crate::views::history::{Explored, History};
use crate::views::name::{Digest, continued, name};
use rustc_hash::FxHashMap;
use selvedge_memory::System;
use selvedge_trace::sync::{self, Arrival, Ask, Change, Changes, ObjectKind, Waiters, Waiting};
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use selvedge_vm::thread::Status;
use selvedge_vm::{FaultKind, SyncObject};
use std::sync::Arc;

/// An entry that has been taken, by whom, and which locations it was the first to touch.
struct Taken {
    agent: Agent,
    result: u64,
    initial: usize,
}

/// What a thread has done in an atomic section that it did not get through: nobody else has noticed.
struct Tail {
    thread: ThreadId,
    /// Before which step it was.
    step: usize,
    /// How many entries the thread had performed before.
    entries: usize,
    /// How many initial values were known before.
    initial: usize,
}

/// What a thread has done so far.
#[derive(Default)]
struct Line {
    entries: Vec<Arc<Entry>>,
    /// Whether each of them is a store that has changed something.
    changes: Vec<bool>,
    /// Names of what it has done before each entry and after the last.
    names: Vec<u128>,
    /// Histories before each entry; as far as they have been asked for.
    histories: Vec<History>,
}

impl Line {
    /// Forgets all but the first entries.
    fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        self.changes.truncate(entries);
        self.names.truncate(entries + 1);
        self.histories.truncate(entries + 1);
    }

    /// Finds the histories that have not been asked for.
    fn remember(&mut self, views: &mut Explored, thread: ThreadId) {
        if self.histories.is_empty() {
            self.histories.push(views.root(thread.number()));
        }
        for at in self.histories.len()..self.names.len() {
            let (before, entry) = (self.histories[at - 1], &self.entries[at - 1]);
            self.histories.push(match entry.is_in_history() {
                true => views.grow(before, history_item(at - 1, entry.result)),
                false => before,
            });
        }
    }
}

/// Beyond that, scripts that no execution has any more are forgotten now and then.
const MANY: usize = 1 << 12;

/// Beyond that, entries are forgotten.
const MANY_ENTRIES: usize = 1 << 16;

/// Scripts, by name. Many executions have the same.
struct Scripts {
    known: FxHashMap<u128, Arc<Script>>,
    limit: usize,
}

impl Default for Scripts {
    fn default() -> Self {
        Scripts { known: FxHashMap::default(), limit: MANY }
    }
}

impl Scripts {
    fn get(&mut self, name: u128, write: impl FnOnce() -> Script) -> Arc<Script> {
        if self.known.len() >= self.limit {
            self.known.retain(|_, script| Arc::strong_count(script) > 1);
            self.limit = MANY.max(2 * self.known.len());
        }
        self.known.entry(name).or_insert_with(|| Arc::new(write())).clone()
    }
}

/// A step that was performed.
pub struct Performed<'s> {
    /// By whom.
    pub thread: ThreadId,
    /// Which alternative.
    pub choice: u32,
    /// The threads that it let go.
    pub woken: &'s [ThreadId],
    /// The objects that it handed over.
    pub published: &'s [(u64, u64)],
}

/// Writes down an execution while it is run.
#[derive(Default)]
pub struct Writer {
    /// The locations.
    pub locations: Locations,
    granules: Granules,
    taken: Vec<Taken>,
    tails: Vec<Tail>,
    /// By thread number.
    lines: Vec<Line>,
    scripts: Scripts,
    /// Actions by name of what they follow from, and their own names.
    entries: FxHashMap<u128, (Arc<Entry>, u128)>,
    initial: Vec<(Location, u64, bool)>,
    /// Which locations have an initial value.
    known: Vec<bool>,
    /// By location: what was there at first in the first execution that had it.
    first: Vec<Option<(u64, bool)>>,
    accesses: Vec<Access>,
    /// What was at the units of the next step before it, and whether they were dead.
    before: Vec<(u64, u64, bool)>,
    /// What its thread sees at the units, if that is something else.
    own: Vec<(u64, u64)>,
    /// Where the round of a loop began that its thread has just ended.
    round: Option<u32>,
    /// The synchronisation object that it uses, if that may be destroyed or not set up.
    life: Option<SyncObject>,
    /// See [`Writer::is_beyond_scripts`].
    is_beyond_scripts: bool,
    /// Whether locks may be given back by threads that do not hold them.
    frees_foreign: bool,
    /// Whether its thread may be woken without a signal.
    by_itself: bool,
    /// How many stores its thread has put into its buffer before it.
    issued: u32,
}

fn status<S: System>(system: &S, thread: ThreadId) -> Option<Status> {
    system.machine().thread(thread).map(|thread| thread.position.status)
}

impl Writer {
    /// How many steps were written down.
    pub fn length(&self) -> usize {
        self.taken.len()
    }

    /// Forgets all but the first steps.
    pub fn rewind(&mut self, length: usize) {
        loop {
            let steps = self.taken.len();
            let initial = if let Some(tail) = self.tails.pop_if(|tail| tail.step == steps && steps >= length)
            {
                self.lines[tail.thread.number()].truncate(tail.entries);
                tail.initial
            } else if let Some(taken) = self.taken.pop_if(|_| steps > length) {
                if taken.agent.is_thread() {
                    let line = &mut self.lines[taken.agent.thread().number()];
                    line.truncate(line.entries.len() - 1);
                }
                taken.initial
            } else {
                return;
            };
            for (location, _, _) in self.initial.drain(initial..) {
                self.known[location as usize] = false;
            }
        }
    }

    /// The step with which an atomic section began that a thread is in; `None` if others have taken steps since.
    pub fn start_of_section(&self, thread: ThreadId) -> Option<usize> {
        let entries = &self.lines.get(thread.number())?.entries;
        let own = self.taken.iter().enumerate().rev().take_while(|(_, taken)| taken.agent == thread);
        // With each of its last steps goes one of its last entries; what was before the step is what the entry before it left.
        let begins = |number: usize| number == 0 || !entries[number - 1].exclusive;
        own.zip((0..entries.len()).rev()).find(|(_, number)| begins(*number)).map(|((step, _), _)| step)
    }

    /// The steps of a thread from one on, which were the last ones, have not been taken; but it is known what they would have
    /// been.
    pub fn take_back(&mut self, thread: ThreadId, step: usize) {
        let own = self.taken.len() - step;
        let entries = self.lines[thread.number()].entries.len() - own;
        let initial = self.taken[step].initial;
        self.taken.truncate(step);
        self.tails.push(Tail { thread, step, entries, initial });
    }

    /// To be called before a step of a thread.
    pub fn before<S: System>(&mut self, system: &S, thread: ThreadId) {
        self.accesses.clear();
        self.before.clear();
        self.own.clear();
        self.round = system.repeats_from(thread);
        self.issued = system.issued(thread);
        self.by_itself = system.machine().may_wake_by_itself(thread);
        self.frees_foreign = system.machine().allows(FaultKind::BadUnlock);
        let Some(operation) = system.machine().pending(thread) else { return };
        dependence::of_operation(thread, &operation, &mut self.accesses);
        self.note(&operation);
        if let Operation::Sync { op, object, .. } = operation
            && op.object() == ObjectKind::Barrier
            && matches!(op.action(), sync::Action::Init | sync::Action::Arrive)
        {
            // The generation, which is not decisive, but changes.
            self.before.push(content(system, object.wrapping_add(Arrival::GENERATION as u64 * sync::WORD)));
        }
        for access in self.accesses.iter().filter(|access| access.granule & FACT == 0) {
            self.before.extend(self.granules.units_of(access).map(|(unit, ..)| content(system, unit)));
        }
        self.life = match operation {
            Operation::Sync { op, object, .. } => system.machine().mortal(op, object),
            _ => None,
        };
        if let (Some(object), Operation::Sync { op, .. }) = (self.life, operation) {
            self.is_beyond_scripts |= op.is_init() && system.machine().was_set_up(object);
        }
        self.is_beyond_scripts |= matches!(operation, Operation::EndScope { .. });
        if let Some(object) = self.life {
            self.before.push((unit_of_life(object), 0, !system.machine().is_usable(object)));
        }
        if S::BUFFERED {
            self.see_own(system, thread);
        }
    }

    /// Notes what a thread sees of its own stores that have not reached memory yet.
    fn see_own<S: System>(&mut self, system: &S, thread: ThreadId) {
        let stores = system.waiting_stores(thread);
        for (unit, value, _) in self.before.iter().filter(|_| !stores.is_empty()) {
            self.own.push((*unit, with_stores(*unit, *value, &stores)));
        }
    }

    /// Whether a thread that the system lets go on waits in a loop nevertheless. Where it has tried in vain to take something, the
    /// system lets it go round again as soon as that is somebody else's; but the thread does not notice, so scripts do not
    /// have that.
    pub fn waits<S: System>(&self, system: &S, thread: ThreadId) -> bool {
        let (Some(start), Some(line)) = (system.repeats_from(thread), self.lines.get(thread.number())) else {
            return false;
        };
        let start = start as usize;
        if line.changes[start..].contains(&true) {
            return false;
        }
        let round = Round::of(start, &line.entries[start..]);
        if !round.watched.iter().any(|watch| matches!(watch, Watch::Taken(..))) {
            return false;
        }
        let stores = system.waiting_stores(thread);
        let value = |location: Location| {
            let unit = self.locations.address(location);
            with_stores(unit, content(system, unit).1, &stores)
        };
        let is_dead = |part: LocationPart| {
            let unit = self.locations.address(part.location);
            match object_of_life(unit) {
                Some(object) => !system.machine().is_usable(object),
                None => content(system, unit).2,
            }
        };
        !round.parts().any(is_dead) && round.watched.iter().all(|watch| watch.holds(value))
    }

    /// Whether something has happened, in any execution so far, that scripts do not have. One is that an object that was set up
    /// before, destroyed or not, was set up again: whether that is an error, and what others find then, depends on the order of
    /// several operations. The other is that the scope of a local object ended that others could reach: its memory is used again.
    pub fn is_beyond_scripts(&self) -> bool {
        self.is_beyond_scripts
    }

    /// To be called before a store reaches memory.
    pub fn before_arrival<S: System>(&mut self, system: &S, agent: Agent) {
        self.accesses.clear();
        self.before.clear();
        self.own.clear();
        let stores = system.waiting_stores(agent.thread());
        for store in stores.iter().filter(|store| Some(store.number) == agent.number()) {
            dependence::of_range(agent.thread(), store.address, u64::from(store.size), &mut self.accesses);
        }
        self.note_accesses(true);
        for access in &self.accesses {
            self.before.extend(self.granules.units_of(access).map(|(unit, ..)| content(system, unit)));
        }
    }

    /// To be called after it has.
    pub fn after_arrival(&mut self, agent: Agent) {
        let initial = self.initial.len();
        self.learn_initial();
        self.taken.push(Taken { agent, result: NOTHING, initial });
    }

    /// What a step of a thread has put into its buffer. May split granules.
    fn delayed<S: System>(&mut self, system: &S, thread: ThreadId) -> Vec<Delayed> {
        let stores = system.waiting_stores(thread).into_iter();
        let stores: Vec<_> = stores.filter(|store| store.number > self.issued).collect();
        let operation = std::mem::take(&mut self.accesses);
        for store in &stores {
            dependence::of_range(thread, store.address, u64::from(store.size), &mut self.accesses);
        }
        for Access { granule, mask, .. } in std::mem::take(&mut self.accesses) {
            match mask {
                0xff => self.note_granule(granule, true),
                _ => self.split_now(granule),
            }
        }
        let mut all = Vec::new();
        for store in stores {
            self.accesses.clear();
            dependence::of_range(thread, store.address, u64::from(store.size), &mut self.accesses);
            let mut sets = Vec::new();
            for access in &self.accesses {
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
        self.accesses = operation;
        all
    }

    /// Notes how the granules of an operation are used.
    fn note(&mut self, operation: &Operation) {
        match *operation {
            // It is about words.
            Operation::Sync { object, .. } => {
                for word in 0..Arrival::WORDS as u64 {
                    self.note_granule(object.wrapping_add(word * sync::WORD) & !(GRANULE - 1), false);
                }
                self.note_accesses(false);
            }
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                let end = address.saturating_add(size.max(1));
                for (granule, as_whole) in granules_in(address, end) {
                    self.note_granule(granule, as_whole);
                }
            }
            _ => self.note_accesses(true),
        }
    }

    fn note_accesses(&mut self, may_be_whole: bool) {
        for at in 0..self.accesses.len() {
            let Access { granule, mask, .. } = self.accesses[at];
            if granule & FACT == 0 {
                self.note_granule(granule, may_be_whole && mask == 0xff);
            }
        }
    }

    fn note_granule(&mut self, granule: u64, as_whole: bool) {
        if !self.granules.note(granule, as_whole)
            && let Some(location) = self.locations.known(granule | JOINED)
        {
            let halves = [granule, granule + UNIT].map(|unit| self.locations.unit(unit));
            self.split(location, halves);
        }
    }

    /// What was one location is two from now on; so it is in what has been written down. Executions that have been given away
    /// have their own locations, and what threads are told is the same.
    fn split(&mut self, location: Location, halves: [Location; 2]) {
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

    /// To be called after the step.
    pub fn after<S: System>(&mut self, system: &S, step: &Performed<'_>) {
        let Performed { thread, choice, woken, published } = *step;
        for (start, size) in published {
            for (granule, as_whole) in granules_in(*start, start.saturating_add(*size)) {
                if self.granules.is_joined(granule) && !as_whole {
                    self.split_now(granule);
                }
            }
        }
        let initial = self.initial.len();
        self.learn_initial();
        let Some(event) = system.events().last() else { return };
        let (operation, read) = (event.operation, event.read);
        let changes = changes(event);
        let line = self.line(thread);
        let so_far = line.names[line.names.len() - 1];
        // Who has ended in an atomic section is through with it.
        let has_ended = status(system, thread) == Some(Status::Finished);
        let excludes = system.machine().excludes_others(thread) && !has_ended;
        // With buffers, much depends on what is in them.
        let is_simple = published.is_empty() && !S::BUFFERED;
        let drained = event.drained;
        let origin = self.origin(so_far, &operation, choice, excludes).filter(|_| is_simple);
        if let Some((entry, name)) = origin.and_then(|origin| self.entries.get(&origin)) {
            let (entry, name) = (entry.clone(), *name);
            self.push(thread, so_far, (entry, name), changes, initial);
            return;
        }
        let delayed = if S::BUFFERED { self.delayed(system, thread) } else { Vec::new() };
        let mut entry = self.entry(thread, &operation, choice);
        self.answer(system, thread, &mut entry, read, woken);
        let mut effects = std::mem::take(&mut entry.effects).into_vec();
        for (start, size) in published {
            self.publish(system, *start, *size, &mut effects);
        }
        entry.effects = effects.into();
        entry.exclusive = excludes;
        entry.drained = drained;
        entry.delayed = delayed.into();
        let (name, entry) = (entry.name(), Arc::new(entry));
        if let Some(origin) = origin {
            if self.entries.len() >= MANY_ENTRIES {
                self.entries.clear();
            }
            self.entries.insert(origin, (entry.clone(), name));
        }
        self.push(thread, so_far, (entry, name), changes, initial);
    }

    fn push(
        &mut self,
        thread: ThreadId,
        so_far: u128,
        (entry, name): (Arc<Entry>, u128),
        changes: bool,
        initial: usize,
    ) {
        self.taken.push(Taken { agent: thread.into(), result: entry.result, initial });
        let line = self.line(thread);
        line.names.push(continued(so_far, name));
        line.entries.push(entry);
        line.changes.push(changes);
    }

    /// A name of all that an entry follows from, if that is little: what its thread has done before, and is about to do;
    /// which memory that accesses, and what is there.
    fn origin(&self, so_far: u128, operation: &Operation, choice: u32, excludes: bool) -> Option<u128> {
        let (kind, one, other) = match *operation {
            Operation::Load { .. } => (1, 0, 0),
            Operation::Store { value, .. } => (2, value, 0),
            Operation::Rmw { op, operand, .. } => (3 | (op as u64) << 3, operand, 0),
            Operation::CompareExchange { expected, new, .. } => (4, expected, new),
            _ => return None,
        };
        if (one | other) >> 64 != 0 {
            return None;
        }
        let mut digest = Digest::of(so_far);
        let count = (self.accesses.len() as u64) << 32;
        digest.extend([
            count | u64::from(choice),
            // What was seen on the way is part of what the thread has done.
            self.round.map_or(0, |round| 1 + u64::from(round)),
            kind << 1 | u64::from(excludes),
            one as u64,
            other as u64,
        ]);
        for access in &self.accesses {
            digest.extend([access.granule, u64::from(access.mask)]);
        }
        for (unit, value, dead) in &self.before {
            digest.extend([unit << 1 | u64::from(*dead), *value]);
        }
        Some(digest.name())
    }

    fn line(&mut self, thread: ThreadId) -> &mut Line {
        let number = thread.number();
        if self.lines.len() <= number {
            self.lines.resize_with(number + 1, Line::default);
        }
        let line = &mut self.lines[number];
        if line.names.is_empty() {
            line.names.push(name(0xface, number as u64));
        }
        line
    }

    /// Splits a granule after a step, which may have accessed it.
    fn split_now(&mut self, granule: u64) {
        self.note_granule(granule, false);
        self.before = std::mem::take(&mut self.before)
            .into_iter()
            .flat_map(|(unit, value, dead)| match unit == granule | JOINED {
                true => vec![(granule, value & WORD, dead), (granule + UNIT, value >> 32, dead)],
                false => vec![(unit, value, dead)],
            })
            .collect();
        self.own = std::mem::take(&mut self.own)
            .into_iter()
            .flat_map(|(unit, value)| match unit == granule | JOINED {
                true => vec![(granule, value & WORD), (granule + UNIT, value >> 32)],
                false => vec![(unit, value)],
            })
            .collect();
    }

    /// An object was handed over. If there was another one at its location before, its contents are new.
    fn publish<S: System>(&self, system: &S, start: u64, size: u64, effects: &mut Vec<Effect>) {
        for unit in self.granules.units_in(start, start.saturating_add(size)) {
            let Some(location) = self.locations.known(unit) else { continue };
            if self.known.get(location as usize) == Some(&true) {
                let part = LocationPart { location, bits: u64::MAX };
                effects.push(Effect::Set { part, value: content(system, unit).1 });
            }
        }
    }

    /// The locations of the step that were not touched before have had what they had before it.
    fn learn_initial(&mut self) {
        let before = std::mem::take(&mut self.before);
        for (unit, value, dead) in &before {
            let location = self.locations.unit(*unit);
            if self.known.len() <= location as usize {
                self.known.resize(location as usize + 1, false);
            }
            if !std::mem::replace(&mut self.known[location as usize], true) {
                self.initial.push((location, *value, *dead));
            }
        }
        self.before = before;
    }

    /// A word.
    fn word(&mut self, address: u64) -> LocationPart {
        LocationPart { location: self.locations.unit(address), bits: bits_of(0x0f) }
    }

    /// A word of a synchronisation object.
    fn word_of(&mut self, object: u64, number: usize) -> LocationPart {
        self.word(object.wrapping_add(number as u64 * sync::WORD))
    }

    /// The words of an object that tell an operation what it asks.
    fn words_asked(&mut self, op: SyncOp, object: u64) -> Vec<LocationPart> {
        match op.words_asked() {
            Some(count) => (0..count).map(|number| self.word_of(object, number)).collect(),
            None => self.parts(|_| true),
        }
    }

    /// Whether a semaphore has so many posts that others might leave no room for another.
    fn is_nearly_full(&self, semaphore: u64) -> bool {
        let value =
            self.before.iter().find(|(unit, ..)| *unit == semaphore).map_or(0, |(_, value, _)| *value);
        sync::is_nearly_full(value as u32)
    }

    fn parts(&mut self, wanted: impl Fn(&Access) -> bool) -> Vec<LocationPart> {
        let accesses = self.accesses.iter().filter(|access| wanted(access) && access.granule & FACT == 0);
        let units = accesses.flat_map(|access| self.granules.units_of(access));
        units.map(|(unit, bits, _)| LocationPart { location: self.locations.unit(unit), bits }).collect()
    }

    /// What a thread is about to do, or has just done: what it looks at and asks.
    fn entry(&mut self, thread: ThreadId, operation: &Operation, choice: u32) -> Entry {
        let (question, mut reads) = match *operation {
            Operation::Load { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. } => {
                (Question::Bits, self.parts(|_| true))
            }
            Operation::Copy { .. } => (Question::Bits, self.parts(|access| access.mode == Mode::Read)),
            Operation::Choose { options, .. } => (Question::Choose { options }, Vec::new()),
            Operation::Join { thread } => (Question::Join(thread), Vec::new()),
            Operation::WaitForOthers { .. } => (Question::JoinAll, Vec::new()),
            Operation::Sync { op, object, argument } => match op.asks() {
                Ask::Nothing => (Question::Nothing, Vec::new()),
                Ask::State => (Question::Bits, self.words_asked(op, object)),
                Ask::Take(condition) => (Question::Take(condition), self.words_asked(op, object)),
                Ask::TryToTake(condition) => (Question::TryToTake(condition), self.words_asked(op, object)),
                Ask::Room(condition) if self.is_nearly_full(object) => {
                    (Question::TryToTake(condition), self.words_asked(op, object))
                }
                Ask::Room(_) => (Question::Nothing, Vec::new()),
                Ask::Once(condition) => (Question::Once(condition), self.words_asked(op, object)),
                Ask::Arrive => (Question::Arrive, self.words_asked(op, object)),
                Ask::Woken => {
                    let is_condition = op.object() == ObjectKind::Condition;
                    let always = is_condition && (argument != 0 || self.by_itself);
                    let waiting = LocationPart { location: self.locations.waiting(thread), bits: u64::MAX };
                    (Question::Woken { always }, vec![waiting])
                }
                Ask::Signal => (Question::Signal { object }, Vec::new()),
            },
            Operation::Store { .. }
            | Operation::Set { .. }
            | Operation::Release { .. }
            | Operation::EndScope { .. }
            | Operation::Fence { .. }
            | Operation::Spawn { .. }
            | Operation::Yield
            | Operation::Assume { .. }
            | Operation::Flush { .. } => (Question::Nothing, Vec::new()),
        };
        if let (Some(object), Operation::Sync { op, .. }) = (self.life, operation)
            && !op.is_init()
        {
            reads.push(LocationPart { location: self.locations.life(object), bits: u64::MAX });
        }
        let is_value = match *operation {
            Operation::Sync { op, .. } => {
                op.has_telling_result() || op.gives_back() && question != Question::Nothing
            }
            Operation::Join { .. } | Operation::WaitForOthers { .. } => false,
            _ => question != Question::Nothing,
        };
        let gives_back = matches!(operation, Operation::Sync { op, .. } if op.gives_back())
            && question == Question::Nothing
            && !self.frees_foreign;
        let is_store = matches!(operation, Operation::Store { .. });
        let round = self.round.map(|start| start as usize);
        let line = self.line(thread);
        let round = round.map(|start| Box::new(Round::of(start, &line.entries[start..])));
        Entry {
            reads: reads.into(),
            values: Box::new([]),
            question,
            state: None,
            result: NOTHING,
            effects: Box::new([]),
            delayed: Box::new([]),
            round,
            choice,
            exclusive: false,
            drained: false,
            is_value,
            gives_back,
            is_store,
        }
    }

    /// What is there before a step, where it looks.
    fn present(&mut self) -> Vec<(Location, u64)> {
        let own = self.own.iter().copied();
        let units = own.chain(self.before.iter().map(|(unit, value, _)| (*unit, *value)));
        units.map(|(unit, value)| (self.locations.unit(unit), value)).collect()
    }

    /// Adds what a thread was told, and what it did.
    fn answer<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        entry: &mut Entry,
        read: Option<u128>,
        woken: &[ThreadId],
    ) {
        let Some(operation) = system.events().last().map(|event| event.operation) else { return };
        let effects = self.effects(system, thread, &operation, read, woken);
        let mut before = self.present();
        if let Question::Woken { .. } = entry.question {
            let signalled = system.events().last().is_some_and(|event| event.before != 0);
            before.push((self.locations.waiting(thread), u64::from(signalled)));
        }
        let value = |location: Location| value_in(&before, location);
        let machine = system.machine();
        if let (Operation::Join { thread: Some(other) }, None) = (operation, read)
            && machine.thread(other).is_some_and(|other| other.position.detached == Some(thread))
        {
            // An error, of which the thread knows all that it needs.
            entry.question = Question::Nothing;
        }
        entry.result = match entry.question {
            Question::Choose { .. } => u64::from(entry.choice),
            Question::Signal { .. } => result_woken(woken.first().copied()),
            // It went through, whatever was there.
            Question::Take(_) => NOTHING,
            _ => entry.answer(value).unwrap_or(NOTHING),
        };
        entry.state = Some(entry.state_in(value));
        entry.see(&before);
        let ignored = match operation {
            Operation::Sync { op, .. } if op.is_init() => self.life.map(unit_of_life),
            _ => None,
        };
        if self.before.iter().any(|(unit, _, dead)| *dead && Some(*unit) != ignored) {
            entry.result = DEAD;
            if entry.reads.is_empty() {
                // It has done nothing; but in another order it may.
                entry.reads = self.parts(|_| true).into();
            }
        }
        entry.effects = effects.into();
    }

    fn effects<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        operation: &Operation,
        read: Option<u128>,
        woken: &[ThreadId],
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let (Some(object), true) = (self.life, read.is_some()) {
            let location = self.locations.life(object);
            let before = self.before.iter().find(|(unit, ..)| *unit == unit_of_life(object));
            let was_usable = before.is_some_and(|(.., dead)| !dead);
            match (was_usable, system.machine().is_usable(object)) {
                (true, false) => effects.push(Effect::Free(location)),
                (false, true) => effects.push(Effect::Revive(location)),
                // What sets up one that was destroyed makes it usable.
                _ if matches!(operation, Operation::Sync { op, .. } if op.is_init()) => {
                    effects.push(Effect::Revive(location));
                }
                _ => {}
            }
        }
        let wrote = system.events().last().is_some_and(|event| event.written.is_some());
        match *operation {
            Operation::Load { .. } => {}
            // One that went wrong has done nothing.
            Operation::Sync { .. } if read.is_none() => {}
            Operation::CompareExchange { .. } | Operation::Store { .. } | Operation::Rmw { .. } if !wrote => {
            }
            // It is only in the buffer.
            _ if system.events().last().is_some_and(|event| event.buffered != 0) => {}
            Operation::Spawn { .. } => {
                let number = read.and_then(|read| usize::try_from(read).ok()?.checked_sub(1));
                if let Some(child) = number.and_then(ThreadId::from_number) {
                    let part = LocationPart { location: self.locations.created(child), bits: u64::MAX };
                    effects.push(Effect::Set { part, value: 1 });
                }
            }
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                let end = address.saturating_add(size.max(1));
                let units = self.granules.units_in(address, end);
                effects.extend(units.map(|unit| Effect::Free(self.locations.unit(unit))));
            }
            Operation::Sync { op, object, .. } => {
                self.sync_effects(
                    system,
                    thread,
                    (op, object),
                    read.unwrap_or(0) as u64,
                    woken,
                    &mut effects,
                );
            }
            _ => self.set_effects(system, &mut effects),
        }
        effects
    }

    /// What an operation on a synchronisation object has done that went through with a result.
    fn sync_effects<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        (op, object): (SyncOp, u64),
        result: u64,
        woken: &[ThreadId],
        effects: &mut Vec<Effect>,
    ) {
        let first = self.before.iter().find(|(unit, ..)| *unit == object);
        let first = first.map_or(0, |(_, value, _)| *value & WORD);
        let changes = match sync::changes(op, result, first) {
            Changes::Only(changes) => changes,
            Changes::Overwritten(changes) => {
                self.set_effects(system, effects);
                changes
            }
        };
        for change in changes {
            effects.push(match *change {
                Change::Add { word, delta } => Effect::Add { part: self.word_of(object, word), delta },
                Change::Clear { word } => Effect::Set { part: self.word_of(object, word), value: 0 },
            });
        }
        match sync::waiting(op, result) {
            Waiting::Unchanged => {}
            waiting @ (Waiting::Begins | Waiting::Ends) => {
                let part = LocationPart { location: self.locations.waiting(thread), bits: u64::MAX };
                let value = if waiting == Waiting::Begins { object << 1 } else { 0 };
                effects.push(Effect::Set { part, value });
            }
            Waiting::Wakes(Waiters::One) => {
                for woken in woken {
                    effects.push(Effect::Wake { waiting: self.locations.waiting(*woken), object });
                }
            }
            Waiting::Wakes(Waiters::All) => effects.push(Effect::WakeAll { object }),
        }
    }

    /// What is in memory now, where the operation may have written.
    fn set_effects<S: System>(&mut self, system: &S, effects: &mut Vec<Effect>) {
        let written = |access: &&Access| access.mode != Mode::Read && access.granule & FACT == 0;
        let written = self.accesses.iter().filter(written);
        for (unit, bits, _) in written.flat_map(|access| self.granules.units_of(access)) {
            let part = LocationPart { location: self.locations.unit(unit), bits };
            effects.push(Effect::Set { part, value: content(system, unit).1 & bits });
        }
    }

    /// The execution. `is_over`: nobody can go on, so that who has not ended is blocked.
    pub fn execution<S: System>(&mut self, system: &S, views: &mut Explored, is_over: bool) -> Execution {
        let threads: Vec<ThreadId> = system.machine().threads().collect();
        let is_blocked = |thread: &ThreadId| is_over && status(system, *thread) == Some(Status::Pending);
        // Granules are split before any script is finished.
        threads.iter().filter(|thread| is_blocked(thread)).for_each(|thread| self.before(system, *thread));
        let scripts = threads.iter().map(|thread| self.script(system, views, is_over, *thread)).collect();
        let waiting = threads.iter().map(|thread| self.locations.waiting(*thread)).collect();
        let created = threads.iter().map(|thread| self.locations.created(*thread)).collect();
        let name = self.name_of_initial();
        Execution {
            scripts,
            initial: self.initial.clone(),
            locations: self.locations.count(),
            waiting,
            created,
            in_order: system.stores_in_order(),
            is_held_up: false,
            name,
        }
    }

    fn script<S: System>(
        &mut self,
        system: &S,
        views: &mut Explored,
        is_over: bool,
        thread: ThreadId,
    ) -> Arc<Script> {
        let status = status(system, thread);
        let ended = status == Some(Status::Finished);
        let is_blocked = is_over && status == Some(Status::Pending);
        let line = self.line(thread);
        let mut name = continued(line.names[line.entries.len()], u128::from(ended));
        let mut blocked = None;
        if let Some(operation) = system.machine().pending(thread).filter(|_| is_blocked) {
            self.before(system, thread);
            self.learn_initial();
            let mut entry = self.entry(thread, &operation, 0);
            entry.result = NEVER;
            let present = self.present();
            entry.see(&present);
            entry.drained = S::BUFFERED
                && matches!(
                    operation,
                    Operation::Rmw { .. } | Operation::CompareExchange { .. } | Operation::Sync { .. }
                );
            name = continued(name, entry.name());
            blocked = Some(Arc::new(entry));
        }
        let frees_foreign = self.frees_foreign;
        let line = &mut self.lines[thread.number()];
        self.scripts.get(name, || {
            line.remember(views, thread);
            let mut script = Script {
                thread,
                entries: line.entries.clone(),
                histories: line.histories.clone(),
                names: line.names.clone(),
                name,
                performed: line.entries.len(),
                ended,
                view: 0,
                footprints: Vec::new(),
                uses: Vec::new(),
                asks: Vec::new(),
                joins: Vec::new(),
                waits: false,
                sections: Sections::default(),
                decisive: Vec::new(),
                delays: false,
            };
            script.entries.extend(blocked);
            script.outline();
            if frees_foreign {
                // Nobody is alone in a section that others can open.
                script.sections = Sections::default();
            }
            script
        })
    }

    /// A name of what is unlike the first time.
    fn name_of_initial(&mut self) -> u128 {
        self.first.resize(self.locations.count(), None);
        let mut sum = 0_u128;
        for (location, value, dead) in &self.initial {
            if *self.first[*location as usize].get_or_insert((*value, *dead)) != (*value, *dead) {
                sum = sum.wrapping_add(name(u64::from(*location) << 1 | u64::from(*dead), *value));
            }
        }
        sum
    }

    /// Who took a step, and what it was told.
    pub fn step(&self, number: usize) -> Option<(Agent, u64)> {
        self.taken.get(number).map(|taken| (taken.agent, taken.result))
    }
}
