//! Plain accesses that are several nodes: the graphs of mixed sizes have the executions of the machine.

use crate::executions::{outcomes, reads};
use crate::graphs::{each_graph, graph_turns, with_graph};
use selvedge_memory::axiomatic::{Axiomatic, Axioms, Rc11, Sc};
use selvedge_memory::{Step, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::Turn;
use selvedge_vm::Stop;
use std::collections::BTreeSet;

/// The cuts that are asked for while a program is explored without them, if any are.
fn asked_for<A: Axioms>(program: &Program, cuts: &[u64]) -> Vec<u64> {
    fn search<A: Axioms>(system: &mut Axiomatic<'_, A>) -> Option<Vec<u64>> {
        for thread in system.threads().collect::<Vec<_>>() {
            if let Err(Stop::Unsupported(reached)) = system.next(thread) {
                return Some(reached.cuts);
            }
        }
        for Turn { agent, choice } in graph_turns(system) {
            let mark = system.mark();
            let step = system.step(agent, choice);
            let found = match step {
                Step::Stopped(Stop::Unsupported(reached)) => Some(reached.cuts),
                _ => search(system),
            };
            system.rewind(&mark);
            if found.is_some() {
                return found;
            }
        }
        None
    }
    with_graph::<A, _>(program, cuts, |system| search(system).unwrap_or_default())
}

/// All cuts that a program needs.
fn all_cuts<A: Axioms>(program: &Program) -> Vec<u64> {
    let mut cuts = Vec::new();
    loop {
        let more = asked_for::<A>(program, &cuts);
        if more.is_empty() {
            return cuts;
        }
        cuts.extend(more);
        cuts.sort_unstable();
        cuts.dedup();
    }
}

fn outcomes_with<A: Axioms>(program: &Program, cuts: &[u64]) -> BTreeSet<Vec<u128>> {
    let mut outcomes = BTreeSet::new();
    with_graph::<A, ()>(program, cuts, |system| {
        each_graph(system, &mut |system| {
            outcomes.insert(reads(system.events()).into_values().flatten().collect());
        });
    });
    outcomes
}

/// One size everywhere needs no cut.
#[test]
fn accesses_of_one_size_need_no_cuts() {
    let program = threads([vec![store("x", 1).plain()], vec![load("x").plain()]]).build();
    assert!(all_cuts::<Sc>(&program).is_empty());
}

/// The cuts that are asked for are the ends of the accesses that overlap.
#[test]
fn cuts_are_asked_for_where_sizes_differ() {
    let half = |statement: Statement| statement.plain().part(2, 2);
    let program = threads([vec![store("x", 1).plain()], vec![half(load("x"))]]).build();
    let cuts = all_cuts::<Sc>(&program);
    let middle: Vec<u64> = cuts.iter().map(|cut| cut % 16).collect();
    assert!(middle.contains(&2) && middle.contains(&4), "{cuts:x?}");
    assert!(asked_for::<Sc>(&program, &cuts).is_empty());
}

/// Programs whose mixed accesses do not overlap in time, so that parts cannot be told from wholes.
fn protected() -> Vec<(&'static str, Program)> {
    let locked = |statements: Vec<Statement>| {
        [vec![lock("m")], statements, vec![unlock("m")]].into_iter().flatten().collect::<Vec<_>>()
    };
    let pattern = || store("x", 0x0102_0304_0506_0708_u64).part(0, 8).plain();
    let halves = || vec![load("x").part(2, 2).plain(), load("x").part(0, 8).plain()];
    vec![
        ("loads of a part", threads([locked(vec![pattern()]), locked(halves())]).build()),
        (
            "stores to parts",
            threads([
                locked(vec![
                    store("x", 0xaaaa_u64).part(3, 2).plain(),
                    store("x", 0xbb_u64).part(0, 1).plain(),
                ]),
                locked(halves()),
            ])
            .initially("x", 0x1122_3344_5566_7788)
            .build(),
        ),
        (
            "copies",
            threads([
                locked(vec![pattern(), copy("y", "x", 12)]),
                locked(vec![load("y").part(4, 4).plain(), load("y").part(8, 4).plain()]),
            ])
            .initially("y", 99)
            .build(),
        ),
        (
            "fills",
            threads([
                locked(vec![fill("x", 7, 6)]),
                locked(vec![load("x").part(4, 4).plain(), load("x").part(0, 8).plain()]),
            ])
            .initially("x", 0x1111_1111_1111_1111)
            .build(),
        ),
    ]
}

#[test]
fn parts_make_up_the_whole() {
    for (name, program) in protected() {
        let expected = outcomes(&program);
        let cuts = all_cuts::<Sc>(&program);
        assert_eq!(outcomes_with::<Sc>(&program, &cuts), expected, "SC: {name}");
        let cuts = all_cuts::<Rc11>(&program);
        assert_eq!(outcomes_with::<Rc11>(&program, &cuts), expected, "RC11: {name}");
    }
}

/// Cuts where nobody needs them change nothing, either.
#[test]
fn more_cuts_than_needed_make_no_difference() {
    for (name, program) in protected() {
        let cuts = all_cuts::<Sc>(&program);
        let Some(first) = cuts.first() else { continue };
        let start = first & !15;
        let all: Vec<u64> = (start..start + 16).collect();
        assert_eq!(outcomes_with::<Sc>(&program, &all), outcomes(&program), "{name}");
    }
}

/// Nothing is said about the bytes of a plain access being accessed at once: a reader may see a part of a store.
#[test]
fn plain_accesses_may_be_torn_where_they_are_cut() {
    let program = threads([
        vec![store("x", 0x0001_0001_u64).plain()],
        vec![load("x").plain(), load("x").part(2, 2).plain()],
    ])
    .build();
    let cuts = all_cuts::<Rc11>(&program);
    let torn: BTreeSet<u128> = outcomes_with::<Rc11>(&program, &cuts)
        .into_iter()
        .filter_map(|reads| reads.first().copied())
        .collect();
    assert_eq!(torn, BTreeSet::from([0, 1, 0x0001_0000, 0x0001_0001]));
}
