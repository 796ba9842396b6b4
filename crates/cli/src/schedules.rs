//! Writing schedules of violations to files.

use crate::arguments::{CheckOptions, ExtraCheck};
use selvedge_program::{Program, Site, SpanId};
use selvedge_trace::schedule::{self, Name, ScheduleFile, SourceFile};
use selvedge_verify::{Counterexample, Explorer, Explores, Input, Model, Outcome, Request, Verifier};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where schedules go.
const FOLDER: &str = ".selvedge";

/// Options of the tool that an execution depends on, as they would be written.
pub fn recorded_options(
    options: &CheckOptions,
    request: &Request,
    (model, explorer, form): (Model, Explorer, Explores),
) -> Vec<String> {
    let execution = &options.execution;
    let mut words = Vec::new();
    for check in &execution.check {
        let name = match check {
            ExtraCheck::Uninitialised => "uninitialised",
            ExtraCheck::Leak => "leak",
        };
        words.push(format!("--check={name}"));
    }
    if execution.spurious_wakeups {
        words.push("--spurious-wakeups".to_owned());
    }
    words.push(format!("--release-sequences={}", execution.release_sequences.name()));
    words.push(format!("--nondet={}..{}", execution.nondet.start(), execution.nondet.end()));
    if options.robust.is_some() {
        words.push(format!("--robust={}", model.name()));
    }
    if form == Explores::Graphs {
        words.push(format!("--explorer={}", Explorer::Graph.name()));
    }
    for kind in request.allowed(explorer).iter().filter(|_| options.robust.is_none()) {
        words.push(format!("--allow={kind}"));
    }
    words
}

/// Writes the schedule; a place that cannot be written is a warning, the verdict stands.
pub fn save(
    options: &CheckOptions,
    request: &Request,
    verifier: &Verifier,
    outcome: &Outcome,
    found: &Counterexample,
    number: usize,
) -> Option<PathBuf> {
    let program = verifier.program();
    let path = match &options.schedule {
        Some(path) if number == 0 => path.clone(),
        Some(path) => numbered(path, number),
        None => default_path(options, program, found),
    };
    let mut file = ScheduleFile::new(&found.schedule);
    let mut sites = vec![Site::NONE; found.schedule.len()];
    for step in &found.execution.steps {
        sites[step.turn] = step.event.site;
    }
    let places: HashMap<Site, SpanId> =
        found.execution.steps.iter().map(|step| (step.event.site, step.span)).collect();
    file.locate(sites.into_iter(), |site| {
        let span = places.get(&site).copied().unwrap_or(SpanId::NONE);
        program.source.describe(span).to_string()
    });
    file.model = outcome.model.name().to_owned();
    file.violation = found.violation.kind.name().to_owned();
    file.place = Some(program.source.describe(found.violation.span).to_string());
    file.thread = Some(found.violation.thread);
    file.options = recorded_options(options, request, (outcome.model, outcome.stage.explorer, found.form));
    file.cuts.clone_from(&found.cuts);
    file.compiler_flags = options.flags.iter().map(|flag| Name::from(flag.as_os_str())).collect();
    if let Some(inputs) = verifier.inputs() {
        file.files = inputs.sources.iter().map(recorded_input).collect();
        file.headers = inputs.headers.iter().map(recorded_input).collect();
        file.system = Some(schedule::hash_text(Some(inputs.system)));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all);
    match written.and_then(|()| std::fs::write(&path, file.to_json())) {
        Ok(()) => Some(path),
        Err(error) => {
            eprintln!("warning: the schedule cannot be written to {}: {error}", path.display());
            None
        }
    }
}

/// A file that was read, as a schedule has it.
pub fn recorded_input(input: &Input) -> SourceFile {
    SourceFile { path: Name::from(input.path.as_os_str()), hash: schedule::hash_text(input.hash) }
}

fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", number + 1));
    PathBuf::from(name)
}

/// `.selvedge/FILE-KIND-LINE.json`.
fn default_path(options: &CheckOptions, program: &Program, found: &Counterexample) -> PathBuf {
    let stem = options.files.first().and_then(|file| file.file_stem());
    let stem = stem.map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let line = program.source.span(found.violation.span).line;
    Path::new(FOLDER).join(format!("{stem}-{}-{line}.json", found.violation.kind))
}
