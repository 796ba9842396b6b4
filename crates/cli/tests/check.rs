//! `selvedge check`: the programs of `tests/programs/check` say in their first lines what to expect, the
//! reports of some are kept as snapshots, and schedules replay.
//!
//! `SELVEDGE_BLESS=1 cargo test --release --test check` writes the snapshots anew.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Folder, Outcome, Program, check_all, excerpt, programs, run, selvedge};
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace")
}

fn check(program: &Program, folder: &Folder, format: &str) -> Outcome {
    let schedule = folder.file("schedule.json");
    let mut command = selvedge();
    command.args(["check", "--time-limit", "50", "--format", format, "--schedule", &schedule]);
    run(command.args(&program.selvedge).arg(&program.path).args(["--", "-w"]).args(&program.flags))
}

#[test]
fn verdicts_are_as_expected() {
    let mut programs = programs("check");
    programs.extend(common::programs("fuzz"));
    assert!(programs.len() >= 100, "only {} programs were found", programs.len());
    check_all(&programs, |program| {
        let expected = program.expect.as_deref().ok_or("it says nothing of what to expect")?;
        let outcome = check(program, &Folder::new(), "json");
        let problem = unlike(expected, program.executions, &outcome);
        problem.map_or(Ok(()), |problem| {
            Err(format!("{problem}\n{}\n{}", excerpt(&outcome.stdout), excerpt(&outcome.stderr)))
        })
    });
}

/// Partial-order reduction changes how many executions there are, not what is wrong with them.
#[test]
fn source_sets_give_the_same_verdicts() {
    let mut programs = programs("check");
    programs.extend(common::programs("fuzz"));
    for program in &mut programs {
        if let Some(at) = program.selvedge.iter().position(|word| word == "--explorer") {
            program.selvedge.drain(at..at + 2);
        }
        program.selvedge.extend(["--explorer", "source"].map(str::to_owned));
    }
    check_all(&programs, |program| {
        let expected = program.expect.as_deref().ok_or("it says nothing of what to expect")?;
        let outcome = check(program, &Folder::new(), "json");
        let problem = unlike(expected, None, &outcome);
        problem.map_or(Ok(()), |problem| {
            Err(format!("{problem}\n{}\n{}", excerpt(&outcome.stdout), excerpt(&outcome.stderr)))
        })
    });
}

/// Programs whose number of classes of executions is known: reduction explores each exactly once (what it
/// begins in vain is counted apart).
#[test]
fn source_sets_explore_the_known_number_of_classes() {
    let known = [
        ("readers", 5, 32),
        ("readers", 9, 512),
        ("lastzero", 4, 28),
        ("lastzero", 7, 320),
        ("fib_bench", 2, 140),
        ("fib_bench", 4, 19_605),
        ("toy", 3, 1_680),
    ];
    for (name, size, classes) in known {
        let path = root().join("bench/programs").join(format!("{name}.c"));
        let mut command = selvedge();
        command.args(["check", "--explorer", "source", "--format", "json"]).arg(path);
        let outcome = run(command.args(["--", &format!("-DN={size}"), &format!("-DOPS={size}")]));
        let result: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("a result");
        assert_eq!(result["verdict"], "verified", "{name}({size})");
        assert_eq!(result["executions"], classes, "{name}({size})");
    }
}

fn unlike(expected: &str, executions: Option<u64>, outcome: &Outcome) -> Option<String> {
    let (kind, lines) = match expected.split_once(" line ") {
        Some((kind, lines)) => (kind, lines.split('|').map(str::trim).collect::<Vec<_>>()),
        None => (expected, Vec::new()),
    };
    let code = match kind {
        "verified" => 0,
        "bounded" | "incomplete" => 3,
        "unsupported" => 2,
        _ => 1,
    };
    if outcome.code != Some(code) {
        return Some(format!("exit code {:?}, expected {code} ({expected})", outcome.code));
    }
    if kind == "unsupported" {
        let place = outcome.stderr.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
        let right =
            lines.iter().any(|line| place.is_some_and(|place| place.contains(&format!(".c:{line}:"))));
        return (!right && !lines.is_empty()).then(|| format!("the place is {place:?}, expected {expected}"));
    }
    let result: serde_json::Value = match serde_json::from_str(&outcome.stdout) {
        Ok(result) => result,
        Err(error) => return Some(format!("the result is not JSON: {error}")),
    };
    if let Some(count) = executions
        && result["executions"] != count
    {
        return Some(format!("{} executions, expected {count}", result["executions"]));
    }
    let verdict = if code == 1 { "violation" } else { kind };
    if result["verdict"] != verdict {
        return Some(format!("verdict {}, expected {verdict}", result["verdict"]));
    }
    if code != 1 {
        return None;
    }
    let violation = &result["violations"][0];
    if violation["kind"] != kind {
        return Some(format!("{}, expected {kind}", violation["kind"]));
    }
    // A race or a deadlock has several places.
    let mut places = vec![&violation["location"]];
    places.extend(violation["notes"].as_array().into_iter().flatten().map(|note| &note["location"]));
    let at =
        |line: &&str| places.iter().any(|place| Some(place["line"].as_u64()) == line.parse().ok().map(Some));
    (!lines.iter().any(at)).then(|| format!("{}, expected {expected}", violation["location"]))
}

#[test]
fn examples_do_what_the_documentation_says() {
    let expected = [
        ("peterson", 0, "verified"),
        ("spinlock", 0, "verified"),
        ("lost_update", 1, "error[assertion]"),
        ("deadlock", 1, "error[deadlock]"),
        ("bounded_buffer_if", 1, "error[assertion]"),
        ("hidden_race", 1, "error[data-race]"),
    ];
    for (name, code, text) in expected {
        let folder = Folder::new();
        let outcome = run(selvedge()
            .current_dir(folder.path())
            .arg("check")
            .arg(root().join("examples").join(format!("{name}.c"))));
        assert_eq!(outcome.code, Some(code), "{name}: {}\n{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stdout.contains(text), "{name}: {}", outcome.stdout);
    }
}

/// Replaces what differs from run to run.
fn stable(report: &str) -> String {
    let mut lines = Vec::new();
    for line in report.lines() {
        let line = match (line.find(" steps, "), line.find(" s (model")) {
            (Some(start), Some(end)) => format!("{} steps, T{}", &line[..start], &line[end..]),
            _ => line.to_owned(),
        };
        lines.push(match line.strip_prefix("replay: ") {
            Some(_) => "replay: selvedge replay SCHEDULE".to_owned(),
            None => line,
        });
    }
    lines.join("\n") + "\n"
}

#[test]
fn reports_are_as_blessed() {
    let folder = root().join("tests/snapshots");
    let mut snapshots: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    snapshots.sort();
    assert!(snapshots.len() >= 12, "only {} snapshots", snapshots.len());
    for snapshot in snapshots {
        let name = snapshot.file_stem().unwrap().to_string_lossy().into_owned();
        let program = programs("check").into_iter().find(|program| program.name == name);
        let program = program.unwrap_or_else(|| panic!("there is no program for the snapshot {name}"));
        let scratch = Folder::new();
        let mut command = selvedge();
        command.current_dir(root()).args(["check", "--schedule", &scratch.file("s.json")]);
        let path = format!("tests/programs/check/{name}.c");
        let outcome = run(command.args(&program.selvedge).arg(path).args(["--", "-w"]).args(&program.flags));
        let report = stable(&outcome.stdout);
        if std::env::var_os("SELVEDGE_BLESS").is_some() {
            std::fs::write(&snapshot, report).unwrap();
        } else {
            let blessed = std::fs::read_to_string(&snapshot).unwrap();
            assert_eq!(report, blessed, "the report of {name} has changed; SELVEDGE_BLESS=1 accepts it");
        }
    }
}

const LOST_UPDATE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *inc(void *a) { int t = atomic_load(&x); atomic_store(&x, t + 1); return a; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
"#;

#[test]
fn a_schedule_replays_the_same_bytes_every_time() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let checked = run(selvedge().current_dir(folder.path()).args(["check", &file]));
    assert_eq!(checked.code, Some(1), "{}", checked.stderr);
    let schedule = folder.file(".selvedge/lost-assertion-13.json");
    assert!(checked.stdout.contains("replay: selvedge replay .selvedge/lost-assertion-13.json"));
    let first = run(selvedge().current_dir(folder.path()).args(["replay", &schedule]));
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    let story = first.stdout.split("\nreplay: ").next().unwrap();
    assert!(checked.stdout.starts_with(story), "{}\n{}", checked.stdout, first.stdout);
    for _ in 0..10 {
        let again = run(selvedge().current_dir(folder.path()).args(["replay", &schedule]));
        assert_eq!(again, first);
    }
}

#[test]
fn a_schedule_that_does_not_fit_is_refused() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let schedule = folder.file("s.json");
    run(selvedge().args(["check", &file, "--schedule", &schedule]));
    let text = std::fs::read_to_string(&schedule).unwrap();
    let refused = |text: &str, why: &str| {
        std::fs::write(&schedule, text).unwrap();
        run(selvedge().args(["replay", &schedule])).fails_with(2, &[why]);
    };
    refused("", "not a schedule");
    refused("[1, 2]", "not a schedule");
    refused(&text[..text.len() / 2], "not a schedule");
    refused(&text.replace("\"version\": 1", "\"version\": 2"), "version 2");
    refused(&text.replace("\"sc\"", "\"tso\""), "`tso`");
    refused(&text.replace("--nondet", "--nonsense"), "options are wrong");
    refused(&text.replacen("\"1\"", "\"9\"", 1), "does not follow the schedule at step");
    refused(&text.replacen("\"1\"", "\"x\"", 1), "is `x`, which is not a thread");
    std::fs::write(&schedule, &text).unwrap();
    std::fs::write(&file, LOST_UPDATE.replace("== 2", "== 3")).unwrap();
    run(selvedge().args(["replay", &schedule])).fails_with(2, &["has changed since"]);
    std::fs::remove_file(&file).unwrap();
    run(selvedge().args(["replay", &schedule])).fails_with(2, &["cannot be read"]);
    run(selvedge().args(["replay", &folder.file("none.json")])).fails_with(2, &["cannot be read"]);
}

#[test]
fn an_unwritable_schedule_is_a_warning() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let place = folder.write("a_file", "") + "/below.json";
    let outcome = run(selvedge().args(["check", &file, "--schedule", &place]));
    outcome.fails_with(1, &["warning: the schedule cannot be written to"]);
    assert!(outcome.stdout.contains("error[assertion]"));
}

#[test]
fn limits_are_said() {
    let folder = Folder::new();
    let file = folder.write("fine.c", LOST_UPDATE.replace("assert(x == 2);", ""));
    let verdict = |options: &[&str], code: i32, texts: &[&str]| {
        let outcome = run(selvedge().arg("check").args(options).arg(&file));
        assert_eq!(outcome.code, Some(code), "{options:?}: {}{}", outcome.stdout, outcome.stderr);
        for text in texts {
            assert!(outcome.stdout.contains(text), "`{text}` is missing from {}", outcome.stdout);
        }
    };
    verdict(&[], 0, &["verified: "]);
    verdict(&["--max-executions", "3"], 3, &["incomplete: 3 executions", "not a proof", "--max-executions"]);
    verdict(&["--max-steps", "4"], 3, &["bounded: ", "not a proof", "after 4 steps"]);
    verdict(&["--explorer", "random", "--max-executions", "7"], 3, &["7 executions", "sampled"]);
    verdict(&["--explorer", "pct"], 3, &["1000 executions", "sampled"]);
    verdict(&["--explorer", "context", "--preemptions", "0"], 3, &["bounded: ", "0 preemptions"]);
    verdict(&["--explorer", "context", "--preemptions", "9"], 0, &["verified: "]);
}

#[test]
fn every_explorer_finds_the_lost_update() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    for explorer in ["exhaustive", "source", "context", "random", "pct"] {
        let outcome =
            run(selvedge().current_dir(folder.path()).args(["check", &file, "--explorer", explorer]));
        assert_eq!(outcome.code, Some(1), "{explorer}: {}", outcome.stdout);
    }
}

#[test]
fn bad_options_are_refused() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let refused = |options: &[&str], text: &str| {
        run(selvedge().arg("check").args(options).arg(&file)).fails_with(2, &[text]);
    };
    refused(&["--explorer", "magic"], "magic");
    refused(&["--allow", "everything"], "data-race");
    refused(&["--nondet", "3..1"], "LOW <= HIGH");
    refused(&["--nondet", "x"], "LOW..HIGH");
    refused(&["--unroll", "0"], "--unroll");
    refused(&["--max-executions", "0"], "--max-executions");
    refused(&["--time-limit", "-1"], "positive");
    run(selvedge().args(["check", "no_such_file.c"])).fails_with(2, &["no_such_file.c", "cannot read"]);
    run(selvedge().args(["check"])).fails_with(2, &["FILE"]);
    for topic in ["properties", "models", "explorers"] {
        assert_eq!(run(selvedge().args(["help", topic])).code, Some(0));
    }
}

#[test]
fn an_interrupt_gives_a_verdict() {
    let folder = Folder::new();
    let source = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
        static void *f(void *a) { for (int i = 0; i < 30; i++) x++; return a; }\n\
        int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0); \
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }\n";
    let file = folder.write("long.c", source);
    let script = format!(
        "{} check {file} & pid=$!; sleep 1; kill -INT $pid; wait $pid",
        env!("CARGO_BIN_EXE_selvedge")
    );
    // A shell makes background commands ignore the signal unless job control is on.
    let outcome = run(std::process::Command::new("bash").args(["-m", "-c", &script]));
    assert_eq!(outcome.code, Some(3), "{}{}", outcome.stdout, outcome.stderr);
    assert!(
        outcome.stdout.contains("incomplete: ") && outcome.stdout.contains("interrupted"),
        "{}",
        outcome.stdout
    );
}

/// A small generator of numbers, the same on every machine.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound.max(1)
    }
}

/// Only the documented exit codes, and nothing that smells of a bug of the tool.
fn is_civil(outcome: &Outcome, what: &str) {
    assert!(matches!(outcome.code, Some(0..=3)), "{what}: {:?}\n{}", outcome.code, outcome.stderr);
    outcome.is_no_panic();
}

#[test]
fn damaged_schedules_are_refused_or_followed() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let schedule = folder.file("s.json");
    run(selvedge().args(["check", &file, "--schedule", &schedule]));
    let original = std::fs::read(&schedule).unwrap();
    let mut below = numbers(7);
    for round in 0..80 {
        let mut bytes = original.clone();
        for _ in 0..=below(3) {
            let (at, with) = (below(bytes.len()), below(bytes.len()));
            match below(5) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.drain(at.min(with)..at.max(with))),
                2 => bytes.swap(at, with),
                3 => bytes.insert(at, b"0123456789,:\"[]{}.-"[below(19)]),
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        std::fs::write(&schedule, &bytes).unwrap();
        let outcome = run(selvedge().args(["replay", &schedule]));
        is_civil(&outcome, &format!("round {round}: {}", String::from_utf8_lossy(&bytes)));
    }
}

#[test]
fn odd_flags_are_refused_or_work() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    let words = [
        "--explorer",
        "random",
        "pct",
        "context",
        "exhaustive",
        "--max-executions",
        "--max-steps",
        "--unroll",
        "--seed",
        "--depth",
        "--preemptions",
        "--allow",
        "data-race,abort",
        "--keep-going",
        "--nondet",
        "0..3",
        "-3..-1",
        "--spurious-wakeups",
        "--check",
        "leak",
        "uninitialised",
        "--format",
        "json",
        "0",
        "1",
        "5",
        "-1",
        "18446744073709551616",
        "",
        "--full-trace",
        "--",
        "-O3",
        "-std=c99",
        "-DX",
        "-Wall",
        "-nonsense",
    ];
    let mut below = numbers(11);
    for _ in 0..80 {
        let chosen: Vec<&str> = (0..below(6)).map(|_| words[below(words.len())]).collect();
        let mut command = selvedge();
        command.current_dir(folder.path()).args(["check", "--time-limit", "10", &file]).args(&chosen);
        is_civil(&run(&mut command), &format!("{chosen:?}"));
    }
}

#[test]
fn keep_going_collects_distinct_violations() {
    let folder = Folder::new();
    let source = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
        static void *f(void *a) {\n  assert(x != 1);\n  assert(x != 2);\n  return a;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x = 1;\n  x = 2;\n\
        pthread_join(t, 0);\n}\n";
    let file = folder.write("two.c", source);
    let check = |options: &[&str]| {
        let outcome = run(selvedge()
            .current_dir(folder.path())
            .args(["check", &file, "--format", "json"])
            .args(options));
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let lines: Vec<u64> = result["violations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|violation| violation["location"]["line"].as_u64().unwrap())
            .collect();
        lines
    };
    assert_eq!(check(&[]).len(), 1);
    let mut all = check(&["--keep-going"]);
    all.sort_unstable();
    assert_eq!(all, [6, 7]);
}
