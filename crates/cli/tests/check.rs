//! `selvedge check`: reports, of which some are kept as snapshots; schedules, which replay; options and limits.
//!
//! `SELVEDGE_BLESS=1 cargo test --release --test check` writes the snapshots anew.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::{bench, example, model, root};
use common::{Finished, Folder, Program, programs, run, selvedge};
use std::path::{Path, PathBuf};

/// Who has no time for waiting loops is told what to try.
#[test]
fn graphs_are_recommended_where_threads_wait_in_loops() {
    let explore = |options: &[&str], flags: &[&str]| {
        let mut command = selvedge();
        command.args(["check", "--model", "sc", "--time-limit", "1"]).args(options);
        run(command.arg(root().join("bench/programs/peterson.c")).arg("--").args(flags)).stdout
    };
    let long = ["-DR=6"];
    let advice = "--explorer graph";
    assert!(explore(&[], &long).contains(advice));
    // It was chosen.
    assert!(!explore(&["--explorer", "optimal"], &long).contains(advice));
    // There are no loops.
    assert!(!explore(&[], &["-DR=6", "-DLOOKS=1"]).contains(advice));
    // It has been done.
    assert!(!explore(&[], &["-DR=1"]).contains(advice));
}

#[test]
fn a_deadlock_names_everybody() {
    let (outcome, result) = bench("philosophers", "N=3", &[]);
    assert_eq!(outcome.code, Some(1));
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "deadlock");
    let notes: Vec<&str> =
        violation["notes"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap()).collect();
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert!(notes[0].starts_with("thread 0 waits here for the end of thread "), "{notes:?}");
    for (thread, (fork, holder)) in [(1, (1, 2)), (2, (2, 3)), (3, (0, 1))] {
        let text = format!("thread {thread} waits here for `forks[{fork}]`, which thread {holder} holds");
        assert!(notes[thread].starts_with(&text), "{notes:?}");
    }
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
        ("store_buffering", 1, "error[assertion]"),
        ("message_passing", 1, "error[assertion]"),
        ("mp_relaxed", 1, "error[assertion]"),
        ("mp_release_acquire", 0, "verified"),
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
        // `NAME-tso` is `NAME --model tso`.
        let of = |program: &Program| program.name.replace(" --model ", "-") == name;
        let program = programs("check").into_iter().find(of);
        let program = program.unwrap_or_else(|| panic!("there is no program for the snapshot {name}"));
        let scratch = Folder::new();
        let mut command = selvedge();
        command.current_dir(root()).args(["check", "--schedule", &scratch.file("s.json")]);
        let path = Path::new("tests/programs/check").join(program.path.file_name().unwrap());
        command.args(model(&program)).args(&program.selvedge).arg(path).args(["--", "-w"]);
        let outcome = run(command.args(&program.flags));
        let report = stable(&outcome.stdout);
        if std::env::var_os("SELVEDGE_BLESS").is_some() {
            std::fs::write(&snapshot, report).unwrap();
        } else {
            let blessed = std::fs::read_to_string(&snapshot).unwrap();
            assert_eq!(report, blessed, "the report of {name} has changed; SELVEDGE_BLESS=1 accepts it");
        }
    }
}

/// `#line` renumbers what follows: the line that is shown is that which the compiler means, or none.
#[test]
fn a_renumbered_line_is_not_taken_for_another() {
    let folder = Folder::new();
    let report = |number: &str| {
        let text =
            format!("#include <assert.h>\n// another\nint main(void) {{\n#line {number}\n  assert(0);\n}}\n");
        let file = folder.write("program.c", &text);
        run(selvedge().args(["check", "--schedule", &folder.file("s.json"), &file])).stdout
    };
    let renumbered = report("50");
    assert!(renumbered.contains("program.c:50:3\n   50 |   assert(0);\n"), "{renumbered}");
    // Two lines have that number.
    let doubtful = report("2");
    assert!(doubtful.contains("program.c:2:3\n\n") && !doubtful.contains("another"), "{doubtful}");
}

/// A race on one of several bit-fields is one on all that share its bytes.
#[test]
fn a_race_names_all_bit_fields_that_share_the_bytes() {
    let folder = Folder::new();
    let report = |fields: &str| {
        let text = format!(
            "#include <pthread.h>\nstruct flags {{ {fields} int other; }} flags;\n\
             static void *t(void *a) {{ flags.a = 1; return a; }}\n\
             int main(void) {{ pthread_t t1; pthread_create(&t1, 0, t, 0); flags.b = 2; pthread_join(t1, 0); }}\n"
        );
        let file = folder.write("program.c", &text);
        run(selvedge().args(["check", "--schedule", &folder.file("s.json"), &file])).stdout
    };
    for (fields, names) in [
        ("unsigned a : 3, b : 5;", "{a, b}"),
        ("unsigned a : 8, b : 8, c : 16;", "{a, b, c}"),
        ("int first; unsigned a : 1, b : 30, c : 1;", "{a, b, c}"),
    ] {
        let report = report(fields);
        let message =
            format!("data race on `flags.{names}` (bit-fields that share memory): thread 0 writes it");
        assert!(report.contains(&message), "{fields}: {report}");
        assert!(report.contains(&format!(" flags.{names} = ")), "{fields}: {report}");
    }
    assert!(report("unsigned a : 3; unsigned : 0; unsigned b : 5;").contains("verified"));
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
fn the_memory_model_is_told() {
    let folder = Folder::new();
    for (model, program) in [("sc", "lost_update"), ("tso", "store_buffering"), ("pso", "message_passing")] {
        let schedule = folder.file("schedule.json");
        let check = |options: &[&str]| {
            let mut command = selvedge();
            command.args(["check", "--schedule", &schedule, "--model", model]).args(options);
            run(command.arg(example(program)))
        };
        let text = check(&[]);
        assert_eq!(text.code, Some(1), "{model}: {}", text.stderr);
        let explorer = if model == "sc" { "graph" } else { "optimal" };
        let told = format!("(model {model}, explorer {explorer})");
        assert!(text.stdout.contains(&told), "{}", text.stdout);
        let result: serde_json::Value = serde_json::from_str(&check(&["--format", "json"]).stdout).unwrap();
        assert_eq!(result["model"], model);
        let trace = result["violations"][0]["trace"].as_array().unwrap();
        let arrivals = trace.iter().filter(|entry| entry["arrives"] == true).count();
        assert_eq!(arrivals > 0, model != "sc", "{result:#}");
        let written = std::fs::read_to_string(&schedule).unwrap();
        let written: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(written["model"], model);
        let steps = written["steps"].as_array().unwrap();
        let stores = steps.iter().filter(|step| step.as_str().unwrap().contains('~')).count();
        assert_eq!(stores, arrivals);
    }
}

/// Also those with stores that have not arrived, and of objects that were handed over.
#[test]
fn a_schedule_with_store_buffers_replays_the_same_bytes() {
    let folder = Folder::new();
    let hand_over = folder.write("hand_over.c", HANDED_OVER);
    let store_buffering = example("store_buffering").display().to_string();
    let message_passing = example("message_passing").display().to_string();
    for (options, file) in [
        (&["--model", "tso"][..], &store_buffering),
        (&["--model", "pso"], &message_passing),
        (&["--robust", "tso"], &store_buffering),
        (&["--robust", "pso"], &message_passing),
        (&["--model", "pso", "--check", "leak"], &hand_over),
    ] {
        for format in ["text", "json"] {
            let schedule = folder.file("schedule.json");
            let mut command = selvedge();
            command.args(["check", file, "--format", format, "--schedule", &schedule]).args(options);
            let checked = run(&mut command);
            assert_eq!(checked.code, Some(1), "{options:?}: {}", checked.stderr);
            let replay = || run(selvedge().args(["replay", &schedule, "--format", format]));
            let replayed = replay();
            assert_eq!(replayed.code, Some(1), "{options:?}: {}", replayed.stderr);
            match format {
                "text" => {
                    let verdict = checked.stdout.rfind("\nviolation: ").unwrap();
                    assert_eq!(replayed.stdout, checked.stdout[..verdict], "{options:?}");
                }
                _ => {
                    let parse = |outcome: &Finished| -> serde_json::Value {
                        serde_json::from_str(&outcome.stdout).unwrap()
                    };
                    let (checked, replayed) = (parse(&checked), parse(&replayed));
                    assert_eq!(replayed["violations"], checked["violations"], "{options:?}");
                    assert_eq!(replayed["model"], checked["model"], "{options:?}");
                }
            }
            assert_eq!(replay(), replayed, "{options:?}");
        }
    }
}

/// Its object is lost, but only after all stores have arrived.
const HANDED_OVER: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *_Atomic p;
static void *f(void *a) {
  int *q = malloc(sizeof *q);
  *q = 1;
  atomic_store_explicit(&p, q, memory_order_relaxed);
  atomic_store_explicit(&p, 0, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}
"#;

/// A report tells what the exploration did: each store arrives once.
#[test]
fn a_report_follows_stores_that_are_handed_over() {
    let folder = Folder::new();
    let file = folder.write("hand_over.c", HANDED_OVER);
    let options = ["check", "--model", "pso", "--check", "leak", "--format", "json", &file];
    let outcome = run(selvedge().current_dir(folder.path()).args(options));
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "leak");
    assert!(violation.get("not_in_memory").is_none(), "{violation:#}");
    let trace = violation["trace"].as_array().unwrap();
    let mut arrivals: Vec<&str> = trace
        .iter()
        .filter(|entry| entry["arrives"] == true)
        .map(|entry| entry["operation"].as_str().unwrap())
        .collect();
    arrivals.sort_unstable();
    arrivals.dedup();
    assert_eq!(arrivals.len(), 3, "{violation:#}");
}

#[test]
fn robustness_is_told() {
    let folder = Folder::new();
    let ask = |model: &str, name: &str| {
        let mut command = selvedge();
        command.current_dir(folder.path()).args(["check", "--robust", model]);
        run(command.arg(example(name)))
    };
    let robust = ask("tso", "message_passing");
    assert_eq!(robust.code, Some(0), "{}{}", robust.stdout, robust.stderr);
    assert!(robust.stdout.contains("\n  robust: ") && robust.stdout.contains("(model tso, "));
    for (model, name) in [("pso", "message_passing"), ("tso", "store_buffering")] {
        let outcome = ask(model, name);
        assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stdout.contains("error[not-robust]: "), "{}", outcome.stdout);
    }
    // Nothing else is looked at: this program's assertion fails under sequential consistency, too.
    assert_eq!(ask("pso", "lost_update").code, Some(0));
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
    refused(&text.replace("\"version\": 4", "\"version\": 5"), "version 5");
    refused(&text.replace("\"sc\"", "\"arm\""), "`arm`");
    refused(&text.replace("--nondet", "--nonsense"), "options are wrong");
    refused(&text.replacen("\"1\"", "\"9\"", 1), "does not follow the schedule at step");
    refused(&text.replacen("\"1\"", "\"x\"", 1), "is `x`, which is neither a thread");
    std::fs::write(&schedule, &text).unwrap();
    std::fs::write(&file, LOST_UPDATE.replace("== 2", "== 3")).unwrap();
    run(selvedge().args(["replay", &schedule])).fails_with(2, &["has changed since"]);
    std::fs::remove_file(&file).unwrap();
    run(selvedge().args(["replay", &schedule])).fails_with(2, &["cannot read"]);
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
    verdict(&["--preemptions", "0"], 3, &["bounded: ", "0 preemptions", "explorer bounded"]);
    verdict(&["--preemptions", "9"], 0, &["verified: ", "explorer bounded"]);
}

#[test]
fn every_explorer_finds_the_lost_update() {
    let folder = Folder::new();
    let file = folder.write("lost.c", LOST_UPDATE);
    for explorer in ["optimal", "source", "classic", "exhaustive", "context", "random", "pct"] {
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
    refused(&["--workers", "0"], "--workers");
    refused(&["--preemptions", "-1"], "-1");
    refused(&["--explorer", "source", "--workers", "2"], "`source`");
    refused(&["--explorer", "classic", "--preemptions", "2"], "`classic`");
    refused(&["--workers", "2", "--preemptions", "2"], "--workers");
    refused(&["--classes"], "`exhaustive`");
    refused(&["--symmetry", "--explorer", "optimal"], "`graph`");
    refused(&["--symmetry", "--model", "pso"], "`pso`");
    refused(&["--symmetry", "--estimate"], "--symmetry");
    refused(&["--model", "arm"], "sc, tso, pso, rc11, ra");
    refused(&["--model", "rc11", "--explorer", "optimal"], "`optimal`");
    refused(&["--model", "pso", "--explorer", "graph"], "`pso`");
    refused(&["--model", "rc11", "--preemptions", "2"], "--preemptions");
    refused(&["--robust", "sc"], "tso, pso");
    refused(&["--robust", "tso", "--model", "tso"], "--model");
    refused(&["--robust", "tso", "--explorer", "random"], "`random`");
    refused(&["--robust", "tso", "--explorer", "exhaustive"], "`exhaustive`");
    refused(&["--robust", "pso", "--preemptions", "2"], "--preemptions");
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
        static void *f(void *a) { for (int i = 0; i < 30; i++) x = x + 1; return a; }\n\
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
fn is_civil(outcome: &Finished, what: &str) {
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
        "source",
        "classic",
        "optimal",
        "--workers",
        "--classes",
        "--symmetry",
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
        "--model",
        "tso",
        "pso",
        "--robust",
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
        "--time",
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

/// Where the time went is said if somebody asks, for programs that are right and for others.
#[test]
fn times_are_told_on_request() {
    let phases = ["front end", "exploration", "minimising", "report"];
    for (name, code) in [("lost_update", 1), ("peterson", 0)] {
        let folder = Folder::new();
        let check = |options: &[&str]| {
            let outcome =
                run(selvedge().current_dir(folder.path()).arg("check").args(options).arg(example(name)));
            assert_eq!(outcome.code, Some(code), "{}", outcome.stderr);
            outcome.stdout
        };
        let text = check(&["--time"]);
        let (_, lines) = text.rsplit_once("\ntime:\n").expect("times at the end");
        assert_eq!(lines.lines().count(), phases.len(), "{lines}");
        for (line, phase) in lines.lines().zip(phases) {
            let seconds = line.trim().strip_prefix(phase).and_then(|rest| rest.strip_suffix(" s"));
            assert!(seconds.is_some_and(|seconds| seconds.trim().parse::<f64>().is_ok()), "{line}");
        }
        let result: serde_json::Value =
            serde_json::from_str(&check(&["--time", "--format", "json"])).unwrap();
        let times = result["times"].as_object().expect("an object");
        assert_eq!(times.len(), phases.len());
        let sum: f64 = phases.iter().map(|phase| times[&phase.replace(' ', "_")].as_f64().unwrap()).sum();
        assert!(times["front_end"].as_f64().unwrap() > 0.0);
        assert!(times["exploration"].as_f64().unwrap() > 0.0);
        assert!(sum * 1000.0 <= result["time_ms"].as_f64().unwrap() + 1000.0);
        assert!(!check(&[]).contains("\ntime:\n"));
        let result: serde_json::Value = serde_json::from_str(&check(&["--format", "json"])).unwrap();
        assert!(result.get("times").is_none());
    }
    let outcome = run(selvedge().args(["check", "--time", "--estimate"]).arg(example("peterson")));
    outcome.fails_with(2, &["--estimate"]);
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

#[test]
fn json_steps_are_structured_and_name_their_instructions() {
    let folder = Folder::new();
    let mut command = selvedge();
    command.current_dir(folder.path()).args(["check", "--format", "json"]).arg(example("lost_update"));
    let result: serde_json::Value = serde_json::from_str(&run(&mut command).stdout).unwrap();
    let trace = result["violations"][0]["trace"].as_array().unwrap();
    let of_kind = |kind: &str| -> Vec<&serde_json::Value> {
        trace.iter().filter(|step| step["kind"] == kind && step["object"] == "balance").collect()
    };
    let (loads, stores) = (of_kind("load"), of_kind("store"));
    assert_eq!((loads.len(), stores.len()), (3, 2), "{result:#}");
    assert!(loads[..2].iter().all(|load| load["read"] == "100" && load["order"] == "seq_cst"), "{result:#}");
    let mut written: Vec<&str> = stores.iter().map(|store| store["written"].as_str().unwrap()).collect();
    written.sort_unstable();
    assert_eq!(written, ["110", "150"]);
    // Both threads come by the same instructions, and the operations of a thread are numbered.
    let sites = |steps: &[&serde_json::Value]| -> Vec<u64> {
        steps.iter().map(|step| step["site"].as_u64().unwrap()).collect()
    };
    assert_eq!(sites(&loads[..1]), sites(&loads[1..2]));
    assert_eq!(sites(&stores[..1]), sites(&stores[1..]));
    assert_ne!(sites(&loads[..1]), sites(&stores[..1]));
    for thread in ["0", "1", "2"] {
        let own = trace.iter().filter(|step| step["thread"] == thread);
        let indices: Vec<u64> = own.map(|step| step["index"].as_u64().unwrap()).collect();
        assert!(indices.is_sorted() && indices.first() == Some(&0), "{thread}: {indices:?}");
    }
}
