//! Random walks: at each point, any enabled agent and any alternative.

use crate::random_numbers::Random;
use crate::{Control, Limit, Progress, Session, Turn};
use selvedge_memory::System;

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
