//! Deadlocks: threads that can be at a moment, each about to take the lock that the next one has.

use super::{Done, Prediction};
use crate::views::mcr::causality::{Causality, Moment};
use crate::views::mcr::seen::EntryId;
use crate::views::script::{Ended, Question};
use crate::{Control, Progress};
use selvedge_memory::{End, System};
use selvedge_program::SpanId;
use selvedge_solve::Event;
use selvedge_trace::ThreadId;

/// The longest circle of threads that wait for each other that is looked for.
const LONGEST: usize = 4;

/// A lock that an event takes, and those that its thread has by then, as cells.
struct Taking {
    id: EntryId,
    wants: usize,
    has: Vec<usize>,
    span: SpanId,
}

/// A lock that a thread has, as a cell, and the positions in its script between which it has it.
struct Held {
    cell: usize,
    script: usize,
    from: usize,
    to: usize,
}

/// The locks that threads have.
fn held(causality: &Causality<'_>) -> Vec<Held> {
    let position = |event: Event| {
        let mut all = causality.events.iter().enumerate();
        all.find_map(|(script, events)| Some((script, events.iter().position(|other| *other == event)?)))
    };
    let mut held = Vec::new();
    for (cell, this) in causality.cells.all.iter().enumerate() {
        for (take, give) in this.pairs.iter().flatten() {
            if let Some((script, from)) = position(*take) {
                let to = give.and_then(position).map_or(usize::MAX, |(_, to)| to);
                held.push(Held { cell, script, from, to });
            }
        }
    }
    held
}

/// What takes a lock while its thread has another one.
fn takings(causality: &Causality<'_>, done: &[Done]) -> Vec<Taking> {
    let held = held(causality);
    let mut takings = Vec::new();
    for Done { id, span, .. } in done {
        let (id, span) = (*id, *span);
        let entry = causality.entry(id);
        if !matches!(entry.question, Question::Take(_)) {
            continue;
        }
        let Some(wants) = entry.reads.first().and_then(|part| causality.cells.of(*part).next()) else {
            continue;
        };
        let has = held.iter().filter(|held| held.script == id.0 && held.from < id.1 && id.1 < held.to);
        let has: Vec<usize> = has.map(|held| held.cell).filter(|cell| *cell != wants).collect();
        if !has.is_empty() {
            takings.push(Taking { id, wants, has, span });
        }
    }
    takings
}

impl<S: System> Prediction<'_, '_, '_, '_, S> {
    /// Predicts deadlocks.
    pub(super) fn predict_deadlocks(&mut self, moment: &Moment) {
        let takings = takings(&self.causality, self.done);
        for first in 0..takings.len() {
            if self.close(moment, &takings, &mut vec![first]) == Control::Stop {
                return;
            }
        }
    }

    /// Completes a circle of threads that wait for each other in all ways. The first one of it is the first in the list.
    fn close(&mut self, moment: &Moment, takings: &[Taking], circle: &mut Vec<usize>) -> Control {
        let (Some(&first), Some(&last)) = (circle.first(), circle.last()) else { return Control::Continue };
        if circle.len() > 1 && takings[first].has.contains(&takings[last].wants) {
            return self.predict_deadlock(moment, circle.iter().map(|taking| &takings[*taking]));
        }
        if circle.len() == LONGEST {
            return Control::Continue;
        }
        for next in first + 1..takings.len() {
            let is_new = circle.iter().all(|other| takings[*other].id.0 != takings[next].id.0);
            if is_new && takings[next].has.contains(&takings[last].wants) {
                circle.push(next);
                let control = self.close(moment, takings, circle);
                circle.pop();
                if control == Control::Stop {
                    return Control::Stop;
                }
            }
        }
        Control::Continue
    }

    /// Predicts that the threads of a circle wait for each other, if that is possible.
    fn predict_deadlock<'t>(
        &mut self,
        moment: &Moment,
        circle: impl Iterator<Item = &'t Taking> + Clone,
    ) -> Control {
        let mut spans: Vec<SpanId> = circle.clone().map(|taking| taking.span).collect();
        spans.sort_unstable();
        if self.predicted.deadlocks.contains(&spans) {
            return Control::Continue;
        }
        let mut wishes = Vec::new();
        for taking in circle {
            wishes.extend(self.about_to(moment, taking.id));
        }
        if self.explorer.session.is_out_of_time() {
            return Control::Stop;
        }
        let Some(prefix) = self.causality.solve(moment, &wishes).found() else { return Control::Continue };
        self.predicted.deadlocks.insert(spans);
        let last = prefix.steps.last().map_or(ThreadId::MAIN, |step| step.0.thread());
        self.confirm(&prefix.steps, |explorer| {
            if explorer.go_on(last, Progress::On) != Some(Ended::Over) {
                // Another thread has done something wrong before all came to a halt.
                return !explorer.session.found.is_empty();
            }
            let is_stuck = !matches!(explorer.session.system.end(), End::Complete);
            explorer.session.finish();
            is_stuck
        })
    }
}
