//! Boolean constraints over the order of events.
//!
//! An [`OrderSolver`] has events, a partial order of them that always holds ([`OrderSolver::fixed`]), literals "this event is
//! before that one" ([`OrderSolver::before`]), further Boolean variables, and clauses. [`OrderSolver::solve`] looks for a total
//! order of the events that satisfies all clauses, or says which of the assumptions are in the way. Predictive analyses ask such
//! questions: may these events of an observed execution also happen in an order in which that read gets another value?
//!
//! ```
//! use selvedge_solve::{Answer, OrderSolver};
//!
//! let mut order = OrderSolver::new();
//! let [lock_a, unlock_a, lock_b, unlock_b] = [(); 4].map(|()| order.event());
//! order.fixed(lock_a, unlock_a);
//! order.fixed(lock_b, unlock_b);
//! // Critical sections do not overlap.
//! let (first_a, first_b) = (order.before(unlock_a, lock_b), order.before(unlock_b, lock_a));
//! order.clause(&[first_a, first_b]);
//!
//! let b_begins = order.before(lock_b, unlock_a);
//! let Answer::Sat(model) = order.solve(&[b_begins]) else { panic!() };
//! assert_eq!(model.sequence(), [lock_b, unlock_b, lock_a, unlock_a]);
//! assert!(matches!(order.solve(&[!first_a, !first_b]), Answer::Unsat(_)));
//! ```
//!
//! | module | |
//! | --- | --- |
//! | [`order`] | the interface |
//! | [`fixed`] | what always holds: chains of events, and clocks |
//! | [`theory`] | what the literals assigned so far say about the order: conflicts, consequences, explanations |
//! | `host` | the search: `batsat`, a solver for clauses, with the theory beside it |
//! | `gates` | literals for conjunctions and disjunctions |
//! | `linearise` | from a partial order to the sequence that is most like the observed one |
//! | [`naive`] | ground truth for tests: problems as plain data, solved by brute force, and as text for other solvers |
//!
//! *Invariants:* nothing here knows programs. The same calls in the same order give the same answers, on every machine.

#![warn(missing_docs)]

pub mod fixed;
mod gates;
mod host;
mod linearise;
mod literal;
pub mod naive;
pub mod order;
pub mod theory;

pub use literal::{Event, Lit};
pub use order::{Answer, Model, OrderSolver, Statistics};

#[cfg(test)]
mod tests;
