//! One exploration: a stage of a plan.

use crate::linearise::as_steps;
use crate::outcome::{Counterexample, Error, Fault};
use crate::plan::{Plan, Stage};
use crate::record;
use crate::request::{Request, Wanted};
use crate::run::Observer;
use crate::scout::Scout;
use crate::systems::{InOrder, Recorder, Start, Systems};
use crate::verifier::Verifier;
use selvedge_check::Violation;
use selvedge_explore::Estimate;
use selvedge_explore::steps::minimise;
use selvedge_explore::{Beyond, Scope};
use selvedge_explore::{Choice, Counted, Explorer, Explores, Symmetry, Task};
use selvedge_explore::{Control, Found, Limit, Limits, Session, Settings, Statistics, Tally, ViewCounts};
use selvedge_program::identity;
use selvedge_trace::Turn;
use selvedge_trace::execution::Execution;
use selvedge_trace::graph::ExecutionGraph;
use selvedge_vm::{FaultKind, UnsupportedReached};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// An exploration that is about to begin.
pub(crate) struct Exploration<'a> {
    /// What is asked.
    pub request: &'a Request,
    /// The plan that this is a part of.
    pub plan: &'a Plan,
    /// Which part.
    pub stage: Stage,
    /// How many violations are wanted of this stage.
    pub wanted: Wanted,
    /// When this stage has to be done.
    pub deadline: Option<Instant>,
    /// The program.
    pub verifier: &'a Verifier,
    /// What systems start from.
    pub start: Start<'a>,
    /// Is set when somebody has lost interest.
    pub cancel: &'a AtomicBool,
}

/// What an exploration gave.
pub(crate) struct Explored {
    /// Counts.
    pub statistics: Statistics,
    /// What was counted besides.
    pub counted: Counted,
    /// What is wrong.
    pub found: Vec<Found>,
    /// What was reached.
    pub limits: Vec<Limit>,
    /// Something unsupported that was reached.
    pub unsupported: Option<UnsupportedReached>,
    /// Whether an execution went another way than was expected.
    pub has_diverged: bool,
    /// The graph of the first violation, if that was asked for.
    pub graph: Option<ExecutionGraph>,
}

impl Exploration<'_> {
    /// Whether all violations are collected.
    fn keeps_going(&self) -> bool {
        self.wanted == Wanted::All || self.request.record.has_all()
    }

    /// Which executions are explored, if they are graphs.
    fn scope(&self) -> Scope {
        if self.stage.why.is_trial() { Scope::Orders } else { Scope::Any }
    }

    fn settings(&self) -> Settings {
        // For those that sample it is not a limit but what to do.
        let samples = self.stage.explorer.about().accepts(Choice::Samples);
        let executions = self.request.limits.executions.filter(|_| !samples);
        let limits = Limits { executions, deadline: self.deadline };
        Settings { keep_going: self.keeps_going(), limits, ..self.request.settings(self.stage.explorer) }
    }

    /// Explores, and begins again if locations of graphs have to be cut.
    pub(crate) fn explore<M: Systems>(
        &self,
        systems: M,
        observer: &mut dyn Observer,
    ) -> Result<Explored, Error> {
        loop {
            let explored = self.attempt(systems, observer)?;
            let cuts = explored.unsupported.as_ref().map(|reached| reached.cuts.as_slice());
            match cuts {
                Some(cuts) if !cuts.is_empty() && (explored.found.is_empty() || self.keeps_going()) => {
                    // Accesses that are several nodes count as several, if nothing keeps others from coming in between.
                    let races = &self.request.properties.allowed;
                    if self.stage.why.is_trial() && races.contains(&FaultKind::DataRace) {
                        let counted = Counted::TooLittle(Beyond::Operation);
                        return Ok(Explored { counted, unsupported: None, ..explored });
                    }
                    systems.cut(cuts);
                }
                _ => return Ok(explored),
            }
        }
    }

    fn attempt<M: Systems>(&self, systems: M, observer: &mut dyn Observer) -> Result<Explored, Error> {
        observer.begins(&self.stage);
        let observer = RefCell::new(observer);
        let enough = AtomicBool::new(false);
        // A stage that has no time limit, and is not the last, might go on for ever.
        let is_scouted = self.stage.why.is_trial() && self.deadline.is_none();
        let mut scout = is_scouted.then(|| Scout::new(self.verifier, self.request, self.cancel));
        let interrupted = if scout.is_some() { &enough } else { self.cancel };
        let mut estimates = self.estimates(systems);
        let mut progress = |statistics: &Statistics| {
            match &mut estimates {
                Some(estimate) => {
                    let mut estimate = |time| estimate(time);
                    observer.borrow_mut().progress(statistics, Some(&mut estimate));
                }
                None => observer.borrow_mut().progress(statistics, None),
            }
            if let Some(scout) = &mut scout {
                scout.update(statistics, &enough);
            }
        };
        let (system, first) = systems.start(&self.start)?;
        let record = self.request.record;
        let mut recorder =
            (record.has_all() || record.has_first()).then(|| systems.recorder(&self.start)).flatten();
        let mut watcher = |schedule: &[Turn], violations: &[Violation]| match &mut recorder {
            Some(recorder) => observer.borrow_mut().violating(recorder(schedule, violations)),
            None => Control::Stop,
        };
        let tally = Tally::default();
        let mut session = Session::new(system, first, self.settings(), interrupted, &mut progress);
        if record.has_all() {
            session.watch(&mut watcher);
        }
        let mut options = self.request.options.clone();
        options.samples = self.request.limits.executions;
        if options.symmetry == Symmetry::Reduced && !identity::is_hidden(self.verifier.program()) {
            options.symmetry = Symmetry::Observed;
        }
        let task = Task {
            session: &mut session,
            options: &options,
            scope: self.scope(),
            workers: self.stage.workers,
            system: &|| systems.start(&self.start).ok(),
            tally: &tally,
        };
        let counted = systems.explore(self.stage.explorer, task);
        let is_tallied = session.is_tallied();
        let Session { mut statistics, found, mut limits_reached, unsupported, .. } = session;
        observer.borrow_mut().ends();
        if is_tallied && found.is_empty() && limits_reached.iter().any(is_stop) {
            statistics = count_others(&tally, statistics, &mut limits_reached);
        }
        let graph = first_graph(recorder.filter(|_| record.has_first()), &found);
        let has_diverged = matches!(counted, Counted::Views(ViewCounts { diverged: true, .. }));
        Ok(Explored { statistics, counted, found, limits: limits_reached, unsupported, has_diverged, graph })
    }

    /// What estimates the number of executions while these are explored, if the explorer has as many.
    fn estimates<'e, M: Systems + 'e>(
        &'e self,
        systems: M,
    ) -> Option<Box<dyn FnMut(Duration) -> Option<Estimate> + 'e>> {
        let options = &self.request.options;
        let is_exact = self.stage.explorer.about().accepts(Choice::Estimate)
            && options.preemptions.is_none()
            && options.symmetry == Symmetry::Ignored;
        let mut turn = 0_u64;
        is_exact.then(|| {
            Box::new(move |time| {
                turn += 1;
                let until = Instant::now() + time;
                let goes_on =
                    || Instant::now() < until && !self.cancel.load(std::sync::atomic::Ordering::Relaxed);
                systems.estimate(&self.start, options.seed().wrapping_add(turn << 32), &goes_on).ok()
            }) as Box<dyn FnMut(Duration) -> Option<Estimate>>
        })
    }

    /// What was found, as it is.
    pub(crate) fn as_found<M: Systems>(&self, systems: M, found: &[Found]) -> Vec<Counterexample> {
        let as_it_is = |found: &Found| Counterexample {
            violation: found.violation.clone(),
            schedule: found.schedule.clone(),
            found: found.schedule.clone(),
            form: self.stage.explores(),
            cuts: systems.cuts(),
            execution: Execution::default(),
        };
        found.iter().map(as_it_is).collect()
    }

    /// What was found, with schedules of few switches, and told.
    pub(crate) fn examine<M: Systems>(
        &self,
        systems: M,
        found: &[Found],
    ) -> Result<Vec<Counterexample>, Error> {
        found.iter().map(|found| self.examine_one(systems, found)).collect()
    }

    /// The same for what graphs have found in place of steps: told by steps.
    pub(crate) fn examine_by_steps<M: Systems>(
        &self,
        systems: M,
        found: &[Found],
    ) -> Result<Vec<Counterexample>, Error> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let explorer = Explorer::Optimal;
        let by_steps = Exploration {
            stage: Stage { explorer, ..self.stage },
            start: self.verifier.start(self.request, explorer)?,
            ..*self
        };
        let settings = self.request.settings(explorer);
        let mut told = Vec::new();
        for found in found {
            let shown = as_steps(systems, &self.start, &by_steps.start, &settings, found)?;
            told.push(by_steps.examine_one(InOrder, &shown.ok_or(Fault::GraphsAgainstSteps)?)?);
        }
        Ok(told)
    }

    fn examine_one<M: Systems>(&self, systems: M, found: &Found) -> Result<Counterexample, Error> {
        let shown = self.simplified(systems, found).unwrap_or_else(|| found.clone());
        let (mut system, _) = systems.start(&self.start).map_err(|_| Fault::NotReplayable)?;
        let execution = record::record(&mut system, &shown.schedule, self.request.properties.sequences);
        Ok(Counterexample {
            violation: shown.violation,
            schedule: shown.schedule,
            found: found.schedule.clone(),
            form: self.stage.explores(),
            cuts: systems.cuts(),
            execution,
        })
    }

    /// The violation with the fewest thread switches that a small search finds.
    fn simplified<M: Systems>(&self, systems: M, found: &Found) -> Option<Found> {
        if self.stage.explores() == Explores::Graphs {
            return None;
        }
        let (system, first) = systems.start(&self.start).ok()?;
        let limits = Limits { deadline: self.request.limits.deadline, ..Limits::default() };
        let settings = Settings { keep_going: true, limits, ..self.request.settings(self.stage.explorer) };
        let mut silent = |_: &Statistics| {};
        let mut session = Session::new(system, first, settings, self.cancel, &mut silent);
        minimise::fewest_switches(&mut session, found)
    }
}

/// Whether a limit has stopped the exploration.
fn is_stop(limit: &Limit) -> bool {
    matches!(limit, Limit::Time | Limit::Executions(_) | Limit::Interrupted)
}

/// What the others have explored counts, although nobody has waited for them.
fn count_others(tally: &Tally, own: Statistics, limits: &mut Vec<Limit>) -> Statistics {
    let statistics = Statistics { longest: own.longest, ..tally.statistics() };
    for limit in limits.iter_mut() {
        if let Limit::Executions(count) = limit {
            *count = statistics.executions;
        }
    }
    limits.dedup();
    statistics
}

/// The graph of the first violation.
fn first_graph(recorder: Option<Recorder<'_>>, found: &[Found]) -> Option<ExecutionGraph> {
    let (mut record, found) = recorder.zip(found.first())?;
    Some(record(&found.schedule, std::slice::from_ref(&found.violation)))
}
