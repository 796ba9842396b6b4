//! A small random generator: the same numbers for the same seed, on every machine and for ever.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of one case of a run; cases are independent of each other.
    pub fn for_case(seed: u64, case: u64) -> Self {
        let base = Self { state: seed }.bits();
        Self { state: base ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`; 0 where the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % (limit.max(1) as u64)) as usize
    }

    /// True in `chance` cases of a hundred.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.bits() % 100 < u64::from(chance)
    }
}
