//! Relations on the nodes of a graph, as rows of bits.

/// A relation on 0, 1, …, size - 1.
#[derive(Debug, Clone)]
pub struct Relation {
    size: usize,
    /// Words in a row.
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    /// The empty relation.
    pub fn empty(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { size, words, bits: vec![0; size * words] }
    }

    /// The pairs for which a condition holds.
    pub fn new(size: usize, related: impl Fn(usize, usize) -> bool) -> Self {
        let mut relation = Self::empty(size);
        for from in 0..size {
            for to in 0..size {
                if related(from, to) {
                    relation.add(from, to);
                }
            }
        }
        relation
    }

    /// Adds a pair.
    pub fn add(&mut self, from: usize, to: usize) {
        self.bits[from * self.words + to / 64] |= 1 << (to % 64);
    }

    fn row(&self, from: usize) -> &[u64] {
        &self.bits[from * self.words..(from + 1) * self.words]
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.row(from)[to / 64] >> (to % 64) & 1 != 0
    }

    /// All pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let related =
            move |from| (0..self.size).filter(move |to| self.has(from, *to)).map(move |to| (from, to));
        (0..self.size).flat_map(related)
    }

    fn combine(&self, other: &Self, with: impl Fn(u64, u64) -> u64) -> Self {
        let bits = self.bits.iter().zip(&other.bits).map(|(one, other)| with(*one, *other)).collect();
        Self { bits, ..*self }
    }

    /// Union.
    pub fn or(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one | other)
    }

    /// Intersection.
    pub fn and(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & other)
    }

    /// Difference.
    pub fn without(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & !other)
    }

    /// The reflexive closure.
    pub fn maybe(&self) -> Self {
        let mut relation = self.clone();
        (0..self.size).for_each(|node| relation.add(node, node));
        relation
    }

    /// Composition.
    pub fn then(&self, other: &Self) -> Self {
        let mut relation = Self::empty(self.size);
        for from in 0..self.size {
            for through in (0..self.size).filter(|through| self.has(from, *through)) {
                let row = &mut relation.bits[from * self.words..(from + 1) * self.words];
                for (into, bits) in row.iter_mut().zip(other.row(through)) {
                    *into |= bits;
                }
            }
        }
        relation
    }

    /// Transitive closure.
    pub fn plus(&self) -> Self {
        let mut closed = self.clone();
        for through in 0..self.size {
            let row: Vec<u64> = closed.row(through).to_vec();
            for from in 0..self.size {
                if closed.has(from, through) {
                    let into = &mut closed.bits[from * self.words..(from + 1) * self.words];
                    for (into, bits) in into.iter_mut().zip(&row) {
                        *into |= bits;
                    }
                }
            }
        }
        closed
    }

    /// Whether there is no cycle.
    pub fn is_acyclic(&self) -> bool {
        let closed = self.plus();
        (0..self.size).all(|node| !closed.has(node, node))
    }
}

#[cfg(test)]
mod tests;
