//! Expressions for which the compiler's code does not do what C says: in words.

use crate::excerpt::{Styles, Writer};
use selvedge_program::{Deviation, Miscompiled, Program};
use selvedge_trace::execution::Execution;

/// What there is to say of one.
pub struct Words {
    /// What is wrong.
    pub summary: String,
    /// What the C standard says.
    pub standard: &'static str,
    /// What the compiler's code does.
    pub compiler: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

/// An expression in words.
pub fn words(miscompiled: &Miscompiled) -> Words {
    let object = match &miscompiled.object {
        Some(name) => format!("`{name}`"),
        None => "an atomic object".to_owned(),
    };
    match miscompiled.deviation {
        deviation @ (Deviation::StalePointer | Deviation::StaleValue) => Words {
            summary: format!(
                "the compiler gives `++` or `--` on {object} the wrong value if threads interfere"
            ),
            standard: "the value is that which the update has replaced",
            compiler: "the value is that of a load before the update; if another thread writes in between, it is not the \
                       value that was replaced",
            instead: match deviation {
                Deviation::StalePointer => "`atomic_fetch_add(&pointer, 1)`, or `atomic_fetch_sub`",
                _ => "a loop with `atomic_compare_exchange_weak`",
            },
        },
        Deviation::NotBoolean => Words {
            summary: format!("the compiler can store a wrong value in {object}, which is a `_Bool`"),
            standard: "the result is converted to `_Bool`: 0, or else 1",
            compiler: "the low byte of the result is stored, also if it is neither 0 nor 1; reading 2 then gives 0, and an update that finds other than 0 or 1 \
                       never ends",
            instead: "an operand that is 0 or 1 (`flag |= x != 0`), `atomic_store`, or a loop with \
                      `atomic_compare_exchange_weak`",
        },
        Deviation::TakenAsUnsigned => Words {
            summary: format!("the compiler can store a wrong value in {object} if numbers are negative"),
            standard: "the operation is that on the signed value",
            compiler: "the old value is taken for an unsigned one: -2 in a `signed char` counts as 254",
            instead: "a loop with `atomic_compare_exchange_weak`",
        },
        Deviation::OperandTruncated => Words {
            summary: format!("the compiler adds a floating-point operand to {object} without its fraction"),
            standard: "the sum is computed in floating point, and then converted",
            compiler: "the operand is converted to an integer first: -3 += 2.5 gives -1, not 0",
            instead: "a loop with `atomic_compare_exchange_weak`",
        },
    }
}

/// A warning for each expression of the program.
pub fn warnings(program: &Program, styles: Styles) -> String {
    let mut writer = Writer::new(program, styles);
    for miscompiled in &program.miscompiled {
        let words = words(miscompiled);
        writer.warning("miscompiled", &words.summary);
        writer.place(miscompiled.span);
        writer.note(&format!("C: {}", words.standard));
        writer.note(&format!("clang 22: {}", words.compiler));
        writer.note("selvedge checks the program as it is compiled; a native binary does the same");
        writer.note(&format!("write instead: {}", words.instead));
    }
    writer.text
}

/// Those that take part in an execution, each with a note to its report.
pub fn in_execution<'p>(program: &'p Program, execution: &Execution) -> Vec<(&'p Miscompiled, String)> {
    let takes_part =
        |miscompiled: &&Miscompiled| execution.steps.iter().any(|step| step.span == miscompiled.span);
    let note = |miscompiled: &'p Miscompiled| {
        (miscompiled, format!("part of this execution: {}", words(miscompiled).summary))
    };
    program.miscompiled.iter().filter(takes_part).map(note).collect()
}
