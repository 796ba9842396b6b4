//! Histories of threads, and which combinations of them have been explored.
//!
//! A thread is a function of its results: the values that it reads, the results of its operations, that a blocking operation
//! went through. So all that a thread can do is a tree, and a [`History`] is a node of it: the results so far.
//! An execution is a combination of histories, one for each thread. It *contains* another combination if
//! each of its histories continues the other's.

use super::name::name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The results that a thread has had so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct History(u32);

impl History {
    /// As a number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A name of a combination of histories that practically no other combination has.
pub type Name = u128;

/// A set of executions, by number. Numbers are added in ascending order.
#[derive(Debug)]
enum Numbers {
    /// They are few: one after the other.
    Few(Vec<u32>),
    /// They are many: bits, from a multiple of 64 on, and how many are set.
    Many { start: usize, words: Vec<u64>, count: usize },
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers::Few(Vec::new())
    }
}

/// So many words of bits take as much memory as that many numbers.
const NUMBERS_PER_WORD: usize = 2;

impl Numbers {
    fn len(&self) -> usize {
        match self {
            Numbers::Few(numbers) => numbers.len(),
            Numbers::Many { count, .. } => *count,
        }
    }

    /// Adds a number that is not less than all others.
    fn push(&mut self, number: u32) {
        match self {
            Numbers::Few(numbers) => {
                let Some(last) = numbers.last() else { return numbers.push(number) };
                if *last == number {
                    return;
                }
                numbers.push(number);
                let start = numbers[0] as usize / 64;
                let length = number as usize / 64 - start + 1;
                // Half of the memory, and nothing to be gained with a handful.
                if numbers.len().is_power_of_two()
                    && numbers.len() >= 64
                    && numbers.len() >= 2 * NUMBERS_PER_WORD * length
                {
                    let mut words = vec![0; length];
                    for number in numbers.iter() {
                        words[*number as usize / 64 - start] |= 1_u64 << (number % 64);
                    }
                    *self = Numbers::Many { start, count: numbers.len(), words };
                }
            }
            Numbers::Many { start, words, count } => {
                let at = number as usize / 64 - *start;
                if at >= words.len() {
                    if at + 1 > NUMBERS_PER_WORD * *count {
                        let mut numbers: Vec<u32> = bits(*start, words).collect();
                        numbers.push(number);
                        *self = Numbers::Few(numbers);
                        return;
                    }
                    words.resize(at + 1, 0);
                }
                let bit = 1_u64 << (number % 64);
                *count += usize::from(words[at] & bit == 0);
                words[at] |= bit;
            }
        }
    }
}

impl Numbers {
    fn contains(&self, number: u32) -> bool {
        match self {
            Numbers::Few(numbers) => numbers.binary_search(&number).is_ok(),
            Numbers::Many { start, words, .. } => {
                let word = (number as usize / 64).checked_sub(*start).and_then(|at| words.get(at));
                word.is_some_and(|word| word & 1 << (number % 64) != 0)
            }
        }
    }
}

/// Goes through a set of executions from the last one on: 64 at a time, as bits.
struct Backwards<'n> {
    numbers: &'n Numbers,
    /// How many numbers are not behind, if they are few.
    left: usize,
}

impl<'n> Backwards<'n> {
    fn new(numbers: &'n Numbers) -> Self {
        Backwards { numbers, left: numbers.len() }
    }

    /// The last word, of those up to a number, that has bits; and its number.
    fn seek(&mut self, word: usize) -> Option<(usize, u64)> {
        match self.numbers {
            Numbers::Few(numbers) => {
                let is_behind = |number: &u32| *number as usize / 64 > word;
                // By steps that double, and then in between.
                let mut step = 1;
                while self.left >= step && is_behind(&numbers[self.left - step]) {
                    self.left -= step;
                    step *= 2;
                }
                let start = self.left.saturating_sub(step);
                self.left = start + numbers[start..self.left].partition_point(|number| !is_behind(number));
                let word = *numbers[..self.left].last()? as usize / 64;
                let same =
                    numbers[..self.left].iter().rev().take_while(|number| **number as usize / 64 == word);
                Some((word, same.fold(0, |bits, number| bits | 1 << (number % 64))))
            }
            Numbers::Many { start, words, .. } => {
                let end = (word + 1).checked_sub(*start)?.min(words.len());
                let at = words[..end].iter().rposition(|bits| *bits != 0)?;
                Some((start + at, words[at]))
            }
        }
    }
}

/// The numbers of the bits that are set.
fn bits(start: usize, words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(move |(at, word)| {
        let first = ((start + at) * 64) as u32;
        (0..64).filter(move |bit| word & 1 << bit != 0).map(move |bit| first + bit)
    })
}

/// All histories, and the executions that have been explored.
#[derive(Debug, Default)]
pub struct Explored {
    /// By thread number: the empty history.
    roots: FxHashMap<usize, History>,
    children: FxHashMap<(History, u64), History>,
    /// The executions that each history is part of, or continued in.
    executions: Vec<Numbers>,
    /// How many executions there are.
    count: u32,
    /// Combinations that are known to be contained in an execution.
    covered: FxHashSet<Name>,
    /// Where executions have ended.
    ends: FxHashSet<Name>,
    /// Searches that have been begun.
    searches: FxHashSet<u128>,
}

impl Explored {
    /// The empty history of a thread.
    pub fn root(&mut self, thread: usize) -> History {
        match self.roots.get(&thread) {
            Some(root) => *root,
            None => {
                let root = self.new_history();
                self.roots.insert(thread, root);
                root
            }
        }
    }

    fn new_history(&mut self) -> History {
        let history = History(self.executions.len() as u32);
        self.executions.push(Numbers::default());
        history
    }

    /// A history continued, if any execution has had that.
    pub fn child(&self, history: History, result: u64) -> Option<History> {
        self.children.get(&(history, result)).copied()
    }

    /// A history continued.
    pub fn grow(&mut self, history: History, result: u64) -> History {
        match self.child(history, result) {
            Some(child) => child,
            None => {
                let child = self.new_history();
                self.children.insert((history, result), child);
                child
            }
        }
    }

    /// Adds an execution: all histories that it went through, and the combination that it ended with. False if there is
    /// one that ended the same way.
    pub fn add(&mut self, histories: impl Iterator<Item = History>, end: Name) -> bool {
        let number = self.count;
        self.count += 1;
        for history in histories {
            self.executions[history.0 as usize].push(number);
        }
        self.ends.insert(end)
    }

    /// An execution that contains a combination.
    fn covering(&self, combination: impl Iterator<Item = History>) -> Option<u32> {
        let mut sets: Vec<&Numbers> =
            combination.map(|history| &self.executions[history.0 as usize]).collect();
        sets.sort_unstable_by_key(|numbers| numbers.len());
        let mut sets: Vec<Backwards<'_>> = sets.into_iter().map(Backwards::new).collect();
        // The last executions are most like the one in question. If a set has none among 64, all go on to where it has.
        let mut last = self.count as usize / 64;
        'words: loop {
            let mut common = u64::MAX;
            for set in &mut sets {
                let (word, bits) = set.seek(last)?;
                if word < last {
                    last = word;
                    continue 'words;
                }
                common &= bits;
                if common == 0 {
                    match last.checked_sub(1) {
                        Some(before) => last = before,
                        None => return None,
                    }
                    continue 'words;
                }
            }
            return Some((last * 64) as u32 + (63 - common.leading_zeros()));
        }
    }

    /// Whether a goal has been explored, and the name of the combination if that was worth remembering. `miss`: what
    /// was not explored when it was asked last, and how many executions there were then.
    pub fn has_explored(&self, goal: &Goal, miss: &mut Miss) -> (bool, Option<Name>) {
        let Some((before, result)) = goal.next else {
            return (self.ends.contains(&name_of(&goal.others)), None);
        };
        let Some(child) = self.child(before, result) else { return (false, None) };
        let name = name_of(&goal.others).wrapping_add(history_name(child));
        if *miss == Some((name, self.count)) {
            return (false, None);
        }
        if self.covered.contains(&name) || self.ends.contains(&name) {
            return (true, None);
        }
        let covers = self.covering(goal.others.iter().copied().chain([child])).is_some();
        if !covers {
            *miss = Some((name, self.count));
        }
        (covers, Some(name))
    }

    /// Finds an execution that contains a goal, and how far it agrees with scripts. False if there is none.
    pub fn agreement<'h>(
        &self,
        goal: &Goal,
        scripts: impl Iterator<Item = &'h [History]>,
        agreed: &mut Vec<u32>,
    ) -> bool {
        let Some((before, result)) = goal.next else { return false };
        let Some(child) = self.child(before, result) else { return false };
        let Some(number) = self.covering(goal.others.iter().copied().chain([child])) else { return false };
        let is_part = |history: &History| self.executions[history.0 as usize].contains(number);
        agreed.clear();
        let all = scripts.map(|histories| histories.partition_point(is_part));
        agreed.extend(all.map(|agreed| agreed.saturating_sub(1) as u32));
        true
    }

    /// Notes that a goal was asked for. False if it was before.
    pub fn ask_for(&mut self, goal: &Goal) -> bool {
        let result = goal.next.map(|(before, result)| self.grow(before, result));
        self.covered.insert(name_of(&goal.others).wrapping_add(result.map_or(0, history_name)))
    }

    /// Whether a search has been begun.
    pub fn has_begun(&self, search: u128) -> bool {
        self.searches.contains(&search)
    }

    /// Notes that a search has been begun. False if it was before.
    pub fn begin(&mut self, search: u128) -> bool {
        self.searches.insert(search)
    }

    /// Notes that a combination is contained in an execution.
    pub fn note(&mut self, name: Name) {
        self.covered.insert(name);
    }
}

/// What has been explored, for several workers.
#[derive(Debug, Default)]
pub struct SharedExplored(RwLock<Explored>);

impl SharedExplored {
    fn read(&self) -> RwLockReadGuard<'_, Explored> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// To change them.
    pub fn write(&self) -> RwLockWriteGuard<'_, Explored> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that searches have been begun; leaves those that were not before.
    pub fn begin(&self, searches: &mut Vec<(usize, u128)>) {
        {
            let views = self.read();
            searches.retain(|(_, search)| !views.has_begun(*search));
        }
        if !searches.is_empty() {
            let mut views = self.write();
            searches.retain(|(_, search)| views.begin(*search));
        }
    }

    /// Whether a goal has been explored.
    pub fn has_explored(&self, goal: &Goal, miss: &mut Miss) -> bool {
        let (explored, name) = self.read().has_explored(goal, miss);
        if let (true, Some(name)) = (explored, name) {
            self.write().note(name);
        }
        explored
    }

    /// If an execution contains a goal: how far it agrees with each script.
    pub fn agreement<'h>(
        &self,
        goal: &Goal,
        scripts: impl Iterator<Item = &'h [History]>,
        agreed: &mut Vec<u32>,
    ) -> bool {
        self.read().agreement(goal, scripts, agreed)
    }
}

/// A combination that was not contained in any execution when it was asked last, and how many there were then.
pub type Miss = Option<(Name, u32)>;

/// What an execution is wanted for: a combination of histories.
#[derive(Debug, Clone, Default)]
pub struct Goal {
    /// The histories of threads; empty ones are left out.
    pub others: Vec<History>,
    /// The history of one more thread, and its next result. `None`: no thread is enabled.
    pub next: Option<(History, u64)>,
}

/// The name of a history.
pub fn history_name(history: History) -> Name {
    name(0x5eed, u64::from(history.number()))
}

/// The name of a combination.
pub fn name_of(combination: &[History]) -> Name {
    combination.iter().fold(0, |sum: Name, history| sum.wrapping_add(history_name(*history)))
}

#[cfg(test)]
mod tests;
