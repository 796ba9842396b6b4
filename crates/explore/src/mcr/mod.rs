//! Maximal causality reduction.

mod causality;
mod cells;
mod predict;
mod seeds;
mod seen;

pub(crate) use predict::Predicted;

use crate::Session;
use crate::vieq::{self, Counts, Method};
use selvedge_memory::System;

/// Explores: MCR.
pub fn explore<S: System>(session: &mut Session<'_, S>, workers: usize, predicts: bool) -> Counts {
    let method = Method { run: seeds::find_all, wants_order: true, is_frugal: false };
    vieq::explore_by(method, predicts.then_some(predict::predict), session, workers)
}

/// Explores: SE-MCR.
pub fn explore_switching<S: System>(session: &mut Session<'_, S>, workers: usize, predicts: bool) -> Counts {
    let method = Method { run: seeds::find_new, wants_order: true, is_frugal: true };
    vieq::explore_by(method, predicts.then_some(predict::predict), session, workers)
}
