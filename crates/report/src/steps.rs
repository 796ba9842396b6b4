//! Steps of an execution in words.

use selvedge_program::Program;
use selvedge_trace::execution::{Call, Execution, Step, Value};
use selvedge_trace::sync::words;
use selvedge_trace::{Operation, ThreadId};
use selvedge_vm::StackEntry;

/// A step in words, e.g. `x = 1` or `lock(&m)`; and where what it reads or writes belongs, if the order of steps does not tell it.
pub fn words(execution: &Execution, at: usize) -> String {
    let Some(step) = execution.steps.get(at) else { return String::new() };
    let mut text = performed(execution, step);
    if let Some(latest) = step.detour.passed_over {
        text += &source(execution, step, latest);
    }
    if let Some(next) = step.detour.overwritten_by {
        text += &place_in_order(execution, step, next);
    }
    text
}

/// Where what a step has read comes from, which is not what was written last.
fn source(execution: &Execution, step: &Step, latest: usize) -> String {
    let source = step.sources.first().copied().flatten();
    let number = latest + 1;
    if step.event.operation.value_size().is_none() {
        return match source {
            None => format!(" (as it was at first, not as of step {number})"),
            Some(source) => format!(" (as of step {}, not of step {number})", source + 1),
        };
    }
    let origin = match source {
        None => "initial".to_owned(),
        Some(source) => format!("of step {}", source + 1),
    };
    match execution.steps.get(latest).and_then(|latest| latest.written.as_ref()) {
        Some(written) if Some(written.bits) != step.event.read => {
            format!(" ({origin}, not {} of step {number})", written.text)
        }
        _ => format!(" ({origin}, not of step {number})"),
    }
}

/// That a write comes before another that was performed earlier.
fn place_in_order(execution: &Execution, step: &Step, next: usize) -> String {
    let written = execution.steps.get(next).and_then(|next| next.written.as_ref());
    match (step.event.operation.value_size(), written) {
        (Some(_), Some(written)) => format!(" (before {} of step {})", written.text, next + 1),
        _ => format!(" (before step {})", next + 1),
    }
}

/// What an object is called, given the name of its first bytes.
fn whole(name: &str) -> &str {
    name.strip_prefix("at offset 0 of ").unwrap_or(name)
}

fn shown(value: &Option<Value>) -> &str {
    value.as_ref().map_or("?", |value| value.text.as_str())
}

fn performed(execution: &Execution, step: &Step) -> String {
    let name = step.object.as_deref().unwrap_or("memory");
    let event = &step.event;
    let (read, written) = (shown(&step.read), shown(&step.written));
    let buffered = if event.buffered == 0 { "" } else { " (buffered)" };
    match event.operation {
        Operation::Load { .. } => {
            let own = if event.forwarded != 0 { " (from its own buffer)" } else { "" };
            format!("{name} → {read}{own}")
        }
        Operation::Store { .. } => format!("{name} = {}{buffered}", shown(&step.operand)),
        Operation::Flush { .. } => format!("{name} = {} reaches memory", shown(&step.operand)),
        Operation::Rmw { .. } => format!("{name}: {read} → {written}"),
        Operation::CompareExchange { .. } => {
            let expected = shown(&step.expected);
            match event.written {
                Some(_) => format!("{name}: {expected} → {} (exchanged)", shown(&step.operand)),
                None => format!("{name} → {read}, not {expected} (no exchange)"),
            }
        }
        Operation::Fence { order } => format!("fence ({order:?})"),
        Operation::Copy { size, .. } => format!("copy {size} bytes to {name}{buffered}"),
        Operation::Set { byte, size, .. } => format!("set {size} bytes of {name} to {byte}{buffered}"),
        Operation::Release { .. } => format!("free {}", whole(name)),
        Operation::EndScope { .. } => format!("the scope of {} ends", whole(name)),
        Operation::Spawn { .. } => match event.read.and_then(|handle| ThreadId::from_handle(handle as u64)) {
            Some(child) => {
                let function = execution.thread(child).map_or("?", |thread| thread.function.as_str());
                format!("create thread {child} ({function})")
            }
            None => "create a thread: fails".to_owned(),
        },
        Operation::Join { thread: Some(thread) } => format!("join thread {thread}"),
        Operation::Join { thread: None } => "join no thread".to_owned(),
        Operation::WaitForOthers { .. } => "all other threads have ended".to_owned(),
        Operation::Yield => "yield".to_owned(),
        Operation::Sync { op, argument, .. } => {
            words::performed(op, name, argument, event.read.map(|result| result as u64))
        }
        Operation::Choose { options, .. } => format!("choose {} of {options}", event.choice),
        Operation::Assume { condition } => format!("assume({condition})"),
    }
}

/// Calls with the names of their functions.
pub fn named(program: &Program, calls: &[Call]) -> Vec<StackEntry> {
    let entry = |call: &Call| {
        let function = program.functions.get(call.function.index())?;
        Some(StackEntry { function: function.name.clone(), span: call.span, library: function.library })
    };
    calls.iter().filter_map(entry).collect()
}
