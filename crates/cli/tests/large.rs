//! Large programs: the time from source to code grows with their size, and with nothing else.
//!
//! One test, in a file of its own: processor time is counted for all processes that this one has started.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Folder, selvedge_run};
use std::fmt::Write;

/// A program with `count` of something, and what that is.
type Kind = (&'static str, fn(usize) -> String);

/// `before`, then a line for each number, then `after`.
fn lines(before: &str, count: usize, line: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = format!("{before}\n");
    for number in 0..count {
        writeln!(text, "{}", line(number)).unwrap();
    }
    text + after + "\n"
}

const VARIABLES: &str = "volatile int c; int g; int *kept; static void keep(int *p) { kept = p; }";

/// What took time that grew with the square of its number, or more.
const KINDS: [Kind; 10] = [
    ("branches", |count| {
        let before = format!("{VARIABLES} int main(void) {{ int x = 0;");
        lines(&before, count, |n| format!("if (c == {n}) x += {n};"), "g = x; return 0; }")
    }),
    ("loops", |count| {
        let before = format!("{VARIABLES} int main(void) {{");
        lines(&before, count, |n| format!("for (int i = 0; i < 2; i++) g += {n};"), "return 0; }")
    }),
    ("cases", |count| {
        let before = format!("{VARIABLES} int main(void) {{ int x = 0; switch (c) {{");
        lines(&before, count, |n| format!("case {n}: x += {n};"), "} g = x; return 0; }")
    }),
    ("returns", |count| {
        let before = format!("{VARIABLES} static int f(void) {{");
        let after = "return 5; } int main(void) { return f() != 5; }";
        lines(&before, count, |n| format!("if (c == {n} + 1) return {n};"), after)
    }),
    ("objects on the stack", |count| {
        let before = format!("{VARIABLES} int main(void) {{");
        lines(&before, count, |n| format!("int v{n} = {n}; keep(&v{n});"), "return 0; }")
    }),
    ("arrays of variable length", |count| {
        let before = format!("{VARIABLES} static void f(int n) {{");
        let after = "} int main(void) { f(3); return 0; }";
        lines(&before, count, |n| format!("{{ int a[n]; a[0] = {n}; g += a[0]; }}"), after)
    }),
    ("values that live long", |count| {
        let before = format!("{VARIABLES} int main(void) {{ int s = 0;");
        let sum = (0..count).fold(String::new(), |sum, n| sum + " + v" + &n.to_string());
        let after = format!("g = s{sum}; return 0; }}");
        lines(&before, count, |n| format!("int v{n} = c; if (v{n}) s += {n};"), &after)
    }),
    ("variables of one loop", |count| {
        let before =
            lines("static int f(int n) {", count, |n| format!("int v{n} = n + {n};"), "while (n-- > 0) {");
        let after = "} return v0; } int main(void) { return f(2) == 0; }";
        lines(&before, count, |n| format!("v{n} += v{};", (n + 1) % count), after)
    }),
    ("members of a struct", |count| {
        let before = lines("struct s {", count, |n| format!("int m{n};"), "} s; int main(void) {");
        lines(&before, count, |n| format!("s.m{n} += 1;"), "return 0; }")
    }),
    ("steps of a pointer", |count| {
        let after = format!("return s + *p; }} int a[{count} + 1]; int main(void) {{ return f(a); }}");
        lines("static int f(int *p) { int s = 0;", count, |_| "s += *p++;".to_owned(), &after)
    }),
];

/// Processor time of all processes that were started here and have ended, in seconds.
fn processor_time() -> f64 {
    // SAFETY: all zeros are a value of that type.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the structure is ours to write to.
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) }, 0);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The processor time that it takes to compile a program and to run it once.
fn time_for(source: &str) -> f64 {
    let folder = Folder::new();
    let file = folder.write("large.c", source);
    let before = processor_time();
    selvedge_run(&[&file, "--", "-w"]).prints("");
    processor_time() - before
}

#[test]
fn four_times_the_program_takes_about_four_times_as_long() {
    for (name, program) in KINDS {
        let (small, large) = (time_for(&program(4_000)), time_for(&program(16_000)));
        // 16 times if it were the square. Small differences of small numbers do not count.
        let allowed = 8.0 * small + 0.5;
        assert!(large < allowed, "{name}: 4000 take {small:.2} s, 16000 take {large:.2} s");
    }
}
