//! Reading the text form: everything but the bodies of functions.

use super::body;
use super::cursor::{Cursor, ParseError, Parsed};
use super::names::Named;
use crate::*;

/// The contents of all globals together do not have more bytes than this.
const MAX_CONTENTS: usize = 1 << 28;

/// Reads a program. What it refers to need not exist: [`crate::verify`] looks for that.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser =
        Parser { cursor: Cursor::new(text), program: Program::default(), contents: 0, calls: Vec::new() };
    // Comments may come first.
    let mut behind = parser.cursor;
    if behind.end_of_line().is_ok() {
        parser.cursor = behind;
    }
    let start = parser.cursor;
    if !super::HEADER.split(' ').all(|word| parser.cursor.eat(word)) {
        return start.error(format!("`{}`", super::HEADER));
    }
    parser.cursor.end_of_line()?;
    while !parser.cursor.is_at_end() {
        parser.item()?;
    }
    parser.resolve_calls()?;
    Ok(parser.program)
}

/// A call that is written without a signature: it has that of the function called.
pub(super) struct PlainCall<'t> {
    /// Where the function called is named.
    pub at: Cursor<'t>,
    /// The calling function, the block, the instruction.
    pub place: (usize, usize, usize),
}

pub(super) struct Parser<'t> {
    pub cursor: Cursor<'t>,
    pub program: Program,
    /// Bytes of contents so far.
    contents: usize,
    pub calls: Vec<PlainCall<'t>>,
}

impl Parser<'_> {
    /// One entry of a table, or a function.
    fn item(&mut self) -> Parsed<()> {
        let start = self.cursor.here();
        if self.cursor.eat("entry") {
            self.program.entry = Some(FuncId(self.cursor.id("fn", "a function")?));
        } else if self.cursor.eat("names") {
            self.names()?;
        } else if self.cursor.eat("contents") {
            self.contents()?;
        } else if self.cursor.eat("file") {
            self.expect_number(self.program.source.files.len())?;
            let file = self.cursor.text()?;
            self.program.source.files.push(file);
        } else if self.cursor.eat("scope") {
            self.expect_number(self.program.source.scopes.len())?;
            let function = self.cursor.name()?;
            let inlined = self.cursor.eat("inlined");
            if inlined {
                self.cursor.expect("at")?;
            }
            let inlined_at = if inlined { Some(SpanId(self.cursor.id("!", "a span")?)) } else { None };
            self.program.source.scopes.push(Scope { function, inlined_at });
        } else if self.cursor.eat("miscompiled") {
            let deviation = self.named("how the code is wrong")?;
            let object = if self.cursor.is_at_text() { Some(self.cursor.text()?) } else { None };
            let span = self.span()?;
            self.program.miscompiled.push(Miscompiled { span, object, deviation });
        } else {
            // A function ends its last line itself.
            return match self.cursor.maybe_id("fn")? {
                Some(number) => {
                    if number as usize != self.program.functions.len() {
                        return start.error(format!("`fn{}`", self.program.functions.len()));
                    }
                    body::function(self)
                }
                None => {
                    self.numbered(start)?;
                    self.cursor.end_of_line()
                }
            };
        }
        self.cursor.end_of_line()
    }

    /// A global, span, type or variable.
    fn numbered(&mut self, start: Cursor<'_>) -> Parsed<()> {
        let tables = [
            ("@", self.program.globals.len()),
            ("!", self.program.source.spans.len()),
            ("t", self.program.types.len()),
            ("v", self.program.variables.len()),
        ];
        for (prefix, expected) in tables {
            let Some(number) = self.cursor.maybe_id(prefix)? else { continue };
            if number as usize != expected {
                return start.error(format!("`{prefix}{expected}`"));
            }
            return match prefix {
                "@" => self.global(),
                "!" => self.span_entry(),
                "t" => self.debug_type_entry(),
                _ => self.variable_entry(),
            };
        }
        start.error("a global, a function, or an entry of a table")
    }

    /// A number that must be the next one of its table.
    fn expect_number(&mut self, expected: usize) -> Parsed<()> {
        let start = self.cursor.here();
        match self.cursor.number::<u32>()? as usize == expected {
            true => Ok(()),
            false => start.error(format!("`{expected}`")),
        }
    }

    fn global(&mut self) -> Parsed<()> {
        let name = self.cursor.name()?;
        self.cursor.expect(":")?;
        let (size, align) = self.size_and_align()?;
        let mut global = Global {
            name,
            size,
            align,
            bytes: Vec::new(),
            relocations: Vec::new(),
            constant: false,
            thread_local: false,
            external: false,
            untranslated: None,
            library: false,
            variable: None,
        };
        while self.cursor.eat(",") {
            if self.cursor.eat("constant") {
                global.constant = true;
            } else if self.cursor.eat("thread-local") {
                global.thread_local = true;
            } else if self.cursor.eat("external") {
                global.external = true;
            } else if self.cursor.eat("library") {
                global.library = true;
            } else if self.cursor.eat("untranslated") {
                global.untranslated = Some(self.cursor.text()?.into());
            } else {
                global.variable = Some(VariableId(self.cursor.id("v", "a property, or a variable")?));
            }
        }
        self.program.globals.push(global);
        Ok(())
    }

    /// `8 bytes, align 4`.
    pub fn size_and_align(&mut self) -> Parsed<(u64, u64)> {
        let size = self.cursor.number()?;
        self.cursor.expect("bytes")?;
        self.cursor.expect(",")?;
        self.cursor.expect("align")?;
        Ok((size, self.cursor.number()?))
    }

    fn contents(&mut self) -> Parsed<()> {
        let start = self.cursor.here();
        let id = self.cursor.id("@", "a global")?;
        self.cursor.expect(":")?;
        let (mut bytes, mut relocations) = (Vec::new(), Vec::new());
        loop {
            let here = self.cursor.here();
            if self.cursor.is_at_text() {
                self.cursor.bytes(&mut bytes)?;
            } else if self.cursor.eat("zeros") {
                let count: usize = self.cursor.number()?;
                match bytes.len().checked_add(count).filter(|length| *length <= MAX_CONTENTS) {
                    Some(length) => bytes.resize(length, 0),
                    None => return here.error(format!("at most {MAX_CONTENTS} bytes")),
                }
            } else {
                break;
            }
            if self.contents.saturating_add(bytes.len()) > MAX_CONTENTS {
                return here.error(format!("at most {MAX_CONTENTS} bytes of contents"));
            }
        }
        self.contents += bytes.len();
        while self.cursor.eat(",") {
            let offset = self.cursor.number()?;
            self.cursor.expect("->")?;
            let here = self.cursor.here();
            match self.operand()? {
                Operand::Address(symbol, addend) => relocations.push(Relocation { offset, symbol, addend }),
                _ => return here.error("the address of a global or function"),
            }
        }
        match self.program.globals.get_mut(id as usize) {
            Some(global) => (global.bytes, global.relocations) = (bytes, relocations),
            None => return start.error("a global that was declared before"),
        }
        Ok(())
    }

    fn names(&mut self) -> Parsed<()> {
        let start = self.cursor.here();
        let id = self.cursor.id("fn", "a function")?;
        self.cursor.expect(":")?;
        let mut names = Vec::new();
        loop {
            let value = ValueId(self.cursor.id("%", "a value")?);
            names.push((value, VariableId(self.cursor.id("v", "a variable")?)));
            if !self.cursor.eat(",") {
                break;
            }
        }
        match self.program.functions.get_mut(id as usize) {
            Some(function) => function.value_variables = names,
            None => return start.error("a function that was declared before"),
        }
        Ok(())
    }

    fn span_entry(&mut self) -> Parsed<()> {
        self.cursor.expect("=")?;
        let file = FileId(self.cursor.number()?);
        self.cursor.expect(":")?;
        let line = self.cursor.number()?;
        self.cursor.expect(":")?;
        let column = self.cursor.number()?;
        self.cursor.expect("in")?;
        let scope = ScopeId(self.cursor.number()?);
        self.program.source.spans.push(Span { file, line, column, scope });
        Ok(())
    }

    /// A place in the source, if there is one.
    pub fn span(&mut self) -> Parsed<SpanId> {
        Ok(self.cursor.maybe_id("!")?.map_or(SpanId::NONE, SpanId))
    }

    fn debug_type_entry(&mut self) -> Parsed<()> {
        self.cursor.expect("=")?;
        let here = self.cursor.here();
        let ty = if self.cursor.eat("scalar") {
            let (name, bytes) = self.named_bytes()?;
            let here = self.cursor;
            let sign = Signedness::named(self.cursor.head());
            if sign.is_none() {
                self.cursor = here;
            }
            DebugType::Scalar { name, bytes, sign }
        } else if self.cursor.eat("pointer") {
            DebugType::Pointer { to: self.debug_type()? }
        } else if self.cursor.eat("alias") {
            DebugType::Alias { to: self.debug_type()? }
        } else if self.cursor.eat("array") {
            let count = self.cursor.number()?;
            DebugType::Array { element: self.debug_type()?, count }
        } else if self.cursor.eat("aggregate") {
            let (name, bytes) = self.named_bytes()?;
            DebugType::Aggregate { name, bytes, members: self.list(Self::member)? }
        } else {
            return here.error("`scalar`, `pointer`, `alias`, `array` or `aggregate`");
        };
        self.program.types.add(ty);
        Ok(())
    }

    fn named_bytes(&mut self) -> Parsed<(String, u64)> {
        let named = (self.cursor.text()?, self.cursor.number()?);
        self.cursor.expect("bytes")?;
        Ok(named)
    }

    fn member(&mut self) -> Parsed<Member> {
        let is_bit_field = self.cursor.eat("bit-field");
        if !is_bit_field {
            self.cursor.expect("field")?;
        }
        let name = self.cursor.text()?;
        let ty = self.debug_type()?;
        self.cursor.expect("at")?;
        let offset_bits = self.cursor.number()?;
        self.cursor.expect("size")?;
        let size_bits = self.cursor.number()?;
        Ok(Member { name, offset_bits, size_bits, ty, is_bit_field })
    }

    fn debug_type(&mut self) -> Parsed<Option<DebugTypeId>> {
        match self.cursor.eat("void") {
            true => Ok(None),
            false => Ok(Some(DebugTypeId(self.cursor.id("t", "`void`, or a type of the source")?))),
        }
    }

    fn variable_entry(&mut self) -> Parsed<()> {
        let name = self.cursor.name()?;
        self.cursor.expect(":")?;
        let ty = self.debug_type()?;
        let span = self.span()?;
        self.program.variables.push(Variable { name, ty, span });
        Ok(())
    }

    /// Something that is written as its name.
    fn named<T: Named>(&mut self, what: &str) -> Parsed<T> {
        let here = self.cursor.here();
        let head = self.cursor.head();
        T::named(head).map_or_else(|| here.error(what), Ok)
    }

    /// Items with commas between them, in parentheses.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.cursor.expect("(")?;
        if self.cursor.eat(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            match self.cursor.eat(",") {
                true => {}
                false => return self.cursor.expect(")").map(|()| items),
            }
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Parsed<Type> {
        let here = self.cursor.here();
        type_named(self.cursor.head()).map_or_else(|| here.error("a type"), Ok)
    }

    /// An operand.
    pub fn operand(&mut self) -> Parsed<Operand> {
        if let Some(value) = self.cursor.maybe_id("%")? {
            return Ok(Operand::Value(ValueId(value)));
        }
        let symbol = match self.cursor.maybe_id("@")? {
            Some(global) => Some(Symbol::Global(GlobalId(global))),
            None => self.cursor.maybe_id("&fn")?.map(|function| Symbol::Function(FuncId(function))),
        };
        if let Some(symbol) = symbol {
            let mut behind = self.cursor;
            let has_offset = behind.eat("+") || behind.eat("-");
            let offset = if has_offset { self.cursor.signed()? } else { 0 };
            return Ok(Operand::Address(symbol, offset));
        }
        let here = self.cursor.here();
        let Some(ty) = type_named(self.cursor.head()) else { return here.error("an operand") };
        if self.cursor.eat("undefined") {
            return Ok(Operand::Undefined(ty));
        }
        let here = self.cursor.here();
        let mut rest = self.cursor;
        let literal = rest.literal();
        let float = match ty {
            _ if literal.starts_with("0x") => None,
            Type::F64 => literal.parse().ok().map(|float: f64| u128::from(float.to_bits())),
            Type::F32 => literal.parse().ok().map(|float: f32| u128::from(float.to_bits())),
            Type::Int(_) | Type::Ptr => None,
        };
        match float {
            Some(bits) => {
                self.cursor = rest;
                Ok(Operand::Const(ty, bits))
            }
            None => match self.cursor.number() {
                Ok(bits) => Ok(Operand::Const(ty, bits)),
                Err(_) => here.error(format!("a constant of type {ty}")),
            },
        }
    }

    /// Gives calls that are written without a signature that of the function they call.
    fn resolve_calls(&mut self) -> Parsed<()> {
        for PlainCall { at, place: (function, block, index) } in std::mem::take(&mut self.calls) {
            let inst = &self.program.functions[function].blocks[block].insts[index];
            let InstKind::Call(call) = &inst.kind else { continue };
            let Callee::Function(id) = call.callee else { continue };
            let count = call.args.len();
            let Some(callee) = self.program.functions.get(id.index()) else {
                return at.error("a function of the program");
            };
            let signature = callee.signature.clone();
            if signature.params.len() != count || signature.variadic {
                return at
                    .error("a function that takes these arguments, or `as` and a signature behind them");
            }
            let inst = &mut self.program.functions[function].blocks[block].insts[index];
            if let InstKind::Call(call) = &mut inst.kind {
                call.signature = signature;
            }
        }
        Ok(())
    }
}

/// The type of that name.
pub(super) fn type_named(name: &str) -> Option<Type> {
    match name {
        "ptr" => Some(Type::Ptr),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        name => {
            let bits = name.strip_prefix('i').filter(|bits| !bits.starts_with('+'))?.parse().ok()?;
            (1..=128).contains(&bits).then_some(Type::Int(bits))
        }
    }
}
