//! Release-acquire: all reads acquire and all writes release, whatever their orders (Lahav, Giannarakis, Vafeiadis 2016).
//!
//! * hb = (sb ∪ asw ∪ rf ∪ chain)+, where chain is mo between changes of a synchronisation object: each of them is a
//!   read-modify-write that reads from the one before;
//! * coherence: hb; eco? is irreflexive, where eco = (rf ∪ mo ∪ rb)+;
//! * atomicity: rmw ∩ (rb; mo) is empty;
//! * sequentially consistent fences are in one order: psc_F = `[F]`; (hb ∪ hb; eco; hb); `[F]` is acyclic. (In the paper they are
//!   read-modify-writes of one extra location, which says the same.)
//!
//! Other fences, and the orders of accesses, sequentially consistent ones included, mean nothing.

use super::graph::{Object, Relations};

/// Whether a graph is consistent under release-acquire.
pub fn is_consistent(graph: &Relations) -> bool {
    let Relations { sb, asw, rf, mo, rb, rmw, .. } = graph;
    let objects = graph.set(|node| !matches!(node.object, None | Some(Object::Location(_))));
    let chain = objects.then(mo);
    let hb = sb.or(asw).or(rf).or(&chain).plus();
    let eco = rf.or(mo).or(rb).plus();
    let coherence = hb.then(&eco.maybe()).is_irreflexive();
    let atomicity = rmw.and(&rb.then(mo)).is_empty();

    let f_sc = graph.fences().and(&graph.seq_cst());
    let psc_f = f_sc.then(&hb.or(&hb.then(&eco).then(&hb))).then(&f_sc);
    coherence && atomicity && psc_f.is_acyclic()
}
