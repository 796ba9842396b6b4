//! Exploration: which executions to run.
//!
//! An explorer is a function that drives a [`Session`]: it looks at the enabled threads, steps one of them,
//! and goes back. The session keeps everything that explorers have in common: the system with its marks,
//! the checkers, the schedule, the counts, the limits, the violations. So an algorithm is one file that
//! decides, and nothing else.
//!
//! | family | what it explores |
//! | --- | --- |
//! | [`steps`] | interleavings: all, those with few preemptions, one for each order of dependent operations, a given one |
//! | [`graphs`] | execution graphs: what each read reads from, and the order of writes |
//! | [`views`] | one execution for each combination of values that are read: by search, and by a solver |
//! | [`sampling`] | some executions, chosen at random |
//!
//! [`core`] is what they share, and knows none of them; [`explorer`] lists them. Of the families, [`views`] uses [`steps`] (it
//! begins with orders), the others use [`core`] alone.

pub mod core;
pub mod explorer;
pub mod graphs;
pub mod sampling;
pub mod steps;
pub mod views;

pub use crate::core::counted::{Beyond, Counted, Estimate, SolverWork, ViewCounts};
pub use crate::core::declaration::{About, Choice, Counting, Explores, Finds, Promise, Workers};
pub use crate::core::task::{Crew, Options, Scope, Symmetry, Task};
pub use crate::core::{
    Control, Found, Limit, Limits, Progress, Session, Settings, Statistics, Tally, Updates, Watcher,
};
pub use explorer::Explorer;
pub use selvedge_check::{Equivalence, Property};
pub use selvedge_trace::Turn;
