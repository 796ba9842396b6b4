//! Estimates of how many executions there will be, on programs where that is known.

use crate::exploring::{in_session, no_races};
use crate::graphs::count_graphs;
use crate::programs::counted;
use selvedge_explore::graphs;
use selvedge_explore::steps::estimate::Estimator;
use selvedge_explore::{Estimate, Settings};
use selvedge_memory::axiomatic::{Axiomatic, Rc11};
use selvedge_memory::{Bounds, LookAhead, ReleaseSequences};
use selvedge_program::Program;
use selvedge_testing::{Statement, exchange, load, store, threads, until, wait_until};
use selvedge_vm::{Config, Image};

fn estimate(program: &Program, seed: u64, walks: u64) -> Estimate {
    let settings = Settings { look_ahead: LookAhead::On, ..no_races() };
    in_session(program, settings, |session| {
        let mut estimator = Estimator::new(session, seed);
        (0..walks).for_each(|_| estimator.walk(session));
        estimator.estimate()
    })
}

/// The mean is the number of classes, as far as the error lets it be; the error of one class is nothing.
#[test]
fn the_mean_is_the_number_of_classes() {
    // What a waiter does is not known beforehand, and what readers of a lock do is estimated as if they waited.
    let is_exact = |name: &str| !name.contains("lock") && !name.contains("once");
    for known in counted().into_iter().filter(|known| is_exact(known.name)) {
        let Estimate { walks, executions, error } = estimate(&known.program, 7, 1500);
        assert_eq!(walks, 1500);
        let difference = (executions - known.classes as f64).abs();
        assert!(
            difference <= 5.0 * error + 1e-6,
            "{}: {executions} ± {error}, not {}",
            known.name,
            known.classes
        );
        if known.classes == 1 {
            assert!(error < 1e-6, "{}: {error}", known.name);
        }
    }
}

/// Where threads wait for a value, the value is followed: rounds that lead nowhere are no executions.
#[test]
fn waiting_for_values_is_estimated() {
    let enter = || vec![until("a", 0, [exchange("l", 1).into("a")]), store("l", 0)];
    let crossing = |own, other| -> Vec<Statement> { vec![store(own, 1), wait_until(other, 1)] };
    let looks = vec![wait_until("x", 3), load("y").into("b")];
    let counts = vec![store("x", 1), store("x", 2), store("y", 1), store("x", 3), store("y", 2)];
    for (name, program, classes) in [
        ("three enter", threads([enter(), enter(), enter()]), 6.0),
        ("two wait for each other", threads([crossing("x", "y"), crossing("y", "x")]), 1.0),
        ("one of many values", threads([looks, counts]), 2.0),
    ] {
        let Estimate { executions, error, .. } = estimate(&program.build(), 7, 1500);
        assert!((executions - classes).abs() <= 5.0 * error + 1e-6, "{name}: {executions} ± {error}");
        assert!(error < 0.2, "{name}: {error}");
    }
}

#[test]
fn estimates_follow_from_the_seed() {
    let program = &counted()[3].program;
    assert_eq!(estimate(program, 1, 20), estimate(program, 1, 20));
    assert_ne!(estimate(program, 1, 3).executions, f64::NAN);
}

/// Two estimates together are weighted by their walks.
#[test]
fn estimates_are_put_together() {
    let one = Estimate { walks: 3, executions: 10.0, error: 4.0 };
    let other = Estimate { walks: 1, executions: 20.0, error: 0.0 };
    let both = one.with(other);
    assert_eq!((both.walks, both.executions, both.error), (4, 12.5, 3.0));
    let nothing = Estimate::default();
    assert_eq!(one.with(nothing), one);
}

/// The same for graphs, by walks down the tree of the exploration.
#[test]
fn the_mean_is_the_number_of_graphs() {
    for known in counted().into_iter().take(9) {
        let image = Image::for_graphs(&known.program).expect("a program");
        let system = Axiomatic::<Rc11>::new(
            &image,
            Config::default(),
            Bounds::default(),
            Vec::new(),
            ReleaseSequences::default(),
        );
        let expected = count_graphs::<Rc11>(&known.program) as f64;
        let Estimate { executions, error, .. } =
            crate::exploring::with_session(system.expect("a machine"), no_races(), |session| {
                let mut left = 2000;
                graphs::estimate(session, 3, || {
                    left -= 1;
                    left > 0
                })
            });
        let difference = (executions - expected).abs();
        assert!(difference <= 5.0 * error + 1e-6, "{}: {executions} ± {error}, not {expected}", known.name);
    }
}
