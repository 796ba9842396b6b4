//! Explores the oracle's programs in this process: no C, no compiler, no other process.
//!
//! Everything from the machine on is what the tool has. What is not here is its front end, and what it does with a result:
//! minimising, schedules, reports.

mod build;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use selvedge_explore::graphs as execution_graphs;
use selvedge_explore::sampling::{pct, random};
use selvedge_explore::steps::{context_bound, dpor, exhaustive};
use selvedge_explore::views::{mcr, vieq};
use selvedge_explore::{Crew, Scope, ViewCounts};
use selvedge_explore::{Limits, Session, Settings, Statistics, Tally};
use selvedge_memory::axiomatic::{self, Axiomatic, Axioms};
use selvedge_memory::{Bounds, Buffered, Discipline, Sequential, Step, System};
use selvedge_oracle::{Model, Outcome, Program as Oracle, ReleaseSequences, graphs};
use selvedge_program::Program;
use selvedge_vm::{Config, FaultKind, Image, LoadError};

use self::build::{Built, Ending, build};
use super::answer::{Answer, Places, Reported};
use super::truth::Under;

/// How long an exploration may take.
const LIMIT: Duration = Duration::from_secs(20);

/// How many executions a sampling explorer runs, from which seed, and for bugs of which depth.
const SAMPLES: u64 = 20;
const SEED: u64 = 1;
const DEPTH: u32 = 3;

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// What the tool chooses.
    Default { workers: u32 },
    /// Wake-up trees.
    Optimal { workers: u32 },
    /// Source sets.
    Source,
    /// Persistent sets.
    Classic,
    /// With at most this many preemptions.
    Bounded(u32),
    /// All interleavings.
    Exhaustive,
    /// All interleavings with at most this many preemptions.
    Context(u32),
    /// Views, by search.
    Vieq { workers: u32 },
    /// Views, by a solver.
    Mcr { workers: u32 },
    /// The same, one execution each.
    SeMcr { workers: u32, patience: Option<u64> },
    /// Execution graphs.
    Graph { workers: u32 },
    /// Some at random.
    Random,
    /// Some by random priorities.
    Pct,
    /// Something that can be asked of the tool only.
    Indirect,
}

impl How {
    /// Whether it explores views.
    fn explores_views(self) -> bool {
        matches!(self, Self::Vieq { .. } | Self::Mcr { .. } | Self::SeMcr { .. })
    }

    /// What it is under a model: some are others by another name.
    pub fn under(self, under: Under) -> Self {
        match self {
            _ if under == Under::Steps(Model::Sc) => self,
            Self::Default { workers } => Self::Optimal { workers },
            Self::Vieq { workers } => Self::SeMcr { workers, patience: None },
            other => other,
        }
    }
}

/// What is asked of a program.
#[derive(Clone, Copy)]
pub struct Question {
    /// How to explore.
    pub how: How,
    /// The memory model.
    pub under: Under,
    /// What continues release sequences.
    pub sequences: ReleaseSequences,
    /// Whether data races are violations.
    pub reports_races: bool,
}

/// A program of the oracle, ready to be explored: with both endings, compiled, and with machines that were used before. (To make a
/// machine takes as long as to explore a small program.)
pub struct Case<'c> {
    distinguishing: Ready<'c>,
    observing: Ready<'c>,
}

/// Which ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// For each outcome another place is reached that is an error.
    Distinguishing,
    /// Nothing is wrong with any outcome.
    Observing,
}

struct Ready<'c> {
    built: &'c Built,
    steps: Option<&'c Image<'c>>,
    graphs: Option<&'c Image<'c>>,
    in_order: RefCell<Vec<Used<Sequential<'c>>>>,
    with_buffers: RefCell<Vec<Used<Buffered<'c>>>>,
}

/// A system that can be taken back to its start.
struct Used<S: System> {
    system: S,
    first: Step,
    start: S::Mark,
    /// What it was made for.
    kind: Kind,
}

/// What a system is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    under: Under,
    /// Whether data races are violations.
    reports_races: bool,
}

/// Makes a program ready to be explored under some models, and does something with it. The program distinguishes these outcomes.
pub fn with<T>(
    oracle: &Oracle,
    outcomes: &[&Outcome],
    models: &[Under],
    task: impl FnOnce(&Case<'_>) -> T,
) -> Result<T, String> {
    let built = [build(oracle, Ending::Distinguish(outcomes)), build(oracle, Ending::Observe)];
    let wants_graphs = models.iter().any(|under| matches!(under, Under::Graphs(_) | Under::Steps(Model::Sc)));
    let wants_steps = models.iter().any(|under| matches!(under, Under::Steps(_)));
    let (mut steps, mut graphs) = (Vec::new(), Vec::new());
    for built in &built {
        let image = wants_steps.then(|| Image::new(&built.program)).transpose();
        steps.push(image.map_err(in_words)?);
        let image = wants_graphs.then(|| Image::for_graphs(&built.program)).transpose();
        graphs.push(image.map_err(in_words)?);
    }
    let ready = |at: usize| Ready {
        built: &built[at],
        steps: steps[at].as_ref(),
        graphs: graphs[at].as_ref(),
        in_order: RefCell::default(),
        with_buffers: RefCell::default(),
    };
    Ok(task(&Case { distinguishing: ready(0), observing: ready(1) }))
}

impl Case<'_> {
    /// The answer, or what went wrong; and where things are.
    pub fn ask(&self, ends: Ends, question: &Question) -> Result<(Answer, Arc<Places>), String> {
        let ready = match ends {
            Ends::Distinguishing => &self.distinguishing,
            Ends::Observing => &self.observing,
        };
        match catch_unwind(AssertUnwindSafe(|| question.ask(ready))) {
            Ok(answer) => answer.map(|answer| (answer, ready.built.places.clone())),
            Err(_) => Err("it panicked".to_owned()),
        }
    }
}

fn in_words(error: LoadError) -> String {
    error.to_string()
}

/// No image was made for this: the model has no such executions.
fn not_ready<T>(image: Option<T>) -> Result<T, String> {
    image.ok_or_else(|| "the program was not made ready for this".to_owned())
}

/// How far threads may go: random programs have no loops.
const BOUNDS: Bounds = Bounds { unroll: None, steps: None };

impl Question {
    fn reports_races(&self) -> bool {
        self.reports_races && !self.how.explores_views()
    }

    fn settings(&self) -> Settings {
        Settings {
            allowed: if self.reports_races() { Vec::new() } else { vec![FaultKind::DataRace] },
            keep_going: true,
            limits: Limits { executions: None, deadline: Some(Instant::now() + LIMIT) },
            robust: false,
            sequences: match self.sequences {
                ReleaseSequences::C11 => selvedge_memory::ReleaseSequences::C11,
                ReleaseSequences::C20 => selvedge_memory::ReleaseSequences::C20,
            },
        }
    }

    fn config(&self) -> Config {
        Config { allowed: self.settings().allowed.into_iter().collect(), ..Config::default() }
    }

    fn ask(&self, ready: &Ready<'_>) -> Result<Answer, String> {
        match (self.under, self.how) {
            (Under::Steps(Model::Sc), How::Default { .. }) => match self.try_graphs(ready)? {
                Some(answer) => Ok(answer),
                None => self.in_order(ready),
            },
            (Under::Steps(Model::Sc), _) => self.in_order(ready),
            (Under::Steps(model), _) => {
                let image = not_ready(ready.steps)?;
                let discipline = if model == Model::Tso { Discipline::Tso } else { Discipline::Pso };
                let start = || Buffered::new(image, self.config(), BOUNDS, discipline);
                self.by_steps(&ready.built.program, &ready.with_buffers, &start)
            }
            (Under::Graphs(model), How::Graph { workers }) => match model {
                graphs::Model::Sc => self.by_graphs::<axiomatic::Sc>(ready, workers),
                graphs::Model::Tso => self.by_graphs::<axiomatic::Tso>(ready, workers),
                graphs::Model::ReleaseAcquire => self.by_graphs::<axiomatic::ReleaseAcquire>(ready, workers),
                graphs::Model::Rc11 | graphs::Model::Rc11AsPublished => {
                    self.by_graphs::<axiomatic::Rc11>(ready, workers)
                }
            },
            (Under::Graphs(_), _) => Err("graphs cannot be explored that way".to_owned()),
        }
    }

    fn in_order(&self, ready: &Ready<'_>) -> Result<Answer, String> {
        let image = not_ready(ready.steps)?;
        let start = || Sequential::new(image, self.config(), BOUNDS);
        self.by_steps(&ready.built.program, &ready.in_order, &start)
    }

    fn by_steps<S: System>(
        &self,
        program: &Program,
        used: &RefCell<Vec<Used<S>>>,
        start: &(dyn Fn() -> Result<(S, Step), LoadError> + Sync),
    ) -> Result<Answer, String> {
        let kind = Kind { under: self.under, reports_races: self.reports_races() };
        let known = used.borrow().iter().position(|used| used.kind == kind);
        let again = known.map(|at| used.borrow_mut().swap_remove(at));
        let Used { system, first, start: mark, .. } = match again {
            Some(mut again) => {
                again.system.rewind(&again.start);
                again
            }
            None => {
                let (mut system, first) = start().map_err(in_words)?;
                let start = system.mark();
                Used { system, first, start, kind }
            }
        };
        let (interrupted, tally) = (AtomicBool::new(false), Tally::default());
        let mut observer = |_: &Statistics| {};
        let mut session = Session::new(system, first.clone(), self.settings(), &interrupted, &mut observer);
        let views = self.explore(&mut session, &tally, start)?;
        if views.is_some_and(|views| views.diverged) {
            return Err("an execution did not go as its events had said".to_owned());
        }
        let mut answer = answer(program, &session)?;
        answer.views = views.map_or(0, |views| views.views);
        answer.looks_for_races = views.is_none();
        used.borrow_mut().push(Used { system: session.system, first, start: mark, kind });
        Ok(answer)
    }

    /// Explores; returns what was counted if it explores views.
    fn explore<'s, S: System>(
        &self,
        session: &mut Session<'s, S>,
        tally: &'s Tally,
        start: &(dyn Fn() -> Result<(S, Step), LoadError> + Sync),
    ) -> Result<Option<ViewCounts>, String> {
        let is_sc = self.under == Under::Steps(Model::Sc);
        let system = || start().ok();
        let crew = |workers: u32| Crew { workers: workers as usize, system: &system, tally };
        let views = match self.how.under(self.under) {
            How::Optimal { workers } | How::Default { workers } if workers > 1 => {
                session.count_with(tally);
                dpor::optimal::explore_together(session, &crew(workers));
                return Ok(None);
            }
            How::Optimal { .. } | How::Default { .. } => {
                dpor::optimal::explore(session);
                return Ok(None);
            }
            How::Source => {
                dpor::source::explore(session);
                return Ok(None);
            }
            How::Classic => {
                dpor::classic::explore(session);
                return Ok(None);
            }
            How::Bounded(most) => {
                dpor::bounded::explore(session, most);
                return Ok(None);
            }
            How::Exhaustive => {
                exhaustive::explore(session);
                return Ok(None);
            }
            How::Context(most) => {
                context_bound::explore(session, most);
                return Ok(None);
            }
            How::Random => {
                random::explore(session, SEED, SAMPLES);
                return Ok(None);
            }
            How::Pct => {
                pct::explore(session, SEED, SAMPLES, DEPTH);
                return Ok(None);
            }
            How::Vieq { workers } => {
                if workers > 1 {
                    session.count_with(tally);
                }
                vieq::explore(session, &crew(workers))
            }
            How::Mcr { workers } => mcr::explore(session, workers as usize, mcr::Predicting::Nothing),
            How::SeMcr { workers, patience } if !is_sc || patience == Some(0) => {
                let patience = patience.unwrap_or(mcr::PATIENCE);
                mcr::explore_switching(session, workers as usize, mcr::Predicting::Nothing, patience)
            }
            How::SeMcr { workers, patience } => {
                if workers > 1 {
                    session.count_with(tally);
                }
                let patience = patience.unwrap_or(mcr::PATIENCE);
                mcr::explore_switching_after_orders(session, &crew(workers), patience)
            }
            How::Graph { .. } | How::Indirect => return Err("steps cannot be explored that way".to_owned()),
        };
        Ok(Some(views))
    }

    /// Explores graphs in place of steps, as the tool does if it may choose; nothing if they do not fit, or something is wrong.
    fn try_graphs(&self, ready: &Ready<'_>) -> Result<Option<Answer>, String> {
        let image = not_ready(ready.graphs)?;
        let settings = Settings { keep_going: false, ..self.settings() };
        let sequences = settings.sequences;
        let (system, first) =
            Axiomatic::<axiomatic::Sc>::new(image, self.config(), BOUNDS, Vec::new(), sequences)
                .map_err(in_words)?;
        let interrupted = AtomicBool::new(false);
        let mut observer = |_: &Statistics| {};
        let mut session = Session::new(system, first, settings, &interrupted, &mut observer);
        let outcome = execution_graphs::explore(&mut session, Scope::Orders);
        let fits = outcome == execution_graphs::Completion::Ended
            && session.found.is_empty()
            && session.limits_reached.is_empty()
            && session.unsupported.is_none();
        if fits { answer(&ready.built.program, &session).map(Some) } else { Ok(None) }
    }

    fn by_graphs<A: Axioms>(&self, ready: &Ready<'_>, workers: u32) -> Result<Answer, String> {
        let image = not_ready(ready.graphs)?;
        let mut cuts: Vec<u64> = Vec::new();
        loop {
            let settings = self.settings();
            let sequences = settings.sequences;
            let start = || Axiomatic::<A>::new(image, self.config(), BOUNDS, cuts.clone(), sequences);
            let (system, first) = start().map_err(in_words)?;
            let (interrupted, tally) = (AtomicBool::new(false), Tally::default());
            let mut observer = |_: &Statistics| {};
            let mut session = Session::new(system, first, settings, &interrupted, &mut observer);
            if workers > 1 {
                session.count_with(&tally);
                let system = || start().ok();
                let crew = Crew { workers: workers as usize, system: &system, tally: &tally };
                execution_graphs::explore_together(&mut session, &crew, Scope::Any);
            } else {
                execution_graphs::explore(&mut session, Scope::Any);
            }
            match &session.unsupported {
                Some(reached) if !reached.cuts.is_empty() => cuts.extend(&reached.cuts),
                _ => return answer(&ready.built.program, &session),
            }
        }
    }
}

/// What a session has found.
fn answer<S: System>(program: &Program, session: &Session<'_, S>) -> Result<Answer, String> {
    if let Some(reached) = &session.unsupported {
        return Err(format!("unsupported: {}", reached.what));
    }
    let line = |span| u64::from(program.source.span(span).line);
    let violations = session.found.iter().map(|found| {
        let violation = &found.violation;
        let notes = violation.notes.iter().map(|note| line(note.span));
        Reported::new(violation.kind.name(), Some(line(violation.span)), notes)
    });
    Ok(Answer {
        violations: violations.collect(),
        executions: session.statistics.executions,
        blocked: session.statistics.blocked,
        views: 0,
        limits: session.limits_reached.iter().map(|limit| format!("{limit:?}")).collect(),
        looks_for_races: true,
    })
}

#[cfg(test)]
mod tests {
    use super::super::examine::make;
    use super::super::explorer::Explorer;
    use super::super::judge::{Asked, Judge, Verdict};
    use super::super::plan::DIRECT;
    use super::super::truth::Truths;
    use super::*;
    use selvedge_oracle::{Order, Statement, Value};

    fn judge(explorer: &str, model: Under, sequences: ReleaseSequences) -> Judge<'static> {
        let explorer = Explorer::named(explorer);
        Judge { asked: Asked::Explorers, explorer, model, sequences, most: 300, merge: false }
    }

    #[test]
    fn explorers_agree_with_the_oracle() {
        let steps = Model::ALL.map(Under::Steps).map(|model| (model, &DIRECT[..]));
        let graphs = [graphs::Model::Rc11, graphs::Model::ReleaseAcquire, graphs::Model::Sc];
        let graphs = graphs.map(Under::Graphs).map(|model| (model, &["graph"][..]));
        let mut agreed = 0;
        for (model, explorers) in steps.into_iter().chain(graphs) {
            for number in 0..12 {
                let program = make(5, number, model, 0);
                let sequences = ReleaseSequences::ALL[number as usize % 2];
                let size = judge("optimal", model, sequences).size();
                let mut truths = Truths::new(&program, sequences, size, Vec::new());
                for explorer in explorers {
                    let judge = judge(explorer, model, sequences);
                    let verdict = judge.examine(&program, judge.truth(&mut truths), None);
                    match verdict.expect("nothing is run") {
                        Verdict::TooLarge => {}
                        Verdict::Agreed(_) => agreed += 1,
                        Verdict::Disagreed { what, .. } => panic!("{model:?} {explorer} {number}: {what}"),
                    }
                }
            }
        }
        assert!(agreed > 150, "{agreed}");
    }

    /// Store buffering: what each model has, by hand.
    #[test]
    fn store_buffering_has_the_known_outcomes() {
        let store = |at| Statement::Store { at, value: Value::Constant(1), order: Order::Relaxed };
        let load = |at| Statement::Load { into: 0, at, order: Order::Relaxed };
        let main = [1, 2].map(|thread| Statement::Spawn { thread }).into_iter();
        let main = main.chain([1, 2].map(|thread| Statement::Join { thread })).collect();
        let threads = vec![main, vec![store(0), load(1)], vec![store(1), load(0)]];
        let oracle = Oracle { locations: vec![0, 0], registers: 1, threads, ..Oracle::default() };
        let built = build(&oracle, Ending::Observe);
        assert_eq!(selvedge_program::verify::verify(&built.program), Ok(()));
        let executions = |how, under| {
            let question = Question { how, under, sequences: ReleaseSequences::C20, reports_races: true };
            let ask = |case: &Case<'_>| {
                // Asked twice, the answer is the same, though the machine was used before.
                let answers = [0, 1].map(|_| case.ask(Ends::Observing, &question).expect("an answer").0);
                assert!(
                    answers.iter().all(|answer| answer.violations.is_empty() && answer.limits.is_empty())
                );
                assert_eq!(answers[0].executions, answers[1].executions);
                answers[0].executions
            };
            with(&oracle, &[], &[under], ask).expect("a program that can be compiled")
        };
        let optimal = How::Optimal { workers: 1 };
        assert_eq!(executions(optimal, Under::Steps(Model::Sc)), 3);
        assert_eq!(executions(optimal, Under::Steps(Model::Tso)), 4);
        assert_eq!(executions(How::Graph { workers: 1 }, Under::Graphs(graphs::Model::Rc11)), 4);
        assert_eq!(executions(How::Vieq { workers: 1 }, Under::Steps(Model::Sc)), 3);
    }

    #[test]
    fn what_cannot_be_asked_here_is_said() {
        let model = Under::Steps(Model::Sc);
        assert!(!judge("predict", model, ReleaseSequences::C20).is_possible());
        assert!(judge("optimal", model, ReleaseSequences::C20).is_possible());
    }
}
