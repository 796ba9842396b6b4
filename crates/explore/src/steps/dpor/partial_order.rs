//! The present execution as a partial order: what happened before what, and which races there are.
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
//! in a waiting loop, which is possible only if something it watches has another value, for one that awaits a value
//! ([`Awaits`]), which is possible only if the location has one that lets it go on, and for threads that are still
//! blocked when the execution ends. Which values do that is asked of the model beforehand, for all that the location has
//! had since the thread last knew it.

mod awaited;
mod buffers;
mod clocks;
mod history;
mod prospect;
mod races;

pub use self::awaited::{Awaited, Awaits, fruitless_before};
pub use self::prospect::{Buffering, Drains, Family, Prospect};
pub use self::races::Race;

use self::buffers::Stored;
use self::clocks::LANE;
use self::history::Histories;
use crate::core::dependence::{Access, dependent};
use selvedge_trace::{Agent, ThreadId};

/// No unit.
pub const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Unit {
    agent: Agent,
    /// Its component of clocks.
    component: u16,
    drains: Drains,
    number: u32,
    access: u32,
    race: u32,
    touch: u32,
}

/// The partial order of the present execution.
#[derive(Debug, Default)]
pub struct PartialOrder {
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
    /// The units of each component.
    own: Vec<Vec<u32>>,
    /// The unit that created each component's thread.
    creators: Vec<u32>,
    accesses: Vec<Access>,
    races: Vec<Race>,
    histories: Histories,
    /// The clock of the next unit.
    scratch: Vec<u32>,
    lists: Lists,
    /// Whether what makes an operation possible counts as a race with it, although the two cannot change places.
    pub enabling_races: bool,
}

/// Lists that are used again and again.
#[derive(Debug, Default)]
struct Lists {
    /// The accesses of the next unit; reads of own stores are marked.
    marked: Vec<Access>,
    /// What the next unit has seen together with its races.
    race_clock: Vec<u32>,
    /// Races that were found.
    found: Vec<Race>,
}

impl PartialOrder {
    /// Number of units.
    pub fn length(&self) -> usize {
        self.units.len()
    }

    /// Whose unit it is.
    pub fn agent(&self, unit: u32) -> Agent {
        self.units[unit as usize].agent
    }

    /// Whether a unit waits for the empty buffer.
    pub fn drains(&self, unit: u32) -> Drains {
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

    /// Forgets all units from a position on.
    pub fn truncate(&mut self, length: usize) {
        while self.units.len() > length {
            let Some(unit) = self.units.pop() else { break };
            if !self.stores.is_empty() {
                self.forget_stores(self.units.len() as u32, unit.agent, unit.access as usize);
            }
            while self.histories.touched.len() > unit.touch as usize {
                let Some((slot, replaced)) = self.histories.touched.pop() else { break };
                let history = &mut self.histories.all[slot as usize];
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
        let mut accesses = std::mem::take(&mut self.lists.marked);
        accesses.clear();
        next.accesses.iter().for_each(|access| self.mark_own(access, &mut accesses));
        self.push_unit(&Prospect { accesses: &accesses, ..*next }, family);
        self.lists.marked = accesses;
    }

    fn push_unit(&mut self, next: &Prospect<'_>, family: Family) {
        let thread = next.agent.thread();
        let component = match next.buffering {
            Buffering::Arrives { lane, epoch } => {
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
        let drains = if next.buffering == Buffering::Drains { Drains::Yes } else { Drains::No };
        if drains == Drains::Yes {
            self.join_lanes(thread);
        }
        self.relate(next);
        let number = self.own[component].len() as u32 + 1;
        let at = self.units.len() as u32;
        let (access, touch) = (self.accesses.len() as u32, self.histories.touched.len() as u32);
        let (agent, component_of_unit) = (next.agent, component as u16);
        self.units.push(Unit { agent, component: component_of_unit, drains, number, access, race, touch });
        self.note_stores(at, next.agent, next.buffering);
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
                _ => self.remember(at, access, self.histories.touching[index]),
            }
        }
    }

    /// The races of an operation that is still blocked when the execution ends.
    pub fn races_at_end(&mut self, next: &Prospect<'_>, into: &mut Vec<Race>) {
        let component = self.component(next.agent.thread());
        self.base(component);
        if next.buffering == Buffering::Drains {
            self.join_lanes(next.agent.thread());
        }
        let first = self.races.len();
        self.relate(next);
        into.extend(self.races.drain(first..));
    }

    /// Whether a unit depends on accesses of another thread.
    pub fn depends(&self, unit: u32, accesses: &[Access]) -> bool {
        dependent(self.accesses(unit), accesses)
    }
}
