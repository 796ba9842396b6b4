//! Normal forms of executions: executions without the rounds of loops that lead nowhere.
//!
//! Let r be a read of a thread (a load, an update, the locking of a mutex) in a loop, or the last one before it, and s a later one in the loop of
//! the same location. The part from r to just before s is *fruitless* in an execution E if
//!
//! * the thread, had r read what s has read, would be in the state that s left: before the same statement, with the same values in the
//!   registers that it still reads or shows in the end, holding the same mutexes;
//! * nothing in the part has an effect: there are only loads and compare-exchanges that fail, updates that write back what they have read,
//!   mutexes that are taken and given back, and fences; under sequential consistency also atomic stores of the value that is there already;
//! * E with r in s's place is an execution of the model, with no more happens-before than E. All other events have the same values. Who reads from an
//!   update that is gone, reads from where that had its value;
//! * no event that is gone is in a data race.
//!
//! The same where a thread goes no further, because it is stuck in the loop or the execution has ended with a fault: the part from an event in a loop
//! to the last one of the thread is fruitless if it leaves the thread in the state in which it was before. It has read what s would read.
//!
//! A normal form has no fruitless part. That of an execution is what is left when fruitless parts are taken away, the first of the first thread first.
//!
//! All this is as it is written here: the executions are enumerated with loops of a bounded number of rounds; whether something is an execution is
//! whether it is among them. The bound suffices if one round more adds no normal form; [`settled_forms()`] looks for such a bound.
//!
//! What is known of this definition, from thousands of random programs under all models (`tests/loops.rs`):
//!
//! * Normal forms show all outcomes, deadlocks, faults and races that there are.
//! * As many executions are normal forms, whatever the order in which parts are taken away: a normal form is its own. Which one is that of another
//!   execution does depend on the order, if the part ends within a round: `do { a = x; b = x; } while (b != 2)` may be left with the `a` of one
//!   round and the `b` of another. The same if there is a load before the loop, `a = x; do b = x; while (b != 2);`, which can stay as
//!   it is or take the place of a round.
//! * Parts that begin and end within rounds matter: in `do { lock; a = x; unlock; } while (a != 1)` with a trylock by somebody else that fails in one
//!   round, this round cannot go; but it can be joined with a later one (from the first `a = x` to the last one).

mod collect;
mod part;

use crate::classes::Trace;
use crate::code::flatten;
use crate::graphs;
use crate::interleavings::Model;
use crate::program::{Invalid, Program};
use crate::races::ReleaseSequences;
use crate::rounds::Loops;
use crate::summary::Summary;
use collect::{Executions, Known, by_graphs, by_steps};
use part::{Part, Parts, Stores};
use std::collections::{BTreeMap, BTreeSet};

type Sequences = ReleaseSequences;

/// A memory model, and how executions are defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// By the steps of a machine: an execution is a trace.
    Steps(Model),
    /// By axioms: an execution is a maximal consistent graph.
    Graphs(graphs::Model),
}

/// The executions of a program, and their normal forms.
#[derive(Debug, Clone, Default)]
pub struct NormalForms {
    /// What is found in all executions.
    pub all: Summary,
    /// What is found in those that are normal forms.
    pub forms: Summary,
    /// How many executions have another normal form if fruitless parts are taken away in another order.
    pub ambiguous: usize,
}

/// The executions of a program with as many rounds as its loops may have, and their normal forms; what happens before what is with these release
/// sequences. `None`: there are more than `most` points or graphs to visit.
pub fn normal_forms(
    program: &Program,
    definition: Definition,
    sequences: ReleaseSequences,
    most: u64,
) -> Result<Option<NormalForms>, Invalid> {
    let executions = match definition {
        Definition::Steps(model) => by_steps(program, model, sequences, most)?,
        Definition::Graphs(model) => by_graphs(program, model, sequences, most)?,
    };
    let Some(executions) = executions else { return Ok(None) };
    let code = flatten(program);
    let loops = Loops::new(&code);
    let is_sc = matches!(definition, Definition::Steps(Model::Sc) | Definition::Graphs(graphs::Model::Sc));
    let stores = if is_sc { Stores::OfTheSame } else { Stores::None };
    let parts = Parts { program, code: &code, loops: &loops, stores };
    let mut forms = NormalForms::default();
    let mut reduced = Reduced::default();
    for (trace, known) in &executions {
        merge(&mut forms.all, &known.found);
        let all = reduced.forms_of(&parts, &executions, trace);
        if all.len() > 1 {
            forms.ambiguous += 1;
        }
        let form = first_form(&parts, &executions, trace);
        if form == trace {
            merge(&mut forms.forms, &known.found);
        }
    }
    Ok(Some(forms))
}

/// The same with one round more than suffice, and how many suffice: with one more there are the same normal forms. At most so many rounds are
/// tried; `None` if that is not enough, too.
pub fn settled_forms(
    program: &Program,
    definition: Definition,
    sequences: ReleaseSequences,
    (most, rounds): (u64, usize),
) -> Result<Option<(NormalForms, usize)>, Invalid> {
    let mut before: Option<NormalForms> = None;
    for rounds in 1..=rounds {
        let now = normal_forms(&program.with_rounds(rounds), definition, sequences, most)?;
        let Some(now) = now else { return Ok(None) };
        if let Some(before) = &before
            && before.forms.classes == now.forms.classes
            && !now.forms.classes.is_empty()
        {
            return Ok(Some((now, rounds - 1)));
        }
        before = Some(now);
    }
    Ok(None)
}

/// Adds what is found in one more execution.
fn merge(into: &mut Summary, found: &Summary) {
    into.executions += found.executions;
    into.outcomes.extend(found.outcomes.iter().cloned());
    into.deadlocks.extend(found.deadlocks.iter().cloned());
    into.faults.extend(found.faults.iter().copied());
    into.races.extend(found.races.iter().copied());
    into.races_c11.extend(found.races_c11.iter().copied());
    into.classes.extend(found.classes.iter().copied());
    into.reads_from.extend(found.reads_from.iter().copied());
    into.views.extend(found.views.iter().copied());
    into.ends.extend(found.ends.iter().copied());
}

/// The executions that are left when one fruitless part is taken away from one.
fn one_less<'e>(
    parts: &'e Parts<'_>,
    executions: &'e Executions,
    trace: &'e Trace,
) -> impl Iterator<Item = &'e Trace> {
    let candidates = parts.of(trace).into_iter();
    candidates.filter_map(move |part| {
        let (known, smaller) = (executions.get(trace)?, parts.without(trace, part)?);
        let (smaller, left) = executions.get_key_value(&smaller)?;
        (!known.racing.iter().any(|event| part.has(*event)) && has_no_more_order(left, known, part))
            .then_some(smaller)
    })
}

/// Whether what happens before what without a part does so with it, too.
fn has_no_more_order(without: &Known, with: &Known, part: Part) -> bool {
    without.before.iter().all(|(one, other)| with.before.contains(&(part.former(*one), part.former(*other))))
}

/// The normal form: the first fruitless part is taken away as long as there is one.
fn first_form<'e>(parts: &Parts<'_>, executions: &'e Executions, trace: &'e Trace) -> &'e Trace {
    let mut present = trace;
    loop {
        let Some(next) = one_less(parts, executions, present).next().cloned() else { return present };
        match executions.get_key_value(&next) {
            Some((next, _)) => present = next,
            None => return present,
        }
    }
}

/// All that is left of executions when fruitless parts are taken away in any order.
#[derive(Default)]
struct Reduced(BTreeMap<Trace, BTreeSet<Trace>>);

impl Reduced {
    fn forms_of(&mut self, parts: &Parts<'_>, executions: &Executions, trace: &Trace) -> BTreeSet<Trace> {
        if let Some(known) = self.0.get(trace) {
            return known.clone();
        }
        let smaller: Vec<&Trace> = one_less(parts, executions, trace).collect();
        let forms = match smaller.is_empty() {
            true => BTreeSet::from([trace.clone()]),
            false => smaller.into_iter().flat_map(|next| self.forms_of(parts, executions, next)).collect(),
        };
        self.0.insert(trace.clone(), forms.clone());
        forms
    }
}
