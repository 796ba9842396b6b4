//! View-equivalence: one execution for each combination of values that are read.
//!
//! Two executions have the same *view* if the same reads return the same values. Threads cannot tell them apart, so an
//! assertion that fails in one fails in the other. On programs that write few different values there are far fewer views
//! than orders of dependent operations. The idea, the name and the benchmarks are those of ViEqui (Sanjana Singh:
//! Program Analysis under Relaxed Memory Concurrency, thesis, IIT Delhi 2023, chapter 4): run an execution, find out
//! which reads could have returned something else (its backward analysis), and go on from there with a sequence of
//! events that makes them (its directive), unless that was explored (its summary).
//!
//! # Departure
//!
//! The thesis keeps directives at states of the present execution and requires of their *coherent union* that no class
//! is lost and none comes twice; how to build it is left open, as are locks, blocking, thread creation and
//! everything else that is not a load or store. Here there are no directives that wait to be explored. What has been explored
//! is a set of views ([`views`]), and the analysis of an execution ([`search`]) asks of each thing that it finds whether
//! some view has it already. If not, it is explored at once. So an execution is run only if its view is new.
//!
//! # Why nothing is missed
//!
//! A thread is a function of what it is told ([`script`]): values, results, that a blocking operation went through. Let
//! `E` be an execution, as a sequence of events. Of all explored executions take the one, `X`, in which the longest
//! beginning `D` of `E` happened, in whatever order: each thread has been told there what it has been told in `D`. If `D`
//! is not all of `E`, let `q` be the next event of `E`. The thread of `q` comes to it in `X`, too. Nobody went on in the end,
//! so in `X` it was told something else, or could not go on. But there is an order of events of `X`, namely `D`, after
//! which it could have been told what it is told in `E`. The search goes through all orders of events of `X`, with
//! everybody being told the same, and sees to it that an execution is explored in which all of `D`, or more of `X`, has
//! happened and `q` was told that. This has a longer beginning of `E`; a contradiction. So each `E` is explored, but for the
//! order of its events; and if `E` ends with threads that are blocked for ever, the search comes to this state as one of the
//! orders of `X`, and explores that as well.
//!
//! The search is one for each `q`, and what it finds does not depend on what the thread of `q` has done in `X` from there on;
//! so it is done for one of the executions that agree on the rest. It leaves most orders out, and says why that loses nothing.
//! One thing that would: to perform a write at once because it changes nothing. In `x = 0 || x = 1 || read x; read x` (and
//! `x` is 0 at first) the reads return 1 and then 0 only if the first write waits for the second.
//!
//! # Atomic sections that are not got through
//!
//! Nobody may see half of an atomic section. If a thread stops in one for good (an assumption does not hold, a bound is reached,
//! something is wrong), the execution is `E` with that at its end. But then nobody else would have gone on, and `X` has to go on as
//! far as it can. So the section is taken back, and the others go on as if its thread had stopped before it; what the thread did
//! there stays in its script, as something after which nobody else can do anything. If others have run while the thread had
//! to wait in the section, and now it could go on, nothing can be taken back: `X` is over, and what the others would have done
//! next is looked for like something that was not possible.
//!
//! # Why nothing comes twice
//!
//! An execution is explored only if no view so far contains its beginning. Whom a signal wakes is told to nobody, but makes
//! a difference to the search; so in programs with condition variables executions that differ in that may have the same
//! view, which is counted as redundant. With locks, semaphores, barriers, atomic sections, creating and joining threads
//! there is nothing redundant.
//!
//! # Orders first
//!
//! Where no two orders of dependent operations have the same view, there is nothing to be gained by asking for views, and it
//! costs something. So that is where an exploration begins: with [`optimal`], as long as no view comes twice ([`Distinct`]).
//! If it comes to its end, each view was explored, and none twice. Otherwise all of it is forgotten, and the exploration begins
//! again, with views. This takes little: what was forgotten are no more executions than there are views, and mostly just a few.
//! Executions that are wrong, cut or blocked, and what has results that are more than a value (condition variables, barriers,
//! copies), are left to views at once.
//!
//! [`Distinct`]: crate::core::distinct::Distinct
//!
//! # What is not preserved
//!
//! Data races are not looked for: whether two accesses are ordered is not told by what is read. Deadlocks are found, and so are
//! waits without end. Everything that a thread notices is: assertions, wrong use of memory and locks.
//!
//! All views so far are kept, so memory grows with their number, unlike that of [`crate::steps::dpor`].

use super::driver;
use super::mcr::{self, Predicting};
use super::method::{Host, Job, Method, Repeats};
use super::search;
use crate::{About, Counted, Counting, Explores, Finds, Promise, Task, Workers};
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
         view-equivalence, for sc, tso and pso: one execution for each combination of values that are read. Where\n\
         few different values are written (flags, states of a protocol) these are far fewer than\n\
         the orders that `optimal` explores. Finds what threads can notice: failed assertions, wrong\n\
         use of memory and locks; also deadlocks and waits without end. Does not look for data\n\
         races. Keeps all views in memory. Several --workers.",
    explores: Explores::Steps,
    workers: Workers::Several,
    races: Finds::Never,
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
