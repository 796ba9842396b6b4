//! The command line.

use crate::contradictions::names;
use crate::recorded::Trust;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_explore::{Choice, Finds, Symmetry, Workers};
use selvedge_verify::{
    Bounds, Detail, Explorer, Limits, Model, Options, Properties, Record, ReleaseSequences, Request, Wanted,
};
use selvedge_vm::FaultKind;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

/// Verifies multithreaded programs, and shows how they go wrong.
#[derive(Debug, Parser)]
#[command(name = "selvedge", version, max_term_width = 100)]
#[command(after_help = "Exit codes of the tool: 0 fine, 1 the program is wrong, 2 bad usage or input, or \
                        something unsupported was reached, 3 a limit was reached, 4 a bug of the tool.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore the executions of a program and tell whether it is right.
    Check(CheckOptions),
    /// Run a schedule that `check` has found, and show the same report.
    Replay(ReplayOptions),
    /// Explain properties, models or explorers.
    #[command(name = "explain")]
    Topic(TopicOptions),
    /// Execute a program once, as the native binary would, with every memory error caught.
    Run(RunOptions),
}

/// Values that are named by a table: what they are called, and what they are.
fn named<T: Copy + Send + Sync + 'static>(
    values: Vec<(T, &'static str, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let possible = values.iter().map(|(_, name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(possible.collect::<Vec<_>>()).try_map(move |text| {
        let found = values.iter().find(|(_, name, _)| *name == text);
        found.map(|(value, ..)| *value).ok_or("not one of the possible values")
    })
}

fn explorers() -> impl TypedValueParser<Value = Explorer> {
    named(Explorer::ALL.iter().map(|it| (*it, it.name(), it.about().help)).collect())
}

fn models(models: impl Iterator<Item = Model>) -> impl TypedValueParser<Value = Model> {
    named(models.map(|it| (it, it.name(), it.about().help)).collect())
}

impl CheckOptions {
    /// What is asked of the program, by a time.
    pub fn request(&self, deadline: Option<Instant>) -> Request {
        let execution = &self.execution;
        Request {
            properties: Properties {
                allowed: self.allow.clone(),
                uninitialised: execution.check.contains(&ExtraCheck::Uninitialised),
                leaks: execution.check.contains(&ExtraCheck::Leak),
                robustness: self.robust.is_some(),
                sequences: execution.sequences(),
            },
            model: self.robust.or(execution.model),
            explorer: self.explorer,
            options: Options {
                preemptions: self.preemptions,
                samples: None,
                seed: self.seed,
                depth: self.depth,
                patience: self.patience,
                predict: self.predict,
                classes: self.classes,
                symmetry: if self.symmetry { Symmetry::Reduced } else { Symmetry::Ignored },
            },
            bounds: Bounds {
                unroll: self.unroll,
                steps: self.max_steps,
                nondet: execution.nondet.clone(),
                spurious_wakeups: u32::from(execution.spurious_wakeups),
            },
            limits: Limits { executions: self.max_executions, deadline },
            workers: self.workers.map(usize::from),
            wanted: if self.keep_going { Wanted::All } else { Wanted::First },
            detail: Detail::Told,
            record: match (self.graph.is_some(), self.all_violations.is_some()) {
                (false, false) => Record::Nothing,
                (true, false) => Record::First,
                (false, true) => Record::All,
                (true, true) => Record::FirstAndAll,
            },
        }
    }
}

/// What the result looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Options that an execution depends on: `check` and `replay` must agree on them.
#[derive(Debug, Clone, Args)]
pub struct ExecutionOptions {
    /// The memory model: which values loads may see. `selvedge help models` says how C is mapped to them
    /// [default: rc11 if the program has atomic operations weaker than seq_cst, else sc].
    #[arg(long, value_parser = models(Model::ALL.iter().copied()))]
    pub model: Option<Model>,

    /// Which stores continue what a release store has begun, so that whoever reads them and acquires synchronises with it:
    /// the rule of C++20 and C23, or that of C11 and C17. `selvedge help models` tells the difference.
    #[arg(long, value_enum, value_name = "RULE", default_value = "c20")]
    pub release_sequences: SequenceRule,

    /// Checks that are off by default.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK")]
    pub check: Vec<ExtraCheck>,

    /// A condition variable may wake each thread once without a signal.
    #[arg(long)]
    pub spurious_wakeups: bool,

    /// The numbers that __VERIFIER_nondet_* functions give (truth values are always both).
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true, default_value = "0..1", value_parser = parse_range)]
    pub nondet: std::ops::RangeInclusive<i32>,
}

impl ExecutionOptions {
    /// What continues a release sequence.
    pub fn sequences(&self) -> ReleaseSequences {
        match self.release_sequences {
            SequenceRule::C11 => ReleaseSequences::C11,
            SequenceRule::C20 => ReleaseSequences::C20,
        }
    }
}

/// What continues a release sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SequenceRule {
    /// Later stores of the same thread, and read-modify-writes.
    C11,
    /// Read-modify-writes only.
    C20,
}

impl SequenceRule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SequenceRule::C11 => "c11",
            SequenceRule::C20 => "c20",
        }
    }
}

/// Options of `selvedge check`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  selvedge check queue.c
  selvedge check a.c b.c -- -Iinclude -DN=3
  selvedge check --explorer pct --max-executions 10000 server.c
  selvedge check --model tso lockfree.c
  selvedge check --robust pso lockfree.c
  selvedge check --model rc11 --graph race.svg lockfree.c
  selvedge check --model rc11 --all-violations graphs.jsonl lockfree.c
  selvedge check --allow data-race --format json legacy.c

Verdicts and exit codes: `verified` 0, `violation` 1, `bounded` or `incomplete` without a violation 3;
bad input or something unsupported 2; a bug of the tool 4.")]
pub struct CheckOptions {
    /// C sources (.c, .i) and LLVM modules (.ll, .bc); they are linked together.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How executions are chosen [default: optimal, or graph where that gives the same executions sooner; graph for rc11
    /// and ra].
    #[arg(long, value_parser = explorers())]
    pub explorer: Option<Explorer>,

    #[arg(long, value_parser = models(Model::weaker()), value_name = "MODEL", conflicts_with = "model", help = format!(
        "Only tell whether the program does anything under a weaker model that it does not do under sequential consistency, \
         and show it. Nothing else is checked; explorers: {}",
        names(Explorer::ALL.iter().copied().filter(|it| it.about().robustness == Finds::Always)),
    ))]
    /// The model whose executions are compared with those of sequential consistency.
    pub robust: Option<Model>,

    #[arg(long, value_name = "N", help = format!(
        "How many workers explore (for the explorers {}; by default one for each core). The result does not depend on it",
        names(Explorer::ALL.iter().copied().filter(|it| it.about().workers == Workers::Several)),
    ), value_parser = clap::value_parser!(u16).range(1..=1024))]
    /// How many workers explore.
    pub workers: Option<u16>,

    /// Only estimate how many executions there will be, by random walks (for a second, or --time-limit).
    #[arg(long)]
    pub estimate: bool,

    #[arg(long, help = format!(
        "Also tell from each execution what could go wrong in another order of its steps: data races, deadlocks, failed \
         assertions; and run that to confirm it (for the explorers {})",
        names(Explorer::accepting(Choice::Predict)),
    ))]
    /// Whether violations are predicted.
    pub predict: bool,

    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64), help = format!(
        "How many states to look at for an answer before the solver is asked (for the explorer {}); 0: always ask it \
         [default: {}]",
        names(Explorer::accepting(Choice::Patience)),
        selvedge_explore::views::mcr::PATIENCE,
    ))]
    /// How many states to look at before the solver is asked.
    pub patience: Option<u64>,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help = format!(
        "Stop after so many executions (for {}: how many to run; {} if not given)",
        names(Explorer::accepting(Choice::Samples)),
        selvedge_explore::sampling::random::SAMPLES,
    ))]
    /// How many executions are explored.
    pub max_executions: Option<u64>,

    /// Stop a thread after so many steps of its own; the verdict is then `bounded`.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: u64,

    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = parse_seconds)]
    pub time_limit: Option<f64>,

    /// Stop a thread that would perform the same operation of the same call more often; the verdict is then `bounded`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unroll: Option<u32>,

    #[arg(long, help = format!(
        "For the explorer {}: also count the executions that differ in the order of dependent operations",
        names(Explorer::accepting(Choice::Classes)),
    ))]
    /// Whether orders of dependent operations are counted.
    pub classes: bool,

    #[arg(long, help = format!(
        "For the explorer {}, which is then the default: of executions that differ only in which of several threads with the \
         same function and argument does what, explore one; where the program lets nobody tell these threads apart",
        names(Explorer::accepting(Choice::Symmetry)),
    ))]
    /// Whether executions that differ only in which of several threads that do the same is which are explored once.
    pub symmetry: bool,

    /// Only executions with at most so many preemptions: switches away from a thread that could have gone on.
    /// With `optimal` by bounded partial-order reduction, with `context` one after the other (there 2 if not given).
    #[arg(long, value_name = "N")]
    pub preemptions: Option<u32>,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64), help = format!(
        "Where random numbers begin: {} explore by them, {} estimate [default: {}]",
        names(Explorer::accepting(Choice::Samples)),
        names(Explorer::accepting(Choice::Estimate)),
        Options::SEED,
    ))]
    /// Where random numbers begin.
    pub seed: Option<u64>,

    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=64), help = format!(
        "For the explorer {}: the bug depth [default: {}]",
        names(Explorer::accepting(Choice::Depth)),
        selvedge_explore::sampling::pct::DEPTH,
    ))]
    /// The bug depth.
    pub depth: Option<u32>,

    /// Properties that are not violations here, e.g. data-race, abort.
    #[arg(long, value_delimiter = ',', value_name = "PROPERTY", value_parser = parse_kind)]
    pub allow: Vec<FaultKind>,

    /// Collect violations instead of stopping at the first.
    #[arg(long)]
    pub keep_going: bool,

    /// Options that executions depend on.
    #[command(flatten)]
    pub execution: ExecutionOptions,

    /// Where to write the schedule of the violation (default: a file in .selvedge/).
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = format!(
        "For the explorer {}: write every execution in which something is wrong to a file, one line of JSON each. Keeps going",
        names(Explorer::accepting(Choice::Graphs)),
    ))]
    /// Where all violating executions are written.
    pub all_violations: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = format!(
        "For the explorer {}: draw the execution graph of the first violation. The file ends in .dot, or in .svg (which \
         needs Graphviz)",
        names(Explorer::accepting(Choice::Graphs)),
    ))]
    /// Where the picture is written.
    pub graph: Option<PathBuf>,

    /// Show all steps of long traces.
    #[arg(long)]
    pub full_trace: bool,

    /// Say at the end where the time went: front end (from sources to code), exploration, minimising (from what was found to what is
    /// shown), report.
    #[arg(long, conflicts_with = "estimate")]
    pub time: bool,

    /// What the result looks like.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// Flags for the compiler.
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<OsString>,
}

/// Options of `selvedge replay`.
#[derive(Debug, Args)]
pub struct ReplayOptions {
    /// The schedule.
    #[arg(value_name = "SCHEDULE")]
    pub schedule: PathBuf,

    /// Accept all compiler flags that the schedule has. Without it, only those are that do nothing but say how the
    /// program is compiled; others could write files or run commands.
    #[arg(long)]
    pub trust: bool,

    /// Show all steps of long traces.
    #[arg(long)]
    pub full_trace: bool,

    /// What the result looks like.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

impl ReplayOptions {
    /// How far the schedule is trusted.
    pub fn trust(&self) -> Trust {
        if self.trust { Trust::Flags } else { Trust::Nothing }
    }
}

/// What to explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// What can be wrong with a program.
    Properties,
    /// Memory models.
    Models,
    /// How executions are chosen.
    Explorers,
}

/// Options of `selvedge explain`.
#[derive(Debug, Args)]
pub struct TopicOptions {
    /// What.
    #[arg(value_enum)]
    pub topic: Topic,
}

/// Checks that are off unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExtraCheck {
    /// A value that was never set decides a branch, an address or an output.
    Uninitialised,
    /// Heap objects that are never freed and that nothing refers to when the program exits.
    Leak,
}

/// What to print instead of executing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The program in Selvedge's own intermediate form.
    Ir,
    /// The register code that the machine executes.
    Code,
}

/// Options of `selvedge run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  selvedge run hello.c
  selvedge run a.c b.c -- -Iinclude -DN=3 -std=c17
  selvedge run tool.c --args one \"two words\"
  selvedge run --check leak,uninitialised list.c

The exit code is the program's own. If the program is wrong it is 1, and the error with its place and
explanation is printed to standard error; 2: bad input or something unsupported was reached; 3: the time
limit was reached. With --report-exit, a program that ends by itself gives 0, whatever its own exit code.")]
pub struct RunOptions {
    /// C sources (.c, .i) and LLVM modules (.ll, .bc); they are linked together.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Arguments of the program: all that follows, up to `--`.
    #[arg(long, num_args = 0.., value_name = "ARG")]
    pub args: Vec<OsString>,

    /// Checks that are off by default.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK")]
    pub check: Vec<ExtraCheck>,

    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = parse_seconds)]
    pub time_limit: Option<f64>,

    /// How many function calls may be under way in a thread.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub max_depth: u32,

    /// Exit with 0 whenever the program ends by itself.
    #[arg(long)]
    pub report_exit: bool,

    /// Print an intermediate form instead of executing.
    #[arg(long, value_enum, value_name = "FORM")]
    pub emit: Option<Emit>,

    /// Flags for the compiler.
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<OsString>,
}

impl Cli {
    /// Parses words that were recorded earlier.
    pub fn try_from_words(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        Cli::try_parse_from(words)
    }

    /// Parses a command line. What follows `--args` belongs to the program and is set aside first: it may
    /// look like anything, our own flags included.
    pub fn from_command_line(words: impl Iterator<Item = OsString>) -> Self {
        let mut words: Vec<OsString> = words.collect();
        // `selvedge help properties` reads better than `selvedge explain properties`.
        let topic = words.get(2).is_some_and(|w| w == "properties" || w == "models" || w == "explorers");
        if topic && words[1] == "help" {
            words[1] = "explain".into();
        }
        let flags_at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let args_at = words[..flags_at].iter().position(|word| word == "--args");
        let program_args: Vec<OsString> = match args_at {
            Some(at) => words.drain(at..flags_at).skip(1).collect(),
            None => Vec::new(),
        };
        let mut cli = Cli::parse_from(words);
        match &mut cli.command {
            Command::Run(options) => options.args = program_args,
            Command::Check(_) | Command::Replay(_) | Command::Topic(_) => {}
        }
        cli
    }
}

fn parse_kind(text: &str) -> Result<FaultKind, String> {
    FaultKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
        let names: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// The largest range of numbers that is tried one by one.
const MOST_NUMBERS: u32 = 1 << 16;

fn parse_range(text: &str) -> Result<std::ops::RangeInclusive<i32>, String> {
    let expected = || "expected LOW..HIGH, e.g. 0..3".to_owned();
    let (low, high) = text.split_once("..").ok_or_else(expected)?;
    let high = high.strip_prefix('=').unwrap_or(high);
    let (low, high): (i32, i32) =
        (low.parse().map_err(|_| expected())?, high.parse().map_err(|_| expected())?);
    match low <= high && high.abs_diff(low) < MOST_NUMBERS {
        true => Ok(low..=high),
        false => Err(format!("expected LOW <= HIGH, and at most {MOST_NUMBERS} numbers")),
    }
}

/// Thirty years.
const MOST_SECONDS: f64 = 1e9;

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MOST_SECONDS => Ok(seconds),
        _ => Err(format!("expected a positive number of seconds, at most {MOST_SECONDS}")),
    }
}
