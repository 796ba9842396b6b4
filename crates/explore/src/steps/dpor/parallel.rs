//! Several workers on one exploration.
//!
//! The exploration is one walk through a tree, in an order that does not depend on the number of workers. When
//! somebody wants work, the walk *lends* leaves of its wake-up trees: everything below them. What is below a leaf is
//! settled as soon as the leaf is there: nothing is ever inserted below it from outside, nobody is asleep there, and
//! all that stands to its left, which decides what is asleep on the way, stands there already. So it can be explored
//! at any time, by anybody. What the borrower cannot do is to insert into the nodes above the leaf, which are the
//! lender's. It collects these sequences as [`Requests`].
//!
//! The lender goes on with the rest. When it comes to the leaf in its own order, it waits until the borrower is done
//! with it (and does what others lend meanwhile), then inserts the requests, as if it had explored the leaf itself
//! just now. So the tree, the number of executions, and the first violation are the same as with one worker. A
//! borrower that has found a violation stops; the walk stops when it comes to that leaf.
//!
//! *Batches.* Where a leaf stands for a single execution, lending one is more work than exploring it. So a loan is a
//! range of neighbouring branches with all the leaves below them. The borrower goes to the node where these begin and
//! walks through them as through branches of its own, from leaf to leaf, and gives back what it has found leaf by
//! leaf. How many leaves are lent at once depends on how long the last loans took. If that is many, they are taken from
//! nodes close to the present state, whose trees are nearly complete, so that many neighbours are free: close to the root,
//! trees grow in many places for a long time, and whoever lends there as they grow finds only scattered leaves. Trees
//! are shared, not copied: who changes a branch copies that one ([`Branches`]). Which leaves belong to a loan is not
//! noted in each of them but follows from their age ([`super::branch::Lending`]).
//!
//! *What need not be asked for.* The borrower sees the trees of all nodes on its way as they were when the loan was
//! made. A sequence that they cover, or something asleep there, is covered when the lender comes to the leaf, too: what
//! was to the right of the leaf still is, because the walk has not come there, and has only grown to the right and
//! by splitting, so the sequence follows the same labels to the same end; and what is asleep at a node stays so as long
//! as the node is there. (That a sequence is covered by another *request* would not be enough: the lender may have
//! found that one to be covered in a way that says nothing about this one. But the same request need not come twice.)
//!
//! *What need not be looked at again.* What is asleep at the nodes on the way when the lender comes to the leaf is what the
//! borrower took to be asleep there, no more: whatever stands to the left of the way stood there when the leaf was lent.
//! So no sleeper begins a sequence that was asked for, and the lender looks at its trees only.
//!
//! *Settling without going there.* To insert requests, the nodes on the way to the leaf are needed, not their states:
//! what is asleep there, and their trees. So the lender opens these nodes without going there, settles, and leaves
//! them again. Only if one of them has got a branch that nobody has explored, the walk goes there. That needs
//! certainty that the units on the way did what was expected of them: touched what the tree says, and had no
//! alternatives. The borrower says so ([`Way`]), and how many steps they took. Otherwise the lender goes there itself.
//!
//! *Requests of neighbours.* Where each leaf is a single execution, what counts is how much one worker writes and another reads. So
//! the requests of neighbouring leaves share their units, each with its clock, from which the lender sees what has to come first
//! if it needs to know.

use super::branch::{Branch, Branches, Planned};
use super::engine::{self, Before, Label, Sleeper, Walk};
use super::optimal::{Left, Local, Optimal, Sequence};
use super::order::NONE;
use crate::Crew;
use crate::core::dependence::{self, Access};
use crate::core::distinct::Distinct;
use crate::core::on_panic::OnPanic;
use crate::core::session::SessionMark;
use crate::{Control, Found, Limit, Session, Statistics};
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_memory::System;
use selvedge_trace::Agent;
use selvedge_vm::UnsupportedReached;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A loan that took less time was not worth the trouble.
const WORTH_THE_TROUBLE: Duration = Duration::from_micros(500);

/// If loans take less time, the next ones are larger; if they take much more, smaller.
const LONG_ENOUGH: Duration = Duration::from_millis(8);

/// The most leaves of a loan.
const LARGEST_BATCH: u32 = 2048;

/// So many tasks are kept ready, besides those for workers that have nothing to do. With one, who takes it waits at the
/// end of each second loan: it takes some time until somebody has come to where there is enough to lend.
const IN_STOCK: usize = 2;

/// The most chances to lend something that are let pass.
const MOST_RESTRAINT: u32 = 1023;

/// If more requests were remembered, to see whether one comes again, their table is not used again.
const MOST_REMEMBERED: usize = 1024;

/// So many lists of requests are kept to be used again.
const MOST_SPARE: usize = 16;

/// A sequence that is to be inserted into the wake-up tree of a node of somebody else.
pub struct Request<'a> {
    all: &'a Requests,
    units: &'a [u32],
    /// What its last unit comes immediately after.
    base: &'a [u32],
    /// The way to the node.
    before: Before<'a>,
}

impl Request<'_> {
    /// Its units, the later one of the race at the end.
    pub fn units(&self) -> impl Iterator<Item = Left> {
        self.units.iter().map(|unit| Left { agent: self.all.agent(*unit), unit: *unit })
    }

    fn is_later(&self, unit: u32) -> bool {
        self.units.last() == Some(&unit)
    }
}

impl Sequence for Request<'_> {
    fn planned(&self, unit: u32) -> Planned {
        self.all.units[unit as usize].unit.clone()
    }

    fn is(&self, unit: u32, label: &Label) -> bool {
        // The later one may do something else now; all its alternatives are tried.
        self.is_later(unit) || self.all.units[unit as usize].unit.label == *label
    }

    fn accesses(&self, unit: u32) -> &[Access] {
        self.all.units[unit as usize].unit.accesses()
    }

    fn precedes(&self, unit: u32, later: u32) -> bool {
        if !self.is_later(later) {
            return self.all.is_before(unit, later);
        }
        let arrived = |store: Agent| self.before.has(store) || self.units().any(|left| left.agent == store);
        // A load of an own store comes after nothing because of that.
        dependence::dependent_after(self.accesses(unit), self.accesses(later), |_| false, arrived)
            || self.base.iter().any(|base| self.all.is_before(unit, *base))
    }
}

/// Requests, in the order in which they came.
///
/// Those of an execution have most of their units in common, and executions that follow each other, too; each unit is
/// there once. Who comes before whom is not written down for each pair but follows from the units' clocks. So
/// little is written by one worker and read by another: that is what requests cost most.
#[derive(Default)]
pub struct Requests {
    heads: Vec<Head>,
    /// The units of each request, then those that its last one comes immediately after.
    lists: Vec<u32>,
    units: Vec<Recorded>,
    clocks: Vec<u32>,
    /// By position in the present execution: the number of the unit there, if it is among these.
    known: Vec<u32>,
    /// The requests from this one on are those of the present leaf.
    leaf: usize,
    /// Those up to this one are of earlier executions.
    earlier: usize,
    /// Of these, those up to this one can be found by their hash: the last one with it.
    hashed: usize,
    by_hash: FxHashMap<u64, u32>,
}

/// Where the parts of a request begin; they end where those of the next begin.
struct Head {
    position: u32,
    certain: bool,
    list: u32,
    base: u32,
    /// The one before with the same hash, or [`NONE`].
    same: u32,
}

/// A unit of a request.
struct Recorded {
    unit: Planned,
    /// See [`super::order::Order::moment`].
    component: u16,
    number: u32,
    /// Where its clock begins; it ends where that of the next begins.
    clock: u32,
}

impl Requests {
    /// One of them, given the way to its node.
    pub fn get<'a>(&'a self, number: usize, before: Before<'a>) -> Request<'a> {
        let (units, base) = self.parts(number);
        Request { all: self, units, base, before }
    }

    /// Where it is to be inserted.
    pub fn position(&self, number: usize) -> usize {
        self.heads[number].position as usize
    }

    /// Whether it is certain that it is possible.
    pub fn is_certain(&self, number: usize) -> bool {
        self.heads[number].certain
    }

    /// The units of a request, and those that its last one comes immediately after.
    fn parts(&self, number: usize) -> (&[u32], &[u32]) {
        let head = &self.heads[number];
        let to = self.heads.get(number + 1).map_or(self.lists.len(), |next| next.list as usize);
        let (list, base) = (head.list as usize, head.base as usize);
        (&self.lists[list..base], &self.lists[base..to])
    }

    /// Whose unit it is.
    fn agent(&self, unit: u32) -> Agent {
        self.units[unit as usize].unit.label.thread
    }

    fn clock(&self, unit: u32) -> &[u32] {
        let from = self.units[unit as usize].clock as usize;
        let to = self.units.get(unit as usize + 1).map_or(self.clocks.len(), |next| next.clock as usize);
        &self.clocks[from..to]
    }

    fn is_before(&self, unit: u32, other: u32) -> bool {
        let unit = &self.units[unit as usize];
        self.clock(other).get(usize::from(unit.component)).is_some_and(|seen| *seen >= unit.number)
    }

    /// Adds a unit.
    fn record(&mut self, unit: Planned, (component, number, clock): (u16, u32, &[u32])) -> u32 {
        let at = self.units.len() as u32;
        self.units.push(Recorded { unit, component, number, clock: self.clocks.len() as u32 });
        self.clocks.extend_from_slice(clock);
        at
    }

    /// Adds a unit of the present execution, unless it is there.
    fn number_of(&mut self, sequence: &Local<'_>, unit: u32) -> u32 {
        let position = unit as usize;
        if self.known.len() <= position {
            self.known.resize(position + 1, NONE);
        }
        if self.known[position] == NONE {
            self.known[position] = self.record(sequence.planned(unit), sequence.order.moment(unit));
        }
        self.known[position]
    }

    /// Adds a sequence, unless an earlier execution has added it.
    pub(super) fn add(&mut self, sequence: &Local<'_>, certain: bool) {
        let (list, later) = (self.lists.len() as u32, sequence.later);
        for unit in sequence.units {
            let own = self.number_of(sequence, *unit);
            self.lists.push(own);
        }
        let last = Planned::new(Label::of(later.thread), &later.accesses);
        let unit = self.record(last, (0, 0, &[]));
        self.lists.push(unit);
        let base = self.lists.len() as u32;
        // Nothing of the sequence happened before what was before it.
        for unit in sequence.base().filter(|unit| *unit as usize > sequence.position) {
            let own = self.number_of(sequence, unit);
            self.lists.push(own);
        }
        let position = sequence.position as u32;
        self.heads.push(Head { position, certain, list, base, same: NONE });
        self.forget_repeated();
    }

    /// Adds a request of another list, unless it was added before.
    pub fn add_again(&mut self, others: &Requests, number: usize) {
        let list = self.lists.len() as u32;
        let (units, base) = others.parts(number);
        for at in units.iter().chain(base) {
            let Recorded { unit, component, number, .. } = &others.units[*at as usize];
            let unit = self.record(unit.clone(), (*component, *number, others.clock(*at)));
            self.lists.push(unit);
        }
        let Head { position, certain, .. } = others.heads[number];
        let base = list + units.len() as u32;
        self.earlier = self.heads.len();
        self.heads.push(Head { position, certain, list, base, same: NONE });
        self.forget_repeated();
    }

    fn hash(&self, number: usize) -> u64 {
        let mut hasher = FxHasher::default();
        self.heads[number].position.hash(&mut hasher);
        self.parts(number).0.iter().for_each(|unit| self.agent(*unit).hash(&mut hasher));
        hasher.finish()
    }

    /// Removes the last request if an earlier execution below the same leaf has added it. What is uncertain does not
    /// cover anything, not even the same.
    fn forget_repeated(&mut self) {
        let number = self.heads.len() - 1;
        if self.earlier <= self.leaf || !self.heads[number].certain {
            return;
        }
        for number in self.hashed..self.earlier {
            let before = self.by_hash.insert(self.hash(number), number as u32);
            self.heads[number].same = before.unwrap_or(NONE);
        }
        self.hashed = self.earlier;
        let mut other = self.by_hash.get(&self.hash(number)).copied().unwrap_or(NONE);
        while other != NONE {
            if self.is_same(other as usize, number) {
                // Units that only it has do no harm.
                self.lists.truncate(self.heads[number].list as usize);
                self.heads.pop();
                return;
            }
            other = self.heads[other as usize].same;
        }
    }

    /// Whether two requests are the same. From the same node, the same units have the same order.
    fn is_same(&self, one: usize, other: usize) -> bool {
        let ((units, _), (others, _)) = (self.parts(one), self.parts(other));
        let (one, other) = (&self.heads[one], &self.heads[other]);
        let same = |(one, other): (&u32, &u32)| {
            one == other || self.units[*one as usize].unit == self.units[*other as usize].unit
        };
        (one.position, one.certain, units.len()) == (other.position, other.certain, others.len())
            && units.iter().zip(others).all(same)
    }

    /// Takes note that the present execution goes on differently from a position on.
    pub fn turn_back(&mut self, position: usize) {
        self.known.truncate(position);
        self.earlier = self.heads.len();
    }

    /// Those of a leaf are complete.
    pub fn end_leaf(&mut self) -> Asked {
        let range = self.leaf..self.heads.len();
        if self.by_hash.capacity() > MOST_REMEMBERED {
            self.by_hash = FxHashMap::default();
        }
        self.by_hash.clear();
        (self.leaf, self.earlier, self.hashed) = (range.end, range.end, range.end);
        Asked { range, all: None }
    }

    /// Goes on in another list, which has nothing in it: those of the present leaf are in both.
    pub fn go_on_in(&self, mut next: Requests) -> Requests {
        for number in self.leaf..self.heads.len() {
            next.add_again(self, number);
        }
        next
    }

    /// Takes out what the lender needs, with no more memory than that takes. (The memory of a list that grows is for
    /// the largest number of requests; results may wait for a long time.)
    pub fn take_compact(&mut self) -> Requests {
        let compact = Requests {
            heads: self.heads.drain(..).collect(),
            lists: self.lists.as_slice().into(),
            units: self.units.drain(..).collect(),
            clocks: self.clocks.as_slice().into(),
            ..Requests::default()
        };
        self.clear();
        compact
    }

    /// Removes all of them, but keeps the memory.
    fn clear(&mut self) {
        self.heads.clear();
        self.lists.clear();
        self.units.clear();
        self.clocks.clear();
        self.known.clear();
        self.by_hash.clear();
        (self.leaf, self.earlier, self.hashed) = (0, 0, 0);
    }
}

/// The requests of a leaf, among those of several.
pub struct Asked {
    /// Which of them.
    pub range: Range<usize>,
    /// Those of several leaves.
    pub all: Option<Arc<Requests>>,
}

impl Asked {
    /// The deepest position where something is to be inserted.
    pub fn deepest(&self) -> usize {
        let heads = self.all.as_ref().map_or(&[][..], |all| &all.heads[self.range.clone()]);
        heads.iter().map(|head| head.position as usize).max().unwrap_or(0)
    }
}

/// What is below some leaves.
pub struct Task {
    /// The way to the node that their branches begin at.
    pub labels: Vec<Label>,
    /// What is asleep at each node on the way and there, and what it touches.
    pub sleepers: Vec<Sleeper>,
    /// See `sleepers`.
    pub accesses: Vec<Access>,
    /// Where those of each node begin.
    pub starts: Vec<(u32, u32)>,
    /// What will be tried later at each node on the way; and what is to be tried there, and later by others.
    pub shown: Vec<Branches>,
    /// So many of the last of these are meant.
    pub end: usize,
    /// Races of units before this position have been looked at.
    pub known: usize,
    /// The way from this position on leads through a wake-up tree, along these branches.
    pub from: usize,
    /// See `from`.
    pub path: Vec<Arc<Branch>>,
}

impl Task {
    /// Puts a label to sleep at the last node.
    pub fn sleep(&mut self, label: &Label, accesses: &[Access]) {
        let from = self.accesses.len() as u32;
        self.accesses.extend_from_slice(accesses);
        let accesses = (from, self.accesses.len() as u32);
        self.sleepers.push(Sleeper::new(label.clone(), accesses));
    }
}

/// What is known about the way to a leaf.
#[derive(Default)]
pub struct Way {
    /// From this position on, the units have no alternatives and touch what was expected.
    pub plain: usize,
    /// Where the borrower has turned back last.
    pub from: usize,
    /// Steps taken.
    pub total: u64,
    /// Of these, steps taken before each unit, from that position on; nothing for none.
    pub steps: Vec<u64>,
}

impl Way {
    /// Steps taken from a position on.
    pub fn steps_from(&self, position: usize) -> u64 {
        let before = position.checked_sub(self.from).and_then(|at| self.steps.get(at));
        self.total - before.copied().unwrap_or(0)
    }
}

/// What was found below a leaf.
pub struct Yield {
    /// Counts.
    pub statistics: Statistics,
    /// Violations.
    pub found: Vec<Found>,
    /// Limits that were reached.
    pub limits: Vec<Limit>,
    /// Something unsupported that was reached.
    pub unsupported: Option<Box<UnsupportedReached>>,
    /// What is to be inserted above.
    pub requests: Asked,
    /// Whether the exploration did not come to an end.
    pub stopped: bool,
    /// Whether it did not because paths have to be followed ([`super::engine`]).
    pub needs_paths: bool,
    /// The way there.
    pub way: Way,
}

/// Everything is over.
pub struct Over;

/// Leaves that were lent.
pub struct Loan {
    leaves: u32,
    /// Whether somebody has begun with it.
    begun: AtomicBool,
    task: Mutex<Option<Task>>,
    returns: Mutex<Returns>,
    /// Whether somebody waits for what is found.
    awaited: AtomicBool,
}

/// What was found below each leaf, in their order; `None`: the lender has to do that.
#[derive(Default)]
struct Returns {
    ready: VecDeque<Option<Yield>>,
    closed: bool,
}

impl std::fmt::Debug for Loan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loan").field("awaited", &self.awaited).finish()
    }
}

impl Loan {
    /// Whether somebody waits for what is found.
    pub fn is_awaited(&self) -> bool {
        self.awaited.load(Ordering::SeqCst)
    }

    fn is_ready(&self) -> bool {
        let returns = lock(&self.returns);
        returns.closed || !returns.ready.is_empty()
    }

    /// What was found below the next leaf, as soon as that is known.
    fn next(&self) -> Option<Option<Yield>> {
        let mut returns = lock(&self.returns);
        let closed = returns.closed;
        returns.ready.pop_front().or(closed.then_some(None))
    }
}

/// Who wants work, and what work there is.
pub struct Exchange {
    market: Mutex<Market>,
    changed: Condvar,
    /// Whether there are more idle workers than tasks.
    wanted: AtomicBool,
    over: AtomicBool,
    restraint: AtomicU32,
    batch: AtomicU32,
    /// Lists that have been used and can be used again.
    spare: Mutex<Vec<Requests>>,
}

impl Default for Exchange {
    fn default() -> Self {
        Self {
            market: Mutex::default(),
            changed: Condvar::new(),
            wanted: AtomicBool::new(true),
            over: AtomicBool::new(false),
            restraint: AtomicU32::new(0),
            batch: AtomicU32::new(1),
            spare: Mutex::default(),
        }
    }
}

#[derive(Default)]
struct Market {
    tasks: VecDeque<Arc<Loan>>,
    idle: usize,
}

/// A lock that a panicking thread held is as good as any: the panic is reported anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchange {
    /// Whether somebody has nothing to do.
    pub fn wants_work(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Whether everybody has to stop.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        let _market = lock(&self.market);
        self.changed.notify_all();
    }

    fn update(&self, market: &Market) {
        self.wanted.store(market.idle + IN_STOCK > market.tasks.len(), Ordering::Relaxed);
    }

    /// Lends a task to whoever comes first.
    pub fn lend(&self, task: Task, leaves: u32) -> Arc<Loan> {
        let loan = Arc::new(Loan {
            leaves,
            begun: AtomicBool::new(false),
            task: Mutex::new(Some(task)),
            returns: Mutex::default(),
            awaited: AtomicBool::new(false),
        });
        let mut market = lock(&self.market);
        market.tasks.push_back(loan.clone());
        self.update(&market);
        self.changed.notify_all();
        loan
    }

    /// Takes a task back that nobody has begun with; false if somebody has.
    pub fn withdraw(&self, loan: &Arc<Loan>) -> bool {
        if loan.begun.load(Ordering::Relaxed) {
            return false;
        }
        let mut market = lock(&self.market);
        let Some(at) = market.tasks.iter().position(|other| Arc::ptr_eq(other, loan)) else { return false };
        market.tasks.remove(at);
        self.update(&market);
        drop(market);
        self.learn(None, 0);
        true
    }

    /// The next task, or `None` as soon as `enough` says so or everything is over.
    fn take(&self, enough: impl Fn() -> bool) -> Option<Arc<Loan>> {
        let mut market = lock(&self.market);
        market.idle += 1;
        let task = loop {
            if enough() || self.is_over() {
                break None;
            }
            if let Some(task) = market.tasks.pop_front() {
                task.begun.store(true, Ordering::Relaxed);
                break Some(task);
            }
            self.update(&market);
            market = self.changed.wait(market).unwrap_or_else(PoisonError::into_inner);
        };
        market.idle -= 1;
        self.update(&market);
        task
    }

    /// How many chances to lend something are to be let pass after each loan, because loans were too small.
    pub fn restraint(&self) -> u32 {
        self.restraint.load(Ordering::Relaxed)
    }

    /// How many leaves are to be lent at once.
    pub fn batch(&self) -> u32 {
        self.batch.load(Ordering::Relaxed)
    }

    /// An empty list.
    pub fn spare_requests(&self) -> Requests {
        lock(&self.spare).pop().unwrap_or_default()
    }

    /// Keeps a list that is empty, to be used again.
    pub fn keep_spare(&self, requests: Requests) {
        let mut spare = lock(&self.spare);
        if spare.len() < MOST_SPARE {
            spare.push(requests);
        }
    }

    /// Hands over what was found below some leaves.
    pub fn give(&self, loan: &Loan, results: &mut Vec<Option<Yield>>, closed: bool) {
        let mut returns = lock(&loan.returns);
        returns.ready.extend(results.drain(..));
        returns.closed |= closed;
        drop(returns);
        self.tell(loan);
    }

    /// There will be no more of a loan.
    fn close(&self, loan: &Loan) {
        lock(&loan.returns).closed = true;
        self.tell(loan);
    }

    /// Wakes whoever waits for a loan.
    fn tell(&self, loan: &Loan) {
        if loan.awaited.swap(false, Ordering::SeqCst) {
            let _market = lock(&self.market);
            self.changed.notify_all();
        }
    }

    /// Takes note of how long a loan took.
    fn learn(&self, time: Option<Duration>, leaves: u32) {
        let restraint = self.restraint();
        let restraint = match time.is_none_or(|time| time < WORTH_THE_TROUBLE) {
            true => (2 * restraint + 1).min(MOST_RESTRAINT),
            false => restraint / 4,
        };
        self.restraint.store(restraint, Ordering::Relaxed);
        let Some(time) = time else { return };
        let wanted = u128::from(leaves) * LONG_ENOUGH.as_nanos() / time.as_nanos().max(1);
        let wanted = wanted.min(u128::from(LARGEST_BATCH)) as u32;
        let batch = self.batch();
        self.batch.store(wanted.clamp((batch / 2).max(1), 2 * batch), Ordering::Relaxed);
    }
}

/// A worker's view of the others.
pub trait Helper {
    /// Where work is exchanged.
    fn exchange(&self) -> &Exchange;

    /// Does what was lent.
    fn work(&self, loan: &Arc<Loan>);
}

/// A worker.
struct Worker<'c, S: System> {
    crew: &'c Crew<'c, S>,
    exchange: &'c Exchange,
    settings: crate::Settings,
    interrupted: &'c AtomicBool,
    /// Where views are told apart, if they are.
    distinct: Option<Arc<Distinct>>,
    /// Sessions that are not used at the moment, and how to get to their first states.
    sessions: RefCell<Vec<Resting<'c, S>>>,
}

type Resting<'c, S> = (Session<'c, S>, SessionMark<<S as System>::Mark>);

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let start = session.mark();
    let exchange = Exchange::default();
    let (settings, interrupted) = session.origin();
    let distinct = session.distinct().cloned();
    let worker = |settings| {
        let (distinct, sessions) = (distinct.clone(), RefCell::default());
        Worker { crew, exchange: &exchange, settings, interrupted, distinct, sessions }
    };
    let mut needs_paths = false;
    std::thread::scope(|scope| {
        for _ in 1..crew.workers {
            let worker = &worker;
            let settings = settings.clone();
            scope.spawn(move || {
                let worker = worker(settings);
                let _guard = OnPanic(|| worker.exchange.end());
                while let Some(loan) = worker.exchange.take(|| false) {
                    worker.work(&loan);
                }
            });
        }
        let own = worker(settings.clone());
        let _guard = OnPanic(|| exchange.end());
        let mut walk = Walk::new(session, Some(&own));
        walk.run::<Optimal>(0);
        needs_paths = walk.needs_paths();
        exchange.end();
    });
    if needs_paths {
        engine::begin_again_with_paths(session, &start);
    }
}

impl<S: System> Worker<'_, S> {
    fn explore(&self, task: Task, loan: &Arc<Loan>) {
        let (mut session, start) = match self.sessions.borrow_mut().pop() {
            Some(resting) => resting,
            None => {
                let Some((system, first)) = (self.crew.system)() else { return };
                // A closure that captures nothing takes no memory.
                let silent = Box::leak(Box::new(|_: &Statistics| {}));
                let settings = self.settings.clone();
                let mut session = Session::new(system, first, settings, self.interrupted, silent);
                session.count_with(self.crew.tally);
                session.tell_apart(self.distinct.as_ref());
                let start = session.mark();
                (session, start)
            }
        };
        let known = task.known;
        let mut walk = Walk::new(&mut session, Some(self));
        if !walk.replay(task, loan) || walk.run::<Optimal>(known) == Control::Stop {
            walk.give_leaf(true);
        }
        walk.give_results(true);
        drop(walk);
        session.rewind(&start);
        session.take_statistics();
        session.found.clear();
        session.limits_reached.clear();
        session.unsupported = None;
        self.sessions.borrow_mut().push((session, start));
    }
}

impl<S: System> Helper for Worker<'_, S> {
    fn exchange(&self) -> &Exchange {
        self.exchange
    }

    fn work(&self, loan: &Arc<Loan>) {
        let begin = Instant::now();
        let task = lock(&loan.task).take();
        if let Some(task) = task {
            self.explore(task, loan);
        }
        self.exchange.close(loan);
        self.exchange.learn(Some(begin.elapsed()), loan.leaves);
    }
}

/// Waits for what was found below the next leaf of a loan, doing what others lend meanwhile. `None`: the lender has
/// to explore the leaf itself.
pub fn wait_for(helper: &dyn Helper, loan: &Loan) -> Result<Option<Yield>, Over> {
    let exchange = helper.exchange();
    loop {
        if let Some(result) = loan.next() {
            return Ok(result);
        }
        let is_ready = || {
            // Each time: whoever was told by an earlier result may have forgotten this.
            loan.awaited.store(true, Ordering::SeqCst);
            loan.is_ready()
        };
        match exchange.take(is_ready) {
            Some(other) => helper.work(&other),
            None if exchange.is_over() => return Err(Over),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_a_worker_that_panicked() {
        let exchange = Exchange::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| exchange.take(|| false).is_none());
            let panicking = scope.spawn(|| {
                let _guard = OnPanic(|| exchange.end());
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(panicking.join().is_err());
            assert!(waiting.join().is_ok_and(|ended| ended));
        });
    }
}
