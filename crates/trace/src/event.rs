//! Events: visible operations that were performed.

use crate::{Operation, ThreadId};
use selvedge_program::Site;

/// One step of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The thread that performed it.
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
    /// whether it had been signalled. Of a thread that begins to wait, the upper half is the state of its mutex.
    pub before: u128,
    /// For a store that was put into its thread's buffer: which of the thread's buffered stores it is, from 1. (Of a
    /// copy or fill, the first.) 0: it acted on memory at once.
    pub buffered: u32,
    /// For a load: which of its bytes came from the thread's own buffer.
    pub forwarded: u16,
    /// Whether it waited until its thread's buffer was empty.
    pub drained: bool,
    /// Whether it is part of an atomic section.
    pub atomic_section: bool,
    /// Which alternative was taken, for operations that have some.
    pub choice: u32,
    /// By which instruction of the user's program: of an operation of the library, the call of the library.
    pub site: Site,
}
