//! How many executions there will be: `selvedge check --estimate`, and the progress line.

use crate::arguments::{CheckOptions, Format};
use crate::model::Systems;
use crate::{check, interrupt, output};
use selvedge_explore::estimate::{Estimate, Estimator};
use selvedge_explore::{Session, Settings, Statistics, graph};
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_vm::{FaultKind, Image};
use serde_json::json;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long walks are made if no time limit is given.
const SECONDS: f64 = 1.0;
/// So many standard errors to both sides: 95 of 100 estimates are that near.
const ERRORS: f64 = 1.96;

/// Runs at random until a time, differently at each turn; `None` if the program cannot be started or ends before it begins.
pub fn estimate_steps<'i>(
    systems: impl Systems,
    options: &CheckOptions,
    image: &'i Image<'i>,
    turn: u64,
    until: Instant,
) -> Option<Estimate> {
    let (system, first) = systems.start(image, check::config(options), check::bounds(options)).ok()?;
    // Here nothing is wrong: walks go on to their ends.
    let settings = Settings { allowed: FaultKind::ALL.to_vec(), keep_going: true, ..Settings::default() };
    let interrupted = interrupt::watch();
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings, interrupted, &mut silent);
    if session.ended_at_start() {
        return Some(Estimate { walks: 1, executions: 1.0, error: 0.0 });
    }
    let mut estimator = Estimator::new(&mut session, options.seed.wrapping_add(turn << 32));
    loop {
        estimator.walk(&mut session);
        if Instant::now() >= until || interrupted.load(Ordering::Relaxed) {
            return Some(estimator.estimate());
        }
    }
}

/// The same for execution graphs.
pub fn estimate_graphs<'i, A: Axioms, M: Systems<System<'i> = Axiomatic<'i, A>>>(
    systems: M,
    options: &CheckOptions,
    image: &'i Image<'i>,
    turn: u64,
    until: Instant,
) -> Option<Estimate> {
    loop {
        let (system, first) = systems.start(image, check::config(options), check::bounds(options)).ok()?;
        let settings = Settings { allowed: FaultKind::ALL.to_vec(), keep_going: true, ..Settings::default() };
        let interrupted = interrupt::watch();
        let mut silent = |_: &Statistics| {};
        let mut session = Session::new(system, first, settings, interrupted, &mut silent);
        if session.ended_at_start() {
            return Some(Estimate { walks: 1, executions: 1.0, error: 0.0 });
        }
        let seed = options.seed.wrapping_add(turn << 32);
        let goes_on = || Instant::now() < until && !interrupted.load(Ordering::Relaxed);
        let estimate = graph::estimate(&mut session, seed, goes_on);
        match session.unsupported.take() {
            Some(reached) if !reached.cuts.is_empty() => systems.cut(&reached.cuts),
            _ => return Some(estimate),
        }
    }
}

/// Prints an estimate.
pub fn run<'i>(systems: impl Systems, options: &CheckOptions, image: &'i Image<'i>) -> ExitCode {
    let until = Instant::now() + Duration::from_secs_f64(options.time_limit.unwrap_or(SECONDS));
    let Some(estimate) = systems.estimate(options, image, 0, until) else {
        return ExitCode::from(crate::exit_code::BAD_INPUT);
    };
    let (low, high) = range(&estimate);
    match options.format {
        Format::Json => {
            let result = json!({
                "tool": "selvedge",
                "version": env!("CARGO_PKG_VERSION"),
                "estimate": {
                    "executions": estimate.executions.round(),
                    "error": estimate.error,
                    "low": low.round(),
                    "high": high.round(),
                    "walks": estimate.walks,
                },
            });
            output::print(&format!("{result:#}\n"));
        }
        Format::Text => {
            output::print(&format!("{} executions, from {} random ones\n", words(&estimate), estimate.walks));
        }
    }
    ExitCode::SUCCESS
}

/// What is within the error.
fn range(estimate: &Estimate) -> (f64, f64) {
    let low = (estimate.executions - ERRORS * estimate.error).max(1.0);
    (low, estimate.executions + ERRORS * estimate.error)
}

/// An estimate for people.
pub fn words(estimate: &Estimate) -> String {
    let (low, high) = range(estimate);
    format!("about {} ({} to {})", rounded(estimate.executions), rounded(low), rounded(high))
}

/// A number with three digits that mean something.
fn rounded(number: f64) -> String {
    if number < 1e15 {
        let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 - 2).max(0));
        let whole = ((number / unit).round() * unit) as u64;
        let digits = whole.to_string();
        let groups: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| std::str::from_utf8(group).unwrap_or_default())
            .collect();
        return groups.join(",");
    }
    format!("{number:.2e}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_rounded_for_people() {
        assert_eq!(super::rounded(1.2), "1");
        assert_eq!(super::rounded(123.4), "123");
        assert_eq!(super::rounded(218_243.0), "218,000");
        assert_eq!(super::rounded(1_999_999.0), "2,000,000");
        assert_eq!(super::rounded(2.5e18), "2.50e18");
    }
}
