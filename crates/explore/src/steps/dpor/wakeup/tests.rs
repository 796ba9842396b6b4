//! Insertion into wake-up trees, against the definitions: weak initials by looking at all executions of a small program.

use super::*;
use crate::core::random_numbers::Random;
use crate::steps::dpor::tree::Tree;
use selvedge_trace::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

/// A unit: its thread, and its number there.
type Unit = (usize, usize);

/// The units of each thread: which location each accesses, and how. They can always be performed.
struct Small(Vec<Vec<(u64, Mode)>>);

fn agent(thread: usize) -> Agent {
    ThreadId::from_number(thread).expect("a small number").into()
}

impl Small {
    fn random(random: &mut Random) -> Self {
        let threads = 2 + random.below(2);
        let mut access =
            || (8 * random.below(2), if random.below(2) == 0 { Mode::Read } else { Mode::Write });
        Self((0..threads).map(|_| vec![access(), access()]).collect())
    }

    fn access(&self, (thread, number): Unit) -> Access {
        let (granule, mode) = self.0[thread][number];
        Access {
            granule,
            before: 0,
            owner: thread as u16,
            mask: 0xff,
            mode,
            delta: 0,
            watched: false,
            known: true,
            own: false,
        }
    }

    /// Whether the order of two units matters.
    fn depend(&self, one: Unit, other: Unit) -> bool {
        let ((here, how), (there, other_how)) = (self.0[one.0][one.1], self.0[other.0][other.1]);
        one.0 == other.0 || here == there && (how, other_how) != (Mode::Read, Mode::Read)
    }

    /// All executions from a beginning on.
    fn executions(&self, beginning: &[Unit], into: &mut Vec<Vec<Unit>>) {
        let count = |thread: usize| beginning.iter().filter(|unit| unit.0 == thread).count();
        let mut is_complete = true;
        for thread in (0..self.0.len()).filter(|thread| count(*thread) < self.0[*thread].len()) {
            is_complete = false;
            self.executions(&[beginning, &[(thread, count(thread))]].concat(), into);
        }
        if is_complete {
            into.push(beginning.to_vec());
        }
    }

    /// By class of equivalent executions, told by the order of dependent units: all beginnings of its executions.
    fn classes(&self) -> Vec<BTreeSet<Vec<Unit>>> {
        let mut executions = Vec::new();
        self.executions(&[], &mut executions);
        let mut classes: BTreeMap<BTreeSet<(Unit, Unit)>, BTreeSet<Vec<Unit>>> = BTreeMap::new();
        for execution in executions {
            let mut class = BTreeSet::new();
            for (at, later) in execution.iter().enumerate() {
                let earlier = execution[..at].iter().filter(|earlier| self.depend(**earlier, *later));
                class.extend(earlier.map(|earlier| (*earlier, *later)));
            }
            let beginnings = classes.entry(class).or_default();
            beginnings.extend((0..=execution.len()).map(|length| execution[..length].to_vec()));
        }
        classes.into_values().collect()
    }
}

/// Units of a small program, to be explored.
struct Wanted<'a> {
    program: &'a Small,
    units: &'a [Unit],
}

impl Sequence for Wanted<'_> {
    fn planned(&self, unit: u32) -> Planned {
        let unit = self.units[unit as usize];
        Planned::new(Label::of(agent(unit.0)), &[self.program.access(unit)])
    }

    fn is(&self, unit: u32, label: &Label) -> bool {
        Label::of(agent(self.units[unit as usize].0)) == *label
    }

    fn accesses(&self, unit: u32) -> &[Access] {
        // Lists of one access each, which live as long as the test.
        Box::leak(Box::new([self.program.access(self.units[unit as usize])]))
    }

    fn precedes(&self, unit: u32, later: u32) -> bool {
        self.program.depend(self.units[unit as usize], self.units[later as usize])
    }
}

/// Inserts a sequence into a tree; gives whether that has changed it.
fn insert(tree: &mut Tree, program: &Small, units: &[Unit]) -> bool {
    let order = PartialOrder::default();
    let before = Arrived::new(Before { order: &order, performed: &[], others: &[] });
    let wanted = Wanted { program, units };
    let left = (0..).zip(units).map(|(unit, (thread, _))| Left { agent: agent(*thread), unit }).collect();
    let (mut rest, mut place) = (Rest::new(left), Vec::new());
    let is_new = find_place(tree.left(), &wanted, &mut rest, &mut place, before);
    if is_new && let Some(branch) = branch_of(&wanted, &rest, Certainty::Certain) {
        tree.graft(&place, branch, 0);
    }
    is_new
}

/// All nodes of a tree, from left to right and each before what is below it: the way there, and whether it is a leaf. The units
/// within a branch are nodes, too.
fn nodes(branches: &[Entry], way: &[Unit], into: &mut Vec<(Vec<Unit>, bool)>) {
    for entry in branches {
        let mut way = way.to_vec();
        for (at, label) in entry.labels().enumerate() {
            let thread = label.thread.thread().number();
            way.push((thread, way.iter().filter(|unit| unit.0 == thread).count()));
            into.push((way.clone(), at + 1 == entry.length() && entry.then.is_empty()));
        }
        nodes(&entry.then, &way, into);
    }
}

fn nodes_of(tree: &Tree) -> Vec<(Vec<Unit>, bool)> {
    let mut all = Vec::new();
    nodes(tree.left(), &[], &mut all);
    all
}

fn leaves_of(tree: &Tree) -> Vec<Vec<Unit>> {
    nodes_of(tree).into_iter().filter(|(_, is_leaf)| *is_leaf).map(|(way, _)| way).collect()
}

/// Whether two sequences are beginnings of equivalent executions.
fn fit(classes: &[BTreeSet<Vec<Unit>>], one: &[Unit], other: &[Unit]) -> bool {
    classes.iter().any(|beginnings| beginnings.contains(one) && beginnings.contains(other))
}

/// What makes a tree a wake-up tree: of two nodes beside each other, the first unit of the left one is no weak initial of what
/// leads from there to a leaf through the right one.
fn assert_is_wakeup_tree(tree: &Tree, classes: &[BTreeSet<Vec<Unit>>]) {
    let all = nodes_of(tree);
    for (at, (left, _)) in all.iter().enumerate() {
        let parent = &left[..left.len() - 1];
        let beside =
            |leaf: &&(Vec<Unit>, bool)| leaf.1 && leaf.0.starts_with(parent) && !leaf.0.starts_with(left);
        for (leaf, _) in all[at..].iter().filter(beside) {
            assert!(!fit(classes, left, leaf), "{left:?} covers {leaf:?}");
        }
    }
}

#[test]
fn insertion_follows_the_definition() {
    let mut random = Random::new(7);
    let (mut grown, mut covered) = (0, 0);
    for _ in 0..150 {
        let program = Small::random(&mut random);
        let classes = program.classes();
        let beginnings: Vec<&Vec<Unit>> = classes.iter().flatten().filter(|all| !all.is_empty()).collect();
        let mut tree = Tree::default();
        for _ in 0..12 {
            let wanted = beginnings[random.below(beginnings.len() as u64) as usize];
            let before = leaves_of(&tree);
            let is_new = insert(&mut tree, &program, wanted);
            let after = leaves_of(&tree);
            assert!(after.iter().any(|leaf| fit(&classes, leaf, wanted)), "{wanted:?} is not explored");
            let old: Vec<_> = after.iter().filter(|leaf| before.contains(leaf)).cloned().collect();
            assert_eq!(old, before, "leaves stay as and where they are");
            assert_eq!(after.len(), before.len() + usize::from(is_new));
            if before.first().is_some_and(|leaf| fit(&classes, leaf, wanted)) {
                assert!(!is_new, "{wanted:?} will be found below the first leaf of {before:?}");
            }
            assert_is_wakeup_tree(&tree, &classes);
            grown += usize::from(is_new);
            covered += usize::from(!is_new);
        }
    }
    assert!(grown > 300 && covered > 300, "{grown} {covered}");
}

/// Whatever the order in which whole executions are inserted, there is one leaf for each class.
#[test]
fn each_class_is_one_leaf() {
    let mut random = Random::new(8);
    for _ in 0..60 {
        let program = Small::random(&mut random);
        let classes = program.classes();
        let mut executions = Vec::new();
        program.executions(&[], &mut executions);
        let mut tree = Tree::default();
        while !executions.is_empty() {
            let execution = executions.swap_remove(random.below(executions.len() as u64) as usize);
            insert(&mut tree, &program, &execution);
        }
        let leaves = leaves_of(&tree);
        assert_eq!(leaves.len(), classes.len());
        for class in &classes {
            assert_eq!(leaves.iter().filter(|leaf| class.contains(*leaf)).count(), 1);
        }
    }
}

/// Two writers of one location, and a thread that has nothing to do with them.
fn writers() -> Small {
    Small(vec![vec![(0, Mode::Write)], vec![(0, Mode::Write)], vec![(8, Mode::Write)]])
}

#[test]
fn a_branch_is_split_where_a_sequence_leaves_it() {
    let (program, mut tree) = (writers(), Tree::default());
    assert!(insert(&mut tree, &program, &[(2, 0), (0, 0), (1, 0)]));
    // The third thread has no part in it, and is a weak initial all the same.
    assert!(insert(&mut tree, &program, &[(1, 0), (0, 0)]));
    assert_eq!(leaves_of(&tree), [vec![(2, 0), (0, 0), (1, 0)], vec![(2, 0), (1, 0), (0, 0)]]);
    assert_eq!(tree.left().len(), 1, "what they have in common is there once");
    assert!(!insert(&mut tree, &program, &[(0, 0), (2, 0), (1, 0)]), "equivalent to the first leaf");
    assert!(!insert(&mut tree, &program, &[(0, 0)]), "the beginning of one");
}

#[test]
fn a_leaf_finds_what_comes_after_it() {
    let (program, mut tree) = (writers(), Tree::default());
    assert!(insert(&mut tree, &program, &[(0, 0)]));
    assert!(!insert(&mut tree, &program, &[(0, 0), (1, 0)]));
    assert!(insert(&mut tree, &program, &[(1, 0), (0, 0)]));
    assert_eq!(leaves_of(&tree), [vec![(0, 0)], vec![(1, 0), (0, 0)]]);
}

#[test]
fn what_has_been_begun_or_is_uncertain_is_not_followed() {
    let (program, mut tree) = (writers(), Tree::default());
    insert(&mut tree, &program, &[(0, 0), (1, 0)]);
    let mut uncertain = tree.left()[0].share().as_ref().clone();
    uncertain.certainty = Certainty::Uncertain;
    let nothing = tree.left()[0].share();
    assert!(tree.take_next(&nothing).is_some());
    tree.push(uncertain);
    assert!(insert(&mut tree, &program, &[(0, 0), (1, 0)]), "it may be impossible");
    assert!(insert(&mut tree, &program, &[(1, 0), (0, 0)]));
    let beginnings: Vec<Unit> = leaves_of(&tree).iter().map(|leaf| leaf[0]).collect();
    assert_eq!(beginnings, [(0, 0), (0, 0), (1, 0)], "new ones are to the right of all others");
    assert_eq!((tree.begun(), tree.left().len()), (1, 3));
}

/// Another alternative of a unit is another unit.
#[test]
fn an_alternative_is_no_initial_of_another() {
    let program = writers();
    let wanted = Wanted { program: &program, units: &[(0, 0), (2, 0)] };
    let rest = Rest::new(vec![Left { agent: agent(0), unit: 0 }, Left { agent: agent(2), unit: 1 }]);
    let order = PartialOrder::default();
    let before = Arrived::new(Before { order: &order, performed: &[], others: &[] });
    let initial =
        |label: &Label, unit: Unit| weak_initial(&wanted, &rest, label, &[program.access(unit)], &before);
    let own = Label::of(agent(0));
    assert_eq!(initial(&own, (0, 0)), Some(WeakInitial::Begins(0)));
    assert_eq!(initial(&Label { choice: 1, ..own }, (0, 0)), None);
    assert_eq!(
        initial(&Label::of(agent(2)), (2, 0)),
        Some(WeakInitial::Begins(1)),
        "nothing before it matters"
    );
    assert_eq!(initial(&Label::of(agent(1)), (1, 0)), None, "it depends on the first");
}
