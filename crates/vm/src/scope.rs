//! The end of the life of local objects that other threads can reach.
//!
//! A local object ends its life with its scope, its function or its thread. As long as no other thread can reach it, nobody
//! notices. Otherwise whoever accesses it may come before or after, so that its end is a visible operation,
//! [`Operation::EndScope`], like the end of a heap object. An instruction that ends several such objects (a `return`) is before one
//! operation after the other: each ends one object, the instruction is executed again, and goes through when none is left.
//!
//! A thread that has joined all others goes through at once: nobody is left who could access its objects.

use crate::code::{Generic, Op};
use crate::jump::depth_of_jump;
use crate::machine::Machine;
use crate::memory::{Poison, SHARED};
use selvedge_program::{Builtin, Type};
use selvedge_trace::Operation;

impl Machine<'_> {
    /// The next local object, as an address and a size, that the instruction of a thread ends although others can reach it.
    pub(crate) fn scope_to_end(&self, index: usize) -> Option<(u64, u64)> {
        let thread = self.threads.get(index)?;
        let code = &self.image.code;
        match code.ops[thread.position.pc as usize] {
            Op::Return0 | Op::Return1 { .. } | Op::Return { .. } => self.shared_local_of_frame(index),
            Op::Generic { index: number } => match code.generic[number as usize] {
                Generic::LifetimeStart { slot } | Generic::LifetimeEnd { slot } => {
                    self.shared_local_in_slot(index, slot)
                }
                Generic::StackRestore { saved } => {
                    self.shared_dynamic(index, self.value(index, saved, Type::I64) as u64)
                }
                _ => None,
            },
            Op::CallSite { site } => {
                let arg = |n: usize| {
                    let (source, ty) = code.sites[site as usize].args.get(n)?;
                    Some(self.value(index, *source, *ty) as u64)
                };
                match self.builtin_at(site)? {
                    Builtin::ThreadExit => self.shared_local_above(index, 0),
                    Builtin::LongJump => self.shared_local_above(index, depth_of_jump(self, arg(0)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The same, as the operation that a thread is before.
    pub(crate) fn pending_scope_end(&self, index: usize) -> Option<Operation> {
        self.scope_to_end(index).map(|(address, size)| Operation::EndScope { address, size })
    }

    /// Whether the instruction of a thread may be before [`Operation::EndScope`] and nothing else: then it is executed again after
    /// the operation.
    pub(crate) fn is_executed_again(&self, index: usize) -> bool {
        let code = &self.image.code;
        match code.ops[self.threads[index].position.pc as usize] {
            Op::Return0 | Op::Return1 { .. } | Op::Return { .. } => true,
            Op::Generic { index: number } => matches!(
                code.generic[number as usize],
                Generic::LifetimeStart { .. } | Generic::LifetimeEnd { .. } | Generic::StackRestore { .. }
            ),
            Op::CallSite { site } => {
                matches!(self.builtin_at(site), Some(Builtin::ThreadExit | Builtin::LongJump))
            }
            _ => false,
        }
    }

    /// A local object of the innermost frame that others can reach.
    pub(crate) fn shared_local_of_frame(&self, index: usize) -> Option<(u64, u64)> {
        let depth = self.threads[index].frames.len();
        self.shared_local_above(index, depth.checked_sub(1)?)
    }

    /// A local object that others can reach, of the frames from a depth on, innermost first.
    pub(crate) fn shared_local_above(&self, index: usize, depth: usize) -> Option<(u64, u64)> {
        if !self.multithreaded {
            return None;
        }
        let frames = self.threads[index].frames.get(depth..)?;
        frames.iter().rev().find_map(|frame| {
            let in_slots = || {
                let size = u64::from(self.image.code.functions[frame.function as usize].frame_size);
                self.shared_object_in(index, frame.stack + 8, size.saturating_sub(8))
            };
            let dynamic = self.shared_dynamic_of(index, frame.dynamic, 0);
            dynamic.or_else(|| (frame.stack != 0).then(in_slots).flatten())
        })
    }

    /// The local object in a slot of the innermost frame, if others can reach it.
    pub(crate) fn shared_local_in_slot(&self, index: usize, slot: u32) -> Option<(u64, u64)> {
        let frame = self.threads[index].top().filter(|_| self.multithreaded)?;
        let layout = self.image.code.functions[frame.function as usize].slots[slot as usize];
        self.shared_object_in(index, frame.stack + u64::from(layout.offset), layout.size)
    }

    /// A dynamic local object of the innermost frame, at or above an address, that others can reach.
    pub(crate) fn shared_dynamic(&self, index: usize, from: u64) -> Option<(u64, u64)> {
        let newest = self.threads[index].top().filter(|_| self.multithreaded)?.dynamic;
        self.shared_dynamic_of(index, newest, from)
    }

    fn shared_dynamic_of(&self, index: usize, newest: u64, from: u64) -> Option<(u64, u64)> {
        let mut object = newest;
        while object != 0 && object >= from {
            let (size, previous) = self.dynamic_object(object);
            if let Some(shared) = self.shared_object_in(index, object, size) {
                return Some(shared);
            }
            object = previous;
        }
        None
    }

    /// The first object in some memory of a thread's stack that others can reach.
    fn shared_object_in(&self, index: usize, address: u64, size: u64) -> Option<(u64, u64)> {
        if size == 0 || !self.memory.any_flag(address, size, SHARED) || self.is_alone(self.threads[index].id)
        {
            return None;
        }
        let mut granules = (address..address + size).step_by(8);
        let first = granules.find(|at| self.memory.any_flag(*at, 1, SHARED))?;
        Some(self.object_at(first).map_or((first, 8), |object| (object.start, object.size)))
    }

    /// Ends the life of a local object that others can reach.
    pub(crate) fn end_scope(&mut self, address: u64, size: u64) {
        self.memory.fill_shadow(address, size.next_multiple_of(8), Poison::DeadStack as u8);
    }
}
