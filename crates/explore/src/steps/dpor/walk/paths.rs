//! Atomic sections that make choices.
//!
//! Reductions rest on a thread having one next unit. A choice by itself does no harm: it touches nothing, so all its
//! alternatives are alike to the others. An atomic section is one unit together with the choices in it, and what
//! it touches depends on what is chosen:
//!
//! ```c
//! void __VERIFIER_atomic_check(void) { if (__VERIFIER_nondet_bool()) assert(p != 1); }
//! ```
//!
//! That its first alternative, which touches nothing, is asleep says nothing about the second, which reads `p`.
//!
//! The *path* of a unit is the list of its choices: what was taken, of how many. Fix in advance what each thread will
//! choose each time; then each thread has one next unit again, and an exploration of all paths is right if it
//! contains, for every such decision, a right exploration of what is left of the program. So:
//!
//! * A thread is *asleep* only if all its paths are; the paths form a tree, and a path that is asleep says how many
//!   alternatives each of its choices has. If some of its paths are asleep, another thread goes on if there is one
//!   with no path asleep. Otherwise all threads that are partly asleep have to be tried: for each decision, another
//!   one of them may be the one that can go on.
//! * A thread covers a sequence that it can begin if it has been or will be tried at the node itself, because then all
//!   its paths are. A path that fell asleep further up covers only a sequence that begins with this very path;
//!   all paths together, if all are asleep, cover any.
//!
//! Paths are followed with source sets ([`super::super::source`]), whatever the algorithm: what a thread without
//! a part in a sequence says about it, as wake-up trees want to know, depends on its path, too. Sleep sets see to it
//! that still no two executions are equivalent, but explorations may be cut because everybody is asleep. Whether a
//! program needs this is known when a section makes a choice; then the exploration begins again.

use super::sleep::{SleepMark, Sleeper};
use super::{Label, Later, Next, Walk};
use crate::core::session::SessionMark;
use crate::steps::dpor::branch::{Branch, Certainty};
use crate::steps::dpor::source::Source;
use crate::{Progress, Session};
use selvedge_memory::{StoreBuffers, System};
use selvedge_trace::Agent;
use std::sync::Arc;

/// The choices of a unit: what was taken, and of how many.
pub type Path = Arc<[(u32, u32)]>;

/// Begins an exploration again in which an atomic section has made a choice, following paths.
pub fn begin_again<S: System>(session: &mut Session<'_, S>, start: &SessionMark<S::Mark>) {
    if session.has_enough() || session.unsupported.is_some() {
        return;
    }
    if let Some(distinct) = session.distinct() {
        // Whoever wants to know whether views are distinct has another way to explore.
        return distinct.give_up();
    }
    session.begin_again(start);
    let mut walk = Walk::new(session);
    walk.present.paths = Some(Vec::new());
    walk.run::<Source>();
}

/// Whether paths, which have a beginning in common that was left out, are all that there are with this beginning.
fn is_complete(paths: &[&[(u32, u32)]]) -> bool {
    match paths.first() {
        None => false,
        Some([]) => true,
        Some([(_, options), ..]) => first_incomplete(paths, *options).is_none(),
    }
}

/// The first of so many alternatives with which not all paths are among these.
fn first_incomplete(paths: &[&[(u32, u32)]], options: u32) -> Option<u32> {
    let mut by_choice: Vec<Vec<&[(u32, u32)]>> = vec![Vec::new(); options as usize];
    for path in paths {
        if let [(taken, _), rest @ ..] = path
            && let Some(group) = by_choice.get_mut(*taken as usize)
        {
            group.push(rest);
        }
    }
    (0..).zip(&by_choice).find(|(_, group)| !is_complete(group)).map(|(choice, _)| choice)
}

/// What of the paths of an agent that are asleep comes after a beginning.
fn asleep_after<'a>(
    sleepers: &'a [Sleeper],
    agent: Agent,
    beginning: &[(u32, u32)],
) -> Vec<&'a [(u32, u32)]> {
    let own = sleepers.iter().filter(|sleeper| sleeper.label.thread == agent);
    own.filter_map(|sleeper| sleeper.path.as_deref()?.strip_prefix(beginning)).collect()
}

/// The choices among the steps of a unit.
fn path_of(choices: &[(u32, u32)]) -> Vec<(u32, u32)> {
    choices.iter().copied().filter(|(_, options)| *options > 1).collect()
}

impl<S: System> Walk<'_, '_, S> {
    /// Chooses what to do next; the sleep set of the present state begins at a mark.
    pub(super) fn next_by_paths(&self, asleep: SleepMark) -> Next {
        let system = &self.session.system;
        let asleep = self.sleep_sets.between(asleep, None);
        let mut candidates = Vec::new();
        for thread in std::iter::once(self.last).chain(system.machine().threads()) {
            system.buffers().ready_stores(thread, &mut |store| candidates.push(store));
            candidates.push(thread.into());
        }
        candidates.retain(|agent| system.is_enabled(*agent));
        let is_awake = |agent: &&Agent| !asleep.iter().any(|sleeper| sleeper.label.thread == **agent);
        if let Some(agent) = candidates.iter().find(is_awake) {
            return Next::Free(*agent, 0);
        }
        let mut partly: Vec<Agent> = Vec::new();
        for agent in &candidates {
            if !partly.contains(agent) && !is_complete(&asleep_after(asleep, *agent, &[])) {
                partly.push(*agent);
            }
        }
        match (candidates.is_empty(), partly.is_empty()) {
            (true, _) => Next::End,
            (false, true) => Next::Asleep,
            (false, false) => Next::Partly(partly),
        }
    }

    /// Performs a unit of the first of some that are partly asleep; the others are tried later.
    pub(super) fn perform_partly<A: super::Algorithm>(&mut self, agents: &[Agent]) -> Progress {
        let Some((first, others)) = agents.split_first() else { return Progress::Ended };
        if let Some(node) = self.nodes.last_mut() {
            others.iter().for_each(|agent| node.tree.push(Branch::of(Label::of(*agent), &[])));
        }
        self.perform::<A>(Label::of(*first))
    }

    /// What is asleep at the node at a position.
    fn sleepers_at(&self, position: usize) -> &[Sleeper] {
        let next = self.nodes.get(position + 1).map(|next| next.asleep);
        self.sleep_sets.between(self.nodes[position].asleep, next)
    }

    /// Of what is asleep at the node at a position: what was so when nothing had been tried there, and what was tried.
    fn inherited_and_tried(&self, position: usize) -> (&[Sleeper], &[Sleeper]) {
        let node = &self.nodes[position];
        let inherited = self.sleep_sets.between(node.asleep, Some(node.inherited)).len();
        self.sleepers_at(position).split_at(inherited)
    }

    /// The alternative to take for a choice, given the steps of the unit so far: the first that is not asleep with all that
    /// may follow.
    pub(super) fn first_awake(
        &self,
        position: usize,
        agent: Agent,
        steps: &[(u32, u32)],
        options: u32,
    ) -> u32 {
        let asleep = asleep_after(self.sleepers_at(position), agent, &path_of(steps));
        first_incomplete(&asleep, options).unwrap_or(0)
    }

    /// Whether the path that the last unit has taken is asleep where it was performed.
    pub(super) fn is_path_asleep(&self) -> bool {
        let Some((path, position)) =
            self.present.paths.as_ref().and_then(|paths| paths.last()).zip(self.last_unit())
        else {
            return false;
        };
        let agent = self.present.order.agent(position as u32);
        let same = |sleeper: &Sleeper| sleeper.label.thread == agent && sleeper.path.as_ref() == Some(path);
        self.sleepers_at(position).iter().any(same)
    }

    fn last_unit(&self) -> Option<usize> {
        self.present.order.length().checked_sub(1)
    }

    /// Whether an agent will be tried at the node at a position, or has been: with all its paths.
    fn is_tried(&self, position: usize, agent: Agent) -> bool {
        let planned = self
            .tree(position)
            .left()
            .iter()
            .any(|branch| branch.certainty == Certainty::Certain && branch.first.label.thread == agent);
        planned || self.inherited_and_tried(position).1.iter().any(|sleeper| sleeper.label.thread == agent)
    }

    /// Whether all paths of a unit at a position that begin with a label have been tried there or will be, or are asleep;
    /// the label takes `choice` after `steps`.
    pub(super) fn is_prefix_covered(
        &self,
        position: usize,
        label: &Label,
        steps: &[(u32, u32)],
        choice: (u32, u32),
    ) -> bool {
        let mut beginning = path_of(steps);
        beginning.push(choice);
        let (inherited, tried) = self.inherited_and_tried(position);
        let planned = |other: &Label| other == label || *other == Label::of(label.thread);
        is_complete(&asleep_after(inherited, label.thread, &beginning))
            || !asleep_after(tried, label.thread, &beginning).is_empty()
            || self
                .tree(position)
                .left()
                .iter()
                .any(|branch| branch.certainty == Certainty::Certain && planned(&branch.first.label))
    }

    /// Whether what is asleep or tried at a node covers a sequence of units, followed by the later one of a race.
    pub(super) fn is_covered_by_paths(&self, position: usize, sequence: &[u32], later: &Later) -> bool {
        let (inherited, _) = self.inherited_and_tried(position);
        let mut threads: Vec<Agent> = Vec::new();
        for (at, unit) in sequence.iter().enumerate() {
            let agent = self.present.order.agent(*unit);
            if threads.contains(&agent) {
                continue;
            }
            threads.push(agent);
            if sequence[..at].iter().any(|earlier| self.present.order.is_before(*earlier, *unit)) {
                continue;
            }
            let label = &self.present.labels[*unit as usize];
            if self.is_tried(position, agent) || inherited.iter().any(|sleeper| sleeper.label == *label) {
                return true;
            }
        }
        !threads.contains(&later.thread)
            && !self.comes_after_any(sequence, later)
            && (self.is_tried(position, later.thread)
                || is_complete(&asleep_after(self.sleepers_at(position), later.thread, &[])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_complete_if_no_alternative_is_missing() {
        let (short, zero, one) = ([(0, 2)], [(1, 2), (0, 2)], [(1, 2), (1, 2)]);
        assert!(!is_complete(&[]));
        assert!(is_complete(&[&[]]), "a unit without choices has one path");
        assert!(!is_complete(&[&short]));
        assert!(!is_complete(&[&short, &zero]));
        assert!(is_complete(&[&zero, &short, &one]));
        assert_eq!(first_incomplete(&[&short, &zero], 2), Some(1));
        assert_eq!(first_incomplete(&[&zero, &one], 2), Some(0));
        assert_eq!(first_incomplete(&[], 3), Some(0));
    }
}
