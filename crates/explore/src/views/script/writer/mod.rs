//! Writing scripts down while an execution is run.
//!
//! What is written is kept while the machine is rewound, as far as it goes back; executions that have the same script share it,
//! and entries that follow from the same are made once.

mod entries;
mod memory;

use super::granules::{Extent, Granules, content, granules_in, with_stores};
use super::locations::{Locations, object_of_life, unit_of_life};
use super::round::changes;
use super::sections::Sections;
use super::{
    Entry, Execution, FACT, Location, LocationPart, NEVER, NOTHING, Round, Script, Watch, history_item,
};
use crate::core::dependence::{self, Access};
use crate::views::history::{Explored, History};
use crate::views::name::{Digest, continued, name};
use rustc_hash::FxHashMap;
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::sync::{self, Arrival, ObjectKind};
use selvedge_trace::{Agent, Operation, ThreadId};
use selvedge_vm::address;
use selvedge_vm::thread::Status;
use selvedge_vm::{FaultKind, SyncObject};
use std::sync::Arc;

/// A step that was taken: its agent and result, and how many initial values were known before it.
struct Taken {
    agent: Agent,
    result: u64,
    initial: usize,
}

/// What a thread has done in an atomic section that it did not get through: no other thread has noticed.
struct Tail {
    thread: ThreadId,
    /// Before which step it was.
    step: usize,
    /// How many entries the thread had performed before.
    entries: usize,
    /// How many initial values were known before.
    initial: usize,
}

/// What a thread has done so far.
#[derive(Default)]
struct Line {
    entries: Vec<Arc<Entry>>,
    /// Whether each of them is a store that has changed something.
    changes: Vec<bool>,
    /// Names of what it has done before each entry and after the last.
    names: Vec<u128>,
    /// Histories before each entry; as far as they have been asked for.
    histories: Vec<History>,
}

impl Line {
    /// Forgets all but the first entries.
    fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        self.changes.truncate(entries);
        self.names.truncate(entries + 1);
        self.histories.truncate(entries + 1);
    }

    /// Finds the histories that have not been asked for.
    fn remember(&mut self, views: &mut Explored, thread: ThreadId) {
        if self.histories.is_empty() {
            self.histories.push(views.root(thread.number()));
        }
        for at in self.histories.len()..self.names.len() {
            let (before, entry) = (self.histories[at - 1], &self.entries[at - 1]);
            self.histories.push(match entry.is_in_history() {
                true => views.grow(before, history_item(at - 1, entry.result)),
                false => before,
            });
        }
    }
}

/// Beyond that, scripts that no execution has any more are forgotten now and then.
const MANY: usize = 1 << 12;

/// Beyond that, entries are forgotten.
const MANY_ENTRIES: usize = 1 << 16;

/// Scripts, by name. Many executions have the same.
struct Scripts {
    known: FxHashMap<u128, Arc<Script>>,
    limit: usize,
}

impl Default for Scripts {
    fn default() -> Self {
        Scripts { known: FxHashMap::default(), limit: MANY }
    }
}

impl Scripts {
    fn get(&mut self, name: u128, write: impl FnOnce() -> Script) -> Arc<Script> {
        if self.known.len() >= self.limit {
            self.known.retain(|_, script| Arc::strong_count(script) > 1);
            self.limit = MANY.max(2 * self.known.len());
        }
        self.known.entry(name).or_insert_with(|| Arc::new(write())).clone()
    }
}

/// A step that was performed.
pub struct Performed<'s> {
    /// By whom.
    pub thread: ThreadId,
    /// Which alternative.
    pub choice: u32,
    /// The threads that it let go.
    pub woken: &'s [ThreadId],
    /// The objects that it handed over.
    pub published: &'s [(u64, u64)],
}

/// Whether an object that a step of a thread has made reachable for others is another's: that thread has come upon it.
fn is_found(thread: ThreadId, object: u64) -> bool {
    object >= address::GLOBALS_END && address::owner(object) != Some(thread)
}

/// How an execution has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nobody can go on, or may, because a thread has stopped in an atomic section. A thread that has not ended is blocked.
    Over,
    /// For another reason: something was wrong, or a bound was reached.
    Early,
}

/// What is known of a step before it is taken.
#[derive(Default)]
struct Next {
    accesses: Vec<Access>,
    /// What was at the units of the next step before it, and whether they were dead.
    before: Vec<(u64, u64, bool)>,
    /// What its thread sees at the units, if that is something else.
    own: Vec<(u64, u64)>,
    /// Where the round of a loop began that its thread has just ended.
    round: Option<u32>,
    /// The synchronisation object that it uses, if that may be destroyed or not set up.
    life: Option<SyncObject>,
    /// Whether locks may be given back by threads that do not hold them.
    frees_foreign: bool,
    /// Whether its thread may be woken without a signal.
    by_itself: bool,
    /// How many stores its thread has put into its buffer before it.
    issued: u32,
}

/// Writes down an execution while it is run.
#[derive(Default)]
pub struct Writer {
    /// The locations.
    pub locations: Locations,
    granules: Granules,
    taken: Vec<Taken>,
    tails: Vec<Tail>,
    /// By thread number.
    lines: Vec<Line>,
    scripts: Scripts,
    /// Actions by name of what they follow from, and their own names.
    entries: FxHashMap<u128, (Arc<Entry>, u128)>,
    initial: Vec<(Location, u64, bool)>,
    /// Which locations have an initial value.
    known: Vec<bool>,
    /// By location: what was there at first in the first execution that had it.
    first: Vec<Option<(u64, bool)>>,
    next: Next,
    /// See [`Writer::is_beyond_scripts`].
    is_beyond_scripts: bool,
}

fn status<S: System>(system: &S, thread: ThreadId) -> Option<Status> {
    system.machine().thread(thread).map(|thread| thread.position.status)
}

impl Writer {
    /// How many steps were written down.
    pub fn length(&self) -> usize {
        self.taken.len()
    }

    /// Forgets all but the first steps.
    pub fn rewind(&mut self, length: usize) {
        loop {
            let steps = self.taken.len();
            let initial = if let Some(tail) = self.tails.pop_if(|tail| tail.step == steps && steps >= length)
            {
                self.lines[tail.thread.number()].truncate(tail.entries);
                tail.initial
            } else if let Some(taken) = self.taken.pop_if(|_| steps > length) {
                if taken.agent.is_thread() {
                    let line = &mut self.lines[taken.agent.thread().number()];
                    line.truncate(line.entries.len() - 1);
                }
                taken.initial
            } else {
                return;
            };
            for (location, _, _) in self.initial.drain(initial..) {
                self.known[location as usize] = false;
            }
        }
    }

    /// The step with which an atomic section began that a thread is in; `None` if others have taken steps since.
    pub fn start_of_section(&self, thread: ThreadId) -> Option<usize> {
        let entries = &self.lines.get(thread.number())?.entries;
        let own = self.taken.iter().enumerate().rev().take_while(|(_, taken)| taken.agent == thread);
        // With each of its last steps goes one of its last entries; what was before the step is what the entry before it left.
        let begins = |number: usize| number == 0 || !entries[number - 1].exclusive;
        own.zip((0..entries.len()).rev()).find(|(_, number)| begins(*number)).map(|((step, _), _)| step)
    }

    /// The steps of a thread from one on, which were the last ones, have not been taken; but it is known what they would have
    /// been.
    pub fn take_back(&mut self, thread: ThreadId, step: usize) {
        let own = self.taken.len() - step;
        let entries = self.lines[thread.number()].entries.len() - own;
        let initial = self.taken[step].initial;
        self.taken.truncate(step);
        self.tails.push(Tail { thread, step, entries, initial });
    }

    /// To be called before a step of a thread.
    pub fn before<S: System>(&mut self, system: &S, thread: ThreadId) {
        self.next.accesses.clear();
        self.next.before.clear();
        self.next.own.clear();
        self.next.round = system.repeats_from(thread);
        self.next.issued = system.buffers().issued(thread);
        self.next.by_itself = system.machine().may_wake_by_itself(thread);
        self.next.frees_foreign = system.machine().allows(FaultKind::BadUnlock);
        let Some(operation) = system.machine().pending(thread) else { return };
        dependence::of_operation(thread, &operation, &mut self.next.accesses);
        self.note(&operation);
        if let Operation::Sync { op, object, .. } = operation
            && op.object() == ObjectKind::Barrier
            && matches!(op.action(), sync::Action::Init | sync::Action::Arrive)
        {
            // The generation, which is not decisive, but changes.
            self.next
                .before
                .push(content(system, object.wrapping_add(Arrival::GENERATION as u64 * sync::WORD)));
        }
        for access in self.next.accesses.iter().filter(|access| access.granule & FACT == 0) {
            self.next.before.extend(self.granules.units_of(access).map(|(unit, ..)| content(system, unit)));
        }
        self.next.life = match operation {
            Operation::Sync { op, object, .. } => system.machine().mortal(op, object),
            _ => None,
        };
        if let (Some(object), Operation::Sync { op, .. }) = (self.next.life, operation) {
            self.is_beyond_scripts |= op.is_init() && system.machine().was_set_up(object);
        }
        self.is_beyond_scripts |= matches!(operation, Operation::EndScope { .. });
        if let Some(object) = self.next.life {
            self.next.before.push((unit_of_life(object), 0, !system.machine().is_usable(object)));
        }
        if S::BUFFERED {
            self.see_own(system, thread);
        }
    }

    /// Whether a thread that the system lets go on waits in a loop nevertheless. Where it has tried in vain to take something, the
    /// system lets it go round again as soon as that is another thread's; but the waiting thread does not notice, so scripts do not
    /// have that.
    pub fn waits<S: System>(&self, system: &S, thread: ThreadId) -> bool {
        let (Some(start), Some(line)) = (system.repeats_from(thread), self.lines.get(thread.number())) else {
            return false;
        };
        let start = start as usize;
        if line.changes[start..].contains(&true) {
            return false;
        }
        let round = Round::of(start, &line.entries[start..]);
        if !round.watched.iter().any(|watch| matches!(watch, Watch::Taken(..))) {
            return false;
        }
        let stores = system.buffers().waiting_stores(thread);
        let value = |location: Location| {
            let unit = self.locations.address(location);
            with_stores(unit, content(system, unit).1, &stores)
        };
        let is_dead = |part: LocationPart| {
            let unit = self.locations.address(part.location);
            match object_of_life(unit) {
                Some(object) => !system.machine().is_usable(object),
                None => content(system, unit).2,
            }
        };
        !round.parts().any(is_dead) && round.watched.iter().all(|watch| watch.holds(value))
    }

    /// Whether something has happened, in any execution so far, that scripts do not have. One is that an object that was set up
    /// before, destroyed or not, was set up again: whether that is an error, and what others find then, depends on the order of
    /// several operations. Another is that the scope of a local object ended that others could reach: its memory is used again. The
    /// third is that a thread has found an object of another's that was never handed over, by a disguised pointer: what its owner
    /// had done to it until then was no step of the owner's, although it has been seen.
    pub fn is_beyond_scripts(&self) -> bool {
        self.is_beyond_scripts
    }

    /// To be called before a store reaches memory.
    pub fn before_arrival<S: System>(&mut self, system: &S, agent: Agent) {
        self.next.accesses.clear();
        self.next.before.clear();
        self.next.own.clear();
        let stores = system.buffers().waiting_stores(agent.thread());
        for store in stores.iter().filter(|store| Some(store.number) == agent.number()) {
            dependence::of_range(
                agent.thread(),
                store.address,
                u64::from(store.size),
                &mut self.next.accesses,
            );
        }
        self.note_accesses(Extent::Whole);
        for access in &self.next.accesses {
            self.next.before.extend(self.granules.units_of(access).map(|(unit, ..)| content(system, unit)));
        }
    }

    /// To be called after it has.
    pub fn after_arrival(&mut self, agent: Agent) {
        let initial = self.initial.len();
        self.learn_initial();
        self.taken.push(Taken { agent, result: NOTHING, initial });
    }

    /// To be called after the step.
    pub fn after<S: System>(&mut self, system: &S, step: &Performed<'_>) {
        let Performed { thread, choice, woken, published } = *step;
        self.is_beyond_scripts |= published.iter().any(|(start, _)| is_found(thread, *start));
        for (start, size) in published {
            for (granule, extent) in granules_in(*start, start.saturating_add(*size)) {
                if self.granules.is_joined(granule) && extent == Extent::Bytes {
                    self.split_now(granule);
                }
            }
        }
        let initial = self.initial.len();
        self.learn_initial();
        let Some(event) = system.events().last() else { return };
        let (operation, read) = (event.operation, event.read);
        let changes = changes(event);
        let line = self.line(thread);
        let so_far = line.names[line.names.len() - 1];
        // A thread that has ended in an atomic section is through with it.
        let has_ended = status(system, thread) == Some(Status::Finished);
        let excludes = system.machine().excludes_others(thread) && !has_ended;
        // With buffers, much depends on what is in them.
        let is_simple = published.is_empty() && !S::BUFFERED;
        let drained = event.drained;
        let origin = self.origin(so_far, &operation, choice, excludes).filter(|_| is_simple);
        if let Some((entry, name)) = origin.and_then(|origin| self.entries.get(&origin)) {
            let (entry, name) = (entry.clone(), *name);
            self.push(thread, so_far, (entry, name), changes, initial);
            return;
        }
        let delayed = if S::BUFFERED { self.delayed(system, thread) } else { Vec::new() };
        let mut entry = self.entry(thread, &operation, choice);
        self.answer(system, thread, &mut entry, read, woken);
        let mut effects = std::mem::take(&mut entry.effects).into_vec();
        for (start, size) in published {
            self.publish(system, *start, *size, &mut effects);
        }
        entry.effects = effects.into();
        entry.exclusive = excludes;
        entry.drained = drained;
        entry.delayed = delayed.into();
        let (name, entry) = (entry.name(), Arc::new(entry));
        if let Some(origin) = origin {
            if self.entries.len() >= MANY_ENTRIES {
                self.entries.clear();
            }
            self.entries.insert(origin, (entry.clone(), name));
        }
        self.push(thread, so_far, (entry, name), changes, initial);
    }

    fn push(
        &mut self,
        thread: ThreadId,
        so_far: u128,
        (entry, name): (Arc<Entry>, u128),
        changes: bool,
        initial: usize,
    ) {
        self.taken.push(Taken { agent: thread.into(), result: entry.result, initial });
        let line = self.line(thread);
        line.names.push(continued(so_far, name));
        line.entries.push(entry);
        line.changes.push(changes);
    }

    /// A name of all that an entry follows from, if that is little: what its thread has done before, and is about to do;
    /// which memory that accesses, and what is there.
    fn origin(&self, so_far: u128, operation: &Operation, choice: u32, excludes: bool) -> Option<u128> {
        let (kind, one, other) = match *operation {
            Operation::Load { .. } => (1, 0, 0),
            Operation::Store { value, .. } => (2, value, 0),
            Operation::Rmw { op, operand, .. } => (3 | (op as u64) << 3, operand, 0),
            Operation::CompareExchange { expected, new, .. } => (4, expected, new),
            _ => return None,
        };
        if (one | other) >> 64 != 0 {
            return None;
        }
        let mut digest = Digest::of(so_far);
        let count = (self.next.accesses.len() as u64) << 32;
        digest.extend([
            count | u64::from(choice),
            // What was seen on the way is part of what the thread has done.
            self.next.round.map_or(0, |round| 1 + u64::from(round)),
            kind << 1 | u64::from(excludes),
            one as u64,
            other as u64,
        ]);
        for access in &self.next.accesses {
            digest.extend([access.granule, u64::from(access.mask)]);
        }
        for (unit, value, dead) in &self.next.before {
            digest.extend([unit << 1 | u64::from(*dead), *value]);
        }
        Some(digest.name())
    }

    fn line(&mut self, thread: ThreadId) -> &mut Line {
        let number = thread.number();
        if self.lines.len() <= number {
            self.lines.resize_with(number + 1, Line::default);
        }
        let line = &mut self.lines[number];
        if line.names.is_empty() {
            line.names.push(name(0xface, number as u64));
        }
        line
    }

    /// The execution.
    pub fn execution<S: System>(&mut self, system: &S, explored: &mut Explored, ended: Ended) -> Execution {
        let threads: Vec<ThreadId> = system.machine().threads().collect();
        let is_blocked =
            |thread: &ThreadId| ended == Ended::Over && status(system, *thread) == Some(Status::Pending);
        // Granules are split before any script is finished.
        threads.iter().filter(|thread| is_blocked(thread)).for_each(|thread| self.before(system, *thread));
        let scripts = threads.iter().map(|thread| self.script(system, explored, ended, *thread)).collect();
        let waiting = threads.iter().map(|thread| self.locations.waiting(*thread)).collect();
        let created = threads.iter().map(|thread| self.locations.created(*thread)).collect();
        let name = self.name_of_initial();
        Execution {
            scripts,
            initial: self.initial.clone(),
            locations: self.locations.count(),
            waiting,
            created,
            in_order: system.buffers().stores_in_order(),
            is_held_up: false,
            name,
        }
    }

    fn script<S: System>(
        &mut self,
        system: &S,
        explored: &mut Explored,
        ended: Ended,
        thread: ThreadId,
    ) -> Arc<Script> {
        let status = status(system, thread);
        let has_ended = status == Some(Status::Finished);
        let is_blocked = ended == Ended::Over && status == Some(Status::Pending);
        let line = self.line(thread);
        let mut name = continued(line.names[line.entries.len()], u128::from(has_ended));
        let mut blocked = None;
        if let Some(operation) = system.machine().pending(thread).filter(|_| is_blocked) {
            self.before(system, thread);
            self.learn_initial();
            let mut entry = self.entry(thread, &operation, 0);
            entry.result = NEVER;
            let present = self.present();
            entry.see(&present);
            entry.drained = S::BUFFERED
                && matches!(
                    operation,
                    Operation::Rmw { .. } | Operation::CompareExchange { .. } | Operation::Sync { .. }
                );
            name = continued(name, entry.name());
            blocked = Some(Arc::new(entry));
        }
        let frees_foreign = self.next.frees_foreign;
        let line = &mut self.lines[thread.number()];
        self.scripts.get(name, || {
            line.remember(explored, thread);
            let mut script = Script {
                thread,
                entries: line.entries.clone(),
                histories: line.histories.clone(),
                names: line.names.clone(),
                name,
                performed: line.entries.len(),
                ended: has_ended,
                view: 0,
                footprints: Vec::new(),
                uses: Vec::new(),
                asks: Vec::new(),
                joins: Vec::new(),
                waits: false,
                sections: Sections::default(),
                decisive: Vec::new(),
                delays: false,
            };
            script.entries.extend(blocked);
            script.outline();
            if frees_foreign {
                // No thread is alone in a section that others can open.
                script.sections = Sections::default();
            }
            script
        })
    }

    /// The agent of a step, and its result.
    pub fn step(&self, number: usize) -> Option<(Agent, u64)> {
        self.taken.get(number).map(|taken| (taken.agent, taken.result))
    }
}
