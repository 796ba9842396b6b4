//! Looks at steps while graphs are explored.
//!
//! Graphs that are explored in place of steps must not cost more than they may bring:
//!
//! * Of a time limit, they have half. They are mostly more than twice as fast as steps, so what steps can explore in the whole
//!   time is explored by then; and what only steps find soon is found in the other half.
//! * Without a time limit, nothing is lost but time. Now and then steps are explored for a small part of what has been
//!   explored so far: if they come to something wrong, or to their end, graphs are given up. When this is, is told by the number
//!   of steps; and what steps then find, they find whenever that is.

use crate::request::Request;
use crate::systems::{InOrder, Systems};
use crate::verifier::Verifier;
use selvedge_explore::Explorer;
use selvedge_explore::steps::dpor;
use selvedge_explore::{Session, Settings, Statistics};
use std::sync::atomic::{AtomicBool, Ordering};

/// After so many steps, steps are looked at for the first time; then each time there are [`AGAIN`] times as many.
const FIRST_LOOK: u64 = 1 << 20;
/// See [`FIRST_LOOK`].
const AGAIN: u64 = 4;
/// The part of the steps so far that are taken then.
const SHARE: u64 = 32;

/// Looks from time to time how far steps come.
pub(crate) struct Scout<'a> {
    verifier: &'a Verifier,
    request: &'a Request,
    next: u64,
    cancel: &'a AtomicBool,
}

impl<'a> Scout<'a> {
    /// One that has not looked yet.
    pub(crate) fn new(verifier: &'a Verifier, request: &'a Request, cancel: &'a AtomicBool) -> Self {
        Self { verifier, request, next: FIRST_LOOK, cancel }
    }

    /// Called between executions of graphs; `enough` is set if they are to be given up.
    pub(crate) fn update(&mut self, statistics: &Statistics, enough: &AtomicBool) {
        let is_cancelled = self.cancel.load(Ordering::Relaxed);
        if is_cancelled || self.is_time_to_look(statistics.steps) && self.look(statistics.steps / SHARE) {
            enough.store(true, Ordering::Relaxed);
        }
    }

    fn is_time_to_look(&mut self, steps: u64) -> bool {
        let is_time = steps >= self.next;
        if is_time {
            self.next = steps.saturating_mul(AGAIN);
        }
        is_time
    }

    /// Whether so many steps are enough to find something, or to explore everything.
    fn look(&self, budget: u64) -> bool {
        let explorer = Explorer::Optimal;
        let started = self.verifier.start(self.request, explorer).and_then(|start| InOrder.start(&start));
        let Ok((system, first)) = started else { return false };
        let settings = Settings { keep_going: false, ..self.request.settings(explorer) };
        let enough = AtomicBool::new(false);
        let mut observer = |statistics: &Statistics| {
            let is_cancelled = self.cancel.load(Ordering::Relaxed);
            enough.fetch_or(statistics.steps >= budget || is_cancelled, Ordering::Relaxed);
        };
        let mut session = Session::new(system, first, settings, &enough, &mut observer);
        dpor::optimal::explore(&mut session);
        !session.found.is_empty() || session.limits_reached.is_empty()
    }
}
