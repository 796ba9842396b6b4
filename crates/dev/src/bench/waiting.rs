//! `bench waiting`: programs in which threads wait for each other in loops, or try again, beside GenMC and Nidhugg.
//!
//! Whoever runs each round of a waiting loop explores far more executions than there are that matter. Where it is known
//! how many would do, the table has that number beside those that were explored: the canonical number. A row that
//! explores fewer is a fault; one that explores more says so. The measure is that of `bench dpor`: processor time of
//! the whole task, compilation included, with one worker. The tool chooses how to explore.

use clap::Args;

use super::measured::{self, Measured};
use super::only::Only;
use super::peer::{self, Loops, Peer};
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench waiting`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
}

/// The memory model of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Model {
    Sc,
    Rc11,
}

impl Model {
    fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Rc11 => "rc11",
        }
    }
}

/// A program at one size, under one model.
struct Row {
    name: &'static str,
    /// The file in `bench/programs`, without its extension.
    program: &'static str,
    flags: &'static [&'static str],
    model: Model,
    /// How many executions would do, where that is known.
    canonical: Option<u64>,
}

impl Row {
    const fn new(
        name: &'static str,
        program: &'static str,
        flags: &'static [&'static str],
        model: Model,
    ) -> Row {
        Row { name, program, flags, model, canonical: None }
    }

    const fn canonical(self, canonical: u64) -> Row {
        Row { canonical: Some(canonical), ..self }
    }

    /// What is wrong with a result, if anything is.
    fn fault(&self, result: &Measured) -> Option<String> {
        let missing = || match self.canonical {
            Some(canonical) if result.executions < canonical => {
                Some(format!("{} executions, but {canonical} matter", result.executions))
            }
            _ => None,
        };
        result.fault(None).or_else(missing)
    }

    /// The canonical number, and how that of a result compares with it.
    fn compared(&self, executions: u64) -> [String; 2] {
        let Some(canonical) = self.canonical else { return ["-", "-"].map(str::to_owned) };
        let words = match executions {
            more if more > canonical => "more than canonical",
            same if same == canonical => "as canonical",
            _ => "too few",
        };
        [canonical.to_string(), words.to_owned()]
    }
}

const ROWS: [Row; 28] = [
    Row::new("ticket_lock(T=3, K=2)", "ticket_lock", &["-DT=3", "-DK=2"], Model::Sc).canonical(90),
    Row::new("ticket_lock(T=7)", "ticket_lock", &["-DT=7"], Model::Rc11).canonical(5040),
    Row::new("tas_lock(T=3, K=2)", "tas_lock", &["-DT=3", "-DK=2"], Model::Sc).canonical(90),
    Row::new("tas_lock(T=7)", "tas_lock", &["-DT=7"], Model::Rc11).canonical(5040),
    Row::new("ttas_lock(T=2, K=3)", "ttas_lock", &["-DT=2", "-DK=3"], Model::Sc),
    Row::new("ttas_lock(T=4)", "ttas_lock", &["-DT=4"], Model::Rc11),
    Row::new("mcs_lock(T=2, K=3)", "mcs_lock", &["-DT=2", "-DK=3"], Model::Sc),
    Row::new("mcs_lock(T=3, K=2)", "mcs_lock", &["-DT=3", "-DK=2"], Model::Rc11),
    Row::new("clh_lock(T=6)", "clh_lock", &["-DT=6"], Model::Sc).canonical(720),
    Row::new("clh_lock(T=7)", "clh_lock", &["-DT=7"], Model::Rc11).canonical(5040),
    Row::new("spin_rwlock(T=2, READERS=2)", "spin_rwlock", &["-DT=2", "-DREADERS=2"], Model::Sc),
    Row::new("spin_rwlock(T=2, READERS=2)", "spin_rwlock", &["-DT=2", "-DREADERS=2"], Model::Rc11),
    Row::new("seqlock_retry(T=2)", "seqlock_retry", &["-DT=2"], Model::Sc),
    Row::new("seqlock_retry(T=1, K=3)", "seqlock_retry", &["-DT=1", "-DK=3"], Model::Rc11),
    Row::new("spin_barrier(T=4)", "spin_barrier", &["-DT=4"], Model::Sc).canonical(576),
    Row::new("spin_barrier(T=3, K=3)", "spin_barrier", &["-DT=3", "-DK=3"], Model::Rc11).canonical(46_656),
    Row::new("spsc_ring(K=6)", "spsc_ring", &["-DK=6"], Model::Sc).canonical(243),
    Row::new("spsc_ring(K=10)", "spsc_ring", &["-DK=10"], Model::Rc11).canonical(19_683),
    Row::new("cas_increment(T=5)", "cas_increment", &["-DT=5"], Model::Sc).canonical(120),
    Row::new("cas_increment(T=5)", "cas_increment", &["-DT=5"], Model::Rc11).canonical(120),
    Row::new("unused_add(T=8)", "unused_add", &["-DT=8"], Model::Sc).canonical(1),
    Row::new("unused_add(T=8)", "unused_add", &["-DT=8"], Model::Rc11).canonical(1),
    Row::new("elimination_stack(T=3, POPPERS=2)", "elimination_stack", &["-DT=3", "-DPOPPERS=2"], Model::Sc),
    Row::new(
        "elimination_stack(T=2, POPPERS=3)",
        "elimination_stack",
        &["-DT=2", "-DPOPPERS=3"],
        Model::Rc11,
    ),
    Row::new("lazy_list(T=2, K=2)", "lazy_list", &["-DT=2", "-DK=2"], Model::Sc),
    Row::new("lazy_list(T=2, K=3)", "lazy_list", &["-DT=2", "-DK=3"], Model::Rc11),
    Row::new("steal_deque(T=3, K=3)", "steal_deque", &["-DT=3", "-DK=3"], Model::Sc),
    Row::new("steal_deque(T=3, K=3)", "steal_deque", &["-DT=3", "-DK=3"], Model::Rc11),
];

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [rows] = arguments.only.of([&ROWS], |row| row.name)?;
    // Each with the models that it knows.
    let peers = [
        (Model::Sc, Peer::genmc("--sc")?),
        (Model::Rc11, Peer::genmc("--rc11")?),
        (Model::Sc, Peer::nidhugg(&["-sc", "-optimal"])),
    ];
    let [_, genmc, nidhugg] = &peers;
    peer::introduce([&genmc.1, &nidhugg.1]);
    let mut faults = Vec::new();
    for model in [Model::Sc, Model::Rc11] {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.model == model).collect();
        let peers = peers.iter().filter(|(known, peer)| *known == model && peer.installed);
        let peers: Vec<&Peer> = peers.map(|(_, peer)| peer).collect();
        if !rows.is_empty() {
            print!("\n{}", section(&rows, model, &peers, tools, &mut faults)?);
        }
    }
    Ok(measured::judge(&faults))
}

/// Measures the rows of a model. The answer is their table; what is wrong with a row is added to the faults.
fn section(
    rows: &[&Row],
    model: Model,
    peers: &[&Peer],
    tools: &Tools,
    faults: &mut Vec<String>,
) -> Result<String, Error> {
    let mut heading = vec![format!("model {}", model.name()), "explorer".to_owned()];
    heading.extend(Measured::HEADINGS.map(str::to_owned));
    heading.extend(["canonical", "explored"].map(str::to_owned));
    heading.extend(peers.iter().flat_map(|peer| peer.heading()));
    let mut table = vec![heading];
    for row in rows {
        let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
        let Some(result) = Measured::of(tools, &source, &["--model", model.name()], row.flags)? else {
            table.push(vec![row.name.to_owned(), "too long".to_owned()]);
            continue;
        };
        let fault = row.fault(&result);
        let mark = if fault.is_some() { "WRONG " } else { "" };
        faults.extend(fault.map(|fault| format!("{}, {}: {fault}", row.name, model.name())));
        let explorer = result.json["explorer"].as_str().unwrap_or_default();
        let mut line = vec![row.name.to_owned(), explorer.to_owned()];
        line.extend(result.columns(mark));
        line.extend(row.compared(result.executions));
        for peer in peers {
            line.extend(peer.measure(&source, row.flags, Loops::Wait, &result)?);
        }
        table.push(line);
    }
    Ok(table::render(&table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn more_than_canonical_is_said_and_fewer_are_a_fault() {
        let row = Row::new("lock", "lock", &[], Model::Sc).canonical(6);
        let measured = |executions| Measured::example(executions, Duration::ZERO);
        assert_eq!(row.compared(6), ["6", "as canonical"]);
        assert_eq!(row.compared(7), ["6", "more than canonical"]);
        assert_eq!(row.fault(&measured(7)), None);
        assert!(row.fault(&measured(5)).is_some_and(|fault| fault.contains('5')));
    }
}
