//! What an operation touches, and when the order of two operations matters.
//!
//! An operation is a list of [`Access`]es: which bytes, and how. Two operations of different threads depend on
//! each other if they access a common byte and their modes do not commute. Bytes are those of memory, and those
//! of synchronisation objects, whose state lies in memory anyway; so freeing or overwriting an object conflicts
//! with its use. Two facts are not kept in memory: that a thread was let go by a signal or at a barrier, and that it was
//! joined. They have addresses that no program can have ([`wake_up`], [`joined`]).
//!
//! | operation | accesses |
//! | --- | --- |
//! | load, failed compare-exchange, failed trylock, lock that one has already, unlock or wait that is not permitted, semaphore value, signal that wakes nobody, any operation that goes wrong | `Read` |
//! | an update whose result nobody uses | `Update`: those of one kind, of exactly the same bytes, commute, if the explorer lets them |
//! | store, other update, copy, set, free, end of a scope; lock, unlock, begin to wait, signal, semaphore wait, last arrival at a barrier | `Write` |
//! | semaphore post | `Add`: two of them commute. `Write` if there is no room for two, `Read` if there is none |
//! | arrival at a barrier, but for the last | `Arrive`: they commute, but may make another one the last ([`Access::hinders`]) |
//! | read-lock and its unlock | `Share`: readers commute |
//! | being let go | `Write` to the thread's own wake-up, which the waker writes, too |
//! | a wait that ends without a signal (time, spuriously) | also `Write` to the condition variable |
//! | join | `Write` to a location of the thread that is joined: of two, the second is an error |
//! | fence, choice, yield, assume, create | none (create and join order threads by themselves) |
//!
//! With store buffers, a store that is buffered touches nothing; it `Write`s when it reaches memory. A load `Read`s, also
//! what its own thread has stored (`own`). Between a thread and its own stores there is no dependence by accesses: what
//! has to come first there, the buffer knows (`steps/dpor/partial_order.rs`). And a load of an own store depends on the writes of
//! others only after the store has reached memory: see [`dependent_after`].
//!
//! A thread in a waiting loop can go on only when something that it read on its way round has changed. Its next
//! operation reads all of that, too, and its [`Blocking`] says so.

use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::sync::{self, Action, Condition, ObjectKind, Touch};
use selvedge_trace::{Agent, CommutingUpdate, Event, Operation, ThreadId};

pub use selvedge_trace::sync::Mode;

/// An access to some bytes of a granule of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The address of the granule.
    pub granule: u64,
    /// The bytes as they were before, in place; of a waiting loop, the value that it waits to see changed.
    pub before: u64,
    /// Whose thread's.
    pub owner: u16,
    /// Which bytes.
    pub mask: u8,
    /// How.
    pub mode: Mode,
    /// What it adds to the count of a semaphore or of a lock's readers. For an arrival at a barrier: 1 if the next one
    /// is the last. For a location that a waiting loop watches: 1 if it has another value by now.
    pub delta: i8,
    /// Whether this is a location that a waiting loop watches.
    pub watched: bool,
    /// Whether `before` is known.
    pub known: bool,
    /// Whether a store of the own thread is read; then `before` is its number. Whether that is still in the buffer is not
    /// said here: it depends on the execution, and makes no difference to the thread.
    pub own: bool,
}

impl Access {
    /// The store that is read, if it is one of the own thread.
    pub fn own_store(&self) -> Option<Agent> {
        let owner = ThreadId::from_number(usize::from(self.owner)).filter(|_| self.own)?;
        Agent::store(owner, self.before as u32)
    }

    /// Whether the order of the two matters, as far as the bytes and modes tell.
    #[inline]
    pub fn conflicts(&self, other: &Access) -> bool {
        self.overlaps(other) && conflict((self.mode, self.mask), (other.mode, other.mask))
    }

    /// Whether, after one of two arrivals at a barrier, the other is the last, which it is not without it.
    pub fn hinders(&self, other: &Access) -> bool {
        let arrivals = self.mode == Mode::Arrive && other.mode == Mode::Arrive;
        arrivals && (self.delta != 0 || other.delta != 0) && self.overlaps(other)
    }

    #[inline]
    fn overlaps(&self, other: &Access) -> bool {
        self.granule == other.granule && self.mask & other.mask != 0 && self.owner != other.owner
    }
}

/// Whether the order of two accesses to common bytes matters, given how each accesses which bytes.
#[inline]
pub fn conflict(one: (Mode, u8), other: (Mode, u8)) -> bool {
    one.0.conflicts(other.0) || one.1 != other.1 && matches!(one.0, Mode::Update(_))
}

/// Whether two operations of different threads depend on each other.
#[inline]
pub fn dependent(one: &[Access], other: &[Access]) -> bool {
    one.iter().any(|a| other.iter().any(|b| a.conflicts(b)))
}

/// The same, exactly where loads of own stores are concerned; `first` and `second` tell which stores have reached memory
/// before the first operation, and before the second.
#[inline]
pub fn dependent_after(
    one: &[Access],
    other: &[Access],
    first: impl Fn(Agent) -> bool,
    second: impl Fn(Agent) -> bool,
) -> bool {
    // Most have nothing to do with each other, whatever has reached memory.
    dependent(one, other) && dependent_exactly(one, other, first, second)
}

fn dependent_exactly(
    one: &[Access],
    other: &[Access],
    first: impl Fn(Agent) -> bool,
    second: impl Fn(Agent) -> bool,
) -> bool {
    one.iter().any(|a| {
        let counts = |b: &Access| a.own_store().is_none_or(&second) && b.own_store().is_none_or(&first);
        other.iter().any(|b| a.conflicts(b) && counts(b))
    })
}

/// Whether one of two operations of different threads cannot be put off until after the other without a difference;
/// `first` and `second` as above.
pub fn hindered_after(
    one: &[Access],
    other: &[Access],
    first: impl Fn(Agent) -> bool,
    second: impl Fn(Agent) -> bool,
) -> bool {
    dependent_after(one, other, first, second) || one.iter().any(|a| other.iter().any(|b| a.hinders(b)))
}

/// When an operation can be performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocking {
    /// Always.
    No,
    /// When a condition holds of the object.
    Until(Condition),
    /// When somebody has let the thread go.
    UntilWoken,
}

/// How the waits of a thread for a condition variable may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waking {
    /// With a signal, or with the time limit if there is one.
    Signalled,
    /// Also by themselves.
    Spurious,
}

impl Waking {
    /// That of a thread of a system.
    #[inline]
    pub fn of<S: System>(system: &S, thread: ThreadId) -> Self {
        match system.machine().may_wake_by_itself(thread) {
            true => Self::Spurious,
            false => Self::Signalled,
        }
    }
}

/// When an operation can be performed, by its kind.
pub fn blocking(operation: &Operation, waking: Waking) -> Blocking {
    let Operation::Sync { op, argument, .. } = *operation else { return Blocking::No };
    match (op.object(), op.action(), op.condition()) {
        // With a time limit it can always go on.
        (ObjectKind::Condition, Action::Block, _) if argument != 0 || waking == Waking::Spurious => {
            Blocking::No
        }
        (_, Action::Block, _) => Blocking::UntilWoken,
        (_, _, Some(condition)) if op.is_blocking() => Blocking::Until(condition),
        _ => Blocking::No,
    }
}

/// The address of the fact that a thread was let go: none of the program.
pub fn wake_up(thread: ThreadId) -> u64 {
    1 << 63 | (thread.number() as u64) << 3
}

/// The address of the fact that a thread was joined: none of the program, either.
fn joined(thread: ThreadId) -> u64 {
    1 << 62 | wake_up(thread)
}

/// Adds the accesses to a range of bytes.
fn range(owner: ThreadId, start: u64, size: u64, mode: Mode, before: Option<u128>, into: &mut Vec<Access>) {
    let offset = start & 7;
    let access = Access {
        granule: start & !7,
        before: before.map_or(0, |before| (before as u64) << (8 * offset)),
        owner: owner.number() as u16,
        mask: 0,
        mode,
        delta: 0,
        watched: false,
        known: before.is_some(),
        own: false,
    };
    if offset + size <= 8 {
        let bytes = if size >= 8 { 0xff } else { (1_u16 << size) - 1 };
        into.push(Access { mask: (bytes << offset) as u8, ..access });
        return;
    }
    let end = start.saturating_add(size);
    let mut granule = access.granule;
    while granule < end {
        let from = start.saturating_sub(granule).min(8);
        let to = (end - granule).min(8);
        let mask = ((1_u16 << to) - (1 << from)) as u8;
        let before = match before {
            // Where the granule begins within the value.
            Some(value) if granule >= start => (value >> (8 * (granule - start)).min(127)) as u64,
            _ => access.before,
        };
        into.push(Access { granule, before, mask, ..access });
        granule += 8;
    }
}

/// Adds the accesses of an event, which is the last one of a system; `woken` are the threads that it let go.
pub fn of_event<S: System>(system: &S, event: &Event, woken: &[ThreadId], into: &mut Vec<Access>) {
    let forwards = system.buffers().forwards();
    if let Some(mut access) = of_simple_event(event, forwards) {
        if let Operation::Rmw { .. } = event.operation
            && let Some(update) = update(system, event)
        {
            access.mode = Mode::Update(update.op);
        }
        return into.push(access);
    }
    if event.buffered != 0 {
        // Others see it when it reaches memory. A copy reads.
        if let Operation::Copy { from, size, .. } = event.operation {
            range(event.thread, from, size, Mode::Read, None, into);
        }
        return;
    }
    if let (Operation::Load { address, .. }, false) = (event.operation, forwards.is_empty()) {
        return of_forwarding_load(event, address, forwards, into);
    }
    let effect = if event.written.is_some() { Effect::Writes } else { Effect::Reads };
    accesses(event.thread, &event.operation, event.read, effect, Some(event.before), into);
    for thread in woken {
        range(event.thread, wake_up(*thread), 8, Mode::Write, None, into);
    }
}

/// What an event does, if it is an update whose order with others of its kind does not matter. One that went wrong is none.
fn update<S: System>(system: &S, event: &Event) -> Option<CommutingUpdate> {
    let commutes = event.written.is_some() && system.commutes(&event.operation);
    event.operation.commuting_update().filter(|_| commutes)
}

/// The access of an event that is nothing but one to bytes of one granule, in memory: most are.
fn of_simple_event(event: &Event, forwards: &[(u32, u16)]) -> Option<Access> {
    let (address, size, mode) = match event.operation {
        Operation::Load { address, ty, .. } if forwards.is_empty() => (address, ty.bytes(), Mode::Read),
        Operation::CompareExchange { address, ty, .. } if event.written.is_none() => {
            (address, ty.bytes(), Mode::Read)
        }
        Operation::Store { address, ty, .. } if event.buffered == 0 => (address, ty.bytes(), Mode::Write),
        Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => {
            (address, ty.bytes(), Mode::Write)
        }
        Operation::Flush { address, size, .. } => (address, size, Mode::Write),
        _ => return None,
    };
    let offset = address & 7;
    (offset + u64::from(size) <= 8).then(|| Access {
        granule: address & !7,
        before: (event.before as u64) << (8 * offset),
        owner: event.thread.number() as u16,
        mask: (((1_u16 << size) - 1) << offset) as u8,
        mode,
        delta: 0,
        watched: false,
        known: true,
        own: false,
    })
}

/// Adds the accesses of a load some of whose bytes come from the thread's own buffer.
fn of_forwarding_load(event: &Event, address: u64, forwards: &[(u32, u16)], into: &mut Vec<Access>) {
    let first = into.len();
    accesses(event.thread, &event.operation, event.read, Effect::Reads, Some(event.before), into);
    let whole = into.split_off(first);
    for access in whole {
        // Which bytes of the granule a set of bytes of the load are.
        let part = |bytes: u16| match access.granule.checked_sub(address) {
            Some(behind) => (bytes >> behind.min(15)) as u8 & access.mask,
            None => ((u32::from(bytes) << (address - access.granule)) & 0xff) as u8 & access.mask,
        };
        let mut rest = access.mask;
        for (store, bytes) in forwards {
            let mask = part(*bytes);
            if mask != 0 {
                rest &= !mask;
                into.push(Access { mask, own: true, before: u64::from(*store), ..access });
            }
        }
        if rest != 0 {
            into.push(Access { mask: rest, ..access });
        }
    }
}

/// Adds the accesses of an operation that is not performed yet, as if it could be.
pub fn of_operation(thread: ThreadId, operation: &Operation, into: &mut Vec<Access>) {
    accesses(thread, operation, None, Effect::Writes, None, into);
}

/// Adds the accesses of a write to a range of bytes.
pub fn of_range(thread: ThreadId, address: u64, size: u64, into: &mut Vec<Access>) {
    range(thread, address, size, Mode::Write, None, into);
}

/// What a compare-exchange does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Writes,
    Reads,
}

fn accesses(
    thread: ThreadId,
    operation: &Operation,
    read: Option<u128>,
    exchange: Effect,
    before: Option<u128>,
    into: &mut Vec<Access>,
) {
    match *operation {
        Operation::Load { address, ty, .. } => {
            range(thread, address, u64::from(ty.bytes()), Mode::Read, before, into);
        }
        Operation::Store { address, ty, .. } | Operation::Rmw { address, ty, .. } => {
            range(thread, address, u64::from(ty.bytes()), Mode::Write, before, into);
        }
        Operation::Flush { address, size, .. } => {
            range(thread, address, u64::from(size), Mode::Write, before, into);
        }
        Operation::CompareExchange { address, ty, .. } => {
            let mode = if exchange == Effect::Writes { Mode::Write } else { Mode::Read };
            range(thread, address, u64::from(ty.bytes()), mode, before, into);
        }
        Operation::Copy { to, from, size } => {
            range(thread, from, size, Mode::Read, None, into);
            range(thread, to, size, Mode::Write, None, into);
        }
        Operation::Set { to, size, .. } => range(thread, to, size, Mode::Write, None, into),
        Operation::Release { address, size } | Operation::EndScope { address, size } => {
            range(thread, address, size.max(1), Mode::Write, None, into);
        }
        Operation::Sync { op, object, .. } if op.is_about_own_waiting() => {
            range(thread, wake_up(thread), 8, Mode::Write, None, into);
            if before == Some(0) {
                range(thread, object, op.object().decisive_size(), Mode::Write, None, into);
            }
        }
        Operation::Sync { op, object, argument } => {
            let Touch { mode, delta } = match (before, read) {
                // It went wrong, and left the object as it was.
                (Some(_), None) => Touch { mode: Mode::Read, delta: 0 },
                _ => sync::touch(op, read.map(|read| read as u64), before.unwrap_or(0) as u64, thread),
            };
            let first = into.len();
            range(thread, object, op.object().decisive_size(), mode, before, into);
            for access in &mut into[first..] {
                access.delta = delta;
            }
            if op.action() == Action::ReleaseAndWait {
                // A mutex that is given back was held.
                let mutex = before.map_or(1, |before| before >> 64);
                range(thread, argument, ObjectKind::Mutex.decisive_size(), mode, Some(mutex), into);
            }
        }
        Operation::Join { thread: Some(other) } => {
            range(thread, joined(other), 8, Mode::Write, None, into);
        }
        Operation::Fence { .. }
        | Operation::Spawn { .. }
        | Operation::Join { .. }
        | Operation::WaitForOthers { .. }
        | Operation::Yield
        | Operation::Choose { .. }
        | Operation::Assume { .. } => {}
    }
}

/// Adds the locations that a thread watches from its waiting loop; false if it is in none. To be asked before
/// its next step.
pub fn of_waiting<S: System>(system: &S, agent: Agent, into: &mut Vec<Access>) -> bool {
    let thread = agent.thread();
    let Some(reads) = system.watched(thread).filter(|_| agent.is_thread()) else { return false };
    for read in reads {
        let first = into.len();
        range(thread, read.address, u64::from(read.size), Mode::Read, Some(read.value), into);
        let changed = !system.is_current(thread, read);
        for access in &mut into[first..] {
            access.watched = true;
            access.delta = i8::from(changed);
        }
    }
    true
}

/// How the operation of an event would access its object if that were as `before` says, if that can be told.
pub fn mode_if(event: &Event, before: u64) -> Option<Mode> {
    match event.operation {
        Operation::CompareExchange { address, ty, expected, .. } => {
            let offset = address & 7;
            let bits = ty.bytes() * 8;
            if offset * 8 + u64::from(bits) > 64 {
                return None;
            }
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            let value = before >> (8 * offset) & mask;
            Some(if u128::from(value) == expected { Mode::Write } else { Mode::Read })
        }
        Operation::Sync { op, object, .. } => {
            let first = (before >> (8 * (object & 7))) as u32;
            sync::mode_if(op, event.read.map(|read| read as u64), first, event.thread)
        }
        Operation::Load { .. } => Some(Mode::Read),
        Operation::Store { .. } | Operation::Rmw { .. } | Operation::Flush { .. } => Some(Mode::Write),
        _ => None,
    }
}
