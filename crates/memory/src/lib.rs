//! Memory models as explorers see them: systems of agents that take steps, and can be taken back.
//!
//! An operational model is a [`System`]: it says which agents can take a step, performs the step of one of
//! them, and can return to a marked state. Under sequential consistency ([`Sequential`]) the agents are the
//! threads; with store buffers ([`Buffered`]: TSO and PSO) also the stores that are on their way to memory. Explorers
//! are written against the trait, once, and are statically dispatched.
//!
//! *Invariant:* a system decides nothing. It knows neither explorers nor properties.

pub mod axiomatic;
mod buffer;
mod operational;
mod spin;

pub use buffer::Discipline;
pub use operational::{Buffered, Operational, OperationalMark, Sequential};
pub use spin::ReadValue;

use selvedge_program::SpanId;
use selvedge_trace::{Agent, Event, Operation, ThreadId};
use selvedge_vm::{Machine, Stop};

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The execution goes on.
    Done,
    /// A thread did something wrong, or something unsupported, or ran out of fuel. It never goes on; the
    /// others can.
    Stopped(Stop),
    /// An assumption does not hold: this is no execution of the program. The thread never goes on.
    Discarded,
    /// A loop was bounded, at this place: the thread never goes on.
    Bounded(SpanId),
}

/// A store that has not reached memory yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingStore {
    /// First address.
    pub address: u64,
    /// Number of bytes.
    pub size: u32,
    /// What is stored.
    pub value: u128,
    /// Where, in the user's program.
    pub span: SpanId,
    /// Which of its thread's buffered stores it is, from 1.
    pub number: u32,
    /// Stores of earlier epochs reach memory first.
    pub epoch: u32,
}

/// Two accesses that race, as positions in the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceFound {
    /// The earlier access.
    pub first: usize,
    /// Whether the earlier access is the initialisation of an object that this event published.
    pub by_publication: bool,
    /// The later access.
    pub second: usize,
    /// First address of the later access.
    pub address: u64,
    /// Its size.
    pub size: u64,
}

/// Where what an event has read comes from. Events are positions in the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadsFrom {
    /// The event that wrote it; `None`: it was there at first.
    pub source: Option<usize>,
    /// The event that wrote to the same location last, before the read.
    pub latest: Option<usize>,
}

/// Why no agent can take a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// All threads have ended, or the process has.
    Complete,
    /// Threads wait for each other.
    Deadlock(Vec<ThreadId>),
    /// At least one thread waits in a loop for something that nobody will do.
    Livelock(Vec<ThreadId>),
}

/// An operational memory model with a program in it.
pub trait System {
    /// A state to return to.
    type Mark;

    /// Whether there are store buffers.
    const BUFFERED: bool;

    /// Whether the model itself finds data races ([`System::take_race`]).
    const FINDS_RACES: bool = false;

    /// The agents that can take a step, in a fixed order.
    fn enabled(&self, into: &mut Vec<Agent>);

    /// Whether an agent can take a step.
    fn is_enabled(&self, agent: Agent) -> bool;

    /// How many alternatives the next step of an agent has; at least 1.
    fn choices(&self, agent: Agent) -> u32;

    /// Whether an agent that is enabled has an alternative.
    fn accepts(&self, agent: Agent, choice: u32) -> bool {
        choice < self.choices(agent)
    }

    /// Takes a step of an agent that is enabled.
    fn step(&mut self, agent: Agent, choice: u32) -> Step;

    /// Stops a thread for good.
    fn halt(&mut self, thread: ThreadId);

    /// Lets a thread read something else than it would, and run on by itself: what becomes of it, if the model can do
    /// that. Nothing but the thread is as it should be afterwards, so this is to be taken back.
    fn pretend(&mut self, _: ThreadId, _: u128) -> Option<Stop> {
        None
    }

    /// Remembers the present state. Explorers mark before every step.
    fn mark(&mut self) -> Self::Mark;

    /// Returns to a state; its mark stays valid.
    fn rewind(&mut self, mark: &Self::Mark);

    /// The events so far.
    fn events(&self) -> &[Event];

    /// Why no agent is enabled.
    fn end(&self) -> End;

    /// The machine that executes the threads.
    fn machine(&self) -> &Machine<'_>;

    /// What a thread read on its way round a waiting loop, if it is in one: it can go on only when one of
    /// these has another value.
    fn watched(&self, thread: ThreadId) -> Option<&[ReadValue]>;

    /// Whether a thread would read the same value again.
    fn is_current(&self, thread: ThreadId, read: &ReadValue) -> bool;

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
    fn stores_in_order(&self) -> bool {
        true
    }

    /// Tells the stores of a thread that can reach memory now.
    fn ready_stores(&self, thread: ThreadId, tell: &mut dyn FnMut(Agent));

    /// The objects (start, size) that the last step made reachable for other threads.
    fn take_published(&mut self) -> Vec<(u64, u64)>;

    /// The threads that the last step let go: those a signal has chosen, or that waited at a barrier.
    fn take_woken(&mut self) -> Vec<ThreadId>;

    /// The race that the last step was part of.
    fn take_race(&mut self) -> Option<RaceFound> {
        None
    }

    /// Where what an event has read comes from, if the order of events does not tell it: under models of execution
    /// graphs. `None` for events that read nothing.
    fn reads_from(&self, _: usize) -> Option<ReadsFrom> {
        None
    }

    /// The event whose write comes right after that of another in modification order, although it was performed
    /// earlier: under models of execution graphs.
    fn overwritten_by(&self, _: usize) -> Option<usize> {
        None
    }
}
