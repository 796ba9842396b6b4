//! The checkers of an exploration.

use crate::Violation;
use crate::checker::{Checker, Equivalence, Finding, Standing, Step};
use crate::races::{Races, RacesMark};
use crate::robust::Robustness;
use crate::waiting::Waiting;
use selvedge_memory::{ReleaseSequences, System};

/// A property that a checker watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// No data races.
    Races,
    /// No execution that sequential consistency does not have.
    Robustness,
    /// No deadlocks and livelocks.
    Waiting,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 3] = [Property::Races, Property::Robustness, Property::Waiting];

    /// The finest of the equivalences that preserve it.
    pub fn preserved_by(self) -> Equivalence {
        match self {
            Property::Races => Races::PRESERVED_BY,
            Property::Robustness => Robustness::PRESERVED_BY,
            Property::Waiting => Waiting::PRESERVED_BY,
        }
    }
}

/// Those checkers that are wanted, as one.
pub struct Checkers {
    races: Option<Races>,
    robustness: Option<Robustness>,
    waiting: Waiting,
}

/// A state of [`Checkers`].
pub type CheckersMark = Option<RacesMark>;

impl Checkers {
    /// Those that watch deadlocks and livelocks, and nothing else.
    pub fn new() -> Self {
        Self { races: None, robustness: None, waiting: Waiting }
    }

    /// With data races.
    pub fn with_races(self, sequences: ReleaseSequences) -> Self {
        Self { races: Some(Races::new(sequences)), ..self }
    }

    /// With robustness.
    pub fn with_robustness(self) -> Self {
        Self { robustness: Some(Robustness), ..self }
    }

    /// Whether the present execution is one that sequential consistency does not have, if that is wanted.
    pub fn robustness<S: System>(&mut self, system: &S, standing: Standing) -> Option<Finding> {
        self.robustness.as_mut()?.end(system, standing)
    }

    /// What is wrong with the end of the present execution.
    pub fn waiting<S: System>(&mut self, system: &S, standing: Standing) -> Option<Finding> {
        self.waiting.end(system, standing)
    }

    /// What the last step completes that is wrong.
    #[inline]
    pub fn step<S: System>(&mut self, system: &mut S, step: &Step<'_>) -> Option<Violation> {
        self.races.as_mut()?.step(system, step)
    }

    /// The present state.
    #[inline]
    pub fn mark(&self) -> CheckersMark {
        self.races.as_ref().map(Races::mark)
    }

    /// Returns to a state.
    #[inline]
    pub fn rewind(&mut self, mark: &CheckersMark) {
        if let (Some(races), Some(mark)) = (&mut self.races, mark) {
            races.rewind(mark);
        }
    }
}

impl Default for Checkers {
    fn default() -> Self {
        Self::new()
    }
}
