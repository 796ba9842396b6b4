//! Running the compiler.
//!
//! Every input goes through `clang-22` in a process of its own, LLVM IR and bitcode too: a malformed
//! file can crash LLVM's readers, and a crash there must be an error message here.
//!
//! C is compiled at `-O0` without `optnone`, with debug information. `-fsanitize-address-use-after-scope`
//! is passed to the compiler proper for its one effect at `-O0`, the lifetime markers of local variables:
//! with them, a pointer to a variable whose scope has ended is caught.

use crate::error::Error;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Names under which clang 22 is looked for.
const CANDIDATES: [&str; 3] = ["clang-22", "/usr/lib/llvm-22/bin/clang", "clang"];

/// Headers that come before the system's: our own, and those of which a part must be replaced.
const HEADERS: [(&str, &str); 3] = [
    ("selvedge.h", include_str!("../include/selvedge.h")),
    ("selvedge_cleanup.h", include_str!("../include/selvedge_cleanup.h")),
    ("pthread.h", include_str!("../include/pthread.h")),
];

/// What to compile, and how.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The files: `.c`, `.i`, `.ll`, `.bc`.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler.
    pub flags: Vec<OsString>,
}

/// What clang 22 is called on this machine.
fn find_clang() -> Result<&'static str, Error> {
    let works = |name: &&str| {
        let output =
            Command::new(name).arg("-dumpversion").stdin(Stdio::null()).stderr(Stdio::null()).output();
        output.is_ok_and(|output| output.stdout.starts_with(b"22."))
    };
    // The versioned names say enough by existing; only a plain `clang` has to be asked.
    for name in &CANDIDATES[..2] {
        if exists(name) {
            return Ok(name);
        }
    }
    CANDIDATES[2..]
        .iter()
        .find(|name| works(name))
        .copied()
        .ok_or_else(|| Error::NoCompiler { tried: CANDIDATES.join(", ") })
}

/// Whether a command of that name can be run.
fn exists(name: &str) -> bool {
    if name.contains('/') {
        return Path::new(name).exists();
    }
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// Compiles each file to bitcode in `folder`; files are compiled at the same time.
pub fn compile(sources: &Sources, folder: &Path, deadline: Option<Instant>) -> Result<Vec<PathBuf>, Error> {
    if sources.files.is_empty() {
        return Err(Error::NoInput);
    }
    let mut kinds = Vec::new();
    for file in &sources.files {
        kinds.push(check_input(file)?);
    }
    let clang = find_clang()?;
    let headers = folder.join("include");
    std::fs::create_dir(&headers).map_err(Error::Temporary)?;
    for (name, text) in HEADERS {
        std::fs::write(headers.join(name), text).map_err(Error::Temporary)?;
    }
    let mut running: Vec<Compilation<'_>> = Vec::new();
    for (index, (file, is_ir)) in sources.files.iter().zip(kinds).enumerate() {
        let object = folder.join(format!("{index}.bc"));
        let mut command = Command::new(clang);
        if is_ir {
            command.args(["-x", "ir", "-Wno-override-module"]);
        } else {
            command.args(&sources.flags);
            // A preprocessed file has no use for headers.
            if file.extension().is_some_and(|extension| extension == "c") {
                command.arg("-isystem").arg(&headers);
            }
            command.args(["-g", "-Xclang", "-disable-O0-optnone"]);
            command.args(["-Xclang", "-fsanitize-address-use-after-scope"]);
        }
        if std::io::stderr().is_terminal() {
            command.arg("-fcolor-diagnostics");
        }
        command.args(["-O0", "-fno-crash-diagnostics", "-emit-llvm", "-c", "-o"]).arg(&object);
        // A name that begins with a dash is still a file.
        let name = if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
            Path::new(".").join(file)
        } else {
            file.clone()
        };
        // Diagnostics go through a file: a pipe could fill up while we wait for the deadline.
        let diagnostics = folder.join(format!("{index}.err"));
        let stderr = std::fs::File::create(&diagnostics).map_err(Error::Temporary)?;
        command.arg(name).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let child = command.spawn().map_err(|_| Error::NoCompiler { tried: clang.to_owned() })?;
        running.push(Compilation { file, object, is_ir, diagnostics, child });
    }
    let mut objects = Vec::new();
    // All are waited for, so that none is left behind when one fails.
    let ends: Vec<_> = running.iter_mut().map(|compilation| wait(&mut compilation.child, deadline)).collect();
    for (Compilation { file, object, is_ir, diagnostics, .. }, end) in running.into_iter().zip(ends) {
        let status = end?;
        let diagnostics = std::fs::read(&diagnostics).map_err(Error::Temporary)?;
        let diagnostics = String::from_utf8_lossy(&diagnostics).into_owned();
        if !status.success() {
            let crashed = status.code().is_none_or(|code| code > 100);
            return Err(match is_ir || crashed {
                true => Error::BadModule { file: file.clone(), reason: first_error(&diagnostics) },
                false => Error::CompileFailed { file: file.clone(), diagnostics },
            });
        }
        // Warnings are the user's to see.
        eprint!("{diagnostics}");
        objects.push(object);
    }
    Ok(objects)
}

/// A compiler at work.
struct Compilation<'s> {
    file: &'s PathBuf,
    object: PathBuf,
    is_ir: bool,
    diagnostics: PathBuf,
    child: Child,
}

/// Waits for a compiler, which is killed at the deadline.
fn wait(child: &mut Child, deadline: Option<Instant>) -> Result<ExitStatus, Error> {
    let Some(deadline) = deadline else { return child.wait().map_err(Error::Temporary) };
    loop {
        if let Some(status) = child.try_wait().map_err(Error::Temporary)? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            // It may have ended by itself in between; either way it is gone after this.
            drop(child.kill());
            drop(child.wait());
            return Err(Error::TimeLimit);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The first line of a diagnostic that says what is wrong.
fn first_error(diagnostics: &str) -> String {
    let line =
        diagnostics.lines().find(|line| line.contains("error:")).or_else(|| diagnostics.lines().next());
    let line = line.unwrap_or("the compiler crashed");
    line.rsplit("error: ").next().unwrap_or(line).to_owned()
}

/// Whether the file can be read, and whether it is LLVM IR.
fn check_input(file: &Path) -> Result<bool, Error> {
    let unreadable = |reason| Error::Unreadable { file: file.to_owned(), reason };
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    std::fs::File::open(file).map_err(unreadable)?;
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i" | "ll" | "bc") => Ok(is_ir(file)),
        _ => Err(Error::UnknownKind { file: file.to_owned() }),
    }
}

/// Whether a file is LLVM IR, by its name.
pub fn is_ir(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
}
