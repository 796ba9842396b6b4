//! How many executions will there be?
//!
//! In the manner of Knuth's estimator (Mathematics of Computation, 1975): run an execution with random choices; the
//! inverse of the probability of what was drawn is, on average, the number of things that can be drawn. Here these
//! are not interleavings but the classes that [`crate::steps::dpor::optimal`] explores, one execution each: all that
//! differ only in the order of independent operations. A class is drawn whenever any of its interleavings is, so its
//! probability is the sum of theirs. That sum is estimated, too, without running anything: by drawing interleavings
//! of the class, from its partial order. The mean over many executions is the estimate, and their spread tells how
//! far to trust it.
//!
//! An operation that touches nothing shared commutes with everything. It is performed at once, which keeps the
//! probabilities large and the spread small.
//!
//! Drawing needs to know which threads could have gone on in states that were not visited. A thread may have to wait for an
//! object; the state of that object there is computed from the states in which the execution found it, and so is the value that a
//! thread awaits in a loop of one access. In other waiting loops, and at condition variables and barriers, a thread is assumed to have to
//! wait.
//!
//! The sum is computed exactly, level by level over the partial order, unless that is too much work; only then it is estimated. The
//! spread that is reported is 1.96 standard errors of the mean to both sides.

use crate::Estimate;
use crate::core::dependence::{self, Access, Blocking, Mode, Waking};
use crate::core::random_numbers::Random;
use crate::core::session::SessionMark;
use crate::steps::dpor::partial_order::{Buffering, Family, PartialOrder, Prospect, fruitless_before};
use crate::{Progress, Session, Turn};
use rustc_hash::FxHashMap;
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::sync::{self, Condition, Passage};
use selvedge_trace::{Agent, Operation};

/// Makes estimates.
pub struct Estimator<M> {
    start: SessionMark<M>,
    random: Random,
    walks: u64,
    sum: f64,
    squares: f64,
    /// How often in a row the exact probability of a class was too much work.
    too_wide: u32,
}

/// A random execution that is so long is cut.
const LONGEST: usize = 20_000;
/// So many states of a class may be looked at for its exact probability.
const MOST_WORK: usize = 3000;
/// After so many classes in a row that were too much work, no more is tried.
const TRIES: u32 = 4;
/// How many interleavings of a class are drawn for its probability otherwise.
const FEWEST_DRAWN: f64 = 16.0;
const MOST_DRAWN: f64 = 128.0;
/// The relative error of the probability that is good enough.
const EXACTNESS: f64 = 0.2;

/// A unit of an execution, and when it can be performed.
struct Unit {
    blocking: Blocking,
    object: u64,
    /// The units that have written where its thread awaits a value, the latest first, and whether the value before each is fruitless.
    awaited: Vec<(u32, bool)>,
    /// Whether something must have happened that only the order of the class tells.
    strict: bool,
}

impl<M> Estimator<M> {
    /// An estimator for a session in its first state.
    pub fn new<S: System<Mark = M>>(session: &mut Session<'_, S>, seed: u64) -> Self {
        Self {
            start: session.mark(),
            random: Random::new(seed),
            walks: 0,
            sum: 0.0,
            squares: 0.0,
            too_wide: 0,
        }
    }

    /// Runs one more random execution.
    pub fn walk<S: System<Mark = M>>(&mut self, session: &mut Session<'_, S>) {
        session.rewind(&self.start);
        let mut order = PartialOrder::default();
        let mut units = Vec::new();
        let alternatives = self.run(session, &mut order, &mut units);
        if session.update_to_order().is_some() {
            // Until now executions counted as the same that are not.
            session.order_updates();
            (self.walks, self.sum, self.squares, self.too_wide) = (0, 0.0, 0.0, 0);
            return self.walk(session);
        }
        let classes = match alternatives {
            Some(alternatives) => alternatives / self.probability(&Class::new(&order, &units)),
            None => 0.0,
        };
        self.walks += 1;
        self.sum += classes;
        self.squares += classes * classes;
    }

    /// What the executions so far say.
    pub fn estimate(&self) -> Estimate {
        let walks = self.walks.max(1) as f64;
        let mean = self.sum / walks;
        let variance = (self.squares / walks - mean * mean).max(0.0);
        Estimate { walks: self.walks, executions: mean, error: (variance / walks).sqrt() }
    }

    /// Runs a random execution; gives the number of alternatives of its choices, `None` if it is no execution of
    /// the program.
    fn run<S: System>(
        &mut self,
        session: &mut Session<'_, S>,
        order: &mut PartialOrder,
        units: &mut Vec<Unit>,
    ) -> Option<f64> {
        let mut alternatives = 1.0;
        let mut enabled = Vec::new();
        let mut accesses: Vec<Access> = Vec::new();
        while units.len() < LONGEST {
            session.enabled(&mut enabled);
            if enabled.is_empty() {
                return session.is_good().then_some(alternatives);
            }
            enabled.sort_unstable();
            let is_private = |agent: &&Agent| touches_nothing(session, **agent);
            let agent = match enabled.iter().find(is_private) {
                Some(private) => *private,
                None => enabled[self.random.below(enabled.len() as u64) as usize],
            };
            accesses.clear();
            let (unit, progress) = self.add_unit(session, order, agent, &mut accesses, &mut alternatives);
            units.push(unit);
            if progress == Progress::Ended {
                return session.is_good().then_some(alternatives);
            }
        }
        Some(alternatives)
    }

    /// Performs the next unit of an agent, and adds it to the order. Its choices count as alternatives.
    fn add_unit<S: System>(
        &mut self,
        session: &mut Session<'_, S>,
        order: &mut PartialOrder,
        agent: Agent,
        accesses: &mut Vec<Access>,
        alternatives: &mut f64,
    ) -> (Unit, Progress) {
        let thread = agent.thread();
        let issued = session.system.buffers().issued(thread);
        let waits = dependence::of_waiting(&session.system, agent, accesses);
        let awaited = fruitless_before(&mut session.system, order, agent);
        let first = session.system.events().len();
        let waking = Waking::of(&session.system, thread);
        let (family, progress) = self.perform(session, agent, accesses, alternatives);
        let event = session.system.events()[first];
        let object = match event.operation {
            Operation::Sync { object, .. } => object,
            _ => 0,
        };
        // Only its position in the order counts here, not its races.
        let blocking = dependence::blocking(&event.operation, waking);
        let next = Prospect {
            agent,
            accesses,
            blocking: Blocking::No,
            object,
            state: 0,
            waits: false,
            awaits: None,
            buffering: Buffering::of(&event, session.system.buffers().issued(thread) - issued),
        };
        order.push(&next, family);
        let strict = waits
            || blocking == Blocking::UntilWoken
            || matches!(family, Family::Joins(_) | Family::JoinsAll);
        (Unit { blocking, object, awaited, strict }, progress)
    }

    /// Performs the next step of an agent, and those after it that no other thread may come between.
    fn perform<S: System>(
        &mut self,
        session: &mut Session<'_, S>,
        agent: Agent,
        accesses: &mut Vec<Access>,
        alternatives: &mut f64,
    ) -> (Family, Progress) {
        let thread = agent.thread();
        let mut family = Family::Nobody;
        loop {
            let choices = session.system.choices(agent);
            *alternatives *= f64::from(choices);
            let choice = self.random.below(u64::from(choices)) as u32;
            session.mark();
            let progress = session.step_through(Turn { agent, choice });
            let system = &session.system;
            if let Some(event) = system.events().last() {
                dependence::of_event(system, event, session.woken(), accesses);
                family = Family::of(event).unwrap_or(family);
            }
            let goes_on =
                system.machine().excludes_others(thread) && agent.is_thread() && system.is_enabled(agent);
            if progress == Progress::Ended || !goes_on {
                return (family, progress);
            }
        }
    }

    /// The probability that a random execution is in a class.
    fn probability(&mut self, class: &Class<'_>) -> f64 {
        if self.too_wide < TRIES
            && let Some(probability) = class.exact()
        {
            self.too_wide = 0;
            return probability;
        }
        self.too_wide += 1;
        self.drawn(class)
    }

    /// The probability of a class, estimated by drawing interleavings of it.
    fn drawn(&mut self, class: &Class<'_>) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut drawn = 0.0;
        let mut done = vec![0; class.order.by_thread().len()];
        let mut ready = Vec::new();
        while drawn < MOST_DRAWN {
            done.fill(0);
            let mut weight = 1.0;
            loop {
                let could = class.next(&done, &mut ready);
                if ready.is_empty() {
                    break;
                }
                weight *= ready.len() as f64 / could as f64;
                done[ready[self.random.below(ready.len() as u64) as usize]] += 1;
            }
            drawn += 1.0;
            sum += weight;
            squares += weight * weight;
            let mean = sum / drawn;
            let error = ((squares / drawn - mean * mean).max(0.0) / drawn).sqrt();
            if drawn >= FEWEST_DRAWN && error < EXACTNESS * mean {
                break;
            }
        }
        sum / drawn
    }
}

/// A class of executions.
struct Class<'a> {
    order: &'a PartialOrder,
    units: &'a [Unit],
    /// The threads, by name.
    threads: Vec<usize>,
}

impl<'a> Class<'a> {
    fn new(order: &'a PartialOrder, units: &'a [Unit]) -> Self {
        let own = order.by_thread();
        let mut threads: Vec<usize> = (0..own.len()).filter(|thread| !own[*thread].is_empty()).collect();
        threads.sort_by_key(|thread| own[*thread].first().map(|unit| order.agent(*unit)));
        Self { order, units, threads }
    }

    /// The threads that can go on in this class after the first `done` units of each; gives how many could go on
    /// at all.
    fn next(&self, done: &[u32], ready: &mut Vec<usize>) -> usize {
        ready.clear();
        let mut could = 0;
        for thread in &self.threads {
            let own = &self.order.by_thread()[*thread];
            let Some(unit) = own.get(done[*thread] as usize).copied() else { continue };
            let is_ready = self.order.is_ready(unit, done);
            if is_ready && self.order.accesses(unit).is_empty() {
                ready.clear();
                ready.push(*thread);
                return 1;
            }
            if is_ready {
                ready.push(*thread);
            }
            could += usize::from(is_ready || self.could_go(unit, done));
        }
        could
    }

    /// The probability of the class: all ways through it, level by level. `None` if that is too much work.
    fn exact(&self) -> Option<f64> {
        let mut level: FxHashMap<Box<[u32]>, f64> = FxHashMap::default();
        level.insert(vec![0; self.order.by_thread().len()].into(), 1.0);
        let mut ready = Vec::new();
        let mut work = 0;
        for _ in 0..self.units.len() {
            let mut next: FxHashMap<Box<[u32]>, f64> = FxHashMap::default();
            for (mut done, probability) in level {
                let could = self.next(&done, &mut ready);
                work += 1;
                if work > MOST_WORK {
                    return None;
                }
                for thread in &ready {
                    done[*thread] += 1;
                    match next.get_mut(&done) {
                        Some(sum) => *sum += probability / could as f64,
                        None => drop(next.insert(done.clone(), probability / could as f64)),
                    }
                    done[*thread] -= 1;
                }
            }
            level = next;
        }
        Some(level.values().sum())
    }

    /// Whether the next unit of a thread could go on, although in this class something else has to come first.
    fn could_go(&self, unit: u32, done: &[u32]) -> bool {
        let this = &self.units[unit as usize];
        if this.strict || !self.order.is_created(unit, done) {
            return false;
        }
        // The value that it finds is the one before the first write that is not there yet.
        let missing = this.awaited.iter().take_while(|(write, _)| !self.order.is_done(*write, done)).last();
        if missing.is_some_and(|(_, is_fruitless)| *is_fruitless) {
            return false;
        }
        if this.blocking == Blocking::No {
            return true;
        }
        // What the object is like: as the next that writes to it will find it, unless others have changed its count
        // in another order.
        let granule = this.object & !7;
        let shift = 8 * (this.object & 7);
        let (mut written, mut count, mut first) = (None, 0, None);
        for other in 0..self.units.len() as u32 {
            for access in self.order.accesses(other).iter().filter(|access| access.granule == granule) {
                first.get_or_insert(access.before);
                match self.order.is_done(other, done) {
                    true => count += i64::from(access.delta),
                    false if access.mode == Mode::Write => drop(written.get_or_insert(access.before)),
                    false => {}
                }
            }
        }
        let Blocking::Until(condition) = this.blocking else { return false };
        let state = if condition == Condition::FirstNotZero { first } else { written };
        let state = (state.unwrap_or(0) >> shift) as u32;
        sync::passage(condition, state, None, -count) == Passage::Open
    }
}

/// Whether the next operation of a thread commutes with everything.
fn touches_nothing<S: System>(session: &Session<'_, S>, agent: Agent) -> bool {
    let mut accesses = Vec::new();
    let thread = agent.thread();
    if !agent.is_thread()
        || dependence::of_waiting(&session.system, agent, &mut accesses)
        || session.system.machine().in_atomic_section(thread)
    {
        return false;
    }
    match session.system.machine().pending(thread) {
        Some(operation) if session.system.buffers().will_buffer(thread, &operation) => {
            !matches!(operation, Operation::Copy { .. })
        }
        Some(operation) => {
            dependence::of_operation(thread, &operation, &mut accesses);
            accesses.is_empty()
        }
        None => false,
    }
}
