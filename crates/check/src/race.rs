//! Data races: two accesses of different threads to the same bytes, one of them a write, not both atomic,
//! and not ordered by happens-before.
//!
//! Happens-before is that of C11, computed with vector clocks: thread creation and join, locks, condition
//! variables, semaphores, barriers, once-only actions, release/acquire operations with release sequences
//! (see [`ReleaseSequences`]), and fences. Each thread, each synchronisation object and each atomic location (byte by byte) has a clock;
//! each granule of memory remembers the last accesses of each thread. (The exploration itself is sequentially consistent:
//! a race-free program behaves no differently, and in a racy one the race is the error.)
//!
//! What a thread does to an object before others can reach it is invisible. When the object is published,
//! all of it counts as written by its owner at that moment; so handing over an object without
//! synchronisation is found, although its initialisation was never an event.
//!
//! With store buffers, a store counts where its thread performs it; what it releases is there for others when it reaches
//! memory. So modification order, and with it the order in a release sequence, is the order in which stores arrive. A plain store
//! to an atomic location continues and ends release sequences like a relaxed one; if that matters, it races.
//!
//! *Updates that commute* (`selvedge_trace::CommutingUpdate`) make no edge between each other, as long as nobody accesses the location in
//! between: the later one of two does not acquire what the earlier one has released. In another order, which has the same effect and
//! need not be explored, it is the earlier one. So if one order of them is in a race, all are. Such an update acquires what had been released before the
//! first of these updates; whoever reads the location in another way afterwards, and acquires, gets what all of them have released.
//!
//! Everything is undone by a log: a checker is rewound together with the system.
//!
//! Clocks are never changed once they are made: threads, objects and locations share them, and rewinding forgets the last ones.

use rustc_hash::FxHashMap;
use selvedge_memory::ReleaseSequences;
use selvedge_program::{CommutingOp, FenceOrder, LoadOrder, RmwOrder, StoreOrder};
use selvedge_trace::sync::{self, Action, Edges};
use selvedge_trace::{CommutingUpdate, Event, Operation, SyncOp, ThreadId};

/// Two accesses that race, as positions in the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    /// The earlier access.
    pub first: usize,
    /// Whether the earlier access is the initialisation of an object that this event published.
    pub by_publication: bool,
    /// The later access.
    pub second: usize,
    /// First address of the later access.
    pub address: u64,
    /// Its size.
    pub size: u64,
}

/// A vector clock, by its number among [`Clocks`]. The clock [`NOTHING`] has seen nothing.
type Clock = u32;

const NOTHING: Clock = 0;

/// Vector clocks: one time for each thread. They are never changed, so they can be shared, and taking them back means
/// forgetting the last ones.
#[derive(Debug)]
struct Clocks {
    /// The times of all clocks, one clock after the other.
    times: Vec<u32>,
    /// Threads that a clock has room for.
    width: usize,
    /// How many clocks there are.
    count: u32,
}

impl Default for Clocks {
    fn default() -> Self {
        let width = 4;
        Self { times: vec![0; width], width, count: 1 }
    }
}

impl Clocks {
    fn get(&self, clock: Clock) -> &[u32] {
        &self.times[clock as usize * self.width..][..self.width]
    }

    fn truncate(&mut self, count: u32) {
        self.times.truncate(count as usize * self.width);
        self.count = count;
    }

    /// Makes room for more threads.
    fn widen(&mut self, threads: usize) {
        if threads <= self.width {
            return;
        }
        let width = threads.next_power_of_two();
        let mut times = vec![0; self.count as usize * width];
        for (new, old) in times.chunks_exact_mut(width).zip(self.times.chunks_exact(self.width)) {
            new[..self.width].copy_from_slice(old);
        }
        (self.times, self.width) = (times, width);
    }

    /// A copy with another time of one thread.
    fn with(&mut self, clock: Clock, thread: usize, time: u32) -> Clock {
        if self.get(clock)[thread] == time {
            return clock;
        }
        let (from, new) = (clock as usize * self.width, self.times.len());
        self.times.extend_from_within(from..from + self.width);
        self.times[new + thread] = time;
        self.count += 1;
        self.count - 1
    }

    /// What one of two clocks has seen.
    fn join(&mut self, one: Clock, other: Clock) -> Clock {
        let (mut less, mut more) = (false, false);
        for (mine, theirs) in self.get(one).iter().zip(self.get(other)) {
            (less, more) = (less | (mine < theirs), more | (mine > theirs));
        }
        match (less, more) {
            (false, _) => one,
            (true, false) => other,
            (true, true) => {
                let (mine, theirs) = (one as usize * self.width, other as usize * self.width);
                for thread in 0..self.width {
                    self.times.push(self.times[mine + thread].max(self.times[theirs + thread]));
                }
                self.count += 1;
                self.count - 1
            }
        }
    }

    /// Whether a clock has seen something of other threads than `thread` that another has not.
    fn adds_to(&self, clock: Clock, other: Clock, thread: usize) -> bool {
        let pairs = self.get(clock).iter().zip(self.get(other)).enumerate();
        pairs.fold(false, |adds, (at, (new, old))| adds | (new > old && at != thread))
    }
}

/// A remembered access to some bytes of a granule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    thread: u16,
    mask: u8,
    write: bool,
    atomic: bool,
    time: u32,
    event: u32,
}

/// An object that was published: all of it was written before.
#[derive(Debug, Clone, Copy)]
struct Published {
    start: u64,
    end: u64,
    thread: u16,
    time: u32,
    event: u32,
}

#[derive(Debug, Clone, Copy)]
struct ThreadClocks {
    /// The time of its next event.
    time: u32,
    /// What of others happened before that.
    seen: Clock,
    /// What happened before its last release fence.
    release_fence: Clock,
    /// What relaxed loads have seen, waiting for an acquire fence.
    acquire_fence: Clock,
}

/// What is known of a granule of memory.
#[derive(Debug, Default)]
struct Granule {
    accesses: Vec<Access>,
    /// What whoever reads some of its bytes, and acquires, gets.
    released: Vec<Released>,
    /// Updates of some of its bytes that commute, since the last other access to these.
    updates: Vec<Updates>,
}

/// Updates that commute, one after the other, with no other access to their bytes in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Updates {
    bytes: u8,
    op: CommutingOp,
    /// What had been released before the first of them.
    before: Clock,
}

/// What the release sequences that the last write to some bytes belongs to have released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Released {
    bytes: u8,
    /// Who has begun them. In the manner of C++20, those of one write are together, under whoever has written.
    thread: u16,
    clock: Clock,
}

/// How a location is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write {
    Store,
    Update,
}

/// The granules that were accessed, by number.
#[derive(Debug, Default)]
struct Granules {
    numbers: FxHashMap<u64, u32>,
    list: Vec<Granule>,
}

impl Granules {
    /// The number of a granule.
    fn number(&mut self, granule: u64) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(granule).or_insert(next);
        if number == next {
            self.list.push(Granule::default());
        }
        number
    }

    fn at(&mut self, number: u32) -> &mut Granule {
        &mut self.list[number as usize]
    }
}

enum Undo {
    /// An event of a thread.
    Tick(u32),
    Thread(u32, ThreadClocks),
    /// An access was added to those of a granule, at the end.
    Added(u32),
    /// An access of a granule was replaced.
    Replaced(u32, u32, Access),
    Accesses(u32, Vec<Access>),
    /// What was released in a granule was one thing, or nothing.
    ReleasedOne(u32, Option<Released>),
    Released(u32, Vec<Released>),
    /// Which updates were the last ones of a granule.
    Updates(u32, Vec<Updates>),
    /// The clock of a synchronisation object.
    Object(u64, Clock),
}

/// The detector.
#[derive(Default)]
pub struct RaceDetector {
    sequences: ReleaseSequences,
    /// By thread number: the number here, by order of first appearance.
    dense: Vec<Option<u16>>,
    threads: Vec<ThreadClocks>,
    clocks: Clocks,
    /// Clocks of synchronisation objects, by key.
    objects: FxHashMap<u64, Clock>,
    /// By thread and number: what stores that are still buffered will release. An entry is written when the store is
    /// buffered and read when it arrives, so it need not be undone.
    buffered: Vec<Vec<Clock>>,
    granules: Granules,
    published: Vec<Published>,
    undo: Vec<Undo>,
    /// Whether there have been updates that commute, in any execution so far.
    has_updates: bool,
}

/// A state of the detector.
#[derive(Debug, Clone, Copy)]
pub struct RaceMark {
    undo: u32,
    published: u32,
    clocks: u32,
}

/// Keys of clocks: what they belong to is in the high bits.
mod key {
    use selvedge_trace::sync;

    pub const ATOMIC_SECTIONS: u64 = 5 << 60;

    /// That of a clock of the synchronisation object at an address.
    pub fn of(clock: sync::Clock, address: u64) -> u64 {
        match clock {
            sync::Clock::Object => address | 2 << 60,
            sync::Clock::Readers => address | 3 << 60,
        }
    }
}

impl RaceDetector {
    /// A detector that has seen nothing.
    pub fn new(sequences: ReleaseSequences) -> Self {
        Self { sequences, ..Self::default() }
    }

    /// A state to return to.
    pub fn mark(&self) -> RaceMark {
        let (undo, published) = (self.undo.len() as u32, self.published.len() as u32);
        RaceMark { undo, published, clocks: self.clocks.count }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: &RaceMark) {
        while self.undo.len() > mark.undo as usize {
            match self.undo.pop() {
                Some(Undo::Tick(index)) => self.threads[index as usize].time -= 1,
                Some(Undo::Added(granule)) => drop(self.granules.at(granule).accesses.pop()),
                Some(Undo::Replaced(granule, at, access)) => {
                    self.granules.at(granule).accesses[at as usize] = access;
                }
                Some(Undo::Thread(index, clocks)) => self.threads[index as usize] = clocks,
                Some(Undo::Object(key, clock)) => drop(self.objects.insert(key, clock)),
                Some(Undo::ReleasedOne(granule, old)) => {
                    let released = &mut self.granules.at(granule).released;
                    released.clear();
                    released.extend(old);
                }
                Some(Undo::Released(granule, old)) => self.granules.at(granule).released = old,
                Some(Undo::Updates(granule, old)) => self.granules.at(granule).updates = old,
                Some(Undo::Accesses(granule, old)) => self.granules.at(granule).accesses = old,
                None => break,
            }
        }
        self.published.truncate(mark.published as usize);
        self.clocks.truncate(mark.clocks);
    }

    /// What happened before the next event of a thread: of each thread, so many of its events. (Of one that was joined, one more
    /// than it has performed. That a store reaches memory is no event of its thread.)
    pub fn seen(&self, id: ThreadId) -> impl Iterator<Item = (ThreadId, u32)> {
        let index = self.dense.get(id.number()).copied().flatten();
        let clock = index.map_or(&[][..], |index| self.clocks.get(self.threads[usize::from(index)].seen));
        let numbered = (0..self.dense.len()).filter_map(ThreadId::from_number);
        numbered.filter_map(move |thread| {
            let index = usize::from(self.dense[thread.number()]?);
            Some((thread, clock.get(index).copied().filter(|time| *time > 0)?))
        })
    }

    fn thread(&mut self, id: ThreadId) -> usize {
        match self.dense.get(id.number()) {
            Some(Some(index)) => usize::from(*index),
            _ => self.new_thread(id),
        }
    }

    #[cold]
    fn new_thread(&mut self, id: ThreadId) -> usize {
        let index = self.threads.len();
        if self.dense.len() <= id.number() {
            self.dense.resize(id.number() + 1, None);
        }
        self.dense[id.number()] = Some(index as u16);
        self.clocks.widen(index + 1);
        let nothing = ThreadClocks { time: 1, seen: NOTHING, release_fence: NOTHING, acquire_fence: NOTHING };
        self.threads.push(nothing);
        self.buffered.push(Vec::new());
        index
    }

    /// What happened before the next event of a thread, that event included.
    fn now(&mut self, thread: usize) -> Clock {
        let ThreadClocks { time, seen, .. } = self.threads[thread];
        self.clocks.with(seen, thread, time)
    }

    fn save_thread(&mut self, index: usize) {
        self.undo.push(Undo::Thread(index as u32, self.threads[index]));
    }

    fn acquire(&mut self, thread: usize, key: u64) {
        if let Some(clock) = self.objects.get(&key) {
            self.learn(thread, *clock);
        }
    }

    /// Lets a thread see what a clock says.
    fn learn(&mut self, thread: usize, clock: Clock) {
        let seen = self.threads[thread].seen;
        if self.clocks.adds_to(clock, seen, thread) {
            self.save_thread(thread);
            self.threads[thread].seen = self.clocks.join(seen, clock);
        }
    }

    /// Lets a thread see what a clock says at its next acquire fence.
    fn learn_at_fence(&mut self, thread: usize, clock: Clock) {
        let seen = self.threads[thread].acquire_fence;
        if self.clocks.adds_to(clock, seen, thread) {
            self.save_thread(thread);
            self.threads[thread].acquire_fence = self.clocks.join(seen, clock);
        }
    }

    fn release(&mut self, thread: usize, key: u64) {
        let now = self.now(thread);
        let clock = self.objects.entry(key).or_insert(NOTHING);
        self.undo.push(Undo::Object(key, *clock));
        *clock = self.clocks.join(*clock, now);
    }

    /// Takes note of the event at position `at`; `published` are the objects (start, size) that it made
    /// reachable for others, `woken` the threads that it let go. Gives the race it completes, if any.
    pub fn event(
        &mut self,
        at: usize,
        event: &Event,
        published: &[(u64, u64)],
        woken: &[ThreadId],
    ) -> Option<Race> {
        let thread = self.thread(event.thread);
        let time = self.threads[thread].time;
        for (start, size) in published {
            let (thread, event) = (thread as u16, at as u32);
            self.published.push(Published { start: *start, end: start + size, thread, time, event });
        }
        if event.atomic_section {
            self.acquire(thread, key::ATOMIC_SECTIONS);
        }
        if let Operation::Flush { .. } = event.operation {
            self.synchronise(thread, event);
            return None;
        }
        // Synchronisation first: an update that acquires is ordered behind what it reads.
        self.synchronise(thread, event);
        if matches!(event.operation, Operation::Sync { .. }) {
            self.wake(thread, woken);
        }
        let race = self.accesses(thread, at, event);
        // Atomic sections are ordered, as by one lock.
        if event.atomic_section {
            self.release(thread, key::ATOMIC_SECTIONS);
        }
        self.threads[thread].time += 1;
        self.undo.push(Undo::Tick(thread as u32));
        race
    }

    /// What happened before a signal, or the last arrival at a barrier, happened before what the threads do
    /// that it lets go. A signal that nobody receives orders nothing.
    fn wake(&mut self, thread: usize, woken: &[ThreadId]) {
        if woken.is_empty() {
            return;
        }
        let now = self.now(thread);
        for other in woken {
            let other = self.thread(*other);
            self.learn(other, now);
        }
    }

    fn accesses(&mut self, thread: usize, at: usize, event: &Event) -> Option<Race> {
        match event.operation {
            Operation::Load { address, ty, order } => {
                self.access(thread, at, address, u64::from(ty.bytes()), false, order != LoadOrder::Plain)
            }
            Operation::Store { address, ty, order, .. } => {
                self.access(thread, at, address, u64::from(ty.bytes()), true, order != StoreOrder::Plain)
            }
            Operation::Rmw { address, ty, .. } => {
                self.access(thread, at, address, u64::from(ty.bytes()), true, true)
            }
            Operation::CompareExchange { address, ty, .. } => {
                let writes = event.written.is_some();
                self.access(thread, at, address, u64::from(ty.bytes()), writes, true)
            }
            Operation::Copy { to, from, size } => {
                let read = self.access(thread, at, from, size, false, false);
                let write = self.access(thread, at, to, size, true, false);
                read.or(write)
            }
            Operation::Set { to, size, .. } => self.access(thread, at, to, size, true, false),
            // Freeing an object is like writing all of it.
            Operation::Release { address, size } => self.access(thread, at, address, size, true, false),
            _ => None,
        }
    }

    fn access(
        &mut self,
        thread: usize,
        at: usize,
        address: u64,
        size: u64,
        write: bool,
        atomic: bool,
    ) -> Option<Race> {
        let ThreadClocks { time, seen, .. } = self.threads[thread];
        let seen = self.clocks.get(seen);
        // Whether something of another thread happened before.
        let before = |other: u16, time: u32| seen[usize::from(other)] >= time;
        let end = address.saturating_add(size);
        let mut found = None;
        // An atomic access is not held against the initialisation, which may have been atomic, too.
        for object in self.published.iter().rev().filter(|_| !atomic) {
            let overlaps = object.start < end && address < object.end;
            if overlaps && usize::from(object.thread) != thread && !before(object.thread, object.time) {
                let first = object.event as usize;
                found = Some(Race { first, by_publication: true, second: at, address, size });
                break;
            }
        }
        for (granule, mask) in granules(address, size) {
            let granule = self.granules.number(granule);
            let accesses = &mut self.granules.at(granule).accesses;
            let new = Access { thread: thread as u16, mask, write, atomic, time, event: at as u32 };
            // A later access of the same kind by the same thread races with whatever the earlier one
            // would race with from now on.
            let is_replaced = |old: &Access| {
                old.thread == new.thread
                    && old.write == write
                    && old.atomic == atomic
                    && old.mask & !mask == 0
            };
            let (mut replaced, mut count) = (0, 0);
            for (at, access) in accesses.iter().enumerate() {
                let conflict = access.thread != new.thread
                    && access.mask & mask != 0
                    && (access.write || write)
                    && !(access.atomic && atomic)
                    && !before(access.thread, access.time);
                if conflict {
                    let first = access.event as usize;
                    found = Some(Race {
                        first,
                        by_publication: false,
                        second: new.event as usize,
                        address,
                        size,
                    });
                }
                if is_replaced(access) {
                    (replaced, count) = (at, count + 1);
                }
            }
            match count {
                0 => {
                    accesses.push(new);
                    self.undo.push(Undo::Added(granule));
                }
                1 => {
                    let old = std::mem::replace(&mut accesses[replaced], new);
                    self.undo.push(Undo::Replaced(granule, replaced as u32, old));
                }
                _ => {
                    self.undo.push(Undo::Accesses(granule, accesses.clone()));
                    accesses.retain(|old| !is_replaced(old));
                    accesses.push(new);
                }
            }
        }
        found
    }

    fn synchronise(&mut self, thread: usize, event: &Event) {
        if self.has_updates {
            self.end_updates(event);
        }
        match event.operation {
            Operation::Spawn { .. } => {
                if let Some(child) = event.read.and_then(|handle| ThreadId::from_handle(handle as u64)) {
                    let child = self.thread(child);
                    let now = self.now(thread);
                    self.learn(child, now);
                }
            }
            // Only if it has waited for the thread.
            Operation::Join { thread: Some(child) } if event.read.is_some() => {
                let child = self.thread(child);
                let clock = self.now(child);
                self.learn(thread, clock);
            }
            Operation::WaitForOthers { .. } => {
                for other in 0..self.threads.len() {
                    let clock = self.now(other);
                    self.learn(thread, clock);
                }
            }
            // What a thread has stored itself tells it nothing new.
            Operation::Load { ty, .. } if u32::from(event.forwarded) == (1 << ty.bytes()) - 1 => {}
            Operation::Load { address, ty, order } => self.load(thread, address, ty.bytes(), order),
            Operation::Store { address, ty, order, .. } => {
                let clock = self.released_by(thread, order);
                match event.buffered as usize {
                    0 => self.set_released(thread, address, ty.bytes(), clock, Write::Store),
                    number => {
                        let buffered = &mut self.buffered[thread];
                        buffered.resize(buffered.len().max(number + 1), NOTHING);
                        buffered[number] = clock;
                    }
                }
            }
            Operation::Flush { address, size, store, .. } => {
                // Parts of copies release nothing.
                let clock = self.buffered[thread].get(store as usize).copied().unwrap_or(NOTHING);
                self.set_released(thread, address, size, clock, Write::Store);
            }
            Operation::Rmw { address, ty, order, .. } => {
                let update = event.operation.commuting_update().filter(|_| event.written.is_some());
                let before = update.map(|update| self.released_before_updates(update));
                self.rmw(thread, address, ty.bytes(), order, before);
            }
            Operation::CompareExchange { address, ty, success, failure, .. } => match event.written {
                Some(_) => self.rmw(thread, address, ty.bytes(), success, None),
                None => self.load(thread, address, ty.bytes(), failure),
            },
            Operation::Fence { order } => {
                if matches!(order, FenceOrder::Acquire | FenceOrder::AcqRel | FenceOrder::SeqCst) {
                    self.learn(thread, self.threads[thread].acquire_fence);
                }
                if matches!(order, FenceOrder::Release | FenceOrder::AcqRel | FenceOrder::SeqCst) {
                    self.save_thread(thread);
                    self.threads[thread].release_fence = self.now(thread);
                }
            }
            Operation::Sync { op, object, argument } => self.sync(thread, event, op, object, argument),
            _ => {}
        }
    }

    /// What has been released at a location.
    fn released_at(&mut self, address: u64, size: u32) -> Clock {
        let mut clock = NOTHING;
        for (granule, mask) in granules(address, u64::from(size)) {
            let Some(number) = self.granules.numbers.get(&granule) else { continue };
            for released in &self.granules.list[*number as usize].released {
                if released.bytes & mask != 0 {
                    clock = self.clocks.join(clock, released.clock);
                }
            }
        }
        clock
    }

    /// Sets what has been released at a location when a thread writes to it, and releases what a clock says: bytes lose what they
    /// had, unless the write continues the release sequence.
    fn set_released(&mut self, thread: usize, address: u64, size: u32, clock: Clock, write: Write) {
        let thread = thread as u16;
        for (granule, mask) in granules(address, u64::from(size)) {
            let granule = self.granules.number(granule);
            let released = &mut self.granules.at(granule).released;
            if released.is_empty() && clock == NOTHING {
                continue;
            }
            self.undo.push(match released[..] {
                [] => Undo::ReleasedOne(granule, None),
                [one] => Undo::ReleasedOne(granule, Some(one)),
                _ => Undo::Released(granule, released.clone()),
            });
            let new = Released { bytes: mask, thread, clock };
            if self.sequences == ReleaseSequences::C11 {
                continue_sequences(&mut self.clocks, released, new, write);
                continue;
            }
            // What an update continues is in its clock.
            released.retain_mut(|old| {
                old.bytes &= !mask;
                old.bytes != 0
            });
            if clock != NOTHING {
                released.push(new);
            }
        }
    }

    fn load(&mut self, thread: usize, address: u64, size: u32, order: LoadOrder) {
        let released = match order {
            LoadOrder::Plain => return,
            _ => self.released_at(address, size),
        };
        match order {
            LoadOrder::Plain => {}
            LoadOrder::Relaxed => self.learn_at_fence(thread, released),
            LoadOrder::Acquire | LoadOrder::SeqCst => self.learn(thread, released),
        }
    }

    /// What a store releases. It ends the release sequences of others at its location and begins its own.
    fn released_by(&mut self, thread: usize, order: StoreOrder) -> Clock {
        match order {
            StoreOrder::Release | StoreOrder::SeqCst => self.now(thread),
            StoreOrder::Relaxed => self.threads[thread].release_fence,
            StoreOrder::Plain => NOTHING,
        }
    }

    /// What had been released at the location of an update before it and the last ones that it commutes with, among which it is now.
    fn released_before_updates(&mut self, update: CommutingUpdate) -> Clock {
        self.has_updates = true;
        let CommutingUpdate { granule, mask, op } = update;
        let number = self.granules.number(granule);
        // Those of other bytes, or of another kind, have been ended.
        if let Some(known) = self.granules.at(number).updates.iter().find(|known| known.bytes == mask) {
            return known.before;
        }
        let before = self.released_at(granule + u64::from(mask.trailing_zeros()), mask.count_ones());
        let updates = &mut self.granules.at(number).updates;
        let old = updates.clone();
        updates.push(Updates { bytes: mask, op, before });
        self.undo.push(Undo::Updates(number, old));
        before
    }

    /// Notes that something is done to memory: updates that it does not commute with are not among the last ones any more.
    fn end_updates(&mut self, event: &Event) {
        match event.operation {
            Operation::Load { ty, .. } if u32::from(event.forwarded) == (1 << ty.bytes()) - 1 => {}
            Operation::Load { address, ty, .. }
            | Operation::Rmw { address, ty, .. }
            | Operation::CompareExchange { address, ty, .. } => {
                let update = event.operation.commuting_update().filter(|_| event.written.is_some());
                self.end_updates_at(address, u64::from(ty.bytes()), update);
            }
            Operation::Store { address, ty, .. } if event.buffered == 0 => {
                self.end_updates_at(address, u64::from(ty.bytes()), None);
            }
            Operation::Flush { address, size, .. } => self.end_updates_at(address, u64::from(size), None),
            Operation::Copy { to, from, size } => {
                self.end_updates_at(from, size, None);
                if event.buffered == 0 {
                    self.end_updates_at(to, size, None);
                }
            }
            Operation::Set { to, size, .. } if event.buffered == 0 => self.end_updates_at(to, size, None),
            Operation::Release { address, size } | Operation::EndScope { address, size } => {
                self.end_updates_at(address, size, None);
            }
            _ => {}
        }
    }

    /// Forgets updates of some bytes, but not those that an update commutes with.
    fn end_updates_at(&mut self, address: u64, size: u64, update: Option<CommutingUpdate>) {
        for (granule, mask) in granules(address, size) {
            let Some(number) = self.granules.numbers.get(&granule).copied() else { continue };
            let updates = &mut self.granules.at(number).updates;
            let ends = |known: &Updates| {
                let commutes = update.is_some_and(|new| (known.bytes, known.op) == (new.mask, new.op));
                known.bytes & mask != 0 && !commutes
            };
            if updates.iter().any(ends) {
                let old = updates.clone();
                updates.retain(|known| !ends(known));
                self.undo.push(Undo::Updates(number, old));
            }
        }
    }

    /// An update of a location, which acquires what has been released there, or only what had been released before.
    fn rmw(&mut self, thread: usize, address: u64, size: u32, order: RmwOrder, before: Option<Clock>) {
        let released = self.released_at(address, size);
        let acquired = before.unwrap_or(released);
        let acquires = matches!(order, RmwOrder::Acquire | RmwOrder::AcqRel | RmwOrder::SeqCst);
        match acquires {
            true => self.learn(thread, acquired),
            false => self.learn_at_fence(thread, acquired),
        }
        // A read-modify-write continues the release sequences it reads from.
        let releases = matches!(order, RmwOrder::Release | RmwOrder::AcqRel | RmwOrder::SeqCst);
        let own = if releases { self.now(thread) } else { self.threads[thread].release_fence };
        let released = match self.sequences {
            ReleaseSequences::C11 => own,
            ReleaseSequences::C20 => self.clocks.join(released, own),
        };
        self.set_released(thread, address, size, released, Write::Update);
    }

    /// What an operation on a synchronisation object releases and acquires. One that went wrong has no result, and does neither.
    fn sync(&mut self, thread: usize, event: &Event, op: SyncOp, object: u64, argument: u64) {
        let Some(result) = event.read else { return };
        self.synchronise_with(thread, op, object, result as u64, event.before as u64);
        if op.action() == Action::ReleaseAndWait && result == 0 {
            // The mutex is given back, too; its state is in the upper half.
            self.synchronise_with(thread, SyncOp::MutexUnlock, argument, 0, (event.before >> 64) as u64);
        }
    }

    fn synchronise_with(&mut self, thread: usize, op: SyncOp, object: u64, result: u64, before: u64) {
        let Edges { acquires, releases, forgets } = sync::edges(op, result, before);
        if forgets {
            self.forget(object);
        }
        for clock in releases {
            self.release(thread, key::of(*clock, object));
        }
        for clock in acquires {
            self.acquire(thread, key::of(*clock, object));
        }
    }

    /// Forgets what was released by the object at an address.
    fn forget(&mut self, object: u64) {
        for key in [sync::Clock::Object, sync::Clock::Readers].map(|clock| key::of(clock, object)) {
            if let Some(clock) = self.objects.get_mut(&key) {
                self.undo.push(Undo::Object(key, std::mem::replace(clock, NOTHING)));
            }
        }
    }
}

/// Release sequences in the manner of C11, when something is written: an update continues all of them, a store those that its own
/// thread has begun; and if it releases something, it begins one.
fn continue_sequences(clocks: &mut Clocks, released: &mut Vec<Released>, new: Released, write: Write) {
    let is_own = |old: &Released| old.thread == new.thread;
    // What a thread has released later contains what it has released earlier.
    let contains = |clocks: &mut Clocks, one: Clock, other: Clock| clocks.join(one, other) == one;
    released.retain_mut(|old| {
        let ends = match is_own(old) {
            true => contains(clocks, new.clock, old.clock),
            false => write == Write::Store,
        };
        if ends {
            old.bytes &= !new.bytes;
        }
        old.bytes != 0
    });
    let is_known = released.iter().any(|old| is_own(old) && old.bytes & new.bytes == new.bytes);
    if new.clock != NOTHING && !is_known {
        released.push(new);
    }
}

/// The granules of a range, and which of their bytes it covers.
fn granules(start: u64, size: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = start.saturating_add(size);
    let bits = |n: u64| if n >= 8 { 0xff_u16 } else { (1 << n) - 1 };
    (start & !7..end).step_by(8).map(move |granule| {
        let from = start.saturating_sub(granule).min(8);
        let to = (end - granule).min(8);
        (granule, (bits(to) & !bits(from)) as u8)
    })
}
