//! The entry of a step: what it reads and asks, what it returns, and what it does.

use super::Writer;
use crate::core::dependence::{Access, Mode};
use crate::views::script::granules::{bits_of, content};
use crate::views::script::locations::{FACT, unit_of_life};
use crate::views::script::{
    DEAD, Effect, Entry, Location, LocationPart, NOTHING, Question, Round, WORD, result_woken, value_in,
};
use selvedge_memory::System;
use selvedge_trace::sync::{self, Ask, Change, Changes, ObjectKind, Waiters, Waiting};
use selvedge_trace::{Operation, SyncOp, ThreadId};

impl Writer {
    /// A word.
    pub(super) fn word(&mut self, address: u64) -> LocationPart {
        LocationPart { location: self.locations.unit(address), bits: bits_of(0x0f) }
    }

    /// A word of a synchronisation object.
    pub(super) fn word_of(&mut self, object: u64, number: usize) -> LocationPart {
        self.word(object.wrapping_add(number as u64 * sync::WORD))
    }

    /// The words of an object that the result of an operation depends on.
    pub(super) fn words_asked(&mut self, op: SyncOp, object: u64) -> Vec<LocationPart> {
        match op.words_asked() {
            Some(count) => (0..count).map(|number| self.word_of(object, number)).collect(),
            None => self.parts(|_| true),
        }
    }

    /// Whether a semaphore has so many posts that others might leave no room for another.
    pub(super) fn is_nearly_full(&self, semaphore: u64) -> bool {
        let value =
            self.next.before.iter().find(|(unit, ..)| *unit == semaphore).map_or(0, |(_, value, _)| *value);
        sync::is_nearly_full(value as u32)
    }

    pub(super) fn parts(&mut self, wanted: impl Fn(&Access) -> bool) -> Vec<LocationPart> {
        let accesses =
            self.next.accesses.iter().filter(|access| wanted(access) && access.granule & FACT == 0);
        let units = accesses.flat_map(|access| self.granules.units_of(access));
        units.map(|(unit, bits, _)| LocationPart { location: self.locations.unit(unit), bits }).collect()
    }

    /// The entry of what a thread is about to do, or has just done: what it reads and asks.
    pub(super) fn entry(&mut self, thread: ThreadId, operation: &Operation, choice: u32) -> Entry {
        let (question, mut reads) = match *operation {
            Operation::Load { .. } | Operation::Rmw { .. } | Operation::CompareExchange { .. } => {
                (Question::Values, self.parts(|_| true))
            }
            Operation::Copy { .. } => (Question::Values, self.parts(|access| access.mode == Mode::Read)),
            Operation::Choose { options, .. } => (Question::Choose { options }, Vec::new()),
            Operation::Join { thread } => (Question::Join(thread), Vec::new()),
            Operation::WaitForOthers { .. } => (Question::JoinAll, Vec::new()),
            Operation::Sync { op, object, argument } => match op.asks() {
                Ask::Nothing => (Question::Nothing, Vec::new()),
                Ask::State => (Question::Values, self.words_asked(op, object)),
                Ask::Take(condition) => (Question::Take(condition), self.words_asked(op, object)),
                Ask::TryToTake(condition) => (Question::TryToTake(condition), self.words_asked(op, object)),
                Ask::Room(condition) if self.is_nearly_full(object) => {
                    (Question::TryToTake(condition), self.words_asked(op, object))
                }
                Ask::Room(_) => (Question::Nothing, Vec::new()),
                Ask::Once(condition) => (Question::Once(condition), self.words_asked(op, object)),
                Ask::Arrive => (Question::Arrive, self.words_asked(op, object)),
                Ask::Woken => {
                    let is_condition = op.object() == ObjectKind::Condition;
                    let always = is_condition && (argument != 0 || self.next.by_itself);
                    let waiting = LocationPart { location: self.locations.waiting(thread), bits: u64::MAX };
                    (Question::Woken { always }, vec![waiting])
                }
                Ask::Signal => (Question::Signal { object }, Vec::new()),
            },
            Operation::Store { .. }
            | Operation::Set { .. }
            | Operation::Release { .. }
            | Operation::EndScope { .. }
            | Operation::Fence { .. }
            | Operation::Spawn { .. }
            | Operation::Yield
            | Operation::Assume { .. }
            | Operation::Flush { .. } => (Question::Nothing, Vec::new()),
        };
        if let (Some(object), Operation::Sync { op, .. }) = (self.next.life, operation)
            && !op.is_init()
        {
            reads.push(LocationPart { location: self.locations.life(object), bits: u64::MAX });
        }
        let is_value = match *operation {
            Operation::Sync { op, .. } => {
                op.has_telling_result() || op.gives_back() && question != Question::Nothing
            }
            Operation::Join { .. } | Operation::WaitForOthers { .. } => false,
            _ => question != Question::Nothing,
        };
        let gives_back = matches!(operation, Operation::Sync { op, .. } if op.gives_back())
            && question == Question::Nothing
            && !self.next.frees_foreign;
        let is_store = matches!(operation, Operation::Store { .. });
        let round = self.next.round.map(|start| start as usize);
        let line = self.line(thread);
        let round = round.map(|start| Box::new(Round::of(start, &line.entries[start..])));
        Entry {
            reads: reads.into(),
            values: Box::new([]),
            question,
            state: None,
            result: NOTHING,
            effects: Box::new([]),
            delayed: Box::new([]),
            round,
            choice,
            exclusive: false,
            drained: false,
            is_value,
            gives_back,
            is_store,
        }
    }

    /// What a step reads at locations: what was there before it.
    pub(super) fn present(&mut self) -> Vec<(Location, u64)> {
        let own = self.next.own.iter().copied();
        let units = own.chain(self.next.before.iter().map(|(unit, value, _)| (*unit, *value)));
        units.map(|(unit, value)| (self.locations.unit(unit), value)).collect()
    }

    /// Adds the result of an entry, and what it did.
    pub(super) fn answer<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        entry: &mut Entry,
        read: Option<u128>,
        woken: &[ThreadId],
    ) {
        let Some(operation) = system.events().last().map(|event| event.operation) else { return };
        let effects = self.effects(system, thread, &operation, read, woken);
        let mut before = self.present();
        if let Question::Woken { .. } = entry.question {
            let signalled = system.events().last().is_some_and(|event| event.before != 0);
            before.push((self.locations.waiting(thread), u64::from(signalled)));
        }
        let value = |location: Location| value_in(&before, location);
        let machine = system.machine();
        if let (Operation::Join { thread: Some(other) }, None) = (operation, read)
            && machine.thread(other).is_some_and(|other| other.position.detached == Some(thread))
        {
            // An error, of which the thread knows all that it needs.
            entry.question = Question::Nothing;
        }
        entry.result = match entry.question {
            Question::Choose { .. } => u64::from(entry.choice),
            Question::Signal { .. } => result_woken(woken.first().copied()),
            // It went through, whatever was there.
            Question::Take(_) => NOTHING,
            _ => entry.answer(value).unwrap_or(NOTHING),
        };
        entry.state = Some(entry.state_in(value));
        entry.see(&before);
        let ignored = match operation {
            Operation::Sync { op, .. } if op.is_init() => self.next.life.map(unit_of_life),
            _ => None,
        };
        if self.next.before.iter().any(|(unit, _, dead)| *dead && Some(*unit) != ignored) {
            entry.result = DEAD;
            if entry.reads.is_empty() {
                // It has done nothing; but in another order it may.
                entry.reads = self.parts(|_| true).into();
            }
        }
        entry.effects = effects.into();
    }

    pub(super) fn effects<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        operation: &Operation,
        read: Option<u128>,
        woken: &[ThreadId],
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let (Some(object), true) = (self.next.life, read.is_some()) {
            let location = self.locations.life(object);
            let before = self.next.before.iter().find(|(unit, ..)| *unit == unit_of_life(object));
            let was_usable = before.is_some_and(|(.., dead)| !dead);
            match (was_usable, system.machine().is_usable(object)) {
                (true, false) => effects.push(Effect::Free(location)),
                (false, true) => effects.push(Effect::Revive(location)),
                // What sets up one that was destroyed makes it usable.
                _ if matches!(operation, Operation::Sync { op, .. } if op.is_init()) => {
                    effects.push(Effect::Revive(location));
                }
                _ => {}
            }
        }
        let wrote = system.events().last().is_some_and(|event| event.written.is_some());
        match *operation {
            Operation::Load { .. } => {}
            // One that went wrong has done nothing.
            Operation::Sync { .. } if read.is_none() => {}
            Operation::CompareExchange { .. } | Operation::Store { .. } | Operation::Rmw { .. } if !wrote => {
            }
            // It is only in the buffer.
            _ if system.events().last().is_some_and(|event| event.buffered != 0) => {}
            Operation::Spawn { .. } => {
                let number = read.and_then(|read| usize::try_from(read).ok()?.checked_sub(1));
                if let Some(child) = number.and_then(ThreadId::from_number) {
                    let part = LocationPart { location: self.locations.created(child), bits: u64::MAX };
                    effects.push(Effect::Set { part, value: 1 });
                }
            }
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                let end = address.saturating_add(size.max(1));
                let units = self.granules.units_in(address, end);
                effects.extend(units.map(|unit| Effect::Free(self.locations.unit(unit))));
            }
            Operation::Sync { op, object, .. } => {
                self.sync_effects(
                    system,
                    thread,
                    (op, object),
                    read.unwrap_or(0) as u64,
                    woken,
                    &mut effects,
                );
            }
            _ => self.set_effects(system, &mut effects),
        }
        effects
    }

    /// What an operation on a synchronisation object has done that went through with a result.
    pub(super) fn sync_effects<S: System>(
        &mut self,
        system: &S,
        thread: ThreadId,
        (op, object): (SyncOp, u64),
        result: u64,
        woken: &[ThreadId],
        effects: &mut Vec<Effect>,
    ) {
        let first = self.next.before.iter().find(|(unit, ..)| *unit == object);
        let first = first.map_or(0, |(_, value, _)| *value & WORD);
        let changes = match sync::changes(op, result, first) {
            Changes::Only(changes) => changes,
            Changes::Overwritten(changes) => {
                self.set_effects(system, effects);
                changes
            }
        };
        for change in changes {
            effects.push(match *change {
                Change::Add { word, delta } => Effect::Add { part: self.word_of(object, word), delta },
                Change::Clear { word } => Effect::Set { part: self.word_of(object, word), value: 0 },
            });
        }
        match sync::waiting(op, result) {
            Waiting::Unchanged => {}
            waiting @ (Waiting::Begins | Waiting::Ends) => {
                let part = LocationPart { location: self.locations.waiting(thread), bits: u64::MAX };
                let value = if waiting == Waiting::Begins { object << 1 } else { 0 };
                effects.push(Effect::Set { part, value });
            }
            Waiting::Wakes(Waiters::One) => {
                for woken in woken {
                    effects.push(Effect::Wake { waiting: self.locations.waiting(*woken), object });
                }
            }
            Waiting::Wakes(Waiters::All) => effects.push(Effect::WakeAll { object }),
        }
    }

    /// What is in memory now, where the operation may have written.
    pub(super) fn set_effects<S: System>(&mut self, system: &S, effects: &mut Vec<Effect>) {
        let written = |access: &&Access| access.mode != Mode::Read && access.granule & FACT == 0;
        let written = self.next.accesses.iter().filter(written);
        for (unit, bits, _) in written.flat_map(|access| self.granules.units_of(access)) {
            let part = LocationPart { location: self.locations.unit(unit), bits };
            effects.push(Effect::Set { part, value: content(system, unit).1 & bits });
        }
    }
}
