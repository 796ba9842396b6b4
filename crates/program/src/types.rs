//! Scalar types.

use std::fmt;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer of 1 to 128 bits. Signedness is a matter of the operation.
    Int(u8),
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A flat 64-bit address.
    Ptr,
}

impl Type {
    /// A truth value.
    pub const BOOL: Type = Type::Int(1);
    /// A byte.
    pub const BYTE: Type = Type::Int(8);
    /// Pointer-sized integer.
    pub const I64: Type = Type::Int(64);
    /// `int`.
    pub const I32: Type = Type::Int(32);

    /// Number of bits that carry information.
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(bits) => u32::from(bits),
            Type::F32 => 32,
            Type::F64 | Type::Ptr => 64,
        }
    }

    /// Number of bytes a load or store of this type touches.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// Whether it is an integer.
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Whether a value of this type may be passed where the other is expected: pointers and 64-bit integers are passed alike.
    pub fn passes_as(self, expected: Type) -> bool {
        let passed = |ty: Type| if ty == Type::Ptr { Type::I64 } else { ty };
        passed(self) == passed(expected)
    }

    /// Whether it needs two 64-bit registers.
    pub fn is_wide(self) -> bool {
        self.bits() > 64
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}
