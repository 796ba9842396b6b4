//! What a thread does next, as the memory model and the explorer see it.

use crate::address::ThreadId;
use selvedge_program::{FenceOrder, LoadOrder, RmwOp, RmwOrder, StoreOrder, Type};

/// The next visible operation of a thread, operands evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are explained in the variant's text")]
pub enum Operation {
    /// Reads `ty.bytes()` bytes at `address`.
    Load { address: u64, ty: Type, order: LoadOrder },
    /// Writes `value`.
    Store { address: u64, ty: Type, value: u128, order: StoreOrder },
    /// Reads and writes in one step.
    Rmw { address: u64, ty: Type, op: RmwOp, operand: u128, order: RmwOrder },
    /// Reads; writes `new` if `expected` was read.
    CompareExchange {
        address: u64,
        ty: Type,
        expected: u128,
        new: u128,
        success: RmwOrder,
        failure: LoadOrder,
        weak: bool,
    },
    /// Orders accesses.
    Fence { order: FenceOrder },
    /// Copies `size` plain bytes; at least one of the ranges is shared.
    Copy { to: u64, from: u64, size: u64 },
    /// Sets `size` plain bytes.
    Set { to: u64, byte: u8, size: u64 },
    /// Ends the life of a heap object that other threads can reach.
    Release { address: u64 },
    /// Starts a thread that calls the function at `function` with `argument`.
    Spawn { function: u64, argument: u64 },
    /// Waits for a thread's end.
    Join { thread: Option<ThreadId> },
    /// Lets others go first; nothing else.
    Yield,
}

/// What completes an [`Operation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Nothing to tell: stores, fences, copies, yields.
    Done,
    /// The value read by a load, or before a read-modify-write.
    Value(u128),
    /// The value read by a compare-exchange, and whether it was replaced.
    Exchanged {
        /// What was read.
        old: u128,
        /// Whether `new` was written.
        success: bool,
    },
}
