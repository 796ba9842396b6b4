//! The dependence of operations against the machine: what is said to commute does.

use crate::executions::{in_order, turns, with_buffers};
use crate::programs::{broken, counted, random_program};
use selvedge_explore::core::dependence::{self, Access, Mode};
use selvedge_memory::{Discipline, Step, System};
use selvedge_program::{CommutingOp, Program};
use selvedge_testing::*;
use selvedge_trace::{Event, Turn};

const MODES: [Mode; 7] = [
    Mode::Read,
    Mode::Add,
    Mode::Share,
    Mode::Arrive,
    Mode::Write,
    Mode::Update(CommutingOp::Sum),
    Mode::Update(CommutingOp::Or),
];

#[test]
fn modes_conflict_symmetrically() {
    for one in MODES {
        for other in MODES {
            assert_eq!(one.conflicts(other), other.conflicts(one));
        }
        assert_eq!(one.conflicts(one), one == Mode::Write, "the same mode commutes, unless it is a write");
        assert!(one.conflicts(Mode::Write));
    }
}

/// A step and what it touches.
struct Taken {
    event: Event,
    accesses: Vec<Access>,
    step: Step,
}

fn take<S: System>(system: &mut S, turn: Turn) -> Taken {
    let mut accesses = Vec::new();
    dependence::of_waiting(system, turn.agent, &mut accesses);
    let step = system.step(turn.agent, turn.choice);
    let event = *system.events().last().expect("each step is an event");
    let woken = system.take_woken();
    dependence::of_event(system, &event, &woken, &mut accesses);
    Taken { event, accesses, step }
}

/// What an event is, whatever was done before.
fn result(event: &Event) -> (u32, Option<u128>, Option<u128>) {
    (event.index, event.read, event.written)
}

/// Performs pairs of steps of different threads in both orders, wherever a random execution comes; says how many commute,
/// and how many do not.
fn examine<S: System>(system: &mut S, random: &mut Random, name: &str) -> (usize, usize) {
    let (mut commuting, mut others) = (0, 0);
    loop {
        let now = turns(system);
        for (at, one) in now.iter().enumerate() {
            for other in now[at + 1..].iter().filter(|other| other.agent.thread() != one.agent.thread()) {
                let mark = system.mark();
                let first = take(system, *one);
                let possible = system.is_enabled(other.agent) && system.choices(other.agent) > other.choice;
                if !possible {
                    others += 1;
                    system.rewind(&mark);
                    continue;
                }
                let second = take(system, *other);
                let depends = dependence::dependent(&first.accesses, &second.accesses);
                assert_eq!(
                    depends,
                    dependence::dependent(&second.accesses, &first.accesses),
                    "it is symmetric"
                );
                let hinders = first.accesses.iter().any(|a| second.accesses.iter().any(|b| a.hinders(b)));
                let digest = system.machine().digest();
                // Nobody comes into an atomic section: it commutes as a whole.
                let is_whole = !first.event.atomic_section && !second.event.atomic_section;
                system.rewind(&mark);
                others += usize::from(depends);
                if !depends && !hinders && is_whole {
                    commuting += 1;
                    assert!(system.is_enabled(other.agent), "{name}: {:?}", second.event);
                    let earlier = take(system, *other);
                    assert!(system.is_enabled(one.agent), "{name}: {:?}", first.event);
                    let later = take(system, *one);
                    let context =
                        || format!("{name}: {:?} and {:?}", first.event.operation, second.event.operation);
                    assert_eq!(result(&earlier.event), result(&second.event), "{}", context());
                    assert_eq!(result(&later.event), result(&first.event), "{}", context());
                    assert_eq!((&earlier.step, &later.step), (&second.step, &first.step), "{}", context());
                    assert_eq!(system.machine().digest(), digest, "{}", context());
                    system.rewind(&mark);
                }
            }
        }
        if now.is_empty() {
            return (commuting, others);
        }
        let turn = random.pick(&now);
        system.mark();
        system.step(turn.agent, turn.choice);
    }
}

fn programs() -> Vec<(&'static str, Program)> {
    let barrier_of = |count| sync("barrier_init", "b").with(count);
    let more = vec![
        ("barrier", threads((0..3).map(|_| vec![barrier("b"), load("x")])).first([barrier_of(3)]).build()),
        (
            "timed wait",
            threads([vec![lock("m"), timed_wait("c", "m"), unlock("m")], vec![broadcast("c")]]).build(),
        ),
        (
            "copies",
            threads([vec![copy("x", "y", 12)], vec![copy("z", "y", 12)], vec![fill("y", 1, 4)]]).build(),
        ),
        (
            "semaphore",
            threads([
                vec![sync("semaphore_trywait", "s")],
                vec![post("s")],
                vec![sync("semaphore_value", "s")],
            ])
            .first([sync("semaphore_init", "s").with(1)])
            .build(),
        ),
        (
            "mutexes",
            threads([vec![try_lock("m")], vec![sync("mutex_timedlock", "m")], vec![unlock("m")]])
                .first([sync("mutex_init", "m").with(2)])
                .build(),
        ),
        (
            "readers",
            threads([
                vec![read_lock("l"), read_unlock("l")],
                vec![sync("rwlock_trywrlock", "l")],
                vec![sync("rwlock_tryrdlock", "l")],
            ])
            .build(),
        ),
        (
            "objects",
            threads([
                vec![publish("q").release()],
                vec![look_through("q").acquire(), free_through("q").acquire()],
            ])
            .build(),
        ),
    ];
    let known = counted().into_iter().map(|known| (known.name, known.program));
    known.chain(broken()).chain(more).collect()
}

#[test]
fn independent_steps_commute_on_the_machine() {
    let mut random = Random::new(51);
    let (mut commuting, mut others) = (0, 0);
    for (name, program) in programs() {
        for _ in 0..8 {
            let counts = in_order(&program, |system| examine(system, &mut random, name));
            (commuting, others) = (commuting + counts.0, others + counts.1);
        }
    }
    assert!(commuting > 500 && others > 200, "{commuting} {others}");
}

#[test]
fn independent_steps_commute_with_store_buffers() {
    let mut random = Random::new(52);
    let (mut commuting, mut others) = (0, 0);
    let random_programs: Vec<_> = (0..10).map(|_| ("random", random_program(&mut random, 3, 3))).collect();
    for (name, program) in programs().into_iter().chain(random_programs) {
        for discipline in [Discipline::Tso, Discipline::Pso] {
            for _ in 0..4 {
                let counts = with_buffers(&program, discipline, |system| examine(system, &mut random, name));
                (commuting, others) = (commuting + counts.0, others + counts.1);
            }
        }
    }
    assert!(commuting > 500 && others > 200, "{commuting} {others}");
}

/// Accesses touch exactly the bytes of their operation.
#[test]
fn accesses_cover_the_bytes_of_operations() {
    for (offset, size) in [(0, 4), (3, 2), (6, 4), (0, 8), (5, 8), (7, 1)] {
        let program = threads([vec![store("x", 1).part(offset, size)], vec![yield_now()]]).build();
        in_order(&program, |system| {
            let spawn = turns(system)[0];
            system.step(spawn.agent, 0);
            let thread = Turn { agent: crate::executions::thread(1).into(), choice: 0 };
            let taken = take(system, thread);
            let base = taken.accesses.iter().map(|access| access.granule).min().expect("an access");
            let mut bytes: Vec<u64> = Vec::new();
            for access in &taken.accesses {
                assert_eq!(access.mode, Mode::Write);
                bytes.extend(
                    (0..8).filter(|bit| access.mask & 1 << bit != 0).map(|bit| access.granule - base + bit),
                );
            }
            let start = offset % 8;
            assert_eq!(bytes, (start..start + u64::from(size)).collect::<Vec<_>>(), "{offset} {size}");
        });
    }
}
