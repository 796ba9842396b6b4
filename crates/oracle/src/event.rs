//! Events, and when the order of two of them matters.
//!
//! Dependence follows the design's text: same thread, or the same object unless both only read it. Each
//! kind of event says which objects it changes or reads:
//!
//! * a store, a read-modify-write and a successful compare-exchange change a location; a load and a failed
//!   compare-exchange read it;
//! * additions whose old values nobody uses commute;
//! * lock, unlock and a successful trylock change a mutex; a failed trylock reads it;
//! * beginning to wait changes the condition variable (and the mutex, which it gives back); a signal or
//!   broadcast that wakes somebody changes it, one that wakes nobody reads it. A thread that is woken reads not
//!   the condition variable but its own wake-up, which the waker changes;
//! * semaphore down changes the semaphore; so does up, but two ups commute and enable the same;
//! * create and join change the thread; all its events read it;
//! * fences and choices touch nothing.

use crate::classes::Source;
use crate::program::Order;

/// The name of an event: its thread, and which of the thread's events it is.
pub type EventId = (usize, usize);

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the fields are numbers of the objects")]
pub enum Kind {
    /// An access to a location: what it read and wrote, if it did.
    Access { location: usize, read: Option<u32>, written: Option<u32>, order: Order },
    /// A fence.
    Fence { order: Order },
    /// A mutex was taken (also the last step of a wait).
    Lock { mutex: usize },
    /// A mutex was taken, or not.
    TryLock { mutex: usize, taken: bool },
    /// A mutex was given back.
    Unlock { mutex: usize },
    /// The mutex was given back, and waiting began.
    Release { condition: usize, mutex: usize },
    /// The thread noticed that it was woken.
    Wake { condition: usize },
    /// A signal or broadcast, and whom it woke.
    Signal { condition: usize, woken: Vec<usize> },
    /// Semaphore up.
    Post { semaphore: usize },
    /// Semaphore down.
    Down { semaphore: usize },
    /// A thread was started.
    Spawn { thread: usize },
    /// A thread's end was waited for.
    Join { thread: usize },
    /// A number was chosen.
    Choose { value: u32 },
    /// The program used a mutex wrongly; the execution ends here.
    Misuse { mutex: usize },
}

/// A step of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// Who.
    pub thread: usize,
    /// Which of the thread's events, from 0.
    pub index: usize,
    /// The number of the statement.
    pub statement: usize,
    /// What.
    pub kind: Kind,
    /// Where what it read comes from, if it read something.
    pub source: Option<Source>,
    /// Whether it is an addition whose old value the thread does not use, and whether its order with others of these matters.
    pub addition: Addition,
}

/// Whether an event is an addition whose old value the thread does not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Addition {
    /// It is not, or it is under a model where its order with others matters.
    No,
    /// It is, but somebody waits for the location in some execution: so its order with others matters.
    Ordered,
    /// Its order with others does not matter as long as nobody reads in between.
    Commutes,
}

/// Something that events are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Object {
    Location(usize),
    Mutex(usize),
    Condition(usize),
    Semaphore(usize),
    /// That a thread was woken.
    WakeUp(usize),
    Thread(usize),
}

/// What an event does to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Effect {
    Reads,
    /// Changes it in a way that commutes with the same change by another.
    Adds,
    Changes,
}

impl Effect {
    /// Whether two events that do this to an object commute.
    pub fn commutes_with(self, other: Self) -> bool {
        self == other && self != Self::Changes
    }
}

impl Event {
    /// Whether it is an addition whose order with others does not matter as long as nobody reads in between.
    pub fn commutes(&self) -> bool {
        self.addition == Addition::Commutes
    }

    /// The name.
    pub fn id(&self) -> EventId {
        (self.thread, self.index)
    }

    /// Its result: the value that it read, the result of trylock or of a choice.
    pub fn value_read(&self) -> Option<u32> {
        match self.kind {
            Kind::Access { read, .. } => read,
            Kind::TryLock { taken, .. } => Some(u32::from(taken)),
            Kind::Choose { value } => Some(value),
            _ => None,
        }
    }

    /// What it does to objects beside its thread.
    pub fn effects(&self, mut on: impl FnMut(Object, Effect)) {
        use Effect::*;
        match &self.kind {
            Kind::Access { location, written, .. } => {
                let effect = match (written, self.addition) {
                    (None, _) => Reads,
                    (Some(_), Addition::Commutes) => Adds,
                    (Some(_), _) => Changes,
                };
                on(Object::Location(*location), effect);
            }
            Kind::Fence { .. } | Kind::Choose { .. } => {}
            Kind::TryLock { mutex, taken: false } => on(Object::Mutex(*mutex), Reads),
            Kind::Lock { mutex }
            | Kind::TryLock { mutex, taken: true }
            | Kind::Unlock { mutex }
            | Kind::Misuse { mutex } => on(Object::Mutex(*mutex), Changes),
            Kind::Release { condition, mutex } => {
                on(Object::Mutex(*mutex), Changes);
                on(Object::Condition(*condition), Changes);
            }
            Kind::Wake { .. } => on(Object::WakeUp(self.thread), Changes),
            Kind::Signal { condition, woken } => {
                let effect = if woken.is_empty() { Reads } else { Changes };
                on(Object::Condition(*condition), effect);
                woken.iter().for_each(|thread| on(Object::WakeUp(*thread), Changes));
            }
            Kind::Post { semaphore } => on(Object::Semaphore(*semaphore), Adds),
            Kind::Down { semaphore } => on(Object::Semaphore(*semaphore), Changes),
            Kind::Spawn { thread } | Kind::Join { thread } => on(Object::Thread(*thread), Changes),
        }
    }

    fn footprint(&self) -> Vec<(Object, Effect)> {
        let mut footprint = vec![(Object::Thread(self.thread), Effect::Reads)];
        self.effects(|object, effect| footprint.push((object, effect)));
        footprint
    }

    /// Whether the order of the two matters.
    pub fn depends_on(&self, other: &Event) -> bool {
        self.thread == other.thread || self.conflicts(other, |_| true)
    }

    /// Whether the order of two events of different threads matters for another reason than what is in memory.
    pub fn depends_beside_memory_on(&self, other: &Event) -> bool {
        self.thread != other.thread && self.conflicts(other, |object| !matches!(object, Object::Location(_)))
    }

    /// Whether the two do something to the same object, among those in question, that does not commute.
    fn conflicts(&self, other: &Event, in_question: impl Fn(&Object) -> bool) -> bool {
        let theirs = other.footprint();
        let conflicts = |(object, effect): &(Object, Effect)| {
            let conflict = |(their_object, their_effect): &(Object, Effect)| {
                object == their_object && !effect.commutes_with(*their_effect)
            };
            in_question(object) && theirs.iter().any(conflict)
        };
        self.footprint().iter().any(conflicts)
    }
}
