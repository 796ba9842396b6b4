//! `selvedge check`: explore, minimise, report.

use crate::arguments::{CheckOptions, ExecutionOptions, Explorer, ExtraCheck, Format, SequenceRule};
use crate::model::{Model, Systems, Task};
use crate::progress::Progress;
use crate::trial::{self, Role, Scout, Unfit};
use crate::{estimate, exit_code, graphs, interrupt, output, render, run};
use selvedge_check::Violation;
use selvedge_explore::dpor::parallel::Crew;
use selvedge_explore::graph::{Beyond, Scope};
use selvedge_explore::{
    Control, Found, Limit, Limits, Session, Settings, Statistics, Tally, context_bound, dpor, exhaustive,
    graph, mcr, minimise, pct, random, vieq,
};
use selvedge_frontend::{Promotion, Sources};
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_memory::{Bounds, System};
use selvedge_program::Program;
use selvedge_report::json::{self, Summary};
use selvedge_report::narrate::{self, Story};
use selvedge_report::text::{self, Folding};
use selvedge_trace::Turn;
use selvedge_trace::schedule::{self, Name, ScheduleFile, SourceFile};
use selvedge_vm::{Config, FaultKind, FaultKinds, Image, Initialisation};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How many executions `random` and `pct` run if not told.
const SAMPLES: u64 = 1000;
/// How many blocks a thread may execute between two visible operations.
const FUEL: u64 = 200_000_000;
/// The most preemptions of the explorer `context` if not told.
const PREEMPTIONS: u32 = 2;
/// Where schedules go.
const FOLDER: &str = ".selvedge";

/// How locals are treated, given the checks.
pub fn promotion(options: &ExecutionOptions) -> Promotion {
    match options.check.contains(&ExtraCheck::Uninitialised) {
        true => Promotion::Off,
        false => Promotion::On,
    }
}

/// How the machine behaves, given the options.
pub fn config(options: &CheckOptions) -> Config {
    let execution = &options.execution;
    let allowed: FaultKinds = settings(options).allowed.into_iter().collect();
    // A value that was never set is a value like any other, if that is allowed.
    let tracks =
        execution.check.contains(&ExtraCheck::Uninitialised) && !allowed.contains(FaultKind::Uninitialised);
    Config {
        initialisation: if tracks { Initialisation::Tracked } else { Initialisation::Ignored },
        leaks: execution.check.contains(&ExtraCheck::Leak),
        allowed,
        fuel: FUEL,
        spurious_wakeups: u32::from(execution.spurious_wakeups),
        nondet: execution.nondet.clone(),
        ..Config::default()
    }
}

/// How far threads may go, given the options.
pub fn bounds(options: &CheckOptions) -> Bounds {
    Bounds { unroll: options.unroll, steps: Some(options.max_steps) }
}

/// Why options do not go together, if they do not.
fn contradiction(options: &CheckOptions) -> Option<String> {
    let explorer = options.explorer().name();
    let model = options.model();
    match options.explorer() {
        Explorer::Graph if !model.has_graphs() => {
            return Some(format!("--explorer graph: there are no axioms for the model `{}`", model.name()));
        }
        Explorer::Graph => {}
        _ if !model.is_operational() => {
            return Some(format!(
                "--model {}: is told by execution graphs; the explorer is `graph`, not `{explorer}`",
                model.name()
            ));
        }
        _ => {}
    }
    if let Some(message) = graphs::contradiction(options) {
        return Some(message);
    }
    let optimal = options.explorer() == Explorer::Optimal;
    let several = options.workers.is_some_and(|workers| workers > 1);
    if several && !options.explorer().is_parallel() {
        return Some(format!(
            "--workers: only the explorers `optimal`, `graph`, `vieq`, `mcr` and `se-mcr` work in parallel, not \
             `{explorer}`"
        ));
    }
    if options.predict && !options.explorer().solves() {
        return Some(format!("--predict: goes with `mcr` and `se-mcr`, not with `{explorer}`"));
    }
    if options.patience.is_some() && options.explorer() != Explorer::SeMcr {
        return Some(format!("--patience: goes with `se-mcr`, not with `{explorer}`"));
    }
    if several && options.preemptions.is_some() {
        return Some("--workers: an exploration with --preemptions has one worker".to_owned());
    }
    if options.preemptions.is_some() && !optimal && options.explorer() != Explorer::Context {
        return Some(format!("--preemptions: goes with `optimal` and `context`, not with `{explorer}`"));
    }
    if options.classes && options.explorer() != Explorer::Exhaustive {
        return Some(format!("--classes: only the explorer `exhaustive` counts them, not `{explorer}`"));
    }
    if options.robust.is_some() && options.explorer().counts_views() {
        return Some(format!(
            "--robust: is about the order of accesses, and `{explorer}` about what is read: use `optimal`"
        ));
    }
    if options.robust.is_some() && options.preemptions.is_some() {
        return Some("--robust: looks at all executions, so it does not go with --preemptions".to_owned());
    }
    let reduces = matches!(options.explorer(), Explorer::Optimal | Explorer::Source | Explorer::Classic);
    if options.robust.is_some() && !reduces {
        return Some(format!(
            "--robust: goes with the explorers `optimal`, `source` and `classic`, not with `{explorer}`"
        ));
    }
    let exact = optimal || options.explorer() == Explorer::Graph;
    if options.estimate && (!exact || options.preemptions.is_some()) {
        return Some(
            "--estimate: tells how many executions `optimal` or `graph` explores, without --preemptions"
                .to_owned(),
        );
    }
    None
}

/// Runs the command.
pub fn run(options: &CheckOptions) -> ExitCode {
    let start = Instant::now();
    if let Some(message) = contradiction(options) {
        return refuse(&message);
    }
    let deadline = deadline(options, start);
    let sources = Sources { files: options.files.clone(), flags: options.flags.clone() };
    let program = match selvedge_frontend::compile(&sources, promotion(&options.execution), deadline) {
        Ok(program) => program,
        Err(error) => return run::compile_error(&error),
    };
    render::warn(&program);
    let mut chosen = options.clone();
    let because = options.chooses_model().then(|| choose_model(&mut chosen, &program));
    let options = &chosen;
    if let Some(message) = contradiction(options) {
        return refuse(&format!("{message} ({})", because.unwrap_or_default()));
    }
    let because = because.as_deref();
    let mut waits = false;
    let mut known = None;
    if options.may_explore_graphs()
        && let Ok(image) = Image::for_graphs(&program)
    {
        let options = CheckOptions { explorer: Some(Explorer::Graph), keep_going: false, ..options.clone() };
        let checking = Checking {
            options: &options,
            role: Role::Trial,
            waits,
            because,
            program: &program,
            image: &image,
            start,
            deadline: deadline.map(trial::deadline),
        };
        match options.model().with(true, options.execution.sequences(), checking) {
            Ok(code) => return code,
            Err(Unfit::Known(violation)) => known = Some(violation),
            Err(unfit) => waits = matches!(unfit, Unfit::Beyond(Beyond::Loop)),
        }
    }
    let graphs = options.explorer() == Explorer::Graph;
    let image = match if graphs { Image::for_graphs(&program) } else { Image::new(&program) } {
        Ok(image) => image,
        Err(error) => return run::load_error(&error),
    };
    let role = if known.is_some() { Role::Second } else { Role::Only };
    let checking =
        Checking { options, role, waits, because, program: &program, image: &image, start, deadline };
    match (options.model().with(graphs, options.execution.sequences(), checking), known) {
        (Ok(code), _) => code,
        (Err(Unfit::Limited), Some(known)) => trial::report(options, &program, because, known, start),
        (Err(unfit), _) => {
            eprintln!("error[internal]: {}; please report this, with the program", unfit.describe());
            ExitCode::from(exit_code::INTERNAL)
        }
    }
}

/// When the time is up.
fn deadline(options: &CheckOptions, start: Instant) -> Option<Instant> {
    options.time_limit.map(|seconds| start + Duration::from_secs_f64(seconds))
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\nFor more information, try '--help'.");
    ExitCode::from(exit_code::BAD_INPUT)
}

/// Chooses the model that fits a program; says why.
fn choose_model(options: &mut CheckOptions, program: &Program) -> String {
    let (model, because) = match program.weak_atomic() {
        Some(span) => {
            let place = program.source.describe(span);
            (Model::Rc11, format!("an atomic operation is weaker than seq_cst at {place}"))
        }
        None => (Model::Sc, "no atomic operation is weaker than seq_cst".to_owned()),
    };
    options.execution.model = Some(model);
    because
}

/// A check, once the program has been compiled.
struct Checking<'a> {
    options: &'a CheckOptions,
    /// Whether the result counts.
    role: Role,
    /// Whether graphs were given up because threads wait in loops.
    waits: bool,
    /// Why this model, if the tool has chosen it.
    because: Option<&'a str>,
    program: &'a Program,
    image: &'a Image<'a>,
    start: Instant,
    deadline: Option<Instant>,
}

impl Task<Result<ExitCode, Unfit>> for Checking<'_> {
    fn run<M: Systems>(self, systems: M) -> Result<ExitCode, Unfit> {
        match self.options.estimate {
            true => Ok(estimate::run(systems, self.options, self.image)),
            false => explore(systems, &self),
        }
    }
}

/// Explores and reports.
fn explore<M: Systems>(systems: M, checking: &Checking<'_>) -> Result<ExitCode, Unfit> {
    loop {
        match attempt(systems, checking) {
            Ok(result) => return result,
            Err(Cuts(cuts)) => systems.cut(&cuts),
        }
    }
}

/// The exploration has to begin again, with these cuts.
struct Cuts(Vec<u64>);

fn attempt<M: Systems>(systems: M, checking: &Checking<'_>) -> Result<Result<ExitCode, Unfit>, Cuts> {
    let Checking { options, role, waits, because, program, image, start, deadline } = *checking;
    let mut files = match graphs::Files::prepare(options) {
        Ok(files) => files,
        Err(message) => return Ok(Ok(graph_error(&message))),
    };
    // For the samplers it is not a limit but what to do.
    let samples = matches!(options.explorer(), Explorer::Random | Explorer::Pct);
    let executions = options.max_executions.filter(|_| !samples);
    let limits = Limits { executions, deadline };
    let keep_going = options.keep_going || files.wants_all();
    let settings = Settings { keep_going, limits, ..settings(options) };
    let mut scout = Scout::new(role, options, program, deadline);
    let wanted = AtomicBool::new(false);
    let interrupted = if scout.is_some() { &wanted } else { interrupt::watch() };
    let mut turn = 0;
    let mut more = |time| {
        turn += 1;
        systems.estimate(options, image, turn, Instant::now() + time)
    };
    let exact =
        matches!(options.explorer(), Explorer::Optimal | Explorer::Graph) && options.preemptions.is_none();
    let mut progress = Progress::new(exact.then_some(&mut more));
    let mut observer = |statistics: &Statistics| {
        progress.update(statistics);
        if let Some(scout) = &mut scout {
            scout.update(statistics, &wanted);
        }
    };
    let system = systems.start(image, config(options), bounds(options));
    let (system, first) = match system {
        Ok(system) => system,
        Err(error) => return Ok(Ok(run::load_error(&error))),
    };
    let mut recorder = match files.wants_all() || files.wants_picture() {
        true => systems.recorder(image, config(options), bounds(options)),
        false => None,
    };
    let mut watcher = |schedule: &[Turn], violations: &[Violation]| match &mut recorder {
        Some(record) => files.add(record(schedule, violations)),
        None => Control::Stop,
    };
    let mut session = Session::new(system, first, settings.clone(), interrupted, &mut observer);
    if options.all_violations.is_some() {
        session.watch(&mut watcher);
    }
    let workers = workers(options);
    let tally = Tally::default();
    let counted = systems.drive(Drive {
        session: &mut session,
        options,
        scope: role.scope(),
        image,
        workers,
        tally: &tally,
    });
    let is_tallied = session.is_tallied();
    let Session { mut statistics, found, mut limits_reached, unsupported, .. } = session;
    progress.clear();
    // Whatever was found first is wrong nevertheless.
    if let (Counted::Views(vieq::Counts { diverged: true, .. }), true) =
        (counted, found.is_empty() || options.keep_going)
    {
        eprintln!(
            "error[internal]: an execution did not go as its events had said; please report this, with the program"
        );
        if found.is_empty() {
            return Ok(Ok(ExitCode::from(exit_code::INTERNAL)));
        }
    }
    let stopped = |limit: &Limit| matches!(limit, Limit::Time | Limit::Executions(_) | Limit::Interrupted);
    let reached = unsupported.as_ref().is_some_and(|reached| reached.cuts.is_empty());
    let found = match role.judge(counted, found, statistics, &limits_reached, reached) {
        Ok(found) => found,
        Err(unfit) => return Ok(Err(unfit.with_cuts(systems.cuts()))),
    };
    if is_tallied && found.is_empty() && limits_reached.iter().any(stopped) {
        statistics = count_others(&tally, statistics, &mut limits_reached);
    }
    if let (Some(reached), true) = (unsupported, found.is_empty() || keep_going) {
        if !reached.cuts.is_empty() {
            // Accesses that are several nodes count as several, if nothing keeps others from coming in between.
            if role == Role::Trial && options.allow.contains(&FaultKind::DataRace) {
                return Ok(Err(Unfit::Beyond(Beyond::Operation)));
            }
            return Err(Cuts(reached.cuts));
        }
        if found.is_empty() {
            eprint!("{}", render::unsupported(program, &reached));
            return Ok(Ok(ExitCode::from(exit_code::BAD_INPUT)));
        }
    }
    let mut written = match files.finish_all() {
        Ok(written) => written,
        Err(message) => return Ok(Ok(graph_error(&message))),
    };
    let first = found.first().zip(recorder);
    let first =
        first.map(|(found, mut record)| record(&found.schedule, std::slice::from_ref(&found.violation)));
    let drawn = files.draw(first, &mut written);
    let limits = limits_reached;
    let exploration = Exploration { statistics, counted, found, limits, start, waits, because, written };
    let code = report(systems, options, program, image, exploration);
    Ok(Ok(match drawn {
        Ok(()) => code,
        Err(message) => graph_error(&message),
    }))
}

/// What the others have explored counts, although nobody has waited for them.
fn count_others(tally: &Tally, own: Statistics, limits: &mut Vec<Limit>) -> Statistics {
    let statistics = Statistics { longest: own.longest, ..tally.statistics() };
    for limit in limits.iter_mut() {
        if let Limit::Executions(count) = limit {
            *count = statistics.executions;
        }
    }
    limits.dedup();
    statistics
}

/// A file of execution graphs that was asked for, and cannot be had.
fn graph_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(exit_code::BAD_INPUT)
}

/// An exploration that is about to begin.
pub struct Drive<'d, 's, 'i, S: System> {
    /// The session.
    pub session: &'d mut Session<'s, S>,
    options: &'d CheckOptions,
    scope: Scope,
    image: &'i Image<'i>,
    workers: usize,
    tally: &'s Tally,
}

/// What an exploration has counted besides executions.
#[derive(Clone, Copy)]
pub enum Counted {
    /// Nothing.
    Nothing,
    /// Not even these: the exploration was given up.
    TooLittle(Beyond),
    /// Orders of dependent operations.
    Orders(u64),
    /// Views.
    Views(vieq::Counts),
}

/// Explores interleavings of steps.
pub fn drive_steps<'i, M: Systems>(systems: M, drive: Drive<'_, '_, 'i, M::System<'i>>) -> Counted {
    let Drive { session, options, image, workers, tally, .. } = drive;
    let samples = options.max_executions.unwrap_or(SAMPLES);
    match options.explorer() {
        Explorer::Optimal if options.preemptions.is_some() => {
            dpor::bounded::explore(session, options.preemptions.unwrap_or(0));
        }
        Explorer::Optimal if workers > 1 => {
            session.count_with(tally);
            let system = || systems.start(image, config(options), bounds(options)).ok();
            let crew = Crew { workers, system: &system, tally };
            dpor::optimal::explore_together(session, &crew);
        }
        Explorer::Optimal => dpor::optimal::explore(session),
        Explorer::Source => dpor::source::explore(session),
        Explorer::Classic => dpor::classic::explore(session),
        Explorer::Exhaustive if options.classes => {
            return Counted::Orders(exhaustive::explore_and_count(session));
        }
        Explorer::Exhaustive => exhaustive::explore(session),
        Explorer::Context => context_bound::explore(session, options.preemptions.unwrap_or(PREEMPTIONS)),
        Explorer::Random => random::explore(session, options.seed, samples),
        Explorer::Pct => pct::explore(session, options.seed, samples, options.depth),
        // The search knows no store buffers; the solver does.
        Explorer::Vieq if options.model() != Model::Sc => {
            return Counted::Views(mcr::explore_switching(session, workers, false, mcr::PATIENCE));
        }
        Explorer::SeMcr if options.model() != Model::Sc || options.predict || options.patience == Some(0) => {
            let patience = options.patience.unwrap_or(mcr::PATIENCE);
            return Counted::Views(mcr::explore_switching(session, workers, options.predict, patience));
        }
        explorer @ (Explorer::Vieq | Explorer::SeMcr) => {
            if workers > 1 {
                session.count_with(tally);
            }
            let system = || systems.start(image, config(options), bounds(options)).ok();
            let crew = Crew { workers, system: &system, tally };
            let patience = options.patience.unwrap_or(mcr::PATIENCE);
            return Counted::Views(match explorer {
                Explorer::Vieq => vieq::explore(session, &crew),
                _ => mcr::explore_switching_after_orders(session, &crew, patience),
            });
        }
        Explorer::Mcr => return Counted::Views(mcr::explore(session, workers, options.predict)),
        // Graphs are not made of steps.
        Explorer::Graph => {}
    }
    Counted::Nothing
}

/// Explores execution graphs.
pub fn drive_graphs<'i, A: Axioms, M: Systems<System<'i> = Axiomatic<'i, A>>>(
    systems: M,
    drive: Drive<'_, '_, 'i, Axiomatic<'i, A>>,
) -> Counted {
    let Drive { session, options, scope, image, workers, tally } = drive;
    let outcome = if workers > 1 {
        session.count_with(tally);
        let system = || systems.start(image, config(options), bounds(options)).ok();
        graph::explore_together(session, &Crew { workers, system: &system, tally }, scope)
    } else {
        graph::explore(session, scope)
    };
    match outcome {
        graph::Outcome::Ended => Counted::Nothing,
        graph::Outcome::GivenUp(beyond) => Counted::TooLittle(beyond),
    }
}

/// What to look for.
pub fn settings(options: &CheckOptions) -> Settings {
    let robust = options.robust.is_some();
    let others = || FaultKind::ALL.into_iter().filter(|kind| *kind != FaultKind::NotRobust).collect();
    let mut allowed = if robust { others() } else { options.allow.clone() };
    if options.explorer().counts_views() && !options.predict {
        // Whether two accesses race is not told by what is read.
        allowed.push(FaultKind::DataRace);
    }
    Settings { allowed, robust, sequences: options.execution.sequences(), ..Settings::default() }
}

/// What the explorer is called in reports.
fn explorer_name(options: &CheckOptions) -> &'static str {
    match (options.explorer(), options.preemptions) {
        (Explorer::Optimal, Some(_)) => "bounded",
        (explorer, _) => explorer.name(),
    }
}

/// How many workers explore.
fn workers(options: &CheckOptions) -> usize {
    match (options.explorer(), options.workers) {
        _ if options.preemptions.is_some() || options.all_violations.is_some() => 1,
        (explorer, Some(workers)) if explorer.is_parallel() => usize::from(workers),
        (explorer, None) if explorer.is_parallel() => {
            std::thread::available_parallelism().map_or(1, usize::from)
        }
        _ => 1,
    }
}

/// What an exploration gave.
pub struct Exploration<'a> {
    /// Why this model, if the tool has chosen it.
    pub because: Option<&'a str>,
    /// Counts.
    pub statistics: Statistics,
    /// What was counted besides.
    pub counted: Counted,
    /// What is wrong.
    pub found: Vec<Found>,
    /// What was reached.
    pub limits: Vec<Limit>,
    /// When the command began.
    pub start: Instant,
    /// Whether graphs were given up because threads wait in loops.
    pub waits: bool,
    /// Files that were asked for.
    pub written: graphs::Written,
}

/// Reports; gives the exit code.
pub fn report<'i, M: Systems>(
    systems: M,
    options: &CheckOptions,
    program: &Program,
    image: &'i Image<'i>,
    exploration: Exploration<'_>,
) -> ExitCode {
    let Exploration { statistics, counted, found, limits, start, waits, because, written } = exploration;
    let verdict = verdict(&found, &limits);
    let is_vacuous = statistics.executions == 0 && matches!(verdict, "verified" | "bounded");
    let mut told = Vec::new();
    for (number, found) in found.iter().enumerate() {
        let found = simplified(systems, options, image, found, start);
        let Some(story) = story(systems, options, image, &found) else {
            eprintln!("error[internal]: the violating schedule cannot be replayed; please report this");
            return ExitCode::from(exit_code::INTERNAL);
        };
        let path = save(systems, options, program, &found, number);
        told.push((found, story, path));
    }
    let words: Vec<String> = limits.iter().map(|limit| describe_limit(program, limit)).collect();
    match options.format {
        Format::Json => {
            let summary = Summary {
                files: options.files.iter().map(|file| file.display().to_string()).collect(),
                model: options.model().name(),
                model_because: because,
                release_sequences: options.execution.release_sequences.name(),
                explorer: explorer_name(options),
                verdict,
                vacuous: is_vacuous,
                executions: statistics.executions,
                blocked: statistics.blocked,
                classes: match counted {
                    Counted::Orders(orders) => Some(orders),
                    _ => None,
                },
                views: match counted {
                    Counted::Views(counts) => Some((counts.views, counts.redundant)),
                    _ => None,
                },
                races_checked: predicts_races(options, program) && !is_by_orders(counted),
                solver: match counted {
                    Counted::Views(counts) if options.explorer().solves() => Some(solver(options, &counts)),
                    _ => None,
                },
                steps: statistics.steps,
                time_ms: start.elapsed().as_secs_f64() * 1000.0,
                peak_rss_kb: peak_rss_kb(),
                workers: workers(options),
                limits: words,
                violations: told
                    .iter()
                    .map(|(found, story, path)| {
                        (&found.violation, story, path.as_ref().map(|path| path.display().to_string()))
                    })
                    .collect(),
            };
            let mut result = json::result(program, &summary);
            written.add_to(&mut result);
            output::print(&format!("{result:#}\n"));
        }
        Format::Text => {
            for (found, story, path) in &told {
                output::print(&human(program, &found.violation, story, options.full_trace));
                if let Some(path) = path {
                    output::print(&format!("\nreplay: selvedge replay {}\n", path.display()));
                }
                output::print("\n");
            }
            output::print(&format!(
                "{}\n",
                verdict_line(options, because, verdict, &statistics, &words, start.elapsed())
            ));
            if is_vacuous {
                output::print(vacuous_line(verdict));
            }
            if waits && verdict == "incomplete" {
                output::print(
                    "  threads wait in loops: --explorer graph leaves out rounds that lead nowhere, and may be done sooner\n",
                );
            }
            match counted {
                Counted::Nothing | Counted::TooLittle(_) => {}
                Counted::Orders(orders) => {
                    output::print(&format!("{orders} orders of dependent operations\n"));
                }
                Counted::Views(counts) => output::print(&views_line(options, program, &counts)),
            }
            output::print(&written.to_text());
        }
    }
    ExitCode::from(match verdict {
        "verified" => 0,
        "violation" => exit_code::VIOLATION,
        _ => exit_code::LIMIT,
    })
}

/// Whether all data races are predicted. Those of which one access always comes after the other are not; whether it is ordered
/// depends on which store was read, not on its value. If every atomic operation is seq_cst, there are none of that kind.
fn predicts_races(options: &CheckOptions, program: &Program) -> bool {
    options.predict && program.weak_atomic().is_none()
}

/// Whether orders were explored in place of views.
fn is_by_orders(counted: Counted) -> bool {
    matches!(counted, Counted::Views(vieq::Counts { by_orders: true, .. }))
}

/// That there was nothing to look at, for people.
fn vacuous_line(verdict: &str) -> &'static str {
    match verdict {
        "verified" => {
            "  nothing was examined: the assumptions of the program (__VERIFIER_assume, selvedge_assume) exclude every execution\n"
        }
        _ => "  nothing was examined: no execution came to its end within the bounds\n",
    }
}

/// What was counted of views, for people.
fn views_line(options: &CheckOptions, program: &Program, counts: &vieq::Counts) -> String {
    let vieq::Counts { views, redundant, work, predicted, confirmed, .. } = counts;
    let mut line = format!("{views} views, {redundant} executions with a view that had been explored");
    if options.explorer().solves() {
        let vieq::Work { seeds, calls, spared, nanoseconds, .. } = work;
        let time = nanoseconds / 1_000_000;
        line += &format!("; {seeds} seeds, {calls} questions to the solver, {time} ms");
        if *spared > 0 {
            line += &format!("; {spared} answered without it");
        }
    }
    line += &match options.predict {
        true => format!("; {predicted} violations predicted, {confirmed} confirmed"),
        false => "; data races were not looked for".to_owned(),
    };
    if counts.by_orders {
        line += "; these are orders, as the program sets synchronisation objects up again, or lets others use its local variables when their scope ends; nothing was predicted";
    } else if options.predict && !predicts_races(options, program) {
        line += "; where atomic operations are weaker than seq_cst, not every data race is predicted";
    }
    line + "\n"
}

/// What a solver has done, for programs.
fn solver(options: &CheckOptions, counts: &vieq::Counts) -> json::Solver {
    let work = counts.work;
    json::Solver {
        seeds: work.seeds,
        calls: work.calls,
        spared: work.spared,
        problems: work.problems,
        literals: work.literals,
        largest: work.largest,
        time_ms: work.nanoseconds as f64 / 1e6,
        predicted: options.predict.then_some((counts.predicted, counts.confirmed)),
    }
}

/// A violation with its trace, for people.
pub fn human(program: &Program, violation: &Violation, story: &Story, full: bool) -> String {
    let folding = if full { Folding::Full } else { Folding::Folded };
    text::violation(program, render::output_styles(), violation, story, folding)
}

fn verdict(found: &[Found], limits: &[Limit]) -> &'static str {
    let bounds = |limit: &Limit| {
        matches!(
            limit,
            Limit::Unroll(_)
                | Limit::Loop { .. }
                | Limit::Preemptions(_)
                | Limit::Steps(_)
                | Limit::Nondet(_)
                | Limit::Sampling(_)
                | Limit::Allowed { .. }
        )
    };
    match (found.is_empty(), limits) {
        (false, _) => "violation",
        (true, []) => "verified",
        (true, limits) if limits.iter().all(bounds) => "bounded",
        _ => "incomplete",
    }
}

fn describe_limit(program: &Program, limit: &Limit) -> String {
    let place = |span| program.source.describe(span).to_string();
    match limit {
        Limit::Executions(n) => format!("stopped after {n} executions (--max-executions)"),
        Limit::Steps(n) => format!("threads were stopped after {n} steps of their own (--max-steps)"),
        Limit::Time => "the time limit was reached (--time-limit)".to_owned(),
        Limit::Interrupted => "interrupted".to_owned(),
        Limit::Unroll(spans) => {
            let places: Vec<String> = spans.iter().map(|span| place(*span)).collect();
            format!("loops were bounded (--unroll): {}", places.join(", "))
        }
        Limit::Preemptions(n) => {
            format!("executions with more than {n} preemptions were left out (--preemptions)")
        }
        Limit::Sampling(n) => format!("only {n} executions were sampled"),
        Limit::Loop { span, thread, count } => format!(
            "thread {thread} had performed the operation at {} {count} times: a loop that changes something each \
             time round (--unroll bounds it)",
            place(*span)
        ),
        Limit::Nondet(span) => {
            format!("the value at {} was taken from the range of --nondet only", place(*span))
        }
        Limit::Fuel(span) => {
            format!("a thread runs on and on at {} without a visible operation", place(*span))
        }
        Limit::Allowed { kind, span } => format!(
            "threads were stopped at {}, where they do something whose outcome is undefined (--allow {kind})",
            place(*span)
        ),
    }
}

fn verdict_line(
    options: &CheckOptions,
    because: Option<&str>,
    verdict: &str,
    statistics: &Statistics,
    limits: &[String],
    time: Duration,
) -> String {
    let styles = render::output_styles();
    let colour = match verdict {
        "verified" => styles.good,
        "violation" => styles.error,
        _ => styles.bold,
    };
    let model = match because {
        Some(because) => format!("{}, as {because};", options.model().name()),
        None => format!("{},", options.model().name()),
    };
    let sequences = match options.execution.release_sequences {
        SequenceRule::C11 => " release sequences as in C11,",
        SequenceRule::C20 => "",
    };
    let mut line = format!(
        "{colour}{verdict}{}: {} executions, {} blocked, {} steps, {:.2} s (model {model}{sequences} explorer {})",
        styles.reset,
        statistics.executions,
        statistics.blocked,
        statistics.steps,
        time.as_secs_f64(),
        explorer_name(options),
    );
    if options.robust.is_some() && verdict == "verified" {
        line += &format!(
            "\n  robust: whatever the program does under {}, it does under sequential consistency, too",
            options.model().name()
        );
    }
    if verdict == "bounded" || verdict == "incomplete" {
        line += "\n  no violation was found, but this is not a proof:";
    }
    for limit in limits {
        line += &format!("\n  - {limit}");
    }
    line
}

/// The violation with the fewest thread switches that a small search finds.
fn simplified<'i, M: Systems>(
    systems: M,
    options: &CheckOptions,
    image: &'i Image<'i>,
    found: &Found,
    start: Instant,
) -> Found {
    if options.explorer() == Explorer::Graph {
        return found.clone();
    }
    let system = systems.start(image, config(options), bounds(options));
    let Ok((system, first)) = system else { return found.clone() };
    let limits = Limits { deadline: deadline(options, start), ..Limits::default() };
    let settings = Settings { keep_going: true, limits, ..settings(options) };
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings, interrupt::watch(), &mut silent);
    let better = minimise::fewest_switches(&mut session, found);
    better.unwrap_or_else(|| found.clone())
}

/// What happens in a schedule.
fn story<'i, M: Systems>(
    systems: M,
    options: &CheckOptions,
    image: &'i Image<'i>,
    found: &Found,
) -> Option<Story> {
    let (mut system, _) = systems.start(image, config(options), bounds(options)).ok()?;
    Some(narrate::narrate(&mut system, &found.schedule, &found.violation.events))
}

/// Options of the tool that an execution depends on, as they would be written.
pub fn recorded_options(options: &CheckOptions) -> Vec<String> {
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
        words.push(format!("--robust={}", options.model().name()));
    }
    if options.explorer() == Explorer::Graph {
        words.push("--explorer=graph".to_owned());
    }
    for kind in settings(options).allowed.iter().filter(|_| options.robust.is_none()) {
        words.push(format!("--allow={kind}"));
    }
    words
}

/// Writes the schedule; a place that cannot be written is a warning, the verdict stands.
fn save(
    systems: impl Systems,
    options: &CheckOptions,
    program: &Program,
    found: &Found,
    number: usize,
) -> Option<PathBuf> {
    let path = match &options.schedule {
        Some(path) if number == 0 => path.clone(),
        Some(path) => numbered(path, number),
        None => default_path(options, program, found),
    };
    let mut file = ScheduleFile::new(&found.schedule);
    file.model = options.model().name().to_owned();
    file.violation = found.violation.kind.name().to_owned();
    file.place = Some(program.source.describe(found.violation.span).to_string());
    file.thread = Some(found.violation.thread);
    file.options = recorded_options(options);
    file.cuts = systems.cuts();
    file.compiler_flags = options.flags.iter().map(|flag| Name::from(flag.as_os_str())).collect();
    for source in &options.files {
        let contents = std::fs::read(source).unwrap_or_default();
        let (path, hash) = (Name::from(source.as_os_str()), schedule::hash_contents(&contents));
        file.files.push(SourceFile { path, hash });
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

fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", number + 1));
    PathBuf::from(name)
}

/// `.selvedge/FILE-KIND-LINE.json`.
fn default_path(options: &CheckOptions, program: &Program, found: &Found) -> PathBuf {
    let stem = options.files.first().and_then(|file| file.file_stem());
    let stem = stem.map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let line = program.source.span(found.violation.span).line;
    Path::new(FOLDER).join(format!("{stem}-{}-{line}.json", found.violation.kind))
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
