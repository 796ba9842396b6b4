//! From an execution to others: what could somebody have been told instead?
//!
//! For each action that could be told something else there is a moment at which its thread is about to perform it, and for
//! each *alternative* a literal that implies it. The solver looks for beginnings of the execution, in another order, after which
//! the thread is told that. Such a beginning together with the alternative is a *seed*.
//!
//! Of all seeds of an alternative only those are of interest that are not contained in another one. SE-MCR asks for seeds that
//! no explored execution contains: for each execution that does contain what the solver has come up with, a clause says that
//! somebody must have come further than it agrees with that. MCR lets the solver extend a beginning until it can't, and asks
//! for all that are not part of one of these.
//!
//! Last looks come first: what goes wrong mostly does so where a thread has come far and is told something unexpected then, and
//! not where it is told that at its beginning.

use super::causality::{Beginning, Causality, Moment};
use super::seen::{Spot, arrival_of};
use crate::Control;
use crate::SolverWork;
use crate::views::vieq::Job;
use crate::views::vieq::bounds::Bounds;
use crate::views::vieq::script::{DEAD, NOTHING, Part, Question, Value, bits_told, told_at};
use crate::views::vieq::search::{Host, Looking, Step, begin_one, told_by};
use crate::views::vieq::stuck::{self, Stuck};
use crate::views::vieq::views::Goal;
use selvedge_solve::{Event, Lit};
use std::time::Instant;

/// Something that a thread could be told instead.
struct Alternative {
    /// What. Several if the thread chooses: then each is possible whenever the others are.
    told: Vec<u64>,
    /// Implies it, at the moment.
    literal: Lit,
}

impl Alternative {
    fn new(told: u64, literal: Lit) -> Self {
        Alternative { told: vec![told], literal }
    }
}

/// What the search for seeds is about.
struct Seeds<'x, 'h> {
    job: &'x Job,
    bounds: &'x Bounds<'x>,
    causality: Option<Box<Causality<'x>>>,
    looking: Looking<'x>,
    /// Whether to leave out what an explored execution contains.
    frugal: bool,
    /// How many states may be looked at for an answer before the solver is asked.
    patience: u64,
    host: &'h mut dyn Host,
    goal: Goal,
    agreed: Vec<u32>,
    work: SolverWork,
    /// From when on the time has not been counted.
    since: Instant,
}

/// Searches an execution for all seeds that are not contained in others.
pub fn find_all(job: &Job, _: u64, host: &mut dyn Host) -> Control {
    find(job, None, host)
}

/// Searches an execution for seeds that no explored execution contains.
pub fn find_new(job: &Job, patience: u64, host: &mut dyn Host) -> Control {
    // The search knows no store buffers.
    let patience = if job.execution.has_delays() { 0 } else { patience };
    find(job, Some(patience), host)
}

/// Searches for seeds. If a number of states is given, it is for those that no explored execution contains, and may take so
/// many before the solver is asked.
fn find(job: &Job, patience: Option<u64>, host: &mut dyn Host) -> Control {
    let bounds = Bounds::new(&job.execution);
    let mut seeds = Seeds {
        job,
        bounds: &bounds,
        causality: None,
        looking: Looking::new(&bounds, &job.execution),
        frugal: patience.is_some(),
        patience: patience.unwrap_or(0),
        host,
        goal: Goal::default(),
        agreed: Vec::new(),
        work: SolverWork::default(),
        since: Instant::now(),
    };
    let control = seeds.find();
    seeds.count_time();
    seeds.work.seeds += seeds.looking.explored();
    if let Some(causality) = &seeds.causality {
        let statistics = causality.statistics();
        seeds.work.problems = 1;
        seeds.work.calls = statistics.calls;
        seeds.work.literals = statistics.literals;
        seeds.work.largest = statistics.literals;
    }
    let work = seeds.work;
    host.note(work);
    control
}

impl<'x> Seeds<'x, '_> {
    fn find(&mut self) -> Control {
        let (mut limits, mut looks) = (Vec::new(), Vec::new());
        for script in (0..self.job.execution.scripts.len()).rev() {
            self.bounds.find_looks(script, &mut limits, &mut looks);
            self.host.begin(&mut looks);
            for (position, _) in looks.iter().rev() {
                if self.look((script, *position), &mut limits) == Control::Stop {
                    return Control::Stop;
                }
            }
        }
        match stuck::find(&self.job.execution, self.bounds) {
            Stuck::Never => Control::Continue,
            stuck => self.try_find_stuck().unwrap_or_else(|| self.find_stuck(&stuck)),
        }
    }

    fn count_time(&mut self) {
        self.work.nanoseconds += self.since.elapsed().as_nanos() as u64;
        self.since = Instant::now();
    }

    /// Has steps run; that is not the solver's time.
    fn run(&mut self, goal: &Goal, steps: &[Step]) -> Control {
        self.count_time();
        let control = self.host.explore(goal, steps);
        self.since = Instant::now();
        control
    }

    fn causality(&mut self) -> &mut Causality<'x> {
        let (job, bounds) = (self.job, self.bounds);
        self.causality.get_or_insert_with(|| Box::new(Causality::new(&job.execution, bounds, &job.order)))
    }

    /// Looks for what an action could be told instead.
    fn look(&mut self, spot: Spot, limits: &mut Vec<u32>) -> Control {
        if let Some(part) = self.bounds.seen_part(spot.0, spot.1) {
            for source in self.bounds.sources(spot.0, spot.1, part) {
                let value = Value { part, value: source.value };
                if !self.bounds.find_limits(spot.0, spot.1, Some((value, &source)), limits)
                    || self.is_known(spot, value, limits)
                    || !begin_one(self.bounds.name_of_wish(spot.0, spot.1, value, limits), self.host)
                {
                    continue;
                }
                match self.try_look(spot, Some(value), limits) {
                    None => {}
                    Some(Control::Continue) => continue,
                    Some(Control::Stop) => return Control::Stop,
                }
                let causality = self.causality();
                let moment = causality.moment_of(spot, limits);
                let told = bits_told(part, value.value);
                let literal = causality.sees_value(moment.event, spot, value);
                if self.explore(spot, &moment, &Alternative::new(told, literal), limits) == Control::Stop {
                    return Control::Stop;
                }
            }
            return Control::Continue;
        }
        self.bounds.find_limits(spot.0, spot.1, None, limits);
        if let Some(control) = self.try_look(spot, None, limits) {
            return control;
        }
        let causality = self.causality();
        let moment = causality.moment_of(spot, limits);
        let action = causality.action(spot);
        let cells: Vec<usize> = action.looks.iter().flat_map(|part| causality.cells.of(*part)).collect();
        if action.question == Question::Bits && cells.len() > 1 {
            return self.read_several(spot, &moment, limits);
        }
        for alternative in causality.alternatives(spot, &moment) {
            if self.explore(spot, &moment, &alternative, limits) == Control::Stop {
                return Control::Stop;
            }
        }
        Control::Continue
    }

    /// Looks for what an action could be told instead without the solver; `None` if that would take too long.
    fn try_look(&mut self, spot: Spot, wish: Option<Value>, limits: &[u32]) -> Option<Control> {
        self.spare(|looking, patience, host| looking.try_look(spot, wish, limits, patience, host))
    }

    /// Searches for an answer without the solver, if there is patience for that; that is not the solver's time.
    fn spare(
        &mut self,
        search: impl FnOnce(&mut Looking<'x>, u64, &mut dyn Host) -> Option<Control>,
    ) -> Option<Control> {
        if self.patience == 0 {
            return None;
        }
        self.count_time();
        let control = search(&mut self.looking, self.patience, self.host);
        self.since = Instant::now();
        self.work.spared += u64::from(control.is_some());
        control
    }

    /// Whether it has been explored that a thread sees a value, with all others as far as can be.
    fn is_known(&mut self, (script, position): Spot, value: Value, limits: &[u32]) -> bool {
        let positions: Vec<usize> = limits.iter().map(|limit| *limit as usize).collect();
        self.set_goal(Some(((script, position), bits_told(value.part, value.value))), &positions);
        self.host.has_explored(&self.goal)
    }

    fn set_goal(&mut self, told: Option<(Spot, u64)>, positions: &[usize]) {
        let scripts = &self.job.execution.scripts;
        let others = scripts.iter().zip(positions).enumerate();
        let others = others.filter(|(other, _)| told.is_none_or(|((script, _), _)| script != *other));
        told_by(others.map(|(_, (script, position))| (&**script, *position)), &mut self.goal.others);
        self.goal.told = told.map(|((script, at), told)| (scripts[script].histories[at], told_at(at, told)));
    }

    /// Explores an alternative, with all beginnings that it takes.
    fn explore(&mut self, spot: Spot, moment: &Moment, alternative: &Alternative, limits: &[u32]) -> Control {
        if alternative.literal == Lit::FALSE {
            return Control::Continue;
        }
        loop {
            if self.host.control() == Control::Stop {
                return Control::Stop;
            }
            let mut beginning = match self.causality().solve(moment, &[alternative.literal]) {
                Ok(beginning) => beginning,
                Err(true) => return Control::Continue,
                Err(false) => return Control::Stop,
            };
            if !self.frugal {
                self.extend(spot, moment, alternative, limits, &mut beginning);
            }
            let mut reached = beginning.positions.clone();
            for (number, told) in alternative.told.iter().enumerate() {
                if self.begin_with(spot, *told, &mut beginning) == Control::Stop {
                    return Control::Stop;
                }
                if self.frugal {
                    // What all of them have had is not asked for again.
                    for (reached, agreed) in reached.iter_mut().zip(&self.agreed) {
                        let agreed = *agreed as usize;
                        *reached = if number == 0 { agreed } else { agreed.min(*reached) };
                    }
                }
            }
            let further = self.further(spot, moment, &reached, limits);
            if further.is_empty() {
                // Nobody can come further, whatever the order.
                return Control::Continue;
            }
            let none = [!moment.guard, !alternative.literal];
            let clause: Vec<Lit> = further.into_iter().chain(none).collect();
            self.causality().order.clause(&clause);
        }
    }

    /// Explores an alternative after a beginning, unless that has been. With SE-MCR, `agreed` is then how far an execution that
    /// has it agrees with this one.
    fn begin_with(&mut self, spot: Spot, told: u64, beginning: &mut Beginning) -> Control {
        self.set_goal(Some((spot, told)), &beginning.positions);
        let goal = std::mem::take(&mut self.goal);
        let scripts = &self.job.execution.scripts;
        let known = match self.frugal {
            true => self.host.agreement(&goal, scripts, &mut self.agreed),
            // How far the others can come at most is not known in advance where locks keep them back, but it is now.
            false => scripts[spot.0].sections.is_inside(spot.1) && self.host.has_explored(&goal),
        };
        let mut control = Control::Continue;
        if !known {
            beginning.steps.push((scripts[spot.0].thread.into(), told));
            self.work.seeds += 1;
            control = self.run(&goal, &beginning.steps);
            beginning.steps.pop();
            if self.frugal && !self.host.agreement(&goal, scripts, &mut self.agreed) {
                let action = &scripts[spot.0].actions[spot.1];
                match action.question == Question::Nothing && told != DEAD {
                    // That something was there tells the thread nothing, so no history has it: what was run counts.
                    true => {
                        self.agreed.clear();
                        self.agreed.extend(beginning.positions.iter().map(|position| *position as u32));
                    }
                    false => control = Control::Stop,
                }
            }
        }
        self.goal = goal;
        control
    }

    /// That somebody else comes further than this, and is told something then.
    fn further(&mut self, spot: Spot, moment: &Moment, positions: &[usize], limits: &[u32]) -> Vec<Lit> {
        let scripts = &self.job.execution.scripts;
        let mut further = Vec::new();
        for (number, script) in scripts.iter().enumerate().filter(|(number, _)| *number != spot.0) {
            let here = script.histories[positions[number]];
            let rest = positions[number]..limits[number] as usize;
            let next = rest.into_iter().find(|position| script.histories[position + 1] != here);
            if let Some(next) = next {
                let causality = self.causality();
                further.push(causality.order.before(causality.events[number][next], moment.event));
            }
        }
        further
    }

    /// Extends a beginning until nobody can come further without somebody else not coming so far.
    fn extend(
        &mut self,
        spot: Spot,
        moment: &Moment,
        alternative: &Alternative,
        limits: &[u32],
        beginning: &mut Beginning,
    ) {
        loop {
            let further = self.further(spot, moment, &beginning.positions, limits);
            let causality = self.causality();
            let more = causality.any(&further);
            if more == Lit::FALSE {
                return;
            }
            let mut wishes = vec![alternative.literal, more];
            for (script, position) in beginning.positions.iter().enumerate() {
                if let Some(last) = position.checked_sub(1) {
                    wishes.push(causality.order.before(causality.events[script][last], moment.event));
                }
            }
            match causality.solve(moment, &wishes) {
                Ok(longer) => *beginning = longer,
                Err(_) => return,
            }
        }
    }

    /// A look at several cells: which values go together is for the solver to say.
    fn read_several(&mut self, spot: Spot, moment: &Moment, limits: &[u32]) -> Control {
        let causality = self.causality();
        let action = causality.action(spot);
        let mut cells: Vec<(usize, Vec<(u64, Lit)>)> = Vec::new();
        for cell in action.looks.iter().flat_map(|part| causality.cells.of(*part)).collect::<Vec<usize>>() {
            let values = causality.values(spot, cell);
            let literals = values
                .into_iter()
                .map(|value| (value, causality.sees(moment.event, spot, cell, |other| other == value)));
            cells.push((cell, literals.collect()));
        }
        let changed = causality.sees_change(moment.event, spot);
        let dead = causality.dead_places(action);
        let alive = causality.is_dead(moment.event, &dead, false);
        let possible = causality.all(&[changed, alive]);
        for (_, values) in &cells {
            let clause: Vec<Lit> =
                values.iter().map(|(_, literal)| *literal).chain([!moment.guard]).collect();
            causality.order.clause(&clause);
        }
        let differs = |values: &[u64]| -> Vec<Lit> {
            let all = cells.iter().zip(values);
            let others =
                all.flat_map(|((_, all), value)| all.iter().filter(move |(other, _)| other != value));
            others.map(|(_, literal)| *literal).collect()
        };
        let mut others = vec![possible];
        let performed = spot.1 < causality.execution.scripts[spot.0].performed;
        let was_dead = performed && action.told == DEAD;
        if performed && !was_dead {
            let seen = |cell: usize| {
                let part = causality.cells.all[cell].part;
                let looks = action.looks.iter().zip(&action.seen);
                let look = looks.filter(|(look, _)| look.place == part.place && look.bits & part.bits != 0);
                look.map(|(_, value)| value & part.bits).next().unwrap_or(0)
            };
            let seen: Vec<u64> = cells.iter().map(|(cell, _)| seen(*cell)).collect();
            let differs = differs(&seen);
            others.push(self.causality().any(&differs));
        }
        loop {
            let causality = self.causality();
            let Some(found) = causality.values_in(moment, &others, &cells) else { break };
            let place = |place: u32| {
                let all = cells.iter().zip(&found);
                let parts = all.filter(|((cell, _), _)| causality.cells.all[*cell].part.place == place);
                let seen = action.looks.iter().zip(&action.seen).filter(|(part, _)| part.place == place);
                let own = seen.fold(0, |bits, (_, value)| bits | value);
                parts.fold(own, |bits, ((cell, _), value)| {
                    bits & !causality.cells.all[*cell].part.bits | value
                })
            };
            let Some(told) = action.answer(place) else { break };
            let literals: Vec<Lit> = cells
                .iter()
                .zip(&found)
                .filter_map(|((_, all), value)| {
                    all.iter().find(|(other, _)| other == value).map(|(_, literal)| *literal)
                })
                .chain([possible])
                .collect();
            let literal = causality.all(&literals);
            let more = differs(&found);
            let alternative = Alternative::new(told, literal);
            if self.explore(spot, moment, &alternative, limits) == Control::Stop {
                return Control::Stop;
            }
            others.push(self.causality().any(&more));
        }
        if was_dead {
            return Control::Continue;
        }
        // It may also be that something is dead.
        let causality = self.causality();
        let literal = causality.is_dead(moment.event, &dead, true);
        self.explore(spot, moment, &Alternative::new(DEAD, literal), limits)
    }

    /// Looks for states in which nobody can go on without the solver; `None` if that would take too long.
    fn try_find_stuck(&mut self) -> Option<Control> {
        self.spare(|looking, patience, host| looking.try_find_stuck(patience, host))
    }

    /// Looks for states in which nobody can go on.
    fn find_stuck(&mut self, stuck: &Stuck) -> Control {
        let scripts = &self.job.execution.scripts;
        let limits: Vec<u32> = scripts.iter().map(|script| script.performed as u32).collect();
        let causality = self.causality();
        let moment = causality.new_moment(None, &limits);
        causality.require_stuck(&moment, stuck);
        loop {
            if self.host.control() == Control::Stop {
                return Control::Stop;
            }
            let mut beginning = match self.causality().solve(&moment, &[]) {
                Ok(beginning) => beginning,
                Err(true) => break,
                Err(false) => return Control::Stop,
            };
            self.set_goal(None, &beginning.positions);
            let goal = std::mem::take(&mut self.goal);
            if !self.host.has_explored(&goal) {
                self.work.seeds += 1;
                if self.run(&goal, &std::mem::take(&mut beginning.steps)) == Control::Stop {
                    return Control::Stop;
                }
            }
            self.goal = goal;
            // Somebody must be somewhere else.
            let mut clause = vec![!moment.guard];
            let causality = self.causality();
            for (script, position) in beginning.positions.iter().enumerate() {
                if let Some(event) = causality.events[script].get(*position).copied() {
                    clause.push(causality.order.before(event, moment.event));
                }
                if let Some(last) = position.checked_sub(1) {
                    let event = causality.events[script][last];
                    clause.push(causality.order.before(moment.event, event));
                }
            }
            causality.order.clause(&clause);
        }
        Control::Continue
    }
}

impl Causality<'_> {
    /// That an action sees a value, whatever it is told otherwise.
    fn sees_value(&mut self, at: Event, spot: Spot, value: Value) -> Lit {
        let mut literals = Vec::new();
        for cell in self.cells.of(value.part).collect::<Vec<usize>>() {
            let wanted = value.value & self.cells.all[cell].part.bits;
            literals.push(self.sees(at, spot, cell, |value| value == wanted));
        }
        let dead = self.dead_places(self.action(spot));
        literals.push(self.is_dead(at, &dead, false));
        self.all(&literals)
    }

    /// The values that a cell may have for an action.
    pub fn values(&self, spot: Spot, cell: usize) -> Vec<u64> {
        use super::cells::Change;
        let this = &self.cells.all[cell];
        let own = self.events[spot.0].get(spot.1);
        let mut values = vec![this.initial];
        let mut counts = (0, 0);
        for write in this.writes.iter().filter(|write| Some(&write.event) != own) {
            match write.change {
                Change::Set(value) => values.push(value),
                Change::Add(delta) if delta > 0 => counts.1 += 1,
                Change::Add(_) => counts.0 += 1,
            }
        }
        if counts != (0, 0) {
            let shift = this.part.bits.trailing_zeros().min(63);
            let bases = values.clone();
            for base in bases {
                let all = -counts.0..=counts.1;
                values.extend(
                    all.map(|delta: i64| {
                        (base >> shift).wrapping_add_signed(delta) << shift & this.part.bits
                    }),
                );
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// What some cells are in a model.
    fn values_in(
        &mut self,
        moment: &Moment,
        wishes: &[Lit],
        cells: &[(usize, Vec<(u64, Lit)>)],
    ) -> Option<Vec<u64>> {
        let mut assumptions = vec![moment.guard];
        assumptions.extend_from_slice(wishes);
        let selvedge_solve::Answer::Sat(model) = self.order.solve(&assumptions) else { return None };
        let value = |values: &Vec<(u64, Lit)>| {
            values.iter().find(|(_, literal)| model.value(*literal)).map(|(value, _)| *value)
        };
        cells.iter().map(|(_, values)| value(values)).collect()
    }

    /// What an action could be told instead, unless it looks at several cells.
    fn alternatives(&mut self, spot: Spot, moment: &Moment) -> Vec<Alternative> {
        let action = self.action(spot);
        let at = moment.event;
        let performed = spot.1 < self.execution.scripts[spot.0].performed;
        let dead = self.dead_places(action);
        let mut all = Vec::new();
        // Whoever was told that something is dead was told nothing of its contents.
        let was_dead = performed && action.told == DEAD;
        if !was_dead {
            let literal = self.is_dead(at, &dead, true);
            all.push(Alternative::new(DEAD, literal));
        }
        let alive = self.is_dead(at, &dead, false);
        let changed = self.sees_change(at, spot);
        let possible = self.all(&[alive, changed]);
        let is_new = |told: u64| !(performed && action.told == told);
        let mut others: Vec<(u64, Lit)> = Vec::new();
        let mut choices = Vec::new();
        match action.question {
            Question::Nothing if !performed || was_dead => others.push((NOTHING, Lit::TRUE)),
            Question::Join(_) | Question::JoinAll if !performed => {
                others.push((NOTHING, self.have_ended(at, spot)));
            }
            Question::Nothing | Question::Join(_) | Question::JoinAll => {}
            Question::Bits => {
                let cell = action.looks.iter().flat_map(|part| self.cells.of(*part)).next();
                let values = match cell {
                    Some(cell) => self.values(spot, cell),
                    None => vec![0],
                };
                for value in values {
                    let place = |place: u32| {
                        let seen =
                            action.looks.iter().zip(&action.seen).filter(|(part, _)| part.place == place);
                        let own = seen.fold(0, |bits, (_, value)| bits | value);
                        match cell.map(|cell| self.cells.all[cell].part) {
                            Some(Part { place: other, bits }) if other == place => own & !bits | value,
                            _ => own,
                        }
                    };
                    let Some(told) = action.answer(place) else { continue };
                    if is_new(told) {
                        let literal = match cell {
                            Some(cell) => self.sees(at, spot, cell, |other| other == value),
                            None => Lit::TRUE,
                        };
                        others.push((told, literal));
                    }
                }
            }
            Question::Take(test) => {
                if !performed || was_dead {
                    others.push((NOTHING, self.is_free(at, spot, test, true)));
                }
            }
            Question::TryToTake(test) => {
                for taken in [false, true] {
                    let told = 1 + u64::from(taken);
                    if is_new(told) {
                        let is_free = self.is_free(at, spot, test, taken);
                        // What was the same is told the same.
                        let differs = match action.state {
                            Some(state) if performed && !was_dead && test.holds(state) == taken => {
                                self.state_is_not(at, spot, state)
                            }
                            _ => Lit::TRUE,
                        };
                        others.push((told, self.all(&[is_free, differs])));
                    }
                }
            }
            Question::Once => {
                let part = action.looks.first().copied();
                let cells: Vec<usize> = part.into_iter().flat_map(|part| self.cells.of(part)).collect();
                for cell in cells {
                    for value in self.values(spot, cell) {
                        let told = u64::from(value as u32);
                        if told != 1 && is_new(told) {
                            others.push((told, self.sees(at, spot, cell, |other| other == value)));
                        }
                    }
                }
            }
            Question::Arrive => {
                let (was_last, was) = arrival_of(action);
                let generations = match action.looks.get(2).and_then(|part| self.cells.of(*part).next()) {
                    Some(cell) => self.values(spot, cell),
                    None => vec![was],
                };
                for (last, generation) in
                    [false, true].into_iter().flat_map(|last| generations.iter().map(move |g| (last, *g)))
                {
                    if performed && !was_dead && (last, generation) == (was_last, was) {
                        continue;
                    }
                    let told = crate::core::mix::mix(u64::from(last), generation);
                    others.push((told, self.arrives(at, spot, last, |other| other == generation)));
                }
            }
            Question::Woken { always } => {
                for woken in [false, true] {
                    let told = 1 + u64::from(woken);
                    if is_new(told) && (woken || always) {
                        others.push((told, self.is_woken(at, spot, woken)));
                    }
                }
            }
            Question::Signal { object } => {
                let scripts = self.execution.scripts.iter();
                let mut whom: Vec<u64> = scripts.map(|script| 1 + script.thread.number() as u64).collect();
                whom.push(0);
                for told in whom.into_iter().filter(|told| is_new(*told)) {
                    others.push((told, self.signals(at, object, told)));
                }
            }
            Question::Choose { options } => {
                choices.extend((0..u64::from(options)).filter(|told| is_new(*told)));
            }
        }
        let others = others.into_iter().map(|(told, literal)| (vec![told], literal));
        for (told, literal) in others.chain((!choices.is_empty()).then_some((choices, Lit::TRUE))) {
            let literal = self.all(&[possible, literal]);
            // Clauses about one alternative must not be about another.
            let literal = match literal == Lit::TRUE {
                true => self.order.var(),
                false => literal,
            };
            all.push(Alternative { told, literal });
        }
        all
    }

    /// That what an action looks at is not in a state.
    fn state_is_not(&mut self, at: Event, spot: Spot, state: u64) -> Lit {
        let action = self.action(spot);
        let mut rest = state;
        let mut literals = Vec::new();
        for (number, part) in action.looks.iter().take(2).enumerate() {
            let value = match number {
                0 => (rest << part.bits.trailing_zeros().min(63)) & part.bits,
                _ => rest & part.bits,
            };
            rest = rest.checked_shr(part.bits.count_ones()).unwrap_or(0);
            for cell in self.cells.of(*part).collect::<Vec<usize>>() {
                let old = value & self.cells.all[cell].part.bits;
                literals.push(self.sees(at, spot, cell, |value| value != old));
            }
        }
        self.any(&literals)
    }

    /// At a moment, nobody can go on.
    fn require_stuck(&mut self, moment: &Moment, stuck: &Stuck) {
        for script in 0..self.events.len() {
            let creation = self.creation(script);
            for position in 0..self.execution.scripts[script].actions.len() {
                let mut clause = vec![!moment.guard];
                let before = match position.checked_sub(1) {
                    Some(before) => Some(self.events[script][before]),
                    None => creation,
                };
                if let Some(before) = before {
                    clause.push(self.order.before(moment.event, before));
                }
                if let Some(event) = self.events[script].get(position).copied() {
                    clause.push(self.order.before(event, moment.event));
                }
                if stuck.may_be((script, position)) {
                    clause.push(self.is_impossible(moment.event, (script, position)));
                }
                self.order.clause(&clause);
            }
            for position in 0..self.events[script].len() {
                let stored = self.order.before(self.events[script][position], moment.event);
                for arrival in self.arrivals_of(script, position + 1) {
                    let arrived = self.order.before(arrival, moment.event);
                    self.order.clause(&[!moment.guard, !stored, arrived]);
                }
            }
        }
    }

    /// That an action is not possible at a time.
    pub fn is_impossible(&mut self, at: Event, spot: Spot) -> Lit {
        let action = self.action(spot);
        let unchanged = self.sees_no_change(at, spot);
        let blocked = match action.question {
            Question::Take(test) => {
                let taken = self.is_free(at, spot, test, false);
                match action.state.filter(|state| !test.holds(*state)) {
                    Some(state) if spot.1 < self.execution.scripts[spot.0].performed => {
                        let differs = self.state_is_not(at, spot, state);
                        self.all(&[taken, differs])
                    }
                    _ => taken,
                }
            }
            Question::Once => self.first_word(at, spot, |word| word == 1),
            Question::Woken { always: false } => self.is_woken(at, spot, false),
            Question::Join(thread) => match self.bounds.script_of(thread) {
                Some(other) if other != spot.0 => self.has_not_ended(at, other),
                _ => Lit::FALSE,
            },
            Question::JoinAll => {
                let mut others = Vec::new();
                for other in (0..self.events.len()).filter(|other| *other != spot.0) {
                    let not_ended = self.has_not_ended(at, other);
                    let created = match self.creation(other) {
                        Some(creation) => self.order.before(creation, at),
                        None => Lit::TRUE,
                    };
                    others.push(self.all(&[not_ended, created]));
                }
                self.any(&others)
            }
            _ => Lit::FALSE,
        };
        let dead = self.dead_places(action);
        let alive = self.is_dead(at, &dead, false);
        let blocked = self.any(&[blocked, unchanged]);
        self.all(&[alive, blocked])
    }

    /// That all have ended that an action waits for.
    fn have_ended(&mut self, at: Event, spot: Spot) -> Lit {
        let mut literals = Vec::new();
        for other in self.joined(spot.0, self.action(spot).question) {
            let last = self.length_to_end(other).map(|length| match length.checked_sub(1) {
                Some(last) => Some(self.events[other][last]),
                None => self.creation(other),
            });
            let ended = match last {
                Some(Some(last)) => self.order.before(last, at),
                Some(None) => Lit::TRUE,
                None => Lit::FALSE,
            };
            literals.push(ended);
            for arrival in self.arrivals_of(other, usize::MAX) {
                literals.push(self.order.before(arrival, at));
            }
        }
        self.all(&literals)
    }

    fn has_not_ended(&mut self, at: Event, script: usize) -> Lit {
        match self.length_to_end(script) {
            None => Lit::TRUE,
            Some(0) => match self.creation(script) {
                Some(creation) => self.order.before(at, creation),
                None => Lit::FALSE,
            },
            Some(length) => self.order.before(at, self.events[script][length - 1]),
        }
    }
}
