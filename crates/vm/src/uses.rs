//! What an operation refers to: the registers that it reads and writes, and where it may go on.

use crate::code::{Code, Generic, Op, Pc, Reg, Source, Target};
use selvedge_program::Type;

impl Code {
    /// Adds what an operation refers to.
    pub(crate) fn uses(&self, op: &Op, uses: &mut Uses) {
        use Op::*;
        uses.falls_through = true;
        match *op {
            Const { d, .. } | SlotAddress { d, .. } | ThreadLocalAddress { d, .. } => uses.writes(&[d]),
            Move { d, a }
            | AddImm64 { d, a, .. }
            | AddImm32 { d, a, .. }
            | SubFromImm64 { d, b: a, .. }
            | MulImm64 { d, a, .. }
            | MulImm32 { d, a, .. }
            | AndImm { d, a, .. }
            | OrImm { d, a, .. }
            | XorImm { d, a, .. }
            | ShlImm64 { d, a, .. }
            | ShlImm32 { d, a, .. }
            | LShrImm { d, a, .. }
            | AShrImm64 { d, a, .. }
            | AShrImm32 { d, a, .. }
            | Extend32 { d, a }
            | Extend { d, a, .. }
            | SetEqImm { d, a, .. }
            | SetNeImm { d, a, .. } => {
                uses.writes(&[d]);
                uses.reads(&[a]);
            }
            Select { d, c, a, b } => {
                uses.writes(&[d]);
                uses.reads(&[c, a, b]);
            }
            Add64 { d, a, b }
            | Add32 { d, a, b }
            | Sub64 { d, a, b }
            | Sub32 { d, a, b }
            | Mul64 { d, a, b }
            | Mul32 { d, a, b }
            | And { d, a, b }
            | Or { d, a, b }
            | Xor { d, a, b }
            | Shl64 { d, a, b }
            | Shl32 { d, a, b }
            | LShr64 { d, a, b }
            | LShr32 { d, a, b }
            | AShr64 { d, a, b }
            | AShr32 { d, a, b }
            | UDiv32 { d, a, b }
            | UDiv64 { d, a, b }
            | SDiv32 { d, a, b }
            | SDiv64 { d, a, b }
            | URem32 { d, a, b }
            | URem64 { d, a, b }
            | SRem32 { d, a, b }
            | SRem64 { d, a, b }
            | SetEq { d, a, b }
            | SetNe { d, a, b }
            | SetULt { d, a, b }
            | SetULe { d, a, b }
            | SetSLt32 { d, a, b }
            | SetSLe32 { d, a, b }
            | SetSLt64 { d, a, b }
            | SetSLe64 { d, a, b }
            | AddF64 { d, a, b }
            | SubF64 { d, a, b }
            | MulF64 { d, a, b }
            | DivF64 { d, a, b }
            | AddF32 { d, a, b }
            | SubF32 { d, a, b }
            | MulF32 { d, a, b }
            | DivF32 { d, a, b }
            | Offset { d, a, index: b, .. } => {
                uses.writes(&[d]);
                uses.reads(&[a, b]);
            }
            Jump { t } => {
                uses.falls_through = false;
                uses.targets.push(t);
            }
            Branch { a, t, f }
            | BranchEqImm { a, t, f, .. }
            | BranchULtImm { a, t, f, .. }
            | BranchUGtImm { a, t, f, .. }
            | BranchSLtImm32 { a, t, f, .. }
            | BranchSGtImm32 { a, t, f, .. }
            | BranchSLtImm64 { a, t, f, .. }
            | BranchSGtImm64 { a, t, f, .. } => {
                uses.falls_through = false;
                uses.reads(&[a]);
                uses.targets.extend([t, f]);
            }
            BranchEq { a, b, t, f }
            | BranchULt { a, b, t, f }
            | BranchULe { a, b, t, f }
            | BranchSLt32 { a, b, t, f }
            | BranchSLe32 { a, b, t, f }
            | BranchSLt64 { a, b, t, f }
            | BranchSLe64 { a, b, t, f } => {
                uses.falls_through = false;
                uses.reads(&[a, b]);
                uses.targets.extend([t, f]);
            }
            Switch { a, table } => {
                uses.falls_through = false;
                uses.reads(&[a]);
                match self.switches.get(table as usize) {
                    Some(table) => {
                        uses.targets.push(table.default);
                        uses.targets.extend(&table.dense);
                        uses.targets.extend(table.sparse.iter().map(|(_, target)| *target));
                    }
                    None => uses.bad_index = true,
                }
            }
            Call { args, d, function, pool } => {
                uses.writes(&[d]);
                let callee = self.functions.get(function as usize);
                uses.bad_index |= callee.is_none_or(|callee| {
                    let in_order = callee.params.iter().enumerate().all(|(n, reg)| usize::from(*reg) == n);
                    callee.entry.is_none() || callee.params.len() != usize::from(args) || !in_order
                });
                self.pool_uses(uses, pool, u32::from(args));
            }
            CallSite { site } => match self.sites.get(site as usize) {
                Some(site) => {
                    let sources = site.args.iter().map(|(source, ty)| (*source, *ty));
                    let variadic = site.variadic.iter().flat_map(|v| &v.args);
                    let variadic = variadic.map(|(source, ty, ..)| (*source, *ty));
                    for (source, ty) in sources.chain(variadic) {
                        uses.source(source, ty);
                    }
                    if let Target::Pointer(source) = site.target {
                        uses.source(source, Type::Ptr);
                    }
                    for (reg, ty) in &site.results {
                        uses.result(*reg, *ty);
                    }
                }
                None => uses.bad_index = true,
            },
            Return0 => uses.falls_through = false,
            Return1 { a } => {
                uses.falls_through = false;
                uses.reads(&[a]);
            }
            Return { pool, count } => {
                uses.falls_through = false;
                self.pool_uses(uses, pool, count);
            }
            Load8 { d, base, info, .. }
            | Load16 { d, base, info, .. }
            | Load32 { d, base, info, .. }
            | Load64 { d, base, info, .. } => {
                uses.writes(&[d]);
                uses.reads(&[base]);
                uses.bad_index |= info as usize >= self.accesses.len();
            }
            Store8 { s, base, info, .. }
            | Store16 { s, base, info, .. }
            | Store32 { s, base, info, .. }
            | Store64 { s, base, info, .. } => {
                uses.reads(&[s, base]);
                uses.bad_index |= info as usize >= self.accesses.len();
            }
            LoadIndexed8 { d, base, index, info, .. }
            | LoadIndexed16 { d, base, index, info, .. }
            | LoadIndexed32 { d, base, index, info, .. }
            | LoadIndexed64 { d, base, index, info, .. } => {
                uses.writes(&[d]);
                uses.reads(&[base, index]);
                uses.bad_index |= info as usize >= self.accesses.len();
            }
            StoreIndexed8 { s, base, index, info, .. }
            | StoreIndexed16 { s, base, index, info, .. }
            | StoreIndexed32 { s, base, index, info, .. }
            | StoreIndexed64 { s, base, index, info, .. } => {
                uses.reads(&[s, base, index]);
                uses.bad_index |= info as usize >= self.accesses.len();
            }
            Generic { index } => match self.generic.get(index as usize) {
                Some(generic) => generic.uses(uses),
                None => uses.bad_index = true,
            },
            End { index } => {
                uses.falls_through = false;
                uses.bad_index |= index as usize >= self.ends.len();
            }
        }
    }

    fn pool_uses(&self, uses: &mut Uses, start: u32, count: u32) {
        match self.pool.get(start as usize..(start + count) as usize) {
            Some(regs) => uses.reads(regs),
            None => uses.bad_index = true,
        }
    }
}

/// What an operation refers to.
#[derive(Default)]
pub(crate) struct Uses {
    /// Registers that it reads.
    pub reads: Vec<Reg>,
    /// Registers that it has written when control goes on behind it.
    pub writes: Vec<Reg>,
    /// Where it may jump to.
    pub targets: Vec<Pc>,
    /// Whether it names something in a table that is not there.
    pub bad_index: bool,
    /// Whether control may go on with the next operation.
    pub falls_through: bool,
}

impl Uses {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.targets.clear();
        (self.bad_index, self.falls_through) = (false, false);
    }

    fn reads(&mut self, regs: &[Reg]) {
        self.reads.extend_from_slice(regs);
    }

    fn writes(&mut self, regs: &[Reg]) {
        self.writes.extend_from_slice(regs);
    }

    fn result(&mut self, reg: Reg, ty: Type) {
        self.writes.push(reg);
        if ty.is_wide() {
            self.writes.push(reg.saturating_add(1));
        }
    }

    fn source(&mut self, source: Source, ty: Type) {
        if let Source::Register(reg) = source {
            self.reads.push(reg);
            if ty.is_wide() {
                self.reads.push(reg.saturating_add(1));
            }
        }
    }
}

impl Generic {
    fn uses(&self, uses: &mut Uses) {
        use Generic::*;
        const WORD: Type = Type::I64;
        match *self {
            Binary { ty, d, a, b, .. } => {
                uses.result(d, ty);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            Unary { ty, d, a, .. } => {
                uses.result(d, ty);
                uses.source(a, ty);
            }
            Overflow { ty, d, flag, a, b, .. } => {
                uses.result(d, ty);
                uses.writes(&[flag]);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            FunnelShift { ty, d, high: a, low: b, amount: c, .. } | FusedMultiplyAdd { ty, d, a, b, c } => {
                uses.result(d, ty);
                uses.source(a, ty);
                uses.source(b, ty);
                uses.source(c, ty);
            }
            Compare { ty, d, a, b, .. } | CompareFloat { ty, d, a, b, .. } => {
                uses.writes(&[d]);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            FloatClass { ty, d, a, .. } => {
                uses.writes(&[d]);
                uses.source(a, ty);
            }
            Cast { from, to, d, a, .. } => {
                uses.result(d, to);
                uses.source(a, from);
            }
            Select { ty, d, c, a, b } => {
                uses.result(d, ty);
                uses.source(c, Type::BOOL);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            Load { ty, d, address, .. } => {
                uses.result(d, ty);
                uses.source(address, WORD);
            }
            Store { ty, address, value, .. } => {
                uses.source(address, WORD);
                uses.source(value, ty);
            }
            Rmw { ty, d, address, value, .. } => {
                uses.result(d, ty);
                uses.source(address, WORD);
                uses.source(value, ty);
            }
            CompareExchange { ty, d, flag, address, expected, new, .. } => {
                uses.result(d, ty);
                uses.writes(&[flag]);
                uses.source(address, WORD);
                uses.source(expected, ty);
                uses.source(new, ty);
            }
            Copy { to, from, size } => {
                uses.source(to, WORD);
                uses.source(from, WORD);
                uses.source(size, WORD);
            }
            Set { to, byte, size } => {
                uses.source(to, WORD);
                uses.source(byte, WORD);
                uses.source(size, WORD);
            }
            DynamicAlloca { d, size, .. } => {
                uses.writes(&[d]);
                uses.source(size, WORD);
            }
            StackSave { d } => uses.writes(&[d]),
            StackRestore { saved: source } | VaStart { list: source } => uses.source(source, WORD),
            Fence { .. } | LifetimeStart { .. } | LifetimeEnd { .. } => {}
        }
    }
}
