//! Which registers are live: only they tell two states of a thread apart.
//!
//! A register is live before an operation if control can get from there to an operation that reads it without passing one that
//! writes it. What is left in the others by earlier code, a thread will never see again. So a thread that has come
//! round a waiting loop is where it was as soon as its live registers are the same: what the first round left behind, which was
//! not there before it, does not count.
//!
//! The sets are found when they are first asked for, for one function after the other: few threads wait.

use crate::code::{Code, Op, Pc, Reg};
use crate::uses::Uses;
use std::sync::OnceLock;

/// Of a function with more words of sets than this, all registers count as live.
const MOST_WORDS: usize = 1 << 22;

/// The live registers of all functions, as far as they were asked for.
#[derive(Default)]
pub(crate) struct LiveRegisters {
    functions: Vec<OnceLock<Rows>>,
}

/// The live registers of a function.
struct Rows {
    /// Where its operations begin.
    entry: Pc,
    /// The number of words that make a set; 0: all registers are live.
    stride: usize,
    /// Before each operation.
    before: Vec<u64>,
    /// For each operation, if it is a call: where in `across` it has its set.
    calls: Vec<u32>,
    /// Behind calls, but for their results: what is live while they are under way.
    across: Vec<u64>,
}

/// A set of registers of a function.
pub(crate) enum LiveSet<'a> {
    /// All of them.
    All,
    /// A bit for each.
    Some(&'a [u64]),
}

impl LiveRegisters {
    /// Nothing is known yet of so many functions.
    pub(crate) fn new(functions: usize) -> Self {
        Self { functions: std::iter::repeat_with(OnceLock::new).take(functions).collect() }
    }

    /// The registers that are live before an operation of a function.
    #[inline]
    pub(crate) fn before(&self, code: &Code, function: u32, pc: Pc) -> LiveSet<'_> {
        let rows = self.rows(code, function);
        rows.row(&rows.before, pc.wrapping_sub(rows.entry) as usize * rows.stride)
    }

    /// The registers of a function that are live while one of its calls is under way.
    #[inline]
    pub(crate) fn across(&self, code: &Code, function: u32, call: Pc) -> LiveSet<'_> {
        let rows = self.rows(code, function);
        match rows.calls.get(call.wrapping_sub(rows.entry) as usize) {
            Some(from) => rows.row(&rows.across, *from as usize),
            None => LiveSet::All,
        }
    }

    #[inline]
    fn rows(&self, code: &Code, function: u32) -> &Rows {
        self.functions[function as usize].get_or_init(|| find(code, function))
    }
}

impl Rows {
    /// Without sets: all registers are live.
    fn all() -> Self {
        Self { entry: 0, stride: 0, before: Vec::new(), calls: Vec::new(), across: Vec::new() }
    }

    #[inline]
    fn row<'a>(&self, words: &'a [u64], from: usize) -> LiveSet<'a> {
        match words.get(from..).and_then(|words| words.get(..self.stride)) {
            Some(words) if self.stride > 0 => LiveSet::Some(words),
            _ => LiveSet::All,
        }
    }
}

/// Finds the live registers of a function, by going backwards until nothing changes.
fn find(code: &Code, function: u32) -> Rows {
    let function = &code.functions[function as usize];
    let Some(entry) = function.entry else { return Rows::all() };
    let length = (function.end - entry) as usize;
    let stride = usize::from(function.registers).div_ceil(64);
    if length * stride > MOST_WORDS {
        return Rows::all();
    }
    let mut rows = Rows { entry, stride, before: vec![0; length * stride], ..Rows::all() };
    let calls = code.ops[entry as usize..][..length].iter().map(is_call);
    let mut across = 0;
    rows.calls.extend(calls.map(|is_call| {
        let next = across + if is_call { stride } else { 0 };
        let from = std::mem::replace(&mut across, next);
        if is_call { from as u32 } else { u32::MAX }
    }));
    rows.across.resize(across, 0);
    let mut uses = Uses::default();
    let mut live = vec![0; stride];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..length).rev() {
            let op = &code.ops[entry as usize + at];
            uses.clear();
            code.uses(op, &mut uses);
            live.fill(0);
            let next = uses.falls_through.then_some(at + 1);
            let targets = uses.targets.iter().map(|target| (target - entry) as usize);
            for successor in targets.chain(next).filter(|successor| *successor < length) {
                let row = &rows.before[successor * stride..][..stride];
                live.iter_mut().zip(row).for_each(|(live, word)| *live |= word);
            }
            uses.writes.iter().for_each(|reg| set(&mut live, *reg, false));
            if is_call(op) {
                rows.across[rows.calls[at] as usize..][..stride].copy_from_slice(&live);
            }
            uses.reads.iter().for_each(|reg| set(&mut live, *reg, true));
            let row = &mut rows.before[at * stride..][..stride];
            if row != live.as_slice() {
                row.copy_from_slice(&live);
                changed = true;
            }
        }
    }
    rows
}

fn is_call(op: &Op) -> bool {
    matches!(op, Op::Call { .. } | Op::CallSite { .. })
}

fn set(words: &mut [u64], register: Reg, is_live: bool) {
    let (word, bit) = (usize::from(register / 64), 1 << (register % 64));
    match is_live {
        true => words[word] |= bit,
        false => words[word] &= !bit,
    }
}
