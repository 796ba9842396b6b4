//! Debug information: spans, variables and the types of variables.

use crate::llvm::{Metadata, NodeKind, Value};
use inkwell::llvm_sys::prelude::LLVMContextRef;
use rustc_hash::FxHashMap;
use selvedge_program::{
    DebugType, DebugTypeId, FileId, Member, Program, Scope, ScopeId, Signedness, Span, SpanId, Variable,
    VariableId,
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

/// DWARF encodings of integers.
mod encoding {
    pub const SIGNED: u32 = 0x05;
    pub const SIGNED_CHAR: u32 = 0x06;
    pub const UNSIGNED: u32 = 0x07;
    pub const UNSIGNED_CHAR: u32 = 0x08;
}

/// Reads debug information into a [`Program`], each node once.
pub struct DebugInfo<'c> {
    context: LLVMContextRef,
    /// The current directory.
    here: Option<String>,
    files: FxHashMap<String, FileId>,
    spans: FxHashMap<Span, SpanId>,
    locations: FxHashMap<Metadata<'c>, SpanId>,
    /// The files by their nodes.
    file_nodes: FxHashMap<Metadata<'c>, FileId>,
    /// The function around each scope, if there is one.
    subprograms: FxHashMap<Metadata<'c>, Option<Metadata<'c>>>,
    scopes: FxHashMap<(Metadata<'c>, Option<SpanId>), ScopeId>,
    types: FxHashMap<Metadata<'c>, DebugTypeId>,
    /// Types that were referred to and must still be read: types can be nested deeper than calls.
    unread: Vec<(Metadata<'c>, DebugTypeId)>,
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
            file_nodes: FxHashMap::default(),
            subprograms: FxHashMap::default(),
            scopes: FxHashMap::default(),
            types: FxHashMap::default(),
            unread: Vec::new(),
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
        if let Some(id) = self.file_nodes.get(&file) {
            return *id;
        }
        let name = self.path(&file.file_directory(), file.file_name());
        let id = *self.files.entry(name).or_insert_with_key(|name| {
            program.source.files.push(name.clone());
            FileId::new(program.source.files.len() - 1)
        });
        self.file_nodes.insert(file, id);
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
        let Some(subprogram) = self.subprogram(scope) else { return ScopeId(0) };
        *self.scopes.entry((subprogram, inlined_at)).or_insert_with(|| {
            let function =
                subprogram.string_operand(self.context, operand::SUBPROGRAM_NAME).unwrap_or_default();
            program.source.scopes.push(Scope { function, inlined_at });
            ScopeId::new(program.source.scopes.len() - 1)
        })
    }

    /// The description of the function around a scope.
    fn subprogram(&mut self, scope: Metadata<'c>) -> Option<Metadata<'c>> {
        let mut blocks = Vec::new();
        let mut outer = Some(scope);
        let found = loop {
            let Some(scope) = outer else { break None };
            if scope.kind() == NodeKind::Subprogram {
                break Some(scope);
            }
            if let Some(known) = self.subprograms.get(&scope) {
                break *known;
            }
            // Entered first, so that broken metadata, which could be cyclic, does not keep us here.
            self.subprograms.insert(scope, None);
            blocks.push(scope);
            outer = scope.node_operand(self.context, operand::SCOPE);
        };
        self.subprograms.extend(blocks.into_iter().map(|block| (block, found)));
        found
    }

    /// A variable, global or local.
    pub fn variable(&mut self, program: &mut Program, node: Metadata<'c>) -> VariableId {
        if let Some(id) = self.variables.get(&node) {
            return *id;
        }
        let name = node.string_operand(self.context, operand::VARIABLE_NAME).unwrap_or_default();
        let ty = node.node_operand(self.context, operand::VARIABLE_TYPE);
        let ty = ty.map(|ty| self.debug_type(program, ty));
        while let Some((node, id)) = self.unread.pop() {
            let ty = self.read_type(program, node);
            program.types.set(id, ty);
        }
        let file = node.variable_file().map_or(FileId(0), |file| self.file(program, file));
        let line = node.variable_line();
        let span = self.intern(program, Span { file, line, column: 0, scope: ScopeId(0) });
        program.variables.push(Variable { name, ty, span });
        let id = VariableId::new(program.variables.len() - 1);
        self.variables.insert(node, id);
        id
    }

    /// A type, which will be read.
    fn debug_type(&mut self, program: &mut Program, node: Metadata<'c>) -> DebugTypeId {
        *self.types.entry(node).or_insert_with(|| {
            let id = program.types.add(DebugType::Alias { to: None });
            self.unread.push((node, id));
            id
        })
    }

    fn read_type(&mut self, program: &mut Program, node: Metadata<'c>) -> DebugType {
        let scalar = || DebugType::Scalar {
            name: node.type_name(),
            bytes: node.type_size_bits().div_ceil(8),
            sign: match node.encoding() {
                encoding::SIGNED | encoding::SIGNED_CHAR => Some(Signedness::Signed),
                encoding::UNSIGNED | encoding::UNSIGNED_CHAR => Some(Signedness::Unsigned),
                _ => None,
            },
        };
        match (node.kind(), node.tag()) {
            (NodeKind::BasicType, _) | (_, tag::ENUMERATION) => scalar(),
            (_, tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE) => {
                DebugType::Pointer { to: self.base_type(program, node) }
            }
            (NodeKind::CompositeType, tag::ARRAY) => self.array(program, node),
            (NodeKind::CompositeType, _) => self.aggregate(program, node),
            (NodeKind::DerivedType, _) => DebugType::Alias { to: self.base_type(program, node) },
            _ => scalar(),
        }
    }

    /// The type below: of the elements, of the member, of what is pointed to.
    fn base_type(&mut self, program: &mut Program, node: Metadata<'c>) -> Option<DebugTypeId> {
        let base = node.node_operand(self.context, operand::BASE_TYPE)?;
        Some(self.debug_type(program, base))
    }

    fn array(&mut self, program: &mut Program, node: Metadata<'c>) -> DebugType {
        let mut element = self.base_type(program, node);
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
            members.push(Member {
                name: element.type_name(),
                offset_bits: element.type_offset_bits(),
                size_bits: element.type_size_bits(),
                ty: self.base_type(program, element),
                is_bit_field: element.is_bit_field(),
            });
        }
        DebugType::Aggregate { name: node.type_name(), bytes: node.type_size_bits() / 8, members }
    }
}
