//! Values that a program computes but does not use.
//!
//! A value is used if an instruction with an effect reads it, or what ends a block, or an instruction whose result is used; or if it is
//! passed to a block that uses it.

use crate::{CommutingOp, Function, Inst, InstKind, OldValue, Operand, Program, ValueId};

/// The values of a function that are used.
#[derive(Debug)]
pub struct UsedValues {
    used: Vec<bool>,
}

impl UsedValues {
    /// Those of a function.
    pub fn of(function: &Function) -> Self {
        let mut used = vec![false; function.values.len()];
        for block in &function.blocks {
            block.terminator.for_each_own_operand(&mut |operand| {
                mark(&mut used, operand);
            });
        }
        // Backwards, most uses come before what they use; where blocks stand in another order, it takes more rounds.
        loop {
            let mut changed = false;
            for block in function.blocks.iter().rev() {
                for jump in block.terminator.jumps() {
                    let passed = jump.args.iter().zip(&function.block(jump.block).params);
                    for (arg, _) in passed.filter(|(_, param)| used[param.index()]).collect::<Vec<_>>() {
                        changed |= mark(&mut used, *arg);
                    }
                }
                for inst in block.insts.iter().rev() {
                    if !inst.kind.is_pure() || inst.results.iter().any(|result| used[result.index()]) {
                        inst.kind.for_each_operand(|operand| changed |= mark(&mut used, operand));
                    }
                }
            }
            if !changed {
                return Self { used };
            }
        }
    }

    /// Whether the program uses what a read-modify-write has read, given its results.
    pub fn old_value(&self, results: &[ValueId]) -> OldValue {
        match results.iter().any(|result| self.used[result.index()]) {
            true => OldValue::Used,
            false => OldValue::Unused,
        }
    }
}

/// Marks a value as used; gives whether that is new.
fn mark(used: &mut [bool], operand: Operand) -> bool {
    match operand {
        Operand::Value(value) => !std::mem::replace(&mut used[value.index()], true),
        _ => false,
    }
}

impl Inst {
    /// What it does, if it is a read-modify-write that commutes with others wherever its result is not used.
    pub fn commuting_op(&self) -> Option<CommutingOp> {
        match self.kind {
            InstKind::Rmw { op, .. } => op.commuting(),
            _ => None,
        }
    }
}

impl Program {
    /// Whether the user's part of it has a read-modify-write that commutes with others: nobody uses its result.
    pub fn has_commuting_updates(&self) -> bool {
        self.functions.iter().filter(|function| !function.library).any(|function| {
            let insts = || function.blocks.iter().flat_map(|block| &block.insts);
            if !insts().any(|inst| inst.commuting_op().is_some()) {
                return false;
            }
            let used = UsedValues::of(function);
            insts().any(|inst| {
                inst.commuting_op().is_some() && used.old_value(&inst.results) == OldValue::Unused
            })
        })
    }
}
