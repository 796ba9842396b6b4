//! Vector clocks: what happened before each unit.

use super::{Drains, NONE, PartialOrder, Race};
use crate::steps::dpor::branch::Certainty;
use selvedge_trace::{Agent, ThreadId};

/// Components of clocks are added so many at a time.
pub(super) const LANE: usize = 4;

fn join(into: &mut [u32], other: &[u32]) {
    let (into, other) = (into.as_chunks_mut::<LANE>().0, other.as_chunks::<LANE>().0);
    for (mine, theirs) in into.iter_mut().zip(other) {
        for at in 0..LANE {
            mine[at] = mine[at].max(theirs[at]);
        }
    }
}

impl PartialOrder {
    /// The component of a thread.
    pub(super) fn component(&mut self, thread: ThreadId) -> usize {
        let number = thread.number();
        if self.dense.len() <= number {
            self.dense.resize(number + 1, u16::MAX);
        }
        if self.dense[number] == u16::MAX {
            self.dense[number] = self.new_component(thread);
        }
        usize::from(self.dense[number])
    }

    pub(super) fn new_component(&mut self, thread: ThreadId) -> u16 {
        let component = self.threads.len() as u16;
        self.threads.push(thread);
        self.own.push(Vec::new());
        self.creators.push(NONE);
        if self.threads.len() > self.stride {
            self.widen();
        }
        component
    }

    /// Makes room for more threads in all clocks.
    fn widen(&mut self) {
        let stride = (2 * self.stride).max(LANE);
        let mut clocks = vec![0; self.units.len() * stride];
        for (at, clock) in clocks.chunks_exact_mut(stride).enumerate() {
            clock[..self.stride].copy_from_slice(&self.clocks[at * self.stride..][..self.stride]);
        }
        self.clocks = clocks;
        self.stride = stride;
        self.scratch.resize(stride, 0);
        self.lists.race_clock.resize(stride, 0);
    }

    fn known_component(&self, thread: ThreadId) -> Option<usize> {
        self.dense.get(thread.number()).filter(|at| **at != u16::MAX).map(|at| usize::from(*at))
    }

    /// What happened before a unit, itself included.
    pub(super) fn clock(&self, unit: u32) -> &[u32] {
        &self.clocks[unit as usize * self.stride..][..self.stride]
    }

    pub(super) fn sees(&self, clock: &[u32], unit: u32) -> bool {
        let unit = &self.units[unit as usize];
        clock[usize::from(unit.component)] >= unit.number
    }

    /// Whether a unit happened before another, or is it.
    #[inline]
    pub fn is_before(&self, unit: u32, other: u32) -> bool {
        self.sees(self.clock(other), unit)
    }

    /// What tells which units happened before which: a unit's component of the clocks, its number there, and its clock.
    /// It happened before another one, or is it, if that one's clock has at least its number in its component.
    pub fn moment(&self, unit: u32) -> (u16, u32, &[u32]) {
        let own = &self.units[unit as usize];
        (own.component, own.number, &self.clock(unit)[..self.threads.len()])
    }

    /// Whether a unit happened before what an agent did at a position, by its own past, its creation or its buffer.
    /// `drains`: that waits until the buffer is empty.
    pub fn is_in_base(&self, unit: u32, agent: Agent, drains: Drains, position: u32) -> bool {
        self.base_of(agent, drains, position).any(|other| self.is_before(unit, other))
    }

    /// The units that what an agent did at a position comes immediately after, by its own past, its creation or its
    /// buffer. `drains`: that waits until the buffer is empty.
    pub fn base_of(&self, agent: Agent, drains: Drains, position: u32) -> impl Iterator<Item = u32> {
        let stored = self.stored(agent);
        let last = match (stored, self.known_component(agent.thread())) {
            (Some(stored), _) => stored.issue,
            (None, None) => NONE,
            (None, Some(component)) => {
                let own = &self.own[component];
                match own.partition_point(|unit| *unit < position) {
                    0 => self.creators[component],
                    count => own[count - 1],
                }
            }
        };
        let waits = move |arrival: u32| match stored {
            Some(stored) => self.cannot_overtake(agent, stored.epoch, arrival),
            None => drains == Drains::Yes,
        };
        let arrivals =
            self.lanes_of(agent.thread()).filter_map(move |lane| self.last_of(lane, position, waits));
        std::iter::once(last).filter(|last| *last != NONE).chain(arrivals)
    }

    /// The last unit of a component before a position that fits.
    fn last_of(&self, component: usize, position: u32, fits: impl Fn(u32) -> bool) -> Option<u32> {
        let own = &self.own[component];
        let before = &own[..own.partition_point(|unit| *unit < position)];
        before.iter().rev().copied().find(|unit| fits(*unit))
    }

    /// Puts into `scratch` what a unit has seen; nothing, if there is none.
    pub(super) fn begin_with(&mut self, unit: u32) {
        match unit {
            NONE => self.scratch.fill(0),
            unit => {
                let clock = &self.clocks[unit as usize * self.stride..][..self.stride];
                let (to, from) = (self.scratch.as_chunks_mut::<LANE>().0, clock.as_chunks::<LANE>().0);
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }

    /// Joins to `scratch` what a unit has seen.
    pub(super) fn join_clock(&mut self, unit: u32) {
        join(&mut self.scratch, &self.clocks[unit as usize * self.stride..][..self.stride]);
    }

    /// Puts into `scratch` what happened before the next unit of a thread, dependence aside.
    pub(super) fn base(&mut self, component: usize) {
        self.begin_with(self.own[component].last().copied().unwrap_or(self.creators[component]));
    }

    pub(super) fn join_last(&mut self, component: usize) {
        let Some(last) = self.own[component].last().copied() else { return };
        if self.enabling_races && self.agent(last).is_thread() && !self.sees(&self.scratch, last) {
            self.races.push(Race { first: last, also: NONE, certainty: Certainty::Certain });
        }
        self.join_clock(last);
    }
}

/// An interleaving of the execution that is made unit by unit: which units can come next.
impl PartialOrder {
    /// The units of each thread that has any, by component of the clocks.
    pub fn by_thread(&self) -> &[Vec<u32>] {
        &self.own
    }

    /// Whether a unit is among the first `done` of each thread.
    pub fn is_done(&self, unit: u32, done: &[u32]) -> bool {
        let unit = &self.units[unit as usize];
        unit.number <= done[usize::from(unit.component)]
    }

    /// Whether all that happened before the next unit of a thread is among the first `done` of each thread.
    pub fn is_ready(&self, unit: u32, done: &[u32]) -> bool {
        let own = usize::from(self.units[unit as usize].component);
        let clock = self.clock(unit).iter().zip(done).enumerate();
        clock.fold(true, |ready, (thread, (seen, done))| ready & (seen <= done || thread == own))
    }

    /// Whether the thread of a unit has been created by the first `done` of each thread.
    pub fn is_created(&self, unit: u32, done: &[u32]) -> bool {
        let creator = match self.stored(self.units[unit as usize].agent) {
            Some(stored) => stored.issue,
            None => self.creators[usize::from(self.units[unit as usize].component)],
        };
        creator == NONE || self.is_done(creator, done)
    }
}
