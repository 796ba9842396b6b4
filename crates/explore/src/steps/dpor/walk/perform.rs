//! Performing a unit: its steps, what they touch, and its other alternatives.

use super::{Algorithm, Label, Walk};
use crate::core::dependence::{self, Access, Mode, Waking};
use crate::steps::dpor::branch::Branch;
use crate::steps::dpor::partial_order::{Awaited, Buffering, Family, Prospect};
use crate::{Progress, Turn};
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::{Agent, Operation, ThreadId};

/// What has to be known of a thread before its unit is performed.
struct Outset {
    position: usize,
    /// How many events there were.
    events: usize,
    /// How many stores the thread had buffered.
    issued: u32,
    /// Whether the thread is in a waiting loop.
    waits: bool,
    /// How a wait of the thread may end.
    waking: Waking,
    in_section: bool,
}

/// How a unit goes on after one of its steps.
enum GoesOn {
    /// It does not: it is complete.
    No,
    /// It excludes all others.
    Excluding,
    /// All others have ended.
    Alone,
}

/// Where the other alternatives of a unit are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It stands within a branch of a wake-up tree. What is asleep there covers an alternative that does not depend on it, unless
    /// what is planned after the unit wakes that: see [`Walk::others_cover`].
    Within,
    /// It stands at the end of a branch, or the walk goes on freely: everything has to be found.
    Free,
}

impl<S: System> Walk<'_, '_, S> {
    /// Performs the next unit of a thread.
    pub(in crate::steps::dpor) fn perform<A: Algorithm>(&mut self, label: Label) -> Progress {
        let (agent, thread) = (label.thread, label.thread.thread());
        let outset = self.set_out(agent);
        let awaited = self.look_at_awaited(agent);
        let (progress, family) = self.take_steps(&label, outset.position);
        let answers = std::mem::take(&mut self.scratch.answers);
        let mut next = self.prospect(agent, &outset);
        next.awaits = awaited.map(|awaited| awaited.with(&answers));
        if progress == Progress::On && self.session.system.machine().is_stopped_in_section(thread) {
            self.take_section_back(outset.position, thread);
        }
        if let (true, Buffering::Issues(count)) = (S::BUFFERED, &mut next.buffering) {
            *count = self.session.system.buffers().issued(thread) - outset.issued;
        }
        self.present.order.push(&Prospect { accesses: &self.scratch.accesses, ..next }, family);
        self.scratch.answers = answers;
        // A store that reaches memory is nobody's turn.
        self.last = if agent.is_thread() { thread } else { self.nodes[outset.position].last };
        // The alternatives of a unit are tried one after the other at the node where it is performed first. Those of
        // the steps whose alternative is given there have their branches already.
        let known = if self.plan.is_alternative_at(outset.position) { label.given() } else { 0 };
        self.note_label::<A>(label, &outset);
        if outset.position >= self.foreign.nodes && !self.scratch.choices.is_empty() {
            let is_within = A::WEAK && (!self.plan.is_followed() || self.plan.continues());
            let stands = if is_within { Stands::Within } else { Stands::Free };
            self.add_alternatives(outset.position, known, stands);
        }
        progress
    }

    /// Whether the unit that was performed last had alternatives.
    pub(in crate::steps::dpor) fn had_alternatives(&self) -> bool {
        !self.scratch.choices.is_empty()
    }

    /// Looks at an agent before its unit is performed.
    fn set_out(&mut self, agent: Agent) -> Outset {
        let (system, thread) = (&self.session.system, agent.thread());
        self.scratch.accesses.clear();
        self.scratch.choices.clear();
        Outset {
            position: self.present.order.length(),
            events: system.events().len(),
            issued: if S::BUFFERED { system.buffers().issued(thread) } else { 0 },
            waits: dependence::of_waiting(system, agent, &mut self.scratch.accesses),
            waking: Waking::of(system, thread),
            in_section: system.machine().in_atomic_section(thread),
        }
    }

    /// What an agent awaits, if it does; which values are fruitless is in `scratch.answers`.
    pub(super) fn look_at_awaited(&mut self, agent: Agent) -> Option<Awaited> {
        Awaited::find(&mut self.session.system, &mut self.present.order, agent, &mut self.scratch.answers)
    }

    /// Takes the steps of a unit; gives how that ended, and what the unit says about threads.
    fn take_steps(&mut self, label: &Label, position: usize) -> (Progress, Family) {
        let agent = label.thread;
        let mut family = Family::Nobody;
        let mut goes_on = GoesOn::No;
        let mut step = 0;
        loop {
            let choice = self.choose(label, step, position);
            let turn = Turn { agent, choice };
            let is_alone = matches!(goes_on, GoesOn::Alone);
            let progress = match is_alone {
                true => self.session.step_alone(turn),
                false => self.session.step_through(turn),
            };
            let mut joins = false;
            if !is_alone && let Some(event) = self.session.system.events().last() {
                let (system, woken) = (&self.session.system, self.session.woken());
                dependence::of_event(system, event, woken, &mut self.scratch.accesses);
                if let Some(own) = Family::of(event) {
                    joins = own == Family::JoinsAll || matches!(own, Family::Joins(_));
                    family = own;
                }
            }
            if progress == Progress::Ended {
                return (progress, family);
            }
            goes_on = self.goes_on(agent, is_alone || joins && self.is_alone(agent.thread()));
            if matches!(goes_on, GoesOn::No) {
                return (progress, family);
            }
            step += 1;
            // Every step is preceded by a mark.
            self.session.system.mark();
        }
    }

    /// The alternative that a step of a unit takes; notes which there are.
    #[inline]
    fn choose(&mut self, label: &Label, step: usize, position: usize) -> u32 {
        let options = self.session.system.choices(label.thread);
        if options <= 1 {
            return label.choice_of(step);
        }
        let choice = match self.present.paths.is_some() && step >= label.given() {
            true => self.first_awake(position, label.thread, &self.scratch.choices, options),
            false => label.choice_of(step),
        };
        let choices = &mut self.scratch.choices;
        choices.resize(step, (0, 1));
        choices.push((choice, options));
        choice
    }

    fn is_alone(&self, thread: ThreadId) -> bool {
        self.session.system.machine().is_alone(thread)
    }

    /// How a unit goes on; `alone`: nobody else can notice what its thread does.
    #[inline]
    fn goes_on(&self, agent: Agent, alone: bool) -> GoesOn {
        let (system, thread) = (&self.session.system, agent.thread());
        if alone {
            return if self.goes_on_alone(thread) { GoesOn::Alone } else { GoesOn::No };
        }
        let excludes =
            system.machine().excludes_others(thread) && agent.is_thread() && system.is_enabled(agent);
        if excludes { GoesOn::Excluding } else { GoesOn::No }
    }

    /// Whether a thread that nobody else can notice goes on without anything to decide.
    fn goes_on_alone(&self, thread: ThreadId) -> bool {
        let system = &self.session.system;
        let Some(operation) = system.machine().pending(thread) else { return false };
        !matches!(operation, Operation::Spawn { .. })
            && system.is_enabled(thread.into())
            && system.choices(thread.into()) == 1
            && !self.session.is_due()
    }

    /// Takes an atomic section back in which its thread has stopped: it has only read.
    fn take_section_back(&mut self, position: usize, thread: ThreadId) {
        if let Some(mark) = &self.nodes[position].mark {
            self.session.take_back(mark, thread);
        }
        for access in &mut self.scratch.accesses {
            (access.mode, access.delta) = (Mode::Read, 0);
        }
    }

    /// What the first event of a unit says about it; what it touches is to be added, and how many stores it has buffered.
    fn prospect<'a>(&self, agent: Agent, outset: &Outset) -> Prospect<'a> {
        let first = &self.session.system.events()[outset.events];
        let object = match first.operation {
            Operation::Sync { object, .. } => object,
            _ => 0,
        };
        let state = (first.before as u64) << (8 * (object & 7));
        let blocking = dependence::blocking(&first.operation, outset.waking);
        let buffering = Buffering::of(first, 0);
        let waits = outset.waits;
        Prospect { agent, accesses: &[], blocking, object, state, waits, awaits: None, buffering }
    }

    /// Notes what the last unit is called.
    fn note_label<A: Algorithm>(&mut self, label: Label, outset: &Outset) {
        let (present, choices) = (&mut self.present, &self.scratch.choices);
        present.labels.truncate(outset.position);
        match &mut present.paths {
            Some(paths) => {
                paths.truncate(outset.position);
                paths.push(choices.iter().copied().filter(|(_, options)| *options > 1).collect());
                let taken: Vec<u32> = choices.iter().map(|(taken, _)| *taken).collect();
                present.labels.push(Label::with(label.thread, &taken));
            }
            None => {
                self.needs_paths |= outset.in_section && A::SLEEPS && !choices.is_empty();
                present.labels.push(label);
            }
        }
        present.events.truncate(outset.position);
        present.events.push(outset.events as u32);
    }

    /// Sees to it that all alternatives of the unit at a position are tried; those of its first steps are `known` to be.
    fn add_alternatives(&mut self, position: usize, known: usize, stands: Stands) {
        let choices = std::mem::take(&mut self.scratch.choices);
        let steps = || choices.iter().enumerate().skip(known).filter(|(_, (_, options))| *options > 1);
        if steps().next().is_some() && !(stands == Stands::Within && self.others_cover(position)) {
            let thread = self.present.labels[position].thread;
            let own = self.covering(position).filter(|(other, _)| other.thread == thread);
            let own: Vec<Label> = own.map(|(label, _)| label.clone()).collect();
            for (step, (taken, options)) in steps() {
                for choice in (0..*options).filter(|choice| choice != taken) {
                    self.add_alternative(position, &own, &choices[..step], (choice, *options));
                }
            }
        }
        self.scratch.choices = choices;
    }

    /// Whether something covers all alternatives of the unit at a position: it depends neither on the unit nor on what is
    /// planned after it, so it may as well come first. (If what is planned conflicts with it, the same may be needed with another
    /// alternative: a sequence that says nothing of the unit counts as explored by a branch that has it.)
    fn others_cover(&self, position: usize) -> bool {
        let thread = self.present.labels[position].thread;
        let accesses = self.present.order.accesses(position as u32);
        let covers = |(other, theirs): (&Label, &[Access])| {
            other.thread != thread
                && !dependence::dependent(theirs, accesses)
                && !self.plan.wakes(other, theirs, thread)
        };
        self.present.paths.is_none() && self.covering(position).any(covers)
    }

    /// Adds a branch in which the unit at a position makes a choice after these steps, unless there is one: those of its thread
    /// are known.
    fn add_alternative(
        &mut self,
        position: usize,
        own: &[Label],
        steps: &[(u32, u32)],
        (choice, options): (u32, u32),
    ) {
        let thread = self.present.labels[position].thread;
        let path: Vec<u32> = steps.iter().map(|(taken, _)| *taken).chain([choice]).collect();
        let label = Label::with(thread, &path);
        let covered = match self.present.paths {
            Some(_) => self.is_prefix_covered(position, &label, steps, (choice, options)),
            None => own.contains(&label),
        };
        if !covered {
            let mut branch = Branch::of(label, self.present.order.accesses(position as u32));
            branch.is_alternative = true;
            branch.is_new(self.now);
            self.nodes[position].tree.push(branch);
        }
    }
}
