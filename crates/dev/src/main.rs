//! Commands for those who develop Selvedge: benchmarks and fuzzing.
//!
//! `./x bench …` and `./x fuzz …` come here. The tool itself is run as a subprocess, as its users
//! run it. Each command is one module; a new one is a module, a variant of [`bench::Command`] or
//! [`fuzz::Command`], and a line in its `run`.
//!
//! Exit codes: 0 nothing found, 1 something found, 2 the command could not do its work.

#![warn(missing_docs)]

mod bench;
mod cpu;
mod error;
mod fuzz;
mod interrupt;
mod parallel;
mod process;
mod random;
mod table;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;
use crate::tools::Tools;

/// Programs are made and explored by the thousand.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Development commands of Selvedge.
#[derive(Parser)]
#[command(name = "selvedge-dev", version)]
struct Arguments {
    /// The selvedge binary to run [default: the one beside this executable]
    #[arg(long, global = true, value_name = "PATH")]
    selvedge: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure; nothing fails for being slow, but `instructions` for more of them
    #[command(subcommand)]
    Bench(bench::Command),
    /// Look for faults with random input
    #[command(subcommand)]
    Fuzz(fuzz::Command),
}

/// What a command found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    Nothing,
    Faults,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(Finding::Nothing) => ExitCode::SUCCESS,
        Ok(Finding::Faults) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Finding, Error> {
    let tools = Tools::find(arguments.selvedge.as_deref())?;
    match &arguments.command {
        Command::Bench(command) => bench::run(command, &tools),
        Command::Fuzz(command) => fuzz::run(command, &tools),
    }
}
