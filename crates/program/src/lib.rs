//! The program under test, as every other part of Selvedge sees it.
//!
//! A [`Program`] is a set of functions in static single assignment form and a set of globals. The form
//! is deliberately small:
//!
//! * **Values are scalars.** Integers of 1 to 128 bits, `float`, `double` and pointers. The front end
//!   takes aggregates and vectors apart, so an instruction may have several results (a call that
//!   returns a struct, a compare-exchange) but a value is always one scalar.
//! * **Blocks have parameters** instead of phi nodes; a jump passes arguments.
//! * **Memory is reached only through explicit instructions** ([`InstKind::Load`], [`InstKind::Store`],
//!   [`InstKind::Rmw`], …). Each says its size, its memory order and its place in the source.
//! * **Everything knows where it comes from**: spans, variables and debug types give each access a name
//!   a programmer recognises (see [`naming`]).
//!
//! *Invariant:* this crate knows nothing of LLVM, of threads or of execution. It holds data and the
//! functions that read it.
//!
//! * [`inst`], [`function`], [`global`], [`types`]: the form; `visit`: reading and changing operands and jumps.
//! * [`sync`], [`builtins`]: what synchronisation objects and the machine provide: tables of names, types and meaning.
//! * [`scalar`]: arithmetic on scalars of any type: what instructions mean.
//! * [`site`]: one number for each instruction and terminator; [`source`]: files and spans; [`debug`]: variables and their declared types;
//!   [`naming`]: names for addresses, from the expression that computed them.
//! * [`miscompiled`]: places where the compiler's code does not do what C says.
//! * [`build`]: programs that no compiler has made; [`text`]: the text form, written and read.
//! * [`verify`]: what every reader of a [`Program`] may rely on; [`dominance`] and `order`: which blocks control must pass, and
//!   the order of blocks that this relies on.

pub mod build;
pub mod builtins;
pub mod debug;

pub mod dominance;
pub mod function;
pub mod global;
pub mod identity;
pub mod inst;
pub mod miscompiled;
pub mod naming;
mod order;
#[cfg(test)]
mod samples;
pub mod scalar;
pub mod site;
pub mod source;
pub mod sync;
pub mod text;
pub mod types;
mod unused;
pub mod verify;
mod visit;

pub use build::{FunctionBuilder, ProgramBuilder};
pub use builtins::Builtin;
pub use debug::{DebugType, DebugTypeId, DebugTypes, Member, Variable, VariableId};
pub use dominance::Dominators;
pub use function::{Block, BlockId, FuncId, Function, Mismatch, Signature, SlotId, StackSlot, ValueId};
pub use global::{Global, GlobalId, Relocation, Symbol};
pub use inst::*;
pub use miscompiled::{Deviation, Miscompiled};
pub use site::{Site, Sites};
pub use source::{FileId, Scope, ScopeId, SourceMap, Span, SpanId};
pub use types::Type;
pub use unused::UsedValues;

/// A whole program: what the front end makes and everybody else reads.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Program {
    /// All functions, indexed by [`FuncId`]. External ones have no blocks.
    pub functions: Vec<Function>,
    /// All globals, indexed by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Files, spans and scopes.
    pub source: SourceMap,
    /// Types of variables as the source declares them.
    pub types: DebugTypes,
    /// Variables of the source, indexed by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Where execution starts: a function of (argc, argv, envp) made by the front end, which runs the
    /// constructors, then `main`, then `exit`.
    pub entry: Option<FuncId>,
    /// Expressions of the user's program for which the compiler has made code that does not do what C says.
    pub miscompiled: Vec<Miscompiled>,
}

impl Program {
    /// The function with that id.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The first atomic operation or fence of the user's program that is weaker than sequentially consistent.
    pub fn weak_atomic(&self) -> Option<SpanId> {
        let functions = self.functions.iter().filter(|function| !function.library);
        let mut insts = functions.flat_map(|function| &function.blocks).flat_map(|block| &block.insts);
        insts.find(|inst| inst.kind.is_weak_atomic()).map(|inst| inst.span)
    }

    /// The global with that id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The variable with that id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }
}
