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
//! leaf. How many leaves are lent at once depends on how long the last loans took. Trees are shared, not copied: who
//! changes a branch copies that one ([`Branches`]). Which leaves belong to a loan is not noted in each of them but
//! follows from their age (`Lending` in the engine).
//!
//! *What need not be asked for.* The borrower sees the trees of all nodes on its way as they were when the loan was
//! made. A sequence that they cover, or something asleep there, is covered when the lender comes to the leaf, too: what
//! was to the right of the leaf still is, because the walk has not come there, and has only grown to the right and
//! by splitting, so the sequence follows the same labels to the same end; and what is asleep at a node stays so as long
//! as the node is there. (That a sequence is covered by another *request* would not be enough: the lender may have
//! found that one to be covered in a way that says nothing about this one. But the same request need not come twice.)
//!
//! *Settling without going there.* To insert requests, the nodes on the way to the leaf are needed, not their states:
//! what is asleep there, and their trees. So the lender opens these nodes without going there, settles, and leaves
//! them again. Only if one of them has got a branch that nobody has explored, the walk goes there. That needs
//! certainty that the units on the way did what was expected of them: touched what the tree says, and had no
//! alternatives. The borrower says so ([`Way`]), and how many steps they took. Otherwise the lender goes there itself.

use super::access::Access;
use super::engine::{Branch, Branches, Label, Sleeper, Walk};
use super::optimal::{Optimal, Sequence};
use crate::session::{SessionMark, Tally};
use crate::{Control, Found, Limit, Session, Statistics};
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_memory::{Step, System};
use selvedge_vm::UnsupportedReached;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A loan that took less time was not worth the trouble.
const WORTH_THE_TROUBLE: Duration = Duration::from_micros(500);

/// If loans take less time, the next ones are larger; if they take much more, smaller.
const LONG_ENOUGH: Duration = Duration::from_millis(4);

/// The most leaves of a loan.
const LARGEST_BATCH: u32 = 2048;

/// So many tasks are kept ready, besides those for workers that have nothing to do.
const IN_STOCK: usize = 1;

/// The most chances to lend something that are let pass.
const MOST_RESTRAINT: u32 = 1023;

/// If more requests were remembered, to see whether one comes again, their table is not used again.
const MOST_REMEMBERED: usize = 1024;

/// A sequence that is to be inserted into the wake-up tree of a node of somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// Where it is to be inserted.
    pub position: usize,
    /// Whether it is certain that it is possible.
    pub certain: bool,
    labels: &'a [Label],
    accesses: &'a [Access],
    /// Where the accesses of each unit end.
    ends: &'a [u32],
    /// For each unit and each earlier one, whether that has to come before it: a bit each.
    precedes: &'a [u64],
}

impl Request<'_> {
    /// The number of its units.
    pub fn length(&self) -> usize {
        self.labels.len()
    }
}

impl Sequence for Request<'_> {
    fn label(&self, at: usize) -> Label {
        self.labels[at].clone()
    }

    fn is(&self, at: usize, label: &Label) -> bool {
        at + 1 == self.labels.len() || self.labels[at] == *label
    }

    fn has_thread_of(&self, at: usize, label: &Label) -> bool {
        self.labels[at].thread == label.thread
    }

    fn accesses(&self, at: usize) -> &[Access] {
        let from = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.accesses[from..self.ends[at] as usize]
    }

    fn precedes(&self, at: usize, later: usize) -> bool {
        let bit = later * self.labels.len() + at;
        self.precedes[bit / 64] & 1 << (bit % 64) != 0
    }
}

/// Requests, in the order in which they came.
#[derive(Default)]
pub struct Requests {
    heads: Vec<Head>,
    labels: Vec<Label>,
    accesses: Vec<Access>,
    ends: Vec<u32>,
    precedes: Vec<u64>,
    /// The last request with a hash.
    by_hash: FxHashMap<u64, u32>,
}

/// Where the parts of a request begin; they end where those of the next begin.
#[derive(Clone, Copy)]
struct Head {
    position: u32,
    certain: bool,
    label: u32,
    access: u32,
    precedes: u32,
    /// The one before with the same hash.
    same: Option<u32>,
}

impl Requests {
    /// How many there are.
    pub fn length(&self) -> usize {
        self.heads.len()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> Request<'_> {
        let head = &self.heads[number];
        let (label, access, precedes) = match self.heads.get(number + 1) {
            Some(next) => (next.label as usize, next.access as usize, next.precedes as usize),
            None => (self.labels.len(), self.accesses.len(), self.precedes.len()),
        };
        Request {
            position: head.position as usize,
            certain: head.certain,
            labels: &self.labels[head.label as usize..label],
            accesses: &self.accesses[head.access as usize..access],
            ends: &self.ends[head.label as usize..label],
            precedes: &self.precedes[head.precedes as usize..precedes],
        }
    }

    /// Adds what is left of a sequence, to be inserted into the tree of the node at a position; unless it is there.
    pub(super) fn add(&mut self, position: usize, sequence: &impl Sequence, rest: &[usize], certain: bool) {
        let (label, access, precedes) = (self.labels.len(), self.accesses.len(), self.precedes.len());
        self.precedes.resize(precedes + (rest.len() * rest.len()).div_ceil(64), 0);
        let mut hasher = FxHasher::default();
        position.hash(&mut hasher);
        for (at, unit) in rest.iter().enumerate() {
            let own = sequence.label(*unit);
            (own.thread, own.choice).hash(&mut hasher);
            self.labels.push(own);
            self.accesses.extend_from_slice(sequence.accesses(*unit));
            self.ends.push((self.accesses.len() - access) as u32);
            let row = at * rest.len();
            sequence.each_before(&rest[..at], *unit, |earlier| {
                let bit = row + earlier;
                self.precedes[precedes + bit / 64] |= 1 << (bit % 64);
            });
        }
        let number = self.heads.len();
        let same = self.by_hash.insert(hasher.finish(), number as u32);
        self.heads.push(Head {
            position: position as u32,
            certain,
            label: label as u32,
            access: access as u32,
            precedes: precedes as u32,
            same,
        });
        let mut other = same;
        // What is uncertain does not cover anything, not even the same.
        while let (Some(before), true) = (other, certain) {
            if self.get(before as usize) == self.get(number) {
                self.heads.pop();
                self.labels.truncate(label);
                self.ends.truncate(label);
                self.accesses.truncate(access);
                self.precedes.truncate(precedes);
                if let Some(same) = same {
                    self.by_hash.insert(hasher.finish(), same);
                }
                return;
            }
            other = self.heads[before as usize].same;
        }
    }

    /// Adds a request of another list.
    pub fn add_again(&mut self, request: &Request<'_>) {
        let all: Vec<usize> = (0..request.length()).collect();
        self.add(request.position, request, &all, request.certain);
    }

    /// Forgets what was added: it may be added again.
    pub fn forget(&mut self) {
        if self.by_hash.capacity() > MOST_REMEMBERED {
            self.by_hash = FxHashMap::default();
        }
        self.by_hash.clear();
    }

    /// Nothing, but with room for as much.
    pub fn as_roomy(&self) -> Self {
        Self {
            heads: Vec::with_capacity(self.heads.len()),
            labels: Vec::with_capacity(self.labels.len()),
            accesses: Vec::with_capacity(self.accesses.len()),
            ends: Vec::with_capacity(self.ends.len()),
            precedes: Vec::with_capacity(self.precedes.len()),
            by_hash: FxHashMap::default(),
        }
    }
}

/// The requests of a leaf, among those of several.
pub struct Asked {
    /// The first of them.
    pub from: usize,
    /// Where they end.
    pub to: usize,
    /// Those of several leaves.
    pub all: Option<Arc<Requests>>,
}

impl Asked {
    /// The deepest position where something is to be inserted.
    pub fn deepest(&self) -> usize {
        let heads = self.all.as_ref().map_or(&[][..], |all| &all.heads[self.from..self.to]);
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
        self.sleepers.push(Sleeper { label: label.clone(), accesses });
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

/// Those who work together, and how each of them gets a system of its own.
pub struct Crew<'c, S> {
    /// How many there are.
    pub workers: usize,
    /// Makes a system in its first state.
    pub system: &'c (dyn Fn() -> Option<(S, Step)> + Sync),
    /// Counts what all of them do.
    pub tally: &'c Tally,
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
    /// Sessions that are not used at the moment, and how to get to their first states.
    sessions: RefCell<Vec<Resting<'c, S>>>,
}

type Resting<'c, S> = (Session<'c, S>, SessionMark<<S as System>::Mark>);

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let exchange = Exchange::default();
    let (settings, interrupted) = session.origin();
    let worker =
        |settings| Worker { crew, exchange: &exchange, settings, interrupted, sessions: RefCell::default() };
    std::thread::scope(|scope| {
        for _ in 1..crew.workers {
            let settings = settings.clone();
            scope.spawn(move || {
                let worker = worker(settings);
                while let Some(loan) = worker.exchange.take(|| false) {
                    worker.work(&loan);
                }
            });
        }
        let own = worker(settings.clone());
        let mut walk = Walk::new(session, Some(&own));
        walk.run::<Optimal>(0);
        exchange.end();
    });
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
