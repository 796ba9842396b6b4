//! Dynamic partial-order reduction: explore one execution, see which of its steps race, and try the other
//! order of those only.
//!
//! [`dependence`] says when the order of two operations matters, [`happens_before`] orders the events of an
//! execution by it, [`source`] explores by source sets.

pub mod dependence;
pub mod happens_before;
pub mod source;
