//! Reading the text form: functions.

use super::cursor::{Cursor, Parsed};
use super::names::Named;
use super::parse::{Parser, PlainCall, type_named};
use crate::*;

/// Reads a function, behind its number, and adds it to the program.
pub(super) fn function(parser: &mut Parser<'_>) -> Parsed<()> {
    let name = parser.cursor.name()?;
    let mut body =
        Body { parser, function: Function::external(name, Signature::default()), defined: Vec::new() };
    body.header()?;
    let mut start = body.cursor().here();
    while let Some(number) = body.cursor().maybe_id("s")? {
        if number as usize != body.function.slots.len() {
            return start.error(format!("`s{}`", body.function.slots.len()));
        }
        body.slot()?;
        start = body.cursor().here();
    }
    if body.parser.cursor.eat("unused") {
        loop {
            body.definition()?;
            if !body.parser.cursor.eat(",") {
                break;
            }
        }
        body.parser.cursor.end_of_line()?;
    }
    while body.is_at_block()? {
        body.block()?;
    }
    body.number_values()?;
    let function = body.function;
    parser.program.functions.push(function);
    Ok(())
}

struct Body<'p, 't> {
    parser: &'p mut Parser<'t>,
    function: Function,
    /// Values that are defined, with their types, and where.
    defined: Vec<(ValueId, Type, Cursor<'t>)>,
}

impl<'t> Body<'_, 't> {
    fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.parser.cursor
    }

    /// The parameters and what is said behind them, up to the end of the line.
    fn header(&mut self) -> Parsed<()> {
        let start = self.cursor().here();
        self.cursor().expect("(")?;
        let (mut params, mut types) = (Vec::new(), Vec::new());
        while !self.cursor().eat(")") {
            if !(params.is_empty() && types.is_empty()) {
                self.cursor().expect(",")?;
            }
            if self.cursor().eat("...") {
                self.function.signature.variadic = true;
                self.cursor().expect(")")?;
                break;
            }
            // Those of external functions have no values.
            match self.cursor().maybe_id("%")? {
                Some(value) => params.push(self.typed(ValueId(value))?),
                None => types.push(self.parser.ty()?),
            }
        }
        self.cursor().expect("->")?;
        self.function.signature.results = self.parser.list(Parser::ty)?;
        let is_external = self.cursor().eat("external");
        if is_external && !params.is_empty() {
            return start.error("parameters without values, since the function is external");
        }
        if !is_external && !types.is_empty() {
            return start.error("parameters with values, such as `%0 i32`");
        }
        self.function.library = self.cursor().eat("library");
        self.function.span = self.parser.span()?;
        types.extend(params.iter().map(|(_, ty)| *ty));
        self.function.signature.params = types;
        self.function.params = params.into_iter().map(|(value, _)| value).collect();
        self.cursor().end_of_line()
    }

    fn slot(&mut self) -> Parsed<()> {
        self.cursor().expect(":")?;
        let (size, align) = self.parser.size_and_align()?;
        let mut slot = StackSlot { size, align, variable: None, scoped: false };
        while self.cursor().eat(",") {
            if self.cursor().eat("scoped") {
                slot.scoped = true;
            } else {
                slot.variable = Some(VariableId(self.cursor().id("v", "`scoped`, or a variable")?));
            }
        }
        self.function.slots.push(slot);
        self.cursor().end_of_line()
    }

    /// A value that is defined here, and its type.
    fn definition(&mut self) -> Parsed<ValueId> {
        let value = ValueId(self.cursor().id("%", "a value")?);
        self.typed(value).map(|(value, _)| value)
    }

    fn typed(&mut self, value: ValueId) -> Parsed<(ValueId, Type)> {
        let here = self.cursor().here();
        let ty = self.parser.ty()?;
        self.defined.push((value, ty, here));
        Ok((value, ty))
    }

    /// Values are numbered without gaps.
    fn number_values(&mut self) -> Parsed<()> {
        let mut types = vec![None; self.defined.len()];
        for (value, ty, at) in &self.defined {
            match types.get_mut(value.index()) {
                Some(known @ None) => *known = Some(*ty),
                Some(Some(_)) => {
                    return at.error(format!("another value than %{}, which is defined twice", value.0));
                }
                None => {
                    let count = self.defined.len();
                    return at.error(format!("a value below %{count}, since the function has {count}"));
                }
            }
        }
        self.function.values = types.into_iter().flatten().collect();
        Ok(())
    }

    fn is_at_block(&mut self) -> Parsed<bool> {
        let mut ahead = *self.cursor();
        Ok(ahead.maybe_id("b")?.is_some())
    }

    fn block(&mut self) -> Parsed<()> {
        let here = self.cursor().here();
        let expected = self.function.blocks.len();
        if self.cursor().id("b", "a block")? as usize != expected {
            return here.error(format!("`b{expected}`"));
        }
        let mut params = Vec::new();
        if !self.cursor().eat(":") {
            self.cursor().expect("(")?;
            loop {
                params.push(self.definition()?);
                if !self.cursor().eat(",") {
                    break;
                }
            }
            self.cursor().expect(")")?;
            self.cursor().expect(":")?;
        }
        self.cursor().end_of_line()?;
        let mut insts = Vec::new();
        let terminator = loop {
            match self.terminator()? {
                Some(terminator) => break terminator,
                None => insts.push(self.inst(insts.len())?),
            }
        };
        let span = self.parser.span()?;
        self.function.blocks.push(Block { params, insts, terminator, span });
        self.cursor().end_of_line()
    }

    /// How the block ends, if it does here.
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        Ok(Some(if self.cursor().eat("jump") {
            Terminator::Jump(self.jump()?)
        } else if self.cursor().eat("branch") {
            let condition = self.parser.operand()?;
            self.cursor().expect(",")?;
            let if_true = self.jump()?;
            self.cursor().expect(",")?;
            Terminator::Branch { condition, if_true, if_false: self.jump()? }
        } else if self.cursor().eat("switch") {
            self.switch()?
        } else if self.cursor().eat("return") {
            Terminator::Return(self.returned()?)
        } else if self.cursor().eat("unreachable") {
            Terminator::Unreachable
        } else if self.cursor().eat("unsupported") {
            Terminator::Unsupported(self.cursor().text()?.into())
        } else {
            return Ok(None);
        }))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        self.cursor().expect(".")?;
        let ty = self.parser.ty()?;
        let value = self.parser.operand()?;
        let mut cases = Vec::new();
        loop {
            self.cursor().expect(",")?;
            if self.cursor().eat("else") {
                self.cursor().expect("->")?;
                return Ok(Terminator::Switch { ty, value, cases, default: self.jump()? });
            }
            let case = self.cursor().number()?;
            self.cursor().expect("->")?;
            cases.push((case, self.jump()?));
        }
    }

    fn returned(&mut self) -> Parsed<Vec<Operand>> {
        let mut values = Vec::new();
        let mut ahead = *self.cursor();
        // Nothing, or a place in the source, is no operand.
        if ahead.end_of_line().is_ok() || ahead.maybe_id("!")?.is_some() {
            return Ok(values);
        }
        loop {
            values.push(self.parser.operand()?);
            if !self.cursor().eat(",") {
                return Ok(values);
            }
        }
    }

    fn jump(&mut self) -> Parsed<Jump> {
        let block = BlockId(self.cursor().id("b", "a block")?);
        let mut ahead = *self.cursor();
        let args = if ahead.eat("(") { self.parser.list(Parser::operand)? } else { Vec::new() };
        Ok(Jump { block, args })
    }

    fn inst(&mut self, index: usize) -> Parsed<Inst> {
        let mut results = Vec::new();
        let mut ahead = *self.cursor();
        if ahead.eat("%") {
            loop {
                results.push(self.definition()?);
                if !self.cursor().eat(",") {
                    break;
                }
            }
            self.cursor().expect("=")?;
        }
        let kind = self.kind(index)?;
        let span = self.parser.span()?;
        self.cursor().end_of_line()?;
        Ok(Inst { kind, results, span })
    }

    /// Operands with commas between them.
    fn operands<const COUNT: usize>(&mut self) -> Parsed<[Operand; COUNT]> {
        let mut operands = [Operand::Undefined(Type::BOOL); COUNT];
        for (number, operand) in operands.iter_mut().enumerate() {
            if number > 0 {
                self.cursor().expect(",")?;
            }
            *operand = self.parser.operand()?;
        }
        Ok(operands)
    }

    fn slot_id(&mut self) -> Parsed<SlotId> {
        self.cursor().id("s", "a slot").map(SlotId)
    }

    /// What an instruction does; `index` is its position in the block.
    fn kind(&mut self, index: usize) -> Parsed<InstKind> {
        let start = self.cursor().here();
        let head: Vec<&str> = self.cursor().head().split('.').collect();
        let ty = |name: &str| match type_named(name) {
            Some(ty) => Ok(ty),
            None => start.error(format!("a type in place of `{name}`")),
        };
        Ok(match head.as_slice() {
            ["Call"] => self.call(index)?,
            ["Offset"] => self.offset()?,
            ["SlotAddress"] => InstKind::SlotAddress(self.slot_id()?),
            ["ThreadLocalAddress"] => {
                InstKind::ThreadLocalAddress(GlobalId(self.cursor().id("@", "a global")?))
            }
            ["DynamicAlloca"] => {
                let [size] = self.operands()?;
                self.cursor().expect(",")?;
                self.cursor().expect("align")?;
                InstKind::DynamicAlloca { size, align: self.cursor().number()? }
            }
            ["StackSave"] => InstKind::StackSave,
            ["StackRestore"] => {
                let [saved] = self.operands()?;
                InstKind::StackRestore { saved }
            }
            ["LifetimeStart"] => InstKind::LifetimeStart(self.slot_id()?),
            ["LifetimeEnd"] => InstKind::LifetimeEnd(self.slot_id()?),
            ["Load", of, order] => {
                let (ty, order, [address]) = (ty(of)?, named(start, order)?, self.operands()?);
                InstKind::Load { ty, address, order }
            }
            ["Store", of, order] => {
                let (ty, order, [address, value]) = (ty(of)?, named(start, order)?, self.operands()?);
                InstKind::Store { ty, address, value, order }
            }
            ["Rmw", op, of, order] => {
                let (op, ty, order) = (named(start, op)?, ty(of)?, named(start, order)?);
                let [address, value] = self.operands()?;
                InstKind::Rmw { op, ty, address, value, order }
            }
            ["CompareExchange", weak @ .., of, success, failure] if matches!(weak, [] | ["weak"]) => {
                let (ty, weak) = (ty(of)?, !weak.is_empty());
                let (success, failure) = (named(start, success)?, named(start, failure)?);
                let [address, expected, new] = self.operands()?;
                InstKind::CompareExchange { ty, address, expected, new, success, failure, weak }
            }
            ["Fence", order, scope] => {
                InstKind::Fence { order: named(start, order)?, scope: named(start, scope)? }
            }
            ["CopyMemory"] => {
                let [to, from, size] = self.operands()?;
                InstKind::CopyMemory { to, from, size }
            }
            ["SetMemory"] => {
                let [to, byte, size] = self.operands()?;
                InstKind::SetMemory { to, byte, size }
            }
            ["VaStart"] => {
                let [list] = self.operands()?;
                InstKind::VaStart { list }
            }
            ["Trap"] => InstKind::Trap { reason: TrapReason::Trap },
            ["Trap", "Sanitizer"] => {
                InstKind::Trap { reason: TrapReason::Sanitizer(self.cursor().number()?) }
            }
            ["Unsupported"] => InstKind::Unsupported(self.cursor().text()?.into()),
            head => self.arithmetic(head, start)?,
        })
    }

    /// What only computes.
    fn arithmetic(&mut self, head: &[&str], start: Cursor<'t>) -> Parsed<InstKind> {
        let ty = |name: &str| match type_named(name) {
            Some(ty) => Ok(ty),
            None => start.error(format!("a type in place of `{name}`")),
        };
        Ok(match head {
            ["FunnelShift", direction @ ("left" | "right"), of] => {
                let (ty, [high, low, amount]) = (ty(of)?, self.operands()?);
                InstKind::FunnelShift { left: *direction == "left", ty, high, low, amount }
            }
            ["FusedMultiplyAdd", of] => {
                let (ty, [a, b, c]) = (ty(of)?, self.operands()?);
                InstKind::FusedMultiplyAdd { ty, a, b, c }
            }
            ["CompareFloat", flags, of] => {
                let (op, ty, [lhs, rhs]) = (float_compare(start, flags)?, ty(of)?, self.operands()?);
                InstKind::CompareFloat { op, ty, lhs, rhs }
            }
            ["FloatClass", mask, of] => {
                let digits = mask.strip_prefix("0x").unwrap_or_default();
                let Ok(mask) = u32::from_str_radix(digits, 16) else {
                    return start.error("classes as a hexadecimal number");
                };
                let (ty, [value]) = (ty(of)?, self.operands()?);
                InstKind::FloatClass { ty, value, mask }
            }
            ["Select", of] => {
                let (ty, [condition, if_true, if_false]) = (ty(of)?, self.operands()?);
                InstKind::Select { ty, condition, if_true, if_false }
            }
            [name, sign, of] if name.ends_with("Overflow") => {
                let op = named(start, name.trim_end_matches("Overflow"))?;
                let (sign, ty, [lhs, rhs]) = (named(start, sign)?, ty(of)?, self.operands()?);
                InstKind::Overflow { op, sign, ty, lhs, rhs }
            }
            [name, from, to] => {
                let (op, from, to, [value]) = (named(start, name)?, ty(from)?, ty(to)?, self.operands()?);
                InstKind::Cast { op, from, to, value }
            }
            [name, of] => {
                let ty = ty(of)?;
                if let Some(op) = BinaryOp::named(name) {
                    let [lhs, rhs] = self.operands()?;
                    InstKind::Binary { op, ty, lhs, rhs }
                } else if let Some(op) = IntCompare::named(name) {
                    let [lhs, rhs] = self.operands()?;
                    InstKind::Compare { op, ty, lhs, rhs }
                } else {
                    let (op, [value]) = (named(start, name)?, self.operands()?);
                    InstKind::Unary { op, ty, value }
                }
            }
            _ => return start.error("an instruction"),
        })
    }

    fn offset(&mut self) -> Parsed<InstKind> {
        let [base] = self.operands()?;
        self.cursor().expect(",")?;
        let offset = self.cursor().signed()?;
        let mut terms = Vec::new();
        while self.cursor().eat(",") {
            let [index] = self.operands()?;
            self.cursor().expect("*")?;
            terms.push((index, self.cursor().signed()?));
        }
        Ok(InstKind::Offset { base, offset, terms })
    }

    fn call(&mut self, index: usize) -> Parsed<InstKind> {
        let at = self.cursor().here();
        let callee = match self.cursor().maybe_id("fn")? {
            Some(function) => Callee::Function(FuncId(function)),
            None => Callee::Pointer(self.parser.operand()?),
        };
        let args = self.parser.list(Parser::operand)?;
        let fixed = args.len();
        let mut call = Call { callee, args, signature: Signature::default(), fixed, variadic: None };
        if self.cursor().eat("as") {
            self.signature(&mut call)?;
        } else if let Callee::Function(_) = callee {
            let place = (self.parser.program.functions.len(), self.function.blocks.len(), index);
            self.parser.calls.push(PlainCall { at, place });
        } else {
            return self.cursor().error("`as` and a signature");
        }
        Ok(InstKind::Call(Box::new(call)))
    }

    /// The signature of a call, and where its variadic arguments are.
    fn signature(&mut self, call: &mut Call) -> Parsed<()> {
        let mut places = None;
        call.signature.params.clear();
        self.cursor().expect("(")?;
        let mut is_first = true;
        while !self.cursor().eat(")") {
            if !std::mem::take(&mut is_first) {
                self.cursor().expect(",")?;
            }
            if places.is_none() && self.cursor().eat("...") {
                call.fixed = call.signature.params.len();
                places = Some(Vec::new());
                continue;
            }
            call.signature.params.push(self.parser.ty()?);
            if let Some(places) = &mut places {
                self.cursor().expect("at")?;
                let offset = self.cursor().number()?;
                let by_value = if self.cursor().eat("copies") { Some(self.cursor().number()?) } else { None };
                places.push(VariadicArg { by_value, offset });
            }
        }
        self.cursor().expect("->")?;
        call.signature.results = self.parser.list(Parser::ty)?;
        if let Some(args) = places {
            self.cursor().expect(",")?;
            self.cursor().expect("registers")?;
            let (gp_offset, fp_offset) = (self.cursor().number()?, self.cursor().number()?);
            self.cursor().expect(",")?;
            self.cursor().expect("block")?;
            let size = self.cursor().number()?;
            call.signature.variadic = true;
            call.variadic = Some(Box::new(Variadic { args, gp_offset, fp_offset, size }));
        }
        Ok(())
    }
}

/// What a part of an instruction's head names.
fn named<T: Named>(start: Cursor<'_>, name: &str) -> Parsed<T> {
    T::named(name).map_or_else(|| start.error(format!("an instruction (there is no `{name}`)")), Ok)
}

fn float_compare(start: Cursor<'_>, flags: &str) -> Parsed<FloatCompare> {
    let has = |flag| flags.contains(flag);
    let is_known =
        flags == "never" || (!flags.is_empty() && flags.bytes().all(|flag| b"<=>?".contains(&flag)));
    match is_known {
        true => Ok(FloatCompare { less: has('<'), equal: has('='), greater: has('>'), unordered: has('?') }),
        false => start.error("a comparison of `<`, `=`, `>` and `?`, or `never`"),
    }
}
