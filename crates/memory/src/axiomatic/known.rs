//! What threads are known to do.
//!
//! What a thread does is a function of what it was told: of the values that it has read, and so on. So once a thread has
//! been executed, it is known what it does whenever it is told the same, in whatever graph that is. This is kept as a tree
//! for each thread: a *place* stands for all that the thread was told so far, and says what it does next; the places that
//! follow, for what it may be told then. An exploration comes to the same places over and over again.
//!
//! There are two exceptions. If a thread has looked at something that belongs to others, though that was no operation, it comes to
//! a place that is not known to follow another. And if somebody finds a thread's own object that was never handed over, that
//! thread's accesses to it become operations; from then on, nothing that is known is relied upon.
//!
//! The tree does not grow for ever. When it is too large, it is forgotten.

use super::State;
use crate::spin::ReadValue;
use rustc_hash::FxHashMap;
use selvedge_program::Site;
use selvedge_trace::{Operation, SyncOp};

/// Whether it is a thread's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It can go on.
    Ready,
    /// It can go on, but others come first.
    Late,
    /// It depends on others.
    Depends,
    /// It never goes on.
    Never,
}

/// A place, by its position; and whether it is the turn of a thread that is there, which is asked more often than
/// anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocalStateId {
    at: u32,
    pub(super) readiness: Readiness,
}

/// In place of a place: none, or one that was forgotten.
pub(super) const NOWHERE: LocalStateId = LocalStateId { at: u32::MAX, readiness: Readiness::Never };

/// So many places are kept. Few, where it is to be seen whether it is right to forget.
const MOST: usize = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 16 };

/// Whether a thread goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// It is before an operation.
    Before(Operation),
    /// It has ended with a result. Whether that ended the process, too.
    Ended { result: u64, exits: bool },
    /// It was stopped, and never goes on.
    Stopped,
}

/// A round of a waiting loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// How many operations the thread had performed when it began.
    pub(super) from: u32,
    /// What it has read.
    pub(super) reads: Vec<ReadValue>,
}

/// What is to be known of a thread at some point of its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalState {
    /// What it does next.
    pub(super) course: Course,
    /// By which instruction of the user's program.
    pub(super) site: Site,
    /// How many operations it has performed.
    pub(super) index: u32,
    /// Whether it may come back to that operation.
    pub(super) in_loop: bool,
    /// Whether that operation is part of an atomic section.
    pub(super) in_section: bool,
    /// Whether it may be woken without a signal, if it waits for one.
    pub(super) wakes_by_itself: bool,
    /// The round of a waiting loop that has ended here.
    pub(super) round: Option<Box<Round>>,
    /// If the operation is a single access: that.
    pub(super) access: Option<SingleAccess>,
    /// If the operation is about something that only exists if threads have created it: where that is, and its size.
    pub(super) created: Option<(u64, u32)>,
}

impl LocalState {
    fn readiness(&self) -> Readiness {
        match &self.course {
            Course::Before(
                Operation::Sync { .. } | Operation::Join { .. } | Operation::WaitForOthers { .. },
            ) => Readiness::Depends,
            Course::Before(_) if self.round.is_some() => Readiness::Depends,
            Course::Before(Operation::Release { .. } | Operation::EndScope { .. }) => Readiness::Late,
            Course::Before(_) => Readiness::Ready,
            Course::Ended { .. } | Course::Stopped => Readiness::Never,
        }
    }
}

/// A single access to a single location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SingleAccess {
    /// First address.
    pub(super) address: u64,
    /// Number of bytes.
    pub(super) size: u32,
    /// Whether it begins with a read.
    pub(super) reads: bool,
}

/// Where a thread comes that is told something.
#[derive(Debug, Clone, Copy)]
struct Way {
    told: u128,
    to: LocalStateId,
    is_own_affair: bool,
}

/// A place, and where threads come from there.
struct Entry {
    place: LocalState,
    /// The first ways that were found. There are seldom more.
    ways: [Option<Way>; 2],
}

/// What comes of an operation on a synchronisation object in some state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trial {
    /// It has to wait.
    Waits,
    /// It is an error.
    Fails,
    /// It gives a result, and leaves a state.
    Goes { result: u128, state: State },
}

/// The places of all threads.
#[derive(Default)]
pub(super) struct Known {
    places: Vec<Entry>,
    /// Other ways from places.
    ways: FxHashMap<(u32, u128), Way>,
    /// What comes of operations of threads at some places.
    trials: FxHashMap<(u32, SyncOp, State), Trial>,
    /// How often all was forgotten.
    pub(super) times_forgotten: u32,
}

impl Known {
    /// A place.
    #[inline]
    pub(super) fn get(&self, id: LocalStateId) -> Option<&LocalState> {
        self.places.get(id.at as usize).map(|entry| &entry.place)
    }

    fn way(&self, from: LocalStateId, told: u128) -> Option<&Way> {
        let ways = &self.places.get(from.at as usize)?.ways;
        match ways.iter().flatten().find(|way| way.told == told) {
            None if ways[1].is_some() => self.ways.get(&(from.at, told)),
            way => way,
        }
    }

    fn way_mut(&mut self, from: LocalStateId, told: u128) -> Option<&mut Way> {
        let ways = &mut self.places.get_mut(from.at as usize)?.ways;
        match ways.iter_mut().flatten().find(|way| way.told == told) {
            None => self.ways.get_mut(&(from.at, told)),
            way => way,
        }
    }

    /// Where a thread comes that was at some place when it is told something, if that is its own affair.
    #[inline]
    pub(super) fn after(&self, from: LocalStateId, told: u128) -> Option<LocalStateId> {
        self.way(from, told).filter(|way| way.is_own_affair).map(|way| way.to)
    }

    /// Adds a place that is not known to follow another.
    pub(super) fn add(&mut self, place: LocalState) -> LocalStateId {
        let id = LocalStateId { at: self.places.len() as u32, readiness: place.readiness() };
        self.places.push(Entry { place, ways: [None; 2] });
        id
    }

    /// A thread that was at some place has been told something, and came to a place. Gives that one.
    pub(super) fn learn(
        &mut self,
        from: LocalStateId,
        told: u128,
        is_own_affair: bool,
        place: LocalState,
    ) -> LocalStateId {
        if let Some(way) = self.way_mut(from, told) {
            way.is_own_affair &= is_own_affair;
            let to = way.to;
            if self.get(to).is_some_and(|known| known.course == place.course) {
                return to;
            }
            // What it does depends on others: how large the object is that it frees, for example.
            if let Some(way) = self.way_mut(from, told) {
                way.is_own_affair = false;
            }
            return self.add(place);
        }
        let to = self.add(place);
        let way = Way { told, to, is_own_affair };
        match self.places.get_mut(from.at as usize).map(|entry| &mut entry.ways) {
            Some([first @ None, _] | [_, first @ None]) => *first = Some(way),
            Some(_) => drop(self.ways.insert((from.at, told), way)),
            None => {}
        }
        to
    }

    /// What comes of an operation of a thread at a place on an object in some state.
    pub(super) fn trial(&self, at: LocalStateId, op: SyncOp, state: State) -> Option<Trial> {
        self.trials.get(&(at.at, op, state)).copied()
    }

    /// Takes note of that.
    pub(super) fn note_trial(&mut self, at: LocalStateId, op: SyncOp, state: State, trial: Trial) {
        self.trials.insert((at.at, op, state), trial);
    }

    /// Whether there are too many.
    pub(super) fn is_full(&self) -> bool {
        self.places.len() + self.trials.len() >= MOST
    }

    /// Forgets all places.
    pub(super) fn forget(&mut self) {
        self.places.clear();
        self.ways.clear();
        self.trials.clear();
        self.times_forgotten += 1;
    }
}
