//! What all explorers share.
//!
//! A [`Session`] owns a [`System`]: a memory model with a program in it. [`Session::step`] takes a step of the system, shows the new
//! events to the checkers, and says whether the execution goes on: it ends with its first violation. [`Session::step_through`] is
//! for partial-order reduction: only the thread that did something wrong, or came to an assumption that does not hold or to a bound,
//! stops. The others go on to their ends, so that their races are seen and no order is lost. [`Session::finish`] judges an
//! execution in which nobody can go on; [`Session::cut`] and [`Session::reach`] note what was left out; [`Session::control`], asked
//! after each step or execution, says whether to stop: a violation was found, a limit was reached, the user interrupted.
//!
//! An explorer is a function over a `&mut Session<S>`, generic in `S: System`, hence statically dispatched. It asks who is enabled,
//! sets a mark **before every step**, steps, and rewinds to try something else.
//!
//! Who wants to see every violating execution, and not only one for each violation, gives the session a watcher. It is told the
//! schedule and what is wrong when such an execution ends. What it makes of that, it makes in a system of its own.

use crate::core::distinct::{Distinct, Teller};
use rustc_hash::FxHashMap;
use selvedge_check::{Checkers, CheckersMark, Company, Finding, Standing, Step as Performed, Violation};
use selvedge_memory::{Bound, LookAhead, ReleaseSequences, Step, System};
use selvedge_program::SpanId;
use selvedge_trace::{Agent, Event, Operation, ThreadId, Turn};
use selvedge_vm::{FaultKind, Stop, UnsupportedReached};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// An operation that is performed so often in one execution is in a loop worth naming.
const SUSPICIOUS: usize = 100;

/// When to stop.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// After so many executions.
    pub executions: Option<u64>,
    /// At that time.
    pub deadline: Option<Instant>,
}

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// `--max-executions`.
    Executions(u64),
    /// `--max-steps`: threads were stopped.
    Steps(u64),
    /// `--time-limit`.
    Time,
    /// The user interrupted.
    Interrupted,
    /// `--unroll`: loops were bounded, at these places.
    Unroll(Vec<SpanId>),
    /// `--preemptions`: executions with more were left out.
    Preemptions(u32),
    /// The explorer samples.
    Sampling(u64),
    /// What an execution that was too long did most: probably a loop without end.
    Loop {
        /// Where.
        span: SpanId,
        /// Who.
        thread: ThreadId,
        /// How often.
        count: usize,
    },
    /// `--nondet`: a value was taken from a range that does not cover its type, at this place.
    Nondet(SpanId),
    /// A thread ran for very long without a visible operation, at this place.
    Fuel(SpanId),
    /// `--allow`: a thread did something there of which nothing can be said how it goes on, and was stopped.
    Allowed {
        /// What.
        kind: FaultKind,
        /// Where.
        span: SpanId,
    },
}

/// What to look for, and how to behave.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Kinds that are not reported.
    pub allowed: Vec<FaultKind>,
    /// Whether to go on after a violation.
    pub keep_going: bool,
    /// When to stop.
    pub limits: Limits,
    /// Whether executions that sequential consistency does not have are violations.
    pub robust: bool,
    /// What synchronises with what.
    pub sequences: ReleaseSequences,
    /// Whether threads that wait in a loop of one atomic access are blocked before it.
    pub look_ahead: LookAhead,
    /// Whether updates whose results nobody uses have an order among each other.
    pub updates: Updates,
}

/// Whether updates of a location whose results nobody uses have an order among each other, as long as nobody reads in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Updates {
    /// They have.
    #[default]
    Ordered,
    /// Those that commute have none: executions that differ in it are the same.
    Commute,
}

/// Counts of an exploration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Complete executions, violating ones included.
    pub executions: u64,
    /// Explorations that were cut without being an execution of the program.
    pub blocked: u64,
    /// Steps taken, those taken again after going back included.
    pub steps: u64,
    /// Length of the longest execution.
    pub longest: u64,
}

impl Statistics {
    /// The differences to other counts. They wrap around below zero: they are added to something later.
    fn less(&self, others: &Self) -> Self {
        Self {
            executions: self.executions.wrapping_sub(others.executions),
            blocked: self.blocked.wrapping_sub(others.blocked),
            steps: self.steps.wrapping_sub(others.steps),
            longest: self.longest,
        }
    }
}

/// A violation and the schedule that leads to it.
#[derive(Debug, Clone)]
pub struct Found {
    /// What is wrong.
    pub violation: Violation,
    /// How to get there.
    pub schedule: Vec<Turn>,
}

/// Whether the present execution goes on after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It does.
    On,
    /// It has ended (or was cut); go back.
    Ended,
}

/// Whether the exploration goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// It does.
    Continue,
    /// Stop at once.
    Stop,
}

/// A state of a session.
pub struct SessionMark<M> {
    system: M,
    checkers: CheckersMark,
    schedule: u32,
    standing: Standing,
    wrong: u32,
}

/// So many executions are worth telling the other workers.
const WORTH_TELLING: u64 = 64;

/// So many steps are, too.
const MANY_STEPS: u64 = 1 << 14;

/// What all workers of an exploration have done so far.
#[derive(Debug, Default)]
pub struct Tally {
    executions: AtomicU64,
    blocked: AtomicU64,
    steps: AtomicU64,
}

impl Tally {
    /// The sums.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            executions: self.executions.load(Ordering::Relaxed),
            blocked: self.blocked.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
            longest: 0,
        }
    }

    fn add(&self, news: &Statistics) {
        self.executions.fetch_add(news.executions, Ordering::Relaxed);
        self.blocked.fetch_add(news.blocked, Ordering::Relaxed);
        self.steps.fetch_add(news.steps, Ordering::Relaxed);
    }
}

/// An exploration under way.
pub struct Session<'a, S: System> {
    /// The system.
    pub system: S,
    settings: Settings,
    checkers: Checkers,
    schedule: Vec<Turn>,
    standing: Standing,
    /// What is wrong with the present execution.
    wrong: Vec<Violation>,
    woken: Vec<ThreadId>,
    /// The objects that the last step made reachable for other threads.
    published: Vec<(u64, u64)>,
    /// Counts so far.
    pub statistics: Statistics,
    /// Violations so far, no two the same.
    pub found: Vec<Found>,
    /// Limits that were reached.
    pub limits_reached: Vec<Limit>,
    /// Something unsupported that was reached: the exploration cannot be trusted.
    pub unsupported: Option<UnsupportedReached>,
    ended_at_start: bool,
    /// The sums of all workers, and how much of the counts here has been added to them. If the counts begin again before all of
    /// them were added, that is negative (numbers wrap around), so that the rest is added with what comes next.
    tally: Option<(&'a Tally, Statistics)>,
    interrupted: &'a AtomicBool,
    observer: &'a mut dyn FnMut(&Statistics),
    watcher: Option<&'a mut Watcher<'a>>,
    /// Whether the watcher wants no more.
    watched_enough: bool,
    /// Tells views apart, if anybody wants to know.
    teller: Option<Teller>,
    /// Whether looking ahead is unsafe, here or where another worker explores.
    looked_too_far: bool,
    /// A granule whose updates must be ordered, as another worker has found.
    to_order: Option<u64>,
}

/// Is told of each execution in which something is wrong when it ends: how it went, and what is wrong, in the order in
/// which it was found. Says whether to go on.
pub type Watcher<'a> = dyn FnMut(&[Turn], &[Violation]) -> Control + 'a;

impl<'a, S: System> Session<'a, S> {
    /// Starts one; `first` is what became of the program's start.
    pub fn new(
        system: S,
        first: Step,
        settings: Settings,
        interrupted: &'a AtomicBool,
        observer: &'a mut dyn FnMut(&Statistics),
    ) -> Self {
        let mut checkers = Checkers::new();
        if !settings.allowed.contains(&FaultKind::DataRace) {
            checkers = checkers.with_races(settings.sequences);
        }
        if settings.robust {
            checkers = checkers.with_robustness();
        }
        let mut system = system;
        if settings.look_ahead == LookAhead::On {
            system.look_ahead(LookAhead::On);
        }
        if settings.updates == Updates::Commute {
            system.let_updates_commute();
        }
        let mut session = Self {
            system,
            settings,
            checkers,
            schedule: Vec::new(),
            standing: Standing::Good,
            wrong: Vec::new(),
            woken: Vec::new(),
            published: Vec::new(),
            statistics: Statistics::default(),
            found: Vec::new(),
            limits_reached: Vec::new(),
            unsupported: None,
            ended_at_start: false,
            tally: None,
            interrupted,
            observer,
            watcher: None,
            watched_enough: false,
            teller: None,
            looked_too_far: false,
            to_order: None,
        };
        session.ended_at_start = session.judge(first) == Progress::Ended;
        session
    }

    /// Lets somebody see all violating executions that end from now on, or have ended at the start. For sessions that keep
    /// going: only then executions go on to their end after a violation.
    pub fn watch(&mut self, watcher: &'a mut Watcher<'a>) {
        self.watcher = Some(watcher);
        if self.ended_at_start {
            self.show();
        }
    }

    /// Shows an execution that has ended to who watches, if something is wrong with it.
    fn show(&mut self) {
        if let Some(watcher) = &mut self.watcher
            && !self.wrong.is_empty()
        {
            self.watched_enough |= watcher(&self.schedule, &self.wrong) == Control::Stop;
        }
    }

    /// Lets the session add to the sums of all workers, which limits then apply to.
    pub fn count_with(&mut self, tally: &'a Tally) {
        self.tally = Some((tally, self.statistics));
    }

    /// Lets the exploration be over once executions are not known to have different views; or no longer.
    pub(crate) fn tell_apart(&mut self, distinct: Option<&Arc<Distinct>>) {
        self.teller = distinct.map(|distinct| Teller::new(distinct.clone()));
    }

    /// What workers share that tell views apart.
    pub(crate) fn distinct(&self) -> Option<&Arc<Distinct>> {
        self.teller.as_ref().map(Teller::distinct)
    }

    /// Goes back to the start, as if nothing had been explored.
    pub(crate) fn begin_again(&mut self, start: &SessionMark<S::Mark>) {
        self.rewind(start);
        self.statistics = Statistics::default();
        self.found.clear();
        self.limits_reached.clear();
        self.tally = None;
    }

    /// Explores from the first state with threads that are blocked where they would go round a loop of one atomic access in vain; and
    /// again without that if something happens that makes it unsafe.
    pub(crate) fn looking_ahead(&mut self, mut explore: impl FnMut(&mut Self)) {
        if self.ended_at_start() {
            return explore(self);
        }
        self.look_ahead(LookAhead::On);
        let start = self.mark();
        self.ordering_updates(&start, &mut explore);
        let is_unsafe = self.has_looked_too_far();
        self.look_ahead(LookAhead::Off);
        if !is_unsafe || self.has_enough() || self.unsupported.is_some() {
            return;
        }
        if let Some(distinct) = self.distinct() {
            // Whoever wants to know whether views are distinct has another way to explore.
            return distinct.give_up();
        }
        self.begin_again(&start);
        self.ordering_updates(&start, &mut explore);
    }

    /// Explores from the first state, and again whenever updates have to be ordered that were not.
    fn ordering_updates(&mut self, start: &SessionMark<S::Mark>, explore: &mut impl FnMut(&mut Self)) {
        loop {
            explore(self);
            let Some(granule) = self.update_to_order() else { return };
            if self.has_looked_too_far() || self.has_enough() || self.unsupported.is_some() {
                return;
            }
            self.system.order_updates(granule);
            self.to_order = None;
            self.begin_again(start);
        }
    }

    /// A granule whose updates must be ordered, but are not, here or where another worker explores.
    pub(crate) fn update_to_order(&self) -> Option<u64> {
        self.to_order.or_else(|| self.system.update_to_order())
    }

    /// Notes that another worker has found updates that must be ordered.
    pub(crate) fn have_to_order(&mut self, granule: u64) {
        self.to_order = Some(granule);
    }

    /// Lets what is explored from now on, from the first state, order the updates that have to be.
    pub(crate) fn order_updates(&mut self) {
        while let Some(granule) = self.system.update_to_order() {
            self.system.order_updates(granule);
        }
    }

    fn look_ahead(&mut self, look_ahead: LookAhead) {
        self.settings.look_ahead = look_ahead;
        self.looked_too_far = false;
        self.system.look_ahead(look_ahead);
    }

    /// Whether rounds of waiting loops that were left out may be part of races, which are looked for.
    pub(crate) fn has_looked_too_far(&mut self) -> bool {
        self.looked_too_far |= self.system.has_looked_too_far() && self.looks_for(FaultKind::DataRace);
        self.looked_too_far
    }

    /// Notes that another worker has looked too far ahead.
    pub(crate) fn look_too_far(&mut self) {
        self.looked_too_far = true;
    }

    /// Whether its counts are part of sums of all workers.
    pub fn is_tallied(&self) -> bool {
        self.tally.is_some()
    }

    /// What sessions of other workers need.
    pub(crate) fn origin(&self) -> (Settings, &'a AtomicBool) {
        (self.settings.clone(), self.interrupted)
    }

    /// Adds what another worker has found, whose counts are in the sums already.
    pub(crate) fn absorb(
        &mut self,
        statistics: Statistics,
        found: Vec<Found>,
        limits: Vec<Limit>,
        unsupported: Option<UnsupportedReached>,
    ) {
        for counts in std::iter::once(&mut self.statistics).chain(self.tally.as_mut().map(|(_, c)| c)) {
            counts.executions = counts.executions.wrapping_add(statistics.executions);
            counts.blocked = counts.blocked.wrapping_add(statistics.blocked);
            counts.steps = counts.steps.wrapping_add(statistics.steps);
            counts.longest = counts.longest.max(statistics.longest);
        }
        for other in found {
            if !self.found.iter().any(|known| known.violation.is_same(&other.violation)) {
                self.found.push(other);
            }
        }
        for limit in limits {
            let is_loop = |limit: &Limit| matches!(limit, Limit::Loop { .. });
            // One is named, the first.
            if !is_loop(&limit) || !self.limits_reached.iter().any(is_loop) {
                self.reach(limit);
            }
        }
        self.unsupported = self.unsupported.take().or(unsupported);
    }

    /// Whether it goes on after a violation.
    pub(crate) fn keeps_going(&self) -> bool {
        self.settings.keep_going
    }

    /// The counts, which begin again.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        if let Some((_, added)) = &mut self.tally {
            // What was not told yet will be.
            *added = added.less(&self.statistics);
        }
        std::mem::take(&mut self.statistics)
    }

    /// The number of steps, which begins again. They do not count in the sums of all workers: somebody else will count them.
    pub(crate) fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.statistics.steps)
    }

    /// Whether the program ended, wrongly or not, before there was anything to choose.
    pub fn ended_at_start(&self) -> bool {
        self.ended_at_start
    }

    /// The agents that can take a step.
    pub fn enabled(&self, into: &mut Vec<Agent>) {
        self.system.enabled(into);
    }

    /// The present schedule.
    pub fn schedule(&self) -> &[Turn] {
        &self.schedule
    }

    /// A state to return to.
    #[inline(always)]
    pub fn mark(&mut self) -> SessionMark<S::Mark> {
        SessionMark {
            system: self.system.mark(),
            checkers: self.checkers.mark(),
            schedule: self.schedule.len() as u32,
            standing: self.standing,
            wrong: self.wrong.len() as u32,
        }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: &SessionMark<S::Mark>) {
        self.system.rewind(&mark.system);
        self.checkers.rewind(&mark.checkers);
        self.schedule.truncate(mark.schedule as usize);
        self.standing = mark.standing;
        self.wrong.truncate(mark.wrong as usize);
        if let Some(teller) = &mut self.teller {
            teller.rewind(mark.schedule as usize);
        }
    }

    /// Whether the present execution is one of the program, as far as is known.
    pub fn is_good(&self) -> bool {
        self.standing != Standing::Cut
    }

    /// Takes back what a thread has done since a mark, and stops it there: it was in the middle of an atomic section,
    /// of which nobody may see a part.
    pub(crate) fn take_back(&mut self, mark: &SessionMark<S::Mark>, thread: ThreadId) {
        let (standing, wrong) = (self.standing, std::mem::take(&mut self.wrong));
        self.rewind(mark);
        (self.standing, self.wrong) = (standing, wrong);
        self.system.halt(thread);
    }

    /// The threads that the last step let go.
    pub fn woken(&self) -> &[ThreadId] {
        &self.woken
    }

    /// The objects that the last step made reachable for other threads.
    pub fn published(&self) -> &[(u64, u64)] {
        &self.published
    }

    /// Takes a step and lets the checkers see it. The execution ends with its first violation; if the exploration keeps
    /// going, the thread stops there, and the others go on: what a thread does wrong by itself belongs to the step before,
    /// and in between others may go wrong, too. A thread that comes to a bound stops as well, and the others go on.
    ///
    /// For explorers that try all orders. An assumption that does not hold ends the execution: what others would do
    /// afterwards, they also do before.
    pub fn step(&mut self, turn: Turn) -> Progress {
        let (step, violation) = self.perform(turn, Company::Others);
        if let (Some(violation), false) = (violation, matches!(step, Step::Discarded)) {
            self.report(violation);
            if !self.settings.keep_going {
                self.statistics.executions += 1;
                return Progress::Ended;
            }
            self.standing = Standing::Violating;
        }
        let standing = match step {
            Step::Bounded(bound) => self.bounded(bound),
            Step::Stopped(Stop::OutOfFuel) => self.out_of_fuel(turn),
            Step::Stopped(Stop::Fault(fault))
                if self.settings.keep_going || self.settings.allowed.contains(&fault.kind) =>
            {
                // What is allowed and ends the process may as well come after what the others do.
                self.report(Violation::from(*fault));
                Standing::Violating
            }
            step => return self.judge(step),
        };
        self.standing = self.standing.max(standing);
        if self.system.machine().is_stopped_in_section(turn.agent.thread()) {
            // The others wait for the end of its atomic section.
            self.finish();
            return Progress::Ended;
        }
        Progress::On
    }

    /// Takes note that a thread has come to a bound.
    fn bounded(&mut self, bound: Bound) -> Standing {
        match bound {
            Bound::Unroll(span) => self.reach(Limit::Unroll(vec![span])),
            Bound::Steps(most) => {
                self.reach(Limit::Steps(most));
                self.blame_loop();
            }
            Bound::Allowed { kind, span } => self.reach(Limit::Allowed { kind, span }),
        }
        Standing::Cut
    }

    /// Takes note that a thread runs on and on.
    fn out_of_fuel(&mut self, turn: Turn) -> Standing {
        self.reach(Limit::Fuel(self.system.machine().place(turn.agent.thread())));
        Standing::Cut
    }

    /// Takes a step and lets the checkers see it. A thread that did something wrong, or comes to an assumption
    /// that does not hold or to a bound, stops; the others go on, so that what they would have done is seen.
    /// [`Session::finish`] counts the execution for what it is.
    pub fn step_through(&mut self, turn: Turn) -> Progress {
        self.go_through(turn, Company::Others)
    }

    /// The same for a thread that nobody else can notice, because it has joined all others.
    pub(crate) fn step_alone(&mut self, turn: Turn) -> Progress {
        self.go_through(turn, Company::Alone)
    }

    fn go_through(&mut self, turn: Turn, company: Company) -> Progress {
        let (step, violation) = self.perform(turn, company);
        if let (Some(violation), false) = (violation, matches!(step, Step::Discarded)) {
            self.report(violation);
            self.standing = Standing::Violating;
        }
        let standing = match step {
            Step::Done => Standing::Good,
            Step::Discarded => Standing::Cut,
            Step::Bounded(bound) => self.bounded(bound),
            Step::Stopped(Stop::Fault(fault)) => {
                self.report(Violation::from(*fault));
                Standing::Violating
            }
            Step::Stopped(Stop::OutOfFuel) => self.out_of_fuel(turn),
            Step::Stopped(stop) => {
                self.judge(Step::Stopped(stop));
                return Progress::Ended;
            }
        };
        self.standing = self.standing.max(standing);
        if !self.found.is_empty() && !self.settings.keep_going {
            self.statistics.executions += 1;
            return Progress::Ended;
        }
        Progress::On
    }

    #[inline(always)]
    fn perform(&mut self, turn: Turn, company: Company) -> (Step, Option<Violation>) {
        self.schedule.push(turn);
        self.statistics.steps += 1;
        self.statistics.longest = self.statistics.longest.max(self.schedule.len() as u64);
        let before = self.system.events().len();
        let step = self.system.step(turn.agent, turn.choice);
        let published = self.system.take_published();
        self.woken = self.system.take_woken();
        if let Some(event) = self.system.events().get(before)
            && matches!(event.operation, Operation::Choose { sampled: true, .. })
        {
            self.reach(Limit::Nondet(self.system.image().sites.span(event.site)));
        }
        // A step that was set aside and is brought back adds no event: it was judged before.
        let violation = match self.system.events().len() > before {
            true => {
                let (published, woken) = (published.as_slice(), self.woken.as_slice());
                let performed = Performed { event: before, published, woken, company };
                self.checkers.step(&mut self.system, &performed)
            }
            false => None,
        };
        self.published = published;
        (step, violation)
    }

    /// Whether it is time to ask whether a long execution should go on.
    pub(crate) fn is_due(&self) -> bool {
        self.schedule.len().is_multiple_of(1024)
    }

    /// Notes that the present execution cannot go on: no thread is enabled.
    pub fn finish(&mut self) {
        self.check_robustness();
        let before = self.wrong.len();
        match self.standing {
            Standing::Good => {
                self.statistics.executions += 1;
                let waiting = self.checkers.waiting(&self.system, self.standing);
                let violation = waiting.map(|finding| finding.violation);
                match (&mut self.teller, &violation) {
                    (Some(teller), None) => teller.ended(self.system.events()),
                    (Some(teller), Some(_)) => teller.distinct().give_up(),
                    (None, _) => {}
                }
                if let Some(violation) = violation {
                    self.report(violation);
                }
            }
            Standing::Violating => self.statistics.executions += 1,
            Standing::Cut => self.statistics.blocked += 1,
        }
        self.show();
        self.wrong.truncate(before);
    }

    /// Finds out whether sequential consistency has the present execution, too, if that was asked for.
    pub fn check_robustness(&mut self) {
        if let Some(Finding { violation, events }) = self.checkers.robustness(&self.system, self.standing)
            && !self.found.iter().any(|found| found.violation.is_same(&violation))
        {
            // Each step is one event.
            let schedule = self.schedule[..events.min(self.schedule.len())].to_vec();
            self.found.push(Found { violation, schedule });
        }
    }

    /// Notes that the present exploration would repeat one that was done in another order.
    pub fn redundant(&mut self) {
        self.statistics.blocked += 1;
    }

    /// Notes that the present exploration was cut by the explorer.
    pub fn cut(&mut self, limit: Limit) {
        self.statistics.blocked += 1;
        self.reach(limit);
    }

    /// Notes that a limit was reached.
    pub fn reach(&mut self, limit: Limit) {
        if let Limit::Unroll(new) = &limit
            && let Some(Limit::Unroll(places)) =
                self.limits_reached.iter_mut().find(|l| matches!(l, Limit::Unroll(_)))
        {
            places.extend(new.iter().filter(|span| !places.contains(span)).copied().collect::<Vec<_>>());
        } else if !self.limits_reached.contains(&limit) {
            self.limits_reached.push(limit);
        }
    }

    /// What all workers have done so far, as far as they have told each other.
    fn total(&mut self) -> Statistics {
        let Some((tally, added)) = &mut self.tally else { return self.statistics };
        // Telling takes time, because the others have to look at the same memory again. A limit is kept exactly.
        let news = self.statistics.less(added);
        let is_limited = self.settings.limits.executions.is_some();
        if news.executions >= WORTH_TELLING || news.steps >= MANY_STEPS || is_limited {
            tally.add(&news);
            *added = self.statistics;
        }
        tally.statistics()
    }

    /// Whether to go on. To be asked between executions, and now and then within long ones.
    pub fn control(&mut self) -> Control {
        let total = self.total();
        (self.observer)(&total);
        if self.unsupported.is_some()
            || self.watched_enough
            || self.has_looked_too_far()
            || self.update_to_order().is_some()
            || (!self.found.is_empty() && !self.settings.keep_going)
        {
            return Control::Stop;
        }
        if let Some(distinct) = self.distinct() {
            if self.statistics.blocked > 0 || self.standing == Standing::Violating {
                distinct.give_up();
            }
            if distinct.is_over() {
                return Control::Stop;
            }
        }
        let limits = &self.settings.limits;
        if limits.executions.is_some_and(|most| total.executions >= most) {
            let most = total.executions;
            self.reach(Limit::Executions(most));
            return Control::Stop;
        }
        if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.reach(Limit::Time);
            self.blame_loop();
            return Control::Stop;
        }
        if self.interrupted.load(Ordering::Relaxed) {
            self.reach(Limit::Interrupted);
            self.blame_loop();
            return Control::Stop;
        }
        Control::Continue
    }

    /// Whether what was found so far is enough.
    pub(crate) fn has_enough(&self) -> bool {
        !self.found.is_empty() && !self.settings.keep_going
    }

    /// Whether something of this kind is looked for.
    pub(crate) fn looks_for(&self, kind: FaultKind) -> bool {
        !self.settings.allowed.contains(&kind)
    }

    /// Whether something of this kind is wrong with the present execution.
    pub(crate) fn is_wrong(&self, kind: FaultKind) -> bool {
        self.wrong.iter().any(|violation| violation.kind == kind)
    }

    /// Whether time is up.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let is_late = self.settings.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late || self.interrupted.load(Ordering::Relaxed) || self.unsupported.is_some()
    }

    /// Names the operation that the present execution has performed most often, if that is suspicious.
    fn blame_loop(&mut self) {
        if self.limits_reached.iter().any(|limit| matches!(limit, Limit::Loop { .. })) {
            return;
        }
        let mut counts: FxHashMap<(ThreadId, SpanId), usize> = FxHashMap::default();
        // That a store reaches memory is nothing that its thread performs.
        let performed = |event: &&Event| !matches!(event.operation, Operation::Flush { .. });
        let sites = &self.system.image().sites;
        for event in self.system.events().iter().filter(performed) {
            *counts.entry((event.thread, sites.span(event.site))).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|((thread, span), count)| (*count, *thread, span.0));
        if let Some(((thread, span), count)) = most
            && count >= SUSPICIOUS
        {
            self.reach(Limit::Loop { span, thread, count });
        }
    }

    fn judge(&mut self, step: Step) -> Progress {
        match step {
            Step::Done => return Progress::On,
            Step::Discarded => self.statistics.blocked += 1,
            Step::Bounded(bound) => {
                self.bounded(bound);
                self.statistics.blocked += 1;
            }
            Step::Stopped(Stop::Fault(fault)) => {
                self.statistics.executions += 1;
                self.report(Violation::from(*fault));
            }
            Step::Stopped(Stop::Unsupported(reached)) => self.unsupported = Some(*reached),
            Step::Stopped(Stop::OutOfFuel) => {
                let place = self.schedule.last().map_or(ThreadId::MAIN, |turn| turn.agent.thread());
                let span = self.system.machine().place(place);
                self.cut(Limit::Fuel(span));
            }
            Step::Stopped(_) => {}
        }
        Progress::Ended
    }

    fn report(&mut self, violation: Violation) {
        if self.settings.allowed.contains(&violation.kind) {
            return;
        }
        if !self.found.iter().any(|found| found.violation.is_same(&violation)) {
            self.found.push(Found { violation: violation.clone(), schedule: self.schedule.clone() });
        }
        self.wrong.push(violation);
    }
}
