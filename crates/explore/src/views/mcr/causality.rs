//! An execution as constraints: the orders in which its threads could have done what they did.
//!
//! There is an event for each entry, and one for each delayed store that reaches memory. Always in order are: what one thread
//! does; a thread's creation and its first entry; its last entry and the joins of it; a store, its arrival, and what waits for
//! the empty buffer. With buffers, arrivals of one thread are in order as the model says: all of them (TSO), or those to the
//! same bytes and those of different epochs (PSO). There is nothing else that a weaker model changes, but for where a load
//! finds its value ([`super::seen`]).
//!
//! Which orders are possible is asked of a [`Moment`]: how far each thread has come by then is open, but all entries before it
//! must have had the result that it had in the execution ([`Causality::same`]). What happens after the moment is of no
//! interest, so nothing is required of it. So for each moment, the constraints have as models all that can be derived from the
//! execution, up to that moment, without knowing the program: its maximal causality.
//!
//! Literals for conditions only ever imply these (and are not implied by them). This is enough, and saves half of the clauses;
//! where the opposite of a condition is needed, it is made as a condition of its own.

use super::cells::{Cells, Times, Write};
use super::seen::EntryId;
use crate::views::bounds::Bounds;
use crate::views::method::Step;
use crate::views::script::{Effect, Entry, Execution, Question};
use rustc_hash::FxHashMap;
use selvedge_solve::{Answer, Event, Lit, OrderSolver, Statistics};
use selvedge_trace::Agent;

/// What an event is.
#[derive(Debug, Clone, Copy)]
enum What {
    /// An entry of a script.
    Entry(usize, usize),
    /// A store that arrives.
    Arrival(Agent),
    /// A moment.
    Moment,
}

/// A moment up to which an order is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// When it is.
    pub event: Event,
    /// Holds if what is before it has to comply.
    pub guard: Lit,
}

/// What happens up to a moment in some order.
#[derive(Debug, Default, Clone)]
pub struct Prefix {
    /// By script: how many entries.
    pub positions: Vec<usize>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// The solver's answer.
#[derive(Debug, Clone)]
pub enum Solution {
    /// There is such an order, and this is what happens up to the moment.
    Found(Prefix),
    /// There is none.
    Impossible,
    /// It was interrupted.
    Unknown,
}

impl Solution {
    /// What happens up to the moment, if there is such an order.
    pub fn found(self) -> Option<Prefix> {
        match self {
            Solution::Found(prefix) => Some(prefix),
            Solution::Impossible | Solution::Unknown => None,
        }
    }
}

/// Constraints for an execution.
pub struct Causality<'x> {
    /// The execution.
    pub execution: &'x Execution,
    /// What is known of it.
    pub bounds: &'x Bounds<'x>,
    /// The constraints.
    pub order: OrderSolver,
    /// By script: its events.
    pub events: Vec<Vec<Event>>,
    arrivals: FxHashMap<(usize, usize, usize), Event>,
    what: Vec<What>,
    /// The memory.
    pub cells: Cells,
    same: FxHashMap<(usize, usize), Lit>,
    /// Scripts and positions after which only the same thread runs.
    sections: Vec<(usize, usize)>,
    /// Those of them after which the thread could not go on.
    paused: Vec<(usize, usize)>,
}

impl<'x> Causality<'x> {
    /// The constraints of an execution whose steps were taken in this order.
    pub fn new(execution: &'x Execution, bounds: &'x Bounds<'x>, observed: &[Agent]) -> Self {
        let mut causality = Causality {
            execution,
            bounds,
            order: OrderSolver::new(),
            events: execution.scripts.iter().map(|script| Vec::with_capacity(script.performed)).collect(),
            arrivals: FxHashMap::default(),
            what: Vec::new(),
            cells: Cells::default(),
            same: FxHashMap::default(),
            sections: Vec::new(),
            paused: Vec::new(),
        };
        causality.make_events(observed);
        causality.fix_threads();
        causality.fix_arrivals();
        let times = Times { events: &causality.events, arrivals: &causality.arrivals };
        causality.cells = Cells::new(execution, bounds, &times);
        let order = &causality.order;
        causality.cells.find_pairs(|cell, write| {
            let others = cell.writes.iter().filter(|other| other.event != write.event);
            others.into_iter().all(|other: &Write| order.is_fixed(write.event, other.event))
        });
        causality.fix_sections();
        causality
    }

    fn event(&mut self, what: What) -> Event {
        self.what.push(what);
        match what {
            // Whatever may come before it is tried there first.
            What::Moment => self.order.event_with_rank(u64::MAX),
            _ => self.order.event(),
        }
    }

    fn make_events(&mut self, observed: &[Agent]) {
        for agent in observed {
            let Some(script) = self.bounds.script_of(Some(agent.thread())) else { continue };
            match agent.number() {
                None => self.make_entry(script),
                Some(number) => self.make_arrival(script, number),
            }
        }
        // An execution that ends with a fault may have ended before stores have arrived.
        for script in 0..self.events.len() {
            while self.events[script].len() < self.execution.scripts[script].performed {
                self.make_entry(script);
            }
            for number in self.delayed(script).map(|(_, _, number)| number).collect::<Vec<u32>>() {
                self.make_arrival(script, number);
            }
        }
    }

    fn make_entry(&mut self, script: usize) {
        let position = self.events[script].len();
        if position < self.execution.scripts[script].performed {
            let event = self.event(What::Entry(script, position));
            self.events[script].push(event);
        }
    }

    fn make_arrival(&mut self, script: usize, number: u32) {
        let Some((position, which, _)) = self.delayed(script).find(|(_, _, other)| *other == number) else {
            return;
        };
        let thread = self.execution.scripts[script].thread;
        let Some(agent) = Agent::store(thread, number) else { return };
        if !self.arrivals.contains_key(&(script, position, which)) {
            let event = self.event(What::Arrival(agent));
            self.arrivals.insert((script, position, which), event);
        }
    }

    /// The delayed stores of a script: position, which of the entry's, and number.
    fn delayed(&self, script: usize) -> impl Iterator<Item = (usize, usize, u32)> + use<'x> {
        let entries = self.execution.scripts[script].entries.iter().enumerate();
        entries.flat_map(|(position, entry)| {
            let delayed = entry.delayed.iter().enumerate();
            delayed.map(move |(which, delayed)| (position, which, delayed.number))
        })
    }

    /// An entry.
    pub fn entry(&self, (script, position): (usize, usize)) -> &'x Entry {
        &self.execution.scripts[script].entries[position]
    }

    fn fix_threads(&mut self) {
        for script in 0..self.events.len() {
            for position in 1..self.events[script].len() {
                self.order.fixed(self.events[script][position - 1], self.events[script][position]);
            }
        }
        for script in 0..self.events.len() {
            for position in 0..self.events[script].len() {
                let event = self.events[script][position];
                let entry = self.entry((script, position));
                for effect in &entry.effects {
                    let Effect::Set { part, .. } = effect else { continue };
                    let child = self.execution.created.iter().position(|location| *location == part.location);
                    if let Some(first) = child.and_then(|child| self.events[child].first()) {
                        self.order.fixed(event, *first);
                    }
                }
                for other in self.joined(script, entry.question) {
                    self.fix_joined(script, other, event);
                }
            }
        }
    }

    /// The scripts that have to have ended for a question of a script.
    pub fn joined(&self, script: usize, question: Question) -> Vec<usize> {
        match question {
            Question::Join(thread) => {
                self.bounds.script_of(thread).filter(|other| *other != script).into_iter().collect()
            }
            Question::JoinAll => (0..self.events.len()).filter(|other| *other != script).collect(),
            _ => Vec::new(),
        }
    }

    /// How many entries of a script come before its thread can be joined: all, or those before it waits for all others.
    /// `None`: it does not come to its end.
    pub fn length_to_end(&self, script: usize) -> Option<usize> {
        let all = &self.execution.scripts[script];
        let waits = all.entries.iter().position(|entry| entry.question == Question::JoinAll);
        waits.or(all.ended.then_some(all.performed))
    }

    fn fix_joined(&mut self, script: usize, other: usize, event: Event) {
        // One that does not come to its end is joined if it is detached, which is an error: it has come so far.
        let length = self.length_to_end(other).unwrap_or(self.execution.scripts[other].performed);
        if let Some(last) = length.checked_sub(1).and_then(|last| self.events[other].get(last)) {
            self.order.fixed(*last, event);
        }
        debug_assert_ne!(script, other);
        for arrival in self.arrivals_of(other, usize::MAX) {
            self.order.fixed(arrival, event);
        }
    }

    /// When the delayed stores of a script arrive that were made before a position.
    pub fn arrivals_of(&self, script: usize, before: usize) -> Vec<Event> {
        let delayed = self.delayed(script).filter(|(position, ..)| *position < before);
        delayed
            .filter_map(|(position, which, _)| self.arrivals.get(&(script, position, which)).copied())
            .collect()
    }

    fn fix_arrivals(&mut self) {
        for script in 0..self.events.len() {
            let delayed: Vec<(usize, usize)> =
                self.delayed(script).map(|(position, which, _)| (position, which)).collect();
            for (at, (position, which)) in delayed.iter().enumerate() {
                let Some(&arrival) = self.arrivals.get(&(script, *position, *which)) else { continue };
                if let Some(event) = self.events[script].get(*position) {
                    self.order.fixed(*event, arrival);
                }
                let store = &self.entry((script, *position)).delayed[*which];
                for (position, which) in &delayed[..at] {
                    let earlier = &self.entry((script, *position)).delayed[*which];
                    let (start, end) = (store.range.0, store.range.0 + u64::from(store.range.1));
                    let overlaps =
                        earlier.range.0 < end && start < earlier.range.0 + u64::from(earlier.range.1);
                    if (self.execution.in_order || earlier.epoch < store.epoch || overlaps)
                        && let Some(earlier) = self.arrivals.get(&(script, *position, *which))
                    {
                        self.order.fixed(*earlier, arrival);
                    }
                }
            }
            for position in 0..self.events[script].len() {
                if self.entry((script, position)).drained {
                    for arrival in self.arrivals_of(script, position) {
                        self.order.fixed(arrival, self.events[script][position]);
                    }
                }
            }
        }
    }

    /// In an atomic section no other thread runs, unless the thread in it cannot go on.
    fn fix_sections(&mut self) {
        for script in 0..self.events.len() {
            let positions = 0..self.events[script].len();
            let inside = positions.filter(|position| self.entry((script, *position)).exclusive);
            let inside: Vec<usize> = inside.collect();
            self.sections.extend(inside.into_iter().map(|position| (script, position)));
        }
        for (script, position) in self.sections.clone() {
            if position + 1 == self.events[script].len() {
                // What others do after a moment does not depend on what a thread will never do.
                if position + 1 < self.execution.scripts[script].entries.len() {
                    self.paused.push((script, position));
                }
                continue;
            }
            for other in self.events_of_others(script) {
                let clause = self.outside(other, script, position);
                self.order.clause(&clause);
            }
        }
    }

    /// What other threads do than that of a script, and when their stores arrive.
    fn events_of_others(&self, script: usize) -> Vec<Event> {
        let others = self.events.iter().enumerate().filter(|(other, _)| *other != script);
        let entries = others.flat_map(|(_, events)| events.iter().copied());
        let arrivals = self.arrivals.iter().filter(|((other, ..), _)| *other != script);
        let mut all: Vec<Event> = entries.chain(arrivals.map(|(_, event)| *event)).collect();
        all.sort_unstable();
        all
    }

    /// That a time is not between an entry and the next one of the same thread; or that this is not possible then.
    fn outside(&mut self, at: Event, script: usize, position: usize) -> [Lit; 3] {
        let before = self.order.before(at, self.events[script][position]);
        let after = match self.events[script].get(position + 1).copied() {
            Some(next) => self.order.before(next, at),
            None => Lit::FALSE,
        };
        // No thread sees half of what one has done that has stopped for good.
        let is_there = position + 1 < self.execution.scripts[script].entries.len();
        let waits = match before == Lit::TRUE || after == Lit::TRUE || !is_there {
            true => Lit::FALSE,
            false => self.is_impossible(at, (script, position + 1)),
        };
        [before, after, waits]
    }

    /// That an entry, when it happens, has the result that it had.
    pub fn same(&mut self, script: usize, position: usize) -> Lit {
        if let Some(known) = self.same.get(&(script, position)) {
            return *known;
        }
        let event = self.events[script][position];
        let same = self.returns_same(event, (script, position));
        self.same.insert((script, position), same);
        same
    }

    /// The moment when a thread is about to perform an entry.
    pub fn moment_of(&mut self, id: EntryId, limits: &[u32]) -> Moment {
        match self.events[id.0].get(id.1).copied() {
            // The event itself is as good as any moment before it, and needs no literals of its own.
            Some(event) => self.moment_at(event, Some(id.0), limits),
            None => self.new_moment(Some(id), limits),
        }
    }

    /// A moment of its own. If a script and a position are given, it is when the thread is about to perform the entry there.
    pub fn new_moment(&mut self, here: Option<EntryId>, limits: &[u32]) -> Moment {
        let event = self.event(What::Moment);
        if let Some((script, position)) = here {
            self.put_before(event, script, position);
        }
        self.moment_at(event, here.map(|(script, _)| script), limits)
    }

    /// What has to hold of what happens before an event. No thread has come further than its limit by then.
    fn moment_at(&mut self, event: Event, here: Option<usize>, limits: &[u32]) -> Moment {
        let guard = self.order.var();
        for (script, limit) in limits.iter().enumerate() {
            let limit = *limit as usize;
            for position in 0..limit {
                let same = self.same(script, position);
                if same != Lit::TRUE {
                    let before = self.order.before(self.events[script][position], event);
                    self.order.clause(&[!guard, !before, same]);
                }
            }
            if let Some(beyond) = self.events[script].get(limit).copied() {
                let before = self.order.before(beyond, event);
                self.order.clause(&[!guard, !before]);
            }
        }
        for (script, position) in self.sections.clone() {
            if here.is_none_or(|here| here != script) {
                let [before, after, waits] = self.outside(event, script, position);
                self.order.clause(&[!guard, before, after, waits]);
            }
        }
        for (script, position) in self.paused.clone() {
            for other in self.events_of_others(script) {
                let [before, after, waits] = self.outside(other, script, position);
                let later = self.order.before(event, other);
                self.order.clause(&[!guard, later, before, after, waits]);
            }
        }
        Moment { event, guard }
    }

    /// Puts a moment where a thread is about to perform an entry.
    fn put_before(&mut self, moment: Event, script: usize, position: usize) {
        match position.checked_sub(1) {
            Some(before) => self.order.fixed(self.events[script][before], moment),
            None => {
                if let Some(creation) = self.creation(script) {
                    self.order.fixed(creation, moment);
                }
            }
        }
        if let Some(next) = self.events[script].get(position) {
            self.order.fixed(moment, *next);
        }
        if self.entry((script, position)).drained {
            for arrival in self.arrivals_of(script, position) {
                self.order.fixed(arrival, moment);
            }
        }
    }

    /// When the thread of a script is created; `None` for the first one.
    pub fn creation(&self, script: usize) -> Option<Event> {
        let location = self.execution.created[script];
        let creates =
            |effect: &Effect| matches!(effect, Effect::Set { part, .. } if part.location == location);
        let scripts = self.execution.scripts.iter().zip(&self.events);
        let mut all = scripts.flat_map(|(script, events)| script.entries.iter().zip(events));
        all.find(|(entry, _)| entry.effects.iter().any(creates)).map(|(_, event)| *event)
    }

    /// Looks for an order in which all of these hold up to a moment.
    pub fn solve(&mut self, moment: &Moment, wishes: &[Lit]) -> Solution {
        self.solve_with(moment, wishes, &[])
    }

    /// The same with steps that are taken at moments.
    pub fn solve_with(&mut self, moment: &Moment, wishes: &[Lit], taken: &[(Event, Step)]) -> Solution {
        let mut assumptions = vec![moment.guard];
        assumptions.extend_from_slice(wishes);
        let model = match self.order.solve(&assumptions) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Solution::Impossible,
            Answer::Interrupted => return Solution::Unknown,
        };
        let mut prefix = Prefix { positions: vec![0; self.events.len()], steps: Vec::new() };
        for event in model.prefix(&[moment.event]) {
            match self.what[event.index()] {
                What::Entry(..) if event == moment.event => {}
                What::Entry(script, position) => {
                    prefix.positions[script] = prefix.positions[script].max(position + 1);
                    let script = &self.execution.scripts[script];
                    prefix.steps.push((script.thread.into(), script.entries[position].result));
                }
                What::Arrival(agent) => prefix.steps.push((agent, 0)),
                What::Moment => {
                    let at = taken.iter().filter(|(moment, _)| *moment == event);
                    prefix.steps.extend(at.map(|(_, step)| *step));
                }
            }
        }
        Solution::Found(prefix)
    }

    /// Sizes and counts.
    pub fn statistics(&self) -> Statistics {
        self.order.statistics()
    }
}
