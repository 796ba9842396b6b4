//! Sets of executions, and which combinations of histories they contain, against plain sets.

use super::*;
use selvedge_testing::Random;
use std::collections::{BTreeMap, BTreeSet};

/// Ascending numbers: dense, sparse, and both in turn, so that the form changes there and back.
fn random_numbers(random: &mut Random) -> BTreeSet<u32> {
    let mut numbers = BTreeSet::new();
    let mut next = random.below(500) as u32;
    let mut step = 1;
    for _ in 0..random.below(700) {
        if random.below(100) == 0 {
            step = random.pick(&[1, 2, 40, 3000]);
        }
        numbers.insert(next);
        next += 1 + random.below(step) as u32;
    }
    numbers
}

fn of(numbers: &BTreeSet<u32>) -> Numbers {
    let mut set = Numbers::default();
    for number in numbers {
        set.push(*number);
        // The same again is nothing new.
        set.push(*number);
    }
    set
}

#[test]
fn sets_of_numbers_contain_what_was_added() {
    let mut random = Random::new(81);
    let mut many = 0;
    for _ in 0..150 {
        let numbers = random_numbers(&mut random);
        let set = of(&numbers);
        assert_eq!(set.len(), numbers.len());
        let end = numbers.last().map_or(10, |last| last + 70);
        assert!((0..end).all(|number| set.contains(number) == numbers.contains(&number)));
        many += usize::from(matches!(set, Numbers::Many { .. }));
    }
    assert!(many > 10 && many < 140, "both forms: {many}");
}

/// Going backwards, each word with bits is given once, the last first.
#[test]
fn going_backwards_gives_all_words() {
    let mut random = Random::new(82);
    for _ in 0..150 {
        let numbers = random_numbers(&mut random);
        let set = of(&numbers);
        let mut words: BTreeMap<usize, u64> = BTreeMap::new();
        for number in &numbers {
            *words.entry(*number as usize / 64).or_default() |= 1 << (number % 64);
        }
        let mut backwards = Backwards::new(&set);
        let mut from = numbers.last().map_or(0, |last| *last as usize / 64) + random.below(3);
        loop {
            let expected = words.range(..=from).next_back().map(|(word, bits)| (*word, *bits));
            assert_eq!(backwards.seek(from), expected);
            match expected {
                // Now and then some are left out.
                Some((word, _)) if word > 0 => {
                    from = (word - 1).saturating_sub(random.below(2) * random.below(50))
                }
                _ => break,
            }
        }
    }
}

/// An execution contains a combination of histories if it went through all of them.
#[test]
fn combinations_are_covered_by_definition() {
    let mut random = Random::new(83);
    for _ in 0..30 {
        let mut views = Explored::default();
        let mut executions: Vec<BTreeSet<History>> = Vec::new();
        for _ in 0..80 {
            let mut histories = Vec::new();
            for thread in 0..3 {
                let mut history = views.root(thread);
                for _ in 0..random.below(4) {
                    history = views.grow(history, random.below(2) as u64);
                    histories.push(history);
                }
            }
            let ends = histories.clone();
            views.add(histories.iter().copied(), name_of(&ends));
            executions.push(histories.into_iter().collect());
        }
        for _ in 0..100 {
            // A history of each of two threads, and one more result of the second.
            let grown = |views: &mut Explored, random: &mut Random, thread: usize| {
                let root = views.root(thread);
                (0..1 + random.below(2)).fold(root, |history, _| views.grow(history, random.below(2) as u64))
            };
            let one = grown(&mut views, &mut random, 0);
            let (before, result) = (grown(&mut views, &mut random, 1), random.below(2) as u64);
            let goal = Goal { others: vec![one], next: Some((before, result)) };
            let wanted = views.child(before, result);
            let expected = wanted.is_some_and(|wanted| {
                executions.iter().any(|execution| execution.contains(&one) && execution.contains(&wanted))
            });
            let mut miss = None;
            assert_eq!(views.has_explored(&goal, &mut miss).0, expected);
            // Asked again with what was missed last, the answer is the same.
            assert_eq!(views.has_explored(&goal, &mut miss).0, expected);
            assert_eq!(miss.is_some(), !expected && wanted.is_some());
        }
    }
}

#[test]
fn histories_are_a_tree() {
    let mut views = Explored::default();
    let (one, other) = (views.root(0), views.root(1));
    assert_ne!(one, other);
    assert_eq!(views.root(0), one);
    assert_eq!(views.child(one, 5), None);
    let five = views.grow(one, 5);
    assert_eq!((views.grow(one, 5), views.child(one, 5)), (five, Some(five)));
    assert_ne!(views.grow(other, 5), five, "another thread, another history");
    assert_ne!(views.grow(five, 5), five);
}

/// What is noted, begun or asked for once, is known afterwards; the order of a combination does not matter.
#[test]
fn what_was_begun_is_remembered() {
    let mut views = Explored::default();
    assert!(!views.has_begun(7) && views.begin(7) && !views.begin(7) && views.has_begun(7));
    let (one, other) = (views.root(0), views.root(1));
    assert_eq!(name_of(&[one, other]), name_of(&[other, one]));
    assert_ne!(name_of(&[one]), name_of(&[other]));
    let goal = Goal { others: vec![one], next: Some((other, 3)) };
    assert!(!views.has_explored(&goal, &mut None).0);
    assert!(views.ask_for(&goal) && !views.ask_for(&goal));
    assert!(views.has_explored(&goal, &mut None).0);
    // No thread is enabled: an end is known only if an execution had it.
    let end = Goal { others: vec![one, other], next: None };
    assert!(!views.has_explored(&end, &mut None).0);
    assert!(views.add([one, other].into_iter(), name_of(&[other, one])));
    assert!(views.has_explored(&end, &mut None).0);
    assert!(!views.add([one, other].into_iter(), name_of(&[one, other])), "it ended the same way");
}
