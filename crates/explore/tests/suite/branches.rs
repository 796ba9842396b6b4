//! Branches: sequences to be tried, and how they are shared and split.

use selvedge_explore::core::dependence::{Access, Mode};
use selvedge_explore::steps::dpor::branch::{Branch, Branches, Certainty, Planned};
use selvedge_explore::steps::dpor::walk::Label;

fn planned(thread: usize) -> Planned {
    let access = Access {
        granule: 8 * thread as u64,
        before: 0,
        owner: thread as u16,
        mask: 0xff,
        mode: Mode::Write,
        delta: 0,
        watched: false,
        known: true,
        own: false,
    };
    let accesses = vec![access; thread];
    Planned::new(Label::of(crate::executions::thread(thread).into()), &accesses)
}

fn sequence(threads: &[usize]) -> Branch {
    let (first, more) = threads.split_first().expect("not empty");
    Branch::with(planned(*first), more.iter().map(|thread| planned(*thread)).collect())
}

fn threads_of(branch: &Branch) -> Vec<usize> {
    branch.labels().map(|label| label.thread.thread().number()).collect()
}

/// All sequences that a tree contains, from its root to its leaves.
fn sequences(branches: &Branches, before: &[usize], into: &mut Vec<Vec<usize>>) {
    for entry in branches.iter() {
        let mut way = before.to_vec();
        way.extend(threads_of(entry));
        match entry.then.is_empty() {
            true => into.push(way),
            false => sequences(&entry.then, &way, into),
        }
    }
}

fn all_sequences(branches: &Branches) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    sequences(branches, &[], &mut all);
    all
}

#[test]
fn units_keep_what_they_touch() {
    // None, one, and several are kept in different ways.
    for count in 0..4 {
        let unit = planned(count);
        assert_eq!(unit.accesses().len(), count);
        assert!(unit.accesses().iter().all(|access| access.granule == 8 * count as u64));
    }
    let branch = sequence(&[2, 3, 1]);
    assert_eq!((branch.length(), branch.more().len()), (3, 2));
    assert_eq!(branch.accesses(1).len(), 3);
    assert_eq!(branch.label(2).thread.thread().number(), 1);
}

/// Splitting leaves the sequences of the tree as they are, wherever and however often.
#[test]
fn splitting_keeps_all_sequences() {
    for at in 1..4 {
        let mut branches = Branches::default();
        branches.push(sequence(&[1, 2, 3, 4]));
        branches.push(sequence(&[5]));
        let entry = &mut branches.changeable_from(0)[0];
        entry.split(at);
        assert_eq!(entry.length(), at);
        assert_eq!(entry.is_single, at == 1);
        assert_eq!(all_sequences(&branches), [vec![1, 2, 3, 4], vec![5]]);
        // Another way from there on.
        branches.changeable_from(0)[0].then_mut().push(sequence(&[6, 7]));
        let mut other = vec![1, 2, 3, 4][..at].to_vec();
        other.extend([6, 7]);
        assert_eq!(all_sequences(&branches), [vec![1, 2, 3, 4], other, vec![5]]);
        if at > 1 {
            let entry = &mut branches.changeable_from(0)[0];
            let leaves = entry.then.len();
            entry.split(1);
            assert_eq!(entry.then.len(), 1);
            assert_eq!(entry.then[0].then.len(), leaves, "what came after the sequence still does");
        }
    }
}

/// Who shares a branch does not see what is done to it later.
#[test]
fn shared_branches_are_copied_when_they_change() {
    let mut branches = Branches::default();
    branches.push(sequence(&[1, 2]));
    let shared = branches[0].share();
    branches.changeable_from(0)[0].split(1);
    assert_eq!(threads_of(&shared), [1, 2]);
    assert_eq!(threads_of(&branches[0]), [1]);
    let taken = branches.take(0, &shared).expect("there is one");
    assert_eq!(threads_of(&taken), [1]);
    assert!(branches.take(1, &shared).is_none());
}

#[test]
fn some_branches_can_be_copied() {
    let mut branches = Branches::default();
    (1..=4).for_each(|thread| branches.push(sequence(&[thread])));
    let numbers = |branches: &Branches| all_sequences(branches).concat();
    assert_eq!(numbers(&Branches::copy_of(&branches[1..3])), [2, 3]);
    assert_eq!(numbers(&branches), [1, 2, 3, 4]);
}

/// What is lent belongs to a loan; leaves that are added later do not.
#[test]
fn leaves_belong_to_the_loan_in_which_they_were() {
    let mut branch = sequence(&[1]);
    branch.is_new(0);
    let lending = &mut branch.lending;
    assert_eq!((lending.leaves, lending.free(0)), (1, 1));
    lending.loan = 1;
    assert_eq!(lending.free(0), 0, "it is lent");
    let within = lending.grows(Certainty::Certain, 0, 1);
    assert_eq!((within, lending.leaves, lending.free(0)), (1, 2, 1), "the new leaf is free");
    assert_eq!(lending.free(2), 0, "a later loan of what is above takes it, too");
    let mut uncertain = sequence(&[1]);
    uncertain.certainty = Certainty::Uncertain;
    uncertain.is_new(0);
    assert_eq!(uncertain.lending.free(0), 0, "what may turn out to be impossible is not lent");
}
