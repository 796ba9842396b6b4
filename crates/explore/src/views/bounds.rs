//! How far threads can come before a target: what can be said without a search.
//!
//! A target is an entry that may have another result in another order. Most targets of an execution have been searched for
//! another execution, and most values that a target could read are known to have been read. So what it takes to find that out
//! is made from what is known of each script ([`Script::footprints`](super::script::Script::footprints) and the like), which
//! many executions share, and is done before anything that a search needs.
//!
//! # Needs
//!
//! Let all writes to a location set the same bits. A value that is read there, and was not there at first, has to be set
//! before; so a thread that reads it comes no further than that if all writes of the value are beyond the limits of their
//! threads. It is enough to know, of each value that is read, where each thread does so first, and where each thread first sets
//! it.
//!
//! # Locks
//!
//! While a thread has a lock, no other has it: all others stay before the entry that takes it, or go beyond the one that gives
//! it back.
//!
//! # Targets of a thread
//!
//! The earlier a thread stays, the less far the others come: limits are found for its last target first, and those before begin
//! with them.

use super::name::name;
use super::script::{Entry, Execution, Location, LocationPart, Question, Use, Value};
use rustc_hash::FxHashMap;
use selvedge_trace::ThreadId;

/// In place of the number of a thread: several do.
const SEVERAL: u32 = u32::MAX;

/// What is known of a location.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// Which thread writes there: 0 if none does, one more than the number of the script, or [`SEVERAL`].
    writer: u32,
    /// Which thread frees it.
    freer: u32,
    /// Which thread uses it in any way.
    user: u32,
    /// The bits that all that is ever done to it sets at once.
    whole: Option<u64>,
    /// Whether something else is ever done to it.
    is_ragged: bool,
    /// What was there at first.
    initial: u64,
    /// Where in `users` its users begin.
    users: u32,
    /// How many there are.
    count: u32,
}

/// A join: possible only if others have ended.
#[derive(Debug, Clone, Copy)]
struct Join {
    thread: usize,
    position: usize,
    /// The script of the thread that has to; `None`: all.
    whom: Option<usize>,
}

/// A value that is read, and was not there at first: where each thread reads it first, and where each thread sets it first.
#[derive(Debug, Clone, Copy)]
struct Need {
    /// Where in `firsts` the reads begin.
    reads: u32,
    /// Where the writes begin.
    sets: u32,
    /// Where they end.
    end: u32,
}

/// How far the threads of an execution can come.
#[derive(Debug)]
pub struct Bounds<'x> {
    execution: &'x Execution,
    locations: Vec<Known>,
    /// Threads, and the numbers of their footprints; by location.
    users: Vec<(u32, u32)>,
    firsts: Vec<(u32, u32)>,
    needs: Vec<Need>,
    joins: Vec<Join>,
    /// Whether a thread joins all others.
    joins_all: bool,
    /// By thread: the script that creates it, and where.
    births: Vec<Option<(usize, usize)>>,
    /// By thread number: the number of its script.
    numbers: Vec<usize>,
    /// Threads and positions of entries on which the limits of others depend; in order.
    matters: Vec<(u32, u32)>,
    /// Whether memory is freed.
    frees: bool,
    /// What is taken and given back ([`super::sections`]).
    locks: Vec<Location>,
}

impl<'x> Bounds<'x> {
    /// What can be said of an execution.
    pub fn new(execution: &'x Execution) -> Self {
        let mut bounds = Bounds {
            execution,
            locations: vec![Known::default(); execution.locations],
            users: Vec::new(),
            firsts: Vec::new(),
            needs: Vec::new(),
            joins: Vec::new(),
            joins_all: false,
            births: vec![None; execution.scripts.len()],
            numbers: Vec::new(),
            matters: Vec::new(),
            frees: false,
            locks: Vec::new(),
        };
        bounds.find_users();
        bounds.find_needs();
        bounds.find_joins();
        bounds.find_locks();
        bounds.matters.sort_unstable();
        bounds
    }

    fn find_users(&mut self) {
        let mut total = 0;
        for (thread, script) in self.execution.scripts.iter().enumerate() {
            let me = thread as u32 + 1;
            let add = |writer: &mut u32| *writer = if *writer == 0 || *writer == me { me } else { SEVERAL };
            for footprint in &script.footprints {
                let known = &mut self.locations[footprint.location as usize];
                add(&mut known.user);
                if footprint.writes {
                    add(&mut known.writer);
                    known.is_ragged |=
                        footprint.is_ragged || known.whole.is_some_and(|bits| Some(bits) != footprint.bits);
                    known.whole = footprint.bits;
                }
                if footprint.frees {
                    add(&mut known.freer);
                    self.frees = true;
                }
                known.count += 1;
                total += 1;
            }
        }
        let mut start = 0;
        for known in &mut self.locations {
            known.users = start;
            start += std::mem::take(&mut known.count);
        }
        self.users.resize(total, (0, 0));
        for (thread, script) in self.execution.scripts.iter().enumerate() {
            for (number, footprint) in script.footprints.iter().enumerate() {
                let known = &mut self.locations[footprint.location as usize];
                self.users[(known.users + known.count) as usize] = (thread as u32, number as u32);
                known.count += 1;
            }
        }
        for (location, value, is_dead) in &self.execution.initial {
            let known = &mut self.locations[*location as usize];
            known.initial = *value;
            known.is_ragged |= *is_dead;
        }
        for location in &self.execution.waiting {
            self.locations[*location as usize].is_ragged = true;
        }
        for known in &mut self.locations {
            if known.is_ragged || known.user != SEVERAL {
                known.whole = None;
            }
        }
    }

    fn find_needs(&mut self) {
        let mut seen: Vec<(Value, u32, u32)> = Vec::new();
        let mut set: Vec<(Value, u32, u32)> = Vec::new();
        for location in 0..self.locations.len() {
            let known = self.locations[location];
            let Some(whole) = known.whole else { continue };
            seen.clear();
            set.clear();
            for (thread, used) in self.uses(location as Location).filter(|(_, used)| used.is_first) {
                let first = (used.value, thread as u32, used.position);
                let value = used.value;
                match used.sets {
                    true => set.push(first),
                    false if (value.value ^ known.initial) & value.part.bits != 0 => seen.push(first),
                    false => {}
                }
            }
            seen.sort_unstable_by_key(|(value, thread, _)| (value.value, value.part.bits, *thread));
            set.sort_unstable_by_key(|(value, thread, _)| (value.value, *thread));
            for same in seen.chunk_by(|(one, ..), (other, ..)| one == other) {
                let value = same[0].0;
                let reads = self.firsts.len() as u32;
                self.firsts.extend(same.iter().map(|(_, thread, position)| (*thread, *position)));
                let sets = self.firsts.len() as u32;
                let agreeing = match value.part.bits == whole {
                    true => {
                        let start = set.partition_point(|(other, ..)| other.value < value.value);
                        let end = set.partition_point(|(other, ..)| other.value <= value.value);
                        &set[start..end]
                    }
                    false => &set[..],
                };
                let differs = |other: Value| (value.value ^ other.value) & value.part.bits & whole != 0;
                let agreeing = agreeing.iter().filter(|(other, ..)| !differs(*other));
                self.firsts.extend(agreeing.map(|(_, thread, position)| (*thread, *position)));
                self.matters.extend_from_slice(&self.firsts[sets as usize..]);
                self.needs.push(Need { reads, sets, end: self.firsts.len() as u32 });
            }
        }
    }

    fn find_joins(&mut self) {
        let scripts = &self.execution.scripts;
        for (number, script) in scripts.iter().enumerate() {
            let thread = script.thread.number();
            self.numbers.resize(self.numbers.len().max(thread + 1), usize::MAX);
            self.numbers[thread] = number;
        }
        for (thread, script) in scripts.iter().enumerate() {
            for (position, question) in &script.joins {
                let position = *position as usize;
                let whom = match *question {
                    Question::Join(whom) => self.script_of(whom).filter(|whom| *whom != thread).map(Some),
                    Question::JoinAll => Some(None),
                    _ => None,
                };
                self.joins_all |= whom == Some(None);
                self.joins.extend(whom.map(|whom| Join { thread, position, whom }));
                self.matters.push((thread as u32, position as u32));
            }
        }
        for (child, location) in self.execution.created.iter().enumerate() {
            let birth = self.uses(*location).filter(|(_, used)| used.sets).last();
            if let Some((parent, used)) = birth {
                self.births[child] = Some((parent, used.position as usize));
                self.matters.push((parent as u32, used.position));
            }
        }
    }

    /// The number of the script of a thread, if it has one.
    pub fn script_of(&self, thread: Option<ThreadId>) -> Option<usize> {
        self.numbers.get(thread?.number()).copied().filter(|number| *number != usize::MAX)
    }

    /// Whether several threads use a location.
    pub fn is_shared(&self, location: Location) -> bool {
        self.locations[location as usize].user == SEVERAL
    }

    /// The bits that all writes to a location set at once; `None` if something else is ever done to it, or
    /// only one thread uses it.
    pub fn whole(&self, location: Location) -> Option<u64> {
        self.locations[location as usize].whole
    }

    /// What was at a location at first.
    pub fn initial(&self, location: Location) -> u64 {
        self.locations[location as usize].initial
    }

    fn users(&self, location: Location) -> impl Iterator<Item = (usize, &'x [Use])> + Clone {
        let known = self.locations[location as usize];
        let users = &self.users[known.users as usize..(known.users + known.count) as usize];
        let scripts = &self.execution.scripts;
        users.iter().map(move |(thread, footprint)| {
            let script = &scripts[*thread as usize];
            let footprint = &script.footprints[*footprint as usize];
            (*thread as usize, &script.uses[footprint.start as usize..footprint.end as usize])
        })
    }

    /// What is read at a location and set, with the number of the script; in the order of scripts.
    fn uses(&self, location: Location) -> impl Iterator<Item = (usize, &'x Use)> + Clone {
        self.users(location).flat_map(|(thread, uses)| uses.iter().map(move |used| (thread, used)))
    }

    fn find_locks(&mut self) {
        let scripts = &self.execution.scripts;
        let sections = scripts.iter().flat_map(|script| &script.sections.all);
        let mut locations: Vec<Location> = sections.map(|section| section.location).collect();
        locations.sort_unstable();
        locations.dedup();
        locations.retain(|location| self.is_lock(*location));
        self.locks = locations;
    }

    /// Whether a location that is taken is only ever taken and given back. It may be cleared before there are other threads.
    fn is_lock(&self, location: Location) -> bool {
        let births = self.births.iter().flatten().filter(|(parent, _)| *parent == 0);
        let alone = births.map(|(_, position)| *position as u32).min().unwrap_or(u32::MAX);
        let known = self.locations[location as usize];
        let users = &self.users[known.users as usize..(known.users + known.count) as usize];
        known.initial == 0
            && users.iter().all(|(thread, footprint)| {
                let script = &self.execution.scripts[*thread as usize];
                let footprint = &script.footprints[*footprint as usize];
                let clears = |position: u32| *thread == 0 && position < alone;
                let takes = script.sections.all.iter().any(|section| section.location == location);
                match takes {
                    true => {
                        let mut cleared = script.sections.cleared.iter();
                        !script.sections.broken.contains(&location)
                            && cleared.all(|(other, position)| *other != location || clears(*position))
                    }
                    false => {
                        let mut uses = script.uses[footprint.start as usize..footprint.end as usize].iter();
                        !footprint.is_ragged
                            && uses.all(|used| !used.sets || used.value.value == 0 && clears(used.position))
                    }
                }
            })
    }

    /// While a thread has a lock, no other has it. False if that changes nothing.
    fn limit_by_locks(&self, thread: usize, limits: &mut [u32]) -> bool {
        let mut changed = false;
        let scripts = &self.execution.scripts;
        for held in &scripts[thread].sections.all {
            if !held.contains(limits[thread]) || self.locks.binary_search(&held.location).is_err() {
                continue;
            }
            for (other, script) in scripts.iter().enumerate().filter(|(other, _)| *other != thread) {
                for section in &script.sections.all {
                    if section.location == held.location && section.contains(limits[other]) {
                        limits[other] = section.start();
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// Whether an entry of a thread may have another result in another order.
    fn concerns(&self, thread: usize, entry: &Entry, performed: bool) -> bool {
        let by_others = |writer: u32| writer != 0 && writer != thread as u32 + 1;
        let is_written = |part: &LocationPart| by_others(self.locations[part.location as usize].writer);
        let is_freed = |location: Location| by_others(self.locations[location as usize].freer);
        let may_be_dead = || self.frees && entry.needs().any(is_freed);
        match entry.question {
            Question::Choose { .. } | Question::Signal { .. } | Question::Arrive => true,
            // A thread that has to be let go learns only that it was.
            Question::Woken { always } => always || !performed,
            // A thread that has not ended in this order ends in no other.
            Question::Join(_) | Question::JoinAll => !performed && self.execution.is_held_up,
            _ if !performed => true,
            // Its only other result is that something is dead.
            Question::Nothing | Question::Take(_) => may_be_dead(),
            _ => entry.reads.iter().any(is_written) || may_be_dead(),
        }
    }

    /// Finds the targets of a thread: where they are, and names of all that searches for them depend on.
    pub fn find_targets(&self, thread: usize, limits: &mut Vec<u32>, targets: &mut Vec<(usize, u128)>) {
        targets.clear();
        let script = &self.execution.scripts[thread];
        let concerns = |at: usize| self.concerns(thread, &script.entries[at], at < script.performed);
        match self.frees {
            true => {
                let all = (0..script.entries.len()).filter(|at| concerns(*at));
                targets.extend(all.map(|at| (at, script.name_of_target(at))));
            }
            false => {
                let all = script.asks.iter().filter(|(at, _)| concerns(*at as usize));
                targets.extend(all.map(|(at, name)| (*at as usize, *name)));
            }
        }
        self.no_limits(limits);
        let mut others = None;
        for (at, name) in targets.iter_mut().rev() {
            let old = std::mem::replace(&mut limits[thread], *at as u32);
            let next = self.matters.partition_point(|matter| *matter < (thread as u32, *at as u32));
            if others.is_none()
                || self.matters.get(next).is_some_and(|matter| *matter <= (thread as u32, old))
            {
                self.narrow(limits);
                others = None;
            }
            let others = *others.get_or_insert_with(|| self.name_of_others(thread, limits));
            *name = name.wrapping_add(others);
        }
    }

    /// A name of a target that is to read a value, and of all that others may do before.
    pub fn name_of_wish(&self, thread: usize, at: usize, wish: Value, limits: &[u32]) -> u128 {
        let look = self.execution.scripts[thread].name_of_target(at);
        let wish = name(wish.value, wish.part.bits).rotate_left(7);
        look.wrapping_add(self.name_of_others(thread, limits)).wrapping_add(wish)
    }

    fn name_of_others(&self, thread: usize, limits: &[u32]) -> u128 {
        let scripts = self.execution.scripts.iter().zip(limits).enumerate();
        let others = scripts.filter(|(other, _)| *other != thread);
        others.fold(self.execution.name, |sum, (_, (script, limit))| {
            let limit = *limit as usize;
            sum.wrapping_add(if limit == script.performed { script.name } else { script.names[limit] })
        })
    }

    fn no_limits(&self, limits: &mut Vec<u32>) {
        limits.clear();
        limits.extend(self.execution.scripts.iter().map(|script| script.performed as u32));
    }

    /// Finds how far threads may come if a thread is to stay at a position, and perhaps to read a value there. False if it
    /// cannot read that.
    pub fn find_limits(
        &self,
        thread: usize,
        at: usize,
        wish: Option<(Value, &Source)>,
        limits: &mut Vec<u32>,
    ) -> bool {
        self.no_limits(limits);
        limits[thread] = at as u32;
        if let Some((wish, source)) = wish {
            self.limit_by_source(thread, source, wish, limits);
        }
        self.narrow(limits);
        while self.limit_by_locks(thread, limits) {
            self.narrow(limits);
        }
        let Some((wish, source)) = wish else { return true };
        let is_set = || {
            let mut sets = self.uses(wish.part.location).filter(|(_, used)| used.sets);
            sets.any(|(thread, used)| {
                used.position < limits[thread] && used.value.value & wish.part.bits == wish.value
            })
        };
        source.is_initial || is_set()
    }

    /// Lowers limits as far as they depend on each other.
    fn narrow(&self, limits: &mut [u32]) {
        loop {
            self.limit_by_joins(limits);
            let mut changed = false;
            for need in &self.needs {
                let sets = &self.firsts[need.sets as usize..need.end as usize];
                if sets.iter().any(|(thread, position)| *position < limits[*thread as usize]) {
                    continue;
                }
                for (thread, position) in &self.firsts[need.reads as usize..need.sets as usize] {
                    let limit = &mut limits[*thread as usize];
                    changed |= *position < *limit;
                    *limit = (*limit).min(*position);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A thread that joins one that cannot come to its end does not go on; one that is not created does not begin.
    fn limit_by_joins(&self, limits: &mut [u32]) {
        let may_end = |thread: usize, limits: &[u32]| {
            let script = &self.execution.scripts[thread];
            let joins_all = |join: &Join| join.thread == thread && join.whom.is_none();
            script.ended && limits[thread] as usize == script.performed
                || self.joins_all
                    && self.joins.iter().any(|join| joins_all(join) && join.position as u32 <= limits[thread])
        };
        loop {
            let mut changed = false;
            for join in &self.joins {
                let limit = limits[join.thread];
                if join.position as u32 >= limit {
                    continue;
                }
                let is_possible = match join.whom {
                    Some(whom) => may_end(whom, limits),
                    None => true,
                };
                if !is_possible {
                    limits[join.thread] = join.position as u32;
                    changed = true;
                }
            }
            for (child, birth) in self.births.iter().enumerate() {
                if let Some((parent, position)) = birth
                    && limits[*parent] as usize <= *position
                    && limits[child] > 0
                {
                    limits[child] = 0;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The part that an entry of a thread reads, if that is its whole result, and the part is always written as a whole.
    pub fn part_read(&self, thread: usize, at: usize) -> Option<LocationPart> {
        let script = &self.execution.scripts[thread];
        let entry = &script.entries[at];
        let [part] = *entry.reads else { return None };
        let only_there = entry.effects.iter().all(|effect| effect.location() == Some(part.location));
        let is_read = entry.only_reads_values();
        let whole = self.whole(part.location)?;
        (at < script.performed && is_read && only_there && part.bits & !whole == 0).then_some(part)
    }

    /// The values that an entry of a thread could read instead, and which threads could have written them.
    pub fn sources(&self, thread: usize, at: usize, part: LocationPart) -> Vec<Source> {
        let entry = &self.execution.scripts[thread].entries[at];
        let writes = self.uses(part.location).filter(|(_, used)| used.sets);
        let value_of = |used: &Use| used.value.value & part.bits;
        let initial = self.initial(part.location) & part.bits;
        let own =
            writes.clone().filter(|(writer, write)| *writer == thread && (write.position as usize) < at);
        let own_last = own.clone().last().map(|(_, write)| (write.position as usize, value_of(write)));
        let mut sources = Sources { own_last: own_last.map(|(position, _)| position), ..Sources::default() };
        for (writer, write) in writes.filter(|(writer, _)| *writer != thread) {
            let others = &mut sources.add(value_of(write)).others;
            let one = |times: u32| Writer::One { thread: writer, last: write.position as usize, times };
            *others = Some(match *others {
                None => one(1),
                Some(Writer::One { thread, times, .. }) if thread == writer => one(times + 1),
                Some(_) => Writer::Several,
            });
        }
        match own_last {
            Some((_, value)) => {
                sources.add(value);
                for (_, write) in own {
                    if let Some(source) = sources.get(value_of(write)) {
                        source.own = Own::Before;
                    }
                }
                sources.add(value).own = Own::Last;
            }
            None => {
                sources.add(initial);
            }
        }
        if let Some(source) = sources.get(initial) {
            source.is_initial = true;
        }
        let mut sources = sources.all;
        sources.retain(|source| entry.values.first() != Some(&source.value));
        sources
    }

    /// Lowers limits by what is known of the last write before the target, which has to be of the value to be read.
    fn limit_by_source(&self, thread: usize, source: &Source, wish: Value, limits: &mut [u32]) {
        let location = wish.part.location;
        let differs = |value: Value| (value.value ^ wish.value) & wish.part.bits & value.part.bits != 0;
        let mut limit = |thread: usize, position: u32| {
            let limit = &mut limits[thread];
            *limit = (*limit).min(position);
        };
        match source.others {
            _ if source.own == Own::Last => {}
            Some(Writer::Several) => {}
            // It was there at first, so no thread may have written.
            None => {
                for (other, uses) in self.users(location).filter(|(other, _)| *other != thread) {
                    let used = uses.iter().find(|used| used.sets || differs(used.value));
                    if let Some(used) = used {
                        limit(other, used.position);
                    }
                }
            }
            Some(Writer::One { thread: other, last, times }) => {
                // No thread restores it afterwards.
                let uses = self.users(location).filter(|(user, _)| *user == other).flat_map(|(_, uses)| uses);
                let mut after = uses.filter(|used| used.position as usize > last && differs(used.value));
                if let Some(used) = after.next() {
                    limit(other, used.position);
                }
                if times == 1 && source.own == Own::Never && !source.is_initial {
                    // A thread that reads it and writes something else has overwritten the only write of it.
                    for (other, uses) in self.users(location).filter(|(other, _)| *other != thread) {
                        let mut updates = uses.windows(2).filter(|both| {
                            let [look, write] = both else { return false };
                            let is_update = look.position == write.position && write.sets && !look.sets;
                            is_update && look.value == wish && differs(write.value)
                        });
                        if let Some(both) = updates.next() {
                            limit(other, both[0].position);
                        }
                    }
                }
                if let Some(own) = source.own_last {
                    self.limit_by_own(thread, own, other, last, limits);
                }
            }
        }
    }

    /// A thread, `other`, has to write last before the target, and after the write of the target's thread (at `own`). So what
    /// it reads from then on was there after that write; where it was not, that is the limit of `other`.
    fn limit_by_own(&self, thread: usize, own: usize, other: usize, last: usize, limits: &mut [u32]) {
        let mut there: Vec<(Location, Vec<Value>)> = Vec::new();
        for position in last + 1..limits[other] as usize {
            let entry = &self.execution.scripts[other].entries[position];
            let is_seen = entry.only_reads_values();
            for (part, value) in entry.reads.iter().zip(&entry.values).filter(|_| is_seen) {
                if self.whole(part.location).is_none() {
                    continue;
                }
                let known =
                    there.iter().position(|(location, _)| *location == part.location).unwrap_or_else(|| {
                        there.push((part.location, self.there_after(part.location, thread, own, limits)));
                        there.len() - 1
                    });
                let agrees = |is: &Value| (is.value ^ value) & is.part.bits & part.bits == 0;
                if !there[known].1.iter().any(agrees) {
                    limits[other] = position as u32;
                    return;
                }
            }
        }
    }

    /// The values that may be at a location after an entry of a thread, with threads no further than their limits.
    fn there_after(&self, location: Location, thread: usize, at: usize, limits: &[u32]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        let part = LocationPart { location, bits: u64::MAX };
        let mut before = Value { part, value: self.initial(location) };
        for (writer, used) in self.uses(location).filter(|(_, used)| used.sets) {
            if used.position >= limits[writer] {
                continue;
            }
            if writer == thread && used.position as usize <= at {
                before = used.value;
            } else if values.last() != Some(&used.value) {
                values.push(used.value);
            }
        }
        values.push(before);
        values
    }
}

/// Which other threads could have written a value.
#[derive(Debug, Clone, Copy)]
enum Writer {
    /// One thread only.
    One {
        /// Which.
        thread: usize,
        /// Where it does so for the last time.
        last: usize,
        /// How often it does.
        times: u32,
    },
    /// More than one.
    Several,
}

/// Whether a thread itself has written a value before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// It has not.
    Never,
    /// It has, but then something else.
    Before,
    /// It has, and nothing since.
    Last,
}

/// Where a value that an entry could see instead may come from.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// The value.
    pub value: u64,
    others: Option<Writer>,
    own: Own,
    /// Where its thread has written last before, whatever it was.
    own_last: Option<usize>,
    /// Whether it was there at first.
    is_initial: bool,
}

/// Sources, by value.
#[derive(Debug, Default)]
struct Sources {
    all: Vec<Source>,
    /// Where they are, once there are more than a few.
    numbers: FxHashMap<u64, usize>,
    own_last: Option<usize>,
}

/// With so many, a list is searched.
const FEW: usize = 8;

impl Sources {
    fn number(&self, value: u64) -> Option<usize> {
        match self.all.len() > FEW {
            true => self.numbers.get(&value).copied(),
            false => self.all.iter().position(|source| source.value == value),
        }
    }

    fn get(&mut self, value: u64) -> Option<&mut Source> {
        self.number(value).map(|number| &mut self.all[number])
    }

    fn add(&mut self, value: u64) -> &mut Source {
        let number = self.number(value).unwrap_or_else(|| {
            let own_last = self.own_last;
            self.all.push(Source { value, others: None, own: Own::Never, own_last, is_initial: false });
            let known = if self.all.len() == FEW + 1 { 0 } else { self.all.len() - 1 };
            if self.all.len() > FEW {
                let new = self.all.iter().enumerate().skip(known);
                self.numbers.extend(new.map(|(number, source)| (source.value, number)));
            }
            self.all.len() - 1
        });
        &mut self.all[number]
    }
}

#[cfg(test)]
mod tests;
