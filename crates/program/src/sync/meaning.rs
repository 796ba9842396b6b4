//! What an operation means to those who do not perform it, as far as that follows from its row alone.

use super::{Action, MOST_POSTS, ObjectKind, Patience, SyncOp, Waiters};

/// What must hold of the first two words of an object for an operation to go through, or to succeed. (A thread that has the
/// object already is another matter.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The first is not 1: nobody has the mutex; nobody is performing the once-only action.
    FirstNotOne,
    /// The first is 0: nobody has the spin lock; nobody has the readers-writer lock for writing.
    FirstZero,
    /// Both are 0: nobody has the readers-writer lock.
    BothZero,
    /// The first is not 0: something was posted to the semaphore.
    FirstNotZero,
    /// The first is less than [`MOST_POSTS`]: there is room for another post.
    FirstNotFull,
}

impl Condition {
    /// Whether it holds.
    pub fn holds(self, state: u64) -> bool {
        let first = state as u32;
        match self {
            Condition::FirstNotOne => first != 1,
            Condition::FirstZero => first == 0,
            Condition::BothZero => state == 0,
            Condition::FirstNotZero => first != 0,
            Condition::FirstNotFull => first < MOST_POSTS,
        }
    }

    /// Whether it concerns a lock, and not a count.
    pub const fn is_of_lock(self) -> bool {
        !matches!(self, Condition::FirstNotZero | Condition::FirstNotFull)
    }
}

/// What a thread learns from an operation, besides that it went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Nothing.
    Nothing,
    /// It reads the state, or is an error in some states.
    State,
    /// Nothing, but it goes through only if a condition holds.
    Take(Condition),
    /// Whether a condition holds.
    TryToTake(Condition),
    /// Whether there is room for another post.
    Room(Condition),
    /// Whether the once-only action is still to be performed; but it goes through only if a condition holds.
    Once(Condition),
    /// Whether it is the last to arrive, and the generation.
    Arrive,
    /// Whether it was let go.
    Woken,
    /// The threads that it wakes.
    Signal,
}

impl SyncOp {
    /// What must hold so that it goes through, if it blocks, or else succeeds.
    pub const fn condition(self) -> Option<Condition> {
        match (self.object(), self.action()) {
            (ObjectKind::Mutex, Action::Take(_)) | (_, Action::Begin) => Some(Condition::FirstNotOne),
            (ObjectKind::SpinLock, Action::Take(_)) | (_, Action::Share(_)) => Some(Condition::FirstZero),
            (ObjectKind::Semaphore, Action::Take(_)) => Some(Condition::FirstNotZero),
            (ObjectKind::Semaphore, Action::Give) => Some(Condition::FirstNotFull),
            (_, Action::Take(_)) => Some(Condition::BothZero),
            _ => None,
        }
    }

    /// What its thread learns.
    pub const fn asks(self) -> Ask {
        match (self.action(), self.condition()) {
            (Action::Begin, Some(condition)) => Ask::Once(condition),
            (Action::Take(Patience::Blocks) | Action::Share(Patience::Blocks), Some(condition)) => {
                Ask::Take(condition)
            }
            (Action::Take(_) | Action::Share(_), Some(condition)) => Ask::TryToTake(condition),
            (Action::Give, Some(condition)) => Ask::Room(condition),
            (Action::Init, _) if matches!(self.object(), ObjectKind::Condition) => Ask::Nothing,
            (Action::Init | Action::Destroy | Action::Look, _) => Ask::State,
            (Action::Arrive, _) => Ask::Arrive,
            (Action::Block, _) => Ask::Woken,
            (Action::Wake(Waiters::One), _) => Ask::Signal,
            _ => Ask::Nothing,
        }
    }

    /// How many words of the object answer what it asks; `None`: all that are decisive.
    pub const fn words_asked(self) -> Option<usize> {
        match (self.object(), self.action()) {
            (_, Action::Share(_)) => Some(1),
            (ObjectKind::Semaphore, Action::Take(_) | Action::Give | Action::Look) => Some(1),
            (_, Action::Arrive) => Some(3),
            _ => None,
        }
    }

    /// Whether its result depends on what other threads do.
    pub const fn has_telling_result(self) -> bool {
        matches!(
            self.action(),
            Action::Take(Patience::Tries | Patience::TimesOut)
                | Action::Share(Patience::Tries | Patience::TimesOut)
                | Action::Look
                | Action::Begin
                | Action::Arrive
        )
    }

    /// Whether it gives a lock, or a post, to whoever takes it next.
    pub const fn gives_back(self) -> bool {
        matches!(self.action(), Action::Give)
    }

    /// Whether only the thread that has the object can perform it without an error, so that nobody can have changed the object
    /// since that thread took it. (Somebody else may share a readers-writer lock.)
    pub const fn needs_sole_owner(self) -> bool {
        match self.action() {
            Action::Finish => true,
            Action::Give => matches!(self.object(), ObjectKind::Mutex | ObjectKind::SpinLock),
            _ => false,
        }
    }

    /// The clocks that it acquires if it goes through and succeeds.
    pub const fn acquires(self) -> &'static [Clock] {
        match (self.object(), self.action()) {
            (ObjectKind::RwLock, Action::Take(_)) => &[Clock::Object, Clock::Readers],
            (_, Action::Take(_) | Action::Share(_) | Action::Begin | Action::Arrive) => &[Clock::Object],
            _ => &[],
        }
    }
}

/// A clock of an object: what happened before those operations that release it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// That of who had it alone, posted to it, arrived at it, or performed it.
    Object,
    /// That of the readers of a readers-writer lock.
    Readers,
}
