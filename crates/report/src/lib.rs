//! Reports: what was found, for people and for programs.
//!
//! * [`narrate`] turns a schedule into a story: each step with its place, the variable's name and values.
//! * [`text`] lays it out for people: source excerpts, a column per thread, stacks, output.
//! * [`json`] is the machine-readable result.
//! * [`graph`] writes an execution graph down in the form of [`selvedge_trace::graph`]; [`dot`] draws it.
//! * [`miscompiled`] has words for what the compiler is known to get wrong.
//!
//! *Invariant:* nothing here knows how a verdict was found.

pub mod dot;
pub mod excerpt;
pub mod graph;
pub mod json;
pub mod miscompiled;
pub mod narrate;
pub mod text;
