//! Following a schedule that was recorded.

use crate::outcome::{Counterexample, Error};
use crate::record;
use crate::request::Request;
use crate::systems::{Job, Start, Systems, with};
use crate::verifier::Verifier;
use selvedge_check::Violation;
use selvedge_explore::steps::replay;
use selvedge_explore::{Explorer, Explores};
use selvedge_explore::{Found, Session, Settings, Statistics};
use selvedge_memory::{Bounds, Model};
use selvedge_trace::Turn;
use std::sync::atomic::AtomicBool;

/// A schedule, and what it depends on.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    /// The memory model.
    pub model: Model,
    /// The explorer that has found it: what executions are made of, and what is looked for.
    pub explorer: Explorer,
    /// Where locations of execution graphs are cut.
    pub cuts: &'a [u64],
    /// The schedule.
    pub turns: &'a [Turn],
}

/// What became of a schedule.
#[derive(Debug)]
pub enum Replayed {
    /// The program does not follow it.
    Diverged {
        /// The first turn that is not possible, from 0.
        at: usize,
    },
    /// It leads to what was meant.
    Met(Box<Counterexample>),
    /// It leads to something else, or to nothing that is wrong.
    Unmet(Vec<Violation>),
}

impl Verifier {
    /// Follows a schedule. What it is about is told by `is_meant`; one step may be wrong in several ways.
    pub fn replay(
        &self,
        request: &Request,
        recorded: &Recorded<'_>,
        is_meant: &dyn Fn(&Violation) -> bool,
    ) -> Result<Replayed, Error> {
        let start = Start { bounds: Bounds::default(), ..self.start(request, recorded.explorer)? };
        let settings = Settings { keep_going: true, ..request.settings(recorded.explorer) };
        let following = Following { start, settings, recorded, is_meant };
        with(recorded.model, following.explores(), request.properties.sequences, following)
    }
}

struct Following<'a> {
    start: Start<'a>,
    settings: Settings,
    recorded: &'a Recorded<'a>,
    is_meant: &'a dyn Fn(&Violation) -> bool,
}

impl Following<'_> {
    fn explores(&self) -> Explores {
        self.recorded.explorer.about().explores
    }
}

impl Job<Result<Replayed, Error>> for Following<'_> {
    fn run<M: Systems>(self, systems: M) -> Result<Replayed, Error> {
        let turns = self.recorded.turns;
        systems.cut(self.recorded.cuts);
        let (system, first) = systems.start(&self.start)?;
        let never = AtomicBool::new(false);
        let mut silent = |_: &Statistics| {};
        let mut session = Session::new(system, first, self.settings.clone(), &never, &mut silent);
        if let Err(diverged) = replay::explore(&mut session, turns) {
            return Ok(Replayed::Diverged { at: diverged.at });
        }
        if let Some(reached) = session.unsupported.take() {
            return Err(Error::Unsupported(Box::new(reached)));
        }
        // What the schedule is about comes last.
        let meant = |found: &&Found| (self.is_meant)(&found.violation);
        let Some(found) = session.found.iter().rev().find(meant) else {
            let found = session.found.into_iter().map(|found| found.violation);
            return Ok(Replayed::Unmet(found.collect()));
        };
        let (mut system, _) = systems.start(&self.start)?;
        let execution = record::record(&mut system, turns, self.settings.sequences);
        Ok(Replayed::Met(Box::new(Counterexample {
            violation: found.violation.clone(),
            schedule: turns.to_vec(),
            found: turns.to_vec(),
            form: self.explores(),
            cuts: self.recorded.cuts.to_vec(),
            execution,
        })))
    }
}
