//! The partial order of an execution, and its races, against their definitions.

use crate::executions::{in_order, turns, with_buffers};
use crate::programs::{counted, random_program};
use selvedge_explore::core::dependence::{self, Access, Blocking, Waking};
use selvedge_explore::steps::dpor::branch::Certainty;
use selvedge_explore::steps::dpor::partial_order::{Buffering, Family, NONE, PartialOrder, Prospect};
use selvedge_memory::{Discipline, StoreBuffers, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Agent, Event, Operation};
use std::collections::BTreeSet;

/// A unit of an execution, as it was given to the order.
struct Unit {
    agent: Agent,
    event: Event,
    accesses: Vec<Access>,
    buffering: Buffering,
    family: Family,
}

/// A random execution.
fn random_units<S: System>(system: &mut S, random: &mut Random) -> Vec<Unit> {
    let mut units = Vec::new();
    loop {
        let now = turns(system);
        if now.is_empty() {
            return units;
        }
        let turn = random.pick(&now);
        let thread = turn.agent.thread();
        let issued = system.buffers().issued(thread);
        let mut accesses = Vec::new();
        dependence::of_waiting(system, turn.agent, &mut accesses);
        system.mark();
        system.step(turn.agent, turn.choice);
        let event = *system.events().last().expect("an event");
        let woken = system.take_woken();
        dependence::of_event(system, &event, &woken, &mut accesses);
        let buffering = Buffering::of(&event, system.buffers().issued(thread) - issued);
        let family = Family::of(&event).unwrap_or(Family::Nobody);
        units.push(Unit { agent: turn.agent, event, accesses, buffering, family });
    }
}

fn prospect(unit: &Unit) -> Prospect<'_> {
    Prospect {
        agent: unit.agent,
        accesses: &unit.accesses,
        blocking: Blocking::No,
        object: 0,
        state: 0,
        waits: false,
        awaits: None,
        buffering: unit.buffering,
    }
}

fn order_of(units: &[Unit]) -> PartialOrder {
    let mut order = PartialOrder::default();
    units.iter().for_each(|unit| order.push(&prospect(unit), unit.family));
    order
}

/// Whether a unit comes after an earlier one of its thread, its creation or a join, under sequential consistency.
fn comes_after_of_itself(later: &Unit, earlier: &Unit) -> bool {
    let (thread, other) = (later.agent.thread(), earlier.agent.thread());
    thread == other || earlier.family == Family::Creates(thread) || later.family == Family::Joins(other)
}

/// Which units come before which; each comes before itself.
fn closure(units: &[Unit], directly: impl Fn(usize, usize) -> bool) -> BTreeSet<(usize, usize)> {
    let mut before = BTreeSet::new();
    for later in 0..units.len() {
        before.insert((later, later));
        for earlier in (0..later).rev() {
            let leads = |middle: usize| before.contains(&(middle, later)) && directly(earlier, middle);
            if (earlier + 1..=later).any(leads) {
                before.insert((earlier, later));
            }
        }
    }
    before
}

fn access_programs(random: &mut Random) -> Vec<Program> {
    let mut programs: Vec<Program> = (0..40).map(|_| random_program(random, 3, 3)).collect();
    programs.push(
        threads([
            vec![store("x", 1).part(0, 2), load("x")],
            vec![store("x", 2).part(1, 4)],
            vec![load("x").part(2, 8)],
        ])
        .build(),
    );
    programs
}

#[test]
fn clocks_are_the_closure_of_dependence() {
    let mut random = Random::new(61);
    let known: Vec<Program> = counted().into_iter().map(|known| known.program).collect();
    for program in access_programs(&mut random).into_iter().chain(known) {
        let units = in_order(&program, |system| random_units(system, &mut random));
        let order = order_of(&units);
        let before = closure(&units, |earlier, later| {
            let (one, other) = (&units[earlier], &units[later]);
            comes_after_of_itself(other, one) || dependence::dependent(&one.accesses, &other.accesses)
        });
        for earlier in 0..units.len() {
            for later in earlier..units.len() {
                let is_before = order.is_before(earlier as u32, later as u32);
                assert_eq!(is_before, before.contains(&(earlier, later)), "{earlier} {later}");
            }
        }
    }
}

/// Two units race if they depend on each other and nothing in between orders them.
#[test]
fn races_are_dependences_that_nothing_else_orders() {
    let mut random = Random::new(62);
    let mut found = 0;
    for program in access_programs(&mut random) {
        let units = in_order(&program, |system| random_units(system, &mut random));
        // What waits has rules of its own.
        if units.iter().any(|unit| matches!(unit.event.operation, Operation::Sync { .. })) {
            continue;
        }
        let order = order_of(&units);
        let before = closure(&units, |earlier, later| order.is_before(earlier as u32, later as u32));
        for later in 0..units.len() {
            let races: Vec<u32> = order.races(later as u32).map(|number| order.race(number).first).collect();
            for earlier in 0..later {
                let between = (earlier + 1..later)
                    .any(|middle| before.contains(&(earlier, middle)) && before.contains(&(middle, later)));
                let depends = dependence::dependent(&units[earlier].accesses, &units[later].accesses);
                let itself = comes_after_of_itself(&units[later], &units[earlier]);
                let expected = depends && !itself && !between;
                assert_eq!(races.contains(&(earlier as u32)), expected, "{earlier} {later}");
                found += usize::from(expected);
            }
        }
    }
    assert!(found > 50, "{found}");
}

/// A lock races with the lock before the unlock that makes it possible, and not with that unlock.
#[test]
fn locks_race_with_locks() {
    let critical = || vec![lock("m"), unlock("m")];
    let program = threads([critical(), critical()]).build();
    in_order(&program, |system| {
        let mut order = PartialOrder::default();
        let mut names = Vec::new();
        for thread in [0, 0, 1, 1, 2] {
            let agent = Agent::from(crate::executions::thread(thread));
            let operation = system.machine().pending(agent.thread()).expect("an operation");
            let object = match operation {
                Operation::Sync { object, .. } => object,
                _ => 0,
            };
            let state = if object == 0 { 0 } else { system.machine().memory.read_scalar(object, 8) as u64 };
            system.mark();
            system.step(agent, 0);
            let event = *system.events().last().expect("an event");
            let mut accesses = Vec::new();
            dependence::of_event(system, &event, &[], &mut accesses);
            let blocking = dependence::blocking(&operation, Waking::Signalled);
            let buffering = Buffering::of(&event, 0);
            let next = Prospect {
                agent,
                accesses: &accesses,
                blocking,
                object,
                state,
                waits: false,
                awaits: None,
                buffering,
            };
            order.push(&next, Family::of(&event).unwrap_or(Family::Nobody));
            names.push(event.operation);
        }
        let races: Vec<_> = order.races(4).map(|number| order.race(number)).collect();
        assert_eq!(races.len(), 1, "{races:?}");
        // Two creations, then the first lock.
        assert_eq!((races[0].first, races[0].also, races[0].certainty), (2, NONE, Certainty::Certain));
        assert!(order.is_before(3, 4), "the unlock comes before");
    });
}

/// Units are forgotten in the opposite order, and what was there before is as it was.
#[test]
fn truncating_restores_the_order() {
    let picture = |order: &PartialOrder| -> Vec<String> {
        (0..order.length() as u32)
            .map(|unit| {
                let races: Vec<_> = order.races(unit).map(|number| order.race(number)).collect();
                format!("{:?} {:?} {:?}", order.moment(unit), order.accesses(unit), races)
            })
            .collect()
    };
    let mut random = Random::new(63);
    for program in access_programs(&mut random).into_iter().take(15) {
        for discipline in [Discipline::Tso, Discipline::Pso] {
            let units = with_buffers(&program, discipline, |system| random_units(system, &mut random));
            let other = with_buffers(&program, discipline, |system| random_units(system, &mut random));
            let common = units.iter().zip(&other).take_while(|(one, other)| one.event == other.event).count();
            let mut order = order_of(&units);
            order.truncate(common);
            other[common..].iter().for_each(|unit| order.push(&prospect(unit), unit.family));
            let whole = order_of(&other);
            let relations = |order: &PartialOrder| -> Vec<Vec<bool>> {
                let all = 0..order.length() as u32;
                all.clone().map(|a| all.clone().map(|b| order.is_before(a, b)).collect()).collect()
            };
            assert_eq!(relations(&order), relations(&whole));
            // Components of clocks may have other numbers, but accesses and races are the same.
            let races = |order: &PartialOrder| -> Vec<Vec<_>> {
                let of = |unit| order.races(unit).map(|number| order.race(number)).collect();
                (0..order.length() as u32).map(of).collect()
            };
            assert_eq!(races(&order), races(&whole));
            // Going back and forth over the same units gives the very same.
            let before = picture(&order);
            order.truncate(common);
            other[common..].iter().for_each(|unit| order.push(&prospect(unit), unit.family));
            assert_eq!(picture(&order), before);
        }
    }
}

/// With buffers, a store arrives after the unit that performed it; what drains comes after all arrivals.
#[test]
fn arrivals_come_after_their_stores() {
    let mut random = Random::new(64);
    for program in access_programs(&mut random).into_iter().take(20) {
        for discipline in [Discipline::Tso, Discipline::Pso] {
            let units = with_buffers(&program, discipline, |system| random_units(system, &mut random));
            let order = order_of(&units);
            for (at, unit) in units.iter().enumerate() {
                let earlier = || (0..at).filter(|other| units[*other].agent.thread() == unit.agent.thread());
                if let Some(number) = unit.agent.number() {
                    let issue = earlier().find(|other| units[*other].event.buffered == number);
                    assert!(issue.is_some_and(|issue| order.is_before(issue as u32, at as u32)));
                    let same_lane = |other: &usize| match (units[*other].buffering, unit.buffering) {
                        (Buffering::Arrives { lane: one, .. }, Buffering::Arrives { lane: other, .. }) => {
                            one == other
                        }
                        _ => false,
                    };
                    assert!(
                        earlier().filter(same_lane).all(|other| order.is_before(other as u32, at as u32))
                    );
                } else if unit.buffering == Buffering::Drains {
                    assert!(earlier().all(|other| order.is_before(other as u32, at as u32)));
                } else {
                    let is_thread = |other: &usize| units[*other].agent.is_thread();
                    assert!(
                        earlier().filter(is_thread).all(|other| order.is_before(other as u32, at as u32))
                    );
                }
            }
        }
    }
}
