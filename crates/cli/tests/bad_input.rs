//! Whatever the tool is given, it says what is wrong in plain words and with the right exit code.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{CLANG, Finished, Folder, run, selvedge, selvedge_run};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

const EMPTY_MAIN: &str = "int main(void) { return 0; }\n";

// ---- Files ----

#[test]
fn no_file_is_bad_usage() {
    selvedge_run(&[]).fails_with(2, &["<FILE>", "Usage: selvedge run"]);
    run(&mut selvedge()).fails_with(2, &["Usage: selvedge"]);
    run(selvedge().arg("walk")).fails_with(2, &["'walk'"]);
}

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::new();
    let file = folder.file("nowhere.c");
    selvedge_run(&[&file]).fails_with(2, &[&file, "No such file"]);
    let good = folder.write("good.c", EMPTY_MAIN);
    selvedge_run(&[&good, &file]).fails_with(2, &[&file, "No such file"]);
}

#[test]
fn a_folder_is_not_a_program() {
    let folder = Folder::new();
    let path = folder.file("folder.c");
    std::fs::create_dir(&path).unwrap();
    selvedge_run(&[&path]).fails_with(2, &[&path, "directory"]);
}

#[test]
fn an_unknown_extension_is_refused() {
    let folder = Folder::new();
    for name in ["program.txt", "program.cpp", "program.o", "program"] {
        let file = folder.write(name, EMPTY_MAIN);
        selvedge_run(&[&file]).fails_with(2, &[&file, "unknown kind of file", ".c, .i, .ll or .bc"]);
    }
}

#[test]
fn an_unreadable_file_is_named() {
    let folder = Folder::new();
    let file = folder.write("secret.c", EMPTY_MAIN);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&file).is_ok() {
        return; // Nothing is unreadable to root.
    }
    selvedge_run(&[&file]).fails_with(2, &[&file, "Permission denied"]);
}

#[test]
fn a_file_whose_name_begins_with_a_dash_can_be_named() {
    let folder = Folder::new();
    folder.write("-odd.c", "int main(void) { return 7; }\n");
    let outcome = run(selvedge().current_dir(folder.path()).args(["run", "./-odd.c"]));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(7), ""));
}

// ---- Compiling and linking ----

#[test]
fn a_syntax_error_is_shown_as_the_compiler_shows_it() {
    let outcome = Folder::new().run_c("int main(void)\n{\n    return 0\n}\n", &[]);
    outcome.fails_with(2, &["program.c:3:13: error: expected ';'", "program.c does not compile"]);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn warnings_of_the_compiler_are_shown() {
    let outcome = Folder::new().run_c("int main(void) { int x; x = \"\"; return 0; }\n", &[]);
    outcome.fails_with(2, &["program.c:1:"]);
    let outcome = Folder::new().run_c("#warning take care\nint main(void) { return 0; }\n", &[]);
    outcome.fails_with(0, &["warning: take care"]);
}

#[test]
fn a_program_needs_main() {
    Folder::new().run_c("int f(void) { return 0; }\n", &[]).fails_with(2, &["no function `main`"]);
    Folder::new().run_c("", &[]).fails_with(2, &["no function `main`"]);
    Folder::new().run_c("int main(void);\n", &[]).fails_with(2, &["no function `main`"]);
}

#[test]
fn two_definitions_of_a_name_are_both_named() {
    let folder = Folder::new();
    let one = folder.write("one.c", EMPTY_MAIN);
    let two = folder.write("two.c", EMPTY_MAIN);
    selvedge_run(&[&one, &two]).fails_with(2, &["`main` is defined twice", "one.c", "two.c"]);
    let three = folder.write("three.c", "int counter = 1;\nint main(void) { return 0; }\n");
    let four = folder.write("four.c", "int counter = 2;\n");
    selvedge_run(&[&three, &four]).fails_with(2, &["`counter` is defined twice", "three.c", "four.c"]);
}

#[test]
fn an_unknown_flag_of_the_compiler_is_its_error() {
    let folder = Folder::new();
    let file = folder.write("program.c", EMPTY_MAIN);
    selvedge_run(&[&file, "--", "-fno-such-flag"]).fails_with(2, &["-fno-such-flag", "does not compile"]);
}

// ---- What is not supported ----

/// What the tool says of a program that does something it cannot do when it has an argument: it must work
/// without, and be told off at that place with.
#[track_caller]
fn unsupported_if_reached(source: &str, place: &str, texts: &[&str]) -> Finished {
    let folder = Folder::new();
    let file = folder.write("program.c", source);
    selvedge_run(&[&file]).prints("start\n");
    let outcome = selvedge_run(&[&file, "--args", "on"]);
    let place = format!("--> {file}:{place}\n");
    outcome.fails_with(2, &["error[unsupported]: ", &place]);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(lines[1].trim(), place.trim(), "the first place; stderr:\n{}", outcome.stderr);
    outcome.fails_with(2, texts);
    outcome
}

#[test]
fn an_unknown_function_is_an_error_once_it_is_called() {
    let source = "#include <stdio.h>
int mystery(int);
int main(int argc, char **argv) {
  puts(\"start\");
  if (argc > 1)
    return mystery(3);
  return 0;
}
";
    let outcome =
        unsupported_if_reached(source, "6:12", &["`mystery`", "help: ", "define it", "command line"]);
    assert_eq!(outcome.stdout, "start\n");
}

/// One thing or several: the message has no verb that would have to agree.
#[test]
fn what_is_missing_may_be_several_things() {
    let folder = Folder::new();
    let check = |name: &str, call: &str, message: &str| {
        let source =
            format!("#include <pthread.h>\n#include <stdlib.h>\nint main(void) {{ {call} return 0; }}\n");
        let file = folder.write(name, &source);
        let outcome = selvedge_run(&[&file]);
        outcome.fails_with(2, &[&format!("error[unsupported]: not supported: {message}\n")]);
    };
    let robust = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); \
                  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);";
    check("robust.c", robust, "robust mutexes");
    check(
        "cancel.c",
        "pthread_cancel(pthread_self());",
        "the function `pthread_cancel` (cancellation of threads)",
    );
    check("system.c", "system(\"true\");", "the function `system`");
}

#[test]
fn help_promises_what_there_is() {
    let outcome = run(selvedge().arg("--help"));
    assert!(!outcome.stdout.to_lowercase().contains("repair"), "{}", outcome.stdout);
}

#[test]
fn an_unknown_variable_is_an_error_once_it_is_used() {
    let source = "#include <stdio.h>
extern int mystery;
int main(int argc, char **argv) {
  puts(\"start\");
  if (argc > 1)
    return mystery;
  return 0;
}
";
    unsupported_if_reached(source, "6:12", &["`mystery`", "defined nowhere", "help: ", "command line"]);
}

#[test]
fn long_double_is_an_error_once_it_is_computed_with() {
    let source = "#include <stdio.h>
int main(int argc, char **argv) {
  puts(\"start\");
  if (argc > 1) {
    long double x = argc;
    printf(\"%d\\n\", (int)(x / 3));
  }
  return 0;
}
";
    unsupported_if_reached(source, "5:21", &["`long double`"]);
}

#[test]
fn computed_goto_is_an_error_once_it_is_reached() {
    let source = "#include <stdio.h>
int main(int argc, char **argv) {
  puts(\"start\");
  if (argc > 1) {
    void *to = &&end;
    goto *to;
  }
end:
  return 0;
}
";
    unsupported_if_reached(source, "6:5", &["computed goto"]);
}

#[test]
fn computed_goto_through_a_table_is_called_by_its_name() {
    let source = "#include <stdio.h>
int main(int argc, char **argv) {
  static void *const table[] = {&&end, &&end};
  puts(\"start\");
  if (argc > 1)
    goto *table[argc > 2];
end:
  return 0;
}
";
    let outcome = unsupported_if_reached(source, "6:11", &["computed goto"]);
    assert!(!outcome.stderr.contains("defined nowhere"), "a misleading message:\n{}", outcome.stderr);
}

#[test]
fn inline_assembly_is_an_error_once_it_is_reached() {
    let source = "#include <stdio.h>
int main(int argc, char **argv) {
  puts(\"start\");
  if (argc > 1) {
    unsigned a = 0, b, c, d;
    __asm__ volatile(\"cpuid\" : \"+a\"(a), \"=b\"(b), \"=c\"(c), \"=d\"(d));
  }
  return 0;
}
";
    unsupported_if_reached(source, "6:5", &["inline assembly", "cpuid"]);
}

#[test]
fn places_are_right_whatever_folder_the_tool_is_started_in() {
    let folder = Folder::new();
    for inner in ["here", "here/below", "there"] {
        std::fs::create_dir(folder.path().join(inner)).unwrap();
    }
    let file = folder.write("there/wrong.c", "int main(void) {\n  return *(volatile int *)0;\n}\n");
    let places = [
        (folder.path().join("there"), "wrong.c", "wrong.c"),
        (folder.path().join("here"), "../there/wrong.c", "../there/wrong.c"),
        (folder.path().join("here"), &file, &file),
        (folder.path().join("here/below"), &file, &file),
        // Below the current folder, the shorter name says as much.
        (folder.path().to_owned(), &file, "there/wrong.c"),
    ];
    for (from, name, shown) in places {
        let outcome = run(selvedge().current_dir(&from).args(["run", name]));
        let place = format!("--> {shown}:2:10");
        outcome.fails_with(1, &["error[null-dereference]: ", &place, "    2 |   return *(volatile int *)0;"]);
    }
}

// ---- Options and limits ----

#[test]
fn an_unknown_option_is_bad_usage() {
    let folder = Folder::new();
    let file = folder.write("program.c", EMPTY_MAIN);
    selvedge_run(&["--frobnicate", &file]).fails_with(2, &["--frobnicate", "Usage"]);
    selvedge_run(&["--check", "everything", &file]).fails_with(2, &["everything", "uninitialised", "leak"]);
    selvedge_run(&["--max-depth", "0", &file]).fails_with(2, &["--max-depth"]);
    selvedge_run(&["--emit", "poetry", &file]).fails_with(2, &["poetry", "ir"]);
}

#[test]
fn a_time_limit_is_a_positive_number() {
    let folder = Folder::new();
    let file = folder.write("program.c", EMPTY_MAIN);
    for limit in ["0", "abc", "inf", "nan", "", "1s"] {
        selvedge_run(&["--time-limit", limit, &file]).fails_with(2, &["--time-limit", "positive number"]);
    }
    selvedge_run(&["--time-limit=-1", &file]).fails_with(2, &["--time-limit", "positive number"]);
    selvedge_run(&["--time-limit", "-1", &file]).fails_with(2, &["-1"]);
    selvedge_run(&["--time-limit", "60", &file]).prints("");
    // As good as none, and no overflow.
    selvedge_run(&["--time-limit", "1e300", &file]).is_no_panic();
}

#[test]
fn an_endless_loop_is_stopped_in_time() {
    let loops = [
        "int main(void) { for (;;) ; }\n",
        "int main(void) { volatile int x = 0; for (;;) x++; }\n",
        "#include <string.h>\nchar a[1 << 20], b[1 << 20];\n\
         int main(void) { for (;;) memcpy(a, b, sizeof a); }\n",
    ];
    for source in loops {
        let start = Instant::now();
        let outcome = Folder::new().run_c(source, &["--time-limit", "0.3"]);
        outcome.fails_with(3, &["time-limit", "0.3 s"]);
        assert!(start.elapsed() < Duration::from_secs(10), "{source} took {:?}", start.elapsed());
    }
}

#[test]
fn the_time_limit_holds_for_the_compiler_too() {
    Folder::new().run_c(EMPTY_MAIN, &["--time-limit", "0.000001"]).fails_with(3, &["time limit"]);
}

/// As many of one thing as of another, around a third.
fn nested(count: usize, open: &str, inner: &str, close: &str) -> String {
    open.repeat(count) + inner + &close.repeat(count)
}

#[test]
fn what_is_nested_as_deeply_as_the_compiler_allows_is_compiled() {
    let main = |value: String| {
        format!("int g, a[1]; int f(int x) {{ return x; }}\nint main(void) {{ {value} return 0; }}\n")
    };
    let structs = (0..2000).map(|n| format!("struct s{} {{ struct s{n} x; }};\n", n + 1)).collect::<String>();
    for source in [
        main(nested(2000, "(", "g", ")") + ";"),
        main(nested(2000, "f(", "g", ")") + ";"),
        main(nested(2000, "a[", "g", "]") + ";"),
        main(nested(2000, "{", ";", "}")),
        main(nested(2000, "if (!g) ", "g = 1;", "")),
        main(nested(2000, "while (g < 3) ", "g++;", "")),
        main(nested(4000, "!", "g", "") + ";"),
        main(nested(20_000, "(int)", "g", "") + ";"),
        format!(
            "struct s0 {{ int x; }};\n{structs}struct s2000 s;\nint main(void) {{ return s{}; }}\n",
            ".x".repeat(2001)
        ),
        format!(
            "int a{} = {};\nint main(void) {{ return 0; }}\n",
            "[1]".repeat(250),
            nested(250, "{", "1", "}")
        ),
        format!(
            "struct t0 {{ int x; }};\n{}struct t20000 t;\nint main(void) {{ return t.p != 0; }}\n",
            (0..20_000).map(|n| format!("struct t{} {{ struct t{n} *p; }};\n", n + 1)).collect::<String>()
        ),
        format!("int {}p;\nint main(void) {{ return p != 0; }}\n", "*".repeat(20_000)),
    ] {
        let folder = Folder::new();
        let file = folder.write("deep.c", &source);
        selvedge_run(&[&file, "--", "-w"]).prints("");
    }
}

#[test]
fn what_is_nested_more_deeply_is_refused_in_plain_words() {
    let folder = Folder::new();
    let source = format!("int main(void) {{ return {}; }}\n", nested(3000, "(", "0", ")"));
    folder.run_c(&source, &[]).fails_with(2, &["bracket nesting level exceeded maximum", "does not compile"]);
    let source = format!("int main(void) {{ return {}0; }}\n", "(int)".repeat(400_000));
    let file = folder.write("casts.c", source);
    selvedge_run(&[&file, "--", "-w"])
        .fails_with(2, &["casts.c: clang ran out of stack", "nested very deeply"]);
}

#[test]
fn endless_recursion_is_a_stack_overflow() {
    let source = "int down(int n) {\n  return n + down(n + 1);\n}\nint main(void) { return down(0); }\n";
    let folder = Folder::new();
    let outcome = folder.run_c(source, &[]);
    outcome.fails_with(1, &["error[stack-overflow]: ", "program.c:2:14", "more calls", "    main "]);
    assert!(outcome.stderr.lines().count() < 40, "a stack that long helps nobody:\n{}", outcome.stderr);
    let outcome = folder.run_c(source, &["--max-depth", "50"]);
    outcome.fails_with(1, &["error[stack-overflow]: ", "50 calls", "    main "]);
}

// ---- LLVM modules ----

#[test]
fn broken_modules_are_refused() {
    let folder = Folder::new();
    let good = folder.write("good.c", EMPTY_MAIN);
    let module = folder.file("good.bc");
    assert_eq!(run(Command::new(CLANG).args(["-emit-llvm", "-c", &good, "-o", &module])).code, Some(0));
    let bytes = std::fs::read(&module).unwrap();
    let noise: Vec<u8> = (0..1000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let magic_and_noise = [b"BC\xc0\xde".as_slice(), &noise].concat();
    let broken: [(&str, &[u8]); 7] = [
        ("text.ll", b"this is no module\n"),
        ("half.ll", b"define i32 @main() {\n  ret i32 %nothing\n}\n"),
        ("text.bc", b"this is no module\n"),
        ("noise.bc", &noise),
        ("magic.bc", &magic_and_noise),
        ("half.bc", &bytes[..bytes.len() / 2]),
        ("short.bc", &bytes[..9]),
    ];
    for (name, contents) in broken {
        let file = folder.write(name, contents);
        selvedge_run(&[&file]).fails_with(2, &[name, "not valid LLVM IR"]);
    }
    for name in ["empty.ll", "empty.bc"] {
        let file = folder.write(name, b"");
        selvedge_run(&[&file]).fails_with(2, &["error: "]);
    }
}

#[test]
fn a_module_for_another_processor_is_refused() {
    let folder = Folder::new();
    let source = folder
        .write("program.c", "long add(long a, long b) { return a + b; }\nint main(void) { return 0; }\n");
    for (target, output) in [("aarch64-linux-gnu", "arm.bc"), ("i686-linux-gnu", "small.bc")] {
        let module = folder.file(output);
        let target_flag = format!("--target={target}");
        let compiled =
            run(Command::new(CLANG).args([&target_flag, "-emit-llvm", "-c", &source, "-o", &module]));
        assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
        selvedge_run(&[&module]).fails_with(2, &[output, &target[..4], "only x86-64 is supported"]);
    }
}

#[test]
fn a_main_that_cannot_be_called_is_refused() {
    let folder = Folder::new();
    let file = folder.write("main.ll", "define i32 @main(double %x) {\n  ret i32 0\n}\n");
    selvedge_run(&[&file]).fails_with(2, &["`main` takes parameters other than"]);
}

// ---- Input that is fine ----

#[test]
fn files_are_linked_and_flags_reach_the_compiler() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("include")).unwrap();
    folder.write("include/shape.h", "int area(int w, int h);\nextern const char *unit;\n");
    let one = folder.write(
        "one.c",
        "#include <shape.h>\n#include <stdio.h>\n\
         int main(void) { printf(\"%d %s %ld\\n\", area(WIDTH, 3), unit, __STDC_VERSION__); return 0; }\n",
    );
    let two = folder.write("two.c", "#include <shape.h>\nint area(int w, int h) { return w * h; }\n");
    let three = folder.write("three.c", "#include <shape.h>\nconst char *unit = UNIT;\n");
    let include = format!("-I{}", folder.file("include"));
    let flags = ["-DWIDTH=14", "-DUNIT=\"m^2 or so\"", &include, "-std=c17"];
    selvedge_run(&[[&one, &two, &three, "--"].as_slice(), &flags].concat()).prints("42 m^2 or so 201710\n");
    selvedge_run(&[&one, &two, &three, "--", "-std=c17"]).fails_with(2, &["shape.h", "does not compile"]);
}

#[test]
fn all_forms_of_a_program_do_the_same() {
    let folder = Folder::new();
    let source = folder.write(
        "program.c",
        "#include <stdio.h>\n#include <string.h>\n#define N 5\n\
         struct point { int x; double y; };\n\
         static struct point at[N];\n\
         int main(int argc, char **argv) {\n\
           for (int i = 0; i < N; i++) at[i] = (struct point){i * i, i / 2.0};\n\
           for (int i = 0; i < N; i++) printf(\"%d:%g \", at[i].x, at[i].y);\n\
           printf(\"%d %s\\n\", argc, argc > 1 ? argv[1] : \"none\");\n\
           return (int)strlen(\"seven..\");\n}\n",
    );
    let make = |flags: &[&str], name: &str| {
        let file = folder.file(name);
        let made = run(Command::new(CLANG).args(flags).args([&source, "-o", &file]));
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        file
    };
    let forms = [
        source.clone(),
        make(&["-E"], "program.i"),
        make(&["-S", "-emit-llvm"], "plain.ll"),
        make(&["-c", "-emit-llvm"], "plain.bc"),
        make(&["-S", "-emit-llvm", "-g", "-O2"], "optimised.ll"),
        make(&["-c", "-emit-llvm", "-g", "-O2"], "optimised.bc"),
    ];
    for form in forms {
        let outcome = selvedge_run(&[&form, "--args", "word"]);
        assert_eq!(outcome.stdout, "0:0 1:0.5 4:1 9:1.5 16:2 2 word\n", "{form}\n{}", outcome.stderr);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(7), ""), "{form}");
    }
}

#[test]
fn arguments_of_the_program_are_its_own() {
    let folder = Folder::new();
    let source = "#include <stdio.h>\n\
                  int main(int argc, char **argv) {\n\
                    for (int i = 1; i < argc; i++) printf(\"[%s]\", argv[i]);\n\
                    printf(\" %d\\n\", argv[argc] == 0);\n    return EXIT;\n}\n";
    let file = folder.write("program.c", source);
    let args = ["-x", "--check", "--time-limit=0", "two words", "", "--args", "-", "é"];
    let words = [[&file, "--report-exit", "--args"].as_slice(), &args, &["--", "-DEXIT=9"]].concat();
    selvedge_run(&words).prints("[-x][--check][--time-limit=0][two words][][--args][-][é] 1\n");
    let outcome = selvedge_run(&[&file, "--", "-DEXIT=9"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(9), " 1\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    let folder = Folder::new();
    let source = "#include <stdio.h>\n\
                  int main(void) {\n  for (int i = 0; i < 50000; i++) printf(\"line %d\\n\", i);\n  return 0;\n}\n";
    let file = folder.write("program.c", source);
    // `head` goes away in the middle.
    let script = format!("'{}' run '{file}' | head -1", env!("CARGO_BIN_EXE_selvedge"));
    let outcome = run(Command::new("sh").args(["-c", &script]));
    outcome.is_no_panic();
    assert_eq!(outcome.stdout, "line 0\n");
    // Nobody is there from the beginning.
    for options in ["--time-limit=60", "--emit=ir", "--emit=code", "--help"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (mut errors, stderr) = std::io::pipe().unwrap();
        let status = selvedge().args(["run", options, &file]).stdout(writer).stderr(stderr).status().unwrap();
        let mut text = String::new();
        errors.read_to_string(&mut text).unwrap();
        let outcome = Finished { code: status.code(), stdout: String::new(), stderr: text };
        outcome.is_no_panic();
        assert_ne!(outcome.code, Some(4), "{options}: {}", outcome.stderr);
    }
}

#[test]
fn views_are_of_models_with_steps() {
    let folder = Folder::new();
    let file = folder.write("program.c", EMPTY_MAIN);
    for model in ["ra", "rc11"] {
        run(selvedge().args(["check", "--explorer", "vieq", "--model", model, &file]))
            .fails_with(2, &["--model", "graph", "vieq", model]);
    }
    for model in ["sc", "tso", "pso"] {
        let outcome = run(selvedge().args(["check", "--explorer", "vieq", "--model", model, &file]));
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn prediction_needs_a_solver() {
    let folder = Folder::new();
    let file = folder.write("program.c", EMPTY_MAIN);
    for explorer in ["optimal", "vieq", "graph"] {
        run(selvedge().args(["check", "--predict", "--explorer", explorer, &file]))
            .fails_with(2, &["--predict", "se-mcr", explorer]);
    }
    for explorer in ["optimal", "vieq", "mcr"] {
        run(selvedge().args(["check", "--patience", "8", "--explorer", explorer, &file]))
            .fails_with(2, &["--patience", "se-mcr", explorer]);
    }
    run(selvedge().args(["check", "--explorer", "se-mcr", "--robust", "tso", &file]))
        .fails_with(2, &["--robust", "se-mcr", "optimal"]);
    for model in ["ra", "rc11"] {
        run(selvedge().args(["check", "--explorer", "se-mcr", "--model", model, &file]))
            .fails_with(2, &["--model", model, "se-mcr"]);
    }
}
