//! What threads are known to do.
//!
//! A thread is a function of the results of its operations: of the values that it has read, and so on. So once a thread has
//! been executed, it is known what it does whenever it gets the same results, in whatever graph that is. This is kept as a tree
//! for each thread. A node of the tree is a *local state*: it stands for all results that the thread has got so far, and says
//! what the thread does next. Its edges are the results that it may get then, and lead to the local states that follow. An
//! exploration comes to the same local states over and over again.
//!
//! There are two exceptions. If a thread has looked at something that belongs to others without performing an operation, it
//! comes to a local state that is not known to follow another. And if somebody finds a thread's own object that was never
//! handed over, that thread's accesses to it become operations; from then on, nothing that is known is relied upon.
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

/// A local state, by its position; and whether it is the turn of a thread that is in it, which is asked more often than
/// anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocalStateId {
    at: u32,
    pub(super) readiness: Readiness,
}

/// No local state is known: there was none, or it was forgotten.
pub(super) const UNKNOWN: LocalStateId = LocalStateId { at: u32::MAX, readiness: Readiness::Never };

/// How many local states are kept. In debug builds few, so that tests see them forgotten.
const MOST: usize = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 16 };

/// Whether a thread goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// It is before an operation.
    Before(Operation),
    /// It has ended with a result. `exits`: so has the process.
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

/// What is known of a thread that has got certain results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalState {
    /// What it does next.
    pub(super) course: Course,
    /// The instruction of the user's program that does it.
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
    /// The operation as a single access, if it is one.
    pub(super) access: Option<SingleAccess>,
    /// Address and size of what the operation accesses, if that only exists because threads have created it.
    pub(super) created: Option<(u64, u32)>,
    /// Whether the thread may await a value at the operation (see `awaits.rs`).
    pub(super) may_await: bool,
}

impl LocalState {
    fn readiness(&self) -> Readiness {
        match &self.course {
            Course::Before(
                Operation::Sync { .. } | Operation::Join { .. } | Operation::WaitForOthers { .. },
            ) => Readiness::Depends,
            Course::Before(_) if self.round.is_some() || self.may_await => Readiness::Depends,
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

/// From one local state to the next.
#[derive(Debug, Clone, Copy)]
struct Edge {
    /// The result of the thread's operation, with what else the next local state depends on, as `finish` has put it together.
    result: u128,
    to: LocalStateId,
    /// Whether the step touches nothing but the thread's own state.
    is_local: bool,
}

/// A local state, and those that follow.
struct Entry {
    local: LocalState,
    /// The first edges that were found. There are seldom more.
    edges: [Option<Edge>; 2],
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

/// The local states of all threads.
#[derive(Default)]
pub(super) struct Known {
    states: Vec<Entry>,
    /// Further edges, by the local state that they start from and the result.
    edges: FxHashMap<(u32, u128), Edge>,
    /// What comes of operations of threads in some local states.
    trials: FxHashMap<(u32, SyncOp, State), Trial>,
    /// Whether values are fruitless that threads in some local states may await.
    fruitless: FxHashMap<(u32, u128), bool>,
    /// How often all was forgotten.
    pub(super) times_forgotten: u32,
}

impl Known {
    /// A local state.
    #[inline]
    pub(super) fn get(&self, id: LocalStateId) -> Option<&LocalState> {
        self.states.get(id.at as usize).map(|entry| &entry.local)
    }

    fn edge(&self, from: LocalStateId, result: u128) -> Option<&Edge> {
        let edges = &self.states.get(from.at as usize)?.edges;
        match edges.iter().flatten().find(|edge| edge.result == result) {
            None if edges[1].is_some() => self.edges.get(&(from.at, result)),
            edge => edge,
        }
    }

    fn edge_mut(&mut self, from: LocalStateId, result: u128) -> Option<&mut Edge> {
        let edges = &mut self.states.get_mut(from.at as usize)?.edges;
        match edges.iter_mut().flatten().find(|edge| edge.result == result) {
            None => self.edges.get_mut(&(from.at, result)),
            edge => edge,
        }
    }

    /// The local state that follows another when the thread's operation has a result, if the step is local.
    #[inline]
    pub(super) fn after(&self, from: LocalStateId, result: u128) -> Option<LocalStateId> {
        self.edge(from, result).filter(|edge| edge.is_local).map(|edge| edge.to)
    }

    /// Adds a local state that is not known to follow another.
    pub(super) fn add(&mut self, local: LocalState) -> LocalStateId {
        let id = LocalStateId { at: self.states.len() as u32, readiness: local.readiness() };
        self.states.push(Entry { local, edges: [None; 2] });
        id
    }

    /// A thread's operation has had a result, and the thread came from one local state to another. Returns the latter.
    pub(super) fn learn(
        &mut self,
        from: LocalStateId,
        result: u128,
        is_local: bool,
        local: LocalState,
    ) -> LocalStateId {
        if let Some(edge) = self.edge_mut(from, result) {
            edge.is_local &= is_local;
            let to = edge.to;
            if self.get(to).is_some_and(|known| known.course == local.course) {
                return to;
            }
            // What it does depends on others: on the size of the object that it frees, for example.
            if let Some(edge) = self.edge_mut(from, result) {
                edge.is_local = false;
            }
            return self.add(local);
        }
        let to = self.add(local);
        let edge = Edge { result, to, is_local };
        match self.states.get_mut(from.at as usize).map(|entry| &mut entry.edges) {
            Some([first @ None, _] | [_, first @ None]) => *first = Some(edge),
            Some(_) => drop(self.edges.insert((from.at, result), edge)),
            None => {}
        }
        to
    }

    /// What comes of an operation of a thread in a local state on an object in some state.
    pub(super) fn trial(&self, at: LocalStateId, op: SyncOp, state: State) -> Option<Trial> {
        self.trials.get(&(at.at, op, state)).copied()
    }

    /// Remembers what came of such an operation.
    pub(super) fn note_trial(&mut self, at: LocalStateId, op: SyncOp, state: State, trial: Trial) {
        self.trials.insert((at.at, op, state), trial);
    }

    /// Whether a value that a thread in a local state may await is fruitless, if that is known.
    pub(super) fn is_fruitless(&self, at: LocalStateId, value: u128) -> Option<bool> {
        self.fruitless.get(&(at.at, value)).copied()
    }

    /// Remembers whether a value is fruitless.
    pub(super) fn note_fruitless(&mut self, at: LocalStateId, value: u128, fruitless: bool) {
        self.fruitless.insert((at.at, value), fruitless);
    }

    /// Whether so much is kept that it is time to forget.
    pub(super) fn is_full(&self) -> bool {
        self.states.len() + self.trials.len() + self.fruitless.len() >= MOST
    }

    /// Forgets all local states.
    pub(super) fn forget(&mut self) {
        self.states.clear();
        self.edges.clear();
        self.trials.clear();
        self.fruitless.clear();
        self.times_forgotten += 1;
    }
}
