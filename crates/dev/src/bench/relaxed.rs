//! `bench relaxed`: partial-order reduction with store buffers, beside Nidhugg.
//!
//! Under TSO and PSO stores are agents of their own, so there is more to explore than under sequential consistency;
//! the number of executions there stands beside the others. Accesses are relaxed, or stores would not be buffered;
//! algorithms for mutual exclusion have the fences that make them right. The measure is that of `bench dpor`.

use clap::Args;

use super::measured::{self, Measured};
use super::only::Only;
use super::peer::{self, Loops, Peer};
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench relaxed`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
}

/// A program at one size.
struct Row {
    name: &'static str,
    /// The file in `bench/programs`, without its extension.
    program: &'static str,
    flags: &'static [&'static str],
    /// The number of traces under both models, where it is known.
    traces: Option<u64>,
}

impl Row {
    const fn new(name: &'static str, program: &'static str, flags: &'static [&'static str]) -> Row {
        Row { name, program, flags, traces: None }
    }

    const fn traces(self, traces: u64) -> Row {
        Row { traces: Some(traces), ..self }
    }
}

const RELAXED: &str = "-DMO=memory_order_relaxed";

const ROWS: [Row; 9] = [
    Row::new("peterson, 4 rounds", "peterson", &["-DR=4", "-DLOOKS=1", RELAXED, "-DFENCES"]),
    Row::new("dekker, 4 rounds", "dekker", &["-DR=4", "-DLOOKS=1", RELAXED, "-DFENCES"]),
    Row::new("szymanski, 2 rounds", "szymanski", &["-DR=2", "-DLOOKS=1", RELAXED, "-DFENCES"]),
    Row::new("fib_bench(4)", "fib_bench", &["-DN=4", RELAXED]),
    Row::new("treiber, 3+2", "treiber", &["-DPUSHERS=3", "-DPOPPERS=2", RELAXED]),
    Row::new("ms_queue, 2+2", "ms_queue", &["-DENQUEUERS=2", "-DDEQUEUERS=2", "-DMO=memory_order_acquire"]),
    Row::new("two_fib(3)", "two_fib", &["-DN=3"]).traces(175),
    Row::new("two_fib(4)", "two_fib", &["-DN=4"]).traces(1764),
    Row::new("two_fib(5)", "two_fib", &["-DN=5"]).traces(19_404),
];

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [rows] = arguments.only.of([&ROWS], |row| row.name)?;
    // The models, with the peer that knows them.
    let models = [("tso", Peer::nidhugg(&["-tso", "-source"])), ("pso", Peer::nidhugg(&["-pso", "-source"]))];
    println!("explorer optimal; where executions are few, compilation takes most of the time");
    peer::introduce([&models[0].1]);
    let mut heading = ["program", "model"].map(str::to_owned).to_vec();
    heading.extend(Measured::HEADINGS.map(str::to_owned));
    heading.push("under sc".to_owned());
    if models[0].1.installed {
        heading.extend(models[0].1.heading());
    }
    let mut table = vec![heading];
    let mut faults = Vec::new();
    for row in rows {
        let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
        let mut judge = |model: &str, fault: Option<String>| {
            let mark = if fault.is_some() { "WRONG " } else { "" };
            faults.extend(fault.map(|fault| format!("{}, {model}: {fault}", row.name)));
            mark
        };
        let sequential = match Measured::of(tools, &source, &["--model", "sc"], row.flags)? {
            Some(result) => format!("{}{}", judge("sc", result.fault(None)), result.executions),
            None => "too long".to_owned(),
        };
        for (model, peer) in &models {
            let mut line = vec![row.name.to_owned(), (*model).to_owned()];
            let Some(result) = Measured::of(tools, &source, &["--model", model], row.flags)? else {
                line.push("too long".to_owned());
                table.push(line);
                continue;
            };
            line.extend(result.columns(judge(model, result.fault(row.traces))));
            line.push(sequential.clone());
            if peer.installed {
                line.extend(peer.measure(&source, row.flags, Loops::Wait, &result)?);
            }
            table.push(line);
        }
    }
    print!("\n{}", table::render(&table));
    Ok(measured::judge(&faults))
}
