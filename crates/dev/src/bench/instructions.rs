//! `bench instructions`: how many instructions the explorations of `bench dpor` and `bench rc11` take.
//!
//! Times vary with the machine and its day; instructions hardly do, so a change that makes the tool a few per cent slower can be
//! seen, and with `--against` a build of another commit it is a fault. Callgrind counts them. All of the tool's own process
//! counts, reading the compiler's output and loading the program included; the compiler is a process of its own, which
//! callgrind does not follow.
//!
//! Valgrind has not enough addresses for the machine's memory. So what is measured is built with the feature
//! `small-address-space`, by `./x`, in a folder of its own; a build to compare with must have been made likewise. Nor can all
//! versions of valgrind read the debug information of this compiler, so they are given copies without. These still have the
//! names of functions, which is what `callgrind_annotate` needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use super::measured::{self, Measured};
use super::only::Only;
use super::{dpor, rc11};
use crate::Finding;
use crate::error::Error;
use crate::process::{self, End};
use crate::table;
use crate::tools::{self, Tools};

const VALGRIND: &str = "valgrind";
const OBJCOPY: &str = "objcopy";
const OBJCOPY_LIMIT: Duration = Duration::from_secs(60);

/// What is no more than this, relative to the other build, is no fault.
const TOLERANCE: f64 = 1.03;

/// Options of `bench instructions`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
    /// Another selvedge to compare with, say of an older commit, built with `--features small-address-space`; a row with more
    /// than 3% more instructions is a fault
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// How long one exploration may take, which is about fifty times what it takes otherwise; rows that take longer are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    seconds: u64,
    /// Keep what callgrind writes in this folder, for `callgrind_annotate`
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// A row of another benchmark.
pub struct Case {
    /// Its name there.
    pub name: &'static str,
    /// The file in `bench/programs`, without its extension.
    pub program: &'static str,
    /// Options of `selvedge check`.
    pub options: &'static [&'static str],
    /// The compiler's flags.
    pub flags: &'static [&'static str],
    /// How many executions there are, where that is known.
    pub executions: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require(VALGRIND, "install the Debian package `valgrind`")?;
    tools::require(OBJCOPY, "install the Debian package `binutils`")?;
    let sections = [("dpor", dpor::cases()), ("rc11", rc11::cases())];
    let chosen = arguments.only.of([&sections[0].1[..], &sections[1].1[..]], |case| case.name)?;
    let temporary = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    let own = without_debug_information(&tools.measurable()?, &temporary.path().join("own"))?;
    let copy = |other: &Path| without_debug_information(other, &temporary.path().join("other"));
    let other = arguments.against.as_deref().map(copy).transpose()?;
    let limit = Duration::from_secs(arguments.seconds);
    println!("millions of instructions of the whole process, the compiler's left out");
    let mut faults = Vec::new();
    for ((section, _), cases) in sections.iter().zip(chosen).filter(|(_, cases)| !cases.is_empty()) {
        let mut heading = vec![format!("bench {section}"), "explorer".to_owned(), "executions".to_owned()];
        heading.push("instructions".to_owned());
        if other.is_some() {
            heading.extend(["the other's", "ratio"].map(str::to_owned));
        }
        let mut table = vec![heading];
        for case in cases {
            let count = |selvedge: &Path, side: &str| {
                let profile = folder.join(format!("{section}-{}-{side}.callgrind", file_name(case.name)));
                count(selvedge, case, tools, &profile, limit)
            };
            let own = count(&own, "own")?;
            let other = other.as_deref().map(|other| count(other, "other")).transpose()?;
            let (line, fault) = compare(case, own, other);
            table.push(line);
            faults.extend(fault.map(|fault| format!("{section}, {}: {fault}", case.name)));
        }
        print!("\n{}", table::render(&table));
    }
    Ok(measured::judge(&faults))
}

/// Copies a program without what is only for debuggers; the path of the copy.
fn without_debug_information(program: &Path, copy: &Path) -> Result<PathBuf, Error> {
    let mut command = Command::new(OBJCOPY);
    command.arg("--strip-debug").arg(program).arg(copy);
    process::run_successfully(&mut command, OBJCOPY_LIMIT)?;
    Ok(copy.to_owned())
}

/// What one exploration took.
struct Counted {
    measured: Measured,
    instructions: u64,
}

/// A row of the table, and what is wrong with it. The other build's figures are none if there is no other build; either's are if
/// it took too long.
fn compare(
    case: &Case,
    own: Option<Counted>,
    other: Option<Option<Counted>>,
) -> (Vec<String>, Option<String>) {
    let mut line = vec![case.name.to_owned()];
    let Some(own) = own else {
        line.push("too long".to_owned());
        return (line, None);
    };
    let mut fault = own.measured.fault(case.executions);
    line.push(own.measured.json["explorer"].as_str().unwrap_or_default().to_owned());
    line.push(own.measured.executions.to_string());
    line.push(millions(own.instructions));
    match other {
        None => {}
        Some(None) => line.push("too long".to_owned()),
        Some(Some(other)) => {
            let ratio = own.instructions as f64 / other.instructions as f64;
            let mark = if ratio > TOLERANCE { "MORE " } else { "" };
            line.extend([millions(other.instructions), format!("{mark}{ratio:.3}")]);
            if own.measured.executions != other.measured.executions {
                let (ours, theirs) = (own.measured.executions, other.measured.executions);
                fault =
                    fault.or_else(|| Some(format!("{ours} executions, but the other build has {theirs}")));
            }
            if ratio > TOLERANCE {
                let more = (ratio - 1.0) * 100.0;
                fault = fault.or_else(|| Some(format!("{more:.1}% more instructions than the other build")));
            }
        }
    }
    (line, fault)
}

/// Explores with one worker and counts the instructions; `None` if it takes too long.
fn count(
    selvedge: &Path,
    case: &Case,
    tools: &Tools,
    profile: &Path,
    limit: Duration,
) -> Result<Option<Counted>, Error> {
    let mut command = Command::new(VALGRIND);
    command.args(["--tool=callgrind", "--trace-children=no", "--vgdb=no"]);
    command.arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(selvedge).args(["check", "--format", "json", "--workers", "1"]).args(case.options);
    command.arg(tools.in_repository(format!("bench/programs/{}.c", case.program)));
    command.arg("--").args(case.flags);
    let outcome = process::run(&mut command, limit)?;
    if outcome.end == End::TimeLimit {
        return Ok(None);
    }
    let measured = Measured::new(&outcome).map_err(|error| Error::Failed {
        program: format!("{} under callgrind", selvedge.display()),
        message: format!("{error} (was it built with `--features small-address-space`?)"),
    })?;
    let text = fs::read_to_string(profile).map_err(Error::file(profile))?;
    let instructions = total(&text).ok_or_else(|| Error::Failed {
        program: VALGRIND.to_owned(),
        message: format!("no total in {}", profile.display()),
    })?;
    Ok(Some(Counted { measured, instructions }))
}

/// The number of instructions that a profile says there were in all.
fn total(profile: &str) -> Option<u64> {
    let mut lines = profile.lines().rev();
    lines.find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}

fn millions(instructions: u64) -> String {
    format!("{:.1}", instructions as f64 / 1e6)
}

/// A row's name as a part of a file's.
fn file_name(row: &str) -> String {
    row.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const CASE: Case = Case { name: "x", program: "x", options: &[], flags: &[], executions: Some(8) };

    fn counted(executions: u64, instructions: u64) -> Option<Counted> {
        let json = json!({ "verdict": "verified", "executions": executions, "blocked": 0, "peak_rss_kb": 0 });
        let outcome = process::Finished {
            end: End::Exit(0),
            stdout: json.to_string().into_bytes(),
            stderr: Vec::new(),
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
        };
        Measured::new(&outcome).ok().map(|measured| Counted { measured, instructions })
    }

    #[test]
    fn more_than_the_tolerance_is_a_fault() {
        let fault = |own, other| compare(&CASE, counted(8, own), Some(counted(8, other))).1;
        assert_eq!(fault(1030, 1000), None);
        assert!(fault(1031, 1000).is_some_and(|fault| fault.contains("3.1% more")));
        assert_eq!(fault(500, 1000), None);
        assert_eq!(compare(&CASE, counted(8, 1031), None).1, None);
        assert_eq!(compare(&CASE, None, Some(counted(8, 1))).1, None);
        assert_eq!(compare(&CASE, counted(8, 1031), Some(None)).1, None);
    }

    #[test]
    fn both_builds_must_explore_the_same() {
        assert!(compare(&CASE, counted(9, 1), None).1.is_some());
        let unknown = Case { executions: None, ..CASE };
        assert!(compare(&unknown, counted(8, 1), Some(counted(9, 1))).1.is_some());
        assert_eq!(compare(&unknown, counted(8, 1), Some(counted(8, 1))).1, None);
    }

    #[test]
    fn the_total_is_found() {
        assert_eq!(total("events: Ir\nsummary: 17\n\nfn=(1) f\n1 12\n\ntotals: 12\n"), Some(12));
        assert_eq!(total("events: Ir\n"), None);
    }
}
