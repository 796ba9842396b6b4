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
//! * `step` ([`Machine::pending`], [`Machine::complete`]), `sync`, `scope`: visible operations; `stop`: what goes wrong.
//! * [`machine`], [`thread`]: state, marks, rewinding; `private`: a log of private stores, for models that reorder them;
//!   `entangled`: whether a thread touches only its own state.
//!
//! *Invariant:* the machine executes; it does not know which thread should run next, and a thread is a
//! function of the values it is given.
//!
//! # Visible and invisible
//!
//! A step is *visible* if another thread could tell whether it has happened: an access to shared memory, a fence, creating or
//! joining a thread, an operation on a mutex or the like, freeing a shared object or ending the scope of a local one, yielding; so is
//! a choice. Everything else runs in the interpreter without anybody being asked.
//!
//! Until a second thread exists nothing is visible. Globals are shared from then on. An object on the stack or the heap becomes
//! shared, with all that can be reached from it, when a pointer to it is written to shared memory or passed to a thread
//! (`objects.rs`). One shadow byte for every eight bytes of memory says in one load whether an access is allowed, and whether it
//! is private.

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
mod live;
mod loops;
pub mod machine;
pub mod memory;
pub mod objects;
mod private;
mod quiet;
mod report;
mod scope;
mod step;
mod stop;
mod sync;
pub mod thread;
mod uses;

pub use fault::{Fault, FaultKind, FaultKinds, Note, StackEntry, Stop, UnsupportedReached};
pub use machine::{Config, Image, LoadError, Machine, Mark, Output, Stream};
pub use memory::{Initialisation, Memories};
pub use private::PrivateStore;
pub use selvedge_trace::{Completion, Operation, SyncOp, ThreadId};
pub use step::result_of_access;
pub use sync::SyncObject;
