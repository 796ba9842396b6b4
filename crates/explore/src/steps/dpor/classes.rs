//! The order of dependent operations of an execution, as a number: which Mazurkiewicz class it is in.
//!
//! Written for obviousness: it compares every pair of operations, so that what [`super::partial_order`] finds by looking
//! at a few lists can be checked against it. With store buffers, see there for what comes after what.
//!
//! Atomic sections need no rule of their own: nobody comes in between, so the order of all their operations with those of others
//! follows from that of any two that depend on each other. One that has to wait in its middle lets others in there, or need not
//! wait; if all operations that depend on each other come in the same order, these are the same execution.

use crate::Session;
use crate::core::dependence::{self, Access, Mode};
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::{Agent, Event, Operation, ThreadId};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// One operation.
struct Step {
    agent: Agent,
    accesses: Vec<Access>,
    /// The stores that it puts into its thread's buffer: the first, and how many.
    issues: (u32, u32),
    /// Whether it waits for the empty buffer.
    drains: bool,
    /// If it is a store that reaches memory: its lane and epoch.
    arrives: Option<(u64, u32)>,
    creates: Option<ThreadId>,
    joins: Option<ThreadId>,
    joins_all: bool,
    choice: u32,
}

impl Step {
    fn thread(&self) -> ThreadId {
        self.agent.thread()
    }

    /// Whether it comes after an earlier step because of its thread or buffer.
    fn comes_after_of_itself(&self, earlier: &Step) -> bool {
        let same = self.thread() == earlier.thread();
        match (self.arrives, earlier.arrives) {
            (None, None) => {
                same || earlier.creates == Some(self.thread())
                    || self.joins == Some(earlier.thread())
                    || self.joins_all
            }
            (None, Some(_)) => same && self.drains || self.joins == Some(earlier.thread()) || self.joins_all,
            (Some(_), None) => {
                let (first, count) = earlier.issues;
                let number = self.agent.number().unwrap_or(0);
                same && (first..first + count).contains(&number)
            }
            (Some((lane, epoch)), Some((other_lane, other_epoch))) => {
                let overlap = |a: &Access| {
                    earlier.accesses.iter().any(|b| a.granule == b.granule && a.mask & b.mask != 0)
                };
                same && (lane == other_lane || other_epoch < epoch || self.accesses.iter().any(overlap))
            }
        }
    }
}

/// Whether the step at a position comes after an earlier one because of what they touch.
fn depends(steps: &[Step], later: usize, earlier: usize) -> bool {
    let (second, first) = (&steps[later], &steps[earlier]);
    let arrives = |store: u64| {
        let agent = Agent::store(first.thread(), store as u32);
        steps[..later].iter().any(|step| Some(step.agent) == agent)
    };
    first.accesses.iter().any(|a| {
        second.accesses.iter().filter(|b| a.conflicts(b)).any(|b| match (a.own, b.own) {
            (_, true) => false,
            // A load of a store that is still in the buffer comes before what overwrites it after its arrival.
            (true, false) => arrives(a.before),
            (false, false) if b.mode == Mode::Read => {
                // What the own thread has stored since then hides it.
                let own = steps[earlier + 1..later]
                    .iter()
                    .filter(|step| step.arrives.is_some() && step.thread() == second.thread());
                let stores = own.flat_map(|step| &step.accesses).filter(|own| own.granule == b.granule);
                a.mask & b.mask & !stores.fold(0, |bytes, own| bytes | own.mask) != 0
            }
            (false, false) => true,
        })
    })
}

/// The steps of the present execution; grows and shrinks with it.
#[derive(Default)]
pub struct Recorder {
    steps: Vec<Step>,
    waiting: Vec<Access>,
    /// How many stores the thread of the next step has buffered.
    issued: u32,
}

/// A state of a recorder.
#[derive(Debug, Clone, Copy)]
pub struct RecorderMark {
    steps: usize,
}

impl Recorder {
    /// A state to return to.
    pub fn mark(&self) -> RecorderMark {
        RecorderMark { steps: self.steps.len() }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: RecorderMark) {
        self.steps.truncate(mark.steps);
    }

    /// To be called before a step.
    pub fn before<S: System>(&mut self, session: &Session<'_, S>, agent: Agent) {
        self.waiting.clear();
        self.issued = session.system.buffers().issued(agent.thread());
        dependence::of_waiting(&session.system, agent, &mut self.waiting);
    }

    /// To be called after it.
    pub fn after<S: System>(&mut self, session: &Session<'_, S>) {
        let Some(event) = session.system.events().last() else { return };
        let mut accesses = std::mem::take(&mut self.waiting);
        dependence::of_event(&session.system, event, session.woken(), &mut accesses);
        let (creates, joins, joins_all) = family(event);
        let choice = event.choice;
        let thread = event.thread;
        let issues = (self.issued + 1, session.system.buffers().issued(thread) - self.issued);
        let (agent, arrives) = match event.operation {
            Operation::Flush { store, lane, epoch, .. } => {
                (Agent::store(thread, store).unwrap_or(thread.into()), Some((lane, epoch)))
            }
            _ => (thread.into(), None),
        };
        let drains = event.drained;
        self.steps.push(Step { agent, accesses, issues, drains, arrives, creates, joins, joins_all, choice });
    }

    /// The class of the present execution.
    pub fn class(&self) -> u64 {
        let mut numbers: BTreeMap<Agent, u32> = BTreeMap::new();
        let mut pasts: Vec<BTreeMap<Agent, u32>> = Vec::new();
        let mut class = 0_u64;
        let steps = &self.steps;
        for (at, step) in steps.iter().enumerate() {
            let number = numbers.entry(step.agent).or_default();
            *number += 1;
            let mut past = BTreeMap::from([(step.agent, *number)]);
            for (before, (earlier, theirs)) in steps[..at].iter().zip(&pasts).enumerate() {
                if step.comes_after_of_itself(earlier) || depends(steps, at, before) {
                    for (thread, seen) in theirs {
                        let mine = past.entry(*thread).or_default();
                        *mine = (*mine).max(*seen);
                    }
                }
            }
            // A good one: sums of simpler hashes are the same for different classes now and then.
            let mut hasher = DefaultHasher::new();
            (step.agent, *number, step.choice, &past).hash(&mut hasher);
            // The sum does not depend on the order in which steps are looked at.
            class = class.wrapping_add(hasher.finish());
            pasts.push(past);
        }
        class
    }
}

fn family(event: &Event) -> (Option<ThreadId>, Option<ThreadId>, bool) {
    match event.operation {
        Operation::Spawn { .. } => {
            let number = event.read.and_then(|handle| (handle as usize).checked_sub(1));
            (number.and_then(ThreadId::from_number), None, false)
        }
        Operation::Join { thread } => (None, thread, false),
        Operation::WaitForOthers { .. } => (None, None, true),
        _ => (None, None, false),
    }
}
