//! Random problems: the solver beside brute force.

use crate::naive::{Literal, Loaded, Problem};
use crate::{Answer, Event, Lit, OrderSolver, Statistics};
use selvedge_oracle::Random;

fn literal(random: &mut Random, problem: &Problem) -> Literal {
    if problem.variables > 0 && random.percent(25) {
        let variable = random.below(problem.variables);
        if random.percent(50) { Literal::Is(variable) } else { Literal::IsNot(variable) }
    } else {
        let (first, second) = (random.below(problem.events), random.below(problem.events));
        // An event is not before itself: seldom, for this makes most questions easy.
        let second =
            if first == second && random.percent(90) { (first + 1) % problem.events } else { second };
        Literal::Before(first, second)
    }
}

fn literals(random: &mut Random, problem: &Problem, count: usize) -> Vec<Literal> {
    (0..count).map(|_| literal(random, problem)).collect()
}

/// Makes a problem larger.
fn grow(random: &mut Random, problem: &mut Problem, most_events: usize) {
    if problem.events < most_events {
        problem.events += 1 + random.below(most_events - problem.events);
    }
    problem.variables = (problem.variables + random.below(3)).min(3);
    for _ in 0..random.below(1 + problem.events / 2) {
        // Now and then against the numbers, so that some fixed orders are cyclic.
        let (a, b) = (random.below(problem.events), random.below(problem.events));
        if a != b {
            problem.fixed.push(if random.percent(1) { (a.max(b), a.min(b)) } else { (a.min(b), a.max(b)) });
        }
    }
    for _ in 0..random.below(5 * problem.events) {
        let size = if random.percent(3) { 1 } else { 2 + random.below(2) };
        let clause = literals(random, problem, size);
        problem.clauses.push(clause);
    }
}

/// Compares the answer to one question with brute force.
fn judge(problem: &Problem, loaded: &mut Loaded, question: &[Literal]) -> Result<bool, String> {
    let assumptions = loaded.literals(question);
    let expected = problem.has_solution(question);
    match loaded.order.solve(&assumptions) {
        Answer::Interrupted => Err("interrupted".to_owned()),
        Answer::Sat(model) => {
            let order: Vec<usize> = model.sequence().into_iter().map(Event::index).collect();
            let values: Vec<bool> = loaded.variables.iter().map(|&lit| model.value(lit)).collect();
            if order.len() != problem.events || !problem.is_solution(&order, &values, question) {
                return Err(format!("no solution: {order:?} {values:?}"));
            }
            let holds = |&lit: &Lit| model.value(lit);
            if assumptions.iter().all(holds) && expected { Ok(true) } else { Err("sat".to_owned()) }
        }
        Answer::Unsat(core) => {
            if let Some(stranger) = core.iter().find(|lit| !assumptions.contains(lit)) {
                return Err(format!("{stranger:?} was not assumed"));
            }
            let core: Vec<Literal> = question
                .iter()
                .zip(&assumptions)
                .filter(|(_, lit)| core.contains(lit))
                .map(|(&literal, _)| literal)
                .collect();
            if expected || problem.has_solution(&core) { Err(format!("core {core:?}")) } else { Ok(false) }
        }
    }
}

#[test]
fn agrees_with_brute_force() {
    let (mut sat, mut unsat) = (0, 0);
    let mut work = Statistics::default();
    for case in 0..6000 {
        let mut random = Random::for_case(1, case);
        let most_events = 4 + random.below(if case % 4 == 0 { 3 } else { 2 });
        let mut problem = Problem::default();
        let mut loaded = problem.load();
        for _ in 0..1 + random.below(3) {
            let old = problem.clone();
            grow(&mut random, &mut problem, most_events);
            loaded.extend(&old, &problem);
            for _ in 0..1 + random.below(4) {
                let size = random.below(4);
                let question = literals(&mut random, &problem, size);
                match judge(&problem, &mut loaded, &question) {
                    Ok(true) => sat += 1,
                    Ok(false) => unsat += 1,
                    Err(what) => panic!("case {case}: {what}\n{problem}assumed: {question:?}"),
                }
            }
        }
        let statistics = loaded.order.statistics();
        work.conflicts += statistics.conflicts;
        work.cycles += statistics.cycles;
        work.consequences += statistics.consequences;
    }
    // Otherwise the problems are too easy to say anything.
    assert!(sat > 3000 && unsat > 3000, "{sat} {unsat}");
    assert!(work.conflicts > 1000 && work.cycles > 300 && work.consequences > 3000, "{work:?}");
}

/// Larger problems: what is found is a solution; the same again is the same.
#[test]
fn solutions_are_solutions_and_repeat() {
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..60 {
        let run = || {
            let mut random = Random::for_case(2, case);
            let events = 10 + random.below(30);
            let mut problem = Problem { events, variables: 3, ..Problem::default() };
            for event in 4..events {
                problem.fixed.push((event - 1 - random.below(4), event));
            }
            for _ in 0..events * (2 + random.below(3)) {
                let clause = literals(&mut random, &problem, 3);
                problem.clauses.push(clause);
            }
            let mut loaded = problem.load();
            let mut answers = Vec::new();
            for _ in 0..10 {
                let question = literals(&mut random, &problem, 3);
                let assumptions = loaded.literals(&question);
                answers.push(match loaded.order.solve(&assumptions) {
                    Answer::Sat(model) => {
                        let order: Vec<usize> = model.sequence().into_iter().map(Event::index).collect();
                        let values: Vec<bool> =
                            loaded.variables.iter().map(|&lit| model.value(lit)).collect();
                        assert!(problem.is_solution(&order, &values, &question), "case {case}");
                        Ok((order, values))
                    }
                    Answer::Unsat(core) => Err(core),
                    Answer::Interrupted => panic!("case {case}"),
                });
            }
            (answers, loaded.order.statistics())
        };
        let (answers, statistics) = run();
        sat += answers.iter().filter(|answer| answer.is_ok()).count();
        unsat += answers.iter().filter(|answer| answer.is_err()).count();
        assert_eq!((answers, statistics), run(), "case {case}");
    }
    assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn gates_mean_what_they_say() {
    for case in 0..500 {
        let mut random = Random::for_case(3, case);
        let mut order = OrderSolver::new();
        let mut known = vec![Lit::TRUE, Lit::FALSE];
        (0..4).for_each(|_| known.push(order.var()));
        let mut gates = Vec::new();
        for _ in 0..8 {
            let parts: Vec<Lit> = (0..random.below(4))
                .map(|_| {
                    let lit = known[random.below(known.len())];
                    if random.percent(50) { lit } else { !lit }
                })
                .collect();
            let (and, or) = (order.and(&parts), order.or(&parts));
            let ends = (parts.first().copied().unwrap_or(and), parts.last().copied().unwrap_or(or));
            let implies = order.implies(ends.0, ends.1);
            known.extend([and, or, implies]);
            gates.push((parts, and, or, ends, implies));
        }
        let Answer::Sat(model) = order.solve(&[]) else { panic!("case {case}") };
        let value = |lit| model.value(lit);
        for (parts, and, or, ends, implies) in gates {
            assert_eq!(value(and), parts.iter().all(|&lit| value(lit)), "case {case}");
            assert_eq!(value(or), parts.iter().any(|&lit| value(lit)), "case {case}");
            assert_eq!(value(implies), !value(ends.0) || value(ends.1), "case {case}");
        }
    }
}

#[test]
fn constants_fold() {
    let mut order = OrderSolver::new();
    let [a, b, c, d] = [(); 4].map(|()| order.event());
    order.fixed(a, b);
    order.fixed(b, c);
    assert_eq!(
        (order.before(a, c), order.before(c, a), order.before(a, a)),
        (Lit::TRUE, Lit::FALSE, Lit::FALSE)
    );
    let open = order.before(c, d);
    assert_eq!(order.before(d, c), !open);
    assert_eq!(order.before(c, d), open);
    assert_eq!(order.and(&[open, Lit::TRUE, open]), open);
    assert_eq!(order.and(&[open, !open]), Lit::FALSE);
    assert_eq!(order.or(&[]), Lit::FALSE);
    assert_eq!(order.implies(Lit::FALSE, open), Lit::TRUE);
    // What was open may be decided later.
    order.fixed(d, a);
    assert_eq!(order.before(c, d), Lit::FALSE);
    assert!(matches!(order.solve(&[open]), Answer::Unsat(core) if core == [open]));
    assert!(matches!(order.solve(&[]), Answer::Sat(_)));
    order.fixed(c, d);
    assert!(matches!(order.solve(&[!open]), Answer::Unsat(core) if core.is_empty()));
}

#[test]
fn ranks_decide_what_is_open() {
    let mut order = OrderSolver::new();
    let events: Vec<Event> = [5, 3, 4, 1, 2].map(|rank| order.event_with_rank(rank)).to_vec();
    order.fixed(events[0], events[3]);
    let lit = order.before(events[4], events[2]);
    let other = order.before(events[1], events[2]);
    order.clause(&[!lit]);
    let Answer::Sat(model) = order.solve(&[]) else { panic!() };
    assert!(model.value(other));
    assert_eq!(model.sequence().iter().map(|event| event.index()).collect::<Vec<_>>(), [1, 2, 4, 0, 3]);
    assert_eq!(model.prefix(&[events[3]]), [events[0], events[3]]);
    assert_eq!(model.prefix(&[]), []);
}

#[test]
fn searches_can_be_ended() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let mut order = OrderSolver::new();
    // Holes for one pigeon too few: no order theory helps here.
    let lits: Vec<Vec<Lit>> = (0..8).map(|_| (0..7).map(|_| order.var()).collect()).collect();
    for pigeon in &lits {
        order.clause(pigeon);
    }
    for hole in 0..7 {
        for (index, pigeon) in lits.iter().enumerate() {
            lits[..index].iter().for_each(|other| order.clause(&[!pigeon[hole], !other[hole]]));
        }
    }
    order.set_budget(Some(10));
    assert!(matches!(order.solve(&[]), Answer::Interrupted));
    let conflicts = order.statistics().conflicts;
    assert!((10..20).contains(&conflicts), "{conflicts}");
    order.set_budget(None);
    order.set_stop(Some(Arc::new(AtomicBool::new(true))));
    assert!(matches!(order.solve(&[]), Answer::Interrupted));
    order.set_stop(None);
    assert!(matches!(order.solve(&[]), Answer::Unsat(core) if core.is_empty()));
}

#[test]
fn strangers_are_welcome() {
    let mut other = OrderSolver::new();
    let events = [(); 5].map(|()| other.event());
    let lit = other.before(events[3], events[4]);
    let mut order = OrderSolver::new();
    order.clause(&[lit]);
    order.fixed(events[1], events[2]);
    assert!(matches!(order.solve(&[!other.var()]), Answer::Sat(_)));
    assert!(!order.is_fixed(events[4], events[0]) && order.is_fixed(events[1], events[2]));
}

#[test]
fn may_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<OrderSolver>();
}
