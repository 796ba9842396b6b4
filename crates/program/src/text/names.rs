//! The names of operations and orders in the text form. Each enumeration is listed once more here; the compiler notices a
//! variant that is missing.

use crate::*;

/// What is written as its own name.
pub(super) trait Named: Copy + 'static {
    /// The name.
    fn name(self) -> &'static str;
    /// What has that name.
    fn named(name: &str) -> Option<Self>;
}

macro_rules! names {
    ($($ty:ident: $($variant:ident)*;)*) => {
        $(
            impl Named for $ty {
                fn name(self) -> &'static str {
                    match self {
                        $(Self::$variant => stringify!($variant),)*
                    }
                }

                fn named(name: &str) -> Option<Self> {
                    match name {
                        $(stringify!($variant) => Some(Self::$variant),)*
                        _ => None,
                    }
                }
            }
        )*
    };
}

names! {
    BinaryOp: Add Sub Mul UDiv SDiv URem SRem Shl LShr AShr And Or Xor UMin UMax SMin SMax UAddSat SAddSat USubSat
        SSubSat UShlSat SShlSat FAdd FSub FMul FDiv FRem FMinNum FMaxNum FMinimum FMaximum CopySign;
    UnaryOp: CountOnes LeadingZeros TrailingZeros SwapBytes ReverseBits Abs FNeg FAbs Sqrt Floor Ceil Truncate Round
        RoundEven;
    IntCompare: Eq Ne ULt ULe UGt UGe SLt SLe SGt SGe;
    CastOp: Truncate ZeroExtend SignExtend FloatToFloat FloatToUnsigned FloatToSigned FloatToUnsignedSat
        FloatToSignedSat UnsignedToFloat SignedToFloat Bits;
    OverflowOp: Add Sub Mul;
    Signedness: Signed Unsigned;
    RmwOp: Exchange Add Sub And Nand Or Xor Max Min UMax UMin FAdd FSub;
    LoadOrder: Plain Relaxed Acquire SeqCst;
    StoreOrder: Plain Relaxed Release SeqCst;
    RmwOrder: Relaxed Acquire Release AcqRel SeqCst;
    FenceOrder: Acquire Release AcqRel SeqCst;
    FenceScope: System SingleThread;
    Deviation: StalePointer StaleValue NotBoolean TakenAsUnsigned OperandTruncated;
}

/// Whether a name can be written without quotes.
pub(super) fn is_bare(name: &str) -> bool {
    name.bytes().all(is_name_byte) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// Whether names without quotes consist of such bytes.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}
