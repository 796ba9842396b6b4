//! The explorers, on hand-made programs: each against brute force, or against what is known.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../../../memory/tests/common/executions.rs"]
mod executions;
#[path = "../../../memory/tests/common/graphs.rs"]
mod graphs;

mod branches;
mod commuting;
mod counts;
mod estimates;
mod exploring;
mod orders;
mod preemptions;
mod programs;
mod schedules;
mod sessions;
mod symmetry;
mod updates;
mod verdicts;
