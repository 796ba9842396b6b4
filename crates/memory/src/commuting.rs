//! Updates whose order among each other makes no difference.
//!
//! Additions to a counter, say, whose results nobody uses ([`Operation::commuting_update`]): whatever their order, the counter has the same
//! value afterwards, and as long as nobody reads it in between, nobody can tell. So they do not depend on each other, and one execution
//! stands for all their orders.
//!
//! *Waiting.* Where a thread waits for a location to change, explorers find out where it could have gone on earlier from the values that
//! the location has had one after the other. If updates of it had no order, it could have had the values of any of their sums. So updates of
//! a location that somebody waits for are ordered like all others. That a location is one of these is not known before an execution
//! shows it: explorers let updates commute until then ([`Commuting::to_order`]), and begin again when a location turns out to be both.
//! What is ordered in the end is the same whatever is explored first: the locations that are both in some execution.

use crate::spin::ReadValue;
use rustc_hash::FxHashSet;
use selvedge_trace::Operation;

/// Which updates commute.
#[derive(Debug, Default)]
pub(crate) struct Commuting {
    /// Whether any do.
    is_on: bool,
    /// The granules where updates commute in some execution so far.
    updated: FxHashSet<u64>,
    /// The last of them.
    last: u64,
    /// The granules that somebody waits for in some execution so far.
    waited: FxHashSet<u64>,
    /// The granules where updates are ordered.
    ordered: FxHashSet<u64>,
    /// A granule that is to be one of them.
    to_order: Option<u64>,
}

impl Commuting {
    /// Lets updates commute from now on.
    pub fn turn_on(&mut self) {
        self.is_on = true;
    }

    /// Whether an operation is an update that commutes with others of its kind.
    #[inline]
    pub fn has(&self, operation: &Operation) -> bool {
        self.is_on
            && operation.commuting_update().is_some_and(|update| !self.ordered.contains(&update.granule))
    }

    /// Notes that an operation is performed.
    #[inline]
    pub fn note(&mut self, operation: &Operation) {
        if self.is_on
            && let Some(update) = operation.commuting_update()
            && update.granule != self.last
        {
            self.last = update.granule;
            if self.updated.insert(update.granule) {
                self.look_at(update.granule);
            }
        }
    }

    /// Notes that somebody waits for a location to change.
    pub fn note_waiting(&mut self, read: &ReadValue) {
        if !self.is_on {
            return;
        }
        let end = read.address.saturating_add(u64::from(read.size));
        for granule in (read.address & !7..end).step_by(8) {
            if self.waited.insert(granule) {
                self.look_at(granule);
            }
        }
    }

    fn look_at(&mut self, granule: u64) {
        if self.updated.contains(&granule)
            && self.waited.contains(&granule)
            && !self.ordered.contains(&granule)
        {
            self.to_order = Some(granule);
        }
    }

    /// A granule whose updates have to be ordered, but were not: what was explored does not count.
    pub fn to_order(&self) -> Option<u64> {
        self.to_order
    }

    /// Orders the updates of a granule from now on.
    pub fn order(&mut self, granule: u64) {
        self.ordered.insert(granule);
        self.to_order =
            self.updated.intersection(&self.waited).find(|both| !self.ordered.contains(both)).copied();
    }
}
