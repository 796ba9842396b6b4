//! `selvedge replay`: run a schedule again.

use crate::arguments::{CheckOptions, Cli, Command, Explorer, Format, ReplayOptions};
use crate::model::{Model, Systems, Task};
use crate::{check, exit_code, output, render, run};
use selvedge_explore::{Session, Settings, Statistics, replay};
use selvedge_frontend::Sources;
use selvedge_report::json::{self, Summary};
use selvedge_report::narrate;
use selvedge_trace::Turn;
use selvedge_trace::schedule::{self, ScheduleFile};
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
    for source in &file.files {
        let contents = std::fs::read(&source.path)
            .map_err(|error| format!("the program cannot be read: {}: {error}", source.path))?;
        if schedule::hash_contents(&contents) != source.hash {
            return Err(format!(
                "{} has changed since the schedule was written; run `selvedge check` again",
                source.path
            ));
        }
    }
    // The recorded options are read as a command line, so they are checked like one.
    let words = ["selvedge", "check"].map(str::to_owned).into_iter().chain(file.options.clone());
    let words = words.chain(file.files.iter().map(|source| source.path.clone()));
    let words = words.chain(["--".to_owned()]).chain(file.compiler_flags.clone());
    let Command::Check(mut original) = Cli::try_from_words(words.map(Into::into))
        .map_err(|error| format!("its options are wrong: {error}"))?
        .command
    else {
        return Err("its options are wrong".to_owned());
    };
    original.execution.model = Some(model);
    let sources = Sources { files: original.files.clone(), flags: original.flags.clone() };
    let program = match selvedge_frontend::compile(&sources, check::promotion(&original.execution), None) {
        Ok(program) => program,
        Err(error) => return Ok(run::compile_error(&error)),
    };
    let graphs = original.explorer() == Explorer::Graph || !model.is_operational();
    let image = match if graphs { Image::for_graphs(&program) } else { Image::new(&program) } {
        Ok(image) => image,
        Err(error) => return Ok(run::load_error(&error)),
    };
    model.with(
        graphs,
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
    let config = check::config(&original.execution);
    let (system, first) = match systems.start(image, config.clone(), None) {
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
    // What the schedule is about comes last.
    let Some(found) = session.found.last() else {
        output::print("the schedule was followed to its end; nothing is wrong there\n");
        return Ok(ExitCode::SUCCESS);
    };
    let (mut system, _) = systems.start(image, config, None).map_err(|error| error.to_string())?;
    let story = narrate::narrate(&mut system, turns, &found.violation.events);
    match options.format {
        Format::Text => {
            output::print(&check::human(program, &found.violation, &story, options.full_trace));
            output::print(&format!("\nreplay: selvedge replay {}\n", options.schedule.display()));
        }
        Format::Json => {
            let summary = Summary {
                files: file.files.iter().map(|source| source.path.clone()).collect(),
                model: model.name(),
                model_because: None,
                explorer: "replay",
                verdict: "violation",
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
