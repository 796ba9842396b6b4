//! View-equivalence: one execution for each combination of values that are read.
//!
//! Two executions have the same *view* if the same reads return the same values. Threads cannot tell them apart, so an
//! assertion that fails in one fails in the other. On programs that write few different values there are far fewer views
//! than orders of dependent operations. The idea, the name and the benchmarks are those of ViEqui (Sanjana Singh:
//! Program Analysis under Relaxed Memory Concurrency, thesis, IIT Delhi 2023, chapter 4): run an execution, find out
//! which reads could have returned something else (its backward analysis), and go on from there with a sequence of
//! events that makes them (its directive), unless that was explored (its summary).
//!
//! # Departure
//!
//! The thesis keeps directives at states of the present execution and requires of their *coherent union* that no class
//! is lost and none comes twice; how to build it is left open, as are locks, blocking, thread creation and
//! everything else that is not a load or store. Here there are no directives that wait to be explored. What has been explored
//! is a set of views ([`views`]), and the analysis of an execution ([`search`]) asks of each thing that it finds whether
//! some view has it already. If not, it is explored at once. So an execution is run only if its view is new.
//!
//! # Why nothing is missed
//!
//! A thread is a function of what it is told ([`script`]): values, results, that a blocking operation went through. Let
//! `E` be an execution, as a sequence of events. Of all explored executions take the one, `X`, in which the longest
//! beginning `D` of `E` happened, in whatever order: each thread has been told there what it has been told in `D`. If `D`
//! is not all of `E`, let `q` be the next event of `E`. The thread of `q` comes to it in `X`, too. Nobody went on in the end,
//! so in `X` it was told something else, or could not go on. But there is an order of events of `X`, namely `D`, after
//! which it could have been told what it is told in `E`. The search goes through all orders of events of `X`, with
//! everybody being told the same, and sees to it that an execution is explored in which all of `D`, or more of `X`, has
//! happened and `q` was told that. This has a longer beginning of `E`; a contradiction. So each `E` is explored, but for the
//! order of its events; and if `E` ends with threads that are blocked for ever, the search comes to this state as one of the
//! orders of `X`, and explores that as well.
//!
//! The search is one for each `q`, and what it finds does not depend on what the thread of `q` has done in `X` from there on;
//! so it is done for one of the executions that agree on the rest. It leaves most orders out, and says why that loses nothing.
//! One thing that would: to perform a write at once because it changes nothing. In `x = 0 || x = 1 || read x; read x` (and
//! `x` is 0 at first) the reads return 1 and then 0 only if the first write waits for the second.
//!
//! # Atomic sections that are not got through
//!
//! Nobody may see half of an atomic section. If a thread stops in one for good (an assumption does not hold, a bound is reached,
//! something is wrong), the execution is `E` with that at its end. But then nobody else would have gone on, and `X` has to go on as
//! far as it can. So the section is taken back, and the others go on as if its thread had stopped before it; what the thread did
//! there stays in its script, as something after which nobody else can do anything. If others have run while the thread had
//! to wait in the section, and now it could go on, nothing can be taken back: `X` is over, and what the others would have done
//! next is looked for like something that was not possible.
//!
//! # Why nothing comes twice
//!
//! An execution is explored only if no view so far contains its beginning. Whom a signal wakes is told to nobody, but makes
//! a difference to the search; so in programs with condition variables executions that differ in that may have the same
//! view, which is counted as redundant. With locks, semaphores, barriers, atomic sections, creating and joining threads
//! there is nothing redundant.
//!
//! # Orders first
//!
//! Where no two orders of dependent operations have the same view, there is nothing to be gained by asking for views, and it
//! costs something. So that is where an exploration begins: with [`optimal`], as long as no view comes twice ([`Distinct`]).
//! If it comes to its end, each view was explored, and none twice. Otherwise all of it is forgotten, and the exploration begins
//! again, with views. This takes little: what was forgotten are no more executions than there are views, and mostly just a few.
//! Executions that are wrong, cut or blocked, and what has results that are more than a value (condition variables, barriers,
//! copies), are left to views at once.
//!
//! [`Distinct`]: crate::core::distinct::Distinct
//!
//! # What is not preserved
//!
//! Data races are not looked for: whether two accesses are ordered is not told by what is read. Deadlocks are found, and so are
//! waits without end. Everything that a thread notices is: assertions, wrong use of memory and locks.
//!
//! All views so far are kept, so memory grows with their number, unlike that of [`crate::steps::dpor`].

pub(crate) mod bounds;
mod crew;
mod left;
pub(crate) mod script;
pub(crate) mod search;
mod sections;
pub(crate) mod stuck;
pub(crate) mod views;

use crate::Crew;
use crate::core::session::SessionMark;
use crate::steps::dpor::optimal;
use crate::views::mcr;
use crate::views::mcr::Predicted;
use crate::{About, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Progress, Session, Turn};
use crate::{SolverWork, ViewCounts};
use rustc_hash::FxHashSet;
use script::{Execution, Performed, Script, Writer};
use search::{Host, Step};
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use std::sync::{Arc, PoisonError, RwLock};
use views::{Goal, Miss, Views};

/// An execution, to be searched.
pub(crate) struct Job {
    /// The execution.
    pub execution: Execution,
    /// Who took its steps, in order; if the method wants to know.
    pub order: Vec<Agent>,
}

/// How the executions are searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Method {
    /// Searches one.
    pub run: fn(&Job, u64, &mut dyn Host) -> Control,
    /// How many states it may look at before it asks a solver, if it does.
    pub patience: u64,
    /// Whether it wants to know the order of steps.
    pub wants_order: bool,
    /// Whether what an explored execution contains is not explored again. Otherwise it is unless the same was asked for.
    pub is_frugal: bool,
}

/// This one.
const METHOD: Method = Method { run: search, patience: u64::MAX, wants_order: false, is_frugal: true };

fn search(job: &Job, _: u64, host: &mut dyn Host) -> Control {
    search::run(&job.execution, host)
}

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "vieq",
    help: "One execution for each combination of values that are read (does not look for data races)",
    text: "\
         view-equivalence, for sc, tso and pso: one execution for each combination of values that are read. Where\n\
         few different values are written (flags, states of a protocol) these are far fewer than\n\
         the orders that `optimal` explores. Finds what threads can notice: failed assertions, wrong\n\
         use of memory and locks; also deadlocks and waits without end. Does not look for data\n\
         races. Keeps all views in memory. Several --workers.",
    explores: Explores::Steps,
    workers: Workers::Several,
    tells_apart: Equivalence::Views,
    robustness: Finds::Never,
    promise: Promise::Views,
    counts: Counting::Views,
    accepts: &[],
    bounded_name: None,
};

/// Explores as it is told. The search knows no store buffers; the solver does.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    Counted::Views(match S::BUFFERED {
        true => mcr::explore_switching(task.session, task.workers, false, mcr::PATIENCE),
        false => {
            let (session, crew) = task.crew();
            explore(session, &crew)
        }
    })
}

/// Explores; the result does not depend on the number of workers.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) -> ViewCounts {
    explore_after_orders(METHOD, session, crew)
}

/// Explores orders as long as they have different views, and then views.
pub(crate) fn explore_after_orders<S: System>(
    method: Method,
    session: &mut Session<'_, S>,
    crew: &Crew<'_, S>,
) -> ViewCounts {
    if session.ended_at_start() {
        return ViewCounts { views: session.statistics.executions, ..ViewCounts::default() };
    }
    let start = session.mark();
    if let Some(counts) = explore_orders(session, crew, &start) {
        return counts;
    }
    let counts = explore_once(method, None, session, crew.workers);
    if crew.workers == 1 || session.found.is_empty() {
        return counts;
    }
    // Which violation comes first depends on who was faster. With one worker it does not.
    session.begin_again(&start);
    explore_after_orders(method, session, &Crew { workers: 1, ..*crew })
}

/// Predicts from an execution.
pub(crate) type Predict<S> = fn(&mut Explorer<'_, '_, S>, &Job);

/// Explores views by another method.
pub(crate) fn explore_by<S: System>(
    method: Method,
    predict: Option<Predict<S>>,
    session: &mut Session<'_, S>,
    workers: usize,
) -> ViewCounts {
    if session.ended_at_start() {
        return ViewCounts { views: session.statistics.executions, ..ViewCounts::default() };
    }
    let start = session.mark();
    let counts = explore_once(method, predict, session, workers);
    if workers == 1 || session.found.is_empty() {
        return counts;
    }
    session.begin_again(&start);
    explore_once(method, predict, session, 1)
}

fn explore_once<S: System>(
    method: Method,
    predict: Option<Predict<S>>,
    session: &mut Session<'_, S>,
    workers: usize,
) -> ViewCounts {
    let start = session.mark();
    let views = RwLock::default();
    let mut explorer = Explorer::new(method, predict, session, &views);
    let control = explorer.explore(&Goal::default(), &[]);
    let counts = match control == Control::Stop || workers == 1 {
        true => explorer.search_alone(control),
        false => {
            crew::work_together(&mut explorer, workers);
            explorer.counts
        }
    };
    if !counts.by_orders {
        return counts;
    }
    session.begin_again(&start);
    optimal::explore(session);
    ViewCounts { views: session.statistics.executions, by_orders: true, ..ViewCounts::default() }
}

/// Explores orders of dependent operations, as long as no two of them have the same view; `None` if there are two, and the
/// session is back at the start.
fn explore_orders<S: System>(
    session: &mut Session<'_, S>,
    crew: &Crew<'_, S>,
    start: &SessionMark<S::Mark>,
) -> Option<ViewCounts> {
    let distinct = Arc::default();
    session.tell_apart(Some(&distinct));
    match crew.workers {
        1 => optimal::explore(session),
        _ => optimal::explore_together(session, crew),
    }
    session.tell_apart(None);
    if distinct.is_over() {
        session.begin_again(start);
        return None;
    }
    let views = match session.found.is_empty() {
        true => distinct.count() as u64,
        // One that is wrong has a view as well.
        false => session.statistics.executions,
    };
    Some(ViewCounts { views, ..ViewCounts::default() })
}

/// Runs executions, and keeps what there is to know about them.
pub(crate) struct Explorer<'e, 's, S: System> {
    method: Method,
    predict: Option<Predict<S>>,
    /// What has been predicted.
    pub predicted: Predicted,
    /// The session.
    pub session: &'e mut Session<'s, S>,
    writer: Writer,
    /// The states before each step of the present execution.
    marks: Vec<SessionMark<S::Mark>>,
    /// The first step of the present execution before which a thread was stopped because it did not get through an atomic
    /// section, and the state before that.
    stopped: Option<(usize, SessionMark<S::Mark>)>,
    /// Whether a thread of the present execution has stopped in an atomic section in which others had run: nobody goes on.
    is_held_up: bool,
    views: &'e RwLock<Views>,
    /// The views so far.
    seen: FxHashSet<u128>,
    /// What was counted.
    pub counts: ViewCounts,
    /// Executions that have yet to be searched.
    left: Vec<Job>,
    miss: Miss,
}

impl<S: System> Explorer<'_, '_, S> {
    /// Whether something has happened that scripts do not have: see [`ViewCounts::by_orders`].
    fn is_for_orders(&self) -> bool {
        self.writer.is_beyond_scripts()
    }
}

impl<S: System> Host for Explorer<'_, '_, S> {
    fn has_explored(&mut self, goal: &Goal) -> bool {
        has_explored(self.views, goal, &mut self.miss)
    }

    fn explore(&mut self, goal: &Goal, steps: &[Step]) -> Control {
        if !self.is_wanted(goal) {
            return self.session.control();
        }
        let Some(progress) = self.go_to(steps) else {
            self.counts.by_orders = self.is_for_orders();
            self.counts.diverged = !self.counts.by_orders;
            return Control::Stop;
        };
        let last = steps.last().map_or(ThreadId::MAIN, |step| step.0.thread());
        let Some(is_over) = self.go_on(last, progress) else { return Control::Stop };
        if self.is_for_orders() {
            self.counts.by_orders = true;
            return Control::Stop;
        }
        if is_over {
            self.finish();
        }
        let is_new = self.add(is_over);
        if let Some(predict) = self.predict
            && is_over
            && is_new
            && let Some(job) = self.left.pop()
        {
            predict(self, &job);
            self.left.push(job);
        }
        self.session.control()
    }

    fn begin(&mut self, searches: &mut Vec<(usize, u128)>) {
        begin(self.views, searches);
    }

    fn agreement(&mut self, goal: &Goal, scripts: &[Arc<Script>], agreed: &mut Vec<u32>) -> bool {
        agreement(self.views, goal, scripts, agreed)
    }

    fn note(&mut self, work: SolverWork) {
        self.counts.work.add(work);
    }

    fn control(&mut self) -> Control {
        self.session.control()
    }
}

/// Notes that searches have been begun; leaves those that were not before.
fn begin(views: &RwLock<Views>, searches: &mut Vec<(usize, u128)>) {
    {
        let views = views.read().unwrap_or_else(PoisonError::into_inner);
        searches.retain(|(_, search)| !views.has_begun(*search));
    }
    if !searches.is_empty() {
        let mut views = views.write().unwrap_or_else(PoisonError::into_inner);
        searches.retain(|(_, search)| views.begin(*search));
    }
}

/// Whether a goal has been explored.
fn has_explored(views: &RwLock<Views>, goal: &Goal, miss: &mut Miss) -> bool {
    let (explored, name) = views.read().unwrap_or_else(PoisonError::into_inner).has_explored(goal, miss);
    if let (true, Some(name)) = (explored, name) {
        views.write().unwrap_or_else(PoisonError::into_inner).note(name);
    }
    explored
}

/// If an execution contains a goal: how far it agrees with each script.
fn agreement(views: &RwLock<Views>, goal: &Goal, scripts: &[Arc<Script>], agreed: &mut Vec<u32>) -> bool {
    views.read().unwrap_or_else(PoisonError::into_inner).agreement(goal, scripts, agreed)
}

impl<'e, 's, S: System> Explorer<'e, 's, S> {
    fn new(
        method: Method,
        predict: Option<Predict<S>>,
        session: &'e mut Session<'s, S>,
        views: &'e RwLock<Views>,
    ) -> Self {
        Explorer {
            method,
            predict,
            predicted: Predicted::default(),
            session,
            writer: Writer::default(),
            marks: Vec::new(),
            stopped: None,
            is_held_up: false,
            views,
            seen: FxHashSet::default(),
            counts: ViewCounts::default(),
            left: Vec::new(),
            miss: None,
        }
    }

    /// Searches one execution after the other.
    fn search_alone(&mut self, mut control: Control) -> ViewCounts {
        while control == Control::Continue
            && let Some(job) = self.left.pop()
        {
            control = (self.method.run)(&job, self.method.patience, self);
        }
        self.counts
    }

    /// Whether an execution is still wanted. If it is, it will have been explored when this is asked again.
    fn is_wanted(&mut self, goal: &Goal) -> bool {
        match self.method.is_frugal || goal.told.is_none() {
            true => !has_explored(self.views, goal, &mut self.miss),
            false => self.views.write().unwrap_or_else(PoisonError::into_inner).ask_for(goal),
        }
    }

    /// Goes back to the state before a step of the present execution.
    pub fn rewind_to(&mut self, step: usize) {
        let stopped = self.stopped.take_if(|(first, _)| step <= *first);
        let mark = match &stopped {
            Some((first, mark)) if *first == step => Some(mark),
            _ => self.marks.get(step),
        };
        if let Some(mark) = mark {
            self.session.rewind(mark);
            self.marks.truncate(step);
            self.writer.rewind(step);
            self.is_held_up = false;
        }
    }

    /// Goes to where steps lead that are expected to be possible; `None` if they are not, or threads are told something else.
    pub fn go_to(&mut self, steps: &[Step]) -> Option<Progress> {
        let same = steps.iter().enumerate().take_while(|(at, step)| self.writer.step(*at) == Some(**step));
        // Who was stopped may have to go on.
        let most = self.stopped.as_ref().map_or(usize::MAX, |(first, _)| *first);
        let same = same.count().min(most);
        self.rewind_to(same);
        self.follow(&steps[same..])
    }

    /// Takes steps that are expected to be possible; `None` if they are not, or threads are told something else.
    fn follow(&mut self, steps: &[Step]) -> Option<Progress> {
        for step in steps {
            if !self.session.system.is_enabled(step.0) {
                return None;
            }
            let choice = self.choice(step);
            if self.take_step(step.0, choice) == Progress::Ended {
                return Some(Progress::Ended);
            }
            if self.writer.step(self.writer.length() - 1) != Some(*step) {
                return None;
            }
            self.leave_section(step.0);
        }
        Some(Progress::On)
    }

    /// Goes on until nobody can, or the execution is ended for another reason: gives which. `None`: it is time to stop.
    pub fn go_on(&mut self, mut last: ThreadId, mut progress: Progress) -> Option<bool> {
        let mut enabled = Vec::new();
        while progress == Progress::On && !self.is_held_up {
            enabled.clear();
            self.session.enabled(&mut enabled);
            let waits =
                |agent: &Agent| agent.is_thread() && self.writer.waits(&self.session.system, agent.thread());
            let mut agents = enabled.iter();
            let same = enabled.iter().find(|agent| **agent == last).filter(|agent| !waits(agent));
            let Some(next) = same.or_else(|| agents.find(|agent| !waits(agent))) else { return Some(true) };
            last = next.thread();
            progress = self.step(*next, 0);
            if self.session.is_due() && self.session.control() == Control::Stop {
                return None;
            }
        }
        Some(self.is_held_up && progress == Progress::On)
    }

    /// The present execution is over. If the system lets threads go on that wait for what somebody else has taken since they have
    /// tried to ([`Writer::waits`]), they do so once more for the record, so that its schedule ends where nobody can go on.
    fn finish(&mut self) {
        let mut enabled = Vec::new();
        self.session.enabled(&mut enabled);
        if enabled.is_empty() || self.is_held_up {
            return self.session.finish();
        }
        let mark = self.session.mark();
        let mut progress = Progress::On;
        while progress == Progress::On
            && let Some(agent) = enabled.first()
        {
            self.session.mark();
            progress = self.session.step_through(Turn { agent: *agent, choice: 0 });
            self.session.enabled(&mut enabled);
        }
        if progress == Progress::On {
            self.session.finish();
        }
        self.session.rewind(&mark);
    }

    /// The alternative that makes a thread be told something.
    fn choice(&self, (agent, told): &Step) -> u32 {
        let machine = self.session.system.machine();
        if !agent.is_thread() {
            return 0;
        }
        match machine.pending(agent.thread()) {
            Some(Operation::Choose { .. }) => *told as u32,
            Some(Operation::Sync { op: SyncOp::ConditionSignal, object, .. }) => {
                let waiting = machine.waiters(object);
                let woken = waiting.iter().position(|thread| 1 + thread.number() as u64 == *told);
                woken.unwrap_or(0) as u32
            }
            _ => 0,
        }
    }

    /// Takes a step.
    pub fn step(&mut self, agent: Agent, choice: u32) -> Progress {
        let progress = self.take_step(agent, choice);
        if progress == Progress::On {
            self.leave_section(agent);
        }
        progress
    }

    fn take_step(&mut self, agent: Agent, choice: u32) -> Progress {
        self.marks.push(self.session.mark());
        if !agent.is_thread() {
            self.writer.before_arrival(&self.session.system, agent);
            let progress = self.session.step_through(Turn { agent, choice });
            self.writer.after_arrival(agent);
            return progress;
        }
        let thread = agent.thread();
        self.writer.before(&self.session.system, thread);
        let progress = self.session.step_through(Turn { agent, choice });
        let woken = self.session.woken();
        let step = Performed { thread, choice, woken, published: self.session.published() };
        self.writer.after(&self.session.system, &step);
        progress
    }

    /// If a thread has stopped for good in an atomic section: nobody may see a part of that. So the others go on as if it had not
    /// begun with it; what it has done there is known nevertheless. If others have run while it could not go on there, and now it
    /// could, then nobody else goes on.
    fn leave_section(&mut self, agent: Agent) {
        let thread = agent.thread();
        if !agent.is_thread() || !self.session.system.machine().is_stopped_in_section(thread) {
            return;
        }
        let Some(first) = self.writer.start_of_section(thread) else {
            self.is_held_up = true;
            return;
        };
        if let Some(mark) = self.marks.drain(first..).next() {
            self.session.take_back(&mark, thread);
            self.writer.take_back(thread, first);
            self.stopped.get_or_insert((first, mark));
        }
    }

    /// Adds the present execution. False if one has ended the same way.
    fn add(&mut self, is_over: bool) -> bool {
        let mut views = self.views.write().unwrap_or_else(PoisonError::into_inner);
        let mut execution = self.writer.execution(&self.session.system, &mut views, is_over);
        execution.is_held_up = self.is_held_up;
        let end = search::end_name(&execution);
        let histories = execution.scripts.iter().flat_map(|script| script.histories.iter().copied());
        let is_new = views.add(histories, end);
        drop(views);
        if self.session.is_good() {
            match self.seen.insert(view_of(&execution)) {
                true => self.counts.views += 1,
                false => self.counts.redundant += 1,
            }
        }
        if is_new {
            let steps = if self.method.wants_order { self.writer.length() } else { 0 };
            let order = (0..steps).filter_map(|at| self.writer.step(at)).map(|step| step.0).collect();
            self.left.push(Job { execution, order });
        }
        is_new
    }
}

/// A name of the view of an execution: what was read, and who is stuck.
fn view_of(execution: &Execution) -> u128 {
    execution.scripts.iter().fold(0, |view: u128, script| view.wrapping_add(script.view))
}
