//! Explorers of views: executions are told apart by the values that are read.

pub(crate) mod bounds;
mod crew;
pub(crate) mod driver;
pub(crate) mod explorer;
pub(crate) mod history;
pub mod mcr;
pub(crate) mod method;
mod name;
pub(crate) mod script;
pub(crate) mod search;
pub(crate) mod stuck;
pub mod vieq;
