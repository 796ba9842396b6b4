//! Verification as a function: a [`Request`] becomes a [`Plan`], and that an [`Outcome`].
//!
//! ```no_run
//! use selvedge_verify::{Request, Sources, Verdict, Verifier};
//!
//! # fn main() -> Result<(), selvedge_verify::Error> {
//! let request = Request::default();
//! let verifier = Verifier::compile(&Sources { files: vec!["queue.c".into()], flags: Vec::new() }, &request)?;
//! let outcome = verifier.verify(&request)?;
//! println!("{}", outcome.verdict == Verdict::Verified);
//! # Ok(())
//! # }
//! ```
//!
//! * [`request`] says what can be asked. [`contradiction`] says which requests make no sense, from what explorers and
//!   models declare of themselves.
//! * [`plan`] decides what is run, in which order, and why.
//! * [`verifier`] owns a compiled program: it is compiled and loaded once, and can be asked many times.
//! * [`run`] runs a plan; `explore` one stage of it, `scout` looks at steps while graphs are explored, `linearise` makes
//!   a schedule of steps of what graphs have found, [`replay`] follows a schedule, and [`estimate`] tells how many executions there will be.
//! * `record` follows a schedule and writes the execution down: [`selvedge_trace::execution::Execution`].
//! * [`outcome`] is what is answered.
//!
//! *Invariant:* nothing here prints, ends the process, or keeps state outside of a [`Verifier`]. Several verifications can
//! run at the same time.

#![warn(missing_docs)]

pub mod contradiction;
pub mod estimate;
mod explore;
mod linearise;
pub mod outcome;
pub mod plan;
mod record;
pub mod replay;
pub mod request;
pub mod run;
mod scout;
mod systems;
pub mod verifier;

pub use contradiction::Contradiction;
pub use outcome::{Counterexample, Error, Fault, Outcome, Times, Verdict};
pub use plan::{ModelReason, Plan, Stage, Why};
pub use replay::{Recorded, Replayed};
pub use request::{Bounds, Detail, Properties, Record, Request, Wanted};
pub use run::{Observer, Silent};
pub use verifier::Verifier;

pub use selvedge_explore::Estimate;
pub use selvedge_explore::{Choice, Counted, Explorer, Explores, Options, Symmetry};
pub use selvedge_explore::{Control, Limit, Limits, Statistics};
pub use selvedge_frontend::{Input, Inputs, Sources};
pub use selvedge_memory::{Model, ReleaseSequences};
pub use selvedge_vm::Memories;
