//! The relations of a graph that grows, as sets of bits.
//!
//! Nodes are numbered in the order in which they are added. Since a graph grows by events that come last in `sb ∪ asw ∪ rf`, what comes
//! before a node in these relations is known when it is added, and stays as it is; the same goes for what happens before it. So a
//! relation has for each node the set of nodes *before* it. Only modification order changes: a write can be put anywhere. It is
//! kept as lists, from which [`Orders`] are made when they are needed.

use super::graph::{
    Exchanges, Extension, Graph, Node, Object, Owner, Position, Role, nodes_of, synchronises,
};
use crate::classes::Source;
use crate::event::Kind;
use crate::program::{Order, Program};

/// Nodes, as bits.
pub type Set = u64;

/// The most nodes there can be.
pub const MOST: usize = Set::BITS as usize;

/// The members of a set.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(next)
    })
}

/// The set of the first nodes.
pub fn first(count: usize) -> Set {
    if count == MOST { Set::MAX } else { (1 << count) - 1 }
}

/// All that comes before the members of a set.
pub fn before_any(set: Set, relation: &[Set]) -> Set {
    members(set).fold(0, |all, node| all | relation[node])
}

/// Kinds of nodes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kinds {
    pub reads: Set,
    pub writes: Set,
    pub fences: Set,
    /// Those that access a location in memory.
    pub memory: Set,
    pub plain: Set,
    pub seq_cst: Set,
    pub releases: Set,
    pub acquires: Set,
    pub at_once: Set,
}

/// The nodes of a graph that grows, and what comes before each.
#[derive(Debug)]
pub struct Rows {
    objects: [usize; 4],
    exchanges: Exchanges,
    pub nodes: Vec<Node>,
    pub kinds: Kinds,
    /// Program order.
    pub sb: Vec<Set>,
    /// Additional synchronisation.
    pub asw: Vec<Set>,
    /// The write that a read reads from.
    pub rf: Vec<Set>,
    /// The nodes of the same event, and the node itself.
    pub same_event: Vec<Set>,
    /// Happens-before of RC11 with the release sequences of C++20.
    pub hb: Vec<Set>,
    /// The same with those of the paper.
    pub hb_as_published: Vec<Set>,
    /// Happens-before of release-acquire.
    pub hb_ra: Vec<Set>,
    /// What releases through a write: itself, if its order says so, and fences before it.
    through: Vec<Set>,
    /// What releases through a write of whose release sequence a write is; of C++20, and of the paper.
    released: Vec<Set>,
    released_as_published: Vec<Set>,
    /// The nodes of each thread; initial writes are of none.
    pub of_thread: Vec<Set>,
    pub initial: Set,
    /// The nodes of each event of each thread.
    events: Vec<Vec<Set>>,
    /// Which threads have a node for their beginning, and one for their end.
    begun: Vec<bool>,
    ended: Vec<bool>,
    /// For each object the nodes about it.
    pub about: Vec<Set>,
    /// For each object its writes in modification order, first the initial one.
    pub modification: Vec<Vec<usize>>,
}

/// How many nodes there were.
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize);

impl Rows {
    /// The graph of nothing done. `None`: there are too many nodes.
    pub fn new(program: &Program) -> Option<Self> {
        let counts = [program.locations.len(), program.mutexes, program.conditions, program.semaphores];
        let objects: usize = counts.iter().sum();
        let threads = program.threads.len();
        let mut rows = Self {
            objects: [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]],
            exchanges: Exchanges::of(program),
            nodes: Vec::new(),
            kinds: Kinds::default(),
            sb: Vec::new(),
            asw: Vec::new(),
            rf: Vec::new(),
            same_event: Vec::new(),
            hb: Vec::new(),
            hb_as_published: Vec::new(),
            hb_ra: Vec::new(),
            through: Vec::new(),
            released: Vec::new(),
            released_as_published: Vec::new(),
            of_thread: vec![0; threads],
            initial: 0,
            events: vec![Vec::new(); threads],
            begun: vec![false; threads],
            ended: vec![false; threads],
            about: vec![0; objects],
            modification: vec![Vec::new(); objects],
        };
        let kinds = [Object::Location, Object::Mutex, Object::Condition, Object::Semaphore];
        for (kind, count) in kinds.into_iter().zip(counts) {
            for number in 0..count {
                let node =
                    super::graph::node(Owner::Initial, Role::Write, Some(kind(number)), Order::Relaxed);
                let at = rows.push(node, Edges::default())?;
                rows.initial |= 1 << at;
                let object = rows.index(kind(number));
                rows.modification[object].push(at);
            }
        }
        Some(rows)
    }

    /// The number of an object among all.
    pub fn index(&self, object: Object) -> usize {
        match object {
            Object::Location(number) => self.objects[0] + number,
            Object::Mutex(number) => self.objects[1] + number,
            Object::Condition(number) => self.objects[2] + number,
            Object::Semaphore(number) => self.objects[3] + number,
        }
    }

    /// The present nodes.
    pub fn mark(&self) -> Mark {
        Mark(self.nodes.len())
    }

    /// Takes back all nodes that were added since.
    pub fn take_back(&mut self, Mark(count): Mark) {
        while self.nodes.len() > count
            && let Some(node) = self.nodes.pop()
        {
            match node.owner {
                Owner::Begin(thread) => self.begun[thread] = false,
                Owner::End(thread) => self.ended[thread] = false,
                Owner::Event((thread, index)) => self.events[thread].truncate(index),
                Owner::Initial => {}
            }
            if let Some(object) = node.object.map(|object| self.index(object)) {
                let gone = self.nodes.len();
                self.modification[object].retain(|write| *write != gone);
            }
        }
        let relations = [
            &mut self.sb,
            &mut self.asw,
            &mut self.rf,
            &mut self.same_event,
            &mut self.hb,
            &mut self.hb_as_published,
            &mut self.hb_ra,
            &mut self.through,
            &mut self.released,
            &mut self.released_as_published,
        ];
        relations.into_iter().for_each(|relation| relation.truncate(count));
        let stay = first(count);
        let Kinds { reads, writes, fences, memory, plain, seq_cst, releases, acquires, at_once } =
            &mut self.kinds;
        for set in [reads, writes, fences, memory, plain, seq_cst, releases, acquires, at_once] {
            *set &= stay;
        }
        self.about.iter_mut().chain(&mut self.of_thread).for_each(|set| *set &= stay);
    }

    /// Adds nodes for threads that have begun or ended in the meantime.
    pub fn add_ends(&mut self, graph: &Graph, begun: &[bool], ended: &[bool]) -> Option<()> {
        for thread in 0..begun.len() {
            if begun[thread] && !self.begun[thread] {
                self.begun[thread] = true;
                self.add_bare(graph, Owner::Begin(thread))?;
            }
            if ended[thread] && !self.ended[thread] {
                self.ended[thread] = true;
                self.add_bare(graph, Owner::End(thread))?;
            }
        }
        Some(())
    }

    fn add_bare(&mut self, graph: &Graph, owner: Owner) -> Option<usize> {
        let asw = self.synchronised(graph, owner);
        self.push(super::graph::node(owner, Role::Other, None, Order::Relaxed), Edges { asw, rf: 0 })
    }

    /// Adds the nodes of an event that was added to a graph. `None`: there are too many.
    pub fn add(&mut self, graph: &Graph, extension: &Extension) -> Option<()> {
        let event = &extension.event;
        let asw = match event.kind {
            Kind::Lock { .. } | Kind::TryLock { .. } | Kind::Down { .. } => {
                self.synchronised(graph, Owner::Event(event.id()))
            }
            Kind::Wake { .. } | Kind::Join { .. } => self.synchronised(graph, Owner::Event(event.id())),
            _ => 0,
        };
        let mut of_event = 0;
        for node in nodes_of(&self.exchanges, event).into_iter().flatten() {
            let object = node.object.map(|object| self.index(object));
            let rf = match object {
                Some(object) if node.role == Role::Read => self.source(graph, extension, object),
                _ => 0,
            };
            let at = self.push(node, Edges { asw, rf })?;
            of_event |= 1 << at;
            if let (Some(object), Role::Write) = (object, node.role) {
                let place = match extension.position {
                    Position::Write { place } => place + 1,
                    _ => self.modification[object].len(),
                };
                self.modification[object].insert(place, at);
            }
        }
        members(of_event).for_each(|node| self.same_event[node] = of_event);
        self.events[event.thread].push(of_event);
        Some(())
    }

    /// The nodes of all events that synchronise with a node by other means than memory.
    fn synchronised(&self, graph: &Graph, with: Owner) -> Set {
        let synchronises = |node: &usize| synchronises(graph, self.nodes[*node].owner, with);
        (0..self.nodes.len()).filter(synchronises).fold(0, |set, node| set | 1 << node)
    }

    /// The write to an object that an event reads from.
    fn source(&self, graph: &Graph, extension: &Extension, object: usize) -> Set {
        let first = 1 << self.modification[object][0];
        match (extension.position, extension.event.source) {
            (Position::After { changes }, _) => 1 << self.modification[object][changes],
            (_, Some(Source::Write((thread, index)))) => {
                debug_assert!(graph.threads[thread].len() > index);
                self.events[thread][index] & self.about[object] & self.kinds.writes
            }
            _ => first,
        }
    }

    /// Adds a node after those that come before it.
    fn push(&mut self, node: Node, edges: Edges) -> Option<usize> {
        let at = self.nodes.len();
        if at >= MOST {
            return None;
        }
        let bit: Set = 1 << at;
        let thread = node.owner.thread();
        let sb = thread.map_or(0, |thread| self.initial | self.of_thread[thread]);
        let Edges { asw, rf } = edges;
        let is_memory = matches!(node.object, Some(Object::Location(_)));
        let object = node.object.map(|object| self.index(object));

        // Release sequences.
        let (mut through, mut released, mut released_as_published) = (0, 0, 0);
        if is_memory && node.role == Role::Write {
            through = sb & self.kinds.fences & self.kinds.releases;
            if node.order.releases() {
                through |= bit;
            }
            let earlier = object.map_or(0, |object| sb & self.about[object] & self.kinds.writes);
            (released, released_as_published) = (through, through | before_any(earlier, &self.through));
            // The write of a read-modify-write continues the release sequences of what was read.
            if let Some(read) = at.checked_sub(1).filter(|read| self.nodes[*read].owner == node.owner)
                && thread.is_some()
            {
                released |= before_any(self.rf[read], &self.released);
                released_as_published |= before_any(self.rf[read], &self.released_as_published);
            }
        }
        // What synchronises with this node through memory: because of what it reads, or has been read before a fence.
        let acquired_from = match node.role {
            Role::Read if is_memory && node.order.acquires() => rf,
            Role::Fence if node.order.acquires() => {
                before_any(sb & self.kinds.reads & self.kinds.memory, &self.rf)
            }
            _ => 0,
        };
        let closed = |direct: Set, relation: &[Set]| direct | before_any(direct, relation);
        let acquired = before_any(acquired_from, &self.released);
        let hb = closed(sb | asw | acquired, &self.hb);
        let acquired = before_any(acquired_from, &self.released_as_published);
        let hb_as_published = closed(sb | asw | acquired, &self.hb_as_published);
        // Each change of a synchronisation object reads from the one before.
        let chain = match object {
            Some(object) if !is_memory && node.role == Role::Write => self.about[object] & self.kinds.writes,
            _ => 0,
        };
        let hb_ra = closed(sb | asw | rf | chain, &self.hb_ra);

        self.nodes.push(node);
        self.sb.push(sb);
        self.asw.push(asw);
        self.rf.push(rf);
        self.same_event.push(bit);
        self.hb.push(hb);
        self.hb_as_published.push(hb_as_published);
        self.hb_ra.push(hb_ra);
        self.through.push(through);
        self.released.push(released);
        self.released_as_published.push(released_as_published);
        if let Some(thread) = thread {
            self.of_thread[thread] |= bit;
        }
        if let Some(object) = object {
            self.about[object] |= bit;
        }
        self.kinds.add(&node, bit);
        Some(at)
    }

    /// Happens-before as it is for data races with the release sequences of C11: a write, and those after it in modification order up to
    /// the first that is neither by the same thread nor a read-modify-write. (Initial writes are by all threads.)
    pub fn happens_before_c11(&self) -> Vec<Set> {
        let count = self.nodes.len();
        let mut released = vec![0; count];
        for writes in &self.modification {
            for (place, write) in writes.iter().enumerate() {
                let is_headed_by = |head: &usize| {
                    let owner = self.nodes[writes[*head]].owner;
                    writes[head + 1..=place].iter().all(|later| {
                        let is_own =
                            owner.thread().is_none_or(|thread| self.of_thread[thread] >> later & 1 == 1);
                        is_own || self.same_event[*later] & self.kinds.reads != 0
                    })
                };
                let heads = (0..=place).filter(is_headed_by);
                released[*write] = heads.fold(0, |set, head| set | self.through[writes[head]]);
            }
        }
        let mut hb: Vec<Set> = (0..count).map(|node| self.sb[node] | self.asw[node]).collect();
        let memory = self.kinds.reads & self.kinds.memory;
        for read in members(memory) {
            let fences = self.kinds.fences & self.kinds.acquires;
            for (node, before) in hb.iter_mut().enumerate() {
                let is_read = node == read && self.kinds.acquires >> read & 1 == 1;
                let is_fence = fences >> node & 1 == 1 && self.sb[node] >> read & 1 == 1;
                if is_read || is_fence {
                    *before |= before_any(self.rf[read], &released);
                }
            }
        }
        // Warshall's transitive closure.
        for middle in 0..count {
            let before_middle = hb[middle];
            for before in &mut hb {
                if *before >> middle & 1 == 1 {
                    *before |= before_middle;
                }
            }
        }
        hb
    }
}

/// What comes right before a node.
#[derive(Debug, Clone, Copy, Default)]
struct Edges {
    asw: Set,
    rf: Set,
}

impl Kinds {
    fn add(&mut self, node: &Node, bit: Set) {
        let Kinds { reads, writes, fences, memory, plain, seq_cst, releases, acquires, at_once } = self;
        let kinds = [
            (reads, node.role == Role::Read),
            (writes, node.role == Role::Write),
            (fences, node.role == Role::Fence),
            (memory, matches!(node.object, Some(Object::Location(_)))),
            (plain, node.order == Order::Plain),
            (seq_cst, node.order == Order::SeqCst),
            (releases, node.role != Role::Read && node.order.releases()),
            (acquires, node.role != Role::Write && node.order.acquires()),
            (at_once, node.at_once),
        ];
        for (set, is_in) in kinds {
            if is_in {
                *set |= bit;
            }
        }
    }
}

/// The orders of the accesses to each object.
///
/// The extended coherence order, eco = (rf ∪ mo ∪ rb)+, orders accesses to an object by the write that they write or read from; a write comes
/// before those who read from it, who are not ordered among each other.
#[derive(Debug)]
pub struct Orders {
    /// What comes before a node in eco.
    pub before: [Set; MOST],
    /// What comes after it.
    pub after: [Set; MOST],
}

impl Orders {
    /// Those of a graph.
    pub fn new(rows: &Rows) -> Self {
        let mut orders = Self { before: [0; MOST], after: [0; MOST] };
        let mut readers = [0; MOST];
        for read in members(rows.kinds.reads) {
            members(rows.rf[read]).for_each(|write| readers[write] |= 1 << read);
        }
        for (writes, all) in rows.modification.iter().zip(&rows.about) {
            let mut before = 0;
            for write in writes {
                orders.before[*write] = before;
                before |= 1 << write;
                orders.after[*write] = all & !before;
                for read in members(readers[*write]) {
                    orders.before[read] = before;
                    orders.after[read] = all & !before & !readers[*write];
                }
                before |= readers[*write];
            }
        }
        orders
    }
}
