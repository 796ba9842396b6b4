//! Store buffers: stores that a thread has performed and others cannot see yet.
//!
//! | model | a store reaches memory after |
//! | --- | --- |
//! | TSO | all earlier ones of its thread |
//! | PSO | earlier ones of its thread to the same bytes, and all of earlier *epochs*: a release store or release fence begins a new one |
//!
//! A store is an agent of its own from the moment it is buffered until it arrives. All changes are logged, so that
//! they can be undone.

use rustc_hash::FxHashMap;
use selvedge_program::Site;
use selvedge_trace::{Agent, ThreadId};

/// Up to this many stores are compared with each other one by one.
const FEW: usize = 8;

/// In which order a thread's stores reach memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discipline {
    /// In the order of the program: total store order.
    Tso,
    /// In order for each location: partial store order.
    Pso,
}

/// A store on its way to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffered {
    /// First address.
    pub address: u64,
    /// Number of bytes, at most 16.
    pub size: u32,
    /// What is stored.
    pub value: u128,
    /// The bits of it that are defined.
    pub defined: u128,
    /// Which of the thread's buffered stores it is, from 1.
    pub number: u32,
    /// Stores of earlier epochs arrive first.
    pub epoch: u32,
    /// Where, in the user's program.
    pub site: Site,
    /// Which of the thread's operations it is.
    pub index: u32,
    /// Whether the object, one of the thread's own locals, has ended: nobody will see the store.
    pub dead: bool,
}

impl Buffered {
    /// The granules of eight bytes that it stores to, and which of their bytes.
    fn granules(&self) -> impl Iterator<Item = (u64, u8)> {
        let (start, end) = (self.address, self.address + u64::from(self.size));
        (start & !7..end).step_by(8).map(move |granule| {
            let (from, to) = (start.max(granule) - granule, end.min(granule + 8) - granule);
            (granule, ((1_u16 << to) - (1 << from)) as u8)
        })
    }

    fn overlaps_with(&self, other: &Buffered) -> bool {
        self.overlaps(other.address, u64::from(other.size))
    }

    fn overlaps(&self, address: u64, size: u64) -> bool {
        self.address < address + size && address < self.address + u64::from(self.size)
    }
}

#[derive(Debug, Clone, Default)]
struct Buffer {
    /// In the order of the program.
    stores: Vec<Buffered>,
    issued: u32,
    epoch: u32,
    /// Stores to private memory before this position of the log arrive before all later stores.
    settled: usize,
}

#[derive(Debug, Clone, Copy)]
enum Undo {
    Settled(ThreadId, usize),
    Issued(ThreadId),
    Epoch(ThreadId),
    Arrived(ThreadId, u32, Buffered),
    Died(ThreadId, u32),
}

/// What a load gets from the buffer of its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The value: the bytes of memory, under those from the buffer.
    pub value: u128,
    /// The bits of it that are defined.
    pub defined: u128,
    /// Which bytes are from the buffer.
    pub forwarded: u16,
}

/// The buffers of all threads.
#[derive(Debug)]
pub struct Buffers {
    discipline: Discipline,
    /// By thread number.
    buffers: Vec<Buffer>,
    undo: Vec<Undo>,
}

impl Buffers {
    /// Empty buffers, to be used again.
    pub fn new(discipline: Discipline) -> Self {
        Self { discipline, buffers: Vec::new(), undo: Vec::new() }
    }

    /// In which order stores reach memory.
    pub fn discipline(&self) -> Discipline {
        self.discipline
    }

    fn get(&self, thread: ThreadId) -> Option<&Buffer> {
        self.buffers.get(thread.number())
    }

    fn of(&mut self, thread: ThreadId) -> &mut Buffer {
        let number = thread.number();
        if self.buffers.len() <= number {
            self.buffers.resize(number + 1, Buffer::default());
        }
        &mut self.buffers[number]
    }

    /// Whether all stores of a thread have arrived.
    pub fn is_empty(&self, thread: ThreadId) -> bool {
        self.get(thread).is_none_or(|buffer| buffer.stores.is_empty())
    }

    /// Whether all stores of all threads but one have arrived.
    pub fn are_others_empty(&self, thread: ThreadId) -> bool {
        let others = self.buffers.iter().enumerate().filter(|(number, _)| *number != thread.number());
        others.map(|(_, buffer)| buffer).all(|buffer| buffer.stores.is_empty())
    }

    /// How many stores a thread has buffered so far.
    pub fn issued(&self, thread: ThreadId) -> u32 {
        self.get(thread).map_or(0, |buffer| buffer.issued)
    }

    /// Whether a thread can buffer this many stores more.
    pub fn has_room(&self, thread: ThreadId, count: u32) -> bool {
        self.issued(thread).saturating_add(count) <= Agent::MOST_STORES
    }

    /// Makes later stores of a thread arrive after earlier ones. Under TSO they do anyway. (Epochs are
    /// counted even if the buffer is empty: they must not depend on how threads were interleaved.)
    pub fn begin_epoch(&mut self, thread: ThreadId) {
        if self.discipline == Discipline::Pso {
            self.of(thread).epoch += 1;
            self.undo.push(Undo::Epoch(thread));
        }
    }

    /// From which position of the log on a thread's stores to private memory may be overtaken.
    pub fn settled(&self, thread: ThreadId) -> usize {
        self.get(thread).map_or(0, |buffer| buffer.settled)
    }

    /// Makes a thread's stores to private memory before a position of the log arrive before all later stores.
    pub fn settle(&mut self, thread: ThreadId, position: usize) {
        if self.discipline == Discipline::Pso && self.settled(thread) != position {
            let old = std::mem::replace(&mut self.of(thread).settled, position);
            self.undo.push(Undo::Settled(thread, old));
        }
    }

    /// Buffers a store; its number and epoch are filled in. Returns the number.
    pub fn issue(&mut self, thread: ThreadId, store: Buffered) -> u32 {
        let buffer = self.of(thread);
        buffer.issued += 1;
        let (number, epoch) = (buffer.issued, buffer.epoch);
        buffer.stores.push(Buffered { number, epoch, ..store });
        self.undo.push(Undo::Issued(thread));
        number
    }

    /// The stores of a thread that have not arrived, in the order of the program.
    pub fn waiting(&self, thread: ThreadId) -> &[Buffered] {
        self.get(thread).map_or(&[], |buffer| &buffer.stores)
    }

    /// The stores of a thread that can arrive next, in the order of the program.
    pub fn ready(&self, thread: ThreadId) -> impl Iterator<Item = &Buffered> {
        let stores = self.get(thread).map_or(&[][..], |buffer| &buffer.stores);
        let candidates = match self.discipline {
            Discipline::Tso => &stores[..stores.len().min(1)],
            // Those of the oldest epoch.
            Discipline::Pso => &stores[..stores.partition_point(|store| store.epoch == stores[0].epoch)],
        };
        // Bytes that earlier ones store to, if there are many: comparing each with each takes long.
        let mut taken: Option<FxHashMap<u64, u8>> = (candidates.len() > FEW).then(FxHashMap::default);
        candidates
            .iter()
            .enumerate()
            .filter(move |(at, store)| {
                let Some(taken) = &mut taken else {
                    return !candidates[..*at].iter().any(|earlier| earlier.overlaps_with(store));
                };
                let mut free = true;
                for (granule, mask) in store.granules() {
                    let bytes = taken.entry(granule).or_default();
                    free &= *bytes & mask == 0;
                    *bytes |= mask;
                }
                free
            })
            .map(|(_, store)| store)
    }

    /// Whether a store can arrive next.
    pub fn is_ready(&self, thread: ThreadId, number: u32) -> bool {
        let stores = self.get(thread).map_or(&[][..], |buffer| &buffer.stores);
        let at = stores.iter().position(|store| store.number == number);
        at.is_some_and(|at| self.is_ready_at(stores, at))
    }

    fn is_ready_at(&self, stores: &[Buffered], at: usize) -> bool {
        let this = &stores[at];
        match self.discipline {
            Discipline::Tso => at == 0,
            Discipline::Pso => {
                !stores[..at].iter().any(|earlier| earlier.epoch < this.epoch || earlier.overlaps_with(this))
            }
        }
    }

    /// Which stores arrive in their order: those of the same lane. (They may have to wait for others, too.)
    pub fn lane(&self, store: &Buffered) -> u64 {
        match self.discipline {
            Discipline::Tso => 0,
            Discipline::Pso => store.address,
        }
    }

    /// Takes a store out of its buffer.
    pub fn take(&mut self, thread: ThreadId, number: u32) -> Option<Buffered> {
        let stores = &mut self.of(thread).stores;
        let at = stores.iter().position(|store| store.number == number)?;
        let store = stores.remove(at);
        self.undo.push(Undo::Arrived(thread, at as u32, store));
        Some(store)
    }

    /// Marks those stores of a thread as dead whose object has ended: those for which `ended` is true.
    pub fn bury(&mut self, thread: ThreadId, ended: impl Fn(&Buffered) -> bool) {
        let Some(buffer) = self.buffers.get_mut(thread.number()) else { return };
        for (at, store) in buffer.stores.iter_mut().enumerate() {
            if !store.dead && ended(store) {
                store.dead = true;
                self.undo.push(Undo::Died(thread, at as u32));
            }
        }
    }

    /// What a thread sees at some bytes, at most 16, given what is in memory. Notes where the bytes come from: the
    /// number of a store, and which bytes.
    pub fn view(
        &self,
        thread: ThreadId,
        address: u64,
        size: u32,
        memory: (u128, u128),
        sources: &mut Vec<(u32, u16)>,
    ) -> View {
        let mut view = View { value: memory.0, defined: memory.1, forwarded: 0 };
        let stores = self.get(thread).map_or(&[][..], |buffer| &buffer.stores);
        // If another object has these bytes now, what was stored to it comes later in the buffer.
        let seen = |store: &&Buffered| !store.dead && store.overlaps(address, u64::from(size));
        for store in stores.iter().rev().filter(seen) {
            let mut bytes = 0_u16;
            for byte in 0..u64::from(size) {
                let at = (address + byte).wrapping_sub(store.address);
                if at >= u64::from(store.size) || view.forwarded & (1 << byte) != 0 {
                    continue;
                }
                bytes |= 1 << byte;
                let mask = 0xff_u128 << (8 * byte);
                let moved = |value: u128| ((value >> (8 * at)) & 0xff) << (8 * byte);
                view.value = view.value & !mask | moved(store.value);
                view.defined = view.defined & !mask | moved(store.defined);
            }
            if bytes != 0 {
                view.forwarded |= bytes;
                sources.push((store.number, bytes));
            }
        }
        view
    }

    /// A state to return to.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Returns to a state.
    pub fn rewind(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Issued(thread)) => {
                    let buffer = self.of(thread);
                    buffer.issued -= 1;
                    buffer.stores.pop();
                }
                Some(Undo::Epoch(thread)) => self.of(thread).epoch -= 1,
                Some(Undo::Settled(thread, old)) => self.of(thread).settled = old,
                Some(Undo::Arrived(thread, at, store)) => {
                    self.of(thread).stores.insert(at as usize, store);
                }
                Some(Undo::Died(thread, at)) => self.of(thread).stores[at as usize].dead = false,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests;
