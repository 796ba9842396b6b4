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

mod lending;
mod paths;
mod races;

use self::paths::Path;
use super::branch::{Branch, Branches};
use super::optimal::Left;
use super::order::{Family, NONE, Order, Part, Prospect, Race};
use super::parallel::{Helper, Loan, Requests, Way, Yield};
use crate::core::dependence::{self, Access};
use crate::core::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use rustc_hash::FxHashMap;
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, ThreadId};
use std::sync::Arc;

/// The next unit of a thread or of one of its buffered stores, and how it is performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Who.
    pub thread: Agent,
    /// The alternative that its first step takes.
    pub choice: u32,
    /// Those that later steps take, if it has some: only atomic sections do.
    pub rest: Option<Arc<Vec<u32>>>,
}

impl Label {
    /// The thread's next unit, with the first alternative of everything.
    pub fn of(thread: Agent) -> Self {
        Self { thread, choice: 0, rest: None }
    }

    /// The thread's next unit, with these alternatives and then the first of everything.
    fn with(thread: Agent, choices: &[u32]) -> Self {
        let given = choices.iter().rposition(|choice| *choice != 0).map_or(0, |last| last + 1);
        let rest = choices.get(1..given).filter(|rest| !rest.is_empty());
        let rest = rest.map(|rest| Arc::new(rest.to_vec()));
        Self { thread, choice: choices.first().copied().unwrap_or(0), rest }
    }

    /// How many steps have a given alternative; the others take the first.
    fn given(&self) -> usize {
        match &self.rest {
            Some(rest) => 1 + rest.len(),
            None => usize::from(self.choice != 0),
        }
    }

    fn choice_of(&self, step: usize) -> u32 {
        match step.checked_sub(1) {
            None => self.choice,
            Some(at) => self.rest.as_ref().and_then(|rest| rest.get(at)).copied().unwrap_or(0),
        }
    }
}

/// A label that need not be tried.
#[derive(Debug, Clone)]
pub struct Sleeper {
    /// The label.
    pub label: Label,
    /// What it touches, in the walk's list.
    pub accesses: (u32, u32),
    /// The choices that it makes, where paths are followed.
    pub path: Option<Path>,
}

impl Sleeper {
    /// A sleeper where paths are not followed.
    pub fn new(label: Label, accesses: (u32, u32)) -> Self {
        Self { label, accesses, path: None }
    }
}

/// Adds those of some sleepers that a unit does not wake; `arrived` tells which stores have reached memory before it.
fn inherit(
    sleepers: &mut Vec<Sleeper>,
    range: std::ops::Range<usize>,
    accesses: &[Access],
    (agent, touched): (Agent, &[Access]),
    arrived: impl Fn(Agent) -> bool,
) {
    for at in range {
        let sleeper = &sleepers[at];
        let (from, to) = sleeper.accesses;
        let theirs = &accesses[from as usize..to as usize];
        if sleeper.label.thread != agent && !dependence::hindered_after(touched, theirs, &arrived, &arrived) {
            let sleeper = sleeper.clone();
            sleepers.push(sleeper);
        }
    }
}

struct Node<M> {
    /// The state; `None` if the walk has not been there, because somebody else has explored what is below.
    mark: Option<M>,
    /// Its sleepers begin here, and end where those of the next node begin.
    sleepers: u32,
    /// Those that were asleep before anything was tried from here end here.
    inherited: u32,
    /// Their accesses begin here.
    accesses: u32,
    branches: Branches,
    /// The next branch.
    next: usize,
    /// The loan that older leaves of the branches belong to, or 0.
    loan: u32,
    /// Loans up to this one are void: a branch to their left did not do what was expected, so that what is asleep on
    /// the way is not what the borrower thought.
    void: u32,
    /// Who can take a step, for algorithms that ask.
    enabled: Option<Box<[Agent]>>,
    /// The thread that took the last step, if leaving it would be a preemption.
    running: Option<ThreadId>,
    /// Preemptions on the way here.
    preemptions: u32,
    /// The thread that took the last step.
    last: ThreadId,
}

/// A race as algorithms see it: the later unit may be one that only would have happened.
pub struct Later {
    /// The unit, or [`NONE`].
    pub unit: u32,
    /// Who.
    pub thread: Agent,
    /// Whether it waits until the buffer of its thread is empty.
    pub drains: bool,
    /// What it touches when it comes first.
    pub accesses: Vec<Access>,
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
    fn reverse<S: System>(walk: &mut Walk<'_, '_, S>, race: Race, later: &Later);
}

/// The walk.
pub struct Walk<'w, 's, S: System> {
    session: &'w mut Session<'s, S>,
    /// The present execution.
    pub order: Order,
    /// The labels of its units.
    pub labels: Vec<Label>,
    /// The choices that its units have made, if paths are followed.
    paths: Option<Vec<Path>>,
    /// Whether an atomic section has made a choice although paths are not followed: what was explored does not count.
    needs_paths: bool,
    /// Where the events of each unit begin.
    events: Vec<u32>,
    nodes: Vec<Node<SessionMark<S::Mark>>>,
    sleepers: Vec<Sleeper>,
    sleeping_accesses: Vec<Access>,
    /// The branch that is being followed, and how many of its units have been performed.
    plan: Arc<Branch>,
    followed: usize,
    /// The loan that older leaves of it belong to, or 0, and the last that is void.
    plan_loan: u32,
    plan_void: u32,
    /// A branch to stand for those that have been followed, to their ends.
    nothing: Arc<Branch>,
    accesses: Vec<Access>,
    /// Lists that are used again and again.
    later: Vec<Access>,
    threads: Vec<ThreadId>,
    /// Units that stay when a race is reversed.
    kept: Vec<u32>,
    list: Vec<Left>,
    /// Where in a tree something belongs.
    pub place: Vec<(usize, usize)>,
    last: ThreadId,
    /// The other workers.
    bench: Option<&'w dyn Helper>,
    /// So many nodes, from the first, are somebody else's.
    foreign: usize,
    /// What is to be inserted there.
    pub requests: Requests,
    /// What was borrowed.
    borrowed: Option<Borrowed>,
    /// What was lent and has not been settled: the loans, and how many leaves of each.
    loans: FxHashMap<u32, (Arc<Loan>, u32)>,
    /// Loans made so far.
    made: u32,
    /// Leaves that were lent and have not been settled.
    outstanding: u32,
    /// What somebody else has found below the leaf that the walk is going to.
    arrived: Option<Yield>,
    /// The units from the last state where the walk has been to the last node, if somebody else has performed them:
    /// branches and places in them.
    chain: Vec<(Arc<Branch>, usize)>,
    /// Chances to lend something that were let pass, and those when it was too little.
    passed: u32,
    refused: u32,
    /// The most preemptions, and whether executions with more were left out.
    bound: Option<u32>,
    cut: bool,
}

/// What a borrower is about.
struct Borrowed {
    loan: Arc<Loan>,
    /// The node that it begins with, and how many of its branches are meant.
    base: usize,
    end: usize,
    /// Units from this position on are as expected.
    plain: usize,
    /// On the way to the first leaf: steps taken before each unit, from a position on.
    from: usize,
    steps: Vec<u64>,
    way: Way,
    /// What was found and has not been handed over yet.
    results: Vec<Option<Yield>>,
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

/// How often a long execution asks whether to go on.
const PATIENCE: usize = 1024;

/// What has been settled.
enum Settled {
    /// Everything from the present state on.
    All,
    /// What comes next, in the present state, is for the walk itself; with the position from which on races have
    /// to be looked at.
    Own(usize),
    /// There is a reason to stop.
    Stop,
}

/// Where going down has led to.
enum Reached {
    /// The end of an execution.
    End,
    /// A leaf that somebody else has explored.
    Settled,
    /// A reason to stop.
    Stop,
}

/// Whether two lists of accesses are the same as far as dependence goes.
fn is_same_footprint(one: &[Access], other: &[Access]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| {
            let arrives = a.mode == dependence::Mode::Arrive;
            (a.granule, a.mask, a.mode, a.own_store()) == (b.granule, b.mask, b.mode, b.own_store())
                && (!arrives || a.delta == b.delta)
        })
}

/// The units before a node: those that the walk has performed, and those that somebody else has.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    order: &'a Order,
    performed: &'a [Label],
    chain: &'a [(Arc<Branch>, usize)],
}

impl Before<'_> {
    /// Whether a store has reached memory.
    pub fn has(&self, store: Agent) -> bool {
        let mut others = self.chain.iter().map(|(branch, at)| branch.label(*at));
        self.performed.iter().any(|label| label.thread == store) || others.any(|label| label.thread == store)
    }

    /// How many threads have yet to arrive at a barrier, given an arrival there; `None` if that is not known.
    pub fn remaining(&self, arrival: &Access) -> Option<u32> {
        let here =
            |access: &&Access| access.granule == arrival.granule && access.mode != dependence::Mode::Read;
        let mut remaining = self.order.remaining_at(arrival, self.performed.len())?;
        for access in self.chain.iter().flat_map(|(branch, at)| branch.accesses(*at)).filter(here) {
            remaining = match access.mode {
                dependence::Mode::Arrive => remaining.checked_sub(1)?,
                _ => return None,
            };
        }
        Some(remaining)
    }
}

/// Explores.
pub fn explore<A: Algorithm, S: System>(session: &mut Session<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let start = session.mark();
    let mut walk = Walk::new(session, None);
    walk.run::<A>(0);
    if walk.needs_paths {
        begin_again_with_paths(session, &start);
    }
}

pub use self::paths::begin_again as begin_again_with_paths;

/// Explores executions with at most `bound` preemptions; gives whether others were left out.
pub fn explore_bounded<A: Algorithm, S: System>(session: &mut Session<'_, S>, bound: u32) -> bool {
    if session.ended_at_start() {
        return false;
    }
    let mut walk = Walk::new(session, None);
    walk.bound = Some(bound);
    walk.order.enabling_races = true;
    walk.run::<A>(0);
    walk.cut
}

impl<'w, 's, S: System> Walk<'w, 's, S> {
    /// A walk from the session's present state.
    pub fn new(session: &'w mut Session<'s, S>, bench: Option<&'w dyn Helper>) -> Self {
        let nothing = Arc::new(Branch::of(Label::of(ThreadId::MAIN.into()), &[]));
        Walk {
            session,
            order: Order::default(),
            labels: Vec::new(),
            paths: None,
            needs_paths: false,
            events: Vec::new(),
            nodes: Vec::new(),
            sleepers: Vec::new(),
            sleeping_accesses: Vec::new(),
            plan: nothing.clone(),
            followed: nothing.length(),
            plan_loan: 0,
            plan_void: 0,
            nothing,
            accesses: Vec::new(),
            later: Vec::new(),
            threads: Vec::new(),
            kept: Vec::new(),
            list: Vec::new(),
            place: Vec::new(),
            last: ThreadId::MAIN,
            bench,
            foreign: 0,
            requests: Requests::default(),
            borrowed: None,
            loans: FxHashMap::default(),
            made: 0,
            outstanding: 0,
            arrived: None,
            chain: Vec::new(),
            passed: 0,
            refused: 0,
            bound: None,
            cut: false,
        }
    }

    /// The session.
    pub fn session(&mut self) -> &mut Session<'s, S> {
        self.session
    }

    /// Whether the node at a position is somebody else's.
    pub fn is_foreign(&self, position: usize) -> bool {
        position < self.foreign
    }

    /// The units before the node at a position.
    pub fn before(&self, position: usize) -> Before<'_> {
        let length = self.order.length().min(position);
        Before {
            order: &self.order,
            performed: &self.labels[..length],
            chain: &self.chain[..(position - length).min(self.chain.len())],
        }
    }

    /// Whether the exploration has to begin again: an atomic section has made a choice.
    pub fn needs_paths(&self) -> bool {
        self.needs_paths
    }

    /// The number of loans made so far.
    pub fn loans_made(&self) -> u32 {
        self.made
    }

    /// Explores everything from the present state on; the races of units before a position have been looked at.
    pub fn run<A: Algorithm>(&mut self, known: usize) -> Control {
        let mut new = known;
        loop {
            match self.descend::<A>() {
                Reached::Stop => return Control::Stop,
                Reached::End => self.reverse_races::<A>(new),
                Reached::Settled => {}
            }
            if self.session.control() == Control::Stop {
                return Control::Stop;
            }
            if let Some(bench) = self.bench {
                if bench.exchange().is_over() {
                    return Control::Stop;
                }
                if self.borrowed.as_ref().is_some_and(|own| !own.results.is_empty() && own.loan.is_awaited())
                {
                    self.give_results(false);
                }
                self.lend_if_wanted(bench);
            }
            loop {
                match self.turn_back() {
                    Some(position) => new = position,
                    None => return Control::Continue,
                }
                match self.bench {
                    Some(bench) if !self.loans.is_empty() && !self.is_on_borrowed_way() => {
                        match self.settle(bench) {
                            Settled::All => {}
                            Settled::Own(position) => {
                                new = position;
                                break;
                            }
                            Settled::Stop => return Control::Stop,
                        }
                    }
                    _ => break,
                }
            }
        }
    }

    /// Goes down to the end of an execution.
    fn descend<A: Algorithm>(&mut self) -> Reached {
        loop {
            let is_new = self.nodes.len() == self.order.length();
            let sleepers = self.sleepers.len();
            if is_new && A::SLEEPS {
                self.inherit_sleepers();
            }
            let next = match self.has_plan(is_new) {
                true => Next::Planned,
                false => self.next(sleepers),
            };
            if let Next::End | Next::Asleep = next {
                match next {
                    Next::End => self.session.finish(),
                    _ => self.session.redundant(),
                }
                self.sleepers.truncate(sleepers);
                return Reached::End;
            }
            if is_new {
                self.open::<A>(sleepers);
            }
            let progress = match next {
                Next::Free(thread, choice) => self.perform::<A>(Label { choice, ..Label::of(thread) }),
                Next::Partly(agents) => self.perform_partly::<A>(&agents),
                _ => {
                    let Some(label) = self.follow() else {
                        self.session.redundant();
                        return Reached::End;
                    };
                    let progress = self.perform::<A>(label);
                    if self.made > 0 && self.followed == 1 {
                        self.check_expectation();
                    }
                    progress
                }
            };
            if progress == Progress::Ended {
                self.drop_plan();
                return Reached::End;
            }
            if self.needs_paths {
                return Reached::Stop;
            }
            if self.is_path_asleep() {
                self.drop_plan();
                self.session.redundant();
                return Reached::End;
            }
            if self.is_on_borrowed_way() {
                self.on_borrowed_way();
            }
            if self.followed == self.plan.length()
                && self.plan.then.is_empty()
                && let Some(result) = self.arrived.take()
            {
                self.drop_plan();
                return match self.absorb(result, 0) {
                    Control::Continue => Reached::Settled,
                    Control::Stop => Reached::Stop,
                };
            }
            if self.order.length().is_multiple_of(PATIENCE) && self.session.control() == Control::Stop {
                return Reached::Stop;
            }
        }
    }

    /// Whether it is settled what comes next. The continuations of a branch that was followed to its end are to
    /// be tried from the present state, which is new.
    fn has_plan(&self, is_new: bool) -> bool {
        self.followed < self.plan.length()
            || match self.nodes.last() {
                _ if is_new => !self.plan.then.is_empty(),
                Some(node) => node.next < node.branches.len(),
                None => false,
            }
    }

    /// The next label of the plan; `None`: that is not possible.
    fn follow(&mut self) -> Option<Label> {
        if self.followed >= self.plan.length() {
            let node = self.nodes.last_mut()?;
            self.plan = node.branches.take(node.next, &self.nothing)?;
            (self.plan_loan, self.plan_void) = (self.plan.lending.within(node.loan), node.void);
            self.followed = 0;
            node.next += 1;
        }
        let label = self.plan.label(self.followed).clone();
        self.followed += 1;
        if self.session.system.is_enabled(label.thread) {
            return Some(label);
        }
        self.drop_plan();
        None
    }

    fn drop_plan(&mut self) {
        self.plan = self.nothing.clone();
        self.followed = self.plan.length();
    }

    /// Adds the sleepers of the present state: those of the one before that the last unit has not woken.
    fn inherit_sleepers(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        let range = node.sleepers as usize..self.sleepers.len();
        if range.is_empty() {
            return;
        }
        let unit = self.order.length() as u32 - 1;
        let order = &self.order;
        let arrived = |store: Agent| order.has_arrived(store, unit as usize);
        let unit = (order.agent(unit), order.accesses(unit));
        inherit(&mut self.sleepers, range, &self.sleeping_accesses, unit, arrived);
    }

    /// Opens the present state as a node.
    fn open<A: Algorithm>(&mut self, sleepers: usize) {
        let enabled = A::NEEDS_ENABLED.then(|| {
            let mut enabled = Vec::new();
            self.session.enabled(&mut enabled);
            enabled.into_boxed_slice()
        });
        let (running, preemptions) = match (self.bound, self.nodes.last()) {
            // A store that reaches memory is nobody's turn.
            (Some(_), Some(before)) if self.labels.last().is_some_and(|last| !last.thread.is_thread()) => {
                let running =
                    before.running.filter(|thread| self.session.system.is_enabled((*thread).into()));
                (running, before.preemptions)
            }
            (Some(_), Some(before)) => {
                let preempted = before.running.is_some_and(|running| running != self.last);
                let yielded = self.session.system.events().last().map(|event| event.operation);
                let last = self.last.into();
                let leaves = yielded == Some(Operation::Yield) || !self.session.system.is_enabled(last);
                ((!leaves).then_some(self.last), before.preemptions + u32::from(preempted))
            }
            _ => (None, 0),
        };
        let (mut branches, mut loan, mut void) = (Branches::default(), 0, 0);
        if self.followed >= self.plan.length() && !self.plan.then.is_empty() {
            (loan, void) = (self.plan_loan, self.plan_void);
            branches = match Arc::get_mut(&mut self.plan) {
                Some(plan) => std::mem::take(&mut plan.then),
                None => self.plan.then.clone(),
            };
        }
        self.nodes.push(Node {
            mark: Some(self.session.mark()),
            sleepers: sleepers as u32,
            inherited: self.sleepers.len() as u32,
            accesses: self.sleeping_accesses.len() as u32,
            branches,
            next: 0,
            loan,
            void,
            enabled,
            running,
            preemptions,
            last: self.last,
        });
    }

    /// Chooses what to do next; the sleepers of the present state begin at a position.
    fn next(&self, sleepers: usize) -> Next {
        if self.paths.is_some() {
            return self.next_by_paths(sleepers);
        }
        let mut any = false;
        // Stores arrive at once, unless there is a reason why not: that is how people think of executions.
        if S::BUFFERED
            && let Some((store, choice)) = self.awake_store(self.last, sleepers, &mut any)
        {
            return Next::Free(store, choice);
        }
        if let Some(choice) = self.awake(self.last.into(), sleepers, &mut any) {
            return Next::Free(self.last.into(), choice);
        }
        for thread in self.session.system.machine().threads() {
            if S::BUFFERED
                && let Some((store, choice)) = self.awake_store(thread, sleepers, &mut any)
            {
                return Next::Free(store, choice);
            }
            if let Some(choice) = self.awake(thread.into(), sleepers, &mut any) {
                return Next::Free(thread.into(), choice);
            }
        }
        if any { Next::Asleep } else { Next::End }
    }

    /// A store of a thread that can reach memory and is not asleep, and its first alternative.
    fn awake_store(&self, thread: ThreadId, sleepers: usize, any: &mut bool) -> Option<(Agent, u32)> {
        let mut found = None;
        self.session.system.ready_stores(thread, &mut |agent| {
            if found.is_none() {
                found = self.awake(agent, sleepers, any).map(|choice| (agent, choice));
            }
        });
        found
    }

    /// The first alternative of a thread that is enabled and not asleep; notes whether it is enabled at all.
    fn awake(&self, thread: Agent, sleepers: usize, any: &mut bool) -> Option<u32> {
        if !self.session.system.is_enabled(thread) {
            return None;
        }
        *any = true;
        let asleep = &self.sleepers[sleepers..];
        if asleep.is_empty() {
            return Some(0);
        }
        let own = asleep.iter().filter(|sleeper| sleeper.label.thread == thread);
        let mut taken: Vec<u32> = own.map(|sleeper| sleeper.label.choice).collect();
        taken.sort_unstable();
        taken.dedup();
        let first = (0..).zip(&taken).find(|(choice, taken)| choice != *taken);
        let first = first.map_or(taken.len() as u32, |(choice, _)| choice);
        (first < self.session.system.choices(thread)).then_some(first)
    }

    /// Performs the next unit of a thread.
    fn perform<A: Algorithm>(&mut self, label: Label) -> Progress {
        let agent = label.thread;
        let thread = agent.thread();
        let position = self.order.length();
        let first_event = self.session.system.events().len();
        let issued = if S::BUFFERED { self.session.system.issued(thread) } else { 0 };
        self.accesses.clear();
        let waits = dependence::of_waiting(&self.session.system, agent, &mut self.accesses);
        let by_itself = self.session.system.machine().may_wake_by_itself(thread);
        let in_section = self.session.system.machine().in_atomic_section(thread);
        let mut family = Family::Nobody;
        let mut choices: Vec<(u32, u32)> = Vec::new();
        let mut step = 0;
        let mut alone = false;
        let progress = loop {
            let options = self.session.system.choices(agent);
            let choice = match self.paths.is_some() && options > 1 && step >= label.given() {
                true => self.first_awake(position, agent, &choices, options),
                false => label.choice_of(step),
            };
            if options > 1 {
                choices.resize(step, (0, 1));
                choices.push((choice, options));
            }
            let turn = Turn { agent, choice };
            let progress = match alone {
                true => self.session.step_alone(turn),
                false => self.session.step_through(turn),
            };
            let mut joins = false;
            if let (Some(event), false) = (self.session.system.events().last(), alone) {
                let forwards = self.session.system.forwards();
                dependence::of_event(event, self.session.woken(), forwards, &mut self.accesses);
                if let Some(own) = Family::of(event) {
                    joins = own == Family::JoinsAll || matches!(own, Family::Joins(_));
                    family = own;
                }
            }
            step += 1;
            if progress == Progress::Ended {
                break progress;
            }
            let system = &mut self.session.system;
            alone |= joins && system.machine().is_alone(thread);
            let goes_on = match alone {
                true => self.goes_on_alone(thread),
                false => {
                    system.machine().excludes_others(thread) && agent.is_thread() && system.is_enabled(agent)
                }
            };
            if !goes_on {
                break progress;
            }
            // Every step is preceded by a mark.
            self.session.system.mark();
        };
        let first = &self.session.system.events()[first_event];
        let object = match first.operation {
            Operation::Sync { object, .. } => object,
            _ => 0,
        };
        let state = (first.before as u64) << (8 * (object & 7));
        let blocking = dependence::blocking(&first.operation, by_itself);
        let mut part = Part::of(first, 0);
        if progress == Progress::On && self.session.system.machine().is_stopped_in_section(thread) {
            if let Some(mark) = &self.nodes[position].mark {
                self.session.take_back(mark, thread);
            }
            for access in &mut self.accesses {
                (access.mode, access.delta) = (dependence::Mode::Read, 0);
            }
        }
        if let (true, Part::Issues(count)) = (S::BUFFERED, &mut part) {
            *count = self.session.system.issued(thread) - issued;
        }
        let next = Prospect { agent, accesses: &self.accesses, blocking, object, state, waits, part };
        self.order.push(&next, family);
        // A store that reaches memory is nobody's turn.
        self.last = if agent.is_thread() { thread } else { self.nodes[position].last };
        self.labels.truncate(position);
        // The alternatives of a unit are tried one after the other at the node where it is performed first. Those of
        // the steps whose alternative is given there have their branches already.
        let is_alternative = self.followed == 1 && self.plan.is_alternative;
        let known = if is_alternative { label.given() } else { 0 };
        let is_within = self.followed < self.plan.length() || !self.plan.then.is_empty();
        match &mut self.paths {
            Some(paths) => {
                paths.truncate(position);
                paths.push(choices.iter().copied().filter(|(_, options)| *options > 1).collect());
                let taken: Vec<u32> = choices.iter().map(|(taken, _)| *taken).collect();
                self.labels.push(Label::with(agent, &taken));
            }
            None => {
                self.needs_paths |= in_section && A::SLEEPS && !choices.is_empty();
                self.labels.push(label);
            }
        }
        self.events.truncate(position);
        self.events.push(first_event as u32);
        if !self.is_foreign(position) {
            self.add_alternatives(position, &choices, known, A::WEAK && is_within);
        } else if let (Some(borrowed), false) = (&mut self.borrowed, choices.is_empty()) {
            borrowed.plain = position + 1;
        }
        progress
    }

    /// Whether a thread that nobody else can notice goes on without anything to decide.
    fn goes_on_alone(&self, thread: ThreadId) -> bool {
        let system = &self.session.system;
        let Some(operation) = system.machine().pending(thread) else { return false };
        !matches!(operation, Operation::Spawn { .. })
            && system.is_enabled(thread.into())
            && system.choices(thread.into()) == 1
            && !self.session.is_due()
    }

    /// Sees to it that all alternatives of the unit at a position are tried; those of its first steps are `known` to be.
    /// `is_within`: the unit stands within a branch of a wake-up tree. What is asleep there covers an alternative that does
    /// not depend on it: whoever needs the alternative has a branch of its own. At the end of a branch, and where
    /// the walk goes on freely, everything has to be found.
    fn add_alternatives(&mut self, position: usize, choices: &[(u32, u32)], known: usize, is_within: bool) {
        if !choices.iter().skip(known).any(|(_, options)| *options > 1) {
            return;
        }
        let thread = self.labels[position].thread;
        let accesses = self.order.accesses(position as u32);
        let others_cover = is_within
            && self.paths.is_none()
            && self
                .covering(position)
                .any(|(other, theirs)| other.thread != thread && !dependence::dependent(theirs, accesses));
        if others_cover {
            return;
        }
        let own = self.covering(position).filter(|(other, _)| other.thread == thread);
        let own: Vec<Label> = own.map(|(label, _)| label.clone()).collect();
        let steps = choices.iter().enumerate().skip(known);
        for (step, (taken, options)) in steps.filter(|(_, (_, options))| *options > 1) {
            for choice in (0..*options).filter(|choice| choice != taken) {
                let path: Vec<u32> =
                    choices[..step].iter().map(|(taken, _)| *taken).chain([choice]).collect();
                let label = Label::with(thread, &path);
                let covered = match self.paths {
                    Some(_) => self.is_prefix_covered(position, &label, &choices[..step], (choice, *options)),
                    None => own.contains(&label),
                };
                if !covered {
                    let mut branch = Branch::of(label, self.order.accesses(position as u32));
                    branch.is_alternative = true;
                    branch.is_new(self.made);
                    self.nodes[position].branches.push(branch);
                }
            }
        }
    }

    /// What is asleep at the node at a position: everything that begins with one of these has been explored.
    pub fn asleep(&self, position: usize) -> impl Iterator<Item = (&Label, &[Access])> {
        let node = &self.nodes[position];
        let to = self.nodes.get(position + 1).map_or(self.sleepers.len(), |next| next.sleepers as usize);
        self.sleepers[node.sleepers as usize..to].iter().map(|sleeper| {
            let (from, to) = sleeper.accesses;
            (&sleeper.label, &self.sleeping_accesses[from as usize..to as usize])
        })
    }

    /// What will be tried from the node at a position after what is being tried now: those of its branches from one on.
    pub fn tree(&self, position: usize) -> (&Branches, usize) {
        let node = &self.nodes[position];
        (&node.branches, node.next)
    }

    /// The same, to be changed; only additions at the end are meant.
    pub fn branches_mut(&mut self, position: usize) -> (&mut Branches, usize) {
        let node = &mut self.nodes[position];
        (&mut node.branches, node.next)
    }

    /// The loan that older leaves of the branches of the node at a position belong to, or 0.
    pub fn loan_at(&self, position: usize) -> u32 {
        self.nodes[position].loan
    }

    /// What has been tried, or will be, from the node at a position. (What is being tried there is not among
    /// them: it depends on the race that is reversed.)
    pub fn covering(&self, position: usize) -> impl Iterator<Item = (&Label, &[Access])> {
        let (branches, from) = self.tree(position);
        let certain = branches[from..].iter().filter(|branch| !branch.uncertain);
        self.asleep(position).chain(certain.map(|branch| (&branch.first.label, branch.first.accesses())))
    }

    /// Whether any thread can go on from a node without a preemption.
    pub fn is_nobodys_turn(&self, position: usize) -> bool {
        self.nodes[position].running.is_none()
    }

    /// The threads that could take a step at a node, if the algorithm needs them.
    pub fn enabled_at(&self, position: usize) -> &[Agent] {
        self.nodes[position].enabled.as_deref().unwrap_or_default()
    }

    /// The units that stay when a race is reversed, up to a position: those after the first that did not happen
    /// after it, without the later one.
    pub fn kept(&mut self, race: Race, later: &Later, to: usize) -> Vec<u32> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        self.order.add_kept(race.first + 1..to as u32, race, later.unit, &mut kept);
        kept
    }

    /// An empty list, to be given back.
    pub fn take_list(&mut self) -> Vec<Left> {
        std::mem::take(&mut self.list)
    }

    /// Gives a list back, to be used again.
    pub fn give_list_back(&mut self, mut list: Vec<Left>) {
        list.clear();
        self.list = list;
    }

    /// Gives lists back, to be used again.
    pub fn give_back(&mut self, kept: Vec<u32>, mut list: Vec<Left>) {
        list.clear();
        (self.kept, self.list) = (kept, list);
    }

    /// Whether what is asleep, or will be tried, at a node can begin a sequence of units, followed by the later one.
    pub fn is_covered(&self, position: usize, sequence: &[u32], later: &Later) -> bool {
        match self.paths {
            Some(_) => self.is_covered_by_paths(position, sequence, later),
            None => self.covering(position).any(|(label, _)| self.begins(label, sequence, later)),
        }
    }

    /// Whether a label can begin a sequence of units, followed by the later one.
    fn begins(&self, label: &Label, sequence: &[u32], later: &Later) -> bool {
        let own = sequence.iter().position(|unit| self.labels[*unit as usize].thread == label.thread);
        if let Some(at) = own {
            let unit = sequence[at];
            return self.labels[unit as usize] == *label
                && !sequence[..at].iter().any(|earlier| self.order.is_before(*earlier, unit));
        }
        let before = if later.unit == NONE { self.order.length() as u32 } else { later.unit };
        let waits = |unit: &u32| {
            self.order.depends(*unit, &later.accesses)
                || self.order.is_in_base(*unit, later.thread, later.drains, before)
        };
        label.thread == later.thread && !sequence.iter().any(waits)
    }

    /// Goes back to the deepest node with a branch left. Gives the position from which on races have to be looked
    /// at: the node's, unless the branch is an alternative.
    fn turn_back(&mut self) -> Option<usize> {
        if self.is_on_borrowed_way() {
            // It has not come to the leaf.
            self.give_leaf(false);
        }
        loop {
            let position = self.nodes.len().checked_sub(1)?;
            if position < self.foreign && self.borrowed.is_some() && !self.is_on_borrowed_way() {
                self.give_leaf(false);
            }
            let node = &mut self.nodes[position];
            while let (Some(branch), Some(bound)) = (node.branches.get(node.next), self.bound) {
                let next = branch.label(0).thread;
                let preempts = next.is_thread() && node.running.is_some_and(|running| next != running);
                if node.preemptions + u32::from(preempts) <= bound {
                    break;
                }
                self.cut = true;
                node.next += 1;
            }
            // What was tried from it goes to sleep, if there is anything left to try.
            let is_left = node.next < node.branches.len() || self.borrowed.is_some();
            if is_left && self.order.length() > position {
                let from = self.sleeping_accesses.len() as u32;
                self.sleeping_accesses.extend_from_slice(self.order.accesses(position as u32));
                let accesses = (from, self.sleeping_accesses.len() as u32);
                let path = self.paths.as_ref().map(|paths| paths[position].clone());
                self.sleepers.push(Sleeper { label: self.labels[position].clone(), accesses, path });
                self.order.truncate(position);
            }
            if let Some(borrowed) = &self.borrowed
                && (position < borrowed.base || position == borrowed.base && node.next >= borrowed.end)
            {
                return None;
            }
            if let (Some(branch), Some(mark)) = (node.branches.get(node.next), &node.mark) {
                self.session.rewind(mark);
                if let Some(borrowed) = &mut self.borrowed {
                    self.requests.turn_back(position);
                    if position < self.foreign {
                        (borrowed.from, borrowed.plain) = (position, borrowed.plain.min(position));
                    }
                }
                return Some(if branch.is_alternative { 0 } else { position });
            }
            self.sleepers.truncate(node.sleepers as usize);
            self.sleeping_accesses.truncate(node.accesses as usize);
            self.nodes.truncate(position);
        }
    }
}
