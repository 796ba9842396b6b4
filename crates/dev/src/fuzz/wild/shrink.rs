//! Makes a program small, as long as something holds of it: greedily, large parts first.

use super::program::{Program, Statement};

/// The smallest program that is found by taking parts out.
pub fn shrink(program: &Program, mut holds: impl FnMut(&Program) -> bool) -> Program {
    let mut small = program.clone();
    loop {
        let next = smaller(&small).into_iter().find(|candidate| holds(candidate));
        match next {
            Some(next) => small = next,
            None => return small,
        }
    }
}

/// All programs with one part less: a thread, an option, a statement, or the head of a block.
fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for thread in 1..program.threads.len() {
        let mut candidate = program.clone();
        candidate.threads.remove(thread);
        all.push(candidate);
    }
    for at in 0..program.options.len() {
        let mut candidate = program.clone();
        candidate.options.remove(at);
        all.push(candidate);
    }
    for thread in 0..program.threads.len() {
        for statements in fewer(&program.threads[thread]) {
            let mut candidate = program.clone();
            candidate.threads[thread] = statements;
            all.push(candidate);
        }
    }
    for end in fewer(&program.end) {
        all.push(Program { end, ..program.clone() });
    }
    all
}

fn fewer(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        let with = |middle: &[Statement]| [&statements[..at], middle, &statements[at + 1..]].concat();
        all.push(with(&[]));
        match statement {
            Statement::Line(_) => {}
            Statement::Repeat { rounds, line } => {
                if *rounds > 1 {
                    all.push(with(&[Statement::Repeat { rounds: rounds - 1, line: line.clone() }]));
                }
            }
            Statement::Block { head, body } => {
                all.push(with(body));
                let inner = fewer(body).into_iter();
                all.extend(inner.map(|body| with(&[Statement::Block { head: head.clone(), body }])));
            }
            Statement::Section { form, body } => {
                all.push(with(body));
                let inner = fewer(body).into_iter();
                all.extend(inner.map(|body| with(&[Statement::Section { form: *form, body }])));
            }
            Statement::Scope { form, body } => {
                all.push(with(body));
                let inner = fewer(body).into_iter();
                all.extend(inner.map(|body| with(&[Statement::Scope { form: *form, body }])));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::wild::class::Class;

    #[test]
    fn only_what_matters_is_left() {
        let line = |text: &str| Statement::Line(text.to_owned());
        let block = |body| Statement::Block { head: "if (x)".to_owned(), body };
        let threads = vec![vec![line("a"), block(vec![line("b"), line("c")])], vec![line("d")]];
        let options = vec![("--unroll".to_owned(), "3".to_owned())];
        let program = Program { class: Class::Several, options, threads, end: vec![line("e")] };
        let small = shrink(&program, |candidate| candidate.print(&[]).contains("    c\n"));
        let threads = vec![vec![line("c")]];
        assert_eq!(small, Program { class: Class::Several, options: Vec::new(), threads, end: Vec::new() });
    }
}
