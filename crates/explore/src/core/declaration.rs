//! What an explorer says of itself.

use super::session::Updates;
use selvedge_check::{Equivalence, Property};
use selvedge_memory::Model;

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
    /// Which executions it takes for the same: it need not explore both. So it finds what that preserves.
    pub tells_apart: Equivalence,
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
    /// One execution for each order of dependent operations. (Updates that commute do not depend on each other.)
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

/// Something that explorers can be told. (Whether there may be several workers is [`About::workers`].)
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
    /// Executions that differ only in which of several threads that do the same is which can be explored once.
    Symmetry,
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

    /// Whether it finds violations of a property, as far as that depends on which executions it tells apart.
    pub fn finds(&self, property: Property) -> Finds {
        match (self.tells_apart, property.preserved_by()) {
            (Equivalence::Orders, _) | (Equivalence::Views, Equivalence::Views) => Finds::Always,
            (Equivalence::Views, Equivalence::Orders) if self.accepts(Choice::Predict) => Finds::Predicted,
            (Equivalence::Views, Equivalence::Orders) => Finds::Never,
        }
    }

    /// Whether it takes executions for the same that differ only in the order of updates that commute: those who promise one execution
    /// for each order do, and those who count orders do that.
    pub fn updates(&self) -> Updates {
        match self.promise == Promise::Orders || self.counts == Counting::Orders {
            true => Updates::Commute,
            false => Updates::Ordered,
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
