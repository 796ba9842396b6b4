//! Tiny concurrent programs.
//!
//! Thread 0 is `main`; every other thread is started by one `Spawn` and waited for by one `Join` of the same
//! thread. There are two kinds of loops. In one a thread waits for a value ([`Statement::Await`]), one access in each round; a thread is
//! blocked before such an access while the value there would only send it round again. The other ([`Statement::Loop`]) has a body like any
//! other, which is performed in each round, and a bound on the rounds: an execution in which a thread needs more is not followed any further. So every
//! execution ends. Registers are private, locations are shared; all hold small natural numbers, because the C version packs a thread's
//! registers into its return value.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// A C11 order; `Plain` is an access that is not atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of the C standard")]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether an operation with this order that reads (or a fence) acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcqRel | Self::SeqCst)
    }

    /// Whether an operation with this order that writes (or a fence) releases.
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcqRel | Self::SeqCst)
    }

    /// The order of a compare-exchange that fails, given that of one that succeeds.
    pub fn of_failure(self) -> Self {
        match self {
            Self::SeqCst => Self::SeqCst,
            Self::AcqRel | Self::Acquire => Self::Acquire,
            _ => Self::Relaxed,
        }
    }
}

/// A value that a thread computes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Constant(u32),
    /// A register plus a number.
    Sum(usize, u32),
}

/// How a register is compared with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Test {
    Equal,
    NotEqual,
}

impl Test {
    /// Whether a number compares so with another one.
    pub fn holds(self, number: u32, other: u32) -> bool {
        (number == other) == (self == Self::Equal)
    }

    /// The one that holds where this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
        }
    }

    /// The operator in C.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

/// What a thread does again and again until it has read a value that lets it go on. With any other value it changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the fields are those of the statements")]
pub enum Until {
    /// It loads until the value compares so.
    Load { test: Test, value: Value },
    /// It exchanges until it has found another value than the one that it stores: test-and-set.
    Exchange { value: Value },
    /// It compares and exchanges until that succeeds.
    CompareExchange { expected: u32, new: Value },
}

impl Until {
    /// Whether a value that was read lets the thread go on; `computed` are the values that the thread computes.
    pub(crate) fn ends_with(&self, read: u32, computed: impl Fn(Value) -> u32) -> bool {
        match *self {
            Self::Load { test, value } => test.holds(read, computed(value)),
            Self::Exchange { value } => read != computed(value),
            Self::CompareExchange { expected, .. } => read == expected,
        }
    }

    /// The statement that is performed in the last round.
    pub fn last_round(&self, into: usize, at: usize, order: Order) -> Statement {
        match *self {
            Self::Load { .. } => Statement::Load { into, at, order },
            Self::Exchange { value } => Statement::Exchange { into, at, value, order },
            Self::CompareExchange { expected, new } => {
                let expected = Value::Constant(expected);
                Statement::CompareExchange { into, at, expected, new, order, succeeded: None }
            }
        }
    }

    /// The value that the thread computes for it.
    pub(crate) fn computed(&self) -> Value {
        match *self {
            Self::Load { value, .. } | Self::Exchange { value } => value,
            Self::CompareExchange { new, .. } => new,
        }
    }
}

/// A step of a thread. Numbers name registers (`into`, `register`), locations (`at`), mutexes, conditions,
/// semaphores and threads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the fields are explained above")]
pub enum Statement {
    /// Reads.
    Load { into: usize, at: usize, order: Order },
    /// Writes.
    Store { at: usize, value: Value, order: Order },
    /// Adds; the register gets the old value.
    FetchAdd { into: usize, at: usize, add: u32, order: Order },
    /// Replaces; the register gets the old value.
    Exchange { into: usize, at: usize, value: Value, order: Order },
    /// Replaces if `expected` is there (the strong form); the register gets the old value, and `succeeded` whether it was the expected
    /// one. If `expected` is what is in the register, that is as in C: it is overwritten if the exchange fails.
    CompareExchange {
        into: usize,
        at: usize,
        expected: Value,
        new: Value,
        order: Order,
        succeeded: Option<usize>,
    },
    /// A fence.
    Fence { order: Order },
    /// Takes a mutex.
    Lock { mutex: usize },
    /// Gives it back.
    Unlock { mutex: usize },
    /// Takes it if it is free; the register gets 0, or 1 if it was not free.
    TryLock { into: usize, mutex: usize },
    /// Waits for a condition variable.
    Wait { condition: usize, mutex: usize },
    /// Wakes one thread that waits, if any.
    Signal { condition: usize },
    /// Wakes all threads that wait.
    Broadcast { condition: usize },
    /// Adds one to a semaphore (they begin with 0).
    Post { semaphore: usize },
    /// Takes one.
    Down { semaphore: usize },
    /// Starts a thread.
    Spawn { thread: usize },
    /// Waits for its end.
    Join { thread: usize },
    /// Sets a register.
    Assign { into: usize, value: Value },
    /// Sets a register to any number below `options`.
    Choose { into: usize, options: u32 },
    /// Does `body` if the register compares so with `constant`.
    If { register: usize, test: Test, constant: u32, body: Vec<Statement> },
    /// Reads again and again until the value lets the thread go on; the register gets that value. It is one step, and the thread is
    /// blocked before it while the value that it would read is another one.
    Await { into: usize, at: usize, until: Until, order: Order },
    /// Does `body`, and does it again until the register compares so with the value after it. If it does not after so many rounds, the
    /// execution is cut: it is none, unless the thread would go round for ever.
    Loop { body: Vec<Statement>, register: usize, test: Test, value: Value, rounds: usize },
    /// An access to the location that comes so many after its own as the register says, modulo `count`: to an element of an array.
    Indexed { register: usize, count: usize, access: Box<Statement> },
}

impl Statement {
    /// The register it sets.
    pub fn target(&self) -> Option<usize> {
        match self {
            Self::Load { into, .. }
            | Self::FetchAdd { into, .. }
            | Self::Exchange { into, .. }
            | Self::CompareExchange { into, .. }
            | Self::TryLock { into, .. }
            | Self::Assign { into, .. }
            | Self::Choose { into, .. }
            | Self::Await { into, .. } => Some(*into),
            Self::Indexed { access, .. } => access.target(),
            _ => None,
        }
    }

    /// All registers that it sets: the one with the result, and the one that says whether a compare-exchange has succeeded.
    pub fn targets(&self) -> impl Iterator<Item = usize> {
        let succeeded = match self.access() {
            Self::CompareExchange { succeeded, .. } => *succeeded,
            _ => None,
        };
        self.target().into_iter().chain(succeeded)
    }

    /// The registers that it reads.
    pub fn registers_read(&self) -> Vec<usize> {
        use Statement::*;
        let values: &[Value] = match self.access() {
            Store { value, .. } | Exchange { value, .. } | Assign { value, .. } | Loop { value, .. } => {
                &[*value]
            }
            CompareExchange { expected, new, .. } => &[*expected, *new],
            Await { until, .. } => &[until.computed()],
            _ => &[],
        };
        let of_values = values.iter().filter_map(|value| match value {
            Value::Constant(_) => None,
            Value::Sum(register, _) => Some(*register),
        });
        let own = match self {
            If { register, .. } | Loop { register, .. } | Indexed { register, .. } => Some(*register),
            _ => None,
        };
        of_values.chain(own).collect()
    }

    /// The statements inside of it: those of a branch or a loop.
    pub fn body(&self) -> Option<&Vec<Statement>> {
        match self {
            Self::If { body, .. } | Self::Loop { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn body_mut(&mut self) -> Option<&mut Vec<Statement>> {
        match self {
            Self::If { body, .. } | Self::Loop { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The statement without its index, if it has one.
    pub fn access(&self) -> &Statement {
        match self {
            Self::Indexed { access, .. } => access,
            other => other,
        }
    }

    /// The locations that it may access.
    pub fn locations(&self) -> Range<usize> {
        let count = if let Self::Indexed { count, .. } = self { *count } else { 1 };
        match self.access() {
            Self::Load { at, .. }
            | Self::Store { at, .. }
            | Self::FetchAdd { at, .. }
            | Self::Exchange { at, .. }
            | Self::CompareExchange { at, .. }
            | Self::Await { at, .. } => *at..*at + count,
            _ => 0..0,
        }
    }

    /// The same access to the location that comes so many after its own.
    pub(crate) fn moved(&self, by: usize) -> Statement {
        let mut moved = self.clone();
        if let Self::Load { at, .. }
        | Self::Store { at, .. }
        | Self::FetchAdd { at, .. }
        | Self::Exchange { at, .. }
        | Self::CompareExchange { at, .. } = &mut moved
        {
            *at += by;
        }
        moved
    }
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Program {
    /// The initial value of each location.
    pub locations: Vec<u32>,
    /// How many mutexes there are.
    pub mutexes: usize,
    /// How many condition variables there are.
    pub conditions: usize,
    /// How many semaphores there are.
    pub semaphores: usize,
    /// How many registers each thread has; they begin with 0.
    pub registers: usize,
    /// What each thread does; the first is main.
    pub threads: Vec<Vec<Statement>>,
}

/// Why a program cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// A number names nothing.
    Name,
    /// A thread is not started and joined exactly once, in this order, by one thread, outside branches.
    Threads,
    /// The registers of a thread and of those it starts do not fit into its return value.
    Registers,
    /// An order that the operation cannot have.
    Order,
    /// What an await compares with, or stores, depends on the register that it sets: then a round would change something.
    Await,
    /// A loop has no rounds, or rounds in which nothing visible happens; or what has an index is no access.
    Loop,
}

/// How many registers fit into the return value of a thread.
const PACKED: usize = 8;

impl Program {
    /// All statements of a thread, those in branches included, each after the one that contains it. The
    /// position in this list is the statement's number.
    pub fn statements(&self, thread: usize) -> Vec<&Statement> {
        fn walk<'p>(body: &'p [Statement], into: &mut Vec<&'p Statement>) {
            for statement in body {
                into.push(statement);
                if let Some(body) = statement.body() {
                    walk(body, into);
                }
            }
        }
        let mut list = Vec::new();
        walk(&self.threads[thread], &mut list);
        list
    }

    /// The threads that a thread joins, in order.
    pub fn children(&self, thread: usize) -> Vec<usize> {
        let joined = |statement: &Statement| match statement {
            Statement::Join { thread } => Some(*thread),
            _ => None,
        };
        self.threads[thread].iter().filter_map(joined).collect()
    }

    /// The registers that the return value of a thread carries, lowest bits first: its own, then those of
    /// the threads it has joined.
    pub fn packed_registers(&self, thread: usize) -> Vec<(usize, usize)> {
        let own = (0..self.registers).map(|register| (thread, register));
        let children = self.children(thread);
        own.chain(children.into_iter().flat_map(|child| self.packed_registers(child))).collect()
    }

    /// The registers that a thread sets anywhere: those that an outcome shows.
    pub fn live_registers(&self, thread: usize) -> Vec<usize> {
        let statements = self.statements(thread);
        (0..self.registers).filter(|r| statements.iter().any(|s| s.targets().any(|set| set == *r))).collect()
    }

    /// Whether some access to a location is atomic: then it is declared so.
    pub fn is_atomic(&self, location: usize) -> bool {
        let atomic = |statement: &&Statement| {
            let is_plain = matches!(
                statement.access(),
                Statement::Load { order: Order::Plain, .. } | Statement::Store { order: Order::Plain, .. }
            );
            statement.locations().contains(&location) && !is_plain
        };
        (0..self.threads.len()).any(|thread| self.statements(thread).iter().any(atomic))
    }

    /// The locations, those together that some statement accesses with an index: they are elements of one array.
    pub fn arrays(&self) -> Vec<Range<usize>> {
        let statements = (0..self.threads.len()).flat_map(|thread| self.statements(thread));
        let together: Vec<Range<usize>> = statements.map(Statement::locations).collect();
        let mut arrays: Vec<Range<usize>> = Vec::new();
        for location in 0..self.locations.len() {
            let is_inside = together.iter().any(|range| range.start < location && location < range.end);
            match arrays.last_mut().filter(|_| is_inside) {
                Some(last) => last.end = location + 1,
                None => arrays.push(location..location + 1),
            }
        }
        arrays
    }

    /// The array of a location.
    pub fn array(&self, location: usize) -> Range<usize> {
        let found = self.arrays().into_iter().find(|array| array.contains(&location));
        found.unwrap_or(location..location + 1)
    }

    /// Whether the array of a location is declared to be atomic: if one of its elements is.
    pub fn is_array_atomic(&self, location: usize) -> bool {
        self.array(location).any(|location| self.is_atomic(location))
    }

    /// The statements at which threads wait in loops.
    pub fn awaits(&self) -> BTreeSet<(usize, usize)> {
        self.those(|statement| matches!(statement, Statement::Await { .. }))
    }

    /// The loops with bodies.
    pub fn loops(&self) -> BTreeSet<(usize, usize)> {
        self.those(|statement| matches!(statement, Statement::Loop { .. }))
    }

    /// The statements of a kind: the thread and the number of each.
    fn those(&self, is_one: impl Fn(&Statement) -> bool) -> BTreeSet<(usize, usize)> {
        let mut found = BTreeSet::new();
        for thread in 0..self.threads.len() {
            let statements = self.statements(thread).into_iter().enumerate();
            let those = statements.filter(|(_, statement)| is_one(statement));
            found.extend(those.map(|(number, _)| (thread, number)));
        }
        found
    }

    /// The same program with another bound on the rounds of all loops.
    pub fn with_rounds(&self, most: usize) -> Self {
        fn walk(body: &mut [Statement], most: usize) {
            for statement in body {
                if let Statement::Loop { rounds, .. } = statement {
                    *rounds = most;
                }
                statement.body_mut().into_iter().for_each(|body| walk(body, most));
            }
        }
        let mut changed = self.clone();
        changed.threads.iter_mut().for_each(|body| walk(body, most));
        changed
    }

    /// Whether the program can be run and printed.
    pub fn validate(&self) -> Result<(), Invalid> {
        for thread in 0..self.threads.len() {
            for statement in self.statements(thread) {
                self.validate_names(statement)?;
                validate_order(statement)?;
                validate_await(statement)?;
                validate_loop(statement)?;
            }
        }
        let mut started = vec![false; self.threads.len()];
        let main = started.first_mut().ok_or(Invalid::Threads)?;
        *main = true;
        self.validate_tree(0, &mut started)?;
        let fits = |child: &usize| self.packed_registers(*child).len() <= PACKED;
        match started.iter().all(|started| *started) {
            false => Err(Invalid::Threads),
            true if (1..self.threads.len()).all(|thread| fits(&thread)) => Ok(()),
            true => Err(Invalid::Registers),
        }
    }

    /// That a thread's spawns and joins match, and those of the threads it starts.
    fn validate_tree(&self, thread: usize, started: &mut [bool]) -> Result<(), Invalid> {
        let mut running = Vec::new();
        let mut children = Vec::new();
        for statement in &self.threads[thread] {
            match statement {
                Statement::Spawn { thread } if !started[*thread] => {
                    started[*thread] = true;
                    running.push(*thread);
                    children.push(*thread);
                }
                Statement::Join { thread } if running.contains(thread) => {
                    running.retain(|other| other != thread);
                }
                Statement::Spawn { .. } | Statement::Join { .. } => return Err(Invalid::Threads),
                _ => {}
            }
        }
        let is_either = |s: &&Statement| matches!(s, Statement::Spawn { .. } | Statement::Join { .. });
        let anywhere = self.statements(thread).into_iter().filter(is_either).count();
        if !running.is_empty() || anywhere != 2 * children.len() {
            return Err(Invalid::Threads);
        }
        children.into_iter().try_for_each(|child| self.validate_tree(child, started))
    }

    fn validate_names(&self, statement: &Statement) -> Result<(), Invalid> {
        use Statement::*;
        let register = |register: &usize| *register < self.registers;
        let value = |value: &Value| match value {
            Value::Constant(_) => true,
            Value::Sum(of, _) => register(of),
        };
        let location = |at: &usize| *at < self.locations.len();
        let known = match statement {
            Load { into, at, .. } | FetchAdd { into, at, .. } => register(into) && location(at),
            Store { at, value: stored, .. } => location(at) && value(stored),
            Exchange { into, at, value: new, .. } => register(into) && location(at) && value(new),
            CompareExchange { into, at, expected, new, succeeded, .. } => {
                let registers = register(into) && succeeded.as_ref().is_none_or(register);
                registers && location(at) && value(expected) && value(new)
            }
            Fence { .. } => true,
            Lock { mutex } | Unlock { mutex } => *mutex < self.mutexes,
            TryLock { into, mutex } => register(into) && *mutex < self.mutexes,
            Wait { condition, mutex } => *condition < self.conditions && *mutex < self.mutexes,
            Signal { condition } | Broadcast { condition } => *condition < self.conditions,
            Post { semaphore } | Down { semaphore } => *semaphore < self.semaphores,
            Spawn { thread } | Join { thread } => *thread < self.threads.len(),
            Assign { into, value: set } => register(into) && value(set),
            Choose { into, options } => register(into) && *options > 0,
            If { register: compared, .. } => register(compared),
            Await { into, at, until, .. } => register(into) && location(at) && value(&until.computed()),
            Loop { register: compared, value: with, .. } => register(compared) && value(with),
            Indexed { register: index, access, .. } => {
                self.validate_names(access)?;
                register(index) && statement.locations().end <= self.locations.len()
            }
        };
        if known { Ok(()) } else { Err(Invalid::Name) }
    }
}

fn validate_order(statement: &Statement) -> Result<(), Invalid> {
    use Order::*;
    let allowed = match statement.access() {
        Statement::Load { order, .. } => !matches!(order, Release | AcqRel),
        Statement::Store { order, .. } => !matches!(order, Acquire | AcqRel),
        Statement::FetchAdd { order, .. }
        | Statement::Exchange { order, .. }
        | Statement::CompareExchange { order, .. } => *order != Plain,
        Statement::Fence { order } => !matches!(order, Plain | Relaxed),
        Statement::Await { until: Until::Load { .. }, order, .. } => {
            matches!(order, Relaxed | Acquire | SeqCst)
        }
        Statement::Await { order, .. } => *order != Plain,
        _ => true,
    };
    if allowed { Ok(()) } else { Err(Invalid::Order) }
}

fn validate_await(statement: &Statement) -> Result<(), Invalid> {
    match statement {
        Statement::Await { into, until, .. } => match until.computed() {
            Value::Sum(register, _) if register == *into => Err(Invalid::Await),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn validate_loop(statement: &Statement) -> Result<(), Invalid> {
    let is_possible = match statement {
        Statement::Loop { rounds, body, .. } => {
            *rounds > 0 && body.iter().any(|statement| !statement.locations().is_empty())
        }
        Statement::Indexed { count, access, .. } => {
            let is_nested = matches!(**access, Statement::Indexed { .. } | Statement::Await { .. });
            *count > 0 && !is_nested && !access.locations().is_empty()
        }
        _ => true,
    };
    if is_possible { Ok(()) } else { Err(Invalid::Loop) }
}

/// What is called how.
impl Program {
    /// The name of a location.
    pub fn location(index: usize) -> String {
        match ["x", "y", "z", "w", "v", "u"].get(index) {
            Some(name) => (*name).to_owned(),
            None => format!("a{index}"),
        }
    }
}

/// An outcome in the sense of litmus tests: what can be observed when all threads have ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    /// The value of each location.
    pub locations: Vec<u32>,
    /// The registers that are set somewhere: thread, register, value.
    pub registers: Vec<(usize, usize, u32)>,
}

/// Something about an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Observation {
    /// The value of a location.
    Location { at: usize, value: u32 },
    /// The value of a register of a thread.
    Register { thread: usize, register: usize, value: u32 },
}

impl Outcome {
    /// All there is to say about it.
    pub fn observations(&self) -> Vec<Observation> {
        let locations = self.locations.iter().enumerate();
        let locations = locations.map(|(at, value)| Observation::Location { at, value: *value });
        let registers = self.registers.iter();
        let registers = registers.map(|(thread, register, value)| Observation::Register {
            thread: *thread,
            register: *register,
            value: *value,
        });
        locations.chain(registers).collect()
    }
}

/// The line that the C version of the program prints.
impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::from("outcome");
        for (index, value) in self.locations.iter().enumerate() {
            write!(text, " {}={value}", Program::location(index))?;
        }
        for (thread, register, value) in &self.registers {
            write!(text, " t{thread}.r{register}={value}")?;
        }
        f.write_str(&text)
    }
}
