//! Operations on synchronisation objects in words.

use super::{Action, Misuse, ObjectKind, SyncOp, errno};
use crate::ThreadId;

/// What is wrong.
pub fn misuse(kind: ObjectKind, misuse: Misuse) -> String {
    let what = kind.name();
    match misuse {
        Misuse::Destroyed => format!("a {what} is used after it was destroyed"),
        Misuse::NeverSetUp => format!("a {what} is used that was never set up"),
        Misuse::SetUpAgain => format!("a {what} is set up again that was not destroyed"),
        Misuse::SetUpWhileHeld(Some(owner)) => {
            format!("a {what} is set up again while thread {owner} holds it")
        }
        Misuse::SetUpWhileHeld(None) => format!("a {what} is set up again while it is held"),
        Misuse::SetUpWhileAwaited => format!("a {what} is set up again while threads wait at it"),
        Misuse::Relocked => {
            format!("a {what} is locked again by the thread that holds it, which can never succeed")
        }
        Misuse::GivenBackByOther(owner) => match (kind, owner) {
            (ObjectKind::Mutex, Some(owner)) => format!("a {what} is unlocked that thread {owner} holds"),
            (ObjectKind::Mutex, None) => format!("a {what} is unlocked that is not locked"),
            _ => format!("a {what} is unlocked by a thread that does not hold it"),
        },
        Misuse::DestroyedWhileHeld(owner) => match (kind, owner) {
            (ObjectKind::SpinLock, Some(owner)) => {
                format!("a {what} is destroyed while thread {owner} holds it")
            }
            (_, Some(owner)) => format!("a {what} is destroyed while it is held by thread {owner}"),
            (_, None) => format!("a {what} is destroyed while it is held"),
        },
        Misuse::DestroyedWhileAwaited(Some(thread)) => {
            format!("a {what} is destroyed while thread {thread} waits for it")
        }
        Misuse::DestroyedWhileAwaited(None) => format!("a {what} is destroyed while threads wait at it"),
    }
}

/// An operation that was performed on the object of a name, with its result; without one, it went wrong.
pub fn performed(op: SyncOp, name: &str, argument: u64, result: Option<u64>) -> String {
    let outcome = match result {
        None => " fails",
        Some(0) => "",
        Some(errno::EBUSY) => ": busy",
        Some(errno::EAGAIN) => ": none left",
        Some(errno::ETIMEDOUT) => ": timed out",
        Some(errno::EDEADLK) => ": would deadlock",
        Some(errno::EPERM) if op.action() != Action::Begin => ": not permitted",
        Some(_) => "",
    };
    match (op.object(), op.action()) {
        (_, Action::ReleaseAndWait) => format!("wait({name}) releases its mutex"),
        (ObjectKind::Condition, Action::Block) if result == Some(errno::ETIMEDOUT) => {
            format!("wait({name}) times out")
        }
        (ObjectKind::Condition, Action::Block) => format!("wait({name}) is woken"),
        (ObjectKind::Barrier | ObjectKind::Semaphore, Action::Init) => format!("init({name}, {argument})"),
        _ => format!("{}({name}){outcome}", op.verb()),
    }
}

/// Why a thread cannot go on at an operation on the object of a name. `owner`: who has it, and since when (` since …`), if that is
/// known.
pub fn waits(
    op: SyncOp,
    thread: ThreadId,
    name: &str,
    argument: u64,
    owner: Option<(ThreadId, String)>,
) -> String {
    match (op.object(), op.action(), owner) {
        (ObjectKind::Condition, Action::Block, _) => {
            format!("thread {thread} waits here for a signal on {name}, which nobody will send")
        }
        (ObjectKind::Semaphore, Action::Take(_), _) => {
            format!("thread {thread} waits here for the semaphore {name}, which nobody will post")
        }
        (_, Action::Block, _) => {
            format!("thread {thread} waits here at the barrier {name} (round {argument}) for more threads")
        }
        (_, _, Some((owner, since))) => {
            format!("thread {thread} waits here for {name}, which thread {owner} holds{since}")
        }
        _ => format!("thread {thread} waits here for {name} ({})", op.verb()),
    }
}
