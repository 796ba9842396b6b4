//! Which operations stand in loops: only there can a thread come back to where it was.

use crate::code::Code;
use selvedge_program::{BlockId, Function, Program, Sites};

/// For each operation, whether its block can be reached again from itself.
pub fn in_loops(program: &Program, sites: &Sites, code: &Code) -> Vec<bool> {
    let mut result = vec![false; code.ops.len()];
    for (function, compiled) in program.functions.iter().zip(&code.functions) {
        let Some(entry) = compiled.entry else { continue };
        let blocks = looping_blocks(function);
        let range = entry as usize..compiled.end as usize;
        for (result, site) in result[range.clone()].iter_mut().zip(&code.origins[range]) {
            let (_, block, _) = sites.place(*site);
            *result = blocks.get(block.index()).copied().unwrap_or(true);
        }
    }
    result
}

/// The blocks that lie on a cycle: those in a strongly connected component of more than one block, or that jump
/// to themselves (Tarjan's algorithm, without recursion).
fn looping_blocks(function: &Function) -> Vec<bool> {
    const NEW: u32 = u32::MAX;
    let successors: Vec<Vec<usize>> = function
        .blocks
        .iter()
        .map(|block| block.terminator.successors().map(BlockId::index).collect())
        .collect();
    let count = successors.len();
    let mut looping = vec![false; count];
    let mut number = vec![NEW; count];
    let mut lowest = vec![0; count];
    let mut open = vec![false; count];
    let mut component = Vec::new();
    let mut next = 0;
    for root in 0..count {
        if number[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((block, edge)) = path.pop() {
            if edge == 0 {
                (number[block], lowest[block], open[block]) = (next, next, true);
                next += 1;
                component.push(block);
            }
            match successors[block].get(edge) {
                Some(target) => {
                    path.push((block, edge + 1));
                    if *target == block {
                        looping[block] = true;
                    }
                    if number[*target] == NEW {
                        path.push((*target, 0));
                    } else if open[*target] {
                        lowest[block] = lowest[block].min(number[*target]);
                    }
                }
                None => {
                    if lowest[block] == number[block] {
                        let first = component.iter().rposition(|other| *other == block).unwrap_or(0);
                        let members = component.split_off(first);
                        for member in &members {
                            open[*member] = false;
                            looping[*member] |= members.len() > 1;
                        }
                    }
                    if let Some((parent, _)) = path.last() {
                        lowest[*parent] = lowest[*parent].min(lowest[block]);
                    }
                }
            }
        }
    }
    looping
}
