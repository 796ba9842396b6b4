//! Loops with bodies, of the kinds that programs have: threads poll for flags, also under a mutex; they try again until a compare-exchange or a
//! trylock succeeds, and do something else in each round or before the first.

use super::Maker;
use crate::program::{Order, Statement, Test, Value};

/// How many rounds a loop has unless somebody wants another number.
const ROUNDS: usize = 2;

impl Maker<'_> {
    /// Lets a thread go round a loop, and mostly others do what lets it end.
    pub(super) fn go_round(&mut self, bodies: &mut [&mut Vec<Statement>]) {
        let atomic: Vec<usize> = (0..self.knobs.locations).filter(|at| !self.plain[*at]).collect();
        let Some(at) = atomic.get(self.random.below(atomic.len())).copied() else { return };
        if bodies.is_empty() || self.knobs.registers < 3 {
            return;
        }
        match self.random.below(20) {
            0..6 => self.poll(at, bodies),
            6..13 => self.retry(at, bodies),
            13..16 => self.test_and_set(at, bodies),
            _ if self.knobs.mutexes == 0 || self.knobs.locks == 0 => self.poll(at, bodies),
            16..18 => self.poll_with_mutex(at, bodies),
            _ => self.try_locks(bodies),
        }
    }

    /// Reads a flag, and often something else, until the flag has the value that another thread stores.
    fn poll(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let value = self.raise(at, bodies);
        let mut round = self.before_in_round(30);
        round.push(Statement::Load { into: 0, at, order: self.order(&[Order::Relaxed, Order::Acquire]) });
        if self.random.percent(30) {
            round.push(self.harmless(1));
        }
        self.put_loop(0, (Test::Equal, value), round, bodies);
    }

    /// The same under a mutex.
    fn poll_with_mutex(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let value = self.raise(at, bodies);
        let mutex = self.random.below(self.knobs.mutexes);
        let order = self.order(&[Order::Relaxed, Order::Acquire]);
        let round = vec![
            Statement::Lock { mutex },
            Statement::Load { into: 0, at, order },
            Statement::Unlock { mutex },
        ];
        if self.random.percent(50) {
            let other = self.random.below(bodies.len());
            let into = self.register();
            let unlock = vec![Statement::Unlock { mutex }];
            let branch = Statement::If { register: into, test: Test::Equal, constant: 0, body: unlock };
            bodies[other].splice(0..0, [Statement::TryLock { into, mutex }, branch]);
        }
        self.put_loop(0, (Test::Equal, value), round, bodies);
    }

    /// Takes a mutex by trylock, and gives it back.
    fn try_locks(&mut self, bodies: &mut [&mut Vec<Statement>]) {
        let mutex = self.random.below(self.knobs.mutexes);
        for body in bodies.iter_mut().take(2) {
            let mut round = self.before_in_round(15);
            round.push(Statement::TryLock { into: 0, mutex });
            // Nobody else can see a round in which nothing is accessed.
            round.insert(0, self.harmless(1));
            let one = Self::round(0, (Test::Equal, Value::Constant(0)), round);
            body.splice(0..0, [one, Statement::Unlock { mutex }]);
        }
    }

    /// Some threads take a lock by exchange, and give it back.
    fn test_and_set(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let one = Value::Constant(1);
        for body in bodies.iter_mut() {
            if self.random.percent(20) {
                continue;
            }
            let mut round = self.before_in_round(15);
            round.push(Statement::Exchange { into: 0, at, value: one, order: self.update_order() });
            if self.random.percent(20) {
                round.push(self.harmless(1));
            }
            let release = Statement::Store { at, value: Value::Constant(0), order: self.store_order() };
            let begin = self.random.below(body.len() + 1);
            let round = Self::round(0, (Test::Equal, Value::Constant(0)), round);
            body.splice(begin..begin, [round, release]);
        }
    }

    /// Reads a value, and tries to replace it until nobody has been faster.
    fn retry(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) {
        let threads = 1 + self.random.below(bodies.len().min(2));
        for body in bodies.iter_mut().take(threads) {
            let first = Statement::Load { into: 0, at, order: self.order(&[Order::Relaxed, Order::Acquire]) };
            let mut round = self.before_in_round(10);
            if self.random.percent(25) {
                round.push(self.harmless(2));
            }
            let new = match self.random.below(3) {
                0 => Value::Sum(0, 0),
                1 => Value::Constant(self.constant()),
                _ => Value::Sum(0, 1),
            };
            round.push(Statement::CompareExchange {
                into: 0,
                at,
                expected: Value::Sum(0, 0),
                new,
                order: self.update_order(),
                succeeded: Some(1),
            });
            let mut all = vec![first];
            if self.random.percent(25) {
                all.push(self.access());
            }
            all.push(Self::round(1, (Test::Equal, Value::Constant(1)), round));
            let begin = self.random.below(body.len() + 1);
            body.splice(begin..begin, all);
        }
    }

    /// What happens in a round before the deciding access: mostly nothing; with a chance, something that has an effect.
    fn before_in_round(&mut self, chance: u32) -> Vec<Statement> {
        match self.random.below(100) {
            number if number < chance as usize => vec![self.harmless(1)],
            95.. if self.knobs.effects => vec![self.access()],
            _ => Vec::new(),
        }
    }

    /// A load into this register, or a fence.
    fn harmless(&mut self, into: usize) -> Statement {
        let at = self.random.below(self.knobs.locations);
        let order = self.load_order(at);
        let load = Statement::Load { into, at, order };
        match self.random.below(10) {
            0 if at + 1 < self.knobs.locations => {
                Statement::Indexed { register: self.register(), count: 2, access: Box::new(load) }
            }
            _ => load,
        }
    }

    /// Somebody stores a value; returns it.
    fn raise(&mut self, at: usize, bodies: &mut [&mut Vec<Statement>]) -> Value {
        let value = Value::Constant(1 + self.random.below(2) as u32);
        if self.random.percent(92) {
            let writer = self.random.below(bodies.len());
            let order = self.store_order();
            self.put(bodies[writer], Statement::Store { at, value, order });
        }
        value
    }

    fn round(register: usize, (test, value): (Test, Value), body: Vec<Statement>) -> Statement {
        Statement::Loop { body, register, test, value, rounds: ROUNDS }
    }

    fn put_loop(
        &mut self,
        register: usize,
        ends: (Test, Value),
        round: Vec<Statement>,
        bodies: &mut [&mut Vec<Statement>],
    ) {
        let reader = self.random.below(bodies.len());
        self.put(bodies[reader], Self::round(register, ends, round));
    }
}
