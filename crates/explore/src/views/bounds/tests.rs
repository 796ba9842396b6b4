//! Bounds against brute force: all orders in which the threads of small executions can do what they did.

use super::*;
use crate::views::script::by_hand::{self, create, join, lock, read, unlock, update, write};
use selvedge_testing::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The locations of variables and locks; those of facts about threads follow.
const X: Location = 0;
const Y: Location = 1;
const VARIABLES: Location = 3;
const LOCK: Location = 3;

/// All states that can be reached with everybody doing what it did: how far each thread has come, and what variables are.
struct Reached<'x> {
    execution: &'x Execution,
    states: BTreeSet<(Vec<u32>, BTreeMap<Location, u64>)>,
}

impl<'x> Reached<'x> {
    fn new(execution: &'x Execution) -> Self {
        let mut reached = Reached { execution, states: BTreeSet::new() };
        let mut left = vec![(vec![0; execution.scripts.len()], BTreeMap::new())];
        while let Some((positions, memory)) = left.pop() {
            if !reached.states.insert((positions.clone(), memory.clone())) {
                continue;
            }
            for thread in 0..positions.len() {
                let position = positions[thread] as usize;
                let script = &execution.scripts[thread];
                let Some(entry) = script.entries.get(position).filter(|_| position < script.performed) else {
                    continue;
                };
                let exists = thread == 0 || memory.contains_key(&execution.created[thread]);
                if exists && reached.is_possible(entry, &positions, &memory) {
                    let (mut positions, mut memory) = (positions.clone(), memory.clone());
                    positions[thread] += 1;
                    for set in entry.sets() {
                        memory.insert(set.part.location, set.value);
                    }
                    left.push((positions, memory));
                }
            }
        }
        reached
    }

    /// Whether an entry can do what it did.
    fn is_possible(&self, entry: &Entry, positions: &[u32], memory: &BTreeMap<Location, u64>) -> bool {
        let value = |part: &LocationPart| memory.get(&part.location).copied().unwrap_or(0);
        match entry.question {
            Question::Take(_) => entry.reads.iter().all(|part| value(part) == 0),
            Question::Join(Some(whom)) => {
                let mut scripts = self.execution.scripts.iter().zip(positions);
                scripts.any(|(script, position)| {
                    script.thread == whom && *position as usize == script.performed && script.ended
                })
            }
            _ => entry.reads.iter().zip(&entry.values).all(|(part, seen)| value(part) == *seen),
        }
    }

    /// The states in which a thread is at a position, and a variable has a value.
    fn states(
        &self,
        thread: usize,
        at: usize,
        wish: Option<(Location, u64)>,
    ) -> impl Iterator<Item = &Vec<u32>> {
        let holds = move |memory: &BTreeMap<Location, u64>| {
            wish.is_none_or(|(location, value)| memory.get(&location).copied().unwrap_or(0) == value)
        };
        let here = self.states.iter().filter(move |(positions, _)| positions[thread] as usize == at);
        here.filter(move |(_, memory)| holds(memory)).map(|(positions, _)| positions)
    }

    /// How far threads come in these states; `None` if there are none.
    fn furthest(&self, thread: usize, at: usize, wish: Option<(Location, u64)>) -> Option<Vec<u32>> {
        self.states(thread, at, wish)
            .cloned()
            .reduce(|one, other| one.iter().zip(&other).map(|(one, other)| *one.max(other)).collect())
    }
}

/// How far threads may come if a thread is to read a value at a position; `None` if it cannot.
fn limits(execution: &Execution, thread: usize, at: usize, value: u64) -> Option<Vec<u32>> {
    let bounds = Bounds::new(execution);
    let part = bounds.part_read(thread, at)?;
    let source = bounds.sources(thread, at, part).into_iter().find(|source| source.value == value)?;
    let mut limits = Vec::new();
    let wish = Value { part, value };
    bounds.find_limits(thread, at, Some((wish, &source)), &mut limits).then_some(limits)
}

/// The values that a thread could read at a position instead.
fn values(execution: &Execution, thread: usize, at: usize) -> Vec<u64> {
    let bounds = Bounds::new(execution);
    let Some(part) = bounds.part_read(thread, at) else { return Vec::new() };
    let mut values: Vec<u64> = bounds.sources(thread, at, part).iter().map(|source| source.value).collect();
    values.sort_unstable();
    values
}

fn execution(scripts: Vec<Vec<Arc<Entry>>>) -> Execution {
    let locations = LOCK + 1;
    by_hand::execution(scripts, locations)
}

/// What creates all threads but the first.
fn creations(threads: usize) -> Vec<Arc<Entry>> {
    (1..threads).map(|thread| create(by_hand::created(LOCK + 1, thread))).collect()
}

#[test]
fn who_overwrites_a_value_stays_before_that() {
    let writer = vec![write(X, 1), write(X, 2), write(X, 3)];
    let execution = execution(vec![creations(3), writer, vec![read(X, 3)]]);
    assert_eq!(values(&execution, 2, 0), [0, 1, 2]);
    assert_eq!(limits(&execution, 2, 0, 0), Some(vec![2, 0, 0]));
    assert_eq!(limits(&execution, 2, 0, 1), Some(vec![2, 1, 0]));
    assert_eq!(limits(&execution, 2, 0, 2), Some(vec![2, 2, 0]));
}

#[test]
fn who_waits_for_a_value_of_the_target_itself_does_not_go_on() {
    let target = vec![read(X, 0), write(Y, 1)];
    let other = vec![read(Y, 1), write(X, 1)];
    let execution = execution(vec![creations(3), target, other]);
    assert_eq!(values(&execution, 1, 0), [1]);
    assert_eq!(limits(&execution, 1, 0, 1), None, "it is written only after the target");
}

#[test]
fn who_joins_a_thread_that_cannot_end_does_not_go_on() {
    let mut first = creations(3);
    first.extend([join(1), write(Y, 1)]);
    let execution = execution(vec![first, vec![write(X, 1), write(X, 2)], vec![read(X, 2)]]);
    assert_eq!(limits(&execution, 2, 0, 1), Some(vec![2, 1, 0]), "it stays before the join");
    // A thread that is not created has done nothing.
    let execution = by_hand::execution(
        vec![
            vec![create(by_hand::created(LOCK + 1, 1)), read(X, 0), create(by_hand::created(LOCK + 1, 2))],
            vec![read(Y, 0)],
            vec![write(X, 1)],
        ],
        LOCK + 1,
    );
    assert_eq!(limits(&execution, 0, 1, 1), None);
}

#[test]
fn nobody_is_in_a_critical_section_together_with_the_target() {
    let writer = vec![lock(LOCK, 2), write(X, 1), write(X, 2), unlock(LOCK), write(Y, 1)];
    let reader = vec![lock(LOCK, 3), read(X, 2), unlock(LOCK)];
    let execution = execution(vec![creations(3), writer, reader]);
    assert_eq!(values(&execution, 2, 1), [0, 1]);
    assert_eq!(limits(&execution, 2, 1, 0), Some(vec![2, 0, 1]));
    assert_eq!(limits(&execution, 2, 1, 1), None, "it is there only in the section");
}

#[test]
fn what_comes_after_the_targets_own_write_is_known() {
    // To read 1, the other has to write after the target has written 2; so what it reads of Y later is 5.
    let target = vec![write(Y, 5), write(X, 2), read(X, 2)];
    let other = vec![write(X, 1), read(Y, 0), write(Y, 7)];
    let execution = execution(vec![creations(3), target, other]);
    assert_eq!(values(&execution, 1, 2), [1]);
    assert_eq!(limits(&execution, 1, 2, 1), Some(vec![2, 2, 1]));
}

#[test]
fn who_updates_a_value_that_is_written_once_comes_too_late() {
    let writer = vec![write(X, 1), write(Y, 1)];
    let updater = vec![read(Y, 0), update(X, 1, 2), write(Y, 2)];
    let execution = execution(vec![creations(4), writer, updater, vec![read(X, 2)]]);
    assert_eq!(limits(&execution, 3, 0, 1), Some(vec![3, 2, 1, 0]));
}

/// What a thread of a random program does; writes set values that are not 0.
#[derive(Clone, Copy)]
enum Statement {
    Read(Location),
    Write(Location, u64),
    Update(Location, u64),
    Lock,
    Unlock,
}

fn random_thread(random: &mut Random) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut is_inside = false;
    for _ in 0..1 + random.below(4) {
        let (location, value) = (random.below(VARIABLES as usize) as Location, 1 + random.below(2) as u64);
        statements.push(match random.below(9) {
            0..=3 => Statement::Read(location),
            4..=6 => Statement::Write(location, value),
            7 => Statement::Update(location, value),
            _ => {
                is_inside = !is_inside;
                if is_inside { Statement::Lock } else { Statement::Unlock }
            }
        });
    }
    if is_inside {
        statements.push(Statement::Unlock);
    }
    statements
}

/// An execution of a random program: three threads that the first one creates, and one of which it may join.
fn random_execution(random: &mut Random) -> Execution {
    let programs: Vec<Vec<Statement>> = (0..3).map(|_| random_thread(random)).collect();
    let joined = 1 + random.below(6);
    let last = random_thread(random);
    let mut scripts = vec![creations(4), Vec::new(), Vec::new(), Vec::new()];
    let mut memory = [0_u64; LOCK as usize + 1];
    let perform = |statement: Statement, thread: usize, memory: &mut [u64; LOCK as usize + 1]| {
        let old = |location: Location| memory[location as usize];
        let entry = match statement {
            Statement::Read(location) => read(location, old(location)),
            Statement::Write(location, value) => write(location, value),
            Statement::Update(location, value) => update(location, old(location), value),
            Statement::Lock => lock(LOCK, thread as u64 + 1),
            Statement::Unlock => unlock(LOCK),
        };
        for set in entry.sets() {
            memory[set.part.location as usize] = set.value;
        }
        entry
    };
    loop {
        let may = |thread: &usize| {
            let next = programs[*thread - 1].get(scripts[*thread].len());
            next.is_some_and(|next| !matches!(next, Statement::Lock) || memory[LOCK as usize] == 0)
        };
        let enabled: Vec<usize> = (1..4).filter(may).collect();
        if enabled.is_empty() {
            break;
        }
        let thread = random.pick(&enabled);
        let entry = perform(programs[thread - 1][scripts[thread].len()], thread, &mut memory);
        scripts[thread].push(entry);
    }
    if joined < 4 {
        scripts[0].push(join(joined));
        for statement in last {
            let entry = perform(statement, 0, &mut memory);
            scripts[0].push(entry);
        }
    }
    execution(scripts)
}

/// No thread comes further than its limit, and no value is read but those that are said to be possible.
#[test]
fn bounds_are_never_below_what_is_reachable() {
    let mut random = Random::new(91);
    let (mut reads, mut readable, mut exact, mut refused) = (0, 0, 0, 0);
    for _ in 0..300 {
        let execution = random_execution(&mut random);
        let bounds = Bounds::new(&execution);
        let reached = Reached::new(&execution);
        for (thread, script) in execution.scripts.iter().enumerate() {
            for at in 0..script.performed {
                let Some(part) = bounds.part_read(thread, at) else {
                    let mut limits = Vec::new();
                    assert!(bounds.find_limits(thread, at, None, &mut limits));
                    let furthest = reached.furthest(thread, at, None).unwrap();
                    assert!(furthest.iter().zip(&limits).all(|(come, limit)| come <= limit));
                    continue;
                };
                reads += 1;
                let possible = values(&execution, thread, at);
                for value in (0..3).filter(|value| *value != script.entries[at].values[0]) {
                    let furthest = reached.furthest(thread, at, Some((part.location, value)));
                    let limits = limits(&execution, thread, at, value);
                    assert!(limits.is_none() || possible.contains(&value));
                    refused += usize::from(limits.is_none());
                    let Some(furthest) = furthest else { continue };
                    readable += 1;
                    let limits = limits.unwrap_or_else(|| panic!("{value} can be read at {thread}:{at}"));
                    let is_within = furthest.iter().zip(&limits).all(|(come, limit)| come <= limit);
                    assert!(is_within, "{furthest:?} beyond {limits:?} for {value} at {thread}:{at}");
                    exact += usize::from(furthest == limits);
                }
            }
        }
    }
    assert!(reads > 500 && readable > 200 && refused > 200, "{reads} reads, {readable}, {refused}");
    // Most are exact.
    assert!(exact * 4 > readable * 3, "{exact} of {readable}");
}

/// The targets of a thread: what can return something else in some order is among them.
#[test]
fn all_that_may_return_something_else_is_a_target() {
    let mut random = Random::new(92);
    let mut others = 0;
    for _ in 0..300 {
        let execution = random_execution(&mut random);
        let bounds = Bounds::new(&execution);
        let reached = Reached::new(&execution);
        let (mut limits, mut targets) = (Vec::new(), Vec::new());
        for (thread, script) in execution.scripts.iter().enumerate() {
            bounds.find_targets(thread, &mut limits, &mut targets);
            for at in 0..script.performed {
                let entry = &script.entries[at];
                let [part] = *entry.reads else { continue };
                let Some(seen) = entry.values.first() else { continue };
                let other = (0..3).any(|value| {
                    value != *seen
                        && reached.states(thread, at, Some((part.location, value))).next().is_some()
                });
                others += usize::from(other);
                assert!(!other || targets.iter().any(|(target, _)| *target == at));
            }
        }
    }
    assert!(others > 200, "{others}");
}
