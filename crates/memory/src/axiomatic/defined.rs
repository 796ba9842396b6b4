//! Which bits of what was written were ever set, if that is followed (`--check uninitialised`).
//!
//! The machine's memory knows it of the last write of each location. A read may read from another one, so it is remembered for
//! each write that has left bits undefined; there are few. (What an update writes counts as defined, as in the machine.) What a thread does then depends on more than the values that it
//! has read: nothing that is known of threads is relied upon, and the machine performs every step at once.

use super::{Axiomatic, Axioms, Id, NONE};
use selvedge_trace::ThreadId;
use selvedge_vm::Initialisation;

/// What writes have left undefined.
pub(super) struct Undefined {
    /// Whether it is followed at all.
    is_followed: bool,
    /// Writes and the bits that they have left undefined, in the order of the nodes.
    writes: Vec<(Id, u128)>,
    /// Which bits of the present load's value are defined.
    loaded: Option<u128>,
}

impl Undefined {
    /// Before anything was written.
    pub(super) fn new(initialisation: Initialisation) -> Self {
        let is_followed = initialisation == Initialisation::Tracked;
        Self { is_followed, writes: Vec::new(), loaded: None }
    }

    /// Nodes from a position on were taken back.
    pub(super) fn forget_from(&mut self, nodes: usize) {
        while self.writes.last().is_some_and(|(write, _)| *write as usize >= nodes) {
            self.writes.pop();
        }
    }

    /// Which bits of the present load's value are defined, if memory does not say it.
    pub(super) fn take_loaded(&mut self) -> Option<u128> {
        self.loaded.take()
    }
}

impl<A: Axioms> Axiomatic<'_, A> {
    /// The bits of a location that are defined in what a source has left there.
    fn defined_by(&self, cell: u32, source: Id) -> u128 {
        if source == NONE {
            return self.graph.cell(cell).initially_defined;
        }
        let writes = &self.undefined.writes;
        match writes.binary_search_by_key(&source, |(write, _)| *write) {
            Ok(at) => !writes[at].1,
            Err(_) => u128::MAX,
        }
    }

    /// Puts what a source has left in a location into memory.
    pub(super) fn put_from(&mut self, cell: u32, source: Id) {
        self.put(cell, self.graph.state_of(cell, source));
        if self.undefined.is_followed {
            let defined = self.defined_by(cell, source);
            let at = self.graph.cell(cell);
            self.machine.set_defined_bits(at.address, at.size, defined);
        }
    }

    /// The last node is a write: it has left these bits defined.
    pub(super) fn note_defined(&mut self, defined: u128) {
        if self.undefined.is_followed && defined != u128::MAX {
            self.undefined.writes.push((self.graph.nodes().len() as Id - 1, !defined));
        }
    }

    /// The bits of what a thread is about to store that are defined.
    pub(super) fn stored_bits(&mut self, thread: ThreadId) -> u128 {
        match self.undefined.is_followed {
            true => {
                self.catch_up();
                self.machine.stored_bits(thread)
            }
            false => u128::MAX,
        }
    }

    /// A load is complete that reads all from one source.
    pub(super) fn load_from(&mut self, cell: u32, source: Id) {
        if self.undefined.is_followed {
            self.undefined.loaded = Some(self.defined_by(cell, source));
        }
    }

    /// A load is complete that reads what is in memory now.
    pub(super) fn load_from_memory(&mut self, address: u64, bytes: u32) {
        if self.undefined.is_followed {
            self.undefined.loaded = Some(self.machine.defined_bits(address, bytes));
        }
    }
}
