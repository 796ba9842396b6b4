//! When does the order of two operations of different threads matter?
//!
//! When they touch overlapping bytes and one writes, or the same synchronisation object, or one enables or
//! disables the other. Two operations that are independent here can be exchanged: both orders are possible
//! and lead to the same state. Where in doubt, they are dependent: that costs executions, never a bug.

use selvedge_memory::Waiting;
use selvedge_trace::{Event, Operation, SyncOp, ThreadId};

/// How an operation touches some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    Write,
}

/// A range of bytes that an operation touches.
#[derive(Debug, Clone, Copy)]
struct Footprint {
    start: u64,
    size: u64,
    touch: Touch,
}

/// An operation that is about to be performed, or was.
#[derive(Debug, Clone, Copy)]
pub struct Action<'a> {
    /// Who.
    pub thread: ThreadId,
    /// What.
    pub operation: Operation,
    /// What it read, if it was performed.
    pub read: Option<u128>,
    /// Whether it wrote, if it was performed; an operation that may write counts as writing before that.
    pub wrote: Option<bool>,
    /// Whether it is part of an atomic section. What else the section does is not known before it is over,
    /// so the order of such an operation and any other matters.
    pub atomic: bool,
    /// What the thread waits for, if it goes round a waiting loop: it depends on all of that.
    pub waiting: Option<&'a Waiting>,
}

impl From<&Event> for Action<'static> {
    fn from(event: &Event) -> Self {
        let wrote = match event.operation {
            Operation::CompareExchange { .. } => Some(event.written.is_some()),
            _ => None,
        };
        Action {
            thread: event.thread,
            operation: event.operation,
            read: event.read,
            wrote,
            atomic: event.atomic_section,
            waiting: None,
        }
    }
}

fn footprints(action: &Action<'_>, into: &mut Vec<Footprint>) {
    into.clear();
    let mut add = |start: u64, size: u64, touch: Touch| into.push(Footprint { start, size, touch });
    match action.operation {
        Operation::Load { address, ty, .. } => add(address, u64::from(ty.bytes()), Touch::Read),
        Operation::Store { address, ty, .. } | Operation::Rmw { address, ty, .. } => {
            add(address, u64::from(ty.bytes()), Touch::Write);
        }
        Operation::CompareExchange { address, ty, .. } => {
            let touch = if action.wrote == Some(false) { Touch::Read } else { Touch::Write };
            add(address, u64::from(ty.bytes()), touch);
        }
        Operation::Copy { to, from, size } => {
            add(from, size, Touch::Read);
            add(to, size, Touch::Write);
        }
        Operation::Set { to, size, .. } => add(to, size, Touch::Write),
        Operation::Release { address, size } => add(address, size.max(1), Touch::Write),
        // An operation on an object reads and writes its state; freeing the object conflicts with it.
        Operation::Sync { op, object, argument } => {
            add(object, op.object_size(), Touch::Write);
            if op == SyncOp::ConditionRelease {
                add(argument, SyncOp::MutexUnlock.object_size(), Touch::Write);
            }
        }
        Operation::Fence { .. }
        | Operation::Spawn { .. }
        | Operation::Join { .. }
        | Operation::WaitForOthers { .. }
        | Operation::Yield
        | Operation::Choose { .. }
        | Operation::Assume { .. } => {}
    }
    for read in action.waiting.iter().flat_map(|waiting| &waiting.reads) {
        into.push(Footprint { start: read.address, size: u64::from(read.size), touch: Touch::Read });
    }
}

/// Whether two operations on the same synchronisation object commute.
fn sync_independent(a: &Action<'_>, b: &Action<'_>) -> bool {
    use SyncOp::*;
    let (Operation::Sync { op: first, .. }, Operation::Sync { op: second, .. }) = (a.operation, b.operation)
    else {
        return false;
    };
    let fails = |action: &Action<'_>| action.read.is_some_and(|result| result != 0);
    match (first, second) {
        (SemaphoreValue, SemaphoreValue) | (SemaphorePost, SemaphorePost) => true,
        (RwReadLock | RwTryReadLock, RwReadLock | RwTryReadLock) => true,
        // Two failures to take a lock change nothing.
        (MutexTryLock | MutexTimedLock | SpinTryLock, MutexTryLock | MutexTimedLock | SpinTryLock) => {
            fails(a) && fails(b)
        }
        _ => false,
    }
}

/// Whether the order of two operations of different threads matters.
pub fn dependent(a: &Action<'_>, b: &Action<'_>) -> bool {
    if a.thread == b.thread || a.atomic || b.atomic {
        return true;
    }
    for (one, other) in [(a, b), (b, a)] {
        match one.operation {
            Operation::Join { thread } if thread == Some(other.thread) => return true,
            Operation::WaitForOthers { .. } => return true,
            // A thread does nothing before it was created.
            Operation::Spawn { .. } if one.read == Some(other.thread.number() as u128 + 1) => return true,
            _ => {}
        }
    }
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    footprints(a, &mut mine);
    footprints(b, &mut theirs);
    let conflict = |x: &Footprint, y: &Footprint| {
        (x.touch == Touch::Write || y.touch == Touch::Write)
            && x.start < y.start.saturating_add(y.size)
            && y.start < x.start.saturating_add(x.size)
    };
    mine.iter().any(|x| theirs.iter().any(|y| conflict(x, y))) && !sync_independent(a, b)
}

/// Whether there can be a state in which both operations are enabled. Where that is not clear, there can.
pub fn may_be_coenabled(earlier: &Action<'_>, later: &Action<'_>) -> bool {
    use SyncOp::*;
    match (earlier.operation, later.operation) {
        // A lock that somebody holds is not free.
        (
            Operation::Sync { op: MutexUnlock | ConditionRelease | SpinUnlock, .. },
            Operation::Sync { op: MutexLock | SpinLock, .. },
        ) => false,
        // A thread that is not there yet, or not at its end.
        (Operation::Spawn { .. }, _) => false,
        (_, Operation::Join { thread }) if thread == Some(earlier.thread) => false,
        _ => true,
    }
}
