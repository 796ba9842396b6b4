//! The search: `batsat` 0.6, a descendant of MiniSat, with the theory of order beside it.
//!
//! This is the only file that knows `batsat`. After each round of unit propagation it shows the theory what it has assigned
//! (`partial_check`); the theory answers with a conflict or with literals that follow. Each is explained only if the analysis of a
//! conflict asks for it; [`Atoms::stamps`] remembers how many edges there were when it was found.
//!
//! *Determinism.* `batsat` draws random numbers only for options that are off here, from a seed that is a constant; it looks at
//! neither clock nor addresses, and hashes nothing. (Checked by reading 0.6.0, and by a test that solves everything twice.)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use batsat::{Callbacks, ClauseKind, Lit as HostLit, SolverInterface, SolverOpts, TheoryArg, Var, lbool};
use rustc_hash::FxHashMap;

use crate::literal::Lit;
use crate::theory::{Node, Theory};

/// Not fewer learnt clauses than this are kept. The default, a third of the clauses, is too few where most of the problem is in the
/// theory.
const LEARNT_CLAUSES: i32 = 2000;

/// What a search ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchResult {
    Sat,
    Unsat,
    Interrupted,
}

/// Which way a variable is decided first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    /// Always so.
    Positive,
    /// As it was assigned last.
    Last,
}

/// The clauses with the theory.
pub(crate) struct Host {
    solver: batsat::Solver<Guard>,
    pub(crate) atoms: Atoms,
    clause: Vec<HostLit>,
}

impl Host {
    pub(crate) fn new() -> Host {
        let options = SolverOpts { min_learnts_lim: LEARNT_CLAUSES, ..SolverOpts::default() };
        let mut host = Host {
            solver: batsat::Solver::new(options, Guard::default()),
            atoms: Atoms::default(),
            clause: Vec::new(),
        };
        let constant = host.variable(Preference::Positive);
        host.clause(&[constant]);
        host
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, preference: Preference) -> Lit {
        let polarity = match preference {
            Preference::Positive => lbool::TRUE,
            Preference::Last => lbool::UNDEF,
        };
        let variable = self.solver.new_var(polarity, true);
        self.atoms.pairs.push(None);
        self.atoms.stamps.push(0);
        Lit(HostLit::new(variable, true).idx())
    }

    pub(crate) fn variables(&self) -> usize {
        self.atoms.pairs.len()
    }

    /// A new variable that says that one node is before another.
    pub(crate) fn atom(&mut self, first: Node, second: Node) -> Lit {
        let lit = self.variable(Preference::Positive);
        self.atoms.pairs[lit.variable()] = Some((first, second));
        self.atoms.literals.insert((first, second), lit);
        self.atoms.literals.insert((second, first), !lit);
        self.atoms.theory.watch(first, second);
        if self.atoms.theory.before(first, second) {
            self.clause(&[lit]);
        } else if self.atoms.theory.before(second, first) {
            self.clause(&[!lit]);
        }
        lit
    }

    /// All of the `first` are before all of the `second`, from now on.
    pub(crate) fn fix(&mut self, first: &[Node], second: &[Node]) {
        if self.atoms.theory.fix(first, second).is_err() {
            self.clause(&[]);
        }
        let implied = std::mem::take(self.atoms.theory.implied());
        for pair in &implied {
            if let Some(&lit) = self.atoms.literals.get(pair) {
                self.clause(&[lit]);
            }
        }
    }

    /// One of these holds, from now on.
    pub(crate) fn clause(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend(literals.iter().map(|&lit| to_host(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Searches. Afterwards `on_model` sees the theory as it is in the model, if there is one.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
        stop: Option<Arc<AtomicBool>>,
        mut on_model: impl FnMut(&Theory),
    ) -> SearchResult {
        let assumptions: Vec<HostLit> = assumptions.iter().map(|&lit| to_host(lit)).collect();
        *self.solver.cb_mut() = Guard { stop, conflicts_left: conflicts };
        let outcome = self.solver.solve_limited_preserving_trail_th(&mut self.atoms, &assumptions);
        let outcome = if outcome == lbool::TRUE {
            on_model(&self.atoms.theory);
            SearchResult::Sat
        } else if outcome == lbool::FALSE {
            SearchResult::Unsat
        } else {
            SearchResult::Interrupted
        };
        self.solver.pop_model(&mut self.atoms);
        outcome
    }

    /// After [`SearchResult::Unsat`]: assumptions that cannot hold together.
    pub(crate) fn core(&self) -> Vec<Lit> {
        let mut core: Vec<Lit> = self.solver.unsat_core().iter().map(|&lit| !from_host(lit)).collect();
        core.sort_unstable();
        core
    }

    /// After [`SearchResult::Sat`].
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(to_host(lit)) == lbool::TRUE
    }

    pub(crate) fn clauses(&self) -> u64 {
        self.solver.num_clauses()
    }

    pub(crate) fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }

    pub(crate) fn decisions(&self) -> u64 {
        self.solver.num_decisions()
    }

    pub(crate) fn propagations(&self) -> u64 {
        self.solver.num_propagations()
    }
}

fn to_host(lit: Lit) -> HostLit {
    HostLit::new(Var::unsafe_from_idx(lit.0 >> 1), !lit.is_negated())
}

fn from_host(lit: HostLit) -> Lit {
    Lit(lit.idx())
}

/// Ends a search that takes too long.
#[derive(Default)]
struct Guard {
    stop: Option<Arc<AtomicBool>>,
    conflicts_left: Option<u64>,
}

impl Callbacks for Guard {
    fn on_new_clause(&mut self, _: &[HostLit], _: ClauseKind) {
        if let Some(left) = &mut self.conflicts_left {
            *left = left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.conflicts_left == Some(0) || self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The theory, and which literals speak of which nodes.
#[derive(Default)]
pub(crate) struct Atoms {
    pub(crate) theory: Theory,
    /// What each variable says: the first is before the second.
    pairs: Vec<Option<(Node, Node)>>,
    /// The way back, for both ways round.
    pub(crate) literals: FxHashMap<(Node, Node), Lit>,
    /// For literals that the theory has found: how many edges there were.
    stamps: Vec<u32>,
    /// How much of what is assigned the theory has seen, now and at the beginning of each level.
    seen: usize,
    levels: Vec<usize>,
    explanation: Vec<HostLit>,
    pub(crate) cycles: u64,
    pub(crate) consequences: u64,
}

impl Atoms {
    /// The nodes that a literal speaks of, the one that it says is before the other first.
    fn pair(&self, lit: HostLit) -> Option<(Node, Node)> {
        let (first, second) = (*self.pairs.get(lit.var().idx() as usize)?)?;
        Some(if lit.sign() { (first, second) } else { (second, first) })
    }

    fn check(&mut self, search: &mut TheoryArg) {
        while let Some(&lit) = search.model().get(self.seen) {
            self.seen += 1;
            let Some((first, second)) = self.pair(lit) else { continue };
            if self.theory.assert(first, second, lit.idx()).is_err() {
                self.cycles += 1;
                self.explanation.clear();
                self.explanation.push(!lit);
                self.explanation.extend(self.theory.path().iter().map(|&tag| !to_host(Lit(tag))));
                search.raise_conflict(&self.explanation, false);
                return;
            }
        }
        let asserted = self.theory.asserted() as u32;
        let mut implied = std::mem::take(self.theory.implied());
        for pair in implied.drain(..) {
            let Some(&lit) = self.literals.get(&pair) else { continue };
            let lit = to_host(lit);
            if search.value(lit.var()) == lbool::UNDEF {
                self.stamps[lit.var().idx() as usize] = asserted;
                self.consequences += 1;
                search.propagate(lit);
            }
        }
        *self.theory.implied() = implied;
    }
}

impl batsat::Theory for Atoms {
    fn partial_check(&mut self, search: &mut TheoryArg) {
        self.check(search);
    }

    fn final_check(&mut self, search: &mut TheoryArg) {
        self.check(search);
    }

    fn create_level(&mut self) {
        self.levels.push(self.seen);
        self.theory.push();
    }

    fn pop_levels(&mut self, count: usize) {
        let depth = self.levels.len().saturating_sub(count);
        if let Some(&seen) = self.levels.get(depth) {
            self.seen = seen;
        }
        self.levels.truncate(depth);
        self.theory.pop(count);
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    fn explain_propagation(&mut self, lit: HostLit) -> &[HostLit] {
        self.explanation.clear();
        if let Some((first, second)) = self.pair(lit) {
            let limit = self.stamps[lit.var().idx() as usize] as usize;
            let path = self.theory.explain(first, second, limit);
            self.explanation.extend(path.iter().map(|&tag| to_host(Lit(tag))));
        }
        &self.explanation
    }
}
