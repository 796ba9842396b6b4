//! Problems that are too large for brute force: the same answers as Z3. Left out where Z3 is not installed; `./x test` installs it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::Write;
use std::process::{Command, Stdio};

use selvedge_oracle::Random;
use selvedge_solve::Answer;
use selvedge_solve::naive::{Literal, Problem};

/// What Z3 answers to each question, or nothing if it is not there.
fn ask(text: &str) -> Option<Vec<bool>> {
    let mut command = Command::new("z3");
    command.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => panic!("z3: {error}"),
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers = answers.lines().map(|line| match line {
        "sat" => true,
        "unsat" => false,
        other => panic!("z3 says {other}\n{text}"),
    });
    Some(answers.collect())
}

fn literal(random: &mut Random, events: usize) -> Literal {
    let first = random.below(events);
    Literal::Before(first, (first + 1 + random.below(events - 1)) % events)
}

#[test]
fn agrees_with_z3() {
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..25 {
        let mut random = Random::for_case(7, case);
        let events = 8 + random.below(40);
        let chains = 1 + random.below(events);
        let mut problem = Problem { events, variables: 4, ..Problem::default() };
        problem.fixed.extend((chains..events).map(|event| (event - chains, event)));
        for _ in 0..events * (10 + random.below(30)) / 10 {
            let mut clause: Vec<Literal> =
                (0..2 + random.below(2)).map(|_| literal(&mut random, events)).collect();
            match random.below(10) {
                0 => clause.push(Literal::Is(random.below(4))),
                1 => clause.push(Literal::IsNot(random.below(4))),
                _ => {}
            }
            problem.clauses.push(clause);
        }
        let questions: Vec<Vec<Literal>> =
            (0..12).map(|_| (0..random.below(7)).map(|_| literal(&mut random, events)).collect()).collect();
        let Some(expected) = ask(&problem.smt_lib(&questions)) else {
            eprintln!("left out: z3 is not installed");
            return;
        };
        assert_eq!(expected.len(), questions.len());
        let mut loaded = problem.load();
        let mut cores = Vec::new();
        for (question, &expected) in questions.iter().zip(&expected) {
            let assumptions = loaded.literals(question);
            match loaded.order.solve(&assumptions) {
                Answer::Sat(model) => {
                    let order: Vec<usize> = model.sequence().iter().map(|event| event.index()).collect();
                    let values: Vec<bool> = loaded.variables.iter().map(|&lit| model.value(lit)).collect();
                    assert!(
                        problem.is_solution(&order, &values, question),
                        "case {case}\n{problem}{question:?}"
                    );
                    assert!(expected, "case {case}\n{problem}{question:?}");
                    sat += 1;
                }
                Answer::Unsat(core) => {
                    assert!(!expected, "case {case}\n{problem}{question:?}");
                    let kept = question.iter().zip(&assumptions).filter(|(_, lit)| core.contains(lit));
                    cores.push(kept.map(|(&literal, _)| literal).collect::<Vec<_>>());
                    unsat += 1;
                }
                Answer::Interrupted => panic!("case {case}"),
            }
        }
        let possible = ask(&problem.smt_lib(&cores)).unwrap();
        assert!(possible.iter().all(|&possible| !possible), "case {case}\n{problem}{cores:?}");
    }
    assert!(sat > 60 && unsat > 60, "{sat} {unsat}");
}
