//! Debug information: spans, variables and the types of variables.

use crate::llvm::{Metadata, NodeKind, Value};
use inkwell::llvm_sys::prelude::LLVMContextRef;
use rustc_hash::FxHashMap;
use selvedge_program::{
    DebugType, DebugTypeId, FileId, Member, Program, Scope, ScopeId, Span, SpanId, Variable, VariableId,
};

/// Operand numbers of LLVM 22's debug nodes, which the C interface has no names for.
mod operand {
    /// `DIVariable`: name.
    pub const VARIABLE_NAME: usize = 1;
    /// `DIVariable`: type.
    pub const VARIABLE_TYPE: usize = 3;
    /// `DIType` derived or composite: the type below.
    pub const BASE_TYPE: usize = 5;
    /// `DICompositeType`: members or subranges.
    pub const ELEMENTS: usize = 6;
    /// `DISubrange`: number of elements.
    pub const COUNT: usize = 0;
    /// `DISubprogram` and lexical blocks: the scope around it.
    pub const SCOPE: usize = 1;
    /// `DISubprogram`: name.
    pub const SUBPROGRAM_NAME: usize = 2;
}

/// DWARF tags that matter.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const MEMBER: u16 = 0x0d;
}

/// Reads debug information into a [`Program`], each node once.
pub struct DebugInfo<'c> {
    context: LLVMContextRef,
    /// The current directory.
    here: Option<String>,
    files: FxHashMap<String, FileId>,
    spans: FxHashMap<Span, SpanId>,
    locations: FxHashMap<Metadata<'c>, SpanId>,
    scopes: FxHashMap<(Metadata<'c>, Option<SpanId>), ScopeId>,
    types: FxHashMap<Metadata<'c>, DebugTypeId>,
    variables: FxHashMap<Metadata<'c>, VariableId>,
}

impl<'c> DebugInfo<'c> {
    /// For modules of that context.
    pub fn new(context: LLVMContextRef) -> Self {
        Self {
            context,
            here: std::env::current_dir().ok().map(|here| here.to_string_lossy().into_owned()),
            files: FxHashMap::default(),
            spans: FxHashMap::default(),
            locations: FxHashMap::default(),
            scopes: FxHashMap::default(),
            types: FxHashMap::default(),
            variables: FxHashMap::default(),
        }
    }

    /// The place of an instruction.
    pub fn span(&mut self, program: &mut Program, instruction: Value<'c>) -> SpanId {
        match instruction.debug_location() {
            Some(location) => self.location(program, location),
            None => SpanId::NONE,
        }
    }

    /// The place of a function's definition.
    pub fn function_span(&mut self, program: &mut Program, function: Value<'c>) -> SpanId {
        let Some(subprogram) = function.subprogram() else { return SpanId::NONE };
        let file = self.file_of(program, subprogram);
        let scope = self.scope(program, subprogram, None);
        self.intern(program, Span { file, line: subprogram.subprogram_line(), column: 0, scope })
    }

    fn location(&mut self, program: &mut Program, location: Metadata<'c>) -> SpanId {
        if let Some(span) = self.locations.get(&location) {
            return *span;
        }
        let inlined_at = location.inlined_at().map(|outer| self.location(program, outer));
        // The compiler's own checks are described as inlined calls without a line: the place is theirs.
        if let (Some(outer), 0) = (inlined_at, location.line()) {
            self.locations.insert(location, outer);
            return outer;
        }
        let (file, scope) = match location.location_scope() {
            Some(scope) => (self.file_of(program, scope), self.scope(program, scope, inlined_at)),
            None => (FileId(0), ScopeId(0)),
        };
        let span = Span { file, line: location.line(), column: location.column(), scope };
        let id = self.intern(program, span);
        self.locations.insert(location, id);
        id
    }

    fn intern(&mut self, program: &mut Program, span: Span) -> SpanId {
        *self.spans.entry(span).or_insert_with(|| {
            program.source.spans.push(span);
            SpanId::new(program.source.spans.len() - 1)
        })
    }

    fn file_of(&mut self, program: &mut Program, scope: Metadata<'c>) -> FileId {
        scope.scope_file().map_or(FileId(0), |file| self.file(program, file))
    }

    fn file(&mut self, program: &mut Program, file: Metadata<'c>) -> FileId {
        let name = self.path(&file.file_directory(), file.file_name());
        if let Some(id) = self.files.get(&name) {
            return *id;
        }
        program.source.files.push(name.clone());
        let id = FileId::new(program.source.files.len() - 1);
        self.files.insert(name, id);
        id
    }

    /// A file's path as seen from here: the compiler splits off a folder where it can.
    fn path(&self, folder: &str, name: String) -> String {
        let here = self.here.as_deref().unwrap_or_default();
        match folder.is_empty() || folder == "." || folder == here || name.starts_with('/') {
            true => name,
            false => format!("{}/{name}", folder.trim_end_matches('/')),
        }
    }

    /// The function around a scope.
    fn scope(&mut self, program: &mut Program, scope: Metadata<'c>, inlined_at: Option<SpanId>) -> ScopeId {
        let mut subprogram = scope;
        // Lexical blocks nest; broken metadata could in principle be cyclic.
        for _ in 0..1024 {
            if subprogram.kind() == NodeKind::Subprogram {
                break;
            }
            match subprogram.node_operand(self.context, operand::SCOPE) {
                Some(outer) => subprogram = outer,
                None => return ScopeId(0),
            }
        }
        *self.scopes.entry((subprogram, inlined_at)).or_insert_with(|| {
            let function =
                subprogram.string_operand(self.context, operand::SUBPROGRAM_NAME).unwrap_or_default();
            program.source.scopes.push(Scope { function, inlined_at });
            ScopeId::new(program.source.scopes.len() - 1)
        })
    }

    /// A variable, global or local.
    pub fn variable(&mut self, program: &mut Program, node: Metadata<'c>) -> VariableId {
        if let Some(id) = self.variables.get(&node) {
            return *id;
        }
        let name = node.string_operand(self.context, operand::VARIABLE_NAME).unwrap_or_default();
        let ty = node.node_operand(self.context, operand::VARIABLE_TYPE);
        let ty = ty.and_then(|ty| self.debug_type(program, ty));
        let file = node.variable_file().map_or(FileId(0), |file| self.file(program, file));
        let line = node.variable_line();
        let span = self.intern(program, Span { file, line, column: 0, scope: ScopeId(0) });
        program.variables.push(Variable { name, ty, span });
        let id = VariableId::new(program.variables.len() - 1);
        self.variables.insert(node, id);
        id
    }

    fn debug_type(&mut self, program: &mut Program, node: Metadata<'c>) -> Option<DebugTypeId> {
        if let Some(id) = self.types.get(&node) {
            return Some(*id);
        }
        // Entered before its parts are read: types are recursive through pointers.
        let id = program.types.add(DebugType::Alias { to: None });
        self.types.insert(node, id);
        let base = |this: &mut Self, program: &mut Program| {
            let base = node.node_operand(this.context, operand::BASE_TYPE)?;
            this.debug_type(program, base)
        };
        let scalar =
            || DebugType::Scalar { name: node.type_name(), bytes: node.type_size_bits().div_ceil(8) };
        let ty = match (node.kind(), node.tag()) {
            (NodeKind::BasicType, _) | (_, tag::ENUMERATION) => scalar(),
            (_, tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE) => {
                DebugType::Pointer { to: base(self, program) }
            }
            (NodeKind::CompositeType, tag::ARRAY) => self.array(program, node),
            (NodeKind::CompositeType, _) => self.aggregate(program, node),
            (NodeKind::DerivedType, _) => DebugType::Alias { to: base(self, program) },
            _ => scalar(),
        };
        program.types.set(id, ty);
        Some(id)
    }

    fn array(&mut self, program: &mut Program, node: Metadata<'c>) -> DebugType {
        let element = node.node_operand(self.context, operand::BASE_TYPE);
        let mut element = element.and_then(|e| self.debug_type(program, e));
        let ranges = node.node_operand(self.context, operand::ELEMENTS);
        let counts: Vec<u64> = ranges
            .map(|ranges| ranges.node_operands(self.context))
            .unwrap_or_default()
            .into_iter()
            .map(|range| match range.kind() {
                NodeKind::Subrange => range.int_operand(self.context, operand::COUNT).unwrap_or(0),
                _ => 0,
            })
            .collect();
        // `int a[2][3]` is one node with two subranges: nest them, innermost last.
        for count in counts.iter().skip(1).rev() {
            let count = if *count > u64::from(u32::MAX) { 0 } else { *count };
            element = Some(program.types.add(DebugType::Array { element, count }));
        }
        let count = counts.first().copied().filter(|c| *c <= u64::from(u32::MAX)).unwrap_or(0);
        DebugType::Array { element, count }
    }

    fn aggregate(&mut self, program: &mut Program, node: Metadata<'c>) -> DebugType {
        let elements = node.node_operand(self.context, operand::ELEMENTS);
        let elements = elements.map(|e| e.node_operands(self.context)).unwrap_or_default();
        let mut members = Vec::new();
        for element in elements {
            if element.kind() != NodeKind::DerivedType || element.tag() != tag::MEMBER {
                continue;
            }
            let base = element.node_operand(self.context, operand::BASE_TYPE);
            members.push(Member {
                name: element.type_name(),
                offset_bits: element.type_offset_bits(),
                size_bits: element.type_size_bits(),
                ty: base.and_then(|base| self.debug_type(program, base)),
            });
        }
        DebugType::Aggregate { name: node.type_name(), bytes: node.type_size_bits() / 8, members }
    }
}
