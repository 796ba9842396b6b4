//! The words of a synchronisation object, and what they say.
//!
//! How many there are, and where objects keep their life, is said by [`selvedge_program::sync`].

use super::{KeepsLife, ObjectKind};
use crate::ThreadId;

/// The words of a mutex. `KIND` is where the C library's initialisers put it.
pub(super) mod mutex {
    pub const STATE: usize = 0;
    pub const COUNT: usize = 1;
    pub const OWNER: usize = 2;
    pub const KIND: usize = 4;
    pub const NORMAL: u32 = 0;
    pub const RECURSIVE: u32 = 1;
    pub const ERROR_CHECKING: u32 = 2;
}

/// The words of a readers-writer lock.
pub(super) mod rwlock {
    pub const WRITER: usize = 0;
    pub const READERS: usize = 1;
}

/// The words of a semaphore.
pub(super) mod semaphore {
    pub const VALUE: usize = 0;
    pub const LIFE: usize = super::KeepsLife::Semaphore.word();
}

/// The words of a barrier.
pub(super) mod barrier {
    pub const NEEDED: usize = 0;
    pub const ARRIVED: usize = 1;
    pub const GENERATION: usize = 2;
    pub const LIFE: usize = super::KeepsLife::Barrier.word();
}

/// The states of a once-only action.
pub(super) mod once {
    pub const NOT_BEGUN: u32 = 0;
    pub const UNDER_WAY: u32 = 1;
    pub const DONE: u32 = 2;
}

/// The first word of a mutex that somebody has.
pub(super) const LOCKED: u32 = 1;
/// A destroyed object has this in place of its state, or of [`LIVE`].
pub(super) const DESTROYED: u32 = 0x00de_57ed;
/// A semaphore or barrier was set up.
pub(super) const LIVE: u32 = 0x05e7_0b1e;
/// Added to the handle of the thread that has a spin lock, so that nothing else that was in the same memory looks like it.
pub(super) const HELD: u32 = 0x5b00_0000;

/// The most words that the state of an object has.
pub const MOST_WORDS: usize = 5;

/// The state of an object, word by word; those that its kind does not have are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Words(pub [u32; MOST_WORDS]);

impl Words {
    /// The first two, as they are in memory.
    pub fn decisive(&self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }

    /// The thread that has an object of some kind for itself, if there is one.
    pub fn owner(&self, kind: ObjectKind) -> Option<ThreadId> {
        let handle = match kind {
            ObjectKind::Mutex if self.0[mutex::STATE] == LOCKED => self.0[mutex::OWNER],
            ObjectKind::RwLock => self.0[rwlock::WRITER],
            ObjectKind::SpinLock => self.0[0].saturating_sub(HELD),
            _ => 0,
        };
        ThreadId::from_handle(u64::from(handle))
    }
}

/// Whether the word in which an object keeps its life says that it was destroyed.
#[inline]
pub const fn is_destroyed(life: u32) -> bool {
    life == DESTROYED
}

/// Whether the word in which a semaphore or barrier keeps its life says that it was set up, and not destroyed.
#[inline]
pub const fn is_set_up(life: u32) -> bool {
    life == LIVE
}
