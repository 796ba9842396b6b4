//! Synchronisation objects in graphs: the same executions as on the machine.

use crate::executions::{each_end, in_order, reads};
use crate::graphs::{each_graph, graph_turns, with_graph};
use selvedge_memory::axiomatic::{Axioms, Rc11, ReleaseAcquire, Sc, Tso};
use selvedge_memory::{End, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Event, Operation, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// How an execution ends: what each thread was told, by loads and by objects, and who waits.
type Ending = (BTreeMap<ThreadId, Vec<Option<u128>>>, Option<Vec<ThreadId>>);

fn ending(events: &[Event], end: End) -> Ending {
    let mut told: BTreeMap<ThreadId, Vec<Option<u128>>> = BTreeMap::new();
    for event in events {
        if matches!(event.operation, Operation::Load { .. } | Operation::Sync { .. }) {
            told.entry(event.thread).or_default().push(event.read);
        }
    }
    let waiting = match end {
        End::Complete => None,
        End::Deadlock(waiting) | End::Livelock(waiting) => Some(waiting),
    };
    (told, waiting)
}

fn on_machine(program: &Program) -> BTreeSet<Ending> {
    let mut endings = BTreeSet::new();
    in_order(program, |system| {
        each_end(system, |system| {
            endings.insert(ending(system.events(), system.end()));
        });
    });
    endings
}

fn in_graphs<A: Axioms>(program: &Program) -> BTreeSet<Ending> {
    let mut endings = BTreeSet::new();
    with_graph::<A, ()>(program, &[], |system| {
        each_graph(system, &mut |system| {
            endings.insert(ending(system.events(), system.end()));
        });
    });
    endings
}

/// Programs in which what is shared is protected, so that all models have the same executions.
fn programs() -> Vec<(&'static str, Program)> {
    let counts = |before: Statement, after: Statement| {
        vec![before, load("x").into("a"), store("x", sum("a", 1)), after]
    };
    let one_after_the_other = |before: fn() -> Statement, after: fn() -> Statement| {
        threads([counts(before(), after()), counts(before(), after())]).build()
    };
    let crosses = |one, other| vec![lock(one), lock(other), unlock(other), unlock(one)];
    let tries = |op: &'static str, give_back: Statement| {
        let body = vec![sync(op, "m").into("f"), when("f", 0, [give_back])];
        threads([body.clone(), body]).build()
    };
    let semaphore = |value| sync("semaphore_init", "s").with(value);
    vec![
        ("mutex", one_after_the_other(|| lock("m"), || unlock("m"))),
        ("spin lock", one_after_the_other(|| spin_lock("m"), || spin_unlock("m"))),
        ("writers", one_after_the_other(|| write_lock("m"), || write_unlock("m"))),
        ("deadlock", threads([crosses("a", "b"), crosses("b", "a")]).build()),
        ("trylock", tries("mutex_trylock", unlock("m"))),
        ("spin trylock", tries("spin_trylock", spin_unlock("m"))),
        ("timedlock", tries("mutex_timedlock", unlock("m"))),
        ("try-write-lock", tries("rwlock_trywrlock", write_unlock("m"))),
        (
            "readers",
            threads([
                vec![read_lock("l"), read_unlock("l")],
                vec![sync("rwlock_tryrdlock", "l")],
                vec![sync("rwlock_trywrlock", "l")],
            ])
            .build(),
        ),
        (
            "semaphore",
            threads([vec![down("s"), load("x")], vec![store("x", 1), post("s")]])
                .first([semaphore(0)])
                .build(),
        ),
        (
            "semaphore for two",
            threads([vec![down("s")], vec![down("s")], vec![down("s")]]).first([semaphore(2)]).build(),
        ),
        (
            "semaphore, tried",
            threads([vec![sync("semaphore_trywait", "s")], vec![post("s")]]).first([semaphore(0)]).build(),
        ),
        (
            "value of a semaphore",
            threads([vec![sync("semaphore_value", "s")], vec![post("s")]]).first([semaphore(3)]).build(),
        ),
        (
            "barrier",
            threads([
                vec![store("x", 1), barrier("b"), load("y")],
                vec![store("y", 1), barrier("b"), load("x")],
            ])
            .first([sync("barrier_init", "b").with(2)])
            .build(),
        ),
        ("signal", threads([vec![lock("m"), wait("c", "m"), unlock("m")], vec![signal("c")]]).build()),
        (
            "a signal for one of two",
            threads([
                vec![lock("m"), wait("c", "m"), unlock("m")],
                vec![lock("m"), wait("c", "m"), unlock("m")],
                vec![signal("c")],
            ])
            .build(),
        ),
        ("broadcast", threads([vec![lock("m"), wait("c", "m"), unlock("m")], vec![broadcast("c")]]).build()),
        (
            "timed wait",
            threads([vec![lock("m"), timed_wait("c", "m"), unlock("m")], vec![signal("c")]]).build(),
        ),
        (
            "once",
            threads([
                vec![once("o", [store("x", 1)]), load("x")],
                vec![once("o", [store("x", 2)]), load("x")],
            ])
            .build(),
        ),
        (
            "error-checking mutex",
            threads([vec![lock("m"), lock("m"), unlock("m"), unlock("m")]])
                .first([sync("mutex_init", "m").with(2)])
                .build(),
        ),
    ]
}

#[test]
fn graphs_have_the_executions_of_the_machine() {
    for (name, program) in programs() {
        let expected = on_machine(&program);
        assert_eq!(in_graphs::<Sc>(&program), expected, "SC: {name}");
        assert_eq!(in_graphs::<Tso>(&program), expected, "TSO: {name}");
        assert_eq!(in_graphs::<ReleaseAcquire>(&program), expected, "RA: {name}");
        assert_eq!(in_graphs::<Rc11>(&program), expected, "RC11: {name}");
    }
}

/// What was written under a lock is known to whoever takes the lock next, though the accesses are relaxed.
#[test]
fn who_takes_a_lock_knows_what_was_done_under_it() {
    let (_, program) = programs().into_iter().next().expect("the first");
    with_graph::<Rc11, ()>(&program, &[], |system| {
        each_graph(system, &mut |system| {
            let values: BTreeSet<u128> = reads(system.events()).into_values().flatten().collect();
            assert_eq!(values, BTreeSet::from([0, 1]));
        });
    });
}

/// A choice that is listed is accepted, and no other is. (What is listed is what a brute-force search takes.)
#[test]
fn listed_choices_are_those_that_are_accepted() {
    fn agree<A: Axioms>(program: &Program, random: &mut Random) {
        with_graph::<A, ()>(program, &[], |system| {
            loop {
                let turns = graph_turns(system);
                let busy = system.graph().is_somebody_busy();
                for thread in system.threads().collect::<Vec<_>>() {
                    let listed: BTreeSet<u32> =
                        turns.iter().filter(|turn| turn.agent == thread).map(|turn| turn.choice).collect();
                    // While somebody is in the middle of an operation, only that one is listed.
                    let accepted: BTreeSet<u32> =
                        (0..6).filter(|choice| system.accepts(thread.into(), *choice)).collect();
                    if !busy || !listed.is_empty() {
                        assert_eq!(accepted, listed, "{thread}");
                    }
                }
                if turns.is_empty() {
                    return;
                }
                let turn = random.pick(&turns);
                system.mark();
                system.step(turn.agent, turn.choice);
            }
        });
    }
    let mut random = Random::new(31);
    let accesses = threads([
        vec![store("x", 1), load("y"), add("x", 1)],
        vec![store("y", 1), load("x"), compare_exchange("x", 1, 5)],
    ]);
    for _ in 0..20 {
        agree::<Rc11>(&accesses.clone().build(), &mut random);
        agree::<Sc>(&accesses.clone().build(), &mut random);
    }
    for (_, program) in programs() {
        agree::<Rc11>(&program, &mut random);
    }
}
