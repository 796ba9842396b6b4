//! Arithmetic on scalars of any type: what the instructions mean.
//!
//! Values travel as `u128`, zero-extended. Where C leaves the result undefined but x86-64 at `-O0` gives
//! one, that one is given here (shift amounts are taken modulo the width, conversions of numbers out of
//! range give the "integer indefinite" value), so that programs behave as the native binary does. What
//! stops the native binary (division by zero, `INT_MIN / -1`) is an error.

use crate::{BinaryOp, CastOp, FloatCompare, IntCompare, OverflowOp, RmwOp, Signedness, Type, UnaryOp};

/// Division by zero, or the one signed division that overflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DivisionError {
    /// The divisor is zero.
    ByZero,
    /// The smallest number divided by -1.
    Overflow,
}

/// A number whose low `bits` bits are ones.
#[inline]
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The low `bits` bits as a signed number.
#[inline]
pub fn signed(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}

fn f64_of(value: u128) -> f64 {
    f64::from_bits(value as u64)
}

fn f32_of(value: u128) -> f32 {
    f32::from_bits(value as u32)
}

/// `a op b`.
pub fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> Result<u128, DivisionError> {
    match ty {
        Type::F32 => Ok(u128::from(binary_f32(op, f32_of(a), f32_of(b)).to_bits())),
        Type::F64 => Ok(u128::from(binary_f64(op, f64_of(a), f64_of(b)).to_bits())),
        Type::Int(_) | Type::Ptr => binary_int(op, ty.bits(), a, b),
    }
}

fn binary_int(op: BinaryOp, bits: u32, a: u128, b: u128) -> Result<u128, DivisionError> {
    use BinaryOp::*;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let all = mask(bits);
    let minimum = signed(1 << (bits - 1), bits);
    let maximum = !minimum;
    // The processor takes the amount modulo 32 or 64; odd widths are done by the compiler in the next
    // larger one, where a larger amount is undefined anyway.
    let amount = (b % u128::from(bits.next_power_of_two().max(8))) as u32;
    let saturate = |value: Option<i128>, positive: bool| {
        let value = value.unwrap_or(if positive { maximum } else { minimum });
        value.clamp(minimum, maximum) as u128
    };
    if matches!(op, UDiv | URem | SDiv | SRem) {
        if b == 0 {
            return Err(DivisionError::ByZero);
        }
        if matches!(op, SDiv | SRem) && sa == minimum && sb == -1 {
            return Err(DivisionError::Overflow);
        }
    }
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a / b,
        URem => a % b,
        SDiv => (sa / sb) as u128,
        SRem => (sa % sb) as u128,
        Shl => a.checked_shl(amount).unwrap_or(0),
        LShr => a.checked_shr(amount).unwrap_or(0),
        AShr => (sa >> amount.min(127)) as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        UMin => a.min(b),
        UMax => a.max(b),
        SMin => sa.min(sb) as u128,
        SMax => sa.max(sb) as u128,
        UAddSat => a.checked_add(b).unwrap_or(all).min(all),
        USubSat => a.saturating_sub(b),
        SAddSat => saturate(sa.checked_add(sb), sb >= 0),
        SSubSat => saturate(sa.checked_sub(sb), sb < 0),
        UShlSat => match a.leading_zeros() >= 128 - bits + amount {
            true => a << amount,
            false if a == 0 => 0,
            false => all,
        },
        SShlSat => {
            let shifted = signed((a << amount.min(127)) & all, bits);
            if shifted >> amount.min(127) == sa { shifted as u128 } else { saturate(None, sa >= 0) }
        }
        FAdd | FSub | FMul | FDiv | FRem | FMinNum | FMaxNum | FMinimum | FMaximum | CopySign => 0,
    };
    Ok(result & all)
}

/// Makes the floating-point operations for one width.
macro_rules! float_operations {
    ($binary:ident, $float:ty) => {
        fn $binary(op: BinaryOp, a: $float, b: $float) -> $float {
            use BinaryOp::*;
            match op {
                FAdd => a + b,
                FSub => a - b,
                FMul => a * b,
                FDiv => a / b,
                FRem => a % b,
                FMinNum if a.is_nan() => b,
                FMaxNum if a.is_nan() => b,
                FMinNum | FMaxNum if b.is_nan() => a,
                FMinimum | FMaximum if a.is_nan() => a,
                FMinimum | FMaximum if b.is_nan() => b,
                FMinNum | FMinimum => {
                    let a_first = a < b || (a == b && a.is_sign_negative());
                    if a_first { a } else { b }
                }
                FMaxNum | FMaximum => {
                    let a_first = a > b || (a == b && a.is_sign_positive());
                    if a_first { a } else { b }
                }
                CopySign => a.copysign(b),
                _ => 0.0,
            }
        }
    };
}
float_operations!(binary_f32, f32);
float_operations!(binary_f64, f64);

/// `op a`.
pub fn unary(op: UnaryOp, ty: Type, a: u128) -> u128 {
    use UnaryOp::*;
    let bits = ty.bits();
    match (op, ty) {
        (CountOnes, _) => u128::from(a.count_ones()),
        (LeadingZeros, _) => u128::from(a.leading_zeros() - (128 - bits)),
        (TrailingZeros, _) => u128::from(a.trailing_zeros().min(bits)),
        (SwapBytes, _) => a.swap_bytes() >> (128 - bits),
        (ReverseBits, _) => a.reverse_bits() >> (128 - bits),
        (Abs, _) => signed(a, bits).unsigned_abs() & mask(bits),
        (FNeg, _) => a ^ (1 << (bits - 1)),
        (FAbs, _) => a & !(1 << (bits - 1)),
        (op, Type::F32) => u128::from(round_f32(op, f32_of(a)).to_bits()),
        (op, _) => u128::from(round_f64(op, f64_of(a)).to_bits()),
    }
}

fn round_f32(op: UnaryOp, a: f32) -> f32 {
    match op {
        UnaryOp::Sqrt => a.sqrt(),
        UnaryOp::Floor => a.floor(),
        UnaryOp::Ceil => a.ceil(),
        UnaryOp::Truncate => a.trunc(),
        UnaryOp::Round => a.round(),
        _ => a.round_ties_even(),
    }
}

fn round_f64(op: UnaryOp, a: f64) -> f64 {
    match op {
        UnaryOp::Sqrt => a.sqrt(),
        UnaryOp::Floor => a.floor(),
        UnaryOp::Ceil => a.ceil(),
        UnaryOp::Truncate => a.trunc(),
        UnaryOp::Round => a.round(),
        _ => a.round_ties_even(),
    }
}

/// The wrapped result, and whether it differs from the true one.
pub fn overflow(op: OverflowOp, sign: Signedness, ty: Type, a: u128, b: u128) -> (u128, bool) {
    let bits = ty.bits();
    let all = mask(bits);
    match sign {
        Signedness::Unsigned => {
            let (value, carried) = match op {
                OverflowOp::Add => a.overflowing_add(b),
                OverflowOp::Sub => a.overflowing_sub(b),
                OverflowOp::Mul => a.overflowing_mul(b),
            };
            (value & all, carried || value & !all != 0)
        }
        Signedness::Signed => {
            let (a, b) = (signed(a, bits), signed(b, bits));
            let (value, carried) = match op {
                OverflowOp::Add => a.overflowing_add(b),
                OverflowOp::Sub => a.overflowing_sub(b),
                OverflowOp::Mul => a.overflowing_mul(b),
            };
            let wrapped = value as u128 & all;
            (wrapped, carried || signed(wrapped, bits) != value)
        }
    }
}

/// `high:low` shifted left (the high half) or right (the low half).
pub fn funnel_shift(left: bool, ty: Type, high: u128, low: u128, amount: u128) -> u128 {
    let bits = ty.bits();
    let amount = (amount % u128::from(bits)) as u32;
    let result = match (left, amount) {
        (true, 0) => high,
        (false, 0) => low,
        (true, n) => (high << n) | (low >> (bits - n)),
        (false, n) => (high << (bits - n)) | (low >> n),
    };
    result & mask(bits)
}

/// `a * b + c`, rounded once.
pub fn fused_multiply_add(ty: Type, a: u128, b: u128, c: u128) -> u128 {
    match ty {
        Type::F32 => u128::from(f32_of(a).mul_add(f32_of(b), f32_of(c)).to_bits()),
        _ => u128::from(f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits()),
    }
}

/// Integer comparison.
pub fn compare(op: IntCompare, ty: Type, a: u128, b: u128) -> bool {
    use IntCompare::*;
    let (sa, sb) = (signed(a, ty.bits()), signed(b, ty.bits()));
    match op {
        Eq => a == b,
        Ne => a != b,
        ULt => a < b,
        ULe => a <= b,
        UGt => a > b,
        UGe => a >= b,
        SLt => sa < sb,
        SLe => sa <= sb,
        SGt => sa > sb,
        SGe => sa >= sb,
    }
}

/// Floating-point comparison.
pub fn compare_float(op: FloatCompare, ty: Type, a: u128, b: u128) -> bool {
    let (a, b) = match ty {
        Type::F32 => (f64::from(f32_of(a)), f64::from(f32_of(b))),
        _ => (f64_of(a), f64_of(b)),
    };
    match a.partial_cmp(&b) {
        None => op.unordered,
        Some(std::cmp::Ordering::Less) => op.less,
        Some(std::cmp::Ordering::Equal) => op.equal,
        Some(std::cmp::Ordering::Greater) => op.greater,
    }
}

/// Whether the number is in one of the classes of LLVM's `is.fpclass`.
pub fn float_class(ty: Type, a: u128, mask: u32) -> bool {
    let (category, negative, quiet) = match ty {
        Type::F32 => {
            let f = f32_of(a);
            (f.classify(), f.is_sign_negative(), a as u32 & (1 << 22) != 0)
        }
        _ => {
            let f = f64_of(a);
            (f.classify(), f.is_sign_negative(), a as u64 & (1 << 51) != 0)
        }
    };
    use std::num::FpCategory::*;
    let bit = match (category, negative) {
        (Nan, _) if quiet => 1,
        (Nan, _) => 0,
        (Infinite, true) => 2,
        (Normal, true) => 3,
        (Subnormal, true) => 4,
        (Zero, true) => 5,
        (Zero, false) => 6,
        (Subnormal, false) => 7,
        (Normal, false) => 8,
        (Infinite, false) => 9,
    };
    mask & (1 << bit) != 0
}

/// A conversion.
pub fn cast(op: CastOp, from: Type, to: Type, a: u128) -> u128 {
    let all = mask(to.bits());
    match op {
        CastOp::Truncate | CastOp::ZeroExtend | CastOp::Bits => a & all,
        CastOp::SignExtend => signed(a, from.bits()) as u128 & all,
        CastOp::FloatToFloat => match (from, to) {
            (Type::F32, Type::F64) => u128::from(f64::from(f32_of(a)).to_bits()),
            (Type::F64, Type::F32) => u128::from((f64_of(a) as f32).to_bits()),
            _ => a,
        },
        CastOp::UnsignedToFloat => match to {
            Type::F32 => u128::from((a as f32).to_bits()),
            _ => u128::from((a as f64).to_bits()),
        },
        CastOp::SignedToFloat => match to {
            Type::F32 => u128::from((signed(a, from.bits()) as f32).to_bits()),
            _ => u128::from((signed(a, from.bits()) as f64).to_bits()),
        },
        CastOp::FloatToUnsigned | CastOp::FloatToSigned => {
            float_to_int(op, to.bits(), float_as_f64(from, a)) & all
        }
        CastOp::FloatToUnsignedSat => {
            let value = float_as_f64(from, a) as u128;
            value.min(all)
        }
        CastOp::FloatToSignedSat => {
            let value = float_as_f64(from, a) as i128;
            let minimum = signed(1 << (to.bits() - 1), to.bits());
            value.clamp(minimum, !minimum) as u128 & all
        }
    }
}

fn float_as_f64(ty: Type, a: u128) -> f64 {
    match ty {
        Type::F32 => f64::from(f32_of(a)),
        _ => f64_of(a),
    }
}

/// Out of range, x86-64 gives the "indefinite" integer. Conversions to narrow types go through 32 bits,
/// unsigned 32 bits through signed 64 bits, unsigned 64 bits through a corrected signed conversion.
fn float_to_int(op: CastOp, bits: u32, value: f64) -> u128 {
    let to_i32 = |value: f64| match value > -2_147_483_649.0 && value < 2_147_483_648.0 {
        true => value as i32,
        false => i32::MIN,
    };
    let to_i64 =
        |value: f64| match (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
            true => value as i64,
            false => i64::MIN,
        };
    match (op, bits) {
        (_, 65..) if op == CastOp::FloatToSigned => value as i128 as u128,
        (_, 65..) => value as u128,
        (CastOp::FloatToSigned, 33..=64) => to_i64(value) as u128,
        (CastOp::FloatToSigned, _) => to_i32(value) as u128,
        (_, 33..=64) => {
            // clang's sequence: cvttsd2si of the value and of the value less 2^63, combined.
            let low = to_i64(value);
            let high = to_i64(value - 9_223_372_036_854_775_808.0);
            (low | (high & (low >> 63))) as u64 as u128
        }
        (_, 17..=32) => to_i64(value) as u128,
        _ => to_i32(value) as u128,
    }
}

/// The new value of a read-modify-write.
pub fn rmw(op: RmwOp, ty: Type, old: u128, operand: u128) -> u128 {
    let bits = ty.bits();
    let (so, sp) = (signed(old, bits), signed(operand, bits));
    let float = |op| binary(op, ty, old, operand).unwrap_or_default();
    let value = match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => so.max(sp) as u128,
        RmwOp::Min => so.min(sp) as u128,
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
        RmwOp::FAdd => float(BinaryOp::FAdd),
        RmwOp::FSub => float(BinaryOp::FSub),
    };
    value & mask(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_that_traps_is_an_error() {
        let int = Type::Int(32);
        assert_eq!(binary(BinaryOp::SDiv, int, 7, 0), Err(DivisionError::ByZero));
        assert_eq!(binary(BinaryOp::SRem, int, 0x8000_0000, 0xffff_ffff), Err(DivisionError::Overflow));
        assert_eq!(binary(BinaryOp::SDiv, int, 0xffff_fff9, 2), Ok(0xffff_fffd));
    }

    #[test]
    fn odd_widths_wrap() {
        let odd = Type::Int(7);
        assert_eq!(binary(BinaryOp::Add, odd, 0x7f, 2), Ok(1));
        assert_eq!(binary(BinaryOp::AShr, odd, 0x40, 3), Ok(0x78));
        assert_eq!(overflow(OverflowOp::Add, Signedness::Signed, odd, 0x3f, 1), (0x40, true));
        assert_eq!(overflow(OverflowOp::Mul, Signedness::Unsigned, odd, 16, 8), (0, true));
        let wide = Type::Int(128);
        assert_eq!(binary(BinaryOp::Mul, wide, u128::MAX, 2), Ok(u128::MAX - 1));
        assert_eq!(overflow(OverflowOp::Sub, Signedness::Unsigned, wide, 0, 1), (u128::MAX, true));
    }

    #[test]
    fn saturation_and_shifts() {
        let byte = Type::Int(8);
        assert_eq!(binary(BinaryOp::UAddSat, byte, 200, 100), Ok(255));
        assert_eq!(binary(BinaryOp::SAddSat, byte, 100, 100), Ok(127));
        assert_eq!(binary(BinaryOp::SSubSat, byte, 0x80, 1), Ok(0x80));
        assert_eq!(binary(BinaryOp::SShlSat, byte, 0x40, 1), Ok(127));
        assert_eq!(binary(BinaryOp::UShlSat, byte, 0x40, 1), Ok(0x80));
        assert_eq!(binary(BinaryOp::UShlSat, byte, 0x40, 2), Ok(255));
        assert_eq!(funnel_shift(true, byte, 0x81, 0x81, 1), 3);
        assert_eq!(funnel_shift(false, byte, 0x81, 0x81, 1), 0xc0);
        assert_eq!(unary(UnaryOp::SwapBytes, Type::Int(16), 0x1234), 0x3412);
        assert_eq!(unary(UnaryOp::LeadingZeros, byte, 1), 7);
        assert_eq!(unary(UnaryOp::TrailingZeros, byte, 0), 8);
    }

    #[test]
    fn floats_out_of_range_are_indefinite() {
        let convert = |op, to, value: f64| cast(op, Type::F64, to, u128::from(value.to_bits()));
        assert_eq!(convert(CastOp::FloatToSigned, Type::I32, 1e10), 0x8000_0000);
        assert_eq!(convert(CastOp::FloatToSigned, Type::I32, -1.9), 0xffff_ffff);
        assert_eq!(convert(CastOp::FloatToUnsigned, Type::I64, 1e19), 10_000_000_000_000_000_000);
        assert_eq!(convert(CastOp::FloatToUnsigned, Type::I32, 4e9), 4_000_000_000);
        assert_eq!(convert(CastOp::FloatToSigned, Type::I64, f64::NAN), 1 << 63);
    }
}
