//! The litmus tests of the oracle: a violation is found exactly where the memory model allows the outcome. With execution
//! graphs there are also exactly as many executions as consistent graphs.

#![allow(missing_docs)]
#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Folder, excerpt, run, selvedge};
use selvedge_oracle::litmus::{Litmus, all, c11};
use selvedge_oracle::{Model, graphs};
use std::collections::BTreeSet;

/// The memory models that are tested. Those that the tool knows; `Model::ALL` are all there are.
const MODELS: &[Model] = &Model::ALL;

/// Fails with all problems of the tests, which are looked at two at a time.
#[track_caller]
fn check_all<M: Sync>(tests: &[Litmus<M>], check: impl Fn(&Litmus<M>) -> Option<String> + Sync) {
    let (one, other) = tests.split_at(tests.len() / 2);
    let check = |tests: &[Litmus<M>]| tests.iter().filter_map(&check).collect::<Vec<_>>();
    let problems = std::thread::scope(|scope| {
        let beside = scope.spawn(|| check(other));
        [check(one), beside.join().expect("no panic")].concat()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What is wrong with the verdict, if something is.
fn unlike(test: &Litmus, model: Model) -> Option<String> {
    let folder = Folder::new();
    let file = folder.write("litmus.c", test.print_c().text);
    let mut command = selvedge();
    command.args(["check", "--time-limit", "50", "--schedule", &folder.file("schedule.json")]);
    let outcome = run(command.args(["--model", model.name()]).arg(&file).args(["--", "-w"]));
    let expected = i32::from(test.is_allowed(model));
    let assertion = expected == 0 || outcome.stdout.contains("assertion");
    (outcome.code != Some(expected) || !assertion).then(|| {
        let (name, model, code) = (test.name, model.name(), outcome.code);
        format!("{name}, {model}: exit code {code:?}, not {expected}; {}", excerpt(&outcome.stderr))
    })
}

#[test]
fn verdicts_are_those_of_the_literature() {
    let tests = all().expect("a table that can be read");
    for model in MODELS {
        check_all(&tests, |test| unlike(test, *model));
    }
}

/// How the tool calls a model.
fn options(model: graphs::Model) -> Vec<&'static str> {
    match model {
        graphs::Model::Rc11AsPublished => vec!["--model", "rc11", "--release-sequences", "c11"],
        model => vec!["--model", model.name()],
    }
}

/// What is wrong with the verdict or the number of executions, if something is.
fn unlike_graphs(test: &Litmus<graphs::Model>, model: graphs::Model) -> Option<String> {
    let folder = Folder::new();
    let file = folder.write("litmus.c", test.print_c().text);
    let mut command = selvedge();
    command.args(["check", "--time-limit", "50", "--schedule", &folder.file("schedule.json")]);
    command.args(["--format", "json", "--keep-going", "--explorer", "graph"]).args(options(model));
    let outcome = run(command.arg(&file).args(["--", "-w"]));
    let known =
        graphs::enumerate(&test.program, model, 1_000_000).expect("valid").expect("few graphs").graphs();
    let expected = i32::from(test.is_allowed(model));
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    let assertion = expected == 0 || result["violations"][0]["kind"] == "assertion";
    let (executions, blocked) = (&result["executions"], &result["blocked"]);
    let right = outcome.code == Some(expected) && assertion && *executions == known && *blocked == 0;
    (!right).then(|| {
        let (name, model, code) = (test.name, model.name(), outcome.code);
        format!(
            "{name}, {model}: exit code {code:?}, not {expected}; {executions} executions, {blocked} in vain, {known} \
             graphs; {}",
            excerpt(&outcome.stderr)
        )
    })
}

/// The program without what means nothing under a model: orders, and fences.
fn essence(test: &Litmus<graphs::Model>, model: graphs::Model) -> String {
    let (accesses, fences): (&[&str], &[&str]) = match model {
        graphs::Model::Rc11 | graphs::Model::Rc11AsPublished => (&[], &[]),
        graphs::Model::Tso => (&["acquire", "release", "acq_rel"], &["acquire", "release", "acq_rel"]),
        graphs::Model::ReleaseAcquire => (&["acquire", "release", "acq_rel", "seq_cst"], &[]),
        graphs::Model::Sc => {
            (&["acquire", "release", "acq_rel", "seq_cst"], &["acquire", "release", "acq_rel", "seq_cst"])
        }
    };
    let mut essence = String::new();
    for line in test.print_c().text.lines() {
        let has = |order: &&str| line.contains(&format!("memory_order_{order}"));
        match line.contains("atomic_thread_fence") {
            true if fences.iter().any(has) => {}
            true => essence += line,
            false => {
                essence += &accesses.iter().fold(line.to_owned(), |line, order| {
                    line.replace(&format!("memory_order_{order}"), "memory_order_relaxed")
                });
            }
        }
    }
    essence
}

#[test]
fn execution_graphs_are_those_of_the_literature() {
    for model in graphs::Model::ALL {
        let mut tests = c11().expect("a table that can be read");
        assert!(tests.len() > 150, "{}", tests.len());
        let mut seen = BTreeSet::new();
        tests.retain(|test| seen.insert(essence(test, model)));
        check_all(&tests, |test| unlike_graphs(test, model));
    }
}
