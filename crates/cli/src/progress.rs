//! The progress line: on a terminal only, and gone at the end.

use crate::estimate;
use selvedge_verify::run::Estimating;
use selvedge_verify::{Estimate, Statistics};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often it is written.
const INTERVAL: Duration = Duration::from_millis(200);
/// The clock is read at each of this many calls.
const CALLS: u32 = 64;
/// When the total is estimated for the first time; then each time twice as long has passed.
const FIRST_ESTIMATE: Duration = Duration::from_secs(1);
/// The part of the time that estimates may take.
const SHARE: u32 = 8;

/// The line.
pub struct Progress {
    start: Instant,
    next: Instant,
    calls: u32,
    shown: bool,
    terminal: bool,
    estimate: Option<Estimate>,
    next_estimate: Duration,
}

impl Progress {
    /// Begins.
    pub fn new() -> Self {
        let start = Instant::now();
        Self {
            start,
            next: start + INTERVAL,
            calls: 0,
            shown: false,
            terminal: std::io::stderr().is_terminal(),
            estimate: None,
            next_estimate: FIRST_ESTIMATE,
        }
    }

    /// Called between executions; `estimating` is asked now and then.
    pub fn update(&mut self, statistics: &Statistics, estimating: Option<Estimating<'_>>) {
        self.calls += 1;
        if !self.terminal || !self.calls.is_multiple_of(CALLS) || Instant::now() < self.next {
            return;
        }
        let elapsed = self.start.elapsed();
        if elapsed >= self.next_estimate
            && let Some(estimating) = estimating
        {
            if let Some(new) = estimating(elapsed / SHARE) {
                self.estimate = Some(self.estimate.map_or(new, |old| old.with(new)));
            }
            self.next_estimate = 2 * elapsed;
        }
        let seconds = elapsed.as_secs_f64();
        let rate = statistics.executions as f64 / seconds;
        let total = self
            .estimate
            .map_or(String::new(), |estimate| format!(", of {} altogether", estimate::words(&estimate)));
        eprint!(
            "\r\x1b[K{} executions{total}, {} steps, {rate:.0} executions per second, {seconds:.0} s",
            statistics.executions, statistics.steps
        );
        // A progress line that cannot be written is no reason to stop.
        let _ = std::io::stderr().flush();
        self.shown = true;
        self.next = Instant::now() + INTERVAL;
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
        }
    }
}
