//! Integers of more than 128 bits.
//!
//! Portable C has none, but clang accesses a run of bit-fields of a packed struct as one integer, however
//! long. Such an integer is taken apart into limbs of 64 bits (the last one shorter), low limb first; what
//! bit-field code does with it is done limb by limb: bitwise operations, shifts by constants, conversions,
//! comparison for equality. Arithmetic proper is not supported.

use crate::body::{BodyTranslator, Translated};
use crate::layout::Unsupported;
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, Ty, Value};
use selvedge_program::*;

/// Width of a limb.
const LIMB: u32 = 64;
/// Bit-field runs are not longer than this.
const MAX_BITS: u32 = 1 << 16;

/// The width of an integer type of more than 128 bits.
pub fn big_width(ty: Ty<'_>) -> Option<u32> {
    (ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| ty.int_width()).filter(|width| *width > 128)
}

/// The types of the limbs of an integer of that width.
pub fn limbs(width: u32) -> Result<Vec<Type>, Unsupported> {
    if width > MAX_BITS {
        return Err(Unsupported(format!("an integer of {width} bits")));
    }
    let count = width.div_ceil(LIMB);
    let last = width - (count - 1) * LIMB;
    Ok((0..count).map(|n| if n + 1 == count { Type::Int(last as u8) } else { Type::I64 }).collect())
}

/// The limbs of a constant, from its decimal digits.
pub fn constant_limbs(constant: Value<'_>, width: u32) -> Result<Vec<u64>, Unsupported> {
    let printed = constant.print();
    let unsupported = || Unsupported(format!("the constant `{printed}`"));
    let text = printed.rsplit(' ').next().unwrap_or_default();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut value = vec![0u64; width.div_ceil(LIMB) as usize];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit.checked_sub(b'0').filter(|d| *d < 10).ok_or_else(unsupported)?);
        for limb in &mut value {
            let product = u128::from(*limb) * 10 + carry;
            *limb = product as u64;
            carry = product >> LIMB;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut value {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
    }
    let rest = width % LIMB;
    if rest != 0
        && let Some(last) = value.last_mut()
    {
        *last &= (1 << rest) - 1;
    }
    Ok(value)
}

impl<'c> BodyTranslator<'_, 'c> {
    /// Translates an instruction on big integers; returns whether it was one.
    pub fn big_instruction(&mut self, i: Value<'c>) -> Translated<bool> {
        let involved = |ty| big_width(ty).is_some();
        if i.operand_count() == 0 || !(involved(i.ty()) || involved(i.operand(0).ty())) {
            return Ok(false);
        }
        use LLVMOpcode::*;
        match i.opcode() {
            LLVMAnd | LLVMOr | LLVMXor => {
                let op = match i.opcode() {
                    LLVMAnd => BinaryOp::And,
                    LLVMOr => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                self.lanes2(i, |this, ty, lhs, rhs| this.emit(InstKind::Binary { op, ty, lhs, rhs }, ty))?;
            }
            LLVMShl | LLVMLShr | LLVMAShr => self.big_shift(i)?,
            LLVMTrunc | LLVMZExt | LLVMSExt => self.big_cast(i)?,
            LLVMICmp => self.big_compare(i)?,
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMUIToFP
            | LLVMSIToFP | LLVMFPToUI | LLVMFPToSI | LLVMBitCast => {
                let width = big_width(i.ty()).or(big_width(i.operand(0).ty())).unwrap_or_default();
                return Err(Unsupported(format!("arithmetic on integers of {width} bits (128 is the most)")));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Limbs of an operand that may be big or not, as 64-bit operands.
    fn limbs64(&mut self, value: Value<'c>) -> Translated<(Vec<Operand>, u32)> {
        let width = value.ty().int_width();
        let types: Vec<Type> = self.leaves(value.ty())?.iter().map(|leaf| leaf.ty).collect();
        let operands = self.operands(value)?;
        let mut limbs = Vec::new();
        for (operand, from) in operands.into_iter().zip(types) {
            if from.is_wide() {
                limbs.push(self.convert(CastOp::Truncate, operand, from, Type::I64));
                let rhs = Operand::Const(from, u128::from(LIMB));
                let kind = InstKind::Binary { op: BinaryOp::LShr, ty: from, lhs: operand, rhs };
                let high = self.emit(kind, from);
                limbs.push(self.convert(CastOp::Truncate, high, from, Type::I64));
            } else {
                limbs.push(self.convert(CastOp::ZeroExtend, operand, from, Type::I64));
            }
        }
        Ok((limbs, width))
    }

    fn convert(&mut self, op: CastOp, value: Operand, from: Type, to: Type) -> Operand {
        match from == to {
            true => value,
            false => self.emit(InstKind::Cast { op, from, to, value }, to),
        }
    }

    fn limb_op(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(InstKind::Binary { op, ty: Type::I64, lhs, rhs }, Type::I64)
    }

    /// Defines a result of the given type from 64-bit limbs (excess ones are dropped).
    fn define_limbs(&mut self, i: Value<'c>, limbs64: Vec<Operand>) -> Translated {
        let types: Vec<Type> = self.leaves(i.ty())?.iter().map(|leaf| leaf.ty).collect();
        let mut limbs64 = limbs64.into_iter();
        let zero = Operand::Const(Type::I64, 0);
        let mut results = Vec::new();
        for ty in types {
            let low = limbs64.next().unwrap_or(zero);
            if !ty.is_wide() {
                results.push(self.convert(CastOp::Truncate, low, Type::I64, ty));
                continue;
            }
            let high = limbs64.next().unwrap_or(zero);
            let low = self.convert(CastOp::ZeroExtend, low, Type::I64, Type::Int(128));
            let high = self.convert(CastOp::ZeroExtend, high, Type::I64, Type::Int(128));
            let wide = Type::Int(128);
            let rhs = Operand::Const(wide, u128::from(LIMB));
            let high = self.emit(InstKind::Binary { op: BinaryOp::Shl, ty: wide, lhs: high, rhs }, wide);
            let both = self.emit(InstKind::Binary { op: BinaryOp::Or, ty: wide, lhs: low, rhs: high }, wide);
            results.push(self.convert(CastOp::Truncate, both, wide, ty));
        }
        self.define(i, results);
        Ok(())
    }

    /// All ones if the number is negative, else zero.
    fn sign_limb(&mut self, limbs: &[Operand], width: u32) -> Operand {
        let top = limbs[((width - 1) / LIMB) as usize];
        let position = (width - 1) % LIMB;
        let left = Operand::Const(Type::I64, u128::from(LIMB - 1 - position));
        let moved = self.limb_op(BinaryOp::Shl, top, left);
        self.limb_op(BinaryOp::AShr, moved, Operand::Const(Type::I64, u128::from(LIMB - 1)))
    }

    /// Sets the bits of the top limb above the number's width to its sign.
    fn extend_sign(&mut self, limbs: &mut [Operand], width: u32) -> Operand {
        let sign = self.sign_limb(limbs, width);
        let used = width % LIMB;
        if used != 0 {
            let index = (width / LIMB) as usize;
            let shift = Operand::Const(Type::I64, u128::from(LIMB - used));
            let moved = self.limb_op(BinaryOp::Shl, limbs[index], shift);
            limbs[index] = self.limb_op(BinaryOp::AShr, moved, shift);
        }
        sign
    }

    fn big_shift(&mut self, i: Value<'c>) -> Translated {
        let amount = i.operand(1);
        if !amount.is_constant_int() {
            return Err(Unsupported("a shift of a large integer by a variable amount".to_owned()));
        }
        let (mut limbs, width) = self.limbs64(i.operand(0))?;
        let amount = constant_limbs(amount, amount.ty().int_width())?[0].min(u64::from(width)) as usize;
        let (whole, part) = (amount / LIMB as usize, amount as u32 % LIMB);
        let right = i.opcode() != LLVMOpcode::LLVMShl;
        let fill = match i.opcode() {
            LLVMOpcode::LLVMAShr => self.extend_sign(&mut limbs, width),
            _ => Operand::Const(Type::I64, 0),
        };
        let limb = |at: isize| match usize::try_from(at).ok().and_then(|at| limbs.get(at)) {
            Some(limb) => *limb,
            None if at < 0 => Operand::Const(Type::I64, 0),
            None => fill,
        };
        let mut pairs = Vec::new();
        for n in 0..limbs.len() as isize {
            let (near, far) = match right {
                true => (n + whole as isize, n + whole as isize + 1),
                false => (n - whole as isize, n - whole as isize - 1),
            };
            pairs.push((limb(near), limb(far)));
        }
        let (near_op, far_op) =
            if right { (BinaryOp::LShr, BinaryOp::Shl) } else { (BinaryOp::Shl, BinaryOp::LShr) };
        let mut results = Vec::new();
        for (near, far) in pairs {
            if part == 0 {
                results.push(near);
                continue;
            }
            let near = self.limb_op(near_op, near, Operand::Const(Type::I64, u128::from(part)));
            let far = self.limb_op(far_op, far, Operand::Const(Type::I64, u128::from(LIMB - part)));
            results.push(self.limb_op(BinaryOp::Or, near, far));
        }
        self.define_limbs(i, results)
    }

    fn big_cast(&mut self, i: Value<'c>) -> Translated {
        let (mut limbs, width) = self.limbs64(i.operand(0))?;
        if i.opcode() == LLVMOpcode::LLVMSExt {
            let sign = self.extend_sign(&mut limbs, width);
            limbs.resize(i.ty().int_width().div_ceil(LIMB) as usize, sign);
        }
        self.define_limbs(i, limbs)
    }

    fn big_compare(&mut self, i: Value<'c>) -> Translated {
        let equal = match i.int_predicate() {
            LLVMIntPredicate::LLVMIntEQ => true,
            LLVMIntPredicate::LLVMIntNE => false,
            _ => return Err(Unsupported("an ordering of large integers".to_owned())),
        };
        let (left, _) = self.limbs64(i.operand(0))?;
        let (right, _) = self.limbs64(i.operand(1))?;
        let mut difference = Operand::Const(Type::I64, 0);
        for (lhs, rhs) in left.into_iter().zip(right) {
            let here = self.limb_op(BinaryOp::Xor, lhs, rhs);
            difference = self.limb_op(BinaryOp::Or, difference, here);
        }
        let op = if equal { IntCompare::Eq } else { IntCompare::Ne };
        let rhs = Operand::Const(Type::I64, 0);
        let result = self.emit(InstKind::Compare { op, ty: Type::I64, lhs: difference, rhs }, Type::BOOL);
        self.define(i, vec![result]);
        Ok(())
    }
}
