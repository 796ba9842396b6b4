//! Runs the tool on a program and compares what it says with what the oracle knows.
//!
//! One run tells almost everything: main asserts of each possible outcome that it is another one, and then
//! that there is no other; with `--keep-going` the lines of the failed assertions are the outcomes that the
//! tool has found. Executions end with their first data race, so a program with races is run a second time,
//! with the races allowed.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::time::Duration;

use selvedge_oracle::{
    CProgram, Epilogue, Fault, Model, Outcome, Place, Program, Results, interleavings, print_c,
};
use serde_json::Value;

use crate::error::Error;
use crate::process::{self, End};
use crate::tools::Tools;

/// The time after which the tool hangs.
const LIMIT: Duration = Duration::from_secs(60);
/// How often the sampling explorers run a program.
const SAMPLES: &str = "300";

/// What an explorer promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// Every interleaving.
    Interleavings,
    /// One execution per Mazurkiewicz class.
    Classes,
    /// Everything there is to find, in at least one execution per class.
    Complete,
    /// Nothing that does not exist.
    Sample,
}

/// An explorer of the tool.
#[derive(Clone, Debug)]
pub struct Explorer {
    /// Its name.
    pub name: String,
    promise: Promise,
}

impl Explorer {
    /// What is known of an explorer; one that is not known here is expected to find everything.
    pub fn named(name: &str) -> Self {
        let promise = match name {
            "exhaustive" | "context" => Promise::Interleavings,
            "optimal" => Promise::Classes,
            "random" | "pct" => Promise::Sample,
            _ => Promise::Complete,
        };
        Self { name: name.to_owned(), promise }
    }

    /// The options that select it, with bounds that bound nothing here.
    pub fn options(&self) -> Vec<&str> {
        let mut options = vec!["--explorer", &self.name];
        match self.promise {
            Promise::Sample => options.extend(["--max-executions", SAMPLES]),
            _ if self.name == "context" => options.extend(["--preemptions", "1000"]),
            _ => {}
        }
        options
    }

    fn finds_all(&self) -> bool {
        self.promise != Promise::Sample
    }

    /// The fewest and the most executions that keep its promise.
    pub fn executions(&self, results: &Results) -> (u64, u64) {
        let classes = results.classes.len() as u64;
        // Where an execution stops at a fault, what is left of its class is not defined.
        let classes = if results.faults.is_empty() { (classes, classes) } else { (1, u64::MAX) };
        match self.promise {
            Promise::Interleavings => (results.executions, results.executions),
            Promise::Classes => classes,
            Promise::Complete => (classes.0, results.executions),
            Promise::Sample => (0, u64::MAX),
        }
    }
}

/// What the tool and the oracle do not agree on.
#[derive(Clone, Debug)]
pub enum Disagreement {
    /// The tool broke, or its answer cannot be read.
    Broken(String),
    /// The number of executions.
    Executions { tool: u64, fewest: u64, most: u64 },
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
            Self::Redundant(count) => write!(f, "{count} explorations were redundant"),
            Self::OutcomeMissed(outcome) => write!(f, "the tool has not found: {outcome}"),
            Self::OutcomeInvented => write!(f, "the tool has found an outcome that does not exist"),
            Self::Missed(kind) => write!(f, "the tool has not found any {kind}"),
            Self::Invented { kind, lines } => write!(f, "there is no {kind} at lines {lines:?}"),
        }
    }
}

/// What became of a program.
pub enum Verdict {
    /// It has too many executions for the oracle.
    TooLarge,
    /// Tool and oracle agree.
    Agreed(Box<Results>),
    /// They do not.
    Disagreed {
        /// On what.
        what: Disagreement,
        /// What the oracle says.
        results: Box<Results>,
    },
}

/// Compares one explorer with the oracle.
pub struct Judge<'t> {
    /// Where the tool is.
    pub tools: &'t Tools,
    /// The explorer.
    pub explorer: Explorer,
    /// Programs with more executions are left out.
    pub most: u64,
}

impl Judge<'_> {
    /// Compares on a program.
    pub fn examine(&self, program: &Program) -> Result<Verdict, Error> {
        let Ok(Some(results)) = interleavings(program, Model::Sc, self.most) else {
            return Ok(Verdict::TooLarge);
        };
        let results = Box::new(results);
        Ok(match self.compare(program, &results)? {
            Some(what) => Verdict::Disagreed { what, results },
            None => Verdict::Agreed(results),
        })
    }

    fn compare(&self, program: &Program, results: &Results) -> Result<Option<Disagreement>, Error> {
        let outcomes = results.outcomes.iter().collect();
        let printed = print_c(program, &Epilogue::Distinguish(outcomes), &[]);
        let races = !results.races.is_empty();
        let options: &[&str] = if races { &["--allow", "data-race"] } else { &[] };
        let unlike = match self.run(&printed, options)? {
            Ok(answer) => self.unlike(&answer, &printed, results),
            Err(what) => Some(Disagreement::Broken(what)),
        };
        if unlike.is_some() || !races {
            return Ok(unlike);
        }
        let printed = print_c(program, &Epilogue::Print, &[]);
        Ok(match self.run(&printed, &[])? {
            Ok(answer) => self.unlike_races(&answer, &printed, results),
            Err(what) => Some(Disagreement::Broken(what)),
        })
    }

    /// The tool's answer, or what went wrong.
    fn run(&self, printed: &CProgram, options: &[&str]) -> Result<Result<Value, String>, Error> {
        let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
        let input = folder.path().join("program.c");
        fs::write(&input, &printed.text).map_err(Error::file(&input))?;
        let mut command = self.tools.selvedge();
        command.args(["check", "--format", "json", "--keep-going", "--schedule", "schedule.json"]);
        command.args(self.explorer.options()).args(options).arg(&input).args(["--", "-w"]);
        command.current_dir(folder.path()).env("TMPDIR", folder.path());
        let outcome = process::run(&mut command, LIMIT)?;
        let codes: &[i32] = if self.explorer.finds_all() { &[0, 1] } else { &[0, 1, 3] };
        if !matches!(outcome.end, End::Exit(code) if codes.contains(&code)) {
            return Ok(Err(format!("{}: {}", outcome.end, outcome.complaint())));
        }
        Ok(serde_json::from_slice(&outcome.stdout).map_err(|error| format!("not JSON: {error}")))
    }

    /// Compares everything but races (unless there must be none).
    fn unlike(&self, answer: &Value, printed: &CProgram, results: &Results) -> Option<Disagreement> {
        let mut reached = BTreeSet::new();
        let mut kinds = BTreeSet::new();
        for violation in violations(answer) {
            let (kind, lines) = (kind(violation), lines(violation));
            kinds.insert(kind.to_owned());
            let known = match kind {
                "assertion" if lines.iter().any(|line| Some(*line) == printed.other.map(|l| l as u64)) => {
                    return Some(Disagreement::OutcomeInvented);
                }
                "assertion" => {
                    reached.extend(lines.iter().copied());
                    true
                }
                "deadlock" => results.deadlocks.iter().any(|stuck| is_at(&lines, &lines_of(printed, stuck))),
                "bad-unlock" => is_fault(printed, results, Fault::BadUnlock, &lines),
                "relock" => is_fault(printed, results, Fault::Relock, &lines),
                _ => false,
            };
            if !known {
                return Some(Disagreement::Invented { kind: kind.to_owned(), lines });
            }
        }
        if self.explorer.finds_all() {
            for (outcome, line) in results.outcomes.iter().zip(&printed.outcomes) {
                if !reached.contains(&(*line as u64)) {
                    return Some(Disagreement::OutcomeMissed(outcome.clone()));
                }
            }
            let faults = |fault| results.faults.iter().any(|(other, _)| *other == fault);
            let expected = [
                ("deadlock", !results.deadlocks.is_empty()),
                ("bad-unlock", faults(Fault::BadUnlock)),
                ("relock", faults(Fault::Relock)),
            ];
            for (kind, exists) in expected {
                if exists && !kinds.contains(kind) {
                    return Some(Disagreement::Missed(kind));
                }
            }
        }
        let (fewest, most) = self.explorer.executions(results);
        let tool = answer["executions"].as_u64().unwrap_or(0);
        if tool < fewest || tool > most {
            return Some(Disagreement::Executions { tool, fewest, most });
        }
        let blocked = answer["blocked"].as_u64().unwrap_or(0);
        (self.explorer.promise == Promise::Classes && blocked > 0).then_some(Disagreement::Redundant(blocked))
    }

    /// Compares races, where there are some.
    fn unlike_races(&self, answer: &Value, printed: &CProgram, results: &Results) -> Option<Disagreement> {
        let mut found = false;
        for violation in violations(answer).filter(|violation| kind(violation) == "data-race") {
            found = true;
            let lines = lines(violation);
            let known = |(one, other): &(Place, Place)| is_at(&lines, &lines_of(printed, &[*one, *other]));
            if !results.races.iter().any(known) {
                return Some(Disagreement::Invented { kind: "data-race".to_owned(), lines });
            }
        }
        (!found && self.explorer.finds_all()).then_some(Disagreement::Missed("data-race"))
    }
}

fn violations(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["violations"].as_array().into_iter().flatten()
}

fn kind(violation: &Value) -> &str {
    violation["kind"].as_str().unwrap_or("violation without a kind")
}

/// The lines that a violation is about, sorted: those of the notes if there are any, for they name all
/// participants of a race or a deadlock.
fn lines(violation: &Value) -> Vec<u64> {
    let line = |place: &Value| place["line"].as_u64();
    let notes = violation["notes"].as_array().into_iter().flatten();
    let mut lines: Vec<u64> = match kind(violation) {
        "data-race" | "deadlock" => notes.filter_map(|note| line(&note["location"])).collect(),
        _ => line(&violation["location"]).into_iter().collect(),
    };
    lines.sort_unstable();
    lines
}

fn lines_of(printed: &CProgram, places: &[Place]) -> Vec<u64> {
    let line = |place| printed.lines.get(place).map(|line| *line as u64);
    places.iter().filter_map(line).collect()
}

fn is_at(lines: &[u64], places: &[u64]) -> bool {
    let mut places = places.to_vec();
    places.sort_unstable();
    lines == places
}

fn is_fault(printed: &CProgram, results: &Results, fault: Fault, lines: &[u64]) -> bool {
    results.faults.iter().any(|(other, place)| *other == fault && is_at(lines, &lines_of(printed, &[*place])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{Order, Statement};

    /// Two threads that store, and the answer of a tool that is right about it.
    fn example() -> (Program, Results, CProgram) {
        let store = |value| Statement::Store {
            at: 0,
            value: selvedge_oracle::Value::Constant(value),
            order: Order::SeqCst,
        };
        let main = vec![Statement::Spawn { thread: 1 }, store(2), Statement::Join { thread: 1 }];
        let threads = vec![main, vec![store(1)]];
        let program = Program { locations: vec![0], threads, ..Program::default() };
        let results = interleavings(&program, Model::Sc, 10).unwrap().unwrap();
        let printed = print_c(&program, &Epilogue::Distinguish(results.outcomes.iter().collect()), &[]);
        (program, results, printed)
    }

    fn judged(explorer: &str, lines: &[usize], executions: u64) -> Option<&'static str> {
        let (_, results, printed) = example();
        let violation =
            |line: &usize| serde_json::json!({ "kind": "assertion", "location": { "line": line } });
        let violations: Vec<Value> = lines.iter().map(violation).collect();
        let answer = serde_json::json!({ "violations": violations, "executions": executions });
        let tools = Tools::find(Some(std::path::Path::new("/bin/sh"))).unwrap();
        let judge = Judge { tools: &tools, explorer: Explorer::named(explorer), most: 10 };
        judge.unlike(&answer, &printed, &results).map(|what| what.kind())
    }

    #[test]
    fn answers_are_compared() {
        let (_, results, printed) = example();
        assert_eq!((results.executions, results.classes.len()), (2, 2));
        let both = printed.outcomes.as_slice();
        assert_eq!(both.len(), 2);
        assert_eq!(judged("exhaustive", both, 2), None);
        assert_eq!(judged("exhaustive", both, 3), Some("executions"));
        assert_eq!(judged("optimal", both, 2), None);
        assert_eq!(judged("source", both, 2), None);
        assert_eq!(judged("source", both, 1), Some("executions"));
        assert_eq!(judged("exhaustive", &both[..1], 2), Some("outcome-missed"));
        assert_eq!(judged("random", &both[..1], 1), None);
        let other = printed.other.unwrap();
        assert_eq!(judged("random", &[other], 1), Some("outcome-invented"));
    }

    #[test]
    fn races_are_compared_by_their_lines() {
        let (_, mut results, printed) = example();
        let place = |line: u64| serde_json::json!({ "location": { "line": line } });
        let lines = lines_of(&printed, &[(1, 0), (0, 1)]);
        let answer = |one: u64, other: u64| {
            let race = serde_json::json!({ "kind": "data-race", "notes": [place(one), place(other)] });
            serde_json::json!({ "violations": [race] })
        };
        let tools = Tools::find(Some(std::path::Path::new("/bin/sh"))).unwrap();
        let judge = Judge { tools: &tools, explorer: Explorer::named("exhaustive"), most: 10 };
        results.races.insert(((0, 1), (1, 0)));
        let unlike = |answer: &Value| judge.unlike_races(answer, &printed, &results).map(|what| what.kind());
        assert_eq!(unlike(&answer(lines[0], lines[1])), None);
        assert_eq!(unlike(&answer(lines[1], lines[0])), None);
        assert_eq!(unlike(&answer(lines[0], lines[0])), Some("invented"));
        assert_eq!(unlike(&serde_json::json!({})), Some("missed"));
    }
}
