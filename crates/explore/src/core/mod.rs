//! What all explorers share. Nothing here knows an explorer.
//!
//! * [`session`]: an exploration under way: the system with its marks, the checkers, the schedule, counts, limits, violations.
//! * [`declaration`]: what an explorer says of itself; [`task`]: what it is told; [`counted`]: what it counts besides.
//! * [`dependence`]: which operations touch what, and when the order of two matters.
//! * [`distinct`]: whether all executions of an exploration have different views.

pub mod counted;
pub mod declaration;
pub mod dependence;
pub(crate) mod distinct;
pub(crate) mod mix;
pub(crate) mod on_panic;
pub(crate) mod random_numbers;
pub(crate) mod session;
pub mod task;

pub use session::{
    Control, Found, Limit, Limits, Progress, Session, Settings, Statistics, Tally, Updates, Watcher,
};
