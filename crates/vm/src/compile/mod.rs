//! From [`Program`] to [`Code`].
//!
//! One pass per function: decide what is folded into its user ([`folding`]), allocate registers
//! ([`registers`]), emit operations ([`emit`], [`control`]). The folding is what makes the code dense:
//!
//! * conversions that do not change the register (zero extension, pointer and integer casts) are names
//!   for their operand;
//! * a comparison whose only use is the branch behind it becomes part of the branch;
//! * an address computation that is only used by loads and stores becomes part of them;
//! * a jump to a block that only decides where to go next decides at once (loops are rotated that way).
//!
//! None of this concerns memory accesses: each load and store of the program is one operation, in order.

mod control;
mod emit;
mod folding;
mod liveness;
mod registers;

use crate::address;
use crate::code::{Code, CompiledFunction, SlotLayout};
use crate::memory::{COUNT, Poison};
use selvedge_program::{FuncId, Function, Program, Sites, Terminator};

/// Space between local objects, and before the first.
const STACK_GAP: u32 = 16;
/// Space between globals.
const GLOBAL_GAP: u64 = 16;
/// A frame larger than this cannot be called.
const MAX_FRAME: u64 = 1 << 30;

/// What code is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeFor {
    /// Steps: atomic accesses that are simple are loads and stores like others.
    Steps,
    /// Execution graphs: atomic accesses are operations of their own kind.
    Graphs,
}

/// Compiles a program.
pub fn compile(program: &Program, sites: &Sites, code_for: CodeFor) -> Result<Code, crate::LoadError> {
    let mut code = Code::default();
    lay_out_globals(program, &mut code)?;
    // Signatures first: calls look at their callee's.
    code.functions = program.functions.iter().map(declare).collect();
    for (index, function) in program.functions.iter().enumerate() {
        if function.is_external() {
            continue;
        }
        emit::function(program, sites, FuncId::new(index), code_for, &mut code);
    }
    code.check()?;
    Ok(code)
}

fn lay_out_globals(program: &Program, code: &mut Code) -> Result<(), crate::LoadError> {
    let mut next = address::GLOBALS;
    let mut next_local = 0u64;
    for global in &program.globals {
        let align = global.align.max(8);
        if global.thread_local {
            let offset = (next_local + GLOBAL_GAP).next_multiple_of(align);
            next_local = offset + global.size.next_multiple_of(8);
            code.global_addresses.push(0);
            code.thread_local_offsets.push(u32::try_from(offset).map_err(|_| crate::LoadError::TooLarge)?);
        } else {
            let address = (next + GLOBAL_GAP).next_multiple_of(align);
            next = address.saturating_add(global.size.next_multiple_of(8));
            code.global_addresses.push(address);
            code.thread_local_offsets.push(0);
        }
        if next >= address::GLOBALS_END || next_local >= u64::from(u32::MAX / 16) {
            return Err(crate::LoadError::TooLarge);
        }
    }
    code.thread_local_size = (next_local + GLOBAL_GAP).next_multiple_of(16) as u32;
    Ok(())
}

/// All of a compiled function but its operations.
fn declare(function: &Function) -> CompiledFunction {
    let mut compiled = CompiledFunction { variadic: function.signature.variadic, ..Default::default() };
    if function.slots.is_empty() {
        return compiled;
    }
    let mut offset = u64::from(STACK_GAP);
    let mut align = 16;
    for slot in &function.slots {
        let slot_align = slot.align.clamp(8, 1 << 20);
        align = align.max(slot_align);
        offset = offset.next_multiple_of(slot_align);
        compiled.slots.push(SlotLayout { offset: offset as u32, size: slot.size, scoped: slot.scoped });
        offset = offset.saturating_add(slot.size.next_multiple_of(8)).saturating_add(u64::from(STACK_GAP));
        if offset > MAX_FRAME {
            break;
        }
    }
    if offset > MAX_FRAME {
        // Calling it overflows any stack: let that be the error.
        let nothing = SlotLayout { offset: STACK_GAP, size: 0, scoped: false };
        compiled.slots = vec![nothing; function.slots.len()];
        offset = MAX_FRAME;
    }
    compiled.frame_size = offset.next_multiple_of(16) as u32;
    compiled.frame_align = align as u32;
    compiled.shadow = vec![Poison::Gap as u8; compiled.frame_size as usize / 8];
    compiled.shadow[0] = Poison::FrameHeader as u8;
    for slot in &compiled.slots {
        let granules = slot_shadow(slot.size, slot.scoped);
        let at = slot.offset as usize / 8;
        compiled.shadow[at..at + granules.len()].copy_from_slice(&granules);
    }
    compiled
}

/// The shadow of a local object when its function is entered.
fn slot_shadow(size: u64, scoped: bool) -> Vec<u8> {
    let granules = size.div_ceil(8) as usize;
    if scoped {
        return vec![Poison::DeadStack as u8; granules];
    }
    let mut shadow = vec![8; granules];
    if !size.is_multiple_of(8)
        && let Some(last) = shadow.last_mut()
    {
        *last = (size % 8) as u8 & COUNT;
    }
    shadow
}

/// Whether control can only go on to one place, with nothing passed.
fn forwards(terminator: &Terminator) -> Option<&selvedge_program::Jump> {
    match terminator {
        Terminator::Jump(jump) if jump.args.is_empty() => Some(jump),
        _ => None,
    }
}
