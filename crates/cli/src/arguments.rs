//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Verifies, debugs and repairs multithreaded programs.
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
    /// Execute a program once, as the native binary would, with every memory error caught.
    Run(RunOptions),
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
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
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
    /// Parses a command line. What follows `--args` belongs to the program and is set aside first: it may
    /// look like anything, our own flags included.
    pub fn from_command_line(words: impl Iterator<Item = OsString>) -> Self {
        let mut words: Vec<OsString> = words.collect();
        let flags_at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let args_at = words[..flags_at].iter().position(|word| word == "--args");
        let program_args: Vec<OsString> = match args_at {
            Some(at) => words.drain(at..flags_at).skip(1).collect(),
            None => Vec::new(),
        };
        let mut cli = Cli::parse_from(words);
        match &mut cli.command {
            Command::Run(options) => options.args = program_args,
        }
        cli
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}
