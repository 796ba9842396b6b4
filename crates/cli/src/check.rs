//! `selvedge check`: asks, and says what the answer is.

use crate::arguments::{CheckOptions, Format};
use crate::progress::Progress;
use crate::summary::Words;
use crate::times::Phases;
use crate::{contradictions, estimate, exit_code, graphs, interrupt, output, render, run, schedules};
use selvedge_check::Violation;
use selvedge_program::Program;
use selvedge_report::json;
use selvedge_report::text::{self, Folding};
use selvedge_trace::execution::Execution;
use selvedge_trace::graph::ExecutionGraph;
use selvedge_verify::contradiction::Purpose;
use selvedge_verify::run::Estimating;
use selvedge_verify::{
    Control, Error, Observer, Outcome, Request, Sources, Stage, Statistics, Verdict, Verifier,
};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(options: &CheckOptions) -> ExitCode {
    let start = Instant::now();
    let deadline = options.time_limit.map(|seconds| start + Duration::from_secs_f64(seconds));
    let request = options.request(deadline);
    let purpose = if options.estimate { Purpose::Estimate } else { Purpose::Verify };
    if let Err(contradiction) = request.contradiction(purpose) {
        return refuse(&contradictions::describe(&contradiction, request.record));
    }
    if let Some(message) = graphs::contradiction(options) {
        return refuse(&message);
    }
    let sources = Sources { files: options.files.clone(), flags: options.flags.clone() };
    let verifier = match Verifier::compile(&sources, &request) {
        Ok(verifier) => verifier,
        Err(Error::Compile(error)) => return run::compile_error(&error),
        Err(error) => return internal(&error.to_string()),
    };
    warn(&verifier);
    match options.estimate {
        true => estimate::run(&verifier, options),
        false => verify(options, &request, &verifier, start),
    }
}

/// Says what the compiler has warned about, and what it has got wrong.
pub fn warn(verifier: &Verifier) {
    eprint!("{}", verifier.warnings());
    render::warn(verifier.program());
}

/// Verifies, and reports.
fn verify(options: &CheckOptions, request: &Request, verifier: &Verifier, start: Instant) -> ExitCode {
    if let Err(error) = verifier.plan(request) {
        return fail(verifier, request, &error);
    }
    let mut files = match graphs::Files::prepare(options) {
        Ok(files) => files,
        Err(message) => return file_error(&message),
    };
    let mut watch = Watch { files: &mut files, progress: Progress::new(), begun: 0 };
    let mut outcome = match verifier.verify_with(request, &mut watch, interrupt::watch()) {
        Ok(outcome) => outcome,
        Err(error) => return fail(verifier, request, &error),
    };
    let answered = Instant::now();
    if outcome.has_diverged {
        internal(&selvedge_verify::Fault::Diverged.to_string());
    }
    let mut written = match files.finish_all() {
        Ok(written) => written,
        Err(message) => return file_error(&message),
    };
    let drawn = files.draw(outcome.graph.take(), &mut written);
    let time = start.elapsed();
    let report = Report { options, request, verifier, outcome: &outcome, written, time, answered };
    let code = report.print(start);
    match drawn {
        Ok(()) => code,
        Err(message) => file_error(&message),
    }
}

/// What is done while executions are explored.
struct Watch<'f> {
    files: &'f mut graphs::Files,
    progress: Progress,
    /// How often an exploration has begun.
    begun: u32,
}

impl Observer for Watch<'_> {
    fn begins(&mut self, _: &Stage) {
        if self.begun > 0 {
            self.files.begin_again();
        }
        self.begun += 1;
        self.progress = Progress::new();
    }

    fn progress(&mut self, statistics: &Statistics, estimating: Option<Estimating<'_>>) {
        self.progress.update(statistics, estimating);
    }

    fn violating(&mut self, graph: ExecutionGraph) -> Control {
        self.files.add(graph)
    }

    fn ends(&mut self) {
        self.progress.clear();
    }
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\nFor more information, try '--help'.");
    ExitCode::from(exit_code::BAD_INPUT)
}

/// A file of execution graphs that was asked for, and cannot be had.
fn file_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(exit_code::BAD_INPUT)
}

fn internal(message: &str) -> ExitCode {
    eprintln!("error[internal]: {message}; please report this, with the program");
    ExitCode::from(exit_code::INTERNAL)
}

/// Says why there is no answer.
pub fn fail(verifier: &Verifier, request: &Request, error: &Error) -> ExitCode {
    match error {
        Error::Compile(error) => run::compile_error(error),
        Error::Load(error) => run::load_error(error),
        Error::Contradiction(contradiction, because) => {
            let message = contradictions::describe(contradiction, request.record);
            match (contradiction, because) {
                // The options are possible; the program decides.
                (selvedge_verify::Contradiction::NoGraphs { .. }, _) => file_error(&message),
                (_, because) => {
                    let because = because.as_ref();
                    let because = because.map(|because| crate::summary::because(verifier.program(), because));
                    refuse(&format!("{message} ({})", because.unwrap_or_default()))
                }
            }
        }
        Error::Unsupported(reached) => {
            eprint!("{}", render::unsupported(verifier.program(), reached));
            ExitCode::from(exit_code::BAD_INPUT)
        }
        Error::Internal(fault) => internal(&fault.to_string()),
    }
}

/// An outcome, with all that it takes to print it.
struct Report<'a> {
    options: &'a CheckOptions,
    request: &'a Request,
    verifier: &'a Verifier,
    outcome: &'a Outcome,
    /// Files that were asked for.
    written: graphs::Written,
    time: Duration,
    /// When the outcome was there.
    answered: Instant,
}

impl Report<'_> {
    /// Writes schedules and prints the outcome; returns the exit code.
    fn print(&self, start: Instant) -> ExitCode {
        let Self { options, request, verifier, outcome, .. } = self;
        let paths: Vec<Option<PathBuf>> = outcome
            .violations
            .iter()
            .enumerate()
            .map(|(number, found)| schedules::save(options, request, verifier, outcome, found, number))
            .collect();
        let words = Words { options, program: verifier.program(), outcome };
        match options.format {
            Format::Json => self.print_json(&words, &paths, start),
            Format::Text => self.print_text(&words, &paths),
        }
        ExitCode::from(match outcome.verdict {
            Verdict::Verified => 0,
            Verdict::Violation => exit_code::VIOLATION,
            Verdict::Bounded | Verdict::Incomplete => exit_code::LIMIT,
        })
    }

    fn print_json(&self, words: &Words<'_>, paths: &[Option<PathBuf>], start: Instant) {
        let because = words.because();
        let mut summary = words.summary(because.as_deref());
        summary.time_ms = start.elapsed().as_secs_f64() * 1000.0;
        summary.peak_rss_kb = peak_rss_kb();
        let found = self.outcome.violations.iter().zip(paths);
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        summary.violations =
            found.map(|(found, at)| (&found.violation, &found.execution, path(at))).collect();
        let mut result = json::result(self.verifier.program(), &summary);
        self.written.add_to(&mut result);
        if let Some(phases) = self.phases() {
            result["times"] = phases.to_json();
        }
        output::print(&format!("{result:#}\n"));
    }

    fn print_text(&self, words: &Words<'_>, paths: &[Option<PathBuf>]) {
        for (found, path) in self.outcome.violations.iter().zip(paths) {
            let program = self.verifier.program();
            output::print(&human(program, &found.violation, &found.execution, self.options.full_trace));
            if let Some(path) = path {
                output::print(&format!("\nreplay: selvedge replay {}\n", path.display()));
            }
            output::print("\n");
        }
        output::print(&words.verdict(self.time));
        output::print(&self.written.to_text());
        if let Some(phases) = self.phases() {
            output::print(&phases.to_text());
        }
    }

    /// Where the time went until now, if that is wanted.
    fn phases(&self) -> Option<Phases> {
        self.options.time.then(|| Phases::new(&self.outcome.times, self.answered.elapsed()))
    }
}

/// A violation with its trace, for people.
pub fn human(program: &Program, violation: &Violation, execution: &Execution, full: bool) -> String {
    let folding = if full { Folding::Full } else { Folding::Folded };
    text::violation(program, render::output_styles(), violation, execution, folding)
}

/// Largest resident size of this process so far.
fn peak_rss_kb() -> u64 {
    // SAFETY: `usage` is a plain structure that the call fills.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        u64::try_from(usage.ru_maxrss).unwrap_or(0)
    }
}
