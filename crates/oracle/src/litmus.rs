//! Litmus tests: small programs with an outcome in question, of which it is known whether the models allow it.
//!
//! The names are those of the literature: Alglave, Maranget and others for the systematic ones (SB, MP, …, Z6.5), Owens,
//! Sarkar, Sewell for n1 to n7, Intel's white paper for iwp2.4. What is added to a name says how the test was made stronger.
//! The threads are separated by `|`; thread 1 is the first, main only starts and joins them. A thread is a list of words:
//!
//! | word | meaning |
//! | --- | --- |
//! | `Wx1` | stores 1 to x |
//! | `Rx` | loads x |
//! | `Ux1` | exchanges what is in x with 1 |
//! | `Cx51` | compares x with 5 and exchanges it with 1, if equal |
//! | `F` | a sequentially consistent fence |
//! | `Facq`, `Frel`, `Far` | a fence that acquires, releases, does both |
//!
//! Loads, exchanges and compare-exchanges of a thread set registers 0, 1, 2, … in turn. Orders are relaxed, unless
//! something is appended: `.acq`, `.rel`, `.ar`, `.sc`. The outcome is what registers (`1:0=7`: register 0 of thread 1)
//! and locations (`x=7`) have at the end. In the last column `S`, `T`, `P` stand for the models that allow it.
//!
//! [`c11()`] has a table of its own, for axiomatic models.

use crate::graphs;
use crate::interleavings::{Model, Results};
use crate::print_c::{CProgram, Epilogue, print_c};
use crate::program::{Observation, Order, Outcome, Program, Statement, Value};

mod c11;

/// A litmus test for models of some kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Litmus<M = Model> {
    /// Its name.
    pub name: &'static str,
    /// The program.
    pub program: Program,
    /// The outcome in question: all of these.
    pub question: Vec<Observation>,
    /// The models that allow it.
    pub allowed: Vec<M>,
}

impl<M: PartialEq> Litmus<M> {
    /// Whether the outcome is possible under a model.
    pub fn is_allowed(&self, model: M) -> bool {
        self.allowed.contains(&model)
    }

    /// Whether the outcome is among these results.
    pub fn is_among(&self, results: &Results) -> bool {
        self.is_one_of(&results.outcomes)
    }

    /// Whether the outcome in question is one of these.
    pub fn is_one_of<'o>(&self, outcomes: impl IntoIterator<Item = &'o Outcome>) -> bool {
        let is_it = |outcome: &Outcome| {
            let all = outcome.observations();
            self.question.iter().all(|observation| all.contains(observation))
        };
        outcomes.into_iter().any(is_it)
    }

    /// A C program with an assertion that fails exactly for the outcome in question.
    pub fn print_c(&self) -> CProgram {
        print_c(&self.program, &Epilogue::Never(&self.question), &[])
    }
}

/// All tests; the error is a line of the table that cannot be understood.
pub fn all() -> Result<Vec<Litmus>, &'static str> {
    TABLE.iter().map(|line| parse(line, models).ok_or(line.0)).collect()
}

/// The tests for axiomatic models, with the orders of C11; the error is a line of the table that cannot be understood.
pub fn c11() -> Result<Vec<Litmus<graphs::Model>>, &'static str> {
    c11::TABLE.iter().map(|line| parse(line, c11::models).ok_or(line.0)).collect()
}

/// Name, threads, outcome, models.
type Line = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const TABLE: &[Line] = &[
    // Store buffering: a load overtakes a store.
    ("SB", "Wx1 Ry | Wy1 Rx", "1:0=0 2:0=0", "TP"),
    ("SB+fences", "Wx1 F Ry | Wy1 F Rx", "1:0=0 2:0=0", ""),
    ("SB+fence+po", "Wx1 F Ry | Wy1 Rx", "1:0=0 2:0=0", "TP"),
    ("SB+acq-rel-fences", "Wx1 Far Ry | Wy1 Far Rx", "1:0=0 2:0=0", "TP"),
    ("SB+rel-acq", "Wx1.rel Ry.acq | Wy1.rel Rx.acq", "1:0=0 2:0=0", "TP"),
    ("SB+sc", "Wx1.sc Ry.sc | Wy1.sc Rx.sc", "1:0=0 2:0=0", ""),
    ("SB+sc-stores", "Wx1.sc Ry | Wy1.sc Rx", "1:0=0 2:0=0", ""),
    ("SB+sc-loads", "Wx1 Ry.sc | Wy1 Rx.sc", "1:0=0 2:0=0", "TP"),
    ("SB+sc+rlx", "Wx1.sc Ry.sc | Wy1 Rx", "1:0=0 2:0=0", "TP"),
    ("SB+rmws", "Ux1 Ry | Uy1 Rx", "1:1=0 2:1=0", ""),
    ("SB+rmw+po", "Ux1 Ry | Wy1 Rx", "1:1=0 2:0=0", "TP"),
    ("SB+rmws-elsewhere", "Wx1 Uz1 Ry | Wy1 Uw1 Rx", "1:1=0 2:1=0", ""),
    ("SB+rmw-loads", "Wx1 Uy2 | Wy1 Ux2", "1:0=0 2:0=0", ""),
    ("SB+failed-cas", "Wx1 Cz51 Ry | Wy1 Cw51 Rx", "1:1=0 2:1=0", ""),
    ("SB+rfis", "Wx1 Rx Ry | Wy1 Ry Rx", "1:0=1 1:1=0 2:0=1 2:1=0", "TP"),
    ("iwp2.4", "Wx1 Rx Ry | Wy1 Ry Rx", "1:0=1 1:1=0 2:0=1 2:1=0", "TP"),
    ("SB+rfi-fences", "Wx1 Rx F Ry | Wy1 Ry F Rx", "1:0=1 1:1=0 2:0=1 2:1=0", ""),
    ("3.SB", "Wx1 Ry | Wy1 Rz | Wz1 Rx", "1:0=0 2:0=0 3:0=0", "TP"),
    ("3.SB+fences", "Wx1 F Ry | Wy1 F Rz | Wz1 F Rx", "1:0=0 2:0=0 3:0=0", ""),
    // Message passing: a store overtakes a store, or a load a load.
    ("MP", "Wx1 Wy1 | Ry Rx", "2:0=1 2:1=0", "P"),
    ("MP+fences", "Wx1 F Wy1 | Ry F Rx", "2:0=1 2:1=0", ""),
    ("MP+fence+po", "Wx1 F Wy1 | Ry Rx", "2:0=1 2:1=0", ""),
    ("MP+po+fence", "Wx1 Wy1 | Ry F Rx", "2:0=1 2:1=0", "P"),
    ("MP+rel+acq", "Wx1 Wy1.rel | Ry.acq Rx", "2:0=1 2:1=0", ""),
    ("MP+rel+po", "Wx1 Wy1.rel | Ry Rx", "2:0=1 2:1=0", ""),
    ("MP+po+acq", "Wx1 Wy1 | Ry.acq Rx", "2:0=1 2:1=0", "P"),
    ("MP+rel-first", "Wx1.rel Wy1 | Ry.acq Rx", "2:0=1 2:1=0", "P"),
    ("MP+rel-both", "Wx1.rel Wy1.rel | Ry.acq Rx.acq", "2:0=1 2:1=0", ""),
    ("MP+rel-fence", "Wx1 Frel Wy1 | Ry Facq Rx", "2:0=1 2:1=0", ""),
    ("MP+acq-rel-fence", "Wx1 Far Wy1 | Ry Far Rx", "2:0=1 2:1=0", ""),
    ("MP+acq-fence", "Wx1 Facq Wy1 | Ry Facq Rx", "2:0=1 2:1=0", "P"),
    ("MP+rel-fence-late", "Wx1 Wy1 Frel | Ry Facq Rx", "2:0=1 2:1=0", "P"),
    // Stronger than C11: under PSO a release store keeps all that comes before it before all that comes after it.
    ("MP+rel-between", "Wx1 Wz1.rel Wy1 | Ry Rx", "2:0=1 2:1=0", ""),
    ("MP+rel-elsewhere", "Wx1 Wz1 Wy1.rel | Ry.acq Rz Rx", "2:0=1 2:2=0", ""),
    ("MP+sc", "Wx1.sc Wy1.sc | Ry.sc Rx.sc", "2:0=1 2:1=0", ""),
    ("MP+sc-flag", "Wx1 Wy1.sc | Ry.sc Rx", "2:0=1 2:1=0", ""),
    ("MP+sc-data", "Wx1.sc Wy1 | Ry Rx.sc", "2:0=1 2:1=0", ""),
    ("MP+sc-loads", "Wx1 Wy1 | Ry.sc Rx.sc", "2:0=1 2:1=0", "P"),
    ("MP+rmw-flag", "Wx1 Uy1 | Ry Rx", "2:0=1 2:1=0", ""),
    ("MP+rmw-data", "Ux1 Wy1 | Ry Rx", "2:0=1 2:1=0", ""),
    ("MP+rmw-read", "Wx1 Wy1 | Uy2 Rx", "2:0=1 2:1=0", "P"),
    ("MP+failed-cas", "Wx1 Cz51 Wy1 | Ry Rx", "2:0=1 2:1=0", ""),
    // Load buffering: a store overtakes a load.
    ("LB", "Rx Wy1 | Ry Wx1", "1:0=1 2:0=1", ""),
    ("LB+fences", "Rx F Wy1 | Ry F Wx1", "1:0=1 2:0=1", ""),
    ("LB+rel-acq", "Rx.acq Wy1.rel | Ry.acq Wx1.rel", "1:0=1 2:0=1", ""),
    ("LB+sc", "Rx.sc Wy1.sc | Ry.sc Wx1.sc", "1:0=1 2:0=1", ""),
    ("LB+rmws", "Rx Uy1 | Ry Ux1", "1:0=1 2:0=1", ""),
    ("3.LB", "Rx Wy1 | Ry Wz1 | Rz Wx1", "1:0=1 2:0=1 3:0=1", ""),
    // Independent reads of independent writes: two readers disagree about the order.
    ("IRIW", "Wx1 | Wy1 | Rx Ry | Ry Rx", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+fences", "Wx1 | Wy1 | Rx F Ry | Ry F Rx", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+rel-acq", "Wx1.rel | Wy1.rel | Rx.acq Ry.acq | Ry.acq Rx.acq", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+sc", "Wx1.sc | Wy1.sc | Rx.sc Ry.sc | Ry.sc Rx.sc", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    ("IRIW+rmws", "Ux1 | Uy1 | Rx Ry | Ry Rx", "3:0=1 3:1=0 4:0=1 4:1=0", ""),
    // Write to read causality.
    ("WRC", "Wx1 | Rx Wy1 | Ry Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+fences", "Wx1 | Rx F Wy1 | Ry F Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+rel-acq", "Wx1.rel | Rx.acq Wy1.rel | Ry.acq Rx.acq", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+sc", "Wx1.sc | Rx.sc Wy1.sc | Ry.sc Rx.sc", "2:0=1 3:0=1 3:1=0", ""),
    ("WRC+rmw", "Wx1 | Rx Uy1 | Ry Rx", "2:0=1 3:0=1 3:1=0", ""),
    // Read to write causality.
    ("RWC", "Wx1 | Rx Ry | Wy1 Rx", "2:0=1 2:1=0 3:0=0", "TP"),
    ("RWC+fences", "Wx1 | Rx F Ry | Wy1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    ("RWC+po+fence", "Wx1 | Rx Ry | Wy1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    ("RWC+fence+po", "Wx1 | Rx F Ry | Wy1 Rx", "2:0=1 2:1=0 3:0=0", "TP"),
    ("RWC+rel-acq", "Wx1.rel | Rx.acq Ry.acq | Wy1.rel Rx.acq", "2:0=1 2:1=0 3:0=0", "TP"),
    ("RWC+sc", "Wx1.sc | Rx.sc Ry.sc | Wy1.sc Rx.sc", "2:0=1 2:1=0 3:0=0", ""),
    ("RWC+rmw", "Wx1 | Rx Ry | Uy1 Rx", "2:0=1 2:1=0 3:1=0", ""),
    ("W+RWC", "Wx1 Wy1 | Ry Rz | Wz1 Rx", "2:0=1 2:1=0 3:0=0", "TP"),
    ("W+RWC+po+po+fence", "Wx1 Wy1 | Ry Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", "P"),
    ("W+RWC+rel+po+fence", "Wx1 Wy1.rel | Ry Rz | Wz1 F Rx", "2:0=1 2:1=0 3:0=0", ""),
    // Message passing through a third thread.
    ("ISA2", "Wx1 Wy1 | Ry Wz1 | Rz Rx", "2:0=1 3:0=1 3:1=0", "P"),
    ("ISA2+fences", "Wx1 F Wy1 | Ry F Wz1 | Rz F Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+rel-acq", "Wx1 Wy1.rel | Ry.acq Wz1.rel | Rz.acq Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+rel+po+po", "Wx1 Wy1.rel | Ry Wz1 | Rz Rx", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+po+rel-acq", "Wx1 Wy1 | Ry.acq Wz1.rel | Rz.acq Rx", "2:0=1 3:0=1 3:1=0", "P"),
    ("ISA2+sc", "Wx1.sc Wy1.sc | Ry.sc Wz1.sc | Rz.sc Rx.sc", "2:0=1 3:0=1 3:1=0", ""),
    ("ISA2+rmw", "Wx1 Uy1 | Ry Wz1 | Rz Rx", "2:0=1 3:0=1 3:1=0", ""),
    // Stores only.
    ("2+2W", "Wx1 Wy2 | Wy1 Wx2", "x=1 y=1", "P"),
    ("2+2W+fences", "Wx1 F Wy2 | Wy1 F Wx2", "x=1 y=1", ""),
    ("2+2W+fence+po", "Wx1 F Wy2 | Wy1 Wx2", "x=1 y=1", "P"),
    ("2+2W+rel", "Wx1 Wy2.rel | Wy1 Wx2.rel", "x=1 y=1", ""),
    ("2+2W+rel+po", "Wx1 Wy2.rel | Wy1 Wx2", "x=1 y=1", "P"),
    ("2+2W+rel-fences", "Wx1 Frel Wy2 | Wy1 Frel Wx2", "x=1 y=1", ""),
    ("2+2W+sc", "Wx1.sc Wy2.sc | Wy1.sc Wx2.sc", "x=1 y=1", ""),
    ("2+2W+rmws", "Wx1 Uy2 | Wy1 Ux2", "x=1 y=1", ""),
    ("3.2W", "Wx1 Wy2 | Wy1 Wz2 | Wz1 Wx2", "x=1 y=1 z=1", "P"),
    ("3.2W+rel", "Wx1 Wy2.rel | Wy1 Wz2.rel | Wz1 Wx2.rel", "x=1 y=1 z=1", ""),
    ("R", "Wx1 Wy1 | Wy2 Rx", "y=2 2:0=0", "TP"),
    ("R+fences", "Wx1 F Wy1 | Wy2 F Rx", "y=2 2:0=0", ""),
    ("R+po+fence", "Wx1 Wy1 | Wy2 F Rx", "y=2 2:0=0", "P"),
    ("R+fence+po", "Wx1 F Wy1 | Wy2 Rx", "y=2 2:0=0", "TP"),
    ("R+rel+fence", "Wx1 Wy1.rel | Wy2 F Rx", "y=2 2:0=0", ""),
    ("R+rel-acq", "Wx1.rel Wy1.rel | Wy2.rel Rx.acq", "y=2 2:0=0", "TP"),
    ("R+sc", "Wx1.sc Wy1.sc | Wy2.sc Rx.sc", "y=2 2:0=0", ""),
    ("R+po+rmw", "Wx1 Wy1 | Uy2 Rx", "y=2 2:1=0", "P"),
    ("R+rmws", "Wx1 Uy1 | Uy2 Rx", "y=2 2:1=0", ""),
    ("S", "Wx2 Wy1 | Ry Wx1", "x=2 2:0=1", "P"),
    ("S+fences", "Wx2 F Wy1 | Ry F Wx1", "x=2 2:0=1", ""),
    ("S+po+fence", "Wx2 Wy1 | Ry F Wx1", "x=2 2:0=1", "P"),
    ("S+rel+acq", "Wx2 Wy1.rel | Ry.acq Wx1", "x=2 2:0=1", ""),
    ("S+rel-first", "Wx2.rel Wy1 | Ry.acq Wx1", "x=2 2:0=1", "P"),
    ("S+sc", "Wx2.sc Wy1.sc | Ry.sc Wx1.sc", "x=2 2:0=1", ""),
    ("S+rmw", "Wx2 Uy1 | Ry Wx1", "x=2 2:0=1", ""),
    // Three threads, six edges, of which some are between stores.
    ("Z6.0", "Wx1 Wy1 | Ry Wz1 | Wz2 Rx", "2:0=1 z=2 3:0=0", "TP"),
    ("Z6.0+fence", "Wx1 Wy1 | Ry Wz1 | Wz2 F Rx", "2:0=1 z=2 3:0=0", "P"),
    ("Z6.0+rel+fence", "Wx1 Wy1.rel | Ry.acq Wz1 | Wz2 F Rx", "2:0=1 z=2 3:0=0", ""),
    ("Z6.1", "Wx1 Wy1 | Wy2 Wz1 | Rz Wx2", "y=2 3:0=1 x=1", "P"),
    ("Z6.1+rel", "Wx1 Wy1.rel | Wy2 Wz1.rel | Rz.acq Wx2", "y=2 3:0=1 x=1", ""),
    ("Z6.2", "Wx1 Wy1 | Ry Wz1 | Rz Wx2", "2:0=1 3:0=1 x=1", "P"),
    ("Z6.2+rel", "Wx1 Wy1.rel | Ry.acq Wz1 | Rz.acq Wx2", "2:0=1 3:0=1 x=1", ""),
    ("Z6.3", "Wx1 Wy1 | Wy2 Wz1 | Rz Rx", "y=2 3:0=1 3:1=0", "P"),
    ("Z6.3+fences", "Wx1 F Wy1 | Wy2 F Wz1 | Rz F Rx", "y=2 3:0=1 3:1=0", ""),
    ("Z6.3+rel", "Wx1 Wy1.rel | Wy2 Wz1.rel | Rz.acq Rx", "y=2 3:0=1 3:1=0", ""),
    ("Z6.3+rel+po", "Wx1 Wy1.rel | Wy2 Wz1 | Rz Rx", "y=2 3:0=1 3:1=0", "P"),
    ("Z6.3+sc", "Wx1.sc Wy1.sc | Wy2.sc Wz1.sc | Rz.sc Rx.sc", "y=2 3:0=1 3:1=0", ""),
    ("Z6.3+rmws", "Wx1 Uy1 | Uy2 Wz1 | Rz Rx", "y=2 3:0=1 3:1=0", ""),
    ("Z6.4", "Wx1 Wy1 | Wy2 Wz1 | Wz2 Rx", "y=2 z=2 3:0=0", "TP"),
    ("Z6.4+fence", "Wx1 Wy1 | Wy2 Wz1 | Wz2 F Rx", "y=2 z=2 3:0=0", "P"),
    ("Z6.4+rel+fence", "Wx1 Wy1.rel | Wy2 Wz1.rel | Wz2 F Rx", "y=2 z=2 3:0=0", ""),
    ("Z6.5", "Wx1 Wy1 | Wy2 Rz | Wz1 Rx", "y=2 2:0=0 3:0=0", "TP"),
    ("Z6.5+po+fence+fence", "Wx1 Wy1 | Wy2 F Rz | Wz1 F Rx", "y=2 2:0=0 3:0=0", "P"),
    ("Z6.5+fences", "Wx1 F Wy1 | Wy2 F Rz | Wz1 F Rx", "y=2 2:0=0 3:0=0", ""),
    ("Z6.5+sc", "Wx1.sc Wy1.sc | Wy2.sc Rz.sc | Wz1.sc Rx.sc", "y=2 2:0=0 3:0=0", ""),
    ("Z6.5+rmws", "Wx1 Uy1 | Uy2 Rz | Uz1 Rx", "y=2 2:1=0 3:1=0", ""),
    // One location.
    ("CoRR", "Wx1 | Rx Rx", "2:0=1 2:1=0", ""),
    ("CoRR+sc", "Wx1.sc | Rx.sc Rx.sc", "2:0=1 2:1=0", ""),
    ("CoRR+rel-acq", "Wx1.rel | Rx.acq Rx.acq", "2:0=1 2:1=0", ""),
    ("CoRR1", "Wx1 Wx2 | Rx Rx", "2:0=2 2:1=1", ""),
    ("CoRR2", "Wx1 | Wx2 | Rx Rx | Rx Rx", "3:0=1 3:1=2 4:0=2 4:1=1", ""),
    ("CoRR+rmw", "Ux1 | Rx Rx", "2:0=1 2:1=0", ""),
    ("CoWW", "Wx1 Wx2", "x=1", ""),
    ("CoWW+rel", "Wx1 Wx2.rel", "x=1", ""),
    ("CoWW+sc", "Wx1 Wx2.sc", "x=1", ""),
    ("CoWW+rmw", "Wx1 Ux2", "x=1", ""),
    ("CoRW1", "Rx Wx1", "1:0=1", ""),
    ("CoRW", "Rx Wx1 | Wx2", "1:0=2 x=2", ""),
    ("CoRW+rel-acq", "Rx.acq Wx1.rel | Wx2.rel", "1:0=2 x=2", ""),
    ("CoRW+sc", "Rx.sc Wx1.sc | Wx2.sc", "1:0=2 x=2", ""),
    ("CoRW+rmw", "Rx Ux1 | Wx2", "1:0=2 x=2", ""),
    ("CoWR0", "Wx1 Rx", "1:0=0", ""),
    ("CoWR", "Wx1 Rx | Wx2", "1:0=2 x=1", ""),
    ("CoWR+rel-acq", "Wx1.rel Rx.acq | Wx2.rel", "1:0=2 x=1", ""),
    ("CoWR+fence", "Wx1 F Rx | Wx2", "1:0=2 x=1", ""),
    ("CoWR+sc", "Wx1.sc Rx.sc | Wx2.sc", "1:0=2 x=1", ""),
    ("CoWR+rmw", "Ux1 Rx | Wx2", "1:1=2 x=1", ""),
    ("CoWR+late", "Wx1 Rx | Wx2", "1:0=1 x=1", "STP"),
    ("RMWs", "Ux1 | Ux2", "1:0=0 2:0=0", ""),
    ("RMW+store", "Ux1 | Wx2", "1:0=0 x=2", "STP"),
    ("CASes", "Cx01 | Cx02", "1:0=0 2:0=0", ""),
    // A store between the two halves of an update would be lost.
    ("RMW+lost", "Ux1 | Wx2 Rx", "1:0=0 2:0=2 x=1", ""),
    // A thread sees its own stores before others do.
    ("n1", "Wx2 Ry | Wy1 Wx1 | Rx Rx", "1:0=0 3:0=1 3:1=2", "TP"),
    ("n1+fence", "Wx2 F Ry | Wy1 Wx1 | Rx Rx", "1:0=0 3:0=1 3:1=2", "P"),
    ("n1+fences", "Wx2 F Ry | Wy1 F Wx1 | Rx Rx", "1:0=0 3:0=1 3:1=2", ""),
    ("n4b", "Rx Wx1 | Rx Wx2", "1:0=2 2:0=1", ""),
    ("n5", "Wx1 Rx | Wx2 Rx", "1:0=2 2:0=1", ""),
    ("n6", "Wx1 Rx Ry | Wy2 Wx2", "1:0=1 1:1=0 x=1", "TP"),
    ("n6+fence", "Wx1 Rx F Ry | Wy2 Wx2", "1:0=1 1:1=0 x=1", "P"),
    ("n6+fences", "Wx1 Rx F Ry | Wy2 F Wx2", "1:0=1 1:1=0 x=1", ""),
    ("n6+rel-acq", "Wx1.rel Rx.acq Ry.acq | Wy2.rel Wx2.rel", "1:0=1 1:1=0 x=1", "TP"),
    ("n6+sc", "Wx1.sc Rx.sc Ry.sc | Wy2.sc Wx2.sc", "1:0=1 1:1=0 x=1", ""),
    ("n6+rmw", "Ux1 Rx Ry | Wy2 Wx2.rel", "1:1=1 1:2=0 x=1", ""),
    ("n7", "Wx1 Rx Ry | Wy1 | Ry Rx", "1:0=1 1:1=0 3:0=1 3:1=0", "TP"),
    ("n7+fence", "Wx1 Rx F Ry | Wy1 | Ry Rx", "1:0=1 1:1=0 3:0=1 3:1=0", ""),
    ("n7+rel-acq", "Wx1.rel Rx.acq Ry.acq | Wy1.rel | Ry.acq Rx.acq", "1:0=1 1:1=0 3:0=1 3:1=0", "TP"),
    ("n7+sc", "Wx1.sc Rx.sc Ry.sc | Wy1.sc | Ry.sc Rx.sc", "1:0=1 1:1=0 3:0=1 3:1=0", ""),
    ("n7+rmw", "Ux1 Rx Ry | Wy1 | Ry Rx", "1:1=1 1:2=0 3:0=1 3:1=0", ""),
];

fn parse<M: Copy + 'static>(
    &(name, threads, question, allowed): &Line,
    models: impl Fn(char) -> &'static [M],
) -> Option<Litmus<M>> {
    let workers: Vec<Vec<Statement>> = threads.split('|').map(thread).collect::<Option<_>>()?;
    let numbers = 1..=workers.len();
    let spawns = numbers.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(numbers.map(|thread| Statement::Join { thread })).collect();
    let all = || workers.iter().flatten();
    let locations = all().filter_map(location_of).max().map_or(0, |last| last + 1);
    let registers = all().filter_map(Statement::target).max().map_or(0, |last| last + 1);
    let threads = [vec![main], workers.clone()].concat();
    let program = Program { locations: vec![0; locations], registers, threads, ..Program::default() };
    let question = question.split_whitespace().map(observation).collect::<Option<_>>()?;
    if allowed.chars().any(|letter| models(letter).is_empty()) {
        return None;
    }
    let allowed = allowed.chars().flat_map(models).copied().collect();
    Some(Litmus { name, program, question, allowed })
}

fn models(letter: char) -> &'static [Model] {
    match letter {
        'S' => &[Model::Sc],
        'T' => &[Model::Tso],
        'P' => &[Model::Pso],
        _ => &[],
    }
}

fn location_of(statement: &Statement) -> Option<usize> {
    match statement {
        Statement::Load { at, .. }
        | Statement::Store { at, .. }
        | Statement::Exchange { at, .. }
        | Statement::CompareExchange { at, .. } => Some(*at),
        _ => None,
    }
}

fn observation(word: &str) -> Option<Observation> {
    let (what, value) = word.split_once('=')?;
    let value = value.parse().ok()?;
    Some(match what.split_once(':') {
        Some((thread, register)) => {
            let (thread, register) = (thread.parse().ok()?, register.parse().ok()?);
            Observation::Register { thread, register, value }
        }
        None => Observation::Location { at: location(what.chars().next()?)?, value },
    })
}

fn location(name: char) -> Option<usize> {
    ['x', 'y', 'z', 'w'].iter().position(|other| *other == name)
}

fn thread(text: &str) -> Option<Vec<Statement>> {
    let mut body: Vec<Statement> = Vec::new();
    for word in text.split_whitespace() {
        let into = body.iter().filter(|statement| statement.target().is_some()).count();
        body.push(statement(word, into)?);
    }
    Some(body)
}

/// A word as a statement; if it reads, into that register.
fn statement(word: &str, into: usize) -> Option<Statement> {
    if let Some(order) = word.strip_prefix('F') {
        let order = if order.is_empty() { "sc" } else { order };
        return Some(Statement::Fence { order: self::order(order)? });
    }
    let (what, order) = match word.split_once('.') {
        Some((what, order)) => (what, self::order(order)?),
        None => (word, Order::Relaxed),
    };
    let letters: Vec<char> = what.chars().collect();
    let at = location(*letters.get(1)?)?;
    let value = |index: usize| letters.get(index)?.to_digit(10);
    let constant = |index: usize| value(index).map(Value::Constant);
    match (letters.first()?, letters.len()) {
        ('R', 2) => Some(Statement::Load { into, at, order }),
        ('W', 3) => Some(Statement::Store { at, value: constant(2)?, order }),
        ('U', 3) => Some(Statement::Exchange { into, at, value: constant(2)?, order }),
        ('C', 4) => {
            let (expected, new) = (constant(2)?, constant(3)?);
            Some(Statement::CompareExchange { into, at, expected, new, order, succeeded: None })
        }
        _ => None,
    }
}

fn order(text: &str) -> Option<Order> {
    match text {
        "acq" => Some(Order::Acquire),
        "rel" => Some(Order::Release),
        "ar" => Some(Order::AcqRel),
        "sc" => Some(Order::SeqCst),
        _ => None,
    }
}
