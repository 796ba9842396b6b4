//! An operation as the partial order sees it: what it touches, when it is possible, and what it does to threads and buffers.

use super::Awaits;
use crate::core::dependence::{Access, Blocking};
use selvedge_trace::{Agent, Event, Operation, ThreadId};

/// An operation that happens next, or would if it could.
#[derive(Clone, Copy)]
pub struct Prospect<'a> {
    /// Who.
    pub agent: Agent,
    /// What is touched.
    pub accesses: &'a [Access],
    /// When it is possible.
    pub blocking: Blocking,
    /// The object that it may have to wait for.
    pub object: u64,
    /// The first bytes of that object now.
    pub state: u64,
    /// Whether the thread is in a waiting loop.
    pub waits: bool,
    /// The values that the thread awaits, if it does.
    pub awaits: Option<Awaits<'a>>,
    /// What it does to store buffers.
    pub buffering: Buffering,
}

/// What an operation does to store buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffering {
    /// It puts so many stores into the buffer of its thread.
    Issues(u32),
    /// It waits until the buffer of its thread is empty.
    Drains,
    /// It is a store that reaches memory.
    Arrives {
        /// Those of the same lane arrive in their order.
        lane: u64,
        /// Those of earlier epochs arrive first.
        epoch: u32,
    },
}

impl Buffering {
    /// Of an event; `issued`: how many stores it has put into the buffer.
    pub fn of(event: &Event, issued: u32) -> Buffering {
        match event.operation {
            Operation::Flush { lane, epoch, .. } => Buffering::Arrives { lane, epoch },
            _ if event.drained => Buffering::Drains,
            _ => Buffering::Issues(issued),
        }
    }
}

/// Whether an operation waits until the buffer of its thread is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drains {
    /// It does.
    Yes,
    /// It does not, or it is a store that reaches memory.
    No,
}

/// Threads that a unit creates or waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// None.
    Nobody,
    /// It creates a thread.
    Creates(ThreadId),
    /// It has waited for a thread's end.
    Joins(ThreadId),
    /// It has waited for the end of all others.
    JoinsAll,
}

impl Family {
    /// What an event says about threads, if anything.
    pub fn of(event: &Event) -> Option<Family> {
        match event.operation {
            Operation::Spawn { .. } => {
                let number = usize::try_from(event.read?).ok()?.checked_sub(1)?;
                ThreadId::from_number(number).map(Family::Creates)
            }
            // One that fails has not waited.
            Operation::Join { thread } => thread.filter(|_| event.read.is_some()).map(Family::Joins),
            Operation::WaitForOthers { .. } => Some(Family::JoinsAll),
            _ => None,
        }
    }
}
