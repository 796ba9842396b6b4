//! The `selvedge` command: parses, calls [`selvedge_verify`], and prints.
//!
//! * `arguments`: the command line.
//! * `check`: `selvedge check`; `estimate`: its `--estimate`; `graphs`: `--all-violations` and `--graph`, whose files are there when
//!   they are whole; `schedules`: writing schedules.
//! * `summary`, `contradictions`: verdicts, limits and counts in words; options that contradict each other in words. `times`: where the
//!   time went.
//! * `replay`: `selvedge replay`; `recorded`: what a schedule file says, which is not trusted; `flags`: compiler flags that are
//!   harmless.
//! * `run`: `selvedge run`, one schedule on the machine alone.
//! * `topics`: `help properties`, `help models`, `help explorers`.
//! * `render`, `progress`, `output`, `interrupt`: errors of single executions; the progress line; standard output; Ctrl-C.

#![warn(missing_docs)]

mod arguments;
mod check;
mod contradictions;
mod estimate;
mod flags;
mod graphs;
mod interrupt;
mod output;
mod progress;
mod recorded;
mod render;
mod replay;
mod run;
mod schedules;
mod summary;
mod times;
mod topics;

use arguments::{Cli, Command};
use std::process::ExitCode;

/// Workers hand memory to each other all the time: what one allocates, another frees. The C library's allocator makes
/// them wait for each other then.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit codes of the tool itself, as documented.
pub mod exit_code {
    /// The program is wrong.
    pub const VIOLATION: u8 = 1;
    /// Bad usage, bad input, or an unsupported construct was reached.
    pub const BAD_INPUT: u8 = 2;
    /// A limit was reached before anything was found.
    pub const LIMIT: u8 = 3;
    /// A bug of the tool.
    pub const INTERNAL: u8 = 4;
}

fn main() -> ExitCode {
    // A panic is a bug of ours: say so, and use the exit code that says so.
    let result = std::panic::catch_unwind(|| match Cli::from_command_line(std::env::args_os()).command {
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Replay(options) => replay::run(&options),
        Command::Topic(options) => topics::run(options.topic),
    });
    match result {
        Ok(code) => code,
        Err(_) => {
            eprintln!("error[internal]: this is a bug in selvedge; please report it, with the program");
            ExitCode::from(exit_code::INTERNAL)
        }
    }
}
