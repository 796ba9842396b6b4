//! Robustness against its definition: an execution with store buffers is robust if sequential consistency has one in which
//! each load reads from the same store, and stores reach each location in the same order.

use crate::executions::{Reads, each_end, in_order, line_of_site, reads, with_buffers};
use selvedge_check::robust;
use selvedge_memory::{Discipline, System};
use selvedge_program::Program;
use selvedge_testing::*;
use selvedge_trace::{Event, Operation, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// An operation: its thread, and which of the thread's.
type Name = (ThreadId, u32);

/// What decides: the values read, the stores that reach each byte, in order, and the operations on each object.
type Trace = (Reads, BTreeMap<u64, Vec<Name>>);

fn trace(events: &[Event]) -> Trace {
    let mut orders: BTreeMap<u64, Vec<Name>> = BTreeMap::new();
    for event in events.iter().filter(|event| event.buffered == 0) {
        let writes = event.written.is_some();
        let (address, size) = match event.operation {
            Operation::Store { address, ty, .. } => (address, u64::from(ty.bytes())),
            Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } if writes => {
                (address, u64::from(ty.bytes()))
            }
            Operation::Flush { address, size, .. } => (address, u64::from(size)),
            Operation::Set { to, size, .. } => (to, size),
            Operation::Sync { object, .. } => (object, 1),
            _ => continue,
        };
        for byte in address..address + size {
            orders.entry(byte).or_default().push((event.thread, event.index));
        }
    }
    (reads(events), orders)
}

/// How many executions of a program are robust, and how many are not. Each is compared with the definition.
fn judge(program: &Program, discipline: Discipline) -> (usize, usize) {
    let mut sequential: BTreeSet<Trace> = BTreeSet::new();
    in_order(program, |system| {
        each_end(system, |system| sequential.extend([trace(system.events())]));
    });
    let (mut robust, mut others) = (0, 0);
    with_buffers(program, discipline, |system| {
        each_end(system, |system| {
            let is_robust = robust::violation(system).is_none();
            let expected = sequential.contains(&trace(system.events()));
            assert_eq!(is_robust, expected, "{discipline:?}: {:#?}", system.events());
            *(if is_robust { &mut robust } else { &mut others }) += 1;
        });
    });
    (robust, others)
}

fn litmus(bodies: impl IntoIterator<Item = Vec<Statement>>) -> Program {
    threads(bodies).build()
}

#[test]
fn known_programs() {
    use Discipline::{Pso, Tso};
    let full = || fence(Order::SeqCst);
    let buffering = litmus([vec![store("x", 1), load("y")], vec![store("y", 2), load("x")]]);
    let fenced = litmus([vec![store("x", 1), full(), load("y")], vec![store("y", 2), full(), load("x")]]);
    let half_fenced = litmus([vec![store("x", 1), full(), load("y")], vec![store("y", 2), load("x")]]);
    let exchanged = litmus([vec![exchange("x", 1), load("y")], vec![exchange("y", 2), load("x")]]);
    let passing = litmus([vec![store("x", 1), store("y", 2)], vec![load("y"), load("x")]]);
    let released = litmus([vec![store("x", 1), store("y", 2).release()], vec![load("y"), load("x")]]);
    let both = litmus([vec![store("x", 1), store("y", 2)], vec![store("y", 3), store("x", 4)]]);
    let own = litmus([vec![store("x", 1), load("x"), load("y")], vec![store("y", 2), load("y"), load("x")]]);
    let r = litmus([vec![store("x", 1), store("y", 2)], vec![store("y", 3), load("x")]]);
    let forwarded =
        litmus([vec![store("x", 1), store("y", 2), load("x")], vec![store("x", 3), store("y", 4)]]);
    let locked = litmus([
        vec![store("x", 1), load("y")],
        vec![lock("m"), store("y", 2), unlock("m")],
        vec![lock("m"), load("x")],
    ]);
    let filled =
        litmus([vec![fill("x", 1, 12), store("y", 2)], vec![load("x"), load("x").part(8, 4), load("y")]]);
    for (name, program, discipline, has_others) in [
        ("a load of the own store", &forwarded, Tso, true),
        ("locks", &locked, Tso, true),
        ("a fill in two parts", &filled, Tso, true),
        ("a fill in two parts", &filled, Pso, true),
        ("store buffering", &buffering, Tso, true),
        ("store buffering", &buffering, Pso, true),
        ("store buffering with fences", &fenced, Tso, false),
        ("store buffering with fences", &fenced, Pso, false),
        ("store buffering with one fence", &half_fenced, Tso, true),
        ("store buffering with updates", &exchanged, Pso, false),
        ("message passing", &passing, Tso, false),
        ("message passing", &passing, Pso, true),
        ("message passing with a release", &released, Pso, false),
        ("2+2W", &both, Tso, false),
        ("2+2W", &both, Pso, true),
        ("own stores", &own, Tso, true),
        ("R", &r, Tso, true),
    ] {
        let (robust, others) = judge(program, discipline);
        assert!(robust > 0, "{name}");
        assert_eq!(others > 0, has_others, "{name} {discipline:?}");
    }
}

#[test]
fn random_programs() {
    let mut random = Random::new(19);
    let mut others = 0;
    for _ in 0..25 {
        let mut value = 0;
        let mut body = |random: &mut Random| -> Vec<Statement> {
            let statement = |random: &mut Random, value: &mut u64| {
                let at = random.pick(&["x", "y"]);
                *value += 1;
                match random.below(8) {
                    0..3 => store(at, *value),
                    3..6 => load(at),
                    6 => exchange(at, *value),
                    _ => store(at, *value).release(),
                }
            };
            (0..3).map(|_| statement(random, &mut value)).collect()
        };
        let program = litmus([body(&mut random), body(&mut random)]);
        for discipline in [Discipline::Tso, Discipline::Pso] {
            others += judge(&program, discipline).1;
        }
    }
    assert!(others > 50, "{others}");
}

/// The violation names the cycle, which begins where a thread goes on before its store has arrived, and the shortest
/// beginning of the execution that has it.
#[test]
fn the_cycle_is_told() {
    let program = litmus([vec![store("x", 1), load("y")], vec![store("y", 2), load("x")]]);
    let mut seen = 0;
    with_buffers(&program, Discipline::Tso, |system| {
        each_end(system, |system| {
            let Some((violation, length)) = robust::violation(system) else { return };
            seen += 1;
            let events = system.events();
            let lines: BTreeSet<u32> =
                violation.events.iter().map(|at| line_of_site(&program, events[*at].site)).collect();
            assert_eq!(lines, BTreeSet::from([line(1, 1), line(1, 2), line(2, 1), line(2, 2)]));
            assert!(events[violation.events[0]].buffered != 0);
            assert!(violation.message.contains("others see it the other way round"), "{}", violation.message);
            assert_eq!(violation.notes.len(), violation.events.len());
            // The last event that belongs to it is the arrival that closes the cycle, or an operation of it.
            assert!(length <= events.len());
            assert!(violation.events.iter().all(|at| *at < length));
        });
    });
    assert!(seen > 0);
}
