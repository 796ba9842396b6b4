//! What is asked of a program.

use selvedge_explore::{Counting, Explorer, Finds, Options, Property};
use selvedge_explore::{Limits, Settings, Updates};
use selvedge_frontend::Promotion;
use selvedge_memory::{LookAhead, Model, ReleaseSequences};
use selvedge_vm::{Config, FaultKind, FaultKinds, Initialisation};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// How many blocks a thread may execute between two visible operations.
const FUEL: u64 = 200_000_000;
/// How many steps a thread may take if not told.
const STEPS: u64 = 200_000;

/// A question about a program. The default asks whether anything is wrong with it, and lets the tool choose how to find out.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// What counts as wrong.
    pub properties: Properties,
    /// The memory model; `None`: that which fits the program.
    pub model: Option<Model>,
    /// How executions are chosen; `None`: as fits the model and the program.
    pub explorer: Option<Explorer>,
    /// What the explorer is told.
    pub options: Options,
    /// How far threads go.
    pub bounds: Bounds,
    /// When to stop. For explorers that sample, the number of executions is how many to run.
    pub limits: Limits,
    /// How many workers explore; `None`: one for each core, if the explorer can have several.
    pub workers: Option<usize>,
    /// How many violations are wanted.
    pub wanted: Wanted,
    /// What is wanted of each.
    pub detail: Detail,
    /// Which executions are written down.
    pub record: Record,
}

/// What counts as wrong.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    /// What does not, although it would by default.
    pub allowed: Vec<FaultKind>,
    /// Whether values that were never set may decide nothing.
    pub uninitialised: bool,
    /// Whether heap objects may not be lost.
    pub leaks: bool,
    /// Whether only one thing counts: an execution that sequential consistency does not have.
    pub robustness: bool,
    /// What synchronises with what.
    pub sequences: ReleaseSequences,
}

/// How far threads go, and what they are given.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// How often a thread may perform the same operation in the same call.
    pub unroll: Option<u32>,
    /// How many steps a thread may take.
    pub steps: u64,
    /// The numbers that `__VERIFIER_nondet_*` functions give.
    pub nondet: RangeInclusive<i32>,
    /// How often each thread may be woken from a condition variable without a signal.
    pub spurious_wakeups: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { unroll: None, steps: STEPS, nondet: 0..=1, spurious_wakeups: 0 }
    }
}

/// How many violations are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// The first that is found.
    #[default]
    First,
    /// All of them, each kind and place once.
    All,
}

/// What is wanted of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// A schedule with few switches, and what happens in it. Violations that graphs have found in place of steps are told by
    /// steps.
    #[default]
    Told,
    /// Only what was found, and the schedule that it was found with: for who asks many questions, and looks at the violation at
    /// most. If graphs have found it in place of steps, that is a schedule of graphs.
    AsFound,
}

/// Which executions are written down as graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Record {
    /// None.
    #[default]
    Nothing,
    /// That of the first violation: [`crate::Outcome::graph`].
    First,
    /// Every violating one, as it ends: [`crate::Observer::violating`].
    All,
    /// Both.
    FirstAndAll,
}

impl Record {
    /// Whether that of the first violation is.
    pub fn has_first(self) -> bool {
        matches!(self, Record::First | Record::FirstAndAll)
    }

    /// Whether all are.
    pub fn has_all(self) -> bool {
        matches!(self, Record::All | Record::FirstAndAll)
    }
}

impl Request {
    /// The same under a model.
    pub fn model(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// The same with an explorer.
    pub fn explorer(self, explorer: Explorer) -> Self {
        Self { explorer: Some(explorer), ..self }
    }

    /// The same with so many workers.
    pub fn workers(self, workers: usize) -> Self {
        Self { workers: Some(workers), ..self }
    }

    /// The same, but something is not wrong.
    pub fn allow(mut self, kind: FaultKind) -> Self {
        self.properties.allowed.push(kind);
        self
    }

    /// The same, but all violations are wanted.
    pub fn all_violations(self) -> Self {
        Self { wanted: Wanted::All, ..self }
    }

    /// The same, but violations are given as they are found.
    pub fn as_found(self) -> Self {
        Self { detail: Detail::AsFound, ..self }
    }

    /// Whether a program does anything under a model that it does not do under sequential consistency.
    pub fn robustness(mut self, model: Model) -> Self {
        self.properties.robustness = true;
        self.model(model)
    }

    /// The same, to be answered within some time from now on.
    pub fn within(mut self, time: Duration) -> Self {
        self.limits.deadline = Some(Instant::now() + time);
        self
    }

    /// Whether the model is to be chosen by what the program does: nothing says which, and no explorer was named that has
    /// sequential consistency only.
    pub fn chooses_model(&self) -> bool {
        let graphs = self.explorer.is_none_or(|explorer| explorer.about().goes_with(Model::Rc11));
        let steps = self.options.preemptions.is_some() || self.options.classes;
        self.model.is_none() && !self.properties.robustness && graphs && !steps
    }

    /// How local variables have to be compiled.
    pub fn promotion(&self) -> Promotion {
        match self.properties.uninitialised {
            true => Promotion::Off,
            false => Promotion::On,
        }
    }

    /// The kinds of violations that are not reported by an explorer.
    pub fn allowed(&self, explorer: Explorer) -> Vec<FaultKind> {
        let properties = &self.properties;
        let mut allowed = match properties.robustness {
            true => FaultKind::ALL.into_iter().filter(|kind| *kind != FaultKind::NotRobust).collect(),
            false => properties.allowed.clone(),
        };
        let finds_races = match explorer.about().finds(Property::Races) {
            Finds::Always => true,
            Finds::Predicted => self.options.predict,
            Finds::Never => false,
        };
        if !finds_races {
            // Whether two accesses race is not told by what is read.
            allowed.push(FaultKind::DataRace);
        }
        allowed
    }

    /// What a session looks for; no limits are set.
    pub(crate) fn settings(&self, explorer: Explorer) -> Settings {
        Settings {
            allowed: self.allowed(explorer),
            keep_going: self.wanted == Wanted::All,
            limits: Limits::default(),
            robust: self.properties.robustness,
            sequences: self.properties.sequences,
            look_ahead: LookAhead::Off,
            updates: self.updates(explorer),
        }
    }

    /// Whether executions that differ only in the order of updates that commute are the same to an explorer.
    fn updates(&self, explorer: Explorer) -> Updates {
        let about = explorer.about();
        let counts = about.counts != Counting::Orders || self.options.classes;
        // Which executions sequential consistency has, and how many preemptions one needs, depends on their order.
        match !counts || self.properties.robustness || self.options.preemptions.is_some() {
            true => Updates::Ordered,
            false => about.updates(),
        }
    }

    /// How the machine behaves.
    pub(crate) fn config(&self, explorer: Explorer) -> Config {
        let allowed: FaultKinds = self.allowed(explorer).into_iter().collect();
        // A value that was never set is a value like any other, if that is allowed.
        let tracks = self.properties.uninitialised && !allowed.contains(FaultKind::Uninitialised);
        Config {
            initialisation: if tracks { Initialisation::Tracked } else { Initialisation::Ignored },
            leaks: self.properties.leaks,
            allowed,
            fuel: FUEL,
            spurious_wakeups: self.bounds.spurious_wakeups,
            nondet: self.bounds.nondet.clone(),
            ..Config::default()
        }
    }

    /// How far threads may go.
    pub(crate) fn thread_bounds(&self) -> selvedge_memory::Bounds {
        selvedge_memory::Bounds { unroll: self.bounds.unroll, steps: Some(self.bounds.steps) }
    }
}
