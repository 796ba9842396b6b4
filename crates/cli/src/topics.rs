//! `selvedge help properties`, `help models`, `help explorers`.

use crate::arguments::Topic;
use crate::output;
use std::process::ExitCode;

/// Properties and what they mean; a test compares the names with the code.
const PROPERTIES: &str = "\
Properties are checked in every execution that is explored. `--allow NAME` switches one off.

  assertion          assert() failed, or reach_error() / __VERIFIER_error() was reached
  abort              abort() was called
  deadlock           threads wait for each other, or for something that nobody will do
  livelock           a thread waits in a loop for a value that nobody will write
  data-race          two threads access the same memory, one writes, not both are atomic, and no
                     happens-before relation of C11 orders them
  relock             a mutex or spin lock is locked again by its holder
  bad-unlock         a lock is unlocked by a thread that does not hold it
  bad-destroy        a mutex, condition variable, … is destroyed while in use, or used afterwards
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
";

const MODELS: &str = "\
The memory model says which values loads may see.

  sc   sequential consistency: threads take turns, a load sees the last store. Memory orders of
       atomics matter for data races only. A program without data races whose atomics are all
       seq_cst has no other behaviour.

Weaker models (tso, pso, rc11) are not available yet.
";

const EXPLORERS: &str = "\
The explorer says which executions are run.

  optimal     optimal partial-order reduction, the default: one execution for each order of operations
              that depend on each other. Executions that differ in the order of others only are not run
              again. Ends with a proof for the inputs given, if the program is small enough. The only
              one with several --workers; the result does not depend on their number. --estimate tells
              in advance how many executions there will be, more or less.
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

`--preemptions N` with `optimal` is bounded partial-order reduction: everything that can happen with at
most N preemptions, in no more executions than `context` needs, and mostly far fewer. Reports call it
`bounded`. A preemption is a switch away from a thread that could have gone on and did not just yield.

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
