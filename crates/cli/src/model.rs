//! Memory models, as the command line names them.

use crate::arguments::CheckOptions;
use crate::check::{self, Counted, Drive};
use crate::estimate;
use crate::graphs::Recorder;
use clap::ValueEnum;
use selvedge_explore::estimate::Estimate;
use selvedge_memory::axiomatic::{self, Axiomatic, Axioms};
use selvedge_memory::{Bounds, Buffered, Discipline, ReleaseSequences, Sequential, Step, System};
use selvedge_report::graph::record;
use selvedge_report::narrate;
use selvedge_vm::{Config, Image, LoadError};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A memory model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Sequential consistency: threads take turns.
    Sc,
    /// Total store order (x86): stores of a thread reach memory later, in their order.
    Tso,
    /// Partial store order (SPARC): stores of a thread reach memory later, in order for each location only.
    Pso,
    /// RC11: what the C standard promises, repaired; for programs with weak atomics.
    Rc11,
    /// Release-acquire: as if every access were one.
    Ra,
}

impl Model {
    /// All of them.
    pub const ALL: [Model; 5] = [Model::Sc, Model::Tso, Model::Pso, Model::Rc11, Model::Ra];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Rc11 => "rc11",
            Model::Ra => "ra",
        }
    }

    /// The model with a name.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Whether it is told by interleavings of steps.
    pub fn is_operational(self) -> bool {
        matches!(self, Model::Sc | Model::Tso | Model::Pso)
    }

    /// Whether it is told by axioms on execution graphs.
    pub fn has_graphs(self) -> bool {
        self != Model::Pso
    }

    /// Does something with the systems of the model; `graphs`: with those of execution graphs. (What synchronises with what is
    /// the systems' affair there; where there are steps, it is the session's.)
    pub fn with<T>(self, graphs: bool, sequences: ReleaseSequences, task: impl Task<T>) -> T {
        let parameters = &Parameters { cuts: Mutex::default(), sequences };
        match (self, graphs) {
            (Model::Sc, false) => task.run(InOrder),
            (Model::Tso, false) => task.run(WithBuffers(Discipline::Tso)),
            (Model::Pso, _) => task.run(WithBuffers(Discipline::Pso)),
            (Model::Sc, true) => task.run(Graphs(axiomatic::Sc, parameters)),
            (Model::Tso, true) => task.run(Graphs(axiomatic::Tso, parameters)),
            (Model::Rc11, _) => task.run(Graphs(axiomatic::Rc11, parameters)),
            (Model::Ra, _) => task.run(Graphs(axiomatic::ReleaseAcquire, parameters)),
        }
    }
}

/// Something that can be done under any model.
pub trait Task<T> {
    /// Does it.
    fn run<M: Systems>(self, systems: M) -> T;
}

/// How systems of a model are made.
pub trait Systems: Copy + Sync {
    /// A program under the model.
    type System<'i>: System;

    /// The program before its first step, and what became of its start.
    fn start<'i>(
        self,
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
    ) -> Result<(Self::System<'i>, Step), LoadError>;

    /// Where locations of execution graphs are to be cut, besides what is known already. Systems that are started from
    /// now on respect that.
    fn cut(self, _: &[u64]) {}

    /// Where they are cut.
    fn cuts(self) -> Vec<u64> {
        Vec::new()
    }

    /// Explores; gives what was counted besides executions.
    fn drive<'i>(self, drive: Drive<'_, '_, 'i, Self::System<'i>>) -> Counted;

    /// What writes executions down as graphs, if the model has them.
    fn recorder<'i>(self, _: &'i Image<'i>, _: Config, _: Bounds) -> Option<Recorder<'i>> {
        None
    }

    /// Runs at random until a time, and estimates how many executions there are.
    fn estimate<'i>(
        self,
        options: &CheckOptions,
        image: &'i Image<'i>,
        turn: u64,
        until: Instant,
    ) -> Option<Estimate>;
}

#[derive(Clone, Copy)]
struct InOrder;

impl Systems for InOrder {
    type System<'i> = Sequential<'i>;

    fn start<'i>(
        self,
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
    ) -> Result<(Sequential<'i>, Step), LoadError> {
        Sequential::new(image, config, bounds)
    }

    fn drive<'i>(self, drive: Drive<'_, '_, 'i, Sequential<'i>>) -> Counted {
        check::drive_steps(self, drive)
    }

    fn estimate<'i>(
        self,
        options: &CheckOptions,
        image: &'i Image<'i>,
        turn: u64,
        until: Instant,
    ) -> Option<Estimate> {
        estimate::estimate_steps(self, options, image, turn, until)
    }
}

#[derive(Clone, Copy)]
struct WithBuffers(Discipline);

impl Systems for WithBuffers {
    type System<'i> = Buffered<'i>;

    fn start<'i>(
        self,
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
    ) -> Result<(Buffered<'i>, Step), LoadError> {
        Buffered::new(image, config, bounds, self.0)
    }

    fn drive<'i>(self, drive: Drive<'_, '_, 'i, Buffered<'i>>) -> Counted {
        check::drive_steps(self, drive)
    }

    fn estimate<'i>(
        self,
        options: &CheckOptions,
        image: &'i Image<'i>,
        turn: u64,
        until: Instant,
    ) -> Option<Estimate> {
        estimate::estimate_steps(self, options, image, turn, until)
    }
}

/// What graphs depend on besides the model.
struct Parameters {
    cuts: Mutex<Vec<u64>>,
    sequences: ReleaseSequences,
}

#[derive(Clone, Copy)]
struct Graphs<'p, A>(A, &'p Parameters);

impl<A: Axioms> Systems for Graphs<'_, A> {
    type System<'i> = Axiomatic<'i, A>;

    fn start<'i>(
        self,
        image: &'i Image<'i>,
        config: Config,
        bounds: Bounds,
    ) -> Result<(Axiomatic<'i, A>, Step), LoadError> {
        Axiomatic::new(image, config, bounds, self.cuts(), self.1.sequences)
    }

    fn cut(self, cuts: &[u64]) {
        let mut known = self.1.cuts.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(cuts);
        known.sort_unstable();
        known.dedup();
    }

    fn cuts(self) -> Vec<u64> {
        self.1.cuts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn drive<'i>(self, drive: Drive<'_, '_, 'i, Axiomatic<'i, A>>) -> Counted {
        check::drive_graphs(self, drive)
    }

    fn recorder<'i>(self, image: &'i Image<'i>, config: Config, bounds: Bounds) -> Option<Recorder<'i>> {
        let (mut system, _) = self.start(image, config, bounds).ok()?;
        let start = system.mark();
        Some(Box::new(move |schedule, violations| {
            system.rewind(&start);
            let story = narrate::narrate(&mut system, schedule, &[]);
            system.use_exact_clocks();
            record(&system, &story, violations)
        }))
    }

    fn estimate<'i>(
        self,
        options: &CheckOptions,
        image: &'i Image<'i>,
        turn: u64,
        until: Instant,
    ) -> Option<Estimate> {
        estimate::estimate_graphs(self, options, image, turn, until)
    }
}
