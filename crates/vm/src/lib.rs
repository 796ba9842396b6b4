//! The virtual machine: executes a [`Program`](selvedge_program::Program) exactly, stops at every visible
//! operation, and can be rewound.
//!
//! ```text
//! Program ──compile──▶ Image ──▶ Machine ──run──▶ Stop::Visible
//!                                   ▲                  │ pending() -> Operation
//!                                   └── complete() ◀───┘ (a memory model answers)
//! ```
//!
//! * [`address`], [`memory`], [`objects`]: the simulated address space, what may be accessed, what it is.
//! * [`code`] and `compile`: register code, and how it is made.
//! * `interpret`, `call`, `generic`, `access`, `jump`, `definedness`: executing it.
//! * `step` ([`Machine::pending`], [`Machine::complete`]), `sync`, `scope`: visible operations.
//! * [`machine`], [`thread`]: state, marks, rewinding; `private`: a log of private stores, for models that reorder them;
//!   `entangled`: whether a thread minds its own business.
//!
//! *Invariant:* the machine executes; it does not know which thread should run next, and a thread is a
//! function of the values it is given.

mod access;
pub mod address;
mod builtins;
mod call;
pub mod code;
mod code_check;
mod compile;
mod definedness;
mod entangled;
mod fault;
mod float_text;
mod generic;
mod interpret;
mod jump;
mod loops;
pub mod machine;
pub mod memory;
pub mod objects;
mod private;
mod report;
mod scope;
mod step;
mod sync;
pub mod thread;

pub use fault::{Fault, FaultKind, FaultKinds, Note, StackEntry, Stop, UnsupportedReached};
pub use machine::{Config, Image, LoadError, Machine, Mark, Output, Stream};
pub use memory::{Initialisation, Memories};
pub use private::PrivateStore;
pub use selvedge_trace::{Completion, Operation, SyncOp, ThreadId};
pub use step::result_of_access;
pub use sync::SyncObject;
