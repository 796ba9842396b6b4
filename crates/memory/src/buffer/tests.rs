//! Buffers against their definition.

use super::*;
use selvedge_testing::Random;

fn store(address: u64, size: u32, value: u128) -> Buffered {
    Buffered {
        address,
        size,
        value,
        defined: u128::MAX,
        number: 0,
        epoch: 0,
        site: Site::NONE,
        index: 0,
        dead: false,
    }
}

fn ready(buffers: &Buffers) -> Vec<u32> {
    buffers.ready(ThreadId::MAIN).map(|store| store.number).collect()
}

#[test]
fn loads_see_the_newest_bytes() {
    let mut buffers = Buffers::new(Discipline::Tso);
    buffers.issue(ThreadId::MAIN, store(100, 4, 0x4433_2211));
    buffers.issue(ThreadId::MAIN, store(102, 1, 0xaa));
    let mut sources = Vec::new();
    let view = buffers.view(ThreadId::MAIN, 101, 4, (0x9999_9999, u128::MAX), &mut sources);
    assert_eq!(view, View { value: 0x9944_aa22, defined: u128::MAX, forwarded: 0b0111 });
    assert_eq!(sources, [(2, 0b0010), (1, 0b0101)]);
    buffers.rewind(0);
    assert!(buffers.is_empty(ThreadId::MAIN));
    assert_eq!(buffers.issued(ThreadId::MAIN), 0);
}

#[test]
fn total_store_order_is_a_queue() {
    let mut buffers = Buffers::new(Discipline::Tso);
    buffers.issue(ThreadId::MAIN, store(100, 4, 1));
    buffers.issue(ThreadId::MAIN, store(200, 4, 1));
    assert_eq!(ready(&buffers), [1]);
    let mark = buffers.mark();
    buffers.take(ThreadId::MAIN, 1);
    assert_eq!(ready(&buffers), [2]);
    buffers.rewind(mark);
    assert_eq!(ready(&buffers), [1]);
}

#[test]
fn partial_store_order_keeps_overlapping_stores_and_epochs_in_order() {
    let mut buffers = Buffers::new(Discipline::Pso);
    buffers.issue(ThreadId::MAIN, store(100, 4, 1));
    buffers.issue(ThreadId::MAIN, store(200, 4, 1));
    buffers.issue(ThreadId::MAIN, store(102, 4, 1));
    assert_eq!(ready(&buffers), [1, 2]);
    buffers.begin_epoch(ThreadId::MAIN);
    buffers.issue(ThreadId::MAIN, store(300, 4, 1));
    assert_eq!(ready(&buffers), [1, 2]);
    buffers.take(ThreadId::MAIN, 1);
    assert_eq!(ready(&buffers), [2, 3]);
    buffers.take(ThreadId::MAIN, 2);
    assert!(!buffers.is_ready(ThreadId::MAIN, 4));
    buffers.take(ThreadId::MAIN, 3);
    assert_eq!(ready(&buffers), [4]);
    buffers.rewind(0);
    assert!(buffers.is_empty(ThreadId::MAIN));
}

/// Which stores can arrive, by the table at the top of the module.
fn ready_by_definition(buffers: &Buffers) -> Vec<u32> {
    let waiting = buffers.waiting(ThreadId::MAIN);
    let overlap = |a: &Buffered, b: &Buffered| {
        (a.address..a.address + u64::from(a.size))
            .any(|byte| byte.wrapping_sub(b.address) < u64::from(b.size))
    };
    let waits_for = |earlier: &Buffered, store: &Buffered| match buffers.discipline() {
        Discipline::Tso => true,
        Discipline::Pso => earlier.epoch < store.epoch || overlap(earlier, store),
    };
    let is_ready = |at: &usize| !waiting[..*at].iter().any(|earlier| waits_for(earlier, &waiting[*at]));
    (0..waiting.len()).filter(is_ready).map(|at| waiting[at].number).collect()
}

/// All that can be seen of the main thread's buffer.
fn contents(buffers: &Buffers) -> (Vec<Buffered>, u32, usize) {
    let thread = ThreadId::MAIN;
    (buffers.waiting(thread).to_vec(), buffers.issued(thread), buffers.settled(thread))
}

/// Does something at random to the main thread's buffer.
fn change(buffers: &mut Buffers, random: &mut Random) {
    let thread = ThreadId::MAIN;
    match random.below(12) {
        0 => buffers.begin_epoch(thread),
        1 => buffers.settle(thread, random.below(9)),
        2 => {
            let dying = 100 + random.below(24) as u64;
            buffers.bury(thread, |store| store.address == dying);
        }
        3..6 => {
            let ready = ready(buffers);
            if !ready.is_empty() {
                buffers.take(thread, random.pick(&ready));
            }
        }
        _ => {
            let size = random.pick(&[1, 2, 4, 8, 16]);
            let value = random.below(usize::MAX) as u128;
            buffers.issue(thread, store(100 + random.below(24) as u64, size, value | value << 64));
        }
    }
}

#[test]
fn stores_are_ready_by_definition() {
    let mut random = Random::new(1);
    for discipline in [Discipline::Tso, Discipline::Pso] {
        let mut longest = 0;
        for _ in 0..60 {
            let mut buffers = Buffers::new(discipline);
            for _ in 0..40 {
                change(&mut buffers, &mut random);
                let expected = ready_by_definition(&buffers);
                assert_eq!(ready(&buffers), expected);
                for store in buffers.waiting(ThreadId::MAIN) {
                    assert_eq!(
                        buffers.is_ready(ThreadId::MAIN, store.number),
                        expected.contains(&store.number)
                    );
                }
                longest = longest.max(buffers.waiting(ThreadId::MAIN).len());
            }
        }
        assert!(longest > FEW, "many stores are compared in another way");
    }
}

#[test]
fn going_back_restores_the_buffer() {
    let mut random = Random::new(2);
    for _ in 0..100 {
        let mut buffers = Buffers::new(Discipline::Pso);
        let mut past = vec![(buffers.mark(), contents(&buffers))];
        for _ in 0..40 {
            change(&mut buffers, &mut random);
            past.push((buffers.mark(), contents(&buffers)));
        }
        while let Some((mark, then)) = past.pop() {
            buffers.rewind(mark);
            assert_eq!(contents(&buffers), then);
        }
        // Epochs go back, too.
        buffers.issue(ThreadId::MAIN, store(100, 4, 1));
        assert_eq!(buffers.waiting(ThreadId::MAIN)[0].epoch, 0);
    }
}

/// A load sees memory with all stores of its buffer performed in order, and says which store each byte is from.
#[test]
fn views_are_what_performing_the_stores_would_leave() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let mut buffers = Buffers::new(Discipline::Pso);
        for _ in 0..random.below(30) {
            change(&mut buffers, &mut random);
        }
        let (address, size) = (95 + random.below(30) as u64, random.pick(&[1_u32, 2, 4, 8, 16]));
        let mut sources = Vec::new();
        let memory = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100_u128;
        let view = buffers.view(ThreadId::MAIN, address, size, (memory, u128::MAX), &mut sources);
        for byte in 0..u64::from(size) {
            let holds = |store: &&Buffered| {
                !store.dead && (address + byte).wrapping_sub(store.address) < u64::from(store.size)
            };
            let newest = buffers.waiting(ThreadId::MAIN).iter().rev().find(holds);
            let expected = match newest {
                Some(store) => (store.value >> (8 * (address + byte - store.address))) as u8,
                None => (memory >> (8 * byte)) as u8,
            };
            assert_eq!((view.value >> (8 * byte)) as u8, expected);
            assert_eq!(view.forwarded & 1 << byte != 0, newest.is_some());
            let forwarded: Vec<u32> =
                sources.iter().filter(|(_, bytes)| bytes & 1 << byte != 0).map(|(store, _)| *store).collect();
            assert_eq!(forwarded, newest.map(|store| store.number).into_iter().collect::<Vec<u32>>());
        }
    }
}

#[test]
fn undefined_bits_are_forwarded() {
    let mut buffers = Buffers::new(Discipline::Tso);
    buffers.issue(ThreadId::MAIN, Buffered { defined: 0xff00, ..store(100, 2, 0xabcd) });
    let view = buffers.view(ThreadId::MAIN, 100, 4, (0, 0xffff_ffff), &mut Vec::new());
    assert_eq!(view.defined, 0xffff_ff00);
}

#[test]
fn stores_to_ended_objects_are_not_seen_but_arrive_in_order() {
    let mut buffers = Buffers::new(Discipline::Tso);
    buffers.issue(ThreadId::MAIN, store(100, 4, 1));
    buffers.issue(ThreadId::MAIN, store(200, 4, 2));
    let mark = buffers.mark();
    buffers.bury(ThreadId::MAIN, |store| store.address == 100);
    let view =
        |buffers: &Buffers| buffers.view(ThreadId::MAIN, 100, 4, (9, u128::MAX), &mut Vec::new()).value;
    assert_eq!(view(&buffers), 9);
    assert_eq!(ready(&buffers), [1]);
    buffers.rewind(mark);
    assert_eq!(view(&buffers), 1);
}

#[test]
fn threads_have_buffers_of_their_own() {
    let other = ThreadId::child(ThreadId::MAIN, 3).expect("room");
    let mut buffers = Buffers::new(Discipline::Tso);
    buffers.issue(other, store(100, 4, 1));
    assert!(buffers.is_empty(ThreadId::MAIN) && !buffers.is_empty(other));
    assert!(buffers.are_others_empty(other) && !buffers.are_others_empty(ThreadId::MAIN));
    assert_eq!(buffers.view(ThreadId::MAIN, 100, 4, (9, u128::MAX), &mut Vec::new()).forwarded, 0);
    // Numbers are not used again when a store has arrived.
    buffers.take(other, 1);
    assert_eq!(buffers.issue(other, store(100, 4, 2)), 2);
    assert!(
        buffers.has_room(other, Agent::MOST_STORES - 2) && !buffers.has_room(other, Agent::MOST_STORES - 1)
    );
}

/// Under PSO each location is a lane, under TSO there is one.
#[test]
fn lanes_and_epochs_belong_to_the_discipline() {
    for (discipline, same_lane, epoch) in [(Discipline::Tso, true, 0), (Discipline::Pso, false, 1)] {
        let mut buffers = Buffers::new(discipline);
        // An epoch counts though the buffer is empty.
        buffers.begin_epoch(ThreadId::MAIN);
        buffers.issue(ThreadId::MAIN, store(100, 4, 1));
        buffers.issue(ThreadId::MAIN, store(200, 4, 1));
        let waiting = buffers.waiting(ThreadId::MAIN);
        assert_eq!(buffers.lane(&waiting[0]) == buffers.lane(&waiting[1]), same_lane);
        assert_eq!(waiting[0].epoch, epoch);
    }
}
