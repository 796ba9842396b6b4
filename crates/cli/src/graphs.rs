//! Files of execution graphs: `--all-violations` and `--graph`.

use crate::arguments::CheckOptions;
use selvedge_report::dot;
use selvedge_trace::graph::ExecutionGraph;
use selvedge_verify::Control;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::NamedTempFile;

/// Why the names of the files do not go together.
pub fn contradiction(options: &CheckOptions) -> Option<String> {
    if options.all_violations.is_some() && options.all_violations == options.graph {
        return Some("--all-violations and --graph: two things cannot be in one file".to_owned());
    }
    match &options.graph {
        Some(path) if form(path).is_none() => {
            Some(format!("--graph: `{}` ends neither in .dot nor in .svg", path.display()))
        }
        _ => None,
    }
}

/// What a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Dot,
    Svg,
}

fn form(path: &Path) -> Option<Form> {
    match path.extension()?.to_str()? {
        "dot" => Some(Form::Dot),
        "svg" => Some(Form::Svg),
        _ => None,
    }
}

/// The files that were asked for.
#[derive(Default)]
pub struct Files {
    all: Option<AllViolations>,
    picture: Option<(PathBuf, Form, Target)>,
    files: Vec<String>,
}

struct AllViolations {
    path: PathBuf,
    target: BufWriter<Target>,
    count: u64,
    error: Option<String>,
}

impl Files {
    /// Makes sure, before the exploration, that they can be written. Nothing is overwritten yet.
    pub fn prepare(options: &CheckOptions) -> Result<Self, String> {
        let mut all = None;
        if let Some(path) = &options.all_violations {
            let target = BufWriter::new(Target::new(path)?);
            all = Some(AllViolations { path: path.clone(), target, count: 0, error: None });
        }
        let mut picture = None;
        if let Some(path) = &options.graph {
            let form = form(path).unwrap_or(Form::Dot);
            if form == Form::Svg && !has_graphviz() {
                return Err(format!(
                    "--graph {}: the command `dot` was not found; install Graphviz (on Debian: apt-get install \
                     graphviz), or give a file that ends in .dot, which needs nothing",
                    path.display()
                ));
            }
            picture = Some((path.clone(), form, Target::new(path)?));
        }
        let files = options.files.iter().map(|file| file.display().to_string()).collect();
        Ok(Self { all, picture, files })
    }

    /// Forgets the violating executions so far: the exploration begins again.
    pub fn begin_again(&mut self) {
        let Some(all) = &mut self.all else { return };
        match Target::new(&all.path) {
            Ok(target) => (all.target, all.count) = (BufWriter::new(target), 0),
            Err(error) => all.error = Some(error),
        }
    }

    /// Writes one of them.
    pub fn add(&mut self, graph: ExecutionGraph) -> Control {
        let Some(all) = &mut self.all else { return Control::Continue };
        if all.error.is_some() {
            return Control::Stop;
        }
        let graph = ExecutionGraph { files: self.files.clone(), ..graph };
        match all.target.write_all(graph.to_line().as_bytes()) {
            Ok(()) => {
                all.count += 1;
                Control::Continue
            }
            Err(error) => {
                all.error.get_or_insert_with(|| cannot_write(&all.path, &error));
                Control::Stop
            }
        }
    }

    /// Ends the file of all violating executions: now it is there.
    pub fn finish_all(&mut self) -> Result<Written, String> {
        let Some(AllViolations { path, target, count, error }) = self.all.take() else {
            return Ok(Written::default());
        };
        if let Some(error) = error {
            return Err(error);
        }
        let target = target.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
        target.finish(&path)?;
        Ok(Written { all: Some((path, count)), ..Written::default() })
    }

    /// Draws the picture, if there is something to draw.
    pub fn draw(&mut self, graph: Option<ExecutionGraph>, written: &mut Written) -> Result<(), String> {
        let Some((path, form, mut target)) = self.picture.take() else { return Ok(()) };
        let Some(graph) = graph else {
            written.picture = Some(Picture::NothingToDraw(path));
            return Ok(());
        };
        let text = dot::draw(&graph);
        let picture = match form {
            Form::Dot => text.into_bytes(),
            Form::Svg => svg(&text).map_err(|error| format!("--graph {}: {error}", path.display()))?,
        };
        target.write_all(&picture).map_err(|error| cannot_write(&path, &error))?;
        target.finish(&path)?;
        written.picture = Some(Picture::Drawn(path));
        Ok(())
    }
}

/// What has been written.
#[derive(Default)]
pub struct Written {
    /// All violating executions: where, and how many.
    all: Option<(PathBuf, u64)>,
    /// The picture.
    picture: Option<Picture>,
}

/// What has become of a picture that was asked for.
enum Picture {
    /// It is there.
    Drawn(PathBuf),
    /// There was no violation.
    NothingToDraw(PathBuf),
}

impl Written {
    /// For people.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if let Some((path, count)) = &self.all {
            let plural = if *count == 1 { "" } else { "s" };
            text += &format!("{count} violating execution{plural} written to {}\n", path.display());
        }
        match &self.picture {
            Some(Picture::Drawn(path)) => {
                text += &format!("the execution graph of the first violation is in {}\n", path.display());
            }
            Some(Picture::NothingToDraw(path)) => {
                text +=
                    &format!("no violation, so there is nothing to draw: {} not written\n", path.display());
            }
            None => {}
        }
        text
    }

    /// For programs.
    pub fn add_to(&self, result: &mut Value) {
        if let Some((path, count)) = &self.all {
            result["all_violations"] = json!({ "file": path.display().to_string(), "graphs": count });
        }
        match &self.picture {
            Some(Picture::Drawn(path)) => result["graph"] = json!(path.display().to_string()),
            Some(Picture::NothingToDraw(_)) => result["graph"] = Value::Null,
            None => {}
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// A file that is there when it is whole, and not before: until then what is written goes to another one in the same
/// folder. What is no ordinary file (a pipe, a terminal) is written at once.
enum Target {
    Later(Box<NamedTempFile>, PathBuf),
    AtOnce(File),
}

impl Target {
    fn new(path: &Path) -> Result<Self, String> {
        Self::open(path).map_err(|error| cannot_write(path, &error))
    }

    fn open(path: &Path) -> std::io::Result<Self> {
        let mut path = path.to_owned();
        let mut mode = 0o666;
        match std::fs::metadata(&path) {
            Ok(there) => {
                // Whatever it is, it must be possible to open it. Links stay links; what /dev/stdout leads to stays, too.
                let file = OpenOptions::new().append(true).open(&path)?;
                if !there.is_file() || path.starts_with("/dev") || path.starts_with("/proc") {
                    return Ok(Self::AtOnce(file));
                }
                path = path.canonicalize()?;
                mode = there.permissions().mode();
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let permissions = PermissionsExt::from_mode(mode & 0o777);
        let file =
            tempfile::Builder::new().prefix(".selvedge-").permissions(permissions).tempfile_in(folder)?;
        Ok(Self::Later(Box::new(file), path))
    }

    /// All has been written.
    fn finish(mut self, name: &Path) -> Result<(), String> {
        self.flush().map_err(|error| cannot_write(name, &error))?;
        match self {
            Self::AtOnce(_) => Ok(()),
            Self::Later(file, path) => {
                file.persist(path).map_err(|error| cannot_write(name, &error.error))?;
                Ok(())
            }
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Later(file, _) => file.write(bytes),
            Self::AtOnce(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Later(file, _) => file.flush(),
            Self::AtOnce(file) => file.flush(),
        }
    }
}

fn has_graphviz() -> bool {
    Command::new("dot").arg("-V").output().is_ok_and(|output| output.status.success())
}

/// Lets Graphviz draw.
fn svg(text: &str) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("`dot` cannot be run: {error}");
    // The input is a file: with two pipes, each side could wait for the other.
    let mut file = NamedTempFile::new().map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let output = Command::new("dot").arg("-Tsvg").arg(file.path()).output().map_err(failed)?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("`dot` failed: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}
