//! Data races: two accesses to the same bytes whose threads can be about to perform them at the same moment.

use super::{Done, Prediction};
use crate::Control;
use crate::views::explorer::Explorer;
use crate::views::mcr::causality::Moment;
use selvedge_memory::System;
use selvedge_program::{LoadOrder, StoreOrder};
use selvedge_trace::{Agent, Event, Operation};
use selvedge_vm::FaultKind;

/// Bytes that an event accesses.
#[derive(Debug, Clone, Copy)]
struct Access {
    start: u64,
    size: u64,
    writes: bool,
    plain: bool,
}

fn accesses(event: &Event) -> Vec<Access> {
    let one = |start: u64, size: u64, writes: bool, plain: bool| Access { start, size, writes, plain };
    match event.operation {
        Operation::Load { address, ty, order } => {
            vec![one(address, u64::from(ty.bytes()), false, order == LoadOrder::Plain)]
        }
        Operation::Store { address, ty, order, .. } => {
            vec![one(address, u64::from(ty.bytes()), true, order == StoreOrder::Plain)]
        }
        Operation::Rmw { address, ty, .. } => vec![one(address, u64::from(ty.bytes()), true, false)],
        Operation::CompareExchange { address, ty, .. } => {
            vec![one(address, u64::from(ty.bytes()), event.written.is_some(), false)]
        }
        Operation::Copy { to, from, size } => vec![one(from, size, false, true), one(to, size, true, true)],
        Operation::Set { to, size, .. } => vec![one(to, size, true, true)],
        _ => Vec::new(),
    }
}

fn conflict(one: &Access, other: &Access) -> bool {
    one.start < other.start.saturating_add(other.size)
        && other.start < one.start.saturating_add(one.size)
        && (one.writes || other.writes)
        && (one.plain || other.plain)
}

impl<S: System> Prediction<'_, '_, '_, '_, S> {
    /// Predicts data races.
    pub(super) fn predict_races(&mut self, moment: &Moment) {
        let done = self.done;
        let all: Vec<(&Done, Vec<Access>)> = done.iter().map(|done| (done, accesses(&done.event))).collect();
        for (at, (first, ones)) in all.iter().enumerate() {
            for (second, others) in &all[at + 1..] {
                let spans = (first.span.min(second.span), first.span.max(second.span));
                let conflicts = ones.iter().any(|one| others.iter().any(|other| conflict(one, other)));
                let events = [first, second].map(|done| self.causality.events[done.id.0][done.id.1]);
                if first.id.0 == second.id.0
                    || !conflicts
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
