//! Synchronisation objects: when an operation on one can go through, and what it does.
//!
//! The state of an object is kept in the object's own bytes (a `pthread_mutex_t` and the like), laid out so
//! that the static initialisers of the C library mean what they should: all zero is a free mutex, an empty
//! condition variable, a free readers-writer lock, a free spin lock. Semaphores and barriers have no static initialisers, and
//! say whether they were set up. So it is rewound with the rest of memory, and a mutex in
//! freed memory is a use after free like any other. Which threads wait for a condition variable or at a
//! barrier, and which of them have been let go, is part of their own position: a thread that was let go
//! does not look at the object again, which may be gone by then.

use crate::access::Direction;
use crate::address;
use crate::call::handle_of_thread;
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use selvedge_trace::{MOST_POSTS, SyncOp, ThreadId};

/// Error numbers of Linux.
pub(crate) mod errno {
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
    pub const NORMAL: u64 = 0;
    pub const RECURSIVE: u64 = 1;
    pub const ERROR_CHECKING: u64 = 2;
}

mod rwlock {
    pub const WRITER: u64 = 0;
    pub const READERS: u64 = 4;
}

mod semaphore {
    pub const VALUE: u64 = 0;
    pub const LIFE: u64 = 4;
}

mod barrier {
    pub const NEEDED: u64 = 0;
    pub const ARRIVED: u64 = 4;
    pub const GENERATION: u64 = 8;
    pub const LIFE: u64 = 12;
}

/// In place of a mutex's or lock's state, or of [`LIVE`]: it was destroyed.
const DESTROYED: u64 = 0x00de_57ed;
/// A semaphore or barrier was set up. (These have no static initialisers.)
const LIVE: u64 = 0x5e7_0b1e;
/// Whoever holds a spin lock is told by its handle and this, which nothing else that was in the same memory looks like.
const HELD: u64 = 0x5b00_0000;
/// What the last thread at a barrier gets.
pub const SERIAL: u64 = u32::MAX as u64;

/// Where a synchronisation object says that it cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepsLife {
    /// In its first word, if it was destroyed.
    FirstWord,
    /// It is a semaphore.
    Semaphore,
    /// It is a barrier.
    Barrier,
}

impl KeepsLife {
    /// Where in the object that is.
    fn offset(self) -> u64 {
        match self {
            KeepsLife::FirstWord => 0,
            KeepsLife::Semaphore => semaphore::LIFE,
            KeepsLife::Barrier => barrier::LIFE,
        }
    }
}

/// A synchronisation object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncObject {
    /// Where it is.
    pub address: u64,
    /// Where it says that it cannot be used.
    pub keeps_life: KeepsLife,
}

/// What becomes of a normal mutex that is given back by a thread that does not hold it, if that is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Foreign {
    /// It is free then.
    Freed,
    /// Nothing can be said.
    Undefined,
}

/// Number of bytes of an object that its state may occupy.
fn size_of(op: SyncOp) -> u64 {
    use SyncOp::*;
    match op {
        MutexInit | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock | MutexDestroy => 20,
        ConditionInit | ConditionRelease | ConditionBlock | ConditionSignal | ConditionBroadcast
        | ConditionDestroy => 4,
        RwInit | RwReadLock | RwTryReadLock | RwWriteLock | RwTryWriteLock | RwUnlock | RwDestroy => 8,
        SemaphoreInit | SemaphoreWait | SemaphoreTryWait | SemaphorePost | SemaphoreValue
        | SemaphoreDestroy => 8,
        BarrierInit | BarrierArrive | BarrierBlock | BarrierDestroy => 16,
        SpinInit | SpinLock | SpinTryLock | SpinUnlock | SpinDestroy | OnceBegin | OnceEnd => 4,
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

    /// Whether the second word of a semaphore says that it was set up, and not destroyed.
    pub fn is_semaphore(life: u32) -> bool {
        u64::from(life) == LIVE
    }

    /// The object of an operation, if it may ever be unusable: the program may destroy objects of its kind, or has to set them
    /// up. Threads that were let go do not look at it again.
    pub fn mortal(&self, op: SyncOp, address: u64) -> Option<SyncObject> {
        use SyncOp::*;
        let (keeps_life, destroy) = match op {
            ConditionBlock | BarrierBlock | OnceBegin | OnceEnd => return None,
            SemaphoreInit | SemaphoreWait | SemaphoreTryWait | SemaphorePost | SemaphoreValue
            | SemaphoreDestroy => (KeepsLife::Semaphore, SemaphoreInit),
            BarrierInit | BarrierArrive | BarrierDestroy => (KeepsLife::Barrier, BarrierInit),
            MutexInit | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock | MutexDestroy => {
                (KeepsLife::FirstWord, MutexDestroy)
            }
            ConditionInit | ConditionRelease | ConditionSignal | ConditionBroadcast | ConditionDestroy => {
                (KeepsLife::FirstWord, ConditionDestroy)
            }
            RwInit | RwReadLock | RwTryReadLock | RwWriteLock | RwTryWriteLock | RwUnlock | RwDestroy => {
                (KeepsLife::FirstWord, RwDestroy)
            }
            SpinInit | SpinLock | SpinTryLock | SpinUnlock | SpinDestroy => {
                (KeepsLife::FirstWord, SpinDestroy)
            }
        };
        let is_destroyed = self.image.has_sync(destroy);
        (keeps_life != KeepsLife::FirstWord || is_destroyed).then_some(SyncObject { address, keeps_life })
    }

    /// Whether using an object is no error of the program, as far as it is there; and whether glibc takes it for one.
    pub fn is_usable(&self, object: SyncObject) -> bool {
        let SyncObject { address, keeps_life } = object;
        let offset = keeps_life.offset();
        if self.memory.first_inaccessible(address, offset + 4).is_some() {
            return true;
        }
        match keeps_life {
            KeepsLife::FirstWord => self.field(address, 0) != DESTROYED,
            _ => self.misuse(address, offset).is_none(),
        }
    }

    /// Whether an object was set up before, as far as can be told, or destroyed.
    pub fn was_set_up(&self, object: SyncObject) -> bool {
        let SyncObject { address, keeps_life } = object;
        let offset = keeps_life.offset();
        self.memory.first_inaccessible(address, offset + 4).is_none()
            && match self.field(address, offset) {
                DESTROYED => true,
                LIVE => keeps_life != KeepsLife::FirstWord,
                _ => false,
            }
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
            MutexInit | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => {
                match self.field(object, mutex::STATE) {
                    1 => self.field(object, mutex::OWNER),
                    _ => 0,
                }
            }
            SpinLock | SpinTryLock | SpinUnlock | SpinInit | SpinDestroy => {
                self.field(object, 0).saturating_sub(HELD)
            }
            RwInit | RwReadLock | RwWriteLock | RwTryReadLock | RwTryWriteLock | RwUnlock => {
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
            MutexLock => {
                let is_normal = self.field(object, mutex::KIND) & 3 == mutex::NORMAL;
                let waits_for_itself = is_normal && self.allows(FaultKind::Relock);
                self.field(object, mutex::STATE) != 1
                    || self.field(object, mutex::OWNER) == me && !waits_for_itself
            }
            SpinLock => match self.field(object, 0) {
                0 | DESTROYED => true,
                owner => owner == HELD | me && !self.allows(FaultKind::Relock),
            },
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
            SemaphoreWait => {
                self.field(object, semaphore::VALUE) != 0 || self.misuse(object, semaphore::LIFE).is_some()
            }
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
                self.check_unheld(index, op, object, "mutex")?;
                for offset in [mutex::STATE, mutex::COUNT, mutex::OWNER] {
                    self.set_field(object, offset, 0);
                }
                self.set_field(object, mutex::KIND, argument);
                Ok(0)
            }
            MutexLock => self.mutex_lock(index, object, errno::EDEADLK),
            MutexTryLock => self.mutex_lock(index, object, errno::EBUSY),
            MutexTimedLock => self.mutex_lock(index, object, errno::ETIMEDOUT),
            MutexUnlock => self.mutex_unlock(index, object, Foreign::Freed),
            // glibc says of one that is held that it is, and destroys one that is gone once more.
            MutexDestroy if self.allows(FaultKind::BadDestroy) => match self.field(object, mutex::STATE) {
                1 => Ok(errno::EBUSY),
                _ => {
                    self.set_field(object, mutex::STATE, DESTROYED);
                    Ok(0)
                }
            },
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
                let result = self.mutex_unlock(index, argument, Foreign::Undefined)?;
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
                self.end_life(object, 0);
                Ok(0)
            }
            RwInit => {
                self.check_unheld(index, op, object, "readers-writer lock")?;
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
                } else if self.field(object, rwlock::WRITER) == 0 && readers > 0 && argument != 0 {
                    self.set_field(object, rwlock::READERS, readers - 1);
                } else {
                    let message =
                        "a readers-writer lock is unlocked by a thread that does not hold it".to_owned();
                    return Err(self.fault(index, FaultKind::BadUnlock, message, Vec::new()));
                }
                Ok(0)
            }
            // glibc does nothing, whoever holds it.
            RwDestroy if self.allows(FaultKind::BadDestroy) => Ok(0),
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
                self.check_new(index, object, semaphore::LIFE, "semaphore")?;
                self.set_field(object, semaphore::VALUE, argument);
                self.set_field(object, semaphore::LIFE, LIVE);
                Ok(0)
            }
            SemaphoreWait | SemaphoreTryWait | SemaphorePost | SemaphoreValue => {
                self.check_usable(index, object, semaphore::LIFE, "semaphore")?;
                let value = self.field(object, semaphore::VALUE);
                let (result, value) = match op {
                    SemaphoreValue => (value, value),
                    SemaphorePost if value >= u64::from(MOST_POSTS) => (errno::EOVERFLOW, value),
                    SemaphorePost => (0, value + 1),
                    SemaphoreTryWait if value == 0 => (errno::EAGAIN, value),
                    _ => (0, value.saturating_sub(1)),
                };
                self.set_field(object, semaphore::VALUE, value);
                Ok(result)
            }
            // Whoever waits for it finds it destroyed.
            SemaphoreDestroy => {
                self.check_usable(index, object, semaphore::LIFE, "semaphore")?;
                self.end_life(object, semaphore::LIFE);
                Ok(0)
            }
            BarrierInit => {
                if argument == 0 {
                    return Ok(errno::EINVAL);
                }
                self.check_new(index, object, barrier::LIFE, "barrier")?;
                let is_live = self.field(object, barrier::LIFE) == LIVE;
                if is_live && self.field(object, barrier::ARRIVED) != 0 {
                    let message = "a barrier is set up again while threads wait at it".to_owned();
                    return Err(self.fault(index, FaultKind::BadInit, message, Vec::new()));
                }
                self.set_field(object, barrier::NEEDED, argument);
                self.set_field(object, barrier::ARRIVED, 0);
                self.set_field(object, barrier::GENERATION, 0);
                self.set_field(object, barrier::LIFE, LIVE);
                Ok(0)
            }
            BarrierArrive => {
                self.check_usable(index, object, barrier::LIFE, "barrier")?;
                if self.field(object, barrier::NEEDED) == 0 {
                    // glibc divides by that.
                    return Err(self.never_set_up(index, "barrier"));
                }
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
                self.check_usable(index, object, barrier::LIFE, "barrier")?;
                if self.field(object, barrier::ARRIVED) != 0 {
                    let message = "a barrier is destroyed while threads wait at it".to_owned();
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                self.end_life(object, barrier::LIFE);
                Ok(0)
            }
            SpinInit => {
                self.check_unheld(index, op, object, "spin lock")?;
                self.set_field(object, 0, 0);
                Ok(0)
            }
            SpinLock | SpinTryLock => {
                self.check_alive(index, object, 0, "spin lock")?;
                let me = HELD | handle_of_thread(self.threads[index].id);
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
                self.check_alive(index, object, 0, "spin lock")?;
                let me = HELD | handle_of_thread(self.threads[index].id);
                // glibc frees it, whoever holds it.
                if self.field(object, 0) != me && !self.allows(FaultKind::BadUnlock) {
                    let message = "a spin lock is unlocked by a thread that does not hold it".to_owned();
                    return Err(self.fault(index, FaultKind::BadUnlock, message, Vec::new()));
                }
                self.set_field(object, 0, 0);
                Ok(0)
            }
            // glibc does nothing, whoever holds it.
            SpinDestroy if self.allows(FaultKind::BadDestroy) => Ok(0),
            SpinDestroy => {
                self.check_alive(index, object, 0, "spin lock")?;
                if let Some(owner) = self.owner_of(op, object) {
                    let message = format!("a spin lock is destroyed while thread {owner} holds it");
                    return Err(self.fault(index, FaultKind::BadDestroy, message, Vec::new()));
                }
                self.end_life(object, 0);
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

    /// Destroys an object that nobody uses. If using it afterwards is allowed, it stays as it is, as with glibc.
    fn end_life(&mut self, object: u64, offset: u64) {
        if !self.allows(FaultKind::BadDestroy) {
            self.set_field(object, offset, DESTROYED);
        }
    }

    /// What is wrong with using an object that has to be set up, if that is not allowed. One that was never set up is used
    /// as it is if that is allowed.
    fn misuse(&self, object: u64, offset: u64) -> Option<FaultKind> {
        match self.field(object, offset) {
            LIVE => None,
            DESTROYED => Some(FaultKind::BadDestroy),
            _ => Some(FaultKind::BadInit).filter(|kind| !self.allows(*kind)),
        }
    }

    /// Stops a thread that uses an object which is not set up.
    fn check_usable(&mut self, index: usize, object: u64, offset: u64, what: &str) -> Result<(), Stop> {
        match self.misuse(object, offset) {
            Some(FaultKind::BadInit) => Err(self.never_set_up(index, what)),
            Some(_) => self.check_alive(index, object, offset, what),
            None => Ok(()),
        }
    }

    fn never_set_up(&mut self, index: usize, what: &str) -> Stop {
        let message = format!("a {what} is used that was never set up");
        self.fault(index, FaultKind::BadInit, message, Vec::new())
    }

    /// Stops a thread that sets up an object which was set up before and not destroyed. On the stack that may have been another
    /// one at the same place, whose life has ended.
    fn check_new(&mut self, index: usize, object: u64, offset: u64, what: &str) -> Result<(), Stop> {
        match self.field(object, offset) == LIVE && self.may_be_set_up_again(object) {
            true => {
                let message = format!("a {what} is set up again that was not destroyed");
                Err(self.fault(index, FaultKind::BadInit, message, Vec::new()))
            }
            false => Ok(()),
        }
    }

    /// Stops a thread that sets up a lock which somebody holds. On the stack, as above.
    fn check_unheld(&mut self, index: usize, op: SyncOp, object: u64, what: &str) -> Result<(), Stop> {
        let owner = self.owner_of(op, object).filter(|owner| self.thread(*owner).is_some());
        match owner.filter(|_| self.may_be_set_up_again(object)) {
            Some(owner) => {
                let message = format!("a {what} is set up again while thread {owner} holds it");
                Err(self.fault(index, FaultKind::BadInit, message, Vec::new()))
            }
            None => Ok(()),
        }
    }

    /// Whether an object that looks as if it was set up before is the same one, and that is not allowed.
    fn may_be_set_up_again(&self, object: u64) -> bool {
        let is_local = address::owner(object).is_some_and(|owner| self.is_on_stack_of(owner, object));
        !is_local && !self.allows(FaultKind::BadInit)
    }

    fn relock(&mut self, index: usize, what: &str) -> Stop {
        let message =
            format!("a {what} is locked again by the thread that holds it, which can never succeed");
        self.fault(index, FaultKind::Relock, message, Vec::new())
    }

    /// Takes a mutex; `otherwise` is the result if another thread has it (for forms that do not block).
    fn mutex_lock(&mut self, index: usize, object: u64, otherwise: u64) -> Result<u64, Stop> {
        if self.is_gone(object) {
            return Ok(errno::EINVAL);
        }
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

    /// Whether a mutex was destroyed, and using it is allowed: glibc then says that it is no mutex.
    fn is_gone(&self, mutex: u64) -> bool {
        self.field(mutex, mutex::STATE) == DESTROYED && self.allows(FaultKind::BadDestroy)
    }

    fn mutex_unlock(&mut self, index: usize, object: u64, foreign: Foreign) -> Result<u64, Stop> {
        self.check_access(index, object, size_of(SyncOp::MutexUnlock), Direction::Write)?;
        if self.is_gone(object) {
            return Ok(errno::EINVAL);
        }
        self.check_alive(index, object, mutex::STATE, "mutex")?;
        let me = handle_of_thread(self.threads[index].id);
        let held = self.field(object, mutex::STATE) == 1;
        if !held || self.field(object, mutex::OWNER) != me {
            let kind = self.field(object, mutex::KIND) & 3;
            if matches!(kind, mutex::RECURSIVE | mutex::ERROR_CHECKING) {
                return Ok(errno::EPERM);
            }
            if foreign == Foreign::Freed && self.allows(FaultKind::BadUnlock) {
                for offset in [mutex::STATE, mutex::COUNT, mutex::OWNER] {
                    self.set_field(object, offset, 0);
                }
                return Ok(0);
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
