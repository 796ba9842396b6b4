//! The rules of what functions refer to: globals, places in the source, variables and types.

use super::Problem;
use crate::*;

/// Checks everything but the functions.
pub(super) fn check(program: &Program) -> Result<(), Problem> {
    entry(program).map_err(|what| Problem { place: "the start of the program".to_owned(), what })?;
    for (number, global) in program.globals.iter().enumerate() {
        let place = || format!("global @{number} {}", global.name);
        self::global(program, global).map_err(|what| Problem { place: place(), what })?;
    }
    source(&program.source).map_err(|what| Problem { place: "the places in the source".to_owned(), what })?;
    debug(program).map_err(|what| Problem { place: "the variables of the source".to_owned(), what })
}

/// Whether a symbol exists and has an address that all threads share.
pub(super) fn symbol(program: &Program, symbol: Symbol) -> Result<(), String> {
    match symbol {
        Symbol::Global(id) => match program.globals.get(id.index()) {
            Some(global) if global.thread_local => Err(format!("@{} is thread-local", id.0)),
            Some(_) => Ok(()),
            None => Err(format!("there is no global @{}", id.0)),
        },
        Symbol::Function(id) if id.index() < program.functions.len() => Ok(()),
        Symbol::Function(id) => Err(format!("there is no function fn{}", id.0)),
    }
}

fn entry(program: &Program) -> Result<(), String> {
    let Some(id) = program.entry else { return Ok(()) };
    let Some(entry) = program.functions.get(id.index()) else {
        return Err(format!("there is no function fn{}", id.0));
    };
    let Signature { params, results, variadic } = &entry.signature;
    let takes = *params == [Type::I32, Type::Ptr, Type::Ptr] && results.is_empty() && !variadic;
    match takes && !entry.is_external() {
        true => Ok(()),
        false => Err(format!("{} is no function of argc, argv and envp", entry.name)),
    }
}

fn global(program: &Program, global: &Global) -> Result<(), String> {
    if !global.align.is_power_of_two() {
        return Err(format!("the alignment is {}", global.align));
    }
    if global.bytes.len() as u64 > global.size {
        return Err(format!("it has {} bytes, but more contents", global.size));
    }
    for relocation in &global.relocations {
        if relocation.offset.checked_add(8).is_none_or(|end| end > global.size) {
            return Err(format!("an address at {} is outside", relocation.offset));
        }
        symbol(program, relocation.symbol)?;
    }
    match global.variable.is_some_and(|variable| variable.index() >= program.variables.len()) {
        true => Err("it is a variable that does not exist".to_owned()),
        false => Ok(()),
    }
}

fn source(source: &SourceMap) -> Result<(), String> {
    let unknown = SourceMap::default();
    let begins = source.files.starts_with(&unknown.files)
        && source.scopes.starts_with(&unknown.scopes)
        && source.spans.starts_with(&unknown.spans);
    if !begins {
        return Err("the first entries do not mean \"unknown\"".to_owned());
    }
    for (number, span) in source.spans.iter().enumerate() {
        if span.file.index() >= source.files.len() || span.scope.index() >= source.scopes.len() {
            return Err(format!("span {number} is in a file or scope that does not exist"));
        }
    }
    scopes(source)
}

/// Each scope is inlined in others, up to one that is not inlined.
fn scopes(source: &SourceMap) -> Result<(), String> {
    // For each scope, from which one it was found first.
    let mut found_from = vec![None; source.scopes.len()];
    for number in 0..source.scopes.len() {
        let mut scope = number;
        while found_from[scope].is_none() {
            found_from[scope] = Some(number);
            let Some(span) = source.scopes[scope].inlined_at else { break };
            let Some(span) = source.spans.get(span.index()) else {
                return Err(format!("scope {scope} is inlined at a span that does not exist"));
            };
            scope = span.scope.index();
            if found_from[scope] == Some(number) {
                return Err(format!("scope {scope} is inlined in itself"));
            }
        }
    }
    Ok(())
}

fn debug(program: &Program) -> Result<(), String> {
    let is_type = |ty: Option<DebugTypeId>| ty.is_none_or(|ty| ty.index() < program.types.len());
    let is_span = |span: SpanId| span.index() < program.source.spans.len();
    for (number, ty) in program.types.iter().enumerate() {
        let refers_to_types = match ty {
            DebugType::Scalar { .. } => true,
            DebugType::Pointer { to } | DebugType::Alias { to } => is_type(*to),
            DebugType::Array { element, .. } => is_type(*element),
            DebugType::Aggregate { members, .. } => members.iter().all(|member| is_type(member.ty)),
        };
        if !refers_to_types {
            return Err(format!("type t{number} refers to one that does not exist"));
        }
    }
    for (number, variable) in program.variables.iter().enumerate() {
        if !is_type(variable.ty) || !is_span(variable.span) {
            return Err(format!("variable v{number} has a type or a span that does not exist"));
        }
    }
    match program.miscompiled.iter().all(|one| is_span(one.span)) {
        true => Ok(()),
        false => Err("a miscompiled expression is at a span that does not exist".to_owned()),
    }
}
