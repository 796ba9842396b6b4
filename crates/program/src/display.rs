//! Programs as text, for people (`selvedge run --emit ir`) and for tests.

use crate::*;
use std::fmt;

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Value(value) => write!(f, "%{}", value.0),
            Operand::Const(Type::F64, bits) => write!(f, "{:?}", f64::from_bits(*bits as u64)),
            Operand::Const(Type::F32, bits) => write!(f, "{:?}f", f32::from_bits(*bits as u32)),
            Operand::Const(ty, bits) => write!(f, "{ty} {bits}"),
            Operand::Address(Symbol::Global(id), 0) => write!(f, "@{}", id.0),
            Operand::Address(Symbol::Global(id), offset) => write!(f, "@{}{offset:+}", id.0),
            Operand::Address(Symbol::Function(id), _) => write!(f, "&fn{}", id.0),
            Operand::Undefined(ty) => write!(f, "{ty} undefined"),
        }
    }
}

impl fmt::Display for Jump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.block.0)?;
        if !self.args.is_empty() {
            write!(f, "({})", list(&self.args))?;
        }
        Ok(())
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(jump) => write!(f, "jump {jump}"),
            Terminator::Branch { condition, if_true, if_false } => {
                write!(f, "branch {condition}, {if_true}, {if_false}")
            }
            Terminator::Switch { value, cases, default, .. } => {
                write!(f, "switch {value}")?;
                for (case, jump) in cases {
                    write!(f, ", {case} -> {jump}")?;
                }
                write!(f, ", else -> {default}")
            }
            Terminator::Return(values) => write!(f, "return {}", list(values)),
            Terminator::Unreachable => f.write_str("unreachable"),
            Terminator::Unsupported(what) => write!(f, "unsupported {what}"),
        }
    }
}

fn list(operands: &[Operand]) -> String {
    operands.iter().map(Operand::to_string).collect::<Vec<_>>().join(", ")
}

/// The operation's name and what does not show in its operands.
fn head(kind: &InstKind) -> String {
    use InstKind::*;
    match kind {
        Binary { op, ty, .. } => format!("{op:?}.{ty}"),
        Unary { op, ty, .. } => format!("{op:?}.{ty}"),
        Overflow { op, sign, ty, .. } => format!("{op:?}Overflow.{sign:?}.{ty}"),
        FunnelShift { left, ty, .. } => format!("FunnelShift.{}.{ty}", if *left { "left" } else { "right" }),
        FusedMultiplyAdd { ty, .. } => format!("FusedMultiplyAdd.{ty}"),
        Compare { op, ty, .. } => format!("{op:?}.{ty}"),
        CompareFloat { op, ty, .. } => {
            let flags = [(op.less, '<'), (op.equal, '='), (op.greater, '>'), (op.unordered, '?')];
            let text: String = flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
            format!("CompareFloat.{text}.{ty}")
        }
        FloatClass { ty, mask, .. } => format!("FloatClass.{mask:#x}.{ty}"),
        Cast { op, from, to, .. } => format!("{op:?}.{from}.{to}"),
        Select { ty, .. } => format!("Select.{ty}"),
        Offset { offset, terms, .. } => {
            let scales: Vec<String> = terms.iter().map(|(_, scale)| scale.to_string()).collect();
            format!("Offset[{offset:+}; {}]", scales.join(", "))
        }
        SlotAddress(slot) => format!("SlotAddress s{}", slot.0),
        ThreadLocalAddress(global) => format!("ThreadLocalAddress @{}", global.0),
        DynamicAlloca { align, .. } => format!("DynamicAlloca align {align}"),
        StackSave => "StackSave".to_owned(),
        StackRestore { .. } => "StackRestore".to_owned(),
        LifetimeStart(slot) => format!("LifetimeStart s{}", slot.0),
        LifetimeEnd(slot) => format!("LifetimeEnd s{}", slot.0),
        Load { ty, order, .. } => format!("Load.{ty}.{order:?}"),
        Store { ty, order, .. } => format!("Store.{ty}.{order:?}"),
        Rmw { op, ty, order, .. } => format!("Rmw.{op:?}.{ty}.{order:?}"),
        CompareExchange { ty, success, failure, weak, .. } => {
            format!("CompareExchange{}.{ty}.{success:?}.{failure:?}", if *weak { ".weak" } else { "" })
        }
        Fence { order, scope } => format!("Fence.{order:?}.{scope:?}"),
        CopyMemory { .. } => "CopyMemory".to_owned(),
        SetMemory { .. } => "SetMemory".to_owned(),
        Call(call) => match call.callee {
            Callee::Function(id) => format!("Call fn{}", id.0),
            Callee::Pointer(_) => "Call".to_owned(),
        },
        VaStart { .. } => "VaStart".to_owned(),
        Trap { reason } => format!("Trap.{reason:?}"),
        Unsupported(what) => format!("Unsupported {what:?}"),
    }
}

impl fmt::Display for InstKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&head(self))?;
        let mut operands = Vec::new();
        self.for_each_operand(|operand| operands.push(operand));
        if !operands.is_empty() {
            write!(f, " {}", list(&operands))?;
        }
        Ok(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let typed = |values: &[ValueId]| {
            let texts: Vec<String> =
                values.iter().map(|v| format!("%{} {}", v.0, self.type_of(*v))).collect();
            texts.join(", ")
        };
        write!(f, "{}({})", self.name, typed(&self.params))?;
        let results: Vec<String> = self.signature.results.iter().map(Type::to_string).collect();
        writeln!(f, " -> ({}){}", results.join(", "), if self.is_external() { " external" } else { "" })?;
        for (index, slot) in self.slots.iter().enumerate() {
            writeln!(f, "  s{index}: {} bytes, align {}", slot.size, slot.align)?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            writeln!(f, "b{index}({}):", typed(&block.params))?;
            for inst in &block.insts {
                f.write_str("  ")?;
                if !inst.results.is_empty() {
                    write!(f, "{} = ", typed(&inst.results))?;
                }
                writeln!(f, "{}", inst.kind)?;
            }
            writeln!(f, "  {}", block.terminator)?;
        }
        Ok(())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, global) in self.globals.iter().enumerate() {
            writeln!(f, "@{index} {}: {} bytes, align {}", global.name, global.size, global.align)?;
        }
        for (index, function) in self.functions.iter().enumerate() {
            write!(f, "\nfn{index} {function}")?;
        }
        Ok(())
    }
}
