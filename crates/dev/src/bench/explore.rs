//! `bench explore`: how fast executions are explored, and that memory stays flat as they grow.
//!
//! Each row is a process of its own: the most memory that a process has had is told of all it has done.

use std::time::Duration;

use crate::Finding;
use crate::error::Error;
use crate::process;
use crate::table;
use crate::tools::Tools;

const PROGRAM: &str = "bench/programs/toy.c";
const RUN_LIMIT: Duration = Duration::from_secs(120);

/// Operations of each of the three threads, and how executions are chosen.
const ROWS: [(u32, &[&str]); 6] = [
    (3, &["--explorer", "exhaustive"]),
    (4, &["--explorer", "exhaustive"]),
    (5, &["--explorer", "exhaustive", "--max-executions", "2000000"]),
    (5, &["--explorer", "context", "--preemptions", "3"]),
    (5, &["--explorer", "random", "--max-executions", "20000"]),
    (5, &["--explorer", "pct", "--max-executions", "20000"]),
];

/// Runs the command.
pub fn run(tools: &Tools) -> Result<Finding, Error> {
    let heading = ["operations", "explorer", "executions", "steps", "CPU s", "steps/CPU s", "peak MB"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for (operations, options) in ROWS {
        let mut command = tools.selvedge();
        command.arg("check").args(options).args(["--format", "json"]).arg(tools.in_repository(PROGRAM));
        command.arg("--").arg(format!("-DOPS={operations}"));
        let outcome = process::run(&mut command, RUN_LIMIT)?;
        let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
        let field = |name: &str| number(&text, name);
        let (Some(executions), Some(steps)) = (field("executions"), field("steps")) else {
            let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
            return Err(Error::Failed { program: "selvedge check".to_owned(), message });
        };
        let seconds = outcome.cpu.as_secs_f64();
        rows.push(vec![
            format!("3 x {operations}"),
            options[1].to_owned(),
            executions.to_string(),
            steps.to_string(),
            format!("{seconds:.2}"),
            format!("{:.0}", steps as f64 / seconds),
            format!("{:.0}", field("peak_rss_kb").unwrap_or(0) as f64 / 1024.0),
        ]);
    }
    println!("exploring three threads of atomic operations (compilation included)\n{}", table::render(&rows));
    Ok(Finding::Nothing)
}

/// A number of the result.
fn number(json: &str, name: &str) -> Option<u64> {
    let (_, rest) = json.split_once(&format!("\"{name}\": "))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
