//! Requests that make no sense, by what explorers and models declare of themselves.
//!
//! A contradiction is data. How it reads is for those to say who know how the request was made.

use crate::request::Request;
use selvedge_explore::{Choice, Explorer, Explores, Finds, Symmetry, Workers};
use selvedge_memory::Model;

/// Why a request makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contradiction {
    /// The explorer needs axioms, which the model does not have.
    NoAxioms {
        /// The explorer.
        explorer: Explorer,
        /// The model.
        model: Model,
    },
    /// The explorer needs steps, which the model does not have.
    NoSteps {
        /// The explorer.
        explorer: Explorer,
        /// The model.
        model: Model,
    },
    /// The explorer does not have execution graphs to write down.
    NoGraphs {
        /// The explorer.
        explorer: Explorer,
    },
    /// An estimate explores nothing that could be written down.
    EstimateWithRecord,
    /// Executions are written down by one worker.
    RecordWithWorkers,
    /// The explorer has one worker.
    NotParallel {
        /// The explorer.
        explorer: Explorer,
    },
    /// With a bound on preemptions there is one worker.
    PreemptionsWithWorkers,
    /// An option that means nothing to the explorer.
    NotAccepted {
        /// The option.
        choice: Choice,
        /// The explorer.
        explorer: Explorer,
    },
    /// The explorer is about what is read, and robustness about the order of accesses.
    RobustnessOfViews {
        /// The explorer.
        explorer: Explorer,
    },
    /// Robustness is a property of all executions.
    RobustnessWithPreemptions,
    /// The explorer does not tell robustness.
    NoRobustness {
        /// The explorer.
        explorer: Explorer,
    },
    /// The model has no executions that sequential consistency does not have, or is not told by steps.
    NotWeaker {
        /// The model.
        model: Model,
    },
    /// With a bound on preemptions, nobody knows how many executions there will be.
    EstimateWithPreemptions,
    /// Symmetry is a matter of execution graphs, which the model does not have.
    SymmetryWithoutAxioms {
        /// The model.
        model: Model,
    },
    /// How many executions are left is not estimated.
    EstimateWithSymmetry,
    /// The program was compiled with local variables in registers, which are never uninitialised.
    CompiledWithoutLocals,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To verify.
    Verify,
    /// To tell how many executions there will be.
    Estimate,
}

impl Request {
    /// The model, if it is not to be chosen by what the program does.
    pub(crate) fn model_or_default(&self) -> Model {
        self.model.unwrap_or(Model::Sc)
    }

    /// The explorer: what was asked for, or what fits the model.
    pub(crate) fn explorer_for(&self, model: Model) -> Explorer {
        let fitting = match model.about().has_steps && self.options.symmetry == Symmetry::Ignored {
            true => Explorer::Optimal,
            false => Explorer::Graph,
        };
        self.explorer.unwrap_or(fitting)
    }

    /// Why the request makes no sense, as far as is known before a program is compiled. (Which model fits it, may be known
    /// only then.)
    pub fn contradiction(&self, purpose: Purpose) -> Result<(), Contradiction> {
        let model = self.model_or_default();
        let explorer = self.explorer_for(model);
        if self.explorer.is_none() && self.chooses_model() {
            // It may still become one that has graphs.
            let without = Request { record: crate::Record::Nothing, ..self.clone() };
            without.contradicts(model, explorer, purpose)?;
            return self.record_contradicts(purpose);
        }
        self.contradicts(model, explorer, purpose)
    }

    /// Why writing executions down does not go with something else, whatever explores.
    fn record_contradicts(&self, purpose: Purpose) -> Result<(), Contradiction> {
        use Contradiction::*;
        if self.record == crate::Record::Nothing {
            return Ok(());
        }
        let several = self.workers.is_some_and(|workers| workers > 1);
        match () {
            _ if purpose == Purpose::Estimate => Err(EstimateWithRecord),
            _ if self.record.has_all() && several => Err(RecordWithWorkers),
            _ => Ok(()),
        }
    }

    /// Why the request makes no sense with a model and an explorer.
    pub(crate) fn contradicts(
        &self,
        model: Model,
        explorer: Explorer,
        purpose: Purpose,
    ) -> Result<(), Contradiction> {
        use Contradiction::*;
        let about = explorer.about();
        let is_symmetric = self.options.symmetry != Symmetry::Ignored;
        if !about.goes_with(model) {
            return Err(match about.explores {
                Explores::Graphs if is_symmetric && self.explorer.is_none() => {
                    SymmetryWithoutAxioms { model }
                }
                Explores::Graphs => NoAxioms { explorer, model },
                Explores::Steps => NoSteps { explorer, model },
            });
        }
        if self.record != crate::Record::Nothing && !about.accepts(Choice::Graphs) {
            return Err(NoGraphs { explorer });
        }
        self.record_contradicts(purpose)?;
        let several = self.workers.is_some_and(|workers| workers > 1);
        if several && about.workers == Workers::One {
            return Err(NotParallel { explorer });
        }
        let options = &self.options;
        let refuses = |is_used: bool, choice| (is_used && !about.accepts(choice)).then_some(choice);
        let refused = refuses(options.predict, Choice::Predict)
            .or_else(|| refuses(options.patience.is_some(), Choice::Patience))
            .or_else(|| refuses(options.seed.is_some(), Choice::Seed))
            .or_else(|| refuses(options.depth.is_some(), Choice::Depth))
            .or_else(|| refuses(is_symmetric, Choice::Symmetry));
        if let Some(choice) = refused {
            return Err(NotAccepted { choice, explorer });
        }
        if several && options.preemptions.is_some() {
            return Err(PreemptionsWithWorkers);
        }
        let refused = refuses(options.preemptions.is_some(), Choice::Preemptions)
            .or_else(|| refuses(options.classes, Choice::Classes));
        if let Some(choice) = refused {
            return Err(NotAccepted { choice, explorer });
        }
        if self.properties.robustness {
            if about.counts_views() {
                return Err(RobustnessOfViews { explorer });
            }
            if options.preemptions.is_some() {
                return Err(RobustnessWithPreemptions);
            }
            if about.robustness == Finds::Never {
                return Err(NoRobustness { explorer });
            }
            if !model.about().has_buffers {
                return Err(NotWeaker { model });
            }
        }
        if purpose == Purpose::Estimate {
            if !about.accepts(Choice::Estimate) {
                return Err(NotAccepted { choice: Choice::Estimate, explorer });
            }
            if options.preemptions.is_some() {
                return Err(EstimateWithPreemptions);
            }
            if is_symmetric {
                return Err(EstimateWithSymmetry);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    /// An option, and how it is given.
    type Case = (Choice, fn(&mut Request));

    fn find(request: &Request) -> Result<(), Contradiction> {
        request.contradiction(Purpose::Verify)
    }

    #[test]
    fn every_explorer_accepts_the_models_that_it_declares() {
        for explorer in Explorer::ALL {
            for model in Model::ALL {
                let request = Request::default().model(*model).explorer(*explorer);
                assert_eq!(
                    find(&request).is_ok(),
                    explorer.about().goes_with(*model),
                    "{explorer:?} {model:?}"
                );
            }
        }
    }

    #[test]
    fn options_are_refused_by_those_that_do_not_accept_them() {
        for explorer in Explorer::ALL {
            let request = || Request::default().explorer(*explorer);
            let cases: [Case; 7] = [
                (Choice::Predict, |request| request.options.predict = true),
                (Choice::Patience, |request| request.options.patience = Some(3)),
                (Choice::Seed, |request| request.options.seed = Some(3)),
                (Choice::Depth, |request| request.options.depth = Some(3)),
                (Choice::Preemptions, |request| request.options.preemptions = Some(3)),
                (Choice::Classes, |request| request.options.classes = true),
                (Choice::Symmetry, |request| request.options.symmetry = Symmetry::Reduced),
            ];
            for (choice, set) in cases {
                let mut request = request();
                set(&mut request);
                let expected = match explorer.about().accepts(choice) {
                    true => Ok(()),
                    false => Err(Contradiction::NotAccepted { choice, explorer: *explorer }),
                };
                assert_eq!(find(&request), expected);
            }
            let several = request().workers(2);
            let is_parallel = explorer.about().workers == Workers::Several;
            assert_eq!(find(&several).is_ok(), is_parallel, "{explorer:?}");
        }
    }

    #[test]
    fn robustness_is_about_weaker_models() {
        let tso = Request::default().robustness(Model::Tso);
        assert_eq!(find(&tso), Ok(()));
        assert_eq!(
            find(&Request::default().robustness(Model::Sc)),
            Err(Contradiction::NotWeaker { model: Model::Sc })
        );
        let vieq = tso.explorer(Explorer::Vieq);
        assert_eq!(find(&vieq), Err(Contradiction::RobustnessOfViews { explorer: Explorer::Vieq }));
    }

    #[test]
    fn what_is_chosen_later_is_refused_later() {
        let request = Request { record: Record::First, ..Request::default() };
        assert_eq!(find(&request), Ok(()));
        let sc = request.model(Model::Sc);
        assert_eq!(find(&sc), Err(Contradiction::NoGraphs { explorer: Explorer::Optimal }));
    }
}
