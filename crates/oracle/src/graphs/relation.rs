//! Relations on a few things that are numbered from 0, as matrices.
//!
//! A set of things is the identity on it, as `[S]` in the definitions of memory models: `[S]; r; [T]` is what `r` has
//! between members of `S` and of `T`.

/// The most things there can be.
pub const MOST: usize = 128;

/// A relation: for each thing, as the bits of a number, those that it is related to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    rows: Vec<u128>,
}

impl Relation {
    /// The relation of which `related` is true, on 0 to `size` - 1. `size` must not be more than [`MOST`].
    pub fn new(size: usize, related: impl Fn(usize, usize) -> bool) -> Self {
        let row = |from| (0..size).filter(|to| related(from, *to)).fold(0, |row, to| row | 1 << to);
        Self { rows: (0..size).map(row).collect() }
    }

    /// The identity on a set.
    pub fn set(size: usize, is_in: impl Fn(usize) -> bool) -> Self {
        Self { rows: (0..size).map(|thing| u128::from(is_in(thing)) << thing).collect() }
    }

    /// Whether the two are related.
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from] >> to & 1 == 1
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    /// What is in one or the other.
    pub fn or(&self, other: &Self) -> Self {
        Self { rows: self.rows.iter().zip(&other.rows).map(|(one, other)| one | other).collect() }
    }

    /// What is in both.
    pub fn and(&self, other: &Self) -> Self {
        Self { rows: self.rows.iter().zip(&other.rows).map(|(one, other)| one & other).collect() }
    }

    /// What is in this one, not in the other.
    pub fn without(&self, other: &Self) -> Self {
        Self { rows: self.rows.iter().zip(&other.rows).map(|(one, other)| one & !other).collect() }
    }

    /// First this, then the other: `self; other`.
    pub fn then(&self, other: &Self) -> Self {
        let reached = |row: &u128| {
            let (mut reached, mut left) = (0, *row);
            while left != 0 {
                reached |= other.rows[left.trailing_zeros() as usize];
                left &= left - 1;
            }
            reached
        };
        Self { rows: self.rows.iter().map(reached).collect() }
    }

    /// The inverse.
    pub fn inverse(&self) -> Self {
        Self::new(self.size(), |from, to| self.has(to, from))
    }

    /// Once or not at all: `self?`.
    pub fn maybe(&self) -> Self {
        self.or(&Self::set(self.size(), |_| true))
    }

    /// Once or more: `self+` (Warshall).
    pub fn plus(&self) -> Self {
        let mut closure = self.clone();
        for middle in 0..self.size() {
            let onward = closure.rows[middle];
            for row in &mut closure.rows {
                if *row >> middle & 1 == 1 {
                    *row |= onward;
                }
            }
        }
        closure
    }

    /// Any number of times: `self*`.
    pub fn star(&self) -> Self {
        self.plus().maybe()
    }

    /// Whether nothing is related.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| *row == 0)
    }

    /// Whether nothing is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        (0..self.size()).all(|thing| !self.has(thing, thing))
    }

    /// Whether nothing comes back to itself.
    pub fn is_acyclic(&self) -> bool {
        self.plus().is_irreflexive()
    }
}

#[cfg(test)]
mod tests {
    use super::Relation;

    fn pairs(relation: &Relation) -> Vec<(usize, usize)> {
        let size = relation.size();
        let all = (0..size).flat_map(|from| (0..size).map(move |to| (from, to)));
        all.filter(|(from, to)| relation.has(*from, *to)).collect()
    }

    fn relation(pairs: &[(usize, usize)]) -> Relation {
        Relation::new(4, |from, to| pairs.contains(&(from, to)))
    }

    #[test]
    fn operations_are_what_they_say() {
        let (one, other) = (relation(&[(0, 1), (1, 2)]), relation(&[(1, 2), (2, 0), (2, 3)]));
        assert_eq!(pairs(&one.or(&other)), [(0, 1), (1, 2), (2, 0), (2, 3)]);
        assert_eq!(pairs(&one.and(&other)), [(1, 2)]);
        assert_eq!(pairs(&one.without(&other)), [(0, 1)]);
        assert_eq!(pairs(&one.then(&other)), [(0, 2), (1, 0), (1, 3)]);
        assert_eq!(pairs(&one.inverse()), [(1, 0), (2, 1)]);
        assert_eq!(pairs(&one.plus()), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs(&one.maybe()), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (3, 3)]);
        assert_eq!(one.star(), one.plus().maybe());
        assert!(one.is_acyclic() && other.is_acyclic() && !one.or(&other).is_acyclic());
        assert!(one.or(&other).is_irreflexive() && !one.maybe().is_irreflexive());
        assert!(relation(&[]).is_empty() && !one.is_empty());
        assert_eq!(pairs(&Relation::set(4, |thing| thing % 2 == 1)), [(1, 1), (3, 3)]);
    }
}
