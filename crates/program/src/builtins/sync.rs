//! Operations on synchronisation objects: names and types. What they do is the machine's and the checkers' business.

use super::PointerUse;
use crate::Type;

/// Makes the enumeration and the table of names from one list.
macro_rules! sync_functions {
    ($($name:literal $variant:ident)*) => {
        /// An operation on a synchronisation object: `int __selvedge_…(void *object)`, some with a second argument.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are those of the functions")]
        pub enum SyncFunction {
            $($variant,)*
        }

        impl SyncFunction {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Its name, without what all builtins have before theirs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

sync_functions! {
    "mutex_init" MutexInit
    "mutex_lock" MutexLock
    "mutex_trylock" MutexTryLock
    "mutex_timedlock" MutexTimedLock
    "mutex_unlock" MutexUnlock
    "mutex_destroy" MutexDestroy
    "condition_init" ConditionInit
    "condition_release" ConditionRelease
    "condition_block" ConditionBlock
    "condition_signal" ConditionSignal
    "condition_broadcast" ConditionBroadcast
    "condition_destroy" ConditionDestroy
    "rwlock_init" RwInit
    "rwlock_rdlock" RwReadLock
    "rwlock_tryrdlock" RwTryReadLock
    "rwlock_wrlock" RwWriteLock
    "rwlock_trywrlock" RwTryWriteLock
    "rwlock_unlock" RwUnlock
    "rwlock_destroy" RwDestroy
    "semaphore_init" SemaphoreInit
    "semaphore_wait" SemaphoreWait
    "semaphore_trywait" SemaphoreTryWait
    "semaphore_post" SemaphorePost
    "semaphore_value" SemaphoreValue
    "semaphore_destroy" SemaphoreDestroy
    "barrier_init" BarrierInit
    "barrier_arrive" BarrierArrive
    "barrier_block" BarrierBlock
    "barrier_destroy" BarrierDestroy
    "spin_init" SpinInit
    "spin_lock" SpinLock
    "spin_trylock" SpinTryLock
    "spin_unlock" SpinUnlock
    "spin_destroy" SpinDestroy
    "once_begin" OnceBegin
    "once_end" OnceEnd
}

impl SyncFunction {
    /// The function of that name.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Types of the parameters: the object, and for some a second one.
    pub fn params(self) -> &'static [Type] {
        use SyncFunction::*;
        match self {
            // The condition variable, and the mutex that is given back.
            ConditionRelease => &[Type::Ptr, Type::Ptr],
            MutexInit | RwUnlock | SemaphoreInit | BarrierInit | BarrierBlock | ConditionBlock => {
                &[Type::Ptr, Type::I32]
            }
            _ => &[Type::Ptr],
        }
    }

    /// The objects among the parameters. An operation that fails may leave its object as it is.
    pub(super) fn pointers(self) -> &'static [(usize, PointerUse)] {
        match self {
            Self::ConditionRelease => &[(0, PointerUse::Updates), (1, PointerUse::Updates)],
            Self::SemaphoreValue => &[(0, PointerUse::Reads)],
            _ => &[(0, PointerUse::Updates)],
        }
    }
}
