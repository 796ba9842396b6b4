//! A small random generator: the same numbers for the same seed, on every machine and for ever.

/// SplitMix64 (Steele, Lea, Flood 2014). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of one case of a run: cases are independent of each other and of their order.
    pub fn for_case(seed: u64, case: u64) -> Random {
        let mut random = Random { state: seed };
        let base = random.next();
        Random { state: base ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03) }
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`; 0 where the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit.max(1) as u64)) as usize
    }

    /// One of the elements, if there are any.
    pub fn choose<'a, T>(&mut self, elements: &'a [T]) -> Option<&'a T> {
        elements.get(self.below(elements.len()))
    }

    /// `count` random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_repeat_and_differ() {
        let numbers = |seed, case| {
            let mut random = Random::for_case(seed, case);
            [random.next(), random.next()]
        };
        assert_eq!(numbers(1, 2), numbers(1, 2));
        assert_ne!(numbers(1, 2), numbers(1, 3));
        assert_ne!(numbers(1, 2), numbers(2, 2));
        assert_eq!(Random::for_case(1, 1).below(0), 0);
    }
}
