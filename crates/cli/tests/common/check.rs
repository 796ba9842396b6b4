//! `selvedge check` on test programs and programs of the benchmarks.

use super::{Finished, Folder, Program, excerpt, programs, run, selvedge};
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace")
}

/// The path of an example.
pub fn example(name: &str) -> PathBuf {
    root().join("examples").join(format!("{name}.c"))
}

/// Checks a program.
pub fn check(program: &Program, folder: &Folder, format: &str) -> Finished {
    check_with(program, folder, &["--format", format])
}

/// What says that a program is about sequential consistency, if it names no other model. (The tool would choose one by
/// what the program does.)
pub fn model(program: &Program) -> &'static [&'static str] {
    let named = program.selvedge.iter().any(|word| word == "--model" || word == "--robust");
    if named { &[] } else { &["--model", "sc"] }
}

/// Checks a program, with some more options.
pub fn check_with(program: &Program, folder: &Folder, options: &[&str]) -> Finished {
    let schedule = folder.file("schedule.json");
    let mut command = selvedge();
    command.args(["check", "--time-limit", "50", "--schedule", &schedule]).args(options);
    run(command
        .args(model(program))
        .args(&program.selvedge)
        .arg(&program.path)
        .args(["--", "-w"])
        .args(&program.flags))
}

/// All programs that say what to expect of `check`.
pub fn all_programs() -> Vec<Program> {
    let programs = [programs("check"), programs("fuzz")].concat();
    assert!(programs.len() >= 100, "only {} programs were found", programs.len());
    programs
}

/// Whether a program is to be explored as execution graphs.
pub fn has_graphs(program: &Program) -> bool {
    program.selvedge.iter().any(|word| ["graph", "rc11", "ra"].contains(&word.as_str()))
}

/// The same for explorers that can take each other's place: those that know no bound, and explore interleavings.
pub fn unbounded_programs() -> Vec<Program> {
    let mut programs = all_programs();
    programs.retain(|program| {
        let bounds = ["--preemptions", "--predict"];
        !program.selvedge.iter().any(|word| bounds.contains(&word.as_str())) && !has_graphs(program)
    });
    for program in &mut programs {
        for option in ["--explorer", "--workers", "--patience"] {
            if let Some(at) = program.selvedge.iter().position(|word| word == option) {
                program.selvedge.drain(at..at + 2);
                // Another explorer counts in another way.
                program.executions = None;
            }
        }
    }
    programs
}

/// Compares an outcome with what a program says about itself.
pub fn is_as_expected(program: &Program, outcome: &Finished) -> Result<(), String> {
    let expected = program.expect.as_deref().ok_or("it says nothing of what to expect")?;
    unlike(expected, program.executions, outcome).map_or(Ok(()), |problem| {
        Err(format!("{problem}\n{}\n{}", excerpt(&outcome.stdout), excerpt(&outcome.stderr)))
    })
}

/// A result without what may differ from run to run.
pub fn lasting(outcome: &Finished) -> (Option<i32>, &str, serde_json::Value) {
    let mut result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    if let Some(fields) = result.as_object_mut() {
        for name in ["time_ms", "peak_rss_kb", "workers"] {
            assert!(fields.remove(name).is_some(), "{name} is missing");
        }
        if fields.get("explorer").is_some_and(|explorer| explorer == "graph") {
            // Rounds of waiting loops that lead nowhere are not always taken back at the same point.
            assert!(fields.remove("steps").is_some(), "steps are missing");
        }
    }
    (outcome.code, &outcome.stderr, result)
}

/// Checks a program of the benchmarks with sizes like `T=2 R=1`.
/// Checks a program of the benchmarks.
pub fn bench(name: &str, sizes: &str, options: &[&str]) -> (Finished, serde_json::Value) {
    let folder = Folder::new();
    let path = root().join("bench/programs").join(format!("{name}.c"));
    let mut command = selvedge();
    command.args(["check", "--format", "json", "--time-limit", "50"]).args(options).arg(path);
    if !options.iter().any(|option| ["--model", "--robust"].contains(option)) {
        command.args(["--model", "sc"]);
    }
    command.current_dir(folder.path()).arg("--");
    let outcome = run(command.args(sizes.split_whitespace().map(|size| format!("-D{size}"))));
    assert!(matches!(outcome.code, Some(0 | 1)), "{name} {sizes}: {}", outcome.stderr);
    let result = serde_json::from_str(&outcome.stdout).expect("a result");
    (outcome, result)
}

/// In which way an outcome differs from what was expected.
pub fn unlike(expected: &str, executions: Option<u64>, outcome: &Finished) -> Option<String> {
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
