//! Execution graphs, each exactly once.
//!
//! The algorithm is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial
//! Order Reduction; POPL 2022). A graph grows node by node. A read tries every write that it may read from, a write every
//! place in modification order. And since the write that a read should read from may come only later, a write also
//! *revisits* the reads that are there already: it becomes their source, and all that was added after the read goes, but
//! for what the write depends on. So that no graph is reached twice, a read is revisited only if everything that goes was
//! added in the one way in which it would be added again: reading from what was then the last write, writing last. What
//! came before what, is told by the stamps of nodes; a read keeps its stamp when it is revisited.
//!
//! # What the paper leaves open
//!
//! *Updates* are a read and a write, one right after the other. Two updates of the same write exclude each other; the
//! second one is nevertheless begun, because its write may revisit the read of the first.
//!
//! *Synchronisation objects* are locations with updates only. One that finds the object in a state in which it has to wait
//! (a lock that is taken) is not performed as long as other threads can go on. If none can, it is: with older states, for
//! the revisits; and with the last state it *blocks*. The same happens if a write revisits a lock, which then finds it
//! taken. A thread that is blocked goes on with something that was written after it blocked, and only with that: all else
//! has been tried where it blocked. What it has read in vain counts only for the question whether a graph is reached twice.
//!
//! *Waiting loops* are treated alike. A round that leads back to where it began, although everything that was read was the
//! last write, is taken back, and the thread postponed until one of these values changes; if everybody else has to wait,
//! too, the round is performed in earnest, and the thread blocks after it. A round in which something older was read leads
//! nowhere: it would be the same without.
//!
//! *Signals* are updates that say who is woken; waking up is no choice. *Choices* count as added in the one way if the
//! first alternative was taken.
//!
//! *Going back.* The machine can only go back to where it was. So for a revisit it goes back to the first node that goes,
//! and performs again what stays; and when all that followed from the revisit has been seen, it restores what went, but
//! only as far as there is still something else to try. What is remembered for that is one sequence of steps for each
//! revisit under way, and what they did to the machine and the graph: that was set aside, and need not be done again.

mod estimate;
mod order;
mod parallel;

pub use estimate::estimate;
pub use parallel::explore as explore_together;

use self::order::Order;
use self::parallel::{Path, Pool};
use crate::random_numbers::Random;
use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_memory::axiomatic::{
    Aside, Axiomatic, Axioms, BLOCK, CAUSES, Graph, Id, Kind, NONE, Next, Node, State, WAITER, flag,
};
use selvedge_trace::ThreadId;

/// A mark of a system.
type MarkOf<'i, A> = <Axiomatic<'i, A> as System>::Mark;

/// A step in a system.
type StepOf<'i, A> = Frame<MarkOf<'i, A>>;

/// A node by its thread and its index there.
type Name = (u32, u32);

/// What can be done with the next node of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It is added.
    Add(u32),
    /// It is a write, and becomes the source of a read; among the writes that stay, it gets this place.
    Revisit { read: Name, at: u32 },
}

/// A step, and what else could have been done.
struct Frame<M> {
    mark: SessionMark<M>,
    thread: ThreadId,
    /// How many nodes there were before.
    nodes: usize,
    /// Where the list of its ways begins.
    first: usize,
    /// Which of them are still to be tried.
    ways: std::ops::Range<usize>,
    /// The stamp that its nodes have whatever the way: it is a read that was revisited.
    pinned: Option<u32>,
    /// The way it went.
    choice: u32,
    /// The stamp of its nodes.
    stamp: u32,
    /// Whether it was not simply the turn of the thread: a round that it is part of cannot be taken back.
    fixed: bool,
    /// What to return to when this has been seen: it is the first step of a revisit.
    before: Option<Box<Before<M>>>,
    /// How many ways have been gone, if there is something to choose.
    gone: Option<u32>,
    /// Whether ways were handed to somebody else.
    shared: bool,
    /// Of how many ways one was picked at random.
    alternatives: u32,
}

impl<M> Frame<M> {
    /// If it is the first step of a revisit: the steps that were there before.
    fn earlier(&self) -> &[Frame<M>] {
        self.before.as_ref().map_or(&[], |before| &before.frames)
    }

    /// What was set aside is lost, because the machine has forgotten how it came there.
    fn forget_asides(&mut self) {
        if let Some(before) = &mut self.before {
            before.aside = None;
            before.frames.iter_mut().for_each(Frame::forget_asides);
        }
    }
}

/// What a revisit has taken back.
struct Before<M> {
    frames: Vec<Frame<M>>,
    /// What they have done, if that could be kept.
    aside: Option<Box<Aside>>,
}

/// A part of what is to be restored after a revisit.
struct Piece<M> {
    /// Where its steps begin.
    start: usize,
    /// The state in which they do.
    mark: SessionMark<M>,
    /// What they have done.
    aside: Option<Box<Aside>>,
}

/// A thread that is postponed because a round of its loop led nowhere.
#[derive(Clone)]
struct Postponed {
    thread: ThreadId,
    /// How many steps had been taken.
    depth: usize,
    /// What it has read: address, size, value.
    watched: Vec<selvedge_memory::ReadValue>,
}

struct Search<'s, 'a, 'i, A: Axioms> {
    session: &'s mut Session<'a, Axiomatic<'i, A>>,
    frames: Vec<StepOf<'i, A>>,
    ways: Vec<Way>,
    postponed: Vec<Postponed>,
    choices: Vec<u32>,
    /// The order of the threads.
    order: Order,
    /// The others.
    pool: Option<&'s Pool>,
    /// Where the task began.
    base: Path,
    /// Where the piece begins whose counts the session has.
    piece: Path,
    /// Whether the last step has ways that were not tried yet, and nothing was done.
    resumes: bool,
    /// If one way is picked at random: the source of chance.
    random: Option<Random>,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Went {
    /// Go on.
    On,
    /// This leads nowhere, or has ended.
    Back,
    /// It is not possible.
    No,
}

/// Explores.
pub fn explore<A: Axioms>(session: &mut Session<'_, Axiomatic<'_, A>>) {
    if session.ended_at_start() {
        return;
    }
    Search::new(session, None).run();
}

impl<'s, 'a, 'i, A: Axioms> Search<'s, 'a, 'i, A> {
    fn new(session: &'s mut Session<'a, Axiomatic<'i, A>>, pool: Option<&'s Pool>) -> Self {
        let order = Order::new(&mut session.system);
        Self {
            session,
            frames: Vec::new(),
            ways: Vec::new(),
            postponed: Vec::new(),
            choices: Vec::new(),
            order,
            pool,
            base: Vec::new(),
            piece: Vec::new(),
            resumes: false,
            random: None,
        }
    }
}

impl<'i, A: Axioms> Search<'_, '_, 'i, A> {
    fn run(&mut self) {
        if std::mem::take(&mut self.resumes) && !self.backtrack() {
            return;
        }
        loop {
            if let Some(pool) = self.pool {
                if pool.is_hungry() {
                    self.share(pool);
                }
                if pool.is_over(&self.piece) {
                    return;
                }
            }
            let went = self.descend();
            if went == Went::Back && self.session.control() == Control::Stop {
                return;
            }
            if self.session.is_due() && self.session.control() == Control::Stop {
                return;
            }
            if went == Went::Back && !self.backtrack() {
                return;
            }
        }
    }

    fn graph(&self) -> &Graph {
        self.session.system.graph()
    }

    /// Lets one thread go on, or ends the execution.
    fn descend(&mut self) -> Went {
        let Some((thread, fixed)) = self.pick() else {
            if !self.has_stale_exit() {
                self.session.finish();
            }
            return Went::Back;
        };
        let start = self.ways.len();
        if !self.list_ways(thread, fixed) {
            self.ways.truncate(start);
            return Went::Back;
        }
        let nodes = self.graph().nodes().len();
        let ways = start..self.ways.len();
        let mark = self.session.mark();
        let gone = (ways.len() > 1).then_some(0);
        self.frames.push(Frame {
            mark,
            thread,
            nodes,
            first: start,
            ways,
            pinned: None,
            choice: 0,
            stamp: 0,
            fixed,
            before: None,
            gone,
            shared: false,
            alternatives: 1,
        });
        self.advance(true)
    }

    /// The thread whose turn it is, and whether everybody has to wait.
    fn pick(&mut self) -> Option<(ThreadId, bool)> {
        let system = &self.session.system;
        let graph = system.graph();
        if graph.is_somebody_busy() {
            let busy =
                |thread: &ThreadId| graph.known_number(*thread).is_some_and(|number| graph.is_open(number));
            let last = self.frames.last().map(|frame| frame.thread).filter(busy);
            return last.or_else(|| system.machine.threads().find(busy)).map(|thread| (thread, false));
        }
        self.order.add_new(graph);
        // Who creates threads goes on with that: the order can be kept only among those that exist.
        if let Some(node) = graph.nodes().last()
            && matches!(node.kind, Kind::Spawn(_))
            && order::creates(system, graph.threads()[node.thread as usize].id)
        {
            return Some((graph.threads()[node.thread as usize].id, false));
        }
        let is_postponed = |thread: ThreadId| {
            let still = |read| system.is_current(thread, read);
            let own = self.postponed.iter().filter(|postponed| postponed.thread == thread);
            own.into_iter().any(|postponed| postponed.watched.iter().all(still))
        };
        let is_ready = |thread: &&ThreadId| system.is_ready(**thread) && !is_postponed(**thread);
        if let Some(thread) = self.order.threads().iter().find(is_ready) {
            return Some((*thread, false));
        }
        for at in 0..self.order.threads().len() {
            let thread = self.order.threads()[at];
            if self.session.system.machine.pending(thread).is_some() && self.has_something_to_try(thread) {
                return Some((thread, true));
            }
        }
        None
    }

    /// Whether a thread that has to wait has not blocked yet, or there is something new since.
    fn has_something_to_try(&mut self, thread: ThreadId) -> bool {
        let Ok(next) = self.session.system.next(thread) else { return true };
        if next == Next::Nothing {
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

    /// Whether a thread has ended although it had blocked and then read nothing new: that was tried before it blocked.
    fn has_stale_exit(&self) -> bool {
        let machine = &self.session.system.machine;
        self.graph().has_blocks()
            && machine
                .threads()
                .any(|thread| machine.pending(thread).is_none() && self.fresh_since(thread).is_some())
    }

    /// What a thread had looked at when it last blocked, and what it had seen.
    fn looked_at(&self, thread: ThreadId) -> Vec<(u32, State)> {
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
    fn fresh_since(&self, thread: ThreadId) -> Option<u32> {
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
                Kind::Write => return None,
                _ => {}
            }
        }
        None
    }

    /// Lists what can be done with the next node of a thread. `false`: this leads nowhere.
    fn list_ways(&mut self, thread: ThreadId, earnest: bool) -> bool {
        let system = &mut self.session.system;
        let next = match system.next(thread) {
            Ok(next) => next,
            Err(_) => {
                // Performing it says what is unsupported.
                self.ways.push(Way::Add(0));
                return true;
            }
        };
        match next {
            Next::Nothing => false,
            Next::Other(choices) => {
                if self.fresh_since(thread).is_some() && !is_harmless(&self.session.system, thread) {
                    return false;
                }
                self.ways.extend((0..choices).map(Way::Add));
                true
            }
            Next::Read { cell } => {
                let fresh = self.fresh_since(thread).filter(|_| {
                    let looked_at = self.looked_at(thread);
                    looked_at.len() == 1 && looked_at[0].0 == cell
                });
                let mut choices = std::mem::take(&mut self.choices);
                choices.clear();
                self.session.system.sources(thread, fresh, &mut choices);
                self.ways.extend(choices.iter().map(|choice| Way::Add(*choice)));
                self.choices = choices;
                let is_sync = matches!(
                    self.session.system.machine.pending(thread),
                    Some(selvedge_trace::Operation::Sync { .. })
                );
                if earnest && is_sync && !self.session.system.machine.is_enabled(thread) {
                    self.ways.push(Way::Add(BLOCK));
                }
                true
            }
            Next::Write { cell, update } => {
                if self.fresh_since(thread).is_some() {
                    return false;
                }
                self.list_writes(thread, cell, update);
                true
            }
        }
    }

    /// Lists the places of a write, and the reads that it can revisit.
    fn list_writes(&mut self, thread: ThreadId, cell: u32, update: Option<Id>) {
        let system = &self.session.system;
        let graph = system.graph();
        let Some(number) = graph.known_number(thread) else { return };
        let floor = system.floor(number, cell);
        let writes = &graph.cell(cell).writes;
        match update {
            Some(source) if graph.updated_by(cell, source).is_none() => {
                self.ways.push(Way::Add(graph.rank(cell, source) as u32));
            }
            Some(_) => {}
            None => {
                let splits = |at: usize| {
                    let before = at.checked_sub(1).map_or(NONE, |at| writes[at]);
                    graph.updated_by(cell, before).is_some()
                };
                let places = (floor..=writes.len()).rev().filter(|at| !splits(*at));
                self.ways.extend(places.map(|at| Way::Add(at as u32)));
            }
        }
        let Some(causes) = graph.clock_of(number, CAUSES) else { return };
        for read in graph.cell(cell).reads.iter().rev() {
            let node = graph.node(*read);
            if !node.reads() || node.index < causes[node.thread as usize] || node.thread == number {
                continue;
            }
            let cut = Cut { graph, stamp: node.stamp, causes };
            if !cut.is_maximal(*read) {
                continue;
            }
            // Places are counted among those that stay.
            let stays: Vec<Id> = writes.iter().copied().filter(|write| cut.stays(*write)).collect();
            let count = |upto: usize| writes[..upto].iter().filter(|write| cut.stays(**write)).count();
            let thread = &graph.threads()[node.thread as usize];
            let known = match node.index.checked_sub(1) {
                Some(last) => Some(graph.clock(thread.nodes[last as usize], A::KNOWN)),
                None if thread.creator != NONE => Some(graph.clock(thread.creator, A::KNOWN)),
                None => None,
            };
            let lowest = count(graph.floor(cell, known));
            let name = (node.thread, node.index);
            let updates = |at: usize| {
                let source = at.checked_sub(1).map_or(NONE, |at| stays[at]);
                stays.get(at).is_some_and(|next| {
                    let next = graph.node(*next);
                    next.is(flag::UPDATE) && next.source == source
                })
            };
            match update {
                Some(source) => {
                    let at = count(graph.rank(cell, source));
                    if at >= lowest && !updates(at) {
                        self.ways.push(Way::Revisit { read: name, at: at as u32 });
                    }
                }
                None => {
                    let lowest = lowest.max(count(floor));
                    let places = (lowest..=stays.len()).rev().filter(|at| !updates(*at));
                    self.ways.extend(places.map(|at| Way::Revisit { read: name, at: at as u32 }));
                }
            }
        }
    }

    /// Tries the next way of the last step; `fresh`: it is its first.
    fn advance(&mut self, mut fresh: bool) -> Went {
        if let (Some(random), Some(frame)) = (&mut self.random, self.frames.last_mut())
            && frame.ways.len() > 1
        {
            let picked = frame.ways.start + random.below(frame.ways.len() as u64) as usize;
            frame.alternatives = frame.ways.len() as u32;
            frame.ways = picked..picked + 1;
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some(way) = frame.ways.next() else { return Went::Back };
            frame.gone = frame.gone.map(|gone| gone + 1);
            let way = self.ways[way];
            let thread = frame.thread;
            if !std::mem::replace(&mut fresh, false) {
                self.session.rewind(&frame.mark);
                self.forget_postponed(self.frames.len());
            }
            let went = match way {
                Way::Add(choice) => match choice == BLOCK || self.session.system.allows(thread, choice) {
                    true => self.add(choice),
                    false => Went::No,
                },
                Way::Revisit { read, at } => self.revisit(read, at),
            };
            if went != Went::No {
                return went;
            }
        }
        Went::Back
    }

    fn forget_postponed(&mut self, depth: usize) {
        self.postponed.retain(|postponed| postponed.depth < depth);
    }

    /// Performs the step of the last frame.
    fn add(&mut self, choice: u32) -> Went {
        let pinned = self.frames.last().and_then(|frame| frame.pinned);
        let stamp = pinned.unwrap_or(self.graph().newest() + 1);
        self.perform(choice, stamp)
    }

    /// Performs the step of the last frame, with a stamp.
    fn perform(&mut self, choice: u32, stamp: u32) -> Went {
        let Some(frame) = self.frames.last_mut() else { return Went::Back };
        frame.choice = choice;
        frame.stamp = stamp;
        let thread = frame.thread;
        let progress = self.session.step_through(Turn { agent: thread.into(), choice });
        self.session.system.restamp(self.frames.last().map_or(0, |frame| frame.nodes), stamp);
        if progress == Progress::Ended {
            return Went::Back;
        }
        if choice == BLOCK {
            return Went::On;
        }
        self.look_for_round(thread)
    }

    /// If a thread has come to the end of a round of a waiting loop: takes it back, or lets the thread block.
    fn look_for_round(&mut self, thread: ThreadId) -> Went {
        let system = &self.session.system;
        let Some(round) = system.round(thread) else { return Went::On };
        let Some(number) = self.graph().known_number(thread) else { return Went::On };
        let events = system.events();
        let graph = system.graph();
        // The nodes of the round.
        let nodes = &graph.threads()[number as usize].nodes;
        let in_round = |id: &&Id| {
            let node = graph.node(**id);
            node.trace != NONE
                && (events[node.trace as usize].index >= round)
                && !matches!(node.kind, Kind::Block { .. })
        };
        let first = nodes.len() - nodes.iter().rev().take_while(in_round).count();
        if nodes[first..].iter().any(|id| graph.node(*id).is(flag::STALE)) {
            return Went::Back;
        }
        if !system.is_spinning(thread) {
            // Something has changed on the way.
            return Went::On;
        }
        let begin = nodes.get(first).map_or(graph.nodes().len(), |id| *id as usize);
        let depth = self.frames.iter().rposition(|frame| frame.nodes <= begin).unwrap_or(0);
        let free = |frame: &Frame<_>| frame.thread == thread && !frame.fixed && frame.before.is_none();
        if self.frames[depth..].iter().all(free) && self.frames[depth].nodes == begin {
            let watched = system.watched(thread).map(<[_]>::to_vec).unwrap_or_default();
            self.session.rewind(&self.frames[depth].mark);
            self.ways.truncate(self.frames[depth].first);
            self.frames.truncate(depth);
            self.postponed.push(Postponed { thread, depth, watched });
            return Went::On;
        }
        let stamp = graph.nodes().last().map_or(1, |node| node.stamp);
        self.fix(thread, &mut None);
        self.perform(BLOCK, stamp)
    }

    /// Goes back to a step with another way. `false`: there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if frame.ways.is_empty() {
                // It may have ended below another frame than the one it was tried from.
                self.pop();
                continue;
            }
            if self.advance(false) == Went::On {
                return true;
            }
            if self.session.control() == Control::Stop {
                return false;
            }
        }
        false
    }

    /// Takes the last step back, of which everything has been seen; and if it was the first of a revisit, restores what was
    /// there before.
    fn pop(&mut self) {
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
                        let (choice, stamp) = (frame.choice, frame.stamp);
                        self.frames.push(frame);
                        if restored < last {
                            self.again(choice, stamp);
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
    fn again(&mut self, choice: u32, stamp: u32) {
        self.announce(choice);
        let Some(frame) = self.frames.last_mut() else { return };
        (frame.choice, frame.stamp) = (choice, stamp);
        self.session.system.restamp(frame.nodes, stamp);
    }

    /// The next write of the last frame's thread becomes the source of a read.
    fn revisit(&mut self, read: Name, at: u32) -> Went {
        let Some(writer) = self.frames.last().map(|frame| frame.thread) else { return Went::Back };
        let graph = self.graph();
        let read_node = *graph.node(graph.threads()[read.0 as usize].nodes[read.1 as usize]);
        let Some(causes) = graph.known_number(writer).and_then(|number| graph.clock_of(number, CAUSES))
        else {
            return Went::No;
        };
        let cut = Cut { graph, stamp: read_node.stamp, causes };
        let first = (0..graph.nodes().len() as Id).find(|id| !cut.stays(*id)).unwrap_or(0) as usize;
        let depth = self.frames.iter().rposition(|frame| frame.nodes <= first).unwrap_or(0);
        // What stays of the steps from there on, and how they are to be performed.
        let last = self.frames.len() - 1;
        let mut plan = Vec::new();
        for frame in &self.frames[depth..last] {
            let id = frame.nodes as Id;
            if !cut.stays(id) {
                continue;
            }
            let node = graph.node(id);
            let way = match (frame.choice, node.kind) {
                (BLOCK, _) => Again::Same(BLOCK),
                (choice, Kind::Read | Kind::Wake) if node.cell != NONE => {
                    Again::Read { source: name_of(graph, node.source), waiter: choice & !((1 << WAITER) - 1) }
                }
                (_, Kind::Write) => {
                    let writes = &graph.cell(node.cell).writes;
                    let before = writes[..graph.rank(node.cell, id) - 1].iter();
                    let before = before.rev().filter(|write| cut.stays(**write));
                    Again::Write { after: before.map(|write| name_of(graph, *write)).collect() }
                }
                (choice, _) => Again::Same(choice),
            };
            plan.push((frame.thread, way, frame.stamp));
        }
        let reader = graph.threads()[read.0 as usize].id;
        let segment: Vec<Frame<_>> = self.frames.drain(depth..).collect();
        if segment.iter().any(|frame| !frame.ways.is_empty() || frame.before.is_some()) {
            self.session.system.keep();
        }
        self.session.rewind(&segment[0].mark);
        self.forget_postponed(depth);
        let aside = self.session.system.kept();
        let mut segment = Some(Box::new(Before { frames: segment, aside }));
        for (thread, way, stamp) in plan {
            self.fix(thread, &mut segment);
            let Some(choice) = self.choice_of(thread, &way) else { return self.broken() };
            self.again(choice, stamp);
        }
        self.fix(writer, &mut segment);
        if !self.session.system.allows(writer, at) {
            self.undo_revisit(depth);
            return Went::No;
        }
        let newest = self.graph().newest().max(read_node.stamp);
        self.again(at, newest + 1);
        self.fix(reader, &mut segment);
        let rank = at + 1;
        let start = self.ways.len();
        match self.session.system.next(reader) {
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
        match self.advance(true) {
            // Not consistent, or it has ended: what was there before is restored on the way back.
            Went::No => Went::Back,
            went => went,
        }
    }

    fn broken(&mut self) -> Went {
        // Names are those of nodes that stay, so this does not happen.
        debug_assert!(false, "a node that stays depends on one that goes");
        Went::Back
    }

    /// A step without other ways; the first of a revisit knows what was there before.
    fn fix(&mut self, thread: ThreadId, before: &mut Option<Box<Before<MarkOf<'i, A>>>>) {
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

/// Whether the next operation of a thread may be part of a waiting loop, although it reads nothing.
fn is_harmless<A: Axioms>(system: &Axiomatic<'_, A>, thread: ThreadId) -> bool {
    use selvedge_trace::Operation::{Assume, Choose, Fence, Yield};
    let operation = system.machine.pending(thread);
    matches!(operation, Some(Yield | Fence { .. } | Choose { .. } | Assume { .. }))
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

/// What goes when a read is revisited: all that is newer, except for what the write depends on.
struct Cut<'g> {
    graph: &'g Graph,
    stamp: u32,
    causes: &'g [u32],
}

impl Cut<'_> {
    fn is_cause(&self, node: &Node) -> bool {
        node.index < self.causes[node.thread as usize]
    }

    fn stays(&self, id: Id) -> bool {
        let node = self.graph.node(id);
        node.stamp < self.stamp || self.is_cause(node)
    }

    /// Whether everything that goes, and the read itself, was added in the one way in which it would be added again.
    fn is_maximal(&self, read: Id) -> bool {
        self.is_maximally_added(read)
            && (0..self.graph.nodes().len() as Id).all(|id| self.stays(id) || self.is_maximally_added(id))
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
            Kind::Read if node.is(flag::VAIN) => true,
            Kind::Read => {
                let later = &graph.cell(node.cell).writes[graph.rank(node.cell, node.source)..];
                !later.iter().any(counts)
                    && (!node.is(flag::UPDATE) || node.next.high == 0 || !node.is(flag::SYNC))
            }
            Kind::Write => {
                let cell = graph.cell(node.cell);
                let later = &cell.writes[graph.rank(node.cell, id)..];
                let reads = |read: &Id| graph.node(*read).source == id && counts(read);
                !later.iter().any(counts) && !cell.reads.iter().any(reads)
            }
            Kind::Choose(choice) => choice == 0,
            _ => true,
        }
    }
}
