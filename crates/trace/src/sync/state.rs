//! The state of a synchronisation object: words of four bytes, in the object's own memory.
//!
//! They are laid out so that the static initialisers of the C library mean what they should: all zero is a free mutex, an empty
//! condition variable, a free readers-writer lock, a free spin lock, a once-only action that nobody has begun. Semaphores and
//! barriers have no static initialisers, and have a word that says whether they were set up.

use super::{ObjectKind, SyncOp};
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
    pub const LIFE: usize = 1;
}

/// The words of a barrier.
pub(super) mod barrier {
    pub const NEEDED: usize = 0;
    pub const ARRIVED: usize = 1;
    pub const GENERATION: usize = 2;
    pub const LIFE: usize = 3;
}

/// The states of a once-only action.
pub(super) mod once {
    pub const NOT_BEGUN: u32 = 0;
    pub const UNDER_WAY: u32 = 1;
    pub const DONE: u32 = 2;
}

/// The first word of a mutex that somebody has.
pub(super) const LOCKED: u32 = 1;
/// In place of a mutex's or lock's state, or of [`LIVE`]: it was destroyed.
pub(super) const DESTROYED: u32 = 0x00de_57ed;
/// A semaphore or barrier was set up.
pub(super) const LIVE: u32 = 0x05e7_0b1e;
/// Added to the handle of the thread that has a spin lock, so that nothing else that was in the same memory looks like it.
pub(super) const HELD: u32 = 0x5b00_0000;

/// The bytes of a word.
pub const WORD: u64 = 4;

/// The most words that the state of an object has.
pub const MOST_WORDS: usize = 5;

/// The state of an object, word by word; those that its kind does not have are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Words(pub [u32; MOST_WORDS]);

/// Where an object says that it cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeepsLife {
    /// In its first word, if it was destroyed.
    FirstWord,
    /// It is a semaphore.
    Semaphore,
    /// It is a barrier.
    Barrier,
}

impl KeepsLife {
    /// Which word that is.
    pub const fn word(self) -> usize {
        match self {
            KeepsLife::FirstWord => 0,
            KeepsLife::Semaphore => semaphore::LIFE,
            KeepsLife::Barrier => barrier::LIFE,
        }
    }
}

impl ObjectKind {
    /// How many words hold its state.
    #[inline]
    pub const fn state_words(self) -> usize {
        match self {
            ObjectKind::Mutex => 5,
            ObjectKind::RwLock | ObjectKind::Semaphore => 2,
            ObjectKind::Barrier => 4,
            ObjectKind::Condition | ObjectKind::SpinLock | ObjectKind::Once => 1,
        }
    }

    /// How many bytes hold its state.
    #[inline]
    pub const fn state_size(self) -> u64 {
        self.state_words() as u64 * WORD
    }

    /// Size of its C type, so that reports name the object and not a field of it.
    pub const fn size(self) -> u64 {
        match self {
            ObjectKind::Mutex => 40,
            ObjectKind::Condition => 48,
            ObjectKind::RwLock => 56,
            ObjectKind::Semaphore | ObjectKind::Barrier => 32,
            ObjectKind::SpinLock | ObjectKind::Once => 4,
        }
    }

    /// How many bytes tell operations on the object apart that commute from those that do not: the first one or two words. What
    /// follows these changes only together with them.
    #[inline]
    pub const fn decisive_size(self) -> u64 {
        match self.state_size() {
            size if size > 2 * WORD => 2 * WORD,
            size => size,
        }
    }

    /// Where it says that it cannot be used; `None` if its life never ends.
    pub const fn keeps_life(self) -> Option<KeepsLife> {
        match self {
            ObjectKind::Semaphore => Some(KeepsLife::Semaphore),
            ObjectKind::Barrier => Some(KeepsLife::Barrier),
            ObjectKind::Once => None,
            _ => Some(KeepsLife::FirstWord),
        }
    }

    /// Whether it must be set up before it is used.
    pub const fn needs_init(self) -> bool {
        matches!(self, ObjectKind::Semaphore | ObjectKind::Barrier)
    }

    /// The operation that ends the life of such an object, if there is one.
    pub fn destroy(self) -> Option<SyncOp> {
        SyncOp::ALL.into_iter().find(|op| op.object() == self && op.action() == super::Action::Destroy)
    }
}

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
