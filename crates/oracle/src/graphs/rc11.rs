//! RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11; PLDI 2017).
//!
//! | | |
//! | --- | --- |
//! | release sequence | rs = `[W]`; sb\|loc?; `[W ⊒ rlx]`; (rf; rmw)* |
//! | synchronises with | sw = `[E ⊒ rel]`; (`[F]`; sb)?; rs; rf; `[R ⊒ rlx]`; (sb; `[F]`)?; `[E ⊒ acq]` |
//! | happens before | hb = (sb ∪ sw)+, here (sb ∪ asw ∪ sw)+ |
//! | extended coherence order | eco = (rf ∪ mo ∪ rb)+ |
//! | SC before | scb = sb ∪ sb\|≠loc; hb; sb\|≠loc ∪ hb\|loc ∪ mo ∪ rb |
//! | partial SC, accesses | psc_base = (`[E sc]` ∪ `[F sc]`; hb?); scb; (`[E sc]` ∪ hb?; `[F sc]`) |
//! | partial SC, fences | psc_F = `[F sc]`; (hb ∪ hb; eco; hb); `[F sc]` |
//! | **coherence** | hb; eco? is irreflexive |
//! | **atomicity** | rmw ∩ (rb; mo) is empty |
//! | **SC** | psc_base ∪ psc_F is acyclic |
//! | **no thin air** | sb ∪ rf is acyclic |
//!
//! Plain accesses count as relaxed ones, so that all reads and writes are ⊒ rlx.

use super::graph::Relations;
use super::relation::Relation;

/// Whether a graph is consistent under RC11.
pub fn is_consistent(graph: &Relations) -> bool {
    let Relations { sb, asw, rf, mo, rb, rmw, loc, .. } = graph;
    let hb = happens_before(graph);
    let eco = rf.or(mo).or(rb).plus();

    let coherence = hb.then(&eco.maybe()).is_irreflexive();
    let atomicity = rmw.and(&rb.then(mo)).is_empty();

    let e_sc = graph.seq_cst();
    let f_sc = graph.fences().and(&e_sc);
    let sb_elsewhere = sb.without(loc);
    let scb = sb.or(&sb_elsewhere.then(&hb).then(&sb_elsewhere)).or(&hb.and(loc)).or(mo).or(rb);
    let before = e_sc.or(&f_sc.then(&hb.maybe()));
    let after = e_sc.or(&hb.maybe().then(&f_sc));
    let psc_base = before.then(&scb).then(&after);
    let psc_f = f_sc.then(&hb.or(&hb.then(&eco).then(&hb))).then(&f_sc);
    let sc = psc_base.or(&psc_f).is_acyclic();

    let no_thin_air = sb.or(asw).or(rf).is_acyclic();
    coherence && atomicity && sc && no_thin_air
}

/// What happens before what.
pub fn happens_before(graph: &Relations) -> Relation {
    let Relations { sb, asw, rf, rmw, loc, .. } = graph;
    let (w, r, f) = (graph.writes(), graph.reads(), graph.fences());
    let (rel, acq) = (graph.releases(), graph.acquires());

    let rs = w.then(&sb.and(loc).maybe()).then(&w).then(&rf.then(rmw).star());
    let release = rel.then(&f.then(sb).maybe()).then(&rs);
    let acquire = r.then(&sb.then(&f).maybe()).then(&acq);
    let sw = release.then(rf).then(&acquire);
    sb.or(asw).or(&sw).plus()
}
