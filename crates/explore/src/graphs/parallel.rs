//! Several workers.
//!
//! What can still be done with the next node of a graph are ways that have nothing to do with each other. So a worker that
//! has none left gets those of somebody else's oldest step that has some: the steps up to there, and the ways. It performs
//! the steps again, and goes on like the other would have.
//!
//! The result does not depend on who did what. Each way has a path, which says where it comes in the order of a single
//! worker; counts and violations are recorded in pieces that follow each other in that order, and put together in it. If
//! the first violation is to end everything, what comes after it is not counted; and it is the first only when
//! everything before it is done.

use super::{Completion, Early, Frame, MarkOf, Postponed, Search, StepOf, Way};
use crate::Crew;
use crate::core::on_panic::OnPanic;
use crate::core::session::SessionMark;
use crate::{Beyond, Scope, Symmetry};
use crate::{Found, Limit, Session, Statistics};
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_trace::ThreadId;
use selvedge_vm::UnsupportedReached;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Where something comes in the order of a single worker: which way was gone at each step.
pub type Path = Vec<u32>;

/// Comes after everything that was handed over.
const AFTERWARDS: u32 = u32::MAX;

/// A step: its thread, choice and stamp, and whether it was early.
type Taken = (ThreadId, u32, u32, Early);

/// Work for somebody else.
pub struct Task {
    /// The steps to perform first.
    pub steps: Vec<Taken>,
    /// The thread whose node is next.
    pub thread: ThreadId,
    /// What can be done with it.
    pub ways: Vec<Way>,
    /// How many ways there were before these.
    pub skipped: u32,
    /// The stamp of the node, if it is a read that was revisited.
    pub pinned: Option<u32>,
    /// Whether it was not simply the turn of the thread.
    pub fixed: bool,
    /// Whether it accesses an object whose end had to wait for that.
    pub early: Early,
    /// Threads that are postponed.
    pub postponed: Vec<Postponed>,
    /// Where the step comes.
    pub path: Path,
}

/// What was found in one piece of the order.
struct Record {
    path: Path,
    statistics: Statistics,
    found: Vec<Found>,
    limits: Vec<Limit>,
    unsupported: Option<UnsupportedReached>,
}

#[derive(Default)]
struct State {
    tasks: Vec<Task>,
    /// How many workers have nothing to do.
    idle: usize,
    over: bool,
    records: Vec<Record>,
    /// Where the first violation is, of those that are known.
    first: Option<Path>,
}

/// What the workers share.
#[derive(Default)]
pub struct Pool {
    workers: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// How many workers wait for a task that is not there.
    hungry: AtomicUsize,
    /// Whether there is a violation that ends what comes after it.
    found: AtomicBool,
    /// Whether everything ends.
    stopped: AtomicBool,
    /// If somebody came to something beyond the scope: what.
    beyond: OnceLock<Beyond>,
    /// Whether somebody has looked too far ahead ([`Session::looking_ahead`]).
    looked_too_far: AtomicBool,
}

impl Pool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody has nothing to do.
    pub fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Whether what comes at a place need not be looked at any more.
    pub fn is_over(&self, path: &Path) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self.found.load(Ordering::Relaxed)
                && self.state().first.as_ref().is_some_and(|first| first < path)
    }

    /// Hands a task over.
    pub fn give(&self, task: Task) {
        let mut state = self.state();
        state.tasks.push(task);
        self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
        drop(state);
        self.changed.notify_one();
    }

    /// The first task, when there is one; none if nothing is left to do.
    fn take(&self) -> Option<Task> {
        let mut state = self.state();
        state.idle += 1;
        loop {
            if state.over || self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            let first = (0..state.tasks.len())
                .min_by(|one, other| state.tasks[*one].path.cmp(&state.tasks[*other].path));
            if let Some(first) = first {
                let task = state.tasks.swap_remove(first);
                state.idle -= 1;
                self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
                return Some(task);
            }
            if state.idle == self.workers {
                state.over = true;
                self.changed.notify_all();
                return None;
            }
            self.hungry.store(state.idle, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends everything, because something is beyond the scope.
    pub fn give_up(&self, beyond: Beyond) {
        self.beyond.get_or_init(|| beyond);
        self.stop();
    }

    /// Ends everything.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        let _state = self.state();
        self.changed.notify_all();
    }
}

/// Adds the ways that were gone at a step, and at those before it.
pub(super) fn add_ways<M>(frame: &Frame<M>, path: &mut Path) {
    frame.earlier().iter().for_each(|earlier| add_ways(earlier, path));
    path.extend(frame.gone);
}

/// Finds the oldest step that has something left to do: what leads there, where it comes, and its place among the steps,
/// the steps before the one at that place, and so on.
fn find_shareable<M>(
    frames: &[Frame<M>],
    steps: &mut Vec<Taken>,
    path: &mut Path,
    places: &mut Vec<usize>,
) -> bool {
    // A round of a waiting loop may be taken back, and then all its ways are none. It is one thread's.
    let is_settled = |at: usize| {
        let stays =
            |frame: &Frame<M>| frame.thread != frames[at].thread || frame.fixed || frame.before.is_some();
        frames[at..].iter().any(stays)
    };
    for (at, frame) in frames.iter().enumerate() {
        places.push(at);
        let depth = places.len();
        if let Some(before) = &frame.before {
            let (known, length) = (steps.len(), path.len());
            if find_shareable(&before.frames, steps, path, places) {
                return true;
            }
            steps.truncate(known);
            path.truncate(length);
            places.truncate(depth);
        }
        if !frame.ways.is_empty() {
            frame.earlier().iter().for_each(|earlier| add_ways(earlier, path));
            return is_settled(at);
        }
        places.pop();
        add_ways(frame, path);
        steps.push((frame.thread, frame.choice, frame.stamp, frame.early));
    }
    false
}

/// Explores together.
pub fn explore<'i, A: Axioms>(
    session: &mut Session<'_, Axiomatic<'i, A>>,
    crew: &Crew<'_, Axiomatic<'i, A>>,
    scope: Scope,
) -> Completion {
    explore_up_to(session, crew, scope, Symmetry::Ignored).0
}

/// Explores together, perhaps up to exchange of threads that do the same. Also gives the number of such threads.
pub fn explore_up_to<'i, A: Axioms>(
    session: &mut Session<'_, Axiomatic<'i, A>>,
    crew: &Crew<'_, Axiomatic<'i, A>>,
    scope: Scope,
    symmetry: Symmetry,
) -> (Completion, u64) {
    if session.ended_at_start() {
        return (Completion::Ended, 0);
    }
    let pool = Pool { workers: crew.workers, ..Pool::default() };
    let (settings, interrupted) = session.origin();
    let symmetric = std::thread::scope(|threads| {
        for _ in 1..crew.workers {
            let (settings, pool) = (settings.clone(), &pool);
            threads.spawn(move || {
                let Some((system, first)) = (crew.system)() else {
                    // Without a machine of its own it cannot help, but must not be waited for.
                    while pool.take().map(|task| pool.give(task)).is_some() {
                        std::thread::yield_now();
                    }
                    return;
                };
                let mut silent = |_: &Statistics| {};
                let mut session = Session::new(system, first, settings, interrupted, &mut silent);
                session.count_with(crew.tally);
                work(&mut session, pool, scope, symmetry, Start::Tasks);
            });
        }
        work(session, &pool, scope, symmetry, Start::Everything)
    });
    if pool.looked_too_far.load(Ordering::Relaxed) {
        session.look_too_far();
    }
    let mut state = pool.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.records.sort_by(|one, other| one.path.cmp(&other.path));
    for record in state.records {
        let ends = !settings.keep_going && !record.found.is_empty() || record.unsupported.is_some();
        session.absorb(record.statistics, record.found, record.limits, record.unsupported);
        if ends {
            break;
        }
    }
    (pool.beyond.into_inner().map_or(Completion::Ended, Completion::GivenUp), symmetric)
}

/// What a worker begins with.
#[derive(PartialEq, Eq)]
enum Start {
    Everything,
    Tasks,
}

/// Does what there is to do. Gives the number of threads in groups.
fn work<A: Axioms>(
    session: &mut Session<'_, Axiomatic<'_, A>>,
    pool: &Pool,
    scope: Scope,
    symmetry: Symmetry,
    start: Start,
) -> u64 {
    let _guard = OnPanic(|| pool.stop());
    let mark = session.mark();
    let mut search = Search::new(session, Some(pool), scope);
    search.group(symmetry);
    if start == Start::Everything {
        search.run();
        search.record(Vec::new());
    }
    while let Some(task) = pool.take() {
        search.begin(&mark, task);
        search.run();
        search.record(Vec::new());
    }
    search.groups.threads
}

impl<A: Axioms> Search<'_, '_, '_, A> {
    /// Begins a task.
    fn begin(&mut self, mark: &SessionMark<MarkOf<'_, A>>, task: Task) {
        self.frames.clear();
        self.ways.clear();
        self.postponed.clear();
        self.session.rewind(mark);
        let Task { steps, thread, ways, skipped, pinned, fixed, early, postponed, path } = task;
        for (thread, choice, stamp, early) in steps {
            self.fix(thread, &mut None);
            self.again(choice, stamp, early);
        }
        self.postponed = postponed;
        self.base = path.clone();
        self.piece = path;
        self.piece.push(skipped + 1);
        self.fix(thread, &mut None);
        self.ways = ways;
        let end = self.ways.len();
        if let Some(frame) = self.frames.last_mut() {
            (frame.ways, frame.gone) = (0..end, Some(skipped));
            (frame.pinned, frame.fixed, frame.early) = (pinned, fixed, early);
        }
        self.resumes = true;
    }

    /// Hands over what is left to do at the oldest step, if there is any.
    pub(super) fn share(&mut self, pool: &Pool) {
        let (mut steps, mut path, mut places) = (Vec::new(), self.base.clone(), Vec::new());
        if !find_shareable(&self.frames, &mut steps, &mut path, &mut places) {
            return;
        }
        let depth = places[0];
        let mut frame = &mut self.frames[depth];
        for at in &places[1..] {
            let Some(before) = &mut frame.before else { return };
            frame = &mut before.frames[*at];
        }
        let skipped = frame.gone.unwrap_or(0);
        let ways = self.ways[frame.ways.clone()].to_vec();
        frame.ways.start = frame.ways.end;
        frame.shared = true;
        let (thread, pinned, fixed, early) = (frame.thread, frame.pinned, frame.fixed, frame.early);
        let postponed = self.postponed.iter().filter(|postponed| postponed.depth <= depth).cloned().collect();
        pool.give(Task { steps, thread, ways, skipped, pinned, fixed, early, postponed, path });
    }

    /// Where it goes on after a step that has been taken back, and came after all others and these; ways of it were handed
    /// over.
    pub(super) fn path_after(&self, others: &[StepOf<'_, A>], step: &StepOf<'_, A>) -> Path {
        let mut path = self.base.clone();
        self.frames.iter().chain(others).chain(step.earlier()).for_each(|frame| add_ways(frame, &mut path));
        path.push(AFTERWARDS);
        path
    }

    /// Notes what was found so far, and begins a new piece at a place.
    pub(super) fn record(&mut self, next: Path) {
        let path = std::mem::replace(&mut self.piece, next);
        let Some(pool) = self.pool else { return };
        if self.session.has_looked_too_far() {
            pool.looked_too_far.store(true, Ordering::Relaxed);
            pool.stop();
        }
        let statistics = self.session.take_statistics();
        let found = std::mem::take(&mut self.session.found);
        let limits = std::mem::take(&mut self.session.limits_reached);
        let unsupported = self.session.unsupported.take();
        let keep_going = self.session.keeps_going();
        if !found.is_empty() && !keep_going || unsupported.is_some() {
            let mut state = pool.state();
            if state.first.as_ref().is_none_or(|first| path < *first) {
                state.first = Some(path.clone());
            }
            pool.found.store(true, Ordering::Relaxed);
        } else if limits
            .iter()
            .any(|limit| matches!(limit, Limit::Time | Limit::Interrupted | Limit::Executions(_)))
        {
            pool.stop();
        }
        pool.state().records.push(Record { path, statistics, found, limits, unsupported });
    }
}
