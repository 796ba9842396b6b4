//! Threads as flat lists of instructions: branches become jumps, and waiting for a condition variable
//! becomes its three visible steps (give the mutex back and begin to wait; be woken; take the mutex again). Waiting for a value
//! becomes the access of the last round, with a condition on the value that it reads. A loop with a body becomes as many copies of the body
//! as it may have rounds, and an instruction after them at which the thread is cut. So jumps only go forward.

use crate::event::{Event, Kind};
use crate::program::{Program, Statement, Test, Until, Value};
use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};

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
    JumpUnless { register: usize, test: Test, value: Value, target: usize },
    /// A round of a loop begins.
    Round,
    /// The thread would begin one more round of a loop than it may; the first has begun there.
    Cut { first: usize },
}

impl Action {
    /// Whether other threads can run between this and what comes before. The others are private.
    pub fn is_visible(&self) -> bool {
        !matches!(self, Self::JumpUnless { .. } | Self::Round | Self::Do(Statement::Assign { .. }))
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

impl Instruction {
    /// The register that it writes, if it does.
    fn target(&self) -> Option<usize> {
        match &self.action {
            Action::Do(statement) => statement.target(),
            _ => None,
        }
    }

    /// What tells the instruction from others in the program as it is written: all copies in the rounds of loops are one.
    pub fn place(&self) -> (usize, Discriminant<Action>) {
        (self.statement, discriminant(&self.action))
    }
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
    let registers: BTreeSet<usize> = code.iter().filter_map(Instruction::target).collect();
    // The registers that are not used any more before each instruction. Jumps only lead forward; but where a thread is cut, it would begin
    // another round.
    let mut dead: Vec<BTreeSet<usize>> = vec![registers; code.len()];
    dead.push(BTreeSet::new());
    loop {
        let before = dead.clone();
        for at in (0..code.len()).rev() {
            dead[at] = dead_before(&code[at], at, &dead);
        }
        if dead == before {
            break;
        }
    }
    let is_unused = |at: usize, instruction: &Instruction| {
        let adds = matches!(&instruction.action, Action::Do(statement) if matches!(statement.access(), Statement::FetchAdd { .. }));
        adds && instruction.target().is_some_and(|into| dead[at + 1].contains(&into))
    };
    // In the text of the program all copies in the rounds of loops are one.
    let used: Vec<usize> =
        (0..code.len()).filter(|at| !is_unused(*at, &code[*at])).map(|at| code[at].statement).collect();
    for (at, instruction) in code.iter_mut().enumerate() {
        instruction.is_unused = is_unused(at, instruction) && !used.contains(&instruction.statement);
    }
}

/// The registers that are not used any more before an instruction.
fn dead_before(instruction: &Instruction, at: usize, dead: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut own = dead[at + 1].clone();
    match &instruction.action {
        Action::JumpUnless { register, value, target, .. } => {
            own = own.intersection(&dead[*target]).copied().collect();
            own.remove(register);
            if let Value::Sum(register, _) = value {
                own.remove(register);
            }
        }
        Action::Do(statement) => {
            let is_needed = !matches!(statement, Statement::Assign { into, .. } if own.contains(into));
            own.extend(instruction.target());
            if is_needed {
                let read = statement.registers_read();
                own.retain(|register| !read.contains(register));
            }
            if let Some(Value::Sum(register, _)) = instruction.until.as_ref().map(Until::computed) {
                own.remove(&register);
            }
        }
        Action::Cut { first } => own = dead[*first].clone(),
        Action::Round | Action::Release { .. } | Action::Wake { .. } => {}
    }
    own
}

fn flatten_body(body: &[Statement], number: &mut usize, code: &mut Vec<Instruction>) {
    for statement in body {
        let own = *number;
        *number += 1;
        let instruction = |action| Instruction { action, statement: own, until: None, is_unused: false };
        let mut push = |action| code.push(instruction(action));
        match statement {
            Statement::Wait { condition, mutex } => {
                push(Action::Release { condition: *condition, mutex: *mutex });
                push(Action::Wake { condition: *condition });
                push(Action::Do(Statement::Lock { mutex: *mutex }));
            }
            Statement::If { register, test, constant, body } => {
                let (jump, register, test) = (code.len(), *register, *test);
                let value = Value::Constant(*constant);
                code.push(instruction(Action::JumpUnless { register, test, value, target: 0 }));
                flatten_body(body, number, code);
                land(code, &[jump]);
            }
            Statement::Loop { body, register, test, value, rounds } => {
                let (first, inside) = (code.len(), *number);
                let mut jumps = Vec::new();
                for _ in 0..*rounds {
                    code.push(instruction(Action::Round));
                    *number = inside;
                    flatten_body(body, number, code);
                    jumps.push(code.len());
                    let (register, test, value) = (*register, test.negated(), *value);
                    let action = Action::JumpUnless { register, test, value, target: 0 };
                    code.push(instruction(action));
                }
                code.push(instruction(Action::Cut { first }));
                land(code, &jumps);
            }
            Statement::Await { into, at, until, order } => {
                let action = Action::Do(until.last_round(*into, *at, *order));
                code.push(Instruction { action, statement: own, until: Some(*until), is_unused: false });
            }
            other => push(Action::Do(other.clone())),
        }
    }
}

/// Makes these jumps go to the present end.
fn land(code: &mut [Instruction], jumps: &[usize]) {
    let end = code.len();
    for jump in jumps {
        if let Action::JumpUnless { target, .. } = &mut code[*jump].action {
            *target = end;
        }
    }
}

/// Where a thread is, and what it knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// The values of its registers.
    pub registers: Vec<u32>,
    /// The position of the visible instruction before which it is; that of the end if there is none.
    pub position: usize,
}

impl Local {
    /// A thread that has not begun.
    pub fn new(registers: usize) -> Self {
        Self { registers: vec![0; registers], position: 0 }
    }

    /// The value that a thread computes.
    pub fn value(&self, value: Value) -> u32 {
        match value {
            Value::Constant(number) => number,
            Value::Sum(register, number) => self.registers[register] + number,
        }
    }

    /// Does what nobody else can see, up to the next visible instruction; `at` is told each position on the way.
    pub fn run_private(&mut self, code: &[Instruction], mut at: impl FnMut(&Self)) {
        while let Some(instruction) = code.get(self.position) {
            at(self);
            match &instruction.action {
                Action::JumpUnless { register, test, value, target } => {
                    let goes_on = test.holds(self.registers[*register], self.value(*value));
                    self.position = if goes_on { self.position + 1 } else { *target };
                }
                Action::Round => self.position += 1,
                Action::Do(Statement::Assign { into, value }) => {
                    self.registers[*into] = self.value(*value);
                    self.position += 1;
                }
                _ => return,
            }
        }
    }

    /// Goes past a visible instruction that was this event.
    pub fn pass(&mut self, code: &[Instruction], event: &Event) {
        if let Some(Instruction { action: Action::Do(statement), .. }) = code.get(self.position) {
            set_results(statement, event, |register, value| self.registers[register] = value);
        }
        self.position += 1;
    }

    /// The same, but where the thread was cut: before the round that it would begin.
    pub fn uncut(&self, code: &[Instruction]) -> Self {
        let mut local = self.clone();
        if let Some(Instruction { action: Action::Cut { first }, .. }) = code.get(self.position) {
            local.position = *first;
            local.run_private(code, |_| ());
        }
        local
    }

    /// The location that a statement accesses, if it is an access.
    pub fn location(&self, statement: &Statement) -> Option<usize> {
        let index = match statement {
            Statement::Indexed { register, count, .. } => self.registers[*register] as usize % count,
            _ => 0,
        };
        statement.locations().nth(index)
    }

    /// What a statement does that reads a value at a location, if it reads.
    pub fn access(&self, statement: &Statement, location: usize, read: u32) -> Option<Kind> {
        let (written, order) = match statement.access() {
            Statement::Load { order, .. } => (None, *order),
            Statement::FetchAdd { add, order, .. } => (Some(read + add), *order),
            Statement::Exchange { value, order, .. } => (Some(self.value(*value)), *order),
            Statement::CompareExchange { expected, new, order, .. } => match read == self.value(*expected) {
                true => (Some(self.value(*new)), *order),
                false => (None, order.of_failure()),
            },
            _ => return None,
        };
        Some(Kind::Access { location, read: Some(read), written, order })
    }

    /// Where a thread is after some events, the first that it has.
    pub fn after<'e>(
        code: &[Instruction],
        events: impl IntoIterator<Item = &'e Event>,
        registers: usize,
    ) -> Self {
        let mut local = Self::new(registers);
        local.run_private(code, |_| ());
        for event in events {
            local.pass(code, event);
            local.run_private(code, |_| ());
        }
        local
    }
}

/// Sets the registers that a statement sets, when it was this event.
pub fn set_results(statement: &Statement, event: &Event, mut set: impl FnMut(usize, u32)) {
    if let Some(into) = statement.target() {
        set(into, result_of(event));
    }
    if let (Statement::CompareExchange { succeeded: Some(into), .. }, Kind::Access { written, .. }) =
        (statement.access(), &event.kind)
    {
        set(*into, u32::from(written.is_some()));
    }
}

/// The result that an event has for its thread.
fn result_of(event: &Event) -> u32 {
    match event.kind {
        Kind::Access { read: Some(value), .. } | Kind::Choose { value } => value,
        Kind::TryLock { taken, .. } => u32::from(!taken),
        _ => 0,
    }
}

/// Some registers, as bits.
pub type Registers = u64;

/// For each position of a thread, the end included, the registers whose values can still make a difference. At the end all do. Where a
/// thread is cut it would begin another round.
pub fn live_registers(code: &[Instruction]) -> Vec<Registers> {
    let mut live = vec![0; code.len() + 1];
    live[code.len()] = Registers::MAX;
    loop {
        let before = live.clone();
        for (at, instruction) in code.iter().enumerate().rev() {
            live[at] = match &instruction.action {
                Action::JumpUnless { register, value, target, .. } => {
                    live[at + 1] | live[*target] | 1 << register | used(*value)
                }
                Action::Cut { first } => live[*first],
                Action::Do(statement) => {
                    let bits = |registers: &mut dyn Iterator<Item = usize>| {
                        registers.fold(0, |set: Registers, register| set | 1 << register)
                    };
                    let until = instruction.until.map_or(0, |until| used(until.computed()));
                    let read = bits(&mut statement.registers_read().into_iter()) | until;
                    live[at + 1] & !bits(&mut statement.targets()) | read
                }
                Action::Round | Action::Release { .. } | Action::Wake { .. } => live[at + 1],
            };
        }
        if live == before {
            return live;
        }
    }
}

/// The register of a value.
fn used(value: Value) -> Registers {
    match value {
        Value::Constant(_) => 0,
        Value::Sum(register, _) => 1 << register,
    }
}
