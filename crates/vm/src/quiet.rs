//! Ways through the code without an operation that is visible for sure.
//!
//! A thread that is before a visible operation may be before a waiting loop whose rounds consist of that alone: `while (!load(x));`.
//! Running it ahead tells whether it is (`memory/src/awaits.rs`); this here tells, from the code, where that cannot be, so that nobody
//! is run ahead in vain. Accesses that are atomic, and fences, are visible for sure; all else may be private, or is asked of whoever runs.
//!
//! The operation may stand in a function that the loop calls: then the way leads out of that, round the loop of a caller, and in again.

use crate::code::{AccessKind, Code, Generic, Op, Pc};
use crate::uses::Uses;
use rustc_hash::FxHashMap;
use selvedge_program::{LoadOrder, StoreOrder};
use std::sync::OnceLock;

/// Where ways lead from an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ways {
    /// Back to itself.
    pub round: bool,
    /// To the end of the call.
    pub out: bool,
    /// There is one to it from the beginning of the function.
    pub from_entry: bool,
}

/// The ways in all functions, as far as they were asked for.
#[derive(Default)]
pub(crate) struct QuietWays {
    functions: Vec<OnceLock<FxHashMap<Pc, Ways>>>,
}

impl QuietWays {
    /// Nothing is known yet of so many functions.
    pub(crate) fn new(functions: usize) -> Self {
        Self { functions: std::iter::repeat_with(OnceLock::new).take(functions).collect() }
    }

    /// Where ways lead from an atomic access, or from a call, of a function.
    pub(crate) fn from(&self, code: &Code, function: u32, pc: Pc) -> Option<Ways> {
        self.functions[function as usize].get_or_init(|| find(code, function)).get(&pc).copied()
    }
}

/// Finds the ways in a function.
fn find(code: &Code, function: u32) -> FxHashMap<Pc, Ways> {
    let function = &code.functions[function as usize];
    let Some(entry) = function.entry else { return FxHashMap::default() };
    let body = Body { code, entry, length: (function.end - entry) as usize };
    let mut reached = vec![false; body.length];
    body.reach(&[entry], &mut reached);
    let mut result = FxHashMap::default();
    let mut behind = vec![false; body.length];
    for at in 0..body.length {
        let op = &code.ops[entry as usize + at];
        if !body.is_visible(op) && !matches!(op, Op::Call { .. } | Op::CallSite { .. }) {
            continue;
        }
        behind.fill(false);
        let out = body.reach(&body.successors(at), &mut behind);
        result.insert(entry + at as Pc, Ways { round: behind[at], out, from_entry: reached[at] });
    }
    result
}

/// The operations of a function.
struct Body<'c> {
    code: &'c Code,
    entry: Pc,
    length: usize,
}

impl Body<'_> {
    fn successors(&self, at: usize) -> Vec<Pc> {
        let mut uses = Uses::default();
        self.code.uses(&self.code.ops[self.entry as usize + at], &mut uses);
        if uses.falls_through {
            uses.targets.push(self.entry + at as Pc + 1);
        }
        uses.targets
    }

    /// Marks what can be reached from some operations without passing one that is visible; gives whether an end of the call is.
    fn reach(&self, from: &[Pc], reached: &mut [bool]) -> bool {
        let mut left = from.to_vec();
        let mut ends = false;
        while let Some(pc) = left.pop() {
            let at = (pc - self.entry) as usize;
            if at >= self.length || std::mem::replace(&mut reached[at], true) {
                continue;
            }
            let op = &self.code.ops[pc as usize];
            if self.is_visible(op) {
                continue;
            }
            ends |= matches!(op, Op::Return0 | Op::Return1 { .. } | Op::Return { .. });
            left.extend(self.successors(at));
        }
        ends
    }

    /// Whether an operation is an atomic access or a fence.
    fn is_visible(&self, op: &Op) -> bool {
        match *op {
            Op::Load8 { info, .. }
            | Op::Load16 { info, .. }
            | Op::Load32 { info, .. }
            | Op::Load64 { info, .. }
            | Op::LoadIndexed8 { info, .. }
            | Op::LoadIndexed16 { info, .. }
            | Op::LoadIndexed32 { info, .. }
            | Op::LoadIndexed64 { info, .. }
            | Op::Store8 { info, .. }
            | Op::Store16 { info, .. }
            | Op::Store32 { info, .. }
            | Op::Store64 { info, .. }
            | Op::StoreIndexed8 { info, .. }
            | Op::StoreIndexed16 { info, .. }
            | Op::StoreIndexed32 { info, .. }
            | Op::StoreIndexed64 { info, .. } => match self.code.accesses.get(info as usize) {
                Some(AccessKind::Load(order)) => *order != LoadOrder::Plain,
                Some(AccessKind::Store(order)) => *order != StoreOrder::Plain,
                None => false,
            },
            Op::Generic { index } => match self.code.generic.get(index as usize) {
                Some(Generic::Load { order, .. }) => *order != LoadOrder::Plain,
                Some(Generic::Store { order, .. }) => *order != StoreOrder::Plain,
                Some(Generic::Rmw { .. } | Generic::CompareExchange { .. } | Generic::Fence { .. }) => true,
                _ => false,
            },
            _ => false,
        }
    }
}
