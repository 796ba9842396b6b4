//! The library models, compiled when the tool was built. Each is read when something that it defines is needed: most
//! programs need few of them.

use crate::error::Error;
use crate::llvm;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

// The bitcode of each model, and who defines what, in the order of the names.
include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The models.
pub struct Models<'c> {
    context: &'c Context,
    /// Those that were read, by number.
    loaded: Vec<Option<Module<'c>>>,
}

impl<'c> Models<'c> {
    /// None is read yet.
    pub fn new(context: &'c Context) -> Self {
        Self { context, loaded: MODELS.iter().map(|_| None).collect() }
    }

    /// Reads the model that defines a name; `None` if there is none, or if it was read before.
    pub fn load(&mut self, name: &str) -> Result<Option<llvm::Module<'c>>, Error> {
        let Ok(found) = SYMBOLS.binary_search_by_key(&name, |(name, _)| name) else { return Ok(None) };
        let (_, number) = SYMBOLS[found];
        if self.loaded[number].is_some() {
            return Ok(None);
        }
        let bitcode = MemoryBuffer::create_from_memory_range_copy(MODELS[number], "runtime");
        let module = Module::parse_bitcode_from_buffer(&bitcode, self.context)
            .map_err(|error| Error::Runtime(error.to_string()))?;
        let handle = llvm::Module::of(&module);
        self.loaded[number] = Some(module);
        Ok(Some(handle))
    }
}
