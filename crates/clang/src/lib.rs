//! A compiler from C to LLVM bitcode that starts fast: clang's libraries in an executable of their own.
//!
//! It is made when this crate is built (`build.rs`, `compiler.cpp`), lies in the folder of the build, and is called like
//! clang. It does only the plain case, and what it does not do it leaves to the installed clang by failing: it never
//! compiles anything in another way.

#![warn(missing_docs)]

use std::path::Path;

/// Headers that come before the system's: our own, and those of which a part must be replaced. Names and texts.
pub const HEADERS: [(&str, &str); 3] = [
    ("selvedge.h", include_str!("../include/selvedge.h")),
    ("selvedge_cleanup.h", include_str!("../include/selvedge_cleanup.h")),
    ("pthread.h", include_str!("../include/pthread.h")),
];

/// The folder in which [`executable`] finds these, without their being there.
pub const HEADER_FOLDER: &str = env!("SELVEDGE_CLANG_HEADERS");

/// The variable of the environment that names a file to which [`executable`] writes what it has read: its version, and for each
/// file a hash and the name, the compiled file first; each ends with a null byte. The hash is FNV-1a of 64 bits, in hexadecimal.
pub const INPUTS_VARIABLE: &str = "SELVEDGE_CLANG_INPUTS";

/// The compiler; `None` if clang's libraries were not there when this was built, or if the folder of the build has been
/// removed since.
pub fn executable() -> Option<&'static Path> {
    Some(Path::new(env!("SELVEDGE_CLANG_EXECUTABLE"))).filter(|path| path.is_file())
}
