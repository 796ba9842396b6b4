//! Operands and jumps of instructions and terminators: to read them, and to change them.
//!
//! The match over all instructions that says which operands each has, and of which types, stands here, once. Operands are
//! visited in the order in which the text form writes them.

use crate::{BlockId, Callee, Function, InstKind, Jump, Operand, Terminator, Type};

/// Visits the operands of an instruction that is borrowed, or borrowed mutably, each with the type that it must have.
macro_rules! visit_operands {
    ($kind:expr, $visit:ident, $iter:ident $(, $mutable:ident)?) => {
        match $kind {
            InstKind::Binary { ty, lhs, rhs, .. }
            | InstKind::Overflow { ty, lhs, rhs, .. }
            | InstKind::Compare { ty, lhs, rhs, .. }
            | InstKind::CompareFloat { ty, lhs, rhs, .. } => {
                $visit(lhs, *ty);
                $visit(rhs, *ty);
            }
            InstKind::Unary { ty, value, .. }
            | InstKind::FloatClass { ty, value, .. }
            | InstKind::Cast { from: ty, value, .. } => $visit(value, *ty),
            InstKind::FunnelShift { ty, high: a, low: b, amount: c, .. }
            | InstKind::FusedMultiplyAdd { ty, a, b, c } => {
                $visit(a, *ty);
                $visit(b, *ty);
                $visit(c, *ty);
            }
            InstKind::Select { ty, condition, if_true, if_false } => {
                $visit(condition, Type::BOOL);
                $visit(if_true, *ty);
                $visit(if_false, *ty);
            }
            InstKind::Load { address: pointer, .. }
            | InstKind::StackRestore { saved: pointer }
            | InstKind::VaStart { list: pointer } => $visit(pointer, Type::Ptr),
            InstKind::Store { ty, address, value, .. } | InstKind::Rmw { ty, address, value, .. } => {
                $visit(address, Type::Ptr);
                $visit(value, *ty);
            }
            InstKind::CompareExchange { ty, address, expected, new, .. } => {
                $visit(address, Type::Ptr);
                $visit(expected, *ty);
                $visit(new, *ty);
            }
            InstKind::Offset { base, terms, .. } => {
                $visit(base, Type::Ptr);
                for (index, _) in terms.$iter() {
                    $visit(index, Type::I64);
                }
            }
            InstKind::DynamicAlloca { size, .. } => $visit(size, Type::I64),
            InstKind::CopyMemory { to, from, size } => {
                $visit(to, Type::Ptr);
                $visit(from, Type::Ptr);
                $visit(size, Type::I64);
            }
            InstKind::SetMemory { to, byte, size } => {
                $visit(to, Type::Ptr);
                $visit(byte, Type::BYTE);
                $visit(size, Type::I64);
            }
            InstKind::Call(call) => {
                let call = &$($mutable)? **call;
                if let Callee::Pointer(pointer) = &$($mutable)? call.callee {
                    $visit(pointer, Type::Ptr);
                }
                // There are as many types as arguments, unless the call is malformed.
                let types = call.signature.params.iter().copied().chain(std::iter::repeat(Type::I64));
                for (arg, ty) in call.args.$iter().zip(types) {
                    $visit(arg, ty);
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
        self.for_each_typed_operand(|operand, _| visit(operand));
    }

    /// Calls `visit` with each operand it reads and the type that it must have.
    pub fn for_each_typed_operand(&self, mut visit: impl FnMut(Operand, Type)) {
        let mut read = |operand: &Operand, ty| visit(*operand, ty);
        visit_operands!(self, read, iter);
    }

    /// Calls `visit` with each operand it reads, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        let mut change = |operand: &mut Operand, _| visit(operand);
        visit_operands!(self, change, iter_mut, mut);
    }

    /// The types of its results, in order.
    pub fn results(&self) -> impl Iterator<Item = Type> {
        let (first, second, rest): (_, _, &[Type]) = match self {
            InstKind::Binary { ty, .. }
            | InstKind::Unary { ty, .. }
            | InstKind::FunnelShift { ty, .. }
            | InstKind::FusedMultiplyAdd { ty, .. }
            | InstKind::Cast { to: ty, .. }
            | InstKind::Select { ty, .. }
            | InstKind::Load { ty, .. }
            | InstKind::Rmw { ty, .. } => (Some(*ty), None, &[]),
            InstKind::Overflow { ty, .. } | InstKind::CompareExchange { ty, .. } => {
                (Some(*ty), Some(Type::BOOL), &[])
            }
            InstKind::Compare { .. } | InstKind::CompareFloat { .. } | InstKind::FloatClass { .. } => {
                (Some(Type::BOOL), None, &[])
            }
            InstKind::Offset { .. }
            | InstKind::SlotAddress(_)
            | InstKind::ThreadLocalAddress(_)
            | InstKind::DynamicAlloca { .. }
            | InstKind::StackSave => (Some(Type::Ptr), None, &[]),
            InstKind::Call(call) => (None, None, &call.signature.results),
            InstKind::StackRestore { .. }
            | InstKind::LifetimeStart(_)
            | InstKind::LifetimeEnd(_)
            | InstKind::Store { .. }
            | InstKind::Fence { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::SetMemory { .. }
            | InstKind::VaStart { .. }
            | InstKind::Trap { .. }
            | InstKind::Unsupported(_) => (None, None, &[]),
        };
        first.into_iter().chain(second).chain(rest.iter().copied())
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
    use crate::samples;

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
