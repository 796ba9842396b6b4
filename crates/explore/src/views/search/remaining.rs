//! What the threads have left to do to each location, in a search that goes forth and back through the scripts of an execution.
//!
//! Locations that only one thread uses are left out: they concern no other thread.
//!
//! All of it is counts, which change by what an entry does when it is taken or taken back: so to ask costs little,
//! however long the scripts are.

use crate::views::bounds::Bounds;
use crate::views::script::{Effect, Entry, Execution, Location, Question, Value};
use rustc_hash::FxHashMap;

/// How many entries are left that use a location.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that read it.
    pub reads: u32,
    /// Of these: those that may return anything.
    pub wild: u32,
    /// Those that wait for it.
    pub takes: u32,
    /// Those that write.
    pub writes: u32,
}

/// What a read may return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// A value that is known, and counted elsewhere.
    Known,
    /// Anything.
    Anything,
}

impl Reads {
    fn count(self, by: u32) -> Count {
        Count { reads: by, wild: if self == Reads::Anything { by } else { 0 }, ..Count::default() }
    }
}

/// What an entry does to a location.
#[derive(Debug, Clone, Copy)]
enum Touch {
    /// Reads a value that is known, by number.
    Read(u32),
    /// Reads a location, and may return anything.
    Wild(Location),
    /// Waits for a location.
    Take(Location),
    /// Sets it, by the number of what is set.
    Set(u32),
    /// Changes it in another way.
    Change(Location),
}

/// What is seen, or set, and how often.
#[derive(Debug, Default)]
struct Values {
    numbers: FxHashMap<Value, u32>,
    values: Vec<Value>,
    /// How often each of them is left.
    left: Vec<u32>,
    /// The same by number and thread.
    own: Vec<u32>,
    /// By location: the numbers.
    at: Vec<Vec<u32>>,
}

impl Values {
    fn number(&mut self, value: Value) -> u32 {
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
            self.at[value.part.location as usize].push(number);
        }
        number
    }
}

/// What is left to be done.
#[derive(Debug)]
pub struct Remaining {
    threads: usize,
    touches: Vec<Touch>,
    /// By thread and position: where its touches begin.
    starts: Vec<Vec<u32>>,
    /// By location.
    all: Vec<Count>,
    /// By location and thread.
    own: Vec<Count>,
    reads: Values,
    sets: Values,
    /// By location: the bits that all that is ever done to it sets at once, if it is so.
    whole: Vec<Option<u64>>,
}

impl Remaining {
    /// All that an execution does is left.
    pub fn new(execution: &Execution, bounds: &Bounds<'_>) -> Self {
        let (threads, locations) = (execution.scripts.len(), execution.locations);
        let mut remaining = Remaining {
            threads,
            touches: Vec::new(),
            starts: Vec::with_capacity(threads),
            all: vec![Count::default(); locations],
            own: vec![Count::default(); locations * threads],
            reads: Values { at: vec![Vec::new(); locations], ..Values::default() },
            sets: Values { at: vec![Vec::new(); locations], ..Values::default() },
            whole: (0..locations as Location).map(|location| bounds.whole(location)).collect(),
        };
        for script in &execution.scripts {
            let mut starts = Vec::with_capacity(script.entries.len() + 1);
            for entry in &script.entries {
                starts.push(remaining.touches.len() as u32);
                remaining.touch(entry, script.is_decisive(starts.len() - 1), bounds);
            }
            starts.push(remaining.touches.len() as u32);
            remaining.starts.push(starts);
        }
        remaining.reads.left = vec![0; remaining.reads.values.len()];
        remaining.reads.own = vec![0; remaining.reads.values.len() * threads];
        remaining.sets.left = vec![0; remaining.sets.values.len()];
        remaining.sets.own = vec![0; remaining.sets.values.len() * threads];
        for (thread, script) in execution.scripts.iter().enumerate() {
            for position in 0..script.entries.len() {
                remaining.put_back(thread, position);
            }
        }
        remaining
    }

    /// Notes what an entry does to locations. `is_decisive`: it matters what it replaces.
    fn touch(&mut self, entry: &Entry, is_decisive: bool, bounds: &Bounds<'_>) {
        let is_shared = |location: Location| bounds.is_shared(location);
        let only_reads_values = entry.only_reads_values();
        let reads = entry.reads.iter().enumerate();
        for (number, part) in reads.filter(|(_, part)| is_shared(part.location)) {
            let seen = entry.values.get(number).filter(|_| only_reads_values);
            self.touches.push(match (entry.question, seen) {
                (Question::Take(_), _) => Touch::Take(part.location),
                (_, Some(value)) => Touch::Read(self.reads.number(Value { part: *part, value: *value })),
                (_, None) => Touch::Wild(part.location),
            });
        }
        let watched = entry.round.iter().flat_map(|round| round.parts());
        let replaced = entry.sets().map(|set| set.part).filter(|_| is_decisive);
        let wild = watched.chain(replaced).filter(|part| is_shared(part.location));
        self.touches.extend(wild.map(|part| Touch::Wild(part.location)));
        for effect in entry.effects.iter().filter(|effect| effect.location().is_some_and(is_shared)) {
            self.touches.push(match effect {
                Effect::Set { part, value } => {
                    Touch::Set(self.sets.number(Value { part: *part, value: *value }))
                }
                Effect::Add { part, .. } => Touch::Change(part.location),
                Effect::Free(location) | Effect::Revive(location) => Touch::Change(*location),
                Effect::Wake { .. } | Effect::WakeAll { .. } => continue,
            });
        }
    }

    fn change(&mut self, thread: usize, position: usize, by: u32) {
        let (start, end) = (self.starts[thread][position], self.starts[thread][position + 1]);
        for touch in &self.touches[start as usize..end as usize] {
            let (location, one) = match *touch {
                Touch::Read(number) => {
                    let number = number as usize;
                    let (left, own) = (&mut self.reads.left, &mut self.reads.own);
                    left[number] = left[number].wrapping_add(by);
                    let own = &mut own[number * self.threads + thread];
                    *own = own.wrapping_add(by);
                    (self.reads.values[number].part.location, Count { reads: by, ..Count::default() })
                }
                Touch::Wild(location) => (location, Count { reads: by, wild: by, ..Count::default() }),
                Touch::Take(location) => (location, Count { takes: by, ..Count::default() }),
                Touch::Set(number) => {
                    let number = number as usize;
                    let (left, own) = (&mut self.sets.left, &mut self.sets.own);
                    left[number] = left[number].wrapping_add(by);
                    let own = &mut own[number * self.threads + thread];
                    *own = own.wrapping_add(by);
                    (self.sets.values[number].part.location, Count { writes: by, ..Count::default() })
                }
                Touch::Change(location) => (location, Count { writes: by, ..Count::default() }),
            };
            let location = location as usize;
            self.all[location] = self.all[location].plus(one);
            let own = &mut self.own[location * self.threads + thread];
            *own = own.plus(one);
        }
    }

    /// An entry of a thread is no longer left.
    pub fn take(&mut self, thread: usize, position: usize) {
        self.change(thread, position, 1_u32.wrapping_neg());
    }

    /// An entry of a thread is left again.
    pub fn put_back(&mut self, thread: usize, position: usize) {
        self.change(thread, position, 1);
    }

    /// A thread is to read a location, besides what it has left.
    pub fn add_read(&mut self, thread: usize, location: Location, reads: Reads) {
        self.change_count(thread, location, reads.count(1));
    }

    /// It is not to read that any more.
    pub fn remove_read(&mut self, thread: usize, location: Location, reads: Reads) {
        self.change_count(thread, location, reads.count(1_u32.wrapping_neg()));
    }

    fn change_count(&mut self, thread: usize, location: Location, by: Count) {
        let location = location as usize;
        self.all[location] = self.all[location].plus(by);
        let own = &mut self.own[location * self.threads + thread];
        *own = own.plus(by);
    }

    /// What a thread has left to do to a location.
    pub fn own(&self, thread: usize, location: Location) -> Count {
        self.own[location as usize * self.threads + thread]
    }

    /// What the others have left to do to a location.
    pub fn others(&self, thread: usize, location: Location) -> Count {
        let (all, own) = (self.all[location as usize], self.own(thread, location));
        Count {
            reads: all.reads - own.reads,
            wild: all.wild - own.wild,
            takes: all.takes - own.takes,
            writes: all.writes - own.writes,
        }
    }

    /// Whether any thread reads a location, sooner or later.
    pub fn is_read(&self, location: Location) -> bool {
        !self.reads.at[location as usize].is_empty()
    }

    /// The bits that all writes to a location set at once; `None` if something else is ever done to it.
    pub fn whole(&self, location: Location) -> Option<u64> {
        self.whole[location as usize]
    }

    /// Whether a read is left, of any thread, that may agree with a value.
    pub fn is_wanted(&self, Value { part, value }: Value) -> bool {
        let all = self.all[part.location as usize];
        let agrees = |number: &u32| {
            let seen = self.reads.values[*number as usize];
            self.reads.left[*number as usize] > 0 && (seen.value ^ value) & seen.part.bits & part.bits == 0
        };
        all.takes > 0 || all.wild > 0 || self.reads.at[part.location as usize].iter().any(agrees)
    }

    /// Whether all reads that the others have left agree with a value, and read no other bits.
    pub fn all_want(&self, thread: usize, Value { part, value }: Value) -> bool {
        self.reads.at[part.location as usize].iter().all(|number| {
            let at = *number as usize;
            let seen = self.reads.values[at];
            let others = self.reads.left[at] - self.reads.own[at * self.threads + thread];
            others == 0 || seen.part.bits & !part.bits == 0 && value & seen.part.bits == seen.value
        })
    }

    /// How often the others have left to set something.
    pub fn others_set(&self, thread: usize, value: Value) -> u32 {
        let number = self.sets.numbers.get(&value).map(|number| *number as usize);
        number.map_or(0, |number| self.sets.left[number] - self.sets.own[number * self.threads + thread])
    }

    /// Whether any write is left that sets bits to a value.
    pub fn will_be_set(&self, Value { part, value }: Value) -> bool {
        self.sets.at[part.location as usize].iter().any(|number| {
            let set = self.sets.values[*number as usize];
            self.sets.left[*number as usize] > 0 && set.value & part.bits == value
        })
    }
}

impl Count {
    fn plus(self, other: Count) -> Count {
        Count {
            reads: self.reads.wrapping_add(other.reads),
            wild: self.wild.wrapping_add(other.wild),
            takes: self.takes.wrapping_add(other.takes),
            writes: self.writes.wrapping_add(other.writes),
        }
    }

    /// How many in all.
    pub fn sum(self) -> u32 {
        self.reads + self.takes + self.writes
    }
}
