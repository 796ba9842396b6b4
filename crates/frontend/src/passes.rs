//! What is done to a module before it is translated, and why that is safe.
//!
//! A pass here must not remove, duplicate or reorder an access to memory that another thread could see:
//! every such access is an event that the verification is about. Almost all of LLVM's passes fail that
//! test (`instcombine` forwards stores to loads, `sroa` drops the unused part of a struct copy, `gvn`
//! and `early-cse` merge loads). So there is exactly one:
//!
//! * `promote.cpp` does what LLVM's `mem2reg` does. It promotes an `alloca` to registers only if *every* use of
//!   its address is a direct, non-volatile load or store of its whole type (plus lifetime and debug markers).
//!   The address is never stored, passed, compared or offset, so no other thread can have it, and what
//!   disappears are accesses to memory that is private by construction. All other memory instructions are left
//!   as they are.
//!
//! With [`Promotion::Off`] nothing is done: then locals stay in memory, where the machine can see whether
//! they were initialised before they are read.

use crate::llvm::Module;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

/// Whether local variables whose address is not taken become registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Promotion {
    /// They do.
    #[default]
    On,
    /// They stay in memory.
    Off,
}

unsafe extern "C" {
    /// Promotes the variables of all functions of a module (`promote.cpp`).
    fn selvedge_promote(module: LLVMModuleRef);
}

/// Runs the passes on a module.
pub fn prepare(module: Module<'_>, promotion: Promotion) {
    if promotion == Promotion::On {
        // SAFETY: the module is live and nobody else has it; the function keeps nothing.
        unsafe { selvedge_promote(module.as_raw()) }
    }
}
