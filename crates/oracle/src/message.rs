//! Random programs that pass a message through a release sequence.
//!
//! One thread writes something plain, and then several times to a flag; others write to the flag, too; one reads it, and
//! depending on that what was written. Whether this is a race depends on what the writes to the flag are, and on their order.
//! Among programs without such a plan there are few of the kind.

use crate::program::{Order, Program, Statement, Test, Value};
use crate::random::Random;

const DATA: usize = 0;
const FLAG: usize = 1;

/// A random program that passes a message; it is valid.
pub fn generate_message(random: &mut Random) -> Program {
    let mut maker = Maker { random, next: 1 };
    let mut writer = vec![Statement::Store { at: DATA, value: Value::Constant(1), order: Order::Plain }];
    if maker.random.percent(20) {
        writer.push(Statement::Fence { order: Order::Release });
    }
    writer.push(maker.write(85));
    for _ in 0..[0, 1, 1, 1, 2][maker.random.below(5)] {
        writer.push(maker.write(20));
    }
    let others = (0..[0, 0, 1, 1, 2][maker.random.below(5)]).map(|_| vec![maker.write(20)]);
    let mut workers: Vec<Vec<Statement>> = [writer].into_iter().chain(others).collect();
    workers.push(maker.reader());
    let threads = 1..=workers.len();
    let spawns = threads.clone().map(|thread| Statement::Spawn { thread });
    let main = spawns.chain(threads.map(|thread| Statement::Join { thread })).collect();
    Program {
        locations: vec![0; 2],
        registers: 2,
        threads: [vec![main], workers].concat(),
        ..Program::default()
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    /// What is stored to the flag next.
    next: u32,
}

impl Maker<'_> {
    /// A write to the flag, which releases with a chance.
    fn write(&mut self, releases: u32) -> Statement {
        let value = self.next;
        self.next += 1;
        let order = match self.random.percent(releases) {
            true => [Order::Release, Order::Release, Order::SeqCst][self.random.below(3)],
            false => Order::Relaxed,
        };
        let (at, into) = (FLAG, 0);
        match self.random.below(10) {
            0..6 => {
                // A plain one is an error, unless something else orders it.
                let order = if self.random.percent(3) { Order::Plain } else { order };
                Statement::Store { at, value: Value::Constant(value), order }
            }
            6 | 7 => Statement::Exchange { into, at, value: Value::Constant(value), order },
            8 => Statement::FetchAdd { into, at, add: 8, order },
            _ => {
                let expected = self.random.below(value as usize) as u32;
                let (expected, new) = (Value::Constant(expected), Value::Constant(value));
                Statement::CompareExchange { into, at, expected, new, order, succeeded: None }
            }
        }
    }

    /// Reads the flag, and what was written.
    fn reader(&mut self) -> Vec<Statement> {
        let (at, into) = (FLAG, 0);
        let mut body = match self.random.below(8) {
            0 => vec![Statement::FetchAdd { into, at, add: 16, order: Order::Acquire }],
            1 => {
                let fence = Statement::Fence { order: Order::Acquire };
                vec![Statement::Load { into, at, order: Order::Relaxed }, fence]
            }
            _ => vec![Statement::Load { into, at, order: Order::Acquire }],
        };
        let test = if self.random.percent(90) { Test::Equal } else { Test::NotEqual };
        let constant = 1 + self.random.below(self.next as usize - 1) as u32;
        let look = vec![Statement::Load { into: 1, at: DATA, order: Order::Plain }];
        body.push(Statement::If { register: 0, test, constant, body: look });
        body
    }
}
