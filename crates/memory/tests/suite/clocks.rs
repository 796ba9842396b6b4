//! The clocks of a graph against happens-before by its definition, and what follows from them.

use crate::sketch::*;
use selvedge_memory::ReleaseSequences;
use selvedge_memory::axiomatic::{BEFORE, CAUSES, Draft, Graph, Id, Kind, NONE};
use selvedge_testing::Random;

const SEQUENCES: [ReleaseSequences; 2] = [ReleaseSequences::C11, ReleaseSequences::C20];

/// Compares all clocks with the relations.
fn examine(graph: &Graph, sequences: ReleaseSequences) {
    let relations = Relations::of(graph, sequences);
    let causes = closure(&(&relations.sb | &relations.rf));
    for one in 0..graph.nodes().len() as Id {
        for other in 0..graph.nodes().len() as Id {
            let pair = (one, other);
            assert_eq!(
                graph.happens_before(one, other),
                relations.hb.contains(&pair),
                "{pair:?} {}",
                describe(graph)
            );
            let caused = one != other && graph.is_in(one, graph.clock(other, CAUSES));
            assert_eq!(caused, causes.contains(&pair), "{pair:?} {}", describe(graph));
        }
    }
}

/// A random graph; what is added is coherent for a clock.
fn random_graph(random: &mut Random, sequences: ReleaseSequences, clock: usize, nodes: usize) -> Sketch {
    let mut sketch = Sketch::new(sequences, 3, 2);
    while sketch.graph.nodes().len() < nodes {
        let (thread, cell) = (random.below(3) as u32, random.below(2) as u32);
        let floor = sketch.graph.floor(cell, sketch.graph.clock_of(thread, clock));
        let addition = random_addition(&sketch, random, cell, floor);
        let flags = random.pick(&[RELAXED, ACQUIRE, RELEASE, ACQUIRE | RELEASE]);
        sketch.add(thread, cell, addition, flags);
    }
    sketch
}

#[test]
fn clocks_are_happens_before_and_causality() {
    let mut random = Random::new(11);
    for sequences in SEQUENCES {
        for _ in 0..150 {
            let sketch = random_graph(&mut random, sequences, BEFORE, 14);
            examine(&sketch.graph, sequences);
        }
    }
}

/// Hand-made: a message by release and acquire, by fences, through an update, and without.
#[test]
fn messages_are_passed_by_what_synchronises() {
    let passes = |writer: u16, fences: (u16, u16), reader: u16| {
        let mut sketch = Sketch::new(ReleaseSequences::C20, 2, 2);
        let data = sketch.write(0, 0, RELAXED);
        if fences.0 != 0 {
            sketch.fence(0, fences.0);
        }
        let flag = sketch.write(0, 1, writer);
        sketch.read(1, 1, flag, reader);
        if fences.1 != 0 {
            sketch.fence(1, fences.1);
        }
        let floor = sketch.graph.floor(0, sketch.graph.clock_of(1, BEFORE));
        let last = sketch.read(1, 0, data, RELAXED);
        assert_eq!(floor == 1, sketch.graph.happens_before(data, last), "what is known cannot be unread");
        floor == 1
    };
    assert!(passes(RELEASE, (0, 0), ACQUIRE));
    assert!(!passes(RELAXED, (0, 0), ACQUIRE));
    assert!(!passes(RELEASE, (0, 0), RELAXED));
    assert!(passes(RELAXED, (RELEASE, ACQUIRE), RELAXED));
    assert!(!passes(RELAXED, (ACQUIRE, RELEASE), RELAXED));
    assert!(passes(RELAXED, (RELEASE, 0), ACQUIRE));
    assert!(passes(RELEASE, (0, ACQUIRE), RELAXED));
}

/// What continues a release sequence in each manner.
#[test]
fn release_sequences() {
    for sequences in SEQUENCES {
        let is_c11 = sequences == ReleaseSequences::C11;
        // A later store of the same thread.
        let mut own = Sketch::new(sequences, 2, 2);
        let data = own.write(0, 0, RELAXED);
        own.write(0, 1, RELEASE);
        let second = own.write(0, 1, RELAXED);
        let read = own.read(1, 1, second, ACQUIRE);
        assert_eq!(own.graph.happens_before(data, read), is_c11);
        // An update of another thread, and a store of another thread.
        let mut others = Sketch::new(sequences, 3, 2);
        let data = others.write(0, 0, RELAXED);
        let first = others.write(0, 1, RELEASE);
        let (_, updated) = others.update(1, 1, first, RELAXED);
        let read = others.read(2, 1, updated, ACQUIRE);
        assert!(others.graph.happens_before(data, read));
        assert!(!others.graph.happens_before(first, updated), "the update itself acquires nothing");
        let stored = others.write(1, 1, RELAXED);
        let read = others.read(2, 1, stored, ACQUIRE);
        let clock = others.graph.clock(stored, BEFORE);
        assert!(!others.graph.is_in(data, clock) && others.graph.happens_before(updated, stored));
        assert!(!others.graph.happens_before(stored, read), "it does not release");
    }
}

/// The lowest rank that may be read is the lowest that coherence allows.
#[test]
fn the_floor_is_what_coherence_says() {
    let mut random = Random::new(12);
    let mut raised = 0;
    for _ in 0..150 {
        let mut sketch = random_graph(&mut random, ReleaseSequences::C20, BEFORE, 12);
        for thread in 0..3 {
            for cell in 0..2 {
                let floor = sketch.graph.floor(cell, sketch.graph.clock_of(thread, BEFORE));
                let last = sketch.graph.cell(cell).writes.len();
                raised += usize::from(floor > 0);
                for rank in 0..=last {
                    let source = sketch.graph.of_rank(cell, rank).expect("a source");
                    sketch.read(thread, cell, source, RELAXED);
                    let relations = Relations::of(&sketch.graph, ReleaseSequences::C20);
                    // hb; eco? is irreflexive.
                    let eco = relations.eco();
                    let is_coherent = relations.hb.iter().all(|(a, b)| !eco.contains(&(*b, *a)) && a != b);
                    assert_eq!(is_coherent, rank >= floor, "{}", describe(&sketch.graph));
                    sketch.graph.pop();
                }
            }
        }
    }
    assert!(raised > 100, "{raised}");
}

/// Threads come after their creation; joins come after the thread's end.
#[test]
fn creation_and_join_carry_clocks() {
    let mut sketch = Sketch::new(ReleaseSequences::C20, 2, 2);
    let before = sketch.write(0, 0, RELAXED);
    let spawn = sketch.graph.push(0, Draft::other(Kind::Spawn(1)));
    let beside = sketch.write(0, 0, RELAXED);
    assert_eq!(sketch.graph.floor(0, sketch.graph.clock_of(1, BEFORE)), 1, "it knows what came before");
    let inside = sketch.write(1, 1, RELAXED);
    let join = sketch.graph.push(0, Draft::other(Kind::Join(1)));
    let graph = &sketch.graph;
    assert!(graph.happens_before(before, inside) && graph.happens_before(spawn, inside));
    assert!(!graph.happens_before(beside, inside));
    assert!(graph.happens_before(inside, join));
    assert_eq!((graph.threads()[1].creator, graph.threads()[1].joiner), (spawn, join));
    sketch.graph.pop();
    assert_eq!(sketch.graph.threads()[1].joiner, NONE);
}

/// All that can be seen of a graph.
fn picture(graph: &Graph) -> String {
    let nodes: Vec<String> = (0..graph.nodes().len() as Id)
        .map(|id| {
            let (before, causes) = (graph.clock(id, BEFORE), graph.clock(id, CAUSES));
            format!("{:?} {before:?} {causes:?}", graph.node(id))
        })
        .collect();
    let cells: Vec<_> = graph.cells().iter().map(|cell| (&cell.writes, &cell.reads)).collect();
    let threads: Vec<_> = graph.threads().iter().map(|thread| &thread.nodes).collect();
    let counts = (graph.seq_cst_accesses(), graph.seq_cst_fences(), graph.is_interrupted());
    format!("{nodes:#?} {cells:?} {threads:?} {counts:?}")
}

/// Nodes are taken back in the opposite order, wherever in modification order they were put.
#[test]
fn taking_nodes_back_restores_the_graph() {
    let mut random = Random::new(13);
    for sequences in SEQUENCES {
        for _ in 0..50 {
            let mut sketch = Sketch::new(sequences, 3, 2);
            let mut past = Vec::new();
            for _ in 0..15 {
                past.push((sketch.graph.nodes().len(), picture(&sketch.graph)));
                let (thread, cell) = (random.below(3) as u32, random.below(2) as u32);
                let floor = sketch.graph.floor(cell, sketch.graph.clock_of(thread, BEFORE));
                let addition = random_addition(&sketch, &mut random, cell, floor);
                sketch.add(thread, cell, addition, random.pick(&[RELAXED, RELEASE, SC_FENCE]));
            }
            while let Some((nodes, then)) = past.pop() {
                while sketch.graph.nodes().len() > nodes {
                    sketch.graph.pop();
                }
                assert_eq!(picture(&sketch.graph), then);
            }
        }
    }
}

/// A store of another thread ends a release sequence of C11: the exact clocks say so, those that the graph grows with do not.
#[test]
fn interrupted_sequences_are_known() {
    let mut sketch = Sketch::new(ReleaseSequences::C11, 3, 2);
    let data = sketch.write(0, 0, RELAXED);
    sketch.write(0, 1, RELEASE);
    let second = sketch.write(0, 1, RELAXED);
    let read = sketch.read(1, 1, second, ACQUIRE);
    assert!(!sketch.graph.is_interrupted());
    let between = sketch.write_at(2, 1, 1, RELAXED);
    assert!(sketch.graph.is_interrupted() && sketch.graph.takes_away(between));
    assert!(sketch.graph.happens_before(data, read));
    let clocks = sketch.graph.use_exact_clocks();
    assert!(!sketch.graph.happens_before(data, read));
    sketch.graph.use_clocks(clocks);
    assert!(sketch.graph.happens_before(data, read));
    sketch.graph.pop();
    assert!(!sketch.graph.is_interrupted());
}
