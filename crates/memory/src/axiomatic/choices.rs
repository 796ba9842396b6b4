//! Which choices the next step of a thread has. Explorers make their own lists; a schedule that was read from a file may say
//! anything.

use super::order::mask;
use super::{AWAIT, Axiomatic, Axioms, BLOCK, Id, Kind, LOOK, NONE, Next, Node, WAITER};
use selvedge_trace::ThreadId;
use selvedge_vm::result_of_access;

impl<A: Axioms> Axiomatic<'_, A> {
    /// Calls `tell` with the places in modification order, not below a floor, that a write may have as far as atomicity goes; the last
    /// one first.
    pub fn places(&self, cell: u32, floor: usize, update: Option<Id>, mut tell: impl FnMut(u32)) {
        let graph = &self.graph;
        match update {
            Some(source) if graph.updated_by(cell, source).is_none() => tell(graph.rank(cell, source) as u32),
            Some(_) => {}
            None => {
                let writes = &graph.cell(cell).writes;
                let splits = |at: usize| {
                    let before = at.checked_sub(1).map_or(NONE, |at| writes[at]);
                    graph.updated_by(cell, before).is_some()
                };
                (floor..=writes.len()).rev().filter(|at| !splits(*at)).for_each(|at| tell(at as u32));
            }
        }
    }

    /// Whether the next step of a thread has a choice that the model allows.
    pub(super) fn has_choice(&mut self, thread: ThreadId, choice: u32) -> bool {
        // Performing it says what is unsupported.
        let Ok(next) = self.next(thread) else { return choice == 0 };
        let number = self.graph.number(thread);
        if let BLOCK | AWAIT = choice {
            let last = self.graph.last_of(number);
            // Once there is something new to read, it may read in vain once more.
            let newest = self.graph.newest();
            let is_block = |node: &Node| matches!(node.kind, Kind::Block { .. }) && node.stamp >= newest;
            let has_blocked = last != NONE && is_block(self.graph.node(last));
            // A schedule may come from an explorer that looks ahead.
            let waits = match choice {
                BLOCK => !self.is_ready(thread),
                _ => self.awaits_in_vain(thread),
            };
            return next != Next::Nothing && !has_blocked && !self.is_busy(number) && waits;
        }
        let is_listed = match next {
            Next::Nothing => false,
            Next::Other(choices) => choice < choices,
            Next::Read { cell } => {
                let mut sources = Vec::new();
                self.sources(thread, None, &mut sources);
                match choice & LOOK {
                    0 => sources.contains(&choice),
                    _ => sources.contains(&(choice & !LOOK)) && self.may_only_look(number, cell, choice),
                }
            }
            Next::Write { cell, update } => {
                let mut is_place = false;
                self.places(cell, self.floor(number, cell), update, |place| is_place |= place == choice);
                is_place
            }
        };
        is_listed && self.allows(thread, choice)
    }

    /// Whether the next read of a thread, whose choice this is, belongs to an update in a loop that leaves the value as it is.
    fn may_only_look(&self, number: u32, cell: u32, choice: u32) -> bool {
        let rank = choice as usize & ((1 << WAITER) - 1);
        let source = self.graph.of_rank(cell, rank);
        self.operation(number).zip(source).is_some_and(|(operation, source)| {
            let state = self.graph.state_of(cell, source);
            let (_, new) = result_of_access(operation, state.low);
            self.is_idle(number, state, new.map(|new| new & mask(self.graph.cell(cell).size)))
        })
    }

    /// Whether no thread can go on if each reads the last writes.
    pub(super) fn nobody_goes_on(&mut self) -> bool {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        threads.into_iter().all(|thread| {
            let number = self.graph.number(thread);
            !self.is_busy(number) && !self.is_ready(thread)
        })
    }
}
