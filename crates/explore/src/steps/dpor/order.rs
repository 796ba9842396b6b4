//! The present execution as a partial order: vector clocks, and who touched what last.
//!
//! An execution is a sequence of *units*: visible operations, or whole atomic sections, which nobody else gets
//! into (and what a thread does after it has joined all others). A unit happens after those of its thread, after the
//! creation of its thread, after the end of threads it has joined, and after the units it depends on. Each unit has a
//! vector clock, one component per thread: how many units of that thread happened before it (itself included).
//!
//! Each granule of memory has a history of accesses, so what a new unit depends on is found by looking at the
//! ends of a few short lists, never by searching the execution. Everything is undone in reverse order.
//!
//! # Store buffers
//!
//! With store buffers, a store that reaches memory is a unit, too, of the buffer. It happens after the unit in which its
//! thread performed it, and after the stores that it cannot overtake: those of the same *lane* (under TSO there is one
//! per thread, under PSO one per location; each is a component of the clocks) and those of earlier epochs. What waits
//! for the empty buffer (a fence, a lock, a join) happens after all that was in it.
//!
//! Executions are the same if each load reads from the same store and stores reach each location in the same order;
//! when exactly a store arrives does not matter as long as nobody can tell. So a load of what its own thread has stored
//! happens neither after that store's arrival nor before it: it makes no difference whether the value comes from the
//! buffer or is in memory already. It does happen before whatever overwrites the store afterwards. If the load was
//! before the arrival, these are not in the history of the location in that order; therefore a store remembers who has
//! read it in the buffer.
//!
//! With these rules the order of an execution is that of program order (but for stores before loads), reads-from,
//! coherence and from-reads: the traces of Shasha and Snir, one each, as in Abdulla et al. (TACAS 2015).
//!
//! # Races
//!
//! Two units race if they depend on each other and nothing in between orders them, so that the second could have
//! come first. What blocks needs care. An `unlock` is what makes the next `lock` possible: these two cannot
//! change places, but the `lock` before the `unlock` and the next `lock` can. So for an operation that may have
//! to wait, the histories of its objects are searched backwards for the latest unit `e` such that the operation
//! was possible before `e`: in the state that is left when `e`, and all that happened after `e`, is taken out.
//! That state is computed from what each access found before it; where that is not known (copies, fills), the
//! operation is tried, and may turn out to be impossible. (For a writer that waits for readers, a reader that came
//! after `e` and whose unlock is taken out is taken out as well.) The same goes for a thread
//! in a waiting loop, which is possible only if something it watches has another value, and for threads that are
//! still blocked when the execution ends.

use crate::core::dependence::{Access, Blocking, Mode, dependent};
use rustc_hash::FxHashMap;
use selvedge_trace::sync::{self, Condition};
use selvedge_trace::{Agent, Event, Operation, ThreadId};

/// No unit.
pub const NONE: u32 = u32::MAX;

/// An operation that happens next, or would if it could.
#[derive(Clone, Copy)]
pub struct Prospect<'a> {
    /// Who.
    pub agent: Agent,
    /// What is touched.
    pub accesses: &'a [Access],
    /// When it is possible.
    pub blocking: Blocking,
    /// The object that it may have to wait for.
    pub object: u64,
    /// The first bytes of that object now.
    pub state: u64,
    /// Whether the thread is in a waiting loop.
    pub waits: bool,
    /// Its part in store buffers.
    pub part: Part,
}

/// The part of an operation in store buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It puts so many stores into the buffer of its thread.
    Issues(u32),
    /// It waits until the buffer of its thread is empty.
    Drains,
    /// It is a store that reaches memory.
    Arrives {
        /// Those of the same lane arrive in their order.
        lane: u64,
        /// Those of earlier epochs arrive first.
        epoch: u32,
    },
}

impl Part {
    /// Of an event; `issued`: how many stores it has put into the buffer.
    pub fn of(event: &Event, issued: u32) -> Part {
        match event.operation {
            Operation::Flush { lane, epoch, .. } => Part::Arrives { lane, epoch },
            _ if event.drained => Part::Drains,
            _ => Part::Issues(issued),
        }
    }
}

/// Threads that a unit creates or waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// None.
    Nobody,
    /// It creates a thread.
    Creates(ThreadId),
    /// It has waited for a thread's end.
    Joins(ThreadId),
    /// It has waited for the end of all others.
    JoinsAll,
}

impl Family {
    /// What an event says about threads, if anything.
    pub fn of(event: &Event) -> Option<Family> {
        match event.operation {
            Operation::Spawn { .. } => {
                let number = usize::try_from(event.read?).ok()?.checked_sub(1)?;
                ThreadId::from_number(number).map(Family::Creates)
            }
            // One that fails has not waited.
            Operation::Join { thread } => thread.filter(|_| event.read.is_some()).map(Family::Joins),
            Operation::WaitForOthers { .. } => Some(Family::JoinsAll),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Unit {
    agent: Agent,
    /// Its component of clocks.
    component: u16,
    drains: bool,
    number: u32,
    access: u32,
    race: u32,
    touch: u32,
}

/// An access in the history of a granule.
#[derive(Debug, Clone, Copy)]
struct Past {
    unit: u32,
    /// The latest entry up to this one that is no `Read`, plus 1.
    change: u32,
    before: u64,
    mask: u8,
    mode: Mode,
    delta: i8,
    known: bool,
}

/// A store that was put into a buffer.
#[derive(Debug, Default)]
struct Stored {
    /// The unit that did that.
    issue: u32,
    /// The unit in which it reached memory, or [`NONE`].
    arrival: u32,
    epoch: u32,
    /// Who has read it in the buffer: unit, granule and bytes.
    readers: Vec<(u32, u64, u8)>,
}

/// Two units that can change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    /// The earlier one.
    pub first: u32,
    /// Another unit that has to be taken out for that, or [`NONE`].
    pub also: u32,
    /// Whether it is certain that the later one is possible before the earlier one.
    pub certain: bool,
}

/// The order of the present execution.
#[derive(Debug, Default)]
pub struct Order {
    /// By thread number: the component of clocks that is the thread's.
    dense: Vec<u16>,
    /// The thread of each component, or the one whose buffer's lane it is.
    threads: Vec<ThreadId>,
    /// By thread number: the lanes of its buffer, and their components.
    lanes: Vec<Vec<(u64, u16)>>,
    /// By thread number: the stores that it has buffered.
    stores: Vec<Vec<Stored>>,
    /// Components of a clock in `clocks`.
    stride: usize,
    units: Vec<Unit>,
    clocks: Vec<u32>,
    /// The units of each thread.
    own: Vec<Vec<u32>>,
    /// The unit that created each thread.
    creators: Vec<u32>,
    accesses: Vec<Access>,
    races: Vec<Race>,
    /// Histories that a unit has changed, and the unit that its last entry stood for if it was replaced.
    touched: Vec<(u32, u32)>,
    slots: FxHashMap<u64, u32>,
    histories: Vec<Vec<Past>>,
    /// The slots of what the present operation touches.
    touching: Vec<u32>,
    scratch: Vec<u32>,
    marked: Vec<Access>,
    race_clock: Vec<u32>,
    found: Vec<Race>,
    /// Whether what makes an operation possible counts as a race with it, although the two cannot change places.
    pub enabling_races: bool,
}

/// Components of clocks are added so many at a time.
const LANE: usize = 4;

fn join(into: &mut [u32], other: &[u32]) {
    let (into, other) = (into.as_chunks_mut::<LANE>().0, other.as_chunks::<LANE>().0);
    for (mine, theirs) in into.iter_mut().zip(other) {
        for at in 0..LANE {
            mine[at] = mine[at].max(theirs[at]);
        }
    }
}

impl Order {
    /// Number of units.
    pub fn length(&self) -> usize {
        self.units.len()
    }

    /// The component of a thread.
    fn component(&mut self, thread: ThreadId) -> usize {
        let number = thread.number();
        if self.dense.len() <= number {
            self.dense.resize(number + 1, u16::MAX);
        }
        if self.dense[number] == u16::MAX {
            self.dense[number] = self.new_component(thread);
        }
        usize::from(self.dense[number])
    }

    fn new_component(&mut self, thread: ThreadId) -> u16 {
        let component = self.threads.len() as u16;
        self.threads.push(thread);
        self.own.push(Vec::new());
        self.creators.push(NONE);
        if self.threads.len() > self.stride {
            self.widen();
        }
        component
    }

    /// The component of a lane of a thread's buffer.
    fn lane(&mut self, thread: ThreadId, lane: u64) -> usize {
        let number = thread.number();
        if self.lanes.len() <= number {
            self.lanes.resize(number + 1, Vec::new());
        }
        let known = self.lanes[number].iter().find(|(other, _)| *other == lane);
        let component = match known {
            Some((_, component)) => *component,
            None => {
                let component = self.new_component(thread);
                self.lanes[number].push((lane, component));
                component
            }
        };
        usize::from(component)
    }

    /// The components of the lanes of a thread's buffer.
    fn lanes_of(&self, thread: ThreadId) -> impl Iterator<Item = usize> + '_ {
        self.lanes.get(thread.number()).into_iter().flatten().map(|(_, component)| usize::from(*component))
    }

    /// A buffered store.
    fn stored(&self, agent: Agent) -> Option<&Stored> {
        let number = agent.number()? as usize;
        self.stores.get(agent.thread().number())?.get(number - 1)
    }

    /// Makes room for more threads in all clocks.
    fn widen(&mut self) {
        let stride = (2 * self.stride).max(LANE);
        let mut clocks = vec![0; self.units.len() * stride];
        for (at, clock) in clocks.chunks_exact_mut(stride).enumerate() {
            clock[..self.stride].copy_from_slice(&self.clocks[at * self.stride..][..self.stride]);
        }
        self.clocks = clocks;
        self.stride = stride;
        self.scratch.resize(stride, 0);
        self.race_clock.resize(stride, 0);
    }

    fn known_component(&self, thread: ThreadId) -> Option<usize> {
        self.dense.get(thread.number()).filter(|at| **at != u16::MAX).map(|at| usize::from(*at))
    }

    /// What happened before a unit, itself included.
    fn clock(&self, unit: u32) -> &[u32] {
        &self.clocks[unit as usize * self.stride..][..self.stride]
    }

    fn sees(&self, clock: &[u32], unit: u32) -> bool {
        let unit = &self.units[unit as usize];
        clock[usize::from(unit.component)] >= unit.number
    }

    /// Whether a unit happened before another, or is it.
    #[inline]
    pub fn is_before(&self, unit: u32, other: u32) -> bool {
        self.sees(self.clock(other), unit)
    }

    /// Whose unit it is.
    pub fn agent(&self, unit: u32) -> Agent {
        self.units[unit as usize].agent
    }

    /// Whether a unit waits for the empty buffer.
    pub fn drains(&self, unit: u32) -> bool {
        self.units[unit as usize].drains
    }

    /// The accesses of a unit.
    pub fn accesses(&self, unit: u32) -> &[Access] {
        let from = self.units[unit as usize].access as usize;
        let to = self.units.get(unit as usize + 1).map_or(self.accesses.len(), |next| next.access as usize);
        &self.accesses[from..to]
    }

    /// The races of a unit with earlier ones.
    pub fn races(&self, unit: u32) -> std::ops::Range<usize> {
        let from = self.units[unit as usize].race as usize;
        let to = self.units.get(unit as usize + 1).map_or(self.races.len(), |next| next.race as usize);
        from..to
    }

    /// A race, by number.
    pub fn race(&self, number: usize) -> Race {
        self.races[number]
    }

    /// Whether a unit happened before what an agent did at a position, by its own past, its creation or its buffer.
    /// `drains`: that waits until the buffer is empty.
    pub fn is_in_base(&self, unit: u32, agent: Agent, drains: bool, position: u32) -> bool {
        self.base_of(agent, drains, position).any(|other| self.is_before(unit, other))
    }

    /// The units that what an agent did at a position comes immediately after, by its own past, its creation or its
    /// buffer. `drains`: that waits until the buffer is empty.
    pub fn base_of(&self, agent: Agent, drains: bool, position: u32) -> impl Iterator<Item = u32> {
        let stored = self.stored(agent);
        let last = match (stored, self.known_component(agent.thread())) {
            (Some(stored), _) => stored.issue,
            (None, None) => NONE,
            (None, Some(component)) => {
                let own = &self.own[component];
                match own.partition_point(|unit| *unit < position) {
                    0 => self.creators[component],
                    count => own[count - 1],
                }
            }
        };
        let waits = move |arrival: u32| match stored {
            Some(stored) => self.cannot_overtake(agent, stored.epoch, arrival),
            None => drains,
        };
        let arrivals =
            self.lanes_of(agent.thread()).filter_map(move |lane| self.last_of(lane, position, waits));
        std::iter::once(last).filter(|last| *last != NONE).chain(arrivals)
    }

    /// What tells which units happened before which: a unit's component of the clocks, its number there, and its clock.
    /// It happened before another one, or is it, if that one's clock has at least its number in its component.
    pub fn moment(&self, unit: u32) -> (u16, u32, &[u32]) {
        let own = &self.units[unit as usize];
        (own.component, own.number, &self.clock(unit)[..self.threads.len()])
    }

    /// The last unit of a component before a position that fits.
    fn last_of(&self, component: usize, position: u32, fits: impl Fn(u32) -> bool) -> Option<u32> {
        let own = &self.own[component];
        let before = &own[..own.partition_point(|unit| *unit < position)];
        before.iter().rev().copied().find(|unit| fits(*unit))
    }

    /// Whether a store had to wait for the arrival of another one of its thread.
    fn cannot_overtake(&self, agent: Agent, epoch: u32, arrival: u32) -> bool {
        let other = self.agent(arrival);
        let (Some(mine), Some(theirs)) = (agent.number(), other.number()) else { return false };
        let older = self.stored(other).is_some_and(|stored| stored.epoch < epoch);
        let same_lane = || {
            let (Some(this), lane) = (self.stored(agent), self.units[arrival as usize].component) else {
                return false;
            };
            match this.arrival {
                NONE => false,
                own => self.units[own as usize].component == lane,
            }
        };
        theirs < mine && (older || same_lane())
    }

    /// The units of each thread that has any, by component of the clocks.
    pub fn by_thread(&self) -> &[Vec<u32>] {
        &self.own
    }

    /// Whether a unit is among the first `done` of each thread.
    pub fn is_done(&self, unit: u32, done: &[u32]) -> bool {
        let unit = &self.units[unit as usize];
        unit.number <= done[usize::from(unit.component)]
    }

    /// Whether all that happened before the next unit of a thread is among the first `done` of each thread.
    pub fn is_ready(&self, unit: u32, done: &[u32]) -> bool {
        let own = usize::from(self.units[unit as usize].component);
        let clock = self.clock(unit).iter().zip(done).enumerate();
        clock.fold(true, |ready, (thread, (seen, done))| ready & (seen <= done || thread == own))
    }

    /// Whether the thread of a unit has been created by the first `done` of each thread.
    pub fn is_created(&self, unit: u32, done: &[u32]) -> bool {
        let creator = match self.stored(self.units[unit as usize].agent) {
            Some(stored) => stored.issue,
            None => self.creators[usize::from(self.units[unit as usize].component)],
        };
        creator == NONE || self.is_done(creator, done)
    }

    /// Puts into `scratch` what a unit has seen; nothing, if there is none.
    fn begin_with(&mut self, unit: u32) {
        match unit {
            NONE => self.scratch.fill(0),
            unit => {
                let clock = &self.clocks[unit as usize * self.stride..][..self.stride];
                let (to, from) = (self.scratch.as_chunks_mut::<LANE>().0, clock.as_chunks::<LANE>().0);
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }

    /// Joins to `scratch` what a unit has seen.
    fn join_clock(&mut self, unit: u32) {
        join(&mut self.scratch, &self.clocks[unit as usize * self.stride..][..self.stride]);
    }

    /// Puts into `scratch` what happened before the next unit of a thread, dependence aside.
    fn base(&mut self, component: usize) {
        self.begin_with(self.own[component].last().copied().unwrap_or(self.creators[component]));
    }

    /// Puts into `scratch` what happened before a store reaches memory, dependence aside.
    fn base_of_arrival(&mut self, agent: Agent, component: usize, epoch: u32) {
        self.begin_with(self.stored(agent).map_or(NONE, |stored| stored.issue));
        let lanes = self.lanes.get(agent.thread().number()).map_or(0, Vec::len);
        for index in 0..lanes {
            let lane = usize::from(self.lanes[agent.thread().number()][index].1);
            let older = |arrival: u32| {
                lane == component || self.stored(self.agent(arrival)).is_some_and(|other| other.epoch < epoch)
            };
            if let Some(last) = self.own[lane].iter().rev().copied().find(|arrival| older(*arrival)) {
                self.join_clock(last);
            }
        }
    }

    /// Joins to `scratch` all that has left a thread's buffer.
    fn join_lanes(&mut self, thread: ThreadId) {
        let lanes = self.lanes.get(thread.number()).map_or(0, Vec::len);
        for index in 0..lanes {
            let lane = usize::from(self.lanes[thread.number()][index].1);
            if let Some(last) = self.own[lane].last().copied() {
                if self.enabling_races && !self.sees(&self.scratch, last) {
                    self.races.push(Race { first: last, also: NONE, certain: true });
                }
                self.join_clock(last);
            }
        }
    }

    /// Takes note of what a new unit does to buffers.
    fn note_part(&mut self, at: u32, agent: Agent, part: Part) {
        let thread = agent.thread().number();
        match part {
            Part::Issues(0) | Part::Drains => {}
            Part::Issues(count) => {
                if self.stores.len() <= thread {
                    self.stores.resize_with(thread + 1, Vec::new);
                }
                let stored = || Stored { issue: at, arrival: NONE, epoch: 0, readers: Vec::new() };
                self.stores[thread].extend((0..count).map(|_| stored()));
            }
            Part::Arrives { epoch, .. } => {
                let number = agent.number().unwrap_or(0) as usize;
                let stores = self.stores.get_mut(thread);
                if let Some(stored) = stores.and_then(|stores| stores.get_mut(number.wrapping_sub(1))) {
                    (stored.arrival, stored.epoch) = (at, epoch);
                }
            }
        }
    }

    /// Forgets what a unit has done to buffers; its accesses are still known.
    fn forget_part(&mut self, at: u32, agent: Agent, access: usize) {
        let Some(stores) = self.stores.get_mut(agent.thread().number()) else { return };
        if let Some(number) = agent.number() {
            if let Some(stored) = stores.get_mut(number as usize - 1) {
                stored.arrival = NONE;
            }
            return;
        }
        for access in self.accesses[access..].iter().filter(|access| access.own) {
            if let Some(stored) = stores.get_mut((access.before as usize).wrapping_sub(1)) {
                stored.readers.pop_if(|(unit, ..)| *unit == at);
            }
        }
        while stores.last().is_some_and(|stored| stored.issue == at) {
            stores.pop();
        }
    }

    /// Forgets all units from a position on.
    pub fn truncate(&mut self, length: usize) {
        while self.units.len() > length {
            let Some(unit) = self.units.pop() else { break };
            if !self.stores.is_empty() {
                self.forget_part(self.units.len() as u32, unit.agent, unit.access as usize);
            }
            while self.touched.len() > unit.touch as usize {
                let Some((slot, replaced)) = self.touched.pop() else { break };
                let history = &mut self.histories[slot as usize];
                match replaced {
                    NONE => drop(history.pop()),
                    old => {
                        if let Some(last) = history.last_mut() {
                            last.unit = old;
                        }
                    }
                }
            }
            self.own[usize::from(unit.component)].pop();
            self.accesses.truncate(unit.access as usize);
            self.races.truncate(unit.race as usize);
        }
        self.clocks.truncate(self.units.len() * self.stride);
    }

    /// Adds a unit.
    pub fn push(&mut self, next: &Prospect<'_>, family: Family) {
        if self.stores.is_empty() {
            return self.push_unit(next, family);
        }
        let mut accesses = std::mem::take(&mut self.marked);
        accesses.clear();
        next.accesses.iter().for_each(|access| self.mark_own(access, &mut accesses));
        self.push_unit(&Prospect { accesses: &accesses, ..*next }, family);
        self.marked = accesses;
    }

    /// Adds an access; a read of bytes that the own thread has stored is marked as such.
    fn mark_own(&self, access: &Access, into: &mut Vec<Access>) {
        if access.mode != Mode::Read || access.own || access.watched {
            return into.push(*access);
        }
        let (mut missing, mut others) = (access.mask, 0);
        for past in self.history(access.granule).iter().rev().filter(|past| past.mode != Mode::Read) {
            let mask = past.mask & missing;
            let agent = self.agent(past.unit);
            match agent.number() {
                _ if mask == 0 => continue,
                Some(number) if agent.thread().number() == usize::from(access.owner) => {
                    into.push(Access { mask, own: true, before: u64::from(number), ..*access });
                }
                _ => others |= mask,
            }
            missing &= !mask;
            if missing == 0 {
                break;
            }
        }
        if others | missing != 0 {
            into.push(Access { mask: others | missing, ..*access });
        }
    }

    /// Whether a store has reached memory before a position.
    pub fn has_arrived(&self, store: Agent, position: usize) -> bool {
        self.stored(store).is_some_and(|stored| (stored.arrival as usize) < position)
    }

    fn push_unit(&mut self, next: &Prospect<'_>, family: Family) {
        let thread = next.agent.thread();
        let component = match next.part {
            Part::Arrives { lane, epoch } => {
                let component = self.lane(thread, lane);
                self.base_of_arrival(next.agent, component, epoch);
                component
            }
            _ => {
                let component = self.component(thread);
                if let Family::Creates(child) = family {
                    let child = self.component(child);
                    self.creators[child] = self.units.len() as u32;
                }
                self.base(component);
                component
            }
        };
        let race = self.races.len() as u32;
        match family {
            Family::Joins(child) => {
                let component = self.component(child);
                self.join_last(component);
                self.join_lanes(child);
            }
            Family::JoinsAll => (0..self.threads.len()).for_each(|other| self.join_last(other)),
            _ => {}
        }
        let drains = next.part == Part::Drains;
        if drains {
            self.join_lanes(thread);
        }
        self.relate(next);
        let number = self.own[component].len() as u32 + 1;
        let at = self.units.len() as u32;
        let (access, touch) = (self.accesses.len() as u32, self.touched.len() as u32);
        let (agent, component_of_unit) = (next.agent, component as u16);
        self.units.push(Unit { agent, component: component_of_unit, drains, number, access, race, touch });
        self.note_part(at, next.agent, next.part);
        self.scratch[component] = number;
        // Piece by piece: they are short.
        self.scratch.as_chunks::<LANE>().0.iter().for_each(|piece| self.clocks.extend_from_slice(piece));
        self.own[component].push(at);
        match next.accesses {
            [one] => self.accesses.push(*one),
            accesses => self.accesses.extend_from_slice(accesses),
        }
        for (index, access) in next.accesses.iter().enumerate() {
            match access.own_store() {
                Some(store) if !self.has_arrived(store, at as usize) => {
                    self.remember_reader(at, thread, access);
                }
                _ => self.remember(at, access, self.touching[index]),
            }
        }
    }

    /// Takes note of a load of a store that is still buffered.
    fn remember_reader(&mut self, unit: u32, thread: ThreadId, access: &Access) {
        let stores = self.stores.get_mut(thread.number());
        let number = (access.before as usize).wrapping_sub(1);
        if let Some(stored) = stores.and_then(|stores| stores.get_mut(number)) {
            stored.readers.push((unit, access.granule, access.mask));
        }
    }

    fn join_last(&mut self, component: usize) {
        let Some(last) = self.own[component].last().copied() else { return };
        if self.enabling_races && self.agent(last).is_thread() && !self.sees(&self.scratch, last) {
            self.races.push(Race { first: last, also: NONE, certain: true });
        }
        self.join_clock(last);
    }

    /// The races of an operation that is still blocked when the execution ends.
    pub fn races_at_end(&mut self, next: &Prospect<'_>, into: &mut Vec<Race>) {
        let component = self.component(next.agent.thread());
        self.base(component);
        if next.part == Part::Drains {
            self.join_lanes(next.agent.thread());
        }
        let first = self.races.len();
        self.relate(next);
        into.extend(self.races.drain(first..));
    }

    /// Joins to `scratch` what the operation depends on, and adds its races.
    fn relate(&mut self, next: &Prospect<'_>) {
        let mut found = std::mem::take(&mut self.found);
        self.find_slots(next.accesses);
        let blocks = next.blocking != Blocking::No || next.waits;
        if blocks {
            for (access, slot) in next.accesses.iter().zip(&self.touching) {
                self.reversible(&self.scratch, next, access, *slot, &mut found);
            }
            if !found.is_empty() {
                self.race_clock.copy_from_slice(&self.scratch);
                self.add_races(next.agent, &mut found, true);
                std::mem::swap(&mut self.scratch, &mut self.race_clock);
            }
        }
        for (access, slot) in next.accesses.iter().zip(&self.touching) {
            self.conflicts(access, *slot, &mut found);
        }
        if !found.is_empty() {
            self.add_races(next.agent, &mut found, !blocks || self.enabling_races);
        }
        self.found = found;
    }

    /// Joins what was found to `scratch`, latest first, and takes note of what is not ordered already. Stores of the
    /// same thread cannot change places. Nothing is left of what was found.
    fn add_races(&mut self, agent: Agent, found: &mut Vec<Race>, record: bool) {
        if found.len() > 1 {
            found.sort_unstable_by_key(|race| std::cmp::Reverse(race.first));
        }
        for race in found.drain(..) {
            if !self.sees(&self.scratch, race.first) {
                self.join_clock(race.first);
                if record && self.agent(race.first).thread() != agent.thread() {
                    self.races.push(race);
                }
            }
        }
    }

    fn history(&self, granule: u64) -> &[Past] {
        self.slots.get(&granule).map_or(&[], |slot| &self.histories[*slot as usize])
    }

    /// Finds the histories of all that an operation touches.
    fn find_slots(&mut self, accesses: &[Access]) {
        self.touching.clear();
        for access in accesses {
            let next = self.histories.len() as u32;
            let slot = *self.slots.entry(access.granule).or_insert(next);
            if slot == next {
                self.histories.push(Vec::new());
            }
            self.touching.push(slot);
        }
    }

    /// Adds the units that an access immediately depends on.
    fn conflicts(&self, access: &Access, slot: u32, found: &mut Vec<Race>) {
        if access.own {
            return;
        }
        let history = &self.histories[slot as usize];
        let mut missing = access.mask;
        let mut at = history.len();
        loop {
            // A read has nothing to do with other reads.
            if access.mode == Mode::Read {
                let Some(last) = at.checked_sub(1) else { return };
                at = history[last].change as usize;
            }
            let Some(index) = at.checked_sub(1) else { return };
            let past = &history[index];
            at = index;
            if past.mask & missing != 0 && past.mode.conflicts(access.mode) {
                if !self.stores.is_empty() {
                    let agent = self.agent(past.unit);
                    let own = agent.thread().number() == usize::from(access.owner);
                    if own && !agent.is_thread() && access.mode == Mode::Read {
                        // It makes no difference whether the own store has arrived.
                        missing &= !past.mask;
                        if missing == 0 {
                            return;
                        }
                        continue;
                    }
                    self.readers_in_buffer(agent, access, past.mask & missing, found);
                }
                found.push(Race { first: past.unit, also: NONE, certain: true });
                if past.mode == Mode::Write {
                    missing &= !past.mask;
                    if missing == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// Adds the loads of a store in its thread's buffer, which happened before what overwrites the store.
    fn readers_in_buffer(&self, store: Agent, access: &Access, mask: u8, found: &mut Vec<Race>) {
        if access.mode == Mode::Read || store.thread().number() == usize::from(access.owner) {
            return;
        }
        for (unit, granule, bytes) in self.stored(store).iter().flat_map(|stored| &stored.readers) {
            if *granule == access.granule && bytes & mask != 0 {
                found.push(Race { first: *unit, also: NONE, certain: true });
            }
        }
    }

    /// Adds the latest units that an access of an operation that may have to wait can change places with.
    fn reversible(
        &self,
        base: &[u32],
        next: &Prospect<'_>,
        access: &Access,
        slot: u32,
        found: &mut Vec<Race>,
    ) {
        let history = &self.histories[slot as usize];
        let (mut missing, mut at) = (access.mask, history.len());
        loop {
            // A read has nothing to do with other reads.
            if access.mode == Mode::Read {
                let Some(last) = at.checked_sub(1) else { return };
                at = history[last].change as usize;
            }
            let Some(index) = at.checked_sub(1) else { return };
            let past = &history[index];
            at = index;
            if past.mask & missing == 0 || !past.mode.conflicts(access.mode) {
                continue;
            }
            let seen = self.sees(base, past.unit);
            let race = if seen { None } else { self.without(past.unit, next) };
            found.extend(race);
            if past.mode == Mode::Write && (race.is_some() || seen) {
                missing &= !past.mask;
                if missing == 0 {
                    return;
                }
            }
        }
    }

    /// The race of a unit and an operation that may have to wait, if that is possible without the unit and all
    /// that happened after it.
    fn without(&self, first: u32, next: &Prospect<'_>) -> Option<Race> {
        let race = Race { first, also: NONE, certain: true };
        let (granule, shift) = (next.object & !7, 8 * (next.object & 7));
        match next.blocking {
            Blocking::No => {}
            Blocking::UntilWoken => return None,
            Blocking::Until(Condition::FirstNotZero) => {
                let (state, taken_out) = self.state_without(granule, race, next.state);
                let is_empty = i64::from((state >> shift) as u32) - taken_out <= 0;
                match is_empty {
                    // Whoever uses one that is not set up does not wait, unless that is allowed.
                    true if shift == 0 && !sync::is_set_up((state >> 32) as u32) => {
                        return Some(Race { certain: false, ..race });
                    }
                    true => return None,
                    false => {}
                }
            }
            Blocking::Until(condition @ Condition::BothZero) => {
                let is_free = |race: Race| {
                    let (state, taken_out) = self.state_without(granule, race, next.state);
                    let readers = i64::from((state >> 32) as u32) - taken_out;
                    sync::lets_pass(condition, u64::from(state as u32) | u64::from(readers != 0) << 32)
                };
                if is_free(race) {
                    return Some(race);
                }
                // Without another reader, too, which came later?
                let readers = self.history(granule).iter().rev().take_while(|past| past.unit > first);
                let mut more = readers
                    .filter(|past| past.mode == Mode::Share && past.delta > 0)
                    .map(|past| Race { also: past.unit, ..race });
                return more.find(|race| is_free(*race));
            }
            Blocking::Until(condition) => {
                let (state, _) = self.state_without(granule, race, next.state);
                if !sync::lets_pass(condition, u64::from((state >> shift) as u32)) {
                    return None;
                }
            }
        }
        match next.waits {
            false => Some(race),
            true => self.sees_change(race, next),
        }
    }

    /// Adds those of some units that stay when a race is reversed, without the later one.
    pub fn add_kept(&self, units: std::ops::Range<u32>, race: Race, later: u32, into: &mut Vec<u32>) {
        let first = &self.units[race.first as usize];
        let (component, number) = (usize::from(first.component), first.number);
        for unit in units {
            let is_after = self.clocks[unit as usize * self.stride + component] >= number;
            if !is_after && unit != later && (race.also == NONE || !self.is_before(race.also, unit)) {
                into.push(unit);
            }
        }
    }

    /// Whether a unit is taken out when a race is reversed: it happened after the first one.
    #[inline]
    pub fn is_taken_out(&self, unit: u32, race: Race) -> bool {
        self.is_before(race.first, unit) || (race.also != NONE && self.is_before(race.also, unit))
    }

    /// The state of an object without what is taken out: what it was before the first write that is, and by how
    /// much the other accesses that are had changed its count by then.
    fn state_without(&self, granule: u64, race: Race, now: u64) -> (u64, i64) {
        let (mut state, mut count) = (now, 0);
        let later = self.history(granule).iter().rev().take_while(|past| past.unit >= race.first);
        for past in later.filter(|past| self.is_taken_out(past.unit, race)) {
            match past.mode {
                Mode::Write => (state, count) = (past.before, 0),
                _ => count += i64::from(past.delta),
            }
        }
        (state, count)
    }

    /// Whether a location that the operation's thread watches has another value without what is taken out.
    fn sees_change(&self, race: Race, next: &Prospect<'_>) -> Option<Race> {
        let mut certain = true;
        for access in next.accesses.iter().filter(|access| access.watched) {
            let mut value = access.before;
            let mut known = 0;
            let later = self.history(access.granule).iter().rev().take_while(|past| past.unit >= race.first);
            for past in later {
                let bytes = past.mask & access.mask;
                let agent = self.agent(past.unit);
                if bytes != 0 && !agent.is_thread() && agent.thread().number() == usize::from(access.owner) {
                    // Without its arrival, the own store would be seen in the buffer.
                    return Some(Race { certain: false, ..race });
                }
                if past.mode != Mode::Write || bytes == 0 || !self.is_taken_out(past.unit, race) {
                    continue;
                }
                if !past.known {
                    certain = false;
                }
                let bits = spread(bytes);
                value = value & !bits | past.before & bits;
                known |= bytes;
            }
            let differs = (value ^ access.before) & spread(access.mask) != 0;
            if differs && certain {
                return Some(race);
            }
            // Bytes that nothing taken out has written are as they are now.
            if known != access.mask && access.delta != 0 {
                if known == 0 {
                    return Some(race);
                }
                certain = false;
            }
        }
        (!certain).then_some(Race { certain, ..race })
    }

    fn remember(&mut self, unit: u32, access: &Access, slot: u32) {
        let history = &mut self.histories[slot as usize];
        let length = history.len() as u32;
        let mut change = length + 1;
        if access.mode == Mode::Read {
            change = history.last().map_or(0, |last| last.change);
            // A thread that reads again and again leaves one entry.
            if let Some(last) = history.last_mut()
                && last.mode == Mode::Read
                && last.mask == access.mask
                && self.units[last.unit as usize].agent == self.units[unit as usize].agent
            {
                self.touched.push((slot, last.unit));
                last.unit = unit;
                return;
            }
        }
        history.push(Past {
            unit,
            change,
            before: access.before,
            mask: access.mask,
            mode: access.mode,
            delta: if access.watched { 0 } else { access.delta },
            known: access.known,
        });
        self.touched.push((slot, NONE));
    }

    /// How many threads have yet to arrive at a barrier before a position, given an arrival there; `None` if that is not
    /// known.
    pub fn remaining_at(&self, arrival: &Access, position: usize) -> Option<u32> {
        let counts = |state: u64| (state as u32, (state >> 32) as u32);
        let mut history = self.history(arrival.granule).iter().rev();
        let last = history.find(|past| (past.unit as usize) < position && past.mode != Mode::Read);
        match last.map(|past| (past.mode, counts(past.before))) {
            None => Some(counts(arrival.before).0),
            Some((Mode::Arrive, (needed, arrived))) => needed.checked_sub(arrived + 1),
            // The last one of a round.
            Some((Mode::Write, (needed, arrived))) if needed == arrived + 1 => Some(needed),
            Some(_) => None,
        }
    }

    /// Whether a unit depends on accesses of another thread.
    pub fn depends(&self, unit: u32, accesses: &[Access]) -> bool {
        dependent(self.accesses(unit), accesses)
    }
}

/// A bit for each byte, as a mask of bits.
fn spread(bytes: u8) -> u64 {
    SPREAD[usize::from(bytes)]
}

const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bytes = 0;
    while bytes < 256 {
        let mut byte = 0;
        while byte < 8 {
            if bytes & (1 << byte) != 0 {
                table[bytes] |= 0xff << (8 * byte);
            }
            byte += 1;
        }
        bytes += 1;
    }
    table
};
