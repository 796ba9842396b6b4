//! Reports: what was found, for people and for programs.
//!
//! * [`narrate`] turns a schedule into a story: each step with its place, the variable's name and values.
//! * [`text`] lays it out for people: source excerpts, a column per thread, stacks, output.
//! * [`json`] is the machine-readable result.
//!
//! *Invariant:* nothing here knows how a verdict was found.

pub mod excerpt;
pub mod json;
pub mod narrate;
pub mod text;
