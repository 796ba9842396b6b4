//! A simpler schedule with the same violation: the fewest preemptions found within a small budget.

use crate::steps::context_bound::{Round, round};
use crate::{Found, Session, Turn};
use selvedge_memory::{LookAhead, System};
use selvedge_trace::Agent;

/// Steps that may be spent.
const BUDGET: u64 = 200_000;

/// So often it is asked whether there is time.
const OFTEN: u64 = 64;

/// Looks for an execution with fewer preemptions that violates the same property at the same place, until the session is
/// out of time. The session must be fresh; gives the better schedule, if there is one.
pub fn fewest_switches<S: System>(session: &mut Session<'_, S>, found: &Found) -> Option<Found> {
    if session.ended_at_start() || session.is_out_of_time() {
        return None;
    }
    let now = switches(&found.schedule);
    session.system.look_ahead(LookAhead::On);
    let start = session.mark();
    for bound in 0..=now {
        session.rewind(&start);
        let mut better = None;
        let mut stop = |session: &mut Session<'_, S>| {
            let same = session.found.iter().find(|other| other.violation.is_same(&found.violation));
            better = same.cloned();
            let steps = session.statistics.steps;
            better.is_some() || steps > BUDGET || steps.is_multiple_of(OFTEN) && session.is_out_of_time()
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
