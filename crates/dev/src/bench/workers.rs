//! `bench workers`: how much faster several workers are.
//!
//! Each program is explored by one worker and by several, for as long as it takes or some seconds. What counts is executions
//! per second of the clock on the wall, so nothing else should be going on. It is explored in this process: neither its
//! compilation nor the start of another process counts.

use std::time::{Duration, Instant};

use clap::Args;
use selvedge_verify::{Explorer, Model, Request, Sources, Verdict, Verifier};

use super::only::Only;
use crate::Finding;
use crate::error::Error;
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
    asked: Asked,
    flags: &'static [&'static str],
}

/// Model and explorer, if the tool is not to choose.
type Asked = (Option<Model>, Option<Explorer>);

const fn row(name: &'static str, program: &'static str, asked: Asked, flags: &'static [&'static str]) -> Row {
    Row { name, program, asked, flags }
}

const CHOSEN: Asked = (None, None);
const OPTIMAL: Asked = (None, Some(Explorer::Optimal));
const TSO: Asked = (Some(Model::Tso), None);
const RC11: Asked = (Some(Model::Rc11), None);

const ROWS: [Row; 18] = [
    row("readers(23)", "readers", CHOSEN, &["-DN=23"]),
    row("lastzero(20)", "lastzero", CHOSEN, &["-DN=20"]),
    row("fib_bench(7)", "fib_bench", CHOSEN, &["-DN=7"]),
    row("treiber, 4+3", "treiber", CHOSEN, &["-DPUSHERS=4", "-DPOPPERS=3"]),
    row("ms_queue, 3+2", "ms_queue", CHOSEN, &["-DENQUEUERS=3", "-DDEQUEUERS=2"]),
    row("peterson, 6 rounds", "peterson", CHOSEN, &["-DR=6"]),
    row("dekker, 5 rounds", "dekker", CHOSEN, &["-DR=5"]),
    row("burns, 5 rounds", "burns", CHOSEN, &["-DR=5"]),
    row("thread_pool, 3 workers", "thread_pool", CHOSEN, &["-DWORKERS=3", "-DTASKS=4"]),
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
        let verifier = compile(tools, row)?;
        let one = explore(&verifier, row, 1, arguments.seconds)?;
        let more = explore(&verifier, row, arguments.workers, arguments.seconds)?;
        table.push(vec![
            row.name.to_owned(),
            more.model.to_owned(),
            more.explorer.to_owned(),
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
    model: &'static str,
    explorer: &'static str,
    executions: u64,
    rate: f64,
    is_complete: bool,
}

fn failed(error: &selvedge_verify::Error) -> Error {
    Error::Failed { program: "the exploration".to_owned(), message: error.to_string() }
}

fn compile(tools: &Tools, row: &Row) -> Result<Verifier, Error> {
    let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
    let sources = Sources { files: vec![source], flags: row.flags.iter().map(Into::into).collect() };
    Verifier::compile(&sources, &Request::default()).map_err(|error| failed(&error))
}

fn explore(verifier: &Verifier, row: &Row, workers: u32, seconds: u64) -> Result<Explored, Error> {
    let (model, explorer) = row.asked;
    let request = Request { model, explorer, ..Request::default() }.workers(workers as usize);
    let start = Instant::now();
    let outcome = verifier.verify(&request.within(Duration::from_secs(seconds)));
    let outcome = outcome.map_err(|error| failed(&error))?;
    let executions = outcome.statistics.executions;
    Ok(Explored {
        model: outcome.model.name(),
        explorer: outcome.explorer_name,
        executions,
        rate: executions as f64 / start.elapsed().as_secs_f64().max(1e-9),
        is_complete: outcome.verdict == Verdict::Verified,
    })
}
