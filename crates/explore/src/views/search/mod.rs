//! In which other orders could the threads have done what they did, and which entry could have had another result then?
//!
//! A state is how far each thread has come in its script, and what is at each location. There is a search for each entry that
//! could have another result: its *target*. The thread of the target, `h`, goes as far as the target and stays there; all
//! others go through the states that can be reached with each entry having the result that it had in the execution. Wherever
//! the target could have another result, that is reported together with how far all threads have come. One more search is for
//! states in which no thread is enabled; it is left out if threads are never blocked but by joining others.
//!
//! A search depends on what `h` has done before the target, and on what the others have done as far as they can come before it
//! (see *Limits*), and on nothing else: not even on the result that the target had, for if it has in another execution the
//! result of this one, then this one contains all that could be found. So each search is done once, however many executions
//! have it: those in which `h` has done the same before the target, and all others have done the same up to their limits. That
//! they have the same limits needs no proof: the limits are part of the name of the search. In programs with many views most
//! searches of an execution have been done for another one. (That is asked twice: of a target, and of each value that it could
//! read, for which the limits are narrower.)
//!
//! Not all states have to be visited. It is enough if for each order of entries that leads to something to be reported an order
//! is found that leads to the same with all threads as far, or further. (Below, `σ` is such an order from the present state on.
//! A read that *agrees* with a value is one that returned it.) There are four kinds of savings.
//!
//! # At once
//!
//! An entry is performed as soon as it is enabled if it can be put in front of any `σ`:
//!
//! * A read that returns what it returned is performed: that changes nothing for the others.
//! * A write is performed if no other thread uses the location any more; if no other thread reads it any more; if all reads of
//!   it that are left agree with just that value, and no other thread writes there; or if it changes nothing and none of the
//!   others' writes will.
//! * A write is performed if no read that is left agrees with what is at the location, and none with what is written, if all
//!   writes to the location set the same bits. For if a read in `σ` finds its value there, it was put there in `σ`, by another
//!   write; and this write still comes in between.
//! * What gives a lock back is performed unless an entry that is left may read whether it is taken.
//! * What begins an atomic section is not performed at once, whatever it is: no other thread could go on. What is in the
//!   section is. If a thread may be blocked in a section, nothing else is performed at once: it might let that thread go on too
//!   early.
//! * A thread that is blocked in a loop may as well go on later if the target is that no thread is enabled: what has changed
//!   may change back.
//!
//! # Of several stores
//!
//! Let two threads be about to store to a location to which all writes set the same bits, and no read that is left agree with
//! what the first one stores. Then nothing begins with the second one that does not begin with both as well: the first store
//! can be taken from where it is in `σ`, for no thread reads it there, and put before the second one, which hides it. So of the
//! stores to a location only one is tried, if there is one whose value no read wants. With the rule above it takes all such
//! stores with it, so what is stored without being read does not multiply states.
//!
//! Two states that differ only in something that no read wants are the same.
//!
//! # One value at a time
//!
//! If the target only reads a location to which all writes set the same bits, there is a search for each value that it could
//! read, for then it is known which stores no read wants. Nothing is left to be found once the value is not there and no thread
//! will write it any more.
//!
//! # Limits
//!
//! For each thread there is a limit to how far it can come before the target ([`super::bounds`]). A search that finds something
//! with all threads at their limits, or with the same histories as there, is done; and it need not begin if that has been
//! explored. Limits are
//!
//! * for `h`, the target; for a thread that joins one that cannot end within its limit, the join; for one that is not created,
//!   the beginning; for one that read what no thread sets within its limit, that read;
//! * if the target is to read a value that was there at first and that no thread writes: for all, their first write to the
//!   location, or a read of it that returned something else;
//! * if one thread only, `T`, writes the value to be read, and what `h` wrote there last is something else: for `T`, what comes
//!   after its last such write and writes or reads something else at the location. For then the value does not come back. This
//!   write is then the last one before the target if `T` comes beyond it; in particular it comes after what `h` wrote there
//!   itself. So what `T` reads later, anywhere, was there after this write of `h`: if it was not, that is the limit of `T`;
//! * if moreover `T` writes the value once, and neither was it there at first nor does `h` write it: for a thread that reads it
//!   and writes something else in one step, that step. For it comes after the only write of the value.

mod remaining;

use super::bounds::Bounds;
use super::history::Goal;
use super::method::{Host, Step, begin_one};
use super::name::name;
use super::script::{
    DEAD, Effect, Entry, Execution, Location, LocationPart, NOTHING, Question, Script, State, Value,
    histories_at, history_item, result_woken, value_result,
};
use super::stuck::{self, Stuck};
use crate::Control;
use remaining::{Reads, Remaining};
use rustc_hash::FxHashSet;
use selvedge_trace::ThreadId;

/// A state with steps left to try.
struct Frame {
    state: usize,
    length: usize,
    /// Where in `moves` the threads to try begin.
    moves: usize,
    /// Where the next one is.
    next: usize,
}

/// After so many states a search asks whether to go on.
const PATIENCE: u64 = 4096;

/// A set of visited states with more room than that is not used again.
const MANY: usize = 1 << 12;

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Which other result an entry of a thread could have, whose position this is. If a value is given: whether it could read
    /// that.
    Entry(usize, usize, Option<Value>),
    /// That no thread is enabled.
    Stuck,
}

/// What a search knows of the execution from the beginning.
struct Known<'x> {
    execution: &'x Execution,
    bounds: &'x Bounds<'x>,
    /// By location: whether it is where a thread's waiting is kept.
    is_waiting: Vec<bool>,
    /// Locations that are read by several threads, and always written as a whole.
    wholes: Vec<(Location, u64)>,
    /// Whether there are parts in which only one thread can run.
    exclusive: bool,
    /// Whether a thread may have to wait there, and the others run. Then what others do may keep them from running, so
    /// nothing is performed before its time.
    pauses: bool,
}

/// What a search has done, and what it may.
struct Effort {
    /// How many states it has visited.
    visited: u64,
    /// When it has visited so many it is given up.
    most: u64,
    /// How many executions it has had explored.
    explored: u64,
}

/// A search through the states of an execution.
struct Search<'x> {
    known: Known<'x>,
    target: Target,
    state: State,
    /// How far each thread has come.
    positions: Vec<u32>,
    /// How far each thread may come.
    limits: Vec<u32>,
    /// The name of how far all have come.
    name: u128,
    /// Whose steps led here, and what `changed` was for them before.
    path: Vec<(u16, u32)>,
    /// By thread: one more than the position of its last store in a round of a loop that has changed anything.
    changed: Vec<u32>,
    remaining: Remaining,
    /// The names of the states that were visited.
    visited: FxHashSet<u128>,
    /// Threads to try, of all frames.
    moves: Vec<u16>,
    /// Whether the target was reached with all others as far as can be.
    done: bool,
    effort: Effort,
    /// Memory to be used again.
    steps: Vec<Step>,
    /// The same.
    goal: Goal,
}

/// Searches the orders of an execution.
pub fn run(execution: &Execution, host: &mut dyn Host) -> Control {
    let bounds = Bounds::new(execution);
    let mut searcher = Searcher::new(&bounds, execution);
    let mut targets = Vec::new();
    for thread in 0..execution.scripts.len() {
        bounds.find_targets(thread, &mut searcher.limits, &mut targets);
        host.begin(&mut targets);
        for (at, _) in &targets {
            if searcher.search_target(thread, *at, host) == Control::Stop {
                return Control::Stop;
            }
        }
    }
    match stuck::find(execution, &bounds) {
        Stuck::Never => Control::Continue,
        Stuck::At(_) | Stuck::Anywhere => searcher.search().find_stuck(host),
    }
}

/// Targets of an execution, and a search for them if there has to be one.
pub struct Searcher<'x> {
    bounds: &'x Bounds<'x>,
    execution: &'x Execution,
    search: Option<Search<'x>>,
    limits: Vec<u32>,
    goal: Goal,
}

impl<'x> Searcher<'x> {
    /// Nothing has been searched.
    pub fn new(bounds: &'x Bounds<'x>, execution: &'x Execution) -> Self {
        Searcher { bounds, execution, search: None, limits: Vec::new(), goal: Goal::default() }
    }

    fn search(&mut self) -> &mut Search<'x> {
        self.search.get_or_insert_with(|| Search::new(self.bounds, self.execution))
    }

    /// Searches for all orders in which an entry has another result, or reads a value, with threads no further than their
    /// limits; `None` if it takes more than so many states.
    pub fn try_target(
        &mut self,
        (thread, at): (usize, usize),
        wish: Option<Value>,
        limits: &[u32],
        patience: u64,
        host: &mut dyn Host,
    ) -> Option<Control> {
        let search = self.search();
        search.allow(patience);
        let control = search.search_entry(thread, at, wish, limits, host);
        search.is_complete().then_some(control)
    }

    /// How many executions these have had explored.
    pub fn explored(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.effort.explored)
    }

    /// Searches for states in which no thread is enabled; `None` if it takes more than so many states.
    pub fn try_find_stuck(&mut self, patience: u64, host: &mut dyn Host) -> Option<Control> {
        let search = self.search();
        search.allow(patience);
        let control = search.find_stuck(host);
        search.is_complete().then_some(control)
    }

    /// Searches for all orders in which an entry of a thread has another result.
    fn search_target(&mut self, thread: usize, at: usize, host: &mut dyn Host) -> Control {
        let Some(part) = self.bounds.part_read(thread, at) else {
            self.bounds.find_limits(thread, at, None, &mut self.limits);
            let limits = std::mem::take(&mut self.limits);
            let control = self.search().search_entry(thread, at, None, &limits, host);
            self.limits = limits;
            return control;
        };
        for source in self.bounds.sources(thread, at, part) {
            let value = Value { part, value: source.value };
            if !self.bounds.find_limits(thread, at, Some((value, &source)), &mut self.limits)
                || self.is_known(thread, at, value, host)
                || !begin_one(self.bounds.name_of_wish(thread, at, value, &self.limits), host)
            {
                continue;
            }
            let limits = std::mem::take(&mut self.limits);
            let control = self.search().search_entry(thread, at, Some(value), &limits, host);
            self.limits = limits;
            if control == Control::Stop {
                return Control::Stop;
            }
        }
        Control::Continue
    }

    /// Whether it has been explored that an entry of a thread reads a value, with all others as far as can be.
    fn is_known(&mut self, thread: usize, at: usize, value: Value, host: &mut dyn Host) -> bool {
        let part = value.part;
        let scripts = self.execution.scripts.iter().zip(&self.limits).enumerate();
        let others = scripts.filter(|(other, _)| *other != thread);
        histories_at(others.map(|(_, (script, limit))| (&**script, *limit as usize)), &mut self.goal.others);
        let history = self.execution.scripts[thread].histories[at];
        self.goal.next = Some((history, value_result(part, value.value)));
        host.has_explored(&self.goal)
    }
}

impl<'x> Search<'x> {
    fn new(bounds: &'x Bounds<'x>, execution: &'x Execution) -> Self {
        let threads = execution.scripts.len();
        let remaining = Remaining::new(execution, bounds);
        let mut is_waiting = vec![false; execution.locations];
        for location in &execution.waiting {
            is_waiting[*location as usize] = true;
        }
        let wholes = (0..execution.locations as Location).filter(|location| remaining.is_read(*location));
        let wholes =
            wholes.filter_map(|location| remaining.whole(location).map(|bits| (location, bits))).collect();
        let exclusive =
            execution.scripts.iter().any(|script| script.entries.iter().any(|entry| entry.exclusive));
        let pauses = execution.scripts.iter().any(|script| may_pause(script));
        Self {
            known: Known { execution, bounds, is_waiting, wholes, exclusive, pauses },
            target: Target::Stuck,
            state: State::new(execution),
            positions: vec![0; threads],
            limits: execution.scripts.iter().map(|script| script.entries.len() as u32).collect(),
            name: 0,
            path: Vec::new(),
            changed: vec![0; threads],
            remaining,
            visited: FxHashSet::default(),
            moves: Vec::new(),
            done: false,
            effort: Effort { visited: 0, most: u64::MAX, explored: 0 },
            steps: Vec::new(),
            goal: Goal::default(),
        }
    }

    /// The next search may visit so many states.
    fn allow(&mut self, patience: u64) {
        self.effort.most = self.effort.visited.saturating_add(patience);
    }

    /// Whether the last search has visited all states that it had to.
    fn is_complete(&self) -> bool {
        self.effort.visited <= self.effort.most
    }

    /// Searches for all orders in which an entry of a thread has another result, or reads a value.
    fn search_entry(
        &mut self,
        thread: usize,
        at: usize,
        wish: Option<Value>,
        limits: &[u32],
        host: &mut dyn Host,
    ) -> Control {
        self.target = Target::Entry(thread, at, wish);
        for (thread, limit) in limits.iter().enumerate() {
            self.set_limit(thread, *limit);
        }
        let entry = &self.known.execution.scripts[thread].entries[at];
        let locations: Vec<Location> = match wish {
            Some(wish) => vec![wish.part.location],
            None => {
                let locations = entry.reads.iter().map(|part| part.location);
                let watched = entry.round.iter().flat_map(|round| round.parts());
                let locations = locations.chain(watched.map(|part| part.location));
                locations.chain(entry.effects.iter().filter_map(Effect::location)).collect()
            }
        };
        let reads = if wish.is_none() { Reads::Anything } else { Reads::Known };
        for location in &locations {
            self.remaining.add_read(thread, *location, reads);
        }
        let control = self.search(host);
        for location in &locations {
            self.remaining.remove_read(thread, *location, reads);
        }
        control
    }

    fn set_limit(&mut self, thread: usize, limit: u32) {
        let old = std::mem::replace(&mut self.limits[thread], limit);
        for position in old..limit {
            self.remaining.put_back(thread, position as usize);
        }
        for position in limit..old {
            self.remaining.take(thread, position as usize);
        }
    }

    /// Searches for states in which no thread is enabled.
    fn find_stuck(&mut self, host: &mut dyn Host) -> Control {
        self.target = Target::Stuck;
        for thread in 0..self.threads() {
            self.set_limit(thread, self.known.execution.scripts[thread].entries.len() as u32);
        }
        self.search(host)
    }

    fn threads(&self) -> usize {
        self.positions.len()
    }

    /// The next entry of a thread, if it exists: one that it performed, or that was blocked in the end.
    fn next(&self, thread: usize) -> Option<&'x Entry> {
        let position = self.positions[thread];
        let exists = thread == 0
            || position > 0
            || self.state.values[self.known.execution.created[thread] as usize] != 0;
        self.known.execution.scripts[thread]
            .entries
            .get(position as usize)
            .filter(|_| exists)
            .map(|entry| &**entry)
    }

    /// Whether a thread can be joined: it has ended, or only waits for all others.
    fn has_ended(&self, thread: usize) -> bool {
        let script = &self.known.execution.scripts[thread];
        script.ended && self.positions[thread] as usize == script.performed
            || self.next(thread).is_some_and(|entry| entry.question == Question::JoinAll)
    }

    /// The result of an entry of a thread in the present state; `None` if it is blocked.
    fn result_of(&self, thread: usize, entry: &Entry) -> Option<u64> {
        if let Some(round) = &entry.round
            && self.changed[thread] <= round.start
            && !self.state.differs(round)
        {
            return None;
        }
        match entry.question {
            Question::Join(other) => {
                // A thread that never existed, or itself: that is an error, which needs no waiting.
                let other = self.known.bounds.script_of(other);
                other.is_none_or(|other| other == thread || self.has_ended(other)).then_some(NOTHING)
            }
            Question::JoinAll => {
                let created = |other: &usize| {
                    *other == 0 || self.state.values[self.known.execution.created[*other] as usize] != 0
                };
                let mut others = (0..self.threads()).filter(created).filter(|other| *other != thread);
                others.all(|other| self.has_ended(other)).then_some(NOTHING)
            }
            Question::Signal { .. } if self.state.is_dead(entry) => Some(DEAD),
            Question::Signal { object } => {
                let mut waiting = self.waiting(object);
                let first = result_woken(waiting.next());
                let same = first == entry.result || waiting.any(|w| result_woken(Some(w)) == entry.result);
                Some(if same { entry.result } else { first })
            }
            _ => self.state.result_of(entry),
        }
    }

    /// The threads that wait for an object.
    fn waiting(&self, object: u64) -> impl Iterator<Item = ThreadId> {
        let scripts = self.known.execution.scripts.iter().zip(&self.known.execution.waiting);
        scripts
            .filter(move |(_, location)| self.state.waits(**location, object))
            .map(|(script, _)| script.thread)
    }

    /// Whether a thread can take its next step as it did, and may.
    fn can_step(&self, thread: usize) -> Option<&'x Entry> {
        let position = self.positions[thread];
        let may = position < self.limits[thread]
            && (position as usize) < self.known.execution.scripts[thread].performed;
        let entry = self.next(thread).filter(|_| may)?;
        (self.result_of(thread, entry) == Some(entry.result)).then_some(entry)
    }

    /// The thread that keeps all others from running, if there is one: it is in an atomic section, and is enabled; or it has
    /// stopped there for good, and no thread may see half of what it did.
    fn holder(&self) -> Option<usize> {
        self.inside().find(|thread| self.is_possible(*thread) || self.next(*thread).is_none())
    }

    /// The threads that are in an atomic section.
    fn inside(&self) -> impl Iterator<Item = usize> {
        let threads = if self.known.exclusive { self.threads() } else { 0 };
        (0..threads).filter(|thread| {
            let last = (self.positions[*thread] as usize).checked_sub(1);
            last.is_some_and(|last| self.known.execution.scripts[*thread].entries[last].exclusive)
        })
    }

    /// Whether a thread is enabled.
    fn is_possible(&self, thread: usize) -> bool {
        self.next(thread).is_some_and(|entry| self.result_of(thread, entry).is_some())
    }

    fn take(&mut self, thread: usize, entry: &Entry) {
        let position = self.positions[thread];
        self.path.push((thread as u16, self.changed[thread]));
        if self.known.execution.scripts[thread].is_decisive(position as usize)
            && self.state.is_changed_by(entry)
        {
            self.set_changed(thread, position + 1);
        }
        self.state.perform(entry, &self.known.execution.waiting);
        self.remaining.take(thread, position as usize);
        self.name = self.name.wrapping_add(step_name(thread, position));
        self.positions[thread] = position + 1;
    }

    fn rewind(&mut self, state: usize, length: usize) {
        self.state.rewind(state);
        while self.path.len() > length {
            let Some((thread, changed)) = self.path.pop() else { return };
            let thread = usize::from(thread);
            self.set_changed(thread, changed);
            self.positions[thread] -= 1;
            let position = self.positions[thread];
            self.remaining.put_back(thread, position as usize);
            self.name = self.name.wrapping_sub(step_name(thread, position));
        }
    }

    /// Notes which store of a thread in a round of a loop was the last one to change something.
    fn set_changed(&mut self, thread: usize, changed: u32) {
        let old = std::mem::replace(&mut self.changed[thread], changed);
        if old != changed {
            let name = self.name.wrapping_sub(change_name(thread, old));
            self.name = name.wrapping_add(change_name(thread, changed));
        }
    }

    /// Searches, and returns to where it began.
    fn search(&mut self, host: &mut dyn Host) -> Control {
        let (state, length) = (self.state.mark(), self.path.len());
        let mut frames: Vec<Frame> = Vec::new();
        match self.visited.capacity() > MANY {
            true => self.visited = FxHashSet::default(),
            false => self.visited.clear(),
        }
        self.done = false;
        self.moves.clear();
        let mut control = self.enter(&mut frames, host);
        while control == Control::Continue
            && !self.done
            && let Some(frame) = frames.last_mut()
        {
            let Some(thread) = self.moves.get(frame.next) else {
                self.moves.truncate(frame.moves);
                frames.pop();
                continue;
            };
            frame.next += 1;
            let thread = usize::from(*thread);
            let (at_state, at_length) = (frame.state, frame.length);
            self.rewind(at_state, at_length);
            let Some(entry) = self.next(thread) else { continue };
            self.take(thread, entry);
            control = self.enter(&mut frames, host);
        }
        self.rewind(state, length);
        control
    }

    /// Performs what can be performed at once, reports what was found, and opens the state if it is new and something is left.
    fn enter(&mut self, frames: &mut Vec<Frame>, host: &mut dyn Host) -> Control {
        self.go_on();
        if self.is_hopeless() || !self.visited.insert(self.state_name()) {
            return Control::Continue;
        }
        self.effort.visited += 1;
        if self.effort.visited > self.effort.most {
            return Control::Stop;
        }
        if self.effort.visited.is_multiple_of(PATIENCE) && host.control() == Control::Stop {
            return Control::Stop;
        }
        if self.report(host) == Control::Stop {
            return Control::Stop;
        }
        let moves = self.moves.len();
        self.find_moves();
        frames.push(Frame { state: self.state.mark(), length: self.path.len(), moves, next: moves });
        Control::Continue
    }

    /// The name of the present state: how far all have come, and what is at the locations as far as any thread may still read it.
    fn state_name(&self) -> u128 {
        let unseen = self
            .known
            .wholes
            .iter()
            .filter(|(location, bits)| !self.is_wanted(self.present(*location, *bits)));
        unseen.fold(self.name.wrapping_add(self.state.name), |sum, (location, _)| {
            sum.wrapping_sub(self.state.name_at(*location)).wrapping_add(name(0xdead, u64::from(*location)))
        })
    }

    /// What bits of a location are now.
    fn present(&self, location: Location, bits: u64) -> Value {
        Value { part: LocationPart { location, bits }, value: self.state.values[location as usize] & bits }
    }

    /// Whether the target is to read a value that is not there, and that no thread will write any more.
    fn is_hopeless(&self) -> bool {
        let Target::Entry(_, _, Some(wish)) = self.target else { return false };
        self.present(wish.part.location, wish.part.bits) != wish && !self.remaining.will_be_set(wish)
    }

    /// Whether a read may yet return a value at a location.
    fn is_wanted(&self, value: Value) -> bool {
        let is_wished = match self.target {
            Target::Entry(_, _, Some(wish)) => {
                wish.part.location == value.part.location
                    && (wish.value ^ value.value) & wish.part.bits & value.part.bits == 0
            }
            _ => false,
        };
        is_wished || self.remaining.is_wanted(value)
    }

    /// What an entry sets, if that is all that it does, and its location is always written as a whole.
    fn store(&self, entry: &Entry) -> Option<Value> {
        let [Effect::Set { part, value }] = *entry.effects else { return None };
        let is_plain = entry.question == Question::Nothing
            && entry.round.is_none()
            && !entry.exclusive
            && self.remaining.whole(part.location).is_some();
        is_plain.then_some(Value { part, value })
    }

    /// Notes which threads take the next step, in turn. Of those that only store to a location, one whose value no read wants
    /// goes first.
    fn find_moves(&mut self) {
        let holder = self.holder();
        let first = self.moves.len();
        let mut unwanted: Vec<Location> = Vec::new();
        for thread in 0..self.threads() {
            let may = holder.is_none_or(|holder| holder == thread);
            let Some(entry) = self.can_step(thread).filter(|_| may) else { continue };
            match self.store(entry) {
                Some(value) if !self.known.pauses && !self.is_wanted(value) => {
                    if !unwanted.contains(&value.part.location) {
                        unwanted.push(value.part.location);
                        self.moves.push(thread as u16);
                    }
                }
                _ => self.moves.push(thread as u16),
            }
        }
        if unwanted.is_empty() {
            return;
        }
        let mut kept = first;
        for at in first..self.moves.len() {
            let thread = self.moves[at];
            let store = self.next(usize::from(thread)).and_then(|entry| self.store(entry));
            let waits =
                store.is_some_and(|value| unwanted.contains(&value.part.location) && self.is_wanted(value));
            if !waits {
                self.moves[kept] = thread;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Performs all that need not wait.
    fn go_on(&mut self) {
        loop {
            let length = self.path.len();
            for thread in 0..self.threads() {
                while let Some(entry) = self.can_step(thread)
                    && self.need_not_wait(thread, entry)
                {
                    self.take(thread, entry);
                }
            }
            if self.path.len() == length {
                return;
            }
        }
    }

    /// Whether nothing is lost if a thread performs its next entry at once.
    fn need_not_wait(&self, thread: usize, entry: &Entry) -> bool {
        match self.holder() {
            // No other thread can run.
            Some(holder) => return holder == thread,
            // No other thread could run afterwards; or what is done may let a thread go on in a section.
            None if entry.exclusive || self.known.pauses => return false,
            None => {}
        }
        if self.target == Target::Stuck && entry.round.is_some() {
            // What has changed may change back, and then its thread waits for ever.
            return false;
        }
        if matches!(entry.question, Question::Woken { .. }) {
            // A thread that was let go concerns no signal any more; one that was not could have been chosen.
            return self.state.is_let_go(entry);
        }
        entry.effects.iter().all(|effect| {
            let (location, set) = match effect {
                Effect::Set { part, value } => (part.location, Some(Value { part: *part, value: *value })),
                Effect::Add { part, .. } => (part.location, None),
                Effect::Free(location) | Effect::Revive(location) => {
                    return self.remaining.others(thread, *location).sum() == 0;
                }
                Effect::Wake { .. } | Effect::WakeAll { .. } => return false,
            };
            // Signals depend on who waits.
            !self.known.is_waiting[location as usize] && self.may_write(thread, entry, location, set)
        })
    }

    /// Whether nothing is lost if an entry writes to a location at once; and what, if it just sets it.
    fn may_write(&self, thread: usize, entry: &Entry, location: Location, set: Option<Value>) -> bool {
        let others = self.remaining.others(thread, location);
        if others.sum() == 0 || entry.gives_back && others.reads == 0 {
            return true;
        }
        if others.reads + others.takes == 0 {
            let own = self.remaining.own(thread, location);
            let reads = entry.reads.iter().filter(|part| part.location == location).count();
            let watched = entry.round.iter().flat_map(|round| round.parts());
            let watches = watched.filter(|part| part.location == location).count();
            if (own.reads + own.takes) as usize == reads + watches {
                return true;
            }
        }
        let Some(set) = set else { return false };
        let present = self.present(location, set.part.bits);
        // No read wants what is there, nor what is written.
        if self.remaining.whole(location).is_some() && !self.is_wanted(present) && !self.is_wanted(set) {
            return true;
        }
        // All reads want what is written, and no other thread writes.
        let is_wished = match self.target {
            Target::Entry(_, _, Some(wish)) if wish.part.location == location => {
                wish.part.bits & !set.part.bits == 0 && set.value & wish.part.bits == wish.value
            }
            _ => true,
        };
        if is_wished
            && others.takes + others.writes + others.wild == 0
            && self.remaining.all_want(thread, set)
        {
            return true;
        }
        // It changes nothing, and neither will the others' writes.
        present == set && others.writes == self.remaining.others_set(thread, set)
    }

    /// Reports what the search is for.
    fn report(&mut self, host: &mut dyn Host) -> Control {
        let holder = self.holder();
        let Target::Entry(thread, at, wish) = self.target else {
            let is_stuck = holder.is_none() && !(0..self.threads()).any(|thread| self.is_possible(thread));
            return if is_stuck { self.reach(None, host) } else { Control::Continue };
        };
        if self.positions[thread] as usize != at || holder.is_some_and(|holder| holder != thread) {
            return Control::Continue;
        }
        let Some(entry) = self.next(thread) else { return Control::Continue };
        let performed = at < self.known.execution.scripts[thread].performed;
        let Some(result) = self.result_of(thread, entry) else { return Control::Continue };
        if let Some(wish) = wish {
            if self.present(wish.part.location, wish.part.bits) != wish {
                return Control::Continue;
            }
            self.done = self.all_are_done(thread);
        }
        let others: Vec<u64> = match entry.question {
            Question::Choose { options } => (0..u64::from(options)).collect(),
            Question::Signal { object } if result != DEAD => {
                let mut woken: Vec<u64> =
                    self.waiting(object).map(|thread| result_woken(Some(thread))).collect();
                if woken.is_empty() {
                    woken.push(result_woken(None));
                }
                woken
            }
            _ => vec![result],
        };
        for result in others {
            let is_new = !performed || result != entry.result;
            if is_new && self.reach(Some((thread, result)), host) == Control::Stop {
                return Control::Stop;
            }
        }
        Control::Continue
    }

    /// Whether all other threads have had all results that they can have.
    fn all_are_done(&self, thread: usize) -> bool {
        let scripts = self.known.execution.scripts.iter().zip(self.positions.iter().zip(&self.limits));
        let mut others = scripts.enumerate().filter(|(other, _)| *other != thread);
        others.all(|(_, (script, (position, limit)))| {
            script.histories[*position as usize] == script.histories[*limit as usize]
        })
    }

    /// The steps that led here.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let mut positions = vec![0; self.threads()];
        for (thread, _) in &self.path {
            let thread = usize::from(*thread);
            let script = &self.known.execution.scripts[thread];
            steps.push((script.thread.into(), script.entries[positions[thread]].result));
            positions[thread] += 1;
        }
        steps
    }

    /// An entry could have another result now, or no thread is enabled: explores that, unless it has been with all threads
    /// at least as far as here.
    fn reach(&mut self, turn: Option<(usize, u64)>, host: &mut dyn Host) -> Control {
        let mut goal = std::mem::take(&mut self.goal);
        let scripts = self.known.execution.scripts.iter().zip(&self.positions);
        let others =
            scripts.enumerate().filter(|(thread, _)| turn.is_none_or(|(result, _)| result != *thread));
        histories_at(others.map(|(_, (script, position))| (&**script, *position as usize)), &mut goal.others);
        goal.next = turn.map(|(thread, result)| {
            let position = self.positions[thread] as usize;
            (self.known.execution.scripts[thread].histories[position], history_item(position, result))
        });
        let mut control = Control::Continue;
        if !host.has_explored(&goal) {
            let mut steps = self.steps();
            steps.extend(
                turn.map(|(thread, result)| (self.known.execution.scripts[thread].thread.into(), result)),
            );
            control = host.explore(&goal, &steps);
            self.effort.explored += 1;
            self.steps = steps;
        }
        self.goal = goal;
        control
    }
}

/// What a step of a thread adds to the name of how far all have come.
fn step_name(thread: usize, position: u32) -> u128 {
    name(0xfeed ^ (thread as u64) << 32, u64::from(position))
}

/// What it adds to that name which store of a thread was the last one to change something.
fn change_name(thread: usize, changed: u32) -> u128 {
    name(0xf00d ^ (thread as u64) << 32, u64::from(changed))
}

/// Whether a thread may have to wait in an atomic section.
fn may_pause(script: &Script) -> bool {
    script.entries.windows(2).any(|both| both[0].exclusive && both[1].may_block())
}
