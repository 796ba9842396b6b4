//! What is lent, and what comes back.

use crate::steps::dpor::branch::{Branch, Branches};
use crate::steps::dpor::requests::Asked;
use crate::steps::dpor::walk::{Label, SleepMark, SleepSets};
use crate::{Found, Limit, Statistics};
use selvedge_vm::UnsupportedReached;
use std::sync::Arc;

/// What is below some leaves.
pub struct Task {
    /// The way to the node that their branches begin at.
    pub labels: Vec<Label>,
    /// What is asleep at each node on the way and there.
    pub asleep: SleepSets,
    /// Where the sleep set of each node begins.
    pub starts: Vec<SleepMark>,
    /// What will be tried later at each node on the way; and what is to be tried there, and later by others.
    pub shown: Vec<Branches>,
    /// So many of the last of these are meant.
    pub end: usize,
    /// Races of units before this position have been looked at.
    pub known: usize,
    /// The way from this position on leads through a wake-up tree, along these branches.
    pub from: usize,
    /// See `from`.
    pub path: Vec<Arc<Branch>>,
}

/// What is known about the way to a leaf.
#[derive(Default)]
pub struct Way {
    /// From this position on, the units have no alternatives and touch what was expected.
    pub plain: usize,
    /// Where the borrower has turned back last.
    pub from: usize,
    /// Steps taken.
    pub total: u64,
    /// Of these, steps taken before each unit, from that position on; nothing for none.
    pub steps: Vec<u64>,
}

impl Way {
    /// Steps taken from a position on.
    pub fn steps_from(&self, position: usize) -> u64 {
        let before = position.checked_sub(self.from).and_then(|at| self.steps.get(at));
        self.total - before.copied().unwrap_or(0)
    }
}

/// What was found below a leaf.
pub struct Yield {
    /// Counts.
    pub statistics: Statistics,
    /// Violations.
    pub found: Vec<Found>,
    /// Limits that were reached.
    pub limits: Vec<Limit>,
    /// Something unsupported that was reached.
    pub unsupported: Option<Box<UnsupportedReached>>,
    /// What is to be inserted above.
    pub requests: Asked,
    /// Whether the exploration did not come to an end.
    pub stopped: bool,
    /// Whether it did not because everything has to begin again.
    pub again: Again,
    /// The way there.
    pub way: Way,
}

/// Why an exploration has to begin again.
#[derive(Debug, Clone, Copy)]
pub struct Again {
    /// Paths have to be followed ([`super::super::walk`]).
    pub with_paths: bool,
    /// Looking ahead is unsafe ([`Session::looking_ahead`](crate::Session)).
    pub without_looking_ahead: bool,
    /// Updates of a granule must be ordered, but were not.
    pub with_order: Option<u64>,
}
