//! Compares each way to explore with `exhaustive` under the same model, with the same bounds and options.
//!
//! What counts is the set of violations, each a kind and a line, and the verdict. Data races need care. Views do not look for
//! them, and a deadlock at the end of an execution with a race is not reported; so where there is a race, views and graphs are
//! compared with what `exhaustive` finds if races are allowed. Of a race found by graphs, or with store buffers, only the kind is
//! compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::answer::{self, Answer, RACE, Run, Violation};
use super::program::Program;
use super::way::{Engine, Promise, Way};
use crate::error::Error;
use crate::tools::Tools;

/// How long `exhaustive` may take, in seconds, and how long the others may. What takes longer is left out.
const TRUTH_LIMIT: &str = "2";
const LIMIT: &str = "10";

/// The kind of waiting loops without end.
const LIVELOCK: &str = "livelock";

/// The kinds of accesses to what is not there any more.
const GONE: [&str; 3] = ["use-after-free", "double-free", "dead-stack"];

/// Verdicts.
const VERIFIED: &str = "verified";
const BOUNDED: &str = "bounded";

/// What a way to explore and `exhaustive` do not agree on.
#[derive(Clone, Debug)]
pub enum Disagreement {
    /// The tool broke.
    Broken(String),
    /// Violations that were not found.
    Missed(BTreeSet<Violation>),
    /// Violations that do not exist.
    Invented(BTreeSet<Violation>),
    /// The verdict.
    Verdict { got: String, expected: String },
    /// The number of executions.
    Executions { got: u64, expected: u64 },
}

impl Disagreement {
    /// In one word, for names of files.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Broken(_) => "broken",
            Self::Missed(_) => "missed",
            Self::Invented(_) => "invented",
            Self::Verdict { .. } => "verdict",
            Self::Executions { .. } => "executions",
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(what) => write!(f, "the tool broke: {what}"),
            Self::Missed(what) => write!(f, "missed: {what:?}"),
            Self::Invented(what) => write!(f, "does not exist: {what:?}"),
            Self::Verdict { got, expected } => write!(f, "the verdict is {got}, not {expected}"),
            Self::Executions { got, expected } => write!(f, "{got} executions, there must be {expected}"),
        }
    }
}

/// What became of a program in one way.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The same as `exhaustive`.
    Agreed,
    /// There is too much to explore, or something is not supported.
    LeftOut,
    /// Not the same.
    Disagreed(Disagreement),
}

/// Whether data races are violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Races {
    Reported,
    Allowed,
}

/// Which bounds `exhaustive` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// Those of the program.
    Asked,
    /// Wider ones.
    Wider,
}

/// Compares on one program.
pub struct Judge<'t> {
    tools: &'t Tools,
    program: &'t Program,
    text: String,
    /// What `exhaustive` has said, under each model.
    truths: BTreeMap<(&'static str, Races), Option<Answer>>,
}

impl<'t> Judge<'t> {
    /// Nothing is known yet.
    pub fn new(tools: &'t Tools, program: &'t Program) -> Self {
        Self { tools, program, text: program.print(&[]), truths: BTreeMap::new() }
    }

    /// How many violations there are under sequential consistency, if that is known.
    pub fn violations(&self) -> Option<usize> {
        Some(self.truths.get(&("sc", Races::Reported))?.as_ref()?.found.len())
    }

    /// Compares a way.
    pub fn examine(&mut self, way: &Way) -> Result<Verdict, Error> {
        if way.promise == Promise::WrittenOut {
            return self.compare_written_out(way);
        }
        let Some(truth) = self.truth(way.judged_by(), Races::Reported)? else { return Ok(Verdict::LeftOut) };
        if !truth.has_race() || way.engine == Engine::Steps {
            return match self.run(way, Races::Reported)? {
                Ok(answer) => self.compare_beyond(way, &answer, &truth, Races::Reported),
                Err(verdict) => Ok(verdict),
            };
        }
        let Some(without) = self.truth(way.judged_by(), Races::Allowed)? else { return Ok(Verdict::LeftOut) };
        if way.engine == Engine::Graphs {
            let answer = match self.run(way, Races::Reported)? {
                Ok(answer) => answer,
                Err(verdict) => return Ok(verdict),
            };
            let verdict = self.compare_with_races(way, &answer, &truth, &without);
            if matches!(verdict, Verdict::Disagreed(_)) {
                return Ok(verdict);
            }
        }
        match self.run(way, Races::Allowed)? {
            Ok(answer) => self.compare_beyond(way, &answer, &without, Races::Allowed),
            Err(verdict) => Ok(verdict),
        }
    }

    /// Compares. Graphs take rounds of waiting loops back, so that they may verify what steps come to a bound in: that is right if
    /// steps find nothing within wider bounds either.
    fn compare_beyond(
        &self,
        way: &Way,
        answer: &Answer,
        truth: &Answer,
        races: Races,
    ) -> Result<Verdict, Error> {
        let is_more = way.engine == Engine::Graphs && answer.verdict == VERIFIED && truth.verdict == BOUNDED;
        if !is_more {
            return Ok(self.compare(way, answer, truth));
        }
        Ok(match self.exhaustive(way.judged_by(), races, Bounds::Wider)? {
            None => Verdict::LeftOut,
            Some(wider) if wider.found.is_empty() => Verdict::Agreed,
            Some(wider) => Verdict::Disagreed(Disagreement::Missed(wider.found)),
        })
    }

    /// Compares with the program without loops, which has the same events.
    fn compare_written_out(&self, way: &Way) -> Result<Verdict, Error> {
        let written_out = Self::new(self.tools, self.program);
        let written_out = Self { text: self.program.written_out().print(&[]), ..written_out };
        let (answer, other) = match (self.run(way, Races::Reported)?, written_out.run(way, Races::Reported)?)
        {
            (Ok(answer), Ok(other)) => (answer, other),
            (Err(verdict), _) | (_, Err(verdict)) => return Ok(verdict),
        };
        if answer.executions != other.executions && answer.found == other.found {
            let (got, expected) = (answer.executions, other.executions);
            return Ok(Verdict::Disagreed(Disagreement::Executions { got, expected }));
        }
        Ok(self.compare(way, &answer, &other))
    }

    /// What to call the tool with, and what `exhaustive` says, for people.
    pub fn explain(&mut self, way: &Way) -> Result<Vec<String>, Error> {
        let words = self.words(way, Races::Reported).join(" ");
        let truth = self.truth(way.judged_by(), Races::Reported)?;
        let truth = truth.map_or_else(|| "too much to look at".to_owned(), |truth| truth.describe());
        Ok(vec![format!("selvedge check {words}"), format!("exhaustive, {}: {truth}", way.judged_by())])
    }

    fn words<'w>(&'w self, way: &'w Way, races: Races) -> Vec<&'w str> {
        let races: &[&str] = if races == Races::Allowed { &["--allow", RACE] } else { &[] };
        let limit: &[&str] = if self.is_limited() { &[] } else { &["--time-limit", LIMIT] };
        let program = self.program.words();
        way.words().into_iter().chain(program).chain(races.iter().chain(limit).copied()).collect()
    }

    /// Whether the program is to be checked with a time limit of its own.
    fn is_limited(&self) -> bool {
        self.program.words().any(|word| word == "--time-limit")
    }

    /// Whether the program is to be checked with bounds.
    fn has_bound(&self) -> bool {
        self.program.words().any(|word| matches!(word, "--unroll" | "--max-steps"))
    }

    /// What `exhaustive` says with the program's own options; nothing, if that is too much.
    fn truth(&mut self, model: &'static str, races: Races) -> Result<Option<Answer>, Error> {
        if let Some(known) = self.truths.get(&(model, races)) {
            return Ok(known.clone());
        }
        let answer = self.exhaustive(model, races, Bounds::Asked)?;
        self.truths.insert((model, races), answer.clone());
        Ok(answer)
    }

    /// What `exhaustive` says; nothing, if that is too much.
    fn exhaustive(&self, model: &str, races: Races, bounds: Bounds) -> Result<Option<Answer>, Error> {
        let mut words = ["--model", model, "--explorer", "exhaustive", "--classes", "--keep-going"]
            .map(str::to_owned)
            .to_vec();
        for (name, value) in self.program.options.iter().filter(|(name, _)| name != "--time-limit") {
            let bound = value.parse::<u64>().ok().filter(|_| bounds == Bounds::Wider);
            words.extend([name.clone(), bound.map_or(value.clone(), |bound| (bound + 3).to_string())]);
        }
        if races == Races::Allowed {
            words.extend(["--allow", RACE].map(str::to_owned));
        }
        words.extend(["--time-limit", TRUTH_LIMIT].map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Ok(match self.check(&words)? {
            Run::Answered(answer) if !answer.late => Some(answer),
            _ => None,
        })
    }

    fn check(&self, words: &[&str]) -> Result<Run, Error> {
        let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
        Ok(answer::check(self.tools, folder.path(), &self.text, words)?.0)
    }

    fn run(&self, way: &Way, races: Races) -> Result<Result<Answer, Verdict>, Error> {
        Ok(match self.check(&self.words(way, races))? {
            Run::Answered(answer) if answer.late && !self.is_limited() => Err(Verdict::LeftOut),
            Run::Answered(answer) => Ok(answer),
            Run::Unsupported => Err(Verdict::LeftOut),
            Run::Broken(what) => Err(Verdict::Disagreed(Disagreement::Broken(what))),
        })
    }

    fn compare(&self, way: &Way, answer: &Answer, truth: &Answer) -> Verdict {
        // With store buffers it does not follow which access of a race comes second.
        let places = |found: &BTreeSet<Violation>| match way.model {
            "sc" => found.clone(),
            _ => found
                .iter()
                .map(|(kind, line)| (kind.clone(), if kind == RACE { 0 } else { *line }))
                .collect(),
        };
        let (mut expected, found) = (places(&truth.found), places(&answer.found));
        // Documented: to graphs, a thread that writes in each round does not wait; then a bound ends it, and that is said.
        let livelock = |violation: &Violation| violation.0 == LIVELOCK && !found.contains(violation);
        let excused = way.engine == Engine::Graphs && answer.limited && expected.iter().any(livelock);
        expected.retain(|violation| !excused || !livelock(violation));
        let missed: BTreeSet<_> = expected.difference(&found).cloned().collect();
        let invented: BTreeSet<_> = found.difference(&expected).cloned().collect();
        let late = self.is_limited() && answer.late;
        if way.promise != Promise::More && !invented.is_empty() {
            return Verdict::Disagreed(Disagreement::Invented(invented));
        }
        let enough = match way.promise {
            _ if late => true,
            Promise::One => expected.is_empty() || !found.is_empty(),
            _ => missed.is_empty(),
        };
        if !enough {
            return Verdict::Disagreed(Disagreement::Missed(missed));
        }
        let expected = match answer.found.is_empty() {
            false => "violation",
            true if late => "incomplete",
            // The same holds of loops that end only if somebody else goes on.
            true if excused || way.engine == Engine::Graphs && answer.limited && self.has_bound() => BOUNDED,
            true => truth.verdict.as_str(),
        };
        if answer.verdict != expected {
            let (got, expected) = (answer.verdict.clone(), expected.to_owned());
            return Verdict::Disagreed(Disagreement::Verdict { got, expected });
        }
        match truth.classes {
            Some(expected)
                if way.promise == Promise::Counted
                    && truth.verdict == VERIFIED
                    && !(truth.limited || late)
                    && answer.executions != expected =>
            {
                Verdict::Disagreed(Disagreement::Executions { got: answer.executions, expected })
            }
            _ => Verdict::Agreed,
        }
    }

    /// Compares what graphs have found where there are data races: one of these, and nothing that does not exist.
    fn compare_with_races(&self, way: &Way, answer: &Answer, truth: &Answer, without: &Answer) -> Verdict {
        let exists = |violation: &&Violation| {
            violation.0 == RACE || truth.found.contains(*violation) || without.found.contains(*violation)
        };
        let invented: BTreeSet<_> = answer.found.iter().filter(|v| !exists(v)).cloned().collect();
        if way.promise != Promise::More && !invented.is_empty() {
            return Verdict::Disagreed(Disagreement::Invented(invented));
        }
        // Documented: of an access to what another thread has freed, without anything that orders the two, graphs say only that it
        // is gone.
        let is_gone = |line: u64| GONE.iter().any(|kind| answer.found.contains(&((*kind).to_owned(), line)));
        let races = truth.found.iter().filter(|(kind, line)| kind == RACE && !is_gone(*line));
        let races: BTreeSet<_> = races.cloned().collect();
        let enough = match way.promise {
            _ if self.is_limited() && answer.late => true,
            Promise::One => !answer.found.is_empty(),
            _ => answer.has_race() || races.is_empty(),
        };
        match enough {
            true => Verdict::Agreed,
            false => Verdict::Disagreed(Disagreement::Missed(races)),
        }
    }
}
