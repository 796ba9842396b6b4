//! Hand-made execution graphs, and the relations of the papers on them, as plain sets of pairs. Shared by the tests of several crates.

#![allow(dead_code, reason = "each test uses its part")]

use selvedge_memory::ReleaseSequences;
use selvedge_memory::axiomatic::{Draft, Graph, Id, Kind, NONE, flag};
use selvedge_testing::Random;
use selvedge_trace::ThreadId;
use std::collections::BTreeSet;

/// Orders as flags.
pub const RELAXED: u16 = 0;
pub const ACQUIRE: u16 = flag::ACQUIRE;
pub const RELEASE: u16 = flag::RELEASE;
pub const SC_READ: u16 = flag::ACQUIRE | flag::SEQ_CST;
pub const SC_WRITE: u16 = flag::RELEASE | flag::SEQ_CST;
pub const SC_FENCE: u16 = flag::ACQUIRE | flag::RELEASE | flag::SEQ_CST;

/// A graph under construction. Threads and locations are numbers.
pub struct Sketch {
    pub graph: Graph,
}

impl Sketch {
    pub fn new(sequences: ReleaseSequences, threads: usize, locations: usize) -> Self {
        let mut graph = Graph::new(sequences);
        for thread in 0..threads {
            let id = ThreadId::from_number(thread).expect("room");
            assert_eq!(graph.number(id), thread as u32);
        }
        for location in 0..locations {
            assert_eq!(graph.add_cell(1000 + 16 * location as u64, 4), location as u32);
        }
        Self { graph }
    }

    pub fn write_at(&mut self, thread: u32, cell: u32, at: usize, flags: u16) -> Id {
        self.graph.push(thread, Draft { flags, cell, at, ..Draft::other(Kind::Write) })
    }

    /// A write after all others of its location.
    pub fn write(&mut self, thread: u32, cell: u32, flags: u16) -> Id {
        self.write_at(thread, cell, self.graph.cell(cell).writes.len(), flags)
    }

    pub fn read(&mut self, thread: u32, cell: u32, source: Id, flags: u16) -> Id {
        self.graph.push(thread, Draft { flags, cell, source, ..Draft::other(Kind::Read) })
    }

    /// A read and the write that follows it at once.
    pub fn update(&mut self, thread: u32, cell: u32, source: Id, flags: u16) -> (Id, Id) {
        let flags = flags | flag::AT_ONCE;
        let at = self.graph.rank(cell, source);
        let read = flag::UPDATE | flags & !flag::RELEASE;
        let read = self.graph.push(thread, Draft { flags: read, cell, source, ..Draft::other(Kind::Read) });
        let flags = flag::UPDATE | flags & !flag::ACQUIRE;
        let write = Draft { flags, cell, source, at, ..Draft::other(Kind::Write) };
        (read, self.graph.push(thread, write))
    }

    pub fn fence(&mut self, thread: u32, flags: u16) -> Id {
        self.graph.push(thread, Draft { flags, ..Draft::other(Kind::Fence) })
    }
}

/// A graph in a few lines, for messages.
pub fn describe(graph: &Graph) -> String {
    let mut text = String::new();
    for (id, node) in graph.nodes().iter().enumerate() {
        let source =
            if node.kind == Kind::Read { format!("from {:?}", node.source as i32) } else { String::new() };
        text += &format!(
            "{id}: T{} {:?} of {} {source} flags {}\n",
            node.thread, node.kind, node.cell as i32, node.flags
        );
    }
    for (number, cell) in graph.cells().iter().enumerate() {
        text += &format!("location {number}: {:?}\n", cell.writes);
    }
    text
}

pub type Pairs = BTreeSet<(Id, Id)>;

pub fn compose(one: &Pairs, other: &Pairs) -> Pairs {
    let after = |through: Id| other.range((through, 0)..(through + 1, 0)).map(|(_, to)| *to);
    one.iter().flat_map(|(from, through)| after(*through).map(move |to| (*from, to))).collect()
}

pub fn closure(pairs: &Pairs) -> Pairs {
    let mut closed = pairs.clone();
    loop {
        let more: Pairs = &closed | &compose(&closed, pairs);
        if more == closed {
            return closed;
        }
        closed = more;
    }
}

pub fn is_acyclic(pairs: &Pairs) -> bool {
    closure(pairs).iter().all(|(from, to)| from != to)
}

/// The relations of a graph, by their definitions.
pub struct Relations {
    pub sb: Pairs,
    pub rf: Pairs,
    pub mo: Pairs,
    pub rb: Pairs,
    /// Happens-before of RC11, without creation and join.
    pub hb: Pairs,
}

impl Relations {
    pub fn of(graph: &Graph, sequences: ReleaseSequences) -> Self {
        let all = || 0..graph.nodes().len() as Id;
        let related = |holds: &dyn Fn(Id, Id) -> bool| -> Pairs {
            all()
                .flat_map(|one| all().map(move |other| (one, other)))
                .filter(|(a, b)| holds(*a, *b))
                .collect()
        };
        let node = |id: Id| graph.node(id);
        let is = |id: Id, flag: u16| node(id).flags & flag != 0;
        let kind = |id: Id| node(id).kind;
        let sb = related(&|a, b| node(a).thread == node(b).thread && node(a).index < node(b).index);
        let rf = related(&|a, b| kind(b) == Kind::Read && node(b).source == a);
        let rank = |id: Id| graph.rank(node(id).cell, id);
        let same_cell = |a: Id, b: Id| node(a).cell == node(b).cell && node(a).cell != NONE;
        let is_write = |id: Id| kind(id) == Kind::Write;
        let mo = related(&|a, b| is_write(a) && is_write(b) && same_cell(a, b) && rank(a) < rank(b));
        let rb = related(&|a, b| {
            let after = |a: Id| graph.rank(node(a).cell, node(a).source);
            kind(a) == Kind::Read && is_write(b) && same_cell(a, b) && after(a) < rank(b)
        });
        // rs = [W]; (sb|loc)?; [W]; (rf; rmw)*, the middle only in the manner of C11.
        let identity: Pairs = all().map(|id| (id, id)).collect();
        let own = match sequences {
            ReleaseSequences::C11 => {
                related(&|a, b| is_write(a) && is_write(b) && same_cell(a, b) && sb.contains(&(a, b)))
            }
            ReleaseSequences::C20 => Pairs::new(),
        };
        let rmw = related(&|a, b| {
            kind(a) == Kind::Read
                && is_write(b)
                && is(b, flag::UPDATE)
                && is(a, flag::UPDATE)
                && node(a).thread == node(b).thread
                && node(a).index + 1 == node(b).index
        });
        let updates = &identity | &closure(&compose(&rf, &rmw));
        let writes: Pairs = identity.iter().copied().filter(|(id, _)| is_write(*id)).collect();
        let rs = compose(&compose(&writes, &(&identity | &own)), &updates);
        // sw = [release]; ([F]; sb)?; rs; rf; [R]; (sb; [F])?; [acquire]
        let of_fences = |flag: u16| -> Pairs {
            identity.iter().copied().filter(|(id, _)| kind(*id) == Kind::Fence && is(*id, flag)).collect()
        };
        let of_writes = writes.iter().copied().filter(|(id, _)| is(*id, RELEASE)).collect();
        let of_reads: Pairs =
            identity.iter().copied().filter(|(id, _)| kind(*id) == Kind::Read && is(*id, ACQUIRE)).collect();
        let first: Pairs = &compose(&of_fences(RELEASE), &sb) | &of_writes;
        let last: Pairs = &compose(&sb, &of_fences(ACQUIRE)) | &of_reads;
        let sw = compose(&compose(&compose(&first, &rs), &rf), &last);
        let hb = closure(&(&sb | &sw));
        Self { sb, rf, mo, rb, hb }
    }

    /// eco = (rf ∪ mo ∪ rb)⁺
    pub fn eco(&self) -> Pairs {
        closure(&(&(&self.rf | &self.mo) | &self.rb))
    }
}

/// What may be added to a graph: a read, write, update or fence of some thread, with some order.
#[derive(Debug, Clone, Copy)]
pub enum Addition {
    Read { rank: usize },
    Write { at: usize },
    Update { rank: usize },
    Fence,
}

/// A random addition that is coherent by the graph's own account: `floor` says what is.
pub fn random_addition(sketch: &Sketch, random: &mut Random, cell: u32, floor: usize) -> Addition {
    let graph = &sketch.graph;
    let last = graph.cell(cell).writes.len();
    // Old writes are what models differ in.
    let rank = if random.below(2) == 0 { floor } else { floor + random.below(last + 1 - floor) };
    let is_updated = |rank: usize| {
        graph.of_rank(cell, rank).is_some_and(|source| graph.updated_by(cell, source).is_some())
    };
    match random.below(10) {
        0..3 => Addition::Read { rank },
        3..6 if !is_updated(rank) => Addition::Write { at: rank },
        6 if !is_updated(rank) => Addition::Update { rank },
        7..10 => Addition::Fence,
        _ => Addition::Write { at: last },
    }
}

impl Sketch {
    /// Adds something; gives the nodes that it has added.
    pub fn add(&mut self, thread: u32, cell: u32, addition: Addition, flags: u16) -> usize {
        let source = |sketch: &Sketch, rank| sketch.graph.of_rank(cell, rank).expect("a source");
        match addition {
            Addition::Read { rank } => {
                let source = source(self, rank);
                self.read(thread, cell, source, flags & !flag::RELEASE);
            }
            Addition::Write { at } => drop(self.write_at(thread, cell, at, flags & !flag::ACQUIRE)),
            Addition::Update { rank } => {
                let source = source(self, rank);
                self.update(thread, cell, source, flags);
                return 2;
            }
            Addition::Fence => {
                let flags = if flags & (ACQUIRE | RELEASE) == 0 { flags | ACQUIRE } else { flags };
                self.fence(thread, flags);
            }
        }
        1
    }
}
