//! Several workers on one exploration.
//!
//! The exploration is one walk through a tree, in an order that does not depend on the number of workers. When
//! somebody has nothing to do, the walk *lends* a leaf of one of its wake-up trees: everything below it. What is
//! below a leaf is settled as soon as the leaf is there: nothing is ever inserted below it from outside, nobody is
//! asleep there, and all that stands to its left, which decides what is asleep on the way, stands there already.
//! So it can be explored at any time, by anybody. What the borrower cannot do is to insert into the nodes above
//! the leaf, which are the lender's. It collects these sequences as [`Request`]s.
//!
//! The lender goes on with the rest. When it comes to the leaf in its own order, it waits until the borrower is
//! done (and helps others meanwhile), then inserts the requests, as if it had explored the leaf itself just now.
//! So the tree, the number of executions, and the first violation are the same as with one worker. A borrower
//! that has found a violation stops; the walk stops when it comes to that leaf.

use super::access::Access;
use super::engine::{Label, Walk};
use super::optimal::{self, Optimal, Sequence};
use crate::session::Tally;
use crate::{Control, Found, Limit, Session, Statistics};
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_memory::{Step, System};
use selvedge_vm::UnsupportedReached;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A loan with fewer executions was not worth the trouble.
const WORTH_THE_TROUBLE: u64 = 64;

/// The most chances to lend something that are let pass.
const MOST_RESTRAINT: u32 = 1023;

/// A sequence that is to be inserted into the wake-up tree of a node of somebody else.
#[derive(Debug, Clone)]
pub struct Request {
    position: usize,
    certain: bool,
    labels: Vec<Label>,
    accesses: Vec<Access>,
    /// Where the accesses of each unit end.
    ends: Vec<u32>,
    /// For each unit and each earlier one, whether that has to come before it: a bit each.
    precedes: Vec<u64>,
}

impl Request {
    /// What is left of a sequence, to be inserted into the tree of the node at a position.
    pub(super) fn new(position: usize, sequence: &impl Sequence, rest: &[usize], certain: bool) -> Self {
        let mut request = Self {
            position,
            certain,
            labels: Vec::with_capacity(rest.len()),
            accesses: Vec::with_capacity(rest.len()),
            ends: Vec::with_capacity(rest.len()),
            precedes: vec![0; (rest.len() * rest.len()).div_ceil(64)],
        };
        for (at, unit) in rest.iter().enumerate() {
            request.labels.push(sequence.label(*unit));
            request.accesses.extend_from_slice(sequence.accesses(*unit));
            request.ends.push(request.accesses.len() as u32);
            for (earlier, other) in rest[..at].iter().enumerate() {
                if sequence.precedes(*other, *unit) {
                    let bit = at * rest.len() + earlier;
                    request.precedes[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        request
    }

    /// Where it is to be inserted.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether it is certain that it is possible.
    pub fn is_certain(&self) -> bool {
        self.certain
    }

    /// All its units.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.labels.len()).collect()
    }

    /// Whether it asks for the same.
    fn is_same(&self, other: &Request) -> bool {
        self.position == other.position
            && self.labels == other.labels
            && self.accesses == other.accesses
            && self.precedes == other.precedes
    }
}

impl Sequence for Request {
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

/// What is asleep at a node: labels and what they touch.
pub type Asleep = Vec<(Label, Vec<Access>)>;

/// What is below a leaf.
pub struct Task {
    /// The way to the leaf.
    pub labels: Vec<Label>,
    /// What is asleep at each node on the way.
    pub asleep: Vec<Asleep>,
    /// Races of units before this position have been looked at.
    pub known: usize,
}

/// What a borrower gives back.
#[derive(Default)]
pub struct Yield {
    statistics: Statistics,
    found: Vec<Found>,
    limits: Vec<Limit>,
    unsupported: Option<Box<UnsupportedReached>>,
    requests: Vec<Request>,
    /// Whether it did not come to an end.
    stopped: bool,
}

/// A leaf that was lent.
pub struct Loan {
    task: Mutex<Option<Task>>,
    result: Mutex<Option<Yield>>,
    done: AtomicBool,
}

impl std::fmt::Debug for Loan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loan").field("done", &self.done).finish()
    }
}

/// Who wants work, and what work there is.
#[derive(Default)]
pub struct Exchange {
    market: Mutex<Market>,
    changed: Condvar,
    /// Whether there are more idle workers than tasks.
    wanted: AtomicBool,
    over: AtomicBool,
    restraint: AtomicU32,
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
        self.wanted.store(market.idle > market.tasks.len(), Ordering::Relaxed);
    }

    /// Lends a task to whoever comes first.
    pub fn lend(&self, task: Task) -> Arc<Loan> {
        let loan = Arc::new(Loan {
            task: Mutex::new(Some(task)),
            result: Mutex::new(None),
            done: AtomicBool::new(false),
        });
        let mut market = lock(&self.market);
        market.tasks.push_back(loan.clone());
        self.update(&market);
        self.changed.notify_all();
        loan
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

    fn finish(&self, loan: &Loan, result: Yield) {
        let restraint = self.restraint();
        let restraint = match result.statistics.executions < WORTH_THE_TROUBLE {
            true => (2 * restraint + 1).min(MOST_RESTRAINT),
            false => restraint / 4,
        };
        self.restraint.store(restraint, Ordering::Relaxed);
        *lock(&loan.result) = Some(result);
        loan.done.store(true, Ordering::Release);
        let _market = lock(&self.market);
        self.changed.notify_all();
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
pub struct Bench<'c, S: System> {
    crew: &'c Crew<'c, S>,
    /// Where work is exchanged.
    pub exchange: &'c Exchange,
    origin: &'c Origin<'c>,
}

impl<S: System> Clone for Bench<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: System> Copy for Bench<'_, S> {}

/// What sessions of all workers have in common.
struct Origin<'c> {
    settings: crate::Settings,
    interrupted: &'c AtomicBool,
}

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let exchange = Exchange::default();
    let (settings, interrupted) = session.origin();
    let origin = Origin { settings, interrupted };
    let bench = Bench { crew, exchange: &exchange, origin: &origin };
    std::thread::scope(|scope| {
        for _ in 1..crew.workers {
            scope.spawn(move || {
                while let Some(loan) = bench.exchange.take(|| false) {
                    bench.work(&loan);
                }
            });
        }
        let mut walk = Walk::new(session, Some(bench));
        walk.run::<Optimal>(0);
        exchange.end();
    });
}

impl<S: System> Bench<'_, S> {
    /// Does what was lent.
    fn work(self, loan: &Loan) {
        let task = lock(&loan.task).take();
        let result = task.and_then(|task| self.explore(task)).unwrap_or_else(|| Yield {
            stopped: true,
            limits: vec![Limit::Interrupted],
            ..Yield::default()
        });
        self.exchange.finish(loan, result);
    }

    fn explore(self, task: Task) -> Option<Yield> {
        let (system, first) = (self.crew.system)()?;
        let mut silent = |_: &Statistics| {};
        let settings = self.origin.settings.clone();
        let mut session = Session::new(system, first, settings, self.origin.interrupted, &mut silent);
        session.count_with(self.crew.tally);
        let mut walk = Walk::new(&mut session, Some(self));
        let known = task.known;
        let ended = walk.replay(task) && walk.run::<Optimal>(known) == Control::Continue;
        let requests = walk.take_requests();
        let Session { statistics, found, limits_reached, unsupported, .. } = session;
        Some(Yield {
            statistics,
            found,
            limits: limits_reached,
            unsupported: unsupported.map(Box::new),
            requests,
            stopped: !ended,
        })
    }

    /// Waits for a loan, doing what others lend meanwhile; `None` if everything is over.
    fn wait_for(self, loan: &Loan) -> Option<Yield> {
        while !loan.done.load(Ordering::Acquire) {
            match self.exchange.take(|| loan.done.load(Ordering::Acquire)) {
                Some(other) => self.work(&other),
                None if self.exchange.is_over() => return None,
                None => {}
            }
        }
        lock(&loan.result).take()
    }

    /// Does with a loan that the walk has come to as if the walk had explored it itself.
    pub fn settle(self, walk: &mut Walk<'_, '_, S>, loan: &Loan) -> Control {
        let Some(result) = self.wait_for(loan) else { return Control::Stop };
        walk.session().absorb(
            result.statistics,
            result.found,
            result.limits,
            result.unsupported.map(|reached| *reached),
        );
        if result.stopped || walk.session().control() == Control::Stop {
            return Control::Stop;
        }
        for request in result.requests {
            optimal::insert(walk, request);
        }
        Control::Continue
    }
}

/// Requests, no two the same.
#[derive(Default)]
pub struct Requests {
    list: Vec<Request>,
    by_hash: FxHashMap<u64, Vec<u32>>,
}

impl Requests {
    /// Adds a request unless it is there.
    pub fn add(&mut self, request: Request) {
        let mut hasher = FxHasher::default();
        request.position.hash(&mut hasher);
        for label in &request.labels {
            (label.thread, label.choice).hash(&mut hasher);
        }
        let same = self.by_hash.entry(hasher.finish()).or_default();
        if !same.iter().any(|at| self.list[*at as usize].is_same(&request)) {
            same.push(self.list.len() as u32);
            self.list.push(request);
        }
    }

    /// All of them, in the order in which they came.
    pub fn take(&mut self) -> Vec<Request> {
        self.by_hash.clear();
        std::mem::take(&mut self.list)
    }
}
