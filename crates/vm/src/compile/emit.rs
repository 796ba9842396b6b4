//! Emitting operations for one function.

use super::CodeFor;
use super::control::{Field, Label};
use super::folding::Folding;
use super::registers::{self, Allocation, BlockUses, Uses};
use crate::address;
use crate::code::*;
use rustc_hash::FxHashMap;
use selvedge_program::*;

/// Compiles `function`, number `index`, into `code`.
pub fn function(program: &Program, sites: &Sites, id: FuncId, code_for: CodeFor, code: &mut Code) {
    let (function, index) = (program.function(id), id.index());
    let first_site = sites.site_of(id, BlockId::new(0), 0);
    let folding = Folding::new(function, code_for);
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    let commutes = insts.any(|inst| inst.commuting_op().is_some());
    let uses: Vec<BlockUses> =
        function.blocks.iter().map(|block| block_uses(function, &folding, block)).collect();
    let entry = code.ops.len() as Pc;
    match registers::allocate(function, &uses) {
        Ok(allocation) => {
            let emitter = Emitter {
                program,
                function,
                index,
                folding,
                used: commutes.then(|| UsedValues::of(function)),
                allocation,
                code,
                zero: None,
                scratch: 0,
                most_scratch: 0,
                sites,
                site: first_site,
                labels: vec![None; function.blocks.len()],
                fixups: Vec::new(),
                stubs: Vec::new(),
                stub_of: FxHashMap::default(),
            };
            emitter.emit(entry);
        }
        Err(registers::TooMany) => {
            let what = format!("a function as large as `{}`", function.name);
            code.ends.push(End::Unsupported(what.into()));
            let end = code.ends.len() as u32 - 1;
            code.ops.push(Op::End { index: end });
            code.origins.push(first_site);
            code.functions[index].entry = Some(entry);
            code.functions[index].end = entry + 1;
            code.functions[index].registers = function.params.len() as u16 * 2;
            code.functions[index].params = (0..function.params.len() as u16).collect();
        }
    }
}

fn block_uses(function: &Function, folding: &Folding, block: &Block) -> BlockUses {
    let insts = block
        .insts
        .iter()
        .map(|inst| Uses {
            reads: folding.reads(&inst.kind, &inst.results),
            writes: match folding.is_folded(&inst.kind, &inst.results) {
                true => Vec::new(),
                false => inst.results.clone(),
            },
        })
        .collect();
    let mut terminator = Vec::new();
    let mut read = |operand: Operand| {
        if let Operand::Value(value) = folding.resolve(operand) {
            terminator.push(value);
        }
    };
    let compare = match &block.terminator {
        Terminator::Branch { condition, .. } => folding.compare(*condition),
        _ => None,
    };
    match compare {
        Some(compare) => {
            read(compare.lhs);
            read(compare.rhs);
        }
        None => block.terminator.for_each_own_operand(&mut read),
    }
    let mut successors = Vec::new();
    for jump in block.terminator.jumps() {
        let mut passed = Vec::new();
        for (arg, param) in jump.args.iter().zip(&function.block(jump.block).params) {
            read(*arg);
            if let Operand::Value(value) = folding.resolve(*arg) {
                passed.push((value, *param));
            }
        }
        successors.push((jump.block, passed));
    }
    BlockUses { params: block.params.clone(), insts, terminator, successors }
}

/// Emits one function.
pub(super) struct Emitter<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    /// Its number.
    pub(super) index: usize,
    pub(super) folding: Folding,
    /// The values that are used, if there are read-modify-writes for which that matters.
    pub(super) used: Option<UsedValues>,
    pub(super) allocation: Allocation,
    pub(super) code: &'a mut Code,
    /// A register that always holds zero, if one was needed.
    pub(super) zero: Option<Reg>,
    /// Scratch registers in use by the operation under way.
    pub(super) scratch: usize,
    pub(super) most_scratch: usize,
    pub(super) sites: &'a Sites,
    /// The instruction or terminator under way.
    pub(super) site: Site,
    pub(super) labels: Vec<Option<Pc>>,
    pub(super) fixups: Vec<(Pc, Field, Label)>,
    /// Moves on an edge out of a branch: (moves' owner, jump).
    pub(super) stubs: Vec<(Jump, Option<Pc>)>,
    /// The number of the stub for each jump that has one.
    pub(super) stub_of: FxHashMap<Jump, usize>,
}

/// Registers kept for constants and moves, behind the allocated ones: the zero register comes first.
const RESERVED: usize = 1;

impl Emitter<'_> {
    /// Whether the program uses what a read-modify-write has read.
    fn old_value(&self, inst: &Inst) -> OldValue {
        self.used.as_ref().map_or(OldValue::Used, |used| used.old_value(&inst.results))
    }

    fn emit(mut self, entry: Pc) {
        let function = self.function;
        // Reserved for setting up the zero register; a no-op otherwise.
        self.push(Op::Jump { t: entry + 1 });
        for (number, block) in function.blocks.iter().enumerate() {
            self.labels[number] = Some(self.pc());
            let id = BlockId::new(number);
            for (position, inst) in block.insts.iter().enumerate() {
                if !self.folding.is_folded(&inst.kind, &inst.results) {
                    self.site = self.sites.site_of(FuncId::new(self.index), id, position);
                    self.instruction(inst);
                    self.scratch = 0;
                }
            }
            self.site = self.sites.site_of(FuncId::new(self.index), id, block.insts.len());
            self.terminator(&block.terminator, BlockId::new(number));
            self.scratch = 0;
        }
        let mut next = 0;
        while next < self.stubs.len() {
            self.stubs[next].1 = Some(self.pc());
            let jump = self.stubs[next].0.clone();
            self.jump(&jump, None);
            self.scratch = 0;
            next += 1;
        }
        self.resolve_labels();
        let registers = self.allocation.count + RESERVED + self.most_scratch;
        let start = match self.zero {
            Some(zero) => {
                self.code.ops[entry as usize] = Op::Const { d: zero, value: 0 };
                entry
            }
            None => entry + 1,
        };
        let compiled = &mut self.code.functions[self.index];
        compiled.entry = Some(start);
        compiled.end = self.code.ops.len() as Pc;
        compiled.registers = registers as u16;
        compiled.params = function.params.iter().map(|p| self.allocation.register(*p)).collect();
    }

    pub(super) fn pc(&self) -> Pc {
        self.code.ops.len() as Pc
    }

    pub(super) fn push(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(self.site);
    }

    pub(super) fn generic(&mut self, generic: Generic) {
        self.code.generic.push(generic);
        let index = self.code.generic.len() as u32 - 1;
        self.push(Op::Generic { index });
    }

    pub(super) fn end(&mut self, end: End) {
        self.code.ends.push(end);
        let index = self.code.ends.len() as u32 - 1;
        self.push(Op::End { index });
    }

    fn result(&self, inst: &Inst, number: usize) -> Reg {
        self.allocation.register(inst.results[number])
    }

    pub(super) fn new_scratch(&mut self) -> Reg {
        let reg = self.allocation.count + RESERVED + self.scratch;
        self.scratch += 1;
        self.most_scratch = self.most_scratch.max(self.scratch);
        reg as Reg
    }

    fn zero(&mut self) -> Reg {
        *self.zero.insert(self.allocation.count as Reg)
    }

    /// An operand's constant value; the address of a symbol is one.
    pub(super) fn constant(&self, operand: Operand) -> Option<u128> {
        match self.folding.resolve(operand) {
            Operand::Const(_, bits) => Some(bits),
            Operand::Undefined(_) => Some(0),
            Operand::Address(Symbol::Global(id), offset) => {
                Some(u128::from(self.code.global_addresses[id.index()].wrapping_add(offset as u64)))
            }
            Operand::Address(Symbol::Function(id), offset) => {
                Some(u128::from(address::of_function(id).wrapping_add(offset as u64)))
            }
            Operand::Value(_) => None,
        }
    }

    pub(super) fn source(&self, operand: Operand) -> Source {
        match (self.constant(operand), self.folding.resolve(operand)) {
            (Some(value), _) => Source::Constant(value),
            (None, Operand::Value(value)) => Source::Register(self.allocation.register(value)),
            (None, _) => Source::Constant(0),
        }
    }

    /// A register that holds the operand (of at most 64 bits).
    pub(super) fn reg(&mut self, operand: Operand) -> Reg {
        match self.source(operand) {
            Source::Register(reg) => reg,
            Source::Constant(value) => {
                let d = self.new_scratch();
                self.push(Op::Const { d, value: value as u64 });
                d
            }
        }
    }

    fn instruction(&mut self, inst: &Inst) {
        use InstKind::*;
        match &inst.kind {
            Binary { op, ty, lhs, rhs } => self.binary(inst, *op, *ty, *lhs, *rhs),
            Unary { op, ty, value } => {
                let (d, a) = (self.result(inst, 0), self.source(*value));
                self.generic(Generic::Unary { op: *op, ty: *ty, d, a });
            }
            Overflow { op, sign, ty, lhs, rhs } => {
                let (d, flag) = (self.result(inst, 0), self.result(inst, 1));
                let (a, b) = (self.source(*lhs), self.source(*rhs));
                self.generic(Generic::Overflow { op: *op, sign: *sign, ty: *ty, d, flag, a, b });
            }
            FunnelShift { left, ty, high, low, amount } => {
                let d = self.result(inst, 0);
                let (high, low, amount) = (self.source(*high), self.source(*low), self.source(*amount));
                self.generic(Generic::FunnelShift { left: *left, ty: *ty, d, high, low, amount });
            }
            FusedMultiplyAdd { ty, a, b, c } => {
                let d = self.result(inst, 0);
                let (a, b, c) = (self.source(*a), self.source(*b), self.source(*c));
                self.generic(Generic::FusedMultiplyAdd { ty: *ty, d, a, b, c });
            }
            Compare { op, ty, lhs, rhs } => self.compare(inst, *op, *ty, *lhs, *rhs),
            CompareFloat { op, ty, lhs, rhs } => {
                let (d, a, b) = (self.result(inst, 0), self.source(*lhs), self.source(*rhs));
                self.generic(Generic::CompareFloat { op: *op, ty: *ty, d, a, b });
            }
            FloatClass { ty, value, mask } => {
                let (d, a) = (self.result(inst, 0), self.source(*value));
                self.generic(Generic::FloatClass { ty: *ty, d, a, mask: *mask });
            }
            Cast { op, from, to, value } => self.cast(inst, *op, *from, *to, *value),
            Select { ty, condition, if_true, if_false } => {
                let d = self.result(inst, 0);
                if ty.is_wide() {
                    let c = self.source(*condition);
                    let (a, b) = (self.source(*if_true), self.source(*if_false));
                    self.generic(Generic::Select { ty: *ty, d, c, a, b });
                } else {
                    let c = self.reg(*condition);
                    let (a, b) = (self.reg(*if_true), self.reg(*if_false));
                    self.push(Op::Select { d, c, a, b });
                }
            }
            Offset { base, offset, terms } => self.offset(inst, *base, *offset, terms),
            SlotAddress(slot) => {
                let d = self.result(inst, 0);
                let slots = &self.code.functions[self.index].slots;
                let offset = slots[slot.index()].offset;
                self.push(Op::SlotAddress { d, offset });
            }
            ThreadLocalAddress(global) => {
                let d = self.result(inst, 0);
                let offset = self.code.thread_local_offsets[global.index()];
                self.push(Op::ThreadLocalAddress { d, offset });
            }
            DynamicAlloca { size, align } => {
                let (d, size) = (self.result(inst, 0), self.source(*size));
                self.generic(Generic::DynamicAlloca { d, size, align: *align });
            }
            StackSave => {
                let d = self.result(inst, 0);
                self.generic(Generic::StackSave { d });
            }
            StackRestore { saved } => {
                let saved = self.source(*saved);
                self.generic(Generic::StackRestore { saved });
            }
            LifetimeStart(slot) => self.generic(Generic::LifetimeStart { slot: slot.0 }),
            LifetimeEnd(slot) => self.generic(Generic::LifetimeEnd { slot: slot.0 }),
            Load { ty, address, order } => self.load(inst, *ty, *address, *order),
            Store { ty, address, value, order } => self.store(*ty, *address, *value, *order),
            Rmw { op, ty, address, value, order } => {
                let d = self.result(inst, 0);
                let (address, value) = (self.source(*address), self.source(*value));
                let old = self.old_value(inst);
                self.generic(Generic::Rmw { op: *op, ty: *ty, d, address, value, order: *order, old });
            }
            CompareExchange { ty, address, expected, new, success, failure, weak } => {
                let (d, flag) = (self.result(inst, 0), self.result(inst, 1));
                let generic = Generic::CompareExchange {
                    ty: *ty,
                    d,
                    flag,
                    address: self.source(*address),
                    expected: self.source(*expected),
                    new: self.source(*new),
                    success: *success,
                    failure: *failure,
                    weak: *weak,
                };
                self.generic(generic);
            }
            Fence { order, scope } => {
                if *scope == FenceScope::System {
                    self.generic(Generic::Fence { order: *order });
                }
            }
            CopyMemory { to, from, size } => {
                let (to, from, size) = (self.source(*to), self.source(*from), self.source(*size));
                self.generic(Generic::Copy { to, from, size });
            }
            SetMemory { to, byte, size } => {
                let (to, byte, size) = (self.source(*to), self.source(*byte), self.source(*size));
                self.generic(Generic::Set { to, byte, size });
            }
            Call(call) => self.call(inst, call),
            VaStart { list } => {
                let list = self.source(*list);
                self.generic(Generic::VaStart { list });
            }
            Trap { reason } => self.end(End::Trap(*reason)),
            Unsupported(what) => self.end(End::Unsupported(what.clone())),
        }
    }

    fn binary(&mut self, inst: &Inst, op: BinaryOp, ty: Type, lhs: Operand, rhs: Operand) {
        use BinaryOp::*;
        let d = self.result(inst, 0);
        let commutes = matches!(op, Add | Mul | And | Or | Xor);
        let (lhs, rhs) = match commutes && self.constant(lhs).is_some() {
            true => (rhs, lhs),
            false => (lhs, rhs),
        };
        let immediate = self.constant(rhs).map(|value| value as u64);
        let bits = ty.bits();
        // Values are kept zero-extended, so some operations do not care about the width.
        let encoded = match (op, bits) {
            _ if bits > 64 => None,
            (Add, 64) => match immediate {
                Some(b) => Some(Op::AddImm64 { d, a: self.reg(lhs), b }),
                None => Some(Op::Add64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Add, 32) => match immediate {
                Some(b) => Some(Op::AddImm32 { d, a: self.reg(lhs), b: b as u32 }),
                None => Some(Op::Add32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Sub, 64) => match (immediate, self.constant(lhs)) {
                (Some(b), _) => Some(Op::AddImm64 { d, a: self.reg(lhs), b: b.wrapping_neg() }),
                (None, Some(a)) => Some(Op::SubFromImm64 { d, a: a as u64, b: self.reg(rhs) }),
                (None, None) => Some(Op::Sub64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Sub, 32) => match immediate {
                Some(b) => Some(Op::AddImm32 { d, a: self.reg(lhs), b: (b as u32).wrapping_neg() }),
                None => Some(Op::Sub32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Mul, 64) => match immediate {
                Some(b) => Some(Op::MulImm64 { d, a: self.reg(lhs), b }),
                None => Some(Op::Mul64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Mul, 32) => match immediate {
                Some(b) => Some(Op::MulImm32 { d, a: self.reg(lhs), b: b as u32 }),
                None => Some(Op::Mul32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (And, _) => match immediate {
                Some(b) => Some(Op::AndImm { d, a: self.reg(lhs), b }),
                None => Some(Op::And { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Or, _) => match immediate {
                Some(b) => Some(Op::OrImm { d, a: self.reg(lhs), b }),
                None => Some(Op::Or { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Xor, _) => match immediate {
                Some(b) => Some(Op::XorImm { d, a: self.reg(lhs), b }),
                None => Some(Op::Xor { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Shl, 64) => match immediate {
                Some(b) => Some(Op::ShlImm64 { d, a: self.reg(lhs), b: b as u8 & 63 }),
                None => Some(Op::Shl64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (Shl, 32) => match immediate {
                Some(b) => Some(Op::ShlImm32 { d, a: self.reg(lhs), b: b as u8 & 31 }),
                None => Some(Op::Shl32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (LShr, 64) => match immediate {
                Some(b) => Some(Op::LShrImm { d, a: self.reg(lhs), b: b as u8 & 63 }),
                None => Some(Op::LShr64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (LShr, 32) => match immediate {
                Some(b) => Some(Op::LShrImm { d, a: self.reg(lhs), b: b as u8 & 31 }),
                None => Some(Op::LShr32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (AShr, 64) => match immediate {
                Some(b) => Some(Op::AShrImm64 { d, a: self.reg(lhs), b: b as u8 & 63 }),
                None => Some(Op::AShr64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (AShr, 32) => match immediate {
                Some(b) => Some(Op::AShrImm32 { d, a: self.reg(lhs), b: b as u8 & 31 }),
                None => Some(Op::AShr32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            },
            (UDiv, 32) => Some(Op::UDiv32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (UDiv, 64) => Some(Op::UDiv64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (SDiv, 32) => Some(Op::SDiv32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (SDiv, 64) => Some(Op::SDiv64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (URem, 32) => Some(Op::URem32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (URem, 64) => Some(Op::URem64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (SRem, 32) => Some(Op::SRem32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (SRem, 64) => Some(Op::SRem64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FAdd, 64) => Some(Op::AddF64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FSub, 64) => Some(Op::SubF64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FMul, 64) => Some(Op::MulF64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FDiv, 64) => Some(Op::DivF64 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FAdd, 32) => Some(Op::AddF32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FSub, 32) => Some(Op::SubF32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FMul, 32) => Some(Op::MulF32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            (FDiv, 32) => Some(Op::DivF32 { d, a: self.reg(lhs), b: self.reg(rhs) }),
            _ => None,
        };
        match encoded {
            Some(op) => self.push(op),
            None => {
                let (a, b) = (self.source(lhs), self.source(rhs));
                self.generic(Generic::Binary { op, ty, d, a, b });
            }
        }
    }

    fn compare(&mut self, inst: &Inst, op: IntCompare, ty: Type, lhs: Operand, rhs: Operand) {
        use IntCompare::*;
        let d = self.result(inst, 0);
        let bits = ty.bits();
        let signed = matches!(op, SLt | SLe | SGt | SGe);
        if ty.is_wide() || (signed && !matches!(bits, 32 | 64)) {
            let (a, b) = (self.source(lhs), self.source(rhs));
            return self.generic(Generic::Compare { op, ty, d, a, b });
        }
        if let (Eq | Ne, Some(b)) = (op, self.constant(rhs)) {
            let (a, b) = (self.reg(lhs), b as u64);
            return self.push(if op == Eq { Op::SetEqImm { d, a, b } } else { Op::SetNeImm { d, a, b } });
        }
        let (a, b) = (self.reg(lhs), self.reg(rhs));
        self.push(match (op, bits) {
            (Eq, _) => Op::SetEq { d, a, b },
            (Ne, _) => Op::SetNe { d, a, b },
            (ULt, _) => Op::SetULt { d, a, b },
            (ULe, _) => Op::SetULe { d, a, b },
            (UGt, _) => Op::SetULt { d, a: b, b: a },
            (UGe, _) => Op::SetULe { d, a: b, b: a },
            (SLt, 32) => Op::SetSLt32 { d, a, b },
            (SLe, 32) => Op::SetSLe32 { d, a, b },
            (SGt, 32) => Op::SetSLt32 { d, a: b, b: a },
            (SGe, 32) => Op::SetSLe32 { d, a: b, b: a },
            (SLt, _) => Op::SetSLt64 { d, a, b },
            (SLe, _) => Op::SetSLe64 { d, a, b },
            (SGt, _) => Op::SetSLt64 { d, a: b, b: a },
            (SGe, _) => Op::SetSLe64 { d, a: b, b: a },
        });
    }

    fn cast(&mut self, inst: &Inst, op: CastOp, from: Type, to: Type, value: Operand) {
        let d = self.result(inst, 0);
        let narrow = !from.is_wide() && !to.is_wide();
        match op {
            CastOp::Truncate if narrow => {
                let a = self.reg(value);
                self.push(Op::AndImm { d, a, b: scalar::mask(to.bits()) as u64 });
            }
            CastOp::SignExtend if narrow && from.bits() == 32 && to.bits() == 64 => {
                let a = self.reg(value);
                self.push(Op::Extend32 { d, a });
            }
            CastOp::SignExtend if narrow => {
                let a = self.reg(value);
                let mask = scalar::mask(to.bits()) as u64;
                self.push(Op::Extend { shift: (64 - from.bits()) as u8, d, a, mask });
            }
            _ => {
                let a = self.source(value);
                self.generic(Generic::Cast { op, from, to, d, a });
            }
        }
    }

    fn offset(&mut self, inst: &Inst, base: Operand, offset: i64, terms: &[(Operand, i64)]) {
        let d = self.result(inst, 0);
        let (mut base, mut offset) = (base, offset);
        let mut accumulated: Option<Reg> = None;
        for (index, scale) in terms {
            if let Some(index) = self.constant(*index) {
                offset = offset.wrapping_add((index as i64).wrapping_mul(*scale));
                continue;
            }
            let a = match accumulated {
                Some(reg) => reg,
                None => self.reg(base),
            };
            let index = self.reg(*index);
            let target = self.new_scratch();
            match u32::try_from(*scale) {
                Ok(scale) => self.push(Op::Offset { d: target, a, index, scale, offset: 0 }),
                Err(_) => {
                    let product = self.new_scratch();
                    self.push(Op::MulImm64 { d: product, a: index, b: *scale as u64 });
                    self.push(Op::Add64 { d: target, a, b: product });
                }
            }
            accumulated = Some(target);
            base = Operand::Const(Type::Ptr, 0);
        }
        // The last step goes straight to the result where it can.
        if let Some(reg) = accumulated {
            let last = self.code.ops.len() - 1;
            match &mut self.code.ops[last] {
                Op::Offset { d: target, offset: o, .. } if i32::try_from(offset).is_ok() => {
                    *target = d;
                    *o = offset as i32;
                }
                _ => self.push(Op::AddImm64 { d, a: reg, b: offset as u64 }),
            }
            return;
        }
        let a = self.reg(base);
        self.push(Op::AddImm64 { d, a, b: offset as u64 });
    }

    /// Registers and constants of an address: (base, index with scale, offset).
    fn address(&mut self, operand: Operand) -> (Reg, Option<(Reg, u8)>, i32) {
        let folded = self.folding.address(operand);
        let mut offset = i64::from(folded.offset);
        let index = match folded.index {
            Some((index, scale)) => match self.constant(index) {
                Some(index) => {
                    offset = offset.wrapping_add((index as i64).wrapping_mul(i64::from(scale)));
                    None
                }
                None => Some((self.reg(index), scale)),
            },
            None => None,
        };
        if let Some(base) = self.constant(folded.base) {
            // Globals lie below 2^31: their address is an offset from zero.
            let total = (base as u64 as i64).wrapping_add(offset);
            if let Ok(offset) = i32::try_from(total) {
                return (self.zero(), index, offset);
            }
            offset = total;
            let base = self.new_scratch();
            self.push(Op::Const { d: base, value: offset as u64 });
            return (base, index, 0);
        }
        let base = self.reg(folded.base);
        match i32::try_from(offset) {
            Ok(offset) => (base, index, offset),
            Err(_) => {
                let d = self.new_scratch();
                self.push(Op::AddImm64 { d, a: base, b: offset as u64 });
                (d, index, 0)
            }
        }
    }

    fn access(&mut self, access: AccessKind) -> u32 {
        self.code.accesses.push(access);
        self.code.accesses.len() as u32 - 1
    }

    fn load(&mut self, inst: &Inst, ty: Type, address: Operand, order: LoadOrder) {
        let d = self.result(inst, 0);
        if !self.folding.loads(ty, order) {
            let address = self.source(address);
            return self.generic(Generic::Load { ty, d, address, order });
        }
        let (base, index, offset) = self.address(address);
        let info = self.access(AccessKind::Load(order));
        self.push(match (index, ty.bytes()) {
            (None, 1) => Op::Load8 { d, base, offset, info },
            (None, 2) => Op::Load16 { d, base, offset, info },
            (None, 4) => Op::Load32 { d, base, offset, info },
            (None, _) => Op::Load64 { d, base, offset, info },
            (Some((index, scale)), 1) => Op::LoadIndexed8 { scale, d, base, index, offset, info },
            (Some((index, scale)), 2) => Op::LoadIndexed16 { scale, d, base, index, offset, info },
            (Some((index, scale)), 4) => Op::LoadIndexed32 { scale, d, base, index, offset, info },
            (Some((index, scale)), _) => Op::LoadIndexed64 { scale, d, base, index, offset, info },
        });
    }

    fn store(&mut self, ty: Type, address: Operand, value: Operand, order: StoreOrder) {
        if !self.folding.stores(ty, order) {
            let (address, value) = (self.source(address), self.source(value));
            return self.generic(Generic::Store { ty, address, value, order });
        }
        let s = self.reg(value);
        let (base, index, offset) = self.address(address);
        let info = self.access(AccessKind::Store(order));
        self.push(match (index, ty.bytes()) {
            (None, 1) => Op::Store8 { s, base, offset, info },
            (None, 2) => Op::Store16 { s, base, offset, info },
            (None, 4) => Op::Store32 { s, base, offset, info },
            (None, _) => Op::Store64 { s, base, offset, info },
            (Some((index, scale)), 1) => Op::StoreIndexed8 { scale, s, base, index, offset, info },
            (Some((index, scale)), 2) => Op::StoreIndexed16 { scale, s, base, index, offset, info },
            (Some((index, scale)), 4) => Op::StoreIndexed32 { scale, s, base, index, offset, info },
            (Some((index, scale)), _) => Op::StoreIndexed64 { scale, s, base, index, offset, info },
        });
    }

    fn call(&mut self, inst: &Inst, call: &Call) {
        if let Callee::Function(id) = call.callee {
            let callee = self.program.function(id);
            let simple = !callee.is_external()
                && !callee.signature.variadic
                && callee.signature.params == call.signature.params
                && callee.signature.results == call.signature.results
                && call.signature.results.len() <= 1
                && call.args.len() <= 255
                && !call.signature.params.iter().chain(&call.signature.results).any(|ty| ty.is_wide());
            if simple {
                let d = match inst.results.first() {
                    Some(result) => self.allocation.register(*result),
                    None => self.new_scratch(),
                };
                let regs: Vec<Reg> = call.args.iter().map(|arg| self.reg(*arg)).collect();
                let pool = self.code.pool.len() as u32;
                self.code.pool.extend(regs);
                self.push(Op::Call { args: call.args.len() as u8, d, function: id.0, pool });
                return;
            }
        }
        let args = call.args.iter().map(|arg| self.source(*arg)).zip(call.signature.params.iter().copied());
        let results = inst.results.iter().map(|r| (self.allocation.register(*r), self.function.type_of(*r)));
        let variadic = call.variadic.as_ref().map(|variadic| VariadicBlock {
            args: variadic
                .args
                .iter()
                .zip(call.args.iter().zip(&call.signature.params).skip(call.fixed))
                .map(|(place, (arg, ty))| (self.source(*arg), *ty, place.by_value, place.offset))
                .collect(),
            gp_offset: variadic.gp_offset,
            fp_offset: variadic.fp_offset,
            size: variadic.size,
        });
        let site = CallSite {
            target: match call.callee {
                Callee::Function(id) => Target::Function(id),
                Callee::Pointer(pointer) => Target::Pointer(self.source(pointer)),
            },
            args: args.collect(),
            results: results.collect(),
            signature: call.signature.clone(),
            fixed: call.fixed,
            variadic,
        };
        self.code.sites.push(site);
        let site = self.code.sites.len() as u32 - 1;
        self.push(Op::CallSite { site });
    }
}
