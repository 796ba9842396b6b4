//! From an execution to others: which results could its events have had instead?
//!
//! For each entry that could have another result there is a moment at which its thread is about to perform it, and for each
//! *alternative* result a literal that implies it. The solver looks for prefixes of the execution, in another order, after
//! which the entry has that result. Such a prefix together with the alternative is a *seed*.
//!
//! Of all seeds of an alternative only those are of interest that are not contained in another one. SE-MCR asks for seeds that
//! no explored execution contains: for each execution that does contain what the solver has come up with, a clause says that
//! some thread must have come further than that execution agrees with this one. MCR lets the solver extend a prefix until it
//! can't, and asks for all that are not part of one of these.
//!
//! The last targets of a script come first: what goes wrong mostly does so where a thread has come far and then reads something
//! unexpected, and not where it does so at its beginning.

use super::alternatives::{Alternative, Several};
use super::causality::{Causality, Moment, Prefix, Solution};
use super::seen::EntryId;
use crate::Control;
use crate::SolverWork;
use crate::views::bounds::{Bounds, Source};
use crate::views::history::Goal;
use crate::views::method::{Host, Job, Repeats, Step, begin_one};
use crate::views::script::{DEAD, LocationPart, Question, Value, histories_at, history_item, value_result};
use crate::views::search::Searcher;
use crate::views::stuck::{self, Stuck};
use selvedge_solve::Lit;
use std::time::Instant;

/// What the search for seeds is about.
struct Seeds<'x, 'h> {
    job: &'x Job,
    bounds: &'x Bounds<'x>,
    causality: Option<Box<Causality<'x>>>,
    searcher: Searcher<'x>,
    /// What may be explored although an explored execution contains it.
    repeats: Repeats,
    /// How many states may be visited for an answer before the solver is asked.
    patience: u64,
    host: &'h mut dyn Host,
    goal: Goal,
    agreed: Vec<u32>,
    work: SolverWork,
    /// From when on the time has not been counted.
    since: Instant,
}

/// Searches an execution for seeds: those that are not contained in others, or, if nothing may be explored that an explored
/// execution contains, all that are new. `patience`: how many states to visit for an answer before the solver is asked.
pub fn find(job: &Job, repeats: Repeats, patience: u64, host: &mut dyn Host) -> Control {
    // The search knows no store buffers.
    let patience = if job.execution.has_delays() { 0 } else { patience };
    let bounds = Bounds::new(&job.execution);
    let mut seeds = Seeds {
        job,
        bounds: &bounds,
        causality: None,
        searcher: Searcher::new(&bounds, &job.execution),
        repeats,
        patience,
        host,
        goal: Goal::default(),
        agreed: Vec::new(),
        work: SolverWork::default(),
        since: Instant::now(),
    };
    let control = seeds.find();
    seeds.count_time();
    seeds.work.seeds += seeds.searcher.explored();
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
        let (mut limits, mut targets) = (Vec::new(), Vec::new());
        for script in (0..self.job.execution.scripts.len()).rev() {
            self.bounds.find_targets(script, &mut limits, &mut targets);
            self.host.begin(&mut targets);
            for (position, _) in targets.iter().rev() {
                if self.search_target((script, *position), &mut limits) == Control::Stop {
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

    /// Searches for the other results of an entry.
    fn search_target(&mut self, id: EntryId, limits: &mut Vec<u32>) -> Control {
        if let Some(part) = self.bounds.part_read(id.0, id.1) {
            for source in self.bounds.sources(id.0, id.1, part) {
                if self.search_value(id, part, &source, limits) == Control::Stop {
                    return Control::Stop;
                }
            }
            return Control::Continue;
        }
        self.bounds.find_limits(id.0, id.1, None, limits);
        if let Some(control) = self.try_target(id, None, limits) {
            return control;
        }
        let causality = self.causality();
        let moment = causality.moment_of(id, limits);
        let entry = causality.entry(id);
        let cells: Vec<usize> = entry.reads.iter().flat_map(|part| causality.cells.of(*part)).collect();
        if entry.question == Question::Values && cells.len() > 1 {
            return self.read_several(id, &moment, limits, &cells);
        }
        for alternative in causality.alternatives(id, &moment) {
            if self.explore(id, &moment, &alternative, limits) == Control::Stop {
                return Control::Stop;
            }
        }
        Control::Continue
    }

    /// Searches for orders in which an entry reads the value of a source.
    fn search_value(
        &mut self,
        id: EntryId,
        part: LocationPart,
        source: &Source,
        limits: &mut Vec<u32>,
    ) -> Control {
        let value = Value { part, value: source.value };
        if !self.bounds.find_limits(id.0, id.1, Some((value, source)), limits)
            || self.is_known(id, value, limits)
            || !begin_one(self.bounds.name_of_wish(id.0, id.1, value, limits), self.host)
        {
            return Control::Continue;
        }
        if let Some(control) = self.try_target(id, Some(value), limits) {
            return control;
        }
        let causality = self.causality();
        let moment = causality.moment_of(id, limits);
        let result = value_result(part, value.value);
        let literal = causality.sees_value(moment.event, id, value);
        self.explore(id, &moment, &Alternative::new(result, literal), limits)
    }

    /// Searches for orders in which an entry reads other values of several cells.
    fn read_several(&mut self, id: EntryId, moment: &Moment, limits: &[u32], cells: &[usize]) -> Control {
        let mut several = Several::new(self.causality(), id, moment, cells);
        while let Some(alternative) = several.next(self.causality(), moment) {
            if self.explore(id, moment, &alternative, limits) == Control::Stop {
                return Control::Stop;
            }
        }
        // It may also be that something is dead.
        match several.death(self.causality(), moment) {
            Some(alternative) => self.explore(id, moment, &alternative, limits),
            None => Control::Continue,
        }
    }

    /// Searches for the other results of an entry without the solver; `None` if that would take too long.
    fn try_target(&mut self, id: EntryId, wish: Option<Value>, limits: &[u32]) -> Option<Control> {
        self.spare(|searcher, patience, host| searcher.try_target(id, wish, limits, patience, host))
    }

    /// Searches for an answer without the solver, if there is patience for that; that is not the solver's time.
    fn spare(
        &mut self,
        search: impl FnOnce(&mut Searcher<'x>, u64, &mut dyn Host) -> Option<Control>,
    ) -> Option<Control> {
        if self.patience == 0 {
            return None;
        }
        self.count_time();
        let control = search(&mut self.searcher, self.patience, self.host);
        self.since = Instant::now();
        self.work.spared += u64::from(control.is_some());
        control
    }

    /// Whether it has been explored that a thread sees a value, with all others as far as can be.
    fn is_known(&mut self, (script, position): EntryId, value: Value, limits: &[u32]) -> bool {
        let positions: Vec<usize> = limits.iter().map(|limit| *limit as usize).collect();
        self.set_goal(Some(((script, position), value_result(value.part, value.value))), &positions);
        self.host.has_explored(&self.goal)
    }

    fn set_goal(&mut self, result: Option<(EntryId, u64)>, positions: &[usize]) {
        let scripts = &self.job.execution.scripts;
        let others = scripts.iter().zip(positions).enumerate();
        let others = others.filter(|(other, _)| result.is_none_or(|((script, _), _)| script != *other));
        histories_at(others.map(|(_, (script, position))| (&**script, *position)), &mut self.goal.others);
        self.goal.next =
            result.map(|((script, at), result)| (scripts[script].histories[at], history_item(at, result)));
    }

    /// Explores an alternative, with all beginnings that it takes.
    fn explore(
        &mut self,
        id: EntryId,
        moment: &Moment,
        alternative: &Alternative,
        limits: &[u32],
    ) -> Control {
        if alternative.literal == Lit::FALSE {
            return Control::Continue;
        }
        loop {
            if self.host.control() == Control::Stop {
                return Control::Stop;
            }
            let mut prefix = match self.causality().solve(moment, &[alternative.literal]) {
                Solution::Found(prefix) => prefix,
                Solution::Impossible => return Control::Continue,
                Solution::Unknown => return Control::Stop,
            };
            if self.repeats == Repeats::NewGoals {
                self.extend(id, moment, alternative, limits, &mut prefix);
            }
            let mut reached = prefix.positions.clone();
            for (number, result) in alternative.result.iter().enumerate() {
                if self.begin_with(id, *result, &mut prefix) == Control::Stop {
                    return Control::Stop;
                }
                if self.repeats == Repeats::Nothing {
                    // What all of them have had is not asked for again.
                    for (reached, agreed) in reached.iter_mut().zip(&self.agreed) {
                        let agreed = *agreed as usize;
                        *reached = if number == 0 { agreed } else { agreed.min(*reached) };
                    }
                }
            }
            let further = self.further(id, moment, &reached, limits);
            if further.is_empty() {
                // No thread can come further, whatever the order.
                return Control::Continue;
            }
            let none = [!moment.guard, !alternative.literal];
            let clause: Vec<Lit> = further.into_iter().chain(none).collect();
            self.causality().order.clause(&clause);
        }
    }

    /// Explores an alternative after a beginning, unless that has been. With SE-MCR, `agreed` is then how far an execution that
    /// has it agrees with this one.
    fn begin_with(&mut self, id: EntryId, result: u64, prefix: &mut Prefix) -> Control {
        self.set_goal(Some((id, result)), &prefix.positions);
        let goal = std::mem::take(&mut self.goal);
        let scripts = &self.job.execution.scripts;
        let known = match self.repeats {
            Repeats::Nothing => self.host.agreement(&goal, scripts, &mut self.agreed),
            // How far the others can come at most is not known in advance where locks keep them back, but it is now.
            Repeats::NewGoals => scripts[id.0].sections.is_inside(id.1) && self.host.has_explored(&goal),
        };
        let mut control = Control::Continue;
        if !known {
            prefix.steps.push((scripts[id.0].thread.into(), result));
            self.work.seeds += 1;
            control = self.run(&goal, &prefix.steps);
            prefix.steps.pop();
            if self.repeats == Repeats::Nothing && !self.host.agreement(&goal, scripts, &mut self.agreed) {
                let entry = &scripts[id.0].entries[id.1];
                match entry.question == Question::Nothing && result != DEAD {
                    // That nothing is dead any more is part of no history: what was run counts.
                    true => {
                        self.agreed.clear();
                        self.agreed.extend(prefix.positions.iter().map(|position| *position as u32));
                    }
                    false => control = Control::Stop,
                }
            }
        }
        self.goal = goal;
        control
    }

    /// That another thread comes further than this, and has another history then.
    fn further(&mut self, id: EntryId, moment: &Moment, positions: &[usize], limits: &[u32]) -> Vec<Lit> {
        let scripts = &self.job.execution.scripts;
        let mut further = Vec::new();
        for (number, script) in scripts.iter().enumerate().filter(|(number, _)| *number != id.0) {
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

    /// Extends a prefix until no thread can come further without another one not coming so far.
    fn extend(
        &mut self,
        id: EntryId,
        moment: &Moment,
        alternative: &Alternative,
        limits: &[u32],
        prefix: &mut Prefix,
    ) {
        loop {
            let further = self.further(id, moment, &prefix.positions, limits);
            let causality = self.causality();
            let more = causality.any(&further);
            if more == Lit::FALSE {
                return;
            }
            let mut wishes = vec![alternative.literal, more];
            for (script, position) in prefix.positions.iter().enumerate() {
                if let Some(last) = position.checked_sub(1) {
                    wishes.push(causality.order.before(causality.events[script][last], moment.event));
                }
            }
            match causality.solve(moment, &wishes) {
                Solution::Found(longer) => *prefix = longer,
                Solution::Impossible | Solution::Unknown => return,
            }
        }
    }

    /// Searches for states in which no thread is enabled without the solver; `None` if that would take too long.
    fn try_find_stuck(&mut self) -> Option<Control> {
        self.spare(|searcher, patience, host| searcher.try_find_stuck(patience, host))
    }

    /// Searches for states in which no thread is enabled.
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
            let mut prefix = match self.causality().solve(&moment, &[]) {
                Solution::Found(prefix) => prefix,
                Solution::Impossible => break,
                Solution::Unknown => return Control::Stop,
            };
            self.set_goal(None, &prefix.positions);
            let goal = std::mem::take(&mut self.goal);
            if !self.host.has_explored(&goal) {
                self.work.seeds += 1;
                if self.run(&goal, &std::mem::take(&mut prefix.steps)) == Control::Stop {
                    return Control::Stop;
                }
            }
            self.goal = goal;
            // Some thread must be somewhere else.
            let mut clause = vec![!moment.guard];
            let causality = self.causality();
            for (script, position) in prefix.positions.iter().enumerate() {
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
