//! A disagreement as a test: a C program whose first lines say what to expect, as in tests/programs/check.

use selvedge_oracle::{CProgram, Epilogue, Fault, Program, StatementId, print_c, table};

use super::judge::{Disagreement, Judge};
use super::truth::Truth;

/// The text of the test.
pub fn text(program: &Program, judge: &Judge<'_>, what: &Disagreement, truth: &Truth) -> String {
    let results = &truth.within;
    let epilogue = match what {
        Disagreement::OutcomeMissed(outcome) => Epilogue::Refute(vec![outcome]),
        Disagreement::OutcomeInvented => Epilogue::Require(results.outcomes.iter().collect()),
        _ => Epilogue::Print,
    };
    let about_races = matches!(what, Disagreement::Missed("data-race"))
        || matches!(what, Disagreement::Invented { kind, .. } if kind == "data-race");
    let mut options = judge.options();
    if !about_races && !results.races.is_empty() {
        options.extend(["--allow", "data-race"]);
    }
    if matches!(epilogue, Epilogue::Refute(_) | Epilogue::Require(_)) && !results.deadlocks.is_empty() {
        options.extend(["--allow", "deadlock"]);
        if results.deadlocks.iter().any(|stuck| truth.kind_of(stuck) == "livelock") {
            options.extend(["--allow", "livelock"]);
        }
    }
    let executions = match what {
        Disagreement::Executions { fewest, most, .. } if fewest == most => Some(*most),
        _ => None,
    };
    if executions.is_some() {
        options.push("--keep-going");
    }
    let mut header = vec![String::new(), format!("selvedge: {}", options.join(" "))];
    header.extend(executions.map(|count| format!("executions: {count}")));
    header.push(format!("found by fuzz explore: {what}"));
    header.extend(table(program).lines().map(|line| format!("  {line}")));
    // The first line needs the numbers of the others.
    let printed = print_c(program, &epilogue, &header);
    header[0] = format!("expect: {}", expectation(&printed, about_races, what, truth));
    print_c(program, &epilogue, &header).text
}

fn expectation(printed: &CProgram, about_races: bool, what: &Disagreement, truth: &Truth) -> String {
    let results = &truth.within;
    let at = |kind: &str, places: Vec<StatementId>| {
        let mut lines: Vec<usize> =
            places.iter().filter_map(|place| printed.lines.get(place)).copied().collect();
        lines.sort_unstable();
        lines.dedup();
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        format!("{kind} line {}", lines.join("|"))
    };
    if let Disagreement::OutcomeMissed(_) = what {
        return format!("assertion line {}", printed.outcomes.first().copied().unwrap_or(0));
    }
    if about_races && !results.races.is_empty() {
        return at("data-race", results.races.iter().flat_map(|(one, other)| [*one, *other]).collect());
    }
    if let Some((fault, place)) = results.faults.first() {
        let kind = match fault {
            Fault::BadUnlock => "bad-unlock",
            Fault::Relock => "relock",
        };
        return at(kind, vec![*place]);
    }
    if !results.deadlocks.is_empty() && !matches!(what, Disagreement::OutcomeInvented) {
        let kind = results.deadlocks.first().map_or("deadlock", |stuck| truth.kind_of(stuck));
        let alike = results.deadlocks.iter().filter(|stuck| truth.kind_of(stuck) == kind);
        return at(kind, alike.flatten().copied().collect());
    }
    // Where there is more beyond the bound, the tool may know that it makes no difference.
    if truth.is_cut() { "bounded" } else { "verified" }.to_owned()
}
