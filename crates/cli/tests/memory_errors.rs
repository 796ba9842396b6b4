//! Memory errors are found, of the right kind and at the right line, and correct programs are left alone:
//! the programs of `tests/programs/memory` say in their first line what to expect.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Finished, Program, check_all, excerpt, first_difference, programs};

#[test]
fn every_error_is_found_and_nothing_else() {
    let programs = programs("memory");
    assert!(programs.len() >= 100, "only {} programs were found", programs.len());
    check_all(&programs, as_expected);
}

fn as_expected(program: &Program) -> Result<(), String> {
    let expected = program.expect.as_deref().ok_or("it says nothing of what to expect")?;
    let ours = program.run_with_selvedge();
    let problem = match expected {
        "ok" => unlike_native(program, &ours),
        bad => unlike_expected(program, bad, &ours),
    };
    match problem {
        None => Ok(()),
        Some(problem) => Err(format!("{problem}\n{}", excerpt(&ours.stderr))),
    }
}

/// A correct program: no error, and what the native binary does.
fn unlike_native(program: &Program, ours: &Finished) -> Option<String> {
    if ours.stderr.contains("error") {
        return Some("an error in a correct program".to_owned());
    }
    let native = program.run_natively();
    if ours.code != native.code {
        return Some(format!("exit code {:?}, but natively {:?}", ours.code, native.code));
    }
    first_difference(&native.stdout, &ours.stdout)
}

/// A wrong program: `KIND line N`.
fn unlike_expected(program: &Program, expected: &str, ours: &Finished) -> Option<String> {
    let Some((kind, line)) = expected.split_once(" line ") else {
        return Some(format!("cannot understand `expect: {expected}`"));
    };
    if ours.code != Some(1) {
        return Some(format!("exit code {:?}, expected 1 and {kind} at line {line}", ours.code));
    }
    let head = format!("error[{kind}]: ");
    if !ours.stderr.lines().any(|line| line.starts_with(&head)) {
        return Some(format!("no `{head}…`"));
    }
    let place = ours.stderr.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
    let wanted = format!("/{}.c:{line}:", program.name);
    match place {
        Some(place) if place.contains(&wanted) => None,
        place => Some(format!("the first place is {}, expected line {line}", place.unwrap_or("missing"))),
    }
}
