//! What a program can do, with traces and views as fingerprints. They can be counted and compared, but not read.

use crate::facts::Distinct;
use crate::interleavings::{Results, StatementId};
use crate::machine::Fault;
use crate::program::Outcome;
use std::collections::BTreeSet;

/// What a program can do. The fields mean what those of [`Results`] mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of executions.
    pub executions: u64,
    /// What can be observed at the end of executions in which all threads end.
    pub outcomes: BTreeSet<Outcome>,
    /// The statements at which threads wait for ever, for each way to get stuck.
    pub deadlocks: BTreeSet<Vec<StatementId>>,
    /// Wrong uses of mutexes, with the statement.
    pub faults: BTreeSet<(Fault, StatementId)>,
    /// Pairs of statements that race with release sequences as in C++20, the smaller first.
    pub races: BTreeSet<(StatementId, StatementId)>,
    /// The same with release sequences as in C11.
    pub races_c11: BTreeSet<(StatementId, StatementId)>,
    /// The traces.
    pub classes: Distinct,
    /// The orders of what depends on each other.
    pub orders: Distinct,
    /// The reads-from maps.
    pub reads_from: Distinct,
    /// The views.
    pub views: Distinct,
    /// The views, each with what it ends with.
    pub ends: Distinct,
}

impl Summary {
    /// Whether it says the same as results that were found in the plainest way.
    pub fn agrees_with(&self, results: &Results) -> bool {
        let sizes = [
            (self.classes.len(), results.classes.len()),
            (self.orders.len(), results.orders.len()),
            (self.reads_from.len(), results.reads_from.len()),
            (self.views.len(), results.views.len()),
            (self.ends.len(), results.ends.len()),
        ];
        self.executions == results.executions
            && self.outcomes == results.outcomes
            && self.deadlocks == results.deadlocks
            && self.faults == results.faults
            && self.races == results.races
            && self.races_c11 == results.races_c11
            && sizes.iter().all(|(one, other)| one == other)
    }
}
