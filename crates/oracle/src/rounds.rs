//! Threads that go round loops: when one may do so for ever.
//!
//! A thread may stay in a loop if it stands at the beginning of a round, the round before was idle, and nothing has happened since that could
//! make the next one another. Then an execution can end there: the thread is stuck in the loop. How many rounds it has made before does not
//! matter.
//!
//! A round is idle if it has changed nothing: it only reads, writes back what it has read in the same step, and gives back the mutexes
//! that it takes; and the registers that matter are what they were before. What it has read must be the last value to the
//! end: a thread does not read older values for ever. (Writes back of the same value do not count: two threads that both try to take
//! a lock by test-and-set may write it in turns.)
//!
//! A thread that would begin one more round than it may is cut. Such an execution is void, and all that begin with it: whatever comes of
//! it, also comes of executions with fewer rounds or with more.

use crate::classes::Source;
use crate::code::{Action, Instruction, Local, Registers, live_registers};
use crate::event::{Event, EventId, Kind};
use std::collections::BTreeMap;

/// What there is to know of the loops of a program.
#[derive(Debug)]
pub struct Loops<'p> {
    code: &'p [Vec<Instruction>],
    /// For each thread and position, the registers that matter.
    live: Vec<Vec<Registers>>,
    /// Whether a thread has loops.
    has_loops: Vec<bool>,
}

/// The beginning of a round.
struct Begin {
    /// Its position.
    position: usize,
    registers: Vec<u32>,
    /// How many events come before it.
    events: usize,
}

impl<'p> Loops<'p> {
    /// The loops of the threads of a program.
    pub fn new(code: &'p [Vec<Instruction>]) -> Self {
        let is_round = |at: &Instruction| matches!(at.action, Action::Round { .. });
        Self {
            code,
            live: code.iter().map(|code| live_registers(code)).collect(),
            has_loops: code.iter().map(|code| code.iter().any(is_round)).collect(),
        }
    }

    /// The registers of a thread whose values can make a difference at a position.
    pub fn live(&self, thread: usize, position: usize) -> Registers {
        self.live[thread][position]
    }

    /// Whether a thread may stay in a loop after these events, all that it has; `is_changed` is asked about reads in its last round.
    pub fn may_stay<'e>(
        &self,
        thread: usize,
        events: impl Iterator<Item = &'e Event>,
        registers: usize,
        is_changed: impl Fn(&Event) -> bool,
    ) -> bool {
        if !self.has_loops[thread] {
            return false;
        }
        let code = &self.code[thread];
        let events: Vec<&Event> = events.collect();
        let mut begins: Vec<Begin> = Vec::new();
        let mut local = Local::new(registers);
        for passed in 0..=events.len() {
            local.run_private(code, |local| {
                if let Some(Action::Round { .. }) = code.get(local.position).map(|at| &at.action) {
                    let (position, registers) = (local.position, local.registers.clone());
                    begins.push(Begin { position, registers, events: passed });
                }
            });
            if let Some(event) = events.get(passed) {
                local.pass(code, event);
            }
        }
        begins.iter().filter(|begin| begin.events == events.len()).any(|begin| {
            let Some(before) = before(code, &begins, begin) else { return false };
            let matters = |register: &usize| self.live[thread][begin.position] >> register & 1 == 1;
            let is_same = |register: usize| before.registers[register] == begin.registers[register];
            let round = &events[before.events..];
            (0..registers).filter(matters).all(is_same)
                && changes_nothing(round)
                && !round.iter().any(|event| is_changed(event))
        })
    }
}

/// The beginning of the round before another one.
fn before<'b>(code: &[Instruction], begins: &'b [Begin], round: &Begin) -> Option<&'b Begin> {
    match code.get(round.position)?.action {
        Action::Round { before } => begins.iter().find(|begin| Some(begin.position) == before),
        _ => None,
    }
}

/// Whether some events of a thread leave everything as it was.
pub fn changes_nothing(events: &[&Event]) -> bool {
    let mut taken: BTreeMap<usize, i32> = BTreeMap::new();
    let passive = events.iter().all(|event| match event.kind {
        Kind::Access { read, written, .. } => read.is_some() && (written.is_none() || written == read),
        Kind::Fence { .. } | Kind::TryLock { taken: false, .. } => true,
        Kind::Lock { mutex } | Kind::TryLock { mutex, taken: true } => {
            *taken.entry(mutex).or_default() += 1;
            true
        }
        Kind::Unlock { mutex } => {
            *taken.entry(mutex).or_default() -= 1;
            true
        }
        _ => false,
    });
    passive && taken.values().all(|count| *count == 0)
}

/// Whether the value that a read has found is no longer the last one; `writes` are those to its location, in their order.
pub fn is_overwritten<'e>(
    read: &Event,
    writes: impl IntoIterator<Item = EventId>,
    event: impl Fn(EventId) -> Option<&'e Event>,
) -> bool {
    let mut later = writes.into_iter();
    match read.source {
        Some(Source::Initial) => {}
        // If it is not among them, it is still in the buffer of its thread, and comes later than all.
        Some(Source::Write(source)) => drop(later.find(|write| *write == source)),
        _ => return false,
    }
    later.any(|write| match event(write).map(|event| &event.kind) {
        Some(Kind::Access { read, written, .. }) => read != written,
        _ => true,
    })
}
