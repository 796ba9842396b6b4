//! The LLVM passes that run before translation, and why they are safe.
//!
//! A pass here must not remove, duplicate or reorder an access to memory that another thread could see:
//! every such access is an event that the verification is about. Almost all of LLVM's passes fail that
//! test (`instcombine` forwards stores to loads, `sroa` drops the unused part of a struct copy, `gvn`
//! and `early-cse` merge loads). So there is exactly one:
//!
//! * `mem2reg` promotes an `alloca` to registers only if *every* use of its address is a direct,
//!   non-volatile load or store of its whole type (plus lifetime and debug markers). The address is never
//!   stored, passed, compared or offset, so no other thread can have it, and what disappears are accesses
//!   to memory that is private by construction. All other memory instructions are left as they are.
//!
//! With [`Promotion::Off`] nothing is done: then locals stay in memory, where the machine can see whether
//! they were initialised before they are read.

use crate::llvm::Module;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};

/// Whether local variables whose address is not taken become registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Promotion {
    /// They do.
    #[default]
    On,
    /// They stay in memory.
    Off,
}

/// Runs the passes on a module.
pub fn prepare(module: Module<'_>, promotion: Promotion) -> Result<(), String> {
    if promotion == Promotion::Off {
        return Ok(());
    }
    // SAFETY: the module is live; no target machine is needed for this pass; the options and the error
    // message are disposed of exactly once.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error =
            LLVMRunPasses(module.as_raw(), c"function(mem2reg)".as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}
