//! What a thread does next, as the memory model and the explorer see it.

use crate::graph::Order;
use crate::{SyncOp, ThreadId};
use selvedge_program::{CommutingOp, FenceOrder, LoadOrder, OldValue, RmwOp, RmwOrder, StoreOrder, Type};

/// The next visible operation of a thread, operands evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are explained in the variant's text")]
pub enum Operation {
    /// Reads `ty.bytes()` bytes at `address`.
    Load { address: u64, ty: Type, order: LoadOrder },
    /// Writes `value`.
    Store { address: u64, ty: Type, value: u128, order: StoreOrder },
    /// Reads and writes in one step.
    Rmw { address: u64, ty: Type, op: RmwOp, operand: u128, order: RmwOrder, old: OldValue },
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
    /// Ends the life of a heap object of `size` bytes that other threads can reach.
    Release { address: u64, size: u64 },
    /// Ends the life of a local object of `size` bytes that other threads can reach: its scope, or its function, ends.
    EndScope { address: u64, size: u64 },
    /// Starts a thread that calls the function at `function` with `argument`. If `through` is not 0, it is
    /// the address of a function of the library that makes that call.
    Spawn { through: u64, function: u64, argument: u64 },
    /// Waits for a thread's end.
    Join { thread: Option<ThreadId> },
    /// Waits for the end of all other threads: what is left of `main` after `pthread_exit(result)`.
    WaitForOthers { result: u64 },
    /// Lets others go first; nothing else.
    Yield,
    /// An operation on a synchronisation object.
    Sync { op: SyncOp, object: u64, argument: u64 },
    /// Picks one of `options` alternatives. `sampled`: they stand for more values than are tried.
    Choose { options: u32, sampled: bool },
    /// Goes on only if the condition holds; otherwise the execution is none of the program's.
    Assume { condition: bool },
    /// A buffered store reaches memory: not an operation of the thread, but of its buffer. `store` is its number;
    /// `lane`: those of the same lane arrive in their order; `epoch`: those of earlier epochs arrive first.
    Flush { address: u64, size: u32, value: u128, store: u32, lane: u64, epoch: u32 },
}

impl Operation {
    /// How many bytes the value has that it reads or writes, if it is about one value.
    pub fn value_size(&self) -> Option<u32> {
        match *self {
            Operation::Load { ty, .. }
            | Operation::Store { ty, .. }
            | Operation::Rmw { ty, .. }
            | Operation::CompareExchange { ty, .. } => Some(ty.bytes()),
            Operation::Flush { size, .. } => Some(size),
            _ => None,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Load { .. } => "load",
            Operation::Store { .. } => "store",
            Operation::Rmw { op, .. } => match op {
                RmwOp::Exchange => "exchange",
                RmwOp::Add | RmwOp::FAdd => "fetch_add",
                RmwOp::Sub | RmwOp::FSub => "fetch_sub",
                RmwOp::And => "fetch_and",
                RmwOp::Nand => "fetch_nand",
                RmwOp::Or => "fetch_or",
                RmwOp::Xor => "fetch_xor",
                RmwOp::Max | RmwOp::UMax => "fetch_max",
                RmwOp::Min | RmwOp::UMin => "fetch_min",
            },
            Operation::CompareExchange { .. } => "compare_exchange",
            Operation::Fence { .. } => "fence",
            Operation::Copy { .. } => "copy",
            Operation::Set { .. } => "set",
            Operation::Release { .. } => "free",
            Operation::EndScope { .. } => "end of scope",
            Operation::Spawn { .. } => "create",
            Operation::Join { .. } => "join",
            Operation::WaitForOthers { .. } => "wait for all others",
            Operation::Yield => "yield",
            Operation::Sync { op, .. } => op.verb(),
            Operation::Choose { .. } => "choose",
            Operation::Assume { .. } => "assume",
            Operation::Flush { .. } => "flush",
        }
    }

    /// Its memory order, if it has one; `exchanged`: whether a compare-exchange has written.
    pub fn order(&self, exchanged: bool) -> Option<Order> {
        Some(match *self {
            Operation::Load { order, .. } => order.into(),
            Operation::Store { order, .. } => order.into(),
            Operation::Rmw { order, .. } => order.into(),
            Operation::CompareExchange { success, .. } if exchanged => success.into(),
            Operation::CompareExchange { failure, .. } => failure.into(),
            Operation::Fence { order } => order.into(),
            Operation::Copy { .. } | Operation::Set { .. } => Order::Plain,
            _ => return None,
        })
    }
}

/// A read-modify-write that commutes with others: nobody uses what it has read, so the order of two of them makes no difference if
/// they do the same kind of thing to the same bytes and nobody reads in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommutingUpdate {
    /// The address of the granule of eight bytes.
    pub granule: u64,
    /// Which of its bytes.
    pub mask: u8,
    /// What it does.
    pub op: CommutingOp,
}

impl Operation {
    /// What it does, if it is a read-modify-write that commutes with others. (One of bytes in two granules is not, for simplicity.)
    #[inline]
    pub fn commuting_update(&self) -> Option<CommutingUpdate> {
        let Operation::Rmw { address, ty, op, old: OldValue::Unused, .. } = *self else { return None };
        let (offset, size) = (address & 7, u64::from(ty.bytes()));
        let op = op.commuting().filter(|_| offset + size <= 8)?;
        let mask = (((1_u32 << size) - 1) << offset) as u8;
        Some(CommutingUpdate { granule: address & !7, mask, op })
    }
}

/// What completes an [`Operation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Without a value: stores, fences, copies, yields.
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
