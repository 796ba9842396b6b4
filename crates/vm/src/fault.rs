//! Errors of the program under test, and what the tool cannot do.

use selvedge_program::SpanId;
use selvedge_trace::ThreadId;
use std::fmt;

/// What is wrong with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An access outside an object.
    OutOfBounds,
    /// An access to a freed heap object.
    UseAfterFree,
    /// An access to a local object whose scope or function has ended.
    DeadStack,
    /// A heap object freed twice.
    DoubleFree,
    /// `free` of something that is not the start of a heap object.
    InvalidFree,
    /// An access through a null pointer.
    NullDereference,
    /// An access where there is no object.
    InvalidPointer,
    /// A write to a constant.
    WriteToConstant,
    /// Division by zero, or a division that overflows.
    DivisionByZero,
    /// A trap that the compiler put there.
    Trap,
    /// `__builtin_unreachable` was reached.
    Unreachable,
    /// Too many calls, or too much stack memory.
    StackOverflow,
    /// A call through a pointer that is not a function of that type.
    BadCall,
    /// A value that was never set decides something.
    Uninitialised,
    /// A heap object that nothing refers to at the end.
    Leak,
    /// `assert` failed.
    Assertion,
    /// `abort` was called.
    Abort,
    /// A thread was joined that cannot be.
    BadJoin,
    /// Threads wait for each other.
    Deadlock,
    /// A lock is taken again by its holder.
    Relock,
    /// A lock is given back by a thread that does not hold it.
    BadUnlock,
    /// A synchronisation object is destroyed while in use, or used after it was destroyed.
    BadDestroy,
    /// A synchronisation object is used before it was set up, or set up again while in use.
    BadInit,
    /// Two threads access the same memory, one writes, one access is not atomic, and nothing orders them.
    DataRace,
    /// A thread waits in a loop for something that can never happen.
    Livelock,
    /// An execution with store buffers that sequential consistency does not have.
    NotRobust,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 26] = [
        FaultKind::OutOfBounds,
        FaultKind::UseAfterFree,
        FaultKind::DeadStack,
        FaultKind::DoubleFree,
        FaultKind::InvalidFree,
        FaultKind::NullDereference,
        FaultKind::InvalidPointer,
        FaultKind::WriteToConstant,
        FaultKind::DivisionByZero,
        FaultKind::Trap,
        FaultKind::Unreachable,
        FaultKind::StackOverflow,
        FaultKind::BadCall,
        FaultKind::Uninitialised,
        FaultKind::Leak,
        FaultKind::Assertion,
        FaultKind::Abort,
        FaultKind::BadJoin,
        FaultKind::Deadlock,
        FaultKind::Relock,
        FaultKind::BadUnlock,
        FaultKind::BadDestroy,
        FaultKind::BadInit,
        FaultKind::DataRace,
        FaultKind::Livelock,
        FaultKind::NotRobust,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::NotRobust => "not-robust",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::DeadStack => "dead-stack",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::InvalidPointer => "invalid-pointer",
            FaultKind::WriteToConstant => "write-to-constant",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::Trap => "trap",
            FaultKind::Unreachable => "unreachable",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::BadCall => "bad-call",
            FaultKind::Uninitialised => "uninitialised",
            FaultKind::Leak => "leak",
            FaultKind::Assertion => "assertion",
            FaultKind::Abort => "abort",
            FaultKind::BadJoin => "bad-join",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Relock => "relock",
            FaultKind::BadUnlock => "bad-unlock",
            FaultKind::BadDestroy => "bad-destroy",
            FaultKind::BadInit => "bad-init",
            FaultKind::DataRace => "data-race",
            FaultKind::Livelock => "livelock",
        }
    }
}

/// What becomes of a thread that does something wrong which is allowed, unless the place where it happens says how it goes
/// on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Continuation {
    /// The process ends.
    Exit,
    /// Nothing can be said.
    Undefined,
}

impl FaultKind {
    /// What happens natively.
    pub(crate) fn continuation(self) -> Continuation {
        match self {
            FaultKind::Assertion | FaultKind::Abort | FaultKind::Trap => Continuation::Exit,
            _ => Continuation::Undefined,
        }
    }
}

/// Some kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultKinds(u64);

impl FaultKinds {
    /// Whether a kind is one of them.
    pub fn contains(self, kind: FaultKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }
}

impl FromIterator<FaultKind> for FaultKinds {
    fn from_iter<I: IntoIterator<Item = FaultKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u32))
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A function call that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackEntry {
    /// The function's name.
    pub function: String,
    /// Where in it.
    pub span: SpanId,
    /// Whether it belongs to the library models.
    pub library: bool,
}

/// Something that explains a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub message: String,
    /// Where.
    pub span: SpanId,
}

/// An error of the program under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
    /// Which thread did it.
    pub thread: ThreadId,
    /// Where, in the user's program: the innermost call outside the library models.
    pub span: SpanId,
    /// Explanations: where the object was allocated, freed, ….
    pub notes: Vec<Note>,
    /// Calls under way, innermost first.
    pub stack: Vec<StackEntry>,
}

/// Something the tool cannot do, which was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedReached {
    /// What.
    pub what: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where, in the user's program.
    pub span: SpanId,
    /// Calls under way, innermost first.
    pub stack: Vec<StackEntry>,
    /// It would be supported if no location of an execution graph had one of these addresses in its middle.
    pub cuts: Vec<u64>,
}

/// Why a thread does not run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It is before a visible operation.
    Visible,
    /// Its start function has returned, or it has exited.
    Finished,
    /// The process has exited.
    Exited,
    /// The program is wrong.
    Fault(Box<Fault>),
    /// The program is wrong in a way that is allowed, and the thread has no defined way to go on.
    Allowed {
        /// What is wrong.
        kind: FaultKind,
        /// Where, in the user's program.
        span: SpanId,
    },
    /// The tool cannot go on.
    Unsupported(Box<UnsupportedReached>),
    /// An assumption does not hold: the execution is none of the program's.
    Discarded,
    /// It has run for as long as it was allowed to without reaching a visible operation.
    OutOfFuel,
}
