//! What is compared: for which model each program is made, and which explorers are asked about it under which models.

use std::collections::BTreeSet;

use clap::ValueEnum;
use selvedge_oracle::{LoopKind, Model, ReleaseSequences, graphs};

use super::explorer::Explorer;
use super::judge::{Asked, Judge};
use super::truth::Under;

/// The explorers that are compared if none are named.
const EXPLORERS: [&str; 8] =
    ["optimal", "default-2", "workers-3", "source", "classic", "bounded-1", "exhaustive", "context"];

/// Those that are compared if they are explored in this process. (`context` without a bound takes as long as all others together.)
pub const DIRECT: [&str; 12] = [
    "optimal",
    "default",
    "source",
    "classic",
    "bounded-1",
    "exhaustive",
    "mcr",
    "se-mcr",
    "patience-0",
    "vieq",
    "random",
    "pct",
];

/// The same of programs in which threads wait in loops: those who leave out rounds that lead nowhere, or only sample. (To the others
/// each round is an execution of its own, or the exploration has no end.)
pub const DIRECT_LOOPS: [&str; 6] = ["optimal", "default", "source", "exhaustive", "random", "pct"];
const SLOW_LOOPS: [&str; 3] = ["context-1", "context", "workers-2"];

/// Those that take long: to start several workers takes as long as to explore a program.
const SLOW: [&str; 4] = ["context-1", "workers-2", "se-mcr-2", "vieq-2"];

/// The same of execution graphs.
const GRAPHS: [&str; 1] = ["graph"];
const SLOW_GRAPHS: [&str; 1] = ["graph-2"];

/// Which explorers leave out which rounds that lead nowhere, of loops of these kinds: there the number of executions is compared. (What
/// they find is compared always.) Explorers are named as here, without numbers; graphs are another entry.
const LEAVING_OUT: [(&str, &[LoopKind]); 9] = [
    ("optimal", &[LoopKind::Await]),
    ("default", &[LoopKind::Await]),
    ("workers", &[LoopKind::Await]),
    ("source", &[LoopKind::Await]),
    ("classic", &[]),
    ("bounded", &[]),
    ("exhaustive", &[LoopKind::Await]),
    ("context", &[LoopKind::Await]),
    ("graph", &[LoopKind::Await]),
];

/// Whether an explorer leaves out all rounds that lead nowhere of loops of these kinds, so that its number of executions can be compared. Those
/// that only sample have no number.
pub fn leaves_out(explorer: &Explorer, model: Under, kinds: &BTreeSet<LoopKind>) -> bool {
    let family = match model {
        Under::Graphs(_) => "graph",
        Under::Steps(_) => match explorer.name.rsplit_once('-') {
            Some((family, number)) if number.parse::<u32>().is_ok() => family,
            _ => &explorer.name,
        },
    };
    let left_out = LEAVING_OUT.iter().find(|(name, _)| *name == family).map_or(&[][..], |(_, kinds)| *kinds);
    kinds.iter().all(|kind| left_out.contains(kind))
}

/// Those that take long are compared on one of this many programs.
const RARELY: u64 = 25;

/// Execution graphs are enumerated for these models at once.
const MODELS_OF_GRAPHS: [graphs::Model; 4] =
    [graphs::Model::Rc11, graphs::Model::ReleaseAcquire, graphs::Model::Tso, graphs::Model::Sc];

/// The memory models to compare under.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Models {
    /// Sequential consistency
    Sc,
    /// Total store order
    Tso,
    /// Partial store order
    Pso,
    /// RC11, by execution graphs
    Rc11,
    /// RC11, release-acquire, TSO and SC by execution graphs, one after the other
    Graphs,
    /// SC, TSO, PSO and RC11, one after the other
    All,
}

impl Models {
    /// The models, each of which has programs of its own.
    fn list(self) -> Vec<Under> {
        let rc11 = Under::Graphs(graphs::Model::Rc11);
        match self {
            Self::Sc => vec![Under::Steps(Model::Sc)],
            Self::Tso => vec![Under::Steps(Model::Tso)],
            Self::Pso => vec![Under::Steps(Model::Pso)],
            Self::Rc11 => vec![rc11],
            Self::Graphs => {
                // What RC11 is called depends on the release sequences.
                let named = |model: &graphs::Model| *model != graphs::Model::Rc11AsPublished;
                graphs::Model::ALL.into_iter().filter(named).map(Under::Graphs).collect()
            }
            Self::All => Model::ALL.map(Under::Steps).into_iter().chain([rc11]).collect(),
        }
    }

    /// The models by execution graphs under which every program is compared in this process.
    fn of_graphs(self) -> &'static [graphs::Model] {
        match self {
            Self::Sc => &[graphs::Model::Sc],
            Self::Tso => &[graphs::Model::Tso],
            Self::Pso => &[],
            Self::Rc11 => &[graphs::Model::Rc11],
            Self::Graphs | Self::All => &MODELS_OF_GRAPHS,
        }
    }
}

/// What continues release sequences.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// Later stores of the same thread, and read-modify-writes
    C11,
    /// Read-modify-writes only
    C20,
    /// One and the other
    Both,
}

impl Rules {
    fn list(self) -> Vec<ReleaseSequences> {
        match self {
            Self::C11 => vec![ReleaseSequences::C11],
            Self::C20 => vec![ReleaseSequences::C20],
            Self::Both => ReleaseSequences::ALL.to_vec(),
        }
    }
}

/// What the user asks for.
pub struct Wanted<'a> {
    /// Who explores: the tool, or this process.
    pub asked: Asked<'a>,
    /// The explorers; none: all.
    pub explorers: &'a [String],
    /// The memory models.
    pub models: Option<Models>,
    /// What continues release sequences.
    pub rules: Rules,
    /// Programs with more executions are left out.
    pub most: u64,
    /// Whether the oracle merges executions.
    pub merge: bool,
    /// Whether threads wait in loops.
    pub loops: bool,
}

/// On how many programs something is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Often {
    Always,
    Rarely,
}

/// What is compared.
pub struct Plan<'a> {
    /// For what programs are made, one after the other.
    models: Vec<Under>,
    rules: Vec<ReleaseSequences>,
    /// All that is compared.
    pub judges: Vec<Judge<'a>>,
    /// How often each is.
    often: Vec<Often>,
    /// Under which models every program is compared besides.
    besides: Vec<Under>,
}

impl<'a> Plan<'a> {
    /// What is to be compared.
    pub fn new(wanted: &Wanted<'a>) -> Self {
        let is_direct = !wanted.asked.is_tool();
        let models = wanted.models.unwrap_or(if is_direct { Models::All } else { Models::Sc });
        let is_graph = |name: &String| name == "graph" || name.starts_with("graph-");
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let (named_graphs, mut steps): (Vec<String>, Vec<String>) = match is_direct {
            true => wanted.explorers.iter().cloned().partition(is_graph),
            false => (Vec::new(), wanted.explorers.to_vec()),
        };
        let (mut graphs, mut slow_steps, mut slow_graphs) = (named_graphs, Vec::new(), Vec::new());
        if wanted.explorers.is_empty() {
            let (often, rarely): (&[&str], &[&str]) = match (is_direct, wanted.loops) {
                (false, _) => (&EXPLORERS, &[]),
                (true, false) => (&DIRECT, &SLOW),
                (true, true) => (&DIRECT_LOOPS, &SLOW_LOOPS),
            };
            (steps, slow_steps) = (names(often), names(rarely));
            if is_direct && !wanted.loops {
                (graphs, slow_graphs) = (names(&GRAPHS), names(&SLOW_GRAPHS));
            }
        }
        if steps.iter().any(|name| name == "se-mcr") && !is_direct {
            let more = names(&["patience-0", "patience-3"]);
            steps.extend(more.into_iter().filter(|name| !wanted.explorers.contains(name)));
        }
        let besides = match graphs.is_empty() {
            true => Vec::new(),
            false => models.of_graphs().iter().copied().map(Under::Graphs).collect(),
        };
        let mut plan = Self {
            models: match (is_direct, models) {
                // All are made alike, and each is compared under all.
                (true, Models::Graphs) => vec![Under::Graphs(graphs::Model::Rc11)],
                _ => models.list(),
            },
            rules: wanted.rules.list(),
            judges: Vec::new(),
            often: Vec::new(),
            besides,
        };
        if graphs.is_empty() {
            graphs = names(&GRAPHS);
        }
        let mut under = plan.models.clone();
        under.extend(plan.besides.iter().filter(|other| !plan.models.contains(other)));
        for model in under {
            let (always, rarely) = match model {
                Under::Steps(_) => (&steps, &slow_steps),
                Under::Graphs(_) => (&graphs, &slow_graphs),
            };
            for rule in plan.rules.clone() {
                let judges = always.iter().map(|name| (name, Often::Always));
                for (name, often) in judges.chain(rarely.iter().map(|name| (name, Often::Rarely))) {
                    plan.add(wanted.judge(model, rule, name), often);
                }
            }
        }
        plan
    }

    /// Adds a judge, unless there is one that does the same.
    fn add(&mut self, judge: Judge<'a>, often: Often) {
        let name = |judge: &Judge<'_>| judge.explorer.name_under(judge.model);
        let is_same = |other: &Judge<'_>| {
            let of_a_kind = (other.model, other.sequences) == (judge.model, judge.sequences);
            of_a_kind && name(other) == name(&judge)
        };
        if judge.asked.is_tool() || !self.judges.iter().any(is_same) {
            self.judges.push(judge);
            self.often.push(often);
        }
    }

    /// For what the program with a number is made.
    pub fn model(&self, number: u64) -> Under {
        self.models[(number % self.models.len() as u64) as usize]
    }

    /// What continues release sequences in it.
    pub fn rule(&self, number: u64) -> ReleaseSequences {
        self.rules[(number / self.models.len() as u64 % self.rules.len() as u64) as usize]
    }

    /// A number for both.
    pub fn purpose(&self, number: u64) -> u8 {
        (number % (self.models.len() * self.rules.len()) as u64) as u8
    }

    /// Under which models it is compared, first the one that it is made for.
    pub fn models_of(&self, number: u64) -> Vec<Under> {
        let own = self.model(number);
        [own].into_iter().chain(self.besides.iter().copied().filter(|other| *other != own)).collect()
    }

    /// The judges of a program, by their positions.
    pub fn judges_of(&self, number: u64) -> Vec<usize> {
        let models = self.models_of(number);
        let round = number / (self.models.len() * self.rules.len()) as u64;
        let is_of = |at: &usize| {
            let judge = &self.judges[*at];
            let is_turn = self.often[*at] == Often::Always || round.is_multiple_of(RARELY);
            is_turn && judge.sequences == self.rule(number) && models.contains(&judge.model)
        };
        (0..self.judges.len()).filter(is_of).collect()
    }
}

impl<'a> Wanted<'a> {
    fn judge(&self, model: Under, sequences: ReleaseSequences, name: &str) -> Judge<'a> {
        Judge {
            asked: self.asked,
            explorer: Explorer::named(name),
            model,
            sequences,
            most: self.most,
            merge: self.merge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan<'a>(explorers: &'a [String], models: Option<Models>) -> Plan<'a> {
        let asked = Asked::Explorers;
        Plan::new(&Wanted {
            asked,
            explorers,
            models,
            rules: Rules::Both,
            most: 10,
            merge: false,
            loops: false,
        })
    }

    fn names(plan: &Plan<'_>, number: u64) -> Vec<String> {
        plan.judges_of(number).into_iter().map(|at| plan.judges[at].name()).collect()
    }

    #[test]
    fn each_program_is_compared_under_its_model_and_as_graphs() {
        let plan = plan(&[], None);
        let made_for: Vec<&str> = (0..5).map(|number| plan.model(number).name()).collect();
        assert_eq!(made_for, ["sc", "tso", "pso", "rc11", "sc"]);
        // Some are others by another name: `default` and `vieq`, where there are store buffers.
        let (sc, tso, rc11) = (names(&plan, 4 + 8), names(&plan, 5 + 8), names(&plan, 7 + 8));
        assert_eq!(sc.len(), DIRECT.len() + 4);
        assert_eq!(tso.len(), DIRECT.len() - 2 + 4);
        assert_eq!(rc11, ["rc11-graph", "ra-graph", "tso-graph", "sc-graph"]);
        assert!(sc.contains(&"vieq".to_owned()) && sc.contains(&"rc11-graph".to_owned()));
        assert!(!tso.contains(&"tso-vieq".to_owned()) && tso.contains(&"tso-se-mcr".to_owned()));
        // Now and then with those that take long.
        assert_eq!(names(&plan, 0).len(), DIRECT.len() + SLOW.len() + 8);
        assert!(names(&plan, 3).contains(&"c11-ra-graph-2".to_owned()));
        // For each purpose others.
        let purposes: BTreeSet<u8> = (0..40).map(|number| plan.purpose(number)).collect();
        assert_eq!(purposes.len(), 8);
    }

    #[test]
    fn numbers_are_compared_where_all_rounds_are_left_out() {
        let (sc, rc11) = (Under::Steps(Model::Sc), Under::Graphs(graphs::Model::Rc11));
        let with = |name: &str, under, kinds: &[LoopKind]| {
            leaves_out(&Explorer::named(name), under, &kinds.iter().copied().collect())
        };
        for name in ["optimal", "default-2", "workers-3", "exhaustive", "classic", "bounded-1", "mcr"] {
            assert!(with(name, sc, &[]), "{name}");
            assert!(!with(name, sc, &[LoopKind::Await, LoopKind::Effect]), "{name}");
        }
        assert!(with("optimal", sc, &[LoopKind::Await]) && with("workers-3", sc, &[LoopKind::Await]));
        assert!(!with("classic", sc, &[LoopKind::Await]) && !with("bounded-1", sc, &[LoopKind::Await]));
        assert!(with("graph", rc11, &[]));
    }

    #[test]
    fn what_is_named_is_compared() {
        let named = ["optimal".to_owned()];
        let only = plan(&named, Some(Models::Sc));
        assert_eq!(
            (names(&only, 0), names(&only, 1)),
            (vec!["c11-optimal".to_owned()], vec!["optimal".to_owned()])
        );
        let named = ["graph".to_owned()];
        assert_eq!(names(&plan(&named, Some(Models::Tso)), 1), ["tso-graph"]);
        assert_eq!(names(&plan(&[], Some(Models::Rc11)), 1 + 50 * 2 + 2), ["rc11-graph"]);
        assert_eq!(names(&plan(&[], Some(Models::Graphs)), 3).len(), 4);
    }
}
