//! The progress line: on a terminal only, and gone at the end.

use selvedge_explore::Statistics;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often it is written.
const INTERVAL: Duration = Duration::from_millis(200);
/// How often the clock is looked at.
const CALLS: u32 = 64;

/// The line.
pub struct Progress {
    start: Instant,
    next: Instant,
    calls: u32,
    shown: bool,
    terminal: bool,
}

impl Progress {
    /// Begins.
    pub fn new() -> Self {
        let start = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        Self { start, next: start + INTERVAL, calls: 0, shown: false, terminal }
    }

    /// Called between executions.
    pub fn update(&mut self, statistics: &Statistics) {
        self.calls += 1;
        if !self.terminal || !self.calls.is_multiple_of(CALLS) || Instant::now() < self.next {
            return;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = statistics.executions as f64 / seconds;
        eprint!(
            "\r\x1b[K{} executions, {} steps, {rate:.0} executions per second, {seconds:.0} s",
            statistics.executions, statistics.steps
        );
        // A progress line that cannot be written is no reason to stop.
        let _ = std::io::stderr().flush();
        self.shown = true;
        self.next = Instant::now() + INTERVAL;
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
