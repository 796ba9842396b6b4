//! Random numbers that are the same everywhere: splitmix64.

/// A generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Seeds it.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound` (which must not be 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias is below 2^-32 for the bounds used here.
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
