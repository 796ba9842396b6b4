//! Who touched what: for each granule of memory the accesses to it, the latest last.

use super::{NONE, PartialOrder, Race};
use crate::core::dependence::{Access, Mode, conflict};
use crate::steps::dpor::branch::Certainty;
use rustc_hash::FxHashMap;
use selvedge_trace::sync;

/// An access in the history of a granule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past {
    pub unit: u32,
    /// The latest entry up to this one that is no `Read`, plus 1.
    pub change: u32,
    pub before: u64,
    pub mask: u8,
    pub mode: Mode,
    pub delta: i8,
    pub known: bool,
}

impl Past {
    /// Whether it may leave another value there.
    pub fn writes(&self) -> bool {
        matches!(self.mode, Mode::Write | Mode::Update(_))
    }

    /// Whether its order with an access to common bytes matters.
    #[inline]
    pub fn conflicts(&self, access: &Access) -> bool {
        conflict((self.mode, self.mask), (access.mode, access.mask))
    }
}

/// The histories of all granules.
#[derive(Debug, Default)]
pub(super) struct Histories {
    /// The number of each granule.
    pub slots: FxHashMap<u64, u32>,
    pub all: Vec<Vec<Past>>,
    /// The numbers of the granules that the present operation touches.
    pub touching: Vec<u32>,
    /// Histories that a unit has changed, and the unit that its last entry stood for if it was replaced.
    pub touched: Vec<(u32, u32)>,
}

impl PartialOrder {
    pub(super) fn history(&self, granule: u64) -> &[Past] {
        self.histories.slots.get(&granule).map_or(&[], |slot| &self.histories.all[*slot as usize])
    }

    /// Finds the histories of all that an operation touches.
    pub(super) fn find_slots(&mut self, accesses: &[Access]) {
        self.histories.touching.clear();
        for access in accesses {
            let next = self.histories.all.len() as u32;
            let slot = *self.histories.slots.entry(access.granule).or_insert(next);
            if slot == next {
                self.histories.all.push(Vec::new());
            }
            self.histories.touching.push(slot);
        }
    }

    pub(super) fn remember(&mut self, unit: u32, access: &Access, slot: u32) {
        let history = &mut self.histories.all[slot as usize];
        let length = history.len() as u32;
        let mut change = length + 1;
        if access.mode == Mode::Read {
            change = history.last().map_or(0, |last| last.change);
            // A thread that reads again and again leaves one entry.
            if let Some(last) = history.last_mut()
                && last.mode == Mode::Read
                && last.mask == access.mask
                && self.units[last.unit as usize].agent == self.units[unit as usize].agent
            {
                self.histories.touched.push((slot, last.unit));
                last.unit = unit;
                return;
            }
        }
        history.push(Past {
            unit,
            change,
            before: access.before,
            mask: access.mask,
            mode: access.mode,
            delta: if access.watched { 0 } else { access.delta },
            known: access.known,
        });
        self.histories.touched.push((slot, NONE));
    }

    /// The units between an update of some bytes and a later unit that have updated them as well and did not happen after the update:
    /// they commute with it.
    pub fn updates_beside(
        &self,
        (granule, mask): (u64, u8),
        update: u32,
        later: u32,
    ) -> impl Iterator<Item = u32> {
        let between =
            self.history(granule).iter().filter(move |past| (update + 1..later).contains(&past.unit));
        let updates = between
            .filter(move |past| past.mask & mask != 0 && matches!(past.mode, Mode::Update(_)))
            .map(|past| past.unit);
        updates.filter(move |unit| !self.is_before(update, *unit))
    }

    /// How many threads have yet to arrive at a barrier before a position, given an arrival there; `None` if that is not
    /// known.
    pub fn remaining_at(&self, arrival: &Access, position: usize) -> Option<u32> {
        let mut history = self.history(arrival.granule).iter().rev();
        let last = history.find(|past| (past.unit as usize) < position && past.mode != Mode::Read);
        let Some(last) = last else { return Some(sync::arrivals_needed(arrival.before)) };
        let left = sync::arrivals_left(last.before)?;
        match last.mode {
            Mode::Arrive => left.checked_sub(1),
            // The last one of a round.
            Mode::Write if left == 1 => Some(sync::arrivals_needed(last.before)),
            _ => None,
        }
    }

    /// Adds the units that an access immediately depends on.
    pub(super) fn conflicts(&self, access: &Access, slot: u32, found: &mut Vec<Race>) {
        if access.own {
            return;
        }
        let history = &self.histories.all[slot as usize];
        let mut missing = access.mask;
        let mut at = history.len();
        loop {
            // A read has nothing to do with other reads.
            if access.mode == Mode::Read {
                let Some(last) = at.checked_sub(1) else { return };
                at = history[last].change as usize;
            }
            let Some(index) = at.checked_sub(1) else { return };
            let past = &history[index];
            at = index;
            if past.mask & missing != 0 && past.conflicts(access) {
                if !self.stores.is_empty() {
                    let agent = self.agent(past.unit);
                    let own = agent.thread().number() == usize::from(access.owner);
                    if own && !agent.is_thread() && access.mode == Mode::Read {
                        // It makes no difference whether the own store has arrived.
                        missing &= !past.mask;
                        if missing == 0 {
                            return;
                        }
                        continue;
                    }
                    self.readers_in_buffer(agent, access, past.mask & missing, found);
                }
                found.push(Race { first: past.unit, also: NONE, certainty: Certainty::Certain });
                if past.mode == Mode::Write {
                    missing &= !past.mask;
                    if missing == 0 {
                        return;
                    }
                }
            }
        }
    }
}
