//! What is found with less work is what is found in the plainest way.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::graphs::{self, enumerate};
use selvedge_oracle::{
    Knobs, Model, Program, Random, Summary, generate, generate_message, interleavings, interleavings_bounded,
    interleavings_merged, litmus, summarise, table,
};

/// Programs of all kinds that the fuzzer makes, and some with mutexes that are used wrongly.
fn make(case: u64) -> Program {
    let random = &mut Random::for_case(31, case);
    let knobs = match case % 4 {
        0 => Knobs::random(random),
        1 => Knobs::random_buffered(random),
        2 => Knobs::random_c11(random),
        _ => return generate_message(random),
    };
    let mut program = generate(&knobs, random);
    if case % 8 >= 4 && program.mutexes > 0 {
        // Without one of its locks, a thread unlocks what it does not hold.
        let thread = 1 + random.below(program.threads.len() - 1);
        let is_lock = |statement: &_| matches!(statement, selvedge_oracle::Statement::Lock { .. });
        if let Some(at) = program.threads[thread].iter().position(is_lock) {
            program.threads[thread].remove(at);
        }
    }
    program
}

#[test]
fn summaries_say_what_interleavings_say() {
    let (mut followed, mut weak, mut races, mut deadlocks, mut faults) = (0, 0, 0, 0, 0);
    for case in 0..700 {
        let program = make(case);
        for model in Model::ALL {
            let Some(results) = interleavings(&program, model, 400).expect("valid") else { continue };
            let summary = summarise(&program, model, 1_000_000, None).expect("valid").expect("few points");
            assert!(summary.agrees_with(&results), "{case} {} {}", model.name(), table(&program));
            followed += 1;
            weak += u32::from(model != Model::Sc);
            races += u32::from(results.races != results.races_c11);
            deadlocks += u32::from(!results.deadlocks.is_empty());
            faults += u32::from(!results.faults.is_empty());
            for preemptions in [0, 1, 2] {
                let bounded = interleavings_bounded(&program, model, 1_000, preemptions);
                let bounded = bounded.expect("valid").expect("few executions");
                let summary = summarise(&program, model, 1_000_000, Some(preemptions));
                let summary = summary.expect("valid").expect("few points");
                assert!(summary.agrees_with(&bounded), "{case} {preemptions} {}", table(&program));
            }
        }
    }
    let all = [followed, weak, races, deadlocks, faults];
    assert!(followed > 1_000 && weak > 600 && races > 8 && deadlocks > 50 && faults > 20, "{all:?}");
}

/// They are given up where merging is, at the same number of points.
#[test]
fn summaries_have_the_same_points() {
    let mut given_up = 0;
    for case in 0..200 {
        let program = make(1_000 + case);
        for (model, preemptions) in [(Model::Sc, None), (Model::Tso, None), (Model::Pso, Some(1))] {
            for most in [50, 300] {
                let merged = interleavings_merged(&program, model, most, preemptions).expect("valid");
                let summary = summarise(&program, model, most, preemptions).expect("valid");
                match (&merged, &summary) {
                    (None, None) => given_up += 1,
                    (Some(merged), Some(summary)) => {
                        assert!(summary.agrees_with(merged), "{}", table(&program));
                    }
                    _ => panic!("{} {most} {}", model.name(), table(&program)),
                }
            }
        }
    }
    assert!(given_up > 100, "{given_up}");
}

/// Traces are told apart alike under all models: what each allows, the weaker ones do, too.
#[test]
fn classes_of_one_model_are_among_those_of_weaker_ones() {
    let mut more = 0;
    for case in 0..300 {
        let program = make(2_000 + case);
        let summaries = Model::ALL.map(|model| summarise(&program, model, 5_000, None).expect("valid"));
        let [Some(sc), Some(tso), Some(pso)] = &summaries else { continue };
        assert!(sc.classes.is_subset(&tso.classes) && tso.classes.is_subset(&pso.classes));
        more += u32::from(sc.classes.len() < tso.classes.len());
    }
    assert!(more > 30, "{more}");
}

/// Graphs, of all models at once and of each alone.
fn compare_graphs(program: &Program, most: u64) -> Option<[usize; 5]> {
    let models = graphs::Model::ALL;
    let plain: Option<Vec<graphs::Results>> =
        models.into_iter().map(|model| enumerate(program, model, most).expect("valid")).collect();
    let plain = plain?;
    let together = graphs::summarise(program, &models, most).expect("valid").expect("few graphs");
    for ((model, plain), summary) in models.into_iter().zip(&plain).zip(&together) {
        let text = || format!("{} {}", model.name(), table(program));
        let Summary { executions, outcomes, deadlocks, faults, races, races_c11, classes, .. } = summary;
        assert_eq!(*executions, plain.graphs() as u64, "{}", text());
        assert_eq!(classes.len(), plain.graphs(), "{}", text());
        assert_eq!((outcomes, deadlocks), (&plain.outcomes, &plain.deadlocks), "{}", text());
        assert_eq!(faults, &plain.faults, "{}", text());
        assert_eq!((races, races_c11), (&plain.races, &plain.races_c11), "{}", text());
        let alone = graphs::summarise(program, &[model], most).expect("valid").expect("few graphs");
        assert_eq!(alone, std::slice::from_ref(summary), "{}", text());
    }
    let counts: Vec<usize> = plain.iter().map(graphs::Results::graphs).collect();
    counts.try_into().ok()
}

#[test]
fn summaries_say_what_graphs_say() {
    let (mut followed, mut differ) = (0, 0);
    for case in 0..800 {
        let Some(counts) = compare_graphs(&make(3_000 + case), 1_500) else { continue };
        followed += 1;
        differ += u32::from(counts.windows(2).any(|pair| pair[0] != pair[1]));
    }
    assert!(followed > 400 && differ > 100, "{followed} {differ}");
}

#[test]
fn summaries_say_what_graphs_say_of_litmus_tests() {
    let tests = litmus::all().expect("they can be read");
    let followed = tests.iter().filter(|test| compare_graphs(&test.program, 10_000).is_some()).count();
    assert!(followed * 10 > tests.len() * 9, "{followed} of {}", tests.len());
}

#[test]
fn too_many_graphs_are_given_up() {
    let program = make(3_002);
    let models = [graphs::Model::Rc11];
    assert!(matches!(graphs::summarise(&program, &models, 1), Ok(None)));
    let mut wrong = program.clone();
    wrong.threads[0].pop();
    assert!(graphs::summarise(&wrong, &models, 1_000).is_err());
    // More nodes than there are bits.
    let mut long = program;
    let load = selvedge_oracle::Statement::Load { into: 0, at: 0, order: selvedge_oracle::Order::Relaxed };
    long.threads[1] = vec![load; 200];
    assert!(matches!(graphs::summarise(&long, &models, 1_000_000), Ok(None)));
}
