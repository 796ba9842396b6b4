//! Races of execution graphs against their definition, on random graphs.

use crate::sketch::*;
use selvedge_check::graph_races::racing;
use selvedge_memory::ReleaseSequences;
use selvedge_memory::axiomatic::{BEFORE, Id, Kind, NONE, flag};
use selvedge_testing::Random;

/// Races are conflicting accesses of different threads, one of them plain, that nothing orders.
#[test]
fn races_by_definition() {
    let mut random = Random::new(14);
    let mut found = 0;
    for _ in 0..100 {
        let mut sketch = Sketch::new(ReleaseSequences::C20, 3, 2);
        for position in 0..12 {
            let (thread, cell) = (random.below(3) as u32, random.below(2) as u32);
            let floor = sketch.graph.floor(cell, sketch.graph.clock_of(thread, BEFORE));
            let addition = random_addition(&sketch, &mut random, cell, floor);
            let flags = random.pick(&[flag::PLAIN, RELAXED, ACQUIRE | RELEASE]);
            let is_update = matches!(addition, Addition::Update { .. });
            let flags = if is_update { flags & !flag::PLAIN } else { flags };
            sketch.add(thread, cell, addition, flags);
            sketch.graph.close(thread, position);
            let last = sketch.graph.nodes().len() as Id - 1;
            let graph = &sketch.graph;
            let node = graph.node(last);
            let races = |other: &Id| {
                let earlier = graph.node(*other);
                earlier.thread != node.thread
                    && earlier.cell == node.cell
                    && node.cell != NONE
                    && (earlier.kind == Kind::Write || node.kind == Kind::Write)
                    && (earlier.is(flag::PLAIN) || node.is(flag::PLAIN))
                    && !graph.happens_before(*other, last)
            };
            let expected: Vec<Id> =
                (0..last).filter(races).filter(|id| graph.node(*id).trace != NONE).collect();
            let race = racing(graph, last);
            assert_eq!(race.is_some(), !expected.is_empty(), "{}", describe(graph));
            assert!(race.is_none_or(|other| expected.contains(&other)));
            found += expected.len();
        }
    }
    assert!(found > 50, "{found}");
}
