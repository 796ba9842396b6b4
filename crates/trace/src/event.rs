//! Events: visible operations that were performed.

use crate::{Operation, ThreadId};
use selvedge_program::SpanId;

/// One step of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Who did it.
    pub thread: ThreadId,
    /// Which of the thread's visible operations it is, from 0. With the thread, its name.
    pub index: u32,
    /// What was done.
    pub operation: Operation,
    /// What was read, for operations that read.
    pub read: Option<u128>,
    /// What was written, for operations that write one value.
    pub written: Option<u128>,
    /// The bytes it accesses, as they were before it; for an operation on a synchronisation object, the first
    /// of its state, except for condition variables: how many threads waited, or (of a thread that waits)
    /// whether it had been signalled.
    pub before: u128,
    /// Whether it is part of an atomic section.
    pub atomic_section: bool,
    /// Which alternative was taken, for operations that have some.
    pub choice: u32,
    /// Where, in the user's program.
    pub span: SpanId,
}
