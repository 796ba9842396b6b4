//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS 2010).
//!
//! Threads have random priorities; the enabled thread of highest priority runs. At `depth - 1` steps chosen
//! at random the running thread's priority drops below all others. A bug that needs `depth` ordering
//! constraints among `n` threads and `k` steps is found with probability at least 1 / (n · k^(depth-1)) in
//! each execution.
//!
//! The length `k` is not known beforehand: it is the longest execution seen so far. Priorities of threads
//! created later, and of buffered stores, are drawn when they first appear. Alternatives of an operation are drawn at random.

use crate::core::random_numbers::Random;
use crate::sampling::random::SAMPLES;
use crate::{
    About, Choice, Counted, Counting, Equivalence, Explores, Finds, Options, Promise, Task, Workers,
};
use crate::{Control, Limit, Progress, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::Agent;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "pct",
    help: "Probabilistic concurrency testing: random priorities that change --depth - 1 times",
    text: "\
         probabilistic concurrency testing: random thread priorities that change --depth - 1\n\
         times; finds a bug of that depth with a known probability per execution.",
    explores: Explores::Steps,
    workers: Workers::One,
    tells_apart: Equivalence::Orders,
    robustness: Finds::Never,
    promise: Promise::Sample,
    counts: Counting::Nothing,
    accepts: &[Choice::Samples, Choice::Seed, Choice::Depth],
    bounded_name: None,
};

/// The bug depth if not told.
pub const DEPTH: u32 = 3;

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    let Options { samples, depth, .. } = *task.options;
    explore(task.session, task.options.seed(), samples.unwrap_or(SAMPLES), depth.unwrap_or(DEPTH));
    Counted::Nothing
}

/// Runs `count` executions with bug depth `depth`.
pub fn explore<S: System>(session: &mut Session<'_, S>, seed: u64, count: u64, depth: u32) {
    if session.ended_at_start() {
        return;
    }
    let mut random = Random::new(seed);
    let start = session.mark();
    let mut enabled = Vec::new();
    for _ in 0..count {
        session.rewind(&start);
        let length = session.statistics.longest.max(8);
        let mut changes: Vec<u64> = (1..depth).map(|_| random.below(length)).collect();
        changes.sort_unstable();
        let mut priorities: Vec<(Agent, u64)> = Vec::new();
        let mut steps = 0;
        // Low priorities, handed out downwards at change points.
        let mut lowest = u64::from(depth);
        loop {
            session.enabled(&mut enabled);
            if enabled.is_empty() {
                session.finish();
                break;
            }
            for thread in &enabled {
                if priorities.iter().all(|(known, _)| known != thread) {
                    priorities.push((*thread, u64::from(depth) + 1 + random.below(1 << 40)));
                }
            }
            let rank = |thread: &Agent| {
                priorities.iter().find(|(known, _)| known == thread).map_or(0, |(_, priority)| *priority)
            };
            let Some(agent) = enabled.iter().copied().max_by_key(rank) else { break };
            if changes.contains(&steps)
                && let Some(entry) = priorities.iter_mut().find(|(known, _)| *known == agent)
            {
                lowest = lowest.saturating_sub(1);
                entry.1 = lowest;
                changes.retain(|at| *at != steps);
                continue;
            }
            steps += 1;
            let choice = random.below(u64::from(session.system.choices(agent))) as u32;
            session.mark();
            if session.step(Turn { agent, choice }) == Progress::Ended {
                break;
            }
            if steps % 4096 == 0 && session.control() == Control::Stop {
                return;
            }
        }
        if session.control() == Control::Stop {
            return;
        }
    }
    session.reach(Limit::Sampling(count));
}
