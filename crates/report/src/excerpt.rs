//! Source excerpts and text styles.

use selvedge_program::{Program, SpanId};
use selvedge_vm::StackEntry;
use std::fmt::Write;

/// How many calls of a stack are shown from each end.
const SHOWN_CALLS: usize = 8;

/// Text styles; all empty when colours are off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Styles {
    /// For errors.
    pub error: &'static str,
    /// For warnings.
    pub warning: &'static str,
    /// For notes.
    pub note: &'static str,
    /// For good news.
    pub good: &'static str,
    /// For emphasis.
    pub bold: &'static str,
    /// For what can be skipped.
    pub dim: &'static str,
    /// Back to normal.
    pub reset: &'static str,
}

impl Styles {
    /// Colours, or none.
    pub fn new(colours: bool) -> Self {
        match colours {
            true => Self {
                error: "\x1b[1;31m",
                warning: "\x1b[1;35m",
                note: "\x1b[36m",
                good: "\x1b[1;32m",
                bold: "\x1b[1m",
                dim: "\x1b[2m",
                reset: "\x1b[0m",
            },
            false => Self::default(),
        }
    }
}

/// A growing report. Writing to a string cannot fail, so results of `write!` are ignored.
pub struct Writer<'p> {
    /// The program.
    pub program: &'p Program,
    /// The styles.
    pub styles: Styles,
    /// What has been written.
    pub text: String,
}

impl<'p> Writer<'p> {
    /// An empty report.
    pub fn new(program: &'p Program, styles: Styles) -> Self {
        Self { program, styles, text: String::new() }
    }

    /// `error[kind]: message`.
    pub fn head(&mut self, kind: &str, message: &str) {
        let Styles { error, bold, reset, .. } = self.styles;
        let _ = writeln!(self.text, "{error}error[{kind}]{reset}{bold}: {message}{reset}");
    }

    /// `warning[kind]: message`.
    pub fn warning(&mut self, kind: &str, message: &str) {
        let Styles { warning, bold, reset, .. } = self.styles;
        let _ = writeln!(self.text, "{warning}warning[{kind}]{reset}{bold}: {message}{reset}");
    }

    /// `= message`.
    pub fn note(&mut self, message: &str) {
        let Styles { note, reset, .. } = self.styles;
        let _ = writeln!(self.text, "  {note}= {message}{reset}");
    }

    /// `--> file:line:column`, and the line itself where the file can be read.
    pub fn place(&mut self, span: SpanId) {
        let source = &self.program.source;
        if span == SpanId::NONE {
            self.text.push_str("  --> an unknown place (compile with -g to see more)\n");
            return;
        }
        let _ = writeln!(self.text, "  --> {}", source.describe(span));
        let place = source.span(span);
        let Some(contents) = contents(source.file(span)) else { return };
        let contents = String::from_utf8_lossy(&contents);
        let Some(line) = line_called(&contents, source.file(span), place.line) else { return };
        let Styles { error, reset, .. } = self.styles;
        let number = place.line.to_string();
        let _ = writeln!(self.text, "{number:>5} | {}", line.replace('\t', "    "));
        if place.column > 0 {
            // Columns count bytes; tabs are shown as four blanks.
            let before = line.get(..place.column as usize - 1).unwrap_or(line);
            let width: usize = before.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
            let _ = writeln!(self.text, "      | {}{error}^{reset}", " ".repeat(width));
        }
    }

    /// Calls that are under way.
    pub fn stack(&mut self, title: &str, stack: &[StackEntry]) {
        let entries = user_part(stack);
        let _ = writeln!(self.text, "  {title}");
        for (index, entry) in entries.iter().enumerate() {
            let hidden = entries.len() > 2 * SHOWN_CALLS
                && (SHOWN_CALLS..entries.len() - SHOWN_CALLS).contains(&index);
            if hidden {
                if index == SHOWN_CALLS {
                    let count = entries.len() - 2 * SHOWN_CALLS;
                    let _ = writeln!(self.text, "    … {count} more calls");
                }
                continue;
            }
            let place = match entry.library {
                true => "(library)".to_owned(),
                false => self.program.source.describe(entry.span).to_string(),
            };
            let _ = writeln!(self.text, "    {} {place}", entry.function);
        }
    }
}

/// The line of a file that the compiler calls by that number. `#line` renumbers those that follow; if there are several of that
/// number, none of them is it.
fn line_called<'t>(contents: &'t str, file: &str, wanted: u32) -> Option<&'t str> {
    let mut number = Some(0u32);
    let mut is_here = true;
    let mut found = None;
    for line in contents.lines() {
        number = number.and_then(|number| number.checked_add(1));
        if let Some(directive) = line_directive(line) {
            // The directive is about the line after it. What a macro gives is not known.
            number = directive.number.and_then(|number| number.checked_sub(1));
            is_here = directive.file.map_or(is_here, |name| is_same_file(name, file));
        } else if is_here && number == Some(wanted) && found.replace(line).is_some() {
            return None;
        }
    }
    found
}

/// `#line number "file"`, or `# number "file"`, as preprocessors write it.
struct LineDirective<'t> {
    /// The number of the next line, if it is written there.
    number: Option<u32>,
    file: Option<&'t str>,
}

fn line_directive(line: &str) -> Option<LineDirective<'_>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let named = rest.strip_prefix("line").filter(|rest| rest.starts_with(char::is_whitespace));
    let rest = match named {
        Some(rest) => rest.trim_start(),
        None if rest.starts_with(|c: char| c.is_ascii_digit()) => rest,
        None => return None,
    };
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let file = rest.split('"').nth(1);
    Some(LineDirective { number: digits.parse().ok(), file })
}

/// Whether a name in a directive is that of the file itself: compilers may put a folder in front.
fn is_same_file(name: &str, file: &str) -> bool {
    std::path::Path::new(file).ends_with(name) || std::path::Path::new(name).ends_with(file)
}

/// The largest file that a line is shown of.
const LARGEST: u64 = 64 << 20;

/// What is in an ordinary file. A program can name any (`#line`), also a device without an end or a pipe without a beginning.
fn contents(file: &str) -> Option<Vec<u8>> {
    let there = std::fs::metadata(file).ok()?;
    if !there.is_file() || there.len() > LARGEST {
        return None;
    }
    std::fs::read(file).ok()
}

/// The calls without those of the library that started the program or the thread.
pub fn user_part(stack: &[StackEntry]) -> &[StackEntry] {
    let outermost = stack.iter().rposition(|entry| !entry.library);
    &stack[..outermost.map_or(0, |at| at + 1)]
}

#[cfg(test)]
mod tests {
    use super::line_called;

    #[test]
    fn lines_without_directives_are_counted() {
        let text = "one\ntwo\n#define line 3\n#include <x>\n#linear\n";
        assert_eq!(line_called(text, "a.c", 2), Some("two"));
        assert_eq!(line_called(text, "a.c", 5), Some("#linear"));
        assert_eq!(line_called(text, "a.c", 6), None);
        assert_eq!(line_called(text, "a.c", 0), None);
    }

    #[test]
    fn directives_renumber_what_follows() {
        let text = "one\n#line 10\nten\n  # line 20 \"a.c\"\ntwenty\n#line 1 \"b.c\"\nb1\nb2\n# 30 \"src/a.c\" 2\nthirty\n";
        let line = |number| line_called(text, "src/a.c", number);
        assert_eq!(
            (line(1), line(10), line(20), line(30)),
            (Some("one"), Some("ten"), Some("twenty"), Some("thirty"))
        );
        // Not the second line of the file, nor that of another.
        assert_eq!(line(2), None);
    }

    #[test]
    fn a_number_that_two_lines_have_is_that_of_none() {
        let text = "one\ntwo\n#line 2\nother two\n#line MACRO\nunknown\n";
        assert_eq!((line_called(text, "a.c", 1), line_called(text, "a.c", 2)), (Some("one"), None));
        assert_eq!(line_called(text, "a.c", 6), None);
    }
}
