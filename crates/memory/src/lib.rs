//! Memory models as explorers see them: systems of agents that take steps, and can be taken back.
//!
//! An operational model is a [`System`]: it says which agents can take a step, performs the step of one of
//! them, and can return to a marked state. Under sequential consistency ([`Sequential`]) the agents are the
//! threads; with store buffers ([`Buffered`]: TSO and PSO) also the stores that are on their way to memory. Explorers
//! are written against the trait, once, and are statically dispatched.
//!
//! *Invariant:* a system decides nothing. It knows neither explorers nor properties.
//!
//! * `models`: the models by name, and what each says of itself.
//! * `operational`: the operational models; `buffer`: their store buffers.
//! * `spin`: waiting loops: when a thread has come round without an effect, and what it waits for.
//! * [`axiomatic`]: a machine with an execution graph that answers its reads, and the models as axioms on such graphs.

mod awaits;
pub mod axiomatic;
mod buffer;
mod capability;
mod commuting;
mod models;
mod operational;
mod spin;

pub use buffer::Discipline;
pub use capability::{Graphs, NoBuffers, Nothing, ReadsFrom, StoreBuffers};
pub use models::{About as AboutModel, Model};
pub use operational::{Buffered, Operational, OperationalMark, Sequential};
pub use spin::ReadValue;

use selvedge_program::{Site, SpanId};
use selvedge_trace::{Agent, Event, Operation, ThreadId};
use selvedge_vm::{FaultKind, Image, Machine, Stop};

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
    /// The thread has come to a bound: it never goes on.
    Bounded(Bound),
}

impl From<Stop> for Step {
    /// What a stop means for the thread that has come to it.
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Visible | Stop::Finished | Stop::Exited => Step::Done,
            Stop::Discarded => Step::Discarded,
            Stop::Allowed { kind, span } => Step::Bounded(Bound::Allowed { kind, span }),
            stop => Step::Stopped(stop),
        }
    }
}

/// How far threads may go. These are bounds of each thread, whatever the others do, so that executions that differ only
/// in the order of independent steps are cut at the same places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How often a thread may perform the same operation in the same call; `None`: without bound.
    pub unroll: Option<u32>,
    /// How many operations a thread may perform; `None`: without bound.
    pub steps: Option<u64>,
}

impl Bounds {
    /// The bound that a thread which is before its next operation has come to.
    fn reached(&self, machine: &mut Machine<'_>, thread: ThreadId) -> Option<Bound> {
        if let Some(most) = self.steps
            && machine.thread(thread).is_some_and(|state| u64::from(state.position.events) >= most)
        {
            return Some(Bound::Steps(most));
        }
        let exceeds = self.unroll.is_some_and(|most| machine.note_visit(thread) > most);
        exceeds.then(|| Bound::Unroll(machine.place(thread)))
    }
}

/// A bound that a thread has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A loop was bounded, at this place.
    Unroll(SpanId),
    /// It has performed so many operations.
    Steps(u64),
    /// It did something wrong that is allowed, and has no defined way to go on.
    Allowed {
        /// What.
        kind: FaultKind,
        /// Where.
        span: SpanId,
    },
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
    pub site: Site,
    /// Which of its thread's buffered stores it is, from 1.
    pub number: u32,
    /// Stores of earlier epochs reach memory first.
    pub epoch: u32,
}

/// Which writes continue a release sequence. Whoever reads one of its writes, and acquires, gets what its first one has
/// released. (A relaxed store after a release fence begins one in the same way.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReleaseSequences {
    /// Later stores of the same thread and read-modify-writes of any thread, up to the first store of another thread: C11, C17
    /// and C++ before 2020.
    C11,
    /// Read-modify-writes only: C++20 and C23.
    #[default]
    C20,
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

/// Whether threads that wait in a loop of one atomic access are blocked before it, or go round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LookAhead {
    /// They are blocked.
    On,
    /// They go round.
    #[default]
    Off,
}

/// A memory model with a program in it.
pub trait System {
    /// A state to return to.
    type Mark;

    /// What tells of store buffers; [`NoBuffers`], if there are none.
    type Buffers: StoreBuffers;

    /// What tells of execution graphs; [`Nothing`], if executions are none.
    type Graphs: Graphs;

    /// Whether there are store buffers.
    const BUFFERED: bool;

    /// The agents that can take a step, in a fixed order.
    fn enabled(&self, into: &mut Vec<Agent>);

    /// Whether an agent can take a step.
    fn is_enabled(&self, agent: Agent) -> bool;

    /// How many alternatives the next step of an agent has; at least 1.
    fn choices(&self, agent: Agent) -> u32;

    /// Whether an agent that is enabled has an alternative.
    fn accepts(&mut self, agent: Agent, choice: u32) -> bool {
        choice < self.choices(agent)
    }

    /// Whether the execution is over: no agent can take a step that leads anywhere.
    fn is_over(&mut self) -> bool {
        let mut enabled = Vec::new();
        self.enabled(&mut enabled);
        enabled.is_empty()
    }

    /// Takes a step of an agent that is enabled.
    fn step(&mut self, agent: Agent, choice: u32) -> Step;

    /// Stops a thread for good.
    fn halt(&mut self, thread: ThreadId);

    /// Completes a thread's next read with another value than it would read, and runs the thread on by itself; returns why it
    /// stopped, if the model can do that. Afterwards only the thread's own state is right, so this is to be rewound.
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

    /// The program's code. (The machine itself may be behind the execution while graphs grow.)
    fn image(&self) -> &Image<'_> {
        self.machine().image
    }

    /// What a thread read on its way round a waiting loop, if it is in one: it can go on only when one of
    /// these has another value.
    fn watched(&self, thread: ThreadId) -> Option<&[ReadValue]>;

    /// Says whether threads that go round a loop of one atomic access in vain are blocked before it, so that this is no part of
    /// executions; see `awaits.rs`. After a change, only states that are marked later can be returned to, and the first one.
    fn look_ahead(&mut self, _: LookAhead) {}

    /// Lets updates commute whose order makes no difference; see `commuting.rs`.
    fn let_updates_commute(&mut self) {}

    /// Whether an operation is an update whose order with others of its kind makes no difference.
    fn commutes(&self, _: &Operation) -> bool {
        false
    }

    /// A granule whose updates commute but must not, because somebody waits for the location: what was explored does not count.
    fn update_to_order(&self) -> Option<u64> {
        None
    }

    /// Orders the updates of a granule from now on.
    fn order_updates(&mut self, _: u64) {}

    /// Whether rounds that were left out by looking ahead may have been part of a race.
    fn has_looked_too_far(&self) -> bool {
        false
    }

    /// The location of which a thread that looks ahead awaits a value, or may, and what it would read there now.
    fn awaited(&self, _: ThreadId) -> Option<ReadValue> {
        None
    }

    /// Whether a thread that awaits a value would be where it is again if it read this one.
    fn is_fruitless(&mut self, _: ThreadId, _: u128) -> bool {
        false
    }

    /// How many operations a thread had performed when it was last in the state in which it is now, if what it did since then
    /// is a round of a waiting loop unless one of its stores has changed something. Whether one has depends on what others
    /// have stored; the rest follows from the results that the thread has got.
    fn repeats_from(&self, _: ThreadId) -> Option<u32> {
        None
    }

    /// Whether a thread would read the same value again.
    fn is_current(&self, thread: ThreadId, read: &ReadValue) -> bool;

    /// The objects (start, size) that the last step made reachable for other threads.
    fn take_published(&mut self) -> Vec<(u64, u64)>;

    /// The threads that the last step let go: those a signal has chosen, or that waited at a barrier.
    fn take_woken(&mut self) -> Vec<ThreadId>;

    /// What there is to tell of store buffers.
    fn buffers(&self) -> &Self::Buffers;

    /// What there is to tell of the execution graph, if executions are graphs.
    fn graphs(&self) -> Option<&Self::Graphs> {
        None
    }

    /// The same, to be changed.
    fn graphs_mut(&mut self) -> Option<&mut Self::Graphs> {
        None
    }
}
