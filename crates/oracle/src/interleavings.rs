//! All executions of a program, by brute force.
//!
//! An execution is a maximal sequence of visible operations: it ends when no thread can go on, or with a wrong
//! use of a mutex. Two executions differ if their sequences of operations do, results of choices included.
//! When main has joined all threads it reads all locations, which the C version does, too; nobody else runs
//! by then, so these reads are no events here: they change neither the number of executions nor of classes.
//!
//! A preemption is a step of another thread than the one that took the step before, if that one could have gone
//! on. The first step of an execution is none.

use crate::classes::{self, Class, ReadsFrom, Views};
use crate::code::flatten;
use crate::event::Event;
use crate::machine::{Fault, State};
use crate::program::{Invalid, Outcome, Program};
use crate::races::races;
use std::collections::BTreeSet;

/// How threads see each other's writes. Store buffers (TSO, PSO) will be further models here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Sequential consistency.
    Sc,
}

/// A statement: its thread, and its number as [`Program::statements`] counts.
pub type Place = (usize, usize);

/// What a program can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    /// The number of executions.
    pub executions: u64,
    /// What can be observed at the end of executions in which all threads end.
    pub outcomes: BTreeSet<Outcome>,
    /// The statements at which threads wait for ever, for each way to get stuck.
    pub deadlocks: BTreeSet<Vec<Place>>,
    /// Wrong uses of mutexes, with the statement.
    pub faults: BTreeSet<(Fault, Place)>,
    /// Pairs of statements that race, the smaller first.
    pub races: BTreeSet<(Place, Place)>,
    /// The Mazurkiewicz classes.
    pub classes: BTreeSet<Class>,
    /// The reads-from maps.
    pub reads_from: BTreeSet<ReadsFrom>,
    /// The views.
    pub views: BTreeSet<Views>,
}

/// Everything that a program can do; `None` if it has more than `most` executions.
pub fn interleavings(program: &Program, model: Model, most: u64) -> Result<Option<Results>, Invalid> {
    search(program, model, most, None)
}

/// The same in executions with at most so many preemptions; `None` if there are more than `most` of these.
pub fn interleavings_bounded(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: u32,
) -> Result<Option<Results>, Invalid> {
    search(program, model, most, Some(preemptions))
}

fn search(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: Option<u32>,
) -> Result<Option<Results>, Invalid> {
    program.validate()?;
    let code = flatten(program);
    let start = match model {
        Model::Sc => State::new(program, &code),
    };
    let mut search = Search { program, most, execution: Vec::new(), results: Results::default() };
    Ok(search.follow(&start, preemptions).then_some(search.results))
}

struct Search<'p> {
    program: &'p Program,
    most: u64,
    /// The events so far.
    execution: Vec<Event>,
    results: Results,
}

impl Search<'_> {
    /// Takes every step that is possible here, and goes on after each; so many preemptions are left, if they are
    /// bounded. False: there are too many executions.
    fn follow(&mut self, state: &State<'_>, left: Option<u32>) -> bool {
        let enabled = state.enabled();
        if enabled.is_empty() {
            match state.is_complete() {
                true => drop(self.results.outcomes.insert(state.outcome(self.program))),
                false => drop(self.results.deadlocks.insert(state.stuck())),
            }
            return self.end();
        }
        let last = self.execution.last().map(|event| event.thread);
        let running = last.filter(|last| enabled.contains(last));
        for thread in enabled {
            let preempts = running.is_some_and(|running| running != thread);
            let left = match left {
                Some(0) if preempts => continue,
                Some(left) => Some(left - u32::from(preempts)),
                None => None,
            };
            for alternative in 0..state.alternatives(thread) {
                let Some(step) = state.step(thread, alternative) else { continue };
                let place = (thread, step.event.statement);
                self.execution.push(step.event);
                let within = match step.fault {
                    Some(fault) => {
                        self.results.faults.insert((fault, place));
                        self.end()
                    }
                    None => self.follow(&step.state, left),
                };
                self.execution.pop();
                if !within {
                    return false;
                }
            }
        }
        true
    }

    /// Takes note of an execution.
    fn end(&mut self) -> bool {
        let results = &mut self.results;
        results.executions += 1;
        results.classes.insert(classes::class(&self.execution));
        results.reads_from.insert(classes::reads_from(&self.execution));
        results.views.insert(classes::views(&self.execution));
        for (first, second) in races(&self.execution) {
            let place = |at: usize| (self.execution[at].thread, self.execution[at].statement);
            let (one, other) = (place(first), place(second));
            results.races.insert((one.min(other), one.max(other)));
        }
        results.executions <= self.most
    }
}
