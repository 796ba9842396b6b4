//! `fuzz csmith`: random C programs, run natively and by the tool.
//!
//! csmith (Yang, Chen, Eide, Regehr: Finding and Understanding Bugs in C Compilers, PLDI 2011)
//! writes programs whose behaviour is defined and which print a checksum of their globals. Both runs
//! must print the same and exit alike.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::Args;

use crate::Finding;
use crate::error::Error;
use crate::parallel;
use crate::process::{self, End, Finished};
use crate::table;
use crate::tools::{self, CLANG, Tools};

const GENERATION_LIMIT: Duration = Duration::from_secs(30);
const COMPILATION_LIMIT: Duration = Duration::from_secs(60);
const NATIVE_LIMIT: Duration = Duration::from_secs(5);
const TOOL_LIMIT: Duration = Duration::from_secs(60);
const INSTALL: &str = "install the Debian packages `csmith libcsmith-dev`";

/// Options of `fuzz csmith`.
#[derive(Args)]
pub struct Arguments {
    /// How many programs to try
    programs: u64,
    /// The seed of the first program; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs to try at a time
    #[arg(long, default_value_t = parallel::default_jobs())]
    jobs: usize,
    /// Where to keep the programs that show a fault [default: target/fuzz/csmith]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Where csmith.h is [default: looked for]
    #[arg(long, value_name = "DIR")]
    csmith_include: Option<PathBuf>,
}

/// What became of one seed.
enum Verdict {
    /// There is nothing to compare with: csmith, clang or the program itself failed or took too long.
    Skipped,
    Matched,
    /// The tool says something else than native code.
    Mismatched(String),
    /// The tool refused the program or broke.
    ToolError(String),
    /// The tool took too long.
    Slow,
}

/// How many seeds had each verdict.
#[derive(Default)]
struct Summary {
    programs: u64,
    skipped: u64,
    matched: u64,
    mismatched: u64,
    tool_errors: u64,
    slow: u64,
}

/// Runs the command. Faults are mismatches and tool errors: a tool that refuses every program has
/// not matched any.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require("csmith", INSTALL)?;
    tools::require(CLANG, "install the Debian package `clang-22`")?;
    let include = match &arguments.csmith_include {
        Some(folder) => folder.clone(),
        None => find_include_folder()?,
    };
    let keep = arguments.keep.clone().unwrap_or_else(|| tools.in_repository("target/fuzz/csmith"));

    let started = AtomicU64::new(0);
    let next = || {
        let index = started.fetch_add(1, Ordering::Relaxed);
        (index < arguments.programs).then(|| arguments.seed.wrapping_add(index))
    };
    let mut summary = Summary::default();
    let mut failure = None;
    let work = |&seed: &u64| examine(seed, &include, &keep, tools);
    parallel::for_each(arguments.jobs, next, work, |seed, verdict| match verdict {
        Ok(verdict) => summary.add(seed, &verdict, &keep),
        Err(error) => {
            // No use in going on: this is about the machine, not about one program.
            started.store(arguments.programs, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    });
    print!("{}", summary.table());
    match failure {
        Some(error) => Err(error),
        None if summary.mismatched + summary.tool_errors > 0 => Ok(Finding::Faults),
        None => Ok(Finding::Nothing),
    }
}

/// The folder of `csmith.h`: where Debian puts it, where csmith's own installation does, or where
/// the variable that its manual names points to.
fn find_include_folder() -> Result<PathBuf, Error> {
    let mut folders = Vec::new();
    for variable in ["CSMITH_HOME", "CSMITH_PATH"] {
        folders.extend(std::env::var_os(variable).map(|home| Path::new(&home).join("runtime")));
    }
    for parent in ["/usr/include", "/usr/local/include", "/opt/csmith/include"] {
        folders.push(PathBuf::from(parent));
        let mut versions: Vec<PathBuf> = fs::read_dir(parent)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("csmith"))
            .map(|entry| entry.path())
            .collect();
        versions.sort();
        folders.extend(versions);
    }
    folders.push(PathBuf::from("/usr/share/csmith/runtime"));
    folders.into_iter().find(|folder| folder.join("csmith.h").is_file()).ok_or_else(|| Error::Missing {
        program: "csmith.h".to_owned(),
        remedy: format!("{INSTALL}, or name its folder with --csmith-include"),
    })
}

/// Makes the program of one seed, runs it twice and compares. A program that shows a fault is kept.
fn examine(seed: u64, include: &Path, keep: &Path, tools: &Tools) -> Result<Verdict, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let source = folder.path().join(file_name(seed));
    let binary = folder.path().join("native");

    let mut generate = Command::new("csmith");
    generate.arg("--seed").arg(seed.to_string()).arg("--output").arg(&source).current_dir(folder.path());
    if !process::run(&mut generate, GENERATION_LIMIT)?.succeeded() {
        return Ok(Verdict::Skipped);
    }
    let mut compile = Command::new(CLANG);
    compile.args(["-O0", "-w", "-I"]).arg(include).arg(&source).arg("-o").arg(&binary);
    if !process::run(&mut compile, COMPILATION_LIMIT)?.succeeded() {
        return Ok(Verdict::Skipped);
    }
    let native = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    if !matches!(native.end, End::Exit(_)) {
        return Ok(Verdict::Skipped);
    }
    let mut command = tools.selvedge();
    command.arg("run").arg(&source).args(["--", "-w", "-I"]).arg(include);
    let tool = process::run(&mut command, TOOL_LIMIT)?;

    let verdict = compare(&native, &tool);
    if matches!(verdict, Verdict::Mismatched(_) | Verdict::ToolError(_)) {
        fs::create_dir_all(keep).map_err(Error::file(keep))?;
        let kept = keep.join(file_name(seed));
        fs::copy(&source, &kept).map_err(Error::file(&kept))?;
    }
    Ok(verdict)
}

fn file_name(seed: u64) -> String {
    format!("csmith-{seed}.c")
}

fn compare(native: &Finished, tool: &Finished) -> Verdict {
    if tool.end == native.end && tool.stdout == native.stdout {
        return Verdict::Matched;
    }
    match tool.end {
        End::TimeLimit => Verdict::Slow,
        // The codes of the tool itself: refused, limit reached, internal error; and Rust's panic.
        End::Exit(2 | 3 | 4 | 101) | End::Signal(_) if tool.end != native.end => {
            Verdict::ToolError(format!("{}: {}", tool.end, tool.complaint()))
        }
        _ => Verdict::Mismatched(difference(native, tool)),
    }
}

/// The first difference between two runs, in words.
fn difference(native: &Finished, tool: &Finished) -> String {
    let mut text = String::new();
    if tool.end != native.end {
        text.push_str(&format!(
            "  native: {}\n  selvedge: {} ({})\n",
            native.end,
            tool.end,
            tool.complaint()
        ));
    }
    if tool.stdout != native.stdout {
        let lines = |outcome: &Finished| -> Vec<String> {
            String::from_utf8_lossy(&outcome.stdout).lines().map(str::to_owned).collect()
        };
        let (expected, found) = (lines(native), lines(tool));
        let common = expected.iter().zip(&found).take_while(|(one, other)| one == other).count();
        let line = |lines: &[String]| lines.get(common).cloned().unwrap_or_else(|| "(no more)".to_owned());
        text.push_str(&format!(
            "  output line {}\n  native: {}\n  selvedge: {}\n",
            common + 1,
            line(&expected),
            line(&found)
        ));
    }
    text
}

impl Summary {
    /// Counts a verdict, and prints it if something is wrong.
    fn add(&mut self, seed: u64, verdict: &Verdict, keep: &Path) {
        self.programs += 1;
        let kept = keep.join(file_name(seed));
        match verdict {
            Verdict::Skipped => self.skipped += 1,
            Verdict::Matched => self.matched += 1,
            Verdict::Slow => {
                self.slow += 1;
                println!("seed {seed}: slow, more than {} s", TOOL_LIMIT.as_secs());
            }
            Verdict::Mismatched(difference) => {
                self.mismatched += 1;
                println!("seed {seed}: MISMATCH, see {}\n{difference}", kept.display());
            }
            Verdict::ToolError(message) => {
                self.tool_errors += 1;
                println!("seed {seed}: tool error, see {}\n  {message}", kept.display());
            }
        }
    }

    fn table(&self) -> String {
        let heading = ["programs", "skipped", "matched", "mismatched", "tool errors", "slow"];
        let counts =
            [self.programs, self.skipped, self.matched, self.mismatched, self.tool_errors, self.slow];
        let rows = [heading.map(str::to_owned).to_vec(), counts.map(|count| count.to_string()).to_vec()];
        table::render(&rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End, stdout: &str) -> Finished {
        let stdout = stdout.as_bytes().to_vec();
        Finished { end, stdout, stderr: b"why".to_vec(), cpu: Duration::ZERO, wall: Duration::ZERO }
    }

    #[test]
    fn verdicts_follow_code_and_output() {
        let native = outcome(End::Exit(0), "a\nb\n");
        let verdict = |end, text| compare(&native, &outcome(end, text));
        assert!(matches!(verdict(End::Exit(0), "a\nb\n"), Verdict::Matched));
        assert!(matches!(verdict(End::TimeLimit, "a\n"), Verdict::Slow));
        assert!(matches!(verdict(End::Exit(2), ""), Verdict::ToolError(_)));
        assert!(matches!(verdict(End::Signal(11), ""), Verdict::ToolError(_)));
        assert!(matches!(verdict(End::Exit(1), "a\nb\n"), Verdict::Mismatched(_)));
        let Verdict::Mismatched(difference) = verdict(End::Exit(0), "a\nc\n") else { panic!("must differ") };
        assert_eq!(difference, "  output line 2\n  native: b\n  selvedge: c\n");
    }
}
