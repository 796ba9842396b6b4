//! What is run, in which order, and why.
//!
//! If no explorer is named, the model is sequential consistency, and graphs give the same executions as steps, then graphs are
//! explored first: they are mostly more than twice as fast. What they cannot do is known before, as far as the program's text
//! tells it: it performs operations that are for steps ([`graphs::is_for_steps_always`]), or has atomic sections. The rest costs
//! what had been explored until then. Where updates commute ([`Program::has_commuting_updates`]), graphs order them and steps do not.
//!
//! Under sequential consistency an execution graph is an order of dependent operations and the other way round, so both ways
//! explore the same number of executions; where they would count differently, graphs are given up
//! ([`selvedge_explore::graphs`], "Graphs and orders"). Three tests hold the two together: all test programs must give the same
//! result in both ways (`cli/tests/verdicts.rs`), `fuzz explore` compares with brute force, and `fuzz engines` compares on programs
//! with locks of all kinds.

use crate::contradiction::{Contradiction, Purpose};
use crate::request::{Record, Request, Wanted};
use selvedge_explore::graphs;
use selvedge_explore::{Explorer, Explores, Symmetry, Workers};
use selvedge_memory::Model;
use selvedge_program::{Builtin, Program, SpanId};
use selvedge_vm::FaultKind;

/// What is run, in which order, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The memory model.
    pub model: Model,
    /// Why this one, if it was to be chosen.
    pub model_because: Option<ModelReason>,
    /// The explorations. One comes after the other if that does not answer the request.
    pub stages: Vec<Stage>,
}

/// Why a model was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelReason {
    /// There is an atomic operation that is weaker than sequentially consistent.
    WeakAtomic(SpanId),
    /// There is none.
    NoWeakAtomic,
}

/// One exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// How executions are chosen.
    pub explorer: Explorer,
    /// How many workers explore.
    pub workers: usize,
    /// Why.
    pub why: Why,
}

/// Why there is a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The explorer was asked for.
    Asked,
    /// It is the one that fits the model.
    FitsModel,
    /// Graphs are the same executions, explored sooner. What they find is the answer.
    Sooner,
    /// The same, but several violations are wanted: if something is wrong, steps list it. (Of two accesses that race, graphs
    /// have one order only.)
    SoonerIfRight,
    /// If graphs have come to something that is for steps, or have used up their time.
    IfGraphsAreNotEnough,
}

impl Why {
    /// Whether a stage counts only if it answers the request: another one comes after it.
    pub fn is_trial(self) -> bool {
        matches!(self, Why::Sooner | Why::SoonerIfRight)
    }
}

/// Plans how to answer a request about a program.
pub(crate) fn plan(
    request: &Request,
    program: &Program,
    purpose: Purpose,
) -> Result<Plan, (Contradiction, Option<ModelReason>)> {
    let (model, model_because) = match request.chooses_model() {
        true => choose_model(program),
        false => (request.model_or_default(), None),
    };
    let explorer = request.explorer_for(model);
    request.contradicts(model, explorer, purpose).map_err(|contradiction| (contradiction, model_because))?;
    let stage = |explorer, why| Stage { explorer, workers: workers(request, explorer), why };
    let stages = match may_explore_graphs(request, model, purpose) && !is_for_steps(program) {
        true => {
            let why = if request.wanted == Wanted::All { Why::SoonerIfRight } else { Why::Sooner };
            vec![stage(Explorer::Graph, why), stage(explorer, Why::IfGraphsAreNotEnough)]
        }
        false => {
            let why = if request.explorer.is_some() { Why::Asked } else { Why::FitsModel };
            vec![stage(explorer, why)]
        }
    };
    Ok(Plan { model, model_because, stages })
}

/// The model that fits a program.
fn choose_model(program: &Program) -> (Model, Option<ModelReason>) {
    match program.weak_atomic() {
        Some(span) => (Model::Rc11, Some(ModelReason::WeakAtomic(span))),
        None => (Model::Sc, Some(ModelReason::NoWeakAtomic)),
    }
}

/// How many workers explore.
fn workers(request: &Request, explorer: Explorer) -> usize {
    let is_one = request.options.preemptions.is_some() || request.record.has_all();
    match (explorer.about().workers, request.workers) {
        _ if is_one => 1,
        (Workers::One, _) => 1,
        (Workers::Several, Some(workers)) => workers.max(1),
        (Workers::Several, None) => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Whether execution graphs may be explored in place of steps, as far as the request tells.
fn may_explore_graphs(request: &Request, model: Model, purpose: Purpose) -> bool {
    // Operations on synchronisation objects that are allowed although they are wrong may leave the object as it is; then
    // steps order them, and graphs do not.
    let misuse = [FaultKind::BadDestroy, FaultKind::BadInit, FaultKind::BadUnlock, FaultKind::Relock];
    let properties = &request.properties;
    let without_misuse = !misuse.iter().any(|kind| properties.allowed.contains(kind));
    model == Model::Sc
        && request.explorer.is_none()
        && !properties.uninitialised
        && without_misuse
        // Who wants to have graphs has to name them, whether there is anything wrong or not.
        && request.record == Record::Nothing
        && request.limits.executions.is_none()
        && !properties.robustness
        && request.options.preemptions.is_none()
        && request.options.symmetry == Symmetry::Ignored
        && purpose == Purpose::Verify
}

/// Whether a program has something, in its text, that graphs are given up for, or that steps need fewer executions for.
fn is_for_steps(program: &Program) -> bool {
    Builtin::of(program).any(|builtin| match builtin {
        Builtin::Sync(op) => graphs::is_for_steps_always(op),
        builtin => builtin == Builtin::AtomicBegin,
    }) || program.has_commuting_updates()
}

impl Stage {
    /// What is explored.
    pub fn explores(&self) -> Explores {
        self.explorer.about().explores
    }
}
