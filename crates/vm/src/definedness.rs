//! Uninitialised values, bit by bit (opt-in).
//!
//! As in Valgrind's memcheck, reading or copying memory that was never written is no error: the *value* is
//! undefined, and stays so through moves and arithmetic, until it decides something: a branch, an address,
//! a divisor, an argument of a builtin (what is printed, the exit status). Each register has a mask of
//! defined bits; each byte of memory has one bit. Bitwise operations and shifts are exact, sums and
//! products are undefined from the lowest undefined bit upwards, everything else is defined if all its
//! operands are.
//!
//! A byte of which only some bits are defined (a bit-field next to one that was never set) is stored as
//! defined: no false alarm, but such a bit can be missed. Memory that several threads can see is taken as
//! it is when the access is performed.
//!
//! This runs before each operation, only if asked for; the interpreter's fast path is off then.

use crate::code::{CallSite, Generic, Op, Reg, Source, Target};
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use crate::thread::ReturnTo;
use selvedge_program::{Type, scalar};

const ALL: u64 = u64::MAX;

/// Everything below the lowest undefined bit.
fn below(defined: u64) -> u64 {
    let undefined = !defined;
    match undefined {
        0 => ALL,
        _ => (undefined & undefined.wrapping_neg()) - 1,
    }
}

fn all_or_none(defined: u64) -> u64 {
    if defined == ALL { ALL } else { 0 }
}

impl Machine<'_> {
    fn base(&self, index: usize) -> usize {
        self.threads[index].top().map_or(0, |frame| frame.base as usize)
    }

    fn defined(&self, index: usize, reg: Reg) -> u64 {
        self.threads[index].defined.get(self.base(index) + usize::from(reg)).copied().unwrap_or(ALL)
    }

    /// Says which bits of a register of the executing frame are defined.
    pub(crate) fn set_register_defined(&mut self, index: usize, reg: Reg, mask: u64) {
        let at = self.base(index) + usize::from(reg);
        self.set_defined_at(index, at, mask);
    }

    fn set_defined_at(&mut self, index: usize, at: usize, mask: u64) {
        let defined = &mut self.threads[index].defined;
        if defined.len() <= at {
            defined.resize(at + 64, ALL);
        }
        defined[at] = mask;
    }

    /// The defined bits of an operand.
    pub(crate) fn source_defined(&self, index: usize, source: Source, ty: Type) -> u128 {
        match source {
            Source::Constant(_) => u128::MAX,
            Source::Register(reg) => {
                let low = u128::from(self.defined(index, reg));
                let high = if ty.is_wide() { self.defined(index, reg + 1) } else { ALL };
                low | u128::from(high) << 64
            }
        }
    }

    /// The defined bits of what a load gives.
    pub(crate) fn memory_defined(&self, address: u64, size: u32) -> u128 {
        (0..size.min(16)).fold(u128::MAX, |mask, byte| {
            match self.memory.is_defined(address.wrapping_add(u64::from(byte))) {
                true => mask,
                false => mask & !(0xff << (8 * byte)),
            }
        })
    }

    /// Marks stored bytes as defined or not.
    pub(crate) fn store_defined(&mut self, address: u64, size: u32, mask: u128) {
        for byte in 0..size.min(16) {
            let state = (mask >> (8 * byte)) as u8 != 0;
            self.memory.set_defined(address + u64::from(byte), 1, state);
        }
    }

    /// The defined bits of what the pending store of a thread stores.
    pub(crate) fn pending_store_defined(&self, index: usize) -> u128 {
        use Op::*;
        let code = &self.image.code;
        match code.ops[self.threads[index].position.pc as usize] {
            Store8 { s, .. }
            | Store16 { s, .. }
            | Store32 { s, .. }
            | Store64 { s, .. }
            | StoreIndexed8 { s, .. }
            | StoreIndexed16 { s, .. }
            | StoreIndexed32 { s, .. }
            | StoreIndexed64 { s, .. } => self.source_defined(index, Source::Register(s), Type::I64),
            Generic { index: number } => match code.generic[number as usize] {
                crate::code::Generic::Store { ty, value, .. } => self.source_defined(index, value, ty),
                _ => u128::MAX,
            },
            _ => u128::MAX,
        }
    }

    fn undefined(&mut self, index: usize, what: &str) -> Stop {
        let message = format!("{what} depends on a value that was never set");
        self.fault(index, FaultKind::Uninitialised, message, Vec::new())
    }

    fn require(&mut self, index: usize, registers: &[Reg], what: &str) -> Result<(), Stop> {
        match registers.iter().all(|reg| self.defined(index, *reg) == ALL) {
            true => Ok(()),
            false => Err(self.undefined(index, what)),
        }
    }

    /// Notes the effect of the operation at `pc` on definedness, or says that it uses an undefined value.
    /// `top` is the end of the executing frame's registers.
    pub(crate) fn track(&mut self, index: usize, top: usize) -> Result<(), Stop> {
        use Op::*;
        let image = self.image;
        let code = &image.code;
        let pc = self.threads[index].position.pc;
        let m = |this: &Self, reg: Reg| this.defined(index, reg);
        let v = |this: &Self, reg: Reg| this.threads[index].registers[this.base(index) + usize::from(reg)];
        let (d, mask) = match code.ops[pc as usize] {
            Const { d, .. } | SlotAddress { d, .. } | ThreadLocalAddress { d, .. } => (d, ALL),
            Move { d, a } => (d, m(self, a)),
            Select { d, c, a, b } => {
                let chosen = if v(self, c) & 1 != 0 { a } else { b };
                (d, if m(self, c) & 1 != 0 { m(self, chosen) } else { 0 })
            }
            Add64 { d, a, b } | Sub64 { d, a, b } | Mul64 { d, a, b } => (d, below(m(self, a) & m(self, b))),
            Add32 { d, a, b } | Sub32 { d, a, b } | Mul32 { d, a, b } => {
                (d, below(m(self, a) & m(self, b)) | 0xffff_ffff_0000_0000)
            }
            AddImm64 { d, a, .. } | SubFromImm64 { d, b: a, .. } | MulImm64 { d, a, .. } => {
                (d, below(m(self, a)))
            }
            AddImm32 { d, a, .. } | MulImm32 { d, a, .. } => (d, below(m(self, a)) | 0xffff_ffff_0000_0000),
            And { d, a, b } => {
                let (ma, mb) = (m(self, a), m(self, b));
                (d, (ma & mb) | (ma & !v(self, a)) | (mb & !v(self, b)))
            }
            Or { d, a, b } => {
                let (ma, mb) = (m(self, a), m(self, b));
                (d, (ma & mb) | (ma & v(self, a)) | (mb & v(self, b)))
            }
            Xor { d, a, b } => (d, m(self, a) & m(self, b)),
            AndImm { d, a, b } => (d, m(self, a) | !b),
            OrImm { d, a, b } => (d, m(self, a) | b),
            XorImm { d, a, .. } => (d, m(self, a)),
            ShlImm64 { d, a, b } => (d, (m(self, a) << (b & 63)) | ((1 << (b & 63)) - 1)),
            ShlImm32 { d, a, b } => {
                (d, (m(self, a) << (b & 31)) | ((1 << (b & 31)) - 1) | 0xffff_ffff_0000_0000)
            }
            LShrImm { d, a, b } => (d, (m(self, a) >> (b & 63)) | !(ALL >> (b & 63))),
            AShrImm64 { d, a, b } => (d, ((m(self, a) as i64) >> (b & 63)) as u64),
            AShrImm32 { d, a, b } => {
                let low = ((m(self, a) as i32) >> (b & 31)) as u32;
                (d, u64::from(low) | 0xffff_ffff_0000_0000)
            }
            Extend32 { d, a } => (d, m(self, a) as i32 as i64 as u64),
            Extend { shift, d, a, mask } => {
                (d, (((m(self, a) << (shift & 63)) as i64) >> (shift & 63)) as u64 | !mask)
            }
            Shl64 { d, a, b }
            | Shl32 { d, a, b }
            | LShr64 { d, a, b }
            | LShr32 { d, a, b }
            | AShr64 { d, a, b }
            | AShr32 { d, a, b }
            | AddF64 { d, a, b }
            | SubF64 { d, a, b }
            | MulF64 { d, a, b }
            | DivF64 { d, a, b }
            | AddF32 { d, a, b }
            | SubF32 { d, a, b }
            | MulF32 { d, a, b }
            | DivF32 { d, a, b } => (d, all_or_none(m(self, a) & m(self, b))),
            Offset { d, a, index: i, .. } => (d, all_or_none(m(self, a) & m(self, i))),
            SetEq { d, a, b }
            | SetNe { d, a, b }
            | SetULt { d, a, b }
            | SetULe { d, a, b }
            | SetSLt32 { d, a, b }
            | SetSLe32 { d, a, b }
            | SetSLt64 { d, a, b }
            | SetSLe64 { d, a, b } => (d, all_or_none(m(self, a) & m(self, b)) | !1),
            SetEqImm { d, a, .. } | SetNeImm { d, a, .. } => (d, all_or_none(m(self, a)) | !1),
            UDiv32 { d, a, b }
            | UDiv64 { d, a, b }
            | SDiv32 { d, a, b }
            | SDiv64 { d, a, b }
            | URem32 { d, a, b }
            | URem64 { d, a, b }
            | SRem32 { d, a, b }
            | SRem64 { d, a, b } => {
                self.require(index, &[b], "a divisor")?;
                (d, all_or_none(m(self, a)))
            }
            Jump { .. } | Return0 | End { .. } => return Ok(()),
            Branch { a, .. } => {
                return match m(self, a) & 1 {
                    0 => Err(self.undefined(index, "a branch")),
                    _ => Ok(()),
                };
            }
            BranchEq { a, b, .. }
            | BranchULt { a, b, .. }
            | BranchULe { a, b, .. }
            | BranchSLt32 { a, b, .. }
            | BranchSLe32 { a, b, .. }
            | BranchSLt64 { a, b, .. }
            | BranchSLe64 { a, b, .. } => return self.require(index, &[a, b], "a branch"),
            BranchEqImm { a, .. }
            | BranchULtImm { a, .. }
            | BranchUGtImm { a, .. }
            | BranchSLtImm32 { a, .. }
            | BranchSGtImm32 { a, .. }
            | BranchSLtImm64 { a, .. }
            | BranchSGtImm64 { a, .. }
            | Switch { a, .. } => return self.require(index, &[a], "a branch"),
            Call { args, pool, .. } => {
                for n in 0..usize::from(args) {
                    let mask = m(self, code.pool[pool as usize + n]);
                    self.set_defined_at(index, top + n, mask);
                }
                return Ok(());
            }
            Return1 { a } => {
                let mask = m(self, a);
                return self.track_return(index, &[mask]);
            }
            Return { pool, count } => {
                let list = &code.pool[pool as usize..(pool + count) as usize];
                let masks: Vec<u64> = list.iter().map(|reg| m(self, *reg)).collect();
                return self.track_return(index, &masks);
            }
            CallSite { site } => return self.track_call(index, &code.sites[site as usize], top),
            Load8 { d, base, offset, .. } => {
                return self.track_load(index, d, &[base], i64::from(offset), 0, 1);
            }
            Load16 { d, base, offset, .. } => {
                return self.track_load(index, d, &[base], i64::from(offset), 0, 2);
            }
            Load32 { d, base, offset, .. } => {
                return self.track_load(index, d, &[base], i64::from(offset), 0, 4);
            }
            Load64 { d, base, offset, .. } => {
                return self.track_load(index, d, &[base], i64::from(offset), 0, 8);
            }
            LoadIndexed8 { scale, d, base, index: i, offset, .. } => {
                return self.track_load(index, d, &[base, i], i64::from(offset), scale, 1);
            }
            LoadIndexed16 { scale, d, base, index: i, offset, .. } => {
                return self.track_load(index, d, &[base, i], i64::from(offset), scale, 2);
            }
            LoadIndexed32 { scale, d, base, index: i, offset, .. } => {
                return self.track_load(index, d, &[base, i], i64::from(offset), scale, 4);
            }
            LoadIndexed64 { scale, d, base, index: i, offset, .. } => {
                return self.track_load(index, d, &[base, i], i64::from(offset), scale, 8);
            }
            Store8 { base, .. } | Store16 { base, .. } | Store32 { base, .. } | Store64 { base, .. } => {
                return self.require(index, &[base], "an address");
            }
            StoreIndexed8 { base, index: i, .. }
            | StoreIndexed16 { base, index: i, .. }
            | StoreIndexed32 { base, index: i, .. }
            | StoreIndexed64 { base, index: i, .. } => {
                return self.require(index, &[base, i], "an address");
            }
            Generic { index: number } => return self.track_generic(index, &code.generic[number as usize]),
        };
        self.set_register_defined(index, d, mask);
        Ok(())
    }

    fn track_load(
        &mut self,
        index: usize,
        d: Reg,
        address: &[Reg],
        offset: i64,
        scale: u8,
        size: u32,
    ) -> Result<(), Stop> {
        self.require(index, address, "an address")?;
        let value = |reg: Reg| self.threads[index].registers[self.base(index) + usize::from(reg)];
        let mut at = value(address[0]).wrapping_add(offset as u64);
        if let Some(i) = address.get(1) {
            at = at.wrapping_add(value(*i).wrapping_mul(u64::from(scale)));
        }
        let mask = self.memory_defined(at, size) as u64;
        self.set_register_defined(index, d, mask);
        Ok(())
    }

    fn track_return(&mut self, index: usize, masks: &[u64]) -> Result<(), Stop> {
        let image = self.image;
        let frames = &self.threads[index].frames;
        let (Some(frame), Some(caller)) = (frames.last(), frames.len().checked_sub(2).map(|n| frames[n]))
        else {
            return Ok(());
        };
        let base = caller.base as usize;
        match frame.return_to {
            ReturnTo::Register(reg) => {
                let mask = masks.first().copied().unwrap_or(ALL);
                self.set_defined_at(index, base + usize::from(reg), mask);
            }
            ReturnTo::Site(site) => {
                let mut masks = masks.iter().copied();
                for (reg, ty) in &image.code.sites[site as usize].results {
                    for half in 0..=usize::from(ty.is_wide()) {
                        let mask = masks.next().unwrap_or(ALL);
                        self.set_defined_at(index, base + usize::from(*reg) + half, mask);
                    }
                }
            }
            ReturnTo::Thread => {}
        }
        Ok(())
    }

    fn track_call(&mut self, index: usize, site: &CallSite, top: usize) -> Result<(), Stop> {
        let image = self.image;
        let function = match site.target {
            Target::Function(id) => Some(id),
            Target::Pointer(source) => {
                if self.source_defined(index, source, Type::Ptr) != u128::MAX {
                    return Err(self.undefined(index, "the function that is called"));
                }
                self.function_at(self.value(index, source, Type::Ptr) as u64)
            }
        };
        let Some(function) = function else { return Ok(()) };
        let callee = &image.code.functions[function.index()];
        if callee.entry.is_none() {
            for (source, ty) in &site.args {
                if self.source_defined(index, *source, *ty) != u128::MAX {
                    let name = &image.program.function(function).name;
                    let what = match name.starts_with("__selvedge_") {
                        true => "what is passed on".to_owned(),
                        false => format!("an argument of `{name}`"),
                    };
                    return Err(self.undefined(index, &what));
                }
            }
            for (reg, ty) in &site.results {
                for half in 0..=u16::from(ty.is_wide()) {
                    self.set_register_defined(index, reg + half, ALL);
                }
            }
            return Ok(());
        }
        let masks: Vec<(u128, Type)> =
            site.args.iter().map(|(source, ty)| (self.source_defined(index, *source, *ty), *ty)).collect();
        for (reg, (mask, ty)) in callee.params.iter().zip(masks) {
            self.set_defined_at(index, top + usize::from(*reg), mask as u64);
            if ty.is_wide() {
                self.set_defined_at(index, top + usize::from(*reg) + 1, (mask >> 64) as u64);
            }
        }
        Ok(())
    }

    fn track_generic(&mut self, index: usize, operation: &Generic) -> Result<(), Stop> {
        use Generic::*;
        let whole = |this: &Self, sources: &[(Source, Type)]| {
            sources.iter().all(|(source, ty)| this.source_defined(index, *source, *ty) == u128::MAX)
        };
        const WORD: Type = Type::I64;
        let (d, ty, defined) = match *operation {
            Binary { ty, d, a, b, .. } => (d, ty, whole(self, &[(a, ty), (b, ty)])),
            Unary { ty, d, a, .. } => (d, ty, whole(self, &[(a, ty)])),
            Overflow { ty, d, flag, a, b, .. } => {
                let defined = whole(self, &[(a, ty), (b, ty)]);
                self.set_register_defined(index, flag, if defined { ALL } else { !1 });
                (d, ty, defined)
            }
            FunnelShift { ty, d, high: a, low: b, amount: c, .. } | FusedMultiplyAdd { ty, d, a, b, c } => {
                (d, ty, whole(self, &[(a, ty), (b, ty), (c, ty)]))
            }
            Compare { ty, d, a, b, .. } | CompareFloat { ty, d, a, b, .. } => {
                (d, Type::BOOL, whole(self, &[(a, ty), (b, ty)]))
            }
            FloatClass { ty, d, a, .. } => (d, Type::BOOL, whole(self, &[(a, ty)])),
            Cast { from, to, d, a, .. } => (d, to, whole(self, &[(a, from)])),
            Select { ty, d, c, a, b } => (d, ty, whole(self, &[(c, Type::BOOL), (a, ty), (b, ty)])),
            Load { ty, d, address, .. } => {
                self.require_address(index, address)?;
                let at = self.value(index, address, WORD) as u64;
                let mask = self.memory_defined(at, ty.bytes());
                self.set_register_defined(index, d, mask as u64);
                if ty.is_wide() {
                    self.set_register_defined(index, d + 1, (mask >> 64) as u64);
                }
                return Ok(());
            }
            Store { address, .. } => return self.require_address(index, address),
            Rmw { ty, d, address, value, .. } => {
                self.require_address(index, address)?;
                (d, ty, whole(self, &[(value, ty)]))
            }
            CompareExchange { ty, d, flag, address, expected, .. } => {
                self.require_address(index, address)?;
                let defined = whole(self, &[(expected, ty)]);
                self.set_register_defined(index, flag, if defined { ALL } else { !1 });
                (d, ty, true)
            }
            Copy { to, from, size } => {
                self.require_address(index, to)?;
                self.require_address(index, from)?;
                return self.require_address(index, size);
            }
            Set { to, size, .. } => {
                self.require_address(index, to)?;
                return self.require_address(index, size);
            }
            DynamicAlloca { d, size, .. } => {
                self.require_address(index, size)?;
                (d, Type::Ptr, true)
            }
            StackSave { d } => (d, Type::Ptr, true),
            StackRestore { .. }
            | VaStart { .. }
            | Fence { .. }
            | LifetimeStart { .. }
            | LifetimeEnd { .. } => {
                return Ok(());
            }
        };
        let mask = if defined { ALL } else { !(scalar::mask(ty.bits().min(64)) as u64) };
        self.set_register_defined(index, d, mask);
        if ty.is_wide() {
            self.set_register_defined(index, d + 1, if defined { ALL } else { 0 });
        }
        Ok(())
    }

    fn require_address(&mut self, index: usize, source: Source) -> Result<(), Stop> {
        match self.source_defined(index, source, Type::I64) {
            u128::MAX => Ok(()),
            _ => Err(self.undefined(index, "an address or a size")),
        }
    }
}
