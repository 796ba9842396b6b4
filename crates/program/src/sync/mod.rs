//! Operations on synchronisation objects: their names, their types, and what they mean.
//!
//! An operation is one row of the table below: the function by which models in C call it, the kind of object, what is done to it
//! ([`Action`]), and its verb in reports. All that other crates have to know of it follows from that row. This module has
//! what needs no execution:
//!
//! | question | answer | who asks |
//! | --- | --- | --- |
//! | which words of the object hold its state? | [`ObjectKind::state_words`] | the machine, graphs |
//! | what must hold so that it goes through or succeeds? | [`SyncOp::condition`] | partial-order reduction, views |
//! | what does its thread learn from it? | [`SyncOp::asks`] | views |
//! | what does it acquire? | [`SyncOp::acquires`] | data races, graphs |
//!
//! What it does in an execution (when it can go through, what it changes and returns, what it commutes with, releases, …) is in
//! `selvedge_trace::sync`.
//!
//! **To add an operation:** a row here, and its arm in `trace/src/sync/transition.rs`; the compiler asks for nothing else. Its
//! C model calls it by its name.

mod layout;
mod meaning;

pub use layout::{KeepsLife, WORD};
pub use meaning::{Ask, Clock, Condition};

use crate::Type;

/// The largest value of a semaphore: `SEM_VALUE_MAX`.
pub const MOST_POSTS: u32 = i32::MAX as u32;

/// What the last thread to arrive at a barrier gets; the others get the generation.
pub const SERIAL: u64 = u32::MAX as u64;

/// Makes the enumeration, the list and the descriptions from one table.
macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $object:ident, $action:expr, $verb:literal;)*) => {
        /// What is done to a synchronisation object: `int __selvedge_NAME(void *object)`, some with a second argument. Blocking
        /// operations are enabled only when they can go through.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SyncOp {
            $($(#[$doc])* $variant,)*
        }

        impl SyncOp {
            /// All operations, in the order of their declaration.
            pub const ALL: [SyncOp; [$($name),*].len()] = [$(SyncOp::$variant),*];

            /// What there is to know of it.
            pub const fn description(self) -> Description {
                use Action::*;
                use Patience::*;
                match self {
                    $(SyncOp::$variant => Description {
                        name: $name,
                        object: ObjectKind::$object,
                        action: $action,
                        verb: $verb,
                    },)*
                }
            }
        }
    };
}

operations! {
    /// Sets up a mutex; the argument is its kind.
    MutexInit = "mutex_init": Mutex, Init, "init";
    /// Takes a mutex; blocks while another thread has it.
    MutexLock = "mutex_lock": Mutex, Take(Blocks), "lock";
    /// Takes a mutex if it is free.
    MutexTryLock = "mutex_trylock": Mutex, Take(Tries), "trylock";
    /// Takes a mutex if it is free; otherwise the time is up.
    MutexTimedLock = "mutex_timedlock": Mutex, Take(TimesOut), "timedlock";
    /// Gives a mutex back.
    MutexUnlock = "mutex_unlock": Mutex, Give, "unlock";
    /// Ends a mutex's life.
    MutexDestroy = "mutex_destroy": Mutex, Destroy, "destroy";
    /// Sets up a condition variable.
    ConditionInit = "condition_init": Condition, Init, "init";
    /// Gives the mutex (argument) back and begins to wait for a signal, in one step.
    ConditionRelease = "condition_release": Condition, ReleaseAndWait, "wait (releases the mutex)";
    /// Blocks until a signal has chosen this thread. Argument 1: the time may also be up.
    ConditionBlock = "condition_block": Condition, Block, "wait (woken)";
    /// Wakes one of the threads that wait, if any; which one is a choice.
    ConditionSignal = "condition_signal": Condition, Wake(Waiters::One), "signal";
    /// Wakes all threads that wait.
    ConditionBroadcast = "condition_broadcast": Condition, Wake(Waiters::All), "broadcast";
    /// Ends a condition variable's life.
    ConditionDestroy = "condition_destroy": Condition, Destroy, "destroy";
    /// Sets up a readers-writer lock.
    RwInit = "rwlock_init": RwLock, Init, "init";
    /// Takes it for reading; blocks while a writer has it.
    RwReadLock = "rwlock_rdlock": RwLock, Share(Blocks), "read-lock";
    /// Takes it for reading if no writer has it.
    RwTryReadLock = "rwlock_tryrdlock": RwLock, Share(Tries), "try-read-lock";
    /// Takes it for writing; blocks while anybody has it.
    RwWriteLock = "rwlock_wrlock": RwLock, Take(Blocks), "write-lock";
    /// Takes it for writing if nobody has it.
    RwTryWriteLock = "rwlock_trywrlock": RwLock, Take(Tries), "try-write-lock";
    /// Gives it back. The argument says whether the thread has it for reading.
    RwUnlock = "rwlock_unlock": RwLock, Give, "unlock";
    /// Ends its life.
    RwDestroy = "rwlock_destroy": RwLock, Destroy, "destroy";
    /// Sets up a semaphore; the argument is its value.
    SemaphoreInit = "semaphore_init": Semaphore, Init, "init";
    /// Takes one; blocks while there is none.
    SemaphoreWait = "semaphore_wait": Semaphore, Take(Blocks), "semaphore wait";
    /// Takes one if there is one.
    SemaphoreTryWait = "semaphore_trywait": Semaphore, Take(Tries), "semaphore try-wait";
    /// Adds one, unless there are [`MOST_POSTS`].
    SemaphorePost = "semaphore_post": Semaphore, Give, "semaphore post";
    /// Reads the value.
    SemaphoreValue = "semaphore_value": Semaphore, Look, "semaphore value";
    /// Ends a semaphore's life.
    SemaphoreDestroy = "semaphore_destroy": Semaphore, Destroy, "destroy";
    /// Sets up a barrier; the argument is the number of threads.
    BarrierInit = "barrier_init": Barrier, Init, "init";
    /// Arrives; the last one lets all go. Returns the generation to wait for, or [`SERIAL`] to the last.
    BarrierArrive = "barrier_arrive": Barrier, Arrive, "barrier arrive";
    /// Blocks until the last one has arrived, who lets all go.
    BarrierBlock = "barrier_block": Barrier, Block, "barrier leave";
    /// Ends a barrier's life.
    BarrierDestroy = "barrier_destroy": Barrier, Destroy, "destroy";
    /// Sets up a spin lock.
    SpinInit = "spin_init": SpinLock, Init, "init";
    /// Takes a spin lock; blocks while another thread has it.
    SpinLock = "spin_lock": SpinLock, Take(Blocks), "lock";
    /// Takes a spin lock if it is free.
    SpinTryLock = "spin_trylock": SpinLock, Take(Tries), "trylock";
    /// Gives a spin lock back.
    SpinUnlock = "spin_unlock": SpinLock, Give, "unlock";
    /// Ends a spin lock's life.
    SpinDestroy = "spin_destroy": SpinLock, Destroy, "destroy";
    /// Begins a once-only action: gives 1 to the thread that must do it, 0 to those after; blocks while
    /// it is being done.
    OnceBegin = "once_begin": Once, Begin, "once begin";
    /// The once-only action is done.
    OnceEnd = "once_end": Once, Finish, "once end";
}

/// The kind of object of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// `pthread_mutex_t`, `mtx_t`.
    Mutex,
    /// `pthread_cond_t`, `cnd_t`.
    Condition,
    /// `pthread_rwlock_t`.
    RwLock,
    /// `sem_t`.
    Semaphore,
    /// `pthread_barrier_t`.
    Barrier,
    /// `pthread_spinlock_t`.
    SpinLock,
    /// `pthread_once_t`, `once_flag`.
    Once,
}

impl ObjectKind {
    /// All of them.
    pub const ALL: [ObjectKind; 7] = [
        ObjectKind::Mutex,
        ObjectKind::Condition,
        ObjectKind::RwLock,
        ObjectKind::Semaphore,
        ObjectKind::Barrier,
        ObjectKind::SpinLock,
        ObjectKind::Once,
    ];
}

/// What an operation does to its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Sets it up.
    Init,
    /// Ends its life.
    Destroy,
    /// Takes it, for this thread alone; from a semaphore, one of what was posted.
    Take(Patience),
    /// Takes it together with other threads that do the same.
    Share(Patience),
    /// Gives back what was taken or shared; to a semaphore, adds one.
    Give,
    /// Only reads.
    Look,
    /// Begins a once-only action, if nobody has; waits while another thread performs it.
    Begin,
    /// The once-only action is done.
    Finish,
    /// Gives a mutex back and begins to wait for a signal.
    ReleaseAndWait,
    /// Blocks until the thread was let go.
    Block,
    /// Lets one or all go that wait.
    Wake(Waiters),
    /// Arrives at a barrier.
    Arrive,
}

/// What a thread does if it cannot take what it wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// It blocks.
    Blocks,
    /// It gets `EBUSY` or `EAGAIN` at once.
    Tries,
    /// It gets `ETIMEDOUT`: time is not modelled, so any wait may be too long.
    TimesOut,
}

/// Which of the threads that wait are let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiters {
    /// One of them, if there is any.
    One,
    /// All.
    All,
}

/// The row of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Description {
    /// The function that it is, without what all builtins have before their names.
    pub name: &'static str,
    /// The kind of its object.
    pub object: ObjectKind,
    /// What it does.
    pub action: Action,
    /// How reports call it.
    pub verb: &'static str,
}

impl SyncOp {
    /// The operation with the name of a function.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.description().name == name)
    }

    /// Types of the parameters of the function: the object, and for some a second one.
    pub const fn params(self) -> &'static [Type] {
        match (self.object(), self.action()) {
            // The condition variable, and the mutex that is given back.
            (_, Action::ReleaseAndWait) => &[Type::Ptr, Type::Ptr],
            (ObjectKind::Mutex | ObjectKind::Semaphore | ObjectKind::Barrier, Action::Init)
            | (ObjectKind::RwLock, Action::Give)
            | (_, Action::Block) => &[Type::Ptr, Type::I32],
            _ => &[Type::Ptr],
        }
    }

    /// The kind of its object.
    #[inline]
    pub const fn object(self) -> ObjectKind {
        self.description().object
    }

    /// What it does.
    #[inline]
    pub const fn action(self) -> Action {
        self.description().action
    }

    /// How reports call it.
    pub const fn verb(self) -> &'static str {
        self.description().verb
    }

    /// Whether it may have to wait.
    #[inline]
    pub const fn is_blocking(self) -> bool {
        matches!(
            self.action(),
            Action::Take(Patience::Blocks) | Action::Share(Patience::Blocks) | Action::Begin | Action::Block
        )
    }

    /// Whether it sets up an object.
    pub const fn is_init(self) -> bool {
        matches!(self.action(), Action::Init)
    }

    /// Whether it reads not the object but whether its thread was let go. The object may be gone by then.
    #[inline]
    pub const fn is_about_own_waiting(self) -> bool {
        matches!(self.action(), Action::Block)
    }
}
