//! RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11; PLDI 2017), with the release sequences of
//! that paper or with those of C++20.
//!
//! | | |
//! | --- | --- |
//! | release sequence (2017) | rs = `[W]`; sb\|loc?; `[W ⊒ rlx]`; (rf; rmw)* |
//! | release sequence (C++20) | rs = `[W ⊒ rlx]`; (rf; rmw)* |
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
//! Plain accesses count as relaxed ones, so that all reads and writes are ⊒ rlx. Mutexes and the like synchronise by asw only:
//! `[R]` and `[W]` of sw are about locations in memory.
//!
//! The release sequences of the paper are not those of C11: there, a store of another thread in between, in mo, ends them. With
//! these, a graph that is not consistent could become so when such a store is added. For data races they are as C11 has them:
//!
//! | | |
//! | --- | --- |
//! | release sequence (C11) | rs = mo? ∖ (other; mo?), where other = mo from a write to stores of other threads |

use super::graph::{Object, Relations};
use super::relation::Relation;
use crate::races::ReleaseSequences;

/// Whether a graph is consistent under RC11 with the release sequences of C++20.
pub fn is_consistent(graph: &Relations) -> bool {
    is_consistent_with(graph, &sequences_of_c20(graph))
}

/// Whether a graph is consistent under RC11 as it was published.
pub fn is_consistent_as_published(graph: &Relations) -> bool {
    let w = graph.writes();
    let rs = w.then(&graph.sb.and(&graph.loc).maybe()).then(&sequences_of_c20(graph));
    is_consistent_with(graph, &rs)
}

fn is_consistent_with(graph: &Relations, rs: &Relation) -> bool {
    let Relations { sb, asw, rf, mo, rb, rmw, loc, .. } = graph;
    let hb = happens_before(graph, rs);
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

/// What happens before what, as far as data races are concerned.
pub fn happens_before_for_races(graph: &Relations, sequences: ReleaseSequences) -> Relation {
    match sequences {
        ReleaseSequences::C11 => happens_before(graph, &sequences_of_c11(graph)),
        ReleaseSequences::C20 => happens_before(graph, &sequences_of_c20(graph)),
    }
}

fn sequences_of_c20(graph: &Relations) -> Relation {
    graph.writes().then(&graph.rf.then(&graph.rmw).star())
}

fn sequences_of_c11(graph: &Relations) -> Relation {
    let Relations { sb, mo, rmw, .. } = graph;
    let same_thread = sb.or(&sb.inverse());
    let updates = rmw.inverse().then(rmw);
    let other = mo.without(&same_thread).without(&mo.then(&updates));
    graph.writes().then(&mo.maybe().without(&other.then(&mo.maybe())))
}

/// What happens before what, with these release sequences.
fn happens_before(graph: &Relations, rs: &Relation) -> Relation {
    let Relations { sb, asw, rf, .. } = graph;
    let memory = graph.set(|node| matches!(node.object, Some(Object::Location(_))));
    let (w, r, f) = (graph.writes().and(&memory), graph.reads().and(&memory), graph.fences());
    let (rel, acq) = (graph.releases(), graph.acquires());

    let release = rel.then(&f.then(sb).maybe()).then(&w).then(rs);
    let acquire = r.then(&sb.then(&f).maybe()).then(&acq);
    let sw = release.then(rf).then(&acquire);
    sb.or(asw).or(&sw).plus()
}
