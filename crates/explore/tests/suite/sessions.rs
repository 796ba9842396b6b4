//! What all explorers share: limits, counts, going back, and violations without repetition.

use crate::executions::line_of;
use crate::exploring::*;
use crate::programs::{broken, counted};
use selvedge_explore::steps::exhaustive;
use selvedge_explore::{Control, Limit, Limits, Progress, Settings, Tally, Turn};
use selvedge_memory::System;
use selvedge_program::SpanId;
use selvedge_testing::*;
use selvedge_trace::Agent;
use selvedge_vm::FaultKind;
use std::time::Instant;

const EXPLORERS: [How; 4] = [How::Exhaustive, How::Optimal { workers: 1 }, How::Source, How::Classic];

fn counters() -> selvedge_program::Program {
    threads((0..4).map(|_| vec![add("x", 1)])).build()
}

#[test]
fn the_limit_of_executions_is_kept_and_said() {
    for how in EXPLORERS {
        let limits = Limits { executions: Some(5), deadline: None };
        let said = explore_with(&counters(), how, Model::Sc, Settings { limits, ..no_races() });
        assert_eq!(said.statistics.executions, 5, "{how:?}");
        assert_eq!(said.limits, [Limit::Executions(5)]);
    }
}

#[test]
fn a_deadline_that_has_passed_stops() {
    for how in EXPLORERS {
        let limits = Limits { executions: None, deadline: Some(Instant::now()) };
        let said = explore_with(&counters(), how, Model::Sc, Settings { limits, ..no_races() });
        assert!(said.statistics.executions < 24, "{how:?}");
        assert!(said.limits.contains(&Limit::Time), "{how:?}");
    }
}

/// The same limit is named once; loops are named together.
#[test]
fn limits_are_named_once() {
    in_session(&counters(), no_races(), |session| {
        for place in [1, 2, 1] {
            session.reach(Limit::Unroll(vec![SpanId(place)]));
        }
        session.reach(Limit::Time);
        session.cut(Limit::Time);
        let expected = [Limit::Unroll(vec![SpanId(1), SpanId(2)]), Limit::Time];
        assert_eq!(session.limits_reached, expected);
        assert_eq!(session.statistics.blocked, 1, "what is cut counts");
        session.redundant();
        assert_eq!(session.statistics.blocked, 2);
    });
}

/// Lets the first of all that can go on do so, until nobody can, or so often.
fn run(session: &mut selvedge_explore::Session<'_, selvedge_memory::Sequential<'_>>, most: usize) {
    let mut enabled: Vec<Agent> = Vec::new();
    for _ in 0..most {
        session.enabled(&mut enabled);
        let Some(agent) = enabled.first().copied() else { return session.finish() };
        session.mark();
        if session.step(Turn { agent, choice: 0 }) == Progress::Ended {
            return;
        }
    }
}

/// Going back restores the schedule, the system and what the checkers know; counts and findings stay.
#[test]
fn going_back_restores_everything_but_counts() {
    for (name, program) in broken() {
        in_session(&program, everything(), |session| {
            run(session, 3);
            let mark = session.mark();
            let schedule = session.schedule().to_vec();
            let (digest, events) = (session.system.machine().digest(), session.system.events().to_vec());
            run(session, 100);
            let (executions, found) = (session.statistics.executions, session.found.len());
            session.rewind(&mark);
            assert_eq!(session.schedule(), schedule, "{name}");
            assert_eq!(session.system.machine().digest(), digest, "{name}");
            assert_eq!(session.system.events(), events, "{name}");
            assert!(session.is_good());
            // The same again: the execution counts once more, but nothing new is found.
            run(session, 100);
            assert_eq!(session.statistics.executions, 2 * executions, "{name}");
            assert_eq!(session.found.len(), found, "{name}");
        });
    }
}

/// A violation is listed once, however often it is found: kind and place tell.
#[test]
fn violations_are_listed_once() {
    for (name, program) in broken() {
        for how in EXPLORERS {
            let found = explore_with(&program, how, Model::Sc, everything()).found;
            for (at, one) in found.iter().enumerate() {
                assert!(!found[..at].iter().any(|other| other.violation.is_same(&one.violation)), "{name}");
            }
        }
    }
}

/// What is allowed is not listed.
#[test]
fn allowed_kinds_are_not_listed() {
    for (name, program) in broken() {
        let all = explore(&program, How::Exhaustive, Model::Sc).found;
        for kind in all.iter().map(|found| found.violation.kind).collect::<Vec<FaultKind>>() {
            // What it would do instead is another question.
            if !matches!(kind, FaultKind::Deadlock | FaultKind::Livelock) {
                continue;
            }
            let allowed = vec![kind, FaultKind::DataRace];
            let said =
                explore_with(&program, How::Exhaustive, Model::Sc, Settings { allowed, ..everything() });
            assert!(said.found.iter().all(|found| found.violation.kind != kind), "{name}");
            assert_eq!(said.found.len() + 1, all.len(), "{name}");
        }
    }
}

/// Who watches sees each execution in which something is wrong, and can end the exploration.
#[test]
fn watchers_see_violating_executions() {
    let (_, program) = broken().swap_remove(0);
    let count = |most: usize| {
        let mut seen = Vec::new();
        let executions = {
            let mut watcher = |schedule: &[Turn], wrong: &[selvedge_check::Violation]| {
                seen.push((schedule.to_vec(), wrong.len()));
                if seen.len() < most { Control::Continue } else { Control::Stop }
            };
            let image = selvedge_vm::Image::new(&program).expect("a program");
            let system = selvedge_memory::Sequential::new(&image, Default::default(), Default::default());
            let (system, first) = system.expect("a machine");
            let interrupted = std::sync::atomic::AtomicBool::new(false);
            let mut observer = |_: &selvedge_explore::Statistics| {};
            let mut session =
                selvedge_explore::Session::new(system, first, no_races(), &interrupted, &mut observer);
            session.watch(&mut watcher);
            exhaustive::explore(&mut session);
            session.statistics.executions
        };
        (seen, executions)
    };
    let (seen, all) = count(usize::MAX);
    assert!(seen.len() > 1 && (seen.len() as u64) < all, "{} of {all}", seen.len());
    assert!(seen.iter().all(|(schedule, wrong)| !schedule.is_empty() && *wrong == 1));
    let (first, executions) = count(1);
    assert_eq!(first.len(), 1);
    assert!(executions < all);
}

/// The sums of all workers are what each has added.
#[test]
fn sums_of_workers_are_complete() {
    let tally = Tally::default();
    assert_eq!(tally.statistics().executions, 0);
    for known in counted().iter().take(3) {
        let said = explore(&known.program, How::Optimal { workers: 2 }, Model::Sc);
        assert_eq!(said.statistics.executions, known.classes);
    }
}

/// The longest execution and all steps are counted.
#[test]
fn steps_are_counted() {
    let program = threads([vec![store("x", 1), store("x", 2)]]).build();
    let said = explore(&program, How::Exhaustive, Model::Sc);
    // Create, two stores, join.
    assert_eq!((said.statistics.executions, said.statistics.longest, said.statistics.steps), (1, 4, 4));
}

/// A race is told with both places, the earlier access first.
#[test]
fn races_name_both_accesses() {
    let program = threads([vec![store("x", 1).plain()], vec![load("x").plain()]]).build();
    let said = explore_with(&program, How::Optimal { workers: 1 }, Model::Sc, everything());
    for found in said.found {
        let lines: Vec<u32> = found.violation.notes.iter().map(|note| line_of(&program, note.span)).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1], line_of(&program, found.violation.span));
        assert_ne!(lines[0], lines[1]);
        assert!(found.violation.message.contains("nothing orders the two"), "{}", found.violation.message);
    }
}

/// An interrupted exploration says so.
#[test]
fn interruptions_are_said() {
    let program = counters();
    let image = selvedge_vm::Image::new(&program).expect("a program");
    let (system, first) =
        selvedge_memory::Sequential::new(&image, Default::default(), Default::default()).expect("a machine");
    let interrupted = std::sync::atomic::AtomicBool::new(true);
    let mut observer = |_: &selvedge_explore::Statistics| {};
    let mut session = selvedge_explore::Session::new(system, first, no_races(), &interrupted, &mut observer);
    selvedge_explore::steps::dpor::optimal::explore(&mut session);
    assert!(session.limits_reached.contains(&Limit::Interrupted));
    assert!(session.statistics.executions < 24);
}
