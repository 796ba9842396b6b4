//! The axioms of the models, on sets of bits. They say what the files of the models say; here relations are given by what comes before
//! each node, and eco by [`Orders`].
//!
//! `r1; r2` before a node is what is before those before it: `before_any(r2[node], r1)`. That something is irreflexive after eco means
//! that nothing before a node is after it in eco.

use super::Model;
use super::rows::{MOST, Orders, Rows, Set, before_any, first, members};

/// Whether a graph is consistent under a model.
pub fn is_consistent(model: Model, rows: &Rows, orders: &Orders) -> bool {
    match model {
        Model::Sc => sc(rows, orders),
        Model::Tso => tso(rows, orders),
        Model::ReleaseAcquire => release_acquire(rows, orders),
        Model::Rc11 => rc11(rows, orders, &rows.hb),
        Model::Rc11AsPublished => rc11(rows, orders, &rows.hb_as_published),
    }
}

/// acyclic(sb ∪ asw ∪ eco), on events.
fn sc(rows: &Rows, orders: &Orders) -> bool {
    is_acyclic_on_events(rows, |node| rows.sb[node] | rows.asw[node] | orders.before[node])
}

fn tso(rows: &Rows, orders: &Orders) -> bool {
    let kinds = &rows.kinds;
    // Nodes about the same are in order of eco, except readers of one write. So there is a cycle exactly if a pair of sb|loc is in the
    // other order in eco.
    if !is_irreflexive_with_eco(rows, orders, |node| rows.sb[node] & same_object(rows, node)) {
        return false;
    }
    is_acyclic_on_events(rows, |node| {
        let (bit, sb): (Set, Set) = (1 << node, rows.sb[node]);
        let mut before = rows.asw[node] | rows.rf[node] & !sb | sb & kinds.at_once;
        if bit & kinds.at_once != 0 {
            before |= sb;
        }
        if bit & kinds.reads != 0 {
            before |= sb & kinds.reads;
        }
        if bit & kinds.writes != 0 {
            // All that is before a write in eco is before it in mo ∪ rb.
            before |= sb & (kinds.reads | kinds.writes) | orders.before[node];
        }
        before
    })
}

fn release_acquire(rows: &Rows, orders: &Orders) -> bool {
    let hb = &rows.hb_ra;
    let fences = rows.kinds.fences & rows.kinds.seq_cst;
    is_irreflexive_with_eco(rows, orders, |node| hb[node])
        && is_atomic(rows, orders)
        && is_acyclic(fences, |fence| psc_of_fence(orders, hb, fences, fence))
}

fn rc11(rows: &Rows, orders: &Orders, hb: &[Set]) -> bool {
    // sb ∪ asw ∪ rf has no cycle in any graph that is built here.
    is_irreflexive_with_eco(rows, orders, |node| hb[node])
        && is_atomic(rows, orders)
        && psc_is_acyclic(rows, orders, hb)
}

/// psc_base ∪ psc_F is acyclic.
fn psc_is_acyclic(rows: &Rows, orders: &Orders, hb: &[Set]) -> bool {
    let e_sc = rows.kinds.seq_cst;
    let f_sc = rows.kinds.fences & e_sc;
    if e_sc == 0 {
        return true;
    }
    // scb = sb ∪ sb|≠loc; hb; sb|≠loc ∪ hb|loc ∪ mo ∪ rb
    let mut elsewhere = [0; MOST];
    (0..rows.nodes.len()).for_each(|node| elsewhere[node] = rows.sb[node] & !same_object(rows, node));
    let scb = |node: usize| {
        let through = before_any(before_any(elsewhere[node], hb), &elsewhere);
        let mo_rb = if rows.kinds.writes >> node & 1 == 1 { orders.before[node] } else { 0 };
        rows.sb[node] | through | hb[node] & same_object(rows, node) | mo_rb
    };
    // psc_base = ([E sc] ∪ [F sc]; hb?); scb; ([E sc] ∪ hb?; [F sc])
    let psc = |node: usize| {
        let is_fence = f_sc >> node & 1 == 1;
        let after: Set = 1 << node | if is_fence { hb[node] } else { 0 };
        let between = members(after).fold(0, |set, node| set | scb(node));
        let base = between & e_sc | (between | before_any(between, hb)) & f_sc;
        if is_fence { base | psc_of_fence(orders, hb, f_sc, node) } else { base }
    };
    is_acyclic(e_sc, psc)
}

/// psc_F = `[F sc]`; (hb ∪ hb; eco; hb); `[F sc]`, before a fence.
fn psc_of_fence(orders: &Orders, hb: &[Set], fences: Set, fence: usize) -> Set {
    fences & (hb[fence] | before_any(before_any(hb[fence], &orders.before), hb))
}

/// The nodes about the same as a node, itself included.
fn same_object(rows: &Rows, node: usize) -> Set {
    rows.nodes[node].object.map_or(0, |object| rows.about[rows.index(object)])
}

/// r; eco is irreflexive.
fn is_irreflexive_with_eco(rows: &Rows, orders: &Orders, before: impl Fn(usize) -> Set) -> bool {
    (0..rows.nodes.len()).all(|node| before(node) & orders.after[node] == 0)
}

/// rmw ∩ (rb; mo) is empty: no write comes between the one that an update reads from and its own.
fn is_atomic(rows: &Rows, orders: &Orders) -> bool {
    let kinds = &rows.kinds;
    members(kinds.writes & kinds.memory).all(|write| {
        let reads = rows.same_event[write] & kinds.reads;
        let overwritten = |read: usize| orders.after[read] & orders.before[write] & kinds.writes;
        members(reads).all(|read| overwritten(read) == 0)
    })
}

/// Whether a relation on some nodes has no cycle.
fn is_acyclic(nodes: Set, before: impl Fn(usize) -> Set) -> bool {
    let mut rows = [0; MOST];
    members(nodes).for_each(|node| rows[node] = before(node));
    let mut left = nodes;
    loop {
        let first =
            members(left).filter(|node| rows[*node] & left == 0).fold(0, |set: Set, node| set | 1 << node);
        if first == 0 {
            return left == 0;
        }
        left &= !first;
    }
}

/// Whether a relation has no cycle if the nodes of each event are taken as one.
fn is_acyclic_on_events(rows: &Rows, before: impl Fn(usize) -> Set) -> bool {
    // One node of each event stands for it; what is before any of them is before it.
    is_acyclic(first(rows.nodes.len()), |node| {
        let event = rows.same_event[node];
        members(event).fold(0, |set, node| set | before(node)) & !event
    })
}
