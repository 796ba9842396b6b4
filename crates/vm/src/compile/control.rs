//! Emitting control flow: jumps with their moves, branches, switches, returns.

use super::emit::Emitter;
use super::folding::FoldedCompare;
use super::forwards;
use crate::code::*;
use rustc_hash::FxHashMap;
use selvedge_program::*;

/// Where a jump goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Label {
    Block(BlockId),
    Stub(usize),
}

/// Which target field of an operation waits for a label.
#[derive(Debug, Clone, Copy)]
pub(super) enum Field {
    True,
    False,
    Dense(usize),
    Sparse(usize),
    Default,
}

impl Emitter<'_> {
    pub(super) fn terminator(&mut self, terminator: &Terminator, block: BlockId) {
        match terminator {
            Terminator::Jump(jump) => self.jump(jump, Some(block)),
            Terminator::Branch { condition, if_true, if_false } => {
                self.branch(*condition, if_true, if_false);
            }
            Terminator::Switch { ty, value, cases, default } => self.switch(*ty, *value, cases, default),
            Terminator::Return(values) => self.return_values(values),
            Terminator::Unreachable => self.end(End::Unreachable),
            Terminator::Unsupported(what) => self.end(End::Unsupported(what.clone())),
        }
    }

    fn return_values(&mut self, values: &[Operand]) {
        let types = &self.function.signature.results;
        if let ([], _) | ([_], false) = (values, types.iter().any(|ty| ty.is_wide())) {
            match values.first() {
                None => self.push(Op::Return0),
                Some(value) => {
                    let a = self.reg(*value);
                    self.push(Op::Return1 { a });
                }
            }
            return;
        }
        // Each register in turn, wide values as two.
        let mut regs = Vec::new();
        for (value, ty) in values.iter().zip(types.clone()) {
            match (self.source(*value), ty.is_wide()) {
                (Source::Register(reg), false) => regs.push(reg),
                (Source::Register(reg), true) => regs.extend([reg, reg + 1]),
                (Source::Constant(bits), wide) => {
                    for half in 0..=u32::from(wide) {
                        let d = self.new_scratch();
                        self.push(Op::Const { d, value: (bits >> (64 * half)) as u64 });
                        regs.push(d);
                    }
                }
            }
        }
        let pool = self.code.pool.len() as u32;
        let count = regs.len() as u32;
        self.code.pool.extend(regs);
        self.push(Op::Return { pool, count });
    }

    /// Where control really goes: blocks that only jump on are skipped.
    fn final_target(&self, mut block: BlockId) -> BlockId {
        for _ in 0..16 {
            let target = self.function.block(block);
            let empty = target.params.is_empty() && self.folding.is_empty(block);
            match forwards(&target.terminator) {
                Some(jump) if empty && jump.block != block => block = jump.block,
                _ => break,
            }
        }
        block
    }

    /// Moves, then a jump; nothing if the target comes next.
    pub(super) fn jump(&mut self, jump: &Jump, from: Option<BlockId>) {
        self.moves(jump);
        self.scratch = 0;
        let target = match jump.args.is_empty() {
            true => self.final_target(jump.block),
            false => jump.block,
        };
        if from.is_some_and(|from| target.index() == from.index() + 1) {
            return;
        }
        if self.folding.is_empty(target)
            && let Terminator::Branch { condition, if_true, if_false } =
                &self.function.block(target).terminator
        {
            return self.branch(*condition, if_true, if_false);
        }
        self.fixups.push((self.pc(), Field::True, Label::Block(target)));
        self.push(Op::Jump { t: 0 });
    }

    /// The label of an edge: the block itself, or a stub that moves first.
    fn edge(&mut self, jump: &Jump) -> Label {
        if jump.args.is_empty() {
            return Label::Block(self.final_target(jump.block));
        }
        let known = self.stub_of.get(jump).copied();
        Label::Stub(known.unwrap_or_else(|| {
            let new = self.stubs.len();
            self.stubs.push((jump.clone(), None));
            self.stub_of.insert(jump.clone(), new);
            new
        }))
    }

    fn branch(&mut self, condition: Operand, if_true: &Jump, if_false: &Jump) {
        let (mut if_true, mut if_false) = (if_true, if_false);
        let compare = self.folding.compare(condition);
        if compare.is_none()
            && let Some(constant) = self.constant(condition)
        {
            let taken = if constant & 1 != 0 { if_true } else { if_false };
            return self.jump(taken, None);
        }
        let op = match compare {
            None => Op::Branch { a: self.reg(condition), t: 0, f: 0 },
            Some(compare) => {
                let (op, inverted) = self.compare_and_branch(compare);
                if inverted {
                    (if_true, if_false) = (if_false, if_true);
                }
                op
            }
        };
        let pc = self.pc();
        let (t, f) = (self.edge(if_true), self.edge(if_false));
        self.fixups.push((pc, Field::True, t));
        self.fixups.push((pc, Field::False, f));
        self.push(op);
    }

    /// The operation for a comparison, and whether its outcomes are swapped.
    fn compare_and_branch(&mut self, compare: FoldedCompare) -> (Op, bool) {
        use IntCompare::*;
        let FoldedCompare { mut op, ty, mut lhs, mut rhs } = compare;
        let (t, f) = (0, 0);
        if self.constant(lhs).is_some() {
            (lhs, rhs) = (rhs, lhs);
            op = swapped(op);
        }
        let narrow = ty.bits() == 32;
        if let Some(constant) = self.constant(rhs) {
            // As a signed number for signed comparisons; equality and unsigned ones compare the
            // zero-extended register, so the constant must be small and not negative.
            let signed = if narrow { i64::from(constant as u32 as i32) } else { constant as u64 as i64 };
            let small = i32::try_from(signed).ok();
            let natural = i32::try_from(constant as u64).ok();
            let encoded = match (op, natural, small) {
                (Eq, Some(b), _) => Some((Op::BranchEqImm { a: 0, b, t, f }, false)),
                (Ne, Some(b), _) => Some((Op::BranchEqImm { a: 0, b, t, f }, true)),
                (ULt, Some(b), _) => Some((Op::BranchULtImm { a: 0, b, t, f }, false)),
                (UGe, Some(b), _) => Some((Op::BranchULtImm { a: 0, b, t, f }, true)),
                (UGt, Some(b), _) => Some((Op::BranchUGtImm { a: 0, b, t, f }, false)),
                (ULe, Some(b), _) => Some((Op::BranchUGtImm { a: 0, b, t, f }, true)),
                (SLt, _, Some(b)) if narrow => Some((Op::BranchSLtImm32 { a: 0, b, t, f }, false)),
                (SGe, _, Some(b)) if narrow => Some((Op::BranchSLtImm32 { a: 0, b, t, f }, true)),
                (SGt, _, Some(b)) if narrow => Some((Op::BranchSGtImm32 { a: 0, b, t, f }, false)),
                (SLe, _, Some(b)) if narrow => Some((Op::BranchSGtImm32 { a: 0, b, t, f }, true)),
                (SLt, _, Some(b)) => Some((Op::BranchSLtImm64 { a: 0, b, t, f }, false)),
                (SGe, _, Some(b)) => Some((Op::BranchSLtImm64 { a: 0, b, t, f }, true)),
                (SGt, _, Some(b)) => Some((Op::BranchSGtImm64 { a: 0, b, t, f }, false)),
                (SLe, _, Some(b)) => Some((Op::BranchSGtImm64 { a: 0, b, t, f }, true)),
                _ => None,
            };
            if let Some((mut op, inverted)) = encoded {
                let reg = self.reg(lhs);
                match &mut op {
                    Op::BranchEqImm { a, .. }
                    | Op::BranchULtImm { a, .. }
                    | Op::BranchUGtImm { a, .. }
                    | Op::BranchSLtImm32 { a, .. }
                    | Op::BranchSGtImm32 { a, .. }
                    | Op::BranchSLtImm64 { a, .. }
                    | Op::BranchSGtImm64 { a, .. } => *a = reg,
                    _ => {}
                }
                return (op, inverted);
            }
        }
        let (a, b) = (self.reg(lhs), self.reg(rhs));
        match op {
            Eq => (Op::BranchEq { a, b, t, f }, false),
            Ne => (Op::BranchEq { a, b, t, f }, true),
            ULt => (Op::BranchULt { a, b, t, f }, false),
            UGe => (Op::BranchULt { a, b, t, f }, true),
            UGt => (Op::BranchULt { a: b, b: a, t, f }, false),
            ULe => (Op::BranchULe { a, b, t, f }, false),
            SLt if narrow => (Op::BranchSLt32 { a, b, t, f }, false),
            SGe if narrow => (Op::BranchSLt32 { a, b, t, f }, true),
            SGt if narrow => (Op::BranchSLt32 { a: b, b: a, t, f }, false),
            SLe if narrow => (Op::BranchSLe32 { a, b, t, f }, false),
            SLt => (Op::BranchSLt64 { a, b, t, f }, false),
            SGe => (Op::BranchSLt64 { a, b, t, f }, true),
            SGt => (Op::BranchSLt64 { a: b, b: a, t, f }, false),
            SLe => (Op::BranchSLe64 { a, b, t, f }, false),
        }
    }

    fn switch(&mut self, ty: Type, value: Operand, cases: &[(u128, Jump)], default: &Jump) {
        if ty.is_wide() {
            return self.wide_switch(ty, value, cases, default);
        }
        let a = self.reg(value);
        let pc = self.pc();
        let mut sorted: Vec<(u64, Label)> =
            cases.iter().map(|(case, jump)| (*case as u64, self.edge(jump))).collect();
        sorted.sort_by_key(|(case, _)| *case);
        let default = self.edge(default);
        let mut table = SwitchTable { base: 0, dense: Vec::new(), sparse: Vec::new(), default: 0 };
        self.fixups.push((pc, Field::Default, default));
        let span = sorted.last().map_or(0, |(last, _)| last - sorted[0].0);
        if !sorted.is_empty() && span < 4 * sorted.len() as u64 + 16 {
            table.base = sorted[0].0;
            table.dense = vec![0; span as usize + 1];
            let mut labels = vec![default; table.dense.len()];
            for (case, label) in &sorted {
                labels[(case - table.base) as usize] = *label;
            }
            for (index, label) in labels.into_iter().enumerate() {
                self.fixups.push((pc, Field::Dense(index), label));
            }
        } else {
            for (index, (case, label)) in sorted.into_iter().enumerate() {
                table.sparse.push((case, 0));
                self.fixups.push((pc, Field::Sparse(index), label));
            }
        }
        self.code.switches.push(table);
        self.push(Op::Switch { a, table: self.code.switches.len() as u32 - 1 });
    }

    /// A switch on a 128-bit value: one comparison after the other.
    fn wide_switch(&mut self, ty: Type, value: Operand, cases: &[(u128, Jump)], default: &Jump) {
        let a = self.source(value);
        for (case, jump) in cases {
            let d = self.new_scratch();
            let b = Source::Constant(*case);
            self.generic(Generic::Compare { op: IntCompare::Eq, ty, d, a, b });
            let label = self.edge(jump);
            let pc = self.pc();
            self.fixups.push((pc, Field::True, label));
            self.push(Op::Branch { a: d, t: 0, f: pc + 1 });
        }
        self.jump(default, None);
    }

    /// Passes arguments to the target's parameters, all at once.
    fn moves(&mut self, jump: &Jump) {
        let params = &self.function.block(jump.block).params;
        let mut pending: Vec<(Reg, Source)> = Vec::new();
        for (arg, param) in jump.args.iter().zip(params) {
            let to = self.allocation.register(*param);
            match (self.source(*arg), self.function.type_of(*param).is_wide()) {
                (Source::Register(from), false) => pending.push((to, Source::Register(from))),
                (Source::Register(from), true) => {
                    pending.push((to, Source::Register(from)));
                    pending.push((to + 1, Source::Register(from + 1)));
                }
                (Source::Constant(bits), wide) => {
                    for half in 0..=u16::from(wide) {
                        let value = (bits >> (64 * u32::from(half))) as u64;
                        pending.push((to + half, Source::Constant(u128::from(value))));
                    }
                }
            }
        }
        pending.retain(|(to, from)| *from != Source::Register(*to));
        self.parallel_moves(&pending);
    }

    /// Moves that read all their sources before any target is written.
    fn parallel_moves(&mut self, moves: &[(Reg, Source)]) {
        let mut pending: FxHashMap<Reg, Source> = moves.iter().copied().collect();
        // How many of them still read each register.
        let mut readers: FxHashMap<Reg, u32> = FxHashMap::default();
        for (_, from) in moves {
            if let Source::Register(reg) = from {
                *readers.entry(*reg).or_default() += 1;
            }
        }
        // A move whose target nobody still reads can go first; that may make the next one possible.
        for (to, _) in moves {
            let mut next = Some(*to);
            while let Some(d) = next.take().filter(|d| readers.get(d).is_none_or(|count| *count == 0)) {
                match pending.remove(&d) {
                    Some(Source::Constant(value)) => self.push(Op::Const { d, value: value as u64 }),
                    Some(Source::Register(a)) => {
                        self.push(Op::Move { d, a });
                        readers.entry(a).and_modify(|count| *count -= 1);
                        next = Some(a);
                    }
                    None => {}
                }
            }
        }
        // What is left are cycles: each target is the source of exactly one other. A scratch register opens them.
        for (first, _) in moves {
            if !pending.contains_key(first) {
                continue;
            }
            let saved = self.new_scratch();
            self.push(Op::Move { d: saved, a: *first });
            let mut d = *first;
            while let Some(Source::Register(from)) = pending.remove(&d) {
                self.push(Op::Move { d, a: if from == *first { saved } else { from } });
                d = from;
            }
        }
    }

    pub(super) fn resolve_labels(&mut self) {
        for (pc, field, label) in std::mem::take(&mut self.fixups) {
            let target = match label {
                Label::Block(block) => self.labels[block.index()],
                Label::Stub(stub) => self.stubs[stub].1,
            };
            // Every block and stub has been placed; `Code::check` would notice otherwise.
            let target = target.unwrap_or(Pc::MAX);
            set_target(&mut self.code.ops[pc as usize], &mut self.code.switches, field, target);
        }
    }
}

fn set_target(op: &mut Op, switches: &mut [SwitchTable], field: Field, target: Pc) {
    use Op::*;
    match op {
        Jump { t } => *t = target,
        Branch { t, f, .. }
        | BranchEq { t, f, .. }
        | BranchULt { t, f, .. }
        | BranchULe { t, f, .. }
        | BranchSLt32 { t, f, .. }
        | BranchSLe32 { t, f, .. }
        | BranchSLt64 { t, f, .. }
        | BranchSLe64 { t, f, .. }
        | BranchEqImm { t, f, .. }
        | BranchULtImm { t, f, .. }
        | BranchUGtImm { t, f, .. }
        | BranchSLtImm32 { t, f, .. }
        | BranchSGtImm32 { t, f, .. }
        | BranchSLtImm64 { t, f, .. }
        | BranchSGtImm64 { t, f, .. } => match field {
            Field::False => *f = target,
            _ => *t = target,
        },
        Switch { table, .. } => {
            let table = &mut switches[*table as usize];
            match field {
                Field::Dense(index) => table.dense[index] = target,
                Field::Sparse(index) => table.sparse[index].1 = target,
                _ => table.default = target,
            }
        }
        _ => {}
    }
}

/// The comparison with its operands exchanged.
fn swapped(op: IntCompare) -> IntCompare {
    use IntCompare::*;
    match op {
        Eq => Eq,
        Ne => Ne,
        ULt => UGt,
        ULe => UGe,
        UGt => ULt,
        UGe => ULe,
        SLt => SGt,
        SLe => SGe,
        SGt => SLt,
        SGe => SLe,
    }
}
