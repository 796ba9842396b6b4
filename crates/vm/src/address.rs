//! The map of the simulated address space.
//!
//! Addresses are flat 64-bit numbers below [`LIMIT`]. Each thread owns a region for its stack, its
//! thread-local variables and what it allocates; the region is a function of the thread's place in the
//! spawn tree ([`ThreadId`]), and within a region addresses are a function of what the thread itself has
//! done. So an address never depends on how threads were interleaved.
//!
//! ```text
//! 0            0x1_0000       0x1000_0000     2^34         2^34+2^32      2^36              2^40
//! │ null guard │ functions    │ globals       │ main stack │ main heap    │ other threads   │
//! ```

use selvedge_program::FuncId;
use std::fmt;

/// A thread, named by its place in the spawn tree: the same thread has the same id in every execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(u16);

impl ThreadId {
    /// The thread that runs `main`.
    pub const MAIN: ThreadId = ThreadId(0);

    /// Direct children of the main thread that get the ids 1, 2, ….
    const CHILDREN_OF_MAIN: u32 = 127;
    /// Children of each of those that have an id of their own.
    const GRANDCHILDREN_EACH: u32 = 28;

    /// How many threads there can be.
    pub const COUNT: u32 = ((LIMIT - MAIN_END) / THREAD_REGION) as u32 + 1;

    /// The id of the `nth` thread (from 0) that `parent` creates, if the numbering has room for it.
    pub fn child(parent: ThreadId, nth: u32) -> Option<ThreadId> {
        let parent = u32::from(parent.0);
        match parent {
            0 if nth < Self::CHILDREN_OF_MAIN => Some(ThreadId(1 + nth as u16)),
            1..=Self::CHILDREN_OF_MAIN if nth < Self::GRANDCHILDREN_EACH => {
                let id = 1 + Self::CHILDREN_OF_MAIN + (parent - 1) * Self::GRANDCHILDREN_EACH + nth;
                (id < Self::COUNT).then_some(ThreadId(id as u16))
            }
            _ => None,
        }
    }

    /// As a number: 0 for the main thread.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The id with that number.
    pub fn from_number(number: usize) -> Option<ThreadId> {
        (number < Self::COUNT as usize).then_some(ThreadId(number as u16))
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{self}")
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u32::from(self.0);
        match number.checked_sub(1 + Self::CHILDREN_OF_MAIN) {
            None => write!(f, "{number}"),
            Some(rest) => {
                let each = Self::GRANDCHILDREN_EACH;
                write!(f, "{}.{}", 1 + rest / each, 1 + rest % each)
            }
        }
    }
}

/// End of the address space.
pub const LIMIT: u64 = 1 << 40;
/// Accesses below this are through a null pointer.
pub const NULL_END: u64 = 0x1_0000;
/// Distance between the addresses of functions.
const FUNCTION_STRIDE: u64 = 16;
/// Where globals begin.
pub const GLOBALS: u64 = 0x1000_0000;
/// Where the main thread's stack begins, and globals must end.
const MAIN_STACK: u64 = 1 << 34;
const MAIN_HEAP: u64 = MAIN_STACK + (1 << 32);
const MAIN_END: u64 = 1 << 36;
const THREAD_REGION: u64 = 1 << 28;
const THREAD_STACK: u64 = 1 << 26;

/// Room for globals.
pub const GLOBALS_END: u64 = MAIN_STACK;

/// The address of a function.
pub fn of_function(id: FuncId) -> u64 {
    NULL_END + u64::from(id.0) * FUNCTION_STRIDE
}

/// The function at an address, if it can be one.
pub fn function_at(address: u64) -> Option<FuncId> {
    let offset = address.checked_sub(NULL_END)?;
    (address < GLOBALS && offset % FUNCTION_STRIDE == 0).then_some(FuncId((offset / FUNCTION_STRIDE) as u32))
}

/// A range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// First address.
    pub start: u64,
    /// First address behind.
    pub end: u64,
}

impl Range {
    /// Whether an address lies in it.
    pub fn contains(self, address: u64) -> bool {
        self.start <= address && address < self.end
    }
}

/// Thread-local variables, then local variables.
pub fn stack(thread: ThreadId) -> Range {
    match thread.number() as u64 {
        0 => Range { start: MAIN_STACK, end: MAIN_HEAP },
        n => {
            let start = MAIN_END + (n - 1) * THREAD_REGION;
            Range { start, end: start + THREAD_STACK }
        }
    }
}

/// What the thread allocates.
pub fn heap(thread: ThreadId) -> Range {
    match thread.number() as u64 {
        0 => Range { start: MAIN_HEAP, end: MAIN_END },
        n => {
            let start = MAIN_END + (n - 1) * THREAD_REGION;
            Range { start: start + THREAD_STACK, end: start + THREAD_REGION }
        }
    }
}

/// All that belongs to a thread. The main thread's region includes the globals: they are marked as shared
/// where it matters.
pub fn region(thread: ThreadId) -> Range {
    match thread {
        ThreadId::MAIN => Range { start: 0, end: MAIN_END },
        _ => Range { start: stack(thread).start, end: heap(thread).end },
    }
}

/// The thread whose region an address lies in.
pub fn owner(address: u64) -> Option<ThreadId> {
    match address {
        0..MAIN_END => Some(ThreadId::MAIN),
        MAIN_END..LIMIT => Some(ThreadId(1 + ((address - MAIN_END) / THREAD_REGION) as u16)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_do_not_overlap_and_know_their_owner() {
        let mut end = 0;
        for number in 0..ThreadId::COUNT as usize {
            let thread = ThreadId::from_number(number).expect("in range");
            let all = region(thread);
            assert!(all.start >= end && all.end <= LIMIT);
            end = all.end;
            assert_eq!(owner(stack(thread).start), Some(thread));
            assert_eq!(owner(heap(thread).end - 1), Some(thread));
        }
        assert_eq!(owner(LIMIT), None);
    }

    #[test]
    fn children_have_distinct_ids() {
        let mut seen = std::collections::HashSet::from([ThreadId::MAIN]);
        for nth in 0..127 {
            let child = ThreadId::child(ThreadId::MAIN, nth).expect("room");
            assert!(seen.insert(child));
            for grandchild in 0..28 {
                assert!(seen.insert(ThreadId::child(child, grandchild).expect("room")));
            }
        }
        assert_eq!(ThreadId::child(ThreadId::MAIN, 127), None);
        let grandchild = ThreadId::child(ThreadId(2), 4).expect("room");
        assert_eq!(grandchild.to_string(), "2.5");
    }
}
