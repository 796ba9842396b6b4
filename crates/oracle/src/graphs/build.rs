//! Building graphs: what the threads of a graph have come to, and the events that can come next.

use super::graph::{Extension, Graph, Position, waker};
use crate::classes::Source;
use crate::code::{Action, Instruction, Local};
use crate::event::{Addition, Event, EventId, Kind};
use crate::interleavings::StatementId;
use crate::machine::Fault;
use crate::program::{Order, Outcome, Program, Statement, Value};
use crate::rounds::Loops;
use std::collections::BTreeSet;

/// The state of a thread. It follows from the results of its events.
struct Thread<'p> {
    registers: Vec<u32>,
    /// The position and the instruction before which it is; `None`: it has ended.
    next: Option<(usize, &'p Instruction)>,
    /// Whether another thread has started it.
    begun: bool,
    /// Whether it has used a mutex wrongly.
    is_faulty: bool,
}

/// A graph with the states of its threads.
pub struct Builder<'p> {
    program: &'p Program,
    graph: &'p Graph,
    threads: Vec<Thread<'p>>,
}

impl<'p> Builder<'p> {
    /// The threads of a graph.
    pub fn new(program: &'p Program, code: &'p [Vec<Instruction>], graph: &'p Graph) -> Self {
        let thread = |number: usize| {
            let events = &graph.threads[number];
            let Local { registers, position } = Local::after(&code[number], events, program.registers);
            let next = code[number].get(position).map(|instruction| (position, instruction));
            let begins = |event: &Event| event.kind == Kind::Spawn { thread: number };
            let begun = number == 0 || graph.events().any(begins);
            let is_faulty = matches!(events.last(), Some(Event { kind: Kind::Misuse { .. }, .. }));
            Thread { registers, next, begun, is_faulty }
        };
        Self { program, graph, threads: (0..code.len()).map(thread).collect() }
    }

    /// Which threads have begun.
    pub fn begun(&self) -> Vec<bool> {
        self.threads.iter().map(|thread| thread.begun).collect()
    }

    /// Which threads have ended.
    pub fn ended(&self) -> Vec<bool> {
        (0..self.threads.len()).map(|thread| self.has_ended(thread)).collect()
    }

    /// Whether a thread has ended.
    pub fn has_ended(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        thread.begun && thread.next.is_none() && !thread.is_faulty
    }

    /// The wrong uses of mutexes.
    pub fn faults(&self) -> BTreeSet<(Fault, StatementId)> {
        let wrong = |event: &Event| {
            let Kind::Misuse { .. } = event.kind else { return None };
            let place = (event.thread, event.statement);
            Some((Fault::of(self.program, place), place))
        };
        self.graph.events().filter_map(wrong).collect()
    }

    /// The statements at which threads are.
    pub fn stuck(&self) -> Vec<StatementId> {
        let place = |(number, thread): (usize, &Thread<'_>)| {
            let (_, next) = thread.next.filter(|_| thread.begun)?;
            Some((number, next.statement))
        };
        self.threads.iter().enumerate().filter_map(place).collect()
    }

    /// What main sees after it has joined all threads: the last writes.
    pub fn outcome(&self) -> Outcome {
        let values = |thread: usize| {
            let live = self.program.live_registers(thread);
            live.into_iter().map(move |register| (thread, register, self.threads[thread].registers[register]))
        };
        Outcome {
            locations: (0..self.program.locations.len()).map(|at| self.last_value(at)).collect(),
            registers: (0..self.threads.len()).flat_map(values).collect(),
        }
    }

    /// The instruction at which a thread is, if it can go on at all.
    pub fn next(&self, number: usize) -> Option<&'p Instruction> {
        let thread = &self.threads[number];
        thread.next.filter(|_| thread.begun && !thread.is_faulty).map(|(_, next)| next)
    }

    /// Where a thread is that can go on, or has not begun.
    pub fn position(&self, number: usize) -> Option<usize> {
        let thread = &self.threads[number];
        thread.next.filter(|_| !thread.is_faulty).map(|(position, _)| position)
    }

    /// Whether a thread may stay where it is for ever: it waits for a value, and the last one in modification order does not let it go
    /// on. It can read the last one again and again, and need not ever read an older one that would let it go on.
    pub fn may_wait(&self, number: usize, loops: &Loops<'_>) -> bool {
        let Some(next) = self.next(number) else { return false };
        if self.may_stay(number, loops) {
            return true;
        }
        let (Some(until), Action::Do(access)) = (&next.until, &next.action) else { return false };
        let at = match access {
            Statement::Load { at, .. } | Statement::Exchange { at, .. } => *at,
            Statement::CompareExchange { at, .. } => *at,
            _ => return false,
        };
        !until.ends_with(self.last_value(at), |set| value(&self.threads[number].registers, set))
    }

    /// Whether a thread was cut: it would begin one more round of a loop than it may.
    pub fn is_cut(&self) -> bool {
        let is_cut =
            |number: usize| matches!(self.next(number), Some(Instruction { action: Action::Cut { .. }, .. }));
        (0..self.threads.len()).any(is_cut)
    }

    /// Whether a thread may stay in a loop with a body for ever.
    fn may_stay(&self, number: usize, loops: &Loops<'_>) -> bool {
        let own = self.graph.threads[number].iter();
        let registers = self.threads[number].registers.len();
        loops.may_stay(number, own, registers, |at| self.last_value(at), |mutex| self.holder(mutex).is_none())
    }

    /// All ways to add the next event of any thread, consistent or not.
    pub fn extensions(&self) -> Vec<Extension> {
        (0..self.threads.len()).flat_map(|thread| self.extensions_by(thread)).collect()
    }

    /// All ways to add the next event of a thread.
    pub fn extensions_by(&self, number: usize) -> Vec<Extension> {
        let Some(next) = self.next(number) else { return Vec::new() };
        let more = More { builder: self, thread: number, statement: next.statement };
        match &next.action {
            Action::Do(statement) => {
                let mut list = more.statement(statement);
                if let Some(until) = &next.until {
                    let ends = |read| until.ends_with(read, |value| more.value(value));
                    let goes_on =
                        |kind: &Kind| matches!(kind, Kind::Access { read: Some(read), .. } if ends(*read));
                    list.retain(|extension| goes_on(&extension.event.kind));
                }
                list
            }
            Action::Release { condition, mutex } => more.release(*condition, *mutex),
            Action::Wake { condition } => more.wake(*condition),
            // Private steps are not where a thread stops; and who is cut takes none.
            Action::JumpUnless { .. } | Action::Round | Action::Cut { .. } => Vec::new(),
        }
    }

    /// The thread that holds a mutex after all changes.
    fn holder(&self, mutex: usize) -> Option<usize> {
        let last = self.graph.mutexes[mutex].last();
        last.and_then(|change| takes(self.graph.event(*change)))
    }

    /// The value that is last in the modification order of a location.
    fn last_value(&self, at: usize) -> u32 {
        match self.graph.writes[at].last() {
            Some(write) => self.value_at(at, Source::Write(*write)),
            None => self.value_at(at, Source::Initial),
        }
    }

    /// The value that a source has for a location.
    fn value_at(&self, at: usize, source: Source) -> u32 {
        match source {
            Source::Initial => self.program.locations[at],
            Source::Write(write) => match self.graph.event(write).kind {
                Kind::Access { written: Some(value), .. } => value,
                _ => 0,
            },
            Source::Result(value) => value,
        }
    }
}

fn value(registers: &[u32], value: Value) -> u32 {
    match value {
        Value::Constant(number) => number,
        Value::Sum(register, number) => registers[register] + number,
    }
}

/// The ways to add the next event of one thread.
struct More<'b, 'p> {
    builder: &'b Builder<'p>,
    thread: usize,
    statement: usize,
}

impl More<'_, '_> {
    fn statement(&self, statement: &Statement) -> Vec<Extension> {
        use Statement::*;
        let changes = |condition: usize| self.builder.graph.conditions[condition].len();
        match statement {
            Load { at, order, .. } => self.access(*at, |read| (read, None, *order)),
            Store { at, value, order } => {
                let (at, written, order) = (*at, self.value(*value), *order);
                let kind = Kind::Access { location: at, read: None, written: Some(written), order };
                self.everywhere(at, &kind, None).collect()
            }
            FetchAdd { at, add, order, .. } => self.access(*at, |read| (read, Some(read + add), *order)),
            Exchange { at, value, order, .. } => {
                self.access(*at, |read| (read, Some(self.value(*value)), *order))
            }
            CompareExchange { at, expected, new, order, .. } => self.access(*at, |read| {
                let succeeds = read == self.value(*expected);
                let order = if succeeds { *order } else { order.of_failure() };
                (read, succeeds.then(|| self.value(*new)), order)
            }),
            Fence { order } => vec![self.with(Kind::Fence { order: *order }, None)],
            Lock { mutex } => match self.builder.holder(*mutex) {
                None => vec![self.with_change(Kind::Lock { mutex: *mutex }, None)],
                Some(holder) if holder == self.thread => {
                    vec![self.with(Kind::Misuse { mutex: *mutex }, None)]
                }
                Some(_) => Vec::new(),
            },
            Unlock { mutex } if self.builder.holder(*mutex) == Some(self.thread) => {
                vec![self.with_change(Kind::Unlock { mutex: *mutex }, None)]
            }
            Unlock { mutex } => vec![self.with(Kind::Misuse { mutex: *mutex }, None)],
            TryLock { mutex, .. } => self.try_lock(*mutex),
            Signal { condition } => {
                let waiters = self.waiters(*condition, changes(*condition));
                self.signal(*condition, waiters.into_iter().map(|waiter| vec![waiter]).collect())
            }
            Broadcast { condition } => {
                let waiters = self.waiters(*condition, changes(*condition));
                let all = waiters.into_iter().collect::<Vec<usize>>();
                self.signal(*condition, if all.is_empty() { Vec::new() } else { vec![all] })
            }
            Post { semaphore } => vec![self.with_change(Kind::Post { semaphore: *semaphore }, None)],
            Down { semaphore } if self.is_up(*semaphore) => {
                vec![self.with_change(Kind::Down { semaphore: *semaphore }, None)]
            }
            Down { .. } => Vec::new(),
            Spawn { thread } => vec![self.with(Kind::Spawn { thread: *thread }, None)],
            Join { thread } if self.builder.has_ended(*thread) => {
                vec![self.with(Kind::Join { thread: *thread }, None)]
            }
            Join { .. } => Vec::new(),
            Choose { options, .. } => {
                let choose = |value| self.with(Kind::Choose { value }, Some(Source::Result(value)));
                (0..*options).map(choose).collect()
            }
            Indexed { register, count, access } => {
                let index = self.builder.threads[self.thread].registers[*register] as usize % count;
                self.statement(&access.moved(index))
            }
            // Private, or taken apart.
            Wait { .. } | Assign { .. } | If { .. } | Await { .. } | Loop { .. } => Vec::new(),
        }
    }

    fn id(&self) -> EventId {
        (self.thread, self.builder.graph.threads[self.thread].len())
    }

    fn value(&self, of: Value) -> u32 {
        value(&self.builder.threads[self.thread].registers, of)
    }

    /// This event, at a position.
    fn at(&self, position: Position, kind: Kind, source: Option<Source>) -> Extension {
        let (thread, index) = self.id();
        let event = Event { thread, index, statement: self.statement, kind, source, addition: Addition::No };
        Extension { event, position }
    }

    /// An event that is in no order with those of other threads.
    fn with(&self, kind: Kind, source: Option<Source>) -> Extension {
        self.at(Position::None, kind, source)
    }

    /// An event that changes a mutex, a condition variable or a semaphore, after all other changes.
    fn with_change(&self, kind: Kind, source: Option<Source>) -> Extension {
        self.at(Position::Last, kind, source)
    }

    /// An event that only reads a mutex or a condition variable, after `changes` changes of it.
    fn with_read(&self, kind: Kind, source: Option<Source>, changes: usize) -> Extension {
        self.at(Position::After { changes }, kind, source)
    }

    /// An event that reads a location: what it reads, what it writes if it does, and its order follow from what is there. It
    /// may read from any write, and write anywhere.
    fn access(&self, at: usize, what: impl Fn(u32) -> (u32, Option<u32>, Order)) -> Vec<Extension> {
        let writes = &self.builder.graph.writes[at];
        let sources = [Source::Initial].into_iter().chain(writes.iter().map(|write| Source::Write(*write)));
        let mut list = Vec::new();
        for source in sources {
            let (read, written, order) = what(self.builder.value_at(at, source));
            let kind = Kind::Access { location: at, read: Some(read), written, order };
            match written {
                Some(_) => list.extend(self.everywhere(at, &kind, Some(source))),
                None => list.push(self.with(kind, Some(source))),
            }
        }
        list
    }

    /// An event at each place in the modification order of a location.
    fn everywhere(&self, at: usize, kind: &Kind, source: Option<Source>) -> impl Iterator<Item = Extension> {
        let places = 0..=self.builder.graph.writes[at].len();
        places.map(move |place| self.at(Position::Write { place }, kind.clone(), source))
    }

    /// It takes the mutex if that is free after all changes. It fails if it is taken after some.
    fn try_lock(&self, mutex: usize) -> Vec<Extension> {
        let kind = |taken| Kind::TryLock { mutex, taken };
        let source = |taken| Some(Source::Result(u32::from(taken)));
        let mut list = Vec::new();
        if self.builder.holder(mutex).is_none() {
            list.push(self.with_change(kind(true), source(true)));
        }
        for (index, change) in self.builder.graph.mutexes[mutex].iter().enumerate() {
            if takes(self.builder.graph.event(*change)).is_some() {
                list.push(self.with_read(kind(false), source(false), index + 1));
            }
        }
        list
    }

    fn release(&self, condition: usize, mutex: usize) -> Vec<Extension> {
        match self.builder.holder(mutex) == Some(self.thread) {
            true => vec![self.with_change(Kind::Release { condition, mutex }, None)],
            false => vec![self.with(Kind::Misuse { mutex }, None)],
        }
    }

    fn wake(&self, condition: usize) -> Vec<Extension> {
        match waker(self.builder.graph, condition, self.id()) {
            Some(_) => vec![self.with(Kind::Wake { condition }, None)],
            None => Vec::new(),
        }
    }

    /// The threads that wait for a condition variable after `changes` changes of it, in order.
    fn waiters(&self, condition: usize, changes: usize) -> BTreeSet<usize> {
        let graph = self.builder.graph;
        let mut waiters = BTreeSet::new();
        for change in &graph.conditions[condition][..changes] {
            match &graph.event(*change).kind {
                Kind::Signal { woken, .. } => waiters.retain(|waiter| !woken.contains(waiter)),
                _ => drop(waiters.insert(change.0)),
            }
        }
        waiters
    }

    /// It wakes some, in one of these ways, after all changes. It wakes nobody if nobody waits after some.
    fn signal(&self, condition: usize, ways: Vec<Vec<usize>>) -> Vec<Extension> {
        let wakes = |woken| self.with_change(Kind::Signal { condition, woken }, None);
        let mut list: Vec<Extension> = ways.into_iter().map(wakes).collect();
        for changes in 0..=self.builder.graph.conditions[condition].len() {
            if self.waiters(condition, changes).is_empty() {
                let kind = Kind::Signal { condition, woken: Vec::new() };
                list.push(self.with_read(kind, None, changes));
            }
        }
        list
    }

    /// Whether a semaphore can be taken after all changes.
    fn is_up(&self, semaphore: usize) -> bool {
        let changes = || self.builder.graph.semaphores[semaphore].iter();
        let is_down =
            |change: &&EventId| matches!(self.builder.graph.event(**change).kind, Kind::Down { .. });
        2 * changes().filter(is_down).count() < changes().count()
    }
}

/// The thread that takes a mutex with this change of it.
fn takes(change: &Event) -> Option<usize> {
    matches!(change.kind, Kind::Lock { .. } | Kind::TryLock { .. }).then_some(change.thread)
}
