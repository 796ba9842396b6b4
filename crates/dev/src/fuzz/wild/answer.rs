//! What the tool says of a program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::error::Error;
use crate::process::{self, End};
use crate::tools::Tools;

/// The time after which the tool hangs, if it has no time limit.
const HANGS: Duration = Duration::from_secs(60);

/// How long it may take to end after its time limit.
const GRACE: Duration = Duration::from_secs(10);

/// A kind of violation, and its line.
pub type Violation = (String, u64);

/// An answer that can be read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: String,
    /// The violations.
    pub found: BTreeSet<Violation>,
    /// The number of executions.
    pub executions: u64,
    /// How many classes they are in, if that was counted.
    pub classes: Option<u64>,
    /// Whether bounds or limits were reached.
    pub limited: bool,
    /// Whether the time was up.
    pub late: bool,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub enum Run {
    /// The tool has answered.
    Answered(Answer),
    /// It does not support something here, and says so.
    Unsupported,
    /// It broke, or took far too long.
    Broken(String),
}

/// Checks a program with these options, and leaves the schedules in the folder.
pub fn check(tools: &Tools, folder: &Path, text: &str, options: &[&str]) -> Result<(Run, Value), Error> {
    let input = folder.join("program.c");
    fs::write(&input, text).map_err(Error::file(&input))?;
    let mut command = tools.selvedge();
    command.args(["check", "--format", "json", "--schedule", "schedule.json"]).args(options);
    command.args(["program.c", "--", "-w"]).current_dir(folder).env("TMPDIR", folder);
    let limit = options.iter().rposition(|word| *word == "--time-limit");
    let limit = limit.and_then(|at| options.get(at + 1)?.parse().ok()).map(Duration::from_secs_f64);
    let outcome = process::run(&mut command, limit.map_or(HANGS, |limit| limit + GRACE))?;
    let broken = |what: String| Ok((Run::Broken(what), Value::Null));
    let code = match outcome.end {
        End::Exit(2) if outcome.complaint().contains("[unsupported]") => {
            return Ok((Run::Unsupported, Value::Null));
        }
        End::Exit(3)
            if outcome.stdout.is_empty() && outcome.complaint().contains("the time limit was reached") =>
        {
            return Ok((Run::Answered(Answer::too_late()), Value::Null));
        }
        End::Exit(code @ (0 | 1 | 3)) if !outcome.complaint().contains("error[internal]") => code,
        end => return broken(format!("{end}: {}", outcome.complaint())),
    };
    let json: Value = match serde_json::from_slice(&outcome.stdout) {
        Ok(json) => json,
        Err(error) => return broken(format!("not JSON: {error}")),
    };
    let answer = answer(&json);
    let expected = match answer.verdict.as_str() {
        "verified" => 0,
        "violation" => 1,
        _ => 3,
    };
    if code != expected {
        return broken(format!("exit code {code}, but {}", answer.verdict));
    }
    Ok((Run::Answered(answer), json))
}

fn answer(json: &Value) -> Answer {
    let violations = json["violations"].as_array().into_iter().flatten();
    let violation = |violation: &Value| {
        let kind = violation["kind"].as_str().unwrap_or_default().to_owned();
        (kind, violation["location"]["line"].as_u64().unwrap_or_default())
    };
    let limits: Vec<&str> =
        json["limits"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Answer {
        verdict: json["verdict"].as_str().unwrap_or_default().to_owned(),
        found: violations.map(violation).collect(),
        executions: json["executions"].as_u64().unwrap_or_default(),
        classes: json["classes"].as_u64(),
        limited: !limits.is_empty(),
        late: limits.iter().any(|limit| limit.contains("--time-limit")),
    }
}

impl Answer {
    /// What is known if the time was up before the program was compiled.
    fn too_late() -> Self {
        let verdict = "incomplete".to_owned();
        Self { verdict, found: BTreeSet::new(), executions: 0, classes: None, limited: true, late: true }
    }

    /// Whether there is a data race.
    pub fn has_race(&self) -> bool {
        self.found.iter().any(|(kind, _)| kind == RACE)
    }

    /// In words.
    pub fn describe(&self) -> String {
        let found: Vec<String> =
            self.found.iter().map(|(kind, line)| format!("{kind} line {line}")).collect();
        match found.is_empty() {
            true => self.verdict.clone(),
            false => found.join(", "),
        }
    }
}

/// The kind of data races.
pub const RACE: &str = "data-race";
