//! View-equivalence by search.
//!
//! The idea, the name and the benchmarks are those of ViEqui (Sanjana Singh: Program Analysis under Relaxed Memory Concurrency,
//! thesis, IIT Delhi 2023, chapter 4): run an execution, find out which reads could have returned something else (its backward
//! analysis), and go on from there with a sequence of events after which they do (its directive), unless that was explored (its
//! summary).
//!
//! # Departure
//!
//! The thesis keeps directives at states of the present execution and requires of their *coherent union* that no class is lost
//! and none comes twice; how to build it is left open, as are locks, blocking, thread creation and everything else that is not
//! a load or store. Here there are no directives that wait to be explored. What has been explored is a set of views
//! ([`history`](super::history)), and the analysis of an execution ([`search`](super::search)) asks of each thing that it finds
//! whether some explored execution contains it already. If not, it is explored at once. So an execution is run only if its view
//! is new. [`crate::views`] says why nothing is missed.
//!
//! # What is not preserved
//!
//! Data races are not looked for: whether two accesses are ordered does not follow from the values read. Deadlocks are found,
//! and so are waits without end, and everything that a thread notices: assertions, wrong use of memory and locks.
//!
//! All views so far are kept, so memory grows with their number, unlike that of [`crate::steps::dpor`].

use super::driver;
use super::mcr::{self, Predicting};
use super::method::{Host, Job, Method, Repeats};
use super::search;
use crate::{About, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Crew, Session, ViewCounts};
use selvedge_memory::System;

/// Executions are searched for others, without asking a solver.
struct BySearch;

impl Method for BySearch {
    fn search(&self, job: &Job, host: &mut dyn Host) -> Control {
        search::run(&job.execution, host)
    }

    fn wants_order(&self) -> bool {
        false
    }

    fn repeats(&self) -> Repeats {
        Repeats::Nothing
    }
}

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "vieq",
    help: "One execution for each combination of values that are read (does not look for data races)",
    text: "\
         view-equivalence: one execution for each combination of values that are read. Where few\n\
         different values are written (flags, states of a protocol) these are far fewer than the\n\
         orders that `optimal` explores. Finds what threads can notice: failed assertions, wrong\n\
         use of memory and locks; also deadlocks and waits without end. Does not look for data\n\
         races. Keeps all views in memory.",
    explores: Explores::Steps,
    workers: Workers::Several,
    tells_apart: Equivalence::Views,
    robustness: Finds::Never,
    promise: Promise::Views,
    counts: Counting::Views,
    accepts: &[],
    bounded_name: None,
};

/// Explores as it is told. The search knows no store buffers; the solver does.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    Counted::Views(match S::BUFFERED {
        true => mcr::explore_switching(task.session, task.workers, Predicting::Nothing, mcr::PATIENCE),
        false => {
            let (session, crew) = task.crew();
            explore(session, &crew)
        }
    })
}

/// Explores; the result does not depend on the number of workers.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) -> ViewCounts {
    driver::explore_after_orders(&BySearch, session, crew)
}
