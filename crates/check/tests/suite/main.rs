//! The properties, each on hand-made programs all of whose executions are looked at.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../../../memory/tests/common/executions.rs"]
mod executions;
mod graph_races;
mod races;
mod rewinding;
mod robustness;
#[path = "../../../memory/tests/common/sketch.rs"]
mod sketch;
mod watched;
mod words;
