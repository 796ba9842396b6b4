//! Structural checks: what every consumer of a [`Program`] may rely on.
//!
//! Checked: ids are in range; each value is defined exactly once; a use is of a value that is defined
//! somewhere in the function; jumps pass as many arguments as the target has parameters, of the same
//! types; returns match the signature. (Dominance is the front end's promise: LLVM's verifier has
//! checked it before translation.)

use crate::*;
use std::fmt;

/// A broken invariant: a bug of the front end, never the user's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The function.
    pub function: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in function {}: {}", self.function, self.what)
    }
}

impl std::error::Error for Problem {}

/// Checks all functions.
pub fn verify(program: &Program) -> Result<(), Problem> {
    for function in &program.functions {
        if !function.is_external() {
            let mut check = Check { program, function, defined: vec![false; function.values.len()] };
            check.function().map_err(|what| Problem { function: function.name.clone(), what })?;
        }
    }
    Ok(())
}

struct Check<'a> {
    program: &'a Program,
    function: &'a Function,
    defined: Vec<bool>,
}

impl Check<'_> {
    fn function(&mut self) -> Result<(), String> {
        let function = self.function;
        if function.params.len() != function.signature.params.len() {
            return Err("parameters do not match the signature".to_owned());
        }
        self.define(&function.params)?;
        for block in &function.blocks {
            self.define(&block.params)?;
            for inst in &block.insts {
                self.define(&inst.results)?;
            }
        }
        for block in &function.blocks {
            for inst in &block.insts {
                let mut result = Ok(());
                inst.kind.for_each_operand(|operand| {
                    if let Err(what) = self.operand(operand) {
                        result = Err(format!("{what} in `{}`", inst.kind));
                    }
                });
                result?;
                self.ids(&inst.kind)?;
            }
            self.terminator(&block.terminator)?;
        }
        Ok(())
    }

    fn define(&mut self, values: &[ValueId]) -> Result<(), String> {
        for value in values {
            match self.defined.get_mut(value.index()) {
                None => return Err(format!("%{} is out of range", value.0)),
                Some(true) => return Err(format!("%{} is defined twice", value.0)),
                Some(slot) => *slot = true,
            }
        }
        Ok(())
    }

    fn operand(&self, operand: Operand) -> Result<Type, String> {
        match operand {
            Operand::Value(value) if self.defined.get(value.index()) == Some(&true) => {
                Ok(self.function.type_of(value))
            }
            Operand::Value(value) => Err(format!("%{} is used but never defined", value.0)),
            Operand::Const(ty, _) | Operand::Undefined(ty) => Ok(ty),
            Operand::Address(Symbol::Global(id), _) if id.index() >= self.program.globals.len() => {
                Err(format!("global @{} does not exist", id.0))
            }
            Operand::Address(Symbol::Function(id), _) if id.index() >= self.program.functions.len() => {
                Err(format!("function fn{} does not exist", id.0))
            }
            Operand::Address(..) => Ok(Type::Ptr),
        }
    }

    fn ids(&self, kind: &InstKind) -> Result<(), String> {
        let ok = match kind {
            InstKind::SlotAddress(slot) | InstKind::LifetimeStart(slot) | InstKind::LifetimeEnd(slot) => {
                slot.index() < self.function.slots.len()
            }
            InstKind::ThreadLocalAddress(global) => global.index() < self.program.globals.len(),
            InstKind::Call(call) => {
                let known = match call.callee {
                    Callee::Function(id) => id.index() < self.program.functions.len(),
                    Callee::Pointer(_) => true,
                };
                known && call.args.len() == call.signature.params.len() && call.fixed <= call.args.len()
            }
            _ => true,
        };
        if ok { Ok(()) } else { Err(format!("bad reference in `{kind}`")) }
    }

    fn terminator(&self, terminator: &Terminator) -> Result<(), String> {
        for jump in terminator.jumps() {
            let Some(target) = self.function.blocks.get(jump.block.index()) else {
                return Err(format!("jump to b{}, which does not exist", jump.block.0));
            };
            if target.params.len() != jump.args.len() {
                return Err(format!("`{jump}` passes the wrong number of arguments"));
            }
            for (arg, param) in jump.args.iter().zip(&target.params) {
                if self.operand(*arg)? != self.function.type_of(*param) {
                    return Err(format!("`{jump}` passes {arg} for %{}", param.0));
                }
            }
        }
        match terminator {
            Terminator::Branch { condition, .. } => self.operand(*condition).map(drop),
            Terminator::Switch { value, .. } => self.operand(*value).map(drop),
            Terminator::Return(values) => {
                let types: Result<Vec<Type>, String> = values.iter().map(|v| self.operand(*v)).collect();
                if types? == self.function.signature.results {
                    Ok(())
                } else {
                    Err("return does not match the signature".to_owned())
                }
            }
            _ => Ok(()),
        }
    }
}
