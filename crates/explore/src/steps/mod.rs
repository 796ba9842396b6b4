//! Explorers of interleavings: executions are sequences of steps.

pub mod context_bound;
pub mod dpor;
pub mod estimate;
pub mod exhaustive;
pub mod minimise;
pub mod replay;
