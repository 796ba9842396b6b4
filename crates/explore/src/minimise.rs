//! A simpler schedule with the same violation: the fewest preemptions found within a small budget.

use crate::context_bound::{Round, round};
use crate::{Found, Session, Turn};
use selvedge_memory::System;
use selvedge_trace::Agent;

/// Steps that may be spent.
const BUDGET: u64 = 200_000;

/// Looks for an execution with fewer preemptions that violates the same property at the same place. The
/// session must be fresh; gives the better schedule, if there is one.
pub fn fewest_switches<S: System>(session: &mut Session<'_, S>, found: &Found) -> Option<Found> {
    if session.ended_at_start() {
        return None;
    }
    let now = switches(&found.schedule);
    let start = session.mark();
    for bound in 0..=now {
        session.rewind(&start);
        let mut better = None;
        let mut stop = |session: &mut Session<'_, S>| {
            let same = session.found.iter().find(|other| other.violation.is_same(&found.violation));
            better = same.cloned();
            better.is_some() || session.statistics.steps > BUDGET
        };
        let end = round(session, bound, &mut stop);
        if let Some(better) = better {
            return (switches(&better.schedule) < now).then_some(better);
        }
        if matches!(end, Round::Stopped) {
            return None;
        }
    }
    None
}

/// How often a schedule changes threads.
pub fn switches(schedule: &[Turn]) -> u32 {
    let turns: Vec<Agent> =
        schedule.iter().map(|turn| turn.agent).filter(|agent| agent.is_thread()).collect();
    turns.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}
