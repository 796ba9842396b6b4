//! Data races: two accesses of different threads to the same bytes, one of them a write, not both atomic,
//! and not ordered by happens-before.
//!
//! Happens-before is that of C11, computed with vector clocks: thread creation and join, locks, condition
//! variables, semaphores, barriers, once-only actions, release/acquire operations with release sequences,
//! and fences. Each thread, each synchronisation object and each atomic location (byte by byte) has a clock;
//! each granule of memory remembers the last accesses of each thread. (The exploration itself is sequentially consistent:
//! a race-free program behaves no differently, and in a racy one the race is the error.)
//!
//! What a thread does to an object before others can reach it is invisible. When the object is published,
//! all of it counts as written by its owner at that moment; so handing over an object without
//! synchronisation is found, although its initialisation was never an event.
//!
//! With store buffers, a store counts where its thread performs it; what it releases is there for others when it reaches
//! memory.
//!
//! Everything is undone by a log: a checker is rewound together with the system.

use rustc_hash::FxHashMap;
use selvedge_program::{FenceOrder, LoadOrder, RmwOrder, StoreOrder};
use selvedge_trace::{Event, Operation, SyncOp, ThreadId};

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

type Clock = Vec<u32>;

fn join(into: &mut Clock, other: &[u32]) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (mine, theirs) in into.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

/// Whether a clock contains something that another does not.
fn adds_to(clock: &[u32], other: &[u32]) -> bool {
    clock.iter().enumerate().any(|(thread, time)| *time > other.get(thread).copied().unwrap_or(0))
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

#[derive(Debug, Clone, Default)]
struct ThreadClocks {
    /// What happened before its next event.
    now: Clock,
    /// What happened before its last release fence.
    release_fence: Clock,
    /// What relaxed loads have seen, waiting for an acquire fence.
    acquire_fence: Clock,
}

/// What atomic stores to some bytes of a granule have released.
type Released = Vec<(u8, Clock)>;

enum Undo {
    /// An event of a thread.
    Tick(usize),
    Thread(usize, Box<ThreadClocks>),
    /// An access was added to those of a granule, at the end.
    Added(u64),
    /// An access of a granule was replaced.
    Replaced(u64, u32, Access),
    Released(u64, Option<Released>),
    Clock(u64, Option<Clock>),
    Granule(u64, Vec<Access>),
}

/// The detector.
#[derive(Default)]
pub struct RaceDetector {
    /// Threads by order of first appearance.
    dense: FxHashMap<ThreadId, usize>,
    threads: Vec<ThreadClocks>,
    /// Clocks of synchronisation objects, by key.
    clocks: FxHashMap<u64, Clock>,
    /// Clocks of atomic locations, by granule.
    released: FxHashMap<u64, Released>,
    /// What stores that are still buffered will release, by thread and number. An entry is written when the store is
    /// buffered and read when it arrives, so it need not be undone.
    buffered: FxHashMap<(ThreadId, u32), Clock>,
    granules: FxHashMap<u64, Vec<Access>>,
    published: Vec<Published>,
    undo: Vec<Undo>,
}

/// A state of the detector.
#[derive(Debug, Clone, Copy)]
pub struct RaceMark {
    undo: u32,
    published: u32,
}

/// Keys of clocks: what they belong to is in the high bits.
mod key {
    pub const ATOMIC_SECTIONS: u64 = 5 << 60;
    pub fn object(address: u64) -> u64 {
        address | 2 << 60
    }
    pub fn readers(address: u64) -> u64 {
        address | 3 << 60
    }
    pub fn writer(address: u64) -> u64 {
        address | 4 << 60
    }
}

impl RaceDetector {
    /// A state to return to.
    pub fn mark(&self) -> RaceMark {
        RaceMark { undo: self.undo.len() as u32, published: self.published.len() as u32 }
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: &RaceMark) {
        while self.undo.len() > mark.undo as usize {
            match self.undo.pop() {
                Some(Undo::Tick(index)) => self.threads[index].now[index] -= 1,
                Some(Undo::Added(key)) => {
                    if let Some(accesses) = self.granules.get_mut(&key) {
                        accesses.pop();
                    }
                }
                Some(Undo::Replaced(key, at, access)) => {
                    if let Some(accesses) = self.granules.get_mut(&key) {
                        accesses[at as usize] = access;
                    }
                }
                Some(Undo::Thread(index, clocks)) => self.threads[index] = *clocks,
                Some(Undo::Clock(key, Some(clock))) => drop(self.clocks.insert(key, clock)),
                Some(Undo::Clock(key, None)) => drop(self.clocks.remove(&key)),
                Some(Undo::Released(key, Some(clocks))) => drop(self.released.insert(key, clocks)),
                Some(Undo::Released(key, None)) => drop(self.released.remove(&key)),
                Some(Undo::Granule(key, accesses)) => drop(self.granules.insert(key, accesses)),
                None => break,
            }
        }
        self.published.truncate(mark.published as usize);
    }

    fn thread(&mut self, id: ThreadId) -> usize {
        let next = self.threads.len();
        let index = *self.dense.entry(id).or_insert(next);
        if index == next {
            let mut clocks = ThreadClocks::default();
            clocks.now.resize(index + 1, 0);
            clocks.now[index] = 1;
            self.threads.push(clocks);
        }
        index
    }

    fn save_thread(&mut self, index: usize) {
        self.undo.push(Undo::Thread(index, Box::new(self.threads[index].clone())));
    }

    fn update_clock(&mut self, key: u64, update: impl FnOnce(&mut Clock)) {
        self.undo.push(Undo::Clock(key, self.clocks.get(&key).cloned()));
        update(self.clocks.entry(key).or_default());
    }

    fn acquire(&mut self, thread: usize, key: u64) {
        if self.clocks.get(&key).is_some_and(|clock| adds_to(clock, &self.threads[thread].now)) {
            self.save_thread(thread);
            let Some(clock) = self.clocks.get(&key) else { return };
            join(&mut self.threads[thread].now, clock);
        }
    }

    /// Lets a thread see what a clock says.
    fn learn(&mut self, thread: usize, clock: &[u32]) {
        if adds_to(clock, &self.threads[thread].now) {
            self.save_thread(thread);
            join(&mut self.threads[thread].now, clock);
        }
    }

    /// Lets a thread see what a clock says at its next acquire fence.
    fn learn_at_fence(&mut self, thread: usize, clock: &[u32]) {
        if adds_to(clock, &self.threads[thread].acquire_fence) {
            self.save_thread(thread);
            join(&mut self.threads[thread].acquire_fence, clock);
        }
    }

    fn release(&mut self, thread: usize, key: u64) {
        let now = self.threads[thread].now.clone();
        self.update_clock(key, |clock| join(clock, &now));
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
        let time = self.threads[thread].now[thread];
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
        self.threads[thread].now[thread] += 1;
        self.undo.push(Undo::Tick(thread));
        race
    }

    /// What happened before a signal, or the last arrival at a barrier, happened before what the threads do
    /// that it lets go. A signal that nobody receives orders nothing.
    fn wake(&mut self, thread: usize, woken: &[ThreadId]) {
        if woken.is_empty() {
            return;
        }
        let now = self.threads[thread].now.clone();
        for other in woken {
            let other = self.thread(*other);
            self.learn(other, &now);
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
        let now = &self.threads[thread].now;
        let before = |other: u16, time: u32| now.get(usize::from(other)).is_some_and(|seen| *seen >= time);
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
            let accesses = self.granules.get(&granule);
            for access in accesses.into_iter().flatten() {
                let conflict = usize::from(access.thread) != thread
                    && access.mask & mask != 0
                    && (access.write || write)
                    && !(access.atomic && atomic)
                    && !before(access.thread, access.time);
                if conflict {
                    let first = access.event as usize;
                    found = Some(Race { first, by_publication: false, second: at, address, size });
                }
            }
            let new = Access {
                thread: thread as u16,
                mask,
                write,
                atomic,
                time: now.get(thread).copied().unwrap_or(0),
                event: at as u32,
            };
            let accesses = self.granules.entry(granule).or_default();
            // A later access of the same kind by the same thread races with whatever the earlier one
            // would race with from now on.
            let is_replaced = |old: &Access| {
                old.thread == new.thread
                    && old.write == write
                    && old.atomic == atomic
                    && old.mask & !mask == 0
            };
            let mut replaced = accesses.iter().enumerate().filter(|(_, old)| is_replaced(old));
            match (replaced.next().map(|(at, _)| at), replaced.next()) {
                (None, _) => {
                    accesses.push(new);
                    self.undo.push(Undo::Added(granule));
                }
                (Some(at), None) => {
                    let old = std::mem::replace(&mut accesses[at], new);
                    self.undo.push(Undo::Replaced(granule, at as u32, old));
                }
                (Some(_), Some(_)) => {
                    self.undo.push(Undo::Granule(granule, accesses.clone()));
                    accesses.retain(|old| !is_replaced(old));
                    accesses.push(new);
                }
            }
        }
        found
    }

    fn synchronise(&mut self, thread: usize, event: &Event) {
        match event.operation {
            Operation::Spawn { .. } => {
                if let Some(child) = event.read.and_then(child_of) {
                    let child = self.thread(child);
                    let now = self.threads[thread].now.clone();
                    self.learn(child, &now);
                }
            }
            Operation::Join { thread: Some(child) } => {
                let child = self.thread(child);
                let clock = self.threads[child].now.clone();
                self.learn(thread, &clock);
            }
            Operation::WaitForOthers { .. } => {
                for other in 0..self.threads.len() {
                    let clock = self.threads[other].now.clone();
                    self.learn(thread, &clock);
                }
            }
            // What a thread has stored itself tells it nothing new.
            Operation::Load { ty, .. } if u32::from(event.forwarded) == (1 << ty.bytes()) - 1 => {}
            Operation::Load { address, ty, order } => self.load(thread, address, ty.bytes(), order),
            Operation::Store { address, ty, order, .. } => {
                let clock = self.to_release(thread, order);
                match event.buffered {
                    0 => self.set_released(address, ty.bytes(), &clock),
                    number => drop(self.buffered.insert((event.thread, number), clock)),
                }
            }
            Operation::Flush { address, size, store, .. } => {
                // Parts of copies release nothing.
                let clock = self.buffered.get(&(event.thread, store)).cloned().unwrap_or_default();
                self.set_released(address, size, &clock);
            }
            Operation::Rmw { address, ty, order, .. } => self.rmw(thread, address, ty.bytes(), order),
            Operation::CompareExchange { address, ty, success, failure, .. } => match event.written {
                Some(_) => self.rmw(thread, address, ty.bytes(), success),
                None => self.load(thread, address, ty.bytes(), failure),
            },
            Operation::Fence { order } => {
                if matches!(order, FenceOrder::Acquire | FenceOrder::AcqRel | FenceOrder::SeqCst) {
                    let seen = self.threads[thread].acquire_fence.clone();
                    self.learn(thread, &seen);
                }
                if matches!(order, FenceOrder::Release | FenceOrder::AcqRel | FenceOrder::SeqCst) {
                    self.save_thread(thread);
                    self.threads[thread].release_fence = self.threads[thread].now.clone();
                }
            }
            Operation::Sync { op, object, argument } => self.sync(thread, event, op, object, argument),
            _ => {}
        }
    }

    /// What has been released at a location.
    fn released_at(&self, address: u64, size: u32) -> Clock {
        let mut clock = Clock::new();
        for (granule, mask) in granules(address, u64::from(size)) {
            for (bytes, released) in self.released.get(&granule).into_iter().flatten() {
                if bytes & mask != 0 {
                    join(&mut clock, released);
                }
            }
        }
        clock
    }

    /// Sets what has been released at a location: bytes that are stored to lose what they had.
    fn set_released(&mut self, address: u64, size: u32, clock: &Clock) {
        for (granule, mask) in granules(address, u64::from(size)) {
            let old = self.released.get(&granule).cloned();
            if old.is_none() && clock.is_empty() {
                continue;
            }
            self.undo.push(Undo::Released(granule, old));
            let entries = self.released.entry(granule).or_default();
            for entry in entries.iter_mut() {
                entry.0 &= !mask;
            }
            entries.retain(|(bytes, _)| *bytes != 0);
            if !clock.is_empty() {
                entries.push((mask, clock.clone()));
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
            LoadOrder::Relaxed => self.learn_at_fence(thread, &released),
            LoadOrder::Acquire | LoadOrder::SeqCst => self.learn(thread, &released),
        }
    }

    /// What a store releases. It ends the release sequences of others at its location and heads its own.
    fn to_release(&self, thread: usize, order: StoreOrder) -> Clock {
        match order {
            StoreOrder::Release | StoreOrder::SeqCst => self.threads[thread].now.clone(),
            StoreOrder::Relaxed => self.threads[thread].release_fence.clone(),
            StoreOrder::Plain => Clock::new(),
        }
    }

    fn rmw(&mut self, thread: usize, address: u64, size: u32, order: RmwOrder) {
        let mut released = self.released_at(address, size);
        let acquires = matches!(order, RmwOrder::Acquire | RmwOrder::AcqRel | RmwOrder::SeqCst);
        match acquires {
            true => self.learn(thread, &released),
            false => self.learn_at_fence(thread, &released),
        }
        let clocks = &self.threads[thread];
        // A read-modify-write continues the release sequence it reads from.
        let releases = matches!(order, RmwOrder::Release | RmwOrder::AcqRel | RmwOrder::SeqCst);
        join(&mut released, if releases { &clocks.now } else { &clocks.release_fence });
        self.set_released(address, size, &released);
    }

    fn sync(&mut self, thread: usize, event: &Event, op: SyncOp, object: u64, argument: u64) {
        use SyncOp::*;
        let succeeded = event.read == Some(0);
        match op {
            MutexLock | MutexTryLock | MutexTimedLock | SpinLock | SpinTryLock if succeeded => {
                self.acquire(thread, key::object(object));
            }
            MutexUnlock | SpinUnlock => self.release(thread, key::object(object)),
            ConditionRelease => self.release(thread, key::object(argument)),
            SemaphorePost => self.release(thread, key::object(object)),
            SemaphoreWait | SemaphoreTryWait if succeeded => self.acquire(thread, key::object(object)),
            BarrierArrive => {
                self.release(thread, key::object(object));
                self.acquire(thread, key::object(object));
            }
            OnceBegin => self.acquire(thread, key::object(object)),
            OnceEnd => self.release(thread, key::object(object)),
            RwReadLock | RwTryReadLock if succeeded => self.acquire(thread, key::object(object)),
            RwWriteLock | RwTryWriteLock if succeeded => {
                self.acquire(thread, key::object(object));
                self.acquire(thread, key::readers(object));
                // Who writes: the unlock has to know.
                let mark = vec![thread as u32 + 1];
                self.update_clock(key::writer(object), |clock| *clock = mark);
            }
            RwUnlock => {
                let writes = self.clocks.get(&key::writer(object)).is_some_and(|w| *w == [thread as u32 + 1]);
                match writes {
                    true => {
                        self.update_clock(key::writer(object), Clock::clear);
                        self.release(thread, key::object(object));
                    }
                    false => self.release(thread, key::readers(object)),
                }
            }
            _ => {}
        }
    }
}

/// The thread that a spawn's result names.
fn child_of(handle: u128) -> Option<ThreadId> {
    ThreadId::from_number(usize::try_from(handle).ok()?.checked_sub(1)?)
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
