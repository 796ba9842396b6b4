//! Data races as a checker: by a detector that is told events ([`crate::race`]), or by the happens-before of execution graphs
//! ([`crate::graph_races`]).
//!
//! The detector sleeps until the first plain access of an execution: where everything that is shared is atomic there is nothing
//! for it to find. Then it is told all events so far, and from there on each event as it comes. It is not told what a thread
//! accesses after it has joined all others: that races with nothing.

use crate::Violation;
use crate::checker::{Checker, Company, Equivalence, Step};
use crate::graph_races;
use crate::race::{Race, RaceDetector, RaceMark};
use selvedge_memory::{Graphs, ReleaseSequences, System};
use selvedge_trace::{Event, Operation, ThreadId};
use selvedge_vm::{FaultKind, Note};

/// The checker.
#[derive(Default)]
pub struct Races {
    detector: RaceDetector,
    /// How many events it has seen.
    told: usize,
    state: State,
    /// Objects that events have published, and threads that they have let go.
    effects: Vec<Effects>,
}

/// Whether the detector is told events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Asleep,
    Awake,
}

/// What an event did besides.
struct Effects {
    event: usize,
    published: Vec<(u64, u64)>,
    woken: Vec<ThreadId>,
}

/// A state of [`Races`].
#[derive(Debug, Clone, Copy)]
pub struct RacesMark {
    detector: RaceMark,
    told: u32,
    effects: u32,
    state: State,
}

impl Races {
    /// One that has seen nothing.
    pub fn new(sequences: ReleaseSequences) -> Self {
        Self { detector: RaceDetector::new(sequences), ..Self::default() }
    }

    /// Takes note of the last event; gives a race that it completes.
    fn last_event(&mut self, events: &[Event], company: Company) -> Option<Race> {
        let last = events.last().filter(|_| self.told < events.len())?;
        if self.state == State::Asleep && !is_plain(last) {
            return None;
        }
        if company == Company::Alone && is_access(last) {
            if self.state == State::Awake {
                self.told = events.len();
            }
            return None;
        }
        self.state = State::Awake;
        let mut race = None;
        let mut effects = self.effects.partition_point(|effects| effects.event < self.told);
        for (at, event) in events.iter().enumerate().skip(self.told) {
            let (published, woken): (&[_], &[_]) = match self.effects.get(effects) {
                Some(own) if own.event == at => {
                    effects += 1;
                    (&own.published, &own.woken)
                }
                _ => (&[], &[]),
            };
            race = self.detector.event(at, event, published, woken).or(race);
        }
        self.told = events.len();
        race
    }
}

impl Checker for Races {
    type Mark = RacesMark;

    /// Whether two accesses are ordered is not told by the values that are read.
    const PRESERVED_BY: Equivalence = Equivalence::Orders;

    #[inline]
    fn step<S: System>(&mut self, system: &mut S, step: &Step<'_>) -> Option<Violation> {
        let race = match system.graphs_mut() {
            Some(graphs) => {
                let race = graph_races::race(graphs)?;
                graphs.repeat_last_step();
                race
            }
            None => {
                if !step.published.is_empty() || !step.woken.is_empty() {
                    let (published, woken) = (step.published.to_vec(), step.woken.to_vec());
                    self.effects.push(Effects { event: step.event, published, woken });
                }
                self.last_event(system.events(), step.company)?
            }
        };
        Some(violation(system, &race))
    }

    #[inline]
    fn mark(&self) -> RacesMark {
        RacesMark {
            detector: self.detector.mark(),
            told: self.told as u32,
            effects: self.effects.len() as u32,
            state: self.state,
        }
    }

    #[inline]
    fn rewind(&mut self, mark: &RacesMark) {
        if self.state == State::Awake {
            self.detector.rewind(&mark.detector);
        }
        (self.told, self.state) = (mark.told as usize, mark.state);
        self.effects.truncate(mark.effects as usize);
    }
}

/// Whether an event does nothing but access memory, as far as races go: freeing an object is like writing all of it.
fn is_access(event: &Event) -> bool {
    event.operation.is_access() || matches!(event.operation, Operation::Release { .. })
}

/// Whether an event accesses memory in a way that may race.
fn is_plain(event: &Event) -> bool {
    is_access(event) && !event.operation.is_atomic_access()
}

/// The violation that a race is.
fn violation(system: &impl System, race: &Race) -> Violation {
    let events = system.events();
    let (first, second) = (&events[race.first], &events[race.second]);
    let machine = system.machine();
    let name = match machine.object_at(race.address) {
        Some(object) => match object.path(machine, race.address, race.size) {
            Some(path) if object.is_shared(machine, race.address, race.size) => {
                format!("`{path}` (bit-fields that share memory)")
            }
            Some(path) => format!("`{path}`"),
            None => object.describe(machine),
        },
        None => format!("{:#x}", race.address),
    };
    let message = format!(
        "data race on {name}: thread {} {} it and thread {} {} it, and nothing orders the two",
        first.thread,
        if race.by_publication { "initialises" } else { access_verb(first) },
        second.thread,
        access_verb(second),
    );
    let first_note = match race.by_publication {
        true => format!("thread {} hands it over here, after initialising it", first.thread),
        false => format!("thread {} {} it here", first.thread, access_verb(first)),
    };
    let spans = [first, second].map(|event| machine.image.sites.span(event.site));
    let notes = vec![
        Note { message: first_note, span: spans[0] },
        Note { message: format!("thread {} {} it here", second.thread, access_verb(second)), span: spans[1] },
    ];
    Violation {
        kind: FaultKind::DataRace,
        message,
        thread: second.thread,
        span: spans[1],
        notes,
        events: vec![race.first, race.second],
    }
}

fn access_verb(event: &Event) -> &'static str {
    match event.operation {
        Operation::Release { .. } => "frees",
        _ => event.access_verb().unwrap_or("accesses"),
    }
}
