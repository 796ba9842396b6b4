//! `fuzz explore --symmetry`: random programs with threads that do the same, explored as execution graphs with and without
//! `--symmetry`.
//!
//! All graphs that differ only in which of these threads is which are an orbit. An orbit is written down as it is defined: for each
//! thread what it does, with the places in modification order of what it reads and writes, and for threads that do the same all of
//! these as a sorted list. With the option, exactly the orbits must be found that there are without, and the same violations at
//! the same places; how often an orbit has more than one graph is counted. (That graphs without the option are all that there
//! are, is compared with the oracle by the other modes.)

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use selvedge_explore::{Limits, Scope, Session, Settings, Statistics, Symmetry, graphs};
use selvedge_memory::axiomatic::{Axiomatic, Axioms, Graph, Id, Kind, Rc11, ReleaseAcquire, Sc, Tso};
use selvedge_memory::{Bounds, ReleaseSequences};
use selvedge_program::{Program, identity};
use selvedge_testing::{
    Order, Random, Statement, Threads, add, assume, choose, compare_exchange, down, exchange, fail, fence,
    load, lock, once, post, read_lock, read_unlock, set, spin_lock, spin_unlock, store, sum, threads,
    try_lock, unless, unlock, until, wait_until, when, write_lock, write_unlock,
};
use selvedge_vm::{Config, FaultKind, Image};

use crate::Finding;
use crate::interrupt;
use crate::parallel;

/// Programs with more graphs are left out.
const MOST: u64 = 20_000;

/// Those that take longer, too.
const LONGEST: Duration = Duration::from_secs(2);

/// Events of a thread: what each is, its location, and places in modification order.
type Events = Vec<(u8, u64, u64)>;

/// Graphs that differ only in which of several threads that do the same is which: for each function, what its threads do.
type Orbit = Vec<Vec<Events>>;

/// A program, and which function each thread runs.
struct Case {
    text: String,
    program: Program,
    /// By thread, `main` included.
    functions: Vec<usize>,
    /// Whether data races are violations.
    reports_races: bool,
}

/// What an exploration has found.
struct Explored {
    graphs: u64,
    symmetric: u64,
    orbits: BTreeSet<Orbit>,
    violations: BTreeSet<(&'static str, u32)>,
    /// Whether it was given up.
    is_cut: bool,
}

/// What is compared of one program under one model.
#[derive(Default)]
struct Compared {
    graphs: u64,
    reduced: u64,
    orbits: u64,
    has_groups: bool,
    fault: Option<String>,
}

/// What became of all programs under one model.
#[derive(Default)]
struct Line {
    programs: u64,
    /// In how many no threads were recognised to do the same: some thread does not end in the execution that is looked at.
    without: u64,
    graphs: u64,
    reduced: u64,
    orbits: u64,
    /// How many of the others have exactly one graph for each orbit.
    equal: u64,
    faults: u64,
}

const MODELS: [&str; 4] = [Sc::NAME, Tso::NAME, Rc11::NAME, ReleaseAcquire::NAME];

/// Which programs.
pub struct Asked {
    /// Another seed, other programs.
    pub seed: u64,
    /// The first.
    pub first: u64,
    /// How many at most.
    pub programs: Option<u64>,
    /// How long to go on.
    pub duration: Duration,
    /// How many at a time.
    pub jobs: usize,
}

/// Compares until the time is over.
pub fn run(asked: &Asked) -> Finding {
    let start = Instant::now();
    let started = AtomicU64::new(0);
    let interrupted = interrupt::watch();
    let next = || {
        let goes_on = start.elapsed() < asked.duration && !interrupted.load(Ordering::Relaxed);
        let number = goes_on.then(|| started.fetch_add(1, Ordering::Relaxed))?;
        asked.programs.is_none_or(|most| number < most).then_some(asked.first + number)
    };
    let mut lines: [Line; 4] = Default::default();
    parallel::for_each(
        asked.jobs,
        next,
        |number| examine(asked.seed, *number),
        |number, (text, compared)| {
            for ((line, model), compared) in lines.iter_mut().zip(MODELS).zip(compared) {
                let Some(compared) = compared else { continue };
                line.add(&compared);
                if let Some(fault) = compared.fault {
                    println!("program {number} under {model}: {fault}\n{text}");
                }
            }
        },
    );
    println!(
        "{:8} {:>9} {:>9} {:>11} {:>11} {:>11} {:>9} {:>7}",
        "model", "programs", "without", "graphs", "--symmetry", "orbits", "equal", "faults"
    );
    for (line, model) in lines.iter().zip(MODELS) {
        println!("{model:8} {line}");
    }
    match lines.iter().all(|line| line.faults == 0) {
        true => Finding::Nothing,
        false => Finding::Faults,
    }
}

impl Line {
    fn add(&mut self, compared: &Compared) {
        self.programs += 1;
        if !compared.has_groups {
            self.without += 1;
            self.faults += u64::from(compared.fault.is_some());
            return;
        }
        self.graphs += compared.graphs;
        self.reduced += compared.reduced;
        self.orbits += compared.orbits;
        self.equal += u64::from(compared.reduced == compared.orbits);
        self.faults += u64::from(compared.fault.is_some());
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { programs, without, graphs, reduced, orbits, equal, faults } = self;
        write!(f, "{programs:>9} {without:>9} {graphs:>11} {reduced:>11} {orbits:>11} {equal:>9} {faults:>7}")
    }
}

/// One program under all models; nothing where it has too many graphs.
fn examine(seed: u64, number: u64) -> (String, [Option<Compared>; 4]) {
    let case = make(&mut Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number)));
    let compared = [
        compare::<Sc>(&case),
        compare::<Tso>(&case),
        compare::<Rc11>(&case),
        compare::<ReleaseAcquire>(&case),
    ];
    (case.text, compared)
}

/// A program with two to four threads that do the same, and perhaps another one.
fn make(random: &mut Random) -> Case {
    let alike = 2 + random.below(5) / 2;
    let length = 1 + random.below(if alike == 2 { 5 } else { 3 });
    let flavour = Flavour {
        waits: random.percent(25),
        locks: random.percent(30),
        objects: random.percent(15),
        fails: random.percent(15),
        plain: random.percent(15),
    };
    let mut bodies = vec![body(random, length, flavour)];
    let mut functions = vec![0, 1];
    if random.percent(60) {
        let length = 1 + random.below(3);
        bodies.push(body(random, length, flavour));
        functions.push(2);
    }
    let mut text = String::new();
    for (at, body) in bodies.iter().enumerate() {
        text += &format!("function {}: {body:#?}\n", at + 1);
    }
    let mut program: Threads = threads(bodies);
    for _ in 1..alike {
        program = program.another(1);
    }
    functions.extend(std::iter::repeat_n(1, alike - 1));
    if functions.contains(&2) && random.percent(25) {
        program = program.another(2);
        functions.push(2);
    }
    text += &format!("functions of threads: {functions:?}\n");
    Case { text, program: program.build(), functions, reports_races: flavour.plain }
}

/// What programs have.
#[derive(Clone, Copy)]
struct Flavour {
    waits: bool,
    locks: bool,
    objects: bool,
    fails: bool,
    plain: bool,
}

fn body(random: &mut Random, length: usize, flavour: Flavour) -> Vec<Statement> {
    let mut body = Vec::new();
    for _ in 0..length {
        statement(random, flavour, &mut body);
    }
    body
}

fn statement(random: &mut Random, flavour: Flavour, body: &mut Vec<Statement>) {
    let at = random.pick(&["x", "y"]);
    let into = random.pick(&["a", "b"]);
    let value = 1 + random.below(3) as u64;
    let order = random.pick(&[Order::Relaxed, Order::Relaxed, Order::Acquire, Order::SeqCst]);
    let access = if flavour.plain && random.percent(50) { Order::Plain } else { order };
    if flavour.locks && random.percent(40) {
        let inner = random.below(3);
        let is_tried = random.percent(25);
        let mut inside = Vec::new();
        for _ in 0..inner {
            statement(random, Flavour { locks: false, ..flavour }, &mut inside);
        }
        inside.push(unlock("m"));
        match is_tried {
            true => body.extend([try_lock("m").into("t"), when("t", 0, inside)]),
            false => {
                body.push(lock("m"));
                body.extend(inside);
            }
        }
        return;
    }
    if flavour.objects && random.percent(50) {
        let inside = || store(at, value);
        return match random.below(5) {
            0 => body.extend([spin_lock("p"), inside(), spin_unlock("p")]),
            1 => body.extend([read_lock("r"), load(at).into(into), read_unlock("r")]),
            2 => body.extend([write_lock("r"), inside(), write_unlock("r")]),
            3 => body.push(once("o", [inside()])),
            _ => body.extend([post("q"), down("q")]),
        };
    }
    if flavour.waits && random.percent(35) {
        match random.below(4) {
            0 => body.push(wait_until(at, value)),
            1 => body.extend([
                set("w", 1),
                until("w", 0, [exchange("l", 1).ordered(Order::Acquire).into("w")]),
                store("l", 0).ordered(Order::Release),
            ]),
            2 => body.extend([
                add("n", 1).into("t"),
                set("w", 0),
                until(
                    "w",
                    1,
                    [
                        load("s").ordered(Order::Acquire).into("s"),
                        set("w", 0),
                        when("s", 0, [when("t", 0, [set("w", 1)])]),
                        when("s", 1, [when("t", 1, [set("w", 1)])]),
                        when("s", 2, [when("t", 2, [set("w", 1)])]),
                        when("s", 3, [when("t", 3, [set("w", 1)])]),
                    ],
                ),
                store("s", sum("t", 1)).ordered(Order::Release),
            ]),
            _ => body.extend([
                set("w", 9),
                until("w", value, [load(at).ordered(order).into("w"), when("w", 0, [load("z").into("v")])]),
            ]),
        }
        return;
    }
    body.push(match random.below(12) {
        0..3 => load(at).ordered(access).into(into),
        3..5 => store(at, value).ordered(access),
        5 => store(at, sum(into, 1)).ordered(order),
        6 => add(at, value).ordered(order).into(into),
        7 => exchange(at, value).ordered(order).into(into),
        8 => compare_exchange(at, random.below(2) as u64, value).ordered(order).into(into),
        9 => fence(Order::SeqCst),
        10 if flavour.fails => unless(into, random.below(3) as u64, [fail()]),
        10 => choose(2).into(into),
        _ if random.percent(20) => assume(into, value),
        _ => when(into, random.below(3) as u64, [store(at, value).ordered(order), load("z").into("v")]),
    });
}

/// Compares what is explored with and without the option.
fn compare<A: Axioms>(case: &Case) -> Option<Compared> {
    let full = explore::<A>(case, Symmetry::Ignored, LONGEST);
    if full.is_cut {
        return None;
    }
    // Much longer than without: then something is wrong.
    let reduced = explore::<A>(case, Symmetry::Reduced, 10 * LONGEST);
    let compared = Compared {
        graphs: full.graphs,
        reduced: reduced.graphs,
        orbits: full.orbits.len() as u64,
        has_groups: reduced.symmetric > 0,
        fault: None,
    };
    let missing = full.orbits.difference(&reduced.orbits).next();
    let too_many = reduced.orbits.difference(&full.orbits).next();
    let fault = match (missing, too_many) {
        _ if reduced.is_cut => Some("it does not end with --symmetry".to_owned()),
        _ if !identity::is_hidden(&case.program) => Some("the program shows identities".to_owned()),
        _ if full.violations != reduced.violations => {
            Some(format!("violations {:?}, with --symmetry {:?}", full.violations, reduced.violations))
        }
        _ if !full.violations.is_empty() => None,
        (Some(orbit), _) => Some(format!("missing: {orbit:?}")),
        (_, Some(orbit)) => Some(format!("too many: {orbit:?}")),
        _ if A::COHERENCE_IS_CAUSAL && reduced.symmetric > 0 && reduced.graphs != compared.orbits => {
            Some(format!("{} graphs for {} orbits", reduced.graphs, compared.orbits))
        }
        _ => None,
    };
    Some(Compared { fault, ..compared })
}

fn explore<A: Axioms>(case: &Case, symmetry: Symmetry, longest: Duration) -> Explored {
    let mut explored = Explored {
        graphs: 0,
        symmetric: 0,
        orbits: BTreeSet::new(),
        violations: BTreeSet::new(),
        is_cut: true,
    };
    let Ok(image) = Image::for_graphs(&case.program) else { return explored };
    let allowed = if case.reports_races { Vec::new() } else { vec![FaultKind::DataRace] };
    let config = Config { allowed: allowed.iter().copied().collect(), ..Config::default() };
    let bounds = Bounds::default();
    let Ok((system, first)) =
        Axiomatic::<A>::new(&image, config, bounds, Vec::new(), ReleaseSequences::default())
    else {
        return explored;
    };
    let is_cut = AtomicBool::new(false);
    let mut settings = Settings { keep_going: true, allowed, ..Settings::default() };
    settings.limits = Limits { executions: Some(MOST), deadline: Some(Instant::now() + longest) };
    let mut silent = |_: &Statistics| {};
    let mut session = Session::new(system, first, settings, &is_cut, &mut silent);
    let (orbits, graphs) = (&mut explored.orbits, &mut explored.graphs);
    let mut see = |graph: &Graph| {
        orbits.insert(orbit_of(graph, &case.functions));
        *graphs += 1;
    };
    let (_, symmetric) = graphs::explore_up_to(&mut session, Scope::Any, symmetry, Some(&mut see));
    explored.symmetric = symmetric;
    explored.is_cut = !session.limits_reached.is_empty() || session.unsupported.is_some();
    let source = &case.program.source;
    explored.violations = session
        .found
        .iter()
        .map(|found| {
            let violation = &found.violation;
            // Of two accesses that race, graphs have one order only.
            let is_race = violation.kind == FaultKind::DataRace;
            (violation.kind.name(), if is_race { 0 } else { source.span(violation.span).line })
        })
        .collect();
    explored
}

fn orbit_of(graph: &Graph, functions: &[usize]) -> Orbit {
    let kinds = functions.iter().max().map_or(0, |most| most + 1);
    let mut orbit: Orbit = vec![Vec::new(); kinds];
    for thread in graph.threads() {
        if let Some(function) = functions.get(thread.id.number()) {
            orbit[*function].push(events_of(graph, &thread.nodes));
        }
    }
    orbit.iter_mut().for_each(|threads| threads.sort_unstable());
    orbit
}

/// What a thread has done, without rounds that were in vain.
fn events_of(graph: &Graph, nodes: &[Id]) -> Events {
    let mut events: Vec<(u32, (u8, u64, u64))> = Vec::new();
    for id in nodes {
        let node = graph.node(*id);
        let event = match node.kind {
            Kind::Block { from, .. } => {
                events.retain(|(index, _)| *index < from);
                continue;
            }
            Kind::Read | Kind::Wake => {
                (0, graph.cell(node.cell).address, graph.rank(node.cell, node.source) as u64)
            }
            Kind::Write => (1, graph.cell(node.cell).address, graph.rank(node.cell, *id) as u64),
            Kind::Choose(choice) => (2, u64::from(choice), 0),
            _ => continue,
        };
        events.push((node.index, event));
    }
    events.into_iter().map(|(_, event)| event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_are_the_same_with_and_without() {
        let mut fewer = 0;
        for number in 0..150 {
            let (text, compared) = examine(7, number);
            for compared in compared.into_iter().flatten() {
                assert!(compared.fault.is_none(), "program {number}: {:?}\n{text}", compared.fault);
                fewer += u64::from(compared.reduced < compared.graphs);
            }
        }
        assert!(fewer > 100, "{fewer}");
    }
}
