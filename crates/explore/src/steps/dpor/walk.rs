//! What the algorithms share: the walk through the tree of executions.
//!
//! A *node* is a state of the present execution, with what is to be tried there. From a node the walk goes down
//! to the end of an execution, one unit after the other: a visible operation, or an atomic section; a thread that
//! has joined all others goes on to its end, or until there is something to decide, in the same unit. There it
//! looks at the races of the units that are new since it last turned back, lets the algorithm add branches to
//! the nodes above, goes back to the deepest node with a branch left, and follows it.
//!
//! *Sleep sets.* When a branch of a node is done, its first label goes to sleep there: everything that begins
//! with it has been explored. Below the node it stays asleep until something that depends on it is performed.
//! A thread that is asleep is not tried; if all enabled threads are asleep, everything from there has been
//! explored in another order, and the exploration is cut (and counted as blocked).
//!
//! *Alternatives.* A unit that can be performed in several ways (`choose`, which waiter a signal wakes) gets a
//! branch for each, at the node where it is performed, unless a branch there or something asleep covers it.
//! All alternatives of such a unit depend on the same other units. For an atomic section that makes a choice this is
//! not so; programs with such sections are explored with the rules of [`paths`].
//!
//! *Ends.* A thread that violates a property, or comes to an assumption that does not hold or to a bound, stops;
//! the others go on to their ends. Otherwise what they would have done could not be seen to race, and a part of
//! the tree would be missed. (In the middle of an atomic section, all of it is taken back first.) Threads that are
//! blocked at the end race with what blocked them.
//!
//! *Foreign nodes.* A walk may explore a part of a tree only: then the first nodes on its way are somebody else's. It adds no
//! branches there, but keeps what is to be inserted there as [`Requests`]. [`super::sharing`] has the use of that.

mod cover;
mod label;
mod paths;
mod perform;
mod races;
mod sleep;

pub use self::label::Label;
pub use self::paths::begin_again as begin_again_with_paths;
pub use self::sleep::{SleepMark, SleepSets};

use self::paths::Path;
use super::branch::Branch;
use super::partial_order::{Drains, PartialOrder, Race};
use super::requests::Requests;
use super::tree::{Plan, Tree};
use super::wakeup::Left;
use crate::core::dependence::Access;
use crate::core::session::SessionMark;
use crate::{Control, Progress, Session};
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::{Agent, Operation, ThreadId};

/// A state of the present execution.
pub(super) struct Node<M> {
    /// The state; `None` if the walk has not been there, because somebody else has explored what is below.
    pub mark: Option<M>,
    /// Where its sleep set begins; it ends where that of the next node begins.
    pub asleep: SleepMark,
    /// Where what was asleep before anything was tried from here ends.
    pub inherited: SleepMark,
    /// What is to be tried.
    pub tree: Tree,
    /// Who can take a step, for algorithms that ask.
    enabled: Option<Box<[Agent]>>,
    /// The thread that took the last step, if leaving it would be a preemption.
    running: Option<ThreadId>,
    /// Preemptions on the way here.
    preemptions: u32,
    /// The thread that took the last step.
    pub last: ThreadId,
}

impl<M> Node<M> {
    /// A node where preemptions are not counted.
    pub fn new(mark: Option<M>, asleep: SleepMark, inherited: SleepMark, tree: Tree, last: ThreadId) -> Self {
        Self { mark, asleep, inherited, tree, enabled: None, running: None, preemptions: 0, last }
    }
}

/// A race as algorithms see it: the later unit may be one that only would have happened.
pub struct Later {
    /// The unit, or [`NONE`](super::partial_order::NONE).
    pub unit: u32,
    /// Who.
    pub thread: Agent,
    /// Whether it waits until the buffer of its thread is empty.
    pub drains: Drains,
    /// What it touches when it comes first.
    pub accesses: Vec<Access>,
}

/// That a race has to be looked at again in later executions with the same two units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recurrence {
    /// Why it leads to nothing in the present one, if so.
    pub covered: Option<Covered>,
}

/// What covers the sequence of a race in an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covered {
    /// Which of those that are asleep at the node.
    pub sleeper: usize,
    /// The unit of the sequence that it is, if it has a part in it.
    pub unit: Option<u32>,
}

/// A race that is looked at again.
#[derive(Debug, Clone, Copy)]
struct Recurring {
    /// The later unit.
    unit: u32,
    /// The number of the race.
    number: usize,
    /// What covered its sequence when it was looked at last.
    covered: Option<Covered>,
}

/// What to do about a race.
pub trait Algorithm {
    /// Whether nodes must know who is enabled.
    const NEEDS_ENABLED: bool = false;

    /// Whether what has no part in a sequence and does not depend on it covers the sequence.
    const WEAK: bool = false;

    /// Whether what was tried from a node is asleep below it.
    const SLEEPS: bool = true;

    /// Adds what has to be tried from the node before `race.first`, so that the other order is explored.
    /// Gives whether that depends on what comes behind the two units.
    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later) -> Option<Recurrence>;

    /// Whether a race that somebody else has looked at is to be looked at again.
    fn recurs<S: System>(_: &mut Walk<'_, '_, S>, _: Race, _: &Later) -> Option<Recurrence> {
        None
    }
}

/// The present execution, unit by unit.
#[derive(Default)]
pub struct Present {
    /// What happened before what.
    pub order: PartialOrder,
    /// What the units are called.
    pub labels: Vec<Label>,
    /// Where the events of each unit begin.
    events: Vec<u32>,
    /// The choices that units have made, if paths are followed.
    paths: Option<Vec<Path>>,
    /// Races that are looked at again in later executions.
    recurring: Vec<Recurring>,
    /// Of the races of units before this position, it is known whether they are.
    classified: usize,
}

impl Present {
    /// Forgets all units from a position on, but not what they were called.
    fn truncate(&mut self, position: usize) {
        self.order.truncate(position);
        let recurring = self.recurring.partition_point(|race| (race.unit as usize) < position);
        self.recurring.truncate(recurring);
        self.classified = self.classified.min(position);
    }
}

/// The nodes at the beginning of the way that are somebody else's.
#[derive(Default)]
pub(super) struct Foreign {
    /// How many there are.
    pub nodes: usize,
    /// What is to be inserted there.
    pub requests: Requests,
}

/// The most preemptions.
struct Bound {
    most: u32,
    /// Whether executions with more were left out.
    was_reached: bool,
}

/// Lists that are used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    /// What the unit that is being performed touches.
    accesses: Vec<Access>,
    /// The choices of the unit that was performed last: for each step what was taken, and of how many. It ends with the last
    /// step that had one.
    choices: Vec<(u32, u32)>,
    /// What the later unit of a race touches when it comes first.
    later: Vec<Access>,
    threads: Vec<ThreadId>,
    /// Values that the thread whose unit is being performed awaits, or not, in place, and whether they are fruitless.
    answers: Vec<(u64, bool)>,
    /// Units that stay when a race is reversed.
    kept: Vec<u32>,
    /// Units of a sequence that is inserted.
    left: Vec<Left>,
    /// Where in a tree a sequence belongs.
    pub place: Vec<(usize, usize)>,
}

/// The walk.
pub struct Walk<'w, 's, S: System> {
    pub(super) session: &'w mut Session<'s, S>,
    /// The present execution.
    pub present: Present,
    pub(super) nodes: Vec<Node<SessionMark<S::Mark>>>,
    pub(super) sleep_sets: SleepSets,
    /// The branch that is being followed.
    pub(super) plan: Plan,
    /// The thread that took the last step.
    pub(super) last: ThreadId,
    /// Whether an atomic section has made a choice although paths are not followed: what was explored does not count.
    pub(super) needs_paths: bool,
    /// Nodes that are somebody else's.
    pub(super) foreign: Foreign,
    /// Branches are marked with this number when they are added: it tells those that were there before something from others.
    pub(super) now: u32,
    bound: Option<Bound>,
    pub(super) scratch: Scratch,
}

/// What comes next.
enum Next {
    /// The next branch of the node.
    Planned,
    /// A unit that was chosen freely: whose, and its first alternative.
    Free(Agent, u32),
    /// Units of these, some of whose alternatives are asleep. All are to be tried.
    Partly(Vec<Agent>),
    /// Nobody can go on.
    End,
    /// Everybody who can is asleep.
    Asleep,
}

/// What became of the next unit.
pub(super) enum Went {
    /// It was performed.
    On,
    /// The execution has ended, with it or without it.
    End,
    /// There is a reason to stop.
    Stop,
}

/// Where going down has led to.
pub(super) enum Reached {
    /// The end of an execution.
    End,
    /// A leaf that somebody else has explored.
    Settled,
    /// A reason to stop.
    Stop,
}

/// How often a long execution asks whether to go on.
const PATIENCE: usize = 1024;

/// Explores.
pub fn explore<A: Algorithm, S: System>(session: &mut Session<'_, S>) {
    session.looking_ahead(explore_as_set::<A, S>);
}

/// Explores as the session is set.
pub fn explore_as_set<A: Algorithm, S: System>(session: &mut Session<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let start = session.mark();
    let mut walk = Walk::new(session);
    walk.run::<A>();
    if walk.needs_paths {
        begin_again_with_paths(session, &start);
    }
}

/// Explores executions with at most `most` preemptions; gives whether others were left out.
pub fn explore_bounded<A: Algorithm, S: System>(session: &mut Session<'_, S>, most: u32) -> bool {
    if session.ended_at_start() {
        return false;
    }
    let mut walk = Walk::new(session);
    walk.bound = Some(Bound { most, was_reached: false });
    walk.present.order.enabling_races = true;
    walk.run::<A>();
    walk.bound.is_some_and(|bound| bound.was_reached)
}

impl<'w, 's, S: System> Walk<'w, 's, S> {
    /// A walk from the session's present state.
    pub fn new(session: &'w mut Session<'s, S>) -> Self {
        Walk {
            session,
            present: Present::default(),
            nodes: Vec::new(),
            sleep_sets: SleepSets::default(),
            plan: Plan::none(Branch::of(Label::of(ThreadId::MAIN.into()), &[])),
            last: ThreadId::MAIN,
            needs_paths: false,
            foreign: Foreign::default(),
            now: 0,
            bound: None,
            scratch: Scratch::default(),
        }
    }

    /// The session.
    pub fn session(&mut self) -> &mut Session<'s, S> {
        self.session
    }

    /// Explores everything from the present state on.
    pub fn run<A: Algorithm>(&mut self) -> Control {
        let mut new = 0;
        loop {
            match self.descend::<A>() {
                Reached::Stop => return Control::Stop,
                Reached::End => self.reverse_races::<A>(new),
                Reached::Settled => {}
            }
            if self.session.control() == Control::Stop {
                return Control::Stop;
            }
            match self.turn_back(0) {
                Some(position) => new = self.races_from(position),
                None => return Control::Continue,
            }
        }
    }

    /// Goes down to the end of an execution.
    fn descend<A: Algorithm>(&mut self) -> Reached {
        loop {
            match self.advance::<A>() {
                Went::On if self.is_patient() => {}
                Went::On | Went::Stop => return Reached::Stop,
                Went::End => {
                    self.plan.drop_branch();
                    return Reached::End;
                }
            }
        }
    }

    /// Whether there is no reason yet to stop in the middle of a long execution.
    #[inline]
    pub(super) fn is_patient(&mut self) -> bool {
        !self.present.order.length().is_multiple_of(PATIENCE) || self.session.control() != Control::Stop
    }

    /// Performs the next unit. At the end of an execution, what was planned is of no use any more.
    #[inline]
    pub(super) fn advance<A: Algorithm>(&mut self) -> Went {
        let is_new = self.nodes.len() == self.present.order.length();
        let asleep = self.sleep_sets.mark();
        if is_new && A::SLEEPS {
            self.inherit_sleepers();
        }
        let next = match self.has_plan(is_new) {
            true => Next::Planned,
            false => self.next(asleep),
        };
        if let Next::End | Next::Asleep = next {
            match next {
                Next::End => self.session.finish(),
                _ => self.session.redundant(),
            }
            self.sleep_sets.truncate(asleep);
            return Went::End;
        }
        if is_new {
            self.open::<A>(asleep);
        }
        let progress = match next {
            Next::Free(thread, choice) => self.perform::<A>(Label { choice, ..Label::of(thread) }),
            Next::Partly(agents) => self.perform_partly::<A>(&agents),
            _ => match self.follow() {
                Some(label) => self.perform::<A>(label),
                None => {
                    self.session.redundant();
                    return Went::End;
                }
            },
        };
        if progress == Progress::Ended {
            return Went::End;
        }
        if self.needs_paths {
            return Went::Stop;
        }
        if self.is_path_asleep() {
            self.session.redundant();
            return Went::End;
        }
        Went::On
    }

    /// Whether it is settled what comes next. The continuations of a branch that was followed to its end are to
    /// be tried from the present state, which is new.
    fn has_plan(&self, is_new: bool) -> bool {
        !self.plan.is_followed()
            || match self.nodes.last() {
                _ if is_new => self.plan.continues(),
                Some(node) => node.tree.next().is_some(),
                None => false,
            }
    }

    /// The next label of the plan; `None`: that is not possible.
    fn follow(&mut self) -> Option<Label> {
        if self.plan.is_followed() {
            let position = self.present.order.length();
            let node = self.nodes.last_mut()?;
            if !self.plan.begin(&mut node.tree, position) {
                return None;
            }
        }
        let label = self.plan.follow();
        self.session.system.is_enabled(label.thread).then_some(label)
    }

    /// Adds the sleepers of the present state: those of the one before that the last unit has not woken.
    fn inherit_sleepers(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        if self.sleep_sets.between(node.asleep, None).is_empty() {
            return;
        }
        let unit = self.present.order.length() as u32 - 1;
        let order = &self.present.order;
        let arrived = |store: Agent| order.has_arrived(store, unit as usize);
        let unit = (order.agent(unit), order.accesses(unit));
        self.sleep_sets.inherit(node.asleep, unit, arrived);
    }

    /// Opens the present state as a node, whose sleep set begins at a mark.
    pub(super) fn open<A: Algorithm>(&mut self, asleep: SleepMark) {
        let enabled = A::NEEDS_ENABLED.then(|| {
            let mut enabled = Vec::new();
            self.session.enabled(&mut enabled);
            enabled.into_boxed_slice()
        });
        let (running, preemptions) = self.count_preemptions();
        let tree = self.plan.rest();
        let (mark, inherited) = (self.session.mark(), self.sleep_sets.mark());
        self.nodes.push(Node {
            enabled,
            running,
            preemptions,
            ..Node::new(Some(mark), asleep, inherited, tree, self.last)
        });
    }

    /// The thread that took the last step, if leaving it now would be a preemption; and how many there were, if they are counted.
    fn count_preemptions(&self) -> (Option<ThreadId>, u32) {
        let (Some(_), Some(before)) = (&self.bound, self.nodes.last()) else { return (None, 0) };
        let system = &self.session.system;
        // A store that reaches memory is nobody's turn.
        if self.present.labels.last().is_some_and(|last| !last.thread.is_thread()) {
            let running = before.running.filter(|thread| system.is_enabled((*thread).into()));
            return (running, before.preemptions);
        }
        let preempted = before.running.is_some_and(|running| running != self.last);
        let operation = system.events().last().map(|event| event.operation);
        let leaves = operation == Some(Operation::Yield) || !system.is_enabled(self.last.into());
        ((!leaves).then_some(self.last), before.preemptions + u32::from(preempted))
    }

    /// Chooses what to do next; the sleep set of the present state begins at a mark.
    fn next(&self, asleep: SleepMark) -> Next {
        if self.present.paths.is_some() {
            return self.next_by_paths(asleep);
        }
        let mut next = Next::End;
        // Whoever took the last step goes on, if nothing speaks against it.
        if self.find_next(self.last, asleep, &mut next) {
            return next;
        }
        for thread in self.session.system.machine().threads() {
            if self.find_next(thread, asleep, &mut next) {
                return next;
            }
        }
        next
    }

    /// Whether a thread, or a store of it, can go on and is not asleep. If it is asleep, that is what is next so far.
    fn find_next(&self, thread: ThreadId, asleep: SleepMark, next: &mut Next) -> bool {
        // Stores arrive at once, unless there is a reason why not: that is how people think of executions.
        if S::BUFFERED {
            let mut found = false;
            self.session.system.buffers().ready_stores(thread, &mut |store| {
                found = found || self.try_next(store, asleep, next);
            });
            if found {
                return true;
            }
        }
        self.try_next(thread.into(), asleep, next)
    }

    /// Whether an agent can go on and is not asleep. If it is asleep, that is what is next so far.
    fn try_next(&self, agent: Agent, asleep: SleepMark, next: &mut Next) -> bool {
        if !self.session.system.is_enabled(agent) {
            return false;
        }
        let first = self.first_alternative_awake(agent, asleep);
        *next = first.map_or(Next::Asleep, |choice| Next::Free(agent, choice));
        first.is_some()
    }

    /// The first alternative of an agent that is enabled and not asleep.
    fn first_alternative_awake(&self, agent: Agent, asleep: SleepMark) -> Option<u32> {
        let asleep = self.sleep_sets.between(asleep, None);
        if asleep.is_empty() {
            return Some(0);
        }
        let own = asleep.iter().filter(|sleeper| sleeper.label.thread == agent);
        let mut taken: Vec<u32> = own.map(|sleeper| sleeper.label.choice).collect();
        taken.sort_unstable();
        taken.dedup();
        let first = (0..).zip(&taken).find(|(choice, taken)| choice != *taken);
        let first = first.map_or(taken.len() as u32, |(choice, _)| choice);
        (first < self.session.system.choices(agent)).then_some(first)
    }

    /// Goes back to the deepest node with a branch left, but no further than to a position; gives which that is. `None`: there is
    /// none, and the nodes from the position on are gone.
    pub(super) fn turn_back(&mut self, floor: usize) -> Option<usize> {
        loop {
            let position = self.nodes.len().checked_sub(1).filter(|position| *position >= floor)?;
            let node = &mut self.nodes[position];
            if let Some(bound) = &mut self.bound {
                leave_preemptions_out(node, bound);
            }
            if let (Some(_), Some(mark)) = (node.tree.next(), &node.mark) {
                // What was tried from it goes to sleep.
                let present = &mut self.present;
                if present.order.length() > position {
                    let label = present.labels[position].clone();
                    let path = present.paths.as_ref().map(|paths| paths[position].clone());
                    self.sleep_sets.put(label, present.order.accesses(position as u32), path);
                    present.truncate(position);
                }
                self.session.rewind(mark);
                return Some(position);
            }
            self.sleep_sets.truncate(node.asleep);
            self.nodes.truncate(position);
        }
    }

    /// From where on races have to be looked at when the next branch of the node at a position is followed: from there, unless
    /// the branch is an alternative.
    pub(super) fn races_from(&self, position: usize) -> usize {
        match self.nodes[position].tree.next() {
            Some(branch) if branch.is_alternative => 0,
            _ => position,
        }
    }
}

/// Leaves out the next branches of a node that would need too many preemptions.
fn leave_preemptions_out<M>(node: &mut Node<M>, bound: &mut Bound) {
    while let Some(branch) = node.tree.next() {
        let next = branch.label(0).thread;
        let preempts = next.is_thread() && node.running.is_some_and(|running| next != running);
        if node.preemptions + u32::from(preempts) <= bound.most {
            return;
        }
        bound.was_reached = true;
        node.tree.skip();
    }
}
