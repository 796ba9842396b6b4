//! Exploration: which executions to run.
//!
//! An explorer is a function that drives a [`Session`]: it looks at the enabled threads, steps one of them,
//! and goes back. The session keeps everything that explorers have in common: the system with its marks,
//! the checkers, the schedule, the counts, the limits, the violations. So an algorithm is one file that
//! decides, and nothing else.
//!
//! | explorer | what it runs |
//! | --- | --- |
//! | [`dpor::optimal`] | one for each order of dependent operations; alone or with several workers |
//! | [`dpor::source`], [`dpor::classic`] | at least one for each order; some are begun in vain |
//! | [`dpor::bounded`] | of those with few preemptions, enough to see all that can happen in them |
//! | [`exhaustive`] | every interleaving of visible operations; can count the orders |
//! | [`context_bound`] | those with at most 0, 1, 2, … preemptions |
//! | [`random`] | as many as asked for, chosen at random |
//! | [`pct`] | as many as asked for, by random priorities with few changes |
//! | [`vieq`], [`mcr`] | one for each combination of values that are read: by search, and by a solver |
//! | [`replay`] | one given schedule |
//!
//! [`minimise`] looks for a simpler schedule with the same violation. [`estimate`] tells how many executions
//! [`dpor::optimal`] will need.

pub mod context_bound;
mod distinct;
pub mod dpor;
pub mod estimate;
pub mod exhaustive;
pub mod explorer;
pub mod graph;
pub mod mcr;
pub mod minimise;
mod on_panic;
pub mod pct;
pub mod random;
mod random_numbers;
pub mod replay;
mod session;
pub mod vieq;

pub use explorer::{Counted, Explorer, Options};
pub use selvedge_trace::Turn;
pub use session::{Control, Found, Limit, Limits, Progress, Session, Settings, Statistics, Tally, Watcher};
