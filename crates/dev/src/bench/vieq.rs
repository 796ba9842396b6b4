//! `bench vieq`: view-equivalence, beside partial-order reduction.
//!
//! The programs are those that view-equivalence was evaluated with in the literature, written anew: many threads or
//! rounds, but few values. Beside each stand what `optimal` does in a minute, and the seconds that the literature has
//! for ViEqui, on another machine. Where the number of views is known, a row that differs is a fault; so is an execution
//! whose view had been explored.

use clap::Args;

use super::measured::{self, Measured};
use super::only::Only;
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench vieq`.
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
    views: u64,
    /// What ViEqui takes, where that is known.
    seconds: Option<f64>,
}

impl Row {
    const fn new(
        name: &'static str,
        program: &'static str,
        flags: &'static [&'static str],
        views: u64,
    ) -> Row {
        Row { name, program, flags, views, seconds: None }
    }

    const fn seconds(self, seconds: f64) -> Row {
        Row { seconds: Some(seconds), ..self }
    }

    /// What is wrong with a result, if anything is.
    fn fault(&self, result: &Measured) -> Option<String> {
        if let Some(fault) = result.fault(None) {
            return Some(fault);
        }
        match result.views {
            None => Some("views were not counted".to_owned()),
            Some([views, _]) if views != self.views => {
                Some(format!("{views} views, but there are {}", self.views))
            }
            Some([_, redundant]) if redundant > 0 => {
                Some(format!("{redundant} executions with a view that had been explored"))
            }
            Some(_) => None,
        }
    }
}

const ROWS: [Row; 40] = [
    Row::new("view_example(10)", "view_example", &["-DN=10"], 40),
    Row::new("view_example(100)", "view_example", &["-DN=100"], 400),
    Row::new("view_example(200)", "view_example", &["-DN=200"], 800),
    Row::new("burns(5)", "burns", &["-DN=5"], 36).seconds(0.05),
    Row::new("burns(10)", "burns", &["-DN=10"], 121).seconds(0.31),
    Row::new("burns(40)", "burns", &["-DN=40"], 1681).seconds(185.75),
    Row::new("burns(60)", "burns", &["-DN=60"], 3721).seconds(1532.97),
    Row::new("dekker_simple(10)", "dekker_simple", &["-DN=10"], 21).seconds(0.03),
    Row::new("dekker_simple(100)", "dekker_simple", &["-DN=100"], 201).seconds(32.05),
    Row::new("dekker_simple(200)", "dekker_simple", &["-DN=200"], 401).seconds(1269.84),
    Row::new("peterson_rounds(5)", "peterson_rounds", &["-DN=5"], 31).seconds(0.04),
    Row::new("peterson_rounds(50)", "peterson_rounds", &["-DN=50"], 301).seconds(19.63),
    Row::new("peterson_rounds(120)", "peterson_rounds", &["-DN=120"], 721).seconds(1186.56),
    // The same algorithm, but not the same views.
    Row::new("szymanski, 4 looks", "szymanski", &["-DLOOKS=4"], 7559),
    Row::new("szymanski, 5 looks", "szymanski", &["-DLOOKS=5"], 16_808),
    Row::new("szymanski, 7 looks", "szymanski", &["-DLOOKS=7"], 62_588),
    Row::new("redundant_co(10)", "redundant_co", &["-DN=10"], 7).seconds(0.02),
    Row::new("redundant_co(50)", "redundant_co", &["-DN=50"], 7).seconds(0.03),
    Row::new("redundant_co(1000)", "redundant_co", &["-DN=1000"], 7).seconds(3.59),
    Row::new("swsc_co1(6)", "swsc_co1", &["-DN=6"], 156),
    Row::new("swsc_co1(20)", "swsc_co1", &["-DN=20"], 7240).seconds(4.93),
    Row::new("swsc_co1(50)", "swsc_co1", &["-DN=50"], 120_100).seconds(322.98),
    Row::new("swsc_co1(60)", "swsc_co1", &["-DN=60"], 208_920).seconds(764.64),
    Row::new("swsc_co10(10)", "swsc_co10", &["-DN=10"], 10).seconds(0.02),
    Row::new("swsc_co10(100)", "swsc_co10", &["-DN=100"], 100).seconds(0.60),
    Row::new("swsc_co10(125, 2)", "swsc_co10", &["-DN=125", "-DM=2"], 250).seconds(6.83),
    Row::new("alpha2(10)", "alpha2", &["-DN=10"], 111),
    Row::new("alpha2(100)", "alpha2", &["-DN=100"], 10_101).seconds(183.67),
    Row::new("alpha2(150)", "alpha2", &["-DN=150", "-DK=2"], 22_651).seconds(1054.27),
    // Another program on an array, with more views.
    Row::new("nondet_array(4)", "nondet_array", &["-DT=4"], 75),
    Row::new("nondet_array(6)", "nondet_array", &["-DT=6"], 4683),
    Row::new("nondet_array(7, 14)", "nondet_array", &["-DT=7", "-DS=14"], 47_293),
    Row::new("pgsql(5, 5)", "pgsql", &["-DN=5", "-DT=5"], 781).seconds(0.73),
    Row::new("pgsql(6, 7)", "pgsql", &["-DN=6", "-DT=7"], 55_987).seconds(183.77),
    Row::new("pgsql(7, 7)", "pgsql", &["-DN=7", "-DT=7"], 137_257).seconds(933.77),
    Row::new("unverif(3, 5)", "unverif", &["-DT=3", "-DL=5"], 36),
    Row::new("unverif(4, 5)", "unverif", &["-DT=4", "-DL=5"], 576),
    Row::new("unverif(5, 5)", "unverif", &["-DT=5", "-DL=5"], 14_400).seconds(198.61),
    Row::new("unverif(5, 10)", "unverif", &["-DT=5", "-DL=10"], 14_400).seconds(201.80),
    // ViEqui does not get to the end of it either.
    Row::new("unverif(6, 5)", "unverif", &["-DT=6", "-DL=5"], 518_400),
];

const HEADINGS: [&str; 9] = [
    "program",
    "executions",
    "views",
    "redundant",
    "CPU s",
    "peak MB",
    "optimal: executions",
    "CPU s",
    "ViEqui: s",
];

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [rows] = arguments.only.of([&ROWS], |row| row.name)?;
    println!("explorer vieq beside explorer optimal, which has a minute (compilation included)");
    println!("(the seconds of ViEqui are from the literature, and from another machine)");
    let mut table = vec![HEADINGS.map(str::to_owned).to_vec()];
    let mut faults = Vec::new();
    for row in rows {
        let source = tools.in_repository(format!("bench/programs/{}.c", row.program));
        let mut line = vec![row.name.to_owned()];
        match Measured::of(tools, &source, &["--explorer", "vieq"], row.flags)? {
            Some(result) => {
                let fault = row.fault(&result);
                let mark = if fault.is_some() { "WRONG " } else { "" };
                faults.extend(fault.map(|fault| format!("{}: {fault}", row.name)));
                let [views, redundant] = result
                    .views
                    .map_or(["-".to_owned(), "-".to_owned()], |counts| counts.map(|count| count.to_string()));
                line.extend([format!("{mark}{}", result.executions), views, redundant]);
                line.extend([result.cpu_seconds(), result.peak_megabytes()]);
            }
            None => line.extend(["too long", "-", "-", "-", "-"].map(str::to_owned)),
        }
        let options = ["--explorer", "optimal", "--time-limit", "60"];
        let optimal = Measured::of(tools, &source, &options, row.flags)?.filter(Measured::is_verified);
        line.extend(optimal.map_or(["-".to_owned(), "-".to_owned()], |result| {
            [result.executions.to_string(), result.cpu_seconds()]
        }));
        line.push(row.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.2}")));
        table.push(line);
    }
    print!("\n{}", table::render(&table));
    Ok(measured::judge(&faults))
}
