//! Threads that wait: in loops, and for synchronisation objects.
//!
//! The opening of [`super`] says how they are treated.

use super::{Frame, Search, Went};
use crate::{Beyond, Scope};
use selvedge_memory::System;
use selvedge_memory::axiomatic::{Axiomatic, Axioms, BLOCK, Id, Kind, NONE, Next, State, flag};
use selvedge_trace::ThreadId;

/// A thread that is postponed because a round of its loop led nowhere.
#[derive(Clone)]
pub(super) struct Postponed {
    pub(super) thread: ThreadId,
    /// How many steps had been taken.
    pub(super) depth: usize,
    /// What it has read: address, size, value.
    pub(super) watched: Vec<selvedge_memory::ReadValue>,
}

impl<A: Axioms> Search<'_, '_, '_, A> {
    /// Whether a thread is postponed, and what it has read is still what was written last.
    pub(super) fn is_postponed(&mut self, thread: ThreadId) -> bool {
        let system = &mut self.session.system;
        let mut own = self.postponed.iter().filter(|postponed| postponed.thread == thread);
        own.any(|postponed| postponed.watched.iter().all(|read| system.is_last(read)))
    }

    /// Whether a thread that has to wait has not blocked yet, or there is something new since.
    pub(super) fn has_something_to_try(&mut self, thread: ThreadId) -> bool {
        let Ok(next) = self.session.system.next(thread) else { return true };
        if next == Next::Nothing || self.session.system.has_blocked_before_await(thread) {
            return false;
        }
        let Some(since) = self.fresh_since(thread) else { return true };
        let graph = self.graph();
        // What is the same again would be read in vain again.
        let is_new = |(cell, state): (u32, State)| {
            let mut writes = graph.cell(cell).writes.iter().map(|write| graph.node(*write));
            writes.any(|write| write.stamp > since && write.state != state)
        };
        self.looked_at(thread).into_iter().any(is_new)
    }

    /// Whether a thread has ended although it had blocked and then read nothing new: that was tried before it blocked. Or whether one
    /// awaits a value and has not read the last one.
    pub(super) fn has_stale_exit(&mut self) -> bool {
        if !self.graph().has_blocks() {
            return false;
        }
        let threads: Vec<ThreadId> = self.session.system.threads().collect();
        threads.into_iter().any(|thread| {
            let has_ended = self.session.system.pending(thread).is_none();
            has_ended && self.fresh_since(thread).is_some()
                || self.session.system.has_blocked_before_await(thread)
                    && !self.session.system.has_read_last_in_vain(thread)
        })
    }

    /// What a thread had looked at when it last blocked, and what it had seen.
    pub(super) fn looked_at(&self, thread: ThreadId) -> Vec<(u32, State)> {
        let graph = self.graph();
        let Some(number) = graph.known_number(thread) else { return Vec::new() };
        let nodes = &graph.threads()[number as usize].nodes;
        let block = nodes.iter().rev().map(|id| graph.node(*id)).find_map(|node| match node.kind {
            Kind::Block { from, .. } => Some(from as usize..node.index as usize),
            _ => None,
        });
        let round = &nodes[block.unwrap_or(0..0)];
        let reads = round.iter().map(|id| graph.node(*id)).filter(|node| node.kind == Kind::Read);
        let mut cells: Vec<(u32, State)> =
            reads.map(|node| (node.cell, graph.state_of(node.cell, node.source))).collect();
        cells.sort_unstable_by_key(|(cell, _)| *cell);
        cells.dedup_by_key(|(cell, _)| *cell);
        cells
    }

    /// If a thread has blocked and not gone on since with something new: the stamp at which it did.
    pub(super) fn fresh_since(&self, thread: ThreadId) -> Option<u32> {
        let graph = self.graph();
        if !graph.has_blocks() {
            return None;
        }
        let nodes = &graph.threads()[graph.known_number(thread)? as usize].nodes;
        let mut newest = 0;
        for node in nodes.iter().rev().map(|id| graph.node(*id)) {
            match node.kind {
                Kind::Block { since, .. } => return Some(since).filter(|since| newest <= *since),
                Kind::Read if node.source != NONE => newest = newest.max(graph.node(node.source).stamp),
                // It may be part of another round that is in vain.
                Kind::Write if node.is(flag::IDLE) => {}
                Kind::Write => return None,
                _ => {}
            }
        }
        None
    }

    pub(super) fn forget_postponed(&mut self, depth: usize) {
        self.postponed.retain(|postponed| postponed.depth < depth);
    }

    /// The nodes of the round of a waiting loop that a thread has come to the end of.
    pub(super) fn round(&self, thread: ThreadId) -> Option<&[Id]> {
        let system = &self.session.system;
        let round = system.round(thread)?;
        let (events, graph) = (system.events(), system.graph());
        let number = graph.known_number(thread)?;
        if system.is_busy(number) {
            // It is in the middle of an operation of the next round.
            return None;
        }
        let nodes = &graph.threads()[number as usize].nodes;
        let in_round = |id: &&Id| {
            let node = graph.node(**id);
            node.trace != NONE
                && (events[node.trace as usize].index >= round)
                && !matches!(node.kind, Kind::Block { .. })
        };
        Some(&nodes[nodes.len() - nodes.iter().rev().take_while(in_round).count()..])
    }

    /// Whether a thread has come to the end of a round of a waiting loop in which an update has left what was there.
    pub(super) fn has_idled(&self, thread: ThreadId) -> bool {
        let is_idle = |id: &Id| self.graph().node(*id).is(flag::IDLE);
        self.round(thread).is_some_and(|round| round.iter().any(is_idle))
    }

    /// Who else reads from updates that have left what was there, in the round of a waiting loop that a thread has come to the end of.
    fn readers_of_round(&self, thread: ThreadId) -> Readers {
        let graph = self.graph();
        let mut readers = Readers::Nobody;
        for write in self.round(thread).unwrap_or_default() {
            let node = graph.node(*write);
            if node.kind != Kind::Write || !node.is(flag::IDLE) {
                continue;
            }
            let reads = graph.cell(node.cell).reads.iter().map(|read| graph.node(*read));
            for read in
                reads.filter(|read| read.source == *write && read.reads() && read.thread != node.thread)
            {
                if read.stamp < node.stamp {
                    return Readers::Revisited;
                }
                readers = Readers::Later;
            }
        }
        readers
    }

    /// If a thread has come to the end of a round of a waiting loop: takes it back, or lets the thread block.
    pub(super) fn look_for_round(&mut self, thread: ThreadId) -> Went {
        let graph = self.graph();
        let Some(nodes) = self.round(thread) else { return Went::On };
        let is_stale = nodes.iter().any(|id| graph.node(*id).is(flag::STALE));
        let begin = nodes.first().map_or(graph.nodes().len(), |id| *id as usize);
        if !is_stale && !self.session.system.is_spinning(thread) {
            // Something has changed on the way.
            return Went::On;
        }
        if self.scope == Scope::Orders {
            return self.give_up(Beyond::Loop);
        }
        if self.graph().nodes().last().is_some_and(|node| node.is(flag::IDLE))
            && let Some(frame) = self.frames.last_mut()
        {
            // The other ways of this write are revisits; but nobody is to read what was written in a round that goes.
            frame.ways.start = frame.ways.end;
        }
        if is_stale {
            return Went::Back;
        }
        let depth = self.frames.iter().rposition(|frame| frame.nodes <= begin).unwrap_or(0);
        let free = |frame: &Frame<_>| frame.thread == thread && !frame.fixed && frame.before.is_none();
        if self.frames[depth..].iter().all(free) && self.frames[depth].nodes == begin {
            let watched = self.session.system.watched(thread).map(<[_]>::to_vec).unwrap_or_default();
            self.session.rewind(&self.frames[depth].mark);
            self.ways.truncate(self.frames[depth].first);
            self.frames.truncate(depth);
            self.postponed.push(Postponed { thread, depth, watched });
            return Went::On;
        }
        match self.readers_of_round(thread) {
            Readers::Nobody => {}
            // The same is explored without the round.
            Readers::Revisited => return Went::Back,
            // What the others read can still go with what they have read it with.
            Readers::Later => return Went::On,
        }
        if !self.only_look(thread) {
            return self.broken();
        }
        let stamp = self.graph().nodes().last().map_or(1, |node| node.stamp);
        self.fix(thread, &mut None);
        self.perform(BLOCK, stamp)
    }
}

/// Who reads what was written in a round of a waiting loop that leads back to where it began.
enum Readers {
    /// No other thread.
    Nobody,
    /// Reads that were there before, and were revisited.
    Revisited,
    /// Reads that came later.
    Later,
}

/// Whether the next operation of a thread may be part of a waiting loop, although it reads nothing.
pub(super) fn is_harmless<A: Axioms>(system: &Axiomatic<'_, A>, thread: ThreadId) -> bool {
    use selvedge_trace::Operation::{Assume, Choose, Fence, Yield};
    let operation = system.pending(thread);
    matches!(operation, Some(Yield | Fence { .. } | Choose { .. } | Assume { .. }))
}
