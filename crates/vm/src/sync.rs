//! Synchronisation objects in the machine's memory.
//!
//! What an operation does to an object is said by [`selvedge_trace::sync`]; here its words are read and written, and threads
//! are let go. The state of an object is kept in the object's own bytes (a `pthread_mutex_t` and the like). So it is rewound with
//! the rest of memory, and a mutex in freed memory is a use after free like any other. Which threads wait for a condition
//! variable or at a barrier, and which of them have been let go, is part of their own position: a thread that was let go
//! does not look at the object again, which may be gone by then.

use crate::access::Direction;
use crate::address;
use crate::fault::{FaultKind, FaultKinds, Stop};
use crate::machine::Machine;
use selvedge_trace::sync::{
    self, Action, Caller, KeepsLife, Kinds, Misuse, MisuseKind, ObjectKind, WORD, Waiters, Waiting, Words,
};
use selvedge_trace::{SyncOp, ThreadId};

/// A synchronisation object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncObject {
    /// Where it is.
    pub address: u64,
    /// Where it says that it cannot be used.
    pub keeps_life: KeepsLife,
}

impl From<MisuseKind> for FaultKind {
    fn from(kind: MisuseKind) -> Self {
        match kind {
            MisuseKind::Relock => FaultKind::Relock,
            MisuseKind::BadUnlock => FaultKind::BadUnlock,
            MisuseKind::BadDestroy => FaultKind::BadDestroy,
            MisuseKind::BadInit => FaultKind::BadInit,
        }
    }
}

/// The kinds of misuse that are allowed.
pub(crate) fn tolerated(allowed: FaultKinds) -> Kinds {
    [MisuseKind::Relock, MisuseKind::BadUnlock, MisuseKind::BadDestroy, MisuseKind::BadInit]
        .into_iter()
        .fold(Kinds::NONE, |kinds, kind| kinds.with(kind, allowed.contains(kind.into())))
}

impl Machine<'_> {
    /// The words of an object.
    #[inline]
    fn words(&self, kind: ObjectKind, object: u64) -> Words {
        let mut words = Words::default();
        self.memory.read_words(object, &mut words.0[..kind.state_words()]);
        words
    }

    /// Writes those words of an object that have changed.
    #[inline]
    fn set_words(&mut self, kind: ObjectKind, object: u64, old: &Words, new: &Words) {
        for number in 0..kind.state_words() {
            if new.0[number] != old.0[number] {
                let address = object.wrapping_add(number as u64 * WORD);
                self.memory.write_scalar(address, 4, u128::from(new.0[number]));
            }
        }
    }

    /// The word in which an object keeps its life, if it is there.
    fn life(&self, object: SyncObject) -> Option<u32> {
        let offset = object.keeps_life.word() as u64 * WORD;
        match self.memory.first_inaccessible(object.address, offset + WORD) {
            Some(_) => None,
            None => Some(self.memory.read_scalar(object.address.wrapping_add(offset), 4) as u32),
        }
    }

    /// The bytes that the state of an object occupies: what an operation on it depends on.
    #[inline]
    pub fn sync_footprint(op: SyncOp, object: u64) -> (u64, u64) {
        (object, op.object().state_size())
    }

    /// The object of an operation, if it may ever be unusable: the program may destroy objects of its kind, or has to set them
    /// up. Threads that were let go do not look at it again.
    pub fn mortal(&self, op: SyncOp, address: u64) -> Option<SyncObject> {
        if op.is_about_own_waiting() {
            return None;
        }
        let keeps_life = op.object().keeps_life()?;
        let is_destroyed = || op.object().destroy().is_some_and(|destroy| self.image.has_sync(destroy));
        (op.object().needs_init() || is_destroyed()).then_some(SyncObject { address, keeps_life })
    }

    /// Whether using an object is no error of the program, as far as it is there; and whether glibc takes it for one.
    pub fn is_usable(&self, object: SyncObject) -> bool {
        let must_be_set_up = object.keeps_life != KeepsLife::FirstWord && !self.allows(FaultKind::BadInit);
        self.life(object)
            .is_none_or(|life| !sync::is_destroyed(life) && (!must_be_set_up || sync::is_set_up(life)))
    }

    /// Whether an object was set up before, as far as can be told, or destroyed.
    pub fn was_set_up(&self, object: SyncObject) -> bool {
        let tells = object.keeps_life != KeepsLife::FirstWord;
        self.life(object).is_some_and(|life| sync::is_destroyed(life) || tells && sync::is_set_up(life))
    }

    /// The threads that wait for a condition variable or at a barrier and have not been let go, in order of creation.
    pub fn waiters(&self, object: u64) -> Vec<ThreadId> {
        self.waiters_of(object).collect()
    }

    fn waiters_of(&self, object: u64) -> impl Iterator<Item = ThreadId> + '_ {
        let waits = move |thread: &&crate::thread::Thread| {
            thread.position.waiting_for == object && !thread.position.signalled
        };
        self.threads.iter().filter(waits).map(|thread| thread.id)
    }

    /// The owner of a mutex or spin lock, or the writer of a readers-writer lock, if there is one.
    pub fn owner_of(&self, op: SyncOp, object: u64) -> Option<ThreadId> {
        self.words(op.object(), object).owner(op.object())
    }

    /// What an operation depends on besides its object; unless it sets the object up, or ends its life.
    #[inline]
    fn caller(&self, index: usize, argument: u64) -> Caller {
        let thread = &self.threads[index];
        Caller {
            thread: thread.id,
            argument,
            tolerated: self.tolerated,
            signalled: thread.position.signalled,
            wakes_by_itself: thread.position.spurious_wakeups < self.config.spurious_wakeups,
            is_same_object: false,
            first_waiter: None,
        }
    }

    /// What it depends on if it sets the object up, or ends its life.
    #[cold]
    fn caller_about_life(
        &self,
        index: usize,
        op: SyncOp,
        object: u64,
        argument: u64,
        words: &Words,
    ) -> Caller {
        // Of an object that looks as if somebody had it, that must be a thread of this execution.
        let is_known = |owner| self.thread(owner).is_some();
        let is_same_object =
            op.is_init() && !self.is_local(object) && words.owner(op.object()).is_none_or(is_known);
        let first_waiter = match (op.object(), op.action()) {
            (ObjectKind::Condition, Action::Destroy) => self.waiters_of(object).next(),
            _ => None,
        };
        Caller { is_same_object, first_waiter, ..self.caller(index, argument) }
    }

    /// Whether the operation can go through. One that is an error can: performing it reports the error.
    pub(crate) fn sync_enabled(&self, index: usize, op: SyncOp, object: u64, argument: u64) -> bool {
        if !op.is_blocking() {
            return true;
        }
        let kind = op.object();
        let words = match op.is_about_own_waiting() {
            true => Words::default(),
            false if self.memory.first_inaccessible(object, kind.state_size()).is_some() => return true,
            false => self.words(kind, object),
        };
        // What sets an object up, or ends its life, does not block.
        sync::is_enabled(op, &words, &self.caller(index, argument))
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
        let kind = op.object();
        // A thread that was let go may find the object gone: it does not look at it again.
        let old = match op.is_about_own_waiting() {
            true => Words::default(),
            false => {
                self.check_access(index, object, kind.state_size(), Direction::Write)?;
                self.words(kind, object)
            }
        };
        let mut words = old;
        let caller = match op.action() {
            Action::Init | Action::Destroy => self.caller_about_life(index, op, object, argument, &words),
            _ => self.caller(index, argument),
        };
        let performed = match sync::perform(op, &mut words, &caller) {
            Ok(performed) => performed,
            Err(misuse) => return Err(self.misused(index, kind, misuse)),
        };
        self.set_words(kind, object, &old, &words);
        if op.action() == Action::ReleaseAndWait {
            let result = self.give_back_to_wait(index, argument, &caller)?;
            if result != 0 {
                return Ok(result);
            }
        }
        self.set_waiting(index, (op, object), performed.waiting, argument, choice);
        Ok(performed.result)
    }

    /// Gives the mutex back of a thread that begins to wait for a condition variable.
    fn give_back_to_wait(&mut self, index: usize, mutex: u64, caller: &Caller) -> Result<u64, Stop> {
        let kind = ObjectKind::Mutex;
        self.check_access(index, mutex, kind.state_size(), Direction::Write)?;
        let old = self.words(kind, mutex);
        let mut words = old;
        match sync::give_back_to_wait(&mut words, caller) {
            Ok(result) => {
                self.set_words(kind, mutex, &old, &words);
                Ok(result)
            }
            Err(misuse) => Err(self.misused(index, kind, misuse)),
        }
    }

    /// Notes what becomes of threads that wait for an object, after an operation on it.
    fn set_waiting(
        &mut self,
        index: usize,
        (op, object): (SyncOp, u64),
        waiting: Waiting,
        argument: u64,
        choice: u32,
    ) {
        match waiting {
            Waiting::Unchanged => {}
            Waiting::Begins => {
                let position = &mut self.threads[index].position;
                position.waiting_for = object;
                position.signalled = false;
            }
            Waiting::Ends => {
                let position = &mut self.threads[index].position;
                // Only a wait for a condition variable may end without a signal; if not because the time is up, spuriously.
                if op.object() == ObjectKind::Condition && !position.signalled && argument == 0 {
                    position.spurious_wakeups += 1;
                }
                position.waiting_for = 0;
                position.signalled = false;
            }
            Waiting::Wakes(whom) => {
                let waiters = self.waiters(object);
                match whom {
                    Waiters::One => {
                        self.wake(waiters.get(choice as usize).map(std::slice::from_ref).unwrap_or_default());
                    }
                    Waiters::All => self.wake(&waiters),
                }
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

    /// Stops a thread that misuses an object.
    #[cold]
    fn misused(&mut self, index: usize, kind: ObjectKind, misuse: Misuse) -> Stop {
        self.fault(index, misuse.kind().into(), sync::words::misuse(kind, misuse), Vec::new())
    }

    /// Whether an object is on the stack: if it looks as if it was set up before, that may have been another one at the same place,
    /// whose life has ended.
    fn is_local(&self, object: u64) -> bool {
        address::owner(object).is_some_and(|owner| self.is_on_stack_of(owner, object))
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
