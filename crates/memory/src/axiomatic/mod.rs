//! Axiomatic models: threads run by themselves, and an execution graph answers their reads.
//!
//! An [`Axiomatic`] system is a machine with a [`Graph`]. A step of a thread adds one node: a read says from which write it
//! reads, a write where it stands in modification order. Which nodes may be added is said by the model ([`Axioms`]); which
//! are, is decided by an explorer. Nodes are added along program order and reads-from, so the machine always executes an
//! operation after all that it depends on.
//!
//! The machine's memory holds, for each location, what the last write in modification order has left. A thread that reads
//! something older gets it put there for the moment. So the machine's own code performs all operations, those on
//! synchronisation objects included, and checks their addresses.
//!
//! In a loop, a read-modify-write that writes what it has read is a read: waiting threads that set what is set already
//! would otherwise see each other's writes for ever. Whatever happens, happens also if they come later and do not wait; but
//! nothing synchronises with such a write.
//!
//! # What a choice means
//!
//! | next node | choice |
//! | --- | --- |
//! | a read | how many writes in modification order come up to its source; 0: it reads the initial value |
//! | … of a signal | in the upper bits ([`WAITER`]): which of those who wait is woken |
//! | a write | how many come before it |
//! | anything else | which alternative |
//! | anything | [`BLOCK`]: the thread has looked in vain, and waits until there is something new |

mod aside;
mod axioms;
mod graph;
mod order;
mod origin;
mod parts;
mod perform;
mod races;
mod rc11;
mod relation;
mod sync;

pub use aside::Aside;
pub use axioms::{Axioms, Rc11, ReleaseAcquire, Sc, Tso};
pub use graph::{BEFORE, CAUSES, Cell, Draft, Graph, Id, Kind, NONE, Node, State, flag};

use self::order::write_flags;
use self::sync::Effect;
use crate::spin::{DEEPEST_LOOP, History, HistoryMark, ReadValue};
use crate::{End, RaceFound, ReadsFrom, Step, System, WaitingStore};
use selvedge_trace::{Agent, Event, Operation, SyncOp, ThreadId};
use selvedge_vm::thread::Status;
use selvedge_vm::{Config, Image, LoadError, Machine, Mark, Stop, UnsupportedReached};
use std::marker::PhantomData;

/// The choice by which a thread waits.
pub const BLOCK: u32 = u32::MAX;

/// From this bit on, a choice says which of those who wait is woken.
pub const WAITER: u32 = 20;

/// What a thread does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing: it has ended, or was stopped, or waits for something that is not a location.
    Nothing,
    /// It reads a location.
    Read {
        /// Which.
        cell: u32,
    },
    /// It writes a location. The write of an update comes right after what that has read.
    Write {
        /// Which.
        cell: u32,
        /// Whether it belongs to an update, and what that has read.
        update: Option<Id>,
    },
    /// Something else, with so many alternatives.
    Other(u32),
}

/// A program under an axiomatic model.
pub struct Axiomatic<'i, A: Axioms> {
    /// The machine.
    pub machine: Machine<'i>,
    graph: Graph,
    trace: Vec<Event>,
    histories: Vec<History>,
    undo: Vec<(ThreadId, HistoryMark)>,
    /// How many entries of that there were before the present step.
    undone: usize,
    unroll: Option<u32>,
    /// See [`parts`].
    cuts: Vec<u64>,
    /// Objects that were handed over: first address, last, and by which node.
    published: Vec<(u64, u64, Id)>,
    race: Option<RaceFound>,
    /// What a thread does next, if that has just been asked for.
    upcoming: Option<(ThreadId, Next, Operation)>,
    /// How many steps were wrong, or ended their thread.
    unusual: u32,
    /// See [`aside`].
    keeps: bool,
    kept: Option<Box<Aside>>,
    #[allow(clippy::vec_box, reason = "they are handed out as they are")]
    spare: Vec<Box<Aside>>,
    /// How many steps have been performed already.
    recalled: u32,
    model: PhantomData<A>,
}

/// A state of [`Axiomatic`].
#[derive(Debug, Clone, Copy)]
pub struct AxiomaticMark {
    machine: Mark,
    nodes: u32,
    newest: u32,
    trace: u32,
    undo: u32,
    published: u32,
    unusual: u32,
}

impl<'i, A: Axioms> Axiomatic<'i, A> {
    /// The program before its first step. A fault before any visible operation is given as a stop.
    ///
    /// No location has one of the `cuts` in its middle, which are in order: see [`UnsupportedReached::cuts`].
    pub fn new(
        image: &'i Image<'i>,
        config: Config,
        unroll: Option<u32>,
        cuts: Vec<u64>,
    ) -> Result<(Self, Step), LoadError> {
        let mut system = Self {
            machine: Machine::new(image, config)?,
            graph: Graph::default(),
            trace: Vec::new(),
            histories: Vec::new(),
            undo: Vec::new(),
            undone: 0,
            unroll,
            cuts,
            published: Vec::new(),
            race: None,
            upcoming: None,
            unusual: 0,
            keeps: false,
            kept: None,
            spare: Vec::new(),
            recalled: 0,
            model: PhantomData,
        };
        system.graph.number(ThreadId::MAIN);
        system.machine.mark();
        let stop = system.machine.run(ThreadId::MAIN);
        let step = system.after(ThreadId::MAIN, stop);
        system.machine.take_published();
        Ok((system, step))
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Gives the nodes from a position on a stamp.
    pub fn restamp(&mut self, from: usize, stamp: u32) {
        self.graph.restamp(from, stamp);
    }

    /// Whether a thread is in the middle of an operation.
    pub fn is_busy(&self, number: u32) -> bool {
        self.graph.is_open(number)
    }

    /// Which part of its operation a thread does next.
    fn phase(&self, number: u32) -> u32 {
        match self.is_busy(number) {
            true => self.graph.node(self.graph.last_of(number)).phase + 1,
            false => 0,
        }
    }

    /// What a thread does next.
    pub fn next(&mut self, thread: ThreadId) -> Result<Next, Stop> {
        if let Some((other, next, _)) = self.upcoming
            && other == thread
        {
            return Ok(next);
        }
        let pending = self.machine.pending(thread);
        let Some(operation) = &pending else { return Ok(Next::Nothing) };
        let next = self.find_next(thread, operation)?;
        self.upcoming = Some((thread, next, *operation));
        Ok(next)
    }

    /// The operation that a thread is before, if [`Axiomatic::next`] has just been asked for it.
    ///
    /// Operations are large: they are handed on by reference. A copy of what was written a moment ago field by field waits
    /// for all of it.
    fn operation(&self, thread: ThreadId) -> Option<&Operation> {
        match &self.upcoming {
            Some((other, _, operation)) if *other == thread => Some(operation),
            _ => None,
        }
    }

    fn find_next(&mut self, thread: ThreadId, operation: &Operation) -> Result<Next, Stop> {
        let number = self.graph.number(thread);
        let phase = self.phase(number);
        if phase > 0 {
            let last = *self.graph.node(self.graph.last_of(number));
            if last.kind == Kind::Read && last.is(flag::UPDATE) {
                return Ok(Next::Write { cell: last.cell, update: Some(last.source) });
            }
        }
        if self.machine.in_atomic_section(thread) {
            return Err(self.unsupported(thread, "an atomic section".to_owned()));
        }
        if let Some(parts) = self.parts(operation) {
            return self.next_part(thread, operation, &parts, phase as usize);
        }
        Ok(match *operation {
            Operation::Load { address, ty, .. }
            | Operation::Rmw { address, ty, .. }
            | Operation::CompareExchange { address, ty, .. } => {
                match self.cell(thread, address, ty.bytes())? {
                    Some(cell) => Next::Read { cell },
                    None => Next::Other(1),
                }
            }
            Operation::Store { address, ty, .. } => match self.cell(thread, address, ty.bytes())? {
                Some(cell) => Next::Write { cell, update: None },
                None => Next::Other(1),
            },
            Operation::Sync { op: SyncOp::BarrierBlock, .. } => {
                if self.machine.is_enabled(thread) {
                    Next::Other(1)
                } else {
                    Next::Nothing
                }
            }
            Operation::Sync { op: SyncOp::ConditionBlock, object, argument } => {
                let may_end = argument != 0 || self.machine.may_wake_by_itself(thread);
                match may_end || self.machine.is_enabled(thread) {
                    true => self.sync_next(thread, SyncOp::ConditionBlock, object)?,
                    false => Next::Nothing,
                }
            }
            Operation::Sync { op, object, .. } if phase == 0 => self.sync_next(thread, op, object)?,
            Operation::Sync { argument, .. } => self.sync_next(thread, SyncOp::MutexUnlock, argument)?,
            Operation::Join { .. } | Operation::WaitForOthers { .. } => {
                if self.machine.is_enabled(thread) {
                    Next::Other(1)
                } else {
                    Next::Nothing
                }
            }
            Operation::Choose { .. } => Next::Other(self.machine.choices(thread)),
            _ => Next::Other(1),
        })
    }

    /// The location of some bytes, if they may be accessed.
    fn cell(&mut self, thread: ThreadId, address: u64, size: u32) -> Result<Option<u32>, Stop> {
        if self.machine.memory.first_inaccessible(address, u64::from(size)).is_some() {
            return Ok(None);
        }
        if let Some(cell) = self.graph.cell_at(address)
            && !self.graph.is_unused(cell)
            && self.machine.is_on_heap(address)
            && !self.machine.is_shared(address, u64::from(size))
            && !is_as_written(&self.machine, &self.graph, cell)
        {
            // The thread has written to its own object in plain operations since.
            self.graph.renew(address, address + u64::from(size), |_, _| false);
        }
        let cell = match self.graph.cell_at(address) {
            Some(cell) if self.graph.cell(cell).size == size => cell,
            Some(cell) if !self.graph.is_unused(cell) => return Err(self.mixed(thread, address, size)),
            _ => self.graph.add_cell(address, size),
        };
        if self.graph.is_unused(cell) {
            if self.graph.rival(cell).is_some() {
                return Err(self.mixed(thread, address, size));
            }
            let state = self.look(address, size);
            self.graph.set_initial(cell, state);
        }
        Ok(Some(cell))
    }

    fn unsupported(&mut self, thread: ThreadId, what: String) -> Stop {
        let help = Some(
            "execution graphs do not have this; the operational models do: --model sc, tso or pso".to_owned(),
        );
        let what = format!("{what} under the model {}", A::NAME);
        let (span, stack) = (self.machine.place(thread), self.machine.stack(thread));
        Stop::Unsupported(Box::new(UnsupportedReached { what, help, span, stack, cuts: Vec::new() }))
    }

    /// What is in memory.
    fn look(&self, address: u64, size: u32) -> State {
        let low = self.machine.memory.read_scalar(address, size.min(16));
        let high = match size {
            20 => self.machine.memory.read_scalar(address + 16, 4) as u32,
            _ => 0,
        };
        State { low, high }
    }

    /// Puts something into memory.
    fn put(&mut self, cell: u32, state: State) {
        let at = self.graph.cell(cell);
        let (address, size) = (at.address, at.size);
        self.machine.memory.write_scalar(address, size.min(16), state.low);
        if size == 20 {
            self.machine.memory.write_scalar(address + 16, 4, u128::from(state.high));
        }
    }

    /// Puts the last state of a location into memory.
    fn put_last(&mut self, cell: u32) {
        let state = self.graph.state_of(cell, self.graph.last_write(cell));
        self.put(cell, state);
    }

    /// The lowest rank that the next read of a thread may have, and the lowest place of its next write.
    pub fn floor(&self, number: u32, cell: u32) -> usize {
        self.graph.floor(cell, self.graph.clock_of(number, A::KNOWN))
    }

    /// Whether a graph is consistent with the next node of a thread, whose choice this is.
    pub fn allows(&mut self, thread: ThreadId, choice: u32) -> bool {
        let Ok(next) = self.next(thread) else { return true };
        let number = self.graph.number(thread);
        let draft = match next {
            Next::Read { cell } => {
                let rank = choice as usize & ((1 << WAITER) - 1);
                let Some(source) = self.graph.of_rank(cell, rank) else { return false };
                if rank == self.graph.cell(cell).writes.len() {
                    return true;
                }
                let flags =
                    self.operation(thread).map_or(0, |operation| self.read_flags(operation, source, cell));
                Draft { flags, cell, source, ..Draft::other(Kind::Read) }
            }
            Next::Write { cell, update } => {
                let at = choice as usize;
                if at == self.graph.cell(cell).writes.len() {
                    return true;
                }
                let flags =
                    self.operation(thread).map_or(0, |operation| write_flags(operation, update.is_some()));
                let source = update.unwrap_or(NONE);
                Draft { flags, cell, source, at, ..Draft::other(Kind::Write) }
            }
            _ => return true,
        };
        if !A::minds(&self.graph, draft.flags) {
            return true;
        }
        let newest = self.graph.newest();
        let id = self.graph.push(number, draft);
        let allowed = A::allows(&self.graph, id);
        self.graph.pop();
        self.graph.set_newest(newest);
        allowed
    }

    /// The choices for the next read of a thread, the newest source first. `fresh`: only what was written after that
    /// stamp. What leads nowhere is left out, but not an update of what has been updated: it may take the other's place.
    pub fn sources(&mut self, thread: ThreadId, fresh: Option<u32>, into: &mut Vec<u32>) {
        let Ok(Next::Read { cell }) = self.next(thread) else { return };
        let number = self.graph.number(thread);
        let floor = self.floor(number, cell);
        let last = self.graph.cell(cell).writes.len();
        let sync =
            self.operation(thread).filter(|operation| matches!(operation, Operation::Sync { .. })).copied();
        let only_last = matches!(
            sync,
            Some(Operation::Sync { op: SyncOp::MutexUnlock | SyncOp::SpinUnlock | SyncOp::OnceEnd, .. })
        ) || self.phase(number) != 0;
        for rank in (floor..=last).rev() {
            if only_last && rank != last {
                break;
            }
            let Some(source) = self.graph.of_rank(cell, rank) else { continue };
            if fresh.is_some_and(|since| source == NONE || self.graph.node(source).stamp <= since) {
                continue;
            }
            match &sync {
                Some(operation) => match self.effect(thread, operation, cell, source) {
                    Effect::Waits => {}
                    Effect::Changes
                        if matches!(operation, Operation::Sync { op: SyncOp::ConditionSignal, .. }) =>
                    {
                        let waiters = self.waiters(cell, source).len() as u32;
                        into.extend((0..waiters).map(|waiter| rank as u32 | waiter << WAITER));
                    }
                    _ => into.push(rank as u32),
                },
                None => into.push(rank as u32),
            }
        }
    }

    /// Whether the next operation of a thread can go through as things are last.
    pub fn is_ready(&self, thread: ThreadId) -> bool {
        self.machine.is_enabled(thread) && !self.is_spinning(thread)
    }

    /// Whether a thread would go round its loop once more if it read the last values.
    pub fn is_spinning(&self, thread: ThreadId) -> bool {
        let history = self.histories.get(thread.number());
        history.is_some_and(|history| history.is_blocked(|read| self.is_current(thread, read)))
    }

    /// How many operations a thread had performed at the beginning of the round of its waiting loop, if it has just
    /// ended one.
    pub fn round(&self, thread: ThreadId) -> Option<u32> {
        self.histories.get(thread.number()).and_then(History::round)
    }

    fn history(&mut self, thread: ThreadId) -> &mut History {
        let number = thread.number();
        if self.histories.len() <= number {
            self.histories.resize(number + 1, History::default());
        }
        &mut self.histories[number]
    }

    /// Takes a step.
    fn take_step(&mut self, thread: ThreadId, choice: u32) -> Step {
        let number = self.graph.number(thread);
        let (next, operation) = match self.upcoming.take() {
            Some((other, next, operation)) if other == thread => (Ok(next), operation),
            _ => {
                let Some(operation) = self.machine.pending(thread) else { return Step::Done };
                let next =
                    if choice == BLOCK { Ok(Next::Nothing) } else { self.find_next(thread, &operation) };
                (next, operation)
            }
        };
        let operation = &operation;
        if choice == BLOCK {
            return self.block(thread, number, operation);
        }
        let next = match next {
            Ok(next) => next,
            Err(stop) => return Step::Stopped(stop),
        };
        let nodes = self.graph.nodes().len();
        let parts = match next {
            Next::Read { .. } | Next::Write { update: None, .. } => self.parts(operation),
            _ => None,
        };
        let done = match next {
            Next::Read { cell } | Next::Write { cell, update: None } if parts.is_some() => match parts {
                Some(parts) => self.perform_part(thread, operation, &parts, cell, choice),
                None => Ok(()),
            },
            Next::Read { cell } => self.read(thread, operation, cell, choice),
            Next::Write { cell, update: Some(source) } => self.update(thread, operation, cell, source),
            Next::Write { cell, update: None } => self.store(thread, operation, cell, choice),
            Next::Other(_) => self.other(thread, operation, choice),
            Next::Nothing => return Step::Done,
        };
        let stop = match done {
            Ok(()) if self.is_busy(number) => return Step::Done,
            Ok(()) => match self.machine.thread(thread).map(|thread| thread.position.status) {
                Some(Status::Pending) => Stop::Visible,
                _ => Stop::Finished,
            },
            Err(stop) => {
                if self.graph.nodes().len() == nodes {
                    self.graph.push(number, Draft::other(Kind::Other));
                }
                self.graph.shut(number);
                // The step that goes wrong is part of the execution.
                let last = self.graph.last_of(number);
                if last != NONE && self.graph.node(last).trace == NONE {
                    self.record(thread, number, operation, choice, 0, None, None);
                }
                stop
            }
        };
        self.after(thread, stop)
    }

    /// Deals with the place where a thread stopped; new threads run to their first operation.
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

    fn halted(&mut self, thread: ThreadId, stop: Stop) -> Step {
        match stop {
            Stop::Visible => {
                if let Some(bound) = self.unroll
                    && self.machine.note_visit(thread) > bound
                {
                    let place = self.machine.place(thread);
                    self.machine.halt(thread);
                    return Step::Bounded(place);
                }
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
        // What the thread has done in the same step is undone together with this.
        let is_saved =
            self.undo.len() > self.undone && self.undo.last().is_some_and(|(last, _)| *last == thread);
        if !is_saved {
            let mark = self.history(thread).mark();
            self.undo.push((thread, mark));
        }
        if let (Some(history), Some(state)) =
            (self.histories.get_mut(thread.number()), self.machine.thread(thread))
        {
            history.arrive(&self.machine, state);
        }
    }
}

/// Whether what is in a location is what was written there last.
fn is_as_written(machine: &Machine<'_>, graph: &Graph, cell: u32) -> bool {
    let at = graph.cell(cell);
    machine.memory.read_scalar(at.address, at.size.min(16))
        == graph.state_of(cell, graph.last_write(cell)).low
}

impl<A: Axioms> System for Axiomatic<'_, A> {
    type Mark = AxiomaticMark;

    const BUFFERED: bool = false;
    const FINDS_RACES: bool = true;

    fn enabled(&self, into: &mut Vec<Agent>) {
        into.clear();
        let pending = |thread: &ThreadId| self.is_enabled((*thread).into());
        into.extend(self.machine.threads().filter(pending).map(Agent::from));
    }

    fn is_enabled(&self, agent: Agent) -> bool {
        // Whether what it reads lets it go on is a matter of choice.
        self.machine.pending(agent.thread()).is_some_and(|operation| match operation {
            Operation::Join { .. } | Operation::WaitForOthers { .. } => {
                self.machine.is_enabled(agent.thread())
            }
            _ => true,
        })
    }

    fn choices(&self, _: Agent) -> u32 {
        // What they are depends on the graph.
        u32::MAX
    }

    fn accepts(&self, _: Agent, _: u32) -> bool {
        true
    }

    fn step(&mut self, agent: Agent, choice: u32) -> Step {
        self.race = None;
        if self.recalled > 0 {
            self.recalled -= 1;
            return Step::Done;
        }
        self.undone = self.undo.len();
        let step = self.take_step(agent.thread(), choice);
        self.unusual += u32::from(step != Step::Done || self.race.is_some());
        step
    }

    fn halt(&mut self, thread: ThreadId) {
        self.upcoming = None;
        self.machine.halt(thread);
    }

    fn mark(&mut self) -> AxiomaticMark {
        AxiomaticMark {
            machine: self.machine.mark(),
            nodes: self.graph.nodes().len() as u32,
            newest: self.graph.newest(),
            trace: self.trace.len() as u32,
            undo: self.undo.len() as u32,
            published: self.published.len() as u32,
            unusual: self.unusual,
        }
    }

    fn rewind(&mut self, mark: &AxiomaticMark) {
        self.upcoming = None;
        if std::mem::take(&mut self.keeps) && self.unusual == mark.unusual {
            self.set_aside(mark);
            return;
        }
        self.machine.rewind(&mark.machine);
        while self.graph.nodes().len() > mark.nodes as usize {
            self.graph.pop();
        }
        self.graph.set_newest(mark.newest);
        self.trace.truncate(mark.trace as usize);
        while self.undo.len() > mark.undo as usize {
            if let Some((thread, saved)) = self.undo.pop() {
                self.histories[thread.number()].rewind(&saved);
            }
        }
        self.published.truncate(mark.published as usize);
        self.unusual = mark.unusual;
        self.race = None;
    }

    fn events(&self) -> &[Event] {
        &self.trace
    }

    fn end(&self) -> End {
        let is_pending = |thread: &ThreadId| {
            self.machine.thread(*thread).is_some_and(|t| t.position.status == Status::Pending)
        };
        let waiting: Vec<ThreadId> = self.machine.threads().filter(is_pending).collect();
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

    fn is_current(&self, _: ThreadId, read: &ReadValue) -> bool {
        self.machine.memory.first_inaccessible(read.address, u64::from(read.size)).is_none()
            && self.machine.memory.read_scalar(read.address, read.size) == read.value
    }

    fn will_buffer(&self, _: ThreadId, _: &Operation) -> bool {
        false
    }

    fn issued(&self, _: ThreadId) -> u32 {
        0
    }

    fn forwards(&self) -> &[(u32, u16)] {
        &[]
    }

    fn waiting_stores(&self, _: ThreadId) -> Vec<WaitingStore> {
        Vec::new()
    }

    fn ready_stores(&self, _: ThreadId, _: &mut dyn FnMut(Agent)) {}

    fn take_published(&mut self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    fn take_woken(&mut self) -> Vec<ThreadId> {
        self.machine.take_woken()
    }

    fn take_race(&mut self) -> Option<RaceFound> {
        self.race.take()
    }

    fn reads_from(&self, event: usize) -> Option<ReadsFrom> {
        self.graph.reads_from(event)
    }

    fn overwritten_by(&self, event: usize) -> Option<usize> {
        self.graph.overwritten_by(event)
    }
}
