//! Random walks: at each point, any enabled agent and any alternative.

use crate::core::random_numbers::Random;
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use crate::{Control, Limit, Progress, Session, Turn};
use selvedge_memory::System;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "random",
    help: "Random walks: --max-executions of them, from --seed",
    text: "\
         random walks; --max-executions of them, from --seed.",
    explores: Explores::Steps,
    workers: Workers::One,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Never,
    promise: Promise::Sample,
    counts: Counting::Nothing,
    accepts: &[Choice::Samples, Choice::Seed],
    bounded_name: None,
};

/// How many executions are run if not told.
pub const SAMPLES: u64 = 1000;

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    explore(task.session, task.options.seed(), task.options.samples.unwrap_or(SAMPLES));
    Counted::Nothing
}

/// Runs `count` executions.
pub fn explore<S: System>(session: &mut Session<'_, S>, seed: u64, count: u64) {
    if session.ended_at_start() {
        return;
    }
    let mut random = Random::new(seed);
    let start = session.mark();
    let mut enabled = Vec::new();
    for _ in 0..count {
        session.rewind(&start);
        loop {
            session.enabled(&mut enabled);
            if enabled.is_empty() {
                session.finish();
                break;
            }
            let agent = enabled[random.below(enabled.len() as u64) as usize];
            let choice = random.below(u64::from(session.system.choices(agent))) as u32;
            session.mark();
            if session.step(Turn { agent, choice }) == Progress::Ended {
                break;
            }
            if session.schedule().len().is_multiple_of(4096) && session.control() == Control::Stop {
                return;
            }
        }
        if session.control() == Control::Stop {
            return;
        }
    }
    session.reach(Limit::Sampling(count));
}
