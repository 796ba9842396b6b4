//! From C sources to a [`Program`]: the only part of Selvedge that knows LLVM.
//!
//! ```text
//! .c .i .ll .bc ───clang───▶ bitcode ──passes──▶ bitcode ──translate──▶ Program
//!                                                    ▲
//!                       runtime/*.c (library models) ┘
//! ```
//!
//! * [`clang`] runs the compiler; [`inputs`] says what it has read.
//! * [`passes`] says which LLVM passes run afterwards, and why they cannot change what is verified.
//! * `symbols` finds the definition of each name, the user's before the library's; `models` has the library's.
//! * `translate`, `body`, `calls`, `intrinsics`, `constants` and `layout` turn what is reachable from
//!   `main` into a [`Program`]; `debug_info` keeps names and places.
//! * `miscompiled` finds expressions for which the compiler's code is known to be wrong.
//! * `llvm` wraps the C interface; nothing else calls it.
//!
//! A construct that cannot be translated does not fail the compilation: it becomes an instruction that
//! is an error when it is reached.

#![warn(missing_docs)]

mod big;
mod body;
mod calls;
pub mod clang;
mod constants;
mod debug_info;
mod error;
pub mod inputs;
mod intrinsics;
mod layout;
mod llvm;
mod miscompiled;
mod models;
pub mod passes;
mod symbols;
mod translate;

pub use clang::Sources;
pub use error::Error;
pub use inputs::{Input, Inputs};
pub use passes::Promotion;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use selvedge_program::Program;
use std::path::Path;
use std::time::Instant;
use symbols::LoadedModule;
use translate::Translator;

/// A program that was compiled.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// What the compiler has warned about.
    pub warnings: String,
    /// What it has read.
    pub inputs: Inputs,
}

/// Compiles and translates a program. The compiler is stopped at the deadline, if there is one.
pub fn compile(
    sources: &Sources,
    promotion: Promotion,
    deadline: Option<Instant>,
) -> Result<Compiled, Error> {
    let objects = clang::compile(sources, deadline)?;
    let context = Context::create();
    let mut modules = Vec::new();
    for (file, object) in sources.files.iter().zip(&objects) {
        if clang::is_ir(file) {
            check_target(&context, file)?;
        }
        let module = load(&context, file, &object.bitcode)?;
        let handle = llvm::Module::of(&module);
        passes::prepare(handle, promotion);
        modules.push(module);
    }
    let mut translator = Translator::new(&context);
    for (file, module) in sources.files.iter().zip(&modules) {
        let module = llvm::Module::of(module);
        translator.add_module(LoadedModule { module, file: file.display().to_string(), library: false })?;
    }
    let mut program = translator.translate()?;
    program.miscompiled = miscompiled::find(&program);
    let warnings = objects.iter().map(|object| object.diagnostics.as_str()).collect();
    let read = objects.into_iter().map(|object| object.read).collect();
    Ok(Compiled { program, warnings, inputs: Inputs::new(&sources.files, read) })
}

/// Refuses a module for another processor. The compiler has read it without a crash, so we can; but what
/// it wrote says x86-64 whatever the module said.
fn check_target(context: &Context, file: &Path) -> Result<(), Error> {
    let bad = |reason: String| Error::BadModule { file: file.to_owned(), reason };
    let buffer = MemoryBuffer::create_from_file(file).map_err(|error| bad(error.to_string()))?;
    let module = context.create_module_from_ir(buffer).map_err(|error| bad(error.to_string()))?;
    let triple = llvm::Module::of(&module).triple();
    match triple.is_empty() || triple.starts_with("x86_64") {
        true => Ok(()),
        false => Err(Error::WrongTarget { file: file.to_owned(), triple }),
    }
}

/// Reads bitcode that the compiler wrote.
fn load<'c>(context: &'c Context, file: &Path, bitcode: &[u8]) -> Result<Module<'c>, Error> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "bitcode");
    Module::parse_bitcode_from_buffer(&buffer, context)
        .map_err(|error| Error::BadModule { file: file.to_owned(), reason: error.to_string() })
}
