//! Explorers of views: executions are told apart by the values that are read.

pub mod mcr;
pub mod vieq;
