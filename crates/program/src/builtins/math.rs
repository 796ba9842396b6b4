//! Functions of numbers: those of the C library's mathematics that are no models, by name and type.

use crate::Type;

/// A function of the mathematical library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MathFunction(u8);

/// Name, parameters, result.
type Row = (&'static str, &'static [Type], Type);

/// Makes the table: one row for each name.
macro_rules! table {
    ($($params:tt => $result:ident: $($name:ident)*;)*) => {
        &[$($((stringify!($name), &$params, $result),)*)*]
    };
}

const F64: Type = Type::F64;
const F32: Type = Type::F32;
const I64: Type = Type::I64;
const TABLE: &[Row] = table! {
    [F64] => F64: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10
        log1p sqrt cbrt floor ceil trunc round roundeven rint nearbyint erf erfc tgamma lgamma j0 j1 y0 y1;
    [F64, F64] => F64: atan2 pow hypot fmod remainder;
    [F64, F64, F64] => F64: fma;
    [F64] => I64: lrint llrint lround llround;
    [F32] => F32: sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f exp10f expm1f
        logf log2f log10f log1pf sqrtf cbrtf floorf ceilf truncf roundf roundevenf rintf nearbyintf erff erfcf
        tgammaf lgammaf;
    [F32, F32] => F32: atan2f powf hypotf fmodf remainderf;
    [F32, F32, F32] => F32: fmaf;
    [F32] => I64: lrintf llrintf lroundf llroundf;
};

impl MathFunction {
    /// How many there are.
    pub const COUNT: usize = TABLE.len();

    /// The function of that name.
    pub(super) fn find(name: &str) -> Option<Self> {
        TABLE.iter().position(|row| row.0 == name).map(|index| Self(index as u8))
    }

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|index| Self(index as u8))
    }

    /// Its number, below [`MathFunction::COUNT`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its name in C.
    pub fn name(self) -> &'static str {
        TABLE[self.index()].0
    }

    /// Types of the parameters.
    pub fn params(self) -> &'static [Type] {
        TABLE[self.index()].1
    }

    /// Type of the result.
    pub fn result(self) -> Type {
        TABLE[self.index()].2
    }
}

const _: () = assert!(MathFunction::COUNT <= u8::MAX as usize);
