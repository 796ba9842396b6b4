//! Writing the text form.

use super::names::{Named, is_bare};
use crate::*;
use std::fmt::{self, Display, Formatter, Result, Write};

/// Zeros in the contents of a global are counted, not written, if there are as many.
const COUNTED_ZEROS: usize = 16;

/// Items with commas between them.
fn list<T>(
    items: impl IntoIterator<Item = T> + Clone,
    item: impl Fn(T, &mut Formatter<'_>) -> Result,
) -> impl Display {
    fmt::from_fn(move |f| {
        for (number, one) in items.clone().into_iter().enumerate() {
            if number > 0 {
                f.write_str(", ")?;
            }
            item(one, f)?;
        }
        Ok(())
    })
}

/// Things that can be displayed, with commas between them.
fn plain<'i, T: Display>(items: &'i [T]) -> impl Display + use<'i, T> {
    list(items, |item, f| write!(f, "{item}"))
}

/// Text in quotes.
fn quoted(text: &str) -> impl Display {
    fmt::from_fn(move |f| {
        f.write_char('"')?;
        for c in text.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                c if c.is_control() => {
                    c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(f, "\\x{byte:02x}"))?
                }
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    })
}

/// Bytes in quotes.
fn quoted_bytes(bytes: &[u8]) -> impl Display {
    fmt::from_fn(move |f| {
        f.write_char('"')?;
        for byte in bytes {
            match byte {
                b'"' | b'\\' => write!(f, "\\{}", char::from(*byte))?,
                b'\n' => f.write_str("\\n")?,
                b' '..=b'~' => f.write_char(char::from(*byte))?,
                byte => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_char('"')
    })
}

/// A name, in quotes where it needs them.
fn name(name: &str) -> impl Display {
    fmt::from_fn(move |f| match is_bare(name) {
        true => f.write_str(name),
        false => write!(f, "{}", quoted(name)),
    })
}

/// A place in the source behind what stands there; nothing if it is unknown.
fn at(span: SpanId) -> impl Display {
    fmt::from_fn(move |f| match span {
        SpanId::NONE => Ok(()),
        span => write!(f, " !{}", span.0),
    })
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Value(value) => write!(f, "%{}", value.0),
            Operand::Const(Type::F64, bits) => match f64::from_bits(*bits as u64) {
                float if float.is_finite() && bits >> 64 == 0 => write!(f, "f64 {float:?}"),
                _ => write!(f, "f64 {bits:#x}"),
            },
            Operand::Const(Type::F32, bits) => match f32::from_bits(*bits as u32) {
                float if float.is_finite() && bits >> 32 == 0 => write!(f, "f32 {float:?}"),
                _ => write!(f, "f32 {bits:#x}"),
            },
            Operand::Const(ty, bits) => write!(f, "{ty} {bits}"),
            Operand::Address(symbol, 0) => write!(f, "{symbol}"),
            Operand::Address(symbol, offset) => write!(f, "{symbol}{offset:+}"),
            Operand::Undefined(ty) => write!(f, "{ty} undefined"),
        }
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Symbol::Global(id) => write!(f, "@{}", id.0),
            Symbol::Function(id) => write!(f, "&fn{}", id.0),
        }
    }
}

impl Display for Jump {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "b{}", self.block.0)?;
        match self.args.is_empty() {
            true => Ok(()),
            false => write!(f, "({})", plain(&self.args)),
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Terminator::Jump(jump) => write!(f, "jump {jump}"),
            Terminator::Branch { condition, if_true, if_false } => {
                write!(f, "branch {condition}, {if_true}, {if_false}")
            }
            Terminator::Switch { ty, value, cases, default } => {
                write!(f, "switch.{ty} {value}")?;
                for (case, jump) in cases {
                    write!(f, ", {case} -> {jump}")?;
                }
                write!(f, ", else -> {default}")
            }
            Terminator::Return(values) if values.is_empty() => f.write_str("return"),
            Terminator::Return(values) => write!(f, "return {}", plain(values)),
            Terminator::Unreachable => f.write_str("unreachable"),
            Terminator::Unsupported(what) => write!(f, "unsupported {}", quoted(what)),
        }
    }
}

/// The operation's name, and what does not show in its operands.
fn head(kind: &InstKind, f: &mut Formatter<'_>) -> Result {
    use InstKind::*;
    match kind {
        Binary { op, ty, .. } => write!(f, "{}.{ty}", op.name()),
        Unary { op, ty, .. } => write!(f, "{}.{ty}", op.name()),
        Overflow { op, sign, ty, .. } => write!(f, "{}Overflow.{}.{ty}", op.name(), sign.name()),
        FunnelShift { left, ty, .. } => {
            write!(f, "FunnelShift.{}.{ty}", if *left { "left" } else { "right" })
        }
        FusedMultiplyAdd { ty, .. } => write!(f, "FusedMultiplyAdd.{ty}"),
        Compare { op, ty, .. } => write!(f, "{}.{ty}", op.name()),
        CompareFloat { op, ty, .. } => {
            f.write_str("CompareFloat.")?;
            let flags = [(op.less, '<'), (op.equal, '='), (op.greater, '>'), (op.unordered, '?')];
            for (_, flag) in flags.iter().filter(|(holds, _)| *holds) {
                f.write_char(*flag)?;
            }
            if flags.iter().all(|(holds, _)| !holds) {
                f.write_str("never")?;
            }
            write!(f, ".{ty}")
        }
        FloatClass { ty, mask, .. } => write!(f, "FloatClass.{mask:#x}.{ty}"),
        Cast { op, from, to, .. } => write!(f, "{}.{from}.{to}", op.name()),
        Select { ty, .. } => write!(f, "Select.{ty}"),
        Offset { .. } => f.write_str("Offset"),
        SlotAddress(slot) => write!(f, "SlotAddress s{}", slot.0),
        ThreadLocalAddress(global) => write!(f, "ThreadLocalAddress @{}", global.0),
        DynamicAlloca { .. } => f.write_str("DynamicAlloca"),
        StackSave => f.write_str("StackSave"),
        StackRestore { .. } => f.write_str("StackRestore"),
        LifetimeStart(slot) => write!(f, "LifetimeStart s{}", slot.0),
        LifetimeEnd(slot) => write!(f, "LifetimeEnd s{}", slot.0),
        Load { ty, order, .. } => write!(f, "Load.{ty}.{}", order.name()),
        Store { ty, order, .. } => write!(f, "Store.{ty}.{}", order.name()),
        Rmw { op, ty, order, .. } => write!(f, "Rmw.{}.{ty}.{}", op.name(), order.name()),
        CompareExchange { ty, success, failure, weak, .. } => {
            let weak = if *weak { ".weak" } else { "" };
            write!(f, "CompareExchange{weak}.{ty}.{}.{}", success.name(), failure.name())
        }
        Fence { order, scope } => write!(f, "Fence.{}.{}", order.name(), scope.name()),
        CopyMemory { .. } => f.write_str("CopyMemory"),
        SetMemory { .. } => f.write_str("SetMemory"),
        Call(_) => f.write_str("Call"),
        VaStart { .. } => f.write_str("VaStart"),
        Trap { reason: TrapReason::Trap } => f.write_str("Trap"),
        Trap { reason: TrapReason::Sanitizer(check) } => write!(f, "Trap.Sanitizer {check}"),
        Unsupported(what) => write!(f, "Unsupported {}", quoted(what)),
    }
}

impl Display for InstKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        inst(self, None, f)
    }
}

/// An instruction; a call of a function of the program does not repeat that function's signature.
fn inst(kind: &InstKind, program: Option<&Program>, f: &mut Formatter<'_>) -> Result {
    head(kind, f)?;
    match kind {
        InstKind::Call(called) => call(called, program, f),
        InstKind::Offset { base, offset, terms } => {
            write!(f, " {base}, {offset:+}")?;
            terms.iter().try_for_each(|(index, scale)| write!(f, ", {index} * {scale}"))
        }
        InstKind::DynamicAlloca { size, align } => write!(f, " {size}, align {align}"),
        kind => {
            let mut before = " ";
            let mut result = Ok(());
            kind.for_each_operand(|operand| {
                if result.is_ok() {
                    result = write!(f, "{before}{operand}");
                }
                before = ", ";
            });
            result
        }
    }
}

fn call(call: &Call, program: Option<&Program>, f: &mut Formatter<'_>) -> Result {
    let callee = match &call.callee {
        Callee::Function(id) => {
            write!(f, " fn{}", id.0)?;
            program.and_then(|program| program.functions.get(id.index()))
        }
        Callee::Pointer(pointer) => {
            write!(f, " {pointer}")?;
            None
        }
    };
    write!(f, "({})", plain(&call.args))?;
    let Signature { params, results, .. } = &call.signature;
    let Some(variadic) = &call.variadic else {
        return match callee.is_some_and(|callee| callee.signature == call.signature) {
            true => Ok(()),
            false => write!(f, " as ({}) -> ({})", plain(params), plain(results)),
        };
    };
    // Malformed calls are printed, too, where it is said what is wrong with them.
    let (fixed, others) = params.split_at(call.fixed.min(params.len()));
    f.write_str(" as (")?;
    fixed.iter().try_for_each(|ty| write!(f, "{ty}, "))?;
    f.write_str("...")?;
    for (ty, place) in others.iter().zip(&variadic.args) {
        write!(f, ", {ty} at {}", place.offset)?;
        if let Some(size) = place.by_value {
            write!(f, " copies {size}")?;
        }
    }
    let Variadic { gp_offset, fp_offset, size, .. } = **variadic;
    write!(f, ") -> ({}), registers {gp_offset} {fp_offset}, block {size}", plain(results))
}

/// Values with their types.
fn typed<'a>(function: &'a Function, values: &'a [ValueId]) -> impl Display + 'a {
    list(values, |value, f| match function.values.get(value.index()) {
        Some(ty) => write!(f, "%{} {ty}", value.0),
        None => write!(f, "%{} ?", value.0),
    })
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        body(self, None, f)
    }
}

fn body(function: &Function, program: Option<&Program>, f: &mut Formatter<'_>) -> Result {
    write!(f, "{}(", name(&function.name))?;
    match function.is_external() {
        true => write!(f, "{}", plain(&function.signature.params))?,
        false => write!(f, "{}", typed(function, &function.params))?,
    }
    if function.signature.variadic {
        f.write_str(if function.signature.params.is_empty() { "..." } else { ", ..." })?;
    }
    write!(f, ") -> ({})", plain(&function.signature.results))?;
    f.write_str(if function.is_external() { " external" } else { "" })?;
    f.write_str(if function.library { " library" } else { "" })?;
    writeln!(f, "{}", at(function.span))?;
    for (number, slot) in function.slots.iter().enumerate() {
        write!(f, "  s{number}: {} bytes, align {}", slot.size, slot.align)?;
        f.write_str(if slot.scoped { ", scoped" } else { "" })?;
        writeln!(f, "{}", variable(slot.variable))?;
    }
    let unused = without_definition(function);
    if !unused.is_empty() {
        writeln!(f, "  unused {}", typed(function, &unused))?;
    }
    for (number, block) in function.blocks.iter().enumerate() {
        match block.params.is_empty() {
            true => writeln!(f, "b{number}:")?,
            false => writeln!(f, "b{number}({}):", typed(function, &block.params))?,
        }
        for one in &block.insts {
            f.write_str("  ")?;
            if !one.results.is_empty() {
                write!(f, "{} = ", typed(function, &one.results))?;
            }
            inst(&one.kind, program, f)?;
            write!(f, "{}", at(one.span))?;
            writeln!(f, "{}", callee_comment(&one.kind, program))?;
        }
        writeln!(f, "  {}{}", block.terminator, at(block.span))?;
    }
    Ok(())
}

/// Values that no instruction defines any more.
fn without_definition(function: &Function) -> Vec<ValueId> {
    let mut is_defined = vec![function.is_external(); function.values.len()];
    let blocks = || function.blocks.iter();
    let results = blocks().flat_map(|block| block.insts.iter().flat_map(|inst| &inst.results));
    for value in function.params.iter().chain(blocks().flat_map(|block| &block.params)).chain(results) {
        if let Some(is_defined) = is_defined.get_mut(value.index()) {
            *is_defined = true;
        }
    }
    (0..is_defined.len()).filter(|value| !is_defined[*value]).map(ValueId::new).collect()
}

/// For readers: the name of the function that is called.
fn callee_comment(kind: &InstKind, program: Option<&Program>) -> impl Display {
    let callee = match kind {
        InstKind::Call(call) => match call.callee {
            Callee::Function(id) => program.and_then(|program| program.functions.get(id.index())),
            Callee::Pointer(_) => None,
        },
        _ => None,
    };
    let callee = callee.filter(|callee| is_bare(&callee.name));
    fmt::from_fn(move |f| callee.map_or(Ok(()), |callee| write!(f, " # {}", callee.name)))
}

fn variable(variable: Option<VariableId>) -> impl Display {
    fmt::from_fn(move |f| variable.map_or(Ok(()), |variable| write!(f, ", v{}", variable.0)))
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "{}", super::HEADER)?;
        if let Some(entry) = self.entry {
            writeln!(f, "entry fn{}", entry.0)?;
        }
        if !self.globals.is_empty() {
            writeln!(f)?;
        }
        for (number, global) in self.globals.iter().enumerate() {
            self::global(number, global, f)?;
        }
        for (number, function) in self.functions.iter().enumerate() {
            write!(f, "\nfn{number} ")?;
            body(function, Some(self), f)?;
        }
        names_of_values(self, f)?;
        contents(self, f)?;
        source(&self.source, f)?;
        debug(self, f)
    }
}

fn global(number: usize, global: &Global, f: &mut Formatter<'_>) -> Result {
    write!(f, "@{number} {}: {} bytes, align {}", name(&global.name), global.size, global.align)?;
    let flags = [
        (global.constant, ", constant"),
        (global.thread_local, ", thread-local"),
        (global.external, ", external"),
        (global.library, ", library"),
    ];
    flags.iter().filter(|(holds, _)| *holds).try_for_each(|(_, flag)| f.write_str(flag))?;
    write!(f, "{}", variable(global.variable))?;
    if let Some(what) = &global.untranslated {
        write!(f, ", untranslated {}", quoted(what))?;
    }
    writeln!(f)
}

/// A line between sections.
fn section(has_lines: bool, f: &mut Formatter<'_>) -> Result {
    if has_lines { writeln!(f) } else { Ok(()) }
}

fn names_of_values(program: &Program, f: &mut Formatter<'_>) -> Result {
    let named = || program.functions.iter().enumerate().filter(|(_, one)| !one.value_variables.is_empty());
    section(named().next().is_some(), f)?;
    for (number, function) in named() {
        let names =
            list(&function.value_variables, |(value, variable), f| write!(f, "%{} v{}", value.0, variable.0));
        writeln!(f, "names fn{number}: {names}")?;
    }
    Ok(())
}

fn contents(program: &Program, f: &mut Formatter<'_>) -> Result {
    let has_contents = |global: &Global| !global.bytes.is_empty() || !global.relocations.is_empty();
    let filled = || program.globals.iter().enumerate().filter(|(_, global)| has_contents(global));
    section(filled().next().is_some(), f)?;
    for (number, global) in filled() {
        write!(f, "contents @{number}:")?;
        let mut rest = global.bytes.as_slice();
        while !rest.is_empty() {
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            if zeros >= COUNTED_ZEROS {
                write!(f, " zeros {zeros}")?;
                rest = &rest[zeros..];
                continue;
            }
            let end = rest.windows(COUNTED_ZEROS).position(|bytes| bytes.iter().all(|byte| *byte == 0));
            let (now, later) = rest.split_at(end.unwrap_or(rest.len()));
            write!(f, " {}", quoted_bytes(now))?;
            rest = later;
        }
        for Relocation { offset, symbol, addend } in &global.relocations {
            write!(f, ", {offset} -> {}", Operand::Address(*symbol, *addend))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

fn source(source: &SourceMap, f: &mut Formatter<'_>) -> Result {
    // The first of each table stands for what is unknown.
    section(source.files.len() > 1, f)?;
    for (number, file) in source.files.iter().enumerate().skip(1) {
        writeln!(f, "file {number} {}", quoted(file))?;
    }
    section(source.scopes.len() > 1, f)?;
    for (number, scope) in source.scopes.iter().enumerate().skip(1) {
        write!(f, "scope {number} {}", name(&scope.function))?;
        match scope.inlined_at {
            Some(span) => writeln!(f, " inlined at !{}", span.0)?,
            None => writeln!(f)?,
        }
    }
    section(source.spans.len() > 1, f)?;
    for (number, span) in source.spans.iter().enumerate().skip(1) {
        let Span { file, line, column, scope } = span;
        writeln!(f, "!{number} = {}:{line}:{column} in {}", file.0, scope.0)?;
    }
    Ok(())
}

fn debug_type(ty: Option<DebugTypeId>) -> impl Display {
    fmt::from_fn(move |f| match ty {
        Some(ty) => write!(f, "t{}", ty.0),
        None => f.write_str("void"),
    })
}

fn debug(program: &Program, f: &mut Formatter<'_>) -> Result {
    section(!program.types.is_empty(), f)?;
    for (number, ty) in program.types.iter().enumerate() {
        write!(f, "t{number} = ")?;
        match ty {
            DebugType::Scalar { name, bytes, sign } => {
                write!(f, "scalar {} {bytes} bytes", quoted(name))?;
                match sign {
                    Some(sign) => writeln!(f, " {}", sign.name())?,
                    None => writeln!(f)?,
                }
            }
            DebugType::Pointer { to } => writeln!(f, "pointer {}", debug_type(*to))?,
            DebugType::Alias { to } => writeln!(f, "alias {}", debug_type(*to))?,
            DebugType::Array { element, count } => writeln!(f, "array {count} {}", debug_type(*element))?,
            DebugType::Aggregate { name, bytes, members } => {
                let members = list(members, |member, f| {
                    let Member { name, offset_bits, size_bits, ty, is_bit_field } = member;
                    let kind = if *is_bit_field { "bit-field" } else { "field" };
                    write!(f, "{kind} {} {} at {offset_bits} size {size_bits}", quoted(name), debug_type(*ty))
                });
                writeln!(f, "aggregate {} {bytes} bytes ({members})", quoted(name))?;
            }
        }
    }
    section(!program.variables.is_empty(), f)?;
    for (number, Variable { name, ty, span }) in program.variables.iter().enumerate() {
        writeln!(f, "v{number} {}: {}{}", self::name(name), debug_type(*ty), at(*span))?;
    }
    section(!program.miscompiled.is_empty(), f)?;
    for Miscompiled { span, object, deviation } in &program.miscompiled {
        write!(f, "miscompiled {}", deviation.name())?;
        if let Some(object) = object {
            write!(f, " {}", quoted(object))?;
        }
        writeln!(f, "{}", at(*span))?;
    }
    Ok(())
}
