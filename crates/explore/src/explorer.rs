//! What explorers there are, and what each says of itself.
//!
//! An explorer declares in its own module a constant `ABOUT` and a function `run`; the list at the end of this file has one
//! line for each. Everything that depends on what an explorer can do is derived from these declarations: which requests
//! contradict themselves, what the command line accepts and explains, and what is fuzzed.

use crate::{About, Choice, Counted, Task};
use selvedge_memory::System;
use selvedge_memory::axiomatic::{Axiomatic, Axioms};

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
        Optimal => steps::dpor::optimal,
        Source => steps::dpor::source,
        Classic => steps::dpor::classic,
        Exhaustive => steps::exhaustive,
        Context => steps::context_bound,
        Random => sampling::random,
        Pct => sampling::pct,
        Vieq => views::vieq,
        SeMcr => views::mcr::switching,
        Mcr => views::mcr,
    }
    graphs {
        Graph => graphs,
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
    use crate::{Finds, Promise, Property};
    use selvedge_memory::Model;

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
                about.goes_with(*model)
                    && about.finds(Property::Races) == Finds::Always
                    && about.promise != Promise::Sample
            };
            assert!(Explorer::ALL.iter().any(|explorer| complete(&explorer)), "{}", model.name());
        }
    }

    #[test]
    fn random_numbers_begin_somewhere() {
        for about in Explorer::ALL.iter().map(|explorer| explorer.about()) {
            let is_random = about.accepts(Choice::Samples) || about.accepts(Choice::Estimate);
            assert_eq!(about.accepts(Choice::Seed), is_random, "{}", about.name);
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
