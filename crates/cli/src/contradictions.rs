//! Words for requests that contradict themselves.

use selvedge_explore::{Choice, Finds, Workers};
use selvedge_verify::{Contradiction, Explorer, Record};

/// Names of explorers: "`a`, `b` and `c`".
pub fn names(explorers: impl Iterator<Item = Explorer>) -> String {
    joined(explorers, "and")
}

/// The same: "`a`, `b` or `c`".
fn either(explorers: impl Iterator<Item = Explorer>) -> String {
    joined(explorers, "or")
}

fn joined(explorers: impl Iterator<Item = Explorer>, last: &str) -> String {
    let names: Vec<String> = explorers.map(|explorer| format!("`{}`", explorer.name())).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The option that asks for executions to be written down.
pub fn recording(record: Record) -> &'static str {
    if record.has_all() { "--all-violations" } else { "--graph" }
}

/// Says why options do not go together.
pub fn describe(contradiction: &Contradiction, record: Record) -> String {
    use Contradiction::*;
    match *contradiction {
        NoAxioms { explorer, model } => {
            format!("--explorer {}: there are no axioms for the model `{}`", explorer.name(), model.name())
        }
        NoSteps { explorer, model } => format!(
            "--model {}: is explored by execution graphs: with {}, not with `{}`",
            model.name(),
            either(Explorer::ALL.iter().copied().filter(|other| other.about().goes_with(model))),
            explorer.name()
        ),
        NoGraphs { explorer } => format!(
            "{}: only the explorer {} has execution graphs, not `{}` (--model rc11 comes with it; for sc and tso say \
             --explorer graph)",
            recording(record),
            either(Explorer::accepting(Choice::Graphs)),
            explorer.name()
        ),
        EstimateWithRecord => format!("{}: --estimate explores nothing", recording(record)),
        RecordWithWorkers => "--all-violations: executions are written by one worker".to_owned(),
        NotParallel { explorer } => format!(
            "--workers: only the explorers {} work in parallel, not `{}`",
            names(Explorer::ALL.iter().copied().filter(|other| other.about().workers == Workers::Several)),
            explorer.name()
        ),
        PreemptionsWithWorkers => "--workers: an exploration with --preemptions has one worker".to_owned(),
        NotAccepted { choice, explorer } => refused(choice, explorer),
        RobustnessOfViews { explorer } => format!(
            "--robust: is about the order of accesses, and `{}` about what is read: use `optimal`",
            explorer.name()
        ),
        RobustnessWithPreemptions => {
            "--robust: looks at all executions, so it does not go with --preemptions".to_owned()
        }
        NoRobustness { explorer } => format!(
            "--robust: goes with the explorers {}, not with `{}`",
            names(Explorer::ALL.iter().copied().filter(|other| other.about().robustness == Finds::Always)),
            explorer.name()
        ),
        NotWeaker { model } => {
            format!("--robust: `{}` has nothing that sequential consistency does not have", model.name())
        }
        SymmetryWithoutAxioms { model } => {
            format!("--symmetry: is for execution graphs, which `{}` does not have", model.name())
        }
        EstimateWithSymmetry => {
            "--estimate: tells how many executions there are without --symmetry".to_owned()
        }
        EstimateWithPreemptions => refused(Choice::Estimate, Explorer::Optimal),
        CompiledWithoutLocals => {
            "--check uninitialised: the program was compiled with local variables in registers".to_owned()
        }
    }
}

/// The option of the command line that a choice is.
pub fn option(choice: Choice) -> &'static str {
    match choice {
        Choice::Preemptions => "--preemptions",
        Choice::Samples => "--max-executions",
        Choice::Seed => "--seed",
        Choice::Depth => "--depth",
        Choice::Patience => "--patience",
        Choice::Predict => "--predict",
        Choice::Classes => "--classes",
        Choice::Estimate => "--estimate",
        Choice::Graphs => "--graph",
        Choice::Symmetry => "--symmetry",
    }
}

/// Says that an option means nothing to an explorer.
fn refused(choice: Choice, explorer: Explorer) -> String {
    let (option, accepting, explorer) = (option(choice), Explorer::accepting(choice), explorer.name());
    match choice {
        Choice::Estimate => format!(
            "{option}: tells how many executions {} explores, without --preemptions",
            either(accepting)
        ),
        Choice::Classes => {
            format!("{option}: only the explorer {} counts them, not `{explorer}`", either(accepting))
        }
        _ => format!("{option}: goes with {}, not with `{explorer}`", names(accepting)),
    }
}
