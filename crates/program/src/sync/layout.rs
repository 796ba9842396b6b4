//! The state of a synchronisation object: words of four bytes, in the object's own memory.
//!
//! They are laid out so that the static initialisers of the C library mean what they should: all zero is a free mutex, an empty
//! condition variable, a free readers-writer lock, a free spin lock, a once-only action that nobody has begun. Semaphores and
//! barriers have no static initialisers, and have a word that says whether they were set up. What the words mean is known to
//! `selvedge_trace::sync` alone.

use super::{Action, ObjectKind, SyncOp};

/// The bytes of a word.
pub const WORD: u64 = 4;

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
            KeepsLife::Semaphore => 1,
            KeepsLife::Barrier => 3,
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

    /// The size of the first one or two words, which decide which operations on the object commute. What follows these words
    /// changes only together with them.
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
        SyncOp::ALL.into_iter().find(|op| op.object() == self && op.action() == Action::Destroy)
    }
}

impl ObjectKind {
    /// How reports call it.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectKind::Mutex => "mutex",
            ObjectKind::Condition => "condition variable",
            ObjectKind::RwLock => "readers-writer lock",
            ObjectKind::Semaphore => "semaphore",
            ObjectKind::Barrier => "barrier",
            ObjectKind::SpinLock => "spin lock",
            ObjectKind::Once => "once-only action",
        }
    }
}
