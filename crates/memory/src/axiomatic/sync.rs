//! Synchronisation objects: locations with updates only.
//!
//! The machine knows what an operation does to an object in some state. Here is what that means for the graph: whether
//! the operation has to wait, whether it changes the object or only looks at it, and with whom it synchronises. Who waits
//! for a condition variable is not told by its bytes but by its changes: see [`Waiting`].

use super::{Axiomatic, Axioms, Draft, Id, Kind, NONE, Next, State, flag};
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
        match op {
            SyncOp::ConditionSignal | SyncOp::ConditionBroadcast => {
                let waits = !self.waiters(cell, source).is_empty();
                if waits { Effect::Changes } else { Effect::Looks }
            }
            SyncOp::ConditionRelease => {
                let owner = self.machine.owner_of(SyncOp::MutexUnlock, argument);
                if owner == Some(thread) { Effect::Changes } else { Effect::Fails }
            }
            SyncOp::ConditionBlock => {
                let waits = self.waiters(cell, source).contains(&number);
                let may_end = argument != 0 || self.machine.may_wake_by_itself(thread);
                let wakes = source != NONE && self.waker(cell, number) == Some(source);
                match (wakes, waits && may_end) {
                    (true, _) => Effect::Looks,
                    (false, true) => Effect::Changes,
                    (false, false) => Effect::Waits,
                }
            }
            _ => {
                let mark = self.machine.mark();
                let state = self.graph.state_of(cell, source);
                self.put(cell, state);
                let effect = match self.machine.is_enabled(thread) {
                    false => Effect::Waits,
                    true => match self.machine.answer(thread, operation, 0) {
                        Err(_) => Effect::Fails,
                        Ok(_) => {
                            let at = self.graph.cell(cell);
                            match self.look(at.address, at.size) == state {
                                true => Effect::Looks,
                                false => Effect::Changes,
                            }
                        }
                    },
                };
                self.machine.rewind(&mark);
                self.machine.take_woken();
                effect
            }
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

    /// Who has woken a thread that waits for a condition variable.
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
                let next = match op {
                    SyncOp::ConditionSignal if draft.phase == 0 => {
                        let chosen = self.waiters(cell, source).get(waiter as usize).copied();
                        Waiting::Wakes(chosen.unwrap_or(0)).state(waiter)
                    }
                    SyncOp::ConditionBroadcast => Waiting::WakesAll.state(0),
                    SyncOp::ConditionRelease if draft.phase == 0 => Waiting::Begins.state(0),
                    SyncOp::ConditionBlock => Waiting::Ends.state(0),
                    _ => State::default(),
                };
                let acquires = if takes(op) && draft.phase == 0 { flag::ACQUIRE } else { 0 };
                let flags = draft.flags | flag::UPDATE | flag::OPEN | acquires;
                self.graph.push(number, Draft { flags, next, ..draft });
                if op == SyncOp::RwReadLock || op == SyncOp::RwTryReadLock {
                    self.acquire_from_writers(cell, source);
                }
                Ok(())
            }
            Effect::Looks if op == SyncOp::ConditionBlock => {
                self.graph.push(number, Draft { kind: Kind::Wake, ..draft });
                let completion = self.machine.answer(thread, operation, 0)?;
                self.finish(thread, number, operation, completion, 0, 0)
            }
            Effect::Looks => {
                let acquires = if op == SyncOp::OnceBegin { flag::ACQUIRE } else { 0 };
                self.graph.push(number, Draft { flags: draft.flags | acquires, ..draft });
                let signal = matches!(op, SyncOp::ConditionSignal | SyncOp::ConditionBroadcast);
                let completion = match signal {
                    true => Completion::Value(0),
                    false => {
                        if !is_last {
                            self.put(cell, draft.state);
                        }
                        let answer = self.machine.answer(thread, operation, 0);
                        if !is_last {
                            self.put_last(cell);
                        }
                        answer?
                    }
                };
                self.finish(thread, number, operation, completion, 0, draft.state.low)
            }
            Effect::Fails | Effect::Waits => {
                self.graph.push(number, Draft::other(Kind::Other));
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

    /// A reader of a readers-writer lock comes after the writers before it, but not after other readers.
    pub(super) fn acquire_from_writers(&mut self, cell: u32, source: Id) {
        let writes = self.graph.cell(cell).writes[..self.graph.rank(cell, source)].to_vec();
        for write in writes {
            let node = self.graph.node(write);
            let before = self.graph.state_of(cell, node.source).low as u32;
            if before != 0 && node.state.low as u32 == 0 {
                self.graph.also_before(write);
            }
        }
    }

    /// The arrival at a barrier that has let a thread go.
    pub(super) fn last_arrival(&self, number: u32, object: u64) -> Option<(u32, Id)> {
        let cell = self.graph.cell_at(object)?;
        let writes = &self.graph.cell(cell).writes;
        let own = writes.iter().rposition(|write| self.graph.node(*write).thread == number)?;
        // The last one sets the number of those who have arrived to zero.
        let is_last = |write: &&Id| (self.graph.node(**write).state.low >> 32) as u32 == 0;
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

/// Whether an operation that changes an object takes something that others have given.
pub(super) fn takes(op: SyncOp) -> bool {
    use SyncOp::*;
    matches!(
        op,
        MutexLock
            | MutexTryLock
            | MutexTimedLock
            | RwWriteLock
            | RwTryWriteLock
            | SemaphoreWait
            | SemaphoreTryWait
            | BarrierArrive
            | SpinLock
            | SpinTryLock
            | OnceBegin
    )
}

/// Whether an operation that changes an object gives something to those who take it later.
pub(super) fn gives(op: SyncOp) -> bool {
    use SyncOp::*;
    !matches!(
        op,
        MutexLock
            | MutexTryLock
            | MutexTimedLock
            | RwReadLock
            | RwTryReadLock
            | RwWriteLock
            | RwTryWriteLock
            | SemaphoreWait
            | SemaphoreTryWait
            | SpinLock
            | SpinTryLock
            | OnceBegin
            | ConditionRelease
            | ConditionBlock
    )
}
