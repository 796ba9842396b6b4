//! Deadlocks and livelocks in words.

use crate::executions::{each_end, in_order, line_of};
use selvedge_check::{Violation, waiting};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_vm::FaultKind;

/// The different violations at the ends of the executions of a program, and whether some end well.
fn ends(program: &Program) -> (Vec<Violation>, bool) {
    let (mut found, mut ends_well): (Vec<Violation>, bool) = (Vec::new(), false);
    in_order(program, |system| {
        each_end(system, |system| match waiting::end(system) {
            Some(violation) if !found.contains(&violation) => found.push(violation),
            Some(_) => {}
            None => ends_well = true,
        });
    });
    (found, ends_well)
}

/// The only violation.
fn only(program: &Program) -> Violation {
    let (mut found, _) = ends(program);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

fn has_note(violation: &Violation, words: &[&str]) -> bool {
    violation.notes.iter().any(|note| words.iter().all(|word| note.message.contains(word)))
}

#[test]
fn a_cycle_of_locks_is_told_with_who_holds_what_since_when() {
    let crosses = |one, other| vec![lock(one), lock(other), unlock(other), unlock(one)];
    let program = threads([crosses("a", "b"), crosses("b", "a")]).build();
    let (found, ends_well) = ends(&program);
    assert!(ends_well);
    let [violation] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(violation.kind, FaultKind::Deadlock);
    assert_eq!(violation.message, "deadlock: 3 threads wait for ever");
    // Not main, which just waits for the others.
    assert_eq!(line_of(&program, violation.span), line(1, 2));
    let taken = |thread| format!("since test.c:{}", line(thread, 1));
    assert!(has_note(violation, &["thread 1 waits here for", "b", "which thread 2 holds", &taken(2)]));
    assert!(has_note(violation, &["thread 2 waits here for", "a", "which thread 1 holds", &taken(1)]));
    assert!(has_note(violation, &["thread 0 waits here for the end of thread 1"]));
}

#[test]
fn each_object_has_its_words() {
    let never_posted = threads([vec![down("s")]]).first([sync("semaphore_init", "s").with(0)]).build();
    let never_signalled = threads([vec![lock("m"), wait("c", "m"), unlock("m")]]).build();
    let too_few = threads([vec![barrier("b")]]).first([sync("barrier_init", "b").with(2)]).build();
    let never_given_back = threads([vec![spin_lock("p")], vec![yield_now(), spin_lock("p")]])
        .main([spawn(1), join(1), spawn(2), join(2)])
        .build();
    let written = threads([vec![write_lock("l")], vec![read_lock("l")]])
        .main([spawn(1), join(1), spawn(2), join(2)])
        .build();
    for (program, words) in [
        (never_posted, &["waits here for the semaphore", "which nobody will post"][..]),
        (never_signalled, &["waits here for a signal on", "which nobody will send"]),
        (too_few, &["waits here at the barrier", "for more threads"]),
        (never_given_back, &["thread 2 waits here for", "which thread 1 holds"]),
        (written, &["thread 2 waits here for", "which thread 1 holds"]),
    ] {
        let violation = only(&program);
        assert_eq!(violation.kind, FaultKind::Deadlock);
        assert!(has_note(&violation, words), "{words:?} {violation:#?}");
    }
}

#[test]
fn a_livelock_is_told_where_the_loop_last_looked() {
    let program = threads([vec![load("y"), wait_until("x", 1)]]).build();
    let violation = only(&program);
    assert_eq!(violation.kind, FaultKind::Livelock);
    assert_eq!(violation.message, "thread 1 waits in a loop for something that can never happen");
    assert_eq!(line_of(&program, violation.span), line(1, 3));
    assert!(has_note(&violation, &["thread 1 goes round a loop here until", "x", "changes"]));
}

#[test]
fn a_good_end_is_no_violation() {
    let program = threads([vec![lock("m"), unlock("m")], vec![lock("m"), unlock("m")]]).build();
    assert_eq!(ends(&program), (Vec::new(), true));
}
