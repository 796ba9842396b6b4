//! The events of an execution, ordered by dependence: vector clocks.

use super::dependence::{Action, dependent, may_be_coenabled};
use selvedge_trace::{Event, Operation, ThreadId};

/// For each thread (by order of appearance), how many of its events happened before.
type Clock = Vec<u32>;

/// The order of the events of one execution; grows and shrinks with it.
#[derive(Debug, Default)]
pub struct HappensBefore {
    /// Threads by order of appearance.
    threads: Vec<ThreadId>,
    events: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    thread: usize,
    /// Which event of its thread it is, from 1.
    number: u32,
    /// What happened before it, itself included.
    clock: Clock,
}

fn join(into: &mut Clock, other: &Clock) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (mine, theirs) in into.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

impl HappensBefore {
    fn index(&mut self, thread: ThreadId) -> usize {
        match self.threads.iter().position(|known| *known == thread) {
            Some(index) => index,
            None => {
                self.threads.push(thread);
                self.threads.len() - 1
            }
        }
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Forgets the events from a position on.
    pub fn truncate(&mut self, length: usize) {
        self.events.truncate(length);
    }

    /// Adds the event at the end of `trace`, which holds all events so far.
    pub fn push(&mut self, trace: &[Event]) {
        let Some(event) = trace.get(self.events.len()) else { return };
        let thread = self.index(event.thread);
        let (mut clock, number) = self.thread_clock_of(thread, event.thread, trace);
        let action = Action::from(event);
        for (earlier, entry) in trace.iter().zip(&self.events) {
            let known = clock.get(entry.thread).is_some_and(|seen| *seen >= entry.number);
            if !known && dependent(&Action::from(earlier), &action) {
                join(&mut clock, &entry.clock);
            }
        }
        if clock.len() <= thread {
            clock.resize(thread + 1, 0);
        }
        clock[thread] = number + 1;
        self.events.push(Entry { thread, number: number + 1, clock });
    }

    /// What happened before the next event of a thread, by program order and creation alone.
    fn thread_clock_of(&self, index: usize, thread: ThreadId, trace: &[Event]) -> (Clock, u32) {
        if let Some(last) = self.events.iter().rev().find(|entry| entry.thread == index) {
            return (last.clock.clone(), last.number);
        }
        let creates = |event: &Event| {
            matches!(event.operation, Operation::Spawn { .. })
                && event.read == Some(thread.number() as u128 + 1)
        };
        let creation = trace[..self.events.len()].iter().position(creates);
        (creation.map(|at| self.events[at].clock.clone()).unwrap_or_default(), 0)
    }

    /// What happened before the next event of a thread, by program order and creation alone.
    pub fn thread_clock(&mut self, thread: ThreadId, trace: &[Event]) -> Clock {
        let index = self.index(thread);
        self.thread_clock_of(index, thread, trace).0
    }

    /// The events that race with the next operation of a thread: dependent on it, possibly co-enabled with
    /// it, and not ordered before it by anything in between. Latest first.
    pub fn races(&mut self, next: &Action<'_>, trace: &[Event]) -> Vec<usize> {
        let mut clock = self.thread_clock(next.thread, trace);
        let mut races = Vec::new();
        for at in (0..self.events.len()).rev() {
            let earlier = Action::from(&trace[at]);
            if earlier.thread == next.thread || self.is_before(at, &clock) || !dependent(&earlier, next) {
                continue;
            }
            // What only makes the operation possible does not hide what it competes with.
            if may_be_coenabled(&earlier, next) {
                races.push(at);
                join(&mut clock, &self.events[at].clock);
            }
        }
        races
    }

    /// The threads that can begin the continuation which reverses a race: from before the event `at`, the
    /// events after it that do not depend on it, then the next operation.
    pub fn initials(&mut self, at: usize, next: &Action<'_>, trace: &[Event]) -> Vec<ThreadId> {
        let is_part = |later: &usize| !self.is_before(at, &self.events[*later].clock);
        let part: Vec<usize> = (at + 1..self.events.len()).filter(is_part).collect();
        let mut initials: Vec<ThreadId> = Vec::new();
        let mut begun: Vec<ThreadId> = Vec::new();
        for (position, later) in part.iter().enumerate() {
            let thread = trace[*later].thread;
            if begun.contains(&thread) {
                continue;
            }
            begun.push(thread);
            let clock = &self.events[*later].clock;
            if !part[..position].iter().any(|before| self.is_before(*before, clock)) {
                initials.push(thread);
            }
        }
        if !begun.contains(&next.thread) {
            let mut clock = self.thread_clock(next.thread, trace);
            for later in &part {
                if dependent(&Action::from(&trace[*later]), next) {
                    join(&mut clock, &self.events[*later].clock);
                }
            }
            if !part.iter().any(|later| self.is_before(*later, &clock)) {
                initials.push(next.thread);
            }
        }
        initials
    }

    /// Whether the event at a position is part of a clock.
    pub fn is_before(&self, position: usize, clock: &Clock) -> bool {
        let entry = &self.events[position];
        clock.get(entry.thread).is_some_and(|seen| *seen >= entry.number)
    }
}
