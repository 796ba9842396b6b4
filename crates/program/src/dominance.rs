//! Which blocks control must pass on its way to another: dominance.
//!
//! Everything here relies on the order of blocks that [`crate::verify`] demands: each block but the entry has a predecessor
//! before it. Going from predecessor to predecessor one gets to the entry, always backwards, and all dominators of the block
//! are on that way: so every block can be reached, and its dominators have smaller numbers.

use crate::{BlockId, Function};

/// The immediate dominator of each block; the entry, which is the first, is its own. `predecessors` gives those of a block.
/// (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.)
pub fn immediate_dominators<P>(count: usize, predecessors: impl Fn(usize) -> P) -> Vec<usize>
where
    P: DoubleEndedIterator<Item = usize>,
{
    const UNKNOWN: usize = usize::MAX;
    let mut dominator = vec![UNKNOWN; count];
    if let Some(entry) = dominator.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..count {
            let mut found = UNKNOWN;
            // The last first: then a long way up is gone once, not once from each.
            for before in predecessors(block).rev().filter(|before| dominator[*before] != UNKNOWN) {
                found = if found == UNKNOWN { before } else { common(&dominator, found, before) };
            }
            changed |= found != dominator[block];
            dominator[block] = found;
        }
    }
    // A block that control does not reach counts as one behind the entry.
    dominator.iter_mut().filter(|dominator| **dominator == UNKNOWN).for_each(|dominator| *dominator = 0);
    dominator
}

/// The last block that dominates both.
fn common(dominator: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        match a > b {
            true => a = dominator[a],
            false => b = dominator[b],
        }
    }
    a
}

/// The dominator tree of a function.
#[derive(Debug, Clone)]
pub struct Dominators {
    immediate: Vec<usize>,
    /// In an order in which each block comes before those that it dominates, and these come together: the position of each
    /// block, and the end of those that it dominates.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    /// Finds the dominators of the blocks of a function.
    pub fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let predecessors = Predecessors::new(function);
        let immediate = immediate_dominators(count, |block| predecessors.of(block).iter().copied());
        // How many blocks each dominates, itself included; what is below comes later in the order.
        let mut below = vec![1; count];
        for block in (1..count).rev() {
            below[immediate[block]] += below[block];
        }
        // Each takes its place behind those that its dominator has placed before.
        let mut interval = vec![(0, 0); count];
        let mut next = vec![1; count];
        for block in 0..count {
            let start = match block {
                0 => 0,
                _ => {
                    let above = immediate[block];
                    let offset = next[above];
                    next[above] += below[block];
                    interval[above].0 + offset
                }
            };
            interval[block] = (start, start + below[block]);
        }
        Self { immediate, interval }
    }

    /// The last block that control must pass before; none for the entry.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        (block.0 != 0).then(|| BlockId::new(self.immediate[block.index()]))
    }

    /// Whether control can get to `block` only through `dominator`; each block dominates itself.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        let (start, end) = self.interval[dominator.index()];
        (start..end).contains(&self.interval[block.index()].0)
    }
}

/// The predecessors of all blocks, in one list. A block that jumps to another twice is there twice.
struct Predecessors {
    /// For each block, where its predecessors begin; then the end.
    starts: Vec<usize>,
    blocks: Vec<usize>,
}

impl Predecessors {
    fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let successors = |block: usize| function.blocks[block].terminator.successors().map(BlockId::index);
        // Counted one place further on; sums make that the ends; filling from the back makes it the starts.
        let mut starts = vec![0; count + 1];
        for next in (0..count).flat_map(successors) {
            starts[next] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut blocks = vec![0; sum];
        for block in (0..count).rev() {
            for next in successors(block) {
                starts[next] -= 1;
                blocks[starts[next]] = block;
            }
        }
        Self { starts, blocks }
    }

    fn of(&self, block: usize) -> &[usize] {
        &self.blocks[self.starts[block]..self.starts[block + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Jump, Operand, Signature, SpanId, Terminator, Type};

    /// A function with these jumps.
    fn function(successors: &[Vec<usize>]) -> Function {
        let mut function = Function::external("f".to_owned(), Signature::default());
        let jump = |block: &usize| Jump { block: BlockId::new(*block), args: Vec::new() };
        for targets in successors {
            let terminator = match targets.split_last() {
                None => Terminator::Unreachable,
                Some((last, others)) => {
                    let cases =
                        others.iter().enumerate().map(|(case, to)| (case as u128, jump(to))).collect();
                    let value = Operand::Const(Type::I32, 0);
                    Terminator::Switch { ty: Type::I32, value, cases, default: jump(last) }
                }
            };
            function.blocks.push(Block {
                params: Vec::new(),
                insts: Vec::new(),
                terminator,
                span: SpanId::NONE,
            });
        }
        function
    }

    /// All that can be reached from the entry without passing a block.
    fn reached_without(successors: &[Vec<usize>], without: usize) -> Vec<bool> {
        let mut reached = vec![false; successors.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if block != without && !std::mem::replace(&mut reached[block], true) {
                stack.extend(&successors[block]);
            }
        }
        reached
    }

    #[test]
    fn as_by_leaving_out_each_block() {
        let mut state = 0x5e1f_ed6e_u64;
        let mut random = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut dominated = 0;
        for _ in 0..5_000 {
            let count = 1 + random(10);
            // Each block but the entry has a predecessor before it; any other edges, but none to the entry.
            let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
            for block in 1..count {
                successors[random(block)].push(block);
                if random(2) == 0 {
                    successors[random(count)].push(1 + random(count - 1));
                }
            }
            let dominators = Dominators::new(&function(&successors));
            for a in 0..count {
                let reached = reached_without(&successors, a);
                for (b, reached) in reached.iter().enumerate() {
                    let expected = a == b || !reached;
                    let found = dominators.dominates(BlockId::new(a), BlockId::new(b));
                    assert_eq!(found, expected, "{a} {b} {successors:?}");
                    dominated += usize::from(expected && a != 0 && a != b);
                }
                if let Some(immediate) = dominators.immediate(BlockId::new(a)) {
                    assert!(immediate.index() < a && dominators.dominates(immediate, BlockId::new(a)));
                }
            }
        }
        assert!(dominated > 10_000, "{dominated}");
    }
}
