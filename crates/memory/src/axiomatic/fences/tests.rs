//! The search against the definition, on random graphs with creation, join and waiting.

use super::super::graph::{BEFORE, CAUSES, Draft};
use super::super::rc11::{psc, psc_of_fences};
use super::*;
use crate::ReleaseSequences;
use selvedge_testing::Random;
use selvedge_trace::ThreadId;

const ACQUIRE: u16 = flag::ACQUIRE;
const RELEASE: u16 = flag::RELEASE;
const SEQ_CST: u16 = flag::SEQ_CST;
const CELLS: usize = 2;

/// What random graphs are made of.
#[derive(Clone, Copy)]
struct Style {
    order: Order,
    /// The clock of happens-before.
    clock: usize,
    sequences: ReleaseSequences,
    threads: usize,
    nodes: usize,
    /// How many of a hundred additions are fences.
    fences: usize,
    /// How many of a hundred accesses are sequentially consistent.
    seq_cst: usize,
    /// Whether threads wait, and what they may have done in vain.
    waits: Waits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    Never,
    AfterReads,
    AfterAnything,
}

/// How often the search said that there is no cycle, and that there is.
#[derive(Default, Debug)]
struct Said {
    acyclic: usize,
    cyclic: usize,
}

struct Growing {
    graph: Graph,
    style: Style,
    said: Said,
}

impl Growing {
    fn new(style: Style) -> Self {
        let mut graph = Graph::new(style.sequences);
        for thread in 0..style.threads {
            graph.number(ThreadId::from_number(thread).expect("room"));
        }
        for cell in 0..CELLS {
            graph.add_cell(1000 + 16 * cell as u64, 4);
        }
        Self { graph, style, said: Said::default() }
    }

    fn definition(&self) -> bool {
        let relation = match self.style.order {
            Order::All => psc(&self.graph),
            Order::Fences => psc_of_fences(&self.graph, self.style.clock),
        };
        !relation.is_acyclic()
    }

    /// Compares the answers about a new node; if it makes a cycle, it goes.
    fn examine(&mut self, id: Id) -> bool {
        let Style { order, clock, .. } = self.style;
        let expected = self.definition();
        let answer = have_cycle(&self.graph, id, clock, order, || self.definition());
        assert_eq!(answer, expected, "{}", self.describe());
        *(if answer { &mut self.said.cyclic } else { &mut self.said.acyclic }) += 1;
        if answer {
            self.graph.pop();
        }
        !answer
    }

    fn describe(&self) -> String {
        let node = |id| (id, self.graph.node(id));
        let nodes: Vec<String> = (0..self.graph.nodes().len() as Id)
            .map(|id| {
                let (id, node) = node(id);
                format!(
                    "{id}: T{} {:?} of {} from {} flags {}",
                    node.thread, node.kind, node.cell as i32, node.source as i32, node.flags
                )
            })
            .collect();
        let writes: Vec<String> =
            self.graph.cells().iter().map(|cell| format!("{:?}", cell.writes)).collect();
        format!("{}\n{}", nodes.join("\n"), writes.join("\n"))
    }

    fn order_of_access(&self, random: &mut Random, strongest: u16) -> u16 {
        match random.percent(self.style.seq_cst) {
            true => strongest | SEQ_CST,
            false => random.pick(&[0, strongest]),
        }
    }

    /// Adds something to a thread.
    fn grow(&mut self, random: &mut Random, thread: u32) {
        if random.percent(self.style.fences) {
            let weak = random.pick(&[ACQUIRE, RELEASE, ACQUIRE | RELEASE]);
            let flags = if random.percent(70) { ACQUIRE | RELEASE | SEQ_CST } else { weak };
            let fence = self.graph.push(thread, Draft { flags, ..Draft::other(Kind::Fence) });
            self.examine(fence);
            return;
        }
        let cell = random.below(CELLS) as u32;
        let floor = self.graph.floor(cell, self.graph.clock_of(thread, self.style.clock));
        let count = self.graph.cell(cell).writes.len();
        // Old writes are read more often than new ones: that is what makes cycles.
        let rank = if random.percent(60) { floor } else { floor + random.below(count - floor + 1) };
        let source = self.graph.of_rank(cell, rank).expect("a rank");
        let is_updated = self.graph.updated_by(cell, source).is_some();
        match random.below(7) {
            0..=2 => {
                let flags = self.order_of_access(random, ACQUIRE);
                let draft = Draft { flags, cell, source, ..Draft::other(Kind::Read) };
                let read = self.graph.push(thread, draft);
                self.examine(read);
            }
            3..=5 if !is_updated => {
                let flags = self.order_of_access(random, RELEASE);
                let write = Draft { flags, cell, at: rank, ..Draft::other(Kind::Write) };
                let write = self.graph.push(thread, write);
                self.examine(write);
            }
            6 if !is_updated => {
                let flags = self.order_of_access(random, ACQUIRE | RELEASE) | flag::UPDATE;
                let draft = Draft { cell, source, ..Draft::other(Kind::Read) };
                let read = self.graph.push(thread, Draft { flags: flags & !RELEASE, ..draft });
                if self.examine(read) {
                    let write = Draft { kind: Kind::Write, flags: flags & !ACQUIRE, at: rank, ..draft };
                    let write = self.graph.push(thread, write);
                    if !self.examine(write) {
                        self.graph.pop();
                    }
                }
            }
            _ => {}
        }
    }

    /// The thread waits, if the end of what it has done may have been in vain.
    fn wait(&mut self, random: &mut Random, thread: u32) {
        let nodes = &self.graph.threads()[thread as usize].nodes;
        let kind = |id: &&Id| self.graph.node(**id).kind;
        let in_vain = match self.style.waits {
            Waits::Never => 0,
            Waits::AfterReads => nodes.iter().rev().take_while(|id| kind(id) == Kind::Read).count(),
            Waits::AfterAnything => nodes
                .iter()
                .rev()
                .take_while(|id| !matches!(kind(id), Kind::Spawn(_) | Kind::Join(_)))
                .count(),
        };
        // An update is in vain as a whole, or not at all.
        let is_half = |at: usize| self.graph.node(nodes[at]).kind == Kind::Write;
        let from = nodes.len() - in_vain.min(1 + random.below(3));
        if in_vain > 0 && !is_half(from) {
            let since = self.graph.newest();
            self.graph.push(
                thread,
                Draft::other(Kind::Block {
                    from: from as u32,
                    since,
                    waits: crate::axiomatic::Waits::ForNews,
                }),
            );
        }
    }
}

/// Grows random graphs without cycles, and sometimes takes nodes back.
fn examine(seed: u64, style: Style) -> Said {
    let mut random = Random::new(seed);
    let mut said = Said::default();
    for _ in 0..1000 {
        let mut growing = Growing::new(style);
        // The others exist from the beginning on, or are created, and may be joined.
        let mut alive = vec![0];
        let is_nested = random.percent(30);
        if !is_nested {
            alive.extend(1..style.threads as u32);
        }
        let mut created = 1;
        let mut joined = Vec::new();
        while growing.graph.nodes().len() < style.nodes {
            let thread = random.pick(&alive);
            match random.below(12) {
                0 if is_nested && created < style.threads as u32 => {
                    growing.graph.push(thread, Draft::other(Kind::Spawn(created)));
                    alive.push(created);
                    created += 1;
                }
                1 if is_nested && alive.len() > 1 && thread != alive[alive.len() - 1] => {
                    let other = alive.pop().expect("a thread");
                    growing.graph.push(thread, Draft::other(Kind::Join(other)));
                    joined.push(other);
                }
                2 if style.waits != Waits::Never => growing.wait(&mut random, thread),
                3 if !is_nested => (0..random.below(4)).for_each(|_| growing.graph.pop()),
                _ => growing.grow(&mut random, thread),
            }
        }
        said.acyclic += growing.said.acyclic;
        said.cyclic += growing.said.cyclic;
    }
    said
}

const PSC: Style = Style {
    order: Order::All,
    clock: BEFORE,
    sequences: ReleaseSequences::C20,
    threads: 3,
    nodes: 30,
    fences: 30,
    seq_cst: 30,
    waits: Waits::Never,
};

#[test]
fn psc_with_fences_and_accesses() {
    for (seed, sequences) in [(1, ReleaseSequences::C20), (2, ReleaseSequences::C11)] {
        for (seq_cst, nodes) in [(0, 30), (15, 40), (50, 30), (100, 20)] {
            let said = examine(10 * seed + nodes as u64, Style { sequences, seq_cst, nodes, ..PSC });
            assert!(said.cyclic > 100 && said.acyclic > 1000, "{said:?}");
        }
    }
}

/// Few fences, so that most of what is between them is left to accesses.
#[test]
fn psc_with_few_fences() {
    for (seed, threads) in [(5, 3), (6, 4), (7, 5)] {
        let few = Style { threads, nodes: 36, seq_cst: 60, fences: 8, ..PSC };
        let said = examine(seed, few);
        assert!(said.cyclic > 100 && said.acyclic > 1000, "{said:?}");
        let said = examine(seed, Style { seq_cst: 25, fences: 15, ..few });
        assert!(said.cyclic > 100 && said.acyclic > 1000, "{said:?}");
    }
}

#[test]
fn psc_where_threads_wait() {
    for waits in [Waits::AfterReads, Waits::AfterAnything] {
        let said = examine(3, Style { waits, ..PSC });
        assert!(said.cyclic > 100 && said.acyclic > 1000, "{said:?}");
    }
}

/// A graph that is made by hand: each node is a thread, its kind, a location, where it reads from or where it is put, and its order.
fn graph_of(threads: usize, cells: usize, nodes: &[(u32, Kind, u32, i32, u16)]) -> Graph {
    let mut graph = Graph::new(ReleaseSequences::C20);
    for thread in 0..threads {
        graph.number(ThreadId::from_number(thread).expect("room"));
    }
    for cell in 0..cells {
        graph.add_cell(1000 + 16 * cell as u64, 4);
    }
    for (thread, kind, cell, position, flags) in nodes.iter().copied() {
        let draft = Draft { flags, cell, ..Draft::other(kind) };
        graph.push(
            thread,
            match kind {
                Kind::Read => Draft { source: position as Id, ..draft },
                Kind::Write => Draft { at: position as usize, ..draft },
                _ => Draft { cell: NONE, ..draft },
            },
        );
    }
    graph
}

/// Asks about the last node, of which the definition says the same.
fn has_cycle_with_last(graph: &Graph) -> bool {
    let last = graph.nodes().len() as Id - 1;
    let definition = || !psc(graph).is_acyclic();
    let answer = have_cycle(graph, last, BEFORE, Order::All, definition);
    assert_eq!(answer, definition());
    answer
}

const FENCE: u16 = ACQUIRE | RELEASE | SEQ_CST;

/// What comes after a fence in another thread is before whoever reads from it, although nobody acquires that.
#[test]
fn a_fence_is_before_who_reads_what_comes_after_it() {
    let graph = graph_of(
        3,
        3,
        &[
            (0, Kind::Write, 2, 0, 0),
            (0, Kind::Fence, 0, 0, FENCE),
            (0, Kind::Write, 0, 0, RELEASE),
            (1, Kind::Read, 0, 2, ACQUIRE),
            (1, Kind::Write, 1, 0, 0),
            (2, Kind::Read, 1, 4, 0),
            (2, Kind::Fence, 0, 0, FENCE),
            (2, Kind::Read, 2, -1, 0),
        ],
    );
    assert!(has_cycle_with_last(&graph));
}

#[test]
fn fences_only() {
    for (clock, waits) in [(CAUSES, Waits::Never), (BEFORE, Waits::Never), (CAUSES, Waits::AfterReads)] {
        let said = examine(4, Style { order: Order::Fences, clock, waits, ..PSC });
        assert!(said.cyclic > 100 && said.acyclic > 1000, "{said:?}");
    }
}
