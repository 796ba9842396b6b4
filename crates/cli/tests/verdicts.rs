//! `selvedge check`: the programs of `tests/programs` say in their first lines what to expect; so do all explorers, with any
//! number of workers.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::{check, check_with, has_graphs, is_as_expected, lasting, unbounded_programs};
use common::{Folder, Program, check_all, programs};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn verdicts_are_as_expected() {
    // Those of `check` that name no explorer, and execution graphs, are run with several numbers of workers below.
    let names_explorer = |program: &Program| program.selvedge.iter().any(|word| word == "--explorer");
    let mut programs = programs("check");
    programs.retain(|program| names_explorer(program) && !has_graphs(program));
    assert!(!programs.is_empty());
    programs.extend(common::programs("fuzz"));
    check_all(&programs, |program| is_as_expected(program, &check(program, &Folder::new(), "json")));
}

/// Whoever explores what, the result is that of one worker, with the same violation and the same trace.
#[test]
fn workers_change_nothing() {
    check_workers(&unbounded_programs(), &["--explorer", "optimal"], &["2", "4"]);
}

#[test]
fn workers_change_nothing_for_graphs() {
    let mut programs = programs("check");
    programs.retain(has_graphs);
    assert!(programs.len() > 150, "{}", programs.len());
    check_workers(&programs, &[], &["3"]);
}

/// If no explorer is named, graphs may be explored in place of steps: the result is the same. Where something is wrong, it is what
/// the program says of itself, told by steps; but another violation may be the first, after another number of executions.
#[test]
fn what_the_tool_chooses_gives_the_same_result_as_steps() {
    let programs = unbounded_programs();
    let (by_graphs, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check_all(&programs, |program| {
        let folder = Folder::new();
        let explore = |options: &[&str]| {
            let outcome = check_with(program, &folder, &[&["--format", "json"], options].concat());
            let (code, _, mut result) = lasting(&outcome);
            let chosen = result["explorer"].take();
            result["steps"].take();
            (code, result, chosen, outcome)
        };
        let (chosen, steps) = (explore(&[]), explore(&["--explorer", "optimal"]));
        let is_by_graphs = chosen.2 == "graph";
        by_graphs.fetch_add(usize::from(is_by_graphs), Ordering::Relaxed);
        if is_by_graphs && chosen.0 == Some(1) && steps.0 == Some(1) {
            wrong.fetch_add(1, Ordering::Relaxed);
            return is_as_expected(&Program { executions: None, ..program.clone() }, &chosen.3);
        }
        match (chosen.0, &chosen.1) == (steps.0, &steps.1) {
            true => Ok(()),
            false => Err(format!("{}: {}\nsteps: {}", chosen.2, chosen.1, steps.1)),
        }
    });
    let (by_graphs, wrong) = (by_graphs.into_inner(), wrong.into_inner());
    assert!(by_graphs > 180 && by_graphs < programs.len(), "{by_graphs} of {}", programs.len());
    assert!(wrong > 80 && wrong < by_graphs, "{wrong} of {by_graphs}");
}

/// One worker gives what the programs say of themselves, and these numbers of workers the same result.
#[track_caller]
fn check_workers(programs: &[Program], options: &[&str], numbers: &[&str]) {
    check_all(programs, |program| {
        let folder = Folder::new();
        let explore = |workers| {
            check_with(program, &folder, &[&["--format", "json", "--workers", workers], options].concat())
        };
        let alone = explore("1");
        is_as_expected(program, &alone)?;
        let counts = &lasting(&alone).2;
        if counts["executions"] == 1 && counts["blocked"] == 0 {
            // There is nothing that others could do.
            return Ok(());
        }
        for workers in numbers {
            let together = explore(workers);
            if lasting(&together) != lasting(&alone) {
                return Err(format!("{workers} workers: {}\none: {}", together.stdout, alone.stdout));
            }
        }
        Ok(())
    });
}

/// Partial-order reduction changes how many executions there are, not what is wrong with them.
#[test]
fn reductions_give_the_same_verdicts() {
    let programs: Vec<Program> =
        unbounded_programs().into_iter().map(|program| Program { executions: None, ..program }).collect();
    for explorer in ["source", "classic"] {
        check_all(&programs, |program| {
            let options = ["--format", "json", "--explorer", explorer];
            is_as_expected(program, &check_with(program, &Folder::new(), &options))
                .map_err(|problem| format!("{explorer}: {problem}"))
        });
    }
}

/// So do views, but for data races.
#[test]
fn views_give_the_same_verdicts() {
    give_the_same_verdicts("vieq", &[], &["--robust"]);
}

/// So do those that a solver derives.
#[test]
fn causality_gives_the_same_verdicts() {
    give_the_same_verdicts("se-mcr", &[], &["--robust"]);
    give_the_same_verdicts("se-mcr", &["--patience", "0"], &["--robust"]);
    give_the_same_verdicts("mcr", &[], &["--robust"]);
}

/// Whether an explorer of views, with some options, gives the same verdicts on programs without some others.
fn give_the_same_verdicts(explorer: &str, options: &[&str], others: &[&str]) {
    let knows = |program: &Program| {
        let expects_race = program.expect.as_deref().is_some_and(|expect| expect.contains("data-race"));
        !expects_race && !program.selvedge.iter().any(|word| others.contains(&word.as_str()))
    };
    let mut programs = unbounded_programs();
    programs.retain(knows);
    assert!(programs.len() > 100, "{}", programs.len());
    check_all(&programs, |program| {
        let program = Program { executions: None, ..program.clone() };
        let options = [&["--format", "json", "--explorer", explorer], options].concat();
        is_as_expected(&program, &check_with(&program, &Folder::new(), &options))
    });
}

/// So do execution graphs, of what they have.
#[test]
fn graphs_give_the_same_verdicts() {
    let knows = |program: &Program| {
        let without = ["pso", "--robust"];
        // Graphs take no loop that stores for a waiting loop: these have no end there.
        let endless = ["vieq_wait_store"];
        !program.selvedge.iter().any(|word| without.contains(&word.as_str()))
            && !endless.iter().any(|name| program.name.starts_with(name))
    };
    let mut programs = unbounded_programs();
    programs.retain(knows);
    let supported = AtomicUsize::new(0);
    check_all(&programs, |program| {
        let program = Program { executions: None, ..program.clone() };
        let outcome = check_with(&program, &Folder::new(), &["--format", "json", "--explorer", "graph"]);
        if outcome.code == Some(2) && outcome.stderr.contains(" under the model ") {
            return Ok(());
        }
        supported.fetch_add(1, Ordering::Relaxed);
        is_as_expected(&program, &outcome)
    });
    let supported = supported.into_inner();
    // Atomic sections are not.
    assert!(5 * supported > 4 * programs.len(), "{supported} of {}", programs.len());
}
