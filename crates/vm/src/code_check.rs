//! Checking compiled code once, so that the interpreter need not check it at every step.

use crate::code::{Code, Malformed};
use crate::uses::Uses;

impl Code {
    /// Checks what the interpreter takes for granted: registers below the frame's size, jumps within
    /// the function, table indices in range, and that no function runs off its end.
    pub fn check(&self) -> Result<(), Malformed> {
        for (index, function) in self.functions.iter().enumerate() {
            let Some(entry) = function.entry else { continue };
            let fail = |pc, what| Err(Malformed { function: index, pc, what });
            if entry >= function.end || function.end as usize > self.ops.len() {
                return fail(entry, "empty or out of range");
            }
            for reg in &function.params {
                if *reg >= function.registers {
                    return fail(entry, "parameter register out of range");
                }
            }
            for pc in entry..function.end {
                let op = &self.ops[pc as usize];
                let mut uses = Uses::default();
                self.uses(op, &mut uses);
                if uses.bad_index {
                    return fail(pc, "table index out of range");
                }
                if uses.reads.iter().chain(&uses.writes).any(|reg| *reg >= function.registers) {
                    return fail(pc, "register out of range");
                }
                if uses.targets.iter().any(|target| !(entry..function.end).contains(target)) {
                    return fail(pc, "jump out of the function");
                }
                if pc + 1 == function.end && uses.falls_through {
                    return fail(pc, "runs off the end");
                }
            }
        }
        Ok(())
    }
}
