//! Programs do the same as their native binaries: every program of `tests/programs/run` is compiled with
//! the native compiler and run, then run by the tool; output and exit code must be the same.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Program, check_all, excerpt, first_difference, programs};

#[test]
fn programs_do_what_their_native_binaries_do() {
    let programs = programs("run");
    assert!(programs.len() >= 120, "only {} programs were found", programs.len());
    check_all(&programs, same_as_native);
}

fn same_as_native(program: &Program) -> Result<(), String> {
    let native = program.run_natively();
    let ours = program.run_with_selvedge();
    let mut problems = Vec::new();
    if ours.code != native.code {
        problems.push(format!("exit code {:?}, but natively {:?}", ours.code, native.code));
    }
    problems.extend(first_difference(&native.stdout, &ours.stdout));
    if problems.is_empty() {
        return Ok(());
    }
    problems.push(excerpt(&ours.stderr));
    Err(problems.join("\n"))
}
