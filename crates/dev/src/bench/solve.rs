//! `bench solve`: order constraints, as many questions to one problem, beside Z3 where it is installed.
//!
//! Two shapes. *Dense*: a literal for every two events, random clauses, nothing fixed: the search has to work. *Trace*: what
//! predictive analysis asks of an observed execution. A thousand events of a few threads, of which a hundred or so access shared
//! locations or locks; for each read and write of a location, a variable says that the one gets its value from the other; a question
//! is whether a read may get its value from another write while the reads before it, in the order observed, get the same as ever.
//!
//! Z3 gets all questions in one file, in one process (logic QF_IDL). Both times include reading the problem; the answers are compared.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use selvedge_solve::Answer;
use selvedge_solve::naive::{Literal, Problem};

use super::only::Only;
use crate::Finding;
use crate::error::Error;
use crate::process;
use crate::random::Random;
use crate::table;
use crate::tools;

/// Its solver for difference logic with sparse graphs. What it chooses by itself for such problems is ten times slower.
const Z3_OPTIONS: [&str; 2] = ["auto_config=false", "smt.arith.solver=1"];

/// Options of `bench solve`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    only: Only,
    /// How often the solver does all the work; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// After how many seconds Z3 is cut off; 0: it is not asked
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,
}

/// A problem, and the questions.
struct Row {
    name: String,
    problem: Problem,
    questions: Vec<Vec<Literal>>,
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (clauses, questions) in [(500, 200), (700, 100), (800, 20)] {
        rows.push(dense(120, clauses, questions));
    }
    for (threads, locations) in [(2, 4), (4, 10), (10, 10), (10, 2)] {
        rows.push(trace(1000, threads, locations, 120));
    }
    rows.push(trace(5000, 4, 10, 120));
    rows.push(trace(1000, 4, 10, 400));
    rows
}

/// A literal for every pair, random clauses of three.
fn dense(events: usize, clauses: usize, questions: usize) -> Row {
    let mut random = Random::for_case(1, clauses as u64);
    let mut literal = || {
        let first = random.below(events);
        Literal::Before(first, (first + 1 + random.below(events - 1)) % events)
    };
    let mut problem = Problem { events, ..Problem::default() };
    problem.clauses = (0..clauses).map(|_| (0..3).map(|_| literal()).collect()).collect();
    let questions = (0..questions).map(|_| (0..5).map(|_| literal()).collect()).collect();
    // One event is before the other, or the other way round. For our solver this only introduces the literals; to Z3 it says that
    // two events do not share an integer.
    for second in 0..events {
        let both = |first| vec![Literal::Before(first, second), Literal::Before(second, first)];
        problem.clauses.extend((0..second).map(both));
    }
    Row { name: format!("dense, {events} events, {clauses} clauses"), problem, questions }
}

/// One access of the observed execution.
struct ReadOrWrite {
    event: usize,
    is_write: bool,
    /// For a read: the write of the same location before it, by its place among the accesses of the location.
    source: Option<usize>,
}

/// The questions of predictive analysis.
fn trace(events: usize, threads: usize, locations: usize, accesses: usize) -> Row {
    let mut random = Random::for_case(2, (events + threads * 7 + locations) as u64);
    let mut problem = Problem { events, ..Problem::default() };
    // The observed execution: the thread of each event, and whether the event accesses something.
    let mut last = BTreeMap::new();
    let mut by_location: Vec<Vec<ReadOrWrite>> = (0..locations).map(|_| Vec::new()).collect();
    let mut sections: Vec<(usize, usize)> = Vec::new();
    let mut entered = BTreeMap::new();
    for event in 0..events {
        let thread = random.below(threads);
        if let Some(previous) = last.insert(thread, event) {
            problem.fixed.push((previous, event));
        }
        if random.below(events) >= accesses {
            continue;
        }
        // Every tenth access enters or leaves a critical section, if nobody else is inside.
        if random.below(10) == 0 {
            if let Some(begin) = entered.remove(&thread) {
                sections.push((begin, event));
            } else if entered.is_empty() {
                entered.insert(thread, event);
            }
            continue;
        }
        let accesses = &mut by_location[random.below(locations)];
        let is_write = random.below(2) == 0;
        let source = accesses.iter().rposition(|access| access.is_write);
        accesses.push(ReadOrWrite { event, is_write, source });
    }
    for (index, &(begin, end)) in sections.iter().enumerate() {
        for &(other_begin, other_end) in &sections[..index] {
            problem.clauses.push(vec![Literal::Before(other_end, begin), Literal::Before(end, other_begin)]);
        }
    }
    // A variable for each read and write of a location: the one gets its value from the other.
    let mut kept: Vec<(usize, usize)> = Vec::new();
    let mut others: Vec<(usize, usize)> = Vec::new();
    for accesses in &by_location {
        let writes: Vec<usize> = (0..accesses.len()).filter(|&index| accesses[index].is_write).collect();
        for read in accesses.iter().filter(|access| !access.is_write && access.source.is_some()) {
            for &write in &writes {
                let variable = problem.variables;
                problem.variables += 1;
                let from = accesses[write].event;
                problem.clauses.push(vec![Literal::IsNot(variable), Literal::Before(from, read.event)]);
                for other in
                    writes.iter().filter(|&&other| other != write).map(|&other| accesses[other].event)
                {
                    let earlier = Literal::Before(other, from);
                    let later = Literal::Before(read.event, other);
                    problem.clauses.push(vec![Literal::IsNot(variable), earlier, later]);
                }
                let list = if read.source == Some(write) { &mut kept } else { &mut others };
                list.push((read.event, variable));
            }
        }
    }
    let question = |&(read, variable): &(usize, usize)| {
        let before = kept.iter().filter(|&&(event, _)| event < read);
        let mut question: Vec<Literal> = before.map(|&(_, variable)| Literal::Is(variable)).collect();
        question.push(Literal::Is(variable));
        question
    };
    let questions = others.iter().take(500).map(question).collect();
    let name =
        format!("trace, {events} events, {threads} threads, {locations} locations, {accesses} accesses");
    Row { name, problem, questions }
}

/// What was measured of the solver.
struct Measured {
    answers: Vec<bool>,
    atoms: usize,
    conflicts: u64,
    load: Duration,
    solve: Duration,
    sequence: Duration,
}

fn measure(row: &Row) -> Measured {
    let start = Instant::now();
    let mut loaded = row.problem.load();
    let questions: Vec<_> = row.questions.iter().map(|question| loaded.literals(question)).collect();
    let load = start.elapsed();
    let (mut solve, mut sequence) = (Duration::ZERO, Duration::ZERO);
    let mut answers = Vec::new();
    for question in &questions {
        let start = Instant::now();
        let answer = loaded.order.solve(question);
        solve += start.elapsed();
        answers.push(matches!(answer, Answer::Sat(_)));
        if let Answer::Sat(model) = answer {
            let start = Instant::now();
            std::hint::black_box(model.sequence());
            sequence += start.elapsed();
        }
    }
    let statistics = loaded.order.statistics();
    Measured { answers, atoms: statistics.atoms, conflicts: statistics.conflicts, load, solve, sequence }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Finding, Error> {
    let peer = tools::is_installed("z3") && arguments.seconds > 0;
    let limit = Duration::from_secs(arguments.seconds);
    let heading =
        ["problem", "atoms", "calls", "sat", "conflicts", "load ms", "us/call", "calls/s", "us/sequence"];
    let mut heading = heading.map(str::to_owned).to_vec();
    if peer {
        heading.extend(["ms", "z3 ms", "z3/selvedge"].map(str::to_owned));
    }
    let mut lines = vec![heading];
    let mut finding = Finding::Nothing;
    let rows = rows();
    let [rows] = arguments.only.of([&rows], |row| &row.name)?;
    for row in rows {
        let mut best = measure(row);
        for _ in 1..arguments.repeat {
            let again = measure(row);
            if again.solve < best.solve {
                best = again;
            }
        }
        let calls = best.answers.len();
        let sat = best.answers.iter().filter(|&&sat| sat).count();
        let micro = |time: Duration, count: usize| time.as_secs_f64() * 1e6 / count.max(1) as f64;
        let mut line = vec![
            row.name.clone(),
            best.atoms.to_string(),
            calls.to_string(),
            sat.to_string(),
            best.conflicts.to_string(),
            format!("{:.2}", best.load.as_secs_f64() * 1e3),
            format!("{:.1}", micro(best.solve, calls)),
            format!("{:.0}", calls as f64 / best.solve.as_secs_f64()),
            format!("{:.1}", micro(best.sequence, sat)),
        ];
        if peer {
            let own = (best.load + best.solve).as_secs_f64();
            line.push(format!("{:.1}", own * 1e3));
            match ask_z3(row, limit)? {
                Some((answers, time)) => {
                    line.push(format!("{:.0}", time.as_secs_f64() * 1e3));
                    line.push(format!("{:.1}", time.as_secs_f64() / own));
                    if answers != best.answers {
                        println!("{}: z3 gives other answers", row.name);
                        finding = Finding::Faults;
                    }
                }
                None => line.push(format!("> {}", limit.as_millis())),
            }
        }
        lines.push(line);
    }
    println!("order constraints, many questions to one problem\n{}", table::render(&lines));
    Ok(finding)
}

/// The answers of Z3, and its processor time; nothing, if it takes too long.
fn ask_z3(row: &Row, limit: Duration) -> Result<Option<(Vec<bool>, Duration)>, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let file = folder.path().join("problem.smt2");
    std::fs::write(&file, row.problem.smt_lib(&row.questions)).map_err(Error::file(&file))?;
    let outcome = process::run(Command::new("z3").args(Z3_OPTIONS).arg(&file), limit)?;
    if outcome.end == process::End::TimeLimit {
        return Ok(None);
    }
    let answers = String::from_utf8_lossy(&outcome.stdout);
    Ok(Some((answers.lines().map(|line| line == "sat").collect(), outcome.cpu)))
}
