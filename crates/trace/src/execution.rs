//! An execution as plain data.
//!
//! A recorder follows a schedule once, under any memory model, and writes down what there is to know. Reports format that, and
//! whatever asks why something happened reads it; none of them drives a machine.
//!
//! Steps are in the order in which they were taken, and are named by their positions. That order extends program order, and a
//! read comes after the write that it reads from; under models of execution graphs it says no more than that. With store buffers,
//! a store that is buffered is one step, and that it reaches memory another, which is no operation of its thread.

use crate::{Event, Operation, SyncOp, ThreadId};
use selvedge_program::{FuncId, Site, SpanId};

/// An execution.
#[derive(Debug, Clone, Default)]
pub struct Execution {
    /// The threads, in the order in which they were created.
    pub threads: Vec<Thread>,
    /// What happened.
    pub steps: Vec<Step>,
    /// The stacks that [`Step::stack`] refers to.
    pub stacks: Vec<Vec<Call>>,
    /// The writes to each location, in modification order.
    pub orders: Vec<ModificationOrder>,
    /// What synchronised with what: the second of a pair happens after the first, which another thread did, and this does not
    /// follow from other pairs and program order.
    pub synchronised: Vec<(usize, usize)>,
    /// Stores that have not reached memory at the end.
    pub buffered: Vec<BufferedStore>,
    /// What was printed.
    pub output: Vec<u8>,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its name.
    pub name: ThreadId,
    /// The function that it was started with; `main` for the main thread.
    pub function: String,
    /// The step that created it.
    pub created_by: Option<usize>,
    /// Where it is at the end; `None` if it has ended.
    pub end: Option<Stay>,
}

/// Where a thread is that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stay {
    /// The calls under way, innermost first.
    pub stack: Vec<Call>,
    /// What it waits for, if it can only wait.
    pub waits: Option<Wait>,
}

/// What a thread waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// The end of a thread.
    Thread(ThreadId),
    /// That an operation on a synchronisation object goes through.
    Object {
        /// Which operation.
        op: SyncOp,
        /// What the object is called.
        object: String,
        /// The operation's argument.
        argument: u64,
        /// Who has it, and the step in which it was taken, if that is known.
        owner: Option<(ThreadId, Option<usize>)>,
    },
    /// That one of these changes, in a loop.
    Change(Vec<String>),
}

/// A call under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function that was called.
    pub function: FuncId,
    /// The instruction that it is at.
    pub site: Site,
    /// Where that is in the source.
    pub span: SpanId,
}

/// A value, as bits and as a person would write it: a signed number, or what a pointer points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The bits.
    pub bits: u128,
    /// In words.
    pub text: String,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// The turn of the schedule that it was done in, or completed in.
    pub turn: usize,
    /// Where: see [`Event::site`].
    pub span: SpanId,
    /// The function of the user's that it happened in.
    pub function: String,
    /// The calls under way, as a position in [`Execution::stacks`].
    pub stack: u32,
    /// How the source writes what it accesses, if known, e.g. `queue->head`.
    pub object: Option<String>,
    /// What it has read.
    pub read: Option<Value>,
    /// What it has written, or put into its buffer.
    pub written: Option<Value>,
    /// What it was to write: of a store, of one that reaches memory, of a compare-exchange.
    pub operand: Option<Value>,
    /// What a compare-exchange expected.
    pub expected: Option<Value>,
    /// Where the bytes that it reads come from: the steps that wrote them, or `None` for what was there at first, each once. (If
    /// other threads have let it go, their steps are sources, too.)
    pub sources: Vec<Option<usize>>,
    /// Under models of execution graphs: how the order of steps differs from that of the graph.
    pub detour: Detour,
}

/// How the order of steps differs from reads-from and modification order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detour {
    /// The last write to the location before the step, which is not what it reads.
    pub passed_over: Option<usize>,
    /// The write right behind its own in modification order, if that was performed earlier.
    pub overwritten_by: Option<usize>,
}

/// The writes to a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModificationOrder {
    /// First address.
    pub address: u64,
    /// Number of bytes.
    pub size: u32,
    /// What the location is called.
    pub object: String,
    /// The steps that write it.
    pub writes: Vec<usize>,
}

/// A store that has not reached memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferedStore {
    /// Whose.
    pub thread: ThreadId,
    /// What it writes to.
    pub object: String,
    /// What.
    pub value: Value,
    /// Where in the program.
    pub span: SpanId,
}

impl Execution {
    /// The calls under way at a step.
    pub fn stack_at(&self, step: usize) -> &[Call] {
        let stack = self.steps.get(step).and_then(|step| self.stacks.get(step.stack as usize));
        stack.map_or(&[], Vec::as_slice)
    }

    /// A thread.
    pub fn thread(&self, name: ThreadId) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.name == name)
    }
}

impl Step {
    /// Whether it is not the thread that does it: a store of the thread reaches memory.
    pub fn arrives(&self) -> bool {
        matches!(self.event.operation, Operation::Flush { .. })
    }
}
