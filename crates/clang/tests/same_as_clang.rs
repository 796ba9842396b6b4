//! What `selvedge-clang` compiles is what the installed clang compiles, with the same warnings; and what it cannot do it
//! refuses.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const CLANG: &str = "clang-22";

/// The flags of the front end.
const FLAGS: &str = "-g -Xclang -disable-O0-optnone -Xclang -fsanitize-address-use-after-scope -O0 \
                     -fno-crash-diagnostics -emit-llvm -c -o -";

fn own() -> &'static Path {
    selvedge_clang::executable().expect("the compiler is built if libclang-22-dev is there")
}

fn compile(clang: &Path, headers: &Path, flags: &str, file: &Path) -> Output {
    let mut command = Command::new(clang);
    // In a folder to which no path is relative: the names of headers in the module are then the same but for the folder.
    command.current_dir("/");
    command.args(flags.split_whitespace()).arg("-isystem").arg(headers).args(FLAGS.split_whitespace());
    command.arg(file).stdin(Stdio::null()).output().unwrap()
}

/// What `selvedge-clang` does.
fn compile_fast(flags: &str, file: &Path) -> Output {
    compile(own(), Path::new(selvedge_clang::HEADER_FOLDER), flags, file)
}

/// A module as text.
fn text(bitcode: &[u8], folder: &Path) -> String {
    let module = folder.join("module.bc");
    std::fs::write(&module, bitcode).unwrap();
    let beside = Path::new("/usr/lib/llvm-22/bin/llvm-dis");
    let tool = if beside.exists() { beside } else { Path::new("llvm-dis-22") };
    let output = Command::new(tool).arg(&module).args(["-o", "-"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The folder with the headers as files.
fn headers(folder: &Path) -> PathBuf {
    let headers = folder.join("include");
    std::fs::create_dir(&headers).unwrap();
    for (name, text) in selvedge_clang::HEADERS {
        std::fs::write(headers.join(name), text).unwrap();
    }
    headers
}

/// Compiles with both and compares.
#[track_caller]
fn same(folder: &Path, headers: &Path, flags: &str, file: &Path) {
    let (ours, theirs) = (compile_fast(flags, file), compile(Path::new(CLANG), headers, flags, file));
    let name = file.display();
    assert!(theirs.status.success(), "{name}: clang fails");
    assert!(ours.status.success(), "{name}: refused");
    let rename = |text: String| text.replace(selvedge_clang::HEADER_FOLDER, headers.to_str().unwrap());
    let (our_text, their_text) = (rename(text(&ours.stdout, folder)), text(&theirs.stdout, folder));
    assert!(our_text == their_text, "{name}: another module");
    let warnings = rename(String::from_utf8(ours.stderr).unwrap());
    assert_eq!(warnings, String::from_utf8(theirs.stderr).unwrap(), "{name}");
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

#[test]
fn modules_and_warnings_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let headers = headers(folder.path());
    for file in files("examples") {
        same(folder.path(), &headers, "", &file);
    }
    // Some of the others, to save time; what is left out has flags of its own, or functions that must be inlined. No
    // program uses the macro: any name that one could also declare would be an error in both compilers.
    for group in ["run", "check", "memory"] {
        for file in files(&format!("tests/programs/{group}")).iter().step_by(12) {
            let text = std::fs::read_to_string(file).unwrap();
            if !text.contains("flags:") && !text.contains("always_inline") {
                same(
                    folder.path(),
                    &headers,
                    "-Weverything -fcolor-diagnostics -std=gnu11 -O2 -DSELVEDGE_UNUSED=3",
                    file,
                );
            }
        }
    }
}

#[test]
fn the_headers_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let headers = headers(folder.path());
    let file = folder.path().join("headers.c");
    let text = "#include <pthread.h>\n#include <selvedge.h>\n#include <stdatomic.h>\n\
                static void f(void *p) { *(int *)p = selvedge_choose(2); }\n\
                int main(void) { int x = 0; pthread_cleanup_push(f, &x); pthread_cleanup_pop(1); return x; }\n";
    std::fs::write(&file, text).unwrap();
    same(folder.path(), &headers, "", &file);
}

#[test]
fn what_needs_a_pass_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.c");
    let refused = |flags: &str, text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = compile_fast(flags, &file);
        assert!(!output.status.success() && output.stdout.is_empty(), "{flags} {text}");
    };
    let plain = "int main(void) { return 0; }\n";
    let flags = "-fsanitize=address,-fsanitize=local-bounds,-finstrument-functions,-pg,-flto,--coverage,-m32,-fprofile-generate,\
                 --target=aarch64-linux-gnu,-mllvm -debug-pass=Structure,-Xclang -disable-llvm-passes,-S,-E,-ftrapv,-g3";
    for flag in flags.split(',') {
        refused(flag, plain);
    }
    let inlined = "static inline __attribute__((always_inline)) int f(void) { return 1; }\n";
    refused("", &format!("{inlined}int main(void) {{ return f(); }}\n"));
    refused(
        "",
        "static int f(void) { return 1; }\n__attribute__((flatten)) int main(void) { return f(); }\n",
    );
    refused("", "int f(void);\nint main(void) { int x; [[clang::always_inline]] x = f(); return x; }\n");
}

#[test]
fn what_does_not_compile_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.c");
    for text in ["int main(void) { return x; }\n", "#error no\n", "#include <nowhere.h>\n"] {
        std::fs::write(&file, text).unwrap();
        let output = compile_fast("", &file);
        assert!(!output.status.success() && output.stdout.is_empty(), "{text}");
    }
    let output = compile_fast("", &folder.path().join("nowhere.c"));
    assert!(!output.status.success());
}
