//! Relations against sets of pairs.

use super::*;
use selvedge_testing::Random;
use std::collections::BTreeSet;

type Pairs = BTreeSet<(usize, usize)>;

fn pairs_of(relation: &Relation) -> Pairs {
    relation.pairs().collect()
}

/// A random relation, as pairs and as what is tested; sizes on both sides of a word.
fn random_relation(random: &mut Random, size: usize, percent: usize) -> (Pairs, Relation) {
    let mut pairs = Pairs::new();
    for from in 0..size {
        pairs.extend((0..size).filter(|_| random.below(100) < percent).map(|to| (from, to)));
    }
    let relation = Relation::new(size, |from, to| pairs.contains(&(from, to)));
    (pairs, relation)
}

/// Pairs that are connected by one or more steps.
fn closure(size: usize, pairs: &Pairs) -> Pairs {
    let mut closed = Pairs::new();
    for start in 0..size {
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for (_, to) in pairs.range((from, 0)..(from + 1, 0)) {
                if closed.insert((start, *to)) {
                    open.push(*to);
                }
            }
        }
    }
    closed
}

const SIZES: [usize; 9] = [0, 1, 2, 5, 20, 63, 64, 65, 130];

#[test]
fn operations_are_those_of_sets_of_pairs() {
    let mut random = Random::new(5);
    for size in SIZES {
        let (a, one) = random_relation(&mut random, size, 8);
        let (b, other) = random_relation(&mut random, size, 8);
        assert_eq!(pairs_of(&one), a);
        assert_eq!(pairs_of(&one.or(&other)), &a | &b);
        assert_eq!(pairs_of(&one.and(&other)), &a & &b);
        assert_eq!(pairs_of(&one.without(&other)), &a - &b);
        let identity: Pairs = (0..size).map(|node| (node, node)).collect();
        assert_eq!(pairs_of(&one.maybe()), &a | &identity);
        let then = a.iter().flat_map(|(from, through)| {
            b.range((*through, 0)..(*through + 1, 0)).map(|(_, to)| (*from, *to))
        });
        assert_eq!(pairs_of(&one.then(&other)), then.collect::<Pairs>());
        assert!(pairs_of(&Relation::empty(size)).is_empty());
    }
}

#[test]
fn closure_is_all_that_can_be_reached() {
    let mut random = Random::new(6);
    for size in SIZES {
        for percent in [1, 3, 10] {
            let (pairs, relation) = random_relation(&mut random, size, percent);
            assert_eq!(pairs_of(&relation.plus()), closure(size, &pairs), "{size}");
        }
    }
}

#[test]
fn cycles_are_found_of_any_length() {
    let mut random = Random::new(7);
    for size in SIZES.into_iter().filter(|size| *size > 0) {
        // Upwards only: none.
        let (pairs, _) = random_relation(&mut random, size, 10);
        let upwards = Relation::new(size, |from, to| from < to && pairs.contains(&(from, to)));
        assert!(upwards.is_acyclic());
        // One way round.
        let length = 1 + random.below(size);
        let mut round = upwards.clone();
        (1..length).for_each(|to| round.add(to - 1, to));
        assert!(round.is_acyclic());
        round.add(length - 1, 0);
        assert!(!round.is_acyclic(), "{length} of {size}");
    }
}
