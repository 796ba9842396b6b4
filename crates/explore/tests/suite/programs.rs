//! Programs for all explorers, with what is known of them.

use selvedge_program::Program;
use selvedge_testing::*;

/// A program, and how many orders of its dependent operations there are under sequential consistency.
pub struct Known {
    pub name: &'static str,
    pub program: Program,
    pub classes: u64,
}

fn known(name: &'static str, classes: u64, threads: Threads) -> Known {
    Known { name, program: threads.build(), classes }
}

fn same(count: usize, body: impl Fn(usize) -> Vec<Statement>) -> Threads {
    threads((0..count).map(body))
}

const LOCATIONS: [&str; 4] = ["x", "y", "z", "w"];

/// Counts worked out by hand.
pub fn counted() -> Vec<Known> {
    let semaphore = |value| sync("semaphore_init", "s").with(value);
    let critical = |_| vec![lock("m"), add("x", 1), unlock("m")];
    vec![
        known("writers of one location", 6, same(3, |at| vec![store("x", at as u64 + 1)])),
        known("writers of other locations", 1, same(4, |at| vec![store(LOCATIONS[at], 1)])),
        known("readers", 1, same(4, |_| vec![load("x")])),
        // Each reader comes before or after.
        known(
            "a writer and three readers",
            8,
            same(4, |at| vec![if at == 0 { store("x", 1) } else { load("x") }]),
        ),
        known("counters", 24, same(4, |_| vec![add("x", 1)])),
        // One order of two conflicts is a cycle.
        known(
            "store buffering",
            3,
            threads([vec![store("x", 1), load("y")], vec![store("y", 1), load("x")]]),
        ),
        known(
            "message passing",
            3,
            threads([vec![store("x", 1), store("y", 1)], vec![load("y"), load("x")]]),
        ),
        known("load buffering", 3, threads([vec![load("x"), store("y", 1)], vec![load("y"), store("x", 1)]])),
        // Two writers of each, in orders that fit together.
        known("2+2W", 3, threads([vec![store("x", 1), store("y", 2)], vec![store("y", 1), store("x", 2)]])),
        known("critical sections", 6, same(3, critical)),
        known("two mutexes", 1, threads([vec![lock("m"), unlock("m")], vec![lock("n"), unlock("n")]])),
        known("spin locks", 2, same(2, |_| vec![spin_lock("p"), spin_unlock("p")])),
        known("readers of a lock", 1, same(3, |_| vec![read_lock("l"), read_unlock("l")])),
        // Before both readers, after one of them, or after both.
        known(
            "a writer and two readers of a lock",
            4,
            same(3, |at| match at {
                0 => vec![write_lock("l"), write_unlock("l")],
                _ => vec![read_lock("l"), read_unlock("l")],
            }),
        ),
        known("posts", 1, same(3, |_| vec![post("s")]).first([semaphore(0)])),
        known("a post and a wait", 1, threads([vec![post("s")], vec![down("s")]]).first([semaphore(0)])),
        known(
            "two waits for one post each",
            2,
            same(2, |_| vec![down("s"), post("s")]).first([semaphore(1)]),
        ),
        known("a choice", 3, threads([vec![choose(3).into("a"), store("x", "a")]])),
        known(
            "a choice beside another thread",
            4,
            threads([vec![choose(2).into("a"), store("x", "a")], vec![load("x")]]),
        ),
        known(
            "an atomic section",
            2,
            threads([
                vec![atomic([load("x").into("a"), store("x", sum("a", 1))])],
                vec![atomic([load("x").into("a"), store("x", sum("a", 1))])],
            ]),
        ),
        // 1 and 2 read, or the other way round; and only one of them may find it free.
        known("compare-exchange", 2, same(2, |at| vec![compare_exchange("x", 0, at as u64 + 1)])),
        known("bytes beside each other", 1, same(2, |at| vec![store("x", 1).part(2 * at as u64, 2)])),
        known("bytes that overlap", 2, same(2, |at| vec![store("x", 1).part(at as u64, 2)])),
        known("once", 2, same(2, |_| vec![once("o", [store("x", 1)])])),
    ]
}

/// Programs in which something is wrong in some executions; explorers that keep going list all of it.
pub fn broken() -> Vec<(&'static str, Program)> {
    let crosses = |one, other| vec![lock(one), lock(other), unlock(other), unlock(one)];
    let increments = || vec![load("x").into("a"), store("x", sum("a", 1))];
    vec![
        (
            "lost update",
            threads([increments(), increments()]).last([load("x").into("a"), check("a", 2)]).build(),
        ),
        ("deadlock", threads([crosses("a", "b"), crosses("b", "a")]).build()),
        (
            "message too early",
            threads([
                vec![store("y", 1), store("x", 1)],
                vec![load("y").into("a"), when("a", 1, [load("x").into("b"), check("b", 1)])],
            ])
            .build(),
        ),
        (
            "two errors",
            threads([
                vec![store("x", 1)],
                vec![
                    load("x").into("a"),
                    when("a", 1, [fail()]),
                    load("x").into("b"),
                    when("b", 1, [fail()]),
                ],
            ])
            .build(),
        ),
        ("lost signal", threads([vec![lock("m"), wait("c", "m"), unlock("m")], vec![signal("c")]]).build()),
        ("livelock", threads([vec![wait_until("x", 1)], vec![store("x", 1), store("x", 2)]]).build()),
        (
            "a bad choice",
            threads([
                vec![choose(4).into("a"), store("x", "a")],
                vec![load("x").into("a"), when("a", 3, [fail()])],
            ])
            .build(),
        ),
        (
            "freed too early",
            threads([vec![look_through("q").acquire()], vec![free_through("q").acquire()]])
                .first([publish("q")])
                .build(),
        ),
        (
            "failed trylock",
            threads([
                vec![lock("m"), unlock("m")],
                vec![try_lock("m").into("a"), unless("a", 0, [fail()]), when("a", 0, [unlock("m")])],
            ])
            .build(),
        ),
        ("a mutex given back by another", threads([vec![lock("m")], vec![unlock("m")]]).build()),
    ]
}

/// Random threads with loads and stores, updates and a mutex.
pub fn random_bodies(random: &mut Random, count: usize, length: usize) -> Vec<Vec<Statement>> {
    let mut value = 0;
    let mut body = || {
        let mut body = Vec::new();
        while body.len() < length {
            let at = random.pick(&["x", "y"]);
            value += 1;
            match random.below(10) {
                0..4 => body.push(load(at)),
                4..8 => body.push(store(at, value)),
                8 => body.push(exchange(at, value)),
                _ => body.extend([lock("m"), store(at, value), unlock("m")]),
            }
        }
        body
    };
    (0..count).map(|_| body()).collect()
}

/// A program with such threads.
pub fn random_program(random: &mut Random, count: usize, length: usize) -> Program {
    threads(random_bodies(random, count, length)).build()
}
