//! What a program can do: asked of the oracle once, for all explorers that are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use selvedge_oracle::{
    Definition, LoopKind, Model, NormalForms, Outcome, Program, ReleaseSequences, Statement, StatementId,
    Summary, graphs, settled_forms, summarise,
};

/// A memory model, and how it is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Under {
    /// By the steps of a machine.
    Steps(Model),
    /// By axioms on execution graphs.
    Graphs(graphs::Model),
}

impl Under {
    /// The name of the model.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps(model) => model.name(),
            Self::Graphs(model) => model.name(),
        }
    }
}

/// At most this many small graphs are visited by the oracle for each one that counts.
const SMALL_GRAPHS: u64 = 20;

/// Where only executions are limited: the most points that are followed for each of them.
const POINTS: u64 = 64;

/// The most points that are followed where loops have bodies, and the most rounds: normal forms take longer than the executions.
const POINTS_WITH_ROUNDS: u64 = 20_000;
const ROUNDS: usize = 6;

/// Which programs are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Those with more executions.
    Executions(u64),
    /// Those whose executions come to more points, where those that come to the same point are merged.
    Points(u64),
}

impl Size {
    fn points(self) -> u64 {
        match self {
            Self::Executions(most) => most.saturating_mul(POINTS),
            Self::Points(most) => most,
        }
    }

    fn allows(self, summary: &Summary) -> bool {
        match self {
            Self::Executions(most) => summary.executions <= most,
            Self::Points(_) => true,
        }
    }

    fn graphs(self) -> u64 {
        let (Self::Executions(most) | Self::Points(most)) = self;
        most.saturating_mul(SMALL_GRAPHS)
    }
}

/// What a program can do, as far as an explorer is concerned.
#[derive(Clone)]
pub struct Truth {
    /// Within the bound of the explorer, if it has one.
    pub within: Arc<Summary>,
    /// Within the bound and beyond it; nothing if there is no bound, or too much to enumerate.
    all: Option<Arc<Summary>>,
    /// Whether the explorer has a bound.
    pub bounded: bool,
    /// Whether the tool has the same interleavings.
    pub countable: bool,
    /// Whether there are condition variables.
    pub signals: bool,
    /// What loops there are.
    pub loops: Arc<Loops>,
}

/// The loops of a program.
#[derive(Default)]
pub struct Loops {
    /// Their kinds.
    pub kinds: BTreeSet<LoopKind>,
    /// Whether some have bodies: then the oracle counts normal forms.
    pub have_bodies: bool,
    /// For each statement at which a thread can be stuck in a loop, all statements of the loop.
    places: BTreeMap<StatementId, BTreeSet<StatementId>>,
}

impl Loops {
    fn of(program: &Program) -> Self {
        let (kinds, places) = (program.kinds_of_loops(), program.places_in_loops());
        Self { kinds, have_bodies: !program.loops().is_empty(), places }
    }

    /// The statements at which a thread can be said to be that is stuck at this one.
    pub fn around(&self, place: StatementId) -> BTreeSet<StatementId> {
        self.places.get(&place).cloned().unwrap_or_else(|| BTreeSet::from([place]))
    }
}

impl Truth {
    /// Everything, unless that is too much.
    pub fn all(&self) -> Option<&Summary> {
        if self.bounded { self.all.as_deref() } else { Some(&self.within) }
    }

    /// Whether the bound leaves something out.
    pub fn is_cut(&self) -> bool {
        self.all().is_none_or(|all| self.within.executions < all.executions)
    }

    /// Whether there may be races, beyond the bound or within.
    pub fn may_race(&self) -> bool {
        self.all().is_none_or(|all| !all.races.is_empty())
    }

    /// Whether the tool may have found something; `exists` says of results whether it is among them, and whether
    /// anything of its kind is. Beyond a bound there is less to know: what is reported is the simplest violation
    /// of its kind at its place, with other participants perhaps and more preemptions.
    pub fn some(&self, exists: impl Fn(&Summary) -> (bool, bool)) -> bool {
        let (here, any) = exists(&self.within);
        match self.bounded {
            true => any && self.all.as_ref().is_none_or(|all| exists(all).0),
            false => here,
        }
    }

    /// What the tool calls it if threads wait for ever at these statements.
    pub fn kind_of(&self, stuck: &[StatementId]) -> &'static str {
        match stuck.iter().any(|place| self.loops.places.contains_key(place)) {
            true => "livelock",
            false => "deadlock",
        }
    }

    /// All outcomes that are known, in their order.
    pub fn list_outcomes(&self) -> Vec<&Outcome> {
        self.all().unwrap_or(&self.within).outcomes.iter().collect()
    }
}

/// A memory model, and the most preemptions.
type Asked = (Model, Option<u32>);

/// What is known of one program.
pub struct Truths<'p> {
    program: &'p Program,
    sequences: ReleaseSequences,
    size: Size,
    /// The models by execution graphs that are asked for, all at once.
    models: Vec<graphs::Model>,
    /// What was asked for, in steps, with a bound on preemptions.
    steps: Vec<(Asked, Option<Arc<Summary>>)>,
    /// The same for execution graphs, for each of the models: each graph counts as an execution.
    graphs: Option<Vec<Option<Arc<Summary>>>>,
    loops: Arc<Loops>,
}

impl<'p> Truths<'p> {
    /// Nothing is known yet of a program; these models by execution graphs will be asked for.
    pub fn new(
        program: &'p Program,
        sequences: ReleaseSequences,
        size: Size,
        models: Vec<graphs::Model>,
    ) -> Self {
        let loops = Arc::new(Loops::of(program));
        Self { program, sequences, size, models, steps: Vec::new(), graphs: None, loops }
    }

    /// What the program can do under a model, with a bound on preemptions; nothing, if that is too much.
    pub fn get(&mut self, under: Under, preemptions: Option<u32>) -> Option<Truth> {
        let bounded = preemptions.is_some();
        let signals = self.program.conditions > 0;
        let loops = self.loops.clone();
        match under {
            Under::Steps(model) => {
                let all = self.by_steps(model, None);
                let countable = model == Model::Sc || !main_is_alone(self.program);
                Some(match preemptions {
                    None => Truth { within: all?, all: None, bounded, countable, signals, loops },
                    Some(_) => {
                        let within = self.by_steps(model, preemptions)?;
                        Truth { within, all, bounded, countable, signals, loops }
                    }
                })
            }
            Under::Graphs(model) => {
                let within = self.by_graphs(model)?;
                Some(Truth { within, all: None, bounded: false, countable: true, signals, loops })
            }
        }
    }

    /// All outcomes that have been found under some model.
    pub fn outcomes(&self) -> BTreeSet<&Outcome> {
        let steps = self.steps.iter().map(|(_, summary)| summary);
        let known = steps.chain(self.graphs.iter().flatten()).flatten();
        known.flat_map(|summary| &summary.outcomes).collect()
    }

    fn by_steps(&mut self, model: Model, preemptions: Option<u32>) -> Option<Arc<Summary>> {
        let asked = (model, preemptions);
        if let Some((_, known)) = self.steps.iter().find(|(other, _)| *other == asked) {
            return known.clone();
        }
        let summary = match (self.loops.have_bodies, preemptions) {
            (false, _) => summarise(self.program, model, self.size.points(), preemptions).ok().flatten(),
            (true, None) => self.forms(Definition::Steps(model)),
            // Which rounds can be left out under a bound is not defined.
            (true, Some(_)) => None,
        };
        let summary = summary.filter(|summary| self.size.allows(summary));
        let summary = summary.map(|summary| Arc::new(with_races(summary, self.sequences)));
        self.steps.push((asked, summary.clone()));
        summary
    }

    fn by_graphs(&mut self, model: graphs::Model) -> Option<Arc<Summary>> {
        if !self.models.contains(&model) {
            self.models.push(model);
            self.graphs = None;
        }
        let at = self.models.iter().position(|other| *other == model)?;
        if self.graphs.is_none() && self.loops.have_bodies {
            let models = self.models.iter().map(|model| as_defined(*model, self.sequences));
            let forms = models.map(|model| self.forms(Definition::Graphs(model)));
            let known = forms.map(|summary| Some(Arc::new(with_races(summary?, self.sequences))));
            self.graphs = Some(known.collect());
        }
        if self.graphs.is_none() {
            let models: Vec<graphs::Model> =
                self.models.iter().map(|model| as_defined(*model, self.sequences)).collect();
            let summaries = graphs::summarise(self.program, &models, self.size.graphs()).ok().flatten();
            self.graphs = Some(match summaries {
                Some(summaries) => {
                    let known = summaries.into_iter().map(|summary| with_races(summary, self.sequences));
                    known.map(|summary| Some(Arc::new(summary))).collect()
                }
                None => vec![None; models.len()],
            });
        }
        self.graphs.as_ref()?.get(at)?.clone()
    }
}

impl Truths<'_> {
    /// What is found in all executions, with the numbers of those that are normal forms.
    fn forms(&self, definition: Definition) -> Option<Summary> {
        let most = self.size.points().min(POINTS_WITH_ROUNDS);
        let found = settled_forms(self.program, definition, self.sequences, (most, ROUNDS)).ok().flatten();
        let NormalForms { all, forms, .. } = found?.0;
        Some(Summary {
            outcomes: all.outcomes,
            deadlocks: all.deadlocks,
            faults: all.faults,
            races: all.races,
            races_c11: all.races_c11,
            ..forms
        })
    }
}

/// The races that there are with these release sequences.
fn with_races(summary: Summary, sequences: ReleaseSequences) -> Summary {
    match sequences {
        ReleaseSequences::C11 => Summary { races: summary.races_c11.clone(), ..summary },
        ReleaseSequences::C20 => summary,
    }
}

/// What a model is with these release sequences.
fn as_defined(model: graphs::Model, sequences: ReleaseSequences) -> graphs::Model {
    match (model, sequences) {
        (graphs::Model::Rc11, ReleaseSequences::C11) => graphs::Model::Rc11AsPublished,
        (model, _) => model,
    }
}

/// Whether main does something while there is no other thread. To the tool such accesses are private, so that nothing
/// is buffered; in the oracle there are several times at which a store can reach memory. Nobody sees a difference.
fn main_is_alone(program: &Program) -> bool {
    let is_start = |statement: &Statement| matches!(statement, Statement::Spawn { .. });
    let is_end = |statement: &Statement| matches!(statement, Statement::Join { .. });
    match program.threads.first().map(Vec::as_slice) {
        Some([first, .., last]) => !is_start(first) || !is_end(last),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{Order, Value};

    #[test]
    fn interleavings_are_not_compared_where_main_is_alone() {
        let store = Statement::Store { at: 0, value: Value::Constant(1), order: Order::Relaxed };
        let (spawn, join) = (Statement::Spawn { thread: 1 }, Statement::Join { thread: 1 });
        let with = |main: &[&Statement]| {
            let main = main.iter().copied().cloned().collect();
            let program = Program {
                locations: vec![0],
                threads: vec![main, vec![store.clone()]],
                ..Program::default()
            };
            let mut truths = Truths::new(&program, ReleaseSequences::C20, Size::Executions(100), Vec::new());
            truths.get(Under::Steps(Model::Tso), None).unwrap().countable
        };
        assert!(with(&[&spawn, &store, &join]));
        assert!(!with(&[&store, &spawn, &join]));
        assert!(!with(&[&spawn, &join, &store]));
    }

    /// The same answers, whatever is asked first, and one for each model and bound.
    #[test]
    fn truths_are_kept_apart() {
        let store = |at| Statement::Store { at, value: Value::Constant(1), order: Order::Relaxed };
        let load = |at| Statement::Load { into: 0, at, order: Order::Relaxed };
        let main = [1, 2].map(|thread| Statement::Spawn { thread }).into_iter();
        let main = main.chain([1, 2].map(|thread| Statement::Join { thread })).collect();
        let threads = vec![main, vec![store(0), load(1)], vec![store(1), load(0)]];
        let program = Program { locations: vec![0, 0], registers: 1, threads, ..Program::default() };
        let asked = [
            (Under::Steps(Model::Sc), None, 3),
            (Under::Steps(Model::Sc), Some(0), 2),
            (Under::Steps(Model::Tso), None, 4),
            (Under::Graphs(graphs::Model::Sc), None, 3),
            (Under::Graphs(graphs::Model::Rc11), None, 4),
        ];
        for first in 0..asked.len() {
            let size = Size::Points(1_000);
            let mut truths = Truths::new(&program, ReleaseSequences::C20, size, vec![graphs::Model::Rc11]);
            for number in 0..asked.len() {
                let (under, preemptions, outcomes) = asked[(first + number) % asked.len()];
                let truth = truths.get(under, preemptions).unwrap();
                assert_eq!(truth.within.outcomes.len(), outcomes, "{under:?} {preemptions:?}");
            }
            assert_eq!(truths.outcomes().len(), 4);
        }
        let mut truths = Truths::new(&program, ReleaseSequences::C20, Size::Executions(3), Vec::new());
        assert!(truths.get(Under::Steps(Model::Sc), None).is_none());
    }
}
