//! The axioms of each model against their definitions, on graphs that grow at random and stay consistent.

use crate::sketch::*;
use selvedge_memory::ReleaseSequences;
use selvedge_memory::axiomatic::{Axioms, Graph, Id, Kind, NONE, Rc11, ReleaseAcquire, Sc, Tso, flag};
use selvedge_testing::Random;

/// Grows random graphs that a model allows, and compares what it says of each new node with a definition. The model is asked
/// only where an explorer would ask it. Gives how often it said yes and no.
fn examine<A: Axioms>(seed: u64, orders: &[u16], is_consistent: impl Fn(&Graph) -> bool) -> (usize, usize) {
    let mut random = Random::new(seed);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..200 {
        let mut sketch = Sketch::new(ReleaseSequences::C20, 3, 2);
        for _ in 0..14 {
            let (thread, cell) = (random.below(3) as u32, random.below(2) as u32);
            let graph = &sketch.graph;
            let floor = graph.floor(cell, graph.clock_of(thread, A::KNOWN));
            let addition = random_addition(&sketch, &mut random, cell, floor);
            let flags = random.pick(orders);
            let last = graph.cell(cell).writes.len();
            let at_end = match addition {
                Addition::Read { rank } | Addition::Write { at: rank } | Addition::Update { rank } => {
                    rank == last
                }
                Addition::Fence => true,
            };
            // Half of an update comes after the other: the model is asked about both.
            let is_update = matches!(addition, Addition::Update { .. });
            let minds = !is_update && A::minds(graph, flags);
            let nodes = sketch.add(thread, cell, addition, flags);
            let newest = sketch.graph.nodes().len() as Id - 1;
            let expected = is_consistent(&sketch.graph);
            if at_end {
                assert!(expected, "no edge leaves the new node: {}", describe(&sketch.graph));
            } else if !is_update {
                let allowed = !minds || A::allows(&sketch.graph, newest);
                assert_eq!(allowed, expected, "{addition:?} {}", describe(&sketch.graph));
                *(if allowed { &mut yes } else { &mut no }) += 1;
            }
            if !expected {
                (0..nodes).for_each(|_| sketch.graph.pop());
            }
        }
    }
    (yes, no)
}

const ANY: [u16; 6] = [RELAXED, ACQUIRE, RELEASE, SC_READ, SC_WRITE, SC_FENCE];

fn relations(graph: &Graph) -> Relations {
    Relations::of(graph, ReleaseSequences::C20)
}

#[test]
fn sequential_consistency() {
    let (yes, no) = examine::<Sc>(21, &[RELAXED], |graph| {
        let Relations { sb, rf, mo, rb, .. } = relations(graph);
        is_acyclic(&(&(&(&sb | &rf) | &mo) | &rb))
    });
    assert!(yes > 50 && no > 20, "{yes} {no}");
}

#[test]
fn total_store_order() {
    let (yes, no) = examine::<Tso>(22, &[RELAXED, flag::AT_ONCE], |graph| {
        let Relations { sb, rf, mo, rb, .. } = relations(graph);
        let at_once = |id: Id| graph.node(id).is(flag::AT_ONCE);
        let thread = |id: Id| graph.node(id).thread;
        // A store and a later load may change places, unless something in between, or one of them, waits for the buffer.
        let kept = |(one, other): &(Id, Id)| {
            let between = |id: &Id| sb.contains(&(*one, *id)) && sb.contains(&(*id, *other));
            let is_plain = |id: Id, kind: Kind| graph.node(id).kind == kind && !at_once(id);
            let waits = (0..graph.nodes().len() as Id).filter(between).any(at_once);
            let overtaken = is_plain(*one, Kind::Write) && is_plain(*other, Kind::Read) && !waits;
            // Fences that do not wait are not there.
            let is_absent = is_plain(*one, Kind::Fence) || is_plain(*other, Kind::Fence);
            !overtaken && !is_absent
        };
        let ppo: Pairs = sb.iter().copied().filter(kept).collect();
        let external: Pairs = rf.iter().copied().filter(|(a, b)| thread(*a) != thread(*b)).collect();
        is_acyclic(&(&(&(&ppo | &external) | &mo) | &rb))
    });
    assert!(yes > 50 && no > 10, "{yes} {no}");
}

/// psc of RC11, from the definition in the opening of `rc11.rs`.
fn psc(graph: &Graph) -> Pairs {
    let all = Relations::of(graph, ReleaseSequences::C20);
    let eco = all.eco();
    let Relations { sb, mo, rb, hb, .. } = all;
    let node = |id: Id| graph.node(id);
    let has_cell = |id: Id| node(id).cell != NONE;
    let same = |(a, b): &&(Id, Id)| has_cell(*a) && node(*a).cell == node(*b).cell;
    let elsewhere: Pairs = sb.iter().filter(|pair| !same(pair)).copied().collect();
    let hb_loc: Pairs = hb.iter().filter(same).copied().collect();
    let through = compose(&compose(&elsewhere, &hb), &elsewhere);
    let scb = &(&(&(&sb | &through) | &hb_loc) | &mo) | &rb;
    let sc: Pairs =
        (0..graph.nodes().len() as Id).filter(|id| node(*id).is(flag::SEQ_CST)).map(|id| (id, id)).collect();
    let fences: Pairs = sc.iter().copied().filter(|(id, _)| node(*id).kind == Kind::Fence).collect();
    let before = &sc | &(&fences | &compose(&fences, &hb));
    let after = &sc | &(&fences | &compose(&hb, &fences));
    let base = compose(&compose(&before, &scb), &after);
    let of_fences = &hb | &compose(&compose(&hb, &eco), &hb);
    &base | &compose(&compose(&fences, &of_fences), &fences)
}

#[test]
fn rc11_with_and_without_fences() {
    let with_fences = examine::<Rc11>(23, &ANY, |graph| is_acyclic(&psc(graph)));
    assert!(with_fences.0 > 50 && with_fences.1 > 5, "{with_fences:?}");
    // Other code is used where no fence is sequentially consistent.
    let accesses = [RELAXED, ACQUIRE, RELEASE, SC_READ, SC_WRITE];
    let without = examine::<Rc11>(24, &accesses, |graph| is_acyclic(&psc(graph)));
    assert!(without.0 > 50 && without.1 > 5, "{without:?}");
}

/// The order that is shown with a graph is psc.
#[test]
fn the_order_of_rc11_is_psc() {
    let mut random = Random::new(25);
    for _ in 0..100 {
        let mut sketch = Sketch::new(ReleaseSequences::C20, 3, 2);
        for _ in 0..9 {
            let (thread, cell) = (random.below(3) as u32, random.below(2) as u32);
            let floor = sketch.graph.floor(cell, sketch.graph.clock_of(thread, Rc11::KNOWN));
            let addition = random_addition(&sketch, &mut random, cell, floor);
            sketch.add(thread, cell, addition, random.pick(&ANY));
        }
        assert_eq!(Rc11::sc_order(&sketch.graph).into_iter().collect::<Pairs>(), psc(&sketch.graph));
    }
}

#[test]
fn release_acquire_orders_fences() {
    let (yes, no) = examine::<ReleaseAcquire>(26, &[RELAXED, SC_FENCE], |graph| {
        let all = relations(graph);
        let eco = all.eco();
        // Happens-before is program order and reads-from.
        let hb = closure(&(&all.sb | &all.rf));
        let is_fence = |id: &Id| graph.node(*id).kind == Kind::Fence && graph.node(*id).is(flag::SEQ_CST);
        let fences: Pairs = (0..graph.nodes().len() as Id).filter(is_fence).map(|id| (id, id)).collect();
        let order = &hb | &compose(&compose(&hb, &eco), &hb);
        is_acyclic(&compose(&compose(&fences, &order), &fences))
    });
    assert!(yes > 20, "{yes} {no}");
}

/// Store buffering with fences, hand-made: neither model lets both reads miss the other's write.
#[test]
fn fences_forbid_store_buffering() {
    let mut sketch = Sketch::new(ReleaseSequences::C20, 2, 2);
    for thread in 0..2 {
        sketch.write(thread, thread, RELAXED);
        sketch.fence(thread, SC_FENCE);
    }
    let first = sketch.read(0, 1, NONE, RELAXED);
    assert!(Rc11::allows(&sketch.graph, first) && ReleaseAcquire::allows(&sketch.graph, first));
    let second = sketch.read(1, 0, NONE, RELAXED);
    assert!(!Rc11::allows(&sketch.graph, second) && !ReleaseAcquire::allows(&sketch.graph, second));
    assert!(!Sc::allows(&sketch.graph, second));
}
