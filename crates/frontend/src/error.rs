//! What can go wrong on the way from source to program.

use std::path::PathBuf;
use thiserror::Error;

/// Bad input, or a machine that lacks the compiler.
#[derive(Debug, Error)]
pub enum Error {
    /// No file to compile.
    #[error("no input file")]
    NoInput,
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A device, a pipe, a socket.
    #[error("cannot read {}: it is a device, a pipe or a socket, not an ordinary file", file.display())]
    NoFile {
        /// The file.
        file: PathBuf,
    },
    /// More than anybody would write.
    #[error("cannot read {}: it has {megabytes} MiB; files of more than {most} MiB are not read", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Its size.
        megabytes: u64,
        /// The largest size.
        most: u64,
    },
    /// Not a kind of file that can be compiled.
    #[error("{}: unknown kind of file (expected .c, .i, .ll or .bc)", file.display())]
    UnknownKind {
        /// The file.
        file: PathBuf,
    },
    /// The compiler is not installed.
    #[error("clang 22 was not found (tried {tried}); install it, e.g. `apt-get install clang-22`")]
    NoCompiler {
        /// Where it was looked for.
        tried: String,
    },
    /// The compiler rejected the program; it has said why on standard error.
    #[error("{} does not compile", file.display())]
    CompileFailed {
        /// The file.
        file: PathBuf,
        /// What the compiler printed.
        diagnostics: String,
    },
    /// The compiler ended in the middle of the program.
    #[error(
        "{}: clang ran out of stack, or met a bug of its own: is something in it nested very deeply, \
         such as expressions, statements or types?",
        file.display()
    )]
    CompilerGaveUp {
        /// The file.
        file: PathBuf,
    },
    /// LLVM cannot read the file.
    #[error("{}: not valid LLVM IR: {reason}", file.display())]
    BadModule {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// The module is for another processor.
    #[error("{}: compiled for `{triple}`; only x86-64 is supported", file.display())]
    WrongTarget {
        /// The file.
        file: PathBuf,
        /// Its target.
        triple: String,
    },
    /// Two definitions of one name.
    #[error("`{name}` is defined twice: in {first} and in {second}")]
    DuplicateSymbol {
        /// The name.
        name: String,
        /// The first file.
        first: String,
        /// The second file.
        second: String,
    },
    /// Nothing to run.
    #[error("there is no function `main`; link the file that defines it")]
    NoMain,
    /// `main` has a type that cannot be called.
    #[error("`main` takes parameters other than (int, char **, char **)")]
    BadMain,
    /// The compiler did not end in time.
    #[error("the time limit was reached while the compiler was running")]
    TimeLimit,
    /// A temporary file could not be used.
    #[error("cannot use a temporary file: {0}")]
    Temporary(std::io::Error),
    /// A promise of the front end is broken.
    #[error("internal error: the translation is malformed: {0}")]
    Malformed(#[from] selvedge_program::verify::Problem),
    /// The embedded library models cannot be read.
    #[error("internal error: the library models cannot be read: {0}")]
    Runtime(String),
}

impl Error {
    /// Whether it is our fault rather than the input's.
    pub fn is_internal(&self) -> bool {
        matches!(self, Error::Malformed(_) | Error::Runtime(_))
    }
}
