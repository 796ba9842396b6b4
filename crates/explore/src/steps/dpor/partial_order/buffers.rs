//! Store buffers: which stores were put into them, when they reached memory, and who has read them before.

use super::{Buffering, NONE, PartialOrder, Race};
use crate::core::dependence::{Access, Mode};
use crate::steps::dpor::branch::Certainty;
use selvedge_trace::{Agent, ThreadId};

/// A store that was put into a buffer.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// The unit that did that.
    pub issue: u32,
    /// The unit in which it reached memory, or [`NONE`].
    arrival: u32,
    pub epoch: u32,
    /// Who has read it in the buffer: unit, granule and bytes.
    readers: Vec<(u32, u64, u8)>,
}

impl PartialOrder {
    /// The component of a lane of a thread's buffer.
    pub(super) fn lane(&mut self, thread: ThreadId, lane: u64) -> usize {
        let number = thread.number();
        if self.lanes.len() <= number {
            self.lanes.resize(number + 1, Vec::new());
        }
        let known = self.lanes[number].iter().find(|(other, _)| *other == lane);
        let component = match known {
            Some((_, component)) => *component,
            None => {
                let component = self.new_component(thread);
                self.lanes[number].push((lane, component));
                component
            }
        };
        usize::from(component)
    }

    /// The components of the lanes of a thread's buffer.
    pub(super) fn lanes_of(&self, thread: ThreadId) -> impl Iterator<Item = usize> + '_ {
        self.lanes.get(thread.number()).into_iter().flatten().map(|(_, component)| usize::from(*component))
    }

    /// A buffered store.
    pub(super) fn stored(&self, agent: Agent) -> Option<&Stored> {
        let number = agent.number()? as usize;
        self.stores.get(agent.thread().number())?.get(number - 1)
    }

    /// Whether a store had to wait for the arrival of another one of its thread.
    pub(super) fn cannot_overtake(&self, agent: Agent, epoch: u32, arrival: u32) -> bool {
        let other = self.agent(arrival);
        let (Some(mine), Some(theirs)) = (agent.number(), other.number()) else { return false };
        let older = self.stored(other).is_some_and(|stored| stored.epoch < epoch);
        let same_lane = || {
            let (Some(this), lane) = (self.stored(agent), self.units[arrival as usize].component) else {
                return false;
            };
            match this.arrival {
                NONE => false,
                own => self.units[own as usize].component == lane,
            }
        };
        theirs < mine && (older || same_lane())
    }

    /// Puts into `scratch` what happened before a store reaches memory, dependence aside.
    pub(super) fn base_of_arrival(&mut self, agent: Agent, component: usize, epoch: u32) {
        self.begin_with(self.stored(agent).map_or(NONE, |stored| stored.issue));
        let lanes = self.lanes.get(agent.thread().number()).map_or(0, Vec::len);
        for index in 0..lanes {
            let lane = usize::from(self.lanes[agent.thread().number()][index].1);
            let older = |arrival: u32| {
                lane == component || self.stored(self.agent(arrival)).is_some_and(|other| other.epoch < epoch)
            };
            if let Some(last) = self.own[lane].iter().rev().copied().find(|arrival| older(*arrival)) {
                self.join_clock(last);
            }
        }
    }

    /// Joins to `scratch` all that has left a thread's buffer.
    pub(super) fn join_lanes(&mut self, thread: ThreadId) {
        let lanes = self.lanes.get(thread.number()).map_or(0, Vec::len);
        for index in 0..lanes {
            let lane = usize::from(self.lanes[thread.number()][index].1);
            if let Some(last) = self.own[lane].last().copied() {
                if self.enabling_races && !self.sees(&self.scratch, last) {
                    self.races.push(Race { first: last, also: NONE, certainty: Certainty::Certain });
                }
                self.join_clock(last);
            }
        }
    }

    /// Takes note of what a new unit does to buffers.
    pub(super) fn note_stores(&mut self, at: u32, agent: Agent, buffering: Buffering) {
        let thread = agent.thread().number();
        match buffering {
            Buffering::Issues(0) | Buffering::Drains => {}
            Buffering::Issues(count) => {
                if self.stores.len() <= thread {
                    self.stores.resize_with(thread + 1, Vec::new);
                }
                let stored = || Stored { issue: at, arrival: NONE, epoch: 0, readers: Vec::new() };
                self.stores[thread].extend((0..count).map(|_| stored()));
            }
            Buffering::Arrives { epoch, .. } => {
                let number = agent.number().unwrap_or(0) as usize;
                let stores = self.stores.get_mut(thread);
                if let Some(stored) = stores.and_then(|stores| stores.get_mut(number.wrapping_sub(1))) {
                    (stored.arrival, stored.epoch) = (at, epoch);
                }
            }
        }
    }

    /// Forgets what a unit has done to buffers; its accesses are still known.
    pub(super) fn forget_stores(&mut self, at: u32, agent: Agent, access: usize) {
        let Some(stores) = self.stores.get_mut(agent.thread().number()) else { return };
        if let Some(number) = agent.number() {
            if let Some(stored) = stores.get_mut(number as usize - 1) {
                stored.arrival = NONE;
            }
            return;
        }
        for access in self.accesses[access..].iter().filter(|access| access.own) {
            if let Some(stored) = stores.get_mut((access.before as usize).wrapping_sub(1)) {
                stored.readers.pop_if(|(unit, ..)| *unit == at);
            }
        }
        while stores.last().is_some_and(|stored| stored.issue == at) {
            stores.pop();
        }
    }

    /// Adds an access; a read of bytes that the own thread has stored is marked as such.
    pub(super) fn mark_own(&self, access: &Access, into: &mut Vec<Access>) {
        if access.mode != Mode::Read || access.own || access.watched {
            return into.push(*access);
        }
        let (mut missing, mut others) = (access.mask, 0);
        for past in self.history(access.granule).iter().rev().filter(|past| past.mode != Mode::Read) {
            let mask = past.mask & missing;
            let agent = self.agent(past.unit);
            match agent.number() {
                _ if mask == 0 => continue,
                Some(number) if agent.thread().number() == usize::from(access.owner) => {
                    into.push(Access { mask, own: true, before: u64::from(number), ..*access });
                }
                _ => others |= mask,
            }
            missing &= !mask;
            if missing == 0 {
                break;
            }
        }
        if others | missing != 0 {
            into.push(Access { mask: others | missing, ..*access });
        }
    }

    /// Whether a store has reached memory before a position.
    pub fn has_arrived(&self, store: Agent, position: usize) -> bool {
        self.stored(store).is_some_and(|stored| (stored.arrival as usize) < position)
    }

    /// Takes note of a load of a store that is still buffered.
    pub(super) fn remember_reader(&mut self, unit: u32, thread: ThreadId, access: &Access) {
        let stores = self.stores.get_mut(thread.number());
        let number = (access.before as usize).wrapping_sub(1);
        if let Some(stored) = stores.and_then(|stores| stores.get_mut(number)) {
            stored.readers.push((unit, access.granule, access.mask));
        }
    }

    /// Adds the loads of a store in its thread's buffer, which happened before what overwrites the store.
    pub(super) fn readers_in_buffer(&self, store: Agent, access: &Access, mask: u8, found: &mut Vec<Race>) {
        if access.mode == Mode::Read || store.thread().number() == usize::from(access.owner) {
            return;
        }
        for (unit, granule, bytes) in self.stored(store).iter().flat_map(|stored| &stored.readers) {
            if *granule == access.granule && bytes & mask != 0 {
                found.push(Race { first: *unit, also: NONE, certainty: Certainty::Certain });
            }
        }
    }
}
