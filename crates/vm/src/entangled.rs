//! Whether what a thread does between two visible operations touches only its own state.
//!
//! Mostly it does: the thread's registers change, and memory that only it can reach. Whoever knows the results that a thread has
//! got so far then knows what it does next, and need not execute that again. There are exceptions: an object is handed over
//! to other threads, or ends its life although others can reach it; and a few builtins read or change what belongs to
//! others. Then the machine is *entangled*, until somebody asks whether it is ([`Machine::take_entangled`]). If something was
//! read, the machine is *dependent* as well: how the thread goes on does not follow from its results.

use crate::address;
use crate::machine::Machine;
use crate::memory::{READ_ONLY, SHARED};

impl Machine<'_> {
    /// Whether threads have touched more than their own state since this was last called, although that was no visible
    /// operation.
    pub fn take_entangled(&mut self) -> bool {
        self.dependent = false;
        let memory = self.memory.take_shared_changes();
        std::mem::take(&mut self.entangled) || memory
    }

    /// Whether a thread has read what belongs to others, since [`Machine::take_entangled`] was last called, although that
    /// was no visible operation.
    pub fn is_dependent(&self) -> bool {
        self.dependent
    }

    /// A builtin accesses some bytes without asking whether others can see that.
    pub(crate) fn reach(&mut self, index: usize, address: u64, size: u64) {
        let is_own = address::owner(address) == Some(self.threads[index].id)
            || self.memory.any_flag(address, size, READ_ONLY);
        if !is_own || self.memory.any_flag(address, size, SHARED) {
            (self.entangled, self.dependent) = (true, true);
        }
    }

    /// Whether a value that is written where others can see it may point to something that they cannot reach yet.
    #[inline]
    pub fn may_hand_over(&self, bytes: u32, value: u128) -> bool {
        let may_point = |word: u64| {
            let address = word & (address::LIMIT - 1);
            // Globals can be reached by everybody.
            address >= address::GLOBALS_END && !self.is_shared(address, 1)
        };
        bytes >= 8 && (may_point(value as u64) || bytes > 8 && may_point((value >> 64) as u64))
    }

    /// Whether a second thread has ever existed.
    pub fn is_multithreaded(&self) -> bool {
        self.multithreaded
    }
}
