//! Sites: one number for each instruction of a program.
//!
//! A [`Site`] names an instruction, or the terminator of a block, with one small integer. What is known of a program
//! statically (a slice, a fence to insert) and what happens when it is executed (an event) speak of the same sites.
//!
//! Sites are numbered from 0 without gaps: functions in the order of their ids, in each the blocks in order, in each the
//! instructions in order and then the terminator. So the same program always has the same numbers, and the sites of a
//! block are adjacent. Every terminator has a site, because several can be steps that others see: a return ends the
//! scope of local objects, an unreachable one is a violation.

use crate::{BlockId, FuncId, Inst, Program, SpanId, index_type};

index_type!(
    /// An instruction or terminator of a program.
    Site
);

impl Site {
    /// No instruction, or none that is known.
    pub const NONE: Site = Site(u32::MAX);
}

/// The numbering of the sites of one program. It holds for the program as it was when this was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sites {
    /// For each function, the number of its first block among the blocks of all functions.
    functions: Vec<u32>,
    /// For each block of all functions, its first site; then the number of all sites.
    blocks: Vec<u32>,
    /// For each site, its place in the source.
    spans: Vec<SpanId>,
}

impl Sites {
    /// Numbers the sites of a program.
    pub fn new(program: &Program) -> Self {
        let (mut functions, mut blocks, mut spans) = (Vec::new(), Vec::new(), Vec::new());
        for function in &program.functions {
            functions.push(blocks.len() as u32);
            for block in &function.blocks {
                blocks.push(spans.len() as u32);
                spans.extend(block.insts.iter().map(|inst| inst.span));
                spans.push(block.span);
            }
        }
        blocks.push(spans.len() as u32);
        Self { functions, blocks, spans }
    }

    /// How many sites there are; they are numbered from 0.
    pub fn count(&self) -> usize {
        self.spans.len()
    }

    /// The site of an instruction: its function, its block, its position in the block. The position behind the last
    /// instruction is the terminator's.
    pub fn site_of(&self, function: FuncId, block: BlockId, index: usize) -> Site {
        let block = self.functions[function.index()] as usize + block.index();
        let site = Site(self.blocks[block] + index as u32);
        debug_assert!(site.0 < self.blocks[block + 1], "position {index} is behind the end of the block");
        site
    }

    /// The function, the block and the position in it, as [`Sites::site_of`] takes them.
    pub fn place(&self, site: Site) -> (FuncId, BlockId, usize) {
        let block = self.blocks.partition_point(|first| *first <= site.0) - 1;
        // Functions without blocks begin where the next one does: the last that begins there has the block.
        let function = self.functions.partition_point(|first| *first as usize <= block) - 1;
        let position = site.0 - self.blocks[block];
        let block = block - self.functions[function] as usize;
        (FuncId::new(function), BlockId::new(block), position as usize)
    }

    /// Where it stands in the source.
    pub fn span(&self, site: Site) -> SpanId {
        self.spans.get(site.index()).copied().unwrap_or(SpanId::NONE)
    }

    /// The instruction; none if it is a terminator. `program` is the one that was numbered.
    pub fn inst<'p>(&self, program: &'p Program, site: Site) -> Option<&'p Inst> {
        let (function, block, index) = self.place(site);
        program.function(function).block(block).insts.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FunctionBuilder, InstKind, Jump, ProgramBuilder, Terminator};

    /// Two functions with blocks, external ones before, between and behind them.
    fn program() -> Program {
        let mut program = ProgramBuilder::new("sites.c");
        program.external("before", &[], &[]);
        let spans: Vec<SpanId> = (1..=3).map(|line| program.span("first", line)).collect();
        let mut first = FunctionBuilder::new("first", &[], &[]);
        let (next, _) = first.block(&[]);
        for span in &spans[..2] {
            first.at(*span);
            first.push(InstKind::StackSave, &[crate::Type::Ptr]);
        }
        first.at(spans[2]);
        first.end(Terminator::Jump(Jump { block: next, args: Vec::new() }));
        first.go_to(next);
        first.at(SpanId::NONE);
        first.end(Terminator::Return(Vec::new()));
        program.add(first.finish());
        program.external("between", &[], &[]);
        program.external("another", &[], &[]);
        let mut second = FunctionBuilder::new("second", &[], &[]);
        second.end(Terminator::Return(Vec::new()));
        let second = program.add(second.finish());
        program.external("behind", &[], &[]);
        program.finish(second)
    }

    #[test]
    fn numbers_follow_the_order_of_the_program() {
        let program = program();
        let sites = Sites::new(&program);
        let mut next = 0;
        for (number, function) in program.functions.iter().enumerate() {
            for (block, body) in function.blocks.iter().enumerate() {
                for index in 0..=body.insts.len() {
                    let place = (FuncId::new(number), BlockId::new(block), index);
                    let site = sites.site_of(place.0, place.1, place.2);
                    assert_eq!(site, Site(next));
                    assert_eq!(sites.place(site), place);
                    let span = body.insts.get(index).map_or(body.span, |inst| inst.span);
                    assert_eq!(sites.span(site), span);
                    let inst = sites.inst(&program, site).map(|inst| &inst.kind);
                    assert_eq!(inst, body.insts.get(index).map(|inst| &inst.kind));
                    next += 1;
                }
            }
        }
        assert_eq!((sites.count(), next), (5, 5));
        assert_eq!(sites, Sites::new(&program.clone()));
    }

    #[test]
    fn spans_follow_from_sites() {
        let program = program();
        let sites = Sites::new(&program);
        let lines = (0..4).map(|site| program.source.span(sites.span(Site(site))).line);
        assert_eq!(lines.collect::<Vec<_>>(), [1, 2, 3, 0]);
    }

    #[test]
    fn a_program_without_code_has_none() {
        let mut program = ProgramBuilder::new("empty.c");
        let only = program.external("only", &[], &[]);
        assert_eq!(Sites::new(&program.finish(only)).count(), 0);
    }
}
