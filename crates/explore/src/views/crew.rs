//! Several workers search executions; what they find is explored by one, which has the machine.
//!
//! Searching takes most of the time, and needs nothing but the execution and the set of what has been explored. A
//! worker that finds something new asks for it, and waits until it is explored (or has been meanwhile, because another worker
//! has asked for the same). So no view is explored twice, and which views there are does not depend on the workers.

use super::explorer::Explorer;
use super::history::{Goal, Miss, SharedExplored};
use super::method::{Host, Job, Method, Step};
use super::script::Script;
use crate::core::on_panic::OnPanic;
use crate::{Control, SolverWork};
use selvedge_memory::System;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long to wait for workers before looking whether it is time to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a worker says.
enum Message {
    /// An execution is wanted: for what, how to get there, and where to say that it is done.
    Wanted(Goal, Vec<Step>, Sender<()>),
    /// What was done.
    Done(SolverWork),
    /// A worker has nothing to do.
    Idle,
    /// A worker has panicked.
    Gone,
}

struct Worker<'w> {
    method: &'w dyn Method,
    explored: &'w SharedExplored,
    stop: &'w AtomicBool,
    to_explorer: Sender<Message>,
    miss: Miss,
}

impl Host for Worker<'_> {
    fn has_explored(&mut self, goal: &Goal) -> bool {
        self.explored.has_explored(goal, &mut self.miss)
    }

    fn explore(&mut self, goal: &Goal, steps: &[Step]) -> Control {
        let (done, is_done) = mpsc::channel();
        let message = Message::Wanted(goal.clone(), steps.to_vec(), done);
        match self.to_explorer.send(message).is_ok() && is_done.recv().is_ok() {
            true => self.control(),
            false => Control::Stop,
        }
    }

    fn begin(&mut self, searches: &mut Vec<(usize, u128)>) {
        self.explored.begin(searches);
    }

    fn agreement(&mut self, goal: &Goal, scripts: &[Arc<Script>], agreed: &mut Vec<u32>) -> bool {
        self.explored.agreement(goal, scripts.iter().map(|script| &*script.histories), agreed)
    }

    fn note(&mut self, work: SolverWork) {
        // If the channel is closed, nothing is counted any more.
        let _ = self.to_explorer.send(Message::Done(work));
    }

    fn control(&mut self) -> Control {
        match self.stop.load(Ordering::Relaxed) {
            true => Control::Stop,
            false => Control::Continue,
        }
    }
}

/// Searches all executions that are left, and those that are found.
pub(super) fn work_together<S: System>(explorer: &mut Explorer<'_, '_, S>, workers: usize) {
    let stop = AtomicBool::new(false);
    let (method, explored) = (explorer.method, explorer.explored);
    let (to_explorer, messages) = mpsc::channel();
    let (give, taken) = mpsc::channel::<Job>();
    let taken = Mutex::new(taken);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let to_explorer = to_explorer.clone();
            let mut worker = Worker { method, explored, stop: &stop, to_explorer, miss: None };
            let taken = &taken;
            scope.spawn(move || work(&mut worker, taken));
        }
        drop(to_explorer);
        serve(explorer, &messages, give, workers);
        stop.store(true, Ordering::Relaxed);
        // No worker waits for an answer any more.
        drop(messages);
    });
}

fn work(worker: &mut Worker<'_>, taken: &Mutex<Receiver<Job>>) {
    let to_explorer = worker.to_explorer.clone();
    // If the channel is closed, everything is over already.
    let _guard = OnPanic(|| drop(to_explorer.send(Message::Gone)));
    loop {
        if worker.to_explorer.send(Message::Idle).is_err() {
            return;
        }
        let job = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if worker.method.search(&job, worker) == Control::Stop {
            return;
        }
    }
}

/// Explores what workers want, and gives them executions, until there are none and all are idle.
fn serve<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    messages: &Receiver<Message>,
    give: Sender<Job>,
    workers: usize,
) {
    let mut idle = 0;
    loop {
        match messages.recv_timeout(PATIENCE) {
            Ok(Message::Wanted(goal, steps, done)) => {
                if explorer.explore(&goal, &steps) == Control::Stop {
                    return;
                }
                // One that has stopped needs no answer.
                let _ = done.send(());
            }
            Ok(Message::Done(work)) => explorer.note(work),
            Ok(Message::Idle) => idle += 1,
            Ok(Message::Gone) => return,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if explorer.control() == Control::Stop {
                    return;
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        while idle > 0
            && let Some(job) = explorer.left.pop()
        {
            idle -= 1;
            if give.send(job).is_err() {
                return;
            }
        }
        if idle == workers {
            return;
        }
    }
}
