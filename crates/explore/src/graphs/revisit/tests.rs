//! Revisits, on small random programs, against their definitions.

use super::*;
use crate::graphs::{Attempt, parallel};
use crate::{Scope, Session, Settings, Statistics};
use selvedge_memory::axiomatic::{Axiomatic, CAUSES, Rc11, Sc};
use selvedge_memory::{Bounds, ReleaseSequences, System};
use selvedge_program::Program;
use selvedge_testing::{Random, Statement, exchange, load, store, threads};
use selvedge_vm::{Config, FaultKind, Image};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// It is about to add a node.
    Before,
    /// It has come to a complete graph.
    Complete,
    /// It has returned to a step with something else to try, and is about to try it.
    Returned,
    /// The same, and a revisit was taken back on the way.
    Restored,
    /// That has led somewhere.
    Tried,
}

/// Explores a program as [`Search::run`] does, and lets somebody see the search.
fn explore<A: Axioms>(program: &Program, see: &mut dyn FnMut(&mut Search<'_, '_, '_, A>, Moment)) {
    let image = Image::for_graphs(program).expect("a program");
    let allowed = vec![FaultKind::DataRace];
    let config = Config { allowed: allowed.iter().copied().collect(), ..Config::default() };
    let sequences = ReleaseSequences::default();
    let (system, first) =
        Axiomatic::<A>::new(&image, config, Bounds::default(), Vec::new(), sequences).expect("a machine");
    let (interrupted, mut observer) = (AtomicBool::new(false), |_: &Statistics| {});
    let settings = Settings { keep_going: true, allowed, ..Settings::default() };
    let mut session = Session::new(system, first, settings, &interrupted, &mut observer);
    let mut search = Search::new(&mut session, None, Scope::Any);
    loop {
        let complete = search.session.statistics.executions;
        see(&mut search, Moment::Before);
        if search.descend() != Went::Back {
            continue;
        }
        if search.session.statistics.executions > complete {
            see(&mut search, Moment::Complete);
        }
        let mut moment = Moment::Returned;
        loop {
            let Some(frame) = search.frames.last() else { return };
            if frame.ways.is_empty() {
                if frame.before.is_some() {
                    moment = Moment::Restored;
                }
                search.pop();
                continue;
            }
            search.session.rewind(&frame.mark);
            see(&mut search, moment);
            if search.advance(Attempt::Another) == Went::On {
                see(&mut search, Moment::Tried);
                break;
            }
        }
    }
}

/// Whether programs have updates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Updates {
    Some,
    None,
}

fn random_program(random: &mut Random, updates: Updates) -> Program {
    let mut value = 0;
    let mut statement = || -> Statement {
        let at = random.pick(&["x", "y"]);
        value += 1;
        match random.below(9) {
            0 if updates == Updates::Some => exchange(at, value),
            0..5 => load(at),
            _ => store(at, value),
        }
    };
    let bodies: Vec<Vec<Statement>> = (0..3).map(|_| vec![statement(), statement()]).collect();
    threads(bodies).build()
}

fn name(graph: &Graph, id: Id) -> String {
    match id {
        NONE => "at first".to_owned(),
        id => format!("{:?}", name_of(graph, id)),
    }
}

/// What a graph is, whatever the order in which its nodes were added: its nodes and what they read from; its writes in order.
fn meaning(graph: &Graph, stays: impl Fn(Id) -> bool) -> (BTreeSet<String>, BTreeMap<u64, Vec<String>>) {
    let ids = (0..graph.nodes().len() as Id).filter(|id| stays(*id));
    let nodes = ids.map(|id| {
        let node = graph.node(id);
        let source = if node.kind == Kind::Read { name(graph, node.source) } else { String::new() };
        format!("{} {:?} {source}", name(graph, id), node.kind)
    });
    let writes = graph.cells().iter().map(|cell| {
        let there = cell.writes.iter().filter(|write| stays(**write));
        (cell.address, there.map(|write| name(graph, *write)).collect::<Vec<_>>())
    });
    (nodes.collect(), writes.filter(|(_, writes)| !writes.is_empty()).collect())
}

/// All of a graph.
fn picture(graph: &Graph) -> String {
    let cells = graph.cells().iter().filter(|cell| !(cell.writes.is_empty() && cell.reads.is_empty()));
    let cells: Vec<String> =
        cells.map(|cell| format!("{} {:?} {:?}", cell.address, cell.writes, cell.reads)).collect();
    let clocks: Vec<&[u32]> = (0..graph.nodes().len() as Id).map(|id| graph.clock(id, CAUSES)).collect();
    let mut nodes = graph.nodes().to_vec();
    // Where an operation comes in the trace is known when it is complete, and not forgotten when its last node goes.
    let open = (0..).zip(graph.threads()).filter(|(number, _)| graph.is_open(*number));
    open.filter_map(|(_, thread)| thread.nodes.last()).for_each(|id| nodes[*id as usize].trace = NONE);
    format!("{nodes:?}\n{cells:?}\n{clocks:?}")
}

/// All that happened before the next node of a thread, by program order, creation, join, and reading.
fn past(graph: &Graph, thread: ThreadId) -> BTreeSet<Id> {
    let number = graph.known_number(thread).expect("known") as usize;
    let own = &graph.threads()[number];
    let mut past = BTreeSet::new();
    let mut open: Vec<Id> = own.nodes.last().copied().into_iter().chain([own.creator]).collect();
    while let Some(id) = open.pop() {
        if id == NONE || !past.insert(id) {
            continue;
        }
        let node = graph.node(id);
        let thread = &graph.threads()[node.thread as usize];
        open.push(match node.index.checked_sub(1) {
            Some(before) => thread.nodes[before as usize],
            None => thread.creator,
        });
        match node.kind {
            Kind::Read => open.push(node.source),
            Kind::Join(other) => open.extend(graph.threads()[other as usize].nodes.last()),
            _ => {}
        }
    }
    past
}

/// Whether a read may be revisited by a write with a past: it, and all that was added later and is not in the past, was the last
/// of its location when it was added, or will be when the past is there.
fn may_be_revisited(graph: &Graph, read: Id, past: &BTreeSet<Id>) -> bool {
    let goes = |id: &Id| graph.node(*id).stamp >= graph.node(read).stamp && !past.contains(id);
    (0..graph.nodes().len() as Id).filter(goes).all(|id| {
        let node = graph.node(id);
        let was_there = |other: &Id| graph.node(*other).stamp <= node.stamp || past.contains(other);
        if !matches!(node.kind, Kind::Read | Kind::Write) {
            return true;
        }
        let cell = graph.cell(node.cell);
        let last = cell.writes.iter().copied().rfind(was_there).unwrap_or(NONE);
        match node.kind {
            Kind::Read => node.source == last,
            _ => {
                id == last
                    && !cell
                        .reads
                        .iter()
                        .filter(|read| was_there(read))
                        .any(|read| graph.node(*read).source == id)
            }
        }
    })
}

/// What can be done with the next node, if that is a write: whose it is, and which ways.
fn ways_of_write<A: Axioms>(search: &mut Search<'_, '_, '_, A>) -> Option<(ThreadId, u32, Vec<Way>)> {
    let (thread, turning) = search.pick()?;
    let Ok(Next::Write { cell, .. }) = search.session.system.next(thread) else { return None };
    let start = search.ways.len();
    search.list_ways(thread, turning);
    let ways = search.ways.split_off(start);
    Some((thread, cell, ways))
}

fn check_which_reads_are_revisited<A: Axioms>(updates: Updates, seed: u64) {
    let mut random = Random::new(seed);
    let (mut revisited, mut left_alone) = (0, 0);
    for _ in 0..100 {
        let program = random_program(&mut random, updates);
        explore::<A>(&program, &mut |search, moment| {
            if moment != Moment::Before {
                return;
            }
            let Some((thread, cell, ways)) = ways_of_write(search) else { return };
            let graph = search.graph();
            let number = graph.known_number(thread).expect("known");
            let past = past(graph, thread);
            for read in &graph.cell(cell).reads {
                let node = graph.node(*read);
                let is_revisited = ways.iter().any(
                    |way| matches!(way, Way::Revisit { read, .. } if *read == (node.thread, node.index)),
                );
                let may =
                    node.thread != number && !past.contains(read) && may_be_revisited(graph, *read, &past);
                // Where updates follow each other immediately, there may be no place for the write.
                match updates {
                    Updates::None => assert_eq!(is_revisited, may, "{}", picture(graph)),
                    Updates::Some => assert!(may || !is_revisited, "{}", picture(graph)),
                }
                *(if is_revisited { &mut revisited } else { &mut left_alone }) += 1;
            }
        });
    }
    assert!(revisited > 50 && left_alone > 50, "{revisited} {left_alone}");
}

#[test]
fn reads_are_revisited_if_what_goes_would_be_added_again() {
    check_which_reads_are_revisited::<Rc11>(Updates::None, 1);
    check_which_reads_are_revisited::<Sc>(Updates::None, 2);
    check_which_reads_are_revisited::<Rc11>(Updates::Some, 3);
}

/// What is looked at location by location, is looked at node by node.
fn check_all_at_once<A: Axioms>(seed: u64) {
    let mut random = Random::new(seed);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..40 {
        let program = random_program(&mut random, Updates::Some);
        explore::<A>(&program, &mut |search, _| {
            let graph = search.graph();
            let all = || 0..graph.nodes().len() as Id;
            for thread in 0..graph.threads().len() as u32 {
                let Some(causes) = graph.clock_of(thread, CAUSES) else { continue };
                for read in all().filter(|id| graph.node(*id).reads()) {
                    let cut = Cut { graph, stamp: graph.node(read).stamp, causes };
                    let one_by_one = all().all(|id| cut.stays(id) || cut.goes_as_it_came(id, read));
                    assert_eq!(cut.is_all_maximal(read), one_by_one, "{}", picture(graph));
                    *(if one_by_one { &mut yes } else { &mut no }) += 1;
                }
            }
        });
    }
    assert!(yes > 500 && no > 500, "{yes} {no}");
}

#[test]
fn all_that_goes_is_looked_at_at_once() {
    check_all_at_once::<Rc11>(5);
    check_all_at_once::<Sc>(6);
}

/// After a revisit, what is older than the read is there, what happened before the write, the write at its place, and the read,
/// which reads from it; and nothing else.
#[test]
fn a_revisit_leaves_what_is_older_and_what_the_write_depends_on() {
    let mut random = Random::new(4);
    let mut seen = 0;
    for _ in 0..100 {
        let program = random_program(&mut random, Updates::Some);
        let mut expected = Vec::new();
        explore::<Rc11>(&program, &mut |search, moment| match moment {
            Moment::Returned | Moment::Restored => {
                expected.clear();
                let Some(frame) = search.frames.last() else { return };
                let graph = search.graph();
                let (past, writer) = (past(graph, frame.thread), frame.thread);
                let number = graph.known_number(writer).expect("known");
                let name_of_write = (number, graph.threads()[number as usize].nodes.len() as u32);
                for way in &search.ways[frame.ways.clone()] {
                    let Way::Revisit { read, at } = *way else {
                        // Something else may be tried next.
                        expected.push(None);
                        continue;
                    };
                    let id = graph.threads()[read.0 as usize].nodes[read.1 as usize];
                    let node = graph.node(id);
                    let (mut nodes, mut writes) =
                        meaning(graph, |id| graph.node(id).stamp < node.stamp || past.contains(&id));
                    nodes.insert(format!("{:?} Write ", Some(name_of_write)));
                    nodes.insert(format!("{:?} Read {:?}", Some(read), Some(name_of_write)));
                    let address = graph.cell(node.cell).address;
                    writes
                        .entry(address)
                        .or_default()
                        .insert(at as usize, format!("{:?}", Some(name_of_write)));
                    expected.push(Some((nodes, writes)));
                }
            }
            Moment::Tried => {
                let now = meaning(search.graph(), |_| true);
                if !expected.contains(&None) {
                    assert!(expected.contains(&Some(now.clone())), "{now:#?}\n{expected:#?}");
                    seen += 1;
                }
            }
            _ => {}
        });
    }
    assert!(seen > 100, "{seen}");
}

/// When all that follows from a revisit has been seen, the graph is as it was before, with all its numbers.
#[test]
fn what_a_revisit_took_away_is_restored() {
    let mut random = Random::new(5);
    let mut compared = 0;
    for _ in 0..60 {
        let program = random_program(&mut random, Updates::Some);
        // By the ways that were gone before a step: the graph there.
        let mut pictures: BTreeMap<parallel::Path, String> = BTreeMap::new();
        explore::<Rc11>(&program, &mut |search, moment| {
            let mut path = Vec::new();
            let steps = match moment {
                Moment::Before => &search.frames[..],
                Moment::Returned | Moment::Restored => &search.frames[..search.frames.len() - 1],
                _ => return,
            };
            steps.iter().for_each(|frame| parallel::add_ways(frame, &mut path));
            if moment == Moment::Before {
                pictures.insert(path, picture(search.graph()));
            } else if let Some(last) = search.frames.last()
                && last.before.is_none()
                && let Some(before) = pictures.get(&path)
            {
                assert_eq!(*before, picture(search.graph()));
                compared += usize::from(moment == Moment::Restored);
            }
        });
    }
    assert!(compared > 50, "{compared}");
}

/// All graphs to which nothing can be added, by adding nodes in every order and every way.
fn all_graphs<A: Axioms>(program: &Program) -> BTreeSet<String> {
    fn add<A: Axioms>(
        system: &mut Axiomatic<'_, A>,
        known: &mut BTreeMap<String, bool>,
        all: &mut BTreeSet<String>,
    ) -> bool {
        let now = format!("{:?}", meaning(system.graph(), |_| true));
        if let Some(goes_on) = known.get(&now) {
            return *goes_on;
        }
        let mut goes_on = false;
        let is_open = system.graph().is_somebody_busy();
        for thread in system.threads().collect::<Vec<_>>() {
            let number = system.graph().known_number(thread);
            if is_open && !number.is_some_and(|number| system.graph().is_open(number)) {
                continue;
            }
            let mut choices = Vec::new();
            match system.next(thread).expect("supported") {
                Next::Nothing => {}
                Next::Read { .. } => system.sources(thread, None, &mut choices),
                Next::Write { cell, update } => {
                    let floor = system.floor(number.expect("known"), cell);
                    system.places(cell, floor, update, |place| choices.push(place));
                }
                Next::Other(count) => choices.extend(0..count),
            }
            for choice in choices {
                if system.allows(thread, choice) {
                    let mark = system.mark();
                    system.step(thread.into(), choice);
                    goes_on |= add(system, known, all);
                    system.rewind(&mark);
                }
            }
        }
        if !goes_on && !is_open {
            all.insert(now.clone());
            goes_on = true;
        }
        known.insert(now, goes_on);
        goes_on
    }
    let image = Image::for_graphs(program).expect("a program");
    let (config, sequences) = (Config::default(), ReleaseSequences::default());
    let (mut system, _) =
        Axiomatic::<A>::new(&image, config, Bounds::default(), Vec::new(), sequences).expect("a machine");
    let mut all = BTreeSet::new();
    add(&mut system, &mut BTreeMap::new(), &mut all);
    all
}

/// Each graph is explored, and once.
fn check_all_graphs<A: Axioms>(seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..12 {
        let program = random_program(&mut random, Updates::Some);
        let mut explored = BTreeSet::new();
        explore::<A>(&program, &mut |search, moment| {
            if moment == Moment::Complete {
                let graph = format!("{:?}", meaning(search.graph(), |_| true));
                assert!(explored.insert(graph.clone()), "twice: {graph}");
            }
        });
        assert_eq!(explored, all_graphs::<A>(&program));
    }
}

#[test]
fn the_graphs_explored_are_all_that_there_are() {
    check_all_graphs::<Rc11>(6);
    check_all_graphs::<Sc>(7);
}
