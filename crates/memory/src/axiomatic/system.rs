//! An axiomatic model as explorers see it: what [`System`] asks for.

use super::known::{SingleAccess, UNKNOWN};
use super::{Axiomatic, Axioms, Graph, Id};
use crate::awaits::LeftOut;
use crate::spin::ReadValue;
use crate::{End, Graphs, LookAhead, NoBuffers, Step, System};
use selvedge_trace::{Agent, Event, Operation, ThreadId};
use selvedge_vm::{Image, Machine};

/// A state of [`Axiomatic`].
#[derive(Debug, Clone, Copy)]
pub struct AxiomaticMark {
    pub(super) steps: u32,
    pub(super) entangled: u32,
    pub(super) exits: u32,
    pub(super) nodes: u32,
    pub(super) newest: u32,
    pub(super) trace: u32,
    pub(super) published: u32,
    pub(super) unusual: u32,
}

impl<A: Axioms> System for Axiomatic<'_, A> {
    type Mark = AxiomaticMark;
    type Buffers = NoBuffers;
    type Graphs = Self;

    const BUFFERED: bool = false;

    fn enabled(&self, into: &mut Vec<Agent>) {
        into.clear();
        let pending = |thread: &ThreadId| self.is_enabled((*thread).into());
        into.extend(self.machine.threads().filter(pending).map(Agent::from));
    }

    fn is_enabled(&self, agent: Agent) -> bool {
        // Whether it can go on depends on what it reads, which is a choice.
        self.machine.pending(agent.thread()).is_some_and(|operation| match operation {
            Operation::Join { .. } | Operation::WaitForOthers { .. } => {
                self.machine.is_enabled(agent.thread())
            }
            _ => true,
        })
    }

    fn choices(&self, _: Agent) -> u32 {
        // They depend on the graph.
        u32::MAX
    }

    fn accepts(&mut self, agent: Agent, choice: u32) -> bool {
        self.has_choice(agent.thread(), choice)
    }

    fn is_over(&mut self) -> bool {
        self.nobody_goes_on()
    }

    fn step(&mut self, agent: Agent, choice: u32) -> Step {
        if self.keeping.recalled > 0 {
            self.keeping.recalled -= 1;
            return Step::Done;
        }
        let thread = agent.thread();
        let number = self.graph.number(thread);
        self.begin_step(number);
        let step = self.take_step(thread, number, choice);
        self.end_step();
        if step != Step::Done {
            self.repeat_last_step();
        }
        step
    }

    fn halt(&mut self, thread: ThreadId) {
        self.upcoming = None;
        self.catch_up();
        self.machine.halt(thread);
        self.learn_beginning(thread, false, UNKNOWN);
    }

    fn mark(&mut self) -> AxiomaticMark {
        AxiomaticMark {
            steps: self.behind.done.len() as u32,
            entangled: self.behind.entangled,
            exits: self.behind.exits,
            nodes: self.graph.nodes().len() as u32,
            newest: self.graph.newest(),
            trace: self.trace.len() as u32,
            published: self.published.len() as u32,
            unusual: self.unusual,
        }
    }

    fn rewind(&mut self, mark: &AxiomaticMark) {
        self.upcoming = None;
        let is_kept = self.unusual == mark.unusual && self.behind.entangled == mark.entangled;
        if std::mem::take(&mut self.keeping.is_asked) && is_kept {
            self.set_aside(mark);
            return;
        }
        while self.graph.nodes().len() > mark.nodes as usize {
            self.graph.pop();
        }
        self.undefined.forget_from(self.graph.nodes().len());
        self.graph.set_newest(mark.newest);
        self.published.truncate(mark.published as usize);
        self.take_back_steps(mark.steps as usize, mark.entangled, mark.exits);
        self.trace.truncate(mark.trace as usize);
        self.unusual = mark.unusual;
    }

    fn events(&self) -> &[Event] {
        &self.trace
    }

    fn end(&self) -> End {
        if self.is_complete() {
            return End::Complete;
        }
        let is_waiting = |thread: &ThreadId| self.pending(*thread).is_some();
        let waiting: Vec<ThreadId> = self.machine.threads().filter(is_waiting).collect();
        match waiting.iter().any(|thread| self.machine().is_enabled(*thread)) {
            true => End::Livelock(waiting),
            false => End::Deadlock(waiting),
        }
    }

    fn machine(&self) -> &Machine<'_> {
        debug_assert!(self.is_up_to_date());
        &self.machine
    }

    fn image(&self) -> &Image<'_> {
        self.machine.image
    }

    fn watched(&self, thread: ThreadId) -> Option<&[ReadValue]> {
        let local = self.known_state(self.graph.known_number(thread)?)?;
        local.round.as_ref().map(|round| round.reads.as_slice())
    }

    fn look_ahead(&mut self, look_ahead: LookAhead) {
        (self.look_ahead, self.left_out) = (look_ahead, LeftOut::default());
        self.catch_up();
        self.forget();
    }

    fn has_looked_too_far(&self) -> bool {
        self.left_out.are_unsafe
    }

    fn awaited(&self, thread: ThreadId) -> Option<ReadValue> {
        if !self.may_await(thread) {
            return None;
        }
        let SingleAccess { address, size, .. } = self.known_state(self.graph.known_number(thread)?)?.access?;
        let is_there = self.machine.memory.first_inaccessible(address, u64::from(size)).is_none();
        is_there.then(|| ReadValue { address, size, value: self.machine.memory.read_scalar(address, size) })
    }

    fn is_current(&self, _: ThreadId, read: &ReadValue) -> bool {
        self.machine.memory.first_inaccessible(read.address, u64::from(read.size)).is_none()
            && self.machine.memory.read_scalar(read.address, read.size) == read.value
    }

    fn buffers(&self) -> &NoBuffers {
        &NoBuffers
    }

    fn take_published(&mut self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    fn take_woken(&mut self) -> Vec<ThreadId> {
        self.machine.take_woken()
    }

    fn graphs(&self) -> Option<&Self> {
        Some(self)
    }

    fn graphs_mut(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}

impl<A: Axioms> Graphs for Axiomatic<'_, A> {
    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn events(&self) -> &[Event] {
        &self.trace
    }

    fn published(&self) -> &[(u64, u64, Id)] {
        &self.published
    }

    fn with_exact_clocks<T>(&mut self, with: impl FnOnce(&Self) -> T) -> T {
        if !self.graph.is_interrupted() {
            return with(self);
        }
        let clocks = self.graph.use_exact_clocks();
        let result = with(self);
        self.graph.use_clocks(clocks);
        result
    }

    fn repeat_last_step(&mut self) {
        self.unusual += 1;
        self.catch_up();
    }
}
