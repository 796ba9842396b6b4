//! Memory that is marked, rewound and used again.

use super::*;

#[test]
fn rewinding_restores_bytes_and_shadow() {
    let mut memory = Memory::new(Initialisation::Tracked, &Memories::default()).expect("reserve");
    let at = 1 << 20;
    memory.allow(at, 100, 0);
    memory.write_bytes(at, &[7; 100]);
    let outer = memory.mark();
    memory.write_bytes(at + 10, &[1; 4]);
    let inner = memory.mark();
    memory.write_bytes(at + 12, &[2; 80]);
    memory.fill_shadow(at, 104, Poison::Freed as u8);
    memory.rewind(inner);
    let mut bytes = [0; 16];
    memory.read_bytes(at, &mut bytes);
    assert_eq!(bytes, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 7, 7]);
    assert_eq!(memory.first_inaccessible(at, 100), None);
    assert_eq!(memory.first_inaccessible(at, 101), Some(at + 100));
    memory.write_bytes(at, &[9]);
    memory.rewind(outer);
    memory.read_bytes(at, &mut bytes);
    assert_eq!(bytes, [7; 16]);
    assert_eq!(memory.epoch(), FIRST + 1);
    memory.write_bytes(at, &[9]);
    memory.rewind(outer);
    assert_eq!(memory.read_scalar(at, 1), 7);
}

#[test]
fn partial_granules_are_exact() {
    let mut memory = Memory::new(Initialisation::Ignored, &Memories::default()).expect("reserve");
    let at = 1 << 20;
    memory.allow(at, 5, 0);
    assert_eq!(memory.first_inaccessible(at, 5), None);
    assert_eq!(memory.first_inaccessible(at + 4, 1), None);
    assert_eq!(memory.first_inaccessible(at + 4, 2), Some(at + 5));
    assert_eq!(memory.first_inaccessible(at + 5, 1), Some(at + 5));
    assert_eq!(memory.first_inaccessible(u64::MAX - 2, 8), Some(u64::MAX - 2));
}

/// Everything that somebody may see of some memory.
fn all_of(memory: &Memory, start: u64, end: u64) -> (Vec<u8>, Vec<u8>, Vec<bool>) {
    let mut bytes = vec![0; (end - start) as usize];
    memory.read_bytes(start, &mut bytes);
    let shadow = (start..end).map(|at| memory.shadow(at)).collect();
    (bytes, shadow, (start..end).map(|at| memory.is_defined(at)).collect())
}

#[test]
fn a_memory_that_was_used_is_blank_again() {
    for initialisation in [Initialisation::Ignored, Initialisation::Tracked] {
        let memories = Memories::default();
        let (start, end) = (1 << 20, (1 << 20) + 4096);
        let blank = {
            let memory = Memory::new(initialisation, &memories).expect("reserve");
            all_of(&memory, start, end)
        };
        for with_marks in [false, true] {
            let mut memory = Memory::new(initialisation, &memories).expect("reserve");
            let base = memory.space.data.base;
            assert_eq!(memories.kept(), 0);
            // Before the first mark, at two places; after it, at a third, and one that is taken back.
            memory.allow(start, 300, SHARED);
            memory.write_bytes(start + 100, &[7; 200]);
            memory.write_bytes(start + 1000, &[7; 3]);
            if with_marks {
                memory.mark();
                memory.write_bytes(start + 70, &[8; 2]);
                memory.allow(start + 2000, 64, READ_ONLY);
                let inner = memory.mark();
                memory.fill(start + 3000, 9, 500);
                memory.rewind(inner);
                memory.write_scalar(start + 2064, 8, 5);
            }
            drop(memory);
            assert_eq!(memories.kept(), 1);
            let again = Memory::new(initialisation, &memories).expect("reserve");
            assert_eq!(again.space.data.base, base);
            assert!(again.epoch() == FIRST && again.journal_position() == 0);
            assert!(all_of(&again, start, end) == blank, "{initialisation:?} {with_marks}");
        }
    }
}

/// Lines that were written before are saved again.
#[test]
fn a_memory_that_was_used_can_be_rewound() {
    let memories = Memories::default();
    let at = 1 << 20;
    for value in [1, 2] {
        let mut memory = Memory::new(Initialisation::Ignored, &memories).expect("reserve");
        memory.write_bytes(at, &[value]);
        let mark = memory.mark();
        memory.write_bytes(at, &[100]);
        memory.write_bytes(at + 640, &[100]);
        memory.rewind(mark);
        assert_eq!(memory.read_scalar(at, 1), u128::from(value));
        assert_eq!(memory.read_scalar(at + 640, 1), 0);
        memory.mark();
        memory.write_bytes(at + 640, &[100]);
    }
}

#[test]
fn only_some_memories_are_kept() {
    let memories = Memories::default();
    let new = || Memory::new(Initialisation::Ignored, &memories).expect("reserve");
    let many: Vec<Memory> = (0..MOST_KEPT + 3).map(|_| new()).collect();
    drop(many);
    assert_eq!(memories.kept(), MOST_KEPT);
    // One of which much was written is not, whenever that was; and of those that are kept, one is gone.
    let mut large = new();
    large.fill(0, 1, LINE * (MOST_LINES as u64 + 1));
    drop(large);
    let mut later = new();
    later.mark();
    later.fill(0, 1, LINE * (MOST_LINES as u64 + 1));
    drop(later);
    assert_eq!(memories.kept(), MOST_KEPT - 2);
    // Nor is one whose user has panicked.
    let memory = new();
    let panics = std::panic::AssertUnwindSafe(move || {
        let _used = memory;
        std::panic::resume_unwind(Box::new(()));
    });
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(memories.kept(), MOST_KEPT - 3);
    // What is tracked and what is not are kept apart.
    drop(Memory::new(Initialisation::Tracked, &memories).expect("reserve"));
    assert_eq!(memories.kept(), MOST_KEPT - 2);
    assert!(!new().tracks_initialisation());
    assert_eq!(memories.kept(), MOST_KEPT - 2);
}
