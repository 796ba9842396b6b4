//! `fuzz`: looking for faults with random input.

mod broken;
mod corpus;
mod csmith;
mod engines;
mod explore;
mod mutation;
mod replay;
mod wild;

use clap::Subcommand;

use crate::Finding;
use crate::error::Error;
use crate::tools::Tools;

/// What to look for.
#[derive(Subcommand)]
pub enum Command {
    /// Compare the tool with native code on random programs from csmith
    Csmith(csmith::Arguments),
    /// Feed the tool broken and odd files; it must refuse them politely
    Broken(broken::Arguments),
    /// Compare explorers with brute force on random concurrent programs
    Explore(explore::Arguments),
    /// Compare execution graphs with steps on random programs with locks of all kinds, waiting loops and structures
    Engines(engines::Arguments),
    /// Replay every schedule that is found in random programs; it must lead to what its file says
    Replay(replay::Arguments),
}

/// Runs one of the commands.
pub fn run(command: &Command, tools: &Tools) -> Result<Finding, Error> {
    match command {
        Command::Csmith(arguments) => csmith::run(arguments, tools),
        Command::Broken(arguments) => broken::run(arguments, tools),
        Command::Explore(arguments) => explore::run(arguments, tools),
        Command::Engines(arguments) => engines::run(arguments, tools),
        Command::Replay(arguments) => replay::run(arguments, tools),
    }
}
