//! Litmus tests: which outcomes each model has, by brute force on the models themselves.

use crate::executions::{buffered_outcomes, outcomes};
use crate::graphs::graph_outcomes;
use selvedge_memory::Discipline;
use selvedge_memory::axiomatic::{Rc11, ReleaseAcquire, Sc, Tso};
use selvedge_program::Program;
use selvedge_testing::*;
use std::collections::BTreeSet;

/// A name, the program, what is read in the outcome in question (main first), and the models that have it.
type Row = (&'static str, Program, &'static [u128], Models);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Models {
    sc: bool,
    tso: bool,
    pso: bool,
    ra: bool,
    rc11: bool,
}

const NONE: Models = Models { sc: false, tso: false, pso: false, ra: false, rc11: false };
const ALL: Models = Models { sc: true, tso: true, pso: true, ra: true, rc11: true };
const ALL_WEAK: Models = Models { sc: false, ..ALL };
const PSO: Models = Models { pso: true, ..NONE };
const RC11: Models = Models { rc11: true, ..NONE };
const RA: Models = Models { ra: true, ..NONE };
const GRAPHS: Models = Models { ra: true, rc11: true, ..NONE };

fn program(bodies: impl IntoIterator<Item = Vec<Statement>>) -> Program {
    threads(bodies).build()
}

/// With loads of `x` and `y` at the end.
fn observed(bodies: impl IntoIterator<Item = Vec<Statement>>) -> Program {
    threads(bodies).last([load("x"), load("y")]).build()
}

fn full() -> Statement {
    fence(Order::SeqCst)
}

fn two_threads() -> Vec<Row> {
    let sb = |order: Order, between: fn() -> Vec<Statement>| {
        let body = |one, other| {
            let mut body = vec![store(one, 1).ordered(order)];
            body.extend(between());
            body.push(load(other).ordered(order));
            body
        };
        program([body("x", "y"), body("y", "x")])
    };
    let nothing: fn() -> Vec<Statement> = Vec::new;
    let mp = |set: Statement, see: Statement| program([vec![store("x", 1), set], vec![see, load("x")]]);
    let lb = |order: Order| {
        let body = |one, other| vec![load(one).ordered(order), store(other, 1).ordered(order)];
        program([body("x", "y"), body("y", "x")])
    };
    let both = |order: Order| {
        let body = |one, other| vec![store(one, 1).ordered(order), store(other, 2).ordered(order)];
        observed([body("x", "y"), body("y", "x")])
    };
    vec![
        ("SB", sb(Order::Relaxed, nothing), &[0, 0], ALL_WEAK),
        ("SB, release and acquire", sb(Order::Release, nothing), &[0, 0], ALL_WEAK),
        ("SB, seq_cst", sb(Order::SeqCst, nothing), &[0, 0], RA),
        ("SB, fences", sb(Order::Relaxed, || vec![full()]), &[0, 0], NONE),
        ("SB, acq_rel fences", sb(Order::Relaxed, || vec![fence(Order::AcqRel)]), &[0, 0], ALL_WEAK),
        ("MP", mp(store("y", 1), load("y")), &[1, 0], Models { pso: true, rc11: true, ..NONE }),
        ("MP, release and acquire", mp(store("y", 1).release(), load("y").acquire()), &[1, 0], NONE),
        ("MP, release", mp(store("y", 1).release(), load("y")), &[1, 0], RC11),
        (
            "MP, acquire",
            mp(store("y", 1), load("y").acquire()),
            &[1, 0],
            Models { pso: true, rc11: true, ..NONE },
        ),
        ("LB", lb(Order::Relaxed), &[1, 1], NONE),
        ("2+2W", both(Order::Relaxed), &[1, 1], Models { pso: true, ..GRAPHS }),
        ("2+2W, release", both(Order::Release), &[1, 1], GRAPHS),
        ("2+2W, seq_cst", both(Order::SeqCst), &[1, 1], RA),
        (
            "R",
            observed([vec![store("x", 1), store("y", 1)], vec![store("y", 2), load("x")]]),
            &[1, 2, 0],
            ALL_WEAK,
        ),
        (
            "S",
            observed([vec![store("x", 2), store("y", 1)], vec![load("y"), store("x", 1)]]),
            &[2, 1, 1],
            Models { rc11: true, ..PSO },
        ),
        (
            "n6",
            observed([vec![store("x", 1), load("x"), load("y")], vec![store("y", 1), store("x", 2)]]),
            &[1, 1, 1, 0],
            ALL_WEAK,
        ),
    ]
}

fn coherence() -> Vec<Row> {
    vec![
        ("CoRR", program([vec![store("x", 1)], vec![load("x"), load("x")]]), &[1, 0], NONE),
        ("CoWW", observed([vec![store("x", 1), store("x", 2)]]), &[1, 0], NONE),
        ("CoWR", program([vec![store("x", 1), load("x")], vec![store("x", 2)]]), &[0], NONE),
        ("CoWR of another", program([vec![store("x", 1), load("x")], vec![store("x", 2)]]), &[2], ALL),
        ("CoRW1", program([vec![load("x"), store("x", 1)]]), &[1], NONE),
        (
            "CoRW2",
            observed([vec![load("x"), store("x", 1)], vec![store("x", 2)]]),
            // It has read 2, so its own store comes after that.
            &[2, 0, 2],
            NONE,
        ),
        ("two updates", program([vec![add("x", 1)], vec![add("x", 1)]]), &[0, 0], NONE),
        (
            "two exchanges of the same value",
            program([vec![compare_exchange("x", 0, 1)], vec![compare_exchange("x", 0, 2)]]),
            &[0, 0],
            NONE,
        ),
        (
            "a store between the halves of an update",
            observed([vec![add("x", 1)], vec![store("x", 5)]]),
            // It has read 0, and 5 comes in between.
            &[1, 0, 0],
            Models { sc: false, ..NONE },
        ),
    ]
}

fn more_threads() -> Vec<Row> {
    let iriw = |order: Order, between: fn() -> Vec<Statement>| {
        let reader = |one, other| {
            let mut body = vec![load(one).ordered(order)];
            body.extend(between());
            body.push(load(other).ordered(order));
            body
        };
        let writer = |at| vec![store(at, 1).ordered(order)];
        program([writer("x"), writer("y"), reader("x", "y"), reader("y", "x")])
    };
    let nothing: fn() -> Vec<Statement> = Vec::new;
    let wrc = |set: Order, see: Order| {
        program([
            vec![store("x", 1).ordered(set)],
            vec![load("x").ordered(see), store("y", 1).ordered(set)],
            vec![load("y").ordered(see), load("x").ordered(see)],
        ])
    };
    let rwc = |between: fn() -> Vec<Statement>| {
        let mut reader = vec![load("x")];
        reader.extend(between());
        reader.push(load("y"));
        let mut last = vec![store("y", 1)];
        last.extend(between());
        last.push(load("x"));
        program([vec![store("x", 1)], reader, last])
    };
    vec![
        ("IRIW", iriw(Order::Relaxed, nothing), &[1, 0, 1, 0], GRAPHS),
        ("IRIW, acquire", iriw(Order::Acquire, nothing), &[1, 0, 1, 0], GRAPHS),
        ("IRIW, seq_cst", iriw(Order::SeqCst, nothing), &[1, 0, 1, 0], RA),
        ("IRIW, fences", iriw(Order::Relaxed, || vec![full()]), &[1, 0, 1, 0], NONE),
        ("WRC", wrc(Order::Relaxed, Order::Relaxed), &[1, 1, 0], RC11),
        ("WRC, release and acquire", wrc(Order::Release, Order::Acquire), &[1, 1, 0], NONE),
        ("RWC", rwc(nothing), &[1, 0, 0], ALL_WEAK),
        ("RWC, fences", rwc(|| vec![full()]), &[1, 0, 0], NONE),
    ]
}

fn examine(rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for (name, program, outcome, expected) in rows {
        let has = |outcomes: BTreeSet<Vec<u128>>| {
            assert!(!outcomes.is_empty());
            outcomes.contains(outcome)
        };
        let models = Models {
            sc: has(outcomes(&program)),
            tso: has(buffered_outcomes(&program, Discipline::Tso)),
            pso: has(buffered_outcomes(&program, Discipline::Pso)),
            ra: has(graph_outcomes::<ReleaseAcquire>(&program)),
            rc11: has(graph_outcomes::<Rc11>(&program)),
        };
        if models != expected {
            wrong.push(format!("{name}: {models:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn litmus_tests_of_two_threads() {
    examine(two_threads());
}

#[test]
fn every_model_is_coherent_and_its_updates_atomic() {
    examine(coherence());
}

#[test]
fn litmus_tests_of_more_threads() {
    examine(more_threads());
}

/// The axioms of SC and TSO are those of the machines: same outcomes, for every program above.
#[test]
fn axioms_and_machines_agree() {
    for (name, program, ..) in two_threads().into_iter().chain(coherence()).chain(more_threads()) {
        assert_eq!(outcomes(&program), graph_outcomes::<Sc>(&program), "SC: {name}");
        let machine = buffered_outcomes(&program, Discipline::Tso);
        assert_eq!(machine, graph_outcomes::<Tso>(&program), "TSO: {name}");
    }
}

/// A random thread: accesses of any order to two locations.
fn random_body(random: &mut Random, length: usize, value: &mut u64) -> Vec<Statement> {
    use Order::*;
    let mut one = || {
        let at = random.pick(&["x", "y"]);
        *value += 1;
        let kind = random.below(16);
        match kind {
            0..7 => load(at).ordered(random.pick(&[Plain, Relaxed, Relaxed, Acquire, SeqCst])),
            7..14 => store(at, *value).ordered(random.pick(&[Plain, Relaxed, Relaxed, Release, SeqCst])),
            14 => exchange(at, *value).ordered(random.pick(&[Relaxed, AcqRel, SeqCst])),
            _ => fence(random.pick(&[Acquire, Release, SeqCst])),
        }
    };
    (0..length).map(|_| one()).collect()
}

/// The same on random programs; and weaker models have what stronger ones have.
#[test]
fn models_agree_and_are_nested_on_random_programs() {
    let mut random = Random::new(4);
    let mut weak = 0;
    for _ in 0..100 {
        let mut value = 0;
        let bodies = [0, 1].map(|_| random_body(&mut random, 3, &mut value));
        let program = threads(bodies.clone()).last([load("x"), load("y")]).build();
        let sc = outcomes(&program);
        let tso = buffered_outcomes(&program, Discipline::Tso);
        let pso = buffered_outcomes(&program, Discipline::Pso);
        assert_eq!(sc, graph_outcomes::<Sc>(&program), "{bodies:?}");
        assert_eq!(tso, graph_outcomes::<Tso>(&program), "{bodies:?}");
        let ra = graph_outcomes::<ReleaseAcquire>(&program);
        let rc11 = graph_outcomes::<Rc11>(&program);
        assert!(sc.is_subset(&tso) && tso.is_subset(&pso), "{bodies:?}");
        assert!(sc.is_subset(&rc11) && sc.is_subset(&ra), "{bodies:?}");
        weak += usize::from(sc != tso) + usize::from(tso != pso) + usize::from(sc != rc11);
    }
    assert!(weak > 25, "{weak}");
}
