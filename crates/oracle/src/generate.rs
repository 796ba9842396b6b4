//! Random programs.
//!
//! Small programs find more faults per second than large ones, and brute force can follow them. Locks are
//! taken in order and given back in most places; sometimes they are not, for the sake of deadlocks. A mutex is
//! never used wrongly: no thread unlocks what it does not hold or locks what it holds.

use crate::program::{Order, Program, Statement, Test, Until, Value};
use crate::random::Random;

mod loops;

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
    /// That the threads are built around a cycle: each accesses two locations, the second is the first of the next
    /// thread, and of the two who access it one stores. Only of such programs do weak models allow more.
    pub cycles: u32,
    /// Accesses that are read-modify-writes.
    pub updates: u32,
    /// Additions whose old values nobody uses, among statements.
    pub additions: u32,
    /// Fences among accesses.
    pub fences: u32,
    /// Branches.
    pub branches: u32,
    /// Choices.
    pub choices: u32,
    /// That a thread is started by another thread than main.
    pub nested: u32,
    /// How many times threads wait for values in loops; not a chance, but a number.
    pub awaits: usize,
    /// How many loops with bodies there are; not a chance, but a number.
    pub loops: usize,
    /// Whether rounds of these may have effects.
    pub effects: bool,
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
            cycles: 0,
            updates: 21,
            additions: percent(45),
            fences: 4,
            branches: percent(20),
            choices: percent(6),
            nested: percent(20),
            awaits: 0,
            loops: 0,
            effects: false,
            locations: 1 + random.below(3),
            registers: 1 + random.below(3),
            mutexes: 1 + random.below(2),
            values: 2 + random.below(2) as u32,
        }
    }

    /// A mixture for models with store buffers. Each store that is buffered is two steps, so the programs are
    /// smaller; most accesses are weak, and most programs have a cycle, so that there is something to see.
    pub fn random_buffered(random: &mut Random) -> Self {
        let workers = [1, 1, 2, 2, 2, 2, 2, 3][random.below(8)];
        let length = [0, 0, 1, 1, 2][random.below(if workers == 3 { 4 } else { 5 })];
        let main_length = if workers == 1 { random.below(3) } else { 0 };
        let mut percent = |chance: u32, often: u32| if random.percent(chance) { often } else { 0 };
        let locks = percent(20, 25);
        Self {
            workers,
            length,
            main_length,
            locks,
            waits: if locks > 0 { percent(30, 20) } else { 0 },
            semaphores: percent(20, 15),
            plain: percent(40, 40),
            mixed: percent(30, 6),
            weak: 85 + percent(50, 15),
            cycles: 90,
            updates: percent(60, 15),
            additions: percent(40, 45),
            fences: percent(50, 15),
            branches: percent(30, 20),
            choices: percent(20, 6),
            nested: percent(20, 20),
            awaits: 0,
            loops: 0,
            effects: false,
            locations: workers.max(2) + random.below(2),
            registers: 2 + random.below(2),
            mutexes: 1 + random.below(2),
            values: 2 + random.below(2) as u32,
        }
    }

    /// A mixture for RC11: all orders, many fences and read-modify-writes, few locations, most programs with a cycle. They are
    /// small, because a graph has nothing to do with the number of interleavings, but much with the number of
    /// accesses to a location.
    pub fn random_c11(random: &mut Random) -> Self {
        let workers = [1, 2, 2, 2, 2, 3, 3, 4][random.below(8)];
        let length = match workers {
            1 | 2 => 1 + random.below(3),
            3 => random.below(3),
            _ => random.below(2),
        };
        let main_length = if workers == 1 { 1 + random.below(3) } else { 0 };
        let mut percent = |chance: u32, often: u32| if random.percent(chance) { often } else { 0 };
        let locks = percent(10, 25);
        Self {
            workers,
            length,
            main_length,
            locks,
            waits: if locks > 0 { percent(30, 20) } else { 0 },
            semaphores: percent(10, 15),
            plain: percent(20, 30),
            mixed: percent(15, 10),
            // From mostly sequentially consistent to weak throughout.
            weak: 40 + percent(70, 30) + percent(50, 30),
            cycles: 80,
            updates: 10 + percent(60, 25),
            additions: percent(15, 20),
            fences: percent(70, 25),
            branches: percent(20, 20),
            choices: percent(5, 6),
            nested: percent(15, 20),
            awaits: 0,
            loops: 0,
            effects: false,
            locations: (if workers > 2 { workers } else { 1 + random.below(2) }) + random.below(2),
            registers: 2 + random.below(2),
            mutexes: 1 + random.below(2),
            values: 2 + random.below(2) as u32,
        }
    }
}

impl Knobs {
    /// The same with threads that wait for values in loops, and less of all else: each loop comes with accesses that others need to
    /// let it end.
    pub fn with_awaits(self, random: &mut Random) -> Self {
        let workers = [2, 2, 2, 2, 3, 3, 3][random.below(7)];
        let length = match workers {
            2 => random.below(3),
            _ => [0, 0, 0, 1][random.below(4)],
        };
        let awaits = match workers {
            2 => [1, 1, 2, 2, 3][random.below(5)],
            _ => [1, 1, 1, 2][random.below(4)],
        };
        Self {
            workers,
            length,
            main_length: usize::from(random.percent(25)),
            locations: 2 + random.below(2),
            registers: 2 + random.below(2),
            cycles: if random.percent(25) { self.cycles } else { 0 },
            plain: self.plain / 2,
            // An access that is not atomic may be in a race with rounds that are left out.
            mixed: 0,
            awaits,
            ..self
        }
    }
}

impl Knobs {
    /// The same with loops that have bodies, and little else.
    pub fn with_loops(self, random: &mut Random) -> Self {
        let workers = [2, 2, 2, 2, 2, 3][random.below(6)];
        Self {
            workers,
            length: if workers == 2 { random.below(3) } else { random.below(2) },
            main_length: 0,
            locations: 1 + random.below(3),
            registers: 3,
            mutexes: 1,
            locks: if random.percent(30) { 20 } else { 0 },
            waits: 0,
            semaphores: 0,
            cycles: 0,
            choices: 0,
            nested: 0,
            mixed: if random.percent(15) { self.mixed } else { 0 },
            plain: self.plain / 2,
            loops: [1, 1, 1, 2][random.below(4)],
            ..self
        }
    }
}

/// A random program; it is valid.
pub fn generate(knobs: &Knobs, random: &mut Random) -> Program {
    let mut plain: Vec<bool> = (0..knobs.locations).map(|_| random.percent(knobs.plain)).collect();
    if let (true, Some(first)) = (knobs.awaits + knobs.loops > 0, plain.first_mut()) {
        *first = false;
    }
    let mut maker = Maker { knobs, random, plain, held: Vec::new() };
    let mut threads = vec![Vec::new()];
    for _ in 0..knobs.workers {
        let length = maker.at_most(knobs.length);
        threads.push(maker.thread(length));
    }
    let mut main = maker.thread(knobs.main_length);
    if knobs.cycles > 0 && maker.random.percent(knobs.cycles) {
        let mut bodies: Vec<&mut Vec<Statement>> = threads.iter_mut().skip(1).collect();
        if bodies.len() == 1 {
            bodies.push(&mut main);
        }
        maker.cycle(&mut bodies);
    }
    for _ in 0..knobs.awaits {
        let mut bodies: Vec<&mut Vec<Statement>> = threads.iter_mut().skip(1).collect();
        if bodies.len() == 1 || maker.random.percent(15) {
            bodies.push(&mut main);
        }
        maker.wait(&mut bodies);
    }
    for _ in 0..knobs.loops {
        let mut bodies: Vec<&mut Vec<Statement>> = threads.iter_mut().skip(1).collect();
        maker.go_round(&mut bodies);
    }
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
        number.saturating_sub([0, 0, 0, 1, 2][self.random.below(5)]).max(number.min(1))
    }

    fn thread(&mut self, length: usize) -> Vec<Statement> {
        self.held.clear();
        let mut body = Vec::new();
        self.fill(length, &mut body);
        body
    }

    /// Adds statements with about this many visible operations.
    fn fill(&mut self, length: usize, body: &mut Vec<Statement>) {
        let mut left = length;
        while left > 0 {
            left = left.saturating_sub(self.statement(left, body));
        }
    }

    /// Adds a statement, or a few that belong together; returns the number of visible operations.
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
        if self.random.percent(knobs.additions)
            && let Some(at) = (0..knobs.locations).find(|at| !self.plain[*at])
        {
            body.extend(self.addition(at));
            return 1;
        }
        body.push(self.access());
        1
    }

    /// An addition whose old value is overwritten.
    fn addition(&mut self, at: usize) -> [Statement; 2] {
        let (into, add, order) = (self.register(), 1 + self.random.below(2) as u32, self.update_order());
        let value = Value::Constant(self.constant());
        [Statement::FetchAdd { into, at, add, order }, Statement::Assign { into, value }]
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
        // Of the others, eight in fifteen load, seven store.
        let (updates, fences) = (self.knobs.updates as usize, self.knobs.fences as usize);
        let others = 100_usize.saturating_sub(updates + fences);
        let number = self.random.below(100);
        if number < others * 8 / 15 {
            return Statement::Load { into, at, order: self.load_order(at) };
        }
        if number < others {
            return Statement::Store { at, value: self.value(), order: self.store_order() };
        }
        if number >= others + updates {
            let orders = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
            return Statement::Fence { order: self.order(&orders) };
        }
        match (number - others) * 21 / updates.max(1) {
            0..8 => Statement::FetchAdd { into, at, add: 1 + self.constant(), order: self.update_order() },
            8..13 => Statement::Exchange { into, at, value: self.value(), order: self.update_order() },
            _ => {
                let expected = Value::Constant(self.constant());
                let (new, order) = (self.value(), self.update_order());
                Statement::CompareExchange { into, at, expected, new, order, succeeded: None }
            }
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

    fn store_order_at(&mut self, at: usize) -> Order {
        if self.plain[at] { Order::Plain } else { self.store_order() }
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

    /// Adds two accesses to each of the bodies, so that there is a cycle, if there are enough locations and registers.
    fn cycle(&mut self, bodies: &mut [&mut Vec<Statement>]) {
        let size = bodies.len();
        if size > self.knobs.locations || self.knobs.registers < 2 {
            return;
        }
        let mut stores: Vec<[bool; 2]> =
            (0..size).map(|_| [self.random.percent(50), self.random.percent(50)]).collect();
        for first in 0..size {
            let second = (first + 1) % size;
            if !stores[first][1] && !stores[second][0] {
                match self.random.percent(50) {
                    true => stores[first][1] = true,
                    false => stores[second][0] = true,
                }
            }
        }
        for (index, (body, stores)) in bodies.iter_mut().zip(stores).enumerate() {
            let mut at = self.random.below(body.len() + 1);
            for (access, is_store) in stores.into_iter().enumerate() {
                let location = (index + access) % size;
                let statement = match is_store {
                    true => {
                        let value = Value::Constant(1 + access as u32);
                        Statement::Store { at: location, value, order: self.store_order_at(location) }
                    }
                    false => Statement::Load { into: access, at: location, order: self.load_order(location) },
                };
                body.insert(at, statement);
                at += 1 + self.random.below(body.len() - at);
            }
        }
    }

    /// Lets threads wait for each other in loops.
    fn wait(&mut self, bodies: &mut [&mut Vec<Statement>]) {
        let atomic: Vec<usize> = (0..self.knobs.locations).filter(|at| !self.plain[*at]).collect();
        if atomic.is_empty() || bodies.is_empty() {
            return;
        }
        let at = atomic[self.random.below(atomic.len())];
        match self.random.below(20) {
            0..11 => self.wait_for_flag(at, bodies),
            11..17 => self.spin_locks(at, bodies),
            17..19 => self.barrier(at, bodies),
            _ => self.ticket_locks(&atomic, bodies),
        }
    }

    /// A thread waits for something that another one writes, in most cases.
    fn wait_for_flag(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let reader = self.random.below(bodies.len());
        let others = (0..bodies.len()).filter(|body| *body != reader);
        let mut values: Vec<u32> = others.flat_map(|body| written_to(at, bodies[body])).collect();
        if (values.is_empty() || self.random.percent(30)) && bodies.len() > 1 {
            let writer = (reader + 1 + self.random.below(bodies.len() - 1)) % bodies.len();
            let value = 1 + self.random.below(2) as u32;
            let store = match self.random.percent(75) {
                true => Statement::Store { at, value: Value::Constant(value), order: self.store_order() },
                false => {
                    Statement::FetchAdd { into: self.register(), at, add: value, order: self.update_order() }
                }
            };
            values.push(value);
            self.put(bodies[writer], store);
        }
        let known = values.get(self.random.below(values.len())).copied();
        let wanted = known.filter(|_| self.random.percent(92)).unwrap_or_else(|| self.constant());
        let (test, wanted) = match self.random.below(10) {
            0..7 => (Test::Equal, wanted),
            7..9 => (Test::NotEqual, 0),
            _ => (Test::NotEqual, wanted),
        };
        let into = self.register();
        let value = match self.random.percent(8) {
            true => Value::Sum((into + 1) % self.knobs.registers, wanted.min(1)),
            false => Value::Constant(wanted),
        };
        let statement = match self.random.percent(85) || test == Test::NotEqual {
            true => Statement::Await {
                into,
                at,
                until: Until::Load { test, value },
                order: self.order(&[Order::Relaxed, Order::Acquire]),
            },
            false => {
                let until =
                    Until::CompareExchange { expected: wanted, new: Value::Constant(self.constant()) };
                Statement::Await { into, at, until, order: self.update_order() }
            }
        };
        let statement = match value {
            Value::Sum(register, _) if register == into => return,
            _ => statement,
        };
        if self.random.percent(10) {
            let (register, test, constant) = (self.register(), self.test(), self.constant());
            let branch = Statement::If { register, test, constant, body: vec![statement] };
            return self.put(bodies[reader], branch);
        }
        self.put(bodies[reader], statement);
    }

    /// Some threads take a lock by test-and-set, and most give it back.
    fn spin_locks(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let one = Value::Constant(1);
        for body in bodies.iter_mut() {
            if self.random.percent(20) {
                continue;
            }
            let begin = self.random.below(body.len() + 1);
            let end = begin + self.random.below(body.len() - begin + 1);
            if self.random.percent(95) {
                let value = Value::Constant(0);
                body.insert(end, Statement::Store { at, value, order: self.store_order() });
            }
            let until = match self.random.percent(60) {
                true => Until::Exchange { value: one },
                false => Until::CompareExchange { expected: 0, new: one },
            };
            let (into, order) = (self.register(), self.update_order());
            body.insert(begin, Statement::Await { into, at, until, order });
        }
    }

    /// Some threads count up, and wait until all have done so.
    fn barrier(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let all = bodies.len() as u32;
        for body in bodies.iter_mut() {
            let begin = self.random.below(body.len() + 1);
            let (into, order) = (self.register(), self.order(&[Order::Relaxed, Order::Acquire]));
            let until = Until::Load { test: Test::Equal, value: Value::Constant(all) };
            body.insert(begin, Statement::Await { into, at, until, order });
            let into = self.register();
            body.insert(begin, Statement::FetchAdd { into, at, add: 1, order: self.update_order() });
        }
    }

    /// Threads take tickets, and wait for their turns.
    fn ticket_locks(&mut self, atomic: &[usize], bodies: &mut [&mut Vec<Statement>]) {
        let [first, second, ..] = *atomic else { return };
        if self.knobs.registers < 2 {
            return;
        }
        for body in bodies.iter_mut() {
            let begin = self.random.below(body.len() + 1);
            let order = self.order(&[Order::Relaxed, Order::Acquire]);
            let until = Until::Load { test: Test::Equal, value: Value::Sum(0, 0) };
            let update = self.update_order();
            let next = Statement::Store { at: second, value: Value::Sum(0, 1), order: self.store_order() };
            let lock = [
                Statement::FetchAdd { into: 0, at: first, add: 1, order: update },
                Statement::Await { into: 1, at: second, until, order },
                next,
            ];
            body.splice(begin..begin, lock);
        }
    }

    /// Puts a statement anywhere into a body.
    fn put(&mut self, body: &mut Vec<Statement>, statement: Statement) {
        let at = self.random.below(body.len() + 1);
        body.insert(at, statement);
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
        let mut at = if self.random.percent(20) { self.random.below(body.len() + 1) } else { body.len() };
        if self.knobs.awaits + self.knobs.loops > 0 {
            // A loop in which main waits alone has no end, and no visible operation.
            at = at.max(1);
        }
        body.splice(at..at, main);
        while !of_main.is_empty() {
            let last_first = self.random.percent(20);
            let next = if last_first { of_main.len() - 1 } else { 0 };
            body.push(Statement::Join { thread: of_main.remove(next) });
        }
        program.threads[0] = body;
    }
}

/// Constants that may be written to a location.
fn written_to(location: usize, body: &[Statement]) -> Vec<u32> {
    let mut list = Vec::new();
    for statement in body {
        match statement {
            Statement::Store { at, value: Value::Constant(value), .. }
            | Statement::Exchange { at, value: Value::Constant(value), .. }
            | Statement::CompareExchange { at, new: Value::Constant(value), .. }
            | Statement::FetchAdd { at, add: value, .. }
                if *at == location =>
            {
                list.push(*value);
            }
            Statement::If { body, .. } => list.extend(written_to(location, body)),
            _ => {}
        }
    }
    list
}
