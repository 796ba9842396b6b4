//! What some systems can tell besides what all explorers need.
//!
//! A system says of what it is able by the types [`System::Buffers`](crate::System::Buffers) and
//! [`System::Graphs`](crate::System::Graphs). Of a system that has
//! none, the type has no values; so code for it is compiled away.

use crate::WaitingStore;
use crate::axiomatic::{Graph, Id};
use selvedge_trace::{Agent, Event, Operation, ThreadId};

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

/// Of systems with store buffers: what is in them.
pub trait StoreBuffers {
    /// Whether an operation of a thread only puts stores into its buffer.
    fn will_buffer(&self, thread: ThreadId, operation: &Operation) -> bool;

    /// How many stores a thread has put into its buffer so far.
    fn issued(&self, thread: ThreadId) -> u32;

    /// Where the bytes of the last step's load came from that were in the thread's own buffer: the number of a
    /// store, and which bytes of the load.
    fn forwards(&self) -> &[(u32, u16)];

    /// The stores of a thread that have not reached memory yet, in the order of the program.
    fn waiting_stores(&self, thread: ThreadId) -> Vec<WaitingStore>;

    /// Whether the stores of a thread reach memory in the order of the program.
    fn stores_in_order(&self) -> bool;

    /// Calls `tell` with each store of a thread that can reach memory now.
    fn ready_stores(&self, thread: ThreadId, tell: &mut dyn FnMut(Agent));
}

/// There are no store buffers: stores reach memory at once.
#[derive(Debug, Clone, Copy)]
pub struct NoBuffers;

impl StoreBuffers for NoBuffers {
    fn will_buffer(&self, _: ThreadId, _: &Operation) -> bool {
        false
    }

    fn issued(&self, _: ThreadId) -> u32 {
        0
    }

    fn forwards(&self) -> &[(u32, u16)] {
        &[]
    }

    fn waiting_stores(&self, _: ThreadId) -> Vec<WaitingStore> {
        Vec::new()
    }

    fn stores_in_order(&self) -> bool {
        true
    }

    fn ready_stores(&self, _: ThreadId, _: &mut dyn FnMut(Agent)) {}
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
