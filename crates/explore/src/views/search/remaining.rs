//! What is left to be done to each place, in a search that goes forth and back through the scripts of an execution.
//!
//! Places that only one thread uses are left out: nobody else is concerned.
//!
//! All of it is counts, which change by what an action does when it is taken or taken back: so to ask costs little,
//! however long the scripts are.

use crate::views::bounds::Bounds;
use crate::views::script::{Action, Effect, Execution, Place, Question, Value};
use rustc_hash::FxHashMap;

/// How many actions are left that do something to a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that are told what is there.
    pub looks: u32,
    /// Of these: those of which it is not known what has to be there.
    pub wild: u32,
    /// Those that wait for it.
    pub takes: u32,
    /// Those that write.
    pub writes: u32,
}

/// What an action does to a place.
#[derive(Debug, Clone, Copy)]
enum Touch {
    /// Sees what is expected, by number.
    Look(u32),
    /// Looks at a place, and may see anything.
    Wild(Place),
    /// Waits for a place.
    Take(Place),
    /// Sets it, by the number of what is set.
    Set(u32),
    /// Changes it in another way.
    Change(Place),
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
    /// By place: the numbers.
    at: Vec<Vec<u32>>,
}

impl Values {
    fn number(&mut self, value: Value) -> u32 {
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
            self.at[value.part.place as usize].push(number);
        }
        number
    }
}

/// What is left to be done.
#[derive(Debug)]
pub struct Left {
    threads: usize,
    touches: Vec<Touch>,
    /// By thread and position: where its touches begin.
    starts: Vec<Vec<u32>>,
    /// By place.
    all: Vec<Count>,
    /// By place and thread.
    own: Vec<Count>,
    looks: Values,
    sets: Values,
    /// By place: the bits that all that is ever done to it sets at once, if it is so.
    whole: Vec<Option<u64>>,
}

impl Left {
    /// All that an execution does is left.
    pub fn new(execution: &Execution, bounds: &Bounds<'_>) -> Self {
        let (threads, places) = (execution.scripts.len(), execution.places);
        let mut left = Left {
            threads,
            touches: Vec::new(),
            starts: Vec::with_capacity(threads),
            all: vec![Count::default(); places],
            own: vec![Count::default(); places * threads],
            looks: Values { at: vec![Vec::new(); places], ..Values::default() },
            sets: Values { at: vec![Vec::new(); places], ..Values::default() },
            whole: (0..places as Place).map(|place| bounds.whole(place)).collect(),
        };
        for script in &execution.scripts {
            let mut starts = Vec::with_capacity(script.actions.len() + 1);
            for action in &script.actions {
                starts.push(left.touches.len() as u32);
                left.touch(action, script.is_decisive(starts.len() - 1), bounds);
            }
            starts.push(left.touches.len() as u32);
            left.starts.push(starts);
        }
        left.looks.left = vec![0; left.looks.values.len()];
        left.looks.own = vec![0; left.looks.values.len() * threads];
        left.sets.left = vec![0; left.sets.values.len()];
        left.sets.own = vec![0; left.sets.values.len() * threads];
        for (thread, script) in execution.scripts.iter().enumerate() {
            for position in 0..script.actions.len() {
                left.put_back(thread, position);
            }
        }
        left
    }

    /// Notes what an action does to places. `is_decisive`: it matters what it replaces.
    fn touch(&mut self, action: &Action, is_decisive: bool, bounds: &Bounds<'_>) {
        let is_shared = |place: Place| bounds.is_shared(place);
        let is_told_bits = action.is_told_bits();
        let looks = action.looks.iter().enumerate();
        for (number, part) in looks.filter(|(_, part)| is_shared(part.place)) {
            let seen = action.seen.get(number).filter(|_| is_told_bits);
            self.touches.push(match (action.question, seen) {
                (Question::Take(_), _) => Touch::Take(part.place),
                (_, Some(value)) => Touch::Look(self.looks.number(Value { part: *part, value: *value })),
                (_, None) => Touch::Wild(part.place),
            });
        }
        let watched = action.round.iter().flat_map(|round| round.parts());
        let replaced = action.sets().map(|set| set.part).filter(|_| is_decisive);
        let wild = watched.chain(replaced).filter(|part| is_shared(part.place));
        self.touches.extend(wild.map(|part| Touch::Wild(part.place)));
        for effect in action.effects.iter().filter(|effect| effect.place().is_some_and(is_shared)) {
            self.touches.push(match effect {
                Effect::Set { part, value } => {
                    Touch::Set(self.sets.number(Value { part: *part, value: *value }))
                }
                Effect::Add { part, .. } => Touch::Change(part.place),
                Effect::Free(place) | Effect::Revive(place) => Touch::Change(*place),
                Effect::Wake { .. } | Effect::WakeAll { .. } => continue,
            });
        }
    }

    fn change(&mut self, thread: usize, position: usize, by: u32) {
        let (start, end) = (self.starts[thread][position], self.starts[thread][position + 1]);
        for touch in &self.touches[start as usize..end as usize] {
            let (place, one) = match *touch {
                Touch::Look(number) => {
                    let number = number as usize;
                    let (left, own) = (&mut self.looks.left, &mut self.looks.own);
                    left[number] = left[number].wrapping_add(by);
                    let own = &mut own[number * self.threads + thread];
                    *own = own.wrapping_add(by);
                    (self.looks.values[number].part.place, Count { looks: by, ..Count::default() })
                }
                Touch::Wild(place) => (place, Count { looks: by, wild: by, ..Count::default() }),
                Touch::Take(place) => (place, Count { takes: by, ..Count::default() }),
                Touch::Set(number) => {
                    let number = number as usize;
                    let (left, own) = (&mut self.sets.left, &mut self.sets.own);
                    left[number] = left[number].wrapping_add(by);
                    let own = &mut own[number * self.threads + thread];
                    *own = own.wrapping_add(by);
                    (self.sets.values[number].part.place, Count { writes: by, ..Count::default() })
                }
                Touch::Change(place) => (place, Count { writes: by, ..Count::default() }),
            };
            let place = place as usize;
            self.all[place] = self.all[place].plus(one);
            let own = &mut self.own[place * self.threads + thread];
            *own = own.plus(one);
        }
    }

    /// An action of a thread is no longer left.
    pub fn take(&mut self, thread: usize, position: usize) {
        self.change(thread, position, 1_u32.wrapping_neg());
    }

    /// An action of a thread is left again.
    pub fn put_back(&mut self, thread: usize, position: usize) {
        self.change(thread, position, 1);
    }

    /// A look of a thread that may see anything is left, or no longer.
    pub fn look(&mut self, thread: usize, place: Place, is_wild: bool, is_left: bool) {
        let by = if is_left { 1 } else { 1_u32.wrapping_neg() };
        let one = Count { looks: by, wild: if is_wild { by } else { 0 }, ..Count::default() };
        let place = place as usize;
        self.all[place] = self.all[place].plus(one);
        let own = &mut self.own[place * self.threads + thread];
        *own = own.plus(one);
    }

    /// What a thread has left to do to a place.
    pub fn own(&self, thread: usize, place: Place) -> Count {
        self.own[place as usize * self.threads + thread]
    }

    /// What the others have left to do to a place.
    pub fn others(&self, thread: usize, place: Place) -> Count {
        let (all, own) = (self.all[place as usize], self.own(thread, place));
        Count {
            looks: all.looks - own.looks,
            wild: all.wild - own.wild,
            takes: all.takes - own.takes,
            writes: all.writes - own.writes,
        }
    }

    /// Whether anybody looks at a place, sooner or later.
    pub fn is_seen(&self, place: Place) -> bool {
        !self.looks.at[place as usize].is_empty()
    }

    /// The bits that whoever writes to a place sets, all of them at once; `None` if something else is ever done to it.
    pub fn whole(&self, place: Place) -> Option<u64> {
        self.whole[place as usize]
    }

    /// Whether there is a look left, of anybody, that might be content with some value.
    pub fn is_wanted(&self, Value { part, value }: Value) -> bool {
        let all = self.all[part.place as usize];
        let agrees = |number: &u32| {
            let seen = self.looks.values[*number as usize];
            self.looks.left[*number as usize] > 0 && (seen.value ^ value) & seen.part.bits & part.bits == 0
        };
        all.takes > 0 || all.wild > 0 || self.looks.at[part.place as usize].iter().any(agrees)
    }

    /// Whether all looks that the others have left are content with a value, and see nothing else.
    pub fn all_want(&self, thread: usize, Value { part, value }: Value) -> bool {
        self.looks.at[part.place as usize].iter().all(|number| {
            let at = *number as usize;
            let seen = self.looks.values[at];
            let others = self.looks.left[at] - self.looks.own[at * self.threads + thread];
            others == 0 || seen.part.bits & !part.bits == 0 && value & seen.part.bits == seen.value
        })
    }

    /// How often the others have left to set something.
    pub fn others_set(&self, thread: usize, value: Value) -> u32 {
        let number = self.sets.numbers.get(&value).map(|number| *number as usize);
        number.map_or(0, |number| self.sets.left[number] - self.sets.own[number * self.threads + thread])
    }

    /// Whether anybody is left to set bits to a value.
    pub fn will_be_set(&self, Value { part, value }: Value) -> bool {
        self.sets.at[part.place as usize].iter().any(|number| {
            let set = self.sets.values[*number as usize];
            self.sets.left[*number as usize] > 0 && set.value & part.bits == value
        })
    }
}

impl Count {
    fn plus(self, other: Count) -> Count {
        Count {
            looks: self.looks.wrapping_add(other.looks),
            wild: self.wild.wrapping_add(other.wild),
            takes: self.takes.wrapping_add(other.takes),
            writes: self.writes.wrapping_add(other.writes),
        }
    }

    /// How many in all.
    pub fn sum(self) -> u32 {
        self.looks + self.takes + self.writes
    }
}
