//! Axiomatic models: threads run by themselves, and an execution graph answers their reads.
//!
//! An [`Axiomatic`] system is a machine with a [`Graph`]. A step of a thread adds one node: a read says from which write it
//! reads, a write where it stands in modification order. The model ([`Axioms`]) says which nodes may be added; the
//! explorer decides which are. Nodes are added along program order and reads-from, so the machine always executes an
//! operation after all that it depends on.
//!
//! The machine's memory holds, for each location, what the last write in modification order has left. What a thread reads
//! is in the graph. What an operation on a synchronisation object does is found out by trying it on the machine, in the state
//! that it reads. If it is known what a thread does when its operation has a result (`known`), the machine does not
//! execute it again until it has to (`behind`).
//!
//! A read-modify-write is a read and a write, also if it writes what it has read: others may synchronise with that write. An
//! explorer can make one that leaves the value as it is a read only ([`LOOK`]). This is right where it is part of a round of a
//! waiting loop that leads back to where it began: the execution without that round is explored, too.
//!
//! # What a choice means
//!
//! | next node | choice |
//! | --- | --- |
//! | a read | how many writes in modification order come up to its source; 0: it reads the initial value |
//! | … of a signal | in the upper bits ([`WAITER`]): which of those who wait is woken |
//! | … of an update that leaves the value as it is | with [`LOOK`]: it does not write |
//! | a write | how many come before it |
//! | anything else | which alternative |
//! | anything | [`BLOCK`]: the thread has read in vain, and waits until there is something new to read |
//!
//! An explorer asks [`Axiomatic::next`] what a thread does next, and [`Axiomatic::allows`] whether the model lets it choose this source
//! or this place. So a step is a thread and a choice, as in a schedule, and replaying needs no more.
//!
//! # Modules
//!
//! * `graph`: nodes, locations with their writes in modification order, clocks; `interrupted`: release sequences of C11 that a
//!   store of another thread has interrupted.
//! * `axioms`, `rc11`, `fences`: the models: whether a graph may grow by a node; `relation`: relations as matrices of bits, for
//!   definitions.
//! * `known`: what threads are known to do, by the results of their operations; `behind`: the machine, which performs that only
//!   when it is needed.
//! * `system`: what explorers see; `perform`: performing a step; `choices`: whether a step has a choice that a schedule says.
//! * `sync`: synchronisation objects as locations with updates; `parts`: copies, fills, and accesses in several sizes, location by
//!   location.
//! * `awaiting`: threads that await a value.
//! * `order`: memory orders as properties of nodes; `defined`: which bits of what was written were ever set.
//! * `linear`: a graph of sequential consistency as a sequence of operations; `origin`: where values come from, event by event;
//!   `aside`: setting aside what was done since a mark, to bring it back.

mod aside;
mod awaiting;
mod axioms;
mod behind;
mod choices;
mod defined;
mod fences;
mod graph;
mod known;
mod linear;
mod order;
mod origin;
mod parts;
mod perform;
mod rc11;
mod relation;
mod sync;
mod system;

pub use aside::Aside;
pub use axioms::{Axioms, Rc11, ReleaseAcquire, Sc, Tso};
pub use graph::{BEFORE, CAUSES, Cell, Draft, Graph, Id, Kind, NONE, Node, State, Thread, Waits, flag};
pub use known::Readiness;
pub use linear::{Placed, Preference};
pub use system::AxiomaticMark;

use self::aside::Keeping;
use self::behind::Behind;
use self::defined::Undefined;
use self::known::{Course, Known, LocalState, LocalStateId, SingleAccess, UNKNOWN};
use self::order::{WriteOf, mask, write_flags};
use self::sync::Effect;
use crate::awaits::LeftOut;
use crate::spin::{DEEPEST_LOOP, History, HistoryMark, ReadValue, Recognised};
use crate::{Bounds, LookAhead, ReleaseSequences, Step, System};
use selvedge_trace::{Event, Operation, SyncOp, ThreadId};
use selvedge_vm::address::GLOBALS_END;
use selvedge_vm::thread::Status;
use selvedge_vm::{Config, FaultKind, Image, Initialisation, LoadError, Machine, Stop, UnsupportedReached};
use std::marker::PhantomData;

/// The choice by which a thread waits.
pub const BLOCK: u32 = u32::MAX;

/// The choice by which a thread that awaits a value reads the last one, which is fruitless, and blocks: see [`Waits::ForRevisit`].
pub const AWAIT: u32 = BLOCK - 1;

/// From this bit on, a choice says which of those who wait is woken.
pub const WAITER: u32 = 20;

/// The bit of a choice by which an update that would leave the value as it is only reads.
pub const LOOK: u32 = 1 << 31;

/// Memory that an operation accesses: addresses and sizes.
type Ranges = [Option<(u64, u64)>; 2];

/// The memory that an operation accesses, or must be there for it.
fn ranges(operation: &Operation) -> Ranges {
    match *operation {
        Operation::Load { address, ty, .. }
        | Operation::Store { address, ty, .. }
        | Operation::Rmw { address, ty, .. }
        | Operation::CompareExchange { address, ty, .. } => [Some((address, u64::from(ty.bytes()))), None],
        Operation::Copy { to, from, size } => [Some((to, size)), Some((from, size))],
        Operation::Set { to, size, .. } => [Some((to, size)), None],
        Operation::Sync { op, object, .. } => [Some(Machine::sync_footprint(op, object)), None],
        Operation::Release { address, .. } => [Some((address, 1)), None],
        _ => [None, None],
    }
}

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
    /// Something else, with this many alternatives.
    Other(u32),
}

/// What threads have visited and read, for the recognition of waiting loops: as far as the machine has got.
#[derive(Default)]
struct Histories {
    /// By thread number.
    of_threads: Vec<History>,
    undo: Vec<(ThreadId, HistoryMark)>,
    /// The length of `undo` before the present step.
    undone: usize,
}

/// A program under an axiomatic model.
pub struct Axiomatic<'i, A: Axioms> {
    /// The machine, and how far it has got.
    machine: Machine<'i>,
    behind: Behind,
    graph: Graph,
    /// What is known of threads, and the local state of each, by number.
    known: Known,
    here: Vec<LocalStateId>,
    /// Whether what threads do depends only on the results of their operations.
    is_repeatable: bool,
    undefined: Undefined,
    /// Whether the end of the process depends on what all threads have done.
    reports_leaks: bool,
    trace: Vec<Event>,
    histories: Histories,
    bounds: Bounds,
    /// See [`parts`].
    cuts: Vec<u64>,
    /// Objects that were handed over: first address, last, and by which node.
    published: Vec<(u64, u64, Id)>,
    /// What a thread does next, if that has just been asked for.
    upcoming: Option<(u32, Next)>,
    /// How many steps were wrong, or ended their thread.
    unusual: u32,
    keeping: Keeping,
    look_ahead: LookAhead,
    left_out: LeftOut,
    model: PhantomData<A>,
}

impl<'i, A: Axioms> Axiomatic<'i, A> {
    /// The program before its first step. A fault before any visible operation is given as a stop.
    ///
    /// No location has one of the `cuts` in its middle, which are in order: see [`UnsupportedReached::cuts`].
    pub fn new(
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
        cuts: Vec<u64>,
        sequences: ReleaseSequences,
    ) -> Result<(Self, Step), LoadError> {
        let (is_repeatable, reports_leaks) = (config.initialisation == Initialisation::Ignored, config.leaks);
        let undefined = Undefined::new(config.initialisation);
        let mut system = Self {
            machine: Machine::new(image, config)?,
            behind: Behind::default(),
            graph: Graph::new(sequences),
            known: Known::default(),
            here: Vec::new(),
            is_repeatable,
            undefined,
            reports_leaks,
            trace: Vec::new(),
            histories: Histories::default(),
            bounds,
            cuts,
            published: Vec::new(),
            upcoming: None,
            unusual: 0,
            keeping: Keeping::default(),
            look_ahead: LookAhead::Off,
            left_out: LeftOut::default(),
            model: PhantomData,
        };
        system.graph.number(ThreadId::MAIN);
        system.machine.mark();
        let stop = system.machine.run(ThreadId::MAIN);
        let exits = stop == Stop::Exited;
        let step = system.halted(ThreadId::MAIN, stop);
        system.machine.take_published();
        system.learn_beginning(ThreadId::MAIN, exits, UNKNOWN);
        Ok((system, step))
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Sets the stamp of the nodes from a position on.
    pub fn restamp(&mut self, from: usize, stamp: u32) {
        self.graph.restamp(from, stamp);
    }

    /// Notes that a node is [`flag::EARLY`].
    pub fn set_early(&mut self, node: usize) {
        self.graph.set_flag(node, flag::EARLY);
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

    /// The threads that exist, in the order in which they were created.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.machine.threads()
    }

    /// The local state of a thread, by number, if it is known.
    fn known_state(&self, number: u32) -> Option<&LocalState> {
        self.known.get(*self.here.get(number as usize)?)
    }

    /// The operation that a thread is before, by number.
    fn operation(&self, number: u32) -> Option<&Operation> {
        match &self.known_state(number)?.course {
            Course::Before(operation) => Some(operation),
            _ => None,
        }
    }

    /// The operation that a thread is before.
    pub fn pending(&self, thread: ThreadId) -> Option<&Operation> {
        self.operation(self.graph.known_number(thread)?)
    }

    /// The result of a thread that has ended, as far as others can tell.
    fn result_of(&self, thread: ThreadId) -> Option<u64> {
        match self.known_state(self.graph.known_number(thread)?)?.course {
            Course::Ended { result, .. } => Some(result),
            Course::Before(Operation::WaitForOthers { result }) => Some(result),
            _ => None,
        }
    }

    /// Whether all threads have ended, or the process has.
    pub fn is_complete(&self) -> bool {
        self.behind.exits > 0 || self.machine.threads().all(|thread| self.pending(thread).is_none())
    }

    /// What a thread does next.
    pub fn next(&mut self, thread: ThreadId) -> Result<Next, Stop> {
        let number = self.graph.number(thread);
        if let Some((other, next)) = self.upcoming
            && other == number
        {
            return Ok(next);
        }
        let access = self.known_state(number).and_then(|local| local.access);
        let next = match access.filter(|_| !self.is_busy(number)) {
            Some(SingleAccess { address, size, reads }) => match self.cell(thread, address, size)? {
                Some(cell) if reads => Next::Read { cell },
                Some(cell) => Next::Write { cell, update: None },
                None => Next::Other(1),
            },
            None => {
                let Some(operation) = self.operation(number).copied() else { return Ok(Next::Nothing) };
                self.find_next(thread, number, &operation)?
            }
        };
        self.upcoming = Some((number, next));
        Ok(next)
    }

    /// What a thread does next, if that is more than a single access.
    fn find_next(&mut self, thread: ThreadId, number: u32, operation: &Operation) -> Result<Next, Stop> {
        let phase = self.phase(number);
        if phase > 0 {
            let last = self.graph.node(self.graph.last_of(number));
            if last.kind == Kind::Read && last.is(flag::UPDATE) {
                return Ok(Next::Write { cell: last.cell, update: Some(last.source) });
            }
        }
        if self.known_state(number).is_some_and(|local| local.in_section) {
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
            Operation::Sync { op: SyncOp::BarrierBlock, .. }
            | Operation::Join { .. }
            | Operation::WaitForOthers { .. } => match self.is_possible(thread) {
                true => Next::Other(1),
                false => Next::Nothing,
            },
            Operation::Sync { op: SyncOp::ConditionBlock, object, .. } => {
                match self.waits_at(number, object).filter(|_| self.is_possible(thread)) {
                    Some(cell) => Next::Read { cell },
                    None => Next::Nothing,
                }
            }
            Operation::Sync { op, object, .. } if phase == 0 => self.sync_next(thread, op, object)?,
            Operation::Sync { argument, .. } => self.sync_next(thread, SyncOp::MutexUnlock, argument)?,
            Operation::Choose { options, .. } => Next::Other(options.max(1)),
            _ => Next::Other(1),
        })
    }

    /// The location of some bytes, if they may be accessed.
    fn cell(&mut self, thread: ThreadId, address: u64, size: u32) -> Result<Option<u32>, Stop> {
        match self.graph.cell_at(address) {
            // Globals are always there.
            Some(cell) if address < GLOBALS_END && self.is_settled(cell, size) => Ok(Some(cell)),
            _ => self.find_cell(thread, address, size),
        }
    }

    /// Whether all accesses of a location have this size, and its initial value is known.
    fn is_settled(&self, cell: u32, size: u32) -> bool {
        let at = self.graph.cell(cell);
        at.size == size
            && (!self.graph.is_unused(cell)
                || at.era == Some(self.behind.era) && self.graph.rival(cell).is_none())
    }

    fn find_cell(&mut self, thread: ThreadId, address: u64, size: u32) -> Result<Option<u32>, Stop> {
        let is_open = address < GLOBALS_END || self.machine.is_shared(address, u64::from(size));
        if !is_open {
            // Only its own thread decides whether it is there.
            self.catch_up();
        }
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
            // If others can see it, it changes by operations only.
            if !is_open || self.graph.cell(cell).era != Some(self.behind.era) {
                self.catch_up();
                let state = self.look(address, size);
                let defined = self.machine.defined_bits(address, size);
                self.graph.set_initial(cell, state, defined, self.behind.era);
            }
        }
        Ok(Some(cell))
    }

    fn unsupported(&mut self, thread: ThreadId, what: String) -> Stop {
        let help = Some(
            "execution graphs do not have this; the operational models do: --model sc, tso or pso".to_owned(),
        );
        let what = format!("{what} under the model {}", A::NAME);
        self.catch_up();
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
        self.put_from(cell, self.graph.last_write(cell));
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
                    self.operation(number).map_or(0, |operation| self.read_flags(operation, source, cell));
                Draft { flags, cell, source, ..Draft::other(Kind::Read) }
            }
            Next::Write { cell, update } => {
                let at = choice as usize;
                if at == self.graph.cell(cell).writes.len() {
                    return true;
                }
                let of = if update.is_some() { WriteOf::Update } else { WriteOf::Store };
                let flags = self.operation(number).map_or(0, |operation| write_flags(operation, of));
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
            self.operation(number).filter(|operation| matches!(operation, Operation::Sync { .. })).copied();
        let gives_back = matches!(
            sync,
            Some(Operation::Sync { op, .. }) if op.needs_sole_owner()
        ) && !self.machine.allows(FaultKind::BadUnlock);
        // Nobody else can have changed what a thread holds; what it does not hold, it may find in any state. If locks may be
        // given back by anybody, neither is known.
        let mut only_last = gives_back || sync.is_some() && self.phase(number) != 0;
        let may_await = self.may_await(thread);
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
                    Effect::Looks | Effect::Fails if gives_back => {
                        only_last = false;
                        into.push(rank as u32);
                    }
                    Effect::Changes
                        if matches!(operation, Operation::Sync { op: SyncOp::ConditionSignal, .. }) =>
                    {
                        let waiters = self.waiters(cell, source).len() as u32;
                        into.extend((0..waiters).map(|waiter| rank as u32 | waiter << WAITER));
                    }
                    _ => into.push(rank as u32),
                },
                None if may_await && self.is_source_fruitless(thread, cell, source) => {}
                None => into.push(rank as u32),
            }
        }
    }

    /// Whether it is a thread's turn, by number.
    #[inline]
    pub fn readiness(&self, number: u32) -> Readiness {
        self.here.get(number as usize).map_or(Readiness::Never, |here| here.readiness)
    }

    /// Whether a thread can go on if it reads the last writes.
    pub fn is_ready(&mut self, thread: ThreadId) -> bool {
        self.is_possible(thread) && !self.is_spinning(thread)
    }

    /// If the next operation of a thread ends an object's life: the object's address and size. If another thread has ended it
    /// already, that object.
    pub fn object_to_release(&mut self, thread: ThreadId) -> Option<(u64, u64)> {
        match self.pending(thread) {
            Some(Operation::EndScope { address, size }) => return Some((*address, *size)),
            Some(Operation::Release { .. }) => {}
            _ => return None,
        }
        self.catch_up();
        let Some(Operation::Release { address, size }) = self.machine.pending(thread) else { return None };
        // The first one: the machine does not know the size of what is gone.
        let earlier = self.trace.iter().find_map(|event| match event.operation {
            Operation::Release { address: other, size } if other == address => Some(size),
            _ => None,
        });
        Some((address, earlier.unwrap_or(size)))
    }

    /// The node that has ended the life of an object that the next operation of a thread uses, if one has.
    pub fn end_of_used(&self, thread: ThreadId) -> Option<Id> {
        self.end_of(self.pending(thread)?)
    }

    /// The node that has ended the life of an object that an operation uses, if one has.
    fn end_of(&self, operation: &Operation) -> Option<Id> {
        let used = ranges(operation);
        if used == [None, None] {
            return None;
        }
        let ends = |node: &Node| {
            let (Operation::Release { address, size } | Operation::EndScope { address, size }) =
                self.trace.get(node.trace as usize)?.operation
            else {
                return None;
            };
            let end = address.saturating_add(size.max(1));
            let overlaps =
                |(start, length): &&(u64, u64)| *start < end && address < start.saturating_add(*length);
            used.iter().flatten().find(overlaps)
        };
        let nodes = self.graph.nodes().iter().zip(0..).filter(|(node, _)| node.kind == Kind::End);
        // The same memory may have been used for another local object before.
        nodes.filter(|(node, _)| ends(node).is_some()).map(|(_, id)| id).last()
    }

    /// The operations that access an object, or end its life, as their first nodes.
    pub fn accesses(&self, address: u64, size: u64) -> impl Iterator<Item = Id> + '_ {
        let inside = move |cell: &&Cell| {
            cell.address < address + size && address < cell.address + u64::from(cell.size)
        };
        let cells = self.graph.cells().iter().filter(inside);
        let accesses = cells.flat_map(|cell| cell.writes.iter().chain(&cell.reads)).copied();
        let first = |id: Id| {
            let node = self.graph.node(id);
            self.graph.threads()[node.thread as usize].nodes[(node.index - node.phase) as usize]
        };
        let ends = move |id: &Id| {
            let node = self.graph.node(*id);
            let event = (node.kind == Kind::End).then(|| self.trace.get(node.trace as usize)).flatten();
            event.is_some_and(
                |event| matches!(event.operation, Operation::Release { address: other, .. } if other == address),
            )
        };
        accesses.map(first).chain((0..self.graph.nodes().len() as Id).filter(ends))
    }

    /// Whether the next operation of a thread can go through if it reads the last writes.
    pub fn is_possible(&mut self, thread: ThreadId) -> bool {
        match self.pending(thread) {
            None => false,
            Some(operation @ Operation::Sync { .. }) => {
                let operation = *operation;
                self.is_sync_possible(thread, &operation)
            }
            Some(Operation::Join { thread: Some(other) }) => {
                // What is an error can go through: performing it says so.
                *other == thread
                    || self.machine.thread(*other).is_none()
                    || self.machine.is_detached(*other)
                    || self.result_of(*other).is_some()
            }
            Some(Operation::WaitForOthers { .. }) => self.machine.threads().all(|other| {
                let local = self.graph.known_number(other).and_then(|number| self.known_state(number));
                other == thread || local.is_some_and(|local| matches!(local.course, Course::Ended { .. }))
            }),
            Some(_) => !self.may_await(thread) || !self.awaits_in_vain(thread),
        }
    }

    /// Whether a thread would go round its loop once more if it read the last values.
    pub fn is_spinning(&mut self, thread: ThreadId) -> bool {
        let Some(count) = self.watched(thread).map(<[_]>::len) else { return false };
        (0..count).all(|at| {
            let read = self.watched(thread).map(|reads| reads[at]);
            read.is_some_and(|read| self.is_last(&read))
        })
    }

    /// Whether a value that was read is that of the last write.
    pub fn is_last(&mut self, read: &ReadValue) -> bool {
        let ReadValue { address, size, value } = *read;
        if let Some(cell) = self.graph.cell_at(address)
            && self.graph.cell(cell).size >= size
            && self.graph.last_write(cell) != NONE
            && self.machine.is_shared(address, u64::from(size))
        {
            return self.graph.state_of(cell, self.graph.last_write(cell)).low & mask(size) == value;
        }
        self.catch_up();
        self.is_current(ThreadId::MAIN, read)
    }

    /// How many operations a thread had performed at the beginning of the round of its waiting loop, if it has just
    /// ended one.
    pub fn round(&self, thread: ThreadId) -> Option<u32> {
        let local = self.known_state(self.graph.known_number(thread)?)?;
        local.round.as_ref().map(|round| round.from)
    }

    fn history(&mut self, thread: ThreadId) -> &mut History {
        let number = thread.number();
        if self.histories.of_threads.len() <= number {
            self.histories.of_threads.resize_with(number + 1, || History::new(Recognised::Again));
        }
        &mut self.histories.of_threads[number]
    }

    /// Takes a step.
    fn take_step(&mut self, thread: ThreadId, number: u32, choice: u32) -> Step {
        let Some(mut operation) = self.operation(number).copied() else { return Step::Done };
        match choice {
            BLOCK => return self.block(thread, number, &operation),
            AWAIT => return self.block_before_await(thread, number),
            _ => {}
        }
        let next = match self.next(thread) {
            Ok(next) => next,
            Err(stop) => return stop.into(),
        };
        self.upcoming = None;
        if let Operation::Release { .. } = operation {
            // What there is to release depends on others.
            self.catch_up();
            operation = self.machine.pending(thread).unwrap_or(operation);
        }
        let operation = &operation;
        let nodes = self.graph.nodes().len();
        let is_single = self.known_state(number).is_some_and(|local| local.access.is_some());
        let parts = match next {
            Next::Read { .. } | Next::Write { update: None, .. } if !is_single => self.parts(operation),
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
            Ok(()) if self.is_busy(number) || !self.is_executed() => return Step::Done,
            Ok(()) => match self.machine.thread(thread).map(|thread| thread.position.status) {
                Some(Status::Pending) => Stop::Visible,
                _ => Stop::Finished,
            },
            Err(stop) => {
                self.begin_entangled();
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
        let step = self.after(thread, number, stop);
        if step != Step::Done {
            self.entangle();
        }
        self.learn(thread, number);
        step
    }

    /// What a step comes to after its thread has run up to a stop. New threads run to their first operation.
    fn after(&mut self, thread: ThreadId, number: u32, stop: Stop) -> Step {
        let mut step = self.halted(thread, stop);
        while let Some(new) = self.machine.take_new() {
            let stop = self.machine.run(new);
            let exits = stop == Stop::Exited;
            let other = self.halted(new, stop);
            self.learn_beginning(new, exits, self.here[number as usize]);
            if step == Step::Done {
                step = other;
            }
        }
        step
    }

    fn halted(&mut self, thread: ThreadId, stop: Stop) -> Step {
        match stop {
            Stop::Visible => {
                if let Some(bound) = self.bounds.reached(&mut self.machine, thread) {
                    self.machine.halt(thread);
                    return Step::Bounded(bound);
                }
                self.arrive(thread);
                Step::Done
            }
            Stop::OutOfFuel => {
                self.machine.halt(thread);
                Step::Stopped(Stop::OutOfFuel)
            }
            stop => stop.into(),
        }
    }

    fn arrive(&mut self, thread: ThreadId) {
        if !self.machine.is_in_loop(thread, DEEPEST_LOOP) {
            return;
        }
        // What the thread has done in the same step is undone together with this.
        let is_saved = self.histories.undo.len() > self.histories.undone
            && self.histories.undo.last().is_some_and(|(last, _)| *last == thread);
        if !is_saved {
            let mark = self.history(thread).mark();
            self.histories.undo.push((thread, mark));
        }
        if let (Some(history), Some(state)) =
            (self.histories.of_threads.get_mut(thread.number()), self.machine.thread(thread))
        {
            history.arrive(&self.machine, state);
        }
    }
}

/// Whether memory has the value of the last write to a location.
fn is_as_written(machine: &Machine<'_>, graph: &Graph, cell: u32) -> bool {
    let at = graph.cell(cell);
    machine.memory.read_scalar(at.address, at.size.min(16))
        == graph.state_of(cell, graph.last_write(cell)).low
}
