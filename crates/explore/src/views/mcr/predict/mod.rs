//! Prediction: what could have gone wrong in another order of an execution that went well.
//!
//! Nothing is run to make a prediction; it is then confirmed by running its witness, and only what is confirmed is reported.
//! Predicted are
//!
//! * *data races* ([`races`]): two accesses to the same bytes, one of them a write and one not atomic, whose threads can be
//!   about to perform them at the same moment. Run one right after the other, nothing orders them;
//! * *deadlocks* ([`deadlocks`]): threads that can be at a moment each about to take the lock that the next one has;
//! * *assertions, null pointers, and whatever else a thread does wrong by itself* ([`faults`]): if a thread reads another value
//!   than it did, what it does until its next visible operation follows from its own state. So this is found out for each value
//!   that is written anywhere, on the thread's state alone; and then the solver is asked whether the thread can read that. A
//!   property of several values, say `assert(a <= b)`, is one of several reads in a row: each of these may return another
//!   value, as long as the thread goes on with the same read as it did ([`faults::LONGEST`] of them).
//!
//! A witness is a prefix of the execution in another order. That it can be run is not in doubt; should one fail to confirm,
//! this is reported as a fault of the tool.

mod deadlocks;
mod faults;
mod races;

use super::causality::{Causality, Moment};
use super::seen::EntryId;
use crate::Control;
use crate::views::bounds::Bounds;
use crate::views::explorer::{Explorer, Predictor};
use crate::views::method::{Job, Step};
use rustc_hash::FxHashSet;
use selvedge_memory::System;
use selvedge_program::SpanId;
use selvedge_solve::Lit;
use selvedge_trace::Event;
use selvedge_vm::FaultKind;

/// What has been predicted so far, so that it is not again.
#[derive(Debug, Default)]
pub struct Predicted {
    races: FxHashSet<(SpanId, SpanId)>,
    deadlocks: FxHashSet<Vec<SpanId>>,
    faults: FxHashSet<(FaultKind, SpanId)>,
}

/// An entry of a script that was performed: where in the script and in the source, and which step of the execution it was.
struct Done {
    id: EntryId,
    span: SpanId,
    step: usize,
    event: Event,
}

/// One that has predicted nothing so far.
pub fn new<S: System>() -> Box<dyn Predictor<S>> {
    Box::new(Predicted::default())
}

/// An execution from which violations are predicted.
struct Prediction<'p, 'x, 'e, 's, S: System> {
    predicted: &'p mut Predicted,
    explorer: &'p mut Explorer<'e, 's, S>,
    causality: Causality<'x>,
    done: &'p [Done],
}

impl<S: System> Predictor<S> for Predicted {
    fn predict(&mut self, explorer: &mut Explorer<'_, '_, S>, job: &Job) {
        let bounds = Bounds::new(&job.execution);
        let causality = Causality::new(&job.execution, &bounds, &job.order);
        let done = done(explorer, &bounds, job);
        let mut prediction = Prediction { predicted: self, explorer, causality, done: &done };
        prediction.predict();
        let calls = prediction.causality.statistics().calls;
        explorer.counts.work.calls += calls;
    }
}

/// The events of the present execution.
fn done<S: System>(explorer: &Explorer<'_, '_, S>, bounds: &Bounds<'_>, job: &Job) -> Vec<Done> {
    let mut positions = vec![0; job.execution.scripts.len()];
    let mut done = Vec::new();
    for (step, (agent, event)) in job.order.iter().zip(explorer.session.system.events()).enumerate() {
        let Some(script) = bounds.script_of(Some(agent.thread())).filter(|_| agent.is_thread()) else {
            continue;
        };
        let span = explorer.session.system.machine().image.sites.span(event.site);
        done.push(Done { id: (script, positions[script]), span, step, event: *event });
        positions[script] += 1;
    }
    done
}

impl<S: System> Prediction<'_, '_, '_, '_, S> {
    /// Predicts, and confirms.
    fn predict(&mut self) {
        let scripts = &self.causality.execution.scripts;
        let limits: Vec<u32> = scripts.iter().map(|script| script.performed as u32).collect();
        let moment = self.causality.new_moment(None, &limits);
        // Last first: the machine only has to go back.
        self.predict_faults();
        if self.explorer.session.looks_for(FaultKind::DataRace) {
            self.predict_races(&moment);
        }
        self.predict_deadlocks(&moment);
    }

    /// That a thread is about to perform an entry, whether it can or not.
    fn about_to(&mut self, moment: &Moment, (script, position): EntryId) -> Vec<Lit> {
        let causality = &mut self.causality;
        let before = match position.checked_sub(1) {
            Some(before) => Some(causality.events[script][before]),
            None => causality.creation(script),
        };
        let next = causality.events[script].get(position).copied();
        let mut literals = Vec::new();
        literals.extend(before.map(|before| causality.order.before(before, moment.event)));
        literals.extend(next.map(|next| causality.order.before(moment.event, next)));
        if causality.entry((script, position)).drained {
            for arrival in causality.arrivals_of(script, position) {
                literals.push(causality.order.before(arrival, moment.event));
            }
        }
        literals
    }

    /// Runs a witness; `confirmed` says whether what was predicted has happened afterwards.
    fn confirm(
        &mut self,
        steps: &[Step],
        confirmed: impl FnOnce(&mut Explorer<'_, '_, S>) -> bool,
    ) -> Control {
        let explorer = &mut *self.explorer;
        let statistics = explorer.session.statistics;
        explorer.counts.predicted += 1;
        // What went wrong meanwhile may be just what was predicted.
        let is_confirmed = explorer.go_to(steps).is_some() && confirmed(explorer);
        // It is a replay: it does not count.
        explorer.session.statistics = statistics;
        match is_confirmed {
            true => explorer.counts.confirmed += 1,
            false => explorer.counts.diverged = true,
        }
        match explorer.counts.diverged || explorer.session.has_enough() {
            true => Control::Stop,
            false => Control::Continue,
        }
    }
}
