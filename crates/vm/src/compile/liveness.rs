//! How far values live behind their last use.
//!
//! Block 0 is the entry, and each other block has a predecessor before it (see `selvedge_program::dominance`). A value is live at
//! the end of a block if control can get from there to a use without passing the definition. Most such blocks come before
//! the use. Those that come later lead back to it, in loops; the last of them is what is wanted here, for each use.
//!
//! Let `back(u)` be the last block from which control gets to `u` without passing the immediate dominator of `u`. A
//! definition in block `d` dominates its use in block `u`. What leads to `u` without passing `d` leads to `u` without
//! passing its immediate dominator, or else to that dominator: so the last such block is the last of `back(u)`,
//! `back(idom(u))`, …, up to the block whose immediate dominator is `d`. And `back(u)` itself: an edge from `p` to `u`,
//! where `p` is not the immediate dominator of `u` and so lies below it, adds `p` and all that leads to `p`, which are the
//! blocks `back(p)`, `back(idom(p))`, …, up to a block beside `u`.
//!
//! The dominator tree is worked off from the leaves to the root. Paths up to the level that has been reached are shortened
//! as they are walked, as in Tarjan's algorithms on trees: the time is close to linear in the number of edges and uses,
//! where sets of live values for each block would take their product.

use selvedge_program::dominance::immediate_dominators;

/// A use in another block than the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The block of the definition, which dominates the other.
    pub definition: usize,
    /// The block of the use.
    pub user: usize,
}

/// For each use, the last block from which control gets there without passing the definition, unless it comes before the
/// use.
pub fn last_live_out(successors: &[Vec<usize>], uses: &[Use]) -> Vec<Option<usize>> {
    let mut tree = Tree::new(successors);
    let mut by_level: Vec<Vec<usize>> = vec![Vec::new(); tree.levels.len()];
    for (number, one) in uses.iter().enumerate() {
        by_level[tree.depth[one.definition]].push(number);
    }
    let mut result = vec![None; uses.len()];
    for level in (1..tree.levels.len()).rev() {
        tree.climb(level);
        for number in &by_level[level - 1] {
            let user = uses[*number].user;
            result[*number] = tree.last_below(user).1.filter(|last| *last >= user);
        }
    }
    result
}

/// The dominator tree, partly worked off.
struct Tree {
    predecessors: Vec<Vec<usize>>,
    dominator: Vec<usize>,
    depth: Vec<usize>,
    /// The blocks of each depth, in order.
    levels: Vec<Vec<usize>>,
    /// `back(u)`, where it is known.
    back: Vec<Option<usize>>,
    /// For blocks of levels that are done: an ancestor, at the beginning the parent; and the last of `back` on the way
    /// to there, the block itself included and the ancestor not.
    above: Vec<Option<(usize, Option<usize>)>>,
}

impl Tree {
    fn new(successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let mut predecessors = vec![Vec::new(); count];
        for (block, successors) in successors.iter().enumerate() {
            for next in successors {
                predecessors[*next].push(block);
            }
        }
        let dominator = immediate_dominators(count, |block| predecessors[block].iter().copied());
        let mut depth = vec![0; count];
        let mut levels = vec![vec![0]];
        for block in 1..count {
            depth[block] = depth[dominator[block]] + 1;
            if levels.len() == depth[block] {
                levels.push(Vec::new());
            }
            levels[depth[block]].push(block);
        }
        Self { predecessors, dominator, depth, levels, back: vec![None; count], above: vec![None; count] }
    }

    /// Finds `back` for the blocks of a level; all deeper ones are done.
    fn climb(&mut self, level: usize) {
        let blocks = std::mem::take(&mut self.levels[level]);
        // Blocks beside others that lead to them.
        let mut beside = Vec::new();
        for block in &blocks {
            for index in 0..self.predecessors[*block].len() {
                let before = self.predecessors[*block][index];
                if before == self.dominator[*block] {
                    continue;
                }
                let (sibling, last) = self.last_below(before);
                self.back[*block] = self.back[*block].max(last).max(Some(before));
                if sibling != *block {
                    beside.push((sibling, *block));
                }
            }
        }
        // In order; what leads back to an earlier block beside it, which takes a loop with two entries, needs more rounds.
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &beside {
                if self.back[*from] > self.back[*to] {
                    self.back[*to] = self.back[*from];
                    changed = true;
                }
            }
        }
        for block in &blocks {
            self.above[*block] = Some((self.dominator[*block], self.back[*block]));
        }
    }

    /// The ancestor of a block, or the block itself, on the level that is not done; and the last of `back` below it.
    fn last_below(&mut self, block: usize) -> (usize, Option<usize>) {
        let mut path = Vec::new();
        let mut root = block;
        while let Some((next, _)) = self.above[root] {
            path.push(root);
            root = next;
        }
        let mut last = None;
        for block in path.into_iter().rev() {
            last = last.max(self.above[block].and_then(|(_, last)| last));
            self.above[block] = Some((root, last));
        }
        (root, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound as u64) as usize
        }
    }

    /// A random graph in which each block but the entry has a predecessor before it.
    fn graph(random: &mut Random) -> Vec<Vec<usize>> {
        let count = 1 + random.below(12);
        let mut successors = vec![Vec::new(); count];
        for block in 1..count {
            successors[random.below(block)].push(block);
        }
        for _ in 0..random.below(2 * count) {
            let (from, to) = (random.below(count), random.below(count));
            if to != 0 {
                successors[from].push(to);
            }
        }
        successors
    }

    /// All that can be reached from a block by at least one edge, without passing another.
    fn reached(successors: &[Vec<usize>], from: usize, without: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; successors.len()];
        let mut stack = vec![from];
        while let Some(block) = stack.pop() {
            for next in &successors[block] {
                if Some(*next) != without && !std::mem::replace(&mut reached[*next], true) {
                    stack.push(*next);
                }
            }
        }
        reached
    }

    #[test]
    fn as_by_walking_from_every_block() {
        let mut random = Random(0x5e1f_ed6e);
        let mut later = 0;
        for _ in 0..20_000 {
            let successors = graph(&mut random);
            let count = successors.len();
            let dominates = |d: usize, u: usize| d == 0 || (d != u && !reached(&successors, 0, Some(d))[u]);
            let mut uses = Vec::new();
            let mut expected = Vec::new();
            for definition in 0..count {
                for user in (1..count).filter(|user| *user != definition && dominates(definition, *user)) {
                    uses.push(Use { definition, user });
                    let leads = |block: &usize| reached(&successors, *block, Some(definition))[user];
                    let last = (user..count).rev().find(leads);
                    later += usize::from(last > Some(user));
                    expected.push(last);
                }
            }
            assert_eq!(last_live_out(&successors, &uses), expected, "{successors:?} {uses:?}");
        }
        assert!(later > 1000, "{later} uses with blocks behind them");
    }
}
