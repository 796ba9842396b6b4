//! Errors of single executions, for people.

use selvedge_program::Program;
use selvedge_report::excerpt::{Styles, Writer, user_part};
use selvedge_report::miscompiled;
use selvedge_vm::{Fault, Note, StackEntry, UnsupportedReached};
use std::io::IsTerminal;

/// Styles for standard error.
pub fn styles() -> Styles {
    Styles::new(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
}

/// Styles for standard output.
pub fn output_styles() -> Styles {
    Styles::new(std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none())
}

/// Says on standard error where the compiler's code does not do what C says.
pub fn warn(program: &Program) {
    eprint!("{}", miscompiled::warnings(program, styles()));
}

/// A program error.
pub fn fault(program: &Program, fault: &Fault, threads: usize) -> String {
    let thread = match threads {
        0 | 1 => String::new(),
        _ => format!(" (thread {})", fault.thread),
    };
    let mut writer = Writer::new(program, styles());
    writer.head(fault.kind.name(), &format!("{}{thread}", fault.message));
    writer.place(fault.span);
    for Note { message, span } in &fault.notes {
        writer.note(message);
        writer.place(*span);
    }
    stack(&mut writer, &fault.stack);
    writer.text
}

/// Something the tool cannot do.
pub fn unsupported(program: &Program, reached: &UnsupportedReached) -> String {
    let mut writer = Writer::new(program, styles());
    // What is missing may be one thing or several.
    writer.head("unsupported", &format!("not supported: {}", reached.what));
    writer.place(reached.span);
    if let Some(help) = &reached.help {
        writer.note(&format!("help: {help}"));
    }
    stack(&mut writer, &reached.stack);
    writer.text
}

/// The stack, unless it adds nothing to the place.
fn stack(writer: &mut Writer<'_>, stack: &[StackEntry]) {
    if user_part(stack).len() > 1 {
        writer.stack("stack:", stack);
    }
}
