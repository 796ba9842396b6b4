//! The order of dependent operations of an execution, as a number: which Mazurkiewicz class it is in.
//!
//! Written for obviousness: it compares every pair of operations, so that what [`super::order`] finds by looking
//! at a few lists can be checked against it.

use super::access::{self, Access, dependent};
use crate::Session;
use rustc_hash::FxHasher;
use selvedge_memory::System;
use selvedge_trace::{Event, Operation, ThreadId};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// One operation, or an atomic section.
#[derive(Clone)]
struct Step {
    thread: ThreadId,
    accesses: Vec<Access>,
    creates: Option<ThreadId>,
    joins: Option<ThreadId>,
    joins_all: bool,
    choices: Vec<u32>,
    /// Whether it goes on with the atomic section of the one before.
    continues: bool,
}

impl Step {
    fn comes_after(&self, earlier: &Step) -> bool {
        self.thread == earlier.thread
            || earlier.creates == Some(self.thread)
            || self.joins == Some(earlier.thread)
            || self.joins_all
            || dependent(&self.accesses, &earlier.accesses)
    }
}

/// The steps of the present execution; grows and shrinks with it.
#[derive(Default)]
pub struct Recorder {
    steps: Vec<Step>,
    /// The thread that is in the middle of an atomic section.
    open: Option<ThreadId>,
    waiting: Vec<Access>,
}

/// A state of a recorder.
#[derive(Debug, Clone, Copy)]
pub struct RecorderMark {
    steps: usize,
    open: Option<ThreadId>,
}

impl Recorder {
    /// A state to return to.
    pub fn mark(&self) -> RecorderMark {
        RecorderMark { steps: self.steps.len(), open: self.open }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: RecorderMark) {
        self.steps.truncate(mark.steps);
        self.open = mark.open;
    }

    /// To be called before a step of a thread.
    pub fn before<S: System>(&mut self, session: &Session<'_, S>, thread: ThreadId) {
        self.waiting.clear();
        access::of_waiting(&session.system, thread, &mut self.waiting);
    }

    /// To be called after it.
    pub fn after<S: System>(&mut self, session: &Session<'_, S>) {
        let Some(event) = session.system.events().last() else { return };
        let mut accesses = std::mem::take(&mut self.waiting);
        access::of_event(event, session.woken(), &mut accesses);
        let (creates, joins, joins_all) = family(event);
        let continues = self.open == Some(event.thread);
        let choices = vec![event.choice];
        let thread = event.thread;
        self.steps.push(Step { thread, accesses, creates, joins, joins_all, choices, continues });
        self.open = session.system.machine().excludes_others(thread).then_some(thread);
    }

    /// The steps, each atomic section as one.
    fn merged(&self) -> Vec<Step> {
        let mut merged: Vec<Step> = Vec::new();
        for step in &self.steps {
            match merged.last_mut() {
                Some(last) if step.continues => {
                    last.accesses.extend(&step.accesses);
                    last.creates = last.creates.or(step.creates);
                    last.joins = last.joins.or(step.joins);
                    last.joins_all |= step.joins_all;
                    last.choices.extend(&step.choices);
                }
                _ => merged.push(step.clone()),
            }
        }
        merged
    }

    /// The class of the present execution.
    pub fn class(&self) -> u64 {
        let mut numbers: BTreeMap<ThreadId, u32> = BTreeMap::new();
        let mut pasts: Vec<BTreeMap<ThreadId, u32>> = Vec::new();
        let mut class = 0_u64;
        let steps = self.merged();
        for (at, step) in steps.iter().enumerate() {
            let number = numbers.entry(step.thread).or_default();
            *number += 1;
            let mut past = BTreeMap::from([(step.thread, *number)]);
            for (earlier, theirs) in steps[..at].iter().zip(&pasts) {
                if step.comes_after(earlier) {
                    for (thread, seen) in theirs {
                        let mine = past.entry(*thread).or_default();
                        *mine = (*mine).max(*seen);
                    }
                }
            }
            let mut hasher = FxHasher::default();
            (step.thread, *number, &step.choices, &past).hash(&mut hasher);
            // The sum does not depend on the order in which steps are looked at.
            class = class.wrapping_add(hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31));
            pasts.push(past);
        }
        class
    }
}

fn family(event: &Event) -> (Option<ThreadId>, Option<ThreadId>, bool) {
    match event.operation {
        Operation::Spawn { .. } => {
            let number = event.read.and_then(|handle| (handle as usize).checked_sub(1));
            (number.and_then(ThreadId::from_number), None, false)
        }
        Operation::Join { thread } => (None, thread, false),
        Operation::WaitForOthers { .. } => (None, None, true),
        _ => (None, None, false),
    }
}
