//! Dynamic partial-order reduction: explore one execution, see which of its steps race, and try the other
//! order of those only.
//!
//! [`dependence`] says when the order of two operations matters, [`happens_before`] orders the events of an
//! execution by it, [`classic`] is the algorithm of Flanagan and Godefroid.

pub mod classic;
pub mod dependence;
pub mod happens_before;
