//! How many executions there will be: `selvedge check --estimate`, and the progress line.

use crate::arguments::{CheckOptions, Format};
use crate::{check, interrupt, output};
use selvedge_verify::{Estimate, Verifier};
use serde_json::json;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long walks are made if no time limit is given.
const SECONDS: f64 = 1.0;
/// The spread, in standard errors to both sides: 95 of 100 estimates are that near.
const ERRORS: f64 = 1.96;

/// Prints an estimate.
pub fn run(verifier: &Verifier, options: &CheckOptions) -> ExitCode {
    let cancel = interrupt::watch();
    let until = Instant::now() + Duration::from_secs_f64(options.time_limit.unwrap_or(SECONDS));
    let goes_on = || Instant::now() < until && !cancel.load(Ordering::Relaxed);
    let request = options.request(None);
    let estimate = match verifier.estimate(&request, &goes_on) {
        Ok(estimate) => estimate,
        Err(error) => return check::fail(verifier, &request, &error),
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
