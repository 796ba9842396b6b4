//! All executions of a program, with less work: the same results as `interleavings_merged`.
//!
//! What is different is how things are represented, not what they are:
//!
//! * There is one state. A step changes it, and is undone when all that can come after it has been followed.
//! * A trace is a set of facts: the events, with where reads get their values from; which write to a location is the how manieth to
//!   reach it; and of each two events that depend on each other beside memory, which came first. A fingerprint of these facts
//!   stands for the trace. A step adds facts and takes none away, so it costs as much as it adds. Not among the facts is that
//!   the start of a thread comes before its events, and these before its join: that is so in all executions.
//! * Reads-from maps and views are sets of facts, too. So are orders; of additions that commute, it is a fact how many groups of writes to
//!   the location came before them.
//! * Races are looked for once in each trace.

use crate::classes::{Source, together, without_order};
use crate::code::{flatten, has_unused};
use crate::event::{Addition, Effect, Event, EventId, Kind, Object};
use crate::facts::{ByFacts, Fingerprint};
use crate::interleavings::{Ending, Model};
use crate::machine::State;
use crate::program::{Invalid, Program};
use crate::races::ReleaseSequences;
use crate::racing;
use crate::rounds::Loops;
use crate::summary::Summary;
use std::collections::BTreeSet;

/// The same results as [`crate::interleavings_merged`], with traces and views as fingerprints: `None` if there are more than `most`
/// points, or more than 128 events in an execution with accesses that may race.
pub fn summarise(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: Option<u32>,
) -> Result<Option<Summary>, Invalid> {
    let mut nothing = |_: &[Event], _: &State<'_>, _: &Ending| ();
    search(program, model, most, preemptions, &mut nothing)
}

/// Shows one execution of each class: its events, what came of them, and how it ends. `None` if there are more than `most` points.
pub fn visit_classes(
    program: &Program,
    model: Model,
    most: u64,
    visit: &mut Visit<'_>,
) -> Result<Option<()>, Invalid> {
    Ok(search(program, model, most, None, visit)?.map(|_| ()))
}

/// Somebody who is shown executions.
pub type Visit<'v> = dyn FnMut(&[Event], &State<'_>, &Ending) + 'v;

fn search(
    program: &Program,
    model: Model,
    most: u64,
    preemptions: Option<u32>,
    visit: &mut Visit<'_>,
) -> Result<Option<Summary>, Invalid> {
    program.validate()?;
    let code = flatten(program);
    let has_unused = has_unused(&code);
    let mut waited = BTreeSet::new();
    loop {
        let known = waited.len();
        let mut search = Search {
            program,
            most,
            state: State::new(program, model, &code).ordering(&waited),
            loops: Loops::new(&code),
            points: ByFacts::default(),
            execution: Vec::new(),
            effects: Vec::new(),
            summary: Summary::default(),
            waited,
            visit: &mut *visit,
        };
        let executions = search.follow(Facts::default(), preemptions, None);
        if search.waited.len() == known || executions.is_none() || !has_unused {
            return Ok(executions.map(|executions| Summary { executions, ..search.summary }));
        }
        // Until now additions commuted that do not.
        waited = search.waited;
    }
}

/// What is known of the execution so far.
#[derive(Clone, Copy, Default)]
struct Facts {
    trace: Fingerprint,
    order: Fingerprint,
    reads_from: Fingerprint,
    view: Fingerprint,
}

/// A fact of an execution.
#[derive(Hash)]
enum Fact<'e> {
    /// This happened.
    Happened(&'e Event),
    /// This write has this place in the order in which writes reached the location.
    Reached { location: usize, place: usize, write: EventId },
    /// This came before that, and they depend on each other because of the object.
    Before { object: Object, first: EventId, second: EventId },
    /// This read that.
    Source(EventId, Source),
    /// This read the value.
    Value(EventId, u32),
    /// It ended so.
    Ending(&'e Ending),
    /// It is the turn of a thread, and `left` preemptions are left.
    Turn { thread: Option<usize>, left: u32 },
}

struct Search<'p, 'v> {
    program: &'p Program,
    /// How many points there may be.
    most: u64,
    state: State<'p>,
    loops: Loops<'p>,
    /// The points that have been followed, with the number of executions that go on from there. A point is a trace; with a
    /// bound on preemptions, also whose turn it is, and how many preemptions are left.
    points: ByFacts<u64>,
    /// The events so far.
    execution: Vec<Event>,
    /// What they have done to other objects than locations and threads.
    effects: Vec<(Object, Effect, EventId)>,
    summary: Summary,
    /// The locations that somebody waits for.
    waited: BTreeSet<usize>,
    visit: &'v mut dyn FnMut(&[Event], &State<'_>, &Ending),
}

impl Search<'_, '_> {
    /// As the search of `interleavings` does: takes every step that is possible here, and goes on after each.
    fn follow(&mut self, facts: Facts, left: Option<u32>, turn: Option<usize>) -> Option<u64> {
        let point = match left {
            Some(left) => facts.trace.and(&Fact::Turn { thread: turn, left }),
            None => facts.trace,
        };
        if let Some(executions) = self.points.get(&point) {
            return Some(*executions);
        }
        if self.state.is_cut() {
            return Some(0);
        }
        let executions = self.step(facts, left, turn)?;
        self.points.insert(point, executions);
        (self.points.len() as u64 <= self.most).then_some(executions)
    }

    fn step(&mut self, facts: Facts, left: Option<u32>, turn: Option<usize>) -> Option<u64> {
        self.state.add_waited(&mut self.waited);
        let mut executions: u64 = 0;
        let mut is_stuck = true;
        let running = turn.filter(|thread| self.state.is_enabled(*thread));
        for thread in 0..self.program.threads.len() {
            if !self.state.is_enabled(thread) {
                continue;
            }
            is_stuck &= self.state.may_stay(thread, &self.loops, &self.execution);
            let preempts = running.is_some_and(|running| running != thread);
            let left = match left {
                Some(0) if preempts => continue,
                Some(left) => Some(left - u32::from(preempts)),
                None => None,
            };
            for alternative in 0..self.state.alternatives(thread) {
                executions = executions.saturating_add(self.take(facts, thread, alternative, left)?);
            }
        }
        for thread in 0..self.program.threads.len() {
            for store in 0..self.state.buffered(thread) {
                if self.state.can_be_flushed(thread, store) {
                    is_stuck = false;
                    let mark = self.state.mark();
                    let location = self.state.flush(thread, store);
                    let trace = facts.trace.with(self.reached(location));
                    let order = facts.order.with(self.reached_together(location));
                    let followed = self.follow(Facts { trace, order, ..facts }, left, running);
                    self.state.undo(mark);
                    executions = executions.saturating_add(followed?);
                }
            }
        }
        if is_stuck {
            let ending = match self.state.is_complete() {
                true => Ending::Complete(self.state.memory().collect()),
                false => Ending::Stuck(self.state.stuck()),
            };
            executions = executions.saturating_add(self.end(facts, ending)?);
        }
        Some(executions)
    }

    /// A thread takes a step, in one of the ways; returns the number of executions after it.
    fn take(&mut self, facts: Facts, thread: usize, alternative: usize, left: Option<u32>) -> Option<u64> {
        let mark = self.state.mark();
        let Some(step) = self.state.step(thread, alternative) else { return Some(0) };
        let known = self.effects.len();
        let facts = self.add(facts, &step.event);
        let place = (thread, step.event.statement);
        self.execution.push(step.event);
        let followed = match step.fault {
            Some(_) if self.state.is_cut() => Some(0),
            Some(fault) => {
                self.summary.faults.insert((fault, place));
                self.end(facts, Ending::Fault(place))
            }
            None => self.follow(facts, left, Some(thread)),
        };
        self.execution.pop();
        self.effects.truncate(known);
        self.state.undo(mark);
        followed
    }

    /// What is known with one event more, which the state has taken.
    fn add(&mut self, facts: Facts, event: &Event) -> Facts {
        let id = event.id();
        let mut trace = facts.trace.and(&Fact::Happened(&Event { addition: Addition::No, ..event.clone() }));
        let mut order = facts.order.and(&Fact::Happened(&self.without_order(event)));
        if let Kind::Access { location, written: Some(_), .. } = event.kind
            && self.state.writes_to(location).last() == Some(&id)
        {
            trace = trace.with(self.reached(location));
            self.execution.push(event.clone());
            order = order.with(self.reached_together(location));
            self.execution.pop();
        }
        let effects = &mut self.effects;
        event.effects(|object, effect| {
            if matches!(object, Object::Location(_) | Object::Thread(_)) {
                return;
            }
            for (other, earlier, first) in effects.iter() {
                if *other == object && first.0 != id.0 && !earlier.commutes_with(effect) {
                    trace = trace.and(&Fact::Before { object, first: *first, second: id });
                    order = order.and(&Fact::Before { object, first: *first, second: id });
                }
            }
            effects.push((object, effect, id));
        });
        let reads_from =
            event.source.map_or(facts.reads_from, |source| facts.reads_from.and(&Fact::Source(id, source)));
        let view = event.value_read().map_or(facts.view, |value| facts.view.and(&Fact::Value(id, value)));
        Facts { trace, order, reads_from, view }
    }

    /// An event that the state has taken, without what depends on the order of additions that commute.
    fn without_order(&self, event: &Event) -> Event {
        let group = |write: EventId| {
            let Kind::Access { location, .. } = event.kind else { return None };
            let groups = together(&self.execution, self.state.writes_to(location));
            groups.into_iter().find(|group| group.contains(&write))?.last().copied()
        };
        without_order(event, event.commutes(), |write| group(write).unwrap_or(write))
    }

    /// That the last write to a location has reached it, after these groups of others.
    fn reached_together(&self, location: usize) -> Fingerprint {
        let writes = self.state.writes_to(location);
        let Some(write) = writes.last().copied() else { return Fingerprint::default() };
        let place = together(&self.execution, writes).len();
        Fingerprint::of(&Fact::Reached { location, place, write })
    }

    /// That the last write to a location has reached it.
    fn reached(&self, location: usize) -> Fingerprint {
        let writes = self.state.writes_to(location);
        let Some(write) = writes.last().copied() else { return Fingerprint::default() };
        Fingerprint::of(&Fact::Reached { location, place: writes.len(), write })
    }

    /// Notes an execution: one, unless it is too long.
    fn end(&mut self, facts: Facts, ending: Ending) -> Option<u64> {
        let summary = &mut self.summary;
        if !summary.classes.insert(facts.trace) {
            return Some(1);
        }
        summary.orders.insert(facts.order);
        (self.visit)(&self.execution, &self.state, &ending);
        summary.reads_from.insert(facts.reads_from);
        summary.views.insert(facts.view);
        summary.ends.insert(facts.view.and(&Fact::Ending(&ending)));
        match ending {
            Ending::Complete(_) => drop(summary.outcomes.insert(self.state.outcome(self.program))),
            Ending::Stuck(places) => drop(summary.deadlocks.insert(places)),
            Ending::Fault(_) => {}
        }
        for sequences in ReleaseSequences::ALL {
            let into = match sequences {
                ReleaseSequences::C11 => &mut summary.races_c11,
                ReleaseSequences::C20 => &mut summary.races,
            };
            racing::races(&self.execution, &self.state, sequences, into)?;
        }
        Some(1)
    }
}
