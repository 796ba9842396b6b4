//! Sequential consistency: an operation takes effect on memory at once.

use crate::spin::{DEEPEST_LOOP, History, HistoryMark, ReadValue};
use crate::{End, Step, System};
use selvedge_trace::{Completion, Event, Operation, SyncOp, ThreadId};
use selvedge_vm::thread::Status;
use selvedge_vm::{Config, Image, LoadError, Machine, Mark, Stop};

/// What an operation did to memory and to its thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// The bytes it read, as they were before.
    pub before: u128,
    /// Whether it changed them.
    pub changed: bool,
    /// The result of a call.
    pub result: u128,
}

/// A program under sequential consistency.
pub struct Sequential<'i> {
    /// The machine.
    pub machine: Machine<'i>,
    events: Vec<Event>,
    /// By thread number.
    histories: Vec<History>,
    undo: Vec<(ThreadId, HistoryMark)>,
    /// How often a thread may perform the same operation in the same call; `None`: without bound.
    unroll: Option<u32>,
}

/// A state of [`Sequential`].
#[derive(Debug, Clone, Copy)]
pub struct SequentialMark {
    machine: Mark,
    events: usize,
    undo: usize,
}

impl<'i> Sequential<'i> {
    /// The program before its first step. A fault before any visible operation is given as a stop.
    pub fn new(image: &'i Image<'i>, config: Config, unroll: Option<u32>) -> Result<(Self, Step), LoadError> {
        let machine = Machine::new(image, config)?;
        let mut system =
            Self { machine, events: Vec::new(), histories: Vec::new(), undo: Vec::new(), unroll };
        // The start is undone like a step, so that everything later is journalled.
        system.machine.mark();
        let stop = system.machine.run(ThreadId::MAIN);
        let step = system.after(ThreadId::MAIN, stop);
        Ok((system, step))
    }

    fn history(&mut self, thread: ThreadId) -> &mut History {
        let number = thread.number();
        if self.histories.len() <= number {
            self.histories.resize(number + 1, History::default());
        }
        &mut self.histories[number]
    }

    fn is_spinning(&self, thread: ThreadId) -> bool {
        self.histories.get(thread.number()).is_some_and(|history| history.is_blocked(&self.machine))
    }

    /// Whether a thread can go on, but for the atomic sections of others.
    fn can_step(&self, thread: ThreadId) -> bool {
        self.machine.is_enabled(thread) && !self.is_spinning(thread)
    }

    /// Deals with the place where a thread stopped; new threads run to their first operation. If several
    /// threads cannot go on, the first is told.
    fn after(&mut self, thread: ThreadId, stop: Stop) -> Step {
        let mut step = self.halted(thread, stop);
        while let Some(new) = self.machine.take_new() {
            let stop = self.machine.run(new);
            let other = self.halted(new, stop);
            if step == Step::Done {
                step = other;
            }
        }
        step
    }

    /// Deals with the place where a thread stopped.
    fn halted(&mut self, thread: ThreadId, stop: Stop) -> Step {
        match stop {
            Stop::Visible if self.exceeds_bound(thread) => {
                let place = self.machine.place(thread);
                self.machine.halt(thread);
                Step::Bounded(place)
            }
            Stop::Visible => {
                self.arrive(thread);
                Step::Done
            }
            Stop::Finished | Stop::Exited => Step::Done,
            Stop::Discarded => Step::Discarded,
            Stop::OutOfFuel => {
                self.machine.halt(thread);
                Step::Stopped(Stop::OutOfFuel)
            }
            stop => Step::Stopped(stop),
        }
    }

    fn arrive(&mut self, thread: ThreadId) {
        if !self.machine.is_in_loop(thread, DEEPEST_LOOP) {
            return;
        }
        let mark = self.history(thread).mark();
        self.undo.push((thread, mark));
        let mut history = std::mem::take(self.history(thread));
        if let Some(state) = self.machine.thread(thread) {
            history.arrive(&self.machine, state);
        }
        *self.history(thread) = history;
    }

    /// Whether the thread has been at its pending operation as often as it may, in the same call.
    fn exceeds_bound(&mut self, thread: ThreadId) -> bool {
        let Some(bound) = self.unroll else { return false };
        self.machine.note_visit(thread) > bound
    }

    fn bytes_before(&self, agent: ThreadId, operation: &Operation) -> u128 {
        let read = |address: u64, size: u32| match self
            .machine
            .memory
            .first_inaccessible(address, u64::from(size))
        {
            None => self.machine.memory.read_scalar(address, size),
            Some(_) => 0,
        };
        match *operation {
            Operation::Load { address, ty, .. }
            | Operation::Store { address, ty, .. }
            | Operation::Rmw { address, ty, .. }
            | Operation::CompareExchange { address, ty, .. } => read(address, ty.bytes()),
            Operation::Sync { op: SyncOp::ConditionBlock | SyncOp::BarrierBlock, .. } => {
                u128::from(self.machine.thread(agent).is_some_and(|thread| thread.position.signalled))
            }
            Operation::Sync {
                op: SyncOp::ConditionRelease | SyncOp::ConditionSignal | SyncOp::ConditionBroadcast,
                object,
                ..
            } => self.machine.waiters(object).len() as u128,
            Operation::Sync { op, object, .. } => {
                let (address, size) = Machine::sync_footprint(op, object);
                read(address, size.min(8) as u32)
            }
            _ => 0,
        }
    }
}

impl System for Sequential<'_> {
    type Mark = SequentialMark;

    fn enabled(&self, into: &mut Vec<ThreadId>) {
        into.clear();
        let mut atomic = None;
        for thread in self.machine.threads() {
            if self.can_step(thread) {
                into.push(thread);
                if self.machine.excludes_others(thread) {
                    atomic = Some(thread);
                }
            }
        }
        // Nobody else runs while a thread is in an atomic section and can go on.
        if let Some(thread) = atomic {
            into.clear();
            into.push(thread);
        }
    }

    fn is_enabled(&self, agent: ThreadId) -> bool {
        self.can_step(agent)
            && (!self.machine.image.atomic_sections
                || self.machine.excludes_others(agent)
                || !self.machine.threads().any(|other| {
                    other != agent && self.machine.excludes_others(other) && self.can_step(other)
                }))
    }

    fn choices(&self, agent: ThreadId) -> u32 {
        self.machine.choices(agent)
    }

    fn step(&mut self, agent: ThreadId, choice: u32) -> Step {
        let Some(operation) = self.machine.pending(agent) else { return Step::Done };
        let before = self.bytes_before(agent, &operation);
        let span = self.machine.place(agent);
        let atomic_section = self.machine.in_atomic_section(agent);
        let index = self.machine.thread(agent).map_or(0, |thread| thread.position.events);
        let in_loop = self.machine.is_in_loop(agent, DEEPEST_LOOP);
        let history = self.history(agent);
        let noted = in_loop || !history.ignores(&operation);
        if noted {
            let mark = history.mark();
            self.undo.push((agent, mark));
        }
        let completion = match self.machine.answer(agent, operation, choice) {
            Ok(completion) => completion,
            Err(stop) => {
                // The step that goes wrong is part of the execution.
                let (read, written) = (None, None);
                self.events.push(Event {
                    thread: agent,
                    index,
                    operation,
                    read,
                    written,
                    before,
                    atomic_section,
                    choice,
                    span,
                });
                return match stop {
                    Stop::Discarded => Step::Discarded,
                    stop => Step::Stopped(stop),
                };
            }
        };
        let changes = matches!(
            operation,
            Operation::Store { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. }
        );
        let after = if changes { self.bytes_before(agent, &operation) } else { before };
        let (read, written) = match (operation, completion) {
            (Operation::Load { .. }, Completion::Value(value)) => (Some(value), None),
            (Operation::Store { value, .. }, _) => (None, Some(value)),
            (Operation::Rmw { .. }, Completion::Value(old)) => (Some(old), Some(after)),
            (Operation::CompareExchange { new, .. }, Completion::Exchanged { old, success }) => {
                (Some(old), success.then_some(new))
            }
            (_, Completion::Value(value)) => (Some(value), None),
            _ => (None, None),
        };
        self.events.push(Event {
            thread: agent,
            index,
            operation,
            read,
            written,
            before,
            atomic_section,
            choice,
            span,
        });
        if noted {
            let result = match completion {
                Completion::Value(value) => value,
                _ => 0,
            };
            let outcome = Outcome { before, changed: before != after, result };
            self.history(agent).step(operation, &outcome);
        }
        let stop = self.machine.complete(agent, completion);
        self.after(agent, stop)
    }

    fn halt(&mut self, agent: ThreadId) {
        self.machine.halt(agent);
    }

    fn mark(&mut self) -> SequentialMark {
        SequentialMark { machine: self.machine.mark(), events: self.events.len(), undo: self.undo.len() }
    }

    fn rewind(&mut self, mark: &SequentialMark) {
        self.machine.rewind(&mark.machine);
        self.events.truncate(mark.events);
        while self.undo.len() > mark.undo {
            if let Some((thread, saved)) = self.undo.pop() {
                self.histories[thread.number()].rewind(&saved);
            }
        }
    }

    fn events(&self) -> &[Event] {
        &self.events
    }

    fn end(&self) -> End {
        let waiting: Vec<ThreadId> = self
            .machine
            .threads()
            .filter(|thread| {
                self.machine.thread(*thread).is_some_and(|t| t.position.status == Status::Pending)
            })
            .collect();
        if waiting.is_empty() || self.machine.exit_status().is_some() {
            return End::Complete;
        }
        match waiting.iter().any(|thread| self.machine.is_enabled(*thread)) {
            true => End::Livelock(waiting),
            false => End::Deadlock(waiting),
        }
    }

    fn machine(&self) -> &Machine<'_> {
        &self.machine
    }

    fn watched(&self, thread: ThreadId) -> Option<&[ReadValue]> {
        self.histories.get(thread.number()).and_then(History::watched)
    }

    fn take_published(&mut self) -> Vec<(u64, u64)> {
        self.machine.take_published()
    }

    fn take_woken(&mut self) -> Vec<ThreadId> {
        self.machine.take_woken()
    }
}
