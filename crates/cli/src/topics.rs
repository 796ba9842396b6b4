//! `selvedge help properties`, `help models`, `help explorers`.

use crate::arguments::Topic;
use crate::output;
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

const MODELS: &str = "\
The memory model says which values loads may see: --model NAME. Without it, the model is rc11 if the
program has atomic operations weaker than seq_cst, else sc; and sc if an explorer is named that has no
rc11. The last line of a report says which, and why.

  sc   sequential consistency: threads take turns, a load sees the last store. Memory orders of atomics
       matter for data races only. A program without data races whose atomics are all seq_cst has no
       other behaviour.
  tso  total store order, as of x86: what a thread stores goes into a buffer of its own first, and
       reaches memory later, in the order of the program. The thread itself sees it at once, others
       when it has arrived. So a load may come before an earlier store of its thread.
  pso  partial store order, as of SPARC: the same, but only stores to the same bytes stay in order.
       So a store may come before an earlier store to another place, too.
  rc11 what C11 promises, as repaired by Lahav and others (2017): a load may see any store to its place
       that happens-before, the order of the stores to that place, and the rules for seq_cst do not rule
       out. Relaxed, acquire, release, seq_cst, and fences mean what the standard says, no more. So
       loads come in any order, too, and threads need not agree on the order of stores to different
       places. Only a store never comes before an earlier load of its thread.
  ra   release-acquire: as if every store released and every load acquired. Accesses that are seq_cst
       are no stronger; seq_cst fences are in one order. Which accesses race is still told by the orders
       that the program gives them.

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
";

const EXPLORERS: &str = "\
The explorer says which executions are run.

  optimal     optimal partial-order reduction, the default for sc, tso and pso: one execution for each
              order of operations that depend on each other. Executions that differ in the order of
              others only are not run again. Ends with a proof for the inputs given, if the program is
              small enough. With several --workers, as `graph`; the result does not depend on their
              number. --estimate tells in advance how many executions there will be, more or less.
              If no explorer is named, sc is tried by `graph` first. A program that is right, and has no
              waiting loops, condition variables, semaphores, barriers, readers-writer locks or atomic
              sections, has the same executions there, and is explored faster. Whatever else it comes
              to, `optimal` begins anew, at the latest after half of the time limit. If that comes to a
              limit before it has found what `graph` has found, that is reported.
  source      partial-order reduction by source sets: the same verdict; some executions are begun in
              vain and given up when that is noticed (they count as blocked).
  classic     partial-order reduction by persistent sets: the oldest of these, to compare with.
  exhaustive  every interleaving of visible operations, without reduction: the same verdict, for very
              small programs. With --classes it also counts the orders of dependent operations among
              the complete executions.
  context     iterative context bounding: all executions without a preemption, then with one, up to
              --preemptions. Finds most bugs soon; a proof only if nothing had to be left out.
  random      random walks; --max-executions of them, from --seed.
  pct         probabilistic concurrency testing: random thread priorities that change --depth - 1
              times; finds a bug of that depth with a known probability per execution.
  vieq        view-equivalence, for sc, tso and pso: one execution for each combination of values that are read. Where
              few different values are written (flags, states of a protocol) these are far fewer than
              the orders that `optimal` explores. Finds what threads can notice: failed assertions, wrong
              use of memory and locks; also deadlocks and waits without end. Does not look for data
              races. Keeps all views in memory. Several --workers.
  se-mcr      maximal causality reduction, for sc, tso and pso: the same as `vieq`, but a solver derives
              from each execution others in which something else is read, unless looking at --patience
              states tells. With --predict it also tells
              from each execution what would go wrong in another order of its steps (data races, deadlocks,
              failed assertions, null pointers) and runs that to confirm it. Several --workers.
  mcr         the same as it was first described: a combination of values may be run although an execution
              that was run has contained it. To compare with.
  graph       execution graphs, for rc11 and ra, where it is the default; also for sc and tso: one
              execution for each graph that the model allows. A graph says which store each load sees, and
              in which order the stores to each place come; for locks and the like, in which order the
              operations on each come. Several --workers, and --estimate. The schedule that is reported is
              the one that was found.

`--preemptions N` with `optimal` is bounded partial-order reduction: everything that can happen with at
most N preemptions, in no more executions than `context` needs, and mostly far fewer. Reports call it
`bounded`. A preemption is a switch away from a thread that could have gone on and did not just yield;
under tso and pso, a store that reaches memory is none.

Waiting loops need no bound: a thread that goes round a loop without changing anything waits until
something it read changes.
";

/// Prints a topic.
pub fn run(topic: Topic) -> ExitCode {
    output::print(match topic {
        Topic::Properties => PROPERTIES,
        Topic::Models => MODELS,
        Topic::Explorers => EXPLORERS,
    });
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
