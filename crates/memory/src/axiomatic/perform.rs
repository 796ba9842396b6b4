//! Performing a step: the node that it adds, what it does to memory, and the event.

use super::order::{WriteOf, mask, write_flags};
use super::{Axiomatic, Axioms, Draft, Id, Kind, LOOK, NONE, State, WAITER, Waits, flag, is_as_written};
use crate::Step;
use selvedge_program::{FenceOrder, Site};
use selvedge_trace::{Completion, Event, Operation, SyncOp, ThreadId};
use selvedge_vm::address::owner;
use selvedge_vm::{Machine, Stop, result_of_access};

impl<A: Axioms> Axiomatic<'_, A> {
    /// The thread waits, after it has read in vain.
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
                    self.read_in_vain(number, cell, self.graph.last_write(cell));
                }
            }
        }
        self.graph.push(number, Draft::other(Kind::Block { from, since, waits: Waits::ForNews }));
        self.graph.close(number, self.trace.len() as u32);
        Step::Done
    }

    /// Adds a read in vain: it is no access of the program, and synchronises with nothing.
    pub(super) fn read_in_vain(&mut self, number: u32, cell: u32, source: Id) {
        let (flags, state) = (flag::SYNC | flag::AT_ONCE, self.graph.state_of(cell, source));
        self.graph.push(number, Draft { flags, cell, source, state, ..Draft::other(Kind::Read) });
        self.graph.close(number, self.trace.len() as u32);
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
        let (completion, new) = result_of_access(operation, state.low);
        let (address, size) = (self.graph.cell(cell).address, self.graph.cell(cell).size);
        let next = new.map(|new| State { low: new & mask(size), high: 0 });
        let idle = if self.is_idle(number, state, next.map(|next| next.low)) { flag::IDLE } else { 0 };
        let only_looks = idle != 0 && choice & LOOK != 0;
        if let Some(next) = next.filter(|_| !only_looks) {
            let flags = flags | flag::UPDATE | flag::OPEN | idle;
            self.graph.push(number, Draft { flags, next, ..draft });
            self.hand_over(address, size, next.low);
            return Ok(());
        }
        self.graph.push(number, draft);
        if let Operation::Load { .. } = operation {
            self.load_from(cell, source);
        }
        self.finish(thread, number, operation, completion, 0, state.low)
    }

    /// Whether the next operation of a thread, which is no operation on a synchronisation object, is an update in a loop that
    /// leaves the value as it is.
    pub(super) fn is_idle(&self, number: u32, state: State, new: Option<u128>) -> bool {
        new == Some(state.low) && self.is_in_loop(number)
    }

    /// Whether a thread may come back to its next operation.
    fn is_in_loop(&self, number: u32) -> bool {
        self.known_state(number).is_some_and(|local| local.in_loop)
    }

    /// A value is written: what it points to can be reached by others from now on, if they can see it.
    fn hand_over(&mut self, address: u64, size: u32, value: u128) {
        if self.machine.may_hand_over(size, value) {
            self.begin();
            if self.machine.is_shared(address, u64::from(size)) {
                self.machine.publish_value(size, value);
                self.note_published();
            }
        }
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
        let flags = write_flags(operation, WriteOf::Update) | read.flags & flag::IDLE;
        let phase = read.phase + 1;
        let draft = Draft { flags, phase, cell, source, state: read.next, at, ..Draft::other(Kind::Write) };
        if let Operation::Sync { op, .. } = *operation {
            return self.sync_update(thread, number, operation, op, draft);
        }
        self.graph.push(number, draft);
        let (completion, _) = result_of_access(operation, read.state.low);
        self.finish(thread, number, operation, completion, 0, read.state.low)
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
        let Operation::Store { address, value, ty, .. } = *operation else { return Ok(()) };
        let state = State { low: value & mask(ty.bytes()), high: 0 };
        let flags = write_flags(operation, WriteOf::Store);
        let defined = self.stored_bits(thread);
        self.graph.push(number, Draft { flags, cell, state, at, ..Draft::other(Kind::Write) });
        self.note_defined(defined);
        self.hand_over(address, ty.bytes(), value);
        self.finish(thread, number, operation, Completion::Done, 0, before.low)
    }

    /// Anything but an access to a location.
    pub(super) fn other(&mut self, thread: ThreadId, operation: &Operation, choice: u32) -> Result<(), Stop> {
        let number = self.graph.number(thread);
        let known = self.answer_to(number, operation, choice);
        let kind = match *operation {
            Operation::Fence { .. } => Kind::Fence,
            Operation::Choose { .. } => Kind::Choose(choice),
            Operation::Join { thread: Some(other) } => match self.graph.known_number(other) {
                Some(other) if known.is_some() => Kind::Join(other),
                _ => Kind::Other,
            },
            Operation::Spawn { .. } => {
                self.begin_entangled();
                let children = self.machine.thread(thread).map_or(0, |thread| thread.position.children);
                match ThreadId::child(thread, children) {
                    Some(child) => Kind::Spawn(self.graph.number(child)),
                    None => Kind::Other,
                }
            }
            Operation::EndScope { .. } => Kind::End,
            _ => match (self.end_of(operation), operation) {
                (Some(end), _) => Kind::After(end),
                (None, Operation::Release { .. }) => Kind::End,
                (None, _) => Kind::Other,
            },
        };
        let flags = match *operation {
            Operation::Release { .. } => flag::AT_ONCE | flag::PLAIN,
            Operation::Fence { order } => match order {
                FenceOrder::Acquire => flag::ACQUIRE,
                FenceOrder::Release => flag::RELEASE,
                FenceOrder::AcqRel => flag::ACQUIRE | flag::RELEASE,
                FenceOrder::SeqCst => flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST | flag::AT_ONCE,
            },
            Operation::EndScope { .. }
            | Operation::Choose { .. }
            | Operation::Assume { .. }
            | Operation::Yield => 0,
            Operation::WaitForOthers { .. } => flag::AT_ONCE | flag::AFTER_ALL,
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
        let completion = match known {
            Some(completion) => completion,
            None => {
                self.begin_entangled();
                self.machine.answer(thread, operation, choice)?
            }
        };
        self.finish(thread, number, operation, completion, choice, 0)
    }

    /// What completes an operation that is no access, if the machine need not be asked.
    fn answer_to(&self, number: u32, operation: &Operation, choice: u32) -> Option<Completion> {
        match *operation {
            Operation::Fence { .. } | Operation::Yield | Operation::WaitForOthers { .. } => {
                Some(Completion::Done)
            }
            Operation::Choose { options, sampled } if options > 0 => {
                Some(Completion::Value(u128::from(self.machine.chosen_value(sampled, choice))))
            }
            Operation::Join { thread: Some(other) } => {
                let joined = self.graph.known_number(other).filter(|other| *other != number)?;
                let is_first = self.graph.threads()[joined as usize].joiner == NONE;
                let result =
                    self.result_of(other).filter(|_| is_first && !self.machine.is_detached(other))?;
                Some(Completion::Value(u128::from(result)))
            }
            Operation::Sync { op: SyncOp::BarrierBlock, .. } => Some(Completion::Value(0)),
            _ => None,
        }
    }

    /// Notes the objects that others can reach from now on.
    pub(super) fn note_published(&mut self) {
        let last = self.graph.nodes().len() as Id - 1;
        let by = self.graph.threads()[self.graph.node(last).thread as usize].id;
        for (start, size) in self.machine.take_published() {
            // Somebody has found the object of a thread that has not handed it over: a pointer was disguised. How that thread
            // goes on depends on when this happens.
            self.is_repeatable &= owner(start) == Some(by);
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
        let result = match operation {
            Operation::Load { .. }
            | Operation::Rmw { .. }
            | Operation::CompareExchange { .. }
            | Operation::Join { .. }
            | Operation::Spawn { .. } => read,
            // The thread gets no result. But whether it waits in a loop depends on what it has changed.
            Operation::Store { .. } if self.is_in_loop(number) => {
                Some(u128::from(written.is_some_and(|written| written != before)))
            }
            Operation::Store { .. }
            | Operation::Fence { .. }
            | Operation::Yield
            | Operation::WaitForOthers { .. }
            | Operation::Release { .. }
            | Operation::EndScope { .. } => Some(0),
            Operation::Choose { .. } => Some(u128::from(choice)),
            Operation::Sync { .. } => {
                // It also depends on what was read in vain; and whether the thread was woken makes a difference later on.
                let seen = if self.is_in_loop(number) { before << 64 } else { 0 };
                let is_woken = self.graph.nodes().last().is_some_and(|node| node.kind == Kind::Wake);
                read.map(|result| result | u128::from(is_woken) << 32 | seen)
            }
            _ => None,
        };
        self.go_on(number, completion, result)
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
        self.note_access(thread, operation);
        let position = self.trace.len() as u32;
        self.graph.close(number, position);
        let place = self.known.get(self.here[number as usize]);
        self.trace.push(Event {
            thread,
            index: place.map_or(0, |place| place.index),
            operation: *operation,
            read,
            written,
            before,
            buffered: 0,
            forwarded: 0,
            drained: false,
            atomic_section: false,
            choice,
            site: place.map_or(Site::NONE, |place| place.site),
        });
    }
}
