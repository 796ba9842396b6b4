//! What explorers there are, and what each says of itself.
//!
//! An explorer declares in its own module a constant `ABOUT` and a function `run`; the list at the end of this file has one
//! line for each. Everything that depends on what an explorer can do is derived from these declarations: which requests
//! contradict themselves, what the command line accepts and explains, and what is fuzzed.

use crate::dpor::parallel::Crew;
use crate::graph::{Beyond, Scope};
use crate::{Session, Tally, vieq};
use selvedge_memory::axiomatic::{Axiomatic, Axioms};
use selvedge_memory::{Model, Step, System};

/// What an explorer says of itself.
#[derive(Debug)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// The same at length, in lines.
    pub text: &'static str,
    /// What it explores: this decides which models it goes with, and of what its schedules are made.
    pub explores: Explores,
    /// Whether several workers can explore.
    pub workers: Workers,
    /// Whether it finds data races.
    pub races: Finds,
    /// Whether it finds executions that sequential consistency does not have.
    pub robustness: Finds,
    /// What it promises.
    pub promise: Promise,
    /// What it counts besides executions.
    pub counts: Counting,
    /// The options that mean something to it.
    pub accepts: &'static [Choice],
    /// What it is called with a bound on preemptions, if that makes it another algorithm.
    pub bounded_name: Option<&'static str>,
}

/// What executions are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explores {
    /// Steps of agents: for operational models.
    Steps,
    /// Nodes of execution graphs: for models that have axioms.
    Graphs,
}

/// How many can explore at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// One.
    One,
    /// As many as there are.
    Several,
}

/// Whether violations of a kind are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finds {
    /// They are.
    Always,
    /// They are if violations are predicted.
    Predicted,
    /// They are not: executions that differ in them count as the same.
    Never,
}

/// What an explorer promises, if no bound or limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// One execution for each order of dependent operations.
    Orders,
    /// One execution for each consistent graph.
    Graphs,
    /// One execution for each view.
    Views,
    /// All interleavings.
    Interleavings,
    /// At least one execution for each order, or view.
    Complete,
    /// Nothing: it samples.
    Sample,
}

/// What is counted besides executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Nothing.
    Nothing,
    /// Orders of dependent operations, on request.
    Orders,
    /// Combinations of values that are read.
    Views,
}

/// Something that explorers can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The most preemptions.
    Preemptions,
    /// How many executions to run.
    Samples,
    /// Where random numbers begin.
    Seed,
    /// The bug depth.
    Depth,
    /// How long to look for an answer before a solver is asked.
    Patience,
    /// Whether violations are predicted.
    Predict,
    /// Whether orders of dependent operations are counted.
    Classes,
    /// How many executions there will be can be estimated.
    Estimate,
    /// Executions can be written down as graphs.
    Graphs,
}

impl About {
    /// Whether an option means something to it.
    pub fn accepts(&self, choice: Choice) -> bool {
        self.accepts.contains(&choice)
    }

    /// Whether it explores a model.
    pub fn goes_with(&self, model: Model) -> bool {
        match self.explores {
            Explores::Steps => model.about().has_steps,
            Explores::Graphs => model.about().has_axioms,
        }
    }

    /// Whether it counts views.
    pub fn counts_views(&self) -> bool {
        self.counts == Counting::Views
    }

    /// Whether it asks a solver.
    pub fn solves(&self) -> bool {
        self.accepts(Choice::Predict)
    }
}

/// What explorers are told. Each looks at what it accepts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The most preemptions.
    pub preemptions: Option<u32>,
    /// How many executions to run, for those that sample.
    pub samples: Option<u64>,
    /// Where random numbers begin.
    pub seed: u64,
    /// The bug depth.
    pub depth: u32,
    /// How many states to look at for an answer before the solver is asked.
    pub patience: Option<u64>,
    /// Whether violations are predicted.
    pub predict: bool,
    /// Whether orders of dependent operations are counted.
    pub classes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            preemptions: None,
            samples: None,
            seed: 1,
            depth: 3,
            patience: None,
            predict: false,
            classes: false,
        }
    }
}

/// An exploration that is about to begin.
pub struct Task<'t, 's, S: System> {
    /// The session.
    pub session: &'t mut Session<'s, S>,
    /// What the explorer is told.
    pub options: &'t Options,
    /// Which executions, if these are graphs.
    pub scope: Scope,
    /// How many workers there are.
    pub workers: usize,
    /// Makes a system in its first state, for another worker.
    pub system: &'t (dyn Fn() -> Option<(S, Step)> + Sync),
    /// Counts what all workers do.
    pub tally: &'s Tally,
}

impl<'t, 's, S: System> Task<'t, 's, S> {
    /// The session and those who explore it. If they are several, their counts are put together.
    pub(crate) fn crew(self) -> (&'t mut Session<'s, S>, Crew<'t, S>) {
        let Self { session, workers, system, tally, .. } = self;
        if workers > 1 {
            session.count_with(tally);
        }
        (session, Crew { workers, system, tally })
    }
}

/// What an exploration has counted besides executions.
#[derive(Debug, Clone, Copy)]
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

macro_rules! explorers {
    (
        steps { $($step:ident => $($step_path:ident)::+,)+ }
        graphs { $($graph:ident => $($graph_path:ident)::+,)+ }
    ) => {
        /// An explorer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Explorer {
            $(#[doc = concat!("See [`crate", $("::", stringify!($step_path),)+ "`].")] $step,)+
            $(#[doc = concat!("See [`crate", $("::", stringify!($graph_path),)+ "`].")] $graph,)+
        }

        impl Explorer {
            /// All of them.
            pub const ALL: &[Explorer] = &[$(Explorer::$step,)+ $(Explorer::$graph,)+];

            /// What it says of itself.
            pub fn about(self) -> &'static About {
                match self {
                    $(Explorer::$step => &crate::$($step_path)::+::ABOUT,)+
                    $(Explorer::$graph => &crate::$($graph_path)::+::ABOUT,)+
                }
            }

            /// Explores steps. (Who explores graphs does nothing.)
            pub fn run_steps<S: System>(self, task: Task<'_, '_, S>) -> Counted {
                match self {
                    $(Explorer::$step => crate::$($step_path)::+::run(task),)+
                    $(Explorer::$graph => Counted::Nothing,)+
                }
            }

            /// Explores execution graphs. (Who explores steps does nothing.)
            pub fn run_graphs<'i, A: Axioms>(self, task: Task<'_, '_, Axiomatic<'i, A>>) -> Counted {
                match self {
                    $(Explorer::$step => Counted::Nothing,)+
                    $(Explorer::$graph => crate::$($graph_path)::+::run(task),)+
                }
            }
        }
    };
}

explorers! {
    steps {
        Optimal => dpor::optimal,
        Source => dpor::source,
        Classic => dpor::classic,
        Exhaustive => exhaustive,
        Context => context_bound,
        Random => random,
        Pct => pct,
        Vieq => vieq,
        SeMcr => mcr::switching,
        Mcr => mcr,
    }
    graphs {
        Graph => graph,
    }
}

impl Explorer {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The explorer with a name.
    pub fn from_name(name: &str) -> Option<Explorer> {
        Explorer::ALL.iter().copied().find(|explorer| explorer.name() == name)
    }

    /// Those that accept an option.
    pub fn accepting(choice: Choice) -> impl Iterator<Item = Explorer> {
        Explorer::ALL.iter().copied().filter(move |explorer| explorer.about().accepts(choice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for explorer in Explorer::ALL {
            assert_eq!(Explorer::from_name(explorer.name()), Some(*explorer));
        }
    }

    #[test]
    fn every_model_has_an_explorer_that_leaves_nothing_out() {
        for model in Model::ALL {
            let complete = |explorer: &&Explorer| {
                let about = explorer.about();
                about.goes_with(*model) && about.races == Finds::Always && about.promise != Promise::Sample
            };
            assert!(Explorer::ALL.iter().any(|explorer| complete(&explorer)), "{}", model.name());
        }
    }

    #[test]
    fn texts_fit_a_terminal() {
        for explorer in Explorer::ALL {
            let about = explorer.about();
            assert!(!about.help.is_empty() && !about.text.is_empty(), "{}", about.name);
            assert!(about.text.lines().all(|line| line.chars().count() <= 110), "{}", about.name);
        }
    }
}
