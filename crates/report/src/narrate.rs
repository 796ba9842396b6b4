//! A schedule as a story.

use selvedge_memory::{ReadsFrom, Step, System};
use selvedge_program::{Site, SpanId};
use selvedge_trace::graph::Order;
use selvedge_trace::sync::words;
use selvedge_trace::{Event, Operation, ThreadId, Turn};
use selvedge_vm::{StackEntry, Stop, Stream};

/// One step, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Who.
    pub thread: ThreadId,
    /// What, e.g. `x = 1` or `lock(&m)`.
    pub text: String,
    /// Where.
    pub span: SpanId,
    /// By which instruction.
    pub site: Site,
    /// Which of the thread's operations it is, from 0.
    pub index: u32,
    /// What kind of operation it is, e.g. `load`.
    pub operation: &'static str,
    /// Its memory order, if it has one.
    pub order: Option<Order>,
    /// What it has read: a value, or the result of an operation on a synchronisation object.
    pub read: Option<String>,
    /// What it has written.
    pub written: Option<String>,
    /// The function it happens in.
    pub function: String,
    /// Whether it is not the thread that does it, but a store of the thread reaches memory.
    pub arrives: bool,
    /// How the source writes what it accesses, if known, e.g. `queue->head`.
    pub variable: Option<String>,
    /// Where what it reads comes from, if the order of the steps does not tell it.
    pub reads_from: Option<ReadsFrom>,
    /// The step whose write counts as later than its own, if that was performed earlier.
    pub overwritten_by: Option<usize>,
}

/// A whole execution.
#[derive(Debug, Clone, Default)]
pub struct Story {
    /// The steps.
    pub lines: Vec<Line>,
    /// The functions that threads were started with.
    pub starts: Vec<(ThreadId, String)>,
    /// Calls under way at the steps that were asked for: position, thread, calls.
    pub moments: Vec<(usize, ThreadId, Vec<StackEntry>)>,
    /// Calls under way at the end, of each thread that has not ended.
    pub stacks: Vec<(ThreadId, Vec<StackEntry>)>,
    /// Stores that have not reached memory at the end: whose, what, and where in the program.
    pub waiting: Vec<(ThreadId, String, SpanId)>,
    /// What was printed.
    pub output: Vec<u8>,
}

/// Follows a schedule in a fresh system and tells what happens; the stacks at the events of `moments` are
/// kept.
pub fn narrate<S: System>(system: &mut S, schedule: &[Turn], moments: &[usize]) -> Story {
    let mut story = Story::default();
    for turn in schedule {
        let machine = system.machine();
        let thread = turn.agent.thread();
        let name = machine.name_of_pending(thread).filter(|_| turn.agent.is_thread());
        let function = machine.user_function(thread).map(str::to_owned);
        let before = system.events().len();
        // An operation may be several steps.
        if moments.contains(&before) && story.moments.last().is_none_or(|(last, ..)| *last != before) {
            story.moments.push((before, thread, machine.stack(thread)));
        }
        system.mark();
        // The model looks at what the present step hands over.
        system.take_published();
        let step = system.step(turn.agent, turn.choice);
        if let Some(event) = system.events().get(before) {
            let reads_from = system.reads_from(before);
            let overwritten_by = system.overwritten_by(before);
            let mut text = describe(system, event, name.as_deref());
            if let Some(from) = &reads_from {
                text += &source(system, event, from);
            }
            if let Some(next) = overwritten_by {
                text += &place_in_order(system, event, next);
            }
            let arrives = !turn.agent.is_thread();
            let (thread, span) = (event.thread, system.machine().image.sites.span(event.site));
            if let Operation::Spawn { function, .. } = event.operation
                && let Some(child) =
                    event.read.and_then(|handle| ThreadId::from_number((handle as usize).wrapping_sub(1)))
            {
                story.starts.push((child, function_name(system, function)));
            }
            let function = function.unwrap_or_default();
            let bytes = size(event).unwrap_or(0);
            let shown = |bits: u128| value(system, bits, bytes);
            story.lines.push(Line {
                thread,
                text,
                span,
                site: event.site,
                index: event.index,
                operation: event.operation.name(),
                order: event.operation.order(event.written.is_some()),
                read: event.read.map(shown),
                written: event.written.map(shown),
                function,
                arrives,
                variable: name,
                reads_from,
                overwritten_by,
            });
        }
        // A thread that cannot go on is not in the rest of the schedule; others may be.
        if let Step::Stopped(Stop::Unsupported(_)) = step {
            break;
        }
    }
    let machine = system.machine();
    for thread in machine.threads() {
        let stack = machine.stack(thread);
        if !stack.is_empty() {
            story.stacks.push((thread, stack));
        }
    }
    for thread in machine.threads() {
        for store in system.waiting_stores(thread) {
            let text = stored(system, store.address, store.size, store.value);
            story.waiting.push((thread, text, machine.image.sites.span(store.site)));
        }
    }
    story.output = machine.output(Stream::Out);
    story.output.extend(machine.output(Stream::Error));
    story
}

fn function_name(system: &impl System, address: u64) -> String {
    selvedge_vm::address::function_at(address)
        .and_then(|id| system.machine().image.program.functions.get(id.index()))
        .map_or_else(|| format!("{address:#x}"), |function| function.name.clone())
}

/// Where what a step has read comes from, unless that is what was written last.
fn source(system: &impl System, event: &Event, from: &ReadsFrom) -> String {
    let ReadsFrom { source, latest: Some(latest) } = *from else { return String::new() };
    if source == Some(latest) {
        return String::new();
    }
    let step = latest + 1;
    let Some(bytes) = size(event) else {
        return match source {
            None => format!(" (as it was at first, not as of step {step})"),
            Some(source) => format!(" (as of step {}, not of step {step})", source + 1),
        };
    };
    let origin = match source {
        None => "initial".to_owned(),
        Some(source) => format!("of step {}", source + 1),
    };
    match system.events()[latest].written {
        Some(written) if Some(written) != event.read => {
            format!(" ({origin}, not {} of step {step})", value(system, written, bytes))
        }
        _ => format!(" ({origin}, not of step {step})"),
    }
}

/// That a write comes before another that was performed earlier.
fn place_in_order(system: &impl System, event: &Event, next: usize) -> String {
    match (size(event), system.events()[next].written) {
        (Some(bytes), Some(written)) => {
            format!(" (before {} of step {})", value(system, written, bytes), next + 1)
        }
        _ => format!(" (before step {})", next + 1),
    }
}

/// How many bytes of a variable an event accesses.
fn size(event: &Event) -> Option<u32> {
    match event.operation {
        Operation::Load { ty, .. }
        | Operation::Store { ty, .. }
        | Operation::Rmw { ty, .. }
        | Operation::CompareExchange { ty, .. } => Some(ty.bytes()),
        Operation::Flush { size, .. } => Some(size),
        _ => None,
    }
}

/// A number as a person would write it; addresses as what they point to.
pub fn value(system: &impl System, bits: u128, bytes: u32) -> String {
    let width = bytes * 8;
    if bytes == 8
        && bits >= u128::from(selvedge_vm::address::GLOBALS)
        && bits < u128::from(selvedge_vm::address::LIMIT)
    {
        let (machine, address) = (system.machine(), bits as u64);
        if let Some(object) = machine.object_at(address)
            && object.start == address
        {
            let name = object.path(machine, address, object.size);
            return format!("&{}", name.unwrap_or_else(|| format!("({})", object.describe(machine))));
        }
    }
    if width == 0 || width > 128 {
        return bits.to_string();
    }
    let shift = 128 - width;
    let signed = ((bits << shift) as i128) >> shift;
    signed.to_string()
}

/// What an object is called, given the name of its first bytes.
fn whole(name: &str) -> &str {
    name.strip_prefix("at offset 0 of ").unwrap_or(name)
}

fn describe(system: &impl System, event: &Event, name: Option<&str>) -> String {
    let name = name.unwrap_or("memory");
    let shown =
        |bits: Option<u128>, bytes: u32| bits.map_or("?".to_owned(), |bits| value(system, bits, bytes));
    match event.operation {
        Operation::Load { ty, .. } => {
            let own = if event.forwarded != 0 { " (from its own buffer)" } else { "" };
            format!("{name} → {}{own}", shown(event.read, ty.bytes()))
        }
        Operation::Store { ty, value: stored, .. } => {
            format!("{name} = {}{}", value(system, stored, ty.bytes()), buffered(event))
        }
        Operation::Flush { address, size, value: stored, .. } => {
            format!("{} reaches memory", self::stored(system, address, size, stored))
        }
        Operation::Rmw { ty, .. } => {
            format!("{name}: {} → {}", shown(event.read, ty.bytes()), shown(event.written, ty.bytes()))
        }
        Operation::CompareExchange { ty, expected, new, .. } => match event.written {
            Some(_) => format!(
                "{name}: {} → {} (exchanged)",
                value(system, expected, ty.bytes()),
                value(system, new, ty.bytes())
            ),
            None => format!(
                "{name} → {}, not {} (no exchange)",
                shown(event.read, ty.bytes()),
                value(system, expected, ty.bytes())
            ),
        },
        Operation::Fence { order } => format!("fence ({order:?})"),
        Operation::Copy { size, .. } => format!("copy {size} bytes to {name}{}", buffered(event)),
        Operation::Set { byte, size, .. } => {
            format!("set {size} bytes of {name} to {byte}{}", buffered(event))
        }
        Operation::Release { .. } => format!("free {}", whole(name)),
        Operation::EndScope { .. } => format!("the scope of {} ends", whole(name)),
        Operation::Spawn { function, .. } => {
            let child = event.read.unwrap_or_default();
            match ThreadId::from_number((child as usize).wrapping_sub(1)) {
                Some(child) => format!("create thread {child} ({})", function_name(system, function)),
                None => "create a thread: fails".to_owned(),
            }
        }
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

/// A store whose place in the program is past, e.g. `x = 1`.
fn stored(system: &impl System, address: u64, size: u32, bits: u128) -> String {
    let machine = system.machine();
    let bytes = u64::from(size);
    let name = machine.object_at(address).map(|object| match object.path(machine, address, bytes) {
        Some(path) => path,
        None if object.start == address && object.size == bytes => object.describe(machine),
        None => format!("{size} bytes {}", object.place(machine, address, bytes)),
    });
    let name = name.unwrap_or_else(|| format!("{address:#x}"));
    format!("{name} = {}", value(system, bits, size))
}

fn buffered(event: &Event) -> &'static str {
    if event.buffered == 0 { "" } else { " (buffered)" }
}
