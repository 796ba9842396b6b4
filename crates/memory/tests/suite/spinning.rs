//! Waiting loops: who goes round without an effect is blocked until something it has read changes.

use crate::executions::{each_end, in_order, thread, turns, with_buffers};
use selvedge_memory::{Discipline, End, LookAhead, StoreBuffers, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Agent, Operation};

fn enabled<S: System>(system: &S) -> Vec<Agent> {
    turns(system).into_iter().map(|turn| turn.agent).collect()
}

/// Lets a thread go on, by number, until it cannot, but at most so often; gives how often.
fn run<S: System>(system: &mut S, number: usize, most: usize) -> usize {
    let agent = Agent::from(thread(number));
    for steps in 0..most {
        if !system.is_enabled(agent) {
            return steps;
        }
        system.mark();
        system.step(agent, 0);
    }
    most
}

/// A program with a thread that waits, and another one; `main` has created both and does nothing else before.
fn waits(waiter: impl Into<Vec<Statement>>, other: impl Into<Vec<Statement>>) -> Program {
    threads([waiter.into(), other.into()]).build()
}

/// Whether the thread with number 1 blocks after a few rounds, if it goes on alone.
fn blocks(program: &Program) -> bool {
    in_order(program, |system| {
        run(system, 0, 2);
        run(system, 1, 40) < 40
    })
}

fn looks(body: impl Into<Vec<Statement>>) -> Program {
    waits([until("a", 1, body)], [store("x", 1)])
}

#[test]
fn rounds_without_an_effect_block() {
    let look = || load("x").into("a");
    for (name, body) in [
        ("a load", vec![look()]),
        ("two loads", vec![load("y"), look()]),
        ("a fence and a yield", vec![fence(Order::SeqCst), look(), yield_now()]),
        ("a store of what is there", vec![store("y", 0), look()]),
        ("an update that changes nothing", vec![add("y", 0), look()]),
        ("an exchange of what is there", vec![exchange("y", 0), look()]),
        ("a compare-exchange that fails", vec![compare_exchange("x", 1, 1).into("a")]),
        ("a lock taken and given back", vec![lock("m"), look(), unlock("m")]),
        ("a spin lock", vec![spin_lock("p"), look(), spin_unlock("p")]),
        ("a readers-writer lock", vec![read_lock("l"), look(), read_unlock("l")]),
        ("a register that is set again", vec![set("b", 5), look(), set("b", 0)]),
    ] {
        assert!(blocks(&looks(body)), "{name}");
    }
}

#[test]
fn rounds_with_an_effect_do_not_block() {
    let look = || load("x").into("a");
    for (name, body) in [
        ("a store of something else", vec![store("y", "c"), set("c", sum("c", 1)), look()]),
        ("an update", vec![add("y", 1), look()]),
        ("two stores that undo each other", vec![store("y", 1), store("y", 0), look()]),
        ("a register that counts", vec![set("b", sum("b", 1)), look()]),
        ("a post", vec![post("s"), look()]),
        ("a choice", vec![choose(2).into("b"), look()]),
    ] {
        let program = threads([vec![until("a", 1, body)], vec![store("x", 1)]])
            .first([sync("semaphore_init", "s").with(0)])
            .build();
        let goes_on = in_order(&program, |system| {
            // The semaphore, and the two threads.
            while system.events().len() < 3 && system.machine().threads().count() < 3 {
                run(system, 0, 1);
            }
            run(system, 1, 40) == 40
        });
        assert!(goes_on, "{name}");
    }
}

/// A store by another thread wakes the one that waits if it changes what that has read, and only then.
#[test]
fn a_change_of_what_was_read_wakes() {
    for (store, wakes) in [(store("x", 1), true), (store("x", 0), false), (store("z", 1), false)] {
        let program = waits([wait_until("x", 1)], [store]);
        in_order(&program, |system| {
            run(system, 0, 2);
            let rounds = run(system, 1, 40);
            assert!(rounds < 40, "it waits");
            assert!(!enabled(system).contains(&thread(1).into()));
            run(system, 2, 1);
            assert_eq!(system.is_enabled(thread(1).into()), wakes);
        });
    }
}

/// One location of several is enough; the others are watched, too.
#[test]
fn every_location_of_the_round_is_watched() {
    let program = waits([until("a", 1, [load("y"), load("z"), load("x").into("a")])], [store("z", 5)]);
    in_order(&program, |system| {
        run(system, 0, 2);
        run(system, 1, 40);
        let watched = system.watched(thread(1)).expect("it waits").len();
        assert!(watched >= 3, "{watched}");
        run(system, 2, 1);
        assert!(system.is_enabled(thread(1).into()));
        // One round later it waits again, for another value.
        assert!(run(system, 1, 40) < 40);
    });
}

/// Rewinding takes the waiting back with the rest.
#[test]
fn waiting_is_rewound() {
    let program = waits([wait_until("x", 1)], [store("x", 1)]);
    in_order(&program, |system| {
        run(system, 0, 2);
        let before = system.mark();
        run(system, 1, 40);
        let waiting = system.mark();
        let watched = system.watched(thread(1)).expect("it waits").to_vec();
        run(system, 2, 1);
        run(system, 1, 40);
        assert_eq!(system.watched(thread(1)), None, "it went on");
        system.rewind(&waiting);
        assert_eq!(system.watched(thread(1)), Some(&watched[..]));
        assert!(!system.is_enabled(thread(1).into()));
        system.rewind(&before);
        assert_eq!(system.watched(thread(1)), None);
        assert!(system.is_enabled(thread(1).into()));
    });
}

/// It waits where it holds the fewest locks, so that others can do what it waits for.
#[test]
fn nobody_waits_with_a_lock_taken_in_the_round() {
    let inside = [lock("m"), load("x").into("a"), unlock("m")];
    let program = waits([until("a", 1, inside)], [lock("m"), store("x", 1), unlock("m")]);
    in_order(&program, |system| {
        run(system, 0, 2);
        assert!(run(system, 1, 40) < 40);
        assert_eq!(run(system, 2, 40), 3, "the other one gets the lock");
        each_end(system, |system| assert_eq!(system.end(), End::Complete));
    });
}

/// The same if the round begins with the lock in hand: it comes back to that state first, and goes on to where it has given the
/// lock back.
#[test]
fn nobody_waits_with_a_lock_that_is_given_back_in_the_round() {
    let round = [load("x").into("a"), unlock("m"), lock("m")];
    let program =
        waits([lock("m"), until("a", 1, round), unlock("m")], [lock("m"), store("x", 1), unlock("m")]);
    in_order(&program, |system| {
        run(system, 0, 2);
        assert!(run(system, 1, 40) < 40);
        assert_eq!(run(system, 2, 40), 3, "the other one gets the lock");
        each_end(system, |system| assert_eq!(system.end(), End::Complete));
    });
}

#[test]
fn who_waits_for_nobody_is_a_livelock() {
    let alone = waits([wait_until("x", 1)], [store("y", 1)]);
    let each_other = waits([wait_until("x", 1), store("y", 1)], [wait_until("y", 1), store("x", 1)]);
    for (program, spinning) in [(&alone, vec![1]), (&each_other, vec![1, 2])] {
        in_order(program, |system| {
            each_end(system, |system| {
                let End::Livelock(waiting) = system.end() else { panic!("{:?}", system.end()) };
                assert_eq!(waiting.first(), Some(&thread(0)), "main waits for the others");
                assert_eq!(waiting[1..], spinning.iter().map(|number| thread(*number)).collect::<Vec<_>>());
            });
        });
    }
}

/// If somebody waits for a lock besides, it is still a livelock; if nobody goes round, it is a deadlock.
#[test]
fn livelock_and_deadlock_are_told_apart() {
    let spinning = waits([lock("m"), wait_until("x", 1)], [yield_now()]);
    let stuck = threads([vec![lock("m")], vec![lock("m")]]).build();
    in_order(&spinning, |system| {
        each_end(system, |system| assert!(matches!(system.end(), End::Livelock(_))))
    });
    in_order(&stuck, |system| {
        each_end(system, |system| {
            let End::Deadlock(waiting) = system.end() else { panic!("{:?}", system.end()) };
            assert_eq!(waiting.len(), 2);
        });
    });
}

/// With buffers, what counts is what the thread would read: its own store, though it is not in memory yet. And each buffered
/// store is an effect.
#[test]
fn with_buffers_the_own_store_is_seen() {
    let own = waits([store("x", 1), wait_until("x", 1)], [yield_now()]);
    let stores = waits([until("a", 1, [store("y", 0), load("x").into("a")])], [yield_now()]);
    for discipline in [Discipline::Tso, Discipline::Pso] {
        with_buffers(&own, discipline, |system| {
            run(system, 0, 2);
            // The store, the load, and there it ends.
            run(system, 1, 40);
            assert_eq!(system.watched(thread(1)), None);
            assert!(!system.events().iter().any(|event| matches!(event.operation, Operation::Flush { .. })));
            assert_eq!(system.buffers().waiting_stores(thread(1)).len(), 1);
        });
        with_buffers(&stores, discipline, |system| {
            run(system, 0, 2);
            assert_eq!(run(system, 1, 40), 40);
        });
    }
}

/// Whether a thread that looks ahead goes on alone, by value of the location before it, and whether each value in vain leaves it where it is.
fn goes_on_with(body: impl Into<Vec<Statement>>, values: &[u64]) -> Vec<bool> {
    let body = body.into();
    let answer = |value: &u64| {
        let program = waits([until("a", 1, body.clone())], [store("x", *value)]);
        in_order(&program, |system| {
            system.look_ahead(LookAhead::On);
            run(system, 0, 2);
            run(system, 2, 1);
            run(system, 1, 1) == 1
        })
    };
    values.iter().map(answer).collect()
}

#[test]
fn who_looks_ahead_goes_on_only_with_a_value_that_leads_on() {
    for (name, body, goes_on) in [
        ("a load", vec![load("x").into("a")], [false, true, false]),
        ("an exchange", vec![exchange("x", 2).into("a")], [true, true, false]),
        ("an update that changes nothing", vec![add("x", 0).into("a")], [false, true, false]),
        ("an update", vec![add("x", 1).into("a")], [true, true, true]),
        ("a compare-exchange", vec![compare_exchange("x", 1, 3).into("a")], [false, true, false]),
        ("with a yield", vec![load("x").into("a"), yield_now()], [false, true, false]),
        ("a register that counts", vec![set("b", sum("b", 1)), load("x").into("a")], [true, true, true]),
        ("two loads", vec![load("y"), load("x").into("a")], [true, true, true]),
        ("a plain load", vec![load("x").into("a").plain()], [true, true, true]),
    ] {
        assert_eq!(goes_on_with(body, &[0, 1, 2]), goes_on, "{name}");
    }
}

/// What is awaited is rewound with the rest, and asked again where the value is another one.
#[test]
fn awaits_are_rewound() {
    let program = waits([wait_until("x", 2)], [store("x", 1), store("x", 2), store("x", 3)]);
    let check = |system: &mut dyn FnMut(usize) -> (bool, Option<u128>)| {
        for (stores, expected) in
            [(0, (false, Some(0))), (1, (false, Some(1))), (1, (true, Some(2))), (1, (false, Some(3)))]
        {
            assert_eq!(system(stores), expected);
        }
    };
    in_order(&program, |system| {
        system.look_ahead(LookAhead::On);
        run(system, 0, 2);
        let before = system.mark();
        for _ in 0..2 {
            check(&mut |stores| {
                run(system, 2, stores);
                (system.is_enabled(thread(1).into()), system.awaited(thread(1)).map(|read| read.value))
            });
            system.rewind(&before);
        }
        run(system, 2, 2);
        let open = system.mark();
        run(system, 1, 1);
        assert_eq!(system.awaited(thread(1)), None, "it went on");
        system.rewind(&open);
        assert_eq!(system.awaited(thread(1)).map(|read| read.value), Some(2));
        run(system, 2, 1);
        assert!(!system.is_enabled(thread(1).into()));
        assert_eq!(system.end(), End::Livelock(vec![thread(0), thread(1)]));
    });
}

/// An access that is not atomic, by another thread, where somebody awaits a value, may be in a race with a round that is left out.
#[test]
fn plain_accesses_make_looking_ahead_unsafe() {
    let looked_too_far = |waiter: Statement, other: Statement| {
        in_order(&waits([waiter], [other]), |system| {
            system.look_ahead(LookAhead::On);
            run(system, 0, 2);
            run(system, 2, 1);
            system.has_looked_too_far()
        })
    };
    let locked = || until("a", 1, [exchange("x", 2).into("a")]);
    assert!(!looked_too_far(wait_until("x", 1), store("x", 1)));
    assert!(looked_too_far(wait_until("x", 1), store("x", 1).plain()));
    assert!(!looked_too_far(wait_until("x", 1), store("y", 1).plain()));
    assert!(!looked_too_far(wait_until("x", 1), load("x").plain()));
    assert!(looked_too_far(locked(), load("x").plain()), "a plain read is in a race with an exchange");
    assert!(looked_too_far(wait_until("x", 1), fill("x", 0, 4)));
}
