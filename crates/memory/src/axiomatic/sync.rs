//! Synchronisation objects: locations with updates only.
//!
//! The machine knows what an operation does to an object in some state. It is asked by a trial ([`Trial`]), and what comes of
//! it is remembered: it depends on nothing but the thread's place and the state. Here is what that means for the
//! graph: whether the operation has to wait, whether it changes the object or only reads it, and with whom it
//! synchronises. The machine performs an operation when that is complete. Who waits for a condition variable follows not from its
//! bytes but from its changes: see [`Waiting`].

use super::known::Trial;
use super::{Axiomatic, Axioms, Draft, Id, Kind, NONE, Next, State, flag};
use selvedge_trace::sync::{self, Action, Edges, ObjectKind, Waiters};
use selvedge_trace::{Completion, Operation, SyncOp, ThreadId};
use selvedge_vm::{Machine, Stop};

/// What an operation on a synchronisation object in some state does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It has to wait.
    Waits,
    /// It leaves the state as it is.
    Looks,
    /// It changes the state.
    Changes,
    /// It is an error.
    Fails,
}

impl<A: Axioms> Axiomatic<'_, A> {
    pub(super) fn sync_next(&mut self, thread: ThreadId, op: SyncOp, object: u64) -> Result<Next, Stop> {
        let (address, size) = Machine::sync_footprint(op, object);
        Ok(match self.cell(thread, address, size as u32)? {
            Some(cell) => Next::Read { cell },
            None => Next::Other(1),
        })
    }

    /// Whether the thread's operation can go on if it reads a source; what it would do to the object.
    pub(super) fn effect(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        cell: u32,
        source: Id,
    ) -> Effect {
        let Operation::Sync { op, argument, .. } = *operation else { return Effect::Looks };
        let number = self.graph.number(thread);
        if self.phase(number) != 0 {
            return Effect::Changes;
        }
        let state = self.graph.state_of(cell, source);
        match (op.object(), op.action()) {
            (_, Action::Wake(_)) => match self.waiters(cell, source).is_empty() {
                _ if sync::is_destroyed(state.low as u32) => Effect::Fails,
                true => Effect::Looks,
                false => Effect::Changes,
            },
            (_, Action::ReleaseAndWait) => match self.trial_of_release(thread, argument) {
                Trial::Goes { result: 0, .. } if !sync::is_destroyed(state.low as u32) => Effect::Changes,
                _ => Effect::Fails,
            },
            (ObjectKind::Condition, Action::Block) => {
                let waits = self.waiters(cell, source).contains(&number);
                let wakes = source != NONE && self.waker(cell, number) == Some(source);
                match (wakes, waits && self.may_end(number, argument)) {
                    (true, _) => Effect::Looks,
                    (false, true) => Effect::Changes,
                    (false, false) => Effect::Waits,
                }
            }
            _ => match self.try_out(thread, operation, cell, state) {
                Trial::Waits => Effect::Waits,
                Trial::Fails => Effect::Fails,
                Trial::Goes { state: after, .. } if after == state => Effect::Looks,
                Trial::Goes { .. } => Effect::Changes,
            },
        }
    }

    /// Whether a thread that waits for a condition variable may go on without a signal; `argument`: whether the time may
    /// be up.
    fn may_end(&self, number: u32, argument: u64) -> bool {
        argument != 0 || self.known_state(number).is_some_and(|local| local.wakes_by_itself)
    }

    /// What comes of an operation of a thread on an object in some state.
    pub(super) fn try_out(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        cell: u32,
        state: State,
    ) -> Trial {
        let Operation::Sync { op, .. } = *operation else { return Trial::Fails };
        let here = self.here[self.graph.number(thread) as usize];
        if let Some(trial) = self.known.trial(here, op, state) {
            return trial;
        }
        self.catch_up();
        let mark = self.machine.mark();
        self.put(cell, state);
        let trial = match op.is_blocking() && !self.machine.is_enabled(thread) {
            true => Trial::Waits,
            false => match self.machine.answer(thread, operation, 0) {
                Ok(Completion::Value(result)) => {
                    let at = self.graph.cell(cell);
                    Trial::Goes { result, state: self.look(at.address, at.size) }
                }
                _ => Trial::Fails,
            },
        };
        self.machine.rewind(&mark);
        self.machine.take_woken();
        // Whether somebody waits does not follow from the state.
        if op != SyncOp::ConditionDestroy {
            self.known.note_trial(here, op, state, trial);
        }
        trial
    }

    /// What comes of it if a thread that waits for a condition variable gives the mutex back in its last state.
    pub(super) fn trial_of_release(&mut self, thread: ThreadId, mutex: u64) -> Trial {
        let (address, size) = Machine::sync_footprint(SyncOp::MutexUnlock, mutex);
        let Ok(Some(cell)) = self.cell(thread, address, size as u32) else { return Trial::Fails };
        let state = self.graph.state_of(cell, self.graph.last_write(cell));
        let unlock = Operation::Sync { op: SyncOp::MutexUnlock, object: mutex, argument: 0 };
        self.try_out(thread, &unlock, cell, state)
    }

    /// Whether an operation of a thread can go through if it reads the last writes. One that is an error can: performing it says
    /// so.
    pub(super) fn is_sync_possible(&mut self, thread: ThreadId, operation: &Operation) -> bool {
        let Operation::Sync { op, object, argument } = *operation else { return true };
        let number = self.graph.number(thread);
        match (op.object(), op.action()) {
            (ObjectKind::Barrier, Action::Block) => self.last_arrival(number, object).is_some(),
            (_, Action::Block) => {
                let cell = self.waits_at(number, object);
                self.may_end(number, argument) || cell.is_some_and(|cell| self.waker(cell, number).is_some())
            }
            _ if op.is_blocking() => {
                let (address, size) = Machine::sync_footprint(op, object);
                let Ok(Some(cell)) = self.cell(thread, address, size as u32) else { return true };
                let state = self.graph.state_of(cell, self.graph.last_write(cell));
                self.try_out(thread, operation, cell, state) != Trial::Waits
            }
            _ => true,
        }
    }

    /// The threads that wait for a condition variable after a source, by number, in the order of their names.
    pub(super) fn waiters(&self, cell: u32, source: Id) -> Vec<u32> {
        let writes = &self.graph.cell(cell).writes[..self.graph.rank(cell, source)];
        let mut waiters = Vec::new();
        for write in writes {
            let node = self.graph.node(*write);
            match Waiting::of(node.state) {
                Waiting::Begins => waiters.push(node.thread),
                Waiting::Ends => waiters.retain(|waiter| *waiter != node.thread),
                Waiting::Wakes(thread) => waiters.retain(|waiter| *waiter != thread),
                Waiting::WakesAll => waiters.clear(),
            }
        }
        waiters.sort_by_key(|waiter| self.graph.threads()[*waiter as usize].id);
        waiters
    }

    /// The location of the object that a thread waits at. (Something else may be at its address by now.)
    pub(super) fn waits_at(&self, number: u32, object: u64) -> Option<u32> {
        let nodes = self.graph.threads()[number as usize].nodes.iter().rev().map(|id| self.graph.node(*id));
        let mut writes = nodes.filter(|node| node.kind == Kind::Write).map(|node| node.cell);
        writes.find(|cell| self.graph.cell(*cell).address == object)
    }

    /// The node that has woken a thread that waits for a condition variable.
    pub(super) fn waker(&self, cell: u32, number: u32) -> Option<Id> {
        let writes = &self.graph.cell(cell).writes;
        let begin = writes.iter().rposition(|write| {
            let node = self.graph.node(*write);
            node.thread == number && matches!(Waiting::of(node.state), Waiting::Begins)
        })?;
        writes[begin..].iter().copied().find(|write| match Waiting::of(self.graph.node(*write).state) {
            Waiting::Wakes(thread) => thread == number,
            Waiting::WakesAll => true,
            _ => false,
        })
    }

    #[allow(clippy::too_many_arguments, reason = "what belongs to one step")]
    pub(super) fn sync_read(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        op: SyncOp,
        draft: Draft,
        waiter: u32,
        is_last: bool,
    ) -> Result<(), Stop> {
        let Draft { cell, source, .. } = draft;
        match self.effect(thread, operation, cell, source) {
            Effect::Changes => {
                let next = match op.action() {
                    Action::Wake(Waiters::One) if draft.phase == 0 => {
                        let chosen = self.waiters(cell, source).get(waiter as usize).copied();
                        Waiting::Wakes(chosen.unwrap_or(0)).state(waiter)
                    }
                    Action::Wake(Waiters::All) => Waiting::WakesAll.state(0),
                    Action::ReleaseAndWait if draft.phase == 0 => Waiting::Begins.state(0),
                    Action::Block => Waiting::Ends.state(0),
                    _ => State::default(),
                };
                let acquires = if takes(op) && draft.phase == 0 { flag::ACQUIRE } else { 0 };
                let reads = matches!(op.action(), Action::Share(_));
                let after = if reads { flag::AFTER_WRITERS } else { 0 };
                let flags = draft.flags | flag::UPDATE | flag::OPEN | acquires | after;
                self.graph.push(number, Draft { flags, next, ..draft });
                Ok(())
            }
            Effect::Looks if op.action() == Action::Block => {
                self.graph.push(number, Draft { kind: Kind::Wake, ..draft });
                self.finish(thread, number, operation, Completion::Value(0), 0, 0)
            }
            Effect::Looks => {
                let acquires = if op.action() == Action::Begin { flag::ACQUIRE } else { 0 };
                self.graph.push(number, Draft { flags: draft.flags | acquires, ..draft });
                let result = match op.action() {
                    Action::Wake(_) => 0,
                    _ => match self.try_out(thread, operation, cell, draft.state) {
                        Trial::Goes { result, .. } => result,
                        _ => 0,
                    },
                };
                let completion = Completion::Value(result);
                self.finish(thread, number, operation, completion, 0, draft.state.low)
            }
            Effect::Fails | Effect::Waits => {
                // What it has seen may be something else in another order.
                self.graph.push(number, draft);
                self.begin_entangled();
                if !is_last {
                    self.put(cell, draft.state);
                }
                let answer = self.machine.answer(thread, operation, 0);
                if !is_last {
                    self.put_last(cell);
                }
                let completion = answer?;
                self.finish(thread, number, operation, completion, 0, draft.state.low)
            }
        }
    }

    /// The write of an update of an object.
    pub(super) fn sync_update(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        op: SyncOp,
        draft: Draft,
    ) -> Result<(), Stop> {
        let Operation::Sync { argument, .. } = *operation else { return Ok(()) };
        let read = *self.graph.node(self.graph.last_of(number));
        let choice = (read.next.high & 0xffff) * u32::from(op.action() == Action::Wake(Waiters::One));
        let is_second = draft.phase > 1;
        let trial = match op.action() {
            // The second half of a wait: the mutex.
            Action::ReleaseAndWait if is_second => self.trial_of_release(thread, argument),
            Action::Wake(_) | Action::ReleaseAndWait => Trial::Goes { result: 0, state: read.next },
            Action::Block => match self.try_out(thread, operation, draft.cell, read.next) {
                Trial::Goes { result, .. } => Trial::Goes { result, state: read.next },
                trial => trial,
            },
            _ => self.try_out(thread, operation, draft.cell, read.state),
        };
        // It was tried out when the object was read.
        let Trial::Goes { result, state } = trial else { return Ok(()) };
        let carries = match is_second {
            true => carries(SyncOp::MutexUnlock, read.state),
            false => carries(op, read.state),
        };
        let open = if op.action() == Action::ReleaseAndWait && !is_second { flag::OPEN } else { 0 };
        self.graph.push(number, Draft { flags: draft.flags | carries | open, state, ..draft });
        if open != 0 {
            return Ok(());
        }
        self.finish(thread, number, operation, Completion::Value(result), choice, read.state.low)
    }

    /// The arrival at a barrier that has let a thread go.
    pub(super) fn last_arrival(&self, number: u32, object: u64) -> Option<(u32, Id)> {
        let cell = self.waits_at(number, object)?;
        let writes = &self.graph.cell(cell).writes;
        let own = writes.iter().rposition(|write| self.graph.node(*write).thread == number)?;
        let is_last = |write: &&Id| sync::is_last_arrival(self.graph.node(**write).state.low as u64);
        writes[own..].iter().find(is_last).map(|write| (cell, *write))
    }
}

/// What a change of a condition variable does; kept as its state.
#[derive(Debug, Clone, Copy)]
pub(super) enum Waiting {
    /// Its thread waits.
    Begins,
    /// Its thread waits no more: the time is up.
    Ends,
    /// It wakes a thread.
    Wakes(u32),
    /// It wakes all.
    WakesAll,
}

impl Waiting {
    /// As a state; `choice`: which of those who wait it was.
    pub(super) fn state(self, choice: u32) -> State {
        let (kind, thread) = match self {
            Self::Begins => (1, 0),
            Self::Ends => (2, 0),
            Self::Wakes(thread) => (3, thread),
            Self::WakesAll => (4, 0),
        };
        State { low: kind | u128::from(thread) << 8, high: choice }
    }

    pub(super) fn of(state: State) -> Self {
        match state.low & 0xff {
            1 => Self::Begins,
            2 => Self::Ends,
            3 => Self::Wakes((state.low >> 8) as u32),
            _ => Self::WakesAll,
        }
    }
}

/// Whether an operation that changes an object takes something that others have given. (Readers of a
/// readers-writer lock come after its writers, and not after other readers: [`flag::AFTER_WRITERS`].)
pub(super) fn takes(op: SyncOp) -> bool {
    !op.acquires().is_empty() && !matches!(op.action(), Action::Share(_))
}

/// What an operation that changes an object, which was in a state, has for those who take it later.
fn carries(op: SyncOp, state: State) -> u16 {
    let Edges { releases, forgets, .. } = sync::edges(op, 0, state.low as u64);
    // Being woken comes after the signal.
    match !releases.is_empty() || matches!(op.action(), Action::Wake(_)) {
        true => flag::RELEASE,
        false if forgets => flag::FRESH,
        false => 0,
    }
}
