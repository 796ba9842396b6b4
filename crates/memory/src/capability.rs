//! What some systems can tell besides what all explorers need.
//!
//! A system says of what it is able by the types [`System::Graphs`](crate::System::Graphs) and so on. Of a system that has
//! none, the type has no values; so code for it is compiled away.

use crate::axiomatic::{Graph, Id};
use selvedge_trace::Event;

/// Where what an event has read comes from. Events are positions in the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadsFrom {
    /// The event that wrote it; `None`: it was there at first.
    pub source: Option<usize>,
    /// The event that wrote to the same location last, before the read.
    pub latest: Option<usize>,
}

/// Of systems whose executions are graphs: reads-from and modification order are not told by the order of events.
pub trait Graphs {
    /// The graph of the present execution.
    fn graph(&self) -> &Graph;

    /// The events so far.
    fn events(&self) -> &[Event];

    /// Objects that were made reachable for other threads: first address, first address behind, and the node that did it.
    fn published(&self) -> &[(u64, u64, Id)];

    /// Does something with the graph while its clocks are those of C11's release sequences
    /// ([`Graph::use_exact_clocks`]).
    fn with_exact_clocks<T>(&mut self, with: impl FnOnce(&Self) -> T) -> T;

    /// Says that something was found wrong in the last step: if it is taken back, and comes again, it is to be performed and
    /// judged again.
    fn repeat_last_step(&mut self);

    /// Where what an event has read comes from. `None` for events that read nothing.
    fn reads_from(&self, event: usize) -> Option<ReadsFrom> {
        self.graph().reads_from(event)
    }

    /// The event whose write comes right after that of another in modification order, although it was performed earlier.
    fn overwritten_by(&self, event: usize) -> Option<usize> {
        self.graph().overwritten_by(event)
    }
}

/// The type of what a system does not have.
#[derive(Debug, Clone, Copy)]
pub enum Nothing {}

impl Graphs for Nothing {
    fn graph(&self) -> &Graph {
        match *self {}
    }

    fn events(&self) -> &[Event] {
        match *self {}
    }

    fn published(&self) -> &[(u64, u64, Id)] {
        match *self {}
    }

    fn with_exact_clocks<T>(&mut self, _: impl FnOnce(&Self) -> T) -> T {
        match *self {}
    }

    fn repeat_last_step(&mut self) {
        match *self {}
    }
}
