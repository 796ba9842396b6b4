//! `selvedge run`: one execution.
//!
//! Threads are scheduled in the simplest way that lets programs end: the running thread goes on until it
//! waits, yields, ends or has had a long turn; then the next one in order of creation that can go on.

use crate::arguments::{Emit, ExtraCheck, RunOptions};
use crate::{exit_code, output, render};
use selvedge_frontend::{Promotion, Sources};
use selvedge_program::Program;
use selvedge_vm::{
    Config, FaultKind, Image, Initialisation, LoadError, Machine, Operation, Output, Stop, ThreadId,
};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many blocks are executed before the clock is read again.
const FUEL: u64 = 1 << 22;

/// After this many visible operations in a row it is another thread's turn.
const LONG_TURN: u64 = 1000;

/// Runs the command.
pub fn run(options: &RunOptions) -> ExitCode {
    let sources = Sources { files: options.files.clone(), flags: options.flags.clone() };
    let uninitialised = options.check.contains(&ExtraCheck::Uninitialised);
    let promotion = if uninitialised { Promotion::Off } else { Promotion::On };
    let deadline = options.time_limit.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let program = match selvedge_frontend::compile(&sources, promotion, deadline) {
        Ok(compiled) => {
            eprint!("{}", compiled.warnings);
            compiled.program
        }
        Err(error) => return compile_error(&error),
    };
    render::warn(&program);
    if options.emit == Some(Emit::Ir) {
        output::print(&program.to_string());
        return ExitCode::SUCCESS;
    }
    let image = match Image::new(&program) {
        Ok(image) => image,
        Err(error) => return load_error(&error),
    };
    if options.emit == Some(Emit::Code) {
        output::print(&image.listing());
        return ExitCode::SUCCESS;
    }
    let name = options.files.first().map(|file| file.as_os_str().as_bytes().to_vec()).unwrap_or_default();
    let args = options.args.iter().map(|arg| arg.as_bytes().to_vec());
    let config = Config {
        initialisation: if uninitialised { Initialisation::Tracked } else { Initialisation::Ignored },
        leaks: options.check.contains(&ExtraCheck::Leak),
        max_depth: options.max_depth,
        fuel: FUEL,
        output: Output::Direct,
        spurious_wakeups: 0,
        nondet: 0..=1,
        args: [name].into_iter().chain(args).collect(),
        ..Config::default()
    };
    let mut machine = match Machine::new(&image, config) {
        Ok(machine) => machine,
        Err(error) => return load_error(&error),
    };
    let end = execute(&mut machine, deadline);
    report(&program, &machine, &end, options)
}

/// Says why a program cannot be compiled.
pub fn compile_error(error: &selvedge_frontend::Error) -> ExitCode {
    if let selvedge_frontend::Error::CompileFailed { diagnostics, .. } = error {
        eprint!("{diagnostics}");
    }
    eprintln!("error: {error}");
    ExitCode::from(match error {
        selvedge_frontend::Error::TimeLimit => exit_code::LIMIT,
        error if error.is_internal() => exit_code::INTERNAL,
        _ => exit_code::BAD_INPUT,
    })
}

/// Says why a program cannot be loaded.
pub fn load_error(error: &LoadError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(match error {
        LoadError::Malformed(_) => exit_code::INTERNAL,
        _ => exit_code::BAD_INPUT,
    })
}

/// How an execution ended.
enum End {
    /// By itself.
    Exited,
    /// Something is wrong, or cannot be done.
    Stopped(Stop),
    /// No thread can go on.
    Deadlock(Vec<ThreadId>),
    /// Too late.
    TimeLimit,
}

fn execute(machine: &mut Machine<'_>, deadline: Option<Instant>) -> End {
    let mut current = ThreadId::MAIN;
    let mut turn = 0u64;
    let mut stop = machine.run(current);
    loop {
        match stop {
            Stop::Exited => return End::Exited,
            Stop::Fault(_) | Stop::Allowed { .. } | Stop::Unsupported(_) | Stop::Discarded => {
                return End::Stopped(stop);
            }
            Stop::OutOfFuel => {
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return End::TimeLimit;
                }
                stop = machine.run(current);
                continue;
            }
            Stop::Visible | Stop::Finished => {}
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return End::TimeLimit;
        }
        // A thread that waits in a loop for another must not keep it from running.
        turn += 1;
        let yields = machine.pending(current) == Some(Operation::Yield) || turn.is_multiple_of(LONG_TURN);
        let next = match yields || !machine.is_enabled(current) {
            true => next_enabled(machine, current),
            false => Some(current),
        };
        match next {
            Some(thread) => {
                current = thread;
                // A thread that was just created has not reached its first visible operation yet.
                stop = match machine.pending(thread) {
                    Some(_) => machine.perform(thread, 0),
                    None => machine.run(thread),
                };
            }
            None => {
                let waiting: Vec<ThreadId> =
                    machine.threads().filter(|thread| machine.pending(*thread).is_some()).collect();
                // All threads have ended after the main thread left with `pthread_exit`.
                return if waiting.is_empty() { End::Exited } else { End::Deadlock(waiting) };
            }
        }
    }
}

/// The next thread after `current`, in order of creation, that can go on.
fn next_enabled(machine: &Machine<'_>, current: ThreadId) -> Option<ThreadId> {
    let threads: Vec<ThreadId> = machine.threads().collect();
    let start = threads.iter().position(|thread| *thread == current).map_or(0, |at| at + 1);
    let order = (0..threads.len()).map(|k| threads[(start + k) % threads.len()]);
    order.into_iter().find(|thread| machine.is_enabled(*thread) || machine.can_run(*thread))
}

fn report(program: &Program, machine: &Machine<'_>, end: &End, options: &RunOptions) -> ExitCode {
    let threads = machine.threads().count();
    match end {
        End::Exited if options.report_exit => ExitCode::SUCCESS,
        End::Exited => ExitCode::from(machine.exit_status().unwrap_or(0) as u8),
        End::Stopped(Stop::Fault(fault)) => {
            eprint!("{}", render::fault(program, fault, threads));
            ExitCode::from(exit_code::VIOLATION)
        }
        End::Stopped(Stop::Unsupported(reached)) => {
            eprint!("{}", render::unsupported(program, reached));
            ExitCode::from(exit_code::BAD_INPUT)
        }
        End::Deadlock(waiting) => {
            eprintln!("error[{}]: no thread can go on", FaultKind::Deadlock);
            for thread in waiting {
                let place = machine.stack(*thread).into_iter().find(|entry| !entry.library);
                let place = place.map(|entry| program.source.describe(entry.span).to_string());
                eprintln!("  thread {thread} waits at {}", place.unwrap_or_default());
            }
            ExitCode::from(exit_code::VIOLATION)
        }
        End::TimeLimit => {
            let seconds = options.time_limit.unwrap_or_default();
            eprintln!("error[time-limit]: the program was still running after {seconds} s");
            ExitCode::from(exit_code::LIMIT)
        }
        End::Stopped(Stop::Discarded) => {
            eprintln!("error[assume]: an assumption of the program does not hold in this execution");
            ExitCode::from(exit_code::LIMIT)
        }
        End::Stopped(_) => ExitCode::from(exit_code::INTERNAL),
    }
}
