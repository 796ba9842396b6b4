//! That a thread is blocked, and that all are.

use super::causality::{Causality, Moment};
use super::claims::Claim;
use super::seen::EntryId;
use crate::views::script::Question;
use crate::views::stuck::Stuck;
use selvedge_solve::{Event, Lit};

impl Causality<'_> {
    /// Requires that no thread is enabled at a moment.
    pub fn require_stuck(&mut self, moment: &Moment, stuck: &Stuck) {
        for script in 0..self.events.len() {
            let creation = self.creation(script);
            for position in 0..self.execution.scripts[script].entries.len() {
                let mut clause = vec![!moment.guard];
                let before = match position.checked_sub(1) {
                    Some(before) => Some(self.events[script][before]),
                    None => creation,
                };
                if let Some(before) = before {
                    clause.push(self.order.before(moment.event, before));
                }
                if let Some(event) = self.events[script].get(position).copied() {
                    clause.push(self.order.before(event, moment.event));
                }
                if stuck.may_be((script, position)) {
                    clause.push(self.is_impossible(moment.event, (script, position)));
                }
                self.order.clause(&clause);
            }
            for position in 0..self.events[script].len() {
                let stored = self.order.before(self.events[script][position], moment.event);
                for arrival in self.arrivals_of(script, position + 1) {
                    let arrived = self.order.before(arrival, moment.event);
                    self.order.clause(&[!moment.guard, !stored, arrived]);
                }
            }
        }
    }

    /// That an entry is blocked at a time.
    pub fn is_impossible(&mut self, at: Event, id: EntryId) -> Lit {
        let entry = self.entry(id);
        let unchanged = self.sees_no_change(at, id);
        let blocked = match entry.question {
            Question::Take(test) => {
                let taken = self.is_free(at, id, test, Claim::Fails);
                match entry.state.filter(|state| !test.holds(*state)) {
                    Some(state) if id.1 < self.execution.scripts[id.0].performed => {
                        let differs = self.state_is(at, id, state, Claim::Fails);
                        self.all(&[taken, differs])
                    }
                    _ => taken,
                }
            }
            Question::Once(test) => self.is_free(at, id, test, Claim::Fails),
            Question::Woken { always: false } => self.is_woken(at, id, Claim::Fails),
            Question::Join(thread) => match self.bounds.script_of(thread) {
                Some(other) if other != id.0 => self.has_not_ended(at, other),
                _ => Lit::FALSE,
            },
            Question::JoinAll => {
                let mut others = Vec::new();
                for other in (0..self.events.len()).filter(|other| *other != id.0) {
                    let not_ended = self.has_not_ended(at, other);
                    let created = match self.creation(other) {
                        Some(creation) => self.order.before(creation, at),
                        None => Lit::TRUE,
                    };
                    others.push(self.all(&[not_ended, created]));
                }
                self.any(&others)
            }
            _ => Lit::FALSE,
        };
        let dead = self.dead_locations(entry);
        let alive = self.is_dead(at, &dead, Claim::Fails);
        let blocked = self.any(&[blocked, unchanged]);
        self.all(&[alive, blocked])
    }

    /// That all have ended that an entry waits for.
    pub fn have_ended(&mut self, at: Event, id: EntryId) -> Lit {
        let mut literals = Vec::new();
        for other in self.joined(id.0, self.entry(id).question) {
            let last = self.length_to_end(other).map(|length| match length.checked_sub(1) {
                Some(last) => Some(self.events[other][last]),
                None => self.creation(other),
            });
            let ended = match last {
                Some(Some(last)) => self.order.before(last, at),
                Some(None) => Lit::TRUE,
                None => Lit::FALSE,
            };
            literals.push(ended);
            for arrival in self.arrivals_of(other, usize::MAX) {
                literals.push(self.order.before(arrival, at));
            }
        }
        self.all(&literals)
    }

    /// That the thread of a script has not ended.
    fn has_not_ended(&mut self, at: Event, script: usize) -> Lit {
        match self.length_to_end(script) {
            None => Lit::TRUE,
            Some(0) => match self.creation(script) {
                Some(creation) => self.order.before(at, creation),
                None => Lit::FALSE,
            },
            Some(length) => self.order.before(at, self.events[script][length - 1]),
        }
    }
}
