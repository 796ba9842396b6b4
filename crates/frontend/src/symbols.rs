//! Which definition a name means, across modules: what a linker does.
//!
//! The user's modules come first, the library models last: a program that defines its own `strdup` gets
//! its own. Only what is reachable is translated, so nothing is copied between modules.

use crate::error::Error;
use crate::llvm::{LLVMLinkage, Module, Value};
use rustc_hash::FxHashMap;

/// A module and what it is for.
#[derive(Clone)]
pub struct LoadedModule<'c> {
    /// The module.
    pub module: Module<'c>,
    /// The file it came from, for messages.
    pub file: String,
    /// Whether it belongs to the library models.
    pub library: bool,
}

/// How much a definition insists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// An inline definition that another may replace without a word.
    Available,
    /// Weak.
    Weak,
    /// Tentative (`-fcommon`).
    Common,
    /// Ordinary.
    Strong,
}

struct Definition<'c> {
    value: Value<'c>,
    module: usize,
    strength: Strength,
}

/// The definitions of all modules.
#[derive(Default)]
pub struct Symbols<'c> {
    definitions: FxHashMap<String, Definition<'c>>,
}

fn strength(linkage: LLVMLinkage) -> Option<Strength> {
    use LLVMLinkage::*;
    match linkage {
        LLVMInternalLinkage | LLVMPrivateLinkage | LLVMAppendingLinkage => None,
        LLVMAvailableExternallyLinkage => Some(Strength::Available),
        LLVMWeakAnyLinkage
        | LLVMWeakODRLinkage
        | LLVMLinkOnceAnyLinkage
        | LLVMLinkOnceODRLinkage
        | LLVMExternalWeakLinkage => Some(Strength::Weak),
        LLVMCommonLinkage => Some(Strength::Common),
        _ => Some(Strength::Strong),
    }
}

/// Whether the name is known in its own module only.
pub fn is_local(value: Value<'_>) -> bool {
    strength(value.linkage()).is_none()
}

impl<'c> Symbols<'c> {
    /// Enters the definitions of a module; `modules` are all so far, that one included.
    pub fn add(&mut self, modules: &[LoadedModule<'c>], index: usize) -> Result<(), Error> {
        let module = modules[index].module;
        let definitions = module
            .functions()
            .chain(module.globals())
            .filter(|value| !value.is_declaration())
            .chain(module.aliases());
        for value in definitions {
            let Some(strength) = strength(value.linkage()) else { continue };
            let new = Definition { value, module: index, strength };
            let name = value.name();
            let Some(old) = self.definitions.get(&name) else {
                self.definitions.insert(name, new);
                continue;
            };
            let replaced_library = modules[old.module].library != modules[index].library;
            if replaced_library {
                continue; // The user's modules are added first and win.
            }
            if old.strength == Strength::Strong && strength == Strength::Strong {
                return Err(Error::DuplicateSymbol {
                    name,
                    first: modules[old.module].file.clone(),
                    second: modules[index].file.clone(),
                });
            }
            let larger_common = strength == Strength::Common
                && old.strength == Strength::Common
                && module.size_of(value.value_type()) > module.size_of(old.value.value_type());
            if strength > old.strength || larger_common {
                self.definitions.insert(name, new);
            }
        }
        Ok(())
    }

    /// The definition of a name, and the index of its module.
    pub fn find(&self, name: &str) -> Option<(Value<'c>, usize)> {
        self.definitions.get(name).map(|definition| (definition.value, definition.module))
    }
}
