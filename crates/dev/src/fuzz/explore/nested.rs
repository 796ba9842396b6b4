//! What the oracle says under different memory models, compared: each allows what the stronger ones do. And what it says in two ways under
//! one model: by steps, and by execution graphs.

use selvedge_oracle::{Model, Program, Summary, summarise};

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
    let results = models.iter().map(|model| summarise(program, *model, POINTS, None).ok().flatten());
    let Some(results) = results.collect::<Option<Vec<Summary>>>() else { return Nested::Unknown };
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
fn beyond(less: &Summary, more: &Summary) -> Option<&'static str> {
    let kinds = [
        ("an outcome", less.outcomes.is_subset(&more.outcomes)),
        ("a deadlock", less.deadlocks.is_subset(&more.deadlocks)),
        ("a fault", less.faults.is_subset(&more.faults)),
        ("a race", less.races.is_subset(&more.races)),
        ("a race as in C11", less.races_c11.is_subset(&more.races_c11)),
        ("a trace", less.classes.is_subset(&more.classes)),
        ("an execution", less.executions <= more.executions),
    ];
    kinds.into_iter().find(|(_, within)| !within).map(|(what, _)| what)
}

/// On what the oracle does not agree with itself, if a program was followed by steps and by graphs under one model. (Where a mutex is
/// used wrongly, a whole execution ends in the one way, and a thread in the other. And to graphs plain accesses are relaxed ones: one that
/// races may synchronise, and hide another race.)
pub fn differ(program: &Program, steps: &Summary, graphs: &Summary) -> Option<&'static str> {
    let (traces, graphs_alike) = (steps.classes.len() as u64, graphs.executions);
    // Ups of a semaphore commute in traces, and are ordered in graphs.
    let counts = if program.semaphores == 0 { graphs_alike == traces } else { graphs_alike >= traces };
    let races = steps.races.is_empty() == graphs.races.is_empty()
        && steps.races_c11.is_empty() == graphs.races_c11.is_empty();
    let kinds = [
        ("outcomes", steps.outcomes == graphs.outcomes),
        ("deadlocks", steps.deadlocks == graphs.deadlocks),
        ("races", races),
        ("the number of graphs", counts),
    ];
    let is_right = steps.faults.is_empty() && graphs.faults.is_empty();
    kinds.into_iter().find(|(_, same)| is_right && !same).map(|(what, _)| what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{graphs, litmus};

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
        let under = |model| summarise(&test.program, model, POINTS, None).unwrap().unwrap();
        assert_eq!(beyond(&under(Model::Sc), &under(Model::Tso)), None);
        assert_eq!(beyond(&under(Model::Tso), &under(Model::Sc)), Some("an outcome"));
        let models = [graphs::Model::Sc, graphs::Model::Tso];
        let graphs = graphs::summarise(&test.program, &models, POINTS).unwrap().unwrap();
        assert_eq!(differ(&test.program, &under(Model::Sc), &graphs[0]), None);
        assert_eq!(differ(&test.program, &under(Model::Tso), &graphs[1]), None);
        assert_eq!(differ(&test.program, &under(Model::Sc), &graphs[1]), Some("outcomes"));
    }
}
