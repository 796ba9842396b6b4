//! Preemptions: each level of a bound has the executions that it should have.

use crate::executions::{in_order, line_of, turns};
use crate::exploring::*;
use selvedge_explore::Limit;
use selvedge_memory::{Step, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Operation, ThreadId};
use selvedge_vm::Stop;
use std::collections::BTreeSet;

/// A writer and a reader that have to take turns so often for this to go wrong. That is twice as many preemptions, but the first
/// turn of the writer needs none.
fn needs(rounds: u64) -> Program {
    let writer = (1..=rounds).map(|value| store("x", value)).chain([store("x", 0)]).collect();
    let mut reader = Vec::new();
    for value in 1..=rounds {
        reader.extend([load("x").into("a"), assume("a", value)]);
    }
    reader.push(fail());
    threads([writer, reader]).build()
}

/// All executions by brute force: how many preemptions each has, and what is wrong with it.
fn brute_force(program: &Program) -> Vec<(u32, BTreeSet<(String, u32)>)> {
    type Wrong = BTreeSet<(String, u32)>;
    fn search<S: System>(
        system: &mut S,
        program: &Program,
        (last, preemptions): (Option<ThreadId>, u32),
        wrong: &Wrong,
        all: &mut Vec<(u32, Wrong)>,
    ) {
        let turns = turns(system);
        if turns.is_empty() {
            return all.push((preemptions, wrong.clone()));
        }
        let running = last.filter(|thread| system.is_enabled((*thread).into()));
        for turn in turns {
            let thread = turn.agent.thread();
            let preempts = running.is_some_and(|running| running != thread);
            let yields = system.machine().pending(thread) == Some(Operation::Yield);
            let mark = system.mark();
            let step = system.step(turn.agent, turn.choice);
            let mut wrong = wrong.clone();
            if let Step::Stopped(Stop::Fault(fault)) = &step {
                wrong.insert((fault.kind.name().to_owned(), line_of(program, fault.span)));
            }
            let state = ((!yields).then_some(thread), preemptions + u32::from(preempts));
            if step != Step::Discarded {
                search(system, program, state, &wrong, all);
            }
            system.rewind(&mark);
        }
    }
    let mut all = Vec::new();
    in_order(program, |system| search(system, program, (None, 0), &Wrong::new(), &mut all));
    all
}

fn programs() -> Vec<Program> {
    let increments = || vec![load("x").into("a"), store("x", sum("a", 1))];
    vec![
        needs(1),
        needs(2),
        threads([increments(), increments()]).last([load("x").into("a"), check("a", 2)]).build(),
        threads([vec![lock("m"), store("x", 1), unlock("m")], vec![lock("m"), load("x"), unlock("m")]])
            .build(),
        threads([
            vec![store("x", 1), yield_now(), store("x", 2)],
            vec![load("x").into("a"), when("a", 1, [fail()])],
        ])
        .build(),
    ]
}

#[test]
fn each_level_has_the_executions_with_so_many_preemptions() {
    for program in programs() {
        let all = brute_force(&program);
        let most = all.iter().map(|(preemptions, _)| *preemptions).max().unwrap_or(0);
        for bound in 0..=most {
            let within = || all.iter().filter(|(preemptions, _)| *preemptions <= bound);
            let said = explore(&program, How::Context(bound), Model::Sc);
            let expected: BTreeSet<(String, u32)> = within().flat_map(|(_, wrong)| wrong.clone()).collect();
            assert_eq!(said.wrong, expected, "{bound}");
            assert_eq!(said.statistics.executions, within().count() as u64, "{bound}");
            let is_cut = said.limits.contains(&Limit::Preemptions(bound));
            assert!(is_cut || within().count() == all.len(), "{bound}: what is left out is said");
        }
        assert!(explore(&program, How::Context(most + 1), Model::Sc).limits.is_empty());
    }
}

/// The reduction finds the same, in no more executions. If it says that nothing was left out, that is so.
#[test]
fn the_reduction_finds_what_each_level_has() {
    for program in programs() {
        for bound in 0..4 {
            let context = explore(&program, How::Context(bound), Model::Sc);
            let bounded = explore(&program, How::Bounded(bound), Model::Sc);
            assert_eq!(bounded.wrong, context.wrong, "{bound}");
            assert!(bounded.statistics.executions <= context.statistics.executions, "{bound}");
            assert!(bounded.limits.is_empty() || bounded.limits == context.limits, "{bound}");
            if bounded.limits.is_empty() {
                assert_eq!(bounded.wrong, explore(&program, How::Exhaustive, Model::Sc).wrong, "{bound}");
            }
        }
    }
}

#[test]
fn an_error_is_found_at_its_level() {
    for rounds in 1..4 {
        let program = needs(u64::from(rounds));
        for bound in 0..7 {
            let is_found = bound >= 2 * rounds - 1;
            for how in [How::Context(bound), How::Bounded(bound)] {
                assert_eq!(!explore(&program, how, Model::Sc).wrong.is_empty(), is_found, "{how:?} {rounds}");
            }
        }
    }
}

/// A bound of few preemptions leaves nothing out if there is nothing to leave out.
#[test]
fn a_complete_level_ends_the_search() {
    let program = threads([vec![lock("m"), unlock("m")]]).build();
    let said = explore(&program, How::Context(5), Model::Sc);
    assert!(said.limits.is_empty());
    let exhaustive = explore(&program, How::Exhaustive, Model::Sc);
    assert_eq!(said.statistics.executions, exhaustive.statistics.executions);
}
