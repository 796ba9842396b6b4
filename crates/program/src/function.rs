//! Functions, blocks and stack slots.

use crate::{Inst, SpanId, Terminator, Type, VariableId, index_type};
use std::sync::OnceLock;

index_type!(
    /// A function.
    FuncId
);
index_type!(
    /// A block of a function; block 0 is the entry.
    BlockId
);
index_type!(
    /// A value of a function.
    ValueId
);
index_type!(
    /// A stack slot of a function.
    SlotId
);

/// What a function takes and gives.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Signature {
    /// Types of the (scalar) parameters.
    pub params: Vec<Type>,
    /// Types of the (scalar) results.
    pub results: Vec<Type>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// A local object with an address: what remains in memory of a function's variables.
#[derive(Debug, Clone)]
pub struct StackSlot {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// The variable in the source.
    pub variable: Option<VariableId>,
    /// Whether [`crate::InstKind::LifetimeStart`] opens its life; otherwise it lives as long as the call.
    pub scoped: bool,
}

/// A basic block.
#[derive(Debug, Clone)]
pub struct Block {
    /// Values that every jump to the block supplies.
    pub params: Vec<ValueId>,
    /// The instructions.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where the terminator stands.
    pub span: SpanId,
}

/// A function. Without blocks it is external: a builtin of the machine, or unknown.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name in the object file.
    pub name: String,
    /// Parameters and results.
    pub signature: Signature,
    /// The values that hold the parameters; as many as `signature.params`.
    pub params: Vec<ValueId>,
    /// The blocks; empty for an external function.
    pub blocks: Vec<Block>,
    /// The type of each value.
    pub values: Vec<Type>,
    /// Local objects.
    pub slots: Vec<StackSlot>,
    /// Which variable of the source a value holds, where known: (value, variable), sorted by value.
    pub value_variables: Vec<(ValueId, VariableId)>,
    /// Where it is defined.
    pub span: SpanId,
    /// Belongs to the library models, not to the user's program.
    pub library: bool,
    /// Where each value is defined, once somebody has asked.
    definitions: OnceLock<Vec<Option<(BlockId, usize)>>>,
}

impl Function {
    /// An external function of that name.
    pub fn external(name: String, signature: Signature) -> Self {
        Self {
            name,
            signature,
            params: Vec::new(),
            blocks: Vec::new(),
            values: Vec::new(),
            slots: Vec::new(),
            value_variables: Vec::new(),
            span: SpanId::NONE,
            library: false,
            definitions: OnceLock::new(),
        }
    }

    /// Whether it has no body.
    pub fn is_external(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Makes a new value.
    pub fn new_value(&mut self, ty: Type) -> ValueId {
        self.values.push(ty);
        ValueId::new(self.values.len() - 1)
    }

    /// The type of a value.
    pub fn type_of(&self, value: ValueId) -> Type {
        self.values[value.index()]
    }

    /// The block with that id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The instruction that defines a value; none defines parameters. The function must not change after the first
    /// question.
    pub fn definition(&self, value: ValueId) -> Option<&Inst> {
        let definitions = self.definitions.get_or_init(|| {
            let mut definitions = vec![None; self.values.len()];
            for (block, insts) in self.blocks.iter().map(|block| &block.insts).enumerate() {
                for (position, inst) in insts.iter().enumerate() {
                    for result in &inst.results {
                        definitions[result.index()] = Some((BlockId::new(block), position));
                    }
                }
            }
            definitions
        });
        let (block, position) = (*definitions.get(value.index())?)?;
        self.block(block).insts.get(position)
    }

    /// The variable that a value holds, if debug information says so.
    pub fn variable_of(&self, value: ValueId) -> Option<VariableId> {
        let at = self.value_variables.partition_point(|(v, _)| *v < value);
        self.value_variables.get(at).filter(|(v, _)| *v == value).map(|(_, variable)| *variable)
    }
}
