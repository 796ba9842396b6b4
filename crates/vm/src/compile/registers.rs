//! Register allocation: linear scan over live ranges.
//!
//! Frames have as many registers as needed, so nothing is ever spilled; the point is small frames (they
//! are saved when an execution is rewound) and few moves: a block parameter prefers the register of an
//! argument that is passed to it and the other way round, which makes most moves of loop variables vanish.
//!
//! Positions are even numbers in the order of the code; each block and each instruction has one. A value
//! lives from its definition to its last use as one range without holes. Operands are read before results
//! are written, so a result may take the register of an operand that dies in the same instruction. A block
//! parameter is defined at the position of its block; the moves that set it stand on the edges, where only
//! values that are live into the block matter, and those have other registers by construction.

use super::liveness::{Use, last_live_out};
use crate::code::Reg;
use selvedge_program::{BlockId, Function, ValueId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// What the allocator has to know of an instruction.
pub struct Uses {
    /// Values read.
    pub reads: Vec<ValueId>,
    /// Values defined.
    pub writes: Vec<ValueId>,
}

/// A block as the allocator sees it.
pub struct BlockUses {
    /// Its parameters.
    pub params: Vec<ValueId>,
    /// Its instructions.
    pub insts: Vec<Uses>,
    /// Values its terminator reads, arguments of jumps included.
    pub terminator: Vec<ValueId>,
    /// Where it may go, and (argument, parameter) pairs passed.
    pub successors: Vec<(BlockId, Vec<(ValueId, ValueId)>)>,
}

/// The register of each value; `Reg::MAX` for values that need none.
pub struct Allocation {
    registers: Vec<Reg>,
    /// Registers used.
    pub count: usize,
}

impl Allocation {
    /// The register of a value (the first of two, for a wide one).
    pub fn register(&self, value: ValueId) -> Reg {
        self.registers[value.index()]
    }
}

/// More registers would be needed than can be named.
#[derive(Debug)]
pub struct TooMany;

#[derive(Clone, Copy)]
struct Range {
    start: u32,
    end: u32,
}

/// Allocates registers for a function.
pub fn allocate(function: &Function, blocks: &[BlockUses]) -> Result<Allocation, TooMany> {
    let ranges = live_ranges(function, blocks);
    let hints = hints(function, blocks);
    let mut order: Vec<ValueId> =
        (0..function.values.len()).map(ValueId::new).filter(|v| ranges[v.index()].is_some()).collect();
    // Parameters first and in order: they take registers 0, 1, ….
    let start_of = |v: &ValueId| ranges[v.index()].map_or(0, |range| range.start);
    order.sort_by_key(|v| (start_of(v), v.0));

    let mut registers = vec![Reg::MAX; function.values.len()];
    let mut count = 0;
    // Registers in use, with the end of the range that occupies them; the first to end comes first.
    let mut active: BinaryHeap<Reverse<(u32, Reg)>> = BinaryHeap::new();
    let mut free: BTreeSet<Reg> = BTreeSet::new();
    for value in order {
        let Some(range) = ranges[value.index()] else { continue };
        while let Some(Reverse((_, reg))) = active.peek().copied().filter(|first| first.0.0 <= range.start) {
            free.insert(reg);
            active.pop();
        }
        let wide = function.type_of(value).is_wide();
        let usable =
            |reg: Reg, free: &BTreeSet<Reg>| free.contains(&reg) && (!wide || free.contains(&(reg + 1)));
        let hinted = hints[value.index()]
            .iter()
            .map(|other| registers[other.index()])
            .find(|reg| *reg != Reg::MAX && usable(*reg, &free));
        let reg = match hinted.or_else(|| free.iter().copied().find(|reg| usable(*reg, &free))) {
            Some(reg) => reg,
            None => {
                let reg = count;
                count += if wide { 2 } else { 1 };
                if count >= usize::from(Reg::MAX) - 1024 {
                    return Err(TooMany);
                }
                reg as Reg
            }
        };
        registers[value.index()] = reg;
        for reg in reg..=reg + Reg::from(wide) {
            free.remove(&reg);
            active.push(Reverse((range.end, reg)));
        }
    }
    Ok(Allocation { registers, count })
}

/// For each value, the values whose register it would like to have.
fn hints(function: &Function, blocks: &[BlockUses]) -> Vec<Vec<ValueId>> {
    let mut hints = vec![Vec::new(); function.values.len()];
    for (_, passed) in blocks.iter().flat_map(|block| &block.successors) {
        for (argument, parameter) in passed {
            hints[argument.index()].push(*parameter);
            hints[parameter.index()].push(*argument);
        }
    }
    hints
}

/// Definition to last use. A definition dominates its uses, and dominators come before what they dominate, so all
/// places where a value is live come after its definition.
fn live_ranges(function: &Function, blocks: &[BlockUses]) -> Vec<Option<Range>> {
    let mut ranges: Vec<Option<Range>> = vec![None; function.values.len()];
    let mut cover = |value: ValueId, from: u32, to: u32| {
        let range = ranges[value.index()].get_or_insert(Range { start: from, end: to });
        range.start = range.start.min(from);
        range.end = range.end.max(to);
    };
    for param in &function.params {
        cover(*param, 0, 1);
    }
    let mut ends = Vec::new();
    let mut position = 2;
    for block in blocks {
        // A definition that is never used still needs a place of its own while it is written.
        for param in &block.params {
            cover(*param, position, position + 1);
        }
        for inst in &block.insts {
            position += 2;
            for value in &inst.reads {
                cover(*value, position, position);
            }
            for value in &inst.writes {
                cover(*value, position, position + 1);
            }
        }
        position += 2;
        for value in &block.terminator {
            cover(*value, position, position);
        }
        position += 2;
        ends.push(position);
    }
    let (values, uses) = uses_elsewhere(function, blocks);
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.successors.iter().map(|(successor, _)| successor.index()).collect())
        .collect();
    for (value, last) in values.into_iter().zip(last_live_out(&successors, &uses)) {
        if let Some(block) = last {
            cover(value, ends[block], ends[block]);
        }
    }
    ranges
}

/// Uses in other blocks than that of the definition, and the values that are used.
fn uses_elsewhere(function: &Function, blocks: &[BlockUses]) -> (Vec<ValueId>, Vec<Use>) {
    // Parameters of the function are defined where it is entered.
    let mut definitions = vec![0; function.values.len()];
    for (index, block) in blocks.iter().enumerate() {
        let written = block.insts.iter().flat_map(|inst| &inst.writes);
        for value in block.params.iter().chain(written) {
            definitions[value.index()] = index;
        }
    }
    let (mut values, mut uses) = (Vec::new(), Vec::new());
    for (user, block) in blocks.iter().enumerate() {
        let read = block.insts.iter().flat_map(|inst| &inst.reads);
        for value in read.chain(&block.terminator) {
            let definition = definitions[value.index()];
            if definition != user {
                values.push(*value);
                uses.push(Use { definition, user });
            }
        }
    }
    (values, uses)
}
