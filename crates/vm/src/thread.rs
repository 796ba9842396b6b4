//! The state of one thread: frames, registers, and where it stands.

use crate::address;
use crate::code::{Pc, Reg};
use selvedge_trace::ThreadId;

/// Where a function's result goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReturnTo {
    /// To a register of the caller.
    Register(Reg),
    /// As the call site with that number says.
    Site(u32),
    /// Nowhere: it is the thread's start function.
    Thread,
}

/// A function call that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function.
    pub function: u32,
    /// The call in the caller's code; unused for the first frame.
    pub call: Pc,
    /// Its first register.
    pub base: u32,
    /// Where its result goes.
    pub return_to: ReturnTo,
    /// Its local objects, if it has any.
    pub stack: u64,
    /// The end of the live stack before the call.
    pub caller_top: u64,
    /// Its newest dynamic local object, 0 if none.
    pub dynamic: u64,
    /// Its variadic arguments, 0 if none.
    pub variadic: u64,
    /// Initial offsets of a `va_list`.
    pub variadic_offsets: (u32, u32),
    /// Which of the thread's calls it is.
    pub activation: u32,
    /// The epoch in which it was last saved.
    pub stamp: u32,
}

/// Whether a thread can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It has invisible code to run before its next visible operation.
    Running,
    /// It is before a visible operation.
    Pending,
    /// It has ended.
    Finished,
    /// It did something wrong, or something unsupported; it never goes on.
    Stopped,
}

/// The small part of a thread's state that almost every step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Whether it can go on.
    pub status: Status,
    /// Its next operation.
    pub pc: Pc,
    /// Number of frames.
    pub depth: u32,
    /// Where the next local object may go.
    pub stack_next: u64,
    /// End of the live local objects.
    pub stack_top: u64,
    /// Where the next heap object goes.
    pub heap_next: u64,
    /// Number of heap objects it has allocated.
    pub allocations: u32,
    /// Number of threads it has created.
    pub children: u32,
    /// Number of calls it has made.
    pub calls: u32,
    /// Number of visible operations it has completed.
    pub events: u32,
    /// Its result, once it has finished.
    pub result: u64,
    /// The thread that has joined it.
    pub joined: Option<ThreadId>,
    /// The thread that has detached it.
    pub detached: Option<ThreadId>,
    /// The condition variable it waits for, 0 if none.
    pub waiting_for: u64,
    /// Whether a signal has chosen it.
    pub signalled: bool,
    /// How often it was woken without a signal.
    pub spurious_wakeups: u32,
    /// Atomic sections it is in.
    pub atomic_depth: u32,
    /// Whether it has performed an operation since it entered the outermost of them: only then do others
    /// have to wait.
    pub atomic_begun: bool,
}

/// A thread.
#[derive(Debug, Clone)]
pub struct Thread {
    /// Its name.
    pub id: ThreadId,
    /// Where it stands.
    pub position: Position,
    /// Its calls, outermost first. Only the first `position.depth` count.
    pub frames: Vec<Frame>,
    /// Registers of all frames.
    pub registers: Vec<u64>,
    /// Defined bits of registers, if they are tracked; those beyond the end are all defined.
    pub defined: Vec<u64>,
    /// The epoch in which its position was last saved.
    pub stamp: u32,
}

impl Thread {
    /// A thread with nothing on its stack.
    pub fn new(id: ThreadId, thread_local_size: u32) -> Self {
        let stack = address::stack(id);
        let first = stack.start + 64 + u64::from(thread_local_size).next_multiple_of(64);
        Self {
            id,
            position: Position {
                status: Status::Running,
                pc: 0,
                depth: 0,
                stack_next: first,
                stack_top: first,
                heap_next: address::heap(id).start,
                allocations: 0,
                children: 0,
                calls: 0,
                events: 0,
                result: 0,
                joined: None,
                detached: None,
                waiting_for: 0,
                signalled: false,
                spurious_wakeups: 0,
                atomic_depth: 0,
                atomic_begun: false,
            },
            frames: Vec::new(),
            registers: Vec::new(),
            defined: Vec::new(),
            stamp: 0,
        }
    }

    /// Where its thread-local variables begin.
    pub fn thread_locals(&self) -> u64 {
        address::stack(self.id).start + 64
    }

    /// The innermost call.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }
}
