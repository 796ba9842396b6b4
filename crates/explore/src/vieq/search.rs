//! In which other orders could the threads have done what they did, and who could have been told something else then?
//!
//! A state is how far each thread has come in its script, and what is at each place. The search goes through those
//! that can be reached with everybody being told what it was told in the execution, and reports each *turn*: a thread that
//! could be told something else in such a state, together with how far everybody has come. It also reports states in
//! which nobody can go on.
//!
//! Not all states have to be looked at, because it is enough if each turn is reported with everybody as far as possible,
//! or further:
//!
//! * Who can read what it has read does so at once: that changes nothing for the others. Only if it is the one to be told
//!   something else it has to wait; so from each such read a second search begins in which its thread stays there (it is
//!   *held*), unless nobody is left who could write there.
//! * A write is performed at once if nobody else uses the place any more, if nobody reads it any more, or if it changes
//!   nothing and none of the others' writes will. Otherwise it is tried now and later.
//! * What gives a lock back is performed at once unless somebody may look whether it is taken.

use super::script::{Action, Effect, Execution, Place, Question, Script, State, name};
use super::views::{Goal, History, Name, name_of};
use crate::Control;
use rustc_hash::FxHashSet;
use selvedge_trace::ThreadId;

/// A step to be taken: who, and what it is to be told.
pub type Step = (ThreadId, u64);

/// Who takes up what the search finds.
pub trait Host {
    /// Whether a goal has been explored.
    fn has_explored(&mut self, goal: &Goal) -> bool;

    /// Explores an execution that begins with these steps, and so reaches the goal.
    fn explore(&mut self, goal: &Goal, steps: &[Step]) -> Control;

    /// Whether to go on; to be asked now and then.
    fn control(&mut self) -> Control;
}

/// What remains to be done to a place by a thread: one more than the position of the last such action, or 0.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// The last that is told what is there.
    looks: u32,
    /// What was there for the last ones, if they were told just that: bits and value.
    expects: Option<(u64, u64)>,
    /// The last look before those.
    unlike: u32,
    /// The last that waits for it.
    takes: u32,
    /// The last that writes.
    writes: u32,
    /// What that one sets, if it does just that.
    value: Option<(u64, u64)>,
    /// The last write that does something else.
    other: u32,
}

/// A state with steps left to try.
struct Frame {
    state: usize,
    length: usize,
    /// The next thread to try.
    next: usize,
}

/// How often a long search asks whether to go on.
const PATIENCE: u64 = 4096;

/// A search through the states of an execution.
pub struct Search<'x> {
    execution: &'x Execution,
    target: Target,
    state: State,
    /// How far each thread has come.
    positions: Vec<u32>,
    /// Whose steps led here.
    path: Vec<u16>,
    /// By thread and position: the name of having come so far.
    names: Vec<Vec<u128>>,
    uses: Vec<Uses>,
    /// By place: whether it is where a thread's waiting is kept.
    is_waiting: Vec<bool>,
    seen: FxHashSet<u128>,
    /// Whether there are parts in which only one thread can run.
    exclusive: bool,
    looked: u64,
    steps: Vec<Step>,
    goal: Goal,
}

/// The names of each position of a script.
fn names((thread, script): (usize, &Script)) -> Vec<u128> {
    let name = |at: usize| if at == 0 { 0 } else { name(0xfeed ^ (thread as u64) << 32, at as u64) };
    (0..script.histories.len()).map(name).collect()
}

/// What each thread has been told by a position of its script; who was told nothing is left out.
fn told_by<'s>(scripts: impl Iterator<Item = (&'s Script, usize)>, into: &mut Vec<History>) {
    into.clear();
    for (script, position) in scripts {
        let history = script.histories[position];
        if history != script.histories[0] {
            into.push(history);
        }
    }
}

/// The name of the combination that an execution has ended with.
pub fn end_name(execution: &Execution) -> Name {
    let mut combination = Vec::new();
    told_by(execution.scripts.iter().map(|script| (script, script.performed)), &mut combination);
    name_of(&combination)
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Who could be told something else about a place.
    Place(Place),
    /// Who could be told something else that is not about what is at places, or be no longer blocked; and whether all
    /// can be blocked.
    Others,
}

impl<'x> Search<'x> {
    /// A search that has not begun.
    pub fn new(execution: &'x Execution) -> Self {
        let threads = execution.scripts.len();
        let mut uses = vec![Uses::default(); execution.places * threads];
        for (thread, script) in execution.scripts.iter().enumerate() {
            for (at, action) in script.actions.iter().enumerate() {
                add_uses(&mut uses, threads, thread, at as u32 + 1, action);
            }
        }
        let exclusive =
            execution.scripts.iter().any(|script| script.actions.iter().any(|action| action.exclusive));
        let mut is_waiting = vec![false; execution.places];
        for place in &execution.waiting {
            is_waiting[*place as usize] = true;
        }
        Self {
            execution,
            target: Target::Others,
            is_waiting,
            state: State::new(execution),
            positions: vec![0; threads],
            path: Vec::new(),
            names: execution.scripts.iter().enumerate().map(names).collect(),
            uses,
            seen: FxHashSet::default(),
            exclusive,
            looked: 0,
            steps: Vec::new(),
            goal: Goal::default(),
        }
    }

    /// Searches.
    pub fn run(&mut self, host: &mut impl Host) -> Control {
        for place in 0..self.execution.places as Place {
            self.target = Target::Place(place);
            if self.is_contested(place) && self.search(None, host) == Control::Stop {
                return Control::Stop;
            }
            self.seen.clear();
        }
        self.target = Target::Others;
        self.search(None, host)
    }

    /// Whether somebody looks at a place that somebody else changes.
    fn is_contested(&self, place: Place) -> bool {
        let looks = |thread: &usize| self.uses(place)[*thread].looks > 0;
        let is_changed = |thread: usize| !self.others(thread, place, |uses, _| uses.writes == 0);
        (0..self.threads()).filter(looks).any(is_changed)
    }

    /// Whether an action is what the search is for.
    fn is_target(&self, action: &Action) -> bool {
        match (self.target, action.question) {
            (
                Target::Others,
                Question::Choose { .. } | Question::Signal { .. } | Question::Woken { .. } | Question::Arrive,
            ) => true,
            (Target::Others, _) => false,
            (Target::Place(place), _) => action.looks.iter().any(|part| part.place == place),
        }
    }

    fn threads(&self) -> usize {
        self.positions.len()
    }

    /// The next action of a thread, if it is there: one that it performed, or could not perform.
    fn next(&self, thread: usize) -> Option<&'x Action> {
        let position = self.positions[thread];
        let exists =
            thread == 0 || position > 0 || self.state.values[self.execution.created[thread] as usize] != 0;
        self.execution.scripts[thread].actions.get(position as usize).filter(|_| exists)
    }

    /// Whether a thread can be joined: it has ended, or only waits for all others.
    fn has_ended(&self, thread: usize) -> bool {
        let script = &self.execution.scripts[thread];
        script.ended && self.positions[thread] as usize == script.performed
            || self.next(thread).is_some_and(|action| action.question == Question::JoinAll)
    }

    /// What an action of a thread is told in the present state; `None` if it is not possible.
    fn tells(&self, thread: usize, action: &Action) -> Option<u64> {
        match action.question {
            Question::Join(other) => {
                let scripts = &self.execution.scripts;
                let other = scripts.iter().position(|script| Some(script.thread) == other);
                // One that never existed, or itself: that is an error, and told at once.
                other.is_none_or(|other| other == thread || self.has_ended(other)).then_some(action.told)
            }
            Question::JoinAll => {
                let created = |other: &usize| {
                    *other == 0 || self.state.values[self.execution.created[*other] as usize] != 0
                };
                let mut others = (0..self.threads()).filter(created).filter(|other| *other != thread);
                others.all(|other| self.has_ended(other)).then_some(action.told)
            }
            Question::Signal { object } => {
                let mut waiting = self.waiting(object);
                let first = waiting.next();
                let first = first.map_or(0, |thread| 1 + thread.number() as u64);
                let same = first == action.told || waiting.any(|w| 1 + w.number() as u64 == action.told);
                Some(if same { action.told } else { first })
            }
            _ => self.state.tells(action),
        }
    }

    /// The threads that wait for an object.
    fn waiting(&self, object: u64) -> impl Iterator<Item = ThreadId> {
        let scripts = self.execution.scripts.iter().zip(&self.execution.waiting);
        scripts.filter(move |(_, place)| self.state.waits(**place, object)).map(|(script, _)| script.thread)
    }

    /// Whether a thread can take its next step as it did.
    fn can_step(&self, thread: usize) -> Option<&'x Action> {
        let action = self.next(thread)?;
        let performed = (self.positions[thread] as usize) < self.execution.scripts[thread].performed;
        (performed && self.tells(thread, action) == Some(action.told)).then_some(action)
    }

    /// The thread that keeps all others from running, if there is one.
    fn holder(&self) -> Option<usize> {
        if !self.exclusive {
            return None;
        }
        (0..self.threads()).find(|thread| {
            let last = (self.positions[*thread] as usize).checked_sub(1);
            last.is_some_and(|last| self.execution.scripts[*thread].actions[last].exclusive)
        })
    }

    fn take(&mut self, thread: usize, action: &Action) {
        self.state.perform(action, &self.execution.waiting);
        self.path.push(thread as u16);
        self.positions[thread] += 1;
    }

    /// The name of how far all have come.
    fn name(&self) -> u128 {
        let each = self.positions.iter().zip(&self.names);
        each.fold(0, |sum: u128, (position, names)| sum.wrapping_add(names[*position as usize]))
    }

    fn rewind(&mut self, state: usize, length: usize) {
        self.state.rewind(state);
        while self.path.len() > length {
            let Some(thread) = self.path.pop() else { return };
            self.positions[usize::from(thread)] -= 1;
        }
    }

    /// Searches from the present state, with a thread that is held where it is, or nobody.
    fn search(&mut self, held: Option<usize>, host: &mut impl Host) -> Control {
        let (state, length) = (self.state.mark(), self.path.len());
        let mut frames: Vec<Frame> = Vec::new();
        let mut control = self.enter(held, &mut frames, host);
        while control == Control::Continue
            && let Some(frame) = frames.last_mut()
        {
            let (at_state, at_length, first) = (frame.state, frame.length, frame.next);
            let holder = {
                self.rewind(at_state, at_length);
                self.holder()
            };
            let mut threads = first..self.threads();
            let next = threads.find_map(|thread| {
                let may = Some(thread) != held && holder.is_none_or(|holder| holder == thread);
                self.can_step(thread).filter(|_| may).map(|action| (thread, action))
            });
            let Some((thread, action)) = next else {
                frames.pop();
                continue;
            };
            frame.next = thread + 1;
            self.take(thread, action);
            control = self.enter(held, &mut frames, host);
        }
        self.rewind(state, length);
        control
    }

    /// Performs what can be performed at once, reports turns, and opens the state if it is new and there is something left.
    fn enter(&mut self, held: Option<usize>, frames: &mut Vec<Frame>, host: &mut impl Host) -> Control {
        if self.go_on(held, host) == Control::Stop {
            return Control::Stop;
        }
        let key = self
            .name()
            .wrapping_add(self.state.name)
            .wrapping_add(name(0xbeef, held.map_or(0, |held| 1 + held as u64)));
        if !self.seen.insert(key) {
            return Control::Continue;
        }
        self.looked += 1;
        if self.looked.is_multiple_of(PATIENCE) && host.control() == Control::Stop {
            return Control::Stop;
        }
        if self.report(held, host) == Control::Stop {
            return Control::Stop;
        }
        if held.is_none_or(|held| self.may_be_told_otherwise(held)) {
            frames.push(Frame { state: self.state.mark(), length: self.path.len(), next: 0 });
        }
        Control::Continue
    }

    /// Performs all that need not wait.
    fn go_on(&mut self, held: Option<usize>, host: &mut impl Host) -> Control {
        loop {
            let length = self.path.len();
            for thread in (0..self.threads()).filter(|thread| Some(*thread) != held) {
                while let Some(action) = self.can_step(thread)
                    && self.holder().is_none_or(|holder| holder == thread)
                    && self.need_not_wait(thread, action)
                {
                    let is_target =
                        held.is_none() && self.is_target(action) && self.may_be_told_otherwise(thread);
                    if is_target && self.search(Some(thread), host) == Control::Stop {
                        return Control::Stop;
                    }
                    self.take(thread, action);
                }
            }
            if self.path.len() == length {
                return Control::Continue;
            }
        }
    }

    fn uses(&self, place: Place) -> &[Uses] {
        let threads = self.threads();
        &self.uses[place as usize * threads..][..threads]
    }

    /// Whether all other threads that are left to use a place do so in a certain way.
    fn others(&self, thread: usize, place: Place, is_fine: impl Fn(&Uses, u32) -> bool) -> bool {
        let uses = self.uses(place).iter().zip(&self.positions).enumerate();
        uses.filter(|(other, _)| *other != thread).all(|(_, (uses, position))| is_fine(uses, *position))
    }

    /// Whether the thread's next action may be told something else if others go on.
    fn may_be_told_otherwise(&self, thread: usize) -> bool {
        let Some(action) = self.next(thread) else { return false };
        match action.question {
            Question::Choose { .. } | Question::Signal { .. } | Question::Woken { .. } | Question::Arrive => {
                true
            }
            Question::Join(_) | Question::JoinAll => false,
            _ => action
                .looks
                .iter()
                .any(|part| !self.others(thread, part.place, |uses, position| uses.writes <= position)),
        }
    }

    /// Whether nothing is lost if a thread performs its next action at once.
    fn need_not_wait(&self, thread: usize, action: &Action) -> bool {
        if matches!(action.question, Question::Woken { .. }) {
            // Who was let go is nobody's concern any more; who was not could have been chosen.
            return self.state.is_let_go(action);
        }
        action.effects.iter().all(|effect| {
            let (place, set) = match effect {
                Effect::Set { part, value } => (part.place, Some((part.bits, *value))),
                Effect::Add { part, .. } => (part.place, None),
                Effect::Free(place) => {
                    return self.others(thread, *place, |uses, position| {
                        uses.looks.max(uses.takes).max(uses.writes) <= position
                    });
                }
                Effect::Wake { .. } | Effect::WakeAll { .. } => return false,
            };
            if self.is_waiting[place as usize] {
                // Signals look who waits.
                return false;
            }
            let unused = |uses: &Uses, position: u32| uses.looks.max(uses.takes).max(uses.writes) <= position;
            if self.others(thread, place, unused) {
                return true;
            }
            let unread = |uses: &Uses, position: u32| uses.looks.max(uses.takes) <= position;
            let own = &self.uses(place)[thread];
            if own.looks.max(own.takes) <= self.positions[thread] + 1 && self.others(thread, place, unread) {
                return true;
            }
            if action.gives_back && self.others(thread, place, |uses, position| uses.looks <= position) {
                return true;
            }
            let Some((bits, value)) = set else { return false };
            let expected = |uses: &Uses, position: u32| {
                let fits = uses.expects.is_some_and(|(expected, is)| {
                    expected & !bits == 0 && value & expected == is && uses.unlike <= position
                });
                uses.takes.max(uses.writes) <= position && (uses.looks <= position || fits)
            };
            if self.target != Target::Place(place) && self.others(thread, place, expected) {
                return true;
            }
            let same = self.state.values[place as usize] & bits == value;
            same && self.others(thread, place, |uses, position| {
                uses.other <= position && (uses.writes <= position || uses.value == Some((bits, value)))
            })
        })
    }

    /// Reports who could be told something else in the present state; with nobody held, also if nobody can go on.
    fn report(&mut self, held: Option<usize>, host: &mut impl Host) -> Control {
        let mut is_stuck = true;
        let holder = self.holder();
        for thread in 0..self.threads() {
            if held.is_some_and(|held| held != thread) || holder.is_some_and(|holder| holder != thread) {
                continue;
            }
            let Some(action) = self.next(thread) else { continue };
            let performed = (self.positions[thread] as usize) < self.execution.scripts[thread].performed;
            let Some(told) = self.tells(thread, action) else { continue };
            is_stuck = false;
            if !self.is_target(action) && (performed || self.target != Target::Others) {
                continue;
            }
            let others: Vec<u64> = match action.question {
                Question::Choose { options } => (0..u64::from(options)).collect(),
                Question::Signal { object } => {
                    let mut woken: Vec<u64> =
                        self.waiting(object).map(|thread| 1 + thread.number() as u64).collect();
                    if woken.is_empty() {
                        woken.push(0);
                    }
                    woken
                }
                _ if performed && told == action.told => continue,
                _ => vec![told],
            };
            for told in others {
                let is_new = !performed || told != action.told;
                if is_new && self.reach(Some((thread, told)), host) == Control::Stop {
                    return Control::Stop;
                }
            }
        }
        if is_stuck && held.is_none() && holder.is_none() && self.target == Target::Others {
            return self.reach(None, host);
        }
        Control::Continue
    }

    /// The steps that led here.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let mut positions = vec![0; self.threads()];
        for thread in &self.path {
            let thread = usize::from(*thread);
            let script = &self.execution.scripts[thread];
            steps.push((script.thread, script.actions[positions[thread]].told));
            positions[thread] += 1;
        }
        steps
    }

    /// A thread could be told something else now, or nobody can go on: explores that, unless it has been with everybody at
    /// least as far as here.
    fn reach(&mut self, turn: Option<(usize, u64)>, host: &mut impl Host) -> Control {
        let mut goal = std::mem::take(&mut self.goal);
        let scripts = self.execution.scripts.iter().zip(&self.positions);
        let others = scripts.enumerate().filter(|(thread, _)| turn.is_none_or(|(told, _)| told != *thread));
        told_by(others.map(|(_, (script, position))| (script, *position as usize)), &mut goal.others);
        goal.told = turn.map(|(thread, told)| {
            (self.execution.scripts[thread].histories[self.positions[thread] as usize], told)
        });
        let mut control = Control::Continue;
        if !host.has_explored(&goal) {
            let mut steps = self.steps();
            steps.extend(turn.map(|(thread, told)| (self.execution.scripts[thread].thread, told)));
            control = host.explore(&goal, &steps);
            self.steps = steps;
        }
        self.goal = goal;
        control
    }
}

/// Adds what an action does to places.
fn add_uses(uses: &mut [Uses], threads: usize, thread: usize, position: u32, action: &Action) {
    let at = |place: Place| place as usize * threads + thread;
    for (number, part) in action.looks.iter().enumerate() {
        let uses = &mut uses[at(part.place)];
        if matches!(action.question, Question::Take(_)) {
            uses.takes = position;
            continue;
        }
        let expects = action.seen.get(number).filter(|_| action.watched.is_empty());
        let expects = expects.map(|value| (part.bits, *value));
        if expects.is_none() {
            uses.unlike = position;
        } else if expects != uses.expects {
            uses.unlike = uses.looks;
        }
        (uses.looks, uses.expects) = (position, expects);
    }
    for (part, _) in &action.watched {
        let uses = &mut uses[at(part.place)];
        (uses.looks, uses.unlike, uses.expects) = (position, position, None);
    }
    for effect in &action.effects {
        let (place, value) = match effect {
            Effect::Set { part, value } => (part.place, Some((part.bits, *value))),
            Effect::Add { part, .. } => (part.place, None),
            Effect::Free(place) => (*place, None),
            Effect::Wake { .. } | Effect::WakeAll { .. } => continue,
        };
        let uses = &mut uses[at(place)];
        if value.is_none() {
            uses.other = position;
        } else if uses.writes > 0 && uses.value != value {
            // The last one before that does something else.
            uses.other = uses.writes;
        }
        (uses.writes, uses.value) = (position, value);
    }
}
