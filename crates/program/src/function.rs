//! Functions, blocks and stack slots.

use crate::{Builtin, Inst, SpanId, Terminator, Type, VariableId, index_type};
use std::fmt;
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

impl Signature {
    /// The signature of a builtin.
    pub fn of_builtin(builtin: Builtin) -> Self {
        let (params, result) = builtin.signature();
        Self { params: params.to_vec(), results: result.into_iter().collect(), variadic: false }
    }

    /// Whether a function of this signature can be called by who takes its signature for `call`, and passes `fixed` arguments
    /// that are not variadic. A result that the caller ignores may be of any type; a call without a prototype passes as many
    /// arguments as it has.
    pub fn accepts(&self, call: &Signature, fixed: usize) -> Result<(), Mismatch> {
        let (takes, given) = (self.params.len(), call.params.len());
        let fits = match self.variadic {
            true => given == takes || (given > takes && call.variadic),
            false => given == takes && (fixed == given || (fixed == 0 && call.variadic)),
        };
        if !fits {
            return Err(Mismatch::Count { takes, variadic: self.variadic, given });
        }
        for (position, (expected, given)) in self.params.iter().zip(&call.params).enumerate() {
            if !given.passes_as(*expected) {
                return Err(Mismatch::Parameter { position, expected: *expected, given: *given });
            }
        }
        let same = self.results.len() == call.results.len()
            && self.results.iter().zip(&call.results).all(|(given, expected)| given.passes_as(*expected));
        if call.results.is_empty() || same { Ok(()) } else { Err(Mismatch::Result) }
    }
}

/// How the types of a call differ from those of the function called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// Another number of arguments.
    Count {
        /// How many the function takes.
        takes: usize,
        /// Whether that is the least number.
        variadic: bool,
        /// How many are passed.
        given: usize,
    },
    /// Another type.
    Parameter {
        /// Which one, from 0.
        position: usize,
        /// The parameter's type.
        expected: Type,
        /// The argument's type.
        given: Type,
    },
    /// Another type of the result.
    Result,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { takes, variadic, given } => {
                let least = if *variadic { "at least " } else { "" };
                write!(f, "it takes {least}{takes} arguments, {given} are passed")
            }
            Self::Parameter { position, expected, given } => {
                write!(f, "parameter {} is {expected}, {given} is passed", position + 1)
            }
            Self::Result => f.write_str("its result is of another type"),
        }
    }
}

/// A local object with an address: what remains in memory of a function's variables.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq)]
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
#[derive(Debug, Clone, PartialEq)]
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
    definitions: Definitions,
}

/// What follows from a function's instructions and is computed when it is needed: it does not belong to what the function is.
/// A copy, which may be made to be changed, has none.
#[derive(Debug, Default)]
struct Definitions(OnceLock<Vec<Option<(BlockId, usize)>>>);

impl Clone for Definitions {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Definitions {
    fn eq(&self, _: &Self) -> bool {
        true
    }
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
            definitions: Definitions::default(),
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

    /// The instruction that defines a value; none defines parameters. Whoever adds, moves or removes instructions after the
    /// first question has to say so ([`Function::forget_definitions`]).
    pub fn definition(&self, value: ValueId) -> Option<&Inst> {
        let definitions = self.definitions.0.get_or_init(|| {
            let mut definitions = vec![None; self.values.len()];
            for (block, insts) in self.blocks.iter().map(|block| &block.insts).enumerate() {
                for (position, inst) in insts.iter().enumerate() {
                    for result in &inst.results {
                        if let Some(definition) = definitions.get_mut(result.index()) {
                            *definition = Some((BlockId::new(block), position));
                        }
                    }
                }
            }
            definitions
        });
        let (block, position) = (*definitions.get(value.index())?)?;
        self.block(block).insts.get(position)
    }

    /// Instructions have been added, moved or removed.
    pub fn forget_definitions(&mut self) {
        self.definitions = Definitions::default();
    }

    /// The variable that a value holds, if debug information says so.
    pub fn variable_of(&self, value: ValueId) -> Option<VariableId> {
        let at = self.value_variables.partition_point(|(v, _)| *v < value);
        self.value_variables.get(at).filter(|(v, _)| *v == value).map(|(_, variable)| *variable)
    }
}
