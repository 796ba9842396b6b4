//! Calls and returns that are not the simplest kind, and builtins.

use crate::access::{Direction, Visibility};
use crate::address;
use crate::code::{CallSite, Source, Target, VariadicBlock};
use crate::fault::{FaultKind, Stop};
use crate::float_text::{self, Conversion, Flags};
use crate::machine::{Machine, Stream};
use crate::memory::{Poison, SHARED};
use crate::objects::ReleaseError;
use crate::thread::{Frame, ReturnTo, Status};
use selvedge_program::{Builtin, FuncId, Type};

/// How the interpreter goes on.
pub enum Flow {
    /// With the next operation.
    Next,
    /// In another frame.
    Enter,
    /// Not before somebody has decided.
    Visible,
    /// Not at all.
    Stop(Stop),
}

/// How far the stack may run ahead of its live part before addresses of dead objects are used again: a
/// pointer to a local object of a function that has returned is noticed for that long.
const STACK_QUARANTINE: u64 = 64 << 10;

/// A precision that no output needs; beyond it, formatting would exhaust memory.
const MAX_PRECISION: i32 = 100_000;

impl Machine<'_> {
    /// The value of an operand of a type.
    #[inline]
    pub(crate) fn value(&self, index: usize, source: Source, ty: Type) -> u128 {
        match source {
            Source::Constant(value) => value,
            Source::Register(reg) => {
                let thread = &self.threads[index];
                let base = thread.top().map_or(0, |frame| frame.base as usize) + usize::from(reg);
                let low = u128::from(thread.registers[base]);
                match ty.is_wide() {
                    true => low | u128::from(thread.registers[base + 1]) << 64,
                    false => low,
                }
            }
        }
    }

    /// Sets a register of the executing frame.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, reg: u16, ty: Type, value: u128) {
        let thread = &mut self.threads[index];
        let base = thread.top().map_or(0, |frame| frame.base as usize) + usize::from(reg);
        thread.registers[base] = value as u64;
        if ty.is_wide() {
            thread.registers[base + 1] = (value >> 64) as u64;
        }
    }

    /// Gives the innermost frame its local objects.
    pub(crate) fn push_stack(&mut self, index: usize, function: u32) -> Result<(), Stop> {
        let compiled = &self.image.code.functions[function as usize];
        let size = u64::from(compiled.frame_size);
        let position = &mut self.threads[index].position;
        if position.stack_next.saturating_sub(position.stack_top) > STACK_QUARANTINE {
            position.stack_next = position.stack_top;
        }
        let from = position.stack_next.max(position.stack_top);
        let base = from.next_multiple_of(u64::from(compiled.frame_align));
        // Room is left for the arguments of the program at the very end.
        if base + size + (1 << 16) > address::stack(self.threads[index].id).end {
            return Err(self.stack_overflow(index));
        }
        let position = &mut self.threads[index].position;
        position.stack_next = base + size;
        position.stack_top = base + size;
        if let Some(frame) = self.threads[index].frames.last_mut() {
            frame.stack = base;
        }
        self.memory.set_shadow(base, &compiled.shadow);
        self.memory.write_scalar(base, 4, u128::from(function));
        self.memory.set_defined(base, size, false);
        Ok(())
    }

    /// Leaves the innermost frame. `values` are its results, register by register. Returns a stop if the
    /// thread has ended.
    pub(crate) fn return_from(&mut self, index: usize, values: &[u64]) -> Option<Stop> {
        let frame = *self.threads[index].top()?;
        if frame.dynamic != 0 {
            self.release_dynamic(index, 0);
        }
        if frame.stack != 0 {
            // The header stays, so that a dead object can still be named.
            let size = u64::from(self.image.code.functions[frame.function as usize].frame_size);
            self.memory.fill_shadow(frame.stack + 8, size - 8, Poison::DeadStack as u8);
        }
        let thread = &mut self.threads[index];
        thread.frames.pop();
        thread.position.depth -= 1;
        thread.position.stack_top = frame.caller_top;
        thread.position.pc = frame.call + 1;
        let epoch = self.memory.epoch();
        if thread.frames.last().is_some_and(|caller| caller.stamp != epoch) {
            self.save_frame(index);
        }
        match frame.return_to {
            ReturnTo::Register(reg) => {
                if let Some(value) = values.first() {
                    self.set(index, reg, Type::I64, u128::from(*value));
                }
            }
            ReturnTo::Site(site) => {
                let image = self.image;
                let mut values = values.iter().copied();
                for (reg, ty) in &image.code.sites[site as usize].results {
                    let low = u128::from(values.next().unwrap_or(0));
                    let high = if ty.is_wide() { u128::from(values.next().unwrap_or(0)) } else { 0 };
                    self.set(index, *reg, *ty, low | high << 64);
                }
            }
            ReturnTo::Thread => {
                self.finish_thread(index, values.first().copied().unwrap_or(0));
                return Some(Stop::Finished);
            }
        }
        None
    }

    fn finish_thread(&mut self, index: usize, result: u64) {
        let position = &mut self.threads[index].position;
        position.result = result;
        position.status = Status::Finished;
    }

    /// A call that is not the simplest kind.
    pub(crate) fn call_site(&mut self, index: usize, number: u32) -> Flow {
        let image = self.image;
        let site = &image.code.sites[number as usize];
        let function = match site.target {
            Target::Function(id) => id,
            Target::Pointer(source) => {
                let address = self.value(index, source, Type::Ptr) as u64;
                match self.function_at(address) {
                    Some(id) => id,
                    None => return Flow::Stop(self.bad_pointer_call(index, address)),
                }
            }
        };
        let callee = image.program.function(function);
        if callee.is_external() {
            return match image.builtins.functions[function.index()] {
                Some(builtin) => self.call_builtin(index, site, function, builtin),
                None => {
                    let what = format!("the external function `{}`", callee.name);
                    let help = "define it in another file and add that file to the command line".to_owned();
                    Flow::Stop(self.unsupported(index, what, Some(help)))
                }
            };
        }
        if let Err(mismatch) = callee.signature.accepts(&site.signature, site.fixed) {
            let message = format!("`{}` is called with another type than it has: {mismatch}", callee.name);
            return Flow::Stop(self.fault(index, FaultKind::BadCall, message, Vec::new()));
        }
        match self.enter_function(index, number, site, function) {
            Ok(()) => Flow::Enter,
            Err(stop) => Flow::Stop(stop),
        }
    }

    #[cold]
    fn bad_pointer_call(&mut self, index: usize, address: u64) -> Stop {
        let message = match (address, self.object_at(address)) {
            (0, _) => "a call through a null pointer".to_owned(),
            (_, Some(object)) => {
                format!("a call through a pointer to {}, which is not a function", object.describe(self))
            }
            (_, None) => format!("a call through {address:#x}, which is not the address of a function"),
        };
        self.fault(index, FaultKind::BadCall, message, Vec::new())
    }

    fn enter_function(
        &mut self,
        index: usize,
        number: u32,
        site: &CallSite,
        function: FuncId,
    ) -> Result<(), Stop> {
        let image = self.image;
        let callee = &image.code.functions[function.index()];
        let signature = &image.program.function(function).signature;
        let args: Vec<u128> =
            site.args.iter().take(signature.params.len()).map(|(s, ty)| self.value(index, *s, *ty)).collect();
        let variadic = site.variadic.as_ref().filter(|_| signature.variadic);
        let values: Vec<(u128, u128)> = variadic
            .iter()
            .flat_map(|v| &v.args)
            .map(|(s, ty, ..)| (self.value(index, *s, *ty), self.source_defined(index, *s, *ty)))
            .collect();

        let thread = &mut self.threads[index];
        if thread.frames.len() >= self.config.max_depth as usize {
            return Err(self.stack_overflow(index));
        }
        let top = thread.top().map_or(0, |frame| {
            frame.base as usize + usize::from(image.code.functions[frame.function as usize].registers)
        });
        let need = top + usize::from(callee.registers);
        if thread.registers.len() < need {
            thread.registers.resize(need * 2, 0);
        }
        // Waiting loops are recognised by registers, too. What is left there from executions that were taken
        // back must not count.
        thread.registers[top..need].fill(0);
        let call = thread.position.pc;
        thread.frames.push(Frame {
            function: function.0,
            call,
            base: top as u32,
            return_to: ReturnTo::Site(number),
            stack: 0,
            caller_top: thread.position.stack_top,
            dynamic: 0,
            variadic: 0,
            variadic_offsets: (0, 0),
            activation: thread.position.calls.wrapping_add(1),
            stamp: self.memory.epoch(),
        });
        thread.position.depth += 1;
        thread.position.calls = thread.position.calls.wrapping_add(1);
        for ((reg, ty), value) in callee.params.iter().zip(&signature.params).zip(args) {
            self.set(index, *reg, *ty, value);
        }
        // Faults from here on are the caller's: the callee has not begun.
        if callee.frame_size != 0 {
            self.push_stack(index, function.0)?;
        }
        if let Some(variadic) = variadic {
            self.pass_variadic(index, variadic, &values)?;
        }
        self.threads[index].position.pc = callee.entry.unwrap_or_default();
        Ok(())
    }

    /// Lays the variadic arguments (values and their defined bits) out in memory of the callee's frame.
    fn pass_variadic(
        &mut self,
        index: usize,
        variadic: &VariadicBlock,
        values: &[(u128, u128)],
    ) -> Result<(), Stop> {
        let Some(block) = self.allocate_dynamic(index, u64::from(variadic.size), 16) else {
            return Err(self.stack_overflow(index));
        };
        for ((_, ty, by_value, offset), (value, defined)) in variadic.args.iter().zip(values) {
            let at = block + u64::from(*offset);
            match by_value {
                Some(size) => {
                    self.check_access(index, *value as u64, *size, Direction::Read)?;
                    self.reach(index, *value as u64, *size);
                    self.memory.copy_within(at, *value as u64, *size);
                }
                None => {
                    self.memory.write_scalar(at, ty.bytes(), *value);
                    if self.memory.tracks_initialisation() {
                        self.store_defined(at, ty.bytes(), *defined);
                    }
                }
            }
        }
        if let Some(frame) = self.threads[index].frames.last_mut() {
            frame.variadic = block;
            frame.variadic_offsets = (variadic.gp_offset, variadic.fp_offset);
        }
        Ok(())
    }

    fn call_builtin(&mut self, index: usize, site: &CallSite, function: FuncId, builtin: Builtin) -> Flow {
        let (params, result) = builtin.signature();
        let given = site.args.iter().map(|(_, ty)| *ty);
        let fits = site.args.len() == params.len()
            && given.zip(params).all(|(given, expected)| given.passes_as(*expected));
        let expected = site.results.first().map(|(_, ty)| *ty);
        let result_fits = match (expected, result) {
            (None, _) => true,
            (Some(expected), Some(result)) => result.passes_as(expected),
            (Some(_), None) => false,
        };
        if !fits || !result_fits || site.results.len() > 1 {
            let name = &self.image.program.function(function).name;
            let message = format!("`{name}` is called with another type than it has");
            return Flow::Stop(self.fault(index, FaultKind::BadCall, message, Vec::new()));
        }
        let args: Vec<u128> = site.args.iter().map(|(s, ty)| self.value(index, *s, *ty)).collect();
        if let Builtin::LongJump = builtin {
            return self.long_jump(index, args[0] as u64, args[1] as u32);
        }
        match self.builtin(index, builtin, &args) {
            Ok(BuiltinResult::Value(value)) => {
                if let Some((reg, ty)) = site.results.first() {
                    self.set(index, *reg, *ty, value);
                }
                Flow::Next
            }
            Ok(BuiltinResult::Visible) => Flow::Visible,
            Err(stop) => Flow::Stop(stop),
        }
    }

    fn builtin(&mut self, index: usize, builtin: Builtin, args: &[u128]) -> Result<BuiltinResult, Stop> {
        let word = |n: usize| args[n] as u64;
        Ok(BuiltinResult::Value(match builtin {
            Builtin::Allocate => {
                self.work += word(0) / 64;
                let start = self.allocate(index, word(0), word(1)).unwrap_or(0);
                if start != 0 && args[2] as u32 != 0 {
                    self.memory.set_defined(start, word(0), true);
                }
                u128::from(start)
            }
            Builtin::Release => {
                let object = word(0);
                // Whether the object is alive, and who accesses it, depends on other threads if they can
                // reach it.
                let visible = self.multithreaded
                    && object != 0
                    && (self.memory.shadow(object) & SHARED != 0
                        || address::owner(object) != Some(self.threads[index].id)
                        || Poison::of(self.memory.shadow(object)) == Poison::Freed);
                if visible {
                    return Ok(BuiltinResult::Visible);
                }
                self.release_checked(index, object)?;
                0
            }
            Builtin::AllocationSize => {
                self.reach(index, word(0), 1);
                match self.live_heap_object(word(0)) {
                    Ok(size) => u128::from(size),
                    Err(error) => return Err(self.release_fault(index, word(0), error)),
                }
            }
            Builtin::Write => {
                let bytes = self.local_bytes(index, word(1), word(2))?;
                let stream = if args[0] as u32 == 2 { Stream::Error } else { Stream::Out };
                self.print(stream, &bytes);
                0
            }
            Builtin::Exit => return Err(self.exit_process(index, args[0] as i32)),
            Builtin::Abort => {
                let message = "`abort` was called".to_owned();
                return Err(self.fault(index, FaultKind::Abort, message, Vec::new()));
            }
            Builtin::AssertFail => {
                let expression = self.text(word(0));
                let message = format!("assertion `{expression}` failed");
                return Err(self.fault(index, FaultKind::Assertion, message, Vec::new()));
            }
            Builtin::ReachError => {
                let message = "a place is reached that the program declares to be an error".to_owned();
                return Err(self.fault(index, FaultKind::Assertion, message, Vec::new()));
            }
            Builtin::Unsupported => {
                let what = self.text(word(0));
                return Err(self.unsupported(index, what, None));
            }
            Builtin::FormatDouble => {
                let (flags, precision) = (args[4] as u32, args[5] as i32);
                let conversion = Conversion::from_letter(args[3] as u8);
                let Some(conversion) = conversion.filter(|_| precision <= MAX_PRECISION) else {
                    let what = format!("a floating-point conversion with precision {precision}");
                    return Err(self.unsupported(index, what, None));
                };
                let flags = Flags { plus: flags & 1 != 0, space: flags & 2 != 0, alternate: flags & 4 != 0 };
                let precision = usize::try_from(precision).ok();
                let value = f64::from_bits(word(2));
                let text = float_text::format_double(value, conversion, flags, precision);
                let fits = text.len().min(word(1) as usize);
                self.check_access(index, word(0), fits as u64, Direction::Write)?;
                self.reach(index, word(0), fits as u64);
                self.memory.write_bytes(word(0), &text.as_bytes()[..fits]);
                text.len() as u128
            }
            Builtin::ParseDouble => {
                let text = self.local_bytes(index, word(0), word(1))?;
                u128::from(float_text::parse_double(&text).unwrap_or(0.0).to_bits())
            }
            Builtin::ParseFloat => {
                let text = self.local_bytes(index, word(0), word(1))?;
                u128::from(float_text::parse_float(&text).unwrap_or(0.0).to_bits())
            }
            Builtin::Spawn | Builtin::SpawnWith | Builtin::Join => return Ok(BuiltinResult::Visible),
            Builtin::Choose | Builtin::Nondet | Builtin::WaitForOthers => return Ok(BuiltinResult::Visible),
            Builtin::Assume => match args[0] as u32 {
                0 => return Ok(BuiltinResult::Visible),
                _ => 0,
            },
            Builtin::AtomicBegin => {
                self.threads[index].position.atomic_depth += 1;
                0
            }
            Builtin::AtomicEnd => {
                let position = &mut self.threads[index].position;
                position.atomic_depth = position.atomic_depth.saturating_sub(1);
                position.atomic_begun &= position.atomic_depth > 0;
                0
            }
            Builtin::Sync(op) => {
                let (object, argument) = (word(0), args.get(1).map_or(0, |value| *value as u64));
                if self.multithreaded || !self.sync_enabled(index, op, object, argument) {
                    return Ok(BuiltinResult::Visible);
                }
                // Nobody else exists yet: there is nothing to see.
                u128::from(self.sync_perform(index, op, object, argument, 0)?)
            }
            Builtin::Yield => {
                return Ok(if self.multithreaded { BuiltinResult::Visible } else { BuiltinResult::Value(0) });
            }
            Builtin::JoinError => u128::from(self.join_error(index, word(0))),
            Builtin::Detach => {
                self.detach(index, word(0))?;
                0
            }
            Builtin::Self_ => u128::from(self.threads[index].id.handle()),
            Builtin::ThreadExit => {
                if self.shared_local_above(index, 0).is_some() {
                    return Ok(BuiltinResult::Visible);
                }
                self.unwind_to(index, 0);
                self.finish_thread(index, word(0));
                return Err(Stop::Finished);
            }
            Builtin::SetJump | Builtin::SignalSetJump => u128::from(self.set_jump(index, word(0))?),
            // Dealt with by the caller: it leaves the frame.
            Builtin::LongJump => 0,
            Builtin::Math(function) => {
                let (value, error) = self.image.builtins.call_math(function, args);
                if error != 0 {
                    self.set_errno(index, error);
                }
                value
            }
        }))
    }

    /// Sets the thread's `errno`, if the program has one.
    fn set_errno(&mut self, index: usize, error: i32) {
        if let Some(global) = self.image.errno {
            let offset = u64::from(self.image.code.thread_local_offsets[global.index()]);
            let address = self.threads[index].thread_locals() + offset;
            self.reach(index, address, 4);
            self.memory.write_scalar(address, 4, u128::from(error as u32));
        }
    }

    /// Takes frames off a thread's stack until only `depth` are left.
    pub(crate) fn unwind_to(&mut self, index: usize, depth: usize) {
        while self.threads[index].frames.len() > depth
            && let Some(frame) = self.threads[index].top().copied()
        {
            if frame.stamp != self.memory.epoch() {
                self.save_frame(index);
            }
            self.release_dynamic(index, 0);
            if frame.stack != 0 {
                let size = u64::from(self.image.code.functions[frame.function as usize].frame_size);
                self.memory.fill_shadow(frame.stack + 8, size - 8, Poison::DeadStack as u8);
            }
            let thread = &mut self.threads[index];
            thread.frames.pop();
            thread.position.depth -= 1;
            thread.position.stack_top = frame.caller_top;
        }
    }

    /// Ends the process.
    fn exit_process(&mut self, index: usize, status: i32) -> Stop {
        if self.config.leaks
            && !self.allows(FaultKind::Leak)
            && self.exit.is_none()
            && let Some(stop) = self.leak_fault(index)
        {
            return stop;
        }
        self.exit.get_or_insert(status);
        let position = &mut self.threads[index].position;
        position.status = Status::Finished;
        Stop::Exited
    }

    fn leak_fault(&mut self, index: usize) -> Option<Stop> {
        let leaked = self.leaked_objects();
        let first = leaked.first()?;
        let total: u64 = leaked.iter().map(|object| object.size).sum();
        let message = match leaked.len() {
            1 => format!("{} is never freed and nothing refers to it any more", first.describe(self)),
            n => format!("{n} heap objects ({total} bytes) are never freed and nothing refers to them"),
        };
        let notes: Vec<_> = leaked.iter().take(10).flat_map(|object| object.notes(self)).collect();
        let span = notes.first().map(|note| note.span);
        let mut stop = self.fault(index, FaultKind::Leak, message, notes);
        if let (Stop::Fault(fault), Some(span)) = (&mut stop, span) {
            fault.span = span;
        }
        Some(stop)
    }

    /// Frees an object, or says why that is wrong.
    pub(crate) fn release_checked(&mut self, index: usize, object: u64) -> Result<(), Stop> {
        if object == 0 {
            return Ok(());
        }
        self.release(index, object).map_err(|error| self.release_fault(index, object, error))
    }

    fn release_fault(&mut self, index: usize, address: u64, error: ReleaseError) -> Stop {
        let notes = self.heap_notes(address);
        let (kind, message) = match (error, self.object_at(address)) {
            (ReleaseError::Twice, Some(object)) => {
                (FaultKind::DoubleFree, format!("{} is freed a second time", object.describe(self)))
            }
            (_, Some(object)) => {
                let place = object.place(self, address, 0);
                (
                    FaultKind::InvalidFree,
                    format!("`free` of an address {place}, which `malloc` did not return"),
                )
            }
            (_, None) => {
                (FaultKind::InvalidFree, format!("`free` of {address:#x}, where there is no object"))
            }
        };
        self.fault(index, kind, message, notes)
    }

    /// Bytes that a model hands to a builtin.
    fn local_bytes(&mut self, index: usize, address: u64, size: u64) -> Result<Vec<u8>, Stop> {
        self.check_access(index, address, size, Direction::Read)?;
        self.reach(index, address, size);
        debug_assert!(matches!(
            self.classify(index, address, size, Direction::Read),
            Ok(Visibility::Private)
        ));
        if (0..size).any(|offset| !self.memory.is_defined(address + offset)) {
            let message = "what is printed depends on a value that was never set".to_owned();
            return Err(self.fault(index, FaultKind::Uninitialised, message, Vec::new()));
        }
        let mut bytes = vec![0; size as usize];
        self.memory.read_bytes(address, &mut bytes);
        Ok(bytes)
    }

    /// A zero-terminated text, as far as it can be read.
    fn text(&self, address: u64) -> String {
        let mut bytes = Vec::new();
        while bytes.len() < 4096 && self.memory.first_inaccessible(address + bytes.len() as u64, 1).is_none()
        {
            match self.memory.read_scalar(address + bytes.len() as u64, 1) as u8 {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// What a builtin gives.
enum BuiltinResult {
    Value(u128),
    Visible,
}
