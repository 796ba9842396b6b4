//! Checking compiled code once, so that the interpreter need not check it at every step.

use crate::code::{Code, Generic, Malformed, Op, Pc, Reg, Source, Target};
use selvedge_program::Type;

impl Code {
    /// Checks what the interpreter takes for granted: registers below the frame's size, jumps within
    /// the function, table indices in range, and that no function runs off its end.
    pub fn check(&self) -> Result<(), Malformed> {
        for (index, function) in self.functions.iter().enumerate() {
            let Some(entry) = function.entry else { continue };
            let fail = |pc, what| Err(Malformed { function: index, pc, what });
            if entry >= function.end || function.end as usize > self.ops.len() {
                return fail(entry, "empty or out of range");
            }
            for reg in &function.params {
                if *reg >= function.registers {
                    return fail(entry, "parameter register out of range");
                }
            }
            for pc in entry..function.end {
                let op = &self.ops[pc as usize];
                let mut uses = Uses::default();
                self.uses(op, &mut uses);
                if uses.bad_index {
                    return fail(pc, "table index out of range");
                }
                if uses.registers.iter().any(|reg| *reg >= function.registers) {
                    return fail(pc, "register out of range");
                }
                if uses.targets.iter().any(|target| !(entry..function.end).contains(target)) {
                    return fail(pc, "jump out of the function");
                }
                if pc + 1 == function.end && uses.falls_through {
                    return fail(pc, "runs off the end");
                }
            }
        }
        Ok(())
    }

    fn uses(&self, op: &Op, uses: &mut Uses) {
        use Op::*;
        uses.falls_through = true;
        match *op {
            Const { d, .. } | SlotAddress { d, .. } | ThreadLocalAddress { d, .. } => uses.regs(&[d]),
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
            | SetNeImm { d, a, .. } => uses.regs(&[d, a]),
            Select { d, c, a, b } => uses.regs(&[d, c, a, b]),
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
            | Offset { d, a, index: b, .. } => uses.regs(&[d, a, b]),
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
                uses.regs(&[a]);
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
                uses.regs(&[a, b]);
                uses.targets.extend([t, f]);
            }
            Switch { a, table } => {
                uses.falls_through = false;
                uses.regs(&[a]);
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
                uses.regs(&[d]);
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
                        uses.typed(*reg, *ty);
                    }
                }
                None => uses.bad_index = true,
            },
            Return0 => uses.falls_through = false,
            Return1 { a } => {
                uses.falls_through = false;
                uses.regs(&[a]);
            }
            Return { pool, count } => {
                uses.falls_through = false;
                self.pool_uses(uses, pool, count);
            }
            Load8 { d: a, base, info, .. }
            | Load16 { d: a, base, info, .. }
            | Load32 { d: a, base, info, .. }
            | Load64 { d: a, base, info, .. }
            | Store8 { s: a, base, info, .. }
            | Store16 { s: a, base, info, .. }
            | Store32 { s: a, base, info, .. }
            | Store64 { s: a, base, info, .. } => {
                uses.regs(&[a, base]);
                uses.bad_index |= info as usize >= self.accesses.len();
            }
            LoadIndexed8 { d: a, base, index, info, .. }
            | LoadIndexed16 { d: a, base, index, info, .. }
            | LoadIndexed32 { d: a, base, index, info, .. }
            | LoadIndexed64 { d: a, base, index, info, .. }
            | StoreIndexed8 { s: a, base, index, info, .. }
            | StoreIndexed16 { s: a, base, index, info, .. }
            | StoreIndexed32 { s: a, base, index, info, .. }
            | StoreIndexed64 { s: a, base, index, info, .. } => {
                uses.regs(&[a, base, index]);
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
            Some(regs) => uses.regs(regs),
            None => uses.bad_index = true,
        }
    }
}

/// What an operation refers to.
#[derive(Default)]
struct Uses {
    registers: Vec<Reg>,
    targets: Vec<Pc>,
    bad_index: bool,
    falls_through: bool,
}

impl Uses {
    fn regs(&mut self, regs: &[Reg]) {
        self.registers.extend_from_slice(regs);
    }

    fn typed(&mut self, reg: Reg, ty: Type) {
        self.registers.push(reg);
        if ty.is_wide() {
            self.registers.push(reg.saturating_add(1));
        }
    }

    fn source(&mut self, source: Source, ty: Type) {
        if let Source::Register(reg) = source {
            self.typed(reg, ty);
        }
    }
}

impl Generic {
    fn uses(&self, uses: &mut Uses) {
        use Generic::*;
        const WORD: Type = Type::I64;
        match *self {
            Binary { ty, d, a, b, .. } => {
                uses.typed(d, ty);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            Unary { ty, d, a, .. } => {
                uses.typed(d, ty);
                uses.source(a, ty);
            }
            Overflow { ty, d, flag, a, b, .. } => {
                uses.typed(d, ty);
                uses.regs(&[flag]);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            FunnelShift { ty, d, high: a, low: b, amount: c, .. } | FusedMultiplyAdd { ty, d, a, b, c } => {
                uses.typed(d, ty);
                uses.source(a, ty);
                uses.source(b, ty);
                uses.source(c, ty);
            }
            Compare { ty, d, a, b, .. } | CompareFloat { ty, d, a, b, .. } => {
                uses.regs(&[d]);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            FloatClass { ty, d, a, .. } => {
                uses.regs(&[d]);
                uses.source(a, ty);
            }
            Cast { from, to, d, a, .. } => {
                uses.typed(d, to);
                uses.source(a, from);
            }
            Select { ty, d, c, a, b } => {
                uses.typed(d, ty);
                uses.source(c, Type::BOOL);
                uses.source(a, ty);
                uses.source(b, ty);
            }
            Load { ty, d, address, .. } => {
                uses.typed(d, ty);
                uses.source(address, WORD);
            }
            Store { ty, address, value, .. } => {
                uses.source(address, WORD);
                uses.source(value, ty);
            }
            Rmw { ty, d, address, value, .. } => {
                uses.typed(d, ty);
                uses.source(address, WORD);
                uses.source(value, ty);
            }
            CompareExchange { ty, d, flag, address, expected, new, .. } => {
                uses.typed(d, ty);
                uses.regs(&[flag]);
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
                uses.regs(&[d]);
                uses.source(size, WORD);
            }
            StackSave { d } => uses.regs(&[d]),
            StackRestore { saved: source } | VaStart { list: source } => uses.source(source, WORD),
            Fence { .. } | LifetimeStart { .. } | LifetimeEnd { .. } => {}
        }
    }
}
