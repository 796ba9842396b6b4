//! Memory as locations: which bytes make up one, and what is there.

use crate::core::dependence::Access;
use rustc_hash::FxHashMap;
use selvedge_memory::{System, WaitingStore};

/// Bytes of memory that make up a location.
pub const UNIT: u64 = 4;

/// The bits of the bytes of a unit.
pub fn bits_of(mask: u8) -> u64 {
    (0..UNIT).filter(|byte| mask & (1 << byte) != 0).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

/// Bytes of memory that accesses are in.
pub const GRANULE: u64 = 2 * UNIT;

/// In the address of a unit: it is a granule as a whole.
pub const JOINED: u64 = 1;

/// How much of a granule is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Some bytes.
    Bytes,
}

/// Granules: whether each of them is one unit, or two.
#[derive(Default)]
pub struct Granules(FxHashMap<u64, bool>);

impl Granules {
    /// Whether a granule is one unit.
    pub fn is_joined(&self, granule: u64) -> bool {
        self.0.get(&granule) == Some(&true)
    }

    /// Notes how a granule is used. False if it was one unit so far, and cannot be any more.
    pub fn note(&mut self, granule: u64, extent: Extent) -> bool {
        let as_whole = extent == Extent::Whole;
        let joined = self.0.entry(granule).or_insert(as_whole);
        let is_new = *joined && !as_whole;
        *joined &= as_whole;
        !is_new
    }

    /// The units that an access touches: address, bits, and how far these are from their location in the granule.
    pub fn units_of(&self, access: &Access) -> impl Iterator<Item = (u64, u64, u32)> + use<> {
        let (granule, mask) = (access.granule, access.mask);
        let (low, high) = (bits_of(mask & 0x0f), bits_of(mask >> 4));
        let units = match self.is_joined(granule) {
            true => [(granule | JOINED, low | high << 32, 0), (0, 0, 0)],
            false => [(granule, low, 0), (granule + UNIT, high, 32)],
        };
        units.into_iter().filter(|(_, bits, _)| *bits != 0)
    }

    /// The units of a range of memory, whose granules are joined only if they are in it as a whole.
    pub fn units_in(&self, start: u64, end: u64) -> impl Iterator<Item = u64> {
        let units = (start & !(UNIT - 1)..end).step_by(UNIT as usize);
        units.filter_map(|unit| match self.is_joined(unit & !(GRANULE - 1)) {
            true => unit.is_multiple_of(GRANULE).then_some(unit | JOINED),
            false => Some(unit),
        })
    }
}

/// The granules that a range of memory is in, and how much of each of them is.
pub fn granules_in(start: u64, end: u64) -> impl Iterator<Item = (u64, Extent)> {
    let granules = (start & !(GRANULE - 1)..end).step_by(GRANULE as usize);
    granules.map(move |granule| match start <= granule && end.saturating_sub(granule) >= GRANULE {
        true => (granule, Extent::Whole),
        false => (granule, Extent::Bytes),
    })
}

/// What is at a unit, and whether it is dead.
pub fn content<S: System>(system: &S, unit: u64) -> (u64, u64, bool) {
    let memory = &system.machine().memory;
    let (address, size, needed) = match unit & JOINED {
        0 => (unit, UNIT, 1),
        _ => (unit & !JOINED, GRANULE, GRANULE),
    };
    match memory.first_inaccessible(address, needed) {
        None => (unit, memory.read_scalar(address, size as u32) as u64, false),
        Some(_) => (unit, 0, true),
    }
}

/// What a thread sees at a unit: what is in memory, and what it has stored itself.
pub fn with_stores(unit: u64, value: u64, stores: &[WaitingStore]) -> u64 {
    let (start, size) = (unit & !JOINED, if unit & JOINED == 0 { UNIT } else { GRANULE });
    let mut seen = value;
    for store in stores {
        for byte in 0..size {
            let at = (start + byte).wrapping_sub(store.address);
            if at < u64::from(store.size) {
                let stored = (store.value >> (8 * at)) as u64 & 0xff;
                seen = seen & !(0xff << (8 * byte)) | stored << (8 * byte);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::dependence;
    use selvedge_trace::{Operation, ThreadId};

    const BASE: u64 = 0x1000;

    /// The accesses of a write to some bytes.
    fn write(from: u64, size: u64) -> Vec<Access> {
        let mut accesses = Vec::new();
        let operation = Operation::Set { to: BASE + from, byte: 0, size };
        dependence::of_operation(ThreadId::MAIN, &operation, &mut accesses);
        accesses
    }

    /// The bytes that units with their bits are.
    fn bytes(units: impl Iterator<Item = (u64, u64, u32)>) -> Vec<u64> {
        let mut bytes: Vec<u64> = units
            .flat_map(|(unit, bits, _)| {
                (0..8)
                    .filter(move |byte| bits >> (8 * byte) & 0xff != 0)
                    .map(move |byte| (unit & !JOINED) + byte)
            })
            .collect();
        bytes.sort_unstable();
        bytes
    }

    #[test]
    fn units_of_an_access_are_its_bytes() {
        for joined in [[false, false], [true, false], [false, true], [true, true]] {
            let mut granules = Granules::default();
            for (number, joined) in joined.into_iter().enumerate() {
                let extent = if joined { Extent::Whole } else { Extent::Bytes };
                granules.note(BASE + number as u64 * GRANULE, extent);
            }
            for from in 0..16 {
                for size in 1..=16 - from {
                    let accesses = write(from, size);
                    let found = bytes(accesses.iter().flat_map(|access| granules.units_of(access)));
                    let expected: Vec<u64> = (BASE + from..BASE + from + size).collect();
                    assert_eq!(found, expected, "{joined:?} {from} {size}");
                }
            }
        }
    }

    #[test]
    fn a_granule_is_joined_until_a_part_of_it_is_used() {
        let mut granules = Granules::default();
        assert!(granules.note(BASE, Extent::Whole) && granules.is_joined(BASE));
        assert!(granules.note(BASE, Extent::Whole) && granules.is_joined(BASE));
        assert!(!granules.note(BASE, Extent::Bytes) && !granules.is_joined(BASE));
        // That it was is over.
        assert!(granules.note(BASE, Extent::Whole) && !granules.is_joined(BASE));
    }

    #[test]
    fn a_range_has_whole_granules_and_parts() {
        let found: Vec<(u64, Extent)> = granules_in(BASE + 4, BASE + 20).collect();
        let expected = [(0, Extent::Bytes), (8, Extent::Whole), (16, Extent::Bytes)];
        assert_eq!(found, expected.map(|(from, extent)| (BASE + from, extent)));
        let mut granules = Granules::default();
        for (granule, extent) in found {
            granules.note(granule, extent);
        }
        let units: Vec<u64> = granules.units_in(BASE + 4, BASE + 20).collect();
        assert_eq!(units, [BASE + 4, (BASE + 8) | JOINED, BASE + 16]);
    }

    #[test]
    fn a_thread_sees_its_own_stores_over_memory() {
        let store = |address: u64, size: u32, value: u128| WaitingStore {
            address,
            size,
            value,
            site: selvedge_program::Site::NONE,
            number: 1,
            epoch: 0,
        };
        let stores = [store(BASE + 2, 4, 0xddcc_bbaa), store(BASE + 3, 1, 0x11)];
        assert_eq!(with_stores(BASE, 0x4433_2211, &stores), 0x11aa_2211);
        assert_eq!(with_stores(BASE + 4, 0x8877_6655, &stores), 0x8877_ddcc);
        let whole = with_stores(BASE | JOINED, 0x8877_6655_4433_2211, &stores);
        assert_eq!(whole, 0x8877_ddcc_11aa_2211);
    }
}
