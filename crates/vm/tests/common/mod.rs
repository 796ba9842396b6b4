//! What the tests of the machine share: programs from C, schedules from seeds.

#![allow(dead_code, reason = "each test uses its part")]

use selvedge_frontend::{Promotion, Sources, compile};
use selvedge_program::Program;
pub use selvedge_testing::Random;
use selvedge_vm::{Config, Image, Machine, Stop, ThreadId};

/// Compiles a C file of that text.
#[track_caller]
pub fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.c");
    std::fs::write(&file, source).expect("a writable file");
    let sources = Sources { files: vec![file], flags: Vec::new() };
    compile(&sources, Promotion::On, None).unwrap_or_else(|error| panic!("{error}")).program
}

/// A machine before its first step.
#[track_caller]
pub fn machine<'i>(image: &'i Image<'i>, config: &Config) -> Machine<'i> {
    Machine::new(image, config.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// A step: a thread, and which of the alternatives of its operation.
pub type Choice = (ThreadId, u32);

/// The steps that are possible now.
pub fn choices(machine: &Machine<'_>) -> Vec<Choice> {
    if machine.exit_status().is_some() {
        return Vec::new();
    }
    let mut choices = Vec::new();
    for thread in machine.threads() {
        if machine.is_enabled(thread) {
            choices.extend((0..machine.choices(thread)).map(|choice| (thread, choice)));
        } else if machine.can_run(thread) {
            choices.push((thread, 0));
        }
    }
    choices
}

/// Makes a step. The programs of these tests do nothing wrong.
#[track_caller]
pub fn step(machine: &mut Machine<'_>, (thread, choice): Choice) -> Stop {
    let stop = match machine.pending(thread) {
        Some(_) => machine.perform(thread, choice),
        None => machine.run(thread),
    };
    match stop {
        Stop::Fault(fault) => panic!("the program is wrong: {fault:?}"),
        Stop::Unsupported(reached) => panic!("unsupported: {reached:?}"),
        stop => stop,
    }
}

/// Runs a program to its end with a schedule that follows from the seed.
#[track_caller]
pub fn run_to_end(machine: &mut Machine<'_>, seed: u64) {
    let mut random = Random::new(seed);
    loop {
        let choices = choices(machine);
        if choices.is_empty() {
            assert_eq!(machine.exit_status(), Some(0), "the program does not end well");
            return;
        }
        step(machine, random.pick(&choices));
    }
}
