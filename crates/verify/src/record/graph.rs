//! An execution graph as plain data, in the form of [`selvedge_trace::graph`].

use super::names;
use selvedge_check::Violation;
use selvedge_memory::System;
use selvedge_memory::axiomatic::{Axiomatic, Axioms, BEFORE, Cell, Graph, Id, Kind, NONE, Node, State, flag};
use selvedge_program::{Program, SpanId};
use selvedge_trace::execution::{Execution, Step};
use selvedge_trace::graph::{self as plain, ExecutionGraph, Location, Name, Order, Place, Source, Thread};
use selvedge_trace::{Event, Operation, ThreadId};
use selvedge_vm::FaultKind;

/// Writes down the present execution of a system, that was recorded, and what is wrong with it.
pub(crate) fn write<A: Axioms>(
    system: &Axiomatic<'_, A>,
    execution: &Execution,
    violations: &[Violation],
) -> ExecutionGraph {
    let recorder = Recorder::new(system, execution);
    let graph = system.graph();
    let nodes = recorder.threads.iter().flat_map(|(_, nodes)| nodes);
    let pairs = |pairs: Vec<(Id, Id)>| -> Vec<(Name, Name)> {
        let named = pairs.into_iter().filter_map(|(one, other)| recorder.name(one).zip(recorder.name(other)));
        named.collect()
    };
    let mut rf = Vec::new();
    let mut rb = Vec::new();
    for id in nodes.clone() {
        let node = graph.node(*id);
        if !matches!(node.kind, Kind::Read | Kind::Wake) || node.cell == NONE {
            continue;
        }
        let source = match node.source {
            NONE => Some(Source::Initial),
            source => recorder.name(source).map(Source::Node),
        };
        rf.extend(source.zip(recorder.name(*id)));
        let next = graph.cell(node.cell).writes.get(graph.rank(node.cell, node.source)).copied();
        if let Some(next) = next.filter(|next| node.kind == Kind::Read && !is_own(graph, *id, *next)) {
            rb.push((*id, next));
        }
    }
    let function = |thread: ThreadId| {
        execution.thread(thread).map_or_else(|| "main".to_owned(), |thread| thread.function.clone())
    };
    let po = recorder.threads.iter().flat_map(|(_, nodes)| nodes.windows(2).map(|pair| (pair[0], pair[1])));
    let mut record = ExecutionGraph {
        model: A::NAME.to_owned(),
        violations: violations.iter().map(|violation| recorder.violation(violation)).collect(),
        threads: recorder
            .threads
            .iter()
            .map(|(thread, _)| Thread { name: *thread, function: function(*thread) })
            .collect(),
        locations: recorder.cells.iter().map(|cell| recorder.location(*cell)).collect(),
        nodes: nodes.clone().filter_map(|id| recorder.node(*id)).collect(),
        po: pairs(po.collect()),
        rf,
        rb: pairs(rb),
        hb: pairs(nodes.flat_map(|id| recorder.before(*id)).collect()),
        psc: pairs(A::sc_order(graph)),
        ..ExecutionGraph::default()
    };
    if violations.iter().any(is_end) {
        recorder.add_waits(&mut record);
    }
    record
}

/// Whether a violation is that threads wait for ever.
fn is_end(violation: &Violation) -> bool {
    matches!(violation.kind, FaultKind::Deadlock | FaultKind::Livelock)
}

/// Whether a write is the other half of a read.
fn is_own(graph: &Graph, read: Id, write: Id) -> bool {
    let (read, write) = (graph.node(read), graph.node(write));
    read.is(flag::UPDATE) && write.thread == read.thread && write.index == read.index + 1
}

/// Whether a node is part of the execution, and not only of how it was found: what a thread has read in vain is not, if it
/// then went on.
fn is_kept(graph: &Graph, nodes: &[Id], at: usize) -> bool {
    let node = graph.node(nodes[at]);
    // Halves of updates that others may read from are there in any case.
    let waits = |node: &Node| matches!(node.kind, Kind::Block { .. });
    let in_vain = node.is(flag::VAIN) && !node.is(flag::UPDATE);
    if !waits(node) && !in_vain {
        return true;
    }
    let last = nodes.last().map(|id| graph.node(*id));
    match last.map(|last| last.kind) {
        Some(Kind::Block { from, .. }) => at + 1 == nodes.len() || (in_vain && at >= from as usize),
        _ => false,
    }
}

struct Recorder<'a, 'i, A: Axioms> {
    system: &'a Axiomatic<'i, A>,
    execution: &'a Execution,
    /// The threads with the nodes that are kept, in the order of their names.
    threads: Vec<(ThreadId, Vec<Id>)>,
    /// The name of each node that is kept.
    names: Vec<Option<Name>>,
    /// The locations that nodes access.
    cells: Vec<u32>,
}

impl<'a, 'i, A: Axioms> Recorder<'a, 'i, A> {
    fn new(system: &'a Axiomatic<'i, A>, execution: &'a Execution) -> Self {
        let graph = system.graph();
        let mut ids: Vec<ThreadId> = system.machine().threads().collect();
        ids.sort();
        let mut names = vec![None; graph.nodes().len()];
        let mut threads = Vec::new();
        let mut cells = Vec::new();
        for thread in ids {
            let number = graph.known_number(thread);
            let nodes = number.map_or(&[][..], |number| &graph.threads()[number as usize].nodes);
            let kept = (0..nodes.len()).filter(|at| is_kept(graph, nodes, *at)).map(|at| nodes[at]);
            let kept: Vec<Id> = kept.collect();
            for (index, id) in kept.iter().enumerate() {
                names[*id as usize] = Some(Name { thread, index: index as u32 });
                cells.push(graph.node(*id).cell);
            }
            threads.push((thread, kept));
        }
        cells.retain(|cell| *cell != NONE);
        cells.sort_unstable();
        cells.dedup();
        // The order in which locations were met is an accident of the exploration.
        cells.sort_by_key(|cell| graph.cell(*cell).address);
        Self { system, execution, threads, names, cells }
    }

    fn program(&self) -> &Program {
        self.system.machine().image.program
    }

    fn name(&self, id: Id) -> Option<Name> {
        self.names.get(id as usize).copied().flatten()
    }

    /// The event that a node is part of, and its line. That a thread waits is no event.
    fn event(&self, id: Id) -> Option<(&Event, Option<&Step>)> {
        let node = self.system.graph().node(id);
        let thread = self.system.graph().threads()[node.thread as usize].id;
        let at = node.trace as usize;
        let event = self.system.events().get(at).filter(|event| event.thread == thread)?;
        (!matches!(node.kind, Kind::Block { .. })).then(|| (event, self.execution.steps.get(at)))
    }

    fn place(&self, span: SpanId, function: Option<&str>) -> Place {
        place(self.program(), span, function)
    }

    /// The reduced happens-before relation, as far as it leads to a node.
    fn before(&self, id: Id) -> Vec<(Id, Id)> {
        let graph = self.system.graph();
        let node = graph.node(id);
        let clock = graph.clock(id, BEFORE);
        // Of each thread the last one is enough.
        let last = self.threads.iter().filter_map(|(thread, nodes)| {
            let number = graph.known_number(*thread)?;
            let known = if number == node.thread { node.index } else { clock[number as usize] };
            let count = nodes.partition_point(|other| graph.node(*other).index < known);
            count.checked_sub(1).map(|at| nodes[at])
        });
        let last: Vec<Id> = last.collect();
        let is_direct =
            |one: &&Id| !last.iter().any(|other| other != *one && graph.happens_before(**one, *other));
        last.iter().filter(is_direct).map(|one| (*one, id)).collect()
    }

    fn violation(&self, violation: &Violation) -> plain::Violation {
        let graph = self.system.graph();
        let mut nodes: Vec<Name> = Vec::new();
        for (_, own) in &self.threads {
            let part = |id: &&Id| {
                let node = graph.node(**id);
                self.event(**id).is_some() && violation.events.contains(&(node.trace as usize))
            };
            nodes.extend(own.iter().filter(part).filter_map(|id| self.name(*id)));
        }
        if nodes.is_empty() && !is_end(violation) {
            let own = self.threads.iter().find(|(thread, _)| *thread == violation.thread);
            nodes.extend(own.and_then(|(_, own)| self.name(*own.last()?)));
        }
        plain::Violation {
            kind: violation.kind.name().to_owned(),
            message: violation.message.clone(),
            location: self.place(violation.span, None),
            thread: violation.thread,
            nodes,
        }
    }

    /// Adds a node for each thread that waits for ever without having blocked: for a signal, or for another thread's end.
    fn add_waits(&self, record: &mut ExecutionGraph) {
        let graph = self.system.graph();
        let mut waits = Vec::new();
        for (thread, own) in &self.threads {
            if self.system.machine().pending(*thread).is_none() {
                continue;
            }
            let last = own.last().copied();
            if last.is_some_and(|last| matches!(graph.node(last).kind, Kind::Block { .. })) {
                waits.extend(last.and_then(|last| self.name(last)));
                continue;
            }
            let name = Name { thread: *thread, index: own.len() as u32 };
            let (variable, place) = self.pending(*thread);
            let operation = self.system.machine().pending(*thread);
            let at = record.nodes.partition_point(|node| node.name.thread <= *thread);
            let node = plain::Node {
                name,
                kind: plain::Kind::Wait,
                operation: operation.map_or_else(String::new, |operation| words(&operation)),
                order: None,
                location: None,
                variable,
                value: None,
                bits: None,
                place,
            };
            record.nodes.insert(at, node);
            let before = last.and_then(|last| self.name(last)).map(|last| (last, name));
            record.po.extend(before);
            record.hb.extend(before);
            waits.push(name);
        }
        for violation in record.violations.iter_mut().filter(|violation| violation.nodes.is_empty()) {
            violation.nodes.clone_from(&waits);
        }
    }

    /// What a thread is about to access, and where.
    fn pending(&self, thread: ThreadId) -> (Option<String>, Place) {
        let machine = self.system.machine();
        let place = self.place(machine.place(thread), machine.user_function(thread));
        (machine.name_of_pending(thread), place)
    }

    fn location(&self, cell: u32) -> Location {
        let graph = self.system.graph();
        let at = graph.cell(cell);
        let is_sync = |id: &Id| graph.node(*id).is(flag::SYNC) && !graph.awaits_in_vain(graph.node(*id));
        let sync = at.writes.iter().chain(&at.reads).any(is_sync);
        let (initial, bits) = match sync {
            true => (None, None),
            false => (Some(self.value(at, at.initial)), Some(bits(at.initial))),
        };
        Location {
            name: self.location_name(cell),
            size: at.size,
            sync,
            initial,
            bits,
            mo: at.writes.iter().filter_map(|write| self.name(*write)).collect(),
        }
    }

    /// What the object is called that is, or was, at an address; or how the program writes it.
    fn location_name(&self, cell: u32) -> String {
        let machine = self.system.machine();
        let graph = self.system.graph();
        let at = graph.cell(cell);
        let (address, size) = (at.address, u64::from(at.size));
        let object = machine.object_at(address);
        let path = object.as_ref().and_then(|object| object.path(machine, address, size));
        // The state of a mutex is a part of it.
        let accesses = at.writes.iter().chain(&at.reads).filter(|id| graph.node(**id).phase < 2);
        let is_sync = |id: &Id| graph.node(*id).is(flag::SYNC) && !graph.awaits_in_vain(graph.node(*id));
        let sync = accesses.clone().any(is_sync);
        let mut written = accesses.filter_map(|id| self.event(*id)?.1?.object.clone());
        let name = match sync {
            true => written.next().or(path),
            false => path.or_else(|| written.next()),
        };
        let name = name.or_else(|| Some(object?.describe(machine)));
        name.unwrap_or_else(|| format!("{address:#x}"))
    }

    fn value(&self, cell: &Cell, state: State) -> String {
        names::value(self.system.machine(), state.low, cell.size).text
    }

    fn node(&self, id: Id) -> Option<plain::Node> {
        let graph = self.system.graph();
        let node = graph.node(id);
        let name = self.name(id)?;
        let machine = self.system.machine();
        let event = self.event(id);
        let operation = event.map(|(event, _)| event.operation).or_else(|| machine.pending(name.thread));
        let (variable, place) = match event {
            Some((event, line)) => (
                line.and_then(|line| line.object.clone()),
                self.place(machine.image.sites.span(event.site), line.map(|line| line.function.as_str())),
            ),
            None => self.pending(name.thread),
        };
        let accesses = node.cell != NONE;
        // What comes after giving up a condition variable is about the mutex.
        let variable = match node.phase < 2 {
            true => variable,
            false => accesses.then(|| self.location_name(node.cell)),
        };
        let has_value = accesses && (!node.is(flag::SYNC) || graph.awaits_in_vain(node));
        let exchanged = event.is_some_and(|(event, _)| event.written.is_some());
        Some(plain::Node {
            name,
            kind: kind(node),
            operation: match (node.kind, operation) {
                (Kind::Spawn(other), _) => format!("create thread {}", graph.threads()[other as usize].id),
                // It then waits.
                (Kind::Read, _) if event.is_none() => "look".to_owned(),
                (_, Some(operation)) => words(&operation),
                (_, None) => String::new(),
            },
            order: operation.and_then(|operation| order(&operation, node, exchanged)),
            location: self.cells.iter().position(|cell| *cell == node.cell),
            variable,
            value: has_value.then(|| self.value(graph.cell(node.cell), node.state)),
            bits: has_value.then(|| bits(node.state)),
            place,
        })
    }
}

fn bits(state: State) -> String {
    format!("{:#x}", state.low)
}

fn place(program: &Program, span: SpanId, function: Option<&str>) -> Place {
    let at = program.source.span(span);
    let scope = program.source.scopes[at.scope.index()].function.as_str();
    let function = if scope.is_empty() { function.unwrap_or_default() } else { scope };
    Place {
        file: program.source.file(span).to_owned(),
        line: at.line,
        column: at.column,
        function: function.to_owned(),
    }
}

fn kind(node: &Node) -> plain::Kind {
    match node.kind {
        Kind::Read if node.is(flag::UPDATE) => plain::Kind::UpdateRead,
        Kind::Read => plain::Kind::Read,
        Kind::Write if node.is(flag::UPDATE) => plain::Kind::UpdateWrite,
        Kind::Write => plain::Kind::Write,
        Kind::Wake => plain::Kind::Wake,
        Kind::Fence => plain::Kind::Fence,
        Kind::Spawn(_) => plain::Kind::Create,
        Kind::Join(_) => plain::Kind::Join,
        Kind::Choose(_) => plain::Kind::Choose,
        Kind::Block { .. } => plain::Kind::Wait,
        Kind::End | Kind::After(_) | Kind::Other => plain::Kind::Other,
    }
}

/// What an operation is called, with the thread it is about.
fn words(operation: &Operation) -> String {
    match operation {
        Operation::Join { thread: Some(other) } => format!("join thread {other}"),
        operation => operation.name().to_owned(),
    }
}

/// The memory order of an operation; of one on a synchronisation object, what a part of it acts like.
fn order(operation: &Operation, node: &Node, exchanged: bool) -> Option<Order> {
    match *operation {
        _ if matches!(node.kind, Kind::Block { .. }) => None,
        Operation::Sync { .. } if node.cell != NONE => {
            Some(match (node.is(flag::ACQUIRE), node.is(flag::RELEASE)) {
                (true, true) => Order::AcqRel,
                (true, false) => Order::Acquire,
                (false, true) => Order::Release,
                (false, false) => Order::Relaxed,
            })
        }
        Operation::Release { .. } => Some(Order::Plain),
        _ => operation.order(exchanged),
    }
}
