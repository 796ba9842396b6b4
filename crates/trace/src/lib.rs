//! The vocabulary of executions: threads, visible operations, events, schedules, execution graphs.
//!
//! *Invariant:* nothing here depends on how an execution came about. A thread is named by its place in the
//! spawn tree, an event by (thread, index): two executions can be compared event by event.

mod event;
pub mod execution;
pub mod graph;
mod operation;
pub mod schedule;
pub mod sync;
mod thread;

pub use event::Event;
pub use operation::{Completion, Operation};
pub use schedule::{ScheduleError, ScheduleFile, Turn};
pub use sync::{MOST_POSTS, SyncOp};
pub use thread::{Agent, ThreadId};
