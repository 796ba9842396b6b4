//! Who asks can say when it is enough: beforehand, or when that is.

use super::{Impatient, compile, compile_with};
use selvedge_verify::{Explorer, Limit, Model, Request, Verdict, Verifier};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What nobody waits for.
const LONG: Duration = Duration::from_secs(30);

/// A program that nobody will ever have explored.
fn endless() -> Verifier {
    compile_with("bench/programs/readers.c", &["-DN=40"])
}

/// Requests that go about it in different ways: by steps, and by graphs.
fn requests() -> Vec<Request> {
    let graphs = [Request::default(), Request::default().model(Model::Rc11).workers(2)];
    by_steps().into_iter().chain(graphs).collect()
}

fn by_steps() -> Vec<Request> {
    vec![
        Request::default().explorer(Explorer::Exhaustive),
        Request::default().explorer(Explorer::Optimal).workers(2),
        Request::default().explorer(Explorer::Vieq).workers(1),
        Request::default().explorer(Explorer::SeMcr).workers(2),
        Request::default().model(Model::Tso).workers(1),
    ]
}

#[test]
fn somebody_else_can_cancel() {
    let verifier = endless();
    for request in requests() {
        let cancel = AtomicBool::new(false);
        let start = Instant::now();
        let outcome = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                cancel.store(true, Ordering::Relaxed);
            });
            verifier.verify_with(&request, &mut selvedge_verify::Silent, &cancel).expect("an answer")
        });
        assert_eq!(outcome.verdict, Verdict::Incomplete, "{request:?}");
        assert_eq!(outcome.limits, [Limit::Interrupted], "{request:?}");
        assert!(start.elapsed() < LONG && start.elapsed() >= Duration::from_millis(100));
    }
}

#[test]
fn what_is_cancelled_before_it_begins_ends_at_once() {
    let verifier = endless();
    for request in requests() {
        let cancel = AtomicBool::new(true);
        let mut observer = Impatient { cancel: &cancel, begun: 0, told: 0 };
        let outcome = verifier.verify_with(&request, &mut observer, &cancel).expect("an answer");
        assert_eq!((outcome.verdict, observer.begun), (Verdict::Incomplete, 1), "{request:?}");
        assert!(outcome.statistics.executions <= 2, "{request:?} {:?}", outcome.statistics);
    }
}

#[test]
fn deadlines_are_met() {
    let verifier = endless();
    for request in requests() {
        let start = Instant::now();
        let outcome =
            verifier.verify(&request.clone().within(Duration::from_millis(200))).expect("an answer");
        assert_eq!(outcome.verdict, Verdict::Incomplete, "{request:?}");
        assert_eq!(outcome.limits, [Limit::Time], "{request:?}");
        let time = start.elapsed();
        assert!(time >= Duration::from_millis(200) && time < LONG, "{request:?} {time:?}");
    }
}

#[test]
fn a_deadline_that_is_over_leaves_little_time() {
    let verifier = endless();
    for request in requests() {
        let outcome = verifier.verify(&request.clone().within(Duration::ZERO)).expect("an answer");
        assert_eq!(outcome.limits, [Limit::Time], "{request:?}");
        assert!(outcome.statistics.executions <= 2, "{request:?} {:?}", outcome.statistics);
    }
}

/// What is found before the deadline counts, although others would be found after it.
#[test]
fn what_was_found_by_then_is_the_answer() {
    let verifier = compile("examples/lost_update.c");
    let mut request = Request::default().explorer(Explorer::Optimal).workers(1).all_violations();
    request.limits.executions = Some(1);
    let all = verifier.verify(&Request { limits: Default::default(), ..request.clone() }).expect("an answer");
    let some = verifier.verify(&request).expect("an answer");
    assert!(all.limits.is_empty() && all.statistics.executions > 1);
    assert_eq!((some.limits, some.statistics.executions), (vec![Limit::Executions(1)], 1));
}

/// Each has a limit of its own.
#[test]
fn several_at_once_are_stopped_one_by_one() {
    let (long, short) = (endless(), compile("examples/peterson.c"));
    let cancel = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let endless = threads.spawn(|| {
            let request = Request::default().explorer(Explorer::Optimal).workers(1);
            long.verify_with(&request, &mut selvedge_verify::Silent, &cancel).expect("an answer")
        });
        for _ in 0..20 {
            let outcome = short.verify(&Request::default()).expect("an answer");
            assert_eq!(outcome.verdict, Verdict::Verified);
        }
        assert!(!endless.is_finished());
        cancel.store(true, Ordering::Relaxed);
        let outcome = endless.join().expect("no panic");
        assert_eq!(outcome.limits, [Limit::Interrupted]);
    });
}
