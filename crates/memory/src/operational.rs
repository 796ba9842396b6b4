//! Operational models: operations take effect on one memory; stores at once (sequential consistency), or after a
//! while in a buffer (TSO, PSO).
//!
//! # How C maps to store buffers
//!
//! | operation | with buffers |
//! | --- | --- |
//! | load, of any order | the newest bytes in the own buffer, else memory; x86 and SPARC need no fence for acquire or seq_cst loads |
//! | store: plain, relaxed | into the buffer |
//! | store: release | into the buffer; under PSO behind all earlier ones (a new epoch). Under TSO they are in order anyway |
//! | store: seq_cst | waits until the own buffer is empty, then acts at once: x86 compiles it to an exchange |
//! | read-modify-write, compare-exchange, of any order | the same: locked instructions empty the buffer, even if they fail |
//! | fence: seq_cst | waits until the own buffer is empty |
//! | fence: release, acq_rel | under PSO a new epoch, under TSO nothing |
//! | fence: acquire | nothing: loads are in order |
//! | lock, signal, create, join, …; free | waits until the own buffer is empty: the library's own code synchronises. (An allocator hands memory on under a lock.) |
//! | end of a thread | whoever joins it waits until its buffer is empty |
//! | copy, fill | stores of up to 8 bytes; of more than [`LARGEST_COPY`] bytes, it waits for the empty buffer and acts at once |
//! | atomic section | waits for the empty buffer and acts at once |
//! | choice, assumption, yield | nothing |
//!
//! A thread that nobody else can notice any more, because it has joined all others, stores at once: nobody can tell.
//!
//! Stores to private memory act at once. Under TSO that is no difference: the store that hands an object over comes after
//! them. Under PSO it may come first. So when a store that is buffered hands an object over, the thread's stores to it
//! since the last fence or other operation that orders stores are taken back, and buffered before it.
//!
//! A store is checked when the thread performs it, and again when it arrives: if another thread has freed the object
//! meanwhile, that is an error. If the object is a local variable of the thread itself whose scope has ended, the store
//! is dropped; on the stack its place may be used for something else, which comes later in the same thread's order.
//!
//! # Stores as agents
//!
//! [`Operational`] is compiled twice: without buffers, for sequential consistency, which pays nothing for them; and with them, for
//! TSO and PSO. A store that is in a buffer has a number ([`Event::buffered`]). From then on it is an agent, [`Agent::store`], and
//! its step is the event [`Operation::Flush`]. Which of these agents are enabled is the whole difference between the two models.
//! Loads look into the own buffer, byte by byte ([`Event::forwarded`]). What needs an empty buffer ([`Event::drained`]) is not
//! enabled until it is empty.

use crate::awaits::{self, Awaits, AwaitsMark};
use crate::buffer::{self, Buffers, Discipline};
use crate::commuting::Commuting;
use crate::spin::{DEEPEST_LOOP, History, HistoryMark, ReadValue, Recognised};
use crate::{Bounds, End, LookAhead, Nothing, Step, StoreBuffers, System, WaitingStore};
use selvedge_program::{FenceOrder, Site, StoreOrder};
use selvedge_trace::sync::{Action, ObjectKind};
use selvedge_trace::{Agent, Completion, Event, Operation, ThreadId};
use selvedge_vm::thread::Status;
use selvedge_vm::{Config, Image, LoadError, Machine, Mark, PrivateStore, Stop, UnsupportedReached};

/// A copy or fill of more bytes does not go through the buffer.
pub const LARGEST_COPY: u64 = 256;

/// What an operation did to memory and to its thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationEffect {
    /// The bytes it read, as they were before.
    pub before: u128,
    /// Whether it changed them.
    pub changed: bool,
    /// Whether they are only in the buffer yet.
    pub buffered: bool,
    /// The result of a call.
    pub result: u128,
}

/// Whether a thread's history has been saved in the present step, so that what is noted in it can be undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HistorySaving {
    Done,
    Due,
}

/// The buffer's part in an operation.
#[derive(Default)]
struct Share {
    /// Which bits of a load's value are defined, if the value is not what is in memory.
    defined: Option<u128>,
    /// Which bytes of a load came from the buffer.
    forwarded: u16,
    /// The number of the store that was buffered, or of the first of several; 0: none.
    buffered: u32,
}

/// A program under sequential consistency.
pub type Sequential<'i> = Operational<'i, false>;

/// A program with store buffers.
pub type Buffered<'i> = Operational<'i, true>;

/// A program under an operational model.
pub struct Operational<'i, const BUFFERED: bool> {
    /// The machine.
    pub machine: Machine<'i>,
    events: Vec<Event>,
    /// By thread number.
    histories: Vec<History>,
    undo: Vec<(HistoryMark, ThreadId)>,
    bounds: Bounds,
    buffers: Buffers,
    /// What the last load got from the buffer.
    forwards: Vec<(u32, u16)>,
    look_ahead: LookAhead,
    awaits: Awaits,
    commuting: Commuting,
}

/// A state of [`Operational`].
#[derive(Debug, Clone, Copy)]
pub struct OperationalMark {
    machine: Mark,
    events: u32,
    undo: u32,
    buffers: u32,
    awaits: AwaitsMark,
}

impl<'i> Sequential<'i> {
    /// The program before its first step. A fault before any visible operation is given as a stop.
    pub fn new(image: &'i Image<'i>, config: Config, bounds: Bounds) -> Result<(Self, Step), LoadError> {
        Self::start(image, config, bounds, Discipline::Tso)
    }
}

impl<'i> Buffered<'i> {
    /// The program before its first step. A fault before any visible operation is given as a stop.
    pub fn new(
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
        discipline: Discipline,
    ) -> Result<(Self, Step), LoadError> {
        Self::start(image, config, bounds, discipline)
    }
}

impl<'i, const BUFFERED: bool> Operational<'i, BUFFERED> {
    fn start(
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
        discipline: Discipline,
    ) -> Result<(Self, Step), LoadError> {
        let mut system = Self {
            machine: Machine::new(
                image,
                Config { private_log: BUFFERED && discipline == Discipline::Pso, ..config },
            )?,
            events: Vec::new(),
            histories: Vec::new(),
            undo: Vec::new(),
            bounds,
            buffers: Buffers::new(discipline),
            forwards: Vec::new(),
            look_ahead: LookAhead::Off,
            awaits: Awaits::default(),
            commuting: Commuting::default(),
        };
        // The start is undone like a step, so that everything later is journalled.
        system.machine.mark();
        let stop = system.machine.run(ThreadId::MAIN);
        let step = system.after(ThreadId::MAIN, stop, HistorySaving::Due);
        Ok((system, step))
    }

    fn is_spinning(&self, thread: ThreadId) -> bool {
        let history = self.histories.get(thread.number());
        history.is_some_and(|history| history.is_blocked(|read| self.is_current(thread, read)))
    }

    /// Whether a thread can go on as far as its own operation goes: atomic sections of others aside.
    fn can_step(&self, thread: ThreadId) -> bool {
        self.machine.is_enabled(thread)
            && !self.is_spinning(thread)
            && !self.awaits_in_vain(thread)
            && (!BUFFERED || self.buffers_allow(thread))
    }

    /// Whether a thread would go round a loop of one access in vain.
    #[inline]
    fn awaits_in_vain(&self, thread: ThreadId) -> bool {
        self.awaits.of(thread).is_some_and(|waiting| {
            let seen = self.seen(thread, waiting.read.address, waiting.read.size);
            seen.is_some_and(|value| self.awaits.answer(thread, value) == Some(true))
        })
    }

    /// What a thread would read at a location now, if that is there.
    fn seen(&self, thread: ThreadId, address: u64, size: u32) -> Option<u128> {
        if self.machine.memory.first_inaccessible(address, u64::from(size)).is_some() {
            return None;
        }
        let memory = self.machine.memory.read_scalar(address, size);
        Some(match BUFFERED && !self.buffers.is_empty(thread) {
            true => self.buffers.view(thread, address, size, (memory, u128::MAX), &mut Vec::new()).value,
            false => memory,
        })
    }

    /// Finds out which threads await values, after a step, and whether what is there now is fruitless.
    fn look_at_awaits(&mut self) {
        let arrived = std::mem::take(&mut self.awaits.arrived);
        for thread in &arrived {
            self.begin_await(*thread);
        }
        self.awaits.arrived = arrived;
        self.awaits.arrived.clear();
        for thread in (0..self.histories.len()).filter_map(ThreadId::from_number) {
            let Some(read) = self.awaits.of(thread).map(|waiting| waiting.read) else { continue };
            if let Some(value) = self.seen(thread, read.address, read.size) {
                self.is_fruitless(thread, value);
            }
        }
    }

    /// Notes that a thread awaits a value, if it stands before an access where that may be.
    fn begin_await(&mut self, thread: ThreadId) {
        let Some((operation, address, size)) = awaits::may_await(&self.machine, thread) else { return };
        let value = self.seen(thread, address, size).unwrap_or(0);
        self.awaits.begin(thread, operation, ReadValue { address, size, value }, &self.events);
    }

    /// Whether the next operation of a thread need not wait for a buffer.
    fn buffers_allow(&self, thread: ThreadId) -> bool {
        let empty = self.buffers.is_empty(thread);
        // Only calls wait for the buffers of other threads.
        if empty && self.machine.is_before_access(thread) {
            return true;
        }
        let Some(operation) = self.machine.pending(thread) else { return false };
        let joined = match operation {
            // One that is detached is not waited for: joining it is an error.
            Operation::Join { thread: Some(other) } => {
                self.buffers.is_empty(other) || self.machine.is_detached(other)
            }
            Operation::WaitForOthers { .. } => self.buffers.are_others_empty(thread),
            _ => true,
        };
        joined && (empty || !self.drains(thread, &operation))
    }

    /// Whether an operation of a thread waits until the thread's buffer is empty, and acts at once.
    fn drains(&self, thread: ThreadId, operation: &Operation) -> bool {
        BUFFERED
            && match *operation {
                _ if self.machine.in_atomic_section(thread) => true,
                Operation::Load { .. }
                | Operation::EndScope { .. }
                | Operation::Yield
                | Operation::Choose { .. }
                | Operation::Assume { .. }
                | Operation::Flush { .. } => false,
                Operation::Store { order, .. } => {
                    order == StoreOrder::SeqCst || self.machine.is_alone(thread)
                }
                Operation::Copy { size, .. } | Operation::Set { size, .. } => {
                    size > LARGEST_COPY || self.machine.is_alone(thread)
                }
                Operation::Fence { order } => order == FenceOrder::SeqCst,
                Operation::Rmw { .. }
                | Operation::CompareExchange { .. }
                | Operation::Release { .. }
                | Operation::Spawn { .. }
                | Operation::Join { .. }
                | Operation::WaitForOthers { .. }
                | Operation::Sync { .. } => true,
            }
    }

    /// What a thread reads at some bytes, at most 16; notes which of them are from its buffer.
    fn view(&self, thread: ThreadId, address: u64, size: u32, sources: &mut Vec<(u32, u16)>) -> buffer::View {
        let memory =
            (self.machine.memory.read_scalar(address, size), self.machine.defined_bits(address, size));
        self.buffers.view(thread, address, size, memory, sources)
    }

    /// Performs an operation that the buffer may have a part in; `drained`: it is empty, and stays so.
    fn answer_buffered(
        &mut self,
        thread: ThreadId,
        operation: Operation,
        choice: u32,
        drained: bool,
        (site, index): (Site, u32),
        share: &mut Share,
    ) -> Result<Completion, Stop> {
        match operation {
            Operation::Load { address, ty, .. } => {
                let completion = self.machine.answer(thread, &operation, choice)?;
                if self.buffers.is_empty(thread) {
                    return Ok(completion);
                }
                let mut sources = std::mem::take(&mut self.forwards);
                let view = self.view(thread, address, ty.bytes(), &mut sources);
                self.forwards = sources;
                (share.defined, share.forwarded) = (Some(view.defined), view.forwarded);
                Ok(Completion::Value(view.value))
            }
            Operation::Store { address, ty, value, order } if !drained => {
                self.room(thread, 1)?;
                if order == StoreOrder::Release {
                    self.begin_epoch(thread);
                }
                let defined = self.machine.accept_store(thread, address, ty, value)?;
                self.expose(thread, index)?;
                share.buffered = self.issue(thread, (site, index), address, ty.bytes(), value, defined);
                Ok(Completion::Done)
            }
            Operation::Copy { to, from, size } if !drained => {
                self.machine.accept_copy(thread, to, Some(from), size)?;
                let pieces: Vec<(u64, u32)> = pieces(to, size).collect();
                self.room(thread, pieces.len() as u32)?;
                // All is read before anything is stored: the ranges may overlap.
                let mut sources = std::mem::take(&mut self.forwards);
                let views: Vec<buffer::View> = pieces
                    .iter()
                    .map(|(at, bytes)| self.view(thread, from + (at - to), *bytes, &mut sources))
                    .collect();
                // Which bytes of a long range were forwarded is not recorded: they count as read from memory.
                sources.clear();
                self.forwards = sources;
                if !self.machine.is_shared(to, size) {
                    for ((at, bytes), view) in pieces.into_iter().zip(views) {
                        self.machine.store_privately(thread, at, bytes, view.value, view.defined);
                    }
                    return Ok(Completion::Done);
                }
                for ((_, bytes), view) in pieces.iter().zip(&views) {
                    self.machine.publish_value(*bytes, view.value);
                }
                self.expose(thread, index)?;
                share.buffered = self.buffers.issued(thread) + 1;
                for ((at, bytes), view) in pieces.into_iter().zip(views) {
                    self.issue(thread, (site, index), at, bytes, view.value, view.defined);
                }
                Ok(Completion::Done)
            }
            Operation::Set { to, byte, size } if !drained => {
                self.machine.accept_copy(thread, to, None, size)?;
                let pieces: Vec<(u64, u32)> = pieces(to, size).collect();
                self.room(thread, pieces.len() as u32)?;
                share.buffered = self.buffers.issued(thread) + 1;
                let value = u128::from(u64::from(byte) * 0x0101_0101_0101_0101);
                for (at, bytes) in pieces {
                    let value = value & (u128::MAX >> (128 - 8 * bytes));
                    self.issue(thread, (site, index), at, bytes, value, u128::MAX);
                }
                Ok(Completion::Done)
            }
            Operation::Fence { order } => {
                if matches!(order, FenceOrder::Release | FenceOrder::AcqRel) {
                    self.begin_epoch(thread);
                }
                self.machine.answer(thread, &operation, choice)
            }
            operation => self.machine.answer(thread, &operation, choice),
        }
    }

    /// Makes later stores of a thread arrive after all earlier ones.
    fn begin_epoch(&mut self, thread: ThreadId) {
        self.buffers.begin_epoch(thread);
        self.buffers.settle(thread, self.machine.private_stores().len());
    }

    /// Buffers what a thread has stored to objects that it hands over just now, if that may arrive later.
    fn expose(&mut self, thread: ThreadId, index: u32) -> Result<(), Stop> {
        let log = self.machine.private_stores();
        if log.is_empty() || self.machine.published().is_empty() {
            return Ok(());
        }
        let published = self.machine.published();
        let is_exposed = |store: &&PrivateStore| {
            store.thread == thread
                && published.iter().any(|(start, size)| store.address.wrapping_sub(*start) < *size)
        };
        let from = self.buffers.settled(thread).min(log.len());
        let exposed: Vec<PrivateStore> = log[from..].iter().filter(is_exposed).copied().collect();
        self.room(thread, exposed.len() as u32)?;
        exposed.iter().rev().for_each(|store| self.machine.take_back(store));
        for store in exposed {
            let PrivateStore { address, size, after: (value, defined), site, .. } = store;
            let store = buffer::Buffered {
                address,
                size,
                value,
                defined,
                number: 0,
                epoch: 0,
                site,
                index,
                dead: false,
            };
            self.buffers.issue(thread, store);
        }
        Ok(())
    }

    fn room(&self, thread: ThreadId, count: u32) -> Result<(), Stop> {
        if self.buffers.has_room(thread, count) {
            return Ok(());
        }
        let what = format!("a thread that stores more than {} times in one execution", Agent::MOST_STORES);
        let help = Some("under TSO and PSO the stores of a thread are numbered".to_owned());
        let (span, stack) = (self.machine.place(thread), self.machine.stack(thread));
        Err(Stop::Unsupported(Box::new(UnsupportedReached { what, help, span, stack, cuts: Vec::new() })))
    }

    fn issue(
        &mut self,
        thread: ThreadId,
        (site, index): (Site, u32),
        address: u64,
        size: u32,
        value: u128,
        defined: u128,
    ) -> u32 {
        let store =
            buffer::Buffered { address, size, value, defined, number: 0, epoch: 0, site, index, dead: false };
        self.buffers.issue(thread, store)
    }

    /// A store of a thread reaches memory.
    fn flush(&mut self, thread: ThreadId, number: u32) -> Step {
        let Some(store) = self.buffers.take(thread, number) else { return Step::Done };
        let buffer::Buffered { address, size, value, defined, epoch, .. } = store;
        let lane = self.buffers.lane(&store);
        let operation = Operation::Flush { address, size, value, store: number, lane, epoch };
        let before = self.read_memory(address, size);
        self.events.push(Event {
            thread,
            index: store.index,
            operation,
            read: None,
            written: Some(value),
            before,
            buffered: 0,
            forwarded: 0,
            drained: false,
            atomic_section: false,
            choice: 0,
            site: store.site,
        });
        if store.dead {
            return Step::Done;
        }
        match self.machine.arrive_store(thread, address, size, value, defined) {
            Ok(()) => Step::Done,
            Err(Stop::Fault(mut fault)) => {
                fault.span = self.machine.image.sites.span(store.site);
                fault.message =
                    format!("{} (the store was buffered, and reaches memory only now)", fault.message);
                Step::Stopped(Stop::Fault(fault))
            }
            Err(Stop::Allowed { kind, .. }) => {
                Stop::Allowed { kind, span: self.machine.image.sites.span(store.site) }.into()
            }
            Err(stop) => stop.into(),
        }
    }

    /// Drops buffered stores to local variables of a thread whose scope has ended.
    fn bury(&mut self, thread: ThreadId) {
        if BUFFERED && !self.buffers.is_empty(thread) {
            let machine = &self.machine;
            self.buffers.bury(thread, |store| {
                machine.is_on_stack_of(thread, store.address)
                    && !machine.is_shared(store.address, u64::from(store.size))
            });
        }
    }

    /// Takes a step.
    fn perform(&mut self, agent: Agent, choice: u32) -> Step {
        let thread = agent.thread();
        if BUFFERED {
            self.forwards.clear();
            if let Some(number) = agent.number() {
                return self.flush(thread, number);
            }
        }
        // By reference: copying what was written just now makes the processor wait. The same goes for the
        // answer below.
        let pending = self.machine.pending(thread);
        let Some(operation) = &pending else { return Step::Done };
        let before = self.bytes_before(thread, operation);
        let in_loop = self.machine.is_in_loop(thread, DEEPEST_LOOP);
        let index = self.machine.thread(thread).map_or(0, |thread| thread.position.events);
        let drained = self.drains(thread, operation);
        let site = self.machine.site(thread);
        // A step that goes wrong is part of the execution, too.
        let event = self.events.len();
        self.events.push(Event {
            thread,
            index,
            operation: *operation,
            read: None,
            written: None,
            before,
            buffered: 0,
            forwarded: 0,
            drained,
            atomic_section: self.machine.in_atomic_section(thread),
            choice,
            site,
        });
        let history = of_thread(&mut self.histories, thread);
        let saving = match in_loop || !history.ignores(operation) {
            true => HistorySaving::Done,
            false => HistorySaving::Due,
        };
        if saving == HistorySaving::Done {
            self.undo.push((history.mark(), thread));
        }
        if BUFFERED && drained {
            self.buffers.settle(thread, self.machine.private_stores().len());
        }
        let mut share = Share::default();
        let answer = match BUFFERED {
            true => self.answer_buffered(thread, *operation, choice, drained, (site, index), &mut share),
            false => self.machine.answer(thread, operation, choice),
        };
        let completion = match &answer {
            Ok(completion) => completion,
            Err(stop) => return stop.clone().into(),
        };
        // The bytes that it accesses, as they are now.
        let after = match (operation, completion) {
            (Operation::Store { ty, value, .. }, _) if share.buffered == 0 => value & bytes_mask(ty.bytes()),
            (Operation::CompareExchange { ty, new, .. }, Completion::Exchanged { success: true, .. }) => {
                new & bytes_mask(ty.bytes())
            }
            (Operation::Rmw { .. }, _) => self.bytes_before(thread, operation),
            _ => before,
        };
        let event = &mut self.events[event];
        match (operation, completion) {
            (Operation::Store { value, .. }, _) => event.written = Some(*value),
            (Operation::Rmw { .. }, Completion::Value(old)) => {
                (event.read, event.written) = (Some(*old), Some(after));
                self.commuting.note(operation);
            }
            (Operation::CompareExchange { new, .. }, Completion::Exchanged { old, success }) => {
                (event.read, event.written) = (Some(*old), success.then_some(*new));
            }
            (_, Completion::Value(value)) => event.read = Some(*value),
            _ => {}
        }
        if BUFFERED {
            (event.forwarded, event.buffered) = (share.forwarded, share.buffered);
        }
        if saving == HistorySaving::Done {
            let result = match completion {
                Completion::Value(value) => *value,
                _ => 0,
            };
            // What a load saw may be from the buffer.
            let seen = if matches!(operation, Operation::Load { .. }) { result } else { before };
            let buffered = share.buffered != 0;
            let outcome = OperationEffect { before: seen, changed: before != after, buffered, result };
            of_thread(&mut self.histories, thread).step(operation, &outcome);
        }
        if !BUFFERED {
            let stop = self.machine.complete(thread, *completion);
            return self.after(thread, stop, saving);
        }
        let stop = self.machine.complete_with(thread, *completion, share.defined);
        let step = self.after(thread, stop, saving);
        self.bury(thread);
        step
    }

    /// What a step comes to after its thread has run up to a stop. New threads run to their first operation; if several
    /// threads cannot go on, the first one counts.
    fn after(&mut self, thread: ThreadId, stop: Stop, saving: HistorySaving) -> Step {
        if !self.machine.has_new() {
            return self.halted(thread, stop, saving);
        }
        let mut step = self.halted(thread, stop, saving);
        while let Some(new) = self.machine.take_new() {
            let stop = self.machine.run(new);
            let other = self.halted(new, stop, HistorySaving::Due);
            if step == Step::Done {
                step = other;
            }
        }
        step
    }

    /// What a step comes to for a thread that has run up to a stop.
    fn halted(&mut self, thread: ThreadId, stop: Stop, saving: HistorySaving) -> Step {
        match stop {
            Stop::Visible => match self.bounds.reached(&mut self.machine, thread) {
                Some(bound) => {
                    self.machine.halt(thread);
                    Step::Bounded(bound)
                }
                None => {
                    self.arrive(thread, saving);
                    Step::Done
                }
            },
            Stop::OutOfFuel => {
                self.machine.halt(thread);
                Step::Stopped(Stop::OutOfFuel)
            }
            stop => stop.into(),
        }
    }

    fn arrive(&mut self, thread: ThreadId, saving: HistorySaving) {
        if !self.machine.is_in_loop(thread, DEEPEST_LOOP) {
            return;
        }
        if self.look_ahead == LookAhead::On {
            self.awaits.arrived.push(thread);
        }
        let history = of_thread(&mut self.histories, thread);
        if saving == HistorySaving::Due {
            self.undo.push((history.mark(), thread));
        }
        if let Some(state) = self.machine.thread(thread) {
            history.arrive(&self.machine, state);
        }
        history.watched().into_iter().flatten().for_each(|read| self.commuting.note_waiting(read));
    }

    #[inline]
    fn read_memory(&self, address: u64, size: u32) -> u128 {
        match self.machine.memory.first_inaccessible(address, u64::from(size)) {
            None => self.machine.memory.read_scalar(address, size),
            Some(_) => 0,
        }
    }

    fn bytes_before(&self, agent: ThreadId, operation: &Operation) -> u128 {
        let read = |address: u64, size: u32| self.read_memory(address, size);
        match *operation {
            Operation::Load { address, ty, .. }
            | Operation::Store { address, ty, .. }
            | Operation::Rmw { address, ty, .. }
            | Operation::CompareExchange { address, ty, .. } => read(address, ty.bytes()),
            Operation::Sync { op, object, argument } => match op.action() {
                Action::Block => {
                    u128::from(self.machine.thread(agent).is_some_and(|thread| thread.position.signalled))
                }
                Action::Wake(_) => self.machine.waiters(object).len() as u128,
                Action::ReleaseAndWait => {
                    let mutex = read(argument, ObjectKind::Mutex.decisive_size() as u32);
                    self.machine.waiters(object).len() as u128 | mutex << 64
                }
                _ => read(object, op.object().decisive_size() as u32),
            },
            _ => 0,
        }
    }
}

/// A mask of the bits of this many bytes, at least one and at most 16.
pub(crate) fn bytes_mask(bytes: u32) -> u128 {
    u128::MAX >> (128 - 8 * bytes.clamp(1, 16))
}

/// The history of a thread.
fn of_thread(histories: &mut Vec<History>, thread: ThreadId) -> &mut History {
    let number = thread.number();
    if histories.len() <= number {
        histories.resize_with(number + 1, || History::new(Recognised::AtOnce));
    }
    &mut histories[number]
}

/// A range in pieces of up to 8 bytes, at multiples of 8: (address, size).
fn pieces(start: u64, size: u64) -> impl Iterator<Item = (u64, u32)> {
    let end = start.saturating_add(size);
    std::iter::successors((size > 0).then_some(start), move |at| {
        Some((at & !7) + 8).filter(|next| *next < end)
    })
    .map(move |at| (at, (((at & !7) + 8).min(end) - at) as u32))
}

impl<const BUFFERED: bool> System for Operational<'_, BUFFERED> {
    type Mark = OperationalMark;
    type Buffers = Self;
    type Graphs = Nothing;

    const BUFFERED: bool = BUFFERED;

    fn enabled(&self, into: &mut Vec<Agent>) {
        into.clear();
        let mut atomic = None;
        for thread in self.machine.threads() {
            if self.can_step(thread) {
                into.push(thread.into());
                if self.machine.excludes_others(thread) {
                    atomic = Some(thread);
                }
            }
            if BUFFERED {
                let agents = self.buffers.ready(thread).map(|store| Agent::store(thread, store.number));
                into.extend(agents.flatten());
            }
        }
        // As long as a thread in an atomic section can go on, no other runs.
        if let Some(thread) = atomic {
            into.clear();
            into.push(thread.into());
        }
    }

    fn is_enabled(&self, agent: Agent) -> bool {
        let thread = agent.thread();
        let (able, inside) = match agent.number() {
            Some(number) => (self.buffers.is_ready(thread, number), false),
            None => (self.can_step(thread), self.machine.excludes_others(thread)),
        };
        able && (!self.machine.image.atomic_sections
            || inside
            || !self
                .machine
                .threads()
                .any(|other| other != thread && self.machine.excludes_others(other) && self.can_step(other)))
    }

    fn choices(&self, agent: Agent) -> u32 {
        match agent.is_thread() {
            true => self.machine.choices(agent.thread()),
            false => 1,
        }
    }

    fn step(&mut self, agent: Agent, choice: u32) -> Step {
        if self.look_ahead == LookAhead::Off {
            return self.perform(agent, choice);
        }
        let thread = agent.thread();
        match agent.is_thread() {
            true => self.awaits.leave(thread),
            // What its own store hands over is not private any more.
            false => self.awaits.begin_again(thread),
        }
        let step = self.perform(agent, choice);
        if let Some(event) = self.events.last() {
            self.awaits.left_out.note_access(thread, &event.operation);
        }
        self.look_at_awaits();
        step
    }

    fn halt(&mut self, thread: ThreadId) {
        self.machine.halt(thread);
    }

    fn pretend(&mut self, thread: ThreadId, value: u128) -> Option<Stop> {
        Some(self.machine.complete(thread, Completion::Value(value)))
    }

    #[inline(always)]
    fn mark(&mut self) -> OperationalMark {
        OperationalMark {
            machine: self.machine.mark(),
            events: self.events.len() as u32,
            undo: self.undo.len() as u32,
            buffers: self.buffers.mark() as u32,
            awaits: self.awaits.mark(),
        }
    }

    fn rewind(&mut self, mark: &OperationalMark) {
        self.machine.rewind(&mark.machine);
        self.events.truncate(mark.events as usize);
        if self.look_ahead == LookAhead::On {
            self.awaits.rewind(mark.awaits);
        }
        while self.undo.len() > mark.undo as usize {
            if let Some((saved, thread)) = self.undo.pop() {
                self.histories[thread.number()].rewind(&saved);
            }
        }
        if BUFFERED {
            self.buffers.rewind(mark.buffers as usize);
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

    fn repeats_from(&self, thread: ThreadId) -> Option<u32> {
        let history = self.histories.get(thread.number())?;
        history.repeats_from(&self.machine, self.machine.thread(thread)?)
    }

    fn look_ahead(&mut self, look_ahead: LookAhead) {
        (self.look_ahead, self.awaits) = (look_ahead, Awaits::default());
        if look_ahead == LookAhead::On {
            self.awaits.arrived = self.machine.threads().collect();
            self.look_at_awaits();
        }
    }

    fn has_looked_too_far(&self) -> bool {
        self.awaits.left_out.are_unsafe
    }

    fn awaited(&self, thread: ThreadId) -> Option<ReadValue> {
        let read = self.awaits.of(thread)?.read;
        Some(ReadValue { value: self.seen(thread, read.address, read.size)?, ..read })
    }

    fn is_fruitless(&mut self, thread: ThreadId, value: u128) -> bool {
        if let Some(answer) = self.awaits.answer(thread, value) {
            return answer;
        }
        let Some(operation) = self.awaits.of(thread).map(|waiting| waiting.operation) else { return false };
        let history = of_thread(&mut self.histories, thread);
        let answer = awaits::comes_back(&mut self.machine, history, thread, &operation, value);
        self.awaits.learn(thread, value, answer);
        if let (true, Some(waiting)) = (answer, self.awaits.of(thread)) {
            self.commuting.note_waiting(&waiting.read);
        }
        answer
    }

    fn let_updates_commute(&mut self) {
        self.commuting.turn_on();
    }

    #[inline]
    fn commutes(&self, operation: &Operation) -> bool {
        self.commuting.has(operation)
    }

    fn update_to_order(&self) -> Option<u64> {
        self.commuting.to_order()
    }

    fn order_updates(&mut self, granule: u64) {
        self.commuting.order(granule);
    }

    fn is_current(&self, thread: ThreadId, read: &ReadValue) -> bool {
        self.seen(thread, read.address, read.size) == Some(read.value)
    }

    fn buffers(&self) -> &Self {
        self
    }

    fn take_published(&mut self) -> Vec<(u64, u64)> {
        self.machine.take_published()
    }

    fn take_woken(&mut self) -> Vec<ThreadId> {
        self.machine.take_woken()
    }
}

impl<const BUFFERED: bool> StoreBuffers for Operational<'_, BUFFERED> {
    fn will_buffer(&self, thread: ThreadId, operation: &Operation) -> bool {
        let stores =
            matches!(operation, Operation::Store { .. } | Operation::Copy { .. } | Operation::Set { .. });
        BUFFERED && stores && !self.drains(thread, operation)
    }

    fn issued(&self, thread: ThreadId) -> u32 {
        if BUFFERED { self.buffers.issued(thread) } else { 0 }
    }

    fn forwards(&self) -> &[(u32, u16)] {
        &self.forwards
    }

    fn waiting_stores(&self, thread: ThreadId) -> Vec<WaitingStore> {
        let store = |store: &buffer::Buffered| {
            let buffer::Buffered { address, size, value, site, number, epoch, .. } = *store;
            WaitingStore { address, size, value, site, number, epoch }
        };
        self.buffers.waiting(thread).iter().filter(|store| !store.dead).map(store).collect()
    }

    fn stores_in_order(&self) -> bool {
        self.buffers.discipline() == Discipline::Tso
    }

    fn ready_stores(&self, thread: ThreadId, tell: &mut dyn FnMut(Agent)) {
        self.buffers.ready(thread).filter_map(|store| Agent::store(thread, store.number)).for_each(tell);
    }
}
