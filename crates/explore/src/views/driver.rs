//! How an exploration of views goes: with orders first or not, with several workers or one.
//!
//! # Orders first
//!
//! Where no two orders of dependent operations have the same view, asking for views saves nothing, and costs something. So
//! an exploration begins with [`optimal`], as long as all executions have different views ([`Distinct`]). If that comes to its
//! end, each view was explored, and none twice. Otherwise all of it is forgotten, and the exploration begins again, with views.
//! This costs little: there were no more executions than there are views, and mostly just a few.
//! Executions that are wrong, cut or blocked are left to views at once, and so are events whose result is more than a
//! value (condition variables, barriers, copies).
//!
//! [`Distinct`]: crate::core::distinct::Distinct

use super::crew;
use super::explorer::{Explorer, NewPredictor};
use super::history::{Goal, SharedExplored};
use super::method::{Host, Method};
use crate::core::session::SessionMark;
use crate::steps::dpor::optimal;
use crate::{Control, Crew, Session, ViewCounts};
use selvedge_memory::System;
use std::sync::Arc;

/// Explores orders as long as they have different views, and then views.
pub(crate) fn explore_after_orders<S: System>(
    method: &dyn Method,
    session: &mut Session<'_, S>,
    crew: &Crew<'_, S>,
) -> ViewCounts {
    if session.ended_at_start() {
        return ViewCounts { views: session.statistics.executions, ..ViewCounts::default() };
    }
    let start = session.mark();
    if let Some(counts) = explore_orders(session, crew, &start) {
        return counts;
    }
    let counts = explore_once(method, None, session, crew.workers);
    if crew.workers == 1 || session.found.is_empty() {
        return counts;
    }
    // Which violation comes first depends on which worker was faster. With one worker it does not.
    session.begin_again(&start);
    explore_after_orders(method, session, &Crew { workers: 1, ..*crew })
}

/// Explores views by another method.
pub(crate) fn explore_views<S: System>(
    method: &dyn Method,
    predict: Option<NewPredictor<S>>,
    session: &mut Session<'_, S>,
    workers: usize,
) -> ViewCounts {
    if session.ended_at_start() {
        return ViewCounts { views: session.statistics.executions, ..ViewCounts::default() };
    }
    let start = session.mark();
    let counts = explore_once(method, predict, session, workers);
    if workers == 1 || session.found.is_empty() {
        return counts;
    }
    session.begin_again(&start);
    explore_once(method, predict, session, 1)
}

fn explore_once<S: System>(
    method: &dyn Method,
    predict: Option<NewPredictor<S>>,
    session: &mut Session<'_, S>,
    workers: usize,
) -> ViewCounts {
    let start = session.mark();
    let explored = SharedExplored::default();
    let mut explorer = Explorer::new(method, predict.map(|new| new()), session, &explored);
    let control = explorer.explore(&Goal::default(), &[]);
    let counts = match control == Control::Stop || workers == 1 {
        true => explorer.search_alone(control),
        false => {
            crew::work_together(&mut explorer, workers);
            explorer.counts
        }
    };
    if !counts.by_orders {
        return counts;
    }
    session.begin_again(&start);
    optimal::explore(session);
    ViewCounts { views: session.statistics.executions, by_orders: true, ..ViewCounts::default() }
}

/// Explores orders of dependent operations, as long as no two of them have the same view; `None` if there are two, and the
/// session is back at the start.
fn explore_orders<S: System>(
    session: &mut Session<'_, S>,
    crew: &Crew<'_, S>,
    start: &SessionMark<S::Mark>,
) -> Option<ViewCounts> {
    let distinct = Arc::default();
    session.tell_apart(Some(&distinct));
    match crew.workers {
        1 => optimal::explore(session),
        _ => optimal::explore_together(session, crew),
    }
    session.tell_apart(None);
    if distinct.is_over() {
        session.begin_again(start);
        return None;
    }
    let views = match session.found.is_empty() {
        true => distinct.count() as u64,
        // One that is wrong has a view as well.
        false => session.statistics.executions,
    };
    Some(ViewCounts { views, ..ViewCounts::default() })
}
