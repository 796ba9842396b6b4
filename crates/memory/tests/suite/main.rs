//! The memory models, on hand-made programs and graphs.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../common/executions.rs"]
mod executions;
#[path = "../common/graphs.rs"]
mod graphs;

mod axioms;
mod clocks;
mod litmus;
mod objects;
mod parts;
#[path = "../common/sketch.rs"]
mod sketch;
mod spinning;
mod steps;
