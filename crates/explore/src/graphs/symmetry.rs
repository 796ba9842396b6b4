//! Threads that do the same: one graph for each way to exchange them.
//!
//! Threads form a *group* if exchanging them makes an execution of the program of each of its executions. Of the graphs that
//! differ only in that, one is explored: that in which the threads are sorted.
//!
//! # Which threads are a group
//!
//! What `main` does is observed in one execution, before the exploration begins. As far as it does not depend on others (it reads
//! nothing that they may have written, and nothing is chosen), it is the same in every execution. In that part, threads are a
//! group if `main` creates them with the same function and the same argument, with nothing but creations in between, and
//! joins all of them with nothing but joins in between; or if `main` ends without joining any. That threads cannot tell which one
//! they are, and give the same result to who joins them, is a property of the program's text
//! ([`selvedge_program::identity`]); without it there are no groups. Handles in `main` are then constants: exchanging
//! threads changes what a thread does, not which handle it has.
//!
//! # Which graphs are explored
//!
//! Two neighbours in a group are compared event by event, as long as they read from the same writes and write nothing; rounds of
//! waiting loops that were in vain do not count. So far they have done the same, and their next events are the same operation. The
//! two of these that differ first decide the order, and all the *n*-th events up to them are **partners**. A graph is allowed if,
//! for each two neighbours `a` and `b`,
//!
//! 1. `b` has an event only if `a` has its partner, if it can have one;
//! 2. of two writes, that of `a` comes first in modification order; of two alternatives, `b` has not the later one;
//! 3. of two reads, `b` does not read from an older write than `a`. Under rc11 and ra this is demanded only if the write that `a`
//!    reads from depends on the one that `b` reads from.
//!
//! # Why this is enough
//!
//! *Every execution is there, up to exchange.* Take any graph, and its events in an order that contains program order and
//! reads-from, and puts each read and each write as early as possible: reads when their source is there, and events of several
//! threads that become possible at the same time in the order of their sources, or as in modification order if they write. Go through
//! this order; each event that has partners belongs to a thread that has done the same as some others so far: exchange names (for
//! all that follows) so that the first of these in the group has the event first. In the resulting graph, partners come in the
//! order of the group (1), writes in modification order (2), and what `b` reads is not added before what `a` reads, so the
//! latter does not depend on it (3). Under sc and tso reads are in an order with modification order anyway (`a` reads an older
//! write than `b`: so it comes before the write that `b` reads); so the full condition holds, and exactly one graph of those that
//! differ by exchange is left. Under rc11 and ra modification order may contradict the dependences, of several groups even in a
//! circle, so the older write is no criterion; several graphs may be left.
//!
//! *The exploration finds all that are allowed.* TruSt needs three things of a model. Graphs stay allowed if what nothing depends
//! on is removed: with the edges from `a`'s events to their partners in `b` counted as dependences ([`Groups::causes`]; an update is
//! one event here, its read does not stay without its write). Each graph can be extended by an event that reads the last write or is
//! the last write: 2 and 3 never forbid that, as the partner is there first; so it is not the turn of `b` where it has to wait for `a`
//! ([`Groups::waits`]). And the scheduler always has a next event: where `a` cannot go on, `b` cannot either, as it is before the same
//! operation. One thing is different if `a` has blocked: its round is in vain and does not count, so `b` performs its own round;
//! but only in vain ([`Search::keep_vain`]), as all else was tried with `a`. `./x fuzz explore --symmetry` compares with the definition.
//!
//! Errors are found in the same way: a graph in which something goes wrong is a graph.
//!
//! # Awaits
//!
//! All this is about graphs that have the rounds of waiting loops as they are. If awaits are left out (see `graphs`), one read in vain
//! stands for others, and a write may revisit it. Whether the order of threads and these revisits go together is not proven; so an
//! exploration up to exchange does not look ahead.

use super::Search;
use super::turns::run_once;
use crate::Symmetry;
use selvedge_memory::System;
use selvedge_memory::axiomatic::{Axiomatic, Axioms, CAUSES, Graph, Id, Kind, NONE, Next, WAITER, flag};
use selvedge_trace::{Operation, ThreadId};
use std::borrow::Cow;

/// Two neighbours in a group, by their numbers in the graph.
#[derive(Debug, Clone, Copy)]
struct Neighbours {
    earlier: u32,
    later: u32,
}

/// Groups of threads that do the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    neighbours: Vec<Neighbours>,
    /// How many threads are in groups.
    pub(super) threads: u64,
}

/// How far the later of two neighbours has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The two have done different things.
    Apart,
    /// It has done all that the earlier one has done, or more.
    Abreast,
    /// The partner of its next event is this one.
    Behind(Id),
}

impl Groups {
    /// The groups of a program, which a system is at the beginning of. The system is left as it is.
    pub(super) fn find<A: Axioms>(system: &mut Axiomatic<'_, A>) -> Self {
        let mark = system.mark();
        run_once(system);
        system.catch_up();
        let groups = groups(system);
        system.rewind(&mark);
        let threads = groups.iter().map(|group| group.len() as u64).sum();
        let pairs = groups.iter().flat_map(|group| group.windows(2));
        let neighbours = pairs.map(|pair| Neighbours { earlier: pair[0], later: pair[1] }).collect();
        Self { neighbours, threads }
    }

    fn is_none(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// The thread before another in its group, if there is one.
    fn before(&self, thread: u32) -> Option<u32> {
        self.neighbours.iter().find(|pair| pair.later == thread).map(|pair| pair.earlier)
    }

    fn standing(&self, graph: &Graph, thread: u32) -> Standing {
        let Some(earlier) = self.before(thread) else { return Standing::Apart };
        let (mine, theirs) = (counted(graph, thread), counted(graph, earlier));
        for (at, partner) in theirs.iter().enumerate() {
            match mine.get(at) {
                None => return Standing::Behind(*partner),
                Some(own) if !are_alike(graph, *own, *partner) => return Standing::Apart,
                Some(_) => {}
            }
        }
        Standing::Abreast
    }

    /// If it is not a thread's turn before another one in its group has done what it is about to do: that one.
    pub(super) fn waits(&self, graph: &Graph, thread: u32) -> Option<u32> {
        match self.is_none() || self.standing(graph, thread) != Standing::Abreast {
            true => None,
            false => self.before(thread),
        }
    }

    /// What the next operation of a thread depends on.
    pub(super) fn causes<'g>(&self, graph: &'g Graph, thread: u32) -> Option<Cow<'g, [u32]>> {
        let own = graph.clock_of(thread, CAUSES)?;
        if self.is_none() {
            return Some(Cow::Borrowed(own));
        }
        let mut causes = own.to_vec();
        if let Standing::Behind(partner) = self.standing(graph, thread) {
            join(&mut causes, graph.clock(whole(graph, partner), CAUSES));
        }
        // What is added may have partners in its turn.
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for pair in &self.neighbours {
                let partner = last_partner(graph, *pair, causes[pair.later as usize]);
                if let Some(partner) = partner.map(|partner| whole(graph, partner))
                    && !graph.is_in(partner, &causes)
                {
                    join(&mut causes, graph.clock(partner, CAUSES));
                    is_new = true;
                }
            }
        }
        Some(Cow::Owned(causes))
    }

    /// Whether a graph with one more event of a thread is allowed, as far as the group is concerned.
    fn allows<A: Axioms>(&self, graph: &Graph, thread: u32, next: Next, choice: u32) -> bool {
        let Standing::Behind(partner) = self.standing(graph, thread) else { return true };
        let node = graph.node(partner);
        match (node.kind, next) {
            (Kind::Read, Next::Read { cell }) if cell == node.cell => {
                let rank = choice as usize & ((1 << WAITER) - 1);
                let theirs = graph.rank(cell, node.source);
                // Who has read the same and writes after it comes first; an update cannot come in between.
                let is_taken = graph
                    .updated_by(cell, node.source)
                    .is_some_and(|write| graph.node(write).thread == node.thread && node.is(flag::UPDATE));
                match graph.of_rank(cell, rank) {
                    _ if rank == theirs => !is_taken,
                    _ if rank > theirs || node.source == NONE => true,
                    Some(source) if source != NONE && !A::COHERENCE_IS_CAUSAL => {
                        !graph.is_in(source, graph.clock(node.source, CAUSES))
                    }
                    _ => false,
                }
            }
            (Kind::Write, Next::Write { cell, .. }) if cell == node.cell => {
                choice as usize >= graph.rank(cell, partner)
            }
            (Kind::Choose(theirs), Next::Other(_)) => choice <= theirs,
            _ => true,
        }
    }
}

impl<A: Axioms> Search<'_, '_, '_, A> {
    /// Explores one of those graphs that differ only in which thread of a group is which, if that is wanted.
    pub(super) fn group(&mut self, symmetry: Symmetry) {
        if symmetry == Symmetry::Reduced {
            self.groups = Groups::find(&mut self.session.system);
        }
    }

    /// Where another thread of the group has to come first, but has blocked: only a round that is in vain is left to try.
    pub(super) fn keep_vain(&self, thread: ThreadId, cell: u32, choices: &mut Vec<u32>) {
        let graph = self.graph();
        if graph.known_number(thread).is_some_and(|number| self.has_to_wait(number)) {
            let last = graph.cell(cell).writes.len() as u32;
            choices.retain(|choice| *choice == last);
        }
    }

    /// Whether it is not the turn of a thread, by number, because another one in its group has to come first.
    pub(super) fn has_to_wait(&self, number: u32) -> bool {
        self.first_in_group(number).is_some()
    }

    /// The thread in the group that has to come first, and is not at its end.
    pub(super) fn first_in_group(&self, number: u32) -> Option<ThreadId> {
        let graph = self.graph();
        let earlier = self.groups.waits(graph, number)?;
        let earlier = graph.threads()[earlier as usize].id;
        self.session.system.pending(earlier).is_some().then_some(earlier)
    }

    /// Whether threads in groups stay sorted with the next event of a thread, whose choice this is.
    pub(super) fn keeps_order(&mut self, thread: ThreadId, choice: u32) -> bool {
        if self.groups.is_none() {
            return true;
        }
        let Ok(next) = self.session.system.next(thread) else { return true };
        let graph = self.graph();
        let Some(number) = graph.known_number(thread) else { return true };
        self.groups.allows::<A>(graph, number, next, choice)
    }
}

/// Adds what is in another clock.
fn join(clock: &mut [u32], other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}

/// The nodes of a thread, without the rounds that were in vain.
fn counted(graph: &Graph, thread: u32) -> Cow<'_, [Id]> {
    let nodes = &graph.threads()[thread as usize].nodes;
    if !graph.has_blocks() {
        return Cow::Borrowed(nodes);
    }
    let mut counted: Vec<Id> = Vec::with_capacity(nodes.len());
    for id in nodes {
        match graph.node(*id).kind {
            Kind::Block { from, .. } => {
                let stays = counted.iter().take_while(|id| graph.node(**id).index < from).count();
                counted.truncate(stays);
            }
            _ => counted.push(*id),
        }
    }
    Cow::Owned(counted)
}

/// Of the read of an update, the write; anything else is whole. The two halves come one right after the other, so whoever comes after
/// one of them comes after both.
fn whole(graph: &Graph, id: Id) -> Id {
    let node = graph.node(id);
    let next = graph.threads()[node.thread as usize].nodes.get(node.index as usize + 1);
    let is_write = |next: &&Id| graph.node(**next).kind == Kind::Write && graph.node(**next).is(flag::UPDATE);
    match node.kind == Kind::Read && node.is(flag::UPDATE) {
        true => next.filter(is_write).copied().unwrap_or(id),
        false => id,
    }
}

/// Whether two events that follow the same past leave their threads where they do the same again.
fn are_alike(graph: &Graph, one: Id, other: Id) -> bool {
    let (one, other) = (graph.node(one), graph.node(other));
    match (one.kind, other.kind) {
        (Kind::Read, Kind::Read) => {
            let halves = one.flags & flag::UPDATE == other.flags & flag::UPDATE;
            one.cell == other.cell && one.source == other.source && halves
        }
        (Kind::Choose(one), Kind::Choose(other)) => one == other,
        (Kind::Fence, Kind::Fence) | (Kind::Other, Kind::Other) => true,
        _ => false,
    }
}

/// Of two neighbours, the last event of the earlier that has a partner among the first nodes of the later.
fn last_partner(graph: &Graph, pair: Neighbours, nodes: u32) -> Option<Id> {
    let (mine, theirs) = (counted(graph, pair.later), counted(graph, pair.earlier));
    let mut last = None;
    for (own, partner) in mine.iter().zip(theirs.iter()) {
        if graph.node(*own).index >= nodes {
            break;
        }
        last = Some(*partner);
        if !are_alike(graph, *own, *partner) {
            break;
        }
    }
    last
}

/// The groups, by the numbers of threads, from what `main` has done in an execution.
fn groups<A: Axioms>(system: &Axiomatic<'_, A>) -> Vec<Vec<u32>> {
    let (graph, events) = (system.graph(), system.events());
    let Some(main) = graph.known_number(ThreadId::MAIN) else { return Vec::new() };
    let nodes = &graph.threads()[main as usize].nodes;
    let kinds: Vec<Kind> = nodes.iter().map(|id| graph.node(*id).kind).collect();
    let Some(first) = kinds.iter().position(|kind| matches!(kind, Kind::Spawn(_))) else { return Vec::new() };
    // From there on, what it reads may depend on others.
    let is_certain = |(at, kind): (usize, &Kind)| match kind {
        Kind::Spawn(_) | Kind::Join(_) | Kind::Write | Kind::Fence | Kind::Other => true,
        Kind::Read => at < first,
        _ => false,
    };
    let certain = kinds.iter().enumerate().take_while(|step| is_certain(*step)).count();
    let has_ended =
        system.pending(ThreadId::MAIN).is_none_or(|next| matches!(next, Operation::WaitForOthers { .. }));
    let is_known = certain == kinds.len() && has_ended;
    let created = |at: usize| match (kinds[at], events.get(graph.node(nodes[at]).trace as usize)) {
        (Kind::Spawn(child), Some(event)) => Some((child, event.operation)),
        _ => None,
    };
    let mut groups: Vec<(Operation, Vec<u32>)> = Vec::new();
    let mut done: Vec<Vec<u32>> = Vec::new();
    for at in 0..=certain {
        match (at < certain).then(|| created(at)).flatten() {
            Some((child, how)) => match groups.iter_mut().find(|(other, _)| *other == how) {
                Some((_, group)) => group.push(child),
                None => groups.push((how, vec![child])),
            },
            // Something else ends all groups.
            None => done.extend(groups.drain(..).map(|(_, group)| group)),
        }
    }
    let joins = |thread: u32| kinds.iter().position(|kind| *kind == Kind::Join(thread));
    done.retain(|group| {
        let joined: Vec<usize> = group.iter().filter_map(|thread| joins(*thread)).collect();
        let (low, high) = (joined.iter().min().copied(), joined.iter().max().copied());
        group.len() > 1
            && match (low, high) {
                (Some(low), Some(high)) => {
                    let only_joins = kinds[low..=high].iter().all(|kind| matches!(kind, Kind::Join(_)));
                    joined.len() == group.len() && high < certain && only_joins
                }
                _ => is_known,
            }
    });
    done
}
