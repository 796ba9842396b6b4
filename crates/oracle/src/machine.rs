//! The textbook machine for sequential consistency: memory is an array, and every visible operation takes
//! effect at once. A state is copied, never undone.

use crate::code::{Action, Instruction};
use crate::event::{Event, Kind};
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
}

/// A state of a program.
#[derive(Debug, Clone)]
pub struct State<'p> {
    code: &'p [Vec<Instruction>],
    memory: Vec<u32>,
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
    pub fn new(program: &Program, code: &'p [Vec<Instruction>]) -> Self {
        let registers = vec![0; program.registers];
        let thread = Thread { started: false, position: 0, events: 0, registers, waits_for: None };
        let mut state = Self {
            code,
            memory: program.locations.clone(),
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
        self.threads[thread].started && self.pending(thread).is_none()
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
        let event = Event { thread, index, statement: instruction.statement, kind };
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
                let read = self.memory[*at];
                self.threads[thread].registers[*into] = read;
                access(*at, Some(read), None, *order)
            }
            Store { at, value, order } => {
                let written = self.value(thread, *value);
                self.memory[*at] = written;
                access(*at, None, Some(written), *order)
            }
            FetchAdd { into, at, add, order } => {
                let read = self.memory[*at];
                self.update(thread, *into, *at, read, read + add, *order)
            }
            Exchange { into, at, value, order } => {
                let read = self.memory[*at];
                let written = self.value(thread, *value);
                self.update(thread, *into, *at, read, written, *order)
            }
            CompareExchange { into, at, expected, new, order } => {
                let read = self.memory[*at];
                let written = self.value(thread, *new);
                if read == *expected {
                    return self.update(thread, *into, *at, read, written, *order);
                }
                self.threads[thread].registers[*into] = read;
                access(*at, Some(read), None, order.of_failure())
            }
            Fence { order } => Kind::Fence { order: *order },
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
        self.memory[at] = written;
        self.threads[thread].registers[into] = read;
        access(at, Some(read), Some(written), order)
    }

    fn wake(&mut self, condition: usize, woken: Vec<usize>) -> Kind {
        for thread in &woken {
            self.threads[*thread].waits_for = None;
        }
        Kind::Signal { condition, woken }
    }

    /// Whether all threads have ended.
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
            locations: self.memory.clone(),
            registers: (0..self.threads.len()).flat_map(values).collect(),
        }
    }
}

fn access(location: usize, read: Option<u32>, written: Option<u32>, order: Order) -> Kind {
    Kind::Access { location, read, written, order }
}
