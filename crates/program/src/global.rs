//! Global variables and their initial bytes.

use crate::{FuncId, VariableId, index_type};

index_type!(
    /// A global variable.
    GlobalId
);

/// Something whose address is fixed when the program is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
}

/// Eight bytes of an initialiser that hold an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Where in the global.
    pub offset: u64,
    /// Address of what.
    pub symbol: Symbol,
    /// Plus this many bytes.
    pub addend: i64,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Its name in the object file.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Initial contents; shorter than `size` means zeros follow.
    pub bytes: Vec<u8>,
    /// Addresses within the contents.
    pub relocations: Vec<Relocation>,
    /// Never written: a string literal or a `const` object.
    pub constant: bool,
    /// One instance per thread.
    pub thread_local: bool,
    /// Declared but defined nowhere: using it is an error.
    pub external: bool,
    /// Why its contents could not be translated, if so: using it is an error, too.
    pub untranslated: Option<Box<str>>,
    /// Belongs to the library models, not to the user's program.
    pub library: bool,
    /// The variable in the source.
    pub variable: Option<VariableId>,
}
