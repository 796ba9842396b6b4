//! Operands and jumps of instructions and terminators: to read them, and to change them.
//!
//! The match over all instructions that says which operands each has stands here, once. Operands are visited in the order
//! in which the text form writes them.

use crate::{BlockId, Callee, Function, InstKind, Jump, Operand, Terminator};

/// Visits the operands of an instruction that is borrowed, or borrowed mutably.
macro_rules! visit_operands {
    ($kind:expr, $visit:ident, $iter:ident $(, $mutable:ident)?) => {
        match $kind {
            InstKind::Binary { lhs: a, rhs: b, .. }
            | InstKind::Overflow { lhs: a, rhs: b, .. }
            | InstKind::Compare { lhs: a, rhs: b, .. }
            | InstKind::CompareFloat { lhs: a, rhs: b, .. }
            | InstKind::Store { address: a, value: b, .. }
            | InstKind::Rmw { address: a, value: b, .. } => {
                $visit(a);
                $visit(b);
            }
            InstKind::FunnelShift { high: a, low: b, amount: c, .. }
            | InstKind::FusedMultiplyAdd { a, b, c, .. }
            | InstKind::Select { condition: a, if_true: b, if_false: c, .. }
            | InstKind::CompareExchange { address: a, expected: b, new: c, .. }
            | InstKind::CopyMemory { to: a, from: b, size: c }
            | InstKind::SetMemory { to: a, byte: b, size: c } => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            InstKind::Unary { value: a, .. }
            | InstKind::FloatClass { value: a, .. }
            | InstKind::Cast { value: a, .. }
            | InstKind::DynamicAlloca { size: a, .. }
            | InstKind::StackRestore { saved: a }
            | InstKind::Load { address: a, .. }
            | InstKind::VaStart { list: a } => $visit(a),
            InstKind::Offset { base, terms, .. } => {
                $visit(base);
                for (index, _) in terms.$iter() {
                    $visit(index);
                }
            }
            InstKind::Call(call) => {
                if let Callee::Pointer(pointer) = &$($mutable)? call.callee {
                    $visit(pointer);
                }
                for arg in call.args.$iter() {
                    $visit(arg);
                }
            }
            InstKind::SlotAddress(_)
            | InstKind::ThreadLocalAddress(_)
            | InstKind::StackSave
            | InstKind::LifetimeStart(_)
            | InstKind::LifetimeEnd(_)
            | InstKind::Fence { .. }
            | InstKind::Trap { .. }
            | InstKind::Unsupported(_) => {}
        }
    };
}

impl InstKind {
    /// Calls `visit` with each operand it reads.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        let mut read = |operand: &Operand| visit(*operand);
        visit_operands!(self, read, iter);
    }

    /// Calls `visit` with each operand it reads, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        visit_operands!(self, visit, iter_mut, mut);
    }
}

/// Visits the operands of a terminator that are not arguments of its jumps.
macro_rules! visit_own_operands {
    ($terminator:expr, $visit:ident, $iter:ident) => {
        match $terminator {
            Terminator::Branch { condition: a, .. } | Terminator::Switch { value: a, .. } => $visit(a),
            Terminator::Return(values) => values.$iter().for_each(&mut $visit),
            Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported(_) => {}
        }
    };
}

/// The jumps of a terminator: the cases of a switch, then its default; or up to two.
macro_rules! jumps {
    ($terminator:expr, $iter:ident, $none:expr) => {{
        let (cases, first, second) = match $terminator {
            Terminator::Jump(jump) => ($none, Some(jump), None),
            Terminator::Branch { if_true, if_false, .. } => ($none, Some(if_true), Some(if_false)),
            Terminator::Switch { cases, default, .. } => (cases.$iter(), Some(default), None),
            Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => {
                ($none, None, None)
            }
        };
        cases.map(|(_, jump)| jump).chain(first).chain(second)
    }};
}

impl Terminator {
    /// The jumps it may take.
    pub fn jumps(&self) -> impl Iterator<Item = &Jump> {
        jumps!(self, iter, [].iter())
    }

    /// The jumps it may take, to change them.
    pub fn jumps_mut(&mut self) -> impl Iterator<Item = &mut Jump> {
        jumps!(self, iter_mut, [].iter_mut())
    }

    /// The blocks it may go to; one may occur several times.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> {
        self.jumps().map(|jump| jump.block)
    }

    /// Calls `visit` with what it decides by or returns: each operand but the arguments of jumps.
    pub fn for_each_own_operand(&self, mut visit: impl FnMut(Operand)) {
        let mut read = |operand: &Operand| visit(*operand);
        visit_own_operands!(self, read, iter);
    }

    /// Calls `visit` with each operand it reads, arguments of jumps included.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        self.for_each_own_operand(&mut visit);
        self.jumps().flat_map(|jump| &jump.args).copied().for_each(visit);
    }

    /// Calls `visit` with each operand it reads, arguments of jumps included, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        visit_own_operands!(self, visit, iter_mut);
        self.jumps_mut().flat_map(|jump| &mut jump.args).for_each(visit);
    }
}

impl Function {
    /// Calls `visit` with each operand of each instruction and terminator, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        for block in &self.blocks {
            block.insts.iter().for_each(|inst| inst.kind.for_each_operand(&mut visit));
            block.terminator.for_each_operand(&mut visit);
        }
    }

    /// Calls `visit` with each operand of each instruction and terminator, in order, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        for block in &mut self.blocks {
            block.insts.iter_mut().for_each(|inst| inst.kind.for_each_operand_mut(&mut visit));
            block.terminator.for_each_operand_mut(&mut visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, samples};

    fn operands(kind: &InstKind) -> Vec<Operand> {
        let mut operands = Vec::new();
        kind.for_each_operand(|operand| operands.push(operand));
        operands
    }

    #[test]
    fn both_visitors_see_the_same_operands() {
        let mut counts = [0; 4];
        for mut kind in samples::kinds() {
            let read = operands(&kind);
            let mut changed = Vec::new();
            kind.for_each_operand_mut(|operand| {
                changed.push(*operand);
                *operand = Operand::Const(Type::I64, changed.len() as u128);
            });
            assert_eq!(read, changed, "{kind}");
            let numbers: Vec<_> = (1..=read.len() as u128).map(|n| Operand::Const(Type::I64, n)).collect();
            assert_eq!(operands(&kind), numbers, "{kind}");
            counts[read.len()] += 1;
        }
        assert_eq!(counts, [8, 7, 6, 9]);
    }

    #[test]
    fn terminators_have_their_own_operands_and_those_of_their_jumps() {
        let expected = [(0, 1), (1, 2), (1, 3), (1, 0)];
        for (mut terminator, (own, passed)) in samples::terminators().into_iter().zip(expected) {
            let (mut first, mut all, mut changed) = (Vec::new(), Vec::new(), Vec::new());
            terminator.for_each_own_operand(|operand| first.push(operand));
            terminator.for_each_operand(|operand| all.push(operand));
            terminator.for_each_operand_mut(|operand| changed.push(*operand));
            assert_eq!((first.len(), all.len()), (own, own + passed), "{terminator}");
            assert_eq!(all, changed);
            assert!(all.starts_with(&first));
            assert_eq!(terminator.successors().collect::<Vec<_>>(), vec![BlockId(1); passed]);
            terminator.jumps_mut().for_each(|jump| jump.block = BlockId(2));
            assert!(terminator.successors().all(|block| block == BlockId(2)));
        }
    }
}
