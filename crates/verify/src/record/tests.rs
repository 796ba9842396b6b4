//! What is recorded of all executions of random programs, under each model, against the definitions.

use super::record;
use crate::Request;
use crate::systems::{Job, Start, Systems, with};
use selvedge_explore::{Control, Explorer, Options, Scope, Session, Settings, Statistics, Tally, Task};
use selvedge_memory::{Bounds, Model, ReleaseSequences};
use selvedge_program::Program;
use selvedge_testing::{
    Order, Random, Statement, compare_exchange, exchange, fail, fence, load, lock, post, store, threads,
    unlock,
};
use selvedge_trace::execution::{Execution, Step, Wait};
use selvedge_trace::sync::{Hold, hold};
use selvedge_trace::{Operation, Turn, graph};
use selvedge_vm::Image;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// Records all executions of a program that always fails in the end.
struct Recording<'a> {
    program: &'a Program,
    explorer: Explorer,
}

impl Job<Vec<Execution>> for Recording<'_> {
    fn run<M: Systems>(self, systems: M) -> Vec<Execution> {
        let image = match self.explorer {
            Explorer::Graph => Image::for_graphs(self.program),
            _ => Image::new(self.program),
        };
        let image = image.expect("a program");
        let config = Request::default().config(self.explorer);
        let start = Start { image: &image, config, bounds: Bounds::default() };
        let (system, first) = systems.start(&start).expect("a machine");
        let mut schedules: Vec<Vec<Turn>> = Vec::new();
        let mut watcher = |schedule: &[Turn], _: &[_]| {
            schedules.push(schedule.to_vec());
            Control::Continue
        };
        let (never, tally, options) = (AtomicBool::new(false), Tally::default(), Options::default());
        let mut silent = |_: &Statistics| {};
        let settings = Settings { keep_going: true, ..Settings::default() };
        let mut session = Session::new(system, first, settings, &never, &mut silent);
        session.watch(&mut watcher);
        let task = Task {
            session: &mut session,
            options: &options,
            scope: Scope::Any,
            workers: 1,
            system: &|| systems.start(&start).ok(),
            tally: &tally,
        };
        systems.explore(self.explorer, task);
        drop(session);
        let execution = |schedule: &Vec<Turn>| {
            let (mut system, _) = systems.start(&start).expect("a machine");
            record(&mut system, schedule, ReleaseSequences::default())
        };
        schedules.iter().map(execution).collect()
    }
}

fn executions(program: &Program, model: Model) -> Vec<Execution> {
    let explorer = if model == Model::Rc11 { Explorer::Graph } else { Explorer::Optimal };
    let recording = Recording { program, explorer };
    with(model, explorer.about().explores, ReleaseSequences::default(), recording)
}

const ORDERS: [Order; 3] = [Order::Relaxed, Order::AcqRel, Order::SeqCst];

/// A few random statements.
fn statements(random: &mut Random, count: usize) -> Vec<Statement> {
    let mut body = Vec::new();
    while body.len() < count {
        let at = random.pick(&["x", "y"]);
        let order = random.pick(&ORDERS);
        let (reads, writes) = match order {
            Order::AcqRel => (Order::Acquire, Order::Release),
            order => (order, order),
        };
        match random.below(7) {
            0 | 1 => body.push(load(at).ordered(reads)),
            2 | 3 => body.push(store(at, 1 + random.below(3) as u64).ordered(writes)),
            4 => body.push(exchange(at, 4).ordered(order)),
            5 => body.push(compare_exchange(at, 1, 2).ordered(order)),
            _ if random.percent(50) => {
                body.push(fence(random.pick(&[Order::Acquire, Order::Release, Order::SeqCst])))
            }
            _ => body.extend([lock("m"), load(at).ordered(reads), unlock("m")]),
        }
    }
    body
}

fn order(step: &Step) -> graph::Order {
    step.event.operation.order(step.event.written.is_some()).unwrap_or(graph::Order::Plain)
}

fn acquires(step: &Step) -> bool {
    use graph::Order::{AcqRel, Acquire, SeqCst};
    matches!(order(step), Acquire | AcqRel | SeqCst)
}

fn releases(step: &Step) -> bool {
    use graph::Order::{AcqRel, Release, SeqCst};
    matches!(order(step), Release | AcqRel | SeqCst)
}

fn is_fence(step: &Step) -> bool {
    matches!(step.event.operation, Operation::Fence { .. })
}

/// Reads or writes one value.
fn is_access(step: &Step) -> bool {
    step.event.operation.is_access() && step.event.operation.value_size().is_some()
}

fn closure(count: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> BTreeSet<(usize, usize)> {
    let mut before = vec![vec![false; count]; count];
    pairs.into_iter().for_each(|(first, second)| before[first][second] = true);
    for via in 0..count {
        for first in 0..count {
            if before[first][via] {
                let row = before[via].clone();
                row.iter()
                    .enumerate()
                    .filter(|(_, later)| **later)
                    .for_each(|(at, _)| before[first][at] = true);
            }
        }
    }
    let all = (0..count).flat_map(|first| (0..count).map(move |second| (first, second)));
    all.filter(|(first, second)| before[*first][*second]).collect()
}

fn program_order(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (at, step) in steps.iter().enumerate().filter(|(_, step)| !step.arrives()) {
        let earlier = (0..at).filter(|earlier| {
            !steps[*earlier].arrives() && steps[*earlier].event.thread == step.event.thread
        });
        pairs.extend(earlier.map(|earlier| (earlier, at)));
    }
    pairs
}

/// Synchronizes-with of C++20, literally: also creation, join, and locks.
fn synchronises(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let own = |thread, range: std::ops::Range<usize>| {
        range.filter(move |at: &usize| steps[*at].event.thread == thread && !steps[*at].arrives())
    };
    for (at, step) in steps.iter().enumerate() {
        let thread = step.event.thread;
        match step.event.operation {
            Operation::Spawn { .. } => {
                let child =
                    step.event.read.and_then(|handle| selvedge_trace::ThreadId::from_handle(handle as u64));
                let child = child.expect("a thread");
                pairs.extend(own(child, at + 1..steps.len()).next().map(|first| (at, first)));
            }
            Operation::Join { thread: Some(other) } => {
                pairs.extend(own(other, 0..at).next_back().map(|last| (last, at)))
            }
            Operation::Sync { op, object, .. } if hold(op, 0) == Hold::Takes => {
                let gives = |earlier: &usize| {
                    matches!(steps[*earlier].event.operation, Operation::Sync { op, object: of, .. }
                        if of == object && hold(op, 0) == Hold::GivesBack)
                };
                pairs.extend((0..at).filter(gives).map(|earlier| (earlier, at)));
            }
            _ if is_access(step) && step.event.read.is_some() => {
                // The events that acquire: the read, and acquire fences after it.
                let mut acquiring: Vec<usize> = acquires(step).then_some(at).into_iter().collect();
                acquiring.extend(
                    own(thread, at + 1..steps.len())
                        .filter(|later| is_fence(&steps[*later]) && acquires(&steps[*later])),
                );
                // The write that is read, and those that it continues as updates.
                let mut source = step.sources.first().copied().flatten();
                while let Some(write) = source {
                    let mut releasing: Vec<usize> =
                        releases(&steps[write]).then_some(write).into_iter().collect();
                    let fences = own(steps[write].event.thread, 0..write);
                    releasing.extend(
                        fences.filter(|earlier| is_fence(&steps[*earlier]) && releases(&steps[*earlier])),
                    );
                    for release in releasing {
                        pairs.extend(acquiring.iter().map(|acquire| (release, *acquire)));
                    }
                    let updates = steps[write].event.read.is_some();
                    source = steps[write].sources.first().copied().flatten().filter(|_| updates);
                }
            }
            _ => {}
        }
    }
    pairs.retain(|(first, second)| steps[*first].event.thread != steps[*second].event.thread);
    pairs
}

fn examine(execution: &Execution, model: Model) -> usize {
    let steps = &execution.steps;
    for (at, step) in steps.iter().enumerate() {
        assert!(step.turn < steps.len() || model == Model::Rc11, "{model:?} {at}");
        if !is_access(step) || step.event.read.is_none() {
            continue;
        }
        assert_eq!(step.sources.len(), 1, "{model:?} {at} {steps:#?}");
        let value = step.sources[0].map_or(0, |source| steps[source].event.written.expect("a write"));
        assert_eq!(Some(value), step.event.read, "{model:?} {at} {steps:#?}");
    }
    // Each write is in one order, once, and each read of an update comes right before its write.
    let mut ordered: Vec<usize> = execution.orders.iter().flat_map(|order| order.writes.clone()).collect();
    let count = ordered.len();
    ordered.sort_unstable();
    ordered.dedup();
    assert_eq!(count, ordered.len());
    for (at, step) in
        steps.iter().enumerate().filter(|(_, step)| is_access(step) && step.event.written.is_some())
    {
        let order = execution.orders.iter().find(|order| order.writes.contains(&at)).expect("it is ordered");
        let place = order.writes.iter().position(|write| *write == at).expect("it is there");
        if step.event.read.is_some() {
            assert_eq!(
                step.sources[0],
                place.checked_sub(1).map(|before| order.writes[before]),
                "{model:?} {at} {steps:#?}"
            );
        }
    }
    // What happens before what.
    let po = program_order(steps);
    let expected = closure(steps.len(), po.iter().copied().chain(synchronises(steps)));
    let told = closure(steps.len(), po.iter().chain(&execution.synchronised).copied());
    assert_eq!(told, expected, "{model:?} {:?} {steps:#?}", execution.synchronised);
    // None of the pairs follows from the others.
    for left_out in &execution.synchronised {
        let others = execution.synchronised.iter().filter(|pair| *pair != left_out);
        let less = closure(steps.len(), po.iter().chain(others).copied());
        assert!(!less.contains(left_out), "{left_out:?} {:?}", execution.synchronised);
    }
    execution.synchronised.len()
}

#[test]
fn relations_are_those_of_the_definitions() {
    let mut random = Random::new(41);
    for model in [Model::Sc, Model::Tso, Model::Pso, Model::Rc11] {
        let (mut count, mut pairs) = (0, 0);
        for _ in 0..60 {
            let bodies = [(); 3].map(|()| statements(&mut random, 2));
            let program = threads(bodies).last([fail()]).build();
            for execution in executions(&program, model) {
                pairs += examine(&execution, model);
                count += 1;
            }
        }
        assert!(count > 300 && pairs > 1500, "{model:?} {count} {pairs}");
    }
}

#[test]
fn threads_say_where_they_are_and_what_they_wait_for() {
    let one = vec![lock("a"), store("x", 1).ordered(Order::Relaxed), lock("b"), unlock("b"), unlock("a")];
    let other = vec![lock("b"), lock("a"), unlock("a"), unlock("b")];
    let program = threads([one, other]).last([post("s"), fail()]).build();
    for model in [Model::Sc, Model::Rc11] {
        let mut deadlocks = 0;
        for execution in executions(&program, model) {
            let waits: Vec<&Wait> =
                execution.threads.iter().filter_map(|thread| thread.end.as_ref()?.waits.as_ref()).collect();
            let created = execution.threads.iter().filter_map(|thread| thread.created_by);
            assert!(created.clone().count() == 2 && execution.threads[0].created_by.is_none());
            for step in created {
                assert!(matches!(execution.steps[step].event.operation, Operation::Spawn { .. }));
            }
            for step in 0..execution.steps.len() {
                let innermost = execution.stack_at(step).first().expect("a call");
                let (site, span) = (execution.steps[step].event.site, execution.steps[step].span);
                assert_eq!((innermost.site, innermost.span), (site, span));
            }
            if let [Wait::Thread(_), held @ ..] = waits.as_slice() {
                for wait in held {
                    let Wait::Object { object, owner: Some((owner, Some(taken))), .. } = wait else {
                        panic!("{wait:?}");
                    };
                    let step = &execution.steps[*taken];
                    let is_same =
                        step.object.as_deref().is_some_and(|name| name.contains(object.trim_matches('`')));
                    assert!(step.event.thread == *owner && is_same, "{wait:?} {step:?}");
                }
                deadlocks += 1;
                assert_eq!(held.len(), 2);
            }
        }
        assert_eq!(deadlocks, 1, "{model:?}");
    }
}
