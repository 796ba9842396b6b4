//! Expressions on atomic objects that clang compiles wrongly are found, and no others.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{program, program_from_bitcode};
use selvedge_frontend::{Promotion, Sources, compile};
use selvedge_program::{Deviation, Program};
use std::path::{Path, PathBuf};

const DECLARATIONS: &str = "
    #include <stdatomic.h>
    #include <stdbool.h>
    struct node { _Atomic(struct node *) next; _Atomic short level[4]; };
    _Atomic(int *) p;
    _Atomic signed char c;
    _Atomic unsigned char u;
    _Atomic short s;
    _Atomic bool b;
    _Atomic int i;
    _Atomic unsigned n;
    _Atomic long l;
    _Atomic float f;
    bool flag; int x; double d; int *q; struct node *node;
";

/// What is wrong with an expression, and with which object.
fn found(program: &Program) -> Vec<(Deviation, Option<&str>)> {
    program.miscompiled.iter().map(|one| (one.deviation, one.object.as_deref())).collect()
}

fn source(statement: &str) -> String {
    format!("{DECLARATIONS}\nint main(void) {{\n{statement};\nreturn 0; }}\n")
}

#[track_caller]
fn check(statement: &str, expected: &[(Deviation, Option<&str>)]) {
    for promotion in [Promotion::On, Promotion::Off] {
        let program = program(&source(statement), promotion);
        assert_eq!(found(&program), expected, "{statement} ({promotion:?})");
        let line = DECLARATIONS.lines().count() as u32 + 3;
        for one in &program.miscompiled {
            let span = program.source.span(one.span);
            assert!(span.line == line && span.column > 0, "{statement}: {span:?}");
        }
    }
}

#[test]
fn a_postfix_operator_gives_what_was_loaded_first() {
    use Deviation::*;
    check("q = p++", &[(StalePointer, Some("p"))]);
    check("q = p--", &[(StalePointer, Some("p"))]);
    check("*p++ = 1", &[(StalePointer, Some("p"))]);
    check("while (p++ < q) x++", &[(StalePointer, Some("p"))]);
    check("node = node->next++", &[(StalePointer, Some("node->next"))]);
    check("flag = b--", &[(StaleValue, Some("b")), (NotBoolean, Some("b"))]);
}

#[test]
fn a_truth_value_gets_a_byte() {
    for statement in
        ["b += 1", "b -= 1", "b |= 2", "b |= x", "b ^= x", "b *= 2", "b <<= 1", "b /= x", "b += d", "b--"]
    {
        check(statement, &[(Deviation::NotBoolean, Some("b"))]);
    }
}

#[test]
fn a_signed_value_is_taken_as_unsigned() {
    for (statement, object) in [
        ("c /= 2", "c"),
        ("x = c %= 3", "c"),
        ("c >>= 1", "c"),
        ("c /= 2u", "c"),
        ("s /= x", "s"),
        ("i /= 2L", "i"),
        ("i %= l", "i"),
        ("i *= d", "i"),
        ("l /= 0.5", "l"),
        ("node->level[x] >>= 2", "node->level[x]"),
    ] {
        check(statement, &[(Deviation::TakenAsUnsigned, Some(object))]);
    }
}

#[test]
fn a_floating_point_operand_is_truncated() {
    check("i += d", &[(Deviation::OperandTruncated, Some("i"))]);
    check("n -= d", &[(Deviation::OperandTruncated, Some("n"))]);
}

#[test]
fn what_is_compiled_rightly_is_not_found() {
    for statement in [
        // The value is not used, or is the new one.
        "p++",
        "p--",
        "(void)p++",
        "q = ++p",
        "q = --p",
        "for (x = 0; x < 3; p++) x++",
        "q = atomic_fetch_add(&p, 1)",
        // One instruction.
        "x = i++",
        "x = i--",
        "x = c++",
        "i += 2",
        "i += x",
        "l -= x",
        "c ^= x",
        "i += (int)d",
        "i += (unsigned)d",
        "x = b++",
        "f = f++",
        // Neither the sign nor the width matters.
        "c *= 3",
        "s <<= 1",
        "i *= l",
        "u /= 2",
        "u >>= 1",
        "u *= 0.5",
        "n /= 2",
        "n %= l",
        "i /= 2",
        "i >>= x",
        "l %= x",
        "f /= 2",
        "f += d",
        "f *= 0.5",
        // 0 or 1.
        "b |= flag",
        "b |= x == 3",
        "b |= 1",
        "b ^= 1",
        "b ^= flag",
        "b &= x",
        "b >>= 1",
        "b %= 2",
        "b /= 2",
        "b = x",
        "b *= flag",
        "b = b | x",
        // Loops of the source.
        "int *old = p; while (!atomic_compare_exchange_weak(&p, &old, old + 1)) { } q = old",
        "int *old = p, *first = old; while (!atomic_compare_exchange_strong(&p, &old, old + 1)) { } q = first",
        "signed char old = c; do { } while (!atomic_compare_exchange_weak(&c, &old, old / 2))",
    ] {
        check(statement, &[]);
    }
}

#[test]
fn an_unsigned_char_is_not_signed() {
    let program = program_from_bitcode(
        "_Atomic char c;\nint main(void) { c /= 2; return 0; }\n",
        &["-g", "-funsigned-char", "-Xclang", "-disable-O0-optnone"],
    );
    assert_eq!(found(&program), []);
}

/// What was optimised can have loops of the source in the same form.
#[test]
fn loops_of_the_source_are_not_found_in_optimised_modules() {
    let statement = "int *old = p, *first = old;\n while (!atomic_compare_exchange_strong(&p, &old, old + 1)) { }\n q = first";
    let program = program_from_bitcode(&source(statement), &["-g", "-O2"]);
    assert_eq!(found(&program), []);
}

/// All C files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found
}

#[test]
fn ordinary_programs_have_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for file in
        ["tests/programs", "examples", "bench/programs"].map(|folder| files(&root.join(folder))).concat()
    {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read(&file).unwrap();
        // Where nothing is atomic, there is nothing to find.
        if name.starts_with("miscompiled_")
            || !String::from_utf8_lossy(&text).to_lowercase().contains("atomic")
        {
            continue;
        }
        let sources = Sources { files: vec![file], flags: vec!["-w".into()] };
        // Some need flags of their own.
        let Ok(program) = compile(&sources, Promotion::On, None).map(|compiled| compiled.program) else {
            continue;
        };
        assert_eq!(found(&program), [], "{name}");
        count += 1;
    }
    assert!(count > 200, "only {count} programs");
}
