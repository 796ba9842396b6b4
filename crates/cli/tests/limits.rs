//! `selvedge check`: what limits do to verdicts; programs in which there is nothing to examine.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Finished, Folder, run, selvedge};
use serde_json::Value;

/// Has far too many executions. What one thread reads from another is explored by graphs and by steps in opposite orders, and
/// everything else comes in between: who does not find it at once, does not find it at all.
const TOO_MANY: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y[12];
static int seen;
static void *reads(void *a) { seen = x; return a; }
static void *writes(void *a) { x = 1; return a; }
static void *counts(void *a) { for (int i = 0; i < 12; i++) y[i] = y[i] + 1; return a; }
int main(void) {
  void *(*functions[5])(void *) = { reads, writes, counts, counts, counts };
  pthread_t t[5];
  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, functions[i], 0);
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  assert(seen != WRONG);
}
"#;

fn check(folder: &Folder, source: &str, options: &[&str], flags: &[&str]) -> (Finished, Value) {
    let file = folder.write("program.c", source);
    let mut command = selvedge();
    command.current_dir(folder.path()).args(["check", "--format", "json", "--schedule", "s.json", &file]);
    let outcome = run(command.args(options).arg("--").args(flags));
    let result = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    (outcome, result)
}

/// Graphs find it, steps do not: the violation stands, and replays. If all violations are wanted, steps are explored, and come to
/// the limit.
#[test]
fn what_graphs_have_found_is_not_lost_if_steps_come_to_a_limit() {
    for options in [&["--time-limit", "3"][..], &["--time-limit", "3", "--keep-going"], &[]] {
        graphs_find(options);
    }
}

fn graphs_find(options: &[&str]) {
    let folder = Folder::new();
    let options = [&["--model", "sc"], options].concat();
    let (outcome, result) = check(&folder, TOO_MANY, &options, &["-DWRONG=1"]);
    assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
    assert_eq!((&result["verdict"], &result["explorer"]), (&"violation".into(), &"graph".into()));
    let replayed = run(selvedge().current_dir(folder.path()).args(["replay", "s.json", "--format", "json"]));
    assert_eq!(replayed.code, Some(1), "{}", replayed.stderr);
    let replayed: Value = serde_json::from_str(&replayed.stdout).unwrap();
    assert_eq!(replayed["violations"], result["violations"]);
}

/// Steps find it, graphs with one worker do not: they must not take all the time, whether there is a limit or not. (If graphs have
/// no limit, the result does not depend on the number of workers.)
#[test]
fn graphs_leave_time_for_steps() {
    let limited = &["--model", "sc", "--time-limit", "4", "--workers", "1"];
    for options in [&limited[..], &["--model", "sc", "--workers", "1"], &["--model", "sc", "--workers", "3"]]
    {
        let (outcome, result) = check(&Folder::new(), TOO_MANY, options, &["-DWRONG=0"]);
        assert_eq!(outcome.code, Some(1), "{options:?}: {}{}", outcome.stdout, outcome.stderr);
        assert_eq!(result["explorer"], "optimal", "{options:?}");
    }
}

/// Nobody is so fast, and nobody panics or finds what is not there.
#[test]
fn short_time_limits_are_kept() {
    let mut ways: Vec<Vec<&str>> = Vec::new();
    for model in ["sc", "tso", "pso"] {
        for explorer in [
            "optimal",
            "source",
            "classic",
            "exhaustive",
            "context",
            "random",
            "pct",
            "vieq",
            "mcr",
            "se-mcr",
        ] {
            ways.push(vec!["--model", model, "--explorer", explorer, "--max-executions", "1000000000"]);
        }
    }
    for model in ["sc", "tso", "rc11", "ra"] {
        ways.push(vec!["--model", model, "--explorer", "graph"]);
    }
    ways.extend([vec![], vec!["--robust", "tso"], vec!["--model", "sc", "--preemptions", "9"]]);
    for way in &ways {
        for seconds in ["0.01", "0.1"] {
            let options = [&["--time-limit", seconds], way.as_slice()].concat();
            // (`seen` is never 2. Under --robust nothing else is looked at; the program is not robust, but who knows it by then?)
            let (outcome, result) = check(&Folder::new(), TOO_MANY, &options, &["-DWRONG=2"]);
            outcome.is_no_panic();
            let is_robustness = way.contains(&"--robust") && result["violations"][0]["kind"] == "not-robust";
            assert!(outcome.code == Some(3) || is_robustness, "{options:?}: {}", outcome.stdout);
            if outcome.code == Some(3) && !result.is_null() {
                assert!(
                    ["incomplete", "bounded"].contains(&result["verdict"].as_str().unwrap()),
                    "{options:?}"
                );
            }
        }
    }
}

/// Looking for simpler schedules counts.
#[test]
fn schedules_are_simplified_within_the_time_limit() {
    let cases: String = (0..60).map(|n| format!("  case {n}: assert(x != 1); break;\n")).collect();
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <selvedge.h>\n#include <stdatomic.h>\n\
         static atomic_int x, y[6];\n\
         static void *f(void *a) {{ for (int i = 0; i < 6; i++) y[i]++; x = 1; x = 2; return a; }}\n\
         int main(void) {{\n  pthread_t t[4];\n  int n = selvedge_choose(60);\n\
         for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n  switch (n) {{\n{cases}  }}\n\
         for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n}}\n"
    );
    let options = [
        "--model",
        "sc",
        "--explorer",
        "random",
        "--max-executions",
        "1000000",
        "--keep-going",
        "--time-limit",
        "1",
    ];
    let (outcome, result) = check(&Folder::new(), &source, &options, &[]);
    assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
    assert!(result["violations"].as_array().unwrap().len() > 30);
    assert!(result["time_ms"].as_f64().unwrap() < 5000.0, "{}", result["time_ms"]);
}

const ASSUMES: &str = r#"
#include <pthread.h>
#include <selvedge.h>
static void *f(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  selvedge_assume(selvedge_choose(3) == WANTED);
  pthread_join(t, 0);
}
"#;

#[test]
fn what_is_excluded_by_assumptions_is_told() {
    let folder = Folder::new();
    for explorer in
        ["optimal", "source", "classic", "exhaustive", "context", "vieq", "mcr", "se-mcr", "graph"]
    {
        let options = ["--model", "sc", "--explorer", explorer];
        let (outcome, result) = check(&folder, ASSUMES, &options, &["-DWANTED=3"]);
        assert_eq!(outcome.code, Some(0), "{explorer}: {}", outcome.stderr);
        assert_eq!(
            (&result["verdict"], &result["vacuous"]),
            (&"verified".into(), &true.into()),
            "{explorer}"
        );
        let (_, result) = check(&folder, ASSUMES, &options, &["-DWANTED=2"]);
        assert_eq!(
            (&result["verdict"], &result["vacuous"]),
            (&"verified".into(), &false.into()),
            "{explorer}"
        );
    }
    let text = ["--format", "text"];
    let said = |flags: &[&str]| {
        let file = folder.write("program.c", ASSUMES);
        run(selvedge().arg("check").args(text).arg(&file).arg("--").args(flags)).stdout
    };
    assert!(said(&["-DWANTED=3"]).contains("\n  nothing was examined: the assumptions of the program "));
    assert!(!said(&["-DWANTED=2"]).contains("nothing was examined"));
}

/// A bound that leaves nothing is no proof.
#[test]
fn what_is_excluded_by_bounds_is_bounded() {
    let source = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
                  static void *f(void *a) { x = 1; return a; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (int i = 0; i < 9; i++) x++; }\n";
    for way in [&["--model", "sc"][..], &["--model", "rc11"], &["--model", "sc", "--explorer", "vieq"]] {
        let options = [way, &["--unroll", "2"]].concat();
        let (outcome, result) = check(&Folder::new(), source, &options, &[]);
        assert_eq!(outcome.code, Some(3), "{way:?}: {}", outcome.stderr);
        assert_eq!((&result["verdict"], &result["vacuous"]), (&"bounded".into(), &true.into()), "{way:?}");
    }
}
