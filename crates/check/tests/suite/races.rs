//! What happens before what: each pair of operations that synchronises, and beside it something similar that does not.
//!
//! Every case is a program in which plain accesses to `x` are ordered by one thing only. All interleavings are looked at.

use crate::watched::{Lines, buffered_races, each_execution, races};
use selvedge_memory::{Discipline, ReleaseSequences};
use selvedge_program::Program;
use selvedge_testing::*;

/// Whether the accesses of a case race in some execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Ordered,
    Races,
    /// Only where later stores of a thread do not continue its release sequences.
    RacesSinceC20,
}
use Expected::{Ordered, Races, RacesSinceC20};

/// What is expected, a name, and the program.
pub type Case = (Expected, &'static str, Program);

fn two(one: impl Into<Vec<Statement>>, other: impl Into<Vec<Statement>>) -> Program {
    threads([one.into(), other.into()]).build()
}

fn set_up(init: Statement, one: impl Into<Vec<Statement>>, other: impl Into<Vec<Statement>>) -> Program {
    threads([one.into(), other.into()]).first([init]).build()
}

fn write() -> Statement {
    store("x", 1).plain()
}

fn read() -> Statement {
    load("x").plain()
}

/// Reads `x` if the last load into `f` was a number.
fn read_if(seen: u64) -> Statement {
    when("f", seen, [read()])
}

/// Writes `x` between two statements.
fn writes(before: Statement, after: Statement) -> Vec<Statement> {
    vec![before, write(), after]
}

/// Reads `x` between two statements.
fn reads(before: Statement, after: Statement) -> Vec<Statement> {
    vec![before, read(), after]
}

fn locks() -> Vec<Case> {
    let busy = || try_lock("m").into("f");
    let timed = || sync("mutex_timedlock", "m").into("f");
    let recursive = || sync("mutex_init", "m").with(1);
    vec![
        (Ordered, "mutex", two(writes(lock("m"), unlock("m")), reads(lock("m"), unlock("m")))),
        (Races, "two mutexes", two(writes(lock("m"), unlock("m")), reads(lock("n"), unlock("n")))),
        (Races, "one without the mutex", two(writes(lock("m"), unlock("m")), [read()])),
        (Races, "after the unlock", two([lock("m"), unlock("m"), write()], reads(lock("m"), unlock("m")))),
        (Ordered, "trylock", two(writes(lock("m"), unlock("m")), [busy(), read_if(0)])),
        (Races, "failed trylock", two(writes(lock("m"), unlock("m")), [busy(), unless("f", 0, [read()])])),
        (Ordered, "timedlock", two(writes(lock("m"), unlock("m")), [timed(), read_if(0)])),
        (
            Races,
            "timedlock too late",
            two(writes(lock("m"), unlock("m")), [timed(), unless("f", 0, [read()])]),
        ),
        (
            Ordered,
            "recursive mutex",
            set_up(
                recursive(),
                [lock("m"), lock("m"), unlock("m"), write(), unlock("m")],
                reads(lock("m"), unlock("m")),
            ),
        ),
        (
            Ordered,
            "spin lock",
            two(writes(spin_lock("p"), spin_unlock("p")), reads(spin_lock("p"), spin_unlock("p"))),
        ),
        (
            Races,
            "two spin locks",
            two(writes(spin_lock("p"), spin_unlock("p")), reads(spin_lock("q"), spin_unlock("q"))),
        ),
        (
            Ordered,
            "writer and reader",
            two(writes(write_lock("l"), write_unlock("l")), reads(read_lock("l"), read_unlock("l"))),
        ),
        (
            Ordered,
            "two writers",
            two(writes(write_lock("l"), write_unlock("l")), writes(write_lock("l"), write_unlock("l"))),
        ),
        (
            Races,
            "two readers, one of whom writes",
            two(writes(read_lock("l"), read_unlock("l")), reads(read_lock("l"), read_unlock("l"))),
        ),
        (
            Ordered,
            "try-write-lock",
            two(
                reads(read_lock("l"), read_unlock("l")),
                [sync("rwlock_trywrlock", "l").into("f"), when("f", 0, [write()])],
            ),
        ),
        (
            Ordered,
            "try-read-lock",
            two(
                writes(write_lock("l"), write_unlock("l")),
                [sync("rwlock_tryrdlock", "l").into("f"), read_if(0)],
            ),
        ),
        (
            Races,
            "failed try-read-lock",
            two(
                writes(write_lock("l"), write_unlock("l")),
                [sync("rwlock_tryrdlock", "l").into("f"), unless("f", 0, [read()])],
            ),
        ),
    ]
}

fn other_objects() -> Vec<Case> {
    let semaphore = |value| sync("semaphore_init", "s").with(value);
    let barrier_of = |count| sync("barrier_init", "b").with(count);
    let try_down = || sync("semaphore_trywait", "s").into("f");
    let waits = |last: Statement| vec![lock("m"), wait("c", "m"), unlock("m"), last];
    vec![
        (Ordered, "semaphore", set_up(semaphore(0), [write(), post("s")], [down("s"), read()])),
        (
            Races,
            "semaphore that is not empty",
            set_up(semaphore(1), [write(), post("s")], [down("s"), read()]),
        ),
        (Races, "posted too early", set_up(semaphore(0), [post("s"), write()], [down("s"), read()])),
        (Ordered, "semaphore, tried", set_up(semaphore(0), [write(), post("s")], [try_down(), read_if(0)])),
        (
            Races,
            "semaphore, tried in vain",
            set_up(semaphore(0), [write(), post("s")], [try_down(), unless("f", 0, [read()])]),
        ),
        (
            Races,
            "a look at a semaphore",
            set_up(semaphore(0), [write(), post("s")], [sync("semaphore_value", "s").into("f"), read_if(1)]),
        ),
        (Ordered, "barrier", set_up(barrier_of(2), [write(), barrier("b")], [barrier("b"), read()])),
        (
            Races,
            "both after the barrier",
            set_up(barrier_of(2), [barrier("b"), write()], [barrier("b"), read()]),
        ),
        (Races, "barrier for one", set_up(barrier_of(1), [write(), barrier("b")], [barrier("b"), read()])),
        (Ordered, "signal", two([write(), signal("c")], waits(read()))),
        (Ordered, "broadcast", two([write(), broadcast("c")], waits(read()))),
        (Races, "after the signal", two([signal("c"), write()], waits(read()))),
        (
            Races,
            "time is up",
            two([write(), signal("c")], [lock("m"), timed_wait("c", "m"), unlock("m"), read()]),
        ),
        (
            Ordered,
            "wait gives the mutex back",
            two(
                [lock("m"), write(), wait("c", "m"), unlock("m")],
                [lock("m"), read(), signal("c"), unlock("m")],
            ),
        ),
        (Ordered, "once", two([once("o", [write()]), read()], [once("o", [write()]), read()])),
        (Races, "beside once", two([once("o", []), write()], [once("o", []), read()])),
        (Ordered, "atomic sections", two([atomic([write()])], [atomic([read()])])),
        (Races, "one atomic section", two([atomic([write()])], [read()])),
    ]
}

fn creation() -> Vec<Case> {
    let main = |bodies: Vec<Vec<Statement>>, main: Vec<Statement>| threads(bodies).main(main).build();
    let idle = || vec![yield_now()];
    vec![
        (
            Ordered,
            "creation",
            main(vec![idle(), vec![read()]], vec![spawn(1), write(), spawn(2), join(1), join(2)]),
        ),
        (Races, "too late for creation", main(vec![vec![read()]], vec![spawn(1), write(), join(1)])),
        (Ordered, "join", main(vec![vec![write()]], vec![spawn(1), join(1), read()])),
        (Races, "before the join", main(vec![vec![write()]], vec![spawn(1), read(), join(1)])),
        (
            Races,
            "join of another thread",
            main(vec![idle(), vec![write()]], vec![spawn(1), spawn(2), join(1), read(), join(2)]),
        ),
        (
            Ordered,
            "creation by a thread that was created",
            main(vec![vec![write(), spawn(2)], vec![read()]], vec![spawn(1), join(1)]),
        ),
        (
            Races,
            "join of a thread that has not joined",
            main(vec![vec![spawn(2)], vec![write()]], vec![spawn(1), join(1), read()]),
        ),
        (
            Ordered,
            "join of a thread that has joined",
            main(vec![vec![spawn(2), join(2)], vec![write()]], vec![spawn(1), join(1), read()]),
        ),
    ]
}

/// `one` happens after `x` was written and stores to `f`; `other` loads `f` into the register of that name.
fn messages() -> Vec<Case> {
    let passes = |one: Vec<Statement>, other: Vec<Statement>| {
        let first = std::iter::once(write()).chain(one);
        two(first.collect::<Vec<_>>(), other.into_iter().chain([read_if(1)]).collect::<Vec<_>>())
    };
    let set = || store("f", 1);
    let see = || load("f").into("f");
    use Order::{AcqRel, Acquire, Release, SeqCst};
    let mut cases = vec![
        (Ordered, "release, acquire", passes(vec![set().release()], vec![see().acquire()])),
        (Ordered, "sequentially consistent", passes(vec![set().seq_cst()], vec![see().seq_cst()])),
        (Races, "relaxed, acquire", passes(vec![set()], vec![see().acquire()])),
        (Races, "release, relaxed", passes(vec![set().release()], vec![see()])),
        (
            Races,
            "acquire that came too early",
            two([write(), set().release()], [see().acquire(), read_if(0)]),
        ),
        (
            Races,
            "release that came too early",
            two([set().release(), write()], [see().acquire(), read_if(1)]),
        ),
        (
            Races,
            "another location",
            passes(vec![store("g", 1).release(), set()], vec![load("g").acquire(), see()]),
        ),
        (
            Ordered,
            "exchange",
            passes(vec![exchange("f", 1).release()], vec![exchange("f", 2).acquire().into("f")]),
        ),
        (
            Races,
            "relaxed exchange",
            passes(vec![exchange("f", 1)], vec![exchange("f", 2).acquire().into("f")]),
        ),
        (
            Ordered,
            "failed compare-exchange that acquires",
            passes(vec![set().release()], vec![compare_exchange("f", 5, 6).acquire().into("f")]),
        ),
        (
            Races,
            "failed compare-exchange that would release",
            passes(vec![set().release()], vec![compare_exchange("f", 5, 6).release().into("f")]),
        ),
        (
            Ordered,
            "fences around relaxed accesses",
            passes(vec![fence(Release), set()], vec![see(), fence(Acquire)]),
        ),
        (Races, "release fence too late", passes(vec![set(), fence(Release)], vec![see(), fence(Acquire)])),
        (Races, "acquire fence too early", passes(vec![fence(Release), set()], vec![fence(Acquire), see()])),
        (Races, "no acquire fence", passes(vec![fence(Release), set()], vec![see()])),
        (Races, "no release fence", passes(vec![set()], vec![see(), fence(Acquire)])),
        (
            Races,
            "an acquire fence does not release",
            passes(vec![fence(Acquire), set()], vec![see(), fence(Acquire)]),
        ),
        (
            Races,
            "a release fence does not acquire",
            passes(vec![fence(Release), set()], vec![see(), fence(Release)]),
        ),
        (
            Ordered,
            "release, update, fence",
            passes(vec![set().release()], vec![exchange("f", 2).into("f"), fence(Acquire)]),
        ),
        (Ordered, "fence, acquire", passes(vec![fence(Release), set()], vec![see().acquire()])),
        (Ordered, "release, fence", passes(vec![set().release()], vec![see(), fence(Acquire)])),
    ];
    for (name, order) in [("acq_rel fences", AcqRel), ("seq_cst fences", SeqCst)] {
        cases.push((Ordered, name, passes(vec![fence(order), set()], vec![see(), fence(order)])));
    }
    cases
}

/// Who reads 2 from `f`, and acquires, reads `x`.
fn release_sequences() -> Vec<Case> {
    let reader = || vec![load("f").acquire().into("f"), read_if(2)];
    let begins = || vec![write(), store("f", 1).release()];
    let continued = || vec![write(), store("f", 1).release(), store("f", 2)];
    let three = |other: Statement| threads([begins(), vec![other], reader()]).build();
    let two_updates = vec![compare_exchange("f", 1, 3), compare_exchange("f", 3, 2)];
    vec![
        (RacesSinceC20, "store of the same thread", two(continued(), reader())),
        (Ordered, "update of another thread", three(compare_exchange("f", 1, 2))),
        (Ordered, "two updates of another thread", threads([begins(), two_updates, reader()]).build()),
        (
            Ordered,
            "update of the same thread",
            two([write(), store("f", 1).release(), exchange("f", 2)], reader()),
        ),
        (Races, "store of another thread", three(store("f", 2))),
        (
            Races,
            "store of another thread in between",
            threads([continued(), vec![store("f", 5)], reader()]).build(),
        ),
        (
            Ordered,
            "sequences of two threads, and a store that ends them",
            threads([
                begins(),
                vec![store("y", 1).plain(), compare_exchange("f", 1, 2).release()],
                vec![store("f", 5)],
                vec![load("f").acquire().into("f"), when("f", 2, [read(), load("y").plain()])],
            ])
            .build(),
        ),
        (
            Ordered,
            "update of another thread, which an acquire fence sees",
            threads([
                begins(),
                vec![compare_exchange("f", 1, 2)],
                vec![load("f").into("f"), fence(Order::Acquire), read_if(2)],
            ])
            .build(),
        ),
    ]
}

fn accesses() -> Vec<Case> {
    let half = |statement: Statement, offset| statement.plain().part(offset, 2);
    vec![
        (Ordered, "two reads", two([read()], [read()])),
        (Races, "two writes", two([write()], [write()])),
        (Ordered, "atomic accesses", two([store("x", 1)], [load("x")])),
        (Races, "a plain and an atomic access", two([store("x", 1)], [read()])),
        (Races, "an atomic update and a plain read", two([add("x", 1)], [read()])),
        (
            Ordered,
            "a compare-exchange that fails and a plain read",
            two([compare_exchange("x", 7, 1)], [read()]),
        ),
        (Ordered, "bytes beside each other", two([half(store("x", 1), 0)], [half(load("x"), 2)])),
        (Races, "bytes that overlap", two([half(store("x", 1), 0)], [half(load("x"), 1)])),
        (
            Races,
            "bytes of an earlier store that a later one leaves alone",
            two(
                [write(), store("x", 1).plain().part(0, 1), store("f", 1)],
                [load("f").into("f"), when("f", 1, [half(load("x"), 2)])],
            ),
        ),
        (
            Races,
            "over the border of a granule",
            two([store("x", 1).plain().part(6, 4)], [half(load("x"), 8)]),
        ),
        (Ordered, "short of the border", two([store("x", 1).plain().part(6, 4)], [half(load("x"), 10)])),
        (Races, "a copy reads", two([copy("y", "x", 8)], [write()])),
        (Races, "a copy writes", two([copy("x", "y", 8)], [read()])),
        (Ordered, "two copies read", two([copy("y", "x", 8)], [copy("z", "x", 8)])),
        (Races, "a fill writes", two([fill("x", 1, 3)], [read()])),
        (Ordered, "a fill ends", two([fill("x", 1, 2)], [half(load("x"), 2)])),
        (Ordered, "handed over with release", two([publish("q").release()], [look_through("q").acquire()])),
        (
            Ordered,
            "handed over after more or fewer steps",
            two(
                [load("y").into("f"), when("f", 0, [load("z"), load("z")]), publish("q").release()],
                [store("y", 1), look_through("q").acquire()],
            ),
        ),
        (Races, "handed over without", two([publish("q")], [look_through("q").acquire()])),
        (
            Races,
            "freed while it is read",
            threads([vec![look_through("q").acquire()], vec![free_through("q").acquire()]])
                .first([publish("q")])
                .build(),
        ),
    ]
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let lists = [locks(), other_objects(), creation(), messages(), release_sequences(), accesses()];
    lists.into_iter().flatten().collect()
}

/// The cases with store buffers worth having, all of two threads: others have very many executions then.
pub fn small_cases() -> Vec<Case> {
    [messages(), accesses()].into_iter().flatten().collect()
}

/// Looks at some cases; tells which are not as expected.
fn examine(cases: Vec<Case>) {
    let mut wrong = Vec::new();
    for (expected, name, program) in cases {
        for sequences in [ReleaseSequences::C11, ReleaseSequences::C20] {
            let found = races(&program, sequences);
            let races = match expected {
                Ordered => false,
                Races => true,
                RacesSinceC20 => sequences == ReleaseSequences::C20,
            };
            if found.is_empty() == races {
                wrong.push(format!("{name} ({sequences:?}): {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn locks_order_what_they_protect() {
    examine(locks());
}

#[test]
fn other_objects_order_who_waits_after_whom_they_wait_for() {
    examine(other_objects());
}

#[test]
fn creation_and_join_order_threads() {
    examine(creation());
}

#[test]
fn releases_synchronise_with_acquires_that_read_them() {
    examine(messages());
}

#[test]
fn release_sequences_carry_on_what_was_released() {
    examine(release_sequences());
}

#[test]
fn plain_accesses_to_common_bytes_conflict() {
    examine(accesses());
}

/// A race is told with both accesses, the earlier one first, whichever thread comes first.
#[test]
fn both_accesses_are_named() {
    let program = two([write(), load("y").plain()], [read()]);
    let (write, read) = (line(1, 1), line(2, 1));
    assert_eq!(races(&program, ReleaseSequences::C20), Lines::from([(write, read), (read, write)]));
}

/// An object that is handed over races with its initialisation at the place where it is handed over.
#[test]
fn initialisation_counts_where_the_object_is_published() {
    let program = two([publish("q")], [look_through("q").acquire()]);
    let mut seen = 0;
    each_execution(&program, ReleaseSequences::C20, |told, races| {
        for race in races {
            assert!(race.by_publication && race.first < race.second);
            assert_eq!(told[race.first].published.len(), 1);
            seen += 1;
        }
    });
    assert!(seen > 0);
}

/// What a store releases is there for others when it reaches memory, under both disciplines.
#[test]
fn buffered_stores_release_what_came_before_them() {
    for discipline in [Discipline::Tso, Discipline::Pso] {
        for (released, acquired) in [(true, true), (true, false), (false, true), (false, false)] {
            let set = if released { store("f", 1).release() } else { store("f", 1) };
            let see = load("f").into("f");
            let see = if acquired { see.acquire() } else { see };
            let program = two([write(), set], [see, read_if(1)]);
            let found = buffered_races(&program, discipline);
            let is_ordered = released && acquired;
            assert_eq!(found.is_empty(), is_ordered, "{discipline:?} {released} {acquired} {found:?}");
        }
    }
}

/// The cases that need no store buffer to race have the same verdict with one: plain accesses count where they are performed.
#[test]
fn buffers_neither_hide_nor_add_races() {
    let mut wrong = Vec::new();
    for (expected, name, program) in accesses().into_iter().chain(creation()) {
        for discipline in [Discipline::Tso, Discipline::Pso] {
            let found = buffered_races(&program, discipline);
            if found.is_empty() != (expected == Ordered) {
                wrong.push(format!("{name} ({discipline:?}): {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
