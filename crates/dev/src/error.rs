//! Why a command could not do its work.

use std::io;
use std::path::{Path, PathBuf};

/// An error that ends a command with exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program that the command needs is not installed.
    #[error("{program} was not found; {remedy}")]
    Missing {
        /// The program or file.
        program: String,
        /// What the user can do.
        remedy: String,
    },
    /// A program is there but cannot be started or waited for.
    #[error("cannot run {program}: {source}")]
    Run {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// A program that must succeed for the command to go on has not.
    #[error("{program} failed: {message}")]
    Failed {
        /// The program.
        program: String,
        /// The beginning of what it wrote to its standard error.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Error {
    /// Makes an error about a file from what the system says.
    pub fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.as_ref().to_owned(), source }
    }
}
