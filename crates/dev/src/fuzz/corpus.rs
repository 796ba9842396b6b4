//! The programs that `fuzz broken` breaks, in each of the forms that the tool reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::error::Error;
use crate::process;
use crate::tools::CLANG;

const COMPILATION_LIMIT: Duration = Duration::from_secs(30);

/// The kinds of file that the tool reads, by the ends of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// C before the preprocessor: `.c`.
    Source,
    /// C after the preprocessor: `.i`.
    Preprocessed,
    /// LLVM's textual representation: `.ll`.
    Text,
    /// LLVM's bitcode: `.bc`.
    Bitcode,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Source, Form::Preprocessed, Form::Text, Form::Bitcode];

    /// What follows the last point of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Form::Source => "c",
            Form::Preprocessed => "i",
            Form::Text => "ll",
            Form::Bitcode => "bc",
        }
    }

    /// The compiler's options that make this form.
    fn options(self) -> &'static [&'static str] {
        match self {
            Form::Source => &[],
            Form::Preprocessed => &["-E"],
            Form::Text => &["-emit-llvm", "-S", "-g"],
            Form::Bitcode => &["-emit-llvm", "-c", "-g"],
        }
    }
}

/// A program of the corpus. Forms other than the source are made when first asked for.
pub struct Program {
    path: PathBuf,
    source: Vec<u8>,
    preprocessed: OnceLock<Option<Vec<u8>>>,
    text: OnceLock<Option<Vec<u8>>>,
    bitcode: OnceLock<Option<Vec<u8>>>,
}

impl Program {
    /// Reads a program.
    pub fn read(path: PathBuf) -> Result<Program, Error> {
        let source = fs::read(&path).map_err(Error::file(&path))?;
        let (preprocessed, text, bitcode) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Ok(Program { path, source, preprocessed, text, bitcode })
    }

    /// The program in one form; the source itself where the compiler does not make that form of it.
    pub fn form(&self, form: Form) -> &[u8] {
        let made = match form {
            Form::Source => return &self.source,
            Form::Preprocessed => &self.preprocessed,
            Form::Text => &self.text,
            Form::Bitcode => &self.bitcode,
        };
        made.get_or_init(|| self.compile(form)).as_deref().unwrap_or(&self.source)
    }

    fn compile(&self, form: Form) -> Option<Vec<u8>> {
        let mut command = Command::new(CLANG);
        // By its name alone, in its own folder: the output must not depend on where the repository is.
        command.current_dir(self.path.parent().unwrap_or(Path::new(".")));
        command.args(["-O0", "-w", "-ffile-compilation-dir=."]).args(form.options()).args(self.flags());
        command.arg(self.path.file_name()?).args(["-o", "-"]);
        let outcome = process::run(&mut command, COMPILATION_LIMIT).ok()?;
        outcome.succeeded().then_some(outcome.stdout)
    }

    /// The compiler's flags that the program asks for in a comment `// flags: …`.
    fn flags(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.source);
        text.lines()
            .take_while(|line| line.starts_with("//"))
            .filter_map(|line| line.strip_prefix("// flags:"))
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    }
}
