//! What a checker is: a property that is watched along executions.
//!
//! A session tells a checker each step as it is taken, and when an execution has ended; it marks and rewinds it together with
//! the system. What happened is in [`System::events`]; [`Step`] says what a step did besides.
//!
//! Under models of execution graphs steps come in the order in which nodes are added, which extends program order and
//! reads-from (a write is there before it is read). So whatever happens before an event has been told before it. But neither
//! modification order nor the sources of reads follow from that order: a checker asks [`System::graphs`] for them.

use crate::Violation;
use selvedge_memory::System;
use selvedge_trace::ThreadId;

/// When two executions count as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equivalence {
    /// Each pair of dependent operations is in the same order. (Of execution graphs: each read has the same source, and the writes
    /// to each location are in the same order.)
    Orders,
    /// Each read has the same value.
    Views,
}

/// What a step did besides its event.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The position of its event.
    pub event: usize,
    /// The objects (start, size) that it made reachable for other threads.
    pub published: &'a [(u64, u64)],
    /// The threads that it let go.
    pub woken: &'a [ThreadId],
    /// What others can notice of the thread.
    pub company: Company,
}

/// Whether there is anybody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// Other threads run, or may be created.
    Others,
    /// The thread has joined all others: all that they did has happened before, and whatever comes later happens after this.
    Alone,
}

/// Whether an execution is one of the program, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It is.
    Good,
    /// A thread was stopped by an assumption or a bound.
    Cut,
    /// A violation was found in it.
    Violating,
}

/// A violation, and how much of the execution shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub violation: Violation,
    /// So many events show it: later ones add nothing.
    pub events: usize,
}

/// A property that is watched along executions.
pub trait Checker {
    /// A state to return to.
    type Mark;

    /// The finest of the equivalences that preserve it: executions that are the same in this way either all violate it or none
    /// does. An explorer that has one execution of each class finds all violations if its classes are no coarser.
    const PRESERVED_BY: Equivalence;

    /// A step was taken, with an event: what it completes that is wrong.
    fn step<S: System>(&mut self, system: &mut S, step: &Step<'_>) -> Option<Violation> {
        let _ = (system, step);
        None
    }

    /// No agent can go on: what is wrong with the execution as a whole.
    fn end<S: System>(&mut self, system: &S, standing: Standing) -> Option<Finding> {
        let _ = (system, standing);
        None
    }

    /// The present state. Marks are set before steps.
    fn mark(&self) -> Self::Mark;

    /// Returns to a state.
    fn rewind(&mut self, mark: &Self::Mark);
}
