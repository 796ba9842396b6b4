//! Where the compiler's code does not do what C says, all commands say so.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Finished, Folder, run, selvedge};
use serde_json::Value;

const PROGRAM: &str = "tests/programs/check/miscompiled_pointer_increment.c";

fn command(folder: &Folder, args: &[&str]) -> Finished {
    run(selvedge().current_dir(common::check::root()).args(args).env("HOME", folder.path()))
}

#[track_caller]
fn warns(outcome: &Finished) {
    let place = format!("--> {PROGRAM}:21:17");
    for part in [
        "warning[miscompiled]",
        "`next`",
        &place,
        "= C: ",
        "= clang 22: ",
        "= write instead: `atomic_fetch_add(",
    ] {
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.matches("warning").count(), 1, "{}", outcome.stderr);
}

#[test]
fn every_command_warns() {
    let folder = Folder::new();
    let schedule = folder.file("schedule.json");
    let checked = command(&folder, &["check", "--schedule", &schedule, PROGRAM]);
    assert_eq!(checked.code, Some(1), "{}", checked.stderr);
    warns(&checked);
    // And the report says that it takes part.
    assert!(checked.stdout.contains("= part of this execution: the compiler gives"), "{}", checked.stdout);
    let replayed = command(&folder, &["replay", &schedule]);
    warns(&replayed);
    assert!(replayed.stdout.contains("= part of this execution: the compiler gives"), "{}", replayed.stdout);
    warns(&command(&folder, &["run", PROGRAM]));
}

#[test]
fn the_result_for_programs_has_the_warnings() {
    let folder = Folder::new();
    let schedule = folder.file("schedule.json");
    let outcome = command(&folder, &["check", "--format", "json", "--schedule", &schedule, PROGRAM]);
    let result: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let warnings = result["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1);
    assert_eq!((&warnings[0]["kind"], &warnings[0]["location"]["line"]), (&"miscompiled".into(), &21.into()));
    let notes = result["violations"][0]["notes"].to_string();
    assert!(notes.contains("part of this execution"), "{notes}");
}

/// What is right is not commented on.
#[test]
fn other_programs_have_no_warnings() {
    let folder = Folder::new();
    let schedule = folder.file("schedule.json");
    let args = ["check", "--format", "json", "--schedule", &schedule, PROGRAM, "--", "-DFETCH"];
    let outcome = command(&folder, &args);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let result: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(result.get("warnings"), None);
}
