//! RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11; PLDI 2017).
//!
//! Coherence and atomicity are ensured when a node is added ([`Graph::floor`], [`Graph::updated_by`]), and there are no
//! cycles of sb ∪ rf by construction. What is left is the axiom SC:
//!
//! | | |
//! | --- | --- |
//! | SC before | scb = sb ∪ sb\|≠loc; hb; sb\|≠loc ∪ hb\|loc ∪ mo ∪ rb |
//! | partial SC, accesses | psc_base = (`[E sc]` ∪ `[F sc]`; hb?); scb; (`[E sc]` ∪ hb?; `[F sc]`) |
//! | partial SC, fences | psc_F = `[F sc]`; (hb ∪ hb; eco; hb); `[F sc]` |
//! | **SC** | psc_base ∪ psc_F is acyclic |
//!
//! Without sequentially consistent fences, psc is scb between sequentially consistent accesses, and a new cycle must go
//! through the new node. So what can be reached from there is searched for something of the same thread: the new node
//! is its last, and comes after all others. What can be reached of any thread is its end, because scb contains sb. The search with
//! fences is in [`super::fences`]. The definition itself, with relations as matrices, shows the order to people, and decides where
//! that search does not.
//!
//! A thread has a beginning, which comes before all its nodes in sb, and an end, which comes after them. Its creation happens before the
//! beginning, and the end before the join. Neither is a node here, but both are about something else than any access: an access
//! before the creation is before the first access of the thread in scb, whatever that is.

use super::fences::{self, Order};
use super::graph::{BEFORE, Graph, Id, Kind, NONE, Room, flag};
use super::relation::Relation;

/// Whether the axiom SC holds, given that it did before the last node came.
pub fn is_sc_consistent(graph: &Graph, last: Id) -> bool {
    if graph.seq_cst_fences() > 0 {
        return !fences::have_cycle(graph, last, BEFORE, Order::All, || !psc(graph).is_acyclic());
    }
    if graph.node(last).kind == Kind::Read && !has_sc_before(graph, last) {
        return true;
    }
    let mut room = graph.room();
    let Room { first, open, .. } = &mut *room;
    first.clear();
    first.extend(graph.threads().iter().map(|thread| thread.nodes.len() as u32));
    open.clear();
    open.push(last);
    let own = graph.node(last).thread;
    while let Some(id) = open.pop() {
        if !scb_next(graph, id, own, first, open) {
            return false;
        }
    }
    true
}

/// Whether something sequentially consistent happens before a node. If not, nothing comes before a read in scb: mo and rb
/// lead to writes only.
fn has_sc_before(graph: &Graph, id: Id) -> bool {
    let (node, clock) = (graph.node(id), graph.clock(id, BEFORE));
    graph.threads().iter().zip(clock).enumerate().any(|(number, (thread, known))| {
        let known = if number as u32 == node.thread { node.index } else { *known };
        thread.nodes[..known as usize].iter().any(|earlier| is_sc(graph, *earlier))
    })
}

pub fn is_sc(graph: &Graph, id: Id) -> bool {
    graph.node(id).is(flag::SEQ_CST) && !graph.node(id).is(flag::VAIN)
}

/// Finds sequentially consistent accesses that come after one in scb. `first`: the first node of each thread that can be
/// reached so far, those after it included; what is new is to be followed in its turn. `false`: one of the thread `own` can
/// be reached.
fn scb_next(graph: &Graph, id: Id, own: u32, first: &mut [u32], open: &mut Vec<Id>) -> bool {
    let node = graph.node(id);
    let mut reach = |next: Id, first: &mut [u32]| {
        let (thread, index) = (graph.node(next).thread, graph.node(next).index);
        let known = first[thread as usize];
        first[thread as usize] = known.min(index);
        let nodes = &graph.threads()[thread as usize].nodes;
        let new = nodes.get(index as usize..known as usize).unwrap_or_default();
        open.extend(new.iter().filter(|next| is_sc(graph, **next)));
        thread != own
    };
    let cell = graph.cell(node.cell);
    let rank = match node.kind {
        Kind::Write => graph.rank(node.cell, id),
        _ => graph.rank(node.cell, node.source),
    };
    if let Some(next) = cell.writes[rank..].iter().copied().find(|next| is_sc(graph, *next))
        && !reach(next, first)
    {
        return false;
    }
    let later = &graph.threads()[node.thread as usize].nodes[node.index as usize + 1..];
    let elsewhere = later.iter().copied().find(|next| graph.node(*next).cell != node.cell);
    // Else there is the thread's end: what comes after it is what comes after the join.
    let elsewhere = elsewhere.or(known(graph.threads()[node.thread as usize].joiner));
    for (number, thread) in graph.threads().iter().enumerate() {
        if number as u32 == node.thread {
            continue;
        }
        let new = &thread.nodes[..first[number] as usize];
        // A node happens before the rest of a thread, except reads in vain.
        let from = match (graph.has_blocks(), new.last()) {
            (true, _) => 0,
            (false, Some(last)) if graph.happens_before(id, *last) => {
                new.partition_point(|other| !graph.happens_before(id, *other))
            }
            _ => continue,
        };
        let next = new[from..].iter().copied().find(|other| {
            is_sc(graph, *other)
                && graph.happens_before(id, *other)
                && (graph.node(*other).cell == node.cell || is_between(graph, elsewhere, new, *other))
        });
        if let Some(next) = next
            && !reach(next, first)
        {
            return false;
        }
    }
    true
}

/// Whether a node happens before some node of a thread that comes before another one and is about something else.
pub fn is_between(graph: &Graph, first: Option<Id>, thread: &[Id], other: Id) -> bool {
    let to = graph.node(other);
    let before = thread[..to.index as usize].iter().copied().rfind(|last| graph.node(*last).cell != to.cell);
    // Else there is the thread's beginning: what comes before it is the creation, and what comes before that.
    let before = before.or(known(graph.threads()[to.thread as usize].creator));
    first.zip(before).is_some_and(|(first, last)| first == last || graph.happens_before(first, last))
}

fn known(id: Id) -> Option<Id> {
    (id != NONE).then_some(id)
}

/// psc_base and psc_F.
pub fn psc(graph: &Graph) -> Relation {
    let relations = Relations::new(graph, BEFORE);
    let Relations { sb, hb, mo, rb, loc, creates, joined, .. } = &relations;
    let e_sc = relations.set(|id| is_sc(graph, id));
    let f_sc = relations.set(|id| is_sc(graph, id) && graph.node(id).kind == Kind::Fence);
    let elsewhere = sb.without(loc);
    // The beginning and the end of a thread are in sb|≠loc, too.
    let between = elsewhere.or(joined).then(&hb.maybe()).then(&elsewhere.or(creates));
    let scb = sb.or(&between).or(&hb.and(loc)).or(mo).or(rb);
    let before = e_sc.or(&f_sc.then(&hb.maybe()));
    let after = e_sc.or(&hb.maybe().then(&f_sc));
    let psc_base = before.then(&scb).then(&after);
    psc_base.or(&relations.fences(&f_sc))
}

/// Whether sequentially consistent fences can be put in one order, for the happens-before of a clock, given that they could before
/// the last node came.
pub fn fences_are_in_order(graph: &Graph, last: Id, clock: usize) -> bool {
    let has_cycle = || !psc_of_fences(graph, clock).is_acyclic();
    !fences::have_cycle(graph, last, clock, Order::Fences, has_cycle)
}

/// psc_F, for the happens-before of a clock.
pub fn psc_of_fences(graph: &Graph, clock: usize) -> Relation {
    let relations = Relations::new(graph, clock);
    let f_sc = relations.set(|id| is_sc(graph, id) && graph.node(id).kind == Kind::Fence);
    relations.fences(&f_sc)
}

/// The relations of a graph.
struct Relations {
    size: usize,
    sb: Relation,
    hb: Relation,
    rf: Relation,
    mo: Relation,
    rb: Relation,
    loc: Relation,
    /// From the creation of a thread to its nodes.
    creates: Relation,
    /// From the nodes of a thread to its join.
    joined: Relation,
}

impl Relations {
    fn new(graph: &Graph, clock: usize) -> Self {
        let nodes = graph.nodes();
        let size = nodes.len();
        let counts = |id: usize| !nodes[id].is(flag::VAIN);
        let sb = Relation::new(size, |one, other| {
            nodes[one].thread == nodes[other].thread && nodes[one].index < nodes[other].index
        });
        let hb = Relation::new(size, |one, other| {
            one != other && counts(one) && graph.is_in(one as Id, graph.clock(other as Id, clock))
        });
        let accesses = |id: usize| matches!(nodes[id].kind, Kind::Read | Kind::Write) && counts(id);
        let loc = Relation::new(size, |one, other| {
            accesses(one) && accesses(other) && nodes[one].cell == nodes[other].cell
        });
        let mut rf = Relation::empty(size);
        let mut mo = Relation::empty(size);
        let mut rb = Relation::empty(size);
        for cell in graph.cells() {
            for (at, write) in cell.writes.iter().enumerate() {
                for later in &cell.writes[at + 1..] {
                    mo.add(*write as usize, *later as usize);
                }
            }
            for read in cell.reads.iter().filter(|read| accesses(**read as usize)) {
                let node = graph.node(*read);
                if node.source != NONE {
                    rf.add(node.source as usize, *read as usize);
                }
                for later in &cell.writes[graph.rank(node.cell, node.source)..] {
                    rb.add(*read as usize, *later as usize);
                }
            }
        }
        let mut creates = Relation::empty(size);
        let mut joined = Relation::empty(size);
        for thread in graph.threads() {
            for node in &thread.nodes {
                known(thread.creator)
                    .into_iter()
                    .for_each(|creator| creates.add(creator as usize, *node as usize));
                known(thread.joiner)
                    .into_iter()
                    .for_each(|joiner| joined.add(*node as usize, joiner as usize));
            }
        }
        Self { size, sb, hb, rf, mo, rb, loc, creates, joined }
    }

    fn set(&self, is_in: impl Fn(Id) -> bool) -> Relation {
        Relation::new(self.size, |one, other| one == other && is_in(one as Id))
    }

    /// psc_F.
    fn fences(&self, f_sc: &Relation) -> Relation {
        let eco = self.rf.or(&self.mo).or(&self.rb).plus();
        f_sc.then(&self.hb.or(&self.hb.then(&eco).then(&self.hb))).then(f_sc)
    }
}
