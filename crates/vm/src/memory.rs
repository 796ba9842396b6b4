//! The memory of the program under test: bytes, a shadow that says what may be accessed, and a journal
//! that can undo.
//!
//! # Representation
//!
//! The simulated address space is backed by reserved host memory that the kernel fills with zero pages on
//! first touch, so an address is translated by adding a base. Beside the bytes there is one *shadow* byte
//! for every eight (a granule), as in AddressSanitizer, which answers in one load: may this be accessed,
//! and can another thread see it?
//!
//! | shadow byte | meaning |
//! | --- | --- |
//! | low four bits 1..=8 | the first that many bytes of the granule may be accessed |
//! | … with [`SHARED`] | another thread may reach the object: an access is a visible operation |
//! | … with [`READ_ONLY`] | constants: reads are invisible, writes are errors |
//! | low four bits 0 | nothing may be accessed; the high bits say why ([`Poison`]) |
//!
//! # Undo
//!
//! Memory is journalled in *lines* of 64 bytes. Each line has a stamp: the epoch in which it was last
//! saved. Setting a mark opens a new epoch; the first write to a line in an epoch saves the line and its
//! shadow, later ones do not. Rewinding restores the saved lines. So marking is free, writing costs one
//! comparison more, and undoing costs what was written, however long the program has run. Epochs are
//! numbered by the *depth* of marks, so they do not grow with the number of executions.
//!
//! # Use again
//!
//! To reserve memory, and to let the kernel find pages for it, takes longer than to explore a small program. So a memory that
//! is not needed any more is made blank and kept ([`Memories`]), with its pages, for the next machine. What has been written is
//! known: the lines in the journal, and those that were written before the first mark.

use crate::address::{LIMIT, Range};
use std::io;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

/// Shadow flag: another thread may reach the object.
pub const SHARED: u8 = 0x10;
/// Shadow flag: never written.
pub const READ_ONLY: u8 = 0x20;
/// Low bits of a shadow byte: accessible bytes of the granule.
pub const COUNT: u8 = 0x0f;
/// A fully accessible private granule.
pub const PRIVATE: u8 = 8;

const LINE: u64 = 64;
const GRANULE: u64 = 8;

/// Why a granule may not be accessed at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Poison {
    /// Nothing was ever there.
    Unallocated = 0x00,
    /// Between objects.
    Gap = 0x10,
    /// First granule of a heap object's header.
    HeapHeader = 0x20,
    /// A heap object that was freed.
    Freed = 0x30,
    /// First granule of a stack frame's or dynamic local object's header.
    FrameHeader = 0x40,
    /// A local object whose scope or function has ended.
    DeadStack = 0x50,
    /// A global that is declared but defined nowhere.
    External = 0x60,
}

impl Poison {
    /// The reason in a shadow byte whose count is zero.
    pub fn of(shadow: u8) -> Poison {
        match shadow & 0xf0 {
            0x10 => Poison::Gap,
            0x20 => Poison::HeapHeader,
            0x30 => Poison::Freed,
            0x40 => Poison::FrameHeader,
            0x50 => Poison::DeadStack,
            0x60 => Poison::External,
            _ => Poison::Unallocated,
        }
    }
}

/// A saved line.
#[derive(Clone)]
struct SavedLine {
    line: u64,
    stamp: u32,
    data: [u8; LINE as usize],
    shadow: [u8; 8],
    defined: [u8; 8],
}

/// A reservation of host memory.
struct Mapping {
    base: *mut u8,
    length: usize,
}

impl Mapping {
    fn new(length: u64) -> io::Result<Self> {
        let length = length as usize;
        // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no memory of
        // ours. MAP_NORESERVE: pages exist once they are touched.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { base: base.cast(), length })
    }

    /// # Safety
    /// The offset must lie within.
    unsafe fn at(&self, offset: u64) -> *mut u8 {
        // SAFETY: by the caller's promise.
        unsafe { self.base.add(offset as usize) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly the range that `new` mapped, which nobody refers to any more.
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}

/// Whether reads of bytes that were never written are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initialisation {
    /// Not tracked: such bytes read as whatever is there (zero in fresh objects).
    #[default]
    Ignored,
    /// Tracked byte by byte.
    Tracked,
}

/// Reserved memory, and what has been written to it.
struct Space {
    data: Mapping,
    shadow: Mapping,
    stamps: Mapping,
    /// One bit per byte: written since allocation. Only with [`Initialisation::Tracked`].
    defined: Option<Mapping>,
    journal: Vec<SavedLine>,
    /// Lines that were written in the [`FIRST`] epoch: the first of some, and how many.
    beginning: Vec<(u64, u64)>,
}

// SAFETY: the mappings are owned exclusively and are ordinary memory.
unsafe impl Send for Space {}

/// The epoch before the first mark. A line with stamp 0 has never been written.
const FIRST: u32 = 1;

/// A memory of which more lines were written at a time is not kept: its pages are worth more than the time to get others.
const MOST_LINES: usize = 1 << 14;

/// So many memories are kept.
const MOST_KEPT: usize = 8;

/// Memories that nobody uses at the moment, for machines to come. They are blank, so it makes no difference who has used them
/// before.
///
/// Each takes more than a terabyte of addresses, of which there are 128. Who keeps many images, with machines or without, lets
/// them share.
#[derive(Clone, Default)]
pub struct Memories(Arc<Mutex<Vec<Space>>>);

impl Memories {
    /// One that is blank.
    fn take(&self, initialisation: Initialisation) -> io::Result<Space> {
        let is_tracked = initialisation == Initialisation::Tracked;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().rposition(|space| space.defined.is_some() == is_tracked) {
            Some(known) => Ok(kept.swap_remove(known)),
            None => {
                drop(kept);
                Space::new(initialisation)
            }
        }
    }

    /// Keeps one, if it is worth it.
    fn put(&self, mut space: Space) {
        if !space.is_worth_keeping() {
            return;
        }
        space.erase();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push(space);
        }
    }

    /// How many are kept.
    pub fn kept(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Space {
    fn new(initialisation: Initialisation) -> io::Result<Self> {
        let defined = match initialisation {
            Initialisation::Ignored => None,
            Initialisation::Tracked => Some(Mapping::new(LIMIT / GRANULE)?),
        };
        Ok(Self {
            data: Mapping::new(LIMIT)?,
            shadow: Mapping::new(LIMIT / GRANULE)?,
            stamps: Mapping::new(LIMIT / LINE * 4)?,
            defined,
            journal: Vec::new(),
            beginning: Vec::new(),
        })
    }

    /// Takes note of a line that is written in the first epoch.
    fn begin(&mut self, line: u64) {
        let known = self.beginning.len();
        match self.beginning.last_mut() {
            Some((first, count)) if *first + *count == line => *count += 1,
            // If there are more, it is not kept.
            _ if known <= MOST_LINES => self.beginning.push((line, 1)),
            _ => {}
        }
    }

    fn is_worth_keeping(&self) -> bool {
        let beginning: u64 = self.beginning.iter().map(|(_, count)| count).sum();
        beginning <= MOST_LINES as u64 && self.journal.capacity() <= MOST_LINES
    }

    /// Makes it blank.
    fn erase(&mut self) {
        // What was written and taken back since is as it was before.
        let later = self.journal.iter().map(|saved| (saved.line, 1));
        for (first, count) in self.beginning.iter().copied().chain(later) {
            let lines = count as usize;
            // SAFETY: the lines were in range when they were written, and granules and stamps are in proportion.
            unsafe {
                self.data.at(first * LINE).write_bytes(0, lines * LINE as usize);
                self.shadow.at(first * (LINE / GRANULE)).write_bytes(0, lines * (LINE / GRANULE) as usize);
                self.stamps.at(first * 4).write_bytes(0, lines * 4);
                if let Some(defined) = &self.defined {
                    defined.at(first * (LINE / GRANULE)).write_bytes(0, lines * (LINE / GRANULE) as usize);
                }
            }
        }
        self.journal.clear();
        self.beginning.clear();
    }
}

/// The memory of one machine.
pub struct Memory {
    space: ManuallyDrop<Space>,
    epoch: u32,
    /// Whether the shadow of something shared has changed.
    shared_changes: bool,
    /// Where it is kept afterwards.
    home: Memories,
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: nobody uses the memory after it is dropped.
        let space = unsafe { ManuallyDrop::take(&mut self.space) };
        // Nobody knows what whoever panics has left behind.
        if !std::thread::panicking() {
            self.home.put(space);
        }
    }
}

/// A position in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryMark {
    journal: u32,
    epoch: u32,
}

impl Memory {
    /// Blank memory: everything is unallocated. It is one of those that are kept, if there is one, and will be kept again.
    pub fn new(initialisation: Initialisation, home: &Memories) -> io::Result<Self> {
        let space = ManuallyDrop::new(home.take(initialisation)?);
        Ok(Self { space, epoch: FIRST, shared_changes: false, home: home.clone() })
    }

    /// Whether initialisation is tracked.
    pub fn tracks_initialisation(&self) -> bool {
        self.space.defined.is_some()
    }

    /// The current epoch: it grows with the number of marks below this point.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Opens a new epoch.
    #[inline(always)]
    pub fn mark(&mut self) -> MemoryMark {
        self.epoch += 1;
        MemoryMark { journal: self.space.journal.len() as u32, epoch: self.epoch }
    }

    /// Restores all bytes and shadows as they were at the mark, which stays set.
    pub fn rewind(&mut self, mark: MemoryMark) {
        let since = mark.journal as usize;
        // Only the oldest copy of a line counts: others had been saved before since the mark.
        for saved in self.space.journal[since..].iter().filter(|saved| saved.stamp < mark.epoch) {
            // SAFETY: the line was in range when it was saved.
            unsafe { self.restore(saved) };
        }
        self.space.journal.truncate(since);
        self.epoch = mark.epoch;
    }

    /// Makes a line what it was when it was saved.
    ///
    /// # Safety
    /// The line must be below `LIMIT / LINE`.
    unsafe fn restore(&self, saved: &SavedLine) {
        let line = saved.line;
        // SAFETY: in range by the caller's promise.
        unsafe {
            self.line_data(line).copy_from_nonoverlapping(saved.data.as_ptr(), LINE as usize);
            self.line_shadow(line).copy_from_nonoverlapping(saved.shadow.as_ptr(), 8);
            if let Some(defined) = &self.space.defined {
                let bits = defined.base.add(line as usize * 8);
                bits.copy_from_nonoverlapping(saved.defined.as_ptr(), 8);
            }
            *self.stamp(line) = saved.stamp;
        }
    }

    /// The number of saved lines.
    pub fn journal_position(&self) -> usize {
        self.space.journal.len()
    }

    /// Whether every line of a range of addresses that was saved since a position of the journal has
    /// its contents of then again, apart from the bytes of `except` and what is shared.
    pub fn is_unchanged_since(&self, journal: usize, range: Range, except: Option<Range>) -> bool {
        let saved = &self.space.journal[journal.min(self.space.journal.len())..];
        saved.iter().enumerate().all(|(at, line)| {
            if !range.contains(line.line * LINE) {
                return true;
            }
            // Only the oldest copy of a line has what it was then.
            if saved[..at].iter().any(|older| older.line == line.line) {
                return true;
            }
            let mut data = [0; LINE as usize];
            let mut shadow = [0; 8];
            // SAFETY: the line was in range when it was saved.
            unsafe {
                self.line_data(line.line).copy_to_nonoverlapping(data.as_mut_ptr(), LINE as usize);
                self.line_shadow(line.line).copy_to_nonoverlapping(shadow.as_mut_ptr(), 8);
            }
            (0..shadow.len()).all(|granule| {
                let (now, then) = (shadow[granule], line.shadow[granule]);
                // What others can reach does not count: they may have changed it, or ended its life; and what the thread itself
                // does to it is seen.
                if then & COUNT != 0 && then & SHARED != 0 {
                    return true;
                }
                // Granules that nobody may access describe objects; whether these exist follows from their own bytes.
                let is_hidden = (now | then) & COUNT == 0;
                let first = granule * GRANULE as usize;
                let same = |at: usize| {
                    data[at] == line.data[at]
                        || except.is_some_and(|range| range.contains(line.line * LINE + at as u64))
                };
                now == then && (is_hidden || (first..first + GRANULE as usize).all(same))
            })
        })
    }

    /// # Safety
    /// `line` must be below `LIMIT / LINE`.
    unsafe fn line_data(&self, line: u64) -> *mut u8 {
        // SAFETY: in range by the caller's promise.
        unsafe { self.space.data.base.add((line * LINE) as usize) }
    }

    /// # Safety
    /// `line` must be below `LIMIT / LINE`.
    unsafe fn line_shadow(&self, line: u64) -> *mut u8 {
        // SAFETY: in range by the caller's promise.
        unsafe { self.space.shadow.base.add((line * (LINE / GRANULE)) as usize) }
    }

    /// # Safety
    /// `line` must be below `LIMIT / LINE`.
    unsafe fn stamp(&self, line: u64) -> *mut u32 {
        // SAFETY: in range by the caller's promise; the mapping is page-aligned.
        unsafe { self.space.stamps.base.cast::<u32>().add(line as usize) }
    }

    /// Saves the line of an address if this epoch has not done so yet.
    ///
    /// # Safety
    /// `address` must be below [`LIMIT`].
    #[inline(always)]
    pub unsafe fn touch(&mut self, address: u64) {
        let line = address / LINE;
        // SAFETY: in range by the caller's promise.
        if unsafe { *self.stamp(line) } != self.epoch {
            self.save(line);
        }
    }

    #[cold]
    #[inline(never)]
    fn save(&mut self, line: u64) {
        if self.epoch == FIRST {
            self.space.begin(line);
            // SAFETY: only called by `touch`, whose caller promises that the line is in range.
            unsafe { *self.stamp(line) = FIRST };
            return;
        }
        // SAFETY: as above.
        unsafe {
            let defined = self.space.defined.as_ref().map(|defined| defined.base.add(line as usize * 8));
            let saved = SavedLine {
                line,
                stamp: *self.stamp(line),
                data: self.line_data(line).cast::<[u8; LINE as usize]>().read(),
                shadow: self.line_shadow(line).cast::<[u8; 8]>().read(),
                defined: defined.map_or([0; 8], |bits| bits.cast::<[u8; 8]>().read()),
            };
            self.space.journal.push(saved);
            *self.stamp(line) = self.epoch;
        }
    }

    /// The shadow byte of an address.
    ///
    /// # Safety
    /// `address` must be below [`LIMIT`].
    #[inline(always)]
    pub unsafe fn shadow_unchecked(&self, address: u64) -> u8 {
        // SAFETY: in range by the caller's promise.
        unsafe { *self.space.shadow.base.add((address / GRANULE) as usize) }
    }

    /// Reads a scalar.
    ///
    /// # Safety
    /// All of the scalar must lie below [`LIMIT`].
    #[inline(always)]
    pub unsafe fn read_private<T: Copy>(&self, address: u64) -> T {
        // SAFETY: in range by the caller's promise.
        unsafe { self.space.data.base.add(address as usize).cast::<T>().read_unaligned() }
    }

    /// Writes a scalar that lies within one granule.
    ///
    /// # Safety
    /// `address` must be below [`LIMIT`], and the scalar must not cross a granule's end.
    #[inline(always)]
    pub unsafe fn write_private<T: Copy>(&mut self, address: u64, value: T) {
        // SAFETY: in range by the caller's promise; a granule lies in one line, which `touch` saves first.
        unsafe {
            self.touch(address);
            self.space.data.base.add(address as usize).cast::<T>().write_unaligned(value);
        }
    }

    /// The shadow byte of an address; unallocated beyond the end.
    pub fn shadow(&self, address: u64) -> u8 {
        match address < LIMIT {
            // SAFETY: just checked.
            true => unsafe { self.shadow_unchecked(address) },
            false => Poison::Unallocated as u8,
        }
    }

    /// The first address of a range that may not be accessed, if there is one.
    #[inline]
    pub fn first_inaccessible(&self, address: u64, size: u64) -> Option<u64> {
        // Most ranges lie within one granule.
        let room = u64::from(self.shadow(address) & COUNT);
        match size.wrapping_sub(1) < GRANULE && (address & (GRANULE - 1)) + size <= room {
            true => None,
            false => self.first_inaccessible_of_many(address, size),
        }
    }

    fn first_inaccessible_of_many(&self, address: u64, size: u64) -> Option<u64> {
        let Some(end) = address.checked_add(size).filter(|end| *end <= LIMIT) else {
            return Some(address.max(LIMIT.min(address)));
        };
        let mut at = address;
        while at < end {
            let shadow = self.shadow(at);
            let accessible = (at & !(GRANULE - 1)) + u64::from(shadow & COUNT);
            if at >= accessible {
                return Some(at);
            }
            let granule_end = (at & !(GRANULE - 1)) + GRANULE;
            if accessible < granule_end && accessible < end {
                return Some(accessible);
            }
            at = granule_end;
        }
        None
    }

    /// Whether any granule of a range has one of the flags.
    #[inline]
    pub fn any_flag(&self, address: u64, size: u64, flags: u8) -> bool {
        // Most ranges lie within one granule.
        if size <= GRANULE && (address & (GRANULE - 1)) + size <= GRANULE {
            let shadow = self.shadow(address);
            return shadow & COUNT != 0 && shadow & flags != 0;
        }
        self.any_flag_of_many(address, size, flags)
    }

    fn any_flag_of_many(&self, address: u64, size: u64, flags: u8) -> bool {
        let end = address.saturating_add(size.max(1)).min(LIMIT);
        let mut at = address & !(GRANULE - 1);
        while at < end {
            let shadow = self.shadow(at);
            if shadow & COUNT != 0 && shadow & flags != 0 {
                return true;
            }
            at += GRANULE;
        }
        false
    }

    /// Copies bytes out. The range must lie below [`LIMIT`]; otherwise nothing is copied.
    pub fn read_bytes(&self, address: u64, into: &mut [u8]) {
        if in_range(address, into.len()) {
            // SAFETY: just checked; the host buffer cannot overlap the mapping.
            unsafe {
                let from = self.space.data.base.add(address as usize);
                from.copy_to_nonoverlapping(into.as_mut_ptr(), into.len());
            }
        }
    }

    /// Copies bytes in, and marks them as written. The range must lie below [`LIMIT`]; otherwise nothing
    /// is copied.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) {
        if in_range(address, bytes.len()) {
            self.touch_range(address, bytes.len() as u64);
            // SAFETY: just checked; the host buffer cannot overlap the mapping.
            unsafe {
                let to = self.space.data.base.add(address as usize);
                to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
            self.set_defined(address, bytes.len() as u64, true);
        }
    }

    /// Copies within memory, overlapping or not, and takes along what was written.
    pub fn copy_within(&mut self, to: u64, from: u64, size: u64) {
        if !in_range(to, size as usize) || !in_range(from, size as usize) {
            return;
        }
        self.touch_range(to, size);
        // SAFETY: both ranges were checked; `copy` allows overlap.
        unsafe {
            let source = self.space.data.base.add(from as usize);
            source.copy_to(self.space.data.base.add(to as usize), size as usize);
        }
        if self.space.defined.is_some() {
            let states: Vec<bool> = (0..size).map(|i| self.is_defined(from + i)).collect();
            for (i, state) in states.into_iter().enumerate() {
                self.set_defined(to + i as u64, 1, state);
            }
        }
    }

    /// Sets bytes, and marks them as written.
    pub fn fill(&mut self, address: u64, byte: u8, size: u64) {
        if in_range(address, size as usize) {
            self.touch_range(address, size);
            // SAFETY: just checked.
            unsafe { self.space.data.base.add(address as usize).write_bytes(byte, size as usize) };
            self.set_defined(address, size, true);
        }
    }

    /// Reads up to 16 bytes as a number.
    #[inline]
    pub fn read_scalar(&self, address: u64, size: u32) -> u128 {
        if in_range(address, 8) {
            // SAFETY: eight bytes from the address on are in range, as was just checked, and no size here is larger.
            unsafe {
                match size {
                    1 => return u128::from(self.read_private::<u8>(address)),
                    2 => return u128::from(self.read_private::<u16>(address)),
                    4 => return u128::from(self.read_private::<u32>(address)),
                    8 => return u128::from(self.read_private::<u64>(address)),
                    _ => {}
                }
            }
        }
        self.read_odd_scalar(address, size)
    }

    /// Reads words of four bytes that follow one another.
    #[inline]
    pub fn read_words(&self, address: u64, words: &mut [u32]) {
        let is_in_range = in_range(address, words.len() * 4);
        for (word, at) in words.iter_mut().zip((0..).step_by(4)) {
            *word = match is_in_range {
                // SAFETY: all of the words are in range.
                true => unsafe { self.read_private(address + at) },
                false => self.read_scalar(address.wrapping_add(at), 4) as u32,
            };
        }
    }

    fn read_odd_scalar(&self, address: u64, size: u32) -> u128 {
        let mut bytes = [0; 16];
        self.read_bytes(address, &mut bytes[..size.min(16) as usize]);
        u128::from_le_bytes(bytes)
    }

    /// Writes up to 16 bytes of a number.
    #[inline]
    pub fn write_scalar(&mut self, address: u64, size: u32, value: u128) {
        let within = (address & (GRANULE - 1)) + u64::from(size) <= GRANULE;
        if within && address < LIMIT && self.space.defined.is_none() {
            // SAFETY: the address is below LIMIT, and the scalar within its granule, as was just checked.
            unsafe {
                match size {
                    1 => return self.write_private(address, value as u8),
                    2 => return self.write_private(address, value as u16),
                    4 => return self.write_private(address, value as u32),
                    8 => return self.write_private(address, value as u64),
                    _ => {}
                }
            }
        }
        self.write_odd_scalar(address, size, value);
    }

    fn write_odd_scalar(&mut self, address: u64, size: u32, value: u128) {
        self.write_bytes(address, &value.to_le_bytes()[..size.min(16) as usize]);
    }

    fn touch_range(&mut self, address: u64, size: u64) {
        if size == 0 {
            return;
        }
        for line in address / LINE..=(address + size - 1) / LINE {
            // SAFETY: callers check that the range lies below LIMIT.
            unsafe { self.touch(line * LINE) };
        }
    }

    /// Sets the shadow of whole granules. `address` must be a multiple of 8.
    pub fn set_shadow(&mut self, address: u64, shadow: &[u8]) {
        let size = shadow.len() as u64 * GRANULE;
        if in_range(address, size as usize) {
            self.touch_range(address, size);
            self.note_shared_changes(address, shadow.len() as u64);
            // SAFETY: just checked.
            unsafe {
                let to = self.space.shadow.base.add((address / GRANULE) as usize);
                to.copy_from_nonoverlapping(shadow.as_ptr(), shadow.len());
            }
        }
    }

    /// Sets the shadow of all granules of a range to one value. `address` must be a multiple of 8.
    pub fn fill_shadow(&mut self, address: u64, size: u64, shadow: u8) {
        if in_range(address, size as usize) {
            self.touch_range(address, size);
            self.note_shared_changes(address, size.div_ceil(GRANULE));
            // SAFETY: just checked.
            unsafe {
                let to = self.space.shadow.base.add((address / GRANULE) as usize);
                to.write_bytes(shadow, size.div_ceil(GRANULE) as usize);
            }
        }
    }

    /// Notes it if one of these granules, which must lie below [`LIMIT`], can be reached by other threads: its shadow is about
    /// to change.
    fn note_shared_changes(&mut self, address: u64, granules: u64) {
        // SAFETY: in range, as the callers have checked.
        let shadows = unsafe {
            let first = self.space.shadow.base.add((address / GRANULE) as usize);
            std::slice::from_raw_parts(first, granules as usize)
        };
        // If nothing may be accessed, the flag is part of the reason why.
        if shadows.iter().any(|shadow| shadow & (SHARED | COUNT) > SHARED) {
            self.shared_changes = true;
        }
    }

    /// Whether the shadow of something that other threads can reach has changed since this was last called: it is not
    /// there any more, or not shared.
    pub(crate) fn take_shared_changes(&mut self) -> bool {
        std::mem::take(&mut self.shared_changes)
    }

    /// Makes `size` bytes accessible; `address` must be a multiple of 8.
    pub fn allow(&mut self, address: u64, size: u64, flags: u8) {
        let whole = size / GRANULE * GRANULE;
        self.fill_shadow(address, whole, PRIVATE | flags);
        let rest = (size - whole) as u8;
        if rest != 0 {
            self.fill_shadow(address + whole, GRANULE, rest | flags);
        }
    }

    /// Adds flags to the accessible granules of a range.
    pub fn add_flags(&mut self, address: u64, size: u64, flags: u8) {
        let mut at = address & !(GRANULE - 1);
        let end = address.saturating_add(size).min(LIMIT);
        while at < end {
            let shadow = self.shadow(at);
            if shadow & COUNT != 0 && shadow & flags != flags {
                self.fill_shadow(at, GRANULE, shadow | flags);
            }
            at += GRANULE;
        }
    }

    /// Whether a byte was written since it was allocated; always, when that is not tracked.
    pub fn is_defined(&self, address: u64) -> bool {
        match &self.space.defined {
            Some(defined) if address < LIMIT => {
                // SAFETY: just checked.
                let bits = unsafe { *defined.base.add((address / 8) as usize) };
                bits & (1 << (address % 8)) != 0
            }
            _ => true,
        }
    }

    /// Says whether bytes count as written. The range must have been touched.
    pub fn set_defined(&mut self, address: u64, size: u64, state: bool) {
        if self.space.defined.is_none() || !in_range(address, size as usize) {
            return;
        }
        self.touch_range(address, size);
        let Some(defined) = &self.space.defined else { return };
        for at in address..address + size {
            // SAFETY: the range was checked above.
            unsafe {
                let bits = defined.base.add((at / 8) as usize);
                match state {
                    true => *bits |= 1 << (at % 8),
                    false => *bits &= !(1 << (at % 8)),
                }
            }
        }
    }

    /// Feeds bytes and shadows of a range to a hasher, for tests of rewinding.
    pub fn hash_range(&self, start: u64, end: u64, hasher: &mut impl std::hash::Hasher) {
        if start >= end || end > LIMIT {
            return;
        }
        // SAFETY: just checked.
        unsafe {
            let data =
                std::slice::from_raw_parts(self.space.data.base.add(start as usize), (end - start) as usize);
            hasher.write(data);
            let from = self.space.shadow.base.add((start / GRANULE) as usize);
            hasher.write(std::slice::from_raw_parts(from, ((end - start) / GRANULE) as usize));
            if let Some(defined) = &self.space.defined {
                let from = defined.base.add((start / GRANULE) as usize);
                hasher.write(std::slice::from_raw_parts(from, ((end - start) / GRANULE) as usize));
            }
        }
    }
}

#[inline]
fn in_range(address: u64, size: usize) -> bool {
    address.checked_add(size as u64).is_some_and(|end| end <= LIMIT)
}

#[cfg(test)]
mod tests;
