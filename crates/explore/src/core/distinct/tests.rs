//! Views are told apart by what was read, and by whom; not by when.

use super::*;
use selvedge_program::{LoadOrder, Site, StoreOrder, Type};
use selvedge_trace::ThreadId;

fn event(thread: u32, index: u32, operation: Operation, read: Option<u128>) -> Event {
    Event {
        thread: ThreadId::child(ThreadId::MAIN, thread).expect("room"),
        index,
        operation,
        read,
        written: None,
        before: 0,
        buffered: 0,
        forwarded: 0,
        drained: false,
        atomic_section: false,
        choice: 0,
        site: Site::NONE,
    }
}

fn load(thread: u32, index: u32, read: u128) -> Event {
    let operation = Operation::Load { address: 8, ty: Type::I32, order: LoadOrder::Relaxed };
    event(thread, index, operation, Some(read))
}

fn store(thread: u32, index: u32) -> Event {
    let operation = Operation::Store { address: 8, ty: Type::I32, value: 1, order: StoreOrder::Relaxed };
    event(thread, index, operation, None)
}

/// Whether some executions are known to be different.
fn are_different(executions: &[&[Event]]) -> bool {
    let distinct = Arc::new(Distinct::default());
    let mut teller = Teller::new(distinct.clone());
    for events in executions {
        teller.rewind(0);
        teller.ended(events);
    }
    drop(teller);
    !distinct.is_over()
}

#[test]
fn views_are_what_each_thread_has_read() {
    assert!(are_different(&[&[load(1, 0, 0)], &[load(1, 0, 1)]]));
    assert!(!are_different(&[&[load(1, 0, 0)], &[load(1, 0, 0)]]));
    // Another order of the same reads is the same view; stores are no part of it.
    assert!(!are_different(&[&[load(1, 0, 0), load(2, 0, 5)], &[load(2, 0, 5), load(1, 0, 0)]]));
    assert!(!are_different(&[&[store(3, 0), load(1, 0, 0)], &[load(1, 0, 0), store(3, 0)]]));
    // Who has read, and where, matters.
    assert!(are_different(&[&[load(1, 0, 0), load(2, 0, 5)], &[load(1, 0, 5), load(2, 0, 0)]]));
    assert!(are_different(&[&[load(1, 0, 3), load(1, 1, 4)], &[load(1, 0, 4), load(1, 1, 3)]]));
    // So do the upper bits of large values.
    assert!(are_different(&[&[load(1, 0, 1 << 100)], &[load(1, 0, 0)]]));
}

/// An operation that does not tell what it has read ends it.
#[test]
fn what_is_not_told_gives_up() {
    let copy = event(1, 0, Operation::Copy { to: 8, from: 16, size: 4 }, None);
    assert!(!are_different(&[&[copy]]));
    let chosen =
        |choice| Event { choice, ..event(1, 0, Operation::Choose { options: 2, sampled: false }, None) };
    assert!(are_different(&[&[chosen(0)], &[chosen(1)]]));
}

/// Sums are kept for beginnings: going back to one gives what the whole would.
#[test]
fn beginnings_are_kept() {
    let distinct = Arc::new(Distinct::default());
    let mut teller = Teller::new(distinct.clone());
    let (first, one, other) = (load(1, 0, 7), load(2, 0, 1), load(2, 0, 2));
    teller.ended(&[first, one]);
    teller.rewind(1);
    teller.ended(&[first, other]);
    assert!(!distinct.is_over());
    // The first view again, with all sums made afresh.
    teller.rewind(0);
    teller.ended(&[one, first]);
    drop(teller);
    assert!(distinct.is_over());
    assert_eq!(distinct.count(), 2);
}

/// Workers share what they have seen; what is left is compared when they end.
#[test]
fn workers_share_views() {
    let distinct = Arc::new(Distinct::default());
    for value in 0..300 {
        Teller::new(distinct.clone()).ended(&[load(1, 0, value)]);
    }
    assert!(!distinct.is_over());
    assert_eq!(distinct.count(), 300);
    Teller::new(distinct.clone()).ended(&[load(1, 0, 299)]);
    assert!(distinct.is_over());
}
