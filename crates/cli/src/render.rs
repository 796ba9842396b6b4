//! Errors for people: message, place, source excerpt, notes, stack.

use selvedge_program::{Program, SpanId};
use selvedge_vm::{Fault, Note, StackEntry, UnsupportedReached};
use std::fmt::Write;
use std::io::IsTerminal;

/// How many calls of a stack are shown from each end.
const SHOWN_CALLS: usize = 8;

/// Text styles, off unless standard error is a terminal.
#[derive(Clone, Copy)]
struct Styles {
    error: &'static str,
    note: &'static str,
    bold: &'static str,
    reset: &'static str,
}

impl Styles {
    fn detect() -> Self {
        let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        match colours {
            true => Self { error: "\x1b[1;31m", note: "\x1b[36m", bold: "\x1b[1m", reset: "\x1b[0m" },
            false => Self { error: "", note: "", bold: "", reset: "" },
        }
    }
}

/// A program error.
pub fn fault(program: &Program, fault: &Fault, threads: usize) -> String {
    let thread = match threads {
        0 | 1 => String::new(),
        _ => format!(" (thread {})", fault.thread),
    };
    let mut report = Report { program, styles: Styles::detect(), text: String::new() };
    report.head(fault.kind.name(), &format!("{}{thread}", fault.message));
    report.place(fault.span);
    for Note { message, span } in &fault.notes {
        report.note(message);
        report.place(*span);
    }
    report.stack(&fault.stack);
    report.text
}

/// Something the tool cannot do.
pub fn unsupported(program: &Program, reached: &UnsupportedReached) -> String {
    let mut report = Report { program, styles: Styles::detect(), text: String::new() };
    report.head("unsupported", &format!("{} is not supported", reached.what));
    report.place(reached.span);
    if let Some(help) = &reached.help {
        report.note(&format!("help: {help}"));
    }
    report.stack(&reached.stack);
    report.text
}

struct Report<'p> {
    program: &'p Program,
    styles: Styles,
    text: String,
}

impl Report<'_> {
    // Writing to a string cannot fail, so the results of `writeln!` are dropped.

    fn head(&mut self, kind: &str, message: &str) {
        let Styles { error, bold, reset, .. } = self.styles;
        let _ = writeln!(self.text, "{error}error[{kind}]{reset}{bold}: {message}{reset}");
    }

    fn note(&mut self, message: &str) {
        let Styles { note, reset, .. } = self.styles;
        let _ = writeln!(self.text, "  {note}= {message}{reset}");
    }

    /// `--> file:line:column`, and the line itself where the file can be read.
    fn place(&mut self, span: SpanId) {
        let source = &self.program.source;
        if span == SpanId::NONE {
            self.text.push_str("  --> an unknown place (compile with -g to see more)\n");
            return;
        }
        let _ = writeln!(self.text, "  --> {}", source.describe(span));
        let place = source.span(span);
        let Ok(contents) = std::fs::read(source.file(span)) else { return };
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

    fn stack(&mut self, stack: &[StackEntry]) {
        // The start function is ours; a single call adds nothing to the place.
        let entries: Vec<&StackEntry> =
            stack.iter().filter(|entry| !(entry.library && entry.span == SpanId::NONE)).collect();
        if entries.len() < 2 {
            return;
        }
        self.text.push_str("  stack:\n");
        for (index, entry) in entries.iter().enumerate() {
            if entries.len() > 2 * SHOWN_CALLS && (SHOWN_CALLS..entries.len() - SHOWN_CALLS).contains(&index)
            {
                if index == SHOWN_CALLS {
                    let hidden = entries.len() - 2 * SHOWN_CALLS;
                    let _ = writeln!(self.text, "    … {hidden} more calls");
                }
                continue;
            }
            let place = self.program.source.describe(entry.span);
            let place = if entry.library { "(library)".to_owned() } else { place.to_string() };
            let _ = writeln!(self.text, "    {} {place}", entry.function);
        }
    }
}
