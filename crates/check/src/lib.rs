//! Properties that are watched along an execution.
//!
//! Most errors stop the machine by themselves (assertions, memory errors, lock misuse). What needs a view of several events is a
//! [`Checker`]: [`races`] finds data races, [`robust`] executions that only store buffers make possible, [`waiting`] deadlocks
//! and livelocks. [`Checkers`] are those of an exploration.
//!
//! *Invariant:* a checker sees events and can be rewound; it does not know explorers.

pub mod checker;
pub mod checkers;
pub mod graph_races;
pub mod race;
pub mod races;
pub mod robust;
pub mod waiting;

pub use checker::{Checker, Company, Equivalence, Finding, Standing, Step};
pub use checkers::{Checkers, CheckersMark, Property};

use selvedge_program::SpanId;
use selvedge_trace::ThreadId;
use selvedge_vm::{Fault, FaultKind, Machine, Note};

/// How the source names some bytes; or what kind of object they are in, or their address.
fn name_of(machine: &Machine<'_>, address: u64, size: u64) -> String {
    match machine.object_at(address) {
        Some(object) => match object.path(machine, address, size) {
            Some(path) => format!("`{path}`"),
            None => object.describe(machine),
        },
        None => format!("{address:#x}"),
    }
}

/// Something wrong with the program, found in an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
    /// Which thread.
    pub thread: ThreadId,
    /// Where.
    pub span: SpanId,
    /// Explanations with places.
    pub notes: Vec<Note>,
    /// Events of the execution that the violation is about, by position.
    pub events: Vec<usize>,
}

impl Violation {
    /// Whether two are the same: same kind at the same place (or places).
    pub fn is_same(&self, other: &Violation) -> bool {
        self.kind == other.kind && self.span == other.span
    }
}

impl From<Fault> for Violation {
    fn from(fault: Fault) -> Self {
        let Fault { kind, message, thread, span, notes, .. } = fault;
        Self { kind, message, thread, span, notes, events: Vec::new() }
    }
}
