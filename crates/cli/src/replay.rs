//! `selvedge replay`: run a schedule again.

use crate::arguments::{Format, ReplayOptions};
use crate::{check, exit_code, output, recorded, run};
use selvedge_check::Violation;
use selvedge_report::json::{self, Summary};
use selvedge_trace::schedule::ScheduleFile;
use selvedge_verify::{Counterexample, Error, Model, Recorded, Replayed, Sources, Verifier};
use std::process::ExitCode;

/// Runs the command.
pub fn run(options: &ReplayOptions) -> ExitCode {
    match replay(options) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {}: {message}", options.schedule.display());
            ExitCode::from(exit_code::BAD_INPUT)
        }
    }
}

fn replay(options: &ReplayOptions) -> Result<ExitCode, String> {
    let text =
        std::fs::read_to_string(&options.schedule).map_err(|error| format!("cannot be read: {error}"))?;
    let file = ScheduleFile::parse(&text).map_err(|error| error.to_string())?;
    let turns = file.turns().map_err(|error| error.to_string())?;
    let Some(model) = Model::from_name(&file.model) else {
        return Err(format!("it is for the memory model `{}`, which this version does not have", file.model));
    };
    recorded::check_sources(&file)?;
    let original = recorded::options(&file, model, options.trust())?;
    let sources = Sources { files: original.files.clone(), flags: original.flags.clone() };
    let request = original.request(None);
    let verifier = match Verifier::compile(&sources, &request) {
        Ok(verifier) => verifier,
        Err(Error::Compile(error)) => return Ok(run::compile_error(&error)),
        Err(error) => return Err(error.to_string()),
    };
    check::warn(&verifier);
    let program = verifier.program();
    if let Some(inputs) = verifier.inputs()
        && recorded::check_compiled(&file, inputs)? == recorded::System::Changed
    {
        eprintln!(
            "warning: headers of the system, or the compiler, have changed since the schedule was written"
        );
    }
    let explorer = recorded::explorer(&original, model);
    let schedule = Recorded { model, explorer, cuts: &file.cuts, turns: &turns };
    let is_meant = |violation: &Violation| recorded::is_meant(&file, program, violation);
    match verifier.replay(&request, &schedule, &is_meant) {
        Ok(Replayed::Met(found)) => {
            let release_sequences = original.execution.release_sequences.name();
            let files = original.files.iter().map(|file| file.display().to_string()).collect();
            let report = Report { files, model, release_sequences, found: &found };
            print(options, &verifier, report);
            Ok(ExitCode::from(exit_code::VIOLATION))
        }
        Ok(Replayed::Unmet(found)) => Err(recorded::unmet(&file, program, found.iter())),
        Ok(Replayed::Diverged { at }) => {
            let place = file.place_of(at).map_or_else(String::new, |place| format!(" ({place})"));
            Err(format!(
                "the program does not follow the schedule at step {}{place}: the schedule is damaged, or the \
                 program was compiled differently",
                at + 1
            ))
        }
        Err(error) => Ok(check::fail(&verifier, &request, &error)),
    }
}

/// What is printed of a replay.
struct Report<'a> {
    files: Vec<String>,
    model: Model,
    release_sequences: &'a str,
    found: &'a Counterexample,
}

fn print(options: &ReplayOptions, verifier: &Verifier, report: Report<'_>) {
    let Report { files, model, release_sequences, found } = report;
    let program = verifier.program();
    match options.format {
        Format::Text => {
            output::print(&check::human(program, &found.violation, &found.execution, options.full_trace));
            output::print(&format!("\nreplay: selvedge replay {}\n", options.schedule.display()));
        }
        Format::Json => {
            let summary = Summary {
                files,
                model: model.name(),
                model_because: None,
                release_sequences,
                explorer: "replay",
                verdict: "violation",
                vacuous: false,
                executions: 1,
                blocked: 0,
                classes: None,
                symmetric_threads: None,
                views: None,
                races_checked: true,
                solver: None,
                workers: 1,
                steps: found.schedule.len() as u64,
                time_ms: 0.0,
                peak_rss_kb: 0,
                limits: Vec::new(),
                violations: vec![(
                    &found.violation,
                    &found.execution,
                    Some(options.schedule.display().to_string()),
                )],
            };
            output::print(&format!("{:#}\n", json::result(program, &summary)));
        }
    }
}
