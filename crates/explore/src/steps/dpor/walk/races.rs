//! The races of an execution: which there are, and what a unit would touch if it came first.

use super::{Algorithm, Covered, Later, Recurrence, Recurring, Walk};
use crate::core::dependence::{self, Access, Blocking, Mode, Waking};
use crate::steps::dpor::partial_order::{Buffering, Drains, NONE, Prospect, Race};
use selvedge_memory::System;
use selvedge_program::scalar;
use selvedge_trace::sync::Action;
use selvedge_trace::{Agent, Event, Operation, ThreadId};

/// Whether an operation that may have to wait acts only when the buffer of its thread is empty.
fn drains(operation: &Operation) -> bool {
    matches!(operation, Operation::Sync { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. })
}

impl<S: System> Walk<'_, '_, S> {
    /// Looks at the races of all units from a position on, of earlier ones where that is to be done each time, and of the threads
    /// that are blocked.
    pub(in crate::steps::dpor) fn reverse_races<A: Algorithm>(&mut self, from: usize) {
        let known = self.present.recurring.partition_point(|race| (race.unit as usize) < from);
        self.present.recurring.truncate(known);
        let classified = self.present.classified;
        for at in 0..known {
            self.look_again::<A>(at, from);
        }
        for unit in classified.min(from)..self.present.order.length() {
            for number in self.present.order.races(unit as u32) {
                let (race, later) = self.race(unit as u32, number);
                // Somebody else has looked at earlier races, but not in the present execution.
                let looks = unit >= from || A::recurs(self, race, &later).is_some();
                let recurrence = if looks { A::reverse(self, race, &later) } else { None };
                if let Some(Recurrence { covered }) = recurrence {
                    self.present.recurring.push(Recurring { unit: unit as u32, number, covered });
                }
                self.scratch.later = later.accesses;
            }
        }
        self.present.classified = self.present.order.length();
        let mut threads = std::mem::take(&mut self.scratch.threads);
        threads.clear();
        threads.extend(self.session.system.machine().threads());
        for thread in &threads {
            self.reverse_races_of_blocked::<A>(*thread);
        }
        self.scratch.threads = threads;
    }

    /// Looks again at a race that is looked at in each execution, unless what covered its sequence still does; the present execution is
    /// another one from a position on.
    fn look_again<A: Algorithm>(&mut self, at: usize, from: usize) {
        let Recurring { unit, number, covered } = self.present.recurring[at];
        if covered.is_some_and(|covered| self.still_covers(covered, (unit, number), from)) {
            return;
        }
        let (race, later) = self.race(unit, number);
        let recurrence = A::reverse(self, race, &later);
        self.present.recurring[at].covered = recurrence.and_then(|recurrence| recurrence.covered);
        self.scratch.later = later.accesses;
    }

    /// Whether what covered the sequence of a race in another execution does so for sure in the present one.
    fn still_covers(&self, covered: Covered, (later, number): (u32, usize), from: usize) -> bool {
        if covered.unit.is_some() {
            // It is part of the sequence in the present execution, too, and nothing before it is new.
            return covered.unit.is_some_and(|unit| (unit as usize) < from);
        }
        let order = &self.present.order;
        let race = order.race(number);
        let Some((label, accesses)) = self.asleep(race.first as usize).nth(covered.sleeper) else {
            return false;
        };
        if accesses.iter().any(|access| access.mode == Mode::Arrive) {
            return false;
        }
        let new = (from.max(later as usize + 1) as u32..order.length() as u32)
            .filter(|unit| !order.is_taken_out(*unit, race));
        for unit in new {
            if order.agent(unit) == label.thread || dependence::dependent(order.accesses(unit), accesses) {
                return false;
            }
        }
        true
    }

    /// A race of a unit, by number, and the unit as it would be if it came first.
    fn race(&mut self, unit: u32, number: usize) -> (Race, Later) {
        let race = self.present.order.race(number);
        let mut accesses = std::mem::take(&mut self.scratch.later);
        self.accesses_if_first(unit, race.first, &mut accesses);
        let drains = self.present.order.drains(unit);
        (race, Later { unit, thread: self.present.labels[unit as usize].thread, drains, accesses })
    }

    /// Looks at the races of a thread that cannot go on.
    fn reverse_races_of_blocked<A: Algorithm>(&mut self, thread: ThreadId) {
        let awaited = self.look_at_awaited(thread.into());
        let system = &self.session.system;
        let Some(operation) = system.machine().pending(thread) else { return };
        let mut accesses = Vec::new();
        let waits = dependence::of_waiting(system, thread.into(), &mut accesses);
        let blocking = dependence::blocking(&operation, Waking::of(system, thread));
        let blocks = waits || awaited.is_some() || blocking != Blocking::No;
        if !blocks || system.is_enabled(thread.into()) {
            return;
        }
        dependence::of_operation(thread, &operation, &mut accesses);
        let (object, state) = match operation {
            Operation::Sync { op, object, .. } => {
                let memory = &system.machine().memory;
                // Spin locks have four bytes; what lies behind them need not be there.
                let readable = memory.first_inaccessible(object, op.object().size().min(8)).is_none();
                (object, if readable { memory.read_scalar(object & !7, 8) as u64 } else { 0 })
            }
            _ => (0, 0),
        };
        let mut races = Vec::new();
        let (drains, buffering) = match S::BUFFERED && drains(&operation) {
            true => (Drains::Yes, Buffering::Drains),
            false => (Drains::No, Buffering::Issues(0)),
        };
        let agent = Agent::from(thread);
        let awaits = awaited.map(|awaited| awaited.with(&self.scratch.answers));
        let next = Prospect { agent, accesses: &accesses, blocking, object, state, waits, awaits, buffering };
        self.present.order.races_at_end(&next, &mut races);
        let later = Later { unit: NONE, thread: agent, drains, accesses };
        for race in races {
            A::reverse(self, race, &later);
        }
    }

    /// What a unit would touch if it came before an earlier one that it races with.
    fn accesses_if_first(&self, unit: u32, first: u32, accesses: &mut Vec<Access>) {
        accesses.clear();
        accesses.extend_from_slice(self.present.order.accesses(unit));
        let events = self.events_of(unit);
        let arrives = |event: &Event| matches!(event.operation, Operation::Sync { op, .. } if op.action() == Action::Arrive);
        if matches!(events, [event] if arrives(event)) {
            let earlier = self.present.order.accesses(first).iter().find(|other| other.mode == Mode::Arrive);
            if let Some(earlier) = earlier {
                // Without the earlier arrival it is not the last, and lets nobody go.
                accesses.retain(|access| access.granule == earlier.granule);
                for access in accesses.iter_mut() {
                    (access.mode, access.delta) = (Mode::Arrive, 1);
                }
                return;
            }
        }
        for access in accesses.iter_mut().filter(|access| !access.watched) {
            let found = self.present.order.accesses(first).iter().find(|other| {
                matches!(other.mode, Mode::Write | Mode::Update(_))
                    && other.granule == access.granule
                    && other.mask & access.mask != 0
            });
            let Some(found) = found else { continue };
            let exact = found.known && found.mask & access.mask == access.mask;
            let changes = |event: &Event| {
                matches!(event.operation, Operation::CompareExchange { .. } | Operation::Sync { .. })
            };
            access.mode = match events {
                [_, ..] if !events.iter().any(changes) => access.mode,
                [event] if exact => {
                    let before = self.before_without(found, first, unit);
                    dependence::mode_if(event, before).unwrap_or(Mode::Write)
                }
                _ => Mode::Write,
            };
        }
    }

    /// What a later unit would find at the bytes of a write if that, and all that happened after it, were taken out: what the write has
    /// found, and what updates that commute with it have made of it.
    fn before_without(&self, write: &Access, first: u32, later: u32) -> u64 {
        let mut value = write.before;
        if !matches!(write.mode, Mode::Update(_)) {
            return value;
        }
        let bytes = (write.granule, write.mask);
        let mut units: Vec<u32> = self.present.order.updates_beside(bytes, first, later).collect();
        units.dedup();
        for event in units.iter().flat_map(|unit| self.events_of(*unit)) {
            let update = event.operation.commuting_update().map(|update| (update.granule, update.mask));
            if let (Operation::Rmw { address, ty, op, operand, .. }, true) =
                (event.operation, update == Some(bytes))
            {
                let (shift, mask) = (8 * (address & 7), scalar::mask(ty.bits()) as u64);
                let new = scalar::rmw(op, ty, u128::from(value >> shift & mask), operand) as u64 & mask;
                value = value & !(mask << shift) | new << shift;
            }
        }
        value
    }

    /// The events of a unit.
    fn events_of(&self, unit: u32) -> &[Event] {
        let from = self.present.events[unit as usize] as usize;
        let to = self.present.events.get(unit as usize + 1).map_or(usize::MAX, |next| *next as usize);
        let events = self.session.system.events();
        &events[from..to.min(events.len())]
    }
}
