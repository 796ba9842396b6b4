//! Sleep sets: labels that need not be tried, because everything that begins with them has been explored.

use super::Label;
use super::paths::Path;
use crate::core::dependence::{self, Access};
use selvedge_trace::Agent;

/// A label that need not be tried.
#[derive(Debug, Clone)]
pub struct Sleeper {
    /// The label.
    pub label: Label,
    /// What it touches: from where to where in the list.
    accesses: (u32, u32),
    /// The choices that it makes, where paths are followed.
    pub path: Option<Path>,
}

/// How much of the sleep sets is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct SleepMark {
    sleepers: u32,
    accesses: u32,
}

/// The sleep sets of the nodes on the way to the present state, one after the other.
#[derive(Debug, Clone, Default)]
pub struct SleepSets {
    sleepers: Vec<Sleeper>,
    /// What they touch.
    accesses: Vec<Access>,
}

impl SleepSets {
    /// How much there is.
    #[inline]
    pub fn mark(&self) -> SleepMark {
        SleepMark { sleepers: self.sleepers.len() as u32, accesses: self.accesses.len() as u32 }
    }

    /// Forgets what came after a mark.
    #[inline]
    pub fn truncate(&mut self, mark: SleepMark) {
        self.sleepers.truncate(mark.sleepers as usize);
        self.accesses.truncate(mark.accesses as usize);
    }

    /// A copy of what was there at a mark.
    pub fn up_to(&self, mark: SleepMark) -> Self {
        Self {
            sleepers: self.sleepers[..mark.sleepers as usize].to_vec(),
            accesses: self.accesses[..mark.accesses as usize].to_vec(),
        }
    }

    /// Puts a label to sleep at the last node.
    pub fn put(&mut self, label: Label, accesses: &[Access], path: Option<Path>) {
        let from = self.accesses.len() as u32;
        self.accesses.extend_from_slice(accesses);
        self.sleepers.push(Sleeper { label, accesses: (from, self.accesses.len() as u32), path });
    }

    /// The sleepers from one mark to another, or to the end.
    #[inline]
    pub fn between(&self, from: SleepMark, to: Option<SleepMark>) -> &[Sleeper] {
        let to = to.map_or(self.sleepers.len(), |to| to.sleepers as usize);
        &self.sleepers[from.sleepers as usize..to]
    }

    /// What a sleeper touches.
    #[inline]
    pub fn accesses_of(&self, sleeper: &Sleeper) -> &[Access] {
        &self.accesses[sleeper.accesses.0 as usize..sleeper.accesses.1 as usize]
    }

    /// Adds those from a mark on that a unit does not wake; `arrived` tells which stores have reached memory before it.
    pub fn inherit(
        &mut self,
        from: SleepMark,
        (agent, touched): (Agent, &[Access]),
        arrived: impl Fn(Agent) -> bool,
    ) {
        for at in from.sleepers as usize..self.sleepers.len() {
            let sleeper = &self.sleepers[at];
            let theirs = self.accesses_of(sleeper);
            if sleeper.label.thread != agent
                && !dependence::hindered_after(touched, theirs, &arrived, &arrived)
            {
                let sleeper = sleeper.clone();
                self.sleepers.push(sleeper);
            }
        }
    }
}
