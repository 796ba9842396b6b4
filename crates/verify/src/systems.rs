//! How systems of each memory model are made, and what can be done with them.

use crate::estimate;
use crate::record;
use selvedge_check::Violation;
use selvedge_explore::Estimate;
use selvedge_explore::{Counted, Explorer, Explores, Task};
use selvedge_memory::Graphs as _;
use selvedge_memory::axiomatic::{self, Axiomatic, Axioms, Placed, Preference};
use selvedge_memory::{Bounds, Buffered, Discipline, Model, ReleaseSequences, Sequential, Step, System};
use selvedge_trace::Turn;
use selvedge_trace::graph::ExecutionGraph;
use selvedge_vm::{Config, Image, LoadError};
use std::sync::{Mutex, PoisonError};

/// Writes down the execution of a schedule, and what is wrong with it.
pub(crate) type Recorder<'i> = Box<dyn FnMut(&[Turn], &[Violation]) -> ExecutionGraph + 'i>;

/// What a system starts from.
#[derive(Clone)]
pub(crate) struct Start<'i> {
    /// The program.
    pub image: &'i Image<'i>,
    /// How the machine behaves.
    pub config: Config,
    /// How far threads may go.
    pub bounds: Bounds,
}

/// Something that can be done under any model.
pub(crate) trait Job<T> {
    /// Does it.
    fn run<M: Systems>(self, systems: M) -> T;
}

/// How systems of a model are made.
pub(crate) trait Systems: Copy + Sync {
    /// A program under the model.
    type System<'i>: System;

    /// The program before its first step, and what became of its start.
    fn start<'i>(self, start: &Start<'i>) -> Result<(Self::System<'i>, Step), LoadError>;

    /// Where locations of execution graphs are to be cut, besides what is known already. Systems that are started from
    /// now on respect that.
    fn cut(self, _: &[u64]) {}

    /// Where they are cut.
    fn cuts(self) -> Vec<u64> {
        Vec::new()
    }

    /// Explores; gives what was counted besides executions.
    fn explore<'i>(self, explorer: Explorer, task: Task<'_, '_, Self::System<'i>>) -> Counted;

    /// What writes executions down as graphs, if the model has them.
    fn recorder<'i>(self, _: &Start<'i>) -> Option<Recorder<'i>> {
        None
    }

    /// The operations of a schedule of graphs, in an order in which they can be performed step by step; `None` if there is none.
    fn sequence(self, _: &Start<'_>, _: &[Turn], _: Preference) -> Result<Option<Vec<Placed>>, LoadError> {
        Ok(None)
    }

    /// Runs at random, and estimates how many executions there are.
    fn estimate(
        self,
        start: &Start<'_>,
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Estimate, LoadError>;
}

/// Does something with the systems of a model. (What synchronises with what is the systems' affair where there are graphs; where
/// there are steps, it is the session's.)
pub(crate) fn with<T>(model: Model, explores: Explores, sequences: ReleaseSequences, job: impl Job<T>) -> T {
    let parameters = &Parameters { cuts: Mutex::default(), sequences };
    match (model, explores) {
        (Model::Sc, Explores::Steps) => job.run(InOrder),
        (Model::Tso, Explores::Steps) => job.run(WithBuffers(Discipline::Tso)),
        (Model::Pso, _) => job.run(WithBuffers(Discipline::Pso)),
        (Model::Sc, Explores::Graphs) => job.run(Graphs(axiomatic::Sc, parameters)),
        (Model::Tso, Explores::Graphs) => job.run(Graphs(axiomatic::Tso, parameters)),
        (Model::Rc11, _) => job.run(Graphs(axiomatic::Rc11, parameters)),
        (Model::Ra, _) => job.run(Graphs(axiomatic::ReleaseAcquire, parameters)),
    }
}

/// Sequential consistency, by steps.
#[derive(Clone, Copy)]
pub(crate) struct InOrder;

impl Systems for InOrder {
    type System<'i> = Sequential<'i>;

    fn start<'i>(self, start: &Start<'i>) -> Result<(Sequential<'i>, Step), LoadError> {
        Sequential::new(start.image, start.config.clone(), start.bounds)
    }

    fn explore<'i>(self, explorer: Explorer, task: Task<'_, '_, Sequential<'i>>) -> Counted {
        explorer.run_steps(task)
    }

    fn estimate(
        self,
        start: &Start<'_>,
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Estimate, LoadError> {
        estimate::of_steps(self, start, seed, goes_on)
    }
}

#[derive(Clone, Copy)]
struct WithBuffers(Discipline);

impl Systems for WithBuffers {
    type System<'i> = Buffered<'i>;

    fn start<'i>(self, start: &Start<'i>) -> Result<(Buffered<'i>, Step), LoadError> {
        Buffered::new(start.image, start.config.clone(), start.bounds, self.0)
    }

    fn explore<'i>(self, explorer: Explorer, task: Task<'_, '_, Buffered<'i>>) -> Counted {
        explorer.run_steps(task)
    }

    fn estimate(
        self,
        start: &Start<'_>,
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Estimate, LoadError> {
        estimate::of_steps(self, start, seed, goes_on)
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

    fn start<'i>(self, start: &Start<'i>) -> Result<(Axiomatic<'i, A>, Step), LoadError> {
        Axiomatic::new(start.image, start.config.clone(), start.bounds, self.cuts(), self.1.sequences)
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

    fn explore<'i>(self, explorer: Explorer, task: Task<'_, '_, Axiomatic<'i, A>>) -> Counted {
        explorer.run_graphs(task)
    }

    fn recorder<'i>(self, start: &Start<'i>) -> Option<Recorder<'i>> {
        let (mut system, _) = self.start(start).ok()?;
        let first = system.mark();
        let sequences = self.1.sequences;
        Some(Box::new(move |schedule, violations| {
            system.rewind(&first);
            let execution = record::record(&mut system, schedule, sequences);
            system.with_exact_clocks(|system| record::graph::write(system, &execution, violations))
        }))
    }

    fn sequence(
        self,
        start: &Start<'_>,
        schedule: &[Turn],
        preference: Preference,
    ) -> Result<Option<Vec<Placed>>, LoadError> {
        let (mut system, _) = self.start(start)?;
        for turn in schedule {
            system.mark();
            // The model looks at what the present step hands over.
            system.take_published();
            system.step(turn.agent, turn.choice);
        }
        Ok(system.linearise(preference))
    }

    fn estimate(
        self,
        start: &Start<'_>,
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Estimate, LoadError> {
        estimate::of_graphs(self, start, seed, goes_on)
    }
}
