//! Expressions on atomic objects for which clang 22 is known to make wrong code.
//!
//! What is not a single `atomicrmw` instruction becomes a loop of one block:
//!
//! ```text
//!         first = load atomic p                      \
//!   loop: seen  = phi(first, old)                     |  all with the span of the expression
//!         new   = seen op operand                     |
//!         old, done = cmpxchg p, seen, new            |
//!         branch done, behind, loop                  /
//! ```
//!
//! * For `p++` and `p--` the value of the expression is `first`; it must be `seen` (pointers, and `_Bool` with `--`).
//! * For compound assignments `seen` is converted from the *atomic* type, which clang takes for neither signed nor `_Bool`: a
//!   negative value is extended by zeros, and a `_Bool` gets the low byte of the result.
//!
//! And `i += 0.5` is an `atomicrmw` of the converted operand, where C converts the sum. If the operand is a constant nothing is
//! left of the conversion, so that is not found.
//!
//! Loops that the source has are made of other blocks, since `atomic_compare_exchange` writes back what it has seen; in modules
//! that were optimised before, their load and their exchange have different spans.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::*;

/// All such expressions in the user's functions, in the order of the source.
pub fn find(program: &Program) -> Vec<Miscompiled> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| !function.library) {
        let search = Search { program, function };
        let updates = search.updates();
        for (update, stale) in updates.iter().zip(search.stale(&updates)) {
            found.extend(stale.map(|deviation| search.at(update, deviation)));
            found.extend(search.stored(update).map(|deviation| search.at(update, deviation)));
        }
        let insts = function.blocks.iter().flat_map(|block| &block.insts);
        found.extend(insts.filter_map(|inst| search.truncated_operand(inst)));
    }
    let place = |found: &Miscompiled| {
        let Span { file, line, column, .. } = program.source.span(found.span);
        (file, line, column, found.deviation)
    };
    found.sort_by_key(place);
    found.dedup_by_key(|found| place(found));
    found
}

/// The loop of an update.
struct Update {
    address: Operand,
    ty: Type,
    /// What is written if the exchange succeeds.
    new: Operand,
    /// The value that is compared and computed with.
    seen: ValueId,
    /// What the first load gave, and conversions of that on the way to `seen`.
    first: Vec<ValueId>,
    /// The block that goes to the loop, and nowhere else.
    before: BlockId,
    /// Whether what is read is made a truth value on the way to `seen`.
    boolean: bool,
    span: SpanId,
}

struct Search<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Search<'_> {
    fn at(&self, update: &Update, deviation: Deviation) -> Miscompiled {
        self.miscompiled(update.span, update.address, update.ty, deviation)
    }

    fn miscompiled(&self, span: SpanId, address: Operand, ty: Type, deviation: Deviation) -> Miscompiled {
        let object = naming::describe_address(self.program, self.function, address, u64::from(ty.bytes()));
        Miscompiled { span, object, deviation }
    }

    fn definition(&self, operand: Operand) -> Option<&Inst> {
        self.function.definition(operand.as_value()?)
    }

    /// The values from which a value is converted, itself first.
    fn conversions(&self, operand: Operand) -> Vec<ValueId> {
        let from = |value: &ValueId| match self.function.definition(*value)?.kind {
            InstKind::Cast { value, .. } => value.as_value(),
            _ => None,
        };
        std::iter::successors(operand.as_value(), from).collect()
    }

    /// All loops of updates.
    fn updates(&self) -> Vec<Update> {
        let is_exchange = |inst: &Inst| matches!(inst.kind, InstKind::CompareExchange { .. });
        let blocks = self.function.blocks.iter().enumerate();
        let exchanges = blocks.filter(|(_, block)| block.insts.iter().any(is_exchange));
        let mut exchanges = exchanges.map(|(index, _)| BlockId::new(index)).peekable();
        if exchanges.peek().is_none() {
            return Vec::new();
        }
        let before = self.predecessors();
        exchanges.filter_map(|id| self.update_loop(id, before[id.index()]?)).collect()
    }

    /// For each block its only predecessor other than itself, if it has just one.
    fn predecessors(&self) -> Vec<Option<BlockId>> {
        let mut predecessors = vec![Vec::new(); self.function.blocks.len()];
        for (index, block) in self.function.blocks.iter().enumerate() {
            for jump in block.terminator.jumps() {
                if jump.block.index() != index {
                    predecessors[jump.block.index()].push(BlockId::new(index));
                }
            }
        }
        let only = |before: Vec<BlockId>| (before.len() == 1).then(|| before.first().copied()).flatten();
        predecessors.into_iter().map(only).collect()
    }

    /// The update by a loop that consists of this block alone, if it is one; `before` leads to it.
    fn update_loop(&self, id: BlockId, before: BlockId) -> Option<Update> {
        let block = self.function.block(id);
        let Terminator::Branch { condition, if_true, if_false } = &block.terminator else { return None };
        if if_false.block != id || if_true.block == id {
            return None;
        }
        let exchange = self.definition(*condition)?;
        let InstKind::CompareExchange { ty, address, expected, new, .. } = exchange.kind else { return None };
        let &[old, done] = exchange.results.as_slice() else { return None };
        if *condition != Operand::Value(done) || exchange.span == SpanId::NONE {
            return None;
        }
        let seen = *self.conversions(expected).last()?;
        let position = block.params.iter().position(|param| *param == seen)?;
        let again = self.conversions(*if_false.args.get(position)?);
        if again.last() != Some(&old) {
            return None;
        }
        let Terminator::Jump(jump) = &self.function.block(before).terminator else { return None };
        let first = self.conversions(*jump.args.get(position)?);
        let load = self.function.definition(*first.last()?)?;
        let InstKind::Load { address: loaded, order: LoadOrder::SeqCst, .. } = load.kind else { return None };
        if loaded != address || load.span != exchange.span {
            return None;
        }
        let boolean = again.iter().any(|value| self.function.type_of(*value) == Type::BOOL);
        Some(Update { address, ty, new, seen, first, before, boolean, span: exchange.span })
    }

    /// For each update, whether something behind the loop uses what was loaded first.
    fn stale(&self, updates: &[Update]) -> Vec<Option<Deviation>> {
        let mut stale = vec![None; updates.len()];
        if updates.is_empty() {
            return stale;
        }
        let mut loaded = FxHashMap::default();
        for (index, update) in updates.iter().enumerate() {
            loaded.extend(update.first.iter().map(|value| (*value, index)));
        }
        let mut used = |operand: Operand| {
            if let Some(index) = operand.as_value().and_then(|value| loaded.get(&value)) {
                let is_pointer = updates[*index].ty == Type::Ptr;
                stale[*index] = Some(match is_pointer {
                    true => Deviation::StalePointer,
                    false => Deviation::StaleValue,
                });
            }
        };
        let enters: FxHashSet<BlockId> = updates.iter().map(|update| update.before).collect();
        for (index, block) in self.function.blocks.iter().enumerate() {
            // Neither conversions on the way to the loop nor the jump to it.
            let others =
                block.insts.iter().filter(|inst| inst.results.iter().all(|r| !loaded.contains_key(r)));
            others.for_each(|inst| inst.kind.for_each_operand(&mut used));
            if !enters.contains(&BlockId::new(index)) {
                block.terminator.for_each_operand(&mut used);
            }
        }
        stale
    }

    /// Whether what is written can be other than C says.
    fn stored(&self, update: &Update) -> Option<Deviation> {
        let result = *self.conversions(update.new).last()?;
        let InstKind::Binary { op, lhs, rhs, .. } = self.function.definition(result)?.kind else {
            return None;
        };
        let from_seen = self.conversions(lhs);
        if from_seen.last() != Some(&update.seen) {
            return None;
        }
        if update.boolean {
            return (!self.stays_boolean(op, rhs)).then_some(Deviation::NotBoolean);
        }
        let InstKind::Cast { op: cast, .. } = self.definition(lhs)?.kind else { return None };
        let matters = match cast {
            // The low bits of a sum or a product do not depend on what is in front.
            CastOp::ZeroExtend => {
                use BinaryOp::*;
                matches!(op, SDiv | UDiv | SRem | URem | AShr | LShr)
            }
            CastOp::UnsignedToFloat => true,
            _ => false,
        };
        let size = u64::from(update.ty.bytes());
        let ty = naming::declared_type(self.program, self.function, update.address, size)?;
        let is_signed = matches!(
            self.program.types.resolve(ty),
            Some(DebugType::Scalar { sign: Some(Signedness::Signed), bytes, .. }) if *bytes == size
        );
        (matters && is_signed).then_some(Deviation::TakenAsUnsigned)
    }

    /// Whether 0 and 1 with the operand give 0 or 1.
    fn stays_boolean(&self, op: BinaryOp, operand: Operand) -> bool {
        use BinaryOp::*;
        match op {
            And | URem | SRem | UDiv | LShr | AShr => true,
            SDiv => matches!(operand, Operand::Const(ty, bits) if bits >> (ty.bits() - 1) == 0),
            Or | Xor | Mul => self.is_boolean(operand),
            Add | Sub | Shl => operand.as_const() == Some(0),
            _ => false,
        }
    }

    /// Whether an operand is 0 or 1.
    fn is_boolean(&self, operand: Operand) -> bool {
        if let Some(bits) = operand.as_const() {
            return bits <= 1;
        }
        matches!(
            self.definition(operand).map(|inst| &inst.kind),
            Some(InstKind::Cast { op: CastOp::ZeroExtend, from: Type::BOOL, .. })
        )
    }

    /// `i += 0.5`.
    fn truncated_operand(&self, inst: &Inst) -> Option<Miscompiled> {
        let InstKind::Rmw { op: RmwOp::Add | RmwOp::Sub, ty, address, value, .. } = inst.kind else {
            return None;
        };
        let conversion = self.definition(value)?;
        // A cast in the source has a span of its own.
        let implicit = inst.span != SpanId::NONE && conversion.span == inst.span;
        let InstKind::Cast { op: CastOp::FloatToUnsigned | CastOp::FloatToSigned, .. } = conversion.kind
        else {
            return None;
        };
        implicit.then(|| self.miscompiled(inst.span, address, ty, Deviation::OperandTruncated))
    }
}
