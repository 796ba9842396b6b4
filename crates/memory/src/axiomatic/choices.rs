//! Which choices the next step of a thread has. Explorers make their own lists; a schedule that was read from a file may say
//! anything.

use super::{Axiomatic, Axioms, BLOCK, Id, Kind, NONE, Next};
use selvedge_trace::ThreadId;

impl<A: Axioms> Axiomatic<'_, A> {
    /// Tells the places in modification order, not below a floor, that a write may have as far as atomicity goes; the last
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
        if choice == BLOCK {
            let last = self.graph.last_of(number);
            let has_blocked = last != NONE && matches!(self.graph.node(last).kind, Kind::Block { .. });
            return next != Next::Nothing && !has_blocked && !self.is_busy(number) && !self.is_ready(thread);
        }
        let is_listed = match next {
            Next::Nothing => false,
            Next::Other(choices) => choice < choices,
            Next::Read { .. } => {
                let mut sources = Vec::new();
                self.sources(thread, None, &mut sources);
                sources.contains(&choice)
            }
            Next::Write { cell, update } => {
                let mut is_place = false;
                self.places(cell, self.floor(number, cell), update, |place| is_place |= place == choice);
                is_place
            }
        };
        is_listed && self.allows(thread, choice)
    }

    /// Whether no thread can go on, as things are last.
    pub(super) fn nobody_goes_on(&mut self) -> bool {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        threads.into_iter().all(|thread| {
            let number = self.graph.number(thread);
            !self.is_busy(number) && !self.is_ready(thread)
        })
    }
}
