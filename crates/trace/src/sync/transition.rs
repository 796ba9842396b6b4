//! When an operation on a synchronisation object can go through, what it does to the object, and what it returns.
//!
//! These are functions of the object's words and of what is known of the calling thread. They follow POSIX; where that leaves
//! behaviour undefined, it is a [`Misuse`] of the object, unless it is tolerated: then what happens is what glibc does.
//!
//! A blocking operation is enabled only when it can go through, or when performing it reports an error.

use super::state::{DESTROYED, HELD, LIVE, LOCKED, Words, barrier, mutex, once, rwlock, semaphore};
use super::{Action, MOST_POSTS, ObjectKind, Patience, SERIAL, SyncOp, Waiters};
use crate::ThreadId;

/// Error numbers of Linux, which operations return.
#[allow(missing_docs, reason = "they are called as in errno.h")]
pub mod errno {
    pub const EPERM: u64 = 1;
    pub const EAGAIN: u64 = 11;
    pub const EBUSY: u64 = 16;
    pub const EINVAL: u64 = 22;
    pub const EDEADLK: u64 = 35;
    pub const EOVERFLOW: u64 = 75;
    pub const ETIMEDOUT: u64 = 110;
}

/// What is wrong with an operation on an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misuse {
    /// The object is used after it was destroyed.
    Destroyed,
    /// The object is used and was never set up.
    NeverSetUp,
    /// It is set up again, and was not destroyed.
    SetUpAgain,
    /// It is set up again while a thread has it.
    SetUpWhileHeld(Option<ThreadId>),
    /// It is set up again while threads wait at it.
    SetUpWhileAwaited,
    /// It is locked again by the thread that has it, which can never succeed.
    Relocked,
    /// It is given back by a thread that does not have it; who has it, if anybody does.
    GivenBackByOther(Option<ThreadId>),
    /// It is destroyed while a thread has it.
    DestroyedWhileHeld(Option<ThreadId>),
    /// It is destroyed while threads wait; the first of them, if that is known.
    DestroyedWhileAwaited(Option<ThreadId>),
}

/// Kinds of misuse, as they are reported and tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisuseKind {
    /// A lock is taken again by its holder.
    Relock,
    /// A lock is given back by a thread that does not have it.
    BadUnlock,
    /// An object is destroyed while in use, or used after it was destroyed.
    BadDestroy,
    /// An object is used before it was set up, or set up again while in use.
    BadInit,
}

impl Misuse {
    /// Which kind it is.
    pub const fn kind(self) -> MisuseKind {
        match self {
            Misuse::Relocked => MisuseKind::Relock,
            Misuse::GivenBackByOther(_) => MisuseKind::BadUnlock,
            Misuse::Destroyed | Misuse::DestroyedWhileHeld(_) | Misuse::DestroyedWhileAwaited(_) => {
                MisuseKind::BadDestroy
            }
            Misuse::NeverSetUp
            | Misuse::SetUpAgain
            | Misuse::SetUpWhileHeld(_)
            | Misuse::SetUpWhileAwaited => MisuseKind::BadInit,
        }
    }
}

/// A set of kinds of misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// None.
    pub const NONE: Kinds = Kinds(0);

    /// The set with one more, if a condition holds.
    #[must_use]
    pub const fn with(self, kind: MisuseKind, holds: bool) -> Kinds {
        Kinds(self.0 | (holds as u8) << kind as u8)
    }

    /// Whether a kind is in it.
    #[inline]
    pub const fn contains(self, kind: MisuseKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

/// What an operation depends on besides the object.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// The thread that performs it.
    pub thread: ThreadId,
    /// The argument of the operation.
    pub argument: u64,
    /// Misuse that is tolerated.
    pub tolerated: Kinds,
    /// Whether the thread, which waits, was let go.
    pub signalled: bool,
    /// Whether its wait may end without a signal.
    pub wakes_by_itself: bool,
    /// Whether the object that was at this address before counts: if an object is set up, and its words look as if it had
    /// been set up before, it is the same object.
    pub is_same_object: bool,
    /// The first of the threads that wait for the condition variable.
    pub first_waiter: Option<ThreadId>,
}

impl Caller {
    fn handle(&self) -> u32 {
        self.thread.handle() as u32
    }

    fn tolerates(&self, kind: MisuseKind) -> bool {
        self.tolerated.contains(kind)
    }

    /// Whether it is wrong to set up an object that looks as if it had been set up before.
    fn sets_up_again(&self) -> bool {
        self.is_same_object && !self.tolerates(MisuseKind::BadInit)
    }
}

/// What becomes of threads that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing.
    Unchanged,
    /// The calling thread begins to wait for the object.
    Begins,
    /// The calling thread waits no more.
    Ends,
    /// Some of those that wait for the object are let go.
    Wakes(Waiters),
}

/// What an operation that went through has done besides changing the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Performed {
    /// What the call returns.
    pub result: u64,
    /// What becomes of threads that wait.
    pub waiting: Waiting,
}

impl Performed {
    const fn returns(result: u64) -> Self {
        Self { result, waiting: Waiting::Unchanged }
    }
}

/// What to do with a normal mutex that is given back by a thread that does not have it, if that is tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Foreign {
    /// It is free then.
    Freed,
    /// Nothing can be said.
    Undefined,
}

/// Whether an operation can go through. One that is an error can: performing it says so.
pub fn is_enabled(op: SyncOp, words: &Words, caller: &Caller) -> bool {
    let first = words.0[0];
    let tolerates_relock = || caller.tolerates(MisuseKind::Relock);
    match (op.object(), op.action()) {
        (ObjectKind::Mutex, Action::Take(Patience::Blocks)) => {
            let kind = words.0[mutex::KIND] & 3;
            let is_own = words.0[mutex::OWNER] == caller.handle();
            first != LOCKED || is_own && !(kind == mutex::NORMAL && tolerates_relock())
        }
        (ObjectKind::SpinLock, Action::Take(Patience::Blocks)) => {
            matches!(first, 0 | DESTROYED) || first == HELD | caller.handle() && !tolerates_relock()
        }
        (ObjectKind::RwLock, Action::Share(Patience::Blocks)) => {
            matches!(first, 0 | DESTROYED) || first == caller.handle()
        }
        (ObjectKind::RwLock, Action::Take(Patience::Blocks)) => {
            let is_free = first == 0 && words.0[rwlock::READERS] == 0;
            is_free || first == DESTROYED || first == caller.handle()
        }
        (ObjectKind::Semaphore, Action::Take(Patience::Blocks)) => {
            first != 0 || unusable(words.0[semaphore::LIFE], caller).is_some()
        }
        (ObjectKind::Once, Action::Begin) => first != once::UNDER_WAY,
        (ObjectKind::Condition, Action::Block) => {
            caller.signalled || caller.argument != 0 || caller.wakes_by_itself
        }
        (_, Action::Block) => caller.signalled,
        _ => true,
    }
}

/// Performs an operation that can go through. Of a wait for a condition variable, this is the part that is about the condition
/// variable; see [`give_back_to_wait`].
pub fn perform(op: SyncOp, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    match op.object() {
        ObjectKind::Mutex => on_mutex(op.action(), words, caller),
        ObjectKind::Condition => on_condition(op.action(), words, caller),
        ObjectKind::RwLock => on_rwlock(op.action(), words, caller),
        ObjectKind::Semaphore => on_semaphore(op.action(), words, caller),
        ObjectKind::Barrier => on_barrier(op.action(), words, caller),
        ObjectKind::SpinLock => on_spin_lock(op.action(), words, caller),
        ObjectKind::Once => Ok(on_once(op.action(), words)),
    }
}

/// Gives back the mutex of a thread that begins to wait for a condition variable; what the wait returns if it does not.
pub fn give_back_to_wait(mutex: &mut Words, caller: &Caller) -> Result<u64, Misuse> {
    unlock_mutex(mutex, caller, Foreign::Undefined)
}

fn check_alive(life: u32) -> Result<(), Misuse> {
    if life == DESTROYED { Err(Misuse::Destroyed) } else { Ok(()) }
}

/// What is wrong with using an object that has to be set up. One that was never set up is used as it is if that is tolerated.
fn unusable(life: u32, caller: &Caller) -> Option<Misuse> {
    match life {
        LIVE => None,
        DESTROYED => Some(Misuse::Destroyed),
        _ => Some(Misuse::NeverSetUp).filter(|_| !caller.tolerates(MisuseKind::BadInit)),
    }
}

fn check_usable(life: u32, caller: &Caller) -> Result<(), Misuse> {
    unusable(life, caller).map_or(Ok(()), Err)
}

/// Destroys an object that nobody uses. If using it afterwards is tolerated, it stays as it is, as with glibc.
fn end_life(life: &mut u32, caller: &Caller) {
    if !caller.tolerates(MisuseKind::BadDestroy) {
        *life = DESTROYED;
    }
}

/// Stops a thread that sets up a lock which somebody has.
fn check_unheld(kind: ObjectKind, words: &Words, caller: &Caller) -> Result<(), Misuse> {
    match words.owner(kind).filter(|_| caller.sets_up_again()) {
        Some(owner) => Err(Misuse::SetUpWhileHeld(Some(owner))),
        None => Ok(()),
    }
}

fn on_mutex(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    let state = words.0[mutex::STATE];
    match action {
        Action::Init => {
            check_unheld(ObjectKind::Mutex, words, caller)?;
            for word in [mutex::STATE, mutex::COUNT, mutex::OWNER] {
                words.0[word] = 0;
            }
            words.0[mutex::KIND] = caller.argument as u32;
            Ok(Performed::returns(0))
        }
        Action::Take(patience) => lock_mutex(words, caller, patience).map(Performed::returns),
        Action::Give => unlock_mutex(words, caller, Foreign::Freed).map(Performed::returns),
        // glibc says of one that is held that it is, and destroys one that is gone once more.
        Action::Destroy if caller.tolerates(MisuseKind::BadDestroy) && state == LOCKED => {
            Ok(Performed::returns(errno::EBUSY))
        }
        Action::Destroy => {
            if !caller.tolerates(MisuseKind::BadDestroy) {
                check_alive(state)?;
            }
            if state == LOCKED {
                return Err(Misuse::DestroyedWhileHeld(words.owner(ObjectKind::Mutex)));
            }
            words.0[mutex::STATE] = DESTROYED;
            Ok(Performed::returns(0))
        }
        _ => Ok(Performed::returns(0)),
    }
}

/// Whether a mutex was destroyed, and using it is tolerated: glibc then says that it is no mutex.
fn is_gone(words: &Words, caller: &Caller) -> bool {
    words.0[mutex::STATE] == DESTROYED && caller.tolerates(MisuseKind::BadDestroy)
}

fn lock_mutex(words: &mut Words, caller: &Caller, patience: Patience) -> Result<u64, Misuse> {
    if is_gone(words, caller) {
        return Ok(errno::EINVAL);
    }
    check_alive(words.0[mutex::STATE])?;
    if words.0[mutex::STATE] == 0 {
        words.0[mutex::STATE] = LOCKED;
        words.0[mutex::OWNER] = caller.handle();
        words.0[mutex::COUNT] = 1;
        return Ok(0);
    }
    let is_own = words.0[mutex::OWNER] == caller.handle();
    match (is_own, words.0[mutex::KIND] & 3, patience) {
        (true, mutex::RECURSIVE, _) => {
            words.0[mutex::COUNT] = words.0[mutex::COUNT].wrapping_add(1);
            Ok(0)
        }
        (true, mutex::ERROR_CHECKING, Patience::Blocks | Patience::TimesOut) => Ok(errno::EDEADLK),
        (true, _, Patience::Blocks) => Err(Misuse::Relocked),
        (_, _, Patience::Tries) => Ok(errno::EBUSY),
        (_, _, Patience::TimesOut) => Ok(errno::ETIMEDOUT),
        // It cannot go through.
        (false, _, Patience::Blocks) => Ok(errno::EDEADLK),
    }
}

fn unlock_mutex(words: &mut Words, caller: &Caller, foreign: Foreign) -> Result<u64, Misuse> {
    if is_gone(words, caller) {
        return Ok(errno::EINVAL);
    }
    check_alive(words.0[mutex::STATE])?;
    let is_held = words.0[mutex::STATE] == LOCKED;
    if !is_held || words.0[mutex::OWNER] != caller.handle() {
        let kind = words.0[mutex::KIND] & 3;
        if matches!(kind, mutex::RECURSIVE | mutex::ERROR_CHECKING) {
            return Ok(errno::EPERM);
        }
        if foreign == Foreign::Freed && caller.tolerates(MisuseKind::BadUnlock) {
            for word in [mutex::STATE, mutex::COUNT, mutex::OWNER] {
                words.0[word] = 0;
            }
            return Ok(0);
        }
        return Err(Misuse::GivenBackByOther(words.owner(ObjectKind::Mutex)));
    }
    words.0[mutex::COUNT] = words.0[mutex::COUNT].saturating_sub(1);
    if words.0[mutex::COUNT] == 0 {
        words.0[mutex::STATE] = 0;
        words.0[mutex::OWNER] = 0;
    }
    Ok(0)
}

fn on_condition(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    match action {
        Action::Init => {
            words.0[0] = 0;
            Ok(Performed::returns(0))
        }
        Action::ReleaseAndWait => {
            check_alive(words.0[0])?;
            Ok(Performed { result: 0, waiting: Waiting::Begins })
        }
        Action::Block => {
            let is_late = !caller.signalled && caller.argument != 0;
            Ok(Performed { result: if is_late { errno::ETIMEDOUT } else { 0 }, waiting: Waiting::Ends })
        }
        Action::Wake(whom) => {
            check_alive(words.0[0])?;
            Ok(Performed { result: 0, waiting: Waiting::Wakes(whom) })
        }
        Action::Destroy => {
            check_alive(words.0[0])?;
            if caller.first_waiter.is_some() {
                return Err(Misuse::DestroyedWhileAwaited(caller.first_waiter));
            }
            end_life(&mut words.0[0], caller);
            Ok(Performed::returns(0))
        }
        _ => Ok(Performed::returns(0)),
    }
}

fn on_rwlock(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    let (writer, readers) = (words.0[rwlock::WRITER], words.0[rwlock::READERS]);
    let refused = |patience| match patience {
        Patience::Blocks => Ok(Performed::returns(errno::EDEADLK)),
        Patience::Tries | Patience::TimesOut => Ok(Performed::returns(errno::EBUSY)),
    };
    match action {
        Action::Init => {
            check_unheld(ObjectKind::RwLock, words, caller)?;
            // What becomes of its readers when they give it back is undefined, also with glibc.
            if readers != 0 && writer != DESTROYED && caller.is_same_object {
                return Err(Misuse::SetUpWhileHeld(None));
            }
            (words.0[rwlock::WRITER], words.0[rwlock::READERS]) = (0, 0);
        }
        // glibc does nothing, whoever has it.
        Action::Destroy if caller.tolerates(MisuseKind::BadDestroy) => {}
        _ => check_alive(writer)?,
    }
    match action {
        Action::Share(patience) if writer != 0 => return refused(patience),
        Action::Share(_) => words.0[rwlock::READERS] = readers.wrapping_add(1),
        Action::Take(patience) if writer != 0 || readers != 0 => return refused(patience),
        Action::Take(_) => words.0[rwlock::WRITER] = caller.handle(),
        Action::Give if writer == caller.handle() => words.0[rwlock::WRITER] = 0,
        Action::Give if writer == 0 && readers > 0 && caller.argument != 0 => {
            words.0[rwlock::READERS] = readers - 1;
        }
        Action::Give => return Err(Misuse::GivenBackByOther(None)),
        Action::Destroy if !caller.tolerates(MisuseKind::BadDestroy) => {
            if writer != 0 || readers != 0 {
                return Err(Misuse::DestroyedWhileHeld(None));
            }
            words.0[rwlock::WRITER] = DESTROYED;
        }
        _ => {}
    }
    Ok(Performed::returns(0))
}

fn on_semaphore(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    if action == Action::Init {
        if words.0[semaphore::LIFE] == LIVE && caller.sets_up_again() {
            return Err(Misuse::SetUpAgain);
        }
        words.0[semaphore::VALUE] = caller.argument as u32;
        words.0[semaphore::LIFE] = LIVE;
        return Ok(Performed::returns(0));
    }
    check_usable(words.0[semaphore::LIFE], caller)?;
    let value = words.0[semaphore::VALUE];
    let result = match action {
        Action::Look => u64::from(value),
        Action::Give if value >= MOST_POSTS => errno::EOVERFLOW,
        Action::Give => {
            words.0[semaphore::VALUE] = value + 1;
            0
        }
        Action::Take(Patience::Tries) if value == 0 => errno::EAGAIN,
        Action::Take(_) => {
            words.0[semaphore::VALUE] = value.saturating_sub(1);
            0
        }
        // Whoever waits for it finds it destroyed.
        Action::Destroy => {
            end_life(&mut words.0[semaphore::LIFE], caller);
            0
        }
        _ => 0,
    };
    Ok(Performed::returns(result))
}

fn on_barrier(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    let life = words.0[barrier::LIFE];
    match action {
        Action::Block => Ok(Performed { result: 0, waiting: Waiting::Ends }),
        Action::Init if caller.argument == 0 => Ok(Performed::returns(errno::EINVAL)),
        Action::Init => {
            if life == LIVE && caller.sets_up_again() {
                return Err(Misuse::SetUpAgain);
            }
            if life == LIVE && words.0[barrier::ARRIVED] != 0 {
                return Err(Misuse::SetUpWhileAwaited);
            }
            words.0[barrier::NEEDED] = caller.argument as u32;
            words.0[barrier::ARRIVED] = 0;
            words.0[barrier::GENERATION] = 0;
            words.0[barrier::LIFE] = LIVE;
            Ok(Performed::returns(0))
        }
        Action::Arrive => {
            check_usable(life, caller)?;
            let (needed, arrived) = (words.0[barrier::NEEDED], words.0[barrier::ARRIVED].saturating_add(1));
            if needed == 0 {
                // glibc divides by that.
                return Err(Misuse::NeverSetUp);
            }
            let generation = words.0[barrier::GENERATION];
            if arrived < needed {
                words.0[barrier::ARRIVED] = arrived;
                return Ok(Performed { result: u64::from(generation), waiting: Waiting::Begins });
            }
            words.0[barrier::ARRIVED] = 0;
            words.0[barrier::GENERATION] = generation.wrapping_add(1) & 0x7fff_ffff;
            Ok(Performed { result: SERIAL, waiting: Waiting::Wakes(Waiters::All) })
        }
        Action::Destroy => {
            check_usable(life, caller)?;
            if words.0[barrier::ARRIVED] != 0 {
                return Err(Misuse::DestroyedWhileAwaited(None));
            }
            end_life(&mut words.0[barrier::LIFE], caller);
            Ok(Performed::returns(0))
        }
        _ => Ok(Performed::returns(0)),
    }
}

fn on_spin_lock(action: Action, words: &mut Words, caller: &Caller) -> Result<Performed, Misuse> {
    let (state, own) = (words.0[0], HELD | caller.handle());
    match action {
        Action::Init => {
            check_unheld(ObjectKind::SpinLock, words, caller)?;
            words.0[0] = 0;
        }
        // glibc does nothing, whoever has it.
        Action::Destroy if caller.tolerates(MisuseKind::BadDestroy) => {}
        _ => {
            check_alive(state)?;
            match action {
                Action::Take(_) if state == 0 => words.0[0] = own,
                Action::Take(Patience::Blocks) if state == own => return Err(Misuse::Relocked),
                Action::Take(_) => return Ok(Performed::returns(errno::EBUSY)),
                // glibc frees it, whoever has it.
                Action::Give if state != own && !caller.tolerates(MisuseKind::BadUnlock) => {
                    return Err(Misuse::GivenBackByOther(None));
                }
                Action::Give => words.0[0] = 0,
                Action::Destroy => match words.owner(ObjectKind::SpinLock) {
                    Some(owner) => return Err(Misuse::DestroyedWhileHeld(Some(owner))),
                    None => end_life(&mut words.0[0], caller),
                },
                _ => {}
            }
        }
    }
    Ok(Performed::returns(0))
}

fn on_once(action: Action, words: &mut Words) -> Performed {
    match action {
        Action::Begin if words.0[0] == once::NOT_BEGUN => {
            words.0[0] = once::UNDER_WAY;
            return Performed::returns(1);
        }
        Action::Finish => words.0[0] = once::DONE,
        _ => {}
    }
    Performed::returns(0)
}
