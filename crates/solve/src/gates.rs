//! Literals for conjunctions and disjunctions, by the translation of Tseitin: a variable, and clauses that make it equivalent.
//!
//! Constants, repetitions and contradictions are folded, and a conjunction that was made before is not made again.

use crate::host::Preference;
use crate::literal::Lit;
use crate::order::OrderSolver;

impl OrderSolver {
    /// The literal that holds when all of these do.
    pub fn and(&mut self, literals: &[Lit]) -> Lit {
        let mut parts: Vec<Lit> = literals.iter().copied().filter(|&lit| lit != Lit::TRUE).collect();
        parts.sort_unstable();
        parts.dedup();
        // A variable and its negation are neighbours.
        if parts.contains(&Lit::FALSE) || parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match parts.as_slice() {
            [] => return Lit::TRUE,
            &[only] => return only,
            _ => {}
        }
        if let Some(&known) = self.gates.get(parts.as_slice()) {
            return known;
        }
        let all = self.host.variable(Preference::Last);
        for &part in &parts {
            self.clause(&[!all, part]);
        }
        let mut clause: Vec<Lit> = parts.iter().map(|&part| !part).collect();
        clause.push(all);
        self.clause(&clause);
        self.gates.insert(parts.into_boxed_slice(), all);
        all
    }

    /// The literal that holds when one of these does.
    pub fn or(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|&lit| !lit).collect();
        !self.and(&negated)
    }

    /// The literal that holds when the first does not, or the second does.
    pub fn implies(&mut self, condition: Lit, consequence: Lit) -> Lit {
        !self.and(&[condition, !consequence])
    }

    /// From now on, the literal holds.
    pub fn require(&mut self, lit: Lit) {
        self.clause(&[lit]);
    }

    /// From now on, if all of the conditions hold, one of the consequences does. Needs no variable.
    pub fn require_if(&mut self, conditions: &[Lit], consequences: &[Lit]) {
        let clause: Vec<Lit> =
            conditions.iter().map(|&lit| !lit).chain(consequences.iter().copied()).collect();
        self.clause(&clause);
    }
}
