//! The interface: events, literals, clauses, questions, answers.
//!
//! A literal that follows from the fixed order is a constant, and constants disappear from clauses. All else is a variable of the
//! search; there is one only for pairs of events that were asked for, and only their events are nodes of the
//! [theory](crate::theory).
//!
//! Everything may grow between questions; nothing is ever taken back. What should hold for one question only is an assumption, or
//! depends on a variable that is assumed. What was learnt for one question helps with the next.
//!
//! Events have ranks, say their places in an observed execution. They decide ties: where the literals leave the order open, a
//! [model](Model) has the event with the smaller rank first, and the search tries this first, too.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashMap;

use crate::fixed::{FixedOrder, Insertion};
use crate::host::{Host, Preference, SearchResult};
use crate::linearise;
use crate::literal::{Event, Lit};
use crate::theory::Node;

/// A problem, and its solver.
pub struct OrderSolver {
    fixed: FixedOrder,
    ranks: Vec<u64>,
    /// The nodes of events, and the events of nodes.
    nodes: Vec<Option<Node>>,
    events: Vec<Event>,
    pub(crate) host: Host,
    /// Conjunctions that have a literal already.
    pub(crate) gates: FxHashMap<Box<[Lit]>, Lit>,
    budget: Option<u64>,
    stop: Option<Arc<AtomicBool>>,
    /// The edges between events of the last model, apart from the fixed ones.
    edges: Vec<(u32, u32)>,
    calls: u64,
    literals: u64,
    clause: Vec<Lit>,
}

/// What came of a question.
#[derive(Debug)]
pub enum Answer<'a> {
    /// It is possible, in this way.
    Sat(Model<'a>),
    /// It is impossible: these assumptions contradict each other and the clauses. If there are none, nothing is possible any more.
    Unsat(Vec<Lit>),
    /// The budget was spent, or someone asked to stop.
    Interrupted,
}

/// Sizes, and what was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Events.
    pub events: usize,
    /// Events that literals speak of.
    pub nodes: usize,
    /// Edges of the fixed order, without those that followed from others.
    pub fixed_edges: usize,
    /// Chains that cover the fixed order.
    pub chains: usize,
    /// Pairs of events with a variable.
    pub atoms: usize,
    /// Other variables, those for conjunctions and disjunctions included.
    pub variables: usize,
    /// Clauses of two literals and more that the problem has, those for conjunctions and disjunctions included.
    pub clauses: u64,
    /// Literals of all clauses that were added.
    pub literals: u64,
    /// Questions.
    pub calls: u64,
    /// Decisions of the search.
    pub decisions: u64,
    /// Conflicts of the search.
    pub conflicts: u64,
    /// Those of them that were cycles.
    pub cycles: u64,
    /// Literals that were propagated.
    pub propagations: u64,
    /// Those of them that followed from the order.
    pub consequences: u64,
}

impl Default for OrderSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl OrderSolver {
    /// No events, no clauses.
    pub fn new() -> OrderSolver {
        OrderSolver {
            fixed: FixedOrder::default(),
            ranks: Vec::new(),
            nodes: Vec::new(),
            events: Vec::new(),
            host: Host::new(),
            gates: FxHashMap::default(),
            budget: None,
            stop: None,
            edges: Vec::new(),
            calls: 0,
            literals: 0,
            clause: Vec::new(),
        }
    }

    /// One event more. Its rank is its number.
    pub fn event(&mut self) -> Event {
        let number = self.ranks.len();
        self.event_with_rank(number as u64)
    }

    /// One event more, with a rank. Of two events with the same rank, the older one counts as smaller.
    pub fn event_with_rank(&mut self, rank: u64) -> Event {
        let event = Event(self.ranks.len() as u32);
        self.fixed.push();
        self.ranks.push(rank);
        self.nodes.push(None);
        event
    }

    /// From now on, `first` is before `second`. If that contradicts what is fixed already, nothing is possible any more.
    pub fn fixed(&mut self, first: Event, second: Event) {
        self.admit(first.max(second));
        match self.fixed.insert(first.0, second.0) {
            Insertion::Known => {}
            Insertion::Cycle => self.host.clause(&[]),
            Insertion::New => {
                let up_to = |event: Event| event == first || self.fixed.before(event.0, first.0);
                let from = |event: Event| event == second || self.fixed.before(second.0, event.0);
                let (before, after) = (self.nodes_where(up_to), self.nodes_where(from));
                if !before.is_empty() && !after.is_empty() {
                    self.host.fix(&before, &after);
                }
            }
        }
    }

    /// Whether the fixed order alone says that `first` is before `second`.
    pub fn is_fixed(&self, first: Event, second: Event) -> bool {
        first.max(second).index() < self.ranks.len() && self.fixed.before(first.0, second.0)
    }

    /// The literal that says that `first` is before `second`. Its negation says that `second` is before `first`; an event is not
    /// before itself.
    pub fn before(&mut self, first: Event, second: Event) -> Lit {
        self.admit(first.max(second));
        if first == second || self.fixed.before(second.0, first.0) {
            return Lit::FALSE;
        }
        if self.fixed.before(first.0, second.0) {
            return Lit::TRUE;
        }
        let nodes = (self.node(first), self.node(second));
        if let Some(&lit) = self.host.atoms.literals.get(&nodes) {
            return lit;
        }
        if (self.ranks[first.index()], first) < (self.ranks[second.index()], second) {
            self.host.atom(nodes.0, nodes.1)
        } else {
            !self.host.atom(nodes.1, nodes.0)
        }
    }

    /// A new variable that means nothing by itself.
    pub fn var(&mut self) -> Lit {
        self.host.variable(Preference::Last)
    }

    /// From now on, one of these literals holds. If there are none, nothing is possible any more.
    pub fn clause(&mut self, literals: &[Lit]) {
        if literals.contains(&Lit::TRUE) {
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(literals.iter().copied().filter(|&lit| lit != Lit::FALSE));
        clause.iter().for_each(|&lit| self.admit_literal(lit));
        self.literals += clause.len() as u64;
        self.host.clause(&clause);
        self.clause = clause;
    }

    /// How many conflicts each question may take from now on. The same budget gives the same answer, always.
    pub fn set_budget(&mut self, conflicts: Option<u64>) {
        self.budget = conflicts;
    }

    /// Questions end soon after this becomes true.
    pub fn set_stop(&mut self, stop: Option<Arc<AtomicBool>>) {
        self.stop = stop;
    }

    /// Looks for an order and values of the variables for which all clauses and assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer<'_> {
        self.calls += 1;
        assumptions.iter().for_each(|&lit| self.admit_literal(lit));
        let (events, edges) = (&self.events, &mut self.edges);
        let outcome = self.host.solve(assumptions, self.budget, self.stop.clone(), |theory| {
            edges.clear();
            edges.extend(theory.edges().map(|(a, b)| (events[a as usize].0, events[b as usize].0)));
        });
        match outcome {
            SearchResult::Sat => Answer::Sat(Model { order: self }),
            SearchResult::Unsat => Answer::Unsat(self.host.core()),
            SearchResult::Interrupted => Answer::Interrupted,
        }
    }

    /// Sizes and counts.
    pub fn statistics(&self) -> Statistics {
        let atoms = self.host.atoms.literals.len() / 2;
        Statistics {
            events: self.ranks.len(),
            nodes: self.events.len(),
            fixed_edges: self.fixed.edges(),
            chains: self.fixed.chains(),
            atoms,
            variables: self.host.variables() - 1 - atoms,
            clauses: self.host.clauses(),
            literals: self.literals,
            calls: self.calls,
            decisions: self.host.decisions(),
            conflicts: self.host.conflicts(),
            cycles: self.host.atoms.cycles,
            propagations: self.host.propagations(),
            consequences: self.host.atoms.consequences,
        }
    }

    /// The node of an event; a new one must learn its place in the fixed order.
    fn node(&mut self, event: Event) -> Node {
        if let Some(node) = self.nodes[event.index()] {
            return node;
        }
        let before = self.nodes_where(|other| self.fixed.before(other.0, event.0));
        let after = self.nodes_where(|other| self.fixed.before(event.0, other.0));
        let node = self.host.atoms.theory.add_node();
        self.nodes[event.index()] = Some(node);
        self.events.push(event);
        if !before.is_empty() {
            self.host.fix(&before, &[node]);
        }
        if !after.is_empty() {
            self.host.fix(&[node], &after);
        }
        node
    }

    fn nodes_where(&self, condition: impl Fn(Event) -> bool) -> Vec<Node> {
        let chosen = self.events.iter().enumerate().filter(|&(_, &event)| condition(event));
        chosen.map(|(node, _)| node as Node).collect()
    }

    /// Events of another problem can only be meant as the events of the same numbers here.
    fn admit(&mut self, event: Event) {
        while self.ranks.len() <= event.index() {
            self.event();
        }
    }

    /// Literals of another problem likewise.
    fn admit_literal(&mut self, lit: Lit) {
        while self.host.variables() <= lit.variable() {
            self.var();
        }
    }
}

/// A way in which all clauses and assumptions hold. It lasts until the problem changes.
pub struct Model<'a> {
    order: &'a OrderSolver,
}

impl Model<'_> {
    /// Whether a literal holds.
    pub fn value(&self, lit: Lit) -> bool {
        lit == Lit::TRUE || lit != Lit::FALSE && self.order.host.value(lit)
    }

    /// All events in order. What literals and fixed edges leave open, ranks decide: the smallest that may come next comes next.
    pub fn sequence(&self) -> Vec<Event> {
        linearise::sequence(&self.order.fixed, &self.order.edges, &self.order.ranks)
    }

    /// The events that must come before these, and these, in order.
    pub fn prefix(&self, last: &[Event]) -> Vec<Event> {
        let mut sequence = self.sequence();
        linearise::keep_prefix(&mut sequence, last, &self.order.fixed, &self.order.edges);
        sequence
    }
}

impl std::fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("sequence", &self.sequence()).finish_non_exhaustive()
    }
}
