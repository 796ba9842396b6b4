//! Several workers on one exploration.
//!
//! The exploration is one walk through a tree, in an order that does not depend on the number of workers. When
//! somebody wants work, the walk *lends* leaves of its wake-up trees: everything below them. What is below a leaf is
//! settled as soon as the leaf is there: nothing is ever inserted below it from outside, nobody is asleep there, and
//! all that stands to its left, which decides what is asleep on the way, stands there already. So it can be explored
//! at any time, by anybody. What the borrower cannot do is to insert into the nodes above the leaf, which are the
//! lender's. It collects these sequences as [`Requests`](super::requests::Requests).
//!
//! The lender goes on with the rest. When it comes to the leaf in its own order, it waits until the borrower is done
//! with it (and does what others lend meanwhile), then inserts the requests, as if it had explored the leaf itself
//! just now. So the tree, the number of executions, and the first violation are the same as with one worker. A
//! borrower that has found a violation stops; the walk stops when it comes to that leaf.
//!
//! *Batches.* Where a leaf stands for a single execution, lending one is more work than exploring it. So a loan is a
//! range of neighbouring branches with all the leaves below them. The borrower goes to the node where these begin and
//! walks through them as through branches of its own, from leaf to leaf, and gives back what it has found leaf by
//! leaf. How many leaves are lent at once depends on how long the last loans took. If that is many, they are taken from
//! nodes close to the present state, whose trees are nearly complete, so that many neighbours are free: close to the root,
//! trees grow in many places for a long time, and whoever lends there as they grow finds only scattered leaves. Trees
//! are shared, not copied: who changes a branch copies that one ([`super::branch::Branches`]). Which leaves belong to a loan is not
//! noted in each of them but follows from their age ([`super::branch::Lending`]).
//!
//! *What need not be asked for.* The borrower sees the trees of all nodes on its way as they were when the loan was
//! made. A sequence that they cover, or something asleep there, is covered when the lender comes to the leaf, too: what
//! was to the right of the leaf still is, because the walk has not come there, and has only grown to the right and
//! by splitting, so the sequence follows the same labels to the same end; and what is asleep at a node stays so as long
//! as the node is there. (That a sequence is covered by another *request* would not be enough: the lender may have
//! found that one to be covered in a way that says nothing about this one. But the same request need not come twice.)
//!
//! *What need not be looked at again.* What is asleep at the nodes on the way when the lender comes to the leaf is what the
//! borrower took to be asleep there, no more: whatever stands to the left of the way stood there when the leaf was lent.
//! So no sleeper begins a sequence that was asked for, and the lender looks at its trees only.
//!
//! *Settling without going there.* To insert requests, the nodes on the way to the leaf are needed, not their states:
//! what is asleep there, and their trees. So the lender opens these nodes without going there, settles, and leaves
//! them again. Only if one of them has got a branch that nobody has explored, the walk goes there. That needs
//! certainty that the units on the way did what was expected of them: touched what the tree says, and had no
//! alternatives. The borrower says so ([`task::Way`]), and how many steps they took. Otherwise the lender goes there itself.
//!
//! *The walk knows nothing of this.* [`Shared`] drives a walk, as [`Walk::run`](super::walk::Walk::run) does if there is one worker:
//! between its units and between its executions it lends, borrows and settles.

mod borrow;
mod exchange;
mod lend;
mod settle;
mod shared;
mod task;

use self::borrow::LeafEnd;
use self::exchange::{Delivery, Exchange, Helper, Loan, lock};
use self::shared::Shared;
use self::task::Task;
use super::{optimal, walk};
use crate::Crew;
use crate::core::distinct::Distinct;
use crate::core::on_panic::OnPanic;
use crate::core::session::SessionMark;
use crate::{Control, Session, Statistics};
use selvedge_memory::System;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A worker.
struct Worker<'c, S: System> {
    crew: &'c Crew<'c, S>,
    exchange: &'c Exchange,
    settings: crate::Settings,
    interrupted: &'c AtomicBool,
    /// Where views are told apart, if they are.
    distinct: Option<Arc<Distinct>>,
    /// Sessions that are not used at the moment, and how to get to their first states.
    sessions: RefCell<Vec<Resting<'c, S>>>,
}

type Resting<'c, S> = (Session<'c, S>, SessionMark<<S as System>::Mark>);

/// Explores. What has to be done again, one does alone.
pub fn explore<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    let mut is_first = true;
    session.looking_ahead(|session| match std::mem::take(&mut is_first) {
        true => explore_as_set(session, crew),
        false => optimal::explore_as_set(session),
    });
}

fn explore_as_set<S: System>(session: &mut Session<'_, S>, crew: &Crew<'_, S>) {
    if session.ended_at_start() {
        return;
    }
    let start = session.mark();
    let exchange = Exchange::default();
    let (settings, interrupted) = session.origin();
    let distinct = session.distinct().cloned();
    let worker = |settings| {
        let (distinct, sessions) = (distinct.clone(), RefCell::default());
        Worker { crew, exchange: &exchange, settings, interrupted, distinct, sessions }
    };
    let mut needs_paths = false;
    std::thread::scope(|scope| {
        for _ in 1..crew.workers {
            let worker = &worker;
            let settings = settings.clone();
            scope.spawn(move || {
                let worker = worker(settings);
                let _guard = OnPanic(|| worker.exchange.end());
                while let Some(loan) = worker.exchange.take(|| false) {
                    worker.work(&loan);
                }
            });
        }
        let own = worker(settings.clone());
        let _guard = OnPanic(|| exchange.end());
        let mut walk = Shared::new(session, &own);
        walk.run(0);
        needs_paths = walk.needs_paths();
        exchange.end();
    });
    if needs_paths {
        walk::begin_again_with_paths(session, &start);
    }
}

impl<S: System> Worker<'_, S> {
    fn explore(&self, task: Task, loan: &Arc<Loan>) {
        let (mut session, start) = match self.sessions.borrow_mut().pop() {
            Some(resting) => resting,
            None => {
                let Some((system, first)) = (self.crew.system)() else { return };
                // A closure that captures nothing takes no memory.
                let silent = Box::leak(Box::new(|_: &Statistics| {}));
                let settings = self.settings.clone();
                let mut session = Session::new(system, first, settings, self.interrupted, silent);
                session.count_with(self.crew.tally);
                session.tell_apart(self.distinct.as_ref());
                let start = session.mark();
                (session, start)
            }
        };
        let known = task.known;
        let mut walk = Shared::new(&mut session, self);
        if !walk.replay(task, loan) || walk.run(known) == Control::Stop {
            walk.give_leaf(LeafEnd::Stopped);
        }
        walk.give_results(Delivery::Last);
        drop(walk);
        session.rewind(&start);
        session.take_statistics();
        session.found.clear();
        session.limits_reached.clear();
        session.unsupported = None;
        self.sessions.borrow_mut().push((session, start));
    }
}

impl<S: System> Helper for Worker<'_, S> {
    fn exchange(&self) -> &Exchange {
        self.exchange
    }

    fn work(&self, loan: &Arc<Loan>) {
        let begin = Instant::now();
        let task = lock(&loan.task).take();
        if let Some(task) = task {
            self.explore(task, loan);
        }
        self.exchange.close(loan);
        self.exchange.learn(Some(begin.elapsed()), loan.leaves);
    }
}
