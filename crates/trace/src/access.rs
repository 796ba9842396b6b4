//! Which bytes of the program's memory an operation accesses, and how: said once, for data races, relations, names and reports.
//!
//! What operations do to synchronisation objects is said in [`crate::sync`]. That an object's life ends, and that a buffered
//! store reaches memory, is no access of the thread.

use crate::{Event, Operation};
use selvedge_program::{LoadOrder, StoreOrder};

/// What is done to bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// They are read.
    Reads,
    /// They are written.
    Writes,
    /// They are read and written in one step.
    Updates,
}

/// Bytes that an operation accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryAccess {
    /// First address.
    pub address: u64,
    /// Number of bytes.
    pub size: u64,
    /// What is done to them.
    pub usage: Usage,
    /// Whether that is atomic.
    pub is_atomic: bool,
}

impl MemoryAccess {
    /// Whether two accesses have bytes in common.
    pub fn overlaps(&self, other: &MemoryAccess) -> bool {
        self.address < other.address.saturating_add(other.size)
            && other.address < self.address.saturating_add(self.size)
    }

    /// Whether two accesses of different threads are a data race if nothing orders them.
    pub fn races_with(&self, other: &MemoryAccess) -> bool {
        let writes = self.usage != Usage::Reads || other.usage != Usage::Reads;
        writes && !(self.is_atomic && other.is_atomic) && self.overlaps(other)
    }
}

impl Operation {
    /// The bytes that it accesses, in the order in which it does. A compare-exchange is said to update: see [`Event::accesses`].
    pub fn accesses(&self) -> impl Iterator<Item = MemoryAccess> + use<> {
        let access = |address, size, usage, is_atomic| Some(MemoryAccess { address, size, usage, is_atomic });
        let accesses = match *self {
            Operation::Load { address, ty, order } => {
                [access(address, u64::from(ty.bytes()), Usage::Reads, order != LoadOrder::Plain), None]
            }
            Operation::Store { address, ty, order, .. } => {
                [access(address, u64::from(ty.bytes()), Usage::Writes, order != StoreOrder::Plain), None]
            }
            Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => {
                [access(address, u64::from(ty.bytes()), Usage::Updates, true), None]
            }
            Operation::Copy { to, from, size } => {
                [access(from, size, Usage::Reads, false), access(to, size, Usage::Writes, false)]
            }
            Operation::Set { to, size, .. } => [access(to, size, Usage::Writes, false), None],
            _ => [None, None],
        };
        accesses.into_iter().flatten()
    }

    /// Whether it accesses the program's memory.
    #[inline]
    pub fn is_access(&self) -> bool {
        matches!(
            self,
            Operation::Load { .. }
                | Operation::Store { .. }
                | Operation::Rmw { .. }
                | Operation::CompareExchange { .. }
                | Operation::Copy { .. }
                | Operation::Set { .. }
        )
    }

    /// Whether it is an atomic access.
    #[inline]
    pub fn is_atomic_access(&self) -> bool {
        match *self {
            Operation::Load { order, .. } => order != LoadOrder::Plain,
            Operation::Store { order, .. } => order != StoreOrder::Plain,
            Operation::Rmw { .. } | Operation::CompareExchange { .. } => true,
            _ => false,
        }
    }

    /// What it is about, as address and size: the bytes that it accesses (of a copy, those that it writes), or its object.
    pub fn subject(&self) -> Option<(u64, u64)> {
        match *self {
            Operation::Sync { op, object, .. } => Some((object, op.object().size())),
            Operation::Flush { address, size, .. } => Some((address, u64::from(size))),
            _ => self.accesses().last().map(|access| (access.address, access.size)),
        }
    }
}

impl Event {
    /// The bytes that it accessed. A compare-exchange that failed has only read.
    pub fn accesses(&self) -> impl Iterator<Item = MemoryAccess> + use<> {
        let has_failed =
            matches!(self.operation, Operation::CompareExchange { .. }) && self.written.is_none();
        self.operation.accesses().map(move |access| match has_failed {
            true => MemoryAccess { usage: Usage::Reads, ..access },
            false => access,
        })
    }

    /// What it did to the bytes that it accessed, in a word.
    pub fn access_verb(&self) -> Option<&'static str> {
        let mut accesses = self.accesses();
        Some(match (accesses.next()?.usage, accesses.next()) {
            (_, Some(_)) => "copies",
            (Usage::Reads, None) => "reads",
            (Usage::Writes, None) => "writes",
            (Usage::Updates, None) => "updates",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SyncOp, ThreadId};
    use selvedge_program::{FenceOrder, RmwOp, RmwOrder, Site, Type};

    fn event(operation: Operation, written: Option<u128>) -> Event {
        Event {
            thread: ThreadId::MAIN,
            index: 0,
            operation,
            read: None,
            written,
            before: 0,
            buffered: 0,
            forwarded: 0,
            drained: false,
            atomic_section: false,
            choice: 0,
            site: Site::NONE,
        }
    }

    fn exchange(address: u64) -> Operation {
        let (success, failure) = (RmwOrder::Relaxed, LoadOrder::Relaxed);
        Operation::CompareExchange {
            address,
            ty: Type::I32,
            expected: 0,
            new: 1,
            success,
            failure,
            weak: false,
        }
    }

    fn load(address: u64, order: LoadOrder) -> Operation {
        Operation::Load { address, ty: Type::I32, order }
    }

    fn store(address: u64, order: StoreOrder) -> Operation {
        Operation::Store { address, ty: Type::I32, value: 7, order }
    }

    /// Accesses, and operations that are none.
    fn operations() -> (Vec<Operation>, Vec<Operation>) {
        let rmw = Operation::Rmw {
            address: 16,
            ty: Type::I64,
            op: RmwOp::Add,
            operand: 1,
            order: RmwOrder::Relaxed,
            old: selvedge_program::OldValue::Used,
        };
        let accesses = vec![
            load(16, LoadOrder::Plain),
            load(16, LoadOrder::Acquire),
            store(18, StoreOrder::Plain),
            store(20, StoreOrder::Relaxed),
            rmw,
            exchange(16),
            Operation::Copy { to: 16, from: 32, size: 6 },
            Operation::Set { to: 22, byte: 0, size: 3 },
        ];
        let others = vec![
            Operation::Fence { order: FenceOrder::SeqCst },
            Operation::Yield,
            Operation::Release { address: 16, size: 4 },
            Operation::EndScope { address: 16, size: 4 },
            Operation::Sync { op: SyncOp::MutexLock, object: 16, argument: 0 },
            Operation::Flush { address: 16, size: 4, value: 0, store: 1, lane: 0, epoch: 0 },
        ];
        (accesses, others)
    }

    #[test]
    fn what_is_an_access_has_bytes() {
        let (accesses, others) = operations();
        for operation in accesses {
            assert!(operation.is_access() && operation.accesses().next().is_some(), "{operation:?}");
            let is_atomic = operation.accesses().all(|access| access.is_atomic);
            assert_eq!(operation.is_atomic_access(), is_atomic, "{operation:?}");
        }
        for operation in others {
            assert!(!operation.is_access() && operation.accesses().next().is_none(), "{operation:?}");
            assert!(!operation.is_atomic_access(), "{operation:?}");
        }
    }

    #[test]
    fn an_exchange_that_fails_reads() {
        let usages = |written| event(exchange(8), written).accesses().map(|access| access.usage).collect();
        let (done, failed): (Vec<Usage>, Vec<Usage>) = (usages(Some(1)), usages(None));
        assert_eq!((done, failed), (vec![Usage::Updates], vec![Usage::Reads]));
        let verb = |written| event(exchange(8), written).access_verb();
        assert_eq!((verb(Some(1)), verb(None)), (Some("updates"), Some("reads")));
    }

    #[test]
    fn accesses_race_if_they_share_a_byte_one_writes_and_one_is_not_atomic() {
        let (operations, _) = operations();
        let all: Vec<MemoryAccess> = operations.iter().flat_map(Operation::accesses).collect();
        let mut racing = 0;
        for one in &all {
            for other in &all {
                let shared = (one.address..one.address + one.size)
                    .any(|byte| (other.address..other.address + other.size).contains(&byte));
                let only_read = one.usage == Usage::Reads && other.usage == Usage::Reads;
                let both_atomic = one.is_atomic && other.is_atomic;
                assert_eq!(one.races_with(other), shared && !only_read && !both_atomic, "{one:?} {other:?}");
                racing += usize::from(one.races_with(other));
            }
        }
        assert!(racing > 10 && racing < all.len() * all.len() / 2, "{racing}");
    }

    #[test]
    fn an_operation_is_about_what_it_writes_or_its_object() {
        let copy = Operation::Copy { to: 16, from: 32, size: 6 };
        assert_eq!(copy.subject(), Some((16, 6)));
        assert_eq!(event(copy, None).access_verb(), Some("copies"));
        assert_eq!(load(16, LoadOrder::Plain).subject(), Some((16, 4)));
        let lock = Operation::Sync { op: SyncOp::MutexLock, object: 8, argument: 0 };
        assert_eq!(lock.subject(), Some((8, 40)));
        assert_eq!(Operation::Yield.subject(), None);
    }
}
