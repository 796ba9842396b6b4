//! `bench dpor`: how fast partial-order reduction explores, beside GenMC and Nidhugg.
//!
//! The measure is the processor time of the whole task, compilation included, with one worker. A peer that is
//! installed runs on the same source in the same run; for one that is not, there are reference figures. Peers cut
//! waiting loops in their own ways, so the numbers of executions agree only where there are none; `LOOKS` says after
//! how many looks in vain a thread gives up. Both numbers are printed, and times are compared only where they
//! agree. Where the number is known, a row that differs is a fault. By default the tool chooses how to explore: the
//! table says how it did.

use clap::Args;

use super::instructions::Case;
use super::measured::{self, Measured};
use super::only::Only;
use super::peer::{self, Loops, Peer};
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench dpor`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
    /// The explorer of `selvedge check` to measure, if not what it chooses itself
    #[arg(long, value_name = "NAME")]
    explorer: Option<String>,
}

/// A program at one size.
struct Row {
    name: &'static str,
    /// The file in `bench/programs`, without its extension.
    program: &'static str,
    flags: &'static [&'static str],
    loops: Loops,
    /// The number of classes of executions, where it is known.
    classes: Option<u64>,
    /// Executions per second of processor time of GenMC 0.11 and of Nidhugg (optimal).
    reference: Option<[f64; 2]>,
}

impl Row {
    const fn new(name: &'static str, program: &'static str, flags: &'static [&'static str]) -> Row {
        Row { name, program, flags, loops: Loops::Wait, classes: None, reference: None }
    }

    /// All its loops end by themselves.
    const fn ends(self) -> Row {
        Row { loops: Loops::End, ..self }
    }

    const fn classes(self, classes: u64) -> Row {
        Row { classes: Some(classes), ..self }
    }

    const fn reference(self, genmc: f64, nidhugg: f64) -> Row {
        Row { reference: Some([genmc, nidhugg]), ..self }
    }
}

/// Programs with reference figures, of programs with the same number of executions.
const COMPARED: [Row; 8] = [
    Row::new("readers(13)", "readers", &["-DN=13"]).classes(8192).reference(19_800.0, 2_000.0),
    Row::new("lastzero(12)", "lastzero", &["-DN=12"]).classes(15_360).reference(16_900.0, 2_900.0),
    Row::new("lastzero(15)", "lastzero", &["-DN=15"]).classes(147_456).reference(11_800.0, 1_900.0),
    Row::new("fib_bench(4)", "fib_bench", &["-DN=4"]).classes(19_605).reference(32_600.0, 11_300.0),
    Row::new("fib_bench(5)", "fib_bench", &["-DN=5"]).classes(218_243).reference(35_000.0, 8_900.0),
    Row::new("indexer(13)", "indexer", &["-DN=13"]).classes(64).reference(200.0, 300.0),
    Row::new("indexer(14)", "indexer", &["-DN=14"]).classes(512).reference(320.0, 335.0),
    Row::new("indexer(15)", "indexer", &["-DN=15"]).classes(4096).reference(275.0, 230.0),
];

/// Programs without.
const OTHERS: [Row; 14] = [
    Row::new("szymanski, 2 rounds", "szymanski", &["-DR=2", "-DLOOKS=1"]).classes(14_994),
    Row::new("ms_queue, 2+2", "ms_queue", &["-DENQUEUERS=2", "-DDEQUEUERS=2"]).ends().classes(11_198),
    Row::new("treiber, 3+2", "treiber", &["-DPUSHERS=3", "-DPOPPERS=2"]).ends().classes(34_968),
    Row::new("peterson, 4 rounds", "peterson", &["-DR=4", "-DLOOKS=1"]).classes(31_200),
    Row::new("dekker, 4 rounds", "dekker", &["-DR=4", "-DLOOKS=1"]).classes(119_330),
    Row::new("burns, 3 rounds", "burns", &["-DR=3"]),
    Row::new("lamport_fast, 2 rounds", "lamport_fast", &["-DR=2"]),
    Row::new("bakery, 2 rounds", "bakery", &["-DR=2"]),
    Row::new("bounded_buffer, 3+3", "bounded_buffer", &["-DPRODUCERS=3", "-DCONSUMERS=3", "-DITEMS=1"]),
    Row::new("rwlock, 2+2", "rwlock", &["-DREADERS=2", "-DWRITERS=2"]),
    Row::new("rwlock_pthread, 3+2", "rwlock_pthread", &["-DREADERS=3", "-DWRITERS=2", "-DR=2"])
        .classes(20_250),
    Row::new("philosophers(14), ordered", "philosophers", &["-DN=14", "-DORDERED"]).classes(16_382),
    Row::new("thread_pool, 3 workers", "thread_pool", &["-DWORKERS=3", "-DTASKS=2"]),
    Row::new("seqlock, 3 readers", "seqlock", &["-DREADERS=3"]),
];

/// The rows for `bench instructions`.
pub fn cases() -> Vec<Case> {
    let case = |row: &Row| Case {
        name: row.name,
        program: row.program,
        options: &[],
        flags: row.flags,
        executions: row.classes,
    };
    COMPARED.iter().chain(&OTHERS).map(case).collect()
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let groups = arguments.only.of([&COMPARED[..], &OTHERS[..]], |row| row.name)?;
    let peers = [Peer::genmc("--sc")?, Peer::nidhugg(&["-sc", "-optimal"])];
    peer::introduce(&peers);
    peer::introduce_references(&peers);
    let mut faults = Vec::new();
    for rows in groups.iter().filter(|rows| !rows.is_empty()) {
        print!("\n{}", section(rows, &peers, arguments.explorer.as_deref(), tools, &mut faults)?);
    }
    Ok(measured::judge(&faults))
}

/// Measures a group of rows. The answer is their table; what is wrong with a row is added to the faults.
fn section(
    rows: &[&Row],
    peers: &[Peer; 2],
    explorer: Option<&str>,
    tools: &Tools,
    faults: &mut Vec<String>,
) -> Result<String, Error> {
    let mut heading = vec!["program".to_owned(), "explorer".to_owned()];
    heading.extend(Measured::HEADINGS.map(str::to_owned));
    // Without a figure to compare with, a peer that is not there needs no column.
    let compared = rows.iter().any(|row| row.reference.is_some());
    let peers: Vec<(usize, &Peer)> =
        peers.iter().enumerate().filter(|(_, peer)| peer.installed || compared).collect();
    heading.extend(peers.iter().flat_map(|(_, peer)| peer.heading()));
    let mut table = vec![heading];
    let options = explorer.map_or(Vec::new(), |explorer| vec!["--explorer", explorer]);
    for row in rows {
        let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
        let Some(result) = Measured::of(tools, &source, &options, row.flags)? else {
            table.push(vec![row.name.to_owned(), "too long".to_owned()]);
            continue;
        };
        let fault = result.fault(row.classes);
        let mark = if fault.is_some() { "WRONG " } else { "" };
        faults.extend(fault.map(|fault| format!("{}: {fault}", row.name)));
        let explorer = result.json["explorer"].as_str().unwrap_or_default();
        let mut line = vec![row.name.to_owned(), explorer.to_owned()];
        line.extend(result.columns(mark));
        for &(index, peer) in &peers {
            line.extend(match peer.installed {
                true => peer.measure(&source, row.flags, row.loops, &result)?,
                false => Peer::reference(row.reference.map(|rates| rates[index]), row.classes),
            });
        }
        table.push(line);
    }
    Ok(table::render(&table))
}
