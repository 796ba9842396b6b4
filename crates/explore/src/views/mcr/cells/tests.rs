//! Cells are the largest sets of bits that are always used together.

use super::refine;
use selvedge_testing::Random;

#[test]
fn bits_that_are_used_together_are_one_cell() {
    let mut masks = Vec::new();
    refine(&mut masks, 0xff_ffff);
    refine(&mut masks, 0xff00);
    refine(&mut masks, 0xffff_0000);
    masks.sort_unstable();
    assert_eq!(masks, [0xff, 0xff00, 0xff_0000, 0xff00_0000]);
    refine(&mut masks, 0xff00_00ff);
    assert_eq!(masks.len(), 4);
}

/// Two bits are in the same cell if and only if the same accesses touch them.
#[test]
fn cells_are_as_large_as_can_be() {
    let mut random = Random::new(71);
    for _ in 0..200 {
        let accesses: Vec<u64> = (0..random.below(6))
            .map(|_| {
                let bytes = random.pick(&[1_u32, 2, 4, 8]);
                let first = random.below(8 / bytes as usize) as u32 * bytes;
                (u64::MAX >> (64 - 8 * bytes)) << (8 * first)
            })
            .collect();
        let mut masks = Vec::new();
        accesses.iter().for_each(|bits| refine(&mut masks, *bits));
        let touching = |bit: u32| -> Vec<bool> { accesses.iter().map(|bits| bits >> bit & 1 != 0).collect() };
        for bit in 0..64 {
            let cells: Vec<u64> = masks.iter().copied().filter(|mask| mask >> bit & 1 != 0).collect();
            let is_used = accesses.iter().any(|bits| bits >> bit & 1 != 0);
            assert_eq!(cells.len(), usize::from(is_used), "each bit that is used is in one cell");
            for other in (0..64).filter(|_| is_used) {
                assert_eq!(cells[0] >> other & 1 != 0, touching(bit) == touching(other), "{accesses:x?}");
            }
        }
    }
}
