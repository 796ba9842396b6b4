//! Reports: what was found, for people and for programs.
//!
//! * [`steps`] has words for the steps of an execution.
//! * [`text`] lays it out for people: source excerpts, a column per thread, stacks, output.
//! * [`json`] is the machine-readable result.
//! * [`dot`] draws an execution graph.
//! * [`miscompiled`] has words for what the compiler is known to get wrong.
//!
//! *Invariant:* nothing here knows how a verdict was found, or drives a machine: what is told is in an
//! [`Execution`](selvedge_trace::execution::Execution).

pub mod dot;
pub mod excerpt;
pub mod json;
pub mod miscompiled;
pub mod steps;
pub mod text;
