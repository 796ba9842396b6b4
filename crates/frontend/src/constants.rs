//! Constants: operands of instructions, and the bytes of initialisers.

use crate::big::{big_width, constant_limbs, limbs};
use crate::layout::{Unsupported, leaves, scalar};
use crate::llvm::{LLVMOpcode, LLVMTypeKind, Module, Ty, Value};
use crate::translate::Translator;
use selvedge_program::scalar::{mask, signed};
use selvedge_program::{Operand, Relocation, Symbol, Type};

/// A scalar constant: a number, or an address plus an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// Bits of an integer, pointer or float.
    Bits(u128),
    /// An address.
    Address(Symbol, i64),
    /// Any value.
    Undefined,
}

/// Initial contents of a global.
#[derive(Debug, Default)]
pub struct Contents {
    /// The bytes, without trailing zeros.
    pub bytes: Vec<u8>,
    /// Addresses among them.
    pub relocations: Vec<Relocation>,
}

impl<'c> Translator<'c> {
    /// The scalars of a constant of any type.
    pub fn constant(&mut self, module: Module<'c>, constant: Value<'c>) -> Result<Vec<Operand>, Unsupported> {
        let mut result = Vec::new();
        self.constant_leaves(module, constant, &mut result)?;
        Ok(result)
    }

    fn constant_leaves(
        &mut self,
        module: Module<'c>,
        constant: Value<'c>,
        into: &mut Vec<Operand>,
    ) -> Result<(), Unsupported> {
        let ty = constant.ty();
        if let Some(ty) = scalar(ty)? {
            into.push(match self.scalar_constant(module, constant)? {
                Scalar::Bits(bits) => Operand::Const(ty, bits),
                Scalar::Address(symbol, offset) => Operand::Address(symbol, offset),
                Scalar::Undefined => Operand::Undefined(ty),
            });
            return Ok(());
        }
        if constant.is_undefined() {
            into.extend(leaves(module, ty)?.iter().map(|leaf| Operand::Undefined(leaf.ty)));
        } else if constant.is_zero_aggregate() {
            into.extend(leaves(module, ty)?.iter().map(|leaf| Operand::Const(leaf.ty, 0)));
        } else if let Some(width) = big_width(ty) {
            let values = constant_limbs(constant, width)?;
            let limbs = limbs(width)?.into_iter().zip(values);
            into.extend(limbs.map(|(ty, value)| Operand::Const(ty, u128::from(value))));
        } else {
            for index in 0..element_count(ty) {
                let Some(element) = constant.aggregate_element(index) else {
                    return Err(Unsupported(format!("the constant `{}`", constant.print())));
                };
                self.constant_leaves(module, element, into)?;
            }
        }
        Ok(())
    }

    /// A scalar constant.
    pub fn scalar_constant(
        &mut self,
        module: Module<'c>,
        constant: Value<'c>,
    ) -> Result<Scalar, Unsupported> {
        if constant.is_constant_int() {
            return Ok(Scalar::Bits(constant.int_value()));
        }
        if constant.is_constant_float() {
            return Ok(Scalar::Bits(u128::from(constant.float_bits())));
        }
        if constant.is_null_pointer() {
            return Ok(Scalar::Bits(0));
        }
        if constant.is_undefined() {
            return Ok(Scalar::Undefined);
        }
        if constant.is_function() || constant.is_global() {
            let symbol = self.symbol(module, constant)?;
            return match symbol {
                Symbol::Global(id) if self.program.global(id).thread_local => Err(Unsupported(format!(
                    "the address of the thread-local `{}` as a constant",
                    constant.name()
                ))),
                _ => Ok(Scalar::Address(symbol, 0)),
            };
        }
        if constant.is_alias() {
            let (target, target_module) = self.resolve(module, constant);
            if target.is_alias() {
                return self.scalar_constant(target_module, target.aliasee());
            }
            return self.scalar_constant(target_module, target);
        }
        if constant.is_constant_expr() {
            return self.constant_expression(module, constant);
        }
        if constant.is_block_address() {
            return Err(Unsupported("the address of a label (computed goto)".to_owned()));
        }
        Err(Unsupported(format!("the constant `{}`", constant.print())))
    }

    fn constant_expression(
        &mut self,
        module: Module<'c>,
        expression: Value<'c>,
    ) -> Result<Scalar, Unsupported> {
        let unsupported = || Err(Unsupported(format!("the constant expression `{}`", expression.print())));
        let bits = scalar(expression.ty())?.map_or(64, Type::bits);
        let low = |value: u128| value & mask(bits);
        match expression.constant_opcode() {
            LLVMOpcode::LLVMGetElementPtr => {
                let base = self.scalar_constant(module, expression.operand(0))?;
                let mut offset = 0i64;
                let mut ty = expression.gep_source_type();
                for index in 1..expression.operand_count() {
                    let Scalar::Bits(number) = self.scalar_constant(module, expression.operand(index))?
                    else {
                        return unsupported();
                    };
                    let width = expression.operand(index).ty().int_width();
                    let number = sign_extend(number, width);
                    let step;
                    (step, ty) = gep_step(module, ty, index == 1, number);
                    offset = offset.wrapping_add(step);
                }
                Ok(add(base, offset))
            }
            LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMAddrSpaceCast => match self.scalar_constant(module, expression.operand(0))? {
                Scalar::Bits(value) => Ok(Scalar::Bits(low(value))),
                address @ Scalar::Address(..) if bits == 64 => Ok(address),
                Scalar::Undefined => Ok(Scalar::Undefined),
                Scalar::Address(..) => unsupported(),
            },
            LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMXor => {
                let left = self.scalar_constant(module, expression.operand(0))?;
                let right = self.scalar_constant(module, expression.operand(1))?;
                match (expression.constant_opcode(), left, right) {
                    (LLVMOpcode::LLVMAdd, Scalar::Address(..), Scalar::Bits(n)) => Ok(add(left, n as i64)),
                    (LLVMOpcode::LLVMAdd, Scalar::Bits(n), Scalar::Address(..)) => Ok(add(right, n as i64)),
                    (LLVMOpcode::LLVMSub, Scalar::Address(..), Scalar::Bits(n)) => {
                        Ok(add(left, (n as i64).wrapping_neg()))
                    }
                    (LLVMOpcode::LLVMSub, Scalar::Address(a, m), Scalar::Address(b, n)) if a == b => {
                        Ok(Scalar::Bits(low(m.wrapping_sub(n) as u128)))
                    }
                    (LLVMOpcode::LLVMAdd, Scalar::Bits(m), Scalar::Bits(n)) => {
                        Ok(Scalar::Bits(low(m.wrapping_add(n))))
                    }
                    (LLVMOpcode::LLVMSub, Scalar::Bits(m), Scalar::Bits(n)) => {
                        Ok(Scalar::Bits(low(m.wrapping_sub(n))))
                    }
                    (LLVMOpcode::LLVMXor, Scalar::Bits(m), Scalar::Bits(n)) => Ok(Scalar::Bits(m ^ n)),
                    _ => unsupported(),
                }
            }
            _ => unsupported(),
        }
    }

    /// The contents of a global's initialiser.
    pub fn contents(&mut self, module: Module<'c>, initializer: Value<'c>) -> Result<Contents, Unsupported> {
        let mut contents = Contents::default();
        self.write_constant(module, initializer, 0, &mut contents)?;
        Ok(contents)
    }

    fn write_constant(
        &mut self,
        module: Module<'c>,
        constant: Value<'c>,
        offset: u64,
        into: &mut Contents,
    ) -> Result<(), Unsupported> {
        if constant.is_zero_aggregate() || constant.is_undefined() || constant.is_null_pointer() {
            return Ok(());
        }
        if let Some(text) = constant.string_bytes() {
            write_bytes(&mut into.bytes, offset, &text);
            return Ok(());
        }
        let ty = constant.ty();
        match ty.kind() {
            LLVMTypeKind::LLVMX86_FP80TypeKind => {
                // Only data: using it as a number is what is not supported. LLVM prints "0xK" and 20 digits.
                let printed = constant.print();
                let digits = printed.rsplit("0xK").next().unwrap_or_default();
                let value = u128::from_str_radix(digits, 16)
                    .map_err(|_| Unsupported(format!("the constant `{printed}`")))?;
                write_bytes(&mut into.bytes, offset, &value.to_le_bytes()[..10]);
                return Ok(());
            }
            LLVMTypeKind::LLVMIntegerTypeKind if ty.int_width() > 128 => {
                let width = ty.int_width();
                let limbs = constant_limbs(constant, width)?;
                let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
                write_bytes(&mut into.bytes, offset, &bytes[..width.div_ceil(8) as usize]);
                return Ok(());
            }
            _ => {}
        }
        if let Some(scalar_type) = scalar(ty)? {
            match self.scalar_constant(module, constant)? {
                Scalar::Bits(bits) => {
                    let bytes = &bits.to_le_bytes()[..scalar_type.bytes() as usize];
                    write_bytes(&mut into.bytes, offset, bytes);
                }
                Scalar::Address(symbol, addend) => {
                    write_bytes(&mut into.bytes, offset, &[0; 8]);
                    into.relocations.push(Relocation { offset, symbol, addend });
                }
                Scalar::Undefined => {}
            }
            return Ok(());
        }
        for index in 0..element_count(ty) {
            let Some(element) = constant.aggregate_element(index) else {
                return Err(Unsupported(format!("the initialiser `{}`", constant.print())));
            };
            let at = match ty.kind() {
                LLVMTypeKind::LLVMStructTypeKind => module.offset_of(ty, index as u32),
                LLVMTypeKind::LLVMVectorTypeKind => {
                    index * scalar(ty.element())?.map_or(8, |lane| u64::from(lane.bytes()))
                }
                _ => index * module.size_of(ty.element()),
            };
            self.write_constant(module, element, offset + at, into)?;
        }
        Ok(())
    }
}

fn write_bytes(into: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
    let start = offset as usize;
    if into.len() < start + bytes.len() {
        into.resize(start + bytes.len(), 0);
    }
    into[start..start + bytes.len()].copy_from_slice(bytes);
}

fn element_count(ty: Ty<'_>) -> u64 {
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => u64::from(ty.field_count()),
        _ => ty.length(),
    }
}

fn add(base: Scalar, offset: i64) -> Scalar {
    match base {
        Scalar::Bits(bits) => Scalar::Bits(u128::from((bits as u64).wrapping_add(offset as u64))),
        Scalar::Address(symbol, addend) => Scalar::Address(symbol, addend.wrapping_add(offset)),
        Scalar::Undefined => Scalar::Undefined,
    }
}

/// The value of the low `width` bits as a signed number.
pub fn sign_extend(value: u128, width: u32) -> i64 {
    signed(value, width.clamp(1, 128)) as i64
}

/// One constant step of a `getelementptr`: the bytes it moves, and the type it arrives at. The first
/// index steps over whole objects of the source type.
pub fn gep_step<'c>(module: Module<'c>, ty: Ty<'c>, first: bool, index: i64) -> (i64, Ty<'c>) {
    if first {
        return (index.wrapping_mul(module.size_of(ty) as i64), ty);
    }
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => {
            let index = index as u32;
            (module.offset_of(ty, index) as i64, ty.struct_field(index))
        }
        _ => (index.wrapping_mul(module.size_of(ty.element()) as i64), ty.element()),
    }
}
