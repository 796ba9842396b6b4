//! The operational models: steps and their events, going back, and what waits for an empty buffer.

use crate::executions::{Watcher, buffered_outcomes, in_order, thread, turns, walk, with_buffers};
use selvedge_memory::{Bound, Bounds, Buffered, Discipline, End, Sequential, Step, StoreBuffers, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Agent, Event, Operation, Turn};
use selvedge_vm::{Config, Image};

/// All that can be seen of a state.
#[derive(Debug, Clone, PartialEq)]
struct State {
    digest: u64,
    events: Vec<Event>,
    turns: Vec<Turn>,
    waiting: Vec<Vec<(u64, u128, u32, u32)>>,
    issued: Vec<u32>,
    end: End,
}

fn state<S: System>(system: &S) -> State {
    let threads: Vec<_> = system.machine().threads().collect();
    let stores = |thread: &_| {
        let stores = system.buffers().waiting_stores(*thread);
        stores.iter().map(|store| (store.address, store.value, store.number, store.epoch)).collect()
    };
    State {
        digest: system.machine().digest(),
        events: system.events().to_vec(),
        turns: turns(system),
        waiting: threads.iter().map(stores).collect(),
        issued: threads.iter().map(|thread| system.buffers().issued(*thread)).collect(),
        end: system.end(),
    }
}

/// Programs with something of everything.
fn programs() -> Vec<(&'static str, Program)> {
    let semaphore = sync("semaphore_init", "s").with(0);
    vec![
        (
            "accesses",
            threads([vec![store("x", 1), load("y")], vec![store("y", 1).release(), add("x", 2)]]).build(),
        ),
        (
            "sizes",
            threads([
                vec![store("x", 0x0102_0304_0506_0708_u64).part(0, 8), load("x").part(2, 4)],
                vec![copy("y", "x", 12), fill("x", 3, 5)],
            ])
            .build(),
        ),
        (
            "locks",
            threads([
                vec![lock("m"), store("x", 1).plain(), unlock("m")],
                vec![try_lock("m").into("f"), when("f", 0, [unlock("m")])],
            ])
            .build(),
        ),
        (
            "condition",
            threads([vec![lock("m"), timed_wait("c", "m"), unlock("m")], vec![signal("c")]]).build(),
        ),
        (
            "semaphore",
            threads([vec![down("s"), load("x")], vec![store("x", 1), post("s")]]).first([semaphore]).build(),
        ),
        ("choice", threads([vec![choose(3).into("a"), store("x", "a")], vec![load("x")]]).build()),
        ("heap", threads([vec![publish("q").release()], vec![look_through("q").acquire()]]).build()),
        ("waiting loop", threads([vec![wait_until("x", 1), store("y", 1)], vec![store("x", 1)]]).build()),
        (
            "atomic section",
            threads([vec![atomic([load("x"), store("x", 1)])], vec![atomic([store("x", 2)])]]).build(),
        ),
    ]
}

/// Looks whether each state is the same when the walk comes back to it.
struct Returns {
    states: Vec<State>,
}

impl<S: System> Watcher<S> for Returns {
    type Mark = usize;
    fn mark(&self) -> usize {
        self.states.len()
    }
    fn rewind(&mut self, mark: &usize) {
        self.states.truncate(*mark);
    }
    fn stepped(&mut self, system: &mut S, _: &Step) {
        self.states.push(state(system));
    }
    fn ended(&mut self, system: &mut S) {
        assert_eq!(self.states.last(), Some(&state(system)));
    }
}

/// Steps of each state, taken and taken back, leave it as it was; and taken twice, they lead to the same state.
fn returns<S: System>(system: &mut S, depth: usize, name: &str) {
    let before = state(system);
    for Turn { agent, choice } in before.turns.clone() {
        let mark = system.mark();
        let step = system.step(agent, choice);
        let after = state(system);
        assert_eq!(after.events.len(), before.events.len() + 1, "each step is one event");
        if depth > 0 {
            returns(system, depth - 1, name);
        }
        system.rewind(&mark);
        assert_eq!(state(system), before, "{name}");
        assert_eq!(system.step(agent, choice), step);
        assert_eq!(state(system), after, "{name}");
        system.rewind(&mark);
    }
}

#[test]
fn steps_can_be_taken_back() {
    for (name, program) in programs() {
        in_order(&program, |system| returns(system, 6, name));
        for discipline in [Discipline::Tso, Discipline::Pso] {
            with_buffers(&program, discipline, |system| returns(system, 5, name));
        }
    }
}

/// A long way back is as good as many short ones.
#[test]
fn any_mark_can_be_returned_to() {
    let mut random = Random::new(7);
    for (name, program) in programs() {
        with_buffers(&program, Discipline::Pso, |system| {
            let mut past = vec![(system.mark(), state(system))];
            for _ in 0..200 {
                let turns = turns(system);
                if turns.is_empty() || random.below(5) == 0 {
                    let at = random.below(past.len());
                    past.truncate(at + 1);
                    let (mark, state_then) = &past[at];
                    system.rewind(mark);
                    assert_eq!(&state(system), state_then, "{name}");
                    continue;
                }
                let Turn { agent, choice } = random.pick(&turns);
                system.step(agent, choice);
                let now = state(system);
                past.push((system.mark(), now));
            }
        });
    }
}

#[test]
fn whole_walks_end_where_they_began() {
    for (name, program) in programs() {
        in_order(&program, |system| {
            let before = state(system);
            walk(system, &mut Returns { states: Vec::new() });
            assert_eq!(state(system), before, "{name}");
        });
    }
}

/// Who is listed as enabled is enabled, and nobody else.
#[test]
fn enabled_agents_are_the_same_one_by_one() {
    fn agree<S: System>(system: &mut S, random: &mut Random) {
        loop {
            let turns = turns(system);
            for thread in system.machine().threads().collect::<Vec<_>>() {
                let stores =
                    (1..=system.buffers().issued(thread)).filter_map(|number| Agent::store(thread, number));
                for agent in stores.chain([thread.into()]) {
                    let listed = turns.iter().any(|turn| turn.agent == agent);
                    assert_eq!(listed, system.is_enabled(agent), "{agent}");
                }
                let mut ready = Vec::new();
                system.buffers().ready_stores(thread, &mut |agent| ready.push(agent));
                // While a thread is in an atomic section, stores of others wait.
                let listed: Vec<Agent> = turns.iter().map(|turn| turn.agent).collect();
                let arriving = listed.iter().filter(|agent| !agent.is_thread() && agent.thread() == thread);
                assert!(arriving.clone().all(|agent| ready.contains(agent)));
            }
            if turns.is_empty() {
                return;
            }
            let Turn { agent, choice } = random.pick(&turns);
            system.mark();
            system.step(agent, choice);
        }
    }
    let mut random = Random::new(2);
    for (_, program) in programs() {
        for _ in 0..20 {
            in_order(&program, |system| agree(system, &mut random));
            with_buffers(&program, Discipline::Tso, |system| agree(system, &mut random));
            with_buffers(&program, Discipline::Pso, |system| agree(system, &mut random));
        }
    }
}

/// Lets a thread perform so many operations.
fn run<S: System>(system: &mut S, number: usize, steps: usize) {
    for _ in 0..steps {
        let agent = Agent::from(thread(number));
        assert!(system.is_enabled(agent), "thread {number} can go on");
        system.mark();
        system.step(agent, 0);
    }
}

/// Operations that wait for the empty buffer, and those that do not.
#[test]
fn what_orders_stores_waits_for_the_empty_buffer() {
    let set_up = [sync("semaphore_init", "s").with(1)];
    for (name, statement, waits) in [
        ("load", load("y"), false),
        ("seq_cst load", load("y").seq_cst(), false),
        ("store", store("y", 1), false),
        ("release store", store("y", 1).release(), false),
        ("seq_cst store", store("y", 1).seq_cst(), true),
        ("update", add("y", 1), true),
        ("compare-exchange that fails", compare_exchange("y", 5, 1), true),
        ("acquire fence", fence(Order::Acquire), false),
        ("release fence", fence(Order::Release), false),
        ("seq_cst fence", fence(Order::SeqCst), true),
        ("lock", lock("m"), true),
        ("failed trylock", try_lock("m"), true),
        ("post", post("s"), true),
        ("signal", signal("c"), true),
        ("yield", yield_now(), false),
        ("choice", choose(2), false),
        ("small fill", fill("y", 1, 9), false),
        ("small copy", copy("y", "x", 9), false),
        ("atomic section", atomic([load("y")]), true),
    ] {
        let program =
            threads([vec![store("x", 1), statement], vec![yield_now()]]).first(set_up.clone()).build();
        for discipline in [Discipline::Tso, Discipline::Pso] {
            with_buffers(&program, discipline, |system| {
                while system.machine().threads().count() < 3 {
                    run(system, 0, 1);
                }
                run(system, 1, 1);
                assert_eq!(system.buffers().waiting_stores(thread(1)).len(), 1);
                assert_eq!(system.is_enabled(thread(1).into()), !waits, "{name} {discipline:?}");
                let arrives = Agent::store(thread(1), 1).expect("room");
                assert!(system.is_enabled(arrives));
                system.step(arrives, 0);
                assert!(system.is_enabled(thread(1).into()), "{name}: nothing is in its way");
                system.step(thread(1).into(), 0);
                let last = *system.events().last().expect("an event");
                assert_eq!(last.drained, waits, "{name}");
            });
        }
    }
}

/// Whoever joins a thread waits until its buffer is empty.
#[test]
fn a_join_waits_for_the_buffer_of_the_thread() {
    let program = threads([vec![store("x", 1)]]).last([load("x")]).build();
    with_buffers(&program, Discipline::Tso, |system| {
        run(system, 0, 1);
        run(system, 1, 1);
        assert!(!system.is_enabled(thread(0).into()));
        let arrives = Agent::store(thread(1), 1).expect("room");
        system.step(arrives, 0);
        run(system, 0, 2);
        assert_eq!(system.events().last().and_then(|event| event.read), Some(1));
        assert_eq!(system.end(), End::Complete);
    });
}

/// Under TSO stores arrive in order; under PSO those to other locations may come first, unless one releases.
#[test]
fn which_stores_arrive_next() {
    use Discipline::{Pso, Tso};
    let plain = || vec![store("x", 1), store("y", 2), store("x", 3)];
    let released = || vec![store("x", 1), store("y", 2).release()];
    let fenced = || vec![store("x", 1), fence(Order::Release), store("y", 2)];
    for (name, body, steps, discipline, expected) in [
        ("one location after the other", plain(), 3, Tso, &[1][..]),
        ("one of each location", plain(), 3, Pso, &[1, 2]),
        ("release store", released(), 2, Pso, &[1]),
        ("release fence", fenced(), 3, Pso, &[1]),
    ] {
        let program = threads([body, vec![yield_now()]]).build();
        with_buffers(&program, discipline, |system| {
            run(system, 0, 2);
            run(system, 1, steps);
            let mut ready = Vec::new();
            system.buffers().ready_stores(thread(1), &mut |agent| ready.extend(agent.number()));
            assert_eq!(ready, expected, "{name}");
            assert_eq!(system.buffers().stores_in_order(), discipline == Tso);
        });
    }
}

/// A load takes the newest bytes of its thread's own stores, and the rest from memory.
#[test]
fn loads_are_forwarded_byte_by_byte() {
    let program = threads([
        vec![
            store("x", 0x1111_1111_u64),
            store("x", 0x22_u64).part(1, 1),
            store("x", 0x3333_u64).part(3, 2),
            load("x").part(0, 8),
        ],
        vec![store("x", 0x99_u64).part(7, 1).seq_cst()],
    ])
    .initially("x", 0x8877_6655_4433_2211)
    .build();
    for discipline in [Discipline::Tso, Discipline::Pso] {
        with_buffers(&program, discipline, |system| {
            run(system, 0, 2);
            run(system, 1, 3);
            run(system, 2, 1);
            run(system, 1, 1);
            let event = *system.events().last().expect("the load");
            assert_eq!(event.read, Some(0x9977_6633_3311_2211), "{:x?}", event.read);
            assert_eq!(event.forwarded, 0b0001_1111);
            let mut forwards = system.buffers().forwards().to_vec();
            forwards.sort_unstable();
            assert_eq!(forwards, [(1, 0b101), (2, 0b10), (3, 0b11000)]);
        });
    }
}

/// Under PSO the contents of an object may arrive after the pointer to it; under TSO, or with a release store, they may not.
#[test]
fn private_stores_are_exposed_under_pso_only() {
    use std::collections::BTreeSet;
    let seen = |publishes: Statement, discipline| {
        let program = threads([vec![publishes], vec![look_through("q").acquire()]]).build();
        let outcomes = buffered_outcomes(&program, discipline);
        let second = outcomes.into_iter().filter_map(|reads| reads.get(1).copied());
        second.collect::<BTreeSet<u128>>()
    };
    assert_eq!(seen(publish("q"), Discipline::Tso), BTreeSet::from([7]));
    assert_eq!(seen(publish("q").release(), Discipline::Pso), BTreeSet::from([7]));
    assert!(seen(publish("q"), Discipline::Pso).len() > 1);
}

/// What events say about values.
#[test]
fn events_tell_what_was_read_written_and_there_before() {
    let program = threads([vec![
        store("x", 5),
        load("x"),
        add("x", 2),
        exchange("x", 1),
        compare_exchange("x", 1, 9),
        compare_exchange("x", 1, 3),
        load("x").part(0, 1),
    ]])
    .initially("x", 4)
    .build();
    in_order(&program, |system| {
        run(system, 0, 1);
        run(system, 1, 7);
        let events: Vec<_> = system.events()[1..].iter().map(|e| (e.before, e.read, e.written)).collect();
        let expected = [
            (4, None, Some(5)),
            (5, Some(5), None),
            (5, Some(5), Some(7)),
            (7, Some(7), Some(1)),
            (1, Some(1), Some(9)),
            (9, Some(9), None),
            (9, Some(9), None),
        ];
        assert_eq!(events, expected);
        let indices: Vec<u32> = system.events()[1..].iter().map(|event| event.index).collect();
        assert_eq!(indices, [0, 1, 2, 3, 4, 5, 6]);
    });
}

/// Nobody gets into an atomic section.
#[test]
fn atomic_sections_exclude_others() {
    let program =
        threads([vec![atomic([load("x"), store("x", 1)])], vec![store("x", 5), store("x", 6)]]).build();
    in_order(&program, |system| {
        run(system, 0, 2);
        run(system, 1, 1);
        assert!(matches!(system.events().last().map(|e| e.operation), Some(Operation::Load { .. })));
        assert_eq!(turns(system).len(), 1);
        assert!(!system.is_enabled(thread(2).into()));
        run(system, 1, 1);
        assert!(system.is_enabled(thread(2).into()));
    });
}

/// Bounds stop the thread that has come to them, and nobody else.
#[test]
fn bounds_are_of_each_thread() {
    let program =
        threads([vec![until("a", 7, [add("x", 1), load("y").into("a")])], vec![store("y", 7)]]).build();
    let image = Image::new(&program).expect("a program");
    let bounded = |bounds| Sequential::new(&image, Config::default(), bounds).expect("a machine").0;
    let bound = |system: &mut Sequential<'_>| {
        run(system, 0, 2);
        for _ in 0..100 {
            system.mark();
            if let Step::Bounded(bound) = system.step(thread(1).into(), 0) {
                assert!(!system.is_enabled(thread(1).into()));
                assert!(system.is_enabled(thread(2).into()));
                return (bound, system.events().len() - 2);
            }
        }
        panic!("no bound was reached")
    };
    let (reached, operations) = bound(&mut bounded(Bounds { unroll: Some(3), steps: None }));
    assert!(matches!(reached, Bound::Unroll(_)), "{reached:?}");
    assert_eq!(operations, 6, "each of the two operations three times");
    let (reached, operations) = bound(&mut bounded(Bounds { unroll: None, steps: Some(5) }));
    assert_eq!((reached, operations), (Bound::Steps(5), 5));
}

/// A machine that starts with an error says so.
#[test]
fn errors_before_the_first_step_are_told() {
    let program = threads([]).main([set("a", 1), check("a", 2)]).build();
    let image = Image::new(&program).expect("a program");
    let (_, first) = Sequential::new(&image, Config::default(), Bounds::default()).expect("a machine");
    assert!(matches!(first, Step::Stopped(_)), "{first:?}");
    let (_, first) =
        Buffered::new(&image, Config::default(), Bounds::default(), Discipline::Tso).expect("a machine");
    assert!(matches!(first, Step::Stopped(_)), "{first:?}");
}
