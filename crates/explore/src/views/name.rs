//! Names: numbers of 128 bits that practically no two different things have in common.

use crate::core::mix::mix;

/// Mixes bits into a name.
pub fn name(a: u64, b: u64) -> u128 {
    let one = mix(a, b);
    u128::from(one) << 64 | u128::from(mix(b ^ 0xa076_1d64_78bd_642f, one))
}

/// A name that grows by numbers.
#[derive(Debug, Clone, Copy)]
pub struct Digest(u64, u64);

impl Digest {
    /// One that begins with two numbers.
    pub fn new(a: u64, b: u64) -> Self {
        Digest(a, b)
    }

    /// One that goes on from a name.
    pub fn of(name: u128) -> Self {
        Digest((name >> 64) as u64, name as u64)
    }

    /// Adds numbers.
    pub fn extend<const COUNT: usize>(&mut self, numbers: [u64; COUNT]) {
        numbers.into_iter().for_each(|number| self.add(number));
    }

    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        self.0 = mix(self.0, number);
        self.1 = mix(number ^ 0xa076_1d64_78bd_642f, self.1);
    }

    /// The name.
    pub fn name(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

/// A name of something that goes on with something else.
pub fn continued(before: u128, next: u128) -> u128 {
    let mut digest = Digest::of(before);
    digest.add((next >> 64) as u64);
    digest.add(next as u64);
    digest.name()
}
