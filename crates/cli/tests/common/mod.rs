//! What the tests of the command share: running it, running native binaries, reading test programs.

#![allow(dead_code, reason = "each test uses its part")]

pub mod check;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The compiler that native binaries are made with.
pub const CLANG: &str = "clang-22";

/// How many programs are tested at the same time.
const WORKERS: usize = 2;

/// Nothing that is tested takes nearly so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a process ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

impl Finished {
    /// Checks the exit code, and that each text is somewhere in the error output.
    #[track_caller]
    pub fn fails_with(&self, code: i32, texts: &[&str]) {
        assert_eq!(self.code, Some(code), "exit code; stderr:\n{}", self.stderr);
        for text in texts {
            assert!(self.stderr.contains(text), "`{text}` is missing from:\n{}", self.stderr);
        }
        self.is_no_panic();
    }

    /// Checks that the program ran to its end and printed exactly that.
    #[track_caller]
    pub fn prints(&self, stdout: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(0), stdout), "stderr:\n{}", self.stderr);
        assert_eq!(self.stderr, "");
    }

    /// Checks that nothing went wrong inside the tool.
    #[track_caller]
    pub fn is_no_panic(&self) {
        for sign in ["panicked", "error[internal]", "internal error"] {
            assert!(!self.stderr.contains(sign), "a bug of the tool:\n{}", self.stderr);
        }
    }
}

/// Runs a command to its end, with nothing to read. It is killed after [`PATIENCE`].
pub fn run(command: &mut Command) -> Finished {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) = (read_all(child.stdout.take()), read_all(child.stderr.take()));
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child to wait for") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("a child to kill");
            child.wait().expect("a child to wait for");
            panic!("still running after {PATIENCE:?}: {command:?}");
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let text = |reader: JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().expect("a reader that ends")).into_owned()
    };
    Finished { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// Reads a stream to its end, in a thread of its own: it must not fill up while somebody waits.
fn read_all(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut stream = stream.expect("a piped stream");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a readable pipe");
        bytes
    })
}

/// The tool.
pub fn selvedge() -> Command {
    Command::new(env!("CARGO_BIN_EXE_selvedge"))
}

/// `selvedge run` with those words after it.
pub fn selvedge_run(words: &[&str]) -> Finished {
    run(selvedge().arg("run").args(words))
}

/// A folder that goes away, for the files of a test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a path of UTF-8").to_owned()
    }

    /// Writes a file into it; gives its path.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path().join(name), contents).expect("a writable file");
        self.file(name)
    }

    /// Writes a C file and runs it with some options before it.
    pub fn run_c(&self, source: &str, options: &[&str]) -> Finished {
        let file = self.write("program.c", source);
        selvedge_run(&[options, &[&file]].concat())
    }
}

/// A test program and what its first lines say about it.
#[derive(Debug, Default, Clone)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Its name without folder and extension.
    pub name: String,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// Flags for linking the native binary only.
    pub link: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Options of `selvedge run`.
    pub selvedge: Vec<String>,
    /// What should come out.
    pub expect: Option<String>,
    /// How many executions there are.
    pub executions: Option<u64>,
}

impl Program {
    /// Reads a file. Besides what it says of itself, each line `also: OPTIONS -- FLAGS => EXPECTED` stands for
    /// the same program with these options and flags instead.
    fn read(path: PathBuf) -> Vec<Self> {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut program = Program { path, name, ..Program::default() };
        let mut others = Vec::new();
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            let Some((key, value)) = line.split_once(':') else { continue };
            match key.trim() {
                "flags" => program.flags.extend(words(value)),
                "link" => program.link.extend(words(value)),
                "args" => program.args.extend(words(value)),
                "selvedge" => program.selvedge.extend(words(value)),
                "expect" => program.expect = Some(value.trim().to_owned()),
                "also" => others.push(value),
                "executions" => {
                    let count = words(value).first().and_then(|word| word.replace(',', "").parse().ok());
                    program.executions = count;
                }
                _ => {}
            }
        }
        let others: Vec<Self> = others.into_iter().map(|value| program.otherwise(value)).collect();
        [vec![program], others].concat()
    }

    /// The same program as a line `also` wants it.
    fn otherwise(&self, value: &str) -> Self {
        let (how, expected) = value.split_once("=>").unwrap_or_else(|| panic!("{:?}: `=>`", self.path));
        let mut selvedge = words(how);
        let options = selvedge.iter().position(|word| word == "--").unwrap_or(selvedge.len());
        let flags = selvedge.drain(options..).skip(1).collect();
        let name = format!("{} {}", self.name, how.trim());
        let expect = Some(expected.trim().to_owned());
        Program { name, selvedge, flags, expect, executions: None, ..self.clone() }
    }

    /// Compiles it with the native compiler and runs the result.
    pub fn run_natively(&self) -> Finished {
        let folder = Folder::new();
        let binary = folder.path().join("native");
        let mut compile = Command::new(CLANG);
        compile.args(["-O0", "-w"]).args(&self.flags).arg(&self.path).arg("-o").arg(&binary);
        let compiled = run(compile.args(&self.link).args(["-lm", "-lpthread"]));
        assert_eq!(compiled.code, Some(0), "{:?} does not compile natively:\n{}", self.path, compiled.stderr);
        run(Command::new(&binary).args(&self.args))
    }

    /// Runs it with the tool.
    pub fn run_with_selvedge(&self) -> Finished {
        let mut command = selvedge();
        command.args(["run", "--time-limit", "50"]).args(&self.selvedge).arg(&self.path);
        if !self.args.is_empty() {
            command.arg("--args").args(&self.args);
        }
        run(command.args(["--", "-w"]).args(&self.flags))
    }
}

/// The words of a directive; double quotes keep blanks.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The C programs of a folder below `tests/programs`, in order of their names.
pub fn programs(folder: &str) -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let folder = root.join("tests/programs").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    paths.sort();
    paths.into_iter().flat_map(Program::read).collect()
}

/// Checks all programs, a few at a time, then fails with everything that was found.
#[track_caller]
pub fn check_all(programs: &[Program], check: impl Fn(&Program) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(program)));
            let problem = match checked {
                Ok(Ok(())) => continue,
                Ok(Err(problem)) => problem,
                Err(_) => "the check itself panicked, see above".to_owned(),
            };
            problems.lock().expect("no panic").push((program.name.clone(), problem));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(work);
        }
    });
    let mut problems = problems.into_inner().expect("no panic");
    problems.sort();
    let report: Vec<String> =
        problems.iter().map(|(name, text)| format!("{name}\n  {}", text.replace('\n', "\n  "))).collect();
    let (bad, all) = (problems.len(), programs.len());
    assert!(problems.is_empty(), "{bad} of {all} programs:\n{}", report.join("\n"));
}

/// What is different between what the native binary and the tool printed: the first such line.
pub fn first_difference(native: &str, ours: &str) -> Option<String> {
    if native == ours {
        return None;
    }
    let (mut native_lines, mut our_lines) = (native.split('\n'), ours.split('\n'));
    let mut number = 1;
    loop {
        match (native_lines.next(), our_lines.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (a, b) => {
                let show = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("{line:?}"));
                return Some(format!(
                    "line {number} of the output:\n  native   {}\n  selvedge {}",
                    show(a),
                    show(b)
                ));
            }
        }
    }
}

/// The first lines of an error output.
pub fn excerpt(stderr: &str) -> String {
    let mut lines: Vec<&str> = stderr.lines().take(12).collect();
    if stderr.lines().count() > lines.len() {
        lines.push("…");
    }
    if lines.is_empty() { "no error output".to_owned() } else { format!("stderr:\n  {}", lines.join("\n  ")) }
}
