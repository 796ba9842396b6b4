//! What threads have been told, and which combinations of that have been explored.
//!
//! A thread is a function of what it is told: the values that it reads, the results of its operations, that an operation
//! that may block went through. So all that a thread can do is a tree, and a [`History`] is a node of it: what the thread
//! was told so far. An execution is a combination of histories, one for each thread. It *contains* another combination if
//! each of its histories continues the other's.

use super::script::name;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a thread was told so far.
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

/// All histories, and the executions that have been explored.
#[derive(Debug, Default)]
pub struct Views {
    /// By thread number: what a thread was told before it was told anything.
    roots: FxHashMap<usize, History>,
    children: FxHashMap<(History, u64), History>,
    /// The executions that each history is part of, or continued in; in ascending order.
    executions: Vec<Vec<u32>>,
    /// How many executions there are.
    count: u32,
    /// Combinations that are known to be contained in an execution.
    covered: FxHashSet<Name>,
    /// Where executions have ended.
    ends: FxHashSet<Name>,
    /// Searches that have been begun.
    searches: FxHashSet<u128>,
}

impl Views {
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
        self.executions.push(Vec::new());
        history
    }

    /// A history continued, if any execution has had that.
    pub fn child(&self, history: History, told: u64) -> Option<History> {
        self.children.get(&(history, told)).copied()
    }

    /// A history continued.
    pub fn grow(&mut self, history: History, told: u64) -> History {
        match self.child(history, told) {
            Some(child) => child,
            None => {
                let child = self.new_history();
                self.children.insert((history, told), child);
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
            let list = &mut self.executions[history.0 as usize];
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
        self.ends.insert(end)
    }

    /// Whether a combination is contained in an execution; `None` if that takes a closer look.
    fn is_quickly_covered(&self, name: Name) -> Option<bool> {
        (self.covered.contains(&name) || self.ends.contains(&name)).then_some(true)
    }

    /// Whether a combination is contained in an execution.
    fn covers(&self, combination: &[History]) -> bool {
        let list = |history: &History| self.executions[history.0 as usize].as_slice();
        let Some(rarest) = combination.iter().map(list).min_by_key(|list| list.len()) else { return true };
        let has = |number: &u32| {
            combination
                .iter()
                .map(list)
                .all(|list| std::ptr::eq(list, rarest) || list.binary_search(number).is_ok())
        };
        // What was found last is most like what is looked for.
        rarest.iter().rev().any(has)
    }

    /// Whether a goal has been explored, and the name of the combination if that was worth remembering.
    pub fn has_explored(&self, goal: &Goal) -> (bool, Option<Name>) {
        let Some((before, told)) = goal.told else {
            return (self.ends.contains(&name_of(&goal.others)), None);
        };
        let Some(child) = self.child(before, told) else { return (false, None) };
        let name = name_of(&goal.others).wrapping_add(history_name(child));
        if let Some(covered) = self.is_quickly_covered(name) {
            return (covered, None);
        }
        let mut combination = goal.others.clone();
        combination.push(child);
        (self.covers(&combination), Some(name))
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

/// What an execution is wanted for.
#[derive(Debug, Clone, Default)]
pub struct Goal {
    /// What threads have been told; who was told nothing is left out.
    pub others: Vec<History>,
    /// What one more has been told, and is told next. `None`: nobody can go on.
    pub told: Option<(History, u64)>,
}

/// The name of a history.
pub fn history_name(history: History) -> Name {
    name(0x5eed, u64::from(history.number()))
}

/// The name of a combination.
pub fn name_of(combination: &[History]) -> Name {
    combination.iter().fold(0, |sum: Name, history| sum.wrapping_add(history_name(*history)))
}
