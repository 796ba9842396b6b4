//! Words for things.

use selvedge_program::TrapReason;

/// What a trap means.
pub fn trap(reason: TrapReason) -> String {
    let check = match reason {
        TrapReason::Trap => return "a trap was reached (`__builtin_trap`)".to_owned(),
        // The numbers of clang's `SanitizerHandler`, in its order.
        TrapReason::Sanitizer(0) => "integer addition overflows",
        TrapReason::Sanitizer(1) => "`__builtin_unreachable` was reached",
        TrapReason::Sanitizer(3) => "division overflows or divides by zero",
        TrapReason::Sanitizer(5) => "a floating-point conversion overflows",
        TrapReason::Sanitizer(7) => "an implicit conversion changes the value",
        TrapReason::Sanitizer(10) => "a value is invalid for its type",
        TrapReason::Sanitizer(11) => "a function ends without returning a value",
        TrapReason::Sanitizer(12) => "integer multiplication overflows",
        TrapReason::Sanitizer(13) => "integer negation overflows",
        TrapReason::Sanitizer(14) => "a null pointer is passed or returned where it is forbidden",
        TrapReason::Sanitizer(18) => "an array index is out of bounds",
        TrapReason::Sanitizer(19) => "pointer arithmetic overflows",
        TrapReason::Sanitizer(20) => "a shift amount or shifted value is out of range",
        TrapReason::Sanitizer(21) => "integer subtraction overflows",
        TrapReason::Sanitizer(22) => "an access is misaligned, or outside its object",
        TrapReason::Sanitizer(_) => "a check of the undefined-behaviour sanitizer failed",
    };
    format!("{check} (a check compiled in with -fsanitize)")
}
