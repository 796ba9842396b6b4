//! Deadlocks and livelocks in words: which thread waits for what, and who holds it.

use crate::checker::{Checker, Equivalence, Finding, Standing};
use crate::{Violation, name_of};
use selvedge_memory::{End, ReadValue, System};
use selvedge_program::SpanId;
use selvedge_trace::execution::Wait;
use selvedge_trace::sync::{Hold, hold, words};
use selvedge_trace::{Event, Operation, ThreadId};
use selvedge_vm::{FaultKind, Note};

/// Deadlock and livelock as a checker.
#[derive(Debug, Clone, Copy, Default)]
pub struct Waiting;

impl Checker for Waiting {
    type Mark = ();

    /// How far threads come, and what they wait for, follows from what they have read.
    const PRESERVED_BY: Equivalence = Equivalence::Views;

    fn end<S: System>(&mut self, system: &S, standing: Standing) -> Option<Finding> {
        // If a thread was stopped, others may wait for it in vain.
        if standing != Standing::Good {
            return None;
        }
        let violation = end(system)?;
        Some(Finding { violation, events: system.events().len() })
    }

    fn mark(&self) {}

    fn rewind(&mut self, (): &()) {}
}

/// The violation that the end of an execution is, if it is one.
pub fn end(system: &impl System) -> Option<Violation> {
    let (kind, waiting) = match system.end() {
        End::Complete => return None,
        End::Deadlock(waiting) => (FaultKind::Deadlock, waiting),
        End::Livelock(waiting) => (FaultKind::Livelock, waiting),
    };
    // Blame a thread that goes round a loop for a livelock, the one created last for a deadlock: the
    // main thread usually just waits for the others.
    let culprit = match kind {
        FaultKind::Livelock => waiting.iter().copied().find(|t| system.machine().is_enabled(*t)),
        _ => waiting.iter().copied().find(|t| !is_join(system, *t)),
    };
    let thread = culprit.or(waiting.first().copied()).unwrap_or(ThreadId::MAIN);
    let message = match (kind, waiting.len()) {
        (FaultKind::Livelock, _) => {
            format!("thread {thread} waits in a loop for something that can never happen")
        }
        (_, 1) => format!("thread {thread} waits for ever"),
        (_, n) => format!("deadlock: {n} threads wait for ever"),
    };
    let notes = waiting
        .iter()
        .map(|thread| Note { message: waits_for(system, *thread), span: system.machine().place(*thread) })
        .collect();
    let span = match kind {
        FaultKind::Livelock => last_read(system, thread),
        _ => None,
    };
    let span = span.unwrap_or_else(|| system.machine().place(thread));
    Some(Violation { kind, message, thread, span, notes, events: Vec::new() })
}

fn is_join(system: &impl System, thread: ThreadId) -> bool {
    matches!(system.machine().pending(thread), Some(Operation::Join { .. }))
}

/// The locations that a thread waits to see changed, if it is in a waiting loop.
fn watched(system: &impl System, thread: ThreadId) -> Option<Vec<ReadValue>> {
    let watched = system.watched(thread).map(<[_]>::to_vec);
    watched.or_else(|| system.awaited(thread).map(|read| vec![read]))
}

/// Where a thread in a waiting loop last looked at what it waits for. (One that awaits a value stands before the access that does.)
fn last_read(system: &impl System, thread: ThreadId) -> Option<SpanId> {
    let watched = system.watched(thread)?;
    let looked = |event: &&Event| {
        let address = match event.operation {
            Operation::Load { address, .. }
            | Operation::Rmw { address, .. }
            | Operation::CompareExchange { address, .. } => address,
            Operation::Sync { object, .. } => object,
            _ => return false,
        };
        event.thread == thread && watched.iter().any(|read| read.address == address)
    };
    system.events().iter().rev().find(looked).map(|event| system.machine().image.sites.span(event.site))
}

/// What a thread waits for, if it can only wait.
pub fn waits(system: &impl System, thread: ThreadId) -> Option<Wait> {
    let machine = system.machine();
    let name = |address: u64, size: u64| name_of(machine, address, size);
    match machine.pending(thread) {
        Some(Operation::Join { thread: Some(other) }) => Some(Wait::Thread(other)),
        Some(Operation::Sync { op, object, argument }) => {
            let owner = machine.owner_of(op, object);
            let owner = owner.map(|owner| (owner, taken_at(system, owner, object)));
            Some(Wait::Object { op, object: name(object, op.object().size()), argument, owner })
        }
        _ => {
            let watched = watched(system, thread).filter(|watched| !watched.is_empty())?;
            let mut names: Vec<String> =
                watched.iter().map(|read| name(read.address, u64::from(read.size))).collect();
            names.sort();
            names.dedup();
            Some(Wait::Change(names))
        }
    }
}

/// The same in words.
fn waits_for(system: &impl System, thread: ThreadId) -> String {
    match waits(system, thread) {
        Some(Wait::Thread(other)) => format!("thread {thread} waits here for the end of thread {other}"),
        Some(Wait::Object { op, object, argument, owner }) => {
            let since = |at: usize| {
                let site = system.events()[at].site;
                format!(" since {}", system.machine().image.describe(site))
            };
            let owner = owner.map(|(owner, taken)| (owner, taken.map_or_else(String::new, since)));
            words::waits(op, thread, &object, argument, owner)
        }
        Some(Wait::Change(names)) => {
            format!("thread {thread} goes round a loop here until {} changes", names.join(" or "))
        }
        None => format!("thread {thread} stands here"),
    }
}

/// The event in which the holder of a lock has taken it.
fn taken_at(system: &impl System, owner: ThreadId, object: u64) -> Option<usize> {
    let took = |event: &Event| {
        event.thread == owner
            && matches!(event.operation, Operation::Sync { op, object: o, .. } if o == object
                && hold(op, event.read.unwrap_or(1) as u64) == Hold::Takes)
    };
    system.events().iter().rposition(took)
}
