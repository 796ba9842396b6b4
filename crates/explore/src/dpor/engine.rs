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
use super::optimal::{self, Optimal};
use super::order::{Family, NONE, Order, Part, Prospect, Race};
use super::parallel::{self, Asked, Helper, Loan, Over, Requests, Task, Way, Yield};
use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use rustc_hash::FxHashMap;
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use std::ops::Deref;
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

/// Things to be tried, one after the other. Workers share them; who changes one makes a copy of it first.
#[derive(Debug, Clone, Default)]
pub struct Branches(Vec<Arc<Branch>>);

impl Deref for Branches {
    type Target = [Arc<Branch>];

    fn deref(&self) -> &[Arc<Branch>] {
        &self.0
    }
}

impl Branches {
    /// Adds one to the right of all others.
    pub fn push(&mut self, branch: Branch) {
        self.0.push(Arc::new(branch));
    }

    /// One of them, to be changed.
    pub fn change(&mut self, at: usize) -> &mut Branch {
        Arc::make_mut(&mut self.0[at])
    }

    /// Those from one on, but not too many: for somebody who wants to know what will be tried anyway.
    fn some_from(&self, first: usize, more: usize) -> Self {
        Self(self.0.iter().skip(first).take(more).cloned().collect())
    }
}

/// Something to be tried from a node: a sequence of units, then one of several continuations, or anything.
#[derive(Debug, Clone, Default)]
pub struct Branch {
    /// The units to be performed; there is at least one.
    pub labels: Vec<Label>,
    /// What they will touch, one after the other.
    accesses: Vec<Access>,
    /// Where the accesses of each end.
    ends: Vec<u32>,
    /// What is to be tried after them; if there is nothing, anything.
    pub then: Branches,
    /// Whether it is uncertain that it is possible.
    pub uncertain: bool,
    /// Whether its first unit is another alternative of one that was performed here. Then races of earlier units
    /// have not been looked at in an execution with this alternative.
    alternative: bool,
    lending: Lending,
}

/// What of a branch can be lent. Loans are numbered from 1 on.
///
/// A loan is noted in the branches at the top of what was lent, and nowhere below them. Below such a branch, the
/// leaves that are older than the loan belong to it, and numbers that are older than the loan are out of date.
#[derive(Debug, Clone, Copy, Default)]
struct Lending {
    /// The number of leaves: itself, or those of its continuations.
    leaves: u32,
    /// How many of them can be lent: they are certain, and have not been lent yet.
    free: u32,
    /// How many loans there had been when that was true.
    as_of: u32,
    /// How many loans there had been when the branch was made.
    born: u32,
    /// The loan that it was lent with, all of it; or 0.
    loan: u32,
}

impl Lending {
    /// Those of a new leaf.
    fn new(certain: bool, now: u32) -> Self {
        Self { leaves: 1, free: u32::from(certain), as_of: now, born: now, loan: 0 }
    }

    /// The loan that its leaves belong to unless they are younger; `around`: that of the branch it continues.
    fn within(&self, around: u32) -> u32 {
        around.max(self.loan)
    }

    /// The number of leaves that can be lent.
    fn free(&self, around: u32) -> u32 {
        if self.as_of < self.within(around) { 0 } else { self.free }
    }
}

impl Branch {
    /// A branch with one unit.
    pub fn of(label: Label, accesses: &[Access]) -> Self {
        let mut branch = Self::default();
        branch.push(label, accesses);
        branch
    }

    /// A branch without units yet; so many will be added.
    pub fn with_room(units: usize) -> Self {
        Self {
            labels: Vec::with_capacity(units),
            accesses: Vec::with_capacity(units),
            ends: Vec::with_capacity(units),
            ..Self::default()
        }
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

    /// Takes note that it is new; so many loans have been made by now.
    pub fn is_new(&mut self, now: u32) {
        self.lending = Lending::new(!self.uncertain, now);
    }

    /// Takes note of a new leaf below it; gives the loan that older leaves there belong to.
    pub fn grows(&mut self, certain: bool, around: u32, now: u32) -> u32 {
        let lending = &mut self.lending;
        lending.free = lending.free(around) + u32::from(certain);
        lending.leaves += 1;
        lending.as_of = now;
        lending.within(around)
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
            lending: self.lending,
        };
        self.then.push(rest);
    }
}

/// Branches that could be lent together.
struct Batch {
    /// The node.
    position: usize,
    /// The way to the list that they stand in.
    path: Vec<usize>,
    /// Which of that list.
    from: usize,
    to: usize,
    /// How many leaves they have.
    leaves: u32,
}

/// The search for something to lend.
struct Search {
    /// So many leaves are left alone first.
    skip: u32,
    /// How many are wanted.
    size: u32,
    /// How many branches may still be looked at.
    patience: u32,
    /// Where it is looking.
    position: usize,
    path: Vec<usize>,
    best: Option<Batch>,
}

impl Search {
    /// Looks for branches that can be lent, all of them, with about as many leaves as are wanted; true if it has
    /// found enough.
    fn look(&mut self, branches: &[Arc<Branch>], around: u32) -> bool {
        let mut from = 0;
        let mut leaves = 0;
        for (at, branch) in branches.iter().enumerate() {
            // What is asleep to the right of something uncertain is not known yet.
            if branch.uncertain || self.patience == 0 {
                return self.found(from, at, leaves);
            }
            let free = branch.lending.free(around);
            if free > 0 {
                self.patience -= 1;
                if free <= self.skip {
                    self.skip -= free;
                } else if self.skip == 0 && free == branch.lending.leaves && free <= self.size {
                    if leaves + free > self.size && self.found(from, at, leaves) {
                        return true;
                    }
                    if leaves == 0 || leaves + free > self.size {
                        (from, leaves) = (at, 0);
                    }
                    leaves += free;
                    continue;
                } else {
                    if self.found(from, at, leaves) {
                        return true;
                    }
                    leaves = 0;
                    self.path.push(at);
                    if self.look(&branch.then, branch.lending.within(around)) {
                        return true;
                    }
                    self.path.pop();
                    continue;
                }
            }
            if self.found(from, at, leaves) {
                return true;
            }
            leaves = 0;
        }
        self.found(from, branches.len(), leaves)
    }

    /// Takes note of branches; true if they are enough.
    fn found(&mut self, from: usize, to: usize, leaves: u32) -> bool {
        if leaves > self.best.as_ref().map_or(0, |best| best.leaves) {
            self.best = Some(Batch { position: self.position, path: self.path.clone(), from, to, leaves });
        }
        2 * leaves >= self.size
    }
}

/// A label that need not be tried.
#[derive(Debug, Clone)]
pub struct Sleeper {
    /// The label.
    pub label: Label,
    /// What it touches, in the walk's list.
    pub accesses: (u32, u32),
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
        if sleeper.label.thread != agent && !access::hindered_after(touched, theirs, &arrived, &arrived) {
            let (label, accesses) = (sleeper.label.clone(), sleeper.accesses);
            sleepers.push(Sleeper { label, accesses });
        }
    }
}

struct Node<M> {
    /// The state; `None` if the walk has not been there, because somebody else has explored what is below.
    mark: Option<M>,
    /// Its sleepers begin here, and end where those of the next node begin.
    sleepers: u32,
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
    plan: Arc<Branch>,
    followed: usize,
    /// The loan that older leaves of it belong to, or 0, and the last that is void.
    plan_loan: u32,
    plan_void: u32,
    /// An empty branch, to stand for those that have been followed.
    nothing: Arc<Branch>,
    accesses: Vec<Access>,
    /// Lists that are used again and again.
    later: Vec<Access>,
    threads: Vec<ThreadId>,
    /// Units that stay when a race is reversed.
    kept: Vec<u32>,
    list: Vec<usize>,
    /// Where in a tree something belongs.
    pub place: Vec<(usize, usize)>,
    last: ThreadId,
    /// The other workers.
    bench: Option<&'w dyn Helper>,
    /// So many nodes, from the first, are somebody else's.
    foreign: usize,
    /// What is to be inserted there.
    pub requests: Requests,
    /// How many of these belong to leaves that are done.
    asked: usize,
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

/// If more leaves have been lent and not settled, what is lent is close to the present state, so that it is settled
/// soon: what was found takes memory until then.
const MOST_OUTSTANDING: u32 = 1 << 15;

/// What was found below so many leaves is handed over together, unless somebody waits for it.
const TOGETHER: usize = 32;

/// So many branches of each node are shown to a borrower.
const SHOWN: usize = 64;

/// So many branches are looked at to find some to lend.
const PATIENCE_TO_LEND: u32 = 256;

/// What is much less than wanted, and than this, is not lent, unless that has been so for some time.
const ENOUGH_TO_LEND: u32 = 128;

/// See `ENOUGH_TO_LEND`.
const PATIENCE_FOR_MORE: u32 = 64;

/// After so many leaves that were settled without going there, it is asked whether somebody wants work.
const SETTLED_AT_ONCE: u32 = 64;

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
            let arrives = a.mode == access::Mode::Arrive;
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
        let others = self.chain.iter().map(|(branch, at)| &branch.labels[*at]);
        self.performed.iter().chain(others).any(|label| label.thread == store)
    }

    /// How many threads have yet to arrive at a barrier, given an arrival there; `None` if that is not known.
    pub fn remaining(&self, arrival: &Access) -> Option<u32> {
        let here = |access: &&Access| access.granule == arrival.granule && access.mode != access::Mode::Read;
        let mut remaining = self.order.remaining_at(arrival, self.performed.len())?;
        for access in self.chain.iter().flat_map(|(branch, at)| branch.accesses(*at)).filter(here) {
            remaining = match access.mode {
                access::Mode::Arrive => remaining.checked_sub(1)?,
                _ => return None,
            };
        }
        Some(remaining)
    }
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
    pub fn new(session: &'w mut Session<'s, S>, bench: Option<&'w dyn Helper>) -> Self {
        let nothing = Arc::new(Branch::default());
        Walk {
            session,
            order: Order::default(),
            labels: Vec::new(),
            events: Vec::new(),
            nodes: Vec::new(),
            sleepers: Vec::new(),
            sleeping_accesses: Vec::new(),
            plan: nothing.clone(),
            followed: 0,
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
            asked: 0,
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

    /// The number of loans made so far.
    pub fn loans_made(&self) -> u32 {
        self.made
    }

    /// Goes to what was borrowed; false if that is not possible.
    pub fn replay(&mut self, task: Task, loan: &Arc<Loan>) -> bool {
        self.foreign = usize::MAX;
        (self.sleepers, self.sleeping_accesses) = (task.sleepers, task.accesses);
        let mut borrowed = Borrowed {
            loan: loan.clone(),
            base: task.labels.len(),
            end: task.end,
            plain: 0,
            from: task.from,
            steps: Vec::new(),
            way: Way::default(),
            results: Vec::new(),
        };
        let expected =
            task.path.iter().flat_map(|branch| (0..branch.labels.len()).map(move |at| (branch, at)));
        let mut expected = std::iter::repeat_n(None, task.from).chain(expected.map(Some));
        let mut shown = task.shown.into_iter();
        for (position, label) in task.labels.into_iter().enumerate() {
            self.borrow_node(task.starts[position], shown.next().unwrap_or_default());
            if position >= task.from {
                borrowed.steps.push(self.session.statistics.steps);
            }
            let possible = self.session.system.is_enabled(label.thread);
            self.borrowed = Some(borrowed);
            let ended = !possible || self.perform::<Optimal>(label) == Progress::Ended;
            let Some(back) = self.borrowed.take().filter(|_| !ended) else { return false };
            borrowed = back;
            if let Some(Some((branch, at))) = expected.next()
                && !is_same_footprint(branch.accesses(at), self.order.accesses(position as u32))
            {
                borrowed.plain = position + 1;
            }
        }
        self.borrow_node(task.starts[borrowed.base], shown.next().unwrap_or_default());
        borrowed.steps.push(self.session.statistics.steps);
        self.borrowed = Some(borrowed);
        true
    }

    /// Opens a node that is somebody else's; its sleepers and their accesses are there, and begin at these places.
    fn borrow_node(&mut self, (sleepers, accesses): (u32, u32), branches: Branches) {
        self.open::<Optimal>(sleepers as usize);
        if let Some(node) = self.nodes.last_mut() {
            node.accesses = accesses;
            node.branches = branches;
        }
    }

    /// Whether the walk is on its way to a leaf that was borrowed.
    fn is_on_borrowed_way(&self) -> bool {
        self.foreign == usize::MAX
    }

    /// Takes note of a unit on the way to a leaf that was borrowed; what is below the leaf is the walk's own.
    fn on_borrowed_way(&mut self) {
        let Some(borrowed) = &mut self.borrowed else { return };
        let position = self.order.length() - 1;
        let at = self.followed.saturating_sub(1);
        if !is_same_footprint(self.plan.accesses(at), self.order.accesses(position as u32)) {
            borrowed.plain = position + 1;
        }
        if self.followed == self.plan.labels.len() && self.plan.then.is_empty() {
            let steps = std::mem::take(&mut borrowed.steps);
            let total = self.session.take_steps();
            borrowed.way = Way { plain: borrowed.plain, from: borrowed.from, total, steps };
            self.foreign = self.order.length();
        }
    }

    /// Gives back what was found below a leaf that was borrowed; `stopped`: it was not explored to its end.
    pub fn give_leaf(&mut self, stopped: bool) {
        let own = self.is_on_borrowed_way();
        let found = std::mem::take(&mut self.session.found);
        let limits = std::mem::take(&mut self.session.limits_reached);
        let unsupported = self.session.unsupported.take().map(Box::new);
        let statistics = self.session.take_statistics();
        let requests = Asked { from: self.asked, to: self.requests.length(), all: None };
        self.asked = requests.to;
        self.requests.forget();
        let Some(borrowed) = &mut self.borrowed else { return };
        let way = std::mem::take(&mut borrowed.way);
        // If the way to it was not possible, the lender has to see for itself.
        let result = match own {
            true => None,
            false => Some(Yield { statistics, found, limits, unsupported, requests, stopped, way }),
        };
        borrowed.results.push(result);
        if stopped || borrowed.results.len() >= TOGETHER || borrowed.loan.is_awaited() {
            self.give_results(stopped);
        }
        self.foreign = usize::MAX;
    }

    /// Hands over what has not been handed over yet; `closed`: there will be no more.
    pub fn give_results(&mut self, closed: bool) {
        let Some(borrowed) = &mut self.borrowed else { return };
        let mut next = self.requests.as_roomy();
        // Those of the leaf that is being explored are not among them.
        for number in self.asked..self.requests.length() {
            next.add_again(&self.requests.get(number));
        }
        let all = Arc::new(std::mem::replace(&mut self.requests, next));
        self.asked = 0;
        for result in borrowed.results.iter_mut().flatten() {
            result.requests.all = Some(all.clone());
        }
        if let Some(bench) = self.bench {
            bench.exchange().give(&borrowed.loan, &mut borrowed.results, closed);
        }
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

    fn lend_if_wanted(&mut self, bench: &dyn Helper) {
        if bench.exchange().wants_work() {
            self.passed += 1;
            if self.passed > bench.exchange().restraint() {
                self.passed = 0;
                self.lend(bench);
            }
        }
    }

    /// The number of leaves at a node that can be lent.
    fn free_at(&self, position: usize) -> u32 {
        let node = &self.nodes[position];
        node.branches[node.next..].iter().map(|branch| branch.lending.free(node.loan)).sum()
    }

    /// Lends some leaves, of those closest to the root, unless that would leave nothing to do.
    fn lend(&mut self, bench: &dyn Helper) {
        let size = bench.exchange().batch();
        let above = WORTH_LENDING / size as usize;
        let most = self.order.length().saturating_sub(above).min(self.nodes.len());
        let positions = self.foreign.min(most)..most;
        let last =
            (self.foreign.min(self.nodes.len())..self.nodes.len()).rev().find(|at| self.free_at(*at) > 0);
        let mut search =
            Search { skip: 0, size, patience: PATIENCE_TO_LEND, path: Vec::new(), position: 0, best: None };
        let mut look = |position: usize| {
            let node = &self.nodes[position];
            // The deepest ones are what the walk does next.
            search.skip = if last > Some(position) { 0 } else { (self.free_at(position) / 2).max(1) };
            search.position = position;
            search.path.clear();
            search.look(&node.branches[node.next..], node.loan)
        };
        match self.outstanding > MOST_OUTSTANDING {
            true => positions.rev().any(&mut look),
            false => positions.into_iter().any(&mut look),
        };
        let Some(batch) = search.best else { return };
        self.refused += 1;
        if 8 * batch.leaves < size.min(ENOUGH_TO_LEND) && self.refused < PATIENCE_FOR_MORE {
            return;
        }
        self.refused = 0;
        let position = batch.position;
        self.made += 1;
        self.mark_lent(position, &batch);
        let task = self.task_of(position, &batch);
        self.outstanding += batch.leaves;
        self.loans.insert(self.made, (bench.exchange().lend(task, batch.leaves), batch.leaves));
    }

    /// Notes in the tree that branches have been lent.
    fn mark_lent(&mut self, position: usize, batch: &Batch) {
        let node = &mut self.nodes[position];
        let mut around = node.loan;
        let mut branches = &mut node.branches.0[node.next..];
        for at in &batch.path {
            let branch = Arc::make_mut(&mut branches[*at]);
            branch.lending.free = branch.lending.free(around) - batch.leaves;
            branch.lending.as_of = self.made;
            around = branch.lending.within(around);
            branches = &mut branch.then.0;
        }
        for branch in &mut branches[batch.from..batch.to] {
            let lending = &mut Arc::make_mut(branch).lending;
            (lending.loan, lending.as_of, lending.free) = (self.made, self.made, 0);
        }
    }

    /// What a borrower of some branches below the node at a position has to know.
    fn task_of(&self, position: usize, batch: &Batch) -> Task {
        let node = &self.nodes[position];
        let (sleepers, accesses) = match self.nodes.get(position + 1) {
            Some(next) => (next.sleepers as usize, next.accesses as usize),
            None => (self.sleepers.len(), self.sleeping_accesses.len()),
        };
        let mut task = Task {
            labels: self.labels[..position].to_vec(),
            sleepers: self.sleepers[..sleepers].to_vec(),
            accesses: self.sleeping_accesses[..accesses].to_vec(),
            starts: self.nodes[..=position].iter().map(|node| (node.sleepers, node.accesses)).collect(),
            shown: Vec::with_capacity(position + 1),
            end: batch.to - batch.from,
            known: position,
            from: position,
            path: Vec::with_capacity(batch.path.len()),
        };
        task.shown
            .extend(self.nodes[..position].iter().map(|node| node.branches.some_from(node.next, SHOWN)));
        if self.order.length() > position {
            task.sleep(&self.labels[position], self.order.accesses(position as u32));
        }
        let (mut list, mut next) = (&node.branches, node.next);
        for chosen in batch.path.iter().copied().chain([batch.from]) {
            let branches = &list[next..];
            if branches[chosen].alternative {
                task.known = 0;
            } else if chosen > 0 {
                task.known = task.labels.len();
            }
            for branch in &branches[..chosen] {
                task.sleep(&branch.labels[0], branch.accesses(0));
            }
            if task.path.len() == batch.path.len() {
                task.shown.push(list.some_from(next + chosen, task.end + SHOWN));
                break;
            }
            let branch = &branches[chosen];
            task.shown.push(list.some_from(next + chosen + 1, SHOWN));
            task.shown.extend((1..branch.labels.len()).map(|_| Branches::default()));
            for (at, label) in branch.labels.iter().enumerate() {
                let from = task.starts.last().map_or(0, |start| start.0 as usize);
                let to = task.sleepers.len();
                task.starts.push((to as u32, task.accesses.len() as u32));
                let unit = (label.thread, branch.accesses(at));
                let arrived = |store: Agent| task.labels.iter().any(|label| label.thread == store);
                inherit(&mut task.sleepers, from..to, &task.accesses, unit, arrived);
                task.labels.push(label.clone());
            }
            task.path.push(branch.clone());
            (list, next) = (&branch.then, 0);
        }
        task
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
            let is_planned = label.is_none();
            let Some(label) = label.or_else(|| self.follow()) else {
                self.session.redundant();
                return Reached::End;
            };
            let progress = self.perform::<A>(label);
            if self.made > 0 && is_planned && self.followed == 1 {
                self.check_expectation();
            }
            if progress == Progress::Ended {
                self.drop_plan();
                return Reached::End;
            }
            if self.is_on_borrowed_way() {
                self.on_borrowed_way();
            }
            if self.followed == self.plan.labels.len()
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

    /// If the first unit of a branch was not as expected, what was lent to its right is void.
    fn check_expectation(&mut self) {
        let position = self.order.length() - 1;
        if !is_same_footprint(self.plan.accesses(0), self.order.accesses(position as u32)) {
            self.nodes[position].void = self.made;
        }
    }

    /// Settles what somebody else has explored, from the present state on: as if the walk had been there. It goes
    /// there only if it is not certain that all was as expected on the way, or if there is something left to do.
    fn settle(&mut self, bench: &dyn Helper) -> Settled {
        self.arrived = None;
        let mut base = self.nodes.len() - 1;
        let mut settled = 0;
        loop {
            let top = self.nodes.len() - 1;
            if settled >= SETTLED_AT_ONCE && bench.exchange().wants_work() {
                settled = 0;
                self.go_to(base);
                base = top;
                self.lend_if_wanted(bench);
            }
            let node = &self.nodes[top];
            if node.next >= node.branches.len() {
                if top == base {
                    return Settled::All;
                }
                self.leave_unvisited();
                continue;
            }
            let result = match self.result_of_next(bench) {
                Err(Over) => return Settled::Stop,
                Ok(None) => return self.go_on_from(base),
                Ok(Some(result)) => result,
            };
            if result.way.plain > top {
                self.arrived = Some(result);
                return self.go_on_from(base);
            }
            settled += 1;
            self.open_unvisited(result.requests.deepest());
            let steps = result.way.steps_from(top);
            if self.absorb(result, steps) == Control::Stop {
                return Settled::Stop;
            }
            self.sleep_unvisited();
        }
    }

    /// What somebody else has found below the first leaf of the last node's next branch.
    fn result_of_next(&mut self, bench: &dyn Helper) -> Result<Option<Yield>, Over> {
        let Some(node) = self.nodes.last() else { return Ok(None) };
        let mut branch = &node.branches[node.next];
        let mut number = branch.lending.within(node.loan);
        while let Some(first) = branch.then.first() {
            branch = first;
            number = branch.lending.within(number);
        }
        if branch.lending.born >= number {
            return Ok(None);
        }
        let is_void = number <= node.void;
        let Some((loan, left)) = self.loans.get_mut(&number) else { return Ok(None) };
        let loan = loan.clone();
        if bench.exchange().withdraw(&loan) || is_void {
            self.outstanding -= *left;
            self.loans.remove(&number);
            return Ok(None);
        }
        *left -= 1;
        self.outstanding -= 1;
        if *left == 0 {
            self.loans.remove(&number);
        }
        parallel::wait_for(bench, &loan)
    }

    /// Does with what somebody else has found below a leaf as if the walk had found it; on the way there, which it
    /// has not gone itself, so many steps were taken.
    fn absorb(&mut self, result: Yield, steps: u64) -> Control {
        let Yield { statistics, found, limits, unsupported, requests, stopped, .. } = result;
        self.session.absorb(statistics, found, limits, unsupported.map(|reached| *reached));
        self.session.statistics.steps += steps;
        if stopped || self.session.control() == Control::Stop {
            return Control::Stop;
        }
        if let Some(all) = &requests.all {
            for number in requests.from..requests.to {
                optimal::insert(self, &all.get(number));
            }
        }
        Control::Continue
    }

    /// Opens the nodes on the way to the first leaf of the next branch, without going there. Those on the last branch
    /// are needed only as far as something is to be inserted there.
    fn open_unvisited(&mut self, deepest: usize) {
        loop {
            let Some(node) = self.nodes.last_mut() else { return };
            let Some(branch) = node.branches.0.get_mut(node.next) else { return };
            let mut branch = std::mem::replace(branch, self.nothing.clone());
            let is_leaf = branch.then.is_empty();
            let mut then = match Arc::get_mut(&mut branch) {
                Some(branch) => std::mem::take(&mut branch.then),
                None => branch.then.clone(),
            };
            let (loan, void) = (branch.lending.within(node.loan), node.void);
            node.next += 1;
            for at in 0..branch.labels.len() {
                self.chain.push((branch.clone(), at));
                let is_last = at + 1 == branch.labels.len();
                if is_leaf && (is_last || self.nodes.len() > deepest) {
                    return;
                }
                let sleepers = self.sleepers.len();
                let from = self.nodes.last().map_or(0, |node| node.sleepers as usize);
                let unit = (branch.labels[at].thread, branch.accesses(at));
                // The unit itself is in the chain already.
                let performed = &self.labels[..self.order.length()];
                let before = Before { order: &self.order, performed, chain: &self.chain };
                let arrived = |store: Agent| store != unit.0 && before.has(store);
                inherit(&mut self.sleepers, from..sleepers, &self.sleeping_accesses, unit, arrived);
                self.nodes.push(Node {
                    mark: None,
                    sleepers: sleepers as u32,
                    accesses: self.sleeping_accesses.len() as u32,
                    branches: if is_last { std::mem::take(&mut then) } else { Branches::default() },
                    next: 0,
                    loan: if is_last { loan } else { 0 },
                    void: if is_last { void } else { 0 },
                    enabled: Vec::new(),
                    running: None,
                    preemptions: 0,
                    last: self.last,
                });
            }
        }
    }

    /// Puts the unit after the last node to sleep there.
    fn sleep_unvisited(&mut self) {
        let Some((branch, at)) = self.chain.pop() else { return };
        if self.nodes.last().is_some_and(|node| node.next < node.branches.len()) {
            let from = self.sleeping_accesses.len() as u32;
            self.sleeping_accesses.extend_from_slice(branch.accesses(at));
            let accesses = (from, self.sleeping_accesses.len() as u32);
            self.sleepers.push(Sleeper { label: branch.labels[at].clone(), accesses });
        }
    }

    /// Leaves a node where the walk has not been and nothing is left to do.
    fn leave_unvisited(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.sleepers.truncate(node.sleepers as usize);
            self.sleeping_accesses.truncate(node.accesses as usize);
        }
        self.sleep_unvisited();
    }

    /// Lets the walk itself do what is next at the last node.
    fn go_on_from(&mut self, base: usize) -> Settled {
        self.go_to(base);
        let next = self.nodes.last().and_then(|node| node.branches.get(node.next));
        Settled::Own(if next.is_some_and(|branch| branch.alternative) { 0 } else { self.nodes.len() - 1 })
    }

    /// Goes from the state of the node at a position, which is the present one, to that of the last node.
    fn go_to(&mut self, base: usize) {
        let steps = self.session.statistics.steps;
        let chain = std::mem::take(&mut self.chain);
        for (position, (branch, at)) in (base..).zip(&chain) {
            self.perform::<Optimal>(branch.labels[*at].clone());
            let node = &mut self.nodes[position + 1];
            (node.mark, node.last) = (Some(self.session.mark()), self.last);
        }
        // They have been counted.
        self.session.statistics.steps = steps;
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
            self.plan = std::mem::replace(node.branches.0.get_mut(node.next)?, self.nothing.clone());
            (self.plan_loan, self.plan_void) = (self.plan.lending.within(node.loan), node.void);
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
        self.plan = self.nothing.clone();
        self.followed = 0;
    }

    /// Adds the sleepers of the present state: those of the one before that the last unit has not woken.
    fn inherit_sleepers(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        let range = node.sleepers as usize..self.sleepers.len();
        let unit = self.order.length() as u32 - 1;
        let order = &self.order;
        let arrived = |store: Agent| order.has_arrived(store, unit as usize);
        let unit = (order.agent(unit), order.accesses(unit));
        inherit(&mut self.sleepers, range, &self.sleeping_accesses, unit, arrived);
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
        let (mut branches, mut loan, mut void) = (Branches::default(), 0, 0);
        if self.followed >= self.plan.labels.len() && !self.plan.then.is_empty() {
            (loan, void) = (self.plan_loan, self.plan_void);
            branches = match Arc::get_mut(&mut self.plan) {
                Some(plan) => std::mem::take(&mut plan.then),
                None => self.plan.then.clone(),
            };
        }
        self.nodes.push(Node {
            mark: Some(self.session.mark()),
            sleepers: sleepers as u32,
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
            if let Some(mark) = &self.nodes[position].mark {
                self.session.take_back(mark, thread);
            }
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
                    let mut branch = Branch { alternative: true, ..Branch::of(label, accesses) };
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

    /// What will be tried from the node at a position after what is being tried now.
    pub fn branches(&self, position: usize) -> &[Arc<Branch>] {
        let node = &self.nodes[position];
        &node.branches[node.next..]
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
        let arrives = |event: &selvedge_trace::Event| {
            matches!(event.operation, Operation::Sync { op: SyncOp::BarrierArrive, .. })
        };
        if matches!(events, [event] if arrives(event)) {
            let earlier = self.order.accesses(first).iter().find(|other| other.mode == access::Mode::Arrive);
            if let Some(earlier) = earlier {
                // Without the earlier arrival it is not the last, and lets nobody go.
                accesses.retain(|access| access.granule == earlier.granule);
                for access in accesses.iter_mut() {
                    (access.mode, access.delta) = (access::Mode::Arrive, 1);
                }
                return;
            }
        }
        for access in accesses.iter_mut().filter(|access| !access.watched) {
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

    /// Gives a list back, to be used again.
    pub fn give_list_back(&mut self, mut list: Vec<usize>) {
        list.clear();
        self.list = list;
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
            if let Some(borrowed) = &self.borrowed
                && (position < borrowed.base || position == borrowed.base && node.next >= borrowed.end)
            {
                return None;
            }
            if let (Some(branch), Some(mark)) = (node.branches.get(node.next), &node.mark) {
                self.session.rewind(mark);
                if let Some(borrowed) = &mut self.borrowed
                    && position < self.foreign
                {
                    (borrowed.from, borrowed.plain) = (position, borrowed.plain.min(position));
                }
                return Some(if branch.alternative { 0 } else { position });
            }
            self.sleepers.truncate(node.sleepers as usize);
            self.sleeping_accesses.truncate(node.accesses as usize);
            self.nodes.pop();
        }
    }
}
