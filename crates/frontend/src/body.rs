//! One function: LLVM instructions to [`selvedge_program`] instructions.
//!
//! Blocks are visited in reverse postorder, so every use outside a block parameter is of a value that has
//! been translated. An instruction that cannot be translated ends its block with
//! [`Terminator::Unsupported`]: the error appears only if execution gets there.

use crate::constants::gep_step;
use crate::layout::{Leaf, Unsupported, check_memory, leaves, part, scalar};
use crate::llvm::{self, LLVMAtomicOrdering, LLVMOpcode, LLVMTypeKind, Module, Ty, Value};
use crate::translate::Translator;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::*;

/// Result of translating an instruction.
pub type Translated<T = ()> = Result<T, Unsupported>;

/// Translates the body of one function.
pub struct BodyTranslator<'t, 'c> {
    /// The program around it.
    pub outer: &'t mut Translator<'c>,
    /// The module it stands in.
    pub module: Module<'c>,
    source: Value<'c>,
    /// The result.
    pub function: Function,
    values: FxHashMap<Value<'c>, Vec<Operand>>,
    block_ids: FxHashMap<llvm::Block<'c>, BlockId>,
    slots: FxHashMap<Value<'c>, SlotId>,
    /// What each phi is given, by the block that control comes from.
    incoming: FxHashMap<Value<'c>, FxHashMap<llvm::Block<'c>, Value<'c>>>,
    /// The variable that a value holds, the first that debug information names.
    variables: FxHashMap<ValueId, VariableId>,
    /// Instructions of the block under translation.
    insts: Vec<Inst>,
    span: SpanId,
}

impl<'t, 'c> BodyTranslator<'t, 'c> {
    /// For the body of `source`.
    pub fn new(
        outer: &'t mut Translator<'c>,
        module: Module<'c>,
        source: Value<'c>,
        signature: Signature,
    ) -> Self {
        Self {
            outer,
            module,
            source,
            function: Function::external(source.name(), signature),
            values: FxHashMap::default(),
            block_ids: FxHashMap::default(),
            slots: FxHashMap::default(),
            incoming: FxHashMap::default(),
            variables: FxHashMap::default(),
            insts: Vec::new(),
            span: SpanId::NONE,
        }
    }

    /// Translates it.
    pub fn translate(mut self, span: SpanId, library: bool) -> Function {
        self.function.span = span;
        self.function.library = library;
        let types = self.function.signature.params.clone();
        self.function.params = types.into_iter().map(|ty| self.function.new_value(ty)).collect();
        let mut next = self.function.params.clone().into_iter().map(Operand::Value);
        for param in self.source.params() {
            // The signature was made from the same types, so the counts agree.
            let count = leaves(self.module, param.ty()).map_or(0, |l| l.len());
            let operands = next.by_ref().take(count).collect();
            self.values.insert(param, operands);
        }

        let order = reverse_postorder(self.source);
        for (index, block) in order.iter().enumerate() {
            self.block_ids.insert(*block, BlockId::new(index));
        }
        let mut unsupported: Vec<Option<(Unsupported, SpanId)>> = Vec::new();
        let mut bodies = Vec::new();
        for block in &order {
            let params = self.block_params(*block);
            let problem = self.block_body(*block);
            unsupported.push(problem);
            bodies.push((params, std::mem::take(&mut self.insts)));
        }
        self.function.blocks = bodies
            .into_iter()
            .map(|(params, insts)| Block {
                params,
                insts,
                terminator: Terminator::Unreachable,
                span: SpanId::NONE,
            })
            .collect();
        for (index, block) in order.iter().enumerate() {
            let (terminator, span) = match unsupported[index].take() {
                Some((Unsupported(what), span)) => (Terminator::Unsupported(what.into()), span),
                None => self.terminator(*block, index),
            };
            let target = &mut self.function.blocks[index];
            target.insts.append(&mut self.insts);
            target.terminator = terminator;
            target.span = span;
        }
        if is_atomic_function(&self.function.name) {
            self.make_atomic();
        }
        let is_unsupported = |block: &Block| matches!(block.terminator, Terminator::Unsupported(_));
        if self.function.blocks.iter().any(is_unsupported) {
            // Control does not get behind what could not be translated.
            self.function.arrange_blocks();
        }
        self.function.value_variables = self.variables.into_iter().collect();
        self.function.value_variables.sort_unstable();
        self.function
    }

    /// Puts the body into an atomic section.
    fn make_atomic(&mut self) {
        let mut call = |name: &str| {
            let signature = Signature::default();
            let callee = Callee::Function(self.outer.named_function(name, &signature).ok()?);
            let call = Call { callee, args: Vec::new(), signature, fixed: 0, variadic: None };
            let (kind, results) = (InstKind::Call(Box::new(call)), Vec::new());
            Some(Inst { kind, results, span: self.function.span })
        };
        let (Some(begin), Some(end)) = (call("__selvedge_atomic_begin"), call("__selvedge_atomic_end"))
        else {
            return;
        };
        for block in &mut self.function.blocks {
            if matches!(block.terminator, Terminator::Return(_)) {
                block.insts.push(end.clone());
            }
        }
        if let Some(entry) = self.function.blocks.first_mut() {
            entry.insts.insert(0, begin);
        }
    }

    fn block_params(&mut self, block: llvm::Block<'c>) -> Vec<ValueId> {
        let mut params = Vec::new();
        for phi in block.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
            let Ok(leaves) = leaves(self.module, phi.ty()) else { continue };
            let values: Vec<ValueId> = leaves.iter().map(|leaf| self.function.new_value(leaf.ty)).collect();
            self.values.insert(phi, values.iter().map(|v| Operand::Value(*v)).collect());
            params.extend(values);
        }
        params
    }

    /// Translates all but the phis and the terminator; returns what could not be translated.
    fn block_body(&mut self, block: llvm::Block<'c>) -> Option<(Unsupported, SpanId)> {
        let terminator = block.terminator();
        for instruction in block.instructions() {
            self.debug_records(instruction);
            if Some(instruction) == terminator {
                break;
            }
            self.span = self.outer.debug.span(&mut self.outer.program, instruction);
            let translated = match instruction.opcode() {
                LLVMOpcode::LLVMPHI => leaves(self.module, instruction.ty()).map(drop),
                _ => self.instruction(instruction),
            };
            if let Err(problem) = translated {
                return Some((problem, self.span));
            }
        }
        None
    }

    /// Notes what debug records before an instruction say.
    fn debug_records(&mut self, instruction: Value<'c>) {
        for record in instruction.variable_records() {
            let Some(value) = record.value else { continue };
            if record.declare {
                let Some(slot) = self.slots.get(&value).copied() else { continue };
                let variable = self.outer.debug.variable(&mut self.outer.program, record.variable);
                self.function.slots[slot.index()].variable.get_or_insert(variable);
            } else if let Some([Operand::Value(value)]) = self.values.get(&value).map(Vec::as_slice) {
                let value = *value;
                let variable = self.outer.debug.variable(&mut self.outer.program, record.variable);
                self.variables.entry(value).or_insert(variable);
            }
        }
    }

    /// Appends an instruction with results of the given types.
    pub fn emit_many(&mut self, kind: InstKind, types: &[Type]) -> Vec<Operand> {
        let results: Vec<ValueId> = types.iter().map(|ty| self.function.new_value(*ty)).collect();
        let operands = results.iter().map(|value| Operand::Value(*value)).collect();
        self.insts.push(Inst { kind, results, span: self.span });
        operands
    }

    /// Appends an instruction with one result.
    pub fn emit(&mut self, kind: InstKind, ty: Type) -> Operand {
        let value = self.function.new_value(ty);
        self.insts.push(Inst { kind, results: vec![value], span: self.span });
        Operand::Value(value)
    }

    /// Appends an instruction without a result.
    pub fn emit_effect(&mut self, kind: InstKind) {
        self.insts.push(Inst { kind, results: Vec::new(), span: self.span });
    }

    /// Says what an LLVM value is.
    pub fn define(&mut self, value: Value<'c>, operands: Vec<Operand>) {
        self.values.insert(value, operands);
    }

    /// The scalars of a value.
    pub fn operands(&mut self, value: Value<'c>) -> Translated<Vec<Operand>> {
        if let Some(operands) = self.values.get(&value) {
            return Ok(operands.clone());
        }
        if value.is_constant() {
            if value.is_global() && value.is_thread_local() {
                return Ok(vec![self.thread_local_address(value)?]);
            }
            return self.outer.constant(self.module, value);
        }
        // Defined behind something that could not be translated: never reached.
        let leaves = leaves(self.module, value.ty())?;
        Ok(leaves.iter().map(|leaf| Operand::Undefined(leaf.ty)).collect())
    }

    /// The scalar that a value is.
    pub fn operand(&mut self, value: Value<'c>) -> Translated<Operand> {
        match self.operands(value)?.as_slice() {
            [operand] => Ok(*operand),
            _ => Err(Unsupported(format!("`{}` as a scalar", value.ty().print()))),
        }
    }

    /// The address of the thread's own instance of a global.
    pub fn thread_local_address(&mut self, global: Value<'c>) -> Translated<Operand> {
        match self.outer.symbol(self.module, global)? {
            Symbol::Global(id) if self.outer.program.global(id).thread_local => {
                Ok(self.emit(InstKind::ThreadLocalAddress(id), Type::Ptr))
            }
            _ => Err(Unsupported(format!("`{}` as a thread-local variable", global.name()))),
        }
    }

    /// `base + offset`.
    pub fn offset(&mut self, base: Operand, offset: i64) -> Operand {
        match base {
            base if offset == 0 => base,
            Operand::Address(symbol, addend) => Operand::Address(symbol, addend.wrapping_add(offset)),
            base => self.emit(InstKind::Offset { base, offset, terms: Vec::new() }, Type::Ptr),
        }
    }

    /// The slot that an `alloca` of constant size became.
    pub fn slot_of(&self, alloca: Value<'c>) -> Option<SlotId> {
        self.slots.get(&alloca).copied()
    }

    /// A new local object.
    pub fn new_slot(&mut self, size: u64, align: u64) -> SlotId {
        self.function.slots.push(StackSlot { size, align, variable: None, scoped: false });
        SlotId::new(self.function.slots.len() - 1)
    }

    /// Scalars of a type.
    pub fn leaves(&self, ty: Ty<'c>) -> Translated<Vec<Leaf>> {
        leaves(self.module, ty)
    }

    fn instruction(&mut self, i: Value<'c>) -> Translated {
        use LLVMOpcode::*;
        if self.big_instruction(i)? {
            return Ok(());
        }
        match i.opcode() {
            LLVMAlloca => self.alloca(i),
            LLVMLoad => self.load(i),
            LLVMStore => self.store(i),
            LLVMGetElementPtr => self.gep(i),
            LLVMCall => self.call(i),
            LLVMICmp => self.compare(i),
            LLVMFCmp => self.compare_float(i),
            LLVMSelect => self.select(i),
            LLVMExtractValue => {
                let aggregate = self.operands(i.operand(0))?;
                let (start, count) = part(self.module, i.operand(0).ty(), &i.indices())?;
                self.define(i, aggregate[start..start + count].to_vec());
                Ok(())
            }
            LLVMInsertValue => {
                let mut aggregate = self.operands(i.operand(0))?;
                let inserted = self.operands(i.operand(1))?;
                let (start, count) = part(self.module, i.ty(), &i.indices())?;
                aggregate.splice(start..start + count, inserted);
                self.define(i, aggregate);
                Ok(())
            }
            LLVMExtractElement => self.extract_element(i),
            LLVMInsertElement => self.insert_element(i),
            LLVMShuffleVector => self.shuffle(i),
            LLVMAtomicCmpXchg => self.compare_exchange(i),
            LLVMAtomicRMW => self.rmw(i),
            LLVMFence => {
                let scope = if i.is_single_thread() { FenceScope::SingleThread } else { FenceScope::System };
                self.emit_effect(InstKind::Fence { order: fence_order(i.ordering()), scope });
                Ok(())
            }
            LLVMFreeze => {
                let operands = self.operands(i.operand(0))?;
                self.define(i, operands);
                Ok(())
            }
            LLVMFNeg => self
                .lanes1(i, |this, ty, value| this.emit(InstKind::Unary { op: UnaryOp::FNeg, ty, value }, ty)),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr => self.cast(i),
            LLVMBitCast | LLVMAddrSpaceCast => self.bitcast(i),
            LLVMVAArg => Err(Unsupported("the `va_arg` instruction".to_owned())),
            _ => match binary_op(i.opcode()) {
                Some(op) => {
                    self.lanes2(i, |this, ty, lhs, rhs| this.emit(InstKind::Binary { op, ty, lhs, rhs }, ty))
                }
                None => Err(Unsupported(format!("the instruction `{}`", i.print().trim()))),
            },
        }
    }

    /// Applies an operation to each lane of one operand.
    fn lanes1(&mut self, i: Value<'c>, f: impl Fn(&mut Self, Type, Operand) -> Operand) -> Translated {
        let leaves = self.leaves(i.operand(0).ty())?;
        let values = self.operands(i.operand(0))?;
        let results = leaves.iter().zip(values).map(|(leaf, value)| f(self, leaf.ty, value)).collect();
        self.define(i, results);
        Ok(())
    }

    /// Applies an operation to each pair of lanes of two operands.
    pub fn lanes2(
        &mut self,
        i: Value<'c>,
        f: impl Fn(&mut Self, Type, Operand, Operand) -> Operand,
    ) -> Translated {
        let leaves = self.leaves(i.operand(0).ty())?;
        let left = self.operands(i.operand(0))?;
        let right = self.operands(i.operand(1))?;
        let pairs = left.into_iter().zip(right);
        let results = leaves.iter().zip(pairs).map(|(leaf, (l, r))| f(self, leaf.ty, l, r)).collect();
        self.define(i, results);
        Ok(())
    }

    fn alloca(&mut self, i: Value<'c>) -> Translated {
        let ty = i.allocated_type();
        let align = i.alignment().max(self.module.align_of(ty)).max(1);
        let size = self.module.size_of(ty);
        let count = i.operand(0);
        // Only those of the entry block run once per call.
        let in_entry = self.source.blocks().next() == i.block();
        let address = if count.is_constant_int() && in_entry {
            let total = u64::try_from(count.int_value()).ok().and_then(|n| n.checked_mul(size));
            let total = total.ok_or_else(|| Unsupported("a local object of this size".to_owned()))?;
            let slot = self.new_slot(total, align);
            self.slots.insert(i, slot);
            self.emit(InstKind::SlotAddress(slot), Type::Ptr)
        } else {
            let count = self.operand(count)?;
            let count = self.extend_to_64(count, i.operand(0).ty(), CastOp::ZeroExtend)?;
            let scale = Operand::Const(Type::I64, u128::from(size));
            let size = self.emit(
                InstKind::Binary { op: BinaryOp::Mul, ty: Type::I64, lhs: count, rhs: scale },
                Type::I64,
            );
            self.emit(InstKind::DynamicAlloca { size, align }, Type::Ptr)
        };
        self.define(i, vec![address]);
        Ok(())
    }

    fn load(&mut self, i: Value<'c>) -> Translated {
        let address = self.operand(i.operand(0))?;
        check_memory(i.ty())?;
        let leaves = self.leaves(i.ty())?;
        let order = load_order(i.ordering());
        let mut results = Vec::new();
        for leaf in leaves {
            let address = self.offset(address, leaf.offset as i64);
            results.push(self.emit(InstKind::Load { ty: leaf.ty, address, order }, leaf.ty));
        }
        self.define(i, results);
        Ok(())
    }

    fn store(&mut self, i: Value<'c>) -> Translated {
        let (stored, pointer) = (i.operand(0), i.operand(1));
        check_memory(stored.ty())?;
        let values = self.operands(stored)?;
        let address = self.operand(pointer)?;
        let leaves = self.leaves(stored.ty())?;
        let order = store_order(i.ordering());
        for (leaf, value) in leaves.into_iter().zip(values) {
            let address = self.offset(address, leaf.offset as i64);
            self.emit_effect(InstKind::Store { ty: leaf.ty, address, value, order });
        }
        Ok(())
    }

    /// An index as a 64-bit operand.
    fn extend_to_64(&mut self, value: Operand, ty: Ty<'c>, op: CastOp) -> Translated<Operand> {
        let from = scalar(ty)?.unwrap_or(Type::I64);
        Ok(match from.bits() {
            64 => value,
            bits => {
                let op = if bits > 64 { CastOp::Truncate } else { op };
                self.emit(InstKind::Cast { op, from, to: Type::I64, value }, Type::I64)
            }
        })
    }

    fn gep(&mut self, i: Value<'c>) -> Translated {
        let base = self.operand(i.operand(0))?;
        let mut ty = i.gep_source_type();
        let mut offset = 0i64;
        let mut terms: Vec<(Operand, i64)> = Vec::new();
        for index in 1..i.operand_count() {
            let value = i.operand(index);
            if value.is_constant_int() {
                let number = crate::constants::sign_extend(value.int_value(), value.ty().int_width());
                let step;
                (step, ty) = gep_step(self.module, ty, index == 1, number);
                offset = offset.wrapping_add(step);
                continue;
            }
            let stride = if index == 1 {
                self.module.size_of(ty)
            } else {
                ty = ty.element();
                self.module.size_of(ty)
            };
            let value_type = value.ty();
            let value = self.operand(value)?;
            let value = self.extend_to_64(value, value_type, CastOp::SignExtend)?;
            if stride != 0 {
                terms.push((value, stride as i64));
            }
        }
        let result = if terms.is_empty() {
            self.offset(base, offset)
        } else {
            self.emit(InstKind::Offset { base, offset, terms }, Type::Ptr)
        };
        self.define(i, vec![result]);
        Ok(())
    }

    fn compare(&mut self, i: Value<'c>) -> Translated {
        use llvm::LLVMIntPredicate::*;
        let op = match i.int_predicate() {
            LLVMIntEQ => IntCompare::Eq,
            LLVMIntNE => IntCompare::Ne,
            LLVMIntUGT => IntCompare::UGt,
            LLVMIntUGE => IntCompare::UGe,
            LLVMIntULT => IntCompare::ULt,
            LLVMIntULE => IntCompare::ULe,
            LLVMIntSGT => IntCompare::SGt,
            LLVMIntSGE => IntCompare::SGe,
            LLVMIntSLT => IntCompare::SLt,
            LLVMIntSLE => IntCompare::SLe,
        };
        self.lanes2(i, |this, ty, lhs, rhs| this.emit(InstKind::Compare { op, ty, lhs, rhs }, Type::BOOL))
    }

    fn compare_float(&mut self, i: Value<'c>) -> Translated {
        // The predicate's number is its truth table: bit 0 equal, 1 greater, 2 less, 3 unordered.
        let bits = i.float_predicate() as u32;
        let op = FloatCompare {
            equal: bits & 1 != 0,
            greater: bits & 2 != 0,
            less: bits & 4 != 0,
            unordered: bits & 8 != 0,
        };
        self.lanes2(i, |this, ty, lhs, rhs| {
            this.emit(InstKind::CompareFloat { op, ty, lhs, rhs }, Type::BOOL)
        })
    }

    fn select(&mut self, i: Value<'c>) -> Translated {
        let conditions = self.operands(i.operand(0))?;
        let if_true = self.operands(i.operand(1))?;
        let if_false = self.operands(i.operand(2))?;
        let leaves = self.leaves(i.ty())?;
        let mut results = Vec::new();
        for (lane, leaf) in leaves.iter().enumerate() {
            let condition = if conditions.len() == 1 { conditions[0] } else { conditions[lane] };
            let (if_true, if_false) = (if_true[lane], if_false[lane]);
            let kind = InstKind::Select { ty: leaf.ty, condition, if_true, if_false };
            results.push(self.emit(kind, leaf.ty));
        }
        self.define(i, results);
        Ok(())
    }

    fn extract_element(&mut self, i: Value<'c>) -> Translated {
        let lanes = self.operands(i.operand(0))?;
        let index = self.operand(i.operand(1))?;
        let leaf = self.leaves(i.ty())?[0];
        let result = match index.as_const() {
            Some(index) => lanes.get(index as usize).copied().unwrap_or(Operand::Undefined(leaf.ty)),
            None => {
                let index_type = scalar(i.operand(1).ty())?.unwrap_or(Type::I64);
                let mut result = lanes[0];
                for (lane, value) in lanes.iter().enumerate().skip(1) {
                    let condition = self.lane_is(index, index_type, lane);
                    let kind = InstKind::Select { ty: leaf.ty, condition, if_true: *value, if_false: result };
                    result = self.emit(kind, leaf.ty);
                }
                result
            }
        };
        self.define(i, vec![result]);
        Ok(())
    }

    fn insert_element(&mut self, i: Value<'c>) -> Translated {
        let mut lanes = self.operands(i.operand(0))?;
        let value = self.operand(i.operand(1))?;
        let index = self.operand(i.operand(2))?;
        let ty = self.leaves(i.operand(1).ty())?[0].ty;
        match index.as_const() {
            Some(index) => {
                if let Some(lane) = lanes.get_mut(index as usize) {
                    *lane = value;
                }
            }
            None => {
                let index_type = scalar(i.operand(2).ty())?.unwrap_or(Type::I64);
                for (lane, slot) in lanes.iter_mut().enumerate() {
                    let condition = self.lane_is(index, index_type, lane);
                    let kind = InstKind::Select { ty, condition, if_true: value, if_false: *slot };
                    *slot = self.emit(kind, ty);
                }
            }
        }
        self.define(i, lanes);
        Ok(())
    }

    fn lane_is(&mut self, index: Operand, ty: Type, lane: usize) -> Operand {
        let rhs = Operand::Const(ty, lane as u128);
        self.emit(InstKind::Compare { op: IntCompare::Eq, ty, lhs: index, rhs }, Type::BOOL)
    }

    fn shuffle(&mut self, i: Value<'c>) -> Translated {
        let mut lanes = self.operands(i.operand(0))?;
        lanes.extend(self.operands(i.operand(1))?);
        let ty = self.leaves(i.ty().element())?[0].ty;
        let pick = |lane: Option<u32>| {
            lane.and_then(|lane| lanes.get(lane as usize).copied()).unwrap_or(Operand::Undefined(ty))
        };
        let results = (0..i.mask_length()).map(|lane| pick(i.mask_lane(lane))).collect();
        self.define(i, results);
        Ok(())
    }

    fn cast(&mut self, i: Value<'c>) -> Translated {
        use LLVMOpcode::*;
        let from = self.leaves(i.operand(0).ty())?;
        let to = self.leaves(i.ty())?;
        let values = self.operands(i.operand(0))?;
        let mut results = Vec::new();
        for ((from, to), value) in from.iter().zip(&to).zip(values) {
            let (from, to) = (from.ty, to.ty);
            let op = match i.opcode() {
                LLVMTrunc => CastOp::Truncate,
                LLVMSExt => CastOp::SignExtend,
                LLVMFPToUI => CastOp::FloatToUnsigned,
                LLVMFPToSI => CastOp::FloatToSigned,
                LLVMUIToFP => CastOp::UnsignedToFloat,
                LLVMSIToFP => CastOp::SignedToFloat,
                LLVMFPTrunc | LLVMFPExt => CastOp::FloatToFloat,
                _ if to.bits() < from.bits() => CastOp::Truncate,
                _ if to.bits() > from.bits() => CastOp::ZeroExtend,
                _ => CastOp::Bits,
            };
            results.push(self.emit(InstKind::Cast { op, from, to, value }, to));
        }
        self.define(i, results);
        Ok(())
    }

    fn bitcast(&mut self, i: Value<'c>) -> Translated {
        let from: Vec<Type> = self.leaves(i.operand(0).ty())?.iter().map(|leaf| leaf.ty).collect();
        let to: Vec<Type> = self.leaves(i.ty())?.iter().map(|leaf| leaf.ty).collect();
        let values = self.operands(i.operand(0))?;
        let results = if from == to { values } else { self.reinterpret(&from, &values, &to) };
        self.define(i, results);
        Ok(())
    }

    /// The bits of some scalars, laid end to end, as other scalars.
    fn reinterpret(&mut self, from: &[Type], values: &[Operand], to: &[Type]) -> Vec<Operand> {
        let cast = |this: &mut Self, op, from: Type, to: Type, value| {
            if from == to { value } else { this.emit(InstKind::Cast { op, from, to, value }, to) }
        };
        let int = |ty: Type| Type::Int(ty.bits() as u8);
        let mut starts = Vec::new();
        let mut position = 0;
        for ty in from {
            starts.push(position);
            position += ty.bits();
        }
        let mut results = Vec::new();
        let mut begin = 0;
        for target in to {
            let (width, end) = (int(*target), begin + target.bits());
            let mut result = None;
            for ((ty, value), start) in from.iter().zip(values).zip(&starts) {
                let stop = start + ty.bits();
                if stop <= begin || *start >= end {
                    continue;
                }
                // Bits of this source that fall into the target, moved to their place.
                let mut bits = cast(self, CastOp::Bits, *ty, int(*ty), *value);
                if *start < begin {
                    let rhs = Operand::Const(int(*ty), u128::from(begin - start));
                    let kind = InstKind::Binary { op: BinaryOp::LShr, ty: int(*ty), lhs: bits, rhs };
                    bits = self.emit(kind, int(*ty));
                }
                let op = if ty.bits() > width.bits() { CastOp::Truncate } else { CastOp::ZeroExtend };
                bits = cast(self, op, int(*ty), width, bits);
                if *start > begin {
                    let rhs = Operand::Const(width, u128::from(start - begin));
                    bits =
                        self.emit(InstKind::Binary { op: BinaryOp::Shl, ty: width, lhs: bits, rhs }, width);
                }
                result = Some(match result {
                    None => bits,
                    Some(lhs) => {
                        self.emit(InstKind::Binary { op: BinaryOp::Or, ty: width, lhs, rhs: bits }, width)
                    }
                });
            }
            let result = result.unwrap_or(Operand::Undefined(width));
            results.push(cast(self, CastOp::Bits, width, *target, result));
            begin = end;
        }
        results
    }

    fn compare_exchange(&mut self, i: Value<'c>) -> Translated {
        let address = self.operand(i.operand(0))?;
        let expected = self.operand(i.operand(1))?;
        let new = self.operand(i.operand(2))?;
        let ty = self.leaves(i.operand(1).ty())?[0].ty;
        let (success, failure) = i.exchange_orderings();
        let kind = InstKind::CompareExchange {
            ty,
            address,
            expected,
            new,
            success: rmw_order(success),
            failure: load_order(failure),
            weak: i.is_weak(),
        };
        let results = self.emit_many(kind, &[ty, Type::BOOL]);
        self.define(i, results);
        Ok(())
    }

    fn rmw(&mut self, i: Value<'c>) -> Translated {
        use llvm::LLVMAtomicRMWBinOp::*;
        let op = match i.rmw_operation() {
            LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
            LLVMAtomicRMWBinOpAdd => RmwOp::Add,
            LLVMAtomicRMWBinOpSub => RmwOp::Sub,
            LLVMAtomicRMWBinOpAnd => RmwOp::And,
            LLVMAtomicRMWBinOpNand => RmwOp::Nand,
            LLVMAtomicRMWBinOpOr => RmwOp::Or,
            LLVMAtomicRMWBinOpXor => RmwOp::Xor,
            LLVMAtomicRMWBinOpMax => RmwOp::Max,
            LLVMAtomicRMWBinOpMin => RmwOp::Min,
            LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
            LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
            LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
            LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
            _ => return Err(Unsupported(format!("the instruction `{}`", i.print().trim()))),
        };
        let address = self.operand(i.operand(0))?;
        let value = self.operand(i.operand(1))?;
        let ty = self.leaves(i.operand(1).ty())?[0].ty;
        let order = rmw_order(i.ordering());
        let result = self.emit(InstKind::Rmw { op, ty, address, value, order }, ty);
        self.define(i, vec![result]);
        Ok(())
    }

    fn terminator(&mut self, block: llvm::Block<'c>, index: usize) -> (Terminator, SpanId) {
        let Some(i) = block.terminator() else { return (Terminator::Unreachable, SpanId::NONE) };
        self.span = self.outer.debug.span(&mut self.outer.program, i);
        debug_assert!(self.insts.is_empty(), "block {index}");
        let terminator = match self.translate_terminator(block, i) {
            Ok(terminator) => terminator,
            Err(Unsupported(what)) => Terminator::Unsupported(what.into()),
        };
        (terminator, self.span)
    }

    fn translate_terminator(&mut self, block: llvm::Block<'c>, i: Value<'c>) -> Translated<Terminator> {
        match i.opcode() {
            LLVMOpcode::LLVMBr => {
                let targets = i.successors();
                if !i.is_conditional() {
                    return Ok(Terminator::Jump(self.jump(block, targets[0])?));
                }
                let condition = self.operand(i.condition())?;
                let if_true = self.jump(block, targets[0])?;
                let if_false = self.jump(block, targets[1])?;
                Ok(Terminator::Branch { condition, if_true, if_false })
            }
            LLVMOpcode::LLVMSwitch => {
                let ty = scalar(i.operand(0).ty())?.unwrap_or(Type::I32);
                let value = self.operand(i.operand(0))?;
                let targets = i.successors();
                let default = self.jump(block, targets[0])?;
                let mut cases = Vec::new();
                for (index, target) in targets.iter().enumerate().skip(1) {
                    let case = i.switch_case(index as u32).int_value();
                    cases.push((case, self.jump(block, *target)?));
                }
                Ok(Terminator::Switch { ty, value, cases, default })
            }
            LLVMOpcode::LLVMRet => {
                let values = match i.operand_count() {
                    0 => Vec::new(),
                    _ => self.operands(i.operand(0))?,
                };
                Ok(Terminator::Return(values))
            }
            LLVMOpcode::LLVMUnreachable => Ok(Terminator::Unreachable),
            LLVMOpcode::LLVMIndirectBr => Err(Unsupported("a computed goto".to_owned())),
            LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMResume => Err(Unsupported("C++ exceptions".to_owned())),
            _ => Err(Unsupported(format!("the instruction `{}`", i.print().trim()))),
        }
    }

    fn jump(&mut self, from: llvm::Block<'c>, to: llvm::Block<'c>) -> Translated<Jump> {
        let mut args = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
            if self.leaves(phi.ty()).is_err() {
                continue; // The target block begins with the error.
            }
            let incoming = self.incoming.entry(phi).or_insert_with(|| phi.incoming().collect());
            let value = *incoming.get(&from).ok_or_else(|| Unsupported("a malformed phi".to_owned()))?;
            args.extend(self.operands(value)?);
        }
        Ok(Jump { block: self.block_ids[&to], args })
    }
}

/// Functions that verification benchmarks mean to be executed in one step.
fn is_atomic_function(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_atomic_").is_some_and(|rest| rest != "begin" && rest != "end")
}

fn reverse_postorder<'c>(function: Value<'c>) -> Vec<llvm::Block<'c>> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let Some(entry) = function.blocks().next() else { return order };
    let successors = |block: llvm::Block<'c>| block.terminator().map(Value::successors).unwrap_or_default();
    seen.insert(entry);
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn binary_op(opcode: LLVMOpcode) -> Option<BinaryOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMAdd => BinaryOp::Add,
        LLVMSub => BinaryOp::Sub,
        LLVMMul => BinaryOp::Mul,
        LLVMUDiv => BinaryOp::UDiv,
        LLVMSDiv => BinaryOp::SDiv,
        LLVMURem => BinaryOp::URem,
        LLVMSRem => BinaryOp::SRem,
        LLVMShl => BinaryOp::Shl,
        LLVMLShr => BinaryOp::LShr,
        LLVMAShr => BinaryOp::AShr,
        LLVMAnd => BinaryOp::And,
        LLVMOr => BinaryOp::Or,
        LLVMXor => BinaryOp::Xor,
        LLVMFAdd => BinaryOp::FAdd,
        LLVMFSub => BinaryOp::FSub,
        LLVMFMul => BinaryOp::FMul,
        LLVMFDiv => BinaryOp::FDiv,
        LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

/// The order of a load. Orders that LLVM's verifier excludes are mapped to the next stronger one.
pub fn load_order(order: LLVMAtomicOrdering) -> LoadOrder {
    use LLVMAtomicOrdering::*;
    match order {
        LLVMAtomicOrderingNotAtomic => LoadOrder::Plain,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => LoadOrder::Relaxed,
        LLVMAtomicOrderingAcquire => LoadOrder::Acquire,
        _ => LoadOrder::SeqCst,
    }
}

fn store_order(order: LLVMAtomicOrdering) -> StoreOrder {
    use LLVMAtomicOrdering::*;
    match order {
        LLVMAtomicOrderingNotAtomic => StoreOrder::Plain,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => StoreOrder::Relaxed,
        LLVMAtomicOrderingRelease => StoreOrder::Release,
        _ => StoreOrder::SeqCst,
    }
}

fn rmw_order(order: LLVMAtomicOrdering) -> RmwOrder {
    use LLVMAtomicOrdering::*;
    match order {
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => RmwOrder::Relaxed,
        LLVMAtomicOrderingAcquire => RmwOrder::Acquire,
        LLVMAtomicOrderingRelease => RmwOrder::Release,
        LLVMAtomicOrderingAcquireRelease => RmwOrder::AcqRel,
        _ => RmwOrder::SeqCst,
    }
}

fn fence_order(order: LLVMAtomicOrdering) -> FenceOrder {
    use LLVMAtomicOrdering::*;
    match order {
        LLVMAtomicOrderingAcquire => FenceOrder::Acquire,
        LLVMAtomicOrderingRelease => FenceOrder::Release,
        LLVMAtomicOrderingAcquireRelease => FenceOrder::AcqRel,
        _ => FenceOrder::SeqCst,
    }
}

/// Whether the type is a vector.
pub fn is_vector(ty: Ty<'_>) -> bool {
    ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
}
