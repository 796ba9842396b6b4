//! A few worker threads that take numbered cases, and one place that hears of the results.

use std::sync::mpsc;
use std::thread;

/// Runs `work` on every case that `next` hands out, on `jobs` threads; `report` gets the results in
/// the order in which they come.
pub fn for_each<C, R>(
    jobs: usize,
    next: impl Fn() -> Option<C> + Sync,
    work: impl Fn(&C) -> R + Sync,
    mut report: impl FnMut(C, R),
) where
    C: Send,
    R: Send,
{
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while let Some(case) = next() {
                    let result = work(&case);
                    if sender.send((case, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (case, result) in receiver {
            report(case, result);
        }
    });
}

/// The number of jobs where the user names none: the number of cores.
pub fn default_jobs() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}
