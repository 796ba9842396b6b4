//! Races: units that depend on each other and could come in the other order.

use super::{Awaits, NONE, PartialOrder, Prospect};
use crate::core::dependence::{Access, Blocking, Mode};
use crate::steps::dpor::branch::Certainty;
use selvedge_trace::Agent;
use selvedge_trace::sync::{self, Condition, Passage};

/// Two units that can change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    /// The earlier one.
    pub first: u32,
    /// Another unit that has to be taken out for that, or [`NONE`].
    pub also: u32,
    /// Whether it is certain that the later one is possible before the earlier one.
    pub certainty: Certainty,
}

/// What becomes of units that an operation comes after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recorded {
    /// They race with it.
    AsRaces,
    /// They only come before it: they made it possible.
    AsOrder,
}

impl PartialOrder {
    /// Joins to `scratch` what the operation depends on, and adds its races.
    pub(super) fn relate(&mut self, next: &Prospect<'_>) {
        let mut found = std::mem::take(&mut self.lists.found);
        self.find_slots(next.accesses);
        let blocks = next.blocking != Blocking::No || next.waits || next.awaits.is_some();
        if blocks {
            for (access, slot) in next.accesses.iter().zip(&self.histories.touching) {
                self.reversible(&self.scratch, next, access, *slot, &mut found);
            }
            if !found.is_empty() {
                self.lists.race_clock.copy_from_slice(&self.scratch);
                self.add_races(next.agent, &mut found, Recorded::AsRaces);
                std::mem::swap(&mut self.scratch, &mut self.lists.race_clock);
            }
        }
        for (access, slot) in next.accesses.iter().zip(&self.histories.touching) {
            self.conflicts(access, *slot, &mut found);
        }
        if !found.is_empty() {
            let recorded = match blocks && !self.enabling_races {
                true => Recorded::AsOrder,
                false => Recorded::AsRaces,
            };
            self.add_races(next.agent, &mut found, recorded);
        }
        self.lists.found = found;
    }

    /// Joins what was found to `scratch`, latest first, and takes note of what is not ordered already. Stores of the
    /// same thread cannot change places. Nothing is left of what was found.
    fn add_races(&mut self, agent: Agent, found: &mut Vec<Race>, recorded: Recorded) {
        if found.len() > 1 {
            found.sort_unstable_by_key(|race| std::cmp::Reverse(race.first));
        }
        for race in found.drain(..) {
            if !self.sees(&self.scratch, race.first) {
                self.join_clock(race.first);
                if recorded == Recorded::AsRaces && self.agent(race.first).thread() != agent.thread() {
                    self.races.push(race);
                }
            }
        }
    }

    /// Adds the latest units that an access of an operation that may have to wait can change places with.
    fn reversible(
        &self,
        base: &[u32],
        next: &Prospect<'_>,
        access: &Access,
        slot: u32,
        found: &mut Vec<Race>,
    ) {
        if access.own {
            return;
        }
        let history = &self.histories.all[slot as usize];
        let (mut missing, mut at) = (access.mask, history.len());
        loop {
            // A read has nothing to do with other reads.
            if access.mode == Mode::Read {
                let Some(last) = at.checked_sub(1) else { return };
                at = history[last].change as usize;
            }
            let Some(index) = at.checked_sub(1) else { return };
            let past = &history[index];
            at = index;
            if past.mask & missing == 0 || !past.conflicts(access) {
                continue;
            }
            let other = self.agent(past.unit);
            if !self.stores.is_empty() {
                let first = found.len();
                self.readers_in_buffer(other, access, past.mask & missing, found);
                for reader in found.split_off(first) {
                    let seen = self.sees(base, reader.first);
                    found.extend(if seen { None } else { self.without(reader.first, next) });
                }
            }
            let own = !other.is_thread() && other.thread() == next.agent.thread();
            let seen = self.sees(base, past.unit);
            let race = match seen {
                true => None,
                // It makes no difference whether the own store has arrived: it hides what was there before.
                false if own && access.mode == Mode::Read && next.awaits.is_some() => {
                    missing &= !past.mask;
                    if missing == 0 {
                        return;
                    }
                    continue;
                }
                false => self.without(past.unit, next),
            };
            found.extend(race);
            if past.mode == Mode::Write && (race.is_some() || seen) {
                missing &= !past.mask;
                if missing == 0 {
                    return;
                }
            }
        }
    }

    /// The race of a unit and an operation that may have to wait, if that is possible without the unit and all
    /// that happened after it.
    fn without(&self, first: u32, next: &Prospect<'_>) -> Option<Race> {
        let race = Race { first, also: NONE, certainty: Certainty::Certain };
        match next.blocking {
            Blocking::No => {}
            Blocking::UntilWoken => return None,
            Blocking::Until(Condition::BothZero) => {
                if self.passage_without(race, Condition::BothZero, next) == Passage::Open {
                    return Some(race);
                }
                // Without another reader, too, which came later?
                let readers =
                    self.history(next.object & !7).iter().rev().take_while(|past| past.unit > first);
                let mut more = readers
                    .filter(|past| past.mode == Mode::Share && past.delta > 0)
                    .map(|past| Race { also: past.unit, ..race });
                return more
                    .find(|race| self.passage_without(*race, Condition::BothZero, next) == Passage::Open);
            }
            Blocking::Until(condition) => match self.passage_without(race, condition, next) {
                Passage::Open => {}
                Passage::Closed => return None,
                Passage::Unclear => return Some(Race { certainty: Certainty::Uncertain, ..race }),
            },
        }
        let awaited = match &next.awaits {
            None => race,
            Some(awaits) => self.sees_awaited(race, next.agent, awaits)?,
        };
        let changed = match next.waits {
            false => race,
            true => self.sees_change(race, next)?,
        };
        Some(if awaited.certainty == Certainty::Certain { changed } else { awaited })
    }

    /// Whether an operation that waits for a condition goes through without what is taken out.
    fn passage_without(&self, race: Race, condition: Condition, next: &Prospect<'_>) -> Passage {
        let (granule, shift) = (next.object & !7, 8 * (next.object & 7));
        let (state, taken_out) = self.state_without(granule, race, next.state);
        let (first, second) = ((state >> shift) as u32, (shift == 0).then_some((state >> 32) as u32));
        sync::passage(condition, first, second, taken_out)
    }

    /// Adds those of some units that stay when a race is reversed, without the later one.
    pub fn add_kept(&self, units: std::ops::Range<u32>, race: Race, later: u32, into: &mut Vec<u32>) {
        let first = &self.units[race.first as usize];
        let (component, number) = (usize::from(first.component), first.number);
        for unit in units {
            let is_after = self.clocks[unit as usize * self.stride + component] >= number;
            if !is_after && unit != later && (race.also == NONE || !self.is_before(race.also, unit)) {
                into.push(unit);
            }
        }
    }

    /// Whether a unit is taken out when a race is reversed: it happened after the first one.
    #[inline]
    pub fn is_taken_out(&self, unit: u32, race: Race) -> bool {
        self.is_before(race.first, unit) || (race.also != NONE && self.is_before(race.also, unit))
    }

    /// The state of an object without what is taken out: what it was before the first write that is, and by how
    /// much the other accesses that are had changed its count by then.
    fn state_without(&self, granule: u64, race: Race, now: u64) -> (u64, i64) {
        let (mut state, mut count) = (now, 0);
        let later = self.history(granule).iter().rev().take_while(|past| past.unit >= race.first);
        for past in later.filter(|past| self.is_taken_out(past.unit, race)) {
            match past.mode {
                Mode::Write | Mode::Update(_) => (state, count) = (past.before, 0),
                _ => count += i64::from(past.delta),
            }
        }
        (state, count)
    }

    /// Tells the values that a location would have without what an agent has not seen, from one unit on, the latest first, until one of them
    /// is enough. False: one of them is not known.
    pub fn values_without(
        &mut self,
        agent: Agent,
        (granule, mask, now): (u64, u8, u64),
        mut is_enough: impl FnMut(u32, u64) -> bool,
    ) -> bool {
        let component = self.component(agent.thread());
        self.base(component);
        let mut value = now;
        for past in self.history(granule).iter().rev() {
            let bytes = past.mask & mask;
            if !past.writes() || bytes == 0 {
                continue;
            }
            if self.sees(&self.scratch, past.unit) {
                return true;
            }
            if !past.known {
                return false;
            }
            let bits = spread(bytes);
            value = value & !bits | past.before & bits;
            if is_enough(past.unit, value & spread(mask)) {
                return true;
            }
        }
        true
    }

    /// Whether a thread that awaits a value finds one without what is taken out.
    fn sees_awaited(&self, race: Race, agent: Agent, awaits: &Awaits<'_>) -> Option<Race> {
        let (mut value, mut certainty) = (awaits.now, Certainty::Certain);
        let later = self.history(awaits.granule).iter().rev().take_while(|past| past.unit >= race.first);
        for past in later {
            let bytes = past.mask & awaits.mask;
            if bytes == 0 || !past.writes() || !self.is_taken_out(past.unit, race) {
                continue;
            }
            let other = self.agent(past.unit);
            if !past.known || !other.is_thread() && other.thread() == agent.thread() {
                // Without its arrival, the own store would be seen in the buffer.
                certainty = Certainty::Uncertain;
            }
            let bits = spread(bytes);
            value = value & !bits | past.before & bits;
        }
        let answer = awaits.answers.iter().find(|(known, _)| *known == value & spread(awaits.mask));
        match (certainty, answer) {
            (Certainty::Certain, Some((_, true))) => None,
            (Certainty::Certain, Some((_, false))) => Some(race),
            _ => Some(Race { certainty: Certainty::Uncertain, ..race }),
        }
    }

    /// Whether a location that the operation's thread watches has another value without what is taken out.
    fn sees_change(&self, race: Race, next: &Prospect<'_>) -> Option<Race> {
        let mut certainty = Certainty::Certain;
        for access in next.accesses.iter().filter(|access| access.watched) {
            let mut value = access.before;
            let mut known = 0;
            let later = self.history(access.granule).iter().rev().take_while(|past| past.unit >= race.first);
            for past in later {
                let bytes = past.mask & access.mask;
                let agent = self.agent(past.unit);
                if bytes != 0 && !agent.is_thread() && agent.thread().number() == usize::from(access.owner) {
                    // Without its arrival, the own store would be seen in the buffer.
                    return Some(Race { certainty: Certainty::Uncertain, ..race });
                }
                if !past.writes() || bytes == 0 || !self.is_taken_out(past.unit, race) {
                    continue;
                }
                if !past.known {
                    certainty = Certainty::Uncertain;
                }
                let bits = spread(bytes);
                value = value & !bits | past.before & bits;
                known |= bytes;
            }
            let differs = (value ^ access.before) & spread(access.mask) != 0;
            if differs && certainty == Certainty::Certain {
                return Some(race);
            }
            // Bytes that nothing taken out has written are as they are now.
            if known != access.mask && access.delta != 0 {
                if known == 0 {
                    return Some(race);
                }
                certainty = Certainty::Uncertain;
            }
        }
        (certainty == Certainty::Uncertain).then_some(Race { certainty, ..race })
    }
}

/// A bit for each byte, as a mask of bits.
fn spread(bytes: u8) -> u64 {
    SPREAD[usize::from(bytes)]
}

const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bytes = 0;
    while bytes < 256 {
        let mut byte = 0;
        while byte < 8 {
            if bytes & (1 << byte) != 0 {
                table[bytes] |= 0xff << (8 * byte);
            }
            byte += 1;
        }
        bytes += 1;
    }
    table
};
