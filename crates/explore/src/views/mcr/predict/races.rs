//! Data races: two accesses to the same bytes whose threads can be about to perform them at the same moment.

use super::{Done, Prediction};
use crate::Control;
use crate::views::explorer::Explorer;
use crate::views::mcr::causality::Moment;
use selvedge_memory::System;
use selvedge_trace::{Agent, MemoryAccess};
use selvedge_vm::FaultKind;

impl<S: System> Prediction<'_, '_, '_, '_, S> {
    /// Predicts data races.
    pub(super) fn predict_races(&mut self, moment: &Moment) {
        let done = self.done;
        let all: Vec<(&Done, Vec<MemoryAccess>)> =
            done.iter().map(|done| (done, done.event.accesses().collect())).collect();
        for (at, (first, ones)) in all.iter().enumerate() {
            for (second, others) in &all[at + 1..] {
                let spans = (first.span.min(second.span), first.span.max(second.span));
                let may_race = ones.iter().any(|one| others.iter().any(|other| one.races_with(other)));
                let events = [first, second].map(|done| self.causality.events[done.id.0][done.id.1]);
                if first.id.0 == second.id.0
                    || !may_race
                    || self.predicted.races.contains(&spans)
                    || self.causality.order.is_fixed(events[0], events[1])
                    || self.causality.order.is_fixed(events[1], events[0])
                {
                    continue;
                }
                if self.explorer.session.is_out_of_time() {
                    return;
                }
                let mut wishes = self.about_to(moment, first.id);
                wishes.extend(self.about_to(moment, second.id));
                for id in [first.id, second.id] {
                    wishes.push(self.causality.sees_change(moment.event, id));
                }
                let Some(prefix) = self.causality.solve(moment, &wishes).found() else { continue };
                self.predicted.races.insert(spans);
                let threads = [first.event.thread, second.event.thread].map(Agent::from);
                let confirmed = |explorer: &mut Explorer<'_, '_, S>| {
                    for agent in threads {
                        if explorer.session.is_wrong(FaultKind::DataRace) {
                            break;
                        }
                        if !explorer.session.system.is_enabled(agent) {
                            return false;
                        }
                        explorer.step(agent, 0);
                    }
                    explorer.session.is_wrong(FaultKind::DataRace)
                };
                if self.confirm(&prefix.steps, confirmed) == Control::Stop {
                    return;
                }
            }
        }
    }
}
