//! Threads that go round loops: when one may do so for ever.
//!
//! A thread may stay in a loop if it stands at the beginning of a round, and this round would be idle: if it read the last value of each location, it
//! would change nothing, and come to the beginning of the next round as it is now. Then an execution can end there: the thread is stuck in the
//! loop. How many rounds it has made before does not matter, nor that it could read older values: it does not do so for ever.
//!
//! A round changes nothing if it only reads, writes back what it has read in the same step, and gives back the mutexes that it takes;
//! and if the registers that matter are in the end what they were before.
//!
//! A thread that would begin one more round than it may is cut. Such an execution is void, and all that begin with it: whatever comes of
//! it, also comes of executions with fewer rounds or with more.

use crate::code::{Action, Instruction, Local, Registers, live_registers};
use crate::event::{Addition, Event, Kind};
use crate::program::Statement;
use std::collections::BTreeSet;

/// What there is to know of the loops of a program.
#[derive(Debug)]
pub struct Loops<'p> {
    code: &'p [Vec<Instruction>],
    /// For each thread and position, the registers that matter.
    live: Vec<Vec<Registers>>,
    /// Whether a thread has loops.
    has_loops: Vec<bool>,
}

impl<'p> Loops<'p> {
    /// The loops of the threads of a program.
    pub fn new(code: &'p [Vec<Instruction>]) -> Self {
        let is_round = |at: &Instruction| matches!(at.action, Action::Round);
        Self {
            code,
            live: code.iter().map(|code| live_registers(code)).collect(),
            has_loops: code.iter().map(|code| code.iter().any(is_round)).collect(),
        }
    }

    /// Whether two states of a thread are the same: before the same statement, with the same values in the registers that matter.
    pub fn is_same(&self, thread: usize, one: &Local, other: &Local) -> bool {
        let code = &self.code[thread];
        let (one, other) = (one.uncut(code), other.uncut(code));
        let place = |local: &Local| code.get(local.position).map(Instruction::place);
        let live = self.live[thread][one.position] | self.live[thread][other.position];
        let matters = |register: &usize| live >> register & 1 == 1;
        place(&one) == place(&other)
            && (0..one.registers.len())
                .filter(matters)
                .all(|register| one.registers[register] == other.registers[register])
    }

    /// Whether a thread may stay in a loop after these events, all that it has. `last` is the last value of each location, `is_free` says
    /// whether nobody holds a mutex.
    pub fn may_stay<'e>(
        &self,
        thread: usize,
        events: impl Iterator<Item = &'e Event>,
        registers: usize,
        last: impl Fn(usize) -> u32,
        is_free: impl Fn(usize) -> bool,
    ) -> bool {
        if !self.has_loops[thread] {
            return false;
        }
        let code = &self.code[thread];
        let mut begins = false;
        let mut local = Local::new(registers);
        local.run_private(code, |local| begins |= begins_round(code, local));
        for event in events {
            begins = false;
            local.pass(code, event);
            local.run_private(code, |local| begins |= begins_round(code, local));
        }
        begins && self.is_round_idle(thread, &local, last, is_free)
    }

    /// Whether a thread, before the first visible instruction of a round, would be there again with nothing changed.
    fn is_round_idle(
        &self,
        thread: usize,
        begin: &Local,
        last: impl Fn(usize) -> u32,
        is_free: impl Fn(usize) -> bool,
    ) -> bool {
        let code = &self.code[thread];
        let (mut local, mut held) = (begin.clone(), BTreeSet::new());
        loop {
            let Some(Instruction { action: Action::Do(statement), statement: number, until: None, .. }) =
                code.get(local.position)
            else {
                return false;
            };
            let kind = match statement {
                Statement::Fence { order } => Kind::Fence { order: *order },
                Statement::Lock { mutex } if is_free(*mutex) && held.insert(*mutex) => {
                    Kind::Lock { mutex: *mutex }
                }
                Statement::Unlock { mutex } if held.remove(mutex) => Kind::Unlock { mutex: *mutex },
                Statement::TryLock { mutex, .. } => {
                    let taken = is_free(*mutex) && held.insert(*mutex);
                    Kind::TryLock { mutex: *mutex, taken }
                }
                statement => {
                    let Some(at) = local.location(statement) else { return false };
                    match local.access(statement, at, last(at)) {
                        Some(kind) if changes_nothing(&kind) => kind,
                        _ => return false,
                    }
                }
            };
            let event =
                Event { thread, index: 0, statement: *number, kind, source: None, addition: Addition::No };
            let mut begins = false;
            local.pass(code, &event);
            local.run_private(code, |local| begins |= begins_round(code, local));
            if begins {
                return held.is_empty() && self.is_same(thread, begin, &local);
            }
        }
    }
}

/// Whether a round begins at a position, even if it is one too many.
fn begins_round(code: &[Instruction], local: &Local) -> bool {
    let action = code.get(local.position).map(|at| &at.action);
    matches!(action, Some(Action::Round | Action::Cut { .. }))
}

/// Whether an access reads, and writes back what it has read if it writes.
pub fn changes_nothing(kind: &Kind) -> bool {
    matches!(kind, Kind::Access { read: Some(read), written, .. } if written.is_none_or(|written| written == *read))
}
