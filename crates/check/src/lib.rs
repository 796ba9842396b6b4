//! Properties that are watched along an execution.
//!
//! Most errors stop the machine by themselves (assertions, memory errors, lock misuse). What needs a view of
//! several events is here: [`race`] finds data races, [`robust`] executions that only store buffers make possible;
//! deadlock and livelock are told by the system's end and
//! put into words by [`explain`].
//!
//! *Invariant:* a checker sees events and can be rewound; it does not know explorers.

pub mod explain;
pub mod race;
pub mod robust;

use selvedge_program::SpanId;
use selvedge_trace::ThreadId;
use selvedge_vm::{Fault, FaultKind, Note};

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
