//! `fuzz replay`: every schedule that any explorer writes leads to what its file says.
//!
//! Random programs, the oracle's and those of the classes of `wild`, are checked in one way after the other, with and without
//! `--keep-going`. Each schedule is replayed: the exit code must be 1, and kind, place and thread those that `check` has reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use selvedge_explore::{Choice, Explorer};
use selvedge_memory::Model;
use selvedge_oracle::{self as oracle, Epilogue, Knobs, interleavings, print_c};
use serde_json::Value;

use super::wild::answer::{self, Run};
use super::wild::{Fuzzer, KnownOnes};
use crate::error::Error;
use crate::process::{self, End};
use crate::tools::{self, CLANG, Tools};
use crate::{Finding, parallel, table};

/// How long one check may take, in seconds. What was found until then counts.
const LIMIT: &str = "3";
/// The time after which the tool hangs.
const HANGS: Duration = Duration::from_secs(60);
/// How many ways each program is checked in.
const WAYS_EACH: usize = 8;
/// How many outcomes of the oracle's programs are failures.
const OUTCOMES: usize = 3;

/// Stands where ways have a model: `--robust` chooses that.
const ROBUST: &str = "robust";
/// How many executions explorers that sample run.
const SAMPLES: &str = " --max-executions 100";

/// Options of `fuzz replay`.
#[derive(Args)]
pub struct Arguments {
    /// How long to go on
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Stop after so many programs
    #[arg(long)]
    programs: Option<u64>,
    /// Another seed, other programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs to try at a time
    #[arg(long, default_value_t = parallel::default_jobs())]
    jobs: usize,
}

/// A way to check, as a row of the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    model: &'static str,
    explorer: String,
}

impl Way {
    /// What the tool chooses; every explorer under every model that it declares, also with options that make other schedules; and
    /// robustness.
    fn all() -> Vec<Self> {
        let mut ways = Vec::new();
        for model in Model::ALL {
            let mut add = |explorer: String| ways.push(Self { model: model.name(), explorer });
            add(String::new());
            for about in Explorer::ALL.iter().map(|explorer| explorer.about()) {
                if !about.goes_with(*model) {
                    continue;
                }
                let samples = if about.accepts(Choice::Samples) { SAMPLES } else { "" };
                add(format!("--explorer {}{samples}", about.name));
                if about.bounded_name.is_some() {
                    add(format!("--explorer {} --preemptions 2", about.name));
                }
                if about.accepts(Choice::Predict) {
                    add(format!("--explorer {} --predict", about.name));
                }
            }
        }
        let robust = Model::weaker().map(|model| format!("--robust {}", model.name()));
        ways.extend(robust.map(|explorer| Self { model: ROBUST, explorer }));
        ways
    }

    fn name(&self) -> String {
        let explorer = self.explorer.trim_start_matches("--explorer ").trim_start_matches("--robust ");
        let explorer = explorer.split(" --max").next().unwrap_or_default();
        let explorer = if explorer.is_empty() { "default" } else { explorer };
        format!("{} {explorer}", self.model)
    }
}

/// What became of the schedules of one way.
#[derive(Default, Clone)]
struct Summary {
    schedules: u64,
    same: u64,
    differences: Vec<String>,
}

/// A program and its options.
struct Source {
    text: String,
    options: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require(CLANG, "install the Debian package `clang-22`")?;
    let keep = tools.in_repository("target/fuzz/replay");
    let ways = Way::all();
    let start = Instant::now();
    let duration = Duration::from_secs(arguments.seconds);
    let started = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let next = || {
        let go_on = start.elapsed() < duration && !stop.load(Ordering::Relaxed);
        let number = go_on.then(|| started.fetch_add(1, Ordering::Relaxed))?;
        arguments.programs.is_none_or(|most| number < most).then_some(number)
    };
    let work = |&number: &u64| {
        let source = make(tools, arguments.seed, number);
        let first = number as usize * WAYS_EACH;
        let of = |at: usize| &ways[(first + at) % ways.len()];
        let each = (0..WAYS_EACH).map(|at| {
            // After one round through the ways, the other.
            let keep_going = ((first + at) / ways.len()).is_multiple_of(2);
            let pace = if keep_going { Pace::All } else { Pace::One };
            Ok((of(at).clone(), replay_all(tools, &source, of(at), pace)?))
        });
        let results: Result<Vec<_>, Error> = each.collect();
        (source, results)
    };
    let mut summaries: BTreeMap<Way, Summary> =
        ways.iter().map(|way| (way.clone(), Summary::default())).collect();
    let mut failure = None;
    parallel::for_each(arguments.jobs, next, work, |number, (source, results)| {
        let results = results.and_then(|results| {
            for (way, summary) in &results {
                for what in &summary.differences {
                    println!("program {number}, {}: {what}", way.name());
                }
            }
            if results.iter().any(|(_, summary)| !summary.differences.is_empty()) {
                save(&source, &keep, &format!("seed-{}-program-{number}.c", arguments.seed))?;
            }
            Ok(results)
        });
        match results {
            Ok(results) => {
                for (way, summary) in results {
                    summaries.entry(way).or_default().add(summary);
                }
            }
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    print!("{}", summary_table(&ways, &summaries));
    let differed = summaries.values().any(|summary| !summary.differences.is_empty());
    Ok(if differed { Finding::Faults } else { Finding::Nothing })
}

/// The program with a number: one of the oracle's, or one of a class.
fn make(tools: &Tools, seed: u64, number: u64) -> Source {
    if number.is_multiple_of(2) {
        let random = &mut oracle::Random::for_case(seed, number / 2);
        let knobs = match number / 2 % 3 {
            0 => Knobs::random(random),
            1 => Knobs::random_buffered(random),
            _ => Knobs::random_c11(random),
        };
        let program = oracle::generate(&knobs, random);
        let results = interleavings(&program, oracle::Model::Sc, 500).ok().flatten();
        let outcomes = results.as_ref().into_iter().flat_map(|results| &results.outcomes).take(OUTCOMES);
        let text = print_c(&program, &Epilogue::Refute(outcomes.collect()), &[]).text;
        return Source { text, options: Vec::new() };
    }
    // What is known to be wrong is no matter here: what was found must be found again.
    let classes = Fuzzer::default_classes(KnownOnes::Reported);
    let fuzzer = Fuzzer { tools, seed, classes, models: Vec::new(), known: KnownOnes::Reported };
    let program = fuzzer.make(number / 2);
    Source { text: program.print(&[]), options: program.words().map(str::to_owned).collect() }
}

/// Whether `check` goes on after a violation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    All,
    One,
}

/// Checks a program in a way, and replays each schedule.
fn replay_all(tools: &Tools, source: &Source, way: &Way, pace: Pace) -> Result<Summary, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let mut words = if way.model == ROBUST { Vec::new() } else { vec!["--model", way.model] };
    words.extend(way.explorer.split_whitespace());
    words.extend(source.options.iter().map(String::as_str));
    if !source.options.iter().any(|word| word == "--time-limit") {
        words.extend(["--time-limit", LIMIT]);
    }
    if pace == Pace::All {
        words.push("--keep-going");
    }
    let mut summary = Summary::default();
    let (run, json) = answer::check(tools, folder.path(), &source.text, &words)?;
    if let Run::Broken(what) = run {
        summary.differences.push(format!("{}: {what}", words.join(" ")));
        return Ok(summary);
    }
    for violation in json["violations"].as_array().into_iter().flatten() {
        summary.schedules += 1;
        match difference(tools, folder.path(), violation)? {
            None => summary.same += 1,
            Some(what) => summary.differences.push(format!("{}: {what}", words.join(" "))),
        }
    }
    Ok(summary)
}

/// What is different when a violation is replayed.
fn difference(tools: &Tools, folder: &Path, violation: &Value) -> Result<Option<String>, Error> {
    let Some(path) = violation["schedule"].as_str() else { return Ok(Some("no schedule".to_owned())) };
    let file = fs::read(folder.join(path)).map_err(Error::file(path))?;
    let file: Value = serde_json::from_slice(&file).unwrap_or_default();
    let location = &violation["location"];
    let place = format!("program.c:{}:{}", location["line"], location["column"]);
    if file["violation"] != violation["kind"] || file["place"] != place.as_str() {
        let (kind, at) = (&file["violation"], &file["place"]);
        return Ok(Some(format!("{} at {place}, but the file says {kind} at {at}", violation["kind"])));
    }
    let mut command = tools.selvedge();
    command.args(["replay", "--format", "json", path]).current_dir(folder).env("TMPDIR", folder);
    let outcome = process::run(&mut command, HANGS)?;
    if outcome.end != End::Exit(1) {
        let (end, why) = (outcome.end, outcome.complaint());
        return Ok(Some(format!("{} at {place}, replayed: {end}: {why}", violation["kind"])));
    }
    let again: Value = serde_json::from_slice(&outcome.stdout).unwrap_or_default();
    let again = &again["violations"][0];
    let same = ["kind", "location", "thread", "message"].iter().all(|key| again[key] == violation[key]);
    let shown = |v: &Value| format!("{} {} {} {}", v["kind"], v["location"], v["thread"], v["message"]);
    Ok((!same).then(|| format!("{}, replayed: {}", shown(violation), shown(again))))
}

/// Keeps a program.
fn save(source: &Source, folder: &Path, name: &str) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    let path = folder.join(name);
    fs::write(&path, &source.text).map_err(Error::file(&path))?;
    println!("{}", path.display());
    Ok(())
}

impl Summary {
    fn add(&mut self, other: Self) {
        self.schedules += other.schedules;
        self.same += other.same;
        self.differences.extend(other.differences);
    }
}

fn summary_table(ways: &[Way], summaries: &BTreeMap<Way, Summary>) -> String {
    let row = |name: String, s: &Summary| {
        let counts = [s.schedules, s.same, s.differences.len() as u64].map(|count| count.to_string());
        [vec![name], counts.to_vec()].concat()
    };
    let heading = ["explorer", "schedules", "replayed the same", "differed"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut all = Summary::default();
    for way in ways {
        if let Some(summary) = summaries.get(way) {
            rows.push(row(way.name(), summary));
            all.add(summary.clone());
        }
    }
    rows.push(row("all".to_owned(), &all));
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_have_names_of_their_own() {
        let mut names: Vec<String> = Way::all().iter().map(Way::name).collect();
        assert!(names.contains(&"sc default".to_owned()));
        assert!(names.contains(&"pso mcr --predict".to_owned()));
        assert!(!names.contains(&"pso graph".to_owned()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), Way::all().len());
    }
}
