//! Random programs with what the oracle's language does not have: choices, assumptions, atomic sections, bounds, waiting loops
//! with effects, errors of mutexes, frees, several violations. The truth about them is what `exhaustive` finds.
//!
//! Part of `fuzz explore`, and of `fuzz replay`.
//!
//! | module | |
//! | --- | --- |
//! | `class` | the classes of programs: choices, assumptions, atomic sections, bounds, waiting loops with effects, updates that change nothing, errors of mutexes, frees, ends of scopes, several violations, small time limits |
//! | `program` | trees of lines of C |
//! | `pieces`, `generate`, `shrink` | their parts; making programs, and making them smaller |
//! | `way` | who is compared, and what each promises |
//! | `judge`, `answer` | the truth, which is what `exhaustive` finds, or, for updates in loops, what graphs find if these are written out; what the tool says |
//! | `known` | disagreements that are known and left out |

pub mod answer;
mod class;
mod generate;
mod judge;
mod known;
mod pieces;
mod program;
mod shrink;
mod way;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

pub use self::class::Class;
pub use self::generate::generate;
use self::judge::{Disagreement, Judge, Verdict};
pub use self::program::Program;
pub use self::way::KnownOnes;
use self::way::{WAYS, Way};
use crate::error::Error;
use crate::random::Random;
use crate::table;
use crate::tools::Tools;

/// How long a program that shows a disagreement may be made smaller.
const SHRINKING: Duration = Duration::from_secs(60);

/// What to compare.
pub struct Fuzzer<'t> {
    /// Where the tool is.
    pub tools: &'t Tools,
    /// Another seed, other programs.
    pub seed: u64,
    /// The classes, one after the other.
    pub classes: Vec<Class>,
    /// The models to compare under; all if there are none.
    pub models: Vec<&'static str>,
    /// Whether what is known to be wrong is looked for.
    pub known: KnownOnes,
}

/// What became of a program.
pub struct Case {
    program: Program,
    /// How many violations it has, if that is known.
    violations: Option<usize>,
    verdicts: Vec<(&'static Way, Verdict)>,
}

/// How often each thing happened, for one class.
#[derive(Default, Clone)]
struct Summary {
    programs: u64,
    wrong: u64,
    violations: u64,
    agreed: u64,
    left_out: u64,
    disagreed: u64,
}

/// What was found so far.
#[derive(Default)]
pub struct Findings {
    summaries: BTreeMap<Class, Summary>,
    faults: Vec<(u64, Program, &'static Way, Disagreement)>,
}

impl Fuzzer<'_> {
    /// The classes that are compared if none is named.
    pub fn default_classes(known: KnownOnes) -> Vec<Class> {
        let wanted = |class: &&Class| known == KnownOnes::Reported || !known::is_class_known(**class);
        Class::all().iter().filter(wanted).copied().collect()
    }

    /// The program with a number.
    pub fn make(&self, number: u64) -> Program {
        let class = self.classes[(number % self.classes.len() as u64) as usize];
        generate(class, &mut Random::for_case(self.seed, number))
    }

    /// Compares on the program with a number: under sequential consistency, and under another model.
    pub fn examine(&self, number: u64) -> Result<Case, Error> {
        let program = self.make(number);
        let round = (number / self.classes.len() as u64) as usize;
        let others = ["tso", "pso", "rc11", "ra"];
        let is_asked = |way: &Way| match self.models.is_empty() {
            true => way.model == "sc" || way.model == others[round % others.len()],
            false => self.models.contains(&way.model),
        };
        // More programs find more than more ways: each second one, the others in the next round of models.
        let is_due = |at: usize| (at + round / others.len()).is_multiple_of(2);
        let ways = WAYS.iter().enumerate().filter(|(at, way)| is_asked(way) && is_due(*at));
        let ways = ways.map(|(_, way)| way).filter(|way| way.supports(&program, self.known));
        let mut judge = Judge::new(self.tools, &program);
        let mut verdicts = Vec::new();
        for way in ways {
            verdicts.push((way, judge.examine(way)?));
        }
        let violations = judge.violations();
        Ok(Case { program, violations, verdicts })
    }

    /// Makes the programs small that show disagreements, and keeps them in a folder. Returns how many disagreements there were.
    pub fn report(&self, findings: &mut Findings, folder: &Path) -> Result<usize, Error> {
        findings.faults.sort_by_key(|(number, ..)| *number);
        // One small program of each kind says more than many.
        let mut seen = Vec::new();
        for (number, program, way, what) in &findings.faults {
            let like = (program.class, way.word(), what.kind());
            let of_a_kind = seen.iter().filter(|other| **other == like).count();
            if of_a_kind < 2 {
                let name = format!(
                    "{}-{}-{}-seed-{}-program-{number}.c",
                    program.class.name(),
                    way.word(),
                    what.kind(),
                    self.seed
                );
                self.keep(program, way, what, &folder.join(name))?;
            }
            seen.push(like);
        }
        Ok(findings.faults.len())
    }

    fn keep(&self, program: &Program, way: &Way, what: &Disagreement, path: &Path) -> Result<(), Error> {
        let end = Instant::now() + SHRINKING;
        let disagrees = |candidate: &Program| {
            let examined = |program| Judge::new(self.tools, program).examine(way);
            Instant::now() < end
                && matches!(examined(candidate), Ok(Verdict::Disagreed(other)) if other.kind() == what.kind())
        };
        let small = shrink::shrink(program, disagrees);
        let mut judge = Judge::new(self.tools, &small);
        let Verdict::Disagreed(what) = judge.examine(way)? else {
            println!("{}: does not happen again", path.display());
            return Ok(());
        };
        let mut comments = judge.explain(way)?;
        comments.push(what.to_string());
        let text = small.print(&comments);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
        fs::write(path, &text).map_err(Error::file(path))?;
        println!("{}\n{text}", path.display());
        Ok(())
    }
}

impl Findings {
    /// Notes what became of a program.
    pub fn add(&mut self, number: u64, case: Case) {
        let summary = self.summaries.entry(case.program.class).or_default();
        summary.programs += 1;
        summary.wrong += u64::from(case.violations.is_some_and(|violations| violations > 0));
        summary.violations += case.violations.unwrap_or(0) as u64;
        for (way, verdict) in case.verdicts {
            match verdict {
                Verdict::Agreed => summary.agreed += 1,
                Verdict::LeftOut => summary.left_out += 1,
                Verdict::Disagreed(what) => {
                    summary.disagreed += 1;
                    println!(
                        "program {number}, {}, {} {}: {what}",
                        case.program.class.name(),
                        way.model,
                        way.name
                    );
                    self.faults.push((number, case.program.clone(), way, what));
                }
            }
        }
    }

    /// A row for each class.
    pub fn table(&self) -> String {
        let heading = ["class", "programs", "wrong", "violations", "agreed", "left out", "disagreed"];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        for (class, s) in &self.summaries {
            let counts = [s.programs, s.wrong, s.violations, s.agreed, s.left_out, s.disagreed];
            rows.push([vec![class.name()], counts.map(|count| count.to_string()).to_vec()].concat());
        }
        table::render(&rows)
    }

    /// Whether there was anything to compare.
    pub fn is_empty(&self) -> bool {
        self.summaries.is_empty()
    }
}
