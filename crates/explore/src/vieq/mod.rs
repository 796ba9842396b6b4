//! View-equivalence: one execution for each combination of values that are read.
//!
//! (Essay to follow.)

mod script;
mod search;
mod views;

use crate::session::SessionMark;
use crate::{Control, Progress, Session, Turn};
use rustc_hash::FxHashSet;
use script::{Execution, Performed, Writer};
use search::{Host, Search, Step};
use selvedge_memory::System;
use selvedge_trace::{Agent, Operation, SyncOp, ThreadId};
use views::Views;

/// In a view: the thread is stuck.
const STUCK: u64 = u64::MAX;

/// What an exploration has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Different views.
    pub views: u64,
    /// Executions whose view had been explored.
    pub redundant: u64,
    /// Whether an execution went another way than was expected: then nothing is certain.
    pub diverged: bool,
}

/// Explores.
pub fn explore<S: System>(session: &mut Session<'_, S>) -> Counts {
    if session.ended_at_start() {
        return Counts { views: session.statistics.executions, ..Counts::default() };
    }
    let mut explorer = Explorer {
        session,
        writer: Writer::default(),
        marks: Vec::new(),
        views: Views::default(),
        seen: FxHashSet::default(),
        counts: Counts::default(),
        left: Vec::new(),
    };
    let mut control = explorer.explore(&[]);
    while control == Control::Continue
        && let Some(execution) = explorer.left.pop()
    {
        control = Search::new(&execution).run(&mut explorer);
    }
    explorer.counts
}

struct Explorer<'e, 's, S: System> {
    session: &'e mut Session<'s, S>,
    writer: Writer,
    /// The states before each step of the present execution.
    marks: Vec<SessionMark<S::Mark>>,
    views: Views,
    /// The views so far.
    seen: FxHashSet<u128>,
    counts: Counts,
    /// Executions that have yet to be searched.
    left: Vec<Execution>,
}

impl<S: System> Host for Explorer<'_, '_, S> {
    fn views(&mut self) -> &mut Views {
        &mut self.views
    }

    fn explore(&mut self, steps: &[Step]) -> Control {
        let same = steps.iter().enumerate().take_while(|(at, step)| self.writer.step(*at) == Some(**step));
        let same = same.count();
        if let Some(mark) = self.marks.get(same) {
            self.session.rewind(mark);
            self.marks.truncate(same);
            self.writer.rewind(same);
        }
        let mut progress = Progress::On;
        for step in &steps[same..] {
            if !self.session.system.is_enabled(step.0.into()) {
                self.counts.diverged = true;
                return Control::Stop;
            }
            let choice = self.choice(step);
            progress = self.step(step.0, choice);
            if progress == Progress::Ended {
                break;
            }
            if self.writer.step(self.writer.length() - 1) != Some(*step) {
                self.counts.diverged = true;
                return Control::Stop;
            }
        }
        let mut last = steps.last().map_or(ThreadId::MAIN, |step| step.0);
        let mut enabled = Vec::new();
        while progress == Progress::On {
            enabled.clear();
            self.session.enabled(&mut enabled);
            let Some(next) = enabled.iter().find(|agent| **agent == last).or(enabled.first()) else { break };
            last = next.thread();
            progress = self.step(last, 0);
            if self.session.is_due() && self.session.control() == Control::Stop {
                return Control::Stop;
            }
        }
        let is_over = progress == Progress::On;
        if is_over {
            self.session.finish();
        }
        self.add(is_over);
        self.session.control()
    }

    fn control(&mut self) -> Control {
        self.session.control()
    }
}

impl<S: System> Explorer<'_, '_, S> {
    /// The alternative that makes a thread be told something.
    fn choice(&self, (thread, told): &Step) -> u32 {
        let machine = self.session.system.machine();
        match machine.pending(*thread) {
            Some(Operation::Choose { .. }) => *told as u32,
            Some(Operation::Sync { op: SyncOp::ConditionSignal, object, .. }) => {
                let waiting = machine.waiters(object);
                let woken = waiting.iter().position(|thread| 1 + thread.number() as u64 == *told);
                woken.unwrap_or(0) as u32
            }
            _ => 0,
        }
    }

    fn step(&mut self, thread: ThreadId, choice: u32) -> Progress {
        self.marks.push(self.session.mark());
        self.writer.before(&self.session.system, thread);
        let progress = self.session.step_through(Turn { agent: Agent::from(thread), choice });
        let step =
            Performed { thread, choice, woken: self.session.woken(), published: self.session.published() };
        self.writer.after(&self.session.system, &step);
        progress
    }

    /// Adds the present execution.
    fn add(&mut self, is_over: bool) {
        let execution = self.writer.execution(&self.session.system, &mut self.views, is_over);
        let end = search::end_name(&execution);
        let histories = execution.scripts.iter().flat_map(|script| script.histories.iter().copied());
        let is_new = self.views.add(histories, end);
        let mut view = 0_u128;
        for script in &execution.scripts {
            let performed = script.actions[..script.performed].iter().enumerate();
            let place = |at: usize| (script.thread.number() as u64) << 32 | at as u64;
            for (at, action) in performed.filter(|(_, action)| action.is_viewed()) {
                view = view.wrapping_add(script::name(place(at), action.told));
            }
            if script.actions.len() > script.performed {
                // It is stuck here.
                view = view.wrapping_add(script::name(place(script.performed), STUCK));
            }
        }
        if self.session.is_good() {
            match self.seen.insert(view) {
                true => self.counts.views += 1,
                false => self.counts.redundant += 1,
            }
        }
        if is_new {
            self.left.push(execution);
        }
    }
}
