//! `bench mcr`: maximal causality reduction, beside view-equivalence and partial-order reduction.
//!
//! The programs are those that MCR was evaluated with in the literature, written anew from what is said of them; beside them
//! stands what the literature has, on another machine and for sources in another language. Three tables: covering a program,
//! executions until its error is found, and data races by prediction beside those that are found by running. Where the number of
//! views is known, a row that differs is a fault; so is an execution of SE-MCR whose view had been explored, and a
//! prediction that was not confirmed.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::measured::{self, Measured};
use super::only::Only;
use crate::Finding;
use crate::error::Error;
use crate::table;
use crate::tools::Tools;

/// Options of `bench mcr`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
}

/// A program at one size, under a model.
struct Row {
    name: &'static str,
    /// The file in `bench/programs`, without its extension.
    program: &'static str,
    model: &'static str,
    flags: &'static [&'static str],
    /// How many views there are.
    views: Option<u64>,
    /// Numbers of the literature, as text.
    published: &'static str,
}

impl Row {
    const fn new(
        name: &'static str,
        program: &'static str,
        model: &'static str,
        flags: &'static [&'static str],
        views: Option<u64>,
        published: &'static str,
    ) -> Row {
        Row { name, program, model, flags, views, published }
    }

    fn source(&self, tools: &Tools) -> PathBuf {
        tools.in_repository(format!("bench/programs/{}.c", self.program))
    }

    /// Runs an explorer on it; `None` if it takes too long.
    fn measure(&self, tools: &Tools, explorer: &str, options: &[&str]) -> Result<Option<Measured>, Error> {
        let all =
            ["--model", self.model, "--explorer", explorer, "--time-limit", "60", "--schedule", "/dev/null"];
        let all: Vec<&str> = all.into_iter().chain(options.iter().copied()).collect();
        Measured::of(tools, &self.source(tools), &all, self.flags)
    }
}

/// Programs to be covered. Errors are left out of them, so that there is something to cover.
const COVERED: [Row; 32] = [
    Row::new("publication(1)", "publication", "sc", &["-DN=1"], Some(2), "2"),
    Row::new("publication(2)", "publication", "sc", &["-DN=2"], Some(52), "43"),
    Row::new("publication(3)", "publication", "sc", &["-DN=3"], Some(1016), "296"),
    Row::new("publication(4)", "publication", "sc", &["-DN=4"], Some(17_680), "2,767"),
    Row::new("publication(3), tso", "publication", "tso", &["-DN=3"], Some(1016), "296"),
    Row::new("publication(1), pso", "publication", "pso", &["-DN=1", "-DNDEBUG"], Some(10), "10"),
    Row::new("publication(2), pso", "publication", "pso", &["-DN=2", "-DNDEBUG"], Some(188), "89"),
    Row::new("publication(3), pso", "publication", "pso", &["-DN=3", "-DNDEBUG"], Some(2728), "819"),
    Row::new("rvexample(2)", "rvexample", "sc", &["-DN=2", "-DATOMIC", "-DNDEBUG"], Some(107), "107 / 77"),
    Row::new("rvexample(3)", "rvexample", "sc", &["-DN=3", "-DATOMIC", "-DNDEBUG"], None, "-"),
    Row::new("rvexample(2), tso", "rvexample", "tso", &["-DN=2", "-DATOMIC", "-DNDEBUG"], Some(107), "64"),
    Row::new("account(3)", "account", "sc", &["-DT=3", "-DATOMIC", "-DNDEBUG"], None, "-"),
    Row::new("account(4)", "account", "sc", &["-DT=4", "-DATOMIC", "-DNDEBUG"], None, "27,830 / 14,124"),
    Row::new("airline(4)", "airline", "sc", &["-DT=4", "-DNDEBUG"], Some(576), "2,222 / 1,354"),
    Row::new("airline(5)", "airline", "sc", &["-DT=5", "-DNDEBUG"], Some(14_400), "-"),
    Row::new("allocation(2, 4)", "allocation", "sc", &["-DN=4", "-DNDEBUG"], None, "169 / 113"),
    Row::new(
        "bubble_sort(2, 5)",
        "bubble_sort",
        "sc",
        &["-DN=5", "-DATOMIC", "-DNDEBUG"],
        None,
        "29,148 / 8,084",
    ),
    Row::new("ping_pong(5)", "ping_pong", "sc", &["-DT=5", "-DFIXED"], None, "411 / 282"),
    Row::new("pool(2, 4)", "pool", "sc", &["-DN=4", "-DNDEBUG"], None, "3 / 3"),
    Row::new("string_buffer(2, 3)", "string_buffer", "sc", &["-DN=3", "-DNDEBUG"], None, "8 / 8"),
    Row::new("stack_unsafe(5)", "stack_unsafe", "sc", &["-DN=5", "-DFIXED"], Some(252), "29"),
    Row::new("peterson, 10 looks", "peterson", "sc", &["-DLOOKS=10"], Some(260), "402 / 402"),
    Row::new("bakery, 10 looks", "bakery", "sc", &["-DLOOKS=10"], Some(744), "822 / 766"),
    Row::new("lamport_fast, 10 looks", "lamport_fast", "sc", &["-DLOOKS=10"], Some(287), "1,192 / 103"),
    Row::new("dekker, 4 looks", "dekker", "sc", &["-DLOOKS=4"], Some(94), "4,474 / 1,648"),
    Row::new("dekker, 4 looks, 2 rounds", "dekker", "sc", &["-DLOOKS=4", "-DR=2"], Some(37_861), "-"),
    Row::new(
        "dekker, 2 looks, tso",
        "dekker",
        "tso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed", "-DNDEBUG"],
        None,
        "98",
    ),
    Row::new(
        "dekker, 2 looks, pso",
        "dekker",
        "pso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed", "-DNDEBUG"],
        None,
        "155",
    ),
    Row::new(
        "peterson, 2 looks, tso",
        "peterson",
        "tso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed", "-DNDEBUG"],
        None,
        "18",
    ),
    Row::new(
        "peterson, 2 looks, pso",
        "peterson",
        "pso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed", "-DNDEBUG"],
        None,
        "19",
    ),
    Row::new(
        "bakery, 2 looks, pso",
        "bakery",
        "pso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed", "-DNDEBUG"],
        None,
        "165",
    ),
    Row::new("burns(20)", "burns", "sc", &["-DN=20"], Some(441), "-"),
];

/// Programs with errors, and in how many executions the literature finds them.
const WRONG: [Row; 11] = [
    Row::new("publication(1), pso", "publication", "pso", &["-DN=1"], None, "3"),
    Row::new("stack_unsafe(5)", "stack_unsafe", "sc", &["-DN=5"], None, "2"),
    Row::new("rvexample(2)", "rvexample", "sc", &["-DN=2", "-DATOMIC"], None, "53"),
    Row::new("dekker, tso", "dekker", "tso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "4"),
    Row::new("dekker, pso", "dekker", "pso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "5"),
    Row::new(
        "lamport_fast, tso",
        "lamport_fast",
        "tso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed"],
        None,
        "2",
    ),
    Row::new(
        "lamport_fast, pso",
        "lamport_fast",
        "pso",
        &["-DLOOKS=2", "-DMO=memory_order_relaxed"],
        None,
        "3",
    ),
    Row::new("bakery, tso", "bakery", "tso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "8"),
    Row::new("bakery, pso", "bakery", "pso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "15"),
    Row::new("peterson, tso", "peterson", "tso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "2"),
    Row::new("peterson, pso", "peterson", "pso", &["-DLOOKS=2", "-DMO=memory_order_relaxed"], None, "3"),
];

/// Programs with and without data races, and how many pairs of accesses race.
const RACES: [Row; 8] = [
    Row::new("rvexample(2)", "rvexample", "sc", &["-DN=2", "-DNDEBUG"], None, "10"),
    Row::new("account(2)", "account", "sc", &["-DT=2", "-DNDEBUG"], None, "3"),
    Row::new("airline(3)", "airline", "sc", &["-DNDEBUG"], None, "0"),
    Row::new("allocation", "allocation", "sc", &["-DNDEBUG"], None, "0"),
    Row::new("bubble_sort(2, 3)", "bubble_sort", "sc", &["-DN=3", "-DNDEBUG"], None, "7"),
    Row::new("ping_pong(2)", "ping_pong", "sc", &[], None, "7"),
    Row::new("pool", "pool", "sc", &["-DNDEBUG"], None, "0"),
    Row::new("string_buffer", "string_buffer", "sc", &["-DNDEBUG"], None, "0"),
];

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    let [covered, wrong, races] = arguments.only.of([&COVERED, &WRONG, &RACES], |row| row.name)?;
    let mut faults = Vec::new();
    if !covered.is_empty() {
        println!("covering a program (processor time, compilation included; `-`: not within a minute)");
        println!(
            "published: executions of MCR / SE-MCR in the literature, for other sources and on another machine"
        );
        print!("\n{}\n", table::render(&cover(&covered, tools, &mut faults)?));
    }
    if !wrong.is_empty() {
        println!("executions until the error is found");
        print!("\n{}\n", table::render(&find(&wrong, tools)?));
    }
    if !races.is_empty() {
        println!(
            "data races: pairs of places by prediction (published: of lines), and places by running (optimal, at most 2 preemptions)"
        );
        print!("\n{}", table::render(&predict(&races, tools, &mut faults)?));
    }
    Ok(measured::judge(&faults))
}

fn dash<const N: usize>() -> Vec<String> {
    [(); N].map(|()| "-".to_owned()).to_vec()
}

fn cover(rows: &[&Row], tools: &Tools, faults: &mut Vec<String>) -> Result<Vec<Vec<String>>, Error> {
    let headings = [
        "program",
        "views",
        "se-mcr: executions",
        "redundant",
        "CPU s",
        "per CPU s",
        "solver alone: calls",
        "share",
        "CPU s",
        "mcr: executions",
        "CPU s",
        "vieq: CPU s",
        "optimal: executions",
        "CPU s",
        "published",
    ];
    let mut table = vec![headings.map(str::to_owned).to_vec()];
    for row in rows {
        let mut line = vec![row.name.to_owned()];
        let mut views = row.views;
        match row.measure(tools, "se-mcr", &[])?.filter(Measured::is_verified) {
            Some(result) => {
                let [found, redundant] = result.views.unwrap_or_default();
                if views.is_some_and(|views| views != found) {
                    faults.push(format!("{}: {found} views, but there are {views:?}", row.name));
                }
                if redundant > 0 {
                    faults.push(format!("{}: {redundant} executions of se-mcr are redundant", row.name));
                }
                views = Some(found);
                line.extend([found, result.executions, redundant].map(|number| number.to_string()));
                line.extend([result.cpu_seconds(), format!("{:.0}", result.rate)]);
            }
            None => line.extend(dash::<5>()),
        }
        match row.measure(tools, "se-mcr", &["--patience", "0"])?.filter(Measured::is_verified) {
            Some(result) => {
                if let (Some([found, _]), Some(views)) = (result.views, views)
                    && found != views
                {
                    faults.push(format!("{}: the solver finds {found} views of {views}", row.name));
                }
                let solver = &result.json["solver"];
                let share = solver["time_ms"].as_f64().unwrap_or(0.0) / 1000.0 / result.seconds().max(1e-9);
                line.push(solver["calls"].to_string());
                line.extend([format!("{:.0} %", 100.0 * share), result.cpu_seconds()]);
            }
            None => line.extend(dash::<3>()),
        }
        match row.measure(tools, "mcr", &[])?.filter(Measured::is_verified) {
            Some(result) => {
                if let (Some([found, _]), Some(views)) = (result.views, views)
                    && found != views
                {
                    faults.push(format!("{}: mcr has {found} views, but there are {views}", row.name));
                }
                line.extend([result.executions.to_string(), result.cpu_seconds()]);
            }
            None => line.extend(dash::<2>()),
        }
        let vieq = match row.model {
            "sc" => row.measure(tools, "vieq", &[])?.filter(Measured::is_verified),
            _ => None,
        };
        line.push(vieq.map_or("-".to_owned(), |result| result.cpu_seconds()));
        match row.measure(tools, "optimal", &[])?.filter(Measured::is_verified) {
            Some(result) => line.extend([result.executions.to_string(), result.cpu_seconds()]),
            None => line.extend(dash::<2>()),
        }
        line.push(row.published.to_owned());
        table.push(line);
    }
    Ok(table)
}

fn find(rows: &[&Row], tools: &Tools) -> Result<Vec<Vec<String>>, Error> {
    // Iterative context bounding, the same with reduction, and classic reduction are what the literature compares with.
    let headings = [
        "program",
        "mcr",
        "se-mcr",
        "mcr --predict",
        "optimal",
        "classic",
        "ICB",
        "ICB + reduction",
        "published",
    ];
    let mut table = vec![headings.map(str::to_owned).to_vec()];
    for row in rows {
        let mut line = vec![row.name.to_owned()];
        for (explorer, options) in [
            ("mcr", &[][..]),
            ("se-mcr", &[]),
            ("mcr", &["--predict"]),
            ("optimal", &[]),
            ("classic", &[]),
            ("context", &[]),
            ("optimal", &["--preemptions", "2"]),
        ] {
            let result = row.measure(tools, explorer, options)?;
            let found = result.filter(|result| result.json["verdict"] == "violation");
            line.push(found.map_or("-".to_owned(), |result| result.executions.to_string()));
        }
        line.push(row.published.to_owned());
        table.push(line);
    }
    Ok(table)
}

fn predict(rows: &[&Row], tools: &Tools, faults: &mut Vec<String>) -> Result<Vec<Vec<String>>, Error> {
    let headings =
        ["program", "predicted", "confirmed", "executions", "by running", "executions", "published"];
    let mut table = vec![headings.map(str::to_owned).to_vec()];
    let races = |json: &Value| {
        let all = json["violations"].as_array().into_iter().flatten();
        all.filter(|violation| violation["kind"] == "data-race").count() as u64
    };
    for row in rows {
        let mut line = vec![row.name.to_owned()];
        let predicted = row.measure(tools, "se-mcr", &["--predict", "--keep-going"])?;
        let running = row.measure(tools, "optimal", &["--preemptions", "2", "--keep-going"])?;
        match &predicted {
            Some(result) => {
                let (predicted, confirmed) = (&result.json["predicted"], &result.json["confirmed"]);
                if predicted != confirmed {
                    faults.push(format!("{}: {predicted} predicted, {confirmed} confirmed", row.name));
                }
                if running.as_ref().is_some_and(|running| races(&running.json) > races(&result.json)) {
                    faults.push(format!("{}: running finds more races", row.name));
                }
                line.extend([predicted.to_string(), confirmed.to_string(), result.executions.to_string()]);
            }
            None => line.extend(dash::<3>()),
        }
        match &running {
            Some(result) => {
                line.extend([races(&result.json), result.executions].map(|number| number.to_string()))
            }
            None => line.extend(dash::<2>()),
        }
        line.push(row.published.to_owned());
        table.push(line);
    }
    Ok(table)
}
