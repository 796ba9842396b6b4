//! Synchronisation objects in executions: the one description of every operation on them.
//!
//! An operation is a row of a table in [`selvedge_program::sync`]. What it does, and what that means to others, is a function of
//! that row, here:
//!
//! | question | answer | who asks |
//! | --- | --- | --- |
//! | can it go through, what does it do, what does it return? | [`is_enabled`], [`perform`] | the machine |
//! | which operations does it commute with? | [`touch`] | partial-order reduction |
//! | which words does it change, and how? | [`changes`] | views |
//! | what do counts say? | [`Arrival`], [`is_nearly_full`] | views |
//! | what does it acquire and release? | [`edges`] | data races, graphs |
//! | does it take, give back or only read? | [`hold`] | waiting loops |
//! | how is it said in words? | [`words`] | reports |
//!
//! All but the first are abstractions of the first. A test goes through all operations and object states and compares
//! (`tests/operations.rs`).

mod counts;
mod meaning;
mod state;
mod transition;
pub mod words;

pub use counts::{Arrival, is_nearly_full};
pub use meaning::{
    Change, Changes, Edges, Hold, Mode, Passage, Touch, arrivals_left, arrivals_needed, changes, edges, hold,
    is_last_arrival, lets_pass, mode_if, passage, touch, waiting,
};
pub use selvedge_program::sync::{
    Action, Ask, Clock, Condition, Description, KeepsLife, MOST_POSTS, ObjectKind, Patience, SERIAL, SyncOp,
    WORD, Waiters,
};
pub use state::{MOST_WORDS, Words, is_destroyed, is_set_up};
pub use transition::{
    Caller, Kinds, Misuse, MisuseKind, Performed, Waiting, errno, give_back_to_wait, is_enabled, perform,
};
