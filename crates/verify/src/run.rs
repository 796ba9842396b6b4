//! Running a plan.

use crate::contradiction::Purpose;
use crate::explore::{Exploration, Explored};
use crate::outcome::{Counterexample, Error, Fault, Outcome, Times, Verdict, timed};
use crate::plan::{Plan, Stage, Why};
use crate::request::{Detail, Request, Wanted};
use crate::systems::{Job, Systems, with};
use crate::verifier::{Verifier, half_way};
use selvedge_explore::Beyond;
use selvedge_explore::Counted;
use selvedge_explore::Estimate;
use selvedge_explore::{Control, Limit, Statistics};
use selvedge_trace::graph::ExecutionGraph;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Estimates the number of executions, for about so long.
pub type Estimating<'e> = &'e mut dyn FnMut(Duration) -> Option<Estimate>;

/// Is told how it goes.
pub trait Observer {
    /// An exploration begins, or begins again from the start: what was told of it before does not count.
    fn begins(&mut self, _: &Stage) {}

    /// So much has been explored. Told between executions, and now and then within long ones. If the explorer is one whose
    /// number of executions can be estimated, so it can be.
    fn progress(&mut self, _: &Statistics, _: Option<Estimating<'_>>) {}

    /// An execution in which something is wrong has ended; if that is to be recorded. Says whether to go on.
    fn violating(&mut self, _: ExecutionGraph) -> Control {
        Control::Continue
    }

    /// The exploration is over.
    fn ends(&mut self) {}
}

/// An observer that is not interested.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Why an exploration does not answer the request.
enum Unfit {
    /// Graphs are not enough for the program.
    Beyond(Beyond),
    /// It came to its limits.
    Limited,
    /// It has found something, but more than that is wanted.
    Known(Box<Outcome>),
}

impl Verifier {
    /// Answers a request.
    pub fn verify(&self, request: &Request) -> Result<Outcome, Error> {
        self.verify_with(request, &mut Silent, &AtomicBool::new(false))
    }

    /// Answers a request. The observer is told how it goes; if `cancel` is set, the answer is what is known by then.
    pub fn verify_with(
        &self,
        request: &Request,
        observer: &mut dyn Observer,
        cancel: &AtomicBool,
    ) -> Result<Outcome, Error> {
        let plan = self.plan_for(request, Purpose::Verify)?;
        let (mut given_up, mut known) = (None, None);
        let mut times = self.times();
        for stage in &plan.stages {
            match self.run_stage(request, &plan, *stage, &mut times, observer, cancel) {
                Ok(Ok(outcome)) => {
                    let answer = settled(Outcome { given_up, ..outcome }, known)?;
                    return Ok(Outcome { times, ..answer });
                }
                Ok(Err(Unfit::Beyond(beyond))) => given_up = Some(beyond),
                Ok(Err(Unfit::Known(outcome))) => known = Some(*outcome),
                Ok(Err(Unfit::Limited)) => {}
                // Code for graphs may be impossible where code for steps is not.
                Err(Error::Load(_)) if stage.why.is_trial() => {}
                Err(error) => return Err(error),
            }
        }
        Err(Fault::GivenUp.into())
    }

    fn run_stage(
        &self,
        request: &Request,
        plan: &Plan,
        stage: Stage,
        times: &mut Times,
        observer: &mut dyn Observer,
        cancel: &AtomicBool,
    ) -> Result<Result<Outcome, Unfit>, Error> {
        let is_trial = stage.why.is_trial();
        let deadline = request.limits.deadline;
        let exploration = Exploration {
            request,
            plan,
            stage,
            wanted: if is_trial { Wanted::First } else { request.wanted },
            deadline: if is_trial { deadline.map(half_way) } else { deadline },
            verifier: self,
            start: timed(&mut times.front_end, || self.start(request, stage.explorer))?,
            cancel,
        };
        let job = Running { exploration, times, observer };
        with(plan.model, stage.explores(), request.properties.sequences, job)
    }
}

/// The outcome of the last stage, given what one before it has found: if that comes to a limit before it has found anything, what
/// is known is the answer.
fn settled(last: Outcome, known: Option<Outcome>) -> Result<Outcome, Error> {
    match known {
        Some(_) if last.violations.is_empty() && last.limits.is_empty() => {
            Err(Fault::GraphsAgainstSteps.into())
        }
        Some(known) if last.violations.is_empty() => Ok(known),
        _ => Ok(last),
    }
}

struct Running<'a, 'o> {
    exploration: Exploration<'a>,
    times: &'o mut Times,
    observer: &'o mut dyn Observer,
}

impl Job<Result<Result<Outcome, Unfit>, Error>> for Running<'_, '_> {
    fn run<M: Systems>(self, systems: M) -> Result<Result<Outcome, Unfit>, Error> {
        let exploration = &self.exploration;
        let explored = timed(&mut self.times.exploration, || exploration.explore(systems, self.observer))?;
        if explored.has_diverged && explored.found.is_empty() {
            return Err(Fault::Diverged.into());
        }
        if exploration.stage.why.is_trial() {
            if let Some(unfit) = exploration.is_unfit(&explored) {
                return Ok(Err(unfit));
            }
        } else if let (Some(reached), true) = (&explored.unsupported, explored.found.is_empty()) {
            return Err(Error::Unsupported(Box::new(reached.clone())));
        }
        let examine = || match (exploration.request.detail, exploration.stage.why.is_trial()) {
            (Detail::AsFound, _) => Ok(exploration.as_found(systems, &explored.found)),
            (Detail::Told, true) => exploration.examine_by_steps(systems, &explored.found),
            (Detail::Told, false) => exploration.examine(systems, &explored.found),
        };
        let violations = timed(&mut self.times.minimising, examine)?;
        let is_answer = exploration.stage.why.counts() || violations.is_empty();
        let outcome = exploration.outcome(explored, violations);
        Ok(if is_answer { Ok(outcome) } else { Err(Unfit::Known(Box::new(outcome))) })
    }
}

impl Exploration<'_> {
    /// Why a trial does not answer the request, before it is looked at what it has found.
    fn is_unfit(&self, explored: &Explored) -> Option<Unfit> {
        let Explored { counted, found, limits, unsupported, .. } = explored;
        // Who cancels the trial means all of it.
        let is_cancelled = self.cancel.load(Ordering::Relaxed);
        // What one of several workers has found by then depends on who was faster; what steps find does not.
        let is_given_up = limits.contains(&Limit::Interrupted) && !is_cancelled;
        match counted {
            Counted::TooLittle(beyond) => return Some(Unfit::Beyond(*beyond)),
            _ if is_given_up => return Some(Unfit::Limited),
            _ if !found.is_empty() => return None,
            _ => {}
        }
        // Otherwise it has used up its time, or bounds were reached.
        let is_limited = !limits.is_empty() && !is_cancelled;
        (unsupported.is_some() || is_limited).then_some(Unfit::Limited)
    }

    fn outcome(&self, explored: Explored, violations: Vec<Counterexample>) -> Outcome {
        let Explored { statistics, counted, found, limits, has_diverged, graph, .. } = explored;
        let verdict = Verdict::of(&found, &limits);
        let about = self.stage.explorer.about();
        let bounded_name = about.bounded_name.filter(|_| self.request.options.preemptions.is_some());
        Outcome {
            verdict,
            is_vacuous: statistics.executions == 0 && matches!(verdict, Verdict::Verified | Verdict::Bounded),
            limits,
            statistics,
            counted,
            model: self.plan.model,
            model_because: self.plan.model_because,
            stage: self.stage,
            explorer_name: bounded_name.unwrap_or(about.name),
            given_up: None,
            violations,
            graph,
            has_diverged: has_diverged && self.request.wanted == Wanted::All,
            times: Times::default(),
        }
    }
}

impl Why {
    /// Whether what a stage has found is the answer.
    pub fn counts(self) -> bool {
        self != Why::SoonerIfRight
    }
}
