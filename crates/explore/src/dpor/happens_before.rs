//! The events of an execution, ordered by dependence: vector clocks.

use super::dependence::{Action, dependent};
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

    /// What would happen before `next` if it were performed now: by program order, creation, and the
    /// events from position `from` on that it depends on.
    pub fn clock_of_next(&mut self, next: &Action<'_>, trace: &[Event], from: usize) -> Clock {
        let mut clock = self.thread_clock(next.thread, trace);
        for at in from..self.events.len() {
            if !self.is_before(at, &clock) && dependent(&Action::from(&trace[at]), next) {
                join(&mut clock, &self.events[at].clock);
            }
        }
        clock
    }

    /// Whether the event at a position is part of a clock.
    pub fn is_before(&self, position: usize, clock: &Clock) -> bool {
        let entry = &self.events[position];
        clock.get(entry.thread).is_some_and(|seen| *seen >= entry.number)
    }
}
