//! `selvedge replay`: run a schedule again.

use crate::arguments::{CheckOptions, Explorer, Format, ReplayOptions};
use crate::model::{Model, Systems, Task};
use crate::{check, exit_code, output, recorded, render, run};
use selvedge_explore::{Found, Session, Settings, Statistics, replay};
use selvedge_frontend::Sources;
use selvedge_memory::Bounds;
use selvedge_report::json::{self, Summary};
use selvedge_report::narrate;
use selvedge_trace::Turn;
use selvedge_trace::schedule::ScheduleFile;
use selvedge_vm::Image;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

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
    let program = match selvedge_frontend::compile(&sources, check::promotion(&original.execution), None) {
        Ok(program) => program,
        Err(error) => return Ok(run::compile_error(&error)),
    };
    render::warn(&program);
    let graphs = original.explorer() == Explorer::Graph || !model.is_operational();
    let image = match if graphs { Image::for_graphs(&program) } else { Image::new(&program) } {
        Ok(image) => image,
        Err(error) => return Ok(run::load_error(&error)),
    };
    model.with(
        graphs,
        original.execution.sequences(),
        Following { options, original: &original, file: &file, turns: &turns, image: &image, model },
    )
}

/// A replay, once the program has been compiled.
struct Following<'a> {
    options: &'a ReplayOptions,
    original: &'a CheckOptions,
    file: &'a ScheduleFile,
    turns: &'a [Turn],
    image: &'a Image<'a>,
    model: Model,
}

impl Task<Result<ExitCode, String>> for Following<'_> {
    fn run<M: Systems>(self, systems: M) -> Result<ExitCode, String> {
        follow(systems, &self)
    }
}

fn follow<M: Systems>(systems: M, following: &Following<'_>) -> Result<ExitCode, String> {
    let Following { options, original, file, turns, image, model } = *following;
    systems.cut(&file.cuts);
    let program = image.program;
    let config = check::config(original);
    let (system, first) = match systems.start(image, config.clone(), Bounds::default()) {
        Ok(system) => system,
        Err(error) => return Ok(run::load_error(&error)),
    };
    let settings = Settings { keep_going: true, ..check::settings(original) };
    let never = AtomicBool::new(false);
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings, &never, &mut silent);
    if let Err(diverged) = replay::explore(&mut session, turns) {
        return Err(format!(
            "the program does not follow the schedule at step {}: the schedule is damaged, or the program \
             was compiled differently",
            diverged.at + 1
        ));
    }
    if let Some(reached) = &session.unsupported {
        eprint!("{}", render::unsupported(program, reached));
        return Ok(ExitCode::from(exit_code::BAD_INPUT));
    }
    // What the schedule is about comes last; but one step may be wrong in several ways.
    let meant = |found: &&Found| recorded::is_meant(file, program, &found.violation);
    let Some(found) = session.found.iter().rev().find(meant) else {
        return Err(recorded::unmet(file, program, session.found.iter().map(|found| &found.violation)));
    };
    let (mut system, _) =
        systems.start(image, config, Bounds::default()).map_err(|error| error.to_string())?;
    let story = narrate::narrate(&mut system, turns, &found.violation.events);
    match options.format {
        Format::Text => {
            output::print(&check::human(program, &found.violation, &story, options.full_trace));
            output::print(&format!("\nreplay: selvedge replay {}\n", options.schedule.display()));
        }
        Format::Json => {
            let summary = Summary {
                files: original.files.iter().map(|file| file.display().to_string()).collect(),
                model: model.name(),
                model_because: None,
                release_sequences: original.execution.release_sequences.name(),
                explorer: "replay",
                verdict: "violation",
                vacuous: false,
                executions: 1,
                blocked: 0,
                classes: None,
                views: None,
                races_checked: true,
                solver: None,
                workers: 1,
                steps: turns.len() as u64,
                time_ms: 0.0,
                peak_rss_kb: 0,
                limits: Vec::new(),
                violations: vec![(&found.violation, &story, Some(options.schedule.display().to_string()))],
            };
            output::print(&format!("{:#}\n", json::result(program, &summary)));
        }
    }
    Ok(ExitCode::from(exit_code::VIOLATION))
}
