//! Where threads may be when none is enabled: what can be said without a search.
//!
//! A thread that waits for something that is taken waits for a thread that has taken it, and has not given it back where it is
//! itself stuck, or has ended. So of all entries that may be blocked only those are left for which there is such a thread, and
//! of these only those that still have one, and so on. Nothing is left if locks are taken in an order, or one at a time.
//!
//! More precisely: if a location all of whose bits were 0 at first is not 0 in the end, the last write to some bit of it has
//! set that; and the thread of this write has not written to this bit afterwards. So there is a thread whose own writes, from
//! its beginning to where it is, leave something there. For counts: if all that is ever done to one is to add to it, and the
//! sum is not 0, there is a thread whose own part of it is not.
//!
//! If threads are never blocked but by joining others, none is ever stuck: each would wait for a thread that waits itself, and
//! so on in a circle, but one of these threads was the first to end in the execution.
//!
//! What is waited for in another way (a signal, a semaphore, a change of what a loop reads) is not followed.

use super::bounds::Bounds;
use super::script::{Effect, Entry, Execution, Location, LocationPart, Question, Script};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What an entry may have to wait for.
#[derive(Debug, Clone)]
enum Cause {
    /// Anything.
    Any,
    /// That these bits are 0.
    Taken(Box<[LocationPart]>),
    /// That a thread has ended.
    Thread(usize),
    /// That all others have.
    Others,
}

/// An entry that may have to wait.
#[derive(Debug)]
struct Wait {
    position: usize,
    cause: Cause,
}

/// Where threads may be when none is enabled.
#[derive(Debug)]
pub enum Stuck {
    /// That never happens.
    Never,
    /// By script: positions of entries before which its thread may be blocked.
    At(Vec<Vec<usize>>),
    /// Anywhere.
    Anywhere,
}

impl Stuck {
    /// Whether a thread may be stuck before an entry.
    pub fn may_be(&self, (script, position): (usize, usize)) -> bool {
        match self {
            Stuck::Never => false,
            Stuck::At(positions) => positions[script].contains(&position),
            Stuck::Anywhere => true,
        }
    }
}

/// Finds where threads of an execution may be when none is enabled, if all entries have the results that they had there.
pub fn find(execution: &Execution, bounds: &Bounds<'_>) -> Stuck {
    let is_blocked = |script: &Script| script.entries.len() > script.performed;
    if !execution.scripts.iter().any(|script| script.waits || is_blocked(script)) {
        return Stuck::Never;
    }
    if execution.scripts.iter().any(|script| script.entries.iter().any(|entry| entry.exclusive)) {
        // A thread that stops in an atomic section keeps all others where they are.
        return Stuck::Anywhere;
    }
    let locations = Locations::new(execution);
    let scripts = execution.scripts.iter().enumerate();
    let mut waits: Vec<Vec<Wait>> = scripts
        .map(|(thread, script)| {
            let entries = script.entries.iter().enumerate();
            let waits = entries
                .map(|(position, entry)| (position, cause(thread, entry, bounds, &locations)))
                .filter_map(|(position, cause)| cause.map(|cause| Wait { position, cause }));
            waits.collect()
        })
        .collect();
    loop {
        let before: usize = waits.iter().map(Vec::len).sum();
        for thread in 0..waits.len() {
            let mut own = std::mem::take(&mut waits[thread]);
            own.retain(|wait| is_justified(execution, thread, wait, &waits));
            waits[thread] = own;
        }
        if waits.iter().map(Vec::len).sum::<usize>() == before {
            break;
        }
    }
    match waits.iter().all(Vec::is_empty) {
        true => Stuck::Never,
        false => {
            let positions = |all: Vec<Wait>| all.into_iter().map(|wait| wait.position).collect();
            Stuck::At(waits.into_iter().map(positions).collect())
        }
    }
}

/// What an entry may have to wait for; `None` if it never has to.
fn cause(thread: usize, entry: &Entry, bounds: &Bounds<'_>, locations: &Locations) -> Option<Cause> {
    if entry.round.is_some() {
        return Some(Cause::Any);
    }
    match entry.question {
        Question::Woken { always: false } => Some(Cause::Any),
        Question::Take(test) if !test.is_of_lock() => Some(Cause::Any),
        Question::Take(_) | Question::Once(_) => {
            let is_plain = entry.reads.iter().all(|part| locations.are_plain(*part));
            Some(if is_plain { Cause::Taken(entry.reads.clone()) } else { Cause::Any })
        }
        Question::Join(whom) => {
            let whom = bounds.script_of(whom).filter(|whom| *whom != thread)?;
            Some(Cause::Thread(whom))
        }
        Question::JoinAll => Some(Cause::Others),
        _ => None,
    }
}

/// Whether some thread may keep a thread waiting. (The thread's own waits are not in the list.)
fn is_justified(execution: &Execution, thread: usize, wait: &Wait, waits: &[Vec<Wait>]) -> bool {
    match &wait.cause {
        Cause::Any => true,
        Cause::Thread(whom) => !waits[*whom].is_empty() || !execution.scripts[*whom].ended,
        Cause::Others => {
            let others = || (0..waits.len()).filter(|other| *other != thread);
            others().any(|other| !waits[other].is_empty() || !execution.scripts[other].ended)
        }
        Cause::Taken(parts) => (0..waits.len()).any(|other| {
            let script = &execution.scripts[other];
            let here = if other == thread { Some(wait.position) } else { None };
            let end = if other == thread { None } else { Some(script.performed) };
            let stops = waits[other].iter().map(|wait| wait.position).chain(here).chain(end);
            let mut stops: Vec<usize> = stops.collect();
            stops.sort_unstable();
            leaves_something(&script.entries, parts, &stops)
        }),
    }
}

/// Whether something is left by a thread's own writes where it stops.
fn leaves_something(entries: &[Arc<Entry>], parts: &[LocationPart], stops: &[usize]) -> bool {
    let mut left = vec![0_u64; parts.len()];
    let mut next = stops.iter().copied().peekable();
    for (position, entry) in entries.iter().enumerate() {
        if next.next_if_eq(&position).is_some() && left.iter().any(|left| *left != 0) {
            return true;
        }
        if next.peek().is_none() {
            return false;
        }
        for effect in &entry.effects {
            for (left, part) in left.iter_mut().zip(parts) {
                match *effect {
                    Effect::Set { part: other, value } if other.location == part.location => {
                        *left = (*left & !other.bits | value) & part.bits;
                    }
                    // Only ever added to, so the sum of what is added will do.
                    Effect::Add { part: other, delta } if other.location == part.location => {
                        *left = left.wrapping_add_signed(i64::from(delta));
                    }
                    _ => {}
                }
            }
        }
    }
    left.iter().any(|left| *left != 0)
}

/// What is done to locations.
struct Locations {
    /// Bits that were set at first.
    initial: FxHashMap<Location, u64>,
    /// Bits that are set at once.
    set: FxHashMap<Location, u64>,
    /// Bits of counts.
    added: FxHashMap<Location, u64>,
    /// Locations to which something is done in another way.
    others: FxHashSet<Location>,
}

impl Locations {
    fn new(execution: &Execution) -> Self {
        let mut locations = Locations {
            initial: execution.initial.iter().map(|(location, value, _)| (*location, *value)).collect(),
            set: FxHashMap::default(),
            added: FxHashMap::default(),
            others: FxHashSet::default(),
        };
        for entry in execution.scripts.iter().flat_map(|script| &script.entries) {
            for effect in &entry.effects {
                match effect {
                    Effect::Set { part, .. } => *locations.set.entry(part.location).or_default() |= part.bits,
                    Effect::Add { part, .. } => {
                        *locations.added.entry(part.location).or_default() |= part.bits
                    }
                    Effect::Free(_) | Effect::Revive(_) | Effect::Wake { .. } | Effect::WakeAll { .. } => {}
                }
            }
            let delayed = entry.delayed.iter().flat_map(|delayed| &delayed.sets);
            locations.others.extend(delayed.map(|set| set.part.location));
        }
        locations
    }

    /// Whether some bits are 0 at first, and either set or added to.
    fn are_plain(&self, part: LocationPart) -> bool {
        let bits = |of: &FxHashMap<Location, u64>| of.get(&part.location).copied().unwrap_or(0) & part.bits;
        bits(&self.initial) == 0
            && (bits(&self.set) == 0 || bits(&self.added) == 0)
            && !self.others.contains(&part.location)
    }
}
