//! Threads that await a value (see `awaits.rs`), while graphs grow.
//!
//! A read by which a thread awaits a value is like the taking of a lock: it has to wait while the last value written is fruitless, and it
//! reads from no write whose value is. If it has to wait for good, it reads the last one in vain ([`Waits::ForRevisit`]); explorers decide
//! when. Whether a value is fruitless follows from the local state of the thread; it is found out once, by running the machine ahead.

use super::known::LocalState;
use super::{Axiomatic, Axioms, Draft, Id, Kind, NONE, Waits};
use crate::{LookAhead, Step, awaits};
use selvedge_trace::{Operation, ThreadId};

impl<A: Axioms> Axiomatic<'_, A> {
    /// Whether the next node of a thread is the read by which it may await a value.
    pub fn may_await(&self, thread: ThreadId) -> bool {
        let number = self.graph.known_number(thread);
        self.look_ahead == LookAhead::On && number.is_some_and(|number| self.stands_before_await(number))
    }

    /// The same, whether or not explorers look ahead.
    fn stands_before_await(&self, number: u32) -> bool {
        self.known_state(number).is_some_and(|local| local.may_await) && !self.is_busy(number)
    }

    /// Whether a thread that may await a value would be where it is again if it read from a source.
    pub fn is_source_fruitless(&mut self, thread: ThreadId, cell: u32, source: Id) -> bool {
        let value = self.graph.state_of(cell, source).low;
        let Some(number) = self.graph.known_number(thread) else { return false };
        let here = self.here[number as usize];
        if let Some(answer) = self.known.is_fruitless(here, value) {
            return answer;
        }
        let Some(operation) = self.operation(number).copied() else { return false };
        self.catch_up();
        // It has one: it is in a loop.
        self.history(thread);
        let answer = awaits::comes_back(
            &mut self.machine,
            &self.histories.of_threads[thread.number()],
            thread,
            &operation,
            value,
        );
        self.machine.take_entangled();
        self.known.note_fruitless(here, value, answer);
        answer
    }

    /// Whether a thread has blocked before an access at which it may await a value: then it goes on only if that is revisited.
    pub fn has_blocked_before_await(&self, thread: ThreadId) -> bool {
        let Some(number) = self.graph.known_number(thread) else { return false };
        let last = self.graph.last_of(number);
        last != NONE && matches!(self.graph.node(last).kind, Kind::Block { waits: Waits::ForRevisit, .. })
    }

    /// Whether what a thread has read in vain before it blocked is what was written last. (If its location is gone, it is not.)
    pub fn has_read_last_in_vain(&mut self, thread: ThreadId) -> bool {
        let Some(number) = self.graph.known_number(thread) else { return false };
        let Some(cell) = self.awaited_cell(thread, number) else { return false };
        let nodes = &self.graph.threads()[number as usize].nodes;
        let vain = nodes.len().checked_sub(2).map(|at| self.graph.node(nodes[at]));
        vain.is_some_and(|vain| vain.cell == cell && vain.source == self.graph.last_write(cell))
    }

    /// The location at which a thread may await a value. If it is gone, the next access is an error.
    fn awaited_cell(&mut self, thread: ThreadId, number: u32) -> Option<u32> {
        if !self.stands_before_await(number) {
            return None;
        }
        let access = self.known_state(number)?.access?;
        self.cell(thread, access.address, access.size).ok().flatten()
    }

    /// Whether a thread awaits a value and the last one written is fruitless.
    pub(super) fn awaits_in_vain(&mut self, thread: ThreadId) -> bool {
        let Some(number) = self.graph.known_number(thread) else { return false };
        self.awaited_cell(thread, number)
            .is_some_and(|cell| self.is_source_fruitless(thread, cell, self.graph.last_write(cell)))
    }

    /// A thread that awaits a value reads the last one in vain, and blocks.
    pub(super) fn block_before_await(&mut self, thread: ThreadId, number: u32) -> Step {
        let since = self.graph.newest();
        let from = self.graph.threads()[number as usize].nodes.len() as u32;
        if let Some(cell) = self.awaited_cell(thread, number) {
            self.read_in_vain(number, cell, self.graph.last_write(cell));
            self.graph.push(number, Draft::other(Kind::Block { from, since, waits: Waits::ForRevisit }));
            self.graph.close(number, self.trace.len() as u32);
        }
        Step::Done
    }

    /// Notes that a thread has come to a local state in which it may await a value.
    pub(super) fn note_await(&mut self, thread: ThreadId, local: &LocalState) {
        if self.look_ahead == LookAhead::Off || !local.may_await {
            return;
        }
        if let (Some(operation), Some(access)) = (self.machine.pending(thread), local.access) {
            self.left_out.note_await(thread, &operation, access.address, u64::from(access.size), &self.trace);
        }
    }

    /// Notes an operation that may be in a race with a round that is left out.
    #[inline]
    pub(super) fn note_access(&mut self, thread: ThreadId, operation: &Operation) {
        self.left_out.note_access(thread, operation);
    }
}
