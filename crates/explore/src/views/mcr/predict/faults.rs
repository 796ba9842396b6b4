//! What a thread does wrong by itself if reads return other values.
//!
//! What a thread does until its next visible operation follows from its own state alone. So the machine is asked what it would
//! do with each value that is written anywhere; if that is wrong, the solver is asked whether it can read this value.

use super::{Done, Prediction};
use crate::Control;
use crate::views::explorer::Explorer;
use crate::views::mcr::causality::{Causality, Moment};
use crate::views::mcr::claims::Claim;
use crate::views::script::{DEAD, LocationPart, Question, value_result};
use selvedge_memory::System;
use selvedge_program::SpanId;
use selvedge_trace::{Agent, Operation, ThreadId};
use selvedge_vm::{FaultKind, Stop, address};

/// So many reads in a row are given other values.
pub(super) const LONGEST: usize = 3;

/// So many combinations of values are tried for the reads that begin at one location.
const MOST: usize = 256;

/// A read that may return one of several values.
struct Read {
    part: LocationPart,
    cell: usize,
    values: Vec<u64>,
    address: u64,
}

/// A read of one cell, and nothing else.
fn read(causality: &Causality<'_>, done: &Done) -> Option<Read> {
    let entry = causality.entry(done.id);
    let Operation::Load { address, .. } = done.event.operation else { return None };
    let [part] = *entry.reads else { return None };
    let mut cells = causality.cells.of(part);
    let cell = cells.next()?;
    let is_whole = cells.next().is_none() && causality.cells.all[cell].part == part;
    let is_simple = entry.question == Question::Values
        && entry.round.is_none()
        && entry.result != DEAD
        && !entry.exclusive
        && entry.effects.is_empty();
    let values = causality.values(done.id, cell);
    (is_whole && is_simple).then_some(Read { part, cell, values, address })
}

/// What a thread does wrong if reads return other values: which events (by their numbers in `done`) read what, and what it
/// does then.
struct Witness {
    values: Vec<(usize, u64)>,
    kind: FaultKind,
    span: SpanId,
}

/// Whether a fault of a thread follows from what it has read, and from nothing else.
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

impl<S: System> Prediction<'_, '_, '_, '_, S> {
    /// Predicts what threads do wrong by themselves.
    pub(super) fn predict_faults(&mut self) {
        for witness in self.speculate_on_all() {
            let Witness { kind, span, .. } = witness;
            let is_known = self.predicted.faults.contains(&(kind, span));
            if is_known || !self.explorer.session.looks_for(kind) || self.explorer.session.is_out_of_time() {
                continue;
            }
            if self.predict_fault(&witness) == Control::Stop {
                return;
            }
        }
    }

    /// What threads would do wrong if they read other values, for all reads; the last ones first.
    fn speculate_on_all(&mut self) -> Vec<Witness> {
        let done = self.done;
        // What each thread goes on with after an entry.
        let next = |at: usize| {
            let (script, position) = done[at].id;
            done[at..].iter().position(|other| other.id == (script, position + 1)).map(|next| at + next)
        };
        let mut witnesses = Vec::new();
        for at in (0..done.len()).rev() {
            let mut row = vec![at];
            while row.len() < LONGEST
                && let Some(next) = row.last().and_then(|last| next(*last))
            {
                row.push(next);
            }
            let reads: Vec<Read> = row.iter().map_while(|at| read(&self.causality, &done[*at])).collect();
            if reads.is_empty() || self.explorer.session.is_out_of_time() {
                continue;
            }
            self.explorer.rewind_to(done[at].step);
            let mut speculation =
                Speculation { reads, thread: done[at].event.thread, values: Vec::new(), tried: 0 };
            speculation.run(self.explorer, &mut |values, kind, span| {
                let values = values.iter().enumerate().map(|(number, value)| (row[number], *value));
                witnesses.push(Witness { values: values.collect(), kind, span });
            });
        }
        witnesses
    }

    /// Predicts a fault, if the thread can read the values that it takes.
    fn predict_fault(&mut self, witness: &Witness) -> Control {
        let Witness { ref values, kind, span } = *witness;
        let (causality, done) = (&mut self.causality, self.done);
        let Some((first, _)) = values.first() else { return Control::Continue };
        let id = done[*first].id;
        let mut limits: Vec<u32> =
            causality.execution.scripts.iter().map(|script| script.performed as u32).collect();
        limits[id.0] = id.1 as u32;
        // A moment for each read, one after the other; the thread itself does nothing else meanwhile.
        let mut moments: Vec<Moment> = Vec::new();
        let mut wishes = Vec::new();
        let mut steps = Vec::new();
        for (at, value) in values {
            let Some(Read { part, cell, .. }) = read(causality, &done[*at]) else { return Control::Stop };
            let moment = causality.new_moment(Some(id), &limits);
            wishes.push(causality.sees(moment.event, done[*at].id, cell, |other| other == *value));
            let dead = causality.dead_locations(causality.entry(done[*at].id));
            wishes.push(causality.is_dead(moment.event, &dead, Claim::Fails));
            if let Some(before) = moments.last() {
                wishes.push(before.guard);
                wishes.push(causality.order.before(before.event, moment.event));
            }
            steps.push((moment.event, (Agent::from(done[*at].event.thread), value_result(part, *value))));
            moments.push(moment);
        }
        let Some(moment) = moments.last().copied() else { return Control::Stop };
        let Some(prefix) = causality.solve_with(&moment, &wishes, &steps).found() else {
            return Control::Continue;
        };
        self.predicted.faults.insert((kind, span));
        self.confirm(&prefix.steps, |explorer| explorer.session.is_wrong(kind))
    }
}

/// What a thread would do if some reads in a row returned other values.
struct Speculation {
    reads: Vec<Read>,
    thread: ThreadId,
    /// The values of the first of these reads.
    values: Vec<u64>,
    /// How many combinations were tried.
    tried: usize,
}

impl Speculation {
    /// Tries all values for the next read; the machine must be before that.
    fn run<S: System>(
        &mut self,
        explorer: &mut Explorer<'_, '_, S>,
        found: &mut impl FnMut(&[u64], FaultKind, SpanId),
    ) {
        let next = self.values.len();
        let mark = explorer.session.mark();
        for number in 0..self.reads.get(next).map_or(0, |read| read.values.len()) {
            let read = &self.reads[next];
            let value = read.values[number];
            let value_read = value >> read.part.bits.trailing_zeros().min(63);
            // Whether there is anything at an address of a heap or stack depends on the others.
            if (address::GLOBALS_END..address::LIMIT).contains(&value_read) {
                continue;
            }
            self.tried += 1;
            if self.tried > MOST {
                return;
            }
            let stop = explorer.session.system.pretend(self.thread, u128::from(value_read));
            self.values.push(value);
            match stop {
                Some(Stop::Fault(fault)) if is_its_own(fault.kind) => {
                    found(&self.values, fault.kind, fault.span);
                }
                Some(Stop::Visible) => {
                    // It goes on as it did, if it reads the same next.
                    let pending = explorer.session.system.machine().pending(self.thread);
                    if let Some(Operation::Load { address, .. }) = pending
                        && self.reads.get(next + 1).is_some_and(|read| read.address == address)
                    {
                        self.run(explorer, found);
                    }
                }
                _ => {}
            }
            self.values.pop();
            explorer.session.rewind(&mark);
        }
    }
}
