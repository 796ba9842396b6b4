//! Execution graphs, and the relations of memory models on their nodes.
//!
//! A graph has the events of each thread, the write that each read reads from (in the events), and for each location
//! the modification order of its writes. What else threads share has an order of changes, too:
//!
//! * mutex: lock, successful trylock, unlock, and the first step of a wait. A failed trylock reads the mutex after
//!   a change that leaves it taken;
//! * condition variable: the first step of a wait, and signals that wake somebody. A signal that wakes nobody reads
//!   it where nobody waits;
//! * semaphore: up and down.
//!
//! The relations are not on events but on nodes, as in the literature: a read-modify-write is a read and a write; a
//! thread begins and ends with nodes of its own; each location and the like begins with an initial write. Changes of
//! mutexes and the like are relaxed writes without a value, from which nobody reads a value; what only reads them is a relaxed read.
//! What they synchronise follows from `asw`, not from their orders.
//!
//! Plain accesses are relaxed ones here. That makes a difference only for graphs with races: what synchronises through
//! a plain access, does so also without it, unless it races.

use super::relation::{MOST, Relation};
use crate::classes::{Source, Trace};
use crate::event::{Event, EventId, Kind};
use crate::program::{Order, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// An execution graph, or the beginning of one. Equal graphs are equal as values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Graph {
    /// The events of each thread. What an event reads from is its source.
    pub threads: Vec<Vec<Event>>,
    /// The writes to each location after the initial one, in modification order.
    pub writes: Vec<Vec<EventId>>,
    /// The changes of each mutex, in their order.
    pub mutexes: Vec<Vec<EventId>>,
    /// The changes of each condition variable, in their order.
    pub conditions: Vec<Vec<EventId>>,
    /// The changes of each semaphore, in their order.
    pub semaphores: Vec<Vec<EventId>>,
    /// Failed trylocks and signals that wake nobody: how many changes there were before.
    pub looks: BTreeMap<EventId, usize>,
}

impl Graph {
    /// The graph of nothing done.
    pub fn empty(program: &Program) -> Self {
        Self {
            threads: vec![Vec::new(); program.threads.len()],
            writes: vec![Vec::new(); program.locations.len()],
            mutexes: vec![Vec::new(); program.mutexes],
            conditions: vec![Vec::new(); program.conditions],
            semaphores: vec![Vec::new(); program.semaphores],
            looks: BTreeMap::new(),
        }
    }

    /// Adds an event.
    pub fn add(&mut self, extension: &Extension) {
        let event = &extension.event;
        match (extension.position, &event.kind) {
            (Position::Write { place }, Kind::Access { location, .. }) => {
                self.writes[*location].insert(place, event.id());
            }
            (Position::Last, kind) => {
                for order in self.orders_of_changes(kind).into_iter().flatten() {
                    order.push(event.id());
                }
            }
            (Position::After { changes }, _) => {
                self.looks.insert(event.id(), changes);
            }
            _ => {}
        }
        self.threads[event.thread].push(event.clone());
    }

    /// Takes away the event that was added last.
    pub fn remove(&mut self, extension: &Extension) {
        let event = &extension.event;
        match (extension.position, &event.kind) {
            (Position::Write { place }, Kind::Access { location, .. }) => {
                self.writes[*location].remove(place);
            }
            (Position::Last, kind) => {
                for order in self.orders_of_changes(kind).into_iter().flatten() {
                    order.pop();
                }
            }
            (Position::After { .. }, _) => {
                self.looks.remove(&event.id());
            }
            _ => {}
        }
        self.threads[event.thread].pop();
    }

    /// The orders in which a change of a mutex, a condition variable or a semaphore is.
    fn orders_of_changes(&mut self, kind: &Kind) -> [Option<&mut Vec<EventId>>; 2] {
        match *kind {
            Kind::Lock { mutex } | Kind::TryLock { mutex, .. } | Kind::Unlock { mutex } => {
                [Some(&mut self.mutexes[mutex]), None]
            }
            Kind::Release { condition, mutex } => {
                [Some(&mut self.mutexes[mutex]), Some(&mut self.conditions[condition])]
            }
            Kind::Signal { condition, .. } => [Some(&mut self.conditions[condition]), None],
            Kind::Down { semaphore } | Kind::Post { semaphore } => {
                [Some(&mut self.semaphores[semaphore]), None]
            }
            _ => [None, None],
        }
    }

    /// The graph as a trace, in which each change of a mutex and the like is in an order with all others.
    pub(crate) fn trace(&self) -> Trace {
        let mut order = BTreeSet::new();
        let mut add = |first: EventId, second: EventId| {
            if first.0 != second.0 {
                order.insert((first, second));
            }
        };
        let chains = [&self.mutexes, &self.conditions, &self.semaphores].into_iter().flatten();
        for chain in chains.clone() {
            for (at, second) in chain.iter().enumerate() {
                chain[..at].iter().for_each(|first| add(*first, *second));
            }
        }
        for (look, changes) in &self.looks {
            let chain = match &self.event(*look).kind {
                Kind::TryLock { mutex, .. } => &self.mutexes[*mutex],
                Kind::Signal { condition, .. } => &self.conditions[*condition],
                _ => continue,
            };
            for (at, change) in chain.iter().enumerate() {
                if at < *changes { add(*change, *look) } else { add(*look, *change) }
            }
        }
        let threads = self.threads.iter().cloned().enumerate().collect();
        Trace { threads, writes: self.writes.clone(), order }
    }

    /// An event that is there.
    pub fn event(&self, (thread, index): EventId) -> &Event {
        &self.threads[thread][index]
    }

    /// All events, thread by thread.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.threads.iter().flatten()
    }
}

/// An event that can be added to a graph.
#[derive(Debug, Clone)]
pub struct Extension {
    /// The event, the next one of its thread.
    pub event: Event,
    /// Where it comes among those of other threads.
    pub position: Position,
}

/// Where an event comes among those of other threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Position {
    /// It is in no order with them.
    None,
    /// It writes to a location, at this place of its modification order.
    Write {
        /// How many writes come before it, the initial one aside.
        place: usize,
    },
    /// It changes something else, after all other changes.
    Last,
    /// It only reads something else, after some of its changes.
    After {
        /// How many.
        changes: usize,
    },
}

/// What a node accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A location in memory.
    Location(usize),
    /// A mutex.
    Mutex(usize),
    /// A condition variable.
    Condition(usize),
    /// A semaphore.
    Semaphore(usize),
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// A fence.
    Fence,
    /// Something else.
    Other,
}

/// Where a node belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// An initial write.
    Initial,
    /// The beginning of a thread.
    Begin(usize),
    /// The end of a thread.
    End(usize),
    /// An event; one can have several nodes.
    Event(EventId),
}

impl Owner {
    /// The thread, if there is one.
    pub fn thread(self) -> Option<usize> {
        match self {
            Self::Initial => None,
            Self::Begin(thread) | Self::End(thread) | Self::Event((thread, _)) => Some(thread),
        }
    }

    /// The event, if it is one.
    pub fn event(self) -> Option<EventId> {
        match self {
            Self::Event(event) => Some(event),
            _ => None,
        }
    }
}

/// A node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Where it belongs.
    pub owner: Owner,
    /// What it does.
    pub role: Role,
    /// What it accesses.
    pub object: Option<Object>,
    /// Its order; the two halves of a read-modify-write have that of the whole.
    pub order: Order,
    /// Whether, with store buffers, it waits until the buffer is empty and then takes effect at once.
    pub at_once: bool,
}

/// The nodes of a graph with the relations from which memory models are defined.
#[derive(Debug, Clone)]
pub struct Relations {
    /// The nodes: first initial writes, then thread by thread.
    pub nodes: Vec<Node>,
    /// Program order, "sequenced before"; initial writes come before everything.
    pub sb: Relation,
    /// Additional synchronisation: through threads, mutexes, condition variables and semaphores.
    pub asw: Relation,
    /// From the read to the write of a read-modify-write.
    pub rmw: Relation,
    /// From a write to those who read it.
    pub rf: Relation,
    /// Modification order.
    pub mo: Relation,
    /// Reads before: from a read to the writes after the one that it reads.
    pub rb: Relation,
    /// Pairs of nodes about the same.
    pub loc: Relation,
}

impl Relations {
    /// The relations of a graph of a program; `begun` says which threads have begun, `ended` which have ended.
    /// `None`: too many nodes.
    pub fn new(program: &Program, graph: &Graph, begun: &[bool], ended: &[bool]) -> Option<Self> {
        let nodes = nodes(program, graph, begun, ended);
        let size = nodes.len();
        if size > MOST {
            return None;
        }
        let relation = |related: &dyn Fn(&Node, &Node) -> bool| {
            Relation::new(size, |from, to| related(&nodes[from], &nodes[to]))
        };
        // Nodes of a thread are listed in their order.
        let sb =
            Relation::new(size, |from, to| match (nodes[from].owner.thread(), nodes[to].owner.thread()) {
                (None, Some(_)) => true,
                (Some(one), Some(other)) => one == other && from < to,
                (_, None) => false,
            });
        let rmw = relation(&|from, to| {
            let is_location = matches!(from.object, Some(Object::Location(_)));
            is_location && from.owner == to.owner && from.role == Role::Read && to.role == Role::Write
        });
        let rf = relation(&|from, to| reads_from(graph, from, to));
        let mo = relation(&|from, to| is_modified_before(graph, from, to));
        let asw = relation(&|from, to| synchronises(graph, from.owner, to.owner));
        let rb = rf.inverse().then(&mo);
        let loc = relation(&|from, to| from.object.is_some() && from.object == to.object);
        Some(Self { sb, asw, rmw, rf, mo, rb, loc, nodes })
    }

    /// The nodes for which a condition holds, as a set.
    pub fn set(&self, is_in: impl Fn(&Node) -> bool) -> Relation {
        Relation::set(self.nodes.len(), |node| is_in(&self.nodes[node]))
    }

    /// Reads.
    pub fn reads(&self) -> Relation {
        self.set(|node| node.role == Role::Read)
    }

    /// Writes.
    pub fn writes(&self) -> Relation {
        self.set(|node| node.role == Role::Write)
    }

    /// Fences.
    pub fn fences(&self) -> Relation {
        self.set(|node| node.role == Role::Fence)
    }

    /// What is sequentially consistent.
    pub fn seq_cst(&self) -> Relation {
        self.set(|node| node.order == Order::SeqCst)
    }

    /// Writes and fences that release.
    pub fn releases(&self) -> Relation {
        self.set(|node| node.role != Role::Read && node.order.releases())
    }

    /// Reads and fences that acquire.
    pub fn acquires(&self) -> Relation {
        self.set(|node| node.role != Role::Write && node.order.acquires())
    }

    /// Whether there is no cycle if the nodes of each event are taken as one.
    pub fn is_acyclic_on_events(&self, relation: &Relation) -> bool {
        let is_event = |owner: Owner| matches!(owner, Owner::Event(_));
        let same = Relation::new(self.nodes.len(), |from, to| {
            let (from, to) = (self.nodes[from].owner, self.nodes[to].owner);
            is_event(from) && from == to
        });
        relation.without(&same).then(&same.maybe()).is_acyclic()
    }
}

fn nodes(program: &Program, graph: &Graph, begun: &[bool], ended: &[bool]) -> Vec<Node> {
    let objects = (0..graph.writes.len()).map(Object::Location);
    let objects = objects.chain((0..graph.mutexes.len()).map(Object::Mutex));
    let objects = objects.chain((0..graph.conditions.len()).map(Object::Condition));
    let objects = objects.chain((0..graph.semaphores.len()).map(Object::Semaphore));
    let mut nodes: Vec<Node> =
        objects.map(|object| node(Owner::Initial, Role::Write, Some(object), Order::Relaxed)).collect();
    let exchanges = Exchanges::of(program);
    for (thread, events) in graph.threads.iter().enumerate() {
        if begun[thread] {
            nodes.push(node(Owner::Begin(thread), Role::Other, None, Order::Relaxed));
        }
        nodes.extend(events.iter().flat_map(|event| nodes_of(&exchanges, event)).flatten());
        if ended[thread] {
            nodes.push(node(Owner::End(thread), Role::Other, None, Order::Relaxed));
        }
    }
    nodes
}

/// Which statements are compare-exchanges.
#[derive(Debug)]
pub struct Exchanges(Vec<Vec<bool>>);

impl Exchanges {
    /// Those of a program.
    pub fn of(program: &Program) -> Self {
        let is_one = |statement: &&Statement| matches!(statement.access(), Statement::CompareExchange { .. });
        let of_thread = |thread| program.statements(thread).iter().map(is_one).collect();
        Self((0..program.threads.len()).map(of_thread).collect())
    }

    fn has(&self, event: &Event) -> bool {
        self.0[event.thread][event.statement]
    }
}

/// A node; what accesses no location in memory takes effect at once.
pub fn node(owner: Owner, role: Role, object: Option<Object>, order: Order) -> Node {
    let at_once = match (role, object) {
        (Role::Read | Role::Write, Some(Object::Location(_))) => false,
        (Role::Fence, _) => order == Order::SeqCst,
        _ => true,
    };
    Node { owner, role, object, order, at_once }
}

/// The nodes of an event, in their order.
pub fn nodes_of(exchanges: &Exchanges, event: &Event) -> [Option<Node>; 2] {
    let owner = Owner::Event(event.id());
    let about = |role, object| node(owner, role, Some(object), Order::Relaxed);
    let change = |object| [Some(about(Role::Write, object)), None];
    let look = |object| [Some(about(Role::Read, object)), None];
    match &event.kind {
        Kind::Access { location, read, written, order } => {
            let about = |role| node(owner, role, Some(Object::Location(*location)), *order);
            let access = |role, at_once| Some(Node { at_once, ..about(role) });
            match (read, written) {
                (Some(_), Some(_)) => [access(Role::Read, true), access(Role::Write, true)],
                (None, _) => [access(Role::Write, *order == Order::SeqCst), None],
                // A compare-exchange that has failed.
                (Some(_), None) => [access(Role::Read, exchanges.has(event)), None],
            }
        }
        Kind::Fence { order } => [Some(node(owner, Role::Fence, None, *order)), None],
        Kind::TryLock { mutex, taken: false } => look(Object::Mutex(*mutex)),
        Kind::Lock { mutex } | Kind::TryLock { mutex, .. } | Kind::Unlock { mutex } => {
            change(Object::Mutex(*mutex))
        }
        // It waits before others can take the mutex.
        Kind::Release { condition, mutex } => [Object::Condition(*condition), Object::Mutex(*mutex)]
            .map(|object| Some(about(Role::Write, object))),
        Kind::Signal { condition, woken } if woken.is_empty() => look(Object::Condition(*condition)),
        Kind::Signal { condition, .. } => change(Object::Condition(*condition)),
        Kind::Post { semaphore } | Kind::Down { semaphore } => change(Object::Semaphore(*semaphore)),
        Kind::Choose { .. } => {
            [Some(Node { at_once: false, ..node(owner, Role::Other, None, Order::Relaxed) }), None]
        }
        Kind::Wake { .. } | Kind::Spawn { .. } | Kind::Join { .. } | Kind::Misuse { .. } => {
            [Some(node(owner, Role::Other, None, Order::Relaxed)), None]
        }
    }
}

/// Whether the second reads from the first.
fn reads_from(graph: &Graph, from: &Node, to: &Node) -> bool {
    let Owner::Event(read) = to.owner else { return false };
    if from.role != Role::Write || to.role != Role::Read || from.object != to.object {
        return false;
    }
    let chain = match to.object {
        Some(Object::Mutex(mutex)) => &graph.mutexes[mutex],
        Some(Object::Condition(condition)) => &graph.conditions[condition],
        _ => {
            return match graph.event(read).source {
                Some(Source::Initial) => from.owner == Owner::Initial,
                Some(Source::Write(write)) => from.owner == Owner::Event(write),
                _ => false,
            };
        }
    };
    match graph.looks.get(&read) {
        Some(0) => from.owner == Owner::Initial,
        Some(changes) => from.owner == Owner::Event(chain[changes - 1]),
        None => false,
    }
}

/// Whether both write to the same, the first before the second.
fn is_modified_before(graph: &Graph, from: &Node, to: &Node) -> bool {
    if from.role != Role::Write || to.role != Role::Write || from.object != to.object {
        return false;
    }
    match (from.owner, to.owner, to.object) {
        (Owner::Initial, Owner::Event(_), _) => true,
        (Owner::Event(one), Owner::Event(other), Some(object)) => {
            position(graph, object, one) < position(graph, object, other)
        }
        _ => false,
    }
}

/// Which change of an object this is.
fn position(graph: &Graph, object: Object, change: EventId) -> Option<usize> {
    let chain = match object {
        Object::Location(location) => &graph.writes[location],
        Object::Mutex(mutex) => &graph.mutexes[mutex],
        Object::Condition(condition) => &graph.conditions[condition],
        Object::Semaphore(semaphore) => &graph.semaphores[semaphore],
    };
    chain.iter().position(|other| *other == change)
}

/// Whether the first synchronises with the second by other means than memory:
///
/// * create and the beginning of the thread, the end of the thread and join;
/// * unlock (or the first step of a wait) and every later lock of the mutex;
/// * a signal or broadcast and the wake-up of those it woke;
/// * semaphore up and every later semaphore down.
pub fn synchronises(graph: &Graph, from: Owner, to: Owner) -> bool {
    match (from, to) {
        (Owner::Event(spawn), Owner::Begin(thread)) => graph.event(spawn).kind == Kind::Spawn { thread },
        (Owner::End(thread), Owner::Event(join)) => graph.event(join).kind == Kind::Join { thread },
        (Owner::Event(one), Owner::Event(other)) => {
            let is_before = |object| position(graph, object, one) < position(graph, object, other);
            match (&graph.event(one).kind, &graph.event(other).kind) {
                (
                    Kind::Unlock { mutex } | Kind::Release { mutex, .. },
                    Kind::Lock { mutex: taken } | Kind::TryLock { mutex: taken, taken: true },
                ) => mutex == taken && is_before(Object::Mutex(*mutex)),
                (Kind::Post { semaphore }, Kind::Down { semaphore: taken }) => {
                    semaphore == taken && is_before(Object::Semaphore(*semaphore))
                }
                (Kind::Signal { condition, .. }, Kind::Wake { condition: woken }) => {
                    condition == woken && waker(graph, *condition, other) == Some(one)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// The signal that lets the second step of a wait go on, if there has been one.
pub fn waker(graph: &Graph, condition: usize, (thread, index): EventId) -> Option<EventId> {
    let begin = (thread, index.checked_sub(1)?);
    let later = graph.conditions[condition].iter().skip_while(|change| **change != begin);
    let wakes = |change: &&EventId| match &graph.event(**change).kind {
        Kind::Signal { woken, .. } => woken.contains(&thread),
        _ => false,
    };
    later.copied().find(|change| wakes(&change))
}
