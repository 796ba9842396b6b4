//! Programs as text: for people (`selvedge run --emit ir`), for tests, and to be read again.
//!
//! What [`std::fmt::Display`] writes, [`parse`] reads: for every program that holds up ([`crate::verify`]), the result is equal to
//! what was written. Everything has a line of its own; `#` begins a comment. What is executed comes first; contents of globals,
//! places in the source and debug information follow.
//!
//! ```text
//! selvedge program 1
//! entry fn1
//!
//! @0 counter: 4 bytes, align 4, v0                     globals: name, size, properties, variable
//!
//! fn0 next(%0 i32, %1 ptr) -> (i32) !1                 functions: parameters, results, place in the source
//!   s0: 4 bytes, align 4, scoped, v1                   local objects
//! b0:                                                  blocks, with parameters like b1(%5 i32):
//!   %2 i32 = Load.i32.Plain @0 !2                      results and their types, what is done, operands
//!   %3 i1 = SLt.i32 %2, %0
//!   branch %3, b1(%2), b1(i32 7)                       how the block ends
//! …
//! contents @0: "\x01" zeros 20, 8 -> @0+4              bytes; addresses among them
//! file 1 "counter.c"
//! scope 1 next                                         functions of the source
//! !1 = 1:3:5 in 1                                      file:line:column in a scope
//! t0 = scalar "int" 4 bytes Signed                     types of the source
//! v0 counter: t0 !1                                    variables of the source
//! names fn0: %2 v1                                     which variables values hold
//! ```
//!
//! Operands are values (`%2`), constants (`i32 7`, `f64 1.5`), addresses of globals and functions (`@0+4`, `&fn0`), and what
//! may be anything (`i32 undefined`). A call is written with its own signature (`Call fn0(%1) as (ptr) -> (i32)`) where that is
//! not the function's.

mod body;
mod cursor;
mod names;
mod parse;
mod print;

pub use cursor::ParseError;
pub use parse::parse;

/// The first line, with the version of the form.
const HEADER: &str = "selvedge program 1";

#[cfg(test)]
mod tests;
