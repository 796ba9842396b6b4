//! What an operation on a synchronisation object means to those who do not perform it: abstractions of `transition.rs`.
//!
//! These functions are given the operation's result and the first two words of the object before it ([`Words::decisive`]); for condition
//! variables, instead of words, how many threads waited. That is what an [`crate::Event`] has.
//!
//! [`Words::decisive`]: super::Words::decisive

use super::state::{barrier, rwlock, semaphore};
use super::{
    Action, Clock, Condition, MOST_POSTS, ObjectKind, Patience, SERIAL, SyncOp, Waiters, Waiting,
    is_destroyed, is_set_up,
};
use crate::ThreadId;
use selvedge_program::CommutingOp;

/// Whether an operation that blocks until a condition holds goes through. A lock that was destroyed lets everybody through: using it
/// is an error.
pub fn lets_pass(condition: Condition, state: u64) -> bool {
    condition.holds(state) || condition.is_of_lock() && is_destroyed(state as u32)
}

/// Whether an operation that waits goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// It does.
    Open,
    /// It has to wait.
    Closed,
    /// Perhaps: its object is not set up, and whether that may be used is not a question of its state.
    Unclear,
}

/// Whether an operation that blocks until a condition holds goes through if accesses that commute with each other had not taken
/// place, which have added so much to the count of the object: the value of a semaphore, the readers of a lock. Its words are as
/// these accesses have left them; of a small object, the second is not known.
pub fn passage(condition: Condition, first: u32, second: Option<u32>, added: i64) -> Passage {
    const { assert!(semaphore::VALUE == 0 && semaphore::LIFE == 1 && rwlock::WRITER == 0 && rwlock::READERS == 1) };
    let is_open = match condition {
        Condition::FirstNotZero if i64::from(first) > added => true,
        Condition::FirstNotZero if second.is_some_and(|life| !is_set_up(life)) => return Passage::Unclear,
        Condition::FirstNotZero => false,
        Condition::BothZero => {
            let readers = i64::from(second.unwrap_or(0)) - added;
            lets_pass(condition, u64::from(first) | u64::from(readers != 0) << 32)
        }
        _ => lets_pass(condition, u64::from(first)),
    };
    if is_open { Passage::Open } else { Passage::Closed }
}

/// How an operation accesses the bytes of an object, or of memory. Accesses of the same mode commute, unless they are writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only reads.
    Read,
    /// Changes in a way that commutes with the same by another.
    Add,
    /// Takes or gives back a lock that several may have.
    Share,
    /// Arrives at a barrier, not as the last.
    Arrive,
    /// Updates memory in a way that commutes with the same of exactly the same bytes.
    Update(CommutingOp),
    /// Changes.
    Write,
}

impl Mode {
    /// Whether the order of two accesses to the same bytes matters. (Of two updates of bytes that only overlap, it does as well.)
    #[inline]
    pub fn conflicts(self, other: Mode) -> bool {
        self != other || self == Mode::Write
    }
}

/// How an operation accesses its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// The mode.
    pub mode: Mode,
    /// What it adds to the count of a semaphore or of a lock's readers. For an arrival at a barrier: 1 if the next one is
    /// the last.
    pub delta: i8,
}

/// How an operation of a thread has accessed its object, given its result and what was there before. Without a result: how it would
/// if it succeeded.
pub fn touch(op: SyncOp, result: Option<u64>, before: u64, thread: ThreadId) -> Touch {
    let failed = result.is_some_and(|result| result != 0);
    let first = before as u32;
    let (mode, delta) = match (op.object(), op.action()) {
        (_, Action::Arrive) if result.is_some_and(|result| result != SERIAL) => {
            let next_is_last = arrivals_left(before).is_none_or(|left| left <= 2);
            (Mode::Arrive, i8::from(next_is_last))
        }
        (_, Action::Look) => (Mode::Read, 0),
        // There is room for no more, or for this one only; then it makes a difference which of two comes first.
        (ObjectKind::Semaphore, Action::Give) if first >= MOST_POSTS => (Mode::Read, 0),
        (ObjectKind::Semaphore, Action::Give) if first == MOST_POSTS - 1 => (Mode::Write, 1),
        (ObjectKind::Semaphore, Action::Give) => (Mode::Add, 1),
        // One that fails leaves the object as it is.
        (_, Action::Take(_) | Action::Share(_) | Action::Give | Action::ReleaseAndWait) if failed => {
            (Mode::Read, 0)
        }
        (ObjectKind::Semaphore, Action::Take(_)) => (Mode::Write, -1),
        // It has been done.
        (_, Action::Begin) if result == Some(0) => (Mode::Read, 0),
        (_, Action::Share(_)) => (Mode::Share, 1),
        (ObjectKind::RwLock, Action::Give) if u64::from(first) != thread.handle() => (Mode::Share, -1),
        // Nobody waits.
        (_, Action::Wake(_)) if before == 0 => (Mode::Read, 0),
        _ => (Mode::Write, 0),
    };
    Touch { mode, delta }
}

/// How an operation, which had a result, would access its object if the first word of that were another; `None` if that depends on
/// more.
pub fn mode_if(op: SyncOp, result: Option<u64>, first: u32, thread: ThreadId) -> Option<Mode> {
    let result = match (op.object(), op.action()) {
        (
            ObjectKind::RwLock | ObjectKind::Semaphore,
            Action::Take(Patience::Tries) | Action::Share(Patience::Tries),
        ) => {
            return None;
        }
        (_, Action::Take(Patience::Tries | Patience::TimesOut)) => {
            let holds = |condition: Condition| condition.holds(u64::from(first)) && !is_destroyed(first);
            let succeeds = op.condition().is_some_and(holds);
            return Some(if succeeds { Mode::Write } else { Mode::Read });
        }
        (_, Action::Begin) => return Some(if first == 0 { Mode::Write } else { Mode::Read }),
        // Whether a thread holds a mutex does not depend on what others do.
        (_, Action::Take(_) | Action::Share(_) | Action::Give | Action::ReleaseAndWait) => result,
        _ => None,
    };
    Some(touch(op, result, u64::from(first), thread).mode)
}

/// A change of a word of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Something is added, whatever is there.
    Add {
        /// Which word.
        word: usize,
        /// What.
        delta: i8,
    },
    /// It becomes zero.
    Clear {
        /// Which word.
        word: usize,
    },
}

/// What an operation has done to the words of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes {
    /// These changes, and no others.
    Only(&'static [Change]),
    /// The first two words have what they have now, whatever was there; and these changes.
    Overwritten(&'static [Change]),
}

/// What an operation that went through has done to the words of its object, given its result and what was there before.
pub fn changes(op: SyncOp, result: u64, before: u64) -> Changes {
    const NONE: &[Change] = &[];
    let failed = result != 0;
    match (op.object(), op.action()) {
        (_, Action::Look | Action::Block | Action::Wake(_)) => Changes::Only(NONE),
        (_, Action::Arrive) if result == SERIAL => Changes::Only(
            const {
                &[
                    Change::Clear { word: barrier::ARRIVED },
                    Change::Add { word: barrier::GENERATION, delta: 1 },
                ]
            },
        ),
        (_, Action::Arrive) => Changes::Only(const { &[Change::Add { word: barrier::ARRIVED, delta: 1 }] }),
        (_, Action::Take(_) | Action::Share(_) | Action::Give | Action::ReleaseAndWait) if failed => {
            Changes::Only(NONE)
        }
        (ObjectKind::Semaphore, Action::Give) => {
            Changes::Only(const { &[Change::Add { word: semaphore::VALUE, delta: 1 }] })
        }
        (ObjectKind::Semaphore, Action::Take(_)) => {
            Changes::Only(const { &[Change::Add { word: semaphore::VALUE, delta: -1 }] })
        }
        (_, Action::Share(_)) => Changes::Only(const { &[Change::Add { word: rwlock::READERS, delta: 1 }] }),
        (ObjectKind::RwLock, Action::Give) if before as u32 == 0 => {
            Changes::Only(const { &[Change::Add { word: rwlock::READERS, delta: -1 }] })
        }
        (ObjectKind::RwLock, Action::Give) => {
            Changes::Only(const { &[Change::Clear { word: rwlock::WRITER }] })
        }
        (ObjectKind::Barrier, Action::Init) if !failed => {
            Changes::Overwritten(const { &[Change::Clear { word: barrier::GENERATION }] })
        }
        _ => Changes::Overwritten(NONE),
    }
}

/// How many threads a barrier lets go together, given its first two words.
pub const fn arrivals_needed(words: u64) -> u32 {
    (words >> (32 * barrier::NEEDED)) as u32
}

/// How many of these have yet to arrive, given the first two words; `None` if more have arrived than are needed.
pub const fn arrivals_left(words: u64) -> Option<u32> {
    arrivals_needed(words).checked_sub((words >> (32 * barrier::ARRIVED)) as u32)
}

/// Whether a barrier, given its first two words after an arrival, has just let all go: nobody has arrived for the next round.
pub const fn is_last_arrival(after: u64) -> bool {
    after >> (32 * barrier::ARRIVED) as u32 == 0
}

/// What becomes of threads that wait when an operation has gone through with a result.
pub fn waiting(op: SyncOp, result: u64) -> Waiting {
    match op.action() {
        Action::ReleaseAndWait if result == 0 => Waiting::Begins,
        Action::Arrive if result == SERIAL => Waiting::Wakes(Waiters::All),
        Action::Arrive => Waiting::Begins,
        Action::Block => Waiting::Ends,
        Action::Wake(whom) => Waiting::Wakes(whom),
        _ => Waiting::Unchanged,
    }
}

/// What an operation synchronises with, on the object itself. (Of a wait, the mutex that is given back is another object; what a
/// signal and a barrier let go comes after that, too: [`waiting`].)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edges {
    /// Whose releases happen before it.
    pub acquires: &'static [Clock],
    /// What later ones that acquire it come after.
    pub releases: &'static [Clock],
    /// Whether the object is new: what was released by an earlier one at its place does not count.
    pub forgets: bool,
}

/// What an operation that went through synchronises with, given its result and what was there before. One that fails does not.
#[inline]
pub fn edges(op: SyncOp, result: u64, before: u64) -> Edges {
    let (first, second) = (before as u32, (before >> 32) as u32);
    let none = Edges { acquires: &[], releases: &[], forgets: false };
    match (op.object(), op.action()) {
        // Its result is no error number.
        (_, Action::Arrive) => Edges { acquires: op.acquires(), releases: &[Clock::Object], ..none },
        (_, Action::Begin) => Edges { acquires: op.acquires(), ..none },
        _ if result != 0 => none,
        (_, Action::Init) => Edges { forgets: true, ..none },
        // A recursive mutex that its owner has locked once more is given back later, to nobody yet.
        (ObjectKind::Mutex, Action::Give) if second > 1 => none,
        // What nobody has is given back to nobody.
        (ObjectKind::Mutex | ObjectKind::SpinLock, Action::Give) if first == 0 => none,
        // The first word says who writes, if anybody does.
        (ObjectKind::RwLock, Action::Give) if first == 0 => Edges { releases: &[Clock::Readers], ..none },
        (_, Action::Give | Action::Finish) => Edges { releases: &[Clock::Object], ..none },
        _ => Edges { acquires: op.acquires(), ..none },
    }
}

/// What an operation means to a loop that may be waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// It takes a lock: no effect if the lock is given back in the same round.
    Takes,
    /// It gives a lock back.
    GivesBack,
    /// It only reads the object.
    Reads,
    /// It changes something.
    Changes,
}

/// What an operation that went through with a result means to a loop that may be waiting.
pub fn hold(op: SyncOp, result: u64) -> Hold {
    let is_lock = matches!(op.object(), ObjectKind::Mutex | ObjectKind::SpinLock | ObjectKind::RwLock);
    match op.action() {
        Action::Take(_) | Action::Share(_) if is_lock && result == 0 => Hold::Takes,
        Action::Give if is_lock && result == 0 => Hold::GivesBack,
        Action::Take(patience) | Action::Share(patience) if result != 0 && patience != Patience::Blocks => {
            Hold::Reads
        }
        Action::Give if !is_lock && result != 0 => Hold::Reads,
        Action::Look => Hold::Reads,
        _ => Hold::Changes,
    }
}
