//! The textbook machines. Memory is an array. A state is copied, never undone.
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
use crate::event::{Event, EventId, Kind};
use crate::interleavings::Model;
use crate::program::{Order, Outcome, Program, Statement, Test, Value};

/// A wrong use of a mutex, which ends the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A mutex is unlocked, or given back by a wait, by a thread that does not hold it.
    BadUnlock,
    /// A mutex is locked by the thread that holds it.
    Relock,
}

#[derive(Debug, Clone)]
struct Thread {
    started: bool,
    position: usize,
    events: usize,
    registers: Vec<u32>,
    /// The condition variable it waits for, until it is woken.
    waits_for: Option<usize>,
    /// The stores that have not reached memory, the oldest first.
    buffer: Vec<Buffered>,
    /// How many times stores were kept behind earlier ones, under PSO.
    epoch: usize,
}

/// A store that has not reached memory.
#[derive(Debug, Clone)]
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
}

/// What a step led to.
pub struct Stepped<'p> {
    /// The state after it.
    pub state: State<'p>,
    /// The step.
    pub event: Event,
    /// Whether it was wrong.
    pub fault: Option<Fault>,
}

impl<'p> State<'p> {
    /// The state before the first step.
    pub fn new(program: &Program, model: Model, code: &'p [Vec<Instruction>]) -> Self {
        let thread = Thread {
            started: false,
            position: 0,
            events: 0,
            registers: vec![0; program.registers],
            waits_for: None,
            buffer: Vec::new(),
            epoch: 0,
        };
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
        };
        state.start(0);
        state
    }

    fn start(&mut self, thread: usize) {
        self.threads[thread].started = true;
        self.run_private(thread);
    }

    /// Does what nobody else can see, up to the next visible operation.
    fn run_private(&mut self, thread: usize) {
        while let Some(instruction) = self.pending(thread) {
            match &instruction.action {
                Action::JumpUnless { register, test, constant, target } => {
                    let equal = self.threads[thread].registers[*register] == *constant;
                    let goes_on = equal == (*test == Test::Equal);
                    let next = if goes_on { self.threads[thread].position + 1 } else { *target };
                    self.threads[thread].position = next;
                }
                Action::Do(Statement::Assign { into, value }) => {
                    let value = self.value(thread, *value);
                    self.threads[thread].registers[*into] = value;
                    self.threads[thread].position += 1;
                }
                _ => return,
            }
            debug_assert!(!instruction.action.is_visible());
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
        let state = &self.threads[thread];
        state.started.then(|| self.code[thread].get(state.position)).flatten()
    }

    fn has_ended(&self, thread: usize) -> bool {
        let state = &self.threads[thread];
        state.started && self.pending(thread).is_none() && state.buffer.is_empty()
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
        self.memory[at].value = value;
        self.memory[at].writes.push(write);
    }

    /// For each location, the writes that have reached it, in their order.
    pub fn writes(&self) -> Vec<Vec<EventId>> {
        self.memory.iter().map(|cell| cell.writes.clone()).collect()
    }

    /// The flushes that are possible: the thread, and which of the stores in its buffer.
    pub fn flushes(&self) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        for (thread, state) in self.threads.iter().enumerate() {
            let can = |store: &usize| can_be_flushed(self.model, &state.buffer, *store);
            list.extend((0..state.buffer.len()).filter(can).map(|store| (thread, store)));
        }
        list
    }

    /// The state after a flush.
    pub fn flush(&self, thread: usize, store: usize) -> State<'p> {
        let mut state = self.clone();
        let Buffered { store, location, value, .. } = state.threads[thread].buffer.remove(store);
        state.write(location, value, store);
        state
    }

    /// The threads that wait for a condition variable, in order.
    fn waiters(&self, condition: usize) -> Vec<usize> {
        (0..self.threads.len()).filter(|t| self.threads[*t].waits_for == Some(condition)).collect()
    }

    /// The threads that can take a step.
    pub fn enabled(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|thread| self.is_enabled(*thread)).collect()
    }

    fn is_enabled(&self, thread: usize) -> bool {
        let Some(instruction) = self.pending(thread) else { return false };
        if waits_for_the_buffer(&instruction.action) && !self.threads[thread].buffer.is_empty() {
            return false;
        }
        match &instruction.action {
            // A thread that holds the mutex already can go on, into an error.
            Action::Do(Statement::Lock { mutex }) => {
                self.owners[*mutex].is_none() || self.owners[*mutex] == Some(thread)
            }
            Action::Wake { .. } => self.threads[thread].waits_for.is_none(),
            Action::Do(Statement::Down { semaphore }) => self.semaphores[*semaphore] > 0,
            Action::Do(Statement::Join { thread }) => self.has_ended(*thread),
            _ => true,
        }
    }

    /// In how many ways a thread can take its step.
    pub fn alternatives(&self, thread: usize) -> usize {
        match self.pending(thread).map(|instruction| &instruction.action) {
            Some(Action::Do(Statement::Choose { options, .. })) => *options as usize,
            Some(Action::Do(Statement::Signal { condition })) => self.waiters(*condition).len().max(1),
            _ => 1,
        }
    }

    /// The state after a step of a thread that is enabled.
    pub fn step(&self, thread: usize, alternative: usize) -> Option<Stepped<'p>> {
        let instruction = self.pending(thread)?;
        let mut state = self.clone();
        let (kind, fault) = state.perform(thread, &instruction.action, alternative);
        let index = state.threads[thread].events;
        state.threads[thread].events += 1;
        state.threads[thread].position += 1;
        state.run_private(thread);
        let source = match kind {
            Kind::Access { location, read: Some(_), .. } => Some(self.read(thread, location).1),
            Kind::TryLock { taken, .. } => Some(Source::Told(u32::from(taken))),
            Kind::Choose { value } => Some(Source::Told(value)),
            _ => None,
        };
        let event = Event { thread, index, statement: instruction.statement, kind, source };
        Some(Stepped { state, event, fault })
    }

    fn perform(&mut self, thread: usize, action: &Action, alternative: usize) -> (Kind, Option<Fault>) {
        let kind = match action {
            Action::Release { condition, mutex } => {
                if self.owners[*mutex] != Some(thread) {
                    return (Kind::Misuse { mutex: *mutex }, Some(Fault::BadUnlock));
                }
                self.owners[*mutex] = None;
                self.threads[thread].waits_for = Some(*condition);
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
            Action::JumpUnless { .. } => unreachable!("private steps are taken with the visible one before"),
        };
        (kind, None)
    }

    fn perform_statement(&mut self, thread: usize, statement: &Statement, alternative: usize) -> Kind {
        use Statement::*;
        match statement {
            Load { into, at, order } => {
                let read = self.read(thread, *at).0;
                self.threads[thread].registers[*into] = read;
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
            CompareExchange { into, at, expected, new, order } => {
                let read = self.read(thread, *at).0;
                let written = self.value(thread, *new);
                if read == *expected {
                    return self.update(thread, *into, *at, read, written, *order);
                }
                self.threads[thread].registers[*into] = read;
                access(*at, Some(read), None, order.of_failure())
            }
            Fence { order } => {
                if order.releases() {
                    self.threads[thread].epoch += 1;
                }
                Kind::Fence { order: *order }
            }
            Lock { mutex } => {
                self.owners[*mutex] = Some(thread);
                Kind::Lock { mutex: *mutex }
            }
            Unlock { mutex } => {
                self.owners[*mutex] = None;
                Kind::Unlock { mutex: *mutex }
            }
            TryLock { into, mutex } => {
                let taken = self.owners[*mutex].is_none();
                if taken {
                    self.owners[*mutex] = Some(thread);
                }
                self.threads[thread].registers[*into] = u32::from(!taken);
                Kind::TryLock { mutex: *mutex, taken }
            }
            Signal { condition } => {
                let woken = self.waiters(*condition).get(alternative).copied().into_iter().collect();
                self.wake(*condition, woken)
            }
            Broadcast { condition } => self.wake(*condition, self.waiters(*condition)),
            Post { semaphore } => {
                self.semaphores[*semaphore] += 1;
                Kind::Post { semaphore: *semaphore }
            }
            Down { semaphore } => {
                self.semaphores[*semaphore] -= 1;
                Kind::Down { semaphore: *semaphore }
            }
            Spawn { thread } => {
                self.start(*thread);
                Kind::Spawn { thread: *thread }
            }
            Join { thread } => Kind::Join { thread: *thread },
            Choose { into, .. } => {
                self.threads[thread].registers[*into] = alternative as u32;
                Kind::Choose { value: alternative as u32 }
            }
            Wait { .. } | Assign { .. } | If { .. } => unreachable!("flattening leaves none of these"),
        }
    }

    /// The event that a thread is about to perform.
    fn next_event(&self, thread: usize) -> EventId {
        (thread, self.threads[thread].events)
    }

    fn store(&mut self, thread: usize, location: usize, value: u32, order: Order) {
        let store = self.next_event(thread);
        if self.model == Model::Sc || order == Order::SeqCst {
            return self.write(location, value, store);
        }
        let state = &mut self.threads[thread];
        if order == Order::Release {
            state.epoch += 1;
        }
        state.buffer.push(Buffered { store, location, value, epoch: state.epoch });
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
        self.threads[thread].registers[into] = read;
        access(at, Some(read), Some(written), order)
    }

    fn wake(&mut self, condition: usize, woken: Vec<usize>) -> Kind {
        for thread in &woken {
            self.threads[*thread].waits_for = None;
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
            locations: self.memory.iter().map(|cell| cell.value).collect(),
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
    match action {
        Action::JumpUnless { .. } => false,
        Action::Release { .. } | Action::Wake { .. } => true,
        Action::Do(Load { .. } | Choose { .. } | Assign { .. } | If { .. }) => false,
        Action::Do(Store { order, .. } | Fence { order }) => *order == Order::SeqCst,
        Action::Do(FetchAdd { .. } | Exchange { .. } | CompareExchange { .. }) => true,
        Action::Do(Lock { .. } | Unlock { .. } | TryLock { .. }) => true,
        Action::Do(Wait { .. } | Signal { .. } | Broadcast { .. }) => true,
        Action::Do(Post { .. } | Down { .. } | Spawn { .. } | Join { .. }) => true,
    }
}
