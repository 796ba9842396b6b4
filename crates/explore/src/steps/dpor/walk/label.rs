//! What a unit is called: whose it is, and which alternatives it takes.

use selvedge_trace::Agent;
use std::sync::Arc;

/// The next unit of a thread or of one of its buffered stores, and how it is performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Who.
    pub thread: Agent,
    /// The alternative that its first step takes.
    pub choice: u32,
    /// Those that later steps take, if it has some: only atomic sections do.
    pub rest: Option<Arc<Vec<u32>>>,
}

impl Label {
    /// The thread's next unit, with the first alternative of everything.
    pub fn of(thread: Agent) -> Self {
        Self { thread, choice: 0, rest: None }
    }

    /// The thread's next unit, with these alternatives and then the first of everything.
    pub(super) fn with(thread: Agent, choices: &[u32]) -> Self {
        let given = choices.iter().rposition(|choice| *choice != 0).map_or(0, |last| last + 1);
        let rest = choices.get(1..given).filter(|rest| !rest.is_empty());
        let rest = rest.map(|rest| Arc::new(rest.to_vec()));
        Self { thread, choice: choices.first().copied().unwrap_or(0), rest }
    }

    /// How many steps have a given alternative; the others take the first.
    pub(super) fn given(&self) -> usize {
        match &self.rest {
            Some(rest) => 1 + rest.len(),
            None => usize::from(self.choice != 0),
        }
    }

    /// The alternative that a step takes.
    pub(super) fn choice_of(&self, step: usize) -> u32 {
        match step.checked_sub(1) {
            None => self.choice,
            Some(at) => self.rest.as_ref().and_then(|rest| rest.get(at)).copied().unwrap_or(0),
        }
    }
}
