//! Asks about the oracle's programs in this process: no C, no compiler, no other process.
//!
//! Everything from the plan on is what the tool has ([`Verifier`]). What is not here is its front end, and what it does with a
//! violation: minimising, schedules, reports.

mod build;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use selvedge_oracle::{self as oracle, Outcome, Program as Oracle, graphs};
use selvedge_verify::{Counted, Fault, Memories, Model, ReleaseSequences, Request, Verifier};
use selvedge_vm::FaultKind;

use self::build::{Built, Ending, build};
use super::answer::{Answer, Places, Reported};
use super::truth::Under;

/// How long an exploration may take.
const LIMIT: Duration = Duration::from_secs(20);

/// What is asked of a program.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The explorer, and what it is told.
    pub explorer: &'q Request,
    /// The memory model.
    pub under: Under,
    /// What continues release sequences.
    pub sequences: oracle::ReleaseSequences,
    /// Whether data races are violations.
    pub reports_races: bool,
}

/// A program of the oracle, ready to be asked about: with both endings.
pub struct Case {
    distinguishing: Ready,
    observing: Ready,
}

/// Which ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// For each outcome another place is reached that is an error.
    Distinguishing,
    /// Nothing is wrong with any outcome.
    Observing,
}

struct Ready {
    verifier: Verifier,
    places: Arc<Places>,
}

impl Case {
    /// Makes a program ready. These outcomes are told apart.
    pub fn new(oracle: &Oracle, outcomes: &[&Outcome], memories: &Memories) -> Self {
        let ready = |ending| {
            let Built { program, places } = build(oracle, ending);
            Ready { verifier: Verifier::new(program).sharing(memories), places }
        };
        Self { distinguishing: ready(Ending::Distinguish(outcomes)), observing: ready(Ending::Observe) }
    }

    /// The answer, or what went wrong; and where things are.
    pub fn ask(&self, ends: Ends, question: &Question<'_>) -> Result<(Answer, Arc<Places>), String> {
        let ready = match ends {
            Ends::Distinguishing => &self.distinguishing,
            Ends::Observing => &self.observing,
        };
        match catch_unwind(AssertUnwindSafe(|| ready.ask(&question.request()))) {
            Ok(answer) => answer.map(|answer| (answer, ready.places.clone())),
            Err(_) => Err("it panicked".to_owned()),
        }
    }
}

impl Question<'_> {
    fn request(&self) -> Request {
        let model = match self.under {
            Under::Steps(oracle::Model::Sc) | Under::Graphs(graphs::Model::Sc) => Model::Sc,
            Under::Steps(oracle::Model::Tso) | Under::Graphs(graphs::Model::Tso) => Model::Tso,
            Under::Steps(oracle::Model::Pso) => Model::Pso,
            Under::Graphs(graphs::Model::ReleaseAcquire) => Model::Ra,
            Under::Graphs(graphs::Model::Rc11 | graphs::Model::Rc11AsPublished) => Model::Rc11,
        };
        let mut request = self.explorer.clone().model(model).all_violations().as_found().within(LIMIT);
        request.properties.sequences = match self.sequences {
            oracle::ReleaseSequences::C11 => ReleaseSequences::C11,
            oracle::ReleaseSequences::C20 => ReleaseSequences::C20,
        };
        match self.reports_races {
            true => request,
            false => request.allow(FaultKind::DataRace),
        }
    }
}

impl Ready {
    fn ask(&self, request: &Request) -> Result<Answer, String> {
        let outcome = self.verifier.verify(request).map_err(|error| error.to_string())?;
        if outcome.has_diverged {
            return Err(Fault::Diverged.to_string());
        }
        let source = &self.verifier.program().source;
        let line = |span| u64::from(source.span(span).line);
        let violations = outcome.violations.iter().map(|found| {
            let violation = &found.violation;
            let notes = violation.notes.iter().map(|note| line(note.span));
            Reported::new(violation.kind.name(), Some(line(violation.span)), notes)
        });
        let views = match outcome.counted {
            Counted::Views(counts) => counts.views,
            _ => 0,
        };
        Ok(Answer {
            violations: violations.collect(),
            executions: outcome.statistics.executions,
            blocked: outcome.statistics.blocked,
            views,
            limits: outcome.limits.iter().map(|limit| format!("{limit:?}")).collect(),
            looks_for_races: !request.allowed(outcome.stage.explorer).contains(&FaultKind::DataRace),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::examine::make;
    use super::super::explorer::Explorer;
    use super::super::judge::{Asked, Judge, Verdict};
    use super::super::plan::{DIRECT, DIRECT_LOOPS};
    use super::super::truth::Truths;
    use super::*;
    use selvedge_oracle::{Model, Order, ReleaseSequences, Statement, Value};

    fn judge(explorer: &str, model: Under, sequences: ReleaseSequences) -> Judge<'static> {
        let explorer = Explorer::named(explorer);
        Judge { asked: Asked::Explorers, explorer, model, sequences, most: 300, merge: false }
    }

    #[test]
    fn explorers_agree_with_the_oracle() {
        let steps = Model::ALL.map(Under::Steps).map(|model| (model, &DIRECT[..]));
        let graphs = [graphs::Model::Rc11, graphs::Model::ReleaseAcquire, graphs::Model::Sc];
        let graphs = graphs.map(Under::Graphs).map(|model| (model, &["graph"][..]));
        let agreed = agreed(steps.into_iter().chain(graphs), false);
        assert!(agreed > 150, "{agreed}");
    }

    #[test]
    fn explorers_agree_with_the_oracle_where_threads_wait_in_loops() {
        let steps = Model::ALL.map(Under::Steps).map(|model| (model, &DIRECT_LOOPS[..]));
        let agreed = agreed(steps.into_iter(), true);
        assert!(agreed > 100, "{agreed}");
    }

    /// How many comparisons there are on a few random programs; they must agree.
    fn agreed<'n>(compared: impl Iterator<Item = (Under, &'n [&'n str])>, loops: bool) -> u32 {
        let mut agreed = 0;
        for (model, explorers) in compared {
            for number in 0..12 {
                let program = make(5, number, model, loops, 0);
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
        agreed
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
        let case = Case::new(&oracle, &[], &Memories::default());
        let executions = |name, under| {
            let explorer = Explorer::named(name).request.expect("it can be asked");
            let sequences = ReleaseSequences::C20;
            let question = Question { explorer: &explorer, under, sequences, reports_races: true };
            let (answer, _) = case.ask(Ends::Observing, &question).expect("an answer");
            assert!(answer.violations.is_empty() && answer.limits.is_empty());
            answer.executions
        };
        assert_eq!(executions("optimal", Under::Steps(Model::Sc)), 3);
        assert_eq!(executions("optimal", Under::Steps(Model::Tso)), 4);
        assert_eq!(executions("graph", Under::Graphs(graphs::Model::Rc11)), 4);
        assert_eq!(executions("vieq", Under::Steps(Model::Sc)), 3);
    }

    #[test]
    fn what_cannot_be_asked_here_is_said() {
        let model = Under::Steps(Model::Sc);
        assert!(!judge("odd-name", model, ReleaseSequences::C20).is_possible());
        assert!(judge("optimal", model, ReleaseSequences::C20).is_possible());
    }
}
