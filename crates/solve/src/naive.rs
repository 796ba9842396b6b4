//! Ground truth for tests and benchmarks: problems as plain data.
//!
//! A [`Problem`] is solved by brute force over all permutations and all values ([`Problem::has_solution`]), or printed as SMT-LIB 2 in
//! the logic QF_IDL, integer difference logic ([`Problem::smt_lib`]), for Z3 and others: an event is the integer at which it happens,
//! a literal compares two of them. Two events may share an integer there, unless a literal that holds forbids it; a total order is then
//! found by breaking ties. So literals are printed one by one, each as a strict comparison, never as a negation of one.
//!
//! Shares no code with the solver but [`Problem::load`], which hands the problem over.

use std::fmt::{self, Write};

use crate::literal::{Event, Lit};
use crate::order::OrderSolver;

/// A literal of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The first event is before the second.
    Before(usize, usize),
    /// A variable is true.
    Is(usize),
    /// A variable is false.
    IsNot(usize),
}

/// Events, what is fixed, variables, clauses.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// How many events.
    pub events: usize,
    /// How many variables.
    pub variables: usize,
    /// Pairs of events of which the first is before the second.
    pub fixed: Vec<(usize, usize)>,
    /// One literal of each holds.
    pub clauses: Vec<Vec<Literal>>,
}

impl Problem {
    /// Whether an order and values satisfy everything. The order is a list of all events.
    pub fn is_solution(&self, order: &[usize], values: &[bool], assumptions: &[Literal]) -> bool {
        let mut place = vec![0; self.events];
        for (index, &event) in order.iter().enumerate() {
            place[event] = index;
        }
        let holds = |&literal: &Literal| match literal {
            Literal::Before(first, second) => place[first] < place[second],
            Literal::Is(variable) => values[variable],
            Literal::IsNot(variable) => !values[variable],
        };
        self.fixed.iter().all(|&(first, second)| place[first] < place[second])
            && assumptions.iter().all(holds)
            && self.clauses.iter().all(|clause| clause.iter().any(holds))
    }

    /// Tries all orders with all values. For up to six events and a few variables.
    pub fn has_solution(&self, assumptions: &[Literal]) -> bool {
        let mut order: Vec<usize> = (0..self.events).collect();
        self.try_orders(&mut order, 0, assumptions)
    }

    fn try_orders(&self, order: &mut [usize], done: usize, assumptions: &[Literal]) -> bool {
        if done == order.len() {
            return (0..1u32 << self.variables).any(|bits| {
                let values: Vec<bool> = (0..self.variables).map(|index| bits >> index & 1 == 1).collect();
                self.is_solution(order, &values, assumptions)
            });
        }
        (done..order.len()).any(|next| {
            order.swap(done, next);
            let found = self.try_orders(order, done + 1, assumptions);
            order.swap(done, next);
            found
        })
    }

    /// The same problem for the solver: a new one with its events and variables.
    pub fn load(&self) -> Loaded {
        let mut loaded = Loaded { order: OrderSolver::new(), events: Vec::new(), variables: Vec::new() };
        loaded.extend(&Problem::default(), self);
        loaded
    }

    /// As SMT-LIB 2, followed by a question for each list of assumptions.
    pub fn smt_lib(&self, questions: &[Vec<Literal>]) -> String {
        let mut text = String::from("(set-logic QF_IDL)\n");
        let mut put = |line: fmt::Arguments<'_>| _ = text.write_fmt(line);
        for event in 0..self.events {
            put(format_args!("(declare-const e{event} Int)\n"));
        }
        for variable in 0..self.variables {
            put(format_args!("(declare-const v{variable} Bool)\n"));
        }
        for &(first, second) in &self.fixed {
            put(format_args!("(assert (< e{first} e{second}))\n"));
        }
        for clause in &self.clauses {
            put(format_args!("(assert (or false{}))\n", words(clause)));
        }
        // Assumptions must be variables.
        for (number, question) in questions.iter().enumerate() {
            put(format_args!("(declare-const q{number} Bool)\n"));
            put(format_args!("(assert (=> q{number} (and true{})))\n", words(question)));
        }
        for number in 0..questions.len() {
            put(format_args!("(check-sat-assuming (q{number}))\n"));
        }
        text
    }
}

fn words(literals: &[Literal]) -> String {
    let mut text = String::new();
    for literal in literals {
        _ = match literal {
            Literal::Before(first, second) => write!(text, " (< e{first} e{second})"),
            Literal::Is(variable) => write!(text, " v{variable}"),
            Literal::IsNot(variable) => write!(text, " (not v{variable})"),
        };
    }
    text
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} events, {} variables", self.events, self.variables)?;
        for (first, second) in &self.fixed {
            writeln!(f, "fixed: {first} < {second}")?;
        }
        for clause in &self.clauses {
            writeln!(f, "clause:{}", words(clause))?;
        }
        Ok(())
    }
}

/// A problem that was handed to the solver.
pub struct Loaded {
    /// The solver.
    pub order: OrderSolver,
    /// Its events.
    pub events: Vec<Event>,
    /// Its variables.
    pub variables: Vec<Lit>,
}

impl Loaded {
    /// Hands over what a problem has more than it had before.
    pub fn extend(&mut self, old: &Problem, new: &Problem) {
        while self.events.len() < new.events {
            self.events.push(self.order.event());
        }
        while self.variables.len() < new.variables {
            self.variables.push(self.order.var());
        }
        for &(first, second) in new.fixed.iter().skip(old.fixed.len()) {
            self.order.fixed(self.events[first], self.events[second]);
        }
        for clause in new.clauses.iter().skip(old.clauses.len()) {
            let clause = self.literals(clause);
            self.order.clause(&clause);
        }
    }

    /// The solver's literals for these.
    pub fn literals(&mut self, literals: &[Literal]) -> Vec<Lit> {
        literals.iter().map(|&literal| self.literal(literal)).collect()
    }

    fn literal(&mut self, literal: Literal) -> Lit {
        match literal {
            Literal::Before(first, second) => self.order.before(self.events[first], self.events[second]),
            Literal::Is(variable) => self.variables[variable],
            Literal::IsNot(variable) => !self.variables[variable],
        }
    }
}
