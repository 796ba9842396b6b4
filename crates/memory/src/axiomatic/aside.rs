//! Setting aside what was done since a mark, to bring it back later without performing it again.
//!
//! A revisit goes back to an earlier state, and the explorer wants to be where it was when it has seen what followed. Performing
//! all that again would be most of its work where executions are long.
//!
//! A session of which this is the system knows of marks and steps only. So it is the next [`System::rewind`] that keeps
//! what it takes back, if that was asked for ([`Axiomatic::keep`]); and when it has been brought back, the steps that led
//! there are announced once more, and change nothing ([`Axiomatic::bring_back`]).

use super::graph::{End, NodesAside};
use super::{Axiomatic, AxiomaticMark, Axioms, Id};
use crate::spin::History;
use selvedge_trace::Event;

/// What was done since a mark.
#[derive(Default)]
pub struct Aside {
    machine: selvedge_vm::Aside,
    nodes: NodesAside,
    trace: End<Event>,
    /// Of each thread what came since the mark; of those beyond `changed` nothing.
    histories: Vec<(usize, History)>,
    changed: usize,
    published: End<(u64, u64, Id)>,
}

impl<A: Axioms> Axiomatic<'_, A> {
    /// Lets the next return to a mark keep what it takes back.
    pub fn keep(&mut self) {
        self.keeps = true;
    }

    /// What the last return to a mark has kept. Nothing, if one of the steps was wrong or ended its thread: the session
    /// has to hear of that again.
    pub fn kept(&mut self) -> Option<Box<Aside>> {
        self.kept.take()
    }

    /// Restores what was kept. The system must be in the state of that mark, and the next so many steps must be those that
    /// were performed from there on.
    pub fn bring_back(&mut self, mut aside: Box<Aside>, steps: u32) {
        self.upcoming = None;
        self.machine.bring_back(&mut aside.machine);
        self.graph.bring_back(&mut aside.nodes);
        aside.trace.give(&mut self.trace);
        for (thread, kept) in &aside.histories[..aside.changed] {
            self.histories[*thread].bring_back(kept);
        }
        aside.published.give(&mut self.published);
        self.recalled = steps;
        self.discard(aside);
    }

    /// What was kept is not needed.
    pub fn discard(&mut self, aside: Box<Aside>) {
        self.spare.push(aside);
    }

    /// Returns to a mark, and keeps what is taken back.
    pub(super) fn set_aside(&mut self, mark: &AxiomaticMark) {
        let mut aside = self.spare.pop().unwrap_or_default();
        self.machine.set_aside(&mark.machine, &mut aside.machine);
        self.graph.set_aside(mark.nodes as usize, &mut aside.nodes);
        aside.trace.take(&mut self.trace, mark.trace as usize);
        aside.published.take(&mut self.published, mark.published as usize);
        aside.changed = 0;
        // Like the journals of the machine, this one is not cut back.
        for (thread, oldest) in &self.undo[mark.undo as usize..] {
            // The oldest mark of a thread says what came since.
            if aside.histories[..aside.changed].iter().any(|(other, _)| *other == thread.number()) {
                continue;
            }
            if aside.histories.len() == aside.changed {
                aside.histories.push((0, History::default()));
            }
            let (number, kept) = &mut aside.histories[aside.changed];
            *number = thread.number();
            let history = &mut self.histories[thread.number()];
            history.keep_since(oldest, kept);
            history.rewind(oldest);
            aside.changed += 1;
        }
        self.graph.set_newest(mark.newest);
        self.unusual = mark.unusual;
        self.race = None;
        self.kept = Some(aside);
    }
}
