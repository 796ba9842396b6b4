//! Waiting for a value: loops whose rounds are one atomic access.
//!
//! A thread that is before an access of such a loop (`while (load(x) != 1);`, `while (exchange(x, 1));`) *awaits* a value at one location. A
//! value is *fruitless* if reading it would bring the thread back to the same access in the same state (see [`crate::spin`]), nothing
//! changed. While the value there is fruitless, the thread counts as blocked before the access, as if it waited for a lock. So rounds that
//! lead nowhere are no part of executions: however often the value changes from one fruitless value to another, a thread that waits reads
//! only the one that lets it go on. Without this, it reads each once, or not, in all combinations.
//!
//! This loses nothing. A fruitless round leaves the thread, and all that others can see, as it was; what it synchronises with, it does
//! without need. So for each execution with such rounds there is one without them, in which the same things happen, and no more of them come
//! before others: what goes wrong in the one does so in the other. Three things need care:
//!
//! * *Data races.* An access that is not atomic, of the location that is waited for, may be in a race with a round that is left out, and
//!   with nothing else. If another thread makes such an access while explorers look ahead, at a location where somebody may await a value,
//!   nothing is certain any more ([`LeftOut::are_unsafe`]), and the explorer has to begin again without.
//! * *Freed memory.* If the location is no longer there, the thread is not blocked: its next round is an error.
//! * *Store buffers.* What counts is what the thread would read, its own buffer included. A store of its own that arrives may hand over an
//!   object that the loop uses, which is private until then; so what is known of values is forgotten.
//!
//! Whether a value is fruitless is found out by running the thread ahead with it, and going back. That follows from the state of the thread
//! alone, so each value is tried once as long as the thread stands there.
//!
//! A loop with two accesses in a round is none of these; nor is one in which a store, a lock or an access of a library's object stands.
//! Those are recognised when a round is over: see [`crate::spin`].

use crate::operational::bytes_mask;
use crate::spin::{DEEPEST_LOOP, History, ReadValue};
use rustc_hash::FxHashMap;
use selvedge_program::{LoadOrder, StoreOrder, scalar};
use selvedge_trace::{Completion, Event, Operation, ThreadId};
use selvedge_vm::thread::{Position, Thread};
use selvedge_vm::{Machine, Stop};

/// A thread that stands before an access of a loop in which it may await a value.
#[derive(Debug, Clone)]
pub(crate) struct Await {
    pub operation: Operation,
    /// The location, and the value that the thread would read there when it came; see [`Awaits::read`].
    pub read: ReadValue,
    /// Values that were tried, and whether they are fruitless.
    answers: Vec<(u128, bool)>,
}

/// What threads await.
#[derive(Debug, Default)]
pub(crate) struct Awaits {
    /// All of the present execution, the latest last; those behind `used` are kept for their memory.
    all: Vec<Await>,
    used: usize,
    /// By thread number: where in `all` the present one is, plus 1; 0: none.
    present: Vec<u32>,
    /// What `present` was before, for each time it was changed.
    undo: Vec<(u16, u32)>,
    /// Threads that have come to an operation in the present step.
    pub arrived: Vec<ThreadId>,
    pub left_out: LeftOut,
}

/// Where accesses of rounds were left out, or may have been, in any execution so far.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    granules: FxHashMap<u64, Waiters>,
    /// Whether another thread has accessed one of the granules in an operation that is not atomic: that may be in a race.
    pub are_unsafe: bool,
}

/// Who awaits values at a granule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Waiters {
    /// One of them.
    thread: ThreadId,
    /// Whether there are others.
    several: bool,
    /// Whether some of their accesses may write: then a read that is not atomic is in a race with these, too.
    write: bool,
}

/// A state of [`Awaits`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct AwaitsMark {
    used: u32,
    undo: u32,
}

impl Awaits {
    #[inline]
    pub fn mark(&self) -> AwaitsMark {
        AwaitsMark { used: self.used as u32, undo: self.undo.len() as u32 }
    }

    #[inline]
    pub fn rewind(&mut self, mark: AwaitsMark) {
        self.used = mark.used as usize;
        while self.undo.len() > mark.undo as usize {
            if let Some((thread, before)) = self.undo.pop() {
                self.present[usize::from(thread)] = before;
            }
        }
    }

    /// The await of a thread that stands before one.
    #[inline]
    pub fn of(&self, thread: ThreadId) -> Option<&Await> {
        let at = *self.present.get(thread.number())?;
        self.all.get((at as usize).checked_sub(1)?)
    }

    fn set(&mut self, thread: ThreadId, at: u32) {
        let number = thread.number();
        if self.present.len() <= number {
            self.present.resize(number + 1, 0);
        }
        let before = std::mem::replace(&mut self.present[number], at);
        if before != at {
            self.undo.push((number as u16, before));
        }
    }

    /// Notes that a thread takes a step.
    #[inline]
    pub fn leave(&mut self, thread: ThreadId) {
        if self.present.get(thread.number()).is_some_and(|at| *at != 0) {
            self.set(thread, 0);
        }
    }

    /// Notes that a thread has come to an access where it may await a value; `events` are those of the execution so far.
    pub fn begin(&mut self, thread: ThreadId, operation: Operation, read: ReadValue, events: &[Event]) {
        match self.all.get_mut(self.used) {
            Some(old) => {
                old.answers.clear();
                (old.operation, old.read) = (operation, read);
            }
            None => self.all.push(Await { operation, read, answers: Vec::new() }),
        }
        self.used += 1;
        self.set(thread, self.used as u32);
        self.left_out.note_await(thread, &operation, read.address, u64::from(read.size), events);
    }

    /// Forgets what is known of the values that a thread awaits.
    pub fn begin_again(&mut self, thread: ThreadId) {
        if let Some(Await { operation, read, .. }) = self.of(thread).cloned() {
            self.begin(thread, operation, read, &[]);
        }
    }

    /// Whether a value is fruitless for the thread, if it was tried.
    #[inline]
    pub fn answer(&self, thread: ThreadId, value: u128) -> Option<bool> {
        let answers = &self.of(thread)?.answers;
        answers.iter().find(|(known, _)| *known == value).map(|(_, fruitless)| *fruitless)
    }

    /// Keeps what a value that was tried has led to.
    pub fn learn(&mut self, thread: ThreadId, value: u128, fruitless: bool) {
        let at = self.present.get(thread.number()).copied().unwrap_or(0);
        if let Some(waiting) = (at as usize).checked_sub(1).and_then(|at| self.all.get_mut(at)) {
            waiting.answers.push((value, fruitless));
        }
    }
}

impl LeftOut {
    /// Notes that a thread may await a value at a location by an operation; `events` are those of the execution so far.
    pub fn note_await(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        address: u64,
        size: u64,
        events: &[Event],
    ) {
        let write = !matches!(operation, Operation::Load { .. });
        let mut is_new = false;
        for granule in granules(address, size) {
            let own = Waiters { thread, several: false, write };
            let waiters = self.granules.entry(granule).or_insert_with(|| {
                is_new = true;
                own
            });
            let all = Waiters {
                several: waiters.several || waiters.thread != thread,
                write: waiters.write || write,
                ..*waiters
            };
            is_new |= all != *waiters;
            *waiters = all;
        }
        if is_new {
            events.iter().for_each(|event| self.note_access(event.thread, &event.operation));
        }
    }

    /// Notes an operation of a thread: if it is an access that is not atomic, it may be in a race with a round that is left out.
    #[inline]
    pub fn note_access(&mut self, thread: ThreadId, operation: &Operation) {
        if self.granules.is_empty() {
            return;
        }
        let (address, size, writes) = match *operation {
            Operation::Load { address, ty, order: LoadOrder::Plain } => {
                (address, u64::from(ty.bytes()), false)
            }
            Operation::Store { address, ty, order: StoreOrder::Plain, .. } => {
                (address, u64::from(ty.bytes()), true)
            }
            Operation::Set { to, size, .. } => (to, size, true),
            Operation::Copy { to, from, size } => {
                self.are_unsafe |= self.race_with(thread, from, size, false);
                (to, size, true)
            }
            _ => return,
        };
        self.are_unsafe |= self.race_with(thread, address, size, writes);
    }

    /// Whether another thread may await a value in a range of bytes by an operation that conflicts with an access.
    fn race_with(&self, thread: ThreadId, address: u64, size: u64, writes: bool) -> bool {
        let is_hindered =
            |waiters: &Waiters| (writes || waiters.write) && (waiters.several || waiters.thread != thread);
        if size / 8 > self.granules.len() as u64 {
            let end = address.saturating_add(size);
            return self
                .granules
                .iter()
                .any(|(at, waiters)| (address & !7..end).contains(at) && is_hindered(waiters));
        }
        granules(address, size).filter_map(|granule| self.granules.get(&granule)).any(is_hindered)
    }
}

/// The granules of a range of bytes.
fn granules(address: u64, size: u64) -> impl Iterator<Item = u64> {
    (address & !7..address.saturating_add(size)).step_by(8)
}

/// If a thread stands before an access at which it may await a value, as far as the code tells: the operation, its address and size.
pub(crate) fn may_await(machine: &Machine<'_>, thread: ThreadId) -> Option<(Operation, u64, u32)> {
    let operation = machine.pending(thread)?;
    let (address, ty) = match operation {
        Operation::Load { address, ty, order } if order != LoadOrder::Plain => (address, ty),
        Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => (address, ty),
        _ => return None,
    };
    let may_come_back =
        !machine.in_atomic_section(thread) && machine.may_come_back_at_once(thread, DEEPEST_LOOP);
    may_come_back.then_some((operation, address, ty.bytes()))
}

/// With more yields in it, a round is not run ahead.
const MOST_YIELDS: u32 = 4;

/// Runs a thread ahead: whether it comes back to where it is, in the same state, after reading a value.
pub(crate) fn comes_back(
    machine: &mut Machine<'_>,
    history: &History,
    thread: ThreadId,
    operation: &Operation,
    value: u128,
) -> bool {
    let completion = match *operation {
        Operation::Load { .. } => Completion::Value(value),
        Operation::Rmw { op, ty, operand, .. } if scalar::rmw(op, ty, value, operand) == value => {
            Completion::Value(value)
        }
        Operation::CompareExchange { ty, expected, .. } if value != expected & bytes_mask(ty.bytes()) => {
            Completion::Exchanged { old: value, success: false }
        }
        _ => return false,
    };
    let place = |state: &Thread| {
        let Position { pc, depth, atomic_depth, .. } = state.position;
        (pc, depth, atomic_depth)
    };
    let Some(state) = machine.thread(thread) else { return false };
    let (here, digest) = (place(state), history.digest(machine.image, state));
    let mark = machine.mark();
    let journal = machine.journal_position();
    let mut stop = machine.complete(thread, completion);
    for _ in 0..MOST_YIELDS {
        if !matches!((&stop, machine.pending(thread)), (Stop::Visible, Some(Operation::Yield))) {
            break;
        }
        stop = machine.complete(thread, Completion::Done);
    }
    let comes_back = matches!(stop, Stop::Visible)
        && machine
            .thread(thread)
            .is_some_and(|state| place(state) == here && history.digest(machine.image, state) == digest)
        && machine.is_unchanged_since(thread, journal);
    machine.rewind(&mark);
    comes_back
}
