//! Parts of executions that may be fruitless, and executions without them.

use crate::classes::{Source, Trace};
use crate::code::{Action, Instruction, Local};
use crate::event::{Event, EventId, Kind};
use crate::program::{Order, Program, Statement, Until};
use crate::rounds::{Loops, changes_nothing};
use std::collections::BTreeSet;

/// What a thread does from the event with the number `from` to just before the one with the number `to`, or to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub thread: usize,
    pub from: usize,
    pub to: usize,
}

impl Part {
    /// Whether an event belongs to it.
    pub fn has(self, (thread, index): EventId) -> bool {
        thread == self.thread && (self.from..self.to).contains(&index)
    }

    /// The name of an event that stays when the part is gone.
    fn renamed(self, (thread, index): EventId) -> EventId {
        let is_later = thread == self.thread && index >= self.to;
        (thread, if is_later { index - (self.to - self.from) } else { index })
    }

    /// The name that an event had before the part was gone; the read that takes the place of the last one has the name of that.
    pub fn former(self, (thread, index): EventId) -> EventId {
        let is_later = thread == self.thread && index >= self.from;
        (thread, if is_later { index + (self.to - self.from) } else { index })
    }
}

/// Which stores a part may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stores {
    /// None.
    None,
    /// Atomic ones of the value that is there already.
    OfTheSame,
}

/// The program whose executions have parts.
pub struct Parts<'p> {
    pub program: &'p Program,
    pub code: &'p [Vec<Instruction>],
    pub loops: &'p Loops<'p>,
    pub stores: Stores,
}

impl Parts<'_> {
    /// All parts that may be fruitless, the earliest of each thread first: from a read in a loop, or the last one before, to a later one
    /// in the loop of the same location; or from anywhere in a loop to the last event of a thread that goes no further.
    pub fn of(&self, trace: &Trace) -> Vec<Part> {
        let mut parts = BTreeSet::new();
        for (thread, events) in &trace.threads {
            let around = loops_around(&self.program.threads[*thread]);
            let is_in_loop = |from: &usize| !around[events[*from].statement].is_empty();
            let tails = (0..events.len()).filter(is_in_loop);
            parts.extend(tails.map(|from| Part { thread: *thread, from, to: events.len() }));
            for (to, end) in events.iter().enumerate() {
                let Some(object) = read_object(end) else { continue };
                for inside in &around[end.statement] {
                    let is_inside = |event: &Event| around[event.statement].contains(inside);
                    let outside = events[..to].iter().rposition(|event| !is_inside(event));
                    let begin = outside.map_or(0, |outside| outside + 1);
                    let is_same = |from: &usize| read_object(&events[*from]) == Some(object);
                    let before = (0..begin).rev().find(|from| is_same(from));
                    for from in (begin..to).filter(|from| is_same(from)).chain(before) {
                        parts.insert(Part { thread: *thread, from, to });
                    }
                }
            }
        }
        parts.into_iter().collect()
    }

    /// The execution without the part: the read at its beginning takes the place of the one at its end, if there is one. None if that
    /// leads the thread elsewhere, or something in the part has an effect.
    pub fn without(&self, trace: &Trace, part: Part) -> Option<Trace> {
        let events = &trace.threads[&part.thread];
        if !events[part.from..part.to].iter().all(|event| self.may_go(trace, event)) {
            return None;
        }
        let before = &events[..part.from];
        let mut read = match events.get(part.to) {
            Some(end) => Some(self.instead(part.thread, before, &events[part.from], end)?),
            None => None,
        };
        let after: Vec<&Event> = events.iter().take(part.to + 1).collect();
        let instead: Vec<&Event> = before.iter().chain(&read).collect();
        if !self.is_same(part.thread, &instead, &after) {
            return None;
        }
        let origin = |source: Source| origin(trace, part, source);
        if let Some(read) = &mut read {
            read.source = read.source.map(origin);
        }
        let mut threads = trace.threads.clone();
        if let Some(events) = threads.get_mut(&part.thread) {
            let gone = part.from..events.len().min(part.to + 1);
            events.splice(gone, read);
        }
        let is_there = |id: &EventId| !part.has(*id);
        for event in threads.values_mut().flatten() {
            (event.thread, event.index) = match event.thread == part.thread && event.index > part.to {
                true => part.renamed(event.id()),
                false => event.id(),
            };
            event.source = event.source.map(|source| match origin(source) {
                Source::Write(write) => Source::Write(part.renamed(write)),
                other => other,
            });
        }
        let chain = |writes: &Vec<EventId>| {
            writes.iter().copied().filter(is_there).map(|id| part.renamed(id)).collect::<Vec<EventId>>()
        };
        let order = trace.order.iter().filter(|(one, other)| is_there(one) && is_there(other));
        Some(Trace {
            threads,
            writes: trace.writes.iter().map(chain).collect(),
            order: order.map(|(one, other)| (part.renamed(*one), part.renamed(*other))).collect(),
        })
    }

    /// Whether an event has no effect, so that it may be part of what goes.
    fn may_go(&self, trace: &Trace, event: &Event) -> bool {
        match event.kind {
            Kind::Access { written: None, .. }
            | Kind::Fence { .. }
            | Kind::Lock { .. }
            | Kind::TryLock { .. }
            | Kind::Unlock { .. } => true,
            Kind::Access { read: Some(_), .. } => changes_nothing(&event.kind),
            Kind::Access { location, read: None, written, order } => {
                let before = predecessor(trace, location, event.id());
                self.stores == Stores::OfTheSame
                    && order != Order::Plain
                    && Some(value_of(self.program, trace, location, before)) == written
            }
            _ => false,
        }
    }

    /// The event that the instruction of a read would be, if it read what another one has read: with its source, and in its place.
    fn instead(&self, thread: usize, before: &[Event], read: &Event, other: &Event) -> Option<Event> {
        let code = &self.code[thread];
        let local = Local::after(code, before, self.program.registers);
        let instruction = code.get(local.position)?;
        let Action::Do(statement) = &instruction.action else { return None };
        let (kind, source) = match (&read.kind, &other.kind) {
            (
                Kind::Access { location, .. },
                Kind::Access { location: same, read: Some(value), written, .. },
            ) if location == same => {
                let goes_on = |until: Until| until.ends_with(*value, |set| local.value(set));
                let kind = local.access(statement, *location, *value)?;
                let writes_the_same = matches!(&kind, Kind::Access { written: own, .. } if own == written);
                if !writes_the_same || !instruction.until.is_none_or(goes_on) {
                    return None;
                }
                (kind, other.source)
            }
            (
                Kind::Lock { mutex },
                Kind::Lock { mutex: same } | Kind::TryLock { mutex: same, taken: true },
            ) if mutex == same => (Kind::Lock { mutex: *mutex }, None),
            (Kind::TryLock { mutex, .. }, Kind::Lock { mutex: same }) if mutex == same => {
                (Kind::TryLock { mutex: *mutex, taken: true }, Some(Source::Result(1)))
            }
            (Kind::TryLock { mutex, .. }, Kind::TryLock { mutex: same, taken }) if mutex == same => {
                (Kind::TryLock { mutex: *mutex, taken: *taken }, Some(Source::Result(u32::from(*taken))))
            }
            _ => return None,
        };
        Some(Event { kind, source, ..read.clone() })
    }

    /// Whether a thread is in the same state after these events and after those: before the same statement, with the same registers as
    /// far as they matter, and with the same mutexes.
    fn is_same(&self, thread: usize, one: &[&Event], other: &[&Event]) -> bool {
        let code = &self.code[thread];
        let after = |events: &[&Event]| Local::after(code, events.iter().copied(), self.program.registers);
        self.loops.is_same(thread, &after(one), &after(other)) && held(one) == held(other)
    }
}

/// What an event reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    Location(usize),
    Mutex(usize),
}

fn read_object(event: &Event) -> Option<Object> {
    match event.kind {
        Kind::Access { location, read: Some(_), .. } => Some(Object::Location(location)),
        Kind::Lock { mutex } | Kind::TryLock { mutex, .. } => Some(Object::Mutex(mutex)),
        _ => None,
    }
}

/// The mutexes that a thread holds after some events.
fn held(events: &[&Event]) -> BTreeSet<usize> {
    let mut held = BTreeSet::new();
    for event in events {
        match event.kind {
            Kind::Lock { mutex } | Kind::TryLock { mutex, taken: true } => drop(held.insert(mutex)),
            Kind::Unlock { mutex } | Kind::Release { mutex, .. } => drop(held.remove(&mutex)),
            _ => {}
        }
    }
    held
}

/// For each statement of a thread, the loops around it, by their numbers.
fn loops_around(body: &[Statement]) -> Vec<Vec<usize>> {
    fn walk(body: &[Statement], around: &[usize], into: &mut Vec<Vec<usize>>) {
        for statement in body {
            let number = into.len();
            into.push(around.to_vec());
            let own = matches!(statement, Statement::Loop { .. }).then_some(number);
            let around: Vec<usize> = around.iter().copied().chain(own).collect();
            statement.body().into_iter().for_each(|body| walk(body, &around, into));
        }
    }
    let mut list = Vec::new();
    walk(body, &[], &mut list);
    list
}

/// The write before one in the order of those to a location.
fn predecessor(trace: &Trace, location: usize, write: EventId) -> Source {
    let chain = &trace.writes[location];
    let at = chain.iter().position(|other| *other == write);
    match at.and_then(|at| at.checked_sub(1)) {
        Some(before) => Source::Write(chain[before]),
        None => Source::Initial,
    }
}

/// The value that a source has for a location.
fn value_of(program: &Program, trace: &Trace, location: usize, source: Source) -> u32 {
    match source {
        Source::Initial => program.locations[location],
        Source::Result(value) => value,
        Source::Write((thread, index)) => match trace.threads[&thread][index].kind {
            Kind::Access { written: Some(value), .. } => value,
            _ => 0,
        },
    }
}

/// Where a value comes from if a part is gone: what wrote back what it had read has it from there.
fn origin(trace: &Trace, part: Part, mut source: Source) -> Source {
    while let Source::Write((thread, index)) = source
        && part.has((thread, index))
    {
        let event = &trace.threads[&thread][index];
        source = match (event.source, &event.kind) {
            (Some(source), _) => source,
            (None, Kind::Access { location, .. }) => predecessor(trace, *location, event.id()),
            (None, _) => return source,
        };
    }
    source
}
