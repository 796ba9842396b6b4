//! What is wrong with a program: every explorer finds it.

use crate::executions::{each_end, in_order, line_of};
use crate::exploring::*;
use crate::graphs::{each_graph, with_graph};
use crate::programs::{broken, counted};
use selvedge_check::waiting;
use selvedge_explore::Settings;
use selvedge_memory::axiomatic::{Rc11, Sc};
use selvedge_memory::{Step, System};
use selvedge_testing::*;
use selvedge_vm::{FaultKind, Stop};
use std::collections::BTreeSet;

const EXPLORERS: [How; 8] = [
    How::Exhaustive,
    How::Optimal { workers: 1 },
    How::Optimal { workers: 3 },
    How::Source,
    How::Classic,
    How::Vieq { workers: 1 },
    How::Mcr { workers: 1 },
    How::SeMcr,
];

/// All explorers list what all interleavings have; under every model.
#[test]
fn explorers_list_the_same_violations() {
    for (name, program) in broken() {
        for model in MODELS {
            let expected = explore(&program, How::Exhaustive, model).wrong;
            assert!(!expected.is_empty(), "{name}");
            for how in EXPLORERS {
                assert_eq!(explore(&program, how, model).wrong, expected, "{name} {how:?} {model:?}");
            }
        }
    }
}

/// What all interleavings have, without a session.
#[test]
fn exhaustive_lists_what_brute_force_finds() {
    for (name, program) in broken() {
        let mut expected = BTreeSet::new();
        in_order(&program, |system| {
            fn search<S: System>(system: &mut S, found: &mut dyn FnMut(&S, Option<&Step>)) {
                let turns = crate::executions::turns(system);
                if turns.is_empty() {
                    found(system, None);
                }
                for turn in turns {
                    let mark = system.mark();
                    let step = system.step(turn.agent, turn.choice);
                    found(system, Some(&step));
                    // The others go on.
                    search(system, found);
                    system.rewind(&mark);
                }
            }
            let mut stopped = 0;
            search(system, &mut |system, step| match step {
                Some(Step::Stopped(Stop::Fault(fault))) => {
                    expected.insert((fault.kind.name().to_owned(), line_of(&program, fault.span)));
                }
                Some(_) => {}
                None => {
                    // A deadlock counts only where nothing else went wrong.
                    let is_whole = !system.machine().threads().any(|thread| {
                        system.machine().thread(thread).is_some_and(|state| {
                            use selvedge_vm::thread::Status;
                            !matches!(state.position.status, Status::Pending | Status::Finished)
                        })
                    });
                    stopped += usize::from(!is_whole);
                    if let (true, Some(violation)) = (is_whole, waiting::end(system)) {
                        expected
                            .insert((violation.kind.name().to_owned(), line_of(&program, violation.span)));
                    }
                }
            });
        });
        assert_eq!(explore(&program, How::Exhaustive, Model::Sc).wrong, expected, "{name}");
    }
}

/// Graphs find what is wrong, too. (Those of SC have the violations of interleavings.)
#[test]
fn graphs_list_the_violations_of_interleavings() {
    for (name, program) in broken() {
        let expected = explore(&program, How::Exhaustive, Model::Sc).wrong;
        for workers in [1, 3] {
            let said = explore_graphs::<Sc>(&program, no_races(), &[], workers);
            assert_eq!(said.wrong, expected, "{name} {workers}");
        }
        let weaker = explore_graphs::<Rc11>(&program, no_races(), &[], 1).wrong;
        assert!(weaker.is_superset(&expected), "{name} {weaker:?}");
    }
}

/// Nothing is wrong with programs that are right; and a plain access that is not ordered is a race for everybody.
#[test]
fn races_are_found_by_all_that_look_for_them() {
    let racy = threads([vec![store("x", 1).plain()], vec![load("x").plain()]]).build();
    let ordered = threads([
        vec![lock("m"), store("x", 1).plain(), unlock("m")],
        vec![lock("m"), load("x").plain(), unlock("m")],
    ])
    .build();
    for how in EXPLORERS.into_iter().take(5) {
        let races = |program| explore_with(program, how, Model::Sc, everything()).wrong;
        // The later access is named, and either may be the later one.
        let expected = [line(1, 1), line(2, 1)].map(|line| ("data-race".to_owned(), line));
        assert_eq!(races(&racy), BTreeSet::from(expected), "{how:?}");
        assert!(races(&ordered).is_empty(), "{how:?}");
    }
    assert!(!explore_graphs::<Rc11>(&racy, everything(), &[], 1).wrong.is_empty());
    assert!(explore_graphs::<Rc11>(&ordered, everything(), &[], 1).wrong.is_empty());
    for known in counted() {
        assert!(explore(&known.program, How::Exhaustive, Model::Pso).wrong.is_empty(), "{}", known.name);
    }
}

/// Without `keep_going` an exploration ends with its first violation.
#[test]
fn the_first_violation_is_enough() {
    for (name, program) in broken() {
        for how in EXPLORERS {
            let settings = Settings { keep_going: false, ..no_races() };
            let said = explore_with(&program, how, Model::Sc, settings);
            assert_eq!(said.found.len(), 1, "{name} {how:?}");
        }
    }
}

/// Executions that only store buffers have are violations if that is asked for.
#[test]
fn robustness_is_checked_on_request() {
    let program = threads([vec![store("x", 1), load("y")], vec![store("y", 1), load("x")]]).build();
    for how in [How::Exhaustive, How::Optimal { workers: 1 }, How::Source] {
        let said =
            |model, robust| explore_with(&program, how, model, Settings { robust, ..everything() }).found;
        assert!(said(Model::Tso, true).iter().any(|found| found.violation.kind == FaultKind::NotRobust));
        assert!(said(Model::Tso, false).is_empty());
    }
}

/// Plain accesses in several sizes are several nodes; every combination of parts is explored.
#[test]
fn parts_of_plain_accesses_are_explored() {
    let program = threads([
        vec![store("x", 0x0001_0001_u64).plain()],
        vec![load("x").plain(), load("x").part(2, 2).plain()],
    ])
    .build();
    // Where the halves of `x` are: in the middle of its word.
    let image = selvedge_vm::Image::for_graphs(&program).expect("a program");
    let start = image.address_of(symbol(&program, "x"));
    let cuts = [start, start + 2, start + 4];
    let mut expected = 0;
    with_graph::<Rc11, ()>(&program, &cuts, |system| each_graph(system, &mut |_| expected += 1));
    let said = explore_graphs::<Rc11>(&program, no_races(), &cuts, 1);
    assert_eq!((said.statistics.executions, said.statistics.blocked), (expected, 0));
    assert_eq!(expected, 6, "two sources each of three reads, two of which are of the same half, in order");
}

/// An assumption that does not hold makes no execution; the number of those left is known.
#[test]
fn assumptions_discard_executions() {
    let program = threads([vec![load("x").into("a"), assume("a", 1)], vec![store("x", 1)]]).build();
    for how in EXPLORERS {
        let said = explore(&program, how, Model::Sc);
        assert!(said.wrong.is_empty(), "{how:?}");
        if how != How::Exhaustive {
            assert_eq!(said.statistics.executions, 1, "{how:?}");
        }
        assert!(said.statistics.blocked > 0 || said.views.is_some(), "{how:?} {:?}", said.statistics);
    }
}

/// Waiting loops end, whoever waits.
#[test]
fn waiting_loops_are_explored_once() {
    let program = threads([vec![wait_until("x", 1), load("y")], vec![store("y", 1), store("x", 1)]]).build();
    for how in EXPLORERS {
        let said = explore(&program, how, Model::Sc);
        assert!(said.wrong.is_empty() && said.limits.is_empty(), "{how:?}");
    }
    let optimal = explore(&program, How::Optimal { workers: 1 }, Model::Sc).statistics.executions;
    let mut ends = BTreeSet::new();
    in_order(&program, |system| {
        each_end(system, |system| {
            ends.insert(system.events().iter().filter_map(|event| event.read).collect::<Vec<u128>>());
        });
    });
    assert!(optimal <= ends.len() as u64, "{optimal}");
}
