//! Executing builtins: those of a program, and the mathematics of the C library.
//! What each builtin is called, takes and gives is said in [`selvedge_program::builtins`].

use selvedge_program::Program;
use selvedge_program::Type::{F32, F64, Int};
use selvedge_program::builtins::{Builtin, MathFunction};

/// The builtins of a program.
#[derive(Debug)]
pub struct Builtins {
    /// For each function, which builtin it is, if it is one.
    pub functions: Vec<Option<Builtin>>,
    /// The mathematics among them, by [`MathFunction::index`].
    math: Vec<Option<NativeFunction>>,
}

impl Builtins {
    /// Finds the builtins of a program. Mathematics that the C library does not have is none.
    pub fn new(program: &Program) -> Self {
        let mut math = vec![None; MathFunction::COUNT];
        let mut find = |function: &selvedge_program::Function| {
            let builtin = Builtin::find(&function.name).filter(|_| function.is_external())?;
            if let Builtin::Math(function) = builtin {
                math[function.index()] = Some(NativeFunction::find(function)?);
            }
            Some(builtin)
        };
        let functions = program.functions.iter().map(&mut find).collect();
        Self { functions, math }
    }

    /// All builtins of the program.
    pub fn iter(&self) -> impl Iterator<Item = Builtin> {
        self.functions.iter().copied().flatten()
    }

    /// The value of a function of the program, and the error number it reports (0 for none).
    pub fn call_math(&self, function: MathFunction, args: &[u128]) -> (u128, i32) {
        self.math[function.index()].map_or((0, 0), |native| native.call(args))
    }
}

/// A function of the C library, by its C type.
#[derive(Debug, Clone, Copy)]
enum NativeFunction {
    F64(extern "C" fn(f64) -> f64),
    F64F64(extern "C" fn(f64, f64) -> f64),
    F64F64F64(extern "C" fn(f64, f64, f64) -> f64),
    F64ToI64(extern "C" fn(f64) -> i64),
    F32(extern "C" fn(f32) -> f32),
    F32F32(extern "C" fn(f32, f32) -> f32),
    F32F32F32(extern "C" fn(f32, f32, f32) -> f32),
    F32ToI64(extern "C" fn(f32) -> i64),
}

impl NativeFunction {
    /// The C library's function.
    fn find(function: MathFunction) -> Option<Self> {
        macro_rules! native {
            ($kind:ident($($arg:ty),*) -> $result:ty) => {{
                let address = library_function(function.name())?;
                // SAFETY: the C standard gives the function of that name this prototype.
                Some(Self::$kind(unsafe {
                    std::mem::transmute::<*mut libc::c_void, extern "C" fn($($arg),*) -> $result>(address)
                }))
            }};
        }
        match (function.params(), function.result()) {
            ([F64], F64) => native!(F64(f64) -> f64),
            ([F64, F64], F64) => native!(F64F64(f64, f64) -> f64),
            ([F64, F64, F64], F64) => native!(F64F64F64(f64, f64, f64) -> f64),
            ([F64], Int(64)) => native!(F64ToI64(f64) -> i64),
            ([F32], F32) => native!(F32(f32) -> f32),
            ([F32, F32], F32) => native!(F32F32(f32, f32) -> f32),
            ([F32, F32, F32], F32) => native!(F32F32F32(f32, f32, f32) -> f32),
            ([F32], Int(64)) => native!(F32ToI64(f32) -> i64),
            _ => None,
        }
    }

    /// Its value, and the error number it reports (0 for none).
    fn call(self, args: &[u128]) -> (u128, i32) {
        // SAFETY: the C library gives each thread a valid address for its error number.
        let errno = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        unsafe { errno.write_volatile(0) };
        let value = self.evaluate(args);
        // SAFETY: as above.
        (value, unsafe { errno.read_volatile() })
    }

    fn evaluate(self, args: &[u128]) -> u128 {
        use NativeFunction::*;
        let d = |n: usize| f64::from_bits(args[n] as u64);
        let s = |n: usize| f32::from_bits(args[n] as u32);
        let wide = |value: f64| u128::from(value.to_bits());
        let narrow = |value: f32| u128::from(value.to_bits());
        match self {
            F64(f) => wide(f(d(0))),
            F64F64(f) => wide(f(d(0), d(1))),
            F64F64F64(f) => wide(f(d(0), d(1), d(2))),
            F64ToI64(f) => u128::from(f(d(0)) as u64),
            F32(f) => narrow(f(s(0))),
            F32F32(f) => narrow(f(s(0), s(1))),
            F32F32F32(f) => narrow(f(s(0), s(1), s(2))),
            F32ToI64(f) => u128::from(f(s(0)) as u64),
        }
    }
}

/// A function of the C library. The results must be those of the native program to the last bit, errors
/// included, so it is the shared library's own function, looked up by name: a linked symbol could be
/// another implementation (Rust brings some of its own).
fn library_function(name: &str) -> Option<*mut libc::c_void> {
    let name = std::ffi::CString::new(name).ok()?;
    // SAFETY: both names are zero-terminated; opening the mathematical library runs no code of ours, and
    // it stays open for as long as the process lives.
    let address = unsafe {
        let library = libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_LAZY);
        let library = if library.is_null() { libc::RTLD_DEFAULT } else { library };
        libc::dlsym(library, name.as_ptr())
    };
    (!address.is_null()).then_some(address)
}
