//! `bench workers`: how much faster several workers are.
//!
//! Each program is explored by one worker and by several, for as long as it takes or some seconds. What counts is executions
//! per second of the clock on the wall, so nothing else should be going on.

use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::only::Only;
use crate::Finding;
use crate::error::Error;
use crate::process;
use crate::table;
use crate::tools::Tools;

/// Options of `bench workers`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
    /// How many workers to compare with one
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=64))]
    workers: u32,
    /// After how many seconds an exploration is cut off
    #[arg(long, value_name = "SECONDS", default_value_t = 8)]
    seconds: u64,
}

/// A program at one size.
struct Row {
    name: &'static str,
    /// The file in `bench/programs`, without its extension.
    program: &'static str,
    /// Model and explorer, if the tool is not to choose.
    options: &'static [&'static str],
    flags: &'static [&'static str],
}

const fn row(
    name: &'static str,
    program: &'static str,
    options: &'static [&'static str],
    flags: &'static [&'static str],
) -> Row {
    Row { name, program, options, flags }
}

const OPTIMAL: &[&str] = &["--explorer", "optimal"];
const TSO: &[&str] = &["--model", "tso"];
const RC11: &[&str] = &["--model", "rc11"];

const ROWS: [Row; 18] = [
    row("readers(23)", "readers", &[], &["-DN=23"]),
    row("lastzero(20)", "lastzero", &[], &["-DN=20"]),
    row("fib_bench(7)", "fib_bench", &[], &["-DN=7"]),
    row("treiber, 4+3", "treiber", &[], &["-DPUSHERS=4", "-DPOPPERS=3"]),
    row("ms_queue, 3+2", "ms_queue", &[], &["-DENQUEUERS=3", "-DDEQUEUERS=2"]),
    row("peterson, 6 rounds", "peterson", &[], &["-DR=6"]),
    row("dekker, 5 rounds", "dekker", &[], &["-DR=5"]),
    row("burns, 5 rounds", "burns", &[], &["-DR=5"]),
    row("thread_pool, 3 workers", "thread_pool", &[], &["-DWORKERS=3", "-DTASKS=4"]),
    row("readers(19)", "readers", OPTIMAL, &["-DN=19"]),
    row("lastzero(18)", "lastzero", OPTIMAL, &["-DN=18"]),
    row("fib_bench(7)", "fib_bench", OPTIMAL, &["-DN=7"]),
    row("treiber, 4+2", "treiber", OPTIMAL, &["-DPUSHERS=4", "-DPOPPERS=2"]),
    row("ms_queue, 3+2", "ms_queue", OPTIMAL, &["-DENQUEUERS=3", "-DDEQUEUERS=2"]),
    row("fib_bench(6)", "fib_bench", TSO, &["-DN=6"]),
    row("treiber, 4+2", "treiber", TSO, &["-DPUSHERS=4", "-DPOPPERS=2"]),
    row("fib_bench(7)", "fib_bench", RC11, &["-DN=7"]),
    row("lastzero(20)", "lastzero", RC11, &["-DN=20"]),
];

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [rows] = arguments.only.of([&ROWS], |row| row.name)?;
    println!("complete executions per second of time, for at most {} s", arguments.seconds);
    let several = format!("{} workers", arguments.workers);
    let heading =
        ["program", "model", "explorer", "1 worker", &several, "ratio", "executions", "within the time"];
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    for row in rows {
        let one = explore(tools, row, 1, arguments.seconds)?;
        let more = explore(tools, row, arguments.workers, arguments.seconds)?;
        table.push(vec![
            row.name.to_owned(),
            more.model,
            more.explorer,
            format!("{:.0}", one.rate),
            format!("{:.0}", more.rate),
            format!("{:.2}", more.rate / one.rate),
            more.executions.to_string(),
            if more.is_complete { "all" } else { "some" }.to_owned(),
        ]);
    }
    print!("\n{}", table::render(&table));
    Ok(Finding::Nothing)
}

/// What came of an exploration.
struct Explored {
    model: String,
    explorer: String,
    executions: u64,
    rate: f64,
    is_complete: bool,
}

fn explore(tools: &Tools, row: &Row, workers: u32, seconds: u64) -> Result<Explored, Error> {
    let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
    let (workers, limit) = (workers.to_string(), seconds.to_string());
    let mut command = tools.selvedge();
    command.args(["check", "--format", "json"]).args(row.options);
    command.args(["--workers", &workers, "--time-limit", &limit]);
    command.arg(source).arg("--").args(row.flags);
    let outcome = process::run(&mut command, Duration::from_secs(2 * seconds + 60))?;
    let failed = || Error::Failed {
        program: "selvedge check".to_owned(),
        message: format!("{}: {}", outcome.end, outcome.complaint()),
    };
    let json: Value = serde_json::from_slice(&outcome.stdout).map_err(|_| failed())?;
    let executions = json["executions"].as_u64().ok_or_else(failed)?;
    let time = json["time_ms"].as_f64().ok_or_else(failed)? / 1000.0;
    let is_complete = json["verdict"].as_str() == Some("verified");
    let word = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
    let (model, explorer) = (word("model"), word("explorer"));
    Ok(Explored { model, explorer, executions, rate: executions as f64 / time.max(1e-9), is_complete })
}
