//! Memory models, as the command line names them.

use clap::ValueEnum;
use selvedge_memory::{Buffered, Discipline, Sequential, Step, System};
use selvedge_vm::{Config, Image, LoadError};

/// A memory model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Sequential consistency: threads take turns.
    Sc,
    /// Total store order (x86): stores of a thread reach memory later, in their order.
    Tso,
    /// Partial store order (SPARC): stores of a thread reach memory later, in order for each location only.
    Pso,
}

impl Model {
    /// All of them.
    pub const ALL: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
        }
    }

    /// The model with a name.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Does something with the systems of the model.
    pub fn with<T>(self, task: impl Task<T>) -> T {
        match self {
            Model::Sc => task.run(InOrder),
            Model::Tso => task.run(WithBuffers(Discipline::Tso)),
            Model::Pso => task.run(WithBuffers(Discipline::Pso)),
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
        unroll: Option<u32>,
    ) -> Result<(Self::System<'i>, Step), LoadError>;
}

#[derive(Clone, Copy)]
struct InOrder;

impl Systems for InOrder {
    type System<'i> = Sequential<'i>;

    fn start<'i>(
        self,
        image: &'i Image<'i>,
        config: Config,
        unroll: Option<u32>,
    ) -> Result<(Sequential<'i>, Step), LoadError> {
        Sequential::new(image, config, unroll)
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
        unroll: Option<u32>,
    ) -> Result<(Buffered<'i>, Step), LoadError> {
        Buffered::new(image, config, unroll, self.0)
    }
}
