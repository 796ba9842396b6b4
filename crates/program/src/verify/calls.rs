//! Calls: whether they are well formed, and whether they fit what they call.

use super::Problem;
use crate::*;

/// Checks that direct calls have the types of the functions they call, and that functions with the names of builtins are
/// declared as these are. Compiled C programs need not: that is for programs made by hand.
pub fn verify_calls(program: &Program) -> Result<(), Problem> {
    for function in &program.functions {
        let problem = |what| Problem { place: format!("function {}", function.name), what };
        if let Some(builtin) = Builtin::find(&function.name).filter(|_| function.is_external()) {
            let expected = Signature::of_builtin(builtin);
            expected
                .accepts(&function.signature, function.signature.params.len())
                .map_err(|mismatch| problem(format!("it is a builtin of another type: {mismatch}")))?;
        }
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let InstKind::Call(call) = &inst.kind else { continue };
            let Callee::Function(id) = call.callee else { continue };
            let Some(callee) = program.functions.get(id.index()) else { continue };
            callee
                .signature
                .accepts(&call.signature, call.fixed)
                .map_err(|mismatch| problem(format!("{mismatch}, in `{}`", inst.kind)))?;
        }
    }
    Ok(())
}

/// Whether the call says which arguments are fixed and which variadic, and lays out the latter.
pub(super) fn layout(call: &Call) -> Result<(), &'static str> {
    let Some(variadic) = &call.variadic else {
        return match !call.signature.variadic && call.fixed == call.args.len() {
            true => Ok(()),
            false => Err("all arguments are fixed, unless the signature is variadic"),
        };
    };
    if !call.signature.variadic || call.fixed.checked_add(variadic.args.len()) != Some(call.args.len()) {
        return Err("each variadic argument has one place");
    }
    let fits = |(place, ty): (&VariadicArg, &Type)| {
        let size = place.by_value.unwrap_or(u64::from(ty.bytes()));
        let end = u64::from(place.offset).checked_add(size);
        let is_address = place.by_value.is_none() || *ty == Type::Ptr;
        is_address && end.is_some_and(|end| end <= u64::from(variadic.size))
    };
    match variadic.args.iter().zip(&call.signature.params[call.fixed..]).all(fits) {
        true => Ok(()),
        false => Err("a variadic argument is outside the block of arguments"),
    }
}
