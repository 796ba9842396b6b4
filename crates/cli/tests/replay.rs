//! `selvedge replay`: what a schedule leads to is what its file says, or it is refused; and a file can do nothing else.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Finished, Folder, Program, check_all, programs, run, selvedge};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Who finds violations: explorers, models, and what else schedules depend on.
const WAYS: &[&str] = &[
    "--model sc --explorer optimal",
    "--model sc --explorer source",
    "--model sc --explorer classic",
    "--model sc --explorer exhaustive",
    "--model sc --explorer context",
    "--model sc --explorer random",
    "--model sc --explorer pct",
    "--model sc --explorer vieq",
    "--model sc --explorer mcr",
    "--model sc --explorer se-mcr",
    "--model sc --explorer graph",
    "--model sc",
    "",
    "--model tso --explorer optimal",
    "--model tso --explorer source",
    "--model tso --explorer classic",
    "--model tso --explorer exhaustive",
    "--model tso --explorer context",
    "--model tso --explorer random",
    "--model tso --explorer pct",
    "--model tso --explorer vieq",
    "--model tso --explorer mcr",
    "--model tso --explorer se-mcr",
    "--model tso --explorer graph",
    "--model pso --explorer optimal",
    "--model pso --explorer source",
    "--model pso --explorer classic",
    "--model pso --explorer exhaustive",
    "--model pso --explorer context",
    "--model pso --explorer random",
    "--model pso --explorer pct",
    "--model pso --explorer vieq",
    "--model pso --explorer mcr",
    "--model pso --explorer se-mcr",
    "--model rc11",
    "--model ra",
    "--robust tso",
    "--robust pso",
    "--model sc --keep-going",
    "--model sc --explorer graph --keep-going",
    "--model tso --explorer optimal --keep-going",
    "--model rc11 --keep-going",
    "--model sc --explorer optimal --preemptions 2",
    "--model sc --explorer mcr --predict",
    "--model pso --explorer se-mcr --predict",
];

/// Options of programs that a way replaces, and how many words they are.
const REPLACED: &[(&str, usize)] = &[
    ("--model", 2),
    ("--explorer", 2),
    ("--robust", 2),
    ("--workers", 2),
    ("--preemptions", 2),
    ("--patience", 2),
    ("--predict", 1),
    ("--keep-going", 1),
];

/// The programs in which something is wrong, whatever that is.
fn wrong_programs() -> Vec<Program> {
    let is_wrong = |program: &Program| {
        let expected = program.expect.as_deref().unwrap_or_default();
        !["", "ok", "verified", "bounded", "incomplete"].contains(&expected)
            && !expected.starts_with("unsupp")
    };
    let mut programs = [programs("check"), programs("memory"), programs("fuzz")].concat();
    programs.retain(is_wrong);
    assert!(programs.len() > 200, "{}", programs.len());
    for program in &mut programs {
        for (name, words) in REPLACED {
            while let Some(at) = program.selvedge.iter().position(|word| word == name) {
                program.selvedge.drain(at..at + words);
            }
        }
    }
    programs.dedup_by_key(|program| (program.path.clone(), program.selvedge.clone(), program.flags.clone()));
    programs
}

fn parsed(outcome: &Finished) -> Result<Value, String> {
    serde_json::from_str(&outcome.stdout).map_err(|error| format!("{error}: {}", outcome.stderr))
}

/// Checks a program in a way, and replays each schedule. Gives how many there were.
fn replay_all(program: &Program, way: &str) -> Result<usize, String> {
    let folder = Folder::new();
    let mut command = selvedge();
    command.args(["check", "--format", "json", "--time-limit", "2", "--max-executions", "2000"]);
    command.args(["--schedule", &folder.file("s.json")]).args(&program.selvedge);
    command.args(way.split_whitespace()).arg(&program.path).args(["--", "-w"]).args(&program.flags);
    let checked = run(&mut command);
    checked.is_no_panic();
    if checked.code != Some(1) {
        return Ok(0);
    }
    let checked = parsed(&checked)?;
    let violations = checked["violations"].as_array().ok_or("no violations")?;
    for violation in violations {
        let path = violation["schedule"].as_str().ok_or("no schedule")?;
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let replayed = run(selvedge().args(["replay", "--format", "json", path]));
        if replayed.code != Some(1) {
            return Err(format!("{way}: {}, then exit code {:?}: {}", file, replayed.code, replayed.stderr));
        }
        let again = &parsed(&replayed)?["violations"][0];
        if again != violation {
            return Err(format!("{way}: {violation:#}\nreplayed: {again:#}"));
        }
        if file["violation"] != violation["kind"] {
            return Err(format!("{way}: {}, but the file says {}", violation["kind"], file["violation"]));
        }
    }
    Ok(violations.len())
}

/// Each program with a wrong execution in some of the ways, all ways with some program.
#[test]
fn every_schedule_replays_to_what_its_file_says() {
    const EACH: usize = 1;
    let programs = wrong_programs();
    let (turn, replayed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check_all(&programs, |program| {
        let turn = EACH * turn.fetch_add(1, Ordering::Relaxed);
        for at in turn..turn + EACH {
            replayed.fetch_add(replay_all(program, WAYS[at % WAYS.len()])?, Ordering::Relaxed);
        }
        Ok(())
    });
    let replayed = replayed.into_inner();
    eprintln!("{replayed} schedules of {} programs", programs.len());
    assert!(replayed > programs.len() / 2, "{replayed} of {}", programs.len());
}

/// The same with all programs in all ways. Takes long: `cargo test --release -p selvedge --test replay -- --ignored`.
#[test]
#[ignore = "takes half an hour"]
fn every_schedule_of_every_explorer_replays() {
    check_all(&wrong_programs(), |program| {
        let problems: Vec<String> = WAYS.iter().filter_map(|way| replay_all(program, way).err()).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    });
}

/// A program, checked: the folder, its schedule as a value, and where it is.
struct Checked {
    folder: Folder,
    schedule: Value,
    path: String,
}

impl Checked {
    fn new(source: &str, options: &[&str]) -> Self {
        let folder = Folder::new();
        let (file, path) = (folder.write("program.c", source), folder.file("s.json"));
        let outcome = run(selvedge().args(["check", &file, "--schedule", &path]).args(options));
        assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
        let schedule = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        Self { folder, schedule, path }
    }

    /// Replays the schedule after something was done to it.
    fn replay(&self, options: &[&str], change: impl FnOnce(&mut Value)) -> Finished {
        let mut schedule = self.schedule.clone();
        change(&mut schedule);
        std::fs::write(&self.path, schedule.to_string()).unwrap();
        run(selvedge().args(["replay", &self.path]).args(options).current_dir(self.folder.path()))
    }
}

const DEADLOCK: &str = r#"
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *x) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
}
"#;

/// Graphs end where nobody can go on, too, and only there.
#[test]
fn a_schedule_of_graphs_ends_where_nobody_can_go_on() {
    for model in ["sc", "tso", "rc11", "ra"] {
        let checked = Checked::new(DEADLOCK, &["--model", model, "--explorer", "graph"]);
        let whole = checked.replay(&[], |_| ());
        assert_eq!(whole.code, Some(1), "{model}: {}", whole.stderr);
        assert!(whole.stdout.contains("error[deadlock]: "), "{model}: {}", whole.stdout);
        let cut = checked.replay(&[], |schedule| schedule["steps"].as_array_mut().unwrap().truncate(2));
        cut.fails_with(2, &["but it leads to nothing that is wrong", "`deadlock` at "]);
    }
}

const RACE_AND_FREED: &str = r#"
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *f(void *x) { *p = 1; return x; }
int main(void) {
  p = malloc(sizeof *p);
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  free(p);
  pthread_join(t, 0);
}
"#;

/// One step is a data race and a use after free: each has its schedule.
#[test]
fn what_is_wrong_in_two_ways_is_replayed_in_each() {
    let kinds = |outcome: &Finished| {
        let heads = outcome.stdout.lines().filter_map(|line| line.strip_prefix("error[")?.split(']').next());
        heads.map(str::to_owned).collect::<Vec<String>>()
    };
    for explorer in ["optimal", "graph", "exhaustive"] {
        let checked =
            Checked::new(RACE_AND_FREED, &["--explorer", explorer, "--model", "sc", "--keep-going"]);
        let first = checked.replay(&[], |_| ());
        assert_eq!(first.code, Some(1), "{}", first.stderr);
        assert_eq!(kinds(&first), [checked.schedule["violation"].as_str().unwrap()], "{explorer}");
    }
}

const LOST: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *a) { x = x + 1; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = x + 1;
  pthread_join(t, 0);
  assert(x == 2);
}
"#;

#[test]
fn a_file_that_says_something_else_is_refused() {
    for explorer in ["optimal", "graph"] {
        let checked = Checked::new(LOST, &["--model", "sc", "--explorer", explorer]);
        assert_eq!(checked.schedule["version"], 4);
        assert_eq!(checked.schedule["thread"], "0");
        assert!(checked.schedule["place"].as_str().unwrap().ends_with("program.c:12:3"));
        assert_eq!(checked.replay(&[], |_| ()).code, Some(1));
        for (field, value) in
            [("violation", "deadlock"), ("place", "program.c:11:3"), ("thread", "1"), ("violation", "odd")]
        {
            let outcome = checked.replay(&[], |schedule| schedule[field] = value.into());
            outcome.fails_with(2, &["the file says", value, "it leads to `assertion` at ", "(thread 0)"]);
        }
        let nothing = &["it leads to nothing that is wrong"];
        checked.replay(&[], |schedule| schedule["steps"] = json!([])).fails_with(2, nothing);
        let cut = |schedule: &mut Value| drop(schedule["steps"].as_array_mut().unwrap().pop());
        checked.replay(&[], cut).fails_with(2, nothing);
        // What a load of a graph sees must be possible, too.
        if explorer == "graph" {
            let steps = checked.schedule["steps"].as_array().unwrap();
            let last = steps.len() - 1;
            let outcome = checked.replay(&[], |schedule| schedule["steps"][last] = "0:7".into());
            outcome.fails_with(2, &[&format!("does not follow the schedule at step {}", last + 1)]);
        }
    }
}

/// A thread that waits already cannot begin to wait.
#[test]
fn a_thread_blocks_once() {
    let checked = Checked::new(DEADLOCK, &["--model", "sc", "--explorer", "graph"]);
    let block = u32::MAX.to_string();
    let outcome = checked.replay(&[], |schedule| {
        let steps = schedule["steps"].as_array_mut().unwrap();
        let at = steps.iter().position(|step| step.as_str().unwrap().ends_with(&block)).unwrap();
        let step = steps[at].clone();
        steps.insert(at, step);
    });
    outcome.fails_with(2, &["does not follow the schedule at step"]);
}

/// The compiler calls a file differently from another folder.
#[test]
fn a_schedule_is_replayed_from_any_folder() {
    let checked = Checked::new(LOST, &[]);
    for folder in [checked.folder.path(), Path::new("/")] {
        let replayed = run(selvedge().args(["replay", &checked.path]).current_dir(folder));
        assert_eq!(replayed.code, Some(1), "{folder:?}: {}", replayed.stderr);
    }
}

/// Files of the first version name the kind only.
#[test]
fn the_first_version_is_replayed() {
    let checked = Checked::new(DEADLOCK, &["--explorer", "graph", "--model", "sc"]);
    let older = |schedule: &mut Value| {
        schedule["version"] = 1.into();
        for field in ["place", "thread", "system", "at", "sites"] {
            schedule.as_object_mut().unwrap().remove(field);
        }
    };
    assert_eq!(checked.replay(&[], older).code, Some(1));
    let outcome = checked.replay(&[], |schedule| {
        older(schedule);
        schedule["violation"] = "livelock".into();
    });
    outcome.fails_with(2, &["leads to `livelock`, but it leads to `deadlock` at "]);
}

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn compiler_flags_of_a_schedule_write_no_files() {
    let checked = Checked::new(LOST, &["--", "-w"]);
    let before = names(checked.folder.path());
    for flags in [
        &["-MD"][..],
        &["-MMD", "-MF", "out.d"],
        &["-Wp,-MD,out.d"],
        &["-save-temps"],
        &["--serialize-diagnostics", "out.dia"],
        &["-o", "out.o"],
        &["-ftime-trace=out.json"],
        &["-fplugin=./plugin.so"],
        &["-Xclang", "-load", "-Xclang", "./plugin.so"],
        &["-I", "@flags"],
        &["@flags"],
        &["-D"],
    ] {
        std::fs::write(checked.folder.path().join("flags"), "-MD").unwrap();
        let outcome = checked.replay(&[], |schedule| schedule["compiler_flags"] = json!(flags));
        outcome.fails_with(2, &["its compiler flag `", flags[0], "--trust"]);
        std::fs::remove_file(checked.folder.path().join("flags")).unwrap();
        assert_eq!(names(checked.folder.path()), before, "{flags:?}");
    }
    let trusted = checked.replay(&["--trust"], |schedule| {
        schedule["compiler_flags"] = json!(["-w", "-MMD", "-MF", "out.d"]);
    });
    assert_eq!(trusted.code, Some(1), "{}", trusted.stderr);
    assert!(checked.folder.path().join("out.d").exists());
}

/// A program with a header of its own, checked with some flags.
fn with_header(flags: &[&str]) -> Checked {
    let folder = Folder::new();
    let source = LOST.replace("x == 2", "x == EXPECTED").replacen('\n', "\n#include <value.h>\n", 1);
    for name in ["early", "late"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("late/value.h"), "#define EXPECTED 2\n").unwrap();
    folder.write("program.c", &source);
    let mut command = selvedge();
    command.args(["check", "program.c", "--schedule", "s.json", "--", "-Iearly", "-Ilate"]).args(flags);
    let outcome = run(command.current_dir(folder.path()));
    assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
    let path = folder.file("s.json");
    let schedule = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    Checked { folder, schedule, path }
}

/// Headers of the program are part of it; whichever compiler has read them. (The second flag is for the installed one.)
#[test]
fn a_changed_header_is_noticed() {
    for flags in [&["-w"][..], &["-w", "-fstack-protector-strong"]] {
        let checked = with_header(flags);
        assert_eq!(checked.schedule["headers"][0]["path"], "late/value.h", "{flags:?}");
        assert_eq!(checked.schedule["headers"].as_array().unwrap().len(), 1, "{flags:?}");
        assert_eq!(checked.schedule["files"][0]["path"], "program.c", "{flags:?}");
        let same = checked.replay(&[], |_| ());
        assert_eq!((same.code, same.stderr.as_str()), (Some(1), ""), "{flags:?}");
        // Another one that is found first.
        std::fs::write(checked.folder.path().join("early/value.h"), "#define EXPECTED 2\n").unwrap();
        let refused = checked.replay(&[], |_| ());
        let words = "the program includes early/value.h, which it did not when the schedule was written";
        refused.fails_with(2, &[words]);
        std::fs::remove_file(checked.folder.path().join("early/value.h")).unwrap();
        std::fs::write(checked.folder.path().join("late/value.h"), "#define EXPECTED 3\n").unwrap();
        let refused = checked.replay(&[], |_| ());
        refused.fails_with(2, &["late/value.h has changed since the schedule was written"]);
        // Version 2 did not know.
        let unknown = checked.replay(&[], |schedule| {
            schedule["version"] = 2.into();
            for field in ["headers", "system", "at", "sites"] {
                schedule.as_object_mut().unwrap().remove(field);
            }
        });
        assert_eq!(unknown.code, Some(1), "{flags:?}: {}", unknown.stderr);
        std::fs::remove_file(checked.folder.path().join("late/value.h")).unwrap();
        checked.replay(&[], |_| ()).fails_with(2, &["cannot read late/value.h"]);
    }
}

/// Headers of the system, and the compiler, may change: that is a warning.
#[test]
fn another_system_is_a_warning() {
    let checked = Checked::new(LOST, &["--", "-w"]);
    let system = |hash: &'static str| move |schedule: &mut Value| schedule["system"] = hash.into();
    let outcome = checked.replay(&[], system("fnv1a-0000000000000000"));
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("warning: headers of the system, or the compiler, have changed"));
}

/// Flags that are accepted do nothing but compile.
#[test]
fn harmless_flags_are_harmless() {
    let checked = Checked::new(LOST, &["--", "-w"]);
    std::fs::create_dir(checked.folder.path().join("include")).unwrap();
    std::fs::write(checked.folder.path().join("first.h"), "").unwrap();
    let before = names(checked.folder.path());
    for flags in [
        "-w -O2 -g3 -std=gnu17 -Wall -Wextra -Wno-unused -pedantic -pthread -pipe -lm -ggdb -c -static",
        "-DN=1 -D M=2 -UN -Iinclude -I include -isystem include -iquote . -idirafter . -include first.h",
        "-fwrapv -fno-strict-aliasing -fPIC -fno-common -ffunction-sections -fstack-protector-strong -w",
        "-fsanitize=undefined -fsanitize-trap=all -fno-omit-frame-pointer -mno-red-zone -march=x86-64-v3 -w",
        "-x c -w -fmacro-prefix-map=a=b -ferror-limit=3 -fdiagnostics-color=never -fno-builtin-memcpy",
    ] {
        let words: Vec<&str> = flags.split_whitespace().collect();
        let outcome = checked.replay(&[], |schedule| {
            schedule["compiler_flags"] = json!(words);
            if words.contains(&"first.h") {
                // What is read has to be known.
                schedule["headers"] = json!([{ "path": "./first.h", "hash": "fnv1a-cbf29ce484222325" }]);
            }
        });
        assert_eq!(outcome.code, Some(1), "{flags}: {}", outcome.stderr);
        assert_eq!(names(checked.folder.path()), before, "{flags}");
    }
}

#[test]
fn options_of_a_schedule_are_those_that_are_recorded() {
    let checked = Checked::new(LOST, &["--spurious-wakeups", "--allow", "leak", "--nondet=-1..3"]);
    assert_eq!(checked.replay(&[], |_| ()).code, Some(1));
    for word in [
        "--schedule=other.json",
        "--all-violations=other.json",
        "--graph=other.dot",
        "--workers=2",
        "--time-limit=1",
        "--explorer=random",
        "--help",
        "--version",
        "other.c",
        "--",
        "-",
    ] {
        let add = |schedule: &mut Value| schedule["options"].as_array_mut().unwrap().push(word.into());
        checked.replay(&[], add).fails_with(2, &["its options are wrong"]);
    }
}

/// Names of sources are not read as options, or as files of options.
#[test]
fn odd_names_are_names() {
    let folder = Folder::new();
    for name in [&b"--odd.c"[..], b"@odd.c", b"caf\xe9.c", "caf\u{e9}.c".as_bytes(), b"a b\nc.c"] {
        let name = OsStr::from_bytes(name);
        std::fs::write(folder.path().join(name), LOST).unwrap();
        let mut command = selvedge();
        command.current_dir(folder.path()).args(["check", "--schedule", "s.json"]);
        let name = if name == "--odd.c" { OsStr::new("./--odd.c") } else { name };
        let flag = OsStr::from_bytes(b"-DNAME=\"\xff\"");
        let checked = run(command.arg(name).arg("--").arg(flag));
        assert_eq!(checked.code, Some(1), "{name:?}: {}", checked.stderr);
        let replayed = run(selvedge().current_dir(folder.path()).args(["replay", "s.json"]));
        assert_eq!(replayed.code, Some(1), "{name:?}: {}", replayed.stderr);
        let story = replayed.stdout.split("\nreplay: ").next().unwrap();
        assert!(checked.stdout.starts_with(story), "{name:?}");
    }
    // A name in the file that looks like an option.
    std::fs::write(folder.path().join("--schedule=x.c"), LOST).unwrap();
    let mut schedule: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.file("s.json")).unwrap()).unwrap();
    schedule["files"][0]["path"] = "--schedule=x.c".into();
    schedule["place"] = "./--schedule=x.c:12:3".into();
    std::fs::write(folder.path().join("s.json"), schedule.to_string()).unwrap();
    let replayed = run(selvedge().current_dir(folder.path()).args(["replay", "s.json"]));
    assert_eq!(replayed.code, Some(1), "{}", replayed.stderr);
}

#[test]
fn what_is_no_ordinary_file_is_not_read() {
    let checked = Checked::new(LOST, &[]);
    let source = checked.folder.file("program.c");
    let whole = std::fs::read(&source).unwrap();
    let refused = |why: &str| {
        for command in ["check", "run"] {
            run(selvedge().args([command, &source])).fails_with(2, &["cannot read ", why]);
        }
        checked.replay(&[], |_| ()).fails_with(2, &["cannot read ", why]);
    };
    std::fs::remove_file(&source).unwrap();
    run(std::process::Command::new("mkfifo").arg(&source));
    refused("a pipe or a socket");
    std::fs::remove_file(&source).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &source).unwrap();
    refused("it is a device");
    std::fs::remove_file(&source).unwrap();
    std::fs::create_dir(&source).unwrap();
    refused("is a directory");
    std::fs::remove_dir(&source).unwrap();
    std::fs::File::create(&source).unwrap().set_len(65 << 20).unwrap();
    refused("it has 65 MiB");
    std::fs::write(&source, whole).unwrap();
    assert_eq!(checked.replay(&[], |_| ()).code, Some(1));
}

/// A program can say that its lines are in another file.
#[test]
fn a_line_is_not_shown_of_a_device() {
    let folder = Folder::new();
    let pipe = folder.file("pipe");
    run(std::process::Command::new("mkfifo").arg(&pipe));
    for other in ["/dev/zero", &pipe] {
        let source =
            format!("#include <assert.h>\nint main(void) {{\n#line 7 \"{other}\"\n  assert(0);\n}}\n");
        let file = folder.write("program.c", source);
        let outcome = run(selvedge().current_dir(folder.path()).args(["check", &file]));
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        assert!(outcome.stdout.contains(":7:3\n"), "{}", outcome.stdout);
    }
}
