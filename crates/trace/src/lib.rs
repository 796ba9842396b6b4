//! The vocabulary of executions: threads, visible operations, events, schedules, execution graphs.
//!
//! *Invariant:* nothing here depends on how an execution came about. A thread is named by its place in the
//! spawn tree, an event by (thread, index): two executions can be compared event by event.
//!
//! * `thread`: threads, named by their place in the spawn tree; agents: threads, and stores on their way to memory.
//! * `operation`: visible operations with their operands, and what completes an operation; `event`: operations that were performed.
//! * `access`: which bytes of the program's memory an operation accesses, and how.
//! * [`sync`]: the one description of what operations do to synchronisation objects, and what follows from it.
//! * [`schedule`]: turns, and the versioned file that `check` writes and `replay` reads.
//! * [`graph`]: execution graphs as plain data, and as lines of JSON: the format, its writer and its reader.

mod access;
mod event;
pub mod execution;
pub mod graph;
mod operation;
pub mod schedule;
pub mod sync;
mod thread;

pub use access::{MemoryAccess, Usage};
pub use event::Event;
pub use operation::{CommutingUpdate, Completion, Operation};
pub use schedule::{ScheduleError, ScheduleFile, Turn};
pub use sync::{MOST_POSTS, SyncOp};
pub use thread::{Agent, ThreadId};
