//! What needs no code of its own.

use super::CodeFor;
use selvedge_program::{
    Block, BlockId, CastOp, Function, InstKind, IntCompare, LoadOrder, Operand, StoreOrder, Terminator, Type,
    ValueId,
};

/// An address as loads and stores can encode it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldedAddress {
    /// Added first.
    pub base: Operand,
    /// Added after multiplication.
    pub index: Option<(Operand, u8)>,
    /// Added last.
    pub offset: i32,
}

/// A comparison as branches can encode it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldedCompare {
    /// The comparison.
    pub op: IntCompare,
    /// Type of the operands.
    pub ty: Type,
    /// First operand.
    pub lhs: Operand,
    /// Second operand.
    pub rhs: Operand,
}

/// Decisions about one function.
pub struct Folding {
    aliases: Vec<Option<Operand>>,
    addresses: Vec<Option<FoldedAddress>>,
    compares: Vec<Option<FoldedCompare>>,
    /// Values that nobody reads and that are computed without an effect.
    unused: Vec<bool>,
    /// Blocks that have no code but their terminator.
    empty: Vec<bool>,
    code_for: CodeFor,
}

impl Folding {
    /// Decides for a function.
    pub fn new(function: &Function, code_for: CodeFor) -> Self {
        let count = function.values.len();
        let mut folding = Folding {
            aliases: vec![None; count],
            addresses: vec![None; count],
            compares: vec![None; count],
            unused: vec![false; count],
            empty: Vec::new(),
            code_for,
        };
        folding.find_aliases(function);
        folding.find_addresses(function);
        folding.find_unused(function);
        folding.find_compares(function);
        folding.find_empty(function);
        folding
    }

    /// Whether loads of a type have operations of their own; for graphs, plain ones only.
    pub fn loads(&self, ty: Type, order: LoadOrder) -> bool {
        is_simple(ty) && (order == LoadOrder::Plain || self.code_for == CodeFor::Steps)
    }

    /// Whether stores of a type have operations of their own.
    pub fn stores(&self, ty: Type, order: StoreOrder) -> bool {
        is_simple(ty) && (order == StoreOrder::Plain || self.code_for == CodeFor::Steps)
    }

    /// The operand that an operand stands for.
    pub fn resolve(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.aliases[value.index()].unwrap_or(operand),
            other => other,
        }
    }

    /// The address that a load or store uses, in parts.
    pub fn address(&self, operand: Operand) -> FoldedAddress {
        let operand = self.resolve(operand);
        let folded = match operand {
            Operand::Value(value) => self.addresses[value.index()],
            _ => None,
        };
        folded.unwrap_or(FoldedAddress { base: operand, index: None, offset: 0 })
    }

    /// The comparison behind a branch's condition, if it is part of the branch.
    pub fn compare(&self, condition: Operand) -> Option<FoldedCompare> {
        match self.resolve(condition) {
            Operand::Value(value) => self.compares[value.index()],
            _ => None,
        }
    }

    /// Whether the instruction that defines these values needs no code.
    pub fn is_folded(&self, kind: &InstKind, results: &[ValueId]) -> bool {
        let gone = |value: &ValueId| {
            let index = value.index();
            self.aliases[index].is_some()
                || self.addresses[index].is_some()
                || self.compares[index].is_some()
                || self.unused[index]
        };
        !results.is_empty() && kind.is_pure() && results.iter().all(gone)
    }

    fn find_aliases(&mut self, function: &Function) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let (InstKind::Cast { op, from, to, value }, [result]) = (&inst.kind, inst.results.as_slice())
            else {
                continue;
            };
            let same_register = match op {
                CastOp::Bits => true,
                CastOp::ZeroExtend => !from.is_wide() && !to.is_wide(),
                _ => false,
            };
            // A constant operand changes its type; registers have none.
            if same_register {
                self.aliases[result.index()] = Some(match self.resolve(*value) {
                    Operand::Const(_, bits) => Operand::Const(*to, bits),
                    Operand::Undefined(_) => Operand::Undefined(*to),
                    other => other,
                });
            }
        }
    }

    fn find_addresses(&mut self, function: &Function) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let [result] = inst.results.as_slice() {
                self.addresses[result.index()] = self.encodable_address(&inst.kind);
            }
        }
        // Only addresses that nothing but loads and stores (and other such addresses) use can go. One that must stay
        // needs its operands: these come before it, so going backwards meets them after all that need them. It may
        // change how the addresses behind it are computed, hence the loop; hardly anything changes in its second round.
        loop {
            let mut needed = self.needed_by_terminators(function);
            let mut changed = false;
            for inst in function.blocks.iter().rev().flat_map(|block| block.insts.iter().rev()) {
                if let [result] = inst.results.as_slice()
                    && needed[result.index()]
                    && self.addresses[result.index()].take().is_some()
                {
                    changed = true;
                }
                self.needed_values(&inst.kind, &inst.results, |value| needed[value.index()] = true);
            }
            if !changed {
                return;
            }
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                if let [result] = inst.results.as_slice()
                    && self.addresses[result.index()].is_some()
                {
                    self.addresses[result.index()] = self.encodable_address(&inst.kind);
                }
            }
        }
    }

    /// The values that terminators need in a register.
    fn needed_by_terminators(&self, function: &Function) -> Vec<bool> {
        let mut needed = vec![false; function.values.len()];
        for block in &function.blocks {
            block.terminator.for_each_operand(|operand| {
                if let Operand::Value(value) = self.resolve(operand) {
                    needed[value.index()] = true;
                }
            });
        }
        needed
    }

    /// The address an instruction computes, if a load or store can compute it itself.
    fn encodable_address(&self, kind: &InstKind) -> Option<FoldedAddress> {
        let InstKind::Offset { base, offset, terms } = kind else { return None };
        let offset = i32::try_from(*offset).ok()?;
        let index = match terms.as_slice() {
            [] => None,
            [(index, scale)] => Some((self.resolve(*index), u8::try_from(*scale).ok()?)),
            _ => return None,
        };
        // `&p->a[i]` is two steps at -O0: fold a constant step into the one before.
        let inner = self.address(*base);
        let base = self.resolve(*base);
        Some(match (inner.offset.checked_add(offset), index, inner.index) {
            (Some(offset), index, None) => FoldedAddress { base: inner.base, index, offset },
            (Some(offset), None, Some(_)) => FoldedAddress { offset, ..inner },
            _ => FoldedAddress { base, index, offset },
        })
    }

    /// Calls `visit` with the values an instruction needs in a register of their own.
    fn needed_values(&self, kind: &InstKind, results: &[ValueId], mut visit: impl FnMut(ValueId)) {
        let mut need = |operand: Operand| {
            if let Operand::Value(value) = self.resolve(operand) {
                visit(value);
            }
        };
        let address = |operand: Operand, need: &mut dyn FnMut(Operand)| {
            let folded = self.address(operand);
            need(folded.base);
            if let Some((index, _)) = folded.index {
                need(index);
            }
        };
        match kind {
            InstKind::Load { address: at, ty, order } if self.loads(*ty, *order) => address(*at, &mut need),
            InstKind::Store { address: at, value, ty, order, .. } if self.stores(*ty, *order) => {
                address(*at, &mut need);
                need(*value);
            }
            InstKind::Offset { .. } if results.iter().all(|r| self.addresses[r.index()].is_some()) => {}
            InstKind::Cast { .. } if results.iter().all(|r| self.aliases[r.index()].is_some()) => {}
            _ => kind.for_each_operand(need),
        }
    }

    /// The values that an instruction reads when it is emitted.
    pub fn reads(&self, kind: &InstKind, results: &[ValueId]) -> Vec<ValueId> {
        let mut reads = Vec::new();
        if !self.is_folded(kind, results) {
            self.needed_values(kind, results, |value| reads.push(value));
        }
        reads
    }

    fn find_unused(&mut self, function: &Function) {
        let mut used = self.needed_by_terminators(function);
        // Backwards: whether an instruction is needed is known after all that could use its results.
        for inst in function.blocks.iter().rev().flat_map(|block| block.insts.iter().rev()) {
            if inst.kind.is_pure() && inst.results.iter().all(|result| !used[result.index()]) {
                inst.results.iter().for_each(|result| self.unused[result.index()] = true);
            }
            if !self.is_folded(&inst.kind, &inst.results) {
                self.needed_values(&inst.kind, &inst.results, |value| used[value.index()] = true);
            }
        }
    }

    fn find_compares(&mut self, function: &Function) {
        let mut uses = vec![0u32; function.values.len()];
        let mut count = |value: ValueId| uses[value.index()] += 1;
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            self.reads(&inst.kind, &inst.results).into_iter().for_each(&mut count);
        }
        for block in &function.blocks {
            block.terminator.for_each_operand(|operand| {
                if let Operand::Value(value) = self.resolve(operand) {
                    count(value);
                }
            });
        }
        for block in &function.blocks {
            let Terminator::Branch { condition, .. } = &block.terminator else { continue };
            let Operand::Value(condition) = self.resolve(*condition) else { continue };
            if uses[condition.index()] != 1 {
                continue;
            }
            let definition = block.insts.iter().find(|inst| inst.results == [condition]);
            if let Some(InstKind::Compare { op, ty, lhs, rhs }) = definition.map(|inst| &inst.kind) {
                let signed =
                    matches!(op, IntCompare::SLt | IntCompare::SLe | IntCompare::SGt | IntCompare::SGe);
                let encodable = !ty.is_wide() && (!signed || matches!(ty.bits(), 32 | 64));
                if encodable {
                    let (lhs, rhs) = (self.resolve(*lhs), self.resolve(*rhs));
                    self.compares[condition.index()] = Some(FoldedCompare { op: *op, ty: *ty, lhs, rhs });
                }
            }
        }
    }

    /// Finds the blocks whose instructions need no code.
    fn find_empty(&mut self, function: &Function) {
        let is_empty =
            |block: &Block| block.insts.iter().all(|inst| self.is_folded(&inst.kind, &inst.results));
        self.empty = function.blocks.iter().map(is_empty).collect();
    }

    /// Whether a block has no code but its terminator.
    pub fn is_empty(&self, block: BlockId) -> bool {
        self.empty[block.index()]
    }
}

/// Whether plain loads and stores of the type have operations of their own.
fn is_simple(ty: Type) -> bool {
    match ty {
        Type::Int(bits) => matches!(bits, 1 | 8 | 16 | 32 | 64),
        Type::F32 | Type::F64 | Type::Ptr => true,
    }
}
