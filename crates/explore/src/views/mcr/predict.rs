//! Prediction: what could have gone wrong in another order of an execution that went well.
//!
//! Nothing is run to make a prediction; it is then confirmed by running its witness, and only what is confirmed is
//! reported. Predicted are
//!
//! * *data races*: two accesses to the same bytes, one of them a write and one not atomic, whose threads can be about to perform
//!   them at the same moment. Run one right after the other, nothing orders them;
//! * *deadlocks*: threads that can be at a moment each about to take what the next one has;
//! * *assertions, null pointers, and whatever else a thread does wrong by itself*: if a thread is told another value than it was,
//!   what it does until it next has to do with others follows from its own state. So this is found out for each value that
//!   is written anywhere, on the thread's state alone; and then asked whether the thread could be told that. A property
//!   of several values, say `assert(a <= b)`, is one of several reads in a row: each of these may be told something else, as long
//!   as the thread goes on with the same read as it did ([`LONGEST`] of them).
//!
//! A witness is a beginning of the execution in another order. That it can be run is not in doubt; should one fail to
//! confirm, this is reported as a fault of the tool.

use super::causality::{Causality, Moment};
use super::seen::Spot;
use crate::views::vieq::bounds::Bounds;
use crate::views::vieq::script::{DEAD, Question, Value, bits_told};
use crate::views::vieq::search::Step;
use crate::views::vieq::{Explorer, Job};
use crate::{Control, Progress};
use rustc_hash::FxHashSet;
use selvedge_memory::{End, System};
use selvedge_program::{LoadOrder, SpanId, StoreOrder};
use selvedge_solve::Lit;
use selvedge_trace::{Agent, Event, Operation, ThreadId};
use selvedge_vm::{FaultKind, Stop, address};

/// So many reads in a row are told something else.
const LONGEST: usize = 3;

/// So many combinations of values are tried for the reads that begin at one place.
const MOST: usize = 256;

/// In the longest circle of threads that wait for each other so many are looked for.
const CIRCLE: usize = 4;

/// What has been predicted so far, so that it is not again.
#[derive(Debug, Default)]
pub struct Predicted {
    races: FxHashSet<(SpanId, SpanId)>,
    deadlocks: FxHashSet<Vec<SpanId>>,
    faults: FxHashSet<(FaultKind, SpanId)>,
}

/// Bytes that an event accesses.
#[derive(Debug, Clone, Copy)]
struct Access {
    start: u64,
    size: u64,
    writes: bool,
    plain: bool,
}

fn accesses(event: &Event) -> Vec<Access> {
    let one = |start: u64, size: u64, writes: bool, plain: bool| Access { start, size, writes, plain };
    match event.operation {
        Operation::Load { address, ty, order } => {
            vec![one(address, u64::from(ty.bytes()), false, order == LoadOrder::Plain)]
        }
        Operation::Store { address, ty, order, .. } => {
            vec![one(address, u64::from(ty.bytes()), true, order == StoreOrder::Plain)]
        }
        Operation::Rmw { address, ty, .. } => vec![one(address, u64::from(ty.bytes()), true, false)],
        Operation::CompareExchange { address, ty, .. } => {
            vec![one(address, u64::from(ty.bytes()), event.written.is_some(), false)]
        }
        Operation::Copy { to, from, size } => vec![one(from, size, false, true), one(to, size, true, true)],
        Operation::Set { to, size, .. } => vec![one(to, size, true, true)],
        _ => Vec::new(),
    }
}

fn conflict(one: &Access, other: &Access) -> bool {
    one.start < other.start.saturating_add(other.size)
        && other.start < one.start.saturating_add(one.size)
        && (one.writes || other.writes)
        && (one.plain || other.plain)
}

/// An action of a script that was performed: where in the script and in the source, and which step of the execution it was.
struct Done {
    spot: Spot,
    span: SpanId,
    step: usize,
    event: Event,
}

/// Predicts from the present execution, and confirms.
pub fn predict<S: System>(explorer: &mut Explorer<'_, '_, S>, job: &Job) {
    let bounds = Bounds::new(&job.execution);
    let mut causality = Causality::new(&job.execution, &bounds, &job.order);
    let events = explorer.session.system.events().to_vec();
    let mut positions = vec![0; job.execution.scripts.len()];
    let mut done = Vec::new();
    for (step, (agent, event)) in job.order.iter().zip(&events).enumerate() {
        let Some(script) = bounds.script_of(Some(agent.thread())).filter(|_| agent.is_thread()) else {
            continue;
        };
        let span = explorer.session.system.machine().image.sites.span(event.site);
        done.push(Done { spot: (script, positions[script]), span, step, event: *event });
        positions[script] += 1;
    }
    let limits: Vec<u32> = job.execution.scripts.iter().map(|script| script.performed as u32).collect();
    let moment = causality.new_moment(None, &limits);
    // Last first: the machine only has to go back.
    predict_faults(explorer, &mut causality, &done);
    if explorer.session.looks_for(FaultKind::DataRace) {
        predict_races(explorer, &mut causality, &moment, &done);
    }
    predict_deadlocks(explorer, &mut causality, &moment, &done);
    explorer.counts.work.calls += causality.statistics().calls;
}

/// That a thread is about to perform an action, whether it can or not.
fn about_to(causality: &mut Causality<'_>, moment: &Moment, (script, position): Spot) -> Vec<Lit> {
    let before = match position.checked_sub(1) {
        Some(before) => Some(causality.events[script][before]),
        None => causality.creation(script),
    };
    let next = causality.events[script].get(position).copied();
    let mut literals = Vec::new();
    literals.extend(before.map(|before| causality.order.before(before, moment.event)));
    literals.extend(next.map(|next| causality.order.before(moment.event, next)));
    if causality.action((script, position)).drained {
        for arrival in causality.arrivals_of(script, position) {
            literals.push(causality.order.before(arrival, moment.event));
        }
    }
    literals
}

fn predict_races<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    causality: &mut Causality<'_>,
    moment: &Moment,
    done: &[Done],
) {
    let all: Vec<(&Done, Vec<Access>)> = done.iter().map(|done| (done, accesses(&done.event))).collect();
    for (at, (first, ones)) in all.iter().enumerate() {
        for (second, others) in &all[at + 1..] {
            let spans = (first.span.min(second.span), first.span.max(second.span));
            let conflicts = ones.iter().any(|one| others.iter().any(|other| conflict(one, other)));
            let events = [first, second].map(|done| causality.events[done.spot.0][done.spot.1]);
            if first.spot.0 == second.spot.0
                || !conflicts
                || explorer.predicted.races.contains(&spans)
                || causality.order.is_fixed(events[0], events[1])
                || causality.order.is_fixed(events[1], events[0])
            {
                continue;
            }
            if explorer.session.is_out_of_time() {
                return;
            }
            let mut wishes = about_to(causality, moment, first.spot);
            wishes.extend(about_to(causality, moment, second.spot));
            for spot in [first.spot, second.spot] {
                wishes.push(causality.sees_change(moment.event, spot));
            }
            let Ok(beginning) = causality.solve(moment, &wishes) else { continue };
            explorer.predicted.races.insert(spans);
            let threads = [first.event.thread, second.event.thread].map(Agent::from);
            let confirmed = |explorer: &mut Explorer<'_, '_, S>| {
                for agent in threads {
                    if explorer.session.is_wrong(FaultKind::DataRace) {
                        break;
                    }
                    if !explorer.session.system.is_enabled(agent) {
                        return false;
                    }
                    explorer.step(agent, 0);
                }
                explorer.session.is_wrong(FaultKind::DataRace)
            };
            if confirm(explorer, &beginning.steps, confirmed) == Control::Stop {
                return;
            }
        }
    }
}

/// Runs a witness; `confirmed` says whether what was predicted has happened afterwards.
fn confirm<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    steps: &[Step],
    confirmed: impl FnOnce(&mut Explorer<'_, '_, S>) -> bool,
) -> Control {
    let statistics = explorer.session.statistics;
    explorer.counts.predicted += 1;
    // What went wrong meanwhile may be just what was predicted.
    let is_confirmed = explorer.go_to(steps).is_some() && confirmed(explorer);
    // It is a replay: it does not count.
    explorer.session.statistics = statistics;
    match is_confirmed {
        true => explorer.counts.confirmed += 1,
        false => explorer.counts.diverged = true,
    }
    match explorer.counts.diverged || explorer.session.has_enough() {
        true => Control::Stop,
        false => Control::Continue,
    }
}

/// A lock that an action takes, and those that its thread has by then, as cells.
struct Taking {
    spot: Spot,
    wants: usize,
    has: Vec<usize>,
    span: SpanId,
}

fn takings(causality: &Causality<'_>, done: &[Done]) -> Vec<Taking> {
    // By cell: who has it, from where to where.
    let mut held: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (number, cell) in causality.cells.all.iter().enumerate() {
        for (take, give) in cell.pairs.iter().flatten() {
            let position = |event| {
                let mut all = causality.events.iter().enumerate();
                all.find_map(|(script, events)| {
                    Some((script, events.iter().position(|other| *other == event)?))
                })
            };
            if let Some((script, from)) = position(*take) {
                let to = give.and_then(position).map_or(usize::MAX, |(_, to)| to);
                held.push((number, script, from, to));
            }
        }
    }
    let mut takings = Vec::new();
    for Done { spot, span, .. } in done {
        let (spot, span) = (*spot, *span);
        let action = causality.action(spot);
        if !matches!(action.question, Question::Take(_)) {
            continue;
        }
        let Some(wants) = action.looks.first().and_then(|part| causality.cells.of(*part).next()) else {
            continue;
        };
        let has =
            held.iter().filter(|(_, script, from, to)| *script == spot.0 && *from < spot.1 && spot.1 < *to);
        let has: Vec<usize> = has.map(|(cell, ..)| *cell).filter(|cell| *cell != wants).collect();
        if !has.is_empty() {
            takings.push(Taking { spot, wants, has, span });
        }
    }
    takings
}

fn predict_deadlocks<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    causality: &mut Causality<'_>,
    moment: &Moment,
    done: &[Done],
) {
    let takings = takings(causality, done);
    let mut circle = Vec::new();
    for first in 0..takings.len() {
        circle.clear();
        circle.push(first);
        if close(explorer, causality, moment, &takings, &mut circle) == Control::Stop {
            return;
        }
    }
}

/// Completes a circle of threads that wait for each other in all ways. The first one of it is the first in the list.
fn close<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    causality: &mut Causality<'_>,
    moment: &Moment,
    takings: &[Taking],
    circle: &mut Vec<usize>,
) -> Control {
    let (Some(&first), Some(&last)) = (circle.first(), circle.last()) else { return Control::Continue };
    if circle.len() > 1 && takings[first].has.contains(&takings[last].wants) {
        let mut spans: Vec<SpanId> = circle.iter().map(|taking| takings[*taking].span).collect();
        spans.sort_unstable();
        if explorer.predicted.deadlocks.contains(&spans) {
            return Control::Continue;
        }
        let mut wishes = Vec::new();
        for taking in circle.iter() {
            wishes.extend(about_to(causality, moment, takings[*taking].spot));
        }
        if explorer.session.is_out_of_time() {
            return Control::Stop;
        }
        let Ok(beginning) = causality.solve(moment, &wishes) else { return Control::Continue };
        explorer.predicted.deadlocks.insert(spans);
        let last = beginning.steps.last().map_or(ThreadId::MAIN, |step| step.0.thread());
        return confirm(explorer, &beginning.steps, |explorer| {
            if explorer.go_on(last, Progress::On) != Some(true) {
                // Somebody else has done something wrong before all came to a halt.
                return !explorer.session.found.is_empty();
            }
            let is_stuck = !matches!(explorer.session.system.end(), End::Complete);
            explorer.session.finish();
            is_stuck
        });
    }
    if circle.len() == CIRCLE {
        return Control::Continue;
    }
    for next in first + 1..takings.len() {
        let is_new = circle.iter().all(|other| takings[*other].spot.0 != takings[next].spot.0);
        if is_new && takings[next].has.contains(&takings[last].wants) {
            circle.push(next);
            let control = close(explorer, causality, moment, takings, circle);
            circle.pop();
            if control == Control::Stop {
                return Control::Stop;
            }
        }
    }
    Control::Continue
}

/// A read that may be told one of several values.
struct Read {
    part: crate::views::vieq::script::Part,
    cell: usize,
    values: Vec<u64>,
    address: u64,
}

/// A read of one cell, and nothing else.
fn read(causality: &Causality<'_>, done: &Done) -> Option<Read> {
    let action = causality.action(done.spot);
    let Operation::Load { address, .. } = done.event.operation else { return None };
    let [part] = *action.looks else { return None };
    let mut cells = causality.cells.of(part);
    let cell = cells.next()?;
    let is_whole = cells.next().is_none() && causality.cells.all[cell].part == part;
    let is_simple = action.question == Question::Bits
        && action.round.is_none()
        && action.told != DEAD
        && !action.exclusive
        && action.effects.is_empty();
    let values = causality.values(done.spot, cell);
    (is_whole && is_simple).then_some(Read { part, cell, values, address })
}

/// What a thread does wrong if reads are told something else: which of all actions, and what.
struct Witness {
    told: Vec<(usize, u64)>,
    kind: FaultKind,
    span: SpanId,
}

fn predict_faults<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    causality: &mut Causality<'_>,
    done: &[Done],
) {
    // What each thread goes on with after an action.
    let next = |at: usize| {
        let (script, position) = done[at].spot;
        done[at..].iter().position(|other| other.spot == (script, position + 1)).map(|next| at + next)
    };
    let mut witnesses: Vec<Witness> = Vec::new();
    for at in (0..done.len()).rev() {
        let mut row = vec![at];
        while row.len() < LONGEST
            && let Some(next) = row.last().and_then(|last| next(*last))
        {
            row.push(next);
        }
        let reads: Vec<Read> = row.iter().map_while(|at| read(causality, &done[*at])).collect();
        if reads.is_empty() || explorer.session.is_out_of_time() {
            continue;
        }
        explorer.rewind_to(done[at].step);
        let mut tried = 0;
        let mut told = Vec::new();
        speculate(explorer, &reads, done[at].event.thread, &mut told, &mut tried, &mut |told, kind, span| {
            let told = told.iter().enumerate().map(|(number, value)| (row[number], *value)).collect();
            witnesses.push(Witness { told, kind, span });
        });
    }
    for Witness { told, kind, span } in witnesses {
        let is_known = explorer.predicted.faults.contains(&(kind, span));
        if is_known || !explorer.session.looks_for(kind) || explorer.session.is_out_of_time() {
            continue;
        }
        let spot = done[told[0].0].spot;
        let mut limits: Vec<u32> =
            causality.execution.scripts.iter().map(|script| script.performed as u32).collect();
        limits[spot.0] = spot.1 as u32;
        // A moment for each read, one after the other; the thread itself does nothing else meanwhile.
        let mut moments: Vec<Moment> = Vec::new();
        let mut wishes = Vec::new();
        let mut steps = Vec::new();
        for (at, value) in &told {
            let Some(Read { part, cell, .. }) = read(causality, &done[*at]) else { return };
            let moment = causality.new_moment(Some(spot), &limits);
            wishes.push(causality.sees(moment.event, done[*at].spot, cell, |other| other == *value));
            let dead = causality.dead_places(causality.action(done[*at].spot));
            wishes.push(causality.is_dead(moment.event, &dead, false));
            if let Some(before) = moments.last() {
                wishes.push(before.guard);
                wishes.push(causality.order.before(before.event, moment.event));
            }
            let value = Value { part, value: *value };
            steps.push((moment.event, (Agent::from(done[*at].event.thread), bits_told(part, value.value))));
            moments.push(moment);
        }
        let Some(moment) = moments.last().copied() else { return };
        let Ok(beginning) = causality.solve_with(&moment, &wishes, &steps) else { continue };
        explorer.predicted.faults.insert((kind, span));
        let confirmed = |explorer: &mut Explorer<'_, '_, S>| explorer.session.is_wrong(kind);
        if confirm(explorer, &beginning.steps, confirmed) == Control::Stop {
            return;
        }
    }
}

/// Whether a fault of a thread follows from what it was told, and from nothing else.
fn is_its_own(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Assertion
            | FaultKind::NullDereference
            | FaultKind::Abort
            | FaultKind::DivisionByZero
            | FaultKind::Trap
            | FaultKind::Unreachable
    )
}

/// What a thread does if reads are told something else; the machine must be before the first.
fn speculate<S: System>(
    explorer: &mut Explorer<'_, '_, S>,
    reads: &[Read],
    thread: ThreadId,
    told: &mut Vec<u64>,
    tried: &mut usize,
    found: &mut impl FnMut(&[u64], FaultKind, SpanId),
) {
    let Some(read) = reads.get(told.len()) else { return };
    let mark = explorer.session.mark();
    for value in &read.values {
        let value_read = value >> read.part.bits.trailing_zeros().min(63);
        // Whether there is anything at an address of a heap or stack depends on the others.
        if (address::GLOBALS_END..address::LIMIT).contains(&value_read) {
            continue;
        }
        *tried += 1;
        if *tried > MOST {
            return;
        }
        let stop = explorer.session.system.pretend(thread, u128::from(value_read));
        told.push(*value);
        match stop {
            Some(Stop::Fault(fault)) if is_its_own(fault.kind) => found(told, fault.kind, fault.span),
            Some(Stop::Visible) => {
                // It goes on as it did, if it reads the same next.
                let pending = explorer.session.system.machine().pending(thread);
                if let Some(Operation::Load { address, .. }) = pending
                    && reads.get(told.len()).is_some_and(|next| next.address == address)
                {
                    speculate(explorer, reads, thread, told, tried, found);
                }
            }
            _ => {}
        }
        told.pop();
        explorer.session.rewind(&mark);
    }
}
