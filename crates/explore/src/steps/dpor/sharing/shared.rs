//! A walk that shares its work with others.

use super::borrow::Borrowed;
use super::exchange::{Delivery, Helper};
use super::lend::Loans;
use super::settle::Settled;
use super::task::Yield;
use crate::core::dependence::{Access, Mode};
use crate::steps::dpor::branch::Branch;
use crate::steps::dpor::optimal::Optimal;
use crate::steps::dpor::walk::{Reached, Walk, Went};
use crate::{Control, Session};
use selvedge_memory::System;
use std::sync::Arc;

/// A walk, parts of which others explore, or which explores a part of somebody else's.
pub(super) struct Shared<'w, 's, S: System> {
    pub walk: Walk<'w, 's, S>,
    /// The other workers.
    pub others: &'w dyn Helper,
    /// What was borrowed.
    pub borrowed: Option<Borrowed>,
    /// What was lent.
    pub loans: Loans,
    /// What somebody else has found below the leaf that the walk is going to.
    pub arrived: Option<Yield>,
    /// The units from the last state where the walk has been to the last node, if somebody else has performed them:
    /// branches and places in them.
    pub chain: Vec<(Arc<Branch>, usize)>,
}

impl<'w, 's, S: System> Shared<'w, 's, S> {
    /// A walk from the session's present state.
    pub fn new(session: &'w mut Session<'s, S>, others: &'w dyn Helper) -> Self {
        Self {
            walk: Walk::new(session),
            others,
            borrowed: None,
            loans: Loans::default(),
            arrived: None,
            chain: Vec::new(),
        }
    }

    /// Whether the exploration has to begin again: an atomic section has made a choice.
    pub fn needs_paths(&self) -> bool {
        self.walk.needs_paths
    }

    /// Explores everything from the present state on; the races of units before a position have been looked at.
    pub fn run(&mut self, known: usize) -> Control {
        let mut new = known;
        loop {
            match self.descend() {
                Reached::Stop => return Control::Stop,
                Reached::End => self.walk.reverse_races::<Optimal>(new),
                Reached::Settled => {}
            }
            if self.walk.session.control() == Control::Stop || self.others.exchange().is_over() {
                return Control::Stop;
            }
            if self.borrowed.as_ref().is_some_and(Borrowed::is_awaited) {
                self.give_results(Delivery::Part);
            }
            self.lend_if_wanted();
            loop {
                match self.turn_back() {
                    Some(position) => new = self.walk.races_from(position),
                    None => return Control::Continue,
                }
                if self.loans.is_empty() || self.is_on_borrowed_way() {
                    break;
                }
                match self.settle() {
                    Settled::All => {}
                    Settled::Own(position) => {
                        new = position;
                        break;
                    }
                    Settled::Stop => return Control::Stop,
                }
            }
        }
    }

    /// Goes down to the end of an execution, or to a leaf that somebody else has explored.
    fn descend(&mut self) -> Reached {
        loop {
            let position = self.walk.present.order.length();
            let went = self.walk.advance::<Optimal>();
            if self.walk.present.order.length() > position {
                self.compare(position);
            }
            match went {
                Went::On => {}
                Went::Stop => return Reached::Stop,
                Went::End => {
                    self.walk.plan.drop_branch();
                    return Reached::End;
                }
            }
            if self.is_on_borrowed_way() {
                self.on_borrowed_way();
            }
            if self.walk.plan.is_followed()
                && !self.walk.plan.continues()
                && let Some(result) = self.arrived.take()
            {
                self.walk.plan.drop_branch();
                return match self.absorb(result, 0) {
                    Control::Continue => Reached::Settled,
                    Control::Stop => Reached::Stop,
                };
            }
            if !self.walk.is_patient() {
                return Reached::Stop;
            }
        }
    }

    /// Compares the unit at a position, the last one, with what lenders and borrowers expect.
    fn compare(&mut self, position: usize) {
        let walk = &mut self.walk;
        if walk.now > 0 && walk.plan.begins_at(position) {
            let accesses = walk.present.order.accesses(position as u32);
            if !is_same_footprint(walk.plan.first().accesses(), accesses) {
                // What was lent to its right is void.
                walk.nodes[position].tree.lent.void = walk.now;
            }
        }
        if let Some(borrowed) = &mut self.borrowed
            && walk.is_foreign(position)
            && walk.had_alternatives()
        {
            borrowed.plain = position + 1;
        }
    }

    /// Goes back to the deepest node with a branch left; gives its position.
    fn turn_back(&mut self) -> Option<usize> {
        match self.borrowed {
            Some(_) => self.turn_back_borrowed(),
            None => self.walk.turn_back(0),
        }
    }
}

/// Whether two lists of accesses are the same as far as dependence goes.
pub(super) fn is_same_footprint(one: &[Access], other: &[Access]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| {
            (a.granule, a.mask, a.mode, a.own_store()) == (b.granule, b.mask, b.mode, b.own_store())
                && (a.mode != Mode::Arrive || a.delta == b.delta)
        })
}
