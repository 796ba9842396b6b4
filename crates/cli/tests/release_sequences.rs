//! `--release-sequences`: it is part of results and of schedules, and a replay has it.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::root;
use common::{Finished, Folder, run, selvedge};
use serde_json::Value;

/// A program of `tests/programs/check`.
fn program(name: &str) -> String {
    root().join("tests/programs/check").join(format!("{name}.c")).display().to_string()
}

fn check(folder: &Folder, program: &str, options: &[&str]) -> Finished {
    let schedule = folder.file("schedule.json");
    let mut command = selvedge();
    command.args(["check", "--format", "json", "--schedule", &schedule]).args(options);
    run(command.arg(program).args(["--", "-w"]))
}

fn json(outcome: &Finished) -> Value {
    serde_json::from_str(&outcome.stdout).expect("a result")
}

#[test]
fn results_say_which() {
    let folder = Folder::new();
    let own = program("release_sequence_own_store");
    for model in ["sc", "tso", "pso", "rc11", "ra"] {
        for (rule, code) in [("c11", 0), ("c20", 1)] {
            let outcome = check(&folder, &own, &["--model", model, "--release-sequences", rule]);
            assert_eq!(outcome.code, Some(code), "{model} {rule}");
            assert_eq!(json(&outcome)["release_sequences"], rule, "{model}");
        }
        let outcome = check(&folder, &own, &["--model", model]);
        assert_eq!(json(&outcome)["release_sequences"], "c20", "{model}");
    }
}

/// A schedule is replayed with the rule that it was found with. If it says nothing of that, with the default.
#[test]
fn schedules_are_replayed_with_the_rule_they_were_found_with() {
    let folder = Folder::new();
    let schedule = folder.file("schedule.json");
    let replay = || run(selvedge().args(["replay", "--format", "json", &schedule]));
    let interrupted = program("release_sequence_interrupted");
    for model in ["sc", "tso", "pso", "rc11", "ra"] {
        let found = check(&folder, &interrupted, &["--model", model, "--release-sequences", "c11"]);
        assert_eq!(found.code, Some(1), "{model}");
        let replayed = replay();
        assert_eq!(replayed.code, Some(1), "{model}");
        assert_eq!(json(&replayed)["release_sequences"], "c11", "{model}");
        let [found, replayed] = [found, replayed].map(|outcome| json(&outcome)["violations"][0].take());
        assert_eq!(found["message"], replayed["message"], "{model}");
        assert_eq!(found["location"], replayed["location"], "{model}");
    }
    let own = program("release_sequence_own_store");
    for model in ["sc", "tso", "rc11"] {
        assert_eq!(check(&folder, &own, &["--model", model]).code, Some(1), "{model}");
        assert_eq!(replay().code, Some(1), "{model}");
        let text = std::fs::read_to_string(&schedule).unwrap();
        assert!(text.contains("--release-sequences=c20"), "{text}");
        // Under the other rule nothing is wrong there.
        std::fs::write(&schedule, text.replace("--release-sequences=c20", "--release-sequences=c11"))
            .unwrap();
        assert_ne!(replay().code, Some(1), "{model}");
        let mut older: Value = serde_json::from_str(&text).unwrap();
        let options = older["options"].as_array_mut().expect("options");
        options.retain(|option| !option.as_str().unwrap().starts_with("--release-sequences"));
        std::fs::write(&schedule, older.to_string()).unwrap();
        assert_eq!(replay().code, Some(1), "{model}");
    }
}

/// Whether there is a way from one node to another.
fn is_reached(edges: &[(&Value, &Value)], from: &Value, to: &Value) -> bool {
    let (mut reached, mut open) = (vec![from], vec![from]);
    while let Some(node) = open.pop() {
        for (_, next) in edges.iter().filter(|(from, _)| *from == node) {
            if !reached.contains(next) {
                reached.push(next);
                open.push(next);
            }
        }
    }
    reached.contains(&to)
}

/// The graph that is written has the happens-before by which the race was told.
#[test]
fn graphs_do_not_order_what_races() {
    let folder = Folder::new();
    let (graphs, interrupted) = (folder.file("graphs.jsonl"), program("release_sequence_interrupted"));
    let options = ["--model", "rc11", "--release-sequences", "c11", "--all-violations", &graphs];
    assert_eq!(check(&folder, &interrupted, &options).code, Some(1));
    let text = std::fs::read_to_string(&graphs).unwrap();
    let mut races = 0;
    for line in text.lines() {
        let graph: Value = serde_json::from_str(line).unwrap();
        let edges: Vec<(&Value, &Value)> =
            graph["hb"].as_array().expect("happens-before").iter().map(|edge| (&edge[0], &edge[1])).collect();
        for violation in graph["violations"].as_array().expect("violations") {
            let nodes = violation["nodes"].as_array().expect("nodes");
            let [one, other] = nodes.as_slice() else { panic!("{violation}") };
            races += 1;
            assert!(!is_reached(&edges, one, other) && !is_reached(&edges, other, one), "{line}");
        }
    }
    assert!(races > 0);
}

/// Prediction does not find every race where atomic operations are weak, and says so.
#[test]
fn prediction_says_that_it_has_not_found_all_races() {
    let folder = Folder::new();
    let by_source = program("race_by_source");
    assert_eq!(check(&folder, &by_source, &["--explorer", "optimal"]).code, Some(1));
    for explorer in ["mcr", "se-mcr"] {
        let outcome = check(&folder, &by_source, &["--explorer", explorer, "--predict"]);
        assert_eq!(json(&outcome)["not_checked"][0], "data-race", "{explorer}");
        let strong = check(&folder, &program("race_counter"), &["--explorer", explorer, "--predict"]);
        assert!(json(&strong)["not_checked"].is_null(), "{explorer}");
    }
}
