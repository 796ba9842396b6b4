//! The partial order that always holds.
//!
//! Events are put on *chains*: an event that is ordered after the last one of a chain becomes its new last one. The events of a
//! thread thus form a chain or two, and there are about as many chains as threads. Each event has a vector clock: how many
//! events of each chain are before it. So a query is one comparison, an edge costs as many steps as there are chains, and edges
//! that follow from others are recognised and dropped. (An edge into the middle of what is there costs more: the clocks of all
//! events after it may change.)
//!
//! With `n` events on `k` chains, clocks take up to `n * k` words; where nothing is ordered, none.

/// What became of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// It followed from the others.
    Known,
    /// It says something new.
    New,
    /// It contradicts the others, and was left out.
    Cycle,
}

/// Not on a chain yet: nothing is known to be after the event, and it may still become the last one of a chain.
const NO_CHAIN: u32 = u32::MAX;

/// A growing partial order of the numbers `0..len`.
#[derive(Clone, Debug, Default)]
pub struct FixedOrder {
    /// The chain of each event, and its place there.
    places: Vec<(u32, u32)>,
    /// The last event of each chain.
    tails: Vec<u32>,
    /// How many events of each chain are before an event. What is missing is 0. (Not needed for its own chain.)
    clocks: Vec<Vec<u32>>,
    /// The edges that said something new when they came.
    after: Vec<Vec<u32>>,
    edges: usize,
    worklist: Vec<u32>,
}

impl FixedOrder {
    /// How many events there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many edges are kept.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// How many chains there are.
    pub fn chains(&self) -> usize {
        self.tails.len()
    }

    /// One event more, not ordered with any other.
    pub fn push(&mut self) {
        self.places.push((NO_CHAIN, 0));
        self.clocks.push(Vec::new());
        self.after.push(Vec::new());
    }

    /// Whether `first` is before `second`.
    pub fn before(&self, first: u32, second: u32) -> bool {
        let (chain, place) = self.places[first as usize];
        let (other_chain, other_place) = self.places[second as usize];
        if chain == NO_CHAIN {
            false
        } else if chain == other_chain {
            place < other_place
        } else {
            self.clocks[second as usize].get(chain as usize).is_some_and(|&count| place < count)
        }
    }

    /// Events that come after this one; together these edges give the whole order.
    pub fn successors(&self, event: u32) -> &[u32] {
        &self.after[event as usize]
    }

    /// From now on, `first` is before `second`.
    pub fn insert(&mut self, first: u32, second: u32) -> Insertion {
        if first == second || self.before(second, first) {
            return Insertion::Cycle;
        }
        if self.before(first, second) {
            return Insertion::Known;
        }
        if self.places[first as usize].0 == NO_CHAIN {
            self.places[first as usize] = (self.tails.len() as u32, 0);
            self.tails.push(first);
        }
        let (chain, place) = self.places[first as usize];
        if self.places[second as usize].0 == NO_CHAIN && self.tails[chain as usize] == first {
            self.places[second as usize] = (chain, place + 1);
            self.tails[chain as usize] = second;
        }
        self.after[first as usize].push(second);
        self.edges += 1;
        if self.raise(first, second) {
            self.worklist.push(second);
        }
        while let Some(event) = self.worklist.pop() {
            for index in 0..self.after[event as usize].len() {
                let next = self.after[event as usize][index];
                if self.raise(event, next) {
                    self.worklist.push(next);
                }
            }
        }
        Insertion::New
    }

    /// What is before `from`, and itself, is before `to`. Whether that was news.
    fn raise(&mut self, from: u32, to: u32) -> bool {
        let source = std::mem::take(&mut self.clocks[from as usize]);
        let (chain, place) = self.places[from as usize];
        let target = &mut self.clocks[to as usize];
        let length = source.len().max(chain as usize + 1);
        if target.len() < length {
            target.resize(length, 0);
        }
        let mut news = false;
        for (old, &new) in target.iter_mut().zip(&source) {
            news |= *old < new;
            *old = (*old).max(new);
        }
        if target[chain as usize] <= place {
            target[chain as usize] = place + 1;
            news = true;
        }
        self.clocks[from as usize] = source;
        news
    }
}

#[cfg(test)]
#[allow(clippy::needless_range_loop)] // matrices
mod tests {
    use super::*;
    use selvedge_oracle::Random;

    #[test]
    fn a_thread_is_a_chain() {
        let mut order = FixedOrder::default();
        for _ in 0..9 {
            order.push();
        }
        for (first, second) in [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (5, 2), (1, 6), (6, 7)] {
            assert_eq!(order.insert(first, second), Insertion::New);
        }
        assert_eq!(order.insert(3, 2), Insertion::Known);
        assert_eq!(order.insert(2, 3), Insertion::Cycle);
        assert_eq!(order.insert(8, 8), Insertion::Cycle);
        assert_eq!((order.chains(), order.edges()), (3, 8));
        assert!(order.before(0, 7) && !order.before(3, 7) && !order.before(7, 2) && !order.before(8, 0));
    }

    #[test]
    fn clocks_agree_with_reachability() {
        for case in 0..300 {
            let mut random = Random::for_case(11, case);
            let count = 2 + random.below(12);
            let mut order = FixedOrder::default();
            let mut reach = vec![vec![false; count]; count];
            (0..count).for_each(|_| order.push());
            for _ in 0..random.below(3 * count) {
                let (a, b) = (random.below(count), random.below(count));
                let expected = match () {
                    () if a == b || reach[b][a] => Insertion::Cycle,
                    () if reach[a][b] => Insertion::Known,
                    () => Insertion::New,
                };
                assert_eq!(order.insert(a as u32, b as u32), expected);
                if expected == Insertion::New {
                    for x in 0..count {
                        for y in 0..count {
                            let joined = (x == a || reach[x][a]) && (y == b || reach[b][y]);
                            reach[x][y] |= joined;
                        }
                    }
                }
                for x in 0..count {
                    for y in 0..count {
                        assert_eq!(order.before(x as u32, y as u32), reach[x][y], "case {case}: {x} {y}");
                    }
                }
            }
        }
    }
}
