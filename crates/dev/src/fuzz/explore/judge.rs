//! Runs the tool on a program and compares what it says with what the oracle knows.
//!
//! One run gives almost everything: main asserts of each possible outcome that it is another one, and then
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

use selvedge_oracle::{
    Epilogue, Fault, Model, Outcome, Program, ReleaseSequences, StatementId, Summary, print_c,
};
use selvedge_verify::Memories;
use serde_json::Value;

use super::answer::{Answer, Places, Reported};
use super::direct::{Case, Ends, Question};
use super::explorer::{Explorer, Promise};
use super::plan;
use super::truth::{Loops, Size, Truth, Truths, Under};
use crate::error::Error;
use crate::process::{self, End};
use crate::tools::Tools;

/// The time after which the tool hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// Where there are loops with bodies, programs with more normal forms are left out by explorers of all interleavings.
const FORMS: u64 = 8;

/// Whether data races are violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Races {
    Reported,
    Allowed,
}

/// What the tool and the oracle do not agree on.
#[derive(Clone, Debug)]
pub enum Disagreement {
    /// The tool broke, or its answer cannot be read.
    Broken(String),
    /// The number of executions.
    Executions { tool: u64, fewest: u64, most: u64 },
    /// The tool says that it has left something out, although there is nothing beyond the bound.
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

/// Who explores.
#[derive(Clone, Copy)]
pub enum Asked<'t> {
    /// The tool, about a C program.
    Tool(&'t Tools),
    /// The explorers, in this process.
    Explorers,
}

impl Asked<'_> {
    /// Whether it is the tool.
    pub fn is_tool(self) -> bool {
        matches!(self, Asked::Tool(_))
    }
}

/// What became of a program.
pub enum Verdict {
    /// It has too many executions for the oracle.
    TooLarge,
    /// Tool and oracle agree.
    Agreed(Truth),
    /// They do not.
    Disagreed {
        /// On what.
        what: Disagreement,
        /// What the oracle says.
        truth: Truth,
    },
}

/// Compares one explorer with the oracle.
pub struct Judge<'t> {
    /// Who explores.
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
            // An explorer that is named has it by default.
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
        self.asked.is_tool() || self.explorer.request.is_some()
    }

    /// Which programs are too large for the oracle.
    pub fn size(&self) -> Size {
        match (self.asked, self.merge) {
            (Asked::Tool(_), false) => Size::Executions(self.most),
            // What counts is how many executions there are nevertheless.
            (Asked::Tool(_), true) | (Asked::Explorers, _) => Size::Points(self.most),
        }
    }

    /// Compares on a program of which nothing is known.
    pub fn examine_anew(&self, program: &Program) -> Result<Verdict, Error> {
        let mut truths = Truths::new(program, self.sequences, self.size(), Vec::new());
        self.examine(program, self.truth(&mut truths), None)
    }

    /// Compares on a program, with what the oracle says of it. With [`Asked::Explorers`], the program may have been made ready.
    pub fn examine(
        &self,
        program: &Program,
        truth: Option<Truth>,
        case: Option<&Case>,
    ) -> Result<Verdict, Error> {
        // The explorers cannot merge, and each normal form stands for many interleavings.
        let feasible = |truth: &Truth| {
            let forms = truth.loops.have_bodies && self.explorer.promise == Promise::Interleavings;
            if forms && truth.within.executions > FORMS {
                return false;
            }
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
    pub fn truth(&self, truths: &mut Truths<'_>) -> Option<Truth> {
        truths.get(self.model, self.explorer.preemptions)
    }

    fn compare(
        &self,
        program: &Program,
        truth: &Truth,
        case: Option<&Case>,
    ) -> Result<Option<Disagreement>, Error> {
        let outcomes = truth.list_outcomes();
        if let (Asked::Explorers, None) = (self.asked, case) {
            let case = Case::new(program, &outcomes, &Memories::default());
            return self.compare(program, truth, Some(&case));
        }
        let ask = |ends, races| match case {
            Some(case) => {
                let Some(explorer) = &self.explorer.request else {
                    return Ok(Err("it cannot be asked in this process".to_owned()));
                };
                let question = Question {
                    explorer,
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
    ) -> Result<Result<(Answer, Arc<Places>), String>, Error> {
        let Asked::Tool(tools) = self.asked else { return Ok(Err("the tool is not to be asked".to_owned())) };
        let epilogue = match ends {
            Ends::Observing => Epilogue::Print,
            Ends::Distinguishing => Epilogue::Distinguish(outcomes.to_vec()),
        };
        let printed = print_c(program, &epilogue, &[]);
        let options: &[&str] = if races == Races::Allowed { &["--allow", "data-race"] } else { &[] };
        let answer = self.run(tools, &printed.text, options)?;
        Ok(answer.map(|answer| (Answer::read(&answer), Arc::new(Places::of(printed, outcomes)))))
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
    fn expected<'r>(&self, answer: &Answer, truth: &'r Truth) -> Result<&'r Summary, Disagreement> {
        match answer.limits.first() {
            None => Ok(truth.all().unwrap_or(&truth.within)),
            Some(limit) if self.explorer.finds_all() && !truth.is_cut() && self.knows_what_is_left(truth) => {
                Err(Disagreement::LeftOut(limit.clone()))
            }
            Some(_) => Ok(&truth.within),
        }
    }

    /// Whether a bound leaves out what it leaves out for the oracle, too: not where the explorer takes rounds that lead nowhere.
    fn knows_what_is_left(&self, truth: &Truth) -> bool {
        !self.explorer.is_bounded() || plan::leaves_out(&self.explorer, self.model, &truth.loops.kinds)
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
                    let outcome = lines.first().and_then(|line| places.outcomes.get(line));
                    match outcome.filter(|outcome| truth.within.outcomes.contains(outcome)) {
                        Some(outcome) => reached.insert(outcome),
                        None => return Some(Disagreement::OutcomeInvented),
                    };
                    true
                }
                "deadlock" | "livelock" => truth.some(|results| {
                    let is_alike = |stuck: &&Vec<StatementId>| truth.kind_of(stuck) == kind;
                    let known = |stuck: &Vec<StatementId>| is_stuck_at(lines, places, &truth.loops, stuck);
                    let mut alike = results.deadlocks.iter().filter(is_alike).peekable();
                    let exists = alike.peek().is_some();
                    (alike.any(known), exists)
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
            let stuck = |kind| expected.deadlocks.iter().any(|stuck| truth.kind_of(stuck) == kind);
            let exist = [
                ("deadlock", stuck("deadlock")),
                ("livelock", stuck("livelock")),
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
        let of_forms = truth.loops.have_bodies && self.explorer.promise == Promise::Interleavings;
        if of_forms || !plan::leaves_out(&self.explorer, self.model, &truth.loops.kinds) {
            // Normal forms are classes: how many interleavings these have is not known.
            return None;
        }
        let (mut fewest, mut most) = self.explorer.executions(&truth.within);
        if truth.signals && self.explorer.promise == Promise::Views {
            // The thread that a signal wakes is no value, but makes a difference.
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
            let known =
                |(one, other): &(StatementId, StatementId)| is_at(lines, &lines_of(places, &[*one, *other]));
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

fn lines_of(known: &Places, places: &[StatementId]) -> Vec<u64> {
    let line = |place| known.lines.get(place).map(|line| *line as u64);
    places.iter().filter_map(line).collect()
}

fn is_at(lines: &[u64], places: &[u64]) -> bool {
    let mut places = places.to_vec();
    places.sort_unstable();
    lines == places
}

/// Whether threads that are stuck at these places can be said to be at the lines: who goes round a loop is at any line of it.
fn is_stuck_at(lines: &[u64], known: &Places, loops: &Loops, stuck: &[StatementId]) -> bool {
    let mut left = lines.to_vec();
    let all_are = stuck.iter().all(|place| {
        let around: Vec<StatementId> = loops.around(*place).into_iter().collect();
        let around = lines_of(known, &around);
        let at = left.iter().position(|line| around.contains(line));
        at.map(|at| left.remove(at)).is_some()
    });
    all_are && left.is_empty()
}

/// Whether there is such a fault at that place, and whether there is one anywhere.
fn is_fault(known: &Places, results: &Summary, fault: Fault, lines: &[u64]) -> (bool, bool) {
    let places = results.faults.iter().filter(|(other, _)| *other == fault);
    let mut lines_of = places.map(|(_, place)| lines_of(known, &[*place])).peekable();
    let exists = lines_of.peek().is_some();
    (lines_of.any(|places| is_at(lines, &places)), exists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{CProgram, Order, Statement};

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
        let mut truths = Truths::new(&program, ReleaseSequences::C20, Size::Executions(10), Vec::new());
        let truth = truths.get(Under::Steps(Model::Sc), preemptions).unwrap();
        let printed = print_c(&program, &Epilogue::Distinguish(truth.list_outcomes()), &[]);
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
            let places = Places::of(printed, &truth.list_outcomes());
            judge.unlike(&Answer::read(&answer), &places, &truth).map(|what| what.kind())
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
        let at = truth.list_outcomes().into_iter().position(is_first).unwrap();
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
    fn races_are_compared_by_their_lines() {
        let (mut truth, printed) = example(None);
        let place = |line: u64| serde_json::json!({ "location": { "line": line } });
        let places = Places::of(printed, &truth.list_outcomes());
        let lines = lines_of(&places, &[(1, 0), (0, 1)]);
        let answer = |one: u64, other: u64| {
            let race = serde_json::json!({ "kind": "data-race", "notes": [place(one), place(other)] });
            serde_json::json!({ "violations": [race] })
        };
        Arc::make_mut(&mut truth.within).races.insert(((0, 1), (1, 0)));
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
