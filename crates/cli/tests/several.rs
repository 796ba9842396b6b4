//! `selvedge check --keep-going`: the programs of `tests/programs/several` say in a line `lists:` which violations they have; every
//! explorer that leaves nothing out lists them all, and no others.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::check_with;
use common::{Folder, check_all, programs};
use serde_json::Value;
use std::collections::BTreeSet;

const EXPLORERS: &[&[&str]] = &[
    &[],
    &["--explorer", "exhaustive"],
    &["--explorer", "optimal"],
    &["--explorer", "source"],
    &["--explorer", "classic"],
    &["--explorer", "context", "--preemptions", "1000"],
    &["--explorer", "optimal", "--preemptions", "1000"],
    &["--explorer", "vieq"],
    &["--explorer", "mcr"],
    &["--explorer", "se-mcr"],
    &["--explorer", "se-mcr", "--patience", "0"],
    &["--explorer", "graph"],
];

#[test]
fn every_explorer_lists_every_violation() {
    let programs = programs("several");
    assert!(!programs.is_empty());
    check_all(&programs, |program| {
        let text = std::fs::read_to_string(&program.path).expect("a readable file");
        let expected = text.lines().find_map(|line| line.strip_prefix("// lists: ")).ok_or("no `lists:`")?;
        let expected: BTreeSet<String> = expected.split(", ").map(str::to_owned).collect();
        for explorer in EXPLORERS {
            let options = [&["--format", "json", "--keep-going"], *explorer].concat();
            let outcome = check_with(program, &Folder::new(), &options);
            outcome.is_no_panic();
            let result: Value = serde_json::from_str(&outcome.stdout).map_err(|error| error.to_string())?;
            let violations = result["violations"].as_array().ok_or("no violations")?;
            let listed: BTreeSet<String> = violations
                .iter()
                .map(|found| {
                    format!("{} line {}", found["kind"].as_str().unwrap(), found["location"]["line"])
                })
                .collect();
            if listed != expected {
                return Err(format!("{explorer:?}: {listed:?}"));
            }
        }
        Ok(())
    });
}
