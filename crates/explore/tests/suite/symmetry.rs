//! Threads that do the same are recognised, and one execution is explored of those that differ by an exchange of them.

use selvedge_explore::{Scope, Session, Settings, Statistics, Symmetry, graphs};
use selvedge_memory::axiomatic::{Axiomatic, Axioms, Rc11, Sc};
use selvedge_memory::{Bounds, ReleaseSequences};
use selvedge_program::{Program, identity};
use selvedge_testing::{
    Statement, add, barrier, choose, copy, down, join, load, lock, post, publish, spawn, store, threads,
    unlock, wait_until,
};
use selvedge_vm::{Config, FaultKind, Image};
use std::sync::atomic::AtomicBool;

/// How many threads do the same, and how many executions there are.
fn explore<A: Axioms>(program: &Program, symmetry: Symmetry) -> (u64, u64) {
    let image = Image::for_graphs(program).expect("a program");
    let allowed = vec![FaultKind::DataRace];
    let config = Config { allowed: allowed.iter().copied().collect(), ..Config::default() };
    let sequences = ReleaseSequences::default();
    let (system, first) =
        Axiomatic::<A>::new(&image, config, Bounds::default(), Vec::new(), sequences).expect("a machine");
    let (interrupted, mut observer) = (AtomicBool::new(false), |_: &Statistics| {});
    let settings = Settings { keep_going: true, allowed, ..Settings::default() };
    let mut session = Session::new(system, first, settings, &interrupted, &mut observer);
    let mut seen = 0;
    let (_, threads) = graphs::explore_up_to(&mut session, Scope::Any, symmetry, Some(&mut |_| seen += 1));
    (threads, seen)
}

/// Without and with the reduction: executions, and with it the threads that do the same.
fn both(program: &Program) -> (u64, u64, u64) {
    let (threads, reduced) = explore::<Sc>(program, Symmetry::Reduced);
    (explore::<Sc>(program, Symmetry::Ignored).1, reduced, threads)
}

#[test]
fn one_of_all_permutations_is_explored() {
    let locked = || vec![lock("m"), add("x", 1), unlock("m")];
    let four = threads([locked()]).another(1).another(1).another(1).build();
    assert_eq!(both(&four), (24, 1, 4));
    assert_eq!(explore::<Rc11>(&four, Symmetry::Reduced), (4, 1));
    // Each of two threads reads what was there at first, or what a third one stores.
    let readers = threads([vec![load("x")], vec![store("x", 1)]]).another(1).build();
    assert_eq!(both(&readers), (4, 3, 2));
    let choices = threads([vec![choose(3)]]).another(1).build();
    assert_eq!(both(&choices), (9, 6, 2));
    // Two pairs.
    let pairs = threads([vec![add("x", 1)], vec![add("x", 2)]]).another(1).another(2).build();
    assert_eq!(both(&pairs), (24, 6, 4));
}

#[test]
fn what_main_does_can_tell_threads_apart() {
    let with_main = |main: Vec<Statement>| threads([vec![add("x", 1)]]).another(1).main(main).build();
    let recognised = |main: Vec<Statement>| explore::<Sc>(&with_main(main), Symmetry::Reduced).0;
    let (one, two) = (|| spawn(1), || spawn(2));
    assert_eq!(recognised(vec![one(), two(), join(2), join(1)]), 2);
    assert_eq!(recognised(vec![one(), two()]), 2);
    assert_eq!(recognised(vec![one(), two(), store("y", 1), join(1), join(2), load("x")]), 2);
    assert_eq!(recognised(vec![one(), store("y", 1), two(), join(1), join(2)]), 0);
    assert_eq!(recognised(vec![one(), two(), join(1), store("y", 1), join(2)]), 0);
    assert_eq!(recognised(vec![one(), two(), join(1)]), 0);
    assert_eq!(recognised(vec![one(), two(), load("x"), join(1), join(2)]), 0);
    assert_eq!(recognised(vec![choose(2), one(), two(), join(1), join(2)]), 0);
    // Other functions.
    let different = threads([vec![add("x", 1)], vec![add("x", 1)]]).build();
    assert_eq!(explore::<Sc>(&different, Symmetry::Reduced).0, 0);
    // In the execution that is looked at, threads wait for ever.
    let stuck = threads([vec![wait_until("x", 1)]]).another(1).build();
    assert_eq!(explore::<Sc>(&stuck, Symmetry::Reduced).0, 0);
}

#[test]
fn what_threads_do_can_tell_them_apart() {
    let is_hidden = |body: Vec<Statement>| identity::is_hidden(&threads([body]).another(1).build());
    assert!(is_hidden(vec![lock("m"), add("x", 1).into("a"), store("y", "a"), unlock("m")]));
    assert!(is_hidden(vec![post("s"), down("s"), copy("x", "y", 8)]));
    assert!(!is_hidden(vec![barrier("b")]));
    assert!(!is_hidden(vec![publish("p")]));
    assert!(!identity::is_hidden(
        &threads([vec![spawn(2), join(2)], vec![load("x")]]).main([spawn(1)]).build()
    ));
}
