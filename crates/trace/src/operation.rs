//! What a thread does next, as the memory model and the explorer see it.

use crate::ThreadId;
use selvedge_program::{FenceOrder, LoadOrder, RmwOp, RmwOrder, StoreOrder, Type};

/// The next visible operation of a thread, operands evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are explained in the variant's text")]
pub enum Operation {
    /// Reads `ty.bytes()` bytes at `address`.
    Load { address: u64, ty: Type, order: LoadOrder },
    /// Writes `value`.
    Store { address: u64, ty: Type, value: u128, order: StoreOrder },
    /// Reads and writes in one step.
    Rmw { address: u64, ty: Type, op: RmwOp, operand: u128, order: RmwOrder },
    /// Reads; writes `new` if `expected` was read.
    CompareExchange {
        address: u64,
        ty: Type,
        expected: u128,
        new: u128,
        success: RmwOrder,
        failure: LoadOrder,
        weak: bool,
    },
    /// Orders accesses.
    Fence { order: FenceOrder },
    /// Copies `size` plain bytes; at least one of the ranges is shared.
    Copy { to: u64, from: u64, size: u64 },
    /// Sets `size` plain bytes.
    Set { to: u64, byte: u8, size: u64 },
    /// Ends the life of a heap object of `size` bytes that other threads can reach.
    Release { address: u64, size: u64 },
    /// Ends the life of a local object of `size` bytes that other threads can reach: its scope, or its function, ends.
    EndScope { address: u64, size: u64 },
    /// Starts a thread that calls the function at `function` with `argument`. If `through` is not 0, it is
    /// the address of a function of the library that makes that call.
    Spawn { through: u64, function: u64, argument: u64 },
    /// Waits for a thread's end.
    Join { thread: Option<ThreadId> },
    /// Waits for the end of all other threads: what is left of `main` after `pthread_exit(result)`.
    WaitForOthers { result: u64 },
    /// Lets others go first; nothing else.
    Yield,
    /// An operation on a synchronisation object.
    Sync { op: SyncOp, object: u64, argument: u64 },
    /// Picks one of `options` alternatives. `sampled`: they stand for more values than are tried.
    Choose { options: u32, sampled: bool },
    /// Goes on only if the condition holds; otherwise the execution is none of the program's.
    Assume { condition: bool },
    /// A buffered store reaches memory: not an operation of the thread, but of its buffer. `store` is its number;
    /// `lane`: those of the same lane arrive in their order; `epoch`: those of earlier epochs arrive first.
    Flush { address: u64, size: u32, value: u128, store: u32, lane: u64, epoch: u32 },
}

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
    /// Gives it back.
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
    /// Arrives; the last one lets all go. Gives the generation to wait for, or all ones to the last.
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

/// The largest value of a semaphore: `SEM_VALUE_MAX`.
pub const MOST_POSTS: u32 = i32::MAX as u32;

impl SyncOp {
    /// Whether it may have to wait.
    pub fn is_blocking(self) -> bool {
        use SyncOp::*;
        matches!(
            self,
            MutexLock
                | ConditionBlock
                | RwReadLock
                | RwWriteLock
                | SemaphoreWait
                | BarrierBlock
                | SpinLock
                | OnceBegin
        )
    }

    /// Whether it sets up an object.
    pub fn is_init(self) -> bool {
        use SyncOp::*;
        matches!(self, MutexInit | ConditionInit | RwInit | SemaphoreInit | BarrierInit | SpinInit)
    }

    /// Size of the C type of the object, so that reports name the object and not a field of it.
    pub fn object_size(self) -> u64 {
        use SyncOp::*;
        match self {
            MutexInit | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock | MutexDestroy => 40,
            ConditionInit | ConditionRelease | ConditionBlock | ConditionSignal | ConditionBroadcast
            | ConditionDestroy => 48,
            RwInit | RwReadLock | RwTryReadLock | RwWriteLock | RwTryWriteLock | RwUnlock | RwDestroy => 56,
            SemaphoreInit | SemaphoreWait | SemaphoreTryWait | SemaphorePost | SemaphoreValue
            | SemaphoreDestroy | BarrierInit | BarrierArrive | BarrierBlock | BarrierDestroy => 32,
            SpinInit | SpinLock | SpinTryLock | SpinUnlock | SpinDestroy | OnceBegin | OnceEnd => 4,
        }
    }

    /// How reports call it.
    pub fn verb(self) -> &'static str {
        use SyncOp::*;
        match self {
            MutexInit | ConditionInit | RwInit | SemaphoreInit | BarrierInit | SpinInit => "init",
            MutexDestroy | ConditionDestroy | RwDestroy | SemaphoreDestroy | BarrierDestroy | SpinDestroy => {
                "destroy"
            }
            MutexLock | SpinLock => "lock",
            MutexTryLock | SpinTryLock => "trylock",
            MutexTimedLock => "timedlock",
            MutexUnlock | SpinUnlock | RwUnlock => "unlock",
            ConditionRelease => "wait (releases the mutex)",
            ConditionBlock => "wait (woken)",
            ConditionSignal => "signal",
            ConditionBroadcast => "broadcast",
            RwReadLock => "read-lock",
            RwTryReadLock => "try-read-lock",
            RwWriteLock => "write-lock",
            RwTryWriteLock => "try-write-lock",
            SemaphoreWait => "semaphore wait",
            SemaphoreTryWait => "semaphore try-wait",
            SemaphorePost => "semaphore post",
            SemaphoreValue => "semaphore value",
            BarrierArrive => "barrier arrive",
            BarrierBlock => "barrier leave",
            OnceBegin => "once begin",
            OnceEnd => "once end",
        }
    }
}

/// What completes an [`Operation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Nothing to tell: stores, fences, copies, yields.
    Done,
    /// The value read by a load, or before a read-modify-write.
    Value(u128),
    /// The value read by a compare-exchange, and whether it was replaced.
    Exchanged {
        /// What was read.
        old: u128,
        /// Whether `new` was written.
        success: bool,
    },
}
