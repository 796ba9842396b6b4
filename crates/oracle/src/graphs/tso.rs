//! TSO, by axioms (Owens, Sarkar, Sewell 2009; in the form of Alglave, Maranget, Tautschnig 2014):
//!
//! * uniproc: acyclic(sb|loc ∪ rf ∪ mo ∪ rb);
//! * global happens-before: acyclic(ppo ∪ fence ∪ asw ∪ rfe ∪ mo ∪ rb), on events;
//! * ppo: program order, but not from a write to a read: sb ∩ (W×W ∪ R×R ∪ R×W);
//! * fence: sb from and to everything that waits for the empty buffer and takes effect at once, which is: sequentially
//!   consistent stores and fences, read-modify-writes and compare-exchanges of any order, synchronisation, threads;
//! * rfe: rf between threads.
//!
//! That read-modify-writes are atomic follows, because an event is one thing in the global order.

use super::graph::Relations;

/// Whether a graph is consistent under TSO.
pub fn is_consistent(graph: &Relations) -> bool {
    let Relations { sb, asw, rf, mo, rb, loc, .. } = graph;
    let uniproc = sb.and(loc).or(rf).or(mo).or(rb).is_acyclic();

    let (w, r) = (graph.writes(), graph.reads());
    let ppo = w.then(sb).then(&w).or(&r.then(sb).then(&r.or(&w)));
    let at_once = graph.set(|node| node.at_once);
    let fence = at_once.then(sb).or(&sb.then(&at_once));
    let rfe = rf.without(sb);
    // An initial write comes before everything, so the reads of it are in sb, and not needed.
    let ghb = ppo.or(&fence).or(asw).or(&rfe).or(mo).or(rb);
    uniproc && graph.is_acyclic_on_events(&ghb)
}
