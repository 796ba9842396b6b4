//! Dynamic partial-order reduction: explore one execution, see which of its steps race, and try the other
//! order of those only.
//!
//! [`dependence`](crate::core::dependence) says what an operation touches and when the order of two matters, [`order`] keeps the present
//! execution as a partial order and finds its races, [`engine`] walks the tree of executions, [`branch`] is what it
//! has yet to try. What is done about a race is all that the algorithms differ in: [`classic`], [`source`],
//! [`optimal`], and [`bounded`] for executions with few preemptions. [`parallel`] lets several workers explore,
//! [`classes`] counts what there is to explore.
//!
//! If `e'` races with an earlier `e`, then from the node before `e`:
//!
//! | algorithm | tries |
//! | --- | --- |
//! | [`classic`] | a thread that leads to `e'`; if there is none, all |
//! | [`source`] | one label that can begin the sequence `v` of what did not happen after `e`, and then `e'`; unless one of these was tried |
//! | [`optimal`] | all of `v`, as a branch of the node's wake-up tree |
//! | [`bounded`] | the thread of `e'`, there and where the thread of `e` was switched to last; without sleep sets |

pub mod bounded;
pub mod branch;
pub mod classes;
pub mod classic;
pub mod engine;
pub mod optimal;
pub mod order;
pub mod parallel;
pub mod source;
