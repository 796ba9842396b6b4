//! Litmus tests with the orders of C11, for axiomatic models: in the last column `S` stands for sequential consistency, `T` for
//! TSO, `A` for release-acquire (where every access is one), `C` for RC11, `c` for RC11 with the release sequences of C++20
//! only.
//!
//! Where the verdicts are from:
//!
//! | tests | source |
//! | --- | --- |
//! | the names; what TSO allows | Alglave, Maranget, Tautschnig: Herding cats (2014); n5 to n7, n4b: Owens, Sarkar, Sewell (2009) |
//! | release sequences of C++20 | Boehm, Giroux, Vafeiadis: Weaken release sequences (P0982R1, 2018) |
//! | releasing and acquiring, release sequences, fences | C11, 5.1.2.4 and 7.17.4; Batty and others: Mathematizing C++ concurrency (2011) |
//! | sequentially consistent accesses among others, sequentially consistent fences; no load buffering | Lahav and others: Repairing sequential consistency in C/C++11 (2017) |
//! | release-acquire; updates as fences | Lahav, Giannarakis, Vafeiadis: Taming release-acquire consistency (2016) |

use super::Line;
use crate::graphs::Model;

pub(super) fn models(letter: char) -> &'static [Model] {
    match letter {
        'S' => &[Model::Sc],
        'T' => &[Model::Tso],
        'A' => &[Model::ReleaseAcquire],
        'C' => &[Model::Rc11AsPublished, Model::Rc11],
        'c' => &[Model::Rc11],
        _ => &[],
    }
}

#[rustfmt::skip]
pub(super) const TABLE: &[Line] = &[
    // Store buffering.
    ("SB", "Wx1 Ry | Wy1 Rx", "1:0=0 2:0=0", "TAC"),
    ("SB+rel-acq", "Wx1.rel Ry.acq | Wy1.rel Rx.acq", "1:0=0 2:0=0", "TAC"),
    ("SB+sc", "Wx1.sc Ry.sc | Wy1.sc Rx.sc", "1:0=0 2:0=0", "A"),
    ("SB+sc-stores", "Wx1.sc Ry | Wy1.sc Rx", "1:0=0 2:0=0", "AC"),
    ("SB+sc-loads", "Wx1 Ry.sc | Wy1 Rx.sc", "1:0=0 2:0=0", "TAC"),
    ("SB+sc+rlx", "Wx1.sc Ry.sc | Wy1 Rx", "1:0=0 2:0=0", "TAC"),
    ("SB+fences", "Wx1 F Ry | Wy1 F Rx", "1:0=0 2:0=0", ""),
    ("SB+fence+po", "Wx1 F Ry | Wy1 Rx", "1:0=0 2:0=0", "TAC"),
    ("SB+acq-rel-fences", "Wx1 Far Ry | Wy1 Far Rx", "1:0=0 2:0=0", "TAC"),
    ("SB+fence+sc", "Wx1 F Ry | Wy1.sc Rx.sc", "1:0=0 2:0=0", "A"),
    ("SB+fence+sc-store", "Wx1 F Ry | Wy1.sc Rx", "1:0=0 2:0=0", "AC"),
    ("SB+rmws", "Ux1 Ry | Uy1 Rx", "1:1=0 2:1=0", "AC"),
    ("SB+rmws-acq-rel", "Ux1.ar Ry.acq | Uy1.ar Rx.acq", "1:1=0 2:1=0", "AC"),
    ("SB+rmws-sc", "Ux1.sc Ry.sc | Uy1.sc Rx.sc", "1:1=0 2:1=0", "A"),
    ("SB+rmw-loads", "Wx1 Uy2 | Wy1 Ux2", "1:0=0 2:0=0", "AC"),
    ("SB+rmw-loads-sc", "Wx1.sc Uy2.sc | Wy1.sc Ux2.sc", "1:0=0 2:0=0", "A"),
    // Updates of one location are ordered, so those that acquire and release are like fences (2016).
    ("SB+rmws-same", "Wx1 Uz1.ar Ry | Wy1 Uz2.ar Rx", "1:1=0 2:1=0", ""),
    ("SB+rmws-same-rlx", "Wx1 Uz1 Ry | Wy1 Uz2 Rx", "1:1=0 2:1=0", "C"),
    ("SB+rmws-elsewhere", "Wx1 Uz1.ar Ry | Wy1 Uw1.ar Rx", "1:1=0 2:1=0", "AC"),
    ("SB+rfis", "Wx1 Rx Ry | Wy1 Ry Rx", "1:0=1 1:1=0 2:0=1 2:1=0", "TAC"),
    ("SB+rfis-sc", "Wx1.sc Rx.sc Ry.sc | Wy1.sc Ry.sc Rx.sc", "1:0=1 1:1=0 2:0=1 2:1=0", "A"),
    // The SC store and the SC load are ordered, whatever is between them.
    ("SB+rfis-rlx-sc", "Wx1.sc Rx Ry.sc | Wy1.sc Ry Rx.sc", "1:0=1 1:1=0 2:0=1 2:1=0", "A"),
    ("3.SB+sc", "Wx1.sc Ry.sc | Wy1.sc Rz.sc | Wz1.sc Rx.sc", "1:0=0 2:0=0 3:0=0", "A"),
    ("3.SB+fences", "Wx1 F Ry | Wy1 F Rz | Wz1 F Rx", "1:0=0 2:0=0 3:0=0", ""),
    // Message passing.
    ("MP", "Wx1 Wy1 | Ry Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel+acq", "Wx1 Wy1.rel | Ry.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+po", "Wx1 Wy1.rel | Ry Rx", "2:0=1 2:1=0", "C"),
    ("MP+po+acq", "Wx1 Wy1 | Ry.acq Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel-first", "Wx1.rel Wy1 | Ry.acq Rx", "2:0=1 2:1=0", "C"),
    ("MP+acq-late", "Wx1 Wy1.rel | Ry Rx.acq", "2:0=1 2:1=0", "C"),
    ("MP+sc", "Wx1.sc Wy1.sc | Ry.sc Rx.sc", "2:0=1 2:1=0", ""),
    ("MP+sc-flag", "Wx1 Wy1.sc | Ry.sc Rx", "2:0=1 2:1=0", ""),
    ("MP+sc-data", "Wx1.sc Wy1 | Ry Rx.sc", "2:0=1 2:1=0", "C"),
    ("MP+sc-rel+acq", "Wx1 Wy1.sc | Ry.acq Rx", "2:0=1 2:1=0", ""),
    // Fence-fence, fence-access, access-fence synchronisation.
    ("MP+fences", "Wx1 Frel Wy1 | Ry Facq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel-fence+acq", "Wx1 Frel Wy1 | Ry.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+acq-fence", "Wx1 Wy1.rel | Ry Facq Rx", "2:0=1 2:1=0", ""),
    ("MP+acq-rel-fences", "Wx1 Far Wy1 | Ry Far Rx", "2:0=1 2:1=0", ""),
    ("MP+sc-fences", "Wx1 F Wy1 | Ry F Rx", "2:0=1 2:1=0", ""),
    ("MP+sc-fence+po", "Wx1 F Wy1 | Ry Rx", "2:0=1 2:1=0", "C"),
    ("MP+po+sc-fence", "Wx1 Wy1 | Ry F Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel-fence+po", "Wx1 Frel Wy1 | Ry Rx", "2:0=1 2:1=0", "C"),
    ("MP+po+acq-fence", "Wx1 Wy1 | Ry Facq Rx", "2:0=1 2:1=0", "C"),
    ("MP+wrong-fences", "Wx1 Facq Wy1 | Ry Frel Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel-fence-late", "Wx1 Wy1 Frel | Ry Facq Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel-fence-early", "Frel Wx1 Wy1 | Ry Facq Rx", "2:0=1 2:1=0", "C"),
    ("MP+acq-fence-early", "Wx1 Frel Wy1 | Facq Ry Rx", "2:0=1 2:1=0", "C"),
    // The fence covers every store after it.
    ("MP+rel-fence-far", "Wx1 Frel Wz1 Wy1 | Ry Rz Facq Rx", "2:0=1 2:2=0", ""),
    // Read-modify-writes.
    ("MP+rmws", "Wx1 Uy1 | Uy2 Rx", "2:0=1 2:1=0", "C"),
    ("MP+rmw-rel+acq", "Wx1 Uy1.rel | Ry.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rmw-acq+acq", "Wx1 Uy1.acq | Ry.acq Rx", "2:0=1 2:1=0", "C"),
    ("MP+rel+rmw-acq", "Wx1 Wy1.rel | Uy2.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+rmw-rel", "Wx1 Wy1.rel | Uy2.rel Rx", "2:0=1 2:1=0", "C"),
    ("MP+rmws-acq-rel", "Wx1 Uy1.ar | Uy2.ar Rx", "2:0=1 2:1=0", ""),
    ("MP+rmws-sc", "Wx1 Uy1.sc | Uy2.sc Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+cas", "Wx1 Wy1.rel | Cy12.acq Rx", "2:0=1 2:1=0", ""),
    // A compare-exchange that fails acquires if its order does, and never releases.
    ("MP+rel+failed-cas", "Wx1 Wy1.rel | Cy52.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+failed-cas-ar", "Wx1 Wy1.rel | Cy52.ar Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+failed-cas-rel", "Wx1 Wy1.rel | Cy52.rel Rx", "2:0=1 2:1=0", "C"),
    ("MP+failed-cas-between", "Wx1 Cz51.sc Wy1 | Ry.acq Rx", "2:0=1 2:1=0", "C"),
    // Release sequences: the release, updates by anybody; until 2020 also later stores of its thread.
    ("RS+own-store", "Wx1 Wy1.rel Wy2 | Ry.acq Rx", "2:0=2 2:1=0", "c"),
    ("RS+own-rmw", "Wx1 Wy1.rel Uy2 | Ry.acq Rx", "2:0=2 2:1=0", ""),
    ("RS+fence+own-store", "Wx1 Frel Wy1 Wy2 | Ry.acq Rx", "2:0=2 2:1=0", ""),
    ("RS+own-store-elsewhere", "Wx1 Wz1.rel Wy2 | Ry.acq Rx", "2:0=2 2:1=0", "C"),
    ("RS+rmw", "Wx1 Wy1.rel | Uy2 | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", ""),
    ("RS+rmw-acq", "Wx1 Wy1.rel | Uy2.acq | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", ""),
    ("RS+cas", "Wx1 Wy1.rel | Cy12 | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", ""),
    ("RS+rmws", "Wx1 Wy1.rel | Uy2 | Uy3 | Ry.acq Rx", "2:0=1 3:0=2 4:0=3 4:1=0", ""),
    ("RS+own-store+rmw", "Wx1 Wy1.rel Wy2 | Uy3 | Ry.acq Rx", "2:0=2 3:0=3 3:1=0", "c"),
    ("RS+rmw+own-store", "Wx1 Wy1.rel Wy3 | Uy2 | Ry.acq Rx", "2:0=1 3:0=3 3:1=0", "c"),
    ("RS+rmws+own-rmw", "Wx1 Wy1.rel Uy3 | Uy2 | Ry.acq Rx", "2:0=1 1:0=2 3:0=3 3:1=0", ""),
    ("RS+fence+rmw", "Wx1 Frel Wy1 | Uy2 | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", ""),
    ("RS+rmw+fence", "Wx1 Wy1.rel | Uy2 | Ry Facq Rx", "2:0=1 3:0=2 3:1=0", ""),
    ("RS+rlx+rmw", "Wx1 Wy1 | Uy2 | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", "C"),
    // The update heads a sequence of its own, and knows nothing of x.
    ("RS+rlx+rmw-rel", "Wx1 Wy1 | Uy2.rel | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", "C"),
    // But it continues the one that it reads from.
    ("RS+rel+rmw-rel", "Wx1 Wy1.rel | Uy2.rel | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", ""),
    // A store of another thread ends it.
    ("RS+store", "Wx1 Wy1.rel | Wy2 | Ry.acq Rx", "3:0=2 3:1=0 y=2", "AC"),
    ("RS+store-rel", "Wx1 Wy1.rel | Wy2.rel | Ry.acq Rx", "3:0=2 3:1=0 y=2", "AC"),
    ("RS+store+rmw", "Wx1 Wy1.rel | Wy2 | Uy3 | Ry.acq Rx", "3:0=2 4:0=3 4:1=0 y=3", "AC"),
    // A later store of the first thread goes on with it for RC11 as it was published. (Not for C11.)
    ("RS+store+own-store", "Wx1 Wy1.rel Wy3 | Wy2 | Ry Ry Ry | Ry.acq Rx", "3:0=1 3:1=2 3:2=3 4:0=3 4:1=0", "c"),
    ("RS+store+own-rmw", "Wx1 Wy1.rel Uy3 | Wy2 | Ry Ry | Ry.acq Rx", "3:0=1 3:1=2 1:0=2 4:0=3 4:1=0", "c"),
    // Also where the other thread has seen the release, but orders nothing.
    ("RS+seen+store", "Wx1 Wy1.rel | Ry Wy2 | Ry.acq Rx", "2:0=1 3:0=2 3:1=0", "C"),
    // Load buffering.
    ("LB", "Rx Wy1 | Ry Wx1", "1:0=1 2:0=1", ""),
    ("LB+rel-acq", "Rx.acq Wy1.rel | Ry.acq Wx1.rel", "1:0=1 2:0=1", ""),
    ("LB+sc", "Rx.sc Wy1.sc | Ry.sc Wx1.sc", "1:0=1 2:0=1", ""),
    ("LB+fences", "Rx F Wy1 | Ry F Wx1", "1:0=1 2:0=1", ""),
    ("LB+rmws", "Ux2 Wy1 | Uy2 Wx1", "1:0=1 2:0=1", ""),
    ("3.LB", "Rx Wy1 | Ry Wz1 | Rz Wx1", "1:0=1 2:0=1 3:0=1", ""),
    // Independent reads of independent writes.
    ("IRIW", "Wx1 | Wy1 | Rx Ry | Ry Rx", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+rel-acq", "Wx1.rel | Wy1.rel | Rx.acq Ry.acq | Ry.acq Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+sc", "Wx1.sc | Wy1.sc | Rx.sc Ry.sc | Ry.sc Rx.sc", "3:0=1 3:1=0 4:0=1 4:1=0", "A"),
    ("IRIW+acq-sc", "Wx1.sc | Wy1.sc | Rx.acq Ry.sc | Ry.acq Rx.sc", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+sc-acq", "Wx1.sc | Wy1.sc | Rx.sc Ry.acq | Ry.sc Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+sc-stores", "Wx1.sc | Wy1.sc | Rx.acq Ry.acq | Ry.acq Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+fences", "Wx1 | Wy1 | Rx F Ry | Ry F Rx", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+fence+acq", "Wx1.rel | Wy1.rel | Rx F Ry | Ry.acq Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+acq-rel-fences", "Wx1 | Wy1 | Rx Far Ry | Ry Far Rx", "3:0=1 3:1=0 4:0=1 4:1=0", "AC"),
    ("IRIW+acq-fences", "Wx1.rel | Wy1.rel | Rx.acq F Ry.acq | Ry.acq F Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+sc+fences", "Wx1.sc | Wy1.sc | Rx F Ry | Ry.sc Rx.sc", "3:0=1 3:1=0 4:0=1 4:1=0", "A"),
    ("IRIW+rmws-same", "Wx1.rel | Wy1.rel | Rx.acq Uz1.ar Ry | Ry.acq Uz2.ar Rx", "3:0=1 3:2=0 4:0=1 4:2=0", ""),
    // Write to read causality.
    ("WRC", "Wx1 | Rx Wy1 | Ry Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("WRC+rel-acq", "Wx1.rel | Rx.acq Wy1.rel | Ry.acq Rx", "2:0=1 3:0=1 3:1=0", ""),
    // Coherence: the second reader comes after the first.
    ("WRC+rlx+rel-acq", "Wx1 | Rx Wy1.rel | Ry.acq Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+po+acq", "Wx1 | Rx Wy1 | Ry.acq Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("WRC+rel+po", "Wx1 | Rx Wy1.rel | Ry Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("WRC+fences", "Wx1 | Rx F Wy1 | Ry F Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+acq-rel-fences", "Wx1 | Rx Far Wy1 | Ry Far Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+fence+po", "Wx1 | Rx F Wy1 | Ry Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("WRC+po+fence", "Wx1 | Rx Wy1 | Ry F Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("WRC+sc", "Wx1.sc | Rx.sc Wy1.sc | Ry.sc Rx.sc", "2:0=1 3:0=1 3:1=0", ""),
    // Read to write causality. C11 allowed RWC+fences and W+RWC with fences (2017).
    ("RWC", "Wx1 | Rx Ry | Wy1 Rx", "2:0=1 2:1=0 3:0=0", "TAC"),
    ("RWC+rel-acq", "Wx1.rel | Rx.acq Ry.acq | Wy1.rel Rx.acq", "2:0=1 2:1=0 3:0=0", "TAC"),
    ("RWC+fences", "Wx1 | Rx F Ry | Wy1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    ("RWC+acq+fence", "Wx1.rel | Rx.acq Ry.acq | Wy1 F Rx", "2:0=1 2:1=0 3:0=0", "AC"),
    ("RWC+sc", "Wx1.sc | Rx.sc Ry.sc | Wy1.sc Rx.sc", "2:0=1 2:1=0 3:0=0", "A"),
    ("RWC+acq-sc", "Wx1.sc | Rx.acq Ry.sc | Wy1.sc Rx.sc", "2:0=1 2:1=0 3:0=0", "AC"),
    ("W+RWC", "Wx1 Wy1 | Ry Rz | Wz1 Rx", "2:0=1 2:1=0 3:0=0", "TAC"),
    ("W+RWC+rel-acq+fences", "Wx1 Wy1.rel | Ry.acq F Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    ("W+RWC+rel+fences", "Wx1 Wy1.rel | Ry F Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    ("W+RWC+fences", "Wx1 Wy1 | Ry F Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", "C"),
    ("W+RWC+rel-acq+fence", "Wx1 Wy1.rel | Ry.acq Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", "AC"),
    // SC accesses are ordered through others that synchronise, if these are elsewhere.
    ("W+RWC+rel-acq+sc", "Wx1.sc Wz1.rel | Rz.acq Ry.sc | Wy1.sc Rx.sc", "2:0=1 2:1=0 3:0=0", "A"),
    ("W+RWC+rlx+sc", "Wx1.sc Wz1 | Rz Ry.sc | Wy1.sc Rx.sc", "2:0=1 2:1=0 3:0=0", "AC"),
    // Message passing through a third thread.
    ("ISA2", "Wx1 Wy1 | Ry Wz1 | Rz Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("ISA2+rel-acq", "Wx1 Wy1.rel | Ry.acq Wz1.rel | Rz.acq Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+rel+rlx+acq", "Wx1 Wy1.rel | Ry Wz1.rel | Rz.acq Rx", "2:0=1 3:0=1 3:1=0", "C"),
    ("ISA2+fences", "Wx1 Frel Wy1 | Ry Far Wz1 | Rz Facq Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+sc", "Wx1.sc Wy1.sc | Ry.sc Wz1.sc | Rz.sc Rx.sc", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+sc-fences", "Wx1 F Wy1 | Ry F Wz1 | Rz F Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+fence+po+po", "Wx1 F Wy1 | Ry Wz1 | Rz Rx", "2:0=1 3:0=1 3:1=0", "C"),
    // Stores only.
    ("2+2W", "Wx1 Wy2 | Wy1 Wx2", "x=1 y=1", "AC"),
    ("2+2W+rel", "Wx1.rel Wy2.rel | Wy1.rel Wx2.rel", "x=1 y=1", "AC"),
    ("2+2W+sc", "Wx1.sc Wy2.sc | Wy1.sc Wx2.sc", "x=1 y=1", "A"),
    ("2+2W+fences", "Wx1 F Wy2 | Wy1 F Wx2", "x=1 y=1", ""),
    ("2+2W+fence+po", "Wx1 F Wy2 | Wy1 Wx2", "x=1 y=1", "AC"),
    ("2+2W+fence+sc", "Wx1 F Wy2 | Wy1.sc Wx2.sc", "x=1 y=1", "A"),
    ("2+2W+rmws", "Wx1 Uy2 | Wy1 Ux2", "x=1 y=1", "AC"),
    ("2+2W+rmws-same", "Wx1 Uz1.ar Wy2 | Wy1 Uz2.ar Wx2", "x=1 y=1", ""),
    ("2+2W+acq-rel-fences", "Wx1 Far Wy2 | Wy1 Far Wx2", "x=1 y=1", "AC"),
    ("3.2W", "Wx1 Wy2 | Wy1 Wz2 | Wz1 Wx2", "x=1 y=1 z=1", "AC"),
    ("3.2W+sc", "Wx1.sc Wy2.sc | Wy1.sc Wz2.sc | Wz1.sc Wx2.sc", "x=1 y=1 z=1", "A"),
    ("3.2W+fences", "Wx1 F Wy2 | Wy1 F Wz2 | Wz1 F Wx2", "x=1 y=1 z=1", ""),
    ("R", "Wx1 Wy1 | Wy2 Rx", "y=2 2:0=0", "TAC"),
    ("R+rel-acq", "Wx1.rel Wy1.rel | Wy2.rel Rx.acq", "y=2 2:0=0", "TAC"),
    ("R+sc", "Wx1.sc Wy1.sc | Wy2.sc Rx.sc", "y=2 2:0=0", "A"),
    ("R+fences", "Wx1 F Wy1 | Wy2 F Rx", "y=2 2:0=0", ""),
    ("R+po+fence", "Wx1 Wy1 | Wy2 F Rx", "y=2 2:0=0", "AC"),
    ("R+fence+po", "Wx1 F Wy1 | Wy2 Rx", "y=2 2:0=0", "TAC"),
    ("R+acq-rel-fences", "Wx1 Far Wy1 | Wy2 Far Rx", "y=2 2:0=0", "TAC"),
    ("R+rel+sc", "Wx1.sc Wy1.rel | Wy2.sc Rx.sc", "y=2 2:0=0", "AC"),
    ("S", "Wx2 Wy1 | Ry Wx1", "x=2 2:0=1", "C"),
    ("S+rel+acq", "Wx2 Wy1.rel | Ry.acq Wx1", "x=2 2:0=1", ""),
    ("S+rel+po", "Wx2 Wy1.rel | Ry Wx1", "x=2 2:0=1", "C"),
    ("S+po+acq", "Wx2 Wy1 | Ry.acq Wx1", "x=2 2:0=1", "C"),
    ("S+fences", "Wx2 Frel Wy1 | Ry Facq Wx1", "x=2 2:0=1", ""),
    ("S+sc", "Wx2.sc Wy1.sc | Ry.sc Wx1.sc", "x=2 2:0=1", ""),
    ("S+sc-fences", "Wx2 F Wy1 | Ry F Wx1", "x=2 2:0=1", ""),
    ("S+fence+po", "Wx2 F Wy1 | Ry Wx1", "x=2 2:0=1", "C"),
    // Three threads. Z6.U and IRIW+acq-sc, which C11 forbade, cannot be forbidden on Power (2017).
    ("Z6.U", "Wx1.sc Wy1.rel | Uy2.sc Ry | Wy3.sc Rx.sc", "2:0=1 2:1=3 3:0=0", "AC"),
    ("Z6.U+sc", "Wx1.sc Wy1.sc | Uy2.sc Ry | Wy3.sc Rx.sc", "2:0=1 2:1=3 3:0=0", "A"),
    ("Z6.U+fences", "Wx1 F Wy1 | Uy2 Ry | Wy3 F Rx", "2:0=1 2:1=3 3:0=0", ""),
    ("Z6.3", "Wx1 Wy1 | Wy2 Wz1 | Rz Rx", "y=2 3:0=1 3:1=0", "AC"),
    ("Z6.3+rel", "Wx1 Wy1.rel | Wy2 Wz1.rel | Rz.acq Rx", "y=2 3:0=1 3:1=0", "AC"),
    ("Z6.3+fences", "Wx1 F Wy1 | Wy2 F Wz1 | Rz F Rx", "y=2 3:0=1 3:1=0", ""),
    ("Z6.3+sc", "Wx1.sc Wy1.sc | Wy2.sc Wz1.sc | Rz.sc Rx.sc", "y=2 3:0=1 3:1=0", "A"),
    ("Z6.5+fences", "Wx1 F Wy1 | Wy2 F Rz | Wz1 F Rx", "y=2 2:0=0 3:0=0", ""),
    ("Z6.5+sc", "Wx1.sc Wy1.sc | Wy2.sc Rz.sc | Wz1.sc Rx.sc", "y=2 2:0=0 3:0=0", "A"),
    // One location.
    ("CoRR", "Wx1 | Rx Rx", "2:0=1 2:1=0", ""),
    ("CoRR1", "Wx1 Wx2 | Rx Rx", "2:0=2 2:1=1", ""),
    ("CoRR2", "Wx1 | Wx2 | Rx Rx | Rx Rx", "3:0=1 3:1=2 4:0=2 4:1=1", ""),
    ("CoRR+rmw", "Ux1 | Rx Rx", "2:0=1 2:1=0", ""),
    ("CoRR+hb", "Wx1 | Rx Wy1.rel | Ry.acq Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("CoWW+hb", "Wx1 Wy1.rel | Ry.acq Wx2", "2:0=1 x=1", ""),
    ("CoRW+hb", "Rx Wy1.rel | Ry.acq Wx1", "1:0=1 2:0=1", ""),
    ("CoWR+hb", "Wx1 Wx2 Wy1.rel | Ry.acq Rx", "2:0=1 2:1=1", ""),
    ("CoWW", "Wx1 Wx2", "x=1", ""),
    ("CoRW1", "Rx Wx1", "1:0=1", ""),
    ("CoRW", "Rx Wx1 | Wx2", "1:0=2 x=2", ""),
    ("CoWR0", "Wx1 Rx", "1:0=0", ""),
    ("CoWR", "Wx1 Rx | Wx2", "1:0=2 x=1", ""),
    ("CoWR+late", "Wx1 Rx | Wx2", "1:0=1 x=1", "STAC"),
    ("CoWR+seen", "Wx1 Rx | Wx2", "1:0=2 x=2", "STAC"),
    ("RMWs", "Ux1 | Ux2", "1:0=0 2:0=0", ""),
    ("RMWs-sc", "Ux1.sc | Ux2.sc", "1:0=0 2:0=0", ""),
    ("CASes", "Cx01 | Cx02", "1:0=0 2:0=0", ""),
    ("RMW+store", "Ux1 | Wx2", "1:0=0 x=2", "STAC"),
    ("RMW+lost", "Ux1 | Wx2 Rx", "1:0=0 2:0=2 x=1", ""),
    ("RMW+between", "Ux1 | Wx2 | Rx Rx Rx", "1:0=0 3:0=2 3:1=1", ""),
    // A thread sees its own stores before others do.
    ("n5", "Wx1 Rx | Wx2 Rx", "1:0=2 2:0=1", ""),
    ("n4b", "Rx Wx1 | Rx Wx2", "1:0=2 2:0=1", ""),
    ("n6", "Wx1 Rx Ry | Wy2 Wx2", "1:0=1 1:1=0 x=1", "TAC"),
    ("n6+rel-acq", "Wx1.rel Rx.acq Ry.acq | Wy2.rel Wx2.rel", "1:0=1 1:1=0 x=1", "TAC"),
    ("n6+sc", "Wx1.sc Rx.sc Ry.sc | Wy2.sc Wx2.sc", "1:0=1 1:1=0 x=1", "A"),
    ("n7", "Wx1 Rx Ry | Wy1 | Ry Rx", "1:0=1 1:1=0 3:0=1 3:1=0", "TAC"),
    ("n7+sc", "Wx1.sc Rx.sc Ry.sc | Wy1.sc | Ry.sc Rx.sc", "1:0=1 1:1=0 3:0=1 3:1=0", "A"),
];
