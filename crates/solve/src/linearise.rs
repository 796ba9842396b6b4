//! From a partial order to a sequence.
//!
//! Kahn's algorithm with a heap: of the events that may come next, the one with the smallest rank. Takes `O((n + m) log n)` for `n`
//! events and `m` edges, so it is done when a sequence is asked for, not for every model.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::fixed::FixedOrder;
use crate::literal::Event;

/// All events. The edges together with the fixed order have no cycle.
pub(crate) fn sequence(fixed: &FixedOrder, edges: &[(u32, u32)], ranks: &[u64]) -> Vec<Event> {
    let count = fixed.len();
    let more = Edges::new(count, edges);
    let mut waits_for = vec![0u32; count];
    for event in 0..count as u32 {
        for &next in fixed.successors(event).iter().chain(more.from(event)) {
            waits_for[next as usize] += 1;
        }
    }
    let ranked = |event: u32| Reverse((ranks[event as usize], event));
    let mut ready: BinaryHeap<_> =
        (0..count as u32).filter(|&e| waits_for[e as usize] == 0).map(ranked).collect();
    let mut sequence = Vec::with_capacity(count);
    while let Some(Reverse((_, event))) = ready.pop() {
        sequence.push(Event(event));
        for &next in fixed.successors(event).iter().chain(more.from(event)) {
            waits_for[next as usize] -= 1;
            if waits_for[next as usize] == 0 {
                ready.push(ranked(next));
            }
        }
    }
    debug_assert_eq!(sequence.len(), count);
    sequence
}

/// Leaves only those events of a sequence that must come before the last ones, and these.
pub(crate) fn keep_prefix(
    sequence: &mut Vec<Event>,
    last: &[Event],
    fixed: &FixedOrder,
    edges: &[(u32, u32)],
) {
    let more = Edges::new(fixed.len(), edges);
    let mut kept = vec![false; fixed.len()];
    for event in last {
        if let Some(kept) = kept.get_mut(event.index()) {
            *kept = true;
        }
    }
    for &Event(event) in sequence.iter().rev() {
        let mut after = fixed.successors(event).iter().chain(more.from(event));
        kept[event as usize] = kept[event as usize] || after.any(|&next| kept[next as usize]);
    }
    sequence.retain(|event| kept[event.index()]);
}

/// Edges by where they begin.
struct Edges {
    targets: Vec<u32>,
    starts: Vec<u32>,
}

impl Edges {
    fn new(count: usize, edges: &[(u32, u32)]) -> Edges {
        let mut starts = vec![0u32; count + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Edges { targets, starts }
    }

    fn from(&self, event: u32) -> &[u32] {
        &self.targets[self.starts[event as usize] as usize..self.starts[event as usize + 1] as usize]
    }
}
