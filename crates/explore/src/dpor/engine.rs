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
//!
//! *Ends.* A thread that violates a property, or comes to an assumption that does not hold or to a bound, stops;
//! the others go on to their ends. Otherwise what they would have done could not be seen to race, and a part of
//! the tree would be missed. (In the middle of an atomic section, all of it is taken back first.) Threads that are
//! blocked at the end race with what blocked them.

use super::access::{self, Access, Blocking};
use super::optimal::Optimal;
use super::order::{Family, NONE, Order, Part, Prospect, Race};
use super::parallel::{Asleep, Bench, Loan, Request, Requests, Task};
use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use std::sync::Arc;

/// The next unit of a thread or of one of its buffered stores, and how it is performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Who.
    pub thread: Agent,
    /// The alternative that its first step takes.
    pub choice: u32,
    /// Those that later steps take, if it has some: only atomic sections do.
    pub rest: Option<Arc<[u32]>>,
}

impl Label {
    /// The thread's next unit, with the first alternative of everything.
    pub fn of(thread: Agent) -> Self {
        Self { thread, choice: 0, rest: None }
    }

    /// The thread's next unit, with these alternatives and then the first of everything.
    fn with(thread: Agent, choices: &[u32]) -> Self {
        let given = choices.iter().rposition(|choice| *choice != 0).map_or(0, |last| last + 1);
        let rest = choices.get(1..given).filter(|rest| !rest.is_empty()).map(Arc::from);
        Self { thread, choice: choices.first().copied().unwrap_or(0), rest }
    }

    fn choice_of(&self, step: usize) -> u32 {
        match step.checked_sub(1) {
            None => self.choice,
            Some(at) => self.rest.as_ref().and_then(|rest| rest.get(at)).copied().unwrap_or(0),
        }
    }
}

/// Something to be tried from a node: a sequence of units, then one of several continuations, or anything.
#[derive(Debug, Default)]
pub struct Branch {
    /// The units to be performed; there is at least one.
    pub labels: Vec<Label>,
    /// What they will touch, one after the other.
    accesses: Vec<Access>,
    /// Where the accesses of each end.
    ends: Vec<u32>,
    /// What is to be tried after them; if there is nothing, anything.
    pub then: Vec<Branch>,
    /// Whether it is uncertain that it is possible.
    pub uncertain: bool,
    /// Whether its first unit is another alternative of one that was performed here. Then races of earlier units
    /// have not been looked at in an execution with this alternative.
    alternative: bool,
    /// What is below it, if that was lent to somebody; only if there are no continuations.
    lent: Option<Arc<Loan>>,
}

impl Branch {
    /// A branch with one unit.
    pub fn of(label: Label, accesses: &[Access]) -> Self {
        let mut branch = Self::default();
        branch.push(label, accesses);
        branch
    }

    /// Adds a unit at the end of the sequence.
    pub fn push(&mut self, label: Label, accesses: &[Access]) {
        self.labels.push(label);
        self.accesses.extend_from_slice(accesses);
        self.ends.push(self.accesses.len() as u32);
    }

    /// What a unit of the sequence will touch.
    pub fn accesses(&self, at: usize) -> &[Access] {
        let from = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.accesses[from..self.ends[at] as usize]
    }

    /// Whether there is a leaf in it that can be lent: one that is certain and has not been lent yet.
    fn can_be_lent(&self) -> bool {
        !self.uncertain
            && match self.then.as_slice() {
                [] => self.lent.is_none(),
                then => then.iter().any(Branch::can_be_lent),
            }
    }

    /// The number of leaves that have not been lent; counted up to `enough`.
    fn leaves(branches: &[Branch], enough: usize) -> usize {
        let mut count = 0;
        for branch in branches {
            count += match branch.then.as_slice() {
                [] => usize::from(branch.lent.is_none()),
                then => Branch::leaves(then, enough - count),
            };
            if count >= enough {
                break;
            }
        }
        count
    }

    /// Ends the sequence before a position; what was there becomes a continuation.
    pub fn split(&mut self, at: usize) {
        let from = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let rest = Branch {
            labels: self.labels.split_off(at),
            accesses: self.accesses.split_off(from as usize),
            ends: self.ends.split_off(at).into_iter().map(|end| end - from).collect(),
            then: std::mem::take(&mut self.then),
            uncertain: self.uncertain,
            alternative: false,
            lent: self.lent.take(),
        };
        self.then.push(rest);
    }
}

/// A label that need not be tried.
#[derive(Debug)]
struct Sleeper {
    label: Label,
    /// What it touches, in the walk's list.
    accesses: (u32, u32),
}

struct Node<M> {
    mark: M,
    /// Its sleepers begin here, and end where those of the next node begin.
    sleepers: u32,
    /// Their accesses begin here.
    accesses: u32,
    branches: Vec<Branch>,
    /// The next branch.
    next: usize,
    /// Who can take a step, for algorithms that ask.
    enabled: Vec<Agent>,
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
    /// Where the events of each unit begin.
    events: Vec<u32>,
    nodes: Vec<Node<SessionMark<S::Mark>>>,
    sleepers: Vec<Sleeper>,
    sleeping_accesses: Vec<Access>,
    /// The branch that is being followed, and how many of its units have been performed.
    plan: Branch,
    followed: usize,
    accesses: Vec<Access>,
    /// Lists that are used again and again.
    later: Vec<Access>,
    threads: Vec<ThreadId>,
    /// Units that stay when a race is reversed.
    kept: Vec<u32>,
    list: Vec<usize>,
    last: ThreadId,
    /// The other workers.
    bench: Option<Bench<'w, S>>,
    /// So many nodes, from the first, are somebody else's.
    foreign: usize,
    /// What is to be inserted there.
    requests: Requests,
    /// Chances to lend something that were let pass.
    passed: u32,
    /// The most preemptions, and whether executions with more were left out.
    bound: Option<u32>,
    cut: bool,
}

/// What comes next.
enum Next {
    /// The next branch of the node.
    Planned,
    /// A unit that was chosen freely.
    Free(Label),
    /// Nobody can go on.
    End,
    /// Everybody who can is asleep.
    Asleep,
}

/// How often a long execution asks whether to go on.
const PATIENCE: usize = 1024;

/// A branch has to be so far above the end of the present execution to be lent: what is below it should be worth
/// the trouble.
const WORTH_LENDING: usize = 8;

/// Where going down has led to.
enum Reached {
    /// The end of an execution.
    End,
    /// A leaf that somebody else has explored.
    Settled,
    /// A reason to stop.
    Stop,
}

/// Explores.
pub fn explore<A: Algorithm, S: System>(session: &mut Session<'_, S>) {
    if !session.ended_at_start() {
        Walk::new(session, None).run::<A>(0);
    }
}

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
    pub fn new(session: &'w mut Session<'s, S>, bench: Option<Bench<'w, S>>) -> Self {
        Walk {
            session,
            order: Order::default(),
            labels: Vec::new(),
            events: Vec::new(),
            nodes: Vec::new(),
            sleepers: Vec::new(),
            sleeping_accesses: Vec::new(),
            plan: Branch::default(),
            followed: 0,
            accesses: Vec::new(),
            later: Vec::new(),
            threads: Vec::new(),
            kept: Vec::new(),
            list: Vec::new(),
            last: ThreadId::MAIN,
            bench,
            foreign: 0,
            requests: Requests::default(),
            passed: 0,
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

    /// Asks the owner of a node to insert a sequence there.
    pub fn ask(&mut self, request: Request) {
        self.requests.add(request);
    }

    /// What was asked for.
    pub fn take_requests(&mut self) -> Vec<Request> {
        self.requests.take()
    }

    /// Goes to the leaf that a task is about; false if that is not possible.
    pub fn replay(&mut self, task: Task) -> bool {
        self.foreign = task.labels.len();
        for (label, asleep) in task.labels.into_iter().zip(task.asleep) {
            let sleepers = self.sleepers.len();
            for (label, accesses) in asleep {
                let from = self.sleeping_accesses.len() as u32;
                self.sleeping_accesses.extend(accesses);
                let accesses = (from, self.sleeping_accesses.len() as u32);
                self.sleepers.push(Sleeper { label, accesses });
            }
            self.open::<Optimal>(sleepers);
            let possible = self.session.system.is_enabled(label.thread);
            if !possible || self.perform::<Optimal>(label) == Progress::Ended {
                return false;
            }
        }
        // The lender counts the way to the leaf.
        self.session.statistics.steps = 0;
        true
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
                if bench.exchange.is_over() {
                    return Control::Stop;
                }
                if bench.exchange.wants_work() {
                    self.passed += 1;
                    if self.passed > bench.exchange.restraint() {
                        self.passed = 0;
                        self.lend(bench);
                    }
                }
            }
            match self.turn_back() {
                Some(position) => new = position,
                None => return Control::Continue,
            }
        }
    }

    /// Lends a leaf, one of those closest to the root, unless that would leave nothing to do.
    fn lend(&mut self, bench: Bench<'_, S>) {
        let most = self.order.length().saturating_sub(WORTH_LENDING);
        let has_leaf = |node: &Node<_>| node.branches[node.next..].iter().any(|branch| branch.can_be_lent());
        let Some(position) = (self.foreign..most.min(self.nodes.len())).find(|at| has_leaf(&self.nodes[*at]))
        else {
            return;
        };
        let own = &self.nodes[position].branches[self.nodes[position].next..];
        if Branch::leaves(own, 2) < 2 && !self.nodes[position + 1..].iter().any(has_leaf) {
            return;
        }
        let mut labels: Vec<Label> = self.labels[..position].to_vec();
        let mut asleep: Vec<Asleep> = (0..position).map(|at| self.asleep_list(at)).collect();
        let mut known = position;
        let mut here = self.asleep_list(position);
        if self.order.length() > position {
            here.push((self.labels[position].clone(), self.order.accesses(position as u32).to_vec()));
        }
        let node = &mut self.nodes[position];
        let mut branches = &mut node.branches[node.next..];
        loop {
            let Some(chosen) = branches.iter().position(Branch::can_be_lent) else { return };
            if branches[chosen].alternative {
                known = 0;
            } else if chosen > 0 {
                known = labels.len();
            }
            let first = |branch: &Branch| (branch.labels[0].clone(), branch.accesses(0).to_vec());
            here.extend(branches[..chosen].iter().map(first));
            let branch = &mut branches[chosen];
            for (at, label) in branch.labels.iter().enumerate() {
                let accesses = branch.accesses(at);
                let arrived = |store: Agent| labels.iter().any(|label| label.thread == store);
                let stays = |(other, theirs): &&(Label, Vec<Access>)| {
                    other.thread != label.thread
                        && !access::hindered_after(theirs, accesses, arrived, arrived)
                };
                let next = here.iter().filter(stays).cloned().collect();
                asleep.push(std::mem::replace(&mut here, next));
                labels.push(label.clone());
            }
            if branch.then.is_empty() {
                branch.lent = Some(bench.exchange.lend(Task { labels, asleep, known }));
                return;
            }
            branches = &mut branch.then;
        }
    }

    fn asleep_list(&self, position: usize) -> Asleep {
        self.asleep(position).map(|(label, accesses)| (label.clone(), accesses.to_vec())).collect()
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
            let label = match next {
                Next::End | Next::Asleep => {
                    match next {
                        Next::End => self.session.finish(),
                        _ => self.session.redundant(),
                    }
                    self.sleepers.truncate(sleepers);
                    return Reached::End;
                }
                Next::Free(label) => Some(label),
                Next::Planned => None,
            };
            if is_new {
                self.open::<A>(sleepers);
            }
            let Some(label) = label.or_else(|| self.follow()) else {
                self.session.redundant();
                return Reached::End;
            };
            if self.perform::<A>(label) == Progress::Ended {
                self.drop_plan();
                return Reached::End;
            }
            if let (Some(bench), Some(loan)) = (self.bench, self.lent_leaf()) {
                self.drop_plan();
                return match bench.settle(self, &loan) {
                    Control::Continue => Reached::Settled,
                    Control::Stop => Reached::Stop,
                };
            }
            if self.order.length().is_multiple_of(PATIENCE) && self.session.control() == Control::Stop {
                return Reached::Stop;
            }
        }
    }

    /// The loan, if the walk has come to a leaf that was lent.
    fn lent_leaf(&mut self) -> Option<Arc<Loan>> {
        match self.followed == self.plan.labels.len() {
            true => self.plan.lent.take(),
            false => None,
        }
    }

    /// Whether it is settled what comes next. The continuations of a branch that was followed to its end are to
    /// be tried from the present state, which is new.
    fn has_plan(&self, is_new: bool) -> bool {
        self.followed < self.plan.labels.len()
            || match self.nodes.last() {
                _ if is_new => !self.plan.then.is_empty(),
                Some(node) => node.next < node.branches.len(),
                None => false,
            }
    }

    /// The next label of the plan; `None`: that is not possible.
    fn follow(&mut self) -> Option<Label> {
        if self.followed >= self.plan.labels.len() {
            let node = self.nodes.last_mut()?;
            self.plan = std::mem::take(node.branches.get_mut(node.next)?);
            self.followed = 0;
            node.next += 1;
        }
        let label = self.plan.labels.get(self.followed)?.clone();
        self.followed += 1;
        if self.session.system.is_enabled(label.thread) {
            return Some(label);
        }
        self.drop_plan();
        None
    }

    fn drop_plan(&mut self) {
        self.plan = Branch::default();
        self.followed = 0;
    }

    /// Adds the sleepers of the present state: those of the one before that the last unit has not woken.
    fn inherit_sleepers(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        for at in node.sleepers as usize..self.sleepers.len() {
            let sleeper = &self.sleepers[at];
            if !self.wakes(sleeper, self.order.length() as u32 - 1) {
                let (label, accesses) = (sleeper.label.clone(), sleeper.accesses);
                self.sleepers.push(Sleeper { label, accesses });
            }
        }
    }

    /// Opens the present state as a node.
    fn open<A: Algorithm>(&mut self, sleepers: usize) {
        let mut enabled = Vec::new();
        if A::NEEDS_ENABLED {
            self.session.enabled(&mut enabled);
        }
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
        let branches = match self.followed < self.plan.labels.len() {
            true => Vec::new(),
            false => std::mem::take(&mut self.plan.then),
        };
        self.nodes.push(Node {
            mark: self.session.mark(),
            sleepers: sleepers as u32,
            accesses: self.sleeping_accesses.len() as u32,
            branches,
            next: 0,
            enabled,
            running,
            preemptions,
            last: self.last,
        });
    }

    fn wakes(&self, sleeper: &Sleeper, unit: u32) -> bool {
        let (from, to) = sleeper.accesses;
        let theirs = &self.sleeping_accesses[from as usize..to as usize];
        let arrived = |store: Agent| self.order.has_arrived(store, unit as usize);
        self.order.agent(unit) == sleeper.label.thread
            || access::hindered_after(self.order.accesses(unit), theirs, arrived, arrived)
    }

    /// Chooses what to do next; the sleepers of the present state begin at a position.
    fn next(&self, sleepers: usize) -> Next {
        let mut any = false;
        // Stores arrive at once, unless there is a reason why not: that is how people think of executions.
        if S::BUFFERED
            && let Some(label) = self.awake_store(self.last, sleepers, &mut any)
        {
            return Next::Free(label);
        }
        if let Some(label) = self.awake(self.last.into(), sleepers, &mut any) {
            return Next::Free(label);
        }
        for thread in self.session.system.machine().threads() {
            if S::BUFFERED
                && let Some(label) = self.awake_store(thread, sleepers, &mut any)
            {
                return Next::Free(label);
            }
            if let Some(label) = self.awake(thread.into(), sleepers, &mut any) {
                return Next::Free(label);
            }
        }
        if any { Next::Asleep } else { Next::End }
    }

    /// A store of a thread that can reach memory and is not asleep.
    fn awake_store(&self, thread: ThreadId, sleepers: usize, any: &mut bool) -> Option<Label> {
        let mut found = None;
        self.session.system.ready_stores(thread, &mut |agent| {
            if found.is_none() {
                found = self.awake(agent, sleepers, any);
            }
        });
        found
    }

    /// The first alternative of a thread that is enabled and not asleep; notes whether it is enabled at all.
    fn awake(&self, thread: Agent, sleepers: usize, any: &mut bool) -> Option<Label> {
        if !self.session.system.is_enabled(thread) {
            return None;
        }
        *any = true;
        let asleep = &self.sleepers[sleepers..];
        if asleep.is_empty() {
            return Some(Label::of(thread));
        }
        let is_asleep = |choice: &u32| {
            asleep.iter().any(|sleeper| sleeper.label.thread == thread && sleeper.label.choice == *choice)
        };
        let choice = (0..self.session.system.choices(thread)).find(|choice| !is_asleep(choice))?;
        Some(Label { choice, ..Label::of(thread) })
    }

    /// Performs the next unit of a thread.
    fn perform<A: Algorithm>(&mut self, label: Label) -> Progress {
        let agent = label.thread;
        let thread = agent.thread();
        let position = self.order.length();
        let first_event = self.session.system.events().len();
        let issued = if S::BUFFERED { self.session.system.issued(thread) } else { 0 };
        self.accesses.clear();
        let waits = access::of_waiting(&self.session.system, agent, &mut self.accesses);
        let by_itself = self.session.system.machine().may_wake_by_itself(thread);
        let mut family = Family::Nobody;
        let mut choices: Vec<(u32, u32)> = Vec::new();
        let mut step = 0;
        let mut alone = false;
        let progress = loop {
            let choice = label.choice_of(step);
            let options = self.session.system.choices(agent);
            if options > 1 {
                choices.resize(step, (0, 1));
                choices.push((choice, options));
            }
            let progress = self.session.step_through(Turn { agent, choice });
            let mut joins = false;
            if let (Some(event), false) = (self.session.system.events().last(), alone) {
                let forwards = self.session.system.forwards();
                access::of_event(event, self.session.woken(), forwards, &mut self.accesses);
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
        let first = self.session.system.events()[first_event];
        if progress == Progress::On && self.session.system.machine().is_stopped_in_section(thread) {
            self.session.take_back(&self.nodes[position].mark, thread);
            for access in &mut self.accesses {
                (access.mode, access.delta) = (access::Mode::Read, 0);
            }
        }
        let object = match first.operation {
            Operation::Sync { object, .. } => object,
            _ => 0,
        };
        let issues = if S::BUFFERED { self.session.system.issued(thread) - issued } else { 0 };
        let next = Prospect {
            agent,
            accesses: &self.accesses,
            blocking: access::blocking(&first.operation, by_itself),
            object,
            state: (first.before as u64) << (8 * (object & 7)),
            waits,
            part: Part::of(&first, issues),
        };
        self.order.push(&next, family);
        // A store that reaches memory is nobody's turn.
        self.last = if agent.is_thread() { thread } else { self.nodes[position].last };
        self.labels.truncate(position);
        self.labels.push(label);
        self.events.truncate(position);
        self.events.push(first_event as u32);
        if !self.is_foreign(position) {
            self.add_alternatives::<A>(position, &choices);
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

    /// Sees to it that all alternatives of the unit at a position are tried.
    fn add_alternatives<A: Algorithm>(&mut self, position: usize, choices: &[(u32, u32)]) {
        for (step, (taken, options)) in choices.iter().enumerate().filter(|(_, (_, options))| *options > 1) {
            for choice in (0..*options).filter(|choice| choice != taken) {
                let path: Vec<u32> =
                    choices[..step].iter().map(|(taken, _)| *taken).chain([choice]).collect();
                let thread = self.labels[position].thread;
                let label = Label::with(thread, &path);
                let accesses = self.order.accesses(position as u32);
                let covered = self.covering(position).any(|(other, theirs)| match other.thread == thread {
                    true => *other == label,
                    false => A::WEAK && !access::dependent(theirs, accesses),
                });
                if !covered {
                    let branch = Branch { alternative: true, ..Branch::of(label, accesses) };
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

    /// What will be tried from the node at a position after what is being tried now.
    pub fn branches(&self, position: usize) -> &[Branch] {
        let node = &self.nodes[position];
        &node.branches[node.next..]
    }

    /// The same, to be changed; only additions at the end are meant.
    pub fn branches_mut(&mut self, position: usize) -> (&mut Vec<Branch>, usize) {
        let node = &mut self.nodes[position];
        (&mut node.branches, node.next)
    }

    /// What has been tried, or will be, from the node at a position. (What is being tried there is not among
    /// them: it depends on the race that is reversed.)
    pub fn covering(&self, position: usize) -> impl Iterator<Item = (&Label, &[Access])> {
        let branches = self.branches(position).iter().filter(|branch| !branch.uncertain);
        self.asleep(position).chain(branches.map(|branch| (&branch.labels[0], branch.accesses(0))))
    }

    /// Whether any thread can go on from a node without a preemption.
    pub fn is_nobodys_turn(&self, position: usize) -> bool {
        self.nodes[position].running.is_none()
    }

    /// The threads that could take a step at a node, if the algorithm needs them.
    pub fn enabled_at(&self, position: usize) -> &[Agent] {
        &self.nodes[position].enabled
    }

    /// Looks at the races of all units from a position on, and of the threads that are blocked.
    fn reverse_races<A: Algorithm>(&mut self, from: usize) {
        for unit in from..self.order.length() {
            for number in self.order.races(unit as u32) {
                let race = self.order.race(number);
                let mut accesses = std::mem::take(&mut self.later);
                self.accesses_if_first(unit as u32, race.first, &mut accesses);
                let drains = self.order.drains(unit as u32);
                let later = Later { unit: unit as u32, thread: self.labels[unit].thread, drains, accesses };
                A::reverse(self, race, &later);
                self.later = later.accesses;
            }
        }
        let mut threads = std::mem::take(&mut self.threads);
        threads.clear();
        threads.extend(self.session.system.machine().threads());
        for thread in &threads {
            self.reverse_races_of_blocked::<A>(*thread);
        }
        self.threads = threads;
    }

    /// Looks at the races of a thread that cannot go on.
    fn reverse_races_of_blocked<A: Algorithm>(&mut self, thread: ThreadId) {
        let system = &self.session.system;
        let Some(operation) = system.machine().pending(thread) else { return };
        let mut accesses = Vec::new();
        let waits = access::of_waiting(system, thread.into(), &mut accesses);
        let by_itself = system.machine().may_wake_by_itself(thread);
        let blocking = access::blocking(&operation, by_itself);
        if (!waits && blocking == Blocking::No) || system.is_enabled(thread.into()) {
            return;
        }
        access::of_operation(thread, &operation, &mut accesses);
        let (object, state) = match operation {
            Operation::Sync { object, .. } => {
                let memory = &system.machine().memory;
                let granule = object & !7;
                let readable = memory.first_inaccessible(granule, 8).is_none();
                (object, if readable { memory.read_scalar(granule, 8) as u64 } else { 0 })
            }
            _ => (0, 0),
        };
        let mut races = Vec::new();
        let drains = S::BUFFERED && matches!(operation, Operation::Sync { .. });
        let part = if drains { Part::Drains } else { Part::Issues(0) };
        let agent = Agent::from(thread);
        let next = Prospect { agent, accesses: &accesses, blocking, object, state, waits, part };
        self.order.races_at_end(&next, &mut races);
        let later = Later { unit: NONE, thread: agent, drains, accesses };
        for race in races {
            A::reverse(self, race, &later);
        }
    }

    /// What a unit would touch if it came before an earlier one that it races with.
    fn accesses_if_first(&self, unit: u32, first: u32, accesses: &mut Vec<Access>) {
        accesses.clear();
        accesses.extend_from_slice(self.order.accesses(unit));
        let from = self.events[unit as usize] as usize;
        let to = self.events.get(unit as usize + 1).map_or(usize::MAX, |next| *next as usize);
        let events = self.session.system.events();
        let events = &events[from..to.min(events.len())];
        for access in accesses.iter_mut().filter(|access| !access.watched) {
            let arrives =
                |other: &Access| other.mode == access::Mode::Arrive && other.granule == access.granule;
            if access.mode == access::Mode::Write
                && matches!(events, [event] if matches!(event.operation, Operation::Sync { op: SyncOp::BarrierArrive, .. }))
                && self.order.accesses(first).iter().any(arrives)
            {
                // Without the earlier arrival it is not the last.
                (access.mode, access.delta) = (access::Mode::Arrive, 1);
                continue;
            }
            let found = self.order.accesses(first).iter().find(|other| {
                other.mode == access::Mode::Write
                    && other.granule == access.granule
                    && other.mask & access.mask != 0
            });
            let Some(found) = found else { continue };
            let exact = found.known && found.mask & access.mask == access.mask;
            let changes = |event: &selvedge_trace::Event| {
                matches!(event.operation, Operation::CompareExchange { .. } | Operation::Sync { .. })
            };
            access.mode = match events {
                [event] if !changes(event) => access.mode,
                [event] if exact => access::mode_if(event, found.before).unwrap_or(access::Mode::Write),
                _ => access::Mode::Write,
            };
        }
    }

    /// The units that stay when a race is reversed, up to a position: those after the first that did not happen
    /// after it, without the later one.
    pub fn kept(&mut self, race: Race, later: &Later, to: usize) -> Vec<u32> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        let units = race.first + 1..to as u32;
        kept.extend(units.filter(|unit| *unit != later.unit && !self.order.is_taken_out(*unit, race)));
        kept
    }

    /// An empty list, to be given back.
    pub fn take_list(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.list)
    }

    /// Gives lists back, to be used again.
    pub fn give_back(&mut self, kept: Vec<u32>, mut list: Vec<usize>) {
        list.clear();
        (self.kept, self.list) = (kept, list);
    }

    /// Whether a label can begin a sequence of units, followed by the later one.
    pub fn begins(&self, label: &Label, sequence: &[u32], later: &Later) -> bool {
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
        loop {
            let position = self.nodes.len().checked_sub(1).filter(|at| *at >= self.foreign)?;
            let node = &mut self.nodes[position];
            // What was tried from it goes to sleep.
            if self.order.length() > position {
                let from = self.sleeping_accesses.len() as u32;
                self.sleeping_accesses.extend_from_slice(self.order.accesses(position as u32));
                let accesses = (from, self.sleeping_accesses.len() as u32);
                self.sleepers.push(Sleeper { label: self.labels[position].clone(), accesses });
                self.order.truncate(position);
            }
            while let (Some(branch), Some(bound)) = (node.branches.get(node.next), self.bound) {
                let next = branch.labels[0].thread;
                let preempts = next.is_thread() && node.running.is_some_and(|running| next != running);
                if node.preemptions + u32::from(preempts) <= bound {
                    break;
                }
                self.cut = true;
                node.next += 1;
            }
            if let Some(branch) = node.branches.get(node.next) {
                self.session.rewind(&node.mark);
                return Some(if branch.alternative { 0 } else { position });
            }
            self.sleepers.truncate(node.sleepers as usize);
            self.sleeping_accesses.truncate(node.accesses as usize);
            self.nodes.pop();
        }
    }
}
