//! The order of a function's blocks.
//!
//! Each block but the entry must have a predecessor before it (see [`crate::dominance`]). Whoever adds, removes or redirects
//! jumps need not think of that: [`Function::arrange_blocks`] restores it.

use crate::{BlockId, Function};

impl Function {
    /// Puts the blocks into reverse postorder, without those that control cannot reach. Blocks get other ids; a function whose
    /// blocks are in that order stays as it is.
    pub fn arrange_blocks(&mut self) {
        let order = self.reverse_postorder();
        let in_order = order.iter().enumerate().all(|(position, block)| block.index() == position);
        if in_order && order.len() == self.blocks.len() {
            return;
        }
        let mut number = vec![None; self.blocks.len()];
        for (position, block) in order.iter().enumerate() {
            number[block.index()] = Some(BlockId::new(position));
        }
        let mut blocks: Vec<_> = std::mem::take(&mut self.blocks).into_iter().map(Some).collect();
        self.blocks = order.iter().filter_map(|block| blocks[block.index()].take()).collect();
        for jump in self.blocks.iter_mut().flat_map(|block| block.terminator.jumps_mut()) {
            // What a block that stays jumps to, stays, if it is there at all.
            if let Some(Some(block)) = number.get(jump.block.index()) {
                jump.block = *block;
            }
        }
        self.forget_definitions();
    }

    /// The blocks that control can reach, each after one that it can come from; the first of two targets follows directly if
    /// it can.
    fn reverse_postorder(&self) -> Vec<BlockId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.blocks.len()];
        // Blocks on the way here, each with the successors that are still to be visited, the last first.
        let mut path = Vec::new();
        let mut visit = |block: BlockId, path: &mut Vec<(BlockId, Vec<BlockId>)>| {
            if let Some(seen @ false) = seen.get_mut(block.index()) {
                *seen = true;
                path.push((block, self.block(block).terminator.successors().collect()));
            }
        };
        visit(BlockId(0), &mut path);
        while let Some((block, successors)) = path.last_mut() {
            match successors.pop() {
                Some(next) => visit(next, &mut path),
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Jump, Operand, Signature, SpanId, Terminator, Type};

    fn function(terminators: Vec<Terminator>) -> Function {
        let mut function = Function::external("f".to_owned(), Signature::default());
        let block =
            |terminator| Block { params: Vec::new(), insts: Vec::new(), terminator, span: SpanId::NONE };
        function.blocks = terminators.into_iter().map(block).collect();
        function
    }

    fn to(block: u32) -> Jump {
        Jump { block: BlockId(block), args: Vec::new() }
    }

    fn branch(if_true: u32, if_false: u32) -> Terminator {
        let condition = Operand::Const(Type::BOOL, 1);
        Terminator::Branch { condition, if_true: to(if_true), if_false: to(if_false) }
    }

    #[test]
    fn what_cannot_be_reached_goes_and_the_rest_is_in_order() {
        // 0 -> 3 -> 1 -> 3, 1 -> 4; 2 -> 4.
        let mut function = function(vec![
            Terminator::Jump(to(3)),
            branch(3, 4),
            Terminator::Jump(to(4)),
            Terminator::Jump(to(1)),
            Terminator::Return(Vec::new()),
        ]);
        function.arrange_blocks();
        let successors: Vec<Vec<u32>> = function
            .blocks
            .iter()
            .map(|block| block.terminator.successors().map(|to| to.0).collect())
            .collect();
        assert_eq!(successors, [vec![1], vec![2], vec![1, 3], vec![]]);
        let before = function.to_string();
        function.arrange_blocks();
        assert_eq!(function.to_string(), before);
    }

    #[test]
    fn the_first_target_follows() {
        let mut function = function(vec![branch(2, 1), Terminator::Unreachable, Terminator::Jump(to(1))]);
        function.arrange_blocks();
        let successors: Vec<u32> = function.blocks[0].terminator.successors().map(|to| to.0).collect();
        assert_eq!(successors, [1, 2]);
    }
}
