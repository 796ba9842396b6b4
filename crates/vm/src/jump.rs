//! `setjmp` and `longjmp`.
//!
//! `setjmp` keeps, in a hidden local object of the calling frame, which call it was and all registers of
//! that frame; the program's `jmp_buf` holds that object's address. `longjmp` takes the frames above off
//! the stack, restores the registers and gives the call of `setjmp` a second result. So a local variable
//! that lives in a register has its value of the time of `setjmp` again, which C allows for any that is not
//! `volatile`. A `jmp_buf` whose function has returned is noticed.

use crate::access::Direction;
use crate::call::Flow;
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use selvedge_program::Type;

/// Marks a `jmp_buf` that was set.
const MAGIC: u64 = 0x5e1f_ed9e_0000_1111;

/// Offsets in the hidden object.
mod field {
    pub const THREAD: u64 = 0;
    pub const DEPTH: u64 = 8;
    pub const ACTIVATION: u64 = 16;
    pub const PC: u64 = 24;
    pub const REGISTERS: u64 = 32;
}

impl Machine<'_> {
    /// Remembers the present call in the `jmp_buf`.
    pub(crate) fn set_jump(&mut self, index: usize, buffer: u64) -> Result<u64, Stop> {
        self.check_access(index, buffer, 16, Direction::Write)?;
        self.reach(index, buffer, 16);
        let thread = &self.threads[index];
        let Some(frame) = thread.top().copied() else { return Ok(0) };
        let count = usize::from(self.image.code.functions[frame.function as usize].registers);
        let registers = thread.registers[frame.base as usize..frame.base as usize + count].to_vec();
        let (number, depth, pc) = (thread.id.number(), thread.frames.len(), thread.position.pc);
        let Some(object) = self.allocate_dynamic(index, field::REGISTERS + 8 * count as u64, 16) else {
            return Err(self.stack_overflow(index));
        };
        let mut write =
            |offset: u64, value: u64| self.memory.write_scalar(object + offset, 8, u128::from(value));
        write(field::THREAD, number as u64);
        write(field::DEPTH, depth as u64);
        write(field::ACTIVATION, u64::from(frame.activation));
        write(field::PC, u64::from(pc));
        for (register, value) in registers.into_iter().enumerate() {
            write(field::REGISTERS + 8 * register as u64, value);
        }
        self.memory.write_scalar(buffer, 8, u128::from(object));
        self.memory.write_scalar(buffer + 8, 8, u128::from(MAGIC));
        Ok(0)
    }

    /// Goes back to the call that the `jmp_buf` remembers.
    pub(crate) fn long_jump(&mut self, index: usize, buffer: u64, value: u32) -> Flow {
        match self.try_long_jump(index, buffer, value) {
            Ok(Jumped::Yes) => Flow::Enter,
            Ok(Jumped::EndsScopesFirst) => Flow::Visible,
            Err(stop) => Flow::Stop(stop),
        }
    }

    fn try_long_jump(&mut self, index: usize, buffer: u64, value: u32) -> Result<Jumped, Stop> {
        self.check_access(index, buffer, 16, Direction::Read)?;
        self.reach(index, buffer, 16);
        let object = self.memory.read_scalar(buffer, 8) as u64;
        if self.memory.read_scalar(buffer + 8, 8) as u64 != MAGIC {
            let message = "`longjmp` with a `jmp_buf` that `setjmp` has not set".to_owned();
            return Err(self.fault(index, FaultKind::BadCall, message, Vec::new()));
        }
        let read = |machine: &Self, offset: u64| machine.memory.read_scalar(object + offset, 8) as u64;
        let depth = read(self, field::DEPTH) as usize;
        let alive = self.memory.first_inaccessible(object, field::REGISTERS).is_none()
            && read(self, field::THREAD) == self.threads[index].id.number() as u64
            && depth >= 1
            && self.threads[index]
                .frames
                .get(depth - 1)
                .is_some_and(|frame| u64::from(frame.activation) == read(self, field::ACTIVATION));
        if !alive {
            let message = "`longjmp` into a function that has returned, or of another thread".to_owned();
            return Err(self.fault(index, FaultKind::DeadStack, message, Vec::new()));
        }
        if self.shared_local_above(index, depth).is_some() {
            return Ok(Jumped::EndsScopesFirst);
        }
        self.unwind_to(index, depth);
        if self.threads[index].top().is_some_and(|frame| frame.stamp != self.memory.epoch()) {
            self.save_frame(index);
        }
        let Some(frame) = self.threads[index].top().copied() else { return Ok(Jumped::Yes) };
        let count = usize::from(self.image.code.functions[frame.function as usize].registers);
        for register in 0..count {
            let saved = read(self, field::REGISTERS + 8 * register as u64);
            self.threads[index].registers[frame.base as usize + register] = saved;
        }
        let pc = read(self, field::PC) as u32;
        if let crate::code::Op::CallSite { site } = self.image.code.ops[pc as usize]
            && let Some((register, _)) = self.image.code.sites[site as usize].results.first()
        {
            self.set(index, *register, Type::I32, u128::from(value.max(1)));
            if self.memory.tracks_initialisation() {
                self.set_register_defined(index, *register, u64::MAX);
            }
        }
        self.threads[index].position.pc = pc + 1;
        Ok(Jumped::Yes)
    }
}

/// What became of a `longjmp`.
enum Jumped {
    /// The thread is where it goes back to.
    Yes,
    /// Not yet: local objects of the frames above end before that, which others can notice.
    EndsScopesFirst,
}

/// How many frames are left after a `longjmp`, which was found to be possible.
pub(crate) fn depth_of_jump(machine: &Machine<'_>, buffer: u64) -> usize {
    let object = machine.memory.read_scalar(buffer, 8) as u64;
    machine.memory.read_scalar(object + field::DEPTH, 8) as usize
}
