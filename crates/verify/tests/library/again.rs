//! Machines use memory again: no answer depends on what was asked before, by whom, or how it went.

use super::{compile, lasting};
use selvedge_verify::{
    Detail, Explorer, Explores, Memories, Model, Observer, Outcome, Request, Statistics, Verdict, Verifier,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// Everything that a single worker says.
fn all_of(outcome: &Outcome) -> String {
    let Outcome { statistics, stage, given_up, is_vacuous, .. } = outcome;
    let found: Vec<_> = outcome.violations.iter().map(|found| (&found.found, &found.cuts)).collect();
    format!("{} {statistics:?} {stage:?} {given_up:?} {is_vacuous} {found:?}", lasting(outcome))
}

fn answer(verifier: &Verifier, request: &Request) -> String {
    verifier.verify(request).map_or_else(|error| error.to_string(), |outcome| all_of(&outcome))
}

/// The same program, of which nobody has asked anything.
fn anew(verifier: &Verifier) -> Verifier {
    Verifier::new(verifier.program().clone())
}

/// Requests of all kinds, by one worker.
fn requests() -> Vec<Request> {
    let mut requests = vec![Request::default(), Request::default().all_violations()];
    for model in Model::ALL {
        for explorer in Explorer::ALL.iter().filter(|explorer| explorer.about().goes_with(*model)) {
            let mut request = Request::default().model(*model).explorer(*explorer).all_violations();
            request.limits.executions = Some(40);
            requests.push(request);
        }
    }
    requests.push(Request::default().robustness(Model::Tso));
    let mut bounded = Request::default().model(Model::Pso);
    (bounded.bounds.unroll, bounded.bounds.spurious_wakeups) = (Some(2), 1);
    requests.push(bounded);
    let as_found: Vec<Request> = requests.iter().cloned().map(Request::as_found).collect();
    requests.into_iter().chain(as_found).map(|request| request.workers(1)).collect()
}

#[test]
fn the_answer_is_the_same_however_often_it_is_asked() {
    let memories = Memories::default();
    let programs = ["examples/lost_update.c", "examples/store_buffering.c", "examples/peterson.c"];
    let verifiers = programs.map(compile);
    let shared = [0, 1, 2].map(|number| anew(&verifiers[number]).sharing(&memories));
    let requests = requests();
    let cases: Vec<(usize, &Request)> = (0..programs.len())
        .flat_map(|program| requests.iter().map(move |request| (program, request)))
        .collect();
    let first: Vec<String> =
        cases.iter().map(|(program, request)| answer(&anew(&verifiers[*program]), request)).collect();
    // One after the other, in another order each time, which brings programs and models together in other ways.
    for round in 0..50 {
        let step = [1, 7, 11, 13][round % 4];
        let at = (round * 29 + step) % cases.len();
        let (program, request) = cases[at];
        assert_eq!(answer(&shared[program], request), first[at], "{} {request:?}", programs[program]);
    }
    for step in [1, 7] {
        for number in 0..cases.len() {
            let at = number * step % cases.len();
            let (program, request) = cases[at];
            assert_eq!(answer(&shared[program], request), first[at], "{} {request:?}", programs[program]);
        }
    }
    // The same request, again and again.
    for at in [0, 1, cases.len() - 1] {
        let (program, request) = cases[at];
        assert!((0..50).all(|_| answer(&shared[program], request) == first[at]), "{request:?}");
    }
    assert!((1..=8).contains(&memories.kept()), "{}", memories.kept());
}

#[test]
fn the_answer_is_the_same_whoever_else_asks() {
    let verifier = compile("examples/store_buffering.c");
    let mut requests = requests();
    // Several workers find the same, but not always in as many steps.
    let several: Vec<Request> = requests.iter().take(2).cloned().map(|request| request.workers(3)).collect();
    requests.extend(several);
    let answer = |verifier: &Verifier, request: &Request| {
        verifier.verify(request).map_or_else(|error| error.to_string(), |outcome| lasting(&outcome))
    };
    let first: Vec<String> = requests.iter().map(|request| answer(&anew(&verifier), request)).collect();
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let (requests, first, verifier) = (&requests, &first, &verifier);
            threads.spawn(move || {
                for number in 0..2 * requests.len() {
                    let at = (number * (thread + 1) + thread) % requests.len();
                    assert_eq!(answer(verifier, &requests[at]), first[at], "{:?}", requests[at]);
                }
            });
        }
    });
}

/// Fails in the middle.
struct Failing;

impl Observer for Failing {
    fn progress(&mut self, statistics: &Statistics, _: Option<selvedge_verify::run::Estimating<'_>>) {
        if statistics.executions == 3 {
            std::panic::resume_unwind(Box::new(()));
        }
    }
}

#[test]
fn whoever_panics_leaves_nothing_behind() {
    let memories = Memories::default();
    let verifier = compile("examples/peterson.c").sharing(&memories);
    let request = Request::default().explorer(Explorer::Exhaustive).workers(1);
    let first = answer(&verifier, &request);
    assert_eq!(memories.kept(), 1);
    let never = AtomicBool::new(false);
    let failing = || verifier.verify_with(&request, &mut Failing, &never).map(|_| ());
    assert!(catch_unwind(AssertUnwindSafe(failing)).is_err());
    assert_eq!(memories.kept(), 0);
    assert_eq!(answer(&verifier, &request), first);
    assert_eq!(memories.kept(), 1);
}

#[test]
fn violations_can_be_had_as_they_are_found() {
    let verifier = compile("examples/lost_update.c");
    for request in [
        Request::default(),
        Request::default().all_violations(),
        Request::default().explorer(Explorer::Source),
        Request::default().model(Model::Rc11),
    ] {
        let told = verifier.verify(&request).expect("an answer");
        let as_found = verifier.verify(&request.clone().as_found()).expect("an answer");
        assert_eq!((told.verdict, as_found.verdict), (Verdict::Violation, Verdict::Violation));
        assert_eq!(told.violations.len(), as_found.violations.len(), "{request:?}");
        assert_eq!((told.statistics, told.stage), (as_found.statistics, as_found.stage));
        for (told, as_found) in told.violations.iter().zip(&as_found.violations) {
            assert!(told.violation.kind == as_found.violation.kind && !told.execution.steps.is_empty());
            assert!(as_found.execution.steps.is_empty() && as_found.schedule == as_found.found);
            if told.form == as_found.form {
                assert_eq!(told.found, as_found.found);
            }
        }
    }
    // Graphs have found it in place of steps.
    let found = |detail| {
        let outcome = verifier.verify(&Request { detail, ..Request::default() }).expect("an answer");
        outcome.violations.first().map(|found| found.form)
    };
    assert_eq!(found(Detail::Told), Some(Explores::Steps));
    assert_eq!(found(Detail::AsFound), Some(Explores::Graphs));
}
