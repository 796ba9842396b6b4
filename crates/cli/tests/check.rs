//! `selvedge check`: the programs of `tests/programs/check` say in their first lines what to expect, the
//! reports of some are kept as snapshots, and schedules replay.
//!
//! `SELVEDGE_BLESS=1 cargo test --release --test check` writes the snapshots anew.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Folder, Outcome, Program, check_all, excerpt, programs, run, selvedge};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace")
}

fn check(program: &Program, folder: &Folder, format: &str) -> Outcome {
    check_with(program, folder, &["--format", format])
}

/// What says that a program is about sequential consistency, if it names no other model. (The tool would choose one by
/// what the program does.)
fn model(program: &Program) -> &'static [&'static str] {
    let named = program.selvedge.iter().any(|word| word == "--model" || word == "--robust");
    if named { &[] } else { &["--model", "sc"] }
}

fn check_with(program: &Program, folder: &Folder, options: &[&str]) -> Outcome {
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
fn all_programs() -> Vec<Program> {
    let programs = [programs("check"), programs("fuzz")].concat();
    assert!(programs.len() >= 100, "only {} programs were found", programs.len());
    programs
}

/// Whether a program is to be explored as execution graphs.
fn has_graphs(program: &Program) -> bool {
    program.selvedge.iter().any(|word| ["graph", "rc11", "ra"].contains(&word.as_str()))
}

/// The same for explorers that can take each other's place: those that know no bound, and explore interleavings.
fn unbounded_programs() -> Vec<Program> {
    let mut programs = all_programs();
    programs.retain(|program| {
        let bounds = ["--preemptions", "--predict"];
        !program.selvedge.iter().any(|word| bounds.contains(&word.as_str())) && !has_graphs(program)
    });
    for program in &mut programs {
        for option in ["--explorer", "--workers"] {
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
fn is_as_expected(program: &Program, outcome: &Outcome) -> Result<(), String> {
    let expected = program.expect.as_deref().ok_or("it says nothing of what to expect")?;
    unlike(expected, program.executions, outcome).map_or(Ok(()), |problem| {
        Err(format!("{problem}\n{}\n{}", excerpt(&outcome.stdout), excerpt(&outcome.stderr)))
    })
}

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

/// A result without what may differ from run to run.
fn lasting(outcome: &Outcome) -> (Option<i32>, &str, serde_json::Value) {
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

/// If no explorer is named, graphs may be explored in place of steps: the result is the same.
#[test]
fn what_the_tool_chooses_gives_the_same_result_as_steps() {
    let programs = unbounded_programs();
    let by_graphs = AtomicUsize::new(0);
    check_all(&programs, |program| {
        let folder = Folder::new();
        let explore = |options: &[&str]| {
            let outcome = check_with(program, &folder, &[&["--format", "json"], options].concat());
            let (code, _, mut result) = lasting(&outcome);
            let chosen = result["explorer"].take();
            result["steps"].take();
            (code, result, chosen)
        };
        let (chosen, steps) = (explore(&[]), explore(&["--explorer", "optimal"]));
        by_graphs.fetch_add(usize::from(chosen.2 == "graph"), Ordering::Relaxed);
        match (chosen.0, &chosen.1) == (steps.0, &steps.1) {
            true => Ok(()),
            false => Err(format!("{}: {}\nsteps: {}", chosen.2, chosen.1, steps.1)),
        }
    });
    let by_graphs = by_graphs.into_inner();
    assert!(by_graphs > 80 && by_graphs < programs.len() / 2, "{by_graphs} of {}", programs.len());
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
        let without = ["pso", "--robust", "uninitialised"];
        !program.selvedge.iter().any(|word| without.contains(&word.as_str()))
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
    assert!(10 * supported > 9 * programs.len(), "{supported} of {}", programs.len());
}

/// Checks a program of the benchmarks with sizes like `T=2 R=1`.
fn bench(name: &str, sizes: &str, options: &[&str]) -> (Outcome, serde_json::Value) {
    let folder = Folder::new();
    let path = root().join("bench/programs").join(format!("{name}.c"));
    let mut command = selvedge();
    command.args(["check", "--format", "json", "--time-limit", "50"]).args(options).arg(path);
    if !options.contains(&"--model") {
        command.args(["--model", "sc"]);
    }
    command.current_dir(folder.path()).arg("--");
    let outcome = run(command.args(sizes.split_whitespace().map(|size| format!("-D{size}"))));
    assert!(matches!(outcome.code, Some(0 | 1)), "{name} {sizes}: {}", outcome.stderr);
    let result = serde_json::from_str(&outcome.stdout).expect("a result");
    (outcome, result)
}

/// Who has no time for waiting loops is told what to try.
#[test]
fn graphs_are_recommended_where_threads_wait_in_loops() {
    let explore = |options: &[&str], flags: &[&str]| {
        let mut command = selvedge();
        command.args(["check", "--model", "sc", "--time-limit", "0.2"]).args(options);
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

/// Programs whose number of classes of executions is known: source sets explore each exactly once (what they
/// begin in vain is counted apart).
#[test]
fn source_sets_explore_the_known_number_of_classes() {
    let known = [
        ("readers", "N=5", 32),
        ("readers", "N=9", 512),
        ("lastzero", "N=4", 28),
        ("lastzero", "N=7", 320),
        ("fib_bench", "N=2", 140),
        ("fib_bench", "N=4", 19_605),
        ("toy", "OPS=3", 1_680),
    ];
    for (name, sizes, classes) in known {
        let (_, result) = bench(name, sizes, &["--explorer", "source"]);
        assert_eq!(result["verdict"], "verified", "{name} {sizes}");
        assert_eq!(result["executions"], classes, "{name} {sizes}");
    }
}

/// `optimal` explores each class exactly once, and begins nothing in vain. So does what the tool chooses.
#[test]
fn the_known_number_of_classes_is_explored() {
    let mut known = Vec::new();
    known.extend((1..=10).map(|n| ("readers", format!("N={n}"), 1 << n)));
    known.extend((2..=10).map(|n| ("lastzero", format!("N={n}"), (n + 3) * (1 << (n - 2)))));
    known.extend((12..=15).map(|n| ("indexer", format!("N={n}"), 8_u64.pow(n - 11))));
    known.extend((2..=6).map(|n| ("philosophers", format!("N={n} ORDERED"), (1 << n) - 2)));
    known.extend((2..=5).map(|n| ("barrier", format!("N={n} R=2"), (n * n) as u64)));
    known.push(("fib_bench", "N=4".to_owned(), 19_605));
    known.push(("treiber", "PUSHERS=3 POPPERS=2".to_owned(), 34_968));
    known.push(("ms_queue", "ENQUEUERS=2 DEQUEUERS=2".to_owned(), 11_198));
    known.push(("szymanski", "T=2 R=2 LOOKS=1".to_owned(), 14_994));
    known.push(("peterson", "T=2 R=3 LOOKS=1".to_owned(), 2_490));
    known.push(("dekker", "R=2 LOOKS=1".to_owned(), 311));
    known.push(("rwlock_pthread", "READERS=3 WRITERS=2 R=2".to_owned(), 20_250));
    known.extend(
        [(1, 3), (2, 105), (3, 4_395)].map(|(n, classes)| ("publication", format!("N={n}"), classes)),
    );
    known.push(("rvexample", "N=2 ATOMIC NDEBUG".to_owned(), 1_959));
    known.push(("stack_unsafe", "N=5 FIXED".to_owned(), 252));
    for (name, sizes, classes) in known {
        let chosen = match name {
            "barrier" | "rwlock_pthread" => "optimal",
            _ => "graph",
        };
        for (options, explorer) in [(&["--explorer", "optimal"][..], "optimal"), (&[], chosen)] {
            let (_, result) = bench(name, &sizes, options);
            assert_eq!(result["explorer"], explorer, "{name} {sizes}");
            assert_eq!(result["verdict"], "verified", "{name} {sizes}");
            assert_eq!(result["executions"], classes, "{name} {sizes}");
            assert_eq!(result["blocked"], 0, "{name} {sizes}");
        }
    }
}

/// Algorithms for mutual exclusion with relaxed accesses and fences, where a thread looks once: how many traces there are
/// under TSO and PSO.
const RELAXED_TRACES: [(&str, &str, [u64; 2]); 3] = [
    ("peterson", "R=3", [2_490, 2_490]),
    ("dekker", "R=2", [316, 316]),
    ("szymanski", "R=2", [14_994, 14_994]),
];

/// With store buffers: the numbers of traces that are known from the literature. Under both models they are the same,
/// because each thread stores to one location only.
#[test]
fn the_known_number_of_traces_is_explored() {
    for (sizes, traces) in [("N=3", 175), ("N=4", 1_764), ("N=5", 19_404)] {
        for model in ["tso", "pso"] {
            for workers in ["1", "2"] {
                let (_, result) = bench("two_fib", sizes, &["--model", model, "--workers", workers]);
                assert_eq!(result["verdict"], "verified", "{model} {sizes}");
                assert_eq!(result["executions"], traces, "{model} {sizes}, {workers} workers");
                assert_eq!(result["blocked"], 0, "{model} {sizes}, {workers} workers");
            }
        }
    }
    // As many as Nidhugg has.
    for (name, sizes, traces) in RELAXED_TRACES {
        for (model, traces) in ["tso", "pso"].iter().zip(traces) {
            let sizes = format!("{sizes} LOOKS=1 FENCES MO=memory_order_relaxed");
            let (_, result) = bench(name, &sizes, &["--model", model]);
            assert_eq!(result["verdict"], "verified", "{name} {model}");
            assert_eq!(result["executions"], traces, "{name} {model}");
        }
    }
    for model in ["tso", "pso"] {
        let (_, result) = bench("two_fib", "N=4", &["--model", model, "--explorer", "source"]);
        assert_eq!(result["verdict"], "verified", "{model}");
    }
}

/// Execution graphs: the numbers that are known from the literature, and those that GenMC explores.
#[test]
fn the_known_number_of_graphs_is_explored() {
    const RELAXED: &str = "MO=memory_order_relaxed";
    let mut known = Vec::new();
    known.extend((1..=10).map(|n| ("readers", format!("N={n}"), 1 << n)));
    known.extend((2..=9).map(|n| ("lastzero", format!("N={n}"), (n + 3) * (1 << (n - 2)))));
    // Who scans may miss what it would see under sequential consistency.
    known.extend((2..=9).map(|n| ("lastzero", format!("N={n} {RELAXED}"), (n + 1) * (1 << (n - 1)))));
    known.extend((12..=14).map(|n| ("indexer", format!("N={n}"), 8_u64.pow(n - 11))));
    known.push(("fib_bench", "N=4".to_owned(), 19_605));
    known.push(("fib_bench", format!("N=4 {RELAXED}"), 44_100));
    known.push(("two_fib", "N=5".to_owned(), 19_404));
    known.push(("treiber", "PUSHERS=2 POPPERS=2".to_owned(), 220));
    known.push(("treiber", "PUSHERS=3 POPPERS=2".to_owned(), 34_968));
    known.push(("ms_queue", "ENQUEUERS=2 DEQUEUERS=2".to_owned(), 11_198));
    known.push(("szymanski", "T=2 R=2 LOOKS=1".to_owned(), 14_994));
    known.push(("peterson", "T=2 R=3 LOOKS=1".to_owned(), 2_490));
    known.push(("dekker", "R=2 LOOKS=1".to_owned(), 311));
    for (name, sizes, graphs) in known {
        let workers = if graphs % 2 == 0 { "1" } else { "2" };
        let (_, result) = bench(name, &sizes, &["--model", "rc11", "--workers", workers]);
        assert_eq!(result["explorer"], "graph");
        assert_eq!(result["verdict"], "verified", "{name} {sizes}");
        assert_eq!(result["executions"], graphs, "{name} {sizes}");
        assert_eq!(result["blocked"], 0, "{name} {sizes}");
    }
}

/// View-equivalence explores each combination of values that are read exactly once.
#[test]
fn the_known_number_of_views_is_explored() {
    let mut known = Vec::new();
    for n in 1..=6_u64 {
        let size = format!("N={n}");
        known.push(("view_example", size.clone(), 4 * n));
        known.push(("burns", size.clone(), (n + 1) * (n + 1)));
        known.push(("dekker_simple", size.clone(), 2 * n + 1));
        known.push(("peterson_rounds", size.clone(), 6 * n + 1));
        known.push(("redundant_co", size.clone(), 7));
        known.push(("alpha2", size.clone(), n * n + n + 1));
        known.push(("swsc_co10", size, n));
    }
    known.extend((2..=5).map(|n: u64| ("swsc_co1", format!("N={n}"), (0..4).map(|k| (n - 1).pow(k)).sum())));
    known.push(("swsc_co10", "N=3 M=2".to_owned(), 6));
    known.push(("alpha2", "N=4 K=2".to_owned(), 21));
    known.extend((2..=5).map(|t| ("pgsql", format!("N=3 T={t}"), (0..t).map(|k| 3_u64.pow(k)).sum())));
    known.extend([(2, 4), (3, 36)].map(|(t, views)| ("unverif", format!("T={t} L=2"), views)));
    known.extend([(2, 3), (3, 13), (4, 75)].map(|(t, views)| ("nondet_array", format!("T={t}"), views)));
    known.extend([(1, 266), (2, 998)].map(|(n, views)| ("szymanski", format!("LOOKS={n}"), views)));
    known.extend([(1, 2), (2, 52), (3, 1_016)].map(|(n, views)| ("publication", format!("N={n}"), views)));
    known.push(("rvexample", "N=2 NDEBUG".to_owned(), 107));
    for (name, sizes, views) in known {
        for explorer in [&["vieq"][..], &["se-mcr"], &["se-mcr", "--patience", "0"]] {
            let (_, result) = bench(name, &sizes, &[&["--explorer"], explorer].concat());
            assert_eq!(result["verdict"], "verified", "{name} {sizes} {explorer:?}");
            assert_eq!(result["executions"], views, "{name} {sizes} {explorer:?}");
            assert_eq!(result["views"], views, "{name} {sizes} {explorer:?}");
            assert_eq!(result["redundant"], 0, "{name} {sizes} {explorer:?}");
            if explorer.contains(&"--patience") {
                assert_eq!(result["solver"]["spared"], 0, "{name} {sizes}");
            }
        }
        let (_, result) = bench(name, &sizes, &["--explorer", "mcr"]);
        assert_eq!(result["views"], views, "{name} {sizes} mcr");
    }
    for (model, n, views) in [("tso", 2, 52), ("pso", 1, 10), ("pso", 2, 188)] {
        let options = ["--explorer", "se-mcr", "--model", model];
        let (_, result) = bench("publication", &format!("N={n} NDEBUG"), &options);
        assert_eq!(result["executions"], views, "publication {n} {model}");
    }
}

/// Errors come up as soon as in the literature, and for that under PSO prediction needs one execution.
#[test]
fn errors_are_found_soon() {
    let relaxed = "LOOKS=2 MO=memory_order_relaxed";
    let published = [
        ("publication", "pso", "N=1", 3),
        ("stack_unsafe", "sc", "N=5", 2),
        ("rvexample", "sc", "N=2 ATOMIC", 53),
        ("dekker", "tso", relaxed, 4),
        ("dekker", "pso", relaxed, 5),
        ("lamport_fast", "tso", relaxed, 2),
        ("lamport_fast", "pso", relaxed, 3),
        ("bakery", "tso", relaxed, 8),
        ("bakery", "pso", relaxed, 15),
        ("peterson", "tso", relaxed, 2),
        ("peterson", "pso", relaxed, 3),
    ];
    for (name, model, sizes, most) in published {
        for explorer in ["mcr", "se-mcr"] {
            let (_, result) =
                bench(name, sizes, &["--explorer", explorer, "--model", model, "--workers", "1"]);
            assert_eq!(result["verdict"], "violation", "{name} {model}");
            assert!(result["executions"].as_u64().is_some_and(|count| count <= most), "{result:#}");
        }
    }
    for (options, most) in [(&["--workers", "1"][..], 3), (&["--predict"], 1)] {
        let all = [&["--explorer", "mcr", "--model", "pso"], options].concat();
        let (_, result) = bench("publication", "N=1", &all);
        assert_eq!(result["verdict"], "violation");
        assert!(result["executions"].as_u64().is_some_and(|count| count <= most), "{result:#}");
    }
}

/// Switch equivalence needs no more executions than causality without it, and that no more than there are orders.
#[test]
fn causality_needs_no_more_executions_than_orders() {
    let programs = [
        ("account", "T=3 NDEBUG"),
        ("airline", "T=3 NDEBUG"),
        ("allocation", "N=2 NDEBUG"),
        ("bakery", "LOOKS=4"),
        ("bubble_sort", "N=4 NDEBUG"),
        ("dekker", "LOOKS=4"),
        ("lamport_fast", "LOOKS=4"),
        ("peterson", "LOOKS=4"),
        ("ping_pong", "T=4 FIXED"),
        ("pool", "N=2 NDEBUG"),
        ("rvexample", "N=2 NDEBUG"),
        ("stack_unsafe", "N=4 FIXED"),
        ("string_buffer", "N=3 NDEBUG"),
    ];
    for (name, sizes) in programs {
        let [switching, all, orders] = ["se-mcr", "mcr", "optimal"].map(|explorer| {
            let options = ["--explorer", explorer, "--workers", "1", "--allow", "data-race"];
            let (_, result) = bench(name, sizes, &options);
            assert_eq!(result["verdict"], "verified", "{name} {explorer}: {result:#}");
            result["executions"].as_u64()
        });
        assert!(switching <= all && all <= orders, "{name} {sizes}: {switching:?}, {all:?}, {orders:?}");
    }
}

/// Where locks are taken in an order, no question is about deadlocks.
#[test]
fn deadlocks_are_not_looked_for_in_vain() {
    let folder = Folder::new();
    let source = "#include <pthread.h>\nstatic pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *both(pthread_mutex_t *first, pthread_mutex_t *second) {\n  pthread_mutex_lock(first);\n\
        pthread_mutex_lock(second);\n  pthread_mutex_unlock(second);\n  pthread_mutex_unlock(first);\n  return 0;\n}\n\
        static void *f(void *x) { return x ? both(&SECOND, &FIRST) : both(&a, &b); }\n\
        int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, f, 0);\n  pthread_create(&u, 0, f, &a);\n\
        pthread_join(t, 0);\n  pthread_join(u, 0);\n}\n";
    let file = folder.write("both.c", source);
    for (order, code, asked) in
        [(["-DSECOND=a", "-DFIRST=b"], 0, false), (["-DSECOND=b", "-DFIRST=a"], 1, true)]
    {
        let options = ["--explorer", "se-mcr", "--patience", "0", "--format", "json", "--"];
        let outcome =
            run(selvedge().current_dir(folder.path()).args(["check", &file]).args(options).args(order));
        assert_eq!(outcome.code, Some(code), "{}", outcome.stderr);
        let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(result["solver"]["calls"].as_u64().is_some_and(|calls| calls > 0), asked, "{result:#}");
        let kind = (code != 0).then(|| &result["violations"][0]["kind"]);
        assert!(kind.is_none_or(|kind| kind == "deadlock"), "{result:#}");
    }
}

/// All pairs of places that race are predicted, and each prediction is confirmed.
#[test]
fn all_races_are_predicted() {
    let known = [("rvexample", "N=2 NDEBUG", 12), ("account", "T=2 NDEBUG", 9), ("airline", "NDEBUG", 0)];
    for (name, sizes, races) in known {
        let (_, result) = bench(name, sizes, &["--explorer", "se-mcr", "--predict", "--keep-going"]);
        assert_eq!(result["predicted"], races, "{name}");
        assert_eq!(result["confirmed"], races, "{name}");
    }
}

/// What programs of the benchmarks say of themselves: right or wrong, and in which way.
#[test]
fn benchmarks_have_the_errors_that_they_are_about() {
    let checked = [
        ("account", "T=2", "sc", "data-race"),
        ("account", "T=2 ATOMIC", "sc", "assertion"),
        ("account", "T=3 FIXED", "sc", ""),
        ("airline", "", "sc", "assertion"),
        ("airline", "T=4 FIXED", "sc", ""),
        ("allocation", "", "sc", "assertion"),
        ("allocation", "T=3 N=1 FIXED", "sc", ""),
        ("bubble_sort", "", "sc", "data-race"),
        ("bubble_sort", "ATOMIC", "sc", "assertion"),
        ("bubble_sort", "T=3 N=3 FIXED", "sc", ""),
        ("microscope", "N=2", "tso", ""),
        ("microscope", "N=1", "pso", "assertion"),
        ("microscope", "N=2 PUBLISH=memory_order_release", "pso", ""),
        ("ping_pong", "", "sc", "data-race"),
        ("ping_pong", "ATOMIC", "sc", "null-dereference"),
        ("ping_pong", "T=4 FIXED", "sc", ""),
        ("pool", "", "sc", "assertion"),
        ("pool", "T=3 FIXED", "sc", ""),
        ("publication", "N=3", "sc", ""),
        ("publication", "N=3", "tso", ""),
        ("publication", "N=1", "pso", "assertion"),
        ("publication", "N=3", "pso", "assertion"),
        ("rvexample", "", "sc", "data-race"),
        ("rvexample", "ATOMIC", "sc", "assertion"),
        ("rvexample", "ATOMIC NDEBUG", "sc", ""),
        ("stack_unsafe", "", "sc", "assertion"),
        ("stack_unsafe", "FIXED", "sc", ""),
        ("string_buffer", "", "sc", "assertion"),
        ("string_buffer", "T=2 N=2 FIXED", "sc", ""),
    ];
    for (name, sizes, model, kind) in checked {
        let (_, result) = bench(name, sizes, &["--model", model, "--explorer", "optimal"]);
        let found: Vec<_> =
            result["violations"].as_array().unwrap().iter().map(|found| &found["kind"]).collect();
        let expected = if kind.is_empty() { vec![] } else { vec![kind] };
        assert_eq!(found, expected, "{name} {sizes} {model}");
        assert_eq!(result["verdict"] == "verified", kind.is_empty(), "{name} {sizes} {model}");
    }
}

/// The first execution orders the two accesses, so that there is nothing to see.
#[test]
fn the_hidden_race_is_not_in_the_first_execution() {
    let folder = Folder::new();
    let hidden = &example("hidden_race");
    let options = ["--workers", "1", "--max-executions", "1"];
    let first = run(selvedge().current_dir(folder.path()).arg("check").args(options).arg(hidden));
    assert_eq!(first.code, Some(3), "{}", first.stdout);
    let options = ["--explorer", "mcr", "--predict", "--max-executions", "1"];
    let predicted = run(selvedge().current_dir(folder.path()).arg("check").args(options).arg(hidden));
    assert_eq!(predicted.code, Some(1), "{}", predicted.stdout);
    assert!(predicted.stdout.contains("1 violations predicted, 1 confirmed"), "{}", predicted.stdout);
}

/// Where no two orders of dependent operations have the same view, view-equivalence takes no step more than they do; where
/// two have, it does not begin with all of them.
#[test]
fn views_take_no_more_steps_than_orders() {
    let same = [
        ("pgsql", "N=3 T=4"),
        ("unverif", "T=3 L=2"),
        ("unverif", "T=4 L=1"),
        ("ms_queue", "ENQUEUERS=1 DEQUEUERS=2"),
        ("fib_bench", "N=2"),
    ];
    for (name, sizes) in same {
        let (_, orders) = bench(name, sizes, &["--explorer", "optimal", "--workers", "1"]);
        for workers in ["1", "2"] {
            let (_, views) = bench(name, sizes, &["--explorer", "vieq", "--workers", workers]);
            for field in ["verdict", "executions", "steps"] {
                assert_eq!(views[field], orders[field], "{name} {sizes}, {workers} workers: {field}");
            }
            assert_eq!(views["views"], orders["executions"], "{name} {sizes}, {workers} workers");
        }
    }
    let other =
        [("burns", "N=5"), ("view_example", "N=10"), ("nondet_array", "T=5"), ("treiber", "PUSHERS=2")];
    for (name, sizes) in other {
        let (_, one) = bench(name, sizes, &["--explorer", "vieq", "--workers", "1"]);
        let (_, two) = bench(name, sizes, &["--explorer", "vieq", "--workers", "2"]);
        for field in ["verdict", "executions", "views", "redundant"] {
            assert_eq!(one[field], two[field], "{name} {sizes}: {field}");
        }
        assert_eq!(one["views"], one["executions"], "{name} {sizes}");
    }
}

/// Programs of the benchmarks in which nobody waits in a loop, and operations on synchronisation objects that commute
/// are not many.
#[test]
fn graphs_are_classes_where_nobody_waits() {
    let programs = [
        ("bounded_buffer", "PRODUCERS=1 CONSUMERS=1 ITEMS=2"),
        ("dekker", "R=2 LOOKS=1"),
        ("fib_bench", "N=2"),
        ("indexer", "N=12"),
        ("lastzero", "N=5"),
        ("microscope", "N=1"),
        ("ms_queue", "ENQUEUERS=1 DEQUEUERS=1"),
        ("peterson", "T=2 R=2 LOOKS=1"),
        ("philosophers", "N=4"),
        ("publication", "N=2"),
        ("readers", "N=5"),
        ("rvexample", "N=2 ATOMIC"),
        ("szymanski", "T=2 R=1 LOOKS=1"),
        ("thread_pool", "WORKERS=1 TASKS=1"),
        ("toy", "OPS=2"),
        ("treiber", "PUSHERS=2 POPPERS=1"),
        ("two_fib", "N=3"),
    ];
    for (name, sizes) in programs {
        let (_, classes) = bench(name, sizes, &["--keep-going", "--explorer", "optimal"]);
        let (_, graphs) = bench(name, sizes, &["--keep-going", "--explorer", "graph"]);
        for field in ["verdict", "executions", "blocked"] {
            assert_eq!(graphs[field], classes[field], "{name} {sizes}");
        }
    }
}

/// Programs of the benchmarks, all of them, small enough for every interleaving.
const TINY: &[(&str, &str)] = &[
    ("account", "T=1"),
    ("airline", "T=2 NDEBUG"),
    ("airline", "T=2 FIXED"),
    ("allocation", "N=1 NDEBUG"),
    ("allocation", "N=1 FIXED"),
    ("alpha2", "N=2"),
    ("bakery", "T=2 R=1"),
    ("barrier", "N=3 R=2"),
    ("bounded_buffer", "PRODUCERS=1 CONSUMERS=1 ITEMS=2"),
    ("bubble_sort", "N=2 FIXED"),
    ("bubble_sort", "N=3 ATOMIC NDEBUG"),
    ("burns", "T=2 R=1"),
    ("dekker", "R=1"),
    ("dekker_simple", "N=1"),
    ("fib_bench", "N=1"),
    ("indexer", "N=2"),
    ("lamport_fast", "T=1 R=1"),
    ("lastzero", "N=3"),
    ("microscope", "N=1"),
    ("ms_queue", "ENQUEUERS=1 DEQUEUERS=1"),
    ("nondet_array", "T=2"),
    ("peterson", "T=2 R=1"),
    ("peterson_rounds", "N=1"),
    ("pgsql", "T=2 N=1"),
    ("philosophers", "N=2"),
    ("philosophers", "N=2 ORDERED"),
    ("ping_pong", "T=2 FIXED"),
    ("ping_pong", "T=2 ATOMIC"),
    ("pool", "NDEBUG"),
    ("pool", "FIXED"),
    ("publication", "N=1"),
    ("readers", "N=3"),
    ("redundant_co", "N=1"),
    ("rvexample", "N=1 ATOMIC"),
    ("rwlock", "READERS=1 WRITERS=1"),
    ("rwlock_pthread", "READERS=2 WRITERS=1"),
    ("seqlock", "READERS=1 R=1"),
    ("stack_unsafe", "N=2 FIXED"),
    ("string_buffer", "NDEBUG"),
    ("string_buffer", "FIXED"),
    ("swsc_co1", "N=2"),
    ("swsc_co10", "N=2"),
    ("szymanski", "T=2 R=1 LOOKS=1"),
    ("thread_pool", "WORKERS=1 TASKS=1"),
    ("toy", "OPS=2"),
    ("treiber", "PUSHERS=1 POPPERS=1"),
    ("two_fib", "N=1"),
    ("unverif", "T=2 L=1"),
    ("view_example", "N=1"),
];

#[test]
fn every_class_is_explored_once() {
    for entry in std::fs::read_dir(root().join("bench/programs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_program = path.extension().is_some_and(|extension| extension == "c");
        assert!(!is_program || TINY.iter().any(|(known, _)| *known == name), "{name} has no tiny size");
    }
    let kinds = |result: &serde_json::Value| -> Vec<String> {
        let violations = result["violations"].as_array().unwrap();
        violations.iter().map(|violation| violation["kind"].to_string()).collect()
    };
    for (name, sizes) in TINY {
        let (_, all) = bench(name, sizes, &["--explorer", "exhaustive", "--classes", "--keep-going"]);
        for explorer in ["optimal", "source", "classic"] {
            let (_, reduced) = bench(name, sizes, &["--explorer", explorer, "--keep-going"]);
            assert_eq!(reduced["verdict"], all["verdict"], "{explorer}: {name} {sizes}");
            assert_eq!(kinds(&reduced), kinds(&all), "{explorer}: {name} {sizes}");
            if explorer == "optimal" {
                assert_eq!(reduced["executions"], all["classes"], "{name} {sizes}");
                assert_eq!(reduced["blocked"], 0, "{name} {sizes}");
            }
        }
    }
}

/// Large enough that workers have something to give each other.
#[test]
fn workers_change_nothing_where_there_is_much_to_explore() {
    let programs = [
        ("bakery", "T=3", &[][..]),
        ("bounded_buffer", "ITEMS=6", &[]),
        ("burns", "T=3", &[]),
        ("dekker", "R=2", &[]),
        ("fib_bench", "N=4", &[]),
        ("indexer", "N=15", &[]),
        ("lastzero", "N=10", &[]),
        ("ms_queue", "", &[]),
        ("peterson", "R=2", &[]),
        ("philosophers", "N=4", &[]),
        ("philosophers", "N=4", &["--keep-going"]),
        ("rwlock", "READERS=2 WRITERS=2", &[]),
        ("szymanski", "LOOKS=1 R=2", &[]),
        ("thread_pool", "WORKERS=2 TASKS=2", &[]),
        ("treiber", "PUSHERS=3 POPPERS=1", &[]),
    ];
    for (name, sizes, options) in programs {
        for explorer in [&["--explorer", "optimal"][..], &[]] {
            let options = [explorer, options].concat();
            let explore = |workers| bench(name, sizes, &[&options[..], &["--workers", workers]].concat()).0;
            let alone = explore("1");
            for workers in ["2", "4"] {
                let together = explore(workers);
                let context = format!("{name} {sizes} {options:?}: {workers} workers");
                assert_eq!(lasting(&together), lasting(&alone), "{context}");
            }
        }
    }
}

const MANY_OUTCOMES: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *inc(void *a) { for (int i = 0; i < 2; i++) { int t = x; x = t + 1; } return a; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, inc, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x != 2);
  assert(x != 3);
  assert(x != 4);
  assert(x != 5);
  assert(x != 6);
}
"#;

/// The violations that are reported, and their order, are those of one worker.
#[test]
fn workers_report_the_same_violations() {
    let folder = Folder::new();
    let file = folder.write("many.c", MANY_OUTCOMES);
    for options in [&["--keep-going"][..], &[]] {
        let explore = |workers| {
            let mut command = selvedge();
            command.current_dir(folder.path()).args([
                "check",
                &file,
                "--format",
                "json",
                "--workers",
                workers,
            ]);
            run(command.args(options))
        };
        let alone = explore("1");
        let found = lasting(&alone).2["violations"].as_array().unwrap().len();
        assert_eq!(found, if options.is_empty() { 1 } else { 5 });
        for workers in ["2", "3", "4", "8"] {
            assert_eq!(lasting(&explore(workers)), lasting(&alone), "{workers} workers {options:?}");
        }
    }
}

/// Choices, a signal with several waiters, and an atomic section, beside races.
const CHOICES: &str = r#"
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static atomic_int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;
static void *reader(void *a) { (void)atomic_load(&x); return a; }
static void *writer(void *a) {
  int chosen = selvedge_choose(3);
  __VERIFIER_atomic_begin();
  atomic_store(&x, chosen);
  atomic_fetch_add(&z, 1);
  __VERIFIER_atomic_end();
  return a;
}
static void *waiter(void *a) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  atomic_fetch_add(&y, 1);
  return a;
}
static void *signaller(void *a) {
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  (void)atomic_load(&z);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; i < 5; i++) pthread_create(&t, 0, reader, 0);
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&t, 0, signaller, 0);
  return 0;
}
"#;

/// Many leaves with one execution each, and violations in a few of them.
const RARE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 11
static atomic_int x;
static int seen[N];
static void *writer(void *a) { atomic_store(&x, 1); return a; }
static void *reader(void *a) { seen[(long)a] = atomic_load(&x); return a; }
int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], 0, writer, 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, reader, (void *)i);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  int all = 0;
  for (int i = 0; i < N; i++) all |= seen[i] << i;
  assert(all != 0x2a5);
  assert(all != 0x51a);
}
"#;

/// Whole batches of leaves are lent and settled without going there again: the result stays that of one worker, each
/// time.
#[test]
fn workers_change_nothing_where_leaves_are_small() {
    let folder = Folder::new();
    let programs = |name: &str| root().join("bench/programs").join(name).display().to_string();
    let cases = [
        (programs("readers.c"), &[][..], &["-DN=12"][..]),
        (programs("lastzero.c"), &[], &["-DN=10"]),
        (folder.write("choices.c", CHOICES), &[], &[]),
        (folder.write("rare.c", RARE), &[], &[]),
        (folder.write("rare_all.c", RARE), &["--keep-going"], &[]),
    ];
    for (file, options, flags) in cases {
        let explore = |workers| {
            let mut command = selvedge();
            command.current_dir(folder.path()).args(["check", &file, "--format", "json"]);
            command.args(["--explorer", "optimal"]);
            run(command.args(["--workers", workers]).args(options).arg("--").args(flags))
        };
        let alone = explore("1");
        assert!(matches!(alone.code, Some(0 | 1)), "{file}: {}", alone.stderr);
        let many = lasting(&alone).2["executions"].as_u64().is_some_and(|count| count > 500);
        assert!(many, "{file}: {}", alone.stdout);
        for workers in ["2", "3", "4", "2", "3", "4"] {
            assert_eq!(lasting(&explore(workers)), lasting(&alone), "{file}: {workers} workers {options:?}");
        }
    }
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

fn example(name: &str) -> PathBuf {
    root().join("examples").join(format!("{name}.c"))
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
        assert!(text.stdout.contains(&format!("(model {model}, explorer optimal)")), "{}", text.stdout);
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
                    let parse = |outcome: &Outcome| -> serde_json::Value {
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
    refused(&text.replace("\"version\": 1", "\"version\": 2"), "version 2");
    refused(&text.replace("\"sc\"", "\"arm\""), "`arm`");
    refused(&text.replace("--nondet", "--nonsense"), "options are wrong");
    refused(&text.replacen("\"1\"", "\"9\"", 1), "does not follow the schedule at step");
    refused(&text.replacen("\"1\"", "\"x\"", 1), "is `x`, which is neither a thread");
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
    refused(&["--model", "arm"], "sc, tso, pso, rc11, ra");
    refused(&["--model", "rc11", "--explorer", "optimal"], "`optimal`");
    refused(&["--model", "pso", "--explorer", "graph"], "`pso`");
    refused(&["--model", "rc11", "--preemptions", "2"], "--preemptions");
    refused(&["--model", "rc11", "--check", "uninitialised"], "--check uninitialised");
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
        "source",
        "classic",
        "optimal",
        "--workers",
        "--classes",
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
