//! All executions of a program, by brute force.
//!
//! An execution is a maximal sequence of steps: visible operations of threads, and flushes of stores that wait in
//! buffers. It ends when no step is possible, or with a wrong use of a mutex. Two executions differ if their sequences
//! of steps do, results of choices included. When main has joined all threads it reads all locations, which the C
//! version does, too; nobody else runs by then, so these reads are no events here: they change neither the number of
//! executions nor of classes.
//!
//! Of a thread that goes round a loop with a body, see `rounds`: it may do so only so often, and executions in which it would go on do not
//! count; but it may stay there for ever, where nothing changes any more, so that an execution ends in which only such threads can go on.
//!
//! A preemption is a step of another thread than the one whose turn it is, if that one could have gone on. It is the turn
//! of the thread that took the last step, until it cannot go on; the first step of an execution is no preemption. A flush
//! is none, and changes nothing as to whose turn it is. A thread that has to wait for its own buffer cannot go on; once it
//! had to, it is not its turn any more, even if a flush lets it go on.

use crate::classes::{self, Execution, Levels, ReadsFrom, Trace, Views};
use crate::code::{flatten, has_unused};
use crate::event::Event;
use crate::machine::{Fault, State};
use crate::program::{Invalid, Outcome, Program};
use crate::races::{ReleaseSequences, races};
use crate::rounds::Loops;
use std::collections::{BTreeMap, BTreeSet};

/// How threads see each other's writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order: each thread has a buffer, from which stores reach memory in their order.
    Tso,
    /// Partial store order: only stores to the same location keep their order.
    Pso,
}

impl Model {
    /// All, each weaker than the one before.
    pub const ALL: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
        }
    }
}

/// A statement: its thread, and its number as [`Program::statements`] counts.
pub type StatementId = (usize, usize);

/// What a program can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    /// The number of executions.
    pub executions: u64,
    /// What can be observed at the end of executions in which all threads end.
    pub outcomes: BTreeSet<Outcome>,
    /// The statements at which threads wait for ever, for each way to get stuck.
    pub deadlocks: BTreeSet<Vec<StatementId>>,
    /// Wrong uses of mutexes, with the statement.
    pub faults: BTreeSet<(Fault, StatementId)>,
    /// Pairs of statements that race with release sequences as in C++20, the smaller first.
    pub races: BTreeSet<(StatementId, StatementId)>,
    /// The same with release sequences as in C11.
    pub races_c11: BTreeSet<(StatementId, StatementId)>,
    /// The traces.
    pub classes: BTreeSet<Trace>,
    /// The orders of what depends on each other. Under sequential consistency these are the Mazurkiewicz classes.
    pub orders: BTreeSet<Trace>,
    /// Under sequential consistency, the same by another definition; else nothing.
    pub levels: BTreeSet<Levels>,
    /// The reads-from maps.
    pub reads_from: BTreeSet<ReadsFrom>,
    /// The views.
    pub views: BTreeSet<Views>,
    /// The views, each with its ending: what is seen if all is read in the end.
    pub ends: BTreeSet<(Views, Ending)>,
}

/// How an execution ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// All threads have ended, and this is the value of each location.
    Complete(Vec<u32>),
    /// Threads wait for ever at these statements.
    Stuck(Vec<StatementId>),
    /// A mutex was used wrongly.
    Fault(StatementId),
}

/// Everything that a program can do; `None` if it has more than `most` executions.
pub fn interleavings(program: &Program, model: Model, most: u64) -> Result<Option<Results>, Invalid> {
    search(program, model, Limit::Executions(most), None)
}

/// The same in executions with at most `preemptions` preemptions; `None` if there are more than `most` of these.
pub fn interleavings_bounded(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: u32,
) -> Result<Option<Results>, Invalid> {
    search(program, model, Limit::Executions(most), Some(preemptions))
}

/// The same results with less work, for larger programs: where two executions have come to a point with the same
/// trace, they are in the same state, and what comes after is the same. So it is followed once. `None` if there are
/// more than `most` such points. With a bound on preemptions, a point also has the thread that runs, and the number of
/// preemptions that are left.
pub fn interleavings_merged(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: Option<u32>,
) -> Result<Option<Results>, Invalid> {
    search(program, model, Limit::Points(most), preemptions)
}

/// When a search is given up.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// After this many executions.
    Executions(u64),
    /// After this many points; executions that come to the same point are merged.
    Points(u64),
}

/// Where an execution is: its trace, who runs, how many preemptions are left.
type Point = (Trace, Option<usize>, Option<u32>);

fn search(
    program: &Program,
    model: Model,
    limit: Limit,
    preemptions: Option<u32>,
) -> Result<Option<Results>, Invalid> {
    program.validate()?;
    let code = flatten(program);
    let mut waited = BTreeSet::new();
    loop {
        let start = State::new(program, model, &code).ordering(&waited);
        let (points, execution, results) = (BTreeMap::new(), Vec::new(), Results::default());
        let known = waited.len();
        let loops = Loops::new(&code);
        let mut search = Search { program, model, limit, loops, points, execution, results, waited };
        let executions = search.follow(&start, preemptions, None);
        if search.waited.len() == known || executions.is_none() || !has_unused(&code) {
            return Ok(executions.map(|executions| Results { executions, ..search.results }));
        }
        // Until now additions commuted that do not.
        waited = search.waited;
    }
}

struct Search<'p> {
    program: &'p Program,
    model: Model,
    limit: Limit,
    loops: Loops<'p>,
    /// The points that have been followed, with the number of executions that go on from there.
    points: BTreeMap<Point, u64>,
    /// The events so far.
    execution: Vec<Event>,
    /// What was found so far.
    results: Results,
    /// The locations that somebody waits for.
    waited: BTreeSet<usize>,
}

impl Search<'_> {
    /// Takes every step that is possible here, and goes on after each. `left`: how many preemptions are left, if they are
    /// bounded; `turn`: whose turn it is. Returns the number of executions; `None`: there are too many.
    fn follow(&mut self, state: &State<'_>, left: Option<u32>, turn: Option<usize>) -> Option<u64> {
        if state.is_cut() {
            return Some(0);
        }
        let Limit::Points(most) = self.limit else { return self.step(state, left, turn) };
        let runs = turn.filter(|_| left.is_some());
        let execution = Execution { events: &self.execution, writes: &state.writes() };
        let point = (classes::trace(execution), runs, left);
        if let Some(executions) = self.points.get(&point) {
            return Some(*executions);
        }
        let executions = self.step(state, left, turn)?;
        self.points.insert(point, executions);
        (self.points.len() as u64 <= most).then_some(executions)
    }

    fn step(&mut self, state: &State<'_>, left: Option<u32>, turn: Option<usize>) -> Option<u64> {
        state.add_waited(&mut self.waited);
        let (enabled, flushes) = (state.enabled(), state.flushes());
        let mut executions: u64 = 0;
        let may_stay = |thread: &usize| state.may_stay(*thread, &self.loops, &self.execution);
        if enabled.iter().all(may_stay) && flushes.is_empty() {
            let ending = match state.is_complete() {
                true => {
                    let outcome = state.outcome(self.program);
                    let locations = outcome.locations.clone();
                    self.results.outcomes.insert(outcome);
                    Ending::Complete(locations)
                }
                false => {
                    self.results.deadlocks.insert(state.stuck());
                    Ending::Stuck(state.stuck())
                }
            };
            executions += self.end(state, ending)?;
        }
        let running = turn.filter(|thread| enabled.contains(thread));
        for thread in enabled {
            let preempts = running.is_some_and(|running| running != thread);
            let left = match left {
                Some(0) if preempts => continue,
                Some(left) => Some(left - u32::from(preempts)),
                None => None,
            };
            for alternative in 0..state.alternatives(thread) {
                let mut after = state.clone();
                let Some(step) = after.step(thread, alternative) else { continue };
                let place = (thread, step.event.statement);
                self.execution.push(step.event);
                let followed = match step.fault {
                    Some(_) if after.is_cut() => Some(0),
                    Some(fault) => {
                        self.results.faults.insert((fault, place));
                        self.end(&after, Ending::Fault(place))
                    }
                    None => self.follow(&after, left, Some(thread)),
                };
                self.execution.pop();
                executions = executions.saturating_add(followed?);
            }
        }
        for (thread, store) in flushes {
            let mut after = state.clone();
            after.flush(thread, store);
            let followed = self.follow(&after, left, running);
            executions = executions.saturating_add(followed?);
        }
        Some(executions)
    }

    /// Notes an execution: one, unless there are too many.
    fn end(&mut self, state: &State<'_>, ending: Ending) -> Option<u64> {
        let execution = Execution { events: &self.execution, writes: &state.writes() };
        let results = &mut self.results;
        results.executions += 1;
        results.classes.insert(classes::trace(execution));
        results.orders.insert(classes::orders(execution));
        if self.model == Model::Sc {
            results.levels.insert(classes::levels(&self.execution));
        }
        results.reads_from.insert(classes::reads_from(&self.execution));
        let views = classes::views(&self.execution);
        results.views.insert(views.clone());
        results.ends.insert((views, ending));
        for sequences in ReleaseSequences::ALL {
            let into = match sequences {
                ReleaseSequences::C11 => &mut results.races_c11,
                ReleaseSequences::C20 => &mut results.races,
            };
            for (first, second) in races(execution, sequences) {
                let place = |at: usize| (self.execution[at].thread, self.execution[at].statement);
                let (one, other) = (place(first), place(second));
                into.insert((one.min(other), one.max(other)));
            }
        }
        match self.limit {
            Limit::Executions(most) if results.executions > most => None,
            _ => Some(1),
        }
    }
}
