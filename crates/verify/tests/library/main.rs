//! Verification as a function: one program asked often, several at once, plans, and what graphs find told by steps.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod again;
mod limits;

use selvedge_verify::contradiction::Purpose;
use selvedge_verify::{
    Contradiction, Control, Error, Explorer, Explores, Model, Observer, Outcome, Recorded, Replayed, Request,
    Sources, Stage, Statistics, Verdict, Verifier, Why,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn compile(name: &str) -> Verifier {
    compile_with(name, &[])
}

fn compile_with(name: &str, flags: &[&str]) -> Verifier {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let flags = ["-w"].iter().chain(flags).map(Into::into).collect();
    let sources = Sources { files: vec![root.join(name)], flags };
    Verifier::compile(&sources, &Request::default()).expect("it compiles")
}

/// What is the same whenever a request is answered.
fn lasting(outcome: &Outcome) -> String {
    let violations: Vec<String> = outcome
        .violations
        .iter()
        .map(|found| format!("{} {:?} {:?}", found.violation.message, found.schedule, found.execution.steps))
        .collect();
    let Outcome { verdict, limits, statistics, explorer_name, model, .. } = outcome;
    // Rounds of waiting loops that lead nowhere are not always taken back at the same point.
    let executions = (statistics.executions, statistics.blocked);
    format!("{verdict:?} {limits:?} {executions:?} {explorer_name} {model:?} {violations:?}")
}

#[test]
fn several_verifications_at_once_give_what_each_gives_alone() {
    let programs = ["examples/lost_update.c", "examples/peterson.c", "examples/store_buffering.c"];
    let verifiers: Vec<Verifier> = programs.iter().map(|name| compile(name)).collect();
    let mut requests = Vec::new();
    for (program, verifier) in verifiers.iter().enumerate() {
        for model in Model::ALL {
            for workers in [1, 2] {
                requests.push((program, verifier, Request::default().model(*model).workers(workers)));
            }
        }
        requests.push((program, verifier, Request::default().explorer(Explorer::Vieq)));
        requests.push((program, verifier, Request::default().robustness(Model::Tso)));
        requests.push((program, verifier, Request::default().all_violations()));
    }
    let answer = |verifier: &Verifier, request: &Request| {
        verifier.verify(request).map_or_else(|error| error.to_string(), |outcome| lasting(&outcome))
    };
    let alone: Vec<String> =
        requests.iter().map(|(_, verifier, request)| answer(verifier, request)).collect();
    let together: Vec<String> = std::thread::scope(|threads| {
        let started: Vec<_> = requests
            .iter()
            .map(|(_, verifier, request)| threads.spawn(|| answer(verifier, request)))
            .collect();
        started.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for (((program, _, request), alone), together) in requests.iter().zip(alone).zip(together) {
        assert_eq!(alone, together, "{} {request:?}", programs[*program]);
    }
}

#[test]
fn a_program_is_compiled_once_and_asked_often() {
    let verifier = compile("examples/store_buffering.c");
    let verdict = |model| verifier.verify(&Request::default().model(model)).expect("an answer").verdict;
    for _ in 0..3 {
        assert_eq!(verdict(Model::Sc), Verdict::Verified);
        assert_eq!(verdict(Model::Tso), Verdict::Violation);
        assert_eq!(verdict(Model::Pso), Verdict::Violation);
    }
}

#[test]
fn a_plan_says_what_is_run_and_why() {
    let verifier = compile("examples/lost_update.c");
    let why = |request: &Request| {
        let plan = verifier.plan(request).expect("it makes sense");
        plan.stages.iter().map(|stage| (stage.explorer, stage.why)).collect::<Vec<_>>()
    };
    let last = (Explorer::Optimal, Why::IfGraphsAreNotEnough);
    assert_eq!(why(&Request::default()), [(Explorer::Graph, Why::Sooner), last]);
    assert_eq!(why(&Request::default().all_violations()), [(Explorer::Graph, Why::SoonerIfRight), last]);
    assert_eq!(why(&Request::default().model(Model::Tso)), [(Explorer::Optimal, Why::FitsModel)]);
    assert_eq!(why(&Request::default().model(Model::Rc11)), [(Explorer::Graph, Why::FitsModel)]);
    assert_eq!(why(&Request::default().explorer(Explorer::Source)), [(Explorer::Source, Why::Asked)]);
    // Condition variables are for steps, which is known before.
    let waits = compile("tests/programs/check/cond_while.c");
    let plan = waits.plan(&Request::default().model(Model::Sc)).expect("it makes sense");
    assert_eq!(plan.stages.len(), 1, "{plan:?}");
}

#[test]
fn contradictions_are_data() {
    let verifier = compile("examples/lost_update.c");
    let request = Request::default().model(Model::Rc11).explorer(Explorer::Optimal);
    let expected = Contradiction::NoSteps { explorer: Explorer::Optimal, model: Model::Rc11 };
    assert_eq!(request.contradiction(Purpose::Verify), Err(expected));
    match verifier.verify(&request) {
        Err(Error::Contradiction(found, None)) => assert_eq!(found, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_graphs_find_is_told_by_steps() {
    let verifier = compile("examples/lost_update.c");
    let request = Request::default();
    let outcome = verifier.verify(&request).expect("an answer");
    assert_eq!((outcome.verdict, outcome.stage.explorer), (Verdict::Violation, Explorer::Graph));
    let [found] = outcome.violations.as_slice() else { panic!("one violation is wanted") };
    assert_eq!(found.form, Explores::Steps);
    let recorded =
        Recorded { model: Model::Sc, explorer: Explorer::Optimal, cuts: &found.cuts, turns: &found.schedule };
    match verifier.replay(&request, &recorded, &|violation| violation.is_same(&found.violation)) {
        Ok(Replayed::Met(again)) => assert_eq!(again.execution.steps, found.execution.steps),
        other => panic!("{other:?}"),
    }
}

/// Counts what it is told, and has enough at some point.
struct Impatient<'c> {
    cancel: &'c AtomicBool,
    begun: u32,
    told: u64,
}

impl Observer for Impatient<'_> {
    fn begins(&mut self, _: &Stage) {
        self.begun += 1;
    }

    fn progress(&mut self, statistics: &Statistics, _: Option<selvedge_verify::run::Estimating<'_>>) {
        self.told += 1;
        if statistics.executions >= 100 {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn violating(&mut self, _: selvedge_trace::graph::ExecutionGraph) -> Control {
        panic!("nobody has asked for that")
    }
}

#[test]
fn who_has_enough_gets_what_is_known() {
    let verifier = compile("examples/peterson.c");
    let cancel = AtomicBool::new(false);
    let mut observer = Impatient { cancel: &cancel, begun: 0, told: 0 };
    let request = Request::default().explorer(Explorer::Exhaustive);
    let outcome = verifier.verify_with(&request, &mut observer, &cancel).expect("an answer");
    assert_eq!(outcome.verdict, Verdict::Incomplete);
    assert_eq!(outcome.limits, [selvedge_verify::Limit::Interrupted]);
    assert!(outcome.statistics.executions >= 100 && observer.told >= 100 && observer.begun == 1);
}

#[test]
fn uninitialised_values_need_locals_in_memory() {
    let verifier = compile("examples/lost_update.c");
    let mut request = Request::default();
    request.properties.uninitialised = true;
    assert!(matches!(
        verifier.verify(&request),
        Err(Error::Contradiction(Contradiction::CompiledWithoutLocals, None))
    ));
}
