//! `bench`: measuring. Nothing here fails for being slow: machines differ, and so do their days.

mod explore;
mod rewind;
mod vm;

use clap::Subcommand;

use crate::Finding;
use crate::error::Error;
use crate::tools::Tools;

/// What to measure.
#[derive(Subcommand)]
pub enum Command {
    /// The virtual machine beside LLVM's interpreter, and how long the tool takes to start
    Vm(vm::Arguments),
    /// Exhaustive, bounded and random exploration of a toy
    Explore,
}

/// Runs one of the commands.
pub fn run(command: &Command, tools: &Tools) -> Result<Finding, Error> {
    match command {
        Command::Vm(arguments) => vm::run(arguments, tools),
        Command::Explore => explore::run(tools),
    }
}
