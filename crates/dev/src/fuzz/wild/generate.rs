//! Random programs of each class: small enough that every interleaving can be explored.

use super::class::Class;
use super::pieces::{Orders, Pieces, block, line};
use super::program::{Program, Statement};
use crate::random::Random;

/// Kinds that programs here can have.
const KINDS: [&str; 12] = [
    "assertion",
    "assertion",
    "abort",
    "deadlock",
    "livelock",
    "data-race",
    "relock",
    "bad-unlock",
    "bad-destroy",
    "use-after-free",
    "double-free",
    "null-dereference",
];

/// The program of a class that a generator gives.
pub fn generate(class: Class, random: &mut Random) -> Program {
    let weak = if class == Class::Updates { 90 } else { 25 };
    let orders = if random.below(100) < weak { Orders::Any } else { Orders::Strong };
    let pieces = &mut Pieces { random, orders };
    let options = options(class, pieces);
    let workers = 1 + usize::from(pieces.percent(25));
    let most = if workers == 1 { 3 } else { 2 };
    let most = if class == Class::Limits { most + 1 } else { most };
    let threads = (0..=workers).map(|_| pieces.list(most, |pieces| statement(class, pieces))).collect();
    if class == Class::Updates {
        return messages(pieces);
    }
    let end = if pieces.percent(60) { vec![pieces.assertion()] } else { Vec::new() };
    Program { class, options, threads, end }
}

/// Two threads that tell main what they have read in the end.
fn messages(pieces: &mut Pieces<'_>) -> Program {
    let class = Class::Updates;
    let worker = |pieces: &mut Pieces<'_>, own: &str, other: &str, result: &str| {
        let mut body = vec![pieces.store(own, "1")];
        body.extend(pieces.list(2, updates));
        body.push(line(format!("r = {};", pieces.load(other))));
        body.push(line(format!("{result} = r;")));
        body
    };
    let threads = vec![Vec::new(), worker(pieces, "x", "y", "p"), worker(pieces, "y", "x", "q")];
    let end =
        vec![line(format!("assert(p != {} || q != {});", pieces.random.below(2), pieces.random.below(2)))];
    Program { class, options: Vec::new(), threads, end }
}

fn options(class: Class, pieces: &mut Pieces<'_>) -> Vec<(String, String)> {
    let option = |name: &str, value: String| (name.to_owned(), value);
    let bound = |pieces: &mut Pieces<'_>| match pieces.random.below(2) {
        0 => option("--unroll", pieces.up_to(3).to_string()),
        _ => option("--max-steps", (2 + pieces.random.below(8)).to_string()),
    };
    let races = option("--allow", "data-race".to_owned());
    match class {
        Class::Bounds => vec![bound(pieces)],
        Class::Loops if pieces.percent(65) => vec![option("--unroll", (1 + pieces.up_to(3)).to_string())],
        // Waiting loops need no bound; those that change something do.
        Class::Loops => vec![option("--max-steps", "60".to_owned())],
        Class::Choices if pieces.percent(30) => vec![option("--nondet", "0..2".to_owned())],
        Class::Frees | Class::Scopes if pieces.percent(65) => vec![races],
        Class::Limits => {
            let limit = pieces.pick(&["0.01", "0.02", "0.03", "0.05", "0.1", "0.3"]);
            vec![option("--time-limit", limit.to_owned())]
        }
        Class::Mutexes | Class::Several if pieces.percent(20) => vec![races],
        Class::Allowed => {
            let mut kinds = vec![pieces.pick(&KINDS), pieces.pick(&KINDS)];
            kinds.dedup();
            kinds.iter().map(|kind| option("--allow", (*kind).to_owned())).collect()
        }
        _ => Vec::new(),
    }
}

fn statement(class: Class, pieces: &mut Pieces<'_>) -> Statement {
    if pieces.percent(15) {
        return pieces.assertion();
    }
    match class {
        Class::Sections => around_sections(pieces),
        Class::Choices => choices(pieces),
        Class::Bounds => bounds(pieces),
        Class::Loops => loops(pieces),
        Class::Updates => updates(pieces),
        Class::Mutexes => mutexes(pieces),
        Class::Frees => frees(pieces),
        Class::Scopes => scopes(pieces),
        Class::Allowed | Class::Several => several(pieces),
        Class::Misuse => misuse(pieces),
        Class::Limits => match pieces.random.below(3) {
            0 => choices(pieces),
            1 => pieces.assertion(),
            _ => pieces.access(),
        },
    }
}

fn around_sections(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(10) {
        0..5 => {
            let body = pieces.list(3, in_section);
            pieces.section(body)
        }
        5 => line("sem_post(&semaphore);"),
        6 => line(pieces.pick(&["pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"])),
        7 => pieces.choice(Pieces::access),
        _ => pieces.access(),
    }
}

fn in_section(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(16) {
        0..4 => pieces.choice(|pieces| match pieces.random.below(2) {
            0 => pieces.assertion(),
            _ => pieces.access(),
        }),
        4..6 => pieces.assumption(),
        6..9 => pieces.assertion(),
        9 => line("sem_wait(&semaphore);"),
        10 => line(pieces.pick(&["pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"])),
        11 | 12 => pieces.branch(Pieces::access),
        _ => pieces.access(),
    }
}

fn choices(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(8) {
        0..3 => pieces.choice(|pieces| match pieces.random.below(3) {
            0 => pieces.assertion(),
            1 => pieces.assumption(),
            _ => pieces.access(),
        }),
        3 => pieces.assumption(),
        4 => pieces.branch(Pieces::access),
        _ => pieces.access(),
    }
}

fn bounds(pieces: &mut Pieces<'_>) -> Statement {
    let (at, other) = (pieces.variable(), pieces.variable());
    match pieces.random.below(10) {
        0 | 1 => {
            let head = format!("while (!{})", pieces.load(at));
            let update = pieces.update("fetch_add", other, 1);
            block(head, vec![line(format!("{update};"))])
        }
        2 => {
            let head = format!("for (int i = 0; i < {}; i++)", pieces.up_to(4));
            block(head, pieces.list(2, Pieces::access))
        }
        3 => {
            let head = format!("for (int i = 0; {} != {}; i++)", pieces.load(at), pieces.up_to(2));
            block(head, pieces.list(1, Pieces::access))
        }
        4 => line(format!("do {other} = 1; while (!{});", pieces.load(at))),
        5 => pieces.branch(Pieces::access),
        6 => {
            let wait = pieces.pick(&["while (!x) ;", "while (y == 1) ;", "while (!z) y++;"]);
            let rest = pieces.access();
            pieces.section(vec![line(wait), rest])
        }
        _ => pieces.access(),
    }
}

fn loops(pieces: &mut Pieces<'_>) -> Statement {
    let (at, other, value) = (pieces.variable(), pieces.variable(), pieces.up_to(2));
    match pieces.random.below(14) {
        0 => line(format!("while ({} != {value}) ;", pieces.load(at))),
        1 => line(format!("while ({} != {value}) ;", pieces.update("fetch_add", at, 0))),
        2 => updates_in_loop(pieces),
        3 => line(format!("while ({}) ;", pieces.update("exchange", at, 1))),
        4 => line(format!("do {other} = {value}; while (!{});", pieces.load(at))),
        5 => {
            // Stores, tries, and takes it back.
            let head = format!("while (({other} = 1, {}) == 1)", pieces.load(at));
            block(head, vec![pieces.store(other, "0")])
        }
        6 => {
            let head = "while (pthread_mutex_trylock(&m))";
            let rest = if pieces.percent(50) { vec![line("sched_yield();")] } else { Vec::new() };
            block(head, rest)
        }
        7 => line("pthread_mutex_unlock(&m);"),
        8 => line("pthread_mutex_lock(&m);"),
        9 => line(format!(
            "for (expected = 0; !atomic_compare_exchange_strong(&{at}, &expected, {value}); expected = 0) ;"
        )),
        10 => block(format!("while (!{})", pieces.load(at)), vec![pieces.access()]),
        _ => pieces.access(),
    }
}

/// A loop of updates that leave the value as it is, or mostly.
fn updates_in_loop(pieces: &mut Pieces<'_>) -> Statement {
    let at = pieces.pick(&["z", "z", "x", "y"]);
    let update = match pieces.random.below(4) {
        0 => pieces.update("exchange", at, 0),
        1 => pieces.update("fetch_or", at, 1),
        _ => pieces.update("fetch_add", at, 0),
    };
    let line = if pieces.percent(30) { format!("r = {update};") } else { format!("{update};") };
    Statement::Repeat { rounds: pieces.up_to(2), line }
}

fn updates(pieces: &mut Pieces<'_>) -> Statement {
    let at = pieces.pick(&["x", "y"]);
    match pieces.random.below(9) {
        0..4 => updates_in_loop(pieces),
        4..6 => pieces.store(at, "1"),
        6..8 => line(format!("r = {};", pieces.load(at))),
        _ => pieces.branch(Pieces::access),
    }
}

fn mutexes(pieces: &mut Pieces<'_>) -> Statement {
    let mutex = pieces.pick(&["checking", "checking", "recursive", "m"]);
    match pieces.random.below(12) {
        0..3 => line(format!("r = pthread_mutex_lock(&{mutex});")),
        3..5 => line(format!("r = pthread_mutex_unlock(&{mutex});")),
        5 => line(format!("r = pthread_mutex_trylock(&{mutex});")),
        6 => {
            let error = pieces.pick(&["EPERM", "EDEADLK", "EBUSY", "0"]);
            let equal = pieces.pick(&["==", "!="]);
            let body = pieces.list(2, |pieces| match pieces.random.below(3) {
                0 => pieces.plain(),
                1 => mutexes(pieces),
                _ => pieces.access(),
            });
            block(format!("if (r {equal} {error})"), body)
        }
        7 => line(format!("assert(r != {});", pieces.pick(&["EPERM", "EDEADLK", "EBUSY"]))),
        8 => match pieces.random.below(3) {
            0 => line("pthread_rwlock_rdlock(&rw);"),
            1 => line("pthread_rwlock_wrlock(&rw);"),
            _ => line("pthread_rwlock_unlock(&rw);"),
        },
        9 | 10 => pieces.plain(),
        _ => pieces.access(),
    }
}

fn frees(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(12) {
        0 => line("free(current);"),
        1 => pieces.branch(|_| line("free(current);")),
        2 => line(format!("b = {};", pieces.load("current"))),
        3 => line("if (b) b->value = 1;"),
        4 => line("if (b) r = b->value;"),
        5 => line("r = atomic_load(&current->value);"),
        6 => line("b = atomic_exchange(&current, NULL); free(b);"),
        7 => line("if (b) b->plain = 1;"),
        8 => line("b = calloc(1, sizeof *b); current = b;"),
        9 => line("atomic_fetch_add(&current->value, 1);"),
        _ => pieces.access(),
    }
}

fn scopes(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(9) {
        0..4 => {
            let local = match pieces.random.below(4) {
                0 => line("int n = 1; struct box own[n]; own->value = 0; own->plain = 0; current = own;"),
                _ => line("struct box own = {0}; current = &own;"),
            };
            let mut body = vec![local];
            body.extend(pieces.list(2, |pieces| match pieces.random.below(6) {
                0 => pieces.assertion(),
                1 => line("current = NULL;"),
                2 => line("pthread_exit(NULL);"),
                3 => pieces.branch(Pieces::access),
                _ => pieces.access(),
            }));
            let scope = pieces.scope(body);
            match pieces.percent(20) {
                true => block("for (int i = 0; i < 2; i++)", vec![scope]),
                false => scope,
            }
        }
        4 => line(format!("b = {};", pieces.load("current"))),
        5 => line("if (b) b->value = 1;"),
        6 => line("if (b) r = b->value;"),
        7 => line("if (b) b->plain = 1;"),
        _ => pieces.access(),
    }
}

fn several(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(14) {
        0 => pieces.plain(),
        1 => line("pthread_mutex_lock(&m);"),
        2 => line("pthread_mutex_lock(&n);"),
        3 => line(pieces.pick(&["pthread_mutex_unlock(&m);", "pthread_mutex_unlock(&n);"])),
        4 => pieces.branch(|_| line("abort();")),
        5 => line(format!("while (!{}) ;", pieces.load("x"))),
        6 => line("free(current);"),
        7 => line("r = current->value;"),
        8 => line("current = NULL;"),
        9 => line("pthread_mutex_destroy(&m);"),
        10 => pieces.branch(Pieces::assertion),
        11 => pieces.assertion(),
        _ => pieces.access(),
    }
}

fn misuse(pieces: &mut Pieces<'_>) -> Statement {
    match pieces.random.below(12) {
        0 => line("pthread_spin_lock(&spin);"),
        1 => line("pthread_spin_unlock(&spin);"),
        2 => line("pthread_spin_destroy(&spin);"),
        3 => line("pthread_barrier_wait(&barrier);"),
        4 => line("pthread_barrier_destroy(&barrier);"),
        5 => line("sem_post(&semaphore);"),
        6 => line("sem_wait(&semaphore);"),
        7 => line("sem_destroy(&semaphore);"),
        8 => line(pieces.pick(&[
            "sem_init(&semaphore, 0, 1);",
            "pthread_spin_init(&spin, 0);",
            "pthread_barrier_init(&barrier, NULL, 2);",
        ])),
        9 => line("pthread_cond_destroy(&condition);"),
        10 => line("pthread_cond_signal(&condition);"),
        _ => pieces.access(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_follow_from_their_number_and_have_everything() {
        let text = |class, number| {
            let program = generate(class, &mut Random::for_case(1, number));
            let options: Vec<&str> = program.words().collect();
            program.print(&[options.join(" ")])
        };
        assert_eq!(text(Class::Several, 3), text(Class::Several, 3));
        assert_ne!(text(Class::Several, 3), text(Class::Several, 4));
        let expected: &[(Class, &[&str])] = &[
            (Class::Sections, &["__VERIFIER_atomic_1(int r)", "__VERIFIER_atomic_begin();", "sem_wait"]),
            (Class::Choices, &["selvedge_choose(3)", "__VERIFIER_assume(x", "--nondet 0..2"]),
            (Class::Bounds, &["--unroll", "--max-steps", "atomic_fetch_add(&y, 1);"]),
            (Class::Loops, &["fetch_add(&x, 0)", "while (atomic_exchange(&x, 1))", "trylock"]),
            (Class::Updates, &["{ atomic_fetch_add_explicit(&z, 0, memory_order_acq_rel); }", "q = r;"]),
            (Class::Mutexes, &["r == EPERM", "&recursive)", "&checking)"]),
            (Class::Frees, &["free(current)", "--allow data-race", "memory_order_relaxed"]),
            (Class::Scopes, &["current = &own;", "own[n]", "scope_1(int r)", "pthread_exit"]),
            (Class::Allowed, &["--allow assertion", "--allow bad-unlock"]),
            (Class::Several, &["abort()", "assert(", "pthread_mutex_lock(&n)"]),
            (Class::Misuse, &["barrier_destroy", "sem_init(&semaphore, 0, 1)"]),
        ];
        for (class, words) in expected {
            let all: String = (0..300).map(|number| text(*class, number)).collect();
            for word in *words {
                assert!(all.contains(word), "no program of {class:?} has {word}");
            }
        }
    }
}
