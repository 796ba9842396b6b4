//! Runs executions on the machine, and keeps what there is to know about them.

use super::history::{Goal, Miss, SharedExplored};
use super::method::{Host, Job, Method, Repeats, Step};
use super::script::{Ended, Execution, Performed, Script, Writer, end_name, result_woken};
use crate::core::session::SessionMark;
use crate::{Control, Progress, Session, SolverWork, Turn, ViewCounts};
use rustc_hash::FxHashSet;
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use std::sync::Arc;

/// Predicts from executions what would go wrong in others.
pub trait Predictor<S: System> {
    /// Predicts from the present execution, which is over.
    fn predict(&mut self, explorer: &mut Explorer<'_, '_, S>, job: &Job);
}

/// Makes a predictor that has not predicted anything.
pub type NewPredictor<S> = fn() -> Box<dyn Predictor<S>>;

/// Runs executions, and keeps what there is to know about them.
pub(crate) struct Explorer<'e, 's, S: System> {
    /// How executions are searched.
    pub method: &'e dyn Method,
    predictor: Option<Box<dyn Predictor<S>>>,
    /// The session.
    pub session: &'e mut Session<'s, S>,
    writer: Writer,
    /// The states before each step of the present execution.
    marks: Vec<SessionMark<S::Mark>>,
    /// The first step of the present execution before which a thread was stopped because it did not get through an atomic
    /// section, and the state before that.
    stopped: Option<(usize, SessionMark<S::Mark>)>,
    /// Whether a thread of the present execution has stopped in an atomic section in which others had run: no thread goes on.
    is_held_up: bool,
    /// What has been explored.
    pub explored: &'e SharedExplored,
    /// The views so far.
    seen: FxHashSet<u128>,
    /// What was counted.
    pub counts: ViewCounts,
    /// Executions that have yet to be searched.
    pub left: Vec<Job>,
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
        self.explored.has_explored(goal, &mut self.miss)
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
        let Some(ended) = self.go_on(last, progress) else { return Control::Stop };
        if self.is_for_orders() {
            self.counts.by_orders = true;
            return Control::Stop;
        }
        if ended == Ended::Over {
            self.finish();
        }
        let is_new = self.add(ended);
        if ended == Ended::Over && is_new {
            self.predict();
        }
        self.session.control()
    }

    fn begin(&mut self, searches: &mut Vec<(usize, u128)>) {
        self.explored.begin(searches);
    }

    fn agreement(&mut self, goal: &Goal, scripts: &[Arc<Script>], agreed: &mut Vec<u32>) -> bool {
        self.explored.agreement(goal, scripts.iter().map(|script| &*script.histories), agreed)
    }

    fn note(&mut self, work: SolverWork) {
        self.counts.work.add(work);
    }

    fn control(&mut self) -> Control {
        self.session.control()
    }
}

impl<'e, 's, S: System> Explorer<'e, 's, S> {
    pub fn new(
        method: &'e dyn Method,
        predictor: Option<Box<dyn Predictor<S>>>,
        session: &'e mut Session<'s, S>,
        explored: &'e SharedExplored,
    ) -> Self {
        Explorer {
            method,
            predictor,
            session,
            writer: Writer::default(),
            marks: Vec::new(),
            stopped: None,
            is_held_up: false,
            explored,
            seen: FxHashSet::default(),
            counts: ViewCounts::default(),
            left: Vec::new(),
            miss: None,
        }
    }

    /// Predicts from the present execution, which is over, if that is wanted.
    fn predict(&mut self) {
        if let Some(mut predictor) = self.predictor.take() {
            if let Some(job) = self.left.pop() {
                predictor.predict(self, &job);
                self.left.push(job);
            }
            self.predictor = Some(predictor);
        }
    }

    /// Searches one execution after the other.
    pub fn search_alone(&mut self, mut control: Control) -> ViewCounts {
        while control == Control::Continue
            && let Some(job) = self.left.pop()
        {
            control = self.method.search(&job, self);
        }
        self.counts
    }

    /// Whether an execution is still wanted. It counts as explored from now on.
    fn is_wanted(&mut self, goal: &Goal) -> bool {
        match self.method.repeats() {
            Repeats::NewGoals if goal.next.is_some() => self.explored.write().ask_for(goal),
            _ => !self.explored.has_explored(goal, &mut self.miss),
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

    /// Goes to where steps lead; `None` if one of them is blocked, or has another result than expected.
    pub fn go_to(&mut self, steps: &[Step]) -> Option<Progress> {
        let same = steps.iter().enumerate().take_while(|(at, step)| self.writer.step(*at) == Some(**step));
        // A thread that was stopped may have to go on.
        let most = self.stopped.as_ref().map_or(usize::MAX, |(first, _)| *first);
        let same = same.count().min(most);
        self.rewind_to(same);
        self.follow(&steps[same..])
    }

    /// Takes steps; `None` if one of them is blocked, or has another result than expected.
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

    /// Goes on until the execution ends. `None`: it is time to stop.
    pub fn go_on(&mut self, mut last: ThreadId, mut progress: Progress) -> Option<Ended> {
        let mut enabled = Vec::new();
        while progress == Progress::On && !self.is_held_up {
            enabled.clear();
            self.session.enabled(&mut enabled);
            let waits =
                |agent: &Agent| agent.is_thread() && self.writer.waits(&self.session.system, agent.thread());
            let mut agents = enabled.iter();
            let same = enabled.iter().find(|agent| **agent == last).filter(|agent| !waits(agent));
            let Some(next) = same.or_else(|| agents.find(|agent| !waits(agent))) else {
                return Some(Ended::Over);
            };
            last = next.thread();
            progress = self.step(*next, 0);
            if self.session.is_due() && self.session.control() == Control::Stop {
                return None;
            }
        }
        Some(match self.is_held_up && progress == Progress::On {
            true => Ended::Over,
            false => Ended::Early,
        })
    }

    /// The present execution is over. If the system lets threads go on that wait for what another thread has taken since they have
    /// tried to ([`Writer::waits`]), they do so once more for the record, so that its schedule ends where no thread is enabled.
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

    /// The alternative that gives a step its result.
    fn choice(&self, (agent, result): &Step) -> u32 {
        let machine = self.session.system.machine();
        if !agent.is_thread() {
            return 0;
        }
        match machine.pending(agent.thread()) {
            Some(Operation::Choose { .. }) => *result as u32,
            Some(Operation::Sync { op: SyncOp::ConditionSignal, object, .. }) => {
                let waiting = machine.waiters(object);
                let woken = waiting.iter().position(|thread| result_woken(Some(*thread)) == *result);
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

    /// If a thread has stopped for good in an atomic section: no thread may see a part of that. So the others go on as if it had not
    /// begun with it; what it has done there is known nevertheless. If others have run while it could not go on there, and now it
    /// could, then no other thread goes on.
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
    fn add(&mut self, ended: Ended) -> bool {
        let mut explored = self.explored.write();
        let mut execution = self.writer.execution(&self.session.system, &mut explored, ended);
        execution.is_held_up = self.is_held_up;
        let end = end_name(&execution);
        let histories = execution.scripts.iter().flat_map(|script| script.histories.iter().copied());
        let is_new = explored.add(histories, end);
        drop(explored);
        if self.session.is_good() {
            match self.seen.insert(view_of(&execution)) {
                true => self.counts.views += 1,
                false => self.counts.redundant += 1,
            }
        }
        if is_new {
            let steps = if self.method.wants_order() { self.writer.length() } else { 0 };
            let order = (0..steps).filter_map(|at| self.writer.step(at)).map(|step| step.0).collect();
            self.left.push(Job { execution, order });
        }
        is_new
    }
}

/// A name of the view of an execution: the values read, and which threads are blocked for ever.
fn view_of(execution: &Execution) -> u128 {
    execution.scripts.iter().fold(0, |view: u128, script| view.wrapping_add(script.view))
}
