//! Synchronisation objects: the one description of every operation on them.
//!
//! An operation is a row of [`SyncOp::description`]: the kind of object, what is done to it ([`Action`]), and its verb in reports.
//! All that other crates want to know of it follows from that row, here:
//!
//! | question | answer | who asks |
//! | --- | --- | --- |
//! | can it go through, what does it do, what does it return? | [`is_enabled`], [`perform`] | the machine |
//! | which words of the object hold its state? | [`ObjectKind::state_words`], [`Words`] | the machine, graphs |
//! | what must hold so that it goes through or succeeds? | [`SyncOp::condition`] | partial-order reduction, views |
//! | which operations does it commute with? | [`touch`] | partial-order reduction |
//! | which words does it change, and how? | [`changes`] | views |
//! | what does its thread learn from it? | [`SyncOp::asks`] | views |
//! | what does it acquire and release? | [`edges`] | data races, graphs |
//! | does it take, give back or only read? | [`hold`] | waiting loops |
//! | how is it said in words? | [`words`] | reports |
//!
//! The last six answers are abstractions of the first two. A test goes through all operations and object states and compares
//! (`tests/operations.rs`).
//!
//! **To add an operation:** a variant of [`SyncOp`], its row in [`SyncOp::description`], its arm in `transition.rs`; the
//! compiler asks for nothing else. Its C model calls it by a builtin.

mod meaning;
mod state;
mod transition;
pub mod words;

pub use meaning::{
    Ask, Change, Changes, Clock, Condition, Edges, Hold, Mode, Touch, changes, edges, hold, is_last_arrival,
    mode_if, touch, waiting,
};
pub use state::{KeepsLife, MOST_WORDS, WORD, Words, is_destroyed, is_set_up};
pub use transition::{
    Caller, Kinds, Misuse, MisuseKind, Performed, Waiting, errno, give_back_to_wait, is_enabled, perform,
};

/// The largest value of a semaphore: `SEM_VALUE_MAX`.
pub const MOST_POSTS: u32 = i32::MAX as u32;

/// What the last thread to arrive at a barrier gets; the others get the generation.
pub const SERIAL: u64 = u32::MAX as u64;

/// What is done to a synchronisation object. `object` is the address of the mutex, condition variable, …;
/// blocking operations are enabled only when they can go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SyncOp {
    /// Sets up a mutex; the argument is its kind.
    MutexInit,
    /// Takes a mutex; blocks while another thread has it.
    MutexLock,
    /// Takes a mutex if it is free.
    MutexTryLock,
    /// Takes a mutex if it is free; otherwise the time is up.
    MutexTimedLock,
    /// Gives a mutex back.
    MutexUnlock,
    /// Ends a mutex's life.
    MutexDestroy,
    /// Sets up a condition variable.
    ConditionInit,
    /// Gives the mutex (argument) back and begins to wait for a signal, in one step.
    ConditionRelease,
    /// Blocks until a signal has chosen this thread. Argument 1: the time may also be up.
    ConditionBlock,
    /// Wakes one of the threads that wait, if any; which one is a choice.
    ConditionSignal,
    /// Wakes all threads that wait.
    ConditionBroadcast,
    /// Ends a condition variable's life.
    ConditionDestroy,
    /// Sets up a readers-writer lock.
    RwInit,
    /// Takes it for reading; blocks while a writer has it.
    RwReadLock,
    /// Takes it for reading if no writer has it.
    RwTryReadLock,
    /// Takes it for writing; blocks while anybody has it.
    RwWriteLock,
    /// Takes it for writing if nobody has it.
    RwTryWriteLock,
    /// Gives it back. The argument says whether the thread has it for reading.
    RwUnlock,
    /// Ends its life.
    RwDestroy,
    /// Sets up a semaphore; the argument is its value.
    SemaphoreInit,
    /// Takes one; blocks while there is none.
    SemaphoreWait,
    /// Takes one if there is one.
    SemaphoreTryWait,
    /// Adds one, unless there are [`MOST_POSTS`].
    SemaphorePost,
    /// Reads the value.
    SemaphoreValue,
    /// Ends a semaphore's life.
    SemaphoreDestroy,
    /// Sets up a barrier; the argument is the number of threads.
    BarrierInit,
    /// Arrives; the last one lets all go. Gives the generation to wait for, or [`SERIAL`] to the last.
    BarrierArrive,
    /// Blocks until the last one has arrived, who lets all go.
    BarrierBlock,
    /// Ends a barrier's life.
    BarrierDestroy,
    /// Sets up a spin lock.
    SpinInit,
    /// Takes a spin lock; blocks while another thread has it.
    SpinLock,
    /// Takes a spin lock if it is free.
    SpinTryLock,
    /// Gives a spin lock back.
    SpinUnlock,
    /// Ends a spin lock's life.
    SpinDestroy,
    /// Begins a once-only action: gives 1 to the thread that must do it, 0 to those after; blocks while
    /// it is being done.
    OnceBegin,
    /// The once-only action is done.
    OnceEnd,
}

/// What kind of object an operation is about.
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
    /// What it is about.
    pub object: ObjectKind,
    /// What it does.
    pub action: Action,
    /// How reports call it.
    pub verb: &'static str,
}

impl SyncOp {
    /// All operations.
    pub const ALL: [SyncOp; 36] = {
        use SyncOp::*;
        [
            MutexInit,
            MutexLock,
            MutexTryLock,
            MutexTimedLock,
            MutexUnlock,
            MutexDestroy,
            ConditionInit,
            ConditionRelease,
            ConditionBlock,
            ConditionSignal,
            ConditionBroadcast,
            ConditionDestroy,
            RwInit,
            RwReadLock,
            RwTryReadLock,
            RwWriteLock,
            RwTryWriteLock,
            RwUnlock,
            RwDestroy,
            SemaphoreInit,
            SemaphoreWait,
            SemaphoreTryWait,
            SemaphorePost,
            SemaphoreValue,
            SemaphoreDestroy,
            BarrierInit,
            BarrierArrive,
            BarrierBlock,
            BarrierDestroy,
            SpinInit,
            SpinLock,
            SpinTryLock,
            SpinUnlock,
            SpinDestroy,
            OnceBegin,
            OnceEnd,
        ]
    };

    /// What there is to know of it.
    pub const fn description(self) -> Description {
        use Action::*;
        use ObjectKind::*;
        use Patience::*;
        const fn row(object: ObjectKind, action: Action, verb: &'static str) -> Description {
            Description { object, action, verb }
        }
        match self {
            SyncOp::MutexInit => row(Mutex, Init, "init"),
            SyncOp::MutexLock => row(Mutex, Take(Blocks), "lock"),
            SyncOp::MutexTryLock => row(Mutex, Take(Tries), "trylock"),
            SyncOp::MutexTimedLock => row(Mutex, Take(TimesOut), "timedlock"),
            SyncOp::MutexUnlock => row(Mutex, Give, "unlock"),
            SyncOp::MutexDestroy => row(Mutex, Destroy, "destroy"),
            SyncOp::ConditionInit => row(Condition, Init, "init"),
            SyncOp::ConditionRelease => row(Condition, ReleaseAndWait, "wait (releases the mutex)"),
            SyncOp::ConditionBlock => row(Condition, Block, "wait (woken)"),
            SyncOp::ConditionSignal => row(Condition, Wake(Waiters::One), "signal"),
            SyncOp::ConditionBroadcast => row(Condition, Wake(Waiters::All), "broadcast"),
            SyncOp::ConditionDestroy => row(Condition, Destroy, "destroy"),
            SyncOp::RwInit => row(RwLock, Init, "init"),
            SyncOp::RwReadLock => row(RwLock, Share(Blocks), "read-lock"),
            SyncOp::RwTryReadLock => row(RwLock, Share(Tries), "try-read-lock"),
            SyncOp::RwWriteLock => row(RwLock, Take(Blocks), "write-lock"),
            SyncOp::RwTryWriteLock => row(RwLock, Take(Tries), "try-write-lock"),
            SyncOp::RwUnlock => row(RwLock, Give, "unlock"),
            SyncOp::RwDestroy => row(RwLock, Destroy, "destroy"),
            SyncOp::SemaphoreInit => row(Semaphore, Init, "init"),
            SyncOp::SemaphoreWait => row(Semaphore, Take(Blocks), "semaphore wait"),
            SyncOp::SemaphoreTryWait => row(Semaphore, Take(Tries), "semaphore try-wait"),
            SyncOp::SemaphorePost => row(Semaphore, Give, "semaphore post"),
            SyncOp::SemaphoreValue => row(Semaphore, Look, "semaphore value"),
            SyncOp::SemaphoreDestroy => row(Semaphore, Destroy, "destroy"),
            SyncOp::BarrierInit => row(Barrier, Init, "init"),
            SyncOp::BarrierArrive => row(Barrier, Arrive, "barrier arrive"),
            SyncOp::BarrierBlock => row(Barrier, Block, "barrier leave"),
            SyncOp::BarrierDestroy => row(Barrier, Destroy, "destroy"),
            SyncOp::SpinInit => row(SpinLock, Init, "init"),
            SyncOp::SpinLock => row(SpinLock, Take(Blocks), "lock"),
            SyncOp::SpinTryLock => row(SpinLock, Take(Tries), "trylock"),
            SyncOp::SpinUnlock => row(SpinLock, Give, "unlock"),
            SyncOp::SpinDestroy => row(SpinLock, Destroy, "destroy"),
            SyncOp::OnceBegin => row(Once, Begin, "once begin"),
            SyncOp::OnceEnd => row(Once, Finish, "once end"),
        }
    }

    /// What it is about.
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

    /// Whether it does not look at the object but at whether its thread was let go. The object may be gone by then.
    #[inline]
    pub const fn is_about_own_waiting(self) -> bool {
        matches!(self.action(), Action::Block)
    }
}
