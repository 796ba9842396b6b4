//! What every consumer of a [`Program`] may rely on.
//!
//! * **Ids are in range**: of values, blocks, functions, globals, slots, spans, variables, types.
//! * **Types fit.** Each operand has the type that its instruction demands, each result the type that it gives; jumps pass what
//!   the block takes, returns what the signature says, calls what their own signature says. A constant has no more bits than
//!   its type. The address of a symbol may stand for a pointer or for a 64-bit integer; otherwise the two are different types.
//! * **Values are defined once, and definitions dominate uses.**
//! * **Blocks are in order**: each but the entry has a predecessor before it, so control can reach all of them, and what
//!   dominates a block has a smaller number ([`crate::dominance`]). The entry takes no parameters and is not jumped to.
//! * **Memory**: an atomic access is to 1, 2, 4, 8 or 16 bytes; a failed compare-exchange is an atomic load. (Other orders that
//!   C does not have cannot be written down.)
//!
//! All this is checked whenever a program has been made, in time close to linear in its size.
//!
//! Whether a call's own signature is that of the function called is another question: C programs can get it wrong, and the
//! machine reports that if it happens. [`verify_calls`] asks for it, too.

mod calls;
mod function;
mod tables;

pub use calls::verify_calls;

use crate::Program;
use std::fmt;

/// A rule that does not hold: a bug of whoever made the program, never its user's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: a function, a global, a table.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {}: {}", self.place, self.what)
    }
}

impl std::error::Error for Problem {}

/// Checks a program.
pub fn verify(program: &Program) -> Result<(), Problem> {
    tables::check(program)?;
    for function in &program.functions {
        function::check(program, function)
            .map_err(|what| Problem { place: format!("function {}", function.name), what })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
