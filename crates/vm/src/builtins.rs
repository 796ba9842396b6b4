//! Functions the machine provides itself: what the library models ask for, and mathematics.
//!
//! A builtin runs in one go and touches no memory that another thread could see, except where it is a
//! visible operation of its own (creating and joining threads, freeing shared memory, yielding).

use selvedge_program::Type;
use selvedge_trace::SyncOp;

/// A builtin function.
#[derive(Debug, Clone, Copy)]
pub enum Builtin {
    /// `void *__selvedge_allocate(size_t size, size_t align, int zeroed)`
    Allocate,
    /// `void __selvedge_release(void *object)`
    Release,
    /// `size_t __selvedge_allocation_size(const void *object)`
    AllocationSize,
    /// `void __selvedge_write(int descriptor, const void *bytes, size_t count)`
    Write,
    /// `void __selvedge_exit(int status)`
    Exit,
    /// `void __selvedge_abort(void)`
    Abort,
    /// `void __selvedge_assert_fail(const char *, const char *, unsigned, const char *)`
    AssertFail,
    /// `void __selvedge_reach_error(void)`
    ReachError,
    /// `void __selvedge_unsupported(const char *what)`
    Unsupported,
    /// `size_t __selvedge_format_double(char *, size_t, double, int, int, int)`
    FormatDouble,
    /// `double __selvedge_parse_double(const char *, size_t)`
    ParseDouble,
    /// `float __selvedge_parse_float(const char *, size_t)`
    ParseFloat,
    /// `unsigned long __selvedge_spawn(void *(*)(void *), void *)`
    Spawn,
    /// `unsigned long __selvedge_spawn_with(main, start, argument)`: calls `main(start, argument)`
    SpawnWith,
    /// `void *__selvedge_join(unsigned long)`
    Join,
    /// `int __selvedge_join_error(unsigned long)`
    JoinError,
    /// `void __selvedge_detach(unsigned long)`
    Detach,
    /// `unsigned long __selvedge_self(void)`
    Self_,
    /// `void __selvedge_thread_exit(void *)`
    ThreadExit,
    /// `void __selvedge_yield(void)`
    Yield,
    /// `void __selvedge_wait_for_others(void *result)`
    WaitForOthers,
    /// `int __selvedge_choose(int options)`
    Choose,
    /// `void __selvedge_assume(int condition)`
    Assume,
    /// `int __selvedge_nondet(void)`: a number from the range the user gives.
    Nondet,
    /// `void __selvedge_atomic_begin(void)`
    AtomicBegin,
    /// `void __selvedge_atomic_end(void)`
    AtomicEnd,
    /// `int __selvedge_mutex_lock(void *)` and the like; some take a second argument.
    Sync(SyncOp),
    /// `int setjmp(jmp_buf)`
    SetJump,
    /// `int __sigsetjmp(jmp_buf, int)`
    SignalSetJump,
    /// `void longjmp(jmp_buf, int)`
    LongJump,
    /// A function of numbers.
    Math(MathFunction),
}

/// A function of the mathematical library, by its C type.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the payload is the function")]
pub enum MathFunction {
    F64(extern "C" fn(f64) -> f64),
    F64F64(extern "C" fn(f64, f64) -> f64),
    F64F64F64(extern "C" fn(f64, f64, f64) -> f64),
    F64ToI64(extern "C" fn(f64) -> i64),
    F32(extern "C" fn(f32) -> f32),
    F32F32(extern "C" fn(f32, f32) -> f32),
    F32F32F32(extern "C" fn(f32, f32, f32) -> f32),
    F32ToI64(extern "C" fn(f32) -> i64),
}

impl MathFunction {
    /// Types of the parameters.
    pub fn params(self) -> &'static [Type] {
        use MathFunction::*;
        match self {
            F64(_) | F64ToI64(_) => &[Type::F64],
            F64F64(_) => &[Type::F64, Type::F64],
            F64F64F64(_) => &[Type::F64, Type::F64, Type::F64],
            F32(_) | F32ToI64(_) => &[Type::F32],
            F32F32(_) => &[Type::F32, Type::F32],
            F32F32F32(_) => &[Type::F32, Type::F32, Type::F32],
        }
    }

    /// Type of the result.
    pub fn result(self) -> Type {
        use MathFunction::*;
        match self {
            F64(_) | F64F64(_) | F64F64F64(_) => Type::F64,
            F64ToI64(_) | F32ToI64(_) => Type::I64,
            F32(_) | F32F32(_) | F32F32F32(_) => Type::F32,
        }
    }

    /// Its value, and the error number it reports (0 for none).
    pub fn call(self, args: &[u128]) -> (u128, i32) {
        // SAFETY: the C library gives each thread a valid address for its error number.
        let errno = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        unsafe { errno.write_volatile(0) };
        let value = self.evaluate(args);
        // SAFETY: as above.
        (value, unsafe { errno.read_volatile() })
    }

    fn evaluate(self, args: &[u128]) -> u128 {
        use MathFunction::*;
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

/// The builtin of a name.
pub fn find(name: &str) -> Option<Builtin> {
    if let Some(rest) = name.strip_prefix("__selvedge_") {
        return Some(match rest {
            "allocate" => Builtin::Allocate,
            "release" => Builtin::Release,
            "allocation_size" => Builtin::AllocationSize,
            "write" => Builtin::Write,
            "exit" => Builtin::Exit,
            "abort" => Builtin::Abort,
            "assert_fail" => Builtin::AssertFail,
            "unsupported" => Builtin::Unsupported,
            "reach_error" => Builtin::ReachError,
            "format_double" => Builtin::FormatDouble,
            "parse_double" => Builtin::ParseDouble,
            "parse_float" => Builtin::ParseFloat,
            "spawn" => Builtin::Spawn,
            "spawn_with" => Builtin::SpawnWith,
            "join" => Builtin::Join,
            "join_error" => Builtin::JoinError,
            "detach" => Builtin::Detach,
            "self" => Builtin::Self_,
            "thread_exit" => Builtin::ThreadExit,
            "yield" => Builtin::Yield,
            "wait_for_others" => Builtin::WaitForOthers,
            "choose" => Builtin::Choose,
            "assume" => Builtin::Assume,
            "nondet" => Builtin::Nondet,
            "atomic_begin" => Builtin::AtomicBegin,
            "atomic_end" => Builtin::AtomicEnd,
            _ => return sync(rest).map(Builtin::Sync),
        });
    }
    match name {
        "setjmp" | "_setjmp" => Some(Builtin::SetJump),
        "sigsetjmp" | "__sigsetjmp" => Some(Builtin::SignalSetJump),
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Some(Builtin::LongJump),
        name => math(name).map(Builtin::Math),
    }
}

fn sync(name: &str) -> Option<SyncOp> {
    use SyncOp::*;
    Some(match name {
        "mutex_init" => MutexInit,
        "mutex_lock" => MutexLock,
        "mutex_trylock" => MutexTryLock,
        "mutex_timedlock" => MutexTimedLock,
        "mutex_unlock" => MutexUnlock,
        "mutex_destroy" => MutexDestroy,
        "condition_init" => ConditionInit,
        "condition_release" => ConditionRelease,
        "condition_block" => ConditionBlock,
        "condition_signal" => ConditionSignal,
        "condition_broadcast" => ConditionBroadcast,
        "condition_destroy" => ConditionDestroy,
        "rwlock_init" => RwInit,
        "rwlock_rdlock" => RwReadLock,
        "rwlock_tryrdlock" => RwTryReadLock,
        "rwlock_wrlock" => RwWriteLock,
        "rwlock_trywrlock" => RwTryWriteLock,
        "rwlock_unlock" => RwUnlock,
        "rwlock_destroy" => RwDestroy,
        "semaphore_init" => SemaphoreInit,
        "semaphore_wait" => SemaphoreWait,
        "semaphore_trywait" => SemaphoreTryWait,
        "semaphore_post" => SemaphorePost,
        "semaphore_value" => SemaphoreValue,
        "semaphore_destroy" => SemaphoreDestroy,
        "barrier_init" => BarrierInit,
        "barrier_arrive" => BarrierArrive,
        "barrier_block" => BarrierBlock,
        "barrier_destroy" => BarrierDestroy,
        "spin_init" => SpinInit,
        "spin_lock" => SpinLock,
        "spin_trylock" => SpinTryLock,
        "spin_unlock" => SpinUnlock,
        "spin_destroy" => SpinDestroy,
        "once_begin" => OnceBegin,
        "once_end" => OnceEnd,
        _ => return None,
    })
}

fn math(name: &str) -> Option<MathFunction> {
    use MathFunction::*;
    macro_rules! table {
        ($($kind:ident($($arg:ty),* => $result:ty): $($function:ident)*;)*) => {
            match name {
                $($(stringify!($function))|* => {
                    let address = library_function(name)?;
                    // SAFETY: the C standard gives the function of that name this prototype.
                    Some($kind(unsafe {
                        std::mem::transmute::<*mut libc::c_void, extern "C" fn($($arg),*) -> $result>(address)
                    }))
                })*
                _ => None,
            }
        };
    }
    table! {
        F64(f64 => f64): sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1
            log log2 log10 log1p sqrt cbrt floor ceil trunc round roundeven rint nearbyint erf erfc tgamma
            lgamma j0 j1 y0 y1;
        F64F64(f64, f64 => f64): atan2 pow hypot fmod remainder;
        F64F64F64(f64, f64, f64 => f64): fma;
        F64ToI64(f64 => i64): lrint llrint lround llround;
        F32(f32 => f32): sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f
            exp10f expm1f logf log2f log10f log1pf sqrtf cbrtf floorf ceilf truncf roundf roundevenf rintf
            nearbyintf erff erfcf tgammaf lgammaf;
        F32F32(f32, f32 => f32): atan2f powf hypotf fmodf remainderf;
        F32F32F32(f32, f32, f32 => f32): fmaf;
        F32ToI64(f32 => i64): lrintf llrintf lroundf llroundf;
    }
}

impl Builtin {
    /// Types of its parameters and result.
    pub fn signature(self) -> (&'static [Type], Option<Type>) {
        use Builtin::*;
        const WORD: Type = Type::I64;
        const INT: Type = Type::I32;
        const PTR: Type = Type::Ptr;
        match self {
            Allocate => (&[WORD, WORD, INT], Some(PTR)),
            Release | Unsupported | ThreadExit | WaitForOthers => (&[PTR], None),
            AllocationSize => (&[PTR], Some(WORD)),
            Write => (&[INT, PTR, WORD], None),
            Exit => (&[INT], None),
            Abort | Yield | ReachError => (&[], None),
            AssertFail => (&[PTR, PTR, INT, PTR], None),
            FormatDouble => (&[PTR, WORD, Type::F64, INT, INT, INT], Some(WORD)),
            ParseDouble => (&[PTR, WORD], Some(Type::F64)),
            ParseFloat => (&[PTR, WORD], Some(Type::F32)),
            Spawn => (&[PTR, PTR], Some(WORD)),
            SpawnWith => (&[PTR, PTR, PTR], Some(WORD)),
            Join => (&[WORD], Some(PTR)),
            JoinError => (&[WORD], Some(INT)),
            Detach => (&[WORD], None),
            Self_ => (&[], Some(WORD)),
            SetJump => (&[PTR], Some(INT)),
            SignalSetJump => (&[PTR, INT], Some(INT)),
            LongJump => (&[PTR, INT], None),
            Choose => (&[INT], Some(INT)),
            Nondet => (&[], Some(INT)),
            Assume => (&[INT], None),
            AtomicBegin | AtomicEnd => (&[], None),
            Sync(op) => match op {
                SyncOp::ConditionRelease => (&[PTR, PTR], Some(INT)),
                SyncOp::MutexInit
                | SyncOp::RwUnlock
                | SyncOp::SemaphoreInit
                | SyncOp::BarrierInit
                | SyncOp::BarrierBlock
                | SyncOp::ConditionBlock => (&[PTR, INT], Some(INT)),
                _ => (&[PTR], Some(INT)),
            },
            Math(function) => match function.result() {
                Type::F64 => (function.params(), Some(Type::F64)),
                Type::F32 => (function.params(), Some(Type::F32)),
                _ => (function.params(), Some(WORD)),
            },
        }
    }
}
