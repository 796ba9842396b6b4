//! How many executions there are, and that each explorer needs as many as it promises.

use crate::executions::{each_end, in_order, outcomes, reads};
use crate::exploring::*;
use crate::graphs::count_graphs;
use crate::programs::{Known, counted, random_bodies, random_program};
use selvedge_check::Violation;
use selvedge_explore::steps::dpor;
use selvedge_explore::{Control, Session, Statistics};
use selvedge_memory::axiomatic::{Rc11, ReleaseAcquire, Sc, Tso};
use selvedge_memory::{Bounds, Sequential, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Event, Operation, Turn};
use selvedge_vm::{Config, Image};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

#[test]
fn the_number_of_classes_is_known() {
    for Known { name, program, classes: expected } in counted() {
        assert_eq!(classes(&program, Model::Sc), expected, "{name}");
    }
}

/// One execution for each class, and nothing is begun in vain.
#[test]
fn optimal_explores_each_class_once() {
    for Known { name, program, classes } in counted() {
        let said = explore(&program, How::Optimal { workers: 1 }, Model::Sc);
        assert_eq!((said.statistics.executions, said.statistics.blocked), (classes, 0), "{name}");
        assert!(said.found.is_empty() && said.limits.is_empty(), "{name}");
    }
}

/// The others explore each class at least once; and all interleavings are at least as many.
#[test]
fn other_reductions_explore_each_class() {
    for Known { name, program, classes } in counted() {
        let all = explore(&program, How::Exhaustive, Model::Sc).statistics.executions;
        for how in [How::Source, How::Classic] {
            let Said { statistics, .. } = explore(&program, how, Model::Sc);
            assert!((classes..=all).contains(&statistics.executions), "{name} {how:?} {statistics:?}");
        }
    }
}

#[test]
fn exhaustive_explores_all_interleavings() {
    for Known { name, program, .. } in counted() {
        let mut ends = 0;
        in_order(&program, |system| each_end(system, |_| ends += 1));
        let said = explore(&program, How::Exhaustive, Model::Sc);
        assert_eq!(said.statistics.executions, ends, "{name}");
    }
}

/// What is known of each location: the writes in order, each with those who read it.
type Conflicts = BTreeMap<u64, Vec<BTreeSet<(usize, u32)>>>;

/// The class of an execution of loads, stores, updates and locks, by its definition.
fn conflicts(events: &[Event]) -> Conflicts {
    let mut conflicts = Conflicts::new();
    for event in events {
        let (place, writes) = match event.operation {
            Operation::Load { address, .. } => (address, false),
            Operation::Store { address, .. } => (address, true),
            Operation::Rmw { address, .. } => (address, true),
            Operation::Sync { object, .. } => (object, true),
            _ => continue,
        };
        let name = (event.thread.number(), event.index);
        let steps = conflicts.entry(place).or_insert_with(|| vec![BTreeSet::new()]);
        match writes {
            true => steps.extend([BTreeSet::from([name]), BTreeSet::new()]),
            false => {
                steps.last_mut().expect("there is one").insert(name);
            }
        }
    }
    conflicts
}

#[test]
fn classes_are_orders_of_conflicts() {
    let mut random = Random::new(41);
    for _ in 0..25 {
        let program = random_program(&mut random, 3, 2);
        let mut different = BTreeSet::new();
        in_order(&program, |system| {
            each_end(system, |system| {
                different.insert(conflicts(system.events()));
            });
        });
        let expected = different.len() as u64;
        assert_eq!(classes(&program, Model::Sc), expected);
        let said = explore(&program, How::Optimal { workers: 1 }, Model::Sc);
        assert_eq!((said.statistics.executions, said.statistics.blocked), (expected, 0));
        let graphs = explore_graphs::<Sc>(&program, no_races(), &[], 1);
        assert_eq!(graphs.statistics.executions, expected);
    }
}

/// With store buffers, too, optimal explores as many executions as all interleavings have classes.
#[test]
fn optimal_is_optimal_with_store_buffers() {
    let mut random = Random::new(42);
    for _ in 0..25 {
        let program = random_program(&mut random, 2, 3);
        for model in [Model::Tso, Model::Pso] {
            let said = explore(&program, How::Optimal { workers: 1 }, model);
            assert_eq!((said.statistics.executions, said.statistics.blocked), (classes(&program, model), 0));
        }
    }
}

/// Several workers explore what one does.
#[test]
fn workers_make_no_difference() {
    let mut random = Random::new(43);
    let random: Vec<Program> = (0..6).map(|_| random_program(&mut random, 3, 3)).collect();
    for program in counted().into_iter().map(|known| known.program).chain(random) {
        for model in MODELS.into_iter().take(2) {
            let alone = explore(&program, How::Optimal { workers: 1 }, model);
            let together = explore(&program, How::Optimal { workers: 3 }, model);
            assert_eq!(together.statistics.executions, alone.statistics.executions);
            assert_eq!(together.statistics.blocked, alone.statistics.blocked);
        }
    }
}

/// A view is what threads have read: there is one execution for each.
#[test]
fn views_are_what_is_read() {
    let mut random = Random::new(44);
    let mut programs: Vec<Program> = (0..12).map(|_| random_program(&mut random, 2, 3)).collect();
    programs.extend((0..6).map(|_| random_program(&mut random, 3, 2)));
    for program in &programs {
        let expected = outcomes(program).len() as u64;
        for how in [How::Vieq { workers: 1 }, How::Vieq { workers: 2 }, How::Mcr { workers: 1 }, How::SeMcr] {
            let said = explore(program, how, Model::Sc);
            assert_eq!(said.views, Some(expected), "{how:?}");
        }
        let optimal = explore(program, How::Optimal { workers: 1 }, Model::Sc).statistics.executions;
        assert!(expected <= optimal, "views are coarser than orders");
    }
}

/// Views with store buffers: by a solver, and by brute force.
#[test]
fn views_with_store_buffers() {
    let mut random = Random::new(45);
    for _ in 0..8 {
        let program = random_program(&mut random, 2, 3);
        for (model, discipline) in
            [(Model::Tso, selvedge_memory::Discipline::Tso), (Model::Pso, selvedge_memory::Discipline::Pso)]
        {
            let expected = crate::executions::buffered_outcomes(&program, discipline).len() as u64;
            assert_eq!(explore(&program, How::Mcr { workers: 1 }, model).views, Some(expected), "{model:?}");
            assert_eq!(explore(&program, How::SeMcr, model).views, Some(expected), "{model:?}");
        }
    }
}

/// Each graph once, under every model, with one worker or several.
#[test]
fn each_graph_is_explored_once() {
    let mut random = Random::new(46);
    let mut programs: Vec<Program> = (0..14).map(|_| random_program(&mut random, 2, 3)).collect();
    programs.extend((0..6).map(|_| random_program(&mut random, 3, 2)));
    programs.push(threads([vec![add("x", 1)], vec![add("x", 1)], vec![compare_exchange("x", 1, 5)]]).build());
    for program in &programs {
        let count = |workers: usize| {
            [
                explore_graphs::<Sc>(program, no_races(), &[], workers),
                explore_graphs::<Tso>(program, no_races(), &[], workers),
                explore_graphs::<ReleaseAcquire>(program, no_races(), &[], workers),
                explore_graphs::<Rc11>(program, no_races(), &[], workers),
            ]
            .map(|said| (said.statistics.executions, said.statistics.blocked))
        };
        let expected = [
            count_graphs::<Sc>(program),
            count_graphs::<Tso>(program),
            count_graphs::<ReleaseAcquire>(program),
            count_graphs::<Rc11>(program),
        ]
        .map(|count| (count as u64, 0));
        assert_eq!(count(1), expected);
        assert_eq!(count(3), expected);
    }
}

/// What is read in the executions that an explorer runs. All of them end in an error, so that they are shown.
fn outcomes_explored(program: &Program, how: How) -> BTreeSet<Vec<u128>> {
    let mut schedules: Vec<Vec<Turn>> = Vec::new();
    let mut watcher = |schedule: &[Turn], _: &[Violation]| {
        schedules.push(schedule.to_vec());
        Control::Continue
    };
    let image = Image::new(program).expect("a program");
    let (system, first) = Sequential::new(&image, Config::default(), Bounds::default()).expect("a machine");
    let interrupted = AtomicBool::new(false);
    let mut observer = |_: &Statistics| {};
    let mut session = Session::new(system, first, no_races(), &interrupted, &mut observer);
    session.watch(&mut watcher);
    match how {
        How::Source => dpor::source::explore(&mut session),
        How::Classic => dpor::classic::explore(&mut session),
        _ => dpor::optimal::explore(&mut session),
    }
    drop(session);
    let run = |schedule: Vec<Turn>| {
        in_order(program, |system| {
            for turn in &schedule {
                system.step(turn.agent, turn.choice);
            }
            reads(system.events()).into_values().flatten().collect()
        })
    };
    schedules.into_iter().map(run).collect()
}

/// Reductions leave out executions, but nothing that can be read.
#[test]
fn reductions_see_all_outcomes() {
    let mut random = Random::new(47);
    for _ in 0..10 {
        let bodies = random_bodies(&mut random, 3, 2);
        let expected = outcomes(&threads(bodies.clone()).build());
        let program = threads(bodies).last([fail()]).build();
        for how in [How::Optimal { workers: 1 }, How::Source, How::Classic] {
            assert_eq!(outcomes_explored(&program, how), expected, "{how:?}");
        }
    }
}
