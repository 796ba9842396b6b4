//! Places where the compiler's code does not do what C says. The program is executed as it was compiled, as its native
//! binary is; whoever reads a report has to know that the error is not in the source.

use crate::SpanId;

/// An expression on an atomic object that the compiler has made wrong code for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miscompiled {
    /// Where the expression stands; its operations have the same span.
    pub span: SpanId,
    /// The object, as the source would write it, if it has a name.
    pub object: Option<String>,
    /// What is wrong with the code.
    pub deviation: Deviation,
}

/// How code departs from C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deviation {
    /// `p++` on a pointer gives what was read first, though another value may have been replaced.
    StalePointer,
    /// The same for `--` on another type, for which there is no `atomic_fetch_sub`.
    StaleValue,
    /// An assignment to a `_Bool` stores the low byte of the result, which can be other than 0 and 1.
    NotBoolean,
    /// A compound assignment takes the value of a signed object for that of an unsigned one.
    TakenAsUnsigned,
    /// `i += 0.5` on an integer converts the operand to an integer before it is added.
    OperandTruncated,
}
