//! Updates whose results nobody uses: those of one kind commute.

use crate::exploring::*;
use selvedge_check::Violation;
use selvedge_explore::steps::{dpor, exhaustive};
use selvedge_explore::{Control, Session, Settings, Statistics, Updates};
use selvedge_memory::{Bounds, Buffered, Discipline, Sequential, Step, System};
use selvedge_program::{OldValue, Program, RmwOp};
use selvedge_testing::*;
use selvedge_trace::{Event, Operation, Turn};
use selvedge_vm::{Config, Image};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// Data races are allowed, and updates commute.
fn commuting() -> Settings {
    Settings { updates: Updates::Commute, ..no_races() }
}

fn explored(program: &Program, model: Model) -> (u64, u64) {
    let said = explore_with(program, How::Optimal { workers: 1 }, model, commuting());
    let together = explore_with(program, How::Optimal { workers: 3 }, model, commuting());
    let counts = |said: &Said| (said.statistics.executions, said.statistics.blocked);
    assert_eq!(counts(&together), counts(&said));
    counts(&said)
}

/// A name, threads, and how many orders of what depends on each other they have.
fn known() -> Vec<(&'static str, u64, Threads)> {
    let two = |body: fn(usize) -> Vec<Statement>| threads((0..2).map(body));
    let three = |body: fn(usize) -> Vec<Statement>| threads((0..3).map(body));
    let used = || [add("x", 1).into("a"), when("a", 9, [fail()])];
    vec![
        ("additions", 1, three(|_| vec![add("x", 1), add("x", 2)])),
        ("additions and differences", 1, two(|at| vec![update("x", [RmwOp::Add, RmwOp::Sub][at], 1)])),
        ("operators", 2, two(|at| vec![update("x", [RmwOp::Or, RmwOp::Xor][at], 1)])),
        ("maxima", 1, three(|at| vec![update("x", RmwOp::Max, at as u64)])),
        ("signed and unsigned maxima", 2, two(|at| vec![update("x", [RmwOp::Max, RmwOp::UMax][at], 1)])),
        ("exchanges", 2, two(|at| vec![exchange("x", at as u64)])),
        ("nand", 2, two(|_| vec![update("x", RmwOp::Nand, 1)])),
        ("the same bytes", 1, two(|_| vec![add("x", 1).part(2, 2)])),
        ("bytes that overlap", 2, two(|at| vec![add("x", 1).part(at as u64, 2)])),
        ("words of other sizes", 2, two(|at| vec![add("x", 1).part(0, [2, 4][at])])),
        ("a result that is used", 2, threads([vec![add("x", 1)], used().to_vec()])),
        // Before both, after one of them, or after both.
        ("a reader", 4, threads([vec![add("x", 1)], vec![add("x", 1)], vec![load("x")]])),
        // It is first, in between (either of two), or last, and then there is an order in which they come.
        ("a store", 4, threads([vec![add("x", 1)], vec![add("x", 1)], vec![store("x", 7)]])),
        (
            "a reader beside them",
            2,
            threads([vec![add("x", 1), load("y")], vec![store("y", 1), add("x", 1)]]),
        ),
    ]
}

#[test]
fn known_numbers_of_orders() {
    for (name, orders, threads) in known() {
        let program = threads.build();
        for model in MODELS {
            assert_eq!(explored(&program, model), (orders, 0), "{name} {model:?}");
            assert_eq!(classes_with(&program, model, commuting()), orders, "{name} {model:?}");
        }
        let ordered = explore(&program, How::Optimal { workers: 1 }, Model::Sc);
        assert!(ordered.statistics.executions >= orders, "{name}");
    }
}

/// Threads that update, read and write the parts of two locations, in all ways.
fn random_threads(random: &mut Random, count: usize, length: usize) -> Vec<Vec<Statement>> {
    let part = |random: &mut Random, statement: Statement| {
        let (offset, bytes) = random.pick(&[(0, 4), (0, 4), (0, 4), (4, 4), (0, 2), (2, 2), (1, 2), (0, 8)]);
        statement.part(offset, bytes)
    };
    let mut body = |thread: usize| {
        let mut body = Vec::new();
        for number in 0..length {
            let at = random.pick(&["x", "x", "y"]);
            let value = 1 + random.below(3) as u64;
            let op = random.pick(&[RmwOp::Add, RmwOp::Add, RmwOp::Sub, RmwOp::Or, RmwOp::And, RmwOp::UMax]);
            let read = ["a", "b", "c", "d"][number % 4];
            match random.below(10) {
                0..5 => body.push(part(random, update(at, op, value))),
                5 => body.extend([
                    part(random, update(at, op, value)).into(read),
                    when(read, 77 + thread as u64, [fail()]),
                ]),
                6 => body.push(part(random, compare_exchange(at, value, 5))),
                7 => body.push(part(random, store(at, value))),
                _ => body.push(part(random, load(at))),
            }
        }
        body
    };
    (0..count).map(&mut body).collect()
}

/// One execution for each class, by comparing each pair of operations of all interleavings.
#[test]
fn optimal_explores_each_class_once() {
    let mut random = Random::new(61);
    let mut fewer = 0;
    for case in 0..120 {
        let (count, length) = [(2, 3), (3, 2)][case % 2];
        let program = threads(random_threads(&mut random, count, length)).build();
        for model in if case % 4 == 0 { &MODELS[..] } else { &MODELS[..1] } {
            let expected = classes_with(&program, *model, commuting());
            assert_eq!(explored(&program, *model), (expected, 0), "{case} {model:?}");
            fewer += u32::from(expected < classes(&program, *model));
        }
    }
    assert!(fewer > 15, "{fewer}");
}

/// What can be seen of an execution: what was read by those who use it, and what is in memory in the end.
type Observed = (Vec<(usize, u32, u128)>, u64);

fn observed(system: &impl System) -> Observed {
    let is_used = |event: &&Event| match event.operation {
        Operation::Rmw { old, .. } => old == OldValue::Used,
        _ => true,
    };
    let read = |event: &Event| Some((event.thread.number(), event.index, event.read?));
    let mut reads: Vec<_> = system.events().iter().filter(is_used).filter_map(read).collect();
    reads.sort_unstable();
    (reads, system.machine().digest())
}

/// What is observed in the executions that an explorer runs; all of them end in an error, so that they are shown.
fn observations<S: System>(
    start: &dyn Fn() -> (S, Step),
    explore: impl FnOnce(&mut Session<'_, S>),
) -> BTreeSet<Observed> {
    let mut schedules: Vec<Vec<Turn>> = Vec::new();
    let mut watcher = |schedule: &[Turn], _: &[Violation]| {
        schedules.push(schedule.to_vec());
        Control::Continue
    };
    let interrupted = AtomicBool::new(false);
    let mut observer = |_: &Statistics| {};
    let (system, first) = start();
    let mut session = Session::new(system, first, commuting(), &interrupted, &mut observer);
    session.watch(&mut watcher);
    explore(&mut session);
    drop(session);
    let run = |schedule: &Vec<Turn>| {
        let (mut system, _) = start();
        for turn in schedule {
            system.mark();
            system.step(turn.agent, turn.choice);
        }
        observed(&system)
    };
    schedules.iter().map(run).collect()
}

/// Executions are left out, but nothing that can be observed.
#[test]
fn everything_is_observed() {
    let mut random = Random::new(62);
    for case in 0..60 {
        let bodies = random_threads(&mut random, 2 + case % 2, 3 - case % 2);
        let program = threads(bodies).last([fail()]).build();
        let image = Image::new(&program).expect("a program");
        let (config, bounds) = (Config::default(), Bounds::default());
        let start = || Sequential::new(&image, config.clone(), bounds).expect("a machine");
        let all = observations(&start, exhaustive::explore);
        assert_eq!(observations(&start, dpor::optimal::explore), all, "{case}");
        let start = || Buffered::new(&image, config.clone(), bounds, Discipline::Pso).expect("a machine");
        if case % 6 == 0 {
            let all = observations(&start, exhaustive::explore);
            assert_eq!(observations(&start, dpor::optimal::explore), all, "{case} with buffers");
        }
    }
}

/// Races are found in the one execution that stands for others: what is in a race in one order of updates is in all.
#[test]
fn races_are_the_same_in_all_orders_of_updates() {
    let mut random = Random::new(63);
    let mut racing = 0;
    for case in 0..150 {
        let mut bodies = random_threads(&mut random, 2 + case % 2, 3 - case % 2);
        for body in &mut bodies {
            let at = random.below(body.len() + 1);
            let access = if random.below(2) == 0 { store("z", 1) } else { load("z") };
            body.insert(at, access.plain());
            for statement in body.iter_mut() {
                if matches!(statement.action, Action::Update(..)) && random.below(2) == 0 {
                    *statement = statement.clone().acq_rel();
                }
            }
        }
        let program = threads(bodies).build();
        let settings = Settings { updates: Updates::Commute, ..everything() };
        let all = explore_with(&program, How::Exhaustive, Model::Sc, settings.clone());
        let said = explore_with(&program, How::Optimal { workers: 1 }, Model::Sc, settings);
        assert_eq!(said.wrong, all.wrong, "{case}");
        racing += u32::from(!all.wrong.is_empty());
    }
    assert!(racing > 20 && racing < 140, "{racing}");
}

/// Updates of a location that somebody waits for keep their order: which values it has had counts.
#[test]
fn updates_that_somebody_waits_for_are_ordered() {
    for count in [2, 3] {
        let mut bodies = vec![vec![add("x", 1), add("y", 1)]; count];
        bodies.push(vec![wait_until("x", count as u64)]);
        let program = threads(bodies).build();
        let ordered = explore(&program, How::Optimal { workers: 1 }, Model::Sc);
        // Those of `y` commute.
        let orders = (1..=count as u64).product::<u64>();
        assert_eq!(explored(&program, Model::Sc), (orders, 0));
        assert_eq!(ordered.statistics.executions, orders * orders);
    }
    // It can go on only when one of the three has come, whichever that is.
    let waits = threads([
        vec![add("x", 1)],
        vec![update("x", RmwOp::Sub, 1)],
        vec![add("x", 1)],
        vec![wait_until("x", u64::from(u32::MAX)), fail()],
    ]);
    let said = explore_with(&waits.build(), How::Optimal { workers: 1 }, Model::Sc, commuting());
    let kinds: BTreeSet<&str> = said.wrong.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["assertion", "livelock"]));
}
