//! Explorers by name, and what they say of a program.

use crate::executions::line_of;
use selvedge_explore::graphs;
use selvedge_explore::sampling::{pct, random};
use selvedge_explore::steps::{context_bound, dpor, exhaustive};
use selvedge_explore::views::mcr::{self, Predicting};
use selvedge_explore::views::vieq;
use selvedge_explore::{Crew, Scope};
use selvedge_explore::{Found, Limit, Session, Settings, Statistics, Tally};
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_memory::{Bounds, Buffered, Discipline, ReleaseSequences, Sequential, Step, System};
use selvedge_program::Program;
use selvedge_vm::{Config, FaultKind, Image};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// An explorer of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Exhaustive,
    Optimal { workers: usize },
    Source,
    Classic,
    Bounded(u32),
    Context(u32),
    Vieq { workers: usize },
    Mcr { workers: usize },
    SeMcr,
    Random { seed: u64, count: u64 },
    Pct { seed: u64, count: u64, depth: u32 },
}

/// An operational model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    Sc,
    Tso,
    Pso,
}

pub const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// What an exploration has found.
#[derive(Debug, Clone)]
pub struct Said {
    pub statistics: Statistics,
    pub found: Vec<Found>,
    /// Kinds and lines of what is wrong.
    pub wrong: BTreeSet<(String, u32)>,
    pub limits: Vec<Limit>,
    /// Different views, if that is what was explored.
    pub views: Option<u64>,
}

/// Everything is looked for, to the end.
pub fn everything() -> Settings {
    Settings { keep_going: true, ..Settings::default() }
}

/// As [`everything`], but data races are allowed.
pub fn no_races() -> Settings {
    Settings { allowed: vec![FaultKind::DataRace], ..everything() }
}

fn config(settings: &Settings) -> Config {
    Config { allowed: settings.allowed.iter().copied().collect(), ..Config::default() }
}

/// Does something with a fresh session.
pub fn with_session<S: System, T>(
    (system, first): (S, Step),
    settings: Settings,
    task: impl FnOnce(&mut Session<'_, S>) -> T,
) -> T {
    let interrupted = AtomicBool::new(false);
    let mut observer = |_: &Statistics| {};
    task(&mut Session::new(system, first, settings, &interrupted, &mut observer))
}

/// Does something with a fresh session under sequential consistency.
pub fn in_session<T>(
    program: &Program,
    settings: Settings,
    task: impl FnOnce(&mut Session<'_, Sequential<'_>>) -> T,
) -> T {
    let image = Image::new(program).expect("a program");
    let system = Sequential::new(&image, config(&settings), Bounds::default()).expect("a machine");
    with_session(system, settings, task)
}

fn said<S: System>(program: &Program, session: &Session<'_, S>, views: Option<u64>) -> Said {
    assert!(session.unsupported.is_none(), "{:?}", session.unsupported);
    let wrong = session.found.iter().map(|found| {
        let violation = &found.violation;
        (violation.kind.name().to_owned(), line_of(program, violation.span))
    });
    Said {
        statistics: session.statistics,
        found: session.found.clone(),
        wrong: wrong.collect(),
        limits: session.limits_reached.clone(),
        views,
    }
}

fn run<S: System>(
    program: &Program,
    how: How,
    settings: Settings,
    start: &(dyn Fn() -> (S, Step) + Sync),
    is_sc: bool,
) -> Said {
    let (interrupted, tally) = (AtomicBool::new(false), Tally::default());
    let mut observer = |_: &Statistics| {};
    let (system, first) = start();
    let mut session = Session::new(system, first, settings, &interrupted, &mut observer);
    let system = || Some(start());
    let crew = |workers: usize| Crew { workers, system: &system, tally: &tally };
    let views = match how {
        How::Exhaustive => {
            exhaustive::explore(&mut session);
            None
        }
        How::Optimal { workers: 1 } => {
            dpor::optimal::explore(&mut session);
            None
        }
        How::Optimal { workers } => {
            session.count_with(&tally);
            dpor::optimal::explore_together(&mut session, &crew(workers));
            None
        }
        How::Source => {
            dpor::source::explore(&mut session);
            None
        }
        How::Classic => {
            dpor::classic::explore(&mut session);
            None
        }
        How::Bounded(most) => {
            dpor::bounded::explore(&mut session, most);
            None
        }
        How::Context(most) => {
            context_bound::explore(&mut session, most);
            None
        }
        How::Random { seed, count } => {
            random::explore(&mut session, seed, count);
            None
        }
        How::Pct { seed, count, depth } => {
            pct::explore(&mut session, seed, count, depth);
            None
        }
        How::Vieq { workers } if is_sc => Some(vieq::explore(&mut session, &crew(workers))),
        How::Vieq { workers } => {
            Some(mcr::explore_switching(&mut session, workers, Predicting::Nothing, mcr::PATIENCE))
        }
        How::Mcr { workers } => Some(mcr::explore(&mut session, workers, Predicting::Nothing)),
        How::SeMcr => Some(mcr::explore_switching(&mut session, 1, Predicting::Nothing, 0)),
    };
    assert!(views.is_none_or(|views| !views.diverged));
    said(program, &session, views.map(|views| views.views))
}

/// Lets an explorer explore a program under a model.
pub fn explore_with(program: &Program, how: How, model: Model, settings: Settings) -> Said {
    let image = Image::new(program).expect("a program");
    let (config, bounds) = (config(&settings), Bounds::default());
    let discipline = if model == Model::Pso { Discipline::Pso } else { Discipline::Tso };
    match model {
        Model::Sc => {
            let start = || Sequential::new(&image, config.clone(), bounds).expect("a machine");
            run(program, how, settings.clone(), &start, true)
        }
        _ => {
            let start = || Buffered::new(&image, config.clone(), bounds, discipline).expect("a machine");
            run(program, how, settings.clone(), &start, false)
        }
    }
}

/// The same to the end, where data races are allowed.
pub fn explore(program: &Program, how: How, model: Model) -> Said {
    explore_with(program, how, model, no_races())
}

/// How many orders of dependent operations there are, of all interleavings.
pub fn classes(program: &Program, model: Model) -> u64 {
    classes_with(program, model, no_races())
}

/// The same with settings.
pub fn classes_with(program: &Program, model: Model, settings: Settings) -> u64 {
    let image = Image::new(program).expect("a program");
    let bounds = Bounds::default();
    let discipline = if model == Model::Pso { Discipline::Pso } else { Discipline::Tso };
    match model {
        Model::Sc => {
            let system = Sequential::new(&image, config(&settings), bounds).expect("a machine");
            with_session(system, settings, exhaustive::explore_and_count)
        }
        _ => {
            let system = Buffered::new(&image, config(&settings), bounds, discipline).expect("a machine");
            with_session(system, settings, exhaustive::explore_and_count)
        }
    }
}

/// Explores the graphs of a program, with so many workers.
pub fn explore_graphs<A: Axioms>(
    program: &Program,
    settings: Settings,
    cuts: &[u64],
    workers: usize,
) -> Said {
    let image = Image::for_graphs(program).expect("a program");
    let start = || {
        let (config, bounds) = (config(&settings), Bounds::default());
        let sequences = ReleaseSequences::default();
        Axiomatic::<A>::new(&image, config, bounds, cuts.to_vec(), sequences).expect("a machine")
    };
    let (interrupted, tally) = (AtomicBool::new(false), Tally::default());
    let mut observer = |_: &Statistics| {};
    let (system, first) = start();
    let mut session = Session::new(system, first, settings.clone(), &interrupted, &mut observer);
    let system = || Some(start());
    let outcome = match workers {
        1 => graphs::explore(&mut session, Scope::Any),
        workers => {
            session.count_with(&tally);
            graphs::explore_together(
                &mut session,
                &Crew { workers, system: &system, tally: &tally },
                Scope::Any,
            )
        }
    };
    assert_eq!(outcome, graphs::Completion::Ended);
    said(program, &session, None)
}
