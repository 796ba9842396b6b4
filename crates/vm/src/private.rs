//! A log of stores to private memory, for memory models that reorder them.
//!
//! What a thread stores to an object before others can reach it is invisible, and done at once. Under PSO, however, the
//! store that hands the object over may reach memory before those: others find the object as it was before. So these
//! stores are written down here, with what they replaced; when the object is handed over, the model can take them back
//! and put them into the thread's buffer. The log shrinks when the machine is rewound.

use crate::machine::Machine;
use selvedge_program::Site;
use selvedge_trace::ThreadId;

/// A store to private memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrivateStore {
    /// Who.
    pub thread: ThreadId,
    /// First address.
    pub address: u64,
    /// Number of bytes, at most 16.
    pub size: u32,
    /// What was there before, and which bits of it were defined.
    pub before: (u128, u128),
    /// What was stored, and which bits of it are defined.
    pub after: (u128, u128),
    /// Where, in the user's program.
    pub site: Site,
}

impl Machine<'_> {
    /// The stores to private memory so far; nothing unless [`crate::Config::private_log`] is set.
    pub fn private_stores(&self) -> &[PrivateStore] {
        &self.private_log
    }

    /// Whether stores to private memory are logged now.
    pub(crate) fn logs_private(&self) -> bool {
        self.config.private_log && self.multithreaded
    }

    /// To be called before a store to private memory; returns what [`Machine::end_private`] needs.
    pub(crate) fn begin_private(&mut self, index: usize, address: u64, size: u64) -> usize {
        let first = self.private_log.len();
        if self.logs_private() {
            let (thread, site) = (self.threads[index].id, self.user_site(index));
            let end = address.saturating_add(size);
            let mut at = address;
            while at < end {
                // A single store is logged as one, a long one in pieces.
                let next = if size <= 16 { end } else { ((at & !7) + 8).min(end) };
                let bytes = (next - at) as u32;
                let before = (self.memory.read_scalar(at, bytes), self.defined_bits(at, bytes));
                let store = PrivateStore { thread, address: at, size: bytes, before, after: (0, 0), site };
                self.private_log.push(store);
                at = next;
            }
        }
        first
    }

    /// To be called after the store.
    pub(crate) fn end_private(&mut self, first: usize) {
        for at in first..self.private_log.len() {
            let PrivateStore { address, size, .. } = self.private_log[at];
            self.private_log[at].after =
                (self.memory.read_scalar(address, size), self.defined_bits(address, size));
        }
    }

    /// Takes a logged store back.
    pub fn take_back(&mut self, store: &PrivateStore) {
        self.memory.write_scalar(store.address, store.size, store.before.0);
        if self.memory.tracks_initialisation() {
            self.store_defined(store.address, store.size, store.before.1);
        }
    }

    /// Stores to private memory of a thread.
    pub fn store_privately(&mut self, id: ThreadId, address: u64, size: u32, value: u128, defined: u128) {
        let index = self.index(id);
        let first = self.begin_private(index, address, u64::from(size));
        self.memory.write_scalar(address, size, value);
        if self.memory.tracks_initialisation() {
            self.store_defined(address, size, defined);
        }
        self.end_private(first);
    }

    /// The objects (start, size) that became reachable for other threads since they were last taken.
    pub fn published(&self) -> &[(u64, u64)] {
        &self.published
    }
}
