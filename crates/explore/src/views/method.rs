//! What a method of exploring views is: it searches an execution for others, and asks a [`Host`] to explore these.

use super::history::Goal;
use super::script::{Execution, Script};
use crate::{Control, SolverWork};
use selvedge_trace::Agent;
use std::sync::Arc;

/// An execution, to be searched.
pub struct Job {
    /// The execution.
    pub execution: Execution,
    /// The agents of its steps, in order; if the method wants to know.
    pub order: Vec<Agent>,
}

/// How executions are searched for others.
pub trait Method: Sync {
    /// Searches one.
    fn search(&self, job: &Job, host: &mut dyn Host) -> Control;

    /// Whether it wants to know the order of the steps of an execution.
    fn wants_order(&self) -> bool;

    /// What is not explored again.
    fn repeats(&self) -> Repeats;
}

/// What is explored although an explored execution contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Nothing.
    Nothing,
    /// What has not been asked for so far.
    NewGoals,
}

/// A step to be taken: its agent, and the result that it is to have.
pub type Step = (Agent, u64);

/// Explores what a search finds, and knows what has been explored.
pub trait Host {
    /// Whether a goal has been explored.
    fn has_explored(&mut self, goal: &Goal) -> bool;

    /// Explores an execution that begins with these steps, and so reaches the goal.
    fn explore(&mut self, goal: &Goal, steps: &[Step]) -> Control;

    /// Keeps those searches that have not been begun so far; they are to begin now. A search is given by where its target is,
    /// and a name of all that it depends on.
    fn begin(&mut self, searches: &mut Vec<(usize, u128)>);

    /// Whether to go on; to be asked now and then.
    fn control(&mut self) -> Control;

    /// Whether an explored execution contains a goal; and how far that agrees with each script.
    fn agreement(&mut self, goal: &Goal, scripts: &[Arc<Script>], agreed: &mut Vec<u32>) -> bool;

    /// Notes what a solver has done.
    fn note(&mut self, work: SolverWork);
}

/// Whether a search has not been begun so far; it is to begin now.
pub fn begin_one(name: u128, host: &mut dyn Host) -> bool {
    let mut searches = vec![(0, name)];
    host.begin(&mut searches);
    !searches.is_empty()
}
