//! All consistent execution graphs of a program, with less work: the same results as `enumerate`, of several models at once.
//!
//! * There is one graph. An event is added, all that can come after it is followed, and the event is taken away.
//! * A fingerprint stands for a graph that was visited. With it is kept which models allow the graph. It is followed as long as
//!   one of them does.
//! * Axioms are checked on sets of bits.
//! * An event is *settled* if what other threads have yet to do makes no difference to the ways in which it can be added: a store can
//!   be put anywhere in modification order, whenever it comes; a load of a location that no other thread can still write has
//!   all its sources. If there is such an event it is the only one to come next, in all its ways. Nothing is lost: a maximal graph that
//!   contains the present one contains the event in one of these ways. The present graph with the event, like that, is part of the
//!   maximal one, so it is consistent, and what is missing can be added to it. And it is never in vain that others wait: an event after
//!   which nothing comes in any relation is on no cycle, and each settled event can be added so (what it reads is the last, and
//!   what it writes comes last). So a graph is not taken for a maximal one because only some of its extensions were visited.

use super::Model;
use super::allowed;
use super::build::Builder;
use super::graph::{Extension, Graph, Position};
use super::rows::{Orders, Rows, Set, members};
use crate::code::{Action, Instruction, flatten};
use crate::event::{Event, EventId, Kind};
use crate::facts::{ByFacts, Fingerprint};
use crate::interleavings::StatementId;
use crate::program::{Invalid, Program, Statement};
use crate::rounds::Loops;
use crate::summary::Summary;

/// All maximal consistent graphs of a program under each of these models, of which there are at most eight; `classes` are the graphs. `None`
/// if more than `most` graphs, small ones and inconsistent ones included, have to be visited, or one has more than 64 nodes.
pub fn summarise(program: &Program, models: &[Model], most: u64) -> Result<Option<Vec<Summary>>, Invalid> {
    search(program, models, most, &mut |_| ())
}

/// Shows all maximal consistent graphs of a program under a model. `None`: as for [`summarise()`].
pub fn visit_maximal(
    program: &Program,
    model: Model,
    most: u64,
    visit: &mut dyn FnMut(&Graph),
) -> Result<Option<()>, Invalid> {
    Ok(search(program, &[model], most, visit)?.map(|_| ()))
}

fn search(
    program: &Program,
    models: &[Model],
    most: u64,
    visit: &mut dyn FnMut(&Graph),
) -> Result<Option<Vec<Summary>>, Invalid> {
    program.validate()?;
    let code = flatten(program);
    let Some(rows) = Rows::new(program) else { return Ok(None) };
    let mut search = Search {
        program,
        code: &code,
        loops: Loops::new(&code),
        models,
        most,
        later: code.iter().map(|code| Uses::later(code)).collect(),
        graph: Graph::empty(program),
        rows,
        visited: ByFacts::default(),
        summaries: vec![Summary::default(); models.len()],
        visit,
    };
    let all = models.iter().enumerate().fold(0, |set, (model, _)| set | 1 << model);
    Ok(search.follow(Fingerprint::default(), all).map(|()| search.summaries))
}

/// Some of the models, as bits.
type Models = u8;

/// A fact of a graph.
#[derive(Hash)]
enum Fact<'e> {
    /// This happened.
    Happened(&'e Event),
    /// Both write to the location, this one before that.
    Before { location: usize, first: EventId, second: EventId },
    /// This changes its object, or reads it, after `changes` earlier changes.
    After { event: EventId, changes: usize, condition: usize },
}

struct Search<'p, 'v> {
    program: &'p Program,
    code: &'p [Vec<Instruction>],
    loops: Loops<'p>,
    models: &'p [Model],
    /// How many graphs may be visited.
    most: u64,
    /// For each thread and position, what the thread can do from there on.
    later: Vec<Vec<Uses>>,
    graph: Graph,
    rows: Rows,
    /// The graphs that were visited, with the models that allow them.
    visited: ByFacts<Models>,
    summaries: Vec<Summary>,
    visit: &'v mut dyn FnMut(&Graph),
}

impl Search<'_, '_> {
    /// Adds all that can come next; some models allow the present graph. `None`: it is too much.
    fn follow(&mut self, facts: Fingerprint, allowed: Models) -> Option<()> {
        let builder = Builder::new(self.program, self.code, &self.graph);
        if builder.is_cut() {
            return Some(());
        }
        let mark = self.rows.mark();
        self.rows.add_ends(&self.graph, &builder.begun(), &builder.ended())?;
        let settled = (0..self.code.len()).filter(|thread| self.is_settled(&builder, *thread));
        let extensions = settled.map(|thread| builder.extensions_by(thread)).find(|list| !list.is_empty());
        let extensions = extensions.unwrap_or_else(|| builder.extensions());
        let may_wait: Vec<usize> =
            (0..self.code.len()).filter(|thread| builder.may_wait(*thread, &self.loops)).collect();
        let mut maximal = allowed;
        for extension in &extensions {
            let facts = self.with(facts, extension);
            let known = self.visited.get(&facts).copied();
            let models = match known {
                Some(models) => models,
                None => self.look_at(facts, extension, allowed)?,
            };
            if !may_wait.contains(&extension.event.thread) {
                maximal &= !models;
            }
        }
        if maximal != 0 {
            self.end(facts, maximal);
        }
        self.rows.take_back(mark);
        Some(())
    }

    /// Adds an event to a graph that some models allow, and goes on; returns the models that allow it.
    fn look_at(&mut self, facts: Fingerprint, extension: &Extension, before: Models) -> Option<Models> {
        if self.visited.len() as u64 >= self.most {
            return None;
        }
        let mark = self.rows.mark();
        self.graph.add(extension);
        self.rows.add(&self.graph, extension)?;
        let orders = Orders::new(&self.rows);
        let models = self.models.iter().enumerate();
        // What was not allowed is not allowed with more.
        let allowed = models.filter(|(number, model)| {
            before >> number & 1 == 1 && allowed::is_consistent(**model, &self.rows, &orders)
        });
        let allowed = allowed.fold(0, |set, (number, _)| set | 1 << number);
        self.visited.insert(facts, allowed);
        if allowed != 0 {
            self.follow(facts, allowed)?;
        }
        self.graph.remove(extension);
        self.rows.take_back(mark);
        Some(allowed)
    }

    /// The facts of the graph with one event more.
    fn with(&self, facts: Fingerprint, extension: &Extension) -> Fingerprint {
        let event = &extension.event;
        let id = event.id();
        let mut facts = facts.and(&Fact::Happened(event));
        let order = |changes: &[EventId]| Fact::After { event: id, changes: changes.len(), condition: 0 };
        match (extension.position, &event.kind) {
            (Position::Write { place }, Kind::Access { location, .. }) => {
                for (at, other) in self.graph.writes[*location].iter().enumerate() {
                    let (first, second) = if at < place { (*other, id) } else { (id, *other) };
                    facts = facts.and(&Fact::Before { location: *location, first, second });
                }
            }
            (Position::After { changes }, _) => {
                facts = facts.and(&Fact::After { event: id, changes, condition: 0 });
            }
            (Position::Last, Kind::Release { condition, mutex }) => {
                let changes = self.graph.mutexes[*mutex].len();
                let condition = 1 + self.graph.conditions[*condition].len();
                facts = facts.and(&Fact::After { event: id, changes, condition });
            }
            (Position::Last, Kind::Lock { mutex } | Kind::TryLock { mutex, .. } | Kind::Unlock { mutex }) => {
                facts = facts.and(&order(&self.graph.mutexes[*mutex]));
            }
            (Position::Last, Kind::Signal { condition, .. }) => {
                facts = facts.and(&order(&self.graph.conditions[*condition]));
            }
            (Position::Last, Kind::Post { semaphore } | Kind::Down { semaphore }) => {
                facts = facts.and(&order(&self.graph.semaphores[*semaphore]));
            }
            _ => {}
        }
        facts
    }

    /// Whether it makes no difference to a thread's next event what others do first.
    fn is_settled(&self, builder: &Builder<'_>, thread: usize) -> bool {
        let Some(next) = builder.next(thread) else { return false };
        if builder.may_wait(thread, &self.loops) {
            // It need not come at all.
            return false;
        }
        let others = || {
            let positions = (0..self.code.len()).filter(|other| *other != thread);
            let positions = positions.filter_map(|other| Some((other, builder.position(other)?)));
            positions.fold(Uses::default(), |uses, (other, at)| uses.and(self.later[other][at]))
        };
        use Statement::*;
        match &next.action {
            // The thread that holds the mutex is the next to change it, or to use it wrongly.
            Action::Do(Store { .. } | Fence { .. } | Spawn { .. } | Choose { .. } | Unlock { .. }) => true,
            Action::Wake { .. } => true,
            Action::Do(Join { thread }) => builder.has_ended(*thread),
            action => Uses::of(action).is_apart_from(others()),
        }
    }

    /// Notes a graph that is maximal under some models.
    fn end(&mut self, facts: Fingerprint, maximal: Models) {
        (self.visit)(&self.graph);
        let builder = Builder::new(self.program, self.code, &self.graph);
        let mut own = Summary { faults: builder.faults(), ..Summary::default() };
        if own.faults.is_empty() {
            match (0..self.code.len()).all(|thread| builder.has_ended(thread)) {
                true => drop(own.outcomes.insert(builder.outcome())),
                false => drop(own.deadlocks.insert(builder.stuck())),
            }
        }
        let pairs = self.conflicts();
        if !pairs.is_empty() {
            own.races.extend(self.unordered(&pairs, &self.rows.hb));
            own.races_c11.extend(self.unordered(&pairs, &self.rows.happens_before_c11()));
        }
        for (number, summary) in self.summaries.iter_mut().enumerate() {
            if maximal >> number & 1 == 1 {
                summary.executions += 1;
                summary.classes.insert(facts);
                summary.orders.insert(facts);
                summary.faults.extend(own.faults.iter().copied());
                summary.outcomes.extend(own.outcomes.iter().cloned());
                summary.deadlocks.extend(own.deadlocks.iter().cloned());
                summary.races.extend(&own.races);
                summary.races_c11.extend(&own.races_c11);
            }
        }
    }

    /// Accesses of different threads to a location, at least one a write and at least one plain.
    fn conflicts(&self) -> Vec<(usize, usize)> {
        let rows = &self.rows;
        let mut pairs = Vec::new();
        for one in members(rows.kinds.memory & rows.kinds.plain & !rows.initial) {
            let node = rows.nodes[one];
            let (Some(object), Some(thread)) = (node.object, node.owner.thread()) else { continue };
            let mut others: Set = rows.about[rows.index(object)] & !rows.of_thread[thread] & !rows.initial;
            if rows.kinds.writes >> one & 1 == 0 {
                others &= rows.kinds.writes;
            }
            pairs.extend(members(others).map(|other| (one, other)));
        }
        pairs
    }

    /// The statements of those pairs that are not ordered.
    fn unordered(
        &self,
        pairs: &[(usize, usize)],
        before: &[Set],
    ) -> impl Iterator<Item = (StatementId, StatementId)> {
        let is_unordered =
            |(one, other): &&(usize, usize)| before[*one] >> other & 1 == 0 && before[*other] >> one & 1 == 0;
        pairs.iter().filter(is_unordered).filter_map(|(one, other)| {
            let place = |node: usize| self.rows.nodes[node].owner.event().map(|id| self.graph.event(id));
            let (one, other) = (place(*one)?, place(*other)?);
            let (one, other) = ((one.thread, one.statement), (other.thread, other.statement));
            Some((one.min(other), one.max(other)))
        })
    }
}

/// What some instructions use, as bits.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// Locations that are read.
    read: u64,
    /// Locations that are written.
    written: u64,
    mutexes: u64,
    conditions: u64,
    semaphores: u64,
}

impl Uses {
    fn of(action: &Action) -> Self {
        use Statement::*;
        let none = Self::default();
        if let Action::Do(statement) = action {
            let locations = statement.locations().fold(0, |set, at| set | 1 << at);
            match statement.access() {
                Load { .. } => return Self { read: locations, ..none },
                Store { .. } => return Self { written: locations, ..none },
                FetchAdd { .. } | Exchange { .. } | CompareExchange { .. } => {
                    return Self { read: locations, written: locations, ..none };
                }
                _ => {}
            }
        }
        match action {
            Action::Do(Lock { mutex } | Unlock { mutex } | TryLock { mutex, .. }) => {
                Self { mutexes: 1 << mutex, ..none }
            }
            Action::Do(Signal { condition } | Broadcast { condition }) => {
                Self { conditions: 1 << condition, ..none }
            }
            Action::Release { condition, mutex } => {
                Self { conditions: 1 << condition, mutexes: 1 << mutex, ..none }
            }
            Action::Do(Post { semaphore } | Down { semaphore }) => {
                Self { semaphores: 1 << semaphore, ..none }
            }
            _ => none,
        }
    }

    /// What can be used from each position on.
    fn later(code: &[Instruction]) -> Vec<Self> {
        let mut later = vec![Self::default(); code.len() + 1];
        for (at, instruction) in code.iter().enumerate().rev() {
            later[at] = later[at + 1].and(Self::of(&instruction.action));
        }
        later
    }

    fn and(self, other: Self) -> Self {
        Self {
            read: self.read | other.read,
            written: self.written | other.written,
            mutexes: self.mutexes | other.mutexes,
            conditions: self.conditions | other.conditions,
            semaphores: self.semaphores | other.semaphores,
        }
    }

    /// Whether what others do makes no difference to this: they do not write what is read here, and do not touch the synchronisation
    /// objects that are used here.
    fn is_apart_from(self, others: Self) -> bool {
        self.read & others.written == 0
            && self.mutexes & others.mutexes == 0
            && self.conditions & others.conditions == 0
            && self.semaphores & others.semaphores == 0
    }
}
