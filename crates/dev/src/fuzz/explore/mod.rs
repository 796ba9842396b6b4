//! `fuzz explore`: random concurrent programs, explored by the tool and by brute force.
//!
//! The oracle (crates/oracle) makes a small program and follows all its interleavings; the program is printed
//! as C and given to the tool. Both must agree on deadlocks, data races and wrong uses of mutexes, on the set
//! of outcomes, and on the number of executions where the explorer promises one. A program on which they do
//! not is made small and written as a test, ready to be moved to tests/programs/fuzz.
//!
//! All this under one memory model, or under one after the other. The oracle itself must say that what a model allows is
//! allowed by the weaker ones, too.
//!
//! If neither an explorer nor a model is named, every second program is one that the oracle's language cannot express (`wild`).

mod answer;
mod direct;
mod judge;
mod nested;
mod regression;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use selvedge_oracle::{
    Knobs, Model, Program, Random, ReleaseSequences, generate, generate_message, graphs, shrink,
    table as program_table,
};

use self::judge::{Asked, Explorer, Judge, Truths, Under, Verdict};
use self::nested::Nested;
use super::wild::{self, Class, Findings, Fuzzer, KnownOnes};
use crate::Finding;
use crate::error::Error;
use crate::parallel;
use crate::table;
use crate::tools::{self, CLANG, Tools};

/// How long a program that shows a disagreement may be made smaller.
const SHRINKING: Duration = Duration::from_secs(120);

/// How many programs pass messages through release sequences, in percent.
const MESSAGES: u32 = 10;

/// With `--direct`, the oracle's answers under different models are compared for one of so many programs.
const NESTED: u64 = 33;

/// The explorers that are compared if none are named.
const EXPLORERS: [&str; 8] =
    ["optimal", "default-2", "workers-3", "source", "classic", "bounded-1", "exhaustive", "context"];

/// Those that are compared if they are explored in this process. (`context` takes as long as all others together.)
const DIRECT: [&str; 10] = [
    "optimal",
    "default",
    "source",
    "classic",
    "bounded-1",
    "exhaustive",
    "vieq",
    "mcr",
    "se-mcr",
    "patience-0",
];

/// The memory models to compare under.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Models {
    /// Sequential consistency
    Sc,
    /// Total store order
    Tso,
    /// Partial store order
    Pso,
    /// RC11, by execution graphs
    Rc11,
    /// RC11, release-acquire, TSO and SC by execution graphs, one after the other
    Graphs,
    /// SC, TSO, PSO and RC11, one after the other
    All,
}

/// What continues release sequences.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// Later stores of the same thread, and read-modify-writes
    C11,
    /// Read-modify-writes only
    C20,
    /// One and the other
    Both,
}

impl Rules {
    fn list(self) -> Vec<ReleaseSequences> {
        match self {
            Self::C11 => vec![ReleaseSequences::C11],
            Self::C20 => vec![ReleaseSequences::C20],
            Self::Both => ReleaseSequences::ALL.to_vec(),
        }
    }
}

impl Models {
    fn list(self) -> Vec<Under> {
        let rc11 = Under::Graphs(graphs::Model::Rc11);
        match self {
            Self::Sc => vec![Under::Steps(Model::Sc)],
            Self::Tso => vec![Under::Steps(Model::Tso)],
            Self::Pso => vec![Under::Steps(Model::Pso)],
            Self::Rc11 => vec![rc11],
            Self::Graphs => {
                // What RC11 is called depends on the release sequences.
                let named = |model: &graphs::Model| *model != graphs::Model::Rc11AsPublished;
                graphs::Model::ALL.into_iter().filter(named).map(Under::Graphs).collect()
            }
            Self::All => Model::ALL.map(Under::Steps).into_iter().chain([rc11]).collect(),
        }
    }
}

/// Options of `fuzz explore`.
#[derive(Args)]
pub struct Arguments {
    /// How long to go on
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Stop after so many programs
    #[arg(long)]
    programs: Option<u64>,
    /// Another seed, other programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first program
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The explorers to compare, as the tool calls them; also bounded-K and context-K (at most K preemptions, with
    /// and without reduction), workers-N (`optimal` with N workers), default and default-N (what the tool chooses,
    /// with N workers), predict (`se-mcr` with prediction), and patience-N (`se-mcr` with --patience N; if `se-mcr` is named, so are patience-0 and patience-3)
    /// [default: optimal,default-2,workers-3,source,classic,bounded-1,exhaustive,context]
    #[arg(long, value_delimiter = ',', conflicts_with = "class")]
    explorer: Vec<String>,
    /// The memory model; with `all` each program is for another one than the program before [default: sc]
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
    /// Explore the oracle's programs in this process, without C and without the tool's front end: about forty times as many
    /// programs in the same time. Each program is for another model than the one before, and all explorers that can be
    /// asked this way are compared, unless some are named
    #[arg(long, conflicts_with_all = ["class", "known"])]
    direct: bool,
    /// How many programs to try at a time
    #[arg(long, default_value_t = parallel::default_jobs())]
    jobs: usize,
    /// Show each program
    #[arg(long)]
    verbose: bool,
}

/// What became of a program.
struct Case {
    program: Program,
    /// What the oracle says under different models, compared.
    nested: Nested,
    /// For each judge of the program's model.
    results: Vec<Result<Verdict, Error>>,
    /// How many executions it has, if the oracle knows.
    executions: Option<u64>,
    /// How long the oracle and the explorers took.
    times: Times,
}

/// Processor time, more or less.
#[derive(Default, Clone, Copy)]
struct Times {
    oracle: Duration,
    explorers: Duration,
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
    Oracle(Case),
    Wild(Result<wild::Case, Error>),
}

impl Arguments {
    /// Where the program with a number comes from.
    fn source(&self, number: u64) -> Source {
        let alone = self.direct || !self.explorer.is_empty() || self.model.is_some();
        match (self.class.is_empty(), number % 2) {
            (false, _) => Source::Wild(number),
            (true, 1) if !alone => Source::Wild(number / 2),
            (true, _) if !alone => Source::Oracle(number / 2),
            (true, _) => Source::Oracle(number),
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

/// How often each thing happened, for one explorer.
#[derive(Default, Clone)]
struct Summary {
    agreed: u64,
    too_large: u64,
    deadlocks: u64,
    races: u64,
    outcomes: u64,
    executions: u64,
    disagreed: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    if !arguments.direct {
        tools::require(CLANG, "install the Debian package `clang-22`")?;
    }
    let keep = tools.in_repository("target/fuzz/explore");
    let fuzzer = arguments.fuzzer(tools);
    let asked = if arguments.direct { Asked::Explorers } else { Asked::Tool(tools) };
    let model = if arguments.direct { Models::All } else { Models::Sc };
    let models = arguments.model.unwrap_or(model).list();
    let rules = arguments.release_sequences.list();
    let judge = |model: Under, sequences: ReleaseSequences, name: &String| Judge {
        asked,
        explorer: Explorer::named(name),
        model,
        sequences,
        most: arguments.executions,
        merge: arguments.merge,
    };
    let graph = ["graph".to_owned()];
    let mut names = arguments.explorer.clone();
    if names.is_empty() {
        names = if arguments.direct {
            DIRECT.map(str::to_owned).to_vec()
        } else {
            EXPLORERS.map(str::to_owned).to_vec()
        };
    }
    if names.iter().any(|name| name == "se-mcr") && !arguments.direct {
        let more = ["patience-0", "patience-3"].map(str::to_owned);
        names.extend(more.into_iter().filter(|name| !arguments.explorer.contains(name)));
    }
    let explorers = |model: &Under| match model {
        Under::Steps(_) => names.as_slice(),
        Under::Graphs(_) => graph.as_slice(),
    };
    let kinds = models.iter().flat_map(|model| rules.iter().map(move |rule| (model, *rule)));
    let judges: Vec<Judge<'_>> = kinds
        .flat_map(|(model, rule)| explorers(model).iter().map(move |name| judge(*model, rule, name)))
        .collect();
    if let Some(judge) = judges.iter().find(|judge| !judge.is_possible()) {
        return Err(Error::Missing {
            program: format!("a way to explore with `{}` in this process", judge.explorer.name),
            remedy: "leave out --direct, or name other explorers".to_owned(),
        });
    }
    let model_of = |number: u64| models[(number % models.len() as u64) as usize];
    let rule_of = |number: u64| rules[(number / models.len() as u64 % rules.len() as u64) as usize];
    let is_of = |judge: &Judge<'_>, number: u64| {
        judge.model == model_of(number) && judge.sequences == rule_of(number)
    };

    let start = Instant::now();
    let duration = Duration::from_secs(arguments.seconds);
    let started = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let next = || {
        let go_on = start.elapsed() < duration && !stop.load(Ordering::Relaxed);
        let number = go_on.then(|| started.fetch_add(1, Ordering::Relaxed))?;
        let number =
            arguments.programs.is_none_or(|most| number < most).then_some(arguments.first + number)?;
        Some(arguments.source(number))
    };
    let examine = |number: u64| {
        let model = model_of(number);
        let program = make(arguments.seed, number, model, arguments.more_threads);
        let nested = match model {
            // It is about the oracle alone, and takes as long as all the rest.
            Under::Steps(_) if arguments.direct && !number.is_multiple_of(NESTED) => Nested::Unknown,
            Under::Steps(model) => nested::examine(&program, model),
            Under::Graphs(_) => Nested::Unknown,
        };
        let of_kind = judges.iter().filter(|judge| is_of(judge, number));
        let of_kind: Vec<&Judge<'_>> = of_kind.collect();
        let mut truths = Truths::default();
        let start = Instant::now();
        let known: Vec<_> = of_kind.iter().filter_map(|judge| judge.truth(&program, &mut truths)).collect();
        let known = known.first();
        let executions = known.map(|truth| truth.within.executions);
        let oracle = start.elapsed();
        let start = Instant::now();
        let mut results = Vec::new();
        let mut examine = |case: Option<&direct::Case<'_>>| {
            results = of_kind.iter().map(|judge| judge.examine(&program, &mut truths, case)).collect();
        };
        let outcomes = known.filter(|_| arguments.direct).map(|truth| truth.list_outcomes());
        let is_examined = outcomes.is_some_and(|outcomes| {
            direct::with(&program, &outcomes, model, |case| examine(Some(case))).is_ok()
        });
        if !is_examined {
            // Each judge asks by itself, and says what is wrong.
            examine(None);
        }
        let times = Times { oracle, explorers: start.elapsed() };
        Case { program, nested, results, executions, times }
    };
    let work = |source: &Source| match *source {
        Source::Oracle(number) => Examined::Oracle(examine(number)),
        Source::Wild(number) => Examined::Wild(fuzzer.examine(number)),
    };
    let mut findings = Findings::default();
    let mut summaries = vec![Summary::default(); judges.len()];
    let mut faults = Vec::new();
    let mut failure = None;
    let mut contradictions = 0;
    let (mut compared, mut weak) = (0, 0);
    let mut pace = Pace::default();
    parallel::for_each(arguments.jobs, next, work, |source, examined| {
        let (Source::Oracle(number) | Source::Wild(number)) = source;
        let case = match examined {
            Examined::Oracle(case) => case,
            Examined::Wild(Ok(case)) => {
                if arguments.verbose {
                    println!("program {number} of a class\n{}", fuzzer.make(number).print(&[]));
                }
                return findings.add(number, case);
            }
            Examined::Wild(Err(error)) => {
                stop.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
                return;
            }
        };
        if arguments.verbose {
            println!("program {number}\n{}", program_table(&case.program));
        }
        pace.add(&case);
        match case.nested {
            Nested::Unknown => {}
            Nested::Yes { more } => {
                compared += 1;
                weak += u64::from(more);
            }
            Nested::No(what) => {
                contradictions += 1;
                println!(
                    "program {number}: the oracle contradicts itself: {what}\n{}",
                    program_table(&case.program)
                );
            }
        }
        let of_kind = judges.iter().zip(&mut summaries).filter(|(judge, _)| is_of(judge, number));
        for (result, (judge, summary)) in case.results.into_iter().zip(of_kind) {
            match result {
                Ok(verdict) => {
                    summary.add(&verdict);
                    if let Verdict::Disagreed { what, .. } = verdict {
                        println!("program {number}, {}: {what}", judge.name());
                        faults.push((number, case.program.clone(), judge, what.kind()));
                    }
                }
                Err(error) => {
                    // No use in going on: this is about the machine, not about one program.
                    stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    faults.sort_by_key(|(number, ..)| *number);
    // One small program of each kind says more than many.
    let mut seen = Vec::new();
    for (number, program, judge, kind) in &faults {
        let of_a_kind = seen.iter().filter(|other| **other == (judge.name(), *kind)).count();
        seen.push((judge.name(), *kind));
        if of_a_kind < 3 {
            let name = format!("{}-{kind}-seed-{}-program-{number}", judge.name(), arguments.seed);
            report(program, judge, kind, &keep.join(format!("{name}.c")))?;
        }
    }
    let disagreements = fuzzer.report(&mut findings, &keep)?;
    if arguments.class.is_empty() {
        print!("{}", summary_table(&judges, &summaries));
    }
    if !findings.is_empty() {
        print!("{}", findings.table());
    }
    if compared > 0 {
        println!("{weak} of {compared} programs for weak models have outcomes beyond sequential consistency");
    }
    if arguments.direct {
        println!("{}", pace.describe());
    }
    Ok(if faults.is_empty() && disagreements == 0 && contradictions == 0 {
        Finding::Nothing
    } else {
        Finding::Faults
    })
}

/// The program with a number.
fn make(seed: u64, number: u64, model: Under, more_threads: usize) -> Program {
    let random = &mut Random::for_case(seed, number);
    // Some are about release sequences, which are rare in others.
    if random.percent(MESSAGES) {
        return generate_message(random);
    }
    let mut knobs = match model {
        Under::Steps(Model::Sc) => Knobs::random(random),
        Under::Steps(Model::Tso | Model::Pso) => Knobs::random_buffered(random),
        Under::Graphs(_) => Knobs::random_c11(random),
    };
    knobs.workers += more_threads;
    generate(&knobs, random)
}

/// Makes a program small that shows a disagreement, and keeps it.
fn report(program: &Program, judge: &Judge<'_>, kind: &str, path: &PathBuf) -> Result<(), Error> {
    let end = Instant::now() + SHRINKING;
    let disagrees = |candidate: &Program| {
        let same = |what: &judge::Disagreement| what.kind() == kind;
        Instant::now() < end
            && matches!(judge.examine(candidate, &mut Truths::default(), None), Ok(Verdict::Disagreed { what, .. }) if same(&what))
    };
    let small = shrink(program, disagrees);
    let (what, truth) = match judge.examine(&small, &mut Truths::default(), None)? {
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

/// How fast programs are compared.
#[derive(Default)]
struct Pace {
    programs: u64,
    comparisons: u64,
    /// How many executions each program has.
    executions: Vec<u64>,
    times: Times,
}

impl Pace {
    fn add(&mut self, case: &Case) {
        let is_compared = |result: &&Result<Verdict, Error>| !matches!(result, Ok(Verdict::TooLarge));
        self.programs += 1;
        self.comparisons += case.results.iter().filter(is_compared).count() as u64;
        self.executions.extend(case.executions);
        self.times.oracle += case.times.oracle;
        self.times.explorers += case.times.explorers;
    }

    fn describe(&mut self) -> String {
        self.executions.sort_unstable();
        let median = self.executions.get(self.executions.len() / 2).copied().unwrap_or(0);
        let (oracle, explorers) = (self.times.oracle.as_secs_f64(), self.times.explorers.as_secs_f64());
        format!(
            "{} comparisons on {} programs, with {median} executions in the median; {:.0} a second and core \
             (oracle {oracle:.1} s, explorers {explorers:.1} s)",
            self.comparisons,
            self.programs,
            self.comparisons as f64 / (oracle + explorers).max(0.001),
        )
    }
}

impl Summary {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::TooLarge => self.too_large += 1,
            Verdict::Agreed(truth) => {
                let results = &truth.within;
                self.agreed += 1;
                self.deadlocks += u64::from(!results.deadlocks.is_empty());
                self.races += u64::from(!results.races.is_empty());
                self.outcomes += results.outcomes.len() as u64;
                self.executions += results.executions;
            }
            Verdict::Disagreed { .. } => self.disagreed += 1,
        }
    }
}

fn summary_table(judges: &[Judge<'_>], summaries: &[Summary]) -> String {
    let heading = [
        "explorer",
        "agreed",
        "with deadlock",
        "with race",
        "outcomes",
        "executions",
        "too large",
        "disagreed",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for (judge, s) in judges.iter().zip(summaries) {
        let counts = [s.agreed, s.deadlocks, s.races, s.outcomes, s.executions, s.too_large, s.disagreed];
        let counts = counts.map(|count| count.to_string());
        rows.push([vec![judge.name()], counts.to_vec()].concat());
    }
    table::render(&rows)
}
