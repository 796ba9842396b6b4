//! SE-MCR: maximal causality reduction that leaves out whatever an explored execution contains. See [`super`].

use super::{PATIENCE, Predicting, explore_switching, explore_switching_after_orders};
use crate::{About, Choice, Counted, Counting, Equivalence, Explores, Finds, Promise, Task, Workers};
use selvedge_memory::System;

/// What this explorer says of itself.
pub const ABOUT: About = About {
    name: "se-mcr",
    help: "Maximal causality reduction: from each execution, a solver derives others in which something else is read (for sc, tso and pso; data races with --predict)",
    text: "\
         maximal causality reduction: the same as `vieq`, but a solver derives\n\
         from each execution others in which something else is read. Before the solver is asked, the\n\
         answer is looked for by a search of at most --patience states. With --predict it also tells\n\
         from each execution what would go wrong in another order of its steps (data races, deadlocks,\n\
         failed assertions, null pointers) and runs that to confirm it.",
    explores: Explores::Steps,
    workers: Workers::Several,
    tells_apart: Equivalence::Views,
    robustness: Finds::Never,
    promise: Promise::Views,
    counts: Counting::Views,
    accepts: &[Choice::Predict, Choice::Patience],
    bounded_name: None,
};

/// Explores as it is told.
pub(crate) fn run<S: System>(task: Task<'_, '_, S>) -> Counted {
    let predicting = Predicting::from(task.options.predict);
    let patience = task.options.patience.unwrap_or(PATIENCE);
    Counted::Views(match S::BUFFERED || predicting == Predicting::Violations || patience == 0 {
        true => explore_switching(task.session, task.workers, predicting, patience),
        false => {
            let (session, crew) = task.crew();
            explore_switching_after_orders(session, &crew, patience)
        }
    })
}
