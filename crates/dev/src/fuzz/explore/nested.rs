//! What the oracle says under different memory models, compared: each allows what the stronger ones do.

use std::collections::BTreeSet;

use selvedge_oracle::{Model, Program, Results, interleavings_merged};

/// Programs with more points are left out.
const POINTS: u64 = 20_000;

/// Whether what each model allows is allowed by the weaker ones.
pub enum Nested {
    /// There is too much to know, or nothing to compare.
    Unknown,
    /// It is.
    Yes {
        /// Whether the model of the program allows outcomes that are not sequentially consistent.
        more: bool,
    },
    /// It is not; in words.
    No(String),
}

/// Compares what a program does under a weak model and under the stronger ones.
pub fn examine(program: &Program, model: Model) -> Nested {
    let models: Vec<Model> = Model::ALL.into_iter().filter(|other| *other <= model).collect();
    let results =
        models.iter().map(|model| interleavings_merged(program, *model, POINTS, None).ok().flatten());
    let Some(results) = results.collect::<Option<Vec<Results>>>() else { return Nested::Unknown };
    for (models, results) in models.windows(2).zip(results.windows(2)) {
        let ([strong, weak], [less, more]) = (models, results) else { continue };
        if let Some(what) = beyond(less, more) {
            return Nested::No(format!("{what} under {} that {} does not have", strong.name(), weak.name()));
        }
    }
    match results.as_slice() {
        [sequential, .., own] => Nested::Yes { more: sequential.outcomes != own.outcomes },
        _ => Nested::Unknown,
    }
}

/// What the first has and the second has not.
fn beyond(less: &Results, more: &Results) -> Option<&'static str> {
    fn is_within<T: Ord>(less: &BTreeSet<T>, more: &BTreeSet<T>) -> bool {
        less.is_subset(more)
    }
    let kinds = [
        ("an outcome", is_within(&less.outcomes, &more.outcomes)),
        ("a deadlock", is_within(&less.deadlocks, &more.deadlocks)),
        ("a fault", is_within(&less.faults, &more.faults)),
        ("a race", is_within(&less.races, &more.races)),
        ("a race as in C11", is_within(&less.races_c11, &more.races_c11)),
        ("a trace", is_within(&less.classes, &more.classes)),
        ("an execution", less.executions <= more.executions),
    ];
    kinds.into_iter().find(|(_, within)| !within).map(|(what, _)| what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::litmus;

    #[test]
    fn litmus_tests_are_nested() {
        for test in litmus::all().unwrap().iter().filter(|test| test.program.threads.len() <= 3) {
            assert!(matches!(examine(&test.program, Model::Sc), Nested::Unknown));
            let more = |model| match examine(&test.program, model) {
                Nested::Yes { more } => more,
                _ => panic!("{}", test.name),
            };
            let beyond = |model| test.is_allowed(model) && !test.is_allowed(Model::Sc);
            assert!(more(Model::Tso) >= beyond(Model::Tso), "{}", test.name);
            assert!(more(Model::Pso) >= beyond(Model::Pso), "{}", test.name);
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        let test = litmus::all().unwrap().swap_remove(0);
        let under = |model| interleavings_merged(&test.program, model, POINTS, None).unwrap().unwrap();
        assert_eq!(beyond(&under(Model::Sc), &under(Model::Tso)), None);
        assert_eq!(beyond(&under(Model::Tso), &under(Model::Sc)), Some("an outcome"));
    }
}
