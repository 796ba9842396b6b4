//! The oracle agrees with what is known of the litmus tests.

#![allow(missing_docs)]
#![allow(clippy::expect_used, reason = "tests")]

use selvedge_oracle::litmus::{Litmus, all, c11};
use selvedge_oracle::{Model, graphs, interleavings, interleavings_merged, table};
use std::collections::BTreeSet;

fn tests() -> Vec<Litmus> {
    all().expect("a table that can be read")
}

#[test]
fn the_oracle_agrees_with_the_literature() {
    let mut wrong = Vec::new();
    for test in tests() {
        assert_eq!(test.program.validate(), Ok(()), "{}", test.name);
        for model in Model::ALL {
            let results = interleavings_merged(&test.program, model, 1_000_000, None);
            let found = test.is_among(&results.expect("valid").expect("few points"));
            if found != test.is_allowed(model) {
                wrong.push(format!("{} {}: {found}\n{}", test.name, model.name(), table(&test.program)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same by brute force, where that is not too much.
#[test]
fn the_oracle_agrees_with_the_literature_without_merging() {
    let mut followed = 0;
    for test in tests() {
        for model in Model::ALL {
            let results = interleavings(&test.program, model, 500).expect("valid");
            let Some(results) = results else { continue };
            followed += 1;
            assert_eq!(test.is_among(&results), test.is_allowed(model), "{} {}", test.name, model.name());
        }
    }
    assert!(followed > 150, "{followed}");
}

#[test]
fn the_table_is_complete_and_sound() {
    let tests = tests();
    let names: BTreeSet<&str> = tests.iter().map(|test| test.name).collect();
    assert_eq!(names.len(), tests.len(), "two tests have the same name");
    let families = [
        "SB", "MP", "LB", "IRIW", "WRC", "ISA2", "2+2W", "R", "S", "CoRR", "CoWW", "CoRW", "CoWR", "RWC",
        "Z6.3", "Z6.5", "n6", "n7",
    ];
    for family in families {
        let variants = names.iter().filter(|name| name.starts_with(&format!("{family}+"))).count();
        assert!(names.contains(family) && variants >= 3, "{family}: {variants}");
    }
    for test in &tests {
        // What a model allows, the weaker ones do, too.
        let allowed = Model::ALL.map(|model| test.is_allowed(model));
        assert!(allowed.is_sorted(), "{}", test.name);
        // The assertion is there, and is about what the program has.
        let printed = test.print_c();
        let line = printed.text.lines().nth(printed.outcomes[0] - 1).expect("a line");
        assert!(line.contains("assert(!("), "{line}");
        assert_eq!(line.matches("==").count(), test.question.len(), "{line}");
    }
}

/// The operational table says the same of graphs, as far as they have the models.
#[test]
fn graphs_agree_with_the_literature() {
    for test in tests() {
        for (model, of_graphs) in [(Model::Sc, graphs::Model::Sc), (Model::Tso, graphs::Model::Tso)] {
            let results = graphs::enumerate(&test.program, of_graphs, 1_000_000);
            let found = test.is_one_of(&results.expect("valid").expect("few graphs").outcomes);
            assert_eq!(found, test.is_allowed(model), "{} {}", test.name, model.name());
        }
    }
}

#[test]
fn graphs_agree_with_the_literature_of_c11() {
    let tests = c11().expect("a table that can be read");
    let names: BTreeSet<&str> = tests.iter().map(|test| test.name).collect();
    assert_eq!(names.len(), tests.len(), "two tests have the same name");
    let families = [
        "SB", "MP", "RS", "LB", "IRIW", "WRC", "RWC", "W+RWC", "ISA2", "2+2W", "R", "S", "CoRR", "CoWW",
        "CoRW", "CoWR", "Z6.U", "Z6.3", "Z6.5", "n6", "n7",
    ];
    for family in families {
        assert!(names.iter().any(|name| name.starts_with(&format!("{family}+"))), "{family}");
    }
    let mut wrong = Vec::new();
    for test in &tests {
        assert_eq!(test.program.validate(), Ok(()), "{}", test.name);
        for model in graphs::Model::ALL {
            let results = graphs::enumerate(&test.program, model, 1_000_000);
            let found = test.is_one_of(&results.expect("valid").expect("few graphs").outcomes);
            if found != test.is_allowed(model) {
                wrong.push(format!("{} {}: {found}\n{}", test.name, model.name(), table(&test.program)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
