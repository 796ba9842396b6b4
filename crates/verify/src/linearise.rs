//! A violation of an execution graph as a schedule of steps.
//!
//! The graph is put in order ([`Axiomatic::linearise`](selvedge_memory::axiomatic::Axiomatic::linearise)), and steps are taken in
//! that order. Code for graphs has some operations that code for steps does not have: a thread's atomic accesses to its own heap
//! objects that nobody else can reach. These are left out. Then the schedule is followed in a session, which must find a violation
//! of the same kind: what is reported is what steps show.
//!
//! The place may be another one only for data races: which of two accesses comes second depends on the order, and of several
//! races in one execution a session need not see the same.

use crate::systems::{InOrder, Start, Systems};
use selvedge_check::Violation;
use selvedge_explore::steps::replay;
use selvedge_explore::{Found, Session, Settings, Statistics, Turn};
use selvedge_memory::axiomatic::{Placed, Preference};
use selvedge_memory::{Sequential, Step, System};
use selvedge_trace::{Agent, Operation};
use selvedge_vm::{FaultKind, LoadError, Stop};
use std::sync::atomic::AtomicBool;

/// The violation that graphs have found, as steps show it; `None` if they do not. `graphs` and `steps` are what systems start from.
pub(crate) fn as_steps<M: Systems>(
    systems: M,
    graphs: &Start<'_>,
    steps: &Start<'_>,
    settings: &Settings,
    found: &Found,
) -> Result<Option<Found>, LoadError> {
    for preference in [Preference::FewSwitches, Preference::AsAdded] {
        let Some(sequence) = systems.sequence(graphs, &found.schedule, preference)? else { continue };
        let Some(schedule) = follow(&mut InOrder.start(steps)?, &sequence) else { continue };
        if let Some(shown) = confirm(steps, settings, &found.violation, schedule)? {
            return Ok(Some(shown));
        }
    }
    Ok(None)
}

/// Takes steps in the order of a sequence.
fn follow((system, first): &mut (Sequential<'_>, Step), sequence: &[Placed]) -> Option<Vec<Turn>> {
    let mut schedule = Vec::new();
    if *first != Step::Done {
        // It has ended before there was anything to choose.
        return Some(schedule);
    }
    for placed in sequence {
        let pending = system.machine().pending(placed.thread)?;
        let is_same = placed.operation.is_none_or(|operation| is_like(&operation, &pending));
        if !is_same && placed.operation.is_some_and(|operation| operation.is_atomic_access()) {
            continue;
        }
        let agent = Agent::from(placed.thread);
        if !is_same || !system.is_enabled(agent) || !system.accepts(agent, placed.choice) {
            return None;
        }
        schedule.push(Turn { agent, choice: placed.choice });
        system.mark();
        system.take_published();
        if let Step::Stopped(Stop::Unsupported(_)) = system.step(agent, placed.choice) {
            return None;
        }
    }
    Some(schedule)
}

/// Whether a thread does the same in both: it accesses the same bytes, or performs the same operation otherwise. (What is accessed
/// may be of another type in other code, and details of operations that go wrong are known to one of the machines only.)
fn is_like(one: &Operation, other: &Operation) -> bool {
    let value = |operation: &Operation| operation.value_size().and(operation.subject());
    std::mem::discriminant(one) == std::mem::discriminant(other) && value(one) == value(other)
}

/// Follows a schedule in a session; gives the violation that it was to show.
fn confirm(
    steps: &Start<'_>,
    settings: &Settings,
    meant: &Violation,
    schedule: Vec<Turn>,
) -> Result<Option<Found>, LoadError> {
    let (system, first) = InOrder.start(steps)?;
    let settings = Settings { keep_going: true, ..settings.clone() };
    let never = AtomicBool::new(false);
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings, &never, &mut silent);
    if replay::explore(&mut session, &schedule).is_err() {
        return Ok(None);
    }
    let same = session.found.iter().find(|found| found.violation.is_same(meant));
    let like = || {
        let is_race = |found: &&Found| found.violation.kind == FaultKind::DataRace;
        session.found.iter().filter(is_race).find(|_| meant.kind == FaultKind::DataRace)
    };
    Ok(same.or_else(like).cloned())
}
