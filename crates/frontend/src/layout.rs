//! LLVM types taken apart into the scalars of [`selvedge_program`].

use crate::big::limbs;
use crate::llvm::{LLVMTypeKind, Module, Ty};
use selvedge_program::Type;

/// A construct that is not translated: its name, for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// One scalar of a first-class value, and where it lies when the value is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Offset in bytes.
    pub offset: u64,
    /// The scalar's type.
    pub ty: Type,
}

/// How many scalars a value may have; a larger first-class aggregate is not translated.
const MAX_LEAVES: usize = 4096;

/// The scalar type, if `ty` is one.
pub fn scalar(ty: Ty<'_>) -> Result<Option<Type>, Unsupported> {
    use LLVMTypeKind::*;
    let unsupported = |what: String| Err(Unsupported(what));
    match ty.kind() {
        LLVMIntegerTypeKind => match ty.int_width() {
            width @ 1..=128 => Ok(Some(Type::Int(width as u8))),
            _ => Ok(None), // Taken apart: see `big`.
        },
        LLVMFloatTypeKind => Ok(Some(Type::F32)),
        LLVMDoubleTypeKind => Ok(Some(Type::F64)),
        LLVMPointerTypeKind => Ok(Some(Type::Ptr)),
        LLVMStructTypeKind | LLVMArrayTypeKind | LLVMVectorTypeKind | LLVMVoidTypeKind => Ok(None),
        LLVMX86_FP80TypeKind => unsupported("`long double`".to_owned()),
        LLVMHalfTypeKind | LLVMBFloatTypeKind => unsupported("16-bit floating point".to_owned()),
        LLVMFP128TypeKind => unsupported("128-bit floating point".to_owned()),
        _ => unsupported(format!("a value of type `{}`", ty.print())),
    }
}

/// The scalars of a type, in order.
pub fn leaves<'c>(module: Module<'c>, ty: Ty<'c>) -> Result<Vec<Leaf>, Unsupported> {
    let mut result = Vec::new();
    collect(module, ty, 0, &mut result)?;
    Ok(result)
}

fn collect<'c>(module: Module<'c>, ty: Ty<'c>, offset: u64, into: &mut Vec<Leaf>) -> Result<(), Unsupported> {
    if let Some(ty) = scalar(ty)? {
        into.push(Leaf { offset, ty });
    } else {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => {
                for (index, ty) in limbs(ty.int_width())?.into_iter().enumerate() {
                    into.push(Leaf { offset: offset + 8 * index as u64, ty });
                }
            }
            LLVMTypeKind::LLVMStructTypeKind => {
                for (index, field) in ty.struct_fields().into_iter().enumerate() {
                    collect(module, field, offset + module.offset_of(ty, index as u32), into)?;
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                let element = ty.element();
                // Lanes of a vector are packed, elements of an array padded. (A vector of bits exists
                // in registers only: see `check_memory`.)
                let stride = match (ty.kind(), scalar(element)?) {
                    (LLVMTypeKind::LLVMVectorTypeKind, Some(lane)) => u64::from(lane.bytes()),
                    _ => module.size_of(element),
                };
                for index in 0..ty.length() {
                    if into.len() > MAX_LEAVES {
                        return Err(Unsupported(format!("a value of type `{}`", ty.print())));
                    }
                    collect(module, element, offset + index * stride, into)?;
                }
            }
            _ => {}
        }
    }
    if into.len() > MAX_LEAVES {
        return Err(Unsupported(format!("a value of type `{}`", ty.print())));
    }
    Ok(())
}

/// The position and number of the scalars of the part that `indices` selects.
pub fn part<'c>(module: Module<'c>, ty: Ty<'c>, indices: &[u32]) -> Result<(usize, usize), Unsupported> {
    let Some((first, rest)) = indices.split_first() else {
        return Ok((0, leaves(module, ty)?.len()));
    };
    let mut start = 0;
    let inner = match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => {
            let fields = ty.struct_fields();
            for field in &fields[..*first as usize] {
                start += leaves(module, *field)?.len();
            }
            fields[*first as usize]
        }
        _ => {
            let element = ty.element();
            start += leaves(module, element)?.len() * *first as usize;
            element
        }
    };
    let (offset, count) = part(module, inner, rest)?;
    Ok((start + offset, count))
}

/// Whether values of the type can be loaded and stored scalar by scalar.
pub fn check_memory(ty: Ty<'_>) -> Result<(), Unsupported> {
    if ty.kind() == LLVMTypeKind::LLVMVectorTypeKind {
        let lane = scalar(ty.element())?;
        if lane.is_some_and(|lane| lane.bits() % 8 != 0) {
            return Err(Unsupported(format!("memory of type `{}`", ty.print())));
        }
    }
    Ok(())
}
