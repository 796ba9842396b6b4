//! Where the programs are that the commands run.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// The C compiler whose output the tool reads.
pub const CLANG: &str = "clang-22";

/// The programs and folders that every command knows.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The tool under test.
    selvedge: PathBuf,
    /// The same in an address space that valgrind has room for.
    measurable: PathBuf,
    /// The folder of the repository.
    root: PathBuf,
}

impl Tools {
    /// Finds the tool, where the user names it or beside this executable, and the repository.
    pub fn find(selvedge: Option<&Path>) -> Result<Tools, Error> {
        let (selvedge, measurable) = match selvedge {
            Some(path) => (path.to_owned(), path.to_owned()),
            None => {
                let own = env::current_exe().map_err(Error::file("selvedge-dev"))?;
                // As `./x` builds it: from TARGET/release/selvedge-dev to TARGET/small/release/selvedge.
                let target = own.ancestors().nth(2).unwrap_or(&own);
                (own.with_file_name("selvedge"), target.join("small/release/selvedge"))
            }
        };
        if !selvedge.is_file() {
            return Err(Error::Missing {
                program: selvedge.display().to_string(),
                remedy: "build it with `cargo build --release`, or name it with --selvedge".to_owned(),
            });
        }
        let selvedge = selvedge.canonicalize().map_err(Error::file(&selvedge))?;
        let here = env::current_dir().map_err(Error::file("."))?;
        let root = here.ancestors().find(|folder| folder.join("tests/programs").is_dir());
        let root = root.map(Path::to_owned).ok_or_else(|| Error::Missing {
            program: "tests/programs".to_owned(),
            remedy: "run this command inside the repository".to_owned(),
        })?;
        Ok(Tools { selvedge, measurable, root })
    }

    /// A command that runs the tool.
    pub fn selvedge(&self) -> Command {
        Command::new(&self.selvedge)
    }

    /// The tool built with the feature `small-address-space`, or what the user named in its place.
    pub fn measurable(&self) -> Result<PathBuf, Error> {
        match self.measurable.is_file() {
            true => Ok(self.measurable.clone()),
            false => Err(Error::Missing {
                program: self.measurable.display().to_string(),
                remedy: "`./x bench instructions` builds it, or name one with --selvedge".to_owned(),
            }),
        }
    }

    /// A path inside the repository.
    pub fn in_repository(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// The C programs which the tool must run as native code runs, by name.
    pub fn run_programs(&self) -> Result<Vec<PathBuf>, Error> {
        let folder = self.in_repository("tests/programs/run");
        let mut programs = Vec::new();
        for entry in folder.read_dir().map_err(Error::file(&folder))? {
            let path = entry.map_err(Error::file(&folder))?.path();
            if path.extension() == Some(OsStr::new("c")) {
                programs.push(path);
            }
        }
        programs.sort();
        Ok(programs)
    }
}

/// Makes sure that a program can be found before any work begins.
pub fn require(program: &str, remedy: &str) -> Result<(), Error> {
    if is_installed(program) {
        return Ok(());
    }
    Err(Error::Missing { program: program.to_owned(), remedy: remedy.to_owned() })
}

/// Whether a program is on the PATH.
pub fn is_installed(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
