//! Sets of facts as numbers.
//!
//! What is the same about two executions (a trace, a view, a graph) is a set of facts, such as "this event read from that
//! one" or "this write came before that one". A [`Fingerprint`] is a number of 128 bits for such a set: the sum of a hash
//! of each fact. Facts can be added in any order, so the fingerprint of a set with one fact more costs one hash, and
//! equal sets have equal fingerprints. Two different sets with the same fingerprint are not to be expected: among a
//! million sets the chance is below 10⁻²⁶.
//!
//! A fact must not be added twice, and facts of different kinds must not look alike: they are variants of one type.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A number for a set of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// The set of one fact.
    pub fn of(fact: &impl Hash) -> Self {
        let mut mixer = Mixer::default();
        fact.hash(&mut mixer);
        Self(u128::from(scatter(mixer.low)) << 64 | u128::from(scatter(mixer.high)))
    }

    /// The set with the facts of another one.
    pub fn with(self, others: Self) -> Self {
        Self(self.0.wrapping_add(others.0))
    }

    /// The number as bytes.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The number from its bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// The set with one fact more.
    pub fn and(self, fact: &impl Hash) -> Self {
        self.with(Self::of(fact))
    }
}

impl Hash for Fingerprint {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // It is as good as random.
        hasher.write_u64(self.0 as u64);
    }
}

/// Two hashes at once, of 64 bits each.
struct Mixer {
    low: u64,
    high: u64,
}

/// Odd numbers without a pattern: digits of π.
const ODD: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

impl Default for Mixer {
    fn default() -> Self {
        Self { low: ODD[0], high: ODD[1] }
    }
}

/// Another number for each number, as far away from those of its neighbours as can be (the end of SplitMix64). Sums need that: where
/// the differences between hashes are alike, different sets have the same sum.
fn scatter(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.low = (self.low ^ word).wrapping_mul(ODD[2]).rotate_left(31);
        self.high = (self.high ^ word).wrapping_mul(ODD[3]).rotate_left(29);
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.low
    }
}

/// Takes a fingerprint as its own hash.
#[derive(Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Something for each of some sets of facts.
pub type ByFacts<T> = HashMap<Fingerprint, T, BuildHasherDefault<AsItIs>>;

/// Some sets of facts.
pub type Distinct = HashSet<Fingerprint, BuildHasherDefault<AsItIs>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_equal_fingerprints_and_others_have_not() {
        let empty = Fingerprint::default();
        let (one, other) = ((1_usize, Some(2_u32)), (2_usize, None::<u32>));
        assert_eq!(empty.and(&one).and(&other), empty.and(&other).and(&one));
        assert_eq!(empty.and(&one).and(&other), Fingerprint::of(&one).with(Fingerprint::of(&other)));
        assert_ne!(empty.and(&one), empty.and(&other));
        assert_ne!(empty.and(&one), empty.and(&one).and(&other));
        let mut seen = Distinct::default();
        for first in 0_usize..300 {
            for second in 0_u32..300 {
                assert!(seen.insert(Fingerprint::of(&(first, second))), "{first} {second}");
                assert!(seen.insert(Fingerprint::of(&(first, Some(second), 7_u8))), "{first} {second}");
            }
        }
    }

    /// Facts from a few small numbers, as events have them: no two pairs have the same sum.
    #[test]
    fn sums_of_two_differ() {
        let pairs = (0_usize..6).flat_map(|thread| (0_usize..20).map(move |index| (thread, index)));
        let facts: Vec<Fingerprint> =
            pairs.flat_map(|id| [0_u32, 1, 2].map(|value| Fingerprint::of(&(id, value)))).collect();
        let mut seen = Distinct::default();
        for (at, one) in facts.iter().enumerate() {
            assert!(facts[..at].iter().all(|other| seen.insert(one.with(*other))));
        }
    }
}
