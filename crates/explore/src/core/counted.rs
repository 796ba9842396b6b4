//! What an exploration has counted besides executions.

/// What an exploration has counted besides executions.
#[derive(Debug, Clone, Copy)]
pub enum Counted {
    /// Nothing.
    Nothing,
    /// Not even these: the exploration was given up.
    TooLittle(Beyond),
    /// Orders of dependent operations.
    Orders(u64),
    /// Views.
    Views(ViewCounts),
    /// Threads of which it does not matter which is which.
    Symmetric(u64),
}

/// What is beyond [`Scope::Orders`](super::Scope::Orders).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// A waiting loop.
    Loop,
    /// An operation on a synchronisation object.
    Operation,
}

/// What an exploration of views has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ViewCounts {
    /// Different views.
    pub views: u64,
    /// Executions whose view had been explored.
    pub redundant: u64,
    /// Whether an execution went another way than was expected: then nothing is certain.
    pub diverged: bool,
    /// Whether orders of dependent operations were explored in place of views, because a synchronisation object was set up
    /// again, the scope of a local variable ended that others could reach, or an object was found by a disguised pointer.
    pub by_orders: bool,
    /// What was done by a solver.
    pub work: SolverWork,
    /// Violations that were predicted.
    pub predicted: u64,
    /// Those of them that were confirmed by running them.
    pub confirmed: u64,
}

/// What was done by a solver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SolverWork {
    /// Executions that were to be run because of its answers.
    pub seeds: u64,
    /// Questions to it.
    pub calls: u64,
    /// Questions that were answered without it.
    pub spared: u64,
    /// Executions that were made into constraints.
    pub problems: u64,
    /// Their literals, all together.
    pub literals: u64,
    /// The most that one of them had.
    pub largest: u64,
    /// Time for making constraints and solving them, in nanoseconds.
    pub nanoseconds: u64,
}

impl SolverWork {
    /// Adds more.
    pub fn add(&mut self, more: SolverWork) {
        self.seeds += more.seeds;
        self.calls += more.calls;
        self.spared += more.spared;
        self.problems += more.problems;
        self.literals += more.literals;
        self.largest = self.largest.max(more.largest);
        self.nanoseconds += more.nanoseconds;
    }
}

/// An estimate of the number of executions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// How many random executions it is from.
    pub walks: u64,
    /// The number of executions.
    pub executions: f64,
    /// The standard error of that.
    pub error: f64,
}

impl Estimate {
    /// The estimate from the random executions of both.
    pub fn with(self, other: Estimate) -> Estimate {
        let (mine, theirs) = (self.walks as f64, other.walks as f64);
        let walks = (mine + theirs).max(1.0);
        Estimate {
            walks: self.walks + other.walks,
            executions: (self.executions * mine + other.executions * theirs) / walks,
            error: (self.error * mine).hypot(other.error * theirs) / walks,
        }
    }
}
