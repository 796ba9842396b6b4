//! Maximal causality reduction: from one execution, a solver derives others in which something else is read.
//!
//! An execution says more than itself: every order of its events in which each has the result that it had is an execution of
//! any program that has this one. The largest such set is what its *causality* allows. MCR (Shiyu Huang and Jeff Huang: Maximal
//! causality reduction for TSO and PSO, OOPSLA 2016; Shiyu Huang's thesis, Texas A&M University, chapters 3 and 5) describes it
//! by constraints over the order of events ([`causality`], [`seen`]), asks a solver for members in which some read returns
//! another value, runs these, and so on ([`seeds`]). Two executions are the same if the same reads return the same values:
//! their *view* is the same ([`crate::views`]).
//!
//! # Departures
//!
//! *No prefix is preserved.* The thesis runs a seed, and from then on keeps it as it is: only what comes after it is ever
//! changed, in order not to derive the same twice. Then executions are lost. In
//!
//! ```text
//! A: a = y; x = 1      B: x = 1      C: c = x; y = 1
//! ```
//!
//! let the first execution be `a = 0; c = 0; …`. For `c` to be 1 a seed may begin with the store of A or that of B; these are
//! one alternative, since the values are equal. If it is that of A, `a = 0` is kept with it. But `a = 1` and `c = 1` is
//! possible, if `c` gets its value from B. The other seed of the first execution, for `a = 1`, begins with `c = 0`. (This is
//! `tests/programs/check/mcr_prefix.c`. On the thesis' own example of a publication, `bench/programs/publication.c`, it reports
//! 43 executions for two rounds; there are 52 views.) Nor is it enough to keep, instead of the sequence, the results that
//! threads have had in it: the values that are needed for the rest may only be there if another order was taken.
//!
//! So here all reads of an execution are considered, whether they are part of its seed or not, and a seed is a *combination* of
//! histories. Seeds are as long as can be, so what a thread could do before a read is in its seed; this also takes care of
//! locks, which are given back if they can be. With that no execution is missed, by the argument of [`crate::views`].
//!
//! *Switch equivalence is equality.* Two seeds of the thesis are switch equivalent if running one after the other leads to the
//! same reads as the other way round. Combinations have no order, so such seeds are one and the same, be they from the same
//! execution or not. MCR, here, runs each combination once ([`explore`]), and those not at all for which all others have come
//! as far as they can, or as they can while the thread has a lock, and that an explored execution contains. SE-MCR leaves out
//! all that an explored execution contains ([`explore_switching`]): so there are as many executions as views, except where whom
//! a signal wakes makes a difference that no read returns.
//!
//! *Easy questions are not put to the solver.* Most questions are about few orders. SE-MCR goes through these first, by
//! [`crate::views::search`], which answers the same questions; only if that takes more than [`PATIENCE`] states, and with store
//! buffers, which the search knows nothing of, the solver is asked. What is explored is the same. (With `--patience 0` the
//! solver answers them all, and MCR always has it do so.)
//!
//! *Orders come first.* Where no two orders of dependent operations have the same view, there is nothing to be saved, and
//! SE-MCR explores these, as [`crate::views::driver`] says; when two of them have had the same view, it begins again. (Not with
//! store buffers, nor if it is to predict, nor with `--patience 0`.)
//!
//! *Replay follows from the steps.* A seed is a sequence of agents: threads, and stores that reach memory. The buffer machine
//! takes just these, so when to buffer and when to flush (the thesis' algorithms 1 to 3) is no question. If an event has
//! another result than the solver said, the exploration stops and this is reported as a fault of the tool.
//!
//! # What is not preserved
//!
//! What [`crate::views::vieq`] does not preserve either: whether accesses race does not follow from the values read. But it can
//! be predicted ([`predict`]). From all executions together, all races are, if every atomic operation is sequentially
//! consistent: then there is an execution in which the two accesses come one right after the other. With weaker ones, an access
//! may have to come after another, because of a value, and yet race with it, depending on which of the stores of that value was
//! read.
//!
//! With several workers, these make constraints and solve them; one runs what they want. Which seeds MCR finds depends on how
//! threads go on after a seed, so on the order in which seeds are run; with several workers its number of executions may
//! differ. What is covered does not, and SE-MCR's number does not.

mod alternatives;
mod blocked;
mod causality;
mod cells;
mod claims;
mod predict;
mod seeds;
mod seen;
pub mod switching;

use super::driver;
use super::explorer::NewPredictor;
use super::method::{Host, Job, Method, Repeats};
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Crew, Session, ViewCounts};
use selvedge_memory::System;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "mcr",
    help: "The same as it was first described: what an explored execution contains may be explored again",
    text: "\
         the same as it was first described: a combination of values may be run although an execution\n\
         that was run has contained it. To compare with.",
    explores: Explores::Steps,
    workers: Workers::Several,
    tells_apart: Equivalence::Views,
    robustness: Finds::Never,
    promise: Promise::Complete,
    counts: Counting::Views,
    accepts: &[Choice::Predict],
    bounded_name: None,
};

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    let predicting = Predicting::from(task.options.predict);
    Counted::Views(explore(task.session, task.workers, predicting))
}

/// Whether violations are predicted from each execution, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predicting {
    /// They are not.
    Nothing,
    /// They are.
    Violations,
}

impl From<bool> for Predicting {
    fn from(wanted: bool) -> Self {
        if wanted { Predicting::Violations } else { Predicting::Nothing }
    }
}

impl Predicting {
    fn predictor<S: System>(self) -> Option<NewPredictor<S>> {
        match self {
            Predicting::Nothing => None,
            Predicting::Violations => Some(predict::new),
        }
    }
}

/// Executions are searched for others by asking a solver.
struct BySolver {
    repeats: Repeats,
    /// How many states to visit for an answer before the solver is asked.
    patience: u64,
}

impl Method for BySolver {
    fn search(&self, job: &Job, host: &mut dyn Host) -> Control {
        seeds::find(job, self.repeats, self.patience, host)
    }

    fn wants_order(&self) -> bool {
        true
    }

    fn repeats(&self) -> Repeats {
        self.repeats
    }
}

/// Explores each combination of histories that is derived from an execution: MCR.
pub fn explore<S: System>(
    session: &mut Session<'_, S>,
    workers: usize,
    predicting: Predicting,
) -> ViewCounts {
    let method = BySolver { repeats: Repeats::NewGoals, patience: 0 };
    driver::explore_views(&method, predicting.predictor(), session, workers)
}

/// To visit so many states takes about twice as long as a question to the solver.
pub const PATIENCE: u64 = 256;

/// Explores those that no explored execution contains: SE-MCR. `patience`: how many states to visit for an answer before
/// the solver is asked.
pub fn explore_switching<S: System>(
    session: &mut Session<'_, S>,
    workers: usize,
    predicting: Predicting,
    patience: u64,
) -> ViewCounts {
    let method = BySolver { repeats: Repeats::Nothing, patience };
    driver::explore_views(&method, predicting.predictor(), session, workers)
}

/// The same, without store buffers. It begins with orders of dependent operations, as long as these have different views.
pub fn explore_switching_after_orders<S: System>(
    session: &mut Session<'_, S>,
    crew: &Crew<'_, S>,
    patience: u64,
) -> ViewCounts {
    driver::explore_after_orders(&BySolver { repeats: Repeats::Nothing, patience }, session, crew)
}
