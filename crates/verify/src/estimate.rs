//! How many executions there will be, by random ones.

use crate::contradiction::Purpose;
use crate::outcome::Error;
use crate::request::Request;
use crate::systems::{Job, Start, Systems, with};
use crate::verifier::Verifier;
use selvedge_explore::Estimate;
use selvedge_explore::graphs;
use selvedge_explore::steps::estimate::Estimator;
use selvedge_explore::{Session, Settings, Statistics, Updates};
use selvedge_memory::LookAhead;
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_vm::{FaultKind, LoadError};
use std::sync::atomic::AtomicBool;

impl Verifier {
    /// Runs at random as long as `goes_on` says so, and at least once; estimates how many executions there are.
    pub fn estimate(&self, request: &Request, goes_on: &dyn Fn() -> bool) -> Result<Estimate, Error> {
        let plan = self.plan_for(request, Purpose::Estimate)?;
        let stage = plan.stages.first().ok_or(crate::Fault::GivenUp)?;
        let start = self.start(request, stage.explorer)?;
        let job = Estimating { start, seed: request.options.seed(), goes_on };
        Ok(with(plan.model, stage.explores(), request.properties.sequences, job)?)
    }
}

struct Estimating<'a> {
    start: Start<'a>,
    seed: u64,
    goes_on: &'a dyn Fn() -> bool,
}

impl Job<Result<Estimate, LoadError>> for Estimating<'_> {
    fn run<M: Systems>(self, systems: M) -> Result<Estimate, LoadError> {
        systems.estimate(&self.start, self.seed, self.goes_on)
    }
}

/// There is one execution: the program ends before there is anything to choose.
const ONE: Estimate = Estimate { walks: 1, executions: 1.0, error: 0.0 };

/// Here nothing is wrong: walks go on to their ends. Rounds of waiting loops that lead nowhere are left out, as explorers do.
fn settings() -> Settings {
    let (allowed, look_ahead, updates) = (FaultKind::ALL.to_vec(), LookAhead::On, Updates::Commute);
    Settings { allowed, keep_going: true, look_ahead, updates, ..Settings::default() }
}

/// Estimates the executions of steps.
pub(crate) fn of_steps(
    systems: impl Systems,
    start: &Start<'_>,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<Estimate, LoadError> {
    let (system, first) = systems.start(start)?;
    let never = AtomicBool::new(false);
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings(), &never, &mut silent);
    if session.ended_at_start() {
        return Ok(ONE);
    }
    let mut estimator = Estimator::new(&mut session, seed);
    loop {
        estimator.walk(&mut session);
        if !goes_on() {
            return Ok(estimator.estimate());
        }
    }
}

/// Estimates execution graphs.
pub(crate) fn of_graphs<'i, A: Axioms, M: Systems<System<'i> = Axiomatic<'i, A>>>(
    systems: M,
    start: &Start<'i>,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<Estimate, LoadError> {
    loop {
        let (system, first) = systems.start(start)?;
        let never = AtomicBool::new(false);
        let mut silent = |_: &Statistics| {};
        let mut session = Session::new(system, first, settings(), &never, &mut silent);
        if session.ended_at_start() {
            return Ok(ONE);
        }
        let estimate = graphs::estimate(&mut session, seed, goes_on);
        match session.unsupported.take() {
            Some(reached) if !reached.cuts.is_empty() => systems.cut(&reached.cuts),
            _ => return Ok(estimate),
        }
    }
}
