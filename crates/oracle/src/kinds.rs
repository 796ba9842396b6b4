//! Kinds of loops: which rounds an explorer can leave out depends on what happens in them.

use crate::program::{Order, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// What happens in the rounds of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoopKind {
    /// One atomic load, exchange or compare-exchange of a fixed location, until what it has read is as it should be.
    Await,
    /// Loads and fences.
    Poll,
    /// Also updates: a round may fail because others were faster.
    Retry,
    /// Also operations on mutexes.
    Mutex,
    /// Also stores.
    Effect,
}

impl LoopKind {
    /// All.
    pub const ALL: [LoopKind; 5] = [Self::Await, Self::Poll, Self::Retry, Self::Mutex, Self::Effect];

    /// The kind of a statement that is a loop.
    fn of(statement: &Statement) -> Option<Self> {
        match statement {
            Statement::Await { .. } => Some(Self::Await),
            Statement::Loop { body, register, .. } => match body.as_slice() {
                [Statement::Load { into, order, .. }] if into == register && *order != Order::Plain => {
                    Some(Self::Await)
                }
                [Statement::Exchange { into, .. }] if into == register => Some(Self::Await),
                body => Some(body.iter().map(Self::of_round).max().unwrap_or(Self::Poll)),
            },
            _ => None,
        }
    }

    /// What a loop is at least with this in a round.
    fn of_round(statement: &Statement) -> Self {
        use Statement::*;
        let inside = statement.body().into_iter().flatten().map(Self::of_round).max();
        let own = match statement.access() {
            Load { .. } | Fence { .. } | Assign { .. } | If { .. } | Loop { .. } | Await { .. } => Self::Poll,
            FetchAdd { .. } | Exchange { .. } | CompareExchange { .. } => Self::Retry,
            Lock { .. } | Unlock { .. } | TryLock { .. } => Self::Mutex,
            _ => Self::Effect,
        };
        inside.map_or(own, |inside| inside.max(own))
    }
}

impl Program {
    /// The kinds of loops that a program has.
    pub fn kinds_of_loops(&self) -> BTreeSet<LoopKind> {
        let threads = 0..self.threads.len();
        threads.flat_map(|thread| self.statements(thread)).filter_map(LoopKind::of).collect()
    }

    /// For each statement at which a thread can be stuck in a loop, the statements of that loop: a thread that goes round is at any of them.
    pub fn places_in_loops(&self) -> BTreeMap<(usize, usize), BTreeSet<(usize, usize)>> {
        let mut places = BTreeMap::new();
        for thread in 0..self.threads.len() {
            let statements = self.statements(thread);
            for (number, statement) in statements.iter().enumerate() {
                let inside = statement.body().map_or(0, |body| count(body));
                let is_loop = matches!(statement, Statement::Await { .. } | Statement::Loop { .. });
                let all: BTreeSet<(usize, usize)> =
                    (number..=number + inside).map(|number| (thread, number)).collect();
                // Inner loops come later, and are narrower.
                places.extend(all.iter().filter(|_| is_loop).map(|place| (*place, all.clone())));
            }
        }
        places
    }
}

/// How many statements there are, those inside of others included.
fn count(body: &[Statement]) -> usize {
    body.iter().map(|statement| 1 + statement.body().map_or(0, |body| count(body))).sum()
}
