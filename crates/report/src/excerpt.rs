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
        let Some(line) = (place.line as usize).checked_sub(1).and_then(|n| contents.lines().nth(n)) else {
            return;
        };
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
