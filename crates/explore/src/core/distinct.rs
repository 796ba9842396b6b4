//! Whether all executions of an exploration have different views.
//!
//! A [`Session`](crate::Session) that is asked to compares the views of its executions. The exploration is over soon after two
//! executions have had the same view, or after one whose view does not follow from its events: not all of its threads have ended, or
//! an event has a result that it does not record. Workers share the views that they have seen.
//!
//! The name of a view is a sum over the events of an execution, and the sums of all prefixes of the present
//! execution are kept; so an execution costs no more than what is new in it. Names have 64 bits. If two views have the same name, they
//! are taken for one, and the exploration is over without need: nothing is lost.

use crate::core::mix::mix;
use rustc_hash::FxHashSet;
use selvedge_trace::sync::{Action, Ask, ObjectKind, is_nearly_full};
use selvedge_trace::{Event, Operation};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The views that all workers have seen.
#[derive(Debug, Default)]
pub struct Distinct {
    seen: Mutex<FxHashSet<u64>>,
    over: AtomicBool,
}

impl Distinct {
    /// Whether two views may have been the same.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Notes that two views may be the same.
    pub fn give_up(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// So many names are collected before they are compared with all others: the table is likely to be out of the cache, and several
/// look-ups take not much longer than one.
const TOGETHER: usize = 64;

/// At first fewer are: one for so many that have been compared. Where two executions have the same view, that mostly shows soon.
const PORTION: usize = 16;

/// Tells the views of a session's executions apart.
#[derive(Debug)]
pub struct Teller {
    distinct: Arc<Distinct>,
    /// The sums of the events of the present execution up to each of them, as far as they have been asked for.
    sums: Vec<u64>,
    /// Names of views that have not been compared.
    new: Vec<u64>,
    /// When there are so many they are compared.
    most: usize,
}

impl Teller {
    /// One that has seen nothing of the present execution.
    pub fn new(distinct: Arc<Distinct>) -> Self {
        Teller { distinct, sums: Vec::new(), new: Vec::new(), most: 1 }
    }

    /// What workers share.
    pub fn distinct(&self) -> &Arc<Distinct> {
        &self.distinct
    }

    /// The session goes back to where there were so many events.
    pub fn rewind(&mut self, events: usize) {
        self.sums.truncate(events);
    }

    /// An execution has ended, and so have all its threads.
    pub fn ended(&mut self, events: &[Event]) {
        let mut sum = self.sums.last().copied().unwrap_or(0);
        for event in &events[self.sums.len().min(events.len())..] {
            match reading(event) {
                Reading::Nothing => {}
                Reading::Value(value) => {
                    let place = (event.thread.number() as u64) << 32 | u64::from(event.index);
                    sum = sum.wrapping_add(mix(place, value as u64 ^ ((value >> 64) as u64).rotate_left(17)));
                }
                Reading::Unknown => return self.distinct.give_up(),
            }
            self.sums.push(sum);
        }
        self.new.push(sum);
        if self.new.len() >= self.most {
            self.compare();
        }
    }

    fn compare(&mut self) {
        let mut seen = self.distinct.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = seen.len() + self.new.len();
        seen.extend(self.new.drain(..));
        if seen.len() != expected {
            self.distinct.give_up();
        }
        self.most = (seen.len() / PORTION).clamp(1, TOGETHER);
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.compare();
    }
}

/// What an event adds to a view.
enum Reading {
    /// Nothing.
    Nothing,
    /// A value read, or an alternative chosen.
    Value(u128),
    /// That does not follow from the event.
    Unknown,
}

fn reading(event: &Event) -> Reading {
    match event.operation {
        Operation::Load { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. } => {
            event.read.map_or(Reading::Unknown, Reading::Value)
        }
        Operation::Choose { .. } => Reading::Value(u128::from(event.choice)),
        Operation::Store { .. }
        | Operation::Set { .. }
        | Operation::Release { .. }
        | Operation::EndScope { .. }
        | Operation::Fence { .. }
        | Operation::Spawn { .. }
        | Operation::Join { .. }
        | Operation::WaitForOthers { .. }
        | Operation::Yield
        | Operation::Assume { .. } => Reading::Nothing,
        Operation::Sync { op, .. } => match (op.action(), op.asks()) {
            // Its result says whether there was room.
            (_, Ask::Room(_)) if is_nearly_full(event.before as u32) => Reading::Unknown,
            (_, Ask::Take(_) | Ask::Room(_)) | (Action::Give, _) => Reading::Nothing,
            // It may be an error, which depends on the object's words; of a barrier, the event does not have all of them.
            (Action::Init, Ask::State) if op.object() != ObjectKind::Barrier => Reading::Value(event.before),
            _ => Reading::Unknown,
        },
        Operation::Copy { .. } | Operation::Flush { .. } => Reading::Unknown,
    }
}

#[cfg(test)]
mod tests;
