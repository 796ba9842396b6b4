//! `fuzz engines`: execution graphs and views beside steps, on programs with what the oracle's language does not have.
//!
//! Sequential consistency is explored in ways that have little in common: by `optimal`, which reorders steps, by `graph`,
//! which builds execution graphs, and by `vieq`, `se-mcr` and `mcr`, which look for other values that could be read. On programs without data
//! races all must find the same outcomes, deadlocks and livelocks:
//! main ends with a number that says what happened, and an assertion about each number, on a line of its own; with
//! `--keep-going` the lines of the failed assertions are the outcomes. Programs have locks of all kinds, semaphores,
//! barriers, condition variables, `pthread_once`, waiting loops; or structures, copies and unions under a mutex.
//!
//! What the tool chooses if no explorer is named must be the same as `optimal` to the last execution. It may be graphs if
//! nothing is wrong: so here, assertions may fail.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::Value;

use crate::Finding;
use crate::error::Error;
use crate::process;
use crate::random::Random;
use crate::table;
use crate::tools::{self, CLANG, Tools};

/// How long one run may take, in seconds. What takes longer is left out.
const LIMIT: u64 = 10;

/// What is compared with steps.
const OTHERS: [&str; 4] = ["graph", "vieq", "se-mcr", "mcr"];

/// Options of `fuzz engines`.
#[derive(Args)]
pub struct Arguments {
    /// How long to go on
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Another seed, other programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many programs
    #[arg(long)]
    programs: Option<u64>,
}

/// What an explorer has found: kinds of violations, and the lines of failed assertions.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    All(BTreeSet<(String, u64)>),
    TooMuch,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require(CLANG, "install the Debian package `clang-22`")?;
    let folder = tools.in_repository("target/fuzz/engines");
    fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let start = Instant::now();
    let duration = Duration::from_secs(arguments.seconds);
    let (mut agreed, mut left_out, mut outcomes, mut disagreed, mut by_graphs) =
        (0_u64, 0_u64, 0, 0_u64, 0_u64);
    let most = arguments.programs.unwrap_or(u64::MAX);
    for number in (0..most).take_while(|_| start.elapsed() < duration) {
        let mut random = Random::for_case(arguments.seed, number);
        let text = if random.below(3) == 0 { structures(&mut random) } else { locks(&mut random) };
        let file = folder.join(format!("seed-{}-program-{number}.c", arguments.seed));
        fs::write(&file, text).map_err(Error::file(&file))?;
        let steps = explore(tools, &file, "optimal")?;
        let mut is_fault = false;
        match (count(tools, &file, &["--explorer", "optimal"])?, count(tools, &file, &[])?) {
            (Some((by_steps, _)), Some((counted, explorer))) if by_steps != counted => {
                is_fault = true;
                println!("{}: steps give {by_steps:?}, {explorer} {counted:?}", file.display());
            }
            (Some(_), Some((_, explorer))) => by_graphs += u64::from(explorer == "graph"),
            _ => left_out += 1,
        }
        for engine in OTHERS {
            let others = explore(tools, &file, engine)?;
            match (&steps, &others) {
                (Found::TooMuch, _) | (_, Found::TooMuch) => left_out += 1,
                (Found::All(found), _) if steps == others => {
                    agreed += 1;
                    outcomes += found.len();
                }
                (Found::All(steps), Found::All(others)) => {
                    is_fault = true;
                    println!("{}: steps have {steps:?}, {engine} {others:?}", file.display());
                }
            }
        }
        if is_fault {
            disagreed += 1;
            continue;
        }
        fs::remove_file(&file).map_err(Error::file(&file))?;
    }
    let heading = ["agreed", "outcomes", "counted by graphs", "left out", "disagreed"];
    let heading = heading.map(str::to_owned).to_vec();
    let numbers = [agreed, outcomes as u64, by_graphs, left_out, disagreed];
    let line = numbers.map(|number| number.to_string()).to_vec();
    print!("{}", table::render(&[heading, line]));
    Ok(if disagreed > 0 { Finding::Faults } else { Finding::Nothing })
}

/// How many executions there are with failed assertions allowed, what else is wrong, and which explorer the tool chose.
/// `None`: that takes too long.
fn count(tools: &Tools, file: &Path, options: &[&str]) -> Result<Option<(Counted, String)>, Error> {
    let json = check(tools, file, &[&["--allow", "assertion"], options].concat())?;
    if is_cut(&json) {
        return Ok(None);
    }
    let kinds = json["violations"].as_array().into_iter().flatten();
    let kinds = kinds.map(|violation| violation["kind"].as_str().unwrap_or_default().to_owned());
    let explorer = json["explorer"].as_str().unwrap_or_default().to_owned();
    Ok(Some(((json["executions"].as_u64(), json["blocked"].as_u64(), kinds.collect()), explorer)))
}

/// Executions, those that are blocked, and what is wrong.
type Counted = (Option<u64>, Option<u64>, Vec<String>);

fn explore(tools: &Tools, file: &Path, explorer: &str) -> Result<Found, Error> {
    let json = check(tools, file, &["--explorer", explorer])?;
    let violations = json["violations"].as_array().map_or(&[][..], Vec::as_slice);
    if is_cut(&json) {
        return Ok(Found::TooMuch);
    }
    let found = violations.iter().map(|violation| {
        let kind = violation["kind"].as_str().unwrap_or_default().to_owned();
        let line = match kind.as_str() {
            "assertion" => violation["location"]["line"].as_u64().unwrap_or_default(),
            _ => 0,
        };
        (kind, line)
    });
    Ok(Found::All(found.collect()))
}

/// Whether something was left out.
fn is_cut(json: &Value) -> bool {
    json["limits"].as_array().is_none_or(|limits| !limits.is_empty())
}

/// What the tool says of a program.
fn check(tools: &Tools, file: &Path, options: &[&str]) -> Result<Value, Error> {
    let mut command = tools.selvedge();
    command.args(["check", "--format", "json", "--keep-going", "--model", "sc"]).args(options);
    command.args(["--workers", "1", "--time-limit", &LIMIT.to_string()]);
    command.arg("--schedule").arg(file.with_extension("json")).arg(file);
    let outcome = process::run(&mut command, Duration::from_secs(2 * LIMIT))?;
    let failed = || Error::Failed {
        program: format!("selvedge check {}", file.display()),
        message: format!("{}: {}", outcome.end, outcome.complaint()),
    };
    let json: Value = serde_json::from_slice(&outcome.stdout).map_err(|_| failed())?;
    let violations = json["violations"].as_array().ok_or_else(failed)?;
    for number in 0..violations.len() {
        let name = if number == 0 { "json".to_owned() } else { format!("json.{}", number + 1) };
        // They may not be there; nobody needs them.
        let _ = fs::remove_file(file.with_extension(name));
    }
    Ok(json)
}

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

/// The end of a program: main creates its threads, joins them, and looks at what they have returned and at `state`.
fn finish(text: &mut String, threads: usize, begin: &str, state: &str) {
    let _ = writeln!(text, "int main(void)\n{{\n    pthread_t t[{threads}];\n    void *result;");
    let _ = writeln!(text, "    unsigned long seen = 0;\n{begin}");
    for thread in 0..threads {
        let _ = writeln!(text, "    pthread_create(&t[{thread}], NULL, thread_{thread}, NULL);");
    }
    for thread in 0..threads {
        let _ =
            writeln!(text, "    pthread_join(t[{thread}], &result);\n    seen = seen * 31 + (long)result;");
    }
    let _ = writeln!(text, "{state}    unsigned number = (seen ^ seen >> 7 ^ seen >> 13) & 15;");
    for number in 0..16 {
        let _ = writeln!(text, "    assert(number != {number});");
    }
    text.push_str("    return 0;\n}\n");
}

/// An access to a variable.
fn access(random: &mut Random) -> String {
    let (x, y) = (pick(random, &["x", "y", "z"]), pick(random, &["x", "y", "z"]));
    let value = 1 + random.below(3);
    match random.below(5) {
        0 => format!("atomic_store(&{x}, {value});"),
        1 => format!("seen = seen * 3 + atomic_load(&{x});"),
        2 => format!("seen += atomic_fetch_add(&{x}, 1);"),
        3 => format!("if (atomic_load(&{x}) == {}) atomic_store(&{y}, {value});", value - 1),
        _ => format!("seen += atomic_exchange(&{x}, {value});"),
    }
}

/// At most `most` accesses.
fn accesses(random: &mut Random, most: usize) -> String {
    let count = random.below(most + 1);
    (0..count).map(|_| access(random)).collect::<Vec<_>>().join(" ")
}

const FEATURES: [&str; 12] = [
    "mutex",
    "try",
    "timed",
    "rwlock",
    "semaphore",
    "spin",
    "once",
    "barrier",
    "condition",
    "exchange",
    "compare",
    "wait",
];

/// Where an operation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Thread,
    CriticalSection,
}

fn operation(random: &mut Random, features: &[&str], within: Within) -> String {
    if random.below(4) == 0 {
        return access(random);
    }
    let (two, one) = (accesses(random, 2), accesses(random, 1));
    match pick(random, features) {
        "mutex" => {
            let mutex = pick(random, &["m", "n"]);
            let is_inner = within == Within::CriticalSection || random.below(10) < 7;
            let body = if is_inner { two } else { operation(random, features, Within::CriticalSection) };
            format!("pthread_mutex_lock(&{mutex}); {body} pthread_mutex_unlock(&{mutex});")
        }
        "try" => format!(
            "if (pthread_mutex_trylock(&m) == 0) {{ {two} pthread_mutex_unlock(&m); }} else {{ seen += 5; {one} }}"
        ),
        "timed" => format!(
            "if (pthread_mutex_timedlock(&m, &now) == 0) {{ {two} pthread_mutex_unlock(&m); }} else seen += 6;"
        ),
        "rwlock" => match random.below(4) {
            0 | 1 => format!("pthread_rwlock_rdlock(&rw); {two} pthread_rwlock_unlock(&rw);"),
            2 => format!("pthread_rwlock_wrlock(&rw); {two} pthread_rwlock_unlock(&rw);"),
            _ => format!(
                "if (pthread_rwlock_tryrdlock(&rw) == 0) {{ {one} pthread_rwlock_unlock(&rw); }} else seen += 7;"
            ),
        },
        "semaphore" => match random.below(4) {
            0 => "sem_post(&s);".to_owned(),
            1 => format!("sem_wait(&s); {one}"),
            2 => "if (sem_trywait(&s) == 0) { seen += 9; sem_post(&s); }".to_owned(),
            _ => format!("sem_post(&s); {one} sem_wait(&s);"),
        },
        "spin" => format!("pthread_spin_lock(&spin); {one} pthread_spin_unlock(&spin);"),
        "once" => format!("pthread_once(&once, first); {one}"),
        "barrier" if within == Within::Thread => "pthread_barrier_wait(&barrier);".to_owned(),
        "condition" if within == Within::Thread => match random.below(3) {
            0 => format!(
                "pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); flag--; {one} \
                 pthread_mutex_unlock(&m);"
            ),
            1 => "pthread_mutex_lock(&m); flag++; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"
                .to_owned(),
            _ => "pthread_mutex_lock(&m); flag++; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);"
                .to_owned(),
        },
        "exchange" => {
            let wait = pick(random, &[";", "while (atomic_load(&lock)) ;"]);
            format!("while (atomic_exchange(&lock, 1)) {wait} {one} atomic_store(&lock, 0);")
        }
        "compare" => format!(
            "for (int e = 0; !atomic_compare_exchange_strong(&lock, &e, 1); e = 0) ; {one} atomic_store(&lock, 0);"
        ),
        _ => {
            let (x, until) = (pick(random, &["x", "y", "z"]), pick(random, &["== 0", "!= 1", "< 2"]));
            format!("while (atomic_load(&{x}) {until}) {}", pick(random, &[";", "sched_yield();"]))
        }
    }
}

/// A program with locks and other things to wait for.
fn locks(random: &mut Random) -> String {
    let threads = 2 + random.below(3) / 2;
    let count = 1 + random.below(3);
    let features: Vec<&str> = (0..count).map(|_| pick(random, &FEATURES)).collect();
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n\
                    #include <stdatomic.h>\n#include <time.h>\n\n\
                    static atomic_int x, y, z, lock;\nstatic int flag;\nstatic struct timespec now;\n\
                    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n\
                    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
                    static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;\n\
                    static sem_t s;\nstatic pthread_spinlock_t spin;\nstatic pthread_barrier_t barrier;\n\
                    static pthread_once_t once = PTHREAD_ONCE_INIT;\n\n\
                    static void first(void)\n{\n    atomic_fetch_add(&x, 1);\n}\n\n"
        .to_owned();
    for thread in 0..threads {
        let _ = writeln!(text, "static void *thread_{thread}(void *arg)\n{{\n    long seen = {thread};");
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(text, "    {}", operation(random, &features, Within::Thread));
        }
        text.push_str("    return (void *)seen;\n}\n\n");
    }
    let begin = format!(
        "    sem_init(&s, 0, {});\n    pthread_spin_init(&spin, 0);\n    pthread_barrier_init(&barrier, NULL, {});",
        random.below(2),
        1 + random.below(threads)
    );
    let state = "    seen = seen * 31 + x;\n    seen = seen * 31 + y;\n    seen = seen * 31 + z;\n";
    finish(&mut text, threads, &begin, state);
    text
}

/// A plain access to structures.
fn plain(random: &mut Random) -> String {
    let at = random.below(2);
    let (other, value) = (1 - at, 1 + random.below(4));
    match random.below(10) {
        0 => format!("s[{at}] = s[{other}];"),
        1 => format!("memset(&s[{at}], {value}, {});", pick(random, &["3", "4", "8", "12"])),
        2 => format!("s[{at}].u.bytes[{}] = {value};", random.below(4)),
        3 => format!("s[{at}].u.halves[{}] += {value};", random.below(2)),
        4 => format!("s[{at}].u.word = {value};"),
        5 => format!("s[{at}].size += s[{other}].u.bytes[{}];", random.below(4)),
        6 => format!("{{ struct s t = s[{at}]; t.size++; s[{other}].size = t.size + t.u.halves[1]; }}"),
        7 => format!("memcpy(&s[{at}].u, &s[{other}].size, 4);"),
        8 => format!("if (s[{at}].u.word > s[{other}].size) s[{at}].size = 3;"),
        _ => format!(
            "memmove((char *)&s[0] + {}, (char *)&s[0] + {}, {});",
            random.below(3),
            random.below(4),
            pick(random, &["2", "4", "5", "9"])
        ),
    }
}

/// A program whose threads access the same bytes in different sizes, under a mutex.
fn structures(random: &mut Random) -> String {
    let threads = 2 + random.below(3) / 2;
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <string.h>\n\n\
                    struct s {\n    union { unsigned word; unsigned char bytes[4]; unsigned short halves[2]; } u;\n    \
                    int padding;\n    long size;\n};\nstatic struct s s[2];\n\
                    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\n"
        .to_owned();
    for thread in 0..threads {
        let _ = writeln!(text, "static void *thread_{thread}(void *arg)\n{{");
        for _ in 0..1 + random.below(2) {
            let (one, other) = (plain(random), plain(random));
            let _ = writeln!(
                text,
                "    pthread_mutex_lock(&m);\n    {one}\n    {other}\n    pthread_mutex_unlock(&m);"
            );
        }
        text.push_str("    return NULL;\n}\n\n");
    }
    let state = "    for (int i = 0; i < 2; i++)\n        \
                 seen = seen * 31 + s[i].u.word + 7 * s[i].u.bytes[1] + 5 * s[i].u.halves[1] + s[i].size;\n";
    finish(&mut text, threads, "", state);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_follow_from_their_number_and_have_everything() {
        let program = |number| locks(&mut Random::for_case(1, number));
        assert_eq!(program(3), program(3));
        assert_ne!(program(3), program(4));
        let all: String = (0..300).map(program).collect();
        for what in
            ["trylock", "timedlock", "tryrdlock", "sem_wait", "pthread_once(", "barrier_wait", "cond_wait"]
        {
            assert!(all.contains(what), "no program has {what}");
        }
        let all: String = (0..100).map(|number| structures(&mut Random::for_case(1, number))).collect();
        for what in ["memmove", "memset", "s[0] = s[1]", "halves[1] +="] {
            assert!(all.contains(what), "no program has {what}");
        }
    }
}
