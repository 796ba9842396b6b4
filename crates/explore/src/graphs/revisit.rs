//! Revisits: a write becomes the source of a read that is there already.
//!
//! All that was added after the read goes, but for what the write depends on. The machine can only go back to where it was. So it
//! goes back to the first node that goes, and performs again what stays; and when all that followed from the revisit has
//! been seen, it restores what went, but only as far as there is still something else to try. What is remembered for that
//! is one sequence of steps for each revisit under way, and what they did to the machine and the graph: that was set
//! aside, and need not be done again.

use super::{Attempt, Early, Frame, MarkOf, Name, Search, StepOf, Turning, Way, Went};
use crate::Turn;
use crate::core::session::SessionMark;
use selvedge_memory::axiomatic::{
    AWAIT, Aside, Axioms, BLOCK, Graph, Id, Kind, LOOK, NONE, Next, Node, WAITER, flag,
};
use selvedge_trace::ThreadId;

#[cfg(test)]
mod tests;

/// What a revisit has taken back.
pub(super) struct Before<M> {
    pub(super) frames: Vec<Frame<M>>,
    /// What they have done, if that could be kept.
    pub(super) aside: Option<Box<Aside>>,
}

/// That, until a step knows it.
type Segment<M> = Option<Box<Before<M>>>;

/// A part of what is to be restored after a revisit.
struct Piece<M> {
    /// Where its steps begin.
    start: usize,
    /// The state in which they do.
    mark: SessionMark<M>,
    /// What they have done.
    aside: Option<Box<Aside>>,
}

impl<'i, A: Axioms> Search<'_, '_, 'i, A> {
    /// Takes the last step back, of which everything has been seen; and if it was the first of a revisit, restores what was
    /// there before.
    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.last()
            && frame.before.is_none()
            && !frame.shared
        {
            // Whatever is tried next, it returns to a state before this one.
            self.ways.truncate(frame.first);
            self.frames.truncate(self.frames.len() - 1);
            self.forget_postponed(self.frames.len() + 1);
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        if frame.shared {
            // What others do comes in between.
            let next = self.path_after(&[], &frame);
            self.record(next);
        }
        self.session.rewind(&frame.mark);
        self.ways.truncate(frame.first);
        self.forget_postponed(self.frames.len() + 1);
        let Some(before) = frame.before else { return };
        let Before { frames: mut segment, aside } = *before;
        let mut pieces = vec![Piece { start: 0, mark: frame.mark, aside }];
        // Only what has something else to try is needed again, and what comes before it.
        while let Some(last) = segment.last_mut() {
            if !last.ways.is_empty() {
                break;
            }
            let Some(frame) = segment.pop() else { break };
            if frame.shared {
                let next = self.path_after(&segment, &frame);
                self.record(next);
            }
            // Of a piece that has no steps left, nothing is needed.
            let mut is_kept = true;
            if let Some(piece) = pieces.pop_if(|piece| piece.start == segment.len()) {
                is_kept = piece.aside.is_some();
                piece.aside.into_iter().for_each(|aside| self.session.system.discard(aside));
            }
            if let Some(before) = frame.before {
                // What was set aside earlier went with what could not be kept.
                let aside = before.aside.filter(|_| is_kept);
                pieces.push(Piece { start: segment.len(), mark: frame.mark, aside });
                segment.extend(before.frames);
            }
        }
        self.restore(segment, pieces);
    }

    /// Restores steps, up to the last of them, which has not been taken.
    fn restore(&mut self, steps: Vec<StepOf<'i, A>>, pieces: Vec<Piece<MarkOf<'i, A>>>) {
        let last = steps.len().saturating_sub(1);
        let mut steps = steps.into_iter();
        let mut pieces = pieces.into_iter().peekable();
        // Whether the marks of steps hold: not after steps that had to be performed again.
        let mut is_same = true;
        let mut restored = 0;
        while let Some(piece) = pieces.next() {
            let end = pieces.peek().map_or(last + 1, |next| next.start);
            let taken = end.min(last) - restored;
            if is_same {
                self.session.rewind(&piece.mark);
            }
            is_same &= piece.aside.is_some();
            match piece.aside.filter(|_| is_same) {
                Some(aside) => {
                    self.session.system.bring_back(aside, taken as u32);
                    for frame in steps.by_ref().take(end - restored) {
                        let choice = frame.choice;
                        self.frames.push(frame);
                        if restored < last {
                            self.announce(choice);
                        }
                        restored += 1;
                    }
                }
                None => {
                    for mut frame in steps.by_ref().take(end - restored) {
                        frame.forget_asides();
                        frame.mark = self.session.mark();
                        let (choice, stamp, early) = (frame.choice, frame.stamp, frame.early);
                        self.frames.push(frame);
                        if restored < last {
                            self.again(choice, stamp, early);
                        }
                        restored += 1;
                    }
                }
            }
        }
        if let Some(frame) = self.frames.last()
            && is_same
            && restored > 0
        {
            self.session.rewind(&frame.mark);
        }
    }

    /// Tells the session of the step of the last frame, which was performed before.
    fn announce(&mut self, choice: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.session.step_through(Turn { agent: frame.thread.into(), choice });
        // It was counted when it was performed first.
        self.session.statistics.steps -= 1;
    }

    /// Performs a step that was performed before.
    pub(super) fn again(&mut self, choice: u32, stamp: u32, early: Early) {
        self.announce(choice);
        let Some(frame) = self.frames.last_mut() else { return };
        (frame.choice, frame.stamp, frame.early) = (choice, stamp, early);
        self.stamp_last();
    }

    /// Notes at the nodes of the last step when they were added, and whether they were early.
    pub(super) fn stamp_last(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        self.session.system.restamp(frame.nodes, frame.stamp);
        if frame.early == Early::Yes {
            self.session.system.set_early(frame.nodes);
        }
    }

    /// The next write of the last frame's thread, which comes `at` this place, becomes the source of a read; or, if there is none,
    /// the thread ends the life of what another one accesses.
    pub(super) fn revisit(&mut self, read: Name, at: Option<u32>) -> Went {
        let Some(writer) = self.frames.last().map(|frame| frame.thread) else { return Went::Back };
        let graph = self.graph();
        let read_node = *graph.node(graph.threads()[read.0 as usize].nodes[read.1 as usize]);
        let reader = graph.threads()[read.0 as usize].id;
        let (depth, mut segment) = match self.cut(writer, read_node.stamp) {
            Ok(cut) => cut,
            Err(went) => return went,
        };
        self.fix(writer, &mut segment);
        let choice = at.unwrap_or(0);
        if !self.is_allowed(writer, choice) {
            self.undo_revisit(depth);
            return Went::No;
        }
        let newest = self.graph().newest().max(read_node.stamp);
        self.again(choice, newest + 1, Early::No);
        if self.has_idled(writer) {
            // What it has written goes with the round of its waiting loop: nobody is to read it.
            self.undo_revisit(depth);
            return Went::No;
        }
        self.fix(reader, &mut segment);
        let rank = choice + 1;
        let start = self.ways.len();
        match self.session.system.next(reader) {
            // There is nothing to access any more: performing it says so.
            Ok(Next::Other(_)) | Err(_) => self.ways.push(Way::Add(0)),
            // There is again: in the next round of a loop, the memory of a local object is used for the same one.
            Ok(Next::Read { .. }) if at.is_none() => {
                let mut choices = std::mem::take(&mut self.choices);
                choices.clear();
                self.session.system.sources(reader, None, &mut choices);
                self.ways.extend(choices.iter().map(|choice| Way::Add(*choice)));
                self.choices = choices;
            }
            Ok(Next::Write { cell, update }) if at.is_none() => {
                let system = &self.session.system;
                let floor =
                    system.graph().known_number(reader).map_or(0, |number| system.floor(number, cell));
                let ways = &mut self.ways;
                system.places(cell, floor, update, |place| ways.push(Way::Add(place)));
            }
            Ok(Next::Read { cell }) if self.awaits_in_vain(reader, cell, rank) => {
                // What comes before other writes is passed over.
                let is_last = rank as usize == self.graph().cell(cell).writes.len();
                self.ways.extend(is_last.then_some(Way::Add(AWAIT)));
            }
            Ok(Next::Read { .. }) if self.session.system.may_await(reader) => self.ways.push(Way::Add(rank)),
            Ok(Next::Read { .. }) if read_node.is(flag::SYNC) => {
                // A lock may find it taken now; a signal may wake any of those who wait.
                let mut choices = std::mem::take(&mut self.choices);
                choices.clear();
                self.session.system.sources(reader, None, &mut choices);
                choices.retain(|choice| choice & ((1 << WAITER) - 1) == rank);
                if choices.is_empty() {
                    choices.push(BLOCK);
                }
                self.ways.extend(choices.iter().map(|choice| Way::Add(*choice)));
                self.choices = choices;
            }
            _ => self.ways.push(Way::Add(rank)),
        }
        let end = self.ways.len();
        if let Some(frame) = self.frames.last_mut() {
            (frame.ways, frame.pinned) = (start..end, Some(read_node.stamp));
            frame.gone = (end - start > 1).then_some(0);
        }
        match self.advance(Attempt::First) {
            // Not consistent, or it has ended: what was there before is restored on the way back.
            Went::No => Went::Back,
            went => went,
        }
    }

    /// Whether a thread would read a value in vain that it awaits.
    fn awaits_in_vain(&mut self, thread: ThreadId, cell: u32, rank: u32) -> bool {
        let system = &mut self.session.system;
        let source = system.graph().of_rank(cell, rank as usize);
        system.may_await(thread)
            && source.is_some_and(|source| system.is_source_fruitless(thread, cell, source))
    }

    /// The next operation of the last frame's thread comes before another thread ends the life of the object that it accesses.
    pub(super) fn come_before(&mut self, end: Name) -> Went {
        let Some(thread) = self.frames.last().map(|frame| frame.thread) else { return Went::Back };
        let graph = self.graph();
        let stamp = graph.node(graph.threads()[end.0 as usize].nodes[end.1 as usize]).stamp;
        let (depth, mut segment) = match self.cut(thread, stamp) {
            Ok(cut) => cut,
            Err(went) => return went,
        };
        self.fix(thread, &mut segment);
        let start = self.ways.len();
        if !self.list_ways(thread, Turning::Ready) {
            self.undo_revisit(depth);
            return Went::No;
        }
        let end = self.ways.len();
        if let Some(frame) = self.frames.last_mut() {
            (frame.ways, frame.early) = (start..end, Early::Yes);
            frame.gone = (end - start > 1).then_some(0);
        }
        match self.advance(Attempt::First) {
            Went::No => Went::Back,
            went => went,
        }
    }

    /// Takes back all that is not older than a stamp, but for what the next operation of the last frame's thread depends on. Gives
    /// the depth from which on steps were taken back, and these.
    fn cut(&mut self, thread: ThreadId, stamp: u32) -> Result<(usize, Segment<MarkOf<'i, A>>), Went> {
        let graph = self.graph();
        let causes = graph.known_number(thread).and_then(|number| self.groups.causes(graph, number));
        let Some(causes) = causes else { return Err(Went::No) };
        let causes = &*causes;
        let cut = Cut { graph, stamp, causes };
        let first = (0..graph.nodes().len() as Id).find(|id| !cut.stays(*id)).unwrap_or(0) as usize;
        let depth = self.frames.iter().rposition(|frame| frame.nodes <= first).unwrap_or(0);
        // What stays of the steps from there on, and how they are to be performed.
        let last = self.frames.len() - 1;
        let stay = self.frames[depth..last].iter().filter(|frame| cut.stays(frame.nodes as Id));
        let plan = stay.map(|frame| plan_of(graph, frame, |id| cut.stays(id))).collect();
        let mut segment = self.take_from(depth);
        match self.perform_again(plan, &mut segment) {
            true => Ok((depth, segment)),
            false => Err(self.broken()),
        }
    }

    /// Takes back the steps from one on. Gives what was taken back.
    fn take_from(&mut self, depth: usize) -> Segment<MarkOf<'i, A>> {
        let frames: Vec<Frame<_>> = self.frames.drain(depth..).collect();
        if frames.iter().any(|frame| !frame.ways.is_empty() || frame.before.is_some()) {
            self.session.system.keep();
        }
        self.session.rewind(&frames[0].mark);
        self.forget_postponed(depth);
        let aside = self.session.system.kept();
        Some(Box::new(Before { frames, aside }))
    }

    /// Performs steps again; the first of them knows what was there before. `false`: one of them is not possible.
    fn perform_again(&mut self, plan: Plan, before: &mut Segment<MarkOf<'i, A>>) -> bool {
        for (thread, way, stamp, early) in plan {
            self.fix(thread, before);
            let Some(choice) = self.choice_of(thread, &way) else { return false };
            self.again(choice, stamp, early);
        }
        true
    }

    /// The updates in the round of a waiting loop that a thread has come to the end of, which have left what was there, only
    /// look. Nobody else reads from them. `false`: that is not possible.
    pub(super) fn only_look(&mut self, thread: ThreadId) -> bool {
        let graph = self.graph();
        let round = self.round(thread).unwrap_or_default();
        let is_idle = |id: Id| graph.node(id).is(flag::IDLE) && round.contains(&id);
        let Some(first) = round.iter().copied().find(|id| is_idle(*id)) else { return true };
        let depth = self.frames.iter().rposition(|frame| frame.nodes <= first as usize).unwrap_or(0);
        let goes = |id: Id| is_idle(id) && graph.node(id).kind == Kind::Write;
        // What was read from an update is what it has read itself.
        let origin = |mut source: Id| {
            while source != NONE && goes(source) {
                source = graph.node(source).source;
            }
            source
        };
        let stay = self.frames[depth..].iter().filter(|frame| !goes(frame.nodes as Id));
        let plan = stay.map(|frame| {
            let (thread, mut way, stamp, early) = plan_of(graph, frame, |id| !goes(id));
            let id = frame.nodes as Id;
            if let Again::Read { source, waiter } = &mut way {
                *source = name_of(graph, origin(graph.node(id).source));
                *waiter |= if is_idle(id) { LOOK } else { 0 };
            }
            (thread, way, stamp, early)
        });
        let plan = plan.collect();
        let mut segment = self.take_from(depth);
        self.perform_again(plan, &mut segment)
    }

    pub(super) fn broken(&mut self) -> Went {
        // Names are those of nodes that stay, so this does not happen.
        debug_assert!(false, "a node that stays depends on one that goes");
        Went::Back
    }

    /// A step without other ways; the first of a revisit knows what was there before.
    pub(super) fn fix(&mut self, thread: ThreadId, before: &mut Segment<MarkOf<'i, A>>) {
        let mark = self.session.mark();
        let at = self.ways.len();
        let nodes = self.graph().nodes().len();
        let before = before.take();
        self.frames.push(Frame {
            mark,
            thread,
            nodes,
            first: at,
            ways: at..at,
            pinned: None,
            choice: 0,
            stamp: 0,
            fixed: true,
            early: Early::No,
            before,
            gone: None,
            shared: false,
            alternatives: 1,
        });
    }

    /// Takes back a revisit that is not consistent.
    fn undo_revisit(&mut self, depth: usize) {
        while self.frames.len() > depth + 1 {
            if let Some(frame) = self.frames.pop() {
                self.session.rewind(&frame.mark);
            }
        }
        // This restores what was there before; the way it came from has been tried.
        self.pop();
    }

    /// How a step is performed again.
    fn choice_of(&mut self, thread: ThreadId, way: &Again) -> Option<u32> {
        match way {
            Again::Same(choice) => Some(*choice),
            Again::Read { source, waiter } => {
                let graph = self.graph();
                let source = match source {
                    None => return Some(*waiter),
                    Some((thread, index)) => *graph.threads()[*thread as usize].nodes.get(*index as usize)?,
                };
                let cell = graph.node(source).cell;
                Some(graph.rank(cell, source) as u32 | waiter)
            }
            Again::Write { after } => {
                let Ok(Next::Write { .. }) = self.session.system.next(thread) else { return None };
                let graph = self.graph();
                let there = after.iter().flatten().find_map(|(thread, index)| {
                    graph.threads()[*thread as usize].nodes.get(*index as usize).copied()
                });
                Some(there.map_or(0, |write| graph.rank(graph.node(write).cell, write) as u32))
            }
        }
    }
}

/// Steps that are performed again.
type Plan = Vec<Planned>;

/// A step that is performed again: who, how, the stamp, and whether it was early.
type Planned = (ThreadId, Again, u32, Early);

/// How a step is performed again when only the nodes that stay are there.
fn plan_of<M>(graph: &Graph, frame: &Frame<M>, stays: impl Fn(Id) -> bool) -> Planned {
    let id = frame.nodes as Id;
    let node = graph.node(id);
    let way = match (frame.choice, node.kind) {
        (BLOCK | AWAIT, _) => Again::Same(frame.choice),
        (choice, Kind::Read | Kind::Wake) if node.cell != NONE => {
            Again::Read { source: name_of(graph, node.source), waiter: choice & !((1 << WAITER) - 1) }
        }
        (_, Kind::Write) => {
            let writes = &graph.cell(node.cell).writes;
            let before = writes[..graph.rank(node.cell, id) - 1].iter();
            let before = before.rev().filter(|write| stays(**write));
            Again::Write { after: before.map(|write| name_of(graph, *write)).collect() }
        }
        (choice, _) => Again::Same(choice),
    };
    (frame.thread, way, frame.stamp, frame.early)
}

/// How a step that stays is performed again.
enum Again {
    /// In the same way.
    Same(u32),
    /// It reads from the same write.
    Read { source: Option<Name>, waiter: u32 },
    /// It comes after the first of these that is there.
    Write { after: Vec<Option<Name>> },
}

fn name_of(graph: &Graph, id: Id) -> Option<Name> {
    (id != NONE).then(|| (graph.node(id).thread, graph.node(id).index))
}

/// So many nodes that go are looked at one by one.
const FEW: usize = 32;

/// What goes when a read is revisited: all that is newer, except for what the write depends on.
pub(super) struct Cut<'g> {
    pub(super) graph: &'g Graph,
    pub(super) stamp: u32,
    pub(super) causes: &'g [u32],
}

impl Cut<'_> {
    fn is_cause(&self, node: &Node) -> bool {
        node.index < self.causes[node.thread as usize]
    }

    pub(super) fn stays(&self, id: Id) -> bool {
        let node = self.graph.node(id);
        node.stamp < self.stamp || self.is_cause(node)
    }

    /// Whether everything that goes, and the read itself, was added maximally: as it would be added again.
    pub(super) fn is_maximal(&self, read: Id) -> bool {
        if !self.is_maximally_added(read) {
            return false;
        }
        // Mostly one of the first was not, or there are not many.
        let mut goes = (0..self.graph.nodes().len() as Id).filter(|id| !self.stays(*id));
        goes.by_ref().take(FEW).all(|id| self.goes_as_it_came(id, read))
            && (goes.next().is_none() || self.is_all_maximal(read))
    }

    /// Whether a node that goes was added maximally. That the read came before the end of an object is settled before it reads.
    fn goes_as_it_came(&self, id: Id, read: Id) -> bool {
        (id == read || !self.graph.node(id).is(flag::EARLY)) && self.is_maximally_added(id)
    }

    /// Whether everything that goes was added maximally, in time that is linear in the number of nodes: location by location.
    fn is_all_maximal(&self, read: Id) -> bool {
        let graph = self.graph;
        // From this stamp on, a node is there when others are added.
        let since = |id: Id| {
            let node = graph.node(id);
            if self.is_cause(node) { 0 } else { node.stamp }
        };
        let mut later = Vec::new();
        graph.cells().iter().all(|cell| {
            // By rank, since when something is there that comes later in modification order.
            later.clear();
            later.push(u32::MAX);
            let mut least = u32::MAX;
            later.extend(cell.writes.iter().rev().map(|write| {
                least = least.min(since(*write));
                least
            }));
            later.reverse();
            let is_written_last =
                |(write, later): (&Id, &u32)| self.stays(*write) || *later > graph.node(*write).stamp;
            let is_unread = |node: &Node, id: Id| {
                node.source == NONE
                    || self.stays(node.source)
                    || graph.node(node.source).cell != node.cell
                    || since(id) > graph.node(node.source).stamp
            };
            let reads_last = |node: &Node, id: Id| {
                let is_open = node.is(flag::UPDATE) && node.next.high != 0 && node.is(flag::SYNC);
                !graph.may_be_revisited(node)
                    || self.stays(id)
                    || later[graph.rank(node.cell, node.source)] > node.stamp && !is_open
            };
            cell.writes.iter().zip(&later[1..]).all(is_written_last)
                && cell.reads.iter().all(|id| {
                    let node = graph.node(*id);
                    is_unread(node, *id) && reads_last(node, *id)
                })
        }) && graph.nodes().iter().zip(0..).all(|(node, id)| {
            let is_access = matches!(node.kind, Kind::Read | Kind::Write);
            self.stays(id)
                || (id == read || !node.is(flag::EARLY)) && (is_access || self.is_maximally_added(id))
        })
    }

    fn is_maximally_added(&self, id: Id) -> bool {
        let graph = self.graph;
        let node = graph.node(id);
        // It was there, or will be when this is added again.
        let counts = |other: &Id| {
            let other = graph.node(*other);
            other.stamp <= node.stamp || self.is_cause(other)
        };
        match node.kind {
            // What was read in vain is no choice: the thread reads what it finds later, and that is looked at instead.
            Kind::Read if !graph.may_be_revisited(node) => true,
            Kind::Read => {
                let later = &graph.cell(node.cell).writes[graph.rank(node.cell, node.source)..];
                !later.iter().rev().any(counts)
                    && (!node.is(flag::UPDATE) || node.next.high == 0 || !node.is(flag::SYNC))
            }
            Kind::Write => {
                let cell = graph.cell(node.cell);
                let later = &cell.writes[graph.rank(node.cell, id)..];
                let reads = |read: &Id| graph.node(*read).source == id && counts(read);
                // What counts comes last more often than not; and who reads from it was added after it.
                let newer = cell.reads.iter().rev().take_while(|read| **read > id);
                !later.iter().rev().any(counts) && !newer.into_iter().any(reads)
            }
            Kind::Choose(choice) => choice == 0,
            // Who has gone wrong because of it would not.
            Kind::End => {
                !(0..).zip(graph.nodes()).any(|(at, other)| other.kind == Kind::After(id) && counts(&at))
            }
            _ => true,
        }
    }
}
