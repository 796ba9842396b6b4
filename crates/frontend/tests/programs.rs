//! All programs of the repository become programs that hold up, and can be written as text and read again.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use selvedge_frontend::{Error, Promotion, Sources, compile};
use selvedge_program::Program;
use selvedge_program::text::parse;
use selvedge_program::verify::{verify, verify_calls};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The C files of these folders of the repository.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// Compiles a program with the flags that its first lines ask for.
fn program(file: &Path, promotion: Promotion) -> Result<Program, Error> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let flags = text.lines().take_while(|line| line.starts_with("//"));
    let flags = flags.filter_map(|line| line.strip_prefix("// flags:")).flat_map(str::split_whitespace);
    let flags = flags.chain(["-w"]).map(Into::into).collect();
    compile(&Sources { files: vec![file.to_owned()], flags }, promotion, None)
        .map(|compiled| compiled.program)
}

/// Does something for each file, on all processors; gives what went wrong.
fn for_each(files: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            problems.extend(check(file).err().map(|problem| format!("{}: {problem}", file.display())));
        }
        problems
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    })
}

const FOLDERS: [&str; 8] = [
    "tests/programs/run",
    "tests/programs/check",
    "tests/programs/memory",
    "tests/programs/several",
    "tests/programs/fuzz",
    "examples",
    "bench/programs",
    "bench/programs/vm",
];

#[test]
fn unusual_types_are_no_internal_error() {
    let program = |text: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("test.c");
        std::fs::write(&file, text).expect("a writable file");
        program(&file, Promotion::On)
    };
    let constructor = "__attribute__((constructor)) static void c(int a, char **b, char **c, int d) {}";
    let calls = verify_calls(&program(&format!("{constructor} int main(void) {{}}")).expect("a program"));
    assert!(calls.is_err_and(|problem| problem.what.contains("it takes 4 arguments, 3 are passed")));
    assert!(program("int main(int count, ...) {}").is_ok_and(|program| verify_calls(&program).is_ok()));
    // An address as an integer, where that is returned or passed on.
    let address = "int x; long f(int c) { return c ? (long)&x : 5; } long g(void) { return (long)&x; }";
    assert!(program(&format!("{address} int main(int c, char **v) {{ return f(c) == g(); }}")).is_ok());
}

#[test]
fn all_hold_up_and_can_be_read_again() {
    let files = files(&FOLDERS);
    assert!(files.len() > 800, "{} files", files.len());
    // This one is wrong on purpose; without promotion, the call is through a variable.
    let calls_another_type = |file: &Path, promotion: Promotion| {
        file.ends_with("memory/bad_call_arity_bad.c") && matches!(promotion, Promotion::On)
    };
    let problems = for_each(&files, |file| {
        for promotion in [Promotion::On, Promotion::Off] {
            // The front end verifies what it makes.
            let program = program(file, promotion).map_err(|error| error.to_string())?;
            let calls = verify_calls(&program);
            if calls.is_err() != calls_another_type(file, promotion) {
                return Err(format!("calls: {calls:?}"));
            }
            let text = program.to_string();
            let read = parse(&text).map_err(|error| error.to_string())?;
            if read != program || read.to_string() != text {
                return Err("what is read is not what was written".to_owned());
            }
        }
        Ok(())
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Texts with one wrong byte, or without their end, are programs or errors; what is still a program can be written again.
#[test]
fn wrong_text_is_an_error() {
    let file = files(&["examples"]).swap_remove(0);
    let text = program(&file, Promotion::On).expect("a program").to_string();
    let read = |text: &str| match parse(text) {
        Ok(program) if verify(&program).is_ok() => {
            assert!(parse(&program.to_string()).is_ok_and(|again| again == program));
        }
        Ok(_) | Err(_) => {}
    };
    let mut state = 0x5e1f_ed6e_u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..1_000 {
        let at = random(text.len());
        if text.is_char_boundary(at) {
            read(&text[..at]);
        }
        let mut bytes = text.clone().into_bytes();
        bytes[at] = 1 + random(127) as u8;
        if let Ok(text) = String::from_utf8(bytes) {
            read(&text);
        }
    }
}
