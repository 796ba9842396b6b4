//! One given schedule.

use crate::{Progress, Session, Turn};
use selvedge_memory::{LookAhead, System};

/// Why a schedule cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diverged {
    /// The position in the schedule.
    pub at: usize,
}

/// Follows a schedule to its end, with a session that keeps going: a thread may have stopped on the way, because of
/// an assumption, a bound or another violation, and the others went on. If threads are left that could go on afterwards, they are not run.
pub fn explore<S: System>(session: &mut Session<'_, S>, schedule: &[Turn]) -> Result<(), Diverged> {
    if session.ended_at_start() {
        return if schedule.is_empty() { Ok(()) } else { Err(Diverged { at: 0 }) };
    }
    let mut enabled = Vec::new();
    for (at, turn) in schedule.iter().enumerate() {
        session.enabled(&mut enabled);
        let possible = enabled.contains(&turn.agent) && session.system.accepts(turn.agent, turn.choice);
        if !possible {
            return Err(Diverged { at });
        }
        session.mark();
        if session.step_through(*turn) == Progress::Ended {
            return if at + 1 == schedule.len() { Ok(()) } else { Err(Diverged { at: at + 1 }) };
        }
    }
    // A thread may be left that would only go round in a waiting loop, which the execution need not show.
    session.system.look_ahead(LookAhead::On);
    match session.system.is_over() {
        true => session.finish(),
        false => session.check_robustness(),
    }
    Ok(())
}
