//! `fuzz explore`: random concurrent programs, explored by the tool and by brute force.
//!
//! The oracle (crates/oracle) makes a small program and follows all its interleavings; the program is printed
//! as C and given to the tool. Both must agree on deadlocks, data races and wrong uses of mutexes, on the set
//! of outcomes, and on the number of executions where the explorer promises one. A program on which they do
//! not is made small and written as a test, ready to be moved to tests/programs/fuzz.
//!
//! All this under one memory model, or under one after the other. The oracle itself must say that what a model allows is
//! allowed by the weaker ones, too, and the same by steps and by graphs.
//!
//! With `--direct` the program is built for the machine, and explored in this process: what costs time is then the exploration.
//!
//! With `--loops`, threads wait for values in loops, or go round loops with bodies. Rounds that lead nowhere are no part of executions, for the oracle
//! and for those that are compared; of loops with bodies, the oracle counts normal forms. A table in `plan` says who leaves out which rounds:
//! there the numbers are compared. Where threads are stuck, it is a livelock if one of them is in a loop, a deadlock else.
//!
//! If neither an explorer nor a model is named, every second program is one that the oracle's language cannot express (`wild`).
//!
//! With `--symmetry`, threads do the same; what is explored with `--symmetry` is compared with what is explored without.
//!
//! | module | |
//! | --- | --- |
//! | `plan` | who is compared under which models |
//! | `examine` | one program |
//! | `explorer` | what each explorer promises |
//! | `truth` | what the oracle knows |
//! | `answer`, `judge` | what the tool says; the two compared |
//! | `direct` | programs built for the machine, explored in this process |
//! | `nested` | the oracle agrees with itself, and weaker models allow more |
//! | `seen`, `pace`, `tally` | no program twice; how many comparisons a second; what was compared |
//! | `symmetry` | programs with threads that do the same, with and without `--symmetry` |
//! | `regression` | a disagreement as a test |

mod answer;
mod direct;
mod examine;
mod explorer;
mod judge;
mod nested;
mod pace;
mod plan;
mod regression;
mod seen;
mod symmetry;
mod tally;
mod truth;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use selvedge_oracle::{Program, shrink, table as program_table};
use selvedge_verify::Memories;

use self::examine::{Case, Examiner};
use self::judge::{Asked, Judge, Verdict};
use self::plan::{Models, Plan, Rules, Wanted};
use self::seen::Seen;
use self::tally::Tally;
use super::wild::{self, Class, Findings, Fuzzer, KnownOnes};
use crate::Finding;
use crate::error::Error;
use crate::interrupt;
use crate::parallel;
use crate::tools::{self, CLANG, Tools};

/// How long a program that shows a disagreement may be made smaller.
const SHRINKING: Duration = Duration::from_secs(120);

/// Options of `fuzz explore`.
#[derive(Args)]
pub struct Arguments {
    /// How long to go on
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Stop after so many programs
    #[arg(long)]
    programs: Option<u64>,
    /// Another seed, other programs (but for a few small ones that come again: see --seen)
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first program
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The explorers to compare, as the tool calls them; also bounded-K and context-K (at most K preemptions, with
    /// and without reduction), workers-N (`optimal` with N workers), default and default-N (what the tool chooses,
    /// with N workers), predict (`se-mcr` with prediction), and patience-N (`se-mcr` with --patience N; if `se-mcr` is named, so are patience-0 and patience-3)
    /// [default: optimal,default-2,workers-3,source,classic,bounded-1,exhaustive,context; with --direct also graph, vieq,
    /// mcr, se-mcr, patience-0, random and pct]
    #[arg(long, value_delimiter = ',', conflicts_with = "class")]
    explorer: Vec<String>,
    /// The memory model; with `all` each program is for another one than the program before [default: sc, with --direct all]
    #[arg(long, value_enum)]
    model: Option<Models>,
    /// Only programs with what the oracle does not know, of these classes. They are compared with `exhaustive`, in all
    /// other ways, under sequential consistency and one model more, or under --model. If neither an explorer nor a
    /// model is named, every second program is such a one
    #[arg(long, value_enum, value_delimiter = ',')]
    class: Vec<Class>,
    /// Also compare where disagreements are known
    #[arg(long)]
    known: bool,
    /// What continues release sequences; with `both` every other program (for each model) is for C11
    #[arg(long, value_enum, default_value_t = Rules::Both)]
    release_sequences: Rules,
    /// Leave out programs with more executions
    #[arg(long, default_value_t = 4000)]
    executions: u64,
    /// Let the oracle merge executions that come to the same point: larger programs can be compared, and
    /// `--executions` is about the points
    #[arg(long)]
    merge: bool,
    /// Make programs with so many threads more: most have too many executions for brute force, but not within a
    /// bound of one or two preemptions
    #[arg(long, default_value_t = 0)]
    more_threads: usize,
    /// Only programs of the oracle with loops: threads wait for flags, by test-and-set, for their tickets, at barriers, under a mutex, or
    /// try again until a compare-exchange succeeds
    #[arg(long, conflicts_with_all = ["class", "known"])]
    loops: bool,
    /// Only programs with threads that do the same, explored as execution graphs in this process, with and without `--symmetry`, under
    /// sc, tso, rc11 and ra: both must find the same executions up to exchange of these threads, and the same violations
    #[arg(long, conflicts_with_all = ["class", "known", "loops", "direct", "explorer", "model"])]
    symmetry: bool,
    /// Ask about the oracle's programs in this process, without C and without the tool's front end: thousands of comparisons a second.
    /// Each program is for another model than the one before. It is compared under that model, by all explorers that can be asked
    /// this way unless some are named, and as execution graphs under rc11, ra, tso and sc. In the end, or when it is stopped (Ctrl-C,
    /// SIGTERM), it tells how many comparisons there were on how many different programs, and how many a second and core
    #[arg(long, conflicts_with_all = ["class", "known"])]
    direct: bool,
    /// Leave out programs that are in this file, and add those that are compared: then several runs, with other seeds or one after the
    /// other, never compare the same program twice
    #[arg(long, value_name = "FILE")]
    seen: Option<PathBuf>,
    /// How many programs to try at a time
    #[arg(long, default_value_t = parallel::default_jobs())]
    jobs: usize,
    /// Show each program
    #[arg(long)]
    verbose: bool,
}

/// Where a program comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The oracle, by its number there.
    Oracle(u64),
    /// What the oracle does not know.
    Wild(u64),
}

/// What became of a program from one or the other.
enum Examined {
    Oracle(Option<Case>),
    Wild(Result<wild::Case, Error>),
}

impl Arguments {
    /// Where the program with a number comes from.
    fn source(&self, number: u64) -> Source {
        let alone = self.direct || self.loops || !self.explorer.is_empty() || self.model.is_some();
        match (self.class.is_empty(), number % 2) {
            (false, _) => Source::Wild(number),
            (true, 1) if !alone => Source::Wild(number / 2),
            (true, _) if !alone => Source::Oracle(number / 2),
            (true, _) => Source::Oracle(number),
        }
    }

    /// What programs of the oracle are compared with.
    fn plan<'a>(&'a self, tools: &'a Tools) -> Result<Plan<'a>, Error> {
        let plan = Plan::new(&Wanted {
            asked: if self.direct { Asked::Explorers } else { Asked::Tool(tools) },
            explorers: &self.explorer,
            models: self.model,
            rules: self.release_sequences,
            most: self.executions,
            merge: self.merge,
            loops: self.loops,
        });
        match plan.judges.iter().find(|judge| !judge.is_possible()) {
            Some(judge) => Err(Error::Missing {
                program: format!("a way to explore with `{}` in this process", judge.explorer.name),
                remedy: "leave out --direct, or name other explorers".to_owned(),
            }),
            None => Ok(plan),
        }
    }

    /// Prints what was compared; so many programs were begun.
    fn print_totals(&self, tally: &Tally<'_>, seen: &Seen, begun: u64) {
        if self.class.is_empty() {
            print!("{}", tally.table());
        }
        if self.direct {
            println!("{}", tally.pace.describe(seen.count()));
            let (seed, first, next) = (self.seed, self.first, self.first + begun);
            println!(
                "seed {seed}, programs from {first} on, before {next}; to go on: --seed {seed} --first {next}"
            );
        }
    }

    fn fuzzer<'t>(&self, tools: &'t Tools) -> Fuzzer<'t> {
        let known = if self.known { KnownOnes::Reported } else { KnownOnes::LeftOut };
        let classes = match self.class.is_empty() {
            true => Fuzzer::default_classes(known),
            false => self.class.clone(),
        };
        let models = match self.model {
            None => &[][..],
            Some(Models::Sc) => &["sc"],
            Some(Models::Tso) => &["tso"],
            Some(Models::Pso) => &["pso"],
            Some(Models::Rc11) => &["rc11"],
            Some(Models::Graphs) => &["rc11", "ra"],
            Some(Models::All) => &["sc", "tso", "pso", "rc11", "ra"],
        };
        Fuzzer { tools, seed: self.seed, classes, models: models.to_vec(), known }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    if arguments.symmetry {
        return Ok(symmetry::run(&symmetry::Asked {
            seed: arguments.seed,
            first: arguments.first,
            programs: arguments.programs,
            duration: Duration::from_secs(arguments.seconds),
            jobs: arguments.jobs,
        }));
    }
    if !arguments.direct {
        tools::require(CLANG, "install the Debian package `clang-22`")?;
    }
    let keep = tools.in_repository("target/fuzz/explore");
    let fuzzer = arguments.fuzzer(tools);
    let plan = arguments.plan(tools)?;
    let seen = Seen::open(arguments.seen.clone())?;
    let examiner = Examiner {
        plan: &plan,
        seen: &seen,
        seed: arguments.seed,
        more_threads: arguments.more_threads,
        loops: arguments.loops,
        memories: Memories::default(),
    };

    let start = Instant::now();
    let duration = Duration::from_secs(arguments.seconds);
    let started = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let interrupted = interrupt::watch();
    let next = || {
        let is_stopped = stop.load(Ordering::Relaxed) || interrupted.load(Ordering::Relaxed);
        let go_on = start.elapsed() < duration && !is_stopped;
        let is_wanted = |number: &u64| arguments.programs.is_none_or(|most| *number < most);
        let claim = |number: u64| is_wanted(&number).then_some(number + 1);
        let number =
            go_on.then(|| started.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim).ok())??;
        Some(arguments.source(arguments.first + number))
    };
    let work = |source: &Source| match *source {
        Source::Oracle(number) => Examined::Oracle(examiner.examine(number)),
        Source::Wild(number) => Examined::Wild(fuzzer.examine(number)),
    };
    let mut findings = Findings::default();
    let mut tally = Tally::new(&plan);
    let mut failure = None;
    parallel::for_each(arguments.jobs, next, work, |source, examined| {
        let (Source::Oracle(number) | Source::Wild(number)) = source;
        let error = match examined {
            Examined::Oracle(None) => return tally.pace.add_repeated(),
            Examined::Oracle(Some(case)) => {
                if arguments.verbose {
                    println!("program {number}\n{}", program_table(&case.program));
                }
                tally.add(number, case).err()
            }
            Examined::Wild(Ok(case)) => {
                if arguments.verbose {
                    println!("program {number} of a class\n{}", fuzzer.make(number).print(&[]));
                }
                return findings.add(number, case);
            }
            Examined::Wild(Err(error)) => Some(error),
        };
        if let Some(error) = error {
            // No use in going on: this is about the machine, not about one program.
            stop.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    // To make programs small takes long; so what was compared is printed first.
    seen.save()?;
    arguments.print_totals(&tally, &seen, started.load(Ordering::Relaxed));
    for (number, program, judge, kind) in tally.examples() {
        let name = format!("{}-{kind}-seed-{}-program-{number}", judge.name(), arguments.seed);
        report(program, judge, kind, &keep.join(format!("{name}.c")))?;
    }
    let disagreements = fuzzer.report(&mut findings, &keep)?;
    if !findings.is_empty() {
        print!("{}", findings.table());
    }
    Ok(if tally.is_clean() && disagreements == 0 { Finding::Nothing } else { Finding::Faults })
}

/// Makes a program small that shows a disagreement, and keeps it.
fn report(program: &Program, judge: &Judge<'_>, kind: &str, path: &PathBuf) -> Result<(), Error> {
    let end = Instant::now() + SHRINKING;
    let disagrees = |candidate: &Program| {
        let same = |what: &judge::Disagreement| what.kind() == kind;
        Instant::now() < end
            && matches!(judge.examine_anew(candidate), Ok(Verdict::Disagreed { what, .. }) if same(&what))
    };
    let small = shrink(program, disagrees);
    let (what, truth) = match judge.examine_anew(&small)? {
        Verdict::Disagreed { what, truth } => (what, truth),
        _ => {
            println!("{kind}: does not happen again; the tool is not deterministic");
            return Ok(());
        }
    };
    let text = regression::text(&small, judge, &what, &truth);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    fs::write(path, text).map_err(Error::file(path))?;
    println!("{}\n{what}\n{}", path.display(), program_table(&small));
    Ok(())
}
