//! Explorers that run some executions, chosen at random.

pub mod pct;
pub mod random;
