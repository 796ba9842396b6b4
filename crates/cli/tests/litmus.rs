//! The litmus tests of the oracle: a violation is found exactly where the memory model allows the outcome.

#![allow(missing_docs)]
#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Folder, excerpt, run, selvedge};
use selvedge_oracle::Model;
use selvedge_oracle::litmus::{Litmus, all};

/// The memory models that are tested. Those that the tool knows; `Model::ALL` are all there are.
const MODELS: &[Model] = &Model::ALL;

/// What is wrong with the verdict, if something is.
fn unlike(test: &Litmus, model: Model) -> Option<String> {
    let folder = Folder::new();
    let file = folder.write("litmus.c", test.print_c().text);
    let mut command = selvedge();
    command.args(["check", "--time-limit", "50", "--schedule", &folder.file("schedule.json")]);
    if model != Model::Sc {
        command.args(["--model", model.name()]);
    }
    let outcome = run(command.arg(&file).args(["--", "-w"]));
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
        // Two at a time.
        let (one, other) = tests.split_at(tests.len() / 2);
        let check =
            |tests: &[Litmus]| tests.iter().filter_map(|test| unlike(test, *model)).collect::<Vec<_>>();
        let problems = std::thread::scope(|scope| {
            let beside = scope.spawn(|| check(other));
            [check(one), beside.join().expect("no panic")].concat()
        });
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
