//! Ground truth for tests: tiny concurrent programs and, by brute force, everything they can do.
//!
//! Every algorithm of Selvedge is judged by this crate, so it shares no code with any of them, and is
//! written to be obviously right: no reduction, relations instead of clocks.
//!
//! * [`Program`]: a few threads, which can wait for values and go round loops; [`generate()`] makes random ones, [`shrink()`] makes failing ones
//!   small, [`table()`] shows them, [`print_c()`] turns them into C so that the whole tool can be tested.
//! * [`interleavings()`]: all executions of a program under an operational [`Model`]: how many there are, their
//!   outcomes, deadlocks and data races, and how many are left under each equivalence.
//!   [`interleavings_bounded()`]: the same of executions with few preemptions. [`interleavings_merged()`]: the same
//!   with less work.
//! * [`graphs`]: all consistent execution graphs of a program under axiomatic models: sequential consistency, TSO,
//!   release-acquire, RC11.
//! * [`normal_forms()`]: the executions without rounds of loops that lead nowhere.
//! * [`summarise()`] and [`graphs::summarise()`]: the same for millions of programs. What is represented is the same, in fewer bits; a test
//!   compares them with the functions above.
//! * [`litmus`]: programs of which it is known what the models allow.
//!
//! *Invariant:* no dependency on another crate of the workspace.
//!
//! | files | what they are |
//! | --- | --- |
//! | `program.rs`, `generate.rs`, `generate/loops.rs`, `message.rs`, `random.rs`, `shrink.rs` | the tiny programs; making them at random (some of them around a release sequence), and making them smaller |
//! | `print_c.rs`, `table.rs`, `code.rs` | a program as C, as a table for people, and flattened |
//! | `machine.rs`, `interleavings.rs`, `event.rs` | executing it in every order, with store buffers under TSO and PSO: outcomes, deadlocks, reads, views |
//! | `rounds.rs`, `kinds.rs` | loops: when a thread may go round for ever; which kinds there are |
//! | `normal/mod.rs`, `part.rs`, `collect.rs` | normal forms of executions, from the definition: what may be taken away; executions as traces, with what happens before what |
//! | `classes.rs`, `races.rs` | traces, Mazurkiewicz classes; data races; all from their definitions |
//! | `summarise.rs`, `summary.rs`, `facts.rs`, `racing.rs` | the same results with far less work, for the fuzzer: one state that is taken back, traces and views as fingerprints, sets of events as bits; compared with the plain search in `tests/summaries.rs` |
//! | `graphs/mod.rs`, `build.rs`, `graph.rs`, `relation.rs` | all consistent execution graphs: the search; adding events in every way; graphs and their relations, as matrices |
//! | `graphs/sc.rs`, `tso.rs`, `release_acquire.rs`, `rc11.rs` | the axioms, one model each |
//! | `graphs/summarise.rs`, `rows.rs`, `allowed.rs` | the same graphs with far less work, of several models at once: one graph that grows and shrinks, relations and axioms on sets of bits; compared with the plain enumeration |
//! | `litmus.rs`, `litmus/c11.rs` | litmus tests, and which memory models allow their outcomes; those with the orders of C11 |

#![warn(missing_docs)]

mod classes;
mod code;
mod event;
mod facts;
mod generate;
pub mod graphs;
mod interleavings;
mod kinds;
pub mod litmus;
mod machine;
mod message;
mod normal;
mod print_c;
mod program;
mod races;
mod racing;
mod random;
mod rounds;
mod shrink;
mod summarise;
mod summary;
mod table;

pub use classes::{Levels, ReadsFrom, Source, Trace, Views};
pub use event::{Addition, Event, EventId, Kind};
pub use facts::{Distinct, Fingerprint};
pub use generate::{Knobs, generate};
pub use interleavings::{
    Ending, Model, Results, StatementId, interleavings, interleavings_bounded, interleavings_merged,
};
pub use kinds::LoopKind;
pub use machine::Fault;
pub use message::generate_message;
pub use normal::{Definition, NormalForms, normal_forms, settled_forms};
pub use print_c::{CProgram, Epilogue, print_c};
pub use program::{Invalid, Observation, Order, Outcome, Program, Statement, Test, Until, Value};
pub use races::ReleaseSequences;
pub use random::Random;
pub use shrink::shrink;
pub use summarise::summarise;
pub use summary::Summary;
pub use table::table;
