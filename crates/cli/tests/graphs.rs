//! Execution graphs in files: `--all-violations` and `--graph`.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Finished, Folder, Program, check_all, programs, run, selvedge};
use selvedge_trace::graph::{self, ExecutionGraph, Kind, Name, Node, Order, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Checks a file with some options, in a folder.
fn check(folder: &Folder, file: &str, options: &[&str]) -> Finished {
    run(selvedge().current_dir(folder.path()).arg("check").args(options).arg(file))
}

/// The graphs in a file.
fn read(path: &str) -> Vec<ExecutionGraph> {
    let text = std::fs::read(path).unwrap();
    let graphs: Result<Vec<_>, _> = graph::read(&text[..]).collect();
    graphs.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All violating executions of a program, and what was said of them.
fn all_violations(folder: &Folder, source: &str, options: &[&str]) -> (Vec<ExecutionGraph>, Finished) {
    let (file, graphs) = (folder.write("program.c", source), folder.file("graphs.jsonl"));
    let outcome = check(folder, &file, &[&["--all-violations", &graphs][..], options].concat());
    assert!(matches!(outcome.code, Some(0 | 1)), "{}", outcome.stderr);
    (read(&graphs), outcome)
}

const RC11: &[&str] = &["--model", "rc11"];

const BEGINNING: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define RELAXED memory_order_relaxed
#define LOAD(x) atomic_load_explicit(&x, ORDER)
#define STORE(x, v) atomic_store_explicit(&x, v, ORDER)
#ifndef ORDER
#define ORDER RELAXED
#endif
static atomic_int x, y, z;
static int a, b;
static void run(void *(*f)(void *), void *(*g)(void *)) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
"#;

/// Store buffering.
const STORE_BUFFERING: &str = r#"
static void *f(void *p) { STORE(x, 1); a = LOAD(y); return p; }
static void *g(void *p) { STORE(y, 1); b = LOAD(x); return p; }
int main(void) { run(f, g); assert(CONDITION); }
"#;

/// Three writes, of which any may be the last.
const WRITES: &str = r#"
static void *f(void *p) { STORE(x, 1); return p; }
static void *g(void *p) { STORE(x, 2); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  run(g, g);
  pthread_join(t, 0);
  assert(CONDITION);
}
"#;

/// Two plain increments.
const RACE: &str = r#"
static void *f(void *p) { a++; return p; }
int main(void) { run(f, f); }
"#;

/// Two locks in both orders.
const DEADLOCK: &str = r#"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *p) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
  return p;
}
static void *g(void *p) {
  pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);
  return p;
}
int main(void) { run(f, g); }
"#;

/// A flag that is raised only if it is seen.
const LIVELOCK: &str = r#"
static void *f(void *p) { while (!LOAD(x)) {} return p; }
static void *g(void *p) { if (LOAD(y)) STORE(x, 1); STORE(y, 1); return p; }
int main(void) { run(f, g); }
"#;

/// A use after free, if the pointer is seen; and what is at the beginning of a list.
const FREED: &str = r#"
struct item { int value; atomic_int next; };
static struct item *_Atomic head;
static void *f(void *p) {
  struct item *item = malloc(sizeof *item);
  atomic_init(&item->next, 7);
  atomic_store(&head, item);
  atomic_fetch_add(&item->next, 1);
  free(item);
  return p;
}
static void *g(void *p) {
  struct item *item = atomic_load(&head);
  if (item) atomic_fetch_add(&item->next, 1);
  return p;
}
int main(void) { run(f, g); }
"#;

#[test]
fn every_violating_graph_is_written_once() {
    let cases = [
        // Each of the two reads sees either value.
        (STORE_BUFFERING, "a + b != 0", "relaxed", 4, 1),
        (STORE_BUFFERING, "a + b == 0", "relaxed", 4, 3),
        (STORE_BUFFERING, "0", "relaxed", 4, 4),
        (STORE_BUFFERING, "a + b != 0", "seq_cst", 3, 0),
        // Orders of three writes, two of which are the same.
        (WRITES, "x != 1", "relaxed", 6, 2),
        (WRITES, "x != 2", "relaxed", 6, 4),
        // Both read the first value (two orders of the writes), or one reads what the other wrote.
        (RACE, "1", "relaxed", 4, 4),
        // One takes both first, or the other does, or each takes one.
        (DEADLOCK, "1", "relaxed", 3, 1),
        // Nothing is seen, or only one of both.
        (LIVELOCK, "1", "relaxed", 1, 1),
    ];
    for (program, condition, order, executions, violating) in cases {
        let folder = Folder::new();
        let seq_cst = if order == "seq_cst" { "#define ORDER memory_order_seq_cst\n" } else { "" };
        let source = format!("{seq_cst}{BEGINNING}\n#define CONDITION ({condition})\n{program}");
        let (graphs, outcome) = all_violations(&folder, &source, RC11);
        assert!(
            outcome.stdout.contains(&format!(" {executions} executions, 0 blocked")),
            "{}",
            outcome.stdout
        );
        assert_eq!(graphs.len(), violating, "{condition} {program}\n{}", outcome.stdout);
        let plural = if violating == 1 { "" } else { "s" };
        let said = format!("\n{violating} violating execution{plural} written to ");
        assert!(outcome.stdout.contains(&said) || violating == 0, "{}", outcome.stdout);
        let texts: BTreeSet<String> = graphs.iter().map(ExecutionGraph::to_line).collect();
        assert_eq!(texts.len(), violating, "the same graph twice");
        for graph in &graphs {
            assert_eq!(graph.model, "rc11");
            is_sound(graph).unwrap();
        }
        let text = std::fs::read_to_string(folder.file("graphs.jsonl")).unwrap();
        assert_eq!(text.lines().count(), violating);
    }
}

/// Nodes that can be reached.
fn reachable(pairs: &[(Name, Name)], from: Name) -> BTreeSet<Name> {
    let mut next: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
    for (one, other) in pairs {
        next.entry(*one).or_default().push(*other);
    }
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(node) = open.pop() {
        for to in next.get(&node).into_iter().flatten() {
            if seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    seen
}

/// What is true of every graph.
fn is_sound(graph: &ExecutionGraph) -> Result<(), String> {
    let problem = |text: String| Err(format!("{text}\n{}", graph.to_line()));
    if graph.violations.is_empty() {
        return problem("nothing is wrong".to_owned());
    }
    for (list, pairs) in [("po", &graph.po), ("hb", &graph.hb), ("psc", &graph.psc)] {
        for node in &graph.nodes {
            if reachable(pairs, node.name).contains(&node.name) {
                return problem(format!("a cycle of {list} at {}", node.name));
            }
        }
    }
    for (one, other) in &graph.po {
        if one.thread != other.thread || one.index + 1 != other.index {
            return problem(format!("po from {one} to {other}"));
        }
        if !reachable(&graph.hb, *one).contains(other) {
            return problem(format!("{one} does not happen before {other}"));
        }
    }
    for (one, other) in &graph.hb {
        let rest: Vec<(Name, Name)> =
            graph.hb.iter().copied().filter(|pair| *pair != (*one, *other)).collect();
        if reachable(&rest, *one).contains(other) {
            return problem(format!("hb from {one} to {other} follows from the rest"));
        }
    }
    for node in &graph.nodes {
        let sources: Vec<Source> =
            graph.rf.iter().filter(|(_, read)| *read == node.name).map(|(source, _)| *source).collect();
        let (true, Some(location)) = (node.kind.reads(), node.location.map(|at| &graph.locations[at])) else {
            if !sources.is_empty() {
                return problem(format!("{} reads nothing", node.name));
            }
            continue;
        };
        let [source] = sources[..] else {
            return problem(format!("{} reads from {} writes", node.name, sources.len()));
        };
        let value = match source {
            Source::Initial => &location.bits,
            Source::Node(write) => &graph.node(write).unwrap().bits,
        };
        if *value != node.bits {
            return problem(format!("{} has not read what was written", node.name));
        }
        let next = match source {
            Source::Initial => 0,
            Source::Node(write) => location.mo.iter().position(|other| *other == write).unwrap() + 1,
        };
        let next = location.mo.get(next).copied();
        let own = Name { index: node.name.index + 1, ..node.name };
        let expected = next.filter(|next| match node.kind {
            Kind::Wake => false,
            Kind::UpdateRead => *next != own,
            _ => true,
        });
        let rb = graph.rb.iter().find(|(read, _)| *read == node.name).map(|(_, write)| *write);
        if rb != expected {
            return problem(format!("{} is before {rb:?}, not {expected:?}", node.name));
        }
    }
    Ok(())
}

/// Whatever is wrong with a program: the file can be read, and makes sense.
#[test]
fn graphs_of_all_test_programs_are_sound() {
    let mut programs = programs("check");
    // Those with options of their own are about something else.
    programs.retain(|program| {
        let words = ["--explorer", "--robust", "--preemptions", "--workers"];
        !program.selvedge.iter().any(|word| words.contains(&word.as_str()))
    });
    for program in &mut programs {
        if let Some(at) = program.selvedge.iter().position(|word| word == "--model") {
            program.selvedge.drain(at..at + 2);
        }
    }
    let mut seen = BTreeSet::new();
    programs.retain(|program| {
        seen.insert((program.path.clone(), program.selvedge.clone(), program.flags.clone()))
    });
    check_all(&programs, graphs_are_sound);
}

fn graphs_are_sound(program: &Program) -> Result<(), String> {
    let folder = Folder::new();
    let (graphs, picture) = (folder.file("graphs.jsonl"), folder.file("graph.dot"));
    let mut command = selvedge();
    command.current_dir(folder.path()).args(["check", "--model", "rc11"]);
    command.args(["--max-executions", "100", "--time-limit", "10", "--format", "json"]);
    command.args(["--all-violations", &graphs, "--graph", &picture]);
    command.args(&program.selvedge).arg(&program.path).args(["--", "-w"]).args(&program.flags);
    let outcome = run(&mut command);
    outcome.is_no_panic();
    let result: serde_json::Value = match outcome.code {
        // Something unsupported: then nothing is written.
        Some(2) if !Path::new(&graphs).exists() => return Ok(()),
        Some(0 | 1 | 3) => serde_json::from_str(&outcome.stdout).map_err(|error| error.to_string())?,
        code => return Err(format!("exit code {code:?}\n{}", outcome.stderr)),
    };
    let found = read(&graphs);
    if result["all_violations"]["graphs"] != found.len() {
        return Err(format!("{} graphs: {}", found.len(), result["all_violations"]));
    }
    let kinds = |violations: &[serde_json::Value]| -> BTreeSet<String> {
        violations.iter().map(|violation| violation["kind"].as_str().unwrap().to_owned()).collect()
    };
    let reported = kinds(result["violations"].as_array().unwrap());
    let written: BTreeSet<String> =
        found.iter().flat_map(|graph| &graph.violations).map(|violation| violation.kind.clone()).collect();
    // What was found last may not have come to its end when a limit stopped the exploration.
    if !written.is_subset(&reported)
        || (outcome.code != Some(3) && result["limits"] == serde_json::json!([]) && written != reported)
    {
        return Err(format!("{reported:?} reported, {written:?} written"));
    }
    if Path::new(&picture).exists() == reported.is_empty() {
        return Err("a picture of nothing, or none of something".to_owned());
    }
    found.iter().try_for_each(is_sound)
}

#[test]
fn a_graph_has_names_values_orders_and_places() {
    let folder = Folder::new();
    let source = format!("{BEGINNING}{FREED}");
    let (graphs, outcome) = all_violations(&folder, &source, RC11);
    assert_eq!(outcome.code, Some(1));
    let graph = graphs
        .iter()
        .find(|graph| {
            graph.violations[0].kind == "use-after-free" && graph.violations[0].thread.number() == 2
        })
        .expect("the second thread sees the object");
    is_sound(graph).unwrap();
    assert_eq!(graph.files, [folder.file("program.c")]);
    let functions: Vec<&str> = graph.threads.iter().map(|thread| thread.function.as_str()).collect();
    assert_eq!(functions, ["main", "f", "g"]);
    let own = |thread: usize| -> Vec<&Node> {
        graph.nodes.iter().filter(|node| node.name.thread.number() == thread).collect()
    };
    let [store, read, write, free] = own(1)[..] else { panic!("{}", graph.to_line()) };
    assert_eq!((store.kind, store.order), (Kind::Write, Some(Order::SeqCst)));
    assert_eq!(store.variable.as_deref(), Some("head"));
    assert_eq!((read.kind, read.operation.as_str()), (Kind::UpdateRead, "fetch_add"));
    assert_eq!((read.value.as_deref(), write.value.as_deref()), (Some("7"), Some("8")));
    assert_eq!((write.kind, write.bits.as_deref()), (Kind::UpdateWrite, Some("0x8")));
    assert_eq!(read.variable.as_deref(), Some("item->next"));
    assert_eq!((free.kind, free.operation.as_str()), (Kind::Other, "free"));
    let place = &read.place;
    let line = source.lines().position(|line| line.contains("fetch_add(&item->next")).unwrap() as u32 + 1;
    assert_eq!((place.line, place.function.as_str()), (line, "f"));
    assert!(place.column > 1 && place.file.ends_with("program.c"), "{place:?}");
    // What is wrong happens in the last node of the thread.
    let last = own(2).last().unwrap().name;
    assert_eq!(graph.violations[0].nodes, [last]);
    assert!(graph.locations.iter().any(|location| location.name == "head" && location.mo.len() == 1));
    // The two accesses to the pointer, one after the other.
    assert!(graph.psc.contains(&(store.name, own(2)[0].name)), "{:?}", graph.psc);
}

#[test]
fn what_waits_for_ever_is_said() {
    let folder = Folder::new();
    let (graphs, _) = all_violations(&folder, &format!("{BEGINNING}{DEADLOCK}"), RC11);
    let violation = &graphs[0].violations[0];
    assert_eq!(violation.kind, "deadlock");
    let waits: Vec<&Node> = violation.nodes.iter().map(|name| graphs[0].node(*name).unwrap()).collect();
    let told: Vec<(&str, Option<&str>)> =
        waits.iter().map(|node| (node.operation.as_str(), node.variable.as_deref())).collect();
    assert_eq!(told, [("join thread 1", None), ("lock", Some("n")), ("lock", Some("m"))]);
    assert!(waits.iter().all(|node| node.kind == Kind::Wait));
    let names: Vec<&str> = graphs[0].locations.iter().map(|location| location.name.as_str()).collect();
    assert!(names.contains(&"m") && names.contains(&"n"), "{names:?}");
    let (graphs, _) = all_violations(&folder, &format!("{BEGINNING}{LIVELOCK}"), RC11);
    let violation = &graphs[0].violations[0];
    assert_eq!((violation.kind.as_str(), violation.thread.number()), ("livelock", 1));
}

/// Something that goes wrong before there is anything to choose is an execution, too.
#[test]
fn a_program_that_fails_at_once_has_a_graph() {
    let folder = Folder::new();
    let (graphs, _) = all_violations(&folder, "#include <assert.h>\nint main(void) { assert(0); }\n", RC11);
    assert_eq!(graphs.len(), 1);
    assert_eq!(graphs[0].violations[0].kind, "assertion");
    assert!(graphs[0].nodes.is_empty());
}

/// Executions that an assumption ends are none of the program.
#[test]
fn executions_that_are_cut_are_not_written() {
    let folder = Folder::new();
    let source = format!(
        "#include <selvedge.h>\n{BEGINNING}
        static void *f(void *p) {{ STORE(x, 1); return p; }}
        static void *g(void *p) {{ a = LOAD(x); selvedge_assume(a == 1); return p; }}
        int main(void) {{ run(f, g); assert(a == 0); }}"
    );
    let (graphs, outcome) = all_violations(&folder, &source, RC11);
    assert!(outcome.stdout.contains(" 1 executions, 1 blocked"), "{}", outcome.stdout);
    assert_eq!(graphs.len(), 1);
}

/// What is allowed is not written either.
#[test]
fn what_is_allowed_is_not_written() {
    let folder = Folder::new();
    let options = [RC11, &["--allow", "data-race"]].concat();
    let (graphs, outcome) = all_violations(&folder, &format!("{BEGINNING}{RACE}"), &options);
    assert_eq!((outcome.code, graphs.len()), (Some(0), 0));
    assert!(outcome.stdout.contains("\n0 violating executions written to "), "{}", outcome.stdout);
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let folder = Folder::new();
    let file = folder.write("program.c", format!("{BEGINNING}{RACE}"));
    let below_a_file = folder.write("a_file", "") + "/below";
    for (option, path) in [
        ("--all-violations", below_a_file.clone()),
        ("--all-violations", folder.file("no/such/folder")),
        ("--all-violations", folder.path().display().to_string()),
        ("--graph", below_a_file + ".dot"),
        ("--graph", folder.file("no/such/folder.dot")),
    ] {
        let outcome = check(&folder, &file, &[RC11, &[option, &path]].concat());
        outcome.fails_with(2, &["error: ", " cannot be written: ", &path]);
        assert_eq!(outcome.stdout, "", "it is said before anything is explored");
    }
    if Path::new("/dev/full").exists() {
        for option in ["--all-violations", "--graph"] {
            let full = folder.file("full.dot");
            if !Path::new(&full).exists() {
                std::os::unix::fs::symlink("/dev/full", &full).unwrap();
            }
            let outcome = check(&folder, &file, &[RC11, &[option, &full]].concat());
            outcome.fails_with(2, &["error: ", "full.dot cannot be written: No space left on device"]);
        }
    }
}

#[test]
fn nothing_is_overwritten_by_a_check_that_cannot_start() {
    let folder = Folder::new();
    let (graphs, picture) = (folder.write("graphs.jsonl", "precious"), folder.write("graph.dot", "precious"));
    let options = [RC11, &["--all-violations", &graphs, "--graph", &picture, "--schedule", "s"]].concat();
    let keeps = |source: &str, code: i32| {
        let file = folder.write("program.c", source);
        let outcome = check(&folder, &file, &options);
        assert_eq!(outcome.code, Some(code), "{}", outcome.stderr);
        for path in [&graphs, &picture] {
            assert_eq!(std::fs::read_to_string(path).unwrap(), "precious");
        }
        // Nothing is left lying about.
        let mut names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["graph.dot", "graphs.jsonl", "program.c"]);
    };
    keeps("int main(void) { return }\n", 2);
    let unsupported = "#include <pthread.h>\nint nobody_knows(void);\n\
        static void *f(void *p) { nobody_knows(); return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }\n";
    keeps(unsupported, 2);
    // A picture of nothing is not drawn.
    let file = folder.write("program.c", "int main(void) { return 0; }\n");
    let outcome = check(&folder, &file, &options);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("nothing to draw"), "{}", outcome.stdout);
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), "precious");
    assert_eq!(std::fs::read_to_string(&graphs).unwrap(), "");
}

/// Links stay links, and permissions stay what they were.
#[test]
fn files_keep_what_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.write("program.c", format!("{BEGINNING}{RACE}"));
    let target = folder.write("target.jsonl", "old");
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o640)).unwrap();
    let link = folder.file("link.jsonl");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let outcome = check(&folder, &file, &[RC11, &["--all-violations", &link]].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(read(&target).len(), 4);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = Folder::new();
    let file = folder.write("program.c", format!("{BEGINNING}{RACE}"));
    let refused = |options: &[&str], texts: &[&str]| check(&folder, &file, options).fails_with(2, texts);
    for option in ["--all-violations", "--graph"] {
        refused(&["--model", "sc", option, "x.dot"], &[option, "the explorer `graph`", "not `optimal`"]);
        refused(&["--model", "tso", "--explorer", "random", option, "x.dot"], &[option, "not `random`"]);
        // Although there is nothing wrong with this one, and graphs would be explored if they were not asked for.
        let right = folder.write("right.c", "int main(void) { return 0; }");
        check(&folder, &right, &[option, "x.dot"]).fails_with(2, &[option, "not `optimal`"]);
    }
    refused(&[RC11, &["--graph", "x.png"]].concat(), &["`x.png` ends neither in .dot nor in .svg"]);
    refused(&[RC11, &["--graph", "x"]].concat(), &["`x` ends neither in .dot nor in .svg"]);
    refused(&[RC11, &["--graph", "x.dot", "--all-violations", "x.dot"]].concat(), &["one file"]);
    refused(
        &[RC11, &["--all-violations", "x.dot", "--workers", "2"]].concat(),
        &["--all-violations", "one worker"],
    );
    assert!(!Path::new(&folder.file("x.dot")).exists());
}

/// What `dot` says of a text, if it is installed.
fn dot(arguments: &[&str]) -> Option<Finished> {
    let installed = std::process::Command::new("dot").arg("-V").output().is_ok();
    if !installed {
        eprintln!("skipped: Graphviz is not installed");
        return None;
    }
    Some(run(std::process::Command::new("dot").args(arguments)))
}

#[test]
fn a_picture_is_drawn() {
    let folder = Folder::new();
    let source = format!("{BEGINNING}#define CONDITION (a + b != 0)\n{STORE_BUFFERING}");
    let file = folder.write("program.c", &source);
    let picture = folder.file("graph.dot");
    let outcome = check(&folder, &file, &[RC11, &["--graph", &picture]].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains(&format!("\nthe execution graph of the first violation is in {picture}\n"))
    );
    let text = std::fs::read_to_string(&picture).unwrap();
    let line = |what: &str| source.lines().position(|line| line.contains(what)).unwrap() + 1;
    let (first, second) = (line("STORE(x, 1);"), line("STORE(y, 1);"));
    for expected in [
        "label=\"assertion `CONDITION` failed  program.c:".to_owned(),
        "label=\"thread 1 (f)\"".to_owned(),
        "label=\"thread 2 (g)\"".to_owned(),
        format!("n1_0 [label=\"x.store(1, relaxed)  program.c:{first}\"]"),
        format!("n2_1 [label=\"x.load(relaxed) → 0  program.c:{second}\"]"),
        "label=\"x = 0, initially\"".to_owned(),
        "n2_1 -> n1_0 [label=rb, ".to_owned(),
        "n1_0 -> n1_1 [color=".to_owned(),
        "color=\"#cf222e\", fillcolor=\"#ffdddd\"".to_owned(),
        "legend [".to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected}\n{text}");
    }
    if let Some(drawn) = dot(&["-Tsvg", &picture]) {
        assert_eq!((drawn.code, drawn.stderr.as_str()), (Some(0), ""));
        assert!(drawn.stdout.contains("<svg"), "{}", drawn.stdout);
    }
}

#[test]
fn a_picture_can_be_drawn_by_graphviz() {
    if dot(&["-V"]).is_none() {
        return;
    }
    let folder = Folder::new();
    // Names and messages with all that could be mistaken for something else.
    let odd = format!(
        "{BEGINNING}static struct {{ atomic_int c[2]; }} s;
        static void *f(void *p) {{ atomic_fetch_add(&s.c[1], 1); return p; }}
        static void *g(void *p) {{ assert(\"<b>\\\"\\\\&lt;{{|}}\\n\" && s.c[1] == 0); return p; }}
        int main(void) {{ run(f, g); }}"
    );
    for source in [&odd, &format!("{BEGINNING}{DEADLOCK}"), &format!("{BEGINNING}{LIVELOCK}")] {
        let file = folder.write("odd \"name\" & <b>.c", source);
        let picture = folder.file("graph.svg");
        let outcome = check(&folder, &file, &[RC11, &["--graph", &picture]].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""), "{}", outcome.stdout);
        let text = std::fs::read_to_string(&picture).unwrap();
        assert!(text.contains("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
        assert!(!text.contains("<b>") && text.contains("thread 2 (g)"), "{text}");
    }
}

/// Without Graphviz there is no .svg, which is said at once; a .dot there is.
#[test]
fn graphviz_is_needed_for_svg_only() {
    let folder = Folder::new();
    let file = folder.write("program.c", format!("{BEGINNING}{RACE}"));
    // A folder with the compiler only.
    let clang = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join(common::CLANG))
        .find(|path| path.exists())
        .expect("the compiler");
    std::os::unix::fs::symlink(clang, folder.path().join(common::CLANG)).unwrap();
    let without = |picture: &str| {
        let mut command = selvedge();
        command.current_dir(folder.path()).env("PATH", folder.path());
        run(command.args(["check", &file, "--model", "rc11", "--graph", picture]))
    };
    let outcome = without("graph.svg");
    outcome.fails_with(2, &["`dot` was not found", "install Graphviz", "ends in .dot"]);
    assert_eq!(outcome.stdout, "");
    let outcome = without("graph.dot");
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(Path::new(&folder.file("graph.dot")).exists());
}

#[test]
fn a_trace_says_what_reads_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let folder = Folder::new();
    let check = |name: &str, options: &[&str]| {
        check(&folder, root.join("examples").join(name).to_str().unwrap(), &[RC11, options].concat())
    };
    let outcome = check("mp_relaxed.c", &[]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("data → 0 (initial, not 1 of step 3)"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("flag → 1\n"), "{}", outcome.stdout);
    let replayed =
        run(selvedge().current_dir(folder.path()).args(["replay", ".selvedge/mp_relaxed-assertion-26.json"]));
    assert!(replayed.stdout.contains("data → 0 (initial, not 1 of step 3)"), "{}", replayed.stdout);
    let outcome = check("mp_relaxed.c", &["--format", "json"]);
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let trace = result["violations"][0]["trace"].as_array().unwrap();
    let of = |text: &str| {
        let step = trace.iter().find(|step| step["operation"].as_str().unwrap().starts_with(text)).unwrap();
        step.get("reads_from").cloned()
    };
    assert_eq!(of("data = 1"), None, "a store reads nothing");
    assert_eq!(of("flag → 1"), Some(serde_json::json!({ "step": 4 })));
    assert_eq!(of("data → 0"), Some(serde_json::json!({ "step": null })));
    let outcome = check("mp_release_acquire.c", &[]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stdout);
    // Where the order of the steps says it all, nothing is added to the words.
    let lost_update = |options: &[&str]| {
        let mut command = selvedge();
        command.current_dir(folder.path()).args(["check", "--model", "sc"]).args(options);
        run(command.arg(root.join("examples/lost_update.c"))).stdout
    };
    assert!(!lost_update(&[]).contains("of step"));
    let result: serde_json::Value = serde_json::from_str(&lost_update(&["--format", "json"])).unwrap();
    let trace = result["violations"][0]["trace"].as_array().unwrap();
    let reads = trace.iter().filter(|step| step["kind"] == "load");
    let sources = reads.filter_map(|read| Some((read, read["reads_from"]["step"].as_u64()?)));
    let pairs: Vec<_> =
        sources.map(|(read, step)| (&read["read"], &trace[step as usize - 1]["written"])).collect();
    assert!(!pairs.is_empty() && pairs.iter().all(|(read, written)| read == written), "{pairs:?}");
}

/// A write that counts as earlier than another one, although it is performed later.
#[test]
fn a_trace_says_where_writes_come() {
    let folder = Folder::new();
    let source = format!("{BEGINNING}#define CONDITION (x != 1)\n{WRITES}");
    let file = folder.write("program.c", &source);
    let outcome = check(&folder, &file, RC11);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let text = &outcome.stdout;
    assert!(text.contains("x = 2 (before ") && text.contains("x → 1 (of step "), "{text}");
}
