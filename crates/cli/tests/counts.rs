//! How many executions there are: programs of the benchmarks, with numbers that are known, or that explorers must agree on.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::{bench, example, lasting, root};
use common::{Folder, run, selvedge};

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

/// Where threads wait, rounds in vain are left out: what is left are the orders in which locks are taken and barriers are
/// reached, and what a producer and a consumer find of each other.
#[test]
fn the_known_number_of_executions_is_explored_where_threads_wait() {
    let known = [
        ("ticket_lock", "T=3 K=1", 6),
        ("ticket_lock", "T=3 K=2", 90),
        ("ticket_lock", "T=5 K=1", 120),
        ("tas_lock", "T=2 K=2", 6),
        ("tas_lock", "T=3 K=2", 90),
        ("tas_lock", "T=5 K=1", 120),
        ("clh_lock", "T=4 K=1", 24),
        ("spin_barrier", "T=2 K=2", 16),
        ("spin_barrier", "T=3 K=1", 36),
        ("spin_barrier", "T=4 K=1", 576),
        ("spin_barrier", "T=3 K=2", 1_296),
        ("spsc_ring", "K=2", 3),
        ("spsc_ring", "K=6", 243),
        ("spsc_ring", "K=8", 2_187),
    ];
    let explorers = [("optimal", &["sc", "tso", "pso"][..]), ("graph", &["sc", "tso", "rc11", "ra"])];
    for (name, sizes, executions) in known {
        for (explorer, models) in explorers {
            for model in models {
                let (_, result) = bench(name, sizes, &["--explorer", explorer, "--model", model]);
                assert_eq!(result["verdict"], "verified", "{name} {sizes} {model} {explorer}");
                assert_eq!(result["executions"], executions, "{name} {sizes} {model} {explorer}");
                assert_eq!(result["blocked"], 0, "{name} {sizes} {model} {explorer}");
            }
        }
    }
}

/// With `--symmetry`, one execution is left of those that differ by an exchange of threads that do the same: where all threads do, and
/// no two of them the same thing at the same time, that is one of T!. Rounds in which threads await a value are not left out then, so
/// where they do, the number itself is known: what is read in such rounds counts, too.
#[test]
fn executions_that_differ_by_an_exchange_of_threads_are_explored_once() {
    for (name, sizes, threads, awaiting) in [
        ("cas_increment", "T=3", 3, None),
        ("cas_increment", "T=4", 4, None),
        ("unused_add", "T=2 K=3", 2, None),
        ("pool", "T=3 FIXED", 3, None),
        ("allocation", "T=3 N=1 FIXED", 3, None),
        ("ticket_lock", "T=2 K=1", 2, Some(2)),
        ("ticket_lock", "T=4 K=1", 4, Some(64)),
        ("tas_lock", "T=3 K=1", 3, Some(7)),
        ("tas_lock", "T=2 K=2", 2, Some(17)),
    ] {
        for model in ["sc", "tso", "rc11", "ra"] {
            let explore = |options: &[&str]| {
                let (_, result) =
                    bench(name, sizes, &[&["--explorer", "graph", "--model", model], options].concat());
                assert_eq!(result["verdict"], "verified", "{name} {sizes} {model}");
                (result["executions"].as_u64().unwrap(), result["symmetric_threads"].as_u64())
            };
            let (some, symmetric) = explore(&["--symmetry"]);
            assert_eq!(symmetric, Some(threads), "{name} {sizes} {model}");
            let permutations = (1..=threads).product::<u64>();
            let all = awaiting.map_or_else(|| explore(&[]).0, |known| known * permutations);
            assert_eq!(some * permutations, all, "{name} {sizes} {model}");
            assert_eq!(
                explore(&["--symmetry", "--workers", "3"]),
                (some, symmetric),
                "{name} {sizes} {model}"
            );
        }
    }
}

/// Additions whose results nobody uses have no order among each other: one execution stands for all.
#[test]
fn unused_additions_are_explored_once() {
    for model in ["sc", "tso", "pso"] {
        for options in [&[][..], &["--explorer", "optimal"], &["--workers", "3"]] {
            let (_, result) = bench("unused_add", "T=3 K=4", &[&["--model", model][..], options].concat());
            assert_eq!(result["explorer"], "optimal", "{model} {options:?}");
            assert_eq!(result["verdict"], "verified", "{model} {options:?}");
            assert_eq!(result["executions"], 1, "{model} {options:?}");
            assert_eq!(result["blocked"], 0, "{model} {options:?}");
        }
    }
    // With a bound on preemptions, or for robustness, their order counts.
    let (_, bounded) = bench("unused_add", "T=2 K=2", &["--preemptions", "9"]);
    let (_, robust) = bench("unused_add", "T=2 K=2", &["--robust", "tso"]);
    assert!(bounded["executions"].as_u64() > Some(5));
    assert_eq!(robust["executions"], 6);
}

/// The programs in which threads wait are right.
#[test]
fn programs_with_waiting_threads_are_verified() {
    let programs = [
        ("cas_increment", "T=3"),
        ("clh_lock", "T=2"),
        ("elimination_stack", "T=2"),
        ("lazy_list", "T=2"),
        ("mcs_lock", "T=2"),
        ("seqlock_retry", "T=1"),
        ("spin_barrier", "T=2"),
        ("spin_rwlock", "T=1"),
        ("spsc_ring", "K=3"),
        ("steal_deque", "T=2 K=2"),
        ("tas_lock", "T=2"),
        ("ticket_lock", "T=2"),
        ("ttas_lock", "T=2"),
        ("unused_add", "T=3"),
    ];
    for (name, sizes) in programs {
        for model in ["sc", "rc11"] {
            let (_, result) = bench(name, sizes, &["--model", model]);
            assert_eq!(result["verdict"], "verified", "{name} {sizes} {model}");
        }
    }
}

/// An update that leaves the value as it is counts as one, whether it stands in a loop or not.
#[test]
fn updates_in_loops_are_updates() {
    let source = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y;\n\
                  static void *t(void *a) { for (int i = 0; i < 2; i++) atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);\n\
                  atomic_store(&y, 1); for (int i = 0; i < 1; i++) atomic_fetch_or(&y, 0); return a; }\n\
                  int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0), pthread_create(&q, 0, t, 0); t(0);\n\
                  pthread_join(p, 0), pthread_join(q, 0); return 0; }\n";
    let written_out = source
        .replace("for (int i = 0; i < 2; i++) atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);", {
            "atomic_fetch_add_explicit(&x, 0, memory_order_relaxed); atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);"
        })
        .replace("for (int i = 0; i < 1; i++) ", "");
    let folder = Folder::new();
    let count = |name: &str, text: &str, options: &[&str]| {
        let file = folder.write(name, text);
        let outcome = run(selvedge().args(["check", "--format", "json"]).args(options).arg(file));
        let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(result["verdict"], "verified", "{options:?}");
        result["executions"].as_u64().unwrap()
    };
    for options in [&["--model", "rc11"][..], &["--model", "ra"], &["--model", "sc", "--explorer", "graph"]] {
        let (in_loops, outside) = (count("loops.c", source, options), count("out.c", &written_out, options));
        assert_eq!(in_loops, outside, "{options:?}");
        assert!(in_loops > 1000);
    }
    // Where results are used, steps order such updates, too.
    let used = source
        .replace("(void *a) { for", "(void *a) { long sum = 0; for")
        .replace("atomic_fetch_", "sum += atomic_fetch_")
        .replace("return a;", "return (void *)sum;");
    let by_steps = count("used.c", &used, &["--model", "sc", "--explorer", "optimal"]);
    assert_eq!(by_steps, count("used.c", &used, &["--model", "sc", "--explorer", "graph"]));
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
    let same = [("pgsql", "N=3 T=4"), ("ms_queue", "ENQUEUERS=1 DEQUEUERS=2"), ("fib_bench", "N=2")];
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

/// Programs of the benchmarks in which nobody waits in a loop, no updates commute, and operations on synchronisation objects that
/// commute are not many.
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
    ("airline", "T=2 FIXED"),
    ("airline", "T=2 NDEBUG"),
    ("allocation", "N=1 FIXED"),
    ("allocation", "N=1 NDEBUG"),
    ("alpha2", "N=2"),
    ("bakery", "T=2 R=1"),
    ("barrier", "N=3 R=2"),
    ("bounded_buffer", "PRODUCERS=1 CONSUMERS=1 ITEMS=2"),
    ("bubble_sort", "N=2 FIXED"),
    ("bubble_sort", "N=3 ATOMIC NDEBUG"),
    ("burns", "T=2 R=1"),
    ("cas_increment", "T=2"),
    ("chase_lev", "T=1 K=1"),
    ("clh_lock", "T=2"),
    ("dekker", "R=1"),
    ("dekker_simple", "N=1"),
    ("elimination_stack", "T=1"),
    ("fib_bench", "N=1"),
    ("indexer", "N=2"),
    ("lamport_fast", "T=1 R=1"),
    ("lastzero", "N=3"),
    ("lazy_list", "T=2"),
    ("mcs_lock", "T=2"),
    ("microscope", "N=1"),
    ("ms_queue", "ENQUEUERS=1 DEQUEUERS=1"),
    ("nondet_array", "T=2"),
    ("peterson", "T=2 R=1"),
    ("peterson_rounds", "N=1"),
    ("pgsql", "T=2 N=1"),
    ("philosophers", "N=2 ORDERED"),
    ("philosophers", "N=2"),
    ("ping_pong", "T=2 ATOMIC"),
    ("ping_pong", "T=2 FIXED"),
    ("pool", "FIXED"),
    ("pool", "NDEBUG"),
    ("publication", "N=1"),
    ("readers", "N=3"),
    ("redundant_co", "N=1"),
    ("rvexample", "N=1 ATOMIC"),
    ("rwlock", "READERS=1 WRITERS=1"),
    ("rwlock_pthread", "READERS=2 WRITERS=1"),
    ("sb_ring", "T=2 K=1"),
    ("seqlock", "READERS=1 R=1"),
    ("seqlock_retry", "T=1"),
    ("spin_barrier", "T=2"),
    ("spin_rwlock", "T=1"),
    ("spsc_ring", "K=3"),
    ("stack_unsafe", "N=2 FIXED"),
    ("steal_deque", "T=1 K=1"),
    ("string_buffer", "FIXED"),
    ("string_buffer", "NDEBUG"),
    ("swsc_co1", "N=2"),
    ("swsc_co10", "N=2"),
    ("szymanski", "T=2 R=1 LOOKS=1"),
    ("tas_lock", "T=2 K=2"),
    ("thread_pool", "WORKERS=1 TASKS=1"),
    ("ticket_lock", "T=2 K=2"),
    ("toy", "OPS=2"),
    ("treiber", "PUSHERS=1 POPPERS=1"),
    ("ttas_lock", "T=2"),
    ("two_fib", "N=1"),
    ("unused_add", "T=2 K=2"),
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
