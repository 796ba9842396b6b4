//! Threads as flat lists of instructions: branches become jumps, and waiting for a condition variable
//! becomes its three visible steps (give the mutex back and begin to wait; be woken; take the mutex again). Waiting for a value
//! becomes the access of the last round, with a condition on the value that it reads.

use crate::program::{Program, Statement, Test, Until, Value};
use std::collections::BTreeSet;

/// What happens at one place of a thread.
#[derive(Debug, Clone)]
pub enum Action {
    /// A statement that is one step.
    Do(Statement),
    /// The first step of a wait.
    Release { condition: usize, mutex: usize },
    /// The second step of a wait.
    Wake { condition: usize },
    /// Goes to `target` unless the register compares so.
    JumpUnless { register: usize, test: Test, constant: u32, target: usize },
}

impl Action {
    /// Whether other threads can run between this and what comes before. The others are private.
    pub fn is_visible(&self) -> bool {
        !matches!(self, Self::JumpUnless { .. } | Self::Do(Statement::Assign { .. }))
    }
}

/// An action and the number of the statement it belongs to.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// What.
    pub action: Action,
    /// Its statement, as [`Program::statements`] numbers them.
    pub statement: usize,
    /// It reads, and is performed only with a value that lets the thread go on: it is the last round of a waiting loop.
    pub until: Option<Until>,
    /// Whether it is an addition whose old value the thread does not use.
    pub is_unused: bool,
}

/// The instructions of each thread.
pub fn flatten(program: &Program) -> Vec<Vec<Instruction>> {
    program.threads.iter().map(|body| flatten_thread(body)).collect()
}

/// Whether there are additions whose old values are not used.
pub fn has_unused(code: &[Vec<Instruction>]) -> bool {
    code.iter().flatten().any(|instruction| instruction.is_unused)
}

fn flatten_thread(body: &[Statement]) -> Vec<Instruction> {
    let mut code = Vec::new();
    flatten_body(body, &mut 0, &mut code);
    mark_unused(&mut code);
    code
}

/// Finds the additions whose old values are not used. Each register is used in the end.
fn mark_unused(code: &mut [Instruction]) {
    // The registers that are not used any more after each instruction. Jumps only lead forward.
    let mut dead: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); code.len() + 1];
    for at in (0..code.len()).rev() {
        let mut own = dead[at + 1].clone();
        match &code[at].action {
            Action::JumpUnless { register, target, .. } => {
                own = own.intersection(&dead[*target]).copied().collect();
                own.remove(register);
            }
            Action::Do(statement) => {
                let is_dead = statement.target().is_some_and(|into| own.contains(&into));
                code[at].is_unused = is_dead && matches!(statement, Statement::FetchAdd { .. });
                own.extend(statement.target());
                let mut reads = |value: &Value| {
                    if let Value::Sum(register, _) = value {
                        own.remove(register);
                    }
                };
                match statement {
                    // What is not used needs nothing.
                    Statement::Assign { value, .. } if !is_dead => reads(value),
                    Statement::Store { value, .. } | Statement::Exchange { value, .. } => reads(value),
                    Statement::CompareExchange { new, .. } => reads(new),
                    _ => {}
                }
                if let Some(until) = &code[at].until {
                    reads(&until.computed());
                }
            }
            Action::Release { .. } | Action::Wake { .. } => {}
        }
        dead[at] = own;
    }
}

fn flatten_body(body: &[Statement], number: &mut usize, code: &mut Vec<Instruction>) {
    for statement in body {
        let own = *number;
        *number += 1;
        let mut push =
            |action| code.push(Instruction { action, statement: own, until: None, is_unused: false });
        match statement {
            Statement::Wait { condition, mutex } => {
                push(Action::Release { condition: *condition, mutex: *mutex });
                push(Action::Wake { condition: *condition });
                push(Action::Do(Statement::Lock { mutex: *mutex }));
            }
            Statement::If { register, test, constant, body } => {
                let (register, test, constant) = (*register, *test, *constant);
                let at = code.len();
                code.push(Instruction {
                    action: Action::JumpUnless { register, test, constant, target: 0 },
                    statement: own,
                    until: None,
                    is_unused: false,
                });
                flatten_body(body, number, code);
                let target = code.len();
                code[at].action = Action::JumpUnless { register, test, constant, target };
            }
            Statement::Await { into, at, until, order } => {
                let action = Action::Do(until.last_round(*into, *at, *order));
                code.push(Instruction { action, statement: own, until: Some(*until), is_unused: false });
            }
            other => push(Action::Do(other.clone())),
        }
    }
}
