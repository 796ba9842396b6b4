//! Synchronisation objects: when an operation on one can go through, and what it does.
//!
//! The state of an object is kept in the object's own bytes (a `pthread_mutex_t` and the like), laid out so
//! that the static initialisers of the C library mean what they should: all zero is a free mutex, an empty
//! condition variable, a free readers-writer lock. So it is rewound with the rest of memory, and a mutex in
//! freed memory is a use after free like any other. Which threads wait for a condition variable or at a
//! barrier, and which of them have been let go, is part of their own position: a thread that was let go
//! does not look at the object again, which may be gone by then.

use crate::access::Direction;
use crate::call::handle_of_thread;
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use selvedge_trace::{MOST_POSTS, SyncOp, ThreadId};

/// Error numbers of Linux.
mod errno {
    pub const EPERM: u64 = 1;
    pub const EAGAIN: u64 = 11;
    pub const EBUSY: u64 = 16;
    pub const EINVAL: u64 = 22;
    pub const EDEADLK: u64 = 35;
    pub const EOVERFLOW: u64 = 75;
    pub const ETIMEDOUT: u64 = 110;
}

/// Offsets of a mutex's fields; `KIND` is where the C library's initialisers put it.
mod mutex {
    pub const STATE: u64 = 0;
    pub const COUNT: u64 = 4;
    pub const OWNER: u64 = 8;
    pub const KIND: u64 = 16;
    pub const RECURSIVE: u64 = 1;
    pub const ERROR_CHECKING: u64 = 2;
}

mod rwlock {
    pub const WRITER: u64 = 0;
    pub const READERS: u64 = 4;
}

mod barrier {
    pub const NEEDED: u64 = 0;
    pub const ARRIVED: u64 = 4;
    pub const GENERATION: u64 = 8;
}

/// In place of a mutex's or lock's state: it was destroyed.
const DESTROYED: u64 = 0x00de_57ed;
/// What the last thread at a barrier gets.
pub const SERIAL: u64 = u32::MAX as u64;

/// Number of bytes of an object that its state may occupy.
fn size_of(op: SyncOp) -> u64 {
    use SyncOp::*;
    match op {
        MutexInit | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock | MutexDestroy => 20,
        ConditionInit | ConditionRelease | ConditionBlock | ConditionSignal | ConditionBroadcast
        | ConditionDestroy => 4,
        RwInit | RwReadLock | RwTryReadLock | RwWriteLock | RwTryWriteLock | RwUnlock | RwDestroy => 8,
        SemaphoreInit | SemaphoreWait | SemaphoreTryWait | SemaphorePost | SemaphoreValue
        | SemaphoreDestroy => 4,
        BarrierInit | BarrierArrive | BarrierBlock | BarrierDestroy => 12,
        SpinLock | SpinTryLock | SpinUnlock | OnceBegin | OnceEnd => 4,
    }
}

impl Machine<'_> {
    fn field(&self, object: u64, offset: u64) -> u64 {
        self.memory.read_scalar(object.wrapping_add(offset), 4) as u64
    }

    fn set_field(&mut self, object: u64, offset: u64, value: u64) {
        self.memory.write_scalar(object.wrapping_add(offset), 4, u128::from(value));
    }

    /// The bytes that the state of an object occupies: what an operation on it depends on.
    pub fn sync_footprint(op: SyncOp, object: u64) -> (u64, u64) {
        (object, size_of(op))
    }

    /// Whether the first bytes of a synchronisation object say that it was destroyed.
    pub fn is_destroyed(bytes: u32) -> bool {
        u64::from(bytes) == DESTROYED
    }

    /// The threads that wait for a condition variable and have not been signalled, in order of creation.
    pub fn waiters(&self, condition: u64) -> Vec<ThreadId> {
        let waits = |thread: &&crate::thread::Thread| {
            thread.position.waiting_for == condition && !thread.position.signalled
        };
        self.threads.iter().filter(waits).map(|thread| thread.id).collect()
    }

    /// The owner of a mutex or spin lock, or the writer of a readers-writer lock, if there is one.
    pub fn owner_of(&self, op: SyncOp, object: u64) -> Option<ThreadId> {
        use SyncOp::*;
        let handle = match op {
            MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => match self.field(object, mutex::STATE)
            {
                1 => self.field(object, mutex::OWNER),
                _ => 0,
            },
            SpinLock | SpinTryLock | SpinUnlock => self.field(object, 0),
            RwReadLock | RwWriteLock | RwTryReadLock | RwTryWriteLock | RwUnlock => {
                self.field(object, rwlock::WRITER)
            }
            _ => 0,
        };
        crate::call::thread_of_handle(handle)
    }

    /// Whether the operation can go through. One that is an error can: performing it reports the error.
    pub(crate) fn sync_enabled(&self, index: usize, op: SyncOp, object: u64, argument: u64) -> bool {
        use SyncOp::*;
        let waits_by_itself = matches!(op, ConditionBlock | BarrierBlock);
        let gone = !waits_by_itself && self.memory.first_inaccessible(object, size_of(op)).is_some();
        if !op.is_blocking() || gone {
            return true;
        }
        let me = handle_of_thread(self.threads[index].id);
        match op {
            MutexLock => self.field(object, mutex::STATE) != 1 || self.field(object, mutex::OWNER) == me,
            SpinLock => matches!(self.field(object, 0), 0 | DESTROYED) || self.field(object, 0) == me,
            RwReadLock => {
                matches!(self.field(object, rwlock::WRITER), 0 | DESTROYED)
                    || self.field(object, rwlock::WRITER) == me
            }
            RwWriteLock => {
                let writer = self.field(object, rwlock::WRITER);
                writer == me
                    || writer == DESTROYED
                    || (writer == 0 && self.field(object, rwlock::READERS) == 0)
            }
            SemaphoreWait => self.field(object, 0) != 0,
            BarrierBlock => self.threads[index].position.signalled,
            OnceBegin => self.field(object, 0) != 1,
            ConditionBlock => {
                let position = &self.threads[index].position;
                position.signalled
                    || argument != 0
                    || position.spurious_wakeups < self.config.spurious_wakeups
            }
            _ => true,
        }
    }

    /// Performs the operation; gives the result of the call.
    pub(crate) fn sync_perform(
        &mut self,
        index: usize,
        op: SyncOp,
        object: u64,
        argument: u64,
        choice: u32,
    ) -> Result<u64, Stop> {
        use SyncOp::*;
        // A thread that was let go may find the object gone: it does not look at it again.
        if !matches!(op, ConditionBlock | BarrierBlock) {
            self.check_access(index, object, size_of(op), Direction::Write)?;
        }
        match op {
            MutexInit => {
                for offset in [mutex::STATE, mutex::COUNT, mutex::OWNER] {
                    self.set_field(object, offset, 0);
                }
                self.set_field(object, mutex::KIND, argument);
                Ok(0)
            }
            MutexLock => self.mutex_lock(index, object, errno::EDEADLK),
            MutexTryLock => self.mutex_lock(index, object, errno::EBUSY),
            MutexTimedLock => self.mutex_lock(index, object, errno::ETIMEDOUT),
            MutexUnlock => self.mutex_unlock(index, object),
            MutexDestroy => {
                self.check_alive(index, object, mutex::STATE, "mutex")?;
                if self.field(object, mutex::STATE) == 1 {
                    let owner = self.owner_of(MutexLock, object);
                    let held = owner.map_or(String::new(), |thread| format!(" by thread {thread}"));
                    let message = format!("a mutex is destroyed while it is held{held}");
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                self.set_field(object, mutex::STATE, DESTROYED);
                Ok(0)
            }
            ConditionInit => {
                self.set_field(object, 0, 0);
                Ok(0)
            }
            ConditionRelease => {
                self.check_alive(index, object, 0, "condition variable")?;
                let result = self.mutex_unlock(index, argument)?;
                if result == 0 {
                    let position = &mut self.threads[index].position;
                    position.waiting_for = object;
                    position.signalled = false;
                }
                Ok(result)
            }
            ConditionBlock => {
                let position = &mut self.threads[index].position;
                let result = match (position.signalled, argument) {
                    (true, _) => 0,
                    (false, 0) => {
                        position.spurious_wakeups += 1;
                        0
                    }
                    (false, _) => errno::ETIMEDOUT,
                };
                position.waiting_for = 0;
                position.signalled = false;
                Ok(result)
            }
            ConditionSignal | ConditionBroadcast => {
                self.check_alive(index, object, 0, "condition variable")?;
                let waiters = self.waiters(object);
                let chosen = match op {
                    ConditionSignal => {
                        waiters.get(choice as usize).map(std::slice::from_ref).unwrap_or_default()
                    }
                    _ => waiters.as_slice(),
                };
                self.wake(chosen);
                Ok(0)
            }
            ConditionDestroy => {
                self.check_alive(index, object, 0, "condition variable")?;
                if let Some(thread) = self.waiters(object).first() {
                    let message =
                        format!("a condition variable is destroyed while thread {thread} waits for it");
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                self.set_field(object, 0, DESTROYED);
                Ok(0)
            }
            RwInit => {
                self.set_field(object, rwlock::WRITER, 0);
                self.set_field(object, rwlock::READERS, 0);
                Ok(0)
            }
            RwReadLock | RwTryReadLock => {
                self.check_alive(index, object, rwlock::WRITER, "readers-writer lock")?;
                match self.field(object, rwlock::WRITER) {
                    0 => {
                        let readers = self.field(object, rwlock::READERS);
                        self.set_field(object, rwlock::READERS, readers + 1);
                        Ok(0)
                    }
                    _ if op == RwReadLock => Ok(errno::EDEADLK),
                    _ => Ok(errno::EBUSY),
                }
            }
            RwWriteLock | RwTryWriteLock => {
                self.check_alive(index, object, rwlock::WRITER, "readers-writer lock")?;
                let free =
                    self.field(object, rwlock::WRITER) == 0 && self.field(object, rwlock::READERS) == 0;
                match op {
                    _ if free => {
                        let me = handle_of_thread(self.threads[index].id);
                        self.set_field(object, rwlock::WRITER, me);
                        Ok(0)
                    }
                    RwWriteLock => Ok(errno::EDEADLK),
                    _ => Ok(errno::EBUSY),
                }
            }
            RwUnlock => {
                self.check_alive(index, object, rwlock::WRITER, "readers-writer lock")?;
                let me = handle_of_thread(self.threads[index].id);
                let readers = self.field(object, rwlock::READERS);
                if self.field(object, rwlock::WRITER) == me {
                    self.set_field(object, rwlock::WRITER, 0);
                } else if self.field(object, rwlock::WRITER) == 0 && readers > 0 {
                    self.set_field(object, rwlock::READERS, readers - 1);
                } else {
                    let message =
                        "a readers-writer lock is unlocked by a thread that does not hold it".to_owned();
                    return Err(self.fault(index, FaultKind::BadUnlock, message, Vec::new()));
                }
                Ok(0)
            }
            RwDestroy => {
                self.check_alive(index, object, rwlock::WRITER, "readers-writer lock")?;
                if self.field(object, rwlock::WRITER) != 0 || self.field(object, rwlock::READERS) != 0 {
                    let message = "a readers-writer lock is destroyed while it is held".to_owned();
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                self.set_field(object, rwlock::WRITER, DESTROYED);
                Ok(0)
            }
            SemaphoreInit => {
                self.set_field(object, 0, argument);
                Ok(0)
            }
            SemaphoreWait => {
                let value = self.field(object, 0);
                self.set_field(object, 0, value.saturating_sub(1));
                Ok(0)
            }
            SemaphoreTryWait => match self.field(object, 0) {
                0 => Ok(errno::EAGAIN),
                value => {
                    self.set_field(object, 0, value - 1);
                    Ok(0)
                }
            },
            SemaphorePost => match self.field(object, 0) {
                value if value >= u64::from(MOST_POSTS) => Ok(errno::EOVERFLOW),
                value => {
                    self.set_field(object, 0, value + 1);
                    Ok(0)
                }
            },
            SemaphoreValue => Ok(self.field(object, 0)),
            SemaphoreDestroy => Ok(0),
            BarrierInit => {
                if argument == 0 {
                    return Ok(errno::EINVAL);
                }
                self.set_field(object, barrier::NEEDED, argument);
                self.set_field(object, barrier::ARRIVED, 0);
                self.set_field(object, barrier::GENERATION, 0);
                Ok(0)
            }
            BarrierArrive => {
                let arrived = self.field(object, barrier::ARRIVED) + 1;
                let generation = self.field(object, barrier::GENERATION);
                if arrived >= self.field(object, barrier::NEEDED) {
                    self.set_field(object, barrier::ARRIVED, 0);
                    self.set_field(object, barrier::GENERATION, (generation + 1) & 0x7fff_ffff);
                    self.wake(&self.waiters(object));
                    return Ok(SERIAL);
                }
                self.set_field(object, barrier::ARRIVED, arrived);
                let position = &mut self.threads[index].position;
                position.waiting_for = object;
                position.signalled = false;
                Ok(generation)
            }
            BarrierBlock => {
                let position = &mut self.threads[index].position;
                position.waiting_for = 0;
                position.signalled = false;
                Ok(0)
            }
            BarrierDestroy => {
                if self.field(object, barrier::ARRIVED) != 0 {
                    let message = "a barrier is destroyed while threads wait at it".to_owned();
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                Ok(0)
            }
            SpinLock | SpinTryLock => {
                let me = handle_of_thread(self.threads[index].id);
                match self.field(object, 0) {
                    0 => {
                        self.set_field(object, 0, me);
                        Ok(0)
                    }
                    owner if owner == me && op == SpinLock => Err(self.relock(index, "spin lock")),
                    _ => Ok(errno::EBUSY),
                }
            }
            SpinUnlock => {
                if self.field(object, 0) != handle_of_thread(self.threads[index].id) {
                    let message = "a spin lock is unlocked by a thread that does not hold it".to_owned();
                    return Err(self.fault(index, FaultKind::BadUnlock, message, Vec::new()));
                }
                self.set_field(object, 0, 0);
                Ok(0)
            }
            OnceBegin => match self.field(object, 0) {
                0 => {
                    self.set_field(object, 0, 1);
                    Ok(1)
                }
                _ => Ok(0),
            },
            OnceEnd => {
                self.set_field(object, 0, 2);
                Ok(0)
            }
        }
    }

    /// Lets threads go that wait for a condition variable or at a barrier.
    fn wake(&mut self, threads: &[ThreadId]) {
        self.woken.extend_from_slice(threads);
        for thread in threads {
            let woken = self.index(*thread);
            self.save(woken);
            self.threads[woken].position.signalled = true;
        }
    }

    fn check_alive(&mut self, index: usize, object: u64, offset: u64, what: &str) -> Result<(), Stop> {
        if self.field(object, offset) == DESTROYED {
            let message = format!("a {what} is used after it was destroyed");
            return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
        }
        Ok(())
    }

    fn relock(&mut self, index: usize, what: &str) -> Stop {
        let message =
            format!("a {what} is locked again by the thread that holds it, which can never succeed");
        self.fault(index, FaultKind::Relock, message, Vec::new())
    }

    /// Takes a mutex; `otherwise` is the result if another thread has it (for forms that do not block).
    fn mutex_lock(&mut self, index: usize, object: u64, otherwise: u64) -> Result<u64, Stop> {
        self.check_alive(index, object, mutex::STATE, "mutex")?;
        let me = handle_of_thread(self.threads[index].id);
        let kind = self.field(object, mutex::KIND) & 3;
        let count = self.field(object, mutex::COUNT);
        if self.field(object, mutex::STATE) == 0 {
            self.set_field(object, mutex::STATE, 1);
            self.set_field(object, mutex::OWNER, me);
            self.set_field(object, mutex::COUNT, 1);
            return Ok(0);
        }
        match (self.field(object, mutex::OWNER) == me, kind) {
            (true, mutex::RECURSIVE) => {
                self.set_field(object, mutex::COUNT, count + 1);
                Ok(0)
            }
            (true, kind) if otherwise == errno::EDEADLK => match kind {
                mutex::ERROR_CHECKING => Ok(errno::EDEADLK),
                _ => Err(self.relock(index, "mutex")),
            },
            (true, mutex::ERROR_CHECKING) if otherwise == errno::ETIMEDOUT => Ok(errno::EDEADLK),
            _ => Ok(otherwise),
        }
    }

    fn mutex_unlock(&mut self, index: usize, object: u64) -> Result<u64, Stop> {
        self.check_access(index, object, size_of(SyncOp::MutexUnlock), Direction::Write)?;
        self.check_alive(index, object, mutex::STATE, "mutex")?;
        let me = handle_of_thread(self.threads[index].id);
        let held = self.field(object, mutex::STATE) == 1;
        if !held || self.field(object, mutex::OWNER) != me {
            let kind = self.field(object, mutex::KIND) & 3;
            if matches!(kind, mutex::RECURSIVE | mutex::ERROR_CHECKING) {
                return Ok(errno::EPERM);
            }
            let message = match (held, self.owner_of(SyncOp::MutexLock, object)) {
                (true, Some(owner)) => format!("a mutex is unlocked that thread {owner} holds"),
                _ => "a mutex is unlocked that is not locked".to_owned(),
            };
            return Err(self.fault(index, FaultKind::BadUnlock, message, Vec::new()));
        }
        let count = self.field(object, mutex::COUNT).saturating_sub(1);
        self.set_field(object, mutex::COUNT, count);
        if count == 0 {
            self.set_field(object, mutex::STATE, 0);
            self.set_field(object, mutex::OWNER, 0);
        }
        Ok(0)
    }

    /// Whether the next operation of a thread is part of an atomic section.
    pub fn in_atomic_section(&self, id: ThreadId) -> bool {
        self.image.atomic_sections && self.thread(id).is_some_and(|thread| thread.position.atomic_depth > 0)
    }

    /// Whether a thread is in the middle of an atomic section: others have to wait.
    pub fn excludes_others(&self, id: ThreadId) -> bool {
        self.image.atomic_sections && self.thread(id).is_some_and(|thread| thread.position.atomic_begun)
    }
}
