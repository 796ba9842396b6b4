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
mod origin;
mod parts;
mod rc11;
mod relation;

pub use aside::Aside;
pub use axioms::{Axioms, Rc11, ReleaseAcquire, Sc, Tso};
pub use graph::{BEFORE, CAUSES, Cell, Draft, Graph, Id, Kind, NONE, Node, State, flag};

use crate::operational::Outcome;
use crate::spin::{DEEPEST_LOOP, History, HistoryMark, ReadValue};
use crate::{End, RaceFound, ReadsFrom, Step, System, WaitingStore};
use selvedge_program::{FenceOrder, LoadOrder, RmwOrder, StoreOrder};
use selvedge_trace::{Agent, Completion, Event, Operation, SyncOp, ThreadId};
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

/// What an operation on a synchronisation object in some state does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It has to wait.
    Waits,
    /// It leaves the state as it is.
    Looks,
    /// It changes the state.
    Changes,
    /// It is an error.
    Fails,
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

    fn sync_next(&mut self, thread: ThreadId, op: SyncOp, object: u64) -> Result<Next, Stop> {
        let (address, size) = Machine::sync_footprint(op, object);
        Ok(match self.cell(thread, address, size as u32)? {
            Some(cell) => Next::Read { cell },
            None => Next::Other(1),
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

    /// The properties of the read that a thread does next.
    fn read_flags(&self, operation: &Operation, source: Id, cell: u32) -> u16 {
        match *operation {
            Operation::Load { order, .. } => load_flags(order),
            Operation::Rmw { order, .. } => update_flags(order) & !flag::RELEASE,
            Operation::CompareExchange { expected, ty, success, failure, .. } => {
                let value = self.graph.state_of(cell, source).low;
                let mask = mask(ty.bytes());
                match value & mask == expected & mask {
                    true => update_flags(success) & !flag::RELEASE,
                    false => load_flags(failure) | flag::AT_ONCE,
                }
            }
            Operation::Sync { .. } => flag::SYNC | flag::AT_ONCE,
            _ => 0,
        }
    }

    /// Whether the thread's operation can go on if it reads a source; what it would do to the object.
    fn effect(&mut self, thread: ThreadId, operation: &Operation, cell: u32, source: Id) -> Effect {
        let Operation::Sync { op, argument, .. } = *operation else { return Effect::Looks };
        let number = self.graph.number(thread);
        if self.phase(number) != 0 {
            return Effect::Changes;
        }
        match op {
            SyncOp::ConditionSignal | SyncOp::ConditionBroadcast => {
                let waits = !self.waiters(cell, source).is_empty();
                if waits { Effect::Changes } else { Effect::Looks }
            }
            SyncOp::ConditionRelease => {
                let owner = self.machine.owner_of(SyncOp::MutexUnlock, argument);
                if owner == Some(thread) { Effect::Changes } else { Effect::Fails }
            }
            SyncOp::ConditionBlock => {
                let waits = self.waiters(cell, source).contains(&number);
                let may_end = argument != 0 || self.machine.may_wake_by_itself(thread);
                let wakes = source != NONE && self.waker(cell, number) == Some(source);
                match (wakes, waits && may_end) {
                    (true, _) => Effect::Looks,
                    (false, true) => Effect::Changes,
                    (false, false) => Effect::Waits,
                }
            }
            _ => {
                let mark = self.machine.mark();
                let state = self.graph.state_of(cell, source);
                self.put(cell, state);
                let effect = match self.machine.is_enabled(thread) {
                    false => Effect::Waits,
                    true => match self.machine.answer(thread, operation, 0) {
                        Err(_) => Effect::Fails,
                        Ok(_) => {
                            let at = self.graph.cell(cell);
                            match self.look(at.address, at.size) == state {
                                true => Effect::Looks,
                                false => Effect::Changes,
                            }
                        }
                    },
                };
                self.machine.rewind(&mark);
                self.machine.take_woken();
                effect
            }
        }
    }

    /// The threads that wait for a condition variable after a source, by number, in the order of their names.
    fn waiters(&self, cell: u32, source: Id) -> Vec<u32> {
        let writes = &self.graph.cell(cell).writes[..self.graph.rank(cell, source)];
        let mut waiters = Vec::new();
        for write in writes {
            let node = self.graph.node(*write);
            match Waiting::of(node.state) {
                Waiting::Begins => waiters.push(node.thread),
                Waiting::Ends => waiters.retain(|waiter| *waiter != node.thread),
                Waiting::Wakes(thread) => waiters.retain(|waiter| *waiter != thread),
                Waiting::WakesAll => waiters.clear(),
            }
        }
        waiters.sort_by_key(|waiter| self.graph.threads()[*waiter as usize].id);
        waiters
    }

    /// Who has woken a thread that waits for a condition variable.
    fn waker(&self, cell: u32, number: u32) -> Option<Id> {
        let writes = &self.graph.cell(cell).writes;
        let begin = writes.iter().rposition(|write| {
            let node = self.graph.node(*write);
            node.thread == number && matches!(Waiting::of(node.state), Waiting::Begins)
        })?;
        writes[begin..].iter().copied().find(|write| match Waiting::of(self.graph.node(*write).state) {
            Waiting::Wakes(thread) => thread == number,
            Waiting::WakesAll => true,
            _ => false,
        })
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

    /// The thread waits, after it has looked in vain.
    fn block(&mut self, thread: ThreadId, number: u32, operation: &Operation) -> Step {
        let since = self.graph.newest();
        let mut from = self.graph.threads()[number as usize].nodes.len() as u32;
        match self.round(thread) {
            Some(round) => {
                let nodes = &self.graph.threads()[number as usize].nodes;
                let in_round = |id: &&Id| {
                    let node = self.graph.node(**id);
                    node.trace != NONE && self.trace[node.trace as usize].index >= round
                };
                from -= nodes.iter().rev().take_while(in_round).count() as u32;
            }
            None => {
                if let Operation::Sync { op, object, .. } = *operation
                    && let Ok(Some(cell)) = {
                        let (address, size) = Machine::sync_footprint(op, object);
                        self.cell(thread, address, size as u32)
                    }
                {
                    let source = self.graph.last_write(cell);
                    let flags = flag::SYNC | flag::AT_ONCE;
                    self.graph.push(number, Draft { flags, cell, source, ..Draft::other(Kind::Read) });
                    self.graph.close(number, self.trace.len() as u32);
                }
            }
        }
        self.graph.push(number, Draft::other(Kind::Block { from, since }));
        self.graph.close(number, self.trace.len() as u32);
        Step::Done
    }

    /// A read: its first part, or all of it.
    fn read(&mut self, thread: ThreadId, operation: &Operation, cell: u32, choice: u32) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let phase = self.phase(number);
        let rank = choice as usize & ((1 << WAITER) - 1);
        let source = self.graph.of_rank(cell, rank).unwrap_or(self.graph.last_write(cell));
        let state = self.graph.state_of(cell, source);
        let is_last = source == self.graph.last_write(cell);
        let stale = if is_last { 0 } else { flag::STALE };
        let flags = self.read_flags(operation, source, cell) | stale;
        let draft = Draft { flags, phase, cell, source, state, ..Draft::other(Kind::Read) };
        if let Operation::Sync { op, .. } = *operation {
            return self.sync_read(thread, number, operation, op, draft, choice >> WAITER, is_last);
        }
        if !is_last {
            self.put(cell, state);
        }
        let answer = self.machine.answer(thread, operation, 0);
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let next = match (operation, &answer) {
            (Operation::Rmw { .. } | Operation::CompareExchange { .. }, Ok(_)) => self.look(address, size),
            _ => state,
        };
        let writes = match (operation, &answer) {
            // A thread that waits by writing what is there (test-and-set) has only looked: see the opening comment.
            (Operation::Rmw { .. }, Ok(_)) => next != state || !self.machine.is_in_loop(thread, DEEPEST_LOOP),
            (Operation::CompareExchange { .. }, Ok(Completion::Exchanged { success, .. })) => *success,
            _ => false,
        };
        if !is_last || writes {
            self.put_last(cell);
        }
        if writes {
            let flags = flags | flag::UPDATE | flag::OPEN;
            self.graph.push(number, Draft { flags, next, ..draft });
            self.note_published();
            return Ok(());
        }
        self.graph.push(number, draft);
        let completion = answer?;
        self.finish(thread, number, operation, completion, 0, state.low)
    }

    #[allow(clippy::too_many_arguments, reason = "what belongs to one step")]
    fn sync_read(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        op: SyncOp,
        draft: Draft,
        waiter: u32,
        is_last: bool,
    ) -> Result<(), Stop> {
        let Draft { cell, source, .. } = draft;
        match self.effect(thread, operation, cell, source) {
            Effect::Changes => {
                let next = match op {
                    SyncOp::ConditionSignal if draft.phase == 0 => {
                        let chosen = self.waiters(cell, source).get(waiter as usize).copied();
                        Waiting::Wakes(chosen.unwrap_or(0)).state(waiter)
                    }
                    SyncOp::ConditionBroadcast => Waiting::WakesAll.state(0),
                    SyncOp::ConditionRelease if draft.phase == 0 => Waiting::Begins.state(0),
                    SyncOp::ConditionBlock => Waiting::Ends.state(0),
                    _ => State::default(),
                };
                let acquires = if takes(op) && draft.phase == 0 { flag::ACQUIRE } else { 0 };
                let flags = draft.flags | flag::UPDATE | flag::OPEN | acquires;
                self.graph.push(number, Draft { flags, next, ..draft });
                if op == SyncOp::RwReadLock || op == SyncOp::RwTryReadLock {
                    self.acquire_from_writers(cell, source);
                }
                Ok(())
            }
            Effect::Looks if op == SyncOp::ConditionBlock => {
                self.graph.push(number, Draft { kind: Kind::Wake, ..draft });
                let completion = self.machine.answer(thread, operation, 0)?;
                self.finish(thread, number, operation, completion, 0, 0)
            }
            Effect::Looks => {
                let acquires = if op == SyncOp::OnceBegin { flag::ACQUIRE } else { 0 };
                self.graph.push(number, Draft { flags: draft.flags | acquires, ..draft });
                let signal = matches!(op, SyncOp::ConditionSignal | SyncOp::ConditionBroadcast);
                let completion = match signal {
                    true => Completion::Value(0),
                    false => {
                        if !is_last {
                            self.put(cell, draft.state);
                        }
                        let answer = self.machine.answer(thread, operation, 0);
                        if !is_last {
                            self.put_last(cell);
                        }
                        answer?
                    }
                };
                self.finish(thread, number, operation, completion, 0, draft.state.low)
            }
            Effect::Fails | Effect::Waits => {
                self.graph.push(number, Draft::other(Kind::Other));
                if !is_last {
                    self.put(cell, draft.state);
                }
                let answer = self.machine.answer(thread, operation, 0);
                if !is_last {
                    self.put_last(cell);
                }
                let completion = answer?;
                self.finish(thread, number, operation, completion, 0, draft.state.low)
            }
        }
    }

    /// A reader of a readers-writer lock comes after the writers before it, but not after other readers.
    fn acquire_from_writers(&mut self, cell: u32, source: Id) {
        let writes = self.graph.cell(cell).writes[..self.graph.rank(cell, source)].to_vec();
        for write in writes {
            let node = self.graph.node(write);
            let before = self.graph.state_of(cell, node.source).low as u32;
            if before != 0 && node.state.low as u32 == 0 {
                self.graph.also_before(write);
            }
        }
    }

    /// The write of an update.
    fn update(&mut self, thread: ThreadId, operation: &Operation, cell: u32, source: Id) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let read = *self.graph.node(self.graph.last_of(number));
        let at = self.graph.rank(cell, source);
        let flags = write_flags(operation, true);
        let phase = read.phase + 1;
        let draft = Draft { flags, phase, cell, source, state: read.next, at, ..Draft::other(Kind::Write) };
        let Operation::Sync { op, .. } = *operation else {
            self.graph.push(number, draft);
            self.put_last(cell);
            let completion = match operation {
                Operation::CompareExchange { .. } => {
                    Completion::Exchanged { old: read.state.low, success: true }
                }
                _ => Completion::Value(read.state.low),
            };
            return self.finish(thread, number, operation, completion, 0, read.state.low);
        };
        if phase == 1 {
            let releases = if gives(op) { flag::RELEASE } else { 0 };
            let choice = (read.next.high & 0xffff) * u32::from(op == SyncOp::ConditionSignal);
            let answer = self.machine.answer(thread, operation, choice);
            let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
            let condition = matches!(
                op,
                SyncOp::ConditionSignal
                    | SyncOp::ConditionBroadcast
                    | SyncOp::ConditionRelease
                    | SyncOp::ConditionBlock
            );
            let state = if condition { read.next } else { self.look(address, size) };
            let open = if op == SyncOp::ConditionRelease { flag::OPEN } else { 0 };
            self.graph.push(number, Draft { flags: flags | releases | open, state, ..draft });
            let completion = answer?;
            if open != 0 {
                return Ok(());
            }
            return self.finish(thread, number, operation, completion, choice, read.state.low);
        }
        // The second half of a wait: the mutex, which the machine has given back already.
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let state = self.look(address, size);
        self.graph.push(number, Draft { flags: flags | flag::RELEASE, state, ..draft });
        self.finish(thread, number, operation, Completion::Value(0), 0, read.state.low)
    }

    fn store(&mut self, thread: ThreadId, operation: &Operation, cell: u32, choice: u32) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let before = self.graph.state_of(cell, self.graph.last_write(cell));
        let last = self.graph.cell(cell).writes.len();
        let at = (choice as usize).min(last);
        let answer = self.machine.answer(thread, operation, 0);
        let state = match *operation {
            Operation::Store { value, ty, .. } => State { low: value & mask(ty.bytes()), high: 0 },
            _ => before,
        };
        let flags = write_flags(operation, false);
        self.graph.push(number, Draft { flags, cell, state, at, ..Draft::other(Kind::Write) });
        self.put_last(cell);
        let completion = answer?;
        self.finish(thread, number, operation, completion, 0, before.low)
    }

    /// Anything but an access to a location.
    fn other(&mut self, thread: ThreadId, operation: &Operation, choice: u32) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let kind = match *operation {
            Operation::Fence { .. } => Kind::Fence,
            Operation::Choose { .. } => Kind::Choose(choice),
            Operation::Join { thread: Some(other) } => match self.graph.known_number(other) {
                Some(other) if other != number => Kind::Join(other),
                _ => Kind::Other,
            },
            Operation::Spawn { .. } => {
                let children = self.machine.thread(thread).map_or(0, |thread| thread.position.children);
                match ThreadId::child(thread, children) {
                    Some(child) => Kind::Spawn(self.graph.number(child)),
                    None => Kind::Other,
                }
            }
            _ => Kind::Other,
        };
        let flags = match *operation {
            Operation::Release { .. } => flag::AT_ONCE | flag::PLAIN,
            Operation::Fence { order } => match order {
                FenceOrder::Acquire => flag::ACQUIRE,
                FenceOrder::Release => flag::RELEASE,
                FenceOrder::AcqRel => flag::ACQUIRE | flag::RELEASE,
                FenceOrder::SeqCst => flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST | flag::AT_ONCE,
            },
            Operation::Choose { .. } | Operation::Assume { .. } | Operation::Yield => 0,
            _ => flag::AT_ONCE,
        };
        let leaves_barrier = match *operation {
            Operation::Sync { op: SyncOp::BarrierBlock, object, .. } => self.last_arrival(number, object),
            _ => None,
        };
        match leaves_barrier {
            Some((cell, source)) => {
                let flags = flag::ACQUIRE | flag::SYNC | flag::AT_ONCE;
                self.graph.push(number, Draft { flags, cell, source, ..Draft::other(Kind::Wake) })
            }
            None => self.graph.push(number, Draft { flags, ..Draft::other(kind) }),
        };
        if let Operation::WaitForOthers { .. } = operation {
            let others = 0..self.graph.threads().len() as u32;
            let last: Vec<Id> = others.map(|other| self.graph.last_of(other)).collect();
            last.into_iter().filter(|id| *id != NONE).for_each(|id| self.graph.also_before(id));
        }
        let completion = self.machine.answer(thread, operation, choice)?;
        self.finish(thread, number, operation, completion, choice, 0)
    }

    /// The arrival at a barrier that has let a thread go.
    fn last_arrival(&self, number: u32, object: u64) -> Option<(u32, Id)> {
        let cell = self.graph.cell_at(object)?;
        let writes = &self.graph.cell(cell).writes;
        let own = writes.iter().rposition(|write| self.graph.node(*write).thread == number)?;
        // The last one sets the number of those who have arrived to zero.
        let is_last = |write: &&Id| (self.graph.node(**write).state.low >> 32) as u32 == 0;
        writes[own..].iter().find(is_last).map(|write| (cell, *write))
    }

    /// Takes note of objects that others can reach from now on.
    fn note_published(&mut self) {
        let last = self.graph.nodes().len() as Id - 1;
        for (start, size) in self.machine.take_published() {
            self.published.push((start, start + size, last));
            // What a thread has stored to its own object in atomic operations may be seen by whoever gets it.
            let kept = self.machine.is_on_heap(start);
            let machine = &self.machine;
            self.graph.renew(start, start + size, |graph, cell| kept && is_as_written(machine, graph, cell));
        }
    }

    /// The operation is complete, and the thread goes on.
    fn finish(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        completion: Completion,
        choice: u32,
        before: u128,
    ) -> Result<(), Stop> {
        self.note_published();
        let written = match (operation, self.graph.nodes().last()) {
            (Operation::Copy { .. } | Operation::Set { .. }, _) => None,
            (Operation::Store { value, ty, .. }, _) => Some(*value & mask(ty.bytes())),
            (_, Some(node)) if node.kind == Kind::Write && !node.is(flag::SYNC) => Some(node.state.low),
            _ => None,
        };
        let read = match completion {
            Completion::Value(value) | Completion::Exchanged { old: value, .. } => Some(value),
            Completion::Done => None,
        };
        self.record(thread, number, operation, choice, before, read, written);
        let in_loop = self.machine.is_in_loop(thread, DEEPEST_LOOP);
        let history = self.history(thread);
        if in_loop || !history.ignores(operation) {
            let mark = history.mark();
            self.undo.push((thread, mark));
            let result = match completion {
                Completion::Value(value) => value,
                _ => 0,
            };
            let seen = match operation {
                Operation::Load { .. } => result,
                // Of the state of an object, the first bytes are looked at.
                Operation::Sync { .. } => before & u128::from(u64::MAX),
                _ => before,
            };
            let changed = written.is_some_and(|written| written != before);
            let outcome = Outcome { before: seen, changed, buffered: false, result };
            self.history(thread).step(operation, &outcome);
        }
        match self.machine.complete(thread, completion) {
            Stop::Visible | Stop::Finished | Stop::Exited => Ok(()),
            stop => Err(stop),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what belongs to one event")]
    fn record(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        choice: u32,
        before: u128,
        read: Option<u128>,
        written: Option<u128>,
    ) {
        let position = self.trace.len() as u32;
        self.graph.close(number, position);
        self.trace.push(Event {
            thread,
            index: self.machine.thread(thread).map_or(0, |thread| thread.position.events),
            operation: *operation,
            read,
            written,
            before,
            buffered: 0,
            forwarded: 0,
            drained: false,
            atomic_section: false,
            choice,
            span: self.machine.place(thread),
        });
        self.find_races(number, operation);
    }

    /// Looks for races of the operation that a thread has just performed.
    fn find_races(&mut self, number: u32, operation: &Operation) {
        self.race = match *operation {
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Rmw { .. }
            | Operation::CompareExchange { .. }
            | Operation::Copy { .. }
            | Operation::Set { .. } => {
                // If nobody has accessed the last location in plain operations, nobody has the others of the operation.
                let last = self.graph.last_of(number);
                if last == NONE || !self.graph.may_race(last) {
                    self.race = None;
                    return;
                }
                let nodes = self.graph.threads()[number as usize].nodes.iter().rev().copied();
                let position = self.trace.len() as u32 - 1;
                let own = nodes.take_while(|id| self.graph.node(*id).trace == position);
                own.filter_map(|id| self.race_of(id)).last()
            }
            Operation::Release { address, size } => self.race_of_release(number, address, size),
            _ => None,
        };
    }

    /// Whether a node may happen at the same time as something else.
    fn is_unknown(&self, node: &Node, to: Id) -> bool {
        let (thread, clock) = (self.graph.node(to).thread, self.graph.clock(to, BEFORE));
        node.thread != thread && node.index >= clock[node.thread as usize]
    }

    /// The race of a node.
    fn race_of(&self, id: Id) -> Option<RaceFound> {
        let node = self.graph.node(id);
        if node.cell == NONE {
            return None;
        }
        let cell = self.graph.cell(node.cell);
        let (address, size) = (cell.address, u64::from(cell.size));
        let race = |first: u32, by_publication| RaceFound {
            first: first as usize,
            by_publication,
            second: node.trace as usize,
            address,
            size,
        };
        if let Some(other) = self.graph.race(id) {
            return Some(race(self.graph.node(other).trace, false));
        }
        if !node.is(flag::PLAIN) {
            return None;
        }
        let over = |(start, end, _): &&(u64, u64, Id)| *start < address + size && address < *end;
        let handed = self.published.iter().rev().find(over).map(|(_, _, id)| self.graph.node(*id))?;
        (self.is_unknown(handed, id) && handed.trace != NONE).then(|| race(handed.trace, true))
    }

    /// The race of the end of an object's life, which a thread has just brought about.
    fn race_of_release(&self, number: u32, address: u64, size: u64) -> Option<RaceFound> {
        let id = self.graph.last_of(number);
        let inside =
            |cell: &&Cell| cell.address < address + size && address < cell.address + u64::from(cell.size);
        let mut accesses = self
            .graph
            .cells()
            .iter()
            .filter(inside)
            .flat_map(|cell| cell.writes.iter().chain(&cell.reads))
            .map(|id| self.graph.node(*id));
        let race = |node: &Node, by_publication| RaceFound {
            first: node.trace as usize,
            by_publication,
            second: self.trace.len() - 1,
            address,
            size,
        };
        if let Some(node) = accesses.find(|node| self.is_unknown(node, id) && node.trace != NONE) {
            return Some(race(node, false));
        }
        let over = |(start, end, _): &&(u64, u64, Id)| *start < address + size && address < *end;
        let handed = self.published.iter().rev().find(over).map(|(_, _, id)| self.graph.node(*id))?;
        (self.is_unknown(handed, id) && handed.trace != NONE).then(|| race(handed, true))
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

/// What a change of a condition variable does; kept as its state.
#[derive(Debug, Clone, Copy)]
enum Waiting {
    /// Its thread waits.
    Begins,
    /// Its thread waits no more: the time is up.
    Ends,
    /// It wakes a thread.
    Wakes(u32),
    /// It wakes all.
    WakesAll,
}

impl Waiting {
    /// As a state; `choice`: which of those who wait it was.
    fn state(self, choice: u32) -> State {
        let (kind, thread) = match self {
            Self::Begins => (1, 0),
            Self::Ends => (2, 0),
            Self::Wakes(thread) => (3, thread),
            Self::WakesAll => (4, 0),
        };
        State { low: kind | u128::from(thread) << 8, high: choice }
    }

    fn of(state: State) -> Self {
        match state.low & 0xff {
            1 => Self::Begins,
            2 => Self::Ends,
            3 => Self::Wakes((state.low >> 8) as u32),
            _ => Self::WakesAll,
        }
    }
}

/// Whether an operation that changes an object takes something that others have given.
fn takes(op: SyncOp) -> bool {
    use SyncOp::*;
    matches!(
        op,
        MutexLock
            | MutexTryLock
            | MutexTimedLock
            | RwWriteLock
            | RwTryWriteLock
            | SemaphoreWait
            | SemaphoreTryWait
            | BarrierArrive
            | SpinLock
            | SpinTryLock
            | OnceBegin
    )
}

/// Whether an operation that changes an object gives something to those who take it later.
fn gives(op: SyncOp) -> bool {
    use SyncOp::*;
    !matches!(
        op,
        MutexLock
            | MutexTryLock
            | MutexTimedLock
            | RwReadLock
            | RwTryReadLock
            | RwWriteLock
            | RwTryWriteLock
            | SemaphoreWait
            | SemaphoreTryWait
            | SpinLock
            | SpinTryLock
            | OnceBegin
            | ConditionRelease
            | ConditionBlock
    )
}

/// Whether what is in a location is what was written there last.
fn is_as_written(machine: &Machine<'_>, graph: &Graph, cell: u32) -> bool {
    let at = graph.cell(cell);
    machine.memory.read_scalar(at.address, at.size.min(16))
        == graph.state_of(cell, graph.last_write(cell)).low
}

/// The bits of some bytes.
fn mask(bytes: u32) -> u128 {
    if bytes >= 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 }
}

fn load_flags(order: LoadOrder) -> u16 {
    match order {
        LoadOrder::Plain => flag::PLAIN,
        LoadOrder::Relaxed => 0,
        LoadOrder::Acquire => flag::ACQUIRE,
        LoadOrder::SeqCst => flag::ACQUIRE | flag::SEQ_CST,
    }
}

fn update_flags(order: RmwOrder) -> u16 {
    flag::AT_ONCE
        | match order {
            RmwOrder::Relaxed => 0,
            RmwOrder::Acquire => flag::ACQUIRE,
            RmwOrder::Release => flag::RELEASE,
            RmwOrder::AcqRel => flag::ACQUIRE | flag::RELEASE,
            RmwOrder::SeqCst => flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST,
        }
}

/// The properties of a write of an operation; whether it belongs to an update.
fn write_flags(operation: &Operation, update: bool) -> u16 {
    let flags = match *operation {
        Operation::Store { order, .. } => match order {
            StoreOrder::Plain => flag::PLAIN,
            StoreOrder::Relaxed => 0,
            StoreOrder::Release => flag::RELEASE,
            StoreOrder::SeqCst => flag::RELEASE | flag::SEQ_CST | flag::AT_ONCE,
        },
        Operation::Rmw { order, .. } | Operation::CompareExchange { success: order, .. } => {
            update_flags(order) & !flag::ACQUIRE
        }
        Operation::Sync { .. } => flag::SYNC | flag::AT_ONCE,
        _ => 0,
    };
    if update { flags | flag::UPDATE } else { flags }
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
