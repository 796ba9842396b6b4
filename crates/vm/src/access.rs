//! Accesses that the interpreter's fast path leaves: is it allowed, can others see it, and if it is wrong,
//! what is wrong?

use crate::address::{self, NULL_END};
use crate::code::{Reg, Source};
use crate::fault::{FaultKind, Note, Stop};
use crate::machine::Machine;
use crate::memory::{Poison, READ_ONLY, SHARED};
use crate::objects::ObjectKind;
use selvedge_program::Type;

/// What became of an access.
pub enum Slow {
    /// It was private and is done; the value read.
    Done(u64),
    /// Others can see it: the memory model performs it.
    Visible,
    /// It is wrong.
    Stop(Stop),
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// Whether an access that is allowed is private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Nobody else can see it.
    Private,
    /// It is a visible operation.
    Visible,
}

impl Machine<'_> {
    #[cold]
    pub(crate) fn slow_load(&mut self, index: usize, address: u64, size: u32) -> Slow {
        match self.classify(index, address, u64::from(size), Direction::Read) {
            Ok(Visibility::Private) => Slow::Done(self.memory.read_scalar(address, size) as u64),
            Ok(Visibility::Visible) => Slow::Visible,
            Err(stop) => Slow::Stop(stop),
        }
    }

    #[cold]
    pub(crate) fn slow_store(
        &mut self,
        index: usize,
        address: u64,
        size: u32,
        value: u64,
        from: Reg,
    ) -> Slow {
        match self.classify(index, address, u64::from(size), Direction::Write) {
            Ok(Visibility::Private) => {
                let logged = self.begin_private(index, address, u64::from(size));
                self.memory.write_scalar(address, size, u128::from(value));
                if self.memory.tracks_initialisation() {
                    let mask = self.source_defined(index, Source::Register(from), Type::I64);
                    self.store_defined(address, size, mask);
                }
                self.end_private(logged);
                Slow::Done(0)
            }
            Ok(Visibility::Visible) => Slow::Visible,
            Err(stop) => Slow::Stop(stop),
        }
    }

    /// Whether an access is allowed and private, allowed and visible, or wrong.
    ///
    /// Whether an object of another thread, or a freed one, may be accessed can depend on what other
    /// threads do first. Such an access is a visible operation even if it would be wrong now; it is
    /// checked again when it is performed.
    pub(crate) fn classify(
        &mut self,
        index: usize,
        address: u64,
        size: u64,
        direction: Direction,
    ) -> Result<Visibility, Stop> {
        if size == 0 {
            return Ok(Visibility::Private);
        }
        if let Some(bad) = self.memory.first_inaccessible(address, size) {
            let poison = Poison::of(self.memory.shadow(bad));
            let others = address::owner(address) != Some(self.threads[index].id);
            let depends = self.multithreaded
                && address >= NULL_END
                && (poison == Poison::Freed || (others && poison != Poison::Unallocated));
            if depends {
                return Ok(Visibility::Visible);
            }
            return Err(self.access_fault(index, address, size, direction));
        }
        let constant = self.memory.any_flag(address, size, READ_ONLY);
        if constant && direction == Direction::Write {
            return Err(self.access_fault(index, address, size, direction));
        }
        if !self.multithreaded {
            return Ok(Visibility::Private);
        }
        if self.memory.any_flag(address, size, SHARED) {
            return Ok(Visibility::Visible);
        }
        if constant || address::owner(address) == Some(self.threads[index].id) {
            return Ok(Visibility::Private);
        }
        // Another thread's object whose address was never seen to be published (it was disguised, e.g.
        // written byte by byte): shared from now on.
        self.publish(address);
        Ok(Visibility::Visible)
    }

    /// Whether an atomic access to an object of the thread's own can matter to a thread that gets the object later.
    pub(crate) fn is_seen_later(&self, index: usize, address: u64) -> bool {
        self.image.atomics_are_visible
            && self.multithreaded
            && address::heap(self.threads[index].id).contains(address)
    }

    /// Checks an access at the moment it is performed.
    pub(crate) fn check_access(
        &mut self,
        index: usize,
        address: u64,
        size: u64,
        direction: Direction,
    ) -> Result<(), Stop> {
        let wrong = self.memory.first_inaccessible(address, size).is_some()
            || (direction == Direction::Write && self.memory.any_flag(address, size, READ_ONLY));
        if size != 0 && wrong { Err(self.access_fault(index, address, size, direction)) } else { Ok(()) }
    }

    /// Explains an access that is wrong.
    #[cold]
    pub(crate) fn access_fault(
        &mut self,
        index: usize,
        address: u64,
        size: u64,
        direction: Direction,
    ) -> Stop {
        let verb = match direction {
            Direction::Read => "reads",
            Direction::Write => "writes",
        };
        let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
        let bad = self.memory.first_inaccessible(address, size);
        let Some(bad) = bad else {
            let object = self.object_at(address);
            let name = object.as_ref().map_or_else(|| "a constant".to_owned(), |o| o.describe(self));
            let message = format!("the program {verb} {bytes} of {name}, which is constant");
            let notes = object.map(|object| object.notes(self)).unwrap_or_default();
            return self.fault(index, FaultKind::WriteToConstant, message, notes);
        };
        if address < NULL_END {
            let message = match address {
                0 => format!("the program {verb} {bytes} through a null pointer"),
                offset => format!("the program {verb} {bytes} at offset {offset} from a null pointer"),
            };
            return self.fault(index, FaultKind::NullDereference, message, Vec::new());
        }
        let poison = Poison::of(self.memory.shadow(bad));
        let object = self.object_at(if bad > address { address } else { bad });
        let notes = object.as_ref().map(|object| object.notes(self)).unwrap_or_default();
        let (kind, message) = match (poison, object) {
            (Poison::External, Some(object)) => {
                if let ObjectKind::Global(id) = object.kind
                    && let Some(what) = &self.image.program.globals[id as usize].untranslated
                {
                    let what = format!("{what}, in the initialiser of {}", object.describe(self));
                    return self.unsupported(index, what, None);
                }
                let what =
                    format!("the variable {}, which is declared but defined nowhere", object.describe(self));
                let help = "add the file that defines it to the command line".to_owned();
                return self.unsupported(index, what, Some(help));
            }
            (_, None) if self.function_at(address).is_some() => {
                (FaultKind::InvalidPointer, format!("the program {verb} {bytes} of a function's code"))
            }
            (_, None) => (
                FaultKind::InvalidPointer,
                format!("the program {verb} {bytes} at {address:#x}, where there is no object"),
            ),
            (Poison::Freed, Some(object)) => (
                FaultKind::UseAfterFree,
                format!(
                    "the program {verb} {bytes} {}, which has been freed",
                    object.place(self, address, size)
                ),
            ),
            (Poison::DeadStack, Some(object)) => (
                FaultKind::DeadStack,
                format!(
                    "the program {verb} {bytes} {}, whose scope has ended",
                    object.place(self, address, size)
                ),
            ),
            (_, Some(object)) => (
                FaultKind::OutOfBounds,
                format!("the program {verb} {bytes} {}", object.place(self, address, size)),
            ),
        };
        self.fault(index, kind, message, notes)
    }

    /// Notes for a fault about a heap object.
    pub(crate) fn heap_notes(&self, address: u64) -> Vec<Note> {
        self.object_at(address).map(|object| object.notes(self)).unwrap_or_default()
    }
}
