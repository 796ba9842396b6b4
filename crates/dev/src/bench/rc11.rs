//! `bench rc11`: execution graphs of RC11, beside GenMC.
//!
//! Every consistent graph is explored once, so the numbers of executions are canonical: a row that differs from what is
//! known is a fault. The measure is that of `bench dpor`. Where all accesses of a program are sequentially consistent,
//! GenMC notices that and uses the simpler model; so it would for its users, and so it does here.

use clap::Args;

use super::instructions::Case;
use super::measured::{self, Measured};
use super::only::Only;
use super::peer::{self, Loops, Peer};
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench rc11`.
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
    loops: Loops,
    /// How many consistent graphs there are.
    graphs: u64,
    /// Executions per second of processor time of GenMC, where there is a figure for this very program.
    reference: Option<f64>,
}

impl Row {
    const fn new(
        name: &'static str,
        program: &'static str,
        flags: &'static [&'static str],
        graphs: u64,
    ) -> Row {
        Row { name, program, flags, loops: Loops::Wait, graphs, reference: None }
    }

    /// All its loops end by themselves.
    const fn ends(self) -> Row {
        Row { loops: Loops::End, ..self }
    }

    const fn reference(self, rate: f64) -> Row {
        Row { reference: Some(rate), ..self }
    }
}

/// Options of `selvedge check`.
const OPTIONS: &[&str] = &["--model", "rc11"];

const RELAXED: &str = "-DMO=memory_order_relaxed";

const ROWS: [Row; 13] = [
    Row::new("fib_bench(4)", "fib_bench", &["-DN=4"], 19_605),
    Row::new("fib_bench(4), relaxed", "fib_bench", &["-DN=4", RELAXED], 44_100).reference(38_000.0),
    Row::new("fib_bench(5)", "fib_bench", &["-DN=5"], 218_243),
    Row::new("two_fib(5), relaxed", "two_fib", &["-DN=5"], 19_404),
    Row::new("lastzero(12), relaxed", "lastzero", &["-DN=12", RELAXED], 26_624),
    Row::new("lastzero(15), relaxed", "lastzero", &["-DN=15", RELAXED], 262_144),
    Row::new("szymanski, 2 rounds", "szymanski", &["-DR=2", "-DLOOKS=1"], 14_994),
    Row::new("treiber, 3+2", "treiber", &["-DPUSHERS=3", "-DPOPPERS=2"], 34_968).ends(),
    Row::new("ms_queue, 2+2", "ms_queue", &["-DENQUEUERS=2", "-DDEQUEUERS=2"], 11_198).ends(),
    Row::new("indexer(15)", "indexer", &["-DN=15"], 4096).reference(300.0),
    Row::new("readers(13)", "readers", &["-DN=13"], 8192),
    Row::new("sb_ring, 4, 3 rounds", "sb_ring", &["-DT=4", "-DK=3"], 108_081).ends(),
    Row::new("chase_lev, 3 thieves", "chase_lev", &["-DT=3", "-DK=3"], 28_777).ends(),
];

/// The rows for `bench instructions`.
pub fn cases() -> Vec<Case> {
    let case = |row: &Row| Case {
        name: row.name,
        program: row.program,
        options: OPTIONS,
        flags: row.flags,
        executions: Some(row.graphs),
    };
    ROWS.iter().map(case).collect()
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [rows] = arguments.only.of([&ROWS], |row| row.name)?;
    let genmc = Peer::genmc("--rc11")?;
    println!("model rc11, explorer graph");
    peer::introduce([&genmc]);
    peer::introduce_references([&genmc]);
    let mut heading = vec!["program".to_owned()];
    heading.extend(Measured::HEADINGS.map(str::to_owned));
    heading.extend(genmc.heading());
    let mut table = vec![heading];
    let mut faults = Vec::new();
    for row in rows {
        let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
        let mut line = vec![row.name.to_owned()];
        let Some(result) = Measured::of(tools, &source, OPTIONS, row.flags)? else {
            line.push("too long".to_owned());
            table.push(line);
            continue;
        };
        let fault = result.fault(Some(row.graphs));
        let mark = if fault.is_some() { "WRONG " } else { "" };
        faults.extend(fault.map(|fault| format!("{}: {fault}", row.name)));
        line.extend(result.columns(mark));
        line.extend(match genmc.installed {
            true => genmc.measure(&source, row.flags, row.loops, &result)?,
            false => Peer::reference(row.reference, Some(row.graphs)),
        });
        table.push(line);
    }
    print!("\n{}", table::render(&table));
    Ok(measured::judge(&faults))
}
