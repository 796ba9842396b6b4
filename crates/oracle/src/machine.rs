//! The textbook machines. Memory is an array. A step changes a state in place, and writes into a journal what was there before;
//! so it can be undone. (Who follows executions in the plainest way copies the state instead.)
//!
//! * Sequential consistency: every visible operation takes effect at once.
//! * TSO and PSO: a store waits in a buffer of its thread, and reaches memory in a later step, its flush. A load
//!   takes the newest store to its location that is in the buffer of its own thread, else what is in memory.
//!
//! What is not buffered waits until the buffer of its thread is empty, and then takes effect at once: stores that
//! are sequentially consistent, read-modify-writes and compare-exchanges of any order, fences that are sequentially
//! consistent, everything that is done to mutexes, condition variables, semaphores and threads. Loads, choices and
//! weaker fences do not wait. A thread can be joined when it has nothing more to do and its buffer is empty.
//!
//! A buffer is a list of stores in the order in which they were issued. Which of them can be flushed?
//!
//! * TSO: the first.
//! * PSO: the first to its location, unless one of an earlier epoch is in the buffer. The epoch of a thread goes up
//!   with each release fence (or stronger), and before each release store.

use crate::classes::Source;
use crate::code::{Action, Instruction};
use crate::event::{Addition, Event, EventId, Kind};
use crate::interleavings::Model;
use crate::program::{Order, Outcome, Program, Statement, Value};
use crate::rounds::Loops;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A wrong use of a mutex, which ends the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A mutex is unlocked, or given back by a wait, by a thread that does not hold it.
    BadUnlock,
    /// A mutex is locked by the thread that holds it.
    Relock,
}

impl Fault {
    /// What a wrong use of a mutex by a statement is.
    pub fn of(program: &Program, (thread, statement): (usize, usize)) -> Self {
        match program.statements(thread)[statement] {
            Statement::Lock { .. } => Self::Relock,
            _ => Self::BadUnlock,
        }
    }
}

#[derive(Debug, Clone)]
struct Thread {
    /// How far it has got.
    at: Progress,
    registers: Vec<u32>,
    /// The stores that have not reached memory, the oldest first.
    buffer: Vec<Buffered>,
}

/// How far a thread has got.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    started: bool,
    position: usize,
    events: usize,
    /// The condition variable it waits for, until it is woken.
    waits_for: Option<usize>,
    /// How many times stores were kept behind earlier ones, under PSO.
    epoch: usize,
}

/// A store that has not reached memory.
#[derive(Debug, Clone, Copy)]
struct Buffered {
    store: EventId,
    location: usize,
    value: u32,
    epoch: usize,
}

/// A location in memory.
#[derive(Debug, Clone)]
struct Cell {
    value: u32,
    /// The writes that have reached it, in their order.
    writes: Vec<EventId>,
}

/// A state of a program.
#[derive(Debug, Clone)]
pub struct State<'p> {
    model: Model,
    code: &'p [Vec<Instruction>],
    memory: Vec<Cell>,
    owners: Vec<Option<usize>>,
    semaphores: Vec<u32>,
    threads: Vec<Thread>,
    /// The locations that somebody waits for: additions to these do not commute.
    waited: BTreeSet<usize>,
    /// What steps have changed.
    journal: Vec<Change>,
}

/// What was there before a step.
#[derive(Debug, Clone)]
enum Change {
    Progress {
        thread: usize,
        before: Progress,
    },
    Register {
        thread: usize,
        register: usize,
        before: u32,
    },
    /// A store was put into the buffer.
    Issued {
        thread: usize,
    },
    /// A store was taken out of the buffer.
    Flushed {
        thread: usize,
        at: usize,
        store: Buffered,
    },
    /// A write has reached memory.
    Written {
        at: usize,
        before: u32,
    },
    Owner {
        mutex: usize,
        before: Option<usize>,
    },
    Semaphore {
        semaphore: usize,
        before: u32,
    },
}

/// A step that was taken.
pub struct Stepped {
    /// The step.
    pub event: Event,
    /// Whether it was wrong.
    pub fault: Option<Fault>,
}

/// A state to go back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize);

impl<'p> State<'p> {
    /// The state before the first step.
    pub fn new(program: &Program, model: Model, code: &'p [Vec<Instruction>]) -> Self {
        let thread =
            Thread { at: Progress::default(), registers: vec![0; program.registers], buffer: Vec::new() };
        let mut state = Self {
            model,
            code,
            memory: program
                .locations
                .iter()
                .map(|value| Cell { value: *value, writes: Vec::new() })
                .collect(),
            owners: vec![None; program.mutexes],
            semaphores: vec![0; program.semaphores],
            threads: vec![thread; program.threads.len()],
            waited: BTreeSet::new(),
            journal: Vec::new(),
        };
        state.start(0);
        state.journal.clear();
        state
    }

    /// The same where additions to some locations have an order among each other.
    pub fn ordering(self, waited: &BTreeSet<usize>) -> Self {
        Self { waited: waited.clone(), ..self }
    }

    /// Adds the locations of which threads await other values than they would read.
    pub fn add_waited(&self, into: &mut BTreeSet<usize>) {
        for thread in 0..self.threads.len() {
            if let Some(Instruction { action: Action::Do(access), until: Some(until), .. }) =
                self.pending(thread)
                && let Statement::Load { at, .. }
                | Statement::Exchange { at, .. }
                | Statement::CompareExchange { at, .. } = access
                && !until.ends_with(self.read(thread, *at).0, |value| self.value(thread, value))
            {
                into.insert(*at);
            }
        }
    }

    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Goes back: undoes all steps since.
    pub fn undo(&mut self, mark: Mark) {
        while self.journal.len() > mark.0
            && let Some(change) = self.journal.pop()
        {
            match change {
                Change::Progress { thread, before } => self.threads[thread].at = before,
                Change::Register { thread, register, before } => {
                    self.threads[thread].registers[register] = before;
                }
                Change::Issued { thread } => drop(self.threads[thread].buffer.pop()),
                Change::Flushed { thread, at, store } => self.threads[thread].buffer.insert(at, store),
                Change::Written { at, before } => {
                    self.memory[at].value = before;
                    self.memory[at].writes.pop();
                }
                Change::Owner { mutex, before } => self.owners[mutex] = before,
                Change::Semaphore { semaphore, before } => self.semaphores[semaphore] = before,
            }
        }
    }

    /// How far a thread has got, to be changed.
    fn progress(&mut self, thread: usize) -> &mut Progress {
        self.journal.push(Change::Progress { thread, before: self.threads[thread].at });
        &mut self.threads[thread].at
    }

    fn set_register(&mut self, thread: usize, register: usize, value: u32) {
        let before = std::mem::replace(&mut self.threads[thread].registers[register], value);
        self.journal.push(Change::Register { thread, register, before });
    }

    fn set_owner(&mut self, mutex: usize, owner: Option<usize>) {
        let before = std::mem::replace(&mut self.owners[mutex], owner);
        self.journal.push(Change::Owner { mutex, before });
    }

    fn set_semaphore(&mut self, semaphore: usize, value: u32) {
        let before = std::mem::replace(&mut self.semaphores[semaphore], value);
        self.journal.push(Change::Semaphore { semaphore, before });
    }

    fn start(&mut self, thread: usize) {
        self.progress(thread).started = true;
        self.run_private(thread);
    }

    /// Does what nobody else can see, up to the next visible operation.
    fn run_private(&mut self, thread: usize) {
        while let Some(instruction) = self.pending(thread) {
            match &instruction.action {
                Action::JumpUnless { register, test, value, target } => {
                    let other = self.value(thread, *value);
                    let goes_on = test.holds(self.threads[thread].registers[*register], other);
                    let next = if goes_on { self.threads[thread].at.position + 1 } else { *target };
                    self.progress(thread).position = next;
                }
                Action::Round => self.progress(thread).position += 1,
                Action::Do(Statement::Assign { into, value }) => {
                    let value = self.value(thread, *value);
                    self.set_register(thread, *into, value);
                    self.progress(thread).position += 1;
                }
                _ => return,
            }
            debug_assert!(!instruction.action.is_visible());
        }
    }

    /// What a thread does; what has an index, at the location that it has now.
    fn resolved(&self, thread: usize, action: &'p Action) -> Cow<'p, Action> {
        match action {
            Action::Do(Statement::Indexed { register, count, access }) => {
                let index = self.threads[thread].registers[*register] as usize % count;
                Cow::Owned(Action::Do(access.moved(index)))
            }
            other => Cow::Borrowed(other),
        }
    }

    fn value(&self, thread: usize, value: Value) -> u32 {
        match value {
            Value::Constant(number) => number,
            Value::Sum(register, number) => self.threads[thread].registers[register] + number,
        }
    }

    /// The next operation of a thread that has been started and has not ended.
    pub fn pending(&self, thread: usize) -> Option<&'p Instruction> {
        let at = &self.threads[thread].at;
        at.started.then(|| self.code[thread].get(at.position)).flatten()
    }

    /// Whether a thread was cut: it would begin one more round of a loop than it may.
    pub fn is_cut(&self) -> bool {
        let is_cut = |thread: usize| {
            let next = self.pending(thread).map(|instruction| &instruction.action);
            matches!(next, Some(Action::Cut { .. }))
        };
        (0..self.threads.len()).any(is_cut)
    }

    /// Whether a thread may stay in a loop for ever; `events` are all so far.
    pub fn may_stay(&self, thread: usize, loops: &Loops<'_>, events: &[Event]) -> bool {
        let own = events.iter().filter(|event| event.thread == thread);
        let registers = self.threads[thread].registers.len();
        let is_free = |mutex: usize| self.owners[mutex].is_none();
        self.pending(thread).is_some()
            && loops.may_stay(thread, own, registers, |at| self.memory[at].value, is_free)
    }

    fn has_ended(&self, thread: usize) -> bool {
        let state = &self.threads[thread];
        state.at.started && self.pending(thread).is_none() && state.buffer.is_empty()
    }

    /// What a thread reads at a location, and where that comes from.
    fn read(&self, thread: usize, at: usize) -> (u32, Source) {
        let own = self.threads[thread].buffer.iter().rev().find(|store| store.location == at);
        match (own, self.memory[at].writes.last()) {
            (Some(own), _) => (own.value, Source::Write(own.store)),
            (None, Some(write)) => (self.memory[at].value, Source::Write(*write)),
            (None, None) => (self.memory[at].value, Source::Initial),
        }
    }

    /// A write reaches memory.
    fn write(&mut self, at: usize, value: u32, write: EventId) {
        let before = std::mem::replace(&mut self.memory[at].value, value);
        self.memory[at].writes.push(write);
        self.journal.push(Change::Written { at, before });
    }

    /// For each location, the writes that have reached it, in their order.
    pub fn writes(&self) -> Vec<Vec<EventId>> {
        self.memory.iter().map(|cell| cell.writes.clone()).collect()
    }

    /// The writes that have reached a location, in their order.
    pub fn writes_to(&self, at: usize) -> &[EventId] {
        &self.memory[at].writes
    }

    /// The flushes that are possible: the thread, and which of the stores in its buffer.
    pub fn flushes(&self) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        for (thread, state) in self.threads.iter().enumerate() {
            let can = |store: &usize| self.can_be_flushed(thread, *store);
            list.extend((0..state.buffer.len()).filter(can).map(|store| (thread, store)));
        }
        list
    }

    /// How many stores are in the buffer of a thread.
    pub fn buffered(&self, thread: usize) -> usize {
        self.threads[thread].buffer.len()
    }

    /// Whether a store in the buffer of a thread can reach memory now.
    pub fn can_be_flushed(&self, thread: usize, store: usize) -> bool {
        can_be_flushed(self.model, &self.threads[thread].buffer, store)
    }

    /// The values in memory.
    pub fn memory(&self) -> impl Iterator<Item = u32> {
        self.memory.iter().map(|cell| cell.value)
    }

    /// A store of a buffer reaches memory; returns its location.
    pub fn flush(&mut self, thread: usize, at: usize) -> usize {
        let flushed = self.threads[thread].buffer.remove(at);
        self.journal.push(Change::Flushed { thread, at, store: flushed });
        let Buffered { store, location, value, .. } = flushed;
        self.write(location, value, store);
        location
    }

    /// The threads that wait for a condition variable, in order.
    fn waiters(&self, condition: usize) -> impl Iterator<Item = usize> {
        (0..self.threads.len()).filter(move |t| self.threads[*t].at.waits_for == Some(condition))
    }

    /// The threads that can take a step.
    pub fn enabled(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|thread| self.is_enabled(*thread)).collect()
    }

    /// Whether a thread can take a step.
    pub fn is_enabled(&self, thread: usize) -> bool {
        let Some(instruction) = self.pending(thread) else { return false };
        if waits_for_the_buffer(&instruction.action) && !self.threads[thread].buffer.is_empty() {
            return false;
        }
        match &instruction.action {
            // What it would read would only send it round again.
            Action::Do(Statement::Load { at, .. } | Statement::Exchange { at, .. })
            | Action::Do(Statement::CompareExchange { at, .. })
                if let Some(until) = &instruction.until =>
            {
                until.ends_with(self.read(thread, *at).0, |value| self.value(thread, value))
            }
            // A thread that holds the mutex already can go on, into an error.
            Action::Do(Statement::Lock { mutex }) => {
                self.owners[*mutex].is_none() || self.owners[*mutex] == Some(thread)
            }
            Action::Wake { .. } => self.threads[thread].at.waits_for.is_none(),
            Action::Do(Statement::Down { semaphore }) => self.semaphores[*semaphore] > 0,
            Action::Do(Statement::Join { thread }) => self.has_ended(*thread),
            Action::Cut { .. } => false,
            _ => true,
        }
    }

    /// In how many ways a thread can take its step.
    pub fn alternatives(&self, thread: usize) -> usize {
        match self.pending(thread).map(|instruction| &instruction.action) {
            Some(Action::Do(Statement::Choose { options, .. })) => *options as usize,
            Some(Action::Do(Statement::Signal { condition })) => self.waiters(*condition).count().max(1),
            _ => 1,
        }
    }

    /// A thread that is enabled takes its step.
    pub fn step(&mut self, thread: usize, alternative: usize) -> Option<Stepped> {
        let instruction = self.pending(thread)?;
        let action = self.resolved(thread, &instruction.action);
        let source = self.source(thread, &action);
        let index = self.threads[thread].at.events;
        let (kind, fault) = self.perform(thread, &action, alternative);
        let progress = self.progress(thread);
        progress.events += 1;
        progress.position += 1;
        self.run_private(thread);
        let source = match kind {
            Kind::Access { read: Some(_), .. } => source,
            Kind::TryLock { taken, .. } => Some(Source::Result(u32::from(taken))),
            Kind::Choose { value } => Some(Source::Result(value)),
            _ => None,
        };
        let addition = match (instruction.is_unused, &kind) {
            (true, Kind::Access { location, .. }) if self.waited.contains(location) => Addition::Ordered,
            (true, _) => Addition::Commutes,
            (false, _) => Addition::No,
        };
        let event = Event { thread, index, statement: instruction.statement, kind, source, addition };
        Some(Stepped { event, fault })
    }

    /// Where an access reads from.
    fn source(&self, thread: usize, action: &Action) -> Option<Source> {
        use Statement::*;
        match action {
            Action::Do(Load { at, .. } | FetchAdd { at, .. } | Exchange { at, .. })
            | Action::Do(CompareExchange { at, .. }) => Some(self.read(thread, *at).1),
            _ => None,
        }
    }

    fn perform(&mut self, thread: usize, action: &Action, alternative: usize) -> (Kind, Option<Fault>) {
        let kind = match action {
            Action::Release { condition, mutex } => {
                if self.owners[*mutex] != Some(thread) {
                    return (Kind::Misuse { mutex: *mutex }, Some(Fault::BadUnlock));
                }
                self.set_owner(*mutex, None);
                self.progress(thread).waits_for = Some(*condition);
                Kind::Release { condition: *condition, mutex: *mutex }
            }
            Action::Wake { condition } => Kind::Wake { condition: *condition },
            Action::Do(Statement::Lock { mutex }) if self.owners[*mutex] == Some(thread) => {
                return (Kind::Misuse { mutex: *mutex }, Some(Fault::Relock));
            }
            Action::Do(Statement::Unlock { mutex }) if self.owners[*mutex] != Some(thread) => {
                return (Kind::Misuse { mutex: *mutex }, Some(Fault::BadUnlock));
            }
            Action::Do(statement) => self.perform_statement(thread, statement, alternative),
            Action::JumpUnless { .. } | Action::Round => {
                unreachable!("private steps are taken with the visible one before")
            }
            Action::Cut { .. } => unreachable!("who is cut takes no step"),
        };
        (kind, None)
    }

    fn perform_statement(&mut self, thread: usize, statement: &Statement, alternative: usize) -> Kind {
        use Statement::*;
        match statement {
            Load { into, at, order } => {
                let read = self.read(thread, *at).0;
                self.set_register(thread, *into, read);
                access(*at, Some(read), None, *order)
            }
            Store { at, value, order } => {
                let written = self.value(thread, *value);
                self.store(thread, *at, written, *order);
                access(*at, None, Some(written), *order)
            }
            FetchAdd { into, at, add, order } => {
                let read = self.read(thread, *at).0;
                self.update(thread, *into, *at, read, read + add, *order)
            }
            Exchange { into, at, value, order } => {
                let read = self.read(thread, *at).0;
                let written = self.value(thread, *value);
                self.update(thread, *into, *at, read, written, *order)
            }
            CompareExchange { into, at, expected, new, order, succeeded } => {
                let read = self.read(thread, *at).0;
                let written = self.value(thread, *new);
                let succeeds = read == self.value(thread, *expected);
                let kind = match succeeds {
                    true => self.update(thread, *into, *at, read, written, *order),
                    false => {
                        self.set_register(thread, *into, read);
                        access(*at, Some(read), None, order.of_failure())
                    }
                };
                if let Some(succeeded) = succeeded {
                    self.set_register(thread, *succeeded, u32::from(succeeds));
                }
                kind
            }
            Fence { order } => {
                if order.releases() {
                    self.progress(thread).epoch += 1;
                }
                Kind::Fence { order: *order }
            }
            Lock { mutex } => {
                self.set_owner(*mutex, Some(thread));
                Kind::Lock { mutex: *mutex }
            }
            Unlock { mutex } => {
                self.set_owner(*mutex, None);
                Kind::Unlock { mutex: *mutex }
            }
            TryLock { into, mutex } => {
                let taken = self.owners[*mutex].is_none();
                if taken {
                    self.set_owner(*mutex, Some(thread));
                }
                self.set_register(thread, *into, u32::from(!taken));
                Kind::TryLock { mutex: *mutex, taken }
            }
            Signal { condition } => {
                let woken = self.waiters(*condition).nth(alternative).into_iter().collect();
                self.wake(*condition, woken)
            }
            Broadcast { condition } => {
                let woken = self.waiters(*condition).collect();
                self.wake(*condition, woken)
            }
            Post { semaphore } => {
                self.set_semaphore(*semaphore, self.semaphores[*semaphore] + 1);
                Kind::Post { semaphore: *semaphore }
            }
            Down { semaphore } => {
                self.set_semaphore(*semaphore, self.semaphores[*semaphore] - 1);
                Kind::Down { semaphore: *semaphore }
            }
            Spawn { thread } => {
                self.start(*thread);
                Kind::Spawn { thread: *thread }
            }
            Join { thread } => Kind::Join { thread: *thread },
            Choose { into, .. } => {
                self.set_register(thread, *into, alternative as u32);
                Kind::Choose { value: alternative as u32 }
            }
            Wait { .. } | Assign { .. } | If { .. } | Await { .. } | Loop { .. } | Indexed { .. } => {
                unreachable!("flattening and resolving leave none of these")
            }
        }
    }

    /// The event that a thread is about to perform.
    fn next_event(&self, thread: usize) -> EventId {
        (thread, self.threads[thread].at.events)
    }

    fn store(&mut self, thread: usize, location: usize, value: u32, order: Order) {
        let store = self.next_event(thread);
        if self.model == Model::Sc || order == Order::SeqCst {
            return self.write(location, value, store);
        }
        if order == Order::Release {
            self.progress(thread).epoch += 1;
        }
        let state = &mut self.threads[thread];
        state.buffer.push(Buffered { store, location, value, epoch: state.at.epoch });
        self.journal.push(Change::Issued { thread });
    }

    /// A read and a write in one step.
    fn update(
        &mut self,
        thread: usize,
        into: usize,
        at: usize,
        read: u32,
        written: u32,
        order: Order,
    ) -> Kind {
        self.write(at, written, self.next_event(thread));
        self.set_register(thread, into, read);
        access(at, Some(read), Some(written), order)
    }

    fn wake(&mut self, condition: usize, woken: Vec<usize>) -> Kind {
        for thread in &woken {
            self.progress(*thread).waits_for = None;
        }
        Kind::Signal { condition, woken }
    }

    /// Whether all threads have ended, and all stores have reached memory.
    pub fn is_complete(&self) -> bool {
        (0..self.threads.len()).all(|thread| self.has_ended(thread))
    }

    /// The statements at which threads are.
    pub fn stuck(&self) -> Vec<(usize, usize)> {
        let place = |thread| self.pending(thread).map(|instruction| (thread, instruction.statement));
        (0..self.threads.len()).filter_map(place).collect()
    }

    /// What main sees after it has joined all threads.
    pub fn outcome(&self, program: &Program) -> Outcome {
        let values = |thread: usize| {
            let live = program.live_registers(thread);
            live.into_iter().map(move |register| (thread, register, self.threads[thread].registers[register]))
        };
        Outcome {
            locations: self.memory().collect(),
            registers: (0..self.threads.len()).flat_map(values).collect(),
        }
    }
}

fn access(location: usize, read: Option<u32>, written: Option<u32>, order: Order) -> Kind {
    Kind::Access { location, read, written, order }
}

/// Whether a store of a buffer can reach memory now.
fn can_be_flushed(model: Model, buffer: &[Buffered], store: usize) -> bool {
    let (before, store) = (&buffer[..store], &buffer[store]);
    match model {
        Model::Sc => false,
        Model::Tso => before.is_empty(),
        Model::Pso => {
            let oldest_of_its_location = before.iter().all(|other| other.location != store.location);
            // What was issued later is of no earlier epoch.
            let of_the_earliest_epoch = before.iter().all(|other| other.epoch == store.epoch);
            oldest_of_its_location && of_the_earliest_epoch
        }
    }
}

/// Whether this is done only when all stores of the thread have reached memory.
fn waits_for_the_buffer(action: &Action) -> bool {
    use Statement::*;
    let Action::Do(statement) = action else {
        return matches!(action, Action::Release { .. } | Action::Wake { .. });
    };
    match statement.access() {
        Load { .. } | Choose { .. } | Assign { .. } | If { .. } | Await { .. } => false,
        Loop { .. } | Indexed { .. } => false,
        Store { order, .. } | Fence { order } => *order == Order::SeqCst,
        FetchAdd { .. } | Exchange { .. } | CompareExchange { .. } => true,
        Lock { .. } | Unlock { .. } | TryLock { .. } => true,
        Wait { .. } | Signal { .. } | Broadcast { .. } => true,
        Post { .. } | Down { .. } | Spawn { .. } | Join { .. } => true,
    }
}
