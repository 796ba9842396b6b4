//! The axiom SC of RC11 where some fence is sequentially consistent: what a new node adds to psc is searched for a cycle.
//!
//! The definition is in [`super::rc11`]. What was there before is acyclic, and a new node comes last in happens-before. So every new
//! cycle goes through the node itself, if it is sequentially consistent, or through an edge that begins at a fence that happens before
//! it: that fence comes before the node by hb, and what follows the node is found by mo and rb. It is enough to follow psc from there.
//!
//! # What is followed
//!
//! Sequentially consistent nodes of a thread are in psc in their order, and happens-before goes on along a thread. So all that is
//! reached is an end of each thread, and of each location an end of its writes:
//!
//! * of each thread, which sequentially consistent nodes are *reached*, and which nodes come *after a fence* that is reached: it happens
//!   before them;
//! * of each location, which writes come after one of these, or after an access that is reached, by mo or rb, and which reads read from
//!   writes that come after a fence: only eco leads to these, and from there psc_F leads to fences only.
//!
//! Each of these is looked at once in a search, which needs no memory but what earlier searches have left.
//!
//! # From what is reached to the next
//!
//! A fence is before all fences that it happens before (psc_F), and before all accesses that come after a node in program order which it
//! happens before (hb; sb). An access that it happens before otherwise has acquired what was released after the fence. That is not in psc,
//! but what comes after the access comes after the fence, too: the writes after it by mo or rb (hb; mo and hb; rb), and what it happens
//! before. If it is of the last node's thread, the fence happens before that node, and the cycle is there without it. So accesses that a
//! fence happens before count as reached, and need not be followed.
//!
//! An access is before accesses as in [`super::rc11`]. It is not before each fence that it happens before: a relaxed read of a write may
//! have come before the fence, and rf is not part of scb. But an access that is reached was reached by scb from something before it, and
//! that is before these fences (scb; hb).
//!
//! # Reads in vain
//!
//! Nothing happens after a read in vain but itself, so happens-before does not go on along a thread that has waited. Then more is
//! followed than psc has (all of a thread from the first node on that comes after), and if that has a cycle, the definition decides. It
//! also does if a thread has done something else in vain than to read.

use super::graph::{Graph, Id, Kind, NONE, flag};
use super::rc11::{is_between, is_sc};

/// Which order is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// psc: sequentially consistent accesses and fences.
    All,
    /// psc_F: fences only.
    Fences,
}

/// How far a search has got, and room for the next.
#[derive(Debug, Default)]
pub struct Reached {
    threads: Vec<InThread>,
    cells: Vec<InCell>,
    /// Locations of which something is reached.
    touched: Vec<u32>,
    /// Those of which something was not followed yet.
    changed: Vec<u32>,
    /// The ranks of the writes to locations that are touched.
    ranks: Vec<u32>,
    /// Sequentially consistent nodes that are reached and not followed yet.
    open: Vec<Id>,
}

/// What is reached of a thread.
#[derive(Debug, Clone, Copy)]
struct InThread {
    /// How many of its sequentially consistent nodes are not, and how many of its fences: the first.
    left: u32,
    fences_left: u32,
    /// From this index on its nodes come after a fence that is reached.
    after_fence: u32,
}

/// What is reached of a location.
#[derive(Debug, Clone, Copy)]
struct InCell {
    /// All writes but so many, and how many those were when they were followed.
    writes: (u32, u32),
    /// The reads whose source has at least this rank, and that when they were followed.
    reads: (u32, u32),
}

impl InCell {
    const NOTHING: Self = Self { writes: (u32::MAX, u32::MAX), reads: (u32::MAX, u32::MAX) };
}

impl Reached {
    fn begin(&mut self, graph: &Graph, order: Order) {
        self.threads.clear();
        self.threads.extend(graph.threads().iter().map(|thread| {
            let fences = thread.fences.len() as u32;
            let left = match order {
                Order::All => thread.seq_cst.len() as u32,
                Order::Fences => fences,
            };
            InThread { left, fences_left: fences, after_fence: thread.nodes.len() as u32 }
        }));
        for cell in self.touched.drain(..) {
            self.cells[cell as usize] = InCell::NOTHING;
        }
        self.cells.resize(self.cells.len().max(graph.cells().len()), InCell::NOTHING);
        self.ranks.resize(self.ranks.len().max(graph.nodes().len()), 0);
        self.changed.clear();
        self.open.clear();
    }
}

/// Whether an order has a cycle, for the happens-before of a clock, given that it had none before the last node came. `definition`
/// tells the same of any graph.
pub fn have_cycle(
    graph: &Graph,
    last: Id,
    clock: usize,
    order: Order,
    definition: impl Fn() -> bool,
) -> bool {
    let node = graph.node(last);
    if !matches!(node.kind, Kind::Read | Kind::Write) {
        // Nothing comes after it.
        return false;
    }
    let known = graph.clock(last, clock);
    let comes_after_fence =
        graph.threads().iter().zip(known).any(|(thread, known)| {
            thread.fences.first().is_some_and(|fence| graph.node(*fence).index < *known)
        });
    let is_ordered = order == Order::All && is_sc(graph, last);
    if !comes_after_fence && !is_ordered {
        return false;
    }
    let has_blocks = graph.has_blocks();
    if has_blocks && !waits_by_reading(graph) {
        return definition();
    }
    let mut room = graph.room();
    let reached = &mut room.reached;
    reached.begin(graph, order);
    let closes_at_accesses = is_ordered;
    let mut search =
        Search { graph, last, clock, order, closes_at_accesses, has_blocks, reached, has_cycle: false };
    let cell = node.cell;
    search.touch(cell);
    search.reach_later_writes(last);
    search.run();
    if comes_after_fence && !search.has_cycle {
        // What reads from the writes after the node comes after these fences, but not after the node itself.
        search.closes_at_accesses = false;
        search.reach_readers(last);
        search.run();
    }
    search.has_cycle && (!has_blocks || definition())
}

/// Whether threads have done nothing in vain but to read.
fn waits_by_reading(graph: &Graph) -> bool {
    graph.nodes().iter().all(|node| match node.kind {
        Kind::Block { from, .. } => {
            let nodes = &graph.threads()[node.thread as usize].nodes;
            let round = nodes.get(from as usize..node.index as usize).unwrap_or_default();
            round.iter().all(|id| matches!(graph.node(*id).kind, Kind::Read | Kind::Block { .. }))
        }
        _ => true,
    })
}

struct Search<'s> {
    graph: &'s Graph,
    last: Id,
    clock: usize,
    order: Order,
    /// Whether there is a cycle if an access of the last node's thread is reached: all that is followed comes after that node, which
    /// is sequentially consistent itself.
    closes_at_accesses: bool,
    has_blocks: bool,
    reached: &'s mut Reached,
    has_cycle: bool,
}

impl<'s> Search<'s> {
    fn run(&mut self) {
        while !self.has_cycle {
            if let Some(id) = self.reached.open.pop() {
                match self.graph.node(id).kind {
                    Kind::Fence => self.follow_fence(id),
                    _ => self.follow_access(id),
                }
            } else if let Some(cell) = self.reached.changed.pop() {
                self.follow_cell(cell);
            } else {
                return;
            }
        }
    }

    fn happens_before(&self, one: Id, other: Id) -> bool {
        one != other && self.graph.is_in(one, self.graph.clock(other, self.clock))
    }

    /// The first of some nodes of a thread, which are in order, that a node happens before.
    #[inline]
    fn first_after(&self, id: Id, nodes: &[Id]) -> Option<usize> {
        let comes_after = |other: &Id| self.happens_before(id, *other);
        if self.has_blocks {
            return nodes.iter().position(comes_after);
        }
        nodes.last().filter(|last| comes_after(last))?;
        Some(nodes.partition_point(|other| !comes_after(other)))
    }

    /// The sequentially consistent nodes of a thread from an index on are reached.
    fn reach(&mut self, thread: usize, index: u32) {
        let graph = self.graph;
        let at = &graph.threads()[thread];
        let list = match self.order {
            Order::All => &at.seq_cst,
            Order::Fences => &at.fences,
        };
        let here = &mut self.reached.threads[thread];
        while let Some(before) = here.left.checked_sub(1)
            && let id = list[before as usize]
            && graph.node(id).index >= index
        {
            here.left = before;
            let node = graph.node(id);
            if node.is(flag::VAIN) {
                continue;
            }
            self.reached.open.push(id);
            self.has_cycle |= match node.kind {
                Kind::Fence => graph.is_in(id, graph.clock(self.last, self.clock)),
                _ => self.closes_at_accesses && node.thread == graph.node(self.last).thread,
            };
        }
        while let Some(before) = here.fences_left.checked_sub(1)
            && graph.node(at.fences[before as usize]).index >= index
        {
            here.fences_left = before;
        }
    }

    /// The fences that a node happens before are reached.
    fn reach_fences(&mut self, id: Id) {
        let graph = self.graph;
        for (number, thread) in graph.threads().iter().enumerate() {
            let fences = &thread.fences[..self.reached.threads[number].fences_left as usize];
            if let Some(first) = self.first_after(id, fences) {
                self.reach(number, graph.node(fences[first]).index);
            }
        }
    }

    fn follow_fence(&mut self, fence: Id) {
        let graph = self.graph;
        let own = graph.node(fence).thread as usize;
        for (number, thread) in graph.threads().iter().enumerate() {
            let nodes = &thread.nodes;
            let known = self.reached.threads[number].after_fence as usize;
            let first = match number == own {
                true => graph.node(fence).index as usize + 1,
                false => match self.first_after(fence, &nodes[..known]) {
                    Some(first) => first,
                    None => continue,
                },
            };
            if first >= known {
                continue;
            }
            self.reached.threads[number].after_fence = first as u32;
            for id in &nodes[first..known] {
                self.come_after_fence(*id);
            }
            self.reach(number, first as u32);
        }
    }

    /// A node comes after a fence that is reached.
    fn come_after_fence(&mut self, id: Id) {
        let node = self.graph.node(id);
        if is_access(self.graph, id) {
            self.touch(node.cell);
            self.reach_later_writes(id);
            self.reach_readers(id);
        }
    }

    fn follow_access(&mut self, id: Id) {
        let graph = self.graph;
        let node = graph.node(id);
        if !self.has_blocks && self.reached.threads[node.thread as usize].after_fence <= node.index {
            // What comes after it comes after the fence, too.
            return;
        }
        self.touch(node.cell);
        self.reach_later_writes(id);
        let own = &graph.threads()[node.thread as usize];
        let later = &own.nodes[node.index as usize + 1..];
        let joiner = (own.joiner != NONE).then_some(own.joiner);
        self.reach_fences(id);
        let elsewhere = later.iter().copied().find(|next| graph.node(*next).cell != node.cell).or(joiner);
        for (number, thread) in graph.threads().iter().enumerate() {
            if number as u32 == node.thread {
                continue;
            }
            if self.has_blocks {
                if let Some(first) = self.first_after(id, &thread.nodes) {
                    self.reach(number, first as u32);
                }
                continue;
            }
            let left = &thread.seq_cst[..self.reached.threads[number].left as usize];
            if let Some(first) = self.first_after(id, left) {
                let next = left[first..].iter().copied().find(|other| {
                    is_access(graph, *other)
                        && (graph.node(*other).cell == node.cell
                            || is_between(graph, elsewhere, &thread.nodes, *other))
                });
                if let Some(next) = next {
                    self.reach(number, graph.node(next).index);
                }
            }
        }
    }

    /// The writes that come after an access by mo or rb are reached.
    fn reach_later_writes(&mut self, id: Id) {
        let node = self.graph.node(id);
        let rank = self.rank(if node.kind == Kind::Write { id } else { node.source });
        let here = &mut self.reached.cells[node.cell as usize];
        if rank < here.writes.0 {
            here.writes.0 = rank;
            self.reached.changed.push(node.cell);
        }
    }

    /// The reads that come after an access by eco are reached.
    fn reach_readers(&mut self, id: Id) {
        let node = self.graph.node(id);
        let rank = match node.kind {
            Kind::Write => self.rank(id),
            _ => self.rank(node.source) + 1,
        };
        let here = &mut self.reached.cells[node.cell as usize];
        if rank < here.reads.0 {
            here.reads.0 = rank;
            self.reached.changed.push(node.cell);
        }
    }

    fn follow_cell(&mut self, number: u32) {
        let graph = self.graph;
        let cell = graph.cell(number);
        let here = &mut self.reached.cells[number as usize];
        let InCell { writes, reads } = *here;
        (here.writes.1, here.reads.1) = (writes.0, reads.0);
        let count = cell.writes.len();
        for id in &cell.writes[count.min(writes.0 as usize)..count.min(writes.1 as usize)] {
            let node = graph.node(*id);
            if self.order == Order::All && is_sc(graph, *id) {
                self.reach(node.thread as usize, node.index);
            }
            self.reach_fences(*id);
        }
        if reads.0 < reads.1 {
            for id in cell.reads.iter().copied().filter(|id| is_access(graph, *id)) {
                let source = graph.node(id).source;
                if source != NONE && (reads.0..reads.1).contains(&self.rank(source)) {
                    self.reach_fences(id);
                }
            }
        }
    }

    /// Makes the ranks of the writes to a location known.
    fn touch(&mut self, cell: u32) {
        let here = &self.reached.cells[cell as usize];
        if here.writes.0 != u32::MAX {
            // Writes are reached before anything else of a location is.
            return;
        }
        self.reached.touched.push(cell);
        for (write, rank) in self.graph.cell(cell).writes.iter().zip(1..) {
            self.reached.ranks[*write as usize] = rank;
        }
    }

    /// The rank of a source in a location that is touched.
    fn rank(&self, source: Id) -> u32 {
        match source {
            NONE => 0,
            source => self.reached.ranks[source as usize],
        }
    }
}

/// Whether a node reads or writes, and not in vain.
fn is_access(graph: &Graph, id: Id) -> bool {
    let node = graph.node(id);
    matches!(node.kind, Kind::Read | Kind::Write) && !node.is(flag::VAIN)
}

#[cfg(test)]
mod tests;
