//! The rules of one function.

use crate::scalar::mask;
use crate::*;

/// Checks a function.
pub(super) fn check(program: &Program, function: &Function) -> Result<(), String> {
    if let Some(ty) = function.values.iter().find(|ty| !is_valid(**ty)) {
        return Err(format!("there is no type {ty}"));
    }
    let types = &function.signature;
    if let Some(ty) = types.params.iter().chain(&types.results).find(|ty| !is_valid(**ty)) {
        return Err(format!("there is no type {ty}"));
    }
    span(program, function.span)?;
    if function.is_external() {
        let is_empty = function.params.is_empty() && function.values.is_empty() && function.slots.is_empty();
        return if is_empty { Ok(()) } else { Err("it has no body, but values or slots".to_owned()) };
    }
    slots(program, function)?;
    variables(program, function)?;
    let mut check =
        Check { program, function, definitions: vec![None; function.values.len()], elsewhere: Vec::new() };
    check.define_all()?;
    check.block_order()?;
    check.uses()?;
    check.dominance()
}

/// A place in a function: a block, and how many of its instructions come before.
#[derive(Clone, Copy)]
struct Point {
    block: u32,
    position: u32,
}

struct Check<'a> {
    program: &'a Program,
    function: &'a Function,
    /// For each value, the first place where it can be used.
    definitions: Vec<Option<Point>>,
    /// Uses in other blocks than that of the definition, unless that is the entry, which dominates all.
    elsewhere: Vec<(ValueId, BlockId)>,
}

impl Check<'_> {
    fn define_all(&mut self) -> Result<(), String> {
        let function = self.function;
        let types = |values: &[ValueId]| -> Option<Vec<Type>> {
            values.iter().map(|value| function.values.get(value.index()).copied()).collect()
        };
        if types(&function.params).as_ref() != Some(&function.signature.params) {
            return Err("parameters do not match the signature".to_owned());
        }
        self.define(&function.params, Point { block: 0, position: 0 })?;
        for (block, body) in (0..).zip(&function.blocks) {
            self.define(&body.params, Point { block, position: 0 })?;
            for (position, inst) in (1..).zip(&body.insts) {
                self.define(&inst.results, Point { block, position })?;
                let given = inst.results.iter().map(|value| function.type_of(*value));
                if !inst.kind.results().eq(given) {
                    return Err(format!("`{}` gives results of other types", inst.kind));
                }
            }
        }
        match function.blocks.first() {
            Some(entry) if !entry.params.is_empty() => Err("the entry takes parameters".to_owned()),
            _ => Ok(()),
        }
    }

    fn define(&mut self, values: &[ValueId], place: Point) -> Result<(), String> {
        for value in values {
            match self.definitions.get_mut(value.index()) {
                None => return Err(format!("%{} is out of range", value.0)),
                Some(Some(_)) => return Err(format!("%{} is defined twice", value.0)),
                Some(definition) => *definition = Some(place),
            }
        }
        Ok(())
    }

    /// Each block but the entry has a predecessor before it.
    fn block_order(&self) -> Result<(), String> {
        let count = self.function.blocks.len();
        let mut has_predecessor = vec![false; count];
        for (number, block) in self.function.blocks.iter().enumerate() {
            if number != 0 && !has_predecessor[number] {
                return Err(format!("b{number} cannot be reached from a block before it"));
            }
            for next in block.terminator.successors() {
                match next.index() {
                    0 => return Err(format!("b{number} jumps to the entry")),
                    next if next >= count => {
                        return Err(format!("b{number} jumps to b{next}, which does not exist"));
                    }
                    next => has_predecessor[next] = true,
                }
            }
        }
        Ok(())
    }

    fn uses(&mut self) -> Result<(), String> {
        for (block, body) in (0..).zip(&self.function.blocks) {
            for (position, inst) in (0..).zip(&body.insts) {
                let place = Point { block, position };
                self.inst(inst, place).map_err(|what| format!("{what}, in `{}` of b{block}", inst.kind))?;
            }
            let place = Point { block, position: body.insts.len() as u32 };
            span(self.program, body.span)
                .and_then(|()| self.terminator(&body.terminator, place))
                .map_err(|what| format!("{what}, in `{}` of b{block}", body.terminator))?;
        }
        Ok(())
    }

    fn inst(&mut self, inst: &Inst, place: Point) -> Result<(), String> {
        span(self.program, inst.span)?;
        self.ids(&inst.kind)?;
        rules(&inst.kind)?;
        let mut result = Ok(());
        inst.kind.for_each_typed_operand(|operand, ty| {
            if result.is_ok() {
                result = self.operand(operand, ty, place);
            }
        });
        result
    }

    fn operand(&mut self, operand: Operand, expected: Type, place: Point) -> Result<(), String> {
        let ty = match operand {
            Operand::Value(value) => {
                let Some(definition) = self.definitions.get(value.index()).copied().flatten() else {
                    return Err(format!("%{} is used but never defined", value.0));
                };
                if definition.block == place.block {
                    if definition.position > place.position {
                        return Err(format!("%{} is used before it is defined", value.0));
                    }
                } else if definition.block != 0 {
                    self.elsewhere.push((value, BlockId(place.block)));
                }
                self.function.type_of(value)
            }
            Operand::Const(ty, bits) => {
                if !is_valid(ty) || bits & !mask(ty.bits()) != 0 {
                    return Err(format!("{operand} is no constant of a type"));
                }
                ty
            }
            Operand::Undefined(ty) if !is_valid(ty) => return Err(format!("there is no type {ty}")),
            Operand::Undefined(ty) => ty,
            Operand::Address(symbol, _) => {
                super::tables::symbol(self.program, symbol)?;
                if expected == Type::I64 { expected } else { Type::Ptr }
            }
        };
        match ty == expected {
            true => Ok(()),
            false => Err(format!("{operand} is {ty}, not {expected}")),
        }
    }

    /// Whether what an instruction refers to exists.
    fn ids(&self, kind: &InstKind) -> Result<(), String> {
        match kind {
            InstKind::SlotAddress(slot) | InstKind::LifetimeStart(slot) | InstKind::LifetimeEnd(slot) => {
                match slot.index() < self.function.slots.len() {
                    true => Ok(()),
                    false => Err(format!("there is no slot s{}", slot.0)),
                }
            }
            InstKind::ThreadLocalAddress(global) => match self.program.globals.get(global.index()) {
                Some(global) if global.thread_local => Ok(()),
                Some(_) => Err(format!("@{} is not thread-local", global.0)),
                None => Err(format!("there is no global @{}", global.0)),
            },
            InstKind::VaStart { .. } if !self.function.signature.variadic => {
                Err("the function takes no variable arguments".to_owned())
            }
            InstKind::Call(call) => match call.callee {
                Callee::Function(id) if id.index() >= self.program.functions.len() => {
                    Err(format!("there is no function fn{}", id.0))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn terminator(&mut self, terminator: &Terminator, place: Point) -> Result<(), String> {
        match terminator {
            Terminator::Branch { condition, .. } => self.operand(*condition, Type::BOOL, place)?,
            Terminator::Switch { ty, value, cases, .. } => {
                self.operand(*value, *ty, place)?;
                check_cases(*ty, cases)?;
            }
            Terminator::Return(values) => {
                let types = &self.function.signature.results;
                if values.len() != types.len() {
                    return Err("it does not match the signature".to_owned());
                }
                for (value, ty) in values.iter().zip(types) {
                    self.operand(*value, *ty, place)?;
                }
            }
            Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported(_) => {}
        }
        for jump in terminator.jumps() {
            // The order of blocks, checked before, excludes that there is none.
            let params = &self.function.block(jump.block).params;
            if params.len() != jump.args.len() {
                return Err(format!("`{jump}` passes the wrong number of arguments"));
            }
            for (arg, param) in jump.args.iter().zip(params) {
                self.operand(*arg, self.function.type_of(*param), place)?;
            }
        }
        Ok(())
    }

    fn dominance(&self) -> Result<(), String> {
        if self.elsewhere.is_empty() {
            return Ok(());
        }
        let dominators = Dominators::new(self.function);
        let is_wrong = |(value, user): &&(ValueId, BlockId)| {
            let definition = self.definitions[value.index()].map_or(0, |place| place.block);
            !dominators.dominates(BlockId(definition), *user)
        };
        match self.elsewhere.iter().find(is_wrong) {
            None => Ok(()),
            Some((value, user)) => {
                Err(format!("%{} is used in b{}, where it may not be defined", value.0, user.0))
            }
        }
    }
}

fn is_valid(ty: Type) -> bool {
    !matches!(ty, Type::Int(bits) if !(1..=128).contains(&bits))
}

fn span(program: &Program, span: SpanId) -> Result<(), String> {
    match span.index() < program.source.spans.len() {
        true => Ok(()),
        false => Err(format!("there is no span {}", span.0)),
    }
}

fn slots(program: &Program, function: &Function) -> Result<(), String> {
    for (number, slot) in function.slots.iter().enumerate() {
        if !slot.align.is_power_of_two() {
            return Err(format!("s{number} has an alignment of {}", slot.align));
        }
        if slot.variable.is_some_and(|variable| variable.index() >= program.variables.len()) {
            return Err(format!("s{number} is a variable that does not exist"));
        }
    }
    Ok(())
}

fn variables(program: &Program, function: &Function) -> Result<(), String> {
    let is_known = |(value, variable): &(ValueId, VariableId)| {
        value.index() < function.values.len() && variable.index() < program.variables.len()
    };
    if !function.value_variables.iter().all(is_known) {
        return Err("it has a name for a value, or of a variable, that does not exist".to_owned());
    }
    match function.value_variables.is_sorted_by(|one, next| one.0 < next.0) {
        true => Ok(()),
        false => Err("the names of its values are not in order".to_owned()),
    }
}

fn check_cases(ty: Type, cases: &[(u128, Jump)]) -> Result<(), String> {
    if !ty.is_int() {
        return Err(format!("{ty} is not an integer"));
    }
    let mut values: Vec<u128> = cases.iter().map(|(case, _)| *case).collect();
    values.sort_unstable();
    if values.last().is_some_and(|last| last & !mask(ty.bits()) != 0) {
        return Err("a case is out of range".to_owned());
    }
    match values.is_sorted_by(|one, next| one < next) {
        true => Ok(()),
        false => Err("two cases are equal".to_owned()),
    }
}

/// What an instruction demands of its own parts, whatever its operands are.
fn rules(kind: &InstKind) -> Result<(), &'static str> {
    let demand = |holds: bool, rule: &'static str| if holds { Ok(()) } else { Err(rule) };
    match kind {
        InstKind::Binary { op, ty, .. } if op.is_float() => demand(ty.is_float(), "it takes floats"),
        InstKind::Binary { ty, .. } | InstKind::Overflow { ty, .. } | InstKind::FunnelShift { ty, .. } => {
            demand(ty.is_int(), "it takes integers")
        }
        InstKind::Unary { op, ty, .. } if op.is_float() => demand(ty.is_float(), "it takes floats"),
        InstKind::Unary { op: UnaryOp::SwapBytes, ty, .. } => {
            demand(ty.is_int() && ty.bits().is_multiple_of(8), "it takes whole bytes")
        }
        InstKind::Unary { ty, .. } => demand(ty.is_int(), "it takes integers"),
        InstKind::FusedMultiplyAdd { ty, .. } | InstKind::CompareFloat { ty, .. } => {
            demand(ty.is_float(), "it takes floats")
        }
        InstKind::FloatClass { ty, mask, .. } => {
            demand(ty.is_float(), "it takes floats")?;
            demand(*mask < 1 << 10, "there are ten classes")
        }
        InstKind::Compare { ty, .. } => demand(!ty.is_float(), "it takes integers or pointers"),
        InstKind::Cast { op, from, to, .. } => cast(*op, *from, *to),
        InstKind::DynamicAlloca { align, .. } => {
            demand(align.is_power_of_two(), "the alignment must be a power of two")
        }
        InstKind::Load { ty, order, .. } => demand(*order == LoadOrder::Plain || is_atomic(*ty), ATOMIC),
        InstKind::Store { ty, order, .. } => demand(*order == StoreOrder::Plain || is_atomic(*ty), ATOMIC),
        InstKind::Rmw { op, ty, .. } => {
            demand(is_atomic(*ty), ATOMIC)?;
            match op {
                RmwOp::Exchange => Ok(()),
                RmwOp::FAdd | RmwOp::FSub => demand(ty.is_float(), "it takes floats"),
                _ => demand(ty.is_int(), "it takes integers"),
            }
        }
        InstKind::CompareExchange { ty, failure, .. } => {
            demand(is_atomic(*ty), ATOMIC)?;
            demand(!ty.is_float(), "it takes integers or pointers")?;
            demand(*failure != LoadOrder::Plain, "a failure is an atomic load")
        }
        InstKind::Call(call) => {
            demand(call.args.len() == call.signature.params.len(), "another number of arguments than types")?;
            super::calls::layout(call)
        }
        InstKind::Select { .. }
        | InstKind::Offset { .. }
        | InstKind::SlotAddress(_)
        | InstKind::ThreadLocalAddress(_)
        | InstKind::StackSave
        | InstKind::StackRestore { .. }
        | InstKind::LifetimeStart(_)
        | InstKind::LifetimeEnd(_)
        | InstKind::Fence { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::SetMemory { .. }
        | InstKind::VaStart { .. }
        | InstKind::Trap { .. }
        | InstKind::Unsupported(_) => Ok(()),
    }
}

const ATOMIC: &str = "an atomic access is to 1, 2, 4, 8 or 16 bytes";

fn is_atomic(ty: Type) -> bool {
    matches!(ty.bits(), 8 | 16 | 32 | 64 | 128)
}

fn cast(op: CastOp, from: Type, to: Type) -> Result<(), &'static str> {
    let bits = |ty: Type| !ty.is_float();
    let fits = match op {
        CastOp::Truncate => bits(from) && bits(to) && to.bits() < from.bits(),
        CastOp::ZeroExtend => bits(from) && bits(to) && to.bits() > from.bits(),
        CastOp::SignExtend => from.is_int() && to.is_int() && to.bits() > from.bits(),
        CastOp::FloatToFloat => from.is_float() && to.is_float(),
        CastOp::FloatToUnsigned
        | CastOp::FloatToSigned
        | CastOp::FloatToUnsignedSat
        | CastOp::FloatToSignedSat => from.is_float() && to.is_int(),
        CastOp::UnsignedToFloat | CastOp::SignedToFloat => from.is_int() && to.is_float(),
        CastOp::Bits => from.bits() == to.bits(),
    };
    if fits { Ok(()) } else { Err("there is no such conversion") }
}
