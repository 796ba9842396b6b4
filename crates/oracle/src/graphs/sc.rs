//! Sequential consistency: everything that is done, in one order that agrees with all relations (Lamport 1979; Shasha
//! and Snir 1988).
//!
//! * acyclic(sb ∪ asw ∪ rf ∪ mo ∪ rb), on events.

use super::graph::Relations;

/// Whether a graph is sequentially consistent.
pub fn is_consistent(graph: &Relations) -> bool {
    let Relations { sb, asw, rf, mo, rb, .. } = graph;
    graph.is_acyclic_on_events(&sb.or(asw).or(rf).or(mo).or(rb))
}
