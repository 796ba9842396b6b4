//! Runs the tool on a program and compares what it says with what the oracle knows.
//!
//! One run tells almost everything: main asserts of each possible outcome that it is another one, and then
//! that there is no other; with `--keep-going` the lines of the failed assertions are the outcomes that the
//! tool has found. Executions end with their first data race, so a program with races is run a second time,
//! with the races allowed.
//!
//! An explorer with a bound is compared with what there is within the bound; but if it says that it has left
//! nothing out, with everything.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use selvedge_explore::explorer::Promise as Declared;
use selvedge_oracle::{
    Epilogue, Fault, Invalid, Model, Outcome, Place, Program, ReleaseSequences, Results, Statement, graphs,
    interleavings, interleavings_bounded, interleavings_merged, print_c,
};
use serde_json::Value;

use super::answer::{Answer, Places, Reported};
use super::direct::{self, Case, Ends, How, Question};
use crate::error::Error;
use crate::process::{self, End};
use crate::tools::Tools;

/// The time after which the tool hangs.
const LIMIT: Duration = Duration::from_secs(60);
/// How often the sampling explorers run a program.
const SAMPLES: &str = "300";
/// A bound on preemptions that bounds nothing here.
const UNBOUNDED: u32 = 1000;
/// The same as text.
const UNBOUNDED_TEXT: &str = "1000";

/// A memory model, and how it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// By the steps of a machine.
    Steps(Model),
    /// By axioms on execution graphs.
    Graphs(graphs::Model),
}

impl Under {
    /// The name of the model.
    fn name(self) -> &'static str {
        match self {
            Self::Steps(model) => model.name(),
            Self::Graphs(model) => model.name(),
        }
    }
}

/// Whether data races are violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Races {
    Reported,
    Allowed,
}

/// The oracle looks at so many small graphs for each one that counts, at most.
const SMALL_GRAPHS: u64 = 20;

/// Executions that are merged come to at most so many points for each one that counts.
const POINTS: u64 = 1;

/// What an explorer promises, of the executions within its bound if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// Every interleaving.
    Interleavings,
    /// One execution per Mazurkiewicz class.
    Classes,
    /// One execution per consistent graph.
    Graphs,
    /// One execution per view, of a program that looks at everything in the end. Races are not looked for.
    Views,
    /// At least one execution per view of such a program, and all views are counted.
    Covered,
    /// Everything there is to find, in at least one execution per class.
    Complete,
    /// Everything there is to find.
    Findings,
    /// Nothing that does not exist.
    Sample,
}

impl Promise {
    /// What an explorer declares.
    fn declared(explorer: selvedge_explore::Explorer) -> Self {
        let about = explorer.about();
        match about.promise {
            Declared::Orders => Self::Classes,
            Declared::Graphs => Self::Graphs,
            Declared::Views => Self::Views,
            Declared::Interleavings => Self::Interleavings,
            Declared::Complete if about.counts_views() => Self::Covered,
            Declared::Complete => Self::Complete,
            Declared::Sample => Self::Sample,
        }
    }
}

/// An explorer of the tool, with some of its options.
#[derive(Clone, Debug)]
pub struct Explorer {
    /// What it is called here.
    pub name: String,
    options: Vec<String>,
    /// The same without the tool.
    how: How,
    promise: Promise,
    /// The most preemptions.
    preemptions: Option<u32>,
    /// Whether the tool chooses how to explore.
    chosen: bool,
}

impl Explorer {
    /// What is known of an explorer; one that is not known here is expected to find everything. `bounded-2` is
    /// partial-order reduction with at most two preemptions, `context-2` the same without reduction, and
    /// `workers-3` is `optimal` with three workers; `default` is what the tool chooses, and `default-2` that with two
    /// workers; `predict` is `se-mcr` with prediction, and `patience-3` is `se-mcr` that looks at three states before it asks
    /// the solver.
    pub fn named(name: &str) -> Self {
        let (family, number) = match name.rsplit_once('-').map(|(family, text)| (family, text.parse())) {
            Some((family, Ok(number))) => (family, Some(number)),
            _ => (name, None),
        };
        let number_text = number.map_or(String::new(), |number: u32| number.to_string());
        let workers = number.unwrap_or(1);
        let (options, promise, how) = match (family, number) {
            ("bounded", Some(most)) => {
                (vec!["--preemptions", &number_text], Promise::Findings, How::Bounded(most))
            }
            ("context", Some(most)) => (
                vec!["--explorer", family, "--preemptions", &number_text],
                Promise::Interleavings,
                How::Context(most),
            ),
            ("workers", Some(_)) => (
                vec!["--explorer", "optimal", "--workers", &number_text],
                Promise::Classes,
                How::Optimal { workers },
            ),
            ("graph", None) => (vec!["--explorer", name], Promise::Graphs, How::Graph),
            ("vieq" | "se-mcr", _) => {
                let how = match family {
                    "vieq" => How::Vieq { workers },
                    _ => How::SeMcr { workers, patience: None },
                };
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--explorer", family, "--workers", number], Promise::Views, how)
            }
            ("predict", None) => (
                vec!["--explorer", "se-mcr", "--predict", "--workers", "1"],
                Promise::Findings,
                How::Indirect,
            ),
            ("patience", Some(states)) => {
                let options = ["--explorer", "se-mcr", "--patience", &number_text, "--workers", "1"];
                let how = How::SeMcr { workers: 1, patience: Some(u64::from(states)) };
                (options.to_vec(), Promise::Views, how)
            }
            ("mcr", _) => {
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--explorer", family, "--workers", number], Promise::Covered, How::Mcr { workers })
            }
            ("optimal", None) => {
                (vec!["--explorer", name, "--workers", "1"], Promise::Classes, How::Optimal { workers })
            }
            ("default", _) => {
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--workers", number], Promise::Classes, How::Default { workers })
            }
            ("exhaustive", None) => (vec!["--explorer", name], Promise::Interleavings, How::Exhaustive),
            ("context", None) => {
                let options = vec!["--explorer", name, "--preemptions", UNBOUNDED_TEXT];
                (options, Promise::Interleavings, How::Context(UNBOUNDED))
            }
            ("random" | "pct", None) => {
                (vec!["--explorer", name, "--max-executions", SAMPLES], Promise::Sample, How::Indirect)
            }
            ("source", None) => (vec!["--explorer", name], Promise::Complete, How::Source),
            ("classic", None) => (vec!["--explorer", name], Promise::Complete, How::Classic),
            _ => (vec!["--explorer", name], Promise::Complete, How::Indirect),
        };
        // What is known by its own name has said itself what it promises.
        let promise = match selvedge_explore::Explorer::from_name(name) {
            Some(explorer) => Promise::declared(explorer),
            None => promise,
        };
        let options = options.into_iter().map(str::to_owned).collect();
        let preemptions = number.filter(|_| matches!(family, "bounded" | "context"));
        Self { name: name.to_owned(), options, how, promise, preemptions, chosen: family == "default" }
    }

    /// The options that select it.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(String::as_str)
    }

    /// Whether it looks at executions with few preemptions only.
    pub fn is_bounded(&self) -> bool {
        self.preemptions.is_some()
    }

    /// Whether it is about what is read, and does not look for races.
    fn explores_views(&self) -> bool {
        matches!(self.promise, Promise::Views | Promise::Covered)
    }

    fn finds_all(&self) -> bool {
        self.promise != Promise::Sample
    }

    /// The fewest and the most executions that keep its promise, if these are the executions that it is about.
    pub fn executions(&self, results: &Results) -> (u64, u64) {
        let (executions, classes) = (results.executions, results.classes.len() as u64);
        // Where an execution stops at a fault, what is left of its class is not defined.
        let defined = results.faults.is_empty();
        match self.promise {
            Promise::Interleavings | Promise::Graphs => (executions, executions),
            Promise::Classes if defined => (classes, classes),
            Promise::Views if defined => (results.ends.len() as u64, results.ends.len() as u64),
            Promise::Complete if defined => (classes, executions),
            Promise::Covered if defined => (results.ends.len() as u64, u64::MAX),
            Promise::Findings if defined => (1, executions),
            Promise::Classes | Promise::Views | Promise::Covered | Promise::Complete | Promise::Findings => {
                (1, u64::MAX)
            }
            Promise::Sample => (0, u64::MAX),
        }
    }
}

/// What a program can do.
pub struct Truth {
    /// Within the bound of the explorer, if it has one.
    pub within: Results,
    /// With and without: nothing if there is no bound, or too much to know.
    all: Option<Results>,
    bounded: bool,
    /// Whether the tool has the same interleavings.
    countable: bool,
    /// Whether there are condition variables.
    signals: bool,
}

impl Truth {
    /// Nothing, if there are more than `most` executions within the bound; or points, if these are `merged`.
    fn of(
        program: &Program,
        (model, sequences): (Under, ReleaseSequences),
        most: u64,
        merge: bool,
        preemptions: Option<u32>,
    ) -> Option<Self> {
        let model = match model {
            Under::Steps(model) => model,
            Under::Graphs(model) => return Self::of_graphs(program, model, sequences, most),
        };
        let with_races = |results: Option<Results>| match sequences {
            ReleaseSequences::C11 => results.map(|r| Results { races: r.races_c11.clone(), ..r }),
            ReleaseSequences::C20 => results,
        };
        let results = |preemptions| -> Result<Option<Results>, Invalid> {
            let results = match preemptions {
                _ if merge => interleavings_merged(program, model, most, preemptions),
                Some(bound) => interleavings_bounded(program, model, most, bound),
                None => interleavings(program, model, most),
            };
            results.map(with_races)
        };
        let all = results(None).ok()?;
        let countable = model == Model::Sc || !main_is_alone(program);
        let signals = program.conditions > 0;
        Some(match preemptions {
            None => Self { within: all?, all: None, bounded: false, countable, signals },
            Some(_) => Self { within: results(preemptions).ok()??, all, bounded: true, countable, signals },
        })
    }

    /// The same for execution graphs: each counts as an execution.
    fn of_graphs(
        program: &Program,
        model: graphs::Model,
        sequences: ReleaseSequences,
        most: u64,
    ) -> Option<Self> {
        let model = match (model, sequences) {
            (graphs::Model::Rc11, ReleaseSequences::C11) => graphs::Model::Rc11AsPublished,
            (model, _) => model,
        };
        let graphs = graphs::enumerate(program, model, most.saturating_mul(SMALL_GRAPHS)).ok()??;
        let within = Results {
            executions: graphs.graphs() as u64,
            outcomes: graphs.outcomes,
            deadlocks: graphs.deadlocks,
            faults: graphs.faults,
            races: match sequences {
                ReleaseSequences::C11 => graphs.races_c11,
                ReleaseSequences::C20 => graphs.races,
            },
            ..Results::default()
        };
        Some(Self { within, all: None, bounded: false, countable: true, signals: program.conditions > 0 })
    }

    /// Everything, unless that is too much.
    fn all(&self) -> Option<&Results> {
        if self.bounded { self.all.as_ref() } else { Some(&self.within) }
    }

    /// Whether the bound leaves something out.
    pub fn is_cut(&self) -> bool {
        self.all().is_none_or(|all| self.within.executions < all.executions)
    }

    /// Whether there may be races, beyond the bound or within.
    fn may_race(&self) -> bool {
        self.all().is_none_or(|all| !all.races.is_empty())
    }

    /// Whether the tool may have found something; `exists` says of results whether it is among them, and whether
    /// anything of its kind is. Beyond a bound there is less to know: what is reported is the simplest violation
    /// of its kind at its place, with other participants perhaps and more preemptions.
    fn some(&self, exists: impl Fn(&Results) -> (bool, bool)) -> bool {
        let (here, any) = exists(&self.within);
        match self.bounded {
            true => any && self.all.as_ref().is_none_or(|all| exists(all).0),
            false => here,
        }
    }

    /// All outcomes that are known, in their order.
    pub fn list_outcomes(&self) -> Vec<&Outcome> {
        self.outcomes().iter().collect()
    }

    /// All outcomes that are known.
    fn outcomes(&self) -> &BTreeSet<Outcome> {
        &self.all().unwrap_or(&self.within).outcomes
    }
}

/// Whether main does something while there is no other thread. To the tool such accesses are private, so that nothing
/// is buffered; in the oracle there are several times at which a store can reach memory. Nobody sees a difference.
fn main_is_alone(program: &Program) -> bool {
    let is_start = |statement: &Statement| matches!(statement, Statement::Spawn { .. });
    let is_end = |statement: &Statement| matches!(statement, Statement::Join { .. });
    match program.threads.first().map(Vec::as_slice) {
        Some([first, .., last]) => !is_start(first) || !is_end(last),
        _ => true,
    }
}

/// What the tool and the oracle do not agree on.
#[derive(Clone, Debug)]
pub enum Disagreement {
    /// The tool broke, or its answer cannot be read.
    Broken(String),
    /// The number of executions.
    Executions { tool: u64, fewest: u64, most: u64 },
    /// The tool says that it has left something out; there is nothing else.
    LeftOut(String),
    /// Explorations that turned out to be redundant, of an explorer that promises none.
    Redundant(u64),
    /// An outcome that the tool has not found.
    OutcomeMissed(Outcome),
    /// The tool has found an outcome that does not exist.
    OutcomeInvented,
    /// A violation of this kind that the tool has not found.
    Missed(&'static str),
    /// A violation that does not exist, or not there.
    Invented { kind: String, lines: Vec<u64> },
}

impl Disagreement {
    /// In one word, for names of files.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Broken(_) => "broken",
            Self::Executions { .. } => "executions",
            Self::LeftOut(_) => "left-out",
            Self::Redundant(_) => "redundant",
            Self::OutcomeMissed(_) => "outcome-missed",
            Self::OutcomeInvented => "outcome-invented",
            Self::Missed(_) => "missed",
            Self::Invented { .. } => "invented",
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(what) => write!(f, "the tool broke: {what}"),
            Self::Executions { tool, fewest, most } if fewest == most => {
                write!(f, "the tool counts {tool} executions, the oracle {most}")
            }
            Self::Executions { tool, fewest, most } => {
                write!(f, "the tool counts {tool} executions, there must be {fewest} to {most}")
            }
            Self::LeftOut(what) => write!(f, "nothing is left out, but the tool says: {what}"),
            Self::Redundant(count) => write!(f, "{count} explorations were redundant"),
            Self::OutcomeMissed(outcome) => write!(f, "the tool has not found: {outcome}"),
            Self::OutcomeInvented => write!(f, "the tool has found an outcome that does not exist"),
            Self::Missed(kind) => write!(f, "the tool has not found any {kind}"),
            Self::Invented { kind, lines } => write!(f, "there is no {kind} at lines {lines:?}"),
        }
    }
}

/// What is known of one program under one model, for each bound on preemptions.
#[derive(Default)]
pub struct Truths(Vec<(Option<u32>, Option<Arc<Truth>>)>);

/// Who is asked.
#[derive(Clone, Copy)]
pub enum Asked<'t> {
    /// The tool, about a C program.
    Tool(&'t Tools),
    /// The explorers, in this process.
    Explorers,
}

impl Asked<'_> {
    fn is_tool(self) -> bool {
        matches!(self, Asked::Tool(_))
    }
}

/// What became of a program.
pub enum Verdict {
    /// It has too many executions for the oracle.
    TooLarge,
    /// Tool and oracle agree.
    Agreed(Arc<Truth>),
    /// They do not.
    Disagreed {
        /// On what.
        what: Disagreement,
        /// What the oracle says.
        truth: Arc<Truth>,
    },
}

/// Compares one explorer with the oracle.
pub struct Judge<'t> {
    /// Who is asked.
    pub asked: Asked<'t>,
    /// The explorer.
    pub explorer: Explorer,
    /// The memory model.
    pub model: Under,
    /// What continues release sequences.
    pub sequences: ReleaseSequences,
    /// Programs with more executions are left out.
    pub most: u64,
    /// Whether the oracle merges executions; then programs with more points are left out.
    pub merge: bool,
}

impl Judge<'_> {
    /// What is compared, in one word.
    pub fn name(&self) -> String {
        let name = match self.model {
            Under::Steps(Model::Sc) => self.explorer.name.clone(),
            model => format!("{}-{}", model.name(), self.explorer.name),
        };
        match self.sequences {
            ReleaseSequences::C11 => format!("c11-{name}"),
            ReleaseSequences::C20 => name,
        }
    }

    /// The options that select the memory model and the explorer.
    pub fn options(&self) -> Vec<&str> {
        let model = match self.model {
            // Who is named has it by default.
            Under::Steps(Model::Sc) if !self.explorer.chosen => Vec::new(),
            model => vec!["--model", model.name()],
        };
        let sequences: &[&str] = match self.sequences {
            ReleaseSequences::C11 => &["--release-sequences", "c11"],
            ReleaseSequences::C20 => &[],
        };
        model.into_iter().chain(sequences.iter().copied()).chain(self.explorer.options()).collect()
    }

    /// Whether it can be asked.
    pub fn is_possible(&self) -> bool {
        self.asked.is_tool() || self.explorer.how != How::Indirect
    }

    /// Compares on a program, of which some truths may be known.
    /// With [`Asked::Explorers`], the program may have been made ready.
    pub fn examine(
        &self,
        program: &Program,
        truths: &mut Truths,
        case: Option<&Case<'_>>,
    ) -> Result<Verdict, Error> {
        let truth = self.truth(program, truths);
        // The explorers cannot merge.
        let feasible = |truth: &Arc<Truth>| {
            let is_small = truth.within.executions <= self.most;
            is_small || self.asked.is_tool() && self.explorer.promise != Promise::Interleavings
        };
        let Some(truth) = truth.filter(feasible) else {
            return Ok(Verdict::TooLarge);
        };
        Ok(match self.compare(program, &truth, case)? {
            Some(what) => Verdict::Disagreed { what, truth },
            None => Verdict::Agreed(truth),
        })
    }

    /// What the oracle says; nothing if that is too much.
    pub fn truth(&self, program: &Program, truths: &mut Truths) -> Option<Arc<Truth>> {
        let preemptions = self.explorer.preemptions;
        if let Some((_, known)) = truths.0.iter().find(|(other, _)| *other == preemptions) {
            return known.clone();
        }
        let model = (self.model, self.sequences);
        // Merging costs less, and what counts is how many executions there are nevertheless.
        let (most, merge) = match self.asked {
            Asked::Tool(_) => (self.most, self.merge),
            Asked::Explorers => (self.most.saturating_mul(POINTS), true),
        };
        let truth = Truth::of(program, model, most, merge, preemptions).map(Arc::new);
        truths.0.push((preemptions, truth.clone()));
        truth
    }

    fn compare(
        &self,
        program: &Program,
        truth: &Truth,
        case: Option<&Case<'_>>,
    ) -> Result<Option<Disagreement>, Error> {
        let outcomes = truth.list_outcomes();
        if let (Asked::Explorers, None) = (self.asked, case) {
            let compare = |case: &Case<'_>| self.compare(program, truth, Some(case));
            return match direct::with(program, &outcomes, self.model, compare) {
                Ok(compared) => compared,
                Err(what) => Ok(Some(Disagreement::Broken(what))),
            };
        }
        let ask = |ends, races| match case {
            Some(case) => {
                let question = Question {
                    how: self.explorer.how,
                    under: self.model,
                    sequences: self.sequences,
                    reports_races: races == Races::Reported,
                };
                Ok(case.ask(ends, &question))
            }
            None => self.ask_tool(program, &outcomes, ends, races),
        };
        let races = if truth.may_race() { Races::Allowed } else { Races::Reported };
        let unlike = match ask(Ends::Distinguishing, races)? {
            Ok((answer, places)) => self.unlike(&answer, &places, truth),
            Err(what) => Some(Disagreement::Broken(what)),
        };
        let views = self.explorer.explores_views();
        let is_other = views || self.explorer.chosen && races == Races::Reported;
        if unlike.is_some() || races == Races::Reported && !is_other {
            return Ok(unlike);
        }
        if is_other {
            // Where nothing is wrong, it begins in another way, or is another explorer.
            return Ok(match ask(Ends::Observing, races)? {
                Ok((answer, _)) => {
                    self.unlike_end(&answer, truth).or_else(|| self.unlike_count(&answer, truth))
                }
                Err(what) => Some(Disagreement::Broken(what)),
            });
        }
        Ok(match ask(Ends::Observing, Races::Reported)? {
            Ok((answer, places)) => self.unlike_races(&answer, &places, truth),
            Err(what) => Some(Disagreement::Broken(what)),
        })
    }

    /// What the tool says of the program as C, or what went wrong.
    fn ask_tool(
        &self,
        program: &Program,
        outcomes: &[&Outcome],
        ends: Ends,
        races: Races,
    ) -> Result<Result<(Answer, Places), String>, Error> {
        let Asked::Tool(tools) = self.asked else { return Ok(Err("the tool is not to be asked".to_owned())) };
        let epilogue = match ends {
            Ends::Observing => Epilogue::Print,
            Ends::Distinguishing => Epilogue::Distinguish(outcomes.to_vec()),
        };
        let printed = print_c(program, &epilogue, &[]);
        let options: &[&str] = if races == Races::Allowed { &["--allow", "data-race"] } else { &[] };
        let answer = self.run(tools, &printed.text, options)?;
        Ok(answer.map(|answer| (Answer::read(&answer), printed.into())))
    }

    /// The tool's answer, or what went wrong.
    fn run(&self, tools: &Tools, text: &str, options: &[&str]) -> Result<Result<Value, String>, Error> {
        let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
        let input = folder.path().join("program.c");
        fs::write(&input, text).map_err(Error::file(&input))?;
        let mut command = tools.selvedge();
        command.args(["check", "--format", "json", "--keep-going", "--schedule", "schedule.json"]);
        command.args(self.options()).args(options).arg(&input).args(["--", "-w"]);
        command.current_dir(folder.path()).env("TMPDIR", folder.path());
        let outcome = process::run(&mut command, LIMIT)?;
        let complete = self.explorer.finds_all() && !self.explorer.is_bounded();
        let codes: &[i32] = if complete { &[0, 1] } else { &[0, 1, 3] };
        if !matches!(outcome.end, End::Exit(code) if codes.contains(&code)) {
            return Ok(Err(format!("{}: {}", outcome.end, outcome.complaint())));
        }
        Ok(serde_json::from_slice(&outcome.stdout).map_err(|error| format!("not JSON: {error}")))
    }

    /// What the tool should have found: all there is, as far as is known, if it says that it has left nothing out.
    fn expected<'r>(&self, answer: &Answer, truth: &'r Truth) -> Result<&'r Results, Disagreement> {
        match answer.limits.first() {
            None => Ok(truth.all().unwrap_or(&truth.within)),
            Some(limit) if self.explorer.finds_all() && !truth.is_cut() => {
                Err(Disagreement::LeftOut(limit.clone()))
            }
            Some(_) => Ok(&truth.within),
        }
    }

    /// Compares everything but races (unless there must be none).
    fn unlike(&self, answer: &Answer, places: &Places, truth: &Truth) -> Option<Disagreement> {
        let expected = match self.expected(answer, truth) {
            Ok(expected) => expected,
            Err(what) => return Some(what),
        };
        let mut reached = BTreeSet::new();
        let mut kinds = BTreeSet::new();
        for Reported { kind, lines } in &answer.violations {
            kinds.insert(kind.as_str());
            let known = match kind.as_str() {
                "assertion" => {
                    let outcomes = truth.outcomes().iter().zip(&places.outcomes);
                    let outcome =
                        outcomes.filter(|(_, line)| *lines == [**line as u64]).map(|(o, _)| o).next();
                    match outcome.filter(|outcome| truth.within.outcomes.contains(outcome)) {
                        Some(outcome) => reached.insert(outcome),
                        None => return Some(Disagreement::OutcomeInvented),
                    };
                    true
                }
                "deadlock" => truth.some(|results| {
                    let known = |stuck: &Vec<Place>| is_at(lines, &lines_of(places, stuck));
                    (results.deadlocks.iter().any(known), !results.deadlocks.is_empty())
                }),
                "bad-unlock" => truth.some(|results| is_fault(places, results, Fault::BadUnlock, lines)),
                "relock" => truth.some(|results| is_fault(places, results, Fault::Relock, lines)),
                _ => false,
            };
            if !known {
                return Some(Disagreement::Invented { kind: kind.clone(), lines: lines.clone() });
            }
        }
        if self.explorer.finds_all() {
            if let Some(outcome) = expected.outcomes.iter().find(|outcome| !reached.contains(outcome)) {
                return Some(Disagreement::OutcomeMissed(outcome.clone()));
            }
            let faults = |fault| expected.faults.iter().any(|(other, _)| *other == fault);
            let exist = [
                ("deadlock", !expected.deadlocks.is_empty()),
                ("bad-unlock", faults(Fault::BadUnlock)),
                ("relock", faults(Fault::Relock)),
            ];
            for (kind, exists) in exist {
                if exists && !kinds.contains(kind) {
                    return Some(Disagreement::Missed(kind));
                }
            }
        }
        self.unlike_count(answer, truth)
    }

    /// Compares whether something is wrong, where outcomes are right.
    fn unlike_end(&self, answer: &Answer, truth: &Truth) -> Option<Disagreement> {
        let expected = match self.expected(answer, truth) {
            Ok(expected) => expected,
            Err(what) => return Some(what),
        };
        let wrong = !expected.deadlocks.is_empty() || !expected.faults.is_empty();
        match (wrong, answer.violations.first()) {
            (true, None) => Some(Disagreement::Missed("anything wrong")),
            (false, Some(other)) => {
                Some(Disagreement::Invented { kind: other.kind.clone(), lines: other.lines.clone() })
            }
            _ => None,
        }
    }

    /// Compares the number of executions.
    fn unlike_count(&self, answer: &Answer, truth: &Truth) -> Option<Disagreement> {
        let (mut fewest, mut most) = self.explorer.executions(&truth.within);
        if truth.signals && self.explorer.promise == Promise::Views {
            // Whom a signal wakes is no value, but makes a difference.
            most = truth.within.executions;
        }
        if !truth.countable && self.explorer.promise == Promise::Interleavings {
            fewest = truth.within.classes.len() as u64;
        }
        let tool = answer.executions;
        if tool < fewest || tool > most {
            return Some(Disagreement::Executions { tool, fewest, most });
        }
        let views = answer.views;
        let ends = truth.within.faults.is_empty() && truth.within.deadlocks.is_empty();
        if self.explorer.promise == Promise::Covered && ends && views != fewest {
            return Some(Disagreement::Executions { tool: views, fewest, most: fewest });
        }
        let blocked = answer.blocked;
        (matches!(self.explorer.promise, Promise::Classes | Promise::Views | Promise::Graphs) && blocked > 0)
            .then_some(Disagreement::Redundant(blocked))
    }

    /// Compares races, where there are some.
    fn unlike_races(&self, answer: &Answer, places: &Places, truth: &Truth) -> Option<Disagreement> {
        let expected = match self.expected(answer, truth) {
            Ok(expected) => expected,
            Err(what) => return Some(what),
        };
        let mut found = false;
        for Reported { kind, lines } in answer.violations.iter().filter(|other| other.kind == "data-race") {
            found = true;
            let known = |(one, other): &(Place, Place)| is_at(lines, &lines_of(places, &[*one, *other]));
            let exists = truth.some(|results| (results.races.iter().any(known), !results.races.is_empty()));
            // After a fault the other threads go on, which the oracle does not follow.
            if !exists && truth.within.faults.is_empty() {
                return Some(Disagreement::Invented { kind: kind.clone(), lines: lines.clone() });
            }
        }
        let looked = answer.looks_for_races;
        let missed = !found && !expected.races.is_empty() && self.explorer.finds_all() && looked;
        missed.then_some(Disagreement::Missed("data-race"))
    }
}

fn lines_of(known: &Places, places: &[Place]) -> Vec<u64> {
    let line = |place| known.lines.get(place).map(|line| *line as u64);
    places.iter().filter_map(line).collect()
}

fn is_at(lines: &[u64], places: &[u64]) -> bool {
    let mut places = places.to_vec();
    places.sort_unstable();
    lines == places
}

/// Whether there is such a fault at that place, and whether there is one anywhere.
fn is_fault(known: &Places, results: &Results, fault: Fault, lines: &[u64]) -> (bool, bool) {
    let places = results.faults.iter().filter(|(other, _)| *other == fault);
    let mut lines_of = places.map(|(_, place)| lines_of(known, &[*place])).peekable();
    let exists = lines_of.peek().is_some();
    (lines_of.any(|places| is_at(lines, &places)), exists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{CProgram, Order};

    /// Two threads that store: what happens within a bound, and the program.
    fn example(preemptions: Option<u32>) -> (Truth, CProgram) {
        let store = |value| Statement::Store {
            at: 0,
            value: selvedge_oracle::Value::Constant(value),
            order: Order::SeqCst,
        };
        let main = vec![Statement::Spawn { thread: 1 }, store(2), Statement::Join { thread: 1 }];
        let threads = vec![main, vec![store(1)]];
        let program = Program { locations: vec![0], threads, ..Program::default() };
        let model = (Under::Steps(Model::Sc), ReleaseSequences::C20);
        let truth = Truth::of(&program, model, 10, false, preemptions).unwrap();
        let outcomes = truth.outcomes().iter().collect();
        let printed = print_c(&program, &Epilogue::Distinguish(outcomes), &[]);
        (truth, printed)
    }

    fn judge<T>(explorer: &str, judge: impl Fn(&Judge<'_>) -> T) -> T {
        let tools = Tools::find(Some(std::path::Path::new("/bin/sh"))).unwrap();
        let explorer = Explorer::named(explorer);
        let (model, sequences) = (Under::Steps(Model::Sc), ReleaseSequences::C20);
        judge(&Judge { asked: Asked::Tool(&tools), explorer, model, sequences, most: 10, merge: false })
    }

    fn judged(explorer: &str, lines: &[usize], executions: u64, limits: &[&str]) -> Option<&'static str> {
        let violation =
            |line: &usize| serde_json::json!({ "kind": "assertion", "location": { "line": line } });
        let violations: Vec<Value> = lines.iter().map(violation).collect();
        let answer =
            serde_json::json!({ "violations": violations, "executions": executions, "limits": limits });
        judge(explorer, |judge| {
            let (truth, printed) = example(judge.explorer.preemptions);
            judge.unlike(&Answer::read(&answer), &printed.into(), &truth).map(|what| what.kind())
        })
    }

    #[test]
    fn answers_are_compared() {
        let (truth, printed) = example(None);
        assert_eq!((truth.within.executions, truth.within.classes.len()), (2, 2));
        let both = printed.outcomes.as_slice();
        assert_eq!(both.len(), 2);
        assert_eq!(judged("exhaustive", both, 2, &[]), None);
        assert_eq!(judged("exhaustive", both, 3, &[]), Some("executions"));
        assert_eq!(judged("exhaustive", both, 2, &["time"]), Some("left-out"));
        assert_eq!(judged("optimal", both, 2, &[]), None);
        assert_eq!(judged("workers-3", both, 2, &[]), None);
        assert_eq!(judged("workers-3", both, 3, &[]), Some("executions"));
        assert_eq!(judged("source", both, 2, &[]), None);
        assert_eq!(judged("source", both, 1, &[]), Some("executions"));
        assert_eq!(judged("exhaustive", &both[..1], 2, &[]), Some("outcome-missed"));
        assert_eq!(judged("random", &both[..1], 1, &["sampled"]), None);
        let other = printed.other.unwrap();
        assert_eq!(judged("random", &[other], 1, &["sampled"]), Some("outcome-invented"));
    }

    #[test]
    fn bounds_are_kept() {
        // Without a preemption main's store comes first.
        let (truth, printed) = example(Some(0));
        assert!(truth.is_cut());
        let is_first = |outcome: &Outcome| truth.within.outcomes.contains(outcome);
        let at = truth.outcomes().iter().position(is_first).unwrap();
        let (first, second) = (printed.outcomes[at], printed.outcomes[1 - at]);
        let cut = &["preemptions"];
        assert_eq!(judged("bounded-0", &[first], 1, cut), None);
        assert_eq!(judged("context-0", &[first], 1, cut), None);
        assert_eq!(judged("bounded-0", &[first], 2, cut), Some("executions"));
        assert_eq!(judged("bounded-0", &[first, second], 1, cut), Some("outcome-invented"));
        assert_eq!(judged("bounded-0", &[], 1, cut), Some("outcome-missed"));
        // It must not say that this was all.
        assert_eq!(judged("bounded-0", &[first], 1, &[]), Some("outcome-missed"));
        assert_eq!(judged("bounded-1", &[first, second], 2, &[]), None);
        assert_eq!(judged("bounded-1", &[first], 1, &[]), Some("outcome-missed"));
        assert_eq!(judged("bounded-1", &[first, second], 2, cut), Some("left-out"));
    }

    #[test]
    fn explorers_have_names() {
        let options = |name: &str| Explorer::named(name).options().collect::<Vec<_>>().join(" ");
        assert_eq!(options("bounded-2"), "--preemptions 2");
        assert_eq!(options("context-2"), "--explorer context --preemptions 2");
        assert_eq!(options("workers-3"), "--explorer optimal --workers 3");
        assert_eq!(options("default-2"), "--workers 2");
        assert_eq!(options("source"), "--explorer source");
        assert_eq!(options("odd-name"), "--explorer odd-name");
    }

    #[test]
    fn models_have_options() {
        let tools = Tools::find(Some(std::path::Path::new("/bin/sh"))).unwrap();
        let judge = |name, model, sequences| Judge {
            asked: Asked::Tool(&tools),
            explorer: Explorer::named(name),
            model: Under::Steps(model),
            sequences,
            most: 10,
            merge: false,
        };
        let cases = [
            ("optimal", Model::Sc, "optimal", "--explorer optimal --workers 1"),
            ("optimal", Model::Tso, "tso-optimal", "--model tso --explorer optimal --workers 1"),
            ("default-2", Model::Sc, "default-2", "--model sc --workers 2"),
            ("default-2", Model::Pso, "pso-default-2", "--model pso --workers 2"),
        ];
        for (explorer, model, name, options) in cases {
            let judge = judge(explorer, model, ReleaseSequences::C20);
            assert_eq!((judge.name().as_str(), judge.options().join(" ").as_str()), (name, options));
        }
        let judge = judge("source", Model::Pso, ReleaseSequences::C11);
        let options = "--model pso --release-sequences c11 --explorer source";
        assert_eq!((judge.name().as_str(), judge.options().join(" ").as_str()), ("c11-pso-source", options));
    }

    #[test]
    fn interleavings_are_not_compared_where_main_is_alone() {
        let store =
            Statement::Store { at: 0, value: selvedge_oracle::Value::Constant(1), order: Order::Relaxed };
        let (spawn, join) = (Statement::Spawn { thread: 1 }, Statement::Join { thread: 1 });
        let with = |main: &[&Statement]| {
            let main = main.iter().copied().cloned().collect();
            let program = Program {
                locations: vec![0],
                threads: vec![main, vec![store.clone()]],
                ..Program::default()
            };
            let model = (Under::Steps(Model::Tso), ReleaseSequences::C20);
            Truth::of(&program, model, 100, false, None).unwrap().countable
        };
        assert!(with(&[&spawn, &store, &join]));
        assert!(!with(&[&store, &spawn, &join]));
        assert!(!with(&[&spawn, &join, &store]));
    }

    #[test]
    fn races_are_compared_by_their_lines() {
        let (mut truth, printed) = example(None);
        let place = |line: u64| serde_json::json!({ "location": { "line": line } });
        let places = Places::from(printed);
        let lines = lines_of(&places, &[(1, 0), (0, 1)]);
        let answer = |one: u64, other: u64| {
            let race = serde_json::json!({ "kind": "data-race", "notes": [place(one), place(other)] });
            serde_json::json!({ "violations": [race] })
        };
        truth.within.races.insert(((0, 1), (1, 0)));
        let unlike = |answer: &Value| {
            let answer = Answer::read(answer);
            judge("exhaustive", |judge| judge.unlike_races(&answer, &places, &truth).map(|what| what.kind()))
        };
        assert_eq!(unlike(&answer(lines[0], lines[1])), None);
        assert_eq!(unlike(&answer(lines[1], lines[0])), None);
        assert_eq!(unlike(&answer(lines[0], lines[0])), Some("invented"));
        assert_eq!(unlike(&serde_json::json!({})), Some("missed"));
    }
}
