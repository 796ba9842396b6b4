//! Schedules: sampling by seed, replaying, and looking for simpler ones.

use crate::exploring::*;
use crate::programs::broken;
use selvedge_explore::steps::minimise::{fewest_switches, switches};
use selvedge_explore::steps::replay::{self, Diverged};
use selvedge_explore::{Found, Limit, Session, Settings, Turn};
use selvedge_memory::{Sequential, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Agent, ThreadId};

fn samplers(seed: u64, count: u64) -> [How; 3] {
    [How::Random { seed, count }, How::Pct { seed, count, depth: 1 }, How::Pct { seed, count, depth: 3 }]
}

/// What was found, and in which order.
fn picture(said: &Said) -> (u64, u64, Vec<Vec<Turn>>) {
    let schedules = said.found.iter().map(|found| found.schedule.clone()).collect();
    (said.statistics.executions, said.statistics.steps, schedules)
}

#[test]
fn the_same_seed_gives_the_same_executions() {
    for (name, program) in broken() {
        for model in MODELS {
            for (one, other) in samplers(5, 40).into_iter().zip(samplers(5, 40)) {
                let (one, other) = (explore(&program, one, model), explore(&program, other, model));
                assert_eq!(picture(&one), picture(&other), "{name} {model:?}");
            }
        }
    }
}

#[test]
fn other_seeds_give_other_executions() {
    let (_, program) = broken().swap_remove(0);
    let pictures = |how: fn(u64) -> How| {
        let said: Vec<_> = (0..8).map(|seed| picture(&explore(&program, how(seed), Model::Sc))).collect();
        said.windows(2).any(|pair| pair[0] != pair[1])
    };
    assert!(pictures(|seed| How::Random { seed, count: 3 }));
    assert!(pictures(|seed| How::Pct { seed, count: 3, depth: 3 }));
}

/// As many executions as asked for; and it is said that this was sampling.
#[test]
fn sampling_is_said() {
    let program = threads([vec![store("x", 1), load("y")], vec![store("y", 1), load("x")]]).build();
    for how in samplers(1, 17) {
        let said = explore(&program, how, Model::Sc);
        assert_eq!(said.statistics.executions, 17, "{how:?}");
        assert_eq!(said.limits, [Limit::Sampling(17)]);
    }
}

/// What sampling finds is there; with enough executions of a tiny program it finds all.
#[test]
fn sampling_finds_what_there_is() {
    for (name, program) in broken() {
        let all = explore(&program, How::Exhaustive, Model::Sc).wrong;
        for how in samplers(3, 400) {
            let said = explore(&program, how, Model::Sc);
            assert!(said.wrong.is_subset(&all), "{name} {how:?}");
            if matches!(how, How::Random { .. }) {
                assert_eq!(said.wrong, all, "{name}");
            }
        }
    }
}

/// Follows a schedule; what is found, or where it cannot be followed.
fn replayed(program: &Program, schedule: &[Turn]) -> Result<Vec<Found>, Diverged> {
    in_session(program, no_races(), |session| {
        replay::explore(session, schedule).map(|()| {
            assert_eq!(session.schedule(), schedule);
            session.found.clone()
        })
    })
}

#[test]
fn schedules_lead_to_what_was_found() {
    for (name, program) in broken() {
        for how in [
            How::Exhaustive,
            How::Optimal { workers: 1 },
            How::Source,
            How::Classic,
            How::Vieq { workers: 1 },
        ] {
            for found in explore(&program, how, Model::Sc).found {
                let again = replayed(&program, &found.schedule).expect("it can be followed");
                let same = |other: &Found| other.violation == found.violation;
                assert!(again.iter().any(same), "{name} {how:?} {:?}", found.violation);
            }
        }
    }
}

fn turn(thread: usize) -> Turn {
    Turn { agent: crate::executions::thread(thread).into(), choice: 0 }
}

/// A schedule that the program does not have is refused where it goes wrong.
#[test]
fn other_schedules_are_refused() {
    let program = threads([vec![lock("m"), store("x", 1)], vec![lock("m")]]).build();
    for (schedule, at) in [
        (vec![turn(1)], 0),
        (vec![turn(0), turn(0), turn(1), turn(2)], 3),
        (vec![turn(0), Turn { choice: 1, ..turn(1) }], 1),
        (vec![turn(0), Turn { agent: Agent::store(ThreadId::MAIN, 1).expect("room"), choice: 0 }], 1),
    ] {
        assert_eq!(replayed(&program, &schedule).err(), Some(Diverged { at }), "{schedule:?}");
    }
    // A beginning of an execution can be followed, and nothing else is run.
    assert_eq!(replayed(&program, &[turn(0), turn(0)]).map(|found| found.len()), Ok(0));
}

/// A program that ends before there is anything to choose has the empty schedule.
#[test]
fn an_end_at_the_start_has_the_empty_schedule() {
    let program = threads([]).main([fail()]).build();
    assert_eq!(replayed_at_start(&program, &[]), Ok(1));
    assert_eq!(replayed_at_start(&program, &[turn(0)]), Err(Diverged { at: 0 }));
}

fn replayed_at_start(program: &Program, schedule: &[Turn]) -> Result<usize, Diverged> {
    in_session(program, no_races(), |session| {
        assert!(session.ended_at_start());
        replay::explore(session, schedule).map(|()| session.found.len())
    })
}

/// A simpler schedule has fewer switches and the same violation, and leads to it.
#[test]
fn minimised_schedules_are_simpler_and_lead_to_the_same() {
    let mut improved = 0;
    for (name, program) in broken() {
        // Whatever a random walk finds, it is rarely the simplest.
        let walks = (0..4).map(|seed| explore(&program, How::Random { seed, count: 60 }, Model::Sc));
        for found in walks.flat_map(|said| said.found) {
            let settings = Settings { keep_going: true, ..no_races() };
            let better = in_session(&program, settings, |session: &mut Session<'_, Sequential<'_>>| {
                fewest_switches(session, &found)
            });
            let Some(better) = better else { continue };
            improved += 1;
            assert!(switches(&better.schedule) < switches(&found.schedule), "{name}");
            assert!(better.violation.is_same(&found.violation), "{name}");
            let again = replayed(&program, &better.schedule).expect("it can be followed");
            assert!(again.iter().any(|other| other.violation.is_same(&found.violation)), "{name}");
            // The simplest cannot be improved.
            let none = in_session(&program, no_races(), |session| fewest_switches(session, &better));
            assert!(none.is_none(), "{name}");
        }
    }
    assert!(improved > 2, "{improved}");
}

#[test]
fn switches_are_counted_between_threads_only() {
    let store = Turn { agent: Agent::store(ThreadId::MAIN, 1).expect("room"), choice: 0 };
    assert_eq!(switches(&[]), 0);
    assert_eq!(switches(&[turn(0), turn(0), turn(1), turn(1), turn(0)]), 2);
    assert_eq!(switches(&[turn(1), store, turn(1)]), 0, "a store that arrives is nobody's turn");
}

/// Schedules with store buffers can be followed, too.
#[test]
fn schedules_of_stores_are_replayed() {
    use selvedge_memory::{Bounds, Buffered, Discipline};
    use selvedge_vm::{Config, Image};
    let program = threads([
        vec![store("x", 1), load("y").into("a")],
        vec![store("y", 1), load("x").into("a"), when("a", 0, [fail()])],
    ])
    .build();
    let said = explore(&program, How::Optimal { workers: 1 }, Model::Tso);
    let image = Image::new(&program).expect("a program");
    for found in said.found {
        let system =
            Buffered::new(&image, Config::default(), Bounds::default(), Discipline::Tso).expect("a machine");
        with_session(system, no_races(), |session| {
            assert_eq!(replay::explore(session, &found.schedule), Ok(()));
            assert!(session.found.iter().any(|other| other.violation == found.violation));
            assert!(session.system.events().len() == found.schedule.len());
        });
    }
}
