//! Memory orders as properties of nodes.

use super::{Axiomatic, Axioms, Id, flag};
use selvedge_program::{LoadOrder, RmwOrder, StoreOrder};
use selvedge_trace::Operation;

impl<A: Axioms> Axiomatic<'_, A> {
    /// The properties of the read that a thread does next.
    pub(super) fn read_flags(&self, operation: &Operation, source: Id, cell: u32) -> u16 {
        match *operation {
            Operation::Load { order, .. } => load_flags(order),
            Operation::Rmw { order, .. } => update_flags(order) & !flag::RELEASE,
            Operation::CompareExchange { expected, ty, success, failure, .. } => {
                let value = self.graph.state_of(cell, source).low;
                let mask = mask(ty.bytes());
                match value & mask == expected & mask {
                    true => update_flags(success) & !flag::RELEASE,
                    false => load_flags(failure) | flag::AT_ONCE,
                }
            }
            Operation::Sync { .. } => flag::SYNC | flag::AT_ONCE,
            _ => 0,
        }
    }
}

/// A mask of the bits of some bytes.
pub(super) fn mask(bytes: u32) -> u128 {
    if bytes >= 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 }
}

fn load_flags(order: LoadOrder) -> u16 {
    match order {
        LoadOrder::Plain => flag::PLAIN,
        LoadOrder::Relaxed => 0,
        LoadOrder::Acquire => flag::ACQUIRE,
        LoadOrder::SeqCst => flag::ACQUIRE | flag::SEQ_CST,
    }
}

fn update_flags(order: RmwOrder) -> u16 {
    flag::AT_ONCE
        | match order {
            RmwOrder::Relaxed => 0,
            RmwOrder::Acquire => flag::ACQUIRE,
            RmwOrder::Release => flag::RELEASE,
            RmwOrder::AcqRel => flag::ACQUIRE | flag::RELEASE,
            RmwOrder::SeqCst => flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST,
        }
}

/// What a write belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteOf {
    /// A store.
    Store,
    /// An update, as its second half.
    Update,
}

/// The properties of a write of an operation.
pub(super) fn write_flags(operation: &Operation, of: WriteOf) -> u16 {
    let flags = match *operation {
        Operation::Store { order, .. } => match order {
            StoreOrder::Plain => flag::PLAIN,
            StoreOrder::Relaxed => 0,
            StoreOrder::Release => flag::RELEASE,
            StoreOrder::SeqCst => flag::RELEASE | flag::SEQ_CST | flag::AT_ONCE,
        },
        Operation::Rmw { order, .. } | Operation::CompareExchange { success: order, .. } => {
            update_flags(order) & !flag::ACQUIRE
        }
        Operation::Sync { .. } => flag::SYNC | flag::AT_ONCE,
        _ => 0,
    };
    match of {
        WriteOf::Update => flags | flag::UPDATE,
        WriteOf::Store => flags,
    }
}
