//! The report for people.
//!
//! A store that reaches memory is marked with `~`. It is nobody's turn, so it is no switch of threads.

use crate::excerpt::{Styles, Writer};
use crate::miscompiled;
use crate::narrate::{Line, Story};
use selvedge_check::Violation;
use selvedge_program::Program;
use selvedge_trace::ThreadId;
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
    story: &Story,
    folding: Folding,
) -> String {
    let mut writer = Writer::new(program, styles);
    writer.head(violation.kind.name(), &violation.message);
    writer.place(violation.span);
    for note in &violation.notes {
        writer.note(&note.message);
        writer.place(note.span);
    }
    for (miscompiled, note) in miscompiled::in_execution(program, story) {
        writer.note(&note);
        writer.place(miscompiled.span);
    }
    trace(&mut writer, violation, story, folding);
    if !story.waiting.is_empty() {
        writer.text.push_str("\nnot in memory yet:\n");
        for (thread, text, span) in &story.waiting {
            let place = program.source.describe(*span);
            let _ = writeln!(writer.text, "  {text} (thread {thread}, {place})");
        }
    }
    for (position, thread, stack) in &story.moments {
        writer.text.push('\n');
        writer.stack(&format!("thread {thread} at step {}:", position + 1), stack);
    }
    let several = story.stacks.len() > 1 || story.stacks.iter().any(|(_, stack)| stack.len() > 2);
    if several {
        writer.text.push_str("\nwhere the threads are:\n");
        for (thread, stack) in &story.stacks {
            writer.stack(&format!("thread {thread}"), stack);
        }
    }
    if !story.output.is_empty() {
        writer.text.push_str("\noutput of this execution:\n");
        let output = String::from_utf8_lossy(&story.output);
        for line in output.lines().take(OUTPUT_LINES) {
            let _ = writeln!(writer.text, "  | {line}");
        }
        if output.lines().count() > OUTPUT_LINES {
            writer.text.push_str("  | …\n");
        }
    }
    writer.text
}

/// The threads that take part, in order.
fn threads(story: &Story) -> Vec<ThreadId> {
    let mut threads: Vec<ThreadId> = story.lines.iter().map(|line| line.thread).collect();
    threads.extend(story.starts.iter().map(|(thread, _)| *thread));
    threads.sort_unstable();
    threads.dedup();
    threads
}

fn trace(writer: &mut Writer<'_>, violation: &Violation, story: &Story, folding: Folding) {
    if story.lines.is_empty() {
        return;
    }
    let threads = threads(story);
    // A store that reaches memory is nobody's turn.
    let turns: Vec<ThreadId> =
        story.lines.iter().filter(|line| !line.arrives).map(|line| line.thread).collect();
    let switches = turns.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let count = story.lines.len();
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let _ = writeln!(
        writer.text,
        "\nhow it happens ({}, {}):",
        plural(count, "step"),
        plural(switches, "thread switch").replace("switchs", "switches")
    );
    let several_files = story
        .lines
        .iter()
        .any(|line| writer.program.source.file(line.span) != writer.program.source.file(story.lines[0].span));
    let place = |line: &Line| {
        let span = writer.program.source.span(line.span);
        let file = writer.program.source.file(line.span);
        let file = file.rsplit('/').next().unwrap_or(file);
        match (several_files, span.line) {
            (_, 0) => String::new(),
            (true, number) => format!("{file}:{number}"),
            (false, number) => number.to_string(),
        }
    };
    let widest = story.lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0) + 2;
    let width = widest.clamp(WIDTHS.0, WIDTHS.1);
    let place_width = story.lines.iter().map(|line| place(line).len()).max().unwrap_or(0).max(4);

    let mut text = String::new();
    let Styles { bold, dim, error, reset, .. } = writer.styles;
    let _ = write!(text, "{bold}{:>6}  {:<place_width$}", "step", "line");
    for thread in &threads {
        let start = story.starts.iter().find(|(id, _)| id == thread).map(|(_, name)| name.as_str());
        let title = format!("thread {thread} ({})", start.unwrap_or("main"));
        let _ = write!(text, "  {:<width$}", clip(&title, width));
    }
    let _ = writeln!(text, "{reset}");
    let shown = shown(story, violation, folding);
    let mut hidden = 0;
    for (index, line) in story.lines.iter().enumerate() {
        if !shown[index] {
            hidden += 1;
            continue;
        }
        if hidden > 0 {
            let _ = writeln!(text, "{dim}{:>6}  {:<place_width$}  … {hidden} more steps …{reset}", "", "");
            hidden = 0;
        }
        let before = story.lines[..index].iter().rev().find(|line| !line.arrives);
        let switched = !line.arrives && before.is_some_and(|before| before.thread != line.thread);
        let column = threads.iter().position(|thread| *thread == line.thread).unwrap_or(0);
        let marked = violation.events.contains(&index) || index + 1 == story.lines.len();
        let _ = write!(text, "{:>6}  {:<place_width$}", index + 1, place(line));
        text.push_str(&" ".repeat(column * (width + 2)));
        let arrow = match (switched, line.arrives) {
            (true, _) => "» ",
            (false, true) => "~ ",
            (false, false) => "  ",
        };
        let (on, off) = if marked { (error, reset) } else { ("", "") };
        let _ = writeln!(text, "{arrow}{on}{}{off}", clip(&line.text, width.max(60)));
    }
    writer.text.push_str(&text);
}

/// Which steps are shown: all, or what matters of a long trace.
fn shown(story: &Story, violation: &Violation, folding: Folding) -> Vec<bool> {
    let count = story.lines.len();
    let mut shown = vec![true; count];
    if folding == Folding::Full || count <= LONG {
        return shown;
    }
    let mut start = 0;
    while start < count {
        let mut end = start;
        while end < count && story.lines[end].thread == story.lines[start].thread {
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
