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
//!
//! Objects have gaps between them in which nothing may be accessed. Addresses on the heap are not used again; those on the stack are,
//! after 64 KiB of other locals.
//!
//! All of it is reserved, with shadows, for every machine (`memory.rs`), and that is more than valgrind has for the program it
//! runs. The feature `small-address-space` makes the map small enough; it is for measuring only. Threads then have little room,
//! and more integers look like addresses, but programs that keep within that room do exactly the same.

use selvedge_program::FuncId;
use selvedge_trace::ThreadId;

/// Accesses below this are through a null pointer.
pub const NULL_END: u64 = 0x1_0000;
/// Distance between the addresses of functions.
const FUNCTION_STRIDE: u64 = 16;
/// Where globals begin.
pub const GLOBALS: u64 = 0x1000_0000;

#[cfg(not(feature = "small-address-space"))]
mod layout {
    /// End of the address space.
    pub const LIMIT: u64 = 1 << 40;
    /// Where the main thread's stack begins, and globals must end.
    pub const MAIN_STACK: u64 = 1 << 34;
    pub const MAIN_HEAP: u64 = MAIN_STACK + (1 << 32);
    pub const MAIN_END: u64 = 1 << 36;
    pub const THREAD_REGION: u64 = 1 << 28;
    pub const THREAD_STACK: u64 = 1 << 26;
}

/// What valgrind has room for several times.
#[cfg(feature = "small-address-space")]
mod layout {
    /// End of the address space.
    pub const LIMIT: u64 = 1 << 33;
    /// Where the main thread's stack begins, and globals must end.
    pub const MAIN_STACK: u64 = 1 << 29;
    pub const MAIN_HEAP: u64 = MAIN_STACK + (1 << 26);
    pub const MAIN_END: u64 = 1 << 30;
    pub const THREAD_REGION: u64 = 1 << 20;
    pub const THREAD_STACK: u64 = 1 << 18;
}

pub use layout::LIMIT;
use layout::{MAIN_END, MAIN_HEAP, MAIN_STACK, THREAD_REGION, THREAD_STACK};

// Bits of an address can be told from a tag above them, and the map is in order.
const _: () = assert!(LIMIT.is_power_of_two());
const _: () = assert!(GLOBALS < MAIN_STACK && MAIN_HEAP < MAIN_END && THREAD_STACK < THREAD_REGION);

// Every thread has a region.
const _: () = assert!(ThreadId::COUNT as u64 <= (LIMIT - MAIN_END) / THREAD_REGION);

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
        MAIN_END..LIMIT => ThreadId::from_number(1 + ((address - MAIN_END) / THREAD_REGION) as usize),
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
}
