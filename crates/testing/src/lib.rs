//! Tiny concurrent programs for tests, written as lists of statements and built without a compiler.
//!
//! ```
//! use selvedge_testing::{check, load, store, threads};
//!
//! // Store buffering.
//! let program = threads([
//!     vec![store("x", 1), load("y").into("a")],
//!     vec![store("y", 1), load("x").into("a")],
//! ])
//! .last([load("x").into("x"), check("x", 1)])
//! .build();
//! assert_eq!(program.functions.iter().filter(|function| function.name.starts_with("thread_")).count(), 2);
//! ```
//!
//! The thread `main` creates the others in their order, joins them in their order, and performs what is given to
//! [`Threads::last`]; [`Threads::main`] replaces all of that. Globals come into being when a statement names them: a
//! location has 16 bytes and is zero unless [`Threads::initially`] says something else; a synchronisation object is in its
//! static initial state. Registers belong to their thread, are zero at first, and have 32 bits.
//!
//! Each statement has a line ([`line`]), so that a test can say where something is expected.
//!
//! *Invariant:* nothing here knows how programs are executed, so every crate from the machine on can use it in its tests.

mod build;
mod random;
mod statement;

pub use build::{Threads, line, symbol, threads};
pub use random::Random;
pub use statement::{
    Action, Location, Order, Statement, Value, add, assume, atomic, barrier, broadcast, check, choose,
    compare_exchange, copy, down, exchange, fail, fence, fill, free_through, increment, join, load, lock,
    look_through, once, post, publish, read_lock, read_unlock, set, signal, spawn, spin_lock, spin_unlock,
    store, sum, sync, timed_wait, try_lock, unless, unlock, until, update, wait, wait_until, when,
    write_lock, write_unlock, yield_now,
};
