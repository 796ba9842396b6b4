//! The classes of programs, one for each way in which explorers have been wrong.

use clap::ValueEnum;

/// The class of a program: what may go wrong on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Class {
    /// Choices, assumptions, assertions and waiting in atomic sections
    Sections,
    /// Choices and assumptions between accesses
    Choices,
    /// Loops that change something in each round, with `--unroll` or `--max-steps`
    Bounds,
    /// Waiting loops: those that only read, that store, try and take back, and updates that leave the value as it is
    Loops,
    /// Updates in loops that leave the value as it is, compared with the same written out
    Updates,
    /// Error-checking and recursive mutexes, and what the program does about their errors
    Mutexes,
    /// Heap objects that are reached through an atomic pointer, and freed
    Frees,
    /// Local variables that are reached through an atomic pointer, and whose scope ends
    Scopes,
    /// Several violations in one program, some of them with `--allow`
    Allowed,
    /// Several violations of different kinds, at several places
    Several,
    /// Barriers, semaphores, spin locks and condition variables that are destroyed, or were never set up
    Misuse,
    /// Larger programs with a `--time-limit` that is too small for most of them
    Limits,
}

impl Class {
    /// All classes, in the order of the table.
    pub fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// As the option calls it.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
