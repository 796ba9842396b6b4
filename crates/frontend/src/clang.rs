//! Running the compiler.
//!
//! Every input goes through clang 22 in a process of its own, LLVM IR and bitcode too: a malformed
//! file can crash LLVM's readers, and a crash there must be an error message here.
//!
//! C is first given to `selvedge-clang`, which is clang, too, but starts much faster. It does not do everything; where it
//! fails, for whatever reason, the installed clang is called, and only what that says counts.
//!
//! C is compiled at `-O0` without `optnone`, with debug information. `-fsanitize-address-use-after-scope`
//! is passed to the compiler proper for its one effect at `-O0`, the lifetime markers of local variables:
//! with them, a pointer to a variable whose scope has ended is caught.

use crate::error::Error;
use crate::inputs::{OWN_FOLDER, Read};
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read as _, Seek};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Names under which clang 22 is looked for.
const CANDIDATES: [&str; 3] = ["clang-22", "/usr/lib/llvm-22/bin/clang", "clang"];

/// How large the stack of the compiler may grow, where the system allows it. Its parser and its generator of code call
/// themselves for all that is nested: 8 megabytes, the usual limit, are too few for the 2048 levels of brackets that it accepts.
const STACK: libc::rlim_t = 1 << 30;

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

/// A file that was compiled.
pub(crate) struct Compiled {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// Warnings.
    pub diagnostics: String,
    /// What was read.
    pub read: Read,
}

/// Compiles each file to bitcode; files are compiled at the same time.
pub(crate) fn compile(sources: &Sources, deadline: Option<Instant>) -> Result<Vec<Compiled>, Error> {
    if sources.files.is_empty() {
        return Err(Error::NoInput);
    }
    for file in &sources.files {
        check_input(file)?;
    }
    allow_deep_nesting();
    let mut outcomes = match selvedge_clang::executable() {
        Some(clang) => compile_fast(clang, sources, deadline)?,
        None => sources.files.iter().map(|_| None).collect(),
    };
    if outcomes.iter().any(Option::is_none) {
        compile_rest(sources, &mut outcomes, deadline)?;
    }
    let mut warnings = String::new();
    let mut compiled = Vec::new();
    for outcome in outcomes.into_iter().flatten() {
        match outcome {
            Ok(one) => {
                warnings += &one.diagnostics;
                compiled.push(one);
            }
            Err(Error::CompileFailed { file, diagnostics }) => {
                return Err(Error::CompileFailed { file, diagnostics: warnings + &diagnostics });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(compiled)
}

/// Lets stacks grow: that of this thread, if it is the main one, which reads what the compiler writes; and those of
/// processes that it starts. If the system does not allow it, they stay as they are.
fn allow_deep_nesting() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is ours to write to.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) } == 0;
    if known && limit.rlim_cur < STACK {
        limit.rlim_cur = STACK.min(limit.rlim_max);
        // SAFETY: the limit is only read.
        unsafe { libc::setrlimit(libc::RLIMIT_STACK, &limit) };
    }
}

/// Compiles what `selvedge-clang` can compile; `None` for the other files.
fn compile_fast(
    clang: &Path,
    sources: &Sources,
    deadline: Option<Instant>,
) -> Result<Vec<Option<Result<Compiled, Error>>>, Error> {
    let mut running = Vec::new();
    for file in &sources.files {
        if is_ir(file) {
            running.push(None);
            continue;
        }
        let (bitcode, diagnostics, read) = (file_in_memory()?, file_in_memory()?, file_in_memory()?);
        let mut command =
            command(clang, sources, file, Path::new(selvedge_clang::HEADER_FOLDER), Path::new("-"));
        command.stdout(bitcode.try_clone().map_err(Error::Temporary)?);
        command.stderr(diagnostics.try_clone().map_err(Error::Temporary)?);
        // By a name that the other process can open, without being given the file itself.
        let inputs = format!("/proc/{}/fd/{}", std::process::id(), read.as_raw_fd());
        command.env(selvedge_clang::INPUTS_VARIABLE, inputs);
        running.push(command.spawn().ok().map(|child| (child, bitcode, diagnostics, read)));
    }
    let mut outcomes = Vec::new();
    for running in running {
        let Some((mut child, bitcode, diagnostics, read)) = running else {
            outcomes.push(None);
            continue;
        };
        outcomes.push(match wait(&mut child, deadline) {
            Ok(status) if status.success() => Some(read_back(bitcode).and_then(|bitcode| {
                let diagnostics = String::from_utf8_lossy(&read_back(diagnostics)?).into_owned();
                Ok(Compiled { bitcode, diagnostics, read: Read::of_record(&read_back(read)?) })
            })),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
    }
    Ok(outcomes)
}

/// A file in memory, for another process to write to: files of file systems take longer to make than small programs to
/// verify. A pipe could fill up while we wait for the deadline.
fn file_in_memory() -> Result<File, Error> {
    // SAFETY: the name is a C string.
    let descriptor = unsafe { libc::memfd_create(c"selvedge".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(Error::Temporary(std::io::Error::last_os_error()));
    }
    // SAFETY: the descriptor is open, and nobody else's.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

/// What another process has written to a file.
fn read_back(mut file: File) -> Result<Vec<u8>, Error> {
    let mut contents = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut contents)).map_err(Error::Temporary)?;
    Ok(contents)
}

/// Compiles the files that have no outcome yet with the installed clang.
fn compile_rest(
    sources: &Sources,
    outcomes: &mut [Option<Result<Compiled, Error>>],
    deadline: Option<Instant>,
) -> Result<(), Error> {
    let clang = find_clang()?;
    let folder = tempfile::tempdir().map_err(Error::Temporary)?;
    let headers = folder.path().join(OWN_FOLDER);
    std::fs::create_dir_all(&headers).map_err(Error::Temporary)?;
    for (name, text) in selvedge_clang::HEADERS {
        std::fs::write(headers.join(name), text).map_err(Error::Temporary)?;
    }
    let mut running = Vec::new();
    for (index, (file, outcome)) in sources.files.iter().zip(outcomes).enumerate() {
        if outcome.is_some() {
            continue;
        }
        let object = folder.path().join(format!("{index}.bc"));
        let mut command = command(Path::new(clang), sources, file, &headers, &object);
        // If the user asks for a rule of dependencies, clang writes it elsewhere: then what was read is not known here.
        let asks = sources.flags.iter().any(|flag| flag.as_encoded_bytes().starts_with(b"-M"));
        let rule = (!asks && !is_ir(file)).then(|| folder.path().join(format!("{index}.d")));
        if let Some(rule) = &rule {
            command.args(["-MD", "-MT", "x", "-MF"]).arg(rule);
        }
        let since = SystemTime::now();
        let diagnostics = file_in_memory()?;
        command.stdout(Stdio::null()).stderr(diagnostics.try_clone().map_err(Error::Temporary)?);
        let child = command.spawn().map_err(|_| Error::NoCompiler { tried: clang.to_owned() })?;
        let compilation =
            Compilation { clang: Path::new(clang), file, object, rule, since, diagnostics, child };
        running.push((compilation, outcome));
    }
    // All are waited for, so that none is left behind when one fails.
    for (compilation, outcome) in running {
        *outcome = Some(compilation.finish(deadline));
    }
    Ok(())
}

/// The command that compiles a file to an object.
fn command(clang: &Path, sources: &Sources, file: &Path, headers: &Path, object: &Path) -> Command {
    let mut command = Command::new(clang);
    if is_ir(file) {
        command.args(["-x", "ir", "-Wno-override-module"]);
    } else {
        command.args(&sources.flags);
        // A preprocessed file has no use for headers.
        if file.extension().is_some_and(|extension| extension == "c") {
            command.arg("-isystem").arg(headers);
        }
        command.args(["-g", "-Xclang", "-disable-O0-optnone"]);
        command.args(["-Xclang", "-fsanitize-address-use-after-scope"]);
    }
    if std::io::stderr().is_terminal() {
        command.arg("-fcolor-diagnostics");
    }
    command.args(["-O0", "-fno-crash-diagnostics", "-emit-llvm", "-c", "-o"]).arg(object);
    // A name that begins with a dash is still a file, and so is one that begins with `@`, which would stand for flags.
    let is_special = matches!(file.as_os_str().as_encoded_bytes().first(), Some(b'-' | b'@'));
    let name = if is_special { Path::new(".").join(file) } else { file.to_owned() };
    command.arg(name).stdin(Stdio::null());
    command
}

/// The installed clang at work.
struct Compilation<'s> {
    clang: &'s Path,
    file: &'s PathBuf,
    object: PathBuf,
    /// Where it says what it has read.
    rule: Option<PathBuf>,
    /// When it began.
    since: SystemTime,
    diagnostics: File,
    child: Child,
}

impl Compilation<'_> {
    /// Waits for it, and reads what it has written.
    fn finish(mut self, deadline: Option<Instant>) -> Result<Compiled, Error> {
        let status = wait(&mut self.child, deadline)?;
        let diagnostics = String::from_utf8_lossy(&read_back(self.diagnostics)?).into_owned();
        if !status.success() {
            let file = self.file.clone();
            // The driver of the compiler, which calls the compiler, gives this code for what ended by a signal.
            let crashed = status.code().is_none_or(|code| code > 100);
            return Err(match (is_ir(&file), crashed) {
                (true, _) => Error::BadModule { file, reason: first_error(&diagnostics) },
                (false, true) => Error::CompilerGaveUp { file },
                (false, false) => Error::CompileFailed { file, diagnostics },
            });
        }
        let rule = self.rule.and_then(|rule| std::fs::read(rule).ok());
        let read = match rule {
            Some(rule) => Read::of_rule(&rule, self.clang, self.since),
            None => Read::of_file(self.file, self.clang, self.since),
        };
        Ok(Compiled { bitcode: std::fs::read(self.object).map_err(Error::Temporary)?, diagnostics, read })
    }
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
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// The first line of a diagnostic that says what is wrong.
fn first_error(diagnostics: &str) -> String {
    let line =
        diagnostics.lines().find(|line| line.contains("error:")).or_else(|| diagnostics.lines().next());
    let line = line.unwrap_or("clang ended without saying why");
    line.rsplit("error: ").next().unwrap_or(line).to_owned()
}

/// The largest file that is read. A program of that size would not be translated anyway.
const LARGEST: u64 = 64 << 20;

/// Whether the file can be read, and is of a kind that can be compiled.
fn check_input(file: &Path) -> Result<(), Error> {
    open_input(file)?;
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i" | "ll" | "bc") => Ok(()),
        _ => Err(Error::UnknownKind { file: file.to_owned() }),
    }
}

/// Reads a source file.
pub fn read_input(file: &Path) -> Result<Vec<u8>, Error> {
    let unreadable = |reason| Error::Unreadable { file: file.to_owned(), reason };
    let mut contents = Vec::new();
    // It may have grown since.
    open_input(file)?.take(LARGEST).read_to_end(&mut contents).map_err(unreadable)?;
    Ok(contents)
}

/// Opens a source file. Only ordinary files are opened: reading a pipe or a device may wait for ever, or never come to an end.
fn open_input(file: &Path) -> Result<File, Error> {
    let unreadable = |reason| Error::Unreadable { file: file.to_owned(), reason };
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    if !metadata.is_file() {
        return Err(Error::NoFile { file: file.to_owned() });
    }
    if metadata.len() > LARGEST {
        return Err(Error::TooLarge {
            file: file.to_owned(),
            megabytes: metadata.len() >> 20,
            most: LARGEST >> 20,
        });
    }
    File::open(file).map_err(unreadable)
}

/// Whether a file is LLVM IR, by its name.
pub fn is_ir(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
}
