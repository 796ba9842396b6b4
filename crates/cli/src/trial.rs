//! Graphs in place of steps: what is known before, besides and after the trial.
//!
//! If no explorer is named, execution graphs are tried first ([`CheckOptions::may_explore_graphs`]). If something is wrong, or
//! graphs are not enough, steps are explored anew, and the result is theirs. The trial must not cost more than it may bring:
//!
//! * Of a time limit, the trial has half. Graphs are mostly more than twice as fast as steps, so what steps can explore in
//!   the whole time is explored by then; and what only steps find soon is found in the other half.
//! * Without a time limit, nothing is lost but time. Now and then steps are explored for a small part of what has been
//!   explored so far ([`Scout`]): if they come to something wrong, or to their end, the trial is over. When this is, is told by
//!   the number of steps; and what steps then report, they report whenever that is.
//! * If steps come to a limit before they have found what graphs have found, the result is that of graphs.

use crate::arguments::{CheckOptions, Explorer};
use crate::check::{self, Counted, Exploration};
use crate::model::{Systems, Task};
use crate::{graphs, interrupt, run};
use selvedge_explore::graph::{Beyond, Scope};
use selvedge_explore::{Found, Limit, Session, Statistics, dpor};
use selvedge_program::Program;
use selvedge_vm::Image;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// After so many steps of the trial, steps are explored for the first time; then each time there are [`AGAIN`] times as many.
const FIRST_LOOK: u64 = 1 << 20;
/// See [`FIRST_LOOK`].
const AGAIN: u64 = 4;
/// The part of the steps of the trial that are taken then.
const SHARE: u64 = 32;

/// What an exploration is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It says what there is to say.
    Only,
    /// It counts only if nothing is wrong and nothing was left out.
    Trial,
    /// It comes after a trial that has found something.
    Second,
}

impl Role {
    /// What is explored.
    pub fn scope(self) -> Scope {
        if self == Role::Trial { Scope::Orders } else { Scope::Any }
    }

    /// What was found, if the result of an exploration counts. `is_unsupported`: it could not go on.
    pub fn judge(
        self,
        counted: Counted,
        found: Vec<Found>,
        statistics: Statistics,
        limits: &[Limit],
        is_unsupported: bool,
    ) -> Result<Vec<Found>, Unfit> {
        match (self, counted) {
            (Role::Trial, Counted::TooLittle(beyond)) => Err(Unfit::Beyond(beyond)),
            (Role::Trial, _) if !found.is_empty() => {
                Err(Unfit::Known(Known { found, statistics, cuts: Vec::new() }))
            }
            (Role::Trial, _) if is_unsupported => Err(Unfit::Limited),
            // Whoever interrupts the trial means all of it. Otherwise it has used up its time, or bounds were reached.
            (Role::Trial, _) if !limits.is_empty() && !interrupt::watch().load(Ordering::Relaxed) => {
                Err(Unfit::Limited)
            }
            (Role::Second, _) if found.is_empty() && !is_unsupported => {
                Err(if limits.is_empty() { Unfit::Contradiction } else { Unfit::Limited })
            }
            _ => Ok(found),
        }
    }
}

/// Why the result of an exploration does not count.
pub enum Unfit {
    /// Graphs are not enough for the program.
    Beyond(Beyond),
    /// A trial has found something.
    Known(Known),
    /// It came to its limits.
    Limited,
    /// It has not found what the trial has found.
    Contradiction,
}

impl Unfit {
    /// The same with the cuts that what was found depends on.
    pub fn with_cuts(self, cuts: Vec<u64>) -> Self {
        match self {
            Unfit::Known(known) => Unfit::Known(Known { cuts, ..known }),
            other => other,
        }
    }

    /// In words, where it must not be.
    pub fn describe(&self) -> &'static str {
        match self {
            Unfit::Contradiction => {
                "execution graphs have something wrong that interleavings of steps do not have"
            }
            _ => "an exploration without bounds was given up",
        }
    }
}

/// When the trial has to be done.
pub fn deadline(whole: Instant) -> Instant {
    let now = Instant::now();
    now + whole.saturating_duration_since(now) / 2
}

/// What a trial has found.
pub struct Known {
    found: Vec<Found>,
    statistics: Statistics,
    cuts: Vec<u64>,
}

/// Reports what a trial has found.
pub fn report(
    options: &CheckOptions,
    program: &Program,
    because: Option<&str>,
    known: Known,
    start: Instant,
) -> ExitCode {
    let options = CheckOptions { explorer: Some(Explorer::Graph), ..options.clone() };
    match Image::for_graphs(program) {
        Ok(image) => {
            let reporting = Reporting { options: &options, image: &image, because, known, start };
            options.model().with(true, options.execution.sequences(), reporting)
        }
        Err(error) => run::load_error(&error),
    }
}

struct Reporting<'a> {
    options: &'a CheckOptions,
    image: &'a Image<'a>,
    because: Option<&'a str>,
    known: Known,
    start: Instant,
}

impl Task<ExitCode> for Reporting<'_> {
    fn run<M: Systems>(self, systems: M) -> ExitCode {
        let Self { options, image, because, known, start } = self;
        let Known { found, statistics, cuts } = known;
        systems.cut(&cuts);
        let exploration = Exploration {
            because,
            statistics,
            counted: Counted::Nothing,
            found,
            limits: Vec::new(),
            start,
            waits: false,
            written: graphs::Written::default(),
        };
        check::report(systems, options, image.program, image, exploration)
    }
}

/// Looks from time to time how far steps come.
pub struct Scout<'a> {
    options: CheckOptions,
    program: &'a Program,
    next: u64,
    interrupted: &'static AtomicBool,
}

impl<'a> Scout<'a> {
    /// One for a trial that has no deadline.
    pub fn new(
        role: Role,
        options: &CheckOptions,
        program: &'a Program,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        let options = CheckOptions { explorer: Some(Explorer::Optimal), ..options.clone() };
        (role == Role::Trial && deadline.is_none()).then(|| {
            let interrupted = interrupt::watch();
            Self { options, program, next: FIRST_LOOK, interrupted }
        })
    }

    /// Called between executions of the trial; `enough` is set if it is to be over.
    pub fn update(&mut self, statistics: &Statistics, enough: &AtomicBool) {
        let is_interrupted = self.interrupted.load(Ordering::Relaxed);
        if is_interrupted || self.is_time_to_look(statistics.steps) && self.look(statistics.steps / SHARE) {
            enough.store(true, Ordering::Relaxed);
        }
    }

    fn is_time_to_look(&mut self, steps: u64) -> bool {
        let is_time = steps >= self.next;
        if is_time {
            self.next = steps.saturating_mul(AGAIN);
        }
        is_time
    }

    /// Whether so many steps are enough to find something, or to explore everything.
    fn look(&self, budget: u64) -> bool {
        let Ok(image) = Image::new(self.program) else { return false };
        let look = Look { options: &self.options, image: &image, budget, interrupted: self.interrupted };
        self.options.model().with(false, self.options.execution.sequences(), look)
    }
}

struct Look<'a> {
    options: &'a CheckOptions,
    image: &'a Image<'a>,
    budget: u64,
    interrupted: &'static AtomicBool,
}

impl Task<bool> for Look<'_> {
    fn run<M: Systems>(self, systems: M) -> bool {
        let Self { options, image, budget, interrupted } = self;
        let started = systems.start(image, check::config(options), check::bounds(options));
        let Ok((system, first)) = started else { return false };
        let settings = check::settings(options);
        let enough = AtomicBool::new(false);
        let mut observer = |statistics: &Statistics| {
            let is_interrupted = interrupted.load(Ordering::Relaxed);
            enough.fetch_or(statistics.steps >= budget || is_interrupted, Ordering::Relaxed);
        };
        let mut session = Session::new(system, first, settings, &enough, &mut observer);
        dpor::optimal::explore(&mut session);
        !session.found.is_empty() || session.limits_reached.is_empty()
    }
}
