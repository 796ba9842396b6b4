//! The memory models by name, and what each says of itself.
//!
//! Which explorers go with a model, which models the command line accepts and how it explains them, and which models are
//! fuzzed, is derived from this table.

/// What a model says of itself.
#[derive(Debug)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub help: &'static str,
    /// The same at length, in lines.
    pub text: &'static str,
    /// Whether it is defined by interleavings of steps: an operational model.
    pub has_steps: bool,
    /// Whether it is defined by axioms on execution graphs.
    pub has_axioms: bool,
    /// Whether there are store buffers, so that programs may do what they do not do under sequential consistency.
    pub has_buffers: bool,
}

/// A memory model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// The repaired C11 model.
    Rc11,
    /// Release-acquire.
    Ra,
}

const SC: About = About {
    name: "sc",
    help: "Sequential consistency: threads take turns",
    text: "\
         sequential consistency: threads take turns, a load sees the last store. Memory orders of atomics\n\
         matter for data races only. A program without data races whose atomics are all seq_cst has no\n\
         other behaviour.",
    has_steps: true,
    has_axioms: true,
    has_buffers: false,
};

const TSO: About = About {
    name: "tso",
    help: "Total store order (x86): stores of a thread reach memory later, in their order",
    text: "\
         total store order, as of x86: what a thread stores goes into a buffer of its own first, and\n\
         reaches memory later, in the order of the program. The thread itself sees it at once, others\n\
         when it has arrived. So a load may come before an earlier store of its thread.",
    has_steps: true,
    has_axioms: true,
    has_buffers: true,
};

const PSO: About = About {
    name: "pso",
    help: "Partial store order (SPARC): stores of a thread reach memory later, in order for each location only",
    text: "\
         partial store order, as of SPARC: the same, but only stores to the same bytes stay in order.\n\
         So a store may come before an earlier store to another place, too.",
    has_steps: true,
    has_axioms: false,
    has_buffers: true,
};

const RC11: About = About {
    name: "rc11",
    help: "RC11: what the C standard promises, repaired; for programs with weak atomics",
    text: "\
         what C11 promises, as repaired by Lahav and others (2017): a load may see any store to its place\n\
         that happens-before, the order of the stores to that place, and the rules for seq_cst do not rule\n\
         out. Relaxed, acquire, release, seq_cst, and fences mean what the standard says, no more. So\n\
         loads come in any order, too, and threads need not agree on the order of stores to different\n\
         places. Only a store never comes before an earlier load of its thread.",
    has_steps: false,
    has_axioms: true,
    has_buffers: false,
};

const RA: About = About {
    name: "ra",
    help: "Release-acquire: as if every access were one",
    text: "\
         release-acquire: as if every store released and every load acquired. Accesses that are seq_cst\n\
         are no stronger; seq_cst fences are in one order. Which accesses race is still decided by the orders\n\
         that the program gives them.",
    has_steps: false,
    has_axioms: true,
    has_buffers: false,
};

impl Model {
    /// All of them.
    pub const ALL: &[Model] = &[Model::Sc, Model::Tso, Model::Pso, Model::Rc11, Model::Ra];

    /// What it says of itself.
    pub fn about(self) -> &'static About {
        match self {
            Model::Sc => &SC,
            Model::Tso => &TSO,
            Model::Pso => &PSO,
            Model::Rc11 => &RC11,
            Model::Ra => &RA,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The model of this name.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.iter().copied().find(|model| model.name() == name)
    }

    /// The models for which robustness can be asked: whether a program does anything under them that it does not do under
    /// sequential consistency.
    pub fn weaker() -> impl Iterator<Item = Model> {
        Model::ALL.iter().copied().filter(|model| model.about().has_buffers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axiomatic::{Axioms, Rc11, ReleaseAcquire, Sc, Tso};

    #[test]
    fn names_lead_back() {
        for model in Model::ALL {
            assert_eq!(Model::from_name(model.name()), Some(*model));
            assert!(model.about().has_steps || model.about().has_axioms, "{}", model.name());
        }
    }

    #[test]
    fn axioms_have_the_same_names() {
        let axioms = [Sc::NAME, Tso::NAME, Rc11::NAME, ReleaseAcquire::NAME];
        let axiomatic = Model::ALL.iter().filter(|model| model.about().has_axioms).map(|model| model.name());
        assert!(axiomatic.eq(axioms));
    }
}
