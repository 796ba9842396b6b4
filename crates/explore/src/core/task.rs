//! An exploration that is about to begin: what an explorer is told.

use super::{Session, Tally};
use selvedge_memory::{Step, System};

/// What explorers are told. Each looks at what it accepts.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The most preemptions.
    pub preemptions: Option<u32>,
    /// How many executions to run, for those that sample.
    pub samples: Option<u64>,
    /// Where random numbers begin; see [`Options::seed`].
    pub seed: Option<u64>,
    /// The bug depth.
    pub depth: Option<u32>,
    /// How many states to look at for an answer before the solver is asked.
    pub patience: Option<u64>,
    /// Whether violations are predicted.
    pub predict: bool,
    /// Whether orders of dependent operations are counted.
    pub classes: bool,
    /// What becomes of executions that differ only in which of several threads that do the same is which.
    pub symmetry: Symmetry,
}

/// What becomes of executions that differ only in which of several threads that do the same is which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symmetry {
    /// All are explored.
    #[default]
    Ignored,
    /// One of them is enough.
    Reduced,
    /// One would be enough, but the program's text does not show that threads cannot tell which one they are; so all are explored.
    Observed,
}

impl Options {
    /// Where random numbers begin if not told.
    pub const SEED: u64 = 1;

    /// Where random numbers begin.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Self::SEED)
    }
}

/// An exploration that is about to begin.
pub struct Task<'t, 's, S: System> {
    /// The session.
    pub session: &'t mut Session<'s, S>,
    /// What the explorer is told.
    pub options: &'t Options,
    /// Which executions, if these are graphs.
    pub scope: Scope,
    /// How many workers there are.
    pub workers: usize,
    /// Makes a system in its first state, for another worker.
    pub system: &'t (dyn Fn() -> Option<(S, Step)> + Sync),
    /// Counts what all workers do.
    pub tally: &'s Tally,
}

impl<'t, 's, S: System> Task<'t, 's, S> {
    /// The session and those who explore it. If they are several, their counts are put together.
    pub(crate) fn crew(self) -> (&'t mut Session<'s, S>, Crew<'t, S>) {
        let Self { session, workers, system, tally, .. } = self;
        if workers > 1 {
            session.count_with(tally);
        }
        (session, Crew { workers, system, tally })
    }
}

/// What is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    Any,
    /// Programs whose graphs are the orders of their dependent operations: see [`crate::graphs`].
    Orders,
}

/// Those who work together, and how each of them gets a system of its own.
pub struct Crew<'c, S> {
    /// How many there are.
    pub workers: usize,
    /// Makes a system in its first state.
    pub system: &'c (dyn Fn() -> Option<(S, Step)> + Sync),
    /// Counts what all of them do.
    pub tally: &'c Tally,
}
