//! What a schedule file says about how its program was checked, read back.
//!
//! The file may come from anybody, so nothing in it is taken for granted: options are those that `check` records and no
//! others, flags of the compiler those that are harmless, sources ordinary files.

use crate::arguments::{CheckOptions, Cli, Command};
use crate::{flags, schedules};
use selvedge_check::Violation;
use selvedge_frontend::{clang, inputs};
use selvedge_program::{Program, SpanId};
use selvedge_trace::schedule::{self, ScheduleFile, SourceFile};
use selvedge_verify::{Explorer, Input, Inputs, Model};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Whether flags of the compiler may do more than compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Only those that are known to be harmless are accepted.
    Nothing,
    /// Whatever they do.
    Flags,
}

/// The options of the check that wrote a schedule, as far as executions depend on them.
pub fn options(file: &ScheduleFile, model: Model, trust: Trust) -> Result<CheckOptions, String> {
    let compiler_flags: Vec<OsString> = file.compiler_flags.iter().map(OsString::from).collect();
    if let (Trust::Nothing, Some(flag)) = (trust, flags::first_doubtful(&compiler_flags)) {
        return Err(format!(
            "its compiler flag `{}` is not known to be harmless: it might write files or run something. If you trust \
             whoever made the schedule, say `selvedge replay --trust`",
            flag.display()
        ));
    }
    // They are read as a command line, so they are checked like one.
    let wrong = |error: String| format!("its options are wrong: {error}");
    let words = ["selvedge", "check"].into_iter().chain(file.options.iter().map(String::as_str));
    let words = words.chain(["program.c"]).map(OsString::from);
    let Command::Check(mut options) =
        Cli::try_from_words(words).map_err(|error| wrong(error.to_string()))?.command
    else {
        return Err("its options are wrong".to_owned());
    };
    options.execution.model = Some(model);
    // Whatever is not recorded again, was not recorded.
    let explorer = explorer(&options, model);
    let form = explorer.about().explores;
    let recorded = schedules::recorded_options(&options, &options.request(None), (model, explorer, form));
    if let Some(word) = file.options.iter().find(|word| !recorded.contains(word)) {
        return Err(wrong(format!("`{word}` is none that a schedule depends on")));
    }
    options.files = file.files.iter().map(|source| PathBuf::from(OsString::from(&source.path))).collect();
    options.flags = compiler_flags;
    Ok(options)
}

/// The explorer that follows the schedule: one of graphs if the schedule was found on graphs, else one of steps.
pub fn explorer(options: &CheckOptions, model: Model) -> Explorer {
    let fitting = if model.about().has_steps { Explorer::Optimal } else { Explorer::Graph };
    options.explorer.unwrap_or(fitting)
}

/// Checks, before they are compiled, that sources and headers are as they were recorded.
pub fn check_sources(file: &ScheduleFile) -> Result<(), String> {
    for source in file.files.iter().chain(&file.headers) {
        let path = PathBuf::from(OsString::from(&source.path));
        let contents = clang::read_input(&path).map_err(|error| format!("the program: {error}"))?;
        if schedule::hash_text(Some(inputs::hash(&contents))) != source.hash {
            return Err(has_changed(&path));
        }
    }
    Ok(())
}

/// Whether the system's headers and the compiler are as they were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// They are, or nothing was recorded.
    Same,
    /// They are not.
    Changed,
}

/// Checks that the compiler has read what it had read when the schedule was recorded.
pub fn check_compiled(file: &ScheduleFile, now: &Inputs) -> Result<System, String> {
    let is_known = |known: &[SourceFile], input: &Input| known.contains(&schedules::recorded_input(input));
    let sources = now.sources.iter().filter(|input| !is_known(&file.files, input));
    let headers = now.headers.iter().filter(|input| file.has_headers() && !is_known(&file.headers, input));
    if let Some(input) = sources.chain(headers).next() {
        let path = schedules::recorded_input(input).path;
        let was_read = file.files.iter().chain(&file.headers).any(|known| known.path == path);
        return Err(match was_read {
            true => has_changed(&input.path),
            false => format!(
                "the program includes {}, which it did not when the schedule was written; run `selvedge check` again",
                input.path.display()
            ),
        });
    }
    let is_same = file.system.as_ref().is_none_or(|hash| *hash == schedule::hash_text(Some(now.system)));
    Ok(if is_same { System::Same } else { System::Changed })
}

fn has_changed(path: &Path) -> String {
    format!("{} has changed since the schedule was written; run `selvedge check` again", path.display())
}

/// Whether a violation is the one that a schedule names, as far as its version says.
pub fn is_meant(file: &ScheduleFile, program: &Program, violation: &Violation) -> bool {
    file.violation == violation.kind.name()
        && file.place.as_ref().is_none_or(|place| is_at(place, program, violation.span))
        && file.thread.is_none_or(|thread| thread == violation.thread)
}

/// Whether a place is the one that was recorded. How the compiler calls a file depends on the folder in which it is run: one
/// name may be the end of the other.
fn is_at(recorded: &str, program: &Program, span: SpanId) -> bool {
    let file = program.source.file(span);
    let place = program.source.describe(span).to_string();
    let same = |recorded: &str| {
        let (recorded, file) = (Path::new(recorded), Path::new(file));
        recorded.ends_with(file) || file.ends_with(recorded)
    };
    place.strip_prefix(file).and_then(|rest| recorded.strip_suffix(rest)).is_some_and(same)
}

/// The error for a schedule that leads to something else than its file says.
pub fn unmet<'v>(
    file: &ScheduleFile,
    program: &Program,
    found: impl Iterator<Item = &'v Violation>,
) -> String {
    let expected = match (&file.place, file.thread) {
        (Some(place), Some(thread)) => format!("`{}` at {place} (thread {thread})", file.violation),
        _ => format!("`{}`", file.violation),
    };
    let describe = |violation: &Violation| {
        let place = program.source.describe(violation.span);
        format!("`{}` at {place} (thread {})", violation.kind, violation.thread)
    };
    let found: Vec<String> = found.map(describe).collect();
    let found = if found.is_empty() { "nothing that is wrong".to_owned() } else { found.join(", ") };
    format!(
        "the file says that the schedule leads to {expected}, but it leads to {found}: the schedule is damaged, or \
         the program was compiled differently; run `selvedge check` again"
    )
}
