//! `bench`: measuring. Nothing here fails for being slow, because machines differ, and so do their days; only `instructions`
//! does, which hardly depend on either.
//!
//! | command | measures |
//! | --- | --- |
//! | `vm` | speed beside LLVM's interpreter, start-up, rewinding (`rewind.rs`) |
//! | `explore` | exploration of a toy |
//! | `dpor` | partial-order reduction beside GenMC and Nidhugg (`peer.rs`), with the numbers of executions that are known |
//! | `relaxed` | the same with store buffers |
//! | `rc11` | execution graphs beside GenMC (`measured.rs`, `only.rs`: what these share) |
//! | `waiting` | programs in which threads wait for each other in loops, with the numbers of executions that would do |
//! | `instructions` | instructions of the explorations of `dpor` and `rc11`, beside another build of the tool |
//! | `workers` | several workers beside one |
//! | `vieq` | view-equivalence, with the numbers of views that are known |
//! | `mcr` | maximal causality reduction beside these, with what the literature has |
//! | `solve` | order constraints beside Z3 |

mod dpor;
mod explore;
mod instructions;
mod mcr;
mod measured;
mod only;
mod peer;
mod rc11;
mod relaxed;
mod rewind;
mod solve;
mod vieq;
mod vm;
mod waiting;
mod workers;

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
    /// Partial-order reduction on programs of the field, beside GenMC and Nidhugg where they are installed
    Dpor(dpor::Arguments),
    /// The same with store buffers (TSO and PSO), beside Nidhugg where it is installed
    Relaxed(relaxed::Arguments),
    /// Execution graphs of RC11, beside GenMC where it is installed
    Rc11(rc11::Arguments),
    /// Programs in which threads wait for each other in loops, beside GenMC and Nidhugg where they are installed
    Waiting(waiting::Arguments),
    /// View-equivalence on programs with many writes of few values, beside partial-order reduction
    Vieq(vieq::Arguments),
    /// Maximal causality reduction, and prediction, beside view-equivalence and partial-order reduction
    Mcr(mcr::Arguments),
    /// Order constraints, beside Z3 where it is installed
    Solve(solve::Arguments),
    /// Instructions that the explorations of `dpor` and `rc11` take, counted by callgrind, beside another build's
    Instructions(instructions::Arguments),
    /// How much faster several workers are than one
    Workers(workers::Arguments),
}

/// Runs one of the commands.
pub fn run(command: &Command, tools: &Tools) -> Result<Finding, Error> {
    match command {
        Command::Vm(arguments) => vm::run(arguments, tools),
        Command::Explore => explore::run(tools),
        Command::Dpor(arguments) => dpor::run(arguments, tools),
        Command::Relaxed(arguments) => relaxed::run(arguments, tools),
        Command::Rc11(arguments) => rc11::run(arguments, tools),
        Command::Waiting(arguments) => waiting::run(arguments, tools),
        Command::Vieq(arguments) => vieq::run(arguments, tools),
        Command::Mcr(arguments) => mcr::run(arguments, tools),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Instructions(arguments) => instructions::run(arguments, tools),
        Command::Workers(arguments) => workers::run(arguments, tools),
    }
}
