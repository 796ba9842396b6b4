//! All consistent execution graphs of a program under axiomatic memory models, by brute force.
//!
//! A graph is built event by event: some thread that can go on adds its next event; a read reads from any write to its
//! location that is there; a write takes any place in the modification order of its location. Every graph in which
//! `sb ∪ rf` has no cycle can be built like this, and none of the models allows such cycles. Which graphs are
//! consistent is then said by the axioms of the model, of which each has a file that reads like its definition.
//!
//! Graphs that are not consistent need not be followed: all relations only grow with more events, so what is wrong
//! stays wrong. [`enumerate_all()`] follows them nevertheless.
//!
//! A graph is maximal if it is consistent, and no longer so with any further event. Then all threads have ended, or
//! have used a mutex wrongly (which ends that thread, and only that one), or wait for something for ever.
//!
//! A thread that waits for a value in a loop reads it only from writes that let it go on; rounds that lead nowhere are no part of
//! graphs. It waits for ever if the last write in modification order does not let it go on: it may read that one in each round,
//! whatever older writes it could read, and it must not read only older ones for ever, as writes reach all threads some time. So a
//! graph is also maximal if only threads can go on that may wait for ever; and what they can read besides leads to other graphs.

mod allowed;
mod build;
mod graph;
mod rc11;
mod relation;
mod release_acquire;
mod rows;
mod sc;
mod summarise;
mod tso;

pub use graph::Graph;
pub use summarise::summarise;
pub(crate) use summarise::visit_maximal;

use crate::code::{Instruction, flatten};
use crate::event::EventId;
use crate::interleavings::{Ending, StatementId};
use crate::machine::Fault;
use crate::program::{Invalid, Order, Outcome, Program};
use crate::races::ReleaseSequences;
use crate::rounds::Loops;
use crate::summary::Summary;
use build::Builder;
use graph::{Object, Owner, Relations, Role};
use std::collections::{BTreeMap, BTreeSet};

/// An axiomatic memory model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order; orders mean what they mean for [`crate::Model::Tso`].
    Tso,
    /// Release-acquire: every access is one, whatever its order.
    ReleaseAcquire,
    /// RC11, the repaired C11, with the release sequences of C++20.
    Rc11,
    /// RC11 as it was published: later stores of the same thread continue a release sequence, too.
    Rc11AsPublished,
}

impl Model {
    /// All.
    pub const ALL: [Model; 5] =
        [Model::Sc, Model::Tso, Model::ReleaseAcquire, Model::Rc11AsPublished, Model::Rc11];

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::ReleaseAcquire => "ra",
            Self::Rc11 => "rc11",
            Self::Rc11AsPublished => "rc11-as-published",
        }
    }

    fn allows(self, graph: &Relations) -> bool {
        match self {
            Self::Sc => sc::is_consistent(graph),
            Self::Tso => tso::is_consistent(graph),
            Self::ReleaseAcquire => release_acquire::is_consistent(graph),
            Self::Rc11 => rc11::is_consistent(graph),
            Self::Rc11AsPublished => rc11::is_consistent_as_published(graph),
        }
    }
}

/// What a program can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    /// The maximal consistent graphs in which all threads end.
    pub complete: BTreeSet<Graph>,
    /// Those in which some thread waits for ever, and no mutex is used wrongly.
    pub blocked: BTreeSet<Graph>,
    /// Those in which a mutex is used wrongly.
    pub faulty: BTreeSet<Graph>,
    /// What can be observed at the end of complete graphs.
    pub outcomes: BTreeSet<Outcome>,
    /// The statements at which threads wait for ever, for each way to get stuck.
    pub deadlocks: BTreeSet<Vec<StatementId>>,
    /// Wrong uses of mutexes, with the statement.
    pub faults: BTreeSet<(Fault, StatementId)>,
    /// Pairs of statements that race, the smaller first. Happens-before is RC11's under every model, with release sequences as in
    /// C++20.
    pub races: BTreeSet<(StatementId, StatementId)>,
    /// The same with release sequences as in C11.
    pub races_c11: BTreeSet<(StatementId, StatementId)>,
}

impl Results {
    /// The number of maximal consistent graphs.
    pub fn graphs(&self) -> usize {
        self.complete.len() + self.blocked.len() + self.faulty.len()
    }

    /// All maximal consistent graphs.
    pub fn all(&self) -> impl Iterator<Item = &Graph> {
        self.complete.iter().chain(&self.blocked).chain(&self.faulty)
    }
}

/// All maximal consistent graphs of a program; `None` if more than `most` graphs, small ones and inconsistent ones
/// included, have to be visited, or one has more than 128 nodes.
pub fn enumerate(program: &Program, model: Model, most: u64) -> Result<Option<Results>, Invalid> {
    search(program, model, most, Inconsistent::Left)
}

/// The same with more work: graphs that are not consistent are followed, too.
pub fn enumerate_all(program: &Program, model: Model, most: u64) -> Result<Option<Results>, Invalid> {
    search(program, model, most, Inconsistent::Followed)
}

/// What is done with graphs that are not consistent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inconsistent {
    /// They are not followed.
    Left,
    /// They are, although nothing can come of it.
    Followed,
}

fn search(
    program: &Program,
    model: Model,
    most: u64,
    inconsistent: Inconsistent,
) -> Result<Option<Results>, Invalid> {
    program.validate()?;
    let code = flatten(program);
    let loops = Loops::new(&code);
    let search = Search { program, code: &code, loops, model, left: most, results: Results::default() };
    Ok(search.run(inconsistent))
}

struct Search<'p> {
    program: &'p Program,
    code: &'p [Vec<Instruction>],
    loops: Loops<'p>,
    model: Model,
    /// How many graphs may still be visited.
    left: u64,
    results: Results,
}

impl Search<'_> {
    /// `None`: it is too much.
    fn run(mut self, inconsistent: Inconsistent) -> Option<Results> {
        // All graphs of the present number of events, and whether they are consistent.
        let mut present = BTreeMap::from([(Graph::empty(self.program), true)]);
        while !present.is_empty() {
            let mut next = BTreeMap::new();
            for (graph, is_consistent) in present {
                if !is_consistent && inconsistent == Inconsistent::Left {
                    continue;
                }
                let mut is_maximal = is_consistent;
                let builder = Builder::new(self.program, self.code, &graph);
                if builder.is_cut() {
                    continue;
                }
                for extension in builder.extensions() {
                    let mut larger = graph.clone();
                    larger.add(&extension);
                    let consistent = match next.get(&larger) {
                        Some(consistent) => *consistent,
                        None => {
                            self.left = self.left.checked_sub(1)?;
                            self.model.allows(&self.relations(&larger)?)
                        }
                    };
                    is_maximal &= !consistent || builder.may_wait(extension.event.thread, &self.loops);
                    next.insert(larger, consistent);
                }
                if is_maximal {
                    self.end(graph)?;
                }
            }
            present = next;
        }
        Some(self.results)
    }

    fn relations(&self, graph: &Graph) -> Option<Relations> {
        let builder = Builder::new(self.program, self.code, graph);
        Relations::new(self.program, graph, &builder.begun(), &builder.ended())
    }

    /// Notes a maximal graph.
    fn end(&mut self, graph: Graph) -> Option<()> {
        let relations = self.relations(&graph)?;
        self.results.races.extend(races(&graph, &relations, ReleaseSequences::C20));
        self.results.races_c11.extend(races(&graph, &relations, ReleaseSequences::C11));
        let builder = Builder::new(self.program, self.code, &graph);
        let faults: BTreeSet<(Fault, StatementId)> = builder.faults();
        if !faults.is_empty() {
            self.results.faults.extend(faults);
            self.results.faulty.insert(graph);
        } else if builder.ended().iter().all(|ended| *ended) {
            self.results.outcomes.insert(builder.outcome());
            self.results.complete.insert(graph);
        } else {
            self.results.deadlocks.insert(builder.stuck());
            self.results.blocked.insert(graph);
        }
        Some(())
    }
}

/// What is found in a graph.
pub(crate) struct Found {
    /// The pairs of events of different threads of which the first happens before the second.
    pub before: BTreeSet<(EventId, EventId)>,
    /// The events that race.
    pub racing: BTreeSet<EventId>,
    /// Outcomes, deadlocks, faults, races.
    pub found: Summary,
    /// How it ends.
    pub ending: Ending,
}

/// What is found in a maximal graph, with these release sequences. `None`: it has too many nodes.
pub(crate) fn look(program: &Program, graph: &Graph, sequences: ReleaseSequences) -> Option<Found> {
    let code = flatten(program);
    let builder = Builder::new(program, &code, graph);
    let relations = Relations::new(program, graph, &builder.begun(), &builder.ended())?;
    let place = |id| (graph.event(id).thread, graph.event(id).statement);
    let statements = |rule| {
        let pairs = racing_events(&relations, rule).into_iter();
        pairs.map(|(one, other)| (place(one).min(place(other)), place(one).max(place(other)))).collect()
    };
    let mut found = Summary {
        faults: builder.faults(),
        races: statements(ReleaseSequences::C20),
        races_c11: statements(ReleaseSequences::C11),
        ..Summary::default()
    };
    let ending = match found.faults.first() {
        Some((_, place)) => Ending::Fault(*place),
        None if builder.ended().iter().all(|ended| *ended) => {
            let outcome = builder.outcome();
            let locations = outcome.locations.clone();
            found.outcomes.insert(outcome);
            Ending::Complete(locations)
        }
        None => {
            found.deadlocks.insert(builder.stuck());
            Ending::Stuck(builder.stuck())
        }
    };
    let racing = racing_events(&relations, sequences).into_iter().flat_map(|(one, other)| [one, other]);
    let hb = rc11::happens_before_for_races(&relations, sequences);
    let mut before = BTreeSet::new();
    for (from, one) in relations.nodes.iter().enumerate() {
        for (to, other) in relations.nodes.iter().enumerate() {
            if let (Owner::Event(first), Owner::Event(second)) = (one.owner, other.owner)
                && first.0 != second.0
                && hb.has(from, to)
            {
                before.insert((first, second));
            }
        }
    }
    Some(Found { before, racing: racing.collect(), found, ending })
}

/// The statements that race, the smaller first.
fn races(
    graph: &Graph,
    relations: &Relations,
    sequences: ReleaseSequences,
) -> Vec<(StatementId, StatementId)> {
    let place = |id| (graph.event(id).thread, graph.event(id).statement);
    let pairs = racing_events(relations, sequences).into_iter();
    pairs.map(|(one, other)| (place(one).min(place(other)), place(one).max(place(other)))).collect()
}

/// The events that race: two accesses of different threads to a location, at least one a write and at least one
/// plain, neither of which happens before the other.
fn racing_events(relations: &Relations, sequences: ReleaseSequences) -> Vec<(EventId, EventId)> {
    let hb = rc11::happens_before_for_races(relations, sequences);
    let mut races = Vec::new();
    for (at, one) in relations.nodes.iter().enumerate() {
        for (other_at, other) in relations.nodes.iter().enumerate().skip(at + 1) {
            let (Owner::Event(first), Owner::Event(second)) = (one.owner, other.owner) else { continue };
            let conflict = matches!(one.object, Some(Object::Location(_)))
                && one.object == other.object
                && one.owner.thread() != other.owner.thread()
                && (one.role == Role::Write || other.role == Role::Write)
                && (one.order == Order::Plain || other.order == Order::Plain);
            if conflict && !hb.has(at, other_at) && !hb.has(other_at, at) {
                races.push((first, second));
            }
        }
    }
    races
}
