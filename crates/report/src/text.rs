//! The report for people.
//!
//! A store that reaches memory is marked with `~`. It is nobody's turn, so it is no switch of threads.

use crate::excerpt::{Styles, Writer};
use crate::miscompiled;
use crate::steps::{named, words};
use selvedge_check::Violation;
use selvedge_program::Program;
use selvedge_trace::ThreadId;
use selvedge_trace::execution::{BufferedStore, Execution, Step, Thread};
use std::fmt::Write;

/// Longer traces are folded unless asked for in full.
const LONG: usize = 60;
/// Steps of one thread in a row from which a stretch is folded.
const STRETCH: usize = 8;
/// Narrowest and widest column.
const WIDTHS: (usize, usize) = (24, 46);
/// Lines of output that are shown.
const OUTPUT_LINES: usize = 20;

/// Whether long traces are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folding {
    /// Boring stretches are.
    Folded,
    /// Nothing is.
    Full,
}

/// A violation with its trace.
pub fn violation(
    program: &Program,
    styles: Styles,
    violation: &Violation,
    execution: &Execution,
    folding: Folding,
) -> String {
    let mut writer = Writer::new(program, styles);
    writer.head(violation.kind.name(), &violation.message);
    writer.place(violation.span);
    for note in &violation.notes {
        writer.note(&note.message);
        writer.place(note.span);
    }
    for (miscompiled, note) in miscompiled::in_execution(program, execution) {
        writer.note(&note);
        writer.place(miscompiled.span);
    }
    trace(&mut writer, violation, execution, folding);
    if !execution.buffered.is_empty() {
        writer.text.push_str("\nnot in memory yet:\n");
        for BufferedStore { thread, object, value, span } in &execution.buffered {
            let place = program.source.describe(*span);
            let _ = writeln!(writer.text, "  {object} = {} (thread {thread}, {place})", value.text);
        }
    }
    for step in moments(violation, execution) {
        let thread = execution.steps[step].event.thread;
        writer.text.push('\n');
        let title = format!("thread {thread} at step {}:", step + 1);
        writer.stack(&title, &named(program, execution.stack_at(step)));
    }
    let stays = execution.threads.iter().filter_map(|thread| Some((thread.name, thread.end.as_ref()?)));
    let stacks: Vec<_> = stays.map(|(thread, stay)| (thread, named(program, &stay.stack))).collect();
    if stacks.len() > 1 || stacks.iter().any(|(_, stack)| stack.len() > 2) {
        writer.text.push_str("\nwhere the threads are:\n");
        for (thread, stack) in &stacks {
            writer.stack(&format!("thread {thread}"), stack);
        }
    }
    if !execution.output.is_empty() {
        writer.text.push_str("\noutput of this execution:\n");
        let output = String::from_utf8_lossy(&execution.output);
        for line in output.lines().take(OUTPUT_LINES) {
            let _ = writeln!(writer.text, "  | {line}");
        }
        if output.lines().count() > OUTPUT_LINES {
            writer.text.push_str("  | …\n");
        }
    }
    writer.text
}

/// The steps that a violation is about, in order.
pub(crate) fn moments(violation: &Violation, execution: &Execution) -> Vec<usize> {
    let mut moments = violation.events.clone();
    moments.retain(|step| *step < execution.steps.len());
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// The threads, in the order of their names.
fn threads(execution: &Execution) -> Vec<&Thread> {
    let mut threads: Vec<&Thread> = execution.threads.iter().collect();
    threads.sort_unstable_by_key(|thread| thread.name);
    threads
}

fn trace(writer: &mut Writer<'_>, violation: &Violation, execution: &Execution, folding: Folding) {
    if execution.steps.is_empty() {
        return;
    }
    let threads = threads(execution);
    let texts: Vec<String> = (0..execution.steps.len()).map(|at| words(execution, at)).collect();
    // A store that reaches memory is nobody's turn.
    let turns: Vec<ThreadId> =
        execution.steps.iter().filter(|step| !step.arrives()).map(|step| step.event.thread).collect();
    let switches = turns.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let count = execution.steps.len();
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let _ = writeln!(
        writer.text,
        "\nhow it happens ({}, {}):",
        plural(count, "step"),
        plural(switches, "thread switch").replace("switchs", "switches")
    );
    let file = |step: &Step| writer.program.source.file(step.span);
    let several_files = execution.steps.iter().any(|step| file(step) != file(&execution.steps[0]));
    let place = |step: &Step| {
        let span = writer.program.source.span(step.span);
        let file = file(step);
        let file = file.rsplit('/').next().unwrap_or(file);
        match (several_files, span.line) {
            (_, 0) => String::new(),
            (true, number) => format!("{file}:{number}"),
            (false, number) => number.to_string(),
        }
    };
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let width = widest.clamp(WIDTHS.0, WIDTHS.1);
    let place_width = execution.steps.iter().map(|step| place(step).len()).max().unwrap_or(0).max(4);

    let mut text = String::new();
    let Styles { bold, dim, error, reset, .. } = writer.styles;
    let _ = write!(text, "{bold}{:>6}  {:<place_width$}", "step", "line");
    for thread in &threads {
        let title = format!("thread {} ({})", thread.name, thread.function);
        let _ = write!(text, "  {:<width$}", clip(&title, width));
    }
    let _ = writeln!(text, "{reset}");
    let shown = shown(execution, violation, folding);
    let mut hidden = 0;
    for (index, step) in execution.steps.iter().enumerate() {
        if !shown[index] {
            hidden += 1;
            continue;
        }
        if hidden > 0 {
            let _ = writeln!(text, "{dim}{:>6}  {:<place_width$}  … {hidden} more steps …{reset}", "", "");
            hidden = 0;
        }
        let before = execution.steps[..index].iter().rev().find(|step| !step.arrives());
        let switched =
            !step.arrives() && before.is_some_and(|before| before.event.thread != step.event.thread);
        let column = threads.iter().position(|thread| thread.name == step.event.thread).unwrap_or(0);
        let marked = violation.events.contains(&index) || index + 1 == execution.steps.len();
        let _ = write!(text, "{:>6}  {:<place_width$}", index + 1, place(step));
        text.push_str(&" ".repeat(column * (width + 2)));
        let arrow = match (switched, step.arrives()) {
            (true, _) => "» ",
            (false, true) => "~ ",
            (false, false) => "  ",
        };
        let (on, off) = if marked { (error, reset) } else { ("", "") };
        let _ = writeln!(text, "{arrow}{on}{}{off}", clip(&texts[index], width.max(60)));
    }
    writer.text.push_str(&text);
}

/// Which steps are shown: all, or what matters of a long trace.
fn shown(execution: &Execution, violation: &Violation, folding: Folding) -> Vec<bool> {
    let count = execution.steps.len();
    let thread = |step: usize| execution.steps[step].event.thread;
    let mut shown = vec![true; count];
    if folding == Folding::Full || count <= LONG {
        return shown;
    }
    let mut start = 0;
    while start < count {
        let mut end = start;
        while end < count && thread(end) == thread(start) {
            end += 1;
        }
        // Keep the edges of a stretch: that is where threads meet.
        if end - start > STRETCH {
            for (index, show) in shown.iter_mut().enumerate().take(end - 3).skip(start + 3) {
                *show = violation.events.contains(&index);
            }
        }
        start = end;
    }
    shown
}

fn clip(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
