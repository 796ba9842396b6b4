//! Threads as flat lists of instructions: branches become jumps, and waiting for a condition variable
//! becomes its three visible steps (give the mutex back and begin to wait; be woken; take the mutex again). Waiting for a value
//! becomes the access of the last round, with a condition on the value that it reads.

use crate::program::{Program, Statement, Test, Until};

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
}

/// The instructions of each thread.
pub fn flatten(program: &Program) -> Vec<Vec<Instruction>> {
    program.threads.iter().map(|body| flatten_thread(body)).collect()
}

fn flatten_thread(body: &[Statement]) -> Vec<Instruction> {
    let mut code = Vec::new();
    flatten_body(body, &mut 0, &mut code);
    code
}

fn flatten_body(body: &[Statement], number: &mut usize, code: &mut Vec<Instruction>) {
    for statement in body {
        let own = *number;
        *number += 1;
        let mut push = |action| code.push(Instruction { action, statement: own, until: None });
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
                });
                flatten_body(body, number, code);
                let target = code.len();
                code[at].action = Action::JumpUnless { register, test, constant, target };
            }
            Statement::Await { into, at, until, order } => {
                let action = Action::Do(until.last_round(*into, *at, *order));
                code.push(Instruction { action, statement: own, until: Some(*until) });
            }
            other => push(Action::Do(other.clone())),
        }
    }
}
