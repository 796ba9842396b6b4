//! What the axiomatic models have in common, and the axioms of each.
//!
//! Coherence costs a comparison of clocks, which are kept as the graph grows ([`super::graph`]). What is left for
//! [`Axioms::allows`] is the order of sequentially consistent operations: a search for a cycle through the new node.

use super::graph::{BEFORE, CAUSES, Graph, Id, Kind, NONE, Room, flag};
use super::relation::Relation;

/// An axiomatic memory model.
///
/// All of them have no cycles of program order and reads-from (a graph is built along these), are coherent with respect
/// to one of the clocks, and their updates are atomic. What else they demand is in [`Axioms::allows`].
pub trait Axioms: Copy + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// The clock with respect to which locations are coherent: of the writes in it, a thread must not read older ones.
    const KNOWN: usize;
    /// Whether a read that reads from an older write than another one, of those of other threads, comes before the write that the
    /// other one reads from, in an order that also contains what each event depends on.
    const COHERENCE_IS_CAUSAL: bool = false;

    /// Whether a graph is consistent, given that it was before its last node came, which is coherent and atomic.
    ///
    /// Asked only if something comes after that node: it reads from a write that is not the last, or writes before one.
    /// Otherwise the graph is consistent in each of these models, because no edge leaves the new node.
    fn allows(graph: &Graph, last: Id) -> bool;

    /// Whether [`Axioms::allows`] has to be asked about a graph with one more node, which has these properties.
    fn minds(_: &Graph, _: u16) -> bool {
        true
    }

    /// The order that the model demands of sequentially consistent accesses and fences, besides coherence. A model that
    /// treats them like others has none.
    fn sc_order(_: &Graph) -> Vec<(Id, Id)> {
        Vec::new()
    }
}

fn pairs(relation: &Relation) -> Vec<(Id, Id)> {
    relation.pairs().map(|(one, other)| (one as Id, other as Id)).collect()
}

/// Sequential consistency: program order, rf, mo and rb together have no cycle.
#[derive(Debug, Clone, Copy)]
pub struct Sc;

impl Axioms for Sc {
    const NAME: &'static str = "sc";
    const KNOWN: usize = CAUSES;
    const COHERENCE_IS_CAUSAL: bool = true;

    fn allows(graph: &Graph, last: Id) -> bool {
        !is_on_cycle(graph, last, |node, reached| {
            thread_next(node, |_| true, reached);
            communication(node, Reads::All, reached);
        })
    }
}

/// Total store order: rf, mo, rb and the program order that store buffers keep have no cycle, and each location is
/// coherent. Of rf only what goes to other threads orders.
#[derive(Debug, Clone, Copy)]
pub struct Tso;

impl Axioms for Tso {
    const NAME: &'static str = "tso";
    const KNOWN: usize = CAUSES;
    const COHERENCE_IS_CAUSAL: bool = true;

    fn allows(graph: &Graph, last: Id) -> bool {
        !is_on_cycle(graph, last, |id, reached| {
            let node = graph.node(id);
            let next = |kind: Kind, reached: &mut Reached<'_>| {
                let keeps = |next: Id| graph.node(next).kind == kind || graph.node(next).is(flag::AT_ONCE);
                thread_next(id, keeps, reached);
            };
            next(Kind::Write, reached);
            if node.kind != Kind::Write || node.is(flag::AT_ONCE) {
                // A read may overtake a buffered store, but nothing else.
                next(Kind::Read, reached);
            }
            communication(id, Reads::OfOthers, reached);
        })
    }
}

/// Release-acquire: happens-before is program order and reads-from; sequentially consistent fences are in one order.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseAcquire;

impl Axioms for ReleaseAcquire {
    const NAME: &'static str = "ra";
    const KNOWN: usize = CAUSES;

    fn minds(graph: &Graph, _: u16) -> bool {
        graph.seq_cst_fences() >= 2
    }

    fn allows(graph: &Graph, last: Id) -> bool {
        super::rc11::fences_are_in_order(graph, last, CAUSES)
    }

    fn sc_order(graph: &Graph) -> Vec<(Id, Id)> {
        pairs(&super::rc11::psc_of_fences(graph, CAUSES))
    }
}

/// RC11: see [`super::rc11`].
#[derive(Debug, Clone, Copy)]
pub struct Rc11;

impl Axioms for Rc11 {
    const NAME: &'static str = "rc11";
    const KNOWN: usize = BEFORE;

    fn minds(graph: &Graph, flags: u16) -> bool {
        graph.seq_cst_fences() > 0 || flags & flag::SEQ_CST != 0
    }

    fn allows(graph: &Graph, last: Id) -> bool {
        super::rc11::is_sc_consistent(graph, last)
    }

    fn sc_order(graph: &Graph) -> Vec<(Id, Id)> {
        match graph.seq_cst_accesses() + graph.seq_cst_fences() {
            0 => Vec::new(),
            _ => pairs(&super::rc11::psc(graph)),
        }
    }
}

/// Whether a node can be reached from itself, where an operation on synchronisation objects takes effect at once: a wait begins to
/// wait and gives the mutex back in one step, so what comes before one of the two comes before the other.
/// `next` tells the search what comes after a node. This is asked of almost every graph.
fn is_on_cycle(graph: &Graph, start: Id, next: impl Fn(Id, &mut Reached<'_>)) -> bool {
    let mut room = graph.room();
    let Room { seen, open, .. } = &mut *room;
    seen.clear();
    seen.resize(graph.nodes().len(), false);
    open.clear();
    open.push(start);
    let mut reached = Reached { graph, start, seen, open, has_start: false };
    while let Some(node) = reached.open.pop() {
        next(node, &mut reached);
        if reached.has_start {
            return true;
        }
    }
    false
}

/// What can be reached from a node, where an operation on synchronisation objects takes effect at once: a wait begins to wait and
/// gives the mutex back in one step, so who comes before one of these comes before the other.
struct Reached<'r> {
    graph: &'r Graph,
    start: Id,
    seen: &'r mut [bool],
    /// What comes after these is not known yet.
    open: &'r mut Vec<Id>,
    /// Whether the node where the search began is among them.
    has_start: bool,
}

impl Reached<'_> {
    #[inline]
    fn add(&mut self, id: Id) {
        if self.is_new(id) && self.graph.node(id).is(flag::SYNC) {
            self.is_new(beginning(self.graph, id));
        }
    }

    /// Adds one node. The answer is whether it was not there.
    #[inline]
    fn is_new(&mut self, id: Id) -> bool {
        self.has_start |= id == self.start;
        let is_new = !std::mem::replace(&mut self.seen[id as usize], true);
        if is_new {
            self.open.push(id);
        }
        is_new
    }
}

/// The first node of the operation on synchronisation objects that a node belongs to.
fn beginning(graph: &Graph, id: Id) -> Id {
    let node = graph.node(id);
    let before = &graph.threads()[node.thread as usize].nodes[..node.index as usize];
    let of_operation = before.iter().rev().take_while(|earlier| graph.node(**earlier).is(flag::OPEN));
    of_operation.last().copied().unwrap_or(id)
}

/// The first node after one in program order, through creation and join, that is `wanted`; creation, end and join of a
/// thread always are.
#[inline]
fn thread_next(id: Id, wanted: impl Fn(Id) -> bool, reached: &mut Reached<'_>) {
    let graph = reached.graph;
    let node = graph.node(id);
    let thread = &graph.threads()[node.thread as usize];
    let later = thread.nodes[node.index as usize + 1..].iter().copied();
    match later.into_iter().find(|next| wanted(*next)) {
        Some(next) => reached.add(next),
        None if thread.joiner != NONE => reached.add(thread.joiner),
        None => {}
    }
    if let Kind::Spawn(child) = node.kind {
        let child = &graph.threads()[child as usize];
        // All that it does comes after its creation, also what may overtake its first store.
        match child.nodes.iter().copied().find(|next| wanted(*next)) {
            Some(first) => reached.add(first),
            None if child.joiner != NONE => reached.add(child.joiner),
            None => {}
        }
    }
}

/// Which reads come after the write that they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    All,
    /// Only those of other threads.
    OfOthers,
}

/// What comes after a node by rf, mo and rb: of mo and rb, the next.
#[inline]
fn communication(id: Id, reads: Reads, reached: &mut Reached<'_>) {
    let graph = reached.graph;
    let node = graph.node(id);
    if node.cell == NONE || node.is(flag::VAIN) {
        return;
    }
    let cell = graph.cell(node.cell);
    match node.kind {
        Kind::Write => {
            for read in &cell.reads {
                let other = graph.node(*read);
                let counts = reads == Reads::All || other.thread != node.thread;
                if other.source == id && !other.is(flag::VAIN) && counts {
                    reached.add(*read);
                }
            }
            if let Some(next) = cell.writes.get(graph.rank(node.cell, id)) {
                reached.add(*next);
            }
        }
        Kind::Read => {
            if let Some(next) = cell.writes.get(graph.rank(node.cell, node.source)) {
                reached.add(*next);
            }
        }
        _ => {}
    }
}
