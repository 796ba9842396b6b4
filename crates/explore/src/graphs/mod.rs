//! Execution graphs, each exactly once.
//!
//! The algorithm is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial
//! Order Reduction; POPL 2022). A graph grows node by node. A read tries every write that it may read from, a write every
//! place in modification order. And since the write that a read should read from may come only later, a write also
//! *revisits* the reads that are there already: it becomes their source, and all that was added after the read goes, but
//! for what the write depends on. So that no graph is reached twice, a read is revisited only if everything that goes was
//! added *maximally*, as it would be added again: each read reads from what was then the last write, each write is the last.
//! The stamps of nodes say which of two was added first; a read keeps its stamp when it is revisited.
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
//! nowhere: it would be the same without. An update in such a round that leaves what is there (test-and-set of what is set) is a
//! write like any other as long as it is not known how the round ends; it goes with the round. So nobody may read from it, and where
//! the round is performed in earnest, it only looks. (Who would read from it, reads the same from what it has read, with no more
//! synchronisation.) Where others have come in between, and have read from it, the round stays.
//!
//! *Awaits*, loops whose rounds are one atomic access, are left out (see `awaits.rs` in the crate `memory`). A thread that awaits a value
//! reads only what lets it go on. As long as the last write is fruitless, it is not its turn. If nobody else can go on, it reads an older
//! write that lets it go on, or the last one *in vain*; and if a write with a fruitless value revisits such a read, that is then read in
//! vain, too, if nothing comes after it in modification order. (If something does, the same is found by a revisit from there.) After a
//! read in vain a thread does nothing until another write revisits that read, by the same rules as any other. So of all fruitless
//! values that a thread may have read, only the last one is ever looked at, and a graph in which it waits stands for all of them. A
//! graph that is complete but for such threads counts only if what they have read in vain is the last write: they wait for ever.
//!
//! *Frees*, and ends of scopes, come last: a thread that is about to end an object's life waits until no other can go on. What
//! accesses the object and need not have happened before may as well come afterwards. So a free revisits these accesses, as a
//! write revisits reads: all that was added after the access goes, and then it is an error. And if a thread comes to an access
//! only when another one has ended the object's life, the access also comes first: the end goes, with all that was added after
//! it, but for what the access depends on, and is added again later. (It is as if each access read whether the object is there,
//! and its end wrote that it is not. What was tried with the end before it went is not tried again.)
//!
//! *Signals* are updates that say who is woken; waking up is no choice. *Choices* count as added maximally if the
//! first alternative was taken.
//!
//! *Symmetry*: of graphs that differ only in which of several threads that do the same is which, one can be enough; see
//! `symmetry`. Awaits are not left out then.
//!
//! # Graphs and orders
//!
//! Under sequential consistency, a graph says in which order dependent operations happen, no more and no less: there are as
//! many graphs as [`super::dpor::optimal`] explores executions. Except where operations on a synchronisation object commute,
//! which updates of a location do not: readers of a readers-writer lock, semaphores that are posted, arrivals at a barrier.
//! And except for waiting loops with more than one access, of which rounds are taken back here; and for copies and accesses of
//! several sizes that race, which are several nodes here. With [`Scope::Orders`], the exploration is given up where
//! it comes to one of these; or to a condition variable, as those are explored faster by steps.

mod estimate;
mod parallel;
mod revisit;
mod symmetry;
mod turns;
mod waiting;

pub use estimate::estimate;
pub use parallel::explore as explore_together;

use self::parallel::{Path, Pool};
use self::revisit::{Before, Cut};
use self::symmetry::Groups;
use self::turns::Turns;
use self::waiting::{Postponed, is_harmless};
use crate::core::random_numbers::Random;
use crate::core::session::SessionMark;
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Beyond, Control, Progress, Scope, Session, Symmetry, Turn};
use selvedge_memory::System;
use selvedge_memory::axiomatic::{
    AWAIT, Axiomatic, Axioms, BLOCK, Graph, Id, Kind, NONE, Next, Readiness, flag,
};
use selvedge_trace::sync::ObjectKind;
use selvedge_trace::{Operation, SyncOp, ThreadId};
use selvedge_vm::FaultKind;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "graph",
    help: "One execution for each consistent execution graph (for rc11 and ra; also for sc and tso)",
    text: "\
         execution graphs, for rc11 and ra, where it is the default; also for sc and tso: one\n\
         execution for each graph that the model allows. A graph says which store each load sees, and\n\
         in which order the stores to each place come; for locks and the like, in which order the\n\
         operations on each come. Several --workers, and --estimate; with --symmetry fewer, where threads do\n\
         the same. The schedule that is reported is the one that was found.",
    explores: Explores::Graphs,
    workers: Workers::Several,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Never,
    promise: Promise::Graphs,
    counts: Counting::Nothing,
    accepts: &[Choice::Estimate, Choice::Seed, Choice::Graphs, Choice::Symmetry],
    bounded_name: None,
};

/// Explores as it is told.
pub(crate) fn run<'s, 'i, A: Axioms>(task: Task<'_, 's, Axiomatic<'i, A>>) -> Counted {
    let (scope, symmetry, workers) = (task.scope, task.options.symmetry, task.workers);
    let (session, crew) = task.crew();
    let mut ended = (Completion::Ended, 0);
    let mut explore = |session: &mut Session<'s, Axiomatic<'i, A>>| {
        ended = match workers > 1 {
            true => parallel::explore_up_to(session, &crew, scope, symmetry),
            false => explore_up_to(session, scope, symmetry, None),
        };
    };
    match symmetry {
        // Awaits are not left out: it is not proven that every execution is still there up to exchange of threads if one read in vain
        // stands for others, which threads that are compared may have read (see `symmetry`).
        Symmetry::Reduced => explore(session),
        Symmetry::Ignored | Symmetry::Observed => session.looking_ahead(explore),
    }
    match (ended, symmetry) {
        ((Completion::GivenUp(beyond), _), _) => Counted::TooLittle(beyond),
        (_, Symmetry::Ignored) => Counted::Nothing,
        ((Completion::Ended, symmetric), _) => Counted::Symmetric(symmetric),
    }
}

/// One of so many executions is executed by the machine from its beginning to its end, whatever is known; and some of the first.
const SAMPLE: u64 = 1024;

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
    /// It ends an object's life, and an access comes only after that.
    Free { access: Name },
    /// It accesses an object before another thread ends its life, which that one has done already.
    Before { end: Name },
}

/// Whether a step was taken by a [`Way::Before`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Early {
    /// It was.
    Yes,
    /// It was its turn.
    No,
}

/// Why it is the turn of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turning {
    /// It can go on.
    Ready,
    /// Everybody has to wait, and it is tried what it could do if something older were read.
    Waiting,
}

/// Which attempt at a step it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// The first: the present state is the one before the step.
    First,
    /// Another one.
    Another,
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
    /// Whether it accesses an object whose end had to wait for that.
    early: Early,
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

/// Looks at a graph.
pub type See<'s> = dyn FnMut(&Graph) + 's;

struct Search<'s, 'a, 'i, A: Axioms> {
    session: &'s mut Session<'a, Axiomatic<'i, A>>,
    frames: Vec<StepOf<'i, A>>,
    ways: Vec<Way>,
    postponed: Vec<Postponed>,
    choices: Vec<u32>,
    /// In which order threads get their turns.
    turns: Turns,
    /// Threads that do the same, if one graph is enough for all that differ only in which of them is which.
    groups: Groups,
    /// Somebody who looks at each graph that counts.
    see: Option<&'s mut See<'s>>,
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
    scope: Scope,
    races: Races,
    completion: Completion,
}

/// Whether data races are violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Races {
    /// They are.
    Reported,
    /// What comes after them is explored.
    Allowed,
}

/// What became of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// It came to its end, or to a reason to stop.
    Ended,
    /// It came to something beyond its scope.
    GivenUp(Beyond),
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

/// Whether an operation is better explored by steps: it is one of [`is_for_steps_always`], or accesses several locations one by
/// one, which others can notice if they race.
fn is_for_steps(operation: &Operation, races: Races) -> bool {
    match operation {
        Operation::Sync { op, .. } => is_for_steps_always(*op),
        Operation::Copy { .. } | Operation::Set { .. } => races == Races::Allowed,
        _ => false,
    }
}

/// Whether an operation on a synchronisation object is better explored by steps: it may commute with others on the same object
/// that change it, or is about condition variables. Such operations are beyond [`Scope::Orders`].
pub fn is_for_steps_always(op: SyncOp) -> bool {
    match op.object() {
        ObjectKind::RwLock | ObjectKind::Semaphore | ObjectKind::Barrier | ObjectKind::Condition => true,
        ObjectKind::Mutex | ObjectKind::SpinLock | ObjectKind::Once => false,
    }
}

/// Explores.
pub fn explore<A: Axioms>(session: &mut Session<'_, Axiomatic<'_, A>>, scope: Scope) -> Completion {
    explore_up_to(session, scope, Symmetry::Ignored, None).0
}

/// Explores, perhaps up to exchange of threads that do the same; shows each graph that counts. Also gives the number of such threads.
pub fn explore_up_to<'s, A: Axioms>(
    session: &'s mut Session<'_, Axiomatic<'_, A>>,
    scope: Scope,
    symmetry: Symmetry,
    see: Option<&'s mut See<'s>>,
) -> (Completion, u64) {
    if session.ended_at_start() {
        return (Completion::Ended, 0);
    }
    let mut search = Search::new(session, None, scope);
    search.see = see;
    search.group(symmetry);
    search.run();
    (search.completion, search.groups.threads)
}

impl<'s, 'a, 'i, A: Axioms> Search<'s, 'a, 'i, A> {
    fn new(session: &'s mut Session<'a, Axiomatic<'i, A>>, pool: Option<&'s Pool>, scope: Scope) -> Self {
        session.system.lag(true);
        let turns = Turns::new(&mut session.system);
        let races = match session.looks_for(FaultKind::DataRace) {
            true => Races::Reported,
            false => Races::Allowed,
        };
        Self {
            session,
            frames: Vec::new(),
            ways: Vec::new(),
            postponed: Vec::new(),
            choices: Vec::new(),
            turns,
            groups: Groups::default(),
            see: None,
            pool,
            base: Vec::new(),
            piece: Vec::new(),
            resumes: false,
            random: None,
            scope,
            races,
            completion: Completion::Ended,
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
            if (went == Went::Back || self.session.is_due()) && self.is_to_stop() {
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

    /// Gives up: this is beyond the scope.
    fn give_up(&mut self, beyond: Beyond) -> Went {
        self.completion = Completion::GivenUp(beyond);
        if let Some(pool) = self.pool {
            pool.give_up(beyond);
        }
        Went::Back
    }

    /// Whether there is a reason not to go on.
    fn is_to_stop(&mut self) -> bool {
        self.completion != Completion::Ended || self.session.control() == Control::Stop
    }

    /// Lets one thread go on, or ends the execution.
    fn descend(&mut self) -> Went {
        let Some((thread, turning)) = self.pick() else {
            if !self.has_stale_exit() {
                let count = self.session.statistics.executions;
                let is_sample = count.is_power_of_two() || count.is_multiple_of(SAMPLE);
                if is_sample || !self.session.system.is_complete() {
                    // It is to be seen whether threads do what they are known to do; or somebody will ask who waits for what.
                    self.session.system.catch_up();
                }
                if let Some(see) = &mut self.see {
                    see(self.session.system.graph());
                }
                self.session.finish();
            }
            return Went::Back;
        };
        let start = self.ways.len();
        if !self.list_ways(thread, turning) {
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
            fixed: turning == Turning::Waiting,
            early: Early::No,
            before: None,
            gone,
            shared: false,
            alternatives: 1,
        });
        self.advance(Attempt::First)
    }

    /// The thread whose turn it is.
    fn pick(&mut self) -> Option<(ThreadId, Turning)> {
        let system = &self.session.system;
        let graph = system.graph();
        if graph.is_somebody_busy() {
            let busy =
                |thread: &ThreadId| graph.known_number(*thread).is_some_and(|number| graph.is_open(number));
            let last = self.frames.last().map(|frame| frame.thread).filter(busy);
            return last.or_else(|| system.threads().find(busy)).map(|thread| (thread, Turning::Ready));
        }
        self.turns.add_new(graph);
        // Who creates threads goes on with that: the order can be kept only among those that exist.
        if let Some(node) = graph.nodes().last()
            && matches!(node.kind, Kind::Spawn(_))
            && turns::creates(system, graph.threads()[node.thread as usize].id)
        {
            return Some((graph.threads()[node.thread as usize].id, Turning::Ready));
        }
        let mut late = None;
        for at in 0..self.turns.threads().len() {
            let number = self.turns.threads()[at];
            let readiness = self.session.system.readiness(number);
            if readiness == Readiness::Never || self.has_to_wait(number) {
                continue;
            }
            let thread = self.graph().threads()[number as usize].id;
            if readiness == Readiness::Late {
                late = late.or(Some(thread));
                continue;
            }
            let is_ready = readiness == Readiness::Ready || self.session.system.is_ready(thread);
            if is_ready && !self.is_postponed(thread) && !self.session.system.has_blocked_before_await(thread)
            {
                return Some((thread, Turning::Ready));
            }
        }
        if let Some(thread) = late {
            return Some((thread, Turning::Ready));
        }
        for at in 0..self.turns.threads().len() {
            let number = self.turns.threads()[at];
            let thread = self.graph().threads()[number as usize].id;
            if self.first_in_group(number).is_some_and(|first| self.has_something_to_try(first)) {
                continue;
            }
            if self.session.system.pending(thread).is_some() && self.has_something_to_try(thread) {
                return Some((thread, Turning::Waiting));
            }
        }
        None
    }

    /// Lists what can be done with the next node of a thread. `false`: this leads nowhere.
    fn list_ways(&mut self, thread: ThreadId, turning: Turning) -> bool {
        let system = &mut self.session.system;
        let races = self.races;
        if self.scope == Scope::Orders
            && system.pending(thread).is_some_and(|operation| is_for_steps(operation, races))
        {
            self.give_up(Beyond::Operation);
            return false;
        }
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
                // First what is an error: it says more than that the free and the access race.
                if let Some((address, size)) = self.session.system.object_to_release(thread) {
                    self.list_accesses(thread, address, size);
                }
                let releases = matches!(self.session.system.pending(thread), Some(Operation::Release { .. }));
                self.ways.extend((0..choices).map(Way::Add));
                if !releases {
                    self.list_end(thread);
                }
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
                self.keep_vain(thread, cell, &mut choices);
                self.ways.extend(choices.iter().map(|choice| Way::Add(*choice)));
                self.choices = choices;
                let system = &mut self.session.system;
                let block = match system.pending(thread) {
                    Some(Operation::Sync { .. }) => Some(BLOCK),
                    _ => system.may_await(thread).then_some(AWAIT),
                };
                if let Some(block) = block.filter(|_| turning == Turning::Waiting)
                    && !system.is_possible(thread)
                {
                    self.ways.push(Way::Add(block));
                }
                true
            }
            Next::Write { cell, update } => {
                // An update that leaves what is there may be part of another round that is in vain.
                let is_idle = self.graph().nodes().last().is_some_and(|node| node.is(flag::IDLE));
                if !is_idle && self.fresh_since(thread).is_some() {
                    return false;
                }
                self.list_writes(thread, cell, update);
                true
            }
        }
    }

    /// Lists the accesses to an object that can come only after a thread has ended its life.
    fn list_accesses(&mut self, thread: ThreadId, address: u64, size: u64) {
        let system = &self.session.system;
        let graph = system.graph();
        let Some(number) = graph.known_number(thread) else { return };
        let Some(causes) = self.groups.causes(graph, number) else { return };
        let causes = &*causes;
        let first = self.ways.len();
        let accesses: Vec<Id> = system.accesses(address, size).collect();
        // Up to the last access that came before this on purpose, all have been tried after it.
        let early = accesses.iter().map(|id| graph.node(*id)).filter(|node| node.is(flag::EARLY));
        let tried = early.map(|node| node.stamp).max().unwrap_or(0);
        for id in accesses {
            let node = graph.node(id);
            let way = Way::Free { access: (node.thread, node.index) };
            if node.thread == number
                || node.stamp <= tried
                || node.index < causes[node.thread as usize]
                || node.is(flag::VAIN) && !graph.awaits_in_vain(node)
                || self.ways[first..].contains(&way)
            {
                continue;
            }
            if (Cut { graph, stamp: node.stamp, causes }).is_maximal(id) {
                self.ways.push(way);
            }
        }
    }

    /// If the next operation of a thread is an error because another thread has ended the life of an object: lists that it may
    /// come before that.
    fn list_end(&mut self, thread: ThreadId) {
        let Some(end) = self.session.system.end_of_used(thread) else { return };
        let system = &self.session.system;
        let graph = system.graph();
        let Some(number) = graph.known_number(thread) else { return };
        let Some(causes) = self.groups.causes(graph, number) else { return };
        let causes = &*causes;
        let node = graph.node(end);
        let is_cause = node.thread == number || node.index < causes[node.thread as usize];
        if !is_cause && (Cut { graph, stamp: node.stamp, causes }).is_maximal(end) {
            self.ways.push(Way::Before { end: (node.thread, node.index) });
        }
    }

    /// Lists the places of a write, and the reads that it can revisit.
    fn list_writes(&mut self, thread: ThreadId, cell: u32, update: Option<Id>) {
        let system = &self.session.system;
        let graph = system.graph();
        let Some(number) = graph.known_number(thread) else { return };
        let floor = system.floor(number, cell);
        let writes = &graph.cell(cell).writes;
        let ways = &mut self.ways;
        system.places(cell, floor, update, |place| ways.push(Way::Add(place)));
        let Some(causes) = self.groups.causes(graph, number) else { return };
        let causes = &*causes;
        // A read that was not added maximally is not revisited: not one of what is older than a write that this one depends on. All
        // others were added after what they read, so after the oldest of the writes from there on.
        let is_cause = |write: &Id| graph.is_in(*write, causes);
        let known = writes.iter().rposition(is_cause).map_or(0, |at| at + 1);
        let oldest = known.checked_sub(1).and_then(|at| writes[at..].iter().copied().min());
        let newest_first = graph.cell(cell).reads.iter().rev();
        for read in newest_first.take_while(|read| oldest.is_none_or(|oldest| **read > oldest)) {
            let node = graph.node(*read);
            if graph.rank(cell, node.source) < known {
                continue;
            }
            if !graph.may_be_revisited(node)
                || node.index < causes[node.thread as usize]
                || node.thread == number
            {
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

    /// Tries the next way of the last step.
    fn advance(&mut self, mut attempt: Attempt) -> Went {
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
            if std::mem::replace(&mut attempt, Attempt::Another) == Attempt::Another {
                self.session.rewind(&frame.mark);
                self.forget_postponed(self.frames.len());
            }
            let went = match way {
                Way::Add(choice) => {
                    match matches!(choice, BLOCK | AWAIT) || self.is_allowed(thread, choice) {
                        true => self.add(choice),
                        false => Went::No,
                    }
                }
                Way::Revisit { read, at } => self.revisit(read, Some(at)),
                Way::Free { access } => self.revisit(access, None),
                Way::Before { end } => self.come_before(end),
            };
            if went != Went::No {
                return went;
            }
        }
        Went::Back
    }

    /// Whether a graph is one to explore with the next node of a thread, whose choice this is.
    fn is_allowed(&mut self, thread: ThreadId, choice: u32) -> bool {
        self.session.system.allows(thread, choice) && self.keeps_order(thread, choice)
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
        self.stamp_last();
        if progress == Progress::Ended {
            return Went::Back;
        }
        if let BLOCK | AWAIT = choice {
            return Went::On;
        }
        self.look_for_round(thread)
    }

    /// Goes back to a step with another way. `false`: there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if frame.ways.is_empty() {
                // It may have ended below another frame than the one it was tried from.
                self.pop();
                continue;
            }
            if self.advance(Attempt::Another) == Went::On {
                return true;
            }
            if self.is_to_stop() {
                return false;
            }
        }
        false
    }
}
