//! One program: made, followed by the oracle, and explored in all the ways that are planned for it.

use std::collections::BTreeMap;
use std::time::Duration;

use selvedge_oracle::{Knobs, Model, Outcome, Program, Random, generate, generate_message, graphs};
use selvedge_verify::Memories;

use super::direct;
use super::judge::{Judge, Verdict};
use super::nested::{self, Nested};
use super::pace::{Effort, Share};
use super::plan::Plan;
use super::seen::Seen;
use super::truth::{Truth, Truths, Under};
use crate::cpu;
use crate::error::Error;

/// How many programs pass messages through release sequences, in percent.
const MESSAGES: u32 = 10;

/// How many of the programs with loops have some with bodies, in percent.
const WITH_BODIES: u32 = 50;

/// In this process, the oracle's answers under different models are compared for one of this many programs.
const NESTED: u64 = 10;

/// What became of a program.
pub struct Case {
    /// The program.
    pub program: Program,
    /// What the oracle says under different models, compared.
    pub nested: Nested,
    /// What became of it for each judge, by the number that it has in the plan.
    pub results: Vec<(usize, Result<Verdict, Error>)>,
    /// What it took.
    pub effort: Effort,
}

/// Makes programs and examines them.
pub struct Examiner<'a> {
    /// What is compared.
    pub plan: &'a Plan<'a>,
    /// What was compared before.
    pub seen: &'a Seen,
    /// Which programs are made.
    pub seed: u64,
    /// How many threads they have more.
    pub more_threads: usize,
    /// Whether threads wait in loops.
    pub loops: bool,
    /// What machines use, one after the other.
    pub memories: Memories,
}

/// Time that passes for this thread.
struct Watch(Duration);

impl Watch {
    /// What has passed since the last time.
    fn lap(&mut self) -> Duration {
        let now = cpu::of_thread();
        now.saturating_sub(std::mem::replace(&mut self.0, now))
    }
}

/// Somebody to be compared on a program, with what there is to know.
struct Asked<'j> {
    /// The number in the plan.
    number: usize,
    judge: &'j Judge<'j>,
    truth: Option<Truth>,
}

impl Examiner<'_> {
    /// Examines the program with a number; nothing, if it has been compared before.
    pub fn examine(&self, number: u64) -> Option<Case> {
        let mut watch = Watch(cpu::of_thread());
        let (plan, model) = (self.plan, self.plan.model(number));
        let program = make(self.seed, number, model, self.loops, self.more_threads);
        if !self.seen.is_new(&program, plan.purpose(number)) {
            return None;
        }
        let models = plan.models_of(number);
        let mut effort = Effort { building: watch.lap(), ..Effort::default() };

        let judges = plan.judges_of(number);
        let mut truths = Truths::new(
            &program,
            plan.rule(number),
            plan.judges[*judges.first()?].size(),
            of_graphs(&models),
        );
        let mut asked = Vec::new();
        for number in judges {
            let judge = &plan.judges[number];
            let truth = judge.truth(&mut truths);
            let share = effort.shares.entry(judge.model).or_default();
            share.oracle += watch.lap();
            share.executions = share.executions.or(truth.as_ref().map(|truth| truth.within.executions));
            asked.push(Asked { number, judge, truth });
        }
        share_alike(&mut effort.shares);
        effort.executions = effort.shares.get(&model).and_then(|share| share.executions);
        let nested = nested(&program, number, model, &asked);
        watch.lap();

        let is_direct = asked.iter().any(|asked| !asked.judge.asked.is_tool());
        let outcomes: Vec<&Outcome> = truths.outcomes().into_iter().collect();
        let case = is_direct.then(|| direct::Case::new(&program, &outcomes, &self.memories));
        effort.building += watch.lap();
        let mut results = Vec::new();
        for Asked { number, judge, truth } in asked {
            let result = judge.examine(&program, truth, case.as_ref());
            let share = effort.shares.entry(judge.model).or_default();
            share.explorers += watch.lap();
            share.comparisons += u64::from(!matches!(result, Ok(Verdict::TooLarge)));
            results.push((number, result));
        }
        Some(Case { program, nested, results, effort })
    }
}

/// The models that are by execution graphs.
fn of_graphs(models: &[Under]) -> Vec<graphs::Model> {
    let graphs = models.iter().filter_map(|under| match under {
        Under::Graphs(model) => Some(*model),
        Under::Steps(_) => None,
    });
    graphs.collect()
}

/// Graphs are enumerated once for all models, whoever asks first.
fn share_alike(shares: &mut BTreeMap<Under, Share>) {
    let of_graphs =
        |(under, share): (&Under, &Share)| matches!(under, Under::Graphs(_)).then_some(share.oracle);
    let times: Vec<Duration> = shares.iter().filter_map(of_graphs).collect();
    let sum: Duration = times.iter().sum();
    for (under, share) in shares {
        if let Under::Graphs(_) = under {
            share.oracle = sum / times.len() as u32;
        }
    }
}

/// Whether the oracle agrees with itself.
fn nested(program: &Program, number: u64, model: Under, asked: &[Asked<'_>]) -> Nested {
    let Under::Steps(model) = model else { return Nested::Unknown };
    let known = |under: Under| {
        let of_model = |asked: &&Asked<'_>| asked.judge.model == under && !asked.judge.explorer.is_bounded();
        asked.iter().find(of_model).and_then(|asked| asked.truth.as_ref())
    };
    let graphs = match model {
        Model::Sc => Some(graphs::Model::Sc),
        Model::Tso => Some(graphs::Model::Tso),
        Model::Pso => None,
    };
    let graphs = graphs.and_then(|graphs| known(Under::Graphs(graphs)));
    if let (Some(steps), Some(graphs)) = (known(Under::Steps(model)), graphs)
        && let Some(what) = nested::differ(program, &steps.within, &graphs.within)
    {
        return Nested::No(format!("{what} by steps and by graphs under {}", model.name()));
    }
    let is_direct = asked.iter().any(|asked| !asked.judge.asked.is_tool());
    match is_direct && !number.is_multiple_of(NESTED) {
        true => Nested::Unknown,
        false => nested::examine(program, model),
    }
}

/// The program with a number.
pub fn make(seed: u64, number: u64, model: Under, loops: bool, more_threads: usize) -> Program {
    let random = &mut Random::for_case(seed, number);
    // Some are about release sequences, which are rare in others.
    if !loops && random.percent(MESSAGES) {
        return generate_message(random);
    }
    let mut knobs = match model {
        Under::Steps(Model::Sc) => Knobs::random(random),
        Under::Steps(Model::Tso | Model::Pso) => Knobs::random_buffered(random),
        Under::Graphs(_) => Knobs::random_c11(random),
    };
    if loops {
        knobs = match random.percent(WITH_BODIES) {
            true => knobs.with_loops(random),
            false => knobs.with_awaits(random),
        };
    }
    knobs.workers += more_threads;
    generate(&knobs, random)
}
