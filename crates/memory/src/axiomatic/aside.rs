//! Setting aside what was done since a mark, to bring it back later without performing it again.
//!
//! A revisit goes back to an earlier state, and the explorer wants to be where it was when it has seen what followed. Performing
//! all that again would be most of its work where executions are long.
//!
//! A session of which this is the system knows of marks and steps only. So it is the next [`System::rewind`] that keeps
//! what it takes back, if that was asked for ([`Axiomatic::keep`]); and when it has been brought back, the steps that led
//! there are announced once more, and change nothing ([`Axiomatic::bring_back`]).

use super::behind::Done;
use super::graph::{End, NodesAside};
use super::{Axiomatic, AxiomaticMark, Axioms, Id};
use selvedge_trace::Event;

/// What was done since a mark.
#[derive(Default)]
pub struct Aside {
    nodes: NodesAside,
    trace: End<Event>,
    steps: Vec<Done>,
    exits: u32,
    /// How often local states had been forgotten.
    times_forgotten: u32,
    published: End<(u64, u64, Id)>,
}

/// What is kept for the explorer.
#[derive(Default)]
pub(super) struct Keeping {
    /// Whether the next return to a mark keeps what it takes back.
    pub(super) is_asked: bool,
    kept: Option<Box<Aside>>,
    /// Room that is used again.
    #[allow(clippy::vec_box, reason = "they are handed out as they are")]
    spare: Vec<Box<Aside>>,
    /// How many of the next steps were brought back, and are not to be performed again.
    pub(super) recalled: u32,
}

impl<A: Axioms> Axiomatic<'_, A> {
    /// The next return to a mark keeps what it takes back.
    pub fn keep(&mut self) {
        self.keeping.is_asked = true;
    }

    /// What the last return to a mark has kept. Nothing, if one of the steps was wrong or ended its thread: the session
    /// has to see that again. Nor if one was entangled: the machine has to perform it again.
    pub fn kept(&mut self) -> Option<Box<Aside>> {
        self.keeping.kept.take()
    }

    /// Restores what was kept. The system must be in the state of that mark, and the next steps must be those that were
    /// performed from there on.
    pub fn bring_back(&mut self, mut aside: Box<Aside>, steps: u32) {
        self.upcoming = None;
        self.graph.bring_back(&mut aside.nodes);
        let known = self.trace.len();
        aside.trace.give(&mut self.trace);
        // Somebody may have come to await a value since.
        for at in known..self.trace.len() {
            let Event { thread, operation, .. } = self.trace[at];
            self.note_access(thread, &operation);
        }
        aside.published.give(&mut self.published);
        let is_known = aside.times_forgotten == self.known.times_forgotten;
        self.bring_back_steps(&aside.steps, aside.exits, is_known);
        self.keeping.recalled = steps;
        self.discard(aside);
    }

    /// Drops what was kept, so that its room is used again.
    pub fn discard(&mut self, aside: Box<Aside>) {
        self.keeping.spare.push(aside);
    }

    /// Returns to a mark, and keeps what is taken back.
    pub(super) fn set_aside(&mut self, mark: &AxiomaticMark) {
        let mut aside = self.keeping.spare.pop().unwrap_or_default();
        self.graph.set_aside(mark.nodes as usize, &mut aside.nodes);
        aside.trace.take(&mut self.trace, mark.trace as usize);
        aside.published.take(&mut self.published, mark.published as usize);
        aside.steps.clear();
        aside.steps.extend_from_slice(&self.behind.done[mark.steps as usize..]);
        (aside.exits, aside.times_forgotten) = (self.behind.exits, self.known.times_forgotten);
        self.take_back_steps(mark.steps as usize, mark.entangled, mark.exits);
        self.graph.set_newest(mark.newest);
        self.unusual = mark.unusual;
        self.keeping.kept = Some(aside);
    }
}
