//! `selvedge help properties`, `help models`, `help explorers`.

use crate::arguments::Topic;
use crate::contradictions::option;
use crate::output;
use selvedge_explore::{Finds, Property, Workers};
use selvedge_verify::{Choice, Explorer, Model};
use std::process::ExitCode;

/// Properties and what they mean; a test compares the names with the code.
const PROPERTIES: &str = "\
Properties are checked in every execution that is explored. `--allow NAME` switches one off; what
happens then is told below.

  assertion          assert() failed, or reach_error() / __VERIFIER_error() was reached
  abort              abort() was called
  deadlock           threads wait for each other, or for something that nobody will do
  livelock           a thread waits in a loop for a value that nobody will write
  data-race          two threads access the same memory, one writes, not both are atomic, and no
                     happens-before relation of C11 orders them
  relock             a mutex or spin lock is locked again by its holder
  bad-unlock         a lock is unlocked by a thread that does not hold it
  bad-destroy        a mutex, condition variable, … is destroyed while in use, or used afterwards
  bad-init           a semaphore or barrier is used before it was set up, or set up again without being
                     destroyed; a lock is set up again while it is held
  bad-join           a thread is joined twice, after detaching it, by itself, or does not exist
  out-of-bounds      an access outside its object
  use-after-free     an access to a freed heap object
  dead-stack         an access to a local object whose scope or function has ended
  double-free        a heap object is freed twice
  invalid-free       free() of something that malloc() did not return
  null-dereference   an access through a null pointer
  invalid-pointer    an access where there is no object
  write-to-constant  a write to a constant
  division-by-zero   also the division of the smallest integer by -1
  stack-overflow     too many calls, or too much stack memory
  bad-call           a call through a pointer that is not a function of that type
  trap               a check compiled in with -fsanitize=… -fsanitize-trap=all failed
  unreachable        __builtin_unreachable() was reached

Off unless asked for:
  leak               --check leak: heap objects that are lost when the program exits
  uninitialised      --check uninitialised: a value that was never set decides something
  not-robust         --robust tso, --robust pso: an execution that sequential consistency does not
                     have. Then nothing else is checked

What is allowed goes on as with glibc on Linux:

  assertion, abort, trap
                     the process ends, and nothing is wrong. (The other threads may still be followed to
                     their ends: what they do then, they can also do before.)
  deadlock, livelock, leak, data-race, uninitialised
                     as if it were not checked
  relock             the thread waits for ever: a deadlock, unless that is allowed, too
  bad-unlock         a normal mutex or a spin lock is free afterwards, whoever held it
  bad-destroy        destroying a mutex that is held gives EBUSY, using one that was destroyed EINVAL;
                     other objects are used as if they had not been destroyed
  bad-init           an object that is set up again is as new; a semaphore that is all zero has the value 0
  bad-join           joining oneself gives EDEADLK, a thread that one has detached oneself EINVAL

Of everything else nothing definite can be said: the thread stops there, the others go on, and the
verdict is `bounded` at best, with the kind and the place. So it is for undefined behaviour (use after
free, out of bounds, …), and for the rest of the above: unlocking a readers-writer lock that one does not
hold; waiting for a condition variable with a mutex that one does not hold; destroying a condition
variable or barrier at which threads wait; a barrier that was never set up, or is set up again while
threads wait; joining a thread twice, one that others have detached, or none.
";

/// What comes before the list of models, and after it.
const MODELS: [&str; 2] = [
    "\
The memory model says which values loads may see: --model NAME. Without it, the model is rc11 if the
program has atomic operations weaker than seq_cst, else sc; and sc if an explorer is named that has no
rc11. The last line of a report says which, and why.

",
    "
How C is mapped to tso and pso:

  loads of any order        see the newest bytes in the thread's own buffer, else memory. They stay in
                            the order of the program
  stores: plain, relaxed    go into the buffer
  stores: release           so do these; under pso they, and all that the thread stores later, arrive
                            after all that it has stored earlier
  stores: seq_cst           wait until the thread's buffer is empty, and act at once
  exchange, fetch_add, …    the same, whatever the order; so does a compare-exchange that fails
  fence: seq_cst            waits until the buffer is empty
  fence: release, acq_rel   under pso, later stores arrive after all earlier ones
  fence: acquire            nothing: loads are in order anyway
  lock, unlock, wait, signal, create, join, free, …
                            wait until the buffer is empty
  end of a thread           what it stored may still be in its buffer; whoever joins it waits for that
  memcpy, memset, struct assignment
                            stores of up to 8 bytes each; of more than 256 bytes, they wait until the
                            buffer is empty, and act at once
  atomic sections           the same

A data race is an error under every model: the rule is that of C11, not of a processor. In one point the
standards differ. Whoever reads what a release store has written, and acquires, comes after it; so does
whoever reads a later store that belongs to the same release sequence. --release-sequences says which do:

  c20  read-modify-writes, by any thread: C++20 and C23, and the default
  c11  these, and stores of the thread that has released, until another thread stores something that is
       no read-modify-write: C11, C17, and C++ before 2020. A program that relies on it is right by the
       older standards only. (For rc11, which executions there are is told by its own definition: a
       store of another thread in between does not count there. Data races are told as above.)

A relaxed store after a release fence begins a release sequence in the same way. Under tso and pso, the
order of stores to a place is the order in which they reach memory.

--robust tso and --robust pso ask another question: does the program do anything there that it does not
do under sc? Only that is checked, so an assertion that fails does not count. A program that is robust
needs to be verified under sc only.

rc11 and ra have no steps: an execution is a graph of events, with the store that each load sees and the
order of the stores to each place. The explorer is `graph`, and each graph that the model allows is
explored once. sc and tso can be explored in this way, too: --explorer graph. What graphs do not have:

  atomic sections           are unsupported
  accesses of different sizes to the same bytes
                            so are these if one of them is atomic. Plain ones, and memcpy, memset and
                            struct assignment, are performed part by part
  what a thread stores to an object in plain operations before it hands it over
                            is seen by everybody who gets the object, whatever the orders; but plain
                            accesses to it without synchronisation are data races. (The same holds
                            for atomic operations on local variables, but not on the heap.)
",
];

/// What comes before the list of explorers, and after it.
const EXPLORERS: [&str; 2] = [
    "\
The explorer says which executions are run.

",
    "
`--preemptions N` with `optimal` is bounded partial-order reduction: everything that can happen with at
most N preemptions, in no more executions than `context` needs, and mostly far fewer. Reports call it
`bounded`. A preemption is a switch away from a thread that could have gone on and did not just yield;
under tso and pso, a store that reaches memory is none.

Waiting loops need no bound: a thread that goes round a loop without changing anything waits until
something it read changes.

What goes with each explorer. (`--all-violations` goes where `--graph` does. `--max-executions` tells
those that sample how many executions to run; with the others it is a limit, like `--time-limit`.)
",
];

/// A list: names in a column, and what each means.
fn list(entries: impl Iterator<Item = (&'static str, &'static str)>, width: usize) -> String {
    let indented = format!("\n{:1$}", "", width + 3);
    let entry = |(name, text): (&str, &str)| format!("  {name:width$} {}\n", text.replace('\n', &indented));
    entries.map(entry).collect()
}

fn models() -> String {
    let [before, after] = MODELS;
    let entries = Model::ALL.iter().map(|model| (model.name(), model.about().text));
    format!("{before}{}{after}", list(entries, 4))
}

fn explorers() -> String {
    let [before, after] = EXPLORERS;
    let entries = Explorer::ALL.iter().map(|explorer| (explorer.name(), explorer.about().text));
    format!("{before}{}{after}\n{}", list(entries, 11), matrix())
}

/// What goes with each explorer, from what the explorers declare.
fn matrix() -> String {
    let mut rows = vec![["explorer", "models", "data races", "options of its own"].map(str::to_owned)];
    for explorer in Explorer::ALL {
        let about = explorer.about();
        let models = Model::ALL.iter().filter(|model| about.goes_with(**model)).map(|model| model.name());
        let races = match about.finds(Property::Races) {
            Finds::Always => "yes".to_owned(),
            Finds::Predicted => format!("with {}", option(Choice::Predict)),
            Finds::Never => "no".to_owned(),
        };
        let workers = (about.workers == Workers::Several).then_some("--workers");
        let robust = (about.robustness == Finds::Always).then_some("--robust");
        let options = about.accepts.iter().map(|choice| option(*choice)).chain(workers).chain(robust);
        let row = [
            about.name,
            &models.collect::<Vec<_>>().join(" "),
            &races,
            &options.collect::<Vec<_>>().join(" "),
        ];
        rows.push(row.map(str::to_owned));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let [first, second, third] = [0, 1, 2].map(width);
    let line = |[name, models, races, options]: &[String; 4]| {
        let line = format!("  {name:first$}  {models:second$}  {races:third$}  {options}");
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

/// Prints a topic.
pub fn run(topic: Topic) -> ExitCode {
    match topic {
        Topic::Properties => output::print(PROPERTIES),
        Topic::Models => output::print(&models()),
        Topic::Explorers => output::print(&explorers()),
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_property_is_explained() {
        for kind in selvedge_vm::FaultKind::ALL {
            let name = format!("\n  {} ", kind.name());
            assert!(super::PROPERTIES.contains(&name), "{}", kind.name());
        }
    }
}
