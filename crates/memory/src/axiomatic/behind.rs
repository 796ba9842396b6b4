//! The machine, which may be behind.
//!
//! If it is known what a thread does when its operation has a result ([`super::known`]), it need not be executed: the graph
//! grows, and the machine stays where it is. It catches up when somebody needs it: because it is not known what a thread does,
//! because memory or the stack of a thread is to be looked at, or because something is wrong. In most explorations that is
//! seldom.
//!
//! What the machine has performed are the first steps of the present execution, or of an execution that was taken back since;
//! in the latter case it is wound back when it is needed next. Until then only this of it is out of date: where its threads
//! stand, and what is in memory that only one thread can reach, or in locations of the graph. All else is as it should be:
//! which threads exist, and which memory may be accessed and is shared. For a step that changes any of that, and any other that
//! is not *local* (touches more than the thread's own state), is *entangled*: the machine catches up and performs it at once,
//! and takes it back at once.
//!
//! Whenever the machine catches up, threads must come to the local states that are known; and explorers let it catch up now and
//! then for that alone. If one does not, what is known is wrong, and so would be the verdict: that is a fault of the tool, and
//! ends it.

use super::known::{Course, LocalState, LocalStateId, Readiness, Round, SingleAccess, UNKNOWN};
use super::{Axiomatic, Axioms, Id, Kind, NONE, flag};
use crate::awaits;
use crate::operational::OperationEffect;
use crate::spin::DEEPEST_LOOP;
use selvedge_program::{LoadOrder, StoreOrder};
use selvedge_trace::{Completion, Event, Operation, ThreadId};
use selvedge_vm::address::GLOBALS_END;
use selvedge_vm::thread::Status;
use selvedge_vm::{Mark, Stop};

/// In place of a result, for a thread that was just created: it has got none yet. (Its creator gets its number.)
const CREATED: u128 = u128::MAX;

/// A step that was taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done {
    /// The thread, by number.
    thread: u32,
    /// Its local states before and after.
    from: LocalStateId,
    to: LocalStateId,
    /// The event, if it has completed an operation.
    event: u32,
    /// The node by which it has changed something that threads share.
    change: Id,
}

/// A state of the machine.
struct Reached {
    machine: Mark,
    undo: u32,
}

/// How far the machine has got.
#[derive(Default)]
pub(super) struct Behind {
    /// Whether it may be behind at all.
    lags: bool,
    /// The steps of the present execution, and the one that is being taken.
    pub(super) done: Vec<Done>,
    /// Whether a step is being taken.
    is_stepping: bool,
    /// The state before each step that the machine has performed.
    trail: Vec<Reached>,
    /// How many of these are steps of the present execution.
    valid: usize,
    /// How many steps of the present execution are entangled.
    pub(super) entangled: u32,
    /// How often entangled steps were performed or taken back so far.
    pub(super) era: u32,
    /// How many threads have ended the process.
    pub(super) exits: u32,
    present: Present,
}

/// What the machine has to do with the step that is being taken.
#[derive(Default)]
struct Present {
    /// Whether the machine has a part in it.
    is_begun: bool,
    is_entangled: bool,
    /// Whether the machine has executed the thread.
    is_executed: bool,
    /// Whether that has ended the process.
    exits: bool,
    /// The result of the thread's operation, if that is all that its next local state depends on.
    result: Option<u128>,
}

impl Behind {
    /// How many steps there are, without the one that is being taken.
    fn steps(&self) -> usize {
        self.done.len() - usize::from(self.is_stepping)
    }
}

impl<A: Axioms> Axiomatic<'_, A> {
    /// Sets whether the machine may be behind. If it may, [`Axiomatic::catch_up`] comes before any use of
    /// [`crate::System::machine`].
    pub fn lag(&mut self, lags: bool) {
        self.behind.lags = lags;
        if !lags {
            self.catch_up();
        }
    }

    /// Whether the machine is where it should be.
    pub(super) fn is_up_to_date(&self) -> bool {
        self.behind.trail.len() == self.behind.steps() && self.behind.valid == self.behind.trail.len()
    }

    /// Lets the machine perform the steps that it has not performed yet.
    pub fn catch_up(&mut self) {
        self.wind_back();
        while self.behind.trail.len() < self.behind.steps() {
            let Done { event, change, to, .. } = self.behind.done[self.behind.trail.len()];
            self.reach();
            if event != NONE {
                let event = self.trace[event as usize];
                let stop = self.execute(&event, change);
                let exits = stop == Stop::Exited;
                self.halted(event.thread, stop);
                self.compare(event.thread, to, exits);
            }
            debug_assert!(!self.machine.take_entangled(), "a step that was local is not any more");
        }
        self.behind.valid = self.behind.trail.len();
        self.machine.take_woken();
    }

    /// A thread that has been executed must be in the local state that is known.
    fn compare(&self, thread: ThreadId, to: LocalStateId, exits: bool) {
        let Some(local) = self.known.get(to) else { return };
        let is_same = match cfg!(debug_assertions) {
            true => *local == self.local_state(thread, exits),
            false => local.course == self.course_of(thread, exits),
        };
        assert!(is_same, "a thread does something else with the same results");
    }

    /// Takes back what the machine has performed and is not part of the present execution.
    fn wind_back(&mut self) {
        let Some(Reached { machine, undo }) = self.behind.trail.get(self.behind.valid) else { return };
        self.machine.rewind(machine);
        while self.histories.undo.len() > *undo as usize {
            if let Some((thread, saved)) = self.histories.undo.pop() {
                self.histories.of_threads[thread.number()].rewind(&saved);
            }
        }
        self.behind.trail.truncate(self.behind.valid);
    }

    /// Adds the present state of the machine to those it can be wound back to.
    fn reach(&mut self) {
        let (machine, undo) = (self.machine.mark(), self.histories.undo.len());
        self.histories.undone = undo;
        self.behind.trail.push(Reached { machine, undo: undo as u32 });
    }

    /// The machine has a part in the step that is being taken.
    pub(super) fn begin(&mut self) {
        if std::mem::replace(&mut self.behind.present.is_begun, true) {
            return;
        }
        self.catch_up();
        self.reach();
        self.behind.valid = self.behind.trail.len();
        self.machine.take_entangled();
        self.behind.present.is_entangled |= !self.machine.is_multithreaded();
    }

    /// The same, for a step that is not local.
    pub(super) fn begin_entangled(&mut self) {
        self.begin();
        self.entangle();
    }

    /// The step that is being taken, in which the machine has a part, is not local.
    pub(super) fn entangle(&mut self) {
        self.behind.present.is_entangled = true;
    }

    /// A step of a thread is about to be taken.
    #[inline]
    pub(super) fn begin_step(&mut self, thread: u32) {
        let at = self.here.get(thread as usize).copied().unwrap_or(UNKNOWN);
        let present = &mut self.behind.present;
        (present.is_begun, present.is_entangled, present.is_executed) = (false, false, false);
        self.behind.done.push(Done { thread, from: at, to: at, event: NONE, change: NONE });
        self.behind.is_stepping = true;
    }

    /// The step has been taken.
    #[inline]
    pub(super) fn end_step(&mut self) {
        self.behind.is_stepping = false;
        let Present { is_begun, is_entangled, is_executed, .. } = self.behind.present;
        // What the machine has done in the middle of an operation cannot be repeated later.
        if is_begun && (is_entangled || !is_executed) {
            self.machine.take_entangled();
            self.behind.entangled += 1;
            self.behind.era += 1;
        }
        if !self.behind.lags {
            self.catch_up();
        }
    }

    /// The thread whose step is being taken comes to a local state.
    fn come_to(&mut self, number: u32, to: LocalStateId) {
        self.here[number as usize] = to;
        if let Some(done) = self.behind.done.last_mut() {
            done.to = to;
        }
    }

    /// Takes steps back until `steps` are left.
    pub(super) fn take_back_steps(&mut self, steps: usize, entangled: u32, exits: u32) {
        let mut is_lost = false;
        while self.behind.done.len() > steps
            && let Some(Done { thread, from, .. }) = self.behind.done.pop()
        {
            self.here[thread as usize] = from;
            is_lost |= from == UNKNOWN;
        }
        let behind = &mut self.behind;
        behind.valid = behind.valid.min(steps);
        behind.exits = exits;
        if std::mem::replace(&mut behind.entangled, entangled) != entangled {
            behind.era += 1;
            self.wind_back();
            for (here, thread) in self.here.iter_mut().zip(self.graph.threads()) {
                if self.machine.thread(thread.id).is_none() {
                    *here = UNKNOWN;
                }
            }
        }
        if !self.behind.lags {
            self.wind_back();
        }
        if is_lost {
            self.find_local_states();
        }
    }

    /// Brings steps back that were taken back; none of them is entangled. `is_known`: no local state has been forgotten since.
    pub(super) fn bring_back_steps(&mut self, steps: &[Done], exits: u32, is_known: bool) {
        let mut is_lost = false;
        for step in steps {
            let (from, to) = if is_known { (step.from, step.to) } else { (UNKNOWN, UNKNOWN) };
            self.here[step.thread as usize] = to;
            is_lost |= to == UNKNOWN;
            self.behind.done.push(Done { from, to, ..*step });
        }
        self.behind.exits = exits;
        if !self.behind.lags {
            self.catch_up();
        }
        if is_lost {
            self.find_local_states();
        }
    }

    /// Finds the local states again of threads for which they were forgotten.
    fn find_local_states(&mut self) {
        self.catch_up();
        for number in 0..self.graph.threads().len() {
            let thread = self.graph.threads()[number].id;
            if self.here[number] == UNKNOWN && self.machine.thread(thread).is_some() {
                let local = self.local_state(thread, false);
                self.note_await(thread, &local);
                self.here[number] = self.known.add(local);
            }
        }
    }

    /// The operation of the last event is complete, and a thread goes on. `result`: of the operation, if its next local state
    /// depends on nothing else.
    pub(super) fn go_on(
        &mut self,
        number: u32,
        completion: Completion,
        result: Option<u128>,
    ) -> Result<(), Stop> {
        let (at, change) = (self.trace.len() - 1, self.change());
        if let Some(done) = self.behind.done.last_mut() {
            (done.event, done.change) = (at as u32, change);
        }
        if let Some(result) = result
            && self.is_repeatable
            && !self.behind.present.is_begun
            && let Some(to) = self.known.after(self.here[number as usize], result)
            && self.may_come_to(to)
        {
            self.come_to(number, to);
            self.behind.exits += u32::from(self.exits(to));
            return Ok(());
        }
        self.begin();
        let event = self.trace[at];
        debug_assert_eq!(completion, completion_of(&event));
        let stop = self.execute(&event, change);
        let present = &mut self.behind.present;
        (present.is_executed, present.result, present.exits) = (true, result, stop == Stop::Exited);
        match stop {
            Stop::Visible | Stop::Finished | Stop::Exited => Ok(()),
            stop => Err(stop),
        }
    }

    /// Whether a thread that comes to a local state would stop there, too, if it were executed. It would if others can see what
    /// it accesses.
    fn may_come_to(&self, to: LocalStateId) -> bool {
        let created = self.known.get(to).and_then(|local| local.created);
        created.is_none_or(|(address, size)| self.machine.is_shared(address, u64::from(size)))
    }

    /// Whether a thread that comes to a local state has ended the process.
    fn exits(&self, to: LocalStateId) -> bool {
        to.readiness == Readiness::Never
            && matches!(
                self.known.get(to),
                Some(LocalState { course: Course::Ended { exits: true, .. }, .. })
            )
    }

    /// Whether the machine has executed a thread in the present step.
    pub(super) fn is_executed(&self) -> bool {
        self.behind.present.is_executed
    }

    /// The last node, if it changes something that threads share. (What has failed, or was performed in parts, has changed it
    /// already.)
    fn change(&self) -> Id {
        let last = self.graph.nodes().len() as Id - 1;
        let node = self.graph.node(last);
        let changes = match node.kind {
            Kind::Write => node.is(flag::SYNC) || self.graph.last_write(node.cell) == last,
            Kind::Wake | Kind::Join(_) => true,
            _ => false,
        };
        if changes { last } else { NONE }
    }

    /// Executes a thread whose operation is complete, up to its next one. `change`: the node by which it has changed something.
    fn execute(&mut self, event: &Event, change: Id) -> Stop {
        let Event { thread, operation, choice, .. } = event;
        if change != NONE {
            let node = *self.graph.node(change);
            match operation {
                Operation::Sync { .. } | Operation::Join { .. } => {
                    // The thread has got the result already.
                    if let Err(stop) = self.machine.answer(*thread, operation, *choice) {
                        return stop;
                    }
                }
                _ => self.put_from(node.cell, change),
            }
        }
        self.note_in_history(event);
        let defined = self.undefined.take_loaded();
        self.machine.complete_with(*thread, completion_of(event), defined)
    }

    /// Notes an operation for the recognition of waiting loops.
    fn note_in_history(&mut self, event: &Event) {
        let Event { thread, operation, read, written, before, .. } = event;
        let in_loop = self.machine.is_in_loop(*thread, DEEPEST_LOOP);
        let history = self.history(*thread);
        if !in_loop && history.ignores(operation) {
            return;
        }
        let mark = history.mark();
        self.histories.undo.push((*thread, mark));
        let result = match operation {
            Operation::CompareExchange { .. } => 0,
            _ => read.unwrap_or(0),
        };
        let seen = match operation {
            Operation::Load { .. } => result,
            // Of the state of an object, the first bytes decide.
            Operation::Sync { .. } => before & u128::from(u64::MAX),
            _ => *before,
        };
        let changed = written.is_some_and(|written| written != *before);
        let outcome = OperationEffect { before: seen, changed, buffered: false, result };
        self.history(*thread).step(operation, &outcome);
    }

    /// The machine has executed a thread in the present step: its local state becomes known.
    pub(super) fn learn(&mut self, thread: ThreadId, number: u32) {
        self.note_published();
        let is_dependent = self.machine.is_dependent();
        let is_entangled = self.machine.take_entangled();
        let present = &mut self.behind.present;
        present.is_entangled |= is_entangled || !self.is_repeatable || self.reports_leaks && present.exits;
        let result = present.result.filter(|_| present.is_executed && !is_dependent);
        let (is_local, exits) = (!present.is_entangled, present.is_executed && present.exits);
        self.behind.exits += u32::from(exits);
        if self.known.is_full() {
            self.forget();
        }
        let from = self.behind.done.last().map_or(UNKNOWN, |done| done.from);
        let local = self.local_state(thread, exits);
        self.note_await(thread, &local);
        let to = match result {
            Some(result) => self.known.learn(from, result, is_local, local),
            None => self.known.add(local),
        };
        self.come_to(number, to);
    }

    /// A thread, which another has created in the local state `creator`, has come to its first operation.
    pub(super) fn learn_beginning(&mut self, thread: ThreadId, exits: bool, creator: LocalStateId) {
        self.behind.exits += u32::from(exits);
        let number = self.graph.number(thread) as usize;
        self.here.resize(self.here.len().max(number + 1), UNKNOWN);
        let local = self.local_state(thread, exits);
        self.note_await(thread, &local);
        self.here[number] = match self.machine.is_dependent() {
            true => self.known.add(local),
            false => self.known.learn(creator, CREATED, false, local),
        };
    }

    /// Forgets all that is known. The machine must be up to date, but for the present step.
    pub(super) fn forget(&mut self) {
        self.known.forget();
        for step in &mut self.behind.done {
            (step.from, step.to) = (UNKNOWN, UNKNOWN);
        }
        self.here.fill(UNKNOWN);
        self.find_local_states();
    }

    /// The operation as a single access, if it is one whatever others do.
    fn single_access(&self, operation: &Operation) -> Option<SingleAccess> {
        let is_atomic = !matches!(
            operation,
            Operation::Load { order: LoadOrder::Plain, .. }
                | Operation::Store { order: StoreOrder::Plain, .. }
        );
        extent(operation).filter(|_| is_atomic || self.cuts.is_empty())
    }

    /// Whether a thread goes on, according to the machine, which must be up to date.
    fn course_of(&self, thread: ThreadId, exits: bool) -> Course {
        let position = self.machine.thread(thread).map(|thread| thread.position);
        match position.map(|position| (position.status, position.result)) {
            Some((Status::Finished, result)) => Course::Ended { result, exits },
            _ => self.machine.pending(thread).map_or(Course::Stopped, Course::Before),
        }
    }

    /// The local state of a thread, according to the machine, which must be up to date.
    fn local_state(&self, thread: ThreadId, exits: bool) -> LocalState {
        let position = self.machine.thread(thread).map(|thread| thread.position);
        let course = self.course_of(thread, exits);
        let operation = match &course {
            Course::Before(operation) => Some(operation),
            _ => None,
        };
        let in_section = self.machine.in_atomic_section(thread);
        let history = self.histories.of_threads.get(thread.number());
        let round = history.and_then(|history| history.round().zip(history.watched()));
        LocalState {
            site: self.machine.site(thread),
            index: position.map_or(0, |position| position.events),
            in_loop: self.machine.is_in_loop(thread, DEEPEST_LOOP),
            in_section,
            wakes_by_itself: self.machine.may_wake_by_itself(thread),
            round: round.map(|(from, reads)| Box::new(Round { from, reads: reads.to_vec() })),
            access: operation.and_then(|operation| self.single_access(operation)).filter(|_| !in_section),
            created: operation.and_then(created),
            may_await: awaits::may_await(&self.machine, thread).is_some(),
            course,
        }
    }
}

/// The only location that an operation accesses, and whether it reads first, if it is a single access.
fn extent(operation: &Operation) -> Option<SingleAccess> {
    let (address, ty, reads) = match *operation {
        Operation::Load { address, ty, .. }
        | Operation::Rmw { address, ty, .. }
        | Operation::CompareExchange { address, ty, .. } => (address, ty, true),
        Operation::Store { address, ty, .. } => (address, ty, false),
        _ => return None,
    };
    Some(SingleAccess { address, size: ty.bytes(), reads })
}

/// Address and size of what an operation accesses, if that only exists because threads have created it.
fn created(operation: &Operation) -> Option<(u64, u32)> {
    match operation {
        // These may be about several objects: an address that nobody could access stands for them.
        Operation::Copy { .. }
        | Operation::Set { .. }
        | Operation::Release { .. }
        | Operation::EndScope { .. } => Some((0, 1)),
        _ => {
            let access = extent(operation).filter(|access| access.address >= GLOBALS_END)?;
            Some((access.address, access.size))
        }
    }
}

/// What has completed the operation of an event.
fn completion_of(event: &Event) -> Completion {
    match (&event.operation, event.read) {
        (Operation::CompareExchange { .. }, Some(old)) => {
            Completion::Exchanged { old, success: event.written.is_some() }
        }
        (_, Some(value)) => Completion::Value(value),
        (_, None) => Completion::Done,
    }
}
