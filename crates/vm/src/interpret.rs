//! The interpreter: runs the invisible code of a thread at full speed.
//!
//! The loop keeps the program counter and a pointer to the frame's registers in locals and trusts the code
//! (checked once by [`Code::check`](crate::code::Code::check)). An access to private memory is done on the
//! spot if one look at the shadow allows it; everything unusual (another thread's object, a partial granule
//! boundary, poison, tracking of initialisation) leaves through a cold function of `access.rs`.

use crate::access::Slow;
use crate::address;
use crate::call::Flow;
use crate::code::{Op, Pc};
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use crate::memory::{READ_ONLY, SHARED};
use crate::thread::{Frame, ReturnTo, Status};
use selvedge_program::scalar::DivisionError;
use selvedge_trace::ThreadId;

/// Which addresses and shadow bytes the fast path may handle.
#[derive(Clone, Copy)]
struct FastPath {
    /// First address.
    start: u64,
    /// Number of addresses.
    length: u64,
    /// Shadow bits that must not be set for a load.
    load_mask: u8,
    /// Shadow bits that must not be set for a store.
    store_mask: u8,
}

impl Machine<'_> {
    /// Runs a thread until it needs somebody's decision.
    pub fn run(&mut self, id: ThreadId) -> Stop {
        let index = self.index(id);
        match self.threads[index].position.status {
            Status::Running => {}
            Status::Pending => return Stop::Visible,
            Status::Finished | Status::Stopped => return Stop::Finished,
        }
        self.save(index);
        match self.memory.tracks_initialisation() {
            true => self.execute::<true>(index),
            false => self.execute::<false>(index),
        }
    }

    fn fast_path(&self, index: usize) -> FastPath {
        let count = crate::memory::COUNT;
        if self.memory.tracks_initialisation() {
            return FastPath { start: 0, length: 0, load_mask: 0xff, store_mask: 0xff };
        }
        if !self.multithreaded {
            // Nothing can be seen by anybody else.
            let (load_mask, store_mask) = (count, count | READ_ONLY);
            return FastPath { start: 0, length: address::LIMIT, load_mask, store_mask };
        }
        let region = address::region(self.threads[index].id);
        // Stores that are logged are not fast: with this mask no byte looks accessible.
        let store_mask = if self.logs_private() { 0 } else { count | SHARED | READ_ONLY };
        FastPath {
            start: region.start,
            length: region.end - region.start,
            load_mask: count | SHARED,
            store_mask,
        }
    }

    #[allow(clippy::too_many_lines, reason = "one arm per operation")]
    fn execute<const TRACK: bool>(&mut self, index: usize) -> Stop {
        let image = self.image;
        let code = &image.code;
        let ops: *const Op = code.ops.as_ptr();
        let fast = self.fast_path(index);
        let mut fuel = self.config.fuel;
        let mut pc: Pc;
        let mut regs: *mut u64;
        let mut top: usize;

        // Takes up the innermost frame.
        macro_rules! enter {
            () => {{
                let thread = &mut self.threads[index];
                pc = thread.position.pc;
                let Some(frame) = thread.frames.last() else { return Stop::Finished };
                let base = frame.base as usize;
                top = base + usize::from(code.functions[frame.function as usize].registers);
                debug_assert!(top <= thread.registers.len());
                // SAFETY: frames are only pushed after the register stack has been made large enough.
                regs = unsafe { thread.registers.as_mut_ptr().add(base) };
            }};
        }
        macro_rules! r {
            ($reg:expr) => {
                // SAFETY: `Code::check` saw that every register number is below the frame's size.
                *unsafe { &mut *regs.add($reg as usize) }
            };
        }
        macro_rules! park {
            ($status:expr) => {{
                let position = &mut self.threads[index].position;
                position.pc = pc;
                position.status = $status;
            }};
        }
        // Leaves the innermost frame with these results.
        macro_rules! give_back {
            ($values:expr) => {{
                if self.shared_local_of_frame(index).is_some() {
                    park!(Status::Pending);
                    return Stop::Visible;
                }
                match self.return_from(index, $values) {
                    Some(stop) => return stop,
                    None => enter!(),
                }
            }};
        }
        macro_rules! stop {
            ($stop:expr) => {{
                self.threads[index].position.pc = pc;
                return $stop;
            }};
        }
        macro_rules! binary {
            ($d:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $value:expr) => {{
                let ($x, $y) = (r!($a), r!($b));
                r!($d) = $value;
                pc += 1;
            }};
        }
        macro_rules! unary {
            ($d:expr, $a:expr, |$x:ident| $value:expr) => {{
                let $x = r!($a);
                r!($d) = $value;
                pc += 1;
            }};
        }
        macro_rules! float {
            ($float:ty, $bits:ty, $d:expr, $a:expr, $b:expr, $op:tt) => {{
                let x = <$float>::from_bits(r!($a) as $bits);
                let y = <$float>::from_bits(r!($b) as $bits);
                r!($d) = u64::from((x $op y).to_bits());
                pc += 1;
            }};
        }
        // Takes fuel for a block that begins: every loop begins one, of jumps, of calls or of `longjmp`.
        macro_rules! begin_block {
            () => {{
                fuel -= 1;
                if fuel == 0 {
                    park!(Status::Running);
                    return Stop::OutOfFuel;
                }
            }};
        }
        macro_rules! branch {
            ($condition:expr, $t:expr, $f:expr) => {{
                pc = if $condition { $t } else { $f };
                begin_block!();
            }};
        }
        // Takes fuel for operations whose cost depends on a size.
        macro_rules! charge {
            () => {
                if self.work != 0 {
                    fuel = fuel.saturating_sub(std::mem::take(&mut self.work)).max(1);
                }
            };
        }
        macro_rules! divide {
            ($ty:ty, $d:expr, $a:expr, $b:expr, $method:ident) => {{
                let (x, y) = (r!($a) as $ty, r!($b) as $ty);
                match x.$method(y) {
                    #[allow(clippy::cast_lossless, reason = "one macro for all widths")]
                    Some(value) => r!($d) = value as u64,
                    None => {
                        self.threads[index].position.pc = pc;
                        let error = if y == 0 { DivisionError::ByZero } else { DivisionError::Overflow };
                        return self.division_fault(index, error);
                    }
                }
                pc += 1;
            }};
        }
        // Whether the fast path may access `size` bytes there.
        macro_rules! private {
            ($address:expr, $size:expr, $mask:expr) => {
                $address.wrapping_sub(fast.start) < fast.length && {
                    // SAFETY: the fast path's range lies below LIMIT.
                    let shadow = unsafe { self.memory.shadow_unchecked($address) } & $mask;
                    shadow <= 8 && ($address & 7) + $size <= u64::from(shadow)
                }
            };
        }
        macro_rules! load {
            ($ty:ty, $d:expr, $address:expr) => {{
                const SIZE: u64 = size_of::<$ty>() as u64;
                let address: u64 = $address;
                if private!(address, SIZE, fast.load_mask) {
                    // SAFETY: accessible and below LIMIT; within one granule.
                    r!($d) = u64::from(unsafe { self.memory.read_private::<$ty>(address) });
                    pc += 1;
                } else {
                    self.threads[index].position.pc = pc;
                    match self.slow_load(index, address, SIZE as u32) {
                        Slow::Done(value) => {
                            r!($d) = value;
                            pc += 1;
                        }
                        Slow::Visible => {
                            park!(Status::Pending);
                            return Stop::Visible;
                        }
                        Slow::Stop(stop) => return stop,
                    }
                }
            }};
        }
        macro_rules! store {
            ($ty:ty, $s:expr, $address:expr) => {{
                const SIZE: u64 = size_of::<$ty>() as u64;
                let address: u64 = $address;
                let value = r!($s);
                if private!(address, SIZE, fast.store_mask) {
                    // SAFETY: accessible and below LIMIT; within one granule.
                    unsafe { self.memory.write_private::<$ty>(address, value as $ty) };
                    pc += 1;
                } else {
                    self.threads[index].position.pc = pc;
                    match self.slow_store(index, address, SIZE as u32, value, $s) {
                        Slow::Done(_) => pc += 1,
                        Slow::Visible => {
                            park!(Status::Pending);
                            return Stop::Visible;
                        }
                        Slow::Stop(stop) => return stop,
                    }
                }
            }};
        }
        macro_rules! at {
            ($base:expr, $offset:expr) => {
                r!($base).wrapping_add($offset as i64 as u64)
            };
            ($base:expr, $offset:expr, $index:expr, $scale:expr) => {
                r!($base)
                    .wrapping_add(r!($index).wrapping_mul(u64::from($scale)))
                    .wrapping_add($offset as i64 as u64)
            };
        }

        enter!();
        loop {
            if TRACK {
                self.threads[index].position.pc = pc;
                if let Err(stop) = self.track(index, top) {
                    return stop;
                }
            }
            // SAFETY: `Code::check` saw that control never leaves the code of the function.
            match *unsafe { &*ops.add(pc as usize) } {
                Op::Const { d, value } => {
                    r!(d) = value;
                    pc += 1;
                }
                Op::Move { d, a } => unary!(d, a, |x| x),
                Op::Select { d, c, a, b } => {
                    let (x, y) = (r!(a), r!(b));
                    r!(d) = if r!(c) & 1 != 0 { x } else { y };
                    pc += 1;
                }
                Op::Add64 { d, a, b } => binary!(d, a, b, |x, y| x.wrapping_add(y)),
                Op::Add32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as u32).wrapping_add(y as u32)))
                }
                Op::AddImm64 { d, a, b } => unary!(d, a, |x| x.wrapping_add(b)),
                Op::AddImm32 { d, a, b } => unary!(d, a, |x| u64::from((x as u32).wrapping_add(b))),
                Op::Sub64 { d, a, b } => binary!(d, a, b, |x, y| x.wrapping_sub(y)),
                Op::Sub32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as u32).wrapping_sub(y as u32)))
                }
                Op::SubFromImm64 { d, a, b } => unary!(d, b, |y| a.wrapping_sub(y)),
                Op::Mul64 { d, a, b } => binary!(d, a, b, |x, y| x.wrapping_mul(y)),
                Op::Mul32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as u32).wrapping_mul(y as u32)))
                }
                Op::MulImm64 { d, a, b } => unary!(d, a, |x| x.wrapping_mul(b)),
                Op::MulImm32 { d, a, b } => unary!(d, a, |x| u64::from((x as u32).wrapping_mul(b))),
                Op::And { d, a, b } => binary!(d, a, b, |x, y| x & y),
                Op::Or { d, a, b } => binary!(d, a, b, |x, y| x | y),
                Op::Xor { d, a, b } => binary!(d, a, b, |x, y| x ^ y),
                Op::AndImm { d, a, b } => unary!(d, a, |x| x & b),
                Op::OrImm { d, a, b } => unary!(d, a, |x| x | b),
                Op::XorImm { d, a, b } => unary!(d, a, |x| x ^ b),
                Op::Shl64 { d, a, b } => binary!(d, a, b, |x, y| x.wrapping_shl(y as u32)),
                Op::Shl32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as u32).wrapping_shl(y as u32)))
                }
                Op::LShr64 { d, a, b } => binary!(d, a, b, |x, y| x.wrapping_shr(y as u32)),
                Op::LShr32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as u32).wrapping_shr(y as u32)))
                }
                Op::AShr64 { d, a, b } => binary!(d, a, b, |x, y| (x as i64).wrapping_shr(y as u32) as u64),
                Op::AShr32 { d, a, b } => {
                    binary!(d, a, b, |x, y| u64::from((x as i32).wrapping_shr(y as u32) as u32))
                }
                Op::ShlImm64 { d, a, b } => unary!(d, a, |x| x << (b & 63)),
                Op::ShlImm32 { d, a, b } => unary!(d, a, |x| u64::from((x as u32) << (b & 31))),
                Op::LShrImm { d, a, b } => unary!(d, a, |x| x >> (b & 63)),
                Op::AShrImm64 { d, a, b } => unary!(d, a, |x| ((x as i64) >> (b & 63)) as u64),
                Op::AShrImm32 { d, a, b } => unary!(d, a, |x| u64::from(((x as i32) >> (b & 31)) as u32)),
                Op::Extend32 { d, a } => unary!(d, a, |x| x as i32 as i64 as u64),
                Op::Extend { shift, d, a, mask } => {
                    unary!(d, a, |x| (((x << (shift & 63)) as i64) >> (shift & 63)) as u64 & mask)
                }
                Op::UDiv32 { d, a, b } => divide!(u32, d, a, b, checked_div),
                Op::UDiv64 { d, a, b } => divide!(u64, d, a, b, checked_div),
                Op::SDiv32 { d, a, b } => {
                    divide!(i32, d, a, b, checked_div);
                    r!(d) &= 0xffff_ffff;
                }
                Op::SDiv64 { d, a, b } => divide!(i64, d, a, b, checked_div),
                Op::URem32 { d, a, b } => divide!(u32, d, a, b, checked_rem),
                Op::URem64 { d, a, b } => divide!(u64, d, a, b, checked_rem),
                Op::SRem32 { d, a, b } => {
                    divide!(i32, d, a, b, checked_rem);
                    r!(d) &= 0xffff_ffff;
                }
                Op::SRem64 { d, a, b } => divide!(i64, d, a, b, checked_rem),
                Op::SetEq { d, a, b } => binary!(d, a, b, |x, y| u64::from(x == y)),
                Op::SetNe { d, a, b } => binary!(d, a, b, |x, y| u64::from(x != y)),
                Op::SetULt { d, a, b } => binary!(d, a, b, |x, y| u64::from(x < y)),
                Op::SetULe { d, a, b } => binary!(d, a, b, |x, y| u64::from(x <= y)),
                Op::SetSLt32 { d, a, b } => binary!(d, a, b, |x, y| u64::from((x as i32) < (y as i32))),
                Op::SetSLe32 { d, a, b } => binary!(d, a, b, |x, y| u64::from((x as i32) <= (y as i32))),
                Op::SetSLt64 { d, a, b } => binary!(d, a, b, |x, y| u64::from((x as i64) < (y as i64))),
                Op::SetSLe64 { d, a, b } => binary!(d, a, b, |x, y| u64::from((x as i64) <= (y as i64))),
                Op::SetEqImm { d, a, b } => unary!(d, a, |x| u64::from(x == b)),
                Op::SetNeImm { d, a, b } => unary!(d, a, |x| u64::from(x != b)),
                Op::AddF64 { d, a, b } => float!(f64, u64, d, a, b, +),
                Op::SubF64 { d, a, b } => float!(f64, u64, d, a, b, -),
                Op::MulF64 { d, a, b } => float!(f64, u64, d, a, b, *),
                Op::DivF64 { d, a, b } => float!(f64, u64, d, a, b, /),
                Op::AddF32 { d, a, b } => float!(f32, u32, d, a, b, +),
                Op::SubF32 { d, a, b } => float!(f32, u32, d, a, b, -),
                Op::MulF32 { d, a, b } => float!(f32, u32, d, a, b, *),
                Op::DivF32 { d, a, b } => float!(f32, u32, d, a, b, /),
                Op::Jump { t } => branch!(true, t, t),
                Op::Branch { a, t, f } => branch!(r!(a) & 1 != 0, t, f),
                Op::BranchEq { a, b, t, f } => branch!(r!(a) == r!(b), t, f),
                Op::BranchULt { a, b, t, f } => branch!(r!(a) < r!(b), t, f),
                Op::BranchULe { a, b, t, f } => branch!(r!(a) <= r!(b), t, f),
                Op::BranchSLt32 { a, b, t, f } => branch!((r!(a) as i32) < (r!(b) as i32), t, f),
                Op::BranchSLe32 { a, b, t, f } => branch!((r!(a) as i32) <= (r!(b) as i32), t, f),
                Op::BranchSLt64 { a, b, t, f } => branch!((r!(a) as i64) < (r!(b) as i64), t, f),
                Op::BranchSLe64 { a, b, t, f } => branch!((r!(a) as i64) <= (r!(b) as i64), t, f),
                Op::BranchEqImm { a, b, t, f } => branch!(r!(a) == b as u64, t, f),
                Op::BranchULtImm { a, b, t, f } => branch!(r!(a) < b as u64, t, f),
                Op::BranchUGtImm { a, b, t, f } => branch!(r!(a) > b as u64, t, f),
                Op::BranchSLtImm32 { a, b, t, f } => branch!((r!(a) as i32) < b, t, f),
                Op::BranchSGtImm32 { a, b, t, f } => branch!((r!(a) as i32) > b, t, f),
                Op::BranchSLtImm64 { a, b, t, f } => branch!((r!(a) as i64) < i64::from(b), t, f),
                Op::BranchSGtImm64 { a, b, t, f } => branch!((r!(a) as i64) > i64::from(b), t, f),
                Op::Switch { a, table } => {
                    let target = code.switches[table as usize].target(r!(a));
                    branch!(true, target, target);
                }
                Op::Call { args, d, function, pool } => {
                    let callee = &code.functions[function as usize];
                    let need = top + usize::from(callee.registers);
                    if need > self.threads[index].registers.len() {
                        let thread = &mut self.threads[index];
                        let base = top
                            - usize::from(
                                code.functions[thread.frames[thread.frames.len() - 1].function as usize]
                                    .registers,
                            );
                        thread.registers.resize(need * 2, 0);
                        // SAFETY: the stack has just been made larger, not smaller.
                        regs = unsafe { thread.registers.as_mut_ptr().add(base) };
                    }
                    // SAFETY: `Code::check` saw that the caller's registers are in range and that the
                    // callee's parameters are its first registers; the stack is large enough for both.
                    unsafe {
                        let source = code.pool.as_ptr().add(pool as usize);
                        let target = self.threads[index].registers.as_mut_ptr().add(top);
                        for n in 0..usize::from(args) {
                            *target.add(n) = *regs.add(usize::from(*source.add(n)));
                        }
                        // Waiting loops are recognised by registers, too. What is left there from executions that
                        // were taken back must not count.
                        target
                            .add(usize::from(args))
                            .write_bytes(0, usize::from(callee.registers) - usize::from(args));
                        regs = target;
                    }
                    let thread = &mut self.threads[index];
                    let frame = Frame {
                        function,
                        call: pc,
                        base: top as u32,
                        return_to: ReturnTo::Register(d),
                        stack: 0,
                        caller_top: thread.position.stack_top,
                        dynamic: 0,
                        variadic: 0,
                        variadic_offsets: (0, 0),
                        activation: thread.position.calls.wrapping_add(1),
                        stamp: self.memory.epoch(),
                    };
                    if thread.frames.len() >= self.config.max_depth as usize {
                        stop!(self.stack_overflow(index));
                    }
                    thread.frames.push(frame);
                    thread.position.depth += 1;
                    thread.position.calls = frame.activation;
                    if callee.frame_size != 0
                        && let Err(stop) = self.push_stack(index, function)
                    {
                        return stop;
                    }
                    top = need;
                    // A callee of `Op::Call` has code: `Code::check`.
                    pc = callee.entry.unwrap_or_default();
                    begin_block!();
                }
                Op::CallSite { site } => {
                    self.threads[index].position.pc = pc;
                    match self.call_site(index, site) {
                        Flow::Next => {
                            pc += 1;
                            charge!();
                        }
                        Flow::Enter => {
                            enter!();
                            begin_block!();
                        }
                        Flow::Visible => {
                            park!(Status::Pending);
                            return Stop::Visible;
                        }
                        Flow::Stop(stop) => return stop,
                    }
                }
                Op::Return1 { a } => {
                    let value = r!(a);
                    let thread = &mut self.threads[index];
                    let Some(frame) = thread.frames.last().copied() else { return Stop::Finished };
                    // The common way back: no memory to give up, the caller saved already.
                    let depth = thread.frames.len();
                    if let ReturnTo::Register(d) = frame.return_to
                        && frame.stack == 0
                        && frame.dynamic | frame.variadic == 0
                        && depth >= 2
                        && thread.frames[depth - 2].stamp == self.memory.epoch()
                    {
                        thread.frames.pop();
                        thread.position.depth -= 1;
                        let caller = &thread.frames[depth - 2];
                        top = frame.base as usize;
                        // SAFETY: the caller's registers lie below the callee's.
                        regs = unsafe { thread.registers.as_mut_ptr().add(caller.base as usize) };
                        r!(d) = value;
                        pc = frame.call + 1;
                    } else {
                        give_back!(&[value]);
                    }
                }
                Op::Return0 => give_back!(&[]),
                Op::Return { pool, count } => {
                    let list = &code.pool[pool as usize..(pool + count) as usize];
                    let values: Vec<u64> = list.iter().map(|reg| r!(*reg)).collect();
                    give_back!(&values);
                }
                Op::Offset { d, a, index: i, scale, offset } => {
                    let address = r!(a)
                        .wrapping_add(r!(i).wrapping_mul(u64::from(scale)))
                        .wrapping_add(offset as i64 as u64);
                    r!(d) = address;
                    pc += 1;
                }
                Op::SlotAddress { d, offset } => {
                    let frames = &self.threads[index].frames;
                    r!(d) = frames[frames.len() - 1].stack + u64::from(offset);
                    pc += 1;
                }
                Op::ThreadLocalAddress { d, offset } => {
                    r!(d) = self.threads[index].thread_locals() + u64::from(offset);
                    pc += 1;
                }
                Op::Load8 { d, base, offset, .. } => load!(u8, d, at!(base, offset)),
                Op::Load16 { d, base, offset, .. } => load!(u16, d, at!(base, offset)),
                Op::Load32 { d, base, offset, .. } => load!(u32, d, at!(base, offset)),
                Op::Load64 { d, base, offset, .. } => load!(u64, d, at!(base, offset)),
                Op::LoadIndexed8 { scale, d, base, index: i, offset, .. } => {
                    load!(u8, d, at!(base, offset, i, scale));
                }
                Op::LoadIndexed16 { scale, d, base, index: i, offset, .. } => {
                    load!(u16, d, at!(base, offset, i, scale));
                }
                Op::LoadIndexed32 { scale, d, base, index: i, offset, .. } => {
                    load!(u32, d, at!(base, offset, i, scale));
                }
                Op::LoadIndexed64 { scale, d, base, index: i, offset, .. } => {
                    load!(u64, d, at!(base, offset, i, scale));
                }
                Op::Store8 { s, base, offset, .. } => store!(u8, s, at!(base, offset)),
                Op::Store16 { s, base, offset, .. } => store!(u16, s, at!(base, offset)),
                Op::Store32 { s, base, offset, .. } => store!(u32, s, at!(base, offset)),
                Op::Store64 { s, base, offset, .. } => store!(u64, s, at!(base, offset)),
                Op::StoreIndexed8 { scale, s, base, index: i, offset, .. } => {
                    store!(u8, s, at!(base, offset, i, scale));
                }
                Op::StoreIndexed16 { scale, s, base, index: i, offset, .. } => {
                    store!(u16, s, at!(base, offset, i, scale));
                }
                Op::StoreIndexed32 { scale, s, base, index: i, offset, .. } => {
                    store!(u32, s, at!(base, offset, i, scale));
                }
                Op::StoreIndexed64 { scale, s, base, index: i, offset, .. } => {
                    store!(u64, s, at!(base, offset, i, scale));
                }
                Op::Generic { index: number } => {
                    self.threads[index].position.pc = pc;
                    match self.generic(index, number) {
                        Flow::Next | Flow::Enter => {
                            pc += 1;
                            charge!();
                        }
                        Flow::Visible => {
                            park!(Status::Pending);
                            return Stop::Visible;
                        }
                        Flow::Stop(stop) => return stop,
                    }
                }
                Op::End { index: number } => {
                    self.threads[index].position.pc = pc;
                    return self.end(index, number);
                }
            }
        }
    }

    #[cold]
    pub(crate) fn division_fault(&mut self, index: usize, error: DivisionError) -> Stop {
        let message = match error {
            DivisionError::ByZero => "division by zero",
            DivisionError::Overflow => "the smallest integer is divided by -1, which overflows",
        };
        self.fault(index, FaultKind::DivisionByZero, message.to_owned(), Vec::new())
    }

    #[cold]
    pub(crate) fn stack_overflow(&mut self, index: usize) -> Stop {
        let depth = self.threads[index].frames.len();
        let message = format!("stack overflow: {depth} calls are under way");
        self.fault(index, FaultKind::StackOverflow, message, Vec::new())
    }
}
