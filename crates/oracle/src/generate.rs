//! Random programs.
//!
//! Small programs find more faults per second than large ones, and brute force can follow them. Locks are
//! taken in order and given back in most places; sometimes they are not, for the sake of deadlocks. A mutex is
//! never used wrongly: no thread unlocks what it does not hold or locks what it holds.

use crate::program::{Order, Program, Statement, Test, Value};
use crate::random::Random;

/// What programs to make. Chances are in percent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knobs {
    /// Threads besides main.
    pub workers: usize,
    /// Visible operations of each, about.
    pub length: usize,
    /// Visible operations of main itself between starting and joining, about.
    pub main_length: usize,
    /// Locations.
    pub locations: usize,
    /// Registers of each thread.
    pub registers: usize,
    /// Mutexes.
    pub mutexes: usize,
    /// Constants are below this.
    pub values: u32,
    /// Locked regions among statements.
    pub locks: u32,
    /// Condition variables: waits under a lock, and signals.
    pub waits: u32,
    /// Semaphore operations.
    pub semaphores: u32,
    /// Locations that are plain.
    pub plain: u32,
    /// Accesses to the other locations that are plain nevertheless.
    pub mixed: u32,
    /// Orders weaker than sequential consistency.
    pub weak: u32,
    /// Branches.
    pub branches: u32,
    /// Choices.
    pub choices: u32,
    /// That a thread is started by another thread than main.
    pub nested: u32,
}

impl Knobs {
    /// A mixture; brute force can follow most of what comes out.
    pub fn random(random: &mut Random) -> Self {
        let workers = [1, 2, 2, 2, 2, 3][random.below(6)];
        let length = match workers {
            1 => 3 + random.below(4),
            2 => 2 + random.below(4),
            _ => 1 + random.below(3),
        };
        let main_length = if workers == 1 { 2 + random.below(3) } else { random.below(2) };
        let mut percent = |often: u32| if random.percent(50) { 0 } else { often };
        let locks = percent(30);
        Self {
            workers,
            length,
            main_length,
            locks,
            waits: if locks > 0 { percent(20) } else { 0 },
            semaphores: percent(10),
            plain: percent(40),
            mixed: percent(6),
            weak: percent(60),
            branches: percent(20),
            choices: percent(6),
            nested: percent(20),
            locations: 1 + random.below(3),
            registers: 1 + random.below(3),
            mutexes: 1 + random.below(2),
            values: 2 + random.below(2) as u32,
        }
    }
}

/// A random program; it is valid.
pub fn generate(knobs: &Knobs, random: &mut Random) -> Program {
    let plain = (0..knobs.locations).map(|_| random.percent(knobs.plain)).collect();
    let mut maker = Maker { knobs, random, plain, held: Vec::new() };
    let mut threads = vec![Vec::new()];
    for _ in 0..knobs.workers {
        let length = maker.at_most(knobs.length);
        threads.push(maker.thread(length));
    }
    let main = maker.thread(knobs.main_length);
    let mut program = Program {
        locations: vec![0; knobs.locations],
        mutexes: if knobs.locks > 0 { knobs.mutexes } else { 0 },
        conditions: usize::from(knobs.waits > 0),
        semaphores: usize::from(knobs.semaphores > 0),
        registers: knobs.registers,
        threads,
    };
    maker.start_and_join(main, &mut program);
    program
}

struct Maker<'k> {
    knobs: &'k Knobs,
    random: &'k mut Random,
    /// Which locations are plain.
    plain: Vec<bool>,
    /// The mutexes that the present thread holds.
    held: Vec<usize>,
}

impl Maker<'_> {
    /// Mostly the number, sometimes less.
    fn at_most(&mut self, number: usize) -> usize {
        number.saturating_sub([0, 0, 0, 1, 2][self.random.below(5)]).max(1)
    }

    fn thread(&mut self, length: usize) -> Vec<Statement> {
        self.held.clear();
        let mut body = Vec::new();
        self.fill(length, &mut body);
        body
    }

    /// Adds statements with about so many visible operations.
    fn fill(&mut self, length: usize, body: &mut Vec<Statement>) {
        let mut left = length;
        while left > 0 {
            left = left.saturating_sub(self.statement(left, body));
        }
    }

    /// Adds a statement, or a few that belong together; gives the number of visible operations.
    fn statement(&mut self, left: usize, body: &mut Vec<Statement>) -> usize {
        let knobs = self.knobs;
        if left >= 3 && self.random.percent(knobs.locks) {
            return self.region(left, body);
        }
        if self.random.percent(knobs.waits) {
            return self.wait_or_signal(left, body);
        }
        if self.random.percent(knobs.semaphores) {
            let up = self.random.percent(60);
            body.push(if up { Statement::Post { semaphore: 0 } } else { Statement::Down { semaphore: 0 } });
            return 1;
        }
        if self.random.percent(knobs.branches) {
            let (register, test) = (self.register(), self.test());
            let constant = self.constant();
            let mut inner = Vec::new();
            let (length, held) = (1 + self.random.below(left.min(2)), self.held.clone());
            self.fill(length, &mut inner);
            // A branch leaves with the mutexes with which it was entered.
            inner.extend(self.held.drain(held.len()..).map(|mutex| Statement::Unlock { mutex }));
            self.held = held;
            body.push(Statement::If { register, test, constant, body: inner });
            return length;
        }
        if self.random.percent(knobs.choices) {
            body.push(Statement::Choose { into: self.register(), options: 2 });
            return 1;
        }
        if self.random.percent(4) {
            body.push(Statement::Assign { into: self.register(), value: self.value() });
            return 0;
        }
        body.push(self.access());
        1
    }

    /// Something under a lock.
    fn region(&mut self, left: usize, body: &mut Vec<Statement>) -> usize {
        let highest = self.held.iter().max().map_or(0, |mutex| mutex + 1);
        let lowest = if self.random.percent(60) { highest } else { 0 };
        let free: Vec<usize> = (lowest..self.knobs.mutexes).filter(|m| !self.held.contains(m)).collect();
        let Some(mutex) = free.get(self.random.below(free.len())).copied() else {
            body.push(self.access());
            return 1;
        };
        let length = 1 + self.random.below((left - 2).min(3));
        if self.random.percent(25) {
            let into = self.register();
            body.push(Statement::TryLock { into, mutex });
            let mut inner = Vec::new();
            let held = self.held.clone();
            self.held.push(mutex);
            self.fill(length, &mut inner);
            inner.extend(self.held.drain(held.len()..).rev().map(|mutex| Statement::Unlock { mutex }));
            self.held = held;
            body.push(Statement::If { register: into, test: Test::Equal, constant: 0, body: inner });
            return length + 2;
        }
        body.push(Statement::Lock { mutex });
        self.held.push(mutex);
        self.fill(length, body);
        // Rarely, a mutex is kept.
        if self.random.percent(95) {
            body.push(Statement::Unlock { mutex });
            self.held.retain(|other| *other != mutex);
        }
        length + 2
    }

    fn wait_or_signal(&mut self, left: usize, body: &mut Vec<Statement>) -> usize {
        match self.held.last().copied() {
            Some(mutex) if self.random.percent(50) => {
                let wait = Statement::Wait { condition: 0, mutex };
                if self.random.percent(40) || left < 2 {
                    body.push(wait);
                    return 3;
                }
                let register = self.register();
                let at = self.random.below(self.knobs.locations);
                body.push(Statement::Load { into: register, at, order: self.load_order(at) });
                let constant = self.constant();
                body.push(Statement::If { register, test: Test::Equal, constant, body: vec![wait] });
                4
            }
            _ => {
                let all = self.random.percent(35);
                let condition = 0;
                body.push(match all {
                    true => Statement::Broadcast { condition },
                    false => Statement::Signal { condition },
                });
                1
            }
        }
    }

    fn access(&mut self) -> Statement {
        let at = self.random.below(self.knobs.locations);
        let into = self.register();
        if self.plain[at] {
            return match self.random.percent(50) {
                true => Statement::Load { into, at, order: Order::Plain },
                false => Statement::Store { at, value: self.value(), order: Order::Plain },
            };
        }
        match self.random.below(100) {
            0..40 => Statement::Load { into, at, order: self.load_order(at) },
            40..75 => Statement::Store { at, value: self.value(), order: self.store_order() },
            75..83 => Statement::FetchAdd { into, at, add: 1 + self.constant(), order: self.update_order() },
            83..88 => Statement::Exchange { into, at, value: self.value(), order: self.update_order() },
            88..96 => {
                let expected = self.constant();
                let (new, order) = (self.value(), self.update_order());
                Statement::CompareExchange { into, at, expected, new, order }
            }
            _ => Statement::Fence {
                order: self.order(&[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]),
            },
        }
    }

    fn order(&mut self, orders: &[Order]) -> Order {
        match self.random.percent(self.knobs.weak) {
            true => orders[self.random.below(orders.len())],
            false => Order::SeqCst,
        }
    }

    fn load_order(&mut self, at: usize) -> Order {
        if self.plain[at] || self.random.percent(self.knobs.mixed) {
            return Order::Plain;
        }
        self.order(&[Order::Relaxed, Order::Acquire])
    }

    fn store_order(&mut self) -> Order {
        if self.random.percent(self.knobs.mixed) {
            return Order::Plain;
        }
        self.order(&[Order::Relaxed, Order::Release])
    }

    fn update_order(&mut self) -> Order {
        self.order(&[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel])
    }

    fn register(&mut self) -> usize {
        self.random.below(self.knobs.registers)
    }

    fn constant(&mut self) -> u32 {
        self.random.below(self.knobs.values as usize) as u32
    }

    fn value(&mut self) -> Value {
        match self.random.percent(25) {
            true => Value::Sum(self.register(), self.constant().min(1)),
            false => Value::Constant(self.constant()),
        }
    }

    fn test(&mut self) -> Test {
        if self.random.percent(50) { Test::Equal } else { Test::NotEqual }
    }

    /// Puts spawns and joins around what the threads do.
    fn start_and_join(&mut self, main: Vec<Statement>, program: &mut Program) {
        let mut of_main = Vec::new();
        let mut thread = 1;
        while thread < program.threads.len() {
            of_main.push(thread);
            let child = thread + 1;
            if child < program.threads.len() && self.random.percent(self.knobs.nested) {
                let body = &mut program.threads[thread];
                let spawn = self.random.below(body.len() + 1);
                body.insert(spawn, Statement::Spawn { thread: child });
                let join = spawn + 1 + self.random.below(body.len() - spawn);
                body.insert(join, Statement::Join { thread: child });
                thread += 1;
            }
            thread += 1;
        }
        let mut body: Vec<Statement> =
            of_main.iter().map(|thread| Statement::Spawn { thread: *thread }).collect();
        // Sometimes main does something before the last thread begins.
        let at = if self.random.percent(20) { self.random.below(body.len() + 1) } else { body.len() };
        body.splice(at..at, main);
        while !of_main.is_empty() {
            let last_first = self.random.percent(20);
            let next = if last_first { of_main.len() - 1 } else { 0 };
            body.push(Statement::Join { thread: of_main.remove(next) });
        }
        program.threads[0] = body;
    }
}
