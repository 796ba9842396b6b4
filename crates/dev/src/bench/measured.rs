//! `selvedge check` on a program of `bench/programs`: what it said, and what that cost.
//!
//! It runs as a process of its own, as users run it and as other tools are run beside it: its processor time includes the start
//! and the compilation, as theirs does, and its peak of memory is that of one exploration.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::peer::per_second;
use crate::Finding;
use crate::error::Error;
use crate::process::{self, End, Finished};
use crate::tools::Tools;

/// How long a program may take.
pub const RUN_LIMIT: Duration = Duration::from_secs(120);

/// What the tool said of a program.
pub struct Measured {
    verdict: String,
    /// Complete executions.
    pub executions: u64,
    /// Executions that were begun in vain.
    pub blocked: u64,
    peak_kb: u64,
    cpu: Duration,
    /// Complete executions per second of processor time.
    pub rate: f64,
    /// Different views, and executions whose view had been explored, where the explorer counts them.
    pub views: Option<[u64; 2]>,
    /// All that the tool said.
    pub json: Value,
}

impl Measured {
    /// The headings of [`Measured::columns`].
    pub const HEADINGS: [&str; 4] = ["executions", "blocked", "CPU s", "peak MB"];

    /// Checks a program with one worker; `None` if it takes too long.
    pub fn of(
        tools: &Tools,
        source: &Path,
        options: &[&str],
        flags: &[&str],
    ) -> Result<Option<Measured>, Error> {
        let mut command = tools.selvedge();
        command.args(["check", "--format", "json", "--workers", "1"]).args(options);
        command.arg(source).arg("--").args(flags);
        let outcome = process::run_for_time(&mut command, RUN_LIMIT)?;
        match outcome.end {
            End::TimeLimit => Ok(None),
            _ => Measured::new(&outcome).map(Some),
        }
    }

    /// What a run of `selvedge check` with JSON output said.
    pub fn new(outcome: &Finished) -> Result<Measured, Error> {
        let failed = || Error::Failed {
            program: "selvedge check".to_owned(),
            message: format!("{}: {}", outcome.end, outcome.complaint()),
        };
        let json: Value = serde_json::from_slice(&outcome.stdout).map_err(|_| failed())?;
        let number = |name: &str| json[name].as_u64().ok_or_else(failed);
        let executions = number("executions")?;
        Ok(Measured {
            verdict: json["verdict"].as_str().ok_or_else(failed)?.to_owned(),
            executions,
            blocked: number("blocked")?,
            peak_kb: number("peak_rss_kb")?,
            cpu: outcome.cpu,
            rate: per_second(executions, outcome),
            views: json["views"].as_u64().zip(json["redundant"].as_u64()).map(<[u64; 2]>::from),
            json,
        })
    }

    /// What is wrong, if anything is: all programs are right, and some numbers are known.
    pub fn fault(&self, classes: Option<u64>) -> Option<String> {
        if !self.is_verified() {
            return Some(format!("the verdict is `{}`, not `verified`", self.verdict));
        }
        let classes = classes.filter(|&classes| classes != self.executions)?;
        Some(format!("{} executions, but there are {classes}", self.executions))
    }

    /// Whether all was explored, and nothing is wrong.
    pub fn is_verified(&self) -> bool {
        self.verdict == "verified"
    }

    /// Seconds of processor time.
    pub fn seconds(&self) -> f64 {
        self.cpu.as_secs_f64()
    }

    /// Seconds of processor time, for a table.
    pub fn cpu_seconds(&self) -> String {
        format!("{:.2}", self.cpu.as_secs_f64())
    }

    /// The most memory there was, in megabytes, for a table.
    pub fn peak_megabytes(&self) -> String {
        format!("{:.0}", self.peak_kb as f64 / 1024.0)
    }

    /// The numbers for a table; `mark` stands before the first.
    pub fn columns(&self, mark: &str) -> [String; 4] {
        [
            format!("{mark}{}", self.executions),
            self.blocked.to_string(),
            self.cpu_seconds(),
            self.peak_megabytes(),
        ]
    }
}

/// Prints what is wrong.
pub fn judge(faults: &[String]) -> Finding {
    for fault in faults {
        println!("\nWRONG: {fault}");
    }
    if faults.is_empty() { Finding::Nothing } else { Finding::Faults }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Measured {
        /// A program that was verified.
        pub(in crate::bench) fn example(executions: u64, cpu: Duration) -> Measured {
            Measured {
                verdict: "verified".to_owned(),
                executions,
                blocked: 0,
                peak_kb: 0,
                cpu,
                rate: 0.0,
                views: None,
                json: Value::Null,
            }
        }
    }

    fn measured(verdict: &str, executions: u64) -> Measured {
        let verdict = verdict.to_owned();
        Measured { verdict, ..Measured::example(executions, Duration::ZERO) }
    }

    #[test]
    fn a_known_number_must_be_met() {
        assert_eq!(measured("verified", 8).fault(Some(8)), None);
        assert!(measured("verified", 9).fault(Some(8)).is_some_and(|fault| fault.contains('8')));
        assert_eq!(measured("verified", 9).fault(None), None);
        assert!(measured("incomplete", 8).fault(None).is_some());
    }
}
