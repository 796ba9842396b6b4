//! Performing a step: the node that it adds, what it does to memory, and the event.

use super::order::{mask, write_flags};
use super::sync::gives;
use super::{Axiomatic, Axioms, Draft, Id, Kind, NONE, State, WAITER, flag, is_as_written};
use crate::Step;
use crate::operational::Outcome;
use crate::spin::DEEPEST_LOOP;
use selvedge_program::FenceOrder;
use selvedge_trace::{Completion, Event, Operation, SyncOp, ThreadId};
use selvedge_vm::{Machine, Stop};

impl<A: Axioms> Axiomatic<'_, A> {
    /// The thread waits, after it has looked in vain.
    pub(super) fn block(&mut self, thread: ThreadId, number: u32, operation: &Operation) -> Step {
        let since = self.graph.newest();
        let mut from = self.graph.threads()[number as usize].nodes.len() as u32;
        match self.round(thread) {
            Some(round) => {
                let nodes = &self.graph.threads()[number as usize].nodes;
                let in_round = |id: &&Id| {
                    let node = self.graph.node(**id);
                    node.trace != NONE && self.trace[node.trace as usize].index >= round
                };
                from -= nodes.iter().rev().take_while(in_round).count() as u32;
            }
            None => {
                if let Operation::Sync { op, object, .. } = *operation
                    && let Ok(Some(cell)) = {
                        let (address, size) = Machine::sync_footprint(op, object);
                        self.cell(thread, address, size as u32)
                    }
                {
                    let source = self.graph.last_write(cell);
                    let flags = flag::SYNC | flag::AT_ONCE;
                    self.graph.push(number, Draft { flags, cell, source, ..Draft::other(Kind::Read) });
                    self.graph.close(number, self.trace.len() as u32);
                }
            }
        }
        self.graph.push(number, Draft::other(Kind::Block { from, since }));
        self.graph.close(number, self.trace.len() as u32);
        Step::Done
    }

    /// A read: its first part, or all of it.
    pub(super) fn read(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        cell: u32,
        choice: u32,
    ) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let phase = self.phase(number);
        let rank = choice as usize & ((1 << WAITER) - 1);
        let source = self.graph.of_rank(cell, rank).unwrap_or(self.graph.last_write(cell));
        let state = self.graph.state_of(cell, source);
        let is_last = source == self.graph.last_write(cell);
        let stale = if is_last { 0 } else { flag::STALE };
        let flags = self.read_flags(operation, source, cell) | stale;
        let draft = Draft { flags, phase, cell, source, state, ..Draft::other(Kind::Read) };
        if let Operation::Sync { op, .. } = *operation {
            return self.sync_read(thread, number, operation, op, draft, choice >> WAITER, is_last);
        }
        if !is_last {
            self.put(cell, state);
        }
        let answer = self.machine.answer(thread, operation, 0);
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let next = match (operation, &answer) {
            (Operation::Rmw { .. } | Operation::CompareExchange { .. }, Ok(_)) => self.look(address, size),
            _ => state,
        };
        let writes = match (operation, &answer) {
            // A thread that waits by writing what is there (test-and-set) has only looked: see the opening comment.
            (Operation::Rmw { .. }, Ok(_)) => next != state || !self.machine.is_in_loop(thread, DEEPEST_LOOP),
            (Operation::CompareExchange { .. }, Ok(Completion::Exchanged { success, .. })) => *success,
            _ => false,
        };
        if !is_last || writes {
            self.put_last(cell);
        }
        if writes {
            let flags = flags | flag::UPDATE | flag::OPEN;
            self.graph.push(number, Draft { flags, next, ..draft });
            self.note_published();
            return Ok(());
        }
        self.graph.push(number, draft);
        let completion = answer?;
        self.finish(thread, number, operation, completion, 0, state.low)
    }

    /// The write of an update.
    pub(super) fn update(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        cell: u32,
        source: Id,
    ) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let read = *self.graph.node(self.graph.last_of(number));
        let at = self.graph.rank(cell, source);
        let flags = write_flags(operation, true);
        let phase = read.phase + 1;
        let draft = Draft { flags, phase, cell, source, state: read.next, at, ..Draft::other(Kind::Write) };
        let Operation::Sync { op, .. } = *operation else {
            self.graph.push(number, draft);
            self.put_last(cell);
            let completion = match operation {
                Operation::CompareExchange { .. } => {
                    Completion::Exchanged { old: read.state.low, success: true }
                }
                _ => Completion::Value(read.state.low),
            };
            return self.finish(thread, number, operation, completion, 0, read.state.low);
        };
        if phase == 1 {
            let releases = if gives(op) { flag::RELEASE } else { 0 };
            let choice = (read.next.high & 0xffff) * u32::from(op == SyncOp::ConditionSignal);
            let answer = self.machine.answer(thread, operation, choice);
            let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
            let condition = matches!(
                op,
                SyncOp::ConditionSignal
                    | SyncOp::ConditionBroadcast
                    | SyncOp::ConditionRelease
                    | SyncOp::ConditionBlock
            );
            let state = if condition { read.next } else { self.look(address, size) };
            let open = if op == SyncOp::ConditionRelease { flag::OPEN } else { 0 };
            self.graph.push(number, Draft { flags: flags | releases | open, state, ..draft });
            let completion = answer?;
            if open != 0 {
                return Ok(());
            }
            return self.finish(thread, number, operation, completion, choice, read.state.low);
        }
        // The second half of a wait: the mutex, which the machine has given back already.
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let state = self.look(address, size);
        self.graph.push(number, Draft { flags: flags | flag::RELEASE, state, ..draft });
        self.finish(thread, number, operation, Completion::Value(0), 0, read.state.low)
    }

    pub(super) fn store(
        &mut self,
        thread: ThreadId,
        operation: &Operation,
        cell: u32,
        choice: u32,
    ) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let before = self.graph.state_of(cell, self.graph.last_write(cell));
        let last = self.graph.cell(cell).writes.len();
        let at = (choice as usize).min(last);
        let answer = self.machine.answer(thread, operation, 0);
        let state = match *operation {
            Operation::Store { value, ty, .. } => State { low: value & mask(ty.bytes()), high: 0 },
            _ => before,
        };
        let flags = write_flags(operation, false);
        self.graph.push(number, Draft { flags, cell, state, at, ..Draft::other(Kind::Write) });
        self.put_last(cell);
        let completion = answer?;
        self.finish(thread, number, operation, completion, 0, before.low)
    }

    /// Anything but an access to a location.
    pub(super) fn other(&mut self, thread: ThreadId, operation: &Operation, choice: u32) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let kind = match *operation {
            Operation::Fence { .. } => Kind::Fence,
            Operation::Choose { .. } => Kind::Choose(choice),
            Operation::Join { thread: Some(other) } => match self.graph.known_number(other) {
                Some(other) if other != number => Kind::Join(other),
                _ => Kind::Other,
            },
            Operation::Spawn { .. } => {
                let children = self.machine.thread(thread).map_or(0, |thread| thread.position.children);
                match ThreadId::child(thread, children) {
                    Some(child) => Kind::Spawn(self.graph.number(child)),
                    None => Kind::Other,
                }
            }
            _ => Kind::Other,
        };
        let flags = match *operation {
            Operation::Release { .. } => flag::AT_ONCE | flag::PLAIN,
            Operation::Fence { order } => match order {
                FenceOrder::Acquire => flag::ACQUIRE,
                FenceOrder::Release => flag::RELEASE,
                FenceOrder::AcqRel => flag::ACQUIRE | flag::RELEASE,
                FenceOrder::SeqCst => flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST | flag::AT_ONCE,
            },
            Operation::Choose { .. } | Operation::Assume { .. } | Operation::Yield => 0,
            _ => flag::AT_ONCE,
        };
        let leaves_barrier = match *operation {
            Operation::Sync { op: SyncOp::BarrierBlock, object, .. } => self.last_arrival(number, object),
            _ => None,
        };
        match leaves_barrier {
            Some((cell, source)) => {
                let flags = flag::ACQUIRE | flag::SYNC | flag::AT_ONCE;
                self.graph.push(number, Draft { flags, cell, source, ..Draft::other(Kind::Wake) })
            }
            None => self.graph.push(number, Draft { flags, ..Draft::other(kind) }),
        };
        if let Operation::WaitForOthers { .. } = operation {
            let others = 0..self.graph.threads().len() as u32;
            let last: Vec<Id> = others.map(|other| self.graph.last_of(other)).collect();
            last.into_iter().filter(|id| *id != NONE).for_each(|id| self.graph.also_before(id));
        }
        let completion = self.machine.answer(thread, operation, choice)?;
        self.finish(thread, number, operation, completion, choice, 0)
    }

    /// Takes note of objects that others can reach from now on.
    pub(super) fn note_published(&mut self) {
        let last = self.graph.nodes().len() as Id - 1;
        for (start, size) in self.machine.take_published() {
            self.published.push((start, start + size, last));
            // What a thread has stored to its own object in atomic operations may be seen by whoever gets it.
            let kept = self.machine.is_on_heap(start);
            let machine = &self.machine;
            self.graph.renew(start, start + size, |graph, cell| kept && is_as_written(machine, graph, cell));
        }
    }

    /// The operation is complete, and the thread goes on.
    pub(super) fn finish(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        completion: Completion,
        choice: u32,
        before: u128,
    ) -> Result<(), Stop> {
        self.note_published();
        let written = match (operation, self.graph.nodes().last()) {
            (Operation::Copy { .. } | Operation::Set { .. }, _) => None,
            (Operation::Store { value, ty, .. }, _) => Some(*value & mask(ty.bytes())),
            (_, Some(node)) if node.kind == Kind::Write && !node.is(flag::SYNC) => Some(node.state.low),
            _ => None,
        };
        let read = match completion {
            Completion::Value(value) | Completion::Exchanged { old: value, .. } => Some(value),
            Completion::Done => None,
        };
        self.record(thread, number, operation, choice, before, read, written);
        let in_loop = self.machine.is_in_loop(thread, DEEPEST_LOOP);
        let history = self.history(thread);
        if in_loop || !history.ignores(operation) {
            let mark = history.mark();
            self.undo.push((thread, mark));
            let result = match completion {
                Completion::Value(value) => value,
                _ => 0,
            };
            let seen = match operation {
                Operation::Load { .. } => result,
                // Of the state of an object, the first bytes are looked at.
                Operation::Sync { .. } => before & u128::from(u64::MAX),
                _ => before,
            };
            let changed = written.is_some_and(|written| written != before);
            let outcome = Outcome { before: seen, changed, buffered: false, result };
            self.history(thread).step(operation, &outcome);
        }
        match self.machine.complete(thread, completion) {
            Stop::Visible | Stop::Finished | Stop::Exited => Ok(()),
            stop => Err(stop),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what belongs to one event")]
    pub(super) fn record(
        &mut self,
        thread: ThreadId,
        number: u32,
        operation: &Operation,
        choice: u32,
        before: u128,
        read: Option<u128>,
        written: Option<u128>,
    ) {
        let position = self.trace.len() as u32;
        self.graph.close(number, position);
        self.trace.push(Event {
            thread,
            index: self.machine.thread(thread).map_or(0, |thread| thread.position.events),
            operation: *operation,
            read,
            written,
            before,
            buffered: 0,
            forwarded: 0,
            drained: false,
            atomic_section: false,
            choice,
            span: self.machine.place(thread),
        });
        self.find_races(number, operation);
    }
}
