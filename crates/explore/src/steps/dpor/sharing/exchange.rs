//! Where workers exchange work.

use super::task::{Task, Yield};
use crate::steps::dpor::requests::Requests;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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

/// So many lists of requests are kept to be used again.
const MOST_SPARE: usize = 16;

/// Everything is over.
pub struct Over;

/// Whether a borrower hands over more after this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It may.
    Part,
    /// There will be no more.
    Last,
}

/// Leaves that were lent.
pub struct Loan {
    pub(super) leaves: u32,
    /// Whether somebody has begun with it.
    begun: AtomicBool,
    pub(super) task: Mutex<Option<Task>>,
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
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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

    /// Lets everybody stop.
    pub(super) fn end(&self) {
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
    pub(super) fn take(&self, enough: impl Fn() -> bool) -> Option<Arc<Loan>> {
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
    pub fn give(&self, loan: &Loan, results: &mut Vec<Option<Yield>>, delivery: Delivery) {
        let mut returns = lock(&loan.returns);
        returns.ready.extend(results.drain(..));
        returns.closed |= delivery == Delivery::Last;
        drop(returns);
        self.tell(loan);
    }

    /// There will be no more of a loan.
    pub(super) fn close(&self, loan: &Loan) {
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
    pub(super) fn learn(&self, time: Option<Duration>, leaves: u32) {
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
    use crate::core::on_panic::OnPanic;

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
