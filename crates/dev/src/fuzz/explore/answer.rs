//! What the tool says of a program, however it was asked.

use std::collections::BTreeMap;

use selvedge_oracle::{CProgram, Outcome, StatementId};
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What is wrong.
    pub violations: Vec<Reported>,
    /// How many executions there were.
    pub executions: u64,
    /// How many explorations were cut.
    pub blocked: u64,
    /// How many views there were, if they were counted.
    pub views: u64,
    /// Limits that were reached, in words.
    pub limits: Vec<String>,
    /// Whether it looked for all data races.
    pub looks_for_races: bool,
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The name of its kind.
    pub kind: String,
    /// The lines that it names, sorted: of a race, a deadlock or a livelock those of all participants.
    pub lines: Vec<u64>,
}

/// Which line stands for what.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The line of each statement.
    pub lines: BTreeMap<StatementId, usize>,
    /// The outcomes, each with the line that is reached with it.
    pub outcomes: BTreeMap<u64, Outcome>,
}

impl Places {
    /// Those of a printed program that distinguishes these outcomes.
    pub fn of(printed: CProgram, outcomes: &[&Outcome]) -> Self {
        let lines = printed.outcomes.iter().map(|line| *line as u64);
        let outcomes = lines.zip(outcomes.iter().copied().cloned()).collect();
        Self { lines: printed.lines, outcomes }
    }
}

impl Reported {
    /// A violation at a line, with notes at some others.
    pub fn new(kind: &str, line: Option<u64>, notes: impl Iterator<Item = u64>) -> Self {
        let mut lines: Vec<u64> = match kind {
            "data-race" | "deadlock" | "livelock" => notes.collect(),
            _ => line.into_iter().collect(),
        };
        lines.sort_unstable();
        Self { kind: kind.to_owned(), lines }
    }
}

impl Answer {
    /// Reads the tool's own result.
    pub fn read(result: &Value) -> Self {
        let list = |name: &str| result[name].as_array().map_or(&[][..], Vec::as_slice);
        let number = |name: &str| result[name].as_u64().unwrap_or(0);
        let line = |place: &Value| place["line"].as_u64();
        let violation = |violation: &Value| {
            let kind = violation["kind"].as_str().unwrap_or("violation without a kind");
            let notes = violation["notes"].as_array().into_iter().flatten();
            Reported::new(
                kind,
                line(&violation["location"]),
                notes.filter_map(|note| line(&note["location"])),
            )
        };
        Self {
            violations: list("violations").iter().map(violation).collect(),
            executions: number("executions"),
            blocked: number("blocked"),
            views: number("views"),
            limits: list("limits").iter().map(Value::to_string).collect(),
            // It says so if it has not.
            looks_for_races: result["not_checked"].is_null(),
        }
    }
}
