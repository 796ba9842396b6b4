//! Literals for conditions, and for their opposites.
//!
//! A literal only ever implies the condition that it is for. So the opposite of a condition is not the negated literal: it has
//! a literal of its own. A [`Claim`] says which of the two is meant.

use super::causality::Causality;
use selvedge_solve::Lit;

/// Whether it is claimed that a condition holds, or that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
}

impl Claim {
    /// The claim that is right.
    pub fn that(holds: bool) -> Self {
        if holds { Claim::Holds } else { Claim::Fails }
    }

    /// The opposite.
    pub fn opposite(self) -> Self {
        Claim::that(self == Claim::Fails)
    }

    /// Whether it is right.
    pub fn is_right(self, holds: bool) -> bool {
        holds == (self == Claim::Holds)
    }
}

impl Causality<'_> {
    /// A literal that implies all of these.
    pub fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut left = literals.iter().copied().filter(|literal| *literal != Lit::TRUE);
        match (left.next(), left.next()) {
            _ if literals.contains(&Lit::FALSE) => Lit::FALSE,
            (None, _) => Lit::TRUE,
            (Some(only), None) => only,
            _ => {
                let all = self.order.var();
                for literal in literals {
                    self.order.clause(&[!all, *literal]);
                }
                all
            }
        }
    }

    /// A literal that implies one of these.
    pub fn any(&mut self, literals: &[Lit]) -> Lit {
        let mut left = literals.iter().copied().filter(|literal| *literal != Lit::FALSE);
        match (left.next(), left.next()) {
            _ if literals.contains(&Lit::TRUE) => Lit::TRUE,
            (None, _) => Lit::FALSE,
            (Some(only), None) => only,
            _ => {
                let any = self.order.var();
                let clause: Vec<Lit> = literals.iter().copied().chain([!any]).collect();
                self.order.clause(&clause);
                any
            }
        }
    }

    /// For a condition that holds if all of several do: from the literals for the claim about each, that about all together.
    pub fn every(&mut self, claim: Claim, literals: &[Lit]) -> Lit {
        match claim {
            Claim::Holds => self.all(literals),
            Claim::Fails => self.any(literals),
        }
    }

    /// For a condition that holds if one of several does: from the literals for the claim about each, that about all together.
    pub fn some(&mut self, claim: Claim, literals: &[Lit]) -> Lit {
        self.every(claim.opposite(), literals)
    }
}
