//! Records an execution: follows a schedule once, under any model, and writes down what there is to know.
//!
//! * [`names`]: values and locations as the source writes them.
//! * [`relations`]: reads-from, modification order, and what synchronised with what.
//! * [`graph`]: the same execution in the form of [`selvedge_trace::graph`], if the model has graphs.
//!
//! Where bytes come from follows from what operations access ([`dependence`]), and what synchronises from the clocks of the race
//! detector; under models of execution graphs, both are in the graph.

pub(crate) mod graph;
mod names;
mod relations;
#[cfg(test)]
mod tests;

use self::relations::{Knowledge, Writers};
use rustc_hash::FxHashMap;
use selvedge_check::race::RaceDetector;
use selvedge_check::waiting;
use selvedge_explore::core::dependence;
use selvedge_memory::{Graphs, ReleaseSequences, StoreBuffers, System};
use selvedge_trace::execution::{BufferedStore, Call, Detour, Execution, Stay, Step, Thread, Value};
use selvedge_trace::{Event, Operation, ThreadId, Turn};
use selvedge_vm::{Machine, Stop, Stream};

/// Follows a schedule in a system that is at its start, and writes down what happens.
pub(crate) fn record<S: System>(system: &mut S, schedule: &[Turn], sequences: ReleaseSequences) -> Execution {
    let mut recorder = Recorder::new(sequences);
    for (number, turn) in schedule.iter().enumerate() {
        // A thread that cannot go on is not in the rest of the schedule; others may be.
        if let selvedge_memory::Step::Stopped(Stop::Unsupported(_)) = recorder.step(system, *turn, number) {
            break;
        }
    }
    recorder.finish(system)
}

struct Recorder {
    execution: Execution,
    /// The position of each stack.
    stacks: FxHashMap<Vec<Call>, u32>,
    /// The functions that threads were started with, and by which step.
    starts: Vec<(ThreadId, String, usize)>,
    writers: Writers,
    detector: RaceDetector,
    knowledge: Knowledge,
}

impl Recorder {
    fn new(sequences: ReleaseSequences) -> Self {
        Self {
            execution: Execution::default(),
            stacks: FxHashMap::default(),
            starts: Vec::new(),
            writers: Writers::default(),
            detector: RaceDetector::new(sequences),
            knowledge: Knowledge::default(),
        }
    }

    fn step<S: System>(&mut self, system: &mut S, turn: Turn, number: usize) -> selvedge_memory::Step {
        let machine = system.machine();
        let thread = turn.agent.thread();
        let object = machine.name_of_pending(thread).filter(|_| turn.agent.is_thread());
        let function = machine.user_function(thread).unwrap_or_default().to_owned();
        let stack = machine.calls(thread);
        let at = system.events().len();
        system.mark();
        // The model looks at what the present step hands over.
        let stale = system.take_published();
        debug_assert!(stale.is_empty() || at == 0);
        let step = system.step(turn.agent, turn.choice);
        let (published, woken) = (system.take_published(), system.take_woken());
        let Some(event) = system.events().get(at).copied() else { return step };
        self.begin_thread(system, &event, at);
        let values = Values::of(system.machine(), &event);
        let (sources, detour) = match system.graphs() {
            Some(graphs) => (relations::sources(graphs, at), detour(graphs, at)),
            None => {
                let mut accesses = Vec::new();
                dependence::of_event(system, &event, &woken, &mut accesses);
                let sources = self.writers.step(at, &event, system.buffers().forwards(), &accesses);
                self.detector.event(at, &event, &published, &woken);
                self.knowledge.add(at, &event, &self.detector);
                (sources, Detour::default())
            }
        };
        let object = match event.operation {
            Operation::Flush { address, size, .. } => Some(names::stored(system.machine(), address, size)),
            _ => object,
        };
        let stack = self.stack(stack);
        self.execution.steps.push(Step {
            event,
            turn: number,
            span: system.machine().image.sites.span(event.site),
            function,
            stack,
            object,
            read: values.read,
            written: values.written,
            operand: values.operand,
            expected: values.expected,
            sources,
            detour,
        });
        step
    }

    /// The position of a stack, which is kept.
    fn stack(&mut self, stack: Vec<Call>) -> u32 {
        let next = self.execution.stacks.len() as u32;
        *self.stacks.entry(stack).or_insert_with_key(|stack| {
            self.execution.stacks.push(stack.clone());
            next
        })
    }

    /// Takes note of a thread that an event has created.
    fn begin_thread<S: System>(&mut self, system: &S, event: &Event, at: usize) {
        if let Operation::Spawn { function, .. } = event.operation
            && let Some(child) = event.read.and_then(|handle| ThreadId::from_handle(handle as u64))
        {
            self.starts.push((child, names::function(system.machine(), function), at));
        }
    }

    fn finish<S: System>(self, system: &mut S) -> Execution {
        let Recorder { mut execution, starts, writers, knowledge, .. } = self;
        (execution.orders, execution.synchronised) = match system.graphs() {
            Some(graphs) => (
                relations::orders_of_graph(graphs, system.machine()),
                relations::synchronised_in_graph(graphs),
            ),
            None => (writers.orders(system.machine(), &execution.steps), knowledge.reduced()),
        };
        let machine = system.machine();
        for thread in machine.threads() {
            let store = |store: selvedge_memory::WaitingStore| BufferedStore {
                thread,
                object: names::stored(machine, store.address, store.size),
                value: names::value(machine, store.value, store.size),
                span: machine.image.sites.span(store.site),
            };
            execution.buffered.extend(system.buffers().waiting_stores(thread).into_iter().map(store));
        }
        execution.threads = machine
            .threads()
            .map(|name| {
                let start = starts.iter().find(|(started, ..)| *started == name);
                let stack = machine.calls(name);
                let is_there = !stack.is_empty();
                Thread {
                    name,
                    function: start.map_or_else(|| "main".to_owned(), |(_, function, _)| function.clone()),
                    created_by: start.map(|(_, _, at)| *at),
                    end: is_there.then(|| Stay { stack, waits: waiting::waits(system, name) }),
                }
            })
            .collect();
        execution.output = machine.output(Stream::Out);
        execution.output.extend(machine.output(Stream::Error));
        execution
    }
}

/// How the order of steps differs from the graph at a step.
fn detour(graphs: &impl Graphs, at: usize) -> Detour {
    let passed_over = graphs.reads_from(at).filter(|from| from.source != from.latest);
    Detour {
        passed_over: passed_over.and_then(|from| from.latest),
        overwritten_by: graphs.overwritten_by(at),
    }
}

/// The values of an event.
struct Values {
    read: Option<Value>,
    written: Option<Value>,
    operand: Option<Value>,
    expected: Option<Value>,
}

impl Values {
    fn of(machine: &Machine<'_>, event: &Event) -> Self {
        let bytes = event.operation.value_size().unwrap_or(0);
        let shown = |bits: u128| names::value(machine, bits, bytes);
        let (operand, expected) = match event.operation {
            Operation::Store { value, .. } | Operation::Flush { value, .. } => (Some(value), None),
            Operation::CompareExchange { expected, new, .. } => (Some(new), Some(expected)),
            _ => (None, None),
        };
        Self {
            read: event.read.map(shown),
            written: event.written.map(shown),
            operand: operand.map(shown),
            expected: expected.map(shown),
        }
    }
}
