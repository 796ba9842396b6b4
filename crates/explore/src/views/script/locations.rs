//! Locations: what scripts are about, by number.

use rustc_hash::FxHashMap;
use selvedge_trace::ThreadId;
use selvedge_trace::sync::KeepsLife;
use selvedge_vm::SyncObject;

/// A location, by number.
pub type Location = u32;

/// Some bits of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocationPart {
    /// Which location.
    pub location: Location,
    /// Which bits.
    pub bits: u64,
}

/// Some bits of a location, and their value: what is seen there, or set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// Which bits.
    pub part: LocationPart,
    /// Their value.
    pub value: u64,
}

/// The locations that executions have touched, by what they are.
#[derive(Debug, Default)]
pub struct Locations {
    numbers: FxHashMap<u64, Location>,
    /// By number: what it is.
    addresses: Vec<u64>,
}

/// Something that is no address of the program.
pub const FACT: u64 = 1 << 63;

/// In a fact: it is about the life of a synchronisation object.
const LIFE: u64 = 1 << 62;

/// The bits that say that something is the life of an object, and where the object keeps that.
const KEEPS: u64 = FACT | LIFE | 3 << 60;

/// What stands for the life of a synchronisation object.
pub fn unit_of_life(object: SyncObject) -> u64 {
    FACT | LIFE | (object.keeps_life as u64) << 60 | object.address
}

/// The synchronisation object whose life something stands for.
pub fn object_of_life(unit: u64) -> Option<SyncObject> {
    let all = [KeepsLife::FirstWord, KeepsLife::Semaphore, KeepsLife::Barrier];
    let keeps_life = all
        .into_iter()
        .find(|keeps| unit_of_life(SyncObject { address: 0, keeps_life: *keeps }) == unit & KEEPS)?;
    Some(SyncObject { address: unit & !KEEPS, keeps_life })
}

impl Locations {
    /// The number of a unit of memory.
    pub fn unit(&mut self, address: u64) -> Location {
        let next = self.numbers.len() as Location;
        let number = *self.numbers.entry(address).or_insert(next);
        if number == next {
            self.addresses.push(address);
        }
        number
    }

    /// The unit of memory that a location is.
    pub fn address(&self, location: Location) -> u64 {
        self.addresses[location as usize]
    }

    /// The number of a unit of memory, if it has one.
    pub fn known(&self, address: u64) -> Option<Location> {
        self.numbers.get(&address).copied()
    }

    /// Whether a thread was created.
    pub fn created(&mut self, thread: ThreadId) -> Location {
        self.unit(FACT | (thread.number() as u64) << 1)
    }

    /// What a thread waits for.
    pub fn waiting(&mut self, thread: ThreadId) -> Location {
        self.unit(FACT | (thread.number() as u64) << 1 | 1)
    }

    /// Whether a synchronisation object can be used.
    pub fn life(&mut self, object: SyncObject) -> Location {
        self.unit(unit_of_life(object))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_has_a_number_of_its_own() {
        let mut locations = Locations::default();
        let mut numbers = Vec::new();
        let lives = [KeepsLife::FirstWord, KeepsLife::Semaphore, KeepsLife::Barrier];
        for number in 0..40 {
            let thread = ThreadId::from_number(number).unwrap();
            numbers.extend([locations.created(thread), locations.waiting(thread)]);
            let address = 0x1000 + 4 * number as u64;
            numbers.push(locations.unit(address));
            for keeps_life in lives {
                numbers.push(locations.life(SyncObject { address, keeps_life }));
            }
        }
        let expected: Vec<Location> = (0..numbers.len() as Location).collect();
        assert_eq!((numbers, locations.count()), (expected, 6 * 40));
        assert_eq!(locations.known(0x1000), Some(2));
        assert_eq!((locations.unit(0x1000), locations.known(1)), (2, None));
        assert_eq!(locations.address(2), 0x1000);
    }

    #[test]
    fn a_life_leads_back_to_its_object() {
        for keeps_life in [KeepsLife::FirstWord, KeepsLife::Semaphore, KeepsLife::Barrier] {
            let object = SyncObject { address: 0x1_2345_6780, keeps_life };
            let unit = unit_of_life(object);
            assert!(unit & FACT != 0);
            let found = object_of_life(unit).unwrap();
            assert_eq!((found.address, found.keeps_life), (object.address, object.keeps_life));
        }
    }
}
