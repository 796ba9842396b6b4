//! All executions of a program, one of each class, with what normal forms need of them.

use super::Sequences;
use crate::classes::{self, Execution, Trace};
use crate::event::{Event, EventId};
use crate::facts::Fingerprint;
use crate::graphs::{self, Found, Graph};
use crate::interleavings::{Ending, Model, StatementId};
use crate::machine::{Fault, State};
use crate::program::{Invalid, Program};
use crate::races::{ReleaseSequences, happens_before, races};
use crate::summarise;
use crate::summary::Summary;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to know of an execution besides its trace.
#[derive(Debug)]
pub struct Known {
    /// The pairs of events of different threads of which the first happens before the second.
    pub before: BTreeSet<(EventId, EventId)>,
    /// The events that race.
    pub racing: BTreeSet<EventId>,
    /// What is found in it.
    pub found: Summary,
}

/// Executions, by their traces.
pub type Executions = BTreeMap<Trace, Known>;

/// The executions under an operational model; `None` if there are too many points.
pub fn by_steps(
    program: &Program,
    model: Model,
    sequences: Sequences,
    most: u64,
) -> Result<Option<Executions>, Invalid> {
    let mut executions = Executions::new();
    let mut visit = |events: &[Event], state: &State<'_>, ending: &Ending| {
        let writes = state.writes();
        let execution = Execution { events, writes: &writes };
        let mut found = Summary::default();
        match ending {
            Ending::Complete(_) => drop(found.outcomes.insert(state.outcome(program))),
            Ending::Stuck(places) => drop(found.deadlocks.insert(places.clone())),
            Ending::Fault(place) => drop(found.faults.insert((Fault::of(program, *place), *place))),
        }
        let id = |at: usize| events[at].id();
        let place = |at: usize| (events[at].thread, events[at].statement);
        let mut racing = BTreeSet::new();
        for rule in ReleaseSequences::ALL {
            let pairs = races(execution, rule);
            if rule == sequences {
                racing.extend(pairs.iter().flat_map(|(first, second)| [id(*first), id(*second)]));
            }
            races_in(&mut found, rule).extend(pairs.into_iter().map(|(first, second)| {
                let (one, other) = (place(first), place(second));
                (one.min(other), one.max(other))
            }));
        }
        let relation = happens_before(execution, sequences);
        let pairs = relation.iter().enumerate().flat_map(|(first, row)| {
            let after = row.iter().enumerate().filter(|(_, is_after)| **is_after);
            after.map(move |(second, _)| (first, second))
        });
        let apart = pairs.filter(|(first, second)| events[*first].thread != events[*second].thread);
        let before = apart.map(|(first, second)| (id(first), id(second))).collect();
        let mut trace = classes::trace(execution);
        // Threads without events, too: others may become like them.
        for thread in 0..program.threads.len() {
            trace.threads.entry(thread).or_default();
        }
        describe(&mut found, &trace, ending);
        executions.insert(trace, Known { before, racing, found });
    };
    let all = summarise::visit_classes(program, model, most, &mut visit)?;
    Ok(all.map(|()| executions))
}

/// The maximal consistent graphs under an axiomatic model; `None` if there are too many to visit.
pub fn by_graphs(
    program: &Program,
    model: graphs::Model,
    sequences: Sequences,
    most: u64,
) -> Result<Option<Executions>, Invalid> {
    let mut executions = Executions::new();
    let mut is_small = true;
    let mut visit = |graph: &Graph| match graphs::look(program, graph, sequences) {
        Some(Found { before, racing, mut found, ending }) => {
            let trace = graph.trace();
            describe(&mut found, &trace, &ending);
            executions.insert(trace, Known { before, racing, found });
        }
        None => is_small = false,
    };
    let all = graphs::visit_maximal(program, model, most, &mut visit)?;
    Ok(all.filter(|()| is_small).map(|()| executions))
}

/// Notes what sort of execution it is.
fn describe(found: &mut Summary, trace: &Trace, ending: &Ending) {
    let events: Vec<Event> = trace.threads.values().flatten().cloned().collect();
    let views = Fingerprint::of(&classes::views(&events));
    found.executions = 1;
    found.classes.insert(Fingerprint::of(trace));
    found.reads_from.insert(Fingerprint::of(&classes::reads_from(&events)));
    found.views.insert(views);
    found.ends.insert(views.and(ending));
}

/// The races with these release sequences.
pub fn races_in(found: &mut Summary, rule: ReleaseSequences) -> &mut BTreeSet<(StatementId, StatementId)> {
    match rule {
        ReleaseSequences::C11 => &mut found.races_c11,
        ReleaseSequences::C20 => &mut found.races,
    }
}
