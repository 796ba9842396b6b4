//! Dynamic partial-order reduction: explore one execution, see which of its steps race, and try the other
//! order of those only.
//!
//! | module | what it is about |
//! | --- | --- |
//! | [`dependence`](crate::core::dependence) | what an operation touches, and when the order of two matters |
//! | [`partial_order`] | the present execution as a partial order, and its races |
//! | [`walk`] | the walk through the tree of executions |
//! | [`tree`], [`branch`], [`wakeup`] | what is to be tried from a node: wake-up trees, their branches, where a sequence belongs |
//! | [`classic`], [`source`], [`optimal`], [`bounded`] | what is done about a race: all that the algorithms differ in |
//! | [`sharing`], [`requests`] | several workers on one exploration |
//! | [`classes`] | counts what there is to explore |
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
pub mod optimal;
pub mod partial_order;
mod requests;
mod sharing;
pub mod source;
mod tree;
mod wakeup;
pub mod walk;
