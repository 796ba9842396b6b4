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

use crate::code::Reg;
use selvedge_program::{BlockId, Function, ValueId};

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
    // Registers in use, with the end of the range that occupies them.
    let mut active: Vec<(u32, Reg)> = Vec::new();
    let mut free: std::collections::BTreeSet<Reg> = std::collections::BTreeSet::new();
    for value in order {
        let Some(range) = ranges[value.index()] else { continue };
        active.retain(|(end, reg)| {
            let expired = *end <= range.start;
            if expired {
                free.insert(*reg);
            }
            !expired
        });
        let wide = function.type_of(value).is_wide();
        let usable = |reg: Reg, free: &std::collections::BTreeSet<Reg>| {
            free.contains(&reg) && (!wide || free.contains(&(reg + 1)))
        };
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
            active.push((range.end, reg));
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

/// Definition to last use. A definition dominates its uses and blocks are in reverse postorder, so all
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
    let live_out = live_out(function, blocks);
    let mut position = 2;
    for (block, out) in blocks.iter().zip(&live_out) {
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
        for value in out.iter() {
            cover(value, position, position);
        }
    }
    ranges
}

/// A set of values.
#[derive(Clone, PartialEq)]
struct ValueSet(Vec<u64>);

impl ValueSet {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, value: ValueId) {
        self.0[value.index() / 64] |= 1 << (value.index() % 64);
    }

    fn remove(&mut self, value: ValueId) {
        self.0[value.index() / 64] &= !(1 << (value.index() % 64));
    }

    /// Adds all of another set; whether anything was new.
    fn union(&mut self, other: &ValueSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            let joined = *mine | theirs;
            changed |= joined != *mine;
            *mine = joined;
        }
        changed
    }

    fn iter(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| ValueId::new(word * 64 + bit))
        })
    }
}

/// Values that are live at the end of each block.
fn live_out(function: &Function, blocks: &[BlockUses]) -> Vec<ValueSet> {
    let empty = ValueSet::new(function.values.len());
    let mut live_out = vec![empty.clone(); blocks.len()];
    let mut live_in = vec![empty; blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..blocks.len()).rev() {
            for (successor, _) in &blocks[index].successors {
                live_out[index].union(&live_in[successor.index()]);
            }
            let mut live = live_out[index].clone();
            for value in &blocks[index].terminator {
                live.insert(*value);
            }
            for inst in blocks[index].insts.iter().rev() {
                inst.writes.iter().for_each(|value| live.remove(*value));
                inst.reads.iter().for_each(|value| live.insert(*value));
            }
            blocks[index].params.iter().for_each(|value| live.remove(*value));
            changed |= live_in[index].union(&live);
        }
    }
    live_out
}
