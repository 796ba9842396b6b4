//! What is answered.

use crate::contradiction::Contradiction;
use crate::plan::{ModelReason, Stage};
use selvedge_check::Violation;
use selvedge_explore::Beyond;
use selvedge_explore::{Counted, Explores};
use selvedge_explore::{Found, Limit, Statistics, Turn};
use selvedge_memory::Model;
use selvedge_trace::execution::Execution;
use selvedge_trace::graph::ExecutionGraph;
use selvedge_vm::{LoadError, UnsupportedReached};
use std::time::{Duration, Instant};
use thiserror::Error;

/// What can be said of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong in any execution.
    Verified,
    /// Something is wrong.
    Violation,
    /// Nothing is wrong within bounds that were asked for.
    Bounded,
    /// Nothing was found until a limit was reached.
    Incomplete,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Violation => "violation",
            Verdict::Bounded => "bounded",
            Verdict::Incomplete => "incomplete",
        }
    }

    /// The verdict, given what was found and which limits were reached.
    pub(crate) fn of(found: &[Found], limits: &[Limit]) -> Self {
        match (found.is_empty(), limits) {
            (false, _) => Verdict::Violation,
            (true, []) => Verdict::Verified,
            (true, limits) if limits.iter().all(is_bound) => Verdict::Bounded,
            _ => Verdict::Incomplete,
        }
    }
}

/// Whether a limit is a bound that was asked for.
fn is_bound(limit: &Limit) -> bool {
    matches!(
        limit,
        Limit::Unroll(_)
            | Limit::Loop { .. }
            | Limit::Preemptions(_)
            | Limit::Steps(_)
            | Limit::Nondet(_)
            | Limit::Sampling(_)
            | Limit::Allowed { .. }
    )
}

/// The answer to a request.
#[derive(Debug)]
pub struct Outcome {
    /// What can be said of the program.
    pub verdict: Verdict,
    /// Whether there was no execution to look at, although no limit was reached.
    pub is_vacuous: bool,
    /// The limits and bounds that were reached.
    pub limits: Vec<Limit>,
    /// Counts of the exploration that gave the answer.
    pub statistics: Statistics,
    /// What it has counted besides.
    pub counted: Counted,
    /// The memory model.
    pub model: Model,
    /// Why this one, if it was chosen.
    pub model_because: Option<ModelReason>,
    /// The exploration that gave the answer.
    pub stage: Stage,
    /// What it is called: the explorer, or what that is called with a bound on preemptions.
    pub explorer_name: &'static str,
    /// Why an exploration before that was given up, if one was.
    pub given_up: Option<Beyond>,
    /// What is wrong.
    pub violations: Vec<Counterexample>,
    /// The execution graph of the first violation, if that was asked for.
    pub graph: Option<ExecutionGraph>,
    /// Whether an execution did not go as the explorer had expected, after something was found: a fault of the tool.
    pub has_diverged: bool,
    /// Where the time went.
    pub times: Times,
}

/// Where the time of a verification went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// From sources to code: once when the program was compiled, and when code was needed that there was not.
    pub front_end: Duration,
    /// For executions: all explorations of the plan, those that were given up included.
    pub exploration: Duration,
    /// From what was found to what is shown: schedules of graphs are made into steps, schedules with fewer switches are looked
    /// for, and their executions are written down.
    pub minimising: Duration,
}

/// Does something, and adds the time that it takes.
pub(crate) fn timed<T>(time: &mut Duration, job: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let answer = job();
    *time += begin.elapsed();
    answer
}

/// A violation, and how it comes about.
#[derive(Debug)]
pub struct Counterexample {
    /// What is wrong.
    pub violation: Violation,
    /// The schedule that is shown: that which was found, or one with fewer switches.
    pub schedule: Vec<Turn>,
    /// The schedule that was found.
    pub found: Vec<Turn>,
    /// What schedules are made of.
    pub form: Explores,
    /// Where locations of execution graphs are cut, which a schedule of graphs depends on.
    pub cuts: Vec<u64>,
    /// What happens in the schedule that is shown.
    pub execution: Execution,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The program cannot be compiled.
    #[error(transparent)]
    Compile(#[from] selvedge_frontend::Error),
    /// The program cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The request makes no sense.
    #[error("the request contradicts itself: {0:?}")]
    Contradiction(Contradiction, Option<ModelReason>),
    /// The program does something that is not supported.
    #[error("not supported: {}", .0.what)]
    Unsupported(Box<UnsupportedReached>),
    /// A fault of this tool.
    #[error("{0}")]
    Internal(#[from] Fault),
}

/// A fault of this tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Fault {
    /// An execution did not go as its events had said.
    #[error("an execution did not go as its events had said")]
    Diverged,
    /// A schedule does not lead to where it did.
    #[error("the violating schedule cannot be replayed")]
    NotReplayable,
    /// Graphs and steps do not agree.
    #[error("execution graphs have something wrong that interleavings of steps do not have")]
    GraphsAgainstSteps,
    /// No exploration of the plan gave an answer.
    #[error("an exploration without bounds was given up")]
    GivenUp,
}
