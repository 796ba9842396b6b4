//! What became of all programs.

use selvedge_oracle::{Program, table as program_table};

use super::examine::Case;
use super::judge::{Judge, Verdict};
use super::nested::Nested;
use super::pace::Pace;
use super::plan::Plan;
use crate::error::Error;
use crate::table;

/// How many examples are shown of each kind of disagreement: one small program says more than many.
const EXAMPLES: usize = 3;

/// How often each thing happened, for one explorer.
#[derive(Default, Clone)]
struct Summary {
    agreed: u64,
    too_large: u64,
    deadlocks: u64,
    races: u64,
    outcomes: u64,
    executions: u64,
    disagreed: u64,
}

/// A disagreement: the number of the program, the program, who disagreed, and the kind.
type Fault<'p> = (u64, Program, &'p Judge<'p>, &'static str);

/// What became of all programs.
pub struct Tally<'p> {
    plan: &'p Plan<'p>,
    /// For each judge.
    summaries: Vec<Summary>,
    faults: Vec<Fault<'p>>,
    /// How often the oracle did not agree with itself.
    contradictions: u64,
    /// How many programs were followed under several models, and of how many weak ones allow more.
    compared: u64,
    weak: u64,
    /// How fast it was.
    pub pace: Pace,
}

impl<'p> Tally<'p> {
    /// Nothing so far.
    pub fn new(plan: &'p Plan<'p>) -> Self {
        Self {
            plan,
            summaries: vec![Summary::default(); plan.judges.len()],
            faults: Vec::new(),
            contradictions: 0,
            compared: 0,
            weak: 0,
            pace: Pace::new(),
        }
    }

    /// Notes a program, and says at once what is wrong.
    pub fn add(&mut self, number: u64, case: Case) -> Result<(), Error> {
        self.pace.add(&case.effort);
        match case.nested {
            Nested::Unknown => {}
            Nested::Yes { more } => {
                self.compared += 1;
                self.weak += u64::from(more);
            }
            Nested::No(what) => {
                self.contradictions += 1;
                let program = program_table(&case.program);
                println!("program {number}: the oracle contradicts itself: {what}\n{program}");
            }
        }
        for (at, result) in case.results {
            let (verdict, judge) = (result?, &self.plan.judges[at]);
            self.summaries[at].add(&verdict);
            if let Verdict::Disagreed { what, .. } = verdict {
                println!("program {number}, {}: {what}", judge.name());
                self.faults.push((number, case.program.clone(), judge, what.kind()));
            }
        }
        Ok(())
    }

    /// Whether nothing was wrong.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.contradictions == 0
    }

    /// A few disagreements of each kind.
    pub fn examples(&mut self) -> Vec<&Fault<'p>> {
        self.faults.sort_by_key(|(number, ..)| *number);
        let mut examples: Vec<&Fault<'p>> = Vec::new();
        for fault in &self.faults {
            let kind = |(_, _, judge, kind): &Fault<'p>| (judge.name(), *kind);
            let of_a_kind = examples.iter().filter(|other| kind(other) == kind(fault)).count();
            if of_a_kind < EXAMPLES {
                examples.push(fault);
            }
        }
        examples
    }

    /// For people.
    pub fn table(&self) -> String {
        let mut text = summary_table(&self.plan.judges, &self.summaries);
        if self.compared > 0 {
            text += &format!(
                "{} of {} programs for weak models have outcomes beyond sequential consistency\n",
                self.weak, self.compared
            );
        }
        text
    }
}

impl Summary {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::TooLarge => self.too_large += 1,
            Verdict::Agreed(truth) => {
                let results = &truth.within;
                self.agreed += 1;
                self.deadlocks += u64::from(!results.deadlocks.is_empty());
                self.races += u64::from(!results.races.is_empty());
                self.outcomes += results.outcomes.len() as u64;
                self.executions += results.executions;
            }
            Verdict::Disagreed { .. } => self.disagreed += 1,
        }
    }
}

/// A row for each explorer.
fn summary_table(judges: &[Judge<'_>], summaries: &[Summary]) -> String {
    let heading = [
        "explorer",
        "agreed",
        "with deadlock",
        "with race",
        "outcomes",
        "executions",
        "too large",
        "disagreed",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for (judge, s) in judges.iter().zip(summaries) {
        let counts = [s.agreed, s.deadlocks, s.races, s.outcomes, s.executions, s.too_large, s.disagreed];
        let counts = counts.map(|count| count.to_string());
        rows.push([vec![judge.name()], counts.to_vec()].concat());
    }
    table::render(&rows)
}
